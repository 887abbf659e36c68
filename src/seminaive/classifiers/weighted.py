"""One-dependence estimators averaged with weights that may depend on the row."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from seminaive.classifiers.base import row_blocks
from seminaive.classifiers.one_dependence import OneDependenceClassifier
from seminaive.classifiers.options import Options
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.data.schema import Schema
from seminaive.data.table import column_names
from seminaive.learn.evidence import Evidence

__all__ = ["WeightedOneDependenceClassifier"]


class WeightedOneDependenceClassifier(OneDependenceClassifier):
    r"""Base of the weighted AODEs.

    .. math:: P(x, y) \propto \sum_a w_a(x) P(x_a, y) \prod_{j \ne a} P(x_j \mid x_a, y)

    A subclass supplies the weight function in up to three parts: ``_value_terms(tables)`` and
    ``_pair_terms(cells)`` give what each value and each pair of values contribute, computed once in
    fitting, and ``_weigh(sums, observed)`` turns a row's sums into weights.

    Parameters
    ----------
    %(superparents)s
    %(options)s
    """

    _needs_pair_sums = False

    def __init__(
        self, *, frequency_limit: float = 1, conditional: str = "direct", **options: Unpack[Options]
    ) -> None:
        super().__init__(**options)
        self.frequency_limit = frequency_limit
        self.conditional = conditional

    def _value_terms(self, tables: CountTables) -> np.ndarray:
        """Term of every value, shape (slots of all attributes,)."""
        raise NotImplementedError

    # a method where pairs of values contribute: what each pair gives to its first and to its second attribute
    _pair_terms: Any = None

    def _weigh(self, sums: np.ndarray, observed: np.ndarray) -> np.ndarray:
        """Weights (rows, n_attributes) from sums of that shape; what is not observed is ignored."""
        return sums

    def _plan(self, schema: Schema) -> CountPlan:
        return CountPlan(pairs=True, logs_per_cell=2, values_per_cell=0 if self._pair_terms is None else 2)

    def _learn(self, tables: CountTables, structure: Any) -> dict[str, Any]:
        with np.errstate(divide="ignore", invalid="ignore"):  # such terms make weights that do not count
            terms = self._value_terms(tables)
            evidence = Evidence.learn(
                tables, terms, self._pair_terms, with_sums=self._needs_pair_sums, n_jobs=self.n_jobs
            )
        return {**super()._learn(tables, structure), "_evidence": evidence}

    def _weights(self, codes: np.ndarray, superparents: np.ndarray) -> np.ndarray:
        observed = np.ascontiguousarray((codes < self.schema_.n_values[:, None]).T)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            weights = self._weigh(self._evidence.of(codes, self._pair_terms), observed)
        return self._usable(weights, superparents)

    def _usable(self, weights: np.ndarray, superparents: np.ndarray) -> np.ndarray:
        """Weights that sum to 1: negative or not finite ones count as 0; if nothing is left all are equal."""
        from seminaive.kernels.weights import normalize_weights

        normalize_weights(weights, superparents)
        return weights

    def superparent_weights(self, X: Any) -> Any:
        """Weight of every superparent for every row.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_features), or a frame of the kind of ``X``
            Each row sums to 1 (with ``AWODE(negative="keep")`` its absolute values do); 0 for an attribute
            that is no superparent of the row (missing, unseen, or too rare). A row without any superparent,
            which naive Bayes predicts, has zeros only.
        """
        codes = self._codes(X)
        weights = np.empty((codes.shape[1], codes.shape[0]))
        for start, stop in row_blocks(codes.shape[1]):
            block = np.ascontiguousarray(codes[:, start:stop])
            weights[start:stop] = self._weights(block, self._superparents(block))
        if column_names(X) is None:
            return weights
        import narwhals as nw

        frame = nw.from_native(X)
        columns = {name: weights[:, i] for i, name in enumerate(self.schema_.names)}
        named = nw.from_dict(columns, backend=nw.get_native_namespace(frame)).to_native()
        if frame.implementation.is_pandas_like():
            named.index = X.index  # so that weights can be joined with the table
        return named
