"""Entropy and mutual information in bits, from raw counts: 0 log 0 = 0, nothing is smoothed."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.counts.family import SparseFamily
from seminaive.counts.tables import CountTables

__all__ = [
    "conditional_mutual_information",
    "entropy",
    "family_information",
    "lift",
    "mutual_information",
    "mutual_information_bias",
    "rankable",
    "without_noise",
]


def entropy(counts: np.ndarray) -> float:
    """Entropy of a distribution given by its counts.

    Examples
    --------
    >>> entropy(np.array([1, 1, 2]))
    1.5
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum()
    share = counts[counts > 0] / total if total > 0 else counts[:0]
    return float(-(share * np.log2(share)).sum())


def mutual_information(tables: CountTables) -> np.ndarray:
    """I(X_i; Y) of every attribute with the class, over the rows in which the attribute is observed.

    Returns
    -------
    ndarray of float64, shape (n_attributes,), bits
    """
    return np.array(
        [_information(tables.attribute(i)[:-1]) for i in range(len(tables.schema))], dtype=np.float64
    )


def mutual_information_bias(tables: CountTables) -> np.ndarray:
    """By how much, to first order, I(X_i; Y) of counts is too large if the rows are a sample (Miller 1955).

    Returns
    -------
    ndarray of float64, shape (n_attributes,), nats
    """
    total = max(float(tables.class_counts.sum()), 1.0)
    counts = [tables.attribute(i)[:-1] for i in range(len(tables.schema))]
    seen = np.array([np.count_nonzero(of.any(axis=1)) for of in counts])
    bias: np.ndarray = (
        np.maximum(seen - 1, 0) * max(np.count_nonzero(tables.class_counts) - 1, 0) / (2 * total)
    )
    return bias


def _information(joint: np.ndarray) -> float:
    joint = joint.astype(np.float64)
    total = joint.sum()
    if total == 0:
        return 0.0
    present = joint > 0
    values = np.broadcast_to(joint.sum(axis=1, keepdims=True), joint.shape)[present]
    classes = np.broadcast_to(joint.sum(axis=0, keepdims=True), joint.shape)[present]
    terms = joint[present] * np.log2(lift(joint[present], total, values, classes))
    return float(np.sort(terms).sum() / total)  # whatever the order of values


def lift(count: np.ndarray, total: Any, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """count x total / (first x second), also where such products leave the range of numbers."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        expected = first * second
        exact = count * total / expected  # exactly 1 for independent counts
    usual = (expected > 1e-200) & (expected < 1e200)
    return np.where(usual, exact, (count / first) / (second / total))


def conditional_mutual_information(tables: CountTables, *, ascending: bool = False) -> np.ndarray:
    """I(X_i; X_j | Y) of every pair of attributes, over the rows in which both are observed.

    ``ascending`` adds terms in that order, so that the order of values makes no difference in the last bit.

    Returns
    -------
    ndarray of float64, shape (n_attributes, n_attributes), bits
        Symmetric, zero on the diagonal.
    """
    n = len(tables.schema)
    result = np.zeros((n, n))
    if tables.pair_counts is not None:
        from seminaive.kernels.information import conditional_mutual_information as kernel

        kernel(tables.pair_counts, tables.pair_tasks, tables.n_values, tables.n_classes, result, ascending)
        return result
    for i, j, _, _ in tables.pair_tasks:
        result[i, j] = result[j, i] = _sparse_information(tables, int(i), int(j))
    return result


def _sparse_information(tables: CountTables, i: int, j: int) -> float:
    family = tables.families[i, j]
    return _information_of_cells(family.n_values, family.cells, family.counts)  # type: ignore[attr-defined]


def family_information(tables: CountTables, child: int, parent: int) -> float:
    """I(X_i; X_p | Y) of two attributes in bits, from the table of a family that holds both.

    Parameters
    ----------
    tables : CountTables
    child, parent : int
    """
    try:
        members = parent, child
        family = tables.family(members)
    except KeyError:
        members = next(f for f in tables.families if f[-1] == child and parent in f)  # type: ignore[assignment]
        family = tables.families[members]
    pair = [members.index(parent), len(members) - 1]
    if isinstance(family, SparseFamily):
        cells, counts = family.cells[pair], family.counts
    else:
        table = family.counts.sum(axis=tuple(m for m in range(len(members)) if m not in pair))
        cells = np.array(np.nonzero(table.any(axis=2)))
        counts = table[tuple(cells)]
    # cells that differ in further parents only are one
    distinct, cell_of = np.unique(cells, axis=1, return_inverse=True)
    summed = np.zeros((distinct.shape[1], counts.shape[1]))
    np.add.at(summed, cell_of.ravel(), counts)
    return _information_of_cells((family.n_values[pair[0]], family.n_values[-1]), distinct, summed)


def _information_of_cells(n_values: tuple[int, ...], cells: np.ndarray, counts: np.ndarray) -> float:
    both = (cells[0] < n_values[0]) & (cells[1] < n_values[1])
    (first, second), counts = cells[:, both], counts[both].astype(np.float64)
    first_counts = np.zeros((n_values[0], counts.shape[1]))
    second_counts = np.zeros((n_values[1], counts.shape[1]))
    np.add.at(first_counts, first, counts)
    np.add.at(second_counts, second, counts)
    total = counts.sum(axis=0)
    if total.sum() == 0:
        return 0.0
    present = counts > 0
    classes = np.broadcast_to(total, counts.shape)[present]
    ratio = lift(counts[present], classes, first_counts[first][present], second_counts[second][present])
    return float(np.sort(counts[present] * np.log2(ratio)).sum() / total.sum())


def without_noise(values: np.ndarray) -> np.ndarray:
    """Values of the size of bits, with 0 for what is no larger than rounding leaves (1e-12)."""
    return np.where(np.abs(values) < 1e-12, 0.0, values)


def rankable(scores: np.ndarray) -> np.ndarray:
    """Scores rounded to float32, and to 0 below 1e-12, so that ties survive another order of summation."""
    return without_noise(scores).astype(np.float32)
