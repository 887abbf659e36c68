"""Sums without rounding, which do not depend on the order of their terms or on how rows are divided."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

__all__ = ["exact_sum"]


def exact_sum(values: np.ndarray, *factors: np.ndarray | None) -> Fraction:
    """The exact sum of finite numbers, each times the factors that stand beside it.

    Parameters
    ----------
    values : ndarray of shape (n,)
    *factors : ndarray of shape (n,) or None
        None is 1 for all.

    Returns
    -------
    fractions.Fraction

    Examples
    --------
    >>> import numpy as np
    >>> float(exact_sum(np.array([1e100, 1.0, -1e100])))
    1.0
    """
    whole, exponents = _parts(values)
    for factor in factors:
        if factor is not None:
            more, further = _parts(factor)
            whole, exponents = whole.astype(object) * more, exponents + further
    total = Fraction(0)
    for exponent in np.unique(exponents).tolist():
        total += _whole_sum(whole[exponents == exponent]) * Fraction(2) ** exponent
    return total


def _parts(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers and powers of two, whose products are the values."""
    mantissas, exponents = np.frexp(np.asarray(values, dtype=np.float64))
    return np.ldexp(mantissas, 53).astype(np.int64), exponents.astype(np.int64) - 53


def _whole_sum(whole: np.ndarray) -> int:
    if whole.dtype == object:
        return int(whole.sum())
    return (int((whole >> 27).sum()) << 27) + int((whole & (2**27 - 1)).sum())  # neither can overflow
