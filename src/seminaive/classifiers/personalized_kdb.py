"""Personalised k-dependence Bayesian classifier."""

from __future__ import annotations

from seminaive.classifiers.optimized_kdb import OptimizedKDB
from seminaive.classifiers.with_general import AveragedWithGeneralKDB

__all__ = ["PersonalizedKDB"]


class PersonalizedKDB(AveragedWithGeneralKDB, OptimizedKDB):
    r"""Personalised k-dependence Bayesian classifier (PKDB, paper of 2018): KDB and OptimizedKDB together.

    .. math:: P(y \mid x) = \tfrac12 \left( P_{\mathrm{KDB}}(y \mid x) + P_{\mathrm{OptimizedKDB}}(y \mid x)
              \right)

    Parameters
    ----------
    k : int, default=2
        Most parents of an attribute, and of a value, beside the class.
    redundancy_ratio : float or "loo", default="loo"
        How much, relative to the first, a further parent of a value has to tell; "loo" takes that of
        ``redundancy_grid`` for which the mean of both posteriors has the least leave-one-out error on the
        training rows, the smallest one if several do.
    redundancy_grid : sequence of float, default=(0, 0.01, 0.05, 0.1, 0.2, 0.5, 1)
    %(options)s

    Attributes
    ----------
    redundancy_ratio_ : float
        The ratio in use.
    leave_one_out_loss_ : dict
        Ratio -> leave-one-out zero-one loss; only where the ratio was chosen.
    %(attributes)s

    See Also
    --------
    KDB, OptimizedKDB : The two members.
    AveragedKDB : The same with another local network.

    Notes
    -----
    ``parents_`` is the network of KDB, `case_network` gives the local ones. `joint_log_likelihood` is the
    logarithm of the mean posterior. What the paper leaves open, and how it was settled, is said in
    `OptimizedKDB`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from seminaive import PersonalizedKDB
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = PersonalizedKDB(redundancy_ratio=0.1).fit(X, y)
    >>> model.predict(X[:3]).tolist()
    [0, 0, 0]
    """
