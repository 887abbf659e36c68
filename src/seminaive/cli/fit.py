"""``seminaive fit``: learn one classifier from a file and keep it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seminaive.cli import options as o


def fit(
    data: o.DataArgument,
    target: o.TargetOption,
    classifier: o.ClassifierOption,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Model file to write.", show_default=False)
    ],
    param: o.ParamOption = None,
    missing: o.MissingOption = o.Missing.IGNORE,
    discretizer: o.DiscretizerOption = o.Discretizer.MDLP,
    smoothing: o.SmoothingOption = o.Smoothing.M_ESTIMATE,
    categorical: o.CategoricalOption = None,
    numeric: o.NumericOption = None,
    drop: o.DropOption = None,
    na_values: o.NaValuesOption = None,
    delimiter: o.DelimiterOption = None,
    jobs: o.JobsOption = None,
    debug: o.DebugOption = False,
) -> None:
    """Fit a classifier on DATA and write it to a model file.

    The model file is a pickle of the fitted classifier. Loading a pickle can run any code: load only
    model files that you trust.
    """
    from time import perf_counter

    from seminaive.cli.models import make_classifiers, save_model
    from seminaive.cli.tables import load_training
    from seminaive.sources.files import check_readable, check_writable

    check_readable(data)
    check_writable(output, table=False)
    make_classifiers([classifier], param, {})  # a mistake in the name shows before a long file is read
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
        "missing": missing.value,
        "discretizer": discretizer.value,
        "smoothing": smoothing.value,
        "n_jobs": jobs,
        **training.encoding,
    }
    ((name, model),) = make_classifiers([classifier], param, common).items()
    start = perf_counter()
    model.fit(training.X, training.y)
    seconds = perf_counter() - start
    save_model(model, output)
    typer.echo(f"{name} fitted in {seconds:.2f} s, written to {output}")
