"""``seminaive evaluate``: how well classifiers predict a column of a file."""

from __future__ import annotations

import typer

from seminaive.cli import options as o


def evaluate(
    data: o.DataArgument,
    target: o.TargetOption,
    classifier: o.ClassifiersOption = None,
    folds: o.FoldsOption = 10,
    seed: o.SeedOption = 0,
    param: o.ParamOption = None,
    missing: o.MissingOption = None,
    discretizer: o.DiscretizerOption = None,
    smoothing: o.SmoothingOption = o.Smoothing.M_ESTIMATE,
    categorical: o.CategoricalOption = None,
    numeric: o.NumericOption = None,
    drop: o.DropOption = None,
    na_values: o.NaValuesOption = None,
    delimiter: o.DelimiterOption = None,
    jobs: o.JobsOption = None,
    debug: o.DebugOption = False,
) -> None:
    """Compare classifiers on DATA by cross-validation: zero-one loss, log loss, RMSE, Brier score, seconds.

    One file, a table at once, nothing is kept. `seminaive compare` takes several files, tests whether the
    differences mean anything, and writes a report.

    Folds are stratified by class and shuffled by the seed. Everything is learned anew in every fold, the
    intervals of numeric columns included. A --param goes to every classifier that has such a parameter.
    """
    from seminaive.cli.models import make_classifiers
    from seminaive.cli.output import LEGEND, run_comparison, show_comparison
    from seminaive.cli.tables import load_training
    from seminaive.sources.files import check_readable

    check_readable(data)
    make_classifiers(classifier, param, {})  # a mistake in a name shows before a long file is read
    training = load_training(
        data,
        target,
        categorical=categorical,
        numeric=numeric,
        drop=drop,
        na_values=na_values,
        delimiter=delimiter,
    )
    typer.echo(training.describe())
    common = {
        "missing": missing,
        "discretizer": discretizer,
        "smoothing": smoothing.value,
        **training.encoding,
    }
    classifiers = make_classifiers(classifier, param, common)
    comparison = run_comparison(
        classifiers, training.X, training.y, folds=folds, seed=seed, jobs=jobs, debug=debug
    )
    show_comparison(comparison)
    typer.echo(LEGEND.format(folds=folds))
