"""Pages: what stands in them, checked without a browser."""

import base64
import hashlib
import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from seminaive import AODE, KDB, TAN, AveragedKDB, LocalKDB, NaiveBayes
from seminaive.explain import html, page_data
from seminaive.explain.html import cases_page, report_page, structure_html, write_page
from seminaive.explain.page_data import Case

HOSTILE = "<script>alert(1)</script>"
TRICKS = ["</script><img src=x onerror=alert(2)>", "a & b", "line\u2028break\u2029", "-->", "\"quoted'"]


def mixed_table(n_rows=240, n_classes=3, seed=0):
    """Hostile names and values, numbers, missing values; columns that depend on each other."""
    draw = np.random.default_rng(seed)
    y = draw.integers(n_classes, size=n_rows)
    first = (y + draw.integers(2, size=n_rows)) % 3
    X = pd.DataFrame(
        {
            HOSTILE: np.array(["u", HOSTILE, TRICKS[0]], dtype=object)[first],
            "copy & <more>": np.array(["k", "l", "m"], dtype=object)[first],
            "number": y + draw.normal(size=n_rows),
            "tricks": np.array(TRICKS, dtype=object)[draw.integers(len(TRICKS), size=n_rows)],
            "noise": np.array(["0", "1"], dtype=object)[draw.integers(2, size=n_rows)],
        }
    )
    X.loc[::7, "noise"] = None
    labels = np.array([f"{HOSTILE}{c}" for c in range(n_classes)], dtype=object)[y]
    return X, labels


def data_of(page):
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, flags=re.DOTALL)
    assert not re.search("[<>&\u2028\u2029]", text)
    return json.loads(text)


def page_of(explanation, **options):
    return cases_page([Case("Row", explanation)], **options)


def number(value):
    return float(value)  # "inf" and "-inf" are text


@pytest.mark.parametrize("classifier", [NaiveBayes, TAN, KDB, AODE, LocalKDB, AveragedKDB])
def test_contributions_of_every_pair_add_up(classifier):
    X, y = mixed_table()
    explanation = classifier().fit(X, y).explain(X)[7]
    (case,) = data_of(page_of(explanation))["cases"]
    assert case["offered"] == [0, 1, 2]
    for pair, numbers in case["pairs"].items():
        a, b = map(int, pair.split(","))
        total = number(case["logs"][a]) - number(case["logs"][b])
        assert sum(map(number, numbers)) == pytest.approx(total, abs=1e-5)
        named = explanation.between(explanation.classes[a], explanation.classes[b])
        wanted = [named.prior, *(term.contribution for term in named.terms)]
        np.testing.assert_allclose([number(n) for n in numbers], wanted, rtol=1e-5, atol=1e-9)
    assert np.exp([number(n) for n in case["logs"]]).sum() == pytest.approx(1)


def test_networks_are_those_of_the_explanation():
    X, y = mixed_table()
    explanation = AveragedKDB(critical_value=20).fit(X, y).explain(X)[1]
    data = data_of(page_of(explanation))
    (case,) = data["cases"]
    assert [network["name"] for network in case["networks"]] == [m.name for m in explanation.members]
    for network, member in zip(case["networks"], explanation.members, strict=True):
        drawn = {
            (data["attributes"][parent], data["attributes"][child], bool(used))
            for parent, child, _, used in network["arcs"]
            if str(child) in network["factors"]
        }
        assert drawn == {
            (parent.attribute, factor.attribute, parent.used)
            for factor in member.factors
            for parent in factor.parents
        }
        for factor in member.factors:
            shown = network["factors"][str(data["attributes"].index(factor.attribute))]
            assert shown["p"] == pytest.approx(factor.probabilities, rel=1e-4)
            assert (shown["rows"], shown["matching"]) == (list(factor.rows), list(factor.matching))
    assert case["changes"] == explanation.changes
    assert any(network["implied"] or network["taken"] for network in case["networks"])


def test_hostile_names_are_data_only():
    X, y = mixed_table()
    page = page_of(AveragedKDB().fit(X, y).explain(X)[1], title=f"{HOSTILE} & more")
    assert "<script>alert" not in page
    assert "<img" not in page.partition("<script>")[0]
    assert "<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; more</title>" in page
    data = data_of(page)
    assert HOSTILE in data["attributes"]
    assert data["classes"] == [f"{HOSTILE}{c}" for c in range(3)]
    notebook = structure_html(TAN().fit(X, y))
    assert "<script" not in notebook
    assert "&lt;script&gt;alert(1)" in notebook


def test_only_scripts_of_the_page_run_and_nothing_is_fetched():
    X, y = mixed_table()
    page = page_of(NaiveBayes().fit(X, y).explain(X)[0])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    scripts = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    assert re.findall(r"'sha256-([^']+)'", policy) == hashes
    assert len(hashes) == 3
    assert not re.search(r"<(script|link|img|iframe)[^>]*(src|href)=(?!\"data:)", page.split("<script>")[0])
    for licensed in ("The Cytoscape Consortium", "Chris Pettitt", "OpenJS Foundation", "The MIT License"):
        assert licensed in page  # the licences of what the page carries


def test_missing_unseen_and_changes_are_told():
    X, y = mixed_table()
    row = X.iloc[[0]].assign(tricks="never seen", noise=None)
    model = NaiveBayes().fit(X, y)
    with pytest.warns(match="tricks"):
        explanation = model.explain(row)[0]
    (case,) = data_of(page_of(explanation))["cases"]
    assert dict(case["unused"]) == {"missing": ["noise"], "never seen in training": ["tricks"]}
    texts = dict(zip(X.columns, [term["text"] for term in case["terms"]], strict=True))
    assert texts["noise"] == "missing"
    assert texts["tricks"] == "never seen, never seen"
    assert texts["number"] == f"{row['number'].item():.6g} in {explanation.terms[2].value}"
    found = model.counterfactuals(X.iloc[[0]])[0]
    (case,) = data_of(page_of(model.explain(X.iloc[[0]])[0]))["cases"]
    assert len(case["counterfactuals"]) + case["more_counterfactuals"] == len(found) > 0
    first = case["counterfactuals"][0]
    assert (first["attribute"], first["now"], first["then"]) == (
        found[0].attribute,
        found[0].from_value,
        found[0].to_value,
    )
    assert first["probability"] == max(found[0].probabilities)


def test_impossible_values_and_a_single_class():
    X = pd.DataFrame({"a": ["p", "p", "q", "q"], "b": ["r", "s", "s", "s"]})
    model = NaiveBayes(smoothing_strength=0).fit(X, ["no", "no", "yes", "yes"])
    (case,) = data_of(page_of(model.explain(pd.DataFrame({"a": ["p"], "b": ["s"]}))[0]))["cases"]
    assert case["pairs"]["0,1"][1] == "inf"
    assert case["logs"][1] == "-inf"
    with pytest.warns(match="probability zero"):
        explanation = model.explain(pd.DataFrame({"a": ["q"], "b": ["r"]}))[0]
    (case,) = data_of(page_of(explanation))["cases"]
    assert case["impossible"]
    assert case["pairs"]["0,1"] == pytest.approx([0, 0, 0])
    one = NaiveBayes().fit(X, ["only"] * 4).explain(X)[0]
    (case,) = data_of(page_of(one))["cases"]
    assert case["pairs"] == {}


def test_many_classes_fit_into_the_page(monkeypatch):
    X, y = mixed_table(600, n_classes=26)
    model = AODE().fit(X, y)
    explanation = model.explain(X)[0]
    page = page_of(explanation)
    (case,) = data_of(page)["cases"]
    assert case["offered"] == list(range(26))
    assert len(page.encode()) < 2_000_000
    monkeypatch.setattr(page_data, "MOST_NUMBERS", 60)
    (case,) = data_of(page_of(explanation))["cases"]
    assert len(case["offered"]) == 5  # ten pairs of six numbers
    assert set(case["pair"]) <= set(case["offered"])
    least = min(explanation.probabilities[explanation.classes[y]] for y in case["offered"])
    assert sum(p > least for p in explanation.probabilities.values()) == 4


def test_averages_of_many_networks_draw_the_weightiest():
    X, y = mixed_table()
    X = pd.concat([X, X.add_prefix("again ")], axis=1)
    explanation = AODE().fit(X, y).explain(X)[1]
    (case,) = data_of(page_of(explanation))["cases"]
    assert len(case["votes"]) == len(explanation.members) == 10
    assert len(case["networks"]) == page_data.DRAWN
    shares = {member.name: member.share for member in explanation.members}
    least = min(shares[network["name"]] for network in case["networks"])
    assert sum(share > least for share in shares.values()) < page_data.DRAWN


def test_files_of_one_and_of_several_rows(tmp_path):
    X, y = mixed_table()
    found = TAN().fit(X, y).explain(X)
    found[3].to_html(tmp_path / "one.html")
    found.to_html(tmp_path / "some.html", rows=[3, 5], title="Two")
    one, some = ((tmp_path / name).read_text(encoding="utf-8") for name in ("one.html", "some.html"))
    assert [case["name"] for case in data_of(some)["cases"]] == ["Row 3", "Row 5"]
    assert data_of(one)["cases"][0]["pairs"] == data_of(some)["cases"][0]["pairs"]
    assert f"<h1>Why TAN predicts {html.escape(str(found[3].prediction))}</h1>" in one
    assert "<h1>Two</h1>" in some
    with pytest.raises(ValueError, match="no row"):
        found.to_html(tmp_path / "none.html", rows=[])
    assert not (tmp_path / "none.html").exists()


def test_report_chooses_the_cases(tmp_path):
    X, y = mixed_table()
    model = AveragedKDB().fit(X, y)
    page = report_page(model, X, y, n_cases=3)
    data = data_of(page)
    probabilities = model.predict_proba(X)
    true = probabilities[np.arange(len(X)), np.searchsorted(model.classes_, y)]
    surprising = [f"Row {row + 1}" for row in np.argsort(true, kind="stable")[:3]]
    uncertain = [f"Row {row + 1}" for row in np.argsort(probabilities.max(axis=1), kind="stable")[:3]]
    for reason, rows in (("surprising", surprising), ("uncertain", uncertain)):
        assert {case["name"] for case in data["cases"] if reason in case["reasons"]} == set(rows)
    assert data["cases"][0]["name"] == surprising[0]
    assert data["classes"][data["cases"][0]["truth"]] == y[int(surprising[0].split()[1]) - 1]
    wrong = (model.predict(X) != y).sum()
    assert dict(data["overview"]["facts"])["predicted wrongly"] == f"{wrong} of 240"
    overview = model.explain_global(X)
    shown = data["overview"]["attributes"]
    assert [data["attributes"][one["attribute"]] for one in shown] == [
        a.attribute for a in overview.attributes
    ]
    assert [one["importance"] for one in shown] == pytest.approx(
        [a.importance for a in overview.attributes], 1e-4
    )
    assert {one["name"] for one in data["overview"]["networks"]} == {arc.network for arc in overview.arcs}
    write_page(tmp_path / "report.html", page)
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page


def test_report_without_classes_and_on_many_rows(monkeypatch):
    X, y = mixed_table()
    model = AODE().fit(X, y)
    data = data_of(report_page(model, X))
    assert {reason for case in data["cases"] for reason in case["reasons"]} == {"uncertain"}
    assert all(case["truth"] is None for case in data["cases"])
    assert data["overview"]["weights"]
    monkeypatch.setattr(html, "OVERVIEW_ROWS", 100)
    sampled = data_of(report_page(model, X, [None] * 240))
    assert sampled["overview"]["n_rows"] == 80  # every third row
    assert sampled["cases"] == data["cases"]
    array = np.random.default_rng(0).normal(size=(240, 3))
    data = data_of(report_page(NaiveBayes().fit(array, y), array, y))
    assert data["overview"]["n_rows"] == 80
    assert data["overview"]["networks"] == []


def test_mistakes():
    X, y = mixed_table()
    model = NaiveBayes().fit(X, y)
    with pytest.raises(ValueError, match="y has 3 labels for 240 rows"):
        report_page(model, X, y[:3])
    for wrong in (0, 1.5, True):
        with pytest.raises(ValueError, match="n_cases must be a positive integer"):
            report_page(model, X, y, n_cases=wrong)


def test_notebooks_show_the_structure_below_the_diagram():
    X, y = mixed_table()
    model = TAN()
    plain = model._repr_html_()
    model.fit(X, y)
    for shown in (model._repr_html_(), model._repr_mimebundle_()["text/html"]):
        assert "sk-top-container" in shown
        assert "parents beside the class" in shown
        assert "240 training rows" in shown
    assert "parents beside the class" not in plain
    assert "sk-top-container" in make_pipeline(model)._repr_html_()
