"""``seminaive compare``."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

import seminaive
from seminaive.evaluate.compare import compare
from seminaive.sources.files import read_table

FAST = ["--models", "NaiveBayes,TAN,kdb", "--folds", 3]


@pytest.fixture
def files(weather, tmp_path):
    """Two files whose targets have different names."""
    other = tmp_path / "fruit.csv"
    rows = [f"{5 + i % 4},{'red' if i % 3 else 'green'},{'apple' if i % 2 else 'pear'}" for i in range(24)]
    other.write_text("\n".join(["size,colour,kind", *rows]) + "\n")
    return weather, other


@pytest.fixture
def output(tmp_path):
    return tmp_path / "out"


def table(output, name):
    with (output / "comparison" / "csv" / f"{name}.csv").open(newline="") as file:
        return list(csv.reader(file))


def test_values_are_those_of_cross_validation(succeed, files, output):
    weather, other = files
    outcome = succeed("compare", weather, f"{other}:kind", "-t", "play", "-o", output, *FAST)
    header, *rows = table(output, "zero-one-loss")
    assert header == ["data set", "NaiveBayes", "TAN", "KDB"]
    assert [row[0] for row in rows] == ["weather", "fruit", "mean"]
    for (path, target), row in zip([(weather, "play"), (other, "kind")], rows[:2], strict=True):
        data = read_table(path)
        X, y = data.drop_columns([target]), np.array(data[target].to_pylist(), dtype=object)
        classifiers = {name: getattr(seminaive, name)() for name in header[1:]}
        expected = compare(classifiers, X, y, cv=StratifiedKFold(3, shuffle=True, random_state=0)).pooled()
        assert [float(cell) for cell in row[1:]] == pytest.approx(list(expected.values()))
        assert row[0] in outcome.out


def test_what_is_printed_and_written(succeed, files, output):
    weather, other = files
    outcome = succeed("compare", f"{weather}:play", f"{other}:kind", "--bias-variance", "-o", output, *FAST)
    for words in (
        "14 rows",
        "24 rows",
        "wins, draws, losses by the 5 % rule",
        "wins, draws, losses by McNemar's test on each data set",
        "sign tests across data sets",
        "Nemenyi test",
        "Friedman chi-square",
        "calibration error",
        "variance",
        str(output / "comparison.html"),
    ):
        assert words in outcome.out, words
    report = (output / "comparison.html").read_text()
    assert "<h1>3 classifiers on 2 data sets</h1>" in report
    assert "KDB()" in report
    for notation, suffix in (("text", "txt"), ("markdown", "md"), ("latex", "tex"), ("csv", "csv")):
        assert (output / "comparison" / notation / f"bias-nemenyi-test.{suffix}").exists()


def test_a_second_start_runs_only_what_is_new(succeed, weather, output, monkeypatch):
    arguments = ["compare", weather, "-t", "play", "-o", output, "--folds", 3]
    first = succeed(*arguments, "-m", "NaiveBayes,TAN")
    store = output / "results.csv"
    before = store.read_text()
    succeed(*arguments, "-m", "NaiveBayes,TAN")
    assert store.read_text() == before
    store.write_text(before[:-20])  # the last line is cut
    again = succeed(*arguments, "-m", "NaiveBayes,TAN")
    assert len(store.read_text().splitlines()) == len(before.splitlines())
    assert again.out == first.out
    succeed(*arguments, "-m", "TAN", "-m", "NaiveBayes,KDB")
    assert len(store.read_text().splitlines()) == len(before.splitlines()) + 3


def test_one_data_set_and_one_classifier(succeed, weather, output):
    arguments = ["compare", weather, "-t", "play", "-o", output, "--folds", 3]
    outcome = succeed(*arguments, "-m", "NaiveBayes,TAN")
    assert "One data set only" in outcome.out
    assert "McNemar" in outcome.out
    assert "Nemenyi test" not in outcome.out
    assert "One classifier only" in succeed(*arguments, "-m", "NaiveBayes").out


def test_default_models_and_all(succeed, weather, output):
    arguments = ["compare", weather, "-t", "play", "-o", output, "--folds", 2]
    succeed(*arguments)
    assert [row[0] for row in table(output, "weather")[1:]] == ["NaiveBayes", "TAN", "KDB", "AODE"]
    succeed(*arguments, "--models", "all")
    assert [row[0] for row in table(output, "weather")[1:]] == list(seminaive.all_classifiers())


def test_options_reach_the_classifiers(succeed, weather, output):
    arguments = ["compare", weather, "-t", "play", "-o", output, "--folds", 3]
    succeed(
        *arguments, "-m", "NaiveBayes,KDB", "-p", "k=0", "--drop", "windy", "--discretizer", "equal-width"
    )
    first, second = table(output, "weather")[1:]
    assert first[1:] == second[1:]  # KDB without parents is naive Bayes
    succeed(*arguments, "-m", "NaiveBayes", "--categorical", "temp", "--smoothing", "laplace")
    assert table(output, "weather")[1][1:] != first[1:]


def test_repeated_folds(succeed, weather, output):
    succeed("compare", weather, "-t", "play", "-o", output, *FAST, "--repeats", 2)
    assert "2 times 3 folds" in (output / "comparison.html").read_text()
    cost = {row[0]: row[1] for row in table(output, "cost")[1:]}
    assert cost == {"NaiveBayes": "6", "TAN": "6", "KDB": "6"}


def test_a_failing_classifier_is_listed(run, succeed, files, output):
    weather, other = files
    outcome = succeed("compare", weather, f"{other}:kind", "-t", "play", "-o", output, *FAST, "-p", "k=-1")
    assert "Failed cells" in outcome.out
    assert "ValueError: k must be" in outcome.out
    assert table(output, "zero-one-loss")[1][3] == ""
    error = run("compare", weather, "-t", "play", "-o", output, "-m", "KDB", "--folds", 3, "-p", "k=-1").error
    assert "every classifier failed; KDB on weather: ValueError" in error


def test_columns_of_some_of_the_files(run, succeed, files, output):
    weather, other = files
    both = ["compare", f"{weather}:play", f"{other}:kind", "-o", output, *FAST]
    outcome = succeed(*both, "--drop", "windy,size")
    assert "2 attributes" in outcome.out
    assert "1 attribute " in outcome.out
    assert "no file has a column 'wind'" in run(*both, "--drop", "wind").error


def test_names_of_data_sets(succeed, run, weather, tmp_path, output):
    (tmp_path / "b").mkdir()
    copy = tmp_path / "b" / "weather.csv"
    copy.write_text(weather.read_text())
    succeed("compare", f"{weather}:play", f"{weather}:windy", "-o", output, *FAST)
    assert [row[0] for row in table(output, "zero-one-loss")[1:-1]] == ["weather:play", "weather:windy"]
    succeed("compare", weather, copy, "-t", "play", "-o", output, *FAST)
    assert [row[0] for row in table(output, "zero-one-loss")[1:-1]] == [f"{weather}:play", f"{copy}:play"]
    assert "is given twice" in run("compare", weather, weather, "-t", "play", "-o", output).error


def test_mistakes(run, weather, tmp_path, output):
    assert "add --target COLUMN, or write" in run("compare", weather).error
    assert "no such file" in run("compare", tmp_path / "none.csv", "-t", "play").error
    assert "did you mean 'play'?" in run("compare", f"{weather}:plays").error
    assert "did you mean 'KDB'?" in run("compare", weather, "-t", "play", "-m", "NaiveBayes,KDBB").error
    error = run("compare", weather, "-t", "play", "-o", output, "--folds", 10).error
    assert "no class of 'play' has 10 rows; use fewer --folds" in error
    (tmp_path / "results.csv").write_text("a,b\n")
    assert "not a store" in run("compare", weather, "-t", "play", "-o", tmp_path, *FAST).error
    assert not output.exists()


def test_rare_classes_are_told_once(succeed, tmp_path, output):
    path = tmp_path / "rare.csv"
    path.write_text("a,b\n" + "".join(f"{i % 3},{'x' if i else 'y'}\n" for i in range(12)))
    outcome = succeed("compare", f"{path}:b", "-o", output, *FAST)
    assert len(outcome.err.splitlines()) == 1
    assert "fewer rows than there are folds (3) in rare" in outcome.err


def test_workers_find_the_same(succeed, weather, output, tmp_path):
    arguments = ["compare", weather, "-t", "play", *FAST]
    succeed(*arguments, "-o", output, "--jobs", 2)
    succeed(*arguments, "-o", tmp_path / "one")
    assert table(output, "weather") == table(tmp_path / "one", "weather")


def test_both_helps_say_how_the_verbs_differ(succeed):
    assert "seminaive evaluate" in " ".join(succeed("compare", "--help").out.split())
    assert "seminaive compare" in " ".join(succeed("evaluate", "--help").out.split())
