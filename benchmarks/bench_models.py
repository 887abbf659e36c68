"""Model files beside pickles: size, saving, loading."""

from __future__ import annotations

import pickle
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.harness import Report, alternate
from seminaive import AODE, AWODE, IBWAODE, KDB, LocalKDB, load


def run(report: Report) -> None:
    report.layer("models")
    n_columns = 20 if report.quick else 72
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 50, (20_000, n_columns)), rng.integers(0, 2, 20_000)
    task = f"20,000 x {n_columns}, 50 values, 2 classes"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.model"
        for kind in (AODE, AWODE, IBWAODE, LocalKDB, KDB):
            model = kind(categorical_features="all").fit(X, y)
            model.save(path)
            name, size = kind.__name__, path.stat().st_size
            pickled = pickle.dumps(model, protocol=5)
            report.value(task, f"{name}: file", size / 1e6, "MB", "pickle", len(pickled) / 1e6)
            tasks = {"load": partial(load, path), "unpickle": partial(pickle.loads, pickled)}
            seconds = {key: float(np.median(times)) for key, times in alternate(tasks, most=7).items()}
            report.value(task, f"{name}: load", seconds["load"], "s", "unpickle", seconds["unpickle"])
            if kind in (AODE, IBWAODE) and not report.quick:  # IBWAODE learns most in loading
                measured = f"{seconds['load']:.2f} s for {size / 1e6:.0f} MB"
                report.goal(f"{name}, load 100 MB", "<= 1 s", measured, seconds["load"] <= 1)
