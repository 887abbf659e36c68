"""Classifiers whose attributes have a fixed list of parents beside the class."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from seminaive.classifiers.base import BayesianNetworkClassifier
from seminaive.counts.family import DenseFamily, SparseFamily
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.data.schema import Schema
from seminaive.learn.factors import log_factor, log_factor_table

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
        self, dense: dict[str, np.ndarray], sparse: list[tuple[list[int], SparseFamily]], smoothing: Any
    ):
        self.dense = dense
        self.sparse = sparse
        self.smoothing = smoothing

    @classmethod
    def learn(cls, tables: CountTables, parents: list[list[int]], smoothing: Any) -> Network:
        """Log factors of all children."""
        flat, members, sparse = [], [], []
        for child, chosen in enumerate(parents):
            family = tables.family((*chosen, child))
            if isinstance(family, DenseFamily):
                flat.append(log_factor_table(family, smoothing))
                members.append([*chosen, child])
            else:
                family.prepare()  # type: ignore[attr-defined]
                sparse.append(([*chosen, child], family))
        width = max(map(len, members), default=1)
        which = np.zeros((len(members), width), dtype=np.int64)
        strides = np.zeros((len(members), width), dtype=np.int64)
        for row, (family_members, table) in enumerate(zip(members, flat, strict=True)):
            which[row, : len(family_members)] = family_members
            strides[row, : len(family_members)] = [
                math.prod(table.shape[m + 1 :]) for m in range(table.ndim - 1)
            ]
        sizes = [table.size for table in flat]
        dense = {
            "members": which,
            "strides": strides,
            "offsets": np.cumsum([0, *sizes], dtype=np.int64)[:-1] if sizes else np.zeros(0, dtype=np.int64),
            "table": np.concatenate([table.ravel() for table in flat]) if flat else np.zeros(0),
        }
        return cls(dense, sparse, smoothing)  # type: ignore[arg-type]

    def add_log_factors(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        """Add log P(x_i | parents, y) of every child to ``joint`` (rows, K)."""
        from seminaive.kernels.score import score_network

        table = self.dense
        if len(table["members"]):
            score_network(
                codes, start, table["members"], table["strides"], table["offsets"], table["table"], joint
            )
        for members, family in self.sparse:
            # each distinct combination of the block is looked up once
            distinct, rows = np.unique(codes[members, start:stop], axis=1, return_inverse=True)
            joint += log_factor(family, distinct, self.smoothing)[rows.ravel()]
