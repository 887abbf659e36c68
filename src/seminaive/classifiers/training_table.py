"""One training table for several classifiers, which is read and discretised once."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import joblib
import numpy as np
from sklearn.base import clone

from seminaive.classifiers.base import BayesianNetworkClassifier

__all__ = ["TrainingTable"]

_OPTIONS = ("categories", "categorical_features", "discretizer", "missing", "unseen", "class_weight")


class TrainingTable:
    """Rows to train on, encoded once for all classifiers of this package that read them in the same way.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Class labels.
    sample_weight : array-like of shape (n_samples,), default=None
    classes : array-like of shape (n_classes,), default=None
        All classes, also those without a row here: classifiers of this package then count them as classes.
        None is those of ``y``.
    reading : mapping of str to object, default={}
        Parameters that say how classifiers of this package read the table; these go before their own.

    Examples
    --------
    >>> import numpy as np
    >>> from seminaive import AODE, NaiveBayes
    >>> X = np.array([["a", "x"], ["b", "x"], ["b", "y"]])
    >>> table = TrainingTable(X, [0, 1, 1])
    >>> [table.fit(model).predict(X).tolist() for model in (NaiveBayes(), AODE())]
    [[0, 1, 1], [0, 1, 1]]
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        classes: Any = None,
        reading: Mapping[str, Any] | None = None,
    ) -> None:
        self.X = X
        self.y = y
        self.sample_weight = sample_weight
        self.classes = None if classes is None else np.unique(np.asarray(classes))
        self.reading = dict(reading or {})
        self._readings: dict[str, tuple[float, Any]] = {}

    def fit(self, classifier: Any) -> Any:
        """A fitted clone of a classifier; the same as its own ``fit`` would give.

        Parameters
        ----------
        classifier : estimator
            Any scikit-learn classifier.

        Returns
        -------
        estimator
        """
        if not isinstance(classifier, BayesianNetworkClassifier):
            weights = {} if self.sample_weight is None else {"sample_weight": self.sample_weight}
            return clone(classifier).fit(self.X, self.y, **weights)
        model = clone(classifier).set_params(**self.reading)
        model._check_options()
        return model._learn_from(*self._read_for(model)[1])

    def reading_seconds(self, classifier: Any) -> float:
        """Time that encoding the rows took, if `fit` shares it between classifiers; else 0."""
        if not isinstance(classifier, BayesianNetworkClassifier):
            return 0.0
        return self._read_for(clone(classifier).set_params(**self.reading))[0]

    def _read_for(self, model: BayesianNetworkClassifier) -> tuple[float, Any]:
        options = joblib.hash([getattr(model, name) for name in _OPTIONS if name not in self.reading])
        if options not in self._readings:
            begin = perf_counter()
            read = model._read(self.X, self.y, self.sample_weight, self.classes)
            self._readings[options] = perf_counter() - begin, read
        return self._readings[options]
