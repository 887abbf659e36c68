"""Leave-one-out in passes over rows that need not fit in memory.

With the counts of all rows known, a row can be judged without itself as it passes. One pass judges as many
networks as are known when it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seminaive.counts.family import ListedFamily
from seminaive.counts.labelled import Counts
from seminaive.counts.tallies import LabelledRows, Target
from seminaive.data.record_batches import BatchEncoder
from seminaive.learn.contexts import contexts_of
from seminaive.learn.leave_one_out import TrainingRows, log_priors_left_out
from seminaive.learn.selection import LossSums, Term, Trial, factors_of
from seminaive.learn.smoothing import Smoothing
from seminaive.parallel import run_blocks
from seminaive.persistence.values import Packer, Unpacker

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["LossTally", "StreamedLeaveOneOut"]

_BLOCK_ROWS = 4096


class TermTables(NamedTuple):
    """What rows look up for one term.

    ``contexts.leaves`` (levels, cells + 1) belongs to the cells of a family, not to rows; the last column is
    for rows in which the child is not observed.
    """

    contexts: Any
    factors: Any


class StreamedLeaveOneOut:
    """Judges networks by passes over a source; losses are those of `LeaveOneOut`.

    With weights that are no dyadic fractions their last digits may differ.

    Parameters
    ----------
    run : callable
        Makes a pass: takes its name and an empty tally, and gives the tally of all rows.
    target : Target
    counts : Counts
        Of all rows, with the families of ``parents``.
    parents : mapping of int to tuple of int
        The most parents that each child may have.
    smoothing : Smoothing
    class_prior : None, "empirical" or array-like of shape (K,)
    sums : LossSums
    levels : sequence of int
        Of each track, how many parents a child has at the most, ascending.
    memory_limit : int
        Bytes.
    n_jobs : int, default=None
    """

    def __init__(
        self,
        run: Callable[[str, LossTally], LossTally],
        target: Target,
        counts: Counts,
        parents: Mapping[int, tuple[int, ...]],
        smoothing: Smoothing,
        class_prior: Any,
        sums: LossSums,
        levels: Sequence[int],
        memory_limit: int,
        n_jobs: int | None = None,
    ) -> None:
        self._run, self._target, self._counts = run, target, counts
        self._parents, self._smoothing, self._class_prior = parents, smoothing, class_prior
        self._sums, self._levels = sums, np.array(levels, dtype=np.int64)
        self._memory_limit, self._n_jobs = memory_limit, n_jobs
        self._taken: list[Term] = []
        self._n_passes = 0

    def losses_of(self, trials: Iterable[Trial]) -> Iterator[np.ndarray]:
        """Losses (n_tracks,) after each trial; one pass for all of them."""
        trials = list(trials)
        if not trials:
            return
        tally = LossTally(
            self._target,
            self._counts,
            self._families([*self._taken, *(term for trial in trials for term in trial.terms)]),
            [Trial(self._taken), *trials],
            self._smoothing,
            self._class_prior,
            self._sums,
            self._levels,
            self._n_jobs,
        )
        self._n_passes += 1
        tally = self._run(f"leave-one-out {self._n_passes}", tally)
        for trial, of_tracks in zip(trials, self._sums.means(tally.sums[1:]), strict=True):
            if trial.stays:
                self._taken = [*([] if trial.anew else self._taken), *trial.terms]
            yield of_tracks

    def _families(self, terms: Sequence[Term]) -> dict[int, ListedFamily]:
        """What occurs of the children of terms beside their parents.

        Raises
        ------
        MemoryError
            If that and what is made of it does not fit.
        """
        tables = self._counts.tables
        families = {}
        for child in {term.child for term in terms}:
            members = (*self._parents[child], child)
            families[child] = tables.family(members).listed(members)
        needed = tables.nbytes + sum(family.nbytes for family in families.values())
        for child, parents in {term[:2] for term in terms}:
            n_cells = families[child].cells.shape[1]
            needed += n_cells * (len(parents) + 1) * (8 + 8 * 4 * tables.n_classes)
        if needed > self._memory_limit:
            raise MemoryError(
                f"Judging networks by leave-one-out takes tables of {needed:,} bytes, above the limit of "
                f"{self._memory_limit:,} bytes. Allow fewer parents, group the values of the widest columns, "
                "or raise memory_limit."
            )
        return families


class LossTally:
    """Sums of the losses of networks over rows whose values and classes are known.

    Parameters
    ----------
    target : Target
    counts : Counts
        Of the same rows.
    families : mapping of int to ListedFamily
        Of each child, with the parents of all its terms.
    trials : sequence of Trial
    smoothing : Smoothing
    class_prior : None, "empirical" or array-like of shape (K,)
    sums : LossSums
    levels : ndarray of shape (n_tracks,)
    n_jobs : int or None

    Attributes
    ----------
    sums : ndarray of shape (n_trials, n_tracks)
        In the units of `LossSums`.
    """

    def __init__(
        self,
        target: Target,
        counts: Counts,
        families: Mapping[int, ListedFamily],
        trials: Sequence[Trial],
        smoothing: Smoothing,
        class_prior: Any,
        sums: LossSums,
        levels: np.ndarray,
        n_jobs: int | None = None,
    ) -> None:
        tables = counts.tables
        self.rows = LabelledRows(target, counts.classes.tolist(), grows=False)
        self.batches = BatchEncoder(counts.encoder.schema_.attributes, grows=False)
        self.is_whole = tables.class_counts.dtype == np.int64
        self.class_counts, self.class_prior, self.smoothing = tables.class_counts, class_prior, smoothing
        self.loss, self.levels, self.n_jobs = sums, levels, n_jobs
        self.families = families
        self.trials = trials
        self.tables: dict[tuple[int, tuple[int, ...]], TermTables] = {}
        for trial in trials:
            for term in trial.terms:
                if term[:2] not in self.tables:
                    self.tables[term[:2]] = self._tables_of(term, tables.n_rows)
        self.sums = np.zeros((len(trials), len(levels)), dtype=np.int64)

    def add(self, batch: pa.RecordBatch) -> None:
        batch, labels, own = self.rows.read(batch)
        if batch.num_rows == 0:
            return
        codes, unknown = self.batches.encode(batch)
        if unknown:
            raise ValueError("The rows are not those of the pass before: a value is new.")
        weights = None if self.is_whole else self.rows.with_factors(labels, own)
        copies = None if self.is_whole or own is None else np.maximum(own, 1.0)
        rows = TrainingRows(codes, labels, weights, copies)
        starts = np.arange(0, rows.n_rows, _BLOCK_ROWS)
        sums = np.zeros((len(starts), *self.sums.shape), dtype=np.int64)

        def some(blocks: np.ndarray) -> None:
            for block in blocks:
                start = starts[block]
                self._judge(rows[start : start + _BLOCK_ROWS], sums[block])

        n_terms = sum(len(trial.terms) + 1 for trial in self.trials)
        run_blocks(some, np.arange(len(starts)), self.n_jobs, work=rows.n_rows * n_terms * self.sums.size)
        self.sums += sums.sum(axis=0)

    def _judge(self, rows: TrainingRows, sums: np.ndarray) -> None:
        """Add the losses of a few rows to ``sums`` (n_trials, n_tracks)."""
        from seminaive.kernels.selection import Judged, judge

        log_priors = log_priors_left_out(rows, self.class_counts, self.class_prior, self.smoothing)
        log_priors = np.ascontiguousarray(log_priors)
        judged = Judged(rows.labels.astype(np.int64), rows.left_out, rows.all_weights, log_priors)
        codes, cells = np.ascontiguousarray(rows.codes), {}
        empty = np.repeat(log_priors[:, None], len(self.levels), axis=1)
        joint = empty.copy()
        for trial, of_tracks in zip(self.trials, sums, strict=True):
            if trial.anew:
                joint = empty.copy()
            changed = joint if trial.stays else joint.copy()
            for term in trial.terms:
                if term.child not in cells:
                    cells[term.child] = self._cells_of(term.child, codes)
                self._add(term, cells[term.child], judged, changed)
            judge(changed, judged, self.loss.criterion, self.loss.unit, 0, of_tracks)

    def _cells_of(self, child: int, codes: np.ndarray) -> np.ndarray:
        """The combination of every row, -1 where the child is not observed."""
        family = self.families[child]
        cells = family.find(codes)
        if (codes[child, cells < 0] < family.n_values[-1]).any():
            raise ValueError("The rows are not those of the pass before: a combination of values is new.")
        return cells

    def _add(self, term: Term, cells: np.ndarray, judged: Any, joint: np.ndarray) -> None:
        from seminaive.kernels.selection import add_factors

        tables = self.tables[term[:2]]
        contexts = tables.contexts._replace(leaves=np.take(tables.contexts.leaves, cells, axis=1))
        levels = np.minimum(self.levels, len(term.parents))
        add_factors(contexts, tables.factors, term.sign, levels, judged, 0, joint)

    def _tables_of(self, term: Term, n_rows: int) -> TermTables:
        """Counts and factors of a term: every cell of the family in the place of the rows that have it."""
        family = self.families[term.child]
        cell, label = np.nonzero(family.counts)
        rows = TrainingRows(family.cells[:, cell], label, family.counts[cell, label].astype(np.float64))
        n_values = np.array(family.n_values)
        kept = [family.members.index(parent) for parent in term.parents]
        contexts = contexts_of(rows, n_values, family.counts.shape[1], len(n_values) - 1, kept)
        first = np.searchsorted(cell, np.arange(family.cells.shape[1]))
        unobserved = np.full((len(contexts.leaves), 1), -1, dtype=np.int32)
        contexts = contexts._replace(leaves=np.hstack([contexts.leaves[:, first], unobserved]))
        of_rows = self.is_whole and contexts.counts.size <= n_rows
        return TermTables(contexts, factors_of(contexts, int(n_values[-1]), self.smoothing, of_rows))

    def merge(self, other: LossTally) -> None:
        self.rows.merge(other.rows)
        self.sums += other.sums

    def pack(self, packer: Packer) -> Any:
        return [self.rows.pack(packer), packer.array(self.sums)]

    def unpack(self, state: Any, unpacker: Unpacker) -> None:
        self.rows.unpack(state[0], unpacker)
        self.sums = unpacker.array(state[1])
