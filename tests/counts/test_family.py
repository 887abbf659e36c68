"""Family tables: dense and sparse ones say the same."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
from coded_tables import Coded, coded, coded_tables, count_as, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive.counts import family as family_module
from seminaive.counts.family import DenseFamily, SparseFamily
from seminaive.counts.plan import CountPlan
from seminaive.testing import naive


def families(case: Coded, members: tuple[int, ...]) -> tuple[DenseFamily, SparseFamily]:
    """One family of a case in both layouts."""
    plan = CountPlan(families=(members,))
    dense, sparse = (count_as(case, layout, plan).family(members) for layout in ("dense", "sparse"))
    assert isinstance(dense, DenseFamily)
    assert isinstance(sparse, SparseFamily)
    return dense, sparse


@st.composite
def questions(draw: st.DrawFn) -> tuple[Coded, tuple[int, ...], tuple[int, ...], np.ndarray]:
    """A table, the members of a family, the positions of those that are looked at, and observed values."""
    case = draw(coded_tables(min_attributes=2))
    n_attributes = len(case.schema)
    order = draw(st.permutations(range(n_attributes)))
    members = tuple(order[: draw(st.integers(2, n_attributes))])
    kept = tuple(
        position for position, i in enumerate(members) if case.table.n_values[i] > 0 and draw(st.booleans())
    )
    sizes = [case.table.n_values[members[position]] for position in kept]
    values = draw(st.lists(st.tuples(*(st.integers(0, v - 1) for v in sizes)), min_size=1, max_size=5))
    return case, members, kept, np.array(values, dtype=np.uint8).reshape(len(values), len(kept)).T


@examples(80)
@given(question=questions())
def test_lookups_equal_the_twin(question):
    case, members, kept, values = question
    expected = [
        naive.count(
            case.table,
            {members[position]: int(value) for position, value in zip(kept, column, strict=True)},
            required_observed=[members[-1]],
        )
        for column in values.T
    ]
    for family in families(case, members):
        found = family.lookup(kept, values)
        assert found.dtype == np.float64
        np.testing.assert_array_equal(found, expected)


@examples(20)
@given(case=coded_tables(min_attributes=2, max_attributes=2))
def test_parent_and_child_change_places(case):
    _, there = families(case, (0, 1))
    _, back = families(case, (1, 0))
    n_values = case.table.n_values
    cells = np.array([(u, w) for u in range(n_values[0]) for w in range(n_values[1])], np.uint8)
    cells = cells.reshape(-1, 2).T
    reverse = there.reversed_pair()
    np.testing.assert_array_equal(reverse.lookup((0, 1), cells[::-1]), back.lookup((0, 1), cells[::-1]))
    np.testing.assert_array_equal(reverse.lookup((0,), cells[1:]), back.lookup((0,), cells[1:]))


@examples(20)
@given(case=coded_tables(min_attributes=3, max_attributes=3), data=st.data())
def test_tables_of_blocks_add_up(case, data):
    at = data.draw(st.integers(0, len(case.classes)))
    plan, members = CountPlan(families=((0, 1, 2),)), (0, 1, 2)
    for layout in ("dense", "sparse"):
        first, second, whole = (
            count_as(case, layout, plan, rows=rows).family(members)
            for rows in (slice(at), slice(at, None), slice(None))
        )
        np.testing.assert_array_equal((first + second).counts, whole.counts)


def test_more_combinations_than_fit_into_64_bits():
    big = 2**20
    rows = [[big - 1] * 5, [0] * 5, [big - 1] * 4 + [0], [None] * 4 + [0], [big - 1] * 5]
    case = coded(rows, [0, 1, 1, 0, 0], [big] * 5, 2)
    plan = CountPlan(families=((0, 1, 2, 3, 4),))
    family = count_as(case, "sparse", plan).family(*plan.families)
    cells = np.array([[big - 1] * 5, [0] * 5, [0, big - 1, 0, 0, 0]], np.uint32).T
    assert family.lookup((0, 1, 2, 3, 4), cells).tolist() == [[2, 0], [0, 1], [0, 0]]
    assert family.lookup((0, 1, 2, 3), cells[:4]).tolist() == [[2, 1], [0, 1], [0, 0]]
    assert family.lookup((4,), cells[4:]).tolist() == [[2, 0], [1, 2], [1, 2]]


def test_prepared_tables_answer_without_building_any():
    case = coded([[0, 1, 0], [1, 0, 1], [1, None, 0]], [0, 1, 1], [2, 2, 2], 2)
    _, family = families(case, (0, 1, 2))
    everything = np.array([[0, 1], [1, 0], [0, 1]])
    expected = [family.lookup(kept, everything[list(kept)]) for kept in [(0, 1, 2), (0, 1), (0, 2), ()]]
    family.prepare()
    with patch.object(family_module._Trie, "build", side_effect=AssertionError("built a table")):
        for kept, values in zip([(0, 1, 2), (0, 1), (0, 2), ()], expected, strict=True):
            np.testing.assert_array_equal(family.lookup(kept, everything[list(kept)]), values)


def test_a_sparse_table_holds_what_occurs():
    rows = [[0, 0], [0, 0], [299, 299], [None, 5], [5, None]]
    _, family = families(coded(rows, [0, 1, 1, 0, 0], [300, 300], 2), (0, 1))
    assert family.cells.T.tolist() == [[0, 0], [5, 300], [299, 299], [300, 5]]
    assert family.counts.tolist() == [[1, 1], [1, 0], [0, 1], [1, 0]]
