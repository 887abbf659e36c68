"""The factor P(x_i | parents, y) of a family, with back-off where a parent is missing or never seen."""

from __future__ import annotations

import itertools

import numpy as np

from seminaive.counts.family import DenseFamily, Family
from seminaive.counts.tables import CountTables
from seminaive.learn.smoothing import Smoothing, safe_log

__all__ = [
    "counts_by_slot",
    "log_attribute_factors",
    "log_attribute_joints",
    "log_factor",
    "log_factor_table",
]


def log_factor(family: Family, configurations: np.ndarray, smoothing: Smoothing) -> np.ndarray:
    """Log P(child | parents, y) of value combinations.

    Parents come strongest first. Those that are not observed are left out; then the weakest are dropped one
    by one until the remaining combination occurs in training, in any class, with the child observed.

    Parameters
    ----------
    family : Family
        Members: parents, then the child.
    configurations : ndarray of shape (n_members, m)
        Codes; the code n_values means "not observed".
    smoothing : Smoothing

    Returns
    -------
    ndarray of float64, shape (m, K)
        Zero where the child is not observed.
    """
    n_values = family.n_values
    child = len(n_values) - 1
    n_classes = family.lookup((), configurations[:0, :1]).shape[1]
    result = np.zeros((configurations.shape[1], n_classes))
    known = configurations < np.array(n_values)[:, None]
    patterns, pattern_of = np.unique(known[:child], axis=1, return_inverse=True)
    for index, pattern in enumerate(patterns.T):
        # rows in which exactly these parents are observed
        kept = np.flatnonzero(pattern).tolist()
        rows = np.flatnonzero(known[child] & (pattern_of.ravel() == index))
        while len(rows):
            total = family.lookup(tuple(kept), configurations[kept][:, rows])
            seen = total.sum(axis=1) > 0 if kept else np.ones(len(rows), dtype=bool)
            count = family.lookup((*kept, child), configurations[[*kept, child]][:, rows[seen]])
            result[rows[seen]] = safe_log(smoothing(count, total[seen], n_values[child]))
            rows = rows[~seen]
            kept = kept[:-1]
    return result


def log_factor_table(family: DenseFamily, smoothing: Smoothing) -> np.ndarray:
    """`log_factor` of every combination, shape (slots of each member..., K).

    The same rule on whole tables, one for every set of observed parents.
    """
    n_values = family.n_values
    child = len(n_values) - 1
    n_classes = family.counts.shape[-1]
    table = np.zeros((*(v + 1 for v in n_values), n_classes))
    known: dict[tuple[int, ...], np.ndarray] = {}
    for size in range(child + 1):
        for kept in itertools.combinations(range(child), size):
            dropped = tuple(p for p in range(child) if p not in kept)
            counts = family.counts.sum(axis=dropped)[tuple(slice(n_values[p]) for p in kept)]
            totals = counts.sum(axis=-2, keepdims=True)
            logs = safe_log(smoothing(counts, totals, n_values[child]))
            if kept:
                never_seen = totals.sum(axis=-1, keepdims=True) == 0
                logs = np.where(never_seen, np.expand_dims(known[kept[:-1]], size - 1), logs)
            known[kept] = logs
            cells = [slice(n_values[p]) if p in kept else n_values[p] for p in range(child)]
            table[(*cells, slice(n_values[child]))] = logs
    return table


def log_attribute_factors(tables: CountTables, smoothing: Smoothing) -> np.ndarray:
    """Log P(x_i | y) of all attributes, shape (slots of all attributes, K); 0 where not observed."""
    counts, totals, sizes = counts_by_slot(tables)
    return _observed_logs(tables, smoothing(counts, totals, sizes))


def log_attribute_joints(tables: CountTables, smoothing: Smoothing) -> np.ndarray:
    """Log P(x_i, y) of all attributes, shape (slots of all attributes, K); 0 where not observed."""
    counts, totals, sizes = counts_by_slot(tables)
    return _observed_logs(
        tables, smoothing(counts, totals.sum(axis=1, keepdims=True), sizes * tables.n_classes)
    )


def counts_by_slot(tables: CountTables) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts N(x_i, y) of all slots, 0 where not observed, N(y) over the rows with X_i, and v_i.

    Shapes (slots of all attributes, K), the same, and (slots of all attributes, 1).
    """
    slots = np.diff(tables.first_slot)
    counts = tables.attribute_counts.astype(np.float64)
    counts[tables.first_slot[1:] - 1] = 0
    totals = np.repeat(np.add.reduceat(counts, tables.first_slot[:-1]), slots, axis=0)
    return counts, totals, np.repeat(tables.n_values, slots)[:, None]


def _observed_logs(tables: CountTables, probability: np.ndarray) -> np.ndarray:
    logs = safe_log(probability)
    logs[tables.first_slot[1:] - 1] = 0
    return logs
