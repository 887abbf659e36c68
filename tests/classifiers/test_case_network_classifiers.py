"""Classifiers with a network for every case as users see them: parameters, networks, memory, threads."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from seminaive import (
    AODE,
    AODESR,
    KDB,
    TAN,
    TANFDA,
    AveragedKDB,
    LocalKDB,
    NaiveBayes,
    OptimizedKDB,
    PersonalizedKDB,
    all_classifiers,
    parallel,
)
from seminaive.classifiers import base
from seminaive.classifiers.case_network import CaseNetworkClassifier
from seminaive.counts import instance_index
from seminaive.counts.plan import CountPlan
from seminaive.learn.case_networks import CaseAttribute, CaseNetwork, CaseParent, ParentChange
from seminaive.testing import naive, naive_cases

LOCAL = [LocalKDB(critical_value=10), AveragedKDB(critical_value=10)]
OPTIMIZED = [OptimizedKDB(redundancy_ratio=0.05), PersonalizedKDB(redundancy_ratio=0.05)]
SELECTED = [OptimizedKDB(), PersonalizedKDB()]
NETWORKS = [*LOCAL, *OPTIMIZED, TANFDA(critical_value=10)]
ALL = [*NETWORKS, AODESR(critical_value=10)]


def name(model: Any) -> str:
    return type(model).__name__


every = pytest.mark.parametrize("model", ALL, ids=name)
every_network = pytest.mark.parametrize("model", NETWORKS, ids=name)
every_selection = pytest.mark.parametrize("model", SELECTED, ids=name)


@pytest.fixture(scope="module")
def table() -> tuple[np.ndarray, np.ndarray]:
    """Columns that depend on each other, one that implies values of another, and one of many values."""
    rng = np.random.default_rng(0)
    n_rows = 240
    y = rng.integers(3, size=n_rows)
    a = (y + (rng.random(n_rows) < 0.3)) % 3
    b = np.where(rng.random(n_rows) < 0.6, a, rng.integers(3, size=n_rows))
    c = (a + b + (rng.random(n_rows) < 0.2)) % 3
    d = np.where(b == 1, 2, rng.integers(3, size=n_rows))
    e = np.where(rng.random(n_rows) < 0.3, c * 10, rng.integers(30, size=n_rows))
    return np.column_stack([a, b, c, d, e]).astype(float), y


def with_holes(X: np.ndarray, share: float = 0.15) -> np.ndarray:
    holes = np.random.default_rng(1).random(X.shape) < share
    holes[:, 1::2] = False  # where they would leave no implication
    return np.where(holes, np.nan, X)


def fitted(model: Any, X: np.ndarray, y: np.ndarray, **options: Any) -> Any:
    weights = options.pop("sample_weight", None)
    options = {"categorical_features": "all", **options}
    return clone(model).set_params(**options).fit(X, y, sample_weight=weights)


def names_of(networks: list[CaseNetwork]) -> list[Any]:
    """Everything of networks but numbers."""
    return [
        [
            (
                attribute.name,
                [parent.name for parent in attribute.parents],
                [replace(change, information=None, threshold=None) for change in attribute.changes],
                attribute.implied_by,
            )
            for attribute in network.attributes
        ]
        for network in networks
    ]


def assert_equal_models(actual: Any, expected: Any, X: np.ndarray, tolerance: float = 0) -> None:
    """The same predictions and networks."""
    np.testing.assert_allclose(actual.predict_proba(X), expected.predict_proba(X), rtol=0, atol=tolerance)
    if isinstance(expected, CaseNetworkClassifier):
        assert names_of(actual.case_network(X)) == names_of(expected.case_network(X))


def test_all_of_them_are_here():
    family = {c for c in all_classifiers().values() if issubclass(c, CaseNetworkClassifier)}
    assert {type(model) for model in NETWORKS} == family


# --- parameters


@pytest.mark.parametrize("k", [-1, 1.0, "2", None, True], ids=repr)
@pytest.mark.parametrize("classifier", [type(model) for model in NETWORKS if hasattr(model, "k")])
def test_k_must_be_a_whole_number(classifier, k):
    with pytest.raises(ValueError, match="k must be an integer >= 0, got"):
        classifier(k=k).fit([["a"], ["b"]], [0, 1])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (LocalKDB(resolution="SER"), r"resolution='SER'.*'ser', None"),
        (AveragedKDB(resolution=False), r"resolution=False.*'ser', None"),
        (LocalKDB(critical_value=-1), "critical_value must be a number >= 0, got -1"),
        (AveragedKDB(critical_value="100"), "critical_value must be a number >= 0, got '100'"),
        (TANFDA(critical_value=None), "critical_value must be a number >= 0, got None"),
        (AODESR(critical_value=math.nan), "critical_value must be a number >= 0, got nan"),
        (AODESR(frequency_limit=-1), "frequency_limit must be a number >= 0, got -1"),
        (AODESR(conditional="joint"), r"conditional='joint'.*'direct', 'ratio'"),
        (OptimizedKDB(redundancy_ratio=-0.1), "redundancy_ratio must be .*, got -0.1"),
        (OptimizedKDB(redundancy_ratio=math.nan), "redundancy_ratio must be .*, got nan"),
        (PersonalizedKDB(redundancy_ratio="LOO"), "redundancy_ratio must be .* or 'loo', got 'LOO'"),
        (OptimizedKDB(redundancy_ratio=None), "redundancy_ratio must be .*, got None"),
        (
            OptimizedKDB(redundancy_grid=()),
            r"redundancy_grid must be .*, got \(\)",
        ),
        (PersonalizedKDB(redundancy_grid=[0, -1]), "redundancy_grid must .* >= 0, got -1"),
        (OptimizedKDB(redundancy_grid=["0.1"]), "redundancy_grid must .* >= 0, got '0.1'"),
        (OptimizedKDB(redundancy_grid=0.1), "redundancy_grid must .*, got 0.1"),
        (OptimizedKDB(redundancy_grid=None), "redundancy_grid must .*, got None"),
    ],
    ids=lambda value: repr(value) if not isinstance(value, str) else "",
)
def test_parameters_that_make_no_sense(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit([["a"], ["b"]], [0, 1])


def test_a_grid_that_is_not_used_is_not_asked():
    model = OptimizedKDB(redundancy_ratio=0.1, redundancy_grid=()).fit([["a"], ["b"]], [0, 1])
    assert model.redundancy_ratio_ == 0.1


@pytest.mark.parametrize("grid", [(0.5, 0, 0.5, 0.1), [0.1, 0.5, 0], np.array([0, 0.5, 0.1])], ids=repr)
def test_order_and_kind_of_the_grid(grid, table):
    X, y = table
    expected = fitted(OptimizedKDB(redundancy_grid=(0, 0.1, 0.5)), X, y)
    model = fitted(OptimizedKDB(redundancy_grid=grid), X, y)
    assert model.leave_one_out_loss_ == expected.leave_one_out_loss_
    assert list(model.leave_one_out_loss_) == [0, 0.1, 0.5]
    assert model.redundancy_ratio_ == expected.redundancy_ratio_


@pytest.mark.parametrize("classifier", [OptimizedKDB, PersonalizedKDB])
def test_no_ratio_is_too_large(classifier, table):
    """Values with no more than k predecessors keep them all."""
    X, y = table
    large, larger = (fitted(classifier(redundancy_ratio=ratio), X, y) for ratio in (1e9, 1e300))
    assert_equal_models(larger, large, X[:40])
    with pytest.raises(ValueError, match="redundancy_ratio must be a finite number"):
        fitted(classifier(redundancy_ratio=math.inf), X, y)


def test_a_critical_value_that_nothing_reaches(table):
    X, y = table
    plain = fitted(LocalKDB(resolution=None), X, y)
    assert_equal_models(fitted(LocalKDB(critical_value=math.inf), X, y), plain, X)
    assert_equal_models(fitted(TANFDA(critical_value=math.inf), X, y), fitted(TAN(), X, y), X, 1e-12)


# --- networks by hand

# pregnant, sex, smoker, ill; among 16 patients the 4 that are pregnant are female
PATIENTS = (
    [["yes", "f", "yes", "yes"]] * 2
    + [["yes", "f", "no", "yes"], ["yes", "f", "no", "no"]]
    + [["no", "f", "yes", "yes"], *[["no", "f", "no", "no"]] * 3]
    + [["no", "m", "no", "yes"], *[["no", "m", "yes", "no"]] * 3, *[["no", "m", "no", "no"]] * 4]
)
COLUMNS = ["pregnant", "sex", "smoker", "ill"]
# each patient once in each class, so that no value tells of the class: the order is that of the columns
HAND = pd.DataFrame(PATIENTS * 2, columns=COLUMNS)
CLASSES = ["a"] * 16 + ["b"] * 16
PATIENT = HAND.iloc[:1]


def bits(both: int, first: int, second: int) -> Any:
    """I(x_i; x_j | Y) from counts among 16."""
    return pytest.approx(both / 16 * math.log2(both * 16 / (first * second)), rel=1e-6, abs=1e-12)


TO_PREGNANT = {"sex": bits(4, 4, 8), "smoker": bits(2, 4, 6), "ill": bits(3, 4, 5)}


@pytest.mark.parametrize("model", LOCAL, ids=name)
def test_substitution_and_elimination(model):
    network = clone(model).set_params(critical_value=8).fit(HAND, CLASSES).case_network(PATIENT)[0]

    def change(substitute: str | None) -> tuple[ParentChange, ...]:
        return (ParentChange("sex", substitute, ("pregnant",), "implied"),)

    pregnant = {child: CaseParent("pregnant", strength) for child, strength in TO_PREGNANT.items()}
    smoker = CaseParent("smoker", bits(3, 5, 6))
    # pregnant is stronger than sex to all; to smoker it leaves nobody, to ill it leaves smoker
    assert network == CaseNetwork(
        (
            CaseAttribute("pregnant", "yes", 0.0, ()),
            CaseAttribute("sex", "f", 0.0, (pregnant["sex"],), (), "pregnant"),
            CaseAttribute("smoker", "yes", 0.0, (pregnant["smoker"],), change(None)),
            CaseAttribute("ill", "yes", 0.0, (pregnant["ill"], smoker), change("smoker")),
        )
    )


def test_the_factors_of_substitution_and_elimination():
    model = LocalKDB(critical_value=8).fit(HAND, CLASSES)
    # P(y) P(pregnant | y) P(smoker | pregnant, y) P(ill | pregnant, smoker, y), none for sex
    expected = 0.5 * 4.5 / 17 * 2.5 / 5 * 2.5 / 3
    np.testing.assert_allclose(np.exp(model.joint_log_likelihood(PATIENT)), [[expected] * 2])


def test_nothing_is_implied_by_fewer_rows():
    for model in (LocalKDB(critical_value=9), LocalKDB(critical_value=8, resolution=None)):
        network = model.fit(HAND, CLASSES).case_network(PATIENT)[0]
        assert [parent.name for parent in network["ill"].parents] == ["pregnant", "sex"]
        assert not any(attribute.changes or attribute.implied_by for attribute in network.attributes)


def test_displacement():
    """The stronger candidate comes first, and gives way to one that implies it."""
    ill = ["no", "yes", "yes", "no"] + ["yes"] * 3 + ["no"] * 9
    table = pd.DataFrame(PATIENTS, columns=COLUMNS).assign(ill=ill)
    networks = [
        LocalKDB(critical_value=4, resolution=resolution).fit(table, ["a"] * 16).case_network(table[1:2])[0]
        for resolution in (None, "ser")
    ]
    # of the 5 that are ill all are female (8), 2 pregnant (4), 2 smokers (6)
    sex, pregnant, smoker = (
        CaseParent("sex", bits(5, 8, 5)),
        CaseParent("pregnant", bits(2, 4, 5)),
        CaseParent("smoker", bits(2, 6, 5)),
    )
    assert [network["ill"].parents for network in networks] == [(sex, pregnant), (pregnant, smoker)]
    assert networks[1]["ill"].changes == (ParentChange("sex", "smoker", ("pregnant",), "implied"),)
    assert networks[1]["ill"].implied_by is None


@pytest.mark.parametrize("classifier", [OptimizedKDB, PersonalizedKDB])
@pytest.mark.parametrize(("ratio", "is_kept"), [(0, True), (0.3, True), (0.35, False), (2, False)])
def test_redundancy(classifier, ratio, is_kept):
    network = classifier(redundancy_ratio=ratio).fit(HAND, CLASSES).case_network(PATIENT)[0]
    # of those with as many predecessors as parents nothing is taken away
    assert [parent.name for parent in network["smoker"].parents] == ["pregnant", "sex"]
    # i(ill; pregnant) = log 48 / 20; beside it sex tells nothing, smoker log 8 / 6
    threshold = ratio * math.log2(2.4)
    assert is_kept == (math.log2(4 / 3) > threshold)
    parents = [CaseParent("pregnant", TO_PREGNANT["ill"]), CaseParent("smoker", bits(3, 5, 6))]
    change = ParentChange(
        "sex",
        "smoker" if is_kept else None,
        ("pregnant",),
        "redundant",
        pytest.approx(0, abs=1e-12),
        pytest.approx(threshold),
    )
    expected = CaseAttribute("ill", "yes", 0.0, tuple(parents[: 1 + is_kept]), (change,))
    assert network["ill"] == expected
    assert all(attribute.implied_by is None for attribute in network.attributes)


def test_figures_of_values_that_were_never_seen_together():
    X = np.array([[1, None, None, 1, 1], [0, 1, 0, None, 0]], dtype=object).astype(float)
    model = OptimizedKDB(redundancy_ratio=0, categorical_features="all").fit(X, [1, 0])
    # x0 = 0 and x3 = 1 never met: nothing can be told, so that no ratio of it is exceeded
    changes = model.case_network(np.array([[0, 1, 0, 1, 1]]))[0]["x3"].changes
    assert [change.parent for change in changes] == ["x4"]
    assert (changes[0].information, changes[0].threshold) == (-math.inf, math.inf)


def test_by_names_the_parents_that_were_conditioned_on():
    """Not those whose combination was never seen where both values are observed."""
    nan = math.nan
    X = np.array([[nan, 1, nan, 0, 1], [0, 0, 1, 0, 0], [nan, 1, 0, 1, 0], [1, 0, nan, nan, 1]])
    y, row = [1, 1, 0, 0], [1, 0, 1, 0, 1]
    rows = [[None if math.isnan(code) else int(code) for code in values] for values in X]
    twin = naive_cases.optimized_kdb_network(naive.Table(rows, y, [2] * 5, 2), row, 3, 0.0)
    model = OptimizedKDB(k=3, redundancy_ratio=0, categorical_features="all").fit(X, y)
    network = model.case_network(np.array([row]))[0]
    expected = {
        f"x{child}": [(f"x{c.parent}", tuple(f"x{p}" for p in c.by)) for c in changes]
        for child, changes in twin.changes.items()
    }
    actual = {
        attribute.name: [(change.parent, change.by) for change in attribute.changes]
        for attribute in network.attributes
        if attribute.changes
    }
    assert actual == expected


def test_tree_without_an_implied_value():
    model = TANFDA(critical_value=8).fit(HAND, CLASSES)
    network = model.case_network(PATIENT)[0]
    assert [(attribute.name, attribute.implied_by) for attribute in network.attributes] == [
        ("pregnant", None),
        ("sex", "pregnant"),
        ("smoker", None),
        ("ill", None),
    ]
    assert all(attribute.relevance is None and not attribute.changes for attribute in network.attributes)
    rest = TAN().fit(HAND.drop(columns="sex"), CLASSES)
    for attribute in network.attributes:
        if attribute.name != "sex":
            assert [parent.name for parent in attribute.parents] == rest.parents_[attribute.name]
    np.testing.assert_allclose(
        model.predict_proba(PATIENT), rest.predict_proba(PATIENT.drop(columns="sex")), rtol=1e-12
    )
    # a man is not pregnant: 8 patients, 16 rows
    (man,) = model.case_network(HAND.iloc[8:9])
    assert [attribute.name for attribute in man.attributes if attribute.implied_by == "sex"] == ["pregnant"]
    (plain,) = TANFDA(critical_value=17).fit(HAND, CLASSES).case_network(HAND.iloc[8:9])
    tree = TAN().fit(HAND, CLASSES).parents_
    assert {a.name: [parent.name for parent in a.parents] for a in plain.attributes} == tree


@every_network
@pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")
def test_what_is_not_observed_takes_no_part(model):
    rows = pd.DataFrame([["yes", None, "yes", "often"], [None] * 4], columns=COLUMNS)
    networks = clone(model).fit(HAND, CLASSES).case_network(rows)
    assert [attribute.name for attribute in networks[0].attributes] == ["pregnant", "smoker"]
    assert networks[0].unobserved == ("sex", "ill")
    assert networks[1] == CaseNetwork((), tuple(COLUMNS))


@pytest.mark.parametrize("model", [*LOCAL, *OPTIMIZED], ids=name)
def test_values_as_people_know_them(model):
    """Labels of categories, intervals of numbers, and missing values that are values."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=100)
    frame = pd.DataFrame(
        {"size": y + rng.random(100), "colour": np.where(rng.random(100) < 0.5, "red", None)}
    )
    fit = clone(model).set_params(missing={"colour": "value"}).fit(frame, y)
    networks = fit.case_network(frame)
    cut = fit.schema_[0].cut_points[0]
    assert 0.9 < cut < 1.1
    for network, size, colour in zip(networks, frame["size"], frame["colour"], strict=True):
        low, high = network["size"].value[1:-1].split(", ")
        assert float(low) < size <= float(high)
        assert network["colour"].value == ("red" if colour == "red" else fit.schema_[1].labels[-1])
        assert network.attributes[0].name == "size"
        assert isinstance(network["size"].relevance, float)


@every_network
def test_networks_of_any_kind_of_table(model):
    fit = clone(model).fit(HAND, CLASSES)
    expected = fit.case_network(HAND)
    assert len(expected) == 32
    assert fit.case_network(pl.from_pandas(HAND)) == expected
    by_place = clone(model).fit(HAND.to_numpy(), CLASSES).case_network(HAND.to_numpy())
    assert [a.name for a in by_place[0].attributes] == ["x0", "x1", "x2", "x3"]
    assert [[a.value for a in n.attributes] for n in by_place] == [
        [a.value for a in n.attributes] for n in expected
    ]


@every_network
def test_an_unfitted_classifier_has_no_networks(model):
    with pytest.raises(NotFittedError):
        clone(model).case_network(HAND)


@every_network
def test_the_wrong_columns(model):
    fit = clone(model).fit(HAND, CLASSES)
    with pytest.raises(ValueError, match="order"):
        fit.case_network(HAND[COLUMNS[::-1]])


@every_network
def test_networks_of_more_rows_than_a_tile(model, table):
    X, y = table
    fit = fitted(model, X, y)
    many = np.tile(X, (4, 1))
    networks = fit.case_network(many)
    assert len(networks) == len(many)
    assert networks[: len(X)] == networks[len(X) : 2 * len(X)] == networks[-len(X) :]
    assert networks[:5] == [fit.case_network(X[[row]])[0] for row in range(5)]


# --- superparents of AODESR


def test_superparents_are_the_inner_nodes_of_the_tree(table):
    X, y = table
    model, tree = fitted(AODESR(), X, y), fitted(TAN(), X, y).parents_
    arcs = [(child, parent) for child, parents in tree.items() for parent in parents]
    inner = [column for column in tree if sum(column in arc for arc in arcs) >= 2]
    assert model.superparents_ == inner
    assert 0 < len(inner) < len(tree)


@pytest.mark.parametrize("n_columns", [1, 2])
def test_no_inner_nodes_are_all_superparents(n_columns, table):
    X, y = table
    model = fitted(AODESR(critical_value=1000), X[:, :n_columns], y)
    assert model.superparents_ == [f"x{i}" for i in range(n_columns)]
    expected = fitted(AODE(), X[:, :n_columns], y)
    np.testing.assert_allclose(
        model.predict_proba(X[:, :n_columns]), expected.predict_proba(X[:, :n_columns]), rtol=0, atol=1e-12
    )


def test_partial_fit_learns_the_superparents_of_all_rows(table):
    X, y = table
    expected = fitted(AODESR(), X, y)
    categories = {column: sorted(set(X[:, column])) for column in range(X.shape[1])}
    model = AODESR(categorical_features="all", categories=categories)
    for rows in (slice(100), slice(100, None)):
        model.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    assert model.superparents_ == expected.superparents_
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), rtol=0, atol=1e-12)


# --- degenerate tables


@pytest.mark.parametrize("model", [*LOCAL, *OPTIMIZED, *SELECTED], ids=name)
@pytest.mark.parametrize("k", [4, 5, 1000, np.int64(4)], ids=repr)
def test_no_more_parents_than_other_columns(model, k, table):
    X, y = table
    most, fit = fitted(model, X, y, k=4), fitted(model, X, y, k=k)
    assert_equal_models(fit, most, X[:20])
    assert max(len(attribute.parents) for attribute in fit.case_network(X[:1])[0].attributes) <= 4


@pytest.mark.parametrize("model", [*NETWORKS, *SELECTED], ids=name)
def test_one_column_is_naive_bayes(model, table):
    X, y = table
    one = X[:, [1]]
    fit, naive_bayes = fitted(model, one, y), fitted(NaiveBayes(), one, y)
    np.testing.assert_allclose(fit.predict_proba(one), naive_bayes.predict_proba(one), rtol=0, atol=1e-12)
    (network,) = fit.case_network(one[:1])
    assert [(a.name, a.parents, a.changes) for a in network.attributes] == [("x0", (), ())]


@pytest.mark.parametrize("model", [*ALL, *SELECTED], ids=name)
@pytest.mark.parametrize("n_columns", [1, 3])
def test_columns_that_are_constant(model, n_columns):
    X, y = np.zeros((12, n_columns)), np.arange(12) % 3 % 2  # 8 rows of class 0
    fit = fitted(model, X, y)
    np.testing.assert_allclose(fit.predict_proba(X[:1]), [[8.5 / 13, 4.5 / 13]], rtol=1e-12)


@pytest.mark.parametrize("model", LOCAL, ids=name)
def test_a_constant_column_is_implied_by_all(model, table):
    X, y = table
    wide = np.column_stack([X, np.zeros(len(X))])
    fit, expected = fitted(model, wide, y, k=5), fitted(model, X, y, k=5)
    (network,) = fit.case_network(wide[:1])
    constant = network["x5"]
    assert constant.relevance == 0
    assert constant.implied_by is not None
    np.testing.assert_allclose(fit.predict_proba(wide), expected.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("model", [*ALL, *SELECTED], ids=name)
def test_one_class(model, table):
    X, _ = table
    fit = fitted(model, X, np.zeros(len(X)))
    assert (fit.predict_proba(X) == 1).all()


@pytest.mark.parametrize("model", [*ALL, *SELECTED], ids=name)
def test_a_column_that_is_never_observed(model, table):
    X, y = table
    wide = np.insert(X, 2, np.nan, axis=1)
    options = {"smoothing_strength": 0.5}
    fit, expected = fitted(model, wide, y, **options), fitted(model, X, y, **options)
    np.testing.assert_allclose(fit.predict_proba(wide), expected.predict_proba(X), rtol=0, atol=1e-12)


@every_selection
def test_a_single_row(model):
    fit = fitted(model, np.array([[1.0, 2.0]]), np.array(["only"]))
    assert set(fit.leave_one_out_loss_.values()) == {0}
    assert fit.redundancy_ratio_ == 0


# --- blocks and threads


@pytest.mark.parametrize("model", [*ALL, *SELECTED], ids=name)
@pytest.mark.parametrize("block_rows", [1, 50, 64])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_blocks_and_threads_change_nothing(model, block_rows, n_jobs, table):
    X, y = table
    X = with_holes(X)
    weights = np.random.default_rng(0).random(len(y)) + 0.5
    expected = fitted(model, X, y, sample_weight=weights)
    with (
        patch.object(base, "BLOCK_ROWS", block_rows),
        patch.object(parallel, "_WORTHWHILE", 0),
        patch.object(CaseNetworkClassifier, "_blocks_at_a_time", 1),
    ):
        fit = fitted(model, X, y, sample_weight=weights, n_jobs=n_jobs)
        np.testing.assert_array_equal(fit.joint_log_likelihood(X), expected.joint_log_likelihood(X))
    if hasattr(expected, "leave_one_out_loss_"):
        assert fit.redundancy_ratio_ == expected.redundancy_ratio_


@every_network
def test_a_memo_that_forgets_changes_nothing(model, table, monkeypatch):
    X, y = table
    X = with_holes(X)
    weights = np.random.default_rng(0).random(len(y)) + 0.5
    expected = fitted(model, X, y, sample_weight=weights)
    before, networks = expected.joint_log_likelihood(X), expected.case_network(X)
    for limit in (1, 3000):
        monkeypatch.setattr(instance_index, "_MEMO_BYTES", limit)
        np.testing.assert_array_equal(expected.joint_log_likelihood(X), before)
        assert expected.case_network(X) == networks


@every_selection
def test_a_memo_that_forgets_chooses_the_same_ratio(model, table, monkeypatch):
    X, y = table
    expected = fitted(model, X, y)
    monkeypatch.setattr(instance_index, "_MEMO_BYTES", 1)
    assert fitted(model, X, y).leave_one_out_loss_ == expected.leave_one_out_loss_


# --- memory


@contextmanager
def counted() -> Iterator[list[Any]]:
    """The tables of every fit."""
    seen = []
    adopt = base.BayesianNetworkClassifier._adopt

    def note(model: Any, encoder: Any, classes: Any, tables: Any, structure: Any) -> Any:
        seen.append(tables)
        return adopt(model, encoder, classes, tables, structure)

    with patch.object(base.BayesianNetworkClassifier, "_adopt", note):
        yield seen


def bytes_of(plan: CountPlan, schema: Any, n_rows: int, n_classes: int) -> dict[str, int]:
    base_and_index = plan.base_bytes(schema, n_classes) + plan.index_bytes(schema, n_rows)
    return {
        "index": plan.index_bytes(schema, n_rows),
        "dense": base_and_index + plan.dense_pair_bytes(schema, n_classes),
        "sparse": base_and_index + plan.sparse_pair_bytes(schema, n_classes, n_rows),
    }


@every_network
def test_an_index_that_does_not_fit(model, table):
    X, y = table
    fit = fitted(model, X, y)
    needed = bytes_of(fit._plan(fit.schema_), fit.schema_, len(y), 3)["index"]
    with pytest.raises(MemoryError, match=r"takes .* bytes.*'x4' \(30 values\).*memory_limit"):
        fitted(model, X, y, memory_limit=needed - 1)


@every
def test_pairs_that_do_not_fit(model, table):
    X, y = table
    fit = fitted(model, X, y)
    needed = bytes_of(fit._plan(fit.schema_), fit.schema_, len(y), 3)
    with pytest.raises(MemoryError, match=r"all pairs.*'x4' \(30 values\).*memory_limit"):
        fitted(model, X, y, memory_limit=min(needed["dense"], needed["sparse"]) - 1)


def wide_table() -> tuple[np.ndarray, np.ndarray]:
    """So many values that most pairs of them never occur."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=90)
    first = rng.integers(40, size=90)
    columns = [first, np.where(rng.random(90) < 0.6, first, rng.integers(40, size=90)), first // 10]
    return np.column_stack([*columns, rng.integers(40, size=90), y * 20 + first // 2]).astype(float), y


@pytest.mark.parametrize("model", [*ALL, *SELECTED], ids=name)
def test_sparse_pairs_give_the_same(model):
    X, y = wide_table()
    model = clone(model)
    if hasattr(model, "critical_value"):
        model.set_params(critical_value=2)
    dense = fitted(model, X, y)
    limit = bytes_of(dense._plan(dense.schema_), dense.schema_, 90, 2)["dense"] - 1
    with counted() as tables:
        sparse = fitted(model, X, y, memory_limit=limit)
    assert tables[0].pair_counts is None
    assert_equal_models(sparse, dense, X, 1e-12)
    if hasattr(dense, "leave_one_out_loss_"):
        assert sparse.leave_one_out_loss_ == dense.leave_one_out_loss_


@pytest.mark.parametrize("model", [*OPTIMIZED, *SELECTED], ids=name)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_without_tables_of_triples_all_is_the_same(model, k, weighted, table):
    X, y = table
    X = with_holes(X)
    weights = np.random.default_rng(0).random(len(y)) if weighted else None
    with counted() as tables:
        expected = fitted(model, X, y, k=k, sample_weight=weights)
        assert (tables[0].triples is None) is weighted  # sums of weights do not survive holes
        with patch.object(CountPlan, "counts_triples", lambda *_: False):
            fit = fitted(model, X, y, k=k, sample_weight=weights)
        assert tables[1].triples is None
    assert_equal_models(fit, expected, X, 1e-13)
    if hasattr(expected, "leave_one_out_loss_"):
        assert fit.leave_one_out_loss_ == expected.leave_one_out_loss_


def test_without_tables_of_triples_rows_that_do_not_count_may_weigh_anything():
    """Sixteen rows of all combinations, and two with holes that weigh much more."""
    rows = np.array(np.meshgrid(*[[0.0, 1.0]] * 4, indexing="ij")).reshape(4, 16).T
    X = np.vstack([rows, [np.nan, 0, 1, 1], [1, 0, np.nan, np.nan]])
    y = [0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0]
    weights = [0.1] * 16 + [1e4] * 2
    expected = fitted(OptimizedKDB(redundancy_ratio=0), X, y, sample_weight=weights)
    with patch.object(CountPlan, "counts_triples", lambda *_: False):
        fit = fitted(OptimizedKDB(redundancy_ratio=0), X, y, sample_weight=weights)
    assert_equal_models(fit, expected, rows, 1e-12)


def test_tables_of_triples_leave_room_for_what_cannot_be_done_without():
    rng = np.random.default_rng(0)
    X, y = rng.integers(10, size=(3000, 4)), rng.integers(10, size=3000)
    limits = range(440_000, 560_000, 20_000)

    def fits(limit: int) -> bool:
        try:
            fitted(PersonalizedKDB(redundancy_ratio=0.1), X, y, memory_limit=limit)
        except MemoryError:
            return False
        return True

    with patch.object(CountPlan, "counts_triples", lambda *_: False):
        expected = [fits(limit) for limit in limits]
    assert len(set(expected)) == 2
    assert [fits(limit) for limit in limits] == expected


@every_network
@pytest.mark.parametrize("n_rows", [1000, 5000])
def test_the_index_takes_a_bit_for_each_row_and_value(model, n_rows):
    rng = np.random.default_rng(0)
    cardinalities = [2, 3, 8, 20]
    X = np.column_stack([rng.integers(v, size=n_rows) for v in cardinalities])
    with counted() as tables:
        fitted(model, X, rng.integers(2, size=n_rows))
    assert 0 < tables[0].index.nbytes <= 1.1 * n_rows * sum(cardinalities) / 8


def test_an_implication_between_columns_of_many_values_takes_little():
    """Of all pairs of their values a single one implies anything."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.permutation(4000), rng.permutation(4000)])
    X[:120] = -1  # unknown
    model = fitted(AODESR(), X, rng.integers(2, size=4000), memory_limit=2_000_000)
    row = model.encoder_.encode(X[:1])
    assert (model._implications.hide(row) != row).sum() == 1
    size = len(pickle.dumps(model))
    assert size < 4_000_000


def test_averages_over_superparents_need_no_index(table):
    with counted() as tables:
        fitted(AODESR(), *table)
    assert tables[0].index is None


# --- the same from elsewhere


@pytest.mark.parametrize("model", [*ALL, *SELECTED], ids=name)
def test_pickles(model, table):
    X, y = table
    fit = fitted(model, X, y)
    copy = pickle.loads(pickle.dumps(fit))
    np.testing.assert_array_equal(copy.joint_log_likelihood(X), fit.joint_log_likelihood(X))
    if isinstance(fit, CaseNetworkClassifier):
        networks = fit.case_network(X[:9])
        assert copy.case_network(X[:9]) == networks
        assert pickle.loads(pickle.dumps(networks)) == networks


@pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")
@pytest.mark.parametrize("model", [*ALL, *SELECTED], ids=name)
@pytest.mark.parametrize("balanced", [False, True], ids=["", "balanced"])
def test_weights_are_copies(model, balanced, table):
    X, y = table
    X = with_holes(X)[:100]
    weights = np.random.default_rng(0).integers(0, 4, 100)
    rows = np.repeat(np.arange(100), weights)
    options = {"class_weight": "balanced" if balanced else None}
    weighted = fitted(model, X, y[:100], sample_weight=weights, **options)
    repeated = fitted(model, X[rows], y[rows], **options)
    assert_equal_models(weighted, repeated, X, 1e-11)
    if hasattr(weighted, "leave_one_out_loss_"):
        assert weighted.leave_one_out_loss_ == pytest.approx(repeated.leave_one_out_loss_, abs=1e-12)
        assert weighted.redundancy_ratio_ == repeated.redundancy_ratio_


@every_selection
def test_class_weights_that_are_all_the_same(model, table):
    """Rows that count twice and lose twice, beside twice the imaginary rows."""
    X, y = table
    expected = fitted(model, X, y)
    fit = fitted(model, X, y, class_weight=dict.fromkeys(range(3), 2.0), smoothing_strength=2)
    assert fit.leave_one_out_loss_ == pytest.approx(expected.leave_one_out_loss_, abs=1e-12)
    np.testing.assert_allclose(fit.predict_proba(X), expected.predict_proba(X), rtol=0, atol=1e-12)


@every_selection
@pytest.mark.parametrize("factor", [0.125, 2.5])
def test_a_row_that_is_left_out_loses_the_weight_of_its_class(model, factor, table):
    X, y = table[0][:60, :4], (table[1][:60] > 0).astype(int)

    def without(table: naive.Table, r: int) -> naive.Table:
        weights = list(table.weights or [])
        weights[r] = 0.0
        return replace(table, weights=weights)

    weights = np.where(y == 1, factor, 1.0)
    coded = naive.Table(X.astype(int).tolist(), y.tolist(), [3] * 4, 2, weights.tolist())
    with patch.object(naive_cases, "without_one_copy", without):
        expected = naive_cases.leave_one_out_losses(
            coded, 2, [0, 0.5], averaged=isinstance(model, PersonalizedKDB)
        )
    fit = fitted(model, X, y, class_weight={1: factor}, redundancy_grid=(0, 0.5))
    assert fit.leave_one_out_loss_ == pytest.approx(expected, abs=1e-12)


def test_the_mean_is_that_of_its_members(table):
    X, y = table
    for average, local in ((AveragedKDB(), LocalKDB()), (OPTIMIZED[1], OPTIMIZED[0])):
        models = [fitted(model, X, y) for model in (average, KDB(), local)]
        mean, general, own = (model.predict_proba(X) for model in models)
        np.testing.assert_allclose(mean, (general + own) / 2, rtol=0, atol=1e-12)
        assert models[0].parents_ == models[1].parents_
        assert models[0].case_network(X[:5]) == models[2].case_network(X[:5])
