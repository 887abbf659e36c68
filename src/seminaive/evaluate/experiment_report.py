"""What an experiment found, told section by section: values, statistics, figures, costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from seminaive.evaluate.experiments import MEASURES, ExperimentResults
from seminaive.evaluate.pairs import WinDrawLoss, win_draw_loss_mcnemar
from seminaive.evaluate.plots import plot_boxes, plot_critical_difference, plot_scatter
from seminaive.evaluate.report import Numbers, Plot, Section
from seminaive.evaluate.results_table import ResultsTable
from seminaive.evaluate.statistics import Analysis, analyse
from seminaive.evaluate.store import CellRecord
from seminaive.evaluate.views import Cell, TextTable, Views

__all__ = ["experiment_sections", "failures", "left_out", "overview", "win_draw_loss_tables"]

COSTS = ("fit_seconds", "predict_seconds", "peak_bytes")
EXPLAINED = {
    "zero_one_loss": "Share of test rows whose class is predicted wrongly.",
    "log_loss": "Mean of -log P(true class), in nats.",
    "rmse": "Root of the mean of (1 - P(true class))².",
    "brier_score": "Mean squared distance of the probabilities from the true class, summed over the classes.",
    "mcc": "Matthews correlation of predicted and true classes; larger is better.",
    "auc": "Area under the ROC curve, mean over pairs of classes and over splits; larger is better.",
    "calibration_error": "Distance between the probability of the predicted class and the share of right "
    "predictions, in ten bins; mean over splits.",
    "bias": "Zero-one loss less variance, over several training samples (Kohavi and Wolpert).",
    "variance": "How much the predictions change with the training sample (Kohavi and Wolpert).",
}
ONE_DATA_SET = (
    "One data set only: records over data sets, sign tests, ranks, and the tests of Friedman, Nemenyi and "
    "Wilcoxon need several and are left out."
)
ONE_CLASSIFIER = "One classifier only: there is nothing to compare it with."


def experiment_sections(results: ExperimentResults, *, notes: Sequence[str] = ()) -> list[Section]:
    """The report of an experiment, for `html_report` and `write_tables`.

    Parameters
    ----------
    results : ExperimentResults
    notes : sequence of str, default=()
        How the experiment was done.

    Returns
    -------
    list of Section
        Summary, one section a measure, costs, data sets, failed cells. What needs several data sets or
        classifiers is left out where there is one, and the summary says so.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import StratifiedKFold
    >>> from seminaive import NaiveBayes, TAN
    >>> from seminaive.evaluate.experiments import CROSS_VALIDATION, Experiment, TableData, run_experiment
    >>> data = TableData("iris", *load_iris(return_X_y=True))
    >>> folds = StratifiedKFold(5, shuffle=True, random_state=0)
    >>> experiment = Experiment([data], {"NB": NaiveBayes(), "TAN": TAN()}, {CROSS_VALIDATION: folds})
    >>> sections = experiment_sections(run_experiment(experiment))
    >>> [section.title for section in sections if section.parts][:3]
    ['Summary', 'Zero-one loss', 'Log loss']
    """
    measures, failed = _measures(results), failures(results.errors)
    means = [overview(results)] if measures else []
    sections = [Section("Summary", [_numbers(results), *left_out(results), *means])]
    sections += [_measure_section(results, measure) for measure in measures]
    seconds = [results.table(measure) for measure in ("fit_seconds", "predict_seconds") if measures]
    return [
        *sections,
        Section("Costs", [results.costs(), *(_timed(table) for table in seconds)]),
        Section("Data sets", [_data_sets(results)]),
        Section("Failed", [failed] if failed else []),
        Section("How it was done", [list(notes)] if notes else []),
    ]


def overview(results: ExperimentResults) -> TextTable:
    """Mean of every measure over the data sets, by classifier.

    Parameters
    ----------
    results : ExperimentResults

    Returns
    -------
    TextTable
        Over the data sets on which every classifier has a value of the measure.
    """
    tables = [results.table(measure) for measure in _measures(results)]
    rows: list[list[Cell]] = [
        [name, *(_mean(table, name) for table in tables)] for name in results.experiment.classifiers
    ]
    several = len(results.experiment.data_sets) > 1
    title = "Means over the data sets" if several else results.experiment.data_sets[0].name
    gaps = sorted({name for table in tables for name in table.incomplete})
    notes = [f"Without {', '.join(gaps)} where a value is missing."] if gaps else []
    return TextTable(title, ["classifier", *(table.measure for table in tables)], rows, notes=notes)


def win_draw_loss_tables(results: ExperimentResults, measure: str = "zero_one_loss") -> list[TextTable]:
    """Records of all pairs of classifiers by each rule, which its title names.

    Parameters
    ----------
    results : ExperimentResults
    measure : str, default="zero_one_loss"
        A key of `MEASURES`.

    Returns
    -------
    list of TextTable
        By the 5 % rule and, for zero-one loss, by McNemar's test on each data set; then sign tests across
        data sets. Those that need several data sets are left out where there is one.
    """
    several = len(results.experiment.data_sets) > 1
    if len(results.experiment.classifiers) < 2:
        return []
    tables = []
    analysis = analyse(results.table(measure)) if several else None
    if analysis:
        tables.append(_named(analysis.win_draw_loss, "by the 5 % rule"))
    if measure == "zero_one_loss":
        tables.append(
            _named(win_draw_loss_mcnemar(*results.predictions()), "by McNemar's test on each data set")
        )
    if analysis:
        tables += analysis.sign_tests.tables()
    return tables


def left_out(results: ExperimentResults) -> list[str]:
    """Why statistics are left out, if any are.

    Parameters
    ----------
    results : ExperimentResults

    Returns
    -------
    list of str
        No sentence or one.
    """
    if len(results.experiment.classifiers) == 1:
        return [ONE_CLASSIFIER]
    return [ONE_DATA_SET] if len(results.experiment.data_sets) == 1 else []


def failures(errors: Iterable[CellRecord]) -> TextTable | None:
    """What failed and why, a line for each error; None if nothing did.

    Parameters
    ----------
    errors : iterable of CellRecord

    Returns
    -------
    TextTable or None
    """
    counted = Counter(
        (record.data_set, record.classifier, record.resampling, record.error) for record in errors
    )
    if not counted:
        return None
    rows: list[list[Cell]] = [[*key[:3], n_splits, key[3]] for key, n_splits in counted.items()]
    return TextTable("Failed cells", ["data set", "classifier", "resampling", "splits", "error"], rows)


def _measures(results: ExperimentResults) -> list[str]:
    return [measure for measure in results.measures() if measure not in COSTS]


def _mean(table: ResultsTable, name: str) -> float:
    whole = table.complete_names()
    return float(table.select([name], whole).values.mean()) if whole else float("nan")


def _numbers(results: ExperimentResults) -> Numbers:
    done, failed = len(results.records), len(results.errors)
    return Numbers(
        {
            "data sets": str(len(results.experiment.data_sets)),
            "classifiers": str(len(results.experiment.classifiers)),
            "fits, each on one split": f"{done:,}",
            "of them failed": f"{failed:,}",
        }
    )


def _measure_section(results: ExperimentResults, measure: str) -> Section:
    table = results.table(measure)
    name = MEASURES[measure]
    parts: list[str | Views | Plot] = [EXPLAINED[measure], table, *win_draw_loss_tables(results, measure)]
    if len(table.data_sets) > 1 and len(table.classifiers) > 1:
        analysis = analyse(table)
        parts += [part for part in (analysis.wilcoxon, analysis.friedman, analysis.nemenyi) if part]
        plots = _plots(analysis, name)
        parts += plots if measure == "zero_one_loss" else plots[:1]
    return Section(name[0].upper() + name[1:], parts)


def _plots(analysis: Analysis, name: str) -> list[Plot]:
    if analysis.nemenyi is None or analysis.ranks is None:
        return []
    best, second, *_ = analysis.ranks.best_first()
    table = analysis.results
    return [
        Plot(
            partial(plot_critical_difference, analysis.nemenyi),
            f"Average ranks by {name}, the best left; bars join classifiers that Nemenyi's test does not "
            "tell apart.",
        ),
        Plot(
            partial(plot_boxes, table),
            f"{name[0].upper()}{name[1:]} over the data sets: median, quartiles, range.",
        ),
        Plot(
            partial(plot_scatter, table, best, second),
            f"The two classifiers with the best ranks by {name}; a point is a data set.",
        ),
    ]


def _named(records: WinDrawLoss, rule: str) -> TextTable:
    (table,) = records.tables()
    return replace(table, title=f"{records.measure}: wins, draws, losses {rule}")


def _timed(table: ResultsTable) -> TextTable:
    (view,) = table.tables()
    return replace(view, formats=dict.fromkeys(table.classifiers, ".2f"))


def _data_sets(results: ExperimentResults) -> TextTable:
    truth, _ = results.predictions()
    rows = [
        [
            data.name,
            data.n_rows,
            data.n_attributes,
            len(np.unique(truth[data.name])) if data.name in truth else None,
        ]
        for data in results.experiment.data_sets
    ]
    return TextTable("Data sets", ["data set", "rows", "attributes", "classes"], rows)
