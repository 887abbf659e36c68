"""Averaged n-dependence estimators."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any, Unpack

import numpy as np

from seminaive.classifiers.one_dependence import OneDependenceClassifier
from seminaive.classifiers.options import Options
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.data.checks import check_amount, check_option
from seminaive.explain.members import Members, Split, split
from seminaive.explain.networks import MemberNetwork, counts_of_families
from seminaive.learn.smoothing import safe_log
from seminaive.learn.superparent_pairs import SuperparentPairs, triple_counts

__all__ = ["AnDE"]

_TABLE_BYTES = 1024  # what a table takes at the least, however few its cells


class AnDE(OneDependenceClassifier):
    r"""Averaged n-dependence estimators (Webb, Boughton, Zheng, Ting and Salem 2012): AODE and A2DE.

    With ``n=2`` every pair of attributes in turn is the superparent of all others:

    .. math:: P(x, y) = \frac{1}{|A|} \sum_{\{a, b\} \in A} P(x_a, x_b, y)
              \prod_{j \ne a, b} P(x_j \mid x_a, x_b, y)

    where A are the pairs of attributes whose values occur together at least ``frequency_limit`` times in
    training. A row without such a pair is left to `AODE`, which leaves one without any superparent to naive
    Bayes. With ``n=1`` it is AODE.

    Parameters
    ----------
    n : {1, 2}, default=2
        How many superparents an estimator has.
    frequency_limit : float, default=1
        Least count of a superparent's values; 1 asks that they occur at all, 0 asks nothing.
    subsumption_resolution : bool, default=False
        Leave a value out of a row if another value of the row implies it, as in `AODE`.
    critical_value : float, default=100
        How many rows with the other value that takes at least.
    %(options)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    AODE : One superparent at a time, with the ratio form of the probabilities as an option.

    Notes
    -----
    Fitting takes O(N n^3) for N rows and n attributes, in two passes over the codes, predicting O(K n^3) per
    row. Memory grows with the third power of the total number of values and is planned before the second
    pass. Lower bias than AODE and more variance, so for many rows and up to fifty columns or so.

    In an explanation P(x_a, x_b | y) is divided between its two attributes as the mean over both orders.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from seminaive import AnDE
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> round(float(AnDE(n=2).fit(X, y).score(X, y)), 3)
    0.967
    """

    _blocks_at_a_time = 8  # each block reads all tables

    def __init__(
        self,
        *,
        n: int = 2,
        frequency_limit: float = 1,
        subsumption_resolution: bool = False,
        critical_value: float = 100,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(**options)
        self.n = n
        self.frequency_limit = frequency_limit
        self.subsumption_resolution = subsumption_resolution
        self.critical_value = critical_value

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_option("n", self.n, (1, 2))
        check_option("subsumption_resolution", self.subsumption_resolution, (True, False))
        check_amount("critical_value", self.critical_value)

    def _structure(self, tables: CountTables) -> list[list[int]] | None:
        """For ``n=2`` the attributes before each one, any two of which are counted together with it."""
        if self.n == 1:
            return None
        n_attributes, limit = len(tables.schema), self._bytes_limit
        number = comb(n_attributes, 3)
        if number * _TABLE_BYTES > limit:
            raise MemoryError(
                f"AnDE(n=2) counts {number:,} triples of {n_attributes} attributes, which takes more than "
                f"{number * _TABLE_BYTES:,} bytes, above the limit of {limit:,} bytes. Use AnDE(n=1), which "
                "counts pairs, select fewer columns, or raise memory_limit."
            )
        return [list(range(child)) for child in range(n_attributes)]

    def _families(self, structure: list[list[int]] | None) -> CountPlan | None:
        if structure is None:
            return None
        triples = (
            (*pair, child) for child, before in enumerate(structure) for pair in combinations(before, 2)
        )
        return CountPlan(families=tuple(triples), logs_per_cell=3)

    def _learn(self, tables: CountTables, structure: Any) -> dict[str, Any]:
        pairs = None
        if structure is not None:
            pairs = SuperparentPairs.learn(tables, self._smoothing, self.frequency_limit, self.n_jobs)
        return {**super()._learn(tables, structure), "_pairs": pairs}

    def _score(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        if self._pairs is None:
            super()._score(codes, start, stop, joint)
            return
        block = np.ascontiguousarray(codes[:, start:stop])
        numbers = self._pairs.score(self._visible(block), joint)
        known = np.isfinite(self._default_log_prior)
        joint[:, known] += self._log_prior[known] - self._default_log_prior[known]
        alone = np.flatnonzero(numbers == 0)
        if len(alone):
            fallback = np.zeros((len(alone), joint.shape[1]))
            super()._score(np.ascontiguousarray(block[:, alone]), 0, len(alone), fallback)
            joint[alone] = fallback

    def _visible(self, codes: np.ndarray) -> np.ndarray:
        visible: np.ndarray = codes if self._implications is None else self._implications.hide(codes)
        return visible

    # ---- explaining

    def _most_members(self) -> int:
        n = len(self.schema_)
        return n if self._pairs is None else max(n, comb(n, 2))

    def _explainer(self, n_rows: int) -> AnDE:
        model: AnDE = super()._explainer(n_rows)
        if self._pairs is not None:
            model._pairs = self._pairs.with_logs(n_rows)
        return model

    def _members(self, codes: np.ndarray, wanted: np.ndarray) -> Members:
        if self._pairs is None:
            return super()._members(codes, wanted)
        visible, (default, prior) = self._visible(codes), self._priors()
        n_rows, n_pairs = len(wanted), comb(len(codes), 2)
        factors = np.zeros((n_rows, self._most_members(), len(codes), wanted.shape[1]))
        log_weights = np.full(factors.shape[:2], -np.inf)
        factors[:, :n_pairs] = self._pairs.log_factors(visible, wanted, default)
        log_weights[:, :n_pairs] = safe_log(self._pairs.weights(visible))
        log_prior = prior[wanted]
        alone = np.flatnonzero(np.isneginf(log_weights).all(axis=1))
        if len(alone):  # the estimators of AODE are their first members
            others = super()._members(np.ascontiguousarray(codes[:, alone]), wanted[alone])
            factors[alone, : len(codes)] = others.log_factors
            log_weights[alone, : len(codes)] = others.log_weights
            log_prior[alone] = others.log_prior
        return Members(log_prior, log_weights, factors)

    def _split_odds(self, codes: np.ndarray, wanted: np.ndarray) -> Split:
        """As of `_members`, but pair by pair from the tables, where they are dense."""
        if self._pairs is None or self._pairs.dense is None:
            return super()._split_odds(codes, wanted)
        default, prior = self._priors()
        shares = np.zeros((len(wanted), self._most_members()))
        contributions, numbers = self._pairs.split_odds(self._visible(codes), wanted, default, shares)
        found = Split.of_parts(prior[wanted], contributions, shares)
        alone = np.flatnonzero(numbers == 0)
        if len(alone):
            others = split(super()._members(np.ascontiguousarray(codes[:, alone]), wanted[alone]))
            found.prior[alone], found.contributions[alone] = others.prior, others.contributions
            found.shares[alone, : len(codes)] = others.shares
        return found

    def _bytes_to_split(self) -> int:
        if self._pairs is None or self._pairs.dense is None:
            return super()._bytes_to_split()
        return 8 * self._most_members()  # the shares

    def _mean_weights(self, codes: np.ndarray) -> dict[str, float]:
        if self._pairs is None:
            return super()._mean_weights(codes)
        weights = self._pairs.weights(self._visible(codes))
        total = np.zeros(len(codes))
        for mean, members in zip(weights.sum(axis=0), combinations(range(len(codes)), 2), strict=True):
            total[list(members)] += mean / 2
        alone = np.flatnonzero(~weights.any(axis=1))
        total += self._estimators(np.ascontiguousarray(codes[:, alone]))[2].sum(axis=0)
        return dict(zip(self.schema_.names, (total / max(codes.shape[1], 1)).tolist(), strict=True))

    def _describe_members(self, codes: np.ndarray) -> list[MemberNetwork]:
        column, names = codes[:, None], self.schema_.names
        seen = self._visible(column)
        if self._pairs is None or not self._pairs.weights(seen).any():
            return super()._describe_members(codes)
        of_pairs = counts_of_families(self._tables)

        def counts(codes: np.ndarray, child: int, parents: list[int]) -> tuple[np.ndarray, np.ndarray]:
            if len(parents) < 2:
                return of_pairs(codes, child, parents)
            return triple_counts(self._tables, codes, child, parents)

        hidden = np.flatnonzero((seen != column)[:, 0])
        implied_by = {} if not len(hidden) else self._implications.reasons(column, hidden)
        shown = np.flatnonzero(seen[:, 0] < self.schema_.n_values).tolist()
        members = []
        for weight, (a, b) in zip(
            self._pairs.weights(seen)[0].tolist(), combinations(range(len(codes)), 2), strict=True
        ):
            both, parents = [a, b], {}
            if weight > 0:
                parents = {**dict.fromkeys(shown, both), a: [], b: []}
            name = f"superparents {names[a]} and {names[b]}"
            members.append(
                MemberNetwork(
                    name, parents, counts, weight, backs_off=False, superparent=a, implied_by=implied_by
                )
            )
        return members
