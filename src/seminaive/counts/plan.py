"""What to count, and how many bytes that takes, before anything is allocated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import psutil

from seminaive.counts.triple_totals import TripleTotals
from seminaive.data.schema import Schema

__all__ = ["CountPlan", "default_memory_limit", "padded_classes"]

_CELL = 8  # bytes of an int64 count, a float64 count or a float64 logarithm
# a family table is laid out in full up to this size, or while it is not much larger than the rows
_DENSE_ENTRIES, _DENSE_PER_ROW = 2**18, 8
# tables of triples only save time: above, they take some seconds, or too much of a fitted model
_TRIPLE_INCREMENTS, _TRIPLE_BYTES = 10**10, 2**26


def default_memory_limit() -> int:
    """Half of the memory that the machine has free, in bytes."""
    return int(psutil.virtual_memory().available // 2)


def padded_classes(n_classes: int) -> int:
    """Logarithms per cell of a scoring table: 2, or the next multiple of 4, for vector instructions."""
    return 2 if n_classes <= 2 else -(-n_classes // 4) * 4


@dataclass(frozen=True)
class CountPlan:
    """Which tables a classifier needs.

    Parameters
    ----------
    pairs : bool
        The counts of every pair of attributes and the class.
    families : tuple of tuple of int
        Attribute sets, the child last, that are counted together with the class.
    logs_per_cell : int
        How many logarithms the classifier keeps beside each count.
    values_per_cell : int
        How many further numbers it keeps beside the counts of a value pair in all classes.
    index : bool
        An `InstanceIndex` of the rows.
    triples : bool
        `TripleTotals`, where they take neither too much memory nor too much time.
    """

    pairs: bool = False
    families: tuple[tuple[int, ...], ...] = ()
    logs_per_cell: int = 0
    values_per_cell: int = 0
    index: bool = False
    triples: bool = False

    def base_bytes(self, schema: Schema, n_classes: int, n_rows: int = 0) -> int:
        """Bytes of the class and attribute tables with their logarithms, and of the index."""
        slots = sum(int(v) + 1 for v in schema.n_values)
        tables = (slots + 1) * (n_classes + padded_classes(n_classes)) * _CELL
        return tables + self.index_bytes(schema, n_rows)

    def index_bytes(self, schema: Schema, n_rows: int) -> int:
        """Bytes of the bitmaps and row weights of an index, at the most."""
        words = sum(int(v) + 1 for v in schema.n_values) * -(-n_rows // 64)
        return (words + n_rows) * 8 if self.index else 0

    def counts_triples(self, schema: Schema, n_rows: int, limit: int) -> bool:
        """Whether triples are counted within the limit; what asks for them can do without."""
        fits = TripleTotals.cells(schema.n_values) * _CELL <= min(limit, _TRIPLE_BYTES)
        return self.triples and fits and TripleTotals.increments(len(schema), n_rows) <= _TRIPLE_INCREMENTS

    def dense_pair_bytes(self, schema: Schema, n_classes: int) -> int:
        """Bytes of all pair tables laid out in full, with their logarithms."""
        slots = [int(v) + 1 for v in schema.n_values]
        total = sum(slots)
        cells = (total * total - sum(s * s for s in slots)) // 2  # Python integers: this may exceed 64 bits
        return cells * self._cell_bytes(n_classes)

    def _cell_bytes(self, n_classes: int) -> int:
        return (n_classes + self.logs_per_cell * padded_classes(n_classes) + self.values_per_cell) * _CELL

    def sparse_pair_bytes(self, schema: Schema, n_classes: int, n_rows: int) -> int:
        """Bytes of all pair tables if only observed value pairs are kept, at the most."""
        slots = sorted(int(v) + 1 for v in schema.n_values)
        entries = sum(min(a * b, n_rows) for position, a in enumerate(slots) for b in slots[position + 1 :])
        # a value per cell comes with the cells once more and with the order in which they are looked up
        return entries * (n_classes + 2 + 4 * bool(self.values_per_cell)) * _CELL

    def lays_out_pairs(self, schema: Schema, n_classes: int, n_rows: int, limit: int) -> bool:
        """Whether there are pair tables that are laid out in full.

        Raises
        ------
        MemoryError
            If the tables do not fit; the message names the widest columns and the remedies.
        """
        if self.base_bytes(schema, n_classes, n_rows) > limit:
            replace(self, families=()).dense_families(schema, n_classes, n_rows, limit)  # raises
        return self.pairs and self.pairs_are_dense(schema, n_classes, n_rows, limit)

    def pairs_are_dense(self, schema: Schema, n_classes: int, n_rows: int, limit: int) -> bool:
        """Whether pair tables are laid out in full, which they are where they fit.

        Raises
        ------
        MemoryError
            If neither layout fits; the message names the widest columns and the remedies.
        """
        base = self.base_bytes(schema, n_classes, n_rows)
        if base + self.dense_pair_bytes(schema, n_classes) <= limit:
            return True
        needed = base + self.sparse_pair_bytes(schema, n_classes, n_rows)
        if needed > limit:
            raise MemoryError(
                _complaint("all pairs of attributes", needed, limit, schema, range(len(schema)))
            )
        return False

    def dense_families(
        self,
        schema: Schema,
        n_classes: int,
        n_rows: int,
        limit: int,
        pairs_counted: bool = False,
        already: int = 0,
    ) -> list[bool]:
        """For every family whether its table is laid out in full; the widest ones go sparse first.

        ``pairs_counted`` says that dense tables of all pairs exist already, so that a family of two costs no
        counts of its own; ``already`` how many bytes other tables take.

        Raises
        ------
        MemoryError
            If the tables do not fit even when sparse.
        """
        base = self.base_bytes(schema, n_classes, n_rows) + already
        sizes = [family_cells(schema, family) for family in self.families]
        dense = [
            size * n_classes <= max(_DENSE_ENTRIES, _DENSE_PER_ROW * n_rows * n_classes) for size in sizes
        ]
        bytes_dense = [
            (0 if pairs_counted and len(family) == 2 else size * n_classes * _CELL)
            + self.logs_per_cell * log_cells(schema, family) * padded_classes(n_classes) * _CELL
            for size, family in zip(sizes, self.families, strict=True)
        ]
        bytes_sparse = [min(size, n_rows) * n_classes * _CELL * 2 for size in sizes]
        by_size = sorted(range(len(sizes)), key=lambda f: -sizes[f])
        for widest in [*by_size, None]:
            choice = zip(bytes_dense, bytes_sparse, dense, strict=True)
            needed = base + sum(full if laid_out else some for full, some, laid_out in choice)
            if needed <= limit:
                return dense
            if widest is not None:
                dense[widest] = False
        if not self.families:
            what = "value combinations of single rows" if self.index else "every attribute"
            raise MemoryError(_complaint(what, base, limit, schema, range(len(schema))))
        names = [schema[i].name for i in self.families[by_size[0]]]
        what = f"the families of attributes (the widest is {names})"
        raise MemoryError(_complaint(what, needed, limit, schema, self.families[by_size[0]]))


def family_cells(schema: Schema, family: Sequence[int]) -> int:
    """Cells of a family table without the class: every slot of the parents, every value of the child."""
    return math.prod(int(schema.n_values[i]) + 1 for i in family[:-1]) * int(schema.n_values[family[-1]])


def log_cells(schema: Schema, family: Sequence[int]) -> int:
    """Cells of a table of log factors: every slot of every member."""
    return math.prod(int(schema.n_values[i]) + 1 for i in family)


def _complaint(what: str, needed: int, limit: int, schema: Schema, attributes: Iterable[int]) -> str:
    widest = sorted(attributes, key=lambda i: -schema[i].n_values)[:5]
    columns = ", ".join(f"{schema[i].name!r} ({schema[i].n_values} values)" for i in widest)
    return (
        f"Counting {what} takes {needed:,} bytes, above the limit of {limit:,} bytes. "
        f"Widest columns: {columns}. Drop or group the values of these columns, discretise with fewer bins, "
        "choose a classifier that counts fewer tables, or raise memory_limit."
    )
