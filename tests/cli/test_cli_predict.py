"""``seminaive predict``."""

from __future__ import annotations

import csv
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import seminaive
from seminaive.cli.tables import match_labels
from seminaive.sources.files import read_table


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_order_of_rows_and_probabilities(succeed, model, weather):
    fitted = seminaive.load(model)
    X = read_table(weather).drop_columns(["play"])
    printed = rows(succeed("predict", model, weather, "--proba").out)
    assert [row["prediction"] for row in printed] == fitted.predict(X).tolist()
    assert list(printed[0]) == ["prediction", "P(no)", "P(yes)"]
    numbers = np.array([[float(row["P(no)"]), float(row["P(yes)"])] for row in printed])
    np.testing.assert_array_equal(numbers, fitted.predict_proba(X))


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.tsv", "out.parquet"])
def test_output_files(succeed, model, weather, tmp_path, name):
    outcome = succeed("predict", model, weather, "--output", tmp_path / name, "--jobs", 2)
    assert outcome.out == outcome.err == ""
    table = read_table(tmp_path / name)
    assert table.column_names == ["prediction"]
    assert table["prediction"].to_pylist() == [
        row["prediction"] for row in rows(succeed("predict", model, weather).out)
    ]


def test_d23_columns_are_found_by_name(succeed, model, weather, tmp_path):
    table = read_table(weather)
    shuffled = table.select(["windy", "play", "temp", "outlook"]).append_column("new", pa.array(range(14)))
    pyarrow.parquet.write_table(shuffled, tmp_path / "s.parquet")
    outcome = succeed("predict", model, tmp_path / "s.parquet", "--proba")
    assert outcome.out == succeed("predict", model, weather, "--proba").out
    assert outcome.err == ""


def test_absent_columns(run, model, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("Outlook,temp,windy\nsunny,1,true\n")
    error = run("predict", model, path).error
    assert "needs 1 column that the table does not have: 'outlook'; did you mean 'Outlook'?" in error
    path.write_text("a\n1\n")
    assert (
        "needs 3 columns that the table does not have: 'outlook', 'temp', 'windy'"
        in run("predict", model, path).error
    )


def test_d01_unseen_values_are_one_warning(succeed, model, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("outlook,temp,windy\nfoggy,20,true\nhail,1e9,true\n,,\n,20,true\n")
    outcome = succeed("predict", model, path, "--proba")
    assert len(outcome.err.splitlines()) == 1
    assert outcome.err.startswith("warning: ")
    assert all(word in outcome.err for word in ("'outlook'", "'foggy'", "'hail'"))
    printed = rows(outcome.out)
    assert printed[0] == printed[3]  # unseen is as missing


def test_text_in_a_column_of_numbers(run, model, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("outlook,temp,windy\nsunny,20,true\nsunny,warm,true\n")
    assert "column 'temp', row 2: 'warm' is not a number" in run("predict", model, path).error


def test_d17_d18_the_same_category_in_other_dress(succeed, run, tmp_path):
    train = tmp_path / "train.csv"
    train.write_text("grade,play\n" + "1,a\n2,b\n3,b\n" * 5 + "x,a\n")  # a column of text because of the x
    model = tmp_path / "m.model"
    succeed("fit", train, "-t", "play", "-c", "NaiveBayes", "-o", model)
    expected = ["a", "b", "b"]
    new = tmp_path / "new.csv"
    for content in ("grade\n1\n2\n3\n", "grade\n1.0\n2.0\n3.0\n", "grade,b\n1,1\n2,1\n3,1\n,1\n"):
        new.write_text(content)
        outcome = succeed("predict", model, new)
        assert [row["prediction"] for row in rows(outcome.out)][:3] == expected
        assert outcome.err == ""
    for values in (
        [1, 2, 3],
        [1.0, 2.0, 3.0],
        ["1", "2", "3"],
        pa.array(["1", "2", "3"]).dictionary_encode(),
    ):
        pyarrow.parquet.write_table(pa.table({"grade": values}), tmp_path / "new.parquet")
        outcome = succeed("predict", model, tmp_path / "new.parquet")
        assert [row["prediction"] for row in rows(outcome.out)] == expected


@pytest.mark.parametrize(
    ("values", "column", "expected"),
    [
        (("a", "b"), ["b", "c", None], ["b", "c", None]),
        (("1", "2.50"), [1, 2.5, 3.0], ["1", "2.50", "3.0"]),
        (("1", "1.0"), ["1.0", "1", "1.00"], ["1.0", "1", "1"]),
        ((1, 2), ["1", "2.0", "7", None], [1, 2, None, None]),
        ((1, 2), [1.0, 3.0], [1.0, 3.0]),
        ((False, True), ["true", "FALSE", None], [True, False, None]),
        (("true", "false"), [True, False], ["true", "false"]),
        (("nan",), ["NAN"], ["NAN"]),
        ((), ["a"], ["a"]),
        (("a",), [], []),
    ],
)
@pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")
def test_match_labels(values, column, expected):
    for array in (pa.array(column), pa.array(column).dictionary_encode()):
        assert match_labels(pa.chunked_array([array]), values, "x").to_pylist() == expected


def test_match_labels_says_what_it_cannot_express():
    column = pa.chunked_array([["1", "odd"]])
    with pytest.warns(seminaive.UnseenValueWarning, match="'x': the value 'odd' is unknown"):
        match_labels(column, (1, 2), "x")
    with pytest.raises(ValueError, match="predict from Python"):
        match_labels(column, (1, "1"), "x")


def test_a_model_without_column_names(run, weather, tmp_path):
    fitted = seminaive.NaiveBayes().fit(np.array([["a"], ["b"]], dtype=object), ["x", "y"])
    path = tmp_path / "m.model"
    fitted.save(path)
    assert "without column names" in run("predict", path, weather).error


def test_mistakes(run, model, weather, tmp_path):
    assert "use .csv, .tsv or .parquet" in run("predict", model, weather, "-o", tmp_path / "o.xlsx").error
    assert "there is no folder" in run("predict", model, weather, "-o", tmp_path / "no" / "o.csv").error
    assert "no such file" in run("predict", model, tmp_path / "none.csv").error
    assert "no such file" in run("predict", tmp_path / "none.model", weather).error
    assert "not a model file" in run("predict", weather, weather).error


def test_an_empty_table(succeed, run, model, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("outlook,temp,windy\n")
    outcome = run("predict", model, path)
    assert outcome.code in (0, 2)
    assert "Traceback" not in outcome.err
