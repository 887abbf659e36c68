"""The verbs together, and what happens when one of them fails or warns."""

from __future__ import annotations

import contextlib
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import seminaive
from seminaive.cli.compare import compare
from seminaive.cli.count import count
from seminaive.cli.demo import demo
from seminaive.cli.evaluate import evaluate
from seminaive.cli.explain import explain
from seminaive.cli.fit import fit
from seminaive.cli.info import info
from seminaive.cli.merge import merge
from seminaive.cli.predict import predict
from seminaive.cli.report import report
from seminaive.cli.reproduce import reproduce

FAILURE = 2


class OneLineErrors(TyperGroup):
    """Every failure is one line on stderr and exit code 2; ``--debug`` adds the traceback."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        arguments = sys.argv[1:] if args is None else list(args)
        options["standalone_mode"] = False
        try:
            with _one_line_warnings():
                code = super().main(arguments, *rest, **options)
        except typer.Abort:
            code = 1
        except Exception as error:
            if "--debug" in arguments:
                traceback.print_exc()
            _say("error", _message(error), typer.colors.RED)
            code = FAILURE
        sys.exit(code if isinstance(code, int) else 0)


def _message(error: Exception) -> str:
    usage = getattr(error, "format_message", None)  # the command line itself is wrong
    if usage is not None:
        return f"{usage().rstrip('.')} (see --help)"
    if isinstance(error, ValueError | TypeError | OSError | MemoryError) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error} (unexpected; --debug shows where)"


@contextlib.contextmanager
def _one_line_warnings() -> Iterator[None]:
    told: set[str] = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if str(message) not in told:
            told.add(str(message))
            _say("warning", str(message), typer.colors.YELLOW)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _say(kind: str, message: str, colour: str) -> None:
    typer.secho(f"{kind}: ", fg=colour, nl=False, err=True)
    typer.echo(" ".join(message.split()), err=True)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"seminaive {seminaive.__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=OneLineErrors,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(demo)
app.command()(evaluate)
app.command()(compare)
app.command()(fit)
app.command()(predict)
app.command()(explain)
app.command()(report)
app.command()(info)
app.command()(count)
app.command()(merge)
app.command()(reproduce)


@app.callback()
def seminaive_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Bayesian network classifiers for tables: compare them, fit one, predict with it.

    Reads CSV, TSV, Parquet, Arrow IPC (Feather) and ARFF files; text and ARFF also gzip-compressed.
    """


def main() -> None:
    """Run the command line."""
    app(prog_name="seminaive")
