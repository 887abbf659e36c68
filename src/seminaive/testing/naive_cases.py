"""The slow, obvious versions of the classifiers that learn a network for every case.

As in `seminaive.testing.naive`, whose `Table` and probabilities are used here: every number is counted anew
by a scan of the training rows, and nothing is shared with the rest of the package.

A case is a row of codes, None where a value was not observed. Only its observed values take part in its
network. A count looks at the rows in which all attributes of its formula were observed. Information is in
bits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from seminaive.testing.naive import (
    ClassPrior,
    Row,
    Smoothing,
    Table,
    _observed,
    _score,
    class_counts,
    class_prior,
    conditional_mutual_information,
    count,
    family_probability,
    kdb_joint,
    kdb_parents,
    naive_bayes_joint,
    network_joint,
    posterior,
    subsumed,
    superparents,
    tan_joint,
    tan_parents,
    total_count,
    weighted_aode_joint,
)

__all__ = [
    "GRID",
    "Change",
    "LocalNetwork",
    "aodesr_joint",
    "averaged_kdb_posterior",
    "chosen_ratio",
    "implies",
    "leave_one_out_losses",
    "leave_one_out_posteriors",
    "local_conditional_mutual_information",
    "local_joint",
    "local_kdb_joint",
    "local_kdb_network",
    "local_mutual_information",
    "only",
    "optimized_kdb_joint",
    "optimized_kdb_network",
    "personalized_kdb_posterior",
    "pointwise_conditional_mutual_information",
    "pointwise_mutual_information",
    "tanfda_joint",
    "tanfda_network",
    "without_one_copy",
]

GRID = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0)


# --- information of values ----------------------------------------------------------------------------------


def local_mutual_information(table: Table, i: int, x_i: int) -> float:
    """I(x_i; Y) in bits: the share of the value x_i in I(X_i; Y).

    ``sum over y of N(x,y)/N * log2( N(x,y) N / (N(x) N(y)) )``

    The counts are over the rows in which attribute i is observed. The sum over all values is
    `seminaive.testing.naive.mutual_information`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import local_mutual_information
    >>> table = Table([[0], [0], [1], [1]], [0, 0, 1, 1], n_values=[2], n_classes=2)
    >>> local_mutual_information(table, 0, 0), local_mutual_information(table, 0, 1)
    (0.5, 0.5)
    """
    n_class = count(table, {}, required_observed=[i])
    n_x_class = count(table, {i: x_i})
    n, n_x = math.fsum(n_class), math.fsum(n_x_class)
    return math.fsum(
        n_x_class[y] / n * math.log2((n_x_class[y] * n) / (n_x * n_class[y]))
        for y in range(table.n_classes)
        if n_x_class[y] > 0
    )


def local_conditional_mutual_information(table: Table, i: int, x_i: int, j: int, x_j: int) -> float:
    """I(x_i; x_j | Y) in bits: the share of two values in I(X_i; X_j | Y). It may be negative.

    ``sum over y of N(x,z,y)/N * log2( N(x,z,y) N(y) / (N(x,y) N(z,y)) )``

    The counts are over the rows in which both attributes are observed. The sum over all values is
    `seminaive.testing.naive.conditional_mutual_information`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import local_conditional_mutual_information
    >>> table = Table([[0, 0], [1, 1], [0, 0], [1, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> local_conditional_mutual_information(table, 0, 1, 1, 1)
    0.5
    >>> local_conditional_mutual_information(table, 0, 1, 1, 0)
    0.0
    """
    n_class = count(table, {}, required_observed=[i, j])
    n_i = count(table, {i: x_i}, required_observed=[j])
    n_j = count(table, {j: x_j}, required_observed=[i])
    n_ij = count(table, {i: x_i, j: x_j})
    n = math.fsum(n_class)
    return math.fsum(
        n_ij[y] / n * math.log2((n_ij[y] * n_class[y]) / (n_i[y] * n_j[y]))
        for y in range(table.n_classes)
        if n_ij[y] > 0
    )


def pointwise_mutual_information(table: Table, i: int, x_i: int, j: int, x_j: int) -> float:
    """i(x_i; x_j) in bits, classes ignored; minus infinity where the two values never occur together.

    ``log2( N(x,z) N / (N(x) N(z)) )``, over the rows in which both attributes are observed.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import pointwise_mutual_information
    >>> table = Table([[0, 0], [0, 0], [1, 1], [1, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> pointwise_mutual_information(table, 0, 1, 1, 1), pointwise_mutual_information(table, 0, 1, 1, 0)
    (1.0, -inf)
    """
    return pointwise_conditional_mutual_information(table, i, x_i, j, x_j, given={})


def pointwise_conditional_mutual_information(
    table: Table, i: int, x_i: int, c: int, x_c: int, given: Mapping[int, int]
) -> float:
    """i(x_i; x_c | z) in bits, classes ignored; minus infinity where the values never occur together.

    ``log2( N(x,c,z) N(z) / (N(x,z) N(c,z)) )``, over the rows in which i, c and z are observed.

    Parameters
    ----------
    table : Table
    i, x_i : int
        An attribute and its value.
    c, x_c : int
        Another.
    given : dict of attribute to value
        z.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import pointwise_conditional_mutual_information
    >>> rows = [[0, 0, 0], [0, 0, 0], [1, 1, 0], [1, 1, 0], [0, 1, 1]]
    >>> table = Table(rows, [0] * 5, n_values=[2, 2, 2], n_classes=1)
    >>> pointwise_conditional_mutual_information(table, 0, 1, 1, 1, given={2: 0})
    1.0
    """
    attributes = [i, c, *given]
    together = total_count(table, {i: x_i, c: x_c, **given})
    if together == 0:
        return -math.inf
    of_given = total_count(table, given, attributes)
    of_i = total_count(table, {i: x_i, **given}, attributes)
    of_c = total_count(table, {c: x_c, **given}, attributes)
    return math.log2((together * of_given) / (of_i * of_c))


def implies(table: Table, p: int, x_p: int, q: int, x_q: int, critical_value: float = 100) -> bool:
    """Whether the value x_p of attribute p implies x_q of q, so that x_q merely generalises x_p.

    It does if x_p was seen at least `critical_value` times, and once at least, always together with x_q.

    Examples
    --------
    Pregnant (first attribute) implies female (second), not the reverse:

    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import implies
    >>> table = Table([[1, 0], [1, 0], [0, 0], [0, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> implies(table, 0, 1, 1, 0, critical_value=2), implies(table, 1, 0, 0, 1, critical_value=2)
    (True, False)
    """
    n_p, n_both = total_count(table, {p: x_p}), total_count(table, {p: x_p, q: x_q})
    return n_p == n_both > 0 and n_p >= critical_value


# --- networks -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """A parent of the plain local network that a child does not have any more.

    Parameters
    ----------
    parent : int
        The attribute that is no parent any more.
    substitute : int or None
        The attribute that came instead: the first such parent gets the first new one, and so on.
    by : list of int
        Subsumption: the attribute whose value implies that of `parent`, or is implied by it and came first.
        Redundancy: the kept parents that `parent` adds too little to.
    information, threshold : float or None
        Redundancy: i(x_i; x_parent | by), minus infinity where a count is zero, and what it ought to exceed.

    Examples
    --------
    >>> from seminaive.testing.naive_cases import Change
    >>> Change(parent=3, substitute=None, by=[1])
    Change(parent=3, substitute=None, by=[1], information=None, threshold=None)
    """

    parent: int
    substitute: int | None
    by: list[int]
    information: float | None = None
    threshold: float | None = None


@dataclass(frozen=True)
class LocalNetwork:
    """The network of one case.

    Parameters
    ----------
    order : list of int
        Observed attributes, that with the most informative value first.
    parents : dict of attribute to list of int
        Parents of each observed attribute, strongest first.
    changes : dict of attribute to list of `Change`
        What distinguishes them from the k first candidates.
    implied_by : dict of attribute to int
        The parent whose value implies that of the attribute, for those whose factor is left out.

    Examples
    --------
    >>> from seminaive.testing.naive_cases import LocalNetwork
    >>> LocalNetwork(order=[1, 0], parents={1: [], 0: [1]}).implied_by
    {}
    """

    order: list[int]
    parents: dict[int, list[int]]
    changes: dict[int, list[Change]] = field(default_factory=dict)
    implied_by: dict[int, int] = field(default_factory=dict)


def _candidates(table: Table, row: Row) -> dict[int, list[int]]:
    """For each observed attribute, in the network's order, its predecessors, strongest first."""
    observed = _observed(table, row)
    order = sorted(observed, key=lambda i: -_score(local_mutual_information(table, i, observed[i])))

    def strength(i: int, j: int) -> float:
        return _score(local_conditional_mutual_information(table, i, observed[i], j, observed[j]))

    return {i: sorted(order[:position], key=lambda j: -strength(i, j)) for position, i in enumerate(order)}


def _substitutes(plain: list[int], kept: list[int]) -> dict[int, int | None]:
    """Which new parent came instead of each plain parent that was not kept."""
    new = [p for p in kept if p not in plain]
    gone = [p for p in plain if p not in kept]
    return {p: new[position] if position < len(new) else None for position, p in enumerate(gone)}


def local_kdb_network(
    table: Table, row: Row, k: int = 2, critical_value: float | None = None
) -> LocalNetwork:
    """The k-dependence network of the case (Duan and Wang 2015), with or without resolution of implications.

    The observed values are ordered by falling I(x_i; Y) (ties: earlier attribute first); each takes as
    parents the k of its predecessors with the largest I(x_i; x_j | Y) (ties: the one earlier in that order).

    With a `critical_value`, see `implies`, the predecessors are tried one by one until there are k parents.
    One that generalises a parent is passed over; one that specialises parents takes their place. After that,
    a value that is implied by a parent has no factor.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import local_kdb_network
    >>> rows = [[1, 1, 0], [1, 1, 1], [0, 1, 0], [0, 0, 1]]
    >>> table = Table(rows, [0, 0, 1, 1], n_values=[2, 2, 2], n_classes=2)
    >>> local_kdb_network(table, [1, 1, 1]).parents
    {0: [], 1: [0], 2: [0, 1]}
    >>> network = local_kdb_network(table, [1, 1, 1], critical_value=2)
    >>> network.parents, network.implied_by  # x0 = 1 implies x1 = 1
    ({0: [], 1: [0], 2: [0]}, {1: 0})
    >>> network.changes
    {2: [Change(parent=1, substitute=None, by=[0], information=None, threshold=None)]}
    """
    candidates = _candidates(table, row)
    plain = {i: of_i[:k] for i, of_i in candidates.items()}
    if critical_value is None:
        return LocalNetwork(list(candidates), plain)
    observed = _observed(table, row)

    def gen(p: int, q: int) -> bool:
        return implies(table, p, observed[p], q, observed[q], critical_value)

    parents: dict[int, list[int]] = {}
    changes: dict[int, list[Change]] = {}
    implied_by: dict[int, int] = {}
    for i in candidates:
        kept: list[int] = []
        refused_for: dict[int, int] = {}
        for c in candidates[i]:
            if len(kept) == k:
                break
            specialisations = [p for p in kept if gen(p, c)]
            if specialisations:
                refused_for[c] = specialisations[0]
                continue
            for q in [q for q in kept if gen(c, q)]:
                refused_for[q] = c
                kept.remove(q)
            kept.append(c)
        parents[i] = kept
        gone = _substitutes(plain[i], kept)
        if gone:
            changes[i] = [Change(p, substitute, by=[refused_for[p]]) for p, substitute in gone.items()]
        implying = [p for p in kept if gen(p, i)]
        if implying:
            implied_by[i] = implying[0]
    return LocalNetwork(list(candidates), parents, changes, implied_by)


def optimized_kdb_network(table: Table, row: Row, k: int = 2, ratio: float = 0.0) -> LocalNetwork:
    """The k-dependence network of the case without redundant parents (after Personalized KDB, 2018).

    Order and strengths as in `local_kdb_network`. A value with at most k predecessors keeps them all. Else
    the strongest, f, is a parent, and of the others, one by one until there are k, those with
    ``i(x_i; x_c | z) > ratio * |i(x_i; x_f)|``, where z are the values of all parents so far, if they were
    seen together, else that of f alone. A reconstruction.

    Examples
    --------
    Given x2, the attributes x0 and x1 say nothing of x3, which is the opposite of x2:

    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import optimized_kdb_network
    >>> rows = [[a, b, c, 1 - c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    >>> table = Table(rows, [0] * 8, n_values=[2, 2, 2, 2], n_classes=1)
    >>> network = optimized_kdb_network(table, [0, 0, 0, 1], k=2)
    >>> network.parents[3]
    [2]
    >>> network.changes[3]
    [Change(parent=0, substitute=None, by=[2], information=0.0, threshold=0.0)]
    """
    candidates = _candidates(table, row)
    parents = {i: of_i[:k] for i, of_i in candidates.items()}
    changes: dict[int, list[Change]] = {}
    observed = _observed(table, row)
    for i in candidates:
        if k == 0 or len(candidates[i]) <= k:
            continue
        first, *others = candidates[i]
        relevance = abs(pointwise_mutual_information(table, i, observed[i], first, observed[first]))
        threshold = math.inf if relevance == math.inf else ratio * relevance
        kept = [first]
        refused: dict[int, tuple[list[int], float]] = {}
        for c in others:
            if len(kept) == k:
                break
            given = {p: observed[p] for p in kept}
            if total_count(table, given, required_observed=[i, c]) == 0:
                given = {first: observed[first]}
            bits = pointwise_conditional_mutual_information(table, i, observed[i], c, observed[c], given)
            if bits - threshold > 1e-12:
                kept.append(c)
            else:
                refused[c] = list(given), bits
        gone = _substitutes(parents[i], kept)
        parents[i] = kept
        if gone:
            changes[i] = [Change(p, new, *refused[p], threshold) for p, new in gone.items()]
    return LocalNetwork(list(candidates), parents, changes)


# --- classifiers --------------------------------------------------------------------------------------------


def local_joint(
    table: Table,
    row: Row,
    network: LocalNetwork,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """``P(y) * product over i of P(x_i | its parents, y)`` for each class, in the network of the case.

    Attributes that are not observed, and those whose value a parent implies, contribute no factor.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import LocalNetwork, local_joint
    >>> table = Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1)
    >>> local_joint(table, [0, 0], LocalNetwork([0, 1], {0: [], 1: [0]}))
    [0.375]
    >>> local_joint(table, [0, 0], LocalNetwork([0, 1], {0: [], 1: [0]}, implied_by={1: 0}))
    [0.5]
    """
    joint = class_prior(table, prior, smoothing, strength)
    for i in network.order:
        if i not in network.implied_by:
            factor = family_probability(table, i, row, network.parents[i], smoothing, strength)
            joint = [joint[y] * factor[y] for y in range(table.n_classes)]
    return joint


def local_kdb_joint(
    table: Table,
    row: Row,
    k: int = 2,
    critical_value: float | None = None,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """Joint probability with each class in the case's own network; see `local_kdb_network`, `local_joint`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import local_kdb_joint
    >>> table = Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1)
    >>> local_kdb_joint(table, [0, 0]), local_kdb_joint(table, [0, 0], critical_value=1)
    ([0.375], [0.5])
    """
    return local_joint(
        table, row, local_kdb_network(table, row, k, critical_value), smoothing, strength, prior
    )


def optimized_kdb_joint(
    table: Table,
    row: Row,
    k: int = 2,
    ratio: float = 0.0,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """Joint probability with each class; see `optimized_kdb_network`, `local_joint`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import optimized_kdb_joint
    >>> table = Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1)
    >>> optimized_kdb_joint(table, [0, 0])
    [0.375]
    """
    return local_joint(table, row, optimized_kdb_network(table, row, k, ratio), smoothing, strength, prior)


def _mean(first: Sequence[float], second: Sequence[float]) -> list[float]:
    return [(p + q) / 2 for p, q in zip(first, second, strict=True)]


def averaged_kdb_posterior(
    table: Table,
    row: Row,
    k: int = 2,
    critical_value: float | None = None,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """P(y | x): the mean of the posteriors of the general and of the case's own network (Duan and Wang 2015).

    A network in which all classes are impossible contributes the class prior.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import averaged_kdb_posterior
    >>> averaged_kdb_posterior(Table([[0], [0]], [0, 1], n_values=[1], n_classes=2), [0])
    [0.5, 0.5]
    """
    options = smoothing, strength, prior
    p_y = class_prior(table, prior, smoothing, strength)
    return _mean(
        posterior(kdb_joint(table, row, k, *options), p_y),
        posterior(local_kdb_joint(table, row, k, critical_value, *options), p_y),
    )


def personalized_kdb_posterior(
    table: Table,
    row: Row,
    k: int = 2,
    ratio: float = 0.0,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """P(y | x): the mean of the posteriors of the general network and of that of `optimized_kdb_network`.

    A network in which all classes are impossible contributes the class prior.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import personalized_kdb_posterior
    >>> personalized_kdb_posterior(Table([[0], [0]], [0, 1], n_values=[1], n_classes=2), [0])
    [0.5, 0.5]
    """
    options = smoothing, strength, prior
    p_y = class_prior(table, prior, smoothing, strength)
    return _mean(
        posterior(kdb_joint(table, row, k, *options), p_y),
        posterior(optimized_kdb_joint(table, row, k, ratio, *options), p_y),
    )


def only(table: Table, attributes: Sequence[int]) -> Table:
    """The same rows with some of the attributes only.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import only
    >>> only(Table([[0, 1, 2]], [0], n_values=[1, 2, 3], n_classes=1), [0, 2]).rows
    [[0, 2]]
    """
    return Table(
        [[row[i] for i in attributes] for row in table.rows],
        table.classes,
        [table.n_values[i] for i in attributes],
        table.n_classes,
        table.weights,
    )


def tanfda_network(table: Table, row: Row, critical_value: float = 100) -> LocalNetwork:
    """The tree-augmented network of the attributes of which the case has no subsumed value (after TAN-FDA).

    The attributes in `seminaive.testing.naive.subsumed` are taken out of the table; the parents of the others
    are those of `seminaive.testing.naive.tan_parents`. Attributes that are not observed stay in the tree. A
    reconstruction.

    Returns
    -------
    LocalNetwork
        The observed attributes as they stand in the table, subsumed ones with what implies them.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import tanfda_network
    >>> table = Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1)
    >>> tanfda_network(table, [0, 0]).parents, tanfda_network(table, [0, 0], critical_value=1).parents
    ({0: [], 1: [0]}, {0: [], 1: []})
    >>> tanfda_network(table, [0, 0], critical_value=1).implied_by
    {1: 0}
    """
    observed = _observed(table, row)
    deleted = subsumed(table, row, critical_value)
    rest = [i for i in table.attributes if i not in deleted]
    tree = tan_parents(only(table, rest))
    parents = {i: [rest[p] for p in of_i] for i, of_i in zip(rest, tree, strict=True) if i in observed}

    def deletes(j: int, i: int) -> bool:
        if j == i or not implies(table, j, observed[j], i, observed[i], critical_value):
            return False
        return j < i or not implies(table, i, observed[i], j, observed[j], critical_value)

    return LocalNetwork(
        list(observed),
        {i: parents.get(i, []) for i in observed},
        implied_by={i: next(j for j in observed if deletes(j, i)) for i in sorted(deleted)},
    )


def tanfda_joint(
    table: Table,
    row: Row,
    critical_value: float = 100,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """Joint probability with each class in the tree-augmented network of the attributes not subsumed.

    The attributes that `tanfda_network` leaves out are taken out of the table; the rest is
    `seminaive.testing.naive.tan_joint`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import tanfda_joint
    >>> table = Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1)
    >>> tanfda_joint(table, [0, 0]), tanfda_joint(table, [0, 0], critical_value=1)
    ([0.375], [0.5])
    """
    deleted = subsumed(table, row, critical_value)
    rest = [i for i in table.attributes if i not in deleted]
    return tan_joint(only(table, rest), [row[i] for i in rest], smoothing, strength, prior)


def aodesr_joint(
    table: Table,
    row: Row,
    critical_value: float = 100,
    frequency_limit: float = 1,
    conditional: Literal["direct", "ratio"] = "direct",
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """Joint probability with each class, averaged over the inner nodes of a spanning tree (after AODE-SR).

    ``mean over superparents a of P(x_a, y) * product over j other than a of P(x_j | x_a, y)``

    Inner nodes are the attributes with at least two neighbours in the tree of
    `seminaive.testing.naive.tan_parents`, all attributes if there are none; an arc without information makes
    no neighbours. Those of them that
    `seminaive.testing.naive.superparents` admits are superparents, unless they are in
    `seminaive.testing.naive.subsumed`; if they all are, they are superparents nevertheless. Subsumed children
    are left out. No superparent: naive Bayes on all observed attributes. Probabilities and priors as in
    `seminaive.testing.naive.aode_joint`. A reconstruction.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import aodesr_joint
    >>> table = Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1)
    >>> aodesr_joint(table, [0, 0]), aodesr_joint(table, [0, 0], critical_value=1)
    ([0.375], [0.5])
    """
    arcs = [
        (child, parent)
        for child, of_child in enumerate(tan_parents(table))
        for parent in of_child
        if _score(conditional_mutual_information(table, child, parent)) > 0
    ]
    inner = [a for a in table.attributes if sum(a in arc for arc in arcs) >= 2] or list(table.attributes)
    deleted = subsumed(table, row, critical_value)
    eligible = [a for a in superparents(table, row, frequency_limit) if a in inner]
    chosen = [a for a in eligible if a not in deleted] or eligible
    if not chosen:
        return naive_bayes_joint(table, row, smoothing, strength, prior)
    joints = []
    for a in chosen:
        used = [i for i in table.attributes if i == a or i not in deleted]
        weights = [1.0 if i == a else 0.0 for i in used]
        used_row = [row[i] for i in used]
        joints.append(
            weighted_aode_joint(only(table, used), used_row, weights, conditional, smoothing, strength, prior)
        )
    return [math.fsum(of_class) / len(joints) for of_class in zip(*joints, strict=True)]


# --- the ratio of redundancy --------------------------------------------------------------------------------


def without_one_copy(table: Table, r: int) -> Table:
    """The table without one copy of its row r, or without what there is of it if that is less.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import without_one_copy
    >>> table = Table([[0], [1]], [0, 0], n_values=[2], n_classes=1, weights=[2.5, 0.5])
    >>> without_one_copy(table, 0).weights, without_one_copy(table, 1).weights
    ([1.5, 0.5], [2.5, 0.0])
    """
    weights = [weight for _, _, weight in table.weighted_rows()]
    weights[r] -= min(weights[r], 1.0)
    return Table(table.rows, table.classes, table.n_values, table.n_classes, weights)


def leave_one_out_posteriors(
    table: Table,
    k: int = 2,
    ratio: float = 0.0,
    averaged: bool = False,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[list[float]]:
    """P(y | x) of every training row, from the other rows.

    Networks are those of the whole table; only the class prior and the counts of the factors lose one copy
    of the row, see `without_one_copy`. With no other row the empirical prior is uniform.

    Parameters
    ----------
    table : Table
    k : int
    ratio : float
    averaged : bool
        As in `personalized_kdb_posterior`, or as in `optimized_kdb_joint`.

    Returns
    -------
    list of list of float, N rows of n_classes values

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import leave_one_out_posteriors
    >>> leave_one_out_posteriors(Table([[0], [0], [0]], [0, 1, 1], n_values=[1], n_classes=2))[1]
    [0.5, 0.5]
    """
    general = kdb_parents(table, k) if averaged else []
    result = []
    for r, row in enumerate(table.rows):
        others = without_one_copy(table, r)
        if prior == "empirical" and not any(class_counts(others)):
            p_y = [1 / table.n_classes] * table.n_classes
        else:
            p_y = class_prior(others, prior, smoothing, strength)
        network = optimized_kdb_network(table, row, k, ratio)
        p = posterior(local_joint(others, row, network, smoothing, strength, p_y), p_y)
        if averaged:
            joint = network_joint(others, row, general, smoothing, strength, p_y)
            p = _mean(posterior(joint, p_y), p)
        result.append(p)
    return result


def leave_one_out_losses(
    table: Table,
    k: int = 2,
    grid: Sequence[float] = GRID,
    averaged: bool = False,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> dict[float, float]:
    """Share of the training rows, by weight, whose class is not the most probable one given the other rows.

    Of equally probable classes the first is predicted. See `leave_one_out_posteriors`.

    Returns
    -------
    dict of ratio to loss

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_cases import leave_one_out_losses
    >>> table = Table([[0], [0], [1], [1]], [0, 0, 1, 1], n_values=[2], n_classes=2)
    >>> leave_one_out_losses(table, grid=[0, 1])
    {0: 0.0, 1: 0.0}
    """
    losses = {}
    for ratio in grid:
        posteriors = leave_one_out_posteriors(table, k, ratio, averaged, smoothing, strength, prior)
        wrong = [
            weight
            for (_, label, weight), p in zip(table.weighted_rows(), posteriors, strict=True)
            if p.index(max(p)) != label
        ]
        losses[ratio] = math.fsum(wrong) / total_count(table, {})
    return losses


def chosen_ratio(losses: Mapping[float, float]) -> float:
    """The ratio with the least loss; of equals, the smallest.

    Examples
    --------
    >>> from seminaive.testing.naive_cases import chosen_ratio
    >>> chosen_ratio({0.5: 0.1, 0.0: 0.2, 0.2: 0.1})
    0.2
    """
    return min(losses, key=lambda ratio: (losses[ratio], ratio))
