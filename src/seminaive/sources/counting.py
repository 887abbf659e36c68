"""Counts of a source: the passes that they take, whatever the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from seminaive.counts.family import Family
from seminaive.counts.labelled import Counts, family_positions
from seminaive.counts.plan import CountPlan, default_memory_limit
from seminaive.counts.tallies import (
    ClassTally,
    CodedBlock,
    CountTally,
    FamilyTally,
    FrequencyTally,
    Target,
    ValueTally,
    sorted_classes,
)
from seminaive.data.discretize import Discretizer
from seminaive.data.encode import TableEncoder
from seminaive.data.schema import Attribute, Schema
from seminaive.data.settings import Settings
from seminaive.data.table import FrameTable, is_missing
from seminaive.data.target import class_factors
from seminaive.sources.base import Source, SourceError
from seminaive.sources.checkpoint import Passes, Progress

__all__ = ["MAX_DISTINCT", "SourceCounter", "count_source"]

MAX_DISTINCT = 65_536


class SourceCounter:
    """Reads and counts a source in as few passes as it takes.

    One pass over class and weight where ``class_weight`` is given; one over the numeric columns where there
    are any; one over categorical columns where rows carry weights and missing values are imputed; one that
    counts; and one for every set of families.

    Parameters
    ----------
    source : Source
    encoder : TableEncoder
        Says how columns are read.
    class_weight : "balanced", dict or None
    max_distinct : int
        Distinct values of a numeric column up to which its cut points are those of all values.
    memory_limit : int
        Bytes of tables.
    n_jobs : int or None
        Threads that count.
    checkpoint : path-like or None
    options : mapping of str
        What else decides what is counted, for the checkpoint.
    progress : callable or None
    """

    def __init__(
        self,
        source: Source,
        encoder: TableEncoder,
        *,
        class_weight: Any = None,
        max_distinct: int = MAX_DISTINCT,
        memory_limit: int,
        n_jobs: int | None = None,
        checkpoint: Any = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress | None = None,
    ) -> None:
        if source.target is None:
            raise SourceError("The source does not say which column is the class: give it target=.")
        if not isinstance(max_distinct, int | np.integer) or max_distinct < 16:
            raise ValueError(f"max_distinct must be an integer >= 16, got {max_distinct!r}.")
        self.source, self.encoder = source, encoder
        self.class_weight, self.max_distinct = class_weight, max_distinct
        self.memory_limit, self.n_jobs = memory_limit, n_jobs
        self.target = Target(source.target, source.weight)
        own = [name for name in (source.target, source.weight) if name is not None]
        self.names = [name for name in source.schema.names if name not in own]
        if not self.names:
            raise SourceError(f"There is no column besides {own} to learn from.")
        self._own = own
        self._settings = Settings(encoder, _empty_table(source, self.names))
        self.label_dtype = _label_dtype(source.schema.field(source.target).type)
        decides = {
            "columns": {field.name: str(field.type) for field in source.schema},
            "target": source.target,
            "weight": source.weight,
            "declared": source.declared,
            "class_weight": class_weight,
            "max_distinct": int(max_distinct),
            **{name: value for name, value in encoder.get_params(deep=False).items() if name != "unseen"},
            **(options or {}),
        }
        self.passes = Passes(source, decides, checkpoint, progress)

    def count(
        self, plan_of: Callable[[Schema], CountPlan], keeps_rows: bool = False
    ) -> tuple[Counts, CodedBlock | None]:
        """Counts by a plan, or of single attributes and the codes of all rows; numeric columns come first."""
        attributes = self._attributes()
        plan = plan_of(Schema(tuple(attributes)))
        tally = CountTally(self.target, attributes, plan, self.memory_limit, self.n_jobs, keeps_rows)
        if keeps_rows and self.source.n_rows is not None:
            tally.check_rows(self.source.n_rows)
        return self.run("counting", tally).finish(self.encoder, self._settings.missing, self.label_dtype)

    def families(
        self, counts: Counts, families: Mapping[tuple[int, ...], bool], name: str
    ) -> dict[tuple[int, ...], Family]:
        """Counts of families, each laid out in full or not, of the rows that were counted."""
        if not families:
            return {}
        return self.run(name, FamilyTally(self.target, counts, families, self.n_jobs)).finish()

    def run(self, name: str, tally: Any) -> Any:
        """A further pass over all columns."""
        return self.passes.run(name, tally, self._columns(self.names))

    def weighted_rows(self, rows: CodedBlock, classes: np.ndarray) -> tuple[Any, Any]:
        """Weights of rows with those of their classes, and how many copies each row stands for."""
        copies = None if rows.weights is None else np.maximum(rows.weights, 1.0)
        if self.target.factors is None:
            return rows.weights, copies
        factors = np.array([self.target.factors.get(label, 1.0) for label in classes.tolist()])[rows.labels]
        return (factors if rows.weights is None else rows.weights * factors), copies

    def _columns(self, names: Sequence[str]) -> list[str]:
        return [*names, *self._own]

    def _attributes(self) -> list[Attribute]:
        """Numeric attributes as they will be, categorical ones with the values that are declared."""
        self._set_factors()
        settings = self._settings
        numeric = [i for i, categorical in enumerate(settings.categorical) if not categorical]
        known: dict[str, Attribute] = {}
        if numeric:
            names = [self.names[i] for i in numeric]
            discretizers = [settings.discretizer_of(i) for i in numeric]
            for name, discretizer in zip(names, discretizers, strict=True):
                if not isinstance(discretizer, Discretizer):
                    raise ValueError(
                        f"Column {name!r}: {type(discretizer).__name__} needs all rows at once. Use 'mdlp', "
                        "'equal-frequency' or 'equal-width', or cut the column beforehand."
                    )
            tally = ValueTally(self.target, names, self.max_distinct)
            tally = self.passes.run("numeric columns", tally, self._columns(names))
            rules = [settings.missing[i] for i in numeric]
            known = tally.finish(discretizers, rules, self.label_dtype)
        attributes = [known.get(name) or self._categorical(i) for i, name in enumerate(self.names)]
        imputed = [
            attribute
            for attribute, rule in zip(attributes, settings.missing, strict=True)
            if rule == "impute" and attribute.kind == "categorical"
        ]
        if imputed and self.target.is_weighted:
            columns = self._columns([attribute.name for attribute in imputed])
            frequencies = self.passes.run(
                "most frequent values", FrequencyTally(self.target, imputed), columns
            ).finish()
            attributes = [frequencies.get(attribute.name, attribute) for attribute in attributes]
        return attributes

    def _categorical(self, column: int) -> Attribute:
        name = self.names[column]
        declared = self._settings.declared.get(column, self.source.declared.get(name))
        if declared is None:
            return Attribute(name, "categorical")
        values = [value for value in declared if not is_missing(value)]
        if len(set(values)) < len(values):
            raise ValueError(f"Column {name!r}: values declared twice. Mend categories={{{name!r}: [...]}}.")
        return Attribute(name, "categorical", tuple(values), declared=True)

    def _set_factors(self) -> None:
        if self.class_weight is None:
            return
        tally = self.passes.run("classes", ClassTally(self.target), list(self._own))
        classes, places = sorted_classes(tally.rows.classes, self.label_dtype)
        totals = np.zeros(len(classes))
        totals[places] = tally.totals
        factors = class_factors(self.class_weight, classes, totals)
        by_label = dict(zip(classes.tolist(), factors.tolist(), strict=True))
        self.target = Target(self.target.name, self.target.weight, by_label)


def count_source(
    source: Source,
    *,
    encoder: TableEncoder | None = None,
    pairs: bool = True,
    families: Any = (),
    max_distinct: int = MAX_DISTINCT,
    memory_limit: int | None = None,
    n_jobs: int | None = None,
    checkpoint: Any = None,
    progress: Progress | None = None,
) -> Counts:
    """Count the rows of a source: count once, try every classifier.

    Parameters
    ----------
    source : Source
        Of ``scan_parquet`` and the like, with a target.
    encoder : TableEncoder, default=None
        Says how columns are read; it is not changed. None is ``TableEncoder()``.
    pairs : bool, default=True
        Whether every pair of attributes is counted; naive Bayes needs none.
    families : iterable of sequences of column names or positions, or classifier
        Further tables, in one pass more; of a classifier those that it needs by the other counts.
    max_distinct : int, default=65536
        Distinct values of a numeric column up to which its cut points are those of all values; above it
        neighbouring values share a bin. See "Beyond memory" in the documentation.
    memory_limit : int, default=None
        Bytes for tables; None is half of the free memory.
    n_jobs : int, default=None
        Threads that count, beside the one that reads.
    checkpoint : path-like, default=None
        File from which counting goes on after an interruption; removed at the end.
    progress : callable, default=None
        Called as ``progress(share, what)`` after every batch.

    Returns
    -------
    Counts
        The same as ``Counts.of`` of all rows at once.

    Raises
    ------
    ValueError
        As in ``Counts.of``; also where files cannot be read or do not go together, and for ``families`` of a
        classifier that such counts do not suffice for.
    TypeError
        ``families`` is the class of a classifier.
    MemoryError
        If the tables do not fit.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from seminaive import AODE, NaiveBayes, count_source, scan_arrow
    >>> table = pa.table({"sky": ["clear", "rain", "rain"], "wind": ["no", "no", "yes"], "go": [1, 0, 0]})
    >>> counts = count_source(scan_arrow(table, target="go"))
    >>> [model.fit_counts(counts).predict(table.drop(["go"])).tolist() for model in (NaiveBayes(), AODE())]
    [[1, 0, 0], [1, 0, 0]]
    """
    limit = default_memory_limit() if memory_limit is None else memory_limit
    encoder = TableEncoder() if encoder is None else clone(encoder)
    if isinstance(families, type):
        raise TypeError(f"families= needs a classifier: {families.__name__}(), not the class.")
    decides = hasattr(families, "fit_counts")
    if decides:
        families._check_learns_from_counts(encoder, pairs)
    wanted = [] if decides else [tuple(family) for family in families]
    counter = SourceCounter(
        source,
        encoder,
        max_distinct=max_distinct,
        memory_limit=limit,
        n_jobs=n_jobs,
        checkpoint=checkpoint,
        options={"pairs": pairs, "families": families if decides else wanted},
        progress=progress,
    )
    counts, _ = counter.count(lambda schema: CountPlan(pairs=pairs))
    if decides:
        wanted = families.families(counts)
    if wanted:
        sparse = dict.fromkeys(family_positions(counts.encoder.schema_, wanted), False)
        counts.tables.families.update(counter.families(counts, sparse, "families"))
    counter.passes.close()
    return counts


def _empty_table(source: Source, names: Sequence[str]) -> FrameTable:
    import narwhals as nw

    return FrameTable(nw.from_native(source.schema.empty_table().select(list(names))))


def _label_dtype(data_type: Any) -> Any:
    """The dtype that the classes of a column get: that of its numbers or truth values, else object."""
    import pyarrow as pa

    types = pa.types
    if types.is_dictionary(data_type):
        data_type = data_type.value_type
    if types.is_integer(data_type) or types.is_floating(data_type) or types.is_boolean(data_type):
        return data_type.to_pandas_dtype()
    return object
