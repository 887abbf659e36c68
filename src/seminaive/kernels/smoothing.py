"""The smoothing rule inside loops, the same as in `seminaive.learn.smoothing`."""

from __future__ import annotations

import math

import numpy as np

from seminaive.kernels.jit import kernel


@kernel
def log_smoothed(count: float, total: float, n_values: int, pseudo: float) -> float:
    """Logarithm of a smoothed probability; ``pseudo`` is the pseudo-count of a value."""
    mass = total + pseudo * n_values
    probability = (count + pseudo) / mass if mass > 0 else 1.0 / n_values
    return math.log(probability) if probability > 0 else -np.inf
