"""Loops for the weights of superparents."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel


@kernel
def pair_margins(counts: Any, tasks: Any, n_values: Any, margins: Any, rows_of: Any, place: Any) -> None:
    """Counts of all observed value pairs of ``tasks`` and their margins.

    ``counts`` flat pair tables, ``tasks`` as in ``kernels.count``; ``margins`` is (both, first, second,
    classes), ``rows_of`` (first_of, second_of, pair_of). For each pair of values, one pair of attributes
    after the other: ``both`` (m, K) its counts, ``first_of``, ``second_of`` and ``pair_of`` (m,)
    its rows in ``first``, ``second`` and ``classes``, ``place`` (m,) the cell in the pair tables. ``first``
    (values of all first attributes, K), ``second`` and ``classes`` (pairs of attributes, K) receive the
    counts of x_i, of x_j and of the class where both are observed; all three are zero on entry.
    """
    table, first, values_of_second, classes = margins
    first_of, second_of, pair_of = rows_of
    n_classes = table.shape[1]
    # loops over more than the classes are faster
    both, second = table.reshape(-1), values_of_second.reshape(-1)
    m, begin_first, begin_second = 0, 0, 0
    for p in range(tasks.shape[0]):
        offset, slots = tasks[p, 2], tasks[p, 3]
        v_i, v_j = n_values[tasks[p, 0]], n_values[tasks[p, 1]]
        to_second = second[begin_second * n_classes : (begin_second + v_j) * n_classes]
        for u in range(begin_first, begin_first + v_i):
            pairs = counts[offset : offset + v_j * n_classes]
            to_both = both[m * n_classes : (m + v_j) * n_classes]
            for entry in range(v_j * n_classes):
                count = float(pairs[entry])
                to_both[entry] = count
                to_second[entry] += count
            to_first = first[u]
            for w in range(v_j):
                for y in range(n_classes):
                    to_first[y] += to_both[w * n_classes + y]
                first_of[m + w], second_of[m + w], pair_of[m + w] = u, begin_second + w, p
                place[m + w] = offset // n_classes + w
            for y in range(n_classes):
                classes[p, y] += to_first[y]
            m += v_j
            offset += slots * n_classes
        begin_first += v_i
        begin_second += v_j


@kernel
def joint_probabilities(
    counts: Any, rows: Any, n_cells: Any, strength: float, divide: bool, result: Any
) -> None:
    """Smoothed probabilities of ``counts`` (m, K), row r one of ``rows[r]`` rows in ``n_cells[r]`` cells.

    The pseudo-count of a cell is ``strength``, divided by the number of cells if ``divide``.
    """
    for r in range(counts.shape[0]):
        pseudo = strength / n_cells[r] if divide else strength
        mass = rows[r] + pseudo * n_cells[r]
        if mass > 0:
            factor = 1.0 / mass
            for y in range(counts.shape[1]):
                result[r, y] = (counts[r, y] + pseudo) * factor
        else:  # no rows and no smoothing: all cells are equally probable
            result[r] = 1.0 / n_cells[r]


@kernel
def class_sums(weights: Any, values: Any, row_of: Any, result: Any) -> None:
    """Sum over y of ``weights[m, y]`` ``values[row_of[m], y]``, into ``result`` (m,)."""
    for m in range(weights.shape[0]):
        row, total = row_of[m], 0.0
        for y in range(weights.shape[1]):
            total += weights[m, y] * values[row, y]
        result[m] = total


@kernel
def place_pair_terms(to_first: Any, to_second: Any, place: Any, terms: Any) -> None:
    """Write terms of pairs of values to their cells of ``terms`` (cells of the pair tables, 2)."""
    for m in range(place.shape[0]):
        terms[place[m], 0] = to_first[m]
        terms[place[m], 1] = to_second[m]


@kernel
def add_pair_terms(codes: Any, tasks: Any, n_classes: int, terms: Any, sums: Any) -> None:
    """Add to ``sums`` (attributes, rows) the term of every pair of values of a row.

    ``terms`` (cells of the pair tables, 2): what the pair gives to its first, then to its second attribute.
    """
    for p in range(tasks.shape[0]):
        i, j, cells, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2] // n_classes, tasks[p, 3]
        to_first, to_second = sums[i], sums[j]
        for row in range(codes.shape[1]):
            cell = np.uint64(cells + np.int64(codes[i, row]) * slots + codes[j, row])
            to_first[row] += terms[cell, 0]
            to_second[row] += terms[cell, 1]
