"""Columns of every kind of table."""

from __future__ import annotations

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from seminaive.data.table import as_column, as_table, factorize_numbers, factorize_objects, is_missing

CELLS = ["b", None, "a", "b", "c"]
NUMBERS = [3, None, 1, 3, 2]


def decoded(factorized):
    """The column that codes and values stand for, None for missing."""
    codes, values = factorized
    assert codes.dtype == np.int64
    assert len(set(values)) == len(values)
    assert set(codes.tolist()) - {-1} == set(range(len(values)))  # every value occurs
    return [None if code < 0 else values[code] for code in codes.tolist()]


TEXTS = {
    "numpy": np.array(CELLS, dtype=object).reshape(-1, 1),
    "list": [[cell] for cell in CELLS],
    "tuple": tuple((cell,) for cell in CELLS),
    "pandas object": pd.DataFrame({"x0": pd.Series(CELLS, dtype=object)}),
    "pandas str": pd.DataFrame({"x0": pd.Series(CELLS, dtype="str")}),
    "pandas string": pd.DataFrame({"x0": pd.Series(CELLS, dtype="string")}),
    "pandas category": pd.DataFrame({"x0": pd.Categorical(CELLS, categories=list("zcba"))}),
    "pandas arrow": pd.DataFrame({"x0": pd.Series(CELLS, dtype=pd.ArrowDtype(pa.string()))}),
    "pandas dictionary": pd.DataFrame(
        {"x0": pd.Series(CELLS, dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())))}
    ),
    "polars String": pl.DataFrame({"x0": CELLS}),
    "polars Categorical": pl.DataFrame({"x0": CELLS}).cast(pl.Categorical),
    "polars Enum": pl.DataFrame({"x0": CELLS}).cast(pl.Enum(list("zcba"))),
    "polars Object": pl.DataFrame({"x0": pl.Series(CELLS, dtype=pl.Object)}),
    "pyarrow string": pa.table({"x0": CELLS}),
    "pyarrow dictionary": pa.table({"x0": pa.array(["unused", *CELLS]).dictionary_encode()[1:]}),
    "pyarrow chunks": pa.table({"x0": pa.chunked_array([CELLS[:2], [], CELLS[2:]], pa.string())}),
    "pyarrow unequal dictionaries": pa.table(
        {
            "x0": pa.chunked_array(
                [pa.array(CELLS[:2]).dictionary_encode(), pa.array(CELLS[2:]).dictionary_encode()]
            )
        }
    ),
    "pyarrow null in dictionary": pa.table(
        {"x0": pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 0, 3]), pa.array(["b", None, "a", "c"]))}
    ),
}


if int(pa.__version__.split(".")[0]) >= 18:  # which can cast them
    TEXTS["pyarrow string_view"] = pa.table({"x0": pa.array(CELLS, pa.string_view())})


@pytest.mark.parametrize("table", TEXTS.values(), ids=list(TEXTS))
def test_text(table):
    table = as_table(table)
    assert table.n_rows == 5
    assert table.names == ["x0"]
    assert not table.is_numeric(0)
    assert decoded(table.factorize(0)) == CELLS
    assert all(type(value) is str for value in table.factorize(0)[1])
    with pytest.raises(ValueError, match=r"'[abc]'"):
        table.numbers(0)
    assert decoded(table.take(np.array([4, 2])).factorize(0)) == ["c", "a"]
    assert decoded(table.take(np.array([1])).factorize(0)) == [None]


@pytest.mark.parametrize("kind", ["pandas category", "polars Enum"])
def test_declared_by_the_dtype(kind):
    assert as_table(TEXTS[kind]).declared(0) == list("zcba")
    assert as_table(TEXTS[kind]).take(np.array([0])).declared(0) == list("zcba")


@pytest.mark.parametrize(
    "kind",
    ["numpy", "pandas str", "polars String", "pyarrow string", "pyarrow dictionary", "pandas dictionary"],
)
def test_not_declared_by_the_dtype(kind):
    assert as_table(TEXTS[kind]).declared(0) is None


MIXED = [3.0, None, 1.0, 3.0, 2.5]
COLUMNS = {
    "numpy": (np.array([[3.0], [np.nan], [1.0], [3.0], [2.5]]), MIXED),
    "numpy float32": (np.array([[3.0], [np.nan], [1.0], [3.0], [2.5]], dtype=np.float32), MIXED),
    "numpy float16": (np.array([[3.0], [np.nan], [1.0], [3.0], [2.5]], dtype=np.float16), MIXED),
    "numpy int": (np.array([[3], [5], [1], [3], [2]]), [3, 5, 1, 3, 2]),
    "numpy uint8": (np.array([[255], [0], [1]], dtype=np.uint8), [255, 0, 1]),
    "numpy int8": (np.array([[-128], [127], [1]], dtype=np.int8), [-128, 127, 1]),
    "numpy big endian": (np.array([[3], [5], [1]], dtype=">i8"), [3, 5, 1]),
    "pandas float": (pd.DataFrame({"x0": NUMBERS}), NUMBERS),
    "pandas Int64": (pd.DataFrame({"x0": pd.array(NUMBERS, dtype="Int64")}), NUMBERS),
    "pandas UInt8": (pd.DataFrame({"x0": pd.array(NUMBERS, dtype="UInt8")}), NUMBERS),
    "pandas Float32": (pd.DataFrame({"x0": pd.array(MIXED, dtype="Float32")}), MIXED),
    "pandas arrow": (pd.DataFrame({"x0": pd.Series(NUMBERS, dtype="int16[pyarrow]")}), NUMBERS),
    "polars Int": (pl.DataFrame({"x0": NUMBERS}), NUMBERS),
    "polars Float": (pl.DataFrame({"x0": [3.0, float("nan"), None, 2.5]}), [3.0, None, None, 2.5]),
    "polars Decimal": (
        pl.DataFrame({"x0": [decimal.Decimal("3.5"), None]}),
        [decimal.Decimal("3.5"), None],
    ),
    "pyarrow int": (pa.table({"x0": pa.array(NUMBERS, pa.uint16())}), NUMBERS),
    "pyarrow float": (pa.table({"x0": [3.0, float("nan"), None, 2.5]}), [3.0, None, None, 2.5]),
    "pyarrow chunks": (pa.table({"x0": pa.chunked_array([NUMBERS[:2], NUMBERS[2:]])}), NUMBERS),
}


@pytest.mark.parametrize(("table", "cells"), COLUMNS.values(), ids=list(COLUMNS))
def test_numbers(table, cells):
    table = as_table(table)
    assert table.is_numeric(0)
    assert not table.is_object(0)
    assert table.declared(0) is None
    numbers = table.numbers(0)
    assert numbers.dtype == np.float64
    np.testing.assert_array_equal(numbers, np.array([np.nan if c is None else float(c) for c in cells]))
    assert decoded(table.factorize(0)) == cells
    assert not any(isinstance(value, np.generic) for value in table.factorize(0)[1])
    rows = np.array([1, 0])
    np.testing.assert_array_equal(table.take(rows).numbers(0), numbers[rows])


@pytest.mark.parametrize(
    "table",
    [
        np.array([[True], [False], [None]], dtype=object),
        pd.DataFrame({"x0": pd.array([True, False, None], dtype="boolean")}),
        pd.DataFrame({"x0": pd.Series([True, False, None], dtype="bool[pyarrow]")}),
        pl.DataFrame({"x0": [True, False, None]}),
        pa.table({"x0": [True, False, None]}),
    ],
    ids=["numpy", "pandas", "pandas arrow", "polars", "pyarrow"],
)
def test_booleans_are_categorical(table):
    table = as_table(table)
    assert not table.is_numeric(0)
    assert decoded(table.factorize(0)) == [True, False, None]
    np.testing.assert_array_equal(table.numbers(0), [1, 0, np.nan])


def test_booleans_without_holes():
    for table in (np.array([[True], [False]]), pd.DataFrame({"x0": [True, False]})):
        table = as_table(table)
        assert not table.is_numeric(0)
        assert decoded(table.factorize(0)) == [True, False]


NOTHING = [None, None]


@pytest.mark.parametrize(
    "table",
    [
        np.array([[None], [None]], dtype=object),
        np.full((2, 1), np.nan),
        pd.DataFrame({"x0": NOTHING}),
        pd.DataFrame({"x0": [np.nan, np.nan]}),
        pd.DataFrame({"x0": pd.array(NOTHING, dtype="Int8")}),
        pd.DataFrame({"x0": pd.Categorical(NOTHING)}),
        pl.DataFrame({"x0": NOTHING}),
        pl.DataFrame({"x0": NOTHING}, schema={"x0": pl.String}),
        pl.DataFrame({"x0": NOTHING}, schema={"x0": pl.Categorical}),
        pa.table({"x0": pa.nulls(2)}),
        pa.table({"x0": pa.array(NOTHING, pa.float32())}),
        pa.table({"x0": pa.array(NOTHING, pa.dictionary(pa.int8(), pa.string()))}),
    ],
    ids=lambda table: type(table).__module__.split(".")[0],
)
def test_columns_without_any_value(table):
    table = as_table(table)
    assert decoded(table.factorize(0)) == NOTHING
    assert np.isnan(table.numbers(0)).all()


def test_objects():
    cells = [1, "1", 1.0, None, np.nan, pd.NA, pd.NaT, np.float64(2), np.str_("1"), (1, 2), b"1", np.int8(1)]
    expected = [1, "1", 1, None, None, None, None, 2, "1", (1, 2), b"1", 1]
    column = np.empty((len(cells), 1), dtype=object)
    column[:, 0] = cells
    for table in (column, pd.DataFrame({"x0": pd.Series(cells, dtype=object)})):
        table = as_table(table)
        assert table.is_object(0)
        assert decoded(table.factorize(0)) == expected
        assert {type(value) for value in table.factorize(0)[1]} == {int, str, float, tuple, bytes}


def test_objects_that_are_numbers():
    cells = [1, 2.5, None, decimal.Decimal("0.5"), np.float32(4), True, float("inf")]
    table = as_table(pd.DataFrame({"x0": pd.Series(cells, dtype=object)}))
    assert not table.is_numeric(0)
    np.testing.assert_array_equal(table.numbers(0), [1, 2.5, np.nan, 0.5, 4, 1, np.inf])


@pytest.mark.parametrize("cell", ["2", "x", b"2", (1,), 2j], ids=repr)
def test_objects_that_are_no_numbers(cell):
    table = as_table(pd.DataFrame({"x0": pd.Series([1, cell, 3], dtype=object)}))
    with pytest.raises(ValueError, match="number") as caught:
        table.numbers(0)
    assert repr(cell) in str(caught.value)


@pytest.mark.parametrize("cell", [[1], {1}, {"k": 1}, bytearray(b"1"), (1, [2])], ids=repr)
def test_objects_that_cannot_be_hashed(cell):
    column = np.empty(2, dtype=object)
    column[:] = [1, cell]
    with pytest.raises(TypeError) as caught:
        factorize_objects(column)
    assert repr(cell) in str(caught.value)


def test_dates_count_microseconds():
    day = datetime.datetime(2021, 5, 1)
    expected = [day.replace(tzinfo=datetime.UTC).timestamp() * 1e6, np.nan]
    for table in (
        np.array([[day], [None]], dtype="M8[us]"),
        np.array([[day], [None]], dtype="M8[ns]"),
        pd.DataFrame({"x0": pd.to_datetime([day, None])}),
        pl.DataFrame({"x0": [day, None]}),
        pl.DataFrame({"x0": [day.date(), None]}),
        pa.table({"x0": [day, None]}),
        pa.table({"x0": [day.date(), None]}),
    ):
        table = as_table(table)
        assert table.is_numeric(0)
        np.testing.assert_array_equal(table.numbers(0), expected)
    span = as_table(pd.DataFrame({"x0": pd.to_timedelta([90, None], unit="s")}))
    np.testing.assert_array_equal(span.numbers(0), [90e6, np.nan])


def test_time_zones_are_one_time():
    berlin = pd.DataFrame({"x0": pd.to_datetime(["2021-05-01 12:00"]).tz_localize("Europe/Berlin")})
    utc = pd.DataFrame({"x0": pd.to_datetime(["2021-05-01 10:00"]).tz_localize("UTC")})
    expected = as_table(utc).numbers(0)
    for table in (berlin, pl.from_pandas(berlin), pa.Table.from_pandas(berlin)):
        np.testing.assert_array_equal(as_table(table).numbers(0), expected)


@pytest.mark.parametrize(
    "table",
    [pl.DataFrame({"x0": [[1], [2]]}), pl.DataFrame({"x0": [{"k": 1}]}), pa.table({"x0": [[1], [2]]})],
    ids=["list", "struct", "pyarrow list"],
)
def test_nested_columns(table):
    with pytest.raises(TypeError):
        as_table(table).factorize(0)


def test_several_columns():
    frame = pd.DataFrame({"b": [1, 2], "a": ["x", "y"], "c": [0.5, np.nan]})
    for table in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        table = as_table(table)
        assert table.names == ["b", "a", "c"]
        assert [table.is_numeric(column) for column in range(3)] == [True, False, True]
        assert decoded(table.factorize(1)) == ["x", "y"]
    assert as_table(np.zeros((2, 11))).names[-1] == "x10"


def test_what_is_no_table():
    for sparse in (scipy.sparse.csr_matrix(np.eye(2)), scipy.sparse.coo_array(np.eye(2))):
        with pytest.raises(TypeError, match=r"[Ss]parse"):
            as_table(sparse)
    with pytest.raises(TypeError, match=r"LazyFrame.*collect"):
        as_table(pl.DataFrame({"a": [1]}).lazy())
    for wrong in (
        np.zeros(3),
        np.zeros((2, 2, 2)),
        np.zeros((0, 2)),
        pd.DataFrame({"a": []}),
        pd.DataFrame(index=[1]),
    ):
        with pytest.raises(ValueError, match="array"):
            as_table(wrong)
    for wrong in (pd.DataFrame([[1, 2]], columns=["a", "a"]), pa.table([[1], [2]], names=["a", "a"])):
        with pytest.raises(ValueError, match=r"repeated: \['a'\]"):
            as_table(wrong)
    with pytest.raises(ValueError, match="repeated"):
        as_table(pd.DataFrame([[1, 2]], columns=[1, 1]))
    with pytest.raises((TypeError, ValueError), match=r"dtype|[Cc]omplex"):
        as_table(np.array([[1j]]))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integers_of_every_width(dtype):
    ends = np.iinfo(dtype)
    for cells in ([ends.max, ends.min, ends.max], [ends.max, ends.max - 1], [ends.min + 1, ends.min], []):
        values = np.array(cells, dtype=dtype)
        codes, distinct = factorize_numbers(values)
        assert distinct == sorted(set(cells))
        assert all(type(value) is int for value in distinct)
        assert [distinct[code] for code in codes] == cells


def test_floats():
    codes, distinct = factorize_numbers(np.array([0.5, np.nan, -np.inf, 0.5, -0.0, 0.0, np.inf]))
    assert distinct == [-np.inf, 0.0, 0.5, np.inf]
    assert codes.tolist() == [2, -1, 0, 2, 1, 1, 3]


@pytest.mark.parametrize(
    "value",
    [
        None,
        float("nan"),
        np.nan,
        np.float32("nan"),
        pd.NA,
        pd.NaT,
        np.datetime64("NaT"),
        np.timedelta64("NaT", "s"),
        decimal.Decimal("NaN"),
    ],
    ids=repr,
)
def test_missing(value):
    assert is_missing(value)


@pytest.mark.parametrize(
    "value", [0, "", "nan", "None", False, float("inf"), (), b"", np.datetime64("2020")], ids=repr
)
def test_not_missing(value):
    assert not is_missing(value)


def test_series_of_every_library():
    for series in (pd.Series([1, 2]), pl.Series([1, 2]), pa.chunked_array([[1], [2]])):
        column = as_column(series)
        assert isinstance(column, np.ndarray)
        assert column.tolist() == [1, 2]
    array = np.array([1, 2])
    assert as_column(array) is array
    assert as_column(None) is None
    assert as_column([1, 2]) == [1, 2]
