"""The local k-dependence Bayesian classifier: a network for every row."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from seminaive.classifiers.case_network import CaseChoice, CaseNetworkClassifier, RemovedParent
from seminaive.classifiers.options import Options
from seminaive.counts.tables import CountTables
from seminaive.data.checks import check_amount, check_number_of_parents, check_option
from seminaive.learn.case_networks import CaseCounts, CaseStructures, ParentChange, local_structures
from seminaive.learn.implications import Implications

__all__ = ["LocalKDB"]


class LocalKDB(CaseNetworkClassifier):
    r"""Local k-dependence Bayesian classifier with substitution-elimination (paper of 2015, Algorithm 2).

    KDB with the values of the row in the place of the attributes. They are ordered by what each tells about
    the class, and each takes as parents the class and those k predecessors with which it shares most:

    .. math:: I(x_i; Y) = \sum_y P(x_i, y) \log \frac{P(x_i, y)}{P(x_i) P(y)}, \qquad I(x_i; x_j \mid Y) =
              \sum_y P(x_i, x_j, y) \log \frac{P(x_i, x_j \mid y)}{P(x_i \mid y) P(x_j \mid y)}

    A value that another parent of the same child implies tells nothing beside it, so that the next candidate
    takes its place (substitution); a value that one of its parents implies gives no factor (elimination).

    Parameters
    ----------
    k : int, default=2
        Most parents of a value beside the class.
    resolution : {"ser", None}, default="ser"
        Substitution and elimination by implications between values, or none.
    critical_value : float, default=100
        Training rows that a value needs before it can imply another one.
    %(options)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    KDB : One network for all rows.
    AveragedKDB : The mean of both.
    OptimizedKDB : Takes parents away that add little, rather than those that are implied.

    Notes
    -----
    Information comes from raw counts. What the training rows say about single values and pairs of values is
    computed once in fitting; larger combinations are counted when a row asks for them, each once in a block
    of rows, from an index of one bitmap per value: rows x values / 8 bytes. ``parents_`` lists every other
    feature, since each may be a parent in some row; `case_network` tells which are.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from seminaive import LocalKDB
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = LocalKDB(k=1).fit(X, y)
    >>> value = model.case_network(X[:1])[0]["mean area"]
    >>> value.value, [parent.name for parent in value.parents]
    ('(883.25, inf)', ['worst area'])
    """

    def __init__(
        self,
        k: int = 2,
        *,
        resolution: str | None = "ser",
        critical_value: float = 100,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(**options)
        self.k = k
        self.resolution = resolution
        self.critical_value = critical_value

    def _check_parameters(self) -> None:
        check_number_of_parents(self.k)
        check_option("resolution", self.resolution, ("ser", None))
        check_amount("critical_value", self.critical_value)

    def _learn(self, tables: CountTables, structure: CaseChoice) -> dict[str, Any]:
        implications = None if self.resolution is None else Implications.find(tables, self.critical_value)
        return {**super()._learn(tables, structure), "_implications": implications}

    def _structures(self, codes: np.ndarray, counts: CaseCounts) -> CaseStructures:
        return local_structures(self._local, codes, self._k, self._implications)

    def _change(
        self, codes: np.ndarray, counts: CaseCounts, found: CaseStructures, row: int, removed: RemovedParent
    ) -> ParentChange:
        names = self.schema_.names
        by = int(found.reasons[row, removed.child, removed.rank])
        return ParentChange(names[removed.parent], removed.substitute, (names[by],), "implied")
