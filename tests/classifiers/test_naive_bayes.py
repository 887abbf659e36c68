"""Naive Bayes, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from seminaive import NaiveBayes

# three rows of class 0, two of class 1
X = np.array([["a", "s"], ["a", "s"], ["b", "t"], ["b", "t"], ["a", "t"]])
Y = [0, 0, 0, 1, 1]
ROW = [["a", "t"]]


def joint(**options):
    """P(x, y) of the row."""
    return np.exp(NaiveBayes(**options).fit(X, Y).joint_log_likelihood(ROW))[0].tolist()


def test_m_estimate():
    # P(y) P(a | y) P(t | y), with half an imaginary row a value
    assert joint() == pytest.approx([3.5 / 6 * 2.5 / 4 * 1.5 / 4, 2.5 / 6 * 1.5 / 3 * 2.5 / 3])


def test_laplace():
    assert joint(smoothing="laplace") == pytest.approx([4 / 7 * 3 / 5 * 2 / 5, 3 / 7 * 2 / 4 * 3 / 4])


def test_plain_frequencies():
    expected = [3 / 5 * 2 / 3 * 1 / 3, 2 / 5 * 1 / 2 * 2 / 2]
    assert joint(smoothing_strength=0) == pytest.approx(expected)


def test_priors():
    likelihood = np.array([2.5 / 4 * 1.5 / 4, 1.5 / 3 * 2.5 / 3])
    assert joint(class_prior="empirical") == pytest.approx(likelihood * [3 / 5, 2 / 5])
    assert joint(class_prior=[0.2, 0.8]) == pytest.approx(likelihood * [0.2, 0.8])
    assert joint(class_prior=[1, 4]) == pytest.approx(likelihood * [0.2, 0.8])


def test_posterior():
    expected = np.array([3.5 / 6 * 2.5 / 4 * 1.5 / 4, 2.5 / 6 * 1.5 / 3 * 2.5 / 3])
    model = NaiveBayes().fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(ROW)[0], expected / expected.sum(), rtol=1e-13)
    assert model.predict(ROW).tolist() == [1]


def test_a_missing_value_contributes_nothing():
    model = NaiveBayes().fit(X, Y)
    actual = np.exp(model.joint_log_likelihood(np.array([[None, "t"], [None, None]], dtype=object)))
    np.testing.assert_allclose(actual, [[3.5 / 6 * 1.5 / 4, 2.5 / 6 * 2.5 / 3], [3.5 / 6, 2.5 / 6]])


def test_totals_are_rows_in_which_the_attribute_is_observed():
    holes = X.astype(object)
    holes[0, 0] = None
    actual = np.exp(NaiveBayes().fit(holes, Y).joint_log_likelihood([["a", None]]))
    np.testing.assert_allclose(actual, [[3.5 / 6 * 1.5 / 3, 2.5 / 6 * 1.5 / 3]])


def test_no_attribute_has_parents():
    assert NaiveBayes().fit(X, Y).parents_ == {"x0": [], "x1": []}


def test_batches():
    model = NaiveBayes().partial_fit(X[:2], Y[:2], classes=[0, 1])
    # so far class 1 has no rows, and "b" and "t" are unknown
    np.testing.assert_allclose(np.exp(model.joint_log_likelihood([["a", "s"]])), [[2.5 / 3, 0.5 / 3]])
    model.partial_fit(X[2:], Y[2:])
    assert np.exp(model.joint_log_likelihood(ROW))[0].tolist() == pytest.approx(joint())
