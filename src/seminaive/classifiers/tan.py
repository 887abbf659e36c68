"""Tree-augmented naive Bayes."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from seminaive.classifiers.network import SingleNetworkClassifier
from seminaive.classifiers.options import Options
from seminaive.counts.tables import CountTables
from seminaive.learn.information import conditional_mutual_information
from seminaive.learn.trees import maximum_spanning_tree

__all__ = ["TAN"]


class TAN(SingleNetworkClassifier):
    r"""Tree-augmented naive Bayes (Friedman, Geiger and Goldszmidt 1997).

    Every attribute but the root has one other attribute as parent beside the class; together these arcs are
    the maximum spanning tree of the conditional mutual information :math:`I(X_i; X_j \mid Y)`:

    .. math:: P(x, y) = P(y) \prod_i P(x_i \mid x_{\pi(i)}, y)

    Parameters
    ----------
    root : str or int, default=None
        Feature (name or position) from which the tree grows; None is the first. It directs the arcs and so
        changes the smoothing, not the tree.
    %(options)s

    Attributes
    ----------
    %(attributes)s

    See Also
    --------
    KDB : More parents per attribute.

    Notes
    -----
    Fitting takes O(N n^2) for N rows and n attributes, predicting O(K n) per row. Information is computed
    from raw counts; ties go to the attribute of the lower index. A good single network where dependencies
    are pairwise and interpretability matters. ``smoothing="hierarchical"`` lowers the log loss on three, the
    zero-one loss on five of eight data sets (user guide, policies).

    Examples
    --------
    >>> import numpy as np
    >>> from seminaive import TAN
    >>> X = np.array([["a", "s"], ["a", "s"], ["b", "t"], ["b", "t"], ["a", "t"]])
    >>> TAN().fit(X, [0, 1, 0, 1, 1]).parents_
    {'x0': [], 'x1': ['x0']}
    """

    def __init__(self, *, root: str | int | None = None, **options: Unpack[Options]) -> None:
        super().__init__(**options)
        self.root = root

    def _structure(self, tables: CountTables) -> list[list[int]]:
        tree = maximum_spanning_tree(conditional_mutual_information(tables), self._root(tables.schema.names))
        return [[int(parent)] if parent >= 0 else [] for parent in tree]

    def _root(self, names: list[str]) -> int:
        if self.root is None:
            return 0
        if isinstance(self.root, str) and self.root in names:
            return names.index(self.root)
        root: Any = self.root
        if isinstance(root, int | np.integer) and root is not True and -len(names) <= root < len(names):
            return int(root) % len(names)
        raise ValueError(f"root={self.root!r} is not a feature. Features: {names}.")
