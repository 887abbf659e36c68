"""Classifiers with one network for all rows, smoothed level by level."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_tables import cases, examples
from sklearn.base import clone
from sklearn.metrics import log_loss
from test_naive_twins import fitted

from repeatable import repeatable
from seminaive import KDB, TAN, AnDE, Counts, LocalKDB, NaiveBayes, all_classifiers, from_table, load
from seminaive.classifiers.base import BayesianNetworkClassifier
from seminaive.testing import checks
from seminaive.testing import naive_averaged as naive

pytestmark = pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")

MODELS = {"NaiveBayes": NaiveBayes, "TAN": TAN, **{f"KDB{k}": partial(KDB, k) for k in range(4)}}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=list(MODELS))
HIERARCHICAL = ["NaiveBayes", "TAN", "KDB"]
N = 300


def table(n_rows=N, seed=0):
    """Text and numbers with gaps; the class depends on three columns together."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.integers(3, size=(3, n_rows))
    y = np.where(rng.random(n_rows) < 0.8, (a + b * c) % 3, rng.integers(3, size=n_rows))
    X = pd.DataFrame(
        {
            "a": np.array(["p", "q", "r"], dtype=object)[a],
            "b": np.array(["s", "t", "u"], dtype=object)[b],
            "c": np.array(["v", "w", "x"], dtype=object)[c],
            "number": y + rng.normal(size=n_rows),
        }
    )
    for name in X:
        X.loc[rng.random(n_rows) < 0.1, name] = None
    return X, np.array(["go", "stay", "wait"])[y]


def twin_joint(model, codes, labels, weights, row):
    """Joint probability of every class: of the structure and concentrations of a model, from the rows."""
    n_values, n_classes = model.schema_.n_values.tolist(), len(model.classes_)
    joint = naive.log_prior(labels, weights, n_classes)
    for child, parents in model._parents_by_position.items():
        concentrations = model._network.smoothing[child].concentrations
        found, _ = naive.estimates(
            row, codes, labels, weights, n_values, n_classes, child, parents, concentrations
        )
        joint += np.log(found[-1])
    return joint


@every_model
@pytest.mark.parametrize("layout", ["dense", "sparse"])
@examples(12)
@given(case=cases(weights="integer"), source=st.sampled_from(["array", "frame"]))
def test_equals_the_twin(make, layout, case, source):
    model, X_test, _ = fitted(make(smoothing="hierarchical"), case, source, layout)
    X = case.frame(case.X) if source == "frame" else case.X
    codes, labels = model._codes(X), np.searchsorted(model.classes_, case.y)
    rows = np.flatnonzero(case.weights)
    parts = codes[:, rows], labels[rows], case.weights[rows]
    expected = [twin_joint(model, *parts, row) for row in model._codes(X_test).T]
    np.testing.assert_allclose(model.joint_log_likelihood(X_test), expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("missing", ["ignore", "value"])
def test_concentrations_are_those_of_the_twin(missing):
    X, y = table(60)
    model = KDB(k=3, smoothing="hierarchical", missing=missing).fit(X, y)
    codes, labels = model._codes(X), np.searchsorted(model.classes_, y)
    for child, parents in model._parents_by_position.items():
        expected = naive.choose_concentrations(
            codes, labels, np.ones(60), model.schema_.n_values, 3, child, parents
        )
        assert list(model._network.smoothing[child].concentrations) == expected


# --- who has it


@pytest.mark.parametrize("name", list(all_classifiers()))
def test_others_refuse_and_say_who_can(name):
    X, y = table(40)
    model = repeatable(name)(smoothing="hierarchical")
    if name in HIERARCHICAL:
        assert model.fit(X, y).predict_proba(X).shape == (40, 3)
        return
    message = f"{name} has no smoothing='hierarchical'.*NaiveBayes, TAN and KDB"
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)
    with pytest.raises(ValueError, match=message):
        model.fit_counts(Counts.of(X, y))
    with pytest.raises(ValueError, match=message):
        model.fit_source(from_table(X.assign(y=y), target="y"))
    assert not hasattr(model, "classes_")


def test_what_slips_by_raises_in_the_end():
    """A classifier that forgets to refuse cannot take the rule for another one."""
    X, y = table(40)
    for make in (AnDE, LocalKDB):

        class Forgetful(make):
            _smooths_levels = True

        with pytest.raises(ValueError, match=r"a single table has none"):
            Forgetful(smoothing="hierarchical").fit(X, y).predict(X)
    assert not BayesianNetworkClassifier._smooths_levels


def test_a_smoothing_that_does_not_exist():
    message = re.escape("'m-estimate' or 'laplace', or with NaiveBayes, TAN and KDB 'hierarchical'")
    with pytest.raises(ValueError, match=message):
        KDB(smoothing="levels").fit(*table(40))


@every_model
def test_strength_has_no_effect(make):
    X, y = table()
    expected, actual = (
        make(smoothing="hierarchical", smoothing_strength=strength).fit(X, y).joint_log_likelihood(X)
        for strength in (1.0, 0.0)
    )
    np.testing.assert_array_equal(actual, expected)


def test_class_prior_is_the_usual_one():
    X, y = table(40)
    nothing = X.iloc[:1].map(lambda _: None)
    for prior in (None, "empirical", [0.2, 0.3, 0.5]):
        model = TAN(smoothing="hierarchical", class_prior=prior).fit(X, y)
        expected = TAN(class_prior=prior).fit(X, y).predict_proba(nothing)
        np.testing.assert_array_equal(model.predict_proba(nothing), expected)


# --- the same from wherever the rows come


@every_model
def test_rows_in_any_order_copies_threads_and_blocks(make):
    X, y = table()
    model = make(smoothing="hierarchical")
    rng = np.random.default_rng(3)
    X_test = table(50, seed=9)[0]
    arrays = X[["a", "b", "c"]].to_numpy(), y, X_test[["a", "b", "c"]].to_numpy()
    checks.check_row_order(model, *arrays, rng.permutation(N))
    checks.check_weights_are_copies(model, *arrays, rng.integers(0, 4, N))
    expected = model.fit(X, y).joint_log_likelihood(X_test)
    actual = clone(model).set_params(n_jobs=2).fit(X, y).joint_log_likelihood(X_test)
    np.testing.assert_array_equal(actual, expected)


@every_model
def test_counts_files_and_sources_give_the_same_bits(make, tmp_path):
    X, y = table()
    X_test = table(50, seed=9)[0]
    model = make(smoothing="hierarchical").fit(X, y)
    expected = model.joint_log_likelihood(X_test)
    model.save(tmp_path / "model")
    families = model.families(Counts.of(X, y))
    first = Counts.of(X, y, families=families)
    parts = slice(100), slice(100, N)
    halves = [Counts.of(X[part], y[part], families=families, like=first) for part in parts]
    others = [
        load(tmp_path / "model"),
        make(smoothing="hierarchical").fit_counts(first),
        make(smoothing="hierarchical").fit_counts(halves[0] + halves[1]),
        make(smoothing="hierarchical").fit_source(from_table(X.assign(y=y), target="y")),
    ]
    for other in others:
        np.testing.assert_array_equal(other.joint_log_likelihood(X_test), expected)


def test_batches_give_the_same():
    X, y = table()
    X = X.drop(columns="number")
    model = NaiveBayes(smoothing="hierarchical").partial_fit(X[:100], y[:100], classes=np.unique(y))
    model.partial_fit(X[100:], y[100:])
    expected = NaiveBayes(smoothing="hierarchical").fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))


# --- explanations


@every_model
@pytest.mark.parametrize("missing", ["ignore", "value"])
def test_contributions_add_up(make, missing):
    X, y = table()
    X_test = table(30, seed=9)[0]
    model = make(smoothing="hierarchical", missing=missing).fit(X, y)
    log_proba = model.predict_log_proba(X_test)
    for explanation, row in zip(model.explain(X_test, classes=["go", "stay"]), log_proba, strict=True):
        terms = explanation.to_dict()
        assert explanation.log_odds == pytest.approx(row[0] - row[1], abs=1e-10), terms


def test_parents_after_one_that_is_not_observed_are_not_used():
    X, y = table()
    row = pd.DataFrame({"a": ["p"], "b": ["s"], "c": ["v"], "number": [0.5]})
    for smoothing, without in (("hierarchical", [False, False]), ("m-estimate", [False, True])):
        model = KDB(k=2, smoothing=smoothing).fit(X, y)
        child, parents = next((child, chosen) for child, chosen in model.parents_.items() if len(chosen) == 2)
        for case, expected in ((row, [True, True]), (row.assign(**{parents[0]: None}), without)):
            (explanation,) = model.explain(case)
            (factor,) = [f for f in explanation.members[0].factors if f.attribute == child]
            assert [parent.used for parent in factor.parents] == expected


# --- what it is for


def test_helps_where_combinations_are_rare():
    X, y = table(1000, seed=1)
    X_test, y_test = table(1000, seed=2)
    models = [
        KDB(k=3, smoothing=smoothing).fit(X[:150], y[:150]) for smoothing in ("hierarchical", "m-estimate")
    ]
    hierarchical, usual = (log_loss(y_test, model.predict_proba(X_test)) for model in models)
    assert hierarchical < usual
