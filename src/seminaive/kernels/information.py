"""Mutual information of pairs of attributes given the class, from pair tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel


@kernel
def conditional_mutual_information(
    table: Any, tasks: Any, n_values: Any, n_classes: int, result: Any
) -> None:
    """I(X_i; X_j | Y) in bits from raw counts, symmetric, into ``result`` (attributes, attributes).

    ``table`` flat, each pair as [slot of i][slot of j][class]; ``tasks`` (pairs, 4): i, j, where the
    table begins, slots of j. Only rows in which both are observed take part: the last slots are left out.
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
        information = 0.0
        if rows > 0:
            for u in range(n_values[i]):
                for w in range(n_values[j]):
                    cell = offset + (u * slots + w) * n_classes
                    for y in range(n_classes):
                        count = float(table[cell + y])
                        if count > 0:
                            expected = first[u, y] * second[w, y]
                            if 1e-200 < expected < 1e200:
                                ratio = count * total[y] / expected  # exactly 1 for independent counts
                            else:  # weights whose product leaves the range of numbers
                                ratio = (count / first[u, y]) / (second[w, y] / total[y])
                            information += count * math.log2(ratio)
            information /= rows
        result[i, j] = information
        result[j, i] = information
