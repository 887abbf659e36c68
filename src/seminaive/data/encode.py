"""From any table to small integer codes, matched by label."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from seminaive.data.checks import check_names, check_option, shortened
from seminaive.data.columns import encode_column, extended
from seminaive.data.integers import IntegerLookup, learn_bytes, learn_integers
from seminaive.data.schema import Attribute, Schema
from seminaive.data.settings import Settings
from seminaive.data.table import ArrayTable, Table, as_table
from seminaive.data.target import check_sample_weight, encode_target
from seminaive.exceptions import UnseenValueWarning, warn_user

__all__ = ["TableEncoder"]


class TableEncoder(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Encode a table of categorical and numeric columns as small integer codes.

    Values of categorical columns are matched by label, whatever the library, dtype or internal code that
    they come in; numeric columns are cut into intervals. This is the first step inside every classifier of
    this package and can be used on its own.

    Parameters
    ----------
    categories : dict, default=None
        ``{column: values}`` declares the values of a categorical column, by name or position, in the order
        of their codes. Without it the values are those that the dtype declares (pandas ``category``, polars
        ``Enum``), else the distinct training values in ascending order.
    categorical_features : {"from_dtype", "all"} or array-like, default="from_dtype"
        Which columns are categorical. ``"from_dtype"``: strings, categories, booleans and objects are,
        integers and floats are not. An array-like of names, positions or booleans marks columns;
        an unmarked column is numeric if it holds numbers only.
    discretizer : str, transformer, dict or None, default="mdlp"
        How numeric columns are cut: ``"mdlp"``, ``"equal-frequency"``, ``"equal-width"``, ``"every-value"``
        (between any two neighbouring values), an instance of a discretizer of this package, any
        scikit-learn-style transformer that turns one column into one column of ordinals, or
        ``{column: one of these}`` (the other columns get ``"mdlp"``). None refuses numeric columns.
    missing : {"ignore", "value", "impute"} or dict, default="ignore"
        ``"ignore"``: a missing value is not observed. ``"value"``: missing is one more value of a column in
        which it occurs. ``"impute"``: most frequent value or mean of the training rows. A dict says it per
        kind, ``{"categorical": ..., "numeric": ...}``, or per column.
    unseen : {"ignore", "error"}, default="ignore"
        A value that was not there in training is treated as missing, with an `UnseenValueWarning` per
        column, or refused.

    Attributes
    ----------
    schema_ : Schema
        Names, kinds, values and cut points of the columns.
    uninformative_features_ : list of str
        Numeric columns without any cut.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table has string column names.

    See Also
    --------
    MDLPDiscretizer : The default discretizer as a transformer of its own.

    Examples
    --------
    >>> import numpy as np
    >>> from seminaive import TableEncoder
    >>> X = np.array([["red", "S"], ["blue", "M"], [None, "S"]], dtype=object)
    >>> TableEncoder().fit_transform(X)
    array([[ 1.,  1.],
           [ 0.,  0.],
           [nan,  1.]])
    """

    def __init__(
        self,
        *,
        categories: Mapping[Any, Iterable[Hashable]] | None = None,
        categorical_features: Any = "from_dtype",
        discretizer: Any = "mdlp",
        missing: Any = "ignore",
        unseen: str = "ignore",
    ) -> None:
        self.categories = categories
        self.categorical_features = categorical_features
        self.discretizer = discretizer
        self.missing = missing
        self.unseen = unseen

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.target_tags.required = self.discretizer not in (
            None,
            "equal-frequency",
            "equal-width",
            "every-value",
        )
        return tags

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> TableEncoder:
        """Learn values and cut points.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), default=None
            Classes; needed by the default discretizer where there are numeric columns.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight k counts like k copies of the row, weight 0 like its absence.

        Returns
        -------
        TableEncoder
            The fitted encoder itself.

        Raises
        ------
        ValueError
            For options that do not fit the table; the message names the column and the remedy.
        """
        self.fit_encode(X, y, sample_weight)
        return self

    def fit_encode(self, X: Any, y: Any = None, sample_weight: Any = None) -> np.ndarray:
        """Fit and return the codes of the rows of positive weight, as `encode` does."""
        table = as_table(X)
        weights = check_sample_weight(sample_weight, table.n_rows)
        labels, n_classes = None, 1
        if y is not None:
            classes, labels = encode_target(y, table.n_rows)
            n_classes = len(classes)
        if weights is not None and not weights.all():
            rows = np.flatnonzero(weights)
            table, weights = table.take(rows), weights[rows]
            labels = None if labels is None else labels[rows]
        return self.learn(X, table, labels, weights, n_classes)

    def learn(
        self,
        X: Any,
        table: Table,
        labels: np.ndarray | None,
        weights: np.ndarray | None,
        n_classes: int,
        n_jobs: int | None = 1,
    ) -> np.ndarray:
        """Fit on checked parts: ``table`` holds the rows of ``X`` that count, ``labels`` their classes."""
        check_option("unseen", self.unseen, ("ignore", "error"))
        settings = Settings(self, table)
        lookup: IntegerLookup | None
        learned = None
        if settings.integers_only():
            array = table.array  # type: ignore[attr-defined]
            learned = learn_bytes(array, n_jobs) or learn_integers(array, n_jobs)
        if learned:
            schema, codes, lookup = learned
        else:
            parts = [
                settings.learn_column(table, column, labels, weights, n_classes)
                for column in range(len(table.names))
            ]
            schema = Schema(tuple(attribute for attribute, _ in parts))
            codes = np.empty((len(schema), table.n_rows), dtype=schema.code_dtype)
            for column, (_, column_codes) in enumerate(parts):
                codes[column] = column_codes
            lookup = IntegerLookup.of(schema)
        validate_data(self, X, skip_check_array=True)
        self._adopt(schema, lookup)
        return codes

    def encode(self, X: Any) -> np.ndarray:
        """Codes in the layout that counting and scoring use.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_features, n_samples), unsigned integers
            One row per attribute; the code ``schema_.n_values[j]`` means "not observed".
        """
        check_is_fitted(self)
        table = as_table(X)
        check_names(self, X)
        return self.encode_table(table)

    def encode_table(self, table: Table, n_jobs: int | None = 1) -> np.ndarray:
        """Codes of a table whose columns were checked already."""
        schema = self.schema_
        codes = np.empty((len(schema), table.n_rows), dtype=schema.code_dtype)
        if self._integers is not None and isinstance(table, ArrayTable) and table.array.dtype.kind in "iu":
            self._integers.encode(table.array, codes, n_jobs)
            for column, attribute in enumerate(schema.attributes):
                unseen = codes[column] == attribute.n_values  # integers are never missing
                if unseen.any():
                    self._report(attribute, table.array[unseen, column])
            return codes
        for column, attribute in enumerate(schema.attributes):
            codes[column], strange = encode_column(table, column, attribute)
            if len(strange):
                self._report(attribute, strange)
        return codes

    def transform(self, X: Any) -> np.ndarray:
        """Encode a table.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_features), float64
            Codes 0, 1, ...; NaN where a value is not observed.
        """
        codes = self.encode(X)
        result = codes.T.astype(np.float64)
        result[result == self.schema_.n_values] = np.nan
        return result

    def extended(self, table: Table) -> TableEncoder:
        """A copy that also knows the values that a further batch adds; cut points stay."""
        missing = Settings(self, table).missing
        attributes = [
            extended(table, column, attribute, missing[column] == "value")
            for column, attribute in enumerate(self.schema_.attributes)
        ]
        other = copy.copy(self)
        schema = Schema(tuple(attributes))
        other._adopt(schema, IntegerLookup.of(schema))
        return other

    def _adopt(self, schema: Schema, lookup: IntegerLookup | None) -> None:
        self.schema_ = schema
        self.uninformative_features_ = [
            attribute.name
            for attribute in schema.attributes
            if attribute.kind == "numeric" and attribute.n_values - attribute.has_missing_value < 2
        ]
        self._integers = lookup

    def _report(self, attribute: Attribute, strange: Any) -> None:
        values = list(dict.fromkeys(np.asarray(strange, dtype=object).tolist()))
        some = ", ".join(repr(value) for value in values[:5]) + (", ..." if len(values) > 5 else "")
        if self.unseen == "error":
            raise ValueError(
                f"Column {attribute.name!r} holds values that were not there in training: {some}. "
                f"Known values: {shortened(attribute.values)}. unseen='ignore' treats them as missing."
            )
        warn_user(
            f"Column {attribute.name!r} holds values that were not there in training: {some}. "
            "They are treated as missing; unseen='error' refuses them.",
            UnseenValueWarning,
        )
