"""Local k-dependence Bayesian classifier without redundant dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from seminaive.classifiers.case_network import CaseChoice, CaseNetworkClassifier, RemovedParent
from seminaive.classifiers.options import Options
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables, count_triples
from seminaive.data.checks import check_amount, check_number_of_parents
from seminaive.data.schema import Schema
from seminaive.learn.case_networks import CaseCounts, CaseStructures, ParentChange, informative_structures
from seminaive.learn.leave_one_out import TrainingRows, log_priors_left_out
from seminaive.learn.local_information import LocalInformation
from seminaive.learn.redundancy import leave_one_out_losses

__all__ = ["OptimizedKDB"]


class OptimizedKDB(CaseNetworkClassifier):
    r"""Local KDB with the elimination of redundant dependencies (KDB_O, paper of 2018, Algorithm 4).

    As `LocalKDB`, but beside its strongest predecessor :math:`x_1` a value takes only parents :math:`x_j`
    that tell something of their own, whatever the class:

    .. math:: i(x_i; x_j \mid x_1) > \delta \, |i(x_i; x_1)|, \qquad i(a; b \mid c) = \log_2 \frac{P(a, b \mid
              c)}{P(a \mid c) P(b \mid c)}

    Predecessors are asked in the order of :math:`I(x_i; x_j \mid Y)`; for k > 2 the condition is all parents
    that are there already, or the first alone where that combination was never seen.

    Parameters
    ----------
    k : int, default=2
        Most parents of a value beside the class.
    redundancy_ratio : float or "loo", default="loo"
        :math:`\delta`; "loo" takes that of ``redundancy_grid`` with the least leave-one-out error on the
        training rows, the smallest one if several do.
    redundancy_grid : sequence of float, default=(0, 0.01, 0.05, 0.1, 0.2, 0.5, 1)
    %(options)s

    Attributes
    ----------
    redundancy_ratio_ : float
        The ratio in use.
    leave_one_out_loss_ : dict
        Ratio -> leave-one-out zero-one loss; only where the ratio was chosen.
    %(attributes)s

    See Also
    --------
    PersonalizedKDB : The mean with KDB.
    LocalKDB : Takes parents away that are implied.

    Notes
    -----
    The paper's criterion (14) could not be read and is reconstructed here from its prose; the grid is not
    given either. Pointwise information comes from raw counts over all classes; a combination that was never
    seen tells nothing. In leave-one-out the structure comes from all rows and the probabilities lose the row.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from seminaive import OptimizedKDB
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = OptimizedKDB().fit(X, y)
    >>> model.redundancy_ratio_ in model.leave_one_out_loss_
    True
    """

    def __init__(
        self,
        k: int = 2,
        *,
        redundancy_ratio: float | str = "loo",
        redundancy_grid: Sequence[float] = (0, 0.01, 0.05, 0.1, 0.2, 0.5, 1),
        **options: Unpack[Options],
    ) -> None:
        super().__init__(**options)
        self.k = k
        self.redundancy_ratio = redundancy_ratio
        self.redundancy_grid = redundancy_grid

    def _check_parameters(self) -> None:
        check_number_of_parents(self.k)
        if not isinstance(self.redundancy_ratio, str):
            check_amount("redundancy_ratio", self.redundancy_ratio, finite=True)
            return
        if self.redundancy_ratio != "loo":
            raise ValueError(
                f"redundancy_ratio must be a number >= 0 or 'loo', got {self.redundancy_ratio!r}."
            )
        grid = self.redundancy_grid
        if not isinstance(grid, Sequence | np.ndarray) or isinstance(grid, str) or len(grid) == 0:
            raise ValueError(f"redundancy_grid must be a sequence of at least one ratio, got {grid!r}.")
        for ratio in grid:
            check_amount("redundancy_grid", ratio, finite=True)

    def _plan(self, schema: Schema) -> CountPlan:
        return CountPlan(pairs=True, values_per_cell=1, index=True)

    def _select(self, tables: CountTables, structure: CaseChoice, rows: TrainingRows) -> CaseChoice:
        if self.k > 1:
            count_triples(
                tables, rows.codes, rows.weights, memory_limit=self._bytes_limit, n_jobs=self.n_jobs
            )
        if not isinstance(self.redundancy_ratio, str):
            return CaseChoice(structure.general, ratio=float(self.redundancy_ratio))
        assert tables.index is not None
        ratios = np.unique(np.asarray(self.redundancy_grid, dtype=np.float64))
        local = LocalInformation.learn(tables)
        losses = leave_one_out_losses(
            local,
            tables.index,
            tables.triples,
            rows,
            self._most_parents(tables.schema),
            ratios,
            self._smoothing,
            log_priors_left_out(rows, tables.class_counts, self.class_prior, self._smoothing),
            structure.general,
            self.n_jobs,
        )
        # sums of fractional weights differ in their last digits where errors are the same
        best = int(np.flatnonzero(losses <= losses.min() + 1e-12)[0])
        known = dict(zip(ratios.tolist(), losses.tolist(), strict=True))
        return CaseChoice(structure.general, local, float(ratios[best]), known)

    def _learn(self, tables: CountTables, structure: CaseChoice) -> dict[str, Any]:
        fitted = {
            **super()._learn(tables, structure),
            "_triples": tables.triples,
            "redundancy_ratio_": structure.ratio,
        }
        if structure.losses is not None:
            fitted["leave_one_out_loss_"] = structure.losses
        return fitted

    def _counts(self, n_rows: int) -> CaseCounts:
        return CaseCounts(self._index, self._rule, self._k, n_rows, self._triples)

    def _structures(self, codes: np.ndarray, counts: CaseCounts) -> CaseStructures:
        ratios = np.array([self.redundancy_ratio_])
        return informative_structures(self._local, counts, codes, self._k, ratios)

    def _change(
        self, codes: np.ndarray, counts: CaseCounts, found: CaseStructures, row: int, removed: RemovedParent
    ) -> ParentChange:
        names, child = self.schema_.names, removed.child
        told = counts.pointwise_information(codes, child, removed.kept[0], [])
        given = counts.condition(codes, child, removed.parent, removed.stronger)
        return ParentChange(
            names[removed.parent],
            removed.substitute,
            tuple(names[p] for p in given),
            "redundant",
            counts.pointwise_information(codes, child, removed.parent, given),
            np.inf if np.isinf(told) else self.redundancy_ratio_ * abs(told),
        )
