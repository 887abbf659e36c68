"""Two classifiers at a time: different questions, which are never mixed.

- `win_draw_loss_relative`: on how many data sets is one better by more than 5 %? The papers' records. No
  test: on a small data set, one error may be a win.
- `win_draw_loss_mcnemar`: on how many data sets do the rows that only one of them predicts right show a
  difference? A test on each data set.
- `sign_tests`: is one better on more data sets than chance explains? A test across data sets.
- `wilcoxon_holm`: the same with the sizes of the differences, and corrected for the number of pairs.

`bayesian_signed_rank` asks a fifth one: how probable is it that one is better by more than a difference that
matters, that the other is, that neither is?
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import stats

from seminaive.evaluate.results_table import ResultsTable, results_table
from seminaive.evaluate.views import Cell, TextTable, Views

__all__ = [
    "BayesianTest",
    "BayesianTests",
    "Record",
    "SignTest",
    "SignTests",
    "WilcoxonTest",
    "WilcoxonTests",
    "WinDrawLoss",
    "bayesian_signed_rank",
    "discordant_rows",
    "holm",
    "mcnemar_p_value",
    "relative_outcomes",
    "sign_p_value",
    "sign_tests",
    "wilcoxon_holm",
    "win_draw_loss_mcnemar",
    "win_draw_loss_relative",
]

Alternative = Literal["two-sided", "greater"]
Pair = tuple[str, str]

MOST_PERMUTED = 13
"""Data sets up to which the signed-rank test goes through all signs where there are ties."""


# --- records of wins, draws and losses


class Record(NamedTuple):
    """Numbers of data sets, written as win/draw/loss."""

    win: int
    draw: int
    loss: int

    def __str__(self) -> str:
        return f"{self.win}/{self.draw}/{self.loss}"


@dataclass(frozen=True)
class WinDrawLoss(Views):
    """Records of all pairs of classifiers under one rule.

    Attributes
    ----------
    measure : str
        What was compared.
    rule : str
        What counts as a win.
    classifiers : tuple of str
        In the order of the table.
    records : dict of (str, str) to Record
        Record of the first classifier against the second, for every ordered pair. Its sum is the number of
        data sets that both have.
    """

    measure: str
    rule: str
    classifiers: tuple[str, ...]
    records: Mapping[Pair, Record]

    def __getitem__(self, pair: Pair) -> Record:
        return self.records[pair]

    def tables(self) -> list[TextTable]:
        """Row against column, the lower triangle, as the papers print it."""
        names = self.classifiers
        rows: list[list[Cell]] = [
            [a, *(str(self.records[a, b]) for b in names[:i]), *[None] * (len(names) - 1 - i)]
            for i, a in enumerate(names)
            if i > 0
        ]
        sizes = {sum(record) for record in self.records.values()}
        notes = [
            f"Win/draw/loss of the row against the column; a win is {self.rule}.",
            f"Data sets: {'-'.join(map(str, sorted({min(sizes), max(sizes)})))}.",
        ]
        columns = ["W/D/L", *names[:-1]]
        return [TextTable(f"{self.measure}: wins, draws, losses", columns, rows, notes=notes)]


def relative_outcomes(
    first: Any, second: Any, *, margin: float = 0.05, greater_is_better: bool = False
) -> np.ndarray:
    """Which of two values is better by more than a share of the larger one.

    For losses, A wins where A < (1 - margin) B; for scores, where (1 - margin) A > B. Equality up to
    rounding errors is a draw, and so is 0 against 0.

    Parameters
    ----------
    first, second : array-like of float
        Values to compare, of shapes that broadcast; NaN is missing.
    margin : float, default=0.05
        Share, at least 0 and below 1; 0 makes every difference count.
    greater_is_better : bool, default=False
        True for scores. Negative scores are allowed; the margin is then a share of the absolute value of
        the better one.

    Returns
    -------
    ndarray of float64
        1 where the first wins, 0 for a draw, -1 where the second wins, NaN where a value is missing.

    Raises
    ------
    ValueError
        The margin is out of range.

    Notes
    -----
    Source: not stated by the papers. It was recovered from their tables, whose records it reproduces.

    Examples
    --------
    >>> relative_outcomes([0.0941, 0.095, 0.1, 0.2], 0.1).tolist()
    [1.0, 0.0, 0.0, -1.0]
    >>> relative_outcomes(0.9, 0.85, greater_is_better=True)
    array(1.)
    """
    if not 0 <= margin < 1:
        raise ValueError(f"margin must be at least 0 and below 1, got {margin!r}")
    first, second = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    gain = first - second if greater_is_better else second - first
    # the tolerances let a ratio of exactly 1 - margin be a draw however it was rounded
    needed = np.abs(np.maximum(first, second)) * max(margin * (1 + 1e-9), 1e-12)
    outcomes = np.where(np.abs(gain) > needed, np.sign(gain), 0.0)
    return np.where(np.isnan(gain), np.nan, outcomes)


def win_draw_loss_relative(results: Any, *, margin: float = 0.05) -> WinDrawLoss:
    """Records by the papers' rule: a win is a value better by more than 5 %.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        Losses or scores by data set and classifier, see `results_table`.
    margin : float, default=0.05
        See `relative_outcomes`.

    Returns
    -------
    WinDrawLoss

    Notes
    -----
    This counts point estimates and is no significance test, though the papers present it as one.

    Examples
    --------
    >>> errors = {"NB": [0.14, 0.30, 0.10], "TAN": [0.06, 0.29, 0.11], "AODE": [0.08, 0.25, 0.10]}
    >>> records = win_draw_loss_relative(errors)
    >>> str(records["TAN", "NB"])
    '1/1/1'
    >>> print(records)
    loss: wins, draws, losses
    W/D/L     NB    TAN
    -----  -----  -----
    TAN    1/1/1
    AODE   2/1/0  2/0/1
    Win/draw/loss of the row against the column; a win is better by more than 5 % of the larger value.
    Data sets: 3.
    """
    table = _at_least_two(results_table(results))
    better = table.greater_is_better
    records = {
        (a, b): _record(relative_outcomes(table[a], table[b], margin=margin, greater_is_better=better))
        for a, b in _ordered_pairs(table.classifiers)
    }
    rule = f"better by more than {100 * margin:g} % of the larger value"
    return WinDrawLoss(table.measure, rule, table.classifiers, records)


def discordant_rows(y_true: Any, first: Any, second: Any) -> tuple[int, int]:
    """Numbers of rows that only the first and only the second classifier predicts right.

    Parameters
    ----------
    y_true, first, second : array-like of shape (n_rows,)
        True classes and the two predictions.

    Returns
    -------
    only_first, only_second : int

    Examples
    --------
    >>> discordant_rows(["a", "b", "b"], ["a", "b", "a"], ["b", "a", "a"])
    (2, 0)
    """
    return _discordant(_right(y_true, first), _right(y_true, second))


def mcnemar_p_value(only_first: Any, only_second: Any) -> Any:
    """Exact McNemar test: two-sided p-value of the discordant rows of one data set.

    If neither classifier is better, a discordant row is as likely to speak for the one as for the other:
    this is `sign_p_value` of rows instead of data sets.

    Parameters
    ----------
    only_first, only_second : int or array-like of int
        Rows that only one of the two predicts right, as `discordant_rows` counts them.

    Returns
    -------
    float or ndarray of float64
        1 without a discordant row.

    References
    ----------
    Q. McNemar, Note on the sampling error of the difference between correlated proportions or percentages,
    Psychometrika 12 (1947), 153-157.

    Examples
    --------
    Three errors instead of two are a win by the 5 % rule, and nothing by any test:

    >>> mcnemar_p_value(1, 0)
    1.0
    >>> mcnemar_p_value(9, 1)
    0.021484375
    """
    return sign_p_value(only_first, only_second)


def win_draw_loss_mcnemar(
    y_true: Mapping[str, Any],
    predictions: Mapping[str, Mapping[str, Any]],
    *,
    alpha: float = 0.05,
) -> WinDrawLoss:
    """Records by an exact McNemar test on each data set: a win is a significant difference.

    Parameters
    ----------
    y_true : mapping of str to array-like of shape (n_rows,)
        Data set to true classes.
    predictions : mapping of str to mapping of str to array-like of shape (n_rows,)
        Classifier, then data set, to predicted classes, of all folds together. A data set may be absent.
    alpha : float, default=0.05
        A win or loss has a two-sided p-value below it; a one-sided test at 0.05 is ``alpha=0.1``. Over many
        data sets, some will by chance.

    Returns
    -------
    WinDrawLoss

    Raises
    ------
    ValueError
        There are predictions for a data set without true classes, or their numbers differ.

    Examples
    --------
    >>> truth = {"coins": [1] * 20}
    >>> guesses = {"A": {"coins": [1] * 18 + [0] * 2}, "B": {"coins": [1] * 10 + [0] * 10}}
    >>> win_draw_loss_mcnemar(truth, guesses)["A", "B"]
    Record(win=1, draw=0, loss=0)
    """
    unknown = {data for answers in predictions.values() for data in answers} - set(y_true)
    if unknown:
        raise ValueError(f"there are no true classes of {', '.join(sorted(unknown))}")
    if len(predictions) < 2:
        raise ValueError("a comparison needs at least two classifiers")
    right = {
        name: {data: _right(y_true[data], labels) for data, labels in answers.items()}
        for name, answers in predictions.items()
    }

    def record(a: str, b: str) -> Record:
        shared = [data for data in right[a] if data in right[b]]
        counts = [_discordant(right[a][data], right[b][data]) for data in shared]
        only_a, only_b = np.array(counts, dtype=np.int64).reshape(-1, 2).T
        return _record(np.where(mcnemar_p_value(only_a, only_b) < alpha, np.sign(only_a - only_b), 0))

    records = {(a, b): record(a, b) for a, b in _ordered_pairs(tuple(predictions))}
    rule = f"significant on its data set (exact McNemar test, two-sided, alpha = {alpha:g})"
    return WinDrawLoss("zero-one loss", rule, tuple(predictions), records)


# --- tests across data sets


class SignTest(NamedTuple):
    """Numbers of data sets on which the first of two classifiers is better, worse and equal."""

    better: int
    worse: int
    equal: int
    p_value: float


@dataclass(frozen=True)
class SignTests(Views):
    """Sign tests of all pairs of classifiers across data sets.

    Attributes
    ----------
    measure : str
        What was compared.
    rule : str
        What counts as better, and the alternative of the test.
    classifiers : tuple of str
        In the order of the table.
    tests : dict of (str, str) to SignTest
        The first classifier against the second, for every ordered pair.
    """

    measure: str
    rule: str
    classifiers: tuple[str, ...]
    tests: Mapping[Pair, SignTest]

    def __getitem__(self, pair: Pair) -> SignTest:
        return self.tests[pair]

    def tables(self) -> list[TextTable]:
        """A line for every pair; the later classifier of the table is the first of the pair."""
        rows: list[list[Cell]] = [[*pair, *self.tests[pair]] for pair in _later_first(self.classifiers)]
        columns = ["first", "second", "better", "worse", "equal", "p"]
        notes = [f"{self.rule}; equal ones are left out. The p-values are not corrected for their number."]
        title = f"{self.measure}: sign tests across data sets"
        return [TextTable(title, columns, rows, {"p": ".3g"}, notes)]


def sign_p_value(better: Any, worse: Any, *, alternative: Alternative = "two-sided") -> Any:
    """Binomial probability of numbers at least as unequal if better and worse were equally likely.

    Parameters
    ----------
    better, worse : int or array-like of int
        How often each happened; ties are left out.
    alternative : {"two-sided", "greater"}, default="two-sided"
        "greater" asks only whether better is more likely than worse.

    Returns
    -------
    float or ndarray of float64

    Raises
    ------
    ValueError
        There is no such alternative.

    Examples
    --------
    >>> sign_p_value(5, 1)
    0.21875
    >>> sign_p_value(5, 1, alternative="greater")
    0.109375
    """
    if alternative not in ("two-sided", "greater"):
        raise ValueError(f"alternative must be 'two-sided' or 'greater', got {alternative!r}")
    better, worse = np.asarray(better), np.asarray(worse)
    if alternative == "greater":
        p = stats.binom.sf(better - 1, better + worse, 0.5)
    else:
        p = np.minimum(1, 2 * stats.binom.sf(np.maximum(better, worse) - 1, better + worse, 0.5))
    return float(p) if np.ndim(p) == 0 else p


def sign_tests(results: Any, *, margin: float = 0.0, alternative: Alternative = "two-sided") -> SignTests:
    """Test for every pair whether one classifier is better on more data sets than chance explains.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        Losses or scores by data set and classifier, see `results_table`.
    margin : float, default=0
        Differences up to this share count as equal, see `relative_outcomes`. With 0.05 and "greater" this
        is the test on records of wins and losses in papers on AODE.
    alternative : {"two-sided", "greater"}, default="two-sided"
        "greater" asks only whether the first classifier of a pair is better.

    Returns
    -------
    SignTests

    Examples
    --------
    >>> errors = {"NB": [0.14, 0.30, 0.10, 0.25], "AODE": [0.08, 0.25, 0.10, 0.24]}
    >>> sign_tests(errors)["AODE", "NB"]
    SignTest(better=3, worse=0, equal=1, p_value=0.25)
    """
    table = _at_least_two(results_table(results))

    def test(a: str, b: str) -> SignTest:
        outcomes = relative_outcomes(
            table[a], table[b], margin=margin, greater_is_better=table.greater_is_better
        )
        win, draw, loss = _record(outcomes)
        return SignTest(win, loss, draw, sign_p_value(win, loss, alternative=alternative))

    tests = {(a, b): test(a, b) for a, b in _ordered_pairs(table.classifiers)}
    amount = f"by more than {100 * margin:g} %" if margin else "by any amount"
    question = "two-sided" if alternative == "two-sided" else "one-sided, for the first"
    return SignTests(table.measure, f"Better {amount}, {question}", table.classifiers, tests)


class WilcoxonTest(NamedTuple):
    """Signed-rank test of two classifiers; a positive median difference means that the first is better."""

    n_data_sets: int
    median_gain: float
    p_value: float
    p_holm: float


@dataclass(frozen=True)
class WilcoxonTests(Views):
    """Wilcoxon signed-rank tests of all pairs of classifiers.

    Attributes
    ----------
    measure : str
        What was compared.
    classifiers : tuple of str
        In the order of the table.
    tests : dict of (str, str) to WilcoxonTest
        The first classifier against the second, for every ordered pair.
    """

    measure: str
    classifiers: tuple[str, ...]
    tests: Mapping[Pair, WilcoxonTest]

    def __getitem__(self, pair: Pair) -> WilcoxonTest:
        return self.tests[pair]

    def tables(self) -> list[TextTable]:
        """A line for every pair; the later classifier of the table is the first of the pair."""
        rows: list[list[Cell]] = [[*pair, *self.tests[pair]] for pair in _later_first(self.classifiers)]
        columns = ["first", "second", "data sets", "median gain", "p", "p (Holm)"]
        formats = {"p": ".3g", "p (Holm)": ".3g"}
        notes = ["Two-sided; a positive gain means that the first is better. Holm corrects for all pairs."]
        return [TextTable(f"{self.measure}: Wilcoxon signed-rank tests", columns, rows, formats, notes)]


def wilcoxon_holm(results: Any) -> WilcoxonTests:
    """Wilcoxon signed-rank test of every pair of classifiers, corrected for their number by Holm's method.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        Losses or scores by data set and classifier, see `results_table`.

    Returns
    -------
    WilcoxonTests
        All p-values are two-sided. Without a common data set they are NaN.

    Notes
    -----
    The ranks of equal pairs are split between both signs, as Demšar recommends. The test is
    ``scipy.stats.wilcoxon``: exact up to 50 data sets if all differences differ and none is 0, and up to 13
    if not; the normal approximation beyond. Differences equal up to rounding errors are equal.

    References
    ----------
    J. Demšar, Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7 (2006), 1-30.

    Examples
    --------
    >>> errors = {
    ...     "NB": [0.14, 0.30, 0.10, 0.25, 0.33, 0.21],
    ...     "TAN": [0.12, 0.31, 0.07, 0.21, 0.28, 0.15],
    ...     "AODE": [0.08, 0.25, 0.09, 0.22, 0.26, 0.19],
    ... }
    >>> test = wilcoxon_holm(errors)["AODE", "NB"]
    >>> test.p_value, test.p_holm
    (0.03125, 0.09375)
    """
    table = _at_least_two(results_table(results))
    sign = 1 if table.greater_is_better else -1
    pairs = _later_first(table.classifiers)
    gains = [sign * (table[a] - table[b]) for a, b in pairs]
    gains = [gain[~np.isnan(gain)] for gain in gains]
    p_values = [_wilcoxon(gain) for gain in gains]
    tests: dict[Pair, WilcoxonTest] = {}
    for (a, b), gain, p, adjusted in zip(pairs, gains, p_values, holm(p_values).tolist(), strict=True):
        median = float(np.median(gain)) if len(gain) else math.nan
        tests[a, b] = WilcoxonTest(len(gain), median, p, adjusted)
        tests[b, a] = WilcoxonTest(len(gain), -median, p, adjusted)
    return WilcoxonTests(table.measure, table.classifiers, tests)


class BayesianTest(NamedTuple):
    """Probabilities that the first classifier is better, that both are equal, that the second is better."""

    n_data_sets: int
    first: float
    equal: float
    second: float


@dataclass(frozen=True)
class BayesianTests(Views):
    """Bayesian signed-rank tests of all pairs of classifiers.

    Attributes
    ----------
    measure : str
        What was compared.
    rope : float
        Differences up to this count as equal, in units of the measure.
    classifiers : tuple of str
        In the order of the table.
    tests : dict of (str, str) to BayesianTest
        The first classifier against the second, for every ordered pair.
    """

    measure: str
    rope: float
    classifiers: tuple[str, ...]
    tests: Mapping[Pair, BayesianTest]

    def __getitem__(self, pair: Pair) -> BayesianTest:
        return self.tests[pair]

    def tables(self) -> list[TextTable]:
        """A line for every pair; the later classifier of the table is the first of the pair."""
        rows: list[list[Cell]] = [[*pair, *self.tests[pair]] for pair in _later_first(self.classifiers)]
        columns = ["first", "second", "data sets", "P(first)", "P(equal)", "P(second)"]
        formats = dict.fromkeys(columns[3:], ".3f")
        notes = [
            "Probabilities that the first is better, that both are equal, that the second is better; equal "
            f"is a difference of up to {self.rope:g}."
        ]
        return [TextTable(f"{self.measure}: Bayesian signed-rank tests", columns, rows, formats, notes)]


def bayesian_signed_rank(
    results: Any, *, rope: float = 0.01, n_samples: int = 50_000, random_state: int | None = 0
) -> BayesianTests:
    """Probability for every pair that one classifier is better by more than a difference that matters.

    It needs the package baycomp (``pip install 'seminaive[bayes]'``), which does the mathematics.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        Losses or scores by data set and classifier, see `results_table`.
    rope : float, default=0.01
        Region of practical equivalence: differences up to this count as equal, in units of the measure;
        more than 0.
    n_samples : int, default=50000
        Samples of the posterior; the probabilities have a standard error of at most 1 / (2 sqrt(n_samples)).
    random_state : int or None, default=0
        Seed of the samples; None takes another one each time.

    Returns
    -------
    BayesianTests
        Without a common data set the probabilities are NaN.

    Raises
    ------
    ImportError
        baycomp is not installed.
    ValueError
        ``rope`` is not more than 0.

    Notes
    -----
    The differences on the data sets and one of 0 have weights of a Dirichlet distribution, 1 each and 1/2.
    Of all pairs of differences, weighted by the product, the mean may be above, within or below the rope:
    the probabilities are the shares of samples in which each of these has the most weight. They are not
    corrected for the number of pairs.

    References
    ----------
    A. Benavoli, G. Corani, J. Demšar and M. Zaffalon, Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis, Journal of Machine Learning Research 18 (2017), 77, 1-36.

    Examples
    --------
    >>> errors = {
    ...     "NB": [0.14, 0.30, 0.10, 0.25, 0.33, 0.21],
    ...     "AODE": [0.08, 0.25, 0.09, 0.22, 0.26, 0.19],
    ... }
    >>> test = bayesian_signed_rank(errors)["AODE", "NB"]
    >>> round(test.first, 1), round(test.equal, 1), round(test.second, 1)
    (1.0, 0.0, 0.0)
    """
    try:
        from baycomp import SignedRankTest
    except ImportError as error:
        raise ImportError("bayesian_signed_rank needs baycomp: pip install 'seminaive[bayes]'") from error
    if not rope > 0:
        raise ValueError(f"rope must be more than 0, got {rope!r}")
    table = _at_least_two(results_table(results))
    sign = 1 if table.greater_is_better else -1
    tests: dict[Pair, BayesianTest] = {}
    for a, b in _later_first(table.classifiers):
        gain = sign * (table[a] - table[b])
        gain = gain[~np.isnan(gain)]
        first = equal = second = math.nan
        if len(gain):
            probabilities = SignedRankTest.probs(
                gain, np.zeros_like(gain), rope, nsamples=n_samples, random_state=random_state
            )
            first, equal, second = map(float, probabilities)
        tests[a, b] = BayesianTest(len(gain), first, equal, second)
        tests[b, a] = BayesianTest(len(gain), second, equal, first)
    return BayesianTests(table.measure, rope, table.classifiers, tests)


def holm(p_values: Any) -> np.ndarray:
    """Adjust p-values for their number by Holm's step-down method.

    The i-th smallest of m is multiplied by m - i + 1, and none becomes smaller than the one before it.
    Rejecting those up to alpha then keeps the chance of any false rejection at alpha or below, whatever the
    dependence between the tests.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        NaN where a test could not be made; these do not count.

    Returns
    -------
    ndarray of float64, shape (n_tests,)
        At most 1, NaN where they were.

    References
    ----------
    S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6
    (1979), 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    made = np.flatnonzero(~np.isnan(p_values))
    order = made[np.argsort(p_values[made], kind="stable")]
    adjusted = np.full(p_values.shape, np.nan)
    steps = np.maximum.accumulate(p_values[order] * np.arange(len(order), 0, -1))
    adjusted[order] = np.minimum(1, steps)
    return adjusted


def _wilcoxon(gain: np.ndarray) -> float:
    if not len(gain):
        return math.nan
    if len(gain) == 1 or not gain.any():
        return 1.0  # SciPy refuses these
    # differences of printed decimals carry rounding errors, which would break ties
    rounded = np.round(gain / np.abs(gain).max(), 12)
    if rounded.all() and len(np.unique(np.abs(rounded))) == len(rounded):
        return float(stats.wilcoxon(rounded).pvalue)
    if len(rounded) > MOST_PERMUTED:
        return float(stats.wilcoxon(rounded, zero_method="zsplit", method="approx").pvalue)

    # what newer versions of SciPy do of themselves; older ones ignore that there are ties
    def signed_ranks(sample: np.ndarray, axis: int) -> np.ndarray:
        return (np.sign(sample) * stats.rankdata(np.abs(sample), axis=axis)).sum(axis=axis)

    permuted = stats.permutation_test(
        (rounded,), signed_ranks, permutation_type="samples", vectorized=True, n_resamples=2**MOST_PERMUTED
    )
    return float(permuted.pvalue)


def _record(outcomes: np.ndarray) -> Record:
    return Record(int((outcomes > 0).sum()), int((outcomes == 0).sum()), int((outcomes < 0).sum()))


def _discordant(first: np.ndarray, second: np.ndarray) -> tuple[int, int]:
    return int((first & ~second).sum()), int((second & ~first).sum())


def _right(y_true: Any, predicted: Any) -> np.ndarray:
    y_true, predicted = np.asarray(y_true), np.asarray(predicted)
    if y_true.shape != predicted.shape:
        raise ValueError(f"predictions of shape {predicted.shape} for true classes of {y_true.shape}")
    return np.asarray(y_true == predicted)


def _at_least_two(table: ResultsTable) -> ResultsTable:
    if len(table.classifiers) < 2:
        raise ValueError("a comparison needs at least two classifiers")
    return table


def _ordered_pairs(classifiers: tuple[str, ...]) -> list[Pair]:
    return [(a, b) for a in classifiers for b in classifiers if a != b]


def _later_first(classifiers: tuple[str, ...]) -> list[Pair]:
    """Every pair once, in the order of a lower triangle."""
    return [(a, b) for i, a in enumerate(classifiers) for b in classifiers[:i]]
