"""Counts of one child beside its first 0, 1, ... parents, as far as training rows ask for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.learn.leave_one_out import TrainingRows

__all__ = ["contexts_of"]

_PLACES_PER_ROW = 8  # above, distinct combinations are found by sorting


def contexts_of(
    rows: TrainingRows, n_values: np.ndarray, n_classes: int, child: int, parents: list[int]
) -> Any:
    """Contexts of ``child``, one level for each number of parents.

    Parents that a row lacks are dropped from its list; counts look at all rows in which the child and the
    parents in use are observed, as in `seminaive.learn.factors.log_factor`.

    Parameters
    ----------
    rows : TrainingRows
    n_values : ndarray of shape (n_attributes,)
    n_classes : int
    child : int
    parents : list of int
        Strongest first.

    Returns
    -------
    Contexts
        See `seminaive.kernels.selection`.
    """
    from seminaive.kernels.selection import Contexts

    codes, v = rows.codes, int(n_values[child])
    base = np.where(codes[child] < v, 0, -1).astype(np.int32)
    leaves = np.empty((len(parents) + 1, rows.n_rows), dtype=np.int32)
    tables = _Tables(rows, n_classes, codes[child], v)
    observed = np.array([(codes[p] < n_values[p]).all() for p in parents], dtype=bool)
    if observed.all():
        tables.add_levels(base, [(codes[p], int(n_values[p])) for p in parents], leaves)
        return Contexts(leaves, *tables.arrays())
    # rows that lack the same parents share contexts
    known = np.array([codes[p] < n_values[p] for p in parents])
    patterns, pattern_of = np.unique(known, axis=1, return_inverse=True)
    for index, pattern in enumerate(patterns.T):
        some = np.flatnonzero(pattern_of.ravel() == index)
        kept = [p for p, is_known in zip(parents, pattern, strict=True) if is_known]
        found = np.empty((len(kept) + 1, rows.n_rows), dtype=np.int32)
        tables.add_levels(base, [(codes[p], int(n_values[p])) for p in kept], found)
        levels = np.concatenate([[0], np.cumsum(pattern)])
        leaves[:, some] = found[:, some][levels]
    return Contexts(leaves, *tables.arrays())


class _Tables:
    """Counts of the contexts of several levels, one below the other."""

    def __init__(self, rows: TrainingRows, n_classes: int, column: np.ndarray, n_values: int) -> None:
        self._weights, self._labels = rows.all_weights, rows.labels
        self._n_classes, self._child = n_classes, (column, n_values)
        self._levels: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._n_leaves = self._n_contexts = 0

    def add_levels(
        self, context: np.ndarray, parents: list[tuple[np.ndarray, int]], leaves: np.ndarray
    ) -> None:
        """Count the child without parents and with each further one; ``leaves`` (levels, rows) says where."""
        from seminaive.kernels.selection import count_level

        n_contexts = 1
        for level, found in enumerate(leaves):
            if level > 0:
                finer = np.empty_like(context)
                n_contexts = _refine(context, n_contexts, parents[level - 1], 0, finer)
                context = finer
            n_leaves = _refine(context, n_contexts, self._child, self._n_leaves, found)
            tables = (
                np.zeros((n_leaves, self._n_classes)),
                np.zeros((n_contexts, self._n_classes)),
                np.zeros(n_leaves, dtype=np.int32),
            )
            count_level(context, found, self._n_leaves, self._n_contexts, self._labels, self._weights, tables)
            self._levels.append(tables)
            self._n_leaves += n_leaves
            self._n_contexts += n_contexts

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Counts, totals in each class and in all, and the context of each leaf."""
        counts, totals, context_of = (np.concatenate(parts) for parts in zip(*self._levels, strict=True))
        return counts, totals, totals.sum(axis=1), context_of


def _refine(
    groups: np.ndarray, n_groups: int, attribute: tuple[np.ndarray, int], first: int, refined: np.ndarray
) -> int:
    """Number combinations of a group and a value from ``first`` on, -1 where either is missing; how many."""
    from seminaive.kernels.selection import refine

    column, n_values = attribute
    n_places = n_groups * n_values
    if n_places <= _PLACES_PER_ROW * len(groups) + 1024:
        places = np.full(n_places, -1, dtype=np.int32)
        return int(refine(groups, column, n_values, first, places, refined))
    known = (groups >= 0) & (column < n_values)
    refined[~known] = -1
    keys, found = np.unique(groups[known].astype(np.int64) * n_values + column[known], return_inverse=True)
    refined[known] = first + found
    return len(keys)
