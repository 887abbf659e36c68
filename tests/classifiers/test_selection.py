"""Classifiers that choose what they keep, as users see them: parameters, support, path, plot, odd data."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, asdict, fields
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest, mutual_info_classif
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from seminaive import (
    KDB,
    AdaptiveKDB,
    NaiveBayes,
    SelectiveKDB,
    SelectiveNaiveBayes,
    all_classifiers,
)
from seminaive.learn.selection import SelectionPath, SelectionStep

SELECTIVE = [
    SelectiveNaiveBayes(),
    SelectiveNaiveBayes(search="mi_prefix", criterion="log_loss"),
    SelectiveKDB(),
    SelectiveKDB(max_k=1, criterion="zero_one"),
    AdaptiveKDB(),
    AdaptiveKDB(k=1, search="best_prefix", delta=0.5),
]
FIELDS = [
    "step",
    "kind",
    "features",
    "dependencies",
    "information",
    "threshold",
    "n_features",
    "n_dependencies",
    "k",
    "loss",
    "accepted",
]


def name(model: Any) -> str:
    return repr(model).replace("\n", "").replace(" ", "")


every = pytest.mark.parametrize("model", SELECTIVE, ids=name)


@pytest.fixture(scope="module")
def table() -> tuple[pd.DataFrame, np.ndarray]:
    """`pair` tells most beside `half`, `copy` is nearly `good`, `noise` and `static` tell nothing."""
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=200)
    good = np.where(rng.random(200) < 0.8, y, rng.integers(3, size=200))
    half = np.where(rng.random(200) < 0.7, rng.integers(2, size=200), y)
    columns = {
        "noise": rng.integers(3, size=200),
        "good": good,
        "copy": np.where(rng.random(200) < 0.9, good, 2),
        "half": half,
        "pair": np.where(rng.random(200) < 0.9, half ^ y, rng.integers(2, size=200)),
        "static": rng.integers(4, size=200),
    }
    return pd.DataFrame(columns).astype(str), y


def test_all_of_them_are_public():
    public = all_classifiers()
    for model in SELECTIVE:
        assert public[type(model).__name__] is type(model)


# --- parameters


@pytest.mark.parametrize("k", [-1, 1.0, 2.5, "2", None, True, [1]], ids=repr)
def test_number_of_parents_must_be_a_whole_number(k):
    with pytest.raises(ValueError, match=r"^k must be an integer >= 0, got"):
        AdaptiveKDB(k=k).fit([["a"]], [0])
    with pytest.raises(ValueError, match="max_k must be an integer >= 0, got"):
        SelectiveKDB(max_k=k).fit([["a"]], [0])


@pytest.mark.parametrize("delta", [-0.1, float("nan"), float("inf"), "0.1", None, [0.1]], ids=repr)
def test_delta_must_be_a_number(delta):
    with pytest.raises(ValueError, match="delta must be a finite number >= 0, got"):
        AdaptiveKDB(delta=delta).fit([["a"]], [0])


@pytest.mark.parametrize(
    ("classifier", "parameter", "allowed"),
    [
        (SelectiveNaiveBayes, "search", ["greedy", "mi_prefix"]),
        (SelectiveNaiveBayes, "criterion", ["zero_one", "rmse", "log_loss"]),
        (SelectiveKDB, "criterion", ["zero_one", "rmse", "log_loss"]),
        (AdaptiveKDB, "search", ["greedy", "best_prefix"]),
    ],
)
@pytest.mark.parametrize("value", ["", "Greedy", "accuracy", "prefix", None, 0, ["greedy"]], ids=repr)
def test_words_that_are_not_understood(classifier, parameter, allowed, value):
    with pytest.raises(ValueError) as raised:
        classifier(**{parameter: value}).fit([["a"]], [0])
    message = str(raised.value)
    assert message.startswith(f"{parameter}={value!r} is not understood")
    assert all(repr(word) in message for word in allowed)


@pytest.mark.parametrize(
    ("classifier", "parameter"),
    [
        (SelectiveNaiveBayes, "accept_ties"),
        (AdaptiveKDB, "select_features"),
        (AdaptiveKDB, "select_dependencies"),
        (AdaptiveKDB, "strict"),
    ],
)
@pytest.mark.parametrize("value", ["no", None, 2, "True"], ids=repr)
def test_flags_are_true_or_false(classifier, parameter, value):
    with pytest.raises(ValueError, match=f"{parameter} must be True or False, got {value!r}"):
        classifier(**{parameter: value}).fit([["a"]], [0])
    classifier(**{parameter: np.True_}).fit([["a"]], [0])


@every
def test_shared_options_are_checked_too(model):
    for wrong in ({"smoothing": "none"}, {"smoothing_strength": -1}, {"class_prior": [1]}, {"n_jobs": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            clone(model).set_params(**wrong).fit([["a"], ["b"]], [0, 1])


def test_one_parameter_may_be_given_by_place_where_kdb_has_it():
    assert SelectiveKDB(3).max_k == AdaptiveKDB(3).k == 3
    with pytest.raises(TypeError):
        SelectiveNaiveBayes("greedy")
    with pytest.raises(TypeError):
        AdaptiveKDB(2, 0.1)


@every
def test_nothing_is_there_before_fitting(model):
    model = clone(model)
    for call in (model.get_support, model.plot_selection_path, lambda: model.transform([["a"]])):
        with pytest.raises(NotFittedError):
            call()
    assert not hasattr(model, "selection_path_")
    assert not hasattr(model, "partial_fit")


# --- support


@every
def test_support(model, table):
    X, y = table
    fitted = clone(model).fit(X, y)
    mask, indices = fitted.get_support(), fitted.get_support(indices=True)
    like = SelectKBest(mutual_info_classif, k=2).fit(X.astype(int), y)
    assert mask.dtype == like.get_support().dtype == bool
    assert mask.shape == like.get_support().shape
    assert indices.dtype == like.get_support(indices=True).dtype
    assert np.flatnonzero(mask).tolist() == indices.tolist()
    assert fitted.selected_features_ == list(X.columns[mask]) == list(fitted.parents_)
    assert all(set(parents) < set(fitted.selected_features_) for parents in fitted.parents_.values())
    assert 0 < mask.sum() < len(mask), "all or nothing proves nothing"
    mask[:] = False  # a copy, or the model would predict by it
    assert list(X.columns[fitted.get_support(indices=True)]) == fitted.selected_features_


@every
def test_support_inside_a_pipeline(model, table):
    X, y = table
    pipeline = make_pipeline(FunctionTransformer(lambda X: X[sorted(X.columns)]), clone(model)).fit(X, y)
    alone = clone(model).fit(X[sorted(X.columns)], y)
    np.testing.assert_array_equal(pipeline[-1].get_support(), alone.get_support())
    np.testing.assert_array_equal(pipeline.predict(X), alone.predict(X[sorted(X.columns)]))
    # as a selector before another classifier
    selected = make_pipeline(clone(model), NaiveBayes()).fit(X, y)
    plain = NaiveBayes().fit(X[selected[0].selected_features_], y)
    assert selected[:-1].get_feature_names_out().tolist() == selected[0].selected_features_
    np.testing.assert_array_equal(
        selected.predict_proba(X), plain.predict_proba(X[selected[0].selected_features_])
    )


@every
def test_transform_keeps_the_selected_columns(model, table):
    X, y = table
    fitted = clone(model).fit(X, y)
    kept = X[fitted.selected_features_]
    np.testing.assert_array_equal(fitted.transform(X), kept.to_numpy())
    pd.testing.assert_frame_equal(
        clone(model).set_output(transform="pandas").fit(X, y).transform(X), kept, check_dtype=False
    )
    holes = X.astype(object).where(np.random.default_rng(0).random(X.shape) < 0.9, None)
    with_holes = clone(model).fit(holes, y)
    np.testing.assert_array_equal(
        pd.isna(with_holes.transform(holes)), holes[with_holes.selected_features_].isna()
    )


@every
def test_every_kind_of_table(model, table):
    X, y = table
    fitted = clone(model).fit(X, y)
    for convert in (pl.from_pandas, lambda X: pa.Table.from_pandas(X, preserve_index=False)):
        other = clone(model).fit(convert(X), y)
        assert other.selection_path_ == fitted.selection_path_
        assert other.parents_ == fitted.parents_
    array = clone(model).fit(X.to_numpy(), y)
    spelled = dict(zip(X.columns, [f"x{i}" for i in range(X.shape[1])], strict=True))
    assert array.selected_features_ == [spelled[feature] for feature in fitted.selected_features_]
    assert [step.loss for step in array.selection_path_] == [step.loss for step in fitted.selection_path_]


def test_parameters_can_be_searched(table):
    X, y = table
    search = GridSearchCV(SelectiveKDB(), {"max_k": [0, 1], "criterion": ["rmse", "zero_one"]}, cv=3)
    search.fit(X, y)
    assert search.best_estimator_.max_k == 1  # `pair` needs `half`
    assert search.best_score_ > 0.8


@every
def test_refitting_forgets(model, table):
    X, y = table
    fitted = clone(model).fit(X, y)
    fitted.fit(X[["static", "noise"]], y)
    assert fitted.get_support().shape == (2,)
    assert set(fitted.mutual_information_) == {"static", "noise"}
    assert set(fitted.selected_features_) <= {"static", "noise"}
    again = pickle.loads(pickle.dumps(fitted))
    assert again.selection_path_ == fitted.selection_path_
    assert type(again.selection_path_) is SelectionPath


# --- path


@every
def test_path(model, table):
    X, y = table
    fitted = clone(model).fit(X, y)
    path = fitted.selection_path_
    assert isinstance(path, SelectionPath)
    assert [step.step for step in path] == list(range(len(path)))
    assert path[0].kind == "start"
    assert path[0].accepted
    assert [field.name for field in fields(SelectionStep)] == FIELDS
    with pytest.raises(FrozenInstanceError):
        path[0].loss = 0
    last = [step for step in path if step.accepted][-1]
    assert fitted.loss_ == last.loss
    assert last.n_features == len(fitted.selected_features_)
    assert last.n_dependencies == sum(map(len, fitted.parents_.values()))
    assert fitted.loss_ < path[0].loss
    for step in path:
        for value, kind in ((step.loss, float), (step.accepted, bool), (step.n_features, int)):
            assert type(value) is kind
        assert type(step.features) is type(step.dependencies) is tuple
        assert set(step.features) <= set(X)
        assert all(set(arc) <= set(X) for arc in step.dependencies)
    assert fitted.mutual_information_.keys() == set(X)


def test_path_of_greedy_search(table):
    X, y = table
    fitted = SelectiveNaiveBayes(criterion="rmse").fit(X, y)
    start, *added = fitted.selection_path_
    assert [step.n_features for step in fitted.selection_path_] == list(range(len(added) + 1))
    assert [step.accepted for step in added] == [True] * len(fitted.selected_features_) + [False]
    assert all(after.loss < before.loss for before, after in pairwise([start, *added[:-1]]))
    assert {step.features[0] for step in added[:-1]} == set(fitted.selected_features_)
    for step in added:
        assert step.information == fitted.mutual_information_[step.features[0]]


def test_path_of_selective_kdb(table):
    X, y = table
    fitted = SelectiveKDB(max_k=2).fit(X, y)
    frame = fitted.selection_path_.to_frame()
    grid = frame[1:].pivot(index="n_features", columns="k", values="loss")
    assert grid.shape == (X.shape[1], 3)
    assert fitted.loss_ == grid.min(axis=None)
    assert grid.loc[fitted.n_features_selected_, fitted.k_] == fitted.loss_
    assert sum(step.accepted for step in fitted.selection_path_) == 2
    assert fitted.k_ >= 1
    # one feature has no parents, whatever k is
    assert grid.loc[1].nunique() == 1
    assert grid.loc[2, 1] == grid.loc[2, 2]


def test_path_of_adaptive_kdb(table):
    X, y = table
    fitted = AdaptiveKDB(k=2, delta=0).fit(X, y)
    accepted = [step for step in fitted.selection_path_ if step.accepted]
    assert [f for step in accepted for f in step.features] == fitted.removed_features_
    assert [arc for step in accepted for arc in step.dependencies] == fitted.removed_dependencies_
    assert fitted.removed_features_
    assert fitted.removed_dependencies_
    assert set(fitted.removed_features_) == set(X) - set(fitted.selected_features_)
    bits = [fitted.mutual_information_[feature] for feature in fitted.removed_features_]
    assert bits == sorted(bits)
    assert max(bits) <= np.mean(list(fitted.mutual_information_.values()))
    whole = KDB(k=2).fit(X, y).parents_
    for child, parents in fitted.parents_.items():
        gone = [parent for parent, other in fitted.removed_dependencies_ if other == child]
        assert parents == [p for p in whole[child] if p not in (*gone, *fitted.removed_features_)]
    for step in fitted.selection_path_[1:]:
        assert step.information <= step.threshold
        assert step.features if step.kind == "feature" else step.dependencies


def test_the_largest_delta_makes_one_batch(table):
    X, y = table
    largest, large = (AdaptiveKDB(delta=delta).fit(X, y) for delta in (np.finfo(float).max, 1e6))
    assert largest.selection_path_ == large.selection_path_


def test_more_parents_than_there_can_be(table):
    X, y = table
    for narrow, wide in (
        (SelectiveKDB(max_k=5), SelectiveKDB(max_k=50)),
        (AdaptiveKDB(k=5), AdaptiveKDB(k=50)),
    ):
        narrow.fit(X, y)
        wide.fit(X, y)
        assert wide.selection_path_ == narrow.selection_path_
        assert wide.parents_ == narrow.parents_


@every
def test_path_as_a_frame(model, table):
    X, y = table
    path = clone(model).fit(X, y).selection_path_
    frame = path.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == FIELDS
    assert len(frame) == len(path)
    assert frame["loss"].tolist() == [step.loss for step in path]
    assert frame["accepted"].dtype == bool
    assert frame["n_features"].dtype.kind == frame["step"].dtype.kind == "i"
    for row, step in zip(frame.itertuples(), path, strict=True):
        assert all(feature in row.features for feature in step.features)
        assert all(
            parent in row.dependencies and child in row.dependencies for parent, child in step.dependencies
        )
        assert pd.isna(row.information) if step.information is None else row.information == step.information
    assert path == clone(model).fit(X, y).selection_path_, "to_frame changed the path"


def test_path_as_a_table_of_pyarrow_without_pandas(table, monkeypatch):
    X, y = table
    path = AdaptiveKDB().fit(X, y).selection_path_
    expected = path.to_frame()
    monkeypatch.setitem(sys.modules, "pandas", None)
    made = path.to_frame()
    monkeypatch.undo()
    assert isinstance(made, pa.Table)
    assert made.column_names == FIELDS
    assert made.column("loss").to_pylist() == expected["loss"].tolist()
    assert made.column("threshold").to_pylist()[0] is None
    assert made.num_rows == len(path)


# --- plot


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@every
def test_plot(model, table, pyplot):
    X, y = table
    fitted = clone(model).fit(X, y)
    ax = fitted.plot_selection_path()
    drawn = {loss for line in ax.lines for loss in line.get_ydata()}
    assert drawn == {step.loss for step in fitted.selection_path_}
    assert ax.get_xlabel()
    assert "loss" in ax.get_ylabel()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert len(labels) == len(set(labels)) > 1
    if not isinstance(model, SelectiveKDB) and getattr(model, "search", "") != "mi_prefix":
        points = [line.get_ydata() for line in ax.lines if line.get_linestyle() == "None"]
        assert sum(map(len, points)) == len(fitted.selection_path_)
    ax.figure.savefig(__import__("io").BytesIO())


def test_plot_where_it_is_told(table, pyplot):
    X, y = table
    figure, (left, right) = pyplot.subplots(1, 2)
    fitted = SelectiveKDB(max_k=1).fit(X, y)
    assert fitted.plot_selection_path(ax=right) is right
    assert not left.lines
    assert right.lines
    assert len(pyplot.get_fignums()) == 1
    assert fitted.plot_selection_path().figure is not figure


@pytest.mark.parametrize("model", SELECTIVE, ids=name)
def test_plot_of_nothing(model, pyplot):
    """A path of the start alone, or where nothing is chosen."""
    fitted = clone(model).fit([["a"], ["b"]], [0, 1])
    assert fitted.plot_selection_path().lines


def test_plot_without_matplotlib(table, monkeypatch):
    X, y = table
    fitted = AdaptiveKDB().fit(X, y)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install 'seminaive"):
        fitted.plot_selection_path()


def test_fitting_does_not_load_what_draws():
    code = (
        "import sys; from seminaive import AdaptiveKDB; AdaptiveKDB().fit([['a'], ['b']], [0, 1]);"
        "sys.exit(any(name in sys.modules for name in ('matplotlib', 'networkx')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- identities


@pytest.mark.parametrize("k", [0, 1, 2, 4])
@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
def test_nothing_removed_is_kdb(load, k):
    X, y = load(return_X_y=True, as_frame=True)
    model = AdaptiveKDB(k=k, select_features=False, select_dependencies=False).fit(X, y)
    kdb = KDB(k=k).fit(X, y)
    assert model.parents_ == kdb.parents_
    assert model.get_support().all()
    assert (model.removed_features_, model.removed_dependencies_) == ([], [])
    (start,) = model.selection_path_
    assert (start.n_features, start.n_dependencies) == (X.shape[1], sum(map(len, kdb.parents_.values())))
    np.testing.assert_array_equal(model.predict_proba(X), kdb.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), kdb.predict(X))


def test_both_removals_come_one_after_the_other(table):
    """The first half of the path is that of the removal of features alone."""
    X, y = table
    both = AdaptiveKDB(k=2).fit(X, y)
    features = AdaptiveKDB(k=2, select_dependencies=False).fit(X, y)
    n = len(features.selection_path_)
    assert both.selection_path_[:n] == features.selection_path_
    assert {step.kind for step in both.selection_path_[n:]} == {"dependency"}
    assert both.removed_features_ == features.removed_features_
    dependencies = AdaptiveKDB(k=2, select_features=False).fit(X, y)
    assert {step.kind for step in dependencies.selection_path_[1:]} == {"dependency"}
    assert dependencies.removed_features_ == []
    assert dependencies.get_support().all()
    assert both.loss_ <= features.loss_ <= features.selection_path_[0].loss


@pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")
def test_no_feature_left_is_the_prior():
    """Two features that are independent of the class, alone and together."""
    X = np.array([[a, b] for a in "pq" for b in "pq" for _ in range(2)])
    y = np.array([0, 1] * 4)
    given = {"class_prior": [0.25, 0.75]}
    for model in (
        SelectiveNaiveBayes(),
        SelectiveNaiveBayes(criterion="rmse", **given),
        SelectiveNaiveBayes(search="mi_prefix", **given),
        SelectiveKDB(max_k=1, **given),
        SelectiveKDB(max_k=1, criterion="log_loss", class_prior="empirical"),
    ):
        fitted = model.fit(X, y)
        assert fitted.selected_features_ == []
        assert fitted.parents_ == {}
        assert not fitted.get_support().any()
        assert fitted.get_support(indices=True).tolist() == []
        prior = [0.25, 0.75] if isinstance(fitted.class_prior, list) else [0.5, 0.5]
        anything = np.array([["p", "q"], ["never seen", None]], dtype=object)
        np.testing.assert_allclose(fitted.predict_proba(anything), [prior] * 2, rtol=0, atol=1e-15)
        assert fitted.loss_ == fitted.selection_path_[0].loss
        assert "->" not in fitted.to_dot()
        assert fitted.to_networkx().number_of_edges() == 0
    assert isinstance(fitted, SelectiveKDB)
    assert (fitted.k_, fitted.n_features_selected_) == (0, 0)


@pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")
def test_values_of_features_that_are_not_kept_do_not_count(table):
    X, y = table
    fitted = AdaptiveKDB().fit(X, y)
    other = X.assign(**dict.fromkeys(fitted.removed_features_, "never seen"))
    np.testing.assert_array_equal(fitted.predict_proba(other), fitted.predict_proba(X))


def test_removed_features_are_in_no_arc(table):
    X, y = table
    fitted = AdaptiveKDB(k=1).fit(X, y)
    arcs = list(fitted.to_networkx().edges)
    assert {child for _, child in arcs} == set(fitted.selected_features_)
    assert {parent for parent, _ in arcs} <= {"class", *fitted.selected_features_}


# --- degenerate data


DEGENERATE = {
    "one row": (np.array([["a", "b"]]), [1]),
    "one class": (np.array([["a", "b"], ["b", "b"], ["a", "a"]]), [0] * 3),
    "one column": (np.array([["a"], ["b"], ["a"]]), [0, 1, 1]),
    "constant columns": (np.full((6, 3), "c"), [0, 1] * 3),
    "nothing observed": (np.full((4, 2), None, dtype=object), [0, 1, 1, 0]),
    "as many classes as rows": (np.array([["a", "b"], ["b", "b"], ["a", "a"]]), [2, 0, 1]),
    "numbers without cuts": (np.zeros((5, 2)), [0, 1, 0, 1, 1]),
}


@every
@pytest.mark.parametrize("case", list(DEGENERATE))
@pytest.mark.parametrize("smoothing_strength", [1.0, 0.0])
def test_degenerate_data(model, case, smoothing_strength):
    X, y = DEGENERATE[case]
    fitted = clone(model).set_params(smoothing_strength=smoothing_strength).fit(X, y)
    assert np.isfinite([step.loss for step in fitted.selection_path_]).all()
    p = fitted.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=0, atol=1e-12)
    if isinstance(model, AdaptiveKDB):
        assert fitted.selected_features_
    if case == "one class":
        assert fitted.loss_ == 0


@pytest.mark.parametrize("criterion", ["zero_one", "rmse", "log_loss"])
def test_classes_without_another_row_are_never_told(criterion):
    """Every class is impossible once its only row is left out; the loss is finite all the same."""
    X = np.array([["a"], ["b"], ["c"]])
    fitted = SelectiveNaiveBayes(criterion=criterion, class_prior="empirical", smoothing_strength=0).fit(
        X, [0, 1, 2]
    )
    worst = {"zero_one": 1, "rmse": 1, "log_loss": -np.log(np.finfo(float).tiny)}
    assert fitted.loss_ == pytest.approx(worst[criterion], rel=1e-15)
    assert fitted.selected_features_ == []


@every
def test_rows_without_weight_are_absent(model, table):
    X, y = table
    weights = np.r_[np.ones(120), np.zeros(80)]
    weighted = clone(model).fit(X, y, sample_weight=weights)
    assert weighted.selection_path_ == clone(model).fit(X[:120], y[:120]).selection_path_


@every
def test_asdict_of_a_step_is_the_row_of_a_table(model, table):
    X, y = table
    step = clone(model).fit(X, y).selection_path_[-1]
    assert list(asdict(step)) == FIELDS


@pytest.mark.parametrize("classifier", [SelectiveNaiveBayes, AdaptiveKDB, SelectiveKDB])
def test_rows_that_do_not_fit(classifier):
    rng = np.random.default_rng(0)
    X, y = rng.integers(2, size=(20_000, 3)), rng.integers(3, size=20_000)
    with pytest.raises(MemoryError, match=r"leave-one-out on 20,000 rows.*above the limit of 500,000"):
        classifier(categorical_features="all", memory_limit=500_000).fit(X, y)
