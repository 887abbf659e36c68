"""Entropy and mutual information, from dense and sparse tables."""

from __future__ import annotations

from itertools import product
from unittest.mock import patch

import numpy as np
import pytest
from coded_tables import LAYOUTS, coded, coded_tables, count_as, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive.kernels import information as kernels
from seminaive.learn.information import (
    conditional_mutual_information,
    entropy,
    mutual_information,
    rankable,
)
from seminaive.testing import naive


@examples(30)
@given(counts=st.lists(st.sampled_from([0, 0.5, 1, 3, 10**12]), max_size=6))
def test_entropy(counts):
    expected = naive.entropy(counts) if any(counts) else 0
    assert entropy(np.array(counts)) == pytest.approx(expected, abs=1e-12)


def test_entropy_by_hand():
    assert entropy(np.array([1, 1, 2])) == 1.5
    assert entropy(np.array([[2, 2], [2, 2]])) == 2  # any shape
    assert entropy(np.array([5, 0])) == 0


@examples(40)
@given(case=coded_tables())
def test_mutual_information_equals_the_twin(case):
    expected = [naive.mutual_information(case.table, i) for i in case.table.attributes]
    np.testing.assert_allclose(mutual_information(case.count()), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(40)
@given(case=coded_tables())
def test_conditional_mutual_information_equals_the_twin(layout, case):
    actual = conditional_mutual_information(count_as(case, layout))
    expected = np.zeros_like(actual)
    for i, j in product(case.table.attributes, repeat=2):
        if i != j:
            expected[i, j] = naive.conditional_mutual_information(case.table, i, j)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-13)
    np.testing.assert_array_equal(actual, actual.T)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_conditional_mutual_information_by_hand(layout):
    # class 0: x1 copies x0 (1 bit), x2 is independent of both; class 1: x0 is constant
    rows = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [0, 0, 0], [0, 1, 1], [0, 0, 1], [0, 1, 0]]
    actual = conditional_mutual_information(count_as(coded(rows, [0] * 4 + [1] * 4, [2, 2, 2], 2), layout))
    assert actual.tolist() == [[0, 0.5, 0], [0.5, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("weight", [1e-160, 1e-3, 1e160, 1e300])
def test_information_does_not_depend_on_the_scale_of_weights(layout, weight):
    """Products of such weights leave the range of numbers."""
    rows = [[0, 0, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 1, 1], [1, 0, 1], [0, 1, 2]]
    n_values, classes = [2, 2, 3], [0] * 4 + [1] * 4
    expected = conditional_mutual_information(coded(rows, classes, n_values, 2).count())
    case = coded(rows, classes, n_values, 2, [weight] * 8)
    actual = conditional_mutual_information(count_as(case, layout))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_of_hardly_any_weight_tell_nothing(layout):
    rows, classes = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]], [0] * 5
    case = coded(rows, classes, [3, 3], 1, [1.0] * 4 + [1e-300])
    assert abs(conditional_mutual_information(count_as(case, layout))).max() < 1e-200


@examples(10)
@given(case=coded_tables())
def test_information_does_not_depend_on_how_many_pairs_are_treated_at_a_time(case):
    expected = conditional_mutual_information(case.count())
    with patch.object(kernels, "_CHUNK", 1):
        np.testing.assert_array_equal(conditional_mutual_information(case.count()), expected)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_attributes_of_many_values(layout):
    # each value once in each class: knowing one is knowing the other
    values = list(range(300))
    case = coded([[v, 299 - v] for v in values] * 2, [0] * 300 + [1] * 300, [300, 300], 2)
    actual = conditional_mutual_information(count_as(case, layout))
    assert actual[0, 1] == pytest.approx(np.log2(300), abs=1e-12)
    assert mutual_information(count_as(case, layout)).tolist() == [0, 0]


def test_ranks_do_not_depend_on_the_last_digits():
    third = 1 / 3
    scores = rankable(np.array([third, np.nextafter(third, 1), 1e-13, -1e-13, 0.0]))
    assert scores.dtype == np.float32
    assert scores[0] == scores[1]
    assert scores[2:].tolist() == [0, 0, 0]
    assert rankable(np.array([1e-11]))[0] > 0
