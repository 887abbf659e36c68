"""Choosing features and dependencies by exact leave-one-out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from seminaive.learn.contexts import contexts_of
from seminaive.learn.leave_one_out import TrainingRows
from seminaive.learn.smoothing import Smoothing
from seminaive.parallel import run_blocks

__all__ = ["CRITERIA", "LeaveOneOut", "SelectionPath", "SelectionStep", "batches", "first_best", "is_better"]

CRITERIA = ("zero_one", "rmse", "log_loss")

_BLOCK_ROWS = 4096
_EQUAL = 1e-12  # losses that differ by less are equal but for rounding


@dataclass(frozen=True)
class SelectionStep:
    """One step of a selection.

    Attributes
    ----------
    step : int
        0 is the start.
    kind : {"start", "feature", "dependency", "prefix"}
    features : tuple of str
        Features that this step adds or removes; of a prefix, the feature that it ends with.
    dependencies : tuple of (str, str)
        Parents and children of the arcs that it removes.
    information : float or None
        Mutual information behind it, in bits; of a batch the smallest.
    threshold : float or None
        What the information may not exceed, in bits.
    n_features, n_dependencies : int
        What the model has after the step.
    k : int or None
        Most parents of a feature, where that is chosen.
    loss : float
        Leave-one-out loss after the step.
    accepted : bool
        Whether the step is part of the model.
    """

    step: int
    kind: str
    features: tuple[str, ...]
    dependencies: tuple[tuple[str, str], ...]
    information: float | None
    threshold: float | None
    n_features: int
    n_dependencies: int
    k: int | None
    loss: float
    accepted: bool


class SelectionPath(list[SelectionStep]):
    """The steps of a selection, in the order in which they were tried."""

    def to_frame(self) -> Any:
        """The steps as a table, one row each.

        Returns
        -------
        pandas.DataFrame, or pyarrow.Table where pandas is not installed
        """
        rows = [asdict(step) for step in self]
        for row in rows:
            row["features"] = ", ".join(row["features"])
            row["dependencies"] = ", ".join(f"{parent} -> {child}" for parent, child in row["dependencies"])
        try:
            import pandas

            return pandas.DataFrame(rows)
        except ImportError:
            import pyarrow

            return pyarrow.Table.from_pylist(rows)


def is_better(loss: float, than: float) -> bool:
    """Whether a loss is smaller, and not only by rounding."""
    return loss < than - _EQUAL


def first_best(losses: np.ndarray) -> int:
    """Position of the least loss; of equal ones the first."""
    return int(np.flatnonzero(losses <= losses.min() + _EQUAL)[0])


def batches(values: np.ndarray, delta: float) -> Iterator[np.ndarray]:
    """Positions of values in batches, ascending: from the smallest value m that is left to m (1 + delta).

    Parameters
    ----------
    values : ndarray of shape (n,)
        Non-negative.
    delta : float

    Examples
    --------
    >>> import numpy as np
    >>> [batch.tolist() for batch in batches(np.array([1.0, 0.3, 1.05, 0.0]), delta=0.1)]
    [[3], [1], [0, 2]]
    """
    order = np.argsort(values, kind="stable")
    begin = 0
    while begin < len(order):
        limit = min(float(values[order[begin]]) * (1 + float(delta)), np.finfo(float).max)
        end = begin + int(np.searchsorted(values[order[begin:]], limit, side="right"))
        yield order[begin:end]
        begin = end


class LeaveOneOut:
    """Log joints of all training rows, each as the other rows predict it, under networks that grow or shrink.

    The structure is given; a row that is left out takes one copy of itself out of the counts that its factors
    look up. Several networks ("tracks") are judged side by side.

    Parameters
    ----------
    rows : TrainingRows
    n_values : ndarray of shape (n_attributes,)
    smoothing : Smoothing
    log_priors : ndarray of shape (n_rows, K)
        Of each row, without it.
    criterion : {"zero_one", "rmse", "log_loss"}
    n_tracks : int, default=1
    n_jobs : int, default=None

    Notes
    -----
    Takes rows x tracks x classes x 8 bytes; counts of one child at a time. Of classes whose log probabilities
    differ by less than 1e-9 the first is predicted.
    """

    def __init__(
        self,
        rows: TrainingRows,
        n_values: np.ndarray,
        smoothing: Smoothing,
        log_priors: np.ndarray,
        criterion: str,
        n_tracks: int = 1,
        n_jobs: int | None = None,
    ) -> None:
        from seminaive.kernels.selection import Judged

        self._rows, self._n_values, self._smoothing = rows, n_values, smoothing
        self._criterion, self._n_jobs = CRITERIA.index(criterion), n_jobs
        self._judged = Judged(
            rows.labels.astype(np.int64), rows.left_out, rows.all_weights, np.ascontiguousarray(log_priors)
        )
        self._network: dict[int, list[int]] = {}
        self._joint = np.repeat(log_priors[:, None], n_tracks, axis=1)
        self._starts = np.arange(0, rows.n_rows, _BLOCK_ROWS)

    @staticmethod
    def bytes_for(n_rows: int, n_tracks: int, n_classes: int, most_parents: int) -> int:
        """Bytes of the log joints and priors, and of the counts of one child, at the most."""
        levels = min(most_parents, n_rows) + 1
        counts = levels * (4 + 8 * 4 * n_classes + 4)
        return n_rows * (8 * (n_tracks + 2) * n_classes + counts + 24)

    def losses(self) -> np.ndarray:
        """Loss of each track, shape (n_tracks,)."""
        return self._losses_with(None)

    def loss_with(self, child: int) -> float:
        """Loss of the first track if every track had one more child, without parents."""
        contexts = contexts_of(self._rows, self._n_values, self._joint.shape[2], child, [])
        return float(self._losses_with((contexts, self._factors(contexts, child)))[0])

    def add(self, child: int, parents: Sequence[int], levels: Sequence[int] | None = None) -> None:
        """Give every track one more child.

        Parameters
        ----------
        child : int
        parents : sequence of int
            Strongest first.
        levels : sequence of int, default=None
            How many of the parents the child has in each track, ascending; None are all.
        """
        self._network[child] = list(parents)
        of_tracks = np.full(self._joint.shape[1], len(parents)) if levels is None else np.asarray(levels)
        self._add(child, list(parents), np.minimum(of_tracks, len(parents)), 1.0)

    def exchange(self, before: Mapping[int, list[int]], after: Mapping[int, list[int]]) -> None:
        """Give children that every track has other parents.

        Parameters
        ----------
        before, after : dict of int to list of int
            Parents of the same children.
        """
        if self._smoothing.strength == 0:  # log 0 cannot be taken back
            self._network.update(after)
            self._joint = np.repeat(self._judged.log_prior[:, None], self._joint.shape[1], axis=1)
            before, after = {}, self._network
        for network, sign in ((before, -1.0), (after, 1.0)):
            for child, parents in network.items():
                levels = np.full(self._joint.shape[1], len(parents))
                self._add(child, parents, levels, sign)

    def _add(self, child: int, parents: list[int], levels: np.ndarray, sign: float) -> None:
        from seminaive.kernels.selection import add_factors

        contexts = contexts_of(self._rows, self._n_values, self._joint.shape[2], child, parents)
        factors = self._factors(contexts, child)
        levels = levels.astype(np.int64)

        def some(starts: np.ndarray) -> None:
            for start in starts:
                joint = self._joint[start : start + _BLOCK_ROWS]
                add_factors(contexts, factors, sign, levels, self._judged, start, joint)

        run_blocks(some, self._starts, self._n_jobs, work=self._joint.size * 10)

    def _factors(self, contexts: Any, child: int) -> Any:
        from seminaive.kernels.selection import Factors, log_factors

        n_values, strength = int(self._n_values[child]), float(self._smoothing.strength)
        pseudo = strength / max(n_values, 1) if self._smoothing.divides else strength
        logs = np.empty(contexts.counts.shape)
        log_factors(contexts, n_values, pseudo, 0.0, logs)
        # worth it where rows share leaves
        is_shared = self._rows.weights is None and logs.size <= self._rows.n_rows
        without_one = np.empty(contexts.counts.shape if is_shared else (0, logs.shape[1]))
        if is_shared:
            log_factors(contexts, n_values, pseudo, 1.0, without_one)
        return Factors(logs, without_one, n_values, pseudo)

    def _losses_with(self, more: tuple[Any, Any] | None) -> np.ndarray:
        """Losses of the tracks, with the factors of one more child without parents if given."""
        from seminaive.kernels.selection import add_factors, judge

        n_tracks = self._joint.shape[1]
        sums = np.zeros((len(self._starts), n_tracks))

        def some(blocks: np.ndarray) -> None:
            for block in blocks:
                start = self._starts[block]
                joint = self._joint[start : start + _BLOCK_ROWS]
                if more is not None:
                    joint = joint.copy()
                    add_factors(*more, 1.0, np.zeros(n_tracks, dtype=np.int64), self._judged, start, joint)
                judge(joint, self._judged, self._criterion, start, sums[block])

        run_blocks(some, np.arange(len(self._starts)), self._n_jobs, work=self._joint.size * 10)
        means: np.ndarray = sums.sum(axis=0) / self._judged.weights.sum()
        return np.sqrt(means) if CRITERIA[self._criterion] == "rmse" else means
