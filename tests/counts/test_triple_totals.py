"""Tables of single values, pairs and triples against counts row by row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, combinations, permutations
from typing import Any
from unittest.mock import patch

import numpy as np
from coded_tables import Coded, coded, coded_tables, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive import parallel
from seminaive.counts.plan import CountPlan
from seminaive.counts.triple_totals import TripleTotals
from seminaive.kernels import triple_totals as kernels


def table_of(arrays: Any, members: Sequence[int]) -> np.ndarray:
    """Counts of all slots of two or three attributes."""
    total = kernels.pair_total if len(members) == 2 else kernels.triple_total
    first_slot = arrays.first_slot
    counts = np.empty([first_slot[i + 1] - first_slot[i] for i in members])
    for cell in np.ndindex(counts.shape):
        slots = [(i, int(first_slot[i]) + u) for i, u in zip(members, cell, strict=True)]
        counts[cell] = total(tuple(arrays), *chain.from_iterable(slots))
    return counts


def totals_of(case: Coded, n_jobs: int | None = None) -> TripleTotals:
    return TripleTotals.count(case.codes, case.schema.n_values, case.weights, n_jobs)


# --- counts


@examples(40)
@given(case=coded_tables())
def test_counts_are_those_of_the_rows(case):
    """The slots "not observed" included, and attributes in any order."""
    arrays = totals_of(case).arrays
    for i in range(len(case.schema)):
        singles = arrays.singles[arrays.first_slot[i] : arrays.first_slot[i + 1]]
        np.testing.assert_allclose(singles, case.slow_counts([i]).sum(axis=-1))
    for size in (2, 3):
        for members in permutations(range(len(case.schema)), size):
            np.testing.assert_allclose(table_of(arrays, members), case.slow_counts(members).sum(axis=-1))


def test_by_hand():
    case = coded([[0, 1, 0], [0, 1, 0], [1, None, 0], [0, 1, 1]], [0, 1, 1, 0], [2, 2, 2], 2)
    arrays = totals_of(case).arrays
    assert table_of(arrays, [0, 1]).tolist() == [[0, 3, 0], [0, 0, 1], [0, 0, 0]]
    assert table_of(arrays, [2, 0, 1])[0].tolist() == [[0, 2, 0], [0, 0, 1], [0, 0, 0]]


def test_a_single_column():
    one = totals_of(coded([[0], [1], [None]], [0, 1, 0], [2], 2))
    assert one.arrays.singles.tolist() == [1, 1, 1]
    assert len(one.arrays.table) == 0


@examples(20)
@given(case=coded_tables(max_attributes=5))
def test_threads_change_nothing(case):
    one = totals_of(case, n_jobs=1)
    with patch.object(parallel, "_WORTHWHILE", 0):
        two = totals_of(case, n_jobs=2)
    for single, several in zip(one.arrays, two.arrays, strict=True):
        np.testing.assert_array_equal(several, single)


# --- size


@examples(40)
@given(n_values=st.lists(st.integers(0, 6), max_size=6))
def test_cells(n_values):
    slots = [v + 1 for v in n_values]
    expected = sum(math.prod(some) for size in (1, 2, 3) for some in combinations(slots, size))
    assert TripleTotals.cells(n_values) == expected


@examples(30)
@given(case=coded_tables(max_attributes=5))
def test_cells_are_what_is_allocated(case):
    totals = totals_of(case)
    n = len(case.schema)
    cells = len(totals.arrays.singles) + len(totals.arrays.table)
    assert cells == TripleTotals.cells(case.schema.n_values)
    assert totals.nbytes == 8 * (cells + n * n + n + 1)


def test_cells_do_not_overflow():
    assert TripleTotals.cells(np.full(3, 2**31 - 1)) == 2**93 + 3 * 2**62 + 3 * 2**31


def test_increments():
    assert TripleTotals.increments(5, 1000) == 10_000
    assert TripleTotals.increments(2, 1000) == 0


def test_no_tables():
    none = TripleTotals.none()
    assert none.nbytes == 0
    assert len(none.arrays.singles) == 0


# --- beside the tables


def test_counted_where_they_are_asked_for():
    case = coded([[0, 1, 0], [1, 0, 0]], [0, 1], [2, 2, 2], 2)
    plain, plan = CountPlan(pairs=True), CountPlan(pairs=True, triples=True)
    assert case.count(plain).triples is None
    tables = case.count(plan)
    assert tables.triples.nbytes == totals_of(case).nbytes
    assert tables.nbytes == case.count(plain).nbytes + tables.triples.nbytes
    assert (tables + tables).triples is None


def test_not_counted_where_memory_is_short():
    case = coded([[0, 1, 0], [1, 0, 0]], [0, 1], [2, 2, 2], 2)
    plan = CountPlan(pairs=True, triples=True)
    without = CountPlan(pairs=True)
    needed = case.count(without).nbytes + without.base_bytes(case.schema, 2)
    tables = case.count(plan, memory_limit=needed)
    assert tables.triples is None
    assert tables.nbytes == case.count(without).nbytes


def test_rows_with_weights_and_holes_have_none():
    """Counts by subtraction would leave what rounding leaves of weights."""
    plan = CountPlan(triples=True)
    weights = [0.1, 3.0]
    case = coded([[0, 1, None], [1, 0, 0]], [0, 1], [2, 2, 2], 2, weights)
    assert case.count(plan).triples is None
    whole = coded([[0, 1, 1], [1, 0, 0]], [0, 1], [2, 2, 2], 2, weights).count(plan).triples
    assert table_of(whole.arrays, [0, 1, 2])[0, 1, 1] == 0.1
