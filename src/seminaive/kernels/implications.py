"""Finding and applying implications between values."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel


@kernel
def find_implications(
    counts: Any, tasks: Any, n_values: Any, first_slot: Any, totals: Any, critical_value: float, flags: Any
) -> None:
    """For every value pair 1 in ``flags`` if x_i implies x_j, 2 if x_j implies x_i, 3 if both do.

    ``counts`` flat pair tables, ``tasks`` as in ``kernels.count``; ``totals`` (slots of all attributes,)
    counts of single values over all classes; ``flags`` int8, the cells of the pair tables without the class.
    """
    n_classes = counts.shape[0] // max(1, flags.shape[0])
    for p in range(tasks.shape[0]):
        i, j, cells, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2] // n_classes, tasks[p, 3]
        for u in range(n_values[i]):
            n_i = totals[first_slot[i] + u]
            for w in range(n_values[j]):
                n_j = totals[first_slot[j] + w]
                if n_i < critical_value and n_j < critical_value:
                    continue
                cell = cells + u * slots + w
                both = 0.0
                for y in range(n_classes):
                    both += counts[cell * n_classes + y]
                if both == 0:
                    continue
                if both == n_i and n_i >= critical_value:
                    flags[cell] += 1
                if both == n_j and n_j >= critical_value:
                    flags[cell] += 2


@kernel
def mark_generalisations(codes: Any, tasks: Any, n_classes: int, flags: Any, hidden: Any) -> None:
    """Set ``hidden`` (attributes, rows) where a value of ``codes`` is implied by another one of its row."""
    for p in range(tasks.shape[0]):
        i, j, cells, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2] // n_classes, tasks[p, 3]
        for row in range(codes.shape[1]):
            flag = flags[np.uint64(cells + np.int64(codes[i, row]) * slots + codes[j, row])]
            if flag == 2:
                hidden[i, row] = True
            elif flag != 0:  # of two values with the same rows the first stays
                hidden[j, row] = True


@kernel
def gather_implications(codes: Any, tasks: Any, n_classes: int, flags: Any, implies: Any) -> None:
    """Set ``implies`` (rows, attributes, attributes) [row, i, j] where x_i implies x_j."""
    for p in range(tasks.shape[0]):
        i, j, cells, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2] // n_classes, tasks[p, 3]
        for row in range(codes.shape[1]):
            flag = flags[np.uint64(cells + np.int64(codes[i, row]) * slots + codes[j, row])]
            if flag & 1:
                implies[row, i, j] = True
            if flag & 2:
                implies[row, j, i] = True
