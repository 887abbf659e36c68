"""k-dependence Bayes, by hand."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from seminaive import KDB, TAN, NaiveBayes

X = np.array([["a", "s"], ["a", "s"], ["b", "t"], ["b", "t"], ["a", "t"]])
Y = [0, 0, 0, 1, 1]


def random_table(n_attributes):
    """Attributes that depend on the class less and less, and on each other."""
    rng = np.random.default_rng(1)
    y = rng.integers(3, size=200)
    common = rng.integers(2, size=200)
    table = [
        np.where(rng.random(200) < 0.8 - 0.1 * i, y + common, rng.integers(4, size=200))
        for i in range(n_attributes)
    ]
    return np.column_stack(table), y


def test_joint():
    # x1 tells more about the class (s is pure), and so comes first
    model = KDB(k=1).fit(X, Y)
    assert model.parents_ == {"x0": ["x1"], "x1": []}
    # P(y) P(t | y) P(a | t, y)
    expected = [3.5 / 6 * 1.5 / 4 * 0.5 / 2, 2.5 / 6 * 2.5 / 3 * 1.5 / 3]
    np.testing.assert_allclose(np.exp(model.joint_log_likelihood([["a", "t"]])), [expected])


def test_backs_off_to_the_stronger_parent():
    # one class, so that the order is that of the columns; x2 depends most on x0
    rows = [["a", "p", "u"], ["a", "p", "u"], ["b", "q", "u"], ["b", "p", "v"], ["b", "p", "v"]]
    model = KDB(k=2).fit(np.array(rows), [0] * 5)
    assert model.parents_ == {"x0": [], "x1": ["x0"], "x2": ["x0", "x1"]}
    # "a" and "q" were never seen together: P(a) P(q | a) P(u | a)
    actual = np.exp(model.joint_log_likelihood([["a", "q", "u"]]))
    np.testing.assert_allclose(actual, [[2.5 / 6 * 0.5 / 3 * 2.5 / 3]])


def test_no_parents_is_naive_bayes():
    table, y = random_table(5)
    expected = NaiveBayes(categorical_features="all").fit(table, y)
    model = KDB(k=0, categorical_features="all").fit(table, y)
    assert model.parents_ == expected.parents_
    np.testing.assert_array_equal(model.joint_log_likelihood(table), expected.joint_log_likelihood(table))


@pytest.mark.parametrize("k", [4, 5, 1000, np.int64(4)], ids=repr)
def test_no_more_parents_than_predecessors(k):
    table, y = random_table(5)
    model = KDB(k, categorical_features="all").fit(table, y)
    assert sorted(map(len, model.parents_.values())) == [0, 1, 2, 3, 4]
    expected = KDB(k=4, categorical_features="all").fit(table, y)
    assert model.parents_ == expected.parents_
    np.testing.assert_array_equal(model.predict_proba(table), expected.predict_proba(table))


def test_two_attributes_and_one_parent_make_a_tree():
    tree, network = TAN(root="x1").fit(X, Y), KDB(k=1).fit(X, Y)
    assert tree.parents_ == network.parents_
    np.testing.assert_array_equal(tree.joint_log_likelihood(X), network.joint_log_likelihood(X))


def test_parents_of_less_information_are_added_last():
    table, y = random_table(6)
    parents = [KDB(k=k, categorical_features="all").fit(table, y).parents_ for k in range(6)]
    for fewer, more in pairwise(parents):
        assert all(more[name][: len(chosen)] == chosen for name, chosen in fewer.items())


@pytest.mark.parametrize("k", [-1, 1.0, 2.5, "2", None, True, [1]], ids=repr)
def test_k_must_be_a_whole_number(k):
    with pytest.raises(ValueError, match="k must be an integer >= 0, got"):
        KDB(k=k).fit(X, Y)
