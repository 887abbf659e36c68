"""TableEncoder as a transformer of its own."""

from __future__ import annotations

import itertools
import pickle
import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder

from repeatable import DRAWING, EVERY
from seminaive import (
    KDB,
    EqualFrequencyDiscretizer,
    MDLPDiscretizer,
    NaiveBayes,
    TableEncoder,
    UnseenValueWarning,
)
from seminaive.data.columns import ascending
from seminaive.exceptions import UnseenValueWarning as SameWarning

every_classifier = pytest.mark.parametrize("classifier", EVERY.values(), ids=list(EVERY))

# those that make of numbers what an encoder makes of them
CATEGORICAL = [classifier for name, classifier in EVERY.items() if name not in DRAWING]


def table(n=60, seed=0):
    """A frame with everything in it, and three classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    frame = pd.DataFrame(
        {
            "colour": pd.Series(rng.choice(["red", "green", "blue"], n), dtype=object),
            "length": rng.normal(3.0 * y, 1),
            "grade": pd.Categorical(rng.choice(["low", "high"], n), categories=["low", "mid", "high"]),
            "count": rng.poisson(1 + 3 * y),
            "flag": rng.random(n) < 0.5,
        }
    )
    frame.loc[rng.random(n) < 0.1, "colour"] = None
    frame.loc[rng.random(n) < 0.1, "length"] = np.nan
    frame.loc[rng.random(n) < 0.1, "grade"] = None
    return frame, np.array(["a", "b", "c"])[y]


# --- codes


def test_codes_by_hand():
    X = pd.DataFrame({"colour": ["red", "blue", None, "red"], "length": [1.0, 2.0, 2.0, np.nan]})
    encoder = TableEncoder().fit(X, [0, 1, 1, 0])
    assert encoder.schema_[0].values == ("blue", "red")  # in ascending order
    assert encoder.schema_[1].cut_points.tolist() == [1.5]
    np.testing.assert_array_equal(encoder.transform(X), [[1, 0], [0, 1], [np.nan, 1], [1, np.nan]])
    codes = encoder.encode(X)
    assert codes.dtype == np.uint8
    assert codes.tolist() == [[1, 0, 2, 1], [0, 1, 1, 2]]


def test_codes_of_the_rows_that_count():
    X, y = table()
    weights = np.arange(len(y)) % 2
    codes = TableEncoder().fit_encode(X, y, weights)
    encoder = TableEncoder().fit(X[weights > 0], y[weights > 0])
    np.testing.assert_array_equal(codes, encoder.encode(X[weights > 0]))


@pytest.mark.parametrize("missing", ["ignore", "value", "impute"])
@pytest.mark.parametrize("discretizer", ["mdlp", "equal-frequency", "equal-width"])
def test_fit_transform_is_fit_and_transform(missing, discretizer):
    X, y = table()
    encoder = TableEncoder(missing=missing, discretizer=discretizer)
    expected = encoder.fit(X, y).transform(X)
    np.testing.assert_array_equal(clone(encoder).fit_transform(X, y), expected)
    np.testing.assert_array_equal(clone(encoder).fit_encode(X, y), encoder.encode(X))
    assert expected.dtype == np.float64
    hidden = np.isnan(expected)
    assert (hidden == (X.isna().to_numpy() if missing == "ignore" else False)).all()


@pytest.mark.parametrize("missing", ["ignore", "value", "impute"])
def test_every_library_gives_the_same_codes(missing):
    X, y = table()
    X["grade"] = X["grade"].astype(object)
    expected = TableEncoder(missing=missing).fit_transform(X, y)
    for other in (
        X.convert_dtypes(),
        X.convert_dtypes(dtype_backend="pyarrow"),
        pl.from_pandas(X),
        pa.Table.from_pandas(X),
    ):
        encoder = TableEncoder(missing=missing)
        np.testing.assert_array_equal(encoder.fit_transform(other, y), expected)
        np.testing.assert_array_equal(encoder.transform(X), expected)


def test_missing_and_unseen_values():
    X = pd.DataFrame({"a": ["x", "y", "y", None], "b": ["u", "u", "v", "v"]})
    T = pd.DataFrame({"a": ["z", None, "x"], "b": [None, "w", "v"]})
    nan = np.nan
    expected = {
        "ignore": [[nan, nan], [nan, nan], [0, 1]],
        "value": [[2, nan], [2, nan], [0, 1]],
        "impute": [[1, 0], [1, 0], [0, 1]],  # of equally frequent values the first
    }
    for missing, codes in expected.items():
        encoder = TableEncoder(missing=missing).fit(X)
        with pytest.warns(UnseenValueWarning) as caught:
            np.testing.assert_array_equal(encoder.transform(T), codes)
        assert [("'a'" in str(w.message), "'b'" in str(w.message)) for w in caught] == [
            (True, False),
            (False, True),
        ]
        with pytest.raises(ValueError, match=r"'a'.*'z'.*'x', 'y'"):
            TableEncoder(missing=missing, unseen="error").fit(X).transform(T)
    assert SameWarning is UnseenValueWarning


def test_columns_that_are_called_like_a_kind():
    X = pd.DataFrame({"numeric": ["x", None], "categorical": [1.0, np.nan], "other": ["u", None]})
    encoder = TableEncoder(
        missing={"numeric": "value", "categorical": "impute"}, discretizer="equal-width"
    ).fit(X)
    # names of columns go before names of kinds
    assert [attribute.has_missing_value for attribute in encoder.schema_.attributes] == [True, False, False]
    assert [attribute.fill_code for attribute in encoder.schema_.attributes] == [None, 0, None]


def test_integers_of_an_array_all_at_once():
    # tables of integers have a path of their own; it must not show
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, size=(50, 4))
    X[:, 1] *= 1000
    for dtype in (np.int8, np.int16, np.int64):
        table = (X % 100).astype(dtype)
        fast, slow = TableEncoder(categorical_features="all"), TableEncoder(categorical_features="all")
        expected = slow.fit_transform(table.astype(object))
        np.testing.assert_array_equal(fast.fit_transform(table), expected)
        assert [a.values for a in fast.schema_.attributes] == [a.values for a in slow.schema_.attributes]
        np.testing.assert_array_equal(fast.transform(table.astype(object)), expected)
        np.testing.assert_array_equal(fast.transform(table.astype(float)), expected)
        np.testing.assert_array_equal(slow.transform(table), expected)
        with pytest.warns(UnseenValueWarning, match="101"):
            codes = fast.transform(np.full((1, 4), 101, dtype=dtype))
        assert np.isnan(codes).all()


def test_integers_at_the_ends_of_their_range():
    encoder = TableEncoder(categorical_features="all").fit(np.array([[-1], [0], [3]]))
    ends = np.iinfo(np.int64)
    with pytest.warns(UnseenValueWarning):
        assert np.isnan(encoder.transform(np.array([[ends.min], [ends.max], [-2], [1], [4]]))).all()
    with pytest.warns(UnseenValueWarning, match="18446744073709551615"):
        codes = encoder.transform(np.array([[2**64 - 1], [3], [2**63]], dtype=np.uint64))  # -1 in 64 bits
    np.testing.assert_array_equal(codes, [[np.nan], [2], [np.nan]])


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from([1, 2.5, "1", "z", None, True, (1,)]), st.sampled_from([0.5, np.inf, -1, None])
        ),
        min_size=1,
        max_size=12,
    ),
    missing=st.sampled_from(["ignore", "value"]),
)
def test_codes_tell_values_apart_and_nothing_else(rows, missing):
    cells = [row[0] for row in rows]
    X = pd.DataFrame(
        {"a": pd.Series(cells, dtype=object), "b": np.array([row[1] for row in rows], dtype=float)}
    )
    encoder = TableEncoder(missing=missing, discretizer="equal-frequency").fit(X)
    codes = encoder.transform(X)
    for i, first in enumerate(cells):
        for j, second in enumerate(cells):
            if first is not None and second is not None:
                assert (codes[i, 0] == codes[j, 0]) == (first == second)
    known = [code for code, cell in zip(codes[:, 0], cells, strict=True) if cell is not None]
    assert not np.isnan(known).any()
    hole = [code for code, cell in zip(codes[:, 0], cells, strict=True) if cell is None]
    assert not set(hole) & set(known)
    assert np.isnan(hole).all() == (missing == "ignore" or not hole)
    order = X["b"].notna().to_numpy()
    b = X["b"].to_numpy()[order]
    assert (np.diff(codes[order, 1][np.argsort(b, kind="stable")]) >= 0).all()


def test_order_of_values():
    values = ["b", 10, "a", 9.5, (1,), None, True, b"x", -1, "10"]
    assert ascending(v for v in values if v is not None)[:4] == [-1, True, 9.5, 10]
    assert ascending(["b", 2, "a", 1]) == [1, 2, "a", "b"]
    assert ascending([2**60 + 1, 2**60]) == [2**60, 2**60 + 1]
    assert ascending(ascending(values)) == ascending(values[::-1])


def test_many_declared_values_take_no_quadratic_time():
    values = [f"v{i}" for i in range(20_000)]
    X = pd.DataFrame({"a": pd.Categorical(values, categories=values)})
    begin = time.process_time()
    encoder = TableEncoder().fit(X)
    TableEncoder(categories={"a": values}).fit(X.astype(object))
    np.testing.assert_array_equal(encoder.transform(X)[:, 0], np.arange(20_000))
    assert time.process_time() - begin < 2


# --- the manners of a transformer


def test_names_of_the_columns():
    X, y = table()
    encoder = TableEncoder().fit(X, y)
    assert encoder.get_feature_names_out().tolist() == list(X)
    assert encoder.feature_names_in_.tolist() == list(X)
    assert encoder.n_features_in_ == 5
    assert encoder.get_feature_names_out(list(X)).tolist() == list(X)
    with pytest.raises(ValueError, match="input_features"):
        encoder.get_feature_names_out(["a", "b"])
    array = TableEncoder().fit(X[["length", "count"]].to_numpy(), y)
    assert array.get_feature_names_out().tolist() == ["x0", "x1"]
    assert array.get_feature_names_out(["u", "v"]).tolist() == ["u", "v"]
    assert not hasattr(array, "feature_names_in_")
    for frame in (pl.from_pandas(X), pa.Table.from_pandas(X, preserve_index=False)):
        assert TableEncoder().fit(frame, y).get_feature_names_out().tolist() == list(X)
    with pytest.raises(ValueError, match="order"):
        encoder.transform(X[list(X)[::-1]])


def test_output_of_other_libraries():
    X, y = table()
    X.index = np.arange(len(X))[::-1]
    expected = TableEncoder().fit_transform(X, y)
    out = TableEncoder().set_output(transform="pandas").fit_transform(X, y)
    assert isinstance(out, pd.DataFrame)
    assert list(out) == list(X)
    assert out.index.equals(X.index)
    np.testing.assert_array_equal(out.to_numpy(), expected)
    out = TableEncoder().set_output(transform="polars").fit(X, y).transform(X)
    assert isinstance(out, pl.DataFrame)
    assert out.columns == list(X)
    np.testing.assert_array_equal(out.to_numpy(), expected)
    with sklearn.config_context(transform_output="pandas"):
        out = TableEncoder().fit_transform(pl.from_pandas(X), y)
        assert list(out) == list(X)


def test_clone_pickle_and_parameters():
    X, y = table()
    parameters = {
        "categories": {"colour": ["red", "green", "blue", "pink"]},
        "categorical_features": ["count", "colour"],
        "discretizer": {"length": EqualFrequencyDiscretizer(n_bins=3)},
        "missing": {"colour": "value", "numeric": "impute"},
        "unseen": "error",
    }
    encoder = TableEncoder(**parameters)
    assert encoder.get_params(deep=False) == parameters
    copied = pickle.loads(pickle.dumps(encoder.fit(X, y)))
    np.testing.assert_array_equal(copied.transform(X), encoder.transform(X))
    again = clone(encoder)
    assert not hasattr(again, "schema_")
    np.testing.assert_array_equal(again.fit(X, y).transform(X), encoder.transform(X))
    kinds = [attribute.kind for attribute in encoder.schema_.attributes]
    assert kinds == ["categorical", "numeric", "categorical", "categorical", "categorical"]
    assert encoder.schema_.n_values.tolist()[:3] == [5, 3, 3]
    with pytest.raises(NotFittedError):
        TableEncoder().transform(X)
    with pytest.raises(NotFittedError):
        TableEncoder().encode(X)


def test_the_target_is_needed_for_supervised_cuts_only():
    X, y = table()
    TableEncoder().fit(X[["colour", "grade", "flag"]])
    TableEncoder(discretizer="equal-width").fit(X)
    TableEncoder(categorical_features="all").fit(X)
    TableEncoder(discretizer=None, categorical_features="all").fit(X)
    for needs in ("mdlp", MDLPDiscretizer(), {"count": "equal-width"}):
        with pytest.raises(ValueError, match=r"'length'.*y"):
            TableEncoder(discretizer=needs).fit(X)
    assert TableEncoder().__sklearn_tags__().target_tags.required
    assert not TableEncoder(discretizer="equal-width").__sklearn_tags__().target_tags.required
    TableEncoder().fit(X, y)


def test_uninformative_features():
    X = pd.DataFrame(
        {"noise": np.arange(20.0), "same": [1.5] * 20, "text": ["x"] * 20, "never": [np.nan] * 20}
    )
    encoder = TableEncoder().fit(X, [0, 1] * 10)
    assert encoder.uninformative_features_ == ["noise", "same", "never"]


def test_weights_are_copies_and_zero_is_absence():
    X, y = table()
    X.loc[0, "colour"] = "only here"
    X.loc[0, "length"] = 1e9
    copies = np.arange(len(y)) % 4
    for missing in ("ignore", "value", "impute"):
        weighted = TableEncoder(missing=missing).fit(X, y, sample_weight=copies)
        rows = np.repeat(np.arange(len(y)), copies)
        copied = TableEncoder(missing=missing).fit(X.iloc[rows], y[rows])
        np.testing.assert_array_equal(weighted.transform(X.iloc[rows]), copied.transform(X.iloc[rows]))
        assert weighted.schema_.n_values.tolist() == copied.schema_.n_values.tolist()


def test_a_fit_that_fails_leaves_everything_as_it_was():
    X, y = table()
    odd = X.assign(colour=pd.Series([[1]] * len(X), dtype=object))
    fitted = TableEncoder().fit(X, y)
    before = pickle.dumps(fitted)
    for arguments in (
        (odd, y),
        (X, None),
        (X, y[:-1]),
        (X, y, -np.ones(len(y))),
        (X.iloc[:, :0], y),
        (X.head(0), []),
    ):
        with pytest.raises((ValueError, TypeError)):
            fitted.fit(*arguments)
        assert pickle.dumps(fitted) == before
        fresh = TableEncoder()
        with pytest.raises((ValueError, TypeError)):
            fresh.fit(*arguments)
        assert vars(fresh) == vars(TableEncoder())


def test_transforming_changes_nothing():
    X, y = table()
    encoder = TableEncoder().fit(X, y)
    before = pickle.dumps(encoder), pickle.dumps(X)
    encoder.transform(X)
    with pytest.warns(UnseenValueWarning):
        encoder.transform(X.assign(colour="pink"))
    assert (pickle.dumps(encoder), pickle.dumps(X)) == before


# --- in company


@pytest.mark.parametrize(
    ("classifier", "missing"),
    list(zip(CATEGORICAL, itertools.cycle(["ignore", "value", "impute"]), strict=False)),
)
def test_encoder_and_classifier_in_a_pipeline(classifier, missing):
    X, y = table(90)
    X["grade"] = X["grade"].astype(object)  # a declared value without rows is lost on the way
    pipeline = make_pipeline(TableEncoder(missing=missing), classifier(categorical_features="all"))
    direct = classifier(missing=missing)
    pipeline.fit(X, y)
    direct.fit(X, y)
    np.testing.assert_allclose(pipeline.predict_proba(X), direct.predict_proba(X), rtol=0, atol=1e-12)
    row = X.head(4).assign(colour=["pink", "red", None, "blue"])
    with pytest.warns(UnseenValueWarning):
        actual = pipeline.predict_proba(row)
    with pytest.warns(UnseenValueWarning):
        np.testing.assert_allclose(actual, direct.predict_proba(row), rtol=0, atol=1e-12)


@pytest.mark.parametrize("classifier", CATEGORICAL)
def test_pandas_output_in_a_pipeline(classifier):
    X, y = table()
    X["grade"] = X["grade"].astype(object)
    pipeline = make_pipeline(TableEncoder(), classifier(categorical_features="all")).set_output(
        transform="pandas"
    )
    pipeline.fit(X, y)
    assert pipeline[-1].feature_names_in_.tolist() == list(X)
    assert pipeline[-1].parents_.keys() == classifier().fit(X, y).parents_.keys()
    np.testing.assert_allclose(
        pipeline.predict_proba(X), classifier().fit(X, y).predict_proba(X), rtol=0, atol=1e-12
    )


def test_before_classifiers_of_scikit_learn():
    X, y = table(120)
    filled = X.assign(
        colour=X["colour"].fillna("none"), grade=X["grade"].cat.add_categories("none").fillna("none")
    )
    filled["grade"] = filled["grade"].astype(object)
    filled["length"] = filled["length"].fillna(0)
    pipeline = make_pipeline(TableEncoder(), CategoricalNB(alpha=1))
    expected = NaiveBayes(smoothing="laplace", class_prior="empirical").fit(filled, y)
    np.testing.assert_allclose(
        pipeline.fit(filled, y).predict_proba(filled), expected.predict_proba(filled), rtol=0, atol=1e-12
    )


def test_same_codes_as_an_ordinal_encoder():
    X, _ = table()
    text = X[["colour", "grade"]].astype(object).dropna()
    np.testing.assert_array_equal(TableEncoder().fit_transform(text), OrdinalEncoder().fit_transform(text))


def test_inside_of_a_column_transformer():
    X, y = table()
    apart = make_column_transformer(
        (TableEncoder(), ["colour", "grade"]),
        (TableEncoder(discretizer="equal-width"), ["length", "count", "flag"]),
    )
    codes = apart.fit_transform(X, y)
    assert codes.shape == (len(X), 5)
    assert apart.get_feature_names_out().tolist()[0] == "tableencoder-1__colour"


@pytest.mark.parametrize("classifier", [NaiveBayes, KDB])
def test_searching_for_parameters_of_the_encoder(classifier):
    X, y = table(90)
    pipeline = make_pipeline(TableEncoder(), classifier(categorical_features="all"))
    grid = {
        "tableencoder__missing": ["ignore", "value"],
        "tableencoder__discretizer": [
            "mdlp",
            "equal-frequency",
            KBinsDiscretizer(3, encode="ordinal", strategy="uniform"),
        ],
    }
    search = GridSearchCV(pipeline, grid, cv=2, scoring="neg_log_loss", error_score="raise").fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    direct = GridSearchCV(
        classifier(), {"discretizer": ["mdlp", "equal-width"], "missing": ["ignore", "impute"]}, cv=2
    )
    assert np.isfinite(direct.fit(X, y).best_score_)
    assert cross_val_score(pipeline, pl.from_pandas(X), y, cv=3).shape == (3,)
