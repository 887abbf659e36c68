"""``seminaive demo``: everything at once, on data that come along or on a file."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seminaive.cli import options as o

if TYPE_CHECKING:
    import pyarrow as pa

    from seminaive.cli.tables import Training

SHOWN = 6


def demo(
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV, TSV, Parquet, Arrow IPC or ARFF file.",
            show_default="breast cancer data of Wisconsin, from scikit-learn",
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", "-t", metavar="COLUMN", help="Column of FILE to be predicted.")
    ] = None,
    folds: o.FoldsOption = 10,
    seed: o.SeedOption = 0,
    missing: o.MissingOption = None,
    discretizer: o.DiscretizerOption = None,
    smoothing: o.SmoothingOption = o.Smoothing.M_ESTIMATE,
    categorical: o.CategoricalOption = None,
    numeric: o.NumericOption = None,
    drop: o.DropOption = None,
    na_values: o.NaValuesOption = None,
    delimiter: o.DelimiterOption = None,
    jobs: o.JobsOption = None,
    report: Annotated[
        Path,
        typer.Option("--report", metavar="FILE", help="HTML file for the report on the best classifier."),
    ] = Path("seminaive-demo.html"),
    debug: o.DebugOption = False,
) -> None:
    """Compare all classifiers by cross-validation, and show what the best one says of new rows, and why.

    Without options it runs on a real data set that comes with scikit-learn, offline.
    """
    import numpy as np

    from seminaive.cli.models import make_classifiers
    from seminaive.cli.output import LEGEND, run_comparison, show_comparison
    from seminaive.cli.tables import load_training
    from seminaive.explain.html import report_page, write_page
    from seminaive.sources.files import check_writable

    check_writable(report, table=False)
    if data is None:
        given = {"--target": target, "--categorical": categorical, "--numeric": numeric, "--drop": drop}
        for option, value in given.items():
            if value is not None:
                raise ValueError(f"{option} needs a file: add --data FILE")
        training = _breast_cancer()
    elif target is None:
        raise ValueError(f"which column of {data} is to be predicted? add --target COLUMN")
    else:
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
    classifiers = make_classifiers(None, None, common)
    comparison = run_comparison(
        classifiers, training.X, training.y, folds=folds, seed=seed, jobs=jobs, debug=debug
    )
    show_comparison(comparison)
    typer.echo(LEGEND.format(folds=folds))
    best = comparison.best("brier_score")
    n_rows = training.X.num_rows
    held_out = np.sort(np.random.default_rng(seed).permutation(n_rows)[: max(1, n_rows // folds)])
    rest = np.delete(np.arange(n_rows), held_out)
    typer.echo(
        f"\nBest: {best}, by the Brier score, which judges the probabilities of all classes and is not\n"
        f"dominated by a single mistake. Of {len(held_out):,} rows that it was not fitted on it is "
        "least sure of this one:\n"
    )
    model = classifiers[best].fit(training.X.take(rest), training.y[rest])
    X, y, numbers = training.X.take(held_out), training.y[held_out], (held_out + 1).tolist()
    _show_hardest_case(model, X, y, numbers)
    source = f"{training.source}, not fitted on"
    title = f"{best} on {training.source}"
    write_page(report, report_page(model, X, y, title=title, source=source, rows=numbers))
    typer.echo(f"\nWhat {best} looks at, this case and others, for a browser: {report}")
    if data is None:
        typer.echo("\nYour own data: seminaive demo --data FILE --target COLUMN")


def _show_hardest_case(model: Any, X: pa.Table, y: Sequence[Any], numbers: list[int]) -> None:
    """The row whose most probable class is the least probable."""
    probabilities = model.predict_proba(X)
    row = int(probabilities.max(axis=1).argmin())
    case = X.slice(row, 1).to_pylist()[0]
    values = [
        f"{name} = {'missing' if value is None else f'{value:.6g}' if isinstance(value, float) else value}"
        for name, value in list(case.items())[:SHOWN]
    ]
    more = len(case) - len(values)
    text = f"row {numbers[row]}: " + ", ".join(values) + (f" and {more} more" if more else "")
    typer.echo(textwrap.fill(text, 100, initial_indent="  ", subsequent_indent="    "))
    ranked = probabilities[row].argsort(kind="stable")[::-1][:SHOWN]
    width = max(len(str(model.classes_[i])) for i in ranked)
    for i in ranked:
        label = model.classes_[i]
        mark = "  <- true class" if label == y[row] else ""
        typer.echo(f"  P({label})".ljust(width + 6) + f"{probabilities[row, i]:.4f}{mark}")


def _breast_cancer() -> Training:
    import pyarrow as pa
    from sklearn.datasets import load_breast_cancer

    from seminaive.cli.tables import Training

    data = load_breast_cancer()
    X = pa.table({str(name): column for name, column in zip(data.feature_names, data.data.T, strict=True)})
    labels = data.target_names.astype(object)[data.target]
    return Training("Wisconsin breast cancer data (scikit-learn)", "diagnosis", X, labels, [], {})
