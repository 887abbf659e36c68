"""Files and streams of Arrow record batches: Parquet, CSV, Arrow IPC, data sets, whatever makes batches."""

from __future__ import annotations

import codecs
import contextlib
import glob
import itertools
import os
import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seminaive.data.table import declared_values
from seminaive.data.text_dictionary import TextDictionary
from seminaive.sources.base import SourceError, check_columns, check_unique
from seminaive.sources.files import MISSING_MARKERS, inferred, is_packed, reason_of, text_header
from seminaive.sources.local import BATCH_ROWS, LocalSource, ahead

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["scan_arrow", "scan_csv", "scan_parquet"]

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
_SAMPLE = 2**20  # bytes at the beginning of a text file that say what its columns hold
_TEXT_BLOCK = 2**22  # bytes of a text file that one thread parses at a time
_TEXT_BLOCKS = 4  # of these at a time where several threads parse; measured


def scan_parquet(
    paths: Paths,
    *,
    target: str | None = None,
    weight: str | None = None,
    drop: Sequence[str] = (),
    batch_rows: int = BATCH_ROWS,
) -> LocalSource:
    """Rows of Parquet files, which are read in batches and never have to fit in memory.

    Parameters
    ----------
    paths : str, path-like or iterable of these
        A file, a folder (all ``.parquet`` and ``.pq`` files in it), a pattern such as ``"data/*.parquet"``,
        or several of these. Files are read in the order of their names.
    target : str, default=None
        Column of the class; predicting needs none.
    weight : str, default=None
        Column of the weight of every row.
    drop : sequence of str, default=()
        Columns to leave aside, such as row numbers.
    batch_rows : int, default=262144
        Rows that are decoded at a time. The result does not depend on it.

    Returns
    -------
    LocalSource
        For ``fit_source``, ``predict_source``, ``count_source`` and ``evaluate_source``.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    SourceError
        A file cannot be read, or has other columns than the first; the message names file and column.

    Notes
    -----
    Files may have their columns in different orders, and text columns may be dictionaries here and plain
    there, and of other values in every row group. Dictionaries are used as they come: a value is looked at
    once, not once for every row. A dictionary does not declare the values of a column (``categories=`` does).

    Examples
    --------
    >>> import pathlib, tempfile, pyarrow as pa, pyarrow.parquet as pq
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> pq.write_table(pa.table({"sky": ["clear", "rain"], "go": ["yes", "no"]}), folder / "1.parquet")
    >>> pq.write_table(pa.table({"go": ["no", "yes"], "sky": ["haze", "clear"]}), folder / "2.parquet")
    >>> from seminaive import NaiveBayes
    >>> model = NaiveBayes().fit_source(scan_parquet(folder, target="go"))
    >>> model.schema_[0].values, model.class_count_.tolist()
    (('clear', 'haze', 'rain'), [2.0, 2.0])
    """
    found = _existing(paths, (".parquet", ".pq"))
    return LocalSource([_ParquetPart(path, batch_rows) for path in found], target, weight, drop)


def scan_csv(
    paths: Paths,
    *,
    target: str | None = None,
    weight: str | None = None,
    drop: Sequence[str] = (),
    types: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    na_values: Collection[str] = MISSING_MARKERS,
) -> LocalSource:
    """Rows of CSV or TSV files, also gzip-compressed, which never have to fit in memory.

    Parameters
    ----------
    paths : str, path-like or iterable of these
        As in `scan_parquet`; of a folder all ``.csv`` and ``.tsv`` files, also ``.gz``.
    target : str, default=None
        Column of the class; predicting needs none.
    weight : str, default=None
        Column of the weight of every row.
    drop : sequence of str, default=()
        Columns to leave aside, such as row numbers.
    types : dict of str to {"text", "integer", "number"}, default=None
        What columns hold. The others hold what the first megabyte of every file says: integers, numbers, or
        text.
    delimiter : str, default=None
        Field separator. None: tab for ``.tsv``; otherwise whichever of comma, semicolon, tab and bar is most
        frequent in the header row.
    na_values : collection of str
        What stands for a missing value. An empty field is missing in any case.

    Returns
    -------
    LocalSource

    Raises
    ------
    FileNotFoundError
        There is no such file.
    SourceError
        A file cannot be read, or has other columns than the first. While rows are read: a value does not
        have the type of its column; the message names file and column, and ``types=`` mends it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "days.csv"
    >>> _ = file.write_text("sky,go\\nclear,yes\\nrain,no\\n?,no\\n")
    >>> from seminaive import NaiveBayes
    >>> NaiveBayes().fit_source(scan_csv(file, target="go")).schema_[0].values
    ('clear', 'rain')
    """
    import pyarrow as pa

    found = _existing(paths, (".csv", ".tsv", ".csv.gz", ".tsv.gz"))
    given = dict(types or {})
    parts: list[Any] = [_CsvPart(path, delimiter, na_values, given) for path in found]
    strange = [name for name in given if name not in parts[0].schema.names]
    if strange:
        raise SourceError(
            f"{parts[0].name}: there is no column {strange[0]!r} (types=; --categorical, --numeric). "
            f"Columns: {parts[0].names}."
        )
    for name in parts[0].schema.names:
        having = [part for part in parts if name in part.schema.names]
        kinds = {part.schema.field(name).type for part in having} - {pa.null()}
        is_number = kinds >= {pa.float64(), pa.int64()}  # whole numbers in one file, others in the next
        for part in having:
            data_type = part.schema.field(name).type
            if is_number and data_type == pa.int64():
                part.retype(name, pa.float64())
            elif data_type == pa.null() and len(kinds - {pa.int64()} if is_number else kinds) == 1:
                part.retype(name, pa.float64() if is_number else next(iter(kinds)))
    return LocalSource(parts, target, weight, drop)


def scan_arrow(
    data: Any,
    *,
    target: str | None = None,
    weight: str | None = None,
    drop: Sequence[str] = (),
    batch_rows: int = BATCH_ROWS,
) -> LocalSource:
    """Rows of Arrow record batches, wherever they come from.

    Parameters
    ----------
    data : many kinds
        - Paths of Arrow IPC files (``.arrow``, ``.feather``, ``.ipc``), as in `scan_parquet`.
        - A ``pyarrow.dataset.Dataset``, of any format and file system, with partitions.
        - A function without arguments that returns an iterator of record batches, or a
          ``RecordBatchReader``: it is called anew for every pass over the rows.
        - An Arrow table, a frame of polars or pandas, a DuckDB relation, or anything else with
          ``__arrow_c_stream__``. A ``category`` of pandas and an ``Enum`` of polars declare values, as in
          ``fit``.
        - A ``RecordBatchReader`` or an iterator of record batches, which can be read only once. That is
          enough for classifiers that need one pass: naive Bayes and the AODE family, where no column is
          numeric.
    target : str, default=None
        Column of the class; predicting needs none.
    weight : str, default=None
        Column of the weight of every row.
    drop : sequence of str, default=()
        Columns to leave aside, such as row numbers.
    batch_rows : int, default=262144
        The most rows that are counted at a time. The result does not depend on it.

    Returns
    -------
    LocalSource

    Raises
    ------
    TypeError
        For anything else.
    SourceError
        There is no such column, or batches have other columns than the first.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from seminaive import AODE
    >>> def batches():
    ...     yield pa.record_batch({"sky": ["clear", "rain"], "wind": ["no", "yes"], "go": ["yes", "no"]})
    ...     yield pa.record_batch({"sky": ["haze"], "wind": ["no"], "go": ["yes"]})
    >>> AODE().fit_source(scan_arrow(batches, target="go")).classes_.tolist()
    ['no', 'yes']
    """
    import pyarrow as pa

    part: Any
    if _are_paths(data):
        found = _existing(data, (".arrow", ".arrows", ".feather", ".ipc"))
        parts: list[Any] = [_IpcPart(path, batch_rows) for path in found]
        return LocalSource(parts, target, weight, drop)
    if hasattr(data, "get_fragments") and hasattr(data, "scanner"):
        part = _DatasetPart(data, batch_rows)
    elif isinstance(data, pa.RecordBatchReader | Iterator):
        part = _StreamPart(lambda: data, batch_rows, once=True)
    elif hasattr(data, "__arrow_c_stream__") or isinstance(data, list | tuple):
        part = _StreamPart(lambda: data, batch_rows)
    elif callable(data):
        part = _StreamPart(data, batch_rows)
    elif isinstance(data, pa.RecordBatch):
        part = _StreamPart(lambda: [data], batch_rows)
    else:
        raise TypeError(
            f"scan_arrow cannot read a {type(data).__name__}. Give record batches, a function that makes "
            "them, a pyarrow data set, a table or paths."
        )
    return LocalSource([part], target, weight, drop, declared_values(data))


def _are_paths(data: Any) -> bool:
    if isinstance(data, list | tuple) and data:
        data = data[0]
    return isinstance(data, str | os.PathLike)


def _existing(paths: Paths, suffixes: tuple[str, ...]) -> list[Path]:
    """Files of paths, folders and patterns, those of a folder or a pattern in the order of their names."""
    found: list[Path] = []
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        path = Path(path)
        if path.is_dir():
            files = sorted(f for f in path.iterdir() if f.name.lower().endswith(suffixes))
        elif path.exists():
            files = [path]
        else:
            files = sorted(Path(name) for name in glob.glob(str(path), recursive=True))
        if not files:
            what = f"no file that ends in {' or '.join(suffixes)}" if path.is_dir() else "no such file"
            raise FileNotFoundError(f"{path}: there is {what}")
        found += files
    if not found:
        raise FileNotFoundError("there is no file to read: the list of paths is empty")
    return found


def _identity(path: Path) -> str:
    state = path.stat()
    return f"{path.resolve()} of {state.st_size} bytes, changed at {state.st_mtime_ns}"


def _without(batches: Iterable[pa.RecordBatch], skipped: int) -> Iterator[pa.RecordBatch]:
    """Batches that have rows, after the first ``skipped`` rows."""
    for batch in batches:
        if skipped >= batch.num_rows:
            skipped -= batch.num_rows
        else:
            yield batch.slice(skipped)
            skipped = 0


class _ParquetPart:
    def __init__(self, path: Path, batch_rows: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet

        self.path, self.name, self.batch_rows = path, str(path), batch_rows
        with _complaints(self.name), pyarrow.parquet.ParquetFile(path) as file:
            self.schema = file.schema_arrow
            self.n_rows = file.metadata.num_rows
        self.size = self.n_rows
        self.identity = _identity(path)
        is_text = [
            pa.types.is_string(field.type) or pa.types.is_large_string(field.type) for field in self.schema
        ]
        self._texts = [name for name, text in zip(self.schema.names, is_text, strict=True) if text]

    def batches(self, columns: Sequence[str], skipped: int) -> Iterator[tuple[pa.RecordBatch, float | None]]:
        import pyarrow.parquet

        wanted = list(columns)
        done = skipped
        with (
            _complaints(self.name),
            pyarrow.parquet.ParquetFile(self.path, read_dictionary=self._texts) as file,
        ):
            group = 0
            while group < file.num_row_groups and skipped >= file.metadata.row_group(group).num_rows:
                skipped -= file.metadata.row_group(group).num_rows
                group += 1
            groups = list(range(group, file.num_row_groups))
            batches = file.iter_batches(self.batch_rows, row_groups=groups, columns=wanted)
            for batch in _without(batches, skipped):
                done += batch.num_rows
                yield batch, done / self.size


class _IpcPart:
    def __init__(self, path: Path, batch_rows: int) -> None:
        self.path, self.name, self.batch_rows = path, str(path), batch_rows
        self.n_rows = None
        with _complaints(self.name), self._opened() as reader:
            self.schema = reader.schema
        self.size = path.stat().st_size
        self.identity = _identity(path)

    def _opened(self) -> Any:
        import pyarrow as pa

        try:
            return pa.ipc.open_file(str(self.path))
        except pa.ArrowInvalid:
            return pa.ipc.open_stream(pa.OSFile(str(self.path)))

    def batches(self, columns: Sequence[str], skipped: int) -> Iterator[tuple[pa.RecordBatch, float | None]]:
        wanted = list(columns)
        with _complaints(self.name), self._opened() as reader:
            number = getattr(reader, "num_record_batches", None)
            whole = reader if number is None else (reader.get_batch(i) for i in range(number))
            batches = (batch.select(wanted) for batch in whole)
            for batch in _without(_sliced(batches, self.batch_rows), skipped):
                yield batch, None


class _CsvPart:
    """A text file; text is read as dictionaries, whose entries are trimmed once for all rows."""

    def __init__(
        self, path: Path, delimiter: str | None, na_values: Collection[str], given: Mapping[str, str]
    ) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        kinds = {"text": pa.string(), "integer": pa.int64(), "number": pa.float64()}
        for name, kind in given.items():
            if kind not in kinds:
                raise SourceError(f"types: {name!r} is said to hold {kind!r}. Use one of {', '.join(kinds)}.")
        self.path, self.name, self.n_rows = path, str(path), None
        self.raw_names, self.delimiter = text_header(path, delimiter)
        self.names = [name.strip() or f"column {i}" for i, name in enumerate(self.raw_names, 1)]
        check_unique(self.names, self.name)
        self.markers = sorted({"", *na_values})
        self.size = path.stat().st_size
        self.identity = f"{_identity(path)}, read with delimiter {self.delimiter!r}, na_values {self.markers}"
        texts = dict.fromkeys(self.raw_names, pa.string())
        with _complaints(self.name):
            sample = next(iter(self._reader(texts, self.raw_names, self._beginning())), None)
        types = []
        for name, raw in zip(self.names, self.raw_names, strict=True):
            if name in given:
                types.append(kinds[given[name]])
            elif sample is None:
                types.append(pa.null())
            else:
                # distinct texts are few, and say the same
                column = pa.chunked_array([pc.utf8_trim_whitespace(sample.column(raw).unique())])
                is_missing = pc.is_in(column, value_set=pa.array(self.markers))
                column = pc.if_else(is_missing, pa.scalar(None, pa.string()), column)
                types.append(pa.null() if column.null_count == len(column) else inferred(column).type)
        self.schema = pa.schema(list(zip(self.names, types, strict=True)))

    def retype(self, name: str, data_type: pa.DataType) -> None:
        """Say what a column holds."""
        position = self.schema.names.index(name)
        self.schema = self.schema.set(position, self.schema.field(position).with_type(data_type))

    def _stream(self) -> tuple[Any, Any]:
        """The text, and the file of which it is read."""
        import pyarrow as pa

        raw = pa.OSFile(str(self.path))
        return (pa.CompressedInputStream(raw, "gzip") if is_packed(self.path) else raw), raw

    def _beginning(self) -> Any:
        """Whole rows at the beginning of the text."""
        import pyarrow as pa

        text = self._stream()[0].read(_SAMPLE)
        while len(text) >= _SAMPLE // 2 and (text[-1:] != b"\n" or text.count(b'"') % 2):
            text = text[: text.rfind(b"\n", 0, -1) + 1]
        return pa.BufferReader(text)

    def _options(self, types: Mapping[str, Any], columns: Sequence[str], has_breaks: bool = True) -> Any:
        import pyarrow.csv

        return {
            "parse_options": pyarrow.csv.ParseOptions(
                delimiter=self.delimiter, newlines_in_values=has_breaks
            ),
            "convert_options": pyarrow.csv.ConvertOptions(
                column_types=dict(types),
                null_values=self.markers,  # of numbers; texts are looked at once for all rows
                include_columns=list(columns),
            ),
        }

    def _reader(self, types: Mapping[str, Any], columns: Sequence[str], stream: Any) -> Any:
        import pyarrow.csv

        return pyarrow.csv.open_csv(
            stream,
            read_options=pyarrow.csv.ReadOptions(block_size=_TEXT_BLOCK),
            **self._options(types, columns),
        )

    def batches(self, columns: Sequence[str], skipped: int) -> Iterator[tuple[pa.RecordBatch, float | None]]:
        import pyarrow as pa

        raw_of = dict(zip(self.names, self.raw_names, strict=True))
        wanted = [raw_of[name] for name in columns]
        types = {}
        for name in columns:
            data_type = self.schema.field(name).type
            types[raw_of[name]] = pa.string() if pa.types.is_null(data_type) else data_type
        texts = {raw: _Texts(self.markers) for raw, data_type in types.items() if data_type == pa.string()}
        with _complaints(self.name, self.names):
            for table, share in ahead(self._tables(types, wanted)):
                if skipped >= table.num_rows:
                    skipped -= table.num_rows
                    continue
                rest, skipped = table.slice(skipped), 0
                arrays = []
                for name, raw in zip(columns, wanted, strict=True):
                    with _complaints(f"{self.name}: column {name!r}"):
                        column = rest[raw]
                        arrays.append(texts[raw].trimmed(column) if raw in texts else column.combine_chunks())
                yield pa.record_batch(arrays, names=list(columns)), share

    def _tables(
        self, types: Mapping[str, Any], wanted: Sequence[str]
    ) -> Generator[tuple[pa.Table, float], None, None]:
        """The rows as they are parsed, with the share of the file that ends with them.

        Many rows at a time are parsed in several threads. Where that cannot be, or fails, one thread begins
        anew, which takes more than twice the time: it understands every quote.
        """
        import pyarrow as pa
        import pyarrow.csv

        n_rows, header = 0, None
        stream, raw = self._stream()
        try:
            for text, has_breaks in _whole_rows(stream, self.delimiter):
                options = self._options(types, wanted, has_breaks)
                options["convert_options"].check_utf8 = False  # `_Texts` looks at every distinct text once
                table = pyarrow.csv.read_csv(
                    pa.BufferReader(text),
                    read_options=pyarrow.csv.ReadOptions(block_size=_TEXT_BLOCK, column_names=header),
                    **options,
                )
                header = self.raw_names  # which only the first bytes have
                n_rows += table.num_rows
                yield table, min(1.0, raw.tell() / max(1, self.size))
            return
        except (pa.ArrowInvalid, _UnusualText):
            pass
        stream, raw = self._stream()
        for batch in _without(self._reader(types, wanted, stream), n_rows):
            yield pa.Table.from_batches([batch]), min(1.0, raw.tell() / max(1, self.size))


class _UnusualText(Exception):
    """Where a row ends cannot be told without parsing all before it."""


def _whole_rows(stream: Any, delimiter: str) -> Iterator[tuple[np.ndarray, bool]]:
    """Bytes of whole rows, which are valid until the next are asked for, and whether any has line breaks.

    The first bytes are the header row and the rows after it.
    """
    from seminaive.kernels.encode import whole_rows

    room, kept = np.empty(_TEXT_BLOCK * _TEXT_BLOCKS + 64, dtype=np.uint8), 0
    while True:
        size = kept + stream.readinto(room[kept:-64])
        is_last = size == kept
        if is_last:  # the last row needs no end
            if kept == 0:
                return
            size += 1
        room[size - is_last : size + 63] = ord("\n")
        end, has_breaks = whole_rows(room, size, np.uint8(ord(delimiter)))
        # what looks like a byte order mark would be taken for one
        if end <= 0 or (is_last and end < size) or room[:3].tobytes() == codecs.BOM_UTF8:
            raise _UnusualText
        yield room[:end], has_breaks
        if is_last:
            return
        kept = size - end
        room[:kept] = room[end:size]


class _Texts:
    """A text column as a dictionary, whose entries are trimmed and compared with markers once."""

    def __init__(self, markers: Sequence[str]) -> None:
        import pyarrow as pa

        self.markers = pa.array(markers, pa.large_string())
        self.dictionary = TextDictionary()
        self._raw: Any = None
        self._entries: Any = None

    def trimmed(self, column: pa.ChunkedArray) -> pa.Array:
        import pyarrow as pa
        import pyarrow.compute as pc

        indices, raw = self.dictionary.encode(column)
        if raw is not self._raw:
            raw.validate(full=True)  # that it is UTF-8
            entries = pc.utf8_trim_whitespace(raw)
            is_missing = pc.is_in(entries, value_set=self.markers)
            self._entries = pc.if_else(is_missing, pa.scalar(None, pa.large_string()), entries)
            self._raw = raw
        return pa.DictionaryArray.from_arrays(pa.array(indices), self._entries, safe=False)


class _DatasetPart:
    def __init__(self, dataset: Any, batch_rows: int) -> None:
        self.dataset, self.batch_rows = dataset, batch_rows
        self.name = "the data set"
        self.schema = dataset.schema
        self.n_rows = self.size = dataset.count_rows()
        self.identity = f"data set of {self.n_rows} rows: {self.schema}; {getattr(dataset, 'files', None)}"

    def batches(self, columns: Sequence[str], skipped: int) -> Iterator[tuple[pa.RecordBatch, float | None]]:
        options: Any = {"batch_size": self.batch_rows, "batch_readahead": 2, "fragment_readahead": 1}
        done = skipped
        with _complaints(self.name):
            for batch in _without(self.dataset.to_batches(columns=list(columns), **options), skipped):
                done += batch.num_rows
                yield batch, done / self.size


class _StreamPart:
    """Record batches that a function makes, anew for every pass unless there are only these."""

    def __init__(self, make: Callable[[], Any], batch_rows: int, once: bool = False) -> None:
        self.make, self.batch_rows, self.once = make, batch_rows, once
        self.name = "the record batches"
        self.n_rows, self.size = None, 1
        self._opened: Iterator[pa.RecordBatch] | None
        self.schema, self._opened = _opened(make())
        self.identity = f"record batches: {self.schema}"

    def batches(self, columns: Sequence[str], skipped: int) -> Iterator[tuple[pa.RecordBatch, float | None]]:
        if self._opened is None and self.once:
            raise SourceError(
                "These record batches can be read only once, and were. Learning needs several passes where "
                "columns are numeric, or where the structure is learned: give a function that returns a new "
                "iterator of record batches each time."
            )
        stream = self._opened or _opened(self.make())[1]
        self._opened = None
        wanted = list(columns)

        def checked() -> Iterator[pa.RecordBatch]:
            for number, batch in enumerate(stream):
                if batch.schema != self.schema:
                    check_columns(batch.schema, f"record batch {number}", self.schema, "the first one")
                yield batch.select(wanted)

        for batch in _without(_sliced(checked(), self.batch_rows), skipped):
            yield batch, None


def _opened(data: Any) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    import pyarrow as pa

    if not isinstance(data, pa.RecordBatchReader | list | tuple) and hasattr(data, "__arrow_c_stream__"):
        data = pa.RecordBatchReader.from_stream(data)
    if isinstance(data, pa.RecordBatchReader):
        return data.schema, iter(data)
    batches = iter(data)
    first = next(batches, None)
    if first is None:
        raise SourceError("There is no record batch, and so no column.")
    if not isinstance(first, pa.RecordBatch):
        raise TypeError(f"scan_arrow needs record batches, and got a {type(first).__name__}.")
    return first.schema, itertools.chain([first], batches)


def _sliced(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for start in range(0, batch.num_rows, rows):
            yield batch.slice(start, rows)


@contextlib.contextmanager
def _complaints(name: str, columns: Sequence[str] = ()) -> Iterator[None]:
    """Turn what Arrow complains about into a `SourceError` that names the file, and the column of a text."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        message = str(error).splitlines()[0] if str(error) else type(error).__name__
        found = re.search(r"In CSV column #(\d+):.*conversion error to (\w+): (.*)", message)
        if not found or not columns:
            raise SourceError(f"{name}: {reason_of(error)}") from error
        column = columns[int(found[1])]
        if "UTF8" in message:
            raise SourceError(f"{name}: column {column!r}: {reason_of(error)}") from error
        raise SourceError(
            f"{name}: column {column!r} was taken to hold {found[2]} and holds something else: {found[3]}. "
            "If that is a missing marker, name it in na_values (--na-values); else say what there is: "
            f"types={{{column!r}: 'text'}} or 'number' (--categorical or --numeric)."
        ) from error
