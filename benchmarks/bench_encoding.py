"""Encoding, against OrdinalEncoder; and naive Bayes end to end from a frame of strings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from benchmarks.harness import Report, alternate
from benchmarks.tasks import TASKS, string_frame
from seminaive import NaiveBayes, TableEncoder


def run(report: Report) -> None:
    report.layer("encoding")
    task = TASKS["small" if report.quick else "covtype-like"]
    X, _ = task.make()
    for dtype in (np.int64, np.int8, np.float64):
        table = X.astype(dtype)
        encoder, peer = TableEncoder(categorical_features="all").fit(table), OrdinalEncoder().fit(table)
        name = f"{task} {np.dtype(dtype)}"
        fits = {
            "ours": partial(encoder.fit_encode, table),
            "OrdinalEncoder": partial(peer.fit_transform, table),
        }
        report.seconds(name, "fit and encode", alternate(fits))
        encodings = {"ours": partial(encoder.encode, table), "OrdinalEncoder": partial(peer.transform, table)}
        report.seconds(name, "encode", alternate(encodings))

    n_rows = 10_000 if report.quick else 100_000
    columns, y = string_frame(n_rows)
    ratios = {}
    for kind, frame in _frames(report, columns):
        name = f"{kind}, {n_rows:,} x {len(columns)}"
        encoder = TableEncoder()
        functions: dict[str, Callable[[], Any]] = {"ours": partial(encoder.fit_encode, frame)}
        if not kind.startswith("pyarrow"):
            functions["OrdinalEncoder"] = partial(OrdinalEncoder().fit_transform, frame)
        report.seconds(name, "fit and encode", alternate(functions))
        ours = NaiveBayes()
        functions = {"ours": lambda ours=ours, frame=frame: ours.fit(frame, y).predict_proba(frame)}
        if not kind.startswith("pyarrow"):
            peer = make_pipeline(OrdinalEncoder(dtype=np.int64), CategoricalNB())
            functions["OrdinalEncoder + CategoricalNB"] = lambda peer=peer, frame=frame: peer.fit(
                frame, y
            ).predict_proba(frame)
        found = report.seconds(name, "NB, fit + predict_proba", alternate(functions))
        if kind.startswith("pandas") and "category" not in kind:
            ratios[kind] = found["OrdinalEncoder + CategoricalNB"]
    report.ratio_goal(
        f"NB end to end from a pandas frame of strings, {n_rows:,} x 20 / OrdinalEncoder + CategoricalNB",
        2,
        ratios,
    )


def _frames(report: Report, columns: dict[str, np.ndarray]) -> list[tuple[str, Any]]:
    """The same strings in the frames that are installed."""
    frames: list[tuple[str, Any]] = []
    try:
        import pandas as pd

        # the second form is what reading a file gives: pandas chooses its own type of string
        objects = pd.DataFrame(columns, dtype=object)
        frames += [("pandas object", objects), ("pandas str", objects.astype("str"))]
        frames += [("pandas category", objects.astype("category"))]
    except ImportError:
        report.note("pandas skipped: not installed")
    try:
        import polars as pl

        frames.append(("polars String", pl.DataFrame({name: list(v) for name, v in columns.items()})))
    except ImportError:
        report.note("polars skipped: not installed")
    import pyarrow as pa

    frames.append(("pyarrow string", pa.table({name: pa.array(v) for name, v in columns.items()})))
    return frames
