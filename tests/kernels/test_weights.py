"""Kernels of the weights of superparents, where whole classifiers do not reach."""

from __future__ import annotations

import numpy as np
import pytest

from seminaive.kernels import weights as kernels
from seminaive.learn.evidence import Margin
from seminaive.learn.smoothing import Smoothing


def test_weights_of_a_row_sum_to_one_or_are_equal():
    weights = np.array([[1.0, 3.0, 9.0], [np.nan, -1.0, np.inf], [1e-320, 0.0, 5.0], [1.0, 2.0, 3.0]])
    superparents = np.array([[1, 1, 0], [1, 1, 1], [1, 1, 0], [0, 0, 0]], dtype=bool)
    kernels.normalize_weights(weights, superparents)
    expected = [[0.25, 0.75, 0], [1 / 3, 1 / 3, 1 / 3], [0.5, 0.5, 0], [0, 0, 0]]
    np.testing.assert_allclose(weights[[0, 1, 3]], np.array(expected)[[0, 1, 3]], rtol=1e-15)
    assert np.isfinite(weights[2]).all()


@pytest.mark.parametrize("n", [2, 40, 600])
def test_powers_of_long_rows_do_not_underflow(n):
    rng = np.random.default_rng(n)
    sums, values, pairs = rng.random((5, n)), rng.random(n), rng.random((n, n))
    observed = rng.random((5, n)) < 0.9
    observed[:, :2], observed[1] = True, observed[0]
    weights = sums.copy()
    kernels.instance_weights(weights, observed, values, pairs, 0.7)
    for row, known in enumerate(observed):
        network = 0.7 + values[known] + pairs[known][:, known].sum(axis=0)
        shares = [1 - h / h.sum() for h in (network, 0.7 + sums[row, known])]
        logs = (known.sum() - 1) * np.log(sum(part / part.sum() for part in shares))
        np.testing.assert_allclose(weights[row, known], np.exp(logs - logs.max()), rtol=1e-10)


@pytest.mark.parametrize("strength", [0.0, 1e-200, 1.0])
@pytest.mark.parametrize("n_classes", [1, 3, 400])
def test_sums_of_log_posteriors_do_not_underflow(n_classes, strength):
    rng = np.random.default_rng(n_classes)
    counts = rng.integers(strength == 0, 30, (6, n_classes)).astype(float)
    rows = np.full(6, counts.sum())
    counts[5] = rows[5] = 0
    margin = Margin(counts, rows, np.full(6, 4))
    joint = margin.joint(Smoothing("laplace", strength))
    expected = (np.log(joint) - np.log(joint.sum(axis=1, keepdims=True))).sum(axis=1)
    found = margin.log_posteriors(Smoothing("laplace", strength))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
