"""Counts of one family: parents, child and class, laid out in full or as the observed combinations only.

Both layouts answer the same question: how often was each of these combinations seen, per class, when only
some of the members are looked at? Summing a member away includes the rows in which it is not observed, so
every such table counts all rows in which the members that are kept are observed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

__all__ = ["DenseFamily", "Family", "ListedFamily", "SparseFamily", "add_at"]


class Family(Protocol):
    """Counts of the members of a family; the last member is the child."""

    n_values: tuple[int, ...]
    counts: np.ndarray

    def lookup(self, kept: tuple[int, ...], codes: np.ndarray) -> np.ndarray:
        """Counts of combinations of the members at positions ``kept``.

        ``codes`` (len(kept), m) holds observed values only; the result is (m, K) float64.
        """

    def listed(self, members: tuple[int, ...]) -> ListedFamily:
        """The combinations that occur, and where each is; ``members`` are the attributes of the family."""

    def reversed_pair(self) -> Family:
        """The family of a single parent with parent and child exchanged."""

    def resized(self, n_values: tuple[int, ...], moved: Sequence[np.ndarray]) -> Family:
        """The same counts with further values; ``moved`` says where each old slot lies now."""

    def copy(self) -> Family:
        """The same counts in memory of their own."""

    def spread(self, spread: Callable[[np.ndarray], np.ndarray]) -> Family:
        """The same counts among further classes, which ``spread`` makes of any counts (..., K)."""

    def add_rows(
        self, members: tuple[int, ...], codes: np.ndarray, classes: np.ndarray, weights: np.ndarray | None
    ) -> None:
        """Count further rows of ``codes`` (attributes, rows)."""

    def __add__(self, other: Any) -> Any:
        """Counts of two blocks of rows."""


class DenseFamily:
    """Counts laid out in full: ``counts`` has shape (slots of each parent..., values of the child, K)."""

    def __init__(self, n_values: tuple[int, ...], counts: np.ndarray) -> None:
        self.n_values = n_values
        self.counts = counts

    @classmethod
    def count(
        cls,
        members: tuple[int, ...],
        n_values: tuple[int, ...],
        codes: np.ndarray,
        classes: np.ndarray,
        n_classes: int,
        weights: np.ndarray | None,
    ) -> DenseFamily:
        """Count the rows of ``codes`` (attributes, rows)."""
        family = cls.empty(n_values, n_classes, np.int64 if weights is None else np.float64)
        family.add_rows(members, codes, classes, weights)
        return family

    @classmethod
    def empty(cls, n_values: tuple[int, ...], n_classes: int, dtype: Any) -> DenseFamily:
        """Counts of no rows."""
        shape = (*(v + 1 for v in n_values[:-1]), n_values[-1], n_classes)
        return cls(n_values, np.zeros(shape, dtype=dtype))

    def add_rows(
        self, members: tuple[int, ...], codes: np.ndarray, classes: np.ndarray, weights: np.ndarray | None
    ) -> None:
        from seminaive.kernels import count as kernels

        shape, child = self.counts.shape, self.n_values[-1]
        strides = np.array([math.prod(shape[m + 1 :]) for m in range(len(members))], dtype=np.int64)
        which, table = np.array(members, dtype=np.int64), self.counts.reshape(-1)
        if weights is None:
            kernels.count_family(codes, classes, which, strides, child, table)
        else:
            kernels.weigh_family(codes, classes, weights, which, strides, child, table)

    def lookup(self, kept: tuple[int, ...], codes: np.ndarray) -> np.ndarray:
        dropped = tuple(axis for axis in range(len(self.n_values)) if axis not in kept)
        marginal = self.counts.sum(axis=dropped) if dropped else self.counts
        found = marginal[tuple(codes)] if kept else np.broadcast_to(marginal, (codes.shape[1], len(marginal)))
        return np.asarray(found, dtype=np.float64)

    def listed(self, members: tuple[int, ...]) -> ListedFamily:
        occurs = self.counts.any(axis=-1)
        cells = np.array(np.nonzero(occurs), dtype=np.min_scalar_type(max(occurs.shape)))
        places = np.full(occurs.shape, -1, dtype=np.int32)
        places[occurs] = np.arange(cells.shape[1])
        return ListedFamily(members, self.n_values, cells, self.counts[occurs], places)

    def reversed_pair(self) -> DenseFamily:
        raise NotImplementedError("dense pairs are views of the pair tables")

    def resized(self, n_values: tuple[int, ...], moved: Sequence[np.ndarray]) -> DenseFamily:
        counts = np.zeros(
            (*(v + 1 for v in n_values[:-1]), n_values[-1], self.counts.shape[-1]), self.counts.dtype
        )
        add_at(counts, [*moved[:-1], moved[-1][:-1]], self.counts)
        return DenseFamily(n_values, counts)

    def copy(self) -> DenseFamily:
        return DenseFamily(self.n_values, self.counts.copy())

    def spread(self, spread: Callable[[np.ndarray], np.ndarray]) -> DenseFamily:
        return DenseFamily(self.n_values, spread(self.counts))

    def __add__(self, other: DenseFamily | SparseFamily) -> DenseFamily:
        counts = other.laid_out().counts if isinstance(other, SparseFamily) else other.counts
        return DenseFamily(self.n_values, self.counts + counts)


class SparseFamily:
    """Counts of the combinations that occur.

    ``cells`` (members, m) are the combinations, child observed or not, and ``counts`` (m, K) their counts.
    """

    def __init__(self, n_values: tuple[int, ...], cells: np.ndarray, counts: np.ndarray) -> None:
        self.n_values = n_values
        self.cells = cells
        self.counts = counts
        self._tries: dict[tuple[int, ...], tuple[_Trie, np.ndarray]] = {}

    def prepare(self, *wanted: tuple[int, ...]) -> None:
        """Keep the tables of these members, so that predicting builds none.

        Without arguments: those that rows without missing values ask for.
        """
        child = len(self.n_values) - 1
        prefixes = [tuple(range(depth)) for depth in range(child + 1)]
        for kept in wanted or [*prefixes, *((*prefix, child) for prefix in prefixes)]:
            self._tries[kept] = self._trie(kept)

    @classmethod
    def count(
        cls,
        members: tuple[int, ...],
        n_values: tuple[int, ...],
        codes: np.ndarray,
        classes: np.ndarray,
        n_classes: int,
        weights: np.ndarray | None,
    ) -> SparseFamily:
        """Count the rows of ``codes`` (attributes, rows)."""
        columns = codes[list(members)]
        trie, leaves = _Trie.build(columns, n_values)
        return cls(n_values, trie.cells, _sum_by_leaf(leaves, trie.n_leaves, classes, n_classes, weights))

    @classmethod
    def empty(cls, n_values: tuple[int, ...], n_classes: int, dtype: Any) -> SparseFamily:
        """Counts of no rows."""
        return cls(n_values, np.empty((len(n_values), 0), dtype=np.uint8), np.empty((0, n_classes), dtype))

    def add_rows(
        self, members: tuple[int, ...], codes: np.ndarray, classes: np.ndarray, weights: np.ndarray | None
    ) -> None:
        known = self.cells.shape[1]
        trie, leaves = _Trie.build(np.concatenate([self.cells, codes[list(members)]], axis=1), self.n_values)
        counts = np.zeros((trie.n_leaves, self.counts.shape[1]), dtype=self.counts.dtype)
        counts[leaves[:known]] = self.counts
        np.add.at(counts, (leaves[known:], classes), 1 if weights is None else weights)
        self.cells, self.counts, self._tries = trie.cells, counts, {}

    def lookup(self, kept: tuple[int, ...], codes: np.ndarray) -> np.ndarray:
        trie, counts = self._trie(kept)
        leaves = trie.find(codes)
        found = np.zeros((codes.shape[1], self.counts.shape[1]))
        seen = leaves >= 0
        found[seen] = counts[leaves[seen]]
        return found

    def listed(self, members: tuple[int, ...]) -> ListedFamily:
        trie, counts = self._trie(tuple(range(len(members))))
        return ListedFamily(members, self.n_values, trie.cells, counts, trie)

    def reversed_pair(self) -> SparseFamily:
        return SparseFamily(self.n_values[::-1], self.cells[::-1], self.counts)

    def resized(self, n_values: tuple[int, ...], moved: Sequence[np.ndarray]) -> SparseFamily:
        cells = np.stack([slots[row] for slots, row in zip(moved, self.cells, strict=True)])
        return SparseFamily._of_cells(n_values, cells, self.counts)

    def copy(self) -> SparseFamily:
        return SparseFamily(self.n_values, self.cells.copy(), self.counts.copy())

    def spread(self, spread: Callable[[np.ndarray], np.ndarray]) -> SparseFamily:
        return SparseFamily(self.n_values, self.cells, spread(self.counts))

    def laid_out(self) -> DenseFamily:
        """The same counts laid out in full."""
        *parents, child = self.n_values
        counts = np.zeros((*(v + 1 for v in parents), child, self.counts.shape[1]), dtype=self.counts.dtype)
        observed = self.cells[-1] < child
        counts[tuple(self.cells[:, observed])] = self.counts[observed]
        return DenseFamily(self.n_values, counts)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, DenseFamily):
            return other + self
        cells = np.concatenate([self.cells, other.cells], axis=1)
        return SparseFamily._of_cells(self.n_values, cells, np.concatenate([self.counts, other.counts]))

    @classmethod
    def _of_cells(cls, n_values: tuple[int, ...], cells: np.ndarray, counts: np.ndarray) -> SparseFamily:
        """Cells in any order, the counts of equal ones added up."""
        trie, leaves = _Trie.build(cells, n_values)
        sums = np.zeros((trie.n_leaves, counts.shape[1]), dtype=counts.dtype)
        np.add.at(sums, leaves, counts)
        return cls(n_values, trie.cells, sums)

    def _trie(self, kept: tuple[int, ...]) -> tuple[_Trie, np.ndarray]:
        if kept in self._tries:
            return self._tries[kept]
        child = len(self.n_values) - 1
        observed = self.cells[child] < self.n_values[child]
        trie, leaves = _Trie.build(self.cells[:, observed][list(kept)], tuple(self.n_values[m] for m in kept))
        columns = [np.bincount(leaves, of_class, trie.n_leaves) for of_class in self.counts[observed].T]
        return trie, np.column_stack(columns)


class ListedFamily:
    """The combinations of a family that occur with the child observed.

    Parameters
    ----------
    members : tuple of int
        Attributes, the child last.
    n_values : tuple of int
        Of each.
    cells : ndarray of shape (members, m)
        The combinations; parents may be missing.
    counts : ndarray of shape (m, K)
    places : ndarray or trie
        Says where a combination is.
    """

    def __init__(
        self,
        members: tuple[int, ...],
        n_values: tuple[int, ...],
        cells: np.ndarray,
        counts: np.ndarray,
        places: Any,
    ) -> None:
        self.members, self.n_values, self.cells, self.counts = members, n_values, cells, counts
        self._places = places

    @property
    def nbytes(self) -> int:
        """Bytes of all tables."""
        levels = [self._places] if isinstance(self._places, np.ndarray) else self._places.levels
        return sum(part.nbytes for part in (self.cells, self.counts, *levels))

    def find(self, codes: np.ndarray) -> np.ndarray:
        """The combination of every row of ``codes`` (attributes, rows), -1 where it does not occur."""
        if not isinstance(self._places, np.ndarray):
            found: np.ndarray = self._places.find(codes[list(self.members)])
            return found
        from seminaive.kernels.selection import find_cells

        cells = np.empty(codes.shape[1], dtype=np.int64)
        strides = np.array(self._places.strides, dtype=np.int64) // self._places.itemsize
        members = np.array(self.members, dtype=np.int64)
        find_cells(codes, members, strides, self.n_values[-1], self._places.reshape(-1), cells)
        return cells


def add_at(table: np.ndarray, places: Sequence[np.ndarray], counts: np.ndarray) -> None:
    """Add counts (slots..., K) to the slots at ``places``, one array for each axis but the last."""
    where = np.ix_(*places)
    if all(len(np.unique(slots)) == len(slots) for slots in places):
        table[where] += counts
    else:
        np.add.at(table, where, counts)


class _Trie:
    """Ranks of value combinations, member by member, so that no key exceeds 64 bits."""

    def __init__(
        self, levels: list[np.ndarray], n_values: tuple[int, ...], cells: np.ndarray, n_leaves: int
    ) -> None:
        self.levels, self.n_values, self.cells, self.n_leaves = levels, n_values, cells, n_leaves

    @classmethod
    def build(cls, columns: np.ndarray, n_values: tuple[int, ...]) -> tuple[_Trie, np.ndarray]:
        """The trie of the columns of ``columns`` (members, m) and the leaf of each."""
        ranks = np.zeros(columns.shape[1], dtype=np.int64)
        levels = []
        for column, v in zip(columns, n_values, strict=True):
            keys, ranks = _distinct(ranks * (v + 1) + column)
            levels.append(keys)
        n_leaves = len(levels[-1]) if levels else 1
        cells = np.empty((len(n_values), n_leaves), dtype=columns.dtype)
        cells[:, ranks] = columns
        return cls(levels, n_values, cells, n_leaves), ranks

    def find(self, codes: np.ndarray) -> np.ndarray:
        """Leaf of every column of ``codes``, -1 where the combination was never seen."""
        ranks = np.zeros(codes.shape[1], dtype=np.int64)
        for keys, column, v in zip(self.levels, codes, self.n_values, strict=True):
            wanted = ranks * (v + 1) + column
            position = np.searchsorted(keys, wanted)
            position[position == len(keys)] = 0
            hit = (ranks >= 0) & (keys[position] == wanted) if len(keys) else np.zeros(len(ranks), dtype=bool)
            ranks = np.where(hit, position, -1)
        return ranks


def _distinct(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct keys, ascending, and the rank of each; cells that were ranked before need no sort."""
    if len(keys) and (keys[1:] >= keys[:-1]).all():
        is_first = np.concatenate([[True], keys[1:] > keys[:-1]])
        return keys[is_first], np.cumsum(is_first) - 1
    distinct, ranks = np.unique(keys, return_inverse=True)
    return distinct, ranks


def _sum_by_leaf(
    leaves: np.ndarray, n_leaves: int, classes: np.ndarray, n_classes: int, weights: np.ndarray | None
) -> np.ndarray:
    cells = leaves * n_classes + classes
    sums = np.bincount(cells, weights, minlength=n_leaves * n_classes).reshape(n_leaves, n_classes)
    return sums.astype(np.int64 if weights is None else np.float64)
