"""Classifiers that choose by leave-one-out, beside KDB and beside scikit-learn's sequential selection."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import LeaveOneOut

from benchmarks.harness import Report, alternate
from benchmarks.tasks import Task, numeric_column
from seminaive import KDB, AdaptiveKDB, NaiveBayes, SelectiveKDB, SelectiveNaiveBayes

_MOST = {"AdaptiveKDB": 10.0, "SelectiveKDB": 8.0}  # times KDB's fit


def run(report: Report) -> None:
    report.layer("selection")
    _beside_sequential(report)
    worst: dict[str, tuple[float, str]] = {}
    for name, X, y in _tables(report.quick):
        models: dict[str, Any] = {
            "KDB": KDB(n_jobs=1),
            "AdaptiveKDB": AdaptiveKDB(n_jobs=1),
            "SelectiveKDB": SelectiveKDB(n_jobs=1),
        }
        seconds = alternate({key: partial(model.fit, X, y) for key, model in models.items()}, most=7)
        middle = {key: float(np.median(times)) for key, times in seconds.items()}
        for key in _MOST:
            ratio = middle[key] / middle["KDB"]
            report.value(name, f"fit of {key}, n_jobs=1", middle[key], "s", "KDB", middle["KDB"])
            if ratio > worst.get(key, (0.0, ""))[0]:
                worst[key] = (ratio, name)
    for key, (ratio, where) in worst.items():
        report.goal(
            f"{key} / KDB, fit",
            f"<= {_MOST[key]:g} x",
            f"{ratio:.2f} x (worst: {where})",
            ratio <= _MOST[key],
        )


def _tables(quick: bool) -> list[tuple[str, np.ndarray, np.ndarray]]:
    waves, y = _waveform(10_000 if quick else 100_000)
    codes, outcome = Task("connect4-like", 6_000 if quick else 67_557, (3,) * 42, 3).make()
    marks = np.array(["b", "x", "o"], dtype=object)[codes]  # as the file has them
    return [
        (f"waveform ({len(y):,} x 21 numbers)", waves, y),
        (f"connect4-like ({len(outcome):,} x 42 strings)", marks, outcome),
    ]


def _waveform(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    columns = [numeric_column(n_rows, 3, seed) for seed in range(21)]
    _, y = columns[0]
    rng = np.random.default_rng(0)
    shift = rng.normal(size=(3, 21))
    return np.column_stack([column for column, _ in columns]) * 0.5 + shift[y], y


def _beside_sequential(report: Report) -> None:
    task = Task("small enough for refitting", 100 if report.quick else 200, (3,) * 8, 2)
    X, y = task.make()
    options: dict[str, Any] = {"categorical_features": "all", "n_jobs": 1}
    peer = SequentialFeatureSelector(
        NaiveBayes(**options), n_features_to_select=4, cv=LeaveOneOut(), scoring="accuracy"
    )
    ours = SelectiveNaiveBayes(**options)
    seconds = alternate({"ours": partial(ours.fit, X, y), "peer": partial(peer.fit, X, y)}, most=3)
    ours_s, peer_s = (float(np.median(times)) for times in seconds.values())
    report.value(task, "forward selection by leave-one-out", ours_s, "s", "SequentialFeatureSelector", peer_s)
    report.goal(
        "SelectiveNaiveBayes / scikit-learn's sequential selection",
        ">= 50 x",
        f"{peer_s / ours_s:,.0f} x",
        peer_s >= 50 * ours_s,
    )
