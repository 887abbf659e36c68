"""Classifiers that choose what they keep equal their slow twins: all losses on the way, and the choice."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from test_case_twins import copied, dependent_table, real_table
from test_naive_twins import LAYOUTS, SOURCES, assert_equals_twin, fitted, options_of

from seminaive import KDB, AdaptiveKDB, NaiveBayes, SelectiveKDB, SelectiveNaiveBayes
from seminaive.testing import naive, naive_selection
from seminaive.testing.naive_selection import Selection, Step

pytestmark = pytest.mark.filterwarnings(
    "ignore::seminaive.UnseenValueWarning", "ignore::seminaive.ImpossibleEvidenceWarning"
)

SHARED = Path(os.environ.get("SEMINAIVE_SHARED") or Path(__file__).parents[2].parent / "shared")
needs_data = pytest.mark.skipif(
    not (SHARED / "data").is_dir(),
    reason=f"no data in {SHARED}: set SEMINAIVE_SHARED to the directory of data/",
)


# --- what is compared


def naive_bayes_twin(
    table: naive.Table, search: str, criterion: Any, accept_ties: bool, **shared: Any
) -> Selection:
    """The twin of either search."""
    twin = naive_selection.greedy_selection if search == "greedy" else naive_selection.prefix_selection
    return twin(table, criterion, accept_ties, **shared)


def selective_kdb_twin(table: naive.Table, **options: Any) -> Selection:
    """The selection alone."""
    return naive_selection.selective_kdb(table, **options)[0]


@dataclass(frozen=True)
class Kind:
    """A classifier, its twin, and its own parameters."""

    classifier: type
    twin: Callable[..., Selection]
    own: st.SearchStrategy[dict[str, Any]]


CRITERIA = st.sampled_from(["zero_one", "rmse", "log_loss"])
# 0 is a batch of equal values, 1e300 one of all that are positive
DELTAS = st.sampled_from([0, 0.1, 0.5, 3, 1e300])
KINDS = {
    "SelectiveNaiveBayes": Kind(
        SelectiveNaiveBayes,
        naive_bayes_twin,
        st.fixed_dictionaries(
            {
                "search": st.sampled_from(["greedy", "mi_prefix"]),
                "criterion": CRITERIA,
                "accept_ties": st.booleans(),
            }
        ),
    ),
    "SelectiveKDB": Kind(
        SelectiveKDB,
        selective_kdb_twin,
        st.fixed_dictionaries({"max_k": st.integers(0, 5), "criterion": CRITERIA}),
    ),
    "AdaptiveKDB": Kind(
        AdaptiveKDB,
        naive_selection.adaptive_selection,
        st.fixed_dictionaries(
            {
                "k": st.integers(0, 5),
                "delta": DELTAS,
                "select_features": st.sampled_from([True, True, False]),
                "select_dependencies": st.sampled_from([True, True, False]),
                "search": st.sampled_from(["greedy", "best_prefix"]),
                "strict": st.booleans(),
            }
        ),
    ),
}
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


def assert_same(
    kind: Kind,
    model: Any,
    table: naive.Table,
    names: Sequence[str],
    own: Mapping[str, Any],
    shared: Mapping[str, Any] | None = None,
) -> Selection:
    """The whole path and the choice are the twin's, which is returned."""
    expected = kind.twin(table, **own, **as_twin_options(shared or {}))
    order = [names[i] for i in naive_selection.relevance_order(table)]
    full = naive.kdb_parents(table, own.get("k", own.get("max_k", 0)))
    most = max(map(len, full), default=0)
    assert_same_path(
        model.selection_path_, expected.path, names, sizes_of(kind, expected.path, full, most + 1)
    )

    chosen = [names[i] for i in expected.features]
    assert model.selected_features_ == chosen
    assert model.get_support().tolist() == [name in chosen for name in names]
    assert model.get_support(indices=True).tolist() == expected.features
    assert model.parents_ == {names[i]: [names[p] for p in expected.parents[i]] for i in expected.features}
    assert model.loss_ == pytest.approx(expected.loss, rel=0, abs=1e-10)
    assert list(model.mutual_information_) == list(names)
    for name, i in zip(names, table.attributes, strict=True):
        assert model.mutual_information_[name] == single(naive.mutual_information(table, i))
    if isinstance(model, SelectiveKDB):
        assert model.n_features_selected_ == len(chosen)
        assert model.k_ == next(step.k for step in reversed(expected.path) if step.accepted)
    if isinstance(model, AdaptiveKDB):
        assert model.removed_features_ == [name for name in reversed(order) if name not in chosen]
        gone = [arc for step in expected.path if step.accepted for arc in step.dependencies]
        assert sorted(model.removed_dependencies_) == sorted((names[p], names[child]) for p, child in gone)
        assert len(set(model.removed_dependencies_)) == len(gone)
    return expected


def single(bits: float | None) -> Any:
    """A number in single precision, as information is ranked and told."""
    return None if bits is None else pytest.approx(bits, rel=1e-6, abs=1e-10)


def assert_same_path(
    path: Sequence[Any],
    expected: Sequence[Step],
    names: Sequence[str],
    sizes: Sequence[tuple[int, int]],
) -> None:
    """Step by step, with how many features and dependencies a network has."""
    assert [step.step for step in path] == list(range(len(expected)))
    for step, twin, size in zip(path, expected, sizes, strict=True):
        assert step.kind == twin.kind
        assert step.loss == pytest.approx(twin.loss, rel=0, abs=1e-10)
        assert step.accepted == twin.accepted
        assert sorted(step.features) == sorted(names[i] for i in twin.features)
        assert sorted(step.dependencies) == sorted((names[p], names[child]) for p, child in twin.dependencies)
        assert step.information == single(twin.information)
        assert step.threshold == single(twin.threshold)
        assert step.k == twin.k
        assert (step.n_features, step.n_dependencies) == size


def sizes_of(kind: Kind, path: Sequence[Step], full: list[list[int]], n_ks: int) -> list[tuple[int, int]]:
    """Number of features and of dependencies of every network of a path."""
    if kind.classifier is SelectiveNaiveBayes:
        return [(number, 0) for number in range(len(path))]
    if kind.classifier is SelectiveKDB:
        order = [step.features[0] for step in path[1::n_ks]]
        return [(0, 0)] + [
            (s, sum(min(k, len(full[i])) for i in order[:s]))
            for s in range(1, len(order) + 1)
            for k in range(n_ks)
        ]
    sizes = []
    kept: tuple[set[int], set[naive_selection.Arc]] = set(range(len(full))), set()
    kept[1].update((p, child) for child, parents in enumerate(full) for p in parents)
    tried, last = kept, "start"
    for step in path:
        if step.kind != last:
            tried, last = kept, step.kind  # the arcs are tried without what was not accepted of features
        features = tried[0] - set(step.features)
        tried = features, {arc for arc in tried[1] - set(step.dependencies) if set(arc) <= features}
        kept = tried if step.accepted else kept
        sizes.append((len(tried[0]), len(tried[1])))
    return sizes


def assert_predicts(
    model: Any, X_test: Any, case: Case, expected: Selection, shared: Mapping[str, Any]
) -> None:
    """What was chosen is what predicts, with the counts of all rows."""
    twin = as_twin_options(shared)
    joints = [
        naive.network_joint(
            case.table, naive_selection.only_features(row, expected.features), expected.parents, **twin
        )
        for row in case.test_rows
    ]
    assert_equals_twin(model, X_test, joints, naive.class_prior(case.table, **twin))


def same_selection(model: Any, other: Any, tolerance: float = 1e-10) -> None:
    """Two classifiers have chosen the same on the same way."""
    assert other.parents_ == model.parents_
    assert other.selected_features_ == model.selected_features_
    assert len(other.selection_path_) == len(model.selection_path_)
    for step, twin in zip(other.selection_path_, model.selection_path_, strict=True):
        assert step.loss == pytest.approx(twin.loss, rel=0, abs=tolerance)
        assert replace(step, loss=0, information=None, threshold=None) == replace(
            twin, loss=0, information=None, threshold=None
        )
        assert step.information == single(twin.information)
        assert step.threshold == single(twin.threshold)


# --- random tables


@every_kind
@examples(50)
@given(case=cases(max_rows=14, max_attributes=4), source=SOURCES, layout=LAYOUTS, data=st.data())
def test_random_tables(kind, case, source, layout, data):
    own, shared = data.draw(kind.own), options_of(data, case)
    model, X_test, names = fitted(kind.classifier(**own, **shared), case, source, layout)
    expected = assert_same(kind, model, case.table, names, own, shared)
    assert_predicts(model, X_test, case, expected, shared)


@every_kind
@examples(25)
@given(case=cases(max_rows=12, max_attributes=3), data=st.data())
def test_copied_and_constant_columns(kind, case, data):
    """Ties of information and of losses everywhere."""
    n = case.X.shape[1]
    case = copied(case, data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n)))
    if data.draw(st.booleans()):
        case = with_constant(case, data.draw(st.integers(0, n)))
    own, shared = data.draw(kind.own), options_of(data, case)
    model, X_test, names = fitted(kind.classifier(**own, **shared), case, "array")
    expected = assert_same(kind, model, case.table, names, own, shared)
    assert_predicts(model, X_test, case, expected, shared)


def with_constant(case: Case, place: int) -> Case:
    """The case with a column of one value; a test row may lack it."""
    table = case.table
    return replace(
        case,
        table=replace(
            table,
            rows=[[*row[:place], 0, *row[place:]] for row in table.rows],
            n_values=[*table.n_values[:place], 1, *table.n_values[place:]],
        ),
        X=np.insert(case.X, place, "constant", axis=1),
        X_test=np.insert(case.X_test, place, "constant", axis=1),
        test_rows=[[*row[:place], 0, *row[place:]] for row in case.test_rows],
        categories={i + (i >= place): values for i, values in case.categories.items()},
    )


@every_kind
@examples(20)
@given(case=cases(max_rows=10, max_attributes=3, weights="integer"), data=st.data())
def test_weights_are_copies(kind, case, data):
    """The twin of the table in which each row stands as often as it weighs, and that table itself."""
    own, shared = data.draw(kind.own), options_of(data, case)
    model, _, names = fitted(kind.classifier(**own, **shared), case, "array")
    table = case.table
    copies = [r for r, (_, _, weight) in enumerate(table.weighted_rows()) for _ in range(int(weight))]
    longer = naive.Table(
        [table.rows[r] for r in copies], [table.classes[r] for r in copies], table.n_values, table.n_classes
    )
    assert_same(kind, model, longer, names, own, shared)
    rows = np.repeat(np.arange(len(case.y)), case.weights.astype(int))
    repeated = replace(case, X=case.X[rows], y=case.y[rows], weights=None)
    same_selection(model, fitted(kind.classifier(**own, **shared), repeated, "array")[0])


@every_kind
@examples(15)
@given(case=cases(max_rows=12, max_attributes=3), data=st.data())
def test_missing_as_a_value(kind, case, data):
    """One more value of the columns in which it occurs in training."""
    table = case.table
    gains = [any(row[i] is None for row in table.rows) for i in table.attributes]
    valued = replace(
        table,
        rows=[
            [v if code is None else code for code, v in zip(row, table.n_values, strict=True)]
            for row in table.rows
        ],
        n_values=[v + gained for v, gained in zip(table.n_values, gains, strict=True)],
    )
    own, shared = data.draw(kind.own), options_of(data, case)
    model, _, names = fitted(kind.classifier(missing="value", **own, **shared), case, "frame")
    assert_same(kind, model, valued, names, own, shared)


# --- tables with something to choose


OWN = {
    "greedy": ("SelectiveNaiveBayes", {"search": "greedy", "criterion": "zero_one", "accept_ties": False}),
    "greedy ties": ("SelectiveNaiveBayes", {"search": "greedy", "criterion": "rmse", "accept_ties": True}),
    "prefix": ("SelectiveNaiveBayes", {"search": "mi_prefix", "criterion": "log_loss", "accept_ties": False}),
    "selective": ("SelectiveKDB", {"max_k": 2, "criterion": "rmse"}),
    "selective zero-one": ("SelectiveKDB", {"max_k": 3, "criterion": "zero_one"}),
    "adaptive": (
        "AdaptiveKDB",
        {
            "k": 2,
            "delta": 0.1,
            "select_features": True,
            "select_dependencies": True,
            "search": "greedy",
            "strict": False,
        },
    ),
    "adaptive best": (
        "AdaptiveKDB",
        {
            "k": 2,
            "delta": 0.1,
            "select_features": True,
            "select_dependencies": True,
            "search": "best_prefix",
            "strict": True,
        },
    ),
}
every_choice = pytest.mark.parametrize(
    ("kind", "own"), [(KINDS[name], own) for name, own in OWN.values()], ids=list(OWN)
)


@every_choice
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_dependent_tables(kind, own, weighted):
    codes, classes, table = dependent_table(40, 0.1, weighted)
    model = kind.classifier(categorical_features="all", **own)
    model.fit(codes, classes, sample_weight=table.weights)
    assert_same(kind, model, table, [f"x{i}" for i in range(5)], own)
    assert len(model.selection_path_) > 2


@needs_data
@every_choice
@pytest.mark.parametrize("name", ["zoo", "breast-cancer", "soybean"])
def test_real_data(kind, own, name):
    real = real_table(name, n_rows=30, n_columns=6)
    model = kind.classifier(categorical_features="all", **own).fit(real.X, real.y)
    assert_same(kind, model, real.table, list(real.X), own)


@needs_data
def test_real_data_have_something_to_choose():
    """What the comparisons above would be worth nothing without."""
    sizes = set()
    removed = {"feature": 0, "dependency": 0}
    for name in ("zoo", "breast-cancer", "soybean"):
        real = real_table(name, n_rows=30, n_columns=6)
        for kind, own in OWN.values():
            model = KINDS[kind].classifier(categorical_features="all", **own).fit(real.X, real.y)
            sizes.add(len(model.selected_features_))
            for step in model.selection_path_[1:]:
                if kind == "AdaptiveKDB" and step.accepted:
                    removed[step.kind] += 1
    assert len(sizes) >= 4
    assert min(removed.values()) >= 2


@needs_data
@pytest.mark.parametrize(("name", "search"), [("zoo", "greedy"), ("breast-cancer", "mi_prefix")])
def test_leave_one_out_of_scikit_learn(name, search):
    """The classifier that results is fitted as often as there are rows; no class has a single row."""
    real = real_table(name, n_rows=50, n_columns=6)
    frequent = pd.Series(real.y).map(pd.Series(real.y).value_counts()).to_numpy() > 1
    X, y = real.X[frequent], real.y[frequent]
    categories = {column: sorted(set(X[column]) - {None}) for column in X}
    losses = {}
    for criterion in ("zero_one", "rmse", "log_loss"):
        model = SelectiveNaiveBayes(search=search, criterion=criterion, categories=categories).fit(X, y)
        chosen = model.selected_features_
        if not chosen:
            continue
        plain = NaiveBayes(categories={column: categories[column] for column in chosen})
        p = cross_val_predict(plain, X[chosen], y, cv=LeaveOneOut(), method="predict_proba")
        of_row = p[np.arange(len(y)), np.searchsorted(model.classes_, y)]
        losses[criterion] = model.loss_
        expected = {
            "zero_one": np.mean(model.classes_[p.argmax(axis=1)] != y),
            "rmse": np.sqrt(np.mean((1 - of_row) ** 2)),
            "log_loss": -np.log(of_row).mean(),
        }
        assert model.loss_ == pytest.approx(expected[criterion], rel=0, abs=1e-10)
    assert losses


# --- ties that rounding hides


@pytest.mark.parametrize("counts", [(1, 2, 5), (2, 3, 6), (1, 3, 4), (0, 2, 3)])
def test_classes_that_are_equally_probable_but_for_rounding(counts):
    """The first of two classes is predicted where the logs of its factors are added in another order."""
    n = 7  # rows of each class beside that which is judged, all ones, of class 0
    own = {"select_features": False, "select_dependencies": False}
    for of_first in itertools.permutations(counts):
        for of_second in itertools.permutations(counts):
            columns = [
                [int(r < first) for r in range(n)] + [int(r < second) for r in range(n)] + [1]
                for first, second in zip(of_first, of_second, strict=True)
            ]
            table = naive.Table(list(zip(*columns, strict=True)), [0] * n + [1] * n + [0], [2] * 3, 2)
            p = naive_selection.left_out_posteriors(table, range(3), [[]] * 3)[-1]
            assert p == pytest.approx([0.5, 0.5], abs=1e-14)
            model = AdaptiveKDB(k=0, categorical_features="all", **own)
            model.fit(np.array(table.rows), np.array(table.classes))
            loss = naive_selection.leave_one_out_loss(table, range(3), [[]] * 3)
            assert model.loss_ == pytest.approx(loss, rel=0, abs=1e-10)


@pytest.mark.parametrize("criterion", ["rmse", "log_loss"])
def test_losses_that_are_equal_but_for_rounding(criterion):
    """Columns with the same values in other rows of each class: the losses are added in another order."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [9, 14, 20])
    for _ in range(10):
        column = (y + (rng.random(len(y)) < 0.4) * rng.integers(3, size=len(y))) % 3
        columns = [
            np.concatenate([rng.permutation(column[y == label]) for label in range(3)]) for _ in range(5)
        ]
        X = np.column_stack(columns)
        options = {"criterion": criterion, "categorical_features": "all"}
        greedy = SelectiveNaiveBayes(**options).fit(X, y)
        assert greedy.selection_path_[1].features == ("x0",)
        # the prior alone is not beaten by what tells nothing
        constant = np.zeros_like(X)
        assert SelectiveKDB(max_k=2, **options).fit(constant, y).selected_features_ == []
        every = SelectiveNaiveBayes(accept_ties=True, **options).fit(constant, y)
        assert every.get_support().all()


# --- invariances


@every_kind
@examples(20)
@given(case=cases(max_rows=25), layout=LAYOUTS, data=st.data())
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
    same_selection(model, other)
    np.testing.assert_allclose(
        other.predict_proba(X_moved_test), model.predict_proba(X_test), rtol=0, atol=1e-10
    )


@every_choice
@examples(5)
@given(columns=st.permutations(range(5)))
def test_order_of_columns(kind, own, columns):
    """It does not matter where nothing ties: weights at random, and no column copies another."""
    own = {**own, "criterion": "rmse"} if "criterion" in own else own
    codes, classes, table = dependent_table(120, 0.1, True)
    frame = pd.DataFrame(codes, columns=list("edcba"))
    moved = frame.iloc[:, columns]
    models = [
        kind.classifier(categorical_features="all", **own).fit(X, classes, sample_weight=table.weights)
        for X in (frame, moved)
    ]
    assert models[0].parents_ == models[1].parents_
    for step, other in zip(*(model.selection_path_ for model in models), strict=True):
        assert set(step.features) == set(other.features)
        assert set(step.dependencies) == set(other.dependencies)
        assert (step.kind, step.k, step.accepted) == (other.kind, other.k, other.accepted)
        assert step.loss == pytest.approx(other.loss, rel=0, abs=1e-10)


@every_choice
def test_threads(kind, own):
    """More rows than a block has; the losses are the same to the last digit."""
    codes, classes, table = dependent_table(150, 0.1, True)
    many = np.tile(codes, (100, 1)), np.tile(classes, 100), np.tile(table.weights, 100)
    estimator = kind.classifier(categorical_features="all", **own)
    one, two = (clone(estimator).set_params(n_jobs=n_jobs).fit(*many) for n_jobs in (1, 2))
    assert one.selection_path_ == two.selection_path_
    assert one.loss_ == two.loss_
    assert one.parents_ == two.parents_


@every_choice
def test_blocks_of_rows(kind, own, monkeypatch):
    codes, classes, table = dependent_table(150, 0.1, True)
    estimator = kind.classifier(categorical_features="all", **own)
    whole = clone(estimator).fit(codes, classes, sample_weight=table.weights)
    monkeypatch.setattr("seminaive.learn.selection._BLOCK_ROWS", 7)
    same_selection(whole, clone(estimator).fit(codes, classes, sample_weight=table.weights))


@every_kind
@examples(15)
@given(case=cases(max_rows=25), data=st.data())
def test_combinations_that_are_found_by_sorting(kind, case, data):
    """As they are where there would be many more combinations of values than rows."""
    own, shared = data.draw(kind.own), options_of(data, case)
    model, _, _ = fitted(kind.classifier(**own, **shared), case, "array")
    with patch("seminaive.learn.contexts._PLACES_PER_ROW", -(10**9)):
        same_selection(model, fitted(kind.classifier(**own, **shared), case, "array")[0])


@every_kind
@examples(15)
@given(case=cases(max_rows=25), data=st.data(), factor=st.sampled_from([0.25, 3]))
def test_classes_that_all_weigh_the_same(kind, case, data, factor):
    """Counts and smoothing in other units; what is left out is so, too."""
    own, shared = data.draw(kind.own), options_of(data, case)
    model, _, _ = fitted(kind.classifier(**own, **shared), case, "array")
    shared["smoothing_strength"] *= factor
    weighted = kind.classifier(class_weight=dict.fromkeys(case.classes, factor), **own, **shared)
    same_selection(model, fitted(weighted, case, "array")[0])


@examples(20)
@given(case=cases(max_rows=12, max_attributes=3, weights="none"), data=st.data())
def test_a_row_of_a_class_that_weighs_more_is_left_out_with_all_its_weight(case, data):
    shared = options_of(data, case)
    factors = data.draw(st.lists(st.sampled_from([0.5, 1, 4]), min_size=4, max_size=9))
    class_weight = {label: factors[y % len(factors)] for y, label in enumerate(case.classes)}
    own = {"select_features": False, "select_dependencies": False}
    model, _, _ = fitted(AdaptiveKDB(k=2, class_weight=class_weight, **own, **shared), case, "array")
    weights = [class_weight[case.classes[y]] for y in case.table.classes]
    table = replace(case.table, weights=weights)
    parents, twin = naive.kdb_parents(table, 2), as_twin_options(shared)
    posteriors = []
    for r, row in enumerate(table.rows):
        others = replace(table, weights=[*weights[:r], 0, *weights[r + 1 :]])
        if shared["class_prior"] == "empirical" and len(table.rows) == 1:
            prior = [1 / table.n_classes] * table.n_classes
        else:
            prior = naive.class_prior(others, **twin)
        joint = naive.network_joint(others, row, parents, **{**twin, "prior": prior})
        posteriors.append(naive.posterior(joint, prior))
    assert model.loss_ == pytest.approx(
        naive_selection.mean_loss(table, posteriors, "zero_one"), rel=0, abs=1e-10
    )


@every_choice
def test_numbers_are_cut_once(kind, own):
    """Intervals come from all rows, also where one is left out."""
    rng = np.random.default_rng(3)
    y = rng.integers(3, size=120)
    X = np.column_stack([y * step + rng.normal(size=120) for step in (3, 2, 1, 0.5)])
    X[rng.random(X.shape) < 0.05] = np.nan
    model = kind.classifier(discretizer="equal-frequency", **own).fit(X, y)
    cuts = [attribute.cut_points for attribute in model.schema_.attributes]
    codes = np.column_stack([np.searchsorted(points, x) for points, x in zip(cuts, X.T, strict=True)])
    values = {i: list(range(len(points) + 1)) for i, points in enumerate(cuts)}
    coded = kind.classifier(categorical_features="all", categories=values, **own)
    same_selection(model, coded.fit(np.where(np.isnan(X), np.nan, codes), y))


# --- identities


@examples(20)
@given(case=cases(max_rows=12, max_attributes=4), k=st.integers(0, 4), data=st.data())
def test_nothing_removed_is_kdb(case, k, data):
    shared = options_of(data, case)
    neither = AdaptiveKDB(k=k, select_features=False, select_dependencies=False, **shared)
    model, X_test, _ = fitted(neither, case, "frame")
    kdb, _, _ = fitted(KDB(k=k, **shared), case, "frame")
    assert model.parents_ == kdb.parents_
    np.testing.assert_array_equal(model.joint_log_likelihood(X_test), kdb.joint_log_likelihood(X_test))
    # the paths of both selections meet in the network of all features
    every, _, names = fitted(SelectiveKDB(max_k=k, criterion="zero_one", **shared), case, "frame")
    whole = every.selection_path_[-1]
    assert (whole.n_features, whole.k) == (len(names), min(k, len(names) - 1))
    assert whole.n_dependencies == sum(map(len, kdb.parents_.values()))
    assert whole.loss == pytest.approx(model.loss_, rel=0, abs=1e-12)
    assert whole.loss == pytest.approx(
        naive_selection.leave_one_out_loss(
            case.table, case.table.attributes, naive.kdb_parents(case.table, k), **as_twin_options(shared)
        ),
        rel=0,
        abs=1e-10,
    )


@examples(20)
@given(case=cases(max_rows=20), criterion=CRITERIA, data=st.data())
def test_no_parents_at_all_are_selective_naive_bayes(case, criterion, data):
    shared = options_of(data, case)
    kdb, X_test, _ = fitted(SelectiveKDB(max_k=0, criterion=criterion, **shared), case, "array")
    prefix = SelectiveNaiveBayes(search="mi_prefix", criterion=criterion, **shared)
    model, _, _ = fitted(prefix, case, "array")
    assert model.parents_ == kdb.parents_
    assert model.loss_ == kdb.loss_
    np.testing.assert_array_equal(model.predict_proba(X_test), kdb.predict_proba(X_test))


@every_kind
@examples(15)
@given(case=cases(max_rows=25), data=st.data())
def test_the_classifier_that_knows_the_chosen_columns_only(kind, case, data):
    """KDB of the chosen features, with their parents as they are, or naive Bayes."""
    own, shared = data.draw(kind.own), options_of(data, case)
    if kind.classifier is AdaptiveKDB:
        own["select_dependencies"] = False
    model, X_test, _ = fitted(kind.classifier(**own, **shared), case, "frame")
    chosen = model.selected_features_
    if not chosen:
        np.testing.assert_allclose(
            model.predict_proba(X_test), np.exp(np.tile(model._log_prior, (len(X_test), 1))), atol=1e-15
        )
        return
    k = own.get("k", getattr(model, "k_", 0))
    domains = {name: values for name, values in case.named_categories().items() if name in chosen}
    kdb = KDB(k=k, categories=domains, **shared)
    kdb.fit(case.frame(case.X)[chosen], case.y, sample_weight=case.weights)
    assert kdb.parents_ == model.parents_
    np.testing.assert_allclose(
        kdb.predict_proba(X_test[chosen]), model.predict_proba(X_test), rtol=0, atol=1e-12
    )
