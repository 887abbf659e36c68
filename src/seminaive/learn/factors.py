"""The factor P(x_i | parents, y) of a family, with back-off where a parent is missing or never seen."""

from __future__ import annotations

import numpy as np

from seminaive.counts.family import DenseFamily, Family
from seminaive.counts.tables import CountTables
from seminaive.learn.smoothing import Smoothing, safe_log

__all__ = [
    "counts_by_slot",
    "log_attribute_factors",
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


def log_factor_table(family: DenseFamily, smoothing: Smoothing, width: int | None = None) -> np.ndarray:
    """`log_factor` of every combination, shape (slots of each member..., K).

    ``width`` asks for cells of that many entries, padded with zeros.
    """
    from seminaive.kernels.factors import factor_table

    n_values, n_classes = family.n_values, family.counts.shape[-1]
    slots = np.array(n_values) + 1
    table = np.zeros((*slots, width or n_classes))
    table[..., :-1, :n_classes] = family.counts
    cells = table.reshape(-1, table.shape[-1])
    factor_table(cells, slots, n_classes, float(smoothing.strength), smoothing.divides)
    with np.errstate(divide="ignore"):
        return np.log(table, out=table)


def log_attribute_factors(tables: CountTables, smoothing: Smoothing) -> np.ndarray:
    """Log P(x_i | y) of all attributes, shape (slots of all attributes, K); 0 where not observed."""
    counts, totals, sizes = counts_by_slot(tables)
    logs = safe_log(smoothing(counts, totals, sizes))
    logs[tables.first_slot[1:] - 1] = 0
    return logs


def counts_by_slot(tables: CountTables) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts N(x_i, y) of all slots, 0 where not observed, N(y) over the rows with X_i, and v_i.

    Shapes (slots of all attributes, K), the same, and (slots of all attributes, 1).
    """
    slots = np.diff(tables.first_slot)
    counts = tables.attribute_counts.astype(np.float64)
    counts[tables.first_slot[1:] - 1] = 0
    totals = np.repeat(np.add.reduceat(counts, tables.first_slot[:-1]), slots, axis=0)
    return counts, totals, np.repeat(tables.n_values, slots)[:, None]
