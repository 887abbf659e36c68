"""``seminaive compare``: classifiers on several files, with statistics and a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seminaive.cli import options as o

if TYPE_CHECKING:
    from seminaive.evaluate.experiments import ExperimentResults, TableData

MODELS = "NaiveBayes,TAN,KDB,AODE"
SAMPLES = 10  # training samples of bias and variance


def compare(
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="DATA",
            help="CSV, TSV, Parquet, Arrow IPC or ARFF files; FILE:COLUMN where the target has another name.",
            show_default=False,
        ),
    ],
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column to be predicted, of every file without one of its own.",
            show_default=False,
        ),
    ] = None,
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--models",
            "-m",
            metavar="NAMES",
            help=f"Of {o._NAMED}; comma-separated, repeatable; all for all of them.",
            show_default=MODELS,
        ),
    ] = None,
    folds: o.FoldsOption = 10,
    repeats: Annotated[int, typer.Option(min=1, help="How often the cross-validation is repeated.")] = 1,
    bias_variance: Annotated[
        bool,
        typer.Option(
            "--bias-variance",
            help="Also measure bias and variance: a third of the rows to test, ten samples of another third "
            "to train.",
        ),
    ] = False,
    seed: o.SeedOption = 0,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where finished cells and the report go.")
    ] = Path("seminaive-comparison"),
    param: o.ParamOption = None,
    missing: o.MissingOption = None,
    discretizer: o.DiscretizerOption = None,
    smoothing: o.SmoothingOption = o.Smoothing.M_ESTIMATE,
    categorical: o.CategoricalOption = None,
    numeric: o.NumericOption = None,
    drop: o.DropOption = None,
    na_values: o.NaValuesOption = None,
    delimiter: o.DelimiterOption = None,
    jobs: o.ProcessesOption = None,
    retry_failed: o.RetryOption = False,
    debug: o.DebugOption = False,
) -> None:
    """Compare classifiers on several files, test the differences, and write a report.

    By cross-validation: every measure by data set; wins, draws and losses by three rules, kept apart (5 %,
    McNemar's test on each data set, sign test over data sets); Friedman's, Nemenyi's and Wilcoxon's tests;
    costs. Each finished cell is kept in the output directory: after an interruption, the same command goes
    on from there. `seminaive evaluate` is for a quick look at one file, without statistics or a report.

    Names given to --categorical, --numeric and --drop hold for every file that has such a column.
    """
    from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold

    from seminaive.cli.models import make_classifiers
    from seminaive.cli.output import share_bar, use_files_for_figures
    from seminaive.evaluate.experiments import BIAS_VARIANCE, CROSS_VALIDATION, Experiment, run_experiment
    from seminaive.evaluate.resampling import BiasVarianceSplit
    from seminaive.sources.files import check_readable

    places = [_place(argument, target) for argument in data]
    for path, _ in places:
        check_readable(path)
    names = [name.strip() for entry in models or [MODELS] for name in entry.split(",") if name.strip()]
    common = {"missing": missing, "discretizer": discretizer, "smoothing": smoothing.value}
    classifiers = make_classifiers(None if names == ["all"] else names, param, common)
    reading = {
        "categorical": categorical,
        "numeric": numeric,
        "drop": drop,
        "na_values": na_values,
        "delimiter": delimiter,
    }
    splitters: dict[str, Any] = {}
    if repeats == 1:
        splitters[CROSS_VALIDATION] = StratifiedKFold(folds, shuffle=True, random_state=seed)
    else:
        splitters[CROSS_VALIDATION] = RepeatedStratifiedKFold(
            n_splits=folds, n_repeats=repeats, random_state=seed
        )
    if bias_variance:
        splitters[BIAS_VARIANCE] = BiasVarianceSplit(SAMPLES, random_state=seed)
    files = _data_sets(places, reading, folds)
    experiment = Experiment(files, classifiers, splitters)
    use_files_for_figures()
    with share_bar("compare") as progress:
        results = run_experiment(
            experiment,
            store=output / "results.csv",
            n_jobs=jobs,
            retry_failed=retry_failed,
            progress=progress,
        )
    if len(results.errors) == len(results.records):
        first = results.errors[0]
        raise ValueError(f"every classifier failed; {first.classifier} on {first.data_set}: {first.error}")
    notes = [
        f"{f'{repeats} times ' if repeats > 1 else ''}{folds} folds, stratified by class, rows shuffled by "
        f"seed {seed}. Everything is learned anew in every fold, the intervals of numeric columns included.",
        *(["McNemar's test is on the first repetition, which has every row once."] if repeats > 1 else []),
        *(
            [f"Bias and variance: {SAMPLES} training samples, each of a third of the rows, seed {seed}."]
            if bias_variance
            else []
        ),
        *(f"{name}: {model!r}" for name, model in classifiers.items()),
        *(f"{file.name}: {file.path}, target {file.target}" for file in files),
    ]
    _show(results, notes, output)


def _show(results: ExperimentResults, notes: Sequence[str], output: Path) -> None:
    """Print what matters most; everything goes to files."""
    from seminaive.cli.tables import number
    from seminaive.evaluate.experiment_report import (
        experiment_sections,
        failures,
        left_out,
        overview,
        win_draw_loss_tables,
    )
    from seminaive.evaluate.report import html_report, tables_of, write_tables, write_text
    from seminaive.evaluate.statistics import analyse

    sections = experiment_sections(results, notes=notes)
    report, tables = output / "comparison.html", output / "comparison"
    write_tables(tables_of(sections), tables)
    n_sets, n_models = len(results.experiment.data_sets), len(results.experiment.classifiers)
    title = f"{number(n_models, 'classifier')} on {number(n_sets, 'data set')}"
    write_text(report, html_report(title, sections, lead=notes[0]))
    errors = results.table("zero_one_loss")
    shown = [overview(results), *([errors] if n_sets > 1 else []), *win_draw_loss_tables(results)]
    if n_sets > 1 and n_models > 1:
        analysis = analyse(errors)
        shown += [part for part in (analysis.friedman, analysis.nemenyi) if part]
    shown += [part for part in [failures(results.errors)] if part]
    for part in shown:
        typer.echo(f"\n{part.to_text()}")
    for line in left_out(results):
        typer.echo(f"\n{line}")
    typer.echo(f"\nReport: {report}\nTables: {tables}")


@dataclass(frozen=True)
class FileData:
    """A file as a data set; small, so that every process reads it itself."""

    name: str
    path: Path
    target: str
    reading: Mapping[str, Any]
    n_rows: int
    n_attributes: int

    def fingerprint(self) -> str:
        """Digest of the file, and how it is read."""
        import hashlib

        with self.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return f"file {digest} {self.target!r} {sorted(self.reading.items())!r} {self.path.suffixes}"

    def load(self) -> TableData:
        """Read the rows."""
        import warnings

        from seminaive.cli.tables import load_training
        from seminaive.evaluate.experiments import TableData

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # told when the file was read first
            training = load_training(self.path, self.target, **self.reading, absent=set())
        return TableData(self.name, training.X, training.y, reading=training.encoding)


def _place(argument: str, target: str | None) -> tuple[Path, str]:
    """FILE:COLUMN, or FILE with the target of all."""
    head, _, column = argument.rpartition(":")
    if len(head) > 1 and column and not Path(argument).exists():  # one letter is a drive of Windows
        return Path(head), column
    if target is None:
        raise ValueError(
            f"which column of {argument} is to be predicted? add --target COLUMN, or write {argument}:COLUMN"
        )
    return Path(argument), target


def _data_sets(places: Sequence[tuple[Path, str]], reading: Mapping[str, Any], folds: int) -> list[FileData]:
    """Read every file once: say what it holds, and refuse what cannot be run before anything is."""
    import warnings

    from seminaive.cli.tables import load_training

    data_sets, rare = [], []
    lacking: list[set[str]] = []
    for (path, target), name in zip(places, _names(places), strict=True):
        lacking.append(set())
        training = load_training(path, target, **reading, absent=lacking[-1])
        typer.echo(training.describe())
        sizes = Counter(training.y.tolist()).values()
        if max(sizes) < folds:
            raise ValueError(f"{path}: no class of {target!r} has {folds} rows; use fewer --folds")
        if min(sizes) < folds:
            rare.append(name)
        size = training.X.num_rows, training.X.num_columns
        data_sets.append(FileData(name, path, target, reading, *size))
    nowhere = sorted(set.intersection(*lacking))
    if nowhere:
        raise ValueError(f"--categorical, --numeric or --drop: no file has a column {nowhere[0]!r}")
    if rare:
        warnings.warn(
            f"Some class has fewer rows than there are folds ({folds}) in {', '.join(rare)}: such a class is "
            "absent from some test parts.",
            UserWarning,
            stacklevel=2,
        )
    return data_sets


def _names(places: Sequence[tuple[Path, str]]) -> list[str]:
    """Short names of the files; with the target, then the whole path, where these are not different."""
    names: list[str] = []
    for shape in (
        lambda path, target: path.name.partition(".")[0],
        lambda path, target: f"{path.name.partition('.')[0]}:{target}",
        lambda path, target: f"{path}:{target}",
    ):
        names = [shape(path, target) for path, target in places]
        if len(set(names)) == len(names):
            break
    else:
        raise ValueError(f"{max(names, key=names.count)} is given twice")
    return names
