"""Cuts at equal distances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seminaive.data.discretize.base import LARGEST, Discretizer, check_n_bins


class EqualWidthDiscretizer(Discretizer):
    """Cut the range of each numeric column into intervals of the same width.

    The range is that of the finite training values of positive weight; the outer two bins also take
    everything beyond it. Each cut is the exactly computed point, rounded once. Bins that no training value
    falls into are kept.

    Parameters
    ----------
    n_bins : int, default=5
        Number of bins, at least 2. There are fewer only in two-valued columns (see below), in constant ones,
        which stay in one bin, and where the range holds too few floating-point numbers.
    keep_two_valued : bool, default=True
        A column with exactly two distinct training values gets exactly two bins, one for each.

    Attributes
    ----------
    cut_points_ : list of ndarray of float64
        Inner cut points of each column, rising. ``value <= cut`` falls left.
    n_bins_ : ndarray of int of shape (n_features,)
        Number of bins of each column.
    uninformative_features_ : list of str
        Columns without any cut: constant, or never observed.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str of shape (n_features,)
        Names of the columns, where all are strings.

    See Also
    --------
    EqualFrequencyDiscretizer : Bins of about the same weight.
    MDLPDiscretizer : Cuts where the classes change.

    References
    ----------
    .. [1] J. Dougherty, R. Kohavi and M. Sahami, "Supervised and unsupervised discretization of continuous
       features", ICML 1995, pp. 194-202.

    Examples
    --------
    >>> from seminaive import EqualWidthDiscretizer
    >>> binner = EqualWidthDiscretizer(n_bins=4).fit([[0], [1], [7], [8]])
    >>> binner.cut_points_
    [array([2., 4., 6.])]
    >>> binner.transform([[-5], [2], [3], [float("inf")]]).ravel()
    array([0., 0., 1., 3.])
    """

    def __init__(self, n_bins: int = 5, *, keep_two_valued: bool = True) -> None:
        self.n_bins = n_bins
        self.keep_two_valued = keep_two_valued

    def _check_parameters(self) -> None:
        check_n_bins(self.n_bins)

    def _cut(
        self,
        values: NDArray[np.float64],
        y_codes: NDArray[Any] | None,
        weights: NDArray[np.float64] | None,
        n_classes: int | None,
    ) -> NDArray[np.float64]:
        finite = values[np.abs(values) < LARGEST]
        if finite.size == 0:
            return np.empty(0)
        lowest, highest = finite.min(), finite.max()
        start, width = Fraction(lowest), Fraction(highest) - Fraction(lowest)
        cuts = np.unique([float(start + width * j / self.n_bins) for j in range(1, self.n_bins)])
        return cuts[cuts < highest]
