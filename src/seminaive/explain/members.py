"""The factors of every member of an average, and log-odds as an exact sum over attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Members", "Split", "split"]


@dataclass
class Members:
    r"""The networks that a classifier averages, for some rows and some classes of each.

    .. math:: P(x, y) \propto P(y) \sum_a w_a \prod_j f_{aj}(y)

    A classifier with one network has one member.

    Attributes
    ----------
    log_prior : ndarray of shape (n_rows, C)
        log P(y).
    log_weights : ndarray of shape (n_rows, n_members)
        Logarithms of absolute weights; -inf for members that do not count.
    log_factors : ndarray of shape (n_rows, n_members, n_attributes, C)
        log f; 0 for attributes that give no factor.
    signs : ndarray of shape (n_rows, n_members), default=None
        Signs of the weights, None if all are positive.
    """

    log_prior: np.ndarray
    log_weights: np.ndarray
    log_factors: np.ndarray
    signs: np.ndarray | None = None

    @classmethod
    def single(cls, log_prior: np.ndarray, log_factors: np.ndarray) -> Members:
        """The only network of a classifier."""
        return cls(log_prior, np.zeros(log_factors.shape[:2]), log_factors)

    def between(self, first: int, second: int) -> Members:
        """The classes at two positions only."""
        pair = [first, second]
        return Members(self.log_prior[:, pair], self.log_weights, self.log_factors[..., pair], self.signs)


@dataclass
class Split:
    """Log-odds of one class against another as a sum.

    Attributes
    ----------
    prior : ndarray of shape (n_rows,)
    contributions : ndarray of shape (n_rows, n_attributes)
    shares : ndarray of shape (n_rows, n_members)
        Weights of the members' log-odds in the sum.
    """

    prior: np.ndarray
    contributions: np.ndarray
    shares: np.ndarray


def split(members: Members, out: np.ndarray | None = None) -> Split:
    r"""Split the log-odds between two classes into prior and one term per attribute.

    The log-odds of a mean are a mean of its members' log-odds, each of which is a sum over attributes:

    .. math:: \log \frac{\sum_a A_a}{\sum_a B_a} = \sum_a v_a \log \frac{A_a}{B_a}, \qquad
              v_a = \frac{L(s_a, t_a)}{\sum_b L(s_b, t_b)}

    where A and B are the members' terms for the two classes, s and t their shares in the two sums and
    L(s, t) = (s - t) / (log s - log t) the logarithmic mean, L(s, s) = s. It holds because L(s, t)
    log(s / t) = s - t, and shares sum to 1. It is the Sato-Vartia identity of index numbers (Sato 1976,
    Vartia 1976) and the logarithmic mean Divisia decomposition of energy studies (Ang).

    A member that is impossible for one of the classes has weight 0, but L log(A / B) = s - t stays in the
    limit: that is shared by the factors that are zero. Where one class is impossible in all members, the
    factors that make it so get an infinite contribution.

    Parameters
    ----------
    members : Members
        Of two classes (C = 2).
    out : ndarray of float64, shape (n_rows, n_attributes), default=None
        Zeros, which receive the contributions.

    Returns
    -------
    Split
        Without NaN. Where both classes are impossible their odds are not defined and all terms are 0.

    Examples
    --------
    >>> import numpy as np
    >>> factors = np.log([[[[0.5, 0.1], [0.2, 0.4]], [[0.3, 0.3], [0.6, 0.1]]]])
    >>> prior = np.log([[0.5, 0.5]])
    >>> parts = split(Members(prior, np.log([[0.5, 0.5]]), factors))
    >>> odds = np.log((0.5 * 0.2 + 0.3 * 0.6) / (0.1 * 0.4 + 0.3 * 0.1))
    >>> bool(np.isclose(parts.contributions.sum(), odds))
    True
    >>> parts.shares.round(2)
    array([[0.46, 0.54]])
    """
    from seminaive.kernels.explain import split_odds

    n_rows, n_members, n_attributes, _ = members.log_factors.shape
    contributions = np.zeros((n_rows, n_attributes)) if out is None else out
    shares = np.zeros((n_rows, n_members))
    signs = np.ones((n_rows, n_members)) if members.signs is None else members.signs
    split_odds(members.log_factors, members.log_weights, signs, contributions, shares)
    first, second = members.log_prior.T
    prior = np.zeros(n_rows)
    np.subtract(first, second, out=prior, where=np.isfinite(first) | np.isfinite(second))
    undefined = (shares == 0).all(axis=1) | (np.isneginf(first) & np.isneginf(second))
    # where the prior excludes one class and the factors exclude the other
    excluded = np.flatnonzero(np.isinf(prior))
    undefined[excluded] |= (contributions[excluded] == -prior[excluded, None]).any(axis=1)
    prior[undefined] = 0
    contributions[undefined] = 0
    return Split(prior, contributions, shares)
