"""Log factors of families: whole tables, single configurations, and the twin."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from coded_tables import LAYOUTS, Coded, coded, coded_tables, count_as, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive.counts.plan import CountPlan
from seminaive.learn.factors import (
    log_attribute_factors,
    log_factor,
    log_factor_table,
)
from seminaive.learn.smoothing import Smoothing
from seminaive.testing import naive

SMOOTHINGS = st.builds(Smoothing, st.sampled_from(["m-estimate", "laplace"]), st.sampled_from([0, 0.5, 1.0]))


def every_configuration(n_values: list[int]) -> np.ndarray:
    """All codes of some attributes, "not observed" included; shape (attributes, m)."""
    return np.array(list(product(*(range(v + 1) for v in n_values))), dtype=np.uint8).T


def twin(case: Coded, members: tuple[int, ...], cells: np.ndarray, smoothing: Smoothing) -> np.ndarray:
    """`log_factor` from the rows themselves."""
    *parents, child = members
    probabilities = np.ones((cells.shape[1], case.table.n_classes))
    for m, codes in enumerate(cells.T.tolist()):
        row: list[int | None] = [None] * len(case.schema)
        for i, code in zip(members, codes, strict=True):
            row[i] = code if code < case.table.n_values[i] else None
        if row[child] is not None:
            probabilities[m] = naive.family_probability(
                case.table, child, row, parents, smoothing.method, smoothing.strength
            )
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


@examples(60)
@given(case=coded_tables(max_values=3, max_rows=15), smoothing=SMOOTHINGS, data=st.data())
def test_tables_and_configurations_equal_the_twin(case, smoothing, data):
    members = tuple(data.draw(st.permutations(range(len(case.schema)))))  # up to three parents
    n_values = [case.table.n_values[i] for i in members]
    cells = every_configuration(n_values)
    plan = CountPlan(families=(members,))
    dense, sparse = (count_as(case, layout, plan).family(members) for layout in LAYOUTS)

    table = log_factor_table(dense, smoothing)
    assert table.shape == (*(v + 1 for v in n_values), case.table.n_classes)
    expected = twin(case, members, cells, smoothing)
    for actual in (
        table[tuple(cells)],
        log_factor(dense, cells, smoothing),
        log_factor(sparse, cells, smoothing),
    ):
        np.testing.assert_allclose(actual, expected, rtol=1e-14, atol=1e-15)

    width = case.table.n_classes + 2
    padded = log_factor_table(dense, smoothing, width)
    np.testing.assert_array_equal(padded[..., :-2], table)
    assert not padded[..., -2:].any()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_backs_off_from_the_weakest_parent(layout):
    # x0 given x1 (stronger) and x2
    rows = [[0, 0, 0], [1, 0, 0], [1, 0, 0], [None, 0, 1], [0, 1, 1]]
    case = coded(rows, [0] * 5, [2, 3, 2], 1)
    members = (1, 2, 0)
    family = count_as(case, layout, CountPlan(families=(members,))).family(members)

    def probability(x1: int, x2: int, x0: int) -> float:
        return math.exp(log_factor(family, np.array([[x1], [x2], [x0]]), Smoothing())[0, 0])

    assert probability(0, 0, 0) == pytest.approx(1.5 / 4)
    assert probability(0, 1, 0) == pytest.approx(1.5 / 4)  # together only where x0 is missing: x1 = 0 is left
    assert probability(2, 0, 0) == pytest.approx(2.5 / 5)  # x1 = 2 was never seen: nothing is left
    assert probability(3, 1, 0) == pytest.approx(1.5 / 2)  # x1 is not observed: x2 alone
    assert probability(0, 0, 2) == 1  # the child is not observed


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_combination_that_one_class_never_had_is_no_reason_to_back_off(layout):
    case = coded([[0, 0], [0, 0], [1, 0], [1, 1]], [0, 0, 1, 1], [2, 2], 2)
    members = (1, 0)
    family = count_as(case, layout, CountPlan(families=(members,))).family(members)
    # x1 = 1 was seen in class 1 only: the uniform prior for class 0
    actual = np.exp(log_factor(family, np.array([[1], [0]]), Smoothing()))
    np.testing.assert_allclose(actual, [[1 / 2, 0.5 / 2]])


@examples(30)
@given(case=coded_tables(), smoothing=SMOOTHINGS)
def test_factors_of_all_attributes(case, smoothing):
    tables = case.count(CountPlan())
    factors = log_attribute_factors(tables, smoothing)
    for i, v in enumerate(case.table.n_values):
        slots = slice(tables.first_slot[i], tables.first_slot[i + 1])
        expected = log_factor(tables.family((i,)), every_configuration([v]), smoothing)
        np.testing.assert_array_equal(factors[slots], expected)
