"""Counts of every attribute under the first, the first two, ... of its parents, for networks of one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["ContextTables"]


@dataclass
class ContextTables:
    """Counts per class of each attribute given its first l parents, l = 0, 1, ...

    Only what occurs takes room: a context (values of the first l parents) has two bitmaps, of the values of
    the child and of the next parent that occur in it, and the counts lie in the order of their bits.

    A row in which the child is not observed is not counted for it; one in which a parent is not observed is
    counted up to the parent before.

    Attributes
    ----------
    nodes : ndarray of int64, shape (n_attributes, 3 + 5 (k + 1)), or of several networks
        A description of each node, see `seminaive.kernels.context_tables`.
    records : ndarray of uint64, shape (n_words,)
    counts : ndarray of int32 or float64, shape (n_counts, K)
    """

    nodes: np.ndarray
    records: np.ndarray
    counts: np.ndarray

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return self.nodes.nbytes + self.records.nbytes + self.counts.nbytes

    @classmethod
    def count(
        cls,
        codes: np.ndarray,
        labels: np.ndarray,
        weights: np.ndarray | None,
        parents: Sequence[Sequence[int]],
        n_values: np.ndarray,
        n_classes: int,
        k: int,
    ) -> ContextTables:
        """Count rows.

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows), unsigned
            ``n_values[i]`` means "not observed".
        labels : ndarray of int64, shape (n_rows,)
        weights : ndarray of shape (n_rows,) or None
            None counts each row once.
        parents : sequence of sequences of int
            Of each attribute, in the order in which they are added.
        n_values : ndarray of int64, shape (n_attributes,)
        n_classes : int
        k : int
            Most parents of an attribute.
        """
        from seminaive.kernels.context_tables import FIRST_LEVEL, LEVEL_FIELDS

        nodes = np.full((len(parents), FIRST_LEVEL + LEVEL_FIELDS * (k + 1)), -1, dtype=np.int64)
        records: list[np.ndarray] = []
        counts: list[np.ndarray] = []
        n_words = n_counts = 0
        for child, chosen in enumerate(parents):
            nodes[child, :FIRST_LEVEL] = child, n_values[child], len(chosen)
            for level, (record, count, stride, branch) in enumerate(
                _levels(codes, labels, weights, child, chosen, n_values, n_classes)
            ):
                begin = FIRST_LEVEL + LEVEL_FIELDS * level
                nodes[child, begin : begin + LEVEL_FIELDS] = (n_words, stride, n_counts, *branch)
                records.append(record)
                counts.append(count)
                n_words += len(record)
                n_counts += len(count)
        return cls(nodes, np.concatenate(records), np.concatenate(counts))

    @classmethod
    def joined(cls, tables: Sequence[ContextTables]) -> ContextTables:
        """The tables of several networks, whose ``nodes`` get the shape (n_networks, n_attributes, ...)."""
        from seminaive.kernels.context_tables import FIRST_LEVEL, LEVEL_FIELDS

        nodes = np.stack([part.nodes for part in tables])
        words = np.cumsum([0, *(len(part.records) for part in tables[:-1])])
        rows = np.cumsum([0, *(len(part.counts) for part in tables[:-1])])
        nodes[:, :, FIRST_LEVEL::LEVEL_FIELDS] += words[:, None, None]
        nodes[:, :, FIRST_LEVEL + 2 :: LEVEL_FIELDS] += rows[:, None, None]
        records = np.concatenate([part.records for part in tables])
        return cls(nodes, records, np.concatenate([part.counts for part in tables]))

    def deepest(
        self, network: int, child: int, codes: np.ndarray, with_parents: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Counts of the deepest context of a case that occurs, and of the child's value in it, each (K,).

        Of joined tables, for codes (n_attributes,) of one case.
        """
        from seminaive.kernels.context_tables import FIRST_LEVEL, LEVEL_FIELDS, N_LEVELS, N_VALUES

        node = self.nodes[network, child]
        width = (int(node[N_VALUES]) + 63) // 64
        context, place, first = 0, int(node[FIRST_LEVEL]), int(node[FIRST_LEVEL + 2])
        for level in range(1, int(node[N_LEVELS]) + 1 if with_parents else 0):
            begin = FIRST_LEVEL + LEVEL_FIELDS * level
            branch, branch_values = (int(part) for part in node[begin - 2 : begin])
            next_context = self._number(place + width + 1, (branch_values + 63) // 64, int(codes[branch]))
            if codes[branch] >= branch_values or next_context is None:
                break
            context, first = next_context, int(node[begin + 2])
            place = int(node[begin]) + context * int(node[begin + 1])
        cell = self._number(place, width, int(codes[child]))
        totals = self.counts[first + context]
        return totals, np.zeros_like(totals) if cell is None else self.counts[first + cell]

    def _number(self, place: int, width: int, value: int) -> int | None:
        """The number of a value by the bitmap at a place; None where it does not occur."""
        bits = sum(int(word) << (64 * w) for w, word in enumerate(self.records[place : place + width]))
        if not bits >> value & 1:
            return None
        return int(self.records[place + width]) + (bits & ((1 << value) - 1)).bit_count()


def _levels(
    codes: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray | None,
    child: int,
    parents: Sequence[int],
    n_values: np.ndarray,
    n_classes: int,
) -> Iterator[tuple[np.ndarray, np.ndarray, int, tuple[int, int]]]:
    """Records, counts, words of a record and branch of every level."""
    from seminaive.kernels.context_tables import count_contexts, descend, mark_values, number_values

    own, v = codes[child], int(n_values[child])
    contexts = np.where(own < v, 0, -1).astype(np.int32)
    n_contexts, width = 1, (v + 63) // 64
    dtype = np.int32 if weights is None else np.float64
    row_weights = np.ones(len(labels), dtype=dtype) if weights is None else weights
    for level in range(len(parents) + 1):
        branch = (parents[level], int(n_values[parents[level]])) if level < len(parents) else (-1, 0)
        branch_width = (branch[1] + 63) // 64
        stride = width + 1 + (branch_width + 1 if level < len(parents) else 0)
        records = np.zeros(n_contexts * stride, dtype=np.uint64)
        mark_values(contexts, own, v, records, stride, 0)
        n_rows = number_values(records, stride, 0, width, n_contexts)
        counts = np.zeros((n_rows, n_classes), dtype=dtype)
        count_contexts(contexts, own, v, labels, row_weights, records, stride, counts)
        if level < len(parents):
            mark_values(contexts, codes[branch[0]], branch[1], records, stride, width + 1)
            n_contexts = number_values(records, stride, width + 1, branch_width, 0)
            descend(contexts, codes[branch[0]], branch[1], records, stride, width + 1)
        yield records, counts, stride, branch
