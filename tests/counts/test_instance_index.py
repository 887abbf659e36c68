"""The index of rows against masks of rows, and the memo of what was counted."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from coded_tables import Coded, coded, coded_tables, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive import parallel
from seminaive.counts import instance_index as module
from seminaive.counts.instance_index import InstanceIndex, new_memo
from seminaive.counts.plan import CountPlan
from seminaive.kernels import instance_index as kernels

Combination = dict[int, int | None]
INDEX = CountPlan(index=True)


def index_of(case: Coded, **options: Any) -> InstanceIndex:
    return InstanceIndex.build(
        case.codes, case.classes, case.schema.n_values, case.table.n_classes, case.weights, **options
    )


def slow_count(case: Coded, combination: Combination) -> np.ndarray:
    """Weight of the rows of every class that have the values of the combination."""
    rows = np.ones(len(case.classes), dtype=bool)
    for i, code in combination.items():
        rows &= case.codes[i] == code if code is not None else case.codes[i] < case.schema.n_values[i]
    weights = None if case.weights is None else case.weights[rows]
    return np.bincount(case.classes[rows], weights, minlength=case.table.n_classes).astype(float)


@st.composite
def combinations(draw: st.DrawFn, case: Coded) -> list[Combination]:
    """Some combinations of values, and of attributes that only have to be observed."""
    n_values = case.table.n_values
    asked = {i: st.sampled_from([*range(v), None]) for i, v in enumerate(n_values)}
    return draw(st.lists(st.fixed_dictionaries({}, optional=asked), min_size=1, max_size=8))


@st.composite
def long_tables(draw: st.DrawFn) -> Coded:
    """Rows enough for several words of a bitmap; classes begin and end anywhere in a word, some are empty."""
    n_rows = draw(st.sampled_from([1, 63, 64, 65, 127, 128, 129, 200, 320]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_values = [2, 3, 5]
    codes = np.column_stack([rng.integers(v, size=n_rows) for v in n_values]).astype(object)
    codes[rng.random(codes.shape) < draw(st.sampled_from([0, 0, 0.2]))] = None
    n_classes = draw(st.sampled_from([1, 2, 7]))
    classes = rng.integers(draw(st.integers(1, n_classes)), size=n_rows)
    if draw(st.booleans()):  # classes that end where words do
        classes = np.minimum(np.arange(n_rows) // 64, n_classes - 1)
    weights = rng.choice([0.25, 0.5, 1.0, 3.0], n_rows).tolist() if draw(st.booleans()) else None
    return coded(codes.tolist(), classes.tolist(), n_values, n_classes, weights)


# --- counts


@examples(60)
@given(case=st.one_of(coded_tables(max_attributes=5), long_tables()), data=st.data())
def test_counts_are_those_of_masks(case, data):
    asked = data.draw(combinations(case))
    actual = index_of(case).count(asked)
    assert actual.shape == (len(asked), case.table.n_classes)
    np.testing.assert_array_equal(actual, [slow_count(case, one) for one in asked])


@examples(20)
@given(case=long_tables(), data=st.data())
def test_the_order_of_the_rows_does_not_matter(case, data):
    order = np.random.default_rng(data.draw(st.integers(0, 99))).permutation(len(case.classes))
    moved = InstanceIndex.build(
        np.ascontiguousarray(case.codes[:, order]),
        case.classes[order],
        case.schema.n_values,
        case.table.n_classes,
        None if case.weights is None else case.weights[order],
    )
    asked = data.draw(combinations(case))
    np.testing.assert_array_equal(moved.count(asked), index_of(case).count(asked))


def test_by_hand():
    case = coded([[0, 0], [0, None], [1, 1], [None, 1], [0, 1]], [1, 0, 1, 1, 1], [2, 2], 3)
    index = index_of(case)
    assert (index.n_classes, index.n_words) == (3, 1)
    actual = index.count([{}, {0: None}, {0: 0}, {0: 0, 1: None}, {1: 1, 0: 0}, {1: 0, 0: 1}])
    assert actual.tolist() == [[1, 4, 0], [1, 3, 0], [1, 2, 0], [0, 2, 0], [0, 1, 0], [0, 0, 0]]
    assert index.count([]).shape == (0, 3)


def test_weights_are_summed():
    case = coded([[0], [0], [1], [None]], [0, 1, 1, 0], [2], 2, [0.25, 3.0, 0.5, 7.0])
    assert index_of(case).count([{}, {0: 0}, {0: None}]).tolist() == [[7.25, 3.5], [0.25, 3], [0.25, 3.5]]


def test_weights_of_any_size():
    """The weight of a rare combination does not drown in that of the other rows."""
    case = coded([[0, 0], [0, 1], [1, 0]], [0, 0, 0], [2, 2], 1, [1e16, 1.0, 1e-300])
    assert index_of(case).count([{0: 0, 1: 1}, {0: 1, 1: 0}]).tolist() == [[1.0], [1e-300]]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_codes_of_any_width(dtype):
    codes = np.array([[0, 1, 2, 2, 0]], dtype=dtype)
    index = InstanceIndex.build(codes, np.array([0, 0, 1, 1, 0]), np.array([2]), 2)
    assert index.count([{0: 0}, {0: 1}, {0: None}]).tolist() == [[2, 0], [1, 0], [3, 0]]


def test_values_of_more_than_a_byte():
    rng = np.random.default_rng(0)
    codes = rng.integers(400, size=(1, 300)).astype(np.uint16)
    index = InstanceIndex.build(codes, np.zeros(300, dtype=np.int64), np.array([400]), 1)
    actual = index.count([{0: code} for code in range(400)])
    assert actual[:, 0].tolist() == np.bincount(codes[0], minlength=400).tolist()


@examples(20)
@given(case=long_tables())
def test_threads_change_nothing(case):
    one = index_of(case, n_jobs=1)
    with patch.object(parallel, "_WORTHWHILE", 0):
        two = index_of(case, n_jobs=2)
    for single, several in zip(one.bitmaps, two.bitmaps, strict=True):
        np.testing.assert_array_equal(several, single)


# --- memory


@examples(30)
@given(case=st.one_of(coded_tables(), long_tables()))
def test_a_bitmap_for_each_value_and_one_for_each_attribute_with_holes(case):
    n_values = case.schema.n_values
    holes = (case.codes == n_values[:, None]).any(axis=1).sum()
    words = -(-len(case.classes) // 64)
    index = index_of(case)
    weights = 0 if case.weights is None else len(case.weights)
    assert index.nbytes == (n_values.sum() + holes) * words * 8 + weights * 8
    assert index.nbytes <= INDEX.index_bytes(case.schema, len(case.classes))


@pytest.mark.parametrize("n_rows", [1000, 4096, 10_001])
def test_a_bit_for_each_row_and_value(n_rows):
    rng = np.random.default_rng(0)
    n_values = [2, 5, 30]
    codes = np.array([rng.integers(v, size=n_rows) for v in n_values], dtype=np.uint8)
    index = InstanceIndex.build(codes, rng.integers(3, size=n_rows), np.array(n_values), 3)
    assert index.nbytes <= 1.1 * n_rows * sum(n_values) / 8


# --- beside the tables


@examples(30)
@given(case=coded_tables())
def test_tables_and_their_index_agree(case):
    tables = case.count(INDEX)
    np.testing.assert_array_equal(tables.index.count([{}]), [tables.class_counts])
    for i, v in enumerate(case.table.n_values):
        counts = tables.index.count([{i: code} for code in range(v)])
        np.testing.assert_array_equal(counts, tables.attribute(i)[:-1])
    assert tables.nbytes == case.count(CountPlan()).nbytes + tables.index.nbytes


def test_only_where_it_is_asked_for():
    case = coded([[0], [1]], [0, 1], [2], 2)
    assert case.count(CountPlan(pairs=True)).index is None


def test_tables_of_several_blocks_have_none():
    case = coded([[0], [1], [1]], [0, 1, 1], [2], 2)
    both = case.count(INDEX, slice(2)) + case.count(INDEX, slice(2, None))
    assert both.index is None


# --- parts of the count


@examples(40)
@given(case=st.one_of(coded_tables(max_attributes=4), long_tables()), data=st.data())
def test_parents_with_a_child(case, data):
    """N(parents, y) over the rows in which the child is observed, and N(parents, child, y)."""
    with_values = [i for i, v in enumerate(case.table.n_values) if v]
    if not with_values:
        return
    index = index_of(case)
    first_slot = index.bitmaps.first_slot
    child = data.draw(st.sampled_from(with_values))
    value = data.draw(st.integers(0, case.table.n_values[child] - 1))
    others = data.draw(st.lists(st.sampled_from(with_values), unique=True, max_size=3))
    parents = {i: data.draw(st.integers(0, case.table.n_values[i] - 1)) for i in others if i != child}
    slots = np.array(
        [*(first_slot[i] + code for i, code in parents.items()), first_slot[child] + value], dtype=np.int32
    )
    totals, counts = np.full((2, index.n_classes), np.nan)
    common = np.empty(index.n_words, dtype=np.uint64)
    words, bitmap_of_slot, _, class_ends, weights = index.bitmaps
    bitmaps = words, bitmap_of_slot, class_ends, weights
    kernels.count_with_child(
        bitmaps, slots, len(parents), int(first_slot[child + 1]) - 1, common, totals, counts
    )
    np.testing.assert_array_equal(totals, slow_count(case, {**parents, child: None}))
    np.testing.assert_array_equal(counts, slow_count(case, {**parents, child: value}))
    together = kernels.count_in_all(index.bitmaps, slots, len(parents), common)
    assert together == slow_count(case, dict(parents)).sum()


# --- memo


def remember(memo: Any, wanted: list[tuple[int, ...]]) -> list[int]:
    """Where each combination is kept, as a caller would ask for it."""
    longest = memo.keys.shape[1]
    found = []
    for combination in wanted:
        slots = np.zeros(longest, dtype=np.int32)
        slots[: len(combination)] = combination
        kernels.forget(memo, 1)
        found.append(int(kernels.find_or_add(memo, slots, len(combination))))
    return found


@examples(40)
@given(
    wanted=st.lists(st.lists(st.integers(0, 2**31 - 2), max_size=3).map(tuple) | st.just((1, 2)), max_size=40)
)
def test_each_combination_is_added_once(wanted):
    places: dict[tuple[int, ...], int] = {}
    for combination, found in zip(wanted, remember(new_memo(3, 1, 40), wanted), strict=True):
        if combination in places:
            assert found == places[combination]
        else:
            assert found == -1 - len(places)
            places[combination] = len(places)


def test_a_combination_is_not_the_beginning_of_another():
    assert remember(new_memo(2, 1, 9), [(), (0,), (0, 0), (0,), ()]) == [-1, -2, -3, 1, 0]


@examples(20)
@given(wanted=st.lists(st.integers(0, 6).map(lambda slot: (slot,)), max_size=30), capacity=st.integers(1, 4))
def test_a_full_memo_forgets_everything(wanted, capacity):
    memo = new_memo(1, 1, capacity)
    kept: list[tuple[int, ...]] = []
    for combination in wanted:
        if len(kept) == capacity:
            kept = []
        expected = kept.index(combination) if combination in kept else -1 - len(kept)
        assert remember(memo, [combination]) == [expected]
        if expected < 0:
            kept.append(combination)
    assert memo.size[0] == len(kept)


@examples(30)
@given(slots=st.lists(st.integers(-1, 50), max_size=6), data=st.data())
def test_sorting_the_first_slots(slots, data):
    number = data.draw(st.integers(0, len(slots)))
    array = np.array(slots, dtype=np.int32)
    kernels.sort_slots(array, number)
    assert array.tolist() == sorted(slots[:number]) + slots[number:]


def test_a_memo_has_room_for_what_is_wanted():
    memo = new_memo(length=3, width=5, wanted=1000)
    assert memo.keys.shape == (1000, 3)
    assert memo.values.shape == (1000, 5)
    assert len(memo.places) >= 2000  # half empty, for short searches
    assert len(memo.places).bit_count() == 1
    assert new_memo(3, 5, 0).keys.shape == (1, 3)


@pytest.mark.parametrize("limit", [1, 1000, 10**5])
def test_a_memo_does_not_take_too_much(monkeypatch, limit):
    monkeypatch.setattr(module, "_MEMO_BYTES", limit)
    memo = new_memo(length=3, width=6, wanted=10**9)
    capacity = len(memo.keys)
    assert capacity == 1 or sum(array.nbytes for array in memo) <= limit + 8
    bigger = capacity + 1
    assert bigger * (memo.keys[0].nbytes + memo.values[0].nbytes + 16) > limit


def test_searches_stay_short():
    """The slots of a table are neighbours, their hashes are not."""
    wanted = [(a, b, c) for a in range(20) for b in range(20, 40) for c in range(40, 60)]
    memo = new_memo(3, 1, len(wanted))
    assert remember(memo, wanted) == [-1 - place for place in range(len(wanted))]
    assert np.diff(np.flatnonzero(memo.places < 0)).max() < 100
