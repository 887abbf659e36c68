"""From log joints to posteriors, in one place for the whole package."""

from __future__ import annotations

import numpy as np

from seminaive.exceptions import ImpossibleEvidenceWarning, warn_user

__all__ = ["log_mean_posterior", "log_normalized"]


def log_normalized(joint: np.ndarray, log_prior: np.ndarray, *, warn: bool = True) -> np.ndarray:
    """Log posteriors from log joints; the prior where every class is impossible.

    Parameters
    ----------
    joint : ndarray of shape (n_rows, K)
        log P(x, y).
    log_prior : ndarray of shape (K,) or (n_rows, K)
    warn : bool, default=True
        Whether rows for which every class is impossible bring an `ImpossibleEvidenceWarning`.

    Returns
    -------
    ndarray of shape (n_rows, K)
    """
    largest = joint.max(axis=1, keepdims=True)
    impossible = np.isneginf(largest[:, 0])
    if impossible.any():
        if warn:
            warn_user(
                f"Every class has probability zero in {impossible.sum()} rows, which get the class prior. "
                "smoothing_strength > 0 avoids this.",
                ImpossibleEvidenceWarning,
            )
        joint = np.where(impossible[:, None], log_prior, joint)
        largest = joint.max(axis=1, keepdims=True)
    shifted = joint - largest
    shifted -= np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return shifted


def log_mean_posterior(first: np.ndarray, second: np.ndarray, log_prior: np.ndarray) -> np.ndarray:
    """Logarithm of the mean of two posteriors, given their log joints (n_rows, K).

    A member for which every class of a row is impossible gives the prior; -inf where both are such members.
    """
    posteriors = [log_normalized(joint, log_prior, warn=False) for joint in (first, second)]
    mean: np.ndarray = np.logaddexp(*posteriors) - np.log(2)
    mean[np.isneginf(first).all(axis=1) & np.isneginf(second).all(axis=1)] = -np.inf
    return mean
