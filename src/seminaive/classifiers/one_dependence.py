"""Classifiers that average one-dependence estimators."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.classifiers.base import BayesianNetworkClassifier
from seminaive.classifiers.batches import PartialFitMixin
from seminaive.classifiers.network import Network
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.data.checks import check_amount, check_option
from seminaive.data.schema import Schema
from seminaive.explain.members import Members
from seminaive.explain.networks import MemberNetwork, counts_of_families
from seminaive.learn.implications import Implications
from seminaive.learn.smoothing import safe_log
from seminaive.learn.superparents import OneDependenceTables, is_eligible

__all__ = ["OneDependenceClassifier", "equal_weights"]


class OneDependenceClassifier(PartialFitMixin, BayesianNetworkClassifier):
    """P(x, y) as a weighted mean over superparents; AODE with equal weights.

    Parameters
    ----------
    %(options)s
    """

    frequency_limit: float = 1
    subsumption_resolution: bool = False
    critical_value: float = 100
    conditional: str = "direct"

    def _check_parameters(self) -> None:
        check_option("conditional", self.conditional, ("direct", "ratio"))
        check_amount("frequency_limit", self.frequency_limit)

    def _plan(self, schema: Schema) -> CountPlan:
        return CountPlan(pairs=True, logs_per_cell=2)

    def _learn(self, tables: CountTables, structure: Any) -> dict[str, Any]:
        smoothing = self._smoothing
        names = tables.schema.names
        default_prior = safe_log(smoothing(tables.class_counts, tables.class_counts.sum(), tables.n_classes))
        return {
            "parents_": {name: [other for other in names if other != name] for name in names},
            "_one_dependence": OneDependenceTables.learn(
                tables, smoothing, self.conditional == "ratio", self.n_jobs
            ),
            "_eligible": is_eligible(tables, self.frequency_limit),
            "_implications": (
                Implications.find(tables, self.critical_value) if self.subsumption_resolution else None
            ),
            "_naive": Network.learn(tables, [[] for _ in names], smoothing),
            "_default_log_prior": default_prior,
        }

    def _superparents(self, codes: np.ndarray) -> np.ndarray:
        """Whether each attribute may be a superparent of each row, shape (rows, n_attributes)."""
        from seminaive.kernels.score import find_superparents

        superparents = np.empty(codes.shape[::-1], dtype=bool)
        find_superparents(codes, self._eligible, self._one_dependence.first_slot, superparents)
        return superparents

    def _weights(self, codes: np.ndarray, superparents: np.ndarray) -> np.ndarray:
        """Weights of the superparents of each row, which sum to 1 where there are any; equal ones here."""
        return equal_weights(superparents)

    def _average(self, codes: np.ndarray, weights: np.ndarray, joint: np.ndarray) -> None:
        """Write the log of the weighted mean of the estimators into ``joint`` (rows, K)."""
        self._one_dependence.score(codes, 0, len(joint), weights, joint)

    def _average_rows(self, codes: np.ndarray, joint: np.ndarray) -> np.ndarray:
        """Write the log of the mean of each row's estimators into ``joint``; which rows have any, (rows,)."""
        visible = codes if self._implications is None else self._implications.hide(codes)
        superparents: np.ndarray = self._superparents(visible)
        self._average(visible, self._weights(visible, superparents), joint)
        return np.asarray(superparents.any(axis=1))

    def _score(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        block = np.ascontiguousarray(codes[:, start:stop])
        has_any = self._average_rows(block, joint)
        # the tables know the default prior; another one takes its place
        known = np.isfinite(self._default_log_prior)
        joint[:, known] += self._log_prior[known] - self._default_log_prior[known]
        alone = np.flatnonzero(~has_any)
        if len(alone):
            fallback = np.tile(self._log_prior, (len(alone), 1))
            self._naive.add_log_factors(np.ascontiguousarray(block[:, alone]), 0, len(alone), fallback)
            joint[alone] = fallback

    # ---- explaining

    def _most_members(self) -> int:
        return len(self.schema_)

    def _explainer(self, n_rows: int) -> OneDependenceClassifier:
        model: OneDependenceClassifier = super()._explainer(n_rows)
        model._one_dependence = self._one_dependence.with_logs(n_rows)
        return model

    def _estimators(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Codes of attributes as superparents and as children, and the weights of the superparents."""
        visible = codes if self._implications is None else self._implications.hide(codes)
        weights: np.ndarray = self._weights(visible, self._superparents(visible))
        return visible, visible, weights

    def _priors(self) -> tuple[np.ndarray, np.ndarray]:
        """log P(y) in the tables and in the classifier, 0 where a class is impossible in the former."""
        known = np.isfinite(self._default_log_prior)
        return np.where(known, self._default_log_prior, 0.0), np.where(known, self._log_prior, 0.0)

    def _members(self, codes: np.ndarray, wanted: np.ndarray) -> Members:
        own, seen, weights = self._estimators(codes)
        default, prior = self._priors()
        factors = self._one_dependence.log_factors(own, seen, wanted, weights, default)
        log_prior, log_weights = prior[wanted], safe_log(np.abs(weights))
        alone = np.flatnonzero(np.isneginf(log_weights).all(axis=1))
        if len(alone):  # naive Bayes is their first member
            naive = np.zeros((len(alone), 1, *factors.shape[2:]))
            self._naive.write_log_factors(np.ascontiguousarray(codes[:, alone]), wanted[alone], naive)
            factors[alone, :1] = naive
            log_weights[alone, 0] = 0
            log_prior[alone] = self._log_prior[wanted[alone]]
        return Members(log_prior, log_weights, factors, np.where(weights < 0, -1.0, 1.0))

    def _mean_weights(self, codes: np.ndarray) -> dict[str, float]:
        means = self._estimators(codes)[2].mean(axis=0)
        return dict(zip(self.schema_.names, means.tolist(), strict=True))

    def _describe_members(self, codes: np.ndarray) -> list[MemberNetwork]:
        names = self.schema_.names
        column = codes[:, None]
        _, seen, weights = self._estimators(column)
        counts = counts_of_families(self._tables)
        if not weights.any():
            nothing: dict[int, list[int]] = {i: [] for i in range(len(names))}
            return [MemberNetwork("naive Bayes, as no attribute is a superparent", nothing, counts)]
        hidden = np.flatnonzero((seen != column)[:, 0])
        implied_by = {} if not len(hidden) else self._implications.reasons(column, hidden)
        shown = np.flatnonzero(seen[:, 0] < self.schema_.n_values).tolist()
        members = []
        for a, name in enumerate(names):
            parents: dict[int, list[int]] = (
                {} if weights[0, a] == 0 else {j: [] if j == a else [a] for j in sorted({*shown, a})}
            )
            members.append(
                MemberNetwork(
                    f"superparent {name}",
                    parents,
                    counts,
                    float(weights[0, a]),
                    backs_off=False,
                    superparent=a,
                    implied_by=implied_by,
                )
            )
        return members


def equal_weights(superparents: np.ndarray) -> np.ndarray:
    """The same weight for each superparent of a row; zeros where there is none."""
    from seminaive.kernels.score import share_equally

    weights = np.empty(superparents.shape)
    share_equally(superparents, weights)
    return weights
