"""One face for every kind of table: NumPy arrays and whatever data frames narwhals reads.

A column answers two questions: what are its numbers, and what are its distinct values. Both come back as
NumPy arrays; a value is always a plain Python scalar, so that labels match across libraries and dtypes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, Protocol

import numpy as np

__all__ = ["Table", "as_column", "as_table", "factorize_numbers", "factorize_objects", "is_missing"]

Factorized = tuple[np.ndarray, list[Hashable]]
"""Code per row (-1 for missing) and the distinct values that the codes stand for."""


class Table(Protocol):
    """What the encoder needs to know of a table."""

    n_rows: int
    names: list[str]

    def is_numeric(self, column: int) -> bool:
        """Whether the dtype of a column is that of a number."""

    def is_object(self, column: int) -> bool:
        """Whether the dtype says nothing of the values."""

    def take(self, rows: np.ndarray) -> Table:
        """The table of some rows."""

    def declared(self, column: int) -> list[Hashable] | None:
        """Values that the dtype declares, in its order; None where it declares none."""

    def numbers(self, column: int) -> np.ndarray:
        """The column as float64, NaN for missing; ValueError where it holds anything else."""

    def factorize(self, column: int) -> Factorized:
        """Code per row and distinct values."""


def declared_values(frame: Any) -> dict[str, list[Hashable]]:
    """Values that the columns of a data frame declare, by name; none for what is no data frame in memory."""
    import narwhals as nw

    wrapped = nw.from_native(frame, eager_only=True, pass_through=True)
    if not isinstance(wrapped, nw.DataFrame):
        return {}
    table = FrameTable(wrapped)
    declared = {name: table.declared(column) for column, name in enumerate(table.names)}
    return {name: values for name, values in declared.items() if values is not None}


def as_table(X: Any) -> Table:
    """Wrap any supported table.

    Parameters
    ----------
    X : array-like or data frame
        NumPy array or nested list of shape (n_rows, n_columns), pandas, polars or pyarrow table, or
        anything else that narwhals reads eagerly.

    Raises
    ------
    TypeError
        For sparse matrices and lazy frames.
    ValueError
        For repeated column names, and for tables that are not two-dimensional or are empty.
    """
    if isinstance(X, np.ndarray | list | tuple):  # spares the common case the import of narwhals
        return ArrayTable(_as_array(X))
    import narwhals as nw

    lazy = callable(getattr(X, "collect", None))
    names = None if lazy else column_names(X)
    if names is not None and len(set(names)) < len(names):
        repeated = sorted({name for name in names if names.count(name) > 1}, key=str)
        raise ValueError(f"Column names must be unique; repeated: {repeated}. Rename or drop these columns.")
    frame = nw.from_native(_without_views(X), pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(
            f"{type(X).__name__} is a lazy frame, but all rows are needed at once: call its collect() first."
        )
    if not isinstance(frame, nw.DataFrame):
        return ArrayTable(_as_array(X))
    if 0 in frame.shape:
        what = "sample" if frame.shape[0] == 0 else "feature"
        raise ValueError(
            f"Found array with 0 {what}(s) (shape={frame.shape}) while a minimum of 1 is required."
        )
    return FrameTable(frame)


def _without_views(X: Any) -> Any:
    """An arrow table with plain strings in the place of string views, of which Arrow cannot take rows."""
    if type(X).__module__ != "pyarrow.lib" or type(X).__name__ != "Table":
        return X
    import pyarrow as pa

    for position, field in enumerate(X.schema):
        if pa.types.is_string_view(field.type):
            X = X.set_column(position, field.name, X.column(position).cast(pa.large_string()))
    return X


def column_names(X: Any) -> list[Any] | None:
    """Names of the columns of a frame, None for anything else."""
    if isinstance(X, np.ndarray | list | tuple):
        return None
    names = getattr(X, "column_names", None)  # pyarrow, whose columns are arrays
    if names is None:
        names = getattr(X, "columns", None)
    return None if names is None or callable(names) else list(names)


def _as_array(X: Any) -> np.ndarray:
    from sklearn.utils.validation import check_array

    if isinstance(X, np.ma.MaskedArray):
        raise TypeError("Masked arrays are not supported: write X.filled(numpy.nan) to say what is missing.")
    if isinstance(X, list | tuple):
        array = np.asarray(X)
        # as one array of strings, 1 and "1" would be one value
        X = np.array(X, dtype=object) if array.dtype.kind in "US" else array
    array = check_array(X, dtype=None, ensure_all_finite=False)
    if array.dtype.kind not in "biufOUSMm":
        raise TypeError(
            f"Arrays of dtype {array.dtype} are not supported: convert to numbers, strings or objects."
        )
    return array


def as_column(values: Any) -> Any:
    """A series of any library as an array; anything else as it is."""
    if isinstance(values, np.ndarray | list | tuple) or values is None:
        return values
    import narwhals as nw

    series = nw.from_native(values, allow_series=True, pass_through=True)
    return series.to_numpy() if isinstance(series, nw.Series) else values


class ArrayTable:
    """A two-dimensional NumPy array."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.n_rows = array.shape[0]
        self.names = [f"x{column}" for column in range(array.shape[1])]

    def is_numeric(self, column: int) -> bool:
        return self.array.dtype.kind in "iufMm"

    def is_object(self, column: int) -> bool:
        return self.array.dtype.kind == "O"

    def take(self, rows: np.ndarray) -> Table:
        return ArrayTable(self.array[rows])

    def declared(self, column: int) -> list[Hashable] | None:
        return None

    def numbers(self, column: int) -> np.ndarray:
        values = self.array[:, column]
        if values.dtype.kind in "Mm":
            return _microseconds(values)
        if values.dtype.kind in "biuf":
            return np.ascontiguousarray(values, dtype=np.float64)
        return _as_numbers(*self.factorize(column))

    def factorize(self, column: int) -> Factorized:
        values = self.array[:, column]
        if values.dtype.kind in "iuf":
            return factorize_numbers(values)
        if values.dtype.kind in "Mm":  # nanoseconds would become integers, which data frames do not do
            values = values.astype(f"{values.dtype.kind}8[us]")
        return factorize_objects(values)


class FrameTable:
    """A data frame of any library that narwhals reads."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.n_rows = len(frame)
        self.names = [str(name) for name in frame.columns]
        self.dtypes = list(frame.schema.values())
        for column, name in enumerate(self.names if self._is_pandas else []):
            if self.is_object(column) and str(self._series(column).to_native().dtype).startswith("Sparse"):
                raise TypeError(f"Column {name!r} is sparse, which is not supported: make it dense first.")

    def is_numeric(self, column: int) -> bool:
        return self.dtypes[column].is_numeric() or self._is_temporal(column)

    def is_object(self, column: int) -> bool:
        import narwhals as nw

        return self.dtypes[column] in (nw.Object, nw.Unknown)

    def take(self, rows: np.ndarray) -> Table:
        return FrameTable(self.frame[rows])

    def declared(self, column: int) -> list[Hashable] | None:
        import narwhals as nw

        dtype = self.dtypes[column]
        if self._is_pandas and isinstance(dtype, nw.Categorical | nw.Enum):
            series = self._series(column).to_native()
            return [_plain(value) for value in series.cat.categories] if _is_category(series) else None
        return list(dtype.categories) if isinstance(dtype, nw.Enum) else None

    def numbers(self, column: int) -> np.ndarray:
        series = self._series(column)
        if self._is_temporal(column):
            return _microseconds(series.to_numpy())
        if not self.dtypes[column].is_numeric():
            return _as_numbers(*self.factorize(column))
        if self._is_pandas:
            return np.asarray(series.to_native().to_numpy(dtype=np.float64, na_value=np.nan))
        import pyarrow as pa
        import pyarrow.compute as pc

        values = pc.cast(series.to_arrow(), pa.float64())
        return np.asarray(pc.fill_null(values, np.nan).to_numpy(zero_copy_only=False), dtype=np.float64)

    def factorize(self, column: int) -> Factorized:
        series = self._series(column)
        if self.is_object(column):
            cells = np.empty(self.n_rows, dtype=object)
            cells[:] = series.to_list()
            return factorize_objects(cells)
        if self._is_pandas and not str(series.to_native().dtype).startswith("dictionary"):
            return _factorize_pandas(series.to_native())
        return _factorize_arrow(series.to_arrow())

    def _series(self, column: int) -> Any:
        return self.frame[:, column]

    def _is_temporal(self, column: int) -> bool:
        import narwhals as nw

        return self.dtypes[column] in (nw.Date, nw.Datetime, nw.Duration)

    @property
    def _is_pandas(self) -> bool:
        return bool(self.frame.implementation.is_pandas_like())


def _factorize_pandas(series: Any) -> Factorized:
    if _is_category(series):
        codes, values = series.cat.codes.to_numpy(), series.cat.categories
    else:
        try:
            codes, values = series.factorize()  # one pass, where a dict of Python takes two
        except TypeError:
            return factorize_objects(series.to_numpy())  # names the value that cannot be hashed
    return _without_missing(np.asarray(codes, dtype=np.int64), values.tolist())


def _is_category(series: Any) -> bool:
    return str(series.dtype) == "category"


def _factorize_arrow(array: Any) -> Factorized:
    import pyarrow as pa

    if pa.types.is_nested(array.type):
        raise TypeError(
            f"values of type {array.type} cannot be categories. Take them apart into columns of their own"
        )
    if pa.types.is_null(array.type):
        return np.full(len(array), -1, dtype=np.int64), []
    if pa.types.is_string_view(array.type):
        array = array.cast(pa.large_string())
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    if isinstance(array, pa.ChunkedArray):
        array = array.unify_dictionaries().combine_chunks()
        if isinstance(array, pa.ChunkedArray):  # no chunk at all, or several in older versions
            array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    codes = array.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return _without_missing(codes, array.dictionary.to_pylist())


def factorize_objects(values: np.ndarray) -> Factorized:
    """Distinct values of an array of strings, booleans or any hashable objects, in order of appearance."""
    cells = values.tolist()
    try:
        distinct = dict.fromkeys(cells)
    except TypeError:
        culprit = next(value for value in cells if not _is_hashable(value))
        raise TypeError(
            f"{culprit!r} is a {type(culprit).__name__} that cannot be hashed and so be no category. "
            "Turn it into a string, a number or a tuple of these"
        ) from None
    for code, value in enumerate(distinct):
        distinct[value] = code
    codes = np.fromiter(map(distinct.__getitem__, cells), dtype=np.int64, count=len(cells))
    return _without_missing(codes, list(distinct))


def factorize_numbers(values: np.ndarray) -> Factorized:
    """Distinct numbers of an array, ascending; NaN is missing."""
    if values.dtype.kind == "f":
        known = ~np.isnan(values)
        codes = np.full(len(values), -1, dtype=np.int64)
        distinct, codes[known] = np.unique(values[known], return_inverse=True)
        return codes, distinct.tolist()
    if len(values) and int(values.max()) - int(values.min()) < max(65_536, len(values)):
        low = int(values.min())
        wide = (
            values if values.dtype.kind == "u" else values.astype(np.int64)
        )  # differences must not overflow
        shifted = (wide - values.min()).astype(np.int64)
        present = np.zeros(int(shifted.max()) + 1, dtype=bool)
        present[shifted] = True
        return (np.cumsum(present) - 1)[shifted], [low + step for step in np.flatnonzero(present).tolist()]
    distinct, codes = np.unique(values, return_inverse=True)
    return codes, distinct.tolist()


def _without_missing(codes: np.ndarray, values: Sequence[Any]) -> Factorized:
    """Give every missing value the code -1; keep only values that occur, and each of them once."""
    occurs = np.zeros(len(values) + 1, dtype=bool)
    occurs[codes] = True
    index: dict[Hashable, int] = {}
    renumbered = np.full(len(values) + 1, -1, dtype=np.int64)  # the last entry serves code -1
    for code in np.flatnonzero(occurs[:-1]).tolist():
        if not is_missing(values[code]):
            renumbered[code] = index.setdefault(_plain(values[code]), len(index))
    return renumbered[codes], list(index)


def is_missing(value: Any) -> bool:
    """Whether a scalar is None, NaN, pandas.NA, NaT or the like."""
    if value is None:
        return True
    if type(value).__name__ in ("NAType", "NaTType"):  # by name: pandas may not be loaded
        return True
    if isinstance(value, float | np.floating):
        return value != value
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, np.datetime64 | np.timedelta64) and bool(np.isnat(value))


def _plain(value: Any) -> Hashable:
    return value.item() if isinstance(value, np.generic) else value


def _as_numbers(codes: np.ndarray, values: list[Any]) -> np.ndarray:
    """The numbers that factorized values are; ValueError naming the first that is none."""
    for value in values:
        if not isinstance(value, Real | Decimal):
            raise ValueError(f"{value!r} is a {type(value).__name__}, not a number")
    try:
        numbers = [float(value) for value in values]
    except OverflowError:
        raise ValueError("holds numbers beyond the range of floating point") from None
    return np.array([*numbers, np.nan])[codes]


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _microseconds(values: np.ndarray) -> np.ndarray:
    """Dates and durations as numbers in one unit for all libraries, NaN for NaT."""
    unit = f"{'datetime64' if values.dtype.kind == 'M' else 'timedelta64'}[us]"
    numbers = values.astype(unit).astype(np.int64).astype(np.float64)
    numbers[np.isnat(values)] = np.nan
    return numbers
