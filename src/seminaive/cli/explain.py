"""``seminaive explain``: why a row of a file is predicted as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from seminaive.cli import options as o


def explain(
    model: o.ModelArgument,
    data: o.DataArgument,
    row: Annotated[int, typer.Option("--row", min=1, metavar="N", help="Row of DATA; 1 is the first.")] = 1,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="CLASS",
            help="Class that the prediction is compared with.",
            show_default="the next most probable",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything that is known, as JSON.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="Write a page for a browser instead.", show_default=False
        ),
    ] = None,
    na_values: o.NaValuesOption = None,
    delimiter: o.DelimiterOption = None,
    debug: o.DebugOption = False,
) -> None:
    """Explain the prediction for one row of DATA.

    The log-odds of the predicted class are the class prior and one contribution per value, which add up
    exactly. What single values would have to be for another prediction is said below.
    """
    from seminaive.sources.files import check_readable, check_writable

    check_readable(data)
    if html is not None:
        check_writable(html, table=False)

    from seminaive.cli.models import load_model
    from seminaive.cli.output import show_table
    from seminaive.cli.tables import load_cases
    from seminaive.explain.views import json_text

    fitted = load_model(model)
    X = load_cases(data, fitted, na_values=na_values, delimiter=delimiter)
    if row > X.num_rows:
        raise ValueError(f"--row {row}: {data} has {X.num_rows:,} rows")
    case = X.slice(row - 1, 1)
    explanation = fitted.explain(case)[0]
    if against is not None:
        explanation = explanation.between(explanation.prediction, _class(against, explanation.classes))
    if html is not None:
        why = f"Why {type(fitted).__name__} predicts {explanation.prediction}"
        explanation.to_html(html, title=f"{why} for row {row} of {data.name}")
        typer.echo(f"Explanation: {html}")
        return
    changes = fitted.counterfactuals(case)[0]
    if as_json:
        content = {**explanation.to_dict(), "counterfactuals": [vars(change) for change in changes]}
        typer.echo(json_text(content, 2))
        return
    typer.echo(f"row {row} of {data}, {type(fitted).__name__}")
    show_table(explanation)
    typer.echo()
    typer.echo("\n".join(str(changes).splitlines()[:11]))


def _class(label: str, classes: list[Any]) -> Any:
    """The class that is spelled so."""
    for known in classes:
        if str(known) == label:
            return known
    raise ValueError(f"--against {label}: there is no such class; classes are {', '.join(map(str, classes))}")
