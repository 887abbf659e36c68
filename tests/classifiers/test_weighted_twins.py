"""The weighted AODEs equal their slow twins on small random tables: weights and probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_tables import Case, as_twin_options, cases, class_priors, examples, smoothings
from sklearn.base import clone
from test_naive_twins import LAYOUTS, SOURCES, fitted, sparse_tables

from seminaive import AVWAODE, AWODE, IBWAODE, IWAODE, TAODE, WAODE
from seminaive.testing import naive

pytestmark = pytest.mark.filterwarnings(
    "ignore::seminaive.UnseenValueWarning", "ignore::seminaive.ImpossibleEvidenceWarning"
)


@dataclass(frozen=True)
class Kind:
    """A classifier with its own parameters, and the twin of its weight function."""

    estimator: Any
    weights: Callable[..., list[float]]
    own: dict[str, Any] = field(default_factory=dict)
    smoothed: bool = False  # whether the smoothing rule enters the weights
    negative: str = "clip"

    def weights_of(self, case: Case, row: list[int | None], twin: dict[str, Any]) -> list[float]:
        """What the weight function gives for a row."""
        smoothing = {name: twin[name] for name in ("smoothing", "strength")} if self.smoothed else {}
        return self.weights(case.table, row, **self.own, **smoothing)


KINDS = {
    "WAODE": Kind(WAODE(), naive.waode_weights),
    "AVWAODE-kl": Kind(AVWAODE(), naive.avwaode_weights),
    "AVWAODE-ig": Kind(AVWAODE("ig"), naive.avwaode_weights, {"measure": "ig"}),
    "TAODE": Kind(TAODE(), naive.taode_weights),
    "IWAODE": Kind(IWAODE(), naive.iwaode_weights, smoothed=True),
    "IBWAODE": Kind(IBWAODE(), naive.ibwaode_weights, smoothed=True),
    "AWODE": Kind(AWODE(), naive.awode_weights, smoothed=True),
    "AWODE-keep": Kind(AWODE(negative="keep"), naive.awode_weights, smoothed=True, negative="keep"),
    "AWODE-reversed": Kind(
        AWODE(orientation="reversed"), naive.awode_weights, {"orientation": "reversed"}, smoothed=True
    ),
    "AWODE-reversed-keep": Kind(
        AWODE(orientation="reversed", negative="keep"),
        naive.awode_weights,
        {"orientation": "reversed"},
        smoothed=True,
        negative="keep",
    ),
}
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


def options_of(data: st.DataObject, case: Case) -> dict[str, Any]:
    return {
        **data.draw(smoothings()),
        "class_prior": data.draw(class_priors(len(case.classes))),
        "frequency_limit": data.draw(st.sampled_from([0, 1, 2, 4, 30])),
        "conditional": data.draw(st.sampled_from(["direct", "ratio"])),
    }


def assert_equals_twin(kind: Kind, case: Case, model: Any, X_test: Any, options: dict[str, Any]) -> None:
    """Weights, joint and posterior probabilities are the twin's."""
    twin = as_twin_options(options)
    limit = twin.pop("frequency_limit")
    weights = [
        naive.usable_weights(
            kind.weights_of(case, row, twin), naive.superparents(case.table, row, limit), kind.negative
        )
        for row in case.test_rows
    ]
    np.testing.assert_allclose(np.asarray(model.superparent_weights(X_test)), weights, rtol=0, atol=1e-10)

    joints = np.exp(model.joint_log_likelihood(X_test))
    posteriors = model.predict_proba(X_test)
    prior = naive.class_prior(case.table, twin["prior"], twin["smoothing"], twin["strength"])
    for r, (row, row_weights) in enumerate(zip(case.test_rows, weights, strict=True)):
        joint = naive.weighted_aode_joint(case.table, row, row_weights, **twin)
        # estimators may cancel, which rounding cannot survive to the last digit
        scale = naive.weighted_aode_joint(case.table, row, np.abs(row_weights).tolist(), **twin)
        if min(row_weights) < 0 and not any(joint):
            np.testing.assert_allclose(posteriors[r], 1 / len(joint), rtol=0, atol=1e-10)
        elif min(row_weights) >= 0 or sum(joint) > 1e-3 * max(scale):
            np.testing.assert_allclose(joints[r], joint, rtol=0, atol=1e-10 * max(scale))
            np.testing.assert_allclose(posteriors[r], naive.posterior(joint, prior), rtol=0, atol=1e-10)


@every_kind
@examples(30)
@given(case=cases(), source=SOURCES, layout=LAYOUTS, data=st.data())
def test_weights_and_probabilities(kind, case, source, layout, data):
    options = options_of(data, case)
    model, X_test, _ = fitted(clone(kind.estimator).set_params(**options), case, source, layout)
    assert_equals_twin(kind, case, model, X_test, options)


@every_kind
@examples(20)
@given(case=cases(), layout=LAYOUTS, data=st.data())
def test_order_of_rows_and_columns_and_names_of_values(kind, case, layout, data):
    """What a superparent weighs depends on none of them."""
    options = options_of(data, case)
    estimator = clone(kind.estimator).set_params(**options)
    model, X_test, _ = fitted(clone(estimator), case, "frame", layout)

    rows = data.draw(st.permutations(range(len(case.y))))
    columns = data.draw(st.permutations(case.names))
    letters = dict(zip("abcd", data.draw(st.permutations("abcd")), strict=True))

    def renamed(value):
        return value if value is None or value == "never seen" else f"value {letters[value[6]]}{value[7:]}"

    moved = Case(
        case.table,
        np.vectorize(renamed, otypes=[object])(case.X[rows]),
        case.y[rows],
        None if case.weights is None else case.weights[rows],
        np.vectorize(renamed, otypes=[object])(case.X_test),
        case.test_rows,
        {i: [renamed(value) for value in values] for i, values in case.categories.items()},
        case.classes,
    )
    X, X_moved_test = moved.frame(moved.X)[columns], moved.frame(moved.X_test)[columns]
    estimator.set_params(categories=moved.named_categories())
    with sparse_tables() if layout == "sparse" else nullcontext():
        estimator.fit(X, moved.y, sample_weight=moved.weights)

    weights = model.superparent_weights(X_test)
    np.testing.assert_allclose(
        estimator.superparent_weights(X_moved_test)[case.names], weights, rtol=0, atol=1e-10
    )
    if (weights >= 0).all(axis=None):  # else estimators may cancel, which rounding cannot survive
        same = {"rtol": 0, "atol": 1e-10}
        np.testing.assert_allclose(estimator.predict_proba(X_moved_test), model.predict_proba(X_test), **same)


@every_kind
def test_too_little_memory_for_dense_tables(kind):
    """The same numbers from tables, and from terms, that hold only what occurs."""
    rng = np.random.default_rng(0)
    classes = rng.integers(3, size=60)
    codes = np.column_stack([(classes + rng.integers(2, size=60)) % v for v in (3, 40, 50)]).astype(float)
    codes[:, 1:] += rng.integers(30, size=(60, 2))
    codes[rng.random(codes.shape) < 0.1] = np.nan
    estimator = clone(kind.estimator).set_params(categorical_features="all").fit(codes, classes)
    schema, plan = estimator.schema_, estimator._plan(estimator.schema_)
    limit = plan.base_bytes(schema, 3) + plan.sparse_pair_bytes(schema, 3, len(codes))
    assert not plan.pairs_are_dense(schema, 3, len(codes), limit)
    small = clone(estimator).set_params(memory_limit=limit).fit(codes, classes)
    assert small._evidence.pair_terms is None
    assert (estimator._evidence.pair_terms is None) == (kind.estimator._pair_terms is None)
    same = {"rtol": 0, "atol": 1e-12}
    np.testing.assert_allclose(small.superparent_weights(codes), estimator.superparent_weights(codes), **same)
    np.testing.assert_allclose(small.predict_proba(codes), estimator.predict_proba(codes), **same)


# --- the twins themselves


@examples(30)
@given(case=cases(missing=False, max_rows=20), smoothing=smoothings())
def test_awode_twin_is_the_printed_formula_where_nothing_is_missing(case, smoothing):
    """Equation 18, n - 2 included, term by term."""
    table = case.table
    method, strength = smoothing["smoothing"], smoothing["smoothing_strength"] or 1.0

    def log_posteriors(values):
        cells = math.prod(table.n_values[i] for i in values) * table.n_classes
        joint = [
            naive.smoothed(n, len(table.rows), cells, method, strength) for n in naive.count(table, values)
        ]
        return sum(math.log(p / sum(joint)) for p in joint)

    table = naive.Table(table.rows, table.classes, table.n_values, table.n_classes)
    for row in case.test_rows:
        if None in row:
            continue
        n = len(row)
        expected = [
            -sum(log_posteriors({i: row[i], a: row[a]}) for i in range(n) if i != a)
            + (n - 2) * log_posteriors({a: row[a]})
            for a in range(n)
        ]
        actual = naive.awode_weights(table, row, smoothing=method, strength=strength)
        np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-10)


# x0 says all about y, x1 says something, x2 nothing
SMALL = naive.Table(
    [[0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1], [1, 1, 0], [1, 0, 1]],
    [0, 0, 0, 0, 1, 1, 1, 1],
    n_values=[2, 2, 2],
    n_classes=2,
)
QUARTER = 1 - (0.25 * math.log2(4) + 0.75 * math.log2(4 / 3))  # bits that a share of a quarter saves


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (naive.waode_weights(SMALL, [0, 0, 0]), [1, QUARTER, 0]),
        (naive.avwaode_weights(SMALL, [0, None, 0]), [1, math.nan, 0]),
        (naive.avwaode_weights(SMALL, [0, 1, 0], "ig"), [1, QUARTER, 0]),
        # P(x0, y) = 1/2; P(x1, y) = 3/8, 1/8; P(x2, y) = 1/4, 1/4; in each sum the pairs follow
        (
            [1 / w / math.log(2) for w in naive.taode_weights(SMALL, [0, 0, None])],
            [
                1 / 2 + 3 / 8 * math.log2(4 / 3) + 0,
                3 / 8 * math.log2(8 / 3) + 1 / 8 * 3 + 0,
                math.nan,
            ],
        ),
        # given y, x0 is constant: I(x0; Y) - I(x1; Y), in nats; x1 = 0 has 3/8 and 1/8
        (
            naive.iwaode_weights(SMALL, [0, 0, None], strength=0),
            [
                math.log(2) / 2 - (3 / 8 * math.log(3 / 2) + 1 / 8 * math.log(1 / 2)),
                0,
                math.nan,
            ],
        ),
        (naive.ibwaode_weights(SMALL, [None, 1, None]), [math.nan, 1, math.nan]),
        # W = -log P(y | x1 = 0, x2 = 0) - log P(y | the same) for both: n = 2
        (naive.awode_weights(SMALL, [None, 0, 0], "reversed"), [math.nan, 0, 0]),
    ],
    ids=["waode", "kl", "ig", "taode", "iwaode", "ibwaode", "awode"],
)
def test_twins_by_hand(weights, expected):
    np.testing.assert_allclose(weights, expected, rtol=1e-12, atol=1e-12)


def test_negative_weights_of_the_twin():
    """x0 = 0 alone says class 0, but nothing of the class once x1 or x2 is known."""
    table = naive.Table([[0, 0, 0]] * 20 + [[0, 1, 1]] * 2, [0] * 20 + [0, 1], [2, 2, 2], 2)
    weights = naive.awode_weights(table, [0, 1, 1])
    assert min(weights) < 0 < max(weights)
    kept = naive.usable_weights(weights, [0, 1, 2], "keep")
    assert min(kept) < 0
    assert sum(map(abs, kept)) == pytest.approx(1)
    plain = naive.weighted_aode_joint(table, [0, 1, 1], [0, 1, 0])
    less = naive.weighted_aode_joint(table, [0, 1, 1], [-0.1, 1, 0])
    assert all(0 <= part < whole for part, whole in zip(less, plain, strict=True))
    assert naive.weighted_aode_joint(table, [0, 1, 1], [-1, 0, 0]) == [0, 0]
