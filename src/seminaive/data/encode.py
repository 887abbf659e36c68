"""From any table to small integer codes, matched by label."""

from __future__ import annotations

import copy
import numbers
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from seminaive.data.schema import Attribute, Schema
from seminaive.data.table import ArrayTable, Table, as_table, column_names, factorize_numbers, is_missing
from seminaive.data.target import check_sample_weight, encode_target
from seminaive.exceptions import UnseenValueWarning, warn_user
from seminaive.parallel import run_blocks

__all__ = ["TableEncoder", "check_option"]

_BLOCK = 65_536  # rows of an integer table that are converted at a time
_LOOKUP_ENTRIES = 2**22  # the longest direct table from integers to codes


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
    discretizer : {"mdlp", "equal-frequency", "equal-width"}, transformer, dict or None, default="mdlp"
        How numeric columns are cut: a name, an instance of a discretizer of this package, any
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
        tags.target_tags.required = self.discretizer not in (None, "equal-frequency", "equal-width")
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
        settings = _Settings(self, table)
        lookup: _IntegerLookup | None
        learned = None
        if settings.integers_only():
            array = table.array  # type: ignore[attr-defined]
            learned = _learn_bytes(array, n_jobs) or _learn_integers(array, n_jobs)
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
            lookup = _IntegerLookup.of(schema)
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
            codes[column], strange = _encode_column(table, column, attribute)
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
        missing = _Settings(self, table).missing
        attributes = [
            _extended(table, column, attribute, missing[column] == "value")
            for column, attribute in enumerate(self.schema_.attributes)
        ]
        other = copy.copy(self)
        schema = Schema(tuple(attributes))
        other._adopt(schema, _IntegerLookup.of(schema))
        return other

    def _adopt(self, schema: Schema, lookup: _IntegerLookup | None) -> None:
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
                f"Known values: {_shortened(attribute.values)}. unseen='ignore' treats them as missing."
            )
        warn_user(
            f"Column {attribute.name!r} holds values that were not there in training: {some}. "
            "They are treated as missing; unseen='error' refuses them.",
            UnseenValueWarning,
        )


def check_names(estimator: Any, X: Any) -> None:
    """Compare columns with those seen in fitting as scikit-learn does; say the order where it differs."""
    expected = list(getattr(estimator, "feature_names_in_", []))
    names = column_names(X) if expected else None
    if names is not None and names != expected and sorted(names, key=str) == sorted(expected):
        raise ValueError(
            "The feature names should match those that were passed during fit.\n"
            "Feature names must be in the same order as they were in fit.\n"
            f"In fit: {expected}\nNow: {names}"
        )
    validate_data(estimator, X, reset=False, skip_check_array=True)


def check_option(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    """Raise a ValueError that lists what is allowed."""
    if not any(value is option or (isinstance(value, str) and value == option) for option in allowed):
        raise ValueError(f"{name}={value!r} is not understood. Use one of {', '.join(map(repr, allowed))}.")


class _Settings:
    """The encoder's parameters, resolved against the columns of one table."""

    def __init__(self, encoder: TableEncoder, table: Table) -> None:
        self.names = table.names
        self.declared = self._by_column("categories", encoder.categories or {})
        self.categorical = self._categorical(encoder.categorical_features, table)
        self.missing = self._missing(encoder.missing)
        self.discretizer = encoder.discretizer
        if isinstance(encoder.discretizer, Mapping):
            self.discretizers = self._by_column("discretizer", encoder.discretizer)
        else:
            self.discretizers = dict.fromkeys(range(len(self.names)), encoder.discretizer)
        self.table = table

    def integers_only(self) -> bool:
        """Whether every column is an integer category of one array, which has a fast path."""
        table = self.table
        return (
            isinstance(table, ArrayTable)
            and table.array.dtype.kind in "iu"
            and not self.declared
            and "impute" not in self.missing
            and table.array.shape[0] > 0
            and all(self.categorical)
        )

    def learn_column(
        self, table: Table, column: int, labels: np.ndarray | None, weights: np.ndarray | None, n_classes: int
    ) -> tuple[Attribute, np.ndarray]:
        """The attribute that a column becomes, and the codes of its rows."""
        name, missing = self.names[column], self.missing[column]
        with _naming(name):
            if self.categorical[column]:
                declared = self.declared.get(column)
                return _learn_categories(table, column, name, declared, missing, weights)
            values = table.numbers(column)
        rule = self.discretizers.get(column, "mdlp")
        if rule is None:
            raise ValueError(
                f"Column {name!r} is numeric and discretizer=None. Name a discretizer ('mdlp', "
                "'equal-frequency', 'equal-width', a transformer), or list it in categorical_features."
            )
        return _learn_intervals(values, name, _make_discretizer(rule), missing, labels, weights, n_classes)

    def _categorical(self, wanted: Any, table: Table) -> list[bool]:
        columns = range(len(self.names))
        by_dtype = [column in self.declared or not table.is_numeric(column) for column in columns]
        if isinstance(wanted, str):
            check_option("categorical_features", wanted, ("from_dtype", "all"))
            return [True] * len(by_dtype) if wanted == "all" else by_dtype
        if wanted is None:
            marked: set[int] = set()
        else:
            chosen = list(wanted)
            if chosen and all(isinstance(value, bool | np.bool_) for value in chosen):
                if len(chosen) != len(by_dtype):
                    raise ValueError(
                        f"categorical_features is a mask of {len(chosen)} for {len(by_dtype)} columns."
                    )
                marked = {column for column in columns if chosen[column]}
            else:
                marked = {self._position("categorical_features", key) for key in chosen}
        return [
            column in marked
            or column in self.declared
            or (by_dtype[column] and not (table.is_object(column) and _holds_numbers(table, column)))
            for column in columns
        ]

    def _missing(self, wanted: Any) -> list[str]:
        allowed = ("ignore", "value", "impute")
        if not isinstance(wanted, Mapping):
            check_option("missing", wanted, allowed)
            return [wanted] * len(self.names)
        for value in wanted.values():
            check_option("missing", value, allowed)
        kinds = {
            kind: wanted[kind]
            for kind in ("categorical", "numeric")
            if kind in wanted and kind not in self.names
        }
        named = self._by_column("missing", {key: value for key, value in wanted.items() if key not in kinds})
        return [
            named.get(column, kinds.get("categorical" if categorical else "numeric", "ignore"))
            for column, categorical in enumerate(self.categorical)
        ]

    def _by_column(self, option: str, wanted: Any) -> dict[int, Any]:
        if not isinstance(wanted, Mapping):
            raise ValueError(
                f"{option} must be a dict from column names or positions, got {type(wanted).__name__}."
            )
        return {self._position(option, key): value for key, value in wanted.items()}

    def _position(self, option: str, key: Any) -> int:
        if isinstance(key, int | np.integer) and -len(self.names) <= key < len(self.names):
            return int(key) % len(self.names)
        if key in self.names:
            return self.names.index(key)
        raise ValueError(
            f"{option} names the column {key!r}, which the table does not have. "
            f"Columns: {_shortened(self.names)}."
        )


def _holds_numbers(table: Table, column: int) -> bool:
    try:
        table.numbers(column)
    except (TypeError, ValueError):
        return False
    return True


def _learn_categories(
    table: Table,
    column: int,
    name: str,
    declared: Iterable[Hashable] | None,
    missing: str,
    weights: np.ndarray | None,
) -> tuple[Attribute, np.ndarray]:
    raw, found = table.factorize(column)
    known = (
        table.declared(column) if declared is None else [value for value in declared if not is_missing(value)]
    )
    values = ascending(found) if known is None else known
    if known is not None:
        distinct = set(known)
        strange = [value for value in found if value not in distinct]
        if strange or len(distinct) < len(known):
            problem = (
                f"values that are not declared: {_shortened(strange)}" if strange else "values declared twice"
            )
            raise ValueError(
                f"{problem}. Declared: {_shortened(known)}. Mend categories={{{name!r}: [...]}} or the data."
            )
    has_missing = missing == "value" and bool((raw < 0).any())
    attribute = Attribute(
        name, "categorical", tuple(values), has_missing_value=has_missing, declared=known is not None
    )
    codes = _lookup(attribute, found)[raw]
    if missing == "impute" and (raw >= 0).any():
        seen = raw >= 0
        counts = np.bincount(codes[seen], None if weights is None else weights[seen])
        attribute = replace(attribute, fill_code=int(counts.argmax()))
        codes[~seen] = attribute.missing_code
    return attribute, codes


def _learn_intervals(
    values: np.ndarray,
    name: str,
    discretizer: Any,
    missing: str,
    labels: np.ndarray | None,
    weights: np.ndarray | None,
    n_classes: int,
) -> tuple[Attribute, np.ndarray]:
    from seminaive.data.discretize.base import Discretizer

    known = ~np.isnan(values)
    # a flag of two values keeps both, whatever the discretizer says and whatever is imputed
    cuts = _cut_of_two(values[known]) if getattr(discretizer, "keep_two_valued", True) else None
    mean = None
    if missing == "impute" and np.isfinite(values).any():
        finite = np.isfinite(values)
        mean = float(np.average(values[finite], weights=None if weights is None else weights[finite]))
        values = np.where(known, values, mean)
        known[:] = True
    observed = values[known]
    y = None if labels is None else labels[known]
    w = None if weights is None else weights[known]
    fitted: Any = None
    outputs: tuple[Hashable, ...] = ()
    if cuts is None and len(observed) == 0:
        cuts = np.empty(0)
    elif cuts is None and isinstance(discretizer, Discretizer):
        if y is None and discretizer._supervised:
            raise ValueError(
                f"Column {name!r} is numeric and {type(discretizer).__name__} requires y to be passed, but "
                "the target y is None. Pass y, or use discretizer='equal-frequency' or 'equal-width'."
            )
        with _naming(name):
            cuts = discretizer.cut_points(observed, y, w, n_classes)
    elif cuts is None:
        with _naming(name):
            fitted = _fit_foreign(discretizer, observed, y, w)
            outputs = tuple(factorize_numbers(_foreign_codes(fitted, observed))[1])
    has_missing = missing == "value" and not known.all()
    attribute = Attribute(name, "numeric", outputs, cuts, fitted, has_missing_value=has_missing)
    if mean is not None:
        attribute = replace(attribute, fill_code=int(_interval_codes(np.array([mean]), attribute)[0]))
    return attribute, _interval_codes(values, attribute)


def _cut_of_two(values: np.ndarray) -> np.ndarray | None:
    """The cut between the only two distinct values of a column, None where there are more or fewer."""
    from seminaive.data.discretize.base import midpoints

    if len(values) == 0:
        return None
    low, high = values.min(), values.max()
    if low == high or not ((values == low) | (values == high)).all():
        return None
    return midpoints(
        np.nan_to_num([low]), np.nan_to_num([high])
    )  # infinity counts as the largest finite number


@contextmanager
def _naming(column: str) -> Iterator[None]:
    """Let every error about a column begin with its name."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"Column {column!r}: {error}") from error


def _interval_codes(values: np.ndarray, attribute: Attribute) -> np.ndarray:
    known = ~np.isnan(values)
    if attribute.cut_points is not None:
        codes = np.searchsorted(attribute.cut_points, values, side="left")
    else:
        codes = np.zeros(len(values), dtype=np.int64)
        if known.any():
            with _naming(attribute.name):
                raw, outputs = factorize_numbers(_foreign_codes(attribute.discretizer, values[known]))
            codes[known] = _lookup(attribute, outputs)[raw]
    codes[~known] = attribute.missing_code
    return codes


def _make_discretizer(rule: Any) -> Any:
    from seminaive.data import discretize

    named = {
        "mdlp": discretize.MDLPDiscretizer,
        "equal-frequency": discretize.EqualFrequencyDiscretizer,
        "equal-width": discretize.EqualWidthDiscretizer,
    }
    if isinstance(rule, str):
        check_option("discretizer", rule, tuple(named))
        return named[rule]()
    if isinstance(rule, discretize.Discretizer):
        rule._check_parameters()
        return rule
    if not (hasattr(rule, "fit") and hasattr(rule, "transform")):
        raise ValueError(
            f"discretizer={rule!r} is neither one of {', '.join(map(repr, named))} nor a transformer."
        )
    return rule


def _fit_foreign(
    discretizer: Any, values: np.ndarray, labels: np.ndarray | None, weights: np.ndarray | None
) -> Any:
    fitted = clone(discretizer)
    options = (
        {"sample_weight": weights}
        if weights is not None and has_fit_parameter(fitted, "sample_weight")
        else {}
    )
    if weights is not None and not options:
        raise ValueError(
            f"{type(discretizer).__name__} takes no sample_weight. Use one that does, or no weights."
        )
    fitted.fit(values.reshape(-1, 1), labels, **options)
    return fitted


def _foreign_codes(discretizer: Any, values: np.ndarray) -> np.ndarray:
    with config_context(transform_output="default"):
        result = discretizer.transform(values.reshape(-1, 1))
    if not isinstance(result, np.ndarray) or result.shape != (len(values), 1):
        raise ValueError(
            f"{type(discretizer).__name__} must turn one column into one dense column of ordinals "
            "(for KBinsDiscretizer: encode='ordinal')."
        )
    return np.asarray(result[:, 0], dtype=np.float64)


def _lookup(attribute: Attribute, values: list[Hashable]) -> np.ndarray:
    """Code of each of ``values``, then that of a missing value, so that raw code -1 finds it."""
    unknown = attribute.missing_code
    codes = [code if (code := attribute.code_of(value)) is not None else unknown for value in values]
    return np.array([*codes, unknown], dtype=np.int64)


def _encode_column(table: Table, column: int, attribute: Attribute) -> tuple[np.ndarray, list[Hashable]]:
    """Codes of a column of a new table, and the values that training did not know."""
    with _naming(attribute.name):
        numbers = table.numbers(column) if attribute.kind == "numeric" else None
        raw, values = table.factorize(column) if numbers is None else (None, [])
    if numbers is not None:
        codes = _interval_codes(numbers, attribute)
        lost = (
            codes == attribute.missing_code if attribute.discretizer is not None else np.zeros(0, dtype=bool)
        )
        return codes, numbers[lost & ~np.isnan(numbers)].tolist() if lost.any() else []
    return _lookup(attribute, values)[raw], [value for value in values if attribute.code_of(value) is None]


def _extended(table: Table, column: int, attribute: Attribute, wants_value: bool) -> Attribute:
    """The attribute with the values that a further batch adds."""
    if attribute.kind == "numeric":
        gains_missing = (
            wants_value and not attribute.has_missing_value and bool(np.isnan(table.numbers(column)).any())
        )
        values = attribute.values
    else:
        raw, found = table.factorize(column)
        gains_missing = wants_value and not attribute.has_missing_value and bool((raw < 0).any())
        new = [] if attribute.declared else ascending([v for v in found if attribute.code_of(v) is None])
        values = (*attribute.values, *new)
    return replace(attribute, values=values, has_missing_value=attribute.has_missing_value or gains_missing)


def ascending(values: Iterable[Hashable]) -> list[Hashable]:
    """Numbers by size, then strings, then anything else by type and text: types are never compared."""

    def key(value: Any) -> tuple[Any, ...]:
        if isinstance(value, numbers.Real):
            return (0, float(value) if not isinstance(value, numbers.Integral) else int(value))
        if isinstance(value, str):
            return (1, value)
        return (2, type(value).__name__, repr(value))

    return sorted(values, key=key)


def _shortened(values: Iterable[Any], limit: int = 20) -> str:
    listed = [repr(value) for value in values]
    return (
        "[" + ", ".join(listed[:limit]) + (f", ... {len(listed)} in all" if len(listed) > limit else "") + "]"
    )


class _IntegerLookup:
    """Direct tables from integers to codes for tables whose columns are all integer categories."""

    def __init__(self, low: np.ndarray, high: np.ndarray, entries: np.ndarray, outside: np.ndarray) -> None:
        self.low, self.high, self.entries, self.outside = low, high, entries, outside
        self.offsets = np.concatenate([[0], np.cumsum(high - low + 1)])[:-1].astype(np.int64)

    @classmethod
    def of(cls, schema: Schema) -> _IntegerLookup | None:
        """The lookup of a schema; None where a column holds other values or spans too far."""
        columns = []
        spanned = 0
        for attribute in schema.attributes:
            values = attribute.values
            if attribute.kind != "categorical" or not values or attribute.missing_code < attribute.n_values:
                return None
            if not all(type(value) is int for value in values):
                return None
            low, high = min(values), max(values)  # type: ignore[type-var]
            spanned += high - low + 1  # type: ignore[operator]
            if spanned > _LOOKUP_ENTRIES or not -(2**62) < low <= high < 2**62:  # type: ignore[operator]
                return None
            columns.append((low, high, attribute))
        if not columns:
            return None
        parts = []
        for low, high, attribute in columns:
            part = np.full(high - low + 1, attribute.missing_code, dtype=schema.code_dtype)  # type: ignore[operator]
            part[np.array(attribute.values, dtype=np.int64) - low] = np.arange(len(attribute.values))  # type: ignore[operator]
            parts.append(part)
        return cls(
            np.array([low for low, _, _ in columns], dtype=np.int64),
            np.array([high for _, high, _ in columns], dtype=np.int64),
            np.concatenate(parts),
            np.array([attribute.missing_code for _, _, attribute in columns], dtype=schema.code_dtype),
        )

    def encode(self, array: np.ndarray, codes: np.ndarray, n_jobs: int | None) -> None:
        """Fill ``codes`` (columns, rows) from an integer array (rows, columns)."""
        from seminaive.kernels.encode import integer_codes

        tables = self.low, self.high, self.offsets, self.entries, self.outside
        _by_blocks(lambda block, start: integer_codes(block, *tables, codes, start), array, n_jobs)


def _by_blocks(function: Callable[[np.ndarray, int], Any], array: np.ndarray, n_jobs: int | None) -> None:
    """Call a function on blocks of rows, as int64, and their first rows, in ``n_jobs`` threads."""

    def some(starts: np.ndarray) -> None:
        for start in starts:
            function(np.ascontiguousarray(array[start : start + _BLOCK], dtype=np.int64), start)

    run_blocks(some, np.arange(0, len(array), _BLOCK), n_jobs, work=array.size)


def _learn_bytes(array: np.ndarray, n_jobs: int | None) -> tuple[Schema, np.ndarray, _IntegerLookup] | None:
    """Schema, codes and lookup of integers from 0 to 255, which most coded tables are; else None."""
    from seminaive.kernels.encode import byte_codes

    n_columns = array.shape[1]
    codes = np.empty((n_columns, len(array)), dtype=np.uint8)
    present = np.zeros((n_columns, 256), dtype=bool)
    fits = []
    _by_blocks(lambda block, start: fits.append(byte_codes(block, codes, present, start)), array, n_jobs)
    if not all(fits):
        return None
    values = [np.flatnonzero(column) for column in present]
    schema = Schema(
        tuple(Attribute(f"x{i}", "categorical", tuple(found.tolist())) for i, found in enumerate(values))
    )
    lookup = _IntegerLookup.of(schema)
    if lookup is None or schema.code_dtype != np.uint8:
        return None
    for column, found in enumerate(values):
        if len(found) <= found[-1]:  # some smaller value does not occur
            codes[column] = (np.cumsum(present[column]) - 1).astype(np.uint8)[codes[column]]
    return schema, codes, lookup


def _learn_integers(
    array: np.ndarray, n_jobs: int | None
) -> tuple[Schema, np.ndarray, _IntegerLookup] | None:
    """Schema, codes and lookup of an integer array; None where the values span too far for direct tables."""
    from seminaive.kernels.encode import integer_presence, integer_ranges

    n_columns = array.shape[1]
    low = np.full(n_columns, np.iinfo(np.int64).max)
    high = np.full(n_columns, np.iinfo(np.int64).min)
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        return None
    _by_blocks(lambda block, _: integer_ranges(block, low, high), array, 1)
    spans = [int(top) - int(bottom) + 1 for bottom, top in zip(low, high, strict=True)]
    if sum(spans) > _LOOKUP_ENTRIES:
        return None
    ends = np.cumsum(spans)
    present = np.zeros(ends[-1], dtype=bool)
    _by_blocks(lambda block, _: integer_presence(block, low, ends - spans, present), array, n_jobs)
    attributes = [
        Attribute(
            f"x{column}", "categorical", tuple((np.flatnonzero(present[end - span : end]) + bottom).tolist())
        )
        for column, (bottom, span, end) in enumerate(zip(low.tolist(), spans, ends.tolist(), strict=True))
    ]
    schema = Schema(tuple(attributes))
    lookup = _IntegerLookup.of(schema)
    if lookup is None:
        return None
    codes = np.empty((n_columns, len(array)), dtype=schema.code_dtype)
    lookup.encode(array, codes, n_jobs)
    return schema, codes, lookup
