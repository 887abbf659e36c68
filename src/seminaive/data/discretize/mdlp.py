"""Entropy-based cuts with the minimum description length as stopping rule."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from seminaive.data.discretize.base import Discretizer, midpoints


class MDLPDiscretizer(Discretizer):
    r"""Cut each numeric column where the classes change, as often as the data can pay for.

    A segment of total weight :math:`N` is cut between two distinct values where the class entropy of the two
    parts, averaged by their weight, is least; of equal cuts the last is taken. The cut is accepted if

    .. math::

        \mathrm{Gain} > \frac{\log_2(N-1)}{N} + \frac{\Delta}{N}, \qquad
        \Delta = \log_2(3^k-2) - \left(k E - k_1 E_1 - k_2 E_2\right),

    where :math:`E, E_1, E_2` are the class entropies of the segment and of its parts, and :math:`k, k_1, k_2`
    the numbers of classes present in them. Both parts are then treated in the same way [1]_.

    Cuts are equal if their information differs by less than :math:`10^{-13} N \log_2 N` bits, which is
    rounding. Sorting takes O(n log n), each level of nested cuts O(n), whatever the number of classes.

    Parameters
    ----------
    keep_two_valued : bool, default=True
        A column with exactly two distinct training values keeps both, even if no cut would be accepted: a
        flag that says nothing alone may still matter together with other columns.
    root_classes : {"present", "declared"}, default="present"
        The :math:`k` of the first cut of a column: the classes among its observed rows, or all classes of `y`
        (the `n_classes` of `cut_points`). They differ only if a class has no observed value in the column.
    min_split : float, default=2
        Total weight that a segment must have to be cut, at least 2. The programs behind the published results
        of Webb's group correspond to ``root_classes="declared", min_split=3``.

    Attributes
    ----------
    cut_points_ : list of ndarray of float64
        Inner cut points of each column, rising. ``value <= cut`` falls left.
    n_bins_ : ndarray of int of shape (n_features,)
        Number of bins of each column.
    uninformative_features_ : list of str
        Columns without any cut: they are one bin and tell nothing about the class.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str of shape (n_features,)
        Names of the columns, where all are strings.

    See Also
    --------
    EqualFrequencyDiscretizer : Bins of about the same weight, without looking at the class.
    EqualWidthDiscretizer : Bins of the same width.

    Notes
    -----
    Weights count rows, so their scale matters: weights that sum to one describe a single row, which cannot
    pay for a cut.

    References
    ----------
    .. [1] U. M. Fayyad and K. B. Irani, "Multi-interval discretization of continuous-valued attributes for
       classification learning", IJCAI 1993, pp. 1022-1027.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from seminaive import MDLPDiscretizer
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> binner = MDLPDiscretizer().fit(X, y)
    >>> [cuts.round(2).tolist() for cuts in binner.cut_points_]
    [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    >>> binner.transform(X[:2])
    array([[0., 2., 0., 0.],
           [0., 1., 0., 0.]])
    """

    _supervised: ClassVar[bool] = True

    def __init__(
        self, *, keep_two_valued: bool = True, root_classes: str = "present", min_split: float = 2
    ) -> None:
        self.keep_two_valued = keep_two_valued
        self.root_classes = root_classes
        self.min_split = min_split

    def _check_parameters(self) -> None:
        if self.root_classes not in ("present", "declared"):
            raise ValueError(f'root_classes must be "present" or "declared", got {self.root_classes!r}.')
        if not isinstance(self.min_split, Real) or not self.min_split >= 2:
            raise ValueError(f"min_split must be a number >= 2, got {self.min_split!r}.")

    def _cut(
        self,
        values: NDArray[np.float64],
        y_codes: NDArray[Any] | None,
        weights: NDArray[np.float64] | None,
        n_classes: int | None,
    ) -> NDArray[np.float64]:
        from seminaive.kernels.discretize import class_runs, mdlp_cuts, terms_up_to

        codes = np.array(y_codes, dtype=np.int32)
        if n_classes is None:
            n_classes = int(codes.max()) + 1
        if codes.min() < 0 or codes.max() >= n_classes:
            raise ValueError(f"y_codes must lie in 0..{n_classes - 1}, got {codes.min()}..{codes.max()}.")
        if weights is None:
            weights = np.ones(values.size)
        order = np.argsort(values)
        start, last, cell_class, cell_weight = class_runs(values, order, codes, weights, n_classes)

        total = float(cell_weight.sum())
        bound = max(total * math.log2(max(total, 2.0)), float(n_classes))
        scale = math.ldexp(1.0, 60 - math.frexp(bound)[1])
        # logarithms are looked up where counts are whole and not far more than the rows
        whole = total <= 4 * values.size and np.array_equal(cell_weight, np.rint(cell_weight))
        table = terms_up_to(int(total) if whole else -1, scale)
        accepted = mdlp_cuts(
            start,
            cell_class,
            cell_weight,
            n_classes,
            n_classes if self.root_classes == "declared" else 0,
            float(self.min_split),
            table,
            scale,
        )
        end = last[accepted]
        return midpoints(values[order[end]], values[order[end + 1]])
