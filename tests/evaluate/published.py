"""The papers' printed tables, which are not part of the repository; looked for as `tests/papers` does."""

import csv
import os
from pathlib import Path

import pytest

from seminaive.evaluate.pairs import Record
from seminaive.evaluate.results_table import results_table

SHARED = Path(os.environ.get("SEMINAIVE_SHARED") or Path(__file__).parents[2].parent / "shared")
TABLES = SHARED / "papers" / "tables"
ALIASES = {"NB-FSS": "SNB-FSS"}  # the paper of 2019 calls one classifier by two names

needs_tables = pytest.mark.skipif(
    not TABLES.is_dir(),
    reason=f"no tables of the papers at {SHARED}: set SEMINAIVE_SHARED to the directory of papers/",
)


def _cells(name):
    with (TABLES / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def published(paper, measure, classifiers=None):
    """A table of values by data set and classifier."""
    (_, *names), *rows = _cells(f"{paper}_{measure}")
    columns = {name: [float(row[i]) for row in rows] for i, name in enumerate(names, start=1)}
    table = results_table(
        columns,
        data_sets=[row[0] for row in rows],
        measure=measure,
        greater_is_better=measure == "mcc",
    )
    return table.select(classifiers)


def published_records(paper, measure):
    """The printed wins, draws and losses of row against column."""
    (_, *names), *rows = _cells(f"{paper}_wdl_{measure}")
    return {
        (ALIASES.get(row[0], row[0]), ALIASES.get(name, name)): Record(*map(int, cell.split("/")))
        for row in rows
        for name, cell in zip(names, row[1:], strict=True)
        if cell
    }
