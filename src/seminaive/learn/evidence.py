"""Sums over value pairs, of which the weights of superparents are made.

A weight function of a paper is written as a *value term* of each value and a *pair term* of each pair of
values, both functions of counts alone. What a row sums up for superparent a is the term of its value x_a
plus the terms of the pairs (x_a, x_i) with every other value that is observed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from seminaive.counts.family import SparseFamily
from seminaive.counts.tables import CountTables

__all__ = ["Evidence", "PairCells", "PairTerms"]

_CHUNK = 2**16  # counts that are turned into terms at a time; they stay in the cache


@dataclass
class PairCells:
    """Counts of value pairs (x_i, x_j), over the rows in which both attributes are observed.

    Attributes
    ----------
    both, first, second : ndarray of float64, shape (m, K)
        N(x_i, x_j, y), N(x_i, y) and N(x_j, y).
    classes : ndarray of float64, shape (m, K)
        N(y).
    v_first, v_second : ndarray of int64, shape (m, 1)
        Number of values of each attribute.
    """

    both: np.ndarray
    first: np.ndarray
    second: np.ndarray
    classes: np.ndarray
    v_first: np.ndarray
    v_second: np.ndarray

    @property
    def rows(self) -> np.ndarray:
        """Rows in which both attributes are observed, shape (m, 1)."""
        total: np.ndarray = self.classes.sum(axis=1, keepdims=True)
        return total


PairTerms = Callable[[PairCells], tuple[np.ndarray, np.ndarray]]
"""What each pair of values gives to its first and to its second attribute, two arrays of shape (m,).

Both attributes are to be treated alike: exchanged, they exchange what they get. Where `Evidence.pair_sums`
are wanted, what a pair that never occurs gives to an attribute may depend on the counts of that attribute
only.
"""


@dataclass
class Evidence:
    """Value terms and pair terms of a training table.

    Attributes
    ----------
    n_values, first_slot, tasks : ndarray
        As in `CountTables`.
    n_classes : int
    value_terms : ndarray of shape (slots of all attributes,)
        0 in the slots "not observed".
    pair_terms : ndarray of shape (cells of the pair tables, 2) or None
        Terms for the first and the second attribute; None where there are none or pairs are sparse.
    sparse : list
        Where pairs are sparse: (i, j, family); their terms are computed for each block of rows.
    pair_sums : ndarray of shape (n_attributes, n_attributes) or None
        Entry (a, i): the terms for a summed over all pairs of values of a and i.
    """

    n_values: np.ndarray
    first_slot: np.ndarray
    tasks: np.ndarray
    n_classes: int
    value_terms: np.ndarray
    pair_terms: np.ndarray | None
    sparse: list[tuple[int, int, SparseFamily]]
    pair_sums: np.ndarray | None

    @classmethod
    def learn(
        cls,
        tables: CountTables,
        value_terms: np.ndarray,
        terms_of: PairTerms | None,
        *,
        with_sums: bool = False,
    ) -> Evidence:
        """Terms of all values and pairs, computed once.

        Parameters
        ----------
        tables : CountTables
            With pairs.
        value_terms : ndarray of shape (slots of all attributes,)
        terms_of : callable or None
            None where only value terms are wanted.
        with_sums : bool, default=False
            Whether ``pair_sums`` is wanted.
        """
        value_terms = value_terms.copy()
        value_terms[tables.first_slot[1:] - 1] = 0
        pair_terms, sparse, sums = None, [], None
        n = len(tables.schema)
        if with_sums:
            sums = np.zeros((n, n))
        if terms_of is not None and tables.pair_counts is not None:
            pair_terms = np.zeros((len(tables.pair_counts) // tables.n_classes, 2))
            for cells, place in _dense_cells(tables):
                pair_terms[place, 0], pair_terms[place, 1] = terms_of(cells)
            if sums is not None and len(pair_terms):
                totals = np.add.reduceat(pair_terms, tables.pair_tasks[:, 2] // tables.n_classes)
                i, j = tables.pair_tasks[:, 0], tables.pair_tasks[:, 1]
                sums[i, j], sums[j, i] = totals[:, 0], totals[:, 1]
        elif terms_of is not None:
            for i, j, _, _ in tables.pair_tasks:
                family = tables.families[int(i), int(j)]
                assert isinstance(family, SparseFamily)
                sparse.append((int(i), int(j), family))
                if sums is not None:
                    sums[i, j], sums[j, i] = _sparse_sums(family, terms_of)
        return cls(
            tables.n_values,
            tables.first_slot,
            tables.pair_tasks,
            tables.n_classes,
            value_terms,
            pair_terms,
            sparse,
            sums,
        )

    def of(self, codes: np.ndarray, terms_of: PairTerms | None) -> np.ndarray:
        """What each row sums up for each attribute.

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows)
        terms_of : callable or None
            The function given to `learn`.

        Returns
        -------
        ndarray of shape (n_rows, n_attributes)
        """
        sums = self.value_terms[self.first_slot[:-1, None] + codes]
        if self.pair_terms is not None:
            from seminaive.kernels.weights import add_pair_terms

            add_pair_terms(codes, self.tasks, self.n_classes, self.pair_terms, sums)
        for i, j, family in self.sparse:
            assert terms_of is not None
            both = np.flatnonzero((codes[i] < self.n_values[i]) & (codes[j] < self.n_values[j]))
            if len(both):
                to_first, to_second = terms_of(_looked_up(family, codes[[i, j]][:, both]))
                sums[i, both] += to_first
                sums[j, both] += to_second
        # row by row in memory: sums over a row must round alike however many rows there are
        return np.ascontiguousarray(sums.T)


def _dense_cells(tables: CountTables) -> Iterator[tuple[PairCells, np.ndarray]]:
    """The observed cells of all pair tables, some pairs at a time, and where they lie."""
    from seminaive.kernels.weights import pair_marginals

    tasks, n_values, n_classes = tables.pair_tasks, tables.n_values, tables.n_classes
    sizes = n_values[tasks[:, 0]] * n_values[tasks[:, 1]]
    ends = np.cumsum(sizes * n_classes) // _CHUNK
    for part in np.split(np.arange(len(tasks)), np.flatnonzero(np.diff(ends)) + 1):
        m = int(sizes[part].sum())
        if m == 0:
            continue
        both, first, second, classes = (np.empty((m, n_classes)) for _ in range(4))
        place = np.empty(m, dtype=np.int64)
        pair_marginals(tables.pair_counts, tasks[part], n_values, both, first, second, classes, place)
        v_first = np.repeat(n_values[tasks[part, 0]], sizes[part])[:, None]
        v_second = np.repeat(n_values[tasks[part, 1]], sizes[part])[:, None]
        yield PairCells(both, first, second, classes, v_first, v_second), place


def _looked_up(family: SparseFamily, codes: np.ndarray) -> PairCells:
    """The cells of some value pairs (2, m), both observed."""
    m = codes.shape[1]
    # the reversed pair counts x_j in the rows in which i is observed
    return PairCells(
        family.lookup((0, 1), codes),
        family.lookup((0,), codes[:1]),
        family.reversed_pair().lookup((0,), codes[1:]),
        _classes_of_both(family, m, family.counts.shape[1]),
        np.full((m, 1), family.n_values[0]),
        np.full((m, 1), family.n_values[1]),
    )


def _classes_of_both(family: SparseFamily, m: int, n_classes: int) -> np.ndarray:
    observed = (family.cells < np.array(family.n_values)[:, None]).all(axis=0)
    return np.broadcast_to(family.counts[observed].sum(axis=0).astype(np.float64), (m, n_classes))


def _sparse_sums(family: SparseFamily, terms_of: PairTerms) -> tuple[float, float]:
    """Sums of the terms over all value pairs, those that never occur included."""
    v_i, v_j = family.n_values
    cells = family.cells[:, (family.cells < np.array(family.n_values)[:, None]).all(axis=0)]
    to_first, to_second = terms_of(_looked_up(family, cells))
    sums = [float(to_first.sum()), float(to_second.sum())]
    # a pair that never occurs gives its superparent the same, whatever the other value
    for side, (v, other) in enumerate(((v_i, v_j), (v_j, v_i))):
        seen = np.bincount(cells[side], minlength=v)
        view = family if side == 0 else family.reversed_pair()
        counts = view.lookup((0,), np.arange(v)[None])
        nothing = np.zeros_like(counts)
        classes = _classes_of_both(family, *counts.shape)
        absent = PairCells(nothing, counts, nothing, classes, np.full((v, 1), v), np.full((v, 1), other))
        sums[side] += float((terms_of(absent)[0] * (other - seen)).sum())
    return sums[0], sums[1]
