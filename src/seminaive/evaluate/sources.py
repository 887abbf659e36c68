"""Losses on rows that never have to fit in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.classifiers.streaming import labelled_rows, scored_batches
from seminaive.data.record_batches import column_numbers
from seminaive.evaluate.metrics import LOSSES, align_probabilities, all_losses
from seminaive.sources.base import Source

__all__ = ["evaluate_source"]


def evaluate_source(model: Any, source: Source, *, progress: Any = None) -> dict[str, float]:
    """Losses of a fitted classifier on the rows of a source.

    Parameters
    ----------
    model : classifier of this package, fitted
    source : Source
        Of ``scan_parquet`` and the like, with a target; its weights, if any, weigh the losses.
    progress : callable, default=None
        Called as ``progress(share, what)`` after every batch.

    Returns
    -------
    dict of str to float
        Keys as in `LOSSES`: zero-one loss, log loss, RMSE and Brier score of all rows together.

    Raises
    ------
    ValueError
        For a source without target, without rows of positive weight, or that lacks a column of the model.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from seminaive import NaiveBayes, scan_arrow
    >>> days = scan_arrow(pa.table({"sky": ["clear", "rain"] * 20, "go": ["yes", "no"] * 20}), target="go")
    >>> evaluate_source(NaiveBayes().fit_source(days), days)["zero_one_loss"]
    0.0
    """
    sums, total = dict.fromkeys(LOSSES, 0.0), 0.0
    rows = labelled_rows(source, model.classes_.tolist())
    own = [name for name in (source.target, source.weight) if name is not None]
    names = [name for name in own if name not in model.schema_.names]
    done = 0
    for batch, probabilities in scored_batches(model, source, names):
        n_rows = batch.num_rows
        kept, codes, weights = rows.read(batch)
        if kept.num_rows < n_rows:
            name = str(source.weight)
            probabilities = probabilities[column_numbers(batch.column(name), name) > 0]
        labels = np.arange(len(rows.classes))
        aligned = align_probabilities(probabilities, labels[: probabilities.shape[1]], labels)
        weight = float(kept.num_rows if weights is None else weights.sum())
        if weight:
            losses = all_losses(
                codes, probabilities.argmax(axis=1), aligned, labels=labels, sample_weight=weights
            )
            for name, loss in losses.items():
                sums[name] += weight * (loss**2 if name == "rmse" else loss)
            total += weight
        done += n_rows
        if progress is not None:
            progress(done / source.n_rows if source.n_rows else None, "evaluating")
    if not total:
        raise ValueError("The source has no row of positive weight.")
    means = {name: value / total for name, value in sums.items()}
    return {**means, "rmse": float(np.sqrt(means["rmse"]))}
