"""The factor P(x_i | parents, y) of a family, with back-off where a parent is missing or never seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seminaive.counts.family import DenseFamily, Family
from seminaive.counts.tables import CountTables
from seminaive.learn.smoothing import Levels, Smoothing, m_estimate, safe_log, shrunk

__all__ = [
    "counts_by_slot",
    "log_attribute_factors",
    "log_factor",
    "log_factor_table",
]


def log_factor(family: Family, configurations: np.ndarray, smoothing: Smoothing | Levels) -> np.ndarray:
    """Log P(child | parents, y) of value combinations.

    Parents come strongest first. Those that are not observed are left out; then the weakest are dropped one
    by one until the remaining combination occurs in training, in any class, with the child observed.
    Smoothed level by level, parents count up to the first that is not observed, and a combination without
    rows changes nothing.

    Parameters
    ----------
    family : Family
        Members: parents, then the child.
    configurations : ndarray of shape (n_members, m)
        Codes; the code n_values means "not observed".
    smoothing : Smoothing or Levels

    Returns
    -------
    ndarray of float64, shape (m, K)
        Zero where the child is not observed.
    """
    if isinstance(smoothing, Levels):
        return _log_of_levels(family, configurations, smoothing)
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


def _log_of_levels(family: Family, configurations: np.ndarray, levels: Levels) -> np.ndarray:
    n_values = family.n_values
    child = len(n_values) - 1
    of_child, of_class, *of_parents = levels.concentrations
    rows = np.flatnonzero(configurations[child] < n_values[child])
    count, total = _looked_up(family, configurations[:, rows], 0)
    alone = count.sum(axis=1, keepdims=True), total.sum(axis=1, keepdims=True)
    p = shrunk(count, total, m_estimate(*alone, n_values[child], of_child), of_class)
    result = np.ones((configurations.shape[1], p.shape[1]))
    result[rows] = p
    for parent, concentration in enumerate(of_parents):
        observed = configurations[parent, rows] < n_values[parent]
        rows, p = rows[observed], p[observed]
        result[rows] = p = shrunk(*_looked_up(family, configurations[:, rows], parent + 1), p, concentration)
    return safe_log(result)


def _looked_up(family: Family, cells: np.ndarray, n_parents: int) -> tuple[np.ndarray, np.ndarray]:
    """Counts of the child beside the first parents, and of these alone, shapes (m, K)."""
    kept, child = tuple(range(n_parents)), len(cells) - 1
    return family.lookup((*kept, child), cells[[*kept, child]]), family.lookup(kept, cells[:n_parents])


def log_factor_table(
    family: DenseFamily, smoothing: Smoothing | Levels, width: int | None = None
) -> np.ndarray:
    """`log_factor` of every combination, shape (slots of each member..., K).

    ``width`` asks for cells of that many entries, padded with zeros.
    """
    from seminaive.kernels.factors import factor_table

    n_values, n_classes = family.n_values, family.counts.shape[-1]
    slots = np.array(n_values) + 1
    if isinstance(smoothing, Levels):
        table = np.ones((*slots, width or n_classes))
        table[..., :-1, :n_classes] = _table_of_levels(family, smoothing)
        return np.log(table, out=table)
    table = np.zeros((*slots, width or n_classes))
    table[..., :-1, :n_classes] = family.counts
    cells = table.reshape(-1, table.shape[-1])
    factor_table(cells, slots, n_classes, float(smoothing.strength), smoothing.divides)
    with np.errstate(divide="ignore"):
        return np.log(table, out=table)


def _table_of_levels(family: DenseFamily, levels: Levels) -> np.ndarray:
    """P(child | parents, y) of every combination with the child observed, of the shape of the counts."""
    of_child, of_class, *of_parents = levels.concentrations
    counts = [family.counts]  # beside all parents, one less, ..., none
    for _ in of_parents:
        counts.append(counts[-1].sum(axis=-3))
    count = counts.pop()
    alone = m_estimate(count.sum(axis=1, keepdims=True), count.sum(), family.n_values[-1], of_child)
    p = shrunk(count, count.sum(axis=0), alone, of_class)
    for parent, concentration in enumerate(of_parents):
        count, base = counts.pop(), p[..., None, :, :]
        p = shrunk(count, count.sum(axis=-2, keepdims=True), base, concentration)
        for earlier in range(parent + 1):  # the first that is not observed ends the chain
            lacking = (slice(None),) * earlier + (-1,)
            p[lacking] = np.broadcast_to(base, p.shape)[lacking]
    return p


def log_attribute_factors(tables: CountTables, smoothing: Smoothing | Sequence[Levels]) -> np.ndarray:
    """Log P(x_i | y) of all attributes, shape (slots of all attributes, K); 0 where not observed.

    ``smoothing`` may hold the levels of each attribute.
    """
    counts, totals, sizes = counts_by_slot(tables)
    if isinstance(smoothing, Smoothing):
        logs = safe_log(smoothing(counts, totals, sizes))
    else:
        firsts = np.array([levels.concentrations[:2] for levels in smoothing]).reshape(-1, 2)
        of_child, of_class = np.repeat(firsts, np.diff(tables.first_slot), axis=0).T[..., None]
        alone = m_estimate(
            counts.sum(axis=1, keepdims=True), totals.sum(axis=1, keepdims=True), sizes, of_child
        )
        logs = safe_log(shrunk(counts, totals, alone, of_class))
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
