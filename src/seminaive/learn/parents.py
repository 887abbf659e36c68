"""Order of attributes and choice of parents in k-dependence networks (Sahami 1996)."""

from __future__ import annotations

import numpy as np

from seminaive.learn.information import rankable

__all__ = ["draw_parents", "k_dependence_parents"]


def k_dependence_parents(
    relevance: np.ndarray, dependence: np.ndarray, k: int
) -> tuple[np.ndarray, list[list[int]]]:
    """Order attributes by relevance; each takes the k predecessors on which it depends most.

    Parameters
    ----------
    relevance : ndarray of shape (n,)
        I(X_i; Y). Ties go to the lower index. Compared after rounding to float32.
    dependence : ndarray of shape (n, n)
        I(X_i; X_j | Y). Ties go to the attribute that comes earlier in the order.
    k : int
        Most parents of an attribute; more than n - 1 is n - 1.

    Returns
    -------
    order : ndarray of int64, shape (n,)
    parents : list of list of int
        Parents of each attribute (by index of the attribute), strongest first.

    Examples
    --------
    >>> import numpy as np
    >>> dependence = np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]])
    >>> order, parents = k_dependence_parents(np.array([0.1, 0.3, 0.2]), dependence, k=1)
    >>> order.tolist(), parents
    ([1, 2, 0], [[2], [], [1]])
    """
    order = np.argsort(-rankable(relevance), kind="stable")
    dependence = rankable(dependence)
    parents: list[list[int]] = [[] for _ in order]
    for position, child in enumerate(order):
        predecessors = order[:position]
        strongest = np.argsort(-dependence[child, predecessors], kind="stable")[:k]
        parents[child] = [int(predecessors[p]) for p in strongest]
    return order, parents


def draw_parents(
    relevance: np.ndarray, dependence: np.ndarray, k: int, noise: np.ndarray
) -> tuple[np.ndarray, list[list[int]]]:
    """Order attributes at random, the relevant ones rather early; each draws parents among its predecessors.

    The order is drawn without replacement with probabilities proportional to the relevance, of which a
    thousandth of the largest is given to every attribute. So are up to k parents with the square root of
    their dependence, of those that have any.

    Parameters
    ----------
    relevance : ndarray of shape (n,)
        Of the attributes for the class; negative values count as 0.
    dependence : ndarray of shape (n, n)
        Between two attributes given the class; negative values count as 0.
    k : int
        Most parents of an attribute.
    noise : ndarray of shape (n, n + 1)
        Independent Gumbel variates: what is largest after adding them to logarithms of weights is drawn with
        probability proportional to these. In each row first that for the order, then those for the parents.

    Returns
    -------
    order : ndarray of int64, shape (n,)
    parents : list of list of int
        Parents of each attribute (by index of the attribute), in the order in which they were drawn.

    Examples
    --------
    >>> import numpy as np
    >>> dependence = np.array([[0, 0, 2], [0, 0, 3], [2, 3, 0]])
    >>> order, parents = draw_parents(np.array([0.1, 0.3, 0.2]), dependence, 1, np.zeros((3, 4)))
    >>> order.tolist(), parents
    ([1, 2, 0], [[2], [], [1]])
    """
    largest = relevance.max(initial=0.0)
    weights = np.maximum(relevance, 0.001 * largest) if largest > 0 else np.ones(len(relevance))
    order = np.argsort(-(np.log(weights) + noise[:, 0]), kind="stable")
    parents: list[list[int]] = [[] for _ in order]
    for position, child in enumerate(order):
        before = order[:position]
        before = before[dependence[child, before] > 0]
        keys = 0.5 * np.log(dependence[child, before]) + noise[child, 1 + before]
        parents[child] = before[np.argsort(-keys, kind="stable")[:k]].tolist()
    return order, parents
