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
    bias_variance,
    brier_score,
    calibration_error,
    log_loss,
    matthews_correlation,
    rmse,
    roc_auc,
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


# --- correlation


@pytest.mark.filterwarnings("ignore:A single label")
@given(
    st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=30),
    st.booleans(),
)
def test_matthews_correlation_is_gorodkins(rows, weighted):
    y, predicted = (np.array(column) for column in zip(*rows, strict=True))
    weights = np.arange(1, len(rows) + 1) if weighted else np.ones(len(rows))
    n, c = weights.sum(), weights[y == predicted].sum()
    t = np.array([weights[y == label].sum() for label in LABELS])
    p = np.array([weights[predicted == label].sum() for label in LABELS])
    scale = (n**2 - p @ p) * (n**2 - t @ t)
    expected = (c * n - t @ p) / math.sqrt(scale) if scale > 0 else 0.0
    actual = matthews_correlation(y, predicted, sample_weight=weights if weighted else None)
    assert actual == pytest.approx(expected, abs=1e-12)


# --- bias and variance


@given(st.integers(1, 6), st.integers(1, 8), st.data())
def test_bias_and_variance_by_definition(n_samples, n_rows, data):
    labels = st.sampled_from(LABELS)
    y = data.draw(st.lists(labels, min_size=n_rows, max_size=n_rows))
    row = st.lists(labels, min_size=n_rows, max_size=n_rows)
    predictions = data.draw(st.lists(row, min_size=n_samples, max_size=n_samples))
    bias, variance = bias_variance(y, predictions)
    by_row = list(zip(*predictions, strict=True))
    shares = [[row.count(label) / n_samples for label in LABELS] for row in by_row]
    assert variance == pytest.approx(np.mean([(1 - sum(q * q for q in row)) / 2 for row in shares]))
    # Kohavi and Wolpert's squared bias, were the observed class the only possible one
    squared = [
        sum((q - (label == truth)) ** 2 for q, label in zip(row, LABELS, strict=True)) / 2
        for row, truth in zip(shares, y, strict=True)
    ]
    assert bias == pytest.approx(np.mean(squared), abs=1e-12)
    losses = [zero_one_loss(y, row) for row in predictions]
    assert bias + variance == pytest.approx(np.mean(losses))


def test_bias_without_variance_and_the_most_variance():
    assert bias_variance([1, 1], [[1, 0]] * 3) == (0.5, 0)
    bias, variance = bias_variance([1], [[1], [2]])
    assert (bias, variance) == (0.25, 0.25)


@pytest.mark.parametrize("predictions", [["a", "b"], [["a"]], [], [[], []], [[["a", "b"]]]])
def test_predictions_that_do_not_fit(predictions):
    with pytest.raises(ValueError, match="predictions of shape"):
        bias_variance(["a", "b"], predictions)


@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("decimals", [1, 8])
def test_roc_auc_equals_that_of_scikit_learn(n_classes, decimals):
    rng = np.random.default_rng(n_classes)
    truth = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, 60)])
    scores = rng.dirichlet(np.ones(n_classes), len(truth)).round(decimals)  # few decimals: many ties
    found = roc_auc(truth, scores, labels=range(n_classes))
    if n_classes == 2:
        expected = reference.roc_auc_score(truth, scores[:, 1])
    else:
        expected = np.mean(
            [
                reference.roc_auc_score(truth[rows] == label, scores[rows, label])
                for i in range(n_classes)
                for j in range(i)
                for rows in [np.isin(truth, [i, j])]
                for label in (i, j)
            ]
        )
    assert found == pytest.approx(expected, abs=1e-12)


def test_roc_auc_weights_are_copies_and_absent_classes_are_left_out():
    rng = np.random.default_rng(0)
    truth, scores = rng.integers(0, 3, 40), rng.random((40, 4)).round(1)
    weights = rng.integers(0, 4, 40)
    weighted = roc_auc(truth, scores, labels=range(4), sample_weight=weights)
    copied = roc_auc(truth.repeat(weights), scores.repeat(weights, axis=0), labels=range(4))
    assert weighted == pytest.approx(copied, abs=1e-12)
    assert roc_auc(truth, scores, labels=range(4)) == roc_auc(truth, scores[:, :3], labels=range(3))
    assert np.isnan(roc_auc([1, 1], scores[:2], labels=range(4)))


def test_calibration_error_by_hand():
    probabilities = np.array([[0.9, 0.1], [0.95, 0.05], [0.6, 0.4], [0.65, 0.35], [0.35, 0.65]])
    truth = [0, 1, 0, 0, 1]
    bins = {"[.9, 1]": abs(1 - 0.9 - 0.95), "[.6, .7)": abs(3 - 0.6 - 0.65 - 0.65)}
    assert calibration_error(truth, probabilities, labels=[0, 1]) == pytest.approx(sum(bins.values()) / 5)
    weights = [2, 1, 1, 1, 3]
    copied = calibration_error(
        np.repeat(truth, weights), probabilities.repeat(weights, axis=0), labels=[0, 1]
    )
    weighted = calibration_error(truth, probabilities, labels=[0, 1], sample_weight=weights)
    assert weighted == pytest.approx(copied)
    with pytest.raises(ValueError, match="n_bins"):
        calibration_error(truth, probabilities, labels=[0, 1], n_bins=0)
