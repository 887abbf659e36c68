"""Group D: names, order and classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from demand import ASK, DETERMINED, coloured, every_classifier, every_full_classifier, mixed, spread
from sklearn.preprocessing import KBinsDiscretizer

from seminaive import EqualWidthDiscretizer, TableEncoder

LIBRARIES = {
    "pandas": lambda X: X,
    "polars": pl.from_pandas,
    "pyarrow": lambda X: pa.Table.from_pandas(X, preserve_index=False),
}


@spread(library=LIBRARIES, ask=ASK)
def test_d23_columns_in_another_order_are_refused(classifier, library, ask):
    X, y = coloured()
    model = classifier().fit(library(X), y)
    assert model.feature_names_in_.tolist() == ["colour", "size", "shape"]
    with pytest.raises(ValueError, match="order") as caught:
        getattr(model, ask)(library(X[["size", "colour", "shape"]]))
    assert "'size', 'colour', 'shape'" in str(caught.value)
    assert "'colour', 'size', 'shape'" in str(caught.value)


@spread(library=LIBRARIES)
def test_d23_columns_missing_or_in_excess_are_listed(classifier, library):
    X, y = coloured()
    model = classifier().fit(library(X), y)
    with pytest.raises(ValueError, match="shape"):
        model.predict(library(X[["colour", "size"]]))
    with pytest.raises(ValueError, match="weight"):
        model.predict(library(X.assign(weight="heavy")))
    with pytest.raises(ValueError, match=r"(?s)weight.*shape|shape.*weight"):
        model.predict(library(X.rename(columns={"shape": "weight"})))


@every_full_classifier
def test_d23_the_number_of_columns_of_an_array(classifier):
    X, y = coloured()
    model = classifier().fit(X.to_numpy(), y)
    assert model.n_features_in_ == 3
    assert not hasattr(model, "feature_names_in_")
    assert list(model.parents_) == ["x0", "x1", "x2"]
    with pytest.raises(ValueError, match=r"2 features.*3 features"):
        model.predict(X.to_numpy()[:, :2])


@every_classifier
def test_d24_every_classifier_compares_names_before_it_converts(classifier):
    X, y = coloured()
    model = classifier().fit(X, y)
    if hasattr(model, "partial_fit"):
        with pytest.raises(ValueError, match="order"):
            model.partial_fit(X[["shape", "size", "colour"]], y)
    with pytest.warns(UserWarning, match="feature names"):
        expected = model.predict(X.to_numpy())
    assert expected.tolist() == model.predict(X).tolist()
    model.fit(X.to_numpy(), y)  # names of an earlier fit are forgotten
    assert not hasattr(model, "feature_names_in_")


@every_classifier
def test_d24_repeated_names_are_refused_and_listed(classifier):
    X, y = coloured()
    for table in (
        X.set_axis(["a", "b", "a"], axis=1),
        pa.table([pa.array(X[name]) for name in X], names=["a", "b", "a"]),
    ):
        with pytest.raises(ValueError, match=r"repeated.*'a'") as caught:
            classifier().fit(table, y)
        assert "'b'" not in str(caught.value)
    model = classifier().fit(X, y)
    with pytest.raises(ValueError, match=r"repeated.*'size'"):
        model.predict(X[["colour", "size", "size"]])


LABELS = {
    "str": ["b", "a", "c"],
    "int": [2, 0, 1],
    "int8": np.array([100, -100, 7], dtype=np.int8),
    "uint64": np.array([2**63 + 2, 3, 2**63 + 1], dtype=np.uint64),
    "float": [2.0, -1.0, 0.0],
    "object": np.array(["b", "a", "c"], dtype=object),
    "negative": [-1, -3, -2],
}


@spread(DETERMINED, labels=LABELS)
def test_d25_classes_are_sorted_and_predictions_are_theirs(classifier, labels):
    X, y = mixed()
    labels = np.asarray(labels)
    codes = np.unique(y, return_inverse=True)[1]
    model = classifier().fit(X, labels[codes])
    np.testing.assert_array_equal(model.classes_, np.sort(labels))
    assert model.classes_.dtype == labels.dtype
    proba = model.predict_proba(X)
    predicted = model.predict(X)
    assert predicted.dtype == labels.dtype
    np.testing.assert_array_equal(predicted, model.classes_[proba.argmax(axis=1)])
    expected = classifier().fit(X, codes).predict_proba(X)
    np.testing.assert_allclose(proba, expected[:, np.argsort(labels)], rtol=0, atol=1e-12)


@every_classifier
def test_d25_targets_of_every_library(classifier):
    X, y = coloured()
    expected = classifier().fit(X, y).predict_proba(X)
    targets = {
        "list": y.tolist(),
        "object": y.astype(object),
        "pandas": pd.Series(y),
        "pandas string": pd.Series(y, dtype="string"),
        "pandas category": pd.Series(pd.Categorical(y, categories=["yes", "maybe", "no"])),
        "pandas boolean": pd.Series(y == "yes", dtype="boolean"),
        "pandas Int8": pd.Series(y == "yes").astype("Int8"),
        "polars": pl.Series(y.tolist()),
        "polars Enum": pl.Series(y.tolist(), dtype=pl.Enum(["yes", "maybe", "no"])),
        "polars Boolean": pl.Series((y == "yes").tolist()),
        "pyarrow": pa.chunked_array([y.tolist()]),
        "pyarrow array": pa.array(y.tolist()),
        "pyarrow dictionary": pa.chunked_array([pa.array(y.tolist()).dictionary_encode()]),
    }
    for kind, target in targets.items():
        model = classifier().fit(X, target)
        assert len(model.classes_) == 2, kind  # a category without rows is no class
        np.testing.assert_array_equal(model.predict_proba(X), expected, err_msg=kind)


@every_classifier
def test_d25_a_tie_goes_to_the_earlier_class(classifier):
    X = np.array([["a"], ["a"], ["b"], ["b"]], dtype=object)
    model = classifier().fit(X, ["z", "k", "k", "z"])
    assert model.predict(X).tolist() == ["k"] * 4


@spread(key=["name", "position", "negative position"])
def test_d26_settings_of_single_columns(classifier, key):
    X, y = mixed()
    column = {
        "name": lambda name: name,
        "position": lambda name: list(X).index(name),
        "negative position": lambda name: list(X).index(name) - 4,
    }[key]
    model = classifier(
        categories={column("job"): ["d", "c", "b", "a", "none"]},
        categorical_features=[column("visits"), column("job")],
        discretizer={column("height"): EqualWidthDiscretizer(n_bins=4)},
        missing={column("height"): "value", column("job"): "impute"},
    ).fit(X, y)
    height, job, smoker, visits = model.schema_.attributes
    assert len(height.cut_points) == 3
    np.testing.assert_allclose(np.ptp(np.diff(height.cut_points)), 0, atol=1e-9)
    assert height.has_missing_value
    assert job.values == ("d", "c", "b", "a", "none")
    assert job.values[job.fill_code] == X["job"].mode()[0]
    assert smoker.kind == visits.kind == "categorical"
    assert list(visits.values) == sorted(set(X["visits"]))


@spread(
    option=[
        {"categories": {"jobs": ["a"]}},
        {"categorical_features": ["jobs"]},
        {"discretizer": {"jobs": "mdlp"}},
        {"missing": {"jobs": "value"}},
    ]
)
def test_d26_settings_of_a_column_that_is_not_there(classifier, option):
    X, y = mixed()
    with pytest.raises(ValueError, match=rf"{next(iter(option))}.*'jobs'.*'job'"):
        classifier(**option).fit(X, y)
    name, value = next(iter(option.items()))
    wrong = [9] if isinstance(value, list) else {9: value["jobs"]}
    with pytest.raises(ValueError, match=r"\b9\b"):
        classifier(**{name: wrong}).fit(X, y)


@spread(discretizer=["mdlp", "equal-frequency", "equal-width", "foreign"])
def test_d27_any_number_of_classes(classifier, discretizer):
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(26), 20)
    X = pd.DataFrame(
        {"number": y + rng.normal(0, 0.1, len(y)), "letter": np.array(list("abcdefghijklm"))[y // 2]}
    )
    if discretizer == "foreign":
        discretizer = KBinsDiscretizer(n_bins=30, encode="ordinal", strategy="uniform")
    model = classifier(discretizer=discretizer).fit(X, y)
    assert model.predict_proba(X).shape == (520, 26)
    assert model.score(X, y) > 0.2
    if discretizer == "mdlp":
        assert model.schema_[0].n_values == 26
        assert model.score(X, y) > 0.99
        codes = TableEncoder().fit(X, y).transform(X)
        assert len(np.unique(codes[:, 0])) == 26
