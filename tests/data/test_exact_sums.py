"""Sums without rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seminaive.data.exact_sums import exact_sum

numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(numbers, numbers, st.integers(0, 10**6)), max_size=30))
def test_equals_fractions(rows):
    values, weights, counts = (np.array([row[i] for row in rows]) for i in range(3))
    assert exact_sum(values) == sum(map(Fraction, values.tolist()), Fraction(0))
    terms = [Fraction(v) * Fraction(w) * n for v, w, n in rows]
    assert exact_sum(values, weights, counts) == sum(terms, Fraction(0))
    assert exact_sum(values, None, counts) == sum((Fraction(v) * n for v, _, n in rows), Fraction(0))
