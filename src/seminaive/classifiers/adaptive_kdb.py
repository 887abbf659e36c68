"""k-dependence Bayesian classifier without weak features and dependencies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

import numpy as np

from seminaive.classifiers.options import Options
from seminaive.classifiers.selective import Candidates, MakeJudge, Selected, SelectiveClassifier, start
from seminaive.data.checks import check_amount, check_flag, check_number_of_parents, check_option
from seminaive.learn.selection import SelectionPath, SelectionStep, Term, Trial, batches, is_better

__all__ = ["AdaptiveKDB"]


class AdaptiveKDB(SelectiveClassifier):
    r"""Adaptive KDB (paper of 2019): removes weak features and weak dependencies in batches.

    Features are ordered by mutual information with the class, dependencies by :math:`I(X_i; X_j \mid Y)`.
    The weakest go first, in batches of values up to :math:`(1 + \delta)` times the smallest, as long as that
    is below the mean of all and leave-one-out zero-one loss does not rise.

    Parameters
    ----------
    k : int, default=2
        Most parents of a feature beside the class.
    delta : float, default=0.1
        Width of a batch relative to its smallest value.
    select_features, select_dependencies : bool, default=True
        The paper's KDB-FS has only the first, its KDB-DS only the second; with neither this is `KDB`.
    search : {"greedy", "best_prefix"}, default="greedy"
        "greedy" stops at the first batch that is not accepted; "best_prefix" tries all batches below the mean
        and removes those before the least loss.
    strict : bool, default=False
        Whether a removal has to lower the loss rather than not raise it.
    %(options)s

    Attributes
    ----------
    removed_features_ : list of str
        In the order of removal.
    removed_dependencies_ : list of (str, str)
        Parents and children of the arcs that were removed from the remaining features.
    %(selection)s
    %(attributes)s

    See Also
    --------
    SelectiveKDB : The best prefix of features, and the best k.

    Notes
    -----
    The pseudo-code of the paper's Algorithms 2 and 3 could not be read; this is a reconstruction from its
    prose, in which a draw goes to the smaller model and the threshold of dependencies is the mean over those
    that feature selection left. **Published columns are not reproduced**: there KDB with selection is never
    worse than without, which selection inside the training folds can hardly bring about; see the
    documentation. Structure and information stay those of all features and rows; a row that is left out
    loses its counts only.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from seminaive import AdaptiveKDB
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = AdaptiveKDB().fit(X, y)
    >>> model.removed_features_[:2], model.removed_dependencies_
    (['smoothness error', 'texture error'], [])
    """

    def __init__(
        self,
        k: int = 2,
        *,
        delta: float = 0.1,
        select_features: bool = True,
        select_dependencies: bool = True,
        search: str = "greedy",
        strict: bool = False,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(**options)
        self.k = k
        self.delta = delta
        self.select_features = select_features
        self.select_dependencies = select_dependencies
        self.search = search
        self.strict = strict

    def _check_parameters(self) -> None:
        check_number_of_parents(self.k)
        check_amount("delta", self.delta, finite=True)
        check_option("search", self.search, ("greedy", "best_prefix"))
        for name in ("select_features", "select_dependencies", "strict"):
            check_flag(name, getattr(self, name))

    def _most_parents(self) -> int:
        return int(self.k)

    def _choose(self, candidates: Candidates, judge: MakeJudge, names: list[str]) -> Selected:
        order = candidates.order
        parents = [list(chosen) for chosen in candidates.parents]
        leave_one_out = judge("zero_one")
        terms = [Term(feature, tuple(parents[feature])) for feature in order]
        # of every prefix of the order
        after_each = leave_one_out.losses_of([Trial(), *(Trial([term]) for term in terms)])
        losses = [float(of_track[0]) for of_track in after_each]
        path = SelectionPath([start(len(order), _n_arcs(order, parents), losses[-1])])

        n_kept = len(order)
        if self.select_features:
            # what is removed is the end of the order, and no parent of what stays
            weakest = self._batches(candidates.relevance)
            sizes = (len(order) - np.cumsum([len(batch) for batch in weakest])).astype(int).tolist()
            weakest = weakest[: sum(size > 0 for size in sizes)]
            tried, n_accepted = self._accept((losses[size] for size in sizes[: len(weakest)]), losses[-1])
            for t, loss in enumerate(tried):
                kept = order[: sizes[t]]
                gone = order[sizes[t] : sizes[t] + len(weakest[t])][::-1]
                path.append(
                    SelectionStep(
                        len(path),
                        "feature",
                        tuple(names[i] for i in gone),
                        (),
                        float(candidates.relevance[gone].min()),
                        float(candidates.relevance.mean()),
                        len(kept),
                        _n_arcs(kept, parents),
                        None,
                        loss,
                        t < n_accepted,
                    )
                )
            n_kept = sizes[n_accepted - 1] if n_accepted else n_kept
        features = order[:n_kept]
        loss = losses[n_kept]

        removed: list[tuple[int, int]] = []
        if self.select_dependencies:
            arcs = [(child, parent) for child in sorted(features) for parent in sorted(parents[child])]
            strengths = np.array([candidates.dependence[arc] for arc in arcs])
            of_arcs = [[arcs[a] for a in batch] for batch in self._batches(strengths)]
            trials = self._removals(of_arcs, {feature: list(parents[feature]) for feature in features})
            if n_kept < len(order) and trials and not trials[0].anew:
                # first the features that are left
                trials[0] = Trial([*terms[:n_kept], *trials[0].terms], anew=True)
            without = (float(of_track[0]) for of_track in leave_one_out.losses_of(trials))
            tried, n_accepted = self._accept(without, loss)
            n_arcs = len(arcs)
            for t, loss_then in enumerate(tried):
                n_arcs -= len(of_arcs[t])
                path.append(
                    SelectionStep(
                        len(path),
                        "dependency",
                        (),
                        tuple((names[parent], names[child]) for child, parent in of_arcs[t]),
                        float(min(candidates.dependence[arc] for arc in of_arcs[t])),
                        float(strengths.mean()),
                        n_kept,
                        n_arcs,
                        None,
                        loss_then,
                        t < n_accepted,
                    )
                )
                if t < n_accepted:
                    removed += of_arcs[t]
                    loss = loss_then
        gone_arcs = set(removed)
        chosen = [
            [p for p in candidates.parents[i] if (i, p) not in gone_arcs] if i in features else []
            for i in range(len(names))
        ]
        further = {
            "removed_features_": [names[i] for i in order[n_kept:][::-1]],
            "removed_dependencies_": [(names[parent], names[child]) for child, parent in removed],
        }
        return Selected(features, chosen, path, loss, further)

    def _removals(self, of_arcs: list[list[tuple[int, int]]], network: dict[int, list[int]]) -> list[Trial]:
        """One trial for every batch of arcs (child, parent) that goes too."""
        trials = []
        for arcs in of_arcs:
            shorter = {child: [p for p in network[child] if (child, p) not in arcs] for child, _ in arcs}
            trials.append(Trial.exchange(network, shorter, self._smoothing))
        return trials

    def _batches(self, values: np.ndarray) -> list[np.ndarray]:
        """Batches, weakest first, whose smallest value does not exceed the mean."""
        threshold = values.mean() * (1 + 1e-9) if len(values) else 0.0
        return [batch for batch in batches(values, self.delta) if values[batch].min() <= threshold]

    def _accept(self, trials: Iterable[float], loss: float) -> tuple[list[float], int]:
        """Losses of the removals that were tried one after the other, and how many of them are accepted."""
        tried: list[float] = []
        if self.search == "greedy":
            for trial in trials:
                tried.append(trial)
                if not self._accepts(trial, loss):
                    return tried, len(tried) - 1
                loss = trial
            return tried, len(tried)
        tried = list(trials)
        least = min(tried, default=np.inf)
        if not self._accepts(least, loss):
            return tried, 0
        return tried, max(t for t, trial in enumerate(tried, 1) if not is_better(least, trial))

    def _accepts(self, trial: float, loss: float) -> bool:
        return is_better(trial, loss) if self.strict else not is_better(loss, trial)


def _n_arcs(features: list[int], parents: list[list[int]]) -> int:
    return sum(len(parents[feature]) for feature in features)
