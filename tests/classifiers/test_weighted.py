"""Weighted AODEs as users see them: `superparent_weights`, degenerate data, parameters, Weka's WAODE."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from test_weka import FIXTURES
from test_weka import load as weka_case

from seminaive import AODE, AVWAODE, AWODE, IBWAODE, IWAODE, TAODE, WAODE, NaiveBayes, all_classifiers
from seminaive.classifiers import base
from seminaive.classifiers.weighted import WeightedOneDependenceClassifier

WEIGHTED = [
    WAODE(),
    AVWAODE(),
    AVWAODE("ig"),
    TAODE(),
    IWAODE(),
    IBWAODE(),
    AWODE(),
    AWODE(negative="keep"),
    AWODE(orientation="reversed"),
]


def name(model: Any) -> str:
    return repr(model).replace("\n", "").replace(" ", "")


every = pytest.mark.parametrize("model", WEIGHTED, ids=name)

ROWS = 200
COLUMNS = ["b", "a", "d", "c"]  # not in alphabetical order


@pytest.fixture(scope="module")
def table() -> tuple[pd.DataFrame, np.ndarray]:
    """Columns that say more or less of the class and of each other."""
    rng = np.random.default_rng(1)
    y = rng.integers(3, size=ROWS)
    b = np.where(rng.random(ROWS) < 0.7, y, rng.integers(3, size=ROWS))
    a = np.where(rng.random(ROWS) < 0.5, b, rng.integers(4, size=ROWS))
    d = np.where(rng.random(ROWS) < 0.2, y, rng.integers(5, size=ROWS))
    c = rng.integers(2, size=ROWS)
    return pd.DataFrame({"b": b, "a": a, "d": d, "c": c}).astype(str), y


def test_all_weighted_classifiers_are_here():
    family = {cls for cls in all_classifiers().values() if issubclass(cls, WeightedOneDependenceClassifier)}
    assert {type(model) for model in WEIGHTED} == family


# --- superparent_weights


@every
def test_shape_and_sums(model, table):
    X, y = table
    weights = clone(model).fit(X.to_numpy(), y).superparent_weights(X.to_numpy())
    assert isinstance(weights, np.ndarray)
    assert weights.shape == (ROWS, 4)
    assert np.isfinite(weights).all()
    np.testing.assert_allclose(np.abs(weights).sum(axis=1), 1, rtol=0, atol=1e-12)
    if getattr(model, "negative", "clip") == "clip":
        assert (weights >= 0).all()
    assert (np.ptp(weights, axis=1) > 0.01).any(), "equal weights in every row prove nothing"


@every
def test_weights_depend_on_the_row_only(model, table):
    """Not on the rows beside it, nor on how many are weighed at a time."""
    X, y = table
    fitted = clone(model).fit(X, y)
    many = pd.concat([X] * 3, ignore_index=True)
    with patch.object(base, "BLOCK_ROWS", 256):  # several blocks, the last one shorter
        weights = fitted.superparent_weights(many)
    np.testing.assert_array_equal(weights[:ROWS], weights[ROWS : 2 * ROWS])
    one_by_one = [np.asarray(fitted.superparent_weights(X.iloc[[row]]))[0] for row in range(20)]
    np.testing.assert_array_equal(weights[:20], one_by_one)


@pytest.mark.parametrize("model", [WAODE(), TAODE()], ids=name)
@pytest.mark.parametrize(
    ("convert", "kind"),
    [
        (lambda X: X, pd.DataFrame),
        (pl.from_pandas, pl.DataFrame),
        (lambda X: pa.Table.from_pandas(X, preserve_index=False), pa.Table),
    ],
    ids=["pandas", "polars", "pyarrow"],
)
def test_frames_give_frames_of_their_kind(model, table, convert, kind):
    X, y = table
    expected = clone(model).fit(X.to_numpy(), y).superparent_weights(X.to_numpy())
    fitted = clone(model).fit(convert(X), y)
    weights = fitted.superparent_weights(convert(X))
    assert type(weights) is kind
    columns = weights.column_names if kind is pa.Table else list(weights.columns)
    assert columns == COLUMNS
    values = np.column_stack([np.asarray(weights[column]) for column in columns])
    assert values.dtype == np.float64
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-15)


def test_array_after_a_frame_and_frame_after_an_array(table):
    X, y = table
    numbers = X.astype(int)
    by_name = WAODE(categorical_features="all").fit(numbers, y)
    with pytest.warns(UserWarning, match="feature names"):
        assert isinstance(by_name.superparent_weights(numbers.to_numpy()), np.ndarray)
    by_place = WAODE(categorical_features="all").fit(numbers.to_numpy(), y)
    with pytest.warns(UserWarning, match="feature names"):
        frame = by_place.superparent_weights(numbers)
    assert frame.shape == (ROWS, 4)


@every
@pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")
def test_missing_and_unseen_values_weigh_nothing(model, table):
    """The others share the weight among them; a row with nothing has none."""
    X, y = table
    fitted = clone(model).fit(X, y)
    holes = pd.DataFrame(
        [["0", "1", None, "1"], ["0", "never seen", "2", "1"], [None, None, "2", None], [None] * 4],
        columns=COLUMNS,
    )
    weights = np.abs(np.asarray(fitted.superparent_weights(holes)))
    observed = np.array([[1, 1, 0, 1], [1, 0, 1, 1], [0, 0, 1, 0], [0, 0, 0, 0]], dtype=bool)
    assert (weights[~observed] == 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), [1, 1, 1, 0], rtol=0, atol=1e-12)
    naive = NaiveBayes().fit(X, y)
    np.testing.assert_allclose(
        fitted.predict_proba(holes[3:]), naive.predict_proba(holes[3:]), rtol=0, atol=1e-12
    )


@every
def test_missing_is_an_absent_column(model, table):
    """A row without a value is weighed as if its column did not exist."""
    X, y = table
    hole = X.head(30).copy()
    hole["a"] = None
    fitted, without = clone(model).fit(X, y), clone(model).fit(X.drop(columns="a"), y)
    same = {"rtol": 0, "atol": 1e-12}
    weights = fitted.superparent_weights(hole)
    np.testing.assert_allclose(
        weights.drop(columns="a"), without.superparent_weights(hole.drop(columns="a")), **same
    )
    np.testing.assert_allclose(
        fitted.predict_proba(hole), without.predict_proba(hole.drop(columns="a")), **same
    )


@every
def test_rare_superparents_weigh_nothing(model, table):
    X, y = table
    limit = 60
    fitted = clone(model).set_params(frequency_limit=limit).fit(X, y)
    often = np.column_stack([X[column].map(X[column].value_counts()) >= limit for column in COLUMNS])
    assert {0, 4} < set(often.sum(axis=1).tolist()) or often.any()
    weights = np.asarray(fitted.superparent_weights(X))
    assert (weights[~often] == 0).all()
    np.testing.assert_allclose(np.abs(weights).sum(axis=1), often.any(axis=1), rtol=0, atol=1e-12)


def test_not_fitted(table):
    with pytest.raises(NotFittedError):
        WAODE().superparent_weights(table[0])


def test_other_columns_than_in_fitting(table):
    X, y = table
    with pytest.raises(ValueError, match="feature names"):
        WAODE().fit(X, y).superparent_weights(X.rename(columns={"a": "z"}))


def test_two_rows_of_one_table_weigh_differently_unless_the_weights_are_global(table):
    X, y = table
    for model in WEIGHTED:
        spread = np.ptp(np.asarray(clone(model).fit(X, y).superparent_weights(X)), axis=0).max()
        assert (spread < 1e-15) == isinstance(model, WAODE), name(model)


# --- weights that cannot be used


DEGENERATE = {
    "constant columns": (np.full((8, 3), "c"), [0, 1] * 4),
    "one class": (np.array([["a", "b"], ["b", "b"], ["a", "a"], ["b", "a"]]), [0] * 4),
    "one row": (np.array([["a", "b", "c"]]), [1]),
    "one column": (np.array([["a"], ["b"], ["a"]]), [0, 1, 1]),
    # every pair of columns and the class are independent
    "nothing depends on anything": (
        np.array([[str(i >> k & 1) for k in (3, 2, 1)] for i in range(16)]),
        [i & 1 for i in range(16)],
    ),
}


@every
@pytest.mark.parametrize("case", list(DEGENERATE))
@pytest.mark.parametrize("smoothing_strength", [1.0, 0.0])
@pytest.mark.parametrize("conditional", ["direct", "ratio"])
def test_nothing_to_tell_superparents_apart(model, case, smoothing_strength, conditional):
    X, y = DEGENERATE[case]
    options = {"smoothing_strength": smoothing_strength, "conditional": conditional}
    fitted = clone(model).set_params(**options).fit(X, y)
    aode = AODE(**options).fit(X, y)
    # where there is but one class, the weights of some members still tell values apart
    if case != "one class":
        np.testing.assert_allclose(fitted.superparent_weights(X), 1 / X.shape[1], rtol=0, atol=1e-12)
        np.testing.assert_allclose(
            fitted.joint_log_likelihood(X), aode.joint_log_likelihood(X), rtol=0, atol=1e-12
        )
    np.testing.assert_allclose(fitted.predict_proba(X), aode.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("model", [WAODE(), AVWAODE(), AVWAODE("ig")], ids=name)
def test_constant_columns_among_others_weigh_nothing(model, table):
    """What says nothing of the class is no superparent beside one that does."""
    X, y = table
    X = X.assign(e="constant")
    weights = clone(model).fit(X, y).superparent_weights(X)
    assert (weights["e"] == 0).all()
    assert (weights[COLUMNS].sum(axis=1) > 1 - 1e-12).all()


def test_negative_information_gain_counts_as_nothing():
    """Value a of x0 is as rare in both classes, which are very unequal: it raises the entropy."""
    X = np.array([["a", "p"]] * 2 + [["b", "p"]] * 9 + [["b", "q"]])
    y = np.array([0, 1] + [0] * 9 + [1])
    fitted = AVWAODE("ig").fit(X, y)
    np.testing.assert_allclose(fitted.superparent_weights([["a", "p"]]), [[0, 1]], rtol=0, atol=1e-15)
    np.testing.assert_allclose(AVWAODE("ig").fit(X[:, [0, 0]], y).superparent_weights([["a", "a"]]), 0.5)
    assert (AVWAODE("kl").fit(X, y).superparent_weights([["a", "p"]]) > 0).all()


@pytest.mark.parametrize("n_columns", [2, 3])
def test_the_least_informed_superparent_of_iwaode_weighs_nothing(table, n_columns):
    X, y = table
    X = X[COLUMNS[:n_columns]]
    weights = np.asarray(IWAODE().fit(X, y).superparent_weights(X))
    assert (weights.min(axis=1) == 0).all()
    if n_columns == 2:
        np.testing.assert_allclose(weights.max(axis=1), 1, rtol=0, atol=1e-15)


def test_entropy_zero_makes_the_largest_weight_of_taode():
    """It would be an infinite one."""
    certain = np.array([["a", "b"], ["a", "b"]])
    np.testing.assert_array_equal(TAODE().fit(certain, [0, 0]).superparent_weights(certain), 0.5)
    X = np.array([["a", "a", "a"], ["a", "b", "a"], ["b", "a", "a"], ["b", "b", "b"]])
    fitted = TAODE(frequency_limit=0, categories={1: ["a", "b", "never"]}).fit(X, [0, 0, 1, 1])
    first, never, last = fitted.superparent_weights([["a", "never", "a"]])[0]
    assert never == max(first, last) > min(first, last)


# --- AWODE with negative weights


def negative_case() -> tuple[np.ndarray, np.ndarray]:
    """x0 = 0 alone says class 0, but nothing of the class once x1 or x2 is known."""
    X = np.array([["p", "q", "q"]] * 20 + [["p", "r", "r"]] * 2)
    return X, np.array([0] * 20 + [0, 1])


@pytest.mark.parametrize("conditional", ["direct", "ratio"])
def test_kept_negative_weights_subtract_an_estimator(conditional):
    X, y = negative_case()
    row = X[-1:]
    kept = AWODE(negative="keep", conditional=conditional).fit(X, y)
    clipped = AWODE(conditional=conditional).fit(X, y)
    weights = kept.superparent_weights(row)[0]
    assert weights[0] < 0 < min(weights[1:])
    usable = np.maximum(weights, 0)
    np.testing.assert_allclose(clipped.superparent_weights(row)[0], usable / usable.sum(), rtol=1e-14)
    # of the kept sum the clipped one is the positive part, in other units
    parts = np.exp(kept.joint_log_likelihood(row)[0]), np.exp(clipped.joint_log_likelihood(row)[0])
    assert (parts[0] < parts[1] * usable.sum()).all()


def test_kept_weights_are_clipped_ones_where_none_is_negative(table):
    X, y = table
    kept, clipped = AWODE(negative="keep").fit(X, y), AWODE().fit(X, y)
    positive = (kept.superparent_weights(X) >= 0).all(axis=1).to_numpy()
    assert positive.any()
    np.testing.assert_allclose(
        kept.predict_proba(X)[positive], clipped.predict_proba(X)[positive], rtol=0, atol=1e-12
    )


# a row of this table whose estimators' sum is negative in every class
LOST_ROWS = ["1222", "0110", "1121", "0220", "1120", "1210", "2222", "1221", "2101", "1021", "2010"]
LOST = [list(row) for row in LOST_ROWS], [0, 1, 1, 1, 1, 2, 1, 1, 2, 2, 1], [list("0002")]


@pytest.mark.parametrize("class_prior", [None, "empirical", [0.2, 0.3, 0.5]])
def test_all_classes_negative_are_equally_probable(class_prior):
    X, y, row = LOST
    kept = AWODE(negative="keep", class_prior=class_prior).fit(X, y)
    assert kept.superparent_weights(row).min() < 0
    np.testing.assert_allclose(kept.predict_proba(row), 1 / 3, rtol=0, atol=1e-12)
    assert kept.predict(row) == [0]


@pytest.mark.filterwarnings("ignore::seminaive.ImpossibleEvidenceWarning")
def test_what_a_row_gets_does_not_depend_on_its_neighbours():
    """An impossible row beside one with a negative weight."""
    X, y = negative_case()
    X, y = np.vstack([X, [["s", "s", "s"]] * 2]), np.append(y, [0, 1])
    kept = AWODE(negative="keep", smoothing_strength=0).fit(X, y)
    impossible, negative = ["s", "q", "r"], ["p", "r", "r"]
    assert kept.superparent_weights([negative]).min() < 0
    together = kept.predict_proba([impossible, negative])
    np.testing.assert_array_equal(kept.predict_proba([impossible])[0], together[0])
    np.testing.assert_array_equal(kept.predict_proba([negative])[0], together[1])
    np.testing.assert_allclose(together[0], [22 / 24, 2 / 24], rtol=1e-12)


# --- parameters


@every
@pytest.mark.parametrize(
    ("parameter", "values"),
    [
        ("frequency_limit", [-1, "1", None, float("nan")]),
        ("conditional", ["Direct", None, 1]),
        ("smoothing", ["none"]),
    ],
)
def test_wrong_parameters(model, table, parameter, values):
    for value in values:
        with pytest.raises(ValueError, match=parameter):
            clone(model).set_params(**{parameter: value}).fit(*table)


@pytest.mark.parametrize(
    ("model", "parameter"),
    [
        (AVWAODE("KL"), "measure"),
        (AVWAODE(None), "measure"),
        (AWODE(negative="drop"), "negative"),
        (AWODE(orientation="reverse"), "orientation"),
        (AWODE(orientation=True), "orientation"),
    ],
    ids=name,
)
def test_wrong_own_parameters(model, table, parameter):
    with pytest.raises(ValueError, match=parameter):
        model.fit(*table)


def test_unknown_parameters():
    with pytest.raises(TypeError, match="subsumption_resolution"):
        WAODE(subsumption_resolution=True)
    with pytest.raises(TypeError, match="measure"):
        WAODE(measure="kl")


def test_own_parameters_are_listed_first():
    assert list(AVWAODE().get_params()) == sorted(AVWAODE().get_params())
    assert AVWAODE("ig").measure == "ig"
    assert {"negative", "orientation", "frequency_limit", "conditional"} <= set(AWODE().get_params())


# --- Weka 3.6


@pytest.mark.parametrize("data", sorted(path.parent.name for path in FIXTURES.glob("*/waode.csv")))
def test_waode_equals_wekas(data):
    """Information in other units, no limit on superparents, m-estimate of weight 1."""
    case = weka_case(data)
    assert case.command("waode") == ["WAODE"]
    model = WAODE(frequency_limit=0, **case.table_parameters).fit(case.X, case.y)
    expected = case.expected("waode")
    np.testing.assert_allclose(model.predict_proba(case.X_test), expected, rtol=0, atol=1e-9)
    plain = AODE(frequency_limit=0, **case.table_parameters).fit(case.X, case.y)
    assert np.abs(plain.predict_proba(case.X_test) - expected).max() > 1e-3


def test_weka_fixtures_are_there():
    assert len(list(FIXTURES.glob("*/waode.csv"))) >= 2
