"""Equal-frequency bins: hand-worked cases and the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminaive import EqualFrequencyDiscretizer


def cuts_of(values, n_bins, weights=None):
    values = np.asarray(values, dtype=float)
    return EqualFrequencyDiscretizer(n_bins).cut_points(values, None, weights).tolist()


@pytest.mark.parametrize(
    ("values", "n_bins", "cuts"),
    [
        (range(10), 5, [1.5, 3.5, 5.5, 7.5]),
        (range(10), 2, [4.5]),
        ([1, 2, 3], 5, [1.5, 2.5]),
        ([1, 2, 3, 4], 3, [1.5, 3.5]),  # targets 4/3 and 8/3
        ([1, 2, 3], 2, [1.5]),  # 1 and 2 rows are equally near 3/2: the lower
        ([5] * 99 + [6, 7], 5, [5.5]),  # equal values are never separated
        ([6, 7] + [8] * 99, 5, [7.5]),
        ([5] * 30, 5, []),
        ([1, 1, 1, 9], 4, [5.0]),
    ],
)
def test_by_hand(values, n_bins, cuts):
    assert cuts_of(values, n_bins) == cuts


def test_weights_by_hand():
    # weight on the left 1, 2, 8 of 10; wanted 10/3 and 20/3
    assert cuts_of([1, 2, 3, 4], 3, np.array([1.0, 1.0, 6.0, 2.0])) == [2.5, 3.5]


def test_the_class_is_not_looked_at():
    X = np.arange(20.0).reshape(-1, 1)
    with_y = EqualFrequencyDiscretizer().fit(X, ["a", None] * 10).cut_points_
    np.testing.assert_array_equal(with_y, EqualFrequencyDiscretizer().fit(X).cut_points_)


@given(
    rows=st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), min_size=1, max_size=40),
    n_bins=st.integers(2, 7),
)
@settings(deadline=None)
def test_definition(rows, n_bins):
    values, weights = (np.array(part) for part in zip(*rows, strict=True))
    distinct = np.unique(values)
    left = [int(weights[values <= value].sum()) for value in distinct[:-1]]
    wanted = set()
    for j in range(1, n_bins):
        away = [abs(n_bins * weight - j * int(weights.sum())) for weight in left]
        if away:
            i = away.index(min(away))
            wanted.add((distinct[i] + distinct[i + 1]) / 2)
    assert cuts_of(values, n_bins, weights) == sorted(wanted)
