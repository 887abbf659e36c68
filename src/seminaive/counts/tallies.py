"""What one pass over rows leaves behind: tallies that grow batch by batch, and add up.

A tally is made empty, takes record batches with ``add``, and takes another tally of the same kind with
``merge``. It can be pickled, so that it may travel to where the rows are; and packed, so that a pass that was
interrupted goes on. Which batches go to which tally, and in which order tallies are merged, does not matter
for anything but the last bits of sums of weights that are no dyadic fractions.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from seminaive.counts.family import DenseFamily, Family, SparseFamily
from seminaive.counts.labelled import Counts
from seminaive.counts.plan import CountPlan
from seminaive.counts.state import pack_tables, unpack_tables
from seminaive.counts.tables import (
    CountTables,
    add_rows,
    add_to_families,
    class_codes,
    class_sizes,
    empty_tables,
)
from seminaive.data.columns import ascending
from seminaive.data.encode import TableEncoder
from seminaive.data.integers import IntegerLookup
from seminaive.data.record_batches import BatchEncoder, CategoryReader, column_numbers, mapped
from seminaive.data.schema import Attribute, Schema
from seminaive.data.state import pack_attribute, unpack_attribute
from seminaive.data.target import check_total
from seminaive.data.value_table import ValueTable
from seminaive.persistence.values import Packer, Unpacker

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "ClassTally",
    "CodedBlock",
    "CountTally",
    "FamilyTally",
    "FrequencyTally",
    "LabelledRows",
    "Tally",
    "Target",
    "ValueTally",
    "sorted_classes",
]


class Tally(Protocol):
    """One pass over rows.

    Attributes
    ----------
    rows : LabelledRows
        Who reads classes and weights, and knows how many rows there were.
    """

    rows: LabelledRows

    def add(self, batch: pa.RecordBatch) -> None:
        """Take up the rows of a batch."""

    def merge(self, other: Self) -> None:
        """Take up what another tally has."""

    def pack(self, packer: Packer) -> Any:
        """The state as JSON."""

    def unpack(self, state: Any, unpacker: Unpacker) -> None:
        """Go on from a state."""


@dataclass(frozen=True)
class Target:
    """Which columns hold the class and the weight of a row.

    Parameters
    ----------
    name : str
    weight : str or None
    factors : mapping of class to float, or None
        What the weights of the rows of a class are multiplied by.
    """

    name: str
    weight: str | None = None
    factors: Mapping[Hashable, float] | None = None

    @property
    def is_weighted(self) -> bool:
        """Whether counts are sums of weights."""
        return self.weight is not None or self.factors is not None


class LabelledRows:
    """Classes and weights of record batches, without the rows of weight zero.

    ``all_one`` tells whether no weight of a row has been anything else, ``n_rows`` how many rows there were,
    and ``n_of_class`` how many of each class count.
    """

    def __init__(self, target: Target, classes: Sequence[Hashable] = (), grows: bool = True) -> None:
        self.target = target
        self.grows = grows
        self.all_one = True
        self.n_rows = 0
        self.n_of_class: Counter[Hashable] = Counter()
        self._total = 0.0  # of all weights
        self._reader = CategoryReader(target.name, classes, grows)

    @property
    def classes(self) -> list[Hashable]:
        """Labels in the order of their codes."""
        return self._reader.values

    def read(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, np.ndarray, np.ndarray | None]:
        """The rows that count, their class codes and their own weights, None where there are none."""
        import pyarrow as pa

        first_row, weights = self.n_rows, None
        self.n_rows += batch.num_rows
        if self.target.weight is not None:
            weights = self._weights(batch, first_row)
            self.all_one &= bool((weights == 1).all())
            with np.errstate(over="ignore"):
                self._total += float(weights.sum())
                check_total(self._total, f"the weight {self.target.weight!r}")
            if not weights.all():
                batch, weights = batch.filter(pa.array(weights > 0)), weights[weights > 0]
        n_known = len(self.classes)
        indices, codes, strange = self._reader.read(batch.column(self.target.name))
        if strange:
            raise ValueError(f"the target {self.target.name!r} holds the unknown classes {strange}.")
        no_class = len(self.classes)
        entries = class_codes(np.where(codes < 0, no_class, codes), no_class + 1)
        labels = np.empty(len(indices), dtype=entries.dtype)
        mapped(indices, entries, labels)
        *sizes, without = class_sizes(labels, no_class + 1).tolist()
        if without:
            rows = np.flatnonzero(labels == no_class)
            raise ValueError(
                f"the target {self.target.name!r} is missing in {len(rows)} of {batch.num_rows} rows "
                f"(near row {first_row + int(rows[0]) + 1}). Drop these rows."
            )
        for value in self.classes[n_known:]:
            if isinstance(value, float) and not value.is_integer():
                raise ValueError(
                    f"the target {self.target.name!r} holds fractional numbers such as {value}, but a "
                    "classifier needs classes. Name another column, or put the numbers into classes first."
                )
        self.n_of_class.update(dict(zip(self.classes, sizes, strict=True)))
        return batch, labels, weights

    @property
    def is_whole(self) -> bool:
        """Whether counts are numbers of rows."""
        return self.all_one and self.target.factors is None

    def with_factors(self, labels: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
        """Weights of rows times those of their classes."""
        if self.target.factors is None:
            return weights
        factors = np.array([self.target.factors.get(value, 1.0) for value in self.classes])[labels]
        return factors if weights is None else weights * factors

    def _weights(self, batch: pa.RecordBatch, first_row: int) -> np.ndarray:
        name = str(self.target.weight)
        weights = column_numbers(batch.column(name), name)
        wrong = ~(np.isfinite(weights) & (weights >= 0))
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise ValueError(
                f"the weight {name!r} is {weights[row]} in row {first_row + row + 1}. Weights must be finite "
                "numbers >= 0."
            )
        return weights

    def merge(self, other: LabelledRows) -> None:
        """Take up classes of another part."""
        for value in other.classes:
            self._reader.codes_of.setdefault(value, len(self._reader.codes_of))
        self.all_one &= other.all_one
        self.n_rows += other.n_rows
        self.n_of_class.update(other.n_of_class)
        self._total += other._total
        check_total(self._total, f"the weight {self.target.weight!r}")

    def pack(self, packer: Packer) -> Any:
        n_of_class = [self.n_of_class[value] for value in self.classes]
        state = [self.classes, self.all_one, self.n_rows, n_of_class, self._total]
        return packer.pack(state, f"a class of {self.target.name!r}")

    def unpack(self, state: Any, unpacker: Unpacker) -> None:
        classes, self.all_one, self.n_rows, n_of_class, self._total = unpacker.unpack(state)
        self.n_of_class = Counter(dict(zip(classes, n_of_class, strict=True)))
        self._reader = CategoryReader(self.target.name, classes, self.grows)


def sorted_classes(classes: Sequence[Hashable], dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    """Distinct labels as an ascending array of a dtype, and the place of each in it."""
    labels = np.empty(len(classes), dtype=dtype)
    labels[:] = classes
    distinct, places = np.unique(labels, return_inverse=True)
    return distinct, places


class ClassTally:
    """The classes and the sum of the weights of each."""

    def __init__(self, target: Target) -> None:
        self.rows = LabelledRows(target)
        self.totals = np.zeros(0)

    def add(self, batch: pa.RecordBatch) -> None:
        _, labels, weights = self.rows.read(batch)
        self._grow()
        np.add.at(self.totals, labels, 1.0 if weights is None else weights)

    def merge(self, other: ClassTally) -> None:
        self.rows.merge(other.rows)
        self._grow()
        places = [self.rows.classes.index(value) for value in other.rows.classes]
        np.add.at(self.totals, places, other.totals)

    def _grow(self) -> None:
        self.totals = np.pad(self.totals, (0, len(self.rows.classes) - len(self.totals)))

    def pack(self, packer: Packer) -> Any:
        return [self.rows.pack(packer), packer.array(self.totals)]

    def unpack(self, state: Any, unpacker: Unpacker) -> None:
        self.rows.unpack(state[0], unpacker)
        self.totals = unpacker.array(state[1])


class ValueTally:
    """How often each value of numeric columns occurs in each class.

    Parameters
    ----------
    target : Target
    columns : sequence of str
    max_distinct : int
        Above so many distinct values of a column neighbours are put together, see `ValueTable`.
    """

    def __init__(self, target: Target, columns: Sequence[str], max_distinct: int) -> None:
        self.rows = LabelledRows(target)
        self.tables = {name: ValueTable(max_distinct) for name in columns}
        self.attributes: list[Attribute] = []

    def add(self, batch: pa.RecordBatch) -> None:
        batch, labels, weights = self.rows.read(batch)
        weights = self.rows.with_factors(labels, weights)
        for name, table in self.tables.items():
            table.add(column_numbers(batch.column(name), name), labels, weights)

    def merge(self, other: ValueTally) -> None:
        self.rows.merge(other.rows)
        index = {value: code for code, value in enumerate(self.rows.classes)}
        places = np.array([index[value] for value in other.rows.classes], dtype=np.int64)
        for name, table in self.tables.items():
            table.merge(other.tables[name], places)

    def finish(self, discretizers: Sequence[Any], rules: Sequence[str], dtype: Any) -> dict[str, Attribute]:
        """What the columns become; only that is kept.

        ``discretizers`` and ``rules`` say of every column how it is cut, and what becomes of a missing value.
        """
        if not self.attributes:
            _, places = sorted_classes(self.rows.classes, dtype)
            is_weighted = not self.rows.is_whole
            self.attributes = [
                table.attribute(name, discretizer, rule, places, is_weighted)
                for (name, table), discretizer, rule in zip(
                    self.tables.items(), discretizers, rules, strict=True
                )
            ]
            self.tables = {}
        return {attribute.name: attribute for attribute in self.attributes}

    def pack(self, packer: Packer) -> Any:
        attributes = [pack_attribute(attribute, packer) for attribute in self.attributes]
        tables = [table.pack(packer) for table in self.tables.values()]
        return [self.rows.pack(packer), attributes, tables]

    def unpack(self, state: Any, unpacker: Unpacker) -> None:
        rows, attributes, tables = state
        self.rows.unpack(rows, unpacker)
        self.attributes = [unpack_attribute(part, unpacker) for part in attributes]
        if self.attributes:
            self.tables = {}
        for table, part in zip(self.tables.values(), tables, strict=True):
            table.unpack(part, unpacker)


class FrequencyTally:
    """The sum of the weights of every value of categorical columns, added in the order of the rows.

    Where rows carry weights, imputed values have to be known before the counting, or sums would be rounded
    in another way than in memory.
    """

    def __init__(self, target: Target, attributes: Sequence[Attribute]) -> None:
        self.rows = LabelledRows(target)
        self.batches = BatchEncoder(attributes, grows=True)
        self.sums = [np.zeros(0) for _ in attributes]

    def add(self, batch: pa.RecordBatch) -> None:
        batch, labels, weights = self.rows.read(batch)
        codes, _ = self.batches.encode(batch)
        weights = self.rows.with_factors(labels, weights)
        self._grow()
        for i, sums in enumerate(self.sums):
            known = codes[i] < len(sums)
            np.add.at(sums, codes[i][known], 1.0 if weights is None else weights[known])

    def merge(self, other: FrequencyTally) -> None:
        self.rows.merge(other.rows)
        pairs = zip(self.batches.attributes, other.batches.attributes, strict=True)
        self.batches = BatchEncoder([_with_values_of(a, b) for a, b in pairs], grows=True)
        self._grow()
        for i, (old, new) in enumerate(zip(other.batches.attributes, self.batches.attributes, strict=True)):
            self.sums[i][_places(old, new)] += other.sums[i]

    def _grow(self) -> None:
        for i, attribute in enumerate(self.batches.attributes):
            self.sums[i] = np.pad(self.sums[i], (0, attribute.n_values - len(self.sums[i])))

    def finish(self) -> dict[str, Attribute]:
        """The attributes with all values, missing ones the most frequent; None where there is no value."""
        found = {}
        for attribute, sums in zip(self.batches.attributes, self.sums, strict=True):
            values = attribute.values if attribute.declared else tuple(ascending(attribute.values))
            final = replace(attribute, values=values)
            of_value = np.zeros(len(values))
            of_value[_places(attribute, final)] = sums
            fill = int(of_value.argmax()) if of_value.any() else None
            found[attribute.name] = replace(final, fill_code=fill)
        return found

    def pack(self, packer: Packer) -> Any:
        attributes = [pack_attribute(attribute, packer) for attribute in self.batches.attributes]
        return [self.rows.pack(packer), attributes, [packer.array(sums) for sums in self.sums]]

    def unpack(self, state: Any, unpacker: Unpacker) -> None:
        self.rows.unpack(state[0], unpacker)
        self.batches = BatchEncoder([unpack_attribute(part, unpacker) for part in state[1]], grows=True)
        self.sums = [unpacker.array(part) for part in state[2]]


@dataclass
class CodedBlock:
    """Codes and weights of some rows, as they were when ``n_values`` values of each attribute were known."""

    codes: np.ndarray
    n_values: np.ndarray
    labels: np.ndarray
    weights: np.ndarray | None


class CountTally:
    """Counts of rows whose categorical values and classes are met on the way.

    A missing categorical value is counted in the last slot of its attribute; what becomes of it, and the
    order of values and classes, is settled by ``finish``.

    Parameters
    ----------
    target : Target
    attributes : sequence of Attribute
        Numeric ones as they will be, and categorical ones where it is known what is imputed; others with the
        declared values or without any.
    plan : CountPlan
        Whether pairs are counted, and what a classifier keeps beside them.
    memory_limit : int
        Bytes.
    n_jobs : int or None
    keeps_rows : bool
        Whether the codes of the rows are kept, in the place of pairs.
    """

    def __init__(
        self,
        target: Target,
        attributes: Sequence[Attribute],
        plan: CountPlan,
        memory_limit: int,
        n_jobs: int | None = None,
        keeps_rows: bool = False,
    ) -> None:
        self.rows = LabelledRows(target)
        self.plan = CountPlan() if keeps_rows else replace(plan, families=(), index=False, triples=False)
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.keeps_rows = keeps_rows
        self.blocks: list[CodedBlock] = []
        self.batches = BatchEncoder(attributes, grows=True)
        self.tables = self._empty(self.batches.schema)

    def add(self, batch: pa.RecordBatch) -> None:
        batch, labels, weights = self.rows.read(batch)
        if batch.num_rows == 0:
            return
        codes, _ = self.batches.encode(batch)
        self._make_room(batch.num_rows)
        labels = class_codes(labels, self.tables.n_classes)
        add_rows(self.tables, codes, labels, self.rows.with_factors(labels, weights), self.n_jobs)
        if self.keeps_rows:
            self.check_rows(self.tables.n_rows, codes.itemsize)
            self.blocks.append(CodedBlock(codes, self.tables.n_values, labels, weights))

    def check_rows(self, n_rows: int, itemsize: int = 1) -> None:
        """Raise a MemoryError if the codes of so many rows are too many to be kept."""
        n = len(self.batches.attributes)
        needed = n_rows * (n * itemsize + 8 + 16 * self.rows.target.is_weighted)
        if needed > self.memory_limit:
            raise MemoryError(
                f"This classifier looks at single training rows: the codes of {n_rows:,} rows x {n} "
                f"attributes take {needed:,} bytes, above the limit of {self.memory_limit:,} bytes. Raise "
                "memory_limit, fit on fewer rows, or choose a classifier that learns from counts alone, such "
                "as AODE or KDB."
            )

    def merge(self, other: CountTally) -> None:
        theirs, before = other.tables, other.batches.attributes
        self.rows.merge(other.rows)
        if theirs.n_rows == 0:
            return
        pairs = zip(self.batches.attributes, before, strict=True)
        self.batches = BatchEncoder([_with_values_of(a, b) for a, b in pairs], grows=True)
        self._make_room(other.tables.n_rows)
        schema, classes = self.batches.schema, self.rows.classes
        of_class = np.array([classes.index(value) for value in other.rows.classes], dtype=np.int64)
        if self.tables.pair_counts is None and self.plan.pairs:
            theirs = theirs.with_sparse_pairs()
        self.tables = self.tables + theirs.with_classes(of_class, len(classes)).resized(schema)
        places = [_places(a, b) for a, b in zip(before, schema.attributes, strict=True)]
        if self.keeps_rows:
            self.check_rows(self.tables.n_rows, schema.code_dtype.itemsize)
        for block in other.blocks:
            labels = class_codes(of_class[block.labels], len(classes))
            codes = _moved(block, places, schema)
            self.blocks.append(CodedBlock(codes, schema.n_values, labels, block.weights))

    def finish(
        self, encoder: TableEncoder, rules: Sequence[str], dtype: Any
    ) -> tuple[Counts, CodedBlock | None]:
        """Counts of all rows, and their codes where they were kept; the tally is used up.

        ``rules`` says of every attribute what becomes of a missing value; the classes get a ``dtype``.
        """
        if self.tables.n_rows == 0:
            raise ValueError("There is no row of positive weight: nothing to learn from.")
        tables = self.tables
        settled = [
            _settled(attribute, tables.attribute(i), rule)
            for i, (attribute, rule) in enumerate(zip(self.batches.attributes, rules, strict=True))
        ]
        schema = Schema(tuple(attribute for attribute, _ in settled))
        classes, of_class = sorted_classes(self.rows.classes, dtype)
        if not self.plan.lays_out_pairs(schema, len(classes), tables.n_rows, self.memory_limit):
            tables = tables.with_sparse_pairs()
        tables = tables.relocated(schema, [slots for _, slots in settled])
        tables = tables.with_classes(of_class, len(classes))
        if self.rows.is_whole:
            tables = tables.as_whole_numbers()
        encoder = copy.copy(encoder)
        encoder._adopt(schema, IntegerLookup.of(schema))
        encoder.n_features_in_ = len(schema)
        encoder.feature_names_in_ = np.array(schema.names, dtype=object)
        places = [slots[:-1] for _, slots in settled]
        kept = self._all_rows(schema, places, of_class) if self.keeps_rows else None
        return Counts(encoder, classes, tables), kept

    def _all_rows(self, schema: Schema, places: list[np.ndarray], of_class: np.ndarray) -> CodedBlock:
        """The blocks as one, each freed once it was copied."""
        n_rows = self.tables.n_rows
        codes = np.empty((len(schema), n_rows), dtype=schema.code_dtype)
        labels = np.empty(n_rows, dtype=np.int64)
        weights = None if self.rows.all_one else np.empty(n_rows)
        stop = 0
        self.blocks.reverse()
        while self.blocks:
            block = self.blocks.pop()
            start, stop = stop, stop + len(block.labels)
            codes[:, start:stop] = _moved(block, places, schema)
            labels[start:stop] = of_class[block.labels]
            if weights is not None:
                weights[start:stop] = block.weights
        return CodedBlock(codes, schema.n_values, labels, weights)

    def _empty(self, schema: Schema, n_classes: int = 0) -> CountTables:
        dtype = np.float64 if self.rows.target.is_weighted else np.int64
        dense = self.plan.lays_out_pairs(schema, n_classes, 0, self.memory_limit)
        tables = empty_tables(schema, n_classes, dtype, dense)
        if self.plan.pairs and not dense:
            for i, j in tables.all_pairs:
                n_values = int(schema.n_values[i]), int(schema.n_values[j])
                tables.families[i, j] = SparseFamily.empty(n_values, n_classes, dtype)
        return tables

    def _make_room(self, n_rows: int) -> None:
        """Make tables take up values and classes that are new, and turn sparse if they would not fit.

        ``n_rows`` more rows will be counted; a MemoryError says if there is no room for them.
        """
        tables, schema, n_classes = self.tables, self.batches.schema, len(self.rows.classes)
        grows = not np.array_equal(schema.n_values, tables.n_values) or n_classes > tables.n_classes
        if not grows and tables.pair_counts is not None:
            return
        dense = self.plan.lays_out_pairs(schema, n_classes, tables.n_rows + n_rows, self.memory_limit)
        if tables.n_rows == 0:
            self.tables = self._empty(schema, n_classes)
        elif grows:
            if not dense:
                tables = tables.with_sparse_pairs()
            self.tables = tables.with_classes(np.arange(tables.n_classes), n_classes).resized(schema)

    def pack(self, packer: Packer) -> Any:
        return {
            "rows": self.rows.pack(packer),
            "attributes": [pack_attribute(attribute, packer) for attribute in self.batches.attributes],
            "tables": pack_tables(self.tables, packer) if self.tables.n_rows else None,
            "blocks": [
                [None if part is None else packer.array(part) for part in vars(block).values()]
                for block in self.blocks
            ],
        }

    def unpack(self, state: Any, unpacker: Unpacker) -> None:
        self.rows.unpack(state["rows"], unpacker)
        attributes = [unpack_attribute(part, unpacker) for part in state["attributes"]]
        self.batches = BatchEncoder(attributes, grows=True)
        self.tables = self._empty(self.batches.schema)
        if state["tables"] is not None:
            self.tables = unpack_tables(state["tables"], self.batches.schema, unpacker.array)
        self.blocks = [
            CodedBlock(*(None if part is None else unpacker.array(part) for part in parts))  # type: ignore[arg-type]
            for parts in state["blocks"]
        ]


class FamilyTally:
    """Counts of families of rows whose values and classes are known.

    Parameters
    ----------
    target : Target
    counts : Counts
        Of the same rows.
    families : mapping of tuple of int to bool
        Which ones, the child last, and whether the table is laid out in full.
    n_jobs : int or None
    """

    def __init__(
        self,
        target: Target,
        counts: Counts,
        families: Mapping[tuple[int, ...], bool],
        n_jobs: int | None = None,
    ) -> None:
        tables = counts.tables
        self.rows = LabelledRows(target, counts.classes.tolist(), grows=False)
        self.batches = BatchEncoder(counts.encoder.schema_.attributes, grows=False)
        self.n_jobs = n_jobs
        self.is_whole = tables.class_counts.dtype == np.int64
        self.tables = replace(tables, pair_counts=None, families={})
        for members, dense in families.items():
            kind: Any = DenseFamily if dense else SparseFamily
            n_values = tuple(int(tables.n_values[i]) for i in members)
            self.tables.families[members] = kind.empty(n_values, tables.n_classes, tables.class_counts.dtype)

    def add(self, batch: pa.RecordBatch) -> None:
        batch, labels, weights = self.rows.read(batch)
        if batch.num_rows:
            codes, unknown = self.batches.encode(batch)
            if unknown:
                raise ValueError("The rows are not those of the pass before: a value is new.")
            weights = None if self.is_whole else self.rows.with_factors(labels, weights)
            add_to_families(
                self.tables, codes, class_codes(labels, self.tables.n_classes), weights, self.n_jobs
            )

    def merge(self, other: FamilyTally) -> None:
        self.rows.merge(other.rows)
        for members, family in other.tables.families.items():
            self.tables.families[members] = self.tables.families[members] + family

    def finish(self) -> dict[tuple[int, ...], Family]:
        """The families."""
        return self.tables.families

    def pack(self, packer: Packer) -> Any:
        return [self.rows.pack(packer), pack_tables(self.tables, packer)]

    def unpack(self, state: Any, unpacker: Unpacker) -> None:
        self.rows.unpack(state[0], unpacker)
        families = unpack_tables(state[1], self.tables.schema, unpacker.array).families
        self.tables.families.update({members: families[members] for members in self.tables.families})


def _settled(attribute: Attribute, counts: np.ndarray, rule: str) -> tuple[Attribute, np.ndarray]:
    """The attribute in the end, and where its slots lie then; ``counts`` has a row for each slot."""
    if attribute.kind == "numeric" or attribute.fill_code is not None:
        return attribute, np.arange(attribute.n_values + 1)
    values = attribute.values
    order = values if attribute.declared else ascending(values)
    final = replace(attribute, values=tuple(order))
    slots = np.array([*(final._index[value] for value in values), len(values)], dtype=np.int64)
    if rule == "value" and counts[-1].any():
        final = replace(final, has_missing_value=True)  # the slot of missing values becomes a value
    if rule == "impute" and counts[:-1].any():
        of_value = np.zeros(len(values))
        of_value[slots[:-1]] = counts[:-1].sum(axis=1)
        final = replace(final, fill_code=int(of_value.argmax()))
        slots[-1] = final.missing_code
    return final, slots


def _with_values_of(first: Attribute, second: Attribute) -> Attribute:
    return replace(first, values=tuple(dict.fromkeys([*first.values, *second.values])))


def _places(old: Attribute, new: Attribute) -> np.ndarray:
    """Code of every value among further ones, and of a numeric attribute as it is."""
    if old.kind == "numeric":
        return np.arange(old.n_values)
    return np.array([new._index[value] for value in old.values], dtype=np.int64)


def _moved(block: CodedBlock, places: Sequence[np.ndarray], schema: Schema) -> np.ndarray:
    """Codes of a block under a schema, where each value has a new place."""
    codes = np.empty(block.codes.shape, dtype=schema.code_dtype)
    for i, attribute in enumerate(schema.attributes):
        entries = [*places[i][: block.n_values[i]].tolist(), attribute.missing_code]
        codes[i] = np.array(entries, dtype=codes.dtype)[block.codes[i]]
    return codes
