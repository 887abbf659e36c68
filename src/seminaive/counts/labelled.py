"""Counts with what they are counts of: how columns are read, and the classes."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from seminaive.counts.plan import CountPlan
from seminaive.counts.state import pack_tables, unpack_tables
from seminaive.counts.tables import CountTables, count, count_sparse_families
from seminaive.data.checks import check_names
from seminaive.data.columns import ascending
from seminaive.data.encode import TableEncoder
from seminaive.data.integers import IntegerLookup
from seminaive.data.schema import Attribute, Schema
from seminaive.data.state import DISCRETIZERS, pack_encoder, unpack_encoder
from seminaive.data.table import as_column, as_table
from seminaive.data.target import check_sample_weight, encode_target
from seminaive.persistence.archive import read_archive, write_archive
from seminaive.persistence.values import Packer, Unpacker

__all__ = ["Counts", "family_positions", "pack_counts", "unpack_counts"]

KIND = "counts"


@dataclass(eq=False)
class Counts:
    """Everything that classifiers learn from: counts of a table, or of several parts of it.

    Counts of parts add up, by label: ``a + b`` are the counts of the rows of both. They can be saved, and
    turned into any classifier whose structure the tables can tell, by its ``fit_counts``.

    Parameters
    ----------
    encoder : TableEncoder
        Fitted: how columns are read.
    classes : ndarray of shape (K,)
        Sorted class labels.
    tables : CountTables
        Counts of the codes that the encoder gives.

    Notes
    -----
    Parts have to be read alike. Values of categorical columns and classes may differ from part to part;
    numeric columns need the cut points of one part in all others, which is what ``like`` is for.

    Examples
    --------
    >>> import pandas as pd
    >>> from seminaive import AODE, Counts
    >>> january = pd.DataFrame({"sky": ["clear", "rain", "rain"], "wind": ["no", "no", "yes"]})
    >>> july = pd.DataFrame({"sky": ["clear", "haze"], "wind": ["no", "yes"]})
    >>> counts = Counts.of(january, ["go", "go", "stay"]) + Counts.of(july, ["go", "wait"])
    >>> counts.n_rows, counts.classes.tolist(), counts.encoder.schema_[0].values
    (5, ['go', 'stay', 'wait'], ('clear', 'haze', 'rain'))
    >>> AODE().fit_counts(counts).predict(july).tolist()
    ['go', 'wait']
    """

    encoder: TableEncoder
    classes: np.ndarray
    tables: CountTables

    @classmethod
    def of(
        cls,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        encoder: TableEncoder | None = None,
        like: Counts | None = None,
        pairs: bool = True,
        families: Iterable[Sequence[Any]] = (),
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ) -> Counts:
        """Count a table.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), default=None
        encoder : TableEncoder, default=None
            Says how columns are read; it is not changed. None is ``TableEncoder()``.
        like : Counts, default=None
            Counts of another part, whose cut points and values are taken over instead.
        pairs : bool, default=True
            Whether every pair of attributes is counted; naive Bayes needs none.
        families : iterable of sequences of column names or positions
            Further tables: the parents of an attribute, then the attribute. What a classifier lacks,
            ``fit_counts`` says.
        memory_limit : int, default=None
            Bytes for tables; None is half of the free memory.
        n_jobs : int, default=None
            Threads.

        Returns
        -------
        Counts

        Raises
        ------
        ValueError
            For tables, targets and weights that make no sense, as in ``fit``.
        MemoryError
            Before anything is allocated, if the tables do not fit.
        """
        if encoder is not None and like is not None:
            raise ValueError("Give either encoder or like: like brings its own encoder.")
        if y is None:
            raise ValueError("Counts need the class of every row, but y is None.")
        table = as_table(X)
        weights = check_sample_weight(sample_weight, table.n_rows)
        if weights is not None and not weights.all():
            rows = np.flatnonzero(weights)
            table, y, weights = table.take(rows), np.asarray(as_column(y))[rows], weights[rows]
        classes, labels = encode_target(y, table.n_rows)
        if like is None:
            encoder = TableEncoder() if encoder is None else copy.copy(encoder)
            codes = encoder.learn(X, table, labels, weights, len(classes), n_jobs)
        else:
            check_names(like.encoder, X)
            encoder = like.encoder.extended(table)
            codes = encoder.encode_table(table, n_jobs)
        schema = encoder.schema_
        wanted = family_positions(schema, families)
        options: Any = {"memory_limit": memory_limit, "n_jobs": n_jobs}
        tables = count(CountPlan(pairs=pairs), schema, codes, labels, len(classes), weights, **options)
        if wanted:
            count_sparse_families(tables, wanted, codes, labels, weights, **options)
        return cls(encoder, classes, tables)

    @property
    def n_rows(self) -> int:
        """Rows that were counted, weights left out of account."""
        return self.tables.n_rows

    def __add__(self, other: Counts) -> Counts:
        """Counts of the rows of both, by label.

        Raises
        ------
        ValueError
            For parts that were not read alike; the message names the column and the remedy.
        """
        if not isinstance(other, Counts):
            return NotImplemented
        _check_alike(self, other)
        pairs = zip(self.encoder.schema_.attributes, other.encoder.schema_.attributes, strict=True)
        schema = Schema(tuple(_merged(first, second) for first, second in pairs))
        encoder = copy.copy(self.encoder)
        encoder._adopt(schema, IntegerLookup.of(schema))
        classes = _all_classes(self.classes, other.classes)
        first, second = (
            part.tables.resized(schema).with_classes(np.searchsorted(classes, part.classes), len(classes))
            for part in (self, other)
        )
        return Counts(encoder, classes, first + second)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a counts file, which `load` reads; see the policies on keeping models.

        Parameters
        ----------
        path : str or path-like
            An existing file is replaced; the new one appears complete or not at all.

        Raises
        ------
        ModelFileError
            For counts that no file can hold, such as those of columns that a foreign discretizer cuts.
        OSError
            The file cannot be written.
        """
        packer = Packer(DISCRETIZERS)
        write_archive(path, KIND, pack_counts(self, packer), packer.arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Counts:
        """Read a counts file.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        Counts

        Raises
        ------
        ModelFileError
            For anything but a complete file that `save` wrote. Nothing in the file is ever executed.
        OSError
            There is no such file.
        """

        def build(state: Any, array: Any) -> Counts:
            return unpack_counts(state, Unpacker(array, DISCRETIZERS))

        return read_archive(path, KIND, build)


def pack_counts(counts: Counts, packer: Packer) -> Any:
    """Counts as JSON."""
    return {
        "encoder": pack_encoder(counts.encoder, packer),
        "classes": packer.pack(counts.classes, "a class label"),
        "tables": pack_tables(counts.tables, packer),
    }


def unpack_counts(state: Any, unpacker: Unpacker) -> Counts:
    """Counts from JSON; ValueError and the like for what makes no sense."""
    encoder = unpack_encoder(state["encoder"], unpacker)
    classes = unpacker.unpack(state["classes"])
    tables = unpack_tables(state["tables"], encoder.schema_, unpacker.array)
    if not isinstance(classes, np.ndarray) or classes.shape != (tables.n_classes,):
        raise ValueError("there are as many classes as counts of classes")
    return Counts(encoder, classes, tables)


def family_positions(schema: Schema, families: Iterable[Sequence[Any]]) -> tuple[tuple[int, ...], ...]:
    """Families by position; ValueError for what is none."""
    wanted = tuple(tuple(_position(schema, key) for key in family) for family in families)
    for family in wanted:
        if len(set(family)) < max(len(family), 2):
            raise ValueError(f"A family is some parents and a child, all different, got {family}.")
    return wanted


def _position(schema: Schema, key: Any) -> int:
    if isinstance(key, int | np.integer) and 0 <= key < len(schema):
        return int(key)
    if key in schema.names:
        return schema.names.index(key)
    raise ValueError(f"families names the column {key!r}, which the table does not have: {schema.names}.")


def _check_alike(first: Counts, second: Counts) -> None:
    names, others = first.encoder.schema_.names, second.encoder.schema_.names
    if names != others:
        raise ValueError(f"Counts of different columns, or in another order: {names} and {others}.")
    rules = first.encoder.missing, second.encoder.missing
    if rules[0] != rules[1]:
        raise ValueError(f"One part was counted with missing={rules[0]!r}, the other with {rules[1]!r}.")
    if first.tables.has_pairs != second.tables.has_pairs:
        raise ValueError("One part was counted with pairs of attributes, the other without. Count it anew.")
    families = [
        {tuple(part.encoder.schema_.names[i] for i in members) for members in part.tables.families}
        for part in (first, second)
    ]
    lacking = sorted(f for f in families[0] ^ families[1] if len(f) > 2)
    if lacking:
        raise ValueError(f"The family {list(lacking[0])} was counted in one part only. Count the other anew.")


def _merged(first: Attribute, second: Attribute) -> Attribute:
    """The attribute with the values of both."""
    name = first.name
    remedy = "Count the later parts like the first (like=, or --schema on the command line)."
    if first.kind != second.kind:
        raise ValueError(f"Column {name!r} is {first.kind} here and {second.kind} there. {remedy}")
    if first.discretizer is not second.discretizer:
        raise ValueError(f"Column {name!r} is cut by a foreign discretizer: parts cannot be compared.")
    if _cuts(first) != _cuts(second):
        raise ValueError(f"Column {name!r} has other cut points in the other part. {remedy}")
    if _imputed(first) != _imputed(second):
        raise ValueError(f"Missing values of column {name!r} were imputed differently. {remedy}")
    values = first.values
    if first.values != second.values:
        union = dict.fromkeys([*first.values, *second.values])
        both_declared = first.declared and second.declared
        values = tuple(union) if both_declared else tuple(ascending(union))
    merged = replace(
        first,
        values=values,
        has_missing_value=first.has_missing_value or second.has_missing_value,
        declared=first.declared and second.declared,
    )
    if merged.fill_code is not None and first.kind == "categorical":
        merged = replace(merged, fill_code=merged.code_of(_imputed(first)))
    return merged


def _cuts(attribute: Attribute) -> list[float] | None:
    return None if attribute.cut_points is None else attribute.cut_points.tolist()


def _imputed(attribute: Attribute) -> Any:
    code = attribute.fill_code
    return code if code is None or attribute.kind == "numeric" else attribute.values[code]


def _all_classes(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    kinds = {"i": "number", "u": "number", "f": "number"}
    if kinds.get(first.dtype.kind, first.dtype.kind) != kinds.get(second.dtype.kind, second.dtype.kind):
        first, second = first.astype(object), second.astype(object)  # or numbers would become text
    try:
        return np.unique(np.concatenate([first, second]))
    except TypeError:
        some = [*first.tolist()[:2], *second.tolist()[:2]]
        raise ValueError(f"Class labels of different types cannot be sorted together: {some}.") from None
