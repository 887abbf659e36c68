"""Tables from files and back: CSV, TSV, Parquet, Arrow IPC (Feather) and ARFF.

Whatever the format, the answer is an Arrow table that follows the same rules: text stays text, numbers
are numbers, a missing value is a null, and a column whose values were declared beforehand (a nominal
attribute of an ARFF file, a categorical column of a Parquet file) is a dictionary column.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from seminaive.persistence.writing import replacing

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "MISSING_MARKERS",
    "TableFileError",
    "as_numbers",
    "check_readable",
    "check_writable",
    "declared_categories",
    "inferred",
    "is_packed",
    "read_table",
    "reason_of",
    "suffix_of",
    "text_header",
    "write_table",
    "writing",
]

MISSING_MARKERS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
"""What stands for a missing value in a text file unless the caller says otherwise."""

_TEXT = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": None, ".dat": None, ".data": None}
_PARQUET = {".parquet", ".pq"}
_ARROW = {".arrow", ".arrows", ".feather", ".ipc"}
_READABLE = (
    "CSV or TSV (.csv, .tsv, .tab, .txt, .dat, .data), Parquet (.parquet, .pq), Arrow IPC (.arrow, .feather, "
    ".ipc) and ARFF (.arff); text and ARFF files also with .gz"
)


class TableFileError(ValueError):
    """A file cannot be read or written as a table; the message names the file, the place and the remedy."""


def read_table(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    na_values: Collection[str] = MISSING_MARKERS,
    text: Collection[str] = (),
) -> pa.Table:
    """Read a table from a file whose name says the format.

    Parameters
    ----------
    path : str or path-like
        CSV or TSV (``.csv``, ``.tsv``, ``.tab``, ``.txt``, ``.dat``, ``.data``), Parquet (``.parquet``,
        ``.pq``), Arrow IPC (``.arrow``, ``.feather``, ``.ipc``) or ARFF (``.arff``). Text and ARFF files may
        be gzip-compressed (``.csv.gz``). Text is UTF-8 with a header row.
    delimiter : str or None, default=None
        Field separator of a text file. None: tab for ``.tsv`` and ``.tab``; otherwise whichever of comma,
        semicolon, tab and bar is most frequent in the header row.
    na_values : collection of str, default=MISSING_MARKERS
        What stands for a missing value in a text file. An empty field is missing in any case.
    text : collection of str, default=()
        Columns of a text file whose values are kept as they are spelled, even where all are numbers.

    Returns
    -------
    pyarrow.Table
        A column of a text file is int64 if every value is an integer, float64 if every value is a number,
        else text; blanks around a value do not count. Integers with leading zeros (``007``) are codes and
        stay text. True and false, dates and times stay text as well. A nominal ARFF attribute is a
        dictionary column with the declared values in their order.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    TableFileError
        The format is unknown, or the file does not hold a table in it.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "weather.csv"
    >>> _ = file.write_text("outlook,temperature,play\\nsunny,29.5,no\\n?,21,yes\\n")
    >>> read_table(file).to_pydict()
    {'outlook': ['sunny', None], 'temperature': [29.5, 21.0], 'play': ['no', 'yes']}
    """
    path = Path(path)
    check_readable(path)
    suffix = suffix_of(path)
    if suffix in _TEXT:
        table = _read_text(path, delimiter, na_values, text)
    elif suffix in _PARQUET:
        table = _read_parquet(path)
    elif suffix in _ARROW:
        table = _read_arrow(path)
    else:
        table = _read_arff(path)
    return _with_unique_names(table, path).unify_dictionaries()


def write_table(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write a table as CSV (``.csv``, ``.tsv`` with tabs, also ``.gz``) or Parquet (``.parquet``, ``.pq``).

    The file appears complete or not at all: it is written under another name and renamed.

    Parameters
    ----------
    table : pyarrow.Table
        What to write. A null becomes an empty field of a CSV file.
    path : str or path-like
        Where to. An existing file is replaced.

    Raises
    ------
    TableFileError
        The file type is unknown, or the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib, pyarrow as pa
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "out.csv"
    >>> write_table(pa.table({"a": [1, None], "b": ["x", "y"]}), file)
    >>> read_table(file).to_pydict()
    {'a': [1, None], 'b': ['x', 'y']}
    """
    path = Path(path)
    suffix = _writable_suffix(path)
    with writing(path) as stream:
        if suffix in _PARQUET:
            import pyarrow.parquet

            pyarrow.parquet.write_table(table, stream)
        else:
            _write_text(table, stream, delimiter=_TEXT[suffix] or ",", compressed=is_packed(path))


def check_readable(path: str | os.PathLike[str]) -> None:
    """Raise at once what can be seen without opening the file.

    Parameters
    ----------
    path : str or path-like
        The file to be read.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    TableFileError
        It is a folder, or of an unknown type.

    Examples
    --------
    >>> check_readable("/")
    Traceback (most recent call last):
    ...
    seminaive.sources.files.TableFileError: /: this is a folder; name a file in it
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such file")
    if path.is_dir():
        raise TableFileError(f"{path}: this is a folder; name a file in it")
    if suffix_of(path) not in {*_TEXT, *_PARQUET, *_ARROW, ".arff"}:
        raise TableFileError(f"{path}: unknown file type {path.suffix!r}; readable are {_READABLE}")


def check_writable(path: str | os.PathLike[str], *, table: bool = True) -> None:
    """Raise before the work begins what writing would raise after it.

    Parameters
    ----------
    path : str or path-like
        Where the result will be written.
    table : bool, default=True
        Whether it is a table, so that the file type has to be one of those of `write_table`.

    Raises
    ------
    TableFileError
        The file type is unknown, the folder does not exist or is not writable, or a folder has this name.

    Examples
    --------
    >>> check_writable("predictions.xlsx")
    Traceback (most recent call last):
    ...
    seminaive.sources.files.TableFileError: predictions.xlsx: cannot write '.xlsx'; use .csv, .tsv or .parquet
    """
    path = Path(path)
    if table:
        _writable_suffix(path)
    if path.is_dir():
        raise TableFileError(f"{path}: this is a folder; add a file name")
    if not path.parent.is_dir():
        raise TableFileError(f"{path}: there is no folder {str(path.parent)!r}; make it first")
    if not os.access(path.parent, os.W_OK):
        raise TableFileError(f"{path}: no permission to write into {str(path.parent)!r}")


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when the block ends well, and vanishes otherwise.

    Parameters
    ----------
    path : str or path-like
        The file to be written or replaced.

    Yields
    ------
    binary file
        Open for writing, in the same folder.

    Raises
    ------
    TableFileError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "a"
    >>> with writing(file) as stream:
    ...     _ = stream.write(b"whole")
    >>> file.read_bytes()
    b'whole'
    """
    path = Path(path)
    check_writable(path, table=False)
    try:
        with replacing(path) as stream:
            yield stream
    except OSError as error:
        raise TableFileError(f"{path}: cannot be written: {error.strerror or error}") from error


def declared_categories(table: pa.Table) -> dict[str, list[Any]]:
    """Values declared for the dictionary columns of a table, by column name.

    Parameters
    ----------
    table : pyarrow.Table
        As `read_table` returns it.

    Returns
    -------
    dict of str to list
        Declared values in their order; values that occur in no row are among them.

    Examples
    --------
    >>> import pyarrow as pa
    >>> column = pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["yes", "no"]))
    >>> declared_categories(pa.table({"a": column, "b": [1, 2]}))
    {'a': ['yes', 'no']}
    """
    import pyarrow as pa

    declared = {}
    for name in table.column_names:
        column = table[name]
        if pa.types.is_dictionary(column.type) and column.num_chunks:
            declared[name] = column.unify_dictionaries().chunk(0).dictionary.to_pylist()
    return declared


def as_numbers(column: pa.ChunkedArray, name: str, source: str | os.PathLike[str]) -> pa.ChunkedArray:
    """Turn a column of text, truth values or numbers into numbers.

    Parameters
    ----------
    column : pyarrow.ChunkedArray
        The column.
    name, source : str
        Column and file, for the message.

    Returns
    -------
    pyarrow.ChunkedArray
        The same values as int64 or float64; nulls stay nulls.

    Raises
    ------
    TableFileError
        A value is no number: names file, column, row and value.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_numbers(pa.chunked_array([["1", "2.5", None]]), "a", "file.csv").to_pylist()
    [1.0, 2.5, None]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return column
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_boolean(column.type):
        return column.cast(pa.int64())
    if pa.types.is_decimal(column.type) or pa.types.is_null(column.type):
        return column.cast(pa.float64())
    numbers = None
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = pc.utf8_trim_whitespace(column)
        numbers = _cast(column, pa.int64())
        numbers = _cast(column, pa.float64()) if numbers is None else numbers
    if numbers is None:
        row, value = next((i, v) for i, v in enumerate(column, 1) if not _is_number(v))
        raise TableFileError(
            f"{source}: column {name!r}, row {row}: {value.as_py()!r} is not a number; "
            "correct it, name it as a missing marker, or treat the column as categorical"
        )
    return numbers


# --- text ----------------------------------------------------------------------------------------------


def _read_text(
    path: Path, delimiter: str | None, na_values: Collection[str], text: Collection[str]
) -> pa.Table:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv

    names, delimiter = text_header(path, delimiter)

    def parse(use_threads: bool) -> pa.Table:
        # all columns as text first, so that one rule for kinds holds whatever the blocks of the file contain
        return pyarrow.csv.read_csv(
            pa.input_stream(str(path), compression="gzip" if is_packed(path) else None),
            read_options=pyarrow.csv.ReadOptions(use_threads=use_threads),
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        )

    try:
        try:
            table = parse(use_threads=True)
        except pa.ArrowInvalid:
            table = parse(use_threads=False)  # only the serial reader says which row is at fault
    except (pa.ArrowInvalid, OSError) as error:
        raise TableFileError(f"{path}: {reason_of(error)}") from error
    _refuse_open_quote(table, path)

    markers = pa.array(sorted({"", *na_values}), pa.string())
    columns = []
    for column, name in zip(table.columns, names, strict=True):
        trimmed = pc.utf8_trim_whitespace(column)
        known = pc.if_else(pc.is_in(trimmed, value_set=markers), pa.scalar(None, pa.string()), trimmed)
        columns.append(known if name.strip() in text else inferred(known))
    return pa.table(columns, names=[name.strip() or f"column {i}" for i, name in enumerate(names, 1)])


def text_header(path: Path, delimiter: str | None) -> tuple[list[str], str]:
    """Names of the columns as they stand in the header row, and the delimiter."""
    try:
        with _open_text(path) as lines:
            first = next((line for line in lines if line.strip("\r\n")), "")
            if delimiter is None:
                known = _TEXT[suffix_of(path)]
                delimiter = "\t" if known == "\t" else max(",;\t|", key=first.count)
            elif len(delimiter) != 1:
                raise TableFileError(f"{path}: a delimiter is one character, not {delimiter!r}")
            names = next(
                csv.reader([first, *([] if first.count('"') % 2 == 0 else lines)], delimiter=delimiter), []
            )
    except UnicodeDecodeError as error:
        raise TableFileError(f"{path}: {reason_of(error)}") from error
    except (OSError, EOFError, csv.Error) as error:
        raise TableFileError(f"{path}: cannot be read: {error}") from error
    if not names:
        raise TableFileError(
            f"{path}: the file is empty; a header row with the names of the columns is needed"
        )
    return names, delimiter


def inferred(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Integers, else floats, else the text as it is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.null_count == len(column):
        return column
    integers = _cast(column, pa.int64())
    if integers is not None:
        # 007 is a code, and 0x1F would pass as an integer
        return column if pc.any(pc.match_substring_regex(column, "^-?0[0-9xX]")).as_py() else integers
    floats = _cast(column, pa.float64())
    return column if floats is None else floats


def _refuse_open_quote(table: pa.Table, path: Path) -> None:
    """A quote that is never closed swallows the rest of the file without an error of the parser."""
    last = table.slice(max(0, table.num_rows - 1)).to_pylist()
    if any("\n" in value for row in last for value in row.values() if value):
        with _open_text(path) as lines:
            if sum(line.count('"') for line in lines) % 2:
                raise TableFileError(f'{path}: row {table.num_rows}: a quote (") is opened and never closed')


def _write_text(table: pa.Table, stream: BinaryIO, *, delimiter: str, compressed: bool) -> None:
    import pyarrow as pa
    import pyarrow.csv

    options = pyarrow.csv.WriteOptions(delimiter=delimiter)
    plain = pa.table(
        [
            column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
            for column in table.columns
        ],
        names=table.column_names,
    )
    if not compressed:
        pyarrow.csv.write_csv(plain, stream, options)
        return
    with pa.CompressedOutputStream(pa.PythonFile(stream, "w"), "gzip") as packed:
        pyarrow.csv.write_csv(plain, packed, options)


# --- binary --------------------------------------------------------------------------------------------


def _read_parquet(path: Path) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet

    try:
        return pyarrow.parquet.ParquetFile(path).read()
    except (pa.ArrowException, OSError) as error:
        raise TableFileError(f"{path}: not a readable Parquet file: {_first_line(error)}") from error


def _read_arrow(path: Path) -> pa.Table:
    import pyarrow as pa

    openers: list[Callable[[Any], Any]] = [pa.ipc.open_file, pa.ipc.open_stream]
    reason: Exception | None = None
    for opener in openers:
        try:
            with pa.OSFile(str(path)) as stream:
                return opener(stream).read_all()
        except (pa.ArrowException, OSError) as error:
            reason = reason or error
    raise TableFileError(f"{path}: not a readable Arrow IPC file: {_first_line(reason)}")


# --- ARFF ----------------------------------------------------------------------------------------------


def _read_arff(path: Path) -> pa.Table:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        import arff  # type: ignore[import-untyped]
    except ImportError as error:
        raise TableFileError(f"{path}: reading ARFF needs a package: pip install liac-arff") from error
    try:
        with _open_text(path) as lines:
            # a comment may follow the declared values, but the parser knows comments only as whole lines
            content = arff.load(
                re.sub(r"(^\s*@attribute.*})\s*%.*", r"\1", line, flags=re.I) for line in lines
            )
    except UnicodeDecodeError as error:
        raise TableFileError(f"{path}: {reason_of(error)}") from error
    except (arff.ArffException, OSError, EOFError, ValueError) as error:
        raise TableFileError(f"{path}: not readable as ARFF: {_first_line(error)}") from error
    values = zip(*content["data"], strict=True) if content["data"] else [()] * len(content["attributes"])
    columns = []
    for (_, kind), column in zip(content["attributes"], values, strict=True):
        if isinstance(kind, str):  # NUMERIC, REAL, INTEGER or STRING
            numeric = {"STRING": pa.string(), "INTEGER": pa.int64()}.get(kind, pa.float64())
            columns.append(pa.chunked_array([pa.array(column, numeric, from_pandas=True)]))
        else:
            labels = pa.array([label for label in kind if label != "?"], pa.string())
            codes = pc.index_in(pa.array(column, pa.string()), value_set=labels)
            columns.append(pa.chunked_array([pa.DictionaryArray.from_arrays(codes, labels)]))
    return pa.table(columns, names=[name for name, _ in content["attributes"]])


# --- shared --------------------------------------------------------------------------------------------


def suffix_of(path: Path) -> str:
    """Extension in lower case, without the one of the compression."""
    return (path.with_suffix("") if is_packed(path) else path).suffix.lower()


def is_packed(path: Path) -> bool:
    """Whether a file is compressed as a whole."""
    return path.suffix.lower() == ".gz"


def _writable_suffix(path: Path) -> str:
    suffix = suffix_of(path)
    if suffix in (".csv", ".tsv") or (suffix in _PARQUET and not is_packed(path)):
        return suffix
    raise TableFileError(f"{path}: cannot write {path.suffix!r}; use .csv, .tsv or .parquet")


def _open_text(path: Path) -> io.TextIOWrapper:
    import gzip

    raw = gzip.open(path, "rb") if is_packed(path) else path.open("rb")  # noqa: SIM115 - the caller closes it
    return io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")


def _with_unique_names(table: pa.Table, path: Path) -> pa.Table:
    names = table.column_names
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        listed = ", ".join(map(repr, twice))
        raise TableFileError(
            f"{path}: column name {listed} occurs more than once; every column needs its own name"
        )
    return table


def _cast(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray | None:
    import pyarrow as pa

    try:
        return column.cast(kind)
    except pa.ArrowInvalid:
        return None


def _is_number(value: pa.Scalar) -> bool:
    import pyarrow as pa

    try:
        value.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    return True


def reason_of(error: Exception) -> str:
    """What a reader of CSV complains about, with what to do about it."""
    message = _first_line(error)
    if isinstance(error, UnicodeDecodeError) or "UTF8" in message:
        return "the text is not UTF-8; save it as UTF-8 (for instance: iconv -f latin1 -t utf-8)"
    if "Expected" in message and "columns" in message:
        return f"{message}; every row needs as many fields as the header (is the delimiter right?)"
    if "Empty CSV" in message:
        return "the file is empty; a header row with the names of the columns is needed"
    return f"cannot be read: {message}"


def _first_line(error: Exception | None) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
