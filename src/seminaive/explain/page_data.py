"""What the pages of `seminaive.explain.html` show, as plain values that JSON can hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from seminaive.explain.counterfactuals import find_counterfactuals
from seminaive.explain.explanation import Explanation, difference
from seminaive.explain.members import split
from seminaive.explain.networks import MemberNetwork
from seminaive.explain.overview import GlobalExplanation
from seminaive.explain.terms import Factor, Member
from seminaive.explain.views import shown_value, unused

__all__ = ["Case", "case_data", "common_data", "offered_classes", "overview_data"]

DRAWN = 6  # networks of an average with their tables, those with the largest shares
SHOWN_CHANGES = 12  # of single values that flip the prediction
MOST_NUMBERS = 100_000  # contributions for pairs of classes in one file, some 900 kB
LEAST_SHARE = 0.05  # of the rows whose network has an arc, for it to be drawn
ARCS_PER_ATTRIBUTE = 3


@dataclass(frozen=True)
class Case:
    """A row with what is said about it.

    Parameters
    ----------
    name : str
    explanation : Explanation
    truth : object, default=None
        The true class; None where it is not known.
    reasons : sequence of str, default=()
        Why it is shown.
    """

    name: str
    explanation: Explanation
    truth: Any = None
    reasons: Sequence[str] = ()


def common_data(explanation: Explanation) -> dict[str, Any]:
    """What all cases share."""
    return {
        "classes": [str(label) for label in explanation.classes],
        "attributes": list(explanation._model.schema_.names),
    }


def offered_classes(cases: Sequence[Case]) -> int:
    """How many of the most probable classes of each case can be compared with each other."""
    model = cases[0].explanation._model
    n_classes, numbers = len(model.classes_), len(cases) * (len(model.schema_) + 1)
    most = int((1 + np.sqrt(1 + 8 * MOST_NUMBERS / numbers)) / 2)  # k (k - 1) / 2 pairs
    return min(n_classes, max(2, most))


def case_data(case: Case, n_offered: int) -> dict[str, Any]:
    """One case."""
    explanation = case.explanation
    classes, logs = explanation.classes, explanation._log_posteriors
    chosen = [*explanation._pair, *np.argsort(-logs, kind="stable").tolist()]
    offered = sorted(list(dict.fromkeys(chosen))[:n_offered])
    changes = find_counterfactuals(explanation._model, explanation._codes[:, None])[0]
    shown = changes.smallest()[:SHOWN_CHANGES]
    return {
        "name": case.name,
        "reasons": list(case.reasons),
        "truth": classes.index(case.truth) if case.truth in classes else None,
        "logs": _rounded(logs, 10),
        "pair": list(explanation._pair),
        "impossible": explanation.is_impossible,
        "offered": offered,
        "terms": [
            {"value": term.value, "text": _text(term), "short": _short(term), "status": term.status}
            for term in explanation.terms
        ],
        "pairs": {f"{a},{b}": _contributions(explanation, a, b) for a, b in combinations(offered, 2)},
        "unused": list(unused(explanation).items()),
        "votes": [
            {"name": member.name, "weight": member.weight, "votes": _rounded(member.posteriors)}
            for member in explanation.members
        ],
        "networks": _networks(explanation),
        "changes": list(explanation.changes),
        "counterfactuals": [
            {
                "attribute": change.attribute,
                "now": change.from_value,
                "then": change.to_value,
                "prediction": classes.index(change.prediction),
                "probability": max(change.probabilities),
            }
            for change in shown
        ],
        "more_counterfactuals": len(changes) - len(shown),
    }


def _text(term: Any) -> str:
    """The value of a term in words."""
    if term.status == "missing" or (term.given is None and term.value is None):
        return "missing"
    return f"{_short(term)}, never seen" if term.status == "unseen" else shown_value(term)


def _short(term: Any) -> str:
    return "missing" if term.given is None else _number(term.given)


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _contributions(explanation: Explanation, a: int, b: int) -> list[Any]:
    """Of the prior and of every attribute to the log-odds of two classes."""
    parts = split(explanation._members.between(a, b))
    prior = parts.prior[0]
    if explanation.is_impossible:
        prior = difference(*explanation._model._log_prior[[a, b]])
    return _rounded([prior, *parts.contributions[0]], 7)


def _rounded(numbers: Any, digits: int = 5) -> list[Any]:
    """Numbers in short; what is not finite as text, which JSON can hold."""
    short = (float(f"{number:.{digits}g}") for number in numbers)
    return [
        int(number) if number.is_integer() else number if np.isfinite(number) else str(number)
        for number in short
    ]


def _networks(explanation: Explanation) -> list[dict[str, Any]]:
    """The networks that can be drawn: all of them unless many are averaged."""
    known = [network for network in explanation._networks if network.weight != 0]
    pairs = list(zip(explanation.members, known, strict=True))
    if len(pairs) > DRAWN:
        pairs = sorted(pairs, key=lambda pair: (-abs(pair[0].share), -abs(pair[0].weight)))[:DRAWN]
    position = {name: i for i, name in enumerate(explanation._model.schema_.names)}
    return [_network(member, network, position) for member, network in pairs]


def _network(member: Member, network: MemberNetwork, position: dict[str, int]) -> dict[str, Any]:
    factors = {position[factor.attribute]: factor for factor in member.factors}
    arcs = []
    for child, parents in network.parents.items():
        known = {position[p.attribute]: p for p in factors[child].parents} if child in factors else {}
        for parent in parents:
            told = known.get(parent)
            strength = None if told is None or told.strength is None else _rounded([told.strength])[0]
            arcs.append([parent, child, strength, int(told is not None and told.used)])
    return {
        "name": member.name,
        "group": member.is_group,
        "superparent": network.superparent,
        "nodes": sorted({*network.parents, *(arc[0] for arc in arcs)}),
        "arcs": arcs,
        "factors": {child: _factor(factor) for child, factor in factors.items()},
        "implied": {child: by for child, by in network.implied_by.items() if child not in factors},
        "taken": [
            [position[change.parent], child, position.get(change.substitute or "")]
            for child, changes in network.changes().items()
            for change in changes
        ],
    }


def _factor(factor: Factor) -> dict[str, Any]:
    return {
        "p": _rounded(factor.probabilities),
        "rows": _rounded(factor.rows, 10),
        "matching": _rounded(factor.matching, 10),
    }


def overview_data(overview: GlobalExplanation, names: Sequence[str]) -> dict[str, Any]:
    """What a classifier looks at in general."""
    position = {name: i for i, name in enumerate(names)}
    drawn: dict[str, list[Any]] = {}
    for arc in overview.arcs:
        drawn.setdefault(arc.network, []).append(arc)
    networks = []
    for name, arcs in drawn.items():
        often = [arc for arc in arcs if arc.share >= LEAST_SHARE][: ARCS_PER_ATTRIBUTE * len(names)]
        shown = [
            [position[arc.parent], position[arc.child], *_rounded([arc.strength, arc.share])] for arc in often
        ]
        networks.append({"name": name, "arcs": shown, "omitted": len(arcs) - len(often)})
    return {
        "n_rows": overview.n_rows,
        "attributes": [
            {
                "attribute": position[one.attribute],
                "importance": _rounded([one.importance])[0],
                "information": _rounded([one.information])[0],
                "values": [
                    [value.value, value.n_rows, _rounded(value.contributions, 4)] for value in one.values
                ],
            }
            for one in overview.attributes
        ],
        "networks": networks,
        "weights": [[position[name], *_rounded([weight])] for name, weight in overview.weights.items()],
    }
