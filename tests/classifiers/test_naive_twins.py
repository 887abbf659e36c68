"""Every classifier equals its slow twin on small random tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_tables import Case, as_twin_options, cases, class_priors, examples, smoothings
from sklearn.base import clone

from seminaive import AODE, HNB, KDB, TAN, AnDE, NaiveBayes
from seminaive.counts.plan import CountPlan
from seminaive.testing import naive

pytestmark = pytest.mark.filterwarnings(
    "ignore::seminaive.UnseenValueWarning", "ignore::seminaive.ImpossibleEvidenceWarning"
)


def options_of(data: st.DataObject, case: Case) -> dict[str, Any]:
    """Parameters that every classifier has."""
    return {**data.draw(smoothings()), "class_prior": data.draw(class_priors(len(case.classes)))}


@contextmanager
def sparse_tables() -> Iterator[None]:
    """Tables hold only what occurs, as if memory were short."""
    with patch.multiple(
        CountPlan,
        pairs_are_dense=lambda *_: False,
        dense_families=lambda plan, *_: [False] * len(plan.families),
    ):
        yield


def fitted(estimator: Any, case: Case, source: str, layout: str = "dense") -> tuple[Any, Any, list[str]]:
    """The fitted estimator, the test table in the same form, and the names of the columns."""
    if source == "frame":
        X, X_test, names = case.frame(case.X), case.frame(case.X_test), case.names
        estimator.set_params(categories=case.named_categories())
    else:
        X, X_test, names = case.X, case.X_test, [f"x{i}" for i in range(case.X.shape[1])]
        estimator.set_params(categories=case.categories)
    with sparse_tables() if layout == "sparse" else nullcontext():
        estimator.fit(X, case.y, sample_weight=case.weights)
    return estimator, X_test, names


def assert_equals_twin(estimator: Any, X_test: Any, joints: list[list[float]], prior: list[float]) -> None:
    """Joint and posterior probabilities are the twin's."""
    with np.errstate(divide="ignore"):
        log_joints = np.log(np.array(joints))
    np.testing.assert_allclose(estimator.joint_log_likelihood(X_test), log_joints, rtol=0, atol=1e-10)
    posteriors = [naive.posterior(joint, prior) for joint in joints]
    np.testing.assert_allclose(estimator.predict_proba(X_test), posteriors, rtol=0, atol=1e-10)


def parents_by_name(parents: list[list[int]], names: list[str]) -> dict[str, list[str]]:
    """``parents_`` as the estimators spell it."""
    return {names[i]: [names[parent] for parent in members] for i, members in enumerate(parents)}


SOURCES = st.sampled_from(["array", "frame"])
LAYOUTS = st.sampled_from(["dense", "sparse"])


@examples(60)
@given(case=cases(), source=SOURCES, data=st.data())
def test_naive_bayes(case, source, data):
    options = options_of(data, case)
    model, X_test, names = fitted(NaiveBayes(**options), case, source)
    twin = as_twin_options(options)
    joints = [naive.naive_bayes_joint(case.table, row, **twin) for row in case.test_rows]
    assert_equals_twin(model, X_test, joints, naive.class_prior(case.table, **twin))
    assert list(model.classes_) == case.classes
    assert model.parents_ == {name: [] for name in names}
    np.testing.assert_allclose(model.class_count_, naive.class_counts(case.table), rtol=1e-14)


@examples(60)
@given(case=cases(), source=SOURCES, layout=LAYOUTS, data=st.data())
def test_tan(case, source, layout, data):
    options = options_of(data, case)
    root = data.draw(st.one_of(st.none(), st.integers(0, case.X.shape[1] - 1)))
    spelled = (
        case.names[root] if root is not None and source == "frame" and data.draw(st.booleans()) else root
    )
    model, X_test, names = fitted(TAN(root=spelled, **options), case, source, layout)
    twin = as_twin_options(options)
    parents = naive.tan_parents(case.table, 0 if root is None else root)
    assert model.parents_ == parents_by_name(parents, names)
    joints = [naive.network_joint(case.table, row, parents, **twin) for row in case.test_rows]
    assert_equals_twin(model, X_test, joints, naive.class_prior(case.table, **twin))


@examples(80)
@given(case=cases(), source=SOURCES, layout=LAYOUTS, k=st.integers(0, 4), data=st.data())
def test_kdb(case, source, layout, k, data):
    options = options_of(data, case)
    model, X_test, names = fitted(KDB(k=k, **options), case, source, layout)
    twin = as_twin_options(options)
    parents = naive.kdb_parents(case.table, k)
    assert model.parents_ == parents_by_name(parents, names)
    joints = [naive.network_joint(case.table, row, parents, **twin) for row in case.test_rows]
    assert_equals_twin(model, X_test, joints, naive.class_prior(case.table, **twin))


@examples(100)
@given(
    case=cases(),
    source=SOURCES,
    layout=LAYOUTS,
    own=st.fixed_dictionaries(
        {
            "frequency_limit": st.sampled_from([0, 1, 2, 4, 30]),
            "subsumption_resolution": st.booleans(),
            "critical_value": st.sampled_from([0, 1, 2, 4, 100]),
            "conditional": st.sampled_from(["direct", "ratio"]),
        }
    ),
    data=st.data(),
)
def test_aode(case, source, layout, own, data):
    options = {**own, **options_of(data, case)}
    model, X_test, _ = fitted(AODE(**options), case, source, layout)
    twin = as_twin_options(options)
    joints = [naive.aode_joint(case.table, row, **twin) for row in case.test_rows]
    prior = naive.class_prior(case.table, twin["prior"], twin["smoothing"], twin["strength"])
    assert_equals_twin(model, X_test, joints, prior)


@examples(100)
@given(
    case=cases(),
    source=SOURCES,
    layout=LAYOUTS,
    own=st.fixed_dictionaries(
        {
            "n": st.sampled_from([1, 2, 2, 2]),
            "frequency_limit": st.sampled_from([0, 1, 2, 4]),
            "subsumption_resolution": st.booleans(),
            "critical_value": st.sampled_from([0, 1, 2, 4, 100]),
        }
    ),
    data=st.data(),
)
def test_ande(case, source, layout, own, data):
    options = {**own, **options_of(data, case)}
    model, X_test, _ = fitted(AnDE(**options), case, source, layout)
    twin = as_twin_options(options)
    joints = [naive.ande_joint(case.table, row, **twin) for row in case.test_rows]
    prior = naive.class_prior(case.table, twin["prior"], twin["smoothing"], twin["strength"])
    assert_equals_twin(model, X_test, joints, prior)


@examples(100)
@given(case=cases(), source=SOURCES, layout=LAYOUTS, data=st.data())
def test_hnb(case, source, layout, data):
    options = options_of(data, case)
    model, X_test, names = fitted(HNB(**options), case, source, layout)
    twin = as_twin_options(options)
    joints = [naive.hnb_joint(case.table, row, **twin) for row in case.test_rows]
    assert_equals_twin(model, X_test, joints, naive.class_prior(case.table, **twin))
    weights = naive.hnb_weights(case.table)
    shares = [[w / (sum(row) or 1) for w in row] for row in weights]
    np.testing.assert_allclose(model.weights_, shares, rtol=0, atol=1e-10)
    for name, row in zip(names, weights, strict=True):
        assert set(model.parents_[name]) == {names[j] for j, w in enumerate(row) if w > 0}


every_estimator_and_twin = pytest.mark.parametrize(
    ("estimator", "joint_of"),
    [
        (NaiveBayes(), naive.naive_bayes_joint),
        (TAN(), naive.tan_joint),
        (KDB(k=2), naive.kdb_joint),
        (AODE(), naive.aode_joint),
        (
            AODE(subsumption_resolution=True, critical_value=3),
            lambda table, row: naive.aode_joint(table, row, subsumption_resolution=True, critical_value=3),
        ),
        (AnDE(), naive.ande_joint),
        (HNB(), naive.hnb_joint),
    ],
    ids=["NaiveBayes", "TAN", "KDB", "AODE", "AODEsr", "AnDE", "HNB"],
)


@every_estimator_and_twin
@examples(25)
@given(data=st.data())
def test_coded_integers(estimator, joint_of, data):
    """Integers declared to be categories are matched as values, in whatever integer or float type."""
    case = data.draw(cases(max_rows=30, missing=False, weights="none", unseen=False))
    dtype = data.draw(st.sampled_from([np.int8, np.uint8, np.int64, np.float32, np.float64]))
    step = data.draw(st.sampled_from([1, 10]))
    table = case.table
    X = np.array(table.rows, dtype=dtype) * dtype(step)
    y = np.array(table.classes)
    categories = {i: [value * step for value in range(v)] for i, v in enumerate(table.n_values)}
    estimator = clone(estimator).set_params(categorical_features="all", categories=categories).fit(X, y)
    if np.issubdtype(dtype, np.floating):
        X_test = np.array(
            [[np.nan if code is None else code * step for code in row] for row in case.test_rows], dtype
        )
    else:  # no integer means missing, but one beyond the domain is not observed either
        X_test = np.array(
            [[99 if code is None else code * step for code in row] for row in case.test_rows], dtype
        )
    joints = [joint_of(table, row) for row in case.test_rows]
    assert_equals_twin(estimator, X_test, joints, naive.class_prior(table))


@every_estimator_and_twin
@examples(25)
@given(case=cases(max_rows=30))
def test_missing_as_a_value(estimator, joint_of, case):
    """``missing="value"``: one more value of the columns in which it occurs in training."""
    table = case.table
    gains = [any(row[i] is None for row in table.rows) for i in table.attributes]

    def with_missing(rows: list[list[int | None]]) -> list[list[int | None]]:
        return [
            [
                v if code is None and gains[i] else code
                for i, (code, v) in enumerate(zip(row, table.n_values, strict=True))
            ]
            for row in rows
        ]

    valued = naive.Table(
        with_missing(table.rows),
        table.classes,
        [v + gained for v, gained in zip(table.n_values, gains, strict=True)],
        table.n_classes,
        table.weights,
    )
    model, X_test, _ = fitted(clone(estimator).set_params(missing="value"), case, "array")
    # a value that training never saw is treated as missing
    joints = [joint_of(valued, row) for row in with_missing(case.test_rows)]
    assert_equals_twin(model, X_test, joints, naive.class_prior(valued))


@pytest.mark.parametrize(
    ("discretizer", "cut_points"),
    [
        ("mdlp", naive.mdlp_cut_points),
        ("equal-frequency", lambda values, _, weights: naive.equal_frequency_cut_points(values, 5, weights)),
        ("equal-width", lambda values, _, weights: naive.equal_width_cut_points(values, 5, weights)),
    ],
    ids=["mdlp", "equal-frequency", "equal-width"],
)
@examples(40)
@given(
    rows=st.lists(
        st.tuples(
            st.integers(0, 2), st.sampled_from([np.nan, *range(6)]), st.integers(0, 30), st.integers(0, 3)
        ),
        min_size=1,
        max_size=40,
    ),
    weighted=st.booleans(),
)
def test_numeric_columns(discretizer, cut_points, rows, weighted):
    """Numbers are cut into intervals inside the estimator, by the training rows."""
    classes = [label for label, *_ in rows]
    # the second column follows the classes, so that cuts are accepted
    X = np.array([[first, 20 * label + second] for label, first, second, _ in rows], dtype=float)
    weights = [weight for *_, weight in rows] if weighted and any(row[3] for row in rows) else [1] * len(rows)
    cuts = [cut_points(column.tolist(), classes, weights) for column in X.T]
    codes = [
        [None if np.isnan(x) else sum(x > cut for cut in cuts[i]) for i, x in enumerate(row)] for row in X
    ]
    present = [r for r, weight in enumerate(weights) if weight > 0]
    labels = sorted({classes[r] for r in present})
    table = naive.Table(
        [codes[r] for r in present],
        [labels.index(classes[r]) for r in present],
        [len(points) + 1 for points in cuts],
        len(labels),
        [weights[r] for r in present],
    )
    model = AODE(discretizer=discretizer).fit(X, classes, sample_weight=weights if weighted else None)
    for points, attribute in zip(cuts, model.schema_.attributes, strict=True):
        assert attribute.cut_points.tolist() == points
    joints = [naive.aode_joint(table, row) for row in codes]
    assert_equals_twin(model, X, joints, naive.class_prior(table))


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("n_classes", [2, 7, 8, 20])
def test_implications_survive_the_rounding_of_weights(n_classes, layout):
    """Sums of weights are compared for equality, so both must be summed in the same order."""
    rng = np.random.default_rng(n_classes)
    classes = rng.integers(n_classes, size=100)
    weights = rng.random(100)
    first = rng.integers(2, size=100)
    second = np.where(first == 1, 1, rng.integers(2, size=100))
    codes = np.column_stack([first, second, rng.integers(3, size=100)])
    table = naive.Table(codes.tolist(), classes.tolist(), [2, 2, 3], n_classes, weights.tolist())
    options = {"subsumption_resolution": True, "critical_value": 2}
    model = AODE(categorical_features="all", **options)
    with sparse_tables() if layout == "sparse" else nullcontext():
        model.fit(codes, classes, sample_weight=weights)
    rows = [[1, 1, 0], [0, 1, 1]]
    assert naive.subsumed(table, rows[0], critical_value=2) == {1}
    joints = [naive.aode_joint(table, row, **options) for row in rows]
    assert_equals_twin(model, np.array(rows), joints, naive.class_prior(table))


@every_estimator_and_twin
@pytest.mark.parametrize("share_missing", [0.0, 0.15])
def test_several_words_of_rows(estimator, joint_of, share_missing):
    """Enough rows that a class fills more than one word of a bitmap, and dependencies that are real."""
    rng = np.random.default_rng(0)
    classes = rng.integers(3, size=400)
    first = (classes + (rng.random(400) < 0.3)) % 3
    second = np.where(rng.random(400) < 0.7, first, rng.integers(3, size=400))
    third = (first + second + (rng.random(400) < 0.2)) % 2
    codes = np.column_stack([first, second, third, rng.integers(5, size=400)]).astype(float)
    codes[rng.random(codes.shape) < share_missing] = np.nan
    rows = [[None if np.isnan(code) else int(code) for code in row] for row in codes]
    table = naive.Table(rows, classes.tolist(), n_values=[3, 3, 2, 5], n_classes=3)
    estimator = clone(estimator).set_params(categorical_features="all").fit(codes, classes)
    joints = [joint_of(table, row) for row in rows[:3]]
    assert_equals_twin(estimator, codes[:3], joints, naive.class_prior(table))
