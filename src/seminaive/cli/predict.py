"""``seminaive predict``: classes or probabilities for the rows of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seminaive.cli import options as o


def predict(
    model: o.ModelArgument,
    data: o.DataFilesArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="CSV (.csv, .tsv, also .gz) or Parquet file to write.",
            show_default="CSV to stdout",
        ),
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add the probability of every class.")] = False,
    na_values: o.NaValuesOption = None,
    delimiter: o.DelimiterOption = None,
    stream: o.StreamOption = False,
    jobs: o.JobsOption = None,
    debug: o.DebugOption = False,
) -> None:
    """Predict the class of every row of DATA, in the order of the rows.

    Columns are found by name, in any order; columns that the model does not know, the target among them,
    are left aside. The result has a column "prediction" and, with --proba, one "P(class)" for each class.
    Several files, folders, files too large for memory, and all with --stream are read in batches, and the
    result, a Parquet file, is written as it comes.
    """
    from seminaive.cli.streams import are_streamed, batch_bar, source_of
    from seminaive.sources.files import check_readable, check_writable, write_table

    streamed = are_streamed(data, stream)
    if streamed and (output is None or output.suffix.lower() not in (".parquet", ".pq")):
        raise ValueError("files that are read in batches need a Parquet file as --output")
    if output is not None:
        check_writable(output)
    if not streamed:
        check_readable(data[0])

    import io

    import pyarrow as pa
    import pyarrow.csv

    from seminaive.cli.models import load_model
    from seminaive.cli.tables import load_cases

    fitted = load_model(model)
    if jobs is not None:
        fitted.set_params(n_jobs=jobs)
    if streamed:
        attributes = fitted.schema_.attributes
        named = [a for a in attributes if a.kind == "categorical" and a.values]
        source = source_of(
            data,
            categorical=[a.name for a in named if all(isinstance(value, str) for value in a.values)],
            whole=[a.name for a in named if all(type(value) is int for value in a.values)],
            numeric=[a.name for a in attributes if a.kind == "numeric"],
            na_values=na_values,
            delimiter=delimiter,
        )
        with batch_bar("predicting") as progress:
            n_rows = fitted.predict_source(source, output, proba=proba, progress=progress)
        typer.echo(f"{n_rows:,} rows predicted, written to {output}")
        return
    X = load_cases(data[0], fitted, na_values=na_values, delimiter=delimiter)
    if proba:
        probabilities = fitted.predict_proba(X)
        columns = {"prediction": fitted.classes_[probabilities.argmax(axis=1)]}
        columns |= {f"P({label})": probabilities[:, i] for i, label in enumerate(fitted.classes_)}
    else:
        columns = {"prediction": fitted.predict(X)}
    table = pa.table({name: pa.array(column) for name, column in columns.items()})
    if output is not None:
        write_table(table, output)
        return
    text = io.BytesIO()
    pyarrow.csv.write_csv(table, text)
    typer.echo(text.getvalue().decode(), nl=False)
