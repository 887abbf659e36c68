"""Learning in batches, for classifiers whose structure does not depend on the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from seminaive.data.checks import check_names
from seminaive.data.table import as_column, as_table
from seminaive.data.target import check_sample_weight, encode_target
from seminaive.learn.leave_one_out import TrainingRows

__all__ = ["PartialFitMixin"]


class PartialFitMixin:
    """Adds ``partial_fit`` and keeps the counts that it needs."""

    def partial_fit(self: Any, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Any:
        """Learn from a further batch of rows.

        The first batch decides kinds, cut points and, where ``missing="impute"``, what is imputed. Later
        batches may bring further values of categorical columns, except where these were declared.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), default=None
            All classes that any batch may hold; needed in the first call, where a class without rows counts
            as one in every smoothing formula.
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        object
            The classifier itself.

        Raises
        ------
        ValueError
            As in ``fit``, and for labels outside ``classes``. The classifier then stays as it was.
        """
        self._check_options()
        if self.class_weight == "balanced":
            raise ValueError(
                "class_weight='balanced' needs all rows at once. Give partial_fit a dict of weights."
            )
        first = not hasattr(self, "classes_")
        if first:
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            known = np.unique(np.asarray(classes))
        else:
            known = self.classes_
            if classes is not None and not np.array_equal(known, np.unique(np.asarray(classes))):
                raise ValueError(
                    f"classes={list(classes)} differs from those of the first call, {known.tolist()}."
                )
            check_names(self, X)
        table = as_table(X)
        weights = check_sample_weight(sample_weight, table.n_rows)
        if weights is not None and not weights.all():
            rows = np.flatnonzero(weights)
            check_consistent_length(weights, y)
            table, y, weights = table.take(rows), np.asarray(as_column(y))[rows], weights[rows]
        known, labels = encode_target(y, table.n_rows, known)
        weights = self._class_weighted(known, labels, weights)
        if first:
            encoder = self._new_encoder()
            codes = encoder.learn(X, table, labels, weights, len(known), self.n_jobs)
        else:
            encoder = self.encoder_.extended(table)
            codes = encoder.encode_table(table, self.n_jobs)
        tables, structure = self._count(encoder.schema_, TrainingRows(codes, labels, weights), known)
        if not first:
            tables = self._tables.resized(encoder.schema_) + tables
        return self._adopt(encoder, known, tables, structure)
