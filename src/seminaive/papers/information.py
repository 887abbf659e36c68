"""What a k-dependence network rests on, I(X_i; C) and I(X_i; X_j | C): ours beside the printed values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from seminaive.evaluate.views import Cell, TextTable, Views
from seminaive.learn.information import family_information, mutual_information
from seminaive.papers.coding import CodedTable
from seminaive.papers.data_sets import PaperData
from seminaive.papers.paper import Erratum
from seminaive.papers.verdicts import ROUNDING, marked

__all__ = ["InformationComparison", "NetworkInformation", "network_information"]


@dataclass(frozen=True)
class NetworkInformation:
    """Information in a network that was learned from all rows of a data set, in bits, ascending.

    Attributes
    ----------
    attributes : tuple of (str, float)
        Each attribute X_i and I(X_i; C).
    arcs : tuple of (str, str, float)
        Each arc between attributes: the child X_i, the parent X_j and I(X_i; X_j | C).
    """

    attributes: tuple[tuple[str, float], ...]
    arcs: tuple[tuple[str, str, float], ...]


def network_information(data: PaperData, classifier: Any) -> NetworkInformation:
    """Learn a network from all rows, coded as the papers' program did, and measure what it rests on.

    Parameters
    ----------
    data : PaperData
    classifier : KDB
        Not fitted; any of the classifiers that learn one network with attributes as parents.

    Returns
    -------
    NetworkInformation
        From raw counts. Numbers are cut on all rows, a missing value is a value of its own.

    Examples
    --------
    >>> from seminaive import KDB
    >>> from seminaive.papers.data_sets import find_data
    >>> found = network_information(find_data("led"), KDB(k=1))
    >>> len(found.attributes), len(found.arcs)
    (7, 6)
    """
    table = data.load()
    everything = np.arange(table.n_rows)
    training, _ = CodedTable(table).part(everything, everything[:0])
    model = training.fit(classifier)
    position = {name: i for i, name in enumerate(model.schema_.names)}
    arcs = [
        (
            table.names[position[child]],
            table.names[position[parent]],
            family_information(model._tables, position[child], position[parent]),
        )
        for child, parents in model.parents_.items()
        for parent in parents
    ]
    attributes = zip(table.names, mutual_information(model._tables).tolist(), strict=True)
    return NetworkInformation(
        tuple(sorted(attributes, key=lambda one: one[-1])), tuple(sorted(arcs, key=lambda one: one[-1]))
    )


@dataclass(frozen=True)
class InformationComparison(Views):
    """A printed table of information and ours.

    Attributes
    ----------
    title : str
    heading : str
        What the values are, such as "I(X_i; C)".
    parts : tuple of str
        What the values belong to: ("attribute",) or ("attribute", "parent").
    published : ndarray of float64, shape (n_values,)
        Ascending.
    ours : tuple of tuples
        The names of the parts, then the value in bits, ascending; empty where the data set is missing.
    errata : tuple of Erratum
        Those of this table.
    decimals : int
        Digits printed.
    """

    title: str
    heading: str
    parts: tuple[str, ...]
    published: np.ndarray
    ours: tuple[tuple[Any, ...], ...]
    errata: tuple[Erratum, ...]
    decimals: int

    @property
    def values(self) -> np.ndarray:
        """Ours, NaN where the data set is missing."""
        missing = np.full(len(self.published), np.nan)
        return np.array([value for *_, value in self.ours]) if self.ours else missing

    @property
    def verdicts(self) -> np.ndarray:
        """Of each value: "exact", equal when rounded as printed; "outside"; "missing"."""
        distance = np.abs(self.values - self.published)
        exact = distance <= ROUNDING * 10.0**-self.decimals
        return np.select([np.isnan(distance), exact], ["missing", "exact"], "outside")

    def count(self) -> Counter[str]:
        """Number of printed values with each verdict."""
        return Counter(self.verdicts.tolist())

    def tables(self) -> list[TextTable]:
        """One table; a cell is our value, and the printed one where that differs."""
        names = [one[:-1] for one in self.ours] or [(None,) * len(self.parts)] * len(self.published)
        values = zip(self.values.tolist(), self.published.tolist(), self.verdicts.tolist(), strict=True)
        rows: list[list[Cell]] = [
            [str(i), *name, marked(*value, self.decimals)]
            for i, (name, value) in enumerate(zip(names, values, strict=True), start=1)
        ]
        notes = [
            "Ascending, in bits, from the counts of all rows; the names are of ours. = ours, which is the "
            "printed value; ≠ ours and the printed value; (printed) where the data set is missing.",
        ]
        if self.ours:
            distance = np.abs(self.values - self.published)
            notes.append(
                f"Equal when rounded as printed: {self.count()['exact']} of {len(distance)}; difference at "
                f"most {distance.max():.4f}, on average {distance.mean():.4f}."
            )
        notes += [f"[{i}] {erratum.where}: {erratum.text}" for i, erratum in enumerate(self.errata, start=1)]
        return [TextTable(self.title, ["no.", *self.parts, self.heading], rows, notes=notes)]
