"""``seminaive merge``: the counts of several files as one."""

from __future__ import annotations

from functools import reduce
from operator import add
from pathlib import Path
from typing import Annotated

import typer

from seminaive.cli import options as o


def merge(
    counts: Annotated[
        list[Path],
        typer.Argument(metavar="COUNTS...", help="Counts files of `seminaive count`.", show_default=False),
    ],
    output: o.CountsOutputOption,
    debug: o.DebugOption = False,
) -> None:
    """Add up counts files of different rows, by label.

    Numeric columns need the same cut points in all files: count the later ones with --schema of the first.
    """
    from seminaive.cli.models import load_counts
    from seminaive.sources.files import check_writable

    check_writable(output, table=False)
    merged = reduce(add, (load_counts(path) for path in counts))
    merged.save(output)
    listed = ", ".join(map(str, merged.classes))
    typer.echo(f"{len(counts)} files, {merged.n_rows:,} rows, classes {listed}, written to {output}")
