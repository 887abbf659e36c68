"""Counting: one result, whatever the way to it."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from unittest.mock import patch

import numpy as np
import pytest
from coded_tables import (
    LAYOUTS,
    Coded,
    coded,
    coded_tables,
    count_as,
    examples,
    in_groups,
    row_cost,
    schema_of,
    sparse_layout,
)
from hypothesis import given
from hypothesis import strategies as st

from seminaive import parallel
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables, count
from seminaive.data.schema import Attribute, Schema

FAMILIES = CountPlan(families=((0, 1, 2), (2, 0, 1)))


def assert_same_tables(actual: CountTables, desired: CountTables) -> None:
    """All counts are equal to the bit, in the same layout."""
    assert actual.n_rows == desired.n_rows
    for name in ("class_counts", "attribute_counts", "pair_counts"):
        np.testing.assert_array_equal(getattr(actual, name), getattr(desired, name), err_msg=name)
    assert actual.families.keys() == desired.families.keys()
    for members, family in desired.families.items():
        for name, values in vars(family).items():
            if isinstance(values, np.ndarray):
                np.testing.assert_array_equal(getattr(actual.families[members], name), values, err_msg=name)


def assert_equals_twin(tables: CountTables, case: Coded) -> None:
    """Class, attribute and dense pair tables are those of a loop over the rows."""
    np.testing.assert_array_equal(tables.class_counts, case.slow_counts([]))
    for i in range(len(case.schema)):
        np.testing.assert_array_equal(tables.attribute(i), case.slow_counts([i]))
    for i, j in combinations(range(len(case.schema)), 2):
        np.testing.assert_array_equal(tables.pair(i, j), case.slow_counts([i, j]))
        np.testing.assert_array_equal(tables.pair(j, i), case.slow_counts([j, i]))


# --- all ways


@pytest.mark.parametrize("cost", [0, math.inf], ids=["increments", "bitmaps"])
@examples(40)
@given(case=coded_tables(weighted=False))
def test_rows_are_counted(case, cost):
    with row_cost(cost):
        tables = case.count()
    assert tables.pair_counts.dtype == np.int64
    assert_equals_twin(tables, case)


@examples(100)
@given(
    case=coded_tables(max_attributes=7, weighted=False),
    cells=st.sampled_from([10, 50, 300, 2**14]),
    rows=st.sampled_from([1, 7, 2**18]),
    cost=st.sampled_from([0, 0.75, math.inf]),
)
def test_rows_are_counted_in_groups_of_attributes(case, cells, rows, cost):
    with in_groups(cells, rows), row_cost(cost):
        tables = case.count()
    assert tables.pair_counts.dtype == np.int64
    assert_equals_twin(tables, case)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_groups_are_taken_where_they_are_cheaper(n_jobs):
    rng = np.random.default_rng(0)
    n_values = (8, 8, 5, 200, 9, 1, 2, 8, 3, 8)
    schema, n_rows = schema_of(n_values), 30_000
    codes = np.stack([rng.integers(0, v + (i % 3 == 0), n_rows) for i, v in enumerate(n_values)])
    codes, classes = codes.astype(np.uint8), rng.integers(0, 3, n_rows)
    from seminaive.kernels import count as kernels

    with patch.object(kernels, "scatter_groups", wraps=kernels.scatter_groups) as groups:
        tables = count(CountPlan(pairs=True), schema, codes, classes, 3, n_jobs=n_jobs)
    assert groups.called
    with in_groups(0), row_cost(0):
        assert_same_tables(tables, count(CountPlan(pairs=True), schema, codes, classes, 3))


@examples(40)
@given(case=coded_tables(weighted=True))
def test_weights_are_added(case):
    tables = case.count()
    assert tables.pair_counts.dtype == np.float64
    assert_equals_twin(tables, case)


@examples(20)
@given(case=coded_tables(weighted=False))
def test_unit_weights_count_rows(case):
    assert_same_tables(replace(case, weights=np.ones(len(case.classes))).count(), case.count())


@pytest.mark.parametrize("cost", [0, math.inf], ids=["increments", "bitmaps"])
@pytest.mark.parametrize(
    ("n_values", "n_classes", "dtype"),
    [
        ((63, 64, 65, 2), 3, np.uint8),  # 64 bitmaps at the most, "not observed" included
        ((255, 2), 2, np.uint8),  # 255 is a code
        ((256, 3), 2, np.uint16),
        ((65_536, 2), 2, np.uint32),
        ((2, 3, 4), 300, np.uint8),
        ((2, 3), 70_000, np.uint8),
    ],
    ids=str,
)
@pytest.mark.parametrize("holes", [False, True])
def test_many_values_and_classes(n_values, n_classes, dtype, holes, cost):
    rng = np.random.default_rng(0)
    schema, n_rows = schema_of(n_values), 700
    assert schema.code_dtype == dtype
    # the outermost codes occur; some classes have no rows, others more than one word of bits
    codes = np.stack([rng.choice([0, v // 2, v - 1 + holes], n_rows) for v in n_values]).astype(dtype)
    classes = rng.choice([0, n_classes - 1], n_rows)
    with row_cost(cost):
        tables = count(CountPlan(pairs=True), schema, codes, classes, n_classes)
    for i, j in combinations(range(len(n_values)), 2):
        expected = np.zeros((n_values[i] + 1, n_values[j] + 1, n_classes), dtype=np.int64)
        np.add.at(expected, (codes[i], codes[j], classes), 1)
        np.testing.assert_array_equal(tables.pair(i, j), expected)
        np.testing.assert_array_equal(tables.attribute(i), expected.sum(axis=1))


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(20)
@given(case=coded_tables(min_attributes=3))
def test_threads_change_no_bit(case, layout):
    plan = CountPlan(pairs=True, families=FAMILIES.families)
    alone = count_as(case, layout, plan, n_jobs=1)
    with patch.object(parallel, "_WORTHWHILE", 0):
        assert_same_tables(count_as(case, layout, plan, n_jobs=2), alone)


def test_no_rows():
    # a block of rows may be empty, and so may be what is known of an attribute
    empty = coded([], [], n_values=[0, 2, 3], n_classes=2)
    for layout in LAYOUTS:
        tables = count_as(empty, layout)
        assert tables.n_rows == 0
        assert not tables.attribute_counts.any()
    assert_equals_twin(empty.count(), empty)


# --- blocks of rows


@pytest.mark.parametrize("first", LAYOUTS)
@pytest.mark.parametrize("second", LAYOUTS)
@examples(25)
@given(case=coded_tables(min_attributes=3), data=st.data())
def test_blocks_of_rows_add_up(case, first, second, data):
    plan = CountPlan(pairs=True, families=FAMILIES.families if first == second else ())
    at = data.draw(st.integers(0, len(case.classes)))
    both = count_as(case, first, plan, rows=slice(at)) + count_as(case, second, plan, rows=slice(at, None))
    # one block in the sparse layout makes the sum sparse
    whole = count_as(case, min(first, second, key=["sparse", "dense"].index), plan)
    assert_same_tables(both, whole)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("weighted_first", [False, True])
def test_blocks_of_plain_and_of_weighted_rows_add_up(layout, weighted_first):
    rows, classes = [[0, 1, 0], [1, 0, 1], [1, 1, None], [0, 1, 0]], [0, 1, 1, 0]
    plan = CountPlan(pairs=True, families=FAMILIES.families)
    plain = coded(rows, classes, [2, 2, 2], 2)
    weighted = replace(plain, weights=np.array([0.25, 0.5, 1.5, 0.25]))
    blocks = [count_as(case, layout, plan) for case in (plain, weighted)]
    both = blocks[weighted_first] + blocks[not weighted_first]
    whole = replace(plain, weights=1 + weighted.weights)
    assert_same_tables(replace(both, n_rows=4), count_as(whole, layout, plan))


@pytest.mark.parametrize("first", LAYOUTS)
@pytest.mark.parametrize("second", LAYOUTS)
def test_an_empty_block_adds_nothing(first, second):
    case = coded([[0, 1, 0], [1, None, 1]], [0, 1], [2, 2, 2], 2, weights=[0.25, 1.5])
    empty = count_as(case, first, rows=slice(0))
    whole = count_as(case, second)
    expected = whole if first == second == "dense" else count_as(case, "sparse")
    assert_same_tables(empty + whole, expected)
    assert_same_tables(whole + empty, expected)


@examples(25)
@given(case=coded_tables(min_attributes=2))
def test_dense_pairs_turn_into_sparse_ones(case):
    assert_same_tables(case.count().with_sparse_pairs(), count_as(case, "sparse"))


# --- further values


@st.composite
def grown(draw: st.DrawFn) -> tuple[Coded, Coded]:
    """A table, and the same under a schema with further values; "missing" may be a value, the last one."""
    case = draw(coded_tables(min_attributes=3, max_attributes=3))
    old, new, codes = [], [], []
    for i, v in enumerate(case.table.n_values):
        missing = v > 0 and draw(st.booleans())
        known, more = v - missing, draw(st.integers(0, 2))
        old.append(Attribute(f"x{i}", "categorical", tuple(range(known)), has_missing_value=missing))
        new.append(Attribute(f"x{i}", "categorical", tuple(range(known + more)), has_missing_value=missing))
        codes.append(np.array([*range(known), *[v - 1 + more] * missing, v + more])[case.codes[i]])
    before = replace(case, schema=Schema(tuple(old)))
    return before, replace(case, schema=Schema(tuple(new)), codes=np.array(codes, dtype=np.uint8))


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(40)
@given(cases=grown())
def test_counts_move_to_a_schema_with_further_values(layout, cases):
    before, after = cases
    plan = CountPlan(pairs=True, families=FAMILIES.families)
    resized = count_as(before, layout, plan).resized(after.schema)
    assert resized.schema is after.schema
    desired = count_as(after, layout, plan)
    # sums of two tables look combinations up; their order within a sparse table is free
    assert_same_tables(resized + resized, desired + desired)


def test_the_value_missing_of_a_later_batch_takes_the_place_of_a_known_number_of_values():
    # v stays 2, but the second value of old was "missing"
    old = Schema((Attribute("x0", "categorical", ("a",), has_missing_value=True),))
    new = Schema((Attribute("x0", "categorical", ("a", "b"), has_missing_value=True),))
    tables = count(CountPlan(), old, np.array([[0, 1, 1, 2]], np.uint8), np.zeros(4, np.int64), 1)
    assert tables.attribute(0).ravel().tolist() == [1, 2, 1]
    assert tables.resized(new).attribute(0).ravel().tolist() == [1, 0, 2, 1]


# --- families


def test_families_are_taken_from_wider_tables():
    case = coded([[0, 1, 0], [1, None, 1], [None, 0, 1]], [0, 1, 1], [2, 2, 2], 2)
    for layout in LAYOUTS:
        tables = count_as(case, layout)
        for members in [(0,), (1, 0), (0, 1), (2, 1)]:
            kept = tuple(range(len(members)))
            cells = np.array([[0] * len(members), [1] * len(members)]).T
            expected = case.slow_counts(members)[tuple(cells)]
            np.testing.assert_array_equal(tables.family(members).lookup(kept, cells), expected)
            # without the child's value: the rows in which it is observed
            expected = case.slow_counts(members)[(*cells[:-1], slice(2))]
            expected = expected.sum(axis=-2) if len(members) > 1 else np.tile(expected.sum(axis=0), (2, 1))
            np.testing.assert_array_equal(tables.family(members).lookup(kept[:-1], cells[:-1]), expected)


def test_a_family_that_was_not_counted():
    case = coded([[0, 1, 0]], [0], [2, 2, 2], 2)
    with pytest.raises(KeyError, match=r"\(0, 1, 2\) was not counted"):
        case.count().family((0, 1, 2))
    with sparse_layout(), pytest.raises(KeyError):
        case.count(CountPlan()).family((0, 1))
