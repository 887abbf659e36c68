"""``seminaive info``: what a model file or a counts file holds."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seminaive.cli import options as o

if TYPE_CHECKING:
    import numpy as np

    from seminaive.counts.labelled import Counts
    from seminaive.data.schema import Attribute

SHOWN = 8

_short = reprlib.Repr()
_short.maxdict, _short.maxlist, _short.maxtuple, _short.maxstring, _short.maxother = 2, 4, 4, 60, 80


def info(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Model file of `seminaive fit`, or counts file of `seminaive count`.",
            show_default=False,
        ),
    ],
    dot: Annotated[
        bool,
        typer.Option("--dot", help="Print the structure in the DOT language of Graphviz, and nothing else."),
    ] = False,
    debug: o.DebugOption = False,
) -> None:
    """Show the classifier, parameters, classes, attributes and structure of a model file.

    Of a counts file the rows, classes and attributes, and which tables there are.
    """
    from seminaive.cli.models import holds_counts, load_counts, load_model

    if holds_counts(model):
        if dot:
            raise ValueError(f"{model}: counts have no structure yet; --dot needs a model file")
        _show_counts(load_counts(model), model)
        return
    fitted = load_model(model)
    if dot:
        typer.echo(fitted.to_dot())
        return
    typer.echo(f"{type(fitted).__name__} in {model}")
    parameters = (f"{name}={_short.repr(value)}" for name, value in sorted(fitted.get_params().items()))
    typer.echo("parameters: " + ", ".join(parameters))
    _show_classes(fitted.classes_, fitted.class_count_)
    parents = getattr(fitted, "parents_", {name: [] for name in fitted.schema_.names})
    _show_attributes(
        fitted.schema_.attributes,
        "parents besides the class",
        lambda attribute: ", ".join(parents[attribute.name]) if attribute.name in parents else "(left out)",
    )
    idle = list(fitted.uninformative_features_)
    if idle:
        typer.echo(f"Without influence (one value or interval): {', '.join(map(str, idle))}")


def _show_counts(counts: Counts, path: Path) -> None:
    tables, encoder = counts.tables, counts.encoder
    weighted = " with weights" if tables.class_counts.dtype.kind == "f" else ""
    typer.echo(f"counts of {counts.n_rows:,} rows{weighted} in {path}, {tables.nbytes:,} bytes of tables")
    typer.echo(f"read with missing={encoder.missing!r}, discretizer={encoder.discretizer!r}")
    _show_classes(counts.classes, tables.class_counts)
    names = encoder.schema_.names
    families = [" + ".join(names[i] for i in members) for members in tables.families if len(members) > 2]
    typer.echo("pairs of attributes: " + ("all" if tables.has_pairs else "none"))
    typer.echo(f"wider families: {_some(families) or 'none'}")
    missing = {name: f"{tables.attribute(i)[-1].sum():,.10g}" for i, name in enumerate(names)}
    _show_attributes(encoder.schema_.attributes, "not observed", lambda attribute: missing[attribute.name])


def _show_classes(classes: np.ndarray, counts: np.ndarray) -> None:
    listed = (f"{label} {count:,.10g}" for label, count in zip(classes, counts, strict=True))
    typer.echo(f"{len(classes)} classes with counts: " + ", ".join(listed))


def _show_attributes(attributes: Sequence[Attribute], title: str, last: Callable[[Attribute], str]) -> None:
    """A table of the attributes; ``title`` and ``last`` are its last column."""
    from seminaive.cli.output import make_table, show_table

    rows = [[a.name, a.kind, str(a.n_values), _values(a), last(a)] for a in attributes]
    typer.echo()
    titles = ["attribute", "kind", "values", "cut points or values", title]
    show_table(make_table(titles, rows, left=(0, 1, 3, 4)))


def _some(entries: Sequence[str]) -> str:
    more = f", ... ({len(entries)} in all)" if len(entries) > SHOWN else ""
    return ", ".join(entries[:SHOWN]) + more


def _values(attribute: Attribute) -> str:
    cuts = attribute.cut_points
    shown = [str(value) for value in attribute.values] if cuts is None else [f"{cut:.6g}" for cut in cuts]
    return (_some(shown) or "no cut point") + (", (missing)" if attribute.has_missing_value else "")
