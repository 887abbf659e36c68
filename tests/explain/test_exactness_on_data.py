"""Contributions add up for every classifier and every row of real tables, with missing and unseen values."""

from __future__ import annotations

import csv
import gzip
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from repeatable import repeatable
from seminaive import all_classifiers

SHARED = Path(os.environ.get("SEMINAIVE_SHARED") or Path(__file__).parents[2].parent / "shared")
DATA = SHARED / "data"
pytestmark = [
    pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning"),
    pytest.mark.skipif(
        not (DATA / "schema.json").is_file(),
        reason=f"no tables at {DATA}: set SEMINAIVE_SHARED to the directory of data/",
    ),
]
OWN = {"PersonalizedKDB": {"redundancy_ratio": 0.05}, "OptimizedKDB": {"redundancy_ratio": 0.05}}
SLOW_TO_FIT = ("SelectiveNaiveBayes", "AdaptiveKDB", "SelectiveKDB")


def load(name):
    """A table, every tenth row with strange values, and its classes."""
    kinds = {a["name"]: a["kind"] for a in json.loads((DATA / "schema.json").read_text())[name]["attributes"]}
    with gzip.open(DATA / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        columns = next(csv.reader(file))
    text = pd.read_csv(
        DATA / f"{name}.csv.gz", dtype=str, keep_default_na=False, na_values=[""], usecols=columns
    )
    y = text.pop("class").to_numpy()
    X = pd.DataFrame(
        {c: text[c].astype(float) if kinds[c] == "numeric" else text[c].astype(object) for c in text}
    )
    strange = X.copy()
    for number, column in enumerate(c for c in X if kinds[c] != "numeric"):
        strange.loc[number % 10 :: 10, column] = "never seen"
    for number, column in enumerate(c for c in X if kinds[c] == "numeric"):
        strange.loc[number % 10 :: 10, column] = np.nan
    return X, y, strange


def check(name, table, n_train=None):
    X, y, strange = load(table)
    model = repeatable(name)(**OWN.get(name, {})).fit(X[:n_train], y[:n_train])
    for rows in (X, strange):
        found, logs = model.explain(rows), model.predict_log_proba(rows)
        assert np.isfinite(found.contributions).all()
        first, second = np.take_along_axis(logs, found.pairs, axis=1).T
        total = found.prior + found.contributions.sum(axis=1)
        np.testing.assert_allclose(total, first - second, rtol=0, atol=1e-10)
        # some other pair in every row
        pairs = (found.pairs + np.arange(len(logs))[:, None] * [1, 3]) % len(model.classes_)
        prior, contributions = found.split_between(pairs)
        first, second = np.take_along_axis(logs, pairs, axis=1).T
        np.testing.assert_allclose(prior + contributions.sum(axis=1), first - second, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", ["NaiveBayes", "TAN", "AODE", "AnDE", "WAODE", "LocalKDB", "AveragedKDB"])
@pytest.mark.parametrize("table", ["hepatitis", "zoo"])
def test_small_tables(name, table):
    check(name, table)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(all_classifiers()))
@pytest.mark.parametrize("table", ["hypothyroid", "soybean-large", "letter-recog"])
def test_every_row(name, table):
    check(name, table, 2000 if name in SLOW_TO_FIT else None)
