"""Win/draw/loss records, McNemar, sign and Wilcoxon tests."""

from __future__ import annotations

import itertools
import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import needs_tables, published, published_records
from scipy import stats

from seminaive.evaluate.pairs import (
    Record,
    bayesian_signed_rank,
    discordant_rows,
    holm,
    mcnemar_p_value,
    relative_outcomes,
    sign_p_value,
    sign_tests,
    wilcoxon_holm,
    win_draw_loss_mcnemar,
    win_draw_loss_relative,
)
from seminaive.evaluate.results_table import results_table

NAN = math.nan
losses = st.integers(0, 1000).map(lambda count: count / 1000)
p_value = st.floats(0, 1)


@st.composite
def loss_tables(draw):
    n = draw(st.integers(1, 10))
    column = st.lists(st.one_of(losses, st.just(NAN)), min_size=n, max_size=n)
    return {name: draw(column) for name in "ABC"}


# --- the rule of 5 %


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (0.0949, 0.1, 1),
        (0.095, 0.1, 0),  # exactly 5 % is not more than 5 %
        (0.1, 0.0951, 0),
        (0.1, 0.0949, -1),
        (0.0, 0.0, 0),
        (0.0, 0.0001, 1),
        (2 / 57, 3 / 57, 1),
        (NAN, 0.1, NAN),
        (0.1, NAN, NAN),
    ],
)
def test_losses_by_hand(first, second, expected):
    assert relative_outcomes(first, second) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [(1.0, 0.9499, 1), (1.0, 0.95, 0), (0.8, 0.9, -1), (0.0, 0.0, 0), (-0.1, -0.1, 0), (0.0, -0.1, 1)],
)
def test_scores_by_hand(first, second, expected):
    assert relative_outcomes(first, second, greater_is_better=True) == expected


@given(losses, losses)
def test_the_rule_is_the_papers_formula(a, b):
    if math.isclose(a, 0.95 * b) or math.isclose(b, 0.95 * a):
        expected = 0
    else:
        expected = (a < 0.95 * b) - (b < 0.95 * a)
    assert relative_outcomes(a, b) == expected
    assert relative_outcomes(a, b, greater_is_better=True) == -expected


@given(losses, st.sampled_from([0.001, 0.3, 7.0]))
def test_exactly_the_margin_is_a_draw_however_it_is_rounded(loss, scale):
    assert relative_outcomes(loss * scale * 0.95, loss * scale) == 0


@given(loss_tables(), st.sampled_from([0.0, 0.05, 0.5]), st.booleans())
def test_records_of_a_pair_mirror_each_other(columns, margin, greater):
    records = win_draw_loss_relative(results_table(columns, greater_is_better=greater), margin=margin)
    for a, b in itertools.permutations("ABC", 2):
        assert records[a, b] == records[b, a][::-1]
        both = ~np.isnan(columns[a]) & ~np.isnan(columns[b])
        assert sum(records[a, b]) == both.sum()


def test_a_greater_margin_makes_no_more_wins():
    rng = np.random.default_rng(0)
    columns = {"A": rng.random(50), "B": rng.random(50)}
    wins = [
        win_draw_loss_relative(columns, margin=margin)["A", "B"].win for margin in (0, 0.05, 0.2, 0.5, 0.9)
    ]
    assert wins == sorted(wins, reverse=True)
    assert wins[0] == (columns["A"] < columns["B"]).sum()


@pytest.mark.parametrize("margin", [-0.1, 1, NAN])
def test_margins_out_of_range(margin):
    with pytest.raises(ValueError, match="margin must be"):
        relative_outcomes(0.1, 0.2, margin=margin)


@needs_tables
@pytest.mark.parametrize(
    ("paper", "measure", "pairs", "exact"),
    [
        ("awode", "zero_one_loss", 45, 42),
        ("awode", "bias", 45, 45),
        ("awode", "variance", 45, 44),
        ("awode", "mcc", 45, 45),
        ("adaptive-kdb", "zero_one_loss", 15, 15),
    ],
)
def test_published_records(paper, measure, pairs, exact):
    """The others differ by one data set, where four printed digits do not tell a draw from a win."""
    records = win_draw_loss_relative(published(paper, measure))
    printed = published_records(paper, measure)
    assert len(printed) == pairs
    assert sum(records[pair] == record for pair, record in printed.items()) == exact
    for pair, record in printed.items():
        assert max(abs(ours - theirs) for ours, theirs in zip(records[pair], record, strict=True)) <= 1


@needs_tables
def test_published_records_of_2015_within_the_rounding_of_three_digits():
    records = win_draw_loss_relative(published("averaged-kdb", "zero_one_loss"))
    printed = published_records("averaged-kdb", "zero_one_loss")
    assert sum(records[pair] == record for pair, record in printed.items()) == 16
    for pair, record in printed.items():
        assert max(abs(ours - theirs) for ours, theirs in zip(records[pair], record, strict=True)) <= 3


def test_views_of_records():
    records = win_draw_loss_relative({"A": [0.1, 0.2], "B": [0.2, 0.2], "C": [0.3, NAN]})
    assert records.to_csv() == "W/D/L,A,B\nB,0/1/1,\nC,0/0/1,0/0/1\n"
    assert "Data sets: 1-2." in records.to_text()
    assert "better by more than 5 %" in records.to_markdown()
    assert r"C & 0/0/1 & 0/0/1 \\" in records.to_latex()


# --- McNemar


def test_discordant_rows_by_hand():
    truth = ["a", "a", "b", "b", "c"]
    assert discordant_rows(truth, ["a", "b", "b", "b", "a"], ["a", "a", "b", "c", "a"]) == (1, 1)
    assert discordant_rows(truth, truth, ["b"] * 5) == (3, 0)
    with pytest.raises(ValueError, match="predictions of shape"):
        discordant_rows(truth, truth, ["a"])


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_binomial_test_of_scipy(b, c):
    expected = stats.binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
    assert mcnemar_p_value(b, c) == pytest.approx(expected)
    assert mcnemar_p_value(c, b) == mcnemar_p_value(b, c)


def test_mcnemar_of_several_data_sets():
    np.testing.assert_allclose(mcnemar_p_value([0, 6, 5], [0, 0, 0]), [1, 0.03125, 0.0625])


def test_records_by_mcnemar():
    """Six discordant rows on one side are the fewest that are significant."""
    truth = {"six": np.ones(10), "five": np.ones(10), "missing": np.ones(3)}

    def wrong(count):
        return np.where(np.arange(10) < count, 0, 1)

    predictions = {
        "good": {"six": wrong(0), "five": wrong(0), "missing": np.ones(3)},
        "bad": {"six": wrong(6), "five": wrong(5)},
    }
    records = win_draw_loss_mcnemar(truth, predictions)
    assert records["good", "bad"] == Record(1, 1, 0)
    assert records["bad", "good"] == Record(0, 1, 1)
    assert win_draw_loss_mcnemar(truth, predictions, alpha=0.1)["good", "bad"] == (2, 0, 0)
    assert "exact McNemar test" in records.to_text()


def test_mcnemar_without_common_data_sets_and_with_unknown_ones():
    records = win_draw_loss_mcnemar({"a": [1], "b": [1]}, {"A": {"a": [1]}, "B": {"b": [1]}})
    assert records["A", "B"] == (0, 0, 0)
    with pytest.raises(ValueError, match="no true classes of b"):
        win_draw_loss_mcnemar({"a": [1]}, {"A": {"a": [1]}, "B": {"b": [1]}})
    with pytest.raises(ValueError, match="at least two"):
        win_draw_loss_mcnemar({"a": [1]}, {"A": {"a": [1]}})


# --- sign test


def test_sign_test_by_hand():
    assert sign_p_value(3, 0) == 0.25
    assert sign_p_value(3, 0, alternative="greater") == 0.125
    assert sign_p_value(0, 3, alternative="greater") == 1
    assert sign_p_value(0, 0) == sign_p_value(4, 4) == 1
    with pytest.raises(ValueError, match="alternative must be"):
        sign_p_value(1, 2, alternative="less")


@needs_tables
@pytest.mark.parametrize(
    ("paper", "first", "second", "better", "worse", "p"),
    [
        ("awode", "AWODE", "AODE", 23, 14, 0.1877),
        ("awode", "AWODE", "IWAODE", 24, 10, 0.0243),
        ("awode", "IWAODE", "AODE", 17, 15, 0.8601),
        ("averaged-kdb", "AKDB", "AODE", 27, 10, 0.0076),
        ("averaged-kdb", "AKDB", "KDB", 34, 3, 0.0000),
        ("adaptive-kdb", "AKDB", "K2DB", 22, 3, 0.0002),
        ("adaptive-kdb", "KDB-FS", "K2DB", 21, 0, 0.0000),
        ("adaptive-kdb", "KDB-DS", "K2DB", 16, 0, 0.0000),
    ],
)
def test_sign_tests_of_the_papers_claims(paper, first, second, better, worse, p):
    test = sign_tests(published(paper, "zero_one_loss"))[first, second]
    assert (test.better, test.worse) == (better, worse)
    assert test.p_value == pytest.approx(p, abs=5e-5)


@given(loss_tables())
def test_sign_tests_of_a_pair_mirror_each_other(columns):
    tests, one_sided = sign_tests(columns), sign_tests(columns, alternative="greater")
    records = win_draw_loss_relative(columns, margin=0)
    for a, b in itertools.permutations("ABC", 2):
        assert tests[a, b].p_value == tests[b, a].p_value
        assert (tests[a, b].better, tests[a, b].equal, tests[a, b].worse) == records[a, b]
        smaller = min(one_sided[a, b].p_value, one_sided[b, a].p_value)
        assert tests[a, b].p_value == pytest.approx(min(1, 2 * smaller))


def test_margin_of_a_sign_test():
    columns = {"A": [0.1, 0.2, 0.3], "B": [0.101, 0.3, 0.4]}
    assert sign_tests(columns)["A", "B"][:3] == (3, 0, 0)
    tests = sign_tests(columns, margin=0.05, alternative="greater")
    assert tests["A", "B"] == (2, 0, 1, 0.25)
    assert "Better by more than 5 %, one-sided" in tests.to_text()
    assert tests.to_csv() == "first,second,better,worse,equal,p\nB,A,0,2,1,1.0\n"


# --- Wilcoxon and Holm


def test_wilcoxon_by_hand():
    """Differences 1 to 5, all of one sign: 2 of the 2**5 signs are as extreme."""
    test = wilcoxon_holm({"A": [0.1] * 5, "B": [0.11, 0.12, 0.13, 0.14, 0.15]})["A", "B"]
    assert test.n_data_sets == 5
    assert test.median_gain == pytest.approx(0.03)
    assert test.p_value == test.p_holm == pytest.approx(2 / 32)


def test_wilcoxon_of_decimals_is_that_of_the_integers():
    """The difference of 0.3 and 0.2 is not that of 0.2 and 0.1, unless rounding errors are put aside."""
    first = np.array([3, 2, 5, 9, 7, 4, 8, 1, 6, 9, 3, 2, 8, 9, 5])
    second = np.array([2, 1, 6, 7, 5, 3, 5, 2, 5, 7, 4, 1, 6, 6, 4])
    expected = stats.wilcoxon(first - second, zero_method="zsplit", method="approx").pvalue
    test = wilcoxon_holm({"A": first / 10, "B": second / 10})["B", "A"]
    assert test.p_value == pytest.approx(expected)
    assert test.median_gain > 0


def test_wilcoxon_with_ties_goes_through_all_signs():
    """Ranks 1.5, 1.5, 3 and 4, W+ = 8.5: as extreme are W+ = 8.5, 10, 0 and 1.5, with 2, 1, 1 and 2 signs."""
    columns = {"A": [0.1] * 4, "B": [0.09, 0.11, 0.12, 0.13]}
    assert wilcoxon_holm(columns)["A", "B"].p_value == pytest.approx(6 / 16)


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=6))
def test_small_wilcoxon_by_counting(gains):
    tests = wilcoxon_holm({"A": [0.5] * len(gains), "B": [0.5 + gain / 10 for gain in gains]})
    ranks = stats.rankdata(np.abs(gains))
    observed = abs(ranks @ np.sign(gains))
    signs = itertools.product([-1, 1], repeat=len(gains))
    sums = [abs(ranks * (np.array(gains) != 0) @ np.array(sign)) for sign in signs]
    assert tests["A", "B"].p_value == pytest.approx(np.mean(np.array(sums) >= observed - 1e-9))


@settings(deadline=None, max_examples=25)  # SciPy goes through all signs where there are ties
@given(loss_tables())
def test_wilcoxon_of_any_table(columns):
    tests = wilcoxon_holm(columns)
    for a, b in itertools.combinations("ABC", 2):
        test, mirror = tests[a, b], tests[b, a]
        gain = np.subtract(columns[b], columns[a])
        assert test.n_data_sets == (~np.isnan(gain)).sum()
        assert (test.p_value, test.p_holm) == pytest.approx((mirror.p_value, mirror.p_holm), nan_ok=True)
        if test.n_data_sets:
            assert 0 <= test.p_value <= test.p_holm <= 1
            assert test.median_gain == -mirror.median_gain
        else:
            assert math.isnan(test.p_value)


def test_equal_classifiers_and_a_single_data_set():
    tests = wilcoxon_holm({"A": [0.1, 0.2, 0.3], "B": [0.1, 0.2, 0.3], "C": [0.2, NAN, NAN]})
    assert tests["A", "B"][1:] == (0, 1, 1)
    assert tests["A", "C"].p_value == 1
    assert "median gain" in tests.to_markdown()


def test_scores_gain_where_losses_lose():
    table = results_table({"A": [0.9, 0.8, 0.7], "B": [0.7, 0.7, 0.65]}, greater_is_better=True)
    assert wilcoxon_holm(table)["A", "B"].median_gain == pytest.approx(0.1)
    assert sign_tests(table)["A", "B"].better == 3


def test_holm_by_hand():
    np.testing.assert_allclose(holm([0.01, 0.02, 0.03, 0.04]), [0.04, 0.06, 0.06, 0.06])
    np.testing.assert_allclose(holm([0.5, 0.001, NAN, 0.6]), [1, 0.003, NAN, 1])
    assert holm([]).shape == (0,)


@given(st.lists(p_value, min_size=1, max_size=8))
def test_holm_rejects_step_by_step(p_values):
    """From the smallest on, p_(i) is compared with alpha / (m - i + 1) until one fails."""
    alpha, m = 0.05, len(p_values)
    rejected = np.zeros(m, dtype=bool)
    for step, i in enumerate(np.argsort(p_values, kind="stable")):
        if p_values[i] * (m - step) > alpha:
            break
        rejected[i] = True
    np.testing.assert_array_equal(holm(p_values) <= alpha, rejected)


def test_one_classifier_is_no_comparison():
    for function in (win_draw_loss_relative, sign_tests, wilcoxon_holm):
        with pytest.raises(ValueError, match="at least two classifiers"):
            function({"A": [0.1]})


# --- Bayesian signed-rank test


@pytest.mark.parametrize(
    ("gain", "first", "second"),
    [
        # the weight w of the data set is Beta(1, 1/2); it is better where w^2 > 1/2
        (0.015, math.sqrt(1 - math.sqrt(0.5)), 0),
        # beyond twice the rope, also with the prior's difference of 0: where 1 - (1 - w)^2 > 1/2
        (0.05, 0.5**0.25, 0),
        (-0.05, 0, 0.5**0.25),
        (0.005, 0, 0),
    ],
)
def test_bayesian_signed_rank_of_one_data_set_by_hand(gain, first, second):
    pytest.importorskip("baycomp")
    test = bayesian_signed_rank({"A": [0.2 - gain], "B": [0.2]}, n_samples=20_000)["A", "B"]
    assert test.n_data_sets == 1
    assert test[1:] == pytest.approx((first, 1 - first - second, second), abs=4 * 0.5 / math.sqrt(20_000))


@pytest.mark.parametrize("rope", [0.001, 0.01, 0.03])
def test_bayesian_signed_rank_is_the_posterior_by_definition(rope):
    pytest.importorskip("baycomp")
    rng = np.random.default_rng(3)
    better = rng.normal(0.01, 0.03, 9)
    n_samples = 5000
    found = bayesian_signed_rank(
        results_table({"A": better, "B": np.zeros(9)}, greater_is_better=True), rope=rope, n_samples=n_samples
    )
    differences = np.append(better, 0)
    means = (differences[:, None] + differences) / 2
    weights = rng.dirichlet([1] * 9 + [0.5], n_samples)
    shares = [
        np.einsum("si,ij,sj->s", weights, region.astype(float), weights)
        for region in (means > rope, np.abs(means) <= rope, means < -rope)
    ]
    expected = np.bincount(np.argmax(shares, axis=0), minlength=3) / n_samples
    assert found["A", "B"][1:] == pytest.approx(expected, abs=5 * 0.5 / math.sqrt(n_samples / 2))
    assert found["B", "A"][1:] == found["A", "B"][:0:-1]


def test_bayesian_signed_rank_of_tables():
    pytest.importorskip("baycomp")
    table = {"A": [0.1, 0.2, NAN], "B": [0.1, 0.2, 0.3], "C": [NAN, NAN, 0.1]}
    found = bayesian_signed_rank(table, n_samples=100)
    assert found["A", "B"] == (2, 0.0, 1.0, 0.0)  # the same values are equal
    assert found["A", "C"].n_data_sets == 0
    assert np.isnan(found["A", "C"][1:]).all()
    assert "is a difference of up to 0.01" in str(found)
    with pytest.raises(ValueError, match="rope must be more than 0, got 0"):
        bayesian_signed_rank(table, rope=0)
    with pytest.raises(ValueError, match="at least two classifiers"):
        bayesian_signed_rank({"A": [0.1]})


def test_bayesian_signed_rank_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "baycomp", None)
    with pytest.raises(ImportError, match=r"pip install 'seminaive\[bayes\]'"):
        bayesian_signed_rank({"A": [0.1], "B": [0.2]})
