"""The factors of every member of an average, and log-odds as an exact sum over attributes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

__all__ = ["Members", "Split", "split"]


@dataclass
class Members:
    r"""The networks that a classifier averages, for some rows and some classes of each.

    .. math:: P(x, y) \propto P(y) \sum_a w_a \pi_a(y) \prod_j f_{aj}(y)

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
    log_member_priors : ndarray of shape (n_rows, n_members, C), default=None
        log pi, terms of the class that differ between members; None if there are none.
    """

    log_prior: np.ndarray
    log_weights: np.ndarray
    log_factors: np.ndarray
    signs: np.ndarray | None = None
    log_member_priors: np.ndarray | None = None

    @classmethod
    def single(cls, log_prior: np.ndarray, log_factors: np.ndarray) -> Members:
        """The only network of a classifier."""
        return cls(log_prior, np.zeros(log_factors.shape[:2]), log_factors)

    def between(self, first: int, second: int) -> Members:
        """The classes at two positions only."""
        pair = [first, second]
        own = self.log_member_priors
        return replace(
            self,
            log_prior=self.log_prior[:, pair],
            log_factors=self.log_factors[..., pair],
            log_member_priors=None if own is None else own[..., pair],
        )

    @property
    def are_groups(self) -> bool:
        """Whether members are groups of networks: their factors are weighted, hence no probabilities.

        A product of probabilities has no term of the class beside its prior.
        """
        return self.log_member_priors is not None

    @property
    def log_joint(self) -> np.ndarray:
        """log P(x, y) of every member alone, without its weight, shape (n_rows, n_members, C)."""
        joint: np.ndarray = self.log_prior[:, None] + self.log_factors.sum(axis=2)
        return joint if self.log_member_priors is None else joint + self.log_member_priors


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

    @classmethod
    def of_parts(cls, log_prior: np.ndarray, contributions: np.ndarray, shares: np.ndarray) -> Split:
        """What `kernels.explain.split_odds` finds, and the prior.

        Terms of odds that are not defined become 0 in ``contributions``.

        Parameters
        ----------
        log_prior : ndarray of shape (n_rows, 2)
        contributions : ndarray of shape (n_rows, n_attributes)
        shares : ndarray of shape (n_rows, n_members)
            All 0 where the members do not define the odds.
        """
        first, second = log_prior.T
        prior = np.zeros(len(log_prior))
        np.subtract(first, second, out=prior, where=np.isfinite(first) | np.isfinite(second))
        undefined = (shares == 0).all(axis=1) | (np.isneginf(first) & np.isneginf(second))
        # where the prior excludes one class and the factors exclude the other
        excluded = np.flatnonzero(np.isinf(prior))
        undefined[excluded] |= (contributions[excluded] == -prior[excluded, None]).any(axis=1)
        prior[undefined] = 0
        contributions[undefined] = 0
        return cls(prior, contributions, shares)


def split(members: Members) -> Split:
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

    What the members' own priors add is a part of the prior.

    Parameters
    ----------
    members : Members
        Of two classes (C = 2).

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

    factors, own = members.log_factors, members.log_member_priors
    if own is not None:  # split like those of one more attribute
        factors = np.concatenate([factors, own[:, :, None]], axis=2)
        parts = split(replace(members, log_factors=factors, log_member_priors=None))
        of_attributes, of_prior = parts.contributions[:, :-1], parts.contributions[:, -1]
        return Split(parts.prior + of_prior, of_attributes, parts.shares)
    n_rows, n_members, n_attributes, _ = factors.shape
    contributions, shares = np.zeros((n_rows, n_attributes)), np.zeros((n_rows, n_members))
    signs = np.ones((n_rows, n_members)) if members.signs is None else members.signs
    split_odds(factors, members.log_weights, signs, contributions, shares)
    return Split.of_parts(members.log_prior, contributions, shares)
