"""Explaining 1,000 rows against predicting them: contributions as arrays, and one by one as objects."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import Report, alternate
from benchmarks.tasks import Task
from seminaive import all_classifiers
from seminaive.classifiers.network import SingleNetworkClassifier

_ROWS, _ROWS_ONE_BY_ONE = 1_000, 50
_TASKS = [
    Task("letter-like", 20_000, (12,) * 16, 26),
    Task("hypothyroid-like", 4_163, (2,) * 18 + (4,) * 7, 2),
]
_MOST = {True: 3.0, False: 20.0}  # times predicting: classifiers with a single network, all others
_QUICK = ("NaiveBayes", "KDB", "AODE", "LocalKDB", "AveragedKDB")


def run(report: Report) -> None:
    report.layer("explain")
    worst: dict[bool, tuple[float, str]] = {}
    for task in _TASKS:
        X, y = task.make()
        few = X[-_ROWS:]
        for name, cls in all_classifiers().items():
            if report.quick and name not in _QUICK:
                continue
            # the choice of a ratio by leave-one-out is not what is timed
            fixed = {"redundancy_ratio": 0.1} if "redundancy_ratio" in cls().get_params() else {}
            model = cls(categorical_features="all", n_jobs=1, **fixed).fit(X[:-_ROWS], y[:-_ROWS])
            timed = {
                "predict": partial(model.predict_proba, few),
                "explain": partial(_contributions, model, few),
                "terms": partial(_terms, model, few[:_ROWS_ONE_BY_ONE]),
            }
            for function in timed.values():
                function()  # compiles
            seconds = alternate(timed, budget=0.3)
            # the least of all: what others do on the machine only adds
            predict, explain, terms = (min(times) for times in seconds.values())
            report.value(task, f"explain / predict_proba, {name}", explain / predict, "x")
            report.value(task, f"terms of one row, {name}", terms / _ROWS_ONE_BY_ONE, "s")
            single = issubclass(cls, SingleNetworkClassifier)
            worst[single] = max(worst.get(single, (0.0, "")), (explain / predict, f"{name} on {task.name}"))
    for single, (ratio, where) in worst.items():
        what = "single networks" if single else "averages and networks for cases"
        report.goal(
            f"explaining {_ROWS:,} rows / predicting them, {what}",
            f"<= {_MOST[single]:g} x",
            f"{ratio:.1f} x (worst: {where})",
            ratio <= _MOST[single],
        )


def _contributions(model: Any, X: np.ndarray) -> np.ndarray:
    contributions: np.ndarray = model.explain(X).contributions
    return contributions


def _terms(model: Any, X: np.ndarray) -> list[Any]:
    return [explanation.terms for explanation in model.explain(X)]
