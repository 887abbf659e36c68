"""Group F: underflow, zeros, normalisation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from demand import (
    DETERMINED,
    FULL,
    coloured,
    every_classifier,
    every_determined_classifier,
    every_full_classifier,
    mixed,
    no_warnings,
)

from seminaive import AODE, HNB, KDB, TAN, AnDE, AveragedNetworks, ImpossibleEvidenceWarning, NaiveBayes
from seminaive.classifiers.with_general import AveragedWithGeneralKDB


@every_full_classifier
def test_d32_hundreds_of_columns_do_not_underflow(classifier):
    n_columns = {NaiveBayes: 2000, HNB: 600, AnDE: 90}.get(classifier, 200)
    rng = np.random.default_rng(0)
    # every class has every value in every column, one of them more often
    cells = [np.repeat([y, 0, 1, 2], [14, 2, 2, 2]) for y in (0, 1)]
    X = np.vstack([rng.permuted(np.tile(column, (n_columns, 1)), axis=1).T for column in cells])
    y = np.repeat([0, 1], 20)
    model = classifier(categorical_features="all", categories={j: range(4) for j in range(n_columns)})
    if "critical_value" in model.get_params():
        model.set_params(critical_value=np.inf)  # every value shall give its factor
    if classifier is AnDE:
        model.set_params(smoothing_strength=1e-30)  # fewer columns, smaller factors
    model.fit(X, y, sample_weight=np.full(40, 1000))
    T = X.copy()
    T[:, ::2] = 3  # declared, and never seen
    joint = model.joint_log_likelihood(T)
    assert np.isfinite(joint).all()
    if not isinstance(model, AveragedWithGeneralKDB | AveragedNetworks):  # whose "joint" is a posterior
        assert joint.max() < -200  # a network for each row may know it nearly by heart
        assert np.median(joint) < -745  # exp of it is 0 in float64
    proba = model.predict_proba(T)
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert model.predict(X).tolist() == y.tolist()


@pytest.mark.filterwarnings(
    "ignore::seminaive.ImpossibleEvidenceWarning", "ignore::seminaive.UnseenValueWarning"
)
@every_classifier
@pytest.mark.parametrize(
    ("smoothing", "strength"),
    [("m-estimate", 0), ("laplace", 0), ("m-estimate", 1e-300), ("laplace", 1e-9), ("m-estimate", 1e9)],
)
def test_d33_rows_sum_to_one(classifier, smoothing, strength):
    X, y = mixed()
    T, _ = mixed(seed=3)
    T.loc[0, "job"] = "unheard of"
    T.loc[1, ["height", "visits"]] = [1e300, 10**6]
    proba = classifier(smoothing=smoothing, smoothing_strength=strength).fit(X, y).predict_proba(T)
    assert np.isfinite(proba).all()
    assert (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-12)


@every_determined_classifier
@pytest.mark.parametrize("smoothing", ["m-estimate", "laplace"])
def test_d34_no_smoothing_is_no_smoothing(classifier, smoothing):
    X = np.array([["a", "s"], ["a", "t"], ["b", "t"], ["b", "u"]], dtype=object)
    y = [0, 0, 1, 1]
    model = classifier(smoothing=smoothing, smoothing_strength=0).fit(X, y)
    with no_warnings():
        proba = model.predict_proba(X[[0, 3]])
    np.testing.assert_array_equal(proba, [[1, 0], [0, 1]])
    assert model.joint_log_likelihood(X[:1])[0, 1] == -np.inf
    np.testing.assert_array_equal(model.predict_log_proba(X[:1]), [[0, -np.inf]])


def test_d34_plain_frequencies_by_hand():
    X = np.array([["a"], ["a"], ["b"], ["b"]], dtype=object)
    model = NaiveBayes(smoothing_strength=0).fit(X, [0, 0, 0, 1])
    joint = np.exp(model.joint_log_likelihood(np.array([["a"], ["b"]], dtype=object)))
    np.testing.assert_allclose(joint, [[3 / 4 * 2 / 3, 0], [3 / 4 * 1 / 3, 1 / 4]], rtol=1e-12)


@pytest.mark.parametrize("classifier", [c for c in FULL if c in DETERMINED])
@pytest.mark.parametrize(
    ("ask", "class_prior"),
    [
        ("predict", [0.3, 0.7]),
        ("predict_proba", None),
        ("predict_log_proba", "empirical"),
        ("predict_proba", [0.3, 0.7]),
    ],
    ids=str,
)
def test_d34_all_classes_impossible_gives_the_prior_with_one_warning(classifier, ask, class_prior):
    X = np.array([["a", "s"]] * 3 + [["b", "t"]] * 2, dtype=object)
    y = [0, 0, 0, 1, 1]
    model = classifier(smoothing_strength=0, class_prior=class_prior).fit(X, y)
    impossible = np.array([["a", "t"], ["b", "s"], ["a", "s"]], dtype=object)
    with pytest.warns(ImpossibleEvidenceWarning, match="2 rows") as caught:
        answer = getattr(model, ask)(impossible)
    assert len(caught) == 1
    prior = [0.3, 0.7] if isinstance(class_prior, list) else [0.6, 0.4]
    expected = {
        "predict": [int(np.argmax(prior))] * 2 + [0],
        "predict_proba": [prior, prior, [1, 0]],
        "predict_log_proba": [np.log(prior), np.log(prior), [0, -np.inf]],
    }[ask]
    np.testing.assert_allclose(answer, expected, rtol=1e-12)


@pytest.mark.parametrize("strength", [0, 1])
@pytest.mark.parametrize("classifier", [TAN, KDB, AODE])
def test_d35_parent_values_never_seen_together(classifier, strength):
    X = pd.DataFrame({"a": list("pppqqq"), "b": list("sststt"), "c": list("uvuvuv")}, dtype=object)
    domain = {"a": list("pqr"), "b": list("stw"), "c": list("uvx")}
    model = classifier(categories=domain, smoothing_strength=strength).fit(X, [0, 1, 0, 1, 0, 1])
    grid = pd.MultiIndex.from_product(domain.values(), names=list(domain)).to_frame(index=False)
    if strength:
        with no_warnings():
            assert np.isfinite(model.joint_log_likelihood(grid)).all()
    joint = model.joint_log_likelihood(grid)
    assert not np.isnan(joint).any()
    assert (joint < np.inf).all()


def test_d35_an_unseen_parent_value_backs_off_to_the_deepest_seen_prefix():
    # "r" is declared and never seen: what remains of P(child | parent, y) is P(child | y)
    X, y = coloured(80)
    domain = {"colour": ["red", "green", "blue", "violet"]}
    model = TAN(categories=domain).fit(X, y)
    assert model.parents_["size"] == ["colour"]
    violet, nothing = X.head(1).assign(colour="violet"), X.head(1).assign(colour=None)
    difference = model.joint_log_likelihood(violet) - model.joint_log_likelihood(nothing)
    n = np.array([(y == label).sum() for label in model.classes_])
    np.testing.assert_allclose(difference[0], np.log((0 + 1 / 4) / (n + 1)), rtol=1e-9)
