"""Factors of hidden naive Bayes: for each child a weighted mean over all other attributes as its parent."""

from __future__ import annotations

from typing import Any

from seminaive.kernels.jit import kernel
from seminaive.kernels.vector import add_to, load, times_number


@kernel
def mean_conditionals(
    like: Any, slots: Any, seen: Any, weights: Any, table: Any, layout: Any, child: int, totals: Any
) -> None:
    """Sum w_j P(x_child | x_j, y) over the parents j that a row has, and their weights.

    ``like``: as many numbers as a vector is to have. ``slots`` (attributes, rows): slots of values among
    those of all attributes; ``seen``, of the same shape, 1 where a value is observed and 0 elsewhere.
    ``weights`` (attributes,) of the parents. ``table`` and ``layout`` as in
    `kernels.score.one_dependence_tables`.
    ``totals``, to be given as zeros: the sums (rows x width,) and the weights (rows,).
    """
    sums, masses = totals
    n_attributes, n_rows = slots.shape
    n_lanes, width = len(like), sums.shape[0] // n_rows
    for j in range(n_attributes):
        weight = weights[j]
        if j == child or weight == 0:
            continue
        first, length = layout[j, 0], layout[j, 2]
        # the cells of attributes after j follow those before it without a gap
        begin = layout[j, 3] - (layout[j, 1] if child > j else 0)
        for row in range(n_rows):
            share = weight * seen[j, row]
            cell = (begin + (slots[j, row] - first) * length + slots[child, row]) * width
            for lane in range(0, width, n_lanes):
                add_to(times_number(load(like, table, cell + lane), share), sums, row * width + lane)
            masses[row] += share
