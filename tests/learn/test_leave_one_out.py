"""Training rows that are left out one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from coded_tables import Coded, coded, coded_tables, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive.learn.leave_one_out import TrainingRows, log_priors_left_out
from seminaive.learn.smoothing import Smoothing
from seminaive.testing import naive, naive_cases

SMOOTHINGS = st.builds(
    Smoothing, st.sampled_from(["m-estimate", "laplace"]), st.sampled_from([0, 0.5, 1.0, 3.0])
)


def training_rows(case: Coded) -> TrainingRows:
    copies = None if case.weights is None else np.maximum(case.weights, 1)
    return TrainingRows(case.codes, case.classes, case.weights, copies)


def priors_of(case: Coded, prior: Any, smoothing: Smoothing) -> np.ndarray:
    rows = training_rows(case)
    return np.exp(log_priors_left_out(rows, case.count().class_counts, prior, smoothing))


# --- rows


def test_rows_without_weights_lose_themselves():
    rows = TrainingRows(np.zeros((2, 3), dtype=np.uint8), np.array([0, 1, 1]))
    assert rows.n_rows == 3
    assert rows.all_weights.tolist() == rows.left_out.tolist() == [1, 1, 1]


def test_a_row_loses_one_copy_or_what_there_is_of_it():
    rows = training_rows(coded([[0]] * 3, [0, 0, 1], [1], 2, [0.25, 1.0, 3.0]))
    assert rows.all_weights.tolist() == [0.25, 1, 3]
    assert rows.left_out.tolist() == [0.25, 1, 1]


def test_the_weight_of_a_copy_of_classes_that_weigh():
    # three copies of a row of a class that counts double, half a row of one that counts 0.1
    rows = TrainingRows(
        np.zeros((1, 2), dtype=np.uint8), np.array([0, 1]), np.array([6.0, 0.05]), np.array([3.0, 1.0])
    )
    assert rows.left_out.tolist() == [2, 0.05]


# --- priors


@examples(60)
@given(case=coded_tables(), smoothing=SMOOTHINGS, empirical=st.booleans())
def test_priors_equal_the_twin(case, smoothing, empirical):
    prior = "empirical" if empirical else None
    actual = priors_of(case, prior, smoothing)
    n_classes = case.table.n_classes
    for row in range(len(case.classes)):
        others = naive_cases.without_one_copy(case.table, row)
        if empirical and not any(naive.class_counts(others)):
            expected = [1 / n_classes] * n_classes
        else:
            expected = naive.class_prior(others, prior, smoothing.method, smoothing.strength)
        np.testing.assert_allclose(actual[row], expected, rtol=1e-12, atol=1e-15)


def test_priors_by_hand():
    case = coded([[0]] * 4, [0, 0, 0, 1], [1], 2)
    assert priors_of(case, "empirical", Smoothing()) == pytest.approx(
        np.array([[2 / 3, 1 / 3]] * 3 + [[1, 0]])
    )
    assert priors_of(case, None, Smoothing()) == pytest.approx(
        np.array([[2.5 / 4, 1.5 / 4]] * 3 + [[3.5 / 4, 0.5 / 4]])
    )


@pytest.mark.parametrize("prior", [[3, 1], np.array([0.75, 0.25])], ids=["list", "array"])
def test_a_given_prior_loses_nothing(prior):
    case = coded([[0]] * 3, [0, 1, 1], [1], 2)
    assert priors_of(case, prior, Smoothing()).tolist() == [[0.75, 0.25]] * 3


@pytest.mark.parametrize("prior", [None, "empirical"])
def test_the_only_row(prior):
    case = coded([[0]], [1], [1], 2)
    assert priors_of(case, prior, Smoothing("laplace", 0)) == pytest.approx(np.array([[0.5, 0.5]]))


def test_rounding_leaves_no_negative_count():
    weights = [0.1, 0.2, 0.3]
    case = coded([[0]] * 3, [0, 0, 0], [1], 2, weights)
    assert (priors_of(case, "empirical", Smoothing()) >= 0).all()
    lost = 0.1 + 0.2 + 0.3  # more than the tables count
    rows = replace(training_rows(case), weights=np.full(3, lost))
    actual = log_priors_left_out(rows, np.array([0.6, 0.5]), "empirical", Smoothing())
    assert np.exp(actual).tolist() == [[0, 1]] * 3
