"""The networks of one case as classifiers know them: parents, strengths, and what training rows say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np

from seminaive.counts.instance_index import InstanceIndex
from seminaive.counts.tables import CountTables
from seminaive.learn.case_networks import ParentChange

__all__ = ["Counter", "MemberNetwork", "counts_of_families", "counts_of_rows"]

Counter = Callable[[np.ndarray, int, list[int]], tuple[np.ndarray, np.ndarray]]
"""Codes of a case, a child, and parents that are all observed, to N(parents, y) in the rows with the child
observed and N(parents, child, y), two arrays of shape (K,)."""


@dataclass
class MemberNetwork:
    """One network that has a say about a case.

    Attributes
    ----------
    name : str
    parents : dict of int to list of int
        For every attribute that is in the network its parents beside the class, strongest first.
    counts : Counter
    weight : float
        In the average; absolute values sum to 1.
    backs_off : bool
        Whether parents that are not observed, or whose combination was never seen, are dropped.
    needs_stronger : bool
        Whether a parent that is not observed takes those after it along.
    superparent : int or None
        The attribute whose factor is P(x, y) rather than P(x | parents, y).
    strengths : dict of (int, int) to float, or None
        For (child, parent) the information by which parents were chosen, in bits; None where the counts of
        the family tell it.
    implied_by : dict of int to int
        Attributes that give no factor because of another one.
    changes : callable
        Gives for every attribute the parents that were taken away from it.
    """

    name: str
    parents: dict[int, list[int]]
    counts: Counter
    weight: float = 1.0
    backs_off: bool = True
    needs_stronger: bool = False
    superparent: int | None = None
    strengths: dict[tuple[int, int], float] | None = None
    implied_by: dict[int, int] = field(default_factory=dict)
    changes: Callable[[], dict[int, tuple[ParentChange, ...]]] = dict

    def used_parents(self, codes: np.ndarray, n_values: np.ndarray, child: int) -> list[int]:
        """Those parents of ``child`` that its factor really looks at."""
        chosen = takewhile if self.needs_stronger else filter
        parents = list(chosen(lambda p: codes[p] < n_values[p], self.parents[child]))
        if self.backs_off:
            while parents and not self.counts(codes, child, parents)[0].any():
                parents.pop()
        return parents


def counts_of_families(tables: CountTables) -> Counter:
    """Counts from tables of families that were counted; some parents may be left out."""

    def counts(codes: np.ndarray, child: int, parents: list[int]) -> tuple[np.ndarray, np.ndarray]:
        members = _family_with(tables, child, parents)
        family = tables.family(members)
        kept = tuple(m for m, attribute in enumerate(members[:-1]) if attribute in parents)
        values = np.array([[codes[members[m]]] for m in kept], dtype=np.int64).reshape(len(kept), 1)
        own = np.array([[codes[child]]], dtype=np.int64)
        found = family.lookup((*kept, len(members) - 1), np.concatenate([values, own]))
        return family.lookup(kept, values)[0], found[0]

    return counts


def _family_with(tables: CountTables, child: int, parents: list[int]) -> tuple[int, ...]:
    """A table that holds these parents of ``child``: their own, or a counted one with further parents."""
    exact = (*parents, child)
    try:
        tables.family(exact)
    except KeyError:
        return next(f for f in tables.families if f[-1] == child and set(parents) <= set(f[:-1]))
    return exact


def counts_of_rows(index: InstanceIndex) -> Counter:
    """Counts of the rows of an index."""

    def counts(codes: np.ndarray, child: int, parents: list[int]) -> tuple[np.ndarray, np.ndarray]:
        values: dict[int, int | None] = {p: int(codes[p]) for p in parents}
        totals, found = index.count([{**values, child: None}, {**values, child: int(codes[child])}])
        return totals, found

    return counts
