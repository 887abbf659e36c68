"""Averaged one-dependence estimators, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from seminaive import AODE, NaiveBayes

X = np.array([["a", "s"], ["a", "s"], ["b", "t"], ["b", "t"], ["a", "t"]])
Y = [0, 0, 0, 1, 1]
ROW = [["a", "t"]]

# P(a, y) P(t | a, y) and P(t, y) P(a | t, y); a quarter of an imaginary row a value and class
FROM_A = np.array([2.25 / 6 * 0.5 / 3, 1.25 / 6 * 1.5 / 2])
FROM_T = np.array([1.25 / 6 * 0.5 / 2, 2.25 / 6 * 1.5 / 3])


def joint(row=ROW, **options):
    """P(x, y) of the row."""
    return np.exp(AODE(**options).fit(X, Y).joint_log_likelihood(row))[0].tolist()


def test_the_mean_of_both_superparents():
    assert joint() == pytest.approx((FROM_A + FROM_T) / 2)


def test_laplace():
    from_a = np.array([3 / 9 * 1 / 4, 2 / 9 * 2 / 3])
    from_t = np.array([2 / 9 * 1 / 3, 3 / 9 * 2 / 4])
    assert joint(smoothing="laplace") == pytest.approx((from_a + from_t) / 2)


def test_ratio():
    # the joint of both has eight cells, that of the parent four; its smoothing cancels P(parent, y)
    both = np.array([0.125, 1.125]) / 6
    assert joint(conditional="ratio") == pytest.approx(both)


def test_superparents_need_rows():
    # "b" in two rows, "t" in three
    row = [["b", "t"]]
    from_t = [1.25 / 6 * 1.5 / 2, 2.25 / 6 * 1.5 / 3]
    assert joint(row, frequency_limit=3) == pytest.approx(from_t)
    naive = np.exp(NaiveBayes().fit(X, Y).joint_log_likelihood(row))[0]
    np.testing.assert_allclose(joint(row, frequency_limit=4), naive, rtol=1e-13)


def test_a_general_value_is_left_out():
    # "s" in two rows, always with "a": P(s, y) is all that is left
    row = [["a", "s"]]
    expected = [2.25 / 6, 0.25 / 6]
    assert joint(row, subsumption_resolution=True, critical_value=2) == pytest.approx(expected)
    plain = joint(row)
    assert joint(row, subsumption_resolution=True, critical_value=3) == pytest.approx(plain)
    assert joint(row, subsumption_resolution=False, critical_value=2) == pytest.approx(plain)


def test_another_prior_takes_the_place_of_the_default_one():
    expected = (FROM_A + FROM_T) / 2 / [3.5 / 6, 2.5 / 6] * [0.1, 0.9]
    assert joint(class_prior=[0.1, 0.9]) == pytest.approx(expected)


def test_values_that_are_not_observed():
    assert joint(np.array([["a", None]], dtype=object)) == pytest.approx([2.25 / 6, 1.25 / 6])
    assert joint(np.array([[None, None]], dtype=object)) == pytest.approx([3.5 / 6, 2.5 / 6])


def test_one_attribute():
    assert np.exp(AODE().fit(X[:, :1], Y).joint_log_likelihood([["a"]]))[0].tolist() == pytest.approx(
        [2.25 / 6, 1.25 / 6]
    )


def test_every_other_attribute_is_a_parent():
    table = np.array([["a", "s", "u"], ["b", "t", "v"]])
    assert AODE().fit(table, [0, 1]).parents_ == {
        "x0": ["x1", "x2"],
        "x1": ["x0", "x2"],
        "x2": ["x0", "x1"],
    }


def test_batches():
    model = AODE().partial_fit(X[:2], Y[:2], classes=[0, 1]).partial_fit(X[2:], Y[2:])
    assert np.exp(model.joint_log_likelihood(ROW))[0].tolist() == pytest.approx(joint())


@pytest.mark.parametrize(
    "wrong",
    [
        {"frequency_limit": -1},
        {"frequency_limit": np.nan},
        {"critical_value": "100"},
        {"conditional": "product"},
        {"subsumption_resolution": 2},
    ],
    ids=str,
)
def test_wrong_parameters(wrong):
    (name, value), *_ = wrong.items()
    with pytest.raises(ValueError, match=rf"{name}.*{value!r}"):
        AODE(**wrong).fit(X, Y)
