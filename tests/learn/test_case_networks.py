"""Networks of single rows against their slow twins: structures, pointwise information, factors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from coded_tables import LAYOUTS, Coded, coded, coded_tables, count_as, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive.counts import instance_index
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.learn import case_networks as module
from seminaive.learn.case_networks import (
    CaseAttribute,
    CaseCounts,
    CaseNetwork,
    CaseStructures,
    informative_structures,
    local_structures,
    tiles,
    tree_structures,
)
from seminaive.learn.implications import Implications
from seminaive.learn.information import conditional_mutual_information
from seminaive.learn.local_information import LocalInformation
from seminaive.learn.smoothing import Smoothing
from seminaive.testing import naive, naive_cases

EVERYTHING = CountPlan(pairs=True, index=True, triples=True)
SMOOTHINGS = st.builds(Smoothing, st.sampled_from(["m-estimate", "laplace"]), st.sampled_from([0, 0.5, 1.0]))
CRITICAL_VALUES = st.sampled_from([0, 1, 1.5, 2, 4])
KS = st.integers(0, 4)


@dataclass(frozen=True)
class Rows:
    """A table with some rows, those of training and others: ``codes`` and the same for the twin."""

    case: Coded
    codes: np.ndarray
    rows: list[list[int | None]]


def as_row(codes: Sequence[int], n_values: Sequence[int]) -> list[int | None]:
    return [None if code == v else code for code, v in zip(codes, n_values, strict=True)]


@st.composite
def tables_and_rows(draw: st.DrawFn, **options: Any) -> Rows:
    """Tables in which values depend on each other, and rows of any values."""
    case = draw(coded_tables(**{"max_attributes": 5, "max_values": 3, "max_rows": 20, **options}))
    n_values = case.table.n_values
    new = draw(st.lists(st.tuples(*(st.integers(0, v) for v in n_values)), max_size=5))
    codes = np.concatenate([case.codes.T, np.array(new, dtype=np.uint8).reshape(-1, len(n_values))])
    return Rows(case, codes.T.copy(), [as_row(row, n_values) for row in codes.tolist()])


def dependent(
    n_rows: int, share_missing: float = 0.0, weighted: bool = False, n_attributes: int = 6, seed: int = 0
) -> Coded:
    """Rows for several words of a bitmap, with real dependencies and implications."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(3, size=n_rows)
    columns = [(classes + (rng.random(n_rows) < 0.3)) % 3]
    for _ in range(n_attributes - 2):
        other = columns[rng.integers(len(columns))]
        columns.append(np.where(rng.random(n_rows) < 0.6, other, rng.integers(3, size=n_rows)))
    columns.append(np.where(columns[0] == 1, 2, rng.integers(3, size=n_rows)))
    codes = np.column_stack(columns).astype(object)
    # not in the first and the last column, where holes would leave no implication
    codes[:, 1:-1][rng.random((n_rows, n_attributes - 2)) < share_missing] = None
    weights = (2 * rng.random(n_rows)).tolist() if weighted else None
    return coded(codes.tolist(), classes.tolist(), [3] * n_attributes, 3, weights)


def counts_of(
    tables: CountTables,
    k: int,
    n_rows: int,
    smoothing: Smoothing | None = None,
    triples: bool = False,
    leaves_out: bool = False,
) -> CaseCounts:
    assert tables.index is not None
    totals = tables.triples if triples else None
    return CaseCounts(tables.index, smoothing or Smoothing(), k, n_rows, totals, leaves_out=leaves_out)


def order_of(found: CaseStructures, row: int) -> list[int]:
    return found.order[row, : found.number[row]].tolist()


def parents_of(found: CaseStructures, row: int, network: int = 0) -> dict[int, list[int]]:
    """Parents of the attributes in the order of the network; the others have none."""
    parents = {i: found.parents[row, network, i] for i in order_of(found, row)}
    rest = np.delete(found.parents[row, network], order_of(found, row), axis=0)
    assert (rest == -1).all()
    for chosen in parents.values():
        assert (np.sort(chosen < 0) == (chosen < 0)).all()  # -1 comes last
    return {i: chosen[chosen >= 0].tolist() for i, chosen in parents.items()}


def implied_by(found: CaseStructures, row: int) -> dict[int, int]:
    return {i: int(by) for i, by in enumerate(found.implied_by[row]) if by >= 0}


# --- the k strongest


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(40)
@given(drawn=tables_and_rows(), k=KS, limit=st.none() | CRITICAL_VALUES)
def test_local_structures_equal_the_twin(layout, drawn, k, limit):
    tables = count_as(drawn.case, layout)
    implications = None if limit is None else Implications.find(tables, limit)
    found = local_structures(LocalInformation.learn(tables), drawn.codes, k, implications)
    for row, values in enumerate(drawn.rows):
        twin = naive_cases.local_kdb_network(drawn.case.table, values, k, limit)
        assert order_of(found, row) == twin.order
        assert parents_of(found, row) == twin.parents
        assert implied_by(found, row) == twin.implied_by
        for i in twin.order:
            reasons = [by for by in found.reasons[row, i].tolist() if by >= 0]
            assert sorted(reasons) == sorted(by for c in twin.changes.get(i, []) for by in c.by)


@pytest.mark.parametrize("share_missing", [0.0, 0.2])
@pytest.mark.parametrize("weighted", [False, True])
def test_local_structures_of_many_rows_equal_the_twin(share_missing, weighted):
    case = dependent(100, share_missing, weighted)
    tables = case.count(EVERYTHING)
    implications = Implications.find(tables, 5)
    found = local_structures(LocalInformation.learn(tables), case.codes, 2, implications)
    for row in range(5):
        twin = naive_cases.local_kdb_network(case.table, case.table.rows[row], 2, 5)
        assert (order_of(found, row), parents_of(found, row)) == (twin.order, twin.parents)
        assert implied_by(found, row) == twin.implied_by
    assert (found.implied_by >= 0).any()
    assert (found.reasons >= 0).any()


def local_information(relevance: Sequence[float], dependence: np.ndarray) -> Any:
    """What a row asks for, of one value per attribute."""

    class Given:
        def relevance_of(self, codes: np.ndarray) -> np.ndarray:
            return np.tile(np.array(relevance, dtype=np.float32), (codes.shape[1], 1))

        def dependence_of(self, codes: np.ndarray) -> np.ndarray:
            return np.tile(dependence.astype(np.float32), (codes.shape[1], 1, 1))

    return Given()


def implications(pairs: Sequence[tuple[int, int]], n: int) -> Any:
    class Given:
        def of(self, codes: np.ndarray) -> np.ndarray:
            result = np.zeros((codes.shape[1], n, n), dtype=bool)
            for p, q in pairs:
                result[:, p, q] = True
            return result

    return Given()


def candidates_of_the_last(strengths: Sequence[float]) -> Any:
    """Information by which the last attribute, last in the order, ranks the others as told."""
    n = len(strengths) + 1
    dependence = np.zeros((n, n))
    dependence[-1, :-1] = dependence[:-1, -1] = strengths
    return local_information(range(n, 0, -1), dependence)


@pytest.mark.parametrize(
    ("pairs", "kept", "reasons", "by"),
    [
        ([], [0, 1], [-1, -1], -1),
        ([(0, 1)], [0, 2], [-1, 0], -1),  # skipped, replaced by the next
        ([(0, 1), (0, 2), (0, 3)], [0], [-1, 0], -1),  # nothing left
        ([(1, 0)], [1, 2], [1, -1], -1),  # displaced
        ([(1, 0), (2, 1), (3, 2)], [3], [1, 2], -1),  # one after the other
        ([(3, 0), (3, 1)], [0, 1], [-1, -1], -1),  # never asked
        ([(0, 1), (2, 0)], [2, 3], [2, 0], -1),  # skipped by one that is displaced itself
        ([(0, 1), (1, 0)], [0, 2], [-1, 0], -1),  # of equals the stronger
        ([(1, 4)], [0, 1], [-1, -1], 1),  # elimination
        ([(0, 4), (1, 4)], [0, 1], [-1, -1], 0),  # the strongest of the reasons
        ([(2, 4)], [0, 1], [-1, -1], -1),  # no parent, no reason
        ([(0, 1), (2, 4)], [0, 2], [-1, 0], 2),  # a substitute implies it
    ],
)
def test_substitution_and_elimination(pairs, kept, reasons, by):
    """Predecessors 0, 1, 2, 3 of attribute 4, the strongest first, and two parents."""
    local = candidates_of_the_last([4, 3, 2, 1])
    found = local_structures(local, np.zeros((5, 1), dtype=np.uint8), 2, implications(pairs, 5))
    assert parents_of(found, 0)[4] == kept
    assert found.reasons[0, 4].tolist() == reasons
    assert found.implied_by[0, 4] == by


def test_two_parents_displaced_at_once():
    local = candidates_of_the_last([4, 3, 2, 1])
    pairs = implications([(2, 0), (2, 1)], 5)
    found = local_structures(local, np.zeros((5, 1), dtype=np.uint8), 3, pairs)
    assert parents_of(found, 0)[4] == [2, 3]
    assert found.reasons[0, 4].tolist() == [2, 2, -1]


def test_ties_go_to_the_lower_index_and_to_the_earlier_in_the_order():
    dependence = np.ones((4, 4))
    local = local_information([1, 2, 1, 2], dependence)
    found = local_structures(local, np.zeros((4, 1), dtype=np.uint8), 2)
    assert order_of(found, 0) == [1, 3, 0, 2]
    assert parents_of(found, 0) == {1: [], 3: [1], 0: [1, 3], 2: [1, 3]}


def test_parents_may_share_less_than_nothing():
    local = candidates_of_the_last([-0.5, -0.25])
    found = local_structures(local, np.zeros((3, 1), dtype=np.uint8), 2)
    assert parents_of(found, 0)[2] == [1, 0]


def test_a_row_with_nothing_has_no_network():
    case = coded([[0, 0], [1, 1]], [0, 1], [2, 2], 2)
    tables = case.count(EVERYTHING)
    nothing = np.array([[2], [2]], dtype=np.uint8)
    local = LocalInformation.learn(tables)
    for found in (
        local_structures(local, nothing, 1, Implications.find(tables, 1)),
        informative_structures(local, counts_of(tables, 1, 1), nothing, 1, np.zeros(1)),
        tree_structures(conditional_mutual_information(tables), nothing, Implications.find(tables, 1), {}),
    ):
        assert found.number.tolist() == [0]
        assert implied_by(found, 0) == {}
    joint = np.zeros((1, 1, 2))
    counts_of(tables, 1, 1).add_log_factors(nothing, found.parents, found.implied_by, joint)
    assert not joint.any()


# --- without what is redundant

RATIOS = np.array([0, 0.01, 0.1, 0.3, 0.5, 1, 1.5])


@pytest.mark.parametrize("triples", [True, False], ids=["triples", "index"])
@examples(40)
@given(drawn=tables_and_rows(), k=KS, ratios=st.sets(st.sampled_from(RATIOS.tolist()), min_size=1))
def test_informative_structures_equal_the_twin(triples, drawn, k, ratios):
    """Of several ratios at once, whatever one has found out for another."""
    tables = drawn.case.count(EVERYTHING)
    ratios = sorted(ratios)
    counts = counts_of(tables, k, drawn.codes.shape[1], triples=triples)
    found = informative_structures(
        LocalInformation.learn(tables), counts, drawn.codes, k, np.array(ratios, dtype=np.float64)
    )
    assert (found.implied_by == -1).all()
    for row, values in enumerate(drawn.rows):
        for network, ratio in enumerate(ratios):
            twin = naive_cases.optimized_kdb_network(drawn.case.table, values, k, ratio)
            assert order_of(found, row) == twin.order
            assert parents_of(found, row, network) == twin.parents


@pytest.mark.parametrize("share_missing", [0.0, 0.2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", [2, 3])
def test_informative_structures_of_many_rows_equal_the_twin(share_missing, weighted, k):
    case = dependent(100, share_missing, weighted)
    tables = case.count(EVERYTHING)
    codes, local = np.ascontiguousarray(case.codes[:, :5]), LocalInformation.learn(tables)
    found = [
        informative_structures(local, counts_of(tables, k, 5, triples=triples), codes, k, RATIOS)
        for triples in (True, False)
    ]
    for row, (network, ratio) in product(range(5), enumerate(RATIOS)):
        twin = naive_cases.optimized_kdb_network(case.table, case.table.rows[row], k, ratio)
        for of_row in found:
            assert parents_of(of_row, row, network) == twin.parents
    assert (found[0].parents[:, 0] != found[0].parents[:, -1]).any()


@pytest.mark.parametrize("triples", [True, False], ids=["triples", "index"])
@pytest.mark.parametrize("share_missing", [0.0, 0.3])
@pytest.mark.parametrize("weighted", [False, True])
def test_pointwise_information_equals_the_twin(triples, share_missing, weighted):
    """Beside values that were seen together, else beside the first of them."""
    case = dependent(60, share_missing, weighted, n_attributes=4)
    tables = case.count(EVERYTHING)
    counts = counts_of(tables, 3, 1, triples=triples)
    for row in np.random.default_rng(0).integers(3, size=(8, 4)).tolist():
        codes = np.array(row, dtype=np.uint8)
        for i, j, *others in permutations(range(4)):
            for condition in (others[:0], others[:1], others):
                values = {c: row[c] for c in condition}
                if not naive.total_count(case.table, values, [i, j]):
                    values = {c: row[c] for c in condition[:1]}
                expected = naive_cases.pointwise_conditional_mutual_information(
                    case.table, i, row[i], j, row[j], values
                )
                actual = counts.pointwise_information(codes, i, j, condition)
                assert actual == pytest.approx(expected, rel=0, abs=1e-12)


def test_a_rare_dependence_does_not_drown_in_rows_with_holes():
    """Rows that do not count may weigh any amount."""
    rows = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0]]
    holes = [[0, None, 0], [None, 0, 0]]
    alone = coded(rows, [0] * 5, [2, 2, 1], 1)
    case = coded([*rows, *holes], [0] * 7, [2, 2, 1], 1, [1.0] * 5 + [1e20 / 3] * 2)
    codes = np.array([0, 0, 0], dtype=np.uint8)
    for condition in ([], [2]):
        expected, actual = (
            counts_of(c.count(EVERYTHING), 2, 1, triples=True).pointwise_information(codes, 0, 1, condition)
            for c in (alone, case)
        )
        assert actual == pytest.approx(expected, rel=1e-12)


# --- trees


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(40)
@given(drawn=tables_and_rows(), limit=CRITICAL_VALUES)
def test_trees_equal_the_twin(layout, drawn, limit):
    table, tables = drawn.case.table, count_as(drawn.case, layout)
    dependence = conditional_mutual_information(tables)
    found = tree_structures(dependence, drawn.codes, Implications.find(tables, limit), {})
    for row, values in enumerate(drawn.rows):
        gone = naive.subsumed(table, values, limit)
        left = [i for i in table.attributes if i not in gone]
        tree = naive.tan_parents(naive_cases.only(table, left))
        expected = {i: [left[p] for p in chosen] for i, chosen in zip(left, tree, strict=True)}
        actual = {i: [p for p in found.parents[row, 0, i].tolist() if p >= 0] for i in left}
        assert actual == expected
        assert set(implied_by(found, row)) == gone
        for i, by in implied_by(found, row).items():
            assert naive_cases.implies(table, by, values[by], i, values[i], limit)
        assert order_of(found, row) == [i for i, value in enumerate(values) if value is not None]
        assert (found.parents[row, 0, list(gone)] == -1).all()


# --- factors


@st.composite
def networks(draw: st.DrawFn, n_attributes: int, k: int, number: int) -> np.ndarray:
    """Some networks with up to k parents for each attribute, (number, n_attributes, k)."""
    parents = np.full((number, n_attributes, k), -1, dtype=np.int32)
    for network, child in product(range(number), range(n_attributes)):
        others = [i for i in range(n_attributes) if i != child]
        chosen = draw(st.lists(st.sampled_from(others), unique=True, max_size=k)) if others else []
        parents[network, child, : len(chosen)] = chosen
    return parents


def slow_joint(
    table: naive.Table, row: naive.Row, parents: np.ndarray, smoothing: Smoothing, left_out: set[int]
) -> np.ndarray:
    """Product of the factors of a row."""
    joint = np.ones(table.n_classes)
    for child in table.attributes:
        if row[child] is not None and child not in left_out:
            chosen = [p for p in parents[child].tolist() if p >= 0]
            joint *= naive.family_probability(table, child, row, chosen, smoothing.method, smoothing.strength)
    return joint


@examples(60)
@given(drawn=tables_and_rows(max_rows=12), k=KS, smoothing=SMOOTHINGS, data=st.data())
def test_factors_equal_the_twin(drawn, k, smoothing, data):
    """Of several networks at once, with parents that were never seen together."""
    table = drawn.case.table
    n_attributes, number = len(table.n_values), data.draw(st.integers(1, 3))
    parents = data.draw(networks(n_attributes, k, number))
    implied = np.full((len(drawn.rows), n_attributes), -1, dtype=np.int32)
    implied[data.draw(st.integers(0, len(drawn.rows) - 1)), data.draw(st.integers(0, n_attributes - 1))] = 0
    counts = counts_of(drawn.case.count(EVERYTHING), k, len(drawn.rows), smoothing)
    joint = np.zeros((len(drawn.rows), number, table.n_classes))
    everywhere = np.tile(parents, (len(drawn.rows), 1, 1, 1))
    counts.add_log_factors(drawn.codes, everywhere, implied, joint)
    for row, values in enumerate(drawn.rows):
        for network in range(number):
            expected = slow_joint(
                table, values, parents[network], smoothing, set(np.flatnonzero(implied[row] >= 0).tolist())
            )
            np.testing.assert_allclose(np.exp(joint[row, network]), expected, rtol=1e-11, atol=0)


@examples(60)
@given(case=coded_tables(max_attributes=4, max_rows=12), k=KS, smoothing=SMOOTHINGS, data=st.data())
def test_factors_without_the_row_itself_equal_the_twin(case, k, smoothing, data):
    table = case.table
    n_rows, n_attributes = len(table.rows), len(table.n_values)
    parents = data.draw(networks(n_attributes, k, 2))
    counts = counts_of(case.count(EVERYTHING), k, n_rows, smoothing, leaves_out=True)
    left_out = np.ones(n_rows) if case.weights is None else np.minimum(case.weights, 1)
    joint = np.zeros((n_rows, 2, table.n_classes))
    nothing = np.full((n_rows, n_attributes), -1, dtype=np.int32)
    counts.add_log_factors(
        case.codes, np.tile(parents, (n_rows, 1, 1, 1)), nothing, joint, case.classes, left_out
    )
    for row, values in enumerate(table.rows):
        others = naive_cases.without_one_copy(table, row)
        for network in range(2):
            expected = slow_joint(others, values, parents[network], smoothing, set())
            np.testing.assert_allclose(np.exp(joint[row, network]), expected, rtol=1e-11, atol=0)


def test_factors_are_added():
    case = dependent(40)
    counts = counts_of(case.count(EVERYTHING), 1, 40)
    parents = np.full((40, 1, 6, 1), -1, dtype=np.int32)
    nothing = np.full((40, 6), -1, dtype=np.int32)
    once, twice = np.zeros((2, 40, 1, 3))
    twice += 5
    counts.add_log_factors(case.codes, parents, nothing, once)
    for _ in range(2):
        counts.add_log_factors(case.codes, parents, nothing, twice)
    np.testing.assert_allclose(twice, 5 + 2 * once, rtol=1e-14)


def test_a_row_that_is_alone_with_its_combination_backs_off():
    # "0, 0" occurs once: without it x1 knows nothing beside x0 = 0, with it one row
    case = coded([[0, 0], [0, 1], [0, 1], [1, 0]], [0, 0, 1, 1], [2, 2], 2)
    parents = np.full((1, 1, 2, 1), -1, dtype=np.int32)
    parents[0, 0, 0, 0] = 1  # P(x0 | x1, y)
    tables = case.count(EVERYTHING)
    nothing = np.full((1, 2), -1, dtype=np.int32)
    codes = np.array([[1], [0]], dtype=np.uint8)
    joints = np.zeros((2, 1, 1, 2))
    counts_of(tables, 1, 1).add_log_factors(codes, parents, nothing, joints[0])
    counts_of(tables, 1, 1, leaves_out=True).add_log_factors(
        codes, parents, nothing, joints[1], np.array([1]), np.array([1.0])
    )
    # with the row: N(x1=0, y) = 1, 1; of them x0 = 1 in class 1
    np.testing.assert_allclose(np.exp(joints[0, 0, 0]), [0.5 / 2 * 1.5 / 3, 1.5 / 2 * 1.5 / 3])
    # without it: N(x1=0, y) = 1, 0; N(x1=0) in class 0 of two rows, in class 1 of one
    np.testing.assert_allclose(np.exp(joints[1, 0, 0]), [0.5 / 2 * 1.5 / 3, 0.5 / 1 * 0.5 / 2])


# --- memory and blocks


@pytest.mark.parametrize("bytes_of_memo", [1, 2000])
def test_a_memo_that_forgets_changes_nothing(monkeypatch, bytes_of_memo):
    case = dependent(130, 0.1, weighted=True)
    tables = case.count(EVERYTHING)
    local = LocalInformation.learn(tables)

    def results() -> tuple[np.ndarray, np.ndarray]:
        counts = counts_of(tables, 3, 130)
        found = informative_structures(local, counts, case.codes, 3, RATIOS)
        joint = np.zeros((130, len(RATIOS), 3))
        counts.add_log_factors(case.codes, found.parents, found.implied_by, joint)
        return found.parents, joint

    expected = results()
    monkeypatch.setattr(instance_index, "_MEMO_BYTES", bytes_of_memo)
    for actual, of_large_memo in zip(results(), expected, strict=True):
        np.testing.assert_array_equal(actual, of_large_memo)


@examples(20)
@given(drawn=tables_and_rows(), k=KS, data=st.data())
def test_rows_do_not_depend_on_each_other(drawn, k, data):
    tables = drawn.case.count(EVERYTHING)
    local = LocalInformation.learn(tables)
    some = data.draw(st.lists(st.integers(0, len(drawn.rows) - 1), min_size=1, max_size=4))
    part = np.ascontiguousarray(drawn.codes[:, some])

    def of(codes: np.ndarray) -> tuple[CaseStructures, np.ndarray]:
        counts = counts_of(tables, k, codes.shape[1], triples=True)
        found = informative_structures(local, counts, codes, k, RATIOS[1:3])
        joint = np.zeros((codes.shape[1], 2, tables.n_classes))
        counts.add_log_factors(codes, found.parents, found.implied_by, joint)
        return found, joint

    (few, few_joints), (all_found, all_joints) = of(part), of(drawn.codes)
    np.testing.assert_array_equal(few.parents, all_found.parents[some])
    np.testing.assert_array_equal(few_joints, all_joints[some])


@pytest.mark.parametrize("n_attributes", [0, 1, 8, 30, 1000])
@pytest.mark.parametrize("n_rows", [0, 1, 16, 17, 5000])
def test_tiles_cover_the_rows(n_rows, n_attributes):
    covered = [row for tile in tiles(n_rows, n_attributes) for row in range(tile.start, tile.stop)]
    assert covered == list(range(n_rows))


def test_tiles_are_small_where_there_are_many_attributes():
    sizes = {n: next(tiles(10_000, n)).stop for n in (2, 50, 100, 2000)}
    assert sizes[2] == 512
    assert sizes[2000] == 16
    for n in (50, 100):
        assert 5 * n * n * sizes[n] <= module._TILE_BYTES


def test_rows_in_tiles_of_any_size():
    case = dependent(100)
    tables = case.count(EVERYTHING)
    local = LocalInformation.learn(tables)
    whole = local_structures(local, case.codes, 2)
    with patch.object(module, "_TILE_BYTES", 0):
        parts = [
            local_structures(local, np.ascontiguousarray(case.codes[:, tile]), 2) for tile in tiles(100, 6)
        ]
    assert len(parts) > 1
    np.testing.assert_array_equal(np.concatenate([part.parents for part in parts]), whole.parents)


# --- what is told to people


def test_a_network_gives_its_attributes_by_name():
    network = CaseNetwork((CaseAttribute("b", 1, 0.5, ()), CaseAttribute("a", 2, 0.1, ())), ("c",))
    assert network["a"].value == 2
    for name in ("c", "nonsense"):
        assert name not in network
        with pytest.raises(KeyError, match=name):
            network[name]
    assert "a" in network
    assert list(network) == list(network.attributes)
