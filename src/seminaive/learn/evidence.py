"""Sums over value pairs, of which the weights of superparents are made.

A weight function of a paper is written as a *value term* of each value and a *pair term* of each pair of
values, both functions of counts alone. What a row sums up for superparent a is the term of its value x_a
plus the terms of the pairs (x_a, x_i) with every other value that is observed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from seminaive.counts.family import SparseFamily
from seminaive.counts.tables import CountTables
from seminaive.learn.smoothing import Smoothing
from seminaive.learn.superparents import directed_layout
from seminaive.parallel import run_blocks

__all__ = ["Evidence", "Margin", "PairCells", "PairTerms", "finite_log"]

_CHUNK = 2**16  # counts that are turned into terms at a time; they stay in the cache
_STEPS = 10  # elementary steps for each of them


@dataclass
class Margin:
    """Counts of both values, one value or none of some pairs, over the rows in which both are observed.

    Attributes
    ----------
    counts : ndarray of float64, shape (r, K)
        N(values, y).
    rows : ndarray of float64, shape (r,)
        Rows in which both attributes are observed.
    n_values : ndarray of int64, shape (r,)
        Number of values, or of pairs of them, that there are; 1 where no value is looked at.
    row_of : ndarray of int64, shape (m,), or None
        Which of the r rows belongs to each pair of values; None says the row of the same number.
    """

    counts: np.ndarray
    rows: np.ndarray
    n_values: np.ndarray
    row_of: np.ndarray | None = None

    def joint(self, smoothing: Smoothing) -> np.ndarray:
        """Smoothed P(values, y), shape (r, K)."""
        from seminaive.kernels.weights import joint_probabilities

        result = np.empty_like(self.counts)
        joint_probabilities(*self._smoothed(smoothing), result)
        return result

    def log_posteriors(self, smoothing: Smoothing) -> np.ndarray:
        """Sum over y of log P(y | values), from smoothed P(values, y), shape (r,)."""
        from seminaive.kernels.weights import sum_log_posteriors

        result = np.empty(len(self.counts))
        sum_log_posteriors(*self._smoothed(smoothing), result)
        return result

    def _smoothed(self, smoothing: Smoothing) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, bool]:
        """What smoothing needs to know inside loops."""
        n_cells = self.n_values * self.counts.shape[1]
        return self.counts, self.rows, n_cells, float(smoothing.strength), smoothing.divides

    def spread(self, values: np.ndarray) -> np.ndarray:
        """What was computed for each of the r rows, for each of the m pairs of values."""
        return values if self.row_of is None else values.take(self.row_of, axis=0)

    def class_sums(self, weights: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Sum over y of weights (m, K) x values (r, K), which need not be spread, for each pair of values."""
        from seminaive.kernels.weights import class_sums

        result = np.empty(len(weights))
        class_sums(weights, values, self.rows_of(len(weights)), result)
        return result

    def rows_of(self, m: int) -> np.ndarray:
        """``row_of``, shape (m,)."""
        return np.arange(m) if self.row_of is None else self.row_of


@dataclass
class PairCells:
    """Counts of m value pairs. What depends on one value only is computed for its few rows, then spread.

    Attributes
    ----------
    both, first, second, classes : Margin
        N(x_i, x_j, y), N(x_i, y), N(x_j, y) and N(y). The first has m rows.
    """

    both: Margin
    first: Margin
    second: Margin
    classes: Margin

    def conditional(self, of: Margin, given: Margin, smoothing: Smoothing) -> np.ndarray:
        """Smoothed P(x | x', y) of each pair, where one margin is of x and the other of x', shape (m, K)."""
        from seminaive.kernels.weights import conditional_probabilities

        counts = self.both.counts
        strength, result = float(smoothing.strength), np.empty_like(counts)
        n_values = of.spread(of.n_values)
        rows = given.rows_of(len(counts))
        conditional_probabilities(counts, given.counts, rows, n_values, strength, smoothing.divides, result)
        return result

    def conditional_information(self, smoothing: Smoothing) -> np.ndarray:
        """What both values tell about each other, given the class, in nats, from smoothed joints, shape (m,).

        Sum over y of P(x_i, x_j, y) log P(x_i, x_j, y) P(y) / (P(x_i, y) P(x_j, y)).
        """
        from seminaive.kernels.weights import joint_ratios

        joint = self.both.joint(smoothing)
        margins = self.first, self.second, self.classes
        first, second, classes = (margin.joint(smoothing) for margin in margins)
        rows_of = tuple(margin.rows_of(len(joint)) for margin in margins)
        logs = np.empty_like(joint)
        joint_ratios(joint, first, second, classes, rows_of, logs)
        return self.both.class_sums(joint, np.log(logs, out=logs))


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
    n_values, first_slot : ndarray
        As in `CountTables`.
    value_terms : ndarray of shape (slots of all attributes,)
        0 in the slots "not observed".
    pair_terms : ndarray or None
        Terms for both attributes of each pair, flat; None where there are none or pairs are sparse.
    layout : ndarray
        How to find them, see `kernels.score.one_dependence_tables`.
    sparse : list
        Where pairs are sparse: (i, j, family); their terms are computed for each block of rows.
    pair_sums : ndarray of shape (n_attributes, n_attributes) or None
        Entry (a, i): the terms for a summed over all pairs of values of a and i.
    """

    n_values: np.ndarray
    first_slot: np.ndarray
    value_terms: np.ndarray
    pair_terms: np.ndarray | None
    layout: np.ndarray
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
        n_jobs: int | None = None,
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
        n_jobs : int, default=None
            Threads.
        """
        value_terms = value_terms.copy()
        value_terms[tables.first_slot[1:] - 1] = 0
        layout = directed_layout(tables.first_slot)
        pair_terms, sparse, sums = None, [], None
        n = len(tables.schema)
        if with_sums:
            sums = np.zeros((n, n))
        if terms_of is not None and tables.pair_counts is not None:
            pair_terms = _dense_terms(tables, terms_of, layout, n_jobs)
            if sums is not None and n > 1:
                for a, (_, slots, others, begin) in enumerate(layout.tolist()):
                    by_slot = pair_terms[begin : begin + slots * others].reshape(slots, others).sum(axis=0)
                    begins = np.concatenate([tables.first_slot[:a], tables.first_slot[a + 1 : -1] - slots])
                    totals = np.add.reduceat(by_slot, begins)
                    sums[a, :a], sums[a, a + 1 :] = totals[:a], totals[a:]
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
            value_terms,
            pair_terms,
            layout,
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
        if self.pair_terms is not None:
            from seminaive.kernels.weights import sum_terms

            sums = np.empty(codes.shape[::-1])
            sum_terms(codes, self.layout, self.value_terms, self.pair_terms, sums)
            return sums
        sums = self.value_terms[self.first_slot[:-1, None] + codes]
        for i, j, family in self.sparse:
            assert terms_of is not None
            both = np.flatnonzero((codes[i] < self.n_values[i]) & (codes[j] < self.n_values[j]))
            if len(both):
                to_first, to_second = terms_of(_looked_up(family, codes[[i, j]][:, both]))
                sums[i, both] += to_first
                sums[j, both] += to_second
        # row by row in memory: sums over a row must round alike however many rows there are
        return np.ascontiguousarray(sums.T)


def finite_log(values: np.ndarray) -> np.ndarray:
    """Natural logarithm with a finite number for log 0, to be multiplied by 0."""
    values = np.maximum(values, np.finfo(float).tiny)
    return np.log(values, out=values)


def _dense_terms(
    tables: CountTables, terms_of: PairTerms, layout: np.ndarray, n_jobs: int | None
) -> np.ndarray:
    """Terms of all cells of the pair tables, 0 where a value is not observed."""
    from seminaive.kernels.weights import place_pair_terms

    assert tables.pair_counts is not None
    terms = np.zeros(2 * (len(tables.pair_counts) // tables.n_classes))
    begins = tables.pair_tasks[:, 2]
    parts = np.split(tables.pair_tasks, np.flatnonzero(np.diff(begins // _CHUNK)) + 1)

    def some(numbers: np.ndarray) -> None:
        with np.errstate(divide="ignore", invalid="ignore"):  # threads do not inherit what a caller ignores
            for number in numbers:
                tasks = parts[number]
                place_pair_terms(*terms_of(_dense_cells(tables, tasks)), tasks, layout, terms)

    run_blocks(some, np.arange(len(parts)), n_jobs, work=_STEPS * len(tables.pair_counts))
    return terms


def _dense_cells(tables: CountTables, tasks: np.ndarray) -> PairCells:
    """The observed cells of some pair tables."""
    from seminaive.kernels.weights import pair_margins

    v_first, v_second = tables.n_values[tasks[:, 0]], tables.n_values[tasks[:, 1]]
    sizes = v_first * v_second
    m, n_classes = int(sizes.sum()), tables.n_classes
    both = np.empty((m, n_classes))
    first, second, classes = (np.zeros((k, n_classes)) for k in (v_first.sum(), v_second.sum(), len(tasks)))
    first_of, second_of, pair_of = np.empty((3, m), dtype=np.int64)
    rows_of = first_of, second_of, pair_of
    margins = both, first, second, classes
    pair_margins(tables.pair_counts, tasks, tables.n_values, margins, rows_of)
    rows = classes.sum(axis=1)
    return PairCells(
        Margin(both, np.repeat(rows, sizes), np.repeat(sizes, sizes)),
        Margin(first, np.repeat(rows, v_first), np.repeat(v_first, v_first), first_of),
        Margin(second, np.repeat(rows, v_second), np.repeat(v_second, v_second), second_of),
        Margin(classes, rows, np.ones_like(sizes), pair_of),
    )


def _looked_up(family: SparseFamily, codes: np.ndarray) -> PairCells:
    """The cells of some value pairs (2, m), both observed."""
    # the reversed pair counts x_j in the rows in which i is observed
    counts = (
        family.lookup((0, 1), codes),
        family.lookup((0,), codes[:1]),
        family.reversed_pair().lookup((0,), codes[1:]),
    )
    return _cells(family, *counts, *family.n_values)


def _cells(
    family: SparseFamily, both: np.ndarray, first: np.ndarray, second: np.ndarray, v_first: int, v_second: int
) -> PairCells:
    """Cells of a family that is not laid out, from the counts of each."""
    m = len(both)
    observed = (family.cells < np.array(family.n_values)[:, None]).all(axis=0)
    classes = family.counts[observed].sum(axis=0, dtype=np.float64, keepdims=True)

    def margin(counts: np.ndarray, n_values: int) -> Margin:
        return Margin(counts, np.full(m, classes.sum()), np.full(m, n_values))

    return PairCells(
        margin(both, v_first * v_second),
        margin(first, v_first),
        margin(second, v_second),
        Margin(classes, classes.sum(axis=1), np.ones(1, dtype=np.int64), np.zeros(m, dtype=np.int64)),
    )


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
        absent = _cells(family, nothing, counts, nothing, v, other)
        often = other - seen
        some = often > 0  # an attribute without values has no terms
        sums[side] += float((terms_of(absent)[0][some] * often[some]).sum())
    return sums[0], sums[1]
