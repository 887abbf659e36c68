"""Equal-width bins: hand-worked cases."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from seminaive import EqualWidthDiscretizer

INF, LARGEST = float("inf"), sys.float_info.max


def cuts_of(values, n_bins=5, weights=None, **parameters):
    values = np.asarray(values, dtype=float)
    return EqualWidthDiscretizer(n_bins, **parameters).cut_points(values, None, weights).tolist()


@pytest.mark.parametrize(
    ("values", "n_bins", "cuts"),
    [
        ([0, 3, 10], 5, [2, 4, 6, 8]),
        ([-1, 0, 1], 2, [0]),
        ([0.5, 2, 4.5], 4, [1.5, 2.5, 3.5]),
        ([7, 7, 7], 5, []),
        ([-INF, 0, 3, 10, INF], 5, [2, 4, 6, 8]),
        ([-INF, 4, INF], 5, []),
        ([-LARGEST / 2, 0, LARGEST / 2], 2, [0]),
        ([-1e308, 0, 1e308], 4, [-5e307, 0, 5e307]),
        ([0, 5e-324, 1e-323], 2, [5e-324]),
        ([1, np.nextafter(1, 2), np.nextafter(np.nextafter(1, 2), 2)], 50, [1, np.nextafter(1, 2)]),
    ],
)
def test_by_hand(values, n_bins, cuts):
    assert cuts_of(values, n_bins) == cuts


def test_d44_two_values():
    assert cuts_of([0, 0, 10]) == [5]
    assert cuts_of([0, 0, 10], keep_two_valued=False) == [2, 4, 6, 8]
    assert cuts_of([1, np.nextafter(1, 2)], keep_two_valued=False) == [1]


def test_d36_rows_of_weight_zero_do_not_stretch_the_range():
    assert cuts_of([0, 3, 10, 1e9], weights=np.array([1, 1, 2, 0])) == [2, 4, 6, 8]
