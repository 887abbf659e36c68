"""Local mutual information against its definition, in both layouts of pairs."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from coded_tables import LAYOUTS, Coded, coded, coded_tables, count_as, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive.learn.information import conditional_mutual_information, mutual_information
from seminaive.learn.local_information import LocalInformation, local_mutual_information
from seminaive.testing import naive_cases

SINGLE = {"rtol": 1e-6, "atol": 1e-11}  # what is kept in single precision, without noise


def rows_of(case: Coded) -> np.ndarray:
    """Every combination of slots, "not observed" included, (attributes, combinations)."""
    slots = [range(v + 1) for v in case.table.n_values]
    return np.array(list(product(*slots)), dtype=case.codes.dtype).T.copy()


# --- with the class


@examples(40)
@given(case=coded_tables())
def test_relevance_equals_the_twin(case):
    tables = case.count()
    actual = local_mutual_information(tables)
    for i, v in enumerate(case.table.n_values):
        of_i = actual[tables.first_slot[i] : tables.first_slot[i + 1]]
        observed = tables.attribute(i)[:-1].any()
        expected = [
            naive_cases.local_mutual_information(case.table, i, u) if observed else 0.0 for u in range(v)
        ]
        np.testing.assert_allclose(of_i, [*expected, 0], rtol=0, atol=1e-13)


@examples(30)
@given(case=coded_tables())
def test_relevance_of_the_values_adds_up_to_that_of_the_attribute(case):
    tables = case.count()
    actual = np.add.reduceat(local_mutual_information(tables), tables.first_slot[:-1])
    np.testing.assert_allclose(actual, mutual_information(tables), rtol=0, atol=1e-12)


def test_relevance_by_hand():
    # the rare value says most where it occurs, but it hardly ever does
    case = coded([[0], [0], [1], [2]], [0, 0, 1, 1], [4], 2)
    assert local_mutual_information(case.count()).tolist() == [0.5, 0.25, 0.25, 0, 0]


def test_the_order_of_the_classes_decides_no_tie():
    """Values that tell the same in other classes; their sums differ in the last digits only."""
    counts = [3, 1, 4, 1, 5, 9, 2]
    of_values = [np.repeat(np.roll(np.arange(7), u), counts) for u in range(7)]
    codes = [[u] for u, classes in enumerate(of_values) for _ in classes]
    case = coded(codes, np.concatenate(of_values).tolist(), [7], 7)
    relevance = LocalInformation.learn(case.count()).relevance[:-1]
    assert (relevance == relevance[0]).all()
    assert len(set(local_mutual_information(case.count())[:-1])) > 1


# --- with each other


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(40)
@given(case=coded_tables(max_values=3))
def test_rows_equal_the_twin(layout, case):
    learned = LocalInformation.learn(count_as(case, layout))
    codes, n_values = rows_of(case), case.table.n_values
    relevance, dependence = learned.relevance_of(codes), learned.dependence_of(codes)
    n = len(n_values)
    assert relevance.dtype == dependence.dtype == np.float32
    assert relevance.shape == (codes.shape[1], n)
    assert dependence.shape == (codes.shape[1], n, n)
    cells = {}
    for i, j in combinations(range(n), 2):
        together = case.slow_counts([i, j])[:-1, :-1].any()
        for u, w in product(range(n_values[i] + 1), range(n_values[j] + 1)):
            observed = u < n_values[i] and w < n_values[j] and together
            cells[i, u, j, w] = (
                naive_cases.local_conditional_mutual_information(case.table, i, u, j, w) if observed else 0
            )
    single = local_mutual_information(case.count())
    first_slot = learned.first_slot
    for row, found, ranks in zip(codes.T.tolist(), dependence, relevance, strict=True):
        expected = np.zeros((n, n))
        for i, j in combinations(range(n), 2):
            expected[i, j] = expected[j, i] = cells[i, row[i], j, row[j]]
        np.testing.assert_allclose(found, expected, **SINGLE)
        known = np.array(row) < n_values
        assert np.isneginf(ranks[~known]).all()
        np.testing.assert_allclose(ranks[known], single[first_slot[:-1] + row][known], **SINGLE)


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(20)
@given(case=coded_tables(min_attributes=2, max_attributes=2))
def test_value_pairs_add_up_to_the_pair(layout, case):
    tables = count_as(case, layout)
    found = LocalInformation.learn(tables).dependence_of(rows_of(case))[:, 0, 1]
    np.testing.assert_allclose(
        found.sum(dtype=np.float64), conditional_mutual_information(tables)[0, 1], rtol=0, atol=1e-6
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_dependence_by_hand(layout):
    # in class 0 x2 is x0, in class 1 it is the opposite; x1 is independent of both
    rows = [[a, b, a] for a in (0, 1) for b in (0, 1)] + [[a, b, 1 - a] for a in (0, 1) for b in (0, 1)]
    case = coded(rows, [0] * 4 + [1] * 4, [2, 2, 2], 2)
    found = LocalInformation.learn(count_as(case, layout)).dependence_of(case.codes)
    # each pair of values has a share of a quarter in the rows, and where it occurs it tells one bit
    assert (found == [[0, 0, 0.25], [0, 0, 0], [0.25, 0, 0]]).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_values_that_shun_each_other_tell_less_than_nothing(layout):
    case = coded([[0, 0], [0, 1], [0, 1], [1, 0], [1, 0], [1, 1]], [0] * 6, [2, 2], 1)
    learned = LocalInformation.learn(count_as(case, layout))
    found = learned.dependence_of(np.array([[0], [0]], dtype=np.uint8))[0, 0, 1]
    assert found == np.float32(np.log2(2 / 3) / 6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_only_rows_with_both_count(layout):
    rows = [[0, 0], [1, 1], [0, 0], [1, 1]]
    holes = [[0, None], [None, 1], [1, None], [None, None]]
    without = coded(rows, [0, 0, 1, 1], [2, 2], 2)
    with_holes = coded([*rows, *holes], [0, 0, 1, 1, 1, 0, 0, 1], [2, 2], 2)
    expected = LocalInformation.learn(count_as(without, layout)).dependence_of(without.codes)
    actual = LocalInformation.learn(count_as(with_holes, layout)).dependence_of(without.codes)
    np.testing.assert_array_equal(actual, expected)
    assert expected[0, 0, 1] == 0.5


# --- weights and width


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("weight", [1e-160, 1e-3, 1e160, 1e300])
def test_the_scale_of_weights_does_not_matter(layout, weight):
    """Products of such weights leave the range of numbers."""
    rows = [[0, 0, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 1, 1], [1, 0, 1], [0, 1, 2]]
    n_values, classes = [2, 2, 3], [0] * 4 + [1] * 4
    expected = LocalInformation.learn(coded(rows, classes, n_values, 2).count())
    case = coded(rows, classes, n_values, 2, [weight] * 8)
    actual = LocalInformation.learn(count_as(case, layout))
    np.testing.assert_allclose(actual.relevance, expected.relevance, **SINGLE)
    np.testing.assert_allclose(actual.dependence_of(case.codes), expected.dependence_of(case.codes), **SINGLE)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_attributes_of_many_values(layout):
    v = 300
    case = coded([[u, u] for u in range(v)] * 2, [0] * v + [1] * v, [v, v], 2)
    learned = LocalInformation.learn(count_as(case, layout))
    assert (learned.dependence is None) == (layout == "sparse")
    expected = np.full(2 * v, np.log2(v) / v)
    np.testing.assert_allclose(learned.dependence_of(case.codes)[:, 0, 1], expected, rtol=1e-6)
    np.testing.assert_array_equal(learned.relevance_of(case.codes), np.zeros((2 * v, 2)))


@examples(15)
@given(case=coded_tables(), data=st.data())
def test_rows_do_not_depend_on_each_other(case, data):
    some = data.draw(st.lists(st.integers(0, len(case.classes) - 1), min_size=1, max_size=5))
    for layout in LAYOUTS:
        learned = LocalInformation.learn(count_as(case, layout))
        part = np.ascontiguousarray(case.codes[:, some])
        np.testing.assert_array_equal(learned.dependence_of(part), learned.dependence_of(case.codes)[some])
        np.testing.assert_array_equal(learned.relevance_of(part), learned.relevance_of(case.codes)[some])
