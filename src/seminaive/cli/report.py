"""``seminaive report``: a page about a model and the cases to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from seminaive.cli import options as o


def report(
    model: o.ModelArgument,
    data: o.DataArgument,
    out: Annotated[
        Path, typer.Option("--out", "--output", "-o", metavar="FILE", help="HTML file to write.")
    ] = Path("seminaive-report.html"),
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column of DATA with the true classes, to find surprising cases.",
            show_default="unknown",
        ),
    ] = None,
    cases: Annotated[int, typer.Option(min=1, help="How many cases of each kind to show.")] = 5,
    na_values: o.NaValuesOption = None,
    delimiter: o.DelimiterOption = None,
    jobs: o.JobsOption = None,
    debug: o.DebugOption = False,
) -> None:
    """Write a page about a model: what it looks at in general, and the cases of DATA to look at first.

    These are the least certain ones and, with --target, the most surprising ones, in which the true class got
    the smallest probability. The page is one file that any browser shows without a network.
    """
    from seminaive.sources.files import check_readable, check_writable

    check_readable(data)
    check_writable(out, table=False)

    from seminaive.cli.models import load_model
    from seminaive.cli.tables import load_cases, load_part
    from seminaive.explain.html import report_page, write_page

    fitted = load_model(model)
    if jobs is not None:
        fitted.set_params(n_jobs=jobs)
    y = None
    if target is None:
        X = load_cases(data, fitted, na_values=na_values, delimiter=delimiter)
    else:
        part = load_part(data, target, fitted, na_values=na_values, delimiter=delimiter)
        X, y = part.X, _classes(part.y.tolist(), fitted, target)
    name = type(fitted).__name__
    page = report_page(fitted, X, y, title=f"{name} on {data.name}", n_cases=cases, source=data.name)
    write_page(out, page)
    typer.echo(f"Report: {out}")
    if target is None:
        typer.echo("With --target COLUMN it would also show the cases that surprise the model most.")


def _classes(labels: list[Any], model: Any, target: str) -> list[Any]:
    """The labels of a file as classes of a model, which may be of another type."""
    known = {str(label): label for label in model.classes_.tolist()}
    found = [known.get(str(label)) for label in labels]
    if all(label is None for label in found):
        raise ValueError(
            f"--target {target}: none of its values is a class of the model; classes are {', '.join(known)}"
        )
    return found
