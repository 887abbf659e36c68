"""Maximum spanning trees."""

from __future__ import annotations

import numpy as np
import pytest
from coded_tables import coded_tables, examples
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from seminaive.learn.information import conditional_mutual_information
from seminaive.learn.trees import inner_nodes, maximum_spanning_tree
from seminaive.testing import naive


@st.composite
def symmetric_weights(draw: st.DrawFn) -> np.ndarray:
    """Weights of a complete graph, exact in single precision; some are equal."""
    n = draw(st.integers(1, 7))
    weight = st.one_of(st.sampled_from([0.25, 0.5, 1.0]), st.floats(2**-10, 4, width=32))
    upper = draw(st.lists(weight, min_size=n * (n - 1) // 2, max_size=n * (n - 1) // 2))
    weights = np.zeros((n, n))
    weights[np.triu_indices(n, 1)] = upper
    return weights + weights.T


@examples(60)
@given(weights=symmetric_weights(), data=st.data())
def test_weighs_as_much_as_the_tree_of_scipy(weights, data):
    root = data.draw(st.integers(0, len(weights) - 1))
    parents = maximum_spanning_tree(weights, root)
    children = np.flatnonzero(parents >= 0)
    assert parents[root] == -1
    assert len(children) == len(weights) - 1
    tree = np.zeros_like(weights)
    tree[children, parents[children]] = 1
    assert connected_components(tree, directed=False)[0] == 1
    total = weights[children, parents[children]].sum()
    assert total == pytest.approx(-minimum_spanning_tree(-weights).sum(), rel=1e-12)


@examples(30)
@given(case=coded_tables(max_attributes=5), data=st.data())
def test_equals_the_twin(case, data):
    root = data.draw(st.integers(0, len(case.schema) - 1))
    parents = maximum_spanning_tree(conditional_mutual_information(case.count()), root)
    assert [[p] if p >= 0 else [] for p in parents] == naive.tan_parents(case.table, root)


def test_another_root_turns_the_arcs_only():
    chain = np.array([[0, 3, 1], [3, 0, 2], [1, 2, 0]])
    assert maximum_spanning_tree(chain).tolist() == [-1, 0, 1]
    assert maximum_spanning_tree(chain, root=1).tolist() == [1, -1, 1]
    assert maximum_spanning_tree(chain, root=2).tolist() == [1, 2, -1]


def test_ties_keep_the_parent_that_came_first():
    assert maximum_spanning_tree(np.ones((4, 4))).tolist() == [-1, 0, 0, 0]
    assert maximum_spanning_tree(np.ones((4, 4)), root=2).tolist() == [2, 2, -1, 2]


def test_ties_attach_the_lower_index_first():
    # 1 and 2 tie to join 0; 3 hangs equally on both and so on 1
    weights = np.array([[0, 5, 5, 1], [5, 0, 1, 3], [5, 1, 0, 3], [1, 3, 3, 0]])
    assert maximum_spanning_tree(weights).tolist() == [-1, 0, 0, 1]


def test_differences_beyond_single_precision_are_ties():
    weights = np.array([[0, 1, 1], [1, 0, 1 + 1e-12], [1, 1 + 1e-12, 0]])
    assert maximum_spanning_tree(weights).tolist() == [-1, 0, 0]


def test_edges_of_weight_zero_count():
    assert maximum_spanning_tree(np.zeros((3, 3))).tolist() == [-1, 0, 0]
    # noise below zero counts as zero
    assert maximum_spanning_tree(np.full((3, 3), -1e-17)).tolist() == [-1, 0, 0]


@pytest.mark.parametrize("n", [0, 1])
def test_no_edges(n):
    assert maximum_spanning_tree(np.zeros((n, n))).tolist() == [-1] * n


# --- inner nodes


def weights_of(n: int, edges: dict[tuple[int, int], float]) -> np.ndarray:
    """A complete graph in which all other edges weigh nothing."""
    weights = np.zeros((n, n))
    for (i, j), weight in edges.items():
        weights[i, j] = weights[j, i] = weight
    return weights


@examples(60)
@given(weights=symmetric_weights(), data=st.data())
def test_inner_nodes_have_two_neighbours(weights, data):
    for i, j in data.draw(st.lists(st.tuples(*[st.integers(0, len(weights) - 1)] * 2), max_size=9)):
        weights[i, j] = weights[j, i] = 0
    parents = maximum_spanning_tree(weights)
    arcs = [(child, p) for child, p in enumerate(parents.tolist()) if p >= 0 and weights[child, p] > 0]
    inner = [sum(node in arc for arc in arcs) >= 2 for node in range(len(weights))]
    actual = inner_nodes(weights)
    assert actual.dtype == bool
    assert actual.tolist() == (inner if any(inner) else [True] * len(weights))


@pytest.mark.parametrize(
    ("edges", "inner"),
    [
        ({(0, 1): 1, (1, 2): 1, (2, 3): 1}, [1, 2]),  # a chain
        ({(0, 1): 1, (0, 2): 1, (0, 3): 1}, [0]),  # a star around the root
        ({(3, 0): 1, (3, 1): 1, (3, 2): 1}, [3]),  # and around another node
        ({(0, 1): 1, (2, 3): 1}, [0, 1, 2, 3]),  # two pairs, nothing joins them
        ({(0, 1): 1, (1, 2): 1}, [1]),  # one that tells nothing is no neighbour
        ({}, [0, 1, 2, 3]),
    ],
)
def test_inner_nodes_by_hand(edges, inner):
    assert np.flatnonzero(inner_nodes(weights_of(4, edges))).tolist() == inner


def test_noise_joins_nothing():
    assert inner_nodes(weights_of(3, {(0, 1): 1, (1, 2): 1e-13})).tolist() == [True] * 3
    assert inner_nodes(weights_of(3, {(0, 1): 1, (1, 2): 1e-11})).tolist() == [False, True, False]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_trees_without_inner_nodes(n):
    assert inner_nodes(1 - np.eye(n)).tolist() == [True] * n
