"""NaiveBayes with plain class frequencies is scikit-learn's CategoricalNB, to 1e-12."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB

from seminaive import NaiveBayes

SHAPES = [(1, 1, 2, 2), (40, 3, 2, 2), (200, 8, 5, 3), (1000, 30, 3, 10), (5000, 4, 40, 26)]


def table(
    n_rows: int, n_attributes: int, n_values: int, n_classes: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training codes in which every attribute depends on the class, classes, and test codes."""
    rng = np.random.default_rng(n_rows)
    y = rng.permutation(np.arange(n_rows) % n_classes)
    X = rng.integers(n_values, size=(n_rows, n_attributes)) + y[:, None] * (rng.random(n_rows) < 0.5)[:, None]
    return X % n_values, y, rng.integers(n_values, size=(100, n_attributes))


def models(n_attributes: int, n_values: int, alpha: float, **prior: Any) -> tuple[NaiveBayes, CategoricalNB]:
    """Both classifiers with the same declared values."""
    ours = NaiveBayes(
        smoothing="laplace",
        smoothing_strength=alpha,
        class_prior=prior.get("class_prior", "empirical"),
        categorical_features="all",
        categories={f"x{i}": list(range(n_values)) for i in range(n_attributes)},
    )
    return ours, CategoricalNB(alpha=alpha, min_categories=n_values, **prior)


def assert_equal(ours: NaiveBayes, theirs: CategoricalNB, X: np.ndarray) -> None:
    expected = theirs.predict_joint_log_proba(X)
    # relative, because a joint log-likelihood of many attributes is a large number
    np.testing.assert_allclose(ours.joint_log_likelihood(X), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-12, atol=1e-12)
    # classes with the same counts tie, and there the last bit of the two sums decides
    best = np.sort(theirs.predict_log_proba(X), axis=1)[:, -2:]
    clear = np.diff(best, axis=1).ravel() > 1e-9 if best.shape[1] == 2 else slice(None)
    np.testing.assert_array_equal(ours.predict(X[clear]), theirs.predict(X[clear]))
    np.testing.assert_array_equal(ours.class_count_, theirs.class_count_)


@pytest.mark.parametrize("alpha", [1.0, 0.5, 10.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_equals_categorical_nb(shape: tuple[int, int, int, int], alpha: float) -> None:
    X, y, X_test = table(*shape)
    ours, theirs = models(X.shape[1], shape[2], alpha)
    assert_equal(ours.fit(X, y), theirs.fit(X, y), X_test)


@pytest.mark.parametrize("shape", SHAPES[1:])
def test_equals_categorical_nb_with_undeclared_values(shape: tuple[int, int, int, int]) -> None:
    """Where every value occurs in training, nothing has to be declared on either side."""
    X, y, _ = table(*shape)
    X[: shape[2]] = np.arange(shape[2])[:, None]
    ours = NaiveBayes(smoothing="laplace", class_prior="empirical", categorical_features="all")
    assert_equal(ours.fit(X, y), CategoricalNB().fit(X, y), X)


@pytest.mark.parametrize("shape", SHAPES[1:])
@pytest.mark.parametrize("whole", [True, False], ids=["whole weights", "fractional weights"])
def test_equals_categorical_nb_with_sample_weights(shape: tuple[int, int, int, int], whole: bool) -> None:
    X, y, X_test = table(*shape)
    rng = np.random.default_rng(7)
    weights = rng.integers(1, 5, len(y)).astype(float) if whole else rng.uniform(0.1, 3, len(y))
    ours, theirs = models(X.shape[1], shape[2], 1.0)
    ours.fit(X, y, sample_weight=weights)
    theirs.fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(ours.class_count_, theirs.class_count_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X_test), theirs.predict_proba(X_test), rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        ours.joint_log_likelihood(X_test), theirs.predict_joint_log_proba(X_test), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_equals_categorical_nb_without_fitted_prior(shape: tuple[int, int, int, int]) -> None:
    X, y, X_test = table(*shape)
    n_classes = len(np.unique(y))
    ours, _ = models(X.shape[1], shape[2], 1.0, class_prior=np.full(n_classes, 1 / n_classes))
    _, theirs = models(X.shape[1], shape[2], 1.0, fit_prior=False)
    assert_equal(ours.fit(X, y), theirs.fit(X, y), X_test)


@pytest.mark.parametrize("shape", SHAPES[1:])
def test_equals_categorical_nb_with_given_prior(shape: tuple[int, int, int, int]) -> None:
    X, y, X_test = table(*shape)
    prior = np.random.default_rng(3).dirichlet(np.ones(shape[3]))
    ours, theirs = models(X.shape[1], shape[2], 1.0, class_prior=prior)
    assert_equal(ours.fit(X, y), theirs.fit(X, y), X_test)


def test_equals_categorical_nb_in_batches() -> None:
    X, y, X_test = table(600, 6, 4, 3)
    ours, theirs = models(6, 4, 1.0)
    for batch in (slice(0, 200), slice(200, 250), slice(250, 600)):
        ours.partial_fit(X[batch], y[batch], classes=[0, 1, 2])
        theirs.partial_fit(X[batch], y[batch], classes=[0, 1, 2])
    assert_equal(ours, theirs, X_test)
