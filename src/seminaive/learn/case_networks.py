"""A network of its own for every row: its structure, its probabilities, and how it is told to people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from seminaive.counts.instance_index import InstanceIndex, new_memo
from seminaive.counts.triple_totals import TripleTotals
from seminaive.learn.implications import Implications
from seminaive.learn.local_information import LocalInformation
from seminaive.learn.smoothing import Smoothing
from seminaive.learn.trees import maximum_spanning_tree

__all__ = [
    "CaseAttribute",
    "CaseCounts",
    "CaseNetwork",
    "CaseParent",
    "CaseStructures",
    "ParentChange",
    "informative_structures",
    "local_structures",
    "tiles",
    "tree_structures",
]

_TILE_BYTES = 2**20  # of the matrices that rows are worked on with; they stay in the cache


@dataclass(frozen=True)
class CaseParent:
    """A parent of a value.

    Attributes
    ----------
    name : str
    strength : float
        Information that the two values share given the class, in bits.
    """

    name: str
    strength: float


@dataclass(frozen=True)
class ParentChange:
    """A parent that substitution-elimination or the elimination of redundant dependencies took away.

    Attributes
    ----------
    parent : str
        What would have been a parent.
    substitute : str or None
        The parent in its place, None if there is none.
    by : tuple of str
        What makes it superfluous: the attribute whose value implies its value, or the parents that it adds
        too little to.
    reason : {"implied", "redundant"}
    information : float or None
        Where redundant: what it tells about the value pointwise, given ``by``, in bits; -inf where a
        combination was never seen.
    threshold : float or None
        What it would have to exceed, in bits.
    """

    parent: str
    substitute: str | None
    by: tuple[str, ...]
    reason: str
    information: float | None = None
    threshold: float | None = None


@dataclass(frozen=True)
class CaseAttribute:
    """A value in the network of a row.

    Attributes
    ----------
    name : str
    value : object
        The label, or the interval of a numeric column in words.
    relevance : float or None
        Information of the value about the class, in bits, by which the network is ordered; None where the
        order means nothing.
    parents : tuple of CaseParent
        Beside the class, strongest first.
    changes : tuple of ParentChange
    implied_by : str or None
        The attribute whose value implies this one, which then gives no factor.
    """

    name: str
    value: object
    relevance: float | None
    parents: tuple[CaseParent, ...]
    changes: tuple[ParentChange, ...] = ()
    implied_by: str | None = None


@dataclass(frozen=True)
class CaseNetwork:
    """The network of one row.

    Attributes
    ----------
    attributes : tuple of CaseAttribute
        In the order of the network.
    unobserved : tuple of str
        Attributes that are missing, or whose value training never saw.

    Notes
    -----
    ``network["age"]`` is the attribute of that name, ``"age" in network`` says whether there is one, and
    iterating gives the attributes in order.
    """

    attributes: tuple[CaseAttribute, ...]
    unobserved: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[CaseAttribute]:
        """The attributes in the order of the network."""
        return iter(self.attributes)

    def __contains__(self, name: object) -> bool:
        """Whether an attribute of that name is observed."""
        return any(attribute.name == name for attribute in self.attributes)

    def __getitem__(self, name: str) -> CaseAttribute:
        """The attribute of that name."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise KeyError(f"{name!r} is no observed attribute of this row.")


@dataclass
class CaseStructures:
    """Networks of some rows.

    Attributes
    ----------
    order : ndarray of int32, shape (n_rows, n_attributes)
        Observed attributes of each row in the order of its network.
    number : ndarray of int64, shape (n_rows,)
        How many these are.
    parents : ndarray of int32, shape (n_rows, n_networks, n_attributes, k)
        Parents of each attribute, strongest first, -1 for none. Several networks differ in a parameter.
    implied_by : ndarray of int32, shape (n_rows, n_attributes)
        The attribute whose value implies this one, -1 for none.
    reasons : ndarray of int32, shape (n_rows, n_attributes, k)
        For each of the k strongest predecessors the attribute that keeps it from being a parent, or -1.
    dependence : ndarray of float32, shape (n_rows, n_attributes, n_attributes)
        By which parents were chosen, in bits.
    """

    order: np.ndarray
    number: np.ndarray
    parents: np.ndarray
    implied_by: np.ndarray
    reasons: np.ndarray
    dependence: np.ndarray


def local_structures(
    local: LocalInformation, codes: np.ndarray, k: int, implications: Implications | None = None
) -> CaseStructures:
    """Local k-dependence networks (paper of 2015, Algorithm 2), with substitution-elimination if asked.

    Parameters
    ----------
    local : LocalInformation
    codes : ndarray of shape (n_attributes, n_rows)
    k : int
    implications : Implications, default=None
        None leaves parents that others imply.

    Returns
    -------
    CaseStructures
    """
    from seminaive.kernels.case_networks import choose_parents

    found = _ordered(local, codes, k, n_networks=1)
    n_attributes = len(codes)
    nothing = np.zeros((0, n_attributes, n_attributes), dtype=bool)
    choose_parents(
        found.order,
        found.number,
        found.dependence,
        nothing if implications is None else implications.of(codes),
        found.parents[:, 0],
        found.implied_by,
        found.reasons,
    )
    return found


def informative_structures(
    local: LocalInformation, counts: CaseCounts, codes: np.ndarray, k: int, ratios: np.ndarray
) -> CaseStructures:
    """Local k-dependence networks without redundant dependencies (paper of 2018, Algorithm 4).

    Parameters
    ----------
    local : LocalInformation
    counts : CaseCounts
    codes : ndarray of shape (n_attributes, n_rows)
    k : int
    ratios : ndarray of float64
        Ascending; one network for each.

    Returns
    -------
    CaseStructures
    """
    from seminaive.kernels.case_networks import choose_informative_parents

    found = _ordered(local, codes, k, n_networks=len(ratios))
    choose_informative_parents(
        _slots(counts.index, codes),
        found.order,
        found.number,
        found.dependence,
        ratios,
        counts.of_all_classes,
        found.parents,
    )
    return found


def tree_structures(
    dependence: np.ndarray, codes: np.ndarray, implications: Implications, trees: dict[bytes, np.ndarray]
) -> CaseStructures:
    """Maximum spanning trees on the attributes whose value no other value of the row implies.

    Parameters
    ----------
    dependence : ndarray of shape (n_attributes, n_attributes)
        I(X_i; X_j | Y), the same for all rows.
    codes : ndarray of shape (n_attributes, n_rows)
    implications : Implications
    trees : dict
        Trees of earlier calls, to which new ones are added.

    Returns
    -------
    CaseStructures
    """
    n_attributes, n_rows = codes.shape
    hidden = (implications.hide(codes) != codes).T
    parents = np.full((n_rows, 1, n_attributes, 1), -1, dtype=np.int32)
    # rows that leave out the same attributes share a tree
    patterns, pattern_of = np.unique(np.packbits(hidden, axis=1), axis=0, return_inverse=True)
    pattern_of = pattern_of.ravel()
    for index in range(len(patterns)):
        rows = np.flatnonzero(pattern_of == index)
        left = np.flatnonzero(~hidden[rows[0]])
        key = patterns[index].tobytes()
        if key not in trees:
            trees[key] = maximum_spanning_tree(dependence[np.ix_(left, left)])
        parents[rows[:, None], 0, left[1:], 0] = left[trees[key][1:]]
    implied_by = np.full((n_rows, n_attributes), -1, dtype=np.int32)
    if hidden.any():
        implies = implications.of(codes)
        earlier = np.tri(n_attributes, k=-1, dtype=bool).T
        deletes = implies & (~implies.transpose(0, 2, 1) | earlier)
        implied_by[hidden] = deletes.argmax(axis=1)[hidden]
    return CaseStructures(
        np.argsort(implications.n_values == codes.T, axis=1, kind="stable").astype(np.int32),
        (implications.n_values > codes.T).sum(axis=1),
        parents,
        implied_by,
        np.full((n_rows, n_attributes, 0), -1, dtype=np.int32),
        np.broadcast_to(dependence.astype(np.float32), (n_rows, n_attributes, n_attributes)),
    )


def _ordered(local: LocalInformation, codes: np.ndarray, k: int, n_networks: int) -> CaseStructures:
    """Structures in which parents are still to be chosen."""
    from seminaive.kernels.case_networks import order_values

    n_attributes, n_rows = codes.shape
    order = np.zeros((n_rows, n_attributes), dtype=np.int32)
    number = np.zeros(n_rows, dtype=np.int64)
    order_values(local.relevance_of(codes), order, number)
    return CaseStructures(
        order,
        number,
        np.full((n_rows, n_networks, n_attributes, k), -1, dtype=np.int32),
        np.full((n_rows, n_attributes), -1, dtype=np.int32),
        np.full((n_rows, n_attributes, k), -1, dtype=np.int32),
        local.dependence_of(codes),
    )


def _slots(index: InstanceIndex, codes: np.ndarray) -> np.ndarray:
    """Slots of codes (n_attributes, n_rows), row by row in memory."""
    slots: np.ndarray = (index.bitmaps.first_slot[:-1, None] + codes).astype(np.int32, order="F").T
    return np.ascontiguousarray(slots)


def tiles(n_rows: int, n_attributes: int) -> Iterator[slice]:
    """Rows that are worked on together, few enough for matrices of all pairs of attributes."""
    step = int(np.clip(_TILE_BYTES // (5 * max(1, n_attributes) ** 2), 16, 512))
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


class CaseCounts:
    """What the networks of one block of rows count; each value combination is counted once.

    Parameters
    ----------
    index : InstanceIndex
    smoothing : Smoothing
    k : int
        Most parents.
    n_rows : int
        Rows of the block.
    triples : TripleTotals, default=None
        Where they were counted, for the search for redundant parents.
    leaves_out : bool, default=False
        Whether rows will be left out of their counts.
    """

    def __init__(
        self,
        index: InstanceIndex,
        smoothing: Smoothing,
        k: int,
        n_rows: int,
        triples: TripleTotals | None = None,
        *,
        leaves_out: bool = False,
    ) -> None:
        self.index, self.triples = index, triples
        self._k, self._n_cells = k, n_rows * (len(index.bitmaps.first_slot) - 1)
        self._rule = (float(smoothing.strength), smoothing.divides)
        self._leaves_out = leaves_out
        self.trees: dict[bytes, np.ndarray] = {}
        kept = 1 + (3 if leaves_out else 1) * index.n_classes
        self._families = new_memo(k + 1, kept, 2 * self._n_cells + 1)

    @cached_property
    def of_all_classes(self) -> Any:
        """Where counts over all classes come from."""
        from seminaive.kernels.case_networks import RowCounts

        triples = self.triples or TripleTotals.none()
        # counts beside a single parent, the only ones for k <= 2, need no memo where there are tables
        wanted = 8 * self._n_cells if self.triples is None or self._k > 2 else 0
        return RowCounts(self.index.bitmaps, new_memo(self._k + 2, 1, wanted + 1), triples.arrays)

    def condition(self, codes: np.ndarray, child: int, other: int, given: list[int]) -> list[int]:
        """All of ``given``, or its first alone where no row has their values with both others observed."""
        combination = {child: None, other: None, **{p: int(codes[p]) for p in given}}
        seen = len(given) < 2 or self.index.count([combination]).any()
        return given if seen else given[:1]

    def pointwise_information(self, codes: np.ndarray, child: int, other: int, given: list[int]) -> float:
        """i(x_child; x_other | values of ``condition``) of one row in bits; -inf where a count is zero."""
        from seminaive.kernels.case_networks import tells

        slots = (self.index.bitmaps.first_slot[:-1] + codes).astype(np.int32)
        found = tells(self.of_all_classes, slots, child, other, np.array(given, dtype=np.int32))
        return -np.inf if np.isnan(found) else float(found)

    def add_log_factors(
        self,
        codes: np.ndarray,
        parents: np.ndarray,
        implied_by: np.ndarray,
        joint: np.ndarray,
        labels: np.ndarray | None = None,
        left_out: np.ndarray | None = None,
    ) -> None:
        """Add log P(x_i | parents, y) of every child to ``joint``.

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows)
        parents : ndarray of int32, shape (n_rows, n_networks, n_attributes, k)
        implied_by : ndarray of int32, shape (n_rows, n_attributes)
            Values for which this is not -1 give no factor.
        joint : ndarray of float64, shape (n_rows, n_networks, K)
        labels, left_out : ndarray of shape (n_rows,), default=None
            Class and weight that each row's counts lose; asks for ``leaves_out``.
        """
        from seminaive.kernels.case_networks import LeftOut, SmoothingRule, score_case_networks

        assert labels is None or self._leaves_out
        nothing = LeftOut(np.zeros(0, dtype=np.int64), np.zeros(0))
        lost = nothing if labels is None else LeftOut(labels.astype(np.int64), left_out)
        score_case_networks(
            _slots(self.index, codes),
            parents,
            implied_by,
            lost,
            self.index.bitmaps,
            self._families,
            SmoothingRule(*self._rule),
            joint,
        )
