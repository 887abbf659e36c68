"""Local conditional mutual information of value pairs, from pair tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel


@kernel
def local_information_of_pairs(table: Any, tasks: Any, n_values: Any, n_classes: int, result: Any) -> None:
    """I(x_i; x_j | Y) of every value pair in bits, from raw counts.

    ``result`` (cells of the pair tables,); ``table`` flat, each pair as [slot of i][slot of j][class];
    ``tasks`` (pairs, 4): i, j, where the table begins, slots of j. Only rows in which both are observed take
    part; the last slots stay untouched.
    """
    for p in range(tasks.shape[0]):
        i, j, offset, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2], tasks[p, 3]
        first = np.zeros((n_values[i], n_classes))
        second = np.zeros((n_values[j], n_classes))
        total = np.zeros(n_classes)
        rows = 0.0
        for u in range(n_values[i]):
            for w in range(n_values[j]):
                cell = offset + (u * slots + w) * n_classes
                for y in range(n_classes):
                    count = float(table[cell + y])
                    first[u, y] += count
                    second[w, y] += count
                    total[y] += count
                    rows += count
        for u in range(n_values[i]):
            for w in range(n_values[j]):
                cell = offset + (u * slots + w) * n_classes
                information = 0.0
                for y in range(n_classes):
                    count = float(table[cell + y])
                    if count > 0:
                        expected = first[u, y] * second[w, y]
                        if 1e-200 < expected < 1e200:
                            ratio = count * total[y] / expected  # exactly 1 for independent counts
                        else:  # weights whose product leaves the range of numbers
                            ratio = (count / first[u, y]) / (second[w, y] / total[y])
                        information += count * math.log2(ratio)
                # as scores are ranked: float32, and what rounding leaves is nothing
                information /= max(rows, 1e-300)
                result[cell // n_classes] = 0.0 if abs(information) < 1e-12 else information


@kernel
def gather_local_information(codes: Any, tasks: Any, n_classes: int, cells: Any, dependence: Any) -> None:
    """Write what ``cells`` (cells of the pair tables,) says of each row of ``codes`` (attributes, rows).

    ``dependence`` (rows, attributes, attributes) is symmetric; its diagonal stays untouched.
    """
    for p in range(tasks.shape[0]):
        i, j, begin, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2] // n_classes, tasks[p, 3]
        for row in range(codes.shape[1]):
            value = cells[np.uint64(begin + np.int64(codes[i, row]) * slots + codes[j, row])]
            dependence[row, i, j] = value
            dependence[row, j, i] = value
