"""Options that several verbs share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from seminaive.classifiers import _CLASSIFIERS  # names only: nothing heavy is loaded

_NAMED = ", ".join(_CLASSIFIERS)
_COLUMNS = "Columns"
_MODEL = "Model"
_FILE = "Text files"


class Missing(StrEnum):
    """What a missing value means."""

    IGNORE = "ignore"
    VALUE = "value"
    IMPUTE = "impute"


class Discretizer(StrEnum):
    """How numeric columns become intervals."""

    MDLP = "mdlp"
    EQUAL_FREQUENCY = "equal-frequency"
    EQUAL_WIDTH = "equal-width"


class Smoothing(StrEnum):
    """How counts become probabilities."""

    M_ESTIMATE = "m-estimate"
    LAPLACE = "laplace"
    HIERARCHICAL = "hierarchical"


DataArgument = Annotated[
    Path,
    typer.Argument(metavar="DATA", help="CSV, TSV, Parquet, Arrow IPC or ARFF file.", show_default=False),
]
DATA_FILES = typer.Argument(
    metavar="DATA",
    help="CSV, TSV, Parquet, Arrow IPC or ARFF file; or several, or a folder of them, of one kind.",
    show_default=False,
)
DataFilesArgument = Annotated[list[Path], DATA_FILES]
ModelArgument = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL",
        help="Model file that `seminaive fit` wrote.",
        show_default=False,
    ),
]
CountsOutputOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="Counts file to write.", show_default=False)
]
TargetOption = Annotated[
    str, typer.Option("--target", "-t", metavar="COLUMN", help="Column to be predicted.", show_default=False)
]
ClassifierOption = Annotated[
    str, typer.Option("--classifier", "-c", metavar="NAME", help=f"One of {_NAMED}.", show_default=False)
]
ClassifiersOption = Annotated[
    list[str] | None,
    typer.Option(
        "--classifier", "-c", metavar="NAME", help=f"One or several of {_NAMED}; repeatable. Default: all."
    ),
]
ParamOption = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        "-p",
        metavar="NAME=VALUE",
        help="Parameter of the classifier, for instance k=1; repeatable.",
        rich_help_panel=_MODEL,
    ),
]
CategoricalOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Columns of numbers that are categories; comma-separated, repeatable.",
        rich_help_panel=_COLUMNS,
    ),
]
NumericOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Columns that must hold numbers; comma-separated, repeatable.",
        rich_help_panel=_COLUMNS,
    ),
]
DropOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAMES",
        help="Columns to leave out, such as row numbers; comma-separated, repeatable.",
        rich_help_panel=_COLUMNS,
    ),
]
WeightOption = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Column of the weight of every row: weight k counts like k copies of it.",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]
NaValuesOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="MARKERS",
        help="What stands for a missing value besides an empty field; comma-separated, repeatable. "
        "Default: NA, N/A, NaN, nan, null, NULL and ?",
        rich_help_panel=_FILE,
    ),
]
DelimiterOption = Annotated[
    str | None,
    typer.Option(
        metavar="CHARACTER",
        help="Field separator. Default: tab in .tsv files, else whichever of , ; tab | is most frequent "
        "in the header.",
        rich_help_panel=_FILE,
    ),
]
StreamOption = Annotated[
    bool,
    typer.Option("--stream", help="Read the file in batches, whatever its size.", rich_help_panel=_FILE),
]
CheckpointOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="While files are read in batches: what has been counted, so that the same command goes on "
        "after an interruption. Removed at the end.",
        show_default=False,
    ),
]
MissingOption = Annotated[
    Missing | None,
    typer.Option(
        help="Missing values: left out of every count and product, a value of their own, or imputed. "
        "Default: ignore, and value in AveragedNetworks.",
        rich_help_panel=_MODEL,
    ),
]
DiscretizerOption = Annotated[
    Discretizer | None,
    typer.Option(
        help="How numeric columns are cut into intervals. Default: mdlp; AveragedNetworks has its own way.",
        rich_help_panel=_MODEL,
    ),
]
SmoothingOption = Annotated[
    Smoothing, typer.Option(help="How counts become probabilities.", rich_help_panel=_MODEL)
]
FoldsOption = Annotated[int, typer.Option(min=2, help="Folds of the cross-validation.")]
SeedOption = Annotated[int, typer.Option(min=0, help="Seed of the division into folds.")]
JobsOption = Annotated[
    int | None, typer.Option(metavar="N", help="Threads; -1 for one per core.", show_default="1")
]
ProcessesOption = Annotated[
    int | None, typer.Option("--jobs", metavar="N", help="Processes; -1 for one per core.", show_default="1")
]
RetryOption = Annotated[bool, typer.Option("--retry-failed", help="Run again what failed before.")]
DebugOption = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
