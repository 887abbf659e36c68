"""Tables and error counts of the published experiments, read as the papers' program read them.

The data are not part of the repository. They are looked for in the directory that the environment variable
SEMINAIVE_SHARED names, else in `shared` beside the repository.
"""

import csv
import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from seminaive import MDLPDiscretizer
from seminaive.evaluate.resampling import PaperKFold

SHARED = Path(os.environ.get("SEMINAIVE_SHARED") or Path(__file__).parents[2].parent / "shared")
READING = SHARED / "data" / "paper-reading" / "reading.json"
CELLS = SHARED / "papers" / "reproducible_cells.csv"
MISSING_DATA = (
    f"no data of the papers at {SHARED}: set SEMINAIVE_SHARED to the directory of data/ and papers/"
)
MISSING = "(missing)"


@dataclass(frozen=True)
class PaperTable:
    """One data set: X has the categorical columns first, then the numeric ones, each in file order."""

    X: pd.DataFrame
    y: np.ndarray
    classes: list[str]
    numeric: list[str]

    @property
    def categories(self):
        """Declared values of the categorical columns, a missing one not among them."""
        return {name: list(self.X[name].cat.categories) for name in self.X if name not in self.numeric}


@dataclass(frozen=True)
class CodedFold:
    """A training and a test part without numbers and gaps; the dtypes declare every value of the domain."""

    X_train: pd.DataFrame
    y_train: np.ndarray
    X_test: pd.DataFrame
    y_test: np.ndarray


def available():
    return READING.is_file() and CELLS.is_file()


@cache
def reading():
    return json.loads(READING.read_text(encoding="utf-8"))


def published_counts(columns):
    """Errors and number of rows of the published cells: {(data set, classifier): {(errors, rows), ...}}.

    `columns` maps the names of the papers' columns to those of the classifiers.
    """
    counts = {}
    with CELLS.open(newline="", encoding="utf-8") as file:
        for cell in csv.DictReader(file):
            if cell["classifier"] in columns:
                key = cell["data"], columns[cell["classifier"]]
                counts.setdefault(key, set()).add((int(cell["errors"]), int(cell["rows"])))
    return counts


def load(name):
    """Read a data set; an empty field is missing."""
    source = reading()[name]
    text = pd.read_csv(SHARED / "data" / source["file"], dtype=str, keep_default_na=False, na_values=[""])
    assert len(text) == source["n_rows"]
    columns, numeric = {}, {}
    for attribute in source["attributes"]:
        column = text[attribute["name"]]
        if attribute["kind"] == "numeric":
            numeric[attribute["name"]] = column.astype(float)
        else:
            assert set(column.dropna()) <= set(attribute["values"])
            columns[attribute["name"]] = pd.Categorical(column, categories=attribute["values"])
    y = text["class"].to_numpy(dtype=object)
    assert set(y) <= set(source["classes"])
    return PaperTable(pd.DataFrame({**columns, **numeric}), y, source["classes"], list(numeric))


def coded_folds(table):
    """Yield the ten parts of the papers' cross-validation, coded.

    The numeric columns are discretised on the training part. Missing is a value of its own, the last one,
    of every column in which any row of the whole table misses a value.
    """
    coded = {
        name: _with_missing(column, column.cat.categories)
        for name, column in table.X.items()
        if name not in table.numeric
    }
    # classes without a row count in the papers' stopping rule, so the cuts are asked for with their number
    binner = MDLPDiscretizer(keep_two_valued=False, root_classes="declared", min_split=3)
    y_codes = np.array([table.classes.index(label) for label in table.y])
    for train, test in PaperKFold().split(table.X):
        for name in table.numeric:
            column = table.X[name].to_numpy()
            seen = train[~np.isnan(column[train])]
            cuts = binner.cut_points(column[seen], y_codes[seen], n_classes=len(table.classes))
            bins = np.where(np.isnan(column), -1, np.searchsorted(cuts, column))
            labels = [f"bin {number}" for number in range(len(cuts) + 1)]
            coded[name] = _with_missing(pd.Series(pd.Categorical.from_codes(bins, labels)), labels)
        frame = pd.DataFrame(coded)
        yield CodedFold(frame.iloc[train], table.y[train], frame.iloc[test], table.y[test])


def _with_missing(column, values):
    if not column.isna().any():
        return column
    return column.cat.set_categories([*values, MISSING]).fillna(MISSING)
