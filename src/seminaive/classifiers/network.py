"""Classifiers whose attributes have a fixed list of parents beside the class."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from seminaive.classifiers.base import BayesianNetworkClassifier
from seminaive.counts.family import DenseFamily, SparseFamily
from seminaive.counts.plan import CountPlan, padded_classes
from seminaive.counts.tables import CountTables
from seminaive.data.schema import Schema
from seminaive.explain.members import Members
from seminaive.explain.networks import MemberNetwork, counts_of_families
from seminaive.learn.factors import log_attribute_factors, log_factor, log_factor_table
from seminaive.learn.hierarchical import choose_levels
from seminaive.learn.smoothing import Levels, Smoothing

__all__ = ["Network", "SingleNetworkClassifier", "family_plan"]


class SingleNetworkClassifier(BayesianNetworkClassifier):
    """P(x, y) = P(y) prod_i P(x_i | parents of i, y) with one network for all rows.

    A subclass supplies ``_structure(tables)``: for every attribute its parents, strongest first.

    Parameters
    ----------
    %(options)s
    """

    _smooths_levels = True

    def _plan(self, schema: Schema) -> CountPlan:
        return CountPlan(pairs=True)

    def _structure(self, tables: CountTables) -> list[list[int]]:
        raise NotImplementedError

    def _families(self, structure: list[list[int]]) -> CountPlan:
        return family_plan(structure)

    def _kept(self, tables: CountTables, structure: Any) -> tuple[CountTables, Any]:
        """The tables of the network's families only."""
        families = {members: tables.family(members).copy() for members in self._families(structure).families}
        no_tasks = tables.pair_tasks[:0].copy()
        return replace(tables, families=families, pair_counts=None, pair_tasks=no_tasks), structure

    def _learn(self, tables: CountTables, structure: list[list[int]]) -> dict[str, Any]:
        names = tables.schema.names
        return {
            "parents_": {names[child]: [names[p] for p in chosen] for child, chosen in enumerate(structure)},
            "_network": Network.learn(tables, structure, self._smoothing),
        }

    def _score(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        joint += self._log_prior
        self._network.add_log_factors(codes, start, stop, joint)

    # ---- explaining

    def _members(self, codes: np.ndarray, wanted: np.ndarray) -> Members:
        factors = np.zeros((len(wanted), 1, len(codes), wanted.shape[1]))
        self._network.write_log_factors(codes, wanted, factors)
        return Members.single(self._log_prior[wanted], factors)

    def _describe_members(self, codes: np.ndarray) -> list[MemberNetwork]:
        return [
            MemberNetwork(
                "network",
                self._parents_by_position,
                counts_of_families(self._tables),
                needs_stronger=self._network.is_hierarchical,
            )
        ]

    def _arc_shares(self, codes: np.ndarray) -> dict[str, np.ndarray]:
        return {"network": self._fixed_arcs}

    # ---- for other libraries

    def to_bif(self, path: str | os.PathLike[str] | None = None) -> str:
        """The network in the Bayesian interchange format (BIF).

        Its probabilities are those of this classifier, see `to_pyagrum`. Names and values become
        identifiers: what is no letter, digit or underscore becomes an underscore.

        Parameters
        ----------
        path : str or path-like, default=None
            File to write; None writes none.

        Returns
        -------
        str
            The text.

        Raises
        ------
        MemoryError
            If the tables, laid out in full, exceed ``memory_limit``.
        """
        from seminaive.explain.interchange import write_bif

        check_is_fitted(self)
        return write_bif(self, path)

    def to_pyagrum(self) -> Any:
        """The network as a ``pyagrum.BayesNet``.

        With every attribute observed its posterior of the class is ``predict_proba``. It is so too where
        those that are not observed are parents of no observed one: both then leave them out. Where an
        observed attribute lacks a parent, this classifier looks at the rows with the other parents, while a
        network sums over the values that the parent may have. A value never seen in training is no evidence.

        Returns
        -------
        pyagrum.BayesNet
            Names and values of the attributes as in ``schema_``; the class is called "class".

        Raises
        ------
        ImportError
            If pyagrum is not installed (``pip install pyagrum``).
        MemoryError
            If the tables, laid out in full, exceed ``memory_limit``.
        """
        from seminaive.explain.interchange import pyagrum_network

        check_is_fitted(self)
        return pyagrum_network(self)


def family_plan(structure: list[list[int]]) -> CountPlan:
    """The tables of a network that is given by the parents of every attribute."""
    families = tuple((*parents, child) for child, parents in enumerate(structure) if parents)
    return CountPlan(families=families, logs_per_cell=1)


class Network:
    """Log factors of the children of one network: dense ones in one flat table, sparse ones on demand."""

    def __init__(
        self,
        members: np.ndarray,
        strides: np.ndarray,
        offsets: np.ndarray,
        table: np.ndarray,
        sparse: list[tuple[list[int], SparseFamily]],
        smoothing: Sequence[Smoothing | Levels],
    ) -> None:
        self.members, self.strides, self.offsets, self.table = members, strides, offsets, table
        self.sparse = sparse
        self.smoothing = smoothing  # of each attribute

    @property
    def is_hierarchical(self) -> bool:
        """Whether families are smoothed level by level."""
        return any(isinstance(rule, Levels) for rule in self.smoothing)

    @classmethod
    def learn(
        cls,
        tables: CountTables,
        parents: list[list[int]],
        smoothing: Smoothing,
        children: Collection[int] | None = None,
    ) -> Network:
        """Log factors of all ``children``; None are all attributes."""
        children = range(len(parents)) if children is None else children
        width = padded_classes(tables.n_classes)
        families = {child: tables.family((*chosen, child)) for child, chosen in enumerate(parents) if chosen}
        dense = {child: family for child, family in families.items() if isinstance(family, DenseFamily)}
        sparse = [
            ([*parents[child], child], f) for child, f in families.items() if isinstance(f, SparseFamily)
        ]
        for _, family in sparse:
            family.prepare()
        # children without parents share the table of all attributes; the others follow it
        rules: Sequence[Smoothing | Levels]
        if smoothing.is_hierarchical:
            levels = [choose_levels(families.get(i) or tables.family((i,))) for i in range(len(parents))]
            rules, roots = levels, log_attribute_factors(tables, levels)
        else:
            rules, roots = [smoothing] * len(parents), log_attribute_factors(tables, smoothing)
        sizes = [math.prod(v + 1 for v in family.n_values) * width for family in dense.values()]
        ends = np.cumsum([roots.shape[0] * width, *sizes])
        table = np.zeros(ends[-1])
        _fill(table[: ends[0]], roots, width)
        members = np.zeros((len(parents), max(map(len, parents), default=0) + 1), dtype=np.int64)
        strides = np.zeros_like(members)
        offsets = tables.first_slot[:-1] * width
        members[:, 0], strides[:, 0] = np.arange(len(parents)), width
        for (child, laid_out), begin, end in zip(dense.items(), ends[:-1], ends[1:], strict=True):
            table[begin:end] = log_factor_table(laid_out, rules[child], width).ravel()
            slots = [v + 1 for v in laid_out.n_values]
            members[child, : len(slots)] = [*parents[child], child]
            strides[child, : len(slots)] = [math.prod(slots[m + 1 :]) * width for m in range(len(slots))]
            offsets[child] = begin
        kept = [child for child in children if child in dense or child not in families]
        return cls(members[kept], strides[kept], offsets[kept], table, sparse, rules)

    def add_log_factors(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        """Add log P(x_i | parents, y) of every child to ``joint`` (rows, K)."""
        from seminaive.kernels.score import score_network

        width = padded_classes(joint.shape[1])
        score_network(codes, start, self.members, self.strides, self.offsets, self.table, width, joint)
        for members, family in self.sparse:
            # each distinct combination of the block is looked up once
            distinct, rows = np.unique(codes[members, start:stop], axis=1, return_inverse=True)
            joint += log_factor(family, distinct, self.smoothing[members[-1]])[rows.ravel()]

    def write_log_factors(
        self, codes: np.ndarray, wanted: np.ndarray, factors: np.ndarray, member: int = 0
    ) -> None:
        """Write log P(x_i | parents, y) into ``factors`` (rows, members, attributes, C), see `Members`."""
        from seminaive.kernels.explain import network_log_factors

        last = (self.strides > 0).sum(axis=1) - 1
        children = self.members[np.arange(len(last)), last]
        places = self.members, self.strides, self.offsets, children
        network_log_factors(codes, wanted, places, self.table, member, factors)
        for members, family in self.sparse:
            distinct, rows = np.unique(codes[members], axis=1, return_inverse=True)
            logs = log_factor(family, distinct, self.smoothing[members[-1]])[rows.ravel()]
            factors[:, member, members[-1]] = np.take_along_axis(logs, wanted, axis=1)


def _fill(flat: np.ndarray, table: np.ndarray, width: int) -> None:
    """Write a table (..., K) into flat cells of ``width`` entries."""
    n_classes = table.shape[-1]
    flat.reshape(-1, width)[:, :n_classes] = table.reshape(-1, n_classes)
