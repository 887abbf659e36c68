"""A data set as the papers' program read it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["PaperTable"]


@dataclass(frozen=True)
class PaperTable:
    """Codes and numbers of a data set; nothing is discretised or filled in.

    Attributes
    ----------
    names : tuple of str
        Categorical attributes first, then numeric ones, each in file order.
    categorical : ndarray of int32, shape (n_rows, n_categorical)
        Positions in `values`; -1 is missing.
    values : tuple of tuple of str
        Declared values of each categorical attribute, in the order of the codes, also those without a row.
    numeric : ndarray of float32, shape (n_rows, n_numeric)
        NaN is missing.
    y : ndarray of int32, shape (n_rows,)
        Positions in `classes`.
    classes : tuple of str
        Declared classes, also those without a row.
    """

    names: tuple[str, ...]
    categorical: np.ndarray
    values: tuple[tuple[str, ...], ...]
    numeric: np.ndarray
    y: np.ndarray
    classes: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)
