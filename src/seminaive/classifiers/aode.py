"""Averaged one-dependence estimators."""

from __future__ import annotations

from typing import Unpack

from seminaive.classifiers.one_dependence import OneDependenceClassifier
from seminaive.classifiers.options import Options
from seminaive.data.checks import check_amount, check_option

__all__ = ["AODE"]


class AODE(OneDependenceClassifier):
    r"""Averaged one-dependence estimators (Webb, Boughton and Wang 2005).

    Every attribute in turn is the *superparent* of all others; the estimates are averaged instead of
    choosing:

    .. math:: P(x, y) = \frac{1}{|A|} \sum_{a \in A} P(x_a, y) \prod_{j \ne a} P(x_j \mid x_a, y)

    where A are the attributes whose value occurs at least ``frequency_limit`` times in training.

    Parameters
    ----------
    frequency_limit : float, default=1
        Least count of a superparent's value; 1 asks that it occurs at all, 0 asks nothing. The paper of
        2005 used 30, later work 1.
    subsumption_resolution : bool, default=False
        Leave a value out of a row if another value of the row implies it (Zheng and Webb): where all
        training rows with x_j have x_i, and there are enough of them, x_i says nothing new.
    critical_value : float, default=100
        How many rows with x_j that takes at least.
    conditional : {"direct", "ratio"}, default="direct"
        ``"direct"`` smooths P(x_j | x_a, y) itself. ``"ratio"`` divides the smoothed joints
        P(x_j, x_a, y) / P(x_a, y), which is what the paper of 2021 on weighted AODEs did; its smoothing is
        weaker.
    %(options)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    NaiveBayes : No parents; what AODE falls back to for a row without any superparent.
    KDB : Chooses parents instead of averaging.

    Notes
    -----
    Fitting takes one pass and O(N n^2) for N rows and n attributes, predicting O(K n^2) per row; memory grows
    with the square of the total number of values. Little to tune, low variance, well calibrated: a strong
    default up to a hundred attributes or so.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from seminaive import AODE
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> round(float(AODE().fit(X, y).score(X, y)), 3)
    0.953
    """

    def __init__(
        self,
        *,
        frequency_limit: float = 1,
        subsumption_resolution: bool = False,
        critical_value: float = 100,
        conditional: str = "direct",
        **options: Unpack[Options],
    ) -> None:
        super().__init__(**options)
        self.frequency_limit = frequency_limit
        self.subsumption_resolution = subsumption_resolution
        self.critical_value = critical_value
        self.conditional = conditional

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_option("subsumption_resolution", self.subsumption_resolution, (True, False))
        check_amount("critical_value", self.critical_value)
