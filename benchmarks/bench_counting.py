"""Counting: pair tables of codes, against NumPy's bincount; and the costs behind the choice of method."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import Report, alternate
from benchmarks.tasks import TASKS, Task, selected
from seminaive import TableEncoder
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import count, empty_tables

_SAMPLED_PAIRS = 40  # pairs that the slow peer counts; its time is scaled up to all of them


def run(report: Report) -> None:
    report.layer("counting")
    target = TASKS["covtype-like"]
    for task in selected(report.quick):
        encoder = TableEncoder(categorical_features="all")
        X, y = task.make()
        codes = encoder.fit_encode(X)
        pairs = CountPlan(pairs=True)
        count_all = partial(count, pairs, encoder.schema_, codes, y, task.n_classes)
        report.seconds(task, "pair tables, n_jobs=1", _beside_numpy(partial(count_all, n_jobs=1), task, X, y))
        seconds = alternate({"ours": partial(count_all, n_jobs=2)})
        report.seconds(task, "pair tables, n_jobs=2", seconds)
        if task == target:
            best, middle = min(seconds["ours"]), float(np.median(seconds["ours"]))
            report.goal(
                "pair tables of 500,000 x 54 binary, 7 classes, n_jobs=2",
                "< 50 ms",
                f"{middle * 1e3:.0f} ms (median; least {best * 1e3:.0f} ms)",
                middle < 0.05,
            )
    _costs(report)


def _beside_numpy(ours: Any, task: Task, X: np.ndarray, y: np.ndarray) -> dict[str, list[float]]:
    first, second = np.triu_indices(task.n_attributes, 1)
    sample = np.linspace(0, len(first) - 1, min(_SAMPLED_PAIRS, len(first))).astype(int)
    columns = np.ascontiguousarray(X.T)

    def bincount() -> None:
        for i, j in zip(first[sample], second[sample], strict=True):
            cells = (columns[i] * task.n_values[j] + columns[j]) * task.n_classes + y
            np.bincount(cells, minlength=task.n_values[i] * task.n_values[j] * task.n_classes)

    seconds = alternate({"ours": ours, "numpy.bincount": bincount})
    seconds["numpy.bincount"] = [s * len(first) / len(sample) for s in seconds["numpy.bincount"]]
    return seconds


def _costs(report: Report) -> None:
    """Nanoseconds per row of an increment and per word of an intersection."""
    from seminaive.kernels import count as kernels

    for v in (2, 4, 8, 16, 32):
        for n_classes in (2, 20):
            task = Task("costs", 50_000 if report.quick else 200_000, (v,) * 6, n_classes)
            X, y = task.make()
            encoder = TableEncoder(categorical_features="all")
            codes = encoder.fit_encode(X)
            tables = empty_tables(encoder.schema_, n_classes, np.int64, pairs=True)
            classes = y.astype(np.uint8)
            per_class = np.bincount(y, minlength=n_classes)
            first_bitmap = np.arange(0, 6 * v + 1, v)
            words = -(-per_class // 64)
            bitmaps = np.empty((6 * v, words.sum()), dtype=np.uint64)
            order = np.argsort(classes, kind="stable").astype(np.uint32)
            pack = partial(
                kernels.pack_bitmaps, codes, order, np.cumsum(per_class), np.arange(6), first_bitmap,
                tables.first_slot, bitmaps, tables.attribute_counts,
            )  # fmt: skip
            scatter = partial(
                kernels.scatter_pairs, codes, classes, tables.pair_tasks, n_classes, tables.pair_counts
            )
            pack()
            intersect = partial(
                kernels.intersect_bitmaps, bitmaps, first_bitmap, np.cumsum(words), tables.attribute_counts,
                tables.first_slot, tables.pair_tasks, tables.pair_counts,
            )  # fmt: skip
            seconds = alternate({"pack": pack, "scatter": scatter, "intersect": intersect}, budget=1.0)
            cells, rows = len(tables.pair_tasks) * (v - 1) ** 2, len(tables.pair_tasks) * task.n_rows
            name = f"{v} values, {n_classes} classes, {task.n_rows:,} rows"
            middle = {what: float(np.median(times)) * 1e9 for what, times in seconds.items()}
            report.value(
                name, "packing a value of an attribute", middle["pack"] / (6 * task.n_rows), "ns/row"
            )
            report.value(name, "increment", middle["scatter"] / rows, "ns/row")
            report.value(name, "intersection", middle["intersect"] / (cells * words.sum()), "ns/word")
            pair = {what: middle[what] / 1e3 / len(tables.pair_tasks) for what in ("intersect", "scatter")}
            what = "a pair by bitmaps, by increments"
            report.value(name, what, pair["intersect"], "us", "increments", pair["scatter"])
