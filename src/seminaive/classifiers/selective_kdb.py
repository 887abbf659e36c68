"""k-dependence Bayesian classifier that chooses its features and k."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from seminaive.classifiers.options import Options
from seminaive.classifiers.selective import Candidates, MakeJudge, Selected, SelectiveClassifier, start
from seminaive.data.checks import check_number_of_parents, check_option
from seminaive.learn.selection import CRITERIA, SelectionPath, SelectionStep, Term, Trial, is_better

__all__ = ["SelectiveKDB"]


class SelectiveKDB(SelectiveClassifier):
    r"""Selective KDB (Martinez, Webb, Chen and Zaidi 2016): the best prefix of features and the best k.

    Features are ordered by mutual information with the class and get up to ``max_k`` parents as in `KDB`.
    One further pass over the rows judges every prefix of the order, with the first 0, 1, ..., ``max_k``
    parents of each feature, by exact leave-one-out; the best combination is kept.

    Parameters
    ----------
    max_k : int, default=5
        Most parents of a feature beside the class.
    criterion : {"rmse", "zero_one", "log_loss"}, default="rmse"
        The leave-one-out loss; rmse is that of the true class's probability.
    %(options)s

    Attributes
    ----------
    k_ : int
        Parents of a feature that were chosen.
    n_features_selected_ : int
        Features that were chosen.
    %(selection)s
    %(attributes)s

    See Also
    --------
    AdaptiveKDB : Removes single dependencies.
    KDB : All features, k as given.

    Notes
    -----
    Takes O(N n^2 + N n K max_k). Ties go to fewer features, then to fewer parents. A row that is left out
    backs off where it was the only one with its parents' values; the original program backs off also where
    it was the only one with its own value beside them.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from seminaive import SelectiveKDB
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = SelectiveKDB(max_k=2).fit(X, y)
    >>> model.k_, model.n_features_selected_
    (2, 22)
    """

    def __init__(self, max_k: int = 5, *, criterion: str = "rmse", **options: Unpack[Options]) -> None:
        super().__init__(**options)
        self.max_k = max_k
        self.criterion = criterion

    def _check_parameters(self) -> None:
        check_number_of_parents(self.max_k, "max_k")
        check_option("criterion", self.criterion, CRITERIA)

    def _most_parents(self) -> int:
        return int(self.max_k)

    def _choose(self, candidates: Candidates, judge: MakeJudge, names: list[str]) -> Selected:
        most = max(0, min(self._most_parents(), len(names) - 1))
        every_k = range(most + 1)
        added = [Trial([Term(feature, tuple(candidates.parents[feature]))]) for feature in candidates.order]
        of_start, *losses = judge(self.criterion, every_k).losses_of([Trial(), *added])
        path = SelectionPath([start(0, 0, float(of_start[0]), k=0)])
        n_dependencies = [0] * len(every_k)
        best = 0
        for size, feature in enumerate(candidates.order, 1):
            for k, loss in zip(every_k, losses[size - 1].tolist(), strict=True):
                n_dependencies[k] += min(k, len(candidates.parents[feature]))
                path.append(
                    SelectionStep(
                        len(path),
                        "prefix",
                        (names[feature],),
                        (),
                        float(candidates.relevance[feature]),
                        None,
                        size,
                        n_dependencies[k],
                        k,
                        loss,
                        False,
                    )
                )
                if is_better(loss, path[best].loss):
                    best = len(path) - 1
        chosen = path[best] = replace(path[best], accepted=True)
        features, k = candidates.order[: chosen.n_features], chosen.k or 0
        parents_of = [chosen[:k] if i in features else [] for i, chosen in enumerate(candidates.parents)]
        further = {"k_": k, "n_features_selected_": len(features)}
        return Selected(features, parents_of, path, chosen.loss, further)
