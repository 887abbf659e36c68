"""Reading a table of results, gaps, and its views."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seminaive.evaluate.results_table import ResultsTable, results_table
from seminaive.evaluate.views import TextTable

COLUMNS = {"data": ["zoo", "iris", "car"], "NB": [0.03, 0.09, 0.14], "TAN": [0.01, None, 0.06]}
VALUES = [[0.03, 0.01], [0.09, math.nan], [0.14, 0.06]]


@pytest.mark.parametrize(
    "table",
    [
        COLUMNS,
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).set_index("data"),
        pd.DataFrame(COLUMNS, dtype=object),
        pd.DataFrame(COLUMNS).convert_dtypes(),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
        {name: np.array(column, dtype=object) for name, column in COLUMNS.items()},
        {name: pd.Series(column, index=[5, 6, 7]) for name, column in COLUMNS.items()},
    ],
    ids=["dict", "pandas", "index", "object", "nullable", "polars", "pyarrow", "arrays", "series"],
)
def test_every_kind_of_table(table):
    results = results_table(table)
    assert results.data_sets == ("zoo", "iris", "car")
    assert results.classifiers == ("NB", "TAN")
    np.testing.assert_array_equal(results.values, VALUES)
    assert results_table(results) is results


def test_names_of_the_data_sets():
    numbers = {"NB": [0.1, 0.2], "TAN": [1, 0]}
    assert results_table(numbers).data_sets == ("1", "2")
    assert results_table(pd.DataFrame(numbers)).data_sets == ("1", "2")
    assert results_table(numbers, data_sets=["a", "b"]).data_sets == ("a", "b")
    openml = results_table({**numbers, "id": [61, 40]}, data_sets="id")
    assert (openml.data_sets, openml.classifiers) == (("61", "40"), ("NB", "TAN"))


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ({"A": [0.1, "x"], "data": ["a", "b"]}, {"data_sets": "data"}, "column 'A' holds 'x'"),
        ({"data": ["a"], "A": [[1]]}, {}, r"column 'A' holds \[1\]"),
        ({"A": [0.1], "B": [0.1, 0.2]}, {}, "column 'A' has 1 values for 2"),
        ({"A": [0.1]}, {"data_sets": ["a", "b"]}, "column 'A' has 1 values for 2"),
        ({"A": [0.1]}, {"data_sets": "data"}, "there is no column 'data'; there are A"),
        ({"data": ["a", "b", "a"], "A": [1, 2, 3]}, {}, "more than one data set is called a"),
        ({"A": [math.inf]}, {}, "infinite values"),
        ({"A": []}, {}, "there is no data set"),
        ({"data": ["a"]}, {}, "there is no classifier"),
        ({}, {}, "there is no"),
    ],
)
def test_tables_that_cannot_be(table, options, message):
    with pytest.raises(ValueError, match=message):
        results_table(table, **options)


def test_values_of_another_shape():
    with pytest.raises(ValueError, match="are not 1 data sets by 2 classifiers"):
        ResultsTable("loss", ("a",), ("A", "B"), np.zeros((2, 1)))


def test_selecting():
    results = results_table(COLUMNS, measure="zero-one loss", greater_is_better=True)
    part = results.select(["TAN"], ["car", "zoo"])
    assert (part.classifiers, part.data_sets) == (("TAN",), ("car", "zoo"))
    assert part.values.tolist() == [[0.06], [0.01]]
    assert (part.measure, part.greater_is_better) == ("zero-one loss", True)
    assert results["NB"].tolist() == COLUMNS["NB"]
    with pytest.raises(ValueError, match="no classifier AODE; there are NB, TAN"):
        results.select(["AODE"])
    with pytest.raises(ValueError, match="no data set wine"):
        results.select(data_sets=["wine"])


def test_gaps():
    results = results_table(COLUMNS)
    assert results.incomplete == ("iris",)
    assert results.complete().data_sets == ("zoo", "car")
    assert results.complete().incomplete == ()
    with pytest.raises(ValueError, match="no data set has a value of every classifier"):
        results.select(data_sets=["iris"]).complete()
    assert results.to_text().endswith("Not in the mean, for want of a value: iris.")
    assert results.to_csv().splitlines()[2] == "iris,0.09,"
    assert "mean" not in results.select(data_sets=["iris"]).to_csv()


# --- views


NAMES = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), max_size=5)
TABLE = TextTable(
    "Costs of A_b & c",
    ["data|set", "x^2", "record"],
    [["50%", 1 / 3, "3/0/1"], ["#2", math.nan, None]],
    {"x^2": ".2f"},
    ["<note>"],
)


def test_text():
    assert str(TABLE).splitlines() == [
        "Costs of A_b & c",
        "data|set   x^2  record",
        "--------  ----  ------",
        "50%       0.33   3/0/1",
        "#2           -",
        "<note>",
    ]


def test_markdown():
    assert TABLE.to_markdown().splitlines() == [
        "**Costs of A_b & c**",
        "",
        r"| data\|set | x^2 | record |",
        "|:---|---:|---:|",
        "| 50% | 0.33 | 3/0/1 |",
        "| #2 | - |  |",
        "",
        "<note>",
    ]


def test_latex():
    lines = TABLE.to_latex().splitlines()
    assert r"\caption{Costs of A\_b \& c}" in lines
    assert r"\begin{tabular}{lrr}" in lines
    assert r"data|set & x\textasciicircum{}2 & record \\" in lines
    assert r"50\% & 0.33 & 3/0/1 \\" in lines
    assert r"\#2 & -- &  \\" in lines
    assert r"\par\footnotesize \textless{}note\textgreater{}" in lines
    assert (lines[0], lines[-1]) == (r"\begin{table}", r"\end{table}")


def test_csv_has_every_digit():
    assert TABLE.to_csv() == f"data|set,x^2,record\n50%,{1 / 3!r},3/0/1\n#2,,\n"


def test_a_table_without_rows():
    empty = TextTable("Nothing", ["a", "b"], [])
    assert empty.to_csv() == "a,b\n"
    assert "| a | b |" in empty.to_markdown()


@given(
    st.lists(
        st.tuples(NAMES, st.one_of(st.none(), st.integers(), st.floats(allow_nan=False))),
        max_size=5,
    )
)
def test_csv_comes_back(rows):
    text = TextTable("any", ["name", "value"], rows).to_csv()
    back = list(csv.reader(io.StringIO(text, newline="")))
    assert back[0] == ["name", "value"]
    assert back[1:] == [[name, "" if value is None else str(value)] for name, value in rows]
