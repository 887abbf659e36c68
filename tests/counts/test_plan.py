"""Plans: bytes before anything is allocated."""

from __future__ import annotations

import math
import tracemalloc
from contextlib import suppress
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from coded_tables import PAIRS, coded, coded_tables, count_as, examples, schema_of
from hypothesis import given
from hypothesis import strategies as st

from seminaive import AODE, KDB, TAN, NaiveBayes
from seminaive.classifiers.network import Network
from seminaive.counts import plan as plan_module
from seminaive.counts.plan import CountPlan, default_memory_limit, family_cells, padded_classes
from seminaive.counts.tables import CountTables, count
from seminaive.counts.triple_totals import TripleTotals
from seminaive.learn.implications import Implications
from seminaive.learn.local_information import LocalInformation
from seminaive.learn.smoothing import Smoothing
from seminaive.learn.superparents import OneDependenceTables

FAMILY = (0, 2, 1)
INDEX = CountPlan(index=True)
TRIPLES = CountPlan(pairs=True, triples=True)


# --- estimates are what is allocated


@examples(20)
@given(case=coded_tables(min_attributes=3))
def test_bytes_of_counts(case):
    plan = CountPlan(pairs=True, families=(FAMILY,))
    tables = case.count(plan)
    schema, n_classes = case.schema, case.table.n_classes
    assert plan.dense_pair_bytes(schema, n_classes) == tables.pair_counts.nbytes
    assert family_cells(schema, FAMILY) * n_classes * 8 == tables.families[FAMILY].counts.nbytes


@examples(20)
@given(case=coded_tables())
def test_bytes_of_class_and_attribute_tables_with_logarithms(case):
    tables = case.count(CountPlan())
    logs = Network.learn(tables, [[] for _ in range(len(case.schema))], Smoothing()).table
    prior = 8 * padded_classes(case.table.n_classes)
    assert CountPlan().base_bytes(case.schema, case.table.n_classes) == (
        tables.class_counts.nbytes + tables.attribute_counts.nbytes + logs.nbytes + prior
    )


@examples(20)
@given(case=coded_tables(min_attributes=2))
def test_bytes_of_pairs_with_logarithms_of_both_directions(case):
    tables = case.count()
    logs = OneDependenceTables.learn(tables, Smoothing(), ratio=False).conditionals
    plan = CountPlan(pairs=True, logs_per_cell=2)
    assert plan.dense_pair_bytes(case.schema, case.table.n_classes) == tables.pair_counts.nbytes + logs.nbytes


@examples(20)
@given(case=coded_tables(min_attributes=2))
def test_sparse_pairs_take_no_more_than_estimated(case):
    tables = count_as(case, "sparse")
    allocated = sum(family.cells.nbytes + family.counts.nbytes for family in tables.families.values())
    assert allocated <= PAIRS.sparse_pair_bytes(case.schema, case.table.n_classes, len(case.classes))


@examples(20)
@given(case=coded_tables(min_attributes=2))
def test_bytes_of_pairs_with_what_value_pairs_tell(case):
    tables = case.count()
    information, implied = LocalInformation.learn(tables).dependence, Implications.find(tables, 1).flags
    plan = CountPlan(pairs=True, values_per_cell=1)
    needed = plan.dense_pair_bytes(case.schema, case.table.n_classes)
    assert tables.pair_counts.nbytes + information.nbytes + implied.nbytes <= needed
    assert needed == PAIRS.dense_pair_bytes(case.schema, case.table.n_classes) + 8 * len(information)


@examples(20)
@given(case=coded_tables())
def test_bytes_of_an_index(case):
    index = case.count(INDEX).index
    words = index.n_words
    n_rows = len(case.classes)
    assert INDEX.index_bytes(case.schema, n_rows) == 8 * n_rows + 8 * words * (
        case.schema.n_values.sum() + len(case.schema)
    )
    assert index.nbytes <= INDEX.index_bytes(case.schema, len(case.classes))
    assert PAIRS.index_bytes(case.schema, len(case.classes)) == 0


def test_bytes_of_an_index_of_holes_everywhere():
    case = coded([[0, None], [None, 1], [1, 0]], [0, 1, 1], [2, 2], 2, [0.5, 1, 2])
    assert case.count(INDEX).index.nbytes == INDEX.index_bytes(case.schema, 3) == 6 * 8 + 3 * 8


def bytes_of_fit(model: Any, X: np.ndarray, y: np.ndarray) -> int:
    """Bytes of the counts and of the logarithms that a fit makes."""
    total = 0
    learn = type(model)._learn

    def weigh(model: Any, tables: CountTables, structure: Any) -> dict[str, Any]:
        nonlocal total
        fitted = learn(model, tables, structure)
        network = fitted.get("_network", fitted.get("_one_dependence"))
        arrays = [tables.class_counts, tables.attribute_counts, tables.pair_counts]
        arrays += [family.counts for family in tables.families.values()]
        arrays += [getattr(network, name, None) for name in ("table", "base", "conditionals")]
        total = sum(array.nbytes for array in arrays if array is not None)
        return fitted

    with patch.object(type(model), "_learn", weigh):
        model.fit(X, y)
    return total


@pytest.mark.parametrize("model", [NaiveBayes(), TAN(), KDB(k=1), KDB(k=3), AODE()], ids=repr)
def test_a_fit_keeps_to_the_limit(model):
    rng = np.random.default_rng(0)
    X, y = rng.integers(12, size=(3000, 4)), rng.integers(2, size=3000)
    model.set_params(categorical_features="all", memory_limit=None)
    needed = bytes_of_fit(model, X, y)
    for limit in (needed - 1, needed // 2):
        model.set_params(memory_limit=limit)
        # either the tables are sparse, or there is an error
        with suppress(MemoryError):
            assert bytes_of_fit(model, X, y) <= limit


# --- choice of a layout


def test_pairs_are_dense_while_they_fit():
    schema, n_classes, n_rows = schema_of([100, 200, 300]), 3, 50
    base = PAIRS.base_bytes(schema, n_classes)
    dense = base + PAIRS.dense_pair_bytes(schema, n_classes)
    sparse = base + PAIRS.sparse_pair_bytes(schema, n_classes, n_rows)
    assert sparse < dense
    assert PAIRS.pairs_are_dense(schema, n_classes, n_rows, dense)
    assert not PAIRS.pairs_are_dense(schema, n_classes, n_rows, dense - 1)
    assert not PAIRS.pairs_are_dense(schema, n_classes, n_rows, sparse)
    with pytest.raises(MemoryError):
        PAIRS.pairs_are_dense(schema, n_classes, n_rows, sparse - 1)


def test_the_widest_family_goes_sparse_first():
    schema, n_classes, n_rows = schema_of([9, 19, 29, 4]), 2, 20
    plan = CountPlan(families=((0, 3), (1, 2, 3), (0, 1, 3)), logs_per_cell=1)
    limits = range(0, 200_000, 500)
    choices = []
    for limit in limits:
        try:
            choices.append(plan.dense_families(schema, n_classes, n_rows, limit))
        except MemoryError:
            choices.append(None)
    distinct = [choice for k, choice in enumerate(choices) if k == 0 or choice != choices[k - 1]]
    assert distinct == [
        None,
        [False, False, False],
        [True, False, False],
        [True, False, True],
        [True, True, True],
    ]


def test_tables_far_wider_than_the_data_are_sparse_without_need():
    schema, plan = schema_of([1000, 1000, 2]), CountPlan(families=((0, 1, 2),))
    assert plan.dense_families(schema, 2, 100, 2**40) == [False]
    assert plan.dense_families(schema, 2, 10**7, 2**40) == [True]


@examples(20)
@given(n_values=st.lists(st.integers(1, 2**31), min_size=3, max_size=6), n_classes=st.integers(1, 2**20))
def test_estimates_do_not_overflow(n_values, n_classes):
    schema = schema_of(n_values)
    slots = [v + 1 for v in n_values]
    pairs = sum(a * b for i, a in enumerate(slots) for b in slots[i + 1 :])
    assert PAIRS.dense_pair_bytes(schema, n_classes) == pairs * n_classes * 8
    entries = n_classes + padded_classes(n_classes)
    assert PAIRS.base_bytes(schema, n_classes) == (sum(slots) + 1) * entries * 8
    assert INDEX.index_bytes(schema, 2**40) == sum(slots) * 2**37 + 2**43  # bitmaps and weights
    assert not TRIPLES.counts_triples(schema, 2**40, 2**62)
    family = tuple(range(len(n_values)))
    assert family_cells(schema, family) == math.prod(slots[:-1]) * n_values[-1]


def test_an_index_is_part_of_what_a_plan_takes():
    schema, n_rows = schema_of([4, 9]), 100
    needed = INDEX.index_bytes(schema, n_rows)
    assert needed == (5 + 10) * 2 * 8 + 8 * n_rows
    assert INDEX.base_bytes(schema, 3, n_rows) == CountPlan().base_bytes(schema, 3) + needed
    assert PAIRS.base_bytes(schema, 3, n_rows) == PAIRS.base_bytes(schema, 3)


def test_pairs_are_sparse_where_an_index_takes_the_room():
    rng = np.random.default_rng(0)
    plan = CountPlan(pairs=True, index=True)
    case = coded(rng.integers(60, size=(80, 3)).tolist(), rng.integers(2, size=80).tolist(), [60] * 3, 2)
    alone = plan.base_bytes(case.schema, 2) + plan.dense_pair_bytes(case.schema, 2)
    needed = alone + plan.index_bytes(case.schema, 80)
    assert case.count(PAIRS, memory_limit=needed - 1).pair_counts is not None
    assert case.count(plan, memory_limit=needed).pair_counts is not None
    tables = case.count(plan, memory_limit=needed - 1)
    assert tables.pair_counts is None
    assert tables.index is not None
    assert tables.nbytes < needed


def test_triples_are_counted_while_they_fit():
    schema = schema_of([3, 4, 5])
    needed = 8 * TripleTotals.cells(schema.n_values)
    assert TRIPLES.counts_triples(schema, 10**6, needed)
    assert not TRIPLES.counts_triples(schema, 10**6, needed - 1)
    assert not TRIPLES.counts_triples(schema, 10**6, -1)
    assert not PAIRS.counts_triples(schema, 10**6, needed)


def test_triples_are_not_counted_where_a_model_would_be_much_larger_for_them(monkeypatch):
    schema = schema_of([3, 4, 5])
    needed = 8 * TripleTotals.cells(schema.n_values)
    for most in (needed, needed - 1):
        monkeypatch.setattr(plan_module, "_TRIPLE_BYTES", most)
        assert TRIPLES.counts_triples(schema, 10**6, 2**40) == (most == needed)


def test_triples_are_not_counted_where_that_takes_too_long(monkeypatch):
    schema = schema_of([2] * 5)  # 10 triples
    monkeypatch.setattr(plan_module, "_TRIPLE_INCREMENTS", 1000)
    assert TRIPLES.counts_triples(schema, 100, 2**40)
    assert not TRIPLES.counts_triples(schema, 101, 2**40)


def test_triples_take_a_quarter_of_what_is_left():
    rng = np.random.default_rng(0)
    case = coded(rng.integers(5, size=(50, 4)).tolist(), [0] * 50, [5] * 4, 1)
    tables = case.count(PAIRS)
    limit = tables.nbytes + 4 * 8 * TripleTotals.cells(case.schema.n_values)
    assert case.count(TRIPLES, memory_limit=limit).triples is not None
    assert case.count(TRIPLES, memory_limit=limit - 4).triples is None


# --- too much


def test_the_message_names_the_widest_columns_and_the_remedies():
    schema = schema_of([5, 2**31, 7, 3_000_000, 2, 9, 11])
    with pytest.raises(MemoryError) as caught:
        PAIRS.pairs_are_dense(schema, 2, 10**6, 10_000)
    message = str(caught.value)
    needed = PAIRS.base_bytes(schema, 2) + PAIRS.sparse_pair_bytes(schema, 2, 10**6)
    assert f"takes {needed:,} bytes, above the limit of 10,000 bytes" in message
    assert (
        "'x1' (2147483648 values), 'x3' (3000000 values), 'x6' (11 values), 'x5' (9 values), 'x2' (7 values)."
    ) in message
    assert "'x4'" not in message
    for remedy in ("Drop or group", "fewer bins", "another classifier|fewer tables", "memory_limit"):
        assert any(words in message for words in remedy.split("|"))


def test_the_message_names_the_widest_family():
    plan = CountPlan(families=((0, 1), (1, 2)))
    with pytest.raises(MemoryError, match=r"the widest is \['x1', 'x2'\].*'x2' \(40000 values\)"):
        plan.dense_families(schema_of([20_000, 30_000, 40_000]), 2, 10**6, 10_000_000)


def test_the_message_where_an_index_does_not_fit():
    schema, n_rows = schema_of([5, 20_000, 7]), 10**6
    with pytest.raises(MemoryError) as caught:
        CountPlan(index=True).dense_families(schema, 2, n_rows, 10_000)
    message = str(caught.value)
    needed = INDEX.base_bytes(schema, 2, n_rows)
    assert f"takes {needed:,} bytes, above the limit of 10,000 bytes" in message
    assert "'x1' (20000 values), 'x2' (7 values), 'x0' (5 values)." in message
    assert "memory_limit" in message


def test_the_message_where_there_is_one_table_per_attribute():
    with pytest.raises(MemoryError, match=r"every attribute.*'x1' \(900 values\), 'x0' \(3 values\)"):
        CountPlan().dense_families(schema_of([3, 900]), 2, 10, 1000)


@pytest.mark.parametrize(
    "plan",
    [CountPlan(), PAIRS, CountPlan(families=((0, 1),)), INDEX, CountPlan(pairs=True, index=True)],
    ids=repr,
)
def test_nothing_is_allocated_where_it_does_not_fit(plan):
    case = coded([[0, 0]] * 10, [0] * 10, [10**6, 10**6], 100)
    tracemalloc.start()
    try:
        with pytest.raises(MemoryError):
            case.count(plan, memory_limit=10**6)
        assert tracemalloc.get_traced_memory()[1] < 10**5
    finally:
        tracemalloc.stop()


def test_the_default_limit_is_half_of_the_free_memory(monkeypatch):
    memory = type("Memory", (), {"available": 3001})
    monkeypatch.setattr(plan_module.psutil, "virtual_memory", lambda: memory)
    assert default_memory_limit() == 1500
    case = coded([[0]], [0], [100], 2)
    with pytest.raises(MemoryError, match="limit of 1,500 bytes"):
        count(CountPlan(), case.schema, case.codes, case.classes, 2)


def test_classes_are_padded_for_vector_instructions():
    assert [padded_classes(n) for n in (1, 2, 3, 4, 5, 26)] == [2, 2, 4, 4, 8, 28]
