"""Reading once for several classifiers gives what each would give by itself."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier

from repeatable import repeatable
from seminaive import MDLPDiscretizer, NaiveBayes, all_classifiers
from seminaive.classifiers.training_table import TrainingTable

RNG = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "letter": RNG.choice(["a", "b", None], 80),
        "number": RNG.normal(size=80),
        "flag": RNG.integers(0, 2, 80).astype(bool),
    }
)
Y = np.where(X["number"] > 0.2, "high", np.where(X["flag"], "low", "middle"))


@pytest.mark.parametrize("name", all_classifiers())
@pytest.mark.parametrize("weights", [None, RNG.integers(0, 3, 80)])
def test_the_same_as_fit(name, weights):
    classifier = repeatable(name)(missing="value")
    table = TrainingTable(X, Y, weights)
    table.fit(NaiveBayes(missing="value"))  # reads the table
    shared = table.fit(classifier)
    alone = repeatable(name)(missing="value").fit(X, Y, weights)
    assert np.array_equal(shared.predict_proba(X), alone.predict_proba(X))
    assert shared.feature_names_in_.tolist() == list(X)
    assert not hasattr(classifier, "classes_")


def test_read_once_for_equal_options_only():
    table = TrainingTable(X, Y)
    models = [
        NaiveBayes(),
        NaiveBayes(smoothing="laplace"),
        NaiveBayes(discretizer=MDLPDiscretizer(min_split=3)),
        NaiveBayes(discretizer=MDLPDiscretizer(min_split=3), n_jobs=2),
        NaiveBayes(class_weight="balanced"),
    ]
    fitted = [table.fit(model) for model in models]
    assert fitted[0].encoder_ is fitted[1].encoder_
    assert fitted[0].encoder_ is not fitted[2].encoder_
    assert fitted[2].encoder_ is fitted[3].encoder_
    assert fitted[4].encoder_ is not fitted[0].encoder_
    assert table.reading_seconds(models[0]) > 0
    assert table.reading_seconds(DummyClassifier()) == 0


def test_declared_classes_count():
    codes = RNG.integers(0, 3, (20, 2))
    labels = codes[:, 0] % 2
    reading = {"categorical_features": "all", "categories": {0: range(3), 1: range(4)}}
    model = TrainingTable(codes, labels, classes=range(3), reading=reading).fit(NaiveBayes())
    declared = NaiveBayes(**reading).partial_fit(codes, labels, classes=range(3))
    assert model.classes_.tolist() == [0, 1, 2]
    assert np.array_equal(model.predict_proba(codes), declared.predict_proba(codes))


def test_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="n_jobs"):
        TrainingTable(X, Y).fit(NaiveBayes(n_jobs=0))
