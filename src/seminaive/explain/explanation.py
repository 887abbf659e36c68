"""Explanations of predictions, one for each row."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from seminaive.data.table import ArrayTable, Table, as_table, is_missing
from seminaive.explain.members import Members, split
from seminaive.explain.networks import MemberNetwork
from seminaive.explain.terms import Factor, Member, Parent, Term
from seminaive.explain.words import sentences
from seminaive.learn.information import family_information
from seminaive.learn.posterior import log_normalized
from seminaive.parallel import run_blocks

__all__ = ["Explanation", "Explanations"]

_BLOCK_BYTES = 2**19  # that a block of rows needs, mostly factors; they stay in the cache
_BLOCK_ROWS = 1024
_LEAST_ROWS, _MOST_BYTES = 256, 2**25  # fewer rows at a time cost more in calls than the cache gains


class Explanation:
    """Why one row is predicted as it is; made by ``explain`` of a classifier.

    The log-odds of class ``of`` against class ``against`` are ``prior`` plus the contributions of ``terms``.
    Everything is computed when it is first asked for.

    Attributes
    ----------
    classes : list
        Class labels.
    probabilities : dict
        Class -> P(class | row), as ``predict_proba`` gives them.
    prediction, runner_up : object
        The most probable class and the next one; ``runner_up`` is None where there is one class only.
    of, against : object
        The two classes that are compared; usually the prediction and the runner-up.
    log_odds : float
        log P(of | row) - log P(against | row), in nats. Infinite where one of them is impossible; 0 where
        both are, as their odds are not defined then.
    prior : float
        What the class prior adds to it.
    terms : list of Term
        What every attribute adds to it, in the order of the columns.
    members : list of Member
        The networks behind it, with their parents, probabilities and support in training.
    changes : list of str
        What was changed in the networks for this row, and why, in words.
    is_impossible : bool
        Whether every class is impossible, so that the prior is what is predicted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from seminaive import NaiveBayes
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> explanation = NaiveBayes().fit(X, y).explain(X)[50]
    >>> explanation.prediction, explanation.runner_up
    (1, 2)
    >>> total = explanation.prior + sum(term.contribution for term in explanation.terms)
    >>> bool(abs(total - explanation.log_odds) < 1e-10)
    True
    """

    def __init__(
        self,
        model: Any,
        codes: np.ndarray,
        given: Callable[[], list[Any]],
        log_posteriors: np.ndarray,
        pair: tuple[int, int],
        is_impossible: bool,
        parts: tuple[float, np.ndarray] | None = None,
    ) -> None:
        self._model, self._codes, self._read_values = model, codes, given
        self._log_posteriors, self._pair = log_posteriors, pair
        self.is_impossible = is_impossible
        self.classes: list[Any] = model.classes_.tolist()
        self.of, self.against = (self.classes[c] for c in pair)
        if parts is not None:
            self._parts = parts

    def between(self, of: Any, against: Any) -> Explanation:
        """The same row explained by the log-odds of two other classes.

        Parameters
        ----------
        of, against : object
            Class labels.

        Returns
        -------
        Explanation

        Raises
        ------
        ValueError
            For a label that is no class.
        """
        pair = class_positions(self._model.classes_, (of, against))
        return Explanation(
            self._model, self._codes, self._read_values, self._log_posteriors, pair, self.is_impossible
        )

    @property
    def probabilities(self) -> dict[Any, float]:
        return dict(zip(self.classes, np.exp(self._log_posteriors).tolist(), strict=True))

    @property
    def prediction(self) -> Any:
        return self.classes[self._ranked[0]]

    @property
    def runner_up(self) -> Any:
        return self.classes[self._ranked[1]] if len(self.classes) > 1 else None

    @property
    def _ranked(self) -> list[int]:
        logs = self._log_posteriors[None]
        positions: list[int] = ranked(logs, np.exp(logs))[0].tolist()
        return positions

    @property
    def log_odds(self) -> float:
        return float(difference(*self._log_posteriors[list(self._pair)]))

    @cached_property
    def _parts(self) -> tuple[float, np.ndarray]:
        """What the prior and the attributes add."""
        parts = self._model._split_odds(self._codes[:, None], np.array([self._pair]))
        prior = parts.prior[0]
        if self.is_impossible:
            prior = difference(*self._model._log_prior[list(self._pair)])
        return float(prior), parts.contributions[0]

    @cached_property
    def _members(self) -> Members:
        """The networks, for all classes."""
        members: Members = self._model._members(self._codes[:, None], np.arange(len(self.classes))[None])
        return members

    @property
    def prior(self) -> float:
        return self._parts[0]

    @cached_property
    def terms(self) -> list[Term]:
        contributions, given = self._parts[1].tolist(), self._read_values()
        in_use = {child for network in self._networks for child in network.parents}
        terms = []
        for i, attribute in enumerate(self._model.schema_.attributes):
            value = self._value(i)
            if i in self._idle:
                status = "implied"
            elif i not in in_use and i not in self._left_to_case:
                status = "left out"
            elif value is None:
                status = "missing" if given[i] is None else "unseen"
            elif given[i] is None and not attribute.has_missing_value:
                status = "imputed"
            else:
                status = "used"
            terms.append(Term(attribute.name, value, given[i], contributions[i], status))
        return terms

    def sorted_terms(self) -> list[Term]:
        """The terms of values that are in use, largest contribution first whatever its sign."""
        used = [term for term in self.terms if term.status in ("used", "imputed")]
        return sorted(used, key=lambda term: -abs(term.contribution))

    @cached_property
    def members(self) -> list[Member]:
        own = log_normalized(self._members.log_joint[0], self._members.log_prior[0], warn=False)
        first, second = self._pair
        shares = split(self._members.between(first, second)).shares[0]
        return [
            Member(
                network.name,
                network.weight,
                float(shares[m]),
                tuple(np.exp(own[m]).tolist()),
                float(difference(own[m, first], own[m, second])),
                tuple(self._factor(m, network, child) for child in self._children(network)),
                self._members.are_groups,
            )
            for m, network in enumerate(self._networks)
            if network.weight != 0
        ]

    @cached_property
    def changes(self) -> list[str]:
        names = self._model.schema_.names
        found = [
            sentence
            for network in self._networks
            for sentence in sentences(network, self._codes, self._named, names, self._idle)
        ]
        return list(dict.fromkeys(found))

    # ---- how they are made

    @cached_property
    def _networks(self) -> list[MemberNetwork]:
        networks: list[MemberNetwork] = self._model._describe_members(self._codes)
        return networks

    def _value(self, i: int) -> str | None:
        attribute, code = self._model.schema_[i], int(self._codes[i])
        return attribute.labels[code] if code < attribute.n_values else None

    def _named(self, i: int) -> str:
        is_interval = self._model.schema_[i].cut_points is not None
        return f"{self._model.schema_.names[i]} {'in' if is_interval else '='} {self._value(i)}"

    @cached_property
    def _idle(self) -> set[int]:
        """Attributes that others imply and that give no factor in any network."""
        implied = {i for network in self._networks for i in network.implied_by}
        if not implied:
            return implied
        gives = self._members.log_factors[0].any(axis=(0, 2))
        return {i for i in implied if not gives[i]}

    @property
    def _left_to_case(self) -> set[int]:
        """Attributes that are in no network only because this row lacks them."""
        selected = self._model.parents_
        return {i for i, name in enumerate(self._model.schema_.names) if name in selected}

    def _children(self, network: MemberNetwork) -> list[int]:
        n_values = self._model.schema_.n_values
        return [
            child
            for child in network.parents
            if self._codes[child] < n_values[child]
            and (child not in network.implied_by or child == network.superparent)
        ]

    def _factor(self, m: int, network: MemberNetwork, child: int) -> Factor:
        codes, names = self._codes, self._model.schema_.names
        used = network.used_parents(codes, self._model.schema_.n_values, child)
        rows, matching = network.counts(codes, child, used)
        logs = self._members.log_factors[0, m, child]
        return Factor(
            names[child],
            str(self._value(child)),
            tuple(
                Parent(names[p], self._value(p), self._strength(network, child, p), p in used)
                for p in network.parents[child]
            ),
            tuple(np.exp(logs).tolist()),
            tuple(rows.tolist()),
            tuple(matching.tolist()),
        )

    def _strength(self, network: MemberNetwork, child: int, parent: int) -> float | None:
        if network.strengths is not None:
            return network.strengths[child, parent]
        return family_information(self._model._tables, child, parent) if network.backs_off else None

    # ---- views

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values.

        Returns
        -------
        dict
            Keys as the attributes; ``probabilities`` is a list of pairs in the order of the classes.
        """
        from seminaive.explain.views import as_dict

        return as_dict(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """`to_dict` as JSON; infinite numbers become the strings "inf" and "-inf".

        Parameters
        ----------
        indent : int, default=None

        Returns
        -------
        str
        """
        from seminaive.explain.views import json_text

        return json_text(self.to_dict(), indent)

    def to_frame(self) -> Any:
        """The terms as a table, one row each, after one for the prior.

        Returns
        -------
        pandas.DataFrame, or pyarrow.Table where pandas is not installed
        """
        from seminaive.explain.views import as_frame, term_rows

        return as_frame(term_rows(self))

    def to_html(self, path: str | os.PathLike[str], *, title: str | None = None) -> None:
        """Write a page that any browser shows, in one file and without a network.

        It shows the networks, which can be zoomed, probabilities and support of every value, the waterfall of
        contributions for any two classes, what was changed in the networks, and changes of single values that
        would change the prediction.

        Parameters
        ----------
        path : path-like
            A file of this name is replaced.
        title : str, default=None
            None says which classifier predicts which class.
        """
        from seminaive.explain.html import cases_page, write_page
        from seminaive.explain.page_data import Case

        write_page(path, cases_page([Case("The prediction", self)], title=title))

    def plot_waterfall(self, ax: Any = None, *, max_terms: int = 12) -> Any:
        """Draw how the terms add up to the log-odds.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None is a new figure.
        max_terms : int, default=12
            Smaller terms are drawn together.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is not installed (``pip install 'seminaive[plot]'``).
        """
        from seminaive.explain.plots import draw_waterfall

        return draw_waterfall(self, ax, max_terms)

    def plot_networks(self, attributes: Sequence[str] | None = None) -> Any:
        """Draw the networks, or the part of them that belongs to some attributes.

        Arcs that only the general network has are dashed and orange, those that only the network of the case
        has are thick and blue. Where a classifier has no general network, they are those that were taken away
        and those that took their place. Of a group of networks those parents are drawn that are used most
        often. The class, a parent of all, is left out.

        Parameters
        ----------
        attributes : sequence of str, default=None
            Only these and their parents are drawn; None draws all of them.

        Returns
        -------
        list of matplotlib.axes.Axes
            One for each network; for averages over superparents or groups one for that with the largest share
            in the log-odds.

        Raises
        ------
        ImportError
            If matplotlib is not installed (``pip install 'seminaive[plot]'``).
        ValueError
            For a name that is no attribute.
        """
        from seminaive.explain.network_plot import draw_networks

        return draw_networks(self, attributes)

    def __rich__(self) -> Any:
        from seminaive.explain.views import rich_view

        return rich_view(self)

    def __str__(self) -> str:
        """The explanation as plain text."""
        from seminaive.explain.views import as_text

        return as_text(self)

    def __repr__(self) -> str:
        return f"<Explanation: {self.of!r} against {self.against!r}, log-odds {self.log_odds:.4g}>"

    def _repr_html_(self) -> str:
        from seminaive.explain.views import as_html

        return as_html(self)


class Explanations:
    """Explanations of all rows of a table; made by ``explain`` of a classifier.

    Like a list of `Explanation`, each made when it is asked for; the arrays cover all rows at once and are
    fast.

    Attributes
    ----------
    probabilities : ndarray of shape (n_rows, K)
        As ``predict_proba`` gives them.
    pairs : ndarray of int, shape (n_rows, 2)
        Positions in ``classes_`` of the two classes that are compared.
    log_odds, prior : ndarray of shape (n_rows,)
    contributions : ndarray of shape (n_rows, n_features)
        Each row sums, with ``prior``, to ``log_odds``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from seminaive import AODE
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = AODE().fit(X, y).explain(X)
    >>> bool(abs(found.prior + found.contributions.sum(axis=1) - found.log_odds).max() < 1e-10)
    True
    """

    def __init__(self, model: Any, X: Any, classes: Sequence[Any] | None = None) -> None:
        self._table = as_table(X)
        self._codes = model._codes(X, self._table)
        self._model = model._explainer(self._codes.shape[1])
        joint = model._log_joint(self._codes)
        self._log_posteriors = log_normalized(joint, model._log_prior)
        self.probabilities = np.exp(self._log_posteriors)
        self._impossible = np.isneginf(joint).all(axis=1)
        if classes is None:
            self.pairs = ranked(self._log_posteriors, self.probabilities)
        else:
            self.pairs = np.tile(class_positions(model.classes_, classes), (len(joint), 1))

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[r] for r in range(*row.indices(len(self)))]
        position = range(len(self))[row]
        return self._explanation(position)

    def __iter__(self) -> Iterator[Explanation]:
        self._split  # noqa: B018 - all at once
        for row in range(len(self)):
            yield self._explanation(row)

    @property
    def log_odds(self) -> np.ndarray:
        return difference(*np.take_along_axis(self._log_posteriors, self.pairs, axis=1).T)

    @property
    def prior(self) -> np.ndarray:
        return self._split[0]

    @property
    def contributions(self) -> np.ndarray:
        return self._split[1]

    @cached_property
    def _split(self) -> tuple[np.ndarray, np.ndarray]:
        return self.split_between(self.pairs)

    def split_between(self, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Prior and contributions for other classes.

        Parameters
        ----------
        pairs : ndarray of int, shape (n_rows, 2)
            Positions of two classes for each row.

        Returns
        -------
        prior : ndarray of shape (n_rows,)
        contributions : ndarray of shape (n_rows, n_features)
        """
        prior, contributions = np.empty(len(self)), np.empty((len(self), len(self._codes)))

        def some(blocks: np.ndarray) -> None:
            for start, stop in blocks:
                codes = np.ascontiguousarray(self._codes[:, start:stop])
                parts = self._model._split_odds(codes, pairs[start:stop])
                prior[start:stop], contributions[start:stop] = parts.prior, parts.contributions

        work = self._codes.size * self._model._most_members()
        run_blocks(some, self._blocks(), self._model.n_jobs, work)
        prior[self._impossible] = difference(*self._model._log_prior[pairs[self._impossible]].T)
        return prior, contributions

    def against_best(self, y: int) -> np.ndarray:
        """Pairs of the class at one position and the most probable other one of each row."""
        others = self._log_posteriors.copy()
        others[:, y] = -np.inf
        best = others.argmax(axis=1)
        best[best == y] = y == 0  # nothing else is possible
        return np.column_stack([np.full(len(best), y), best])

    def _blocks(self) -> np.ndarray:
        """First row and end of blocks; what a block needs fits into the cache, or at least into memory."""
        bytes_a_row = max(1, self._model._bytes_to_split())
        step = max(_BLOCK_BYTES // bytes_a_row, min(_LEAST_ROWS, _MOST_BYTES // bytes_a_row))
        step = int(np.clip(step, 1, _BLOCK_ROWS))
        starts = np.arange(0, len(self), step)
        return np.column_stack([starts, np.minimum(starts + step, len(self))])

    def _explanation(self, row: int) -> Explanation:
        found = vars(self).get("_split")
        return Explanation(
            self._model,
            self._codes[:, row].copy(),
            partial(_values_of, self._table, row),
            self._log_posteriors[row],
            (int(self.pairs[row, 0]), int(self.pairs[row, 1])),
            bool(self._impossible[row]),
            None if found is None else (float(found[0][row]), found[1][row]),
        )

    def to_frame(self) -> Any:
        """The terms of all rows as one long table.

        Returns
        -------
        pandas.DataFrame, or pyarrow.Table where pandas is not installed
            Columns row, of, against, attribute, value, contribution and status.
        """
        from seminaive.explain.views import as_frame, term_rows

        return as_frame(
            [
                {"row": row, "of": one.of, "against": one.against, **term}
                for row, one in enumerate(self)
                for term in term_rows(one)
            ]
        )

    def to_html(
        self, path: str | os.PathLike[str], *, rows: Sequence[int] | None = None, title: str | None = None
    ) -> None:
        """Write a page about several rows, as `Explanation.to_html` does about one.

        Parameters
        ----------
        path : path-like
            A file of this name is replaced.
        rows : sequence of int, default=None
            Positions of the rows; None takes all of them, which are best few: each adds some 20 kB to the
            page, and more for averages of many networks.
        title : str, default=None
        """
        from seminaive.explain.html import cases_page, write_page
        from seminaive.explain.page_data import Case

        chosen = range(len(self)) if rows is None else rows
        write_page(path, cases_page([Case(f"Row {row}", self[row]) for row in chosen], title=title))

    def __repr__(self) -> str:
        return f"<Explanations of {len(self)} rows>"


def _values_of(table: Table, row: int) -> list[Any]:
    """The values of a row as they stand in a table, None where they are missing."""
    one: Any = table.take(np.array([row]))
    if isinstance(one, ArrayTable):
        values = one.array[0].tolist()
    else:
        values = [one.frame[:, column].to_list()[0] for column in range(len(one.names))]
    return [None if is_missing(value) else value for value in values]


def ranked(log_posteriors: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
    """Positions of the predicted class and of the next one in each row; twice the same for a single class."""
    best = probabilities.argmax(axis=1)
    others = log_posteriors.copy()
    others[np.arange(len(best)), best] = -np.inf
    second = others.argmax(axis=1)
    # where nothing else is possible the maximum may be the best itself
    second[second == best] = (best[second == best] == 0) * (log_posteriors.shape[1] > 1)
    return np.column_stack([best, second])


def difference(first: Any, second: Any) -> Any:
    """first - second of logarithms, 0 where both are -inf."""
    both = np.isneginf(first) & np.isneginf(second)
    return np.subtract(first, np.where(both, 0.0, second), out=np.zeros(np.shape(first)), where=~both)


def class_positions(classes: np.ndarray, labels: Sequence[Any]) -> tuple[int, int]:
    """Positions of two labels; ValueError for anything else."""
    known = classes.tolist()
    if isinstance(labels, str) or len(labels) != 2 or any(label not in known for label in labels):
        raise ValueError(f"the odds compare two of the classes {known}, got {labels!r}.")
    first, second = (known.index(label) for label in labels)
    return first, second
