"""The mean of a network for all rows and a network for each."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.classifiers.case_network import CaseChoice, CaseNetworkClassifier
from seminaive.classifiers.network import Network, family_plan
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
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
