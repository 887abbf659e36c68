"""Experiments: their numbers are those of the obvious loop, and they go on where they stopped."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from seminaive import AODE, KDB, NaiveBayes
from seminaive.evaluate import metrics
from seminaive.evaluate.experiments import (
    BIAS_VARIANCE,
    CROSS_VALIDATION,
    MEASURES,
    Experiment,
    TableData,
    run_experiment,
)
from seminaive.evaluate.pairs import win_draw_loss_mcnemar
from seminaive.evaluate.resampling import BiasVarianceSplit
from seminaive.evaluate.store import ResultStore

IRIS = load_iris(return_X_y=True)
FOLDS = StratifiedKFold(4, shuffle=True, random_state=1)
TIMES = {"fit_seconds", "predict_seconds", "peak_bytes"}


class Broken(DummyClassifier):
    """Cannot be fitted."""

    def fit(self, X, y, sample_weight=None):
        raise ValueError("column 'a'\nis strange")


def experiment(**classifiers):
    rng = np.random.default_rng(0)
    mixed = pd.DataFrame({"a": rng.choice(["x", "y", None], 60), "b": rng.normal(size=60)})
    labels = np.where(mixed["b"] + (mixed["a"] == "x") > 0.3, "yes", "no")
    data = [TableData("iris", *IRIS), TableData("mixed", mixed, labels)]
    return Experiment(
        data,
        classifiers or {"NB": NaiveBayes(), "AODE": AODE()},
        {CROSS_VALIDATION: FOLDS, BIAS_VARIANCE: BiasVarianceSplit(3)},
    )


def rows_of(results):
    """All values but the times, for comparison."""
    return {measure: results.table(measure).values.tolist() for measure in MEASURES if measure not in TIMES}


def test_measures_are_those_of_the_obvious_loop():
    X, y = IRIS
    results = run_experiment(experiment())
    truth, predicted, probabilities, areas, errors = [], [], [], [], []
    for train, test in FOLDS.split(X, y):
        model = AODE().fit(X[train], y[train])
        truth.append(y[test])
        predicted.append(model.predict(X[test]))
        probabilities.append(model.predict_proba(X[test]))
        areas.append(roc_auc_score(y[test], probabilities[-1], multi_class="ovo"))
        errors.append(metrics.calibration_error(y[test], probabilities[-1], labels=range(3)))
    truth, predicted = np.concatenate(truth), np.concatenate(predicted)
    pooled = metrics.all_losses(truth, predicted, np.concatenate(probabilities), labels=range(3))
    expected = {
        **pooled,
        "mcc": metrics.matthews_correlation(truth, predicted),
        "auc": np.mean(areas),
        "calibration_error": np.mean(errors),
    }
    for measure, value in expected.items():
        assert results.table(measure)["AODE"][0] == pytest.approx(value, abs=1e-12), measure
    samples = [
        (AODE().fit(X[train], y[train]).predict(X[test]), y[test])
        for train, test in BiasVarianceSplit(3).split(X)
    ]
    bias, variance = metrics.bias_variance(samples[0][1], [guess for guess, _ in samples])
    assert results.table("bias")["AODE"][0] == pytest.approx(bias, abs=1e-12)
    assert results.table("variance")["AODE"][0] == pytest.approx(variance, abs=1e-12)
    assert (results.table("fit_seconds").values > 0).all()
    assert results.n_rows("iris") == 150
    y_true, guesses = results.predictions()
    assert np.array_equal(y_true["iris"], truth)
    assert np.array_equal(guesses["AODE"]["iris"], predicted)
    assert sum(win_draw_loss_mcnemar(y_true, guesses)["AODE", "NB"]) == 2


def test_results_do_not_depend_on_processes_or_on_the_store(tmp_path):
    alone = run_experiment(experiment())
    stored = run_experiment(experiment(), store=tmp_path / "results.csv", n_jobs=2)
    again = run_experiment(experiment(), store=tmp_path / "results.csv")
    assert rows_of(alone) == rows_of(stored) == rows_of(again)
    assert alone.measures() == list(MEASURES)


def test_what_is_there_is_not_run_again(tmp_path):
    path = tmp_path / "results.csv"
    run_experiment(experiment(), store=path)
    content = path.read_bytes()
    calls = []
    run_experiment(experiment(), store=path, progress=lambda share, what: calls.append(share))
    assert path.read_bytes() == content
    assert calls == []
    # another classifier under a known name, and a known one under another name
    run_experiment(experiment(NB=KDB(k=1), other=AODE()), store=path)
    fresh = {record.classifier for record in ResultStore(path).read()[len(content.splitlines()) - 1 :]}
    assert fresh == {"NB"}


def test_changed_data_are_run_again(tmp_path):
    path = tmp_path / "results.csv"
    X, y = IRIS
    for values in (X, X + 1):
        table = TableData("iris", values, y)
        run_experiment(Experiment([table], {"NB": NaiveBayes()}, {CROSS_VALIDATION: FOLDS}), store=path)
    assert len(ResultStore(path).read()) == 2 * 4 * 2


def test_a_failing_cell_is_recorded_and_the_rest_goes_on(tmp_path):
    path = tmp_path / "results.csv"
    results = run_experiment(experiment(NB=NaiveBayes(), broken=Broken()), store=path)
    assert {record.error for record in results.errors} == {"ValueError: column 'a' is strange"}
    assert len(results.errors) == 2 * (4 + 3)
    assert np.isnan(results.table("rmse")["broken"]).all()
    assert not np.isnan(results.table("rmse")["NB"]).any()
    before = len(ResultStore(path).read())
    run_experiment(experiment(NB=NaiveBayes(), broken=Broken()), store=path)
    assert len(ResultStore(path).read()) == before
    run_experiment(experiment(NB=NaiveBayes(), broken=Broken()), store=path, retry_failed=True)
    assert len(ResultStore(path).read()) == before + 2 * (4 + 3)


def test_other_classifiers_take_part():
    X, y = IRIS
    models = {"forest": RandomForestClassifier(5, random_state=0), "ridge": RidgeClassifier()}
    results = run_experiment(Experiment([TableData("iris", X, y)], models, {CROSS_VALIDATION: FOLDS}))
    assert np.isnan(results.table("log_loss")["ridge"][0])  # it has no probabilities
    assert (results.table("auc").values > 0.8).all()
    assert (results.table("zero_one_loss").values < 0.3).all()


def test_a_class_that_the_training_part_lacks():
    y = np.array(["a"] * 20 + ["b"] * 19 + ["c"])
    X = np.arange(40).reshape(-1, 1) % 5
    results = run_experiment(
        Experiment(
            [TableData("rare", X, y)],
            {"NB": NaiveBayes(), "forest": RandomForestClassifier(3, random_state=0)},
            {CROSS_VALIDATION: StratifiedKFold(4, shuffle=True, random_state=0)},
        )
    )
    assert not results.errors
    assert (results.table("log_loss").values > 0).all()


def test_mistakes_are_named():
    table = TableData("iris", *IRIS)
    with pytest.raises(ValueError, match="more than one data set is called iris"):
        Experiment([table, table], {"NB": NaiveBayes()}, {CROSS_VALIDATION: FOLDS})
    with pytest.raises(ValueError, match="at least one data set"):
        Experiment([], {"NB": NaiveBayes()}, {CROSS_VALIDATION: FOLDS})
    with pytest.raises(ValueError, match="splitters are named"):
        Experiment([table], {"NB": NaiveBayes()}, {"folds": FOLDS})
    with pytest.raises(ValueError, match="no measure 'accuracy'"):
        run_experiment(Experiment([table], {"NB": NaiveBayes()}, {CROSS_VALIDATION: FOLDS})).table("accuracy")


SLOWLY = """
import sys, time
import test_experiments as tests

def wait(share, what):
    print(share, flush=True)
    time.sleep(0.05)

tests.run_experiment(tests.experiment(), store=sys.argv[1], n_jobs=1, progress=wait)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
@pytest.mark.parametrize("lines", [1, 5])
def test_killed_at_any_moment_it_goes_on(tmp_path, lines):
    path = tmp_path / "results.csv"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen(
        [sys.executable, "-c", SLOWLY, str(path)], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        for _ in range(lines):
            process.stdout.readline()
        time.sleep(0.06)
        process.send_signal(signal.SIGKILL)
    done = len(ResultStore(path).read())
    assert 0 < done < 2 * 7 * 3
    shares = []
    results = run_experiment(experiment(), store=path, progress=lambda share, what: shares.append(share))
    assert len(shares) < 14
    assert shares[-1] == pytest.approx(1)
    assert rows_of(results) == rows_of(run_experiment(experiment()))
