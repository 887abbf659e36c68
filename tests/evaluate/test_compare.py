"""Comparison of classifiers by cross-validation."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import PredefinedSplit, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from seminaive import AODE, NaiveBayes
from seminaive.evaluate.compare import FoldRecord, compare
from seminaive.evaluate.metrics import LOSSES
from seminaive.evaluate.resampling import PaperKFold

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"], dtype=object)


class Broken(ClassifierMixin, BaseEstimator):
    """Fails where the training part holds a certain row."""

    def __init__(self, bad=None):
        self.bad = bad

    def fit(self, X, y):
        if self.bad is None or self.bad in X[:, 0]:
            raise RuntimeError("out of\norder")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_agrees_with_scikit_learn_on_the_same_folds():
    result = compare(
        {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}, X, Y, cv=5, random_state=3
    )
    folds = StratifiedKFold(5, shuffle=True, random_state=3)
    for name, classifier in [("nb", GaussianNB()), ("tree", DecisionTreeClassifier(random_state=0))]:
        records = [record for record in result.records if record.classifier == name]
        expected = 1 - cross_val_score(classifier, X, Y, cv=folds)
        np.testing.assert_allclose([record.zero_one_loss for record in records], expected)
        expected = -cross_val_score(classifier, X, Y, cv=folds, scoring="neg_log_loss")
        np.testing.assert_allclose([record.log_loss for record in records], expected)
        assert [record.fold for record in records] == list(range(5))
        assert all(record.n_train + record.n_test == 150 for record in records)
        assert all(record.fit_seconds > 0 and record.predict_seconds > 0 for record in records)
    assert result.classifiers == ["nb", "tree"]
    assert result.best() == "nb"


@pytest.mark.parametrize(
    "table",
    [
        X.tolist(),
        pd.DataFrame(X, columns=list("abcd"), index=range(1000, 1150)),
        pl.DataFrame(X, schema=list("abcd"), orient="row"),
        pa.table({name: X[:, i] for i, name in enumerate("abcd")}),
    ],
    ids=["list", "pandas", "polars", "pyarrow"],
)
@pytest.mark.parametrize(
    "y", [NAMES[Y], pd.Series(NAMES[Y], index=range(150, 0, -1)), pl.Series(NAMES[Y].tolist())]
)
def test_any_table_and_any_labels(table, y):
    expected = compare({"nb": NaiveBayes()}, X, Y, cv=3)
    result = compare({"nb": NaiveBayes()}, table, y, cv=3)
    assert [record.brier_score for record in result.records] == [
        record.brier_score for record in expected.records
    ]
    assert result.classes.tolist() == NAMES.tolist()


def test_result_does_not_depend_on_threads():
    def losses(n_jobs):
        result = compare({"nb": NaiveBayes(), "aode": AODE()}, X, Y, n_jobs=n_jobs)
        return [
            [record.classifier, record.fold, *(getattr(record, loss) for loss in LOSSES)]
            for record in result.records
        ]

    assert losses(None) == losses(2)


def test_summary_pooled_and_export():
    result = compare({"nb": GaussianNB(), "prior": DummyClassifier()}, X, Y, cv=7)
    records = [record for record in result.records if record.classifier == "nb"]
    spread = result.summary()["nb"]["rmse"]
    values = [record.rmse for record in records]
    assert spread == pytest.approx((np.mean(values), np.std(values, ddof=1)))
    assert result.summary()["nb"]["seconds"].mean == pytest.approx(
        np.mean([record.seconds for record in records])
    )
    errors = sum(round(record.zero_one_loss * record.n_test) for record in records)
    assert result.pooled()["nb"] == pytest.approx(errors / 150)
    squares = sum(record.rmse**2 * record.n_test for record in records) / 150
    assert result.pooled("rmse")["nb"] == pytest.approx(math.sqrt(squares))
    frame = result.to_pandas()
    assert frame.shape[0] == 14
    assert list(frame.columns) == list(result.to_records()[0])
    assert frame.groupby("classifier").zero_one_loss.mean()["prior"] == pytest.approx(2 / 3, abs=0.02)


def test_a_failing_classifier_does_not_stop_the_others():
    seen = []
    result = compare(
        {"broken": Broken(), "nb": GaussianNB()}, X, Y, cv=3, progress=lambda *what: seen.append(what)
    )
    assert result.errors() == {"broken": "RuntimeError: out of order"}
    assert math.isnan(result.summary()["broken"]["log_loss"].mean)
    assert result.best() == "nb"
    assert math.isnan(result.pooled()["broken"])
    assert [done for done, _, _ in seen] == [1, 2, 3, 4, 5, 6]
    assert {total for _, total, _ in seen} == {6}
    assert all(isinstance(record, FoldRecord) for _, _, record in seen)
    with pytest.raises(RuntimeError, match="order"):
        compare({"broken": Broken()}, X, Y, cv=3, raise_errors=True)
    with pytest.raises(ValueError, match="no classifier has a Brier score on every fold: RuntimeError"):
        compare({"broken": Broken()}, X, Y, cv=3).best()


def test_a_classifier_that_fails_on_some_folds_cannot_be_the_best():
    table = np.arange(30.0).reshape(-1, 1)
    y = np.zeros(30, dtype=int)
    result = compare({"broken": Broken(bad=0.0), "prior": DummyClassifier()}, table, y, cv=3)
    assert sum(record.error is None for record in result.records if record.classifier == "broken") == 1
    assert result.summary()["broken"]["zero_one_loss"].mean == 0
    assert result.best("zero_one_loss") == "prior"


def test_without_probabilities_there_is_only_the_zero_one_loss():
    result = compare({"ridge": RidgeClassifier()}, X, Y, cv=3)
    assert result.errors() == {}
    assert result.summary()["ridge"]["zero_one_loss"].mean < 0.3
    assert math.isnan(result.summary()["ridge"]["log_loss"].mean)
    assert result.best("zero_one_loss") == "ridge"
    with pytest.raises(ValueError, match="probabilities"):
        result.best()


def test_ties_go_to_the_earlier_classifier():
    assert compare({"b": GaussianNB(), "a": GaussianNB()}, X, Y, cv=3).best() == "b"


def test_d41_rare_classes_give_one_warning_and_count_as_probability_zero():
    y = NAMES[Y].copy()
    y[0] = "unique"
    y[1:4] = "rare"
    with pytest.warns(UserWarning, match="Fewer rows than folds") as caught:
        result = compare({"prior": DummyClassifier()}, X, y, cv=10)
    assert len(caught) == 1
    text = str(caught[0].message)
    assert "2 of 5 classes" in text
    assert "1 of unique" in text
    assert "unknown when it is tested" in text
    assert result.errors() == {}
    worst = max(record.log_loss * record.n_test for record in result.records)
    assert worst > 36  # the clipped logarithm of zero


def test_every_class_smaller_than_the_number_of_folds():
    with pytest.warns(UserWarning, match="not stratified") as caught:
        result = compare({"prior": DummyClassifier()}, X[:12], NAMES[np.arange(12) % 3], cv=6)
    assert len(caught) == 1
    assert len(result.records) == 6
    assert result.errors() == {}


def test_warnings_of_the_folds_are_gathered():
    class Noisy(DummyClassifier):
        def predict(self, X):
            warnings.warn("hm", FutureWarning, stacklevel=1)
            return super().predict(X)

    with pytest.warns(FutureWarning) as caught:
        compare({"noisy": Noisy()}, X, Y, cv=5)
    assert [str(warning.message) for warning in caught] == ["5 times in the folds, first: hm"]


def test_one_class_only():
    result = compare({"nb": NaiveBayes(), "prior": DummyClassifier()}, X, np.zeros(150, dtype=int), cv=5)
    assert result.errors() == {}
    assert result.summary()["nb"]["brier_score"].mean == pytest.approx(0, abs=1e-12)
    assert result.summary()["nb"]["log_loss"].mean == pytest.approx(0, abs=1e-12)


def test_weights_reach_fitting_and_losses():
    weights = np.where(Y == 0, 0.0, 1.0)
    weights[::3] *= 2
    result = compare({"prior": DummyClassifier()}, X, Y, cv=5, sample_weight=weights)
    assert result.pooled()["prior"] < 0.55  # the class without weight costs nothing
    assert sum(record.test_weight for record in result.records) == pytest.approx(weights.sum())
    with pytest.raises(ValueError, match="sample_weight has shape"):
        compare({"prior": DummyClassifier()}, X, Y, sample_weight=[1.0])


@pytest.mark.parametrize("cv", [PaperKFold(5), PredefinedSplit(np.arange(150) % 4), None])
def test_other_splitters(cv):
    folds = [(np.arange(100), np.arange(100, 150)), (np.arange(50, 150), np.arange(50))] if cv is None else cv
    result = compare({"prior": DummyClassifier()}, X, Y, cv=folds)
    expected = len(folds) if cv is None else cv.get_n_splits(X)
    assert len(result.records) == expected


def test_classifiers_are_not_changed():
    classifier = GaussianNB()
    compare({"nb": classifier}, X, Y, cv=3)
    assert not hasattr(classifier, "classes_")


def test_bad_input():
    with pytest.raises(ValueError, match="no classifier"):
        compare({}, X, Y)
    with pytest.raises(ValueError, match="too few rows for 10 folds: 3"):
        compare({"nb": GaussianNB()}, X[:3], Y[:3])
    with pytest.raises(ValueError, match="at least 2 folds"):
        compare({"nb": GaussianNB()}, X, Y, cv=1)
    with pytest.raises(ValueError, match="missing in 1 of 150 rows"):
        compare({"nb": GaussianNB()}, X, [None, *NAMES[Y[1:]]])
    with pytest.raises(ValueError, match="there is no loss 'auc'"):
        compare({"nb": GaussianNB()}, X, Y, cv=3).best("auc")
