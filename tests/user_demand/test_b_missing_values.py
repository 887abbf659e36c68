"""Group B: missing values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from demand import (
    DETERMINED,
    FULL,
    coloured,
    every_classifier,
    every_determined_classifier,
    m_estimate,
    mixed,
    no_warnings,
    spread,
)

from seminaive import AODE, KDB, TAN, NaiveBayes


def with_holes(X, share=0.15, seed=1):
    return X.mask(np.random.default_rng(seed).random(X.shape) < share, None)


@spread(nothing=[None, np.nan, pd.NA, pd.NaT, np.float32("nan"), np.datetime64("NaT")])
def test_d09_every_spelling_of_missing(classifier, nothing):
    X, y = coloured()
    holes, spelled = X.copy(), X.to_numpy(dtype=object, copy=True)
    rows = [3, 8, 11]
    holes.loc[rows, "size"] = None
    spelled[rows, 1] = nothing
    with no_warnings():
        model, other = classifier().fit(holes.to_numpy(), y), classifier().fit(spelled, y)
        actual = other.joint_log_likelihood(spelled)
    assert other.schema_[1].values == ("L", "M", "S")
    np.testing.assert_array_equal(actual, model.joint_log_likelihood(holes.to_numpy()))


def test_d09_counts_are_of_the_available_rows():
    X = np.array([["a", "s"], [None, "s"], ["b", None], ["a", "t"]], dtype=object)
    model = NaiveBayes().fit(X, [0, 0, 1, 1])
    joint = np.exp(model.joint_log_likelihood(np.array([["a", "s"], ["a", None], [None, "t"]], dtype=object)))
    a = [m_estimate(1, 1, 2), m_estimate(1, 2, 2)]  # class 0 has one row in which the first column is known
    s, t = [m_estimate(2, 2, 2), m_estimate(0, 1, 2)], [m_estimate(0, 2, 2), m_estimate(1, 1, 2)]
    np.testing.assert_allclose(joint, 0.5 * np.array([np.multiply(a, s), a, t]), rtol=1e-12)


@pytest.mark.parametrize("classifier", [c for c in FULL if c in DETERMINED])
def test_d10_missing_is_the_same_as_absent_in_prediction(classifier):
    # a column that is nobody's parent, left out of a row, leaves the network without that column
    X, y = coloured(90)
    X["late"] = np.random.default_rng(5).choice(["p", "q"], len(X))
    X = with_holes(X)
    model = classifier().fit(X, y)
    parents = {name for chosen in model.parents_.values() for name in chosen}
    # in AODE every column is a parent, in the estimators of its own only
    removable = list(X) if classifier is AODE else [name for name in list(X)[1:] if name not in parents]
    if not removable:
        pytest.skip("every column is the parent of another")
    for name in removable:
        rest = X.drop(columns=name)
        expected = classifier().fit(rest, y).joint_log_likelihood(rest)
        actual = model.joint_log_likelihood(X.assign(**{name: None}))
        if classifier is AODE:  # rows without any value fall back to naive Bayes in both
            known = rest.notna().any(axis=1)
            actual, expected = actual[known], expected[known]
        np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12)


@every_determined_classifier
@pytest.mark.parametrize("position", [0, 2])
@pytest.mark.parametrize("values", [[None], [np.nan]], ids=["object", "float"])
def test_d10_a_column_that_is_never_observed_is_the_same_as_absent(classifier, position, values):
    X, y = coloured()
    wider = X.copy()
    wider.insert(position, "empty", values * len(X))
    expected = classifier().fit(X, y).joint_log_likelihood(X)
    actual = classifier().fit(wider, y).joint_log_likelihood(wider)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12)


@every_classifier
def test_d10_missing_is_not_the_largest_value(classifier):
    X = np.array([["a"], ["a"], ["z"], ["z"]], dtype=object)
    model = classifier().fit(X, [0, 0, 1, 1])
    np.testing.assert_allclose(
        model.predict_proba(np.array([[None]], dtype=object)), [[0.5, 0.5]], atol=1e-12
    )
    assert model.predict_proba(X[3:])[0, 1] > 0.7


@spread(library=["pandas", "polars"])
def test_d11_missing_only_in_prediction(classifier, library):
    X, y = mixed()
    X = X.fillna({"height": 170.0, "job": "d"})
    holes = X.head(20).astype({"smoker": object})
    holes.loc[3:9, ["height", "job", "smoker"]] = None
    if library == "polars":
        X, holes = pl.from_pandas(X), pl.from_pandas(holes)
    with no_warnings():
        proba = classifier().fit(X, y).predict_proba(holes)
    assert np.isfinite(proba).all()


def test_d12_a_missing_parent_is_dropped_tan():
    X, y = coloured(40)
    model = TAN().fit(X, y)
    child = next(name for name, parents in model.parents_.items() if parents)
    parent = model.parents_[child][0]
    row = X.head(1).copy()
    row[[name for name in X if name != child]] = None
    # what is left is P(y) P(child | y)
    expected = NaiveBayes().fit(X[[child]], y).joint_log_likelihood(row[[child]])
    np.testing.assert_allclose(model.joint_log_likelihood(row), expected, rtol=0, atol=1e-12)
    assert model.predict_proba(row).max() < 1
    both = X.head(1).copy()
    both[[name for name in X if name not in (child, parent)]] = None
    assert not np.allclose(model.joint_log_likelihood(both), expected)


@pytest.mark.parametrize("missing", ["first", "second", "both"])
def test_d12_a_missing_parent_is_dropped_kdb(missing):
    X, y = coloured(200)
    model = KDB(k=2).fit(X, y)
    child, (first, second) = next(item for item in model.parents_.items() if len(item[1]) == 2)
    kept = {"first": [second], "second": [first], "both": []}[missing]
    row = X.iloc[[5]].copy()
    row[[name for name in X if name != child and name not in kept]] = None
    labels = model.classes_
    expected = np.array([m_estimate((y == label).sum(), len(y), 2) for label in labels])
    members = [name for name in (first, second) if name in kept]
    for name, parents in (
        (child, members),
        *((p, [q for q in model.parents_[p] if q in kept]) for p in members),
    ):
        same = (X[parents] == row[parents].iloc[0]).all(axis=1)
        hit = same & (X[name] == row[name].iloc[0])
        expected *= [m_estimate((hit & (y == c)).sum(), (same & (y == c)).sum(), 3) for c in labels]
    np.testing.assert_allclose(np.exp(model.joint_log_likelihood(row))[0], expected, rtol=1e-12)


@every_classifier
def test_d13_missing_as_a_value_of_its_own(classifier):
    X, y = coloured()
    X.loc[(y == "yes") & (np.arange(len(X)) % 3 == 0), "size"] = None  # missing tells the class
    expected = classifier().fit(X.fillna("nothing"), y)
    model = classifier(missing="value").fit(X, y)
    assert model.schema_.n_values.tolist() == [3, 4, 3]
    np.testing.assert_allclose(
        model.predict_proba(X), expected.predict_proba(X.fillna("nothing")), rtol=0, atol=1e-12
    )
    assert classifier().fit(X, y).schema_.n_values.tolist() == [3, 3, 3]  # off by default


@every_classifier
def test_d13_only_where_it_occurs_in_training(classifier):
    X, y = coloured()
    row = X.head(1).assign(shape=None)
    actual = classifier(missing="value").fit(X, y)
    assert actual.schema_.n_values.tolist() == [3, 3, 3]
    np.testing.assert_array_equal(
        actual.joint_log_likelihood(row), classifier().fit(X, y).joint_log_likelihood(row)
    )


@every_classifier
@pytest.mark.parametrize("class_prior", [None, "empirical", [0.9, 0.1]], ids=str)
def test_d14_a_row_without_values_gets_the_prior(classifier, class_prior):
    X, y = coloured(61)
    X = with_holes(X)
    n = np.array([(y == "no").sum(), (y == "yes").sum()])
    expected = {None: (n + 0.5) / (n.sum() + 1), "empirical": n / n.sum()}.get(
        class_prior if class_prior in (None, "empirical") else "", class_prior
    )
    nothing = pd.DataFrame({name: [None, None] for name in X}, dtype=object)
    model = classifier(class_prior=class_prior).fit(X, y)
    with no_warnings():
        np.testing.assert_allclose(model.predict_proba(nothing), [expected, expected], rtol=0, atol=1e-12)


@every_classifier
def test_d14_a_batch_with_holes_everywhere(classifier):
    X, y = mixed()
    holes = X.astype(object).mask(np.random.default_rng(2).random(X.shape) < 0.6, None)
    with no_warnings():
        proba = classifier().fit(X, y).predict_proba(holes)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-12)
