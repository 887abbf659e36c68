"""Loops for the weights of superparents."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel


@kernel
def pair_marginals(
    counts: Any, tasks: Any, n_values: Any, both: Any, first: Any, second: Any, classes: Any, place: Any
) -> None:
    """Counts of all observed value pairs of ``tasks`` and their margins, one row a pair of values.

    ``counts`` flat pair tables, ``tasks`` as in ``kernels.count``. For each pair of values: ``both``,
    ``first`` and ``second`` (m, K) counts of x_i and x_j, of x_i and of x_j where both attributes are
    observed, ``classes`` (m, K) of the class there, ``place`` (m,) the cell in the pair tables.
    """
    n_classes = both.shape[1]
    begin = 0
    for p in range(tasks.shape[0]):
        cells, slots = tasks[p, 2] // n_classes, tasks[p, 3]
        v_i, v_j = n_values[tasks[p, 0]], n_values[tasks[p, 1]]
        rows = np.zeros((v_i, n_classes))
        columns = np.zeros((v_j, n_classes))
        total = np.zeros(n_classes)
        for u in range(v_i):
            for w in range(v_j):
                for y in range(n_classes):
                    count = float(counts[(cells + u * slots + w) * n_classes + y])
                    both[begin + u * v_j + w, y] = count
                    rows[u, y] += count
                    columns[w, y] += count
                    total[y] += count
        for u in range(v_i):
            for w in range(v_j):
                place[begin + u * v_j + w] = cells + u * slots + w
                for y in range(n_classes):
                    first[begin + u * v_j + w, y] = rows[u, y]
                    second[begin + u * v_j + w, y] = columns[w, y]
                    classes[begin + u * v_j + w, y] = total[y]
        begin += v_i * v_j


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
