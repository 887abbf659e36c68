"""Group A: unseen categories and undeclared states."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from demand import (
    ASK,
    KINDS,
    coloured,
    every_classifier,
    every_determined_classifier,
    every_kind,
    m_estimate,
    mixed,
    no_warnings,
    spread,
)

from seminaive import ImpossibleEvidenceWarning, NaiveBayes, UnseenValueWarning


@every_classifier
def test_d01_an_unseen_value_is_left_out(classifier):
    X, y = coloured()
    model = classifier().fit(X, y)
    strange, missing = X.head(4).copy(), X.head(4).copy()
    strange.loc[[0, 2], "colour"] = "purple"
    strange.loc[2, "shape"] = "wavy"
    missing.loc[[0, 2], "colour"] = None
    missing.loc[2, "shape"] = None
    with pytest.warns(UnseenValueWarning):
        actual = model.joint_log_likelihood(strange)
    np.testing.assert_array_equal(actual, model.joint_log_likelihood(missing))


@spread(ask=ASK)
def test_d01_one_warning_per_column_and_call(classifier, ask):
    X, y = coloured()
    model = classifier().fit(X, y)
    strange = X.head(30).assign(colour="purple", shape=["wavy", "bent"] * 15)
    for _ in range(2):  # each call warns anew
        with pytest.warns(UnseenValueWarning) as caught:
            getattr(model, ask)(strange)
        about = [str(warning.message) for warning in caught]
        assert len(about) == 2
        assert "'colour'" in about[0]
        assert "'purple'" in about[0]
        assert "'shape'" in about[1]
        assert "'wavy'" in about[1]
        assert "'bent'" in about[1]


@every_classifier
def test_d01_no_warning_without_unseen_values(classifier):
    X, y = coloured()
    with no_warnings():
        model = classifier().fit(X, y)
        model.predict(X)
        model.predict(X.head(1).assign(colour=None))


@spread(ask=ASK)
def test_d01_unseen_error_names_column_and_value(classifier, ask):
    X, y = coloured()
    model = classifier(unseen="error").fit(X, y)
    with pytest.raises(ValueError, match=r"'size'.*'XXL'"):
        getattr(model, ask)(X.head(3).assign(size=["S", "XXL", "M"]))
    with no_warnings():
        getattr(model, ask)(X.head(3).assign(size=["S", None, "M"]))  # missing is not unseen


@every_classifier
def test_d01_after_a_random_split(classifier):
    rng = np.random.default_rng(1)
    X = rng.integers(40, size=(80, 3))  # most codes of the test half are absent from the training half
    y = rng.integers(2, size=80)
    model = classifier(categorical_features="all").fit(X[:40], y[:40])
    with pytest.warns(UnseenValueWarning):
        proba = model.predict_proba(X[40:])
    assert np.isfinite(proba).all()
    with pytest.warns(UnseenValueWarning), np.errstate(all="raise"):
        far = model.predict_proba(np.array([[-1, 10**9, 41], [2**62, -(2**62), 0]]))
    assert np.isfinite(far).all()


@every_classifier
def test_d02_declared_categories_are_optional(classifier):
    X, y = coloured()
    domain = {name: sorted(set(X[name])) for name in X}
    expected = classifier().fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(classifier(categories=domain).fit(X, y).predict_proba(X), expected)
    some = classifier(categories={"size": [*domain["size"], "XXL"]}).fit(X, y)
    with no_warnings():
        some.predict(X.head(1).assign(size="XXL"))
    with pytest.warns(UnseenValueWarning, match="'S0'"):
        some.predict(X.head(1).assign(size="S0"))


@every_classifier
def test_d03_errors_carry_variable_value_and_known_values(classifier):
    X, y = coloured()
    model = classifier(unseen="error").fit(X, y)
    with pytest.raises(ValueError, match=r"'colour'.*'purple'.*'blue', 'green', 'red'"):
        model.predict(X.head(1).assign(colour="purple"))
    with pytest.raises(ValueError, match=r"'colour'.*'green'.*'red', 'blue'"):
        classifier(categories={"colour": ["red", "blue"]}).fit(X, y)


@every_determined_classifier
@pytest.mark.parametrize("strength", [0, 1])
def test_d04_values_without_rows_are_legal_everywhere(classifier, strength):
    X, y = coloured()
    domain = {name: [*sorted(set(X[name])), "never"] for name in X}
    model = classifier(categories=domain, smoothing_strength=strength).fit(X, y)
    assert model.schema_.n_values.tolist() == [4, 4, 4]
    with no_warnings():
        assert np.isfinite(model.predict_proba(X)).all()
    strange = X.head(6).copy()
    for row, columns in enumerate(
        [["colour"], ["size"], ["shape"], ["colour", "size"], ["size", "shape"], list(X)]
    ):
        strange.loc[row, columns] = "never"
    if strength == 0:
        with pytest.warns(ImpossibleEvidenceWarning):
            proba = model.predict_proba(strange)
    else:
        with no_warnings():
            proba = model.predict_proba(strange)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-12)


@every_classifier
def test_d05_rows_of_training_have_probabilities(classifier):
    X = np.array([["a", "s"], ["a", "t"], ["b", "s"], ["c", "t"]], dtype=object)  # class 1 never saw "a"
    proba = classifier().fit(X, [0, 0, 1, 1]).predict_proba(X)
    assert np.isfinite(proba).all()
    assert (proba > 0).all()


def test_d05_smoothing_is_over_the_whole_domain():
    X = np.array([["a"], ["a"], ["b"], ["c"]], dtype=object)
    model = NaiveBayes().fit(X, [0, 0, 1, 1])
    joint = np.exp(model.joint_log_likelihood(X[:1]))[0]
    # three values for either class, although class 0 saw one and class 1 two of them
    expected = [0.5 * m_estimate(2, 2, 3), 0.5 * m_estimate(0, 2, 3)]
    np.testing.assert_allclose(joint, expected, rtol=1e-12)


@every_classifier
def test_d06_numbers_between_and_beyond_the_seen_ones(classifier):
    hours = np.array([5, 10, 13] * 10).reshape(-1, 1)
    y = np.tile([0, 1, 1], 10)
    model = classifier(unseen="error").fit(np.hstack([hours, hours]), y)
    with no_warnings():
        asked = np.array([[6, 6], [0, 0], [12, 12], [10**9, 10**9]])
        assert model.predict(asked).tolist() == [0, 0, 1, 1]


@spread(kind=KINDS)
def test_d07_one_policy_for_every_kind_of_table(classifier, kind):
    X, y = coloured()
    X.loc[[3, 7], "colour"] = None
    X.loc[7, "size"] = None
    T = X.head(20).copy()
    T.loc[[1, 7], "shape"] = "wavy"
    T.loc[5] = None
    expected_model = classifier().fit(X, y)
    with pytest.warns(UnseenValueWarning, match="'wavy'") as expected_warnings:
        expected = expected_model.joint_log_likelihood(T)
    model = classifier().fit(every_kind(X)[kind], y)
    with pytest.warns(UnseenValueWarning, match="'wavy'") as caught:
        actual = model.joint_log_likelihood(every_kind(T)[kind])
    np.testing.assert_array_equal(actual, expected)
    assert len(caught) == len(expected_warnings) == 1
    strict = classifier(unseen="error").fit(every_kind(X)[kind], y)
    with pytest.raises(ValueError, match="'wavy'"):
        strict.predict(every_kind(T)[kind])


@every_classifier
@pytest.mark.parametrize("limit", [None, 4_000_000], ids=["dense", "sparse"])
def test_d08_predicting_changes_nothing(classifier, limit):
    rng = np.random.default_rng(0)
    X = rng.integers(300, size=(300, 4)).astype(object) if limit else mixed()[0]
    y = rng.integers(3, size=len(X))
    model = classifier(memory_limit=limit).fit(X, y)
    before = pickle.dumps(model)
    asked = pd.DataFrame(X).head(50).astype(object)
    asked.iloc[0, 1] = "never seen" if limit is None else 301
    asked.iloc[1, 1] = None
    asked.iloc[2, :] = None
    for ask in ASK:
        with pytest.warns(UnseenValueWarning):
            getattr(model, ask)(asked.to_numpy() if limit else asked)
    assert pickle.dumps(model) == before
