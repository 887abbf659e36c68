"""The discretisers equal their slow twins on small random columns."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from seminaive import EqualFrequencyDiscretizer, EqualWidthDiscretizer, MDLPDiscretizer
from seminaive.testing import naive

PROFILE = settings(max_examples=150, deadline=None)

# few distinct values, so that they repeat; some without a float between them, some infinite
NUMBERS = st.one_of(
    st.integers(-6, 6).map(float),
    st.sampled_from([0.1, 0.2, 0.30000000000000004, 0.3, 1e-300, -1e300, math.inf, -math.inf, math.nan]),
)
INTEGER_WEIGHTS = st.sampled_from([0, 1, 1, 2, 5])
# sums of these are exact; together they stay at two rows or more
FRACTIONAL_WEIGHTS = st.sampled_from([0, 0.25, 0.5, 1.5, 3])


@st.composite
def columns(draw, max_rows=60):
    """Values, classes and weights (or None) of one column; the values may or may not follow the classes."""
    n_classes = draw(st.integers(1, 4))
    label = st.integers(0, n_classes - 1)
    aligned = label.flatmap(lambda y: st.tuples(st.integers(4 * y, 4 * y + 5).map(float), st.just(y)))
    row = draw(st.sampled_from([st.tuples(NUMBERS, label), aligned]))
    rows = draw(st.lists(row, min_size=1, max_size=max_rows))
    weight = draw(st.sampled_from([None, INTEGER_WEIGHTS, FRACTIONAL_WEIGHTS]))
    weights = None if weight is None else draw(st.lists(weight, min_size=len(rows), max_size=len(rows)))
    assume(weights is None or sum(weights) >= 2)
    return [value for value, _ in rows], [y for _, y in rows], weights


def fitted_cuts(discretizer, values, classes, weights):
    """Cut points of the only column of a table."""
    table = np.array(values).reshape(-1, 1)
    return discretizer.fit(table, classes, sample_weight=weights).cut_points_[0].tolist()


@PROFILE
@given(column=columns(), keep_two_valued=st.booleans())
def test_mdlp(column, keep_two_valued):
    values, classes, weights = column
    cuts = fitted_cuts(MDLPDiscretizer(keep_two_valued=keep_two_valued), values, classes, weights)
    assert cuts == naive.mdlp_cut_points(values, classes, weights, keep_two_valued)


@PROFILE
@given(column=columns(), n_bins=st.integers(2, 8))
def test_equal_frequency(column, n_bins):
    values, classes, weights = column
    cuts = fitted_cuts(EqualFrequencyDiscretizer(n_bins), values, classes, weights)
    assert cuts == naive.equal_frequency_cut_points(values, n_bins, weights)


@PROFILE
@given(column=columns(), n_bins=st.integers(2, 8), keep_two_valued=st.booleans())
def test_equal_width(column, n_bins, keep_two_valued):
    values, classes, weights = column
    discretizer = EqualWidthDiscretizer(n_bins, keep_two_valued=keep_two_valued)
    cuts = fitted_cuts(discretizer, values, classes, weights)
    assert cuts == naive.equal_width_cut_points(values, n_bins, weights, keep_two_valued)


@pytest.mark.parametrize(
    "discretizer",
    [MDLPDiscretizer(), EqualFrequencyDiscretizer(3), EqualWidthDiscretizer(3)],
    ids=["mdlp", "equal-frequency", "equal-width"],
)
@PROFILE
@given(column=columns(max_rows=30), data=st.data())
def test_order_of_rows_and_copies_for_weights(discretizer, column, data):
    values, classes, _ = column
    copies = data.draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values)))
    assume(any(copies))
    rows = [row for row, n in zip(zip(values, classes, strict=True), copies, strict=True) for _ in range(n)]
    shuffled = data.draw(st.permutations(rows))
    assert fitted_cuts(discretizer, values, classes, copies) == fitted_cuts(
        discretizer, [value for value, _ in shuffled], [y for _, y in shuffled], None
    )


@PROFILE
@given(column=columns(), data=st.data())
def test_a_value_equal_to_a_cut_falls_left(column, data):
    values, classes, weights = column
    discretizer = EqualFrequencyDiscretizer(4)
    cuts = fitted_cuts(discretizer, values, classes, weights)
    numbers = data.draw(st.lists(st.one_of(NUMBERS, st.sampled_from([*cuts, 0.0])), min_size=1, max_size=5))
    bins = discretizer.transform(np.array(numbers).reshape(-1, 1))[:, 0]
    for number, place in zip(numbers, bins, strict=True):
        if math.isnan(number):
            assert math.isnan(place)
        else:
            assert place == sum(number > cut for cut in cuts)
