"""The twins themselves, anchored by values worked out by hand."""

import doctest
import math

import pytest

from seminaive.testing import naive
from seminaive.testing.naive import Table

# x0   x1   y
ROWS = [
    ([0, 0], 0),
    ([0, 0], 0),
    ([0, 1], 0),
    ([1, 1], 0),
    ([1, 1], 1),
    ([1, 0], 1),
    ([1, None], 1),
    ([None, 1], 1),
]
TABLE = Table([row for row, _ in ROWS], [label for _, label in ROWS], n_values=[2, 2], n_classes=2)

# x0 says something about y, x1 nothing, x2 is y; given y, x0 and x1 go together (in class 0), x2 is constant
CHAIN = Table(
    [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1], [1, 0, 1], [1, 1, 1]],
    [0, 0, 0, 0, 1, 1, 1, 1],
    n_values=[2, 2, 2],
    n_classes=2,
)


def h(*shares: float) -> float:
    """Entropy of shares that are written down in a test."""
    return -sum(p * math.log2(p) for p in shares)


def test_docstrings():
    assert doctest.testmod(naive).failed == 0


# --- counts


def test_counts():
    assert naive.class_counts(TABLE) == [4, 4]
    assert naive.count(TABLE, {0: 0}) == [3, 0]
    assert naive.count(TABLE, {0: 1}) == [1, 3]
    assert naive.count(TABLE, {0: 1, 1: 1}) == [1, 1]
    assert naive.count(TABLE, {0: 1}, required_observed=[1]) == [1, 2]
    assert naive.count(TABLE, {}, required_observed=[0, 1]) == [4, 2]
    assert naive.total_count(TABLE, {1: 1}) == 4


def test_weights_are_copies_and_zero_is_absence():
    table = Table([[0], [0], [1]], [0, 1, 1], n_values=[2], n_classes=2, weights=[3, 0, 0.5])
    assert naive.class_counts(table) == [3, 0.5]
    assert naive.count(table, {0: 0}) == [3, 0]


# --- information


def test_entropy():
    assert naive.entropy([1, 3]) == pytest.approx(h(1 / 4, 3 / 4), abs=1e-15)
    assert naive.entropy([5]) == 0
    assert naive.entropy([1, 1, 1, 1, 0]) == 2


def test_mutual_information():
    # seven rows have x0: 4 + 3 of the classes; x0 = 0 is pure, x0 = 1 holds 1 + 3
    assert naive.mutual_information(TABLE, 0) == pytest.approx(h(4 / 7, 3 / 7) - 4 / 7 * h(1 / 4, 3 / 4))
    # seven rows have x1: three with 2 + 1, four with 2 + 2
    assert naive.mutual_information(TABLE, 1) == pytest.approx(
        h(4 / 7, 3 / 7) - 3 / 7 * h(1 / 3, 2 / 3) - 4 / 7
    )
    assert naive.mutual_information(CHAIN, 2) == 1
    assert naive.mutual_information(CHAIN, 1) == 0


def test_conditional_mutual_information():
    # six rows have both. Class 0: x1 is 2 + 2; within x0 = 0 it is 2 + 1. Class 1: x0 is constant.
    class_0 = 1 - 3 / 4 * h(1 / 3, 2 / 3)
    assert naive.conditional_mutual_information(TABLE, 0, 1) == pytest.approx(4 / 6 * class_0)
    assert naive.conditional_mutual_information(TABLE, 1, 0) == naive.conditional_mutual_information(
        TABLE, 0, 1
    )
    assert naive.conditional_mutual_information(CHAIN, 0, 1) == pytest.approx(h(1 / 4, 3 / 4) / 2)
    assert naive.conditional_mutual_information(CHAIN, 0, 2) == 0


def test_information_of_an_attribute_that_was_never_observed():
    table = Table([[None, 0], [None, 1]], [0, 1], n_values=[2, 2], n_classes=2)
    assert naive.mutual_information(table, 0) == 0
    assert naive.conditional_mutual_information(table, 0, 1) == 0


# --- structures


def test_tan_parents():
    # only x0 - x1 depend on each other; x2 hangs, for want of better, on what came in first
    assert naive.tan_parents(CHAIN) == [[], [0], [0]]
    # from x2: x0 and x1 tie, x0 is earlier; then x1 prefers x0
    assert naive.tan_parents(CHAIN, root=2) == [[2], [0], []]
    assert naive.tan_parents(CHAIN, root=1) == [[1], [], [1]]
    assert naive.tan_parents(Table([[], []], [0, 1], n_values=[], n_classes=2)) == []


def test_kdb_parents():
    # order of mutual information: x2 (1 bit), x0, x1 (nothing)
    assert naive.kdb_parents(CHAIN, k=0) == [[], [], []]
    assert naive.kdb_parents(CHAIN, k=1) == [[2], [0], []]
    assert naive.kdb_parents(CHAIN, k=2) == [[2], [0, 2], []]
    assert naive.kdb_parents(CHAIN, k=9) == [[2], [0, 2], []]


def test_kdb_ties_go_to_the_earlier_attribute():
    table = Table([[0, 0, 0], [1, 1, 1]], [0, 1], n_values=[2, 2, 2], n_classes=2)
    assert naive.kdb_parents(table, k=1) == [[], [0], [0]]


def test_scores_that_differ_in_the_last_digits_only_are_ties():
    # the same distribution, summed over its values in another order
    classes = [0, 0, 0, 1, 1, 1, 2]
    rows = [[code, 2 - code] for code in [0, 1, 0, 1, 1, 2, 2]]
    table = Table(rows, classes, n_values=[3, 3], n_classes=3)
    assert naive.kdb_parents(table, k=1) == [[], [0]]


# --- probabilities


def test_smoothed():
    assert naive.smoothed(3, 4, 2) == 3.5 / 5
    assert naive.smoothed(3, 4, 2, "laplace") == 4 / 6
    assert naive.smoothed(3, 4, 2, "laplace", strength=0.5) == 3.5 / 5
    assert naive.smoothed(3, 4, 2, strength=4) == 5 / 8
    assert naive.smoothed(0, 4, 2, strength=0) == 0
    assert naive.smoothed(0, 0, 4, strength=0) == naive.smoothed(0, 0, 4) == 1 / 4


def test_class_prior():
    table = Table([[], [], [], []], [0, 1, 1, 1], n_values=[], n_classes=2)
    assert naive.class_prior(table) == [1.5 / 5, 3.5 / 5]
    assert naive.class_prior(table, smoothing="laplace") == [2 / 6, 4 / 6]
    assert naive.class_prior(table, "empirical") == [1 / 4, 3 / 4]
    assert naive.class_prior(table, [0.9, 0.1]) == [0.9, 0.1]


def test_family_probability():
    assert naive.family_probability(TABLE, 0, [0, 1]) == [3.5 / 5, 0.5 / 4]
    # given x0 = 0, x1 is 0, 0, 1 in class 0; class 1 has no such row: the prior
    assert naive.family_probability(TABLE, 1, [0, 1], parents=[0]) == [1.5 / 4, 0.5]
    # the parent is not observed: P(x1 | y)
    assert naive.family_probability(TABLE, 1, [None, 1], parents=[0]) == [2.5 / 5, 2.5 / 4]


def test_family_probability_backs_off_from_the_weakest_parent():
    #             x0 x1 x2
    rows = [[0, 0, 0], [1, 0, 0], [1, 0, 0], [None, 0, 1], [0, 1, 1]]
    table = Table(rows, [0] * 5, n_values=[2, 3, 2], n_classes=1)
    # (x1, x2) = (0, 1) was seen, but never with x0: only x1 = 0 is used, seen with x0 = 0, 1, 1
    assert naive.family_probability(table, 0, [0, 0, 1], parents=[1, 2]) == [1.5 / 4]
    # with x2 as the stronger parent: x2 = 1, seen with x0 = 0
    assert naive.family_probability(table, 0, [0, 0, 1], parents=[2, 1]) == [1.5 / 2]
    # x1 = 2 was never seen: nothing is left, although x2 = 0 alone was seen
    assert naive.family_probability(table, 0, [0, 2, 0], parents=[1, 2]) == [2.5 / 5]
    # a stronger parent that is not observed is passed over
    assert naive.family_probability(table, 0, [0, None, 1], parents=[1, 2]) == [1.5 / 2]


def test_family_probability_of_a_child_that_training_never_observed():
    table = Table([[None], [None]], [0, 1], n_values=[4], n_classes=2)
    assert naive.family_probability(table, 0, [3]) == [1 / 4, 1 / 4]
    assert naive.family_probability(table, 0, [3], strength=0) == [1 / 4, 1 / 4]


# --- cut points


def test_mdlp_accepts_a_clean_cut():
    # E = 1 bit; N E = 8 against log2(7) + log2(7) - 2 = 3.61
    values, classes = [1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 1, 1, 1, 1]
    assert naive.mdlp_cut_points(values, classes) == [4.5]
    # two rows: 2 bits against log2(1) + log2(7) - 2 = 0.81
    assert naive.mdlp_cut_points([1, 2], [0, 1], keep_two_valued=False) == [1.5]


def test_mdlp_refuses_what_it_cannot_pay_for():
    # after the 1 both parts are pure: 4 h(1/4) = 3.25 bits against log2(3) + log2(7) - 2 h(1/4) = 2.77
    assert naive.mdlp_cut_points([1, 2, 2, 3], [0, 1, 1, 1], keep_two_valued=False) == [1.5]
    # alternating: cutting off one row leaves 3 h(1/3) = 2.75 of 4 bits; the 1.25 gained do not pay for
    # log2(3) + log2(7) - (2 - 2 h(1/3)) = 4.23
    assert naive.mdlp_cut_points([1, 2, 3, 4], [0, 1, 0, 1]) == []
    assert naive.mdlp_cut_points([1, 1, 2, 2], [0, 1, 0, 1], keep_two_valued=False) == []
    assert naive.mdlp_cut_points([1, 1, 2, 2], [0, 1, 0, 1]) == [1.5]


def test_mdlp_recurses():
    # three classes in a row, four of each: 12 log2(3) = 19.02 bits. The cuts after the first and after the
    # second class both leave 8 bits: 11.02 gained against log2(11) + log2(25) - (3 log2(3) - 2) = 5.35. The
    # last is taken; its left part is the clean cut of the first test.
    values = list(range(1, 13))
    assert naive.mdlp_cut_points(values, [0] * 4 + [1] * 4 + [2] * 4) == [4.5, 8.5]


def test_mdlp_takes_the_last_of_equal_cuts():
    # two pure, two mixed, two pure rows: 6 bits. Both cuts leave 4 h(1/4) = 3.25 and gain 2.75, which does
    # not pay for log2(5) + log2(7) - (2 - 2 h(1/4)) = 4.75. With three copies of each row 8.26 are gained and
    # log2(17) + 2.43 = 6.52 asked for. The left part then has 12 h(1/4) = 9.74 bits; cutting off its pure
    # value leaves 6, and log2(11) + log2(7) - (2 h(1/4) - 2) = 6.64 is more than that gains.
    values, classes = [1, 1, 2, 2, 3, 3] * 3, [0, 0, 0, 1, 1, 1] * 3
    assert naive.mdlp_cut_points(values[:6], classes[:6]) == []
    assert naive.mdlp_cut_points(values, classes) == [2.5]
    assert naive.mdlp_cut_points(values[:6], classes[:6], weights=[3] * 6) == [2.5]


def test_mdlp_leaves_out_missing_values_and_rows_without_weight():
    values, classes = [1, 2, 3, 4, math.nan, 7, 5, 6, 7, 8], [0, 0, 0, 0, 1, 0, 1, 1, 1, 1]
    weights = [1, 1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert naive.mdlp_cut_points(values, classes, weights) == [4.5]
    assert naive.mdlp_cut_points([], []) == []
    assert naive.mdlp_cut_points([3, 3], [0, 1]) == []
    assert naive.mdlp_cut_points([0, 1], [0, 1], weights=[0.5, 0.5], keep_two_valued=False) == []


def test_cuts_between_extreme_numbers():
    neighbour = math.nextafter(1.0, 2.0)
    assert naive.mdlp_cut_points([1.0, neighbour], [0, 1]) == [1.0]
    assert naive.mdlp_cut_points([-math.inf, math.inf], [0, 1]) == [0]
    assert naive.equal_width_cut_points([-math.inf, 0, 2, math.inf], n_bins=2) == [1]


def test_equal_frequency():
    # of six rows, two are wanted on the left, then four: 1 1 | 2 3 | ...; 5 rows lie left of 5, 4 left of 4
    assert naive.equal_frequency_cut_points([1, 1, 2, 3, 4, 5], n_bins=3) == [1.5, 3.5]
    # three wanted of six, two or four possible: the lower
    assert naive.equal_frequency_cut_points([1, 1, 2, 2, 3, 3], n_bins=2) == [1.5]
    # both cuts fall to the only gap
    assert naive.equal_frequency_cut_points([1, 1, 1, 1, 2], n_bins=3) == [1.5]
    assert naive.equal_frequency_cut_points([1, 2, 3], n_bins=2, weights=[1, 1, 2]) == [2.5]
    assert naive.equal_frequency_cut_points([1, 2, 3], n_bins=2, weights=[1, 0, 1]) == [2]
    assert naive.equal_frequency_cut_points([math.nan, 7], n_bins=4) == []


def test_equal_width():
    assert naive.equal_width_cut_points([0, 10, math.nan, 4], n_bins=5) == [2, 4, 6, 8]
    assert naive.equal_width_cut_points([0, 1, 30, 3], n_bins=3, weights=[1, 1, 0, 1]) == [1, 2]
    assert naive.equal_width_cut_points([0, 10], n_bins=5) == [5]
    assert naive.equal_width_cut_points([0, 10], n_bins=5, keep_two_valued=False) == [2, 4, 6, 8]
    assert naive.equal_width_cut_points([3, 3], n_bins=5) == []


# --- classifiers


def test_naive_bayes_joint():
    assert naive.naive_bayes_joint(TABLE, [0, 1]) == pytest.approx([0.5 * 0.7 * 0.5, 0.5 * 0.125 * 0.625])
    assert naive.naive_bayes_joint(TABLE, [0, None]) == pytest.approx([0.5 * 0.7, 0.5 * 0.125])
    assert naive.naive_bayes_joint(TABLE, [0, 1], strength=0) == pytest.approx([0.5 * 3 / 4 * 1 / 2, 0])
    assert naive.naive_bayes_joint(TABLE, [None, None], prior=[0.9, 0.1]) == [0.9, 0.1]


def test_tan_and_kdb_joint():
    expected = pytest.approx([0.5 * 0.7 * 0.375, 0.5 * 0.125 * 0.5])
    assert naive.tan_joint(TABLE, [0, 1]) == expected
    assert naive.kdb_joint(TABLE, [0, 1], k=1) == expected
    assert naive.tan_joint(TABLE, [None, 1]) == pytest.approx([0.5 * 0.5, 0.5 * 0.625])
    assert naive.kdb_joint(TABLE, [0, 1], k=0) == pytest.approx(naive.naive_bayes_joint(TABLE, [0, 1]))
    # x1 as the root: P(x1 = 1 | y) P(x0 = 0 | x1 = 1, y), the latter from 1 of 2 and 0 of 1 rows
    assert naive.tan_joint(TABLE, [0, 1], root=1) == pytest.approx([0.5 * 0.5 * 0.5, 0.5 * 0.625 * 0.25])


def test_aode_joint_direct():
    # x0 = 0 as superparent: (3 + 1/4)/8 and (0 + 1/4)/8, times 1.5/4 and 1/2
    first = [3.25 / 8 * 0.375, 0.25 / 8 * 0.5]
    # x1 = 1 as superparent: (2 + 1/4)/8 for both, times 1.5/3 and 0.5/2 (one row lacks x0)
    second = [2.25 / 8 * 0.5, 2.25 / 8 * 0.25]
    mean = [(first[y] + second[y]) / 2 for y in range(2)]
    assert naive.aode_joint(TABLE, [0, 1]) == pytest.approx(mean)
    # x0 = 0 was seen three times, x1 = 1 four times
    assert naive.aode_joint(TABLE, [0, 1], frequency_limit=3) == pytest.approx(mean)
    assert naive.aode_joint(TABLE, [0, 1], frequency_limit=4) == pytest.approx(second)
    assert naive.aode_joint(TABLE, [0, 1], frequency_limit=5) == naive.naive_bayes_joint(TABLE, [0, 1])
    # the default prior is 1/2 : 1/2
    assert naive.aode_joint(TABLE, [0, 1], prior=[0.8, 0.2]) == pytest.approx([mean[0] * 1.6, mean[1] * 0.4])
    assert naive.aode_joint(TABLE, [0, None]) == pytest.approx([3.25 / 8, 0.25 / 8])
    assert naive.aode_joint(TABLE, [None, None]) == [0.5, 0.5]


def test_aode_frequency_limits_up_to_one():
    # x0 = 1 was never seen, x0 = 0 with weight 1/2
    table = Table([[0, 0]], [0], n_values=[2, 1], n_classes=1, weights=[0.5])
    assert naive.aode_joint(table, [0, 0], frequency_limit=1) == [2 / 3]
    # x1 alone: P(x1 = 0) = 1, P(x0 = 1 | x1 = 0) = (0 + 1/2)/(1/2 + 1)
    assert naive.aode_joint(table, [1, 0], frequency_limit=1) == [1 / 3]
    assert naive.aode_joint(table, [1, 0], frequency_limit=0.5) == [1 / 3]
    # x0 = 1 too: P(x0 = 1) = (0 + 1/2)/(1/2 + 1), P(x1 = 0 | x0 = 1) = 1
    assert naive.aode_joint(table, [1, None], frequency_limit=0) == [1 / 3]
    two = Table([[0, 0], [0, 1]], [0, 0], n_values=[2, 2], n_classes=1)
    # x0 = 1: 1/2 of 3, then 1/2; x1 = 0: 1.5 of 3, then 1/2 of 2
    assert naive.aode_joint(two, [1, 0], frequency_limit=0) == [(1 / 6 * 1 / 2 + 1 / 2 * 1 / 4) / 2]
    assert naive.aode_joint(two, [1, 0], frequency_limit=1) == [1 / 2 * 1 / 4]


def test_aode_joint_ratio():
    # six rows have both; pairs have a prior mass of 1/8, single values 1/4
    first = [3.25 / 8 * 1.125 / 3.25, 0.25 / 8 * 0.125 / 0.25]
    second = [2.25 / 8 * 1.125 / 2.25, 2.25 / 8 * 0.125 / 1.25]
    assert naive.aode_joint(TABLE, [0, 1], conditional="ratio") == pytest.approx(
        [(first[y] + second[y]) / 2 for y in range(2)]
    )


def test_aode_joint_ratio_with_laplace():
    # x0 = 0 as superparent, seen 3 + 0 times in 7 rows, four cells; pairs 1 + 0 of 6 rows, eight cells
    first = [4 / 11 * (2 / 14) / (4 / 10), 1 / 11 * (1 / 14) / (1 / 10)]
    # x1 = 1 as superparent, seen 2 + 2 times; with x0 observed 2 + 1 times
    second = [3 / 11 * (2 / 14) / (3 / 10), 3 / 11 * (1 / 14) / (2 / 10)]
    assert naive.aode_joint(TABLE, [0, 1], conditional="ratio", smoothing="laplace") == pytest.approx(
        [(first[y] + second[y]) / 2 for y in range(2)]
    )


def test_aode_ratio_without_smoothing_is_uniform_where_nothing_was_seen():
    # class 1 has x0 = 0, but never together with a value of x1
    table = Table([[0, 0], [0, None]], [0, 1], n_values=[1, 2], n_classes=2)
    direct = naive.aode_joint(table, [0, 0], strength=0, frequency_limit=2)
    assert direct == [1 / 2 * 1, 1 / 2 * 1 / 2]
    assert naive.aode_joint(table, [0, 0], strength=0, frequency_limit=2, conditional="ratio") == direct


def test_subsumed():
    #        pregnant  female  young
    rows = [[1, 1, 1], [1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]]
    table = Table(rows, [0, 0, 1, 1, 1], n_values=[2, 2, 2], n_classes=2)
    assert naive.subsumed(table, [1, 1, 0], critical_value=2) == {1}  # pregnant implies female
    assert naive.subsumed(table, [1, 1, 0], critical_value=3) == set()
    assert naive.subsumed(table, [1, 1, 1], critical_value=2) == {1, 2}  # and both imply young
    assert naive.subsumed(table, [1, None, 0], critical_value=2) == set()
    # a value that was never seen implies nothing
    assert (
        naive.subsumed(Table([[0, 0]], [0], n_values=[2, 1], n_classes=1), [1, 0], critical_value=0) == set()
    )
    # always together: the earlier one stays
    twins = Table([[0, 0], [0, 0]], [0, 1], n_values=[1, 1], n_classes=2)
    assert naive.subsumed(twins, [0, 0], critical_value=2) == {1}
    # one row in which the general value was not observed, and it is no implication any more
    holes = Table([[1, 1], [1, None]], [0, 0], n_values=[2, 2], n_classes=1)
    assert naive.subsumed(holes, [1, 1], critical_value=1) == {0}  # x1 = 1 implies x0 = 1, not the reverse


def test_aode_joint_with_subsumption_resolution():
    rows = [[1, 1], [1, 1], [0, 1], [0, 0]]
    table = Table(rows, [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    # x1 is deleted, neither child nor superparent: P(x0 = 1, y) of 2 + 0 in 4 rows, four cells
    assert naive.aode_joint(table, [1, 1], subsumption_resolution=True, critical_value=2) == [
        2.25 / 5,
        0.25 / 5,
    ]
    # no superparent: naive Bayes on both
    assert naive.aode_joint(
        table, [1, 1], subsumption_resolution=True, critical_value=2, frequency_limit=3
    ) == naive.naive_bayes_joint(table, [1, 1])


def test_posterior():
    assert naive.posterior([0.1, 0.3], [0.5, 0.5]) == [0.1 / 0.4, 0.3 / 0.4]
    assert naive.posterior([0, 0], [0.2, 0.8]) == [0.2, 0.8]
