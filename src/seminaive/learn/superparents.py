"""Superparents of one-dependence estimators: which of them a row may use, and their tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seminaive.counts.family import SparseFamily
from seminaive.counts.plan import padded_classes
from seminaive.counts.tables import CountTables
from seminaive.learn.factors import log_attribute_joints
from seminaive.learn.smoothing import Smoothing, safe_log
from seminaive.parallel import run_blocks

__all__ = ["OneDependenceTables", "is_eligible"]


def is_eligible(tables: CountTables, frequency_limit: float) -> np.ndarray:
    """Whether each slot may be a superparent: it occurs, and at least ``frequency_limit`` times.

    Returns
    -------
    ndarray of bool, shape (slots of all attributes,)
        False in the slots "not observed". A limit of 1 asks only that the value occurs, so that weights below
        1 do no harm; a limit of 0 admits even declared values that do not.
    """
    totals = tables.attribute_counts.sum(axis=1)
    eligible: np.ndarray = totals > 0 if 0 < frequency_limit <= 1 else totals >= frequency_limit
    eligible[tables.first_slot[1:] - 1] = False
    return eligible


@dataclass
class OneDependenceTables:
    """Everything that scoring one-dependence estimators needs, in logarithms.

    Attributes
    ----------
    n_classes : int
        K.
    base : ndarray of shape (slots of all attributes, width)
        log P(x_a, y), padded with zeros; 0 in the slots "not observed".
    first_slot : ndarray of shape (n_attributes + 1,)
    tasks : ndarray of shape (n_pairs, 4)
        As in `CountTables.pair_tasks`.
    conditionals : ndarray or None
        Flat: per cell of the pair tables K times log P(x_j | x_i, y), then K times log P(x_i | x_j, y).
    sparse : list
        Where pairs are sparse: (i, j, family) instead of ``conditionals``.
    """

    n_classes: int
    base: np.ndarray
    first_slot: np.ndarray
    tasks: np.ndarray
    n_values: np.ndarray
    smoothing: Smoothing
    ratio: bool
    conditionals: np.ndarray | None
    sparse: list[tuple[int, int, SparseFamily]]

    @classmethod
    def learn(
        cls, tables: CountTables, smoothing: Smoothing, ratio: bool, n_jobs: int | None = None
    ) -> OneDependenceTables:
        """Log probabilities from counts.

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
        base = np.zeros((int(tables.first_slot[-1]), width))
        base[:, :n_classes] = log_attribute_joints(tables, smoothing)
        conditionals = None
        sparse = []
        if tables.pair_counts is not None:
            conditionals = _conditionals(tables, smoothing, ratio, width, n_jobs)
        else:
            for i, j, _, _ in tables.pair_tasks:
                sparse.append((int(i), int(j), tables.families[i, j]))
        return cls(
            n_classes,
            base,
            tables.first_slot,
            tables.pair_tasks,
            tables.n_values,
            smoothing,
            ratio,
            conditionals,
            sparse,  # type: ignore[arg-type]
        )

    def score(
        self, codes: np.ndarray, start: int, stop: int, log_weights: np.ndarray, joint: np.ndarray
    ) -> None:
        """Write log sum_a w_a P(x_a, y) prod_j P(x_j | x_a, y) into ``joint`` (rows, K).

        ``log_weights`` (rows, n_attributes) is -inf where an attribute is no superparent.
        """
        if self.conditionals is not None:
            from seminaive.kernels.score import score_one_dependence

            score_one_dependence(
                codes, start, self.base, self.first_slot, self.tasks, self.conditionals, log_weights, joint
            )
            return
        block = codes[:, start:stop]
        terms = self.base[self.first_slot[:-1, None] + block, : self.n_classes] + log_weights.T[:, :, None]
        for i, j, family in self.sparse:
            forward, backward = self._sparse_conditionals(family, block[[i, j]])
            terms[i] += forward
            terms[j] += backward
        joint[:] = _log_sum(terms)

    def _sparse_conditionals(self, family: SparseFamily, pair: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """log P(x_j | x_i, y) and log P(x_i | x_j, y) of the rows of ``pair`` (2, rows)."""
        v_i, v_j = family.n_values
        both = (pair[0] < v_i) & (pair[1] < v_j)
        forward, backward = np.zeros((2, pair.shape[1], self.n_classes))
        if not both.any():
            return forward, backward
        observed, flipped = pair[:, both], family.reversed_pair()
        joint = family.lookup((0, 1), observed)
        first, second = family.lookup((0,), observed[:1]), flipped.lookup((0,), observed[1:])
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
    tables: CountTables, smoothing: Smoothing, ratio: bool, width: int, n_jobs: int | None
) -> np.ndarray:
    """Log conditionals of all dense pairs, both directions, see `OneDependenceTables`."""
    from seminaive.kernels.score import one_dependence_tables

    counts, n_classes = tables.pair_counts, tables.n_classes
    assert counts is not None
    logs = np.ones(len(counts) // n_classes * 2 * width)
    starts = np.append(tables.pair_tasks[:, 2], len(counts)) // n_classes * 2 * width

    def some(pairs: np.ndarray) -> None:
        one_dependence_tables(
            counts,
            tables.pair_tasks[pairs],
            tables.n_values,
            n_classes,
            float(smoothing.strength),
            smoothing.divides,
            ratio,
            logs,
        )
        part = logs[starts[pairs[0]] : starts[pairs[-1] + 1]]
        with np.errstate(divide="ignore"):
            np.log(part, out=part)  # faster than a logarithm at a time in the kernel

    run_blocks(some, np.arange(len(tables.pair_tasks)), n_jobs, work=4 * len(logs))
    return logs


def _log_ratio(joint: np.ndarray, parent: np.ndarray, n_values: int) -> np.ndarray:
    return safe_log(np.divide(joint, parent, out=np.full(joint.shape, 1.0 / n_values), where=parent > 0))


def _log_sum(terms: np.ndarray) -> np.ndarray:
    """log sum exp over the first axis; -inf where every term is."""
    largest = terms.max(axis=0)
    finite = np.where(np.isneginf(largest), 0.0, largest)
    return finite + safe_log(np.exp(terms - finite).sum(axis=0))
