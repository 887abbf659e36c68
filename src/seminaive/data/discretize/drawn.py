"""Cuts that are partly found by their information and partly drawn, for networks that shall differ."""

from __future__ import annotations

import numpy as np

from seminaive.data.discretize.mdlp import MDLPDiscretizer

__all__ = ["draw_cuts"]

FEWEST, MOST = 2, 7  # cuts that are drawn


def draw_cuts(
    ranks: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray | None,
    n_classes: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Cuts of one numeric column: those of Fayyad and Irani, and some at random quantiles.

    Their number is 2 to 7. Each lies at a uniform quantile of one of as many equal parts of the range, below
    the value that has this rank among all values or, as often, among the distinct values; the latter reaches
    beyond values that are very frequent.

    Parameters
    ----------
    ranks : ndarray of unsigned integers, shape (n_rows,)
        Of the observed values of these rows among the distinct values of all rows.
    labels : ndarray of shape (n_rows,)
        Class codes.
    weights : ndarray of shape (n_rows,) or None
    n_classes : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of int64
        Rising; cut c is that between the distinct values of ranks c and c + 1. Where ranks between two
        values do not occur in these rows, the middle one.

    Examples
    --------
    >>> import numpy as np
    >>> ranks, labels = np.arange(100, dtype=np.uint16), np.repeat([0, 1], 50)
    >>> 49 in draw_cuts(ranks, labels, None, 2, np.random.default_rng(0))
    True
    """
    number = int(rng.integers(FEWEST, MOST + 1))
    quantiles = (np.arange(number) + rng.random(number)) / number
    of_distinct = rng.random(number) < 0.5
    if len(ranks) == 0:
        return np.empty(0, dtype=np.int64)
    mass = np.bincount(ranks, weights)
    distinct = np.flatnonzero(mass)
    reached = np.cumsum(mass[distinct])
    position = np.minimum(np.searchsorted(reached, quantiles * reached[-1], side="right"), len(distinct) - 1)
    position = np.where(of_distinct, (quantiles * len(distinct)).astype(np.int64), position)
    position = position[position > 0]  # nothing lies below the smallest value
    drawn = (distinct[position] + distinct[position - 1]) // 2
    found = MDLPDiscretizer().cut_points(ranks, labels, weights, n_classes)
    return np.union1d(drawn, np.floor(found).astype(np.int64))
