"""What became of parents and values, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

import numpy as np

from seminaive.explain.networks import MemberNetwork
from seminaive.learn.case_networks import ParentChange

__all__ = ["number", "sentences"]


def sentences(
    network: MemberNetwork, codes: np.ndarray, named: Callable[[int], str], names: list[str], idle: Set[int]
) -> Iterator[str]:
    """One sentence for every parent that was taken away and every value that another one implies.

    ``named`` gives an attribute with its value; ``idle`` are attributes that give no factor in any network.
    """
    position = {name: i for i, name in enumerate(names)}

    def implied(i: int, by: int) -> str:
        rows, matching = (float(counts.sum()) for counts in network.counts(codes, i, [by]))
        return f"{named(i)} is implied by {named(by)} ({number(matching)} of {number(rows)} rows)"

    for child, changes in network.changes().items():
        for change in changes:
            parent, by = position[change.parent], [position[name] for name in change.by]
            so = f"so it is no parent of {names[child]}"
            if change.substitute is not None:
                so = f"so its role as parent of {names[child]} went to {change.substitute}"
            if change.reason == "implied":
                yield f"{implied(parent, by[0])}, {so}."
            else:
                beside = " and ".join(map(named, by))
                yield f"{named(parent)} {_redundant(change, beside, named(child))}, {so}."
    for child, other in network.implied_by.items():
        if child in idle:
            yield f"{implied(child, other)}, so it adds nothing."
        elif child != network.superparent:
            where = "as a child" if network.superparent is not None else f"in the {network.name}"
            yield f"{implied(child, other)}, so it is left out {where}."


def _redundant(change: ParentChange, beside: str, child: str) -> str:
    if change.information == -np.inf:
        return f"was never seen together with {child} and {beside}"
    return (
        f"tells {change.information:.3g} bits about {child} beside {beside}, "
        f"not more than the {change.threshold:.3g} asked for"
    )


def number(count: float) -> str:
    """A count with thousands separated; fractional weights with three digits."""
    return f"{count:,.0f}" if count == round(count) else f"{count:,.3f}"
