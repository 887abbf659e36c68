"""From files to what a classifier is given, and messages about what does not fit."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

MANY = 12


@dataclass(frozen=True)
class Training:
    """A table with its target, ready for fitting.

    Attributes
    ----------
    source : str
        Where it comes from, for messages.
    target : str
        Name of the target.
    X : pyarrow.Table
    y : ndarray of shape (n_rows,)
    categorical : list of str
        Categorical columns of X, all others are numeric.
    declared : dict of str to list
        Values that the file declares for some of them.
    weights : ndarray of float64, shape (n_rows,), or None
        What a row counts; None where all count once.
    """

    source: str
    target: str
    X: pa.Table
    y: np.ndarray
    categorical: list[str]
    declared: dict[str, list[Any]]
    weights: np.ndarray | None = None

    @property
    def encoding(self) -> dict[str, Any]:
        """Parameters that tell a classifier which columns are what."""
        return {"categorical_features": self.categorical, "categories": self.declared or None}

    def describe(self) -> str:
        """Size of the table and its classes, in two lines."""
        import numpy as np

        n_numeric = self.X.num_columns - len(self.categorical)
        cells = self.X.num_rows * self.X.num_columns
        missing = sum(column.null_count for column in self.X.columns)
        labels, counts = np.unique(self.y, return_counts=True)
        listed = ", ".join(f"{label} {count}" for label, count in zip(labels, counts, strict=True))
        if len(labels) > MANY:
            listed = f"{counts.min()} to {counts.max()} rows each"
        return (
            f"{self.source}: {number(self.X.num_rows, 'row')}, {number(self.X.num_columns, 'attribute')} "
            f"({n_numeric} numeric, {len(self.categorical)} categorical), "
            + (f"{100 * missing / cells:.2g} % of the cells missing\n" if missing else "nothing missing\n")
            + f"target {self.target!r}: {number(len(labels), 'class', 'es')} ({listed})"
        )


def load_training(
    data: Path,
    target: str,
    *,
    categorical: Sequence[str] | None,
    numeric: Sequence[str] | None,
    drop: Sequence[str] | None,
    na_values: Sequence[str] | None,
    delimiter: str | None,
    weight: str | None = None,
    absent: set[str] | None = None,
) -> Training:
    """Read a table and split off its target, and the column of weights where there is one.

    A named column that the table does not have is an error, unless there is a set `absent` to put it in.
    """
    import pyarrow as pa

    from seminaive.sources.files import as_numbers, declared_categories, read_table

    asked = [*(categorical or []), *(part for name in categorical or [] for part in _split(name))]
    table = read_table(data, text=asked, **reading_options(na_values, delimiter))
    if target not in table.column_names:
        raise ValueError(f"{data}: there is no column {target!r}{_instead(target, table.column_names)}")
    weights = _weights(table, weight, target, data)
    names = [name for name in table.column_names if name not in (target, weight)]
    categories, numbers, dropped = (
        _columns(option, wanted, names, data, absent)
        for option, wanted in (("--categorical", categorical), ("--numeric", numeric), ("--drop", drop))
    )
    both = sorted({*categories} & {*numbers})
    if both:
        raise ValueError(f"column {both[0]!r} is named by --categorical and by --numeric; choose one")
    names = [name for name in names if name not in dropped]
    if not names:
        raise ValueError(f"{data}: no column besides the target {target!r} is left to predict from")
    if table.num_rows == 0:
        raise ValueError(f"{data}: the table has a header but no rows")
    y = _labels(table[target], target, data)
    columns = {
        name: as_numbers(table[name], name, data) if name in numbers else table[name] for name in names
    }
    X = pa.table(columns)
    kinds = [name for name in names if name in categories or not _is_numeric(X[name].type)]
    _warn_of_identifiers(X, kinds)
    declared = {name: values for name, values in declared_categories(X).items() if name in kinds}
    return Training(data.name, target, X, y, kinds, declared, weights)


def load_cases(data: Path, model: Any, *, na_values: Sequence[str] | None, delimiter: str | None) -> pa.Table:
    """Read the columns that a model needs, in its order and with its values; other columns do not matter."""
    return _cases(_table_for(data, model, na_values, delimiter), data, model)


def load_part(
    data: Path,
    target: str,
    encoder: Any,
    *,
    na_values: Sequence[str] | None,
    delimiter: str | None,
    weight: str | None = None,
) -> Training:
    """Read a table with its target as a fitted encoder knows its columns."""
    table = _table_for(data, encoder, na_values, delimiter)
    if target not in table.column_names:
        raise ValueError(f"{data}: there is no column {target!r}{_instead(target, table.column_names)}")
    if table.num_rows == 0:
        raise ValueError(f"{data}: the table has a header but no rows")
    kinds = [attribute.name for attribute in encoder.schema_.attributes if attribute.kind == "categorical"]
    y = _labels(table[target], target, data)
    weights = _weights(table, weight, target, data)
    return Training(data.name, target, _cases(table, data, encoder), y, kinds, {}, weights)


def _table_for(data: Path, model: Any, na_values: Sequence[str] | None, delimiter: str | None) -> pa.Table:
    """Read a table, keeping the spelling of what the model knows as categories."""
    from seminaive.sources.files import read_table

    if not hasattr(model, "feature_names_in_"):
        raise ValueError(
            "the model was fitted on an array without column names, so columns of a file cannot be matched; "
            "fit it on a table with names, as `seminaive fit` does"
        )
    text = [attribute.name for attribute in model.schema_.attributes if attribute.kind == "categorical"]
    return read_table(data, text=text, **reading_options(na_values, delimiter))


def _cases(table: pa.Table, data: Path, model: Any) -> pa.Table:
    import pyarrow as pa

    from seminaive.sources.files import as_numbers

    attributes = model.schema_.attributes
    absent = [attribute.name for attribute in attributes if attribute.name not in table.column_names]
    if absent:
        others = [name for name in table.column_names if name not in model.feature_names_in_]
        near = _instead(absent[0], others) if len(absent) == 1 else ""
        raise ValueError(
            f"{data}: the model needs {number(len(absent), 'column')} that the table does not have: "
            f"{_listed(absent)}{near}"
        )
    return pa.table(
        {
            attribute.name: as_numbers(table[attribute.name], attribute.name, data)
            if attribute.kind == "numeric"
            else match_labels(table[attribute.name], attribute.values, attribute.name)
            for attribute in attributes
        }
    )


def match_labels(column: pa.ChunkedArray, values: Collection[Any], name: str) -> pa.ChunkedArray:
    """The values of a column as a model knows them, whatever type the file gives them.

    A number that is spelled or stored in another way (``1``, ``1.0``, ``"1"``) is the value of the model
    that is the same number; true and false match truth values. Values that the model does not know stay.
    """
    import pyarrow as pa

    as_text = all(isinstance(value, str) for value in values)
    if not as_text and any(isinstance(value, str) for value in values):
        raise ValueError(
            f"column {name!r}: the model knows text and other values of this column, which no file can hold; "
            "predict from Python"
        )
    known = {value: value for value in values}
    same = {_meaning(value): value for value in reversed(list(values))}
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    encoded = encoded.unify_dictionaries()
    found = encoded.chunk(0).dictionary.to_pylist() if encoded.num_chunks else []
    labels = []
    for value in found:
        exact = type(value) is str or not as_text
        label = known[value] if exact and value in known else same.get(_meaning(value))
        if label is None and as_text and value is not None:
            label = str(value)
        elif label is None and not isinstance(value, str):
            label = value
        elif label is None:
            from seminaive import UnseenValueWarning

            warnings.warn(
                f"Column {name!r}: the value {value!r} is unknown to the model and is treated as missing.",
                UnseenValueWarning,
                stacklevel=2,
            )
        labels.append(label)
    dictionary = pa.array(labels, pa.string()) if as_text else pa.array(labels)
    return pa.chunked_array(
        [dictionary.take(chunk.indices) for chunk in encoded.chunks], type=dictionary.type
    )


def _meaning(value: Any) -> Any:
    """What two spellings of one value have in common."""
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return float(value)
    except (TypeError, ValueError):
        return value.lower() if isinstance(value, str) and value.lower() in ("true", "false") else value


def _labels(column: pa.ChunkedArray, target: str, data: Path) -> np.ndarray:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), None, column)
    if column.null_count:
        raise ValueError(
            f"{data}: the target {target!r} is missing in {column.null_count:,} of {len(column):,} rows; "
            "remove these rows, or, if a marker of missing values is a class here, set --na-values"
        )
    if pa.types.is_floating(column.type):
        values = column.to_numpy()
        if not np.array_equal(values, np.trunc(values)) or np.isinf(values).any():
            raise ValueError(
                f"{data}: the target {target!r} holds fractional numbers, but a classifier needs classes; "
                "name another column, or put the numbers into classes first"
            )
        return values.astype(np.int64)
    if pa.types.is_integer(column.type) or pa.types.is_boolean(column.type):
        return np.asarray(column.to_numpy())
    return np.array([str(value) for value in column.to_pylist()], dtype=object)


def _weights(table: pa.Table, weight: str | None, target: str, data: Path) -> np.ndarray | None:
    import numpy as np
    import pyarrow as pa

    from seminaive.sources.files import as_numbers

    if weight is None:
        return None
    if weight == target:
        raise ValueError(f"--weight and --target both name the column {target!r}")
    if weight not in table.column_names:
        raise ValueError(f"{data}: there is no column {weight!r}{_instead(weight, table.column_names)}")
    weights = as_numbers(table[weight], weight, data).cast(pa.float64()).to_numpy()
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise ValueError(
            f"{data}: the weight {weight!r} is {weights[wrong[0]]} in row {wrong[0] + 1}; weights must be "
            "finite numbers >= 0"
        )
    return weights


def _warn_of_identifiers(X: pa.Table, categorical: Collection[str]) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    n = X.num_rows
    if n < 2 * MANY:
        return
    for name in X.column_names:
        column = X[name]
        if name in categorical:
            if not pa.types.is_dictionary(column.type) and pc.count_distinct(column).as_py() == n:
                warnings.warn(
                    f"Column {name!r} has another value in every row, so it says nothing about new rows; "
                    f"leave it out with --drop {name!r}.",
                    UserWarning,
                    stacklevel=2,
                )
        elif pa.types.is_integer(column.type) and not column.null_count:
            ends = pc.min_max(column).as_py()
            if ends["max"] - ends["min"] == n - 1 and pc.count_distinct(column).as_py() == n:
                warnings.warn(
                    f"Column {name!r} looks like a row number, which gives the classes away if the rows are "
                    f"sorted by them; leave it out with --drop {name!r}.",
                    UserWarning,
                    stacklevel=2,
                )


def _is_numeric(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_temporal(kind)
    )


def _columns(
    option: str, wanted: Sequence[str] | None, names: Sequence[str], data: Path, absent: set[str] | None
) -> list[str]:
    """Names given to an option, each a whole name or a comma-separated list."""
    chosen = [part for entry in wanted or [] for part in ([entry] if entry in names else _split(entry))]
    for name in chosen:
        if name not in names and absent is None:
            raise ValueError(f"{option}: {data} has no attribute {name!r}{_instead(name, names)}")
    if absent is not None:
        absent.update(name for name in chosen if name not in names)
    return [name for name in chosen if name in names]


def reading_options(na_values: Sequence[str] | None, delimiter: str | None) -> dict[str, Any]:
    """Options of readers of text files from those of the command line."""
    options: dict[str, Any] = {"delimiter": {"\\t": "\t", "tab": "\t"}.get(delimiter or "", delimiter)}
    if na_values is not None:
        options["na_values"] = [part for entry in na_values for part in _split(entry)]
    return options


def split_names(entries: Sequence[str] | None) -> list[str]:
    """Names of an option that may be repeated, each a comma-separated list."""
    return [part for entry in entries or [] for part in _split(entry)]


def _split(entry: str) -> list[str]:
    return [part.strip() for part in entry.split(",") if part.strip()]


def _instead(name: str, names: Sequence[str]) -> str:
    """What the user may have meant, or all names where there are few."""
    folded = {other.lower(): other for other in names}
    near = [folded[other] for other in difflib.get_close_matches(name.lower(), folded, n=3, cutoff=0.6)]
    if near:
        return f"; did you mean {' or '.join(map(repr, near))}?"
    return f"; the columns are {_listed(names)}" if names else ""


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:MANY]))
    return shown + (f" and {len(names) - MANY} more" if len(names) > MANY else "")


def number(count: int, noun: str, plural: str = "s") -> str:
    """A number of things in words."""
    return f"{count:,} {noun}{'' if count == 1 else plural}"
