"""Counts of one family: parents, child and class, laid out in full or as the observed combinations only.

Both layouts answer the same question: how often was each of these combinations seen, per class, when only
some of the members are looked at? Summing a member away includes the rows in which it is not observed, so
every such table counts all rows in which the members that are kept are observed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

__all__ = ["DenseFamily", "Family", "SparseFamily"]


class Family(Protocol):
    """Counts of the members of a family; the last member is the child."""

    n_values: tuple[int, ...]
    counts: np.ndarray

    def lookup(self, kept: tuple[int, ...], codes: np.ndarray) -> np.ndarray:
        """Counts of combinations of the members at positions ``kept``.

        ``codes`` (len(kept), m) holds observed values only; the result is (m, K) float64.
        """

    def reversed_pair(self) -> Family:
        """The family of a single parent with parent and child exchanged."""

    def resized(self, n_values: tuple[int, ...], moved: Sequence[np.ndarray]) -> Family:
        """The same counts with further values; ``moved`` says where each old slot lies now."""

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
        from seminaive.kernels import count as kernels

        shape = (*(v + 1 for v in n_values[:-1]), n_values[-1], n_classes)
        strides = np.array([math.prod(shape[m + 1 :]) for m in range(len(members))], dtype=np.int64)
        which = np.array(members, dtype=np.int64)
        if weights is None:
            table = np.zeros(math.prod(shape), dtype=np.int64)
            kernels.count_family(codes, classes, which, strides, n_values[-1], table)
        else:
            table = np.zeros(math.prod(shape), dtype=np.float64)
            kernels.weigh_family(codes, classes, weights, which, strides, n_values[-1], table)
        return cls(n_values, table.reshape(shape))

    def lookup(self, kept: tuple[int, ...], codes: np.ndarray) -> np.ndarray:
        dropped = tuple(axis for axis in range(len(self.n_values)) if axis not in kept)
        marginal = self.counts.sum(axis=dropped) if dropped else self.counts
        found = marginal[tuple(codes)] if kept else np.broadcast_to(marginal, (codes.shape[1], len(marginal)))
        return np.asarray(found, dtype=np.float64)

    def reversed_pair(self) -> DenseFamily:
        raise NotImplementedError("dense pairs are views of the pair tables")

    def resized(self, n_values: tuple[int, ...], moved: Sequence[np.ndarray]) -> DenseFamily:
        counts = np.zeros(
            (*(v + 1 for v in n_values[:-1]), n_values[-1], self.counts.shape[-1]), self.counts.dtype
        )
        counts[np.ix_(*moved[:-1], moved[-1][:-1])] = self.counts
        return DenseFamily(n_values, counts)

    def __add__(self, other: DenseFamily) -> DenseFamily:
        return DenseFamily(self.n_values, self.counts + other.counts)


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

    def lookup(self, kept: tuple[int, ...], codes: np.ndarray) -> np.ndarray:
        trie, counts = self._trie(kept)
        leaves = trie.find(codes)
        found = np.zeros((codes.shape[1], self.counts.shape[1]))
        seen = leaves >= 0
        found[seen] = counts[leaves[seen]]
        return found

    def reversed_pair(self) -> SparseFamily:
        return SparseFamily(self.n_values[::-1], self.cells[::-1], self.counts)

    def resized(self, n_values: tuple[int, ...], moved: Sequence[np.ndarray]) -> SparseFamily:
        cells = np.stack([slots[row] for slots, row in zip(moved, self.cells, strict=True)])
        return SparseFamily(n_values, cells, self.counts)

    def __add__(self, other: SparseFamily) -> SparseFamily:
        cells = np.concatenate([self.cells, other.cells], axis=1)
        trie, leaves = _Trie.build(cells, self.n_values)
        dtype = np.result_type(self.counts, other.counts)
        counts = np.zeros((trie.n_leaves, self.counts.shape[1]), dtype=dtype)
        np.add.at(counts, leaves, np.concatenate([self.counts, other.counts]))
        return SparseFamily(self.n_values, trie.cells, counts)

    def _trie(self, kept: tuple[int, ...]) -> tuple[_Trie, np.ndarray]:
        if kept in self._tries:
            return self._tries[kept]
        child = len(self.n_values) - 1
        observed = self.cells[child] < self.n_values[child]
        trie, leaves = _Trie.build(self.cells[:, observed][list(kept)], tuple(self.n_values[m] for m in kept))
        counts = np.zeros((trie.n_leaves, self.counts.shape[1]))
        np.add.at(counts, leaves, self.counts[observed])
        return trie, counts


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
            keys, ranks = np.unique(ranks * (v + 1) + column, return_inverse=True)
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


def _sum_by_leaf(
    leaves: np.ndarray, n_leaves: int, classes: np.ndarray, n_classes: int, weights: np.ndarray | None
) -> np.ndarray:
    cells = leaves * n_classes + classes
    sums = np.bincount(cells, weights, minlength=n_leaves * n_classes).reshape(n_leaves, n_classes)
    return sums.astype(np.int64 if weights is None else np.float64)
