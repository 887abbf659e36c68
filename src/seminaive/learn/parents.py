"""Order of attributes and choice of parents in k-dependence networks (Sahami 1996)."""

from __future__ import annotations

import numpy as np

from seminaive.learn.information import rankable

__all__ = ["k_dependence_parents"]


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
