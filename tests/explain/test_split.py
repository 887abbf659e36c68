"""The odds of an average taken apart: exact, convex, independent of order, with impossible members."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminaive.explain.members import Members, split
from seminaive.testing.naive_explain import split as slow_split


def members_of(factors, weights, prior=(0.5, 0.5)):
    """One row: factors (members, attributes, 2) and weights as probabilities."""
    with np.errstate(divide="ignore"):
        return Members(np.log([prior]), np.log([weights]), np.log([factors]).astype(float))


def log_odds(factors, weights):
    products = np.array(weights) @ np.prod(np.array(factors, dtype=float), axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(products[0]) - np.log(products[1])


@st.composite
def averages(draw, zeros=True):
    n_members, n_attributes = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    probability = st.floats(0.01, 1)
    cell = st.one_of(st.just(0.0), probability, probability) if zeros else probability
    factors = draw(
        st.lists(cell, min_size=n_members * n_attributes * 2, max_size=n_members * n_attributes * 2)
    )
    weights = draw(st.lists(st.sampled_from([0.0, 0.2, 1.0, 3.0]), min_size=n_members, max_size=n_members))
    return np.array(factors).reshape(n_members, n_attributes, 2), np.array(weights)


@settings(max_examples=300, deadline=None)
@given(averages())
def test_contributions_add_up_and_equal_the_twin(average):
    factors, weights = average
    found = split(members_of(factors, weights))
    total, expected = found.contributions.sum(), log_odds(factors, weights)
    assert not np.isnan(found.contributions).any()
    if np.isnan(expected):  # both classes are impossible
        assert not found.contributions.any()
        assert found.prior == 0
        return
    assert total == pytest.approx(expected, abs=1e-10)
    slow = slow_split(weights, factors.tolist(), 0, 1)
    if slow is not None:
        np.testing.assert_allclose(found.contributions[0], slow, atol=1e-9)


@settings(max_examples=100, deadline=None)
@given(averages(zeros=False))
def test_shares_are_a_convex_combination(average):
    factors, weights = average
    found = split(members_of(factors, weights))
    if weights.any():
        assert (found.shares >= 0).all()
        assert found.shares.sum() == pytest.approx(1)
        assert (found.shares[0][weights == 0] == 0).all()
        own = np.log(factors).sum(axis=1) @ [1, -1]
        assert found.shares[0] @ own == pytest.approx(log_odds(factors, weights), abs=1e-10)


@settings(max_examples=100, deadline=None)
@given(averages(), st.randoms(use_true_random=False))
def test_order_of_members_and_attributes_does_not_matter(average, random):
    factors, weights = average
    members, attributes = list(range(factors.shape[0])), list(range(factors.shape[1]))
    random.shuffle(members)
    random.shuffle(attributes)
    plain = split(members_of(factors, weights)).contributions[0]
    other = split(members_of(factors[members][:, attributes], weights[members])).contributions[0]
    np.testing.assert_allclose(other, plain[attributes], atol=1e-10)


def test_an_impossible_member_is_the_limit_of_improbable_ones():
    factors = np.array([[[0.5, 0.2], [0.0, 0.4]], [[0.3, 0.3], [0.6, 0.1]], [[0.2, 0.0], [0.3, 0.0]]])
    weights = np.array([0.5, 0.3, 0.2])
    exact = members_of(factors, weights)
    tiny = members_of(factors, weights)
    tiny.log_factors[np.isneginf(tiny.log_factors)] = -1e9
    np.testing.assert_allclose(split(exact).contributions, split(tiny).contributions, atol=1e-6)


def test_swapping_the_classes_changes_the_sign():
    factors = np.random.default_rng(0).dirichlet([1, 1, 1], size=(3, 4))[..., :2]
    forward = split(members_of(factors, [0.2, 0.3, 0.5]))
    backward = split(members_of(factors[..., ::-1], [0.2, 0.3, 0.5]))
    np.testing.assert_allclose(forward.contributions, -backward.contributions, atol=1e-14)
    np.testing.assert_allclose(forward.shares, backward.shares, atol=1e-14)


def test_one_member_is_a_plain_sum():
    factors = np.array([[[0.5, 0.1], [0.2, 0.4], [1.0, 1.0]]])
    found = split(members_of(factors, [1.0], prior=(0.9, 0.1)))
    np.testing.assert_allclose(found.contributions[0], [np.log(5), np.log(0.5), 0])
    assert found.prior == pytest.approx(np.log(9))


@pytest.mark.parametrize(("second", "infinite"), [(0.0, np.inf), (0.1, None)])
def test_what_makes_a_class_impossible_is_infinite(second, infinite):
    factors = np.array([[[0.5, 0.1], [0.2, second]], [[0.3, 0.3], [0.6, second]]])
    found = split(members_of(factors, [0.5, 0.5]))
    assert np.isfinite(found.contributions[0, 0])
    assert (found.contributions[0, 1] == np.inf) == (infinite == np.inf)


def test_members_that_exclude_each_other():
    """Each class is possible in another member: the terms still add up."""
    factors = np.array([[[0.5, 0.0], [0.2, 0.3]], [[0.0, 0.3], [0.6, 0.4]]])
    found = split(members_of(factors, [0.5, 0.5]))
    assert found.contributions.sum() == pytest.approx(log_odds(factors, [0.5, 0.5]), abs=1e-12)


def test_a_prior_that_excludes_one_class_and_factors_that_exclude_the_other():
    found = split(members_of(np.array([[[0.0, 0.2]]]), [1.0], prior=(1.0, 0.0)))
    assert found.prior == 0
    assert found.contributions.tolist() == [[0.0]]
    found = split(members_of(np.array([[[0.3, 0.2]]]), [1.0], prior=(1.0, 0.0)))
    assert found.prior == np.inf
    assert found.contributions[0, 0] == pytest.approx(np.log(1.5))


@settings(max_examples=200, deadline=None)
@given(averages())
def test_what_the_members_know_of_the_class_is_a_part_of_the_prior(average):
    """It splits like the factors of one more attribute, here the last one."""
    factors, weights = average
    members = members_of(factors[:, :-1], weights, prior=(0.7, 0.3))
    with np.errstate(divide="ignore"):
        members.log_member_priors = np.log([factors[:, -1]])
    found, expected = split(members), log_odds(factors, weights) + np.log(7 / 3)
    assert found.contributions.shape == (1, factors.shape[1] - 1)
    assert not np.isnan([*found.prior, *found.contributions[0]]).any()
    if np.isnan(expected):
        assert found.prior == 0
        assert not found.contributions.any()
        return
    assert found.prior[0] + found.contributions.sum() == pytest.approx(expected, abs=1e-10)
    slow = slow_split(weights, factors.tolist(), 0, 1)
    if slow is not None:
        np.testing.assert_allclose(found.contributions[0], slow[:-1], atol=1e-9)
        assert found.prior[0] == pytest.approx(slow[-1] + np.log(7 / 3), abs=1e-9)


def test_priors_of_members_for_two_of_three_classes():
    rng = np.random.default_rng(4)
    factors, own = rng.uniform(-3, 0, (5, 2, 4, 3)), rng.uniform(-3, 0, (5, 2, 3))
    members = Members(rng.uniform(-3, 0, (5, 3)), np.log(rng.random((5, 2))), factors, None, own)
    sums = np.exp(members.log_joint + members.log_weights[..., None]).sum(axis=1)
    found = split(members.between(2, 0))
    total = found.prior + found.contributions.sum(axis=1)
    np.testing.assert_allclose(total, np.log(sums[:, 2] / sums[:, 0]), atol=1e-12)
    # the same for all members: nothing but a part of the common prior
    same = Members(members.log_prior, members.log_weights, factors, None, np.repeat(own[:, :1], 2, axis=1))
    common = Members(members.log_prior + own[:, 0], members.log_weights, factors)
    ours, theirs = split(same.between(0, 1)), split(common.between(0, 1))
    np.testing.assert_allclose(ours.prior, theirs.prior, atol=1e-12)
    np.testing.assert_allclose(ours.contributions, theirs.contributions, atol=1e-12)
    np.testing.assert_allclose(ours.shares, theirs.shares, atol=1e-12)


@pytest.mark.parametrize("prior", [(0.5, 0.5), (1.0, 0.0), (0.0, 1.0)])
def test_priors_of_members_that_exclude_a_class(prior):
    """Against a common prior that excludes the other class nothing is possible."""
    members = members_of(np.full((2, 1, 2), [0.2, 0.4]), [0.5, 0.5], prior=prior)
    members.log_member_priors = np.array([[[-np.inf, 0.0], [-np.inf, -1.0]]])
    found = split(members)
    assert found.prior == (0 if prior[1] == 0 else -np.inf)
    assert np.isfinite(found.contributions).all()


def test_products_that_would_underflow():
    rng = np.random.default_rng(3)
    factors = rng.uniform(-30, -1, size=(1, 3, 500, 2))
    members = Members(np.zeros((1, 2)), np.log([[0.2, 0.5, 0.3]]), factors)
    from scipy.special import logsumexp

    first, second = logsumexp(members.log_weights[0][:, None] + factors[0].sum(axis=1), axis=0)
    assert split(members).contributions.sum() == pytest.approx(first - second, rel=1e-12)
