"""Discretising one column of numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.preprocessing import KBinsDiscretizer

from benchmarks.harness import Report, alternate
from benchmarks.tasks import numeric_column
from seminaive import EqualFrequencyDiscretizer, EqualWidthDiscretizer, MDLPDiscretizer


def run(report: Report) -> None:
    report.layer("discretize")
    n_rows = 100_000 if report.quick else 1_000_000
    slowest = 0.0
    for n_classes in (2, 7, 26):
        continuous, y = numeric_column(n_rows, n_classes)
        for name, column in (
            ("continuous", continuous),
            ("two decimals", continuous.round(2)),
            ("integers", (continuous * 1000).astype(np.int64)),
            ("noise", np.random.default_rng(0).random(n_rows)),
        ):
            X = column.reshape(-1, 1)
            seconds = alternate({"ours": partial(MDLPDiscretizer().fit, X, y)})
            task = f"{n_rows:,} values, {name}, {n_classes} classes"
            report.seconds(task, "MDLP fit", seconds)
            slowest = max(slowest, float(np.median(seconds["ours"])))
    report.goal(f"MDLP of {n_rows:,} values (slowest kind)", "< 1 s", f"{slowest:.2f} s", slowest < 1)

    X = numeric_column(n_rows, 2)[0].reshape(-1, 1)
    binned: list[tuple[str, Any, str]] = [
        ("equal frequency", EqualFrequencyDiscretizer(), "quantile"),
        ("equal width", EqualWidthDiscretizer(), "uniform"),
    ]
    for name, ours, strategy in binned:
        n_bins = ours.get_params().get("n_bins", 5)
        peer = KBinsDiscretizer(
            n_bins=n_bins if isinstance(n_bins, int) else 5,
            encode="ordinal",
            strategy=strategy,
            subsample=None,
        )
        task = f"{n_rows:,} values"
        functions = {
            "ours": partial(ours.fit_transform, X),
            "KBinsDiscretizer": partial(peer.fit_transform, X),
        }
        report.seconds(task, f"{name}, fit_transform", alternate(functions))
