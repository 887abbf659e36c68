"""Why a classifier predicts what it predicts: the public methods, and what a subclass supplies for them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from seminaive.learn.information import mutual_information

if TYPE_CHECKING:
    from seminaive.explain.counterfactuals import Counterfactuals
    from seminaive.explain.explanation import Explanations
    from seminaive.explain.members import Members, Split
    from seminaive.explain.networks import MemberNetwork
    from seminaive.explain.overview import GlobalExplanation

__all__ = ["ExplainingMixin"]


class ExplainingMixin:
    """Adds explanations to a classifier that knows its factors."""

    schema_: Any

    # ---- what a subclass supplies

    def _most_members(self) -> int:
        """How many networks are averaged, at the most."""
        return 1

    def _explainer(self, n_rows: int) -> Any:
        """A copy that explains so many rows; fitting this classifier anew leaves it as it is."""
        return copy.copy(self)

    def _members(self, codes: np.ndarray, wanted: np.ndarray) -> Members:
        """Log factors of every member for the rows of ``codes`` and their ``wanted`` classes (n_rows, C)."""
        raise NotImplementedError

    def _split_odds(self, codes: np.ndarray, wanted: np.ndarray) -> Split:
        """The log-odds of the first of two ``wanted`` classes (n_rows, 2) against the second as a sum.

        It is that of `_members`. A classifier which finds it without writing down all factors at once has its
        own way, and then its own `_bytes_to_split` as well; the factors are still asked for, row by row.
        """
        from seminaive.explain.members import split

        return split(self._members(codes, wanted))

    def _bytes_to_split(self) -> int:
        """How much memory `_split_odds` takes for a row: the factors of two classes in every network."""
        return 8 * 2 * len(self.schema_) * self._most_members()

    def _describe_members(self, codes: np.ndarray) -> list[MemberNetwork]:
        """The networks of those members for one row, ``codes`` (n_attributes,)."""
        raise NotImplementedError

    def _arc_shares(self, codes: np.ndarray) -> dict[str, np.ndarray]:
        """Networks by name: in which share of the rows each attribute (n, n) has each other one as parent."""
        return {}

    def _relevance(self: Any) -> np.ndarray:
        """I(X_i; Y) in bits, (n,)."""
        return mutual_information(self._tables)

    def _arc_strengths(self) -> np.ndarray | None:
        """I(X_i; X_j | Y) in bits by which parents were chosen, (n, n); None where the counts tell it."""
        return None

    def _mean_weights(self, codes: np.ndarray) -> dict[str, float]:
        """Mean weight of every superparent over the rows, where there are superparents."""
        return {}

    @property
    def _parents_by_position(self: Any) -> dict[int, list[int]]:
        """``parents_`` by position of the attributes."""
        position = {name: i for i, name in enumerate(self.schema_.names)}
        return {position[child]: [position[p] for p in chosen] for child, chosen in self.parents_.items()}

    @property
    def _fixed_arcs(self) -> np.ndarray:
        """1 where an attribute has another one as parent in the network for all rows, shape (n, n)."""
        arcs = np.zeros((len(self.schema_), len(self.schema_)))
        for child, parents in self._parents_by_position.items():
            arcs[child, parents] = 1
        return arcs

    # ---- explaining

    def explain(self, X: Any, *, classes: Sequence[Any] | None = None) -> Explanations:
        """Why each row is predicted as it is.

        The log-odds of two classes are the class prior and one contribution per value, which add up exactly.
        How those of averaged classifiers are made is told in `seminaive.explain.members.split`.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        classes : sequence of two class labels, default=None
            The log-odds of the first against the second are explained; None takes the predicted class of
            each row against its runner-up.

        Returns
        -------
        Explanations
            One `Explanation` for each row.

        Raises
        ------
        ValueError
            For labels that are no classes, and as ``predict``.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from seminaive import TAN
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> why = TAN().fit(X, y).explain(X, classes=[2, 1])[77]
        >>> why.prediction, round(why.log_odds, 3)
        (2, 0.14)
        """
        from seminaive.explain.explanation import Explanations

        check_is_fitted(self)
        return Explanations(self, X, classes)

    def explain_global(self, X: Any) -> GlobalExplanation:
        """What the classifier looks at in general.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows over which contributions are averaged, for instance those of training or of a test.

        Returns
        -------
        GlobalExplanation
            Importance of attributes, structure with its strengths, and what each value adds for each class.
        """
        from seminaive.explain.overview import GlobalExplanation

        return GlobalExplanation.of(self, self.explain(X))

    def counterfactuals(self: Any, X: Any) -> list[Counterfactuals]:
        """Which change of a single value would change the predicted class.

        Every other value of every attribute is tried, so that none is overlooked.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        list of Counterfactuals
            For each row its changes, smallest first.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from seminaive import AODE
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> change = AODE().fit(X, y).counterfactuals(X.iloc[[77]])[0][0]
        >>> change.attribute, change.from_value, change.to_value, change.prediction
        ('petal width (cm)', '(0.8, 1.75]', '(1.75, inf)', 2)
        """
        from seminaive.explain.counterfactuals import find_counterfactuals

        check_is_fitted(self)
        return find_counterfactuals(self, self._codes(X))
