"""What a classifier looks at in general."""

from __future__ import annotations

import json

import numpy as np
import pytest
from test_explanation import every_classifier, make, table

from seminaive import KDB, TAN, WAODE, AveragedKDB, LocalKDB, NaiveBayes
from seminaive.learn.information import conditional_mutual_information, mutual_information

pytestmark = pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")


@pytest.fixture(scope="module")
def data():
    return table(200, seed=2)


@every_classifier
def test_importance_is_the_mean_absolute_contribution(name, data):
    model = make(name).fit(*data)
    found = model.explain_global(data[0])
    expected = np.abs(model.explain(data[0]).contributions).mean(axis=0)
    importance = {one.attribute: one.importance for one in found.attributes}
    assert [importance[column] for column in data[0]] == pytest.approx(expected, abs=1e-12)
    ranked = [one.importance for one in found.attributes]
    assert ranked == sorted(ranked, reverse=True)
    json.loads(found.to_json())
    assert str(found)


def test_what_values_add_for_classes(data):
    X, y = data
    model = TAN().fit(X, y)
    found = model.explain_global(X)
    logs = model.predict_log_proba(X)
    by_name = {one.attribute: one for one in found.attributes}
    for y_position in range(3):
        others = logs.copy()
        others[:, y_position] = -np.inf
        contributions = np.array(
            [
                [t.contribution for t in one.between(model.classes_[y_position], model.classes_[best]).terms]
                for one, best in zip(model.explain(X), others.argmax(axis=1), strict=True)
            ]
        )
        for name in ("a", "b"):
            rows = X[name].to_numpy(dtype=object)
            for value in by_name[name].values:
                mask = rows == value.value
                assert value.n_rows == mask.sum()
                mean = contributions[mask, list(X).index(name)].mean()
                assert value.contributions[y_position] == pytest.approx(mean, abs=1e-12)
    frame = found.values_to_frame()
    assert len(frame) == 3 * sum(len(one.values) for one in found.attributes)
    assert found.to_frame()["attribute"].tolist() == [one.attribute for one in found.attributes]


def test_structure_with_information(data):
    X, y = data
    model = KDB(k=2).fit(X, y)
    tables = WAODE().fit(X, y)._tables
    information, dependence = mutual_information(tables), conditional_mutual_information(tables)
    position = {name: i for i, name in enumerate(X)}
    found = model.explain_global(X)
    assert {(arc.parent, arc.child) for arc in found.arcs} == {
        (parent, child) for child, parents in model.parents_.items() for parent in parents
    }
    for arc in found.arcs:
        assert arc.strength == pytest.approx(dependence[position[arc.child], position[arc.parent]], abs=1e-10)
        assert arc.share == 1
    for one in found.attributes:
        assert one.information == pytest.approx(information[position[one.attribute]], abs=1e-12)
    assert NaiveBayes().fit(X, y).explain_global(X).arcs == []


def test_arcs_of_cases_are_counted(data):
    X, y = data
    model = LocalKDB(critical_value=5).fit(X, y)
    counted = {}
    for network in model.case_network(X):
        for attribute in network:
            for parent in attribute.parents:
                arc = parent.name, attribute.name
                counted[arc] = counted.get(arc, 0) + 1 / len(X)
    found = model.explain_global(X)
    assert {(arc.parent, arc.child): arc.share for arc in found.arcs} == pytest.approx(counted)
    both = AveragedKDB().fit(X, y).explain_global(X).arcs
    assert [*dict.fromkeys(arc.network for arc in both)] == ["general network", "networks of the cases"]


def test_mean_weights_of_superparents(data):
    X, y = data
    model = WAODE().fit(X, y)
    expected = model.superparent_weights(X).mean()
    assert model.explain_global(X).weights == pytest.approx(expected.to_dict())


def test_one_class_has_nothing_to_tell():
    found = NaiveBayes().fit([["a"], ["b"]], ["k", "k"]).explain_global([["a"]])
    assert found.attributes[0].importance == 0
