"""Single instructions against their meaning."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminaive.kernels import vector


@numba.njit
def ones(words):
    counts = np.empty(words.shape[0], np.int64)
    for i in range(words.shape[0]):
        counts[i] = vector.popcount(words[i])
    return counts


@numba.njit
def positions(block, value):
    return vector.equal_bits(block, np.uint8(value))


@numba.njit
def add_pair(target, i, source, j):
    vector.add_two(target, i, source, j)


@numba.njit
def add_quadruple(target, i, source, j):
    vector.add_four(target, i, source, j)


@settings(max_examples=50, deadline=None)
@given(words=st.lists(st.integers(0, 2**64 - 1), min_size=1))
def test_popcount(words):
    assert ones(np.array(words, dtype=np.uint64)).tolist() == [word.bit_count() for word in words]


def test_popcount_of_the_outermost_words():
    assert ones(np.array([0, 2**64 - 1, 2**63, 1], dtype=np.uint64)).tolist() == [0, 64, 1, 1]


@settings(max_examples=50, deadline=None)
@given(block=st.binary(min_size=64, max_size=64), value=st.integers(0, 255), data=st.data())
def test_equal_bits(block, value, data):
    codes = np.frombuffer(block, np.uint8).copy()
    codes[data.draw(st.lists(st.integers(0, 63)))] = value
    expected = sum(1 << bit for bit in range(64) if codes[bit] == value)
    assert int(positions(codes, value)) == expected


@pytest.mark.parametrize(("add", "width"), [(add_pair, 2), (add_quadruple, 4)])
@pytest.mark.parametrize(("i", "j"), [(0, 0), (1, 3), (5, 2)])
def test_additions_touch_their_cells_only(add, width, i, j):
    # from any position, aligned or not
    target, source = np.arange(9.0), np.arange(9.0) ** 2
    source[0] = -np.inf
    expected = target.copy()
    expected[i : i + width] += source[j : j + width]
    before = source.copy()
    add(target, i, source, j)
    np.testing.assert_array_equal(target, expected)
    np.testing.assert_array_equal(source, before)


@numba.njit
def products(like, target, source, number, bound):
    lanes = vector.load(like, source, 1)
    vector.store(lanes, target, 3)
    found = vector.is_below(lanes, bound)
    vector.add_to(vector.times_number(vector.times(lanes, source, 2), number), target, 3)
    return found


@pytest.mark.parametrize("width", [2, 4, 8])
def test_lanes(width):
    target, source = np.arange(20.0), np.arange(20.0) ** 2 + 0.5
    expected, before = target.copy(), source.copy()
    cell = source[1 : 1 + width]
    expected[3 : 3 + width] = cell + cell * source[2 : 2 + width] * 3
    products((0.0,) * width, target, source, 3.0, 0.0)
    np.testing.assert_array_equal(target, expected)
    np.testing.assert_array_equal(source, before)


@pytest.mark.parametrize("width", [2, 4, 8])
def test_a_lane_is_below_if_it_is_positive(width):
    for place in range(width):
        for value, expected in [(0.9, True), (5e-324, True), (1.0, False), (0.0, False), (-0.5, False)]:
            source = np.full(20, 2.0)
            source[1 + place] = value
            assert products((0.0,) * width, np.zeros(20), source, 1.0, 1.0) == expected
        source = np.full(20, np.nan)
        assert not products((0.0,) * width, np.zeros(20), source, 1.0, 1.0)
