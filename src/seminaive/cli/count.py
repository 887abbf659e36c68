"""``seminaive count``: the counts of a file, from which any classifier can be learned later."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from seminaive.cli import options as o


def count(
    data: Annotated[
        list[Path],
        typer.Argument(
            metavar="DATA",
            help="CSV, TSV, Parquet, Arrow IPC or ARFF file; or several, or a folder of them, of one kind.",
            show_default=False,
        ),
    ],
    target: o.TargetOption,
    output: o.CountsOutputOption,
    schema: Annotated[
        Path | None,
        typer.Option(
            metavar="COUNTS",
            help="Counts file of another part, whose cut points and values are taken over, so that both can "
            "be merged.",
            show_default=False,
        ),
    ] = None,
    families_of: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Count also the families that this classifier needs by the counts of --schema, or of files "
            "that are read in batches; such as those of KDB.",
            show_default=False,
        ),
    ] = None,
    pairs: Annotated[
        bool, typer.Option(help="Count every pair of attributes; naive Bayes needs none.")
    ] = True,
    param: o.ParamOption = None,
    missing: o.MissingOption = o.Missing.IGNORE,
    discretizer: o.DiscretizerOption = o.Discretizer.MDLP,
    categorical: o.CategoricalOption = None,
    numeric: o.NumericOption = None,
    drop: o.DropOption = None,
    weight: o.WeightOption = None,
    na_values: o.NaValuesOption = None,
    delimiter: o.DelimiterOption = None,
    stream: o.StreamOption = False,
    checkpoint: o.CheckpointOption = None,
    jobs: o.JobsOption = None,
    debug: o.DebugOption = False,
) -> None:
    """Count DATA and write a counts file.

    Counts of several files add up (`seminaive merge`) and make any classifier whose structure they can tell
    (`seminaive fit --counts`): count once, try every classifier. Several files, folders, files too large for
    memory, and all with --stream are read in batches and never held in memory.
    """
    from time import perf_counter

    from seminaive import Counts, TableEncoder
    from seminaive.cli.models import load_counts, make_classifiers
    from seminaive.cli.streams import are_streamed
    from seminaive.cli.tables import load_part, load_training
    from seminaive.sources.files import check_readable, check_writable

    check_writable(output, table=False)
    reading: Any = {"weight": weight, "na_values": na_values, "delimiter": delimiter}
    columns: Any = {"categorical": categorical, "numeric": numeric, "drop": drop}
    read_as = (missing or o.Missing.IGNORE).value, (discretizer or o.Discretizer.MDLP).value
    families: Any = ()
    if families_of is not None:
        ((_, families),) = make_classifiers([families_of], param, {}).items()
    if are_streamed(data, stream or checkpoint is not None):
        if schema is not None:
            raise ValueError(
                "--schema is for one file that fits in memory; files that are read in batches are counted "
                "together: name them all"
            )
        _count_batches(data, target, output, read_as, families, pairs, checkpoint, jobs, columns | reading)
        return
    (table,) = data
    check_readable(table)
    encoder, like = None, None
    if schema is None:
        if families_of is not None:
            raise ValueError("--families-of needs --schema, whose counts decide the families")
        training = load_training(table, target, **columns, **reading)
        encoder = TableEncoder(missing=read_as[0], discretizer=read_as[1], **training.encoding)
    else:
        if any(columns.values()):
            raise ValueError("--categorical, --numeric and --drop are settled by --schema; leave them out")
        like = load_counts(schema)
        families = families.families(like) if families_of is not None else ()
        training = load_part(table, target, like.encoder, **reading)
    typer.echo(training.describe())
    start = perf_counter()
    counts = Counts.of(
        training.X,
        training.y,
        training.weights,
        encoder=encoder,
        like=like,
        pairs=pairs,
        families=families,
        n_jobs=jobs,
    )
    seconds = perf_counter() - start
    counts.save(output)
    typer.echo(f"counted in {seconds:.2f} s, {counts.tables.nbytes:,} bytes of tables, written to {output}")


def _count_batches(
    data: list[Path],
    target: str,
    output: Path,
    read_as: tuple[str, str],
    families: Any,
    pairs: bool,
    checkpoint: Path | None,
    jobs: int | None,
    reading: dict[str, Any],
) -> None:
    from time import perf_counter

    from seminaive import TableEncoder, count_source
    from seminaive.cli.streams import batch_bar, source_of
    from seminaive.cli.tables import split_names

    names = {key: split_names(reading[key]) for key in ("categorical", "numeric", "drop")}
    source = source_of(data, target=target, **{**reading, **names})
    encoder = TableEncoder(
        missing=read_as[0],
        discretizer=read_as[1],
        categorical_features=names["categorical"] or "from_dtype",
    )
    typer.echo(f"{len(source.parts)} file(s), read in batches")
    start = perf_counter()
    with batch_bar("count") as progress:
        counts = count_source(
            source,
            encoder=encoder,
            pairs=pairs,
            families=families,
            n_jobs=jobs,
            checkpoint=checkpoint,
            progress=progress,
        )
    seconds = perf_counter() - start
    counts.save(output)
    typer.echo(
        f"counted {counts.n_rows:,} rows in {seconds:.2f} s, {counts.tables.nbytes:,} bytes of tables, "
        f"written to {output}"
    )
