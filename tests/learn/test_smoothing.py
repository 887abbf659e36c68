"""Counts become probabilities."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from coded_tables import examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive.learn.smoothing import Smoothing, laplace, m_estimate, safe_log, shrunk
from seminaive.testing import naive

METHODS = ["m-estimate", "laplace"]
STRENGTHS = st.sampled_from([0, 0.0, 1e-9, 0.5, 1, 1.0, 30])


def test_by_hand():
    # 3 of 4 rows, two values; strength 1 is half a row or one row a value
    assert m_estimate(3, 4, 2) == 3.5 / 5
    assert laplace(3, 4, 2) == 4 / 6
    assert m_estimate(3, 4, 2, strength=4) == 5 / 8
    assert laplace(3, 4, 2, strength=0.5) == 3.5 / 5


@examples(50)
@given(
    counts=st.lists(st.sampled_from([0, 0.25, 1, 2, 7, 10**15]), min_size=1, max_size=6),
    method=st.sampled_from(METHODS),
    strength=STRENGTHS,
)
def test_equals_the_twin_and_sums_to_one(counts, method, strength):
    total = math.fsum(counts)
    actual = Smoothing(method, strength)(counts, total, len(counts))
    expected = [naive.smoothed(count, total, len(counts), method, strength) for count in counts]
    np.testing.assert_allclose(actual, expected, rtol=1e-15)
    assert actual.sum() == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("strength", [0, 1])
def test_nothing_seen_is_uniform(method, strength):
    np.testing.assert_array_equal(Smoothing(method, strength)(np.zeros(4), 0, 4), np.full(4, 1 / 4))


@pytest.mark.parametrize("method", METHODS)
def test_no_smoothing_is_plain_frequencies(method):
    assert Smoothing(method, 0)([0, 3], 3, 2).tolist() == [0, 1]


def test_towards_another_estimate():
    # 3 of 4 rows, and 2 imaginary ones of which a quarter has the value
    assert shrunk(3, 4, 0.25, 2.0) == 3.5 / 6
    base = np.array([0.1, 0.2, 0.7])
    np.testing.assert_allclose(shrunk(np.zeros(3), 0, base, 1 / 3), base, rtol=1e-15)
    np.testing.assert_allclose(shrunk([1, 0, 4], 5, np.full(3, 1 / 3), 2.0), m_estimate([1, 0, 4], 5, 3, 2.0))


def test_the_hierarchical_rule_is_for_families_only():
    rule = Smoothing("hierarchical", 5.0)
    assert rule.is_hierarchical
    assert rule.of_classes == Smoothing("m-estimate", 1.0)
    with pytest.raises(ValueError, match="one by one; a single table"):
        rule([1, 2], 3, 2)
    for method in METHODS:
        other = Smoothing(method, 5.0)
        assert not other.is_hierarchical
        assert other.of_classes is other


def test_totals_and_numbers_of_values_spread_over_counts():
    counts = np.array([[[1, 0], [3, 0]]])  # parents, values, classes
    actual = Smoothing("laplace")(counts, counts.sum(axis=1, keepdims=True), 2)
    assert actual.tolist() == [[[2 / 6, 1 / 2], [4 / 6, 1 / 2]]]
    actual = m_estimate(np.ones((2, 1)), np.ones((2, 1)), np.array([[1], [4]]))
    assert actual.tolist() == [[1], [1.25 / 2]]


def test_an_attribute_without_values_does_no_harm():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for method in METHODS:
            assert np.isfinite(Smoothing(method, 0)(np.zeros((1, 2)), np.zeros((1, 2)), 0)).all()


@pytest.mark.parametrize("method", ["M-estimate", "", None, 1, ["laplace"]], ids=repr)
def test_other_methods_are_refused(method):
    with pytest.raises(ValueError, match=r"smoothing=.*'m-estimate' or 'laplace'"):
        Smoothing(method)


@pytest.mark.parametrize("strength", [-1e-9, math.inf, math.nan, "1", None, True, [1.0]], ids=repr)
def test_other_strengths_are_refused(strength):
    with pytest.raises(ValueError, match="smoothing_strength must be"):
        Smoothing("laplace", strength)


@pytest.mark.parametrize("strength", [0, 2, np.float32(0.5), np.int64(3)], ids=repr)
def test_numbers_of_any_type_are_strengths(strength):
    assert Smoothing("m-estimate", strength)(0, 0, 2) == 0.5


def test_log_of_zero_is_minus_infinity_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert safe_log(np.array([0.0, 1.0])).tolist() == [-math.inf, 0]
