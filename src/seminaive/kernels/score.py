"""Scoring loops: codes of a block of rows in, log joint probabilities out.

Every table has a slot "not observed" per attribute that holds log 1 = 0, so that no loop asks whether a
value is there. Sums of logs are float64. A cell of a table holds the logs of all K classes, padded to a
width of 2 or a multiple of 4 (``counts.plan.padded_classes``), so that a row adds a cell by few vector
instructions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel
from seminaive.kernels.vector import add_four, add_two

_TILE = 128  # rows whose sums for all superparents stay in the cache


@kernel
def _add_cells(target: Any, table: Any, cells: Any, width: int) -> None:
    """Add to each row of ``target`` (flat) its cell of the table."""
    if width == 2:
        for row in range(cells.shape[0]):
            add_two(target, 2 * row, table, cells[row])
    else:
        for row in range(cells.shape[0]):
            to, cell = width * row, cells[row]
            for part in range(0, width, 4):
                add_four(target, to + part, table, cell + part)


@kernel
def _add_both(sums: Any, first: int, second: int, table: Any, cells: Any, width: int) -> None:
    """Add each row's cell to ``sums``: one half to the rows from ``first``, one to those from ``second``."""
    if width == 2:
        for row in range(cells.shape[0]):
            cell = cells[row]
            add_two(sums, first + 2 * row, table, cell)
            add_two(sums, second + 2 * row, table, cell + 2)
    elif width == 4:
        for row in range(cells.shape[0]):
            cell = cells[row]
            add_four(sums, first + 4 * row, table, cell)
            add_four(sums, second + 4 * row, table, cell + 4)
    else:
        for row in range(cells.shape[0]):
            cell, to_first, to_second = cells[row], first + width * row, second + width * row
            for part in range(0, width, 4):
                add_four(sums, to_first + part, table, cell + part)
                add_four(sums, to_second + part, table, cell + width + part)


@kernel
def score_network(
    codes: Any, start: int, members: Any, strides: Any, offsets: Any, table: Any, width: int, joint: Any
) -> None:
    """Add the log factors of every child of one network to ``joint`` (rows of the block, K).

    Child i looks at cell ``offsets[i]`` + sum over m of code(members[i, m]) x strides[i, m] of the flat
    ``table``, ``width`` entries a cell; unused members have stride 0.
    """
    n_rows, n_classes = joint.shape
    cells = np.empty(n_rows, dtype=np.int64)
    sums = np.zeros(n_rows * width)
    for i in range(members.shape[0]):
        for row in range(n_rows):
            cells[row] = offsets[i]
        for m in range(members.shape[1]):
            stride = strides[i, m]
            if stride > 0:
                column = codes[members[i, m]]
                for row in range(n_rows):
                    cells[row] += np.int64(column[np.uint64(start + row)]) * stride
        _add_cells(sums, table, cells, width)
    for row in range(n_rows):
        for y in range(n_classes):
            joint[row, y] += sums[row * width + y]


@kernel
def one_dependence_tables(
    counts: Any,
    tasks: Any,
    n_values: Any,
    n_classes: int,
    strength: float,
    divide: bool,
    ratio: bool,
    table: Any,
) -> None:
    """Conditional probabilities of both directions of every pair of attributes.

    ``counts`` flat pair tables, ``tasks`` as in ``kernels.count``. ``table`` receives, in the same order, per
    cell P(x_j | x_i, y), then P(x_i | x_j, y), each padded; slots "not observed" stay untouched.
    The pseudo-count of a cell is ``strength``, divided by the number of cells if ``divide``.
    ``ratio`` asks for P(x_i, x_j, y) / P(parent, y) of two smoothed joints.
    """
    width = table.shape[0] // (2 * (counts.shape[0] // n_classes))
    for p in range(tasks.shape[0]):
        i, j, offset, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2], tasks[p, 3]
        v_i, v_j = n_values[i], n_values[j]
        first = np.zeros((v_i, n_classes))
        second = np.zeros((v_j, n_classes))
        total = 0.0
        for u in range(v_i):
            for w in range(v_j):
                cell = offset + (u * slots + w) * n_classes
                for y in range(n_classes):
                    count = float(counts[cell + y])
                    first[u, y] += count
                    second[w, y] += count
                    total += count
        # a probability is (count + pseudo-count) x factor; the factor depends on the parent and the class
        n_cells = v_i * v_j * n_classes
        if ratio:
            forward_pseudo = backward_pseudo = strength / n_cells if divide else strength
            _ratio_factors(first, total, strength, divide, n_cells)
            _ratio_factors(second, total, strength, divide, n_cells)
        else:
            forward_pseudo = strength / v_j if divide else strength
            backward_pseudo = strength / v_i if divide else strength
            _direct_factors(first, forward_pseudo * v_j)
            _direct_factors(second, backward_pseudo * v_i)
        for u in range(v_i):
            for w in range(v_j):
                cell = offset + (u * slots + w) * n_classes
                logs = 2 * width * (cell // n_classes)
                for y in range(n_classes):
                    count = float(counts[cell + y])
                    forward, backward = first[u, y], second[w, y]
                    # no rows and no smoothing: nothing is known, so that all values are equally probable
                    table[logs + y] = (count + forward_pseudo) * forward if forward > 0 else 1.0 / v_j
                    table[logs + width + y] = (
                        (count + backward_pseudo) * backward if backward > 0 else 1.0 / v_i
                    )


@kernel
def _direct_factors(totals: Any, mass: float) -> None:
    """Turn counts of the parent into 1 / (count + mass), 0 where that is not defined."""
    for u in range(totals.shape[0]):
        for y in range(totals.shape[1]):
            whole = totals[u, y] + mass
            totals[u, y] = 1.0 / whole if whole > 0 else 0.0


@kernel
def _ratio_factors(totals: Any, total: float, strength: float, divide: bool, n_cells: int) -> None:
    """Turn counts of the parent into 1 / (mass of the joint x P(parent, y)), 0 where that is not defined."""
    n_marginal = totals.shape[0] * totals.shape[1]
    pseudo = strength / n_marginal if divide else strength
    joint_mass = total + (strength if divide else strength * n_cells)
    marginal_mass = total + pseudo * n_marginal
    for u in range(totals.shape[0]):
        for y in range(totals.shape[1]):
            part = totals[u, y] + pseudo
            totals[u, y] = marginal_mass / (joint_mass * part) if part > 0 else 0.0


@kernel
def score_one_dependence(
    codes: Any, start: int, base: Any, first_slot: Any, tasks: Any, table: Any, log_weights: Any, joint: Any
) -> None:
    """Log of the weighted sum of one-dependence estimators, into ``joint`` (rows of the block, K).

    ``base`` (slots of all attributes, width) holds log P(x_a, y), attribute a from ``first_slot[a]`` on;
    ``table`` the log conditionals of both directions of each pair, twice the offset of ``tasks``;
    ``log_weights`` (rows of the block, attributes) the log weight of each superparent, -inf for none.
    """
    n_classes, width, n_attributes = joint.shape[1], base.shape[1], log_weights.shape[1]
    terms = np.zeros(n_attributes * _TILE * width)  # what pads a cell is never read
    all_cells = np.empty(_TILE, dtype=np.int64)
    for tile in range(0, joint.shape[0], _TILE):
        n_rows = min(_TILE, joint.shape[0] - tile)
        cells = all_cells[:n_rows]
        for a in range(n_attributes):
            for row in range(n_rows):
                slot = first_slot[a] + codes[a, start + tile + row]
                for y in range(n_classes):
                    terms[(a * n_rows + row) * width + y] = base[slot, y] + log_weights[tile + row, a]
        for p in range(tasks.shape[0]):
            i, j, offset, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2] // n_classes, tasks[p, 3]
            first, second = codes[i], codes[j]
            for row in range(n_rows):
                place = np.uint64(start + tile + row)
                cells[row] = 2 * width * (offset + np.int64(first[place]) * slots + second[place])
            _add_both(terms, i * n_rows * width, j * n_rows * width, table, cells, width)
        for row in range(n_rows):
            for y in range(n_classes):
                first_term, step = row * width + y, n_rows * width
                largest = -np.inf
                for a in range(n_attributes):
                    largest = max(largest, terms[first_term + a * step])
                if largest == -np.inf:
                    joint[tile + row, y] = -np.inf
                    continue
                total = 0.0
                for a in range(n_attributes):
                    difference = terms[first_term + a * step] - largest
                    if difference > -50.0:  # below, a term is lost in the rounding of the sum
                        total += math.exp(difference)
                joint[tile + row, y] = largest + math.log(total)
