"""``seminaive reproduce``: a paper's experiments again, its printed numbers beside ours."""

from __future__ import annotations

import textwrap
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seminaive.cli import options as o

if TYPE_CHECKING:
    from seminaive.papers.reproduction import Reproduction

WIDTH = 110


class Which(StrEnum):
    """The papers."""

    AVERAGED_KDB = "averaged-kdb"
    PERSONALIZED_KDB = "personalized-kdb"
    ADAPTIVE_KDB = "adaptive-kdb"
    AWODE = "awode"
    ALL = "all"


def reproduce(
    paper: Annotated[Which, typer.Argument(metavar="PAPER", help=f"{', '.join(Which)}.", show_default=False)],
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            envvar="SEMINAIVE_DATA",
            help="Directory of the data sets, with schema.json; what it lacks comes from OpenML.",
            show_default="OpenML",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Only data sets of up to 1000 rows, without the slowest classifiers."),
    ] = False,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where finished cells and reports go.")
    ] = Path("seminaive-results"),
    jobs: o.ProcessesOption = None,
    no_download: Annotated[bool, typer.Option("--no-download", help="Do not ask OpenML.")] = False,
    retry_failed: o.RetryOption = False,
    debug: o.DebugOption = False,
) -> None:
    """Run the experiments of a PAPER again and print its numbers beside ours.

    Every finished cell is kept in results.csv of the output directory, which the papers share: after an
    interruption, the same command goes on from there. For each paper the directory gets a report, PAPER.html,
    and a directory PAPER with every table as text, Markdown, LaTeX and CSV.
    """
    import warnings

    from seminaive.cli.output import share_bar, use_files_for_figures
    from seminaive.evaluate.views import TextTable
    from seminaive.papers import PAPERS
    from seminaive.papers.data_sets import MissingData
    from seminaive.papers.report import headline
    from seminaive.papers.reproduction import reproduce

    use_files_for_figures()
    chosen = [which for which in Which if which is not Which.ALL] if paper is Which.ALL else [paper]
    without: list[str] = []
    headlines: dict[str, dict[str, str]] = {}
    for key in chosen:
        try:
            with share_bar(key) as progress:
                result = reproduce(
                    PAPERS[key],
                    data,
                    quick=quick,
                    store=output / "results.csv",
                    n_jobs=jobs,
                    download=not no_download,
                    retry_failed=retry_failed,
                    progress=progress,
                )
        except MissingData as error:
            without.append(f"{error} (--data DIR, or the environment variable SEMINAIVE_DATA)")
        else:
            headlines[key] = headline(result)
            _show(result, output)
    if len(without) == len(chosen):
        raise ValueError(without[0])
    if len(headlines) > 1:
        columns = list(dict.fromkeys(what for values in headlines.values() for what in values))
        rows = [[key, *(values.get(what) for what in columns)] for key, values in headlines.items()]
        typer.echo(TextTable("All papers", ["paper", *columns], rows).to_text())
    for message in without:
        warnings.warn(message, UserWarning, stacklevel=2)


def _show(result: Reproduction, output: Path) -> None:
    """Print what matters most; everything goes to files."""
    from seminaive.evaluate.experiment_report import failures
    from seminaive.evaluate.report import write_text
    from seminaive.papers.report import reproduction_report, tables_met, unprinted, write_tables

    key = result.paper.key
    report, tables = output / f"{key}.html", output / key
    write_tables(result, tables)
    write_text(report, reproduction_report(result))
    typer.echo(f"{result.paper.title}\n")
    for table in [tables_met(result)] if result.paper.tables else unprinted(result):
        typer.echo(f"{table.to_text()}\n")
    n_found, n_all = len(result.found), len(result.paper.data_sets)
    why = "; the report says why the others are missing" if result.absent else ""
    typer.echo(f"Data sets: {n_found} of {n_all}{why}.\n")
    typer.echo(f"{result.claims().to_text()}\n")
    for line in _records(result):
        typer.echo(line)
    failed = failures(result.errors)
    if failed:
        typer.echo(f"\n{failed.to_text()}")
    typer.echo(f"\nReport: {report}\nTables: {tables}\n")


def _records(result: Reproduction) -> list[str]:
    """Wins, draws and losses of the last row of each printed table, the paper's own classifier."""
    lines = []
    for printed in result.paper.records:
        table = result.records(printed)
        if not table.rows:
            continue
        name, *cells = table.rows[-1]
        pairs = zip(table.columns[1:], cells, strict=True)
        against = ", ".join(f"{other} {cell}" for other, cell in pairs if cell is not None)
        text = f"{table.title}: {name} against {against}"
        lines.append(textwrap.fill(text, WIDTH, subsequent_indent="  "))
    return lines
