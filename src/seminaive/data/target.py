"""Classes and weights: what stands beside the table."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from seminaive.data.table import as_column, factorize_numbers, factorize_objects

__all__ = ["check_sample_weight", "check_total", "class_factors", "class_weights", "encode_target"]

MOST_WEIGHT = 1e300  # mutual information multiplies sums of weights by logarithms, and adds these up


def encode_target(y: Any, n_rows: int, classes: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Sorted distinct classes and the class code of every row.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Labels of any type that scikit-learn takes.
    n_rows : int
        How many labels there must be.
    classes : ndarray, default=None
        The classes, where they are known beforehand; a label outside is a ValueError.

    Returns
    -------
    classes : ndarray of shape (n_classes,)
    codes : ndarray of shape (n_rows,), int64

    Raises
    ------
    ValueError
        For missing labels, continuous targets, a wrong number of labels, unknown classes.
    """
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    labels = column_or_1d(as_column(y), warn=True)
    if len(labels) != n_rows:
        check_consistent_length(np.empty((n_rows, 0)), labels)
    raw, values = factorize_numbers(labels) if labels.dtype.kind in "iuf" else factorize_objects(labels)
    if (raw < 0).any():
        rows = np.flatnonzero(raw < 0)
        raise ValueError(
            f"Input y contains NaN: the target y is missing in {len(rows)} of {n_rows} rows "
            f"(first: row {rows[0]}). Drop these rows."
        )
    distinct = np.array(values, dtype=labels.dtype)
    if labels.dtype.kind not in "biuSU":  # whole numbers, strings and booleans are classes in any case
        check_classification_targets(labels if n_rows <= 1000 else np.tile(distinct, 3))  # enough to tell
    if classes is None:
        classes, position = np.unique(distinct, return_inverse=True)
        return classes, position[raw]
    index = {value: code for code, value in enumerate(classes.tolist())}
    strange = [value for value in values if value not in index]
    if strange:
        raise ValueError(
            f"y holds the classes {strange}, which are not among the known ones: {classes.tolist()}."
        )
    return classes, np.array([index[value] for value in values], dtype=np.int64)[raw]


def check_sample_weight(sample_weight: Any, n_rows: int) -> np.ndarray | None:
    """Weights as float64, None where all are 1.

    Raises
    ------
    ValueError
        For negative, NaN or infinite weights, a wrong number of them, none positive, or a sum above 1e300.
    """
    if sample_weight is None:
        return None
    if np.isscalar(sample_weight):
        sample_weight = np.full(n_rows, sample_weight)
    weights = np.asarray(as_column(sample_weight), dtype=np.float64)
    if weights.ndim != 1:
        raise ValueError(f"Sample weights must be 1D array or scalar, got {weights.ndim}D array.")
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}!")
    if not np.isfinite(weights).all():
        row = int(np.flatnonzero(~np.isfinite(weights))[0])
        raise ValueError(f"sample_weight is {weights[row]} in row {row}. Weights must be finite numbers.")
    if (weights < 0).any():
        row = int(np.flatnonzero(weights < 0)[0])
        raise ValueError(f"Negative values in data passed to `sample_weight`: {weights[row]} in row {row}.")
    with np.errstate(over="ignore"):
        check_total(weights.sum(), "sample_weight")
    if not weights.any():
        raise ValueError("sample_weight is zero in every row: nothing to learn from.")
    return None if (weights == 1).all() else weights


def check_total(total: float, name: str) -> None:
    """Raise a ValueError where a sum of weights leaves no room for what is computed of it."""
    if not total <= MOST_WEIGHT:
        raise ValueError(
            f"{name} sums to {'infinity' if np.isinf(total) else total}, above the limit of {MOST_WEIGHT}. "
            "Divide the weights by a common factor."
        )


def class_weights(
    class_weight: Any, classes: np.ndarray, codes: np.ndarray, weights: np.ndarray | None
) -> np.ndarray:
    """Factor of every class, shape (n_classes,): all ones without ``class_weight``.

    Raises
    ------
    ValueError
        For an option that is neither "balanced" nor a dict, for unknown classes, for negative weights, for a
        sum of weights above 1e300.
    """
    totals = np.bincount(codes, weights, minlength=len(classes))
    return class_factors(class_weight, classes, totals)


def class_factors(class_weight: Any, classes: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """As `class_weights`, from the sum of the weights of every class, shape (n_classes,)."""
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(
                f"class_weight={class_weight!r} is not understood. Use 'balanced', a dict or None."
            )
        if not totals.all():
            empty = classes[totals == 0].tolist()
            raise ValueError(
                f"class_weight='balanced' is not defined: the classes {empty} have no row of positive weight."
            )
        factors: np.ndarray = totals.sum() / (len(classes) * totals)
        return factors
    strange = [label for label in class_weight if label not in set(classes.tolist())]
    unweighted = [label for label in classes.tolist() if label not in class_weight]
    if strange and unweighted:  # most likely misspelt; a class that a fold happens to lack is fine
        raise ValueError(f"class_weight names the classes {strange}, y has {unweighted} instead.")
    factors = np.array([class_weight.get(label, 1.0) for label in classes.tolist()], dtype=np.float64)
    for label, factor in zip(classes.tolist(), factors, strict=True):
        if not 0 < factor < np.inf:
            raise ValueError(
                f"class_weight of the class {label!r} is {factor}: it must be a positive number. Drop the "
                "rows of a class that should not count."
            )
    with np.errstate(over="ignore"):
        check_total((factors * totals).sum(), "class_weight, times the weights of the rows,")
    return factors
