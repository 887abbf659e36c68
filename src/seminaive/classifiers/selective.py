"""Classifiers that keep some features and dependencies only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from seminaive.classifiers.network import Network, SingleNetworkClassifier, family_plan
from seminaive.counts.labelled import Counts
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.learn.information import (
    conditional_mutual_information,
    mutual_information,
    rankable,
)
from seminaive.learn.leave_one_out import TrainingRows, log_priors_left_out
from seminaive.learn.parents import k_dependence_parents
from seminaive.learn.selection import Judge, LeaveOneOut, LossSums, SelectionPath, SelectionStep

__all__ = ["Candidates", "MakeJudge", "Selected", "SelectiveClassifier"]

MakeJudge = Callable[..., Judge]

_ALL_PARENTS = (sys.maxsize,)


@dataclass
class Candidates:
    """What can be chosen from.

    Attributes
    ----------
    relevance : ndarray of shape (n,)
        I(X_i; Y), rounded as scores are ranked.
    dependence : ndarray of shape (n, n)
        I(X_i; X_j | Y), likewise.
    order : list of int
        Features by relevance, descending.
    parents : list of list of int
        The most parents that each feature may have, strongest first.
    """

    relevance: np.ndarray
    dependence: np.ndarray
    order: list[int]
    parents: list[list[int]]


@dataclass
class Selected:
    """What was chosen.

    Attributes
    ----------
    features : list of int
    parents : list of list of int
        Of every feature, empty for those that are not kept.
    path : SelectionPath
    loss : float
        Leave-one-out loss of the choice.
    further : dict
        Other fitted attributes.
    """

    features: list[int]
    parents: list[list[int]]
    path: SelectionPath
    loss: float
    further: dict[str, Any] = field(default_factory=dict)


class SelectiveClassifier(SelectorMixin, SingleNetworkClassifier):
    """Base of the classifiers that choose by leave-one-out.

    A subclass supplies ``_most_parents()``, the parents that a feature may have at the most, and
    ``_choose(candidates, judge, names)``, where ``judge(criterion, levels)`` makes a `Judge`.

    Parameters
    ----------
    %(options)s
    """

    _smooths_levels = False  # candidates are judged by tables of other parents
    _keeps_rows = False

    def _most_parents(self) -> int:
        raise NotImplementedError

    def _choose(self, candidates: Candidates, judge: MakeJudge, names: list[str]) -> Selected:
        raise NotImplementedError

    def _plan(self, schema: Any) -> CountPlan:
        return CountPlan(pairs=self._most_parents() > 0)

    def _structure_of(self, tables: CountTables, rows: TrainingRows) -> Selected:
        smoothing = self._smoothing
        log_priors = log_priors_left_out(rows, tables.class_counts, self.class_prior, smoothing)

        def judge(criterion: str, levels: Sequence[int] = _ALL_PARENTS) -> Judge:
            needed = tables.nbytes + LeaveOneOut.bytes_for(
                rows.n_rows, len(levels), tables.n_classes, self._most_parents()
            )
            if needed > self._bytes_limit:
                raise MemoryError(
                    f"Judging {len(levels)} networks by leave-one-out on {rows.n_rows:,} rows and "
                    f"{tables.n_classes} classes takes {needed:,} bytes, above the limit of "
                    f"{self._bytes_limit:,} bytes. Allow fewer parents, fit on fewer rows, or raise "
                    "memory_limit."
                )
            sums = LossSums(criterion, float(tables.class_counts.sum()))
            return LeaveOneOut(rows, tables.n_values, smoothing, log_priors, sums, levels, self.n_jobs)

        return self._select_from(self._candidates(tables), tables, judge)

    def _structure_by_passes(self, counts: Counts, counter: Any) -> Selected:
        from seminaive.learn.streamed_leave_one_out import StreamedLeaveOneOut

        tables, limit = counts.tables, self._bytes_limit
        candidates = self._candidates(tables)
        parents = {child: tuple(chosen) for child, chosen in enumerate(candidates.parents)}
        lacking = tables.lacking(family_plan(candidates.parents), tables.n_rows, limit)
        further = counter.families(counts, lacking, "families to choose from")
        # what is not chosen is not kept
        everything = replace(counts, tables=replace(tables, families={**tables.families, **further}))

        def judge(criterion: str, levels: Sequence[int] = _ALL_PARENTS) -> Judge:
            return StreamedLeaveOneOut(
                counter.run,
                counter.target,
                everything,
                parents,
                self._smoothing,
                self.class_prior,
                LossSums(criterion, float(tables.class_counts.sum())),
                levels,
                limit,
                self.n_jobs,
            )

        return self._select_from(candidates, tables, judge)

    def _candidates(self, tables: CountTables) -> Candidates:
        n = len(tables.schema)
        relevance = mutual_information(tables)
        dependence = conditional_mutual_information(tables) if self._most_parents() else np.zeros((n, n))
        order, parents = k_dependence_parents(relevance, dependence, self._most_parents())
        return Candidates(
            rankable(relevance).astype(np.float64),
            rankable(dependence).astype(np.float64),
            order.tolist(),
            parents,
        )

    def _select_from(self, candidates: Candidates, tables: CountTables, judge: MakeJudge) -> Selected:
        names = tables.schema.names
        selected = self._choose(candidates, judge, names)
        relevance = dict(zip(names, candidates.relevance.tolist(), strict=True))
        selected.further["mutual_information_"] = relevance
        return selected

    def _families(self, structure: Any) -> CountPlan:
        return family_plan(structure.parents)

    def _learn(self, tables: CountTables, structure: Any) -> dict[str, Any]:
        names = tables.schema.names
        features = sorted(structure.features)
        support = np.zeros(len(names), dtype=bool)
        support[features] = True
        return {
            **structure.further,
            "parents_": {names[i]: [names[p] for p in structure.parents[i]] for i in features},
            "selected_features_": [names[i] for i in features],
            "selection_path_": structure.path,
            "loss_": structure.loss,
            "_support": support,
            "_network": Network.learn(tables, structure.parents, self._smoothing, features),
        }

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        mask: np.ndarray = self._support.copy()
        return mask

    def plot_selection_path(self, ax: Any = None) -> Any:
        """Draw the loss after every step of the selection.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None is a new figure.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is not installed (``pip install 'seminaive[plot]'``).
        """
        check_is_fitted(self)
        if ax is None:
            try:
                from matplotlib import pyplot
            except ImportError as error:
                raise ImportError(
                    "plot_selection_path needs matplotlib: pip install 'seminaive[plot]'."
                ) from error
            ax = pyplot.figure().add_subplot()
        self._draw(ax, self.selection_path_)
        ax.set_ylabel("leave-one-out loss")
        return ax

    def _draw(self, ax: Any, path: SelectionPath) -> None:
        ks = sorted({step.k for step in path if step.kind == "prefix" and step.k is not None})
        for k in ks:
            steps = [step for step in path if step.kind == "start" or step.k == k]
            ax.plot([s.n_features for s in steps], [s.loss for s in steps], marker=".", label=f"k = {k}")
        if not ks:
            ax.plot([s.step for s in path], [s.loss for s in path], color="0.7")
            for accepted, marker in ((True, "o"), (False, "x")):
                steps = [s for s in path if s.accepted is accepted]
                label = "kept" if accepted else "not kept"
                ax.plot([s.step for s in steps], [s.loss for s in steps], marker, label=label)
        else:
            (chosen,) = [s for s in path if s.accepted and s.kind == "prefix"] or [path[0]]
            ax.plot(chosen.n_features, chosen.loss, "o", fillstyle="none", label="chosen")
        ax.set_xlabel("features" if ks else "step")
        ax.legend()


def start(n_features: int, n_dependencies: int, loss: float, k: int | None = None) -> SelectionStep:
    """The first step of a path."""
    return SelectionStep(0, "start", (), (), None, None, n_features, n_dependencies, k, loss, True)
