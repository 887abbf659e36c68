"""Cuts at the quantiles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seminaive.data.discretize.base import Discretizer, check_n_bins, midpoints


class EqualFrequencyDiscretizer(Discretizer):
    """Cut each numeric column into bins that hold about the same number of rows.

    With total weight N, the j-th of the ``n_bins - 1`` cuts goes between those two neighbouring distinct
    values where the weight on the left is nearest to ``j * N / n_bins`` (of two equally near the lower).
    Equal values are never separated. Cuts that coincide count once, so a column may get fewer bins, but never
    less than two if it has two distinct values.

    Parameters
    ----------
    n_bins : int, default=5
        Largest number of bins, at least 2.
    keep_two_valued : bool, default=True
        A column with exactly two distinct training values keeps both. This method does so in any case; the
        parameter is here for symmetry.

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
    EqualWidthDiscretizer : Bins of the same width.
    MDLPDiscretizer : Cuts where the classes change.

    References
    ----------
    .. [1] J. Dougherty, R. Kohavi and M. Sahami, "Supervised and unsupervised discretization of continuous
       features", ICML 1995, pp. 194-202.

    Examples
    --------
    >>> from seminaive import EqualFrequencyDiscretizer
    >>> binner = EqualFrequencyDiscretizer(n_bins=3).fit([[1], [1], [1], [2], [5], [9]])
    >>> binner.cut_points_
    [array([1.5, 3.5])]
    >>> binner.transform([[0], [1.5], [float("nan")], [100]]).ravel()
    array([ 0.,  0., nan,  2.])
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
        if weights is None:
            distinct, mass = np.unique(values, return_counts=True)
        else:
            distinct, place = np.unique(values, return_inverse=True)
            mass = np.bincount(place, weights)
        reached = np.cumsum(mass)
        # everything times n_bins, so that whole counts are compared exactly
        left = reached[:-1] * self.n_bins
        wanted = np.arange(1, self.n_bins) * reached[-1]
        upper = np.minimum(np.searchsorted(left, wanted), left.size - 1)
        lower = np.maximum(upper - 1, 0)
        nearest = np.where(abs(wanted - left[lower]) <= abs(left[upper] - wanted), lower, upper)
        chosen = np.unique(nearest)
        return midpoints(distinct[chosen], distinct[chosen + 1])
