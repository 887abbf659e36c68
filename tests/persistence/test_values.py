"""Values as JSON: what comes back is what went in, type for type, and nothing else comes back."""

from __future__ import annotations

import datetime
import enum
import json
import math
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seminaive import EqualFrequencyDiscretizer, MDLPDiscretizer, ModelFileError
from seminaive.data.state import DISCRETIZERS
from seminaive.persistence.values import Packer, Unpacker

OSLO = ZoneInfo("Europe/Oslo")
zones = st.sampled_from([None, datetime.UTC, datetime.timezone(datetime.timedelta(hours=-3)), OSLO])
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(),
    st.binary(),
    st.dates(),
    st.datetimes(timezones=zones, allow_imaginary=False),
    st.times(),
    st.timedeltas(),
    st.decimals(allow_nan=False),
    st.fractions(),
    st.uuids(),
)
texts = st.frozensets(st.text(max_size=3), max_size=3)
hashables = st.one_of(scalars, texts, st.tuples(scalars, scalars), st.tuples(st.tuples(scalars)))
values = st.one_of(
    hashables,
    texts.map(set),
    st.lists(hashables, max_size=3),
    st.dictionaries(hashables, st.lists(hashables, max_size=2) | hashables, max_size=3),
)


def again(value, records=()):
    packer = Packer(records)
    text = json.dumps(packer.pack(value, "a value"), allow_nan=False)
    return Unpacker(packer.arrays.__getitem__, records).unpack(json.loads(text))


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        alike = a.dtype == b.dtype and a.shape == b.shape
        return alike and all(map(same, a.ravel().tolist(), b.ravel().tolist()))
    if isinstance(a, float | np.floating):
        return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (a != a and b != b)
    if isinstance(a, complex):
        return same(a.real, b.real) and same(a.imag, b.imag)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    if isinstance(a, set | frozenset):
        return a == b
    if isinstance(a, datetime.datetime | datetime.time):
        return a == b and a.tzinfo == b.tzinfo and a.fold == b.fold
    return a == b


@given(values)
def test_what_comes_back_is_what_went_in(value):
    assert same(again(value), value)


@pytest.mark.parametrize(
    "value",
    [
        np.array([1.5, np.nan, np.inf]),
        np.array([[1, 2], [3, 4]], dtype=np.int8),
        np.array(3.0),
        np.array([], dtype=np.uint16),
        np.array(["a", "", "éß\U0001f600"]),
        np.array([b"a", b""]),
        np.array([True, False]),
        np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
        np.array([5], dtype="m8[us]"),
        np.array(["a", 1, None, (1, "b"), datetime.date(2020, 1, 1), 2.5, True], dtype=object),
        np.array([["a", "b"]], dtype=object).T,
        np.array([[1, 2], [3, 4]]).T,
        np.float32(0.1),
        np.int64(-7),
        np.bool_(True),
        np.str_("text"),
        np.str_(""),
        np.datetime64("2020-01-01T00:00:00.123456789"),
        range(2, 9, 3),
        2**4000,
        -0.0,
        pd.Timestamp("2020-01-01 00:00:00.123456789"),
        pd.Timestamp("2020-10-25 00:30", tz="UTC").tz_convert(OSLO),  # one of two moments at 02:30
        pd.Timestamp("1500-01-01").as_unit("s"),
        pd.Timedelta("3 days 1 ns"),
        pd.Interval(0.5, 2, closed="left"),
        pd.Interval(pd.Timestamp("2020"), pd.Timestamp("2021")),
        pd.Period("2020-03", freq="M"),
    ],
    ids=repr,
)
def test_arrays_and_scalars_keep_their_types(value):
    result = again(value)
    assert same(result, value)
    assert getattr(result, "tz", None) == getattr(value, "tz", None)
    assert getattr(result, "unit", None) == getattr(value, "unit", None)


def test_classes_of_the_library_by_their_parts():
    value = {"a": EqualFrequencyDiscretizer(n_bins=7), "b": [MDLPDiscretizer()]}
    result = again(value, DISCRETIZERS)
    assert type(result["a"]) is EqualFrequencyDiscretizer
    assert result["a"].get_params() == value["a"].get_params()
    assert type(result["b"][0]) is MDLPDiscretizer


class Colour(enum.IntEnum):
    RED = 1


class Text(str):
    pass


class Zone(datetime.tzinfo):
    pass


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (print, "builtin"),
        (object(), "object"),
        (Colour.RED, "Colour"),
        (Text("a"), "Text"),
        (MDLPDiscretizer(), "MDLPDiscretizer"),  # without its record
        (pd.Series([1]), "Series"),
        ([1, {"a": {1, 2}, "b": lambda: 0}], "function"),
        (np.zeros(2, dtype=[("a", "i8")]), "array of"),
        (np.array([object()]), "object"),
        (
            datetime.datetime(2020, 1, 1, tzinfo=Zone()),
            "time zone",
        ),
        (slice(3), "slice"),
    ],
)
def test_anything_else_is_refused_by_name(value, word):
    with pytest.raises(ModelFileError, match=r"parameter 'x'|time zone") as caught:
        Packer().pack(value, "parameter 'x'")
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"tuple": [1], "list": []},
        {"builtins.eval": "1"},
        {"MDLPDiscretizer": {"dict": []}},
        {"tuple": 3},
        {"dict": [[1]]},
        {"dict": [[[1], 2]]},  # a list as a key
        {"array": 9},
        {"scalar": 1},
        {"objects": [[2**60, 2**60], []]},
        {"objects": [[-1, -1], [1]]},
        {"objects": [[True], [1]]},
        {"float": "one"},
        {"range": [0, 10**15, 1]},
        {"date": "2020-13-01"},
        {"datetime": ["2020-01-01", "../../etc/passwd", 0]},
        {"datetime": ["2020-01-01", 1e300, 0]},
        {"Fraction": [1, 0]},
        {"UUID": "x"},
        {"Interval": [2, 1, "left"]},
        {"Period": [1, "no frequency"]},
        {"Timestamp": ["x", None]},
        {"bytes": "zz"},
        {"frozenset": [[1]]},
    ],
    ids=repr,
)
def test_what_makes_no_sense_is_an_ordinary_error(state):
    arrays = [np.zeros(2), np.zeros((1, 1))]
    with pytest.raises((ValueError, TypeError, KeyError, IndexError, ArithmeticError)):
        Unpacker(arrays.__getitem__).unpack(state)
