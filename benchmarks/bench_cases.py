"""Classifiers with a network for every case: rows per second, how that scales, memory of the index."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import Report, alternate
from benchmarks.tasks import Task
from seminaive import AveragedKDB, LocalKDB, PersonalizedKDB

_BLOCK = 10_000  # rows that are predicted
# task, rows of it that are learned, rows per second that are wanted
_TASKS = [
    (Task("letter-like", 28_000, (12,) * 16, 26), 18_000, 20_000),
    (Task("waveform-like", 110_000, (5,) * 21, 3), 100_000, 10_000),
    (Task("poker-like", 1_010_000, (4, 13) * 5, 10), 1_000_000, 2_000),
]
_MODELS: dict[str, Any] = {
    "LocalKDB": LocalKDB,
    "AveragedKDB": AveragedKDB,
    "PersonalizedKDB": partial(PersonalizedKDB, redundancy_ratio=0.1),
}
_CODED: dict[str, Any] = {"categorical_features": "all", "n_jobs": 1}


def run(report: Report) -> None:
    report.layer("cases")
    for task, n_train, wanted in _TASKS[:1] if report.quick else _TASKS:
        X, y = task.make()
        worst = {}
        for name, model in _MODELS.items():
            fitted = model(**_CODED).fit(X[:n_train], y[:n_train])
            fitted.predict_proba(X[:10])  # compiles
            seconds = alternate({name: partial(fitted.predict_proba, X[n_train:])}, most=5)[name]
            worst[name] = (len(X) - n_train) / float(np.median(seconds))
            report.value(task, f"predict_proba of {name}", worst[name], "rows/s")
        slowest = min(worst, key=lambda name: worst[name])
        report.goal(
            f"networks for cases, {task.name}",
            f">= {wanted:,} rows/s",
            f"{worst[slowest]:,.0f} rows/s ({slowest})",
            worst[slowest] >= wanted,
        )
    _beside_scanning(report)
    _index_memory(report)
    _choice_of_ratio(report)
    if not report.quick:
        _scaling(report)


def _beside_scanning(report: Report) -> None:
    """The papers' way: for every family of a case one look at all training rows."""
    task, n_train, _ = _TASKS[0]
    X, y = task.make()
    model = LocalKDB(resolution=None, **_CODED).fit(X[:n_train], y[:n_train])
    few = X[n_train : n_train + 20]
    networks = model.case_network(few)
    column = {name: i for i, name in enumerate(model.schema_.names)}

    def scan() -> None:
        for row, network in zip(few, networks, strict=True):
            for attribute in network.attributes:
                members = [attribute.name, *(parent.name for parent in attribute.parents)]
                same = np.ones(n_train, dtype=bool)
                for name in members[1:] + members[:1]:
                    same &= X[:n_train, column[name]] == row[column[name]]
                np.bincount(y[:n_train][same], minlength=task.n_classes)

    ours = float(np.median(alternate({"ours": partial(model.predict_proba, X[n_train:])})["ours"]))
    theirs = float(np.median(alternate({"scan": scan}, most=3)["scan"]))
    n_rows = len(X) - n_train
    report.value(
        task, "seconds a row, LocalKDB", ours / n_rows, "s", "scan of the training rows", theirs / len(few)
    )


def _index_memory(report: Report) -> None:
    worst = 0.0
    for task, n_train, _ in _TASKS[:2]:
        X, y = task.make()
        model = LocalKDB(**_CODED).fit(X[:n_train], y[:n_train])
        share = model._index.nbytes / (n_train * sum(task.n_values) / 8)
        report.value(task, "index / (rows x values / 8 bytes)", share, "")
        worst = max(worst, share)
    report.goal("memory of the index", "<= 1.1 x rows x values / 8 bytes", f"{worst:.3f} x", worst <= 1.1)


def _choice_of_ratio(report: Report) -> None:
    worst = 0.0
    for task, n_train, _ in _TASKS[:1] if report.quick else _TASKS[:2]:
        X, y = task.make()
        X, y = X[:n_train], y[:n_train]
        chosen, fixed = PersonalizedKDB(**_CODED), PersonalizedKDB(redundancy_ratio=0.1, **_CODED)
        chosen.fit(X, y)
        seconds = alternate(
            {
                "chosen": partial(chosen.fit, X, y),
                "fixed": partial(fixed.fit, X, y),
                "predict": partial(chosen.predict_proba, X),
            },
            most=5,
        )
        fit, plain, predict = (float(np.median(times)) for times in seconds.values())
        ratio = (fit - plain) / predict
        report.value(task, "choice of the ratio / predicting the rows", ratio, "")
        worst = max(worst, ratio)
    report.goal(
        "choice of the redundancy ratio", "<= 5 x predicting the rows once", f"{worst:.2f} x", worst <= 5
    )


def _scaling(report: Report) -> None:
    """One thing at a time, from a table of 50,000 x 20, 5 values, 3 classes, k = 2."""
    usual = {"rows": 50_000, "attributes": 20, "values": 5, "classes": 3, "k": 2}
    steps = {
        "rows": (12_500, 50_000, 200_000, 800_000),
        "attributes": (5, 10, 20, 40, 80),
        "values": (2, 5, 10, 20),
        "classes": (2, 3, 10, 30),
        "k": (0, 1, 2, 3, 4),
    }
    per_row = {}
    for what, sizes in steps.items():
        for size in sizes:
            of = {**usual, what: size}
            task = Task(
                f"{what} = {size:,}", of["rows"] + _BLOCK, (of["values"],) * of["attributes"], of["classes"]
            )
            X, y = task.make()
            model = LocalKDB(k=of["k"], **_CODED).fit(X[: of["rows"]], y[: of["rows"]])
            model.predict_proba(X[-_BLOCK:])
            begin = time.perf_counter()
            model.predict_proba(X[-_BLOCK:])
            per_row[what, size] = (time.perf_counter() - begin) / _BLOCK
            report.value(task, f"LocalKDB, {what} = {size:,}", 1 / per_row[what, size], "rows/s")
    first, last = steps["rows"][0], steps["rows"][-1]
    growth = per_row["rows", last] / per_row["rows", first]
    report.goal(
        f"time per case, {first:,} to {last:,} training rows",
        f"< {last / first:g} x",
        f"{growth:.1f} x",
        growth < last / first,
    )
