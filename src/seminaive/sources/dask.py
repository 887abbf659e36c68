"""Dask: every partition is counted where it lies, and the tables are merged in a tree.

Tasks never change what they are given, since Dask may run one again, on another worker, after a failure.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from seminaive.counts.tallies import Tally
from seminaive.sources.base import Position, SourceError, Watch, chosen_columns
from seminaive.sources.local import BATCH_ROWS

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["DaskSource", "from_dask"]

_MERGED = 8  # tables that one task merges

T = TypeVar("T", bound=Tally)


def from_dask(
    data: Any, *, target: str | None = None, weight: str | None = None, drop: Sequence[str] = ()
) -> DaskSource:
    """Rows of a Dask data frame, which are counted where they lie.

    Parameters
    ----------
    data : dask.dataframe.DataFrame
        All columns have names, and dtypes that say what they hold (object does not).
    target : str, default=None
        Column of the class; predicting needs none.
    weight : str, default=None
        Column of the weight of every row.
    drop : sequence of str, default=()
        Columns to leave aside, such as row numbers.

    Returns
    -------
    DaskSource
        For ``fit_source``, ``predict_source``, ``count_source`` and ``evaluate_source``.

    Raises
    ------
    ImportError
        Dask is not installed: ``pip install 'seminaive[dask]'``.
    TypeError
        For anything but a Dask data frame.
    SourceError
        There is no such column, or a dtype does not say what a column holds. While rows are counted: a
        partition does not hold what the frame's metadata say, or holds what cannot be counted; the message
        names partition and column.

    Notes
    -----
    Runs on whatever scheduler Dask is set to: threads, processes, or the cluster of the current
    ``distributed.Client``, whose workers need this package. Only tables travel: each worker sends those of
    its partitions, and eight at a time are merged until one is left. Counts are the same bit for bit whatever
    the partitions; of weights that are no dyadic fractions the last bits of sums depend on how the rows are
    partitioned. Learning may take several passes: the frame must give the same rows each time, and where
    they are dear to compute, ``data.persist()`` first. Categories need not be known, nor the same in all
    partitions, and do not declare the values of a column (``categories=`` does).

    Examples
    --------
    >>> import pandas as pd, dask.dataframe as dd
    >>> from seminaive import AODE, from_dask
    >>> days = pd.DataFrame({"sky": ["clear", "rain", "haze"], "wind": ["no", "yes", "no"], "go": [1, 0, 1]})
    >>> model = AODE().fit_source(from_dask(dd.from_pandas(days, npartitions=2), target="go"))
    >>> model.class_count_.tolist()
    [1.0, 2.0]
    """
    try:
        import dask.dataframe
    except ImportError as error:
        raise ImportError("from_dask needs Dask: pip install 'seminaive[dask]'.") from error
    if not isinstance(data, dask.dataframe.DataFrame):
        raise TypeError(f"from_dask needs a Dask data frame, and got a {type(data).__name__}.")
    return DaskSource(data, target, weight, drop)


class DaskSource:
    """Rows of a Dask data frame, see `from_dask`."""

    resumable = False
    n_rows = None  # counting them would be a pass of its own

    def __init__(self, frame: Any, target: str | None, weight: str | None, drop: Sequence[str] = ()) -> None:
        self.frame, self.target, self.weight = frame, target, weight
        self.schema = chosen_columns(_schema(frame._meta), "the Dask frame", target, weight, drop)
        self.declared: dict[str, Any] = {}  # of Parquet, categories that count as known may be none at all
        self.identity = [f"Dask frame {frame._name}"]

    def __repr__(self) -> str:
        return f"<Dask frame of {self.frame.npartitions} partition(s), target={self.target!r}>"

    def tally(self, empty: T, columns: Sequence[str], watch: Watch | None = None) -> T:
        import dask

        one_for_all = dask.delayed(empty)
        schema = self._schema_of(columns)
        parts = [
            dask.delayed(_counted)(part, one_for_all, schema, number)
            for number, part in enumerate(self._parts(columns))
        ]
        level = parts
        while len(level) > 1:
            groups = [level[first : first + _MERGED] for first in range(0, len(level), _MERGED)]
            level = [dask.delayed(_merged)(group) for group in groups]
        if watch is None:
            (result,) = dask.compute(level[0])
            return result
        told = watch

        def done(number: int) -> None:
            told.passed(empty, Position(), number / len(parts))

        return _computed(level[0], parts, done)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        schema = self._schema_of(columns)
        for number, part in enumerate(self._parts(columns)):
            yield from _record_batches(part.compute(), schema, number)

    def _parts(self, columns: Sequence[str]) -> list[Any]:
        return self.frame[list(columns)].to_delayed()

    def _schema_of(self, columns: Sequence[str]) -> pa.Schema:
        import pyarrow as pa

        return pa.schema([self.schema.field(name) for name in columns])


def _computed(result: Any, parts: Sequence[Any], done: Callable[[int], None]) -> Any:
    """What a task gives; meanwhile ``done`` is told how many of the parts of which it is made are ready."""
    import dask
    from dask.base import get_scheduler
    from dask.callbacks import Callback

    client = getattr(get_scheduler(), "__self__", None)
    if client is not None:  # of a cluster, see https://docs.dask.org/en/stable/scheduling.html
        from distributed import as_completed

        *waiting, future = client.compute([*parts, result])
        finished = as_completed(waiting)
        del waiting  # a table that is merged need not be kept
        for number, _ in enumerate(finished, 1):
            done(number)
        return future.result()
    keys, ready = {part.key for part in parts}, 0

    def after_task(key: Any, *_: Any) -> None:
        nonlocal ready
        if key in keys:
            ready += 1
            done(ready)

    with Callback(posttask=after_task):
        return dask.compute(result)[0]


def _counted(frame: Any, empty: T, schema: pa.Schema, number: int) -> T:
    """A copy of the empty tally with the rows of one partition."""
    tally = copy.deepcopy(empty)
    for batch in _record_batches(frame, schema, number):
        try:
            tally.add(batch)
        except (TypeError, ValueError) as error:
            raise SourceError(f"partition {number}: {error}") from error
    return tally


def _merged(tallies: Sequence[T]) -> T:
    """The sum of tallies, which stay as they are."""
    first, *others = tallies
    result = copy.deepcopy(first) if others else first
    for other in others:
        result.merge(other)
    return result


def _record_batches(frame: Any, schema: pa.Schema, number: int) -> list[pa.RecordBatch]:
    """The rows of one partition, whose columns are what the metadata say."""
    import pyarrow as pa

    from seminaive.sources.base import check_columns

    try:
        table = _table(frame)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:  # the message ends with the name of the column
        raise SourceError(f"partition {number}: {'; '.join(map(str, error.args))}.") from error
    check_columns(table.schema, f"partition {number}", schema, "the Dask frame's metadata")
    return table.select(schema.names).combine_chunks().to_batches(max_chunksize=BATCH_ROWS)


def _table(frame: Any) -> pa.Table:
    """A data frame of pandas; Arrow alone takes longer to convert categories than counting takes."""
    import pandas as pd
    import pyarrow as pa

    is_category = [isinstance(dtype, pd.CategoricalDtype) for dtype in frame.dtypes]
    plain = frame.loc[:, [not category for category in is_category]]
    # how many threads work is for Dask to say
    table = pa.Table.from_pandas(plain, preserve_index=False, nthreads=1)
    columns = dict(zip(table.column_names, table.columns, strict=True))
    for name in frame.columns[is_category]:
        codes, entries = frame[name].array.codes, frame[name].cat.categories
        try:
            dictionary = pa.array(entries, from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise type(error)(*error.args, f"Conversion failed for column {name}") from error
        mask = codes < 0 if codes.min(initial=0) < 0 else None
        columns[name] = pa.DictionaryArray.from_arrays(pa.array(codes, mask=mask), dictionary, safe=False)
    return pa.table(columns)


def _schema(meta: Any) -> pa.Schema:
    """What an empty frame says of its columns; categories that are not known yet go with every other."""
    import pyarrow as pa
    from dask.dataframe.utils import has_known_categories

    strange = [name for name in meta.columns if not isinstance(name, str)]
    if strange:
        raise SourceError(
            f"The Dask frame has the column {strange[0]!r}, whose name is no text. Rename it: "
            "data.rename(columns=str)."
        )
    for name in meta.columns[meta.columns.duplicated()]:
        raise SourceError(f"The Dask frame: column name {name!r} occurs more than once.")
    fields = []
    for name, dtype in meta.dtypes.items():
        if dtype.name == "object":
            raise SourceError(
                f"The Dask frame: column {name!r} has dtype object, which does not say what it holds. "
                f"Convert it: data.astype({{{name!r}: 'string'}}), or 'boolean', 'float64'."
            )
        if dtype == "category" and not has_known_categories(meta[name]):
            fields.append((name, pa.dictionary(pa.int32(), pa.null())))
            continue
        try:
            fields.append((name, pa.array(meta[name], from_pandas=True).type))
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise SourceError(
                f"The Dask frame: column {name!r} has dtype {dtype.name}, whose values are of several kinds: "
                f"{error}. Convert it: data.astype({{{name!r}: 'string'}})."
            ) from error
    return pa.schema(fields)
