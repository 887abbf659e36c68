"""``seminaive count``: the counts of a file, from which any classifier can be learned later."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from seminaive.cli import options as o


def count(
    data: o.DataFilesArgument,
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

    from seminaive import Counts, TableEncoder, count_source
    from seminaive.cli.models import load_counts, make_classifiers
    from seminaive.cli.streams import are_streamed, batch_bar, described, marked, source_of
    from seminaive.cli.tables import load_part, load_training, number
    from seminaive.sources.files import check_readable, check_writable

    check_writable(output, table=False)
    reading: Any = {"weight": weight, "na_values": na_values, "delimiter": delimiter}
    columns: Any = {"categorical": categorical, "numeric": numeric, "drop": drop}
    encoder: Any = TableEncoder(
        missing=(missing or o.Missing.IGNORE).value,
        discretizer=(discretizer or o.Discretizer.MDLP).value,
    )
    counting: Any = {"encoder": encoder, "pairs": pairs, "families": (), "n_jobs": jobs}
    if families_of is not None:
        ((_, counting["families"]),) = make_classifiers([families_of], param, {}).items()
    elif param:
        raise ValueError("--param is a parameter of the classifier that --families-of names; name one")
    if are_streamed(data, stream or checkpoint is not None):
        if schema is not None:
            raise ValueError(
                "--schema is for one file that fits in memory; files that are read in batches are counted "
                "together: name them all"
            )
        encoder.set_params(**marked(categorical))
        source = source_of(data, target=target, **columns, **reading)
        typer.echo(described(source))
        start = perf_counter()
        with batch_bar("count") as progress:
            counts = count_source(source, **counting, checkpoint=checkpoint, progress=progress)
    else:
        (table,) = data
        check_readable(table)
        if schema is None:
            if families_of is not None:
                raise ValueError(
                    "--families-of needs --schema, whose counts decide the families, or --stream"
                )
            training = load_training(table, target, **columns, **reading)
            encoder.set_params(**training.encoding)
        else:
            if any(columns.values()):
                raise ValueError(
                    "--categorical, --numeric and --drop are settled by --schema; leave them out"
                )
            like = load_counts(schema)
            counting |= {"encoder": None, "like": like}
            if families_of is not None:
                counting["families"] = counting["families"].families(like)
            training = load_part(table, target, like.encoder, **reading)
        typer.echo(training.describe())
        start = perf_counter()
        counts = Counts.of(training.X, training.y, training.weights, **counting)
    seconds = perf_counter() - start
    counts.save(output)
    typer.echo(
        f"counted {number(counts.n_rows, 'row')} in {seconds:.2f} s, {counts.tables.nbytes:,} bytes of "
        f"tables, written to {output}"
    )
