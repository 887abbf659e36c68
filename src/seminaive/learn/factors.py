"""The factor P(x_i | parents, y) of a family, with back-off where a parent is missing or never seen."""

from __future__ import annotations

import itertools
import math

import numpy as np

from seminaive.counts.family import DenseFamily, Family
from seminaive.learn.smoothing import Smoothing, safe_log

__all__ = ["log_factor", "log_factor_table"]


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
    for pattern in itertools.product((True, False), repeat=child):
        # rows in which exactly these parents are observed
        kept = [p for p in range(child) if pattern[p]]
        rows = np.flatnonzero(
            known[child] & (known[:child] == np.array(pattern, dtype=bool)[:, None]).all(axis=0)
        )
        while len(rows):
            total = family.lookup(tuple(kept), configurations[kept][:, rows])
            seen = total.sum(axis=1) > 0 if kept else np.ones(len(rows), dtype=bool)
            count = family.lookup((*kept, child), configurations[[*kept, child]][:, rows[seen]])
            result[rows[seen]] = safe_log(smoothing(count, total[seen], n_values[child]))
            rows = rows[~seen]
            kept = kept[:-1]
    return result


def log_factor_table(family: DenseFamily, smoothing: Smoothing) -> np.ndarray:
    """`log_factor` of every combination, shape (slots of each member..., K)."""
    shape = tuple(v + 1 for v in family.n_values)
    configurations = np.indices(shape).reshape(len(shape), math.prod(shape))
    return log_factor(family, configurations, smoothing).reshape(*shape, -1)
