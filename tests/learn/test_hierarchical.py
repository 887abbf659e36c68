"""Concentrations from counts, and the estimates they give, against the twin, which goes through the rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from coded_tables import LAYOUTS, Coded, coded, coded_tables, count_as, examples
from hypothesis import given
from hypothesis import strategies as st
from test_factors import every_configuration

from seminaive.counts.family import DenseFamily
from seminaive.counts.plan import CountPlan
from seminaive.learn.factors import log_attribute_factors, log_factor, log_factor_table
from seminaive.learn.hierarchical import CONCENTRATIONS, choose_levels
from seminaive.learn.smoothing import Levels
from seminaive.testing import naive_averaged as naive


def families(case: Coded, members: tuple[int, ...]):
    """The family in every layout."""
    plan = CountPlan(families=(members,) if len(members) > 1 else ())
    return [count_as(case, layout, plan).family(members) for layout in LAYOUTS]


def twin_table(case: Coded):
    """What the functions of the twin take first."""
    weights = np.ones(len(case.classes)) if case.weights is None else case.weights
    return case.codes, case.classes, weights, case.table.n_values, case.table.n_classes


@st.composite
def some_members(draw, case: Coded):
    """Up to three parents, and a child that has values."""
    usable = [i for i, v in enumerate(case.table.n_values) if v]
    child = draw(st.sampled_from(usable or [0]))
    others = draw(st.permutations([i for i in range(len(case.schema)) if i != child]))
    return (*others[: draw(st.integers(0, len(others)))], child)


# --- the choice


@examples(20)
@given(case=coded_tables(max_values=3, max_rows=12, weighted=False), data=st.data())
def test_choice_equals_the_twin(case, data):
    members = data.draw(some_members(case))
    if case.table.n_values[members[-1]] == 0:
        return
    expected = naive.choose_concentrations(*twin_table(case), members[-1], members[:-1])
    for family in families(case, members):
        assert list(choose_levels(family).concentrations) == expected


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_choice_equals_the_twin_on_a_larger_table(k):
    rng = np.random.default_rng(k)
    labels = rng.integers(3, size=90)
    noise = rng.choice(4, p=[0.6, 0.2, 0.1, 0.1], size=(90, 4))
    noise[:, 1] = np.where(rng.random(90) < 0.7, noise[:, 0], noise[:, 1])
    rows = [
        [None if bit == 3 else int(label + bit) % 3 for bit in bits]
        for label, bits in zip(labels, noise, strict=True)
    ]
    case = coded(rows, labels.tolist(), [3, 3, 3, 4], 3)
    members = (*range(1, k + 1), 0)
    expected = naive.choose_concentrations(*twin_table(case), 0, members[:-1])
    for family in families(case, members):
        assert list(choose_levels(family).concentrations) == expected
    assert len(set(expected)) > 1


@examples(40)
@given(case=coded_tables(max_rows=20, weighted=False), data=st.data())
def test_copies_are_weights(case, data):
    members = data.draw(some_members(case))
    copies = data.draw(st.lists(st.integers(1, 4), min_size=len(case.classes), max_size=len(case.classes)))
    rows = np.repeat(np.arange(len(copies)), copies)
    rows = rows[data.draw(st.permutations(range(len(rows))))]
    n_values, n_classes = case.table.n_values, case.table.n_classes
    more = coded([case.table.rows[r] for r in rows], case.classes[rows].tolist(), n_values, n_classes)
    heavy = coded(case.table.rows, case.classes.tolist(), n_values, n_classes, copies)
    chosen = {choose_levels(family) for each in (more, heavy) for family in families(each, members)}
    assert len(chosen) == 1


@examples(40)
@given(case=coded_tables(weighted=True), data=st.data())
def test_layout_does_not_matter(case, data):
    dense, sparse = map(choose_levels, families(case, data.draw(some_members(case))))
    assert dense == sparse
    assert set(dense.concentrations) <= set(CONCENTRATIONS)


@pytest.mark.parametrize("seed", range(5))
def test_order_of_sparse_cells_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    rows, labels = rng.integers(3, size=(15, 2)).tolist(), rng.integers(2, size=15).tolist()
    case = coded(rows, labels, [3, 3], 2)
    (expected, _), (_, other) = families(case, (0, 1)), families(case, (1, 0))
    assert choose_levels(other.reversed_pair()) == choose_levels(expected)


def test_a_cell_below_one_row_leaves_itself_out_altogether():
    # cells of weights 12, 1/2 and 2: left out are 1, 1/2 and 1
    family = DenseFamily((3,), np.array([[12.0], [0.5], [2.0]]))

    def likelihood(c: float) -> float:
        left = [(12, 11, 13.5), (0.5, 0, 14), (2, 1, 13.5)]
        return sum(weight * math.log((own + c / 3) / (whole + c)) for weight, own, whole in left)

    best = max(CONCENTRATIONS, key=likelihood)
    assert choose_levels(family).concentrations[0] == best
    assert 0.25 < best < 4096


@pytest.mark.parametrize("n_values", [0, 2])
def test_nothing_seen_takes_the_smallest(n_values):
    family = DenseFamily.empty((2, n_values), 3, np.int64)
    levels = choose_levels(family)
    assert levels == Levels((0.25, 0.25, 0.25))
    table = np.exp(log_factor_table(family, levels))
    np.testing.assert_allclose(table[:, :n_values], 1 / max(n_values, 1), rtol=1e-15)


def test_families_of_many_values_have_no_large_tables():
    """A million values of two parents, of which five combinations occur."""
    codes = [[5, 999_999, 1], [5, 3, 0], [6, 3, 0], [5, 3, 1], [999_999, 0, 1]]
    case = coded(codes, [0, 1, 0, 1, 1], [10**6, 10**6, 2], 2)
    sparse = count_as(case, "sparse", CountPlan(families=((0, 1, 2),))).family((0, 1, 2))
    small = [[0, 2, 1], [0, 1, 0], [1, 1, 0], [0, 1, 1], [2, 0, 1]]
    dense, _ = families(coded(small, [0, 1, 0, 1, 1], [3, 3, 2], 2), (0, 1, 2))
    assert choose_levels(sparse) == choose_levels(dense)


# --- the estimates


@examples(40)
@given(case=coded_tables(max_values=3, max_rows=15), data=st.data())
def test_estimates_equal_the_twin(case, data):
    members = data.draw(some_members(case))
    *parents, child = members
    sizes = [case.table.n_values[i] for i in members]
    if not sizes[-1]:
        return
    grid = st.sampled_from(CONCENTRATIONS.tolist())
    levels = Levels(tuple(data.draw(st.lists(grid, min_size=len(members) + 1, max_size=len(members) + 1))))
    cells = every_configuration(sizes)
    expected = np.empty((cells.shape[1], case.table.n_classes))
    for m, codes in enumerate(cells.T):
        row = np.array(case.table.n_values)
        row[list(members)] = codes
        found, _ = naive.estimates(row, *twin_table(case), child, parents, levels.concentrations)
        expected[m] = np.log(found[-1])
    dense, sparse = families(case, members)
    table = log_factor_table(dense, levels)
    assert table.shape == (*(v + 1 for v in sizes), case.table.n_classes)
    for actual in (table[tuple(cells)], log_factor(dense, cells, levels), log_factor(sparse, cells, levels)):
        np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(np.exp(table[..., :-1, :]).sum(axis=-2), 1, rtol=0, atol=1e-12)

    padded = log_factor_table(dense, levels, case.table.n_classes + 2)
    np.testing.assert_array_equal(padded[..., :-2], table)
    assert not padded[..., -2:].any()


@examples(20)
@given(case=coded_tables())
def test_factors_of_all_attributes(case):
    tables = case.count(CountPlan())
    levels = [choose_levels(tables.family((i,))) for i in range(len(case.schema))]
    factors = log_attribute_factors(tables, levels)
    for i, v in enumerate(case.table.n_values):
        slots = slice(tables.first_slot[i], tables.first_slot[i + 1])
        expected = log_factor(tables.family((i,)), every_configuration([v]), levels[i])
        np.testing.assert_allclose(factors[slots], expected, rtol=1e-13, atol=1e-15)


def test_by_hand():
    # x0 given x1, two classes; concentrations 2 (x0 alone), 1 (class), 4 (x1)
    case = coded([[0, 0], [0, 0], [1, 0], [1, None], [0, 1]], [0, 0, 0, 1, 1], [2, 2], 2)
    alone = (3 + 2 / 2) / (5 + 2)
    of_class = [(2 + 1 * alone) / (3 + 1), (1 + 1 * alone) / (2 + 1)]
    for family in families(case, (1, 0)):
        cells = np.array([[0, 1, 2], [0, 0, 0]])
        actual = np.exp(log_factor(family, cells, Levels((2.0, 1.0, 4.0))))
        expected = [
            [(2 + 4 * of_class[0]) / (3 + 4), of_class[1]],  # class 1 never had x1 = 0
            [of_class[0], (1 + 4 * of_class[1]) / (1 + 4)],
            of_class,  # x1 is not observed
        ]
        np.testing.assert_allclose(actual, expected, rtol=1e-15)
