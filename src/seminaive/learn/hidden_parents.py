"""Hidden parents: what all other attributes together tell about a value, as a weighted mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from seminaive.counts.tables import CountTables
from seminaive.learn.factors import log_attribute_factors
from seminaive.learn.information import conditional_mutual_information, without_noise
from seminaive.learn.smoothing import Smoothing, safe_log
from seminaive.learn.superparents import OneDependenceTables

__all__ = ["HiddenParents"]


@dataclass
class HiddenParents:
    """Everything that scoring hidden naive Bayes needs.

    Attributes
    ----------
    weights : ndarray of shape (n_attributes, n_attributes)
        I(X_i; X_j | Y) in bits, 0 where it is no more than rounding leaves; not yet made to sum to 1.
    conditionals : OneDependenceTables
        P(x_i | x_j, y) of all pairs.
    log_alone : ndarray of shape (slots of all attributes, K)
        Log P(x_i | y), for values without any parent.
    n_values : ndarray of shape (n_attributes,)
    """

    weights: np.ndarray
    conditionals: OneDependenceTables
    log_alone: np.ndarray
    n_values: np.ndarray

    @classmethod
    def learn(cls, tables: CountTables, smoothing: Smoothing, n_jobs: int | None = None) -> HiddenParents:
        """Weights and probabilities from counts.

        Parameters
        ----------
        tables : CountTables
            With pairs.
        smoothing : Smoothing
        n_jobs : int, default=None
            Threads.
        """
        bits = conditional_mutual_information(tables, ascending=True)
        return cls(
            np.maximum(without_noise(bits), 0.0),
            OneDependenceTables.learn(tables, smoothing, ratio=False, n_jobs=n_jobs),
            log_attribute_factors(tables, smoothing),
            tables.n_values,
        )

    def log_factors(self, codes: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Log P(x_i | hidden parent of i, y) of every attribute i, one after the other.

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows)

        Yields
        ------
        i : int
        logs : ndarray of shape (n_rows, K)
            0 where x_i is not observed. Parents that are not observed are left out of the mean; where none is
            left, the factor is P(x_i | y).
        """
        seen = codes < self.n_values[:, None]
        slots = self.conditionals.first_slot[:-1, None] + codes.astype(np.int64)
        for i, (sums, masses) in enumerate(self._sums(codes, slots, seen)):
            alone = masses == 0
            logs = safe_log(sums / np.where(alone, 1.0, masses)[:, None])
            logs[alone] = self.log_alone[slots[i, alone]]
            logs[~seen[i]] = 0.0
            yield i, logs

    def _sums(
        self, codes: np.ndarray, slots: np.ndarray, seen: np.ndarray
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """For each attribute the sums of w_ij P(x_i | x_j, y), (n_rows, K), and of the weights, (n_rows,)."""
        known, n_rows, n_classes = self.conditionals, codes.shape[1], self.conditionals.n_classes
        if known.conditionals is not None:
            from seminaive.kernels.hidden_parents import mean_conditionals

            width = known.base.shape[1]
            like = (0.0,) * min(width, 4)
            shares = seen.astype(np.float64)
            for i in range(len(codes)):
                sums, masses = np.zeros(n_rows * width), np.zeros(n_rows)
                if n_rows:
                    totals = sums, masses
                    table = known.conditionals
                    mean_conditionals(like, slots, shares, self.weights[i], table, known.layout, i, totals)
                yield sums.reshape(n_rows, width)[:, :n_classes], masses
            return
        of_all = np.zeros((len(codes), n_rows, n_classes))
        for i, j, family in known.sparse:
            if self.weights[i, j] > 0:
                to_second, to_first = known.sparse_conditionals(family, codes[[i, j]])
                both = (seen[i] & seen[j])[:, None] * self.weights[i, j]
                of_all[i] += both * np.exp(to_first)
                of_all[j] += both * np.exp(to_second)
        yield from zip(of_all, self._masses(seen), strict=True)

    def _masses(self, seen: np.ndarray) -> np.ndarray:
        """Sum of the weights of each attribute's parents that a row has, from ``seen``, of that shape."""
        total = np.zeros(seen.shape)
        for j, has_parent in enumerate(seen):
            total += self.weights[:, j, None] * has_parent  # one after the other, as the kernel adds
        return total
