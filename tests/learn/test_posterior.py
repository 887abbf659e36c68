"""Log joints become posteriors."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from seminaive import ImpossibleEvidenceWarning
from seminaive.learn.posterior import log_mean_posterior, log_normalized

NEVER = -np.inf


def test_normalising_shifts_before_it_leaves_logarithms():
    joint = np.array([[-1e5, -1e5 - np.log(3)], [-np.inf, -700.0], [1e3, 1e3]])
    actual = log_normalized(joint, np.log([0.5, 0.5]))
    np.testing.assert_allclose(np.exp(actual), [[0.75, 0.25], [0, 1], [0.5, 0.5]], rtol=1e-11)
    np.testing.assert_allclose(np.exp(actual).sum(axis=1), 1, rtol=0, atol=1e-15)


def test_rows_without_a_possible_class_get_the_prior_with_one_warning():
    joint = np.array([[-np.inf, -np.inf], [0, -np.inf], [-np.inf, -np.inf]])
    with pytest.warns(ImpossibleEvidenceWarning, match="in 2 rows.*smoothing_strength > 0") as caught:
        actual = log_normalized(joint, np.log([0.2, 0.8]))
    assert len(caught) == 1
    np.testing.assert_allclose(np.exp(actual), [[0.2, 0.8], [1, 0], [0.2, 0.8]], rtol=1e-12)


def test_each_row_may_have_a_prior_of_its_own():
    joint = np.array([[NEVER, NEVER], [0, 0], [NEVER, NEVER]])
    prior = np.array([[0.2, 0.8], [0.1, 0.9], [1, 3]])
    with pytest.warns(ImpossibleEvidenceWarning):
        actual = log_normalized(joint, np.log(prior))
    np.testing.assert_allclose(np.exp(actual), [[0.2, 0.8], [0.5, 0.5], [0.25, 0.75]], rtol=1e-12)


def test_a_prior_that_excludes_a_class():
    with np.errstate(divide="ignore"):
        prior = np.log([0.0, 1.0])
    actual = log_normalized(np.array([[NEVER, NEVER]]), prior, warn=False)
    assert np.exp(actual).tolist() == [[0, 1]]


def test_no_warning_where_none_is_wanted():
    joint = np.full((3, 2), NEVER)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        log_normalized(joint, np.log([0.5, 0.5]), warn=False)
        log_mean_posterior(joint, joint, np.log([0.5, 0.5]))
        log_normalized(np.zeros((3, 2)), np.log([0.5, 0.5]))


def test_the_arguments_stay_as_they_are():
    joint, prior = np.array([[NEVER, NEVER], [0, -1]]), np.log([0.5, 0.5])
    before = joint.copy()
    log_mean_posterior(joint, joint, prior)
    np.testing.assert_array_equal(joint, before)


def test_the_mean_is_that_of_posteriors_whatever_the_joints():
    first, second = np.log([[0.1, 0.3]]), np.log([[3e-5, 1e-5]])
    actual = log_mean_posterior(first, second, np.log([0.5, 0.5]))
    np.testing.assert_allclose(np.exp(actual), [[0.5, 0.5]], rtol=1e-12)


def test_the_mean_of_probabilities_that_underflow():
    joint = np.array([[-2000.0, -1000.0]])
    actual = log_mean_posterior(joint, joint, np.log([0.5, 0.5]))
    np.testing.assert_allclose(actual, [[-1000, 0]], atol=1e-12)


def test_a_class_that_one_member_excludes():
    first, second = np.array([[0, NEVER]]), np.array([[0.0, 0.0]])
    np.testing.assert_allclose(
        np.exp(log_mean_posterior(first, second, np.log([0.5, 0.5]))), [[0.75, 0.25]], rtol=1e-12
    )
    assert np.exp(log_mean_posterior(first, first, np.log([0.5, 0.5]))).tolist() == [[1, 0]]


def test_a_member_that_excludes_every_class_gives_the_prior():
    nothing, first = np.array([[NEVER, NEVER]]), np.array([[0.0, NEVER]])
    for members in ((nothing, first), (first, nothing)):
        actual = log_mean_posterior(*members, np.log([0.2, 0.8]))
        np.testing.assert_allclose(np.exp(actual), [[0.6, 0.4]], rtol=1e-12)


def test_the_mean_of_two_such_members_excludes_every_class_too():
    """So that normalising finds it, and warns."""
    joint = np.array([[NEVER, NEVER], [0, 0]])
    prior = np.log([0.2, 0.8])
    mean = log_mean_posterior(joint, joint, prior)
    assert np.exp(mean).tolist() == [[0, 0], pytest.approx([0.5, 0.5])]
    with pytest.warns(ImpossibleEvidenceWarning, match="in 1 rows"):
        actual = log_normalized(mean, prior)
    np.testing.assert_allclose(np.exp(actual), [[0.2, 0.8], [0.5, 0.5]], rtol=1e-12)
