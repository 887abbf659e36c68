"""``seminaive info``: what a model file holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from seminaive.cli import options as o

if TYPE_CHECKING:
    from seminaive.data.schema import Attribute

SHOWN = 8


def info(
    model: o.ModelArgument,
    dot: Annotated[
        bool,
        typer.Option("--dot", help="Print the structure in the DOT language of Graphviz, and nothing else."),
    ] = False,
    debug: o.DebugOption = False,
) -> None:
    """Show the classifier, parameters, classes, attributes and structure of a model file."""
    from seminaive.cli.models import load_model
    from seminaive.cli.output import make_table, show_table

    fitted = load_model(model)
    if dot:
        typer.echo(fitted.to_dot())
        return
    typer.echo(f"{type(fitted).__name__} in {model}")
    parameters = (f"{name}={value!r}" for name, value in sorted(fitted.get_params().items()))
    typer.echo("parameters: " + ", ".join(parameters))
    counts = (f"{label} {count:g}" for label, count in zip(fitted.classes_, fitted.class_count_, strict=True))
    typer.echo(f"{len(fitted.classes_)} classes with counts: " + ", ".join(counts))
    parents = getattr(fitted, "parents_", {})
    rows = [
        [
            attribute.name,
            attribute.kind,
            str(attribute.n_values),
            _values(attribute),
            ", ".join(parents.get(attribute.name, [])),
        ]
        for attribute in fitted.schema_.attributes
    ]
    typer.echo()
    show_table(
        make_table(
            ["attribute", "kind", "values", "cut points or values", "parents besides the class"],
            rows,
            left=(0, 1, 3, 4),
        )
    )
    idle = list(fitted.uninformative_features_)
    if idle:
        typer.echo(f"Without influence (one value or interval): {', '.join(map(str, idle))}")


def _values(attribute: Attribute) -> str:
    cuts = attribute.cut_points
    shown = [str(value) for value in attribute.values] if cuts is None else [f"{cut:.6g}" for cut in cuts]
    text = ", ".join(shown[:SHOWN]) + (f", ... ({len(shown)} in all)" if len(shown) > SHOWN else "")
    return (text or "no cut point") + (", (missing)" if attribute.has_missing_value else "")
