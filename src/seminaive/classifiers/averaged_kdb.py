"""Averaged k-dependence Bayesian classifiers."""

from __future__ import annotations

from seminaive.classifiers.local_kdb import LocalKDB
from seminaive.classifiers.with_general import AveragedWithGeneralKDB

__all__ = ["AveragedKDB"]


class AveragedKDB(AveragedWithGeneralKDB, LocalKDB):
    r"""Averaged k-dependence Bayesian classifiers (paper of 2015): KDB and LocalKDB together.

    .. math:: P(y \mid x) = \tfrac12 \left( P_{\mathrm{KDB}}(y \mid x) + P_{\mathrm{LocalKDB}}(y \mid x)
              \right)

    KDB knows what holds in general, the local network what holds for the values of the row.

    Parameters
    ----------
    k : int, default=2
        Most parents of an attribute, and of a value, beside the class.
    resolution : {"ser", None}, default="ser"
        Substitution and elimination in the local network, or none, as in the paper of 2018.
    critical_value : float, default=100
        Training rows that a value needs before it can imply another one.
    %(options)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    KDB, LocalKDB : The two members.
    PersonalizedKDB : The same with another local network.

    Notes
    -----
    ``parents_`` is the network of KDB, `case_network` gives those of LocalKDB. `joint_log_likelihood` is the
    logarithm of the mean posterior, since two models have no joint probability in common. A member for which
    every class is impossible gives the prior.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from seminaive import KDB, AveragedKDB, LocalKDB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = [c(k=1).fit(X, y) for c in (AveragedKDB, KDB, LocalKDB)]
    >>> average, general, local = [model.predict_proba(X[73:74])[0, 0].round(4) for model in models]
    >>> bool(abs(average - (general + local) / 2) < 1e-4)
    True
    """
