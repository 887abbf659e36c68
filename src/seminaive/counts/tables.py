"""Contingency tables of codes, additive over blocks of rows.

An attribute with v values has v + 1 slots; the last slot counts the rows in which it is not observed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from seminaive.counts.family import DenseFamily, Family, SparseFamily, add_at
from seminaive.counts.instance_index import InstanceIndex
from seminaive.counts.plan import CountPlan, default_memory_limit
from seminaive.counts.triple_totals import TripleTotals
from seminaive.data.schema import Attribute, Schema, first_slots
from seminaive.parallel import run_blocks

__all__ = [
    "CountTables",
    "add_rows",
    "add_to_families",
    "class_codes",
    "class_sizes",
    "count",
    "count_families",
    "count_sparse_families",
    "count_triples",
    "empty_tables",
    "slot_layout",
]

# measured with benchmarks/bench_counting.py: one word of 64 rows against one increment per row
_WORD_COST, _WORD_OVERHEAD, _ROW_COST = 0.25, 8.0, 0.75
_BITMAP_VALUES = 64  # attributes with more values are never packed
_FEW_CLASSES, _COMPARED = 16, 2**16  # so few are counted sooner one by one, so many rows at a time
# one increment for two groups of attributes, and what a cell of such a table costs once in so many rows
_GROUP_COST, _GROUP_CELL_COST, _GROUP_CELLS, _GROUP_ROWS = 0.5, 1.25, 2**14, 2**18


@dataclass
class CountTables:
    """Counts of one table.

    Attributes
    ----------
    schema : Schema
    n_classes : int
        K.
    n_rows : int
        Rows counted, weights left out of account.
    class_counts : ndarray of shape (K,)
        Sum of weights per class. All counts are int64, or float64 where rows carry weights.
    attribute_counts : ndarray of shape (slots of all attributes, K)
        Attribute i from ``first_slot[i]`` on.
    pair_counts : ndarray or None
        All dense pair tables in one flat array, see ``pair_tasks``.
    families : dict
        Attribute tuple (child last) -> Family.
    index : InstanceIndex or None
        Of the rows that were counted; tables of several blocks have none.
    triples : TripleTotals or None
        As ``index``.
    """

    schema: Schema
    n_classes: int
    n_rows: int
    class_counts: np.ndarray
    attribute_counts: np.ndarray
    first_slot: np.ndarray
    pair_tasks: np.ndarray
    pair_counts: np.ndarray | None = None
    families: dict[tuple[int, ...], Family] = field(default_factory=dict)
    index: InstanceIndex | None = None
    triples: TripleTotals | None = None

    @property
    def n_values(self) -> np.ndarray:
        """Number of values of every attribute, shape (n_attributes,)."""
        return self.schema.n_values

    @property
    def nbytes(self) -> int:
        """Bytes that the tables take."""
        arrays = [self.class_counts, self.attribute_counts, *(f.counts for f in self.families.values())]
        arrays += [f.cells for f in self.families.values() if isinstance(f, SparseFamily)]
        further = [part for part in (self.pair_counts, self.index, self.triples) if part is not None]
        return sum(part.nbytes for part in [*arrays, *further])

    @property
    def has_pairs(self) -> bool:
        """Whether every pair of attributes was counted."""
        n = len(self.schema)
        return self.pair_counts is not None or all(
            (i, j) in self.families for i in range(n) for j in range(i + 1, n)
        )

    def attribute(self, i: int) -> np.ndarray:
        """Counts of attribute i, shape (v_i + 1, K)."""
        table: np.ndarray = self.attribute_counts[self.first_slot[i] : self.first_slot[i + 1]]
        return table

    def pair(self, i: int, j: int) -> np.ndarray:
        """Dense counts of attributes i and j, shape (v_i + 1, v_j + 1, K)."""
        if i > j:
            return self.pair(j, i).transpose(1, 0, 2)
        assert self.pair_counts is not None
        n = len(self.schema)
        _, _, offset, slots = self.pair_tasks[i * (2 * n - i - 1) // 2 + j - i - 1]
        shape = (int(self.n_values[i]) + 1, int(slots), self.n_classes)
        return self.pair_counts[offset : offset + shape[0] * shape[1] * shape[2]].reshape(shape)

    def family(self, members: tuple[int, ...]) -> Family:
        """Counts of a family, parents first, child last; taken from wider tables where they hold it."""
        if members in self.families:
            return self.families[members]
        child = members[-1]
        n_values = tuple(int(self.n_values[i]) for i in members)
        if len(members) == 1:
            return DenseFamily(n_values, self.attribute(child)[:-1])
        if len(members) == 2 and self.pair_counts is not None:
            return DenseFamily(n_values, self.pair(members[0], child)[:, :-1])
        if len(members) == 2 and members[::-1] in self.families:
            return self.families[members[::-1]].reversed_pair()
        raise KeyError(f"the family {members} was not counted")

    def __add__(self, other: CountTables) -> CountTables:
        """Tables of two blocks of rows of one schema."""
        if (self.pair_counts is None) != (other.pair_counts is None):
            return self.with_sparse_pairs() + other.with_sparse_pairs()
        pairs = None
        if self.pair_counts is not None and other.pair_counts is not None:
            pairs = self.pair_counts + other.pair_counts
        return replace(
            self,
            n_rows=self.n_rows + other.n_rows,
            class_counts=self.class_counts + other.class_counts,
            attribute_counts=self.attribute_counts + other.attribute_counts,
            pair_counts=pairs,
            families={members: self.families[members] + other.families[members] for members in self.families},
            index=None,
            triples=None,
        )

    @property
    def all_pairs(self) -> list[tuple[int, ...]]:
        """Every pair of attributes, in the order of the pair tables."""
        return [(int(i), int(j)) for i, j, _, _ in self.pair_tasks]

    def lacking(self, plan: CountPlan, n_rows: int, limit: int) -> dict[tuple[int, ...], bool]:
        """Families of a plan that no table here holds, and whether each is to be laid out in full.

        Raises
        ------
        MemoryError
            If they do not fit.
        """
        pairs_counted = self.pair_counts is not None
        dense = plan.dense_families(self.schema, self.n_classes, n_rows, limit, pairs_counted, self.nbytes)
        return {
            family: laid_out
            for family, laid_out in zip(plan.families, dense, strict=True)
            if family not in self.families
            and family[::-1] not in self.families
            and not (laid_out and pairs_counted and len(family) == 2)
        }

    def with_sparse_pairs(self) -> CountTables:
        """The same counts with pair tables that hold only what occurs."""
        if self.pair_counts is None:
            return self
        pairs: dict[tuple[int, ...], Family] = {(i, j): self._sparse_pair(i, j) for i, j in self.all_pairs}
        return replace(self, pair_counts=None, families={**pairs, **self.families})

    def _sparse_pair(self, i: int, j: int) -> SparseFamily:
        counts = self.pair(i, j)
        cells = np.array(np.nonzero(counts.any(axis=2)))
        return SparseFamily((int(self.n_values[i]), int(self.n_values[j])), cells, counts[tuple(cells)])

    def laid_out(self, plan: CountPlan, n_rows: int, limit: int) -> CountTables:
        """The same counts in the layouts in which `count` and `count_families` would give those of a plan.

        Raises
        ------
        KeyError
            With the members of a family that was not counted.
        MemoryError
            If the tables do not fit.
        """
        tables = self
        if plan.pairs and self.pair_counts is not None:
            base = replace(plan, families=())
            if not base.pairs_are_dense(self.schema, self.n_classes, n_rows, limit):
                tables = self.with_sparse_pairs()
        pairs_counted = tables.pair_counts is not None
        flags = plan.dense_families(
            tables.schema, tables.n_classes, n_rows, limit, pairs_counted, tables.nbytes
        )
        families = dict(tables.families)
        for members, dense in zip(plan.families, flags, strict=True):
            if len(members) == 2 and members[::-1] in families:
                continue
            if len(members) == 2 and pairs_counted:
                if not dense:
                    families[members] = tables._sparse_pair(*members)
                continue
            family = families.get(members)
            if family is None:
                raise KeyError(members)
            if dense and isinstance(family, SparseFamily):
                families[members] = family.laid_out()
        return replace(tables, families=families)

    def as_whole_numbers(self) -> CountTables:
        """The same counts as int64, where no weight was anything but 1."""
        pairs = self.pair_counts
        return replace(
            self,
            class_counts=self.class_counts.astype(np.int64),
            attribute_counts=self.attribute_counts.astype(np.int64),
            pair_counts=None if pairs is None else pairs.astype(np.int64),
            families={
                members: family.spread(lambda counts: counts.astype(np.int64))
                for members, family in self.families.items()
            },
        )

    def resized(self, schema: Schema) -> CountTables:
        """The same counts under a schema with further values, in whatever order."""
        if all(
            old.values == new.values and old.n_values == new.n_values
            for old, new in zip(self.schema.attributes, schema.attributes, strict=True)
        ):
            return replace(self, schema=schema)
        pairs = zip(self.schema.attributes, schema.attributes, strict=True)
        return self.relocated(schema, [_moved_slots(old, new) for old, new in pairs])

    def relocated(self, schema: Schema, moved: Sequence[np.ndarray]) -> CountTables:
        """The same counts under another schema; ``moved[i]`` says where each slot of attribute i lies now.

        What is moved to one place is added up.
        """
        if not self.families and all(
            np.array_equal(slots, np.arange(old + 1)) and old == new
            for slots, old, new in zip(moved, self.n_values, schema.n_values, strict=True)
        ):
            return replace(self, schema=schema, index=None, triples=None)
        result = empty_tables(schema, self.n_classes, self.class_counts.dtype, self.pair_counts is not None)
        result.n_rows, result.class_counts = self.n_rows, self.class_counts
        for i, slots in enumerate(moved):
            add_at(result.attribute(i), [slots], self.attribute(i))
        if self.pair_counts is not None:
            for i, j in self.all_pairs:
                add_at(result.pair(i, j), [moved[i], moved[j]], self.pair(i, j))
        for members, family in self.families.items():
            sizes = tuple(int(schema.n_values[i]) for i in members)
            result.families[members] = family.resized(sizes, [moved[i] for i in members])
        return result

    def with_classes(self, places: np.ndarray, n_classes: int) -> CountTables:
        """The same counts among further classes; ``places`` (K,) says where each class lies now."""
        if np.array_equal(places, np.arange(n_classes)):
            return self

        def spread(counts: np.ndarray) -> np.ndarray:
            result = np.zeros((*counts.shape[:-1], n_classes), dtype=counts.dtype)
            result[..., places] = counts
            return result

        _, tasks = slot_layout(self.schema, n_classes, self.pair_counts is not None)
        pairs = self.pair_counts
        return replace(
            self,
            n_classes=n_classes,
            class_counts=spread(self.class_counts),
            attribute_counts=spread(self.attribute_counts),
            pair_tasks=tasks,
            pair_counts=None if pairs is None else spread(pairs.reshape(-1, self.n_classes)).ravel(),
            families={members: family.spread(spread) for members, family in self.families.items()},
            index=None,
            triples=None,
        )


def _moved_slots(old: Attribute, new: Attribute) -> np.ndarray:
    """Where each slot of an attribute lies among further values."""
    known = old.n_values - old.has_missing_value
    slots = np.arange(old.n_values + 1)
    if old.kind == "categorical":
        slots[:known] = [new._index[value] for value in old.values]
    if old.has_missing_value:
        slots[known] = new.n_values - 1
    slots[-1] = new.n_values
    return slots


def empty_tables(schema: Schema, n_classes: int, dtype: Any, pairs: bool) -> CountTables:
    """Tables of no rows."""
    first_slot, tasks = slot_layout(schema, n_classes, pairs)
    total = int(first_slot[-1])
    cells = (total**2 - int(((schema.n_values + 1) ** 2).sum())) // 2 * n_classes
    return CountTables(
        schema,
        n_classes,
        0,
        np.zeros(n_classes, dtype=dtype),
        np.zeros((first_slot[-1], n_classes), dtype=dtype),
        first_slot,
        tasks,
        np.zeros(cells, dtype=dtype) if pairs else None,
    )


def slot_layout(
    schema: Schema, n_classes: int, dense: bool, pairs: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """``first_slot`` and ``pair_tasks`` of tables; without ``pairs`` there are no tasks."""
    slots = schema.n_values + 1
    first_slot = first_slots(schema.n_values)
    first, second = np.triu_indices(len(schema) if pairs else 0, 1)
    cells = slots[first] * slots[second] * n_classes if dense else np.zeros(len(first), dtype=np.int64)
    tasks = np.column_stack([first, second, np.cumsum(cells) - cells, slots[second]]).astype(np.int64)
    return first_slot, tasks


def count(
    plan: CountPlan,
    schema: Schema,
    codes: np.ndarray,
    classes: np.ndarray,
    n_classes: int,
    weights: np.ndarray | None = None,
    *,
    memory_limit: int | None = None,
    n_jobs: int | None = None,
) -> CountTables:
    """Count one block of rows.

    Parameters
    ----------
    plan : CountPlan
    schema : Schema
    codes : ndarray of shape (n_attributes, n_rows), unsigned
    classes : ndarray of shape (n_rows,), class codes
    n_classes : int
    weights : ndarray of shape (n_rows,), default=None
        None counts rows.
    memory_limit : int, default=None
        Bytes for tables; None is half of the free memory.
    n_jobs : int, default=None
        Threads; each fills tables of its own, so that the result does not depend on their number.

    Returns
    -------
    CountTables

    Raises
    ------
    MemoryError
        Before anything is allocated, if the tables do not fit.
    """

    limit = default_memory_limit() if memory_limit is None else memory_limit
    n_rows = codes.shape[1]
    dense_pairs = plan.lays_out_pairs(schema, n_classes, n_rows, limit)
    classes = class_codes(classes, n_classes)
    dtype = np.int64 if weights is None else np.float64
    tables = empty_tables(schema, n_classes, dtype, dense_pairs)
    add_rows(tables, codes, classes, weights, n_jobs)
    if plan.pairs and not dense_pairs:
        pairs_of_all = tables.all_pairs
        _count_families(tables, pairs_of_all, [False] * len(pairs_of_all), codes, classes, weights, n_jobs)
    if plan.index:
        tables.index = InstanceIndex.build(codes, classes, schema.n_values, n_classes, weights, n_jobs)
    if plan.families:
        count_families(tables, plan, codes, classes, weights, memory_limit=limit, n_jobs=n_jobs)
    if plan.triples:
        count_triples(tables, codes, weights, memory_limit=limit, n_jobs=n_jobs)
    return tables


def class_codes(classes: np.ndarray, n_classes: int) -> np.ndarray:
    """Class codes in the smallest of three unsigned types, which is what kernels are compiled for."""
    return classes.astype(
        np.uint8 if n_classes <= 2**8 else np.uint16 if n_classes <= 2**16 else np.uint32, copy=False
    )


def class_sizes(classes: np.ndarray, n_classes: int) -> np.ndarray:
    """Rows of each class, shape (n_classes,)."""
    if n_classes <= _FEW_CLASSES:
        sizes = np.zeros(n_classes, dtype=np.int64)
        for first in range(0, len(classes), _COMPARED):
            part = classes[first : first + _COMPARED]
            sizes += [np.count_nonzero(part == code) for code in range(n_classes)]
        return sizes
    return np.bincount(classes, minlength=n_classes)


def add_rows(
    tables: CountTables,
    codes: np.ndarray,
    classes: np.ndarray,
    weights: np.ndarray | None = None,
    n_jobs: int | None = None,
) -> None:
    """Add rows to the class and attribute tables, the dense pairs and the families that tables have.

    Weights are added in the order of the rows, so that blocks one after the other give the sums of all rows
    at once, bit for bit. ``classes`` as `class_codes` gives them.
    """
    from seminaive.kernels import count as kernels

    tables.n_rows += codes.shape[1]
    if weights is None:
        of_class = class_sizes(classes, tables.n_classes)
        tables.class_counts += of_class
    else:
        np.add.at(tables.class_counts, classes, weights)
    if tables.pair_counts is not None and weights is None:
        _count_pairs(tables, codes, classes, of_class, n_jobs)
    else:

        def attributes(part: np.ndarray) -> None:
            if weights is None:
                kernels.count_attributes(codes, classes, part, tables.first_slot, tables.attribute_counts)
            else:
                kernels.weigh_attributes(
                    codes, classes, weights, part, tables.first_slot, tables.attribute_counts
                )

        run_blocks(attributes, np.arange(len(tables.schema)), n_jobs, work=codes.size)
    if tables.pair_counts is not None and weights is not None:

        def pairs(part: np.ndarray) -> None:
            kernels.weigh_pairs(codes, classes, weights, part, tables.n_classes, tables.pair_counts)

        run_blocks(pairs, tables.pair_tasks, n_jobs, work=len(tables.pair_tasks) * codes.shape[1])
    add_to_families(tables, codes, classes, weights, n_jobs)


def add_to_families(
    tables: CountTables,
    codes: np.ndarray,
    classes: np.ndarray,
    weights: np.ndarray | None = None,
    n_jobs: int | None = None,
) -> None:
    """Add rows to the families that tables have, in the layouts that they have."""

    def some(part: np.ndarray) -> None:
        for index in part:
            families[index].add_rows(members[index], codes, classes, weights)

    members, families = list(tables.families), list(tables.families.values())
    run_blocks(some, np.arange(len(members)), n_jobs, work=len(members) * codes.shape[1])


def count_families(
    tables: CountTables,
    plan: CountPlan,
    codes: np.ndarray,
    classes: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    memory_limit: int | None = None,
    n_jobs: int | None = None,
) -> None:
    """Add the families of ``plan`` to tables of the same rows; parameters as in `count`.

    Dense tables of single parents are not counted again: `CountTables.family` takes them from the pairs.
    """
    limit = default_memory_limit() if memory_limit is None else memory_limit
    missing = tables.lacking(plan, codes.shape[1], limit)
    _count_families(tables, [*missing], [*missing.values()], codes, classes, weights, n_jobs)


def count_sparse_families(
    tables: CountTables,
    families: tuple[tuple[int, ...], ...],
    codes: np.ndarray,
    classes: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    memory_limit: int | None = None,
    n_jobs: int | None = None,
) -> None:
    """Add families to tables of the same rows, as what occurs: such tables add up whatever their rows are."""
    limit = default_memory_limit() if memory_limit is None else memory_limit
    CountPlan(families=families).dense_families(  # raises if even sparse ones do not fit
        tables.schema, tables.n_classes, codes.shape[1], limit, already=tables.nbytes
    )
    _count_families(tables, [*families], [False] * len(families), codes, classes, weights, n_jobs)


def count_triples(
    tables: CountTables,
    codes: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    memory_limit: int | None = None,
    n_jobs: int | None = None,
) -> None:
    """Add counts of triples to tables of the same rows, where a quarter of what is left suffices.

    Where values are missing these tables answer by subtraction, which sums of weights do not survive.
    """
    limit = default_memory_limit() if memory_limit is None else memory_limit
    plan = CountPlan(triples=True)
    has_gaps = tables.attribute_counts[tables.first_slot[1:] - 1].any()
    if not plan.counts_triples(tables.schema, codes.shape[1], (limit - tables.nbytes) // 4):
        return
    if weights is None or not has_gaps:
        tables.triples = TripleTotals.count(codes, tables.n_values, weights, n_jobs)


def _count_families(
    tables: CountTables,
    families: list[tuple[int, ...]],
    dense: list[bool],
    codes: np.ndarray,
    classes: np.ndarray,
    weights: np.ndarray | None,
    n_jobs: int | None,
) -> None:
    counted: list[Family | None] = [None] * len(families)

    def some(part: np.ndarray) -> None:
        for index in part:
            members = families[index]
            kind = DenseFamily if dense[index] else SparseFamily
            n_values = tuple(int(tables.n_values[i]) for i in members)
            counted[index] = kind.count(members, n_values, codes, classes, tables.n_classes, weights)

    run_blocks(some, np.arange(len(families)), n_jobs, work=len(families) * codes.shape[1])
    tables.families.update(zip(families, counted, strict=True))  # type: ignore[arg-type]


def _count_pairs(
    tables: CountTables, codes: np.ndarray, classes: np.ndarray, per_class: np.ndarray, n_jobs: int | None
) -> None:
    """Attribute and pair tables of unit weights: bitmaps where they are cheaper, increments elsewhere.

    An increment counts a pair of attributes, or a pair of groups of them where such a table is small.
    ``per_class`` (K,) counts the rows of this block.
    """
    from seminaive.kernels import count as kernels

    n_rows, n_classes = codes.shape[1], tables.n_classes
    words = int((-(-per_class // 64)).sum())
    # the slot "not observed" costs a bitmap only where a row uses it
    not_observed = codes.max(axis=1, initial=0) == tables.n_values
    used = tables.n_values + (not_observed | tables.attribute_counts[tables.first_slot[1:] - 1].any(axis=1))
    tasks = tables.pair_tasks
    bitmap_cost = (
        (used[tasks[:, 0]] - 1) * (used[tasks[:, 1]] - 1) * (words + n_classes * _WORD_OVERHEAD) * _WORD_COST
    )
    packed = used <= _BITMAP_VALUES
    by_bitmap = (bitmap_cost < n_rows * _ROW_COST) & packed[tasks[:, 0]] & packed[tasks[:, 1]]
    groups = _Groups.of(used, n_classes)
    by_group, blocks = groups.cheaper(tasks, np.where(by_bitmap, bitmap_cost, n_rows * _ROW_COST), n_rows)
    by_bitmap &= ~by_group
    needed = np.zeros(len(used), dtype=bool)
    needed[tasks[by_bitmap, :2].ravel()] = True

    first_bitmap = np.concatenate([[0], np.cumsum(np.where(needed, used, 0))]).astype(np.int64)
    order = np.empty(0, dtype=np.uint32 if n_rows < 2**32 else np.int64)
    if needed.any():
        order = np.argsort(classes, kind="stable").astype(order.dtype)
    class_ends = np.cumsum(per_class)
    word_ends = np.cumsum(-(-per_class // 64))
    bitmaps = np.empty((first_bitmap[-1], words), dtype=np.uint64)

    def pack(part: np.ndarray) -> None:
        kernels.pack_bitmaps(
            codes, order, class_ends, part, first_bitmap, tables.first_slot, bitmaps, tables.attribute_counts
        )

    def increment(part: np.ndarray) -> None:
        kernels.count_attributes(codes, classes, part, tables.first_slot, tables.attribute_counts)

    def intersect(part: np.ndarray) -> None:
        kernels.intersect_bitmaps(
            bitmaps,
            first_bitmap,
            word_ends,
            tables.attribute_counts,
            tables.first_slot,
            part,
            tables.pair_counts,
        )

    def scatter(part: np.ndarray) -> None:
        kernels.scatter_pairs(codes, classes, part, n_classes, tables.pair_counts)

    run_blocks(pack, np.flatnonzero(needed), n_jobs, work=int(needed.sum()) * n_rows)
    alone = ~needed & ~groups.are_in(blocks)
    run_blocks(increment, np.flatnonzero(alone), n_jobs, work=int(alone.sum()) * n_rows)
    run_blocks(intersect, tasks[by_bitmap], n_jobs, work=int(bitmap_cost[by_bitmap].sum()))
    one_by_one = ~by_bitmap & ~by_group
    run_blocks(scatter, tasks[one_by_one], n_jobs, work=int(one_by_one.sum()) * n_rows)
    if len(blocks):
        slots = np.where(needed, -1, tables.first_slot[:-1])
        _count_groups(tables, codes, classes, groups, blocks, slots, n_jobs)


@dataclass
class _Groups:
    """Neighbouring attributes that are counted as one, whose values are combinations of theirs.

    ``begins`` (groups + 1,) are their first attributes, ``used`` (attributes,) the codes that occur of each,
    ``sizes`` (groups,) the combinations of a group.
    """

    begins: np.ndarray
    used: np.ndarray
    sizes: np.ndarray
    n_classes: int

    @classmethod
    def of(cls, used: np.ndarray, n_classes: int) -> _Groups:
        """As few as keep the table of any two of several attributes within the cache."""
        most = math.isqrt(_GROUP_CELLS // n_classes)
        begins: list[int] = []
        sizes: list[int] = []
        for i, size in enumerate(used.tolist()):
            if sizes and sizes[-1] * size <= most:
                sizes[-1] *= size
            else:
                begins.append(i)
                sizes.append(size)
        return cls(np.array([*begins, len(used)]), used, np.array(sizes, dtype=np.int64), n_classes)

    def cheaper(self, tasks: np.ndarray, costs: np.ndarray, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Which pairs of attributes to count in groups, each costing so much otherwise, and the blocks.

        Blocks as in `kernels.count.scatter_groups`.
        """
        n = len(self.sizes)
        group = np.repeat(np.arange(n), np.diff(self.begins))
        first, second = group[tasks[:, 0]], group[tasks[:, 1]]
        otherwise = np.bincount(first * n + second, costs, n * n).reshape(n, n)
        cells = np.outer(self.sizes, self.sizes) * self.n_classes
        cost = n_rows * _GROUP_COST + cells * _GROUP_CELL_COST
        chosen = np.triu((cost < otherwise) & (cells <= _GROUP_CELLS), 1)
        blocks = np.zeros((np.count_nonzero(chosen), 4), dtype=np.int64)
        blocks[:, :2] = np.argwhere(chosen)
        # the first block of a group also counts what lies within it
        _, places = np.unique(blocks[:, :2], return_index=True)
        blocks[places // 2, 2 + places % 2] = 1
        is_in = np.asarray((chosen | chosen.T).any(axis=0))
        return chosen[first, second] | ((first == second) & is_in[first]), blocks

    def are_in(self, blocks: np.ndarray) -> np.ndarray:
        """Whether each attribute is in a group of the blocks."""
        return np.repeat(np.isin(np.arange(len(self.sizes)), blocks[:, :2]), np.diff(self.begins))


def _count_groups(
    tables: CountTables,
    codes: np.ndarray,
    classes: np.ndarray,
    groups: _Groups,
    blocks: np.ndarray,
    slots: np.ndarray,
    n_jobs: int | None,
) -> None:
    """Pair tables of blocks, and attribute tables of their groups from ``slots`` on, unless that is -1."""
    from seminaive.kernels import count as kernels

    n_rows, used = codes.shape[1], np.unique(blocks[:, :2])
    for start in range(0, n_rows, _GROUP_ROWS):
        fused = np.empty((2, len(groups.sizes), min(_GROUP_ROWS, n_rows - start)), dtype=np.uint16)

        def fuse(part: np.ndarray, start: int = start, fused: np.ndarray = fused) -> None:
            kernels.fuse_columns(
                codes, classes, groups.n_classes, start, part, groups.begins, groups.used, fused
            )

        def scatter(part: np.ndarray, fused: np.ndarray = fused) -> None:
            kernels.scatter_groups(
                fused,
                groups.begins,
                groups.used,
                part,
                tables.pair_tasks,
                slots,
                tables.attribute_counts,
                tables.pair_counts,
            )

        run_blocks(fuse, used, n_jobs, work=fused.size)  # in vector instructions
        run_blocks(scatter, blocks, n_jobs, work=len(blocks) * fused.shape[2])
