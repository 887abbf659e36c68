"""What all discretisers have in common; D44 ... D52 are the complaints that each test answers."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.fixes import parse_version

from seminaive import EqualFrequencyDiscretizer, EqualWidthDiscretizer, MDLPDiscretizer
from seminaive.data.discretize import Discretizer
from seminaive.data.discretize.base import midpoints

NAN, INF, LARGEST = float("nan"), float("inf"), sys.float_info.max
ALL = [MDLPDiscretizer(), EqualFrequencyDiscretizer(), EqualWidthDiscretizer()]
each = pytest.mark.parametrize("binner", ALL, ids=lambda binner: type(binner).__name__)

# few distinct values, so that ties, duplicates and both infinities are common
VALUES = st.one_of(st.integers(-4, 12).map(float), st.sampled_from([-INF, INF, 0.1, 0.3, -0.0, 1e-320]))

COPIES = st.integers(0, 3)


@st.composite
def columns(draw, weights=COPIES):
    """Values, classes and weights (not all zero) of one column."""
    rows = draw(st.lists(st.tuples(VALUES, st.integers(0, 3), weights), min_size=1, max_size=60))
    values, classes, weight = (np.array(part) for part in zip(*rows, strict=True))
    weight[draw(st.integers(0, len(rows) - 1))] = 1
    return values, classes, weight


def numbers_in_words(binner, values, y):
    return binner.fit_transform(np.reshape(values, (-1, 1)), y)[:, 0].tolist()


@parametrize_with_checks(
    [
        *ALL,
        MDLPDiscretizer(keep_two_valued=False, root_classes="declared", min_split=3),
        EqualFrequencyDiscretizer(2, keep_two_valued=False),
        EqualWidthDiscretizer(9, keep_two_valued=False),
    ]
)
def test_scikit_learn_conformance(estimator, check):
    check(estimator)


@each
def test_d44_two_distinct_values_stay_apart(binner):
    values = [0, 1, 0, 0, 0, 0, 0, 0]
    classes = [0, 1, 1, 0, 1, 0, 1, 0]
    assert numbers_in_words(binner, values, classes) == values
    assert binner.cut_points_[0].tolist() == [0.5]


@each
@given(column=columns())
@settings(deadline=None)
def test_d44_only_distinct_inner_finite_cuts(binner, column):
    values, classes, weights = column
    cuts = binner.cut_points(values, classes, weights, 4)
    assert np.isfinite(cuts).all()
    assert (np.diff(cuts) > 0).all()
    present = np.clip(values[weights > 0], -LARGEST, LARGEST)
    assert (present.min() <= cuts).all()
    assert (cuts < present.max()).all()


@each
def test_d45_missing_values_take_no_part_and_stay_missing(binner):
    values = np.array([[1.0], [NAN], [2.0], [3.0], [NAN], [9.0]])
    classes = np.array([0, 1, 0, 1, 1, 1])
    seen = ~np.isnan(values[:, 0])
    with_gaps, without = clone(binner).fit(values, classes), clone(binner).fit(values[seen], classes[seen])
    np.testing.assert_array_equal(with_gaps.cut_points_, without.cut_points_)
    np.testing.assert_array_equal(with_gaps.transform(values)[seen], without.transform(values[seen]))


@each
def test_d46_missing_never_shares_a_number_with_a_bin(binner):
    values = np.repeat([1.0, NAN, 5.0, NAN, 9.0], 20)
    bins = numbers_in_words(binner, values, np.repeat([0, 1, 2, 3, 0], 20))
    np.testing.assert_array_equal(np.isnan(bins), np.isnan(values))


@each
def test_d46_a_column_never_observed(binner):
    binner.fit([[NAN, 1], [NAN, 2], [NAN, 3]], [0, 1, 0])
    assert binner.cut_points_[0].size == 0
    assert binner.uninformative_features_[0] == "x0"
    assert binner.transform([[7, 1]])[0, 0] == 0


@each
def test_d47_values_outside_the_training_range_fall_in_the_outer_bins(binner):
    binner.fit(np.arange(60.0).reshape(-1, 1), np.repeat([0, 1, 2], 20))
    last = binner.n_bins_[0] - 1
    assert last >= 2
    assert binner.transform([[-1e300], [-1.0], [0.0], [59.0], [61.0], [1e300]]).ravel().tolist() == [
        0,
        0,
        0,
        last,
        last,
        last,
    ]


@each
def test_d48_infinity_falls_in_an_outer_bin(binner):
    values = np.array([-INF, *range(40), INF])
    classes = np.repeat([0, 1], 21)
    bins = numbers_in_words(binner, values, classes)
    assert np.isfinite(binner.cut_points_[0]).all()
    assert binner.n_bins_[0] > 1
    assert bins[0] == 0
    assert bins[-1] == binner.n_bins_[0] - 1


@each
@pytest.mark.parametrize("pair", [(-INF, INF), (-INF, 3.0), (3.0, INF), (-LARGEST, LARGEST)])
def test_d48_infinity_in_a_two_valued_column(binner, pair):
    assert numbers_in_words(binner, pair, [0, 1]) == [0, 1]
    assert np.isfinite(binner.cut_points_[0]).all()


@each
@given(column=columns(weights=st.floats(0, 3)), seed=st.integers(0, 999))
@settings(deadline=None)
def test_d49_the_order_of_rows_never_matters(binner, column, seed):
    values, classes, weights = column
    order = np.random.default_rng(seed).permutation(values.size)
    np.testing.assert_array_equal(
        binner.cut_points(values, classes, weights, 4),
        binner.cut_points(values[order], classes[order], weights[order], 4),
    )


@pytest.mark.parametrize("binner", ALL[:2], ids=lambda binner: type(binner).__name__)
@given(column=columns())
@settings(deadline=None)
def test_d49_cuts_are_midpoints_of_adjacent_values_and_no_bin_is_empty(binner, column):
    values, classes, weights = column
    cuts = binner.cut_points(values, classes, weights, 4)
    distinct = np.unique(np.clip(values[weights > 0], -LARGEST, LARGEST))
    assert set(cuts) <= set(midpoints(distinct[:-1], distinct[1:]))
    bins = np.searchsorted(cuts, values[weights > 0], side="left")
    assert set(bins) == set(range(cuts.size + 1))


@each
def test_d49_a_value_on_the_cut_falls_left(binner):
    binner.fit([[1], [3]], [0, 1])
    assert binner.transform([[2.0], [np.nextafter(2.0, 3.0)]]).ravel().tolist() == [0, 1]


@each
def test_d50_no_cut_is_legal_and_reported(binner):
    table = pd.DataFrame({"same": [4.0] * 40, "good": np.arange(40.0)})
    binner.fit(table, np.repeat(["a", "b"], 20))
    assert binner.uninformative_features_ == ["same"]
    assert binner.n_bins_[0] == 1
    assert binner.cut_points_[0].shape == (0,)
    assert binner.transform(table)[:, 0].tolist() == [0.0] * 40


def test_d51_refitted_in_every_training_fold():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), rng.integers(0, 2, 120)
    X[:, 0] += 2 * y
    folds = KFold(4)
    model = make_pipeline(MDLPDiscretizer(), CategoricalNB(min_categories=20))
    fitted = cross_validate(model, X, y, cv=folds, return_estimator=True)["estimator"]
    for pipeline, (train, _) in zip(fitted, folds.split(X), strict=True):
        expected = MDLPDiscretizer().fit(X[train], y[train]).cut_points_
        for cuts, wanted in zip(pipeline[0].cut_points_, expected, strict=True):
            np.testing.assert_array_equal(cuts, wanted)


def test_d52_nothing_is_compiled_or_loaded_before_it_is_needed():
    code = (
        "import sys, sklearn.base; before = set(sys.modules); import seminaive.data.discretize as d;"
        "d.EqualWidthDiscretizer().fit([[1], [2]]); d.EqualFrequencyDiscretizer().fit([[1], [2]]);"
        "new = set(sys.modules) - before; assert not {'numba', 'pandas', 'polars', 'pyarrow'} & new"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@each
@given(column=columns())
@settings(deadline=None)
def test_d36_d37_weights_are_copies_and_zero_is_absence(binner, column):
    values, classes, weights = column
    np.testing.assert_array_equal(
        binner.cut_points(values, classes, weights.astype(float), 4),
        binner.cut_points(np.repeat(values, weights), np.repeat(classes, weights), None, 4),
    )


@each
def test_d36_d37_weights_in_fit(binner):
    rng = np.random.default_rng(1)
    X, y, weights = rng.normal(size=(50, 2)).round(1), rng.integers(0, 3, 50), rng.integers(0, 4, 50)
    X[:, 0] += y
    X[weights == 0] = 1e6
    weighted = clone(binner).fit(X, y, sample_weight=weights)
    copied = clone(binner).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    for cuts, wanted in zip(weighted.cut_points_, copied.cut_points_, strict=True):
        np.testing.assert_array_equal(cuts, wanted)


@each
@pytest.mark.parametrize(
    ("weights", "message"),
    [([1, -1, 1], "Negative weight -1.0 at position 1"), ([0, 0, 0], "zero"), ([1, NAN, 1], "NaN")],
)
def test_impossible_weights(binner, weights, message):
    with pytest.raises(ValueError, match=message):
        clone(binner).fit([[1], [2], [3]], [0, 1, 1], sample_weight=weights)


@pytest.mark.parametrize("binner", ALL[:2], ids=lambda binner: type(binner).__name__)
@given(column=columns())
@settings(deadline=None)
def test_monotone_transforms_keep_the_partition(binner, column):
    values, classes, weights = (part[column[2] > 0] for part in column)
    ranks = np.searchsorted(np.unique(values), values).astype(float)
    plain, stretched = (
        np.searchsorted(binner.cut_points(x, classes, weights, 4), x, side="left")
        for x in (ranks, np.exp(ranks) - 7)
    )
    np.testing.assert_array_equal(plain, stretched)


@each
@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"age": [20, None, 41, 60], "sex": [0.5, 1, 0.5, 2]}),
        pd.DataFrame({"age": [20, None, 41, 60], "sex": [0.5, 1, 0.5, 2]}).convert_dtypes(),
        pl.DataFrame({"age": [20, None, 41, 60], "sex": [0.5, 1, 0.5, 2]}),
    ],
    ids=["pandas", "pandas-nullable", "polars"],
)
def test_frames(binner, table):
    array = np.array([[20, 0.5], [NAN, 1], [41, 0.5], [60, 2]])
    y = ["u", "v", "u", "v"]
    expected = clone(binner).fit(array, y)
    np.testing.assert_array_equal(clone(binner).fit(table, y).transform(table), expected.transform(array))
    assert expected.get_feature_names_out().tolist() == ["x0", "x1"]
    if isinstance(table, pl.DataFrame) and parse_version(sklearn.__version__) < parse_version("1.9"):
        return  # older scikit-learn does not read the names of today's polars
    assert clone(binner).fit(table, y).get_feature_names_out().tolist() == ["age", "sex"]
    for container, kind in [("pandas", pd.DataFrame), ("polars", pl.DataFrame)]:
        out = clone(binner).set_output(transform=container).fit(table, y).transform(table)
        assert isinstance(out, kind)
        assert list(out.columns) == ["age", "sex"]


@each
@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"age": [20, 30], "town": ["Bonn", "Ulm"]}),
        pd.DataFrame({"age": [20, 30], "town": pd.Categorical(["Bonn", "Ulm"])}),
        pl.DataFrame({"age": [20, 30], "town": ["Bonn", "Ulm"]}),
        pl.DataFrame({"age": [20, 30], "town": [None, "Bonn"]}),
    ],
)
def test_a_text_column_is_named_with_its_value_and_the_remedy(binner, table):
    with pytest.raises(
        ValueError, match=r"Column 'town' holds 'Bonn'.*Convert the column.*ColumnTransformer"
    ):
        clone(binner).fit(table, [0, 1])


@each
@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.array([[1, "a"], [2, "b"]], dtype=object), "Column 'x1' holds 'a'"),
        ([[1, "a"], [2, "b"]], "Column 'x1' holds 'a'"),
        (np.array([["1"], ["2"]]), "Column 'x0' holds '1'"),
        (pd.DataFrame({"day": pd.to_datetime(["2020-01-01", None])}), "Column 'day' holds '2020-01-01"),
        (np.array([["NaT"], ["2020-01-01"]], dtype="M8[ns]"), "Column 'x0' holds 'NaT'"),
    ],
)
def test_neither_text_nor_dates_pass_for_numbers(binner, table, message):
    with pytest.raises(ValueError, match=message):
        clone(binner).fit(table, [0, 1])


@each
def test_a_text_column_in_transform(binner):
    binner = clone(binner).fit([[1], [2]], [0, 1])
    with pytest.raises(ValueError, match="Column 'x0' holds 'red'"):
        binner.transform([["red"]])


@each
def test_booleans_and_integers_are_numbers(binner):
    assert numbers_in_words(binner, [True, False, True], [0, 1, 1]) == [1, 0, 1]
    assert numbers_in_words(binner, np.array([7, 3, 7], dtype=np.uint8), [0, 1, 1]) == [1, 0, 1]


@each
def test_a_failed_fit_leaves_an_unfitted_estimator(binner):
    binner = clone(binner)
    with pytest.raises(ValueError, match="Negative"):
        binner.fit([[1], [2]], [0, 1], sample_weight=[1, -1])
    with pytest.raises(NotFittedError):
        binner.transform([[1]])


@each
def test_pickle_and_predicting_changes_nothing(binner):
    X, y = np.arange(60.0).reshape(-1, 1), np.repeat([0, 1, 2], 20)
    before = pickle.dumps(clone(binner).fit(X, y))
    again = pickle.loads(before)
    again.transform(X + 1e9)
    assert pickle.dumps(again) == before
    assert isinstance(again, Discretizer)


@each
def test_one_row_and_no_value(binner):
    assert clone(binner).fit([[3.0]], [1]).transform([[5.0]]).tolist() == [[0.0]]
    assert binner.cut_points(np.empty(0), np.empty(0, int), None, 2).shape == (0,)


@pytest.mark.parametrize("maker", [EqualFrequencyDiscretizer, EqualWidthDiscretizer])
@pytest.mark.parametrize("n_bins", [1, 0, 2.0, "3", True, None])
def test_n_bins_must_be_a_whole_number_of_at_least_two(maker, n_bins):
    with pytest.raises(ValueError, match="n_bins"):
        maker(n_bins).fit([[1], [2]])


@given(below=st.floats(allow_nan=False, allow_infinity=False), data=st.data())
@settings(deadline=None)
def test_midpoints_lie_between(below, data):
    if below == LARGEST:
        return
    above = data.draw(
        st.one_of(
            st.just(float(np.nextafter(below, INF))),
            st.floats(min_value=below, exclude_min=True, allow_infinity=False),
        )
    )
    (middle,) = midpoints(np.array([below]), np.array([above]))
    assert below <= middle < above
