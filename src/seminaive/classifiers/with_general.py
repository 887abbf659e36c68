"""The mean of a network for all rows and a network for each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import logsumexp

from seminaive.classifiers.case_network import CaseChoice, CaseNetworkClassifier
from seminaive.classifiers.network import Network, family_plan
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.explain.members import Members
from seminaive.explain.networks import MemberNetwork, counts_of_families
from seminaive.learn.information import conditional_mutual_information, mutual_information
from seminaive.learn.parents import k_dependence_parents
from seminaive.learn.posterior import log_mean_posterior

__all__ = ["AveragedWithGeneralKDB"]


class AveragedWithGeneralKDB(CaseNetworkClassifier):
    """Adds KDB to a classifier with local networks: P(y | x) is the mean of both posteriors.

    Parameters
    ----------
    %(options)s
    """

    def _structure(self, tables: CountTables) -> CaseChoice:
        k: Any = self.k
        _, parents = k_dependence_parents(
            mutual_information(tables), conditional_mutual_information(tables), int(k)
        )
        return CaseChoice(general=parents)

    def _families(self, structure: CaseChoice) -> CountPlan:
        assert structure.general is not None
        return family_plan(structure.general)

    def _learn(self, tables: CountTables, structure: CaseChoice) -> dict[str, Any]:
        assert structure.general is not None
        names = tables.schema.names
        return {
            **super()._learn(tables, structure),
            "parents_": {
                names[child]: [names[p] for p in chosen] for child, chosen in enumerate(structure.general)
            },
            "_general": Network.learn(tables, structure.general, self._smoothing),
        }

    def _score(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        super()._score(codes, start, stop, joint)
        general = np.tile(self._log_prior, (len(joint), 1))
        self._general.add_log_factors(codes, start, stop, general)
        joint[:] = log_mean_posterior(joint, general, self._log_prior)

    # ---- explaining

    def _most_members(self) -> int:
        return 2

    def _members(self, codes: np.ndarray, wanted: np.ndarray) -> Members:
        n_rows, n_classes = len(wanted), len(self.classes_)
        every_class = np.tile(np.arange(n_classes), (n_rows, 1))
        factors = np.zeros((n_rows, 2, len(codes), n_classes))
        self._general.write_log_factors(codes, every_class, factors)
        factors[:, 1] = super()._members(codes, every_class).log_factors[:, 0]
        joint = self._log_prior + factors.sum(axis=2)
        factors[np.isneginf(joint).all(axis=2)] = 0  # such a member gives the prior
        log_weights = -logsumexp(self._log_prior + factors.sum(axis=2), axis=2)
        chosen = np.take_along_axis(factors, wanted[:, None, None], axis=3)
        return Members(self._log_prior[wanted], log_weights, chosen)

    def _describe_members(self, codes: np.ndarray) -> list[MemberNetwork]:
        general = MemberNetwork(
            "general network", self._parents_by_position, counts_of_families(self._tables)
        )
        return [replace(network, weight=0.5) for network in (general, *super()._describe_members(codes))]

    def _arc_shares(self, codes: np.ndarray) -> dict[str, np.ndarray]:
        return {"general network": self._fixed_arcs, **super()._arc_shares(codes)}
