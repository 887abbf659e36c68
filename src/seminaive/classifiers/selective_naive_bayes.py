"""Naive Bayes on the features that help."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

import numpy as np

from seminaive.classifiers.options import Options
from seminaive.classifiers.selective import Candidates, MakeJudge, Selected, SelectiveClassifier, start
from seminaive.data.checks import check_flag, check_option
from seminaive.learn.selection import (
    CRITERIA,
    Judge,
    SelectionPath,
    SelectionStep,
    Term,
    Trial,
    first_best,
    is_better,
)

__all__ = ["SelectiveNaiveBayes"]


class SelectiveNaiveBayes(SelectiveClassifier):
    r"""Selective naive Bayes (Langley and Sage 1994): naive Bayes on a subset of the features.

    Forward selection starts without features and adds the one that lowers the leave-one-out loss most, as
    long as any does. Leave-one-out is exact: each row is subtracted from the counts that predict it.

    Parameters
    ----------
    search : {"greedy", "mi_prefix"}, default="greedy"
        "greedy" tries every feature in every round; "mi_prefix" orders features by mutual information with
        the class and takes the prefix with the least loss.
    criterion : {"zero_one", "rmse", "log_loss"}, default="zero_one"
        The leave-one-out loss.
    accept_ties : bool, default=False
        Whether features that leave the loss as it is are taken, the rule of 1994.
    %(options)s

    Attributes
    ----------
    %(selection)s
    %(attributes)s

    See Also
    --------
    SelectiveKDB : Chooses the number of parents too.
    NaiveBayes : All features.

    Notes
    -----
    Greedy search takes O(N n^2 K), the prefixes O(N n K). Both papers that report this classifier leave open
    which of the two they ran; neither reproduces the published column of 2019.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from seminaive import SelectiveNaiveBayes
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> SelectiveNaiveBayes().fit(X, y).selected_features_[:3]
    ['mean texture', 'perimeter error', 'symmetry error']
    """

    def __init__(
        self,
        *,
        search: str = "greedy",
        criterion: str = "zero_one",
        accept_ties: bool = False,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(**options)
        self.search = search
        self.criterion = criterion
        self.accept_ties = accept_ties

    def _check_parameters(self) -> None:
        check_option("search", self.search, ("greedy", "mi_prefix"))
        check_option("criterion", self.criterion, CRITERIA)
        check_flag("accept_ties", self.accept_ties)

    def _most_parents(self) -> int:
        return 0

    def _choose(self, candidates: Candidates, judge: MakeJudge, names: list[str]) -> Selected:
        search = self._greedy if self.search == "greedy" else self._prefix
        features, path = search(candidates, judge(self.criterion), names)
        loss = [step.loss for step in path if step.accepted][-1]
        return Selected(features, [[] for _ in names], path, loss)

    def _greedy(
        self, candidates: Candidates, judge: Judge, names: list[str]
    ) -> tuple[list[int], SelectionPath]:
        path = SelectionPath()
        features: list[int] = []
        left = sorted(candidates.order)
        added = Trial()
        while left:
            each = [Trial([Term(i, ())], stays=False) for i in left]
            loss, *losses = [float(of_track[0]) for of_track in judge.losses_of([added, *each])]
            if not path:
                path.append(start(0, 0, loss))
            best = first_best(np.array(losses))
            tried = losses[best]
            accepted = is_better(tried, loss) or (bool(self.accept_ties) and not is_better(loss, tried))
            step = self._step(candidates, left[best], len(path), tried, names)
            path.append(replace(step, n_features=len(features) + 1, accepted=accepted))
            if not accepted:
                break
            features.append(left.pop(best))
            added = Trial([Term(features[-1], ())])
        return features, path

    def _prefix(
        self, candidates: Candidates, judge: Judge, names: list[str]
    ) -> tuple[list[int], SelectionPath]:
        added = [Trial([Term(feature, ())]) for feature in candidates.order]
        of_start, *of_prefixes = [float(of_track[0]) for of_track in judge.losses_of([Trial(), *added])]
        path = SelectionPath([start(0, 0, of_start)])
        for size, (feature, loss) in enumerate(zip(candidates.order, of_prefixes, strict=True), 1):
            step = self._step(candidates, feature, size, loss, names)
            path.append(replace(step, kind="prefix", k=0))
        losses = np.array([step.loss for step in path])
        best = first_best(losses)
        if self.accept_ties:
            best = len(losses) - 1 - first_best(losses[::-1])
        path[best] = replace(path[best], accepted=True)
        return candidates.order[:best], path

    @staticmethod
    def _step(
        candidates: Candidates, feature: int, step: int, loss: float, names: list[str]
    ) -> SelectionStep:
        information = float(candidates.relevance[feature])
        return SelectionStep(
            step, "feature", (names[feature],), (), information, None, step, 0, None, loss, False
        )
