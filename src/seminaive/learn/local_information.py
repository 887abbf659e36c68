"""What single values tell about the class and about each other: local mutual information, in bits.

Summed over all values these are the mutual information I(X_i; Y) and I(X_i; X_j | Y) of the attributes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from seminaive.counts.family import SparseFamily
from seminaive.counts.tables import CountTables
from seminaive.learn.factors import counts_by_slot
from seminaive.learn.information import lift, rankable

__all__ = ["LocalInformation", "local_mutual_information"]


def local_mutual_information(tables: CountTables) -> np.ndarray:
    r"""I(x_i; Y) of every value, over the rows in which its attribute is observed.

    .. math:: I(x_i; Y) = \sum_y P(x_i, y) \log_2 \frac{P(x_i, y)}{P(x_i) P(y)}

    from raw counts with 0 log 0 = 0 (Definition 5 of the paper of 2015, summed over the class).

    Returns
    -------
    ndarray of float64, shape (slots of all attributes,), bits
        0 in the slots "not observed".
    """
    counts, totals, _ = counts_by_slot(tables)
    rows = totals.sum(axis=1, keepdims=True)
    values = np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape)
    present = counts > 0
    ratio = np.ones(counts.shape)
    ratio[present] = lift(
        counts[present], np.broadcast_to(rows, counts.shape)[present], values[present], totals[present]
    )
    information: np.ndarray = xlogy(counts, ratio).sum(axis=1) / np.log(2) / np.maximum(rows[:, 0], 1e-300)
    return information


@dataclass
class LocalInformation:
    """Local information of all values and value pairs, rounded as scores are ranked.

    Attributes
    ----------
    n_values, first_slot, tasks : ndarray
        As in `CountTables`.
    n_classes : int
    relevance : ndarray of float32, shape (slots of all attributes,)
        I(x_i; Y) of every value; -inf in the slots "not observed".
    dependence : ndarray of float32, shape (cells of the pair tables,) or None
        I(x_i; x_j | Y) of every value pair; None where pairs are sparse.
    sparse : list
        Where pairs are sparse: (i, j, family), whose "counts" are the information of the pairs that occur.
    """

    n_values: np.ndarray
    first_slot: np.ndarray
    tasks: np.ndarray
    n_classes: int
    relevance: np.ndarray
    dependence: np.ndarray | None
    sparse: list[tuple[int, int, SparseFamily]]

    @classmethod
    def learn(cls, tables: CountTables) -> LocalInformation:
        """Everything that rows will ask for, once.

        Parameters
        ----------
        tables : CountTables
            With pairs.
        """
        relevance = rankable(local_mutual_information(tables))
        relevance[tables.first_slot[1:] - 1] = -np.inf
        dependence, sparse = None, []
        if tables.pair_counts is not None:
            from seminaive.kernels.local_information import local_information_of_pairs

            dependence = np.zeros(len(tables.pair_counts) // tables.n_classes, dtype=np.float32)
            local_information_of_pairs(
                tables.pair_counts, tables.pair_tasks, tables.n_values, tables.n_classes, dependence
            )
        else:
            for i, j, _, _ in tables.pair_tasks:
                family = tables.families[int(i), int(j)]
                assert isinstance(family, SparseFamily)
                sparse.append((int(i), int(j), _informative(family)))
        return cls(
            tables.n_values,
            tables.first_slot,
            tables.pair_tasks,
            tables.n_classes,
            relevance,
            dependence,
            sparse,
        )

    def relevance_of(self, codes: np.ndarray) -> np.ndarray:
        """I(x_i; Y) of the values of each row, shape (n_rows, n_attributes); -inf where not observed."""
        return np.ascontiguousarray(self.relevance[self.first_slot[:-1, None] + codes].T)

    def dependence_of(self, codes: np.ndarray) -> np.ndarray:
        """I(x_i; x_j | Y) of the values of each row, symmetric, shape (n_rows, n_attributes, n_attributes).

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows)

        Returns
        -------
        ndarray of float32
            0 where a value is not observed or the pair was never seen.
        """
        n_attributes, n_rows = codes.shape
        result = np.zeros((n_rows, n_attributes, n_attributes), dtype=np.float32)
        if self.dependence is not None:
            from seminaive.kernels.local_information import gather_local_information

            gather_local_information(codes, self.tasks, self.n_classes, self.dependence, result)
        for i, j, family in self.sparse:
            both = np.flatnonzero((codes[i] < self.n_values[i]) & (codes[j] < self.n_values[j]))
            found = family.lookup((0, 1), codes[[i, j]][:, both])[:, 0]
            result[both, i, j] = result[both, j, i] = found
        return result


def _informative(family: SparseFamily) -> SparseFamily:
    """The information of each pair that occurs in the place of its counts."""
    observed = (family.cells < np.array(family.n_values)[:, None]).all(axis=0)
    cells, counts = family.cells[:, observed], family.counts[observed].astype(np.float64)
    first = np.zeros((family.n_values[0], counts.shape[1]))
    second = np.zeros((family.n_values[1], counts.shape[1]))
    np.add.at(first, cells[0], counts)
    np.add.at(second, cells[1], counts)
    classes = np.broadcast_to(counts.sum(axis=0), counts.shape)
    present = counts > 0
    ratio = np.ones(counts.shape)
    ratio[present] = lift(
        counts[present], classes[present], first[cells[0]][present], second[cells[1]][present]
    )
    rows = max(counts.sum(), 1e-300)
    information = (counts * np.log2(ratio)).sum(axis=1) / rows
    kept = SparseFamily(family.n_values, cells, rankable(information)[:, None])
    kept.prepare((0, 1))
    return kept
