"""``seminaive evaluate`` and ``seminaive demo``."""

from __future__ import annotations

import numpy as np

import seminaive
from seminaive.cli.models import make_classifiers
from seminaive.cli.options import Missing
from seminaive.evaluate.compare import compare
from seminaive.sources.files import read_table

LOSSES = ["zero-one loss", "log loss", "RMSE", "Brier score", "seconds"]


def table_of(text):
    """Classifier to cells, each (marked, mean, deviation)."""
    cells = {}
    for line in text.splitlines():
        words = line.replace(" (failed)", "").split()
        if words and words[0] in seminaive.all_classifiers() and len(words) == 6:
            cells[words[0]] = words[1:]
    return cells


def test_options_that_are_not_given_stay_at_the_defaults_of_each_classifier():
    made = make_classifiers(["AODE", "AveragedNetworks"], None, {"missing": None, "discretizer": None})
    assert (made["AODE"].missing, made["AODE"].discretizer) == ("ignore", "mdlp")
    averaged = made["AveragedNetworks"]
    assert (averaged.missing, averaged.discretizer) == ("value", "every-value")
    made = make_classifiers(["AveragedNetworks"], None, {"missing": Missing.IGNORE})
    assert repr(made["AveragedNetworks"].missing) == "'ignore'"


def test_table(succeed, weather):
    outcome = succeed("evaluate", weather, "--target", "play", "--folds", 5, "--seed", 3)
    assert all(loss in outcome.out for loss in LOSSES)
    cells = table_of(outcome.out)
    assert list(cells) == list(seminaive.all_classifiers())
    data = read_table(weather)
    X, y = data.drop_columns(["play"]), np.array(data["play"].to_pylist(), dtype=object)
    classifiers = {name: make() for name, make in seminaive.all_classifiers().items()}
    classifiers["AveragedNetworks"].set_params(random_state=0)
    result = compare(classifiers, X, y, cv=5, random_state=3)
    for name, summary in result.summary().items():
        loss = summary["log_loss"]
        assert cells[name][1].lstrip("*") == f"{loss.mean:.4f}±{loss.std:.3f}"
    for column in range(5):
        means = [float(row[column].lstrip("*").split("±")[0]) for row in cells.values()]
        marked = [row[column].startswith("*") for row in cells.values()]
        assert any(marked)
        assert {mean for mean, mark in zip(means, marked, strict=True) if mark} == {min(means)}


def test_warnings_are_gathered_into_one_line_per_kind(succeed, weather):
    outcome = succeed("evaluate", weather, "-t", "play", "--folds", 7)
    lines = outcome.err.splitlines()
    assert len(lines) <= 2  # small classes, unseen values
    assert all(line.startswith("warning: ") for line in lines)


def test_chosen_classifiers_and_parameters(succeed, run, weather):
    outcome = succeed(
        "evaluate", weather, "-t", "play", "--folds", 3, "-c", "kdb", "-c", "naive-bayes", "-p", "k=0"
    )
    cells = table_of(outcome.out)
    assert list(cells) == ["KDB", "NaiveBayes"]
    plain = [[cell.lstrip("*") for cell in row[:4]] for row in cells.values()]
    assert plain[0] == plain[1]  # KDB without parents is naive Bayes
    error = run("evaluate", weather, "-t", "play", "-c", "TAN", "-c", "KDB", "-p", "frequency_limit=2").error
    assert "no parameter 'frequency_limit' in TAN or KDB" in error


def test_a_failing_classifier_and_all_failing(run, succeed, weather):
    outcome = succeed("evaluate", weather, "-t", "play", "--folds", 3, "-p", "k=-1")
    assert "KDB (failed)" in outcome.out
    assert any(
        line.startswith("warning: KDB failed on 3 of 3 folds: ValueError") and "-1" in line
        for line in outcome.err.splitlines()
    )
    error = run("evaluate", weather, "-t", "play", "--folds", 3, "-c", "KDB", "-p", "k=-1").error
    assert "every classifier failed; KDB: ValueError" in error


def test_debug_shows_where_a_classifier_fails(run, weather):
    outcome = run("evaluate", weather, "-t", "play", "--folds", 3, "-c", "KDB", "-p", "k=-1", "--debug")
    assert "_check_parameters" in outcome.err or "kdb.py" in outcome.err


def test_too_few_rows(run, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("a,play\n1,x\n")
    assert "too few rows for 10 folds: 1" in run("evaluate", path, "-t", "play").error


def test_many_classes_are_not_listed(succeed, tmp_path):
    path = tmp_path / "many.csv"
    path.write_text("a,play\n" + "".join(f"{i % 7},c{i % 20:02}\n" for i in range(60)))
    outcome = succeed("evaluate", path, "-t", "play", "--folds", 2, "-c", "NaiveBayes")
    assert "20 classes (3 to 3 rows each)" in outcome.out


def test_demo_on_a_file(succeed, weather):
    outcome = succeed("demo", "--data", weather, "--target", "play", "--folds", 3)
    assert list(table_of(outcome.out)) == list(seminaive.all_classifiers())
    assert "by the Brier score" in outcome.out
    assert "P(no)" in outcome.out
    assert "P(yes)" in outcome.out
    assert outcome.out.count("<- true class") == 1
    best = outcome.out.partition("Best: ")[2].partition(",")[0]
    assert table_of(outcome.out)[best][3].startswith("*")


def test_demo_out_of_the_box(succeed):
    outcome = succeed("demo", "--folds", 2)
    assert "569 rows, 30 attributes (30 numeric, 0 categorical)" in outcome.out
    assert "benign 357, malignant 212" in outcome.out
    cells = table_of(outcome.out)
    assert list(cells) == list(seminaive.all_classifiers())
    assert all(float(row[0].lstrip("*").split("±")[0]) < 0.1 for row in cells.values())
    assert outcome.err == ""


def test_demo_mistakes(run, weather):
    assert "add --target COLUMN" in run("demo", "--data", weather).error
    assert "--target needs a file" in run("demo", "--target", "play").error
    assert "did you mean 'play'?" in run("demo", "--data", weather, "--target", "Plays").error
