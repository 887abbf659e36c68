"""Rows that a classifier is judged by while it leaves each of them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from seminaive.learn.smoothing import Smoothing, safe_log

__all__ = ["TrainingRows", "log_priors_left_out"]


@dataclass
class TrainingRows:
    """Coded training rows.

    Attributes
    ----------
    codes : ndarray of shape (n_attributes, n_rows), unsigned
    labels : ndarray of shape (n_rows,)
        Class codes.
    weights : ndarray of shape (n_rows,) or None
        None counts each row once.
    copies : ndarray of shape (n_rows,) or None
        How many copies a row stands for: its sample weight, 1 at the least. None is one each.
    """

    codes: np.ndarray
    labels: np.ndarray
    weights: np.ndarray | None = None
    copies: np.ndarray | None = None

    def __getitem__(self, some: slice) -> TrainingRows:
        """Some of the rows."""
        weights, copies = (None if part is None else part[some] for part in (self.weights, self.copies))
        return TrainingRows(self.codes[:, some], self.labels[some], weights, copies)

    @property
    def n_rows(self) -> int:
        """Rows, weights left out of account."""
        return int(self.codes.shape[1])

    @property
    def all_weights(self) -> np.ndarray:
        """Weight of every row, shape (n_rows,)."""
        return np.ones(self.n_rows) if self.weights is None else self.weights

    @property
    def left_out(self) -> np.ndarray:
        """What the counts lose when a row is left out: the weight of one copy, shape (n_rows,)."""
        return self.all_weights if self.copies is None else self.all_weights / self.copies


def log_priors_left_out(
    rows: TrainingRows, class_counts: np.ndarray, class_prior: Any, smoothing: Smoothing
) -> np.ndarray:
    """Log class prior for each row, as the other rows give it.

    Parameters
    ----------
    rows : TrainingRows
    class_counts : ndarray of shape (K,)
    class_prior : None, "empirical" or array-like of shape (K,)
        As in the classifiers; an array is the same for all rows.
    smoothing : Smoothing

    Returns
    -------
    ndarray of shape (n_rows, K)
    """
    counts = np.tile(class_counts.astype(np.float64), (rows.n_rows, 1))
    own = (np.arange(rows.n_rows), rows.labels)
    counts[own] = np.maximum(counts[own] - rows.left_out, 0.0)
    totals = counts.sum(axis=1, keepdims=True)
    if class_prior is None:
        return safe_log(smoothing(counts, totals, counts.shape[1]))
    if isinstance(class_prior, str):
        return safe_log(Smoothing("m-estimate", 0)(counts, totals, counts.shape[1]))
    prior = np.asarray(class_prior, dtype=np.float64)
    return np.broadcast_to(safe_log(prior / prior.sum()), counts.shape)
