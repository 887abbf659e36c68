"""What is printed: tables, and a progress bar on terminals only."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from seminaive.evaluate.compare import Comparison, FoldRecord, Spread

WIDTH = 120


def show_table(table: Any) -> None:
    """Print a table or a group of them; where stdout is not a terminal it may be wider than one."""
    from rich.console import Console

    free = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    Console(width=WIDTH if free else None, highlight=False).print(table)


def make_table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, left: Sequence[int] = (0,)) -> Table:
    """A table of plain text; columns not in `left` are right-aligned."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=0, show_edge=False)
    for column, header in enumerate(headers):
        table.add_column(Text(header), justify="left" if column in left else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell, style="bold" if cell.startswith("*") else "") for cell in row))
    return table


@contextlib.contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int, FoldRecord], None] | None]:
    """A callback for `compare` that moves a bar, or None where nobody would see it."""
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)

        def advance(done: int, total: int, record: FoldRecord) -> None:
            progress.update(task, completed=done, total=total, description=f"{title} {record.classifier}")

        yield advance


@contextlib.contextmanager
def share_bar(title: str) -> Iterator[Callable[[float, str], None] | None]:
    """A callback for `run_experiment` that moves a bar, or None where nobody would see it."""
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    # cells differ so much that the time left is estimated from the last ten minutes
    with Progress(*columns, console=console, transient=True, speed_estimate_period=600) as progress:
        task = progress.add_task(title, total=1.0)

        def advance(share: float, what: str) -> None:
            if share < progress.tasks[0].completed:  # the next part begins
                progress.reset(task)
            progress.update(task, completed=share, description=f"{title}, {what}")

        yield advance


def use_files_for_figures() -> None:
    """Keep matplotlib, where it is installed, from looking for a screen."""
    import importlib.util

    if importlib.util.find_spec("matplotlib"):
        import matplotlib

        matplotlib.use("agg")


def run_comparison(
    classifiers: dict[str, Any], X: Any, y: Any, *, folds: int, seed: int, jobs: int | None, debug: bool
) -> Comparison:
    """Cross-validate, show the progress, say which classifiers failed; ValueError if all did."""
    import warnings

    from seminaive.evaluate.compare import compare

    with progress_bar("cross-validation") as progress:
        comparison = compare(
            classifiers, X, y, cv=folds, random_state=seed, n_jobs=jobs, progress=progress, raise_errors=debug
        )
    errors = comparison.errors()
    if all(record.error for record in comparison.records):
        name, error = next(iter(errors.items()))
        raise ValueError(f"every classifier failed; {name}: {error}")
    for name, error in errors.items():
        failed = sum(record.error is not None for record in comparison.records if record.classifier == name)
        warnings.warn(f"{name} failed on {failed} of {folds} folds: {error}", UserWarning, stacklevel=2)
    return comparison


def show_comparison(comparison: Comparison) -> None:
    """The table of losses and times, the best of each column marked."""
    from seminaive.evaluate.metrics import LOSSES

    summary = comparison.summary()
    errors = comparison.errors()
    headers = {**LOSSES, "seconds": "seconds"}
    ranked = [name for name in comparison.classifiers if name not in errors]
    best = {
        measure: min((summary[name][measure].mean for name in ranked), default=math.nan)
        for measure in headers
    }
    rows = [
        [name + (" (failed)" if name in errors else "")]
        + [
            ("*" if name in ranked and summary[name][measure].mean == best[measure] else "")
            + _cell(summary[name][measure], digits=3 if measure == "seconds" else 4)
            for measure in headers
        ]
        for name in comparison.classifiers
    ]
    typer.echo()
    show_table(make_table(["classifier", *headers.values()], rows))
    typer.echo()


def _cell(spread: Spread, *, digits: int) -> str:
    if math.isnan(spread.mean):
        return "-"
    deviation = "" if math.isnan(spread.std) else f"±{spread.std:.3f}"
    return f"{spread.mean:.{digits}f}{deviation}"


LEGEND = (
    "Mean ± standard deviation over {folds} folds; smaller is better, * marks the best.\n"
    "Log loss in nats; RMSE of 1 - P(true class); Brier score summed over the classes\n"
    "(0 to 2); seconds to fit and predict one fold."
)
