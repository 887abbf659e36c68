"""The plain data of an explanation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Factor", "Member", "Parent", "Term"]


@dataclass(frozen=True)
class Term:
    """What one attribute adds to the log-odds.

    Attributes
    ----------
    attribute : str
    value : str or None
        The value in the words of the model, an interval where the column is numeric; None where it is not
        observed.
    given : object
        The value in the table: a number or a label, None where it is missing.
    contribution : float
        In nats; positive speaks for the first class, negative for the other one.
    status : {"used", "imputed", "missing", "unseen", "implied", "left out"}
        "imputed": missing, and the model put ``value`` in its place. The other four add nothing: no value,
        a value that training never saw, a value that another one implies in every network, and an attribute
        that the model did not select. A value that is not observed can still matter to others: they do
        without this parent.
    """

    attribute: str
    value: str | None
    given: Any
    contribution: float
    status: str


@dataclass(frozen=True)
class Parent:
    """A parent of a value.

    Attributes
    ----------
    attribute : str
    value : str or None
        None where it is not observed.
    strength : float or None
        Information that parent and child share given the class, in bits: of the two values where the network
        belongs to the case, else of the two attributes. None for superparents.
    used : bool
        Whether the factor looks at it. A parent that is not observed is dropped (with hierarchical smoothing
        those after it are too), and so are the weakest ones as long as training never saw their values
        together.
    """

    attribute: str
    value: str | None
    strength: float | None
    used: bool


@dataclass(frozen=True)
class Factor:
    """The probability of one value in one network.

    Attributes
    ----------
    attribute : str
    value : str
    parents : tuple of Parent
        Beside the class, strongest first.
    probabilities : tuple of float
        P(value | parents that are used, class) for each class; for a superparent P(value, class) / P(class).
        In a group of networks no probabilities, but what the value multiplies the odds of each class with:
        only ratios between classes matter.
    rows : tuple of float
        Training rows (sums of weights) of each class with the values of the used parents and this attribute
        observed: how thin the support is.
    matching : tuple of float
        Those of them that have the value.
    """

    attribute: str
    value: str
    parents: tuple[Parent, ...]
    probabilities: tuple[float, ...]
    rows: tuple[float, ...]
    matching: tuple[float, ...]


@dataclass(frozen=True)
class Member:
    """One of the networks that are averaged; classifiers with one network have one member.

    Attributes
    ----------
    name : str
    weight : float
        In the average; absolute values sum to 1.
    share : float
        Weight of the member's log-odds in the explained log-odds; see `seminaive.explain.members.split`.
    posteriors : tuple of float
        The member's own vote: P(class | row).
    log_odds : float
        Of the two explained classes, by this member alone, in nats.
    factors : tuple of Factor
    is_group : bool
        Whether it is a group of networks whose factors are averaged and weighted. Parents are then those that
        its networks use most often, and rows of factors are means over its networks.
    """

    name: str
    weight: float
    share: float
    posteriors: tuple[float, ...]
    log_odds: float
    factors: tuple[Factor, ...]
    is_group: bool = False
