"""Classifiers that learn a network of its own for every row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from seminaive.classifiers.base import BayesianNetworkClassifier, row_blocks
from seminaive.counts.instance_index import InstanceIndex
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.data.schema import Schema
from seminaive.explain.members import Members
from seminaive.explain.networks import MemberNetwork, counts_of_rows
from seminaive.learn.case_networks import (
    CaseAttribute,
    CaseCounts,
    CaseNetwork,
    CaseParent,
    CaseStructures,
    ParentChange,
    tiles,
)
from seminaive.learn.local_information import LocalInformation

__all__ = ["CaseChoice", "CaseNetworkClassifier", "RemovedParent"]


@dataclass(frozen=True)
class CaseChoice:
    """What is the same for all rows.

    Attributes
    ----------
    general : list of list of int or None
        Parents in the network for all rows, where there is one.
    local : LocalInformation or None
        Where it was needed for the choice.
    ratio : float or None
        The redundancy ratio that was chosen.
    losses : dict or None
        Leave-one-out loss of every ratio.
    """

    general: list[list[int]] | None = None
    local: LocalInformation | None = None
    ratio: float | None = None
    losses: dict[float, float] | None = None


class RemovedParent(NamedTuple):
    """One of the k strongest predecessors of ``child`` that is no parent.

    ``rank`` of them are stronger, and of the parents that were ``kept`` those in ``stronger``.
    """

    child: int
    parent: int
    rank: int
    kept: list[int]
    stronger: list[int]
    substitute: str | None


class CaseNetworkClassifier(BayesianNetworkClassifier):
    """Base of the classifiers whose network depends on the row.

    A subclass supplies ``_structures(codes)``, the networks of some rows, and where it takes parents away
    ``_change(...)``, why.

    Parameters
    ----------
    %(options)s
    """

    _blocks_at_a_time = 8  # the more rows a block has, the more of their value combinations are the same
    _index: InstanceIndex
    _local: LocalInformation

    def _most_parents(self, schema: Schema) -> int:
        """k, no larger than there are other attributes."""
        k: Any = self.k
        return max(0, min(int(k), len(schema) - 1))

    def _plan(self, schema: Schema) -> CountPlan:
        return CountPlan(pairs=True, values_per_cell=1, index=True)

    def _structure(self, tables: CountTables) -> CaseChoice:
        return CaseChoice()

    def _kept(self, tables: CountTables, structure: CaseChoice) -> tuple[CountTables, CaseChoice]:
        return tables, replace(structure, local=None)  # which the tables tell again

    def _learn(self, tables: CountTables, structure: CaseChoice) -> dict[str, Any]:
        return {**self._fitted_index(tables), "_local": structure.local or LocalInformation.learn(tables)}

    def _fitted_index(self, tables: CountTables) -> dict[str, Any]:
        names = tables.schema.names
        return {
            "parents_": {name: [other for other in names if other != name] for name in names},
            "_index": tables.index,
            "_rule": self._smoothing,
            "_k": self._most_parents(tables.schema),
        }

    def _structures(self, codes: np.ndarray, counts: CaseCounts) -> CaseStructures:
        """Networks of the rows of ``codes`` (attributes, rows), some of the block of ``counts``."""
        raise NotImplementedError

    def _score(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        joint += self._log_prior
        counts = self._counts(len(joint))
        for rows in tiles(stop - start, len(codes)):
            block = np.ascontiguousarray(codes[:, start + rows.start : start + rows.stop])
            found = self._structures(block, counts)
            counts.add_log_factors(block, found.parents, found.implied_by, joint[rows, None])

    def _counts(self, n_rows: int) -> CaseCounts:
        return CaseCounts(self._index, self._rule, self._k, n_rows)

    # ---- explaining

    def _members(self, codes: np.ndarray, wanted: np.ndarray) -> Members:
        n, n_rows = codes.shape
        counts = self._counts(n_rows)
        factors = np.zeros((n_rows, 1, n, wanted.shape[1]))
        of_child = np.zeros((n_rows, 1, len(self.classes_)))
        for rows in tiles(n_rows, n):
            block = np.ascontiguousarray(codes[:, rows])
            found = self._structures(block, counts)
            for child in range(n):
                only = np.zeros_like(found.implied_by)  # all others give no factor
                only[:, child] = found.implied_by[:, child]
                logs = of_child[rows]
                logs[:] = 0
                counts.add_log_factors(block, found.parents, only, logs)
                factors[rows, 0, child] = np.take_along_axis(logs[:, 0], wanted[rows], axis=1)
        return Members.single(self._log_prior[wanted], factors)

    def _describe_members(self, codes: np.ndarray) -> list[MemberNetwork]:
        counts = self._counts(1)
        found = self._structures(np.ascontiguousarray(codes[:, None]), counts)
        order = found.order[0, : found.number[0]].tolist()
        parents = {i: [p for p in found.parents[0, 0, i].tolist() if p >= 0] for i in order}

        def changes() -> dict[int, tuple[ParentChange, ...]]:
            return {i: self._changes(codes, counts, found, 0, i, parents[i]) for i in order}

        return [
            MemberNetwork(
                "network of the case",
                parents,
                counts_of_rows(self._index),
                strengths={(i, p): float(found.dependence[0, i, p]) for i in order for p in parents[i]},
                implied_by={i: int(found.implied_by[0, i]) for i in order if found.implied_by[0, i] >= 0},
                changes=changes,
            )
        ]

    def _arc_shares(self, codes: np.ndarray) -> dict[str, np.ndarray]:
        n, n_rows = codes.shape
        arcs, counts = np.zeros((n, n)), self._counts(n_rows)
        for rows in tiles(n_rows, n):
            parents = self._structures(np.ascontiguousarray(codes[:, rows]), counts).parents[:, 0]
            _, children, _ = np.nonzero(parents >= 0)
            np.add.at(arcs, (children, parents[parents >= 0]), 1 / n_rows)
        return {"networks of the cases": arcs}

    def case_network(self, X: Any) -> list[CaseNetwork]:
        """The network of every row.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        list of CaseNetwork
            For every row its attributes in the order of the network with their parents, and every parent
            that was taken away, with the reason.
        """
        codes = self._codes(X)
        networks = []
        for start, stop in row_blocks(codes.shape[1]):
            counts = self._counts(stop - start)
            for rows in tiles(stop - start, len(codes)):
                block = np.ascontiguousarray(codes[:, start + rows.start : start + rows.stop])
                found = self._structures(block, counts)
                networks += [self._describe_case(case, counts, found, r) for r, case in enumerate(block.T)]
        return networks

    def _describe_case(
        self, codes: np.ndarray, counts: CaseCounts, found: CaseStructures, row: int
    ) -> CaseNetwork:
        schema = self.schema_
        names = schema.names
        attributes = []
        for i in found.order[row, : found.number[row]].tolist():
            parents = [p for p in found.parents[row, 0, i].tolist() if p >= 0]
            by = int(found.implied_by[row, i])
            attributes.append(
                CaseAttribute(
                    names[i],
                    schema[i].labels[int(codes[i])],
                    self._relevance_of(i, int(codes[i])),
                    tuple(CaseParent(names[p], float(found.dependence[row, i, p])) for p in parents),
                    self._changes(codes, counts, found, row, i, parents),
                    names[by] if by >= 0 else None,
                )
            )
        unobserved = [names[i] for i in np.flatnonzero(codes == schema.n_values).tolist()]
        return CaseNetwork(tuple(attributes), tuple(unobserved))

    def _relevance_of(self, i: int, code: int) -> float | None:
        return float(self._local.relevance[self._local.first_slot[i] + code])

    def _changes(
        self,
        codes: np.ndarray,
        counts: CaseCounts,
        found: CaseStructures,
        row: int,
        child: int,
        parents: list[int],
    ) -> tuple[ParentChange, ...]:
        """What became of the strongest predecessors of ``child`` that are none of its ``parents``."""
        order = found.order[row]
        predecessors = order[: int(np.flatnonzero(order[: found.number[row]] == child)[0])]
        strongest = predecessors[
            np.argsort(-found.dependence[row, child, predecessors], kind="stable")[: found.reasons.shape[2]]
        ].tolist()
        substitutes = [p for p in parents if p not in strongest]
        changes = []
        for rank, candidate in enumerate(strongest):
            if candidate not in parents:
                substitute = self.schema_.names[substitutes.pop(0)] if substitutes else None
                stronger = [p for p in parents if p in strongest[:rank]]
                removed = RemovedParent(child, candidate, rank, parents, stronger, substitute)
                changes.append(self._change(codes, counts, found, row, removed))
        return tuple(changes)

    def _change(
        self, codes: np.ndarray, counts: CaseCounts, found: CaseStructures, row: int, removed: RemovedParent
    ) -> ParentChange:
        """Why a parent was taken away."""
        raise NotImplementedError
