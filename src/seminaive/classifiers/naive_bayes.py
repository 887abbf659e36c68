"""Naive Bayes."""

from __future__ import annotations

from seminaive.classifiers.batches import PartialFitMixin
from seminaive.classifiers.network import SingleNetworkClassifier
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables
from seminaive.data.schema import Schema

__all__ = ["NaiveBayes"]


class NaiveBayes(PartialFitMixin, SingleNetworkClassifier):
    r"""Naive Bayes for tables of categorical and numeric columns.

    Attributes are taken as independent given the class:

    .. math:: P(x, y) = P(y) \prod_i P(x_i \mid y)

    Parameters
    ----------
    %(options)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    TAN, KDB, AODE : Relax the independence.

    Notes
    -----
    Fitting takes O(N n) for N rows and n attributes, predicting O(K n) per row with K classes. The fastest
    classifier and the hardest to overfit: a baseline, and a good choice for few rows. Its probabilities are
    too extreme where attributes repeat each other.

    With ``smoothing="laplace"`` and ``class_prior="empirical"`` it equals scikit-learn's ``CategoricalNB``.

    Examples
    --------
    >>> import pandas as pd
    >>> from seminaive import NaiveBayes
    >>> X = pd.DataFrame({"colour": ["red", "red", "blue", "blue"], "size": ["S", "M", "M", None]})
    >>> model = NaiveBayes().fit(X, ["no", "no", "yes", "yes"])
    >>> model.predict_proba(X.iloc[[0, 3]]).round(3)
    array([[0.909, 0.091],
           [0.167, 0.833]])
    """

    def _plan(self, schema: Schema) -> CountPlan:
        return CountPlan()

    def _structure(self, tables: CountTables) -> list[list[int]]:
        return [[] for _ in tables.schema.attributes]
