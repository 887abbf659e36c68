"""Training rows in an order of their own, equal rows put together: for whatever is drawn at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seminaive.data.columns import ascending
from seminaive.data.schema import Attribute, Schema
from seminaive.learn.leave_one_out import TrainingRows

__all__ = ["Copies", "in_own_order"]

_MOST = 32  # copies that are kept apart


@dataclass(eq=False)
class Copies:
    """Rows in an order that only what they hold decides.

    Attributes
    ----------
    codes : ndarray of shape (n_attributes, n_rows), unsigned
    labels : ndarray of int64, shape (n_rows,)
    weights : ndarray of float64, shape (n_rows,)
    left_out : ndarray of float64, shape (n_rows,)
        What the counts lose when a row is left out.
    """

    codes: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    left_out: np.ndarray

    @property
    def n_rows(self) -> int:
        """Rows, weights left out of account."""
        return len(self.labels)

    def check(self, n_values: np.ndarray, n_classes: int) -> None:
        """ValueError unless all codes are values or "not observed", and all labels classes."""
        shape = (len(n_values), self.n_rows)
        if self.codes.shape != shape or self.codes.dtype.kind != "u" or self.labels.dtype != np.int64:
            raise ValueError("the rows are not those of the attributes")
        for part in (self.weights, self.left_out):
            if part.dtype != np.float64 or part.shape != shape[1:] or not (part > 0).all():
                raise ValueError("the weights of rows make no sense")
        if not self.n_rows or (self.codes > n_values[:, None]).any():
            raise ValueError("rows hold values that do not exist")
        if not ((self.labels >= 0) & (self.labels < n_classes)).all():
            raise ValueError("rows are of classes that do not exist")

    @property
    def count_weights(self) -> np.ndarray | None:
        """Weights for counting; None where each row counts 1."""
        return None if (self.weights == 1).all() else self.weights


def in_own_order(rows: TrainingRows, schema: Schema) -> Copies:
    """Sort rows by what they hold, so that neither their order nor weights in place of copies matter.

    Nor does the order in which categories were declared.

    A row of weight k becomes k rows, up to 32; then they share the weight.

    Parameters
    ----------
    rows : TrainingRows
    schema : Schema
        Of their codes.

    Examples
    --------
    >>> import numpy as np
    >>> from seminaive.data.schema import Attribute
    >>> codes, labels = np.array([[1, 0]], dtype=np.uint8), np.array([0, 1])
    >>> rows = TrainingRows(codes, labels, np.array([2.0, 1.0]), np.array([2.0, 1.0]))
    >>> in_own_order(rows, Schema((Attribute("size", "categorical", ("L", "M")),))).codes
    array([[0, 1, 1]], dtype=uint8)
    """
    labels = rows.labels.astype(np.int64)
    weights = rows.all_weights.astype(np.float64)
    copies = np.ones(rows.n_rows) if rows.copies is None else rows.copies
    keys = [_ranks(attribute)[codes] for attribute, codes in zip(schema.attributes, rows.codes, strict=True)]
    order = np.lexsort((weights, labels, *keys[::-1]))
    codes, labels, weights, copies = rows.codes[:, order], labels[order], weights[order], copies[order]
    differs = (codes[:, 1:] != codes[:, :-1]).any(axis=0) | (labels[1:] != labels[:-1])
    first = np.flatnonzero(np.concatenate([[True], differs]))
    weights, copies = np.add.reduceat(weights, first), np.add.reduceat(copies, first)
    number = np.clip(copies, 1, _MOST).astype(np.int64)
    kept = np.repeat(first, number)
    return Copies(
        np.ascontiguousarray(codes[:, kept]),
        labels[kept],
        np.repeat(weights / number, number),
        np.repeat(weights / copies, number),
    )


def _ranks(attribute: Attribute) -> np.ndarray:
    """The place of every code in the ascending order of values."""
    ranks = np.arange(attribute.n_values + 1, dtype=np.min_scalar_type(attribute.n_values))
    if attribute.cut_points is None:
        place = {value: rank for rank, value in enumerate(ascending(attribute.values))}
        ranks[: len(place)] = [place[value] for value in attribute.values]
    return ranks
