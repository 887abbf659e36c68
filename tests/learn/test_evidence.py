"""Sums over the value pairs of a row, against a loop over counts, in every layout."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from coded_tables import LAYOUTS, Coded, coded, coded_tables, count_as, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive import parallel
from seminaive.learn import evidence
from seminaive.learn.evidence import Evidence, Margin, PairCells, finite_log
from seminaive.learn.smoothing import Smoothing
from seminaive.testing import naive


def smoothings() -> st.SearchStrategy[Smoothing]:
    return st.builds(Smoothing, st.sampled_from(["m-estimate", "laplace"]), st.sampled_from([0, 0.5, 1]))


def share(both, own, classes, v_own, v_other):
    """Something that tells all counts, both attributes and all classes apart."""
    by_class = 1 + np.arange(both.shape[1]) ** 0.5
    return (by_class * np.sqrt(both + 0.3 * own + 0.07 * classes)).sum(axis=1) + v_own + 10 * v_other


def terms_of(cells: PairCells) -> tuple[np.ndarray, np.ndarray]:
    for margin in (cells.both, cells.first, cells.second, cells.classes):
        np.testing.assert_array_equal(margin.spread(margin.rows), cells.both.rows)

    def term(own: Margin, other: Margin) -> np.ndarray:
        spread = [margin.spread(margin.counts) for margin in (cells.both, own, cells.classes)]
        sizes = [margin.spread(margin.n_values) for margin in (own, other)]
        np.testing.assert_array_equal(cells.both.n_values, sizes[0] * sizes[1])
        np.testing.assert_array_equal(spread[2].sum(axis=1), cells.both.rows)
        return share(*spread, *sizes)

    return term(cells.first, cells.second), term(cells.second, cells.first)


def slow_term(table: naive.Table, a: int, x_a: int, i: int, x_i: int) -> float:
    """What the pair (x_a, x_i) gives to a."""
    counts = (
        naive.count(table, {a: x_a, i: x_i}),
        naive.count(table, {a: x_a}, required_observed=[i]),
        naive.count(table, {}, required_observed=[a, i]),
    )
    sizes = np.array([[table.n_values[a]], [table.n_values[i]]])
    return float(share(*(np.array([c]) for c in counts), *sizes)[0])


def value_terms(case: Coded) -> np.ndarray:
    """A term for each slot, "not observed" included, which must not be used."""
    return 100.0 + np.arange(sum(v + 1 for v in case.table.n_values)) ** 2


def slow_sums(case: Coded, row: list[int | None], pairs: bool) -> list[float]:
    table = case.table
    first_slot = np.cumsum([0, *(v + 1 for v in table.n_values)])
    observed = {i: code for i, code in enumerate(row) if code is not None}
    sums = [0.0] * len(row)
    for a, x_a in observed.items():
        sums[a] = value_terms(case)[first_slot[a] + x_a]
        if pairs:
            sums[a] += sum(slow_term(table, a, x_a, i, x_i) for i, x_i in observed.items() if i != a)
    return sums


def codes_of(case: Coded, rows: list[tuple[int | None, ...]]) -> np.ndarray:
    """Codes as the tables have them, shape (attributes, rows)."""
    n_values = case.table.n_values
    slots = [[v if x is None else x for x, v in zip(row, n_values, strict=True)] for row in rows]
    return np.array(slots, dtype=case.codes.dtype).T.copy()


@st.composite
def tables_and_rows(draw):
    case = draw(coded_tables(max_values=3, max_rows=15))
    cells = [st.sampled_from([*range(v), None]) for v in case.table.n_values]
    return case, draw(st.lists(st.tuples(*cells), min_size=1, max_size=5))


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(40)
@given(drawn=tables_and_rows(), chunk=st.sampled_from([1, 7, 2**16]), with_sums=st.booleans())
def test_sums_of_rows(layout, drawn, chunk, with_sums):
    case, rows = drawn
    with patch.object(evidence, "_CHUNK", chunk):
        learned = Evidence.learn(count_as(case, layout), value_terms(case), terms_of, with_sums=with_sums)
    expected = [slow_sums(case, row, pairs=True) for row in rows]
    actual = learned.of(codes_of(case, rows), terms_of)
    observed = np.array([[code is not None for code in row] for row in rows])
    np.testing.assert_allclose(np.where(observed, actual, 0), expected, rtol=1e-13)


@examples(10)
@given(case=coded_tables(max_values=3, max_rows=15))
def test_threads_change_nothing(case):
    def logs(cells):
        to_first, to_second = terms_of(cells)
        return np.log(cells.both.counts.sum(axis=1)) + to_first, to_second

    one = Evidence.learn(case.count(), value_terms(case), logs, with_sums=True, n_jobs=1)
    with patch.object(parallel, "_WORTHWHILE", 0), patch.object(evidence, "_CHUNK", 1):
        two = Evidence.learn(case.count(), value_terms(case), logs, with_sums=True, n_jobs=2)  # no warning
    np.testing.assert_array_equal(one.pair_terms, two.pair_terms)
    np.testing.assert_array_equal(one.pair_sums, two.pair_sums)


@examples(30)
@given(case=coded_tables(min_attributes=2), smoothing=smoothings())
def test_joints_and_class_sums_of_margins(case, smoothing):
    def terms(cells):
        weights = np.sqrt(cells.both.counts)
        for margin in (cells.both, cells.first, cells.second, cells.classes):
            n_cells = margin.n_values[:, None] * margin.counts.shape[1]
            joint = margin.joint(smoothing)
            np.testing.assert_allclose(
                joint, smoothing(margin.counts, margin.rows[:, None], n_cells), rtol=1e-15
            )
            actual = margin.class_sums(weights, joint)
            np.testing.assert_allclose(actual, (weights * margin.spread(joint)).sum(axis=1), rtol=1e-14)
        for one, other in ((cells.first, cells.second), (cells.second, cells.first)):
            totals, n_values = other.spread(other.counts), one.spread(one.n_values)[:, None]
            expected = smoothing(cells.both.counts, totals, n_values)
            np.testing.assert_array_equal(cells.conditional(one, other, smoothing), expected)
        return cells.both.rows, cells.both.rows

    for layout in LAYOUTS:
        learned = Evidence.learn(count_as(case, layout), value_terms(case), terms)
        learned.of(case.codes, terms)


def test_logarithms_that_a_factor_of_zero_cancels():
    assert (0 * finite_log(np.array([0.0, 1e-320, np.e])) == 0).all()
    assert finite_log(np.array([1.0, np.e])).tolist() == [0, 1]


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(15)
@given(drawn=tables_and_rows())
def test_value_terms_alone(layout, drawn):
    case, rows = drawn
    given_terms = value_terms(case)
    learned = Evidence.learn(count_as(case, layout), given_terms, None)
    np.testing.assert_array_equal(given_terms, value_terms(case))
    expected = [slow_sums(case, row, pairs=False) for row in rows]
    np.testing.assert_array_equal(learned.of(codes_of(case, rows), None), expected)


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(40)
@given(case=coded_tables(max_values=3, max_rows=15), chunk=st.sampled_from([1, 7, 2**16]))
def test_sums_over_all_pairs_of_values(layout, case, chunk):
    """Pairs that never occur are pairs too."""
    with patch.object(evidence, "_CHUNK", chunk):
        learned = Evidence.learn(count_as(case, layout), value_terms(case), terms_of, with_sums=True)
    n_values = case.table.n_values
    expected = [
        [
            sum(
                slow_term(case.table, a, x_a, i, x_i)
                for x_a in range(n_values[a])
                for x_i in range(n_values[i])
            )
            if i != a
            else 0.0
            for i in case.table.attributes
        ]
        for a in case.table.attributes
    ]
    np.testing.assert_allclose(learned.pair_sums, expected, rtol=1e-13)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_margins_count_the_rows_in_which_both_are_observed(layout):
    case = coded([[0, 0], [0, 1], [0, None], [None, 1], [1, 1]], [0, 1, 1, 0, 1], [2, 2], 2)
    seen = []

    def terms(cells):
        seen.append(cells)
        return tuple(margin.spread(margin.counts)[:, 1] for margin in (cells.first, cells.second))

    learned = Evidence.learn(count_as(case, layout), np.zeros(6), terms)
    # two rows of class 1 have both, one of them x0 = 0, both x1 = 1; what is not observed gives nothing
    codes = codes_of(case, [(0, 1), (1, 1), (0, 0), (0, None), (None, None)])
    sums = learned.of(codes, terms)
    assert sums[:3].tolist() == [[1, 2], [1, 2], [1, 0]]
    assert sums[3, 0] == 0
    for cells in seen:
        assert (cells.classes.counts == [1, 2]).all()
        assert cells.both.rows.shape == (len(cells.both.counts),)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_single_attribute_and_no_rows(layout):
    case = coded([[0], [1]], [0, 1], [2], 2)
    learned = Evidence.learn(count_as(case, layout), np.array([3.0, 4.0, 5.0]), terms_of, with_sums=True)
    assert learned.of(codes_of(case, [(1,), (None,)]), terms_of).tolist() == [[4], [0]]
    assert learned.pair_sums.tolist() == [[0]]
    assert learned.of(case.codes[:, :0], terms_of).shape == (0, 1)
