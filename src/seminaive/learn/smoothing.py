"""From counts to probabilities, in one place for the whole package."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

__all__ = ["Smoothing", "frequency", "frequency_ratio", "laplace", "m_estimate", "safe_log"]


def m_estimate(count: Any, total: Any, n_values: Any, strength: float = 1.0) -> np.ndarray:
    """(count + m/v) / (total + m): m imaginary rows, spread evenly over v values.

    Parameters
    ----------
    count, total : array-like of float
        Rows with the value, rows in all; the shape of the result is that of ``count``.
    n_values : int or array-like of int
        v, the number of values (or cells) among which the mass is spread.
    strength : float, default=1.0
        m. With 0, a total of 0 gives 1/v.

    Returns
    -------
    ndarray of float64

    Examples
    --------
    >>> m_estimate([0, 3], 3, 2).tolist()
    [0.125, 0.875]
    """
    return _smooth(count, total, n_values, strength / np.maximum(n_values, 1))


def laplace(count: Any, total: Any, n_values: Any, strength: float = 1.0) -> np.ndarray:
    """(count + s) / (total + s v): s imaginary rows of every value.

    Parameters are those of `m_estimate`, ``strength`` being s.

    Examples
    --------
    >>> laplace([0, 3], 3, 2).tolist()
    [0.2, 0.8]
    """
    return _smooth(count, total, n_values, strength)


def _smooth(count: Any, total: Any, n_values: Any, pseudo_count: Any) -> np.ndarray:
    count = np.asarray(count, dtype=np.float64)
    mass = np.broadcast_to(np.asarray(total, dtype=np.float64) + pseudo_count * n_values, count.shape)
    uniform = np.empty(count.shape)
    uniform[...] = 1.0 / np.maximum(n_values, 1)
    return np.divide(count + pseudo_count, mass, out=uniform, where=mass > 0)


@dataclass(frozen=True)
class Smoothing:
    """A smoothing rule with its strength.

    Parameters
    ----------
    method : {"m-estimate", "laplace"}
    strength : float

    Raises
    ------
    ValueError
        For another method, or a strength that is negative or not finite.
    """

    method: str = "m-estimate"
    strength: float = 1.0

    def __post_init__(self) -> None:
        if self.method not in ("m-estimate", "laplace"):
            raise ValueError(f"smoothing={self.method!r} is not understood. Use 'm-estimate' or 'laplace'.")
        strength = self.strength
        if not isinstance(strength, Real) or isinstance(strength, bool) or not 0 <= strength < math.inf:
            raise ValueError(f"smoothing_strength must be a finite number >= 0, got {strength!r}.")

    @property
    def divides(self) -> bool:
        """Whether the strength is spread over the cells rather than given to each."""
        return self.method == "m-estimate"

    def __call__(self, count: Any, total: Any, n_values: Any) -> np.ndarray:
        """Smoothed probability, see `m_estimate` and `laplace`."""
        rule = m_estimate if self.divides else laplace
        return rule(count, total, n_values, self.strength)


def frequency(counts: np.ndarray) -> np.ndarray:
    """Counts (m, K) as shares of their row, zeros where there are none."""
    return frequency_ratio(counts, counts.sum(axis=1, keepdims=True))


def frequency_ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(np.broadcast_shapes(part.shape, whole.shape)), where=whole > 0)


def safe_log(probability: np.ndarray) -> np.ndarray:
    """Natural logarithm with log 0 = -inf and no warning."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(probability))
