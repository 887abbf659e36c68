"""Every statistic of a results table in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from seminaive.evaluate.pairs import (
    SignTests,
    WilcoxonTests,
    WinDrawLoss,
    sign_tests,
    wilcoxon_holm,
    win_draw_loss_relative,
)
from seminaive.evaluate.ranks import AverageRanks, Friedman, Nemenyi, average_ranks, friedman, nemenyi
from seminaive.evaluate.results_table import ResultsTable, results_table
from seminaive.evaluate.views import TextTable, Views

__all__ = ["Analysis", "analyse"]


@dataclass(frozen=True)
class Analysis(Views):
    """What `analyse` found.

    Attributes
    ----------
    results : ResultsTable
        What was analysed.
    win_draw_loss : WinDrawLoss
        Records by the 5 % rule.
    sign_tests : SignTests
        Sign tests across data sets.
    wilcoxon : WilcoxonTests
        Signed-rank tests with Holm's correction.
    ranks, grouped_ranks : AverageRanks or None
        Ordinary ranks, and those by groups of 5 %.
    friedman : Friedman or None
    nemenyi : Nemenyi or None
        None are those that need more classifiers, or more data sets with a value of every classifier.
    """

    results: ResultsTable
    win_draw_loss: WinDrawLoss
    sign_tests: SignTests
    wilcoxon: WilcoxonTests
    ranks: AverageRanks | None
    grouped_ranks: AverageRanks | None
    friedman: Friedman | None
    nemenyi: Nemenyi | None

    def tables(self) -> list[TextTable]:
        """The values and all statistics."""
        parts: tuple[Views | None, ...] = (
            self.results,
            self.win_draw_loss,
            self.sign_tests,
            self.wilcoxon,
            self.ranks,
            self.grouped_ranks,
            self.friedman,
            self.nemenyi,
        )
        return [table for part in parts if part is not None for table in part.tables()]


def analyse(
    results: Any,
    *,
    data_sets: Any = None,
    measure: str = "loss",
    greater_is_better: bool = False,
    margin: float = 0.05,
    alpha: float = 0.05,
) -> Analysis:
    """Compute every statistic that a table of values by data set and classifier allows.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        A row for every data set, a column for every classifier; see `results_table`.
    data_sets : str or sequence of str, default=None
        Column that names the data sets, or their names.
    measure : str, default="loss"
        What the values are.
    greater_is_better : bool, default=False
        True for a score such as accuracy or MCC.
    margin : float, default=0.05
        Share by which a value must be better for a win, and within which values share a grouped rank.
    alpha : float, default=0.05
        Level of the critical difference.

    Returns
    -------
    Analysis
        McNemar's test is not in it: it needs predictions, see `win_draw_loss_mcnemar`.

    Examples
    --------
    >>> errors = {
    ...     "data": ["car", "zoo", "iris", "wine"],
    ...     "NB": [0.14, 0.0297, 0.0867, 0.0169],
    ...     "TAN": [0.0567, 0.0099, 0.08, 0.0337],
    ...     "AODE": [0.0816, 0.0297, 0.0867, None],
    ... }
    >>> analysis = analyse(errors, measure="zero-one loss")
    >>> str(analysis.win_draw_loss["TAN", "NB"])
    '3/0/1'
    >>> analysis.ranks.left_out
    ('wine',)
    >>> print(analysis.nemenyi)
    zero-one loss: Nemenyi test
    classifier  average rank  group  p against the best
    ----------  ------------  -----  ------------------
    TAN                 1.00  a
    AODE                2.33  a                   0.232
    NB                  2.67  a                   0.102
    Critical difference 1.914 (alpha = 0.05): classifiers that share a letter are not told apart.
    Data sets: 3.
    Left out, for want of a value: wine.
    """
    table = results_table(results, data_sets=data_sets, measure=measure, greater_is_better=greater_is_better)
    n_complete, n_classifiers = len(table.data_sets) - len(table.incomplete), len(table.classifiers)
    return Analysis(
        table,
        win_draw_loss_relative(table, margin=margin),
        sign_tests(table),
        wilcoxon_holm(table),
        average_ranks(table) if n_complete else None,
        average_ranks(table, margin=margin) if n_complete else None,
        friedman(table) if n_complete > 1 and n_classifiers > 2 else None,
        nemenyi(table, alpha=alpha) if n_complete else None,
    )
