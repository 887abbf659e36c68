"""Orders and parents of k-dependence networks."""

from __future__ import annotations

import numpy as np
import pytest
from coded_tables import coded_tables, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive.learn.information import conditional_mutual_information, mutual_information
from seminaive.learn.parents import k_dependence_parents
from seminaive.testing import naive

RELEVANCE = np.array([0.1, 0.4, 0.3, 0.2])
DEPENDENCE = np.array([[0, 1, 2, 3], [1, 0, 4, 5], [2, 4, 0, 6], [3, 5, 6, 0.0]])


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (0, [[], [], [], []]),
        (1, [[3], [], [1], [2]]),
        (2, [[3, 2], [], [1], [2, 1]]),
        (3, [[3, 2, 1], [], [1], [2, 1]]),
        (99, [[3, 2, 1], [], [1], [2, 1]]),
    ],
)
def test_the_strongest_predecessors_come_first(k, expected):
    order, parents = k_dependence_parents(RELEVANCE, DEPENDENCE, k)
    assert order.tolist() == [1, 2, 3, 0]
    assert parents == expected


@examples(40)
@given(case=coded_tables(max_attributes=5), k=st.integers(0, 5))
def test_equals_the_twin(case, k):
    tables = case.count()
    _, parents = k_dependence_parents(mutual_information(tables), conditional_mutual_information(tables), k)
    assert parents == naive.kdb_parents(case.table, k)


@examples(30)
@given(n=st.integers(0, 8), k=st.integers(0, 9), seed=st.integers(0, 99))
def test_number_of_arcs(n, k, seed):
    rng = np.random.default_rng(seed)
    dependence = rng.integers(3, size=(n, n))
    order, parents = k_dependence_parents(rng.integers(3, size=n), dependence + dependence.T, k)
    k = min(k, max(n - 1, 0))
    assert sum(map(len, parents)) == n * k - k * (k + 1) // 2
    position = {int(i): p for p, i in enumerate(order)}
    assert all(position[p] < position[child] for child in range(n) for p in parents[child])


def test_ties_go_to_the_earlier_attribute():
    order, parents = k_dependence_parents(np.ones(4), np.ones((4, 4)), k=2)
    assert order.tolist() == [0, 1, 2, 3]
    assert parents == [[], [0], [0, 1], [0, 1]]


def test_ties_between_parents_go_to_the_earlier_in_the_order():
    order, parents = k_dependence_parents(np.array([1, 3, 2]), np.ones((3, 3)), k=1)
    assert order.tolist() == [1, 2, 0]
    assert parents == [[1], [], [1]]  # 0 hangs on 1, the first in the order


def test_differences_beyond_single_precision_are_ties():
    relevance = np.array([0.5, 0.5 + 1e-12, 0.5 - 1e-12])
    dependence = np.array([[0, 1, 1], [1, 0, 1 + 1e-12], [1, 1 + 1e-12, 0]])
    order, parents = k_dependence_parents(relevance, dependence, k=1)
    assert order.tolist() == [0, 1, 2]
    assert parents == [[], [0], [0]]
