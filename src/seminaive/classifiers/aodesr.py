"""AODE with superparents from a spanning tree and without implied children."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from seminaive.classifiers.one_dependence import OneDependenceClassifier, equal_weights
from seminaive.classifiers.options import Options
from seminaive.counts.tables import CountTables
from seminaive.data.checks import check_amount
from seminaive.learn.implications import Implications
from seminaive.learn.information import conditional_mutual_information
from seminaive.learn.trees import inner_nodes

__all__ = ["AODESR"]


class AODESR(OneDependenceClassifier):
    r"""AODE with superparents from a spanning tree and without implied children (AODE-SR, MPE 2014, 470821).

    Superparents are the inner nodes of the maximum spanning tree of :math:`I(X_i; X_j \mid Y)`, those with
    at least two neighbours (edges without information do not count). Values that another value of the row
    implies are left out as children, and as superparents too unless no other is left:

    .. math:: P(x, y) \propto \sum_{a \in S} P(x_a, y) \prod_{j \ne a} P(x_j \mid x_a, y)

    Parameters
    ----------
    critical_value : float, default=100
        Training rows that a value needs before it can imply another one.
    %(superparents)s
    %(options)s

    Attributes
    ----------
    superparents_ : list of str
        The inner nodes of the tree; all features where there are none.
    %(attributes)s

    See Also
    --------
    AODE : All superparents; ``subsumption_resolution=True`` leaves out the same values.

    Notes
    -----
    Details are reconstructed from the paper's abstract; its published column in the paper of 2015 is not
    reproduced. A row without any superparent is predicted by naive Bayes on all its values. The class
    "AODESR" of other systems is `AODE` with subsumption resolution.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from seminaive import AODESR
    >>> X, y = load_iris(return_X_y=True)
    >>> AODESR().fit(X, y).superparents_
    ['x0', 'x2']
    """

    def __init__(
        self,
        *,
        critical_value: float = 100,
        frequency_limit: float = 1,
        conditional: str = "direct",
        **options: Unpack[Options],
    ) -> None:
        super().__init__(**options)
        self.critical_value = critical_value
        self.frequency_limit = frequency_limit
        self.conditional = conditional

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_amount("critical_value", self.critical_value)

    def _learn(self, tables: CountTables, structure: Any) -> dict[str, Any]:
        names = tables.schema.names
        inner = inner_nodes(conditional_mutual_information(tables))
        return {
            **super()._learn(tables, structure),
            "superparents_": [names[a] for a in np.flatnonzero(inner)],
            "_inner": inner,
            "_implications": Implications.find(tables, self.critical_value),
        }

    def _superparents(self, codes: np.ndarray) -> np.ndarray:
        return super()._superparents(codes) & self._inner

    def _average_rows(self, codes: np.ndarray, joint: np.ndarray) -> np.ndarray:
        has_any = super()._average_rows(codes, joint)
        # where all superparents are implied they serve all the same, each with the children that are left
        rows = np.flatnonzero(~has_any)
        implied = np.ascontiguousarray(codes[:, rows])
        superparents = self._superparents(implied)
        total = np.full((len(rows), joint.shape[1]), -np.inf)
        for a in np.flatnonzero(superparents.any(axis=0)):
            visible = self._implications.hide(implied)
            visible[a] = implied[a]
            only = np.zeros_like(superparents)
            only[:, a] = superparents[:, a]
            term = np.empty_like(total)
            self._average(visible, equal_weights(only), term)
            total = np.logaddexp(total, term)
        number = superparents.sum(axis=1)
        joint[rows] = total - np.log(np.maximum(number, 1))[:, None]
        has_any[rows] = number > 0
        return has_any

    def _estimators(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        own, seen, weights = super()._estimators(codes)
        rows = np.flatnonzero(~weights.any(axis=1))
        if len(rows):
            own = own.copy()
            own[:, rows] = codes[:, rows]
            weights[rows] = equal_weights(self._superparents(np.ascontiguousarray(codes[:, rows])))
        return own, seen, weights
