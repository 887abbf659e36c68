"""``seminaive explain``: one row in text and JSON."""

from __future__ import annotations

import json

import pytest


def test_text_says_why(succeed, model, weather):
    out = succeed("explain", model, weather, "--row", "3").out
    assert out.startswith("row 3 of ")
    assert "Prediction: yes" in out
    assert "outlook = overcast" in out
    assert "log-odds" in out
    assert "would change:" in out or "No change of a single value" in out


def test_json_adds_up(succeed, model, weather):
    content = json.loads(succeed("explain", model, weather, "--row", "11", "--json").out)
    total = content["prior"] + sum(term["contribution"] for term in content["terms"])
    assert total == pytest.approx(content["log_odds"], abs=1e-10)
    assert [term["status"] for term in content["terms"]] == ["used", "missing", "used"]
    assert all(change["prediction"] != content["prediction"] for change in content["counterfactuals"])


def test_against_another_class(succeed, run, model, weather):
    out = succeed("explain", model, weather, "--against", "yes").out
    assert "against yes" in out
    assert "no such class; classes are no, yes" in run("explain", model, weather, "--against", "maybe").error


def test_row_that_is_not_there(run, model, weather):
    assert "has 14 rows" in run("explain", model, weather, "--row", "15").error
    assert run("explain", model, weather, "--row", "0").code == 2


@pytest.mark.parametrize("classifier", ["TAN", "AODE", "AveragedKDB"])
def test_other_classifiers(succeed, weather, tmp_path, classifier):
    path = tmp_path / "some.model"
    succeed("fit", weather, "--target", "play", "--classifier", classifier, "--output", path)
    assert "log-odds" in succeed("explain", path, weather, "--row", "2").out
