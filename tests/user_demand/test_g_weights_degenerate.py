"""Group G: weights, imbalance, degenerate targets and columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from demand import (
    ASK,
    FULL,
    KINDS,
    coloured,
    every_classifier,
    every_full_classifier,
    every_kind,
    mixed,
    no_warnings,
    quantile_bins,
    spread,
)

from repeatable import DRAWING
from seminaive import (
    AODE,
    KDB,
    TAN,
    AveragedKDB,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    LocalKDB,
    NaiveBayes,
    OptimizedKDB,
    PersonalizedKDB,
    all_classifiers,
)
from seminaive.data.target import class_weights

AVERAGES = {AveragedKDB: LocalKDB, PersonalizedKDB: OptimizedKDB}

INCREMENTAL = [classifier for classifier in all_classifiers().values() if hasattr(classifier, "partial_fit")]
DISCRETIZERS = ["mdlp", "equal-frequency", "equal-width"]

every_incremental = pytest.mark.parametrize("classifier", INCREMENTAL)


def learned(model):
    """Domains, cut points and fills of a fitted classifier."""
    return [
        (
            a.kind,
            list(a.values),
            None if a.cut_points is None else a.cut_points.tolist(),
            a.fill_code,
            a.has_missing_value,
        )
        for a in model.schema_.attributes
    ]


@spread(discretizer=DISCRETIZERS, missing=["ignore", "value", "impute"])
def test_d36_zero_weight_is_absence(classifier, discretizer, missing):
    X, y = mixed(60)
    X.loc[30:, "job"] = X.loc[30:, "job"].fillna("a")
    X.loc[30:, "height"] = X.loc[30:, "height"].fillna(170.0)
    weights = np.r_[np.zeros(30), np.ones(30)]
    X.loc[0, ["height", "job", "visits"]] = [1e9, "only here", 10**6]
    y = y.astype(object)
    y[1] = "a class of its own"
    options = {"discretizer": discretizer, "missing": missing}
    model = classifier(**options).fit(X, y, sample_weight=weights)
    expected = classifier(**options).fit(X[30:], y[30:])
    assert learned(model) == learned(expected)
    assert model.classes_.tolist() == expected.classes_.tolist()
    np.testing.assert_array_equal(model.joint_log_likelihood(X[30:]), expected.joint_log_likelihood(X[30:]))


@spread(
    kind=[kind for kind in KINDS if not kind.endswith(("category", "Enum"))]
)  # which declare their values
def test_d36_zero_weight_in_every_kind_of_table(classifier, kind):
    X, y = coloured()
    X.loc[:4, "colour"] = "only here"
    weights = np.r_[np.zeros(5), np.ones(len(X) - 5)]
    model = classifier().fit(every_kind(X)[kind], y, sample_weight=weights)
    assert set(model.schema_[0].values) == {"red", "green", "blue"}
    expected = classifier().fit(X[5:], y[5:])
    np.testing.assert_array_equal(
        model.joint_log_likelihood(every_kind(X[5:])[kind]), expected.joint_log_likelihood(X[5:])
    )


@pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")
@spread(discretizer=[*DISCRETIZERS, "foreign"], missing=["ignore", "value", "impute"])
def test_d37_a_weight_is_that_many_copies(classifier, discretizer, missing):
    X, y = mixed(80)
    copies = np.random.default_rng(4).integers(4, size=len(y))
    if discretizer == "foreign":
        discretizer = quantile_bins(4)
        if not hasattr(discretizer, "quantile_method"):
            pytest.skip("in this version of scikit-learn a weight is not that many copies")
    options = {"discretizer": discretizer, "missing": missing}
    model = classifier(**options).fit(X, y, sample_weight=copies)
    expected = classifier(**options).fit(X.loc[X.index.repeat(copies)], np.repeat(y, copies))
    assert learned(model)[1:3] == learned(expected)[1:3]
    for weighted, copied in zip(model.schema_.attributes, expected.schema_.attributes, strict=True):
        if copied.cut_points is not None:
            np.testing.assert_allclose(weighted.cut_points, copied.cut_points)
    np.testing.assert_allclose(model.class_count_, expected.class_count_)
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), rtol=0, atol=1e-10)


@every_classifier
def test_d37_weights_of_every_library(classifier):
    X, y = mixed(60)
    weights = np.arange(60) % 4 / 2
    expected = classifier().fit(X, y, sample_weight=weights).predict_proba(X)
    shuffled = pd.Series(weights, index=np.arange(60)[::-1])  # rows are matched by position, not by index
    for given in (
        weights.tolist(),
        shuffled,
        pl.Series(weights),
        pa.chunked_array([weights]),
        weights.astype("f4"),
    ):
        model = classifier().fit(X.set_index(np.arange(60) // 7), y, sample_weight=given)
        np.testing.assert_array_equal(model.predict_proba(X), expected)
    same = classifier().fit(X, y, sample_weight=2.0)
    assert same.class_count_.sum() == 120


@spread(
    wrong={
        "negative": ([1, -2, 1, 1], "-2"),
        "NaN": ([1, np.nan, 1, 1], "nan"),
        "infinite": ([1, np.inf, 1, 1], "inf"),
        "all zero": ([0, 0, 0, 0], "zero"),
        "too few": ([1, 1, 1], "shape|3"),
        "two-dimensional": ([[1], [1], [1], [1]], "1D"),
    }
)
def test_d37_weights_that_make_no_sense(classifier, wrong):
    weights, message = wrong
    X = np.array([["a"], ["b"], ["a"], ["b"]], dtype=object)
    with pytest.raises(ValueError, match=rf"(?s)(weight|sample_weight).*({message})|({message}).*weight"):
        classifier().fit(X, [0, 1, 0, 1], sample_weight=weights)


@every_classifier
@pytest.mark.parametrize("size", [1e-320, 1e-300, 1e150, 1e308], ids=str)
def test_d37_weights_of_any_size_give_no_nan(classifier, size):
    X = np.array([["a", "u"], ["b", "v"], ["a", "v"], ["b", "u"]], dtype=object)
    try:
        model = classifier().fit(X, [0, 1, 0, 1], sample_weight=np.full(4, size))
    except ValueError as error:
        assert "sample_weight" in str(error)  # noqa: PT017
        return
    proba = model.predict_proba(X)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-12)


@every_classifier
def test_d38_a_class_without_weight(classifier):
    X, y = coloured()
    with pytest.raises(ValueError, match="'yes'"):
        classifier(class_weight={"yes": 0, "no": 1}).fit(X, y)
    # rows of weight 0 are absent, and so is their class
    with no_warnings():
        model = classifier(class_weight="balanced").fit(X, y, sample_weight=(y == "no").astype(float))
    assert model.classes_.tolist() == ["no"]


def test_d38_balanced_without_rows_names_the_class():
    with pytest.raises(ValueError, match="'b'"):
        class_weights("balanced", np.array(["a", "b"]), np.array([0, 0]), None)


# where rows are left out, one with a sample weight of 2 is two rows, one with a class weight of 2 is not
@pytest.mark.parametrize("classifier", [c for c in FULL if c.__name__ not in DRAWING])
def test_d39_class_weight(classifier):
    X, y = mixed()
    n = {label: (y == label).sum() for label in np.unique(y)}
    by_hand = {label: len(y) / (3 * count) for label, count in n.items()}
    expected = classifier().fit(X, y, sample_weight=[by_hand[label] for label in y])
    for class_weight in ("balanced", by_hand):
        model = classifier(class_weight=class_weight).fit(X, y)
        np.testing.assert_allclose(model.class_count_, len(y) / 3)
        np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), rtol=0, atol=1e-12)
    both = classifier(class_weight={"top": 3}).fit(X, y, sample_weight=np.full(len(y), 2))
    np.testing.assert_allclose(both.class_count_, [2 * n["low"], 2 * n["mid"], 6 * n["top"]])


@every_classifier
def test_d39_class_weights_as_in_scikit_learn(classifier):
    X, y = coloured()
    model = classifier(class_weight={"no": 1, "yes": 2, "in another fold": 5}).fit(X, y)
    expected = classifier(class_weight={"no": 1, "yes": 2}).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    for wrong in ("unbalanced", {"yes": -1}, {"yes": np.nan}, {"Yes": 2}):
        with pytest.raises(ValueError, match="class_weight"):
            classifier(class_weight=wrong).fit(X, y)


@every_full_classifier
@pytest.mark.parametrize(
    "class_prior", [[0.2, 0.3, 0.5], np.array([2, 3, 5]), "empirical", [0, 0.5, 0.5]], ids=str
)
def test_d39_class_prior(classifier, class_prior):
    X, y = mixed()
    n = np.array([(y == label).sum() for label in np.unique(y)])
    fixed = {"redundancy_ratio": 0.1} if "redundancy_ratio" in classifier().get_params() else {}
    usual = classifier(**fixed).fit(X, y)
    model = classifier(class_prior=class_prior, **fixed).fit(X, y)
    if classifier in AVERAGES:  # two models, each with the prior
        members = [KDB(class_prior=class_prior), AVERAGES[classifier](class_prior=class_prior, **fixed)]
        expected = np.mean([member.fit(X, y).predict_proba(X) for member in members], axis=0)
        np.testing.assert_allclose(model.predict_proba(X), expected, rtol=0, atol=1e-12)
        return
    prior = n / n.sum() if isinstance(class_prior, str) else np.array(class_prior) / np.sum(class_prior)
    odds = np.exp(usual.joint_log_likelihood(X)) * prior / ((n + 1 / 3) / (n.sum() + 1))
    np.testing.assert_allclose(
        model.predict_proba(X), odds / odds.sum(axis=1, keepdims=True), rtol=0, atol=1e-12
    )


@spread(class_prior=[[0.5, 0.5], [0.5, 0.6, -0.1], [np.nan, 1, 1], [0, 0, 0], "uniform", 0.5])
def test_d39_class_priors_that_make_no_sense(classifier, class_prior):
    X, y = mixed()
    with pytest.raises(ValueError, match="class_prior"):
        classifier(class_prior=class_prior).fit(X, y)


@every_classifier
@pytest.mark.parametrize("strength", [0, 1])
def test_d40_one_class(classifier, strength):
    X, _ = mixed()
    model = classifier(smoothing_strength=strength, class_weight="balanced").fit(X, ["only"] * len(X))
    assert model.classes_.tolist() == ["only"]
    with no_warnings():
        np.testing.assert_array_equal(model.predict_proba(X), np.ones((len(X), 1)))
        np.testing.assert_array_equal(model.predict_log_proba(X), np.zeros((len(X), 1)))
        assert set(model.predict(X)) == {"only"}


@every_classifier
def test_d40_one_row_one_column(classifier):
    for table in ([["a"]], [[1.5]], pd.DataFrame({"a": [None]}), pd.DataFrame({"a": [True]})):
        model = classifier().fit(table, [7])
        assert model.predict(table).tolist() == [7]
        np.testing.assert_array_equal(model.predict_proba(table), [[1.0]])


@every_incremental
@pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")
def test_d41_a_batch_that_lacks_a_class(classifier):
    X, y = mixed()
    classes = np.unique(y)
    first = y != "top"
    model = classifier().partial_fit(X[first], y[first], classes=classes)
    assert model.classes_.tolist() == classes.tolist()
    proba = model.predict_proba(X)
    assert proba.shape == (len(X), 3)
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert (proba[:, 2] > 0).all()  # K = 3 in every formula
    n = first.sum()
    nothing = pd.DataFrame({name: [None] for name in X}, dtype=object)
    np.testing.assert_allclose(model.predict_proba(nothing)[0, 2], (1 / 3) / (n + 1), rtol=1e-12)


@every_incremental
@pytest.mark.parametrize("limit", [None, 200_000], ids=["dense", "sparse"])
def test_d42_batches_are_matched_by_class_and_value(classifier, limit):
    rng = np.random.default_rng(0)
    y = np.array(["p", "q", "r"])[rng.integers(3, size=240)]
    X = np.where(rng.random((240, 5)) < 0.9, rng.integers(20, size=(240, 5)), None).astype(object)
    parts = [
        y == "q",
        (y == "r") & (np.arange(240) % 2 == 0),
        (y == "p") | ((y == "r") & (np.arange(240) % 2 == 1)),
    ]
    model = classifier(memory_limit=limit)
    for part in parts:  # later batches hold other classes and other values
        with no_warnings():
            model.partial_fit(X[part], y[part], classes=["r", "q", "p"])
    whole = classifier().fit(X, y)
    np.testing.assert_allclose(model.class_count_, whole.class_count_)
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-12)


@every_incremental
def test_d42_a_label_outside_of_the_classes(classifier):
    X, y = coloured()
    model = classifier().partial_fit(X, y, classes=["yes", "no"])
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match="'perhaps'"):
        model.partial_fit(X[:2], ["yes", "perhaps"])
    with pytest.raises(ValueError, match="classes"):
        model.partial_fit(X[:2], y[:2], classes=["yes", "no", "perhaps"])
    with pytest.raises(ValueError, match="classes"):
        classifier().partial_fit(X, y)
    with pytest.raises(ValueError, match="balanced"):
        classifier(class_weight="balanced").partial_fit(X, y, classes=["yes", "no"])
    np.testing.assert_array_equal(model.predict_proba(X), before)


@pytest.mark.parametrize("model", [NaiveBayes(), TAN(), KDB(k=1), KDB(k=3)], ids=str)
@pytest.mark.parametrize("position", [0, 2, 4])
@pytest.mark.parametrize("constant", ["same", 3.5, True], ids=str)
def test_d43_a_constant_column_changes_nothing(model, position, constant):
    X, y = mixed()
    wider = X.copy()
    wider.insert(position, "constant", [constant] * len(X))
    root = {"root": "height"} if isinstance(model, TAN) else {}
    expected = type(model)(**model.get_params()).fit(X, y)
    actual = type(model)(**{**model.get_params(), **root}).fit(wider, y)
    np.testing.assert_allclose(actual.predict_proba(wider), expected.predict_proba(X), rtol=0, atol=1e-12)


@every_classifier
def test_d43_nothing_but_constants(classifier):
    X = pd.DataFrame({"a": ["x"] * 9, "b": [1.5] * 9, "c": [True] * 9})
    model = classifier().fit(X, [0, 0, 0, 0, 0, 0, 1, 1, 1])
    learned = 0.02 if classifier.__name__ in DRAWING else 1e-12  # an offset of the classes, by likelihood
    with no_warnings():
        np.testing.assert_allclose(model.predict_proba(X), [[0.65, 0.35]] * 9, rtol=0, atol=learned)
    assert model.uninformative_features_ == ["b"]


@every_classifier
@pytest.mark.parametrize("ask", ASK)
def test_d43_columns_of_one_value_each_row(classifier, ask):
    X = pd.DataFrame({"id": [f"r{i}" for i in range(12)], "a": list("xy") * 6})
    model = classifier().fit(X, [0, 1] * 6)
    assert len(getattr(model, ask)(X)) == 12
    assert model.predict(X).tolist() == [0, 1] * 6


# --- targets that make no sense


@spread(
    wrong={
        "None": ([0, 1, None, 1], "missing|NaN"),
        "NaN": ([0.0, np.nan, 1.0, 1.0], "missing|NaN"),
        "NA": (pd.Series(["a", None, "b", "a"], dtype="string"), "missing|NaN"),
        "null": (pl.Series(["a", None, "b", "a"]), "missing|NaN"),
        "arrow null": (pa.chunked_array([["a", None, "b", "a"]]), "missing|NaN"),
        "numbers": ([0.1, 0.2, 0.35, 0.7], "continuous|[Uu]nknown label type"),
        "short": ([0, 1, 0], "inconsistent|3"),
        "no y": (None, "requires y"),
        "two columns": ([[0, 1], [1, 0], [1, 1], [0, 0]], "1d|shape"),
        "mixed": ([1, "a", 1, "a"], "label|class|target|y "),
        "empty": ([], "inconsistent|empty"),
    }
)
def test_targets_that_make_no_sense(classifier, wrong):
    y, message = wrong
    X = np.array([["a"], ["b"], ["a"], ["b"]], dtype=object)
    model = classifier()
    if isinstance(y, list) and "a" in y:
        y = np.array(y, dtype=object)
    with pytest.raises((ValueError, TypeError), match=message):
        model.fit(X, y)
    assert not hasattr(model, "classes_")


def test_discretizer_objects_take_weights_too():
    X, y = mixed(60)
    for discretizer in (EqualFrequencyDiscretizer(n_bins=3), EqualWidthDiscretizer(n_bins=3)):
        weights = np.r_[np.zeros(20), np.ones(40)]
        X.loc[0, "visits"] = 10**6
        model = AODE(discretizer=discretizer).fit(X, y, sample_weight=weights)
        assert learned(model) == learned(AODE(discretizer=discretizer).fit(X[20:], y[20:]))
