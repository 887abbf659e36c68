"""The twin of averaged networks: values worked out by hand, and identities."""

import doctest
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminaive.testing import naive, naive_averaged
from seminaive.testing.naive_averaged import (
    GRID,
    Member,
    choose_concentrations,
    class_weights_objective,
    conditional_mutual_information,
    contributions,
    estimates,
    group_posterior,
    left_out_estimates,
    left_out_log_likelihood,
    log_prior,
    mutual_information,
    new_factors,
    numeric_gradient,
    out_of_bag_factors,
    posterior,
    shared_weights_objective,
    without_one_copy,
)

#                  x, its parent z
CODES = np.array([[0, 0, 1, 1, 1, 0], [0, 0, 0, 1, 0, 1]])
LABELS = np.array([0, 0, 0, 1, 1, 1])
ONES = np.ones(6)
REST = {"n_values": [2, 2], "n_classes": 2, "child": 0, "parents": [1], "concentrations": [1.0, 2.0, 4.0]}

some = settings(max_examples=25, deadline=None)


@st.composite
def tables(draw, max_rows=8):
    """Codes with gaps, labels, weights, number of values and of classes."""
    n_values = draw(st.lists(st.integers(1, 3), min_size=2, max_size=3))
    n_rows, n_classes = draw(st.integers(2, max_rows)), draw(st.integers(1, 3))
    row = st.tuples(*(st.integers(0, v) for v in n_values))
    codes = np.array(draw(st.lists(row, min_size=n_rows, max_size=n_rows))).T
    labels = np.array(draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows)))
    weights = np.array(draw(st.lists(st.sampled_from([0.5, 1, 1, 3]), min_size=n_rows, max_size=n_rows)))
    return codes, labels, weights, n_values, n_classes


def test_docstrings():
    assert doctest.testmod(naive_averaged).failed == 0


# --- estimates


def test_estimates_of_a_new_row():
    H, M = estimates([0, 0], CODES, LABELS, ONES, **REST)
    # class-free (3 + 1/2) / 7 = 1/2; x = 0 in 2 of 3 and 1 of 3; given z = 0 in 2 of 3 and 0 of 1
    assert pytest.approx(np.array([[3 / 5, 2 / 5], [(2 + 4 * 0.6) / 7, 4 * 0.4 / 5]]), abs=1e-15) == H
    assert pytest.approx(np.array([[2.5 / 4, 1.5 / 4], [2.5 / 4, 0.5 / 2]]), abs=1e-15) == M


def test_estimates_of_a_training_row_left_out():
    H, M = left_out_estimates(0, CODES, LABELS, ONES, **REST)
    # class-free (2 + 1/2) / 6 = 5/12; x = 0 in 1 of 2 and 1 of 3; given z = 0 in 1 of 2 and 0 of 1
    assert pytest.approx(np.array([[11 / 24, 11 / 30], [17 / 36, 22 / 75]]), abs=1e-15) == H
    assert pytest.approx(np.array([[1.5 / 3, 1.5 / 4], [1.5 / 3, 0.5 / 2]]), abs=1e-15) == M


def test_a_context_never_seen_keeps_the_estimate_before_it():
    rest = {**REST, "n_values": [2, 3]}
    codes = np.where(CODES[1] == 1, 2, CODES)  # the rows of z = 1 have z = 2 now
    codes[0] = CODES[0]
    H, M = estimates([0, 1], codes, LABELS, ONES, **rest)
    assert H[1].tolist() == H[0].tolist()
    assert M[1].tolist() == M[0].tolist()


def test_a_context_that_only_one_class_has_seen():
    # z = 1 only in class 1, with x = 1 and x = 0
    H, M = estimates([0, 1], CODES, LABELS, ONES, **REST)
    assert H[1] == pytest.approx([3 / 5, (1 + 4 * 0.4) / 6], abs=1e-15)
    assert M[1] == pytest.approx([1 / 2, 1.5 / 3], abs=1e-15)


def test_a_context_whose_only_row_is_left_out_is_not_seen():
    codes, labels = np.array([[0, 1, 0], [0, 0, 1]]), np.array([0, 1, 0])
    H, M = left_out_estimates(2, codes, labels, np.ones(3), **REST)
    assert M[0] == pytest.approx([1.5 / 2, 0.5 / 2])
    assert M[1].tolist() == M[0].tolist()
    assert H[1].tolist() == H[0].tolist()


def test_missing_values():
    # row 2 lacks x, row 3 lacks z
    codes = np.array([[0, 0, 2, 1, 1, 0], [0, 0, 0, 2, 0, 1]])
    H, M = estimates([0, 0], codes, LABELS, ONES, **REST)
    # class-free (3 + 1/2) / 6 = 7/12; x = 0 in 2 of 2 and 1 of 3; given z = 0 in 2 of 2 and 0 of 1
    p0 = np.array([(2 + 2 * 7 / 12) / 4, (1 + 2 * 7 / 12) / 5])
    assert pytest.approx(np.array([p0, [(2 + 4 * p0[0]) / 6, 4 * p0[1] / 5]]), abs=1e-15) == H
    assert pytest.approx(np.array([[2.5 / 3, 1.5 / 4], [2.5 / 3, 0.5 / 2]]), abs=1e-15) == M
    # a case without z stops at the class, one without x has no factor
    H, M = estimates([0, 2], codes, LABELS, ONES, **REST)
    assert H[1].tolist() == H[0].tolist() == p0.tolist()
    assert M[1].tolist() == M[0].tolist()
    for each in estimates([2, 0], codes, LABELS, ONES, **REST):
        assert each.tolist() == [[1, 1], [1, 1]]


def test_a_missing_parent_ends_the_chain_for_the_parents_after_it():
    codes = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 0, 1]])
    given = (codes, np.array([0, 0, 1, 1]), np.ones(4), [2, 2, 2], 2, 0)
    H, M = estimates([0, 2, 0], *given, [1, 2], [1.0, 2.0, 4.0, 8.0])
    for each in (H, M):
        assert each[1].tolist() == each[2].tolist() == each[0].tolist()
    # with the other order, the one that is observed is used
    turned, _ = estimates([0, 2, 0], *given, [2, 1], [1.0, 2.0, 4.0, 8.0])
    assert turned[1].tolist() != turned[0].tolist()
    assert turned[2].tolist() == turned[1].tolist()


@some
@given(tables(), st.data())
def test_sums_to_one_over_the_values(table, data):
    codes, labels, weights, n_values, n_classes = table
    row = [data.draw(st.integers(0, v)) for v in n_values]
    parents = list(range(1, len(n_values)))
    concentrations = [1.0, 0.5, 4.0, 2.0][: len(parents) + 2]
    H, M = 0, 0
    for value in range(n_values[0]):
        h, m = estimates(
            [value, *row[1:]], codes, labels, weights, n_values, n_classes, 0, parents, concentrations
        )
        H, M = H + h, M + m
    assert pytest.approx(1, abs=1e-12) == H
    assert pytest.approx(1, abs=1e-12) == M


@some
@given(tables(), st.data())
def test_copies_are_weights_and_a_row_left_out_is_deleted(table, data):
    codes, labels, weights, n_values, n_classes = table
    weights = np.ceil(weights)
    t = data.draw(st.integers(0, len(labels) - 1))
    copies = np.repeat(np.arange(len(labels)), weights.astype(int))
    copies = np.delete(copies, np.flatnonzero(copies == t)[0])
    rest = (n_values, n_classes, 0, [1], [1.0, 0.5, 4.0])
    given_weights = left_out_estimates(t, codes, labels, weights, *rest)
    given_copies = estimates(codes[:, t], codes[:, copies], labels[copies], np.ones(len(copies)), *rest)
    assert np.array(given_weights) == pytest.approx(np.array(given_copies), abs=1e-12)


def test_a_copy_is_at_most_what_there_is():
    weights = np.array([2.5, 0.5])
    assert without_one_copy(weights, 0).tolist() == [1.5, 0.5]
    assert without_one_copy(weights, 1).tolist() == [2.5, 0.0]
    assert weights.tolist() == [2.5, 0.5]


# --- concentrations

NINE_AND_ONE = np.array([[0] * 9 + [1], range(10)])
ONE_CLASS = np.zeros(10, dtype=int)


def test_likelihood_of_the_class_free_level():
    for c in GRID:
        by_hand = 9 * math.log((8 + c / 2) / (9 + c)) + math.log((c / 2) / (9 + c))
        likelihood = left_out_log_likelihood(
            NINE_AND_ONE, ONE_CLASS, np.ones(10), [2, 10], 1, 0, [1], concentrations=[c]
        )
        assert likelihood == pytest.approx(by_hand, abs=1e-12)


def test_likelihood_of_the_class_level():
    # with 2 above it: 9/11 and 1/11 are the class-free estimates left out
    for c in GRID:
        by_hand = 9 * math.log((8 + c * 9 / 11) / (9 + c)) + math.log((c / 11) / (9 + c))
        likelihood = left_out_log_likelihood(
            NINE_AND_ONE, ONE_CLASS, np.ones(10), [2, 10], 1, 0, [1], concentrations=[2, c]
        )
        assert likelihood == pytest.approx(by_hand, abs=1e-12)


def test_concentrations():
    # by the sums above: -4.458 (1), -4.204 (2), -4.233 (4); then it grows with c; then all are equal
    chosen = choose_concentrations(NINE_AND_ONE, ONE_CLASS, np.ones(10), [2, 10], 1, 0, [1])
    assert chosen == [2, 4096, 0.25]


def test_a_parent_that_says_all_has_the_least_concentration():
    z = np.array([0, 1] * 8)
    chosen = choose_concentrations(np.array([z, z]), np.zeros(16, dtype=int), np.ones(16), [2, 2], 1, 0, [1])
    assert chosen == [4096, 4096, 0.25]


def test_only_the_rows_asked_for_are_judged():
    # but all of them are counted
    chosen = left_out_log_likelihood(
        NINE_AND_ONE, ONE_CLASS, np.ones(10), [2, 10], 1, 0, [1], [2.0], rows=np.array([0, 9])
    )
    assert chosen == pytest.approx(math.log(9 / 11) + math.log(1 / 11))


@some
@given(tables(max_rows=5))
def test_concentrations_of_weights_are_those_of_copies(table):
    codes, labels, weights, n_values, n_classes = table
    weights = np.ceil(weights)
    copies = np.repeat(np.arange(len(labels)), weights.astype(int))
    rest = (n_values, n_classes, 0, [1])
    weighted = left_out_log_likelihood(codes, labels, weights, *rest, [1.0, 4.0, 0.5])
    copied = left_out_log_likelihood(
        codes[:, copies], labels[copies], np.ones(len(copies)), *rest, [1.0, 4.0, 0.5]
    )
    assert weighted == pytest.approx(copied, abs=1e-9)


# --- information


def test_mutual_information():
    x = np.array([0, 0, 1, 1, 3, 3])  # two of the three values; two rows not observed
    y = np.array([0, 0, 2, 2, 1, 1])  # and two of the three classes where it is observed
    assert mutual_information(x, y, np.ones(6), 3, 3) == pytest.approx(math.log(2) - 1 / 8)
    assert mutual_information(x, y, np.full(6, 2.0), 3, 3) == pytest.approx(math.log(2) - 1 / 16)
    # independent: only the bias is left
    z = np.array([0, 1, 0, 1])
    assert mutual_information(z, np.array([0, 0, 1, 1]), np.ones(4), 2, 2) == pytest.approx(-1 / 8)
    assert mutual_information(np.array([2, 2]), np.array([0, 1]), np.ones(2), 2, 2) == 0


def test_conditional_mutual_information():
    # in class 0 both are equal; in class 1 x has one value; the last two rows lack one of them
    x = np.array([0, 0, 1, 1, 0, 0, 0, 0, 2, 1])
    z = np.array([0, 0, 1, 1, 0, 1, 0, 1, 1, 2])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1, 0, 1])
    by_hand = math.log(2) / 2 - 1 / 16
    assert conditional_mutual_information(x, z, y, np.ones(10), [2, 2], 2) == pytest.approx(by_hand)
    assert conditional_mutual_information(z, x, y, np.ones(10), [2, 2], 2) == pytest.approx(by_hand)
    assert conditional_mutual_information(x[8:], z[8:], y[8:], np.ones(2), [2, 2], 2) == 0


@some
@given(tables())
def test_information_plus_its_bias_is_that_of_the_raw_counts(table):
    codes, labels, weights, n_values, n_classes = table
    rows = [[int(c) if c < v else None for c, v in zip(row, n_values, strict=True)] for row in codes.T]
    raw = naive.Table(rows, labels.tolist(), n_values, n_classes, weights.tolist())
    x, z = codes[0], codes[1]
    observed = x < n_values[0]
    if observed.any():
        v, k = len(set(x[observed])), len(set(labels[observed]))
        bias = (v - 1) * (k - 1) / (2 * weights[observed].sum())
        expected = naive.mutual_information(raw, 0) * math.log(2) - bias
        assert mutual_information(x, labels, weights, n_values[0], n_classes) == pytest.approx(
            expected, abs=1e-12
        )
    both = observed & (z < n_values[1])
    if both.any():
        seen = [
            (len(set(x[both & (labels == y)])), len(set(z[both & (labels == y)]))) for y in set(labels[both])
        ]
        bias = sum((v - 1) * (w - 1) for v, w in seen) / (2 * weights[both].sum())
        expected = naive.conditional_mutual_information(raw, 0, 1) * math.log(2) - bias
        found = conditional_mutual_information(x, z, labels, weights, n_values[:2], n_classes)
        assert found == pytest.approx(expected, abs=1e-12)


# --- factors


def member(half, parents=((1,), ()), codes=CODES):
    concentrations = [[1.0, 2.0, 4.0][: len(each) + 2] for each in parents]
    return Member(codes, [2, 2], parents, concentrations, np.array(half, dtype=bool))


def test_factors_of_a_new_row():
    first, second = member([1, 1, 1, 0, 0, 0]), member([0, 0, 0, 1, 1, 1], parents=((), (0,)))
    factors = new_factors([first, second], [[0, 0], [0, 0]], LABELS, ONES, 2, (0, 2))
    assert factors.shape == (2, 2, 2, 2)
    # H of x at depth 2: all its parents in the first, none in the second
    logs = (np.log([4.4 / 7, 0.32]) + np.log([3 / 5, 2 / 5])) / 2
    assert factors[0, 0, 1] == pytest.approx(logs - logs.mean(), abs=1e-12)
    # M at depth 0 is the same in both
    logs = np.log([2.5 / 4, 1.5 / 4])
    assert factors[0, 1, 0] == pytest.approx(logs - logs.mean(), abs=1e-12)
    assert factors.sum(axis=-1) == pytest.approx(0, abs=1e-12)


def test_factors_of_training_rows_are_of_the_members_that_did_not_see_them():
    first, second = member([1, 1, 1, 0, 0, 0]), member([0, 0, 0, 1, 1, 1], parents=((), (0,)))
    factors = out_of_bag_factors([first, second], LABELS, ONES, 2, (1,))
    for t, seen_by in enumerate([second] * 3 + [first] * 3):
        kept = np.delete(np.arange(6), t)
        there = Member(CODES[:, kept], [2, 2], seen_by.parents, seen_by.concentrations, seen_by.half[kept])
        expected = new_factors([there], [CODES[:, t]], LABELS[kept], ONES[kept], 2, (1,))
        assert factors[t] == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError, match="row 0 was in the half of every member"):
        out_of_bag_factors([first], LABELS, ONES, 2, (1,))


def test_a_value_not_observed_has_no_factor():
    factors = new_factors([member([0] * 6)], [[2, 0]], LABELS, ONES, 2, (0, 1))
    assert factors[0].tolist() == np.zeros((2, 2, 2)).tolist()
    assert np.abs(factors[1]).max() > 0.01


# --- weights and posterior

FACTORS = np.random.default_rng(0).normal(size=(6, 4, 3))
CLASSES = np.array([0, 1, 2, 2, 1, 2])
COPIES = np.array([1, 2, 1, 0.5, 1, 1])


def test_objectives_by_hand():
    prior = np.log([0.5, 0.25, 0.25])
    zero = np.zeros((2, 1, 3))
    arguments = (zero, np.array([0, 1]), np.array([1.0, 3.0]), prior)
    loss = math.log(2) + 3 * math.log(4)
    assert shared_weights_objective(np.ones(1), 1.0, np.zeros(3), *arguments) == pytest.approx(loss)
    assert shared_weights_objective(np.array([3.0]), 2.0, np.zeros(3), *arguments) == pytest.approx(
        loss + 5.5
    )
    shared = np.array([2.0])
    w = np.array([[2.0, 2.5, 1.0]])
    assert class_weights_objective(w, np.zeros(3), shared, *arguments) == pytest.approx(loss + 20 * 1.25)
    # the same bias for all classes costs, and changes no probability
    assert class_weights_objective(w, np.ones(3), shared, *arguments) == pytest.approx(loss + 85)
    assert shared_weights_objective(np.ones(1), 1.0, np.ones(3), *arguments) == pytest.approx(loss + 15)


def test_gradients():
    prior = log_prior(CLASSES, COPIES, 3)
    rng = np.random.default_rng(1)
    w, s, b, per_class = rng.random(4), 0.8, rng.normal(size=3), rng.random((4, 3))
    data = (FACTORS, CLASSES, COPIES, prior)

    def residuals(weights):  # P(y) minus whether it is the class, times copies
        p = np.array([group_posterior(row, weights, b, prior) for row in FACTORS])
        return COPIES[:, None] * (p - np.eye(3)[CLASSES])

    r = residuals(w)
    found = numeric_gradient(lambda w: shared_weights_objective(w, s, b, *data), w)
    assert found == pytest.approx(np.einsum("ty,tfy->f", r, FACTORS) + 10 * (w - s), abs=1e-5)
    found = numeric_gradient(lambda b: shared_weights_objective(w, s, b, *data), b)
    assert found == pytest.approx(r.sum(axis=0) + 10 * b, abs=1e-5)
    found = numeric_gradient(lambda s: shared_weights_objective(w, float(s), b, *data), np.array(s))
    assert found == pytest.approx(-10 * (w - s).sum() + s - 1, abs=1e-5)

    r = residuals(per_class)
    found = numeric_gradient(lambda v: class_weights_objective(v, b, w, *data), per_class)
    assert found == pytest.approx(
        np.einsum("ty,tfy->fy", r, FACTORS) + 40 * (per_class - w[:, None]), abs=1e-5
    )
    found = numeric_gradient(lambda b: class_weights_objective(per_class, b, w, *data), b)
    assert found == pytest.approx(r.sum(axis=0) + 40 * b, abs=1e-5)


@some
@given(st.integers(0, 2**32 - 1))
def test_objectives_are_convex(seed):
    rng = np.random.default_rng(seed)
    data = (FACTORS, CLASSES, COPIES, log_prior(CLASSES, COPIES, 3))
    (w, s, b, v), (w2, s2, b2, v2) = (
        (3 * rng.random(4), rng.random(), rng.normal(size=3), 3 * rng.random((4, 3))) for _ in range(2)
    )
    between = shared_weights_objective((w + w2) / 2, (s + s2) / 2, (b + b2) / 2, *data)
    ends = shared_weights_objective(w, s, b, *data) + shared_weights_objective(w2, s2, b2, *data)
    assert between <= ends / 2 + 1e-9
    between = class_weights_objective((v + v2) / 2, (b + b2) / 2, w, *data)
    ends = class_weights_objective(v, b, w, *data) + class_weights_objective(v2, b2, w, *data)
    assert between <= ends / 2 + 1e-9


def test_posterior():
    factors = np.array([[1.0, -1.0], [0.5, -0.5]])
    by_hand = 3 * math.exp(4) / (3 * math.exp(4) + math.exp(-4) * math.exp(0.5))
    p = group_posterior(factors, np.array([3.0, 2.0]), np.array([0.0, 0.5]), np.log([0.75, 0.25]))
    assert p == pytest.approx([by_hand, 1 - by_hand])
    per_class = group_posterior(factors, np.array([[3.0, 1.0], [2.0, 0.0]]), np.zeros(2), np.log([0.5, 0.5]))
    assert per_class[0] == pytest.approx(1 / (1 + math.exp(-1 - 4)))
    assert posterior([p, per_class]) == pytest.approx((p + per_class) / 2)


def test_contributions_add_up_to_the_log_odds():
    members = [member([1, 1, 1, 0, 0, 0]), member([0, 0, 0, 1, 1, 1], parents=((), (0,)))]
    factors = new_factors(members, [[0, 1], [0, 1]], LABELS, ONES, 2, (0, 1))
    rng = np.random.default_rng(0)
    b, prior = np.array([0.1, -0.2]), log_prior(LABELS, ONES, 2)
    for w in (rng.random(8), rng.random((8, 2))):
        p = group_posterior(factors.reshape(-1, 2), w, b, prior)
        terms = contributions(factors, w)
        assert terms.shape == (2, 2)
        score = prior + b + terms.sum(axis=0)
        assert score[0] - score[1] == pytest.approx(math.log(p[0] / p[1]))
