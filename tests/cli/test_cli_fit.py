"""``seminaive fit`` and ``seminaive info``."""

from __future__ import annotations

import gzip
import pickle

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import seminaive
from seminaive.sources.files import read_table


def fit(succeed, data, tmp_path, *more, classifier="NaiveBayes"):
    path = tmp_path / "fitted.model"
    outcome = succeed("fit", data, "--target", "play", "--classifier", classifier, "--output", path, *more)
    return seminaive.load(path), outcome


def test_the_file_is_a_model_file(model):
    fitted = seminaive.load(model)
    assert isinstance(fitted, seminaive.NaiveBayes)
    assert fitted.classes_.tolist() == ["no", "yes"]
    assert fitted.feature_names_in_.tolist() == ["outlook", "temp", "windy"]
    assert fitted.class_count_.tolist() == [5, 9]


def test_equals_fitting_in_python(model, weather):
    table = read_table(weather)
    X, y = table.drop_columns(["play"]), np.array(table["play"].to_pylist(), dtype=object)
    expected = seminaive.NaiveBayes().fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(seminaive.load(model).predict_proba(X), expected)


@pytest.mark.parametrize("name", list(seminaive.all_classifiers()))
def test_every_classifier(succeed, weather, tmp_path, name):
    fitted, outcome = fit(succeed, weather, tmp_path, classifier=name.lower())
    assert type(fitted).__name__ == name
    assert "14 rows, 3 attributes (1 numeric, 2 categorical)" in outcome.out
    assert "2 classes (no 5, yes 9)" in outcome.out
    text = succeed("info", tmp_path / "fitted.model").out
    for word in (name, "no 5", "yes 9", "outlook", "overcast", "smoothing='m-estimate'", "temp", "numeric"):
        assert word in text
    assert succeed("info", tmp_path / "fitted.model", "--dot").out.startswith("digraph")


def test_parameters(succeed, weather, tmp_path):
    fitted, _ = fit(
        succeed,
        weather,
        tmp_path,
        *(
            "--param",
            "k=1",
            "--param",
            "smoothing_strength=0.5",
            "-p",
            "class_prior=none",
            "-p",
            "class_weight=balanced",
        ),
        *("--missing", "value", "--discretizer", "equal-width", "--smoothing", "laplace", "--jobs", 2),
        classifier="KDB",
    )
    expected = {"k": 1, "smoothing_strength": 0.5, "class_prior": None, "class_weight": "balanced"}
    expected |= {"missing": "value", "discretizer": "equal-width", "smoothing": "laplace", "n_jobs": 2}
    assert {name: fitted.get_params()[name] for name in expected} == expected
    assert fitted.parents_["outlook"] or fitted.parents_["windy"] or fitted.parents_["temp"]


def test_columns(succeed, weather, tmp_path):
    table = read_table(weather)
    numbers = pa.array(range(1, 15))
    table = table.append_column("day", numbers).append_column("a,b", pa.array([1, 2] * 7))
    table = table.append_column("code", pa.array(["1", "2.5"] * 7))
    pyarrow.parquet.write_table(table, tmp_path / "w.parquet")
    fitted, _ = fit(
        succeed,
        tmp_path / "w.parquet",
        tmp_path,
        *("--drop", "day,windy", "--categorical", "a,b", "--categorical", "temp", "--numeric", "code"),
    )
    kinds = {attribute.name: attribute.kind for attribute in fitted.schema_.attributes}
    assert kinds == {"outlook": "categorical", "temp": "categorical", "a,b": "categorical", "code": "numeric"}


def test_categorical_numbers_keep_their_spelling(succeed, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("zip,n,play\n1.0,1,a\n2.50,2,b\n1.0,3,a\n")
    fitted, _ = fit(succeed, path, tmp_path, "--categorical", "zip")
    assert fitted.schema_[0].values == ("1.0", "2.50")


def test_text_file_options(succeed, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a:b:play\nNA:1:y\n-9:-9:y\nz:2:n\n")
    fitted, _ = fit(succeed, path, tmp_path, "--delimiter", ":", "--na-values", "-9")
    assert fitted.schema_[0].values == ("NA", "z")
    assert fitted.schema_[1].kind == "numeric"


def test_arff_declares_the_values(succeed, tmp_path):
    path = tmp_path / "w.arff"
    path.write_text(
        "@relation w\n@attribute a {p,q,never}\n@attribute play {no,yes,maybe}\n@data\np,no\nq,yes\n?,yes\n"
    )
    fitted, _ = fit(succeed, path, tmp_path)
    assert fitted.schema_[0].values == ("p", "q", "never")
    assert fitted.classes_.tolist() == ["no", "yes"]  # declared but absent classes are none


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([1, 2, 1], [1, 2]),
        ([1.0, 2.0, 1.0], [1, 2]),
        ([True, False, True], [False, True]),
        (["x", "y", "x"], ["x", "y"]),
        (["x", "x", "x"], ["x"]),
    ],
)
def test_types_of_targets(succeed, tmp_path, labels, expected):
    pyarrow.parquet.write_table(pa.table({"a": ["p", "q", "p"], "play": labels}), tmp_path / "t.parquet")
    fitted, _ = fit(succeed, tmp_path / "t.parquet", tmp_path)
    assert fitted.classes_.tolist() == expected


def test_one_row(succeed, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("a,b,play\n1,x,y\n")
    fitted, outcome = fit(succeed, path, tmp_path)
    assert "1 row, 2 attributes" in outcome.out
    assert fitted.classes_.tolist() == ["y"]


@pytest.mark.parametrize(
    ("content", "more", "parts"),
    [
        ("a,Play\n1,x\n", [], ["there is no column 'play'; did you mean 'Play'?"]),
        ("a,b\n1,x\n", [], ["there is no column 'play'; the columns are 'a', 'b'"]),
        (
            "a,play\n1,x\n2,\n3,?\n",
            [],
            ["'play' is missing in 2 of 3 rows", "remove these rows", "--na-values"],
        ),
        ("a,play\n1,0.5\n2,1.5\n", [], ["fractional numbers", "needs classes"]),
        ("a,play\n", [], ["no rows"]),
        ("play\nx\n", [], ["no column besides the target"]),
        ("a,play\n1,x\n", ["--drop", "a"], ["no column besides the target"]),
        ("a,play\n1,x\n", ["--drop", "b"], ["--drop", "no attribute 'b'", "'a'"]),
        ("age,play\n1,x\n", ["--categorical", "aeg"], ["--categorical", "did you mean 'age'?"]),
        ("a,play\n1,x\n", ["--categorical", "play"], ["--categorical", "no attribute 'play'"]),
        ("a,play\n1,x\n", ["--categorical", "a", "--numeric", "a"], ["--categorical and by --numeric"]),
        ("a,play\n1,x\nz,y\n", ["--numeric", "a"], ["column 'a', row 2: 'z' is not a number"]),
        ("a,play\n1,x\n", ["--param", "q=1"], ["no parameter 'q' in NaiveBayes", "smoothing"]),
        ("a,play\n1,x\n", ["--param", "smoothin=1"], ["did you mean 'smoothing'?"]),
        ("a,play\n1,x\n", ["--param", "q"], ["NAME=VALUE"]),
        ("a,play\n1,x\n", ["--param", "smoothing_strength=-1"], ["smoothing_strength", "-1"]),
        ("a,play\n1,x\n", ["--param", "unseen=what"], ["unseen", "what"]),
        ("a,b,play\n1,x\n", [], ["Row #2", "Expected 3 columns"]),
    ],
)
def test_mistakes(run, tmp_path, content, more, parts):
    path, out = tmp_path / "data.csv", tmp_path / "m.model"
    path.write_text(content)
    error = run("fit", path, "-t", "play", "-c", "NaiveBayes", "-o", out, *more).error
    assert all(part in error for part in parts), error
    assert not out.exists()


def test_unknown_classifier_before_anything_is_read(run, tmp_path):
    (tmp_path / "empty.csv").touch()
    error = run("fit", tmp_path / "empty.csv", "-t", "y", "-c", "KBD", "-o", tmp_path / "m.model").error
    assert "no classifier 'KBD' (did you mean 'KDB'?)" in error
    assert all(name in error for name in seminaive.all_classifiers())


def test_places_that_cannot_be_written(run, weather, tmp_path):
    for out, part in [(tmp_path / "no" / "m.model", "there is no folder"), (tmp_path, "this is a folder")]:
        assert part in run("fit", weather, "-t", "play", "-c", "TAN", "-o", out).error


def test_identifiers_are_pointed_out(run, tmp_path):
    rows = "".join(f"{i},r{i},{i % 3},{'ab'[i % 2]}\n" for i in range(5, 40))
    path = tmp_path / "data.csv"
    path.write_text("id,name,n,play\n" + rows)
    outcome = run("fit", path, "-t", "play", "-c", "NaiveBayes", "-o", tmp_path / "m.model")
    warnings = outcome.err.splitlines()
    assert [line.partition("Column ")[2].split("'")[1] for line in warnings] == ["id", "name"]
    assert "--drop 'id'" in warnings[0]
    quiet = run(
        "fit", path, "-t", "play", "-c", "NaiveBayes", "-o", tmp_path / "m.model", "--drop", "id,name"
    )
    assert quiet.err == ""


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"hello", "not a model file"),
        (b"", "not a model file"),
        (pickle.dumps(seminaive.TAN()), "a pickle, which could run any code and is not loaded"),
        (gzip.compress(b"x", mtime=0), "not a model file"),
    ],
)
def test_files_that_are_no_models(run, tmp_path, content, part):
    path = tmp_path / "m.model"
    path.write_bytes(content)
    assert part in run("info", path).error
    assert "no such file" in run("info", tmp_path / "none.model").error


def test_info_shows_cut_points_and_parents(succeed, tmp_path):
    rng = np.random.default_rng(0)
    a = rng.integers(0, 4, 500)
    table = pa.table(
        {"a": a.astype(float), "b": [f"v{x}" for x in (a + rng.integers(0, 2, 500)) % 12], "play": a > 1}
    )
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    fit(succeed, tmp_path / "t.parquet", tmp_path, classifier="TAN")
    text = succeed("info", tmp_path / "fitted.model").out
    assert "1.5" in text
    row = next(line for line in text.splitlines() if line.startswith("b "))
    assert row.split()[-1] == "a"


def test_info_says_what_is_left_out_and_shortens_long_parameters(succeed, tmp_path):
    values = [f"v{k}" for k in range(60)]
    table = pa.table({"a": ["x", "y"] * 600, "noise": sorted(values * 2) * 10, "play": ["yes", "no"] * 600})
    frame = table.to_pandas()
    model = seminaive.SelectiveKDB(max_k=0, categories={"noise": values}).fit(
        frame[["a", "noise"]], frame["play"]
    )
    model.save(tmp_path / "s.model")
    text = succeed("info", tmp_path / "s.model").out
    assert "categories={'noise': ['v0', 'v1', 'v2', 'v3', ...]}" in text
    assert "no 600, yes 600" in text
    assert (
        next(line for line in text.splitlines() if line.startswith("noise")).rstrip().endswith("(left out)")
    )
