"""Classifiers whose attributes have a fixed list of parents beside the class."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from seminaive.classifiers.base import BayesianNetworkClassifier
from seminaive.counts.family import DenseFamily, SparseFamily
from seminaive.counts.plan import CountPlan, padded_classes
from seminaive.counts.tables import CountTables
from seminaive.data.schema import Schema
from seminaive.learn.factors import log_attribute_factors, log_factor, log_factor_table
from seminaive.learn.smoothing import Smoothing

__all__ = ["Network", "SingleNetworkClassifier"]


class SingleNetworkClassifier(BayesianNetworkClassifier):
    """P(x, y) = P(y) prod_i P(x_i | parents of i, y) with one network for all rows.

    A subclass supplies ``_choose_parents(tables)``: for every attribute its parents, strongest first.

    Parameters
    ----------
    %(options)s
    """

    def _choose_parents(self, tables: CountTables) -> list[list[int]]:
        raise NotImplementedError

    def _plan(self, schema: Schema) -> CountPlan:
        return CountPlan(pairs=True)

    def _families(self, tables: CountTables) -> CountPlan | None:
        wide = [
            (*parents, child)
            for child, parents in enumerate(self._choose_parents(tables))
            if len(parents) > 1
        ]
        return CountPlan(families=tuple(wide), logs_per_cell=1)

    def _learn(self, tables: CountTables) -> dict[str, Any]:
        names = tables.schema.names
        parents = self._choose_parents(tables)
        network = Network.learn(tables, parents, self._smoothing)
        return {
            "parents_": {names[child]: [names[p] for p in chosen] for child, chosen in enumerate(parents)},
            "_network": network,
        }

    def _score(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        joint += self._log_prior
        self._network.add_log_factors(codes, start, stop, joint)


class Network:
    """Log factors of the children of one network: dense ones in one flat table, sparse ones on demand."""

    def __init__(
        self,
        members: np.ndarray,
        strides: np.ndarray,
        offsets: np.ndarray,
        table: np.ndarray,
        sparse: list[tuple[list[int], SparseFamily]],
        smoothing: Smoothing,
    ) -> None:
        self.members, self.strides, self.offsets, self.table = members, strides, offsets, table
        self.sparse = sparse
        self.smoothing = smoothing

    @classmethod
    def learn(cls, tables: CountTables, parents: list[list[int]], smoothing: Smoothing) -> Network:
        """Log factors of all children."""
        # children without parents share the table of all attributes; the others follow it
        width = padded_classes(tables.n_classes)
        flat = [_padded(log_attribute_factors(tables, smoothing), width)]
        members = np.zeros((len(parents), max(map(len, parents), default=0) + 1), dtype=np.int64)
        strides = np.zeros_like(members)
        offsets = tables.first_slot[:-1] * width
        members[:, 0], strides[:, 0] = np.arange(len(parents)), width
        dense = np.ones(len(parents), dtype=bool)
        sparse = []
        end = len(flat[0])
        for child, chosen in enumerate(parents):
            if not chosen:
                continue
            family_members = [*chosen, child]
            family = tables.family(tuple(family_members))
            if isinstance(family, DenseFamily):
                table = log_factor_table(family, smoothing)
                depth = len(family_members)
                members[child, :depth] = family_members
                strides[child, :depth] = [math.prod(table.shape[m + 1 : -1]) * width for m in range(depth)]
                offsets[child] = end
                flat.append(_padded(table, width))
                end += len(flat[-1])
            else:
                assert isinstance(family, SparseFamily)
                family.prepare()
                sparse.append((family_members, family))
                dense[child] = False
        return cls(members[dense], strides[dense], offsets[dense], np.concatenate(flat), sparse, smoothing)

    def add_log_factors(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        """Add log P(x_i | parents, y) of every child to ``joint`` (rows, K)."""
        from seminaive.kernels.score import score_network

        width = padded_classes(joint.shape[1])
        score_network(codes, start, self.members, self.strides, self.offsets, self.table, width, joint)
        for members, family in self.sparse:
            # each distinct combination of the block is looked up once
            distinct, rows = np.unique(codes[members, start:stop], axis=1, return_inverse=True)
            joint += log_factor(family, distinct, self.smoothing)[rows.ravel()]


def _padded(table: np.ndarray, width: int) -> np.ndarray:
    """A table (..., K) as flat cells of ``width`` entries."""
    padded = np.zeros((*table.shape[:-1], width))
    padded[..., : table.shape[-1]] = table
    return padded.ravel()
