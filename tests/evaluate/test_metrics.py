"""Losses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as reference

from seminaive.evaluate.metrics import (
    LOSSES,
    align_probabilities,
    all_losses,
    brier_score,
    log_loss,
    rmse,
    zero_one_loss,
)

LABELS = ["a", "b", "c"]


@st.composite
def predictions(draw):
    n = draw(st.integers(1, 20))
    raw = np.array(
        draw(st.lists(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), min_size=n, max_size=n))
    )
    y = draw(st.lists(st.sampled_from(LABELS), min_size=n, max_size=n))
    weights = draw(st.lists(st.floats(0.1, 5), min_size=n, max_size=n))
    return y, raw / raw.sum(axis=1, keepdims=True), np.array(weights)


@given(predictions())
def test_definitions(case):
    y, probabilities, weights = case
    right = np.array([row[LABELS.index(label)] for row, label in zip(probabilities, y, strict=True)])
    onehot = np.array([[label == other for other in LABELS] for label in y], dtype=float)
    w = weights / weights.sum()
    assert log_loss(y, probabilities, labels=LABELS, sample_weight=weights) == pytest.approx(
        -w @ np.log(right)
    )
    assert rmse(y, probabilities, labels=LABELS, sample_weight=weights) == pytest.approx(
        np.sqrt(w @ (1 - right) ** 2)
    )
    expected = w @ ((probabilities - onehot) ** 2).sum(axis=1)
    assert brier_score(y, probabilities, labels=LABELS, sample_weight=weights) == pytest.approx(expected)


@given(predictions())
def test_brier_score_equals_scikit_learn(case):
    y, probabilities, weights = case
    try:
        expected = reference.brier_score_loss(
            y, probabilities, labels=LABELS, sample_weight=weights, scale_by_half=False
        )
    except TypeError:
        pytest.skip("this scikit-learn has no multi-class Brier score")
    assert brier_score(y, probabilities, labels=LABELS, sample_weight=weights) == pytest.approx(expected)


def test_two_classes_count_twice_in_the_brier_score():
    probabilities = [[0.2, 0.8], [0.9, 0.1]]
    half = reference.brier_score_loss([1, 0], [0.8, 0.1])
    assert brier_score([1, 0], probabilities, labels=[0, 1]) == pytest.approx(2 * half)


def test_perfect_and_hopeless():
    y, labels = ["a", "b"], ["a", "b"]
    assert all_losses(y, y, [[1, 0], [0, 1]], labels=labels) == pytest.approx(
        dict.fromkeys(LOSSES, 0.0), abs=1e-12
    )
    worst = all_losses(y, ["b", "a"], [[0, 1], [1, 0]], labels=labels)
    clipped = -math.log(np.finfo(float).eps)
    assert worst == pytest.approx({"zero_one_loss": 1, "log_loss": clipped, "rmse": 1, "brier_score": 2})


def test_one_class():
    one = np.ones((3, 1))
    assert all_losses([7] * 3, [7] * 3, one, labels=[7]) == pytest.approx(
        dict.fromkeys(LOSSES, 0.0), abs=1e-12
    )


def test_order_of_labels_is_that_of_the_columns():
    y, probabilities = ["b", "a"], np.array([[0.7, 0.3], [0.4, 0.6]])
    for loss in (log_loss, rmse, brier_score):
        assert loss(y, probabilities, labels=["b", "a"]) == pytest.approx(
            loss(y, probabilities[:, ::-1], labels=["a", "b"])
        )


def test_without_probabilities():
    losses = all_losses(["a", "b"], ["a", "a"], None, labels=["a", "b"])
    assert losses["zero_one_loss"] == 0.5
    assert all(math.isnan(losses[name]) for name in LOSSES if name != "zero_one_loss")


def test_zero_one_loss_with_weights():
    assert zero_one_loss([1, 2, 2], [1, 1, 2], sample_weight=[1, 3, 4]) == pytest.approx(3 / 8)


def test_d41_a_class_that_the_fold_lacks():
    aligned = align_probabilities([[0.25, 0.75], [1, 0]], ["c", "a"], LABELS)
    np.testing.assert_array_equal(aligned, [[0.75, 0, 0.25], [0, 0, 1]])
    numbers = align_probabilities(np.array([[0.5, 0.5]]), np.array([3, 1]), np.array([1, 2, 3]))
    np.testing.assert_array_equal(numbers, [[0.5, 0, 0.5]])


def test_what_does_not_fit():
    with pytest.raises(ValueError, match=r"\['d'\], which are not among the labels"):
        align_probabilities([[1.0]], ["d"], LABELS)
    with pytest.raises(ValueError, match="lack a column"):
        align_probabilities([[1.0]], ["a", "b"], LABELS)
    with pytest.raises(ValueError, match=r"true classes \['d'\]"):
        log_loss(["d"], [[1, 0, 0]], labels=LABELS)
    with pytest.raises(ValueError, match="lack a column"):
        rmse(["a"], [[1, 0]], labels=LABELS)
    with pytest.raises(ValueError, match="inconsistent"):
        brier_score(["a"], [[1, 0, 0], [1, 0, 0]], labels=LABELS)
