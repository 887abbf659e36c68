"""Implications between values, and the values that they make redundant."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from coded_tables import LAYOUTS, Coded, coded, coded_tables, count_as, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive.learn.implications import Implications
from seminaive.testing import naive

LIMITS = st.sampled_from([0, 1, 1.5, 2, 5])


def hidden(case: Coded, layout: str, limit: float, codes: np.ndarray | None = None) -> list[set[int]]:
    """Attributes whose values are deleted, row by row."""
    codes = case.codes if codes is None else codes
    found = Implications.find(count_as(case, layout), limit).hide(codes)
    assert found.dtype == codes.dtype
    changed = found != codes
    assert (found == case.schema.n_values[:, None])[changed].all()
    return [set(np.flatnonzero(row).tolist()) for row in changed.T]


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(60)
@given(case=coded_tables(max_values=3, max_rows=12), limit=LIMITS, data=st.data())
def test_equals_the_twin(layout, case, limit, data):
    n_values = case.table.n_values
    # rows that training had, and others
    new = data.draw(
        st.lists(st.tuples(*(st.integers(0, v) for v in n_values)), max_size=4).map(
            lambda rows: np.array(rows, dtype=np.uint8).reshape(-1, len(n_values))
        )
    )
    codes = np.concatenate([case.codes.T, new]).T.copy()
    expected = [
        naive.subsumed(
            case.table,
            [None if code == v else code for code, v in zip(row, n_values, strict=True)],
            critical_value=limit,
        )
        for row in codes.T.tolist()
    ]
    assert hidden(case, layout, limit, codes) == expected


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_general_value_is_deleted(layout):
    # x0 = 1 (pregnant, two rows) implies x1 = 1 (female, three rows)
    case = coded([[1, 1], [1, 1], [0, 1], [0, 0]], [0, 0, 1, 1], [2, 2], 2)
    # x1 = 0 (male) implies x0 = 0 as well, but in one row only
    assert hidden(case, layout, 2) == [{1}, {1}, set(), set()]
    assert hidden(case, layout, 1) == [{1}, {1}, set(), {0}]
    assert hidden(case, layout, 3) == [set()] * 4


@pytest.mark.parametrize("layout", LAYOUTS)
def test_of_values_that_always_go_together_the_first_stays(layout):
    case = coded([[0, 0, 0], [0, 0, 0], [1, 1, 1]], [0, 1, 0], [2, 2, 2], 2)
    assert hidden(case, layout, 2) == [{1, 2}, {1, 2}, set()]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_row_in_which_the_general_value_is_missing_is_no_implication(layout):
    case = coded([[1, 1], [1, 1], [1, None], [0, 1]], [0, 0, 0, 1], [2, 2], 2)
    assert hidden(case, layout, 2) == [set()] * 4


@pytest.mark.parametrize("layout", LAYOUTS)
def test_chains(layout):
    # x0 = 1 implies x1 = 1 implies x2 = 1: only the most special value stays, in whatever order pairs come
    rows = [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]
    for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        case = coded([[row[i] for i in order] for row in rows] * 2, [0, 1] * 4, [2, 2, 2], 2)
        assert hidden(case, layout, 2)[3] == {order.index(1), order.index(2)}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_weights_whose_sums_are_not_exact(layout):
    # two values of the same rows weigh the same, in whatever order the classes are added up
    for seed in range(5):
        rng = np.random.default_rng(seed)
        case = coded([[0, 0], [1, 1]] * 60, rng.integers(12, size=120).tolist(), [2, 2], 12)
        case = replace(case, weights=rng.random(120))
        assert hidden(case, layout, 1) == [{1}] * 120


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nothing_to_delete(layout):
    case = coded([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1], [2, 2], 2)
    generalisations = Implications.find(count_as(case, layout), 1)
    assert len(generalisations.tasks) == 0
    assert generalisations.hide(case.codes) is case.codes
    one = coded([[0], [1]], [0, 1], [2], 2)
    assert hidden(one, layout, 1) == [set(), set()]
