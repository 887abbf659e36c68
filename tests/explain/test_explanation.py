"""Explanations as users meet them: odds, values, networks, support, changes, views."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import warnings
from contextlib import nullcontext

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError
from test_naive_twins import sparse_tables

from repeatable import repeatable
from seminaive import (
    AODE,
    AODESR,
    KDB,
    TAN,
    TANFDA,
    AveragedKDB,
    LocalKDB,
    NaiveBayes,
    PersonalizedKDB,
    SelectiveNaiveBayes,
    all_classifiers,
)
from seminaive.exceptions import ImpossibleEvidenceWarning, UnseenValueWarning

pytestmark = pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")

OWN = {"PersonalizedKDB": {"redundancy_ratio": 0.05}, "OptimizedKDB": {"redundancy_ratio": 0.05}}
every_classifier = pytest.mark.parametrize("name", list(all_classifiers()))


def table(n_rows=300, n_classes=3, seed=0):
    """Four categorical columns and a numeric one, with gaps; b repeats a in coarser words."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    a = np.where(rng.random(n_rows) < 0.6, y % 4, rng.integers(4, size=n_rows))
    X = pd.DataFrame(
        {
            "d": np.where(rng.random(n_rows) < 0.5, a, rng.integers(4, size=n_rows)).astype(str),
            "a": a.astype(str),
            "number": rng.normal(2 * y, 1.0),
            "b": np.where(a < 2, "low", "high"),
            "c": rng.integers(2, size=n_rows).astype(str),
        }
    )
    for column in X:
        X[column] = X[column].mask(rng.random(n_rows) < 0.05)
    return X, np.array([f"class {label:02d}" for label in range(n_classes)])[y]


@pytest.fixture(scope="module")
def data():
    return table()


@pytest.fixture(scope="module")
def new_rows(data):
    X = data[0].iloc[:40].copy()
    X.loc[0, "a"] = "never seen"
    X.loc[1] = None
    return X


def make(name, **options):
    return repeatable(name)(**OWN.get(name, {}), **options)


# --- odds


@every_classifier
@pytest.mark.parametrize("n_classes", [2, 26])
def test_terms_add_up_to_the_log_odds(name, n_classes):
    X, y = table(400, n_classes)
    X_test = X.iloc[:30].copy()
    X_test.loc[0, ["a", "c"]] = "never seen"
    model = make(name).fit(X, y)
    logs = model.predict_log_proba(X_test)
    for row, explanation in enumerate(model.explain(X_test)):
        order = np.argsort(-logs[row], kind="stable")
        assert explanation.prediction == model.predict(X_test.iloc[[row]])[0]
        assert explanation.runner_up == model.classes_[order[1]]
        assert (explanation.of, explanation.against) == (explanation.prediction, explanation.runner_up)
        expected = logs[row, order[0]] - logs[row, order[1]]
        assert explanation.log_odds == pytest.approx(expected, abs=1e-10)
        total = explanation.prior + sum(term.contribution for term in explanation.terms)
        assert total == pytest.approx(expected, abs=1e-10)
        assert list(explanation.probabilities) == model.classes_.tolist()
    other = explanation.between(model.classes_[-1], model.classes_[0])
    total = other.prior + sum(term.contribution for term in other.terms)
    assert total == pytest.approx(logs[row, -1] - logs[row, 0], abs=1e-10)


@every_classifier
def test_one_row_and_many_rows_say_the_same(name, data, new_rows):
    model = make(name).fit(*data)
    found = model.explain(new_rows)
    alone = model.explain(new_rows)
    for row, explanation in enumerate(found):
        assert [t.contribution for t in explanation.terms] == pytest.approx(
            found.contributions[row], abs=1e-12
        )
        assert [t.contribution for t in alone[row].terms] == pytest.approx(
            found.contributions[row], abs=1e-12
        )
    assert len(found) == len(new_rows) == len(found[:])
    assert found[-1].log_odds == found[len(found) - 1].log_odds
    with pytest.raises(IndexError):
        found[len(found)]


@pytest.mark.parametrize("name", ["NaiveBayes", "AODE", "WAODE", "IBWAODE", "AODESR", "SelectiveNaiveBayes"])
def test_order_of_columns_does_not_matter(name, data, new_rows):
    X, y = data
    forward = make(name).fit(X, y).explain(new_rows)
    columns = X.columns[::-1]
    backward = make(name).fit(X[columns], y).explain(new_rows[columns])
    np.testing.assert_allclose(forward.contributions, backward.contributions[:, ::-1], atol=1e-10)


@pytest.mark.parametrize("name", ["AODE", "AveragedKDB", "TAN"])
def test_threads_and_blocks_do_not_matter(name, data):
    X = pd.concat([data[0]] * 8, ignore_index=True)
    one = make(name, n_jobs=1).fit(*data).explain(X).contributions
    two = make(name, n_jobs=2).fit(*data).explain(X).contributions
    np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(one[:300], make(name).fit(*data).explain(X[:300]).contributions)


def test_two_classes_can_be_chosen(data, new_rows):
    model = TAN().fit(*data)
    found = model.explain(new_rows, classes=["class 02", "class 00"])
    logs = model.predict_log_proba(new_rows)
    np.testing.assert_allclose(found.log_odds, logs[:, 2] - logs[:, 0], atol=1e-12)
    for classes in (["class 02"], "class 02", ["class 02", "class 7"], ["class 00", "class 01", "class 02"]):
        with pytest.raises(ValueError, match="class 00"):
            model.explain(new_rows, classes=classes)
    with pytest.raises(ValueError, match="class 7"):
        found[0].between("class 00", "class 7")


def test_a_single_class():
    model = NaiveBayes().fit([["a"], ["b"]], ["yes", "yes"])
    explanation = model.explain([["a"]])[0]
    assert explanation.runner_up is None
    assert explanation.log_odds == explanation.prior == explanation.terms[0].contribution == 0
    assert "yes" in str(explanation)


def test_impossible_classes_are_infinite_and_never_nan():
    X = np.array([["a", "x"], ["a", "y"], ["b", "x"], ["c", "y"]], dtype=object)
    model = NaiveBayes(smoothing_strength=0).fit(X, ["k", "k", "m", "n"])
    explanation = model.explain([["a", "x"]])[0]
    assert (explanation.prediction, explanation.log_odds) == ("k", np.inf)
    assert [term.contribution for term in explanation.terms] == [np.inf, pytest.approx(np.log(0.5))]
    undefined = explanation.between("m", "n")
    assert undefined.log_odds == undefined.prior == 0
    assert [term.contribution for term in undefined.terms] == [0, 0]
    with pytest.warns(ImpossibleEvidenceWarning):
        nothing = model.explain([["b", "y"]])[0]
    assert nothing.is_impossible
    assert nothing.log_odds == nothing.prior == pytest.approx(np.log(2))
    assert "impossible" in str(nothing)
    for one in (explanation, undefined, nothing):
        content = json.loads(one.to_json())
        assert "nan" not in one.to_json().lower()
        assert content["log_odds"] in ("inf", 0, pytest.approx(np.log(2)))


def test_fitting_anew_leaves_explanations_alone(data, new_rows):
    model = AODE().fit(*data)
    found = model.explain(new_rows)
    before = model.explain(new_rows).contributions
    model.fit(data[0], data[1][::-1])
    np.testing.assert_array_equal(found.contributions, before)


def test_before_fitting():
    with pytest.raises(NotFittedError):
        TAN().explain([["a"]])
    with pytest.raises(NotFittedError):
        TAN().counterfactuals([["a"]])


# --- values


def test_statuses_and_values(data, new_rows):
    with pytest.warns(UnseenValueWarning):
        first, second = NaiveBayes().fit(*data).explain(new_rows)[:2]
    terms = {term.attribute: term for term in first.terms}
    assert list(terms) == list(new_rows)
    assert (terms["a"].status, terms["a"].value, terms["a"].given) == ("unseen", None, "never seen")
    assert terms["a"].contribution == 0
    assert terms["number"].given == new_rows.loc[0, "number"]
    assert terms["number"].value.startswith("(")
    assert (terms["b"].status, terms["b"].value) == ("used", new_rows.loc[0, "b"])
    assert {term.status for term in second.terms} == {"missing"}
    assert second.log_odds == pytest.approx(second.prior, abs=1e-12)
    assert "Adds nothing, never seen in training: a" in str(first)


def test_missing_as_a_value_and_imputed(data, new_rows):
    as_value = NaiveBayes(missing="value").fit(*data).explain(new_rows)[1].terms
    assert {(term.status, term.value, term.given) for term in as_value} == {("used", "(missing)", None)}
    imputed = NaiveBayes(missing="impute").fit(*data).explain(new_rows)[1]
    assert {term.status for term in imputed.terms} == {"imputed"}
    assert "missing, taken as" in str(imputed)


def test_attributes_that_were_not_selected(data, new_rows):
    model = SelectiveNaiveBayes().fit(*data)
    statuses = {term.attribute: term.status for term in model.explain(new_rows)[2].terms}
    assert {name for name, status in statuses.items() if status == "left out"} == {
        *model.feature_names_in_
    } - {*model.selected_features_}


def test_tables_of_all_kinds_are_explained_alike(data, new_rows):
    model = TAN().fit(*data)
    expected = model.explain(new_rows)[3]
    for other in (pl.from_pandas(new_rows), pa.Table.from_pandas(new_rows)):
        found = model.explain(other)[3]
        assert [(t.value, t.given, t.status) for t in found.terms] == [
            (t.value, t.given, t.status) for t in expected.terms
        ]


# --- networks


def counted(X, y, parents, child):
    """Rows of each class with some values and the child observed, and those with its value too."""
    rows = X[child[0]].notna().to_numpy()
    for name, value in parents:
        rows = rows & (X[name] == value).to_numpy()
    matching = rows & (X[child[0]] == child[1]).to_numpy()
    return [[float((mask & (y == label)).sum()) for label in np.unique(y)] for mask in (rows, matching)]


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("name", ["NaiveBayes", "TAN", "KDB", "AODE", "LocalKDB", "AveragedKDB", "AODESR"])
def test_support_is_counted_in_the_training_rows(name, layout, data, new_rows):
    X, y = data
    X = X.drop(columns="number")
    with sparse_tables() if layout == "sparse" else nullcontext():
        model = make(name).fit(X, y)
    for explanation in model.explain(new_rows[X.columns])[2:8]:
        for member in explanation.members:
            for factor in member.factors:
                used = [(parent.attribute, parent.value) for parent in factor.parents if parent.used]
                rows, matching = counted(X, y, used, (factor.attribute, factor.value))
                assert list(factor.rows) == rows
                assert list(factor.matching) == matching
                assert all(p > 0 for p in factor.probabilities)


@every_classifier
def test_factors_make_the_votes_and_votes_make_the_odds(name, data, new_rows):
    model = make(name).fit(*data)
    for explanation in model.explain(new_rows)[2:8]:
        positions = [explanation.classes.index(c) for c in (explanation.of, explanation.against)]
        odds = 0.0
        own = explanation._members.log_member_priors
        for m, member in enumerate(explanation.members):
            product = model._log_prior + np.log([f.probabilities for f in member.factors]).sum(axis=0)
            if own is not None:
                product += own[0, m]
            posterior = np.exp(product - np.logaddexp.reduce(product))
            np.testing.assert_allclose(member.posteriors, posterior, atol=1e-10)
            assert member.log_odds == pytest.approx(product[positions[0]] - product[positions[1]], abs=1e-10)
            odds += member.share * member.log_odds
        assert odds == pytest.approx(explanation.log_odds, abs=1e-10)
        assert sum(member.share for member in explanation.members) == pytest.approx(1)
        assert sum(member.weight for member in explanation.members) == pytest.approx(1)


def test_parents_that_are_missing_or_never_seen_are_not_used():
    X = pd.DataFrame(
        {"p": ["0", "0", "1", "1"] * 5, "q": ["0", "1", "0", "0"] * 5, "c": ["0", "1", "1", "0"] * 5}
    )
    y = np.array(["k", "m", "m", "k"] * 5)
    model = KDB(k=2).fit(X, y)
    child = next(name for name, parents in model.parents_.items() if len(parents) == 2)
    first, second = model.parents_[child]
    seen = {(a, b) for a, b in zip(X[first], X[second], strict=True)}
    (never,) = {(a, b) for a in "01" for b in "01"} - seen or {(None, None)}
    case = pd.DataFrame({name: ["0"] for name in X})
    case[first], case[second] = never
    (member,) = model.explain(case)[0].members
    factor = next(f for f in member.factors if f.attribute == child)
    assert [(p.attribute, p.used) for p in factor.parents] == [(first, True), (second, False)]
    case[first] = None
    (member,) = model.explain(case.astype(object))[0].members
    factor = next(f for f in member.factors if f.attribute == child)
    assert [(p.attribute, p.used) for p in factor.parents] == [(first, False), (second, True)]
    assert factor.parents[0].value is None


def test_weights_and_votes_of_superparents(data, new_rows):
    model = all_classifiers()["WAODE"]().fit(*data)
    explanation = model.explain(new_rows)[5]
    weights = model.superparent_weights(new_rows).iloc[5]
    expected = {f"superparent {name}": weight for name, weight in weights.items() if weight}
    assert {m.name: m.weight for m in explanation.members} == pytest.approx(expected)
    assert "superparent a" in str(explanation)
    # a row without superparents
    (naive,) = model.explain(new_rows)[1].members
    assert "naive Bayes" in naive.name
    assert naive.weight == 1


def test_strengths_are_information(data, new_rows):
    from seminaive.learn.information import conditional_mutual_information

    X, y = data
    model = KDB(k=2).fit(X, y)
    information = conditional_mutual_information(AODE().fit(X, y)._tables)
    position = {name: i for i, name in enumerate(X)}
    for factor in model.explain(new_rows)[4].members[0].factors:
        for parent in factor.parents:
            expected = information[position[factor.attribute], position[parent.attribute]]
            assert parent.strength == pytest.approx(expected, abs=1e-10)


# --- changes


@pytest.fixture(scope="module")
def implied():
    """s = yes goes with r = high always, and is its reason."""
    rng = np.random.default_rng(5)
    y = rng.integers(2, size=600)
    s = np.where(rng.random(600) < 0.2 + 0.5 * y, "yes", "no")
    r = np.where((s == "yes") | (rng.random(600) < 0.3), "high", "low")
    t = np.where(rng.random(600) < 0.3 + 0.3 * y, "on", "off")
    return pd.DataFrame({"r": r, "s": s, "t": t}), y


@pytest.mark.parametrize(
    "model",
    [AODE(subsumption_resolution=True), AODESR(), TANFDA(), LocalKDB(k=2)],
    ids=lambda m: type(m).__name__,
)
def test_implied_values_are_told_with_their_rows(model, implied):
    X, y = implied
    n = int((X["s"] == "yes").sum())
    case = pd.DataFrame({"r": ["high"], "s": ["yes"], "t": ["on"]})
    explanation = model.fit(X, y).explain(case)[0]
    sentence = f"r = high is implied by s = yes ({n} of {n} rows), so it adds nothing."
    assert explanation.changes[-1] == sentence
    assert {term.attribute: term.status for term in explanation.terms}["r"] == "implied"
    assert explanation.terms[0].contribution == 0
    assert sentence in " ".join(str(explanation).split())


def test_implied_in_one_of_two_networks(implied):
    X, y = implied
    case = pd.DataFrame({"r": ["high"], "s": ["yes"], "t": ["on"]})
    explanation = AveragedKDB().fit(X, y).explain(case)[0]
    assert "left out in the network of the case" in explanation.changes[-1]
    assert [member.name for member in explanation.members] == ["general network", "network of the case"]
    assert explanation.terms[0].status == "used"


@pytest.mark.parametrize("name", ["LocalKDB", "PersonalizedKDB", "AveragedKDB"])
def test_every_change_of_the_case_network_is_told(name, data):
    model = make(name, **({} if name == "PersonalizedKDB" else {"critical_value": 5})).fit(*data)
    X = data[0].iloc[:60]
    told = 0
    for network, explanation in zip(model.case_network(X), model.explain(X), strict=True):
        for attribute in network:
            for change in attribute.changes:
                told += 1
                went = f"so its role as parent of {attribute.name} went to {change.substitute}."
                gone = f"so it is no parent of {attribute.name}."
                about = [s for s in explanation.changes if s.startswith(change.parent)]
                assert any(s.endswith(went if change.substitute else gone) for s in about)
    assert told > 0


def test_redundant_parents_are_told_in_bits(data):
    model = PersonalizedKDB(redundancy_ratio=0.5).fit(*data)
    sentences = [s for explanation in model.explain(data[0][:40]) for s in explanation.changes]
    assert any("bits about" in sentence and "not more than" in sentence for sentence in sentences)


# --- views


def test_dict_and_json(data, new_rows):
    for name in ("TAN", "AODE", "AveragedKDB"):
        explanation = make(name).fit(*data).explain(new_rows)[4]
        content = explanation.to_dict()
        assert json.loads(json.dumps(content)) == json.loads(explanation.to_json(indent=2))
        assert content["probabilities"] == [[c, p] for c, p in explanation.probabilities.items()]
        assert [term["attribute"] for term in content["terms"]] == list(new_rows)
        total = content["prior"] + sum(term["contribution"] for term in content["terms"])
        assert total == pytest.approx(content["log_odds"], abs=1e-10)


def test_dates_in_json():
    X = pd.DataFrame({"when": pd.to_datetime(["2020-01-01", "2021-01-01"] * 6), "n": [1, 2] * 6})
    y = ["first", "second"] * 6
    explanation = TAN(discretizer="equal-width").fit(X, y).explain(X)[0]
    content = json.loads(explanation.to_json())
    assert content["prediction"] == "first"
    assert content["terms"][0]["given"].startswith("2020-01-01")
    assert content["terms"][1]["given"] == 1


def test_frames(data, new_rows):
    found = NaiveBayes().fit(*data).explain(new_rows)
    frame = found[2].to_frame()
    assert frame["contribution"].sum() == pytest.approx(found.log_odds[2], abs=1e-10)
    assert frame["attribute"].tolist() == ["(prior)", *new_rows]
    everything = found.to_frame()
    sums = everything.groupby("row")["contribution"].sum()
    np.testing.assert_allclose(sums, found.log_odds, atol=1e-10)


def test_hostile_names_stay_text():
    X = pd.DataFrame({"<script>": ["<b>&", "plain"] * 4, "$x^2_[bold]": ["a", "b"] * 4})
    explanation = NaiveBayes().fit(X, ["<i>yes</i>", "[red]no"] * 4).explain(X)[0]
    page = explanation._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt; = &lt;b&gt;&amp;" in page
    assert "<i>" not in page
    text = str(explanation)
    assert "<script> = <b>&" in text
    assert "$x^2_[bold] = a" in text
    assert "[red]no" in text


def test_waterfall_adds_up(data, new_rows):
    import matplotlib

    matplotlib.use("agg")
    explanation = AODE().fit(*data).explain(new_rows)[4]
    ax = explanation.plot_waterfall(max_terms=2)
    bars = ax.patches
    assert len(bars) == 1 + 2 + 1 + 1
    assert sum(bar.get_width() for bar in bars[:-1]) == pytest.approx(explanation.log_odds, abs=1e-9)
    assert bars[-1].get_width() == pytest.approx(explanation.log_odds, abs=1e-9)
    ax.figure.canvas.draw()
    with pytest.raises(ValueError, match="max_terms"):
        explanation.plot_waterfall(max_terms=0)
    hostile = NaiveBayes(smoothing_strength=0).fit([["$a"], ["b$\\frac"]], ["$k", "m"]).explain([["$a"]])[0]
    hostile.plot_waterfall().figure.canvas.draw()  # an infinite bar, and names that are no formulas


def test_explanations_are_pickled(data, new_rows):
    explanation = AveragedKDB().fit(*data).explain(new_rows)[4]
    again = pickle.loads(pickle.dumps(explanation))
    assert again.to_json() == explanation.to_json()


def test_no_warning_of_its_own(data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("AODE", "PersonalizedKDB", "KDB"):
            for explanation in make(name, smoothing_strength=0).fit(*data).explain(data[0][:20]):
                str(explanation)


def test_classifiers_do_not_load_what_explains():
    code = (
        "import sys, seminaive; seminaive.TAN; "
        "print([m for m in ('rich', 'matplotlib', 'numba') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
