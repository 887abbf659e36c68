"""Every value in a bin of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seminaive.data.discretize.base import Discretizer, midpoints


class EveryValueDiscretizer(Discretizer):
    """Cut between any two neighbouring training values.

    This keeps what a column says, for methods that choose among the cuts themselves: `AveragedNetworks` draws
    some of them anew for each of its networks.

    Parameters
    ----------
    keep_two_valued : bool, default=True
        Of no effect here, as both values of a two-valued column are kept anyway.

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

    Examples
    --------
    >>> from seminaive.data.discretize import EveryValueDiscretizer
    >>> EveryValueDiscretizer().fit([[1], [2], [2], [5]]).cut_points_
    [array([1.5, 3.5])]
    """

    def __init__(self, *, keep_two_valued: bool = True) -> None:
        self.keep_two_valued = keep_two_valued

    def _cut(
        self,
        values: NDArray[np.float64],
        y_codes: NDArray[Any] | None,
        weights: NDArray[np.float64] | None,
        n_classes: int | None,
    ) -> NDArray[np.float64]:
        distinct = np.unique(values)
        return midpoints(distinct[:-1], distinct[1:])
