"""``seminaive report``, and pages of ``seminaive explain`` and ``seminaive demo``."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import seminaive
from seminaive.sources.files import read_table


def data_of(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="data">(.*?)</script>', text, flags=re.DOTALL)[1])


def test_report_on_cases_of_known_class(succeed, model, weather, tmp_path):
    out = tmp_path / "report.html"
    outcome = succeed("report", model, weather, "--target", "play", "--out", out, "--cases", 2)
    assert outcome.out == f"Report: {out}\n"
    data = data_of(out)
    table = read_table(weather)
    fitted, y = seminaive.load(model), np.array(table["play"].to_pylist())
    probabilities = fitted.predict_proba(table.drop_columns(["play"]))
    true = probabilities[np.arange(len(y)), (y == "yes").astype(int)]
    first = data["cases"][0]
    assert first["name"] == f"Row {true.argmin() + 1}"
    assert data["classes"][first["truth"]] == y[true.argmin()]
    facts = dict(data["overview"]["facts"])
    assert facts["predicted wrongly"] == f"{(fitted.classes_[probabilities.argmax(axis=1)] != y).sum()} of 14"
    assert "<title>NaiveBayes on weather.csv</title>" in out.read_text(encoding="utf-8")


def test_report_on_cases_of_unknown_class(succeed, model, weather, tmp_path):
    outcome = succeed("report", model, weather)
    assert outcome.out.startswith("Report: seminaive-report.html\n")
    assert "--target COLUMN" in outcome.out
    data = data_of(tmp_path / "seminaive-report.html")
    assert {reason for case in data["cases"] for reason in case["reasons"]} == {"uncertain"}


def test_classes_are_matched_whatever_their_type(succeed, tmp_path):
    numbers, words = tmp_path / "numbers.csv", tmp_path / "words.csv"
    rows = "".join(f"{'ab'[i % 2]},{i % 2}\n" for i in range(20))
    numbers.write_text("x,y\n" + rows)
    words.write_text("x,y\n" + rows + "a,neither\n")
    model, out = tmp_path / "y.model", tmp_path / "y.html"
    succeed("fit", numbers, "--target", "y", "--classifier", "TAN", "--output", model)
    succeed("report", model, words, "--target", "y", "--out", out)
    assert dict(data_of(out)["overview"]["facts"])["predicted wrongly"] == "0 of 20"


def test_report_mistakes(run, model, weather, tmp_path):
    assert (
        "there is no column 'Play'; did you mean 'play'?" in run("report", model, weather, "-t", "Play").error
    )
    error = run("report", model, weather, "--target", "windy").error
    assert "none of its values is a class of the model; classes are no, yes" in error
    assert "folder" in run("report", model, weather, "--out", tmp_path / "none" / "r.html").error
    assert run("report", model, weather, "--cases", 0).code == 2
    assert not (tmp_path / "seminaive-report.html").exists()


@pytest.mark.parametrize("against", [None, "no"])
def test_page_of_one_row(succeed, model, weather, tmp_path, against):
    out = tmp_path / "case.html"
    extra = [] if against is None else ["--against", against]
    outcome = succeed("explain", model, weather, "--row", 3, "--html", out, *extra)
    assert outcome.out == f"Explanation: {out}\n"
    data = data_of(out)
    wanted = seminaive.load(model).explain(read_table(weather).drop_columns(["play"]).slice(2, 1))[0]
    (case,) = data["cases"]
    assert data["classes"][case["pair"][0]] == wanted.prediction
    assert case["pairs"]["0,1"][0] == pytest.approx(wanted.between("no", "yes").prior, rel=1e-5)
    assert "NaiveBayes predicts yes for row 3 of weather.csv" in out.read_text(encoding="utf-8")


def test_demo_ends_with_a_report(succeed, weather, tmp_path):
    outcome = succeed("demo", "--data", weather, "--target", "play", "--folds", 3)
    best = outcome.out.partition("Best: ")[2].partition(",")[0]
    assert f"What {best} looks at, this case and others, for a browser: seminaive-demo.html" in outcome.out
    text = (tmp_path / "seminaive-demo.html").read_text(encoding="utf-8")
    assert f"<title>{best} on weather.csv</title>" in text
    row = re.search(r"row (\d+): ", outcome.out)[1]
    cases = data_of(tmp_path / "seminaive-demo.html")["cases"]
    uncertain = [case["name"] for case in cases if "uncertain" in case["reasons"]]
    assert f"Row {row}" in uncertain
