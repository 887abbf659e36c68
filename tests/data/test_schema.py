"""Attributes and schemas."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from seminaive.data.schema import Attribute, Schema


def categorical(n, **options):
    return Attribute("a", "categorical", tuple(range(n)), **options)


def test_categorical_attribute():
    attribute = Attribute("colour", "categorical", ("red", "blue"))
    assert attribute.n_values == 2
    assert attribute.missing_code == 2
    assert attribute.labels == ["red", "blue"]
    assert [attribute.code_of(value) for value in ("red", "blue", "green", None)] == [0, 1, None, None]


def test_numbers_are_one_value_and_texts_another():
    attribute = Attribute("a", "categorical", (1, "1", 2.5))
    assert [attribute.code_of(v) for v in (1, 1.0, np.int8(1), np.float32(1), "1", 2.5)] == [0, 0, 0, 0, 1, 2]
    assert attribute.code_of("2.5") is None


def test_numeric_attribute():
    attribute = Attribute("length", "numeric", cut_points=np.array([1.5, 1234567.0]))
    assert attribute.n_values == 3
    assert attribute.missing_code == 3
    assert attribute.labels == ["(-inf, 1.5]", "(1.5, 1.23457e+06]", "(1.23457e+06, inf)"]
    assert Attribute("length", "numeric", cut_points=np.array([])).labels == ["(-inf, inf)"]


@pytest.mark.parametrize(
    "attribute",
    [categorical(3), Attribute("a", "numeric", cut_points=np.array([0.0, 1.0]))],
    ids=["categorical", "numeric"],
)
def test_missing_as_a_value_is_the_last_one(attribute):
    with_missing = Attribute(
        "a", attribute.kind, attribute.values, cut_points=attribute.cut_points, has_missing_value=True
    )
    assert with_missing.n_values == 4
    assert with_missing.missing_code == 3
    assert with_missing.labels == [*attribute.labels, "(missing)"]


def test_imputed_code():
    assert categorical(3, fill_code=1).missing_code == 1
    assert categorical(3, fill_code=0).missing_code == 0
    assert categorical(3, fill_code=1).n_values == 3


def test_attribute_without_any_value():
    attribute = categorical(0)
    assert attribute.n_values == attribute.missing_code == 0
    assert attribute.labels == []


def test_schema():
    schema = Schema((categorical(2), Attribute("b", "numeric", cut_points=np.arange(4.0))))
    assert len(schema) == 2
    assert schema.names == ["a", "b"]
    assert schema.n_values.tolist() == [2, 5]
    assert schema[1].name == "b"
    assert [attribute.name for attribute in schema.attributes] == ["a", "b"]


@pytest.mark.parametrize(
    ("n", "dtype"),
    [(2, np.uint8), (255, np.uint8), (256, np.uint16), (65_535, np.uint16), (65_536, np.uint32)],
)
def test_codes_fit_with_the_one_for_not_observed(n, dtype):
    schema = Schema((categorical(2), categorical(n)))
    assert schema.code_dtype == dtype
    assert np.iinfo(dtype).max >= schema[1].missing_code


def test_schema_survives_a_pickle():
    schema = Schema((categorical(2), Attribute("b", "numeric", cut_points=np.arange(4.0))))
    copy = pickle.loads(pickle.dumps(schema))
    assert copy.n_values.tolist() == [2, 5]
    assert copy[0].code_of(1) == 1
    assert copy[1].cut_points.tolist() == [0, 1, 2, 3]


def test_attributes_cannot_be_changed():
    with pytest.raises(AttributeError):
        categorical(2).name = "b"
    with pytest.raises(AttributeError):
        Schema(()).names = []
