"""Maximum spanning trees over attributes."""

from __future__ import annotations

import numpy as np

from seminaive.learn.information import rankable

__all__ = ["inner_nodes", "maximum_spanning_tree"]


def maximum_spanning_tree(weights: np.ndarray, root: int = 0) -> np.ndarray:
    """Parent of every attribute in the maximum spanning tree that grows from ``root`` (Prim).

    SciPy's spanning trees drop edges of weight zero and leave ties open; here a tie keeps the parent that
    came first and attaches the attribute of the lower index, and an edge of any weight counts.

    Parameters
    ----------
    weights : ndarray of shape (n, n)
        Symmetric; compared after rounding to float32.
    root : int, default=0

    Returns
    -------
    ndarray of int64, shape (n,)
        -1 for the root.

    Examples
    --------
    >>> import numpy as np
    >>> maximum_spanning_tree(np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0]])).tolist()
    [-1, 2, 0]
    """
    n = len(weights)
    parents = np.full(n, -1, dtype=np.int64)
    if n == 0:
        return parents
    weights = rankable(np.asarray(weights))
    outside = np.ones(n, dtype=bool)
    outside[root] = False
    nearest = np.full(n, root)
    best = weights[root].copy()
    for _ in range(n - 1):
        candidates = np.where(outside, best, -np.inf)
        chosen = int(candidates.argmax())
        parents[chosen] = nearest[chosen]
        outside[chosen] = False
        better = outside & (weights[chosen] > best)
        nearest[better] = chosen
        best[better] = weights[chosen][better]
    return parents


def inner_nodes(weights: np.ndarray) -> np.ndarray:
    """Whether each node of the maximum spanning tree has at least two neighbours; all nodes where none has.

    Edges of weight zero join nothing, so that an attribute that is constant or never observed makes no other
    one an inner node.

    Parameters
    ----------
    weights : ndarray of shape (n, n)
        As in `maximum_spanning_tree`.

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    >>> import numpy as np
    >>> inner_nodes(np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0]])).tolist()
    [False, False, True]
    """
    parents = maximum_spanning_tree(weights)
    children = np.flatnonzero(parents >= 0)
    joined = children[rankable(weights[children, parents[children]]) > 0]
    neighbours = np.bincount(np.concatenate([joined, parents[joined]]), minlength=len(parents))
    inner: np.ndarray = neighbours >= 2
    return inner if inner.any() else np.ones(len(parents), dtype=bool)
