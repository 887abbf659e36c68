"""What the report of an experiment holds, and what it leaves out."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from seminaive.evaluate.experiment_report import (
    ONE_CLASSIFIER,
    ONE_DATA_SET,
    experiment_sections,
    failures,
    left_out,
    overview,
    win_draw_loss_tables,
)
from seminaive.evaluate.experiments import (
    BIAS_VARIANCE,
    CROSS_VALIDATION,
    Experiment,
    TableData,
    run_experiment,
)
from seminaive.evaluate.pairs import win_draw_loss_mcnemar
from seminaive.evaluate.report import html_report, tables_of
from seminaive.evaluate.resampling import BiasVarianceSplit

CLASSIFIERS = {
    "gauss": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "prior": DummyClassifier(),
}


def data_sets(n):
    generator = np.random.default_rng(0)
    y = np.arange(60) % 2
    return [
        TableData(f"set {i}", generator.normal(size=(60, 3)) + y[:, None] * (i + 1) / 2, y) for i in range(n)
    ]


def run(n, classifiers=CLASSIFIERS, splitter=None, **splitters):
    splitters[CROSS_VALIDATION] = splitter or StratifiedKFold(3, shuffle=True, random_state=0)
    return run_experiment(Experiment(data_sets(n), classifiers, splitters))


def titles(sections):
    return [table.title for table in tables_of(sections)]


def test_several_data_sets_and_classifiers():
    results = run(3, **{BIAS_VARIANCE: BiasVarianceSplit(3)})
    sections = experiment_sections(results, notes=["Three folds."])
    names = [section.title for section in sections if section.parts]
    assert names[:2] == ["Summary", "Zero-one loss"]
    assert {"RMSE", "MCC", "AUC", "Bias", "Variance"} < set(names)
    assert names[-3:] == ["Costs", "Data sets", "How it was done"]
    found = titles(sections)
    for title in (
        "zero-one loss: wins, draws, losses by the 5 % rule",
        "zero-one loss: wins, draws, losses by McNemar's test on each data set",
        "zero-one loss: sign tests across data sets",
        "bias: wins, draws, losses by the 5 % rule",
        "bias: sign tests across data sets",
        "MCC: Wilcoxon signed-rank tests",
        "MCC: are all classifiers equally good?",
        "MCC: Nemenyi test",
    ):
        assert found.count(title) == 1, title
    assert not any("McNemar" in title and not title.startswith("zero-one") for title in found)
    text = html_report("t", [*sections[:2], sections[-1]])
    assert text.count("<svg") == 3  # critical difference, boxes, scatter
    assert "Three folds." in text
    assert left_out(results) == []
    assert ONE_DATA_SET not in text


def test_means_over_the_data_sets():
    results = run(3)
    table = overview(results)
    losses = results.table("zero_one_loss")
    assert [row[0] for row in table.rows] == list(CLASSIFIERS)
    column = list(table.columns).index("zero-one loss")
    assert [row[column] for row in table.rows] == pytest.approx(losses.values.mean(axis=0))


def test_one_data_set():
    results = run(1)
    sections = experiment_sections(results)
    found = titles(sections)
    assert "zero-one loss: wins, draws, losses by McNemar's test on each data set" in found
    words = "sign tests", "Wilcoxon", "equally good", "Nemenyi", "5 %"
    assert not any(word in title for title in found for word in words)
    assert left_out(results) == [ONE_DATA_SET]
    assert ONE_DATA_SET in html_report("t", sections)


@pytest.mark.parametrize("n", [1, 2])
def test_one_classifier(n):
    results = run(n, {"gauss": GaussianNB()})
    sections = experiment_sections(results)
    assert win_draw_loss_tables(results) == []
    assert left_out(results) == [ONE_CLASSIFIER]
    assert "zero-one loss" in titles(sections)
    assert ONE_CLASSIFIER in html_report("t", sections)


def test_two_classifiers_have_no_friedman_test():
    found = titles(experiment_sections(run(3, {name: CLASSIFIERS[name] for name in ("gauss", "prior")})))
    assert "zero-one loss: Nemenyi test" in found
    assert not any("equally good" in title for title in found)


def test_failures_are_listed_and_do_not_spoil_the_rest():
    broken = DecisionTreeClassifier(max_depth=-1)
    results = run(2, {**CLASSIFIERS, "broken": broken})
    table = failures(results.errors)
    assert [row[:4] for row in table.rows] == [
        [f"set {i}", "broken", "cross-validation", 3] for i in range(2)
    ]
    assert all("max_depth" in row[4] for row in table.rows)
    sections = experiment_sections(results)
    assert "Failed" in [section.title for section in sections if section.parts]
    html_report("t", sections)
    assert failures([]) is None


def test_if_everything_failed_there_is_still_a_report():
    results = run(2, {"broken": DecisionTreeClassifier(max_depth=-1)})
    sections = experiment_sections(results)
    assert titles(sections)[-1] == "Failed cells"
    html_report("t", sections)


def test_mcnemar_takes_every_row_once_though_the_folds_are_repeated():
    repeated = RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=5)
    results = run(2, splitter=repeated)
    truth, predicted = results.predictions()
    assert {name: len(codes) for name, codes in truth.items()} == {"set 0": 60, "set 1": 60}
    # the same records from scikit-learn's own loop over the first repetition
    expected_truth, expected = {}, {name: {} for name in CLASSIFIERS}
    for data in data_sets(2):
        X, y = data._X, data.codes
        folds = list(repeated.split(X, y))[:3]
        expected_truth[data.name] = y
        for name, classifier in CLASSIFIERS.items():
            expected[name][data.name] = cross_val_predict(classifier, X, y, cv=folds)
    records = win_draw_loss_mcnemar(expected_truth, expected).records
    assert win_draw_loss_mcnemar(truth, predicted).records == records
    # the losses are of all repetitions
    mean = np.mean(
        [
            np.mean(CLASSIFIERS["gauss"].fit(X[train], y[train]).predict(X[test]) != y[test])
            for train, test in repeated.split(X, y)
        ]
    )
    assert results.table().values[1, 0] == pytest.approx(mean)
