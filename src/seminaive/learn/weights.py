"""Weights of log factors, by two convex problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import minimize

from seminaive.parallel import run_blocks

__all__ = ["class_weights", "shared_weights"]

_ROWS_AT_A_TIME = 512  # whatever the number of threads, so that sums do not depend on it
_SHARED, _PER_CLASS = 5.0, 20.0  # strengths of the penalties
_SHARED_STEPS, _PER_CLASS_STEPS = 60, 40

Loss = Callable[[np.ndarray, np.ndarray], tuple[float, np.ndarray, np.ndarray]]


def shared_weights(
    features: np.ndarray,
    labels: np.ndarray,
    row_weights: np.ndarray,
    log_prior: np.ndarray,
    n_jobs: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    r"""Non-negative weights of features and offsets of classes, by their likelihood.

    They minimise, with a common scale s >= 0 that is free,

    .. math:: -\sum_t \log P(y_t) + 5 \sum_f (w_f - s)^2 + 5 \sum_y b_y^2 + (s - 1)^2 / 2, \qquad
              P(y) \propto \exp\Big(\log P_0(y) + b_y + \sum_f w_f f(y)\Big)

    Parameters
    ----------
    features : ndarray of shape (n_rows, K, n)
    labels : ndarray of int64, shape (n_rows,)
    row_weights : ndarray of shape (n_rows,)
    log_prior : ndarray of shape (K,)
    n_jobs : int, default=None

    Returns
    -------
    weights : ndarray of shape (n,)
    offsets : ndarray of shape (K,)
    """
    loss = _loss(features, labels, row_weights, log_prior, n_jobs)
    n_features, n_classes = features.shape[2], features.shape[1]

    def objective(x: np.ndarray) -> tuple[float, np.ndarray]:
        weights, offsets, scale = x[:n_features], x[n_features:-1], x[-1]
        value, by_weight, by_offset = loss(np.tile(weights, (n_classes, 1)), offsets)
        apart = weights - scale
        value += _SHARED * (apart @ apart + offsets @ offsets) + (scale - 1) ** 2 / 2
        by_scale = scale - 1 - 2 * _SHARED * apart.sum()
        slope = [by_weight.sum(axis=0) + 2 * _SHARED * apart, by_offset + 2 * _SHARED * offsets, [by_scale]]
        return value, np.concatenate(slope)

    start = np.concatenate([np.ones(n_features), np.zeros(n_classes), [1.0]])
    bounds = [(0, None)] * n_features + [(None, None)] * n_classes + [(0, None)]
    x = _minimum(objective, start, bounds, _SHARED_STEPS)
    return x[:n_features], x[n_features:-1]


def class_weights(
    features: np.ndarray,
    labels: np.ndarray,
    row_weights: np.ndarray,
    log_prior: np.ndarray,
    shared: tuple[np.ndarray, np.ndarray],
    n_jobs: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    r"""Non-negative weights of features for every class, not far from those that all classes share.

    .. math:: -\sum_t \log P(y_t) + 20 \sum_{fy} (w_{fy} - w_f)^2 + 20 \sum_y b_y^2

    Parameters
    ----------
    features, labels, row_weights, log_prior, n_jobs
        As in `shared_weights`.
    shared : tuple of ndarray
        What that returned.

    Returns
    -------
    weights : ndarray of shape (K, n)
    offsets : ndarray of shape (K,)
    """
    loss = _loss(features, labels, row_weights, log_prior, n_jobs)
    n_classes, n_features = features.shape[1:]
    centre = np.tile(shared[0], (n_classes, 1))

    def objective(x: np.ndarray) -> tuple[float, np.ndarray]:
        weights, offsets = x[:-n_classes].reshape(n_classes, n_features), x[-n_classes:]
        value, by_weight, by_offset = loss(weights, offsets)
        apart = weights - centre
        value += _PER_CLASS * ((apart * apart).sum() + offsets @ offsets)
        slope = [(by_weight + 2 * _PER_CLASS * apart).ravel(), by_offset + 2 * _PER_CLASS * offsets]
        return value, np.concatenate(slope)

    bounds = [(0, None)] * centre.size + [(None, None)] * n_classes
    x = _minimum(objective, np.concatenate([centre.ravel(), shared[1]]), bounds, _PER_CLASS_STEPS)
    return x[:-n_classes].reshape(n_classes, n_features), x[-n_classes:]


def _minimum(objective: Any, start: np.ndarray, bounds: Any, steps: int) -> np.ndarray:
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": steps})
    x: np.ndarray = found.x
    return x


def _loss(
    features: np.ndarray,
    labels: np.ndarray,
    row_weights: np.ndarray,
    log_prior: np.ndarray,
    n_jobs: int | None,
) -> Loss:
    """A function of weights (K, n) and offsets (K,): the loss, and its gradients by both."""
    from seminaive.kernels.averaged_networks import softmax_loss

    n_rows, n_classes, n_features = features.shape
    starts = np.arange(0, n_rows, _ROWS_AT_A_TIME)

    def loss(weights: np.ndarray, offsets: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        values = np.zeros(len(starts))
        by_weight = np.zeros((len(starts), n_classes, n_features))
        by_offset = np.zeros((len(starts), n_classes))
        shifted = log_prior + offsets

        def some(part: np.ndarray) -> None:
            for block in part:
                rows = slice(starts[block], starts[block] + _ROWS_AT_A_TIME)
                values[block] = softmax_loss(
                    features[rows],
                    labels[rows],
                    row_weights[rows],
                    shifted,
                    weights,
                    by_weight[block],
                    by_offset[block],
                )

        run_blocks(some, np.arange(len(starts)), n_jobs, work=features.size)
        return float(values.sum()), by_weight.sum(axis=0), by_offset.sum(axis=0)

    return loss
