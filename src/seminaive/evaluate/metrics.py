"""Losses of probabilistic predictions: smaller is better, 0 is perfect.

All functions take the probabilities of the classes in the order of `labels`; `align_probabilities` brings
the columns of a classifier that has not seen every class into that order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn import metrics
from sklearn.utils.validation import check_consistent_length

__all__ = [
    "LOSSES",
    "BiasVariance",
    "align_probabilities",
    "all_losses",
    "bias_variance",
    "brier_score",
    "calibration_error",
    "log_loss",
    "matthews_correlation",
    "rmse",
    "roc_auc",
    "zero_one_loss",
]

LOSSES = {
    "zero_one_loss": "zero-one loss",
    "log_loss": "log loss",
    "rmse": "RMSE",
    "brier_score": "Brier score",
}
"""Name of every loss here and how it is written in a table."""


def align_probabilities(probabilities: Any, classes: Any, labels: Any) -> np.ndarray:
    """Columns in the order of `labels`; a class that the classifier does not know has probability 0.

    Parameters
    ----------
    probabilities : array-like of shape (n_rows, n_known)
        As ``predict_proba`` returns them.
    classes : array-like of shape (n_known,)
        Class of each column: ``classes_`` of the classifier.
    labels : array-like of shape (n_classes,)
        The classes wanted, each once.

    Returns
    -------
    ndarray of float64, shape (n_rows, n_classes)

    Raises
    ------
    ValueError
        A column belongs to no label, or the numbers of columns and classes differ.

    Examples
    --------
    >>> align_probabilities([[0.25, 0.75]], ["a", "c"], ["a", "b", "c"])
    array([[0.25, 0.  , 0.75]])
    """
    probabilities = np.asarray(probabilities, dtype=np.float64)
    classes = np.asarray(classes).tolist()
    position = {label: i for i, label in enumerate(np.asarray(labels).tolist())}
    if probabilities.ndim != 2 or probabilities.shape[1] != len(classes):
        raise ValueError(
            f"probabilities of shape {probabilities.shape} lack a column for each of {len(classes)} classes"
        )
    strange = [label for label in classes if label not in position]
    if strange:
        raise ValueError(f"probabilities of {strange}, which are not among the labels {list(position)}")
    aligned = np.zeros((len(probabilities), len(position)))
    aligned[:, [position[label] for label in classes]] = probabilities
    return aligned


def zero_one_loss(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Share of rows whose predicted class is wrong (scikit-learn's ``zero_one_loss``).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted class of each row.
    sample_weight : array-like of shape (n_rows,), default=None
        Weight of each row.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> zero_one_loss(["a", "b", "b", "a"], ["a", "b", "a", "a"])
    0.25
    """
    return float(metrics.zero_one_loss(y_true, y_pred, sample_weight=sample_weight))


def log_loss(y_true: Any, probabilities: Any, *, labels: Any, sample_weight: Any = None) -> float:
    """Mean negative logarithm of the probability given to the true class, in nats.

    Probabilities are clipped to [eps, 1 - eps], eps = 2.2e-16, as in scikit-learn, whose ``log_loss`` gives
    the same: a row whose true class has probability 0 costs 36.04.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True class of each row.
    probabilities : array-like of shape (n_rows, n_classes)
        Probability of each class, columns in the order of `labels`, rows sum to 1.
    labels : array-like of shape (n_classes,)
        The classes.
    sample_weight : array-like of shape (n_rows,), default=None
        Weight of each row.

    Returns
    -------
    float
        From 0 to 36.04.

    Raises
    ------
    ValueError
        A true class is not among the labels, or shapes do not fit.

    Examples
    --------
    >>> round(log_loss(["a", "b"], [[0.5, 0.5], [0.25, 0.75]], labels=["a", "b"]), 4)
    0.4904
    """
    codes, probabilities = _checked(y_true, probabilities, labels)
    eps = np.finfo(np.float64).eps
    right = probabilities[np.arange(len(codes)), codes].clip(eps, 1 - eps)
    return float(np.average(-np.log(right), weights=sample_weight))


def rmse(y_true: Any, probabilities: Any, *, labels: Any, sample_weight: Any = None) -> float:
    """Root of the mean over rows of (1 - P(true class))².

    The measure of the papers on adaptive KDB: only the true class counts. The other convention, which sums
    over all classes, is ``sqrt(brier_score / n_classes)``.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True class of each row.
    probabilities : array-like of shape (n_rows, n_classes)
        Probability of each class, columns in the order of `labels`.
    labels : array-like of shape (n_classes,)
        The classes.
    sample_weight : array-like of shape (n_rows,), default=None
        Weight of each row.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    ValueError
        A true class is not among the labels, or shapes do not fit.

    Examples
    --------
    >>> round(rmse(["a", "b"], [[0.5, 0.5], [0.25, 0.75]], labels=["a", "b"]), 4)
    0.3953
    """
    codes, probabilities = _checked(y_true, probabilities, labels)
    right = probabilities[np.arange(len(codes)), codes]
    return float(np.sqrt(np.average((1 - right) ** 2, weights=sample_weight)))


def brier_score(y_true: Any, probabilities: Any, *, labels: Any, sample_weight: Any = None) -> float:
    """Mean over rows of the sum over all classes k of (P(k) - [k is the true class])².

    This is Brier's definition (1950), from 0 to 2, with two classes as well: there it is twice the number
    that scikit-learn's ``brier_score_loss`` gives by default. It is a strictly proper scoring rule.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True class of each row.
    probabilities : array-like of shape (n_rows, n_classes)
        Probability of each class, columns in the order of `labels`.
    labels : array-like of shape (n_classes,)
        The classes.
    sample_weight : array-like of shape (n_rows,), default=None
        Weight of each row.

    Returns
    -------
    float
        From 0 to 2.

    Raises
    ------
    ValueError
        A true class is not among the labels, or shapes do not fit.

    References
    ----------
    G. W. Brier, Verification of forecasts expressed in terms of probability, Monthly Weather Review 78
    (1950), 1-3.

    Examples
    --------
    >>> brier_score(["a", "b"], [[0.5, 0.5], [0.25, 0.75]], labels=["a", "b"])
    0.3125
    """
    codes, probabilities = _checked(y_true, probabilities, labels)
    # own lines, because scikit-learn has the multi-class form only since 1.7
    distance = probabilities.copy()
    distance[np.arange(len(codes)), codes] -= 1
    return float(np.average((distance**2).sum(axis=1), weights=sample_weight))


def all_losses(
    y_true: Any, y_pred: Any, probabilities: Any, *, labels: Any, sample_weight: Any = None
) -> dict[str, float]:
    """Every loss of this module, by name.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted class of each row.
    probabilities : array-like of shape (n_rows, n_classes) or None
        Probability of each class, columns in the order of `labels`. None, for a classifier without
        probabilities, makes all losses but the first NaN.
    labels : array-like of shape (n_classes,)
        The classes.
    sample_weight : array-like of shape (n_rows,), default=None
        Weight of each row.

    Returns
    -------
    dict of str to float
        Keys and order as in `LOSSES`.

    Examples
    --------
    >>> all_losses(["a", "b"], ["a", "b"], [[1, 0], [0.5, 0.5]], labels=["a", "b"])["brier_score"]
    0.25
    """
    losses = dict.fromkeys(LOSSES, float("nan"))
    losses["zero_one_loss"] = zero_one_loss(y_true, y_pred, sample_weight=sample_weight)
    if probabilities is not None:
        for loss in (log_loss, rmse, brier_score):
            losses[loss.__name__] = loss(y_true, probabilities, labels=labels, sample_weight=sample_weight)
    return losses


def _checked(y_true: Any, probabilities: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Class code of each row, and the probabilities as an array."""
    labels = np.asarray(labels).tolist()
    position = {label: i for i, label in enumerate(labels)}
    y_true = np.asarray(y_true).tolist()
    strange = [label for label in dict.fromkeys(y_true) if label not in position]
    if strange:
        raise ValueError(f"true classes {strange} are not among the labels {labels}")
    probabilities = np.asarray(probabilities, dtype=np.float64)
    if probabilities.ndim != 2 or probabilities.shape[1] != len(labels):
        raise ValueError(
            f"probabilities of shape {probabilities.shape} lack a column for each of {len(labels)} labels"
        )
    check_consistent_length(y_true, probabilities)
    return np.array([position[label] for label in y_true], dtype=np.int64), probabilities


def matthews_correlation(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Correlation of true and predicted classes, for any number of classes (Gorodkin 2004).

    With c rows predicted right of N, and t_k true and p_k predicted ones of class k:
    (c N - sum t_k p_k) / sqrt((N² - sum p_k²)(N² - sum t_k²)), and 0 where that is 0/0. This is
    scikit-learn's ``matthews_corrcoef``. Larger is better, so it is not among the `LOSSES`. The tables of
    the paper on AWODE (2021) have it from the predictions of all folds together.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted class of each row.
    sample_weight : array-like of shape (n_rows,), default=None
        Weight of each row.

    Returns
    -------
    float
        From -1 to 1; 0 is no better than chance.

    References
    ----------
    J. Gorodkin, Comparing two K-category assignments by a K-category correlation coefficient, Computational
    Biology and Chemistry 28 (2004), 367-374.

    Examples
    --------
    >>> matthews_correlation(["a", "b", "b", "a"], ["a", "b", "b", "a"])
    1.0
    >>> matthews_correlation(["a", "b", "b", "a"], ["a", "a", "a", "a"])
    0.0
    """
    return float(metrics.matthews_corrcoef(y_true, y_pred, sample_weight=sample_weight))


class BiasVariance(NamedTuple):
    """The two parts of the mean 0-1 loss, which is their sum."""

    bias: float
    variance: float


def bias_variance(y_true: Any, predictions: Any) -> BiasVariance:
    """Bias and variance of the 0-1 loss over several training samples (Kohavi and Wolpert 1996).

    The variance of a test row is (1 - sum over classes k of q_k²) / 2, where q_k is the share of the
    samples after which k is predicted; the bias is the rest of its mean loss. With one observed class for
    each row, noise cannot be told from bias and is part of it.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True class of each row of the test part.
    predictions : array-like of shape (n_samples, n_rows)
        Predicted classes, after training on each of the samples.

    Returns
    -------
    BiasVariance
        Means over the test rows, each from 0 to 1; the variance is at most (1 - 1/K) / 2 for K classes.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    References
    ----------
    R. Kohavi and D. H. Wolpert, Bias plus variance decomposition for zero-one loss functions, ICML 1996,
    275-283.

    Examples
    --------
    Two of four samples lead astray in the second row:

    >>> bias_variance(["a", "b"], [["a", "b"], ["a", "b"], ["a", "a"], ["a", "c"]])
    BiasVariance(bias=0.09375, variance=0.15625)
    """
    truth, predicted = np.asarray(y_true), np.asarray(predictions)
    if predicted.ndim != 2 or predicted.shape[1:] != truth.shape or predicted.size == 0:
        raise ValueError(
            f"predictions of shape {predicted.shape} are not some samples by the {truth.shape} true classes"
        )
    shares = np.array([(predicted == label).mean(axis=0) for label in np.unique(predicted)])
    variance = float((1 - (shares**2).sum(axis=0)).mean() / 2)
    return BiasVariance(float((predicted != truth).mean()) - variance, variance)


def roc_auc(y_true: Any, scores: Any, *, labels: Any, sample_weight: Any = None) -> float:
    """Area under the ROC curve; with several classes the mean over pairs of classes (Hand and Till 2001).

    For each pair of classes the area of each against the other is computed from the rows of both. With two
    classes it is the usual area, with the second label as the positive one. A
    pair of which one class is absent is left out. Larger is better, so it is not among the `LOSSES`.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True class of each row.
    scores : array-like of shape (n_rows, n_classes)
        Probabilities, or any scores that grow with them, columns in the order of `labels`.
    labels : array-like of shape (n_classes,)
        The classes.
    sample_weight : array-like of shape (n_rows,), default=None
        Weight of each row.

    Returns
    -------
    float
        From 0 to 1, 0.5 for guessing; NaN if all rows are of one class.

    References
    ----------
    D. J. Hand and R. J. Till, A simple generalisation of the area under the ROC curve for multiple class
    classification problems, Machine Learning 45 (2001), 171-186.

    Examples
    --------
    >>> roc_auc(["a", "a", "b"], [[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]], labels=["a", "b"])
    1.0
    """
    codes, scores = _checked(y_true, scores, labels)
    weights = np.ones(len(codes)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    present = np.unique(codes)
    if len(present) < 2:
        return float("nan")
    areas = []
    # own lines: scikit-learn's wants every class in y_true, rows that sum to 1, and is a hundred times slower
    for second in range(1, len(present)):
        for first in range(second):
            pair = present[first], present[second]
            rows = np.isin(codes, pair)
            sides = [
                _area(codes[rows] == label, scores[rows, label], weights[rows])
                for label in (pair[1:] if scores.shape[1] == 2 else pair)
            ]
            areas.append(float(np.mean(sides)))
    return float(np.mean(areas))


def _area(positive: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> float:
    """Share of pairs in which the positive row has the larger score, ties counting half."""
    _, level = np.unique(scores, return_inverse=True)
    above = np.bincount(level, weights * positive)
    below = np.bincount(level, weights * ~positive)
    return float((above * (np.cumsum(below) - below / 2)).sum() / (above.sum() * below.sum()))


def calibration_error(
    y_true: Any, probabilities: Any, *, labels: Any, n_bins: int = 10, sample_weight: Any = None
) -> float:
    """How far the probability of the predicted class is from the share of right predictions, on average.

    Rows are grouped by the largest probability into bins of equal width; the result is the mean over rows
    of the distance, in their bin, between the mean of that probability and the share of rows whose most
    probable class is the true one (the *expected calibration error*). Estimated from few rows it is too
    large. It is not a proper score: always predicting the prior is calibrated.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True class of each row.
    probabilities : array-like of shape (n_rows, n_classes)
        Probability of each class, columns in the order of `labels`.
    labels : array-like of shape (n_classes,)
        The classes.
    n_bins : int, default=10
        Bins of equal width from 0 to 1.
    sample_weight : array-like of shape (n_rows,), default=None
        Weight of each row.

    Returns
    -------
    float
        From 0 to 1.

    References
    ----------
    M. P. Naeini, G. F. Cooper and M. Hauskrecht, Obtaining well calibrated probabilities using Bayesian
    binning, AAAI 2015, 2901-2907.

    Examples
    --------
    Sure of two rows, and right once:

    >>> calibration_error(["a", "b"], [[1.0, 0.0], [1.0, 0.0]], labels=["a", "b"])
    0.5
    """
    codes, probabilities = _checked(y_true, probabilities, labels)
    if n_bins < 1:
        raise ValueError(f"n_bins must be at least 1, got {n_bins!r}")
    confidence = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == codes
    weights = np.ones(len(codes)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    bins = np.minimum((confidence * n_bins).astype(np.int64), n_bins - 1)
    gaps = np.bincount(bins, weights * (right - confidence), minlength=n_bins)
    return float(np.abs(gaps).sum() / weights.sum())
