"""Tree-augmented naive Bayes, by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from seminaive import TAN, NaiveBayes

X = np.array([["a", "s"], ["a", "s"], ["b", "t"], ["b", "t"], ["a", "t"]])
Y = [0, 0, 0, 1, 1]
ROW = [["a", "t"]]
PRIOR = np.array([3.5 / 6, 2.5 / 6])


def joint(model):
    """P(x, y) of the row."""
    return np.exp(model.fit(X, Y).joint_log_likelihood(ROW))[0].tolist()


def test_joint_from_the_first_attribute():
    model = TAN()
    # P(a | y) P(t | a, y)
    assert joint(model) == pytest.approx(PRIOR * [2.5 / 4 * 0.5 / 3, 1.5 / 3 * 1.5 / 2])
    assert model.parents_ == {"x0": [], "x1": ["x0"]}


def test_joint_from_another_root():
    model = TAN(root="x1")
    # P(t | y) P(a | t, y)
    assert joint(model) == pytest.approx(PRIOR * [1.5 / 4 * 0.5 / 2, 2.5 / 3 * 1.5 / 3])
    assert model.parents_ == {"x0": ["x1"], "x1": []}


@pytest.mark.parametrize("root", ["two", 1, -2, np.int64(1), np.str_("two")], ids=repr)
def test_roots_by_name_and_position(root):
    frame = pd.DataFrame({"one": list("abab"), "two": list("aabb"), "three": list("abba")})
    assert TAN(root=root).fit(frame, [0, 0, 1, 1]).parents_["two"] == []


@pytest.mark.parametrize("root", ["four", 3, -4, 0.5, True, None], ids=repr)
def test_roots_that_are_not_there(root):
    frame = pd.DataFrame({"one": list("abab"), "two": list("aabb"), "three": list("abba")})
    if root is None:
        assert TAN(root=root).fit(frame, [0, 0, 1, 1]).parents_["one"] == []
    else:
        with pytest.raises(ValueError, match=rf"root={root!r}.*\['one', 'two', 'three'\]"):
            TAN(root=root).fit(frame, [0, 0, 1, 1])


def test_the_strongest_dependences_make_the_tree():
    # x1 is the exclusive or of x0 and the class in half of the rows; x3 copies x2
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=400)
    x0, x2 = rng.integers(2, size=(2, 400))
    x1 = np.where(rng.random(400) < 0.5, x0 ^ y, rng.integers(2, size=400))
    model = TAN(categorical_features="all").fit(np.column_stack([x0, x1, x2, x2]), y)
    assert model.parents_["x1"] == ["x0"]
    assert model.parents_["x3"] == ["x2"]


def test_one_attribute_is_naive_bayes():
    tree, naive = (model.fit(X[:, :1], Y).joint_log_likelihood(X[:, :1]) for model in (TAN(), NaiveBayes()))
    np.testing.assert_array_equal(tree, naive)


def test_a_parent_that_is_not_observed_is_left_out():
    model = TAN().fit(X, Y)
    actual = np.exp(model.joint_log_likelihood(np.array([[None, "t"]], dtype=object)))[0]
    np.testing.assert_allclose(actual, PRIOR * [1.5 / 4, 2.5 / 3])
