"""Fitting on codes: NB against CategoricalNB; AODE and TAN against Weka; NB and TAN against pyAgrum."""

from __future__ import annotations

from functools import partial
from typing import Any

from sklearn.naive_bayes import CategoricalNB

from benchmarks.harness import Report, alternate, geometric_mean
from benchmarks.peers import LIKE_WEKA, beside_weka, pyagrum_classifier
from benchmarks.tasks import MOST_FOR_TRIPLES, TASKS, Task, selected
from seminaive import AODE, HNB, KDB, TAN, AnDE, NaiveBayes

_PYAGRUM_STEPS = 10_000_000  # rows x attributes^2 beyond which it takes minutes


def run(report: Report) -> None:
    report.layer("fit")
    naive: dict[str, float] = {}
    averaged: dict[str, float] = {}
    trees: dict[str, float] = {}
    bounded = False
    tasks = selected(report.quick)
    for task in tasks:
        X, y = task.make()
        options = {"categorical_features": "all"}
        functions = {
            "ours": partial(NaiveBayes(**options).fit, X, y),
            "CategoricalNB": partial(CategoricalNB().fit, X, y),
        }
        ratios = report.seconds(task, "NaiveBayes", alternate(functions))
        if task.n_rows >= 10_000:
            naive[task.name] = ratios["CategoricalNB"]

        _beside_pyagrum(report, task, NaiveBayes(**options), "NaiveBayes")

        for n_jobs in (1, 2):
            report.seconds(
                task,
                f"AODE, n_jobs={n_jobs}",
                alternate({"ours": partial(AODE(n_jobs=n_jobs, **options).fit, X, y)}),
            )
        two = {**options, "n_jobs": 2}
        for name, weka_options in LIKE_WEKA.items():
            model = AODE(**weka_options, **two)
            ratio, _ = beside_weka(
                report, task, name, f"{name}, n_jobs=2", partial(model.fit, X, y), n_test=1, key="build"
            )
            if ratio and name == "AODE":
                averaged[task.name] = ratio

        _beside_pyagrum(report, task, TAN(**options), "TAN")
        ratio, result = beside_weka(
            report,
            task,
            "TAN",
            "TAN, n_jobs=2",
            partial(TAN(**two).fit, X, y),
            n_test=1,
            key="build",
        )
        if ratio and task.n_attributes >= 40:
            trees[task.name] = ratio
            bounded |= result.get("problem") == "timeout"
        seconds = alternate({"ours": partial(KDB(**two).fit, X, y)})
        report.seconds(task, "KDB(k=2), n_jobs=2", seconds)
        report.seconds(task, "HNB, n_jobs=2", alternate({"ours": partial(HNB(**two).fit, X, y)}))
        if task.n_attributes <= MOST_FOR_TRIPLES:
            report.seconds(task, "AnDE(n=2), n_jobs=2", alternate({"ours": partial(AnDE(**two).fit, X, y)}))

    report.ratio_goal("NB fit / CategoricalNB fit, coded input, >= 10,000 rows", 1, naive)
    report.ratio_goal("AODE fit (n_jobs=2) / Weka AODE build, every task", 5, averaged)
    if averaged:
        mean = geometric_mean(list(averaged.values()))
        report.goal("AODE fit / Weka AODE build, geometric mean", ">= 20 x", f"{mean:.1f} x", mean >= 20)
    report.ratio_goal("TAN fit / Weka TAN build, tasks of >= 40 attributes", 50, trees)
    if bounded:
        report.note("Weka's TAN was stopped on some tasks: the ratio there is a lower bound")
    large = TASKS["covtype-train-like"]
    if large in tasks:
        middle = next(
            row.ours for row in report.rows if row.task == str(large) and row.what == "TAN, n_jobs=2"
        )
        report.goal("TAN fit, 333,000 x 54", "seconds", f"{middle:.2f} s", middle < 10)


def _beside_pyagrum(report: Report, task: Task, ours: Any, method: str) -> None:
    make = pyagrum_classifier(report, method, max(task.n_values))
    if make and task.n_rows * task.n_attributes**2 <= _PYAGRUM_STEPS:
        X, y = task.make()
        functions = {"ours": partial(ours.fit, X, y), "pyAgrum": lambda: make().fit(X, y)}
        report.seconds(task, method, alternate(functions, budget=2.0))
