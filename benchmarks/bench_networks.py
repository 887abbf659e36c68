"""AveragedNetworks and its fast preset beside forests and boosting, on a table of numbers and categories."""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from benchmarks.harness import Report, alternate, run_python
from seminaive import AveragedNetworks

_ROWS, _COLUMNS, _TEST_ROWS = 20_000, 20, 5_000
_MOST_SECONDS = {"accurate": 10.0, "fast": 2.0}
_LEAST_ROWS = {"accurate": 5_000, "fast": 20_000}  # a second, on one core
_MEMORY = """
import json
from pathlib import Path
import numpy as np
from seminaive import AveragedNetworks

def resident(key):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))

rng = np.random.default_rng(0)
y = rng.integers(0, 26, 20_000)
X = np.clip(np.rint(rng.normal(y[:, None] % np.arange(3, 19), 2)), 0, 15)
AveragedNetworks(random_state=0).fit(X[:200], y[:200])
before = resident("VmRSS")
AveragedNetworks(random_state=0, n_jobs=2).fit(X, y).predict_proba(X[:1000])
print(json.dumps((resident("VmHWM") - before) / 1e9))
"""


def table(n_rows: int, n_classes: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Twenty numeric columns, some of which go together, and twenty of six categories."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_rows)
    columns: dict[str, Any] = {}
    for j in range(_COLUMNS):
        shift = (0.4 if j % 2 else 0.15) * (1 if j % 3 else -1)
        columns[f"n{j}"] = rng.normal(size=n_rows) + shift * y
        if j and j % 4 == 0:
            columns[f"n{j}"] += columns[f"n{j - 1}"] / 2
    for j in range(_COLUMNS):
        codes = np.where(rng.random(n_rows) < 0.2, (y + j) % 6, rng.integers(0, 6, n_rows))
        columns[f"c{j}"] = pd.Categorical.from_codes(codes, categories=list("abcdef"))
    return pd.DataFrame(columns), y


def peers() -> dict[str, Any]:
    """Forests and boosting with both cores, categories as each takes them."""
    one_hot = make_column_transformer(
        (OneHotEncoder(sparse_output=False), make_column_selector(dtype_include="category")),
        remainder="passthrough",
    )
    forest = RandomForestClassifier(300, n_jobs=2, random_state=0)
    models = {
        "RandomForest(300)": make_pipeline(one_hot, forest),
        "HistGradientBoosting": HistGradientBoostingClassifier(
            categorical_features="from_dtype", random_state=0
        ),
    }
    if importlib.util.find_spec("lightgbm"):
        from lightgbm import LGBMClassifier

        models["LightGBM"] = LGBMClassifier(n_jobs=2, random_state=0, verbose=-1)
    return models


def run(report: Report) -> None:
    report.layer("networks")
    if not importlib.util.find_spec("lightgbm"):
        report.note("LightGBM skipped: it is not installed")
    n_rows = 5_000 if report.quick else _ROWS
    for n_classes in (2, 5):
        X, y = table(n_rows, n_classes, seed=0)
        new, labels = table(_TEST_ROWS, n_classes, seed=1)
        task = f"{n_rows:,} x 20 numbers and 20 categories, {n_classes} classes"
        ours = {
            "accurate": AveragedNetworks(random_state=0, n_jobs=2),
            "fast": AveragedNetworks.fast(random_state=0, n_jobs=2),
        }
        models = {**ours, **peers()}
        models["accurate"].fit(X[:300], y[:300]).predict_proba(new[:10])  # compiles
        seconds = alternate({name: partial(m.fit, X, y) for name, m in models.items()}, budget=1, most=3)
        for name, model in models.items():
            report.seconds(task, f"fit, {name}", {"ours": seconds[name]})
            if name in ours:
                model.set_params(n_jobs=1)
        predict = alternate(
            {name: partial(m.predict_proba, new) for name, m in models.items()}, budget=1, most=5
        )
        for name, model in models.items():
            proba = model.predict_proba(new)
            loss = -np.log(np.maximum(proba[np.arange(len(labels)), labels], 1e-6)).mean()
            report.value(task, f"rows/s, {name}", _TEST_ROWS / min(predict[name]), "")
            report.value(task, f"log loss, {name}", float(loss), "")
            if name in ours and not report.quick:
                best, rate = min(seconds[name]), _TEST_ROWS / min(predict[name])
                limit, least = _MOST_SECONDS[name], _LEAST_ROWS[name]
                report.goal(
                    f"AveragedNetworks, {name}: fit, {n_classes} classes",
                    f"<= {limit:g} s",
                    f"{best:.2f} s",
                    best <= limit,
                )
                report.goal(
                    f"AveragedNetworks, {name}: rows/s on one core, {n_classes} classes",
                    f">= {least:,}",
                    f"{rate:,.0f}",
                    rate >= least,
                )
    if Path("/proc/self/status").exists():
        used = run_python(_MEMORY)
        report.value("20,000 x 16 integers, 26 classes", "AveragedNetworks, peak memory", used, "GB")
        report.goal(
            "memory of AveragedNetworks on a table like letter-recog", "< 2 GB", f"{used:.2f} GB", used < 2
        )
