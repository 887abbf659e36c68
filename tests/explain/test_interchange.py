"""Networks for other libraries: inference there gives our probabilities."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from test_explanation import table

from seminaive import KDB, TAN, AdaptiveKDB, NaiveBayes, SelectiveKDB, SelectiveNaiveBayes

MODELS = [
    NaiveBayes(),
    TAN(),
    KDB(k=3),
    KDB(k=2, smoothing="laplace", smoothing_strength=0.1),
    KDB(k=2, smoothing="hierarchical"),
    SelectiveNaiveBayes(),
    SelectiveKDB(),
    AdaptiveKDB(),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda m: repr(m).replace("\n", ""))


@pytest.fixture(scope="module")
def data():
    return table(150, seed=7)


def complete(X):
    """All value combinations of the categorical columns that a case of the test has, seen or not."""
    whole = X.dropna()
    columns = [sorted(whole[name].unique())[:3] for name in X.drop(columns="number")]
    rows = pd.DataFrame(list(itertools.product(*columns)), columns=list(X.drop(columns="number")))
    rows["number"] = np.linspace(-3, 6, len(rows))
    return rows[list(X)]


@every_model
@pytest.mark.parametrize("layout", ["dense", "sparse"])
def test_pyagrum_infers_our_probabilities(model, layout, data):
    pyagrum = pytest.importorskip("pyagrum", reason="pyagrum is not installed")
    if layout == "sparse":
        from test_naive_twins import sparse_tables

        with sparse_tables():
            model.fit(*data)
    else:
        model.fit(*data)
    cases = complete(data[0])
    codes, expected = model.encoder_.encode(cases), model.predict_proba(cases)
    engine = pyagrum.LazyPropagation(model.to_pyagrum())
    for row in range(len(cases)):
        evidence = {
            attribute.name: attribute.labels[codes[i, row]]
            for i, attribute in enumerate(model.schema_.attributes)
            if attribute.name in model.parents_
        }
        engine.setEvidence(evidence)
        engine.makeInference()
        np.testing.assert_allclose(engine.posterior("class").toarray(), expected[row], atol=1e-9)


def test_leaves_without_evidence_agree(data):
    pyagrum = pytest.importorskip("pyagrum", reason="pyagrum is not installed")
    model = TAN().fit(*data)
    has_children = {parent for parents in model.parents_.values() for parent in parents}
    leaves = [name for name in model.parents_ if name not in has_children]
    cases = complete(data[0])[:20].astype(dict.fromkeys(leaves, object))
    cases[leaves] = None
    cases = cases.astype({"number": float})
    codes, expected = model.encoder_.encode(cases), model.predict_proba(cases)
    engine = pyagrum.LazyPropagation(model.to_pyagrum())
    for row in range(len(cases)):
        observed = {
            a.name: int(codes[i, row])
            for i, a in enumerate(model.schema_.attributes)
            if codes[i, row] < a.n_values
        }
        engine.setEvidence(observed)
        engine.makeInference()
        np.testing.assert_allclose(engine.posterior("class").toarray(), expected[row], atol=1e-9)


def parse_bif(text):
    """Variables with their states, and tables by configuration of the parents."""
    states = {
        name: listed.split(", ")
        for name, listed in re.findall(r"variable (\w+) \{\s+type discrete \[ \d+ \] \{ (.*?) \};", text)
    }
    tables = {}
    for head, body in re.findall(r"probability \( (.*?) \) \{\n(.*?)\n\}", text, flags=re.DOTALL):
        child, _, given = head.partition(" | ")
        rows = {}
        for line in body.splitlines():
            configuration, numbers = re.fullmatch(r"  (table|\(.*?\)) (.*);", line).groups()
            key = () if configuration == "table" else tuple(configuration.strip("()").split(", "))
            rows[key] = [float(number) for number in numbers.split(", ")]
        tables[child] = (given.split(", ") if given else [], rows)
    return states, tables


@every_model
def test_bif_holds_our_probabilities(model, data, tmp_path):
    model.fit(*data)
    path = tmp_path / "network.bif"
    text = model.to_bif(path)
    assert path.read_text(encoding="utf-8") == text
    states, tables = parse_bif(text)
    assert set(states) == {"class", *model.parents_} == set(tables)
    for _, rows in tables.values():
        np.testing.assert_allclose([sum(row) for row in rows.values()], 1, atol=1e-12)
    cases = complete(data[0])
    codes, expected = model.encoder_.encode(cases), model.predict_proba(cases)
    for row in range(0, len(cases), 7):
        value = {name: states[name][codes[i, row]] for i, name in enumerate(cases) if name in states}
        joint = []
        for y, label in enumerate(states["class"]):
            product = tables["class"][1][()][y]
            for child in model.parents_:
                given, rows = tables[child]
                key = tuple({**value, "class": label}[name] for name in given)
                product *= rows[key][states[child].index(value[child])]
            joint.append(product)
        np.testing.assert_allclose(np.array(joint) / sum(joint), expected[row], atol=1e-9)


def test_bif_is_read_by_pyagrum(data, tmp_path):
    pyagrum = pytest.importorskip("pyagrum", reason="pyagrum is not installed")
    model = TAN().fit(*data)
    model.to_bif(tmp_path / "network.bif")
    network = pyagrum.loadBN(str(tmp_path / "network.bif"))
    assert network.size() == 6
    cases = complete(data[0])[:5]
    codes = model.encoder_.encode(cases)
    engine = pyagrum.LazyPropagation(network)
    for row, expected in enumerate(model.predict_proba(cases)):
        engine.setEvidence({name: int(codes[i, row]) for i, name in enumerate(cases)})
        engine.makeInference()
        np.testing.assert_allclose(
            engine.posterior("class").toarray(), expected, atol=1e-6
        )  # it reads floats


def test_hostile_names_and_empty_columns():
    X = pd.DataFrame(
        {
            "class": ["a b", "a-b", "1"] * 4,
            "1 x": [None] * 12,
            "ü{": ["{", "}", "|"] * 4,
        }
    )
    y = ["yes", "no", "no"] * 4
    model = KDB(k=2, categorical_features="all").fit(X, y)
    states, _ = parse_bif(model.to_bif())
    assert len(states) == 3
    assert all(re.fullmatch(r"[A-Za-z]\w*", name) for name in states)
    assert sorted(states["class"]) == ["a_b", "a_b_2", "v1"]
    pyagrum = pytest.importorskip("pyagrum", reason="pyagrum is not installed")
    engine = pyagrum.LazyPropagation(model.to_pyagrum())
    engine.setEvidence({"class": "a-b", "ü{": "}"})
    engine.makeInference()
    expected = model.predict_proba(pd.DataFrame({"class": ["a-b"], "1 x": [None], "ü{": ["}"]}))[0]
    np.testing.assert_allclose(engine.posterior("(class)").toarray(), expected, atol=1e-9)


def test_too_large_is_said_before_anything_is_made(data):
    model = KDB(k=3).fit(*data).set_params(memory_limit=1000)
    with pytest.raises(MemoryError, match="memory_limit"):
        model.to_bif()
