"""Average ranks, Friedman test, critical difference."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import TABLES, needs_tables, published
from scipy import stats

from seminaive.evaluate.ranks import average_ranks, critical_difference, friedman, nemenyi
from seminaive.evaluate.results_table import results_table

NAN = math.nan
OF_2019 = ["NB", "SNB-FSS", "TAN", "K1DB", "K2DB", "AKDB"]
losses = st.integers(0, 30).map(lambda count: count / 30)


@st.composite
def loss_tables(draw, n_classifiers=4):
    n = draw(st.integers(2, 10))
    column = st.lists(losses, min_size=n, max_size=n)
    return {name: draw(column) for name in "ABCDEFGH"[:n_classifiers]}


# --- ranks


@given(loss_tables(), st.booleans())
def test_plain_ranks_are_those_of_scipy(columns, greater):
    table = results_table(columns, greater_is_better=greater)
    expected = stats.rankdata(-table.values if greater else table.values, axis=1)
    np.testing.assert_array_equal(average_ranks(table).ranks, expected)


@given(loss_tables(), st.sampled_from([0.0, 0.05, 0.5, 0.99]))
def test_ranks_of_a_data_set_always_have_the_same_sum(columns, margin):
    assert set(average_ranks(columns, margin=margin).ranks.sum(axis=1)) == {10}


def test_groups_by_hand():
    """From the worst: 0.50 takes 0.48 along, 0.47 takes 0.45, though 0.48 and 0.47 are close as well."""
    columns = {"A": [0.50], "B": [0.48], "C": [0.47], "D": [0.45], "E": [0.1]}
    assert average_ranks(columns, margin=0.05).ranks.tolist() == [[4.5, 4.5, 2.5, 2.5, 1]]
    scores = results_table({"A": [0.80], "B": [0.83], "C": [0.85], "D": [0.2]}, greater_is_better=True)
    assert average_ranks(scores, margin=0.05).ranks.tolist() == [[2.5, 2.5, 1, 4]]


def test_rounding_errors_are_ties():
    assert average_ranks({"A": [0.1 + 0.2], "B": [0.3], "C": [0.4]}).ranks.tolist() == [[1.5, 1.5, 3]]


def test_zeros_are_ties():
    assert average_ranks({"A": [0.0], "B": [0.0], "C": [0.2]}, margin=0.05).ranks.tolist() == [[1.5, 1.5, 3]]


def test_gaps_and_views():
    ranks = average_ranks({"data": ["a", "b", "c"], "A": [0.1, 0.2, 0.5], "B": [0.2, NAN, 0.6]}, margin=0.05)
    assert (ranks.data_sets, ranks.left_out) == (("a", "c"), ("b",))
    assert ranks.mean == {"A": 1, "B": 2}
    assert ranks.best_first() == ["A", "B"]
    assert "Left out, for want of a value: b." in ranks.to_text()
    assert "ranks by groups of 5 %" in ranks.to_text()
    assert ranks.to_csv() == "data set,A,B\na,1.0,2.0\nc,1.0,2.0\naverage,1.0,2.0\n"


@needs_tables
def test_published_ranks_of_2015():
    """The 41st data set is Mushrooms, whose losses are printed as 0.000 but for one."""
    ranks = average_ranks(published("averaged-kdb", "zero_one_loss"), margin=0.05)
    rows = (TABLES / "averaged-kdb_ranks.csv").read_text(encoding="utf-8").splitlines()[1:]
    printed = {name: list(map(float, cells)) for name, *cells in (row.split(",") for row in rows)}
    differ = [
        name for name, row in zip(ranks.data_sets, ranks.ranks.tolist(), strict=True) if row != printed[name]
    ]
    assert differ == ["Mushrooms"]


@needs_tables
def test_published_ranks_of_2019():
    """The text swaps TAN and K1DB."""
    mean = average_ranks(published("adaptive-kdb", "zero_one_loss", OF_2019)).mean
    assert {name: round(rank, 2) for name, rank in mean.items()} == {
        "NB": 4.32, "SNB-FSS": 4.33, "TAN": 3.07, "K1DB": 3.83, "K2DB": 3.53, "AKDB": 1.92,
    }  # fmt: skip


# --- Friedman


@needs_tables
def test_published_friedman_statistic_of_2019():
    test = friedman(published("adaptive-kdb", "zero_one_loss", OF_2019))
    assert round(test.statistic, 2) == 36.56
    assert round(test.uncorrected, 2) == 35.73
    assert test.degrees_of_freedom == 5
    assert test.f_degrees_of_freedom == (5, 145)


def test_friedman_by_hand():
    """Average ranks 2.5, 2.125 and 1.375, two pairs of ties."""
    test = friedman(
        {"NB": [0.14, 0.3, 0.1, 0.25], "TAN": [0.06, 0.29, 0.11, 0.25], "AODE": [0.08, 0.25, 0.1, 0.23]}
    )
    assert test.uncorrected == pytest.approx(4 * (6.25 + 4.515625 + 1.890625 - 12))
    assert test.statistic == pytest.approx(2.625 / (1 - 12 / (4 * 24)))
    assert test.f_statistic == pytest.approx(3 * 3 / (4 * 2 - 3))
    assert test.p_value == pytest.approx(math.exp(-3 / 2))  # chi-square of two degrees of freedom
    assert test.uncorrected_p_value == pytest.approx(math.exp(-2.625 / 2))


def test_example_of_demsar():
    """Table 6 of his paper: AUC of four variants of C4.5 on 14 data sets; chi² 9.28, F 3.69, CD 1.25."""
    columns = {
        "C4.5": [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1, 0.94, 0.619, 0.972, 0.957],
        "+m": [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1, 0.962, 0.666, 0.981, 0.978],
        "+cf": [0.771, 0.59, 0.968, 0.654, 0.886, 0.916, 0.609, 0.563, 0.866, 1, 0.965, 0.614, 0.9751, 0.946],
        "+m+cf": [0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685, 0.625, 0.875, 1, 0.962, 0.669, 0.975, 0.97],  # noqa: E501
    }  # fmt: skip
    table = results_table(columns, greater_is_better=True)
    test = friedman(table)
    assert [round(rank, 3) for rank in test.average_ranks.mean.values()] == [3.143, 2.0, 2.893, 1.964]
    assert test.uncorrected == pytest.approx(9.28, abs=0.01)
    rest = 14 * 3 - test.uncorrected
    assert 13 * test.uncorrected / rest == pytest.approx(3.69, abs=0.01)
    assert nemenyi(table).critical_difference == pytest.approx(1.25, abs=0.01)
    assert nemenyi(table, alpha=0.1).critical_difference == pytest.approx(1.12, abs=0.01)


@given(loss_tables())
def test_friedman_of_any_table(columns):
    test = friedman(columns)
    values = np.array(list(columns.values()))
    ranks = stats.rankdata(values, axis=0)
    if np.ptp(ranks):
        expected = stats.friedmanchisquare(*values)
        assert (test.statistic, test.p_value) == pytest.approx((expected.statistic, expected.pvalue))
        ties = sum(
            (count**3 - count) for column in ranks.T for count in np.unique(column, return_counts=True)[1]
        )
        correction = 1 - ties / (len(ranks.T) * (4**3 - 4))
        assert test.uncorrected == pytest.approx(test.statistic * correction, abs=1e-9)
    else:
        assert (test.statistic, test.p_value, test.f_statistic) == (0, 1, 0)
    assert test.statistic >= test.uncorrected - 1e-9
    assert 0 <= test.f_p_value <= 1


def test_perfect_agreement_makes_f_infinite():
    test = friedman({"A": [0.1] * 3, "B": [0.2] * 3, "C": [0.3] * 3})
    assert test.statistic == pytest.approx(6)
    assert (test.f_statistic, test.f_p_value) == (math.inf, 0)
    assert "inf" in test.to_text()


def test_too_little_for_friedman():
    with pytest.raises(ValueError, match="three classifiers and two data sets, got 2 and 2"):
        friedman({"A": [0.1, 0.2], "B": [0.2, 0.3]})
    with pytest.raises(ValueError, match="got 3 and 1"):
        friedman({"A": [0.1, 0.2], "B": [0.2, 0.3], "C": [0.1, NAN]})


# --- Nemenyi


@pytest.mark.parametrize(
    ("alpha", "quantiles"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.1, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_quantiles_of_demsar(alpha, quantiles):
    """His table 5a; some of its third digits are cut off or rounded twice."""
    for t, quantile in enumerate(quantiles, start=2):
        scale = math.sqrt(t * (t + 1) / 60)
        assert critical_difference(t, 10, alpha=alpha) / scale == pytest.approx(quantile, abs=0.0011)


@needs_tables
def test_published_critical_difference_of_2019():
    test = nemenyi(published("adaptive-kdb", "zero_one_loss", OF_2019))
    assert round(test.critical_difference, 3) == 1.377
    assert test.groups()[0] == ("AKDB", "TAN")  # "One group includes AKDB and TAN"


def test_critical_difference_out_of_range():
    for arguments in ((1, 5), (3, 0)):
        with pytest.raises(ValueError, match="needs two classifiers"):
            critical_difference(*arguments)
    with pytest.raises(ValueError, match="0 < alpha < 1"):
        critical_difference(3, 5, alpha=1)


@settings(deadline=None, max_examples=40)
@given(loss_tables(n_classifiers=5), st.sampled_from([0.05, 0.5, 0.9]))
def test_groups_and_p_values_say_the_same(columns, alpha):
    test = nemenyi(columns, alpha=alpha)
    groups, mean = test.groups(), test.average_ranks.mean
    assert list(dict.fromkeys(itertools.chain(*groups))) == test.average_ranks.best_first()
    for a, b in itertools.combinations(columns, 2):
        together = any(a in group and b in group for group in groups)
        assert together == (abs(mean[a] - mean[b]) < test.critical_difference)
        if not math.isclose(test.p_values[a, b], alpha, rel_tol=1e-6):
            assert together == (test.p_values[a, b] > alpha)
    for one, other in itertools.permutations(groups, 2):
        assert not set(one) <= set(other)


def test_views_of_nemenyi():
    columns = {"NB": [0.3] * 9, "TAN": [0.2] * 9, "AODE": [0.1] * 9}
    test = nemenyi(columns)
    assert test.groups() == [("AODE", "TAN"), ("TAN", "NB")]
    assert test.to_csv().splitlines()[1:3] == ["AODE,1.0,a,", f"TAN,2.0,a b,{test.p_values['AODE', 'TAN']}"]
    assert "Critical difference 1.105 (alpha = 0.05)" in test.to_markdown()
