"""What the discretisers share: table in, ordinal bin numbers out."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from datetime import date, timedelta
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from seminaive.data.exact_sums import exact_sum

LARGEST = np.finfo(np.float64).max


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):
    """Base of the transformers that turn numeric columns into numbered bins.

    A subclass supplies `_cut`, the inner cut points of one column. The rest is the same for all:

    - Only inner cut points are kept, in rising order, each finite and distinct; the outer bins are unbounded.
      A value equal to a cut point belongs to the bin on its left.
    - A cut between two values is their midpoint, or the lower value where no number lies between.
    - Infinity is a number: it falls in an outer bin, and counts as the largest finite number when a cut is
      sought.
    - NaN is missing: it takes no part in fitting and stays NaN.
    - Weights are counts: a row of weight k is k equal rows, a row of weight 0 is absent. The order of rows
      never matters.
    """

    _supervised: ClassVar[bool] = False
    keep_two_valued: bool

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the cut points of every column.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers; NaN, None and null are missing.
        y : array-like of shape (n_samples,), default=None
            Class labels; only the supervised methods read them.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for (>= 0, not all 0); None means one each.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            A column holds text or dates, labels are missing, or a weight is negative, NaN or every one zero.
        """
        self._check_parameters()
        if self._supervised:
            X, y = self._validate(X, y=y, reset=True)
            check_classification_targets(y)
        else:
            X = self._validate(X, reset=True)
        weights = _check_weights(sample_weight, X)
        if weights is not None and not weights.all():
            present = weights > 0
            X, weights = X[present], weights[present]
            y = y[present] if self._supervised else None

        codes, n_classes = None, None
        if self._supervised:
            classes, codes = np.unique(y, return_inverse=True)
            n_classes = classes.size
        cut_points = []
        for column in X.T:
            seen = ~np.isnan(column)
            cuts = self.cut_points(
                column[seen],
                None if codes is None else codes[seen],
                None if weights is None else weights[seen],
                n_classes,
            )
            cut_points.append(cuts)
        self.cut_points_: list[NDArray[np.float64]] = cut_points
        self.n_bins_ = np.array([cuts.size + 1 for cuts in self.cut_points_])
        names = self.get_feature_names_out()
        self.uninformative_features_: list[str] = [str(name) for name in names[self.n_bins_ == 1]]
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Number the bin of every value.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Numbers; NaN, None and null are missing.

        Returns
        -------
        ndarray of shape (n_samples, n_features), float64
            Bin numbers 0 .. n_bins_[j] - 1 in column j; NaN where the value is missing.

        Raises
        ------
        ValueError
            A column holds text or dates, or the columns are not those of `fit`.
        """
        check_is_fitted(self, "cut_points_")
        X = self._validate(X, reset=False)
        bins = np.empty_like(X)
        for j, cuts in enumerate(self.cut_points_):
            bins[:, j] = np.searchsorted(cuts, X[:, j], side="left")
        bins[np.isnan(X)] = np.nan
        return bins

    def cut_points(
        self,
        values: NDArray[Any],
        y_codes: NDArray[Any] | None = None,
        weights: NDArray[Any] | None = None,
        n_classes: int | None = None,
        counts: NDArray[np.int64] | None = None,
    ) -> NDArray[np.float64]:
        """Inner cut points of one column; nothing of the estimator is read but its parameters.

        Parameters
        ----------
        values : ndarray of shape (n,)
            Numbers, infinite ones included, none missing.
        y_codes : ndarray of int of shape (n,), default=None
            Class codes 0 .. n_classes - 1; needed by the supervised methods only.
        weights : ndarray of shape (n,), default=None
            How many rows each value stands for, >= 0; None means one each.
        n_classes : int, default=None
            Number of classes, those without a row included; None means ``max(y_codes) + 1``.
        counts : ndarray of int of shape (n,), default=None
            How many equal rows of that value, class and weight each entry is; None means one each.

        Returns
        -------
        ndarray of float64
            Rising and finite; empty if the column stays in one bin.

        Raises
        ------
        ValueError
            The method is supervised and the class codes are missing or out of range.
        """
        if self._supervised and y_codes is None:
            raise ValueError(f"{type(self).__name__} needs the class of every value: pass y_codes.")
        values = np.clip(np.asarray(values, dtype=np.float64), -LARGEST, LARGEST)
        if weights is not None:
            weights = np.asarray(weights, dtype=np.float64)
            present = weights > 0
            if not present.all():
                values, weights = values[present], weights[present]
                y_codes = None if y_codes is None else y_codes[present]
                counts = None if counts is None else counts[present]
            weights = _exactly_summable(weights, counts)
        if counts is not None:
            weights = counts.astype(np.float64) if weights is None else weights * counts
        if values.size == 0:
            return np.empty(0)
        lowest, highest = values.min(), values.max()
        if lowest == highest:
            return np.empty(0)
        if self.keep_two_valued and np.all((values == lowest) | (values == highest)):
            return midpoints(np.array([lowest]), np.array([highest]))
        return self._cut(values, y_codes, weights, n_classes)

    @abstractmethod
    def _cut(
        self,
        values: NDArray[np.float64],
        y_codes: NDArray[Any] | None,
        weights: NDArray[np.float64] | None,
        n_classes: int | None,
    ) -> NDArray[np.float64]:
        """Cut points of a column of at least two distinct values; weights positive, infinities clipped."""

    def _check_parameters(self) -> None:
        """Raise ValueError for a parameter out of its range."""

    def _validate(self, X: Any, *, reset: bool, **y: Any) -> Any:
        """Float64 array of a table (and the labels), after scikit-learn's checks of shape and names."""
        alien = _first_alien(X)
        if alien is not None:
            column, value = alien
            raise ValueError(
                f"Column {column!r} holds {str(value)!r}, and {type(self).__name__} bins numbers only. "
                "Convert the column to numbers, or keep it out (for example with "
                "sklearn.compose.ColumnTransformer): text is categorical and needs no bins."
            )
        return validate_data(self, X, reset=reset, dtype=np.float64, ensure_all_finite=False, **y)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = self._supervised
        return tags


def midpoints(below: NDArray[np.float64], above: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers c with ``below <= c < above``: halfway, or `below` where rounding would reach `above`."""
    middle = below / 2 + above / 2  # halves first: the sum of the two may overflow
    return np.where(middle < above, np.maximum(middle, below), below)


def check_n_bins(n_bins: Any) -> None:
    """Raise ValueError unless `n_bins` is a whole number of at least two."""
    if isinstance(n_bins, bool) or not isinstance(n_bins, int | np.integer) or n_bins < 2:
        raise ValueError(f"n_bins must be a whole number >= 2, got {n_bins!r}.")


def _check_weights(sample_weight: ArrayLike | None, X: NDArray[np.float64]) -> NDArray[np.float64] | None:
    if sample_weight is None:
        return None
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if (weights < 0).any():
        row = int(np.argmax(weights < 0))
        raise ValueError(
            f"Negative weight {weights[row]} at position {row} of sample_weight: "
            "weights count rows; use 0 to leave one out."
        )
    if not weights.any():
        raise ValueError("sample_weight is zero everywhere: no row is left to learn from.")
    return weights


def _exactly_summable(
    weights: NDArray[np.float64], counts: NDArray[np.int64] | None = None
) -> NDArray[np.float64]:
    """Round to a power-of-two grid (2^-52 of the total), so that no sum depends on the order of its terms."""
    if weights.size == 0 or np.array_equal(weights, np.rint(weights)):
        return weights
    total = math.fsum(weights) if counts is None else float(exact_sum(weights, counts))
    shift = 52 - math.frexp(total)[1]
    return np.ldexp(np.maximum(np.rint(np.ldexp(weights, shift)), 1.0), -shift)


def _first_alien(X: Any) -> tuple[str, Any] | None:
    """Column name and value of the first text or date in a table, neither of which must pass for a number."""
    if isinstance(X, np.ndarray) and X.dtype.kind in "biuf":
        return None
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        columns = [
            (column.name, column.to_list())
            for column in frame.iter_columns()
            if not column.dtype.is_numeric() and column.dtype != nw.Boolean
        ]
    else:
        array = np.asarray(X) if hasattr(X, "__array__") else np.array(X, dtype=object)
        if array.ndim != 2 or array.dtype.kind not in "OUSmM":
            return None
        columns = [(f"x{j}", list(column)) for j, column in enumerate(array.T)]
    for name, values in columns:
        for value in values:
            if isinstance(value, str | bytes | date | timedelta | np.datetime64 | np.timedelta64):
                return str(name), value
    return None
