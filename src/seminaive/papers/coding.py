"""Data sets as the papers' program coded them: for every split anew, once for all classifiers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seminaive.classifiers.training_table import TrainingTable
from seminaive.data.discretize import MDLPDiscretizer
from seminaive.papers.data_sets import PaperData, PaperTable

__all__ = ["CodedData", "CodedTable"]


@dataclass(frozen=True)
class CodedData:
    """A data set of an experiment under the papers' protocol.

    Parameters
    ----------
    data : PaperData
        Where the rows are.
    """

    data: PaperData

    @property
    def name(self) -> str:
        """Name in the catalogue."""
        return self.data.name

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.data.n_rows

    @property
    def n_attributes(self) -> int:
        """Number of attributes."""
        return self.data.n_attributes

    def fingerprint(self) -> str:
        """A text that changes when the rows, or the way they are coded, do."""
        return f"coded {self.data.fingerprint()}"

    def load(self) -> CodedTable:
        """Read the rows."""
        return CodedTable(self.data.load())


class CodedTable:
    """Integer codes of a table, numeric columns cut on the training part of each split.

    Missing is a value of its own, the last one, of every column in which any row of the whole table misses
    a value; all declared values and classes count, also those without a row. Cut points are rounded to
    single precision, as the values are: a test value halfway between two others falls left or right as in
    the papers' program.

    Parameters
    ----------
    table : PaperTable

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        0, 1, ...
    codes : ndarray of shape (n_rows,)
        Class of each row.
    """

    def __init__(self, table: PaperTable) -> None:
        self.classes = np.arange(len(table.classes))
        self.codes = table.y
        self._numeric = table.numeric
        n_values = np.array([len(values) for values in table.values], dtype=np.int64)
        missing = table.categorical < 0
        self._categorical = np.where(missing, n_values, table.categorical)
        self._n_values = n_values + missing.any(axis=0)
        # classes without a row count in the papers' stopping rule
        self._discretizer = MDLPDiscretizer(keep_two_valued=False, root_classes="declared", min_split=3)

    def part(self, train: np.ndarray, test: np.ndarray) -> tuple[TrainingTable, np.ndarray]:
        """A table to train on, and the codes of the test rows.

        Parameters
        ----------
        train, test : ndarray of int
            Row numbers.

        Returns
        -------
        TrainingTable
        ndarray of shape (n_test, n_attributes)
        """
        columns, n_values = [self._categorical], self._n_values.tolist()
        for values in self._numeric.T:
            missing = np.isnan(values)
            seen = train[~missing[train]]
            cuts = self._discretizer.cut_points(
                values[seen].astype(np.float64), self.codes[seen], n_classes=len(self.classes)
            )
            codes = np.searchsorted(cuts.astype(np.float32), values)
            codes[missing] = len(cuts) + 1
            columns.append(codes[:, None])
            n_values.append(len(cuts) + 1 + bool(missing.any()))
        X = np.hstack(columns)
        reading = {
            "categorical_features": "all",
            "categories": {column: range(size) for column, size in enumerate(n_values)},
        }
        return TrainingTable(X[train], self.codes[train], classes=self.classes, reading=reading), X[test]
