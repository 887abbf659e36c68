"""What a paper says: its data sets, classifiers, printed tables, claims and errors.

The numbers are in ``published/``, one file for each printed table. Names of data sets and classifiers are
spelled there as in the paper's table of zero-one losses, wherever the paper itself is not consistent.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

import numpy as np

from seminaive.evaluate.experiments import GREATER_IS_BETTER
from seminaive.evaluate.pairs import Record
from seminaive.evaluate.results_table import ResultsTable, results_table

__all__ = [
    "Claim",
    "Erratum",
    "Paper",
    "PaperClassifier",
    "PublishedInformation",
    "PublishedRanks",
    "PublishedRecords",
    "PublishedTable",
]


@dataclass(frozen=True)
class PaperClassifier:
    """A column of a paper's tables.

    Attributes
    ----------
    name : str
        Its heading, such as "K2DB".
    make : callable
        Returns the unfitted classifier with the paper's parameters. It reads integer codes; what the
        protocol fixes for all classifiers (categories, missing values) is not among the parameters.
    known : {"exact", "near", "reconstruction"}
        "exact": the printed column is known to be this algorithm; "near": most of its cells are met within
        sampling error, but not exactly; "reconstruction": the paper does not say enough, or says something
        else than was run.
    note : str, default=""
        One sentence for the reader of a report.
    slow : bool, default=False
        Too slow for a quick run.
    """

    name: str
    make: Callable[[], Any]
    known: Literal["exact", "near", "reconstruction"]
    note: str = ""
    slow: bool = False


@dataclass(frozen=True)
class PublishedTable:
    """A printed table of a measure by data set and classifier.

    Attributes
    ----------
    file : str
        Its name in ``published/``.
    title : str
        As printed.
    measure : str
        A key of `seminaive.evaluate.experiments.MEASURES`.
    decimals : int
        Digits printed.
    """

    file: str
    title: str
    measure: str
    decimals: int

    def values(self) -> ResultsTable:
        """The printed values; data sets under the paper's names."""
        return _values(self.file, self.measure, self.measure in GREATER_IS_BETTER)


@dataclass(frozen=True)
class PublishedRecords:
    """A printed table of wins, draws and losses of row against column.

    Attributes
    ----------
    file : str
        Its name in ``published/``.
    title : str
        As printed.
    measure : str
        A key of `seminaive.evaluate.experiments.MEASURES`.
    data_sets : tuple of str or None, default=None
        The paper's names of those that were compared; None is all of the paper's.
    """

    file: str
    title: str
    measure: str
    data_sets: tuple[str, ...] | None = None

    def records(self) -> dict[tuple[str, str], Record]:
        """The printed records, the lower triangle: (row, column) to record of the row."""
        header, rows = _rows(self.file)
        return {
            (row[0], column): Record(*map(int, cell.split("/")))
            for row in rows
            for column, cell in zip(header[1:], row[1:], strict=True)
            if cell
        }


@dataclass(frozen=True)
class PublishedRanks:
    """A printed table of ranks by data set and classifier.

    Attributes
    ----------
    file : str
        Its name in ``published/``.
    title : str
        As printed.
    margin : float
        Losses that differ by no more than this share are tied, see `average_ranks`.
    measure : str, default="zero_one_loss"
        What was ranked.
    """

    file: str
    title: str
    margin: float
    measure: str = "zero_one_loss"

    def values(self) -> ResultsTable:
        """The printed ranks; data sets under the paper's names."""
        return _values(self.file, "rank", False)


@dataclass(frozen=True)
class PublishedInformation:
    """A printed table of what the attributes or the arcs of a network tell, without their names.

    Attributes
    ----------
    file : str
        Its name in ``published/``.
    title : str
        As printed.
    data_set : str
        The paper's name.
    classifier : str
        Whose network it is, one of the paper's.
    conditional : bool
        False: I(X_i; C) of each attribute; True: I(X_i; X_j | C) of each arc between attributes.
    decimals : int
        Digits printed.
    """

    file: str
    title: str
    data_set: str
    classifier: str
    conditional: bool
    decimals: int

    def values(self) -> np.ndarray:
        """The printed values, ascending."""
        return np.array([float(value) for _, value in _rows(self.file)[1]])


@dataclass(frozen=True)
class Claim:
    """A headline of a paper: one classifier is better than another by a measure."""

    better: str
    worse: str
    measure: str
    text: str


@dataclass(frozen=True)
class Erratum:
    """An error of a paper; shown as a footnote, never mended silently.

    Attributes
    ----------
    where : str
        Place in the paper.
    text : str
        What is wrong, and what is right if that is known.
    table : str or None, default=None
        File in ``published/`` whose cells it marks.
    data_set, classifier : str or None, default=None
        The cells: a row, a column or both; both None mark the whole table.
    """

    where: str
    text: str
    table: str | None = None
    data_set: str | None = None
    classifier: str | None = None


@dataclass(frozen=True)
class Paper:
    """One paper, as far as its experiments can be repeated.

    Attributes
    ----------
    key, title, reference : str
        Short name, title, full bibliographic reference.
    data_sets : mapping of str to str
        The paper's name to the key of the catalogue, in the paper's order; also those that nobody has.
    classifiers : tuple of PaperClassifier
        Columns, in the paper's order.
    tables : tuple of PublishedTable
        Printed tables of measures.
    records : tuple of PublishedRecords
        Printed wins, draws and losses.
    ranks : tuple of PublishedRanks
        Printed ranks by data set.
    statistics : mapping of str to float
        Other printed numbers: "friedman zero_one_loss", "critical difference",
        "average rank zero_one_loss NB".
    compared : tuple of str
        Classifiers that the paper's statistics compare; some columns are variants of others.
    claims : tuple of Claim
        Headlines to be judged.
    errata : tuple of Erratum
        Errors of the paper.
    measures : tuple of str
        Measures to be printed, with or without a published table.
    notes : tuple of str
        Protocol, and what is not known, for the reader of a report.
    sizes_file : str or None, default=None
        Printed table of the data sets' sizes.
    information : tuple of PublishedInformation, default=()
        Printed tables of information in networks.
    """

    key: str
    title: str
    reference: str
    data_sets: Mapping[str, str]
    classifiers: tuple[PaperClassifier, ...]
    tables: tuple[PublishedTable, ...]
    records: tuple[PublishedRecords, ...]
    ranks: tuple[PublishedRanks, ...]
    statistics: Mapping[str, float]
    compared: tuple[str, ...]
    claims: tuple[Claim, ...]
    errata: tuple[Erratum, ...]
    measures: tuple[str, ...]
    notes: tuple[str, ...]
    sizes_file: str | None = None
    information: tuple[PublishedInformation, ...] = ()

    def classifier(self, name: str) -> PaperClassifier:
        """The column of this name."""
        for classifier in self.classifiers:
            if classifier.name == name:
                return classifier
        names = ", ".join(classifier.name for classifier in self.classifiers)
        raise KeyError(f"the paper {self.key} has no classifier {name!r}; it has {names}")

    def sizes(self) -> dict[str, tuple[int, int, int]]:
        """Printed numbers of rows, attributes and classes by the paper's name; empty if none are printed."""
        if self.sizes_file is None:
            return {}
        _, rows = _rows(self.sizes_file)
        return {name: (int(n), int(attributes), int(classes)) for _, name, n, attributes, classes in rows}


def _rows(file: str) -> tuple[list[str], list[list[str]]]:
    text = files("seminaive.papers").joinpath("published", file).read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    return header, rows


def _values(file: str, measure: str, greater_is_better: bool) -> ResultsTable:
    header, rows = _rows(file)
    cells = np.array([[float(cell) if cell else np.nan for cell in row[1:]] for row in rows])
    return results_table(
        dict(zip(header[1:], cells.T, strict=True)),
        data_sets=[row[0] for row in rows],
        measure=measure,
        greater_is_better=greater_is_better,
    )
