"""Classifiers with a network for every case equal their slow twins: networks, changes and probabilities."""

from __future__ import annotations

import itertools
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_tables import Case, as_twin_options, cases, examples
from sklearn.base import clone
from test_naive_twins import LAYOUTS, SOURCES, assert_equals_twin, options_of, sparse_tables
from test_naive_twins import fitted as fitted_with_pairs

from seminaive import AODESR, TANFDA, AveragedKDB, LocalKDB, OptimizedKDB, PersonalizedKDB
from seminaive.counts.plan import CountPlan
from seminaive.testing import naive, naive_cases
from seminaive.testing.naive_cases import LocalNetwork

pytestmark = pytest.mark.filterwarnings(
    "ignore::seminaive.UnseenValueWarning", "ignore::seminaive.ImpossibleEvidenceWarning"
)

SHARED = Path(os.environ.get("SEMINAIVE_SHARED") or Path(__file__).parents[2].parent / "shared")
DATA = SHARED / "data"
NEAR = 1e-9  # posteriors of two classes that rounding may turn around

CRITICAL_VALUES = st.sampled_from([0, 1, 2, 4, 100])
RATIOS = st.sampled_from([0, 0.01, 0.1, 0.5, 1, 1.5])
KS = st.integers(0, 5)


def fitted(estimator: Any, case: Case, source: str, layout: str = "dense") -> tuple[Any, Any, list[str]]:
    """As in the other tests; short of memory, triples are not counted beforehand either."""
    with scarce_triples() if layout == "sparse" else nullcontext():
        return fitted_with_pairs(estimator, case, source, layout)


def scarce_triples() -> Any:
    """Counts of three values are asked of the index, one by one."""
    return patch.object(CountPlan, "counts_triples", lambda *_: False)


# --- what is compared


@dataclass(frozen=True)
class Kind:
    """A classifier, its twin, and how the twin spells the classifier's own parameters."""

    classifier: type
    twin: Callable[..., list[float]]
    own: st.SearchStrategy[dict[str, Any]]
    defaults: dict[str, Any]
    network: Callable[..., LocalNetwork] | None = None
    averages: bool = False  # the twin gives posteriors, not joint probabilities
    is_local: bool = True  # by the information of values, not of attributes
    spelled: dict[str, str] = field(default_factory=dict)
    reason: str = "implied"

    def twin_options(self, own: Mapping[str, Any]) -> dict[str, Any]:
        """Own parameters as the twin spells them."""
        own = dict(own)
        if own.pop("resolution", "ser") is None:
            own["critical_value"] = None
        return {self.spelled.get(name, name): value for name, value in own.items()}


RESOLVED = st.fixed_dictionaries(
    {"k": KS, "resolution": st.sampled_from(["ser", "ser", None]), "critical_value": CRITICAL_VALUES}
)
OPTIMIZED = st.fixed_dictionaries({"k": KS, "redundancy_ratio": RATIOS})
SUPERPARENTS = st.fixed_dictionaries(
    {
        "critical_value": CRITICAL_VALUES,
        "frequency_limit": st.sampled_from([0, 1, 2, 4, 30]),
        "conditional": st.sampled_from(["direct", "ratio"]),
    }
)
KINDS = {
    "LocalKDB": Kind(
        LocalKDB,
        naive_cases.local_kdb_joint,
        RESOLVED,
        {"k": 2, "resolution": "ser", "critical_value": 4},
        network=naive_cases.local_kdb_network,
    ),
    "AveragedKDB": Kind(
        AveragedKDB,
        naive_cases.averaged_kdb_posterior,
        RESOLVED,
        {"k": 2, "resolution": "ser", "critical_value": 4},
        network=naive_cases.local_kdb_network,
        averages=True,
    ),
    "TANFDA": Kind(
        TANFDA,
        naive_cases.tanfda_joint,
        st.fixed_dictionaries({"critical_value": CRITICAL_VALUES}),
        {"critical_value": 4},
        network=naive_cases.tanfda_network,
        is_local=False,
    ),
    "AODESR": Kind(
        AODESR, naive_cases.aodesr_joint, SUPERPARENTS, {"critical_value": 4, "conditional": "direct"}
    ),
    "OptimizedKDB": Kind(
        OptimizedKDB,
        naive_cases.optimized_kdb_joint,
        OPTIMIZED,
        {"k": 2, "redundancy_ratio": 0.05},
        network=naive_cases.optimized_kdb_network,
        spelled={"redundancy_ratio": "ratio"},
        reason="redundant",
    ),
    "PersonalizedKDB": Kind(
        PersonalizedKDB,
        naive_cases.personalized_kdb_posterior,
        OPTIMIZED,
        {"k": 2, "redundancy_ratio": 0.05},
        network=naive_cases.optimized_kdb_network,
        averages=True,
        spelled={"redundancy_ratio": "ratio"},
        reason="redundant",
    ),
}
NAME = operator.attrgetter("classifier.__name__")
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
every_selection = pytest.mark.parametrize(
    ("classifier", "averaged"),
    [(OptimizedKDB, False), (PersonalizedKDB, True)],
    ids=["optimized", "personalized"],
)


def single(bits: float) -> Any:
    """A number in single precision, as information is ranked and told."""
    return pytest.approx(bits, rel=1e-6, abs=1e-10)


def assert_same(
    kind: Kind,
    model: Any,
    X: Any,
    table: naive.Table,
    rows: Sequence[naive.Row],
    own: Mapping[str, Any],
    shared: Mapping[str, Any] | None = None,
    labels: Any = None,
) -> None:
    """Networks and probabilities are the twin's; ``labels`` spells the values of ``rows``."""
    twin = {**kind.twin_options(own), **as_twin_options(shared or {})}
    prior = naive.class_prior(
        table, **{name: twin[name] for name in ("prior", "smoothing", "strength") if name in twin}
    )
    results = [kind.twin(table, row, **twin) for row in rows]
    if kind.averages:
        np.testing.assert_allclose(model.predict_proba(X), results, rtol=0, atol=1e-10)
    else:
        assert_equals_twin(model, X, results, prior)
    if kind.network:
        networks = model.case_network(X)
        assert len(networks) == len(rows)
        for r, row in enumerate(rows):
            expected = kind.network(table, row, **kind.twin_options(own))
            spelled = None if labels is None else labels[r]
            assert_same_network(kind, networks[r], expected, table, row, list(model.parents_), spelled)


def assert_same_network(
    kind: Kind,
    actual: Any,
    expected: LocalNetwork,
    table: naive.Table,
    row: naive.Row,
    names: Sequence[str],
    labels: Any,
) -> None:
    """Order, parents and every change, with the figures that led to them; ranks are in single precision."""

    def relevance(i: int) -> Any:
        if not kind.is_local:
            return None
        return single(naive_cases.local_mutual_information(table, i, row[i]))

    def strength(i: int, p: int) -> Any:
        if not kind.is_local:
            return single(naive.conditional_mutual_information(table, i, p))
        return single(naive_cases.local_conditional_mutual_information(table, i, row[i], p, row[p]))

    assert actual.unobserved == tuple(name for name, code in zip(names, row, strict=True) if code is None)
    assert [attribute.name for attribute in actual.attributes] == [names[i] for i in expected.order]
    for i, attribute in zip(expected.order, actual.attributes, strict=True):
        parents = expected.parents[i]
        assert [parent.name for parent in attribute.parents] == [names[p] for p in parents]
        assert attribute.relevance == relevance(i)
        assert [parent.strength for parent in attribute.parents] == [strength(i, p) for p in parents]
        if labels is not None:
            assert attribute.value == labels[i]
        by = expected.implied_by.get(i)
        assert attribute.implied_by == (None if by is None else names[by])
        changes = expected.changes.get(i, [])
        assert len(attribute.changes) == len(changes)
        for change, of_twin in zip(attribute.changes, changes, strict=True):
            assert change.reason == kind.reason
            assert change.parent == names[of_twin.parent]
            assert change.substitute == (None if of_twin.substitute is None else names[of_twin.substitute])
            assert change.by == tuple(names[p] for p in of_twin.by)
            for figure in ("information", "threshold"):
                bits = getattr(of_twin, figure)
                assert getattr(change, figure) == (None if bits is None else pytest.approx(bits, abs=1e-10))


# --- tables made for one branch of the definitions each


# eight rows of one class; attribute i has the value 0 in the rows of set i, and the last one is looked at
SETS = {
    "generalisation is passed over": [{1, 2, 3, 5}, {1, 2, 3, 5, 6}, {4, 8}, {1, 2, 3, 4}],
    "specialisation takes the place": [{1, 2, 3, 5}, {1, 5}, {3, 4, 6, 7}, {1, 2, 3, 4}],
    "chain of specialisations": [{1, 2, 3, 5}, {1, 5}, {5}, {1, 2, 3, 4}],
    "two specialisations": [{1, 2, 3, 5}, {1, 2, 6}, {5}, {6}, {1, 2, 3, 4}],
    "copies": [{1, 2, 3, 5}, {1, 2, 3, 5}, {1, 2, 7}, {1, 2, 3, 4}],
    "exactly the threshold": [{1, 2, 3, 4}, {1, 5}, {6, 7}, {1, 2}],
    "never seen together": [{4, 5, 6, 7}, {3, 5, 6, 8}, {1, 6, 7, 8}, {1, 2, 3, 4}],
    "all parents are conditioned on": [{1, 2, 3, 5}, {1, 2, 7}, {1, 8}, {6, 7}, {1, 2, 3, 4}],
    "parents never seen with the candidate": [{1, 2, 3, 5}, {1, 2, 7}, {3, 8}, {6, 7}, {1, 2, 3, 4}],
}


@every_kind
@pytest.mark.parametrize("name", SETS)
def test_tables_with_one_purpose(kind, name):
    sets = SETS[name]
    rows = [[0 if r in members else 1 for members in sets] for r in range(1, 9)]
    if name == "parents never seen with the candidate":
        rows[0][2] = rows[1][2] = None
    table = naive.Table(rows, [0] * 8, [2] * len(sets), n_classes=1)
    codes = np.array(rows, dtype=float)
    variants = {"critical_value": [1, 2, 4], "redundancy_ratio": [0, 0.5, 1], "k": [2, 3]}
    varied = [
        [(option, value) for value in variants[option]] for option in kind.defaults if option in variants
    ]
    for options in itertools.product(*varied):
        own = {**kind.defaults, **dict(options)}
        for triples in nullcontext(), scarce_triples():
            with triples:
                model = kind.classifier(categorical_features="all", **own).fit(codes, [0] * 8)
            assert_same(kind, model, np.zeros((1, len(sets))), table, [[0] * len(sets)], own)


# --- random tables


@every_kind
@examples(40)
@given(case=cases(), source=SOURCES, layout=LAYOUTS, data=st.data())
def test_random_tables(kind, case, source, layout, data):
    own, shared = data.draw(kind.own), options_of(data, case)
    model, X_test, _ = fitted(kind.classifier(**own, **shared), case, source, layout)
    assert_same(kind, model, X_test, case.table, case.test_rows, own, shared, case.X_test)


def copied(case: Case, column: int, place: int) -> Case:
    """The case with a copy of one of its columns."""

    def insert(row: Sequence[Any]) -> list[Any]:
        return [*row[:place], row[column], *row[place:]]

    table = case.table
    categories = {i + (i >= place): values for i, values in case.categories.items()}
    if column in case.categories:
        categories[place] = case.categories[column]
    return replace(
        case,
        table=replace(table, rows=[insert(row) for row in table.rows], n_values=insert(table.n_values)),
        X=np.insert(case.X, place, case.X[:, column], axis=1),
        X_test=np.insert(case.X_test, place, case.X_test[:, column], axis=1),
        test_rows=[insert(row) for row in case.test_rows],
        categories=categories,
    )


@every_kind
@examples(25)
@given(case=cases(max_attributes=4), layout=LAYOUTS, data=st.data())
def test_copied_columns(kind, case, layout, data):
    """Ties everywhere, and values that always occur together."""
    n = case.X.shape[1]
    case = copied(case, data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n)))
    own, shared = data.draw(kind.own), options_of(data, case)
    model, X_test, _ = fitted(kind.classifier(**own, **shared), case, "array", layout)
    assert_same(kind, model, X_test, case.table, case.test_rows, own, shared, case.X_test)


@every_kind
@examples(15)
@given(case=cases(max_rows=30, weights="integer"), data=st.data())
def test_weights_are_copies(kind, case, data):
    """The twin of the table in which each row stands as often as it weighs."""
    own, shared = data.draw(kind.own), options_of(data, case)
    model, X_test, _ = fitted(kind.classifier(**own, **shared), case, "array")
    table = case.table
    copies = [r for r, (_, _, weight) in enumerate(table.weighted_rows()) for _ in range(int(weight))]
    longer = naive.Table(
        [table.rows[r] for r in copies], [table.classes[r] for r in copies], table.n_values, table.n_classes
    )
    assert_same(kind, model, X_test, longer, case.test_rows, own, shared, case.X_test)


def dependent_table(
    n_rows: int, share_missing: float, weighted: bool
) -> tuple[np.ndarray, np.ndarray, naive.Table]:
    """Real dependencies and implications, in rows of three classes that fill several words of a bitmap."""
    rng = np.random.default_rng(n_rows)
    classes = rng.integers(3, size=n_rows)
    first = (classes + (rng.random(n_rows) < 0.3)) % 3
    second = np.where(rng.random(n_rows) < 0.7, first, rng.integers(3, size=n_rows))
    third = (first + second + (rng.random(n_rows) < 0.2)) % 2
    implied = np.where(second == 1, 1, rng.integers(3, size=n_rows))
    codes = np.column_stack([first, second, third, implied, rng.integers(4, size=n_rows)]).astype(float)
    codes[rng.random(codes.shape) < share_missing] = np.nan
    weights = rng.random(n_rows) * 2 if weighted else None
    rows = [[None if np.isnan(code) else int(code) for code in row] for row in codes]
    table = naive.Table(
        rows, classes.tolist(), [3, 3, 2, 3, 4], 3, None if weights is None else weights.tolist()
    )
    return codes, classes, table


@every_kind
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("share_missing", [0.0, 0.15])
def test_several_words_of_rows(kind, share_missing, weighted):
    codes, classes, table = dependent_table(200, share_missing, weighted)
    own = kind.defaults
    model = kind.classifier(categorical_features="all", **own).fit(
        codes, classes, sample_weight=table.weights
    )
    assert_same(kind, model, codes[:2], table, table.rows[:2], own)


@pytest.mark.parametrize("ratio", [0, 0.5])
def test_where_the_first_parent_was_never_seen(ratio):
    """It tells no number of bits, and nothing that comes after it can tell more."""
    X = np.array([["a", "b", "c", None]], dtype=object)
    table = naive.Table([[0, 0, 0, None]], [0], n_values=[1, 1, 1, 1], n_classes=1)
    model = OptimizedKDB(redundancy_ratio=ratio, categories={3: ["d"]}).fit(X, ["y"])
    case = np.array([["a", "b", "c", "d"]], dtype=object)
    (change,) = model.case_network(case)[0]["x3"].changes
    assert (change.information, change.threshold) == (-np.inf, np.inf)
    own = {"k": 2, "redundancy_ratio": ratio}
    assert_same(KINDS["OptimizedKDB"], model, case, table, [[0, 0, 0, 0]], own, labels=case)


@every_kind
def test_a_memory_of_one_combination(kind):
    """Counts are forgotten all the time, and are the same when they are counted anew."""
    codes, classes, _ = dependent_table(300, 0.1, False)
    model = kind.classifier(categorical_features="all", **kind.defaults).fit(codes, classes)
    expected = model.predict_proba(codes)
    with patch("seminaive.counts.instance_index._MEMO_BYTES", 1):
        np.testing.assert_allclose(model.predict_proba(codes), expected, rtol=0, atol=1e-14)


@every_kind
def test_tables_of_what_occurs_only(kind):
    """The same numbers for attributes of so many values that most pairs never occur."""
    rng = np.random.default_rng(0)
    classes = rng.integers(3, size=80)
    codes = np.column_stack([(classes + rng.integers(2, size=80)) % 3, *rng.integers(25, size=(3, 80))])
    codes = codes.astype(float)
    codes[:, 3] = codes[:, 2] // 5
    codes[rng.random(codes.shape) < 0.1] = np.nan
    estimator = kind.classifier(categorical_features="all", **kind.defaults)
    dense = clone(estimator).fit(codes, classes)
    with sparse_tables(), scarce_triples():
        sparse = clone(estimator).fit(codes, classes)
    np.testing.assert_allclose(sparse.predict_proba(codes), dense.predict_proba(codes), rtol=0, atol=1e-12)
    if kind.network:
        for network, other in zip(sparse.case_network(codes), dense.case_network(codes), strict=True):
            assert shape_of(network) == shape_of(other)


@every_kind
def test_rows_alone_and_threads(kind):
    """A row's result does not depend on the rows beside it, nor on the threads."""
    codes, classes, _ = dependent_table(300, 0.1, False)
    model = kind.classifier(categorical_features="all", **kind.defaults).fit(codes, classes)
    together = model.predict_proba(codes)
    alone = np.concatenate([model.predict_proba(codes[[r]]) for r in range(0, 300, 10)])
    np.testing.assert_array_equal(alone, together[::10])
    many = np.tile(codes, (80, 1))  # more rows than a block has
    for n_jobs in (1, 2):
        threads = clone(model).set_params(n_jobs=n_jobs).fit(codes, classes)
        np.testing.assert_array_equal(threads.predict_proba(many), np.tile(together, (80, 1)))


# --- invariances


@every_kind
@examples(20)
@given(case=cases(), layout=LAYOUTS, data=st.data())
def test_order_of_rows_and_names_of_values(kind, case, layout, data):
    own, shared = data.draw(kind.own), options_of(data, case)
    model, X_test, _ = fitted(kind.classifier(**own, **shared), case, "frame", layout)
    rows = data.draw(st.permutations(range(len(case.y))))
    letters = dict(zip("abcd", data.draw(st.permutations("abcd")), strict=True))

    def renamed(value: str | None) -> str | None:
        return value if value in (None, "never seen") else f"value {letters[value[6]]}{value[7:]}"

    moved = replace(
        case,
        X=np.vectorize(renamed, otypes=[object])(case.X[rows]),
        y=case.y[rows],
        weights=None if case.weights is None else case.weights[rows],
        X_test=np.vectorize(renamed, otypes=[object])(case.X_test),
        categories={i: [renamed(value) for value in values] for i, values in case.categories.items()},
    )
    other, X_moved_test, _ = fitted(kind.classifier(**own, **shared), moved, "frame", layout)
    np.testing.assert_allclose(
        other.predict_proba(X_moved_test), model.predict_proba(X_test), rtol=0, atol=1e-10
    )
    if kind.network:
        for network, twin in zip(model.case_network(X_test), other.case_network(X_moved_test), strict=True):
            assert shape_of(network) == shape_of(twin)


def shape_of(network: Any) -> list[Any]:
    """All of a network that is not a number."""
    return [
        (
            attribute.name,
            [parent.name for parent in attribute.parents],
            [(change.parent, change.substitute, change.by, change.reason) for change in attribute.changes],
            attribute.implied_by,
        )
        for attribute in network.attributes
    ]


@pytest.mark.parametrize(
    "kind",
    [kind for name, kind in KINDS.items() if name != "TANFDA"],
    ids=NAME,
)
@examples(10)
@given(columns=st.permutations(range(5)), data=st.data())
def test_order_of_columns(kind, columns, data):
    """It does not matter where nothing ties: weights at random, and no column copies another.

    In a tree the first attribute is the root, which does matter.
    """
    codes, classes, table = dependent_table(120, 0.1, True)
    own = data.draw(kind.own)
    frame = pd.DataFrame(codes, columns=list("edcba"))
    moved = frame.iloc[:, columns]
    models = [
        kind.classifier(categorical_features="all", **own).fit(X, classes, sample_weight=table.weights)
        for X in (frame, moved)
    ]
    np.testing.assert_allclose(
        models[1].predict_proba(moved), models[0].predict_proba(frame), rtol=0, atol=1e-10
    )
    if kind.network:
        networks = models[0].case_network(frame), models[1].case_network(moved)
        for network, other in zip(*networks, strict=True):
            assert shape_of(network) == shape_of(other)


# --- identities


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if "k" in kind.defaults], ids=NAME)
@examples(20)
@given(case=cases(), data=st.data())
def test_no_parents_are_naive_bayes(kind, case, data):
    own, shared = {**data.draw(kind.own), "k": 0}, options_of(data, case)
    model, X_test, _ = fitted(kind.classifier(**own, **shared), case, "array")
    twin = as_twin_options(shared)
    prior = naive.class_prior(case.table, **twin)
    posteriors = [
        naive.posterior(naive.naive_bayes_joint(case.table, row, **twin), prior) for row in case.test_rows
    ]
    np.testing.assert_allclose(model.predict_proba(X_test), posteriors, rtol=0, atol=1e-10)


@examples(20)
@given(case=cases(), k=KS, layout=LAYOUTS)
def test_where_nothing_implies_anything_resolution_changes_nothing(case, k, layout):
    for classifier in (LocalKDB, AveragedKDB):
        plain, X_test, _ = fitted(classifier(k=k, resolution=None), case, "array", layout)
        resolved, _, _ = fitted(classifier(k=k, critical_value=1000), case, "array", layout)
        np.testing.assert_array_equal(resolved.predict_proba(X_test), plain.predict_proba(X_test))
        assert resolved.case_network(X_test) == plain.case_network(X_test)


# --- leave one out


def likely_classes(p: Sequence[float]) -> set[int]:
    """The most probable class; several where rounding decides."""
    return {y for y, p_y in enumerate(p) if p_y > max(p) - NEAR}


def assert_same_selection(
    model: Any,
    table: naive.Table,
    averaged: bool,
    own: Mapping[str, Any],
    shared: Mapping[str, Any],
    weights_are_exact: bool = True,
) -> None:
    """Losses and the chosen ratio are the twin's, but for classes that rounding decides about."""
    twin = as_twin_options(shared)
    total = naive.total_count(table, {})
    losses = model.leave_one_out_loss_
    assert sorted(losses) == sorted(own["redundancy_grid"])
    least, most = {}, {}
    for ratio in losses:
        posteriors = naive_cases.leave_one_out_posteriors(table, own["k"], ratio, averaged, **twin)
        judged = [
            (label, weight, likely_classes(p))
            for (_, label, weight), p in zip(table.weighted_rows(), posteriors, strict=True)
        ]
        least[ratio] = sum(weight for label, weight, likely in judged if label not in likely) / total
        most[ratio] = sum(weight for label, weight, likely in judged if likely != {label}) / total
        assert least[ratio] - 1e-12 <= losses[ratio] <= most[ratio] + 1e-12
    as_good = [ratio for ratio, loss in losses.items() if loss <= min(losses.values()) + 1e-12]
    assert model.redundancy_ratio_ == min(as_good)  # sums of weights differ in their last digits
    if weights_are_exact and least == most:
        assert model.redundancy_ratio_ == naive_cases.chosen_ratio(least)


@every_selection
@examples(30)
@given(
    case=cases(max_rows=12, max_attributes=4),
    k=st.integers(0, 3),
    grid=st.lists(RATIOS, min_size=1, max_size=3, unique=True),
    layout=LAYOUTS,
    data=st.data(),
)
def test_selection_on_random_tables(classifier, averaged, case, k, grid, layout, data):
    own, shared = {"k": k, "redundancy_grid": tuple(grid)}, options_of(data, case)
    model, X_test, _ = fitted(classifier(**own, **shared), case, "array", layout)
    assert_same_selection(model, case.table, averaged, own, shared, weights_are_exact=False)
    kind = KINDS[classifier.__name__]
    chosen = {"k": k, "redundancy_ratio": model.redundancy_ratio_}
    assert_same(kind, model, X_test, case.table, case.test_rows, chosen, shared, case.X_test)


@every_selection
@examples(20)
@given(case=cases(max_rows=15, weights="integer", max_attributes=4), k=st.integers(1, 3), data=st.data())
def test_selection_with_weights_as_copies(classifier, averaged, case, k, data):
    shared = options_of(data, case)
    weighted, _, _ = fitted(classifier(k=k, **shared), case, "array")
    copies = np.repeat(np.arange(len(case.y)), case.weights.astype(int))
    longer = replace(case, X=case.X[copies], y=case.y[copies], weights=None)
    repeated, _, _ = fitted(classifier(k=k, **shared), longer, "array")
    twin = as_twin_options(shared)
    for ratio, loss in repeated.leave_one_out_loss_.items():
        posteriors = naive_cases.leave_one_out_posteriors(case.table, k, ratio, averaged, **twin)
        if all(len(likely_classes(p)) == 1 for p in posteriors):
            assert weighted.leave_one_out_loss_[ratio] == pytest.approx(loss, abs=1e-12)


@every_selection
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_selection_on_several_words_of_rows(classifier, averaged, weighted):
    codes, classes, table = dependent_table(75, 0.1, weighted)
    own = {"k": 2, "redundancy_grid": (2, 0, 0.5)}
    model = classifier(categorical_features="all", **own).fit(codes, classes, sample_weight=table.weights)
    assert len(set(model.leave_one_out_loss_.values())) == 3
    assert_same_selection(model, table, averaged, own, {}, weights_are_exact=not weighted)


def test_fixed_ratio_has_no_losses():
    codes, classes, _ = dependent_table(50, 0, False)
    for classifier in (OptimizedKDB, PersonalizedKDB):
        model = classifier(redundancy_ratio=0.2, categorical_features="all").fit(codes, classes)
        assert model.redundancy_ratio_ == 0.2
        assert not hasattr(model, "leave_one_out_loss_")
        assert set(model.set_params(redundancy_ratio="loo").fit(codes, classes).leave_one_out_loss_) == set(
            naive_cases.GRID
        )


# --- real data


@dataclass(frozen=True)
class RealTable:
    """Some rows and columns of a data set; all columns are categories."""

    X: pd.DataFrame
    y: np.ndarray
    table: naive.Table
    X_test: pd.DataFrame
    test_rows: list[list[int | None]]


@cache
def real_table(name: str, n_rows: int, n_columns: int, n_test: int = 3) -> RealTable:
    """A sample; columns that vary, in file order."""
    text = pd.read_csv(DATA / f"{name}.csv.gz", dtype=str, keep_default_na=False, na_values=[""])
    rng = np.random.default_rng(0)
    text = text.iloc[rng.permutation(len(text))[: n_rows + n_test]]
    columns = sorted(rng.permutation(text.shape[1] - 1)[:n_columns])
    X, y = text.iloc[:, columns].astype(object), text["class"].to_numpy(dtype=object)
    X = X.where(X.notna(), None)
    train, test = X.iloc[:n_rows], X.iloc[n_rows:]
    domains = [{value: code for code, value in enumerate(sorted(set(train[c]) - {None}))} for c in X]
    classes = sorted(set(y[:n_rows]))

    def encode(part: pd.DataFrame) -> list[list[int | None]]:
        return [
            [domain.get(value) for domain, value in zip(domains, row, strict=True)] for row in part.to_numpy()
        ]

    table = naive.Table(
        encode(train),
        [classes.index(label) for label in y[:n_rows]],
        [len(domain) for domain in domains],
        len(classes),
    )
    return RealTable(train, y[:n_rows], table, test, encode(test))


needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"no data at {DATA}: set SEMINAIVE_SHARED to the directory of data/"
)


@needs_data
@every_kind
@pytest.mark.parametrize("name", ["zoo", "mushroom", "breast-cancer", "soybean"])
def test_real_data(kind, name):
    real = real_table(name, n_rows=50, n_columns=8)
    own = kind.defaults
    model = kind.classifier(categorical_features="all", **own).fit(real.X, real.y)
    assert_same(kind, model, real.X_test, real.table, real.test_rows, own, labels=real.X_test.to_numpy())


@needs_data
def test_real_data_have_changes():
    """What the comparison above would be worth nothing without."""
    networks = {"implied": 0, "redundant": 0}
    for name in ("zoo", "mushroom", "soybean"):
        real = real_table(name, n_rows=50, n_columns=8)
        for row in real.test_rows:
            resolved = naive_cases.local_kdb_network(real.table, row, 2, 4)
            networks["implied"] += bool(resolved.changes) and bool(resolved.implied_by)
            networks["redundant"] += bool(naive_cases.optimized_kdb_network(real.table, row, 2, 0.05).changes)
    assert min(networks.values()) >= 4


@needs_data
@every_selection
@pytest.mark.parametrize("name", ["breast-cancer", "soybean"])
def test_selection_on_real_data(classifier, averaged, name):
    real = real_table(name, n_rows=30, n_columns=6)
    own = {"k": 2, "redundancy_grid": (0, 0.05, 0.5)}
    model = classifier(categorical_features="all", **own).fit(real.X, real.y)
    assert_same_selection(model, real.table, averaged, own, {})
