"""Fitting, predicting and judging where the rows come from a source, one batch after the other."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seminaive.counts.tallies import LabelledRows, Target
from seminaive.data.checks import shortened
from seminaive.data.record_batches import BatchEncoder
from seminaive.learn.leave_one_out import TrainingRows
from seminaive.persistence.writing import replacing
from seminaive.sources.base import NOTHING, Source, SourceError, kind_of
from seminaive.sources.checkpoint import Progress
from seminaive.sources.counting import SourceCounter

if TYPE_CHECKING:
    import pyarrow as pa

    from seminaive.classifiers.base import BayesianNetworkClassifier

__all__ = ["fit_source", "predict_source", "scored_batches"]

_SECONDS = 5.0  # between two messages
_logger = logging.getLogger("seminaive")


def fit_source(
    model: BayesianNetworkClassifier, source: Source, checkpoint: Any, max_distinct: int, progress: Any
) -> Any:
    """As ``BayesianNetworkClassifier.fit_source``."""
    model._check_options()
    begin, name = time.perf_counter(), type(model).__name__
    own = {key: value for key, value in model.get_params(deep=False).items() if key not in _IDLE}
    counter = SourceCounter(
        source,
        model._new_encoder(),
        class_weight=model.class_weight,
        max_distinct=max_distinct,
        memory_limit=model._bytes_limit,
        n_jobs=model.n_jobs,
        checkpoint=checkpoint,
        options={"classifier": name, **own},
        progress=progress or (_messages(name) if model.verbose else None),
    )
    counts, rows = counter.count(model._plan, model._keeps_rows)
    encoder, classes = counts.encoder, counts.classes
    if rows is not None:
        weights, copies = counter.weighted_rows(rows, classes)
        fitted = model._learn_from(encoder, classes, TrainingRows(rows.codes, rows.labels, weights, copies))
    else:
        limit, tables = model._bytes_limit, counts.tables
        model._log_class_prior(classes, tables.class_counts)  # raises for one that makes no sense
        structure = model._structure_by_passes(counts, counter)
        further = model._families(structure)
        if further is not None:
            lacking = tables.lacking(further, tables.n_rows, limit)
            tables.families.update(counter.families(counts, lacking, "families"))
        model._log(f"counted {tables.n_rows} rows x {len(tables.schema)} attributes", begin)
        fitted = model._adopt(encoder, classes, tables, structure)
    counter.passes.close()
    return fitted


# what changes no count
_IDLE = ("memory_limit", "n_jobs", "verbose", "unseen")


def predict_source(
    model: BayesianNetworkClassifier, source: Source, out: Any, proba: bool, progress: Any
) -> int:
    """As ``BayesianNetworkClassifier.predict_source``."""
    import pyarrow as pa
    import pyarrow.parquet

    path = Path(os.fspath(out))
    if not path.parent.is_dir():
        raise SourceError(f"{path}: there is no folder {path.parent} to write to.")
    progress = progress or (_messages(type(model).__name__) if model.verbose else None)
    labels = pa.array(model.classes_)
    fields = [("prediction", labels.type)]
    if proba:
        fields += [(f"P({label})", pa.float64()) for label in model.classes_]
    schema, n_rows = pa.schema(fields), 0
    with replacing(path) as stream, pyarrow.parquet.ParquetWriter(stream, schema) as writer:
        for _, probabilities in scored_batches(model, source):
            columns = [labels.take(pa.array(probabilities.argmax(axis=1)))]
            columns += [pa.array(column) for column in probabilities.T] if proba else []
            writer.write_batch(pa.record_batch(columns, schema=schema))
            n_rows += len(probabilities)
            if progress is not None:
                progress(n_rows / source.n_rows if source.n_rows else None, "predicting")
    return n_rows


def scored_batches(
    model: BayesianNetworkClassifier, source: Source, further: Sequence[str] = ()
) -> Iterator[tuple[pa.RecordBatch, np.ndarray]]:
    """Batches of a source, with ``further`` columns, and the probabilities of the classes of their rows."""
    attributes = model.schema_.attributes
    _check_source(source, attributes)
    encoder = BatchEncoder(attributes, grows=False)
    reported: set[int] = set()
    for batch in source.batches([*model.schema_.names, *further]):
        codes, unknown = encoder.encode(batch)
        for i, values in unknown.items():
            if i not in reported:
                model.encoder_._report(attributes[i], values)
                reported.add(i)
        yield batch, model._probabilities(codes)


def target_of(source: Source) -> Target:
    """Class and weight of a source; a `SourceError` where it does not say the class."""
    if source.target is None:
        raise SourceError("The source does not say which column is the class: give it target=.")
    return Target(source.target, source.weight)


def labelled_rows(source: Source, classes: Sequence[Any]) -> LabelledRows:
    """A reader of the classes of a source, which knows some already."""
    return LabelledRows(target_of(source), classes)


def _check_source(source: Source, attributes: Sequence[Any]) -> None:
    """Raise before anything is read what the types of the columns say already."""
    lacking = [attribute.name for attribute in attributes if attribute.name not in source.schema.names]
    if lacking:
        raise SourceError(
            f"The model needs the column {lacking[0]!r}, which the rows do not have. Their columns: "
            f"{shortened(source.schema.names)}."
        )
    for attribute in attributes:
        kind = kind_of(source.schema.field(attribute.name).type)
        if kind == NOTHING:
            continue
        is_text = all(isinstance(value, str) for value in attribute.values)
        if (attribute.kind == "numeric" and kind == "text") or (
            attribute.kind == "categorical" and attribute.values and is_text != (kind == "text")
        ):
            wanted = "text" if attribute.kind == "categorical" and is_text else "numbers"
            raise SourceError(
                f"Column {attribute.name!r} holds {kind}, and held {wanted} in training. Convert it."
            )


def _messages(name: str) -> Progress:
    """A callback that logs how far a pass is, every few seconds."""
    began: dict[str, float] = {}
    last = time.monotonic()

    def tell(share: float | None, what: str) -> None:
        nonlocal last
        now = time.monotonic()
        begin = began.setdefault(what, now)
        if now - last >= _SECONDS:
            last = now
            left = ""
            if share:
                left = f" {100 * share:.0f} %, about {(now - begin) * (1 - share) / share:.0f} s left"
            _logger.info("[%s] %s:%s", name, what, left or f" for {now - begin:.0f} s")

    return tell
