"""``seminaive count``: the counts of a file, from which any classifier can be learned later."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from seminaive.cli import options as o


def count(
    data: o.DataArgument,
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
            help="Count also the families that this classifier needs by the counts of --schema, such as "
            "those of KDB.",
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
    jobs: o.JobsOption = None,
    debug: o.DebugOption = False,
) -> None:
    """Count DATA and write a counts file.

    Counts of several files add up (`seminaive merge`) and make any classifier whose structure they can tell
    (`seminaive fit --counts`): count once, try every classifier.
    """
    from time import perf_counter

    from seminaive import Counts, TableEncoder
    from seminaive.cli.models import load_counts, make_classifiers
    from seminaive.cli.tables import load_part, load_training
    from seminaive.sources.files import check_readable, check_writable

    check_readable(data)
    check_writable(output, table=False)
    reading: Any = {"weight": weight, "na_values": na_values, "delimiter": delimiter}
    encoder, like, families = None, None, []
    if schema is None:
        if families_of is not None:
            raise ValueError("--families-of needs --schema, whose counts decide the families")
        training = load_training(data, target, categorical=categorical, numeric=numeric, drop=drop, **reading)
        read_as = (missing or o.Missing.IGNORE).value, (discretizer or o.Discretizer.MDLP).value
        encoder = TableEncoder(missing=read_as[0], discretizer=read_as[1], **training.encoding)
    else:
        if categorical or numeric or drop:
            raise ValueError("--categorical, --numeric and --drop are settled by --schema; leave them out")
        like = load_counts(schema)
        if families_of is not None:
            ((_, model),) = make_classifiers([families_of], param, {}).items()
            families = model.families(like)
        training = load_part(data, target, like.encoder, **reading)
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
