"""What a source of rows is, wherever they lie: the protocol that every engine implements.

An engine does two things: it runs a *tally* over all rows, and it gives the rows one batch after the other.
Everything else, from values and cut points to counts and structures, is the same for all engines and lies in
the tallies (`seminaive.counts.tallies`). To write a new engine, one class of about 60 lines:

- ``schema``, ``target``, ``weight``, ``n_rows``, ``declared`` and ``identity`` say what there is.
- ``tally(empty, columns)``: every worker makes a copy of the empty tally, calls ``add`` on it with record
  batches that have at least these columns, and gives it back; the engine merges what the workers have, in
  whatever order, by ``first.merge(second)``, and returns the result. Tallies can be pickled, and their size
  is that of tables, not of rows.
- ``batches(columns)``: the rows in an order that is always the same, for predicting.

Engines that can say how far they are take part in checkpoints through ``watch``; the others leave it aside,
and set ``resumable`` to False.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from seminaive.counts.tallies import Tally

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "NOTHING",
    "Position",
    "Source",
    "SourceError",
    "Watch",
    "check_columns",
    "check_unique",
    "chosen_columns",
    "kind_of",
]

NOTHING = "nothing but missing values"
"""The kind of a column without any value, which goes with every other."""

T = TypeVar("T", bound=Tally)


class SourceError(ValueError):
    """Rows cannot be read; the message names the file, the column and the remedy."""


class Position(NamedTuple):
    """A place between two rows: ``row`` rows of part ``part`` lie before it, and all parts before that."""

    part: int = 0
    row: int = 0


class Watch(Protocol):
    """Who wants to know how far a pass is."""

    begin: Position

    def passed(self, tally: Any, position: Position, share: float | None) -> None:
        """All rows up to a position are in the tally; they are about that share of all."""


class Source(Protocol):
    """Rows that never have to fit in memory.

    Attributes
    ----------
    schema : pyarrow.Schema
        Of all columns, the target and the weight included.
    target : str or None
        Column of the class; None where it is not known.
    weight : str or None
        Column of the weight of a row; None where all count once.
    n_rows : int or None
        Number of rows; None where it is not known beforehand.
    identity : list of str
        What a checkpoint remembers to know the same rows again.
    declared : mapping of str to sequence
        Values that columns declare, whether they occur or not, by name. A dictionary of Arrow declares none.
    resumable : bool
        Whether a pass can begin in the middle.
    """

    schema: pa.Schema
    target: str | None
    weight: str | None
    n_rows: int | None
    identity: list[str]
    declared: Mapping[str, Sequence[Any]]
    resumable: bool

    def tally(self, empty: T, columns: Sequence[str], watch: Watch | None = None) -> T:
        """All rows added to a tally, or to copies of it that are merged."""

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, in an order that is always the same."""


def kind_of(data_type: pa.DataType) -> str:
    """What a column holds, whatever the width or the encoding: types of one kind go together."""
    import pyarrow as pa

    types = pa.types
    if types.is_dictionary(data_type):
        return kind_of(data_type.value_type)
    if types.is_string(data_type) or types.is_large_string(data_type) or types.is_string_view(data_type):
        return "text"
    if types.is_integer(data_type):
        return "integers"
    if types.is_floating(data_type):
        return "floating-point numbers"
    return NOTHING if types.is_null(data_type) else str(data_type)


def chosen_columns(
    schema: pa.Schema, name: str, target: str | None, weight: str | None, drop: Sequence[str]
) -> pa.Schema:
    """A schema without the columns that are dropped; a `SourceError` where one that is named is not there."""
    import pyarrow as pa

    named = [("target", target), ("weight", weight), *(("drop", column) for column in drop)]
    for what, column in named:
        if column is not None and column not in schema.names:
            raise SourceError(f"{name}: there is no column {column!r} ({what}=). Columns: {schema.names}.")
    if target is not None and target == weight:
        raise SourceError(f"{name}: target= and weight= both name the column {target!r}.")
    return pa.schema([field for field in schema if field.name not in drop])


def check_unique(columns: Sequence[str], name: str) -> None:
    """Raise a `SourceError` where two columns have one name."""
    twice = sorted({column for column in columns if columns.count(column) > 1})
    if twice:
        raise SourceError(f"{name}: column name {twice[0]!r} occurs more than once.")


def check_columns(schema: pa.Schema, name: str, first: pa.Schema, first_name: str) -> None:
    """Raise a `SourceError` unless a schema has the columns of another one, in whatever order.

    ``name`` and ``first_name`` say for the message whose they are.
    """
    check_unique(schema.names, name)
    lacking = [column for column in first.names if column not in schema.names]
    if lacking:
        raise SourceError(f"{name}: column {lacking[0]!r} is missing, which {first_name} has.")
    further = [column for column in schema.names if column not in first.names]
    if further:
        raise SourceError(f"{name}: column {further[0]!r} is too much: {first_name} does not have it.")
    for column in first.names:
        here, there = kind_of(schema.field(column).type), kind_of(first.field(column).type)
        if here != there and NOTHING not in (here, there):
            raise SourceError(
                f"{name}: column {column!r} holds {here}, and in {first_name} {there}. Convert one of them."
            )
