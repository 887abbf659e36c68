"""Many classifiers on many data sets and splits: parallel, and resumed where it stopped.

A data set is anything with a ``name``, ``n_rows``, ``n_attributes``, ``fingerprint()`` and ``load()``; what
it loads has ``classes``, ``codes`` (the class of each row, as a position in ``classes``) and
``part(train, test)``, a `TrainingTable` and the test rows. `TableData` is one for tables in memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

import joblib
import numpy as np
import psutil
from sklearn.exceptions import ConvergenceWarning

import seminaive
from seminaive.classifiers.base import BayesianNetworkClassifier
from seminaive.classifiers.training_table import TrainingTable
from seminaive.data.target import encode_target
from seminaive.evaluate import metrics
from seminaive.evaluate.compare import row_taker
from seminaive.evaluate.results_table import ResultsTable
from seminaive.evaluate.store import CellRecord, ResultStore, newest, pack_codes
from seminaive.evaluate.views import TextTable
from seminaive.exceptions import ImpossibleEvidenceWarning, UnseenValueWarning

__all__ = [
    "BIAS_VARIANCE",
    "CROSS_VALIDATION",
    "MEASURES",
    "DataSet",
    "Experiment",
    "ExperimentResults",
    "LoadedData",
    "TableData",
    "run_experiment",
]

CROSS_VALIDATION = "cross-validation"
BIAS_VARIANCE = "bias-variance"
MEASURES = {
    "zero_one_loss": "zero-one loss",
    "log_loss": "log loss",
    "rmse": "RMSE",
    "brier_score": "Brier score",
    "mcc": "MCC",
    "auc": "AUC",
    "calibration_error": "calibration error",
    "bias": "bias",
    "variance": "variance",
    "fit_seconds": "seconds to fit",
    "predict_seconds": "seconds to predict",
    "peak_bytes": "peak bytes",
}
"""Every measure of a table of results, and how it is written."""
GREATER_IS_BETTER = {"mcc", "auc"}
SAMPLE_SECONDS = 0.01  # between two looks at the memory
WARM_UP_ROWS = 100


class LoadedData(Protocol):
    """The rows of a data set, ready to be split."""

    @property
    def classes(self) -> Any:
        """All classes, an array-like."""

    @property
    def codes(self) -> np.ndarray:
        """Class of each row, as a position in `classes`."""

    def part(self, train: np.ndarray, test: np.ndarray) -> tuple[TrainingTable, Any]:
        """A table to train on and the rows to predict."""


class DataSet(Protocol):
    """Where rows come from; small, since it travels to other processes."""

    @property
    def name(self) -> str:
        """What it is called in tables."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""

    @property
    def n_attributes(self) -> int:
        """Number of columns without the class."""

    def fingerprint(self) -> str:
        """A text that changes when the rows, or the way they are read, do."""

    def load(self) -> LoadedData:
        """Read the rows."""


class TableData:
    """A table in memory as a data set; classifiers read its raw values.

    Parameters
    ----------
    name : str
    X : array-like or data frame of shape (n_rows, n_features)
    y : array-like of shape (n_rows,)
        Class labels.
    reading : mapping of str to object, default={}
        Parameters that say how classifiers of this package read the table, see `TrainingTable`.
    """

    def __init__(self, name: str, X: Any, y: Any, *, reading: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self.reading = dict(reading or {})
        self._X = X
        self._take, self.n_rows = row_taker(X)
        self.n_attributes = int(X.shape[1])
        self.classes, self.codes = encode_target(y, self.n_rows)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_take": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._take, _ = row_taker(self._X)

    def fingerprint(self) -> str:
        """Digest of values, names and classes, and of the way they are read."""
        return str(joblib.hash((self._X, self.classes, self.codes, self.reading)))

    def load(self) -> TableData:
        """Itself."""
        return self

    def part(self, train: np.ndarray, test: np.ndarray) -> tuple[TrainingTable, Any]:
        """A table to train on and the rows to predict."""
        labels = self.classes[self.codes[train]]
        return TrainingTable(self._take(train), labels, reading=self.reading), self._take(test)


@dataclass(frozen=True)
class Experiment:
    """Every classifier on every split of every data set.

    Parameters
    ----------
    data_sets : sequence of DataSet
        With different names.
    classifiers : mapping of str to estimator
        Unfitted scikit-learn classifiers by name. What varies must have a seed (``random_state``).
    splitters : mapping of str to splitter
        scikit-learn splitters by name. From `CROSS_VALIDATION` come the losses, from `BIAS_VARIANCE`, a
        `seminaive.evaluate.resampling.BiasVarianceSplit`, bias and variance. Either may be left out.
    """

    data_sets: Sequence[DataSet]
    classifiers: Mapping[str, Any]
    splitters: Mapping[str, Any]

    def __post_init__(self) -> None:
        names = [data.name for data in self.data_sets]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"more than one data set is called {', '.join(repeated)}")
        if not self.data_sets or not self.classifiers:
            raise ValueError("an experiment needs at least one data set and one classifier")
        strange = set(self.splitters) - {CROSS_VALIDATION, BIAS_VARIANCE}
        if strange or not self.splitters:
            raise ValueError(f"splitters are named {CROSS_VALIDATION!r} or {BIAS_VARIANCE!r}, not {strange}")


@dataclass(frozen=True)
class _Task:
    """What a worker does at a time: some classifiers on one split."""

    data: DataSet
    fingerprint: str
    resampling: str
    splitter: Any
    split: int
    classifiers: Mapping[str, tuple[Any, str]]
    truth: str | None  # cell of the true classes, if they are wanted

    @property
    def cost(self) -> float:
        """Estimate of the time, for the progress."""
        return self.data.n_rows * self.data.n_attributes**1.5 * len(self.classifiers) + 1e4


def run_experiment(
    experiment: Experiment,
    *,
    store: ResultStore | Path | str | None = None,
    n_jobs: int | None = None,
    retry_failed: bool = False,
    progress: Callable[[float, str], object] | None = None,
) -> ExperimentResults:
    """Run the cells of an experiment that are not in the store yet.

    Parameters
    ----------
    experiment : Experiment
    store : ResultStore or path-like, default=None
        Where each cell is written as soon as it is finished; cells that are there already are not run again.
        A cell is known by its data, classifier with all parameters, split and version of this package, so
        several experiments may share a store. None keeps the results in memory only.
    n_jobs : int or None, default=None
        Processes, as joblib understands it; None is one. Results other than times do not depend on it.
    retry_failed : bool, default=False
        Run cells again that failed before.
    progress : callable, default=None
        Called as ``progress(share, what)`` with the share of the estimated work that is done, from 0 to 1.

    Returns
    -------
    ExperimentResults
        A classifier that raises an exception is recorded with its error; the others go on.

    Raises
    ------
    ValueError
        A data set cannot be loaded, or the file is not a store.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import StratifiedKFold
    >>> from seminaive import AODE, NaiveBayes
    >>> X, y = load_iris(return_X_y=True)
    >>> experiment = Experiment(
    ...     [TableData("iris", X, y)],
    ...     {"NB": NaiveBayes(), "AODE": AODE()},
    ...     {CROSS_VALIDATION: StratifiedKFold(5, shuffle=True, random_state=0)},
    ... )
    >>> print(run_experiment(experiment).table("zero_one_loss"))
    zero-one loss
    data set      NB    AODE
    --------  ------  ------
    iris      0.0733  0.0600
    mean      0.0733  0.0600
    """
    if store is not None and not isinstance(store, ResultStore):
        store = ResultStore(store)
    known: dict[str, CellRecord] = {}
    if store is not None:
        store.repair()
        known = newest(store.read())
    wanted: list[tuple[str, str, str]] = []
    tasks: list[_Task] = []
    for task in _tasks(experiment):
        wanted += [(cell, task.data.name, name) for name, (_, cell) in task.classifiers.items()]
        wanted.append((str(task.truth), task.data.name, ""))
        missing = {
            name: (classifier, cell)
            for name, (classifier, cell) in task.classifiers.items()
            if cell not in known or (retry_failed and known[cell].error)
        }
        truth = task.truth if task.truth not in known else None
        if missing or truth:
            tasks.append(
                _Task(task.data, task.fingerprint, task.resampling, task.splitter, task.split, missing, truth)
            )
    tasks.sort(key=lambda task: -task.cost)  # long ones at the end would leave processes idle
    total, done = sum(task.cost for task in tasks), 0.0
    if tasks:
        run = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered", pre_dispatch="2*n_jobs")
        for number, records in run(joblib.delayed(_run)(i, task, store) for i, task in enumerate(tasks)):
            known.update(newest(records))
            done += tasks[number].cost
            if progress is not None:
                progress(done / total, tasks[number].data.name)
    # another experiment may have called the same cell by other names
    records = [
        replace(known[cell], data_set=data, classifier=name) for cell, data, name in wanted if cell in known
    ]
    return ExperimentResults(experiment, records)


def _tasks(experiment: Experiment) -> Iterable[_Task]:
    models = {
        name: _digest(joblib.hash((type(model), model))) for name, model in experiment.classifiers.items()
    }
    splitters = {name: _digest(joblib.hash(splitter)) for name, splitter in experiment.splitters.items()}
    for data in experiment.data_sets:
        fingerprint = data.fingerprint()
        for resampling, splitter in experiment.splitters.items():
            for split in range(splitter.get_n_splits()):
                place = _digest(seminaive.__version__, fingerprint, splitters[resampling], str(split))
                classifiers = {
                    name: (model, _digest(place, models[name]))
                    for name, model in experiment.classifiers.items()
                }
                yield _Task(data, fingerprint, resampling, splitter, split, classifiers, place)


def _digest(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


# ---- in the worker

_loaded: dict[str, tuple[LoadedData, dict[str, list[Any]]]] = {}  # of one data set, the last one
_warm: set[type] = set()  # classifiers whose kernels are compiled or loaded


def _run(number: int, task: _Task, store: ResultStore | None) -> tuple[int, list[CellRecord]]:
    """Run one split and write its records."""
    if task.fingerprint not in _loaded:
        _loaded.clear()
        _loaded[task.fingerprint] = task.data.load(), {}
    data, splits = _loaded[task.fingerprint]
    if task.resampling not in splits:
        placeholder = np.empty((len(data.codes), 0))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a class with fewer rows than folds is no harm
            splits[task.resampling] = list(task.splitter.split(placeholder, data.codes))
    if task.split >= len(splits[task.resampling]):
        return number, []  # a small table may have fewer splits
    train, test = splits[task.resampling][task.split]
    place = (task.data.name, task.resampling, task.split, len(train), len(test))
    records: list[CellRecord] = []

    def keep(record: CellRecord) -> None:
        if store is not None:
            store.append(record)
        records.append(record)

    if task.truth is not None:
        keep(_record(task.truth, "", place, classes=pack_codes(data.codes[test])))
    if not task.classifiers:
        return number, records
    _warm_up(task, data, train, test)
    table, rows = data.part(train, test)
    with _PeakMemory() as memory:
        for name, (classifier, cell) in task.classifiers.items():
            memory.restart()
            try:
                measured = _measure(classifier, table, rows, data.classes, data.codes[test])
            except Exception as error:
                text = " ".join(str(error).split())
                keep(_record(cell, name, place, error=f"{type(error).__name__}: {text}"))
            else:
                keep(_record(cell, name, place, **measured, peak_bytes=memory.growth()))
    return number, records


def _warm_up(task: _Task, data: LoadedData, train: np.ndarray, test: np.ndarray) -> None:
    """Run each kind of classifier once on a few rows, so that compiling does not count as fitting."""
    cold = {type(classifier): classifier for classifier, _ in task.classifiers.values()}
    for kind, classifier in cold.items():
        if kind in _warm or not issubclass(kind, BayesianNetworkClassifier):
            continue
        _warm.add(kind)
        few = train[np.linspace(0, len(train) - 1, min(len(train), WARM_UP_ROWS)).astype(np.int64)]
        with contextlib.suppress(Exception):  # it will fail again where it is recorded
            table, rows = data.part(few, test[:1])
            _measure(classifier, table, rows, data.classes, data.codes[test[:1]])


def _record(cell: str, name: str, place: tuple[str, str, int, int, int], **values: Any) -> CellRecord:
    data_set, resampling, split, n_train, n_test = place
    return CellRecord(cell, data_set, name, resampling, split, n_train, n_test, **values)


def _measure(
    classifier: Any, table: TrainingTable, rows: Any, classes: Sequence[Any], truth: np.ndarray
) -> dict[str, Any]:
    """Fit, predict, and compare with the true codes."""
    labels = np.arange(len(classes))
    with warnings.catch_warnings():
        # usual on test parts, and told once where a model is used
        warnings.simplefilter("ignore", UnseenValueWarning)
        warnings.simplefilter("ignore", ImpossibleEvidenceWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)  # usual in a grid search
        reading = table.reading_seconds(classifier)
        begin = perf_counter()
        model = table.fit(classifier)
        fitted = perf_counter()
        answer = getattr(model, "predict_proba", model.predict)(rows)
        predicted = perf_counter()
        known = _positions(model.classes_, classes)
        if not hasattr(model, "predict_proba"):
            codes, scores = _positions(answer, classes), _decisions(model, rows, known, len(classes))
            losses = {}
        else:
            scores = metrics.align_probabilities(answer, known, labels)
            # whoever predicts another class than the most probable one is asked for it
            bayesian = isinstance(model, BayesianNetworkClassifier)
            codes = known[answer.argmax(axis=1)] if bayesian else _positions(model.predict(rows), classes)
            losses = {
                "log_loss": metrics.log_loss(truth, scores, labels=labels),
                "rmse": metrics.rmse(truth, scores, labels=labels),
                "brier_score": metrics.brier_score(truth, scores, labels=labels),
                "calibration_error": metrics.calibration_error(truth, scores, labels=labels),
            }
    if scores is not None:
        losses["auc"] = metrics.roc_auc(truth, scores, labels=labels)
    return {
        "zero_one_loss": float(np.mean(codes != truth)),
        **losses,
        "fit_seconds": reading + fitted - begin,
        "predict_seconds": predicted - fitted,
        "classes": pack_codes(codes),
    }


def _positions(labels: Any, classes: Sequence[Any]) -> np.ndarray:
    position = {label: i for i, label in enumerate(np.asarray(classes).tolist())}
    return np.array([position[label] for label in np.asarray(labels).tolist()], dtype=np.int64)


def _decisions(model: Any, rows: Any, known: np.ndarray, n_classes: int) -> np.ndarray | None:
    """Scores of a classifier without probabilities, for the AUC."""
    if not hasattr(model, "decision_function"):
        return None
    values = np.asarray(model.decision_function(rows))
    if values.ndim == 1:
        values = np.column_stack([-values, values])
    if values.shape[1] != len(known):
        return None
    scores = np.full((len(values), n_classes), values.min() - 1)
    scores[:, known] = values
    return scores


class _PeakMemory:
    """How much the process has grown at most, as seen every few milliseconds."""

    def __enter__(self) -> _PeakMemory:
        self._process = psutil.Process()
        self.restart()
        self._over = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._watch.join()

    def restart(self) -> None:
        self._before = self._most = self._bytes()

    def growth(self) -> int:
        return max(self._most, self._bytes()) - self._before

    def _look(self) -> None:
        while not self._over.wait(SAMPLE_SECONDS):
            self._most = max(self._most, self._bytes())

    def _bytes(self) -> int:
        return int(self._process.memory_info().rss)


# ---- results


class ExperimentResults:
    """What an experiment found.

    Attributes
    ----------
    experiment : Experiment
    records : list of CellRecord
        Of all cells that are finished, true classes left out.
    """

    def __init__(self, experiment: Experiment, records: Sequence[CellRecord]) -> None:
        self.experiment = experiment
        self.records = [record for record in records if record.classifier]
        self._truth = {
            (record.data_set, record.resampling, record.split): record
            for record in records
            if not record.classifier
        }
        self._tables: dict[str, ResultsTable] = {}
        self._cells: dict[tuple[str, str, str], list[CellRecord]] = {}
        for record in self.records:
            key = record.data_set, record.classifier, record.resampling
            self._cells.setdefault(key, []).append(record)

    @property
    def errors(self) -> list[CellRecord]:
        """Records of cells that failed."""
        return [record for record in self.records if record.error]

    def table(self, measure: str = "zero_one_loss") -> ResultsTable:
        """A measure by data set and classifier, over all splits together.

        Losses are means over all test rows (RMSE: the root of the mean square), MCC is that of all
        predictions together, AUC and calibration error are means over the splits, times are sums, memory is
        the largest.

        Parameters
        ----------
        measure : str, default="zero_one_loss"
            A key of `MEASURES`.

        Returns
        -------
        ResultsTable
            NaN where a split is missing or failed.
        """
        if measure not in MEASURES:
            raise ValueError(f"there is no measure {measure!r}; there are {', '.join(MEASURES)}")
        if measure not in self._tables:
            self._tables[measure] = self._table(measure)
        return self._tables[measure]

    def _table(self, measure: str) -> ResultsTable:
        data_sets = [data.name for data in self.experiment.data_sets]
        values = [
            [self._value(measure, data, name) for name in self.experiment.classifiers] for data in data_sets
        ]
        return ResultsTable(
            MEASURES[measure],
            tuple(data_sets),
            tuple(self.experiment.classifiers),
            np.array(values, dtype=np.float64),
            measure in GREATER_IS_BETTER,
        )

    def measures(self) -> list[str]:
        """Those measures that some cell has."""
        return [measure for measure in MEASURES if not np.isnan(self.table(measure).values).all()]

    def n_rows(self, data_set: str, resampling: str = CROSS_VALIDATION) -> int:
        """Test rows of all splits together."""
        return sum(record.n_test for key, record in self._truth.items() if key[:2] == (data_set, resampling))

    def predictions(self) -> tuple[dict[str, np.ndarray], dict[str, dict[str, np.ndarray]]]:
        """True codes by data set, and predicted codes by classifier and data set, of the cross-validation.

        Of a repeated one it is the first repetition, which has every row once.

        Returns
        -------
        y_true, predictions : dict
            As `seminaive.evaluate.pairs.win_draw_loss_mcnemar` takes them.
        """
        truth: dict[str, np.ndarray] = {}
        predicted: dict[str, dict[str, np.ndarray]] = {name: {} for name in self.experiment.classifiers}
        splitter = self.experiment.splitters.get(CROSS_VALIDATION)
        folds = splitter.get_n_splits() // getattr(splitter, "n_repeats", 1) if splitter else 0
        for data in self.experiment.data_sets:
            for name in predicted:
                records = self._complete(data.name, name, CROSS_VALIDATION)[:folds]
                if records:
                    truth[data.name] = np.concatenate([self._true(record) for record in records])
                    predicted[name][data.name] = np.concatenate([record.codes for record in records])
        return truth, predicted

    def costs(self) -> TextTable:
        """Seconds of each classifier, over all data sets and splits."""
        rows = []
        for name in self.experiment.classifiers:
            records = [record for record in self.records if record.classifier == name and not record.error]
            fit, predict = (
                sum(getattr(record, f"{step}_seconds") for record in records) for step in ("fit", "predict")
            )
            peak = max((record.peak_bytes for record in records), default=0)
            rows.append([name, len(records), fit, predict, peak / 2**20])
        rows.sort(key=lambda row: -(row[2] + row[3]))
        columns = ["classifier", "splits", "fit s", "predict s", "peak MiB"]
        return TextTable("Cost", columns, rows, dict.fromkeys(columns[2:], ".1f"))

    def _value(self, measure: str, data: str, name: str) -> float:
        resampling = BIAS_VARIANCE if measure in ("bias", "variance") else CROSS_VALIDATION
        records = self._complete(data, name, resampling)
        if not records:
            return float("nan")
        if resampling == BIAS_VARIANCE:
            predicted = np.array([record.codes for record in records])
            return getattr(metrics.bias_variance(self._true(records[0]), predicted), measure)
        if measure == "mcc":
            truth = np.concatenate([self._true(record) for record in records])
            return metrics.matthews_correlation(truth, np.concatenate([record.codes for record in records]))
        values = np.array([getattr(record, measure) for record in records])
        if measure in ("auc", "calibration_error"):
            good = values[~np.isnan(values)]
            return float(good.mean()) if len(good) else float("nan")
        if measure.endswith("_seconds"):
            return float(values.sum())
        if measure == "peak_bytes":
            return float(values.max())
        power = 2 if measure == "rmse" else 1
        rows = [record.n_test for record in records]
        return float(np.average(values**power, weights=rows) ** (1 / power))

    def _complete(self, data: str, name: str, resampling: str) -> list[CellRecord]:
        """Records of all splits in order; none if one is missing or failed."""
        splits = {split for other, kind, split in self._truth if (other, kind) == (data, resampling)}
        records = {record.split: record for record in self._cells.get((data, name, resampling), [])}
        whole = splits and set(records) == splits and not any(record.error for record in records.values())
        return [records[split] for split in sorted(splits)] if whole else []

    def _true(self, record: CellRecord) -> np.ndarray:
        return self._truth[record.data_set, record.resampling, record.split].codes
