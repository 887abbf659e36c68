"""Choosing features and dependencies by exact leave-one-out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from seminaive.learn.contexts import contexts_of
from seminaive.learn.leave_one_out import TrainingRows
from seminaive.learn.smoothing import Smoothing
from seminaive.parallel import run_blocks

__all__ = [
    "CRITERIA",
    "Judge",
    "LeaveOneOut",
    "LossSums",
    "SelectionPath",
    "SelectionStep",
    "Term",
    "Trial",
    "batches",
    "factors_of",
    "first_best",
    "is_better",
]

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


class Term(NamedTuple):
    """The factor of one child that comes into the networks (``sign`` 1), or goes (-1)."""

    child: int
    parents: tuple[int, ...]
    sign: float = 1.0


class Trial(NamedTuple):
    """A change of the networks that are judged, and the loss after it is asked for.

    Attributes
    ----------
    terms : sequence of Term
    anew : bool
        Whether the networks are emptied before.
    stays : bool
        Whether later trials build on it.
    """

    terms: Sequence[Term] = ()
    anew: bool = False
    stays: bool = True

    @classmethod
    def exchange(
        cls, network: dict[int, list[int]], shorter: Mapping[int, list[int]], smoothing: Smoothing
    ) -> Trial:
        """Give children of a network, which is changed, other parents."""
        gone = [Term(child, tuple(network[child]), -1.0) for child in shorter]
        network.update(shorter)
        if smoothing.strength == 0:  # log 0 cannot be taken back
            return cls([Term(child, tuple(parents)) for child, parents in network.items()], anew=True)
        return cls([*gone, *(Term(child, tuple(parents)) for child, parents in shorter.items())])


class Judge(Protocol):
    """Judges networks by leave-one-out, wherever the rows lie.

    Networks are judged side by side, in "tracks"; they begin without children.
    """

    def losses_of(self, trials: Iterable[Trial]) -> Iterator[np.ndarray]:
        """Losses (n_tracks,) after each trial; those that are not asked for are not made."""


class LossSums:
    """What losses are added up to: whole numbers of a unit, so that the order of the rows does not matter.

    Parameters
    ----------
    criterion : {"zero_one", "rmse", "log_loss"}
    total : float
        Sum of the weights of all rows.

    Examples
    --------
    >>> import numpy as np
    >>> sums = LossSums("rmse", total=4.0)
    >>> sums.means(np.array([1 / sums.unit], dtype=np.int64))
    array([0.5])
    """

    def __init__(self, criterion: str, total: float) -> None:
        self.criterion = CRITERIA.index(criterion)
        self.total = total
        # the largest loss is below 2^10, so that sums keep within 63 bits
        self.unit = math.ldexp(1.0, max(math.frexp(total)[1] - 52, -1074))

    def means(self, sums: np.ndarray) -> np.ndarray:
        """Losses of all rows together."""
        means: np.ndarray = sums * self.unit / self.total
        return np.sqrt(means) if CRITERIA[self.criterion] == "rmse" else means


class LeaveOneOut:
    """Judges networks by rows in memory: the log joints of all of them, each as the other rows predict it.

    The structure is given; a row that is left out takes one copy of itself out of the counts that its factors
    look up.

    Parameters
    ----------
    rows : TrainingRows
    n_values : ndarray of shape (n_attributes,)
    smoothing : Smoothing
    log_priors : ndarray of shape (n_rows, K)
        Of each row, without it.
    sums : LossSums
    levels : sequence of int
        Of each track, how many parents a child has at the most, ascending.
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
        sums: LossSums,
        levels: Sequence[int],
        n_jobs: int | None = None,
    ) -> None:
        from seminaive.kernels.selection import Judged

        self._rows, self._n_values, self._smoothing = rows, n_values, smoothing
        self._sums, self._n_jobs = sums, n_jobs
        self._levels = np.array(levels, dtype=np.int64)
        self._judged = Judged(
            rows.labels.astype(np.int64), rows.left_out, rows.all_weights, np.ascontiguousarray(log_priors)
        )
        self._joint = self._start()
        self._starts = np.arange(0, rows.n_rows, _BLOCK_ROWS)

    @staticmethod
    def bytes_for(n_rows: int, n_tracks: int, n_classes: int, most_parents: int) -> int:
        """Bytes of the log joints and priors, and of the counts of one child, at the most."""
        levels = min(most_parents, n_rows) + 1
        counts = levels * (4 + 8 * 4 * n_classes + 4)
        return n_rows * (8 * (n_tracks + 2) * n_classes + counts + 24)

    def losses_of(self, trials: Iterable[Trial]) -> Iterator[np.ndarray]:
        for trial in trials:
            if trial.anew:
                self._joint = self._start()
            added = [(self._tables(term), term.sign) for term in ([] if trial.stays else trial.terms)]
            for term in trial.terms if trial.stays else ():
                self._add(*self._tables(term), term.sign)
            yield self._losses_with(added)

    def _start(self) -> np.ndarray:
        return np.repeat(self._judged.log_prior[:, None], len(self._levels), axis=1)

    def _tables(self, term: Term) -> tuple[Any, Any]:
        n_classes = self._joint.shape[2]
        contexts = contexts_of(self._rows, self._n_values, n_classes, term.child, list(term.parents))
        of_rows = self._rows.weights is None and contexts.counts.size <= self._rows.n_rows
        return contexts, factors_of(contexts, int(self._n_values[term.child]), self._smoothing, of_rows)

    def _add(self, contexts: Any, factors: Any, sign: float) -> None:
        from seminaive.kernels.selection import add_factors

        levels = np.minimum(self._levels, len(contexts.leaves) - 1)

        def some(starts: np.ndarray) -> None:
            for start in starts:
                joint = self._joint[start : start + _BLOCK_ROWS]
                add_factors(contexts, factors, sign, levels, self._judged, start, joint)

        run_blocks(some, self._starts, self._n_jobs, work=self._joint.size * 10)

    def _losses_with(self, added: list[tuple[tuple[Any, Any], float]]) -> np.ndarray:
        """Losses of the tracks, with further factors if given."""
        from seminaive.kernels.selection import add_factors, judge

        sums = np.zeros((len(self._starts), len(self._levels)), dtype=np.int64)

        def some(blocks: np.ndarray) -> None:
            for block in blocks:
                start = self._starts[block]
                joint = self._joint[start : start + _BLOCK_ROWS]
                if added:
                    joint = joint.copy()
                for (contexts, factors), sign in added:
                    levels = np.minimum(self._levels, len(contexts.leaves) - 1)
                    add_factors(contexts, factors, sign, levels, self._judged, start, joint)
                judge(joint, self._judged, self._sums.criterion, self._sums.unit, start, sums[block])

        run_blocks(some, np.arange(len(self._starts)), self._n_jobs, work=self._joint.size * 10)
        return self._sums.means(sums.sum(axis=0))


def factors_of(contexts: Any, n_values: int, smoothing: Smoothing, of_rows: bool) -> Any:
    """Log factors of a child beside its first 0, 1, ... parents.

    Parameters
    ----------
    contexts : Contexts
    n_values : int
        Of the child.
    smoothing : Smoothing
    of_rows : bool
        Whether every row loses 1 when it is left out and many share what they look up, so that it is worth
        while to have factors without one row ready.

    Returns
    -------
    Factors
        See `seminaive.kernels.selection`.
    """
    from seminaive.kernels.selection import Factors, log_factors

    strength = float(smoothing.strength)
    pseudo = strength / max(n_values, 1) if smoothing.divides else strength
    logs = np.empty(contexts.counts.shape)
    log_factors(contexts, n_values, pseudo, 0.0, logs)
    without_one = np.empty(contexts.counts.shape if of_rows else (0, logs.shape[1]))
    if of_rows:
        log_factors(contexts, n_values, pseudo, 1.0, without_one)
    return Factors(logs, without_one, n_values, pseudo)
