"""Superparents of one-dependence estimators: which of them a row may use, and their tables."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from seminaive.counts.family import SparseFamily
from seminaive.counts.plan import padded_classes
from seminaive.counts.tables import CountTables
from seminaive.learn.factors import counts_by_slot
from seminaive.learn.smoothing import Smoothing, safe_log
from seminaive.parallel import run_blocks

__all__ = [
    "OneDependenceTables",
    "directed_layout",
    "is_eligible",
    "log_sum",
    "occurs_often",
    "room_for_products",
    "smallest_positive",
]

_LINE = 8  # numbers in a cache line


def is_eligible(tables: CountTables, frequency_limit: float) -> np.ndarray:
    """Whether each slot may be a superparent: it occurs, and at least ``frequency_limit`` times.

    Returns
    -------
    ndarray of bool, shape (slots of all attributes,)
        False in the slots "not observed". A limit of 1 asks only that the value occurs, so that weights below
        1 do no harm; a limit of 0 admits even declared values that do not.
    """
    eligible = occurs_often(tables.attribute_counts.sum(axis=1), frequency_limit)
    eligible[tables.first_slot[1:] - 1] = False
    return eligible


def occurs_often(totals: np.ndarray, frequency_limit: float) -> np.ndarray:
    """Whether sums of weights reach a limit as `is_eligible` reads it."""
    often: np.ndarray = totals > 0 if 0 < frequency_limit <= 1 else totals >= frequency_limit
    return often


@dataclass
class OneDependenceTables:
    """Everything that scoring one-dependence estimators needs.

    Estimators of dense tables are products of probabilities, which a kernel keeps from underflow: the sum
    over superparents then needs no exponential. Those of sparse tables are sums of logarithms.

    Attributes
    ----------
    n_classes : int
        K.
    base : ndarray of shape (slots of all attributes, width)
        P(x_a, y), padded with zeros; 1 in the slots "not observed".
    first_slot : ndarray of shape (n_attributes + 1,)
    smoothing : Smoothing
    ratio : bool
    conditionals : ndarray or None
        P(x_j | x_a, y) of all pairs, flat, see `kernels.score.one_dependence_tables`.
    layout, parts, scale
        How to find and multiply them, see `kernels.score.score_one_dependence`.
    sparse : list
        Where pairs are sparse: (i, j, family) instead of ``conditionals``.
    log_conditionals : ndarray or None
        Logarithms of ``conditionals``, where many are asked for, see `with_logs`.
    """

    n_classes: int
    base: np.ndarray
    first_slot: np.ndarray
    smoothing: Smoothing
    ratio: bool
    conditionals: np.ndarray | None
    layout: np.ndarray
    parts: np.ndarray
    scale: float
    sparse: list[tuple[int, int, SparseFamily]]
    log_conditionals: np.ndarray | None = None

    @classmethod
    def learn(
        cls,
        tables: CountTables,
        smoothing: Smoothing,
        ratio: bool,
        n_jobs: int | None = None,
    ) -> OneDependenceTables:
        """Probabilities from counts.

        Parameters
        ----------
        tables : CountTables
            With pairs.
        smoothing : Smoothing
        ratio : bool
            P(x_j | x_a, y) as the ratio of two smoothed joints rather than smoothed directly.
        n_jobs : int, default=None
            Threads.
        """
        n_classes = tables.n_classes
        width = padded_classes(n_classes)
        counts, totals, sizes = counts_by_slot(tables)
        base = np.zeros((len(counts), width))
        base[:, :n_classes] = smoothing(counts, totals.sum(axis=1, keepdims=True), sizes * n_classes)
        base[tables.first_slot[1:] - 1, :n_classes] = 1
        layout = directed_layout(tables.first_slot)
        conditionals, smallest, sparse = None, 1.0, []
        if tables.pair_counts is not None:
            conditionals = _conditionals(tables, smoothing, ratio, layout, width, n_jobs)
            smallest = smallest_positive(conditionals)
        else:
            for i, j, _, _ in tables.pair_tasks:
                sparse.append((int(i), int(j), tables.families[i, j]))
        parts, scale = _parts(smallest, len(layout))
        return cls(
            n_classes,
            base,
            tables.first_slot,
            smoothing,
            ratio,
            conditionals,
            layout,
            parts,
            scale,
            sparse,  # type: ignore[arg-type]
        )

    def score(
        self,
        codes: np.ndarray,
        start: int,
        stop: int,
        weights: np.ndarray,
        joint: np.ndarray,
    ) -> None:
        """Write log sum_a w_a P(x_a, y) prod_j P(x_j | x_a, y) into ``joint`` (rows, K).

        ``weights`` (rows, n_attributes) is 0 where an attribute is no superparent.
        """
        block = np.ascontiguousarray(codes[:, start:stop])
        if self.conditionals is not None:
            from seminaive.kernels.score import score_one_dependence

            n_rows, width = len(joint), self.base.shape[1]
            like = (0.0,) * (8 if width % 8 == 0 else min(width, 4))
            sums, depths = np.zeros((2, -(-n_rows // 4) * 4, width))  # the kernel takes four rows at a time
            score_one_dependence(
                like,
                block,
                np.ascontiguousarray(weights),
                (self.base.ravel(), self.conditionals),
                self.layout,
                self.parts,
                self.scale,
                (sums.ravel(), depths.ravel(), np.zeros(n_rows, dtype=bool)),
            )
            joint[:] = safe_log(sums[:n_rows, : self.n_classes])
            joint -= depths[:n_rows, : self.n_classes] * math.log(self.scale)
            return
        terms = safe_log(self.base[self.first_slot[:-1, None] + block, : self.n_classes])
        terms += safe_log(weights).T[:, :, None]
        for i, j, family in self.sparse:
            forward, backward = self.sparse_conditionals(family, block[[i, j]])
            terms[i] += forward
            terms[j] += backward
        joint[:] = log_sum(terms)

    def with_logs(self, n_rows: int) -> OneDependenceTables:
        """The same with the logarithms that `log_factors` of so many rows needs, if that saves time."""
        asked = n_rows * len(self.layout) ** 2 * 2
        if self.conditionals is None or len(self.conditionals) > asked:
            return self
        return replace(self, log_conditionals=safe_log(self.conditionals))

    def log_factors(
        self,
        own: np.ndarray,
        seen: np.ndarray,
        wanted: np.ndarray,
        weights: np.ndarray,
        log_prior: np.ndarray,
    ) -> np.ndarray:
        """Log factors of every estimator, one by one.

        Parameters
        ----------
        own, seen : ndarray of shape (n_attributes, n_rows)
            Codes of attributes as superparents and as children.
        wanted : ndarray of int64, shape (n_rows, C)
            Classes of interest of each row.
        weights : ndarray of shape (n_rows, n_attributes)
            Estimators of weight 0 are left out.
        log_prior : ndarray of shape (K,)
            What the factor P(x_a, y) of a superparent is divided by.

        Returns
        -------
        ndarray of shape (n_rows, n_attributes, n_attributes, C)
            By superparent, then by attribute.
        """
        n, (n_rows, n_wanted) = len(own), wanted.shape
        factors = np.zeros((n_rows, n, n, n_wanted))
        if self.conditionals is not None:
            from seminaive.kernels.explain import one_dependence_log_factors

            logs = np.zeros(0) if self.log_conditionals is None else self.log_conditionals
            tables = self.base.ravel(), self.conditionals, logs
            one_dependence_log_factors(own, seen, wanted, weights, tables, self.layout, log_prior, factors)
            return factors
        for a in range(n):
            logs = safe_log(self.base[self.first_slot[a] + own[a], : self.n_classes]) - log_prior
            factors[:, a, a] = np.take_along_axis(logs, wanted, axis=1)
        for i, j, family in self.sparse:
            forward, _ = self.sparse_conditionals(family, np.stack([own[i], seen[j]]))
            _, backward = self.sparse_conditionals(family, np.stack([seen[i], own[j]]))
            factors[:, i, j] = np.take_along_axis(forward, wanted, axis=1)
            factors[:, j, i] = np.take_along_axis(backward, wanted, axis=1)
        factors[weights == 0] = 0
        return factors

    def sparse_conditionals(self, family: SparseFamily, pair: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """log P(x_j | x_i, y) and log P(x_i | x_j, y) of the rows of ``pair`` (2, rows)."""
        v_i, v_j = family.n_values
        both = (pair[0] < v_i) & (pair[1] < v_j)
        forward, backward = np.zeros((2, pair.shape[1], self.n_classes))
        if not both.any():
            return forward, backward
        observed, flipped = pair[:, both], family.reversed_pair()
        joint = family.lookup((0, 1), observed)
        first, second = (
            family.lookup((0,), observed[:1]),
            flipped.lookup((0,), observed[1:]),
        )
        if self.ratio:
            total = self._rows_of_both(family)
            n_classes = self.n_classes
            both_joint = self.smoothing(joint, total, v_i * v_j * n_classes)
            forward[both] = _log_ratio(both_joint, self.smoothing(first, total, v_i * n_classes), v_j)
            backward[both] = _log_ratio(both_joint, self.smoothing(second, total, v_j * n_classes), v_i)
        else:
            forward[both] = safe_log(self.smoothing(joint, first, v_j))
            backward[both] = safe_log(self.smoothing(joint, second, v_i))
        return forward, backward

    @staticmethod
    def _rows_of_both(family: SparseFamily) -> float:
        observed = (family.cells < np.array(family.n_values)[:, None]).all(axis=0)
        return float(family.counts[observed].sum())


def _conditionals(
    tables: CountTables,
    smoothing: Smoothing,
    ratio: bool,
    layout: np.ndarray,
    width: int,
    n_jobs: int | None,
) -> np.ndarray:
    """Conditionals of all dense pairs, both directions, see `OneDependenceTables`."""
    from seminaive.kernels.score import one_dependence_tables

    counts, n_classes = tables.pair_counts, tables.n_classes
    assert counts is not None
    size = len(counts) // n_classes * 2 * width
    # vectors that lie in one cache line each
    place = np.empty(size + _LINE)
    begin = -place.ctypes.data // place.itemsize % _LINE
    table = place[begin : begin + size]

    def some(tasks: np.ndarray) -> None:
        one_dependence_tables(
            counts,
            tasks,
            layout,
            n_classes,
            float(smoothing.strength),
            smoothing.divides,
            ratio,
            table,
        )

    run_blocks(some, tables.pair_tasks, n_jobs, work=4 * size)
    return table


def directed_layout(first_slot: np.ndarray) -> np.ndarray:
    """Where a pair of values has what it gives to each, see `kernels.score.one_dependence_tables`."""
    slots = np.diff(first_slot)
    others = first_slot[-1] - slots
    ends = np.cumsum(slots * others)
    return np.column_stack([first_slot[:-1], slots, others, ends - slots * others])


def _parts(smallest: float, n_attributes: int) -> tuple[np.ndarray, float]:
    """What `kernels.score.score_one_dependence` multiplies at a time without underflow, and its scale.

    After a look a product is 2^-1000 x scale at least, so that there is room for factors whose smallest is
    ``smallest``. A part never goes past the superparent.
    """
    most, scale = room_for_products(smallest)
    factors = n_attributes - 1
    parts = np.zeros((n_attributes, 1 + -(-factors // most), 3), dtype=np.int64)
    for a in range(n_attributes):
        begins = sorted({*range(0, factors, most), a} - {factors})
        for part, (begin, end) in enumerate(pairwise([*begins, factors])):
            after = begin >= a
            parts[a, part] = begin + after, end + after, begin % most == 0
    return parts, scale


def room_for_products(smallest: float) -> tuple[int, float]:
    """How many factors of at least ``smallest`` to multiply between two looks, and what low products get."""
    bits = max(-math.log2(smallest), 1.0)
    room = max(500.0, bits)
    return int(room / bits), 2.0 ** min(math.ceil(room), 1000)


def smallest_positive(probabilities: np.ndarray) -> float:
    """The smallest probability that is not 0; 1 where there is none."""
    smallest = probabilities.min(initial=1.0)
    return float(smallest if smallest > 0 else probabilities.min(initial=1.0, where=probabilities > 0))


def _log_ratio(joint: np.ndarray, parent: np.ndarray, n_values: int) -> np.ndarray:
    return safe_log(np.divide(joint, parent, out=np.full(joint.shape, 1.0 / n_values), where=parent > 0))


def log_sum(terms: np.ndarray) -> np.ndarray:
    """log sum exp over the first axis; -inf where every term is."""
    largest = terms.max(axis=0)
    finite = np.where(np.isneginf(largest), 0.0, largest)
    return finite + safe_log(np.exp(terms - finite).sum(axis=0))
