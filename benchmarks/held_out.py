"""Losses on the development and held-out data sets: ours, forests, boosting and logistic regression.

``python -m benchmarks.held_out --sets held-out --store held_out.csv`` scores what the store lacks, and with
``--table`` prints what it holds. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import ast
import csv
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, reduce
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from threadpoolctl import threadpool_limits

import seminaive
from seminaive.evaluate.metrics import align_probabilities, all_losses
from seminaive.evaluate.pairs import sign_tests
from seminaive.evaluate.ranks import average_ranks
from seminaive.evaluate.results_table import ResultsTable
from seminaive.evaluate.views import TextTable

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("SEMINAIVE_SHARED") or ROOT.parent / "shared") / "data"

DEVELOPMENT = """
    promoters audiology primary-tumor soybean led splice phoneme nursery teaching-ae autos heart-disease-c
    cylinder-bands anneal german hypo thyroid iris glass musk1 breast-cancer-w yeast spambase page-blocks
    satellite magic
"""
HELD_OUT = """
    lymphography breast-cancer monks-2 tic-tac-toe car kr-vs-kp mushroom zoo hepatitis hungarian
    dermatology credit-a vowel contraceptive-mc abalone covtype-20k wine ionosphere balance-scale vehicle
    segment waveform-5000 optdigits pendigits letter-recog
"""
LISTS = {"development": DEVELOPMENT.split(), "held-out": HELD_OUT.split()}
LEAST_OF_A_CLASS = 5
N_FOLDS = 5
LARGE, FOLDS_OF_LARGE = 8_000, 2
SMALLEST_PROBABILITY = 1e-6
MEASURES = {
    "log_loss": "log loss",
    "rmse": "RMSE",
    "brier_root": "Brier root",
    "zero_one_loss": "zero-one loss",
}


class Cell(NamedTuple):
    """What a method did on a fold: one line of the store."""

    data_set: str
    fold: int
    method: str
    n_train: int
    n_test: int
    log_loss: float
    rmse: float
    brier_root: float
    zero_one_loss: float
    fit_seconds: float
    predict_seconds: float


# --- data


@cache
def schema() -> dict[str, Any]:
    """Description of every data set by name."""
    path = DATA / "schema.json"
    if not path.is_file():
        sys.exit(f"there is no {path}: set SEMINAIVE_SHARED to the directory that holds data/schema.json")
    return json.loads(path.read_text(encoding="utf-8"))


def n_scored(data_set: str) -> int:
    """How many folds count."""
    sizes = schema()[data_set]["class"]["values"].values()
    n_rows = sum(size for size in sizes if size >= LEAST_OF_A_CLASS)
    return FOLDS_OF_LARGE if n_rows > LARGE else N_FOLDS


@lru_cache(maxsize=1)
def load(data_set: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Raw columns, numbers as floats and all others as text, without the rows of rare classes."""
    description = schema()[data_set]
    numeric = {column["name"]: column["kind"] == "numeric" for column in description["attributes"]}
    table = pd.read_csv(
        DATA / description["file"],
        dtype={**{name: float if number else str for name, number in numeric.items()}, "class": str},
        keep_default_na=False,
        na_values=[""],
    )
    common = table.groupby("class")["class"].transform("size") >= LEAST_OF_A_CLASS
    table = table[common].reset_index(drop=True)
    return table[list(numeric)], table["class"].to_numpy(dtype=object)


# --- methods


class AsCategories(TransformerMixin, BaseEstimator):
    """Text as pandas categories, those of the training rows; what is missing or new is missing.

    Of more than `most` categories the most frequent ones are kept. A column without any value is left out:
    scikit-learn's boosting fails on it.
    """

    def __init__(self, most: int | None = None) -> None:
        self.most = most

    def fit(self, X: pd.DataFrame, y: Any = None) -> AsCategories:
        self.columns_ = X.columns[X.notna().any()]
        self.categories_ = {}
        for name, column in X[self.columns_].select_dtypes(exclude="number").items():
            kept = column.value_counts().index[: self.most]
            self.categories_[name] = pd.Index([value for value in column.dropna().unique() if value in kept])
        return self

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        columns = {
            name: pd.Categorical.from_codes(categories.get_indexer(X[name]), categories)
            for name, categories in self.categories_.items()
        }
        # LightGBM refuses some characters in names
        names = [f"x{i}" for i in range(len(self.columns_))]
        return X[self.columns_].assign(**columns).set_axis(names, axis=1)


def _encoded(numeric: Any, classifier: Any) -> Any:
    """One column for each category, missing being one of them; numbers as `numeric` makes them."""
    categories = OneHotEncoder(handle_unknown="ignore", sparse_output=False, dtype=np.float32)
    columns = make_column_transformer(
        (numeric, make_column_selector(dtype_include="number")),
        (categories, make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(columns, classifier)


def _forest(min_samples_leaf: int) -> Any:
    # a forest splits on missing numbers itself
    return _encoded(
        "passthrough", RandomForestClassifier(300, min_samples_leaf=min_samples_leaf, random_state=0)
    )


def _logistic() -> Any:
    imputed = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    return _encoded(make_pipeline(imputed, StandardScaler()), LogisticRegression(max_iter=5_000))


def _lightgbm() -> Any:
    from lightgbm import LGBMClassifier

    return make_pipeline(AsCategories(), LGBMClassifier(random_state=0, n_jobs=1, verbose=-1))


def _hist_gradient_boosting() -> Any:
    boosting = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0)
    return make_pipeline(AsCategories(most=boosting.max_bins), boosting)


PEERS: dict[str, Callable[[], Any]] = {
    "RandomForest-1": lambda: _forest(1),
    "RandomForest-3": lambda: _forest(3),
    "LightGBM": _lightgbm,
    "HistGradientBoosting": _hist_gradient_boosting,
    "LogisticRegression": _logistic,
}


def make(method: str) -> Any:
    """A peer, or a classifier of seminaive: "AODE", "KDB(k=3)", "AveragedNetworks.fast()"."""
    if method in PEERS:
        return PEERS[method]()
    try:
        expression = ast.parse(method, mode="eval").body
        keywords = expression.keywords if isinstance(expression, ast.Call) else []
        name = ast.unparse(expression.func if isinstance(expression, ast.Call) else expression)
        options = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in keywords}
        model = reduce(getattr, name.split("."), seminaive)(**options)
    except (AttributeError, SyntaxError, TypeError, ValueError) as error:
        peers = ", ".join(PEERS)
        sys.exit(f"{method!r} is neither a classifier of seminaive ({error}) nor one of {peers}")
    if model.get_params().get("random_state", 0) is None:
        model.set_params(random_state=0)
    return model


@cache
def _warm_up(method: str) -> None:
    """Imports, and reads or makes compiled code, before anything is timed."""
    X = pd.DataFrame({"a": ["x", "y"] * 30, "b": ["x", "x", "y"] * 20, "c": np.arange(60.0)})
    y = np.array(["u", "v", "v", "u", "w"] * 12, dtype=object)
    make(method).fit(X, y).predict_proba(X)


# --- scoring


def score(data_set: str, fold: int, method: str) -> Cell | str:
    """Fit and score, or say what went wrong."""
    X, y = load(data_set)
    train, test = list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(y, y))[fold]
    try:
        with threadpool_limits(1):
            _warm_up(method)
            model = make(method)
            begin = perf_counter()
            model.fit(X.iloc[train], y[train])
            fitted = perf_counter()
            raw = model.predict_proba(X.iloc[test])
            end = perf_counter()
    except Exception as error:  # the other cells go on; this one is reported and not stored
        return f"{data_set}, fold {fold}, {method}: {type(error).__name__}: {error}"
    classes = np.unique(y)
    losses = losses_of(align_probabilities(raw, model.classes_, classes), y[test], classes)
    return Cell(data_set, fold, method, len(train), len(test), *losses, fitted - begin, end - fitted)


def losses_of(probabilities: np.ndarray, y: np.ndarray, classes: np.ndarray) -> tuple[float, ...]:
    """Losses in the order of `MEASURES`."""
    predicted = classes[probabilities.argmax(axis=1)]
    clipped = probabilities.clip(SMALLEST_PROBABILITY)
    clipped /= clipped.sum(axis=1, keepdims=True)
    losses = all_losses(y, predicted, clipped, labels=classes)
    brier_root = np.sqrt(losses["brier_score"] / len(classes))
    return losses["log_loss"], losses["rmse"], float(brier_root), losses["zero_one_loss"]


def run(store: Path, data_sets: Iterable[str], methods: list[str], n_jobs: int) -> bool:
    """Score what the store lacks; False if something went wrong."""
    if not store.is_file():
        store.write_text(",".join(Cell._fields) + "\n", encoding="utf-8")
    stored = read(store)
    done = set(zip(stored.data_set, stored.fold, stored.method, strict=True))
    wanted = [
        (name, fold, method) for name in data_sets for fold in range(n_scored(name)) for method in methods
    ]
    todo = [cell for cell in wanted if cell not in done]
    for method in methods:
        make(method)  # a wrong name is reported at once
    print(f"{len(wanted)} cells, of which {len(wanted) - len(todo)} are in the store", flush=True)
    cells = Parallel(n_jobs, return_as="generator_unordered", batch_size=1)(
        delayed(score)(*cell) for cell in todo
    )
    failed = 0
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, str):
            failed += 1
            print(f"FAILED {cell}", file=sys.stderr, flush=True)
            continue
        with store.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow(cell)
        print(
            f"{number}/{len(todo)} {cell.data_set}, fold {cell.fold}, {cell.method}: "
            f"log loss {cell.log_loss:.4f}, {cell.fit_seconds:.2f} s + {cell.predict_seconds:.2f} s",
            flush=True,
        )
    return not failed


def read(store: Path) -> pd.DataFrame:
    """All stored cells."""
    if not store.is_file():
        sys.exit(f"there is no store {store}")
    cells = pd.read_csv(store)
    if tuple(cells.columns) != Cell._fields:
        sys.exit(f"{store} is no store of this program: its columns are {', '.join(cells.columns)}")
    return cells


# --- tables


def by_set(cells: pd.DataFrame, data_sets: list[str], methods: list[str]) -> dict[str, ResultsTable]:
    """Each measure by data set and method; a set of which a fold is lacking has no value.

    Losses are means over the test rows of all folds, roots are taken of means of squares.
    """
    cells = cells[cells.data_set.isin([name for name in data_sets if name in schema()])]
    tables = {}
    for measure, title in MEASURES.items():
        power = 2 if measure in ("rmse", "brier_root") else 1
        sums = cells.assign(total=cells[measure] ** power * cells.n_test).groupby(["data_set", "method"])
        values = (sums["total"].sum() / sums["n_test"].sum()) ** (1 / power)
        lacking = [key for key, n in sums.size().items() if n < n_scored(key[0])]
        values.loc[lacking] = np.nan
        wide = values.unstack().reindex(index=data_sets, columns=methods)
        tables[measure] = ResultsTable(title, tuple(data_sets), tuple(methods), wide.to_numpy(dtype=float))
    return tables


def print_tables(cells: pd.DataFrame, data_sets: list[str], methods: list[str], chosen: str) -> None:
    """Losses by set, means and average ranks, and the chosen method against each other one."""
    results = by_set(cells, data_sets, methods)
    absent = [name for name in data_sets if name not in schema()]
    for result in results.values():
        print(f"{result}\n")
    if absent:
        print(f"Absent from {DATA}: {', '.join(absent)}.\n")
    whole = results["log_loss"].complete_names()
    if not whole:
        print("No data set has been scored by all of these methods.")
        return

    header, columns = ["method"], [list(methods)]
    for result in results.values():
        header += [result.measure, "rank"]
        columns += [result.complete().values.mean(axis=0).tolist(), list(average_ranks(result).mean.values())]
    seconds = cells[cells.data_set.isin(whole)].groupby("method")[["fit_seconds", "predict_seconds"]].mean()
    header += ["fit s", "predict s"]
    columns += seconds.reindex(methods).to_numpy().T.tolist()
    formats = dict.fromkeys(["rank", "fit s", "predict s"], ".2f")
    title = f"Means over {len(whole)} of {len(data_sets)} data sets, and average ranks"
    notes = ["Seconds are means over folds, in one thread."]
    print(TextTable(title, header, list(zip(*columns, strict=True)), formats, notes))

    tests = {result.measure: sign_tests(result.complete()) for result in results.values()}
    rows = []
    for other in methods:
        if other != chosen:
            pairs = [test[chosen, other] for test in tests.values()]
            rows.append([other, *(f"{t.better}/{t.equal}/{t.worse} p={t.p_value:.3g}" for t in pairs)])
    title = f"{chosen}: wins/ties/losses against each other method, with the p-value of a two-sided sign test"
    print(f"\n{TextTable(title, ['against', *tests], rows)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.held_out", description=__doc__.partition(":")[0]
    )
    parser.add_argument(
        "--sets", nargs="+", default=["held-out"], metavar="NAME", help="development, held-out, or data sets"
    )
    parser.add_argument(
        "--methods",
        nargs="+",
        metavar="NAME",
        help=f"classifiers of seminaive, or {', '.join(PEERS)} (default)",
    )
    parser.add_argument("--store", type=Path, required=True, metavar="FILE", help="CSV of results; it grows")
    parser.add_argument("--n-jobs", type=int, choices=(1, 2), default=1, help="cells scored at a time (1)")
    parser.add_argument("--table", action="store_true", help="print what the store holds instead of scoring")
    parser.add_argument("--chosen", metavar="NAME", help="method compared with each other one (the first)")
    options = parser.parse_args()

    data_sets = [name for each in options.sets for name in LISTS.get(each, [each])]
    present = [name for name in data_sets if name in schema()]
    if options.table:
        cells = read(options.store)
        methods = options.methods or list(dict.fromkeys(cells.method))
        if not methods:
            sys.exit(f"there are no results in {options.store}")
        chosen = options.chosen or methods[0]
        if chosen not in methods:
            sys.exit(f"the chosen method {chosen!r} is none of {', '.join(methods)}")
        print_tables(cells, data_sets, methods, chosen)
        return
    if len(present) < len(data_sets):
        print(f"absent from {DATA}: {', '.join(sorted(set(data_sets) - set(present)))}")
    if not run(options.store, present, options.methods or list(PEERS), options.n_jobs):
        sys.exit(1)


if __name__ == "__main__":
    # as a module with a name, which other processes can import
    importlib.import_module("benchmarks.held_out").main()
