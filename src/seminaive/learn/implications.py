"""Implications between values: x_j implies x_i where every training row with x_j has x_i.

x_i is then a generalisation of x_j and tells nothing beside it (subsumption resolution, Zheng and Webb).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from seminaive.counts.family import SparseFamily
from seminaive.counts.tables import CountTables

__all__ = ["Implications"]


@dataclass
class Implications:
    """Which value of a pair implies the other, with at least ``critical_value`` rows behind it.

    Attributes
    ----------
    n_values : ndarray of shape (n_attributes,)
    n_classes : int
    tasks : ndarray of shape (m, 4)
        Those of `CountTables.pair_tasks` in which any value implies another.
    flags : ndarray of int8
        Per cell of the pair tables: 1 if x_i implies x_j, 2 if x_j implies x_i, 3 if both do, else 0.
    sparse : list
        Where pairs are sparse: (i, j, family), whose "counts" are the flags of the cells that have any.
    """

    n_values: np.ndarray
    n_classes: int
    tasks: np.ndarray
    flags: np.ndarray
    sparse: list[tuple[int, int, SparseFamily]] = field(default_factory=list)

    @classmethod
    def find(cls, tables: CountTables, critical_value: float) -> Implications:
        """Implications that hold in training.

        Parameters
        ----------
        tables : CountTables
            With pairs.
        critical_value : float
            Least count of the implying value.
        """
        from seminaive.kernels.implications import find_implications

        totals = _over_classes(tables.attribute_counts)
        if tables.pair_counts is None:
            return cls._find_sparse(tables, totals, critical_value)
        flags = np.zeros(len(tables.pair_counts) // tables.n_classes, dtype=np.int8)
        find_implications(
            tables.pair_counts,
            tables.pair_tasks,
            tables.n_values,
            tables.first_slot,
            totals,
            float(critical_value),
            flags,
        )
        begins = tables.pair_tasks[:, 2] // tables.n_classes
        used = np.maximum.reduceat(flags, begins) > 0 if len(begins) else np.zeros(0, dtype=bool)
        return cls(tables.n_values, tables.n_classes, tables.pair_tasks[used], flags)

    @classmethod
    def _find_sparse(cls, tables: CountTables, totals: np.ndarray, critical_value: float) -> Implications:
        """The same from sparse pairs."""
        sparse = []
        for i, j, _, _ in tables.pair_tasks:
            family = tables.families[int(i), int(j)]
            assert isinstance(family, SparseFamily)
            observed = (family.cells < np.array(family.n_values)[:, None]).all(axis=0)
            cells = family.cells[:, observed]
            both = _over_classes(family.counts[observed])
            n_i, n_j = (
                totals[tables.first_slot[a] + values] for a, values in zip((i, j), cells, strict=True)
            )
            flags = ((both == n_i) & (n_i >= critical_value)) + 2 * ((both == n_j) & (n_j >= critical_value))
            flagged = np.flatnonzero(flags)
            if len(flagged):
                kept = SparseFamily(family.n_values, cells[:, flagged], flags[flagged, None])
                kept.prepare((0, 1))
                sparse.append((int(i), int(j), kept))
        nothing = np.zeros((0, 4), dtype=np.int64)
        return cls(tables.n_values, tables.n_classes, nothing, np.zeros(0, dtype=np.int8), sparse)

    def hide(self, codes: np.ndarray) -> np.ndarray:
        """Codes in which every value that another one of its row implies is marked "not observed".

        Of two values with the same rows that of the lower index stays. The order in which pairs are seen
        plays no part.

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows)

        Returns
        -------
        ndarray of the shape and dtype of ``codes``
        """
        if len(self.tasks) == 0 and not self.sparse:
            return codes
        from seminaive.kernels.implications import mark_generalisations

        hidden = np.zeros(codes.shape, dtype=bool)
        mark_generalisations(codes, self.tasks, self.n_classes, self.flags, hidden)
        for i, j, rows, flags in self._sparse_flags(codes):
            hidden[i, rows] |= flags == 2
            hidden[j, rows] |= (flags & 1) > 0
        return np.where(hidden, self.n_values[:, None], codes).astype(codes.dtype)

    def of(self, codes: np.ndarray) -> np.ndarray:
        """Which value of each row implies which.

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows)

        Returns
        -------
        ndarray of bool, shape (n_rows, n_attributes, n_attributes)
            Entry (row, i, j): x_i implies x_j.
        """
        from seminaive.kernels.implications import gather_implications

        n_attributes, n_rows = codes.shape
        implies = np.zeros((n_rows, n_attributes, n_attributes), dtype=bool)
        gather_implications(codes, self.tasks, self.n_classes, self.flags, implies)
        for i, j, rows, flags in self._sparse_flags(codes):
            implies[rows, i, j] = (flags & 1) > 0
            implies[rows, j, i] = (flags & 2) > 0
        return implies

    def reasons(self, codes: np.ndarray, hidden: np.ndarray) -> dict[int, int]:
        """For attributes that `hide` hides in one row, ``codes`` (n_attributes, 1), what implies them."""
        implies = self.of(codes)[0]
        earlier = np.tri(len(implies), k=-1, dtype=bool).T
        deletes = implies & (~implies.T | earlier)
        return {int(j): int(deletes[:, j].argmax()) for j in hidden}

    def _sparse_flags(self, codes: np.ndarray) -> Iterator[tuple[int, int, np.ndarray, np.ndarray]]:
        """Pairs of attributes with the rows that have both, and their flags."""
        for i, j, family in self.sparse:
            rows = np.flatnonzero((codes[i] < self.n_values[i]) & (codes[j] < self.n_values[j]))
            yield i, j, rows, family.lookup((0, 1), codes[[i, j]][:, rows])[:, 0].astype(np.int8)


def _over_classes(counts: np.ndarray) -> np.ndarray:
    """Sums over the classes, one after the other as the kernel adds them: equal counts give equal sums."""
    totals = np.zeros(len(counts))
    for column in counts.T:
        totals += column
    return totals
