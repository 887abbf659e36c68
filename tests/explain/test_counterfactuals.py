"""Changes of one value that change the class: all of them, verified by predicting, smallest first."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from test_explanation import every_classifier, make, table

from seminaive import AveragedNetworks, NaiveBayes

pytestmark = pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")


@pytest.fixture(scope="module")
def data():
    return table(200, seed=4)


def representatives(attribute):
    """A value of the table for every value of an attribute."""
    if attribute.cut_points is None:
        return dict(zip(attribute.labels, attribute.values, strict=False))
    edges = [attribute.cut_points[0] - 1, *attribute.cut_points, attribute.cut_points[-1] + 1]
    return dict(zip(attribute.labels, (np.array(edges)[:-1] + np.array(edges)[1:]) / 2, strict=False))


@every_classifier
def test_all_flips_are_found_and_predicted(name, data):
    X, y = data
    model = make(name).fit(X, y)
    rows = X.iloc[:6].copy()
    rows.loc[0, "a"] = "never seen"
    for position, found in enumerate(model.counterfactuals(rows)):
        row = rows.iloc[[position]]
        assert found.prediction == model.predict(row)[0]
        expected = {}
        for attribute in model.schema_.attributes:
            for label, value in representatives(attribute).items():
                changed = row.copy()
                changed[attribute.name] = value
                prediction = model.predict(changed)[0]
                if prediction != found.prediction:
                    expected[attribute.name, label] = prediction, model.predict_proba(changed)[0]
        assert {(change.attribute, change.to_value) for change in found} == set(expected)
        for change in found:
            prediction, probabilities = expected[change.attribute, change.to_value]
            assert change.prediction == prediction
            np.testing.assert_allclose(change.probabilities, probabilities, atol=1e-12)
            changed = row.copy()
            changed[change.attribute] = change.example
            assert model.predict(changed)[0] == prediction
            assert change.margin > 0
        order = [(change.steps, -change.margin) for change in found]
        assert order == sorted(order)


def test_intervals_are_counted_and_the_nearest_value_is_given():
    X = pd.DataFrame({"n": np.arange(90.0)})
    y = np.repeat(["low", "middle", "high"], 30)
    model = NaiveBayes().fit(X, y)
    assert model.schema_[0].labels == ["(-inf, 29.5]", "(29.5, 59.5]", "(59.5, inf)"]
    found = model.counterfactuals(X.iloc[[3]])[0]
    assert [(c.to_value, c.steps, c.prediction) for c in found] == [
        ("(29.5, 59.5]", 1, "middle"),
        ("(59.5, inf)", 2, "high"),
    ]
    assert [c.example for c in found] == [np.nextafter(29.5, np.inf), np.nextafter(59.5, np.inf)]
    down = model.counterfactuals(X.iloc[[80]])[0]
    assert [(c.example, c.steps) for c in down] == [(59.5, 1), (29.5, 2)]
    missing = model.counterfactuals(pd.DataFrame({"n": [None]}, dtype=float))[0]
    assert {c.from_value for c in missing} == {None}
    assert {c.steps for c in missing} == {1}


def test_becoming_missing_is_no_change(data):
    X, y = data
    model = NaiveBayes(missing="value").fit(X, y)
    for found in model.counterfactuals(X.iloc[:20]):
        assert all(change.to_value != "(missing)" for change in found)


def test_views(data):
    X, y = data
    found = NaiveBayes().fit(X, y).counterfactuals(X)
    some = next(one for one in found if len(one) > 1)
    frame = some.to_frame()
    assert frame["attribute"].tolist() == [change.attribute for change in some]
    assert str(some).splitlines()[0] == f"Prediction {some.prediction} would change:"
    assert str(some).splitlines()[1].strip() == str(some[0])
    assert len(some[:1]) == 1
    certain = NaiveBayes().fit([["a"], ["b"]], ["k", "k"]).counterfactuals([["a"]])[0]
    assert len(certain) == 0
    assert str(certain) == "No change of a single value changes the prediction k."
    assert len(certain.to_frame()) == 0


def test_only_the_smallest_changes_are_written_out():
    """Larger steps of the same numeric column to the same class say nothing new."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = AveragedNetworks.fast(random_state=0).fit(X[:400], y[:400])
    numbers = []
    for found in model.counterfactuals(X[400:]):
        smallest = found.smallest()
        least = {}
        for change in found:  # of two classes a change leads to the other one
            least[change.attribute] = min(change.steps, least.get(change.attribute, change.steps))
        assert [*smallest] == [change for change in found if change.steps == least[change.attribute]]
        larger = len(found) - len(smallest)
        assert (f"and {larger} larger change" in str(found)) == (larger > 0)
        assert sum(" -> " in line for line in str(found).splitlines()) == len(smallest)
        numbers.append(larger)
    assert max(numbers) > 10
