"""Mutual information of pairs of attributes given the class, from pair tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel

_CHUNK = 2**15  # counts whose logarithms are taken at a time; they stay in the cache


def conditional_mutual_information(
    table: Any, tasks: Any, n_values: Any, n_classes: int, result: Any, ascending: bool = False
) -> None:
    """I(X_i; X_j | Y) in bits from raw counts, symmetric, into ``result`` (attributes, attributes).

    ``table`` flat, each pair as [slot of i][slot of j][class]; ``tasks`` (pairs, 4): i, j, where the
    table begins, slots of j. Only rows in which both are observed take part: the last slots are left out.
    ``ascending`` adds the terms of a pair in that order, so that the order of values makes no difference.
    """
    scale = 1.0
    if table.dtype.kind == "f":  # products of odd weights would leave the range of numbers
        largest = max(table.max(initial=0.0), np.finfo(float).tiny)
        scale = float(np.ldexp(1.0, -np.frexp(largest)[1]))
    for part in np.split(tasks, np.flatnonzero(np.diff(tasks[:, 2] // _CHUNK)) + 1):
        if len(part):
            i, j, begins, slots = part.T
            counts = table[begins[0] : begins[-1] + (n_values[i[-1]] + 1) * slots[-1] * n_classes]
            terms, rows = np.ones(len(counts)), np.zeros(len(part))
            _fill_lifts(counts, part, n_values, n_classes, scale, terms, rows)
            np.log2(terms, out=terms)  # faster than a logarithm at a time in the kernel
            terms *= counts
            if ascending:
                for of_pair in np.split(terms, begins[1:] - begins[0]):
                    of_pair.sort()
            information = np.add.reduceat(terms, begins - begins[0]) * scale / np.where(rows > 0, rows, 1.0)
            result[i, j] = result[j, i] = information


@kernel
def _fill_lifts(
    table: Any, tasks: Any, n_values: Any, n_classes: int, scale: float, lifts: Any, rows: Any
) -> None:
    """P(x_i, x_j | y) / (P(x_i | y) P(x_j | y)) where it occurs, 1 where it does not.

    ``lifts`` is laid out as ``table``, from the first of ``tasks`` on; slots "not observed" stay untouched.
    ``rows`` (pairs,) receives the rows in which both are observed, times ``scale``, a power of 2 that makes
    counts small enough to be multiplied.
    """
    for p in range(tasks.shape[0]):
        i, j, offset, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2] - tasks[0, 2], tasks[p, 3]
        first = np.zeros((n_values[i], n_classes))
        second = np.zeros((n_values[j], n_classes))
        total = np.zeros(n_classes)
        for u in range(n_values[i]):
            of_first = first[u]
            for w in range(n_values[j]):
                cell = offset + (u * slots + w) * n_classes
                of_second, counts = second[w], table[cell : cell + n_classes]
                for y in range(n_classes):
                    of_first[y] += counts[y] * scale
                    of_second[y] += counts[y] * scale
            for y in range(n_classes):
                total[y] += of_first[y]
                rows[p] += of_first[y]
        for u in range(n_values[i]):
            of_first = first[u]
            for w in range(n_values[j]):
                cell = offset + (u * slots + w) * n_classes
                of_second, counts = second[w], table[cell : cell + n_classes]
                to = lifts[cell : cell + n_classes]
                for y in range(n_classes):
                    count, expected = counts[y] * scale, of_first[y] * of_second[y]
                    # exactly 1 for independent counts; what is too small to be multiplied tells nothing
                    to[y] = count * total[y] / expected if count > 0 and expected > 0 else 1.0
