"""Spark: every partition is counted in its executor, and the tables are merged in a tree."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from seminaive.counts.tallies import Tally
from seminaive.sources.base import SourceError, Watch, chosen_columns
from seminaive.sources.local import BATCH_ROWS

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["SparkSource", "from_spark"]

_TALLIES = "part int, tally binary"
_ROWS = "rows binary"

T = TypeVar("T", bound=Tally)
_Map = Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]


def from_spark(
    data: Any, *, target: str | None = None, weight: str | None = None, drop: Sequence[str] = ()
) -> SparkSource:
    """Rows of a Spark data frame, which are counted in the executors.

    Parameters
    ----------
    data : pyspark.sql.DataFrame
        Classic or Spark Connect.
    target : str, default=None
        Column of the class; predicting needs none.
    weight : str, default=None
        Column of the weight of every row.
    drop : sequence of str, default=()
        Columns to leave aside, such as row numbers.

    Returns
    -------
    SparkSource
        For ``fit_source``, ``predict_source``, ``count_source`` and ``evaluate_source``.

    Raises
    ------
    ImportError
        Spark is not installed: ``pip install 'seminaive[spark]'``.
    TypeError
        For anything but a Spark data frame.
    SourceError
        There is no such column. While rows are counted: a partition holds what cannot be counted (the
        message names partition and column), or the executors' Python lacks this package.

    Notes
    -----
    The executors need Python of the driver's version with this package and pyarrow. Rows go to Python as
    Arrow record batches (``mapInArrow``) and stay in their executor. Only tables are shuffled: tasks merge
    them, as many as adaptive query execution finds right for their size, and then the driver. Counts are the
    same bit for bit whatever the partitions; of weights that are no dyadic fractions the last bits of sums
    depend on the order in which tables arrive. Learning may take several passes: the frame must give the same
    rows each time, and where they are dear to compute, ``data.cache()`` first. NaN in a column of
    floating-point numbers is a missing value, like null.

    Examples
    --------
    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> days = SparkSession.builder.getOrCreate().read.parquet("days")  # doctest: +SKIP
    >>> AODE().fit_source(from_spark(days, target="go"))  # doctest: +SKIP
    AODE()
    """
    try:
        import pyspark.sql
    except ImportError as error:
        raise ImportError("from_spark needs Spark: pip install 'seminaive[spark]'.") from error
    if not (isinstance(data, pyspark.sql.DataFrame) or type(data).__module__.startswith("pyspark.sql.")):
        raise TypeError(f"from_spark needs a Spark data frame, and got a {type(data).__name__}.")
    return SparkSource(data, target, weight, drop)


class SparkSource:
    """Rows of a Spark data frame, see `from_spark`."""

    resumable = False
    n_rows = None  # counting them would be a pass of its own

    def __init__(self, frame: Any, target: str | None, weight: str | None, drop: Sequence[str] = ()) -> None:
        from pyspark.sql.pandas.types import to_arrow_schema

        self.frame, self.target, self.weight = frame, target, weight
        schema = to_arrow_schema(frame.schema)
        self.schema = chosen_columns(schema, "the Spark frame", target, weight, drop)
        self.declared: dict[str, Any] = {}
        self.identity = [f"Spark frame {frame.schema.simpleString()}"]

    def __repr__(self) -> str:
        return f"<Spark frame of {len(self.schema)} columns, target={self.target!r}>"

    def tally(self, empty: T, columns: Sequence[str], watch: Watch | None = None) -> T:
        counted = self._select(columns).mapInArrow(_counting(pickle.dumps(empty), columns), _TALLIES)
        # without a number of groups Spark takes as many as the size of the tables asks for
        merged = counted.repartition("part").mapInArrow(_merge_tallies, _TALLIES)
        rows = _asked(merged.collect)
        return _sum_of(bytes(row["tally"]) for row in rows) or empty

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        rows = self._select(columns).mapInArrow(_writing(columns), _ROWS)
        for row in _asked(lambda: rows.toLocalIterator(prefetchPartitions=True)):
            with pa.ipc.open_stream(bytes(row["rows"])) as reader:
                yield from reader

    def _select(self, columns: Sequence[str]) -> Any:
        """The columns, numbered: Spark's functions stumble over names with dots and quotes."""
        quoted = [f"`{name.replace('`', '``')}`" for name in columns]
        return self.frame.select(*(self.frame[name].alias(f"c{i}") for i, name in enumerate(quoted)))


def _counting(empty: bytes, names: Sequence[str]) -> _Map:
    """What an executor does with a partition: nothing where there is no row; an error instead of a tally."""

    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        number = TaskContext.get().partitionId()
        tally: Any = None
        try:
            for batch in _gathered(batches, names):
                tally = tally or pickle.loads(empty)
                tally.add(batch)
        except (TypeError, ValueError) as error:
            tally = SourceError(f"partition {number}: {error}")
        except MemoryError as error:
            tally = error
        if tally is not None:
            yield _row(number, tally)

    return count


def _merge_tallies(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """One tally of several, or the first error among them."""
    try:
        merged: Any = _sum_of(tally for batch in batches for tally in batch.column("tally").to_pylist())
    except (SourceError, MemoryError) as error:
        merged = error
    if merged is not None:
        yield _row(0, merged)


def _sum_of(tallies: Iterable[bytes]) -> Any:
    """The tallies merged, None where there is none; an error among them is raised."""
    merged = None
    for packed in tallies:
        tally = pickle.loads(packed)
        if isinstance(tally, Exception):
            raise tally
        if merged is None:
            merged = tally
        else:
            merged.merge(tally)
    return merged


def _row(number: int, tally: Any) -> pa.RecordBatch:
    import pyarrow as pa

    columns = [pa.array([number], pa.int32()), pa.array([pickle.dumps(tally)], pa.binary())]
    return pa.record_batch(columns, names=["part", "tally"])


def _writing(names: Sequence[str]) -> _Map:
    """Batches as bytes, one a row."""

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in _gathered(batches, names):
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, batch.schema) as writer:
                writer.write_batch(batch)
            yield pa.record_batch([pa.array([sink.getvalue().to_pybytes()], pa.binary())], names=["rows"])

    return write


def _gathered(batches: Iterable[pa.RecordBatch], names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Larger batches, since Spark makes them of 10,000 rows; the columns get their names back."""
    waiting: list[pa.RecordBatch] = []
    n_rows = 0
    for batch in batches:
        waiting.append(batch)
        n_rows += batch.num_rows
        if n_rows >= BATCH_ROWS:
            yield from _joined(waiting, names)
            waiting, n_rows = [], 0
    if waiting:
        yield from _joined(waiting, names)


def _joined(batches: Sequence[pa.RecordBatch], names: Sequence[str]) -> list[pa.RecordBatch]:
    import pyarrow as pa

    return pa.Table.from_batches(batches).combine_chunks().rename_columns(list(names)).to_batches()


def _asked(action: Callable[[], T]) -> T:
    """What Spark answers; a `SourceError` where the executors lack what is needed."""
    from pyspark.errors import PySparkException

    try:
        return action()
    except PySparkException as error:
        for package in ("seminaive", "pyarrow"):
            if f"No module named '{package}'" in str(error):
                raise SourceError(
                    f"The Python of Spark's executors has no {package}. Install it there, in the driver's "
                    "version, or name another Python: spark.pyspark.python, PYSPARK_PYTHON, or a packed "
                    "environment in spark.archives."
                ) from error
        raise
