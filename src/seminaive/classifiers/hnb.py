"""Hidden naive Bayes."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.classifiers.base import BayesianNetworkClassifier
from seminaive.classifiers.batches import PartialFitMixin
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.data.schema import Schema
from seminaive.explain.members import Members
from seminaive.explain.networks import MemberNetwork, counts_of_families
from seminaive.learn.hidden_parents import HiddenParents

__all__ = ["HNB"]


class HNB(PartialFitMixin, BayesianNetworkClassifier):
    r"""Hidden naive Bayes (Jiang, Zhang and Cai 2009).

    Every attribute has one parent beside the class that nobody observes: what all other attributes together
    tell about it, each as far as it depends on it.

    .. math:: P(x, y) = P(y) \prod_i \sum_{j \ne i} w_{ij} P(x_i \mid x_j, y), \qquad
              w_{ij} = \frac{I(X_i; X_j \mid Y)}{\sum_{k \ne i} I(X_i; X_k \mid Y)}

    Where no other attribute tells anything the factor is P(x_i | y).

    Parameters
    ----------
    %(options)s

    Attributes
    ----------
    weights_ : ndarray of shape (n_features, n_features)
        Row i holds the weights of the parents of feature i, which sum to 1, or zeros where it has none.
    %(attributes)s

    See Also
    --------
    AODE : Averages over superparents of whole rows instead of over parents of each value.
    TAN : Chooses one parent.

    Notes
    -----
    With its defaults and no missing values it equals HNB of Weka 3.6. Information comes from raw counts. A
    parent that a row does not have is left out and the other weights grow in proportion.

    Fitting takes one pass and O(N n^2) for N rows and n attributes, predicting O(K n^2) per row, as for AODE.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from seminaive import HNB
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = HNB().fit(X, y)
    >>> round(float(model.score(X, y)), 3)
    0.967
    >>> model.weights_[0].round(2).tolist()
    [0.0, 0.43, 0.37, 0.2]
    """

    def _plan(self, schema: Schema) -> CountPlan:
        return CountPlan(pairs=True, logs_per_cell=2)

    def _learn(self, tables: CountTables, structure: Any) -> dict[str, Any]:
        names = tables.schema.names
        hidden = HiddenParents.learn(tables, self._smoothing, self.n_jobs)
        totals = hidden.weights.sum(axis=1, keepdims=True)
        return {
            "parents_": {
                name: [names[j] for j in np.argsort(-weights, kind="stable") if weights[j] > 0]
                for name, weights in zip(names, hidden.weights, strict=True)
            },
            "weights_": hidden.weights / np.where(totals > 0, totals, 1.0),
            "_hidden": hidden,
        }

    def _score(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        joint += self._log_prior
        for _, logs in self._hidden.log_factors(np.ascontiguousarray(codes[:, start:stop])):
            joint += logs

    # ---- explaining

    def _members(self, codes: np.ndarray, wanted: np.ndarray) -> Members:
        factors = np.zeros((len(wanted), 1, len(codes), wanted.shape[1]))
        for i, logs in self._hidden.log_factors(codes):
            factors[:, 0, i] = np.take_along_axis(logs, wanted, axis=1)
        return Members.single(self._log_prior[wanted], factors)

    def _describe_members(self, codes: np.ndarray) -> list[MemberNetwork]:
        bits, of_pair = self._hidden.weights, counts_of_families(self._tables)

        def counts(codes: np.ndarray, child: int, parents: list[int]) -> tuple[np.ndarray, np.ndarray]:
            """Means over the parents, weighted as in the factor."""
            if not parents:
                return of_pair(codes, child, [])
            found = np.array([of_pair(codes, child, [j]) for j in parents])
            rows, matching = np.average(found, axis=0, weights=bits[child, parents])
            return rows, matching

        parents = self._parents_by_position
        strengths = {(i, j): float(bits[i, j]) for i, chosen in parents.items() for j in chosen}
        return [MemberNetwork("hidden parents", parents, counts, backs_off=False, strengths=strengths)]

    def _arc_shares(self, codes: np.ndarray) -> dict[str, np.ndarray]:
        return {"hidden parents": self._fixed_arcs}
