"""``seminaive fit``: learn one classifier from a file and keep it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seminaive.cli import options as o


def fit(
    *,
    data: Annotated[list[Path] | None, o.DATA_FILES] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", metavar="COLUMN", help="Column to be predicted.", show_default=False),
    ] = None,
    classifier: o.ClassifierOption,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Model file to write.", show_default=False)
    ],
    counts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Counts file of `seminaive count` or `merge`, in the place of DATA and --target.",
            show_default=False,
        ),
    ] = None,
    param: o.ParamOption = None,
    missing: o.MissingOption = None,
    discretizer: o.DiscretizerOption = None,
    smoothing: o.SmoothingOption = o.Smoothing.M_ESTIMATE,
    categorical: o.CategoricalOption = None,
    numeric: o.NumericOption = None,
    drop: o.DropOption = None,
    weight: o.WeightOption = None,
    na_values: o.NaValuesOption = None,
    delimiter: o.DelimiterOption = None,
    stream: o.StreamOption = False,
    checkpoint: o.CheckpointOption = None,
    jobs: o.JobsOption = None,
    debug: o.DebugOption = False,
) -> None:
    """Fit a classifier on DATA, or on counts, and write it to a model file.

    Several files, folders, files too large for memory, and all with --stream are read in batches and never
    held in memory; the model is the same.

    A model file holds nothing that can be executed; `seminaive.load` reads it in Python.
    """
    from time import perf_counter

    from seminaive.cli.models import load_counts, make_classifiers
    from seminaive.cli.streams import are_streamed, batch_bar, described, marked, source_of
    from seminaive.cli.tables import load_training
    from seminaive.sources.files import check_readable, check_writable

    check_writable(output, table=False)
    common = {
        "missing": missing,
        "discretizer": discretizer,
        "smoothing": smoothing.value,
        "n_jobs": jobs,
    }
    if counts is not None:
        columns = {"--categorical": categorical, "--numeric": numeric, "--drop": drop}
        given = {"DATA": data, "--target": target, "--weight": weight, **columns}
        if any(given.values()):
            name = next(name for name, value in given.items() if value)
            raise ValueError(f"{name} and --counts cannot go together: counts know their columns and classes")
        ((name, model),) = make_classifiers([classifier], param, common).items()
        counted = load_counts(counts)
        start = perf_counter()
        model.fit_counts(counted)
        seconds = perf_counter() - start
        model.save(output)
        typer.echo(
            f"{name} fitted on counts of {counted.n_rows:,} rows in {seconds:.2f} s, written to {output}"
        )
        return
    if not data or target is None:
        raise ValueError("name a table and its --target, or a --counts file")
    make_classifiers([classifier], param, {})  # a mistake in the name shows before a long file is read
    if are_streamed(data, stream or checkpoint is not None):
        source = source_of(
            data,
            target=target,
            weight=weight,
            categorical=categorical,
            numeric=numeric,
            drop=drop,
            na_values=na_values,
            delimiter=delimiter,
        )
        typer.echo(described(source))
        ((name, model),) = make_classifiers([classifier], param, common | marked(categorical)).items()
        start = perf_counter()
        with batch_bar(name) as progress:
            model.fit_source(source, checkpoint=checkpoint, progress=progress)
        seconds = perf_counter() - start
        model.save(output)
        n_rows = model._tables.n_rows
        typer.echo(f"{name} fitted on {n_rows:,} rows in {seconds:.2f} s, written to {output}")
        return
    (table,) = data
    check_readable(table)
    training = load_training(
        table,
        target,
        categorical=categorical,
        numeric=numeric,
        drop=drop,
        weight=weight,
        na_values=na_values,
        delimiter=delimiter,
    )
    typer.echo(training.describe())
    ((name, model),) = make_classifiers([classifier], param, {**common, **training.encoding}).items()
    start = perf_counter()
    model.fit(training.X, training.y, sample_weight=training.weights)
    seconds = perf_counter() - start
    model.save(output)
    typer.echo(f"{name} fitted in {seconds:.2f} s, written to {output}")
