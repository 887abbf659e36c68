"""One measure of several classifiers on several data sets."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from seminaive.evaluate.views import Cell, TextTable, Views

__all__ = ["ResultsTable", "results_table"]


@dataclass(frozen=True)
class ResultsTable(Views):
    """A measure by data set and classifier; `results_table` reads one.

    A missing value takes part in nothing. What compares two classifiers uses the data sets that both have;
    what compares all of them, such as ranks, uses the data sets without a gap and names the others.

    Attributes
    ----------
    measure : str
        What the values are.
    data_sets : tuple of str
        Names of the rows.
    classifiers : tuple of str
        Names of the columns.
    values : ndarray of float64, shape (n_data_sets, n_classifiers)
        NaN where missing.
    greater_is_better : bool
        False for a loss.
    """

    measure: str
    data_sets: tuple[str, ...]
    classifiers: tuple[str, ...]
    values: np.ndarray
    greater_is_better: bool = False

    def __post_init__(self) -> None:
        shape = len(self.data_sets), len(self.classifiers)
        if self.values.shape != shape:
            raise ValueError(
                f"values of shape {self.values.shape} are not {shape[0]} data sets by {shape[1]} classifiers"
            )
        for kind, names in (("data set", self.data_sets), ("classifier", self.classifiers)):
            if not names:
                raise ValueError(f"there is no {kind} in the table")
            repeated = sorted({name for name in names if names.count(name) > 1})
            if repeated:
                raise ValueError(f"more than one {kind} is called {', '.join(repeated)}")
        if np.isinf(self.values).any():
            raise ValueError("infinite values cannot be compared; leave the cells empty instead")

    def __getitem__(self, classifier: str) -> np.ndarray:
        """Values of a classifier, shape (n_data_sets,)."""
        return self.values[:, _positions([classifier], self.classifiers, "classifier")[0]]

    def select(
        self, classifiers: Sequence[str] | None = None, data_sets: Sequence[str] | None = None
    ) -> ResultsTable:
        """Return the table of some classifiers or data sets.

        Parameters
        ----------
        classifiers, data_sets : sequence of str, default=None
            Names, in the order wanted. None is all.

        Returns
        -------
        ResultsTable

        Raises
        ------
        ValueError
            A name is not in the table.
        """
        columns = _positions(
            self.classifiers if classifiers is None else classifiers, self.classifiers, "classifier"
        )
        rows = _positions(self.data_sets if data_sets is None else data_sets, self.data_sets, "data set")
        return ResultsTable(
            self.measure,
            tuple(self.data_sets[i] for i in rows),
            tuple(self.classifiers[i] for i in columns),
            self.values[np.ix_(rows, columns)],
            self.greater_is_better,
        )

    @property
    def incomplete(self) -> tuple[str, ...]:
        """Data sets on which some classifier has no value."""
        gaps = np.isnan(self.values).any(axis=1)
        return tuple(name for name, gap in zip(self.data_sets, gaps, strict=True) if gap)

    def complete_names(self) -> list[str]:
        """Data sets on which every classifier has a value."""
        incomplete = set(self.incomplete)
        return [name for name in self.data_sets if name not in incomplete]

    def complete(self) -> ResultsTable:
        """Return the data sets on which every classifier has a value.

        Returns
        -------
        ResultsTable

        Raises
        ------
        ValueError
            There is no such data set.
        """
        whole = self.complete_names()
        if not whole:
            raise ValueError("no data set has a value of every classifier; leave out some of them by select")
        return self.select(data_sets=whole)

    def tables(self) -> list[TextTable]:
        """The values, with the mean over the data sets without a gap as the last row."""
        rows: list[list[Cell]] = [
            [name, *row] for name, row in zip(self.data_sets, self.values.tolist(), strict=True)
        ]
        gaps = self.incomplete
        if len(gaps) < len(self.data_sets):
            rows.append(["mean", *self.complete().values.mean(axis=0).tolist()])
        notes = [f"Not in the mean, for want of a value: {', '.join(gaps)}."] if gaps else []
        return [TextTable(self.measure, ["data set", *self.classifiers], rows, notes=notes)]


def results_table(
    table: Any,
    *,
    data_sets: str | Sequence[str] | None = None,
    measure: str = "loss",
    greater_is_better: bool = False,
) -> ResultsTable:
    """Read a table with a row for every data set and a column for every classifier.

    Parameters
    ----------
    table : mapping of str to sequence, data frame, or ResultsTable
        A dict of columns, or whatever frame narwhals reads (pandas, polars, pyarrow). None, NaN and null
        are missing values. A `ResultsTable` is returned as it is.
    data_sets : str or sequence of str, default=None
        Column that names the data sets, or their names. None takes the column of text if there is one,
        else the text index of a pandas frame, else numbers from 1.
    measure : str, default="loss"
        What the values are, for titles.
    greater_is_better : bool, default=False
        True for a score such as accuracy or MCC.

    Returns
    -------
    ResultsTable

    Raises
    ------
    ValueError
        A value is neither a number nor missing, or is infinite; names are repeated; lengths differ.

    Examples
    --------
    >>> errors = results_table({"data": ["zoo", "iris"], "NB": [0.0297, 0.0867], "TAN": [0.0099, None]})
    >>> print(errors)
    loss
    data set      NB     TAN
    --------  ------  ------
    zoo       0.0297  0.0099
    iris      0.0867       -
    mean      0.0297  0.0099
    Not in the mean, for want of a value: iris.
    """
    if isinstance(table, ResultsTable):
        return table
    columns, index = _columns(table)
    if isinstance(data_sets, str):
        if data_sets not in columns:
            raise ValueError(f"there is no column {data_sets!r}; there are {', '.join(map(str, columns))}")
        names: Sequence[Any] = columns.pop(data_sets)
    else:
        text = [name for name, column in columns.items() if any(isinstance(cell, str) for cell in column)]
        if data_sets is not None:
            names = data_sets
        elif text:
            names = columns.pop(text[0])
        else:
            names = index or range(1, 1 + max(map(len, columns.values()), default=0))
    for name, column in columns.items():
        if len(column) != len(names):
            raise ValueError(f"column {name!r} has {len(column)} values for {len(names)} data sets")
    numbers = [[_number(cell, name) for cell in column] for name, column in columns.items()]
    return ResultsTable(
        measure,
        tuple(map(str, names)),
        tuple(map(str, columns)),
        np.array(numbers, dtype=np.float64).reshape(len(columns), len(names)).T,
        greater_is_better,
    )


def _columns(table: Any) -> tuple[dict[Hashable, list[Any]], list[str]]:
    """Columns by name, and the labels of the rows if they are text."""
    import narwhals as nw

    if hasattr(table, "items") and not hasattr(table, "columns"):
        return {name: list(column) for name, column in table.items()}, []
    frame = nw.from_native(table, eager_only=True)
    index = nw.maybe_get_index(frame)
    labels = [] if index is None else list(index)
    named = bool(labels) and all(isinstance(label, str) for label in labels)
    return {column.name: column.to_list() for column in frame.iter_columns()}, labels if named else []


def _number(cell: Any, column: Hashable) -> float:
    if cell is None or type(cell).__name__ == "NAType":  # pandas.NA, which is no float
        return float("nan")
    try:
        if isinstance(cell, str):
            raise TypeError
        return float(cell)
    except TypeError:
        raise ValueError(f"column {column!r} holds {cell!r}, which is not a number") from None


def _positions(names: Sequence[str], of: tuple[str, ...], kind: str) -> list[int]:
    unknown = [name for name in names if name not in of]
    if unknown:
        raise ValueError(f"there is no {kind} {', '.join(unknown)}; there are {', '.join(of)}")
    return [of.index(name) for name in names]
