"""What must hold for every classifier, on small random tables."""

from __future__ import annotations

import inspect
import itertools
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_tables import cases, examples, smoothings
from sklearn.base import clone

from repeatable import repeatable
from seminaive import (
    AODE,
    KDB,
    TAN,
    AnDE,
    AveragedNetworks,
    NaiveBayes,
    OptimizedKDB,
    all_classifiers,
    parallel,
)
from seminaive.classifiers import base
from seminaive.classifiers.selective import SelectiveClassifier
from seminaive.counts.plan import CountPlan
from seminaive.data import integers
from seminaive.testing import checks, naive

pytestmark = pytest.mark.filterwarnings(
    "ignore::seminaive.UnseenValueWarning", "ignore::seminaive.ImpossibleEvidenceWarning"
)

EVERY = [
    *[repeatable(name)() for name in all_classifiers()],
    KDB(k=1, smoothing="laplace"),
    KDB(k=2, smoothing="hierarchical"),
    AODE(conditional="ratio", frequency_limit=3),
    AODE(subsumption_resolution=True, critical_value=3),
]
INCREMENTAL = [classifier for classifier in EVERY if hasattr(classifier, "partial_fit")]


def name(classifier):
    """Class and changed parameters, short enough for a test's name."""
    return repr(classifier).replace("\n", "").replace(" ", "")


FEW, MORE = examples(12), examples(30)

every_classifier = pytest.mark.parametrize("classifier", EVERY, ids=name)


def leaves_rows_out(classifier):
    """Whether fitting judges by leave-one-out."""
    return isinstance(classifier, SelectiveClassifier | OptimizedKDB | AveragedNetworks)


# another name may come with another draw
without_draws = pytest.mark.parametrize(
    "classifier", [c for c in EVERY if "random_state" not in c.get_params()], ids=name
)


def same(actual, desired):
    """Equal up to rounding, infinities included."""
    np.testing.assert_allclose(actual, desired, rtol=0, atol=1e-9)


def test_there_is_something_to_test():
    assert {"NaiveBayes", "TAN", "KDB", "AODE"} <= set(all_classifiers())
    assert {type(classifier) for classifier in INCREMENTAL} >= {NaiveBayes, AODE}


# --- probabilities


@every_classifier
@FEW
@given(case=cases(), smoothing=smoothings())
def test_probabilities(classifier, case, smoothing):
    checks.check_probabilities(
        clone(classifier).set_params(**smoothing), case.X, case.y, case.X_test, sample_weight=case.weights
    )


@pytest.mark.parametrize("classifier", EVERY[: len(all_classifiers())], ids=name)
@pytest.mark.parametrize("smoothing_strength", [1.0, 0.0])
def test_many_attributes_do_not_underflow(classifier, smoothing_strength):
    """D32."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = (rng.random((40, 800)) < 0.3 + 0.4 * y[:, None]).astype(int)
    model = clone(classifier).set_params(categorical_features="all", smoothing_strength=smoothing_strength)
    if "redundancy_ratio" in model.get_params():
        model.set_params(redundancy_ratio=0.1)  # its choice on 800 columns takes a minute
    if isinstance(model, AnDE):
        X = X[:, :60]  # of 800 columns there are 85 million triples; test_ande.py has rows that underflow
    proba = model.fit(X, y).predict_proba(X)
    assert np.isfinite(model.joint_log_likelihood(X)[np.arange(40), y]).all()
    same(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict(X), y)


@every_classifier
@FEW
@given(case=cases(weights="none"))
def test_predicting_changes_nothing(classifier, case):
    """D08."""
    checks.check_prediction_changes_nothing(classifier, case.X, case.y, case.X_test)


# --- the training rows


@every_classifier
@FEW
@given(case=cases(weights="none"), data=st.data())
def test_order_of_rows(classifier, case, data):
    order = data.draw(st.permutations(range(len(case.y))))
    checks.check_row_order(classifier, case.X, case.y, case.X_test, order)


@every_classifier
@FEW
@given(case=cases(weights="integer"))
def test_weights_are_copies(classifier, case):
    """D37, and D36 where a weight is zero."""
    checks.check_weights_are_copies(classifier, case.X, case.y, case.X_test, case.weights.astype(int))


@every_classifier
@FEW
@given(case=cases(weights="none"))
def test_weight_zero_is_absence(classifier, case):
    """D36."""
    checks.check_zero_weight_is_absence(classifier, case.X, case.y, case.X_test)


# where rows are left out, one with a sample weight of 2 is two rows, one with a class weight of 2 is not
@pytest.mark.parametrize("classifier", [c for c in EVERY if not leaves_rows_out(c)], ids=name)
@FEW
@given(case=cases(weights="none"), data=st.data())
def test_class_weights_are_weights(classifier, case, data):
    """D39."""
    class_weight = {label: data.draw(st.sampled_from([0.5, 1, 2])) for label in case.classes}
    weights = np.array([class_weight[label] for label in case.y])
    weighted = clone(classifier).set_params(class_weight=class_weight).fit(case.X, case.y)
    expected = clone(classifier).fit(case.X, case.y, sample_weight=weights)
    same(weighted.joint_log_likelihood(case.X_test), expected.joint_log_likelihood(case.X_test))


# --- names and containers


@without_draws
@FEW
@given(case=cases(weights="none"))
def test_values_by_label(classifier, case):
    checks.check_values_by_label(classifier, case.X, case.y, case.X_test)


# leave-one-out gives ties to the class that comes first
@pytest.mark.parametrize("classifier", [c for c in EVERY if not leaves_rows_out(c)], ids=name)
@FEW
@given(case=cases(weights="none"))
def test_classes_by_label(classifier, case):
    checks.check_classes_by_label(classifier, case.X, case.y, case.X_test)


@MORE
@given(case=cases(max_rows=15, weights="none"))
def test_sources(case):
    """D15, D16: the same table in another container, with other codes, gives the same result."""
    checks.check_sources(NaiveBayes(), case.X, case.y, case.X_test)


@every_classifier
def test_check_classifier(classifier):
    checks.check_classifier(classifier)


class Forgetful(NaiveBayes):
    """Learns from the first rows only."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(X[:8], y[:8])


def test_check_classifier_notices():
    with pytest.raises(AssertionError, match=r"rows in another order|weights against copies|weight zero"):
        checks.check_classifier(Forgetful())


# --- work in pieces


@every_classifier
@FEW
@given(case=cases())
def test_jobs(classifier, case):
    """Threads, which such small tables would not get otherwise, change no bit."""
    with patch.object(parallel, "_WORTHWHILE", 0), patch.object(base, "BLOCK_ROWS", 2):
        X = np.concatenate([case.X_test, case.X])
        checks.check_jobs(classifier, case.X, case.y, X, sample_weight=case.weights)


@every_classifier
@FEW
@given(case=cases(weights="none"), block_rows=st.sampled_from([1, 2, 3, 7]))
def test_size_of_blocks(classifier, case, block_rows):
    """How many rows are scored at a time changes no bit."""
    model = clone(classifier).fit(case.X, case.y)
    X = np.concatenate([case.X_test, case.X])
    expected = model.joint_log_likelihood(X)
    with patch.object(base, "BLOCK_ROWS", block_rows):
        np.testing.assert_array_equal(model.joint_log_likelihood(X), expected)


@FEW
@given(case=cases(weights="none", missing=False, unseen=False), block_rows=st.sampled_from([1, 2, 7]))
def test_size_of_blocks_of_integer_tables(case, block_rows):
    X = np.array(case.table.rows)
    classifier = NaiveBayes(categorical_features="all")
    expected = clone(classifier).fit(X, case.y).joint_log_likelihood(X)
    with patch.object(integers, "_BLOCK", block_rows):
        np.testing.assert_array_equal(clone(classifier).fit(X, case.y).joint_log_likelihood(X), expected)


# --- columns


def cases_without_ties():
    """Cases in which all scores that choose attributes differ clearly from each other and from zero."""
    return cases(min_rows=15, max_rows=25, max_attributes=4, min_values=3, declared="none").filter(
        lambda case: no_ties(case.table)
    )


def no_ties(table):
    """Whether no two attributes, and no two pairs of attributes, have the same or no information."""
    n = len(table.n_values)
    information = [naive.mutual_information(table, i) for i in range(n)]
    pairs = [naive.conditional_mutual_information(table, i, j) for i in range(n) for j in range(i)]
    return all(
        score > 1e-6 and not any(abs(score - other) < 1e-6 for other in scores[:i])
        for scores in (information, pairs)
        for i, score in enumerate(scores)
    )


@pytest.mark.parametrize(
    "classifier",
    [NaiveBayes(), AODE(), AODE(conditional="ratio", frequency_limit=2), KDB(k=1), KDB(k=2), TAN(root="z 0")],
    ids=name,
)
@MORE
@given(data=st.data())
def test_order_of_columns(classifier, data):
    ties_matter = isinstance(classifier, KDB | TAN)
    case = data.draw(cases_without_ties() if ties_matter else cases(declared="none"))
    order = data.draw(st.permutations(case.names))
    X, X_test = case.frame(case.X), case.frame(case.X_test)
    expected = clone(classifier).fit(X, case.y, sample_weight=case.weights)
    moved = clone(classifier).fit(X[order], case.y, sample_weight=case.weights)
    same(moved.joint_log_likelihood(X_test[order]), expected.joint_log_likelihood(X_test))


@pytest.mark.parametrize("classifier", [NaiveBayes(), TAN(), KDB(k=1), KDB(k=2)], ids=name)
@pytest.mark.parametrize("place", ["first", "last"])
@MORE
@given(data=st.data())
def test_a_constant_column_changes_nothing(classifier, place, data):
    """D43."""
    # the earlier of two columns wins a tie, be it constant or not
    ties_matter = place == "first" and not isinstance(classifier, NaiveBayes)
    case = data.draw(cases_without_ties() if ties_matter else cases(declared="none"))
    position = 0 if place == "first" else case.X.shape[1]
    X, X_test = (np.insert(table, position, "constant", axis=1) for table in (case.X, case.X_test))
    expected = clone(classifier).fit(case.X, case.y, sample_weight=case.weights)
    more = clone(classifier).fit(X, case.y, sample_weight=case.weights)
    same(more.joint_log_likelihood(X_test), expected.joint_log_likelihood(case.X_test))


@pytest.mark.parametrize(
    "classifier", [NaiveBayes(), AODE(), AODE(conditional="ratio", frequency_limit=2), EVERY[-1]], ids=name
)
@MORE
@given(case=cases(), data=st.data())
def test_missing_is_an_absent_column(classifier, case, data):
    """D10."""
    assume(case.X.shape[1] > 1)
    column = data.draw(st.integers(0, case.X.shape[1] - 1))
    X_test = case.X_test.copy()
    X_test[:, column] = None
    expected = clone(classifier).fit(np.delete(case.X, column, axis=1), case.y, sample_weight=case.weights)
    model = clone(classifier).fit(case.X, case.y, sample_weight=case.weights)
    same(
        model.joint_log_likelihood(X_test),
        expected.joint_log_likelihood(np.delete(case.X_test, column, axis=1)),
    )


# --- batches


@pytest.mark.parametrize("classifier", INCREMENTAL, ids=name)
@MORE
@given(case=cases(), data=st.data())
def test_partial_fit(classifier, case, data):
    """Batches give what all rows at once give, also where a batch brings new values."""
    assume(set(case.y) == set(case.classes))
    cuts = sorted(data.draw(st.lists(st.integers(1, len(case.y)), max_size=3)))
    edges = [0, *cuts, len(case.y)]
    weights = case.weights
    model = clone(classifier).set_params(categories=case.categories)
    for begin, end in itertools.pairwise(edges):
        part = slice(begin, end)
        if begin == end or (weights is not None and not weights[part].any()):
            continue  # a batch without any row of positive weight is refused
        model.partial_fit(
            case.X[part],
            case.y[part],
            classes=case.classes,
            sample_weight=None if weights is None else weights[part],
        )
    whole = clone(classifier).set_params(categories=case.categories)
    whole.fit(case.X, case.y, sample_weight=weights)
    same(model.joint_log_likelihood(case.X_test), whole.joint_log_likelihood(case.X_test))
    same(model.class_count_, whole.class_count_)


def test_partial_fit_ignores_the_class_of_a_row_of_weight_zero():
    """D36: weight zero is absence, be the label unknown."""
    X, y = np.array([["a"], ["b"], ["b"]], dtype=object), ["no", "yes", "what"]
    model = NaiveBayes().partial_fit(X, y, classes=["no", "yes"], sample_weight=[1, 1, 0])
    expected = NaiveBayes().fit(X[:2], y[:2])
    same(model.predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize("class_prior", [None, [0.5, 0.5]], ids=["default", "given"])
@pytest.mark.parametrize("classifier", INCREMENTAL, ids=name)
def test_a_class_without_rows_and_without_smoothing_makes_no_nan(classifier, class_prior):
    X = np.array([["a", "a"], ["b", "a"]], dtype=object)
    model = clone(classifier).set_params(smoothing_strength=0.0, class_prior=class_prior)
    proba = model.partial_fit(X, ["no", "no"], classes=["no", "yes"]).predict_proba(X)
    assert np.isfinite(proba).all()
    same(proba.sum(axis=1), 1)


@pytest.mark.parametrize("classifier", INCREMENTAL, ids=name)
@FEW
@given(case=cases(weights="none", declared="none"), data=st.data())
def test_partial_fit_when_memory_gets_short(classifier, case, data):
    """A later batch may push the tables over the limit: they go sparse, and nothing else changes."""
    assume(set(case.y) == set(case.classes))
    cut = data.draw(st.integers(1, len(case.y)))
    model = clone(classifier).partial_fit(case.X[:cut], case.y[:cut], classes=case.classes)
    if cut < len(case.y):
        with patch.object(CountPlan, "pairs_are_dense", lambda *_: False):
            model.partial_fit(case.X[cut:], case.y[cut:])
    whole = clone(classifier).fit(case.X, case.y)
    same(model.joint_log_likelihood(case.X_test), whole.joint_log_likelihood(case.X_test))


def test_only_classifiers_with_a_fixed_structure_learn_in_batches():
    for classifier in (TAN, KDB):
        assert not hasattr(classifier(), "partial_fit")
    assert "classes" in inspect.signature(NaiveBayes().partial_fit).parameters
