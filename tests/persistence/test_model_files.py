"""Model files: a loaded classifier is the saved one in everything that can be asked of it."""

from __future__ import annotations

import datetime
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import KBinsDiscretizer

import seminaive
from repeatable import repeatable
from seminaive import (
    AODE,
    KDB,
    TAN,
    EqualFrequencyDiscretizer,
    LocalKDB,
    ModelFileError,
    ModelVersionWarning,
    NaiveBayes,
    SelectiveKDB,
    all_classifiers,
    load,
)
from seminaive.classifiers.network import SingleNetworkClassifier

from mutations import with_array, with_json  # isort: skip

every_classifier = pytest.mark.parametrize("name", list(all_classifiers()))
N = 160


def mixed():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "sky": rng.choice(["clear", "rain", "haze"], N),
            "wind": rng.normal(size=N),
            "gusts": rng.random(N) < 0.3,
            "month": pd.Categorical(rng.choice(["may", "june"], N), categories=["june", "may", "never"]),
            "station": rng.integers(0, 5, N),
        }
    )
    y = np.where((X["sky"] == "rain") ^ (X["wind"] > 0.5), "stay", rng.choice(["go", "stay", "wait"], N))
    X.loc[rng.random(N) < 0.1, "sky"] = None
    X.loc[rng.random(N) < 0.1, "wind"] = np.nan
    return X, y, {"categorical_features": ["station", "sky", "gusts", "month"]}


def with_a_column_that_is_never_observed():
    X, y, options = mixed()
    return X.assign(nothing=None), y, options


def with_missing_values():
    X, y, options = mixed()
    return X, y, {**options, "missing": {"categorical": "value", "numeric": "impute"}, "smoothing": "laplace"}


def of_integers():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (N, 6))
    return (
        X,
        (X[:, 0] + X[:, 1]) % 2 == 0,
        {"categorical_features": "all", "class_prior": np.array([0.5, 0.5])},
    )


def of_one_column():
    return pl.DataFrame({"a": [1.5, 2.5, 3.5, None] * 10}), [3, 3, 5, 5] * 10, {}


def of_one_class():
    return np.array([["a", "b"], ["b", "b"]], dtype=object), ["only", "only"], {}


TABLES = [
    mixed,
    with_a_column_that_is_never_observed,
    with_missing_values,
    of_integers,
    of_one_column,
    of_one_class,
]


def fitted(name_or_class, table, **more):
    cls = repeatable(name_or_class) if isinstance(name_or_class, str) else name_or_class
    X, y, options = table()
    return X, cls(**{**options, **more}).fit(X, y)


def assert_same(model, other, X):
    assert type(other) is type(model)
    assert repr(other.get_params()) == repr(model.get_params())
    assert vars(other).keys() == vars(model).keys()
    assert vars(other.encoder_).keys() == vars(model.encoder_).keys()
    for method in ("predict_proba", "joint_log_likelihood", "predict"):
        np.testing.assert_array_equal(getattr(other, method)(X), getattr(model, method)(X))
    assert other.classes_.dtype == model.classes_.dtype
    assert [list(map(type, a.values)) for a in other.schema_.attributes] == [
        list(map(type, a.values)) for a in model.schema_.attributes
    ]
    assert other.to_dot() == model.to_dot()
    for value in vars(model):  # everything that anybody can see
        if value.endswith("_") and value not in ("encoder_", "schema_"):
            np.testing.assert_equal(getattr(other, value), getattr(model, value))
            assert type(getattr(other, value)) is type(getattr(model, value)), value
    if hasattr(model, "case_network"):
        assert other.case_network(X[:9]) == model.case_network(X[:9])


@pytest.mark.parametrize("table", TABLES)
@every_classifier
def test_every_classifier(name, table, tmp_path):
    X, model = fitted(name, table)
    path = tmp_path / "m.model"
    model.save(path)
    other = load(path)
    assert_same(model, other, X)
    other.save(tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == path.read_bytes()


@every_classifier
def test_what_a_loaded_model_can_do(name, tmp_path):
    X, model = fitted(name, mixed)
    y = mixed()[1]
    model.save(tmp_path / "m.model")
    other = load(tmp_path / "m.model")
    assert_same(model, pickle.loads(pickle.dumps(other)), X)
    assert repr(clone(other).get_params()) == repr(model.get_params())
    if hasattr(model, "partial_fit"):
        assert_same(model.partial_fit(X[:50], y[:50]), other.partial_fit(X[:50], y[:50]), X)
    if hasattr(model, "transform"):
        np.testing.assert_array_equal(other.get_support(), model.get_support())
        assert other.selection_path_ == model.selection_path_
    assert_same(model.fit(X[::2], y[::2]), other.fit(X[::2], y[::2]), X)


@every_classifier
def test_rows_with_weights(name, tmp_path):
    X, y, options = mixed()
    weights = np.random.default_rng(3).choice([0, 0.5, 1, 2.25], N)
    model = repeatable(name)(**options, class_weight={"go": 2, "stay": 1.5}).fit(X, y, weights)
    model.save(tmp_path / "m.model")
    assert_same(model, load(tmp_path / "m.model"), X)


@every_classifier
def test_tables_of_what_occurs_only(name, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 100, (N, 4))
    model = repeatable(name)(categorical_features="all", memory_limit=200_000)
    model.fit(X, X[:, 0] % 3)
    assert model._tables.pair_counts is None
    model.save(tmp_path / "m.model")
    assert_same(model, load(tmp_path / "m.model"), X)


def test_parameters_that_were_set_after_fitting(tmp_path):
    X, model = fitted(AODE, mixed, smoothing_strength=2.0)
    expected = model.predict_proba(X)
    model.set_params(smoothing_strength=np.float64(50), memory_limit=10**9, categories={"sky": ("a",)})
    model.encoder_.set_params(unseen="error")
    np.testing.assert_array_equal(model.predict_proba(X), expected)
    model.save(tmp_path / "m.model")
    other = load(tmp_path / "m.model")
    assert_same(model, other, X)
    assert type(other.smoothing_strength) is np.float64
    assert other.encoder_.unseen == "error"


@pytest.mark.parametrize(
    "values",
    [
        ["1", 1, 2.5, True, None],
        [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)],
        [
            datetime.datetime(2020, 1, 1, 5, tzinfo=datetime.UTC),
            datetime.datetime(2021, 1, 1, tzinfo=datetime.UTC),
        ],
        [("a", 1), ("a", 2), ("b", (1, None))],
        [b"a", b"b"],
        [float("inf"), -0.5, 10**30],
        [frozenset({1}), frozenset({2})],
    ],
    ids=str,
)
def test_categories_of_any_type(values, tmp_path):
    X = np.empty((len(values) * 3, 2), dtype=object)
    X[:, 0] = [*values] * 3
    X[:, 1] = "same"
    model = TAN(categorical_features="all").fit(X, np.arange(len(X)) % 2)
    model.save(tmp_path / "m.model")
    assert_same(model, load(tmp_path / "m.model"), X)


@pytest.mark.parametrize(
    "column",
    [
        pd.date_range("2020-01-01", periods=6, tz="Europe/Oslo"),
        pd.cut(pd.Series([1.0, 2, 3, 4, 5, 6]), 3),
        pd.Series(pd.period_range("2020-01", periods=6, freq="M")),
        pd.Series(pd.to_timedelta([1, 2, 3, 1, 2, 3], unit="D")),
        pd.Series(["a", "b"] * 3, dtype="string"),
    ],
    ids=lambda column: str(column.dtype),
)
def test_categories_of_pandas(column, tmp_path):
    X = pd.DataFrame({"a": column, "b": [1, 2, 3] * 2})
    model = NaiveBayes(categorical_features=["a"]).fit(X, [0, 1] * 3)
    model.save(tmp_path / "m.model")
    assert_same(model, load(tmp_path / "m.model"), X)


texts = st.lists(st.text(), min_size=2, unique=True)


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        texts.map(np.array),
        texts.map(lambda labels: np.array(labels, dtype=object)),
        st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, unique=True).map(np.array),
        st.sampled_from(
            [np.array([False, True]), np.array([1.0, 2.0, 7.0]), np.array([3, 4], dtype=np.int8)]
        ),
    )
)
def test_classes_of_any_type(tmp_path_factory, labels):
    y = np.concatenate([labels, labels])
    X = np.array([[f"{i % 2}", f"{i % 3}"] for i in range(len(y))])
    path = tmp_path_factory.mktemp("classes") / "m.model"
    model = NaiveBayes().fit(X, y)
    model.save(path)
    assert_same(model, load(path), X)


def test_parameters_of_any_type(tmp_path):
    X, model = fitted(
        KDB,
        mixed,
        k=np.int64(1),
        class_prior=[0.2, np.float32(0.3), 0.5],
        categorical_features=np.array([True, False, True, True, True]),
        discretizer={"wind": EqualFrequencyDiscretizer(n_bins=4)},
        missing={"wind": "value"},
        categories={"sky": ("haze", "rain", "clear", "snow")},
        verbose=np.bool_(False),
    )
    model.save(tmp_path / "m.model")
    other = load(tmp_path / "m.model")
    assert_same(model, other, X)
    assert type(other.k) is np.int64


# --- what cannot be kept


class Star(SingleNetworkClassifier):
    """A classifier from outside."""

    def _structure(self, tables):
        return [[] for _ in range(len(tables.schema))]


def test_what_no_file_can_hold_is_refused_by_name(tmp_path):
    path = tmp_path / "m.model"
    X, y, options = mixed()
    with pytest.raises(NotFittedError):
        AODE().save(path)
    with pytest.raises(ModelFileError, match=r"test_model_files.Star is no classifier of this library"):
        Star(**options).fit(X, y).save(path)
    bins = KBinsDiscretizer(n_bins=3, encode="ordinal", quantile_method="averaged_inverted_cdf")
    with pytest.raises(ModelFileError, match=r"parameter 'discretizer' is a sklearn.*KBinsDiscretizer"):
        NaiveBayes(**options, discretizer=bins).fit(X, y).save(path)
    model = NaiveBayes(**options, discretizer={"wind": bins}).fit(X, y).set_params(discretizer="mdlp")
    model.encoder_.set_params(discretizer="mdlp")
    model._fitted_parameters["discretizer"] = "mdlp"
    with pytest.raises(ModelFileError, match="Column 'wind' is cut by a KBinsDiscretizer"):
        model.save(path)
    with pytest.raises(ModelFileError, match=r"parameter .categories. is a pandas.*Series"):
        NaiveBayes(categories={"sky": pd.Series(["clear", "rain", "haze"])}, **options).fit(X, y).save(path)
    with pytest.raises(FileNotFoundError):
        NaiveBayes(**options).fit(X, y).save(tmp_path / "none" / "m.model")
    assert list(tmp_path.iterdir()) == []


def test_another_version_is_one_warning(tmp_path):
    X, model = fitted(TAN, of_integers)
    path = tmp_path / "m.model"
    model.save(path)
    data = path.read_bytes()
    path.write_bytes(with_json(data, "manifest.json", lambda m: {**m, "library_version": "0.0.9"}))
    with pytest.warns(ModelVersionWarning, match=r"written by seminaive 0.0.9, and this is") as caught:
        other = load(path)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert_same(model, other, X)
    path.write_bytes(with_json(data, "manifest.json", lambda m: {**m, "schema_version": 2}))
    with pytest.raises(ModelFileError, match=r"schema version 2; .*reads up to 1. Install a newer version"):
        load(path)


def test_counts_are_no_model_and_the_other_way_round(tmp_path):
    X, y, options = of_integers()
    seminaive.Counts.of(X, y).save(tmp_path / "a.counts")
    NaiveBayes(**options).fit(X, y).save(tmp_path / "a.model")
    with pytest.raises(ModelFileError, match=r"a.counts: a counts file, where a model file is wanted"):
        load(tmp_path / "a.counts")
    with pytest.raises(ModelFileError, match=r"a.model: a model file, where a counts file is wanted"):
        seminaive.Counts.load(tmp_path / "a.model")


# --- files whose checksums are right and whose content is not


def forged(model, path, member, change):
    model.save(path)
    data = path.read_bytes()
    path.write_bytes((with_array if isinstance(member, int) else with_json)(data, member, change))


def set_at(*place):
    *keys, value = place

    def change(content):
        inner = content
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = value
        return content

    return change


ATTRIBUTE = ("counts", "encoder", "attributes", 0)


@pytest.mark.parametrize(
    ("cls", "place"),
    [
        (TAN, ("structure", 1, [77])),
        (TAN, ("structure", 1, [-1])),
        (TAN, ("structure", [[]])),
        (TAN, ("structure", 0, [True])),
        (TAN, ("classifier", "os.system")),
        (TAN, ("classifier", "AODE")),
        (LocalKDB, ("classifier", "AODESR")),
        (NaiveBayes, ("classifier", "AODE")),
        (TAN, ("parameters", "root", {"TAN": None})),
        (TAN, ("parameters", "unknown", 1)),
        (TAN, ("parameters", "smoothing", "none")),
        (TAN, (*ATTRIBUTE, "fill_code", 99)),
        (TAN, (*ATTRIBUTE, "values", [0, 1, 2, 3])),
        (TAN, (*ATTRIBUTE, "values", [0, 1, 1])),
        (TAN, (*ATTRIBUTE, "has_missing_value", 7)),
        (TAN, (*ATTRIBUTE, "cut_points", [2.0, 1.0])),
        (TAN, (*ATTRIBUTE, "kind", "numeric")),
        (TAN, ("counts", "encoder", "attributes", [])),
        (TAN, ("counts", "tables", "n_rows", 2**70)),
        (TAN, ("counts", "tables", "class_counts", 77)),
        (AODE, ("counts", "tables", "pairs", None)),
        (AODE, ("counts", "tables", "pairs", "sparse")),
        (AODE, ("counts", "classes", {"objects": [[2], ["a", "b"]]})),
        (LocalKDB, ("counts", "tables", "index", None)),
        (SelectiveKDB, ("structure", "Selected", "dict", 0, 1, [99])),
        (SelectiveKDB, ("structure", "Selected", "dict", 0, 0, "__class__")),
    ],
    ids=str,
)
def test_content_that_makes_no_sense(cls, place, tmp_path):
    _, model = fitted(cls, of_integers)
    path = tmp_path / "m.model"
    if place[-1] == {"objects": [[2], ["a", "b"]]}:  # the array of classes is left over
        expected = "belongs to nothing"
    else:
        expected = "m.model: damaged, cut short, or not written by this library"
    forged(model, path, "content.json", set_at(*place))
    with pytest.raises(ModelFileError, match=expected):
        load(path)


@pytest.mark.parametrize(
    ("cls", "name", "change"),
    [
        (AODE, "class_counts", lambda a: -a),
        (AODE, "class_counts", lambda a: a[:1]),
        (AODE, "class_counts", lambda a: a.astype(np.int32)),
        (AODE, "attribute_counts", lambda a: a[:-1]),
        (AODE, "attribute_counts", lambda a: a.astype(np.float64)),
        (AODE, "pair_counts", lambda a: a[:-2]),
        (AODE, "pair_counts", lambda a: a - 1),
        (LocalKDB, "words", lambda a: a[:-1]),
        (LocalKDB, "words", lambda a: ~a),
        (LocalKDB, "class_ends", lambda a: a + 64),
        (LocalKDB, "class_ends", lambda a: a[::-1].copy()),
        (LocalKDB, "weights", lambda a: np.zeros(3)),
        (LocalKDB, "has_gaps", lambda a: ~a),
        (LocalKDB, "has_gaps", lambda a: a.astype(np.int8)),
        (seminaive.OptimizedKDB, "singles", lambda a: a[:-1]),
        (seminaive.OptimizedKDB, "table", lambda a: a[:-1]),
        (seminaive.OptimizedKDB, "table", lambda a: a.astype(np.float32)),
        (KDB, "members", lambda a: a + 6),
        (KDB, "members", lambda a: -a),
        (KDB, "members", lambda a: a * 0),
        (KDB, "counts", lambda a: a[:-1]),
    ],
)
def test_arrays_that_do_not_fit(cls, name, change, tmp_path):
    _, model = fitted(cls, of_integers)
    path = tmp_path / "m.model"
    number = None

    def find(content):
        nonlocal number
        tables = content["counts"]["tables"]
        parts = [tables, tables["index"] or {}, tables["triples"] or {}, *tables["families"]]
        number = next(part[name] for part in parts if name in part)
        return content

    forged(model, path, "content.json", find)
    load(path)
    forged(model, path, number, change)
    with pytest.raises(ModelFileError, match="makes no sense"):
        load(path)


def test_sparse_families_that_do_not_fit(tmp_path):
    X = np.random.default_rng(0).integers(0, 60, (N, 3))
    model = AODE(categorical_features="all", memory_limit=60_000).fit(X, X[:, 0] % 2)
    path = tmp_path / "m.model"
    model.save(path)
    for change in (lambda a: a + 200, lambda a: a[:, :-1], lambda a: a.astype(np.int64)):
        forged(model, path, 5, change)  # cells
        with pytest.raises(ModelFileError, match="makes no sense"):
            load(path)
    for change in (lambda a: a + 1, lambda a: a * 2**61, lambda a: -a, lambda a: a[:-1]):
        forged(model, path, 6, change)  # lengths
        with pytest.raises(ModelFileError, match="makes no sense"):
            load(path)


def test_what_a_selection_keeps_cannot_take_the_place_of_anything(tmp_path):
    X, model = fitted(SelectiveKDB, of_integers)
    path = tmp_path / "m.model"

    def change(content):
        further = content["structure"]["Selected"]["dict"][-1][1]["dict"]
        further += [["classes_", list("abcdefgh")], ["_network", 1], ["k_", 0]]
        return content

    forged(model, path, "content.json", change)
    other = load(path)
    np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
