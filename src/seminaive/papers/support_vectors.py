"""Support vectors with a grid of C and gamma: scikit-learn's, each kernel matrix computed once."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

__all__ = ["GridSearchSVC"]

CS = [2.0**exponent for exponent in range(-5, 16, 2)]
GAMMAS = [2.0**exponent for exponent in range(-15, 4, 2)]


class GridSearchSVC(ClassifierMixin, BaseEstimator):
    """The C and gamma of least zero-one loss in five-fold cross-validation.

    What ``GridSearchCV(SVC(), {"C": ..., "gamma": ...}, cv=5)`` finds, without computing the same kernel for
    every C and fold; ties go to the smaller C, then to the smaller gamma.

    Parameters
    ----------
    max_iter : int, default=20000
        Steps of the solver. A large C on noisy rows would go on for hours, and loses as it is.
    """

    def __init__(self, max_iter: int = 20_000) -> None:
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any) -> GridSearchSVC:
        """Search, then fit the best on all rows."""
        scores = np.zeros((len(CS), len(GAMMAS)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a class with fewer rows than folds is no harm
            folds = list(StratifiedKFold(5).split(X, y))
        for train, test in folds:
            for column, gamma in enumerate(GAMMAS):
                inner = rbf_kernel(X[train], gamma=gamma)
                outer = rbf_kernel(X[test], X[train], gamma=gamma)
                for row, C in enumerate(CS):
                    svc = SVC(C=C, kernel="precomputed", max_iter=self.max_iter).fit(inner, y[train])
                    scores[row, column] += svc.score(outer, y[test])
        best = int(scores.argmax())
        self.C_, self.gamma_ = CS[best // len(GAMMAS)], GAMMAS[best % len(GAMMAS)]
        self.svc_ = SVC(C=self.C_, gamma=self.gamma_, max_iter=self.max_iter).fit(X, y)
        self.classes_ = self.svc_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Classes."""
        return self.svc_.predict(X)

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes."""
        return self.svc_.decision_function(X)
