"""Implications between values: x_j implies x_i where every training row with x_j has x_i.

x_i is then a generalisation of x_j and tells nothing beside it (subsumption resolution, Zheng and Webb).
"""

from __future__ import annotations

from dataclasses import dataclass

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
    """

    n_values: np.ndarray
    n_classes: int
    tasks: np.ndarray
    flags: np.ndarray

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
        """The same from sparse pairs; only pairs with an implication get a table of flags."""
        tasks, parts, end = [], [], 0
        for i, j, _, _ in tables.pair_tasks:
            family = tables.families[int(i), int(j)]
            assert isinstance(family, SparseFamily)
            observed = (family.cells < np.array(family.n_values)[:, None]).all(axis=0)
            u, w = family.cells[:, observed].astype(np.int64)
            both = _over_classes(family.counts[observed])
            n_i, n_j = totals[tables.first_slot[i] + u], totals[tables.first_slot[j] + w]
            flag = ((both == n_i) & (n_i >= critical_value)) * np.int8(1)
            flag += ((both == n_j) & (n_j >= critical_value)) * np.int8(2)
            if not flag.any():
                continue
            slots = int(tables.n_values[j]) + 1
            flags = np.zeros((int(tables.n_values[i]) + 1) * slots, dtype=np.int8)
            flags[u * slots + w] = flag
            tasks.append((i, j, end * tables.n_classes, slots))
            parts.append(flags)
            end += len(flags)
        which = np.array(tasks, dtype=np.int64).reshape(-1, 4)
        return cls(tables.n_values, tables.n_classes, which, np.concatenate([np.zeros(0, np.int8), *parts]))

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
        if len(self.tasks) == 0:
            return codes
        from seminaive.kernels.implications import mark_generalisations

        hidden = np.zeros(codes.shape, dtype=bool)
        mark_generalisations(codes, self.tasks, self.n_classes, self.flags, hidden)
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
        return implies


def _over_classes(counts: np.ndarray) -> np.ndarray:
    """Sums over the classes, one after the other as the kernel adds them: equal counts give equal sums."""
    totals = np.zeros(len(counts))
    for column in counts.T:
        totals += column
    return totals
