"""The engine for rows that one machine reads: part after part, the next batch decoded in a thread."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from seminaive.counts.tallies import Tally
from seminaive.sources.base import Position, SourceError, Watch, check_columns, chosen_columns, kind_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BATCH_ROWS", "LocalSource", "Part", "ahead"]

BATCH_ROWS = 262_144  # measured with benchmarks/bench_streaming.py
_AHEAD = 2  # batches that wait to be counted

T = TypeVar("T", bound=Tally)
Item = TypeVar("Item")


class Part(Protocol):
    """A file, or whatever else is read from its beginning to its end."""

    name: str
    schema: pa.Schema
    n_rows: int | None
    size: int
    identity: str

    def batches(self, columns: Sequence[str], skipped: int) -> Iterator[tuple[pa.RecordBatch, float | None]]:
        """Batches after the first ``skipped`` rows, each with the share of the part that ends with it."""


class LocalSource:
    """Rows of one part or several, one after the other.

    Parameters
    ----------
    parts : sequence of Part
    target, weight : str or None
        Columns of the class and of the weight.
    drop : sequence of str
        Columns that are left aside.
    declared : mapping of str to sequence, default=None
        Values that columns declare.

    Raises
    ------
    SourceError
        Columns differ from part to part, or there is no such column.
    """

    resumable = True

    def __init__(
        self,
        parts: Sequence[Part],
        target: str | None,
        weight: str | None,
        drop: Sequence[str] = (),
        declared: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        import pyarrow as pa

        self.parts = list(parts)
        self.target = target
        self.weight = weight
        self.declared = declared or {}
        first = self.parts[0]
        schemas = [
            chosen_columns(first.schema, first.name, target, weight, drop),
            *(pa.schema([field for field in part.schema if field.name not in drop]) for part in parts[1:]),
        ]
        for part, schema in zip(self.parts, schemas, strict=True):
            check_columns(schema, part.name, schemas[0], first.name)
        self.schema = _common_schema(schemas)
        numbers = [part.n_rows for part in self.parts]
        self.n_rows = None if None in numbers else sum(n for n in numbers if n is not None)
        self.identity = [part.identity for part in self.parts]

    def __repr__(self) -> str:
        rows = "" if self.n_rows is None else f", {self.n_rows:,} rows"
        return f"<{len(self.parts)} part(s) from {self.parts[0].name}{rows}, target={self.target!r}>"

    def tally(self, empty: T, columns: Sequence[str], watch: Watch | None = None) -> T:
        begin = Position() if watch is None else watch.begin
        for batch, position, share in ahead(self._read(columns, begin)):
            try:
                empty.add(batch)
            except (TypeError, ValueError) as error:
                raise SourceError(f"{self.parts[position.part].name}: {error}") from error
            if watch is not None:
                watch.passed(empty, position, share)
        return empty

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for batch, _, _ in ahead(self._read(columns, Position())):
            yield batch

    def _read(
        self, columns: Sequence[str], begin: Position
    ) -> Generator[tuple[pa.RecordBatch, Position, float | None], None, None]:
        total = sum(part.size for part in self.parts)
        before = sum(part.size for part in self.parts[: begin.part])
        for number in range(begin.part, len(self.parts)):
            part, row = self.parts[number], begin.row if number == begin.part else 0
            for batch, share in part.batches(columns, row):
                row += batch.num_rows
                done = None if share is None else (before + share * part.size) / max(total, 1)
                yield batch, Position(number, row), done
            before += part.size


def _common_schema(schemas: Sequence[pa.Schema]) -> pa.Schema:
    """The schema of the first part, with types that hold the values of all."""
    import pyarrow as pa

    fields = []
    for field in schemas[0]:
        types = {schema.field(field.name).type for schema in schemas}
        types.discard(pa.null())
        clash = {kind_of(data_type) for data_type in types}
        if len(clash) > 1:  # the first part does not say which it is
            raise SourceError(
                f"column {field.name!r} holds {' in one part and '.join(sorted(clash))} in another. "
                "Convert one of them."
            )
        if len(types) > 1 and all(map(pa.types.is_integer, types)):
            types = {pa.int64()}
        elif len(types) > 1 and all(map(pa.types.is_floating, types)):
            types = {pa.float64()}
        elif field.type in types:
            types = {field.type}
        fields.append(field.with_type(next(iter(types), pa.null())))
    return pa.schema(fields)


def ahead(items: Generator[Item, None, None]) -> Generator[Item, None, None]:
    """The same items, made in a thread while earlier ones are used."""
    ready: queue.Queue[tuple[str, Any]] = queue.Queue(_AHEAD)
    stopped = threading.Event()

    def put(kind: str, item: Any) -> None:
        while not stopped.is_set():
            try:
                ready.put((kind, item), timeout=0.1)
            except queue.Full:
                continue
            return

    def make() -> None:
        try:
            for item in items:
                put("item", item)
                if stopped.is_set():
                    return
            put("end", None)
        except BaseException as error:  # to be raised where the items are used
            put("error", error)

    thread = threading.Thread(target=make, daemon=True)
    thread.start()
    try:
        while True:
            kind, item = ready.get()
            if kind == "error":
                raise item
            if kind == "end":
                return
            yield item
    finally:
        stopped.set()
        thread.join()
        items.close()
