"""TAN with functional dependency analysis."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from seminaive.classifiers.case_network import CaseChoice, CaseNetworkClassifier
from seminaive.classifiers.options import Options
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.data.checks import check_amount
from seminaive.data.schema import Schema
from seminaive.learn.case_networks import CaseCounts, CaseStructures, tree_structures
from seminaive.learn.implications import Implications
from seminaive.learn.information import conditional_mutual_information

__all__ = ["TANFDA"]


class TANFDA(CaseNetworkClassifier):
    r"""TAN with functional dependency analysis (TAN-FDA, after reference 17 of the paper of 2015).

    A value that another value of the row implies tells nothing beside it. It is left out, and the maximum
    spanning tree of :math:`I(X_i; X_j \mid Y)` is built anew on the remaining attributes, from the first of
    them; without such values the network is that of `TAN`.

    Parameters
    ----------
    critical_value : float, default=100
        Training rows that a value needs before it can imply another one.
    %(options)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    TAN : The same tree for all rows.
    AODE : Has the same rule as ``subsumption_resolution``.

    Notes
    -----
    A reconstruction: the original paper could not be read, and its published column is not reproduced. Of
    two values with the same training rows that of the later attribute is left out. A tree is built once for
    all rows that leave out the same attributes; `case_network` gives it. ``parents_`` lists every other
    feature.

    Examples
    --------
    >>> import numpy as np
    >>> from seminaive import TANFDA
    >>> X = np.array([["pregnant", "f"], ["not", "f"], ["not", "m"]] * 40)
    >>> model = TANFDA(critical_value=40).fit(X, [0, 1, 1] * 40)
    >>> [attribute.implied_by for attribute in model.case_network(X[:1])[0].attributes]
    [None, 'x0']
    """

    def __init__(self, *, critical_value: float = 100, **options: Unpack[Options]) -> None:
        super().__init__(**options)
        self.critical_value = critical_value

    def _check_parameters(self) -> None:
        check_amount("critical_value", self.critical_value)

    def _most_parents(self, schema: Schema) -> int:
        return 1

    def _plan(self, schema: Schema) -> CountPlan:
        return CountPlan(pairs=True, index=True)

    def _learn(self, tables: CountTables, structure: CaseChoice) -> dict[str, Any]:
        return {
            **self._fitted_index(tables),
            "_implications": Implications.find(tables, self.critical_value),
            "_dependence": conditional_mutual_information(tables),
        }

    def _structures(self, codes: np.ndarray, counts: CaseCounts) -> CaseStructures:
        return tree_structures(self._dependence, codes, self._implications, counts.trees)

    def _relevance_of(self, i: int, code: int) -> float | None:
        return None
