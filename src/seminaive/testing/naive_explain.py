"""The slow, obvious version of explanations: factors one by one, and the odds of an average taken apart.

As `seminaive.testing.naive`, whose tables and rows it uses: plain products of probabilities, nothing shared
with the rest of the package.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from seminaive.testing.naive import (
    Row,
    Smoothing,
    Table,
    _joint_of_two,
    class_prior,
    count,
    family_probability,
    smoothed,
)

__all__ = ["logarithmic_mean", "network_factors", "split", "superparent_factors", "superparent_pair_factors"]

Factors = list[list[float]]
"""For each attribute the factors of all classes; ones where it gives none."""


def logarithmic_mean(s: float, t: float) -> float:
    """``(s - t) / (log s - log t)``; s where both are equal, 0 where one is 0.

    Examples
    --------
    >>> from seminaive.testing.naive_explain import logarithmic_mean
    >>> logarithmic_mean(0.5, 0.5), logarithmic_mean(0.0, 0.5)
    (0.5, 0.0)
    >>> round(logarithmic_mean(0.8, 0.2), 4)
    0.4328
    """
    if s == 0 or t == 0:
        return 0.0
    return s if math.isclose(s, t, rel_tol=1e-9) else (s - t) / (math.log(s) - math.log(t))


def network_factors(
    table: Table,
    row: Row,
    parents: Sequence[Sequence[int]],
    left_out: Sequence[int] = (),
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
) -> Factors:
    """``P(x_i | its parents, y)`` of every attribute; `seminaive.testing.naive.network_joint` multiplies
    them.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_explain import network_factors
    >>> table = Table([[0, 0], [1, 1], [1, 0]], [0, 0, 1], n_values=[2, 2], n_classes=2)
    >>> network_factors(table, [1, None], parents=[[], [0]])
    [[0.5, 0.75], [1.0, 1.0]]
    """
    return [
        family_probability(table, i, row, parents[i], smoothing, strength)
        if row[i] is not None and i not in left_out
        else [1.0] * table.n_classes
        for i in table.attributes
    ]


def superparent_factors(
    table: Table,
    row: Row,
    a: int,
    conditional: Literal["direct", "ratio"] = "direct",
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
) -> Factors:
    """Factors of the estimator with superparent a: ``P(x_a, y) / P(y)`` and ``P(x_j | x_a, y)``.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_explain import superparent_factors
    >>> table = Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1)
    >>> superparent_factors(table, [0, 0], 0)
    [[0.5], [0.75]]
    """
    x_a, classes = row[a], range(table.n_classes)
    assert x_a is not None
    v_a, prior = table.n_values[a], class_prior(table, None, smoothing, strength)
    result: Factors = []
    for j in table.attributes:
        x_j, v_j = row[j], table.n_values[j]
        if x_j is None:
            result.append([1.0] * table.n_classes)
            continue
        if j == a:
            n = sum(count(table, {}, [a]))
            own = [smoothed(c, n, v_a * len(classes), smoothing, strength) for c in count(table, {a: x_a})]
            result.append([own[y] / prior[y] if prior[y] > 0 else 0.0 for y in classes])
            continue
        pair, parent = count(table, {j: x_j, a: x_a}), count(table, {a: x_a}, [j])
        if conditional == "direct":
            result.append([smoothed(pair[y], parent[y], v_j, smoothing, strength) for y in classes])
            continue
        n = sum(count(table, {}, [j, a]))
        both = [smoothed(c, n, v_j * v_a * len(classes), smoothing, strength) for c in pair]
        single = [smoothed(c, n, v_a * len(classes), smoothing, strength) for c in parent]
        result.append([both[y] / single[y] if single[y] > 0 else 1 / v_j for y in classes])
    return result


def superparent_pair_factors(
    table: Table,
    row: Row,
    pair: tuple[int, int],
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
) -> Factors:
    """Factors of the estimator with superparents a and b.

    ``P(x_c | x_a, x_b, y)`` of the others; ``P(x_a, x_b | y)`` is divided between a and b so that each gets
    the geometric mean of what it adds first, ``P(x_a | y)``, and second, ``P(x_a, x_b | y) / P(x_b | y)``.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_explain import superparent_pair_factors
    >>> table = Table([[0, 0, 0], [1, 1, 1]], [0, 0], n_values=[2, 2, 2], n_classes=1)
    >>> [round(f[0] ** 2, 6) for f in superparent_pair_factors(table, [0, 0, 0], (0, 1))]
    [0.416667, 0.416667, 0.5625]
    """
    a, b = pair
    x_a, x_b, classes = row[a], row[b], range(table.n_classes)
    assert x_a is not None
    assert x_b is not None
    prior = class_prior(table, None, smoothing, strength)
    joint = _joint_of_two(table, a, x_a, b, x_b, smoothing, strength)
    both = [joint[y] / prior[y] if prior[y] > 0 else 0.0 for y in classes]
    alone = {i: family_probability(table, i, row, (), smoothing, strength) for i in pair}
    result: Factors = []
    for c in table.attributes:
        x_c = row[c]
        if x_c is None:
            result.append([1.0] * table.n_classes)
        elif c in pair:
            mine, other = alone[c], alone[a if c == b else b]
            result.append([_half(both[y], mine[y], other[y]) for y in classes])
        else:
            counts = count(table, {c: x_c, a: x_a, b: x_b})
            totals = count(table, {a: x_a, b: x_b}, [c])
            v_c = table.n_values[c]
            result.append([smoothed(counts[y], totals[y], v_c, smoothing, strength) for y in classes])
    return result


def _half(both: float, mine: float, other: float) -> float:
    """What is impossible is so by values that are impossible alone, or else by both."""
    if both == 0:
        return mine if other == 0 < mine else 0.0
    return math.sqrt(mine * both / other)


def split(
    weights: Sequence[float], members: Sequence[Factors], first: int, second: int
) -> list[float] | None:
    """What each attribute adds to the log-odds of two classes in a mean of members, beside the prior.

    ``log(sum A / sum B) = sum v_a log(A_a / B_a)`` with ``v_a`` the logarithmic means of the members' shares,
    divided by their sum. A member that is impossible for one of the classes gives the difference of its
    shares to the factors that are zero.

    Parameters
    ----------
    weights : list of float
        Positive or 0.
    members : list of factors
    first, second : int
        Classes.

    Returns
    -------
    list of float, or None where one of the classes is impossible or no member is possible for both

    Examples
    --------
    >>> from seminaive.testing.naive_explain import split
    >>> [round(part, 4) for part in split([1.0], [[[0.5, 0.25], [0.3, 0.3]]], 0, 1)]
    [0.6931, 0.0]
    """
    products = [[math.prod(f[y] for f in factors) for y in (first, second)] for factors in members]
    a = [w * p[0] for w, p in zip(weights, products, strict=True)]
    b = [w * p[1] for w, p in zip(weights, products, strict=True)]
    if sum(a) == 0 or sum(b) == 0:
        return None
    s, t = [part / sum(a) for part in a], [part / sum(b) for part in b]
    means = [logarithmic_mean(s_m, t_m) for s_m, t_m in zip(s, t, strict=True)]
    if sum(means) == 0:
        return None
    contributions = [0.0] * len(members[0])
    for m, factors in enumerate(members):
        if s[m] > 0 and t[m] > 0:
            for j, f in enumerate(factors):
                contributions[j] += means[m] / sum(means) * (math.log(f[first]) - math.log(f[second]))
        elif s[m] != t[m]:
            impossible = first if s[m] == 0 else second
            zeros = [j for j, f in enumerate(factors) if f[impossible] == 0]
            for j in zeros:
                contributions[j] += (s[m] - t[m]) / sum(means) / len(zeros)
    return contributions
