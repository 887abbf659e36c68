"""From counts to probabilities, in one place for the whole package."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

__all__ = [
    "Levels",
    "Smoothing",
    "frequency",
    "frequency_ratio",
    "laplace",
    "m_estimate",
    "safe_log",
    "shrunk",
]


def m_estimate(count: Any, total: Any, n_values: Any, strength: Any = 1.0) -> np.ndarray:
    """(count + m/v) / (total + m): m imaginary rows, spread evenly over v values.

    Parameters
    ----------
    count, total : array-like of float
        Rows with the value, rows in all; the shape of the result is that of ``count``.
    n_values : int or array-like of int
        v, the number of values (or cells) among which the mass is spread.
    strength : float or array-like of float, default=1.0
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


def shrunk(count: Any, total: Any, base: Any, concentration: Any) -> np.ndarray:
    """(count + c p) / (total + c): c imaginary rows, spread as another estimate p says.

    Parameters
    ----------
    count, total : array-like of float
        Rows with the value, rows in all.
    base : array-like of float
        p, which is the result where there are no rows.
    concentration : float or array-like of float
        c > 0.

    Returns
    -------
    ndarray of float64

    Examples
    --------
    >>> shrunk([0, 3], 3, [0.5, 0.5], 1.0).tolist()
    [0.125, 0.875]
    """
    result = np.asarray(count + concentration * np.asarray(base))
    result /= np.asarray(total + concentration)
    return result


def _smooth(count: Any, total: Any, n_values: Any, pseudo_count: Any) -> np.ndarray:
    count = np.asarray(count, dtype=np.float64)
    mass = np.broadcast_to(np.asarray(total, dtype=np.float64) + pseudo_count * n_values, count.shape)
    uniform = np.empty(count.shape)
    uniform[...] = 1.0 / np.maximum(n_values, 1)
    return np.divide(count + pseudo_count, mass, out=uniform, where=mass > 0)


ONE_NETWORK = "NaiveBayes, TAN and KDB"  # what has families that are smoothed level by level


@dataclass(frozen=True)
class Smoothing:
    """A smoothing rule with its strength.

    Parameters
    ----------
    method : {"m-estimate", "laplace", "hierarchical"}
        "hierarchical" is a rule for families of attributes, see `Levels`; it has no use for the strength.
    strength : float

    Raises
    ------
    ValueError
        For another method, or a strength that is negative or not finite.
    """

    method: str = "m-estimate"
    strength: float = 1.0

    def __post_init__(self) -> None:
        if self.method not in ("m-estimate", "laplace", "hierarchical"):
            raise ValueError(
                f"smoothing={self.method!r} is not understood. Use 'm-estimate' or 'laplace', or with "
                f"{ONE_NETWORK} 'hierarchical'."
            )
        strength = self.strength
        if not isinstance(strength, Real) or isinstance(strength, bool) or not 0 <= strength < math.inf:
            raise ValueError(f"smoothing_strength must be a finite number >= 0, got {strength!r}.")

    @property
    def is_hierarchical(self) -> bool:
        """Whether families are smoothed level by level."""
        return self.method == "hierarchical"

    @property
    def of_classes(self) -> Smoothing:
        """The rule for the frequencies of the classes, which have no levels."""
        return Smoothing() if self.is_hierarchical else self

    @property
    def divides(self) -> bool:
        """Whether the strength is spread over the cells rather than given to each."""
        if self.is_hierarchical:
            raise ValueError(
                "smoothing='hierarchical' smooths the parents of an attribute one by one; a single table "
                "has none. Use 'm-estimate' or 'laplace'."
            )
        return self.method == "m-estimate"

    def __call__(self, count: Any, total: Any, n_values: Any) -> np.ndarray:
        """Smoothed probability, see `m_estimate` and `laplace`."""
        rule = m_estimate if self.divides else laplace
        return rule(count, total, n_values, self.strength)


@dataclass(frozen=True)
class Levels:
    """Hierarchical smoothing of one family: each further parent corrects what fewer parents say.

    The estimate of the child alone is pulled towards 1/v, that given the class towards the child alone, and
    that given the class and the first l parents towards that given the first l - 1; each by `shrunk`.
    The chain is that of Petitjean, Buntine, Webb and Zaidi (2018), who sample concentrations of hierarchical
    Dirichlet processes; here they are chosen by leave-one-out, see `seminaive.learn.hierarchical`.

    Parameters
    ----------
    concentrations : tuple of float
        Of the child alone, of it given the class, and of it given one more parent each.
    """

    concentrations: tuple[float, ...]


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
