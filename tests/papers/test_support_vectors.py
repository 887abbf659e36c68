"""The search over kernels computed once finds what scikit-learn's search finds."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from seminaive.papers.support_vectors import CS, GAMMAS, GridSearchSVC


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_same_as_a_plain_grid_search(n_classes):
    rng = np.random.default_rng(n_classes)
    X = rng.integers(0, 2, (60, 8)).astype(float)
    y = (X[:, :3].sum(axis=1) + rng.integers(0, 2, 60)).astype(int) % n_classes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ours = GridSearchSVC().fit(X, y)
        theirs = GridSearchCV(SVC(max_iter=20_000), {"C": CS, "gamma": GAMMAS}, cv=5).fit(X, y)
    assert {"C": ours.C_, "gamma": ours.gamma_} == theirs.best_params_
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    assert np.array_equal(ours.decision_function(X), theirs.decision_function(X))
    assert ours.classes_.tolist() == list(range(n_classes))
