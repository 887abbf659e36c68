"""Classes and weights."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.utils.class_weight import compute_class_weight

from seminaive.data.target import check_sample_weight, class_weights, encode_target

TARGETS = {
    "list": (["b", "a", "b"], ["a", "b"]),
    "array": (np.array(["b", "a", "b"]), ["a", "b"]),
    "object": (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
    "bytes": ([b"b", b"a", b"b"], [b"a", b"b"]),
    "bool": ([True, False, True], [False, True]),
    "int": ([3, -1, 3], [-1, 3]),
    "int8": (np.array([100, -100, 100], dtype=np.int8), [-100, 100]),
    "uint64": (np.array([2**63 + 1, 2**63, 2**63 + 1], dtype=np.uint64), [2**63, 2**63 + 1]),
    "far apart": ([10**12, -(10**12), 10**12], [-(10**12), 10**12]),
    "float": ([2.0, 1.0, 2.0], [1.0, 2.0]),
    "column": (np.array([[2], [1], [2]]), [1, 2]),
    "pandas": (pd.Series(["b", "a", "b"], index=[7, 7, 7]), ["a", "b"]),
    "pandas category": (pd.Series(pd.Categorical(["b", "a", "b"], categories=["b", "c", "a"])), ["a", "b"]),
    "pandas Int64": (pd.Series([3, -1, 3], dtype="Int64"), [-1, 3]),
    "polars": (pl.Series(["b", "a", "b"]), ["a", "b"]),
    "polars Enum": (pl.Series(["b", "a", "b"], dtype=pl.Enum(["b", "c", "a"])), ["a", "b"]),
    "pyarrow": (pa.chunked_array([["b"], ["a", "b"]]), ["a", "b"]),
    "pyarrow dictionary": (
        pa.chunked_array([pa.array(["c", "b", "a", "b"]).dictionary_encode()[1:]]),
        ["a", "b"],
    ),
}


@pytest.mark.filterwarnings("ignore:A column-vector y:sklearn.exceptions.DataConversionWarning")
@pytest.mark.parametrize(("y", "expected"), TARGETS.values(), ids=list(TARGETS))
def test_classes_are_sorted(y, expected):
    classes, codes = encode_target(y, 3)
    assert classes.tolist() == expected
    assert codes.tolist() == [1, 0, 1]
    assert codes.dtype == np.int64
    if isinstance(y, np.ndarray):
        assert classes.dtype == y.dtype


def test_one_class():
    classes, codes = encode_target(["a"] * 4, 4)
    assert classes.tolist() == ["a"]
    assert codes.tolist() == [0] * 4


def test_known_classes():
    known = np.array(["a", "b", "c"])
    classes, codes = encode_target(["c", "a"], 2, known)
    assert classes is known
    assert codes.tolist() == [2, 0]
    assert encode_target([3, 1], 2, np.array([1.0, 2.0, 3.0]))[1].tolist() == [2, 0]
    with pytest.raises(ValueError, match=r"\['d'\].*'a', 'b', 'c'"):
        encode_target(["c", "d"], 2, known)


@pytest.mark.parametrize(
    "y",
    [
        ["a", None, "b"],
        [1.0, np.nan, 2.0],
        pd.Series(["a", pd.NA, "b"], dtype="string"),
        pd.Series([1, None, 2], dtype="Int64"),
        pl.Series(["a", None, "b"]),
        pa.chunked_array([["a", None, "b"]]),
        pd.Series(pd.Categorical(["a", None, "b"])),
        pd.Series([True, None, False], dtype="boolean"),
    ],
    ids=["None", "NaN", "NA", "Int64", "polars", "pyarrow", "category", "boolean"],
)
def test_missing_labels(y):
    with pytest.raises(ValueError, match=r"missing in 1 of 3 rows \(first: row 1\)"):
        encode_target(y, 3)


@pytest.mark.parametrize("n", [40, 4000])
def test_targets_that_are_no_classes(n):
    with pytest.raises(ValueError, match="continuous"):
        encode_target(np.linspace(0, 1, n), n)
    with pytest.raises((ValueError, TypeError)):
        encode_target(np.array([1, "a"] * (n // 2), dtype=object), n)
    with pytest.raises(ValueError, match=r"1d|shape|column"):
        encode_target(np.eye(n), n)
    with pytest.raises(ValueError, match="inconsistent"):
        encode_target(["a"] * n, n + 1)
    with pytest.raises(ValueError, match="requires y"):
        encode_target(None, n)


def test_many_rows_and_many_classes():
    rng = np.random.default_rng(0)
    y = rng.integers(2000, size=5000)
    classes, codes = encode_target(y, len(y))
    np.testing.assert_array_equal(classes[codes], y)
    classes, codes = encode_target(y.astype(str), len(y))
    np.testing.assert_array_equal(classes[codes], y.astype(str))
    assert sorted(classes) == list(classes)


def test_weights():
    assert check_sample_weight(None, 3) is None
    assert check_sample_weight([1, 1, 1], 3) is None
    assert check_sample_weight(1, 3) is None
    assert check_sample_weight([0, 1, 2.5], 3).tolist() == [0, 1, 2.5]
    assert check_sample_weight(2, 3).tolist() == [2, 2, 2]
    for given in (
        pd.Series([0, 1, 2]),
        pl.Series([0, 1, 2]),
        pa.chunked_array([[0, 1, 2]]),
        np.array([0, 1, 2], "u1"),
    ):
        weights = check_sample_weight(given, 3)
        assert weights.dtype == np.float64
        assert weights.tolist() == [0, 1, 2]
    assert check_sample_weight([True, False, True], 3).tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -0.5, 1], r"-0\.5.*row 1"),
        ([1, 1, np.nan], r"nan.*row 2"),
        ([np.inf, 1, 1], r"inf.*row 0"),
        (pl.Series([1.0, None, 1.0]), r"nan.*row 1"),
        ([0, 0, 0], "zero in every row"),
        ([1e308, 1e308, 1], "sums to infinity, above the limit"),
        ([1, 1e301, 1], r"sums to 1e\+301, above the limit of 1e\+300\. Divide"),
        (0, "zero in every row"),
        ([1, 1], r"\(2,\).*\(3,\)"),
        ([[1, 1, 1]], "1D"),
        (["a", "b", "c"], "a"),
    ],
    ids=str,
)
def test_weights_that_make_no_sense(weights, message):
    with pytest.raises(ValueError, match=message):
        check_sample_weight(weights, 3)


@pytest.mark.parametrize("copies", [None, [1, 2, 5, 1]], ids=["plain", "weighted"])
@pytest.mark.parametrize(
    "class_weight", ["balanced", {"a": 2, "b": 0.5}, {"a": 3}, None, {"a": 1, "b": 1, "c": 7}], ids=str
)
def test_class_weights_equal_those_of_scikit_learn(class_weight, copies):
    classes, codes = encode_target(["a", "b", "b", "b"], 4)
    weights = None if copies is None else np.array(copies, dtype=float)
    copied = classes[codes if copies is None else np.repeat(codes, copies)]
    expected = compute_class_weight(class_weight, classes=classes, y=copied)
    np.testing.assert_allclose(class_weights(class_weight, classes, codes, weights), expected)


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ("balance", "'balance'"),
        ({"A": 2}, r"\['A'\].*'a', 'b'"),
        ({"a": 0}, "'a' is 0"),
        ({"b": -1}, "'b' is -1"),
        ({"b": np.nan}, "'b' is nan"),
        ({"b": np.inf}, "'b' is inf"),
        ({"b": 1e301}, r"class_weight, times the weights of the rows, sums to 1e\+301"),
    ],
    ids=str,
)
def test_class_weights_that_make_no_sense(class_weight, message):
    with pytest.raises(ValueError, match=message):
        class_weights(class_weight, np.array(["a", "b"]), np.array([0, 1]), None)


def test_balanced_without_a_class():
    with pytest.raises(ValueError, match="'b'"):
        class_weights("balanced", np.array(["a", "b"]), np.array([0, 0]), None)
    with pytest.raises(ValueError, match="'b'"):
        class_weights("balanced", np.array(["a", "b"]), np.array([0, 1]), np.array([1.0, 0.0]))
