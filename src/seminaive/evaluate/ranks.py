"""All classifiers at once: average ranks, the Friedman test, and Nemenyi's critical difference.

References
----------
J. Demšar, Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
Research 7 (2006), 1-30.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from seminaive.evaluate.pairs import relative_outcomes
from seminaive.evaluate.results_table import results_table
from seminaive.evaluate.views import Cell, TextTable, Views

__all__ = [
    "AverageRanks",
    "Friedman",
    "Nemenyi",
    "average_ranks",
    "critical_difference",
    "friedman",
    "nemenyi",
]


@dataclass(frozen=True)
class AverageRanks(Views):
    """Ranks of the classifiers on each data set; 1 is the best, equal ones share the mean of their ranks.

    Attributes
    ----------
    measure : str
        What was ranked.
    margin : float
        Share up to which values were ranked as equal.
    data_sets : tuple of str
        Data sets on which every classifier has a value.
    left_out : tuple of str
        The other ones.
    classifiers : tuple of str
        In the order of the table.
    ranks : ndarray of float64, shape (n_data_sets, n_classifiers)
    """

    measure: str
    margin: float
    data_sets: tuple[str, ...]
    left_out: tuple[str, ...]
    classifiers: tuple[str, ...]
    ranks: np.ndarray

    @property
    def mean(self) -> dict[str, float]:
        """Average rank of each classifier."""
        return dict(zip(self.classifiers, self.ranks.mean(axis=0).tolist(), strict=True))

    def best_first(self) -> list[str]:
        """Names of the classifiers by average rank; the earlier first where two are equal."""
        mean = self.mean
        return sorted(mean, key=mean.__getitem__)

    def notes(self) -> list[str]:
        """Lines that belong below every table made from the ranks."""
        grouped = (
            f" Those within {100 * self.margin:g} % of the worst share a rank, and so on."
            if self.margin
            else ""
        )
        lines = [f"Data sets: {len(self.data_sets)}.{grouped}"]
        if self.left_out:
            lines.append(f"Left out, for want of a value: {', '.join(self.left_out)}.")
        return lines

    def tables(self) -> list[TextTable]:
        """A line for every data set, and the average ranks."""
        ranks = zip(self.data_sets, self.ranks.tolist(), strict=True)
        rows: list[list[Cell]] = [[name, *row] for name, row in ranks]
        rows.append(["average", *self.mean.values()])
        columns = ["data set", *self.classifiers]
        formats = dict.fromkeys(self.classifiers, ".2f")
        kind = f"ranks by groups of {100 * self.margin:g} %" if self.margin else "ranks"
        return [TextTable(f"{self.measure}: {kind}", columns, rows, formats, self.notes())]


def average_ranks(results: Any, *, margin: float = 0.0) -> AverageRanks:
    """Rank the classifiers on each data set, 1 for the best.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        Losses or scores by data set and classifier, see `results_table`. A data set with a missing value
        is left out.
    margin : float, default=0
        With 0.05 these are the ranks of the paper of 2015: all classifiers within 5 % of the worst share
        the mean of their ranks, then those within 5 % of the worst of the others, and so on. Within means
        a draw in `relative_outcomes`. 0 gives the ordinary ranks.

    Returns
    -------
    AverageRanks

    Raises
    ------
    ValueError
        There is no data set without a missing value, or the margin is out of range.

    Notes
    -----
    Ranks by groups are not those of the Friedman test; `friedman` and `nemenyi` use ordinary ones.

    Examples
    --------
    >>> errors = {"NB": [0.14, 0.30], "KDB": [0.058, 0.29], "TAN": [0.06, 0.28], "AODE": [0.08, 0.25]}
    >>> average_ranks(errors).mean
    {'NB': 4.0, 'KDB': 2.0, 'TAN': 2.0, 'AODE': 2.0}
    >>> average_ranks(errors, margin=0.05).ranks.tolist()
    [[4.0, 1.5, 1.5, 3.0], [3.5, 3.5, 2.0, 1.0]]
    """
    table = results_table(results)
    whole = table.complete()
    ranks = [_grouped_ranks(row, margin, table.greater_is_better) for row in whole.values]
    return AverageRanks(
        table.measure, margin, whole.data_sets, table.incomplete, table.classifiers, np.array(ranks)
    )


@dataclass(frozen=True)
class Friedman(Views):
    """Friedman test of the hypothesis that all classifiers are equally good.

    Attributes
    ----------
    average_ranks : AverageRanks
        What it is made from.
    statistic, p_value : float
        Chi-square, corrected for ties, and its p-value.
    uncorrected, uncorrected_p_value : float
        The same without the correction, as many papers print it.
    degrees_of_freedom : int
        Of both: number of classifiers less 1.
    f_statistic, f_p_value : float
        Iman and Davenport's F from the corrected chi-square; it is less conservative.
    f_degrees_of_freedom : tuple of int
        Of F: the former, and that times the number of data sets less 1.
    """

    average_ranks: AverageRanks
    statistic: float
    p_value: float
    uncorrected: float
    uncorrected_p_value: float
    degrees_of_freedom: int
    f_statistic: float
    f_p_value: float
    f_degrees_of_freedom: tuple[int, int]

    def tables(self) -> list[TextTable]:
        """A line for every statistic."""
        freedom = str(self.degrees_of_freedom)
        f_freedom = ", ".join(map(str, self.f_degrees_of_freedom))
        rows: list[list[Cell]] = [
            ["Friedman chi-square, corrected for ties", self.statistic, freedom, self.p_value],
            ["Friedman chi-square, uncorrected", self.uncorrected, freedom, self.uncorrected_p_value],
            ["Iman-Davenport F", self.f_statistic, f_freedom, self.f_p_value],
        ]
        columns = ["test", "statistic", "degrees of freedom", "p"]
        formats = {"statistic": ".3f", "p": ".3g"}
        title = f"{self.average_ranks.measure}: are all classifiers equally good?"
        return [TextTable(title, columns, rows, formats, self.average_ranks.notes())]


def friedman(results: Any) -> Friedman:
    """Friedman test over the data sets, with correction for ties, and Iman and Davenport's F.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        Losses or scores by data set and classifier, see `results_table`. A data set with a missing value
        is left out.

    Returns
    -------
    Friedman

    Raises
    ------
    ValueError
        There are fewer than three classifiers or fewer than two data sets without a missing value.

    Notes
    -----
    With average ranks R_j of t classifiers on D data sets, the uncorrected statistic is
    12 D / (t (t + 1)) (sum R_j² - t (t + 1)² / 4); ties divide it by 1 - sum (g³ - g) / (D (t³ - t)) over
    groups of g equal values. F = (D - 1) chi² / (D (t - 1) - chi²). The corrected statistic is that of
    ``scipy.stats.friedmanchisquare``.

    Examples
    --------
    >>> errors = {
    ...     "NB": [0.14, 0.30, 0.10, 0.25],
    ...     "TAN": [0.06, 0.29, 0.11, 0.25],
    ...     "AODE": [0.08, 0.25, 0.10, 0.23],
    ... }
    >>> test = friedman(errors)
    >>> round(test.statistic, 4), round(test.uncorrected, 4), round(test.f_statistic, 4)
    (3.0, 2.625, 1.8)
    """
    ranks = average_ranks(results)
    n, t = ranks.ranks.shape
    if t < 3 or n < 2:
        raise ValueError(
            f"the Friedman test needs three classifiers and two data sets, got {t} and {n}; "
            "for two classifiers see wilcoxon_holm and sign_tests"
        )
    mean = ranks.ranks.mean(axis=0)
    uncorrected = max(0.0, 12 * n / (t * (t + 1)) * (mean @ mean - t * (t + 1) ** 2 / 4))
    if np.ptp(ranks.ranks):
        # ranks instead of values: equal up to rounding errors is equal
        statistic, p_value = map(float, stats.friedmanchisquare(*ranks.ranks.T))
    else:
        statistic, p_value = 0.0, 1.0  # everything is tied, and the correction 0/0
    rest = n * (t - 1) - statistic
    f_statistic = math.inf if rest <= 1e-9 * n * t else (n - 1) * statistic / rest
    f_freedom = t - 1, (t - 1) * (n - 1)
    return Friedman(
        ranks,
        statistic,
        p_value,
        float(uncorrected),
        float(stats.chi2.sf(uncorrected, t - 1)),
        t - 1,
        f_statistic,
        float(stats.f.sf(f_statistic, *f_freedom)),
        f_freedom,
    )


@dataclass(frozen=True)
class Nemenyi(Views):
    """Which average ranks differ by more than chance explains.

    Attributes
    ----------
    average_ranks : AverageRanks
        What it is made from.
    alpha : float
        Chance that any of the classifiers, were they all equally good, are told apart.
    critical_difference : float
        Average ranks that differ by at least so much are told apart.
    p_values : dict of (str, str) to float
        For every ordered pair.
    """

    average_ranks: AverageRanks
    alpha: float
    critical_difference: float
    p_values: dict[tuple[str, str], float]

    def groups(self) -> list[tuple[str, ...]]:
        """Largest sets of classifiers that are not told apart.

        Returns
        -------
        list of tuple of str
            Best first, outside and inside; a classifier that differs from all others is a group of its own.
        """
        mean, names = self.average_ranks.mean, self.average_ranks.best_first()
        groups: list[tuple[str, ...]] = []
        reached = 0
        for start, best in enumerate(names):
            alike = sum(mean[name] - mean[best] < self.critical_difference for name in names[start:])
            if start + alike > reached:
                reached = start + alike
                groups.append(tuple(names[start:reached]))
        return groups

    def tables(self) -> list[TextTable]:
        """Classifiers by average rank; those that share a letter are not told apart."""
        mean, groups = self.average_ranks.mean, self.groups()
        best, *_ = names = self.average_ranks.best_first()
        rows: list[list[Cell]] = [
            [
                name,
                mean[name],
                " ".join(_letter(i) for i, group in enumerate(groups) if name in group),
                None if name == best else self.p_values[best, name],
            ]
            for name in names
        ]
        columns = ["classifier", "average rank", "group", "p against the best"]
        formats = {"average rank": ".2f", "p against the best": ".3g"}
        notes = [
            f"Critical difference {self.critical_difference:.3f} (alpha = {self.alpha:g}): "
            "classifiers that share a letter are not told apart.",
            *self.average_ranks.notes(),
        ]
        return [TextTable(f"{self.average_ranks.measure}: Nemenyi test", columns, rows, formats, notes)]


def nemenyi(results: Any, *, alpha: float = 0.05) -> Nemenyi:
    """Compare the average ranks of all pairs of classifiers by Nemenyi's test.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        Losses or scores by data set and classifier, see `results_table`. A data set with a missing value
        is left out.
    alpha : float, default=0.05
        Level of all comparisons together, between 0 and 1.

    Returns
    -------
    Nemenyi

    Raises
    ------
    ValueError
        There are fewer than two classifiers, or no data set without a missing value.

    Notes
    -----
    The test follows a `friedman` test that rejects. `wilcoxon_holm` finds more differences, and does not
    depend on which other classifiers take part.

    Examples
    --------
    >>> errors = {
    ...     "NB": [0.14, 0.30, 0.12, 0.25, 0.31, 0.22],
    ...     "TAN": [0.06, 0.29, 0.11, 0.24, 0.28, 0.21],
    ...     "AODE": [0.05, 0.25, 0.10, 0.23, 0.27, 0.20],
    ... }
    >>> test = nemenyi(errors)
    >>> round(test.critical_difference, 3), test.groups()
    (1.353, [('AODE', 'TAN'), ('TAN', 'NB')])
    """
    ranks = average_ranks(results)
    n, t = ranks.ranks.shape
    difference = critical_difference(t, n, alpha=alpha)
    scale = math.sqrt(2) / _standard_error(t, n)
    p_values: dict[tuple[str, str], float] = {}
    for (a, rank_a), (b, rank_b) in combinations(ranks.mean.items(), 2):
        p = float(stats.studentized_range.sf(scale * abs(rank_a - rank_b), t, np.inf))
        p_values[a, b] = p_values[b, a] = p
    return Nemenyi(ranks, alpha, difference, p_values)


def critical_difference(n_classifiers: int, n_data_sets: int, *, alpha: float = 0.05) -> float:
    """Nemenyi's critical difference of average ranks.

    Parameters
    ----------
    n_classifiers : int
        At least 2.
    n_data_sets : int
        At least 1.
    alpha : float, default=0.05
        Level of all comparisons together, between 0 and 1.

    Returns
    -------
    float
        q sqrt(t (t + 1) / (6 D)), where q is the upper alpha quantile of the studentized range of t
        values, divided by the square root of 2.

    Raises
    ------
    ValueError
        A number is out of range.

    Examples
    --------
    >>> round(critical_difference(6, 30), 3)
    1.377
    """
    if n_classifiers < 2 or n_data_sets < 1 or not 0 < alpha < 1:
        raise ValueError(
            "a critical difference needs two classifiers, a data set and 0 < alpha < 1, "
            f"got {n_classifiers}, {n_data_sets} and {alpha!r}"
        )
    quantile = stats.studentized_range.ppf(1 - alpha, n_classifiers, np.inf) / math.sqrt(2)
    return float(quantile * _standard_error(n_classifiers, n_data_sets))


def _standard_error(n_classifiers: int, n_data_sets: int) -> float:
    return math.sqrt(n_classifiers * (n_classifiers + 1) / (6 * n_data_sets))


def _grouped_ranks(values: np.ndarray, margin: float, greater_is_better: bool) -> np.ndarray:
    """Ranks of one data set, shape (n_classifiers,)."""
    group = np.zeros(len(values))
    rest = np.ones(len(values), dtype=bool)
    while rest.any():
        worst = values[rest].min() if greater_is_better else values[rest].max()
        beaten = relative_outcomes(values, worst, margin=margin, greater_is_better=greater_is_better) > 0
        rest &= beaten
        group -= rest
    return stats.rankdata(group)


def _letter(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else f"a{number - 25}"
