"""The slow, obvious version of every table, score and classifier: a twin for tests and for readers.

Everything here is written straight from the definitions, with loops over the rows and plain products of
probabilities, and shares no code with the rest of the package. It answers two questions: *what exactly does
the library compute?* (read the function) and *does it compute that?* (compare the numbers). It is meant for
tables of a few dozen rows; products of very many probabilities would underflow, which the library avoids by
working with logarithms.

A training table is a `Table`: rows of codes ``0 .. v-1``, with None where a value was not observed, and a
class code for each row. A test row is a list of codes in the same manner; a value that training could not
know is not observed either, hence None.

All functions that take ``smoothing`` and ``strength`` spell them like the estimators: ``"m-estimate"`` or
``"laplace"``, and the weight of the prior (``smoothing_strength`` there).
"""

from __future__ import annotations

import itertools
import math
import struct
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

__all__ = [
    "Table",
    "ande_joint",
    "aode_joint",
    "avwaode_weights",
    "awode_weights",
    "class_counts",
    "class_prior",
    "conditional_mutual_information",
    "count",
    "entropy",
    "equal_frequency_cut_points",
    "equal_width_cut_points",
    "family_probability",
    "hnb_factors",
    "hnb_joint",
    "hnb_weights",
    "ibwaode_weights",
    "iwaode_weights",
    "kdb_joint",
    "kdb_parents",
    "mdlp_cut_points",
    "mutual_information",
    "naive_bayes_joint",
    "network_joint",
    "posterior",
    "smoothed",
    "subsumed",
    "superparent_pairs",
    "superparents",
    "tan_joint",
    "tan_parents",
    "taode_weights",
    "total_count",
    "usable_weights",
    "waode_weights",
    "weighted_aode_joint",
]

Row = Sequence[int | None]
Smoothing = Literal["m-estimate", "laplace"]
ClassPrior = Literal["empirical"] | Sequence[float] | None


@dataclass(frozen=True)
class Table:
    """A coded training table.

    Parameters
    ----------
    rows : list of list of (int or None), N rows of n values
        Codes ``0 .. n_values[i]-1``; None where the value was not observed.
    classes : list of int, length N
        Class codes ``0 .. n_classes-1``.
    n_values : list of int, length n
        Size of each attribute's domain, values that never occur included.
    n_classes : int
        Number of classes.
    weights : list of float, length N, or None
        How many copies of each row there are; None means one of each.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, class_counts
    >>> class_counts(Table([[0], [1], [None]], [0, 1, 1], n_values=[2], n_classes=2))
    [1.0, 2.0]
    """

    rows: Sequence[Row]
    classes: Sequence[int]
    n_values: Sequence[int]
    n_classes: int
    weights: Sequence[float] | None = None

    def weighted_rows(self) -> Iterable[tuple[Row, int, float]]:
        """Row, class and weight, one row after the other."""
        weights = [1.0] * len(self.rows) if self.weights is None else self.weights
        return zip(self.rows, self.classes, weights, strict=True)

    @property
    def attributes(self) -> range:
        """The attributes' positions."""
        return range(len(self.n_values))


# --- counts -----------------------------------------------------------------------------------------------


def count(table: Table, conditions: Mapping[int, int], required_observed: Iterable[int] = ()) -> list[float]:
    """Weight of the rows of each class that have the given values.

    Parameters
    ----------
    table : Table
    conditions : dict of attribute to value
        All of them must hold. A row in which such an attribute was not observed does not count.
    required_observed : iterable of int
        Attributes that must be observed, whatever their value.

    Returns
    -------
    list of float, length n_classes

    Examples
    --------
    >>> from seminaive.testing.naive import Table, count
    >>> table = Table([[0, 1], [0, None], [1, 1]], [0, 0, 1], n_values=[2, 2], n_classes=2)
    >>> count(table, {0: 0}), count(table, {0: 0}, required_observed=[1])
    ([2.0, 0.0], [1.0, 0.0])
    """
    required_observed = list(required_observed)
    weights_of_class: list[list[float]] = [[] for _ in range(table.n_classes)]
    for row, label, weight in table.weighted_rows():
        matches = all(row[attribute] == value for attribute, value in conditions.items())
        observed = all(row[attribute] is not None for attribute in required_observed)
        if matches and observed:
            weights_of_class[label].append(weight)
    return [math.fsum(weights) for weights in weights_of_class]


def total_count(table: Table, conditions: Mapping[int, int], required_observed: Iterable[int] = ()) -> float:
    """Weight of the rows of all classes together that have the given values; see `count`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, total_count
    >>> total_count(Table([[0], [0], [1]], [0, 1, 1], n_values=[2], n_classes=2), {0: 0})
    2.0
    """
    return math.fsum(count(table, conditions, required_observed))


def class_counts(table: Table) -> list[float]:
    """Weight of the rows of each class.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, class_counts
    >>> class_counts(Table([[0], [1]], [1, 1], n_values=[2], n_classes=2, weights=[1, 0.5]))
    [0.0, 1.5]
    """
    return count(table, {})


# --- information (raw counts, base 2, 0 log 0 = 0) --------------------------------------------------------


def entropy(counts: Iterable[float]) -> float:
    """Entropy in bits of the distribution that is proportional to the counts.

    Examples
    --------
    >>> from seminaive.testing.naive import entropy
    >>> entropy([2, 2]), entropy([1, 1, 2]), entropy([3, 0])
    (1.0, 1.5, 0.0)
    """
    counts = list(counts)
    total = math.fsum(counts)
    return math.fsum(c / total * math.log2(total / c) for c in counts if c > 0)


def mutual_information(table: Table, i: int) -> float:
    """I(X_i; Y) in bits, over the rows in which attribute i is observed.

    ``sum over x, y of N(x,y)/N * log2( N(x,y) N / (N(x) N(y)) )``

    Examples
    --------
    >>> from seminaive.testing.naive import Table, mutual_information
    >>> mutual_information(Table([[0], [0], [1], [1]], [0, 0, 1, 1], n_values=[2], n_classes=2), 0)
    1.0
    """
    n_class = count(table, {}, required_observed=[i])
    n = math.fsum(n_class)
    terms = []
    for x in range(table.n_values[i]):
        n_x_class = count(table, {i: x})
        n_x = math.fsum(n_x_class)
        for y in range(table.n_classes):
            if n_x_class[y] > 0:
                terms.append(n_x_class[y] / n * math.log2((n_x_class[y] * n) / (n_x * n_class[y])))
    return math.fsum(terms)


def conditional_mutual_information(table: Table, i: int, j: int) -> float:
    """I(X_i; X_j | Y) in bits, over the rows in which both attributes are observed.

    ``sum over x, z, y of N(x,z,y)/N * log2( N(y) N(x,z,y) / (N(x,y) N(z,y)) )``

    Examples
    --------
    >>> from seminaive.testing.naive import Table, conditional_mutual_information
    >>> table = Table([[0, 0], [1, 1], [0, 0], [1, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> conditional_mutual_information(table, 0, 1)
    1.0
    """
    n_class = count(table, {}, required_observed=[i, j])
    n = math.fsum(n_class)
    terms = []
    for x in range(table.n_values[i]):
        n_x = count(table, {i: x}, required_observed=[j])
        for z in range(table.n_values[j]):
            n_z = count(table, {j: z}, required_observed=[i])
            n_xz = count(table, {i: x, j: z})
            for y in range(table.n_classes):
                if n_xz[y] > 0:
                    terms.append(n_xz[y] / n * math.log2((n_class[y] * n_xz[y]) / (n_x[y] * n_z[y])))
    return math.fsum(terms)


def _score(bits: float) -> float:
    """What scores are ranked by: single precision, nothing below 1e-12, so that noise makes no order."""
    return 0.0 if abs(bits) < 1e-12 else float(struct.unpack("f", struct.pack("f", bits))[0])


# --- structures -------------------------------------------------------------------------------------------


def tan_parents(table: Table, root: int = 0) -> list[list[int]]:
    """Parents of each attribute in the tree-augmented network (Friedman, Geiger and Goldszmidt 1997).

    Prim's algorithm from the root: of all arcs from an attribute inside the tree to one outside, add the one
    with the largest conditional mutual information. Ties go to the earlier attribute outside, then to the
    one that has been inside for longer.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, tan_parents
    >>> table = Table([[0, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 1]], [0] * 4, n_values=[2, 2, 2], n_classes=1)
    >>> tan_parents(table)
    [[], [0], [0]]
    """
    parents: list[list[int]] = [[] for _ in table.attributes]
    if not parents:
        return parents
    score = {
        (i, j): _score(conditional_mutual_information(table, i, j))
        for i in table.attributes
        for j in table.attributes
        if i != j
    }
    inside = [root]
    while len(inside) < len(parents):
        arcs = [(child, parent) for child in table.attributes if child not in inside for parent in inside]
        child, parent = max(arcs, key=lambda arc: score[arc])  # the first of equals
        parents[child] = [parent]
        inside.append(child)
    return parents


def kdb_parents(table: Table, k: int) -> list[list[int]]:
    """Parents of each attribute in the k-dependence network (Sahami 1996), strongest first.

    Attributes are ordered by falling mutual information with the class (ties: earlier attribute first); each
    takes as parents the k of its predecessors with the largest conditional mutual information (ties: the
    one earlier in that order).

    Examples
    --------
    >>> from seminaive.testing.naive import Table, kdb_parents
    >>> table = Table([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> kdb_parents(table, k=1)
    [[1], []]
    """
    parents: list[list[int]] = [[] for _ in table.attributes]
    order = sorted(table.attributes, key=lambda i: -_score(mutual_information(table, i)))
    for position, child in enumerate(order):
        strongest_first = sorted(
            order[:position],
            key=lambda parent: -_score(conditional_mutual_information(table, child, parent)),
        )
        parents[child] = strongest_first[:k]
    return parents


# --- probabilities ----------------------------------------------------------------------------------------


def smoothed(
    count: float, total: float, n_values: int, smoothing: Smoothing = "m-estimate", strength: float = 1.0
) -> float:
    """Probability of one of `n_values` outcomes that was seen `count` times out of `total`.

    Each outcome gets a pseudo-count: ``strength / n_values`` with the m-estimate, ``strength`` with Laplace.
    Nothing seen and no pseudo-counts: all outcomes are equally probable.

    Examples
    --------
    >>> from seminaive.testing.naive import smoothed
    >>> smoothed(3, 4, 2), smoothed(3, 4, 2, "laplace"), smoothed(3, 4, 2, strength=0), smoothed(0, 0, 2)
    (0.7, 0.6666666666666666, 0.75, 0.5)
    """
    pseudo_count = strength if smoothing == "laplace" else strength / n_values
    if total == 0 and pseudo_count == 0:
        return 1 / n_values
    return (count + pseudo_count) / (total + pseudo_count * n_values)


def class_prior(
    table: Table, prior: ClassPrior = None, smoothing: Smoothing = "m-estimate", strength: float = 1.0
) -> list[float]:
    """P(y): smoothed by default, plain frequencies with ``"empirical"``, or the given probabilities.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, class_prior
    >>> table = Table([[], [], []], [0, 1, 1], n_values=[], n_classes=2)
    >>> class_prior(table), class_prior(table, "empirical"), class_prior(table, [0.9, 0.1])
    ([0.375, 0.625], [0.3333333333333333, 0.6666666666666666], [0.9, 0.1])
    """
    n_class = class_counts(table)
    n = math.fsum(n_class)
    if prior is None:
        return [smoothed(c, n, table.n_classes, smoothing, strength) for c in n_class]
    if isinstance(prior, str):
        return [c / n for c in n_class]
    return list(prior)


def family_probability(
    table: Table,
    child: int,
    row: Row,
    parents: Sequence[int] = (),
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
) -> list[float]:
    """P(x_child | its parents' values, y) for each class y; the child must be observed in the row.

    Parents that are not observed in the row are left out. Of the others the longest leading part is used
    whose values were seen together in training, in any class; possibly none. The counts come from all rows
    in which the child and the parents in use were observed.

    Parameters
    ----------
    table : Table
    child : int
    row : list of (int or None), length n
    parents : list of int
        Strongest first.

    Returns
    -------
    list of float, length n_classes

    Examples
    --------
    The second attribute never was 1 in training, so it drops out as a parent:

    >>> from seminaive.testing.naive import Table, family_probability
    >>> table = Table([[0, 0], [0, 0], [1, 0]], [0, 0, 0], n_values=[2, 2], n_classes=1)
    >>> family_probability(table, 0, [0, 1], parents=[1]) == family_probability(table, 0, [0, 1])
    True
    """
    value = row[child]
    assert value is not None
    conditions = {parent: code for parent in parents if (code := row[parent]) is not None}
    while conditions and total_count(table, conditions, required_observed=[child]) == 0:
        conditions.popitem()  # the weakest parent still in use
    matching = count(table, {child: value, **conditions})
    total = count(table, conditions, required_observed=[child])
    return [
        smoothed(matching[y], total[y], table.n_values[child], smoothing, strength)
        for y in range(table.n_classes)
    ]


# --- cut points of one numeric column -----------------------------------------------------------------------


def _weight_of_value(values: Sequence[float], weights: Sequence[float] | None) -> dict[float, float]:
    """Weight of each distinct value, ascending; missing values and rows of weight zero are absent.

    An infinite value counts as the largest finite number.
    """
    rows_of_value = defaultdict(list)
    for value, weight in zip(values, [1.0] * len(values) if weights is None else weights, strict=True):
        if not math.isnan(value) and weight > 0:
            rows_of_value[_finite(value)].append(weight)
    return {value: math.fsum(rows_of_value[value]) for value in sorted(rows_of_value)}


def _finite(value: float) -> float:
    return min(max(float(value), -sys.float_info.max), sys.float_info.max)


def _midpoint(below: float, above: float) -> float:
    """Halfway between two neighbours, or the lower one where no number lies between."""
    middle = below / 2 + above / 2  # the sum of the two might overflow
    return middle if below <= middle < above else below


def mdlp_cut_points(
    values: Sequence[float],
    classes: Sequence[int],
    weights: Sequence[float] | None = None,
    keep_two_valued: bool = True,
) -> list[float]:
    """Cut points by class entropy and minimum description length (Fayyad and Irani 1993).

    Of all midpoints between neighbouring distinct values the one that leaves the least class entropy in the
    two parts, averaged by their weight N1 and N2, is the best; of equal ones the last. Sums ``N1 E1 + N2 E2``
    that differ by less than a billionth of a bit are equal. It is accepted if

    ``E - (N1 E1 + N2 E2)/N > log2(N - 1)/N + (log2(3^k - 2) - k E + k1 E1 + k2 E2)/N``

    with k, k1, k2 the numbers of classes present, and both parts are cut in the same way. A weight is a
    number of copies; what weighs less than two rows is not cut.

    Parameters
    ----------
    values : list of float, length n
        NaN is missing.
    classes : list of int, length n
    weights : list of float, length n, or None
    keep_two_valued : bool, default True
        Cut between the values of a column that has just two, whatever the criterion says.

    Returns
    -------
    list of float
        Ascending. ``value <= cut`` falls left.

    Examples
    --------
    >>> from seminaive.testing.naive import mdlp_cut_points
    >>> mdlp_cut_points([1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 1, 1, 1, 1])
    [4.5]
    """
    rows = [
        (_finite(value), label, weight)
        for value, label, weight in zip(
            values, classes, [1.0] * len(values) if weights is None else weights, strict=True
        )
        if not math.isnan(value) and weight > 0
    ]

    def class_weights(part: list[tuple[float, int, float]]) -> list[float]:
        labels = sorted({label for _, label, _ in part})
        return [math.fsum(weight for _, other, weight in part if other == label) for label in labels]

    def bits(part: list[tuple[float, int, float]]) -> float:
        return math.fsum(class_weights(part)) * entropy(class_weights(part))

    def split(part: list[tuple[float, int, float]]) -> list[float]:
        distinct = sorted({value for value, _, _ in part})
        n = math.fsum(weight for _, _, weight in part)
        if len(distinct) < 2 or n < 2:
            return []
        candidates = []
        for below, above in itertools.pairwise(distinct):
            left = [row for row in part if row[0] <= below]
            right = [row for row in part if row[0] >= above]
            candidates.append((bits(left) + bits(right), _midpoint(below, above), left, right))
        least = min(candidate[0] for candidate in candidates)
        information, cut, left, right = [c for c in candidates if c[0] < least + 1e-9][-1]
        delta = math.log2(3 ** len(class_weights(part)) - 2) - (
            len(class_weights(part)) * entropy(class_weights(part))
            - len(class_weights(left)) * entropy(class_weights(left))
            - len(class_weights(right)) * entropy(class_weights(right))
        )
        if bits(part) - information > math.log2(n - 1) + delta:
            return [*split(left), cut, *split(right)]
        return []

    if keep_two_valued and len({value for value, _, _ in rows}) == 2:
        return [_midpoint(*sorted({value for value, _, _ in rows}))]
    return split(rows)


def equal_frequency_cut_points(
    values: Sequence[float], n_bins: int, weights: Sequence[float] | None = None
) -> list[float]:
    """Cut points at the quantiles.

    For ``j = 1 .. n_bins - 1``: of all midpoints between neighbouring distinct values the one that has the
    weight on its left nearest to ``j/n_bins`` of the whole; of two equally near ones the lower. Each is taken
    once. Parameters as in `mdlp_cut_points`.

    Examples
    --------
    >>> from seminaive.testing.naive import equal_frequency_cut_points
    >>> equal_frequency_cut_points([1, 2, 3, 4, 4, 4], n_bins=3)
    [2.5, 3.5]
    """
    weight_of_value = _weight_of_value(values, weights)
    total = math.fsum(weight_of_value.values())
    gaps = list(itertools.pairwise(weight_of_value))
    cuts = set()
    for j in range(1, n_bins):
        distance = {
            (below, above): abs(
                n_bins * math.fsum(w for value, w in weight_of_value.items() if value <= below) - j * total
            )
            for below, above in gaps
        }
        if gaps:
            cuts.add(_midpoint(*min(gaps, key=lambda gap: distance[gap])))
    return sorted(cuts)


def equal_width_cut_points(
    values: Sequence[float],
    n_bins: int,
    weights: Sequence[float] | None = None,
    keep_two_valued: bool = True,
) -> list[float]:
    """Cut points at equal distances between the smallest and the largest finite value.

    Each is the float nearest to the exact point. Parameters as in `mdlp_cut_points`.

    Examples
    --------
    >>> from seminaive.testing.naive import equal_width_cut_points
    >>> equal_width_cut_points([0, 1, 8], n_bins=4)
    [2.0, 4.0, 6.0]
    """
    distinct = list(_weight_of_value(values, weights))
    if keep_two_valued and len(distinct) == 2:
        return [_midpoint(*distinct)]
    finite = [value for value in distinct if abs(value) < sys.float_info.max]
    if not finite:
        return []
    low, high = Fraction(finite[0]), Fraction(finite[-1])
    cuts = {float(low + (high - low) * j / n_bins) for j in range(1, n_bins)}
    return sorted(cut for cut in cuts if cut < high)


# --- classifiers: P(x, y) for each class ------------------------------------------------------------------


def network_joint(
    table: Table,
    row: Row,
    parents: Sequence[Sequence[int]],
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """``P(y) * product over i of P(x_i | its parents, y)`` for each class, for given parents.

    Attributes that are not observed in the row contribute no factor.

    Parameters
    ----------
    table : Table
    row : list of (int or None), length n
    parents : list of list of int, length n
        Parents of each attribute, strongest first.

    Returns
    -------
    list of float, length n_classes

    Examples
    --------
    >>> from seminaive.testing.naive import Table, network_joint
    >>> table = Table([[0], [1], [1]], [0, 0, 1], n_values=[2], n_classes=2)
    >>> network_joint(table, [1], parents=[[]])
    [0.3125, 0.28125]
    """
    joint = class_prior(table, prior, smoothing, strength)
    for i in table.attributes:
        if row[i] is not None:
            factor = family_probability(table, i, row, parents[i], smoothing, strength)
            joint = [joint[y] * factor[y] for y in range(table.n_classes)]
    return joint


def naive_bayes_joint(
    table: Table,
    row: Row,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """``P(y) * product over i of P(x_i | y)`` for each class: naive Bayes; see `network_joint`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, naive_bayes_joint
    >>> table = Table([[0], [1], [1]], [0, 0, 1], n_values=[2], n_classes=2)
    >>> naive_bayes_joint(table, [None])
    [0.625, 0.375]
    """
    return network_joint(table, row, [[] for _ in table.attributes], smoothing, strength, prior)


def tan_joint(
    table: Table,
    row: Row,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
    root: int = 0,
) -> list[float]:
    """Joint probability with each class in the tree-augmented network; see `tan_parents`, `network_joint`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, tan_joint
    >>> tan_joint(Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1), [0, 0])
    [0.375]
    """
    return network_joint(table, row, tan_parents(table, root), smoothing, strength, prior)


def kdb_joint(
    table: Table,
    row: Row,
    k: int = 2,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """Joint probability with each class in the k-dependence network; see `kdb_parents`, `network_joint`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, kdb_joint
    >>> kdb_joint(Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1), [0, 0], k=1)
    [0.375]
    """
    return network_joint(table, row, kdb_parents(table, k), smoothing, strength, prior)


def subsumed(table: Table, row: Row, critical_value: float = 100) -> set[int]:
    """Attributes whose value in this row merely generalises another value of the row (Zheng and Webb 2006).

    Attribute i is one if some other observed attribute j has been seen with its value at least
    `critical_value` times, and once at least, always together with the value of i. Of two values that always
    occur together the earlier attribute stays.

    Examples
    --------
    Pregnant (first attribute) implies female (second):

    >>> from seminaive.testing.naive import Table, subsumed
    >>> table = Table([[1, 0], [1, 0], [0, 0], [0, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> subsumed(table, [1, 0], critical_value=2), subsumed(table, [1, 0], critical_value=3)
    ({1}, set())
    """
    observed = {i: code for i in table.attributes if (code := row[i]) is not None}
    result = set()
    for i, x_i in observed.items():
        for j, x_j in observed.items():
            if i == j:
                continue
            n_i, n_j = total_count(table, {i: x_i}), total_count(table, {j: x_j})
            n_ij = total_count(table, {i: x_i, j: x_j})
            if n_j == n_ij > 0 and n_ij >= critical_value and (n_i > n_j or j < i):
                result.add(i)
    return result


def aode_joint(
    table: Table,
    row: Row,
    frequency_limit: float = 1,
    subsumption_resolution: bool = False,
    critical_value: float = 100,
    conditional: Literal["direct", "ratio"] = "direct",
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """Joint probability with each class, averaged over one-dependence estimators (Webb et al. 2005).

    ``mean over superparents a of P(x_a, y) * product over j other than a of P(x_j | x_a, y)``

    A superparent is an observed attribute whose value was seen at least `frequency_limit` times; a limit of
    one asks that it was seen at all, whatever the weight of those rows, a limit of zero nothing. With
    subsumption resolution, attributes in `subsumed` take no part. No superparent: naive Bayes on all observed
    attributes. A class prior other than the default one multiplies the result by its ratio to the default.

    ``conditional="direct"`` smooths ``P(x_j | x_a, y)`` itself; ``"ratio"`` divides the smoothed
    ``P(x_j, x_a, y)`` by the smoothed ``P(x_a, y)``, both from the rows with a and j observed.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, aode_joint
    >>> aode_joint(Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1), [0, 0])
    [0.375]
    """
    classes = range(table.n_classes)
    observed = {i: code for i in table.attributes if (code := row[i]) is not None}
    deleted = subsumed(table, row, critical_value) if subsumption_resolution else set()
    used = {i: code for i, code in observed.items() if i not in deleted}
    occurrences = {a: total_count(table, {a: x_a}) for a, x_a in used.items()}
    if 0 < frequency_limit <= 1:
        superparents = [a for a in used if occurrences[a] > 0]
    else:
        superparents = [a for a in used if occurrences[a] >= frequency_limit]
    if not superparents:
        return naive_bayes_joint(table, row, smoothing, strength, prior)

    def parent_probability(a: int) -> list[float]:
        n_a = total_count(table, {}, required_observed=[a])
        cells = table.n_values[a] * table.n_classes
        return [smoothed(n, n_a, cells, smoothing, strength) for n in count(table, {a: used[a]})]

    def child_probability(j: int, a: int) -> list[float]:
        pair = count(table, {j: used[j], a: used[a]})
        parent = count(table, {a: used[a]}, required_observed=[j])
        v_j, v_a = table.n_values[j], table.n_values[a]
        if conditional == "direct":
            return [smoothed(pair[y], parent[y], v_j, smoothing, strength) for y in classes]
        n_both = total_count(table, {}, required_observed=[j, a])
        result = []
        for y in classes:
            joint = smoothed(pair[y], n_both, v_j * v_a * table.n_classes, smoothing, strength)
            single = smoothed(parent[y], n_both, v_a * table.n_classes, smoothing, strength)
            result.append(joint / single if single > 0 else 1 / v_j)  # nothing seen: uniform, as everywhere
        return result

    mean = [0.0] * table.n_classes
    for a in superparents:
        joint = parent_probability(a)
        for j in used:
            if j != a:
                factor = child_probability(j, a)
                joint = [joint[y] * factor[y] for y in classes]
        mean = [mean[y] + joint[y] / len(superparents) for y in classes]
    if prior is None:
        return mean
    wanted = class_prior(table, prior, smoothing, strength)
    default = class_prior(table, None, smoothing, strength)
    return [mean[y] * wanted[y] / default[y] if default[y] > 0 else 0.0 for y in classes]


def superparent_pairs(table: Table, row: Row, frequency_limit: float = 1) -> list[tuple[int, int]]:
    """Pairs of attributes that may be superparents of a row: observed, and seen together often enough.

    The limit is read as by `superparents`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, superparent_pairs
    >>> table = Table([[0, 0, 0], [0, 0, 1], [1, 1, 1]], [0, 1, 1], n_values=[2, 2, 2], n_classes=2)
    >>> superparent_pairs(table, [0, 0, 0]), superparent_pairs(table, [0, 0, 0], 2)
    ([(0, 1), (0, 2), (1, 2)], [(0, 1)])
    """
    pairs = itertools.combinations(_observed(table, row), 2)
    seen = {(a, b): total_count(table, {i: x for i in (a, b) if (x := row[i]) is not None}) for a, b in pairs}
    return [pair for pair, n in seen.items() if n >= frequency_limit or (frequency_limit <= 1 and n > 0)]


def ande_joint(
    table: Table,
    row: Row,
    n: Literal[1, 2] = 2,
    frequency_limit: float = 1,
    subsumption_resolution: bool = False,
    critical_value: float = 100,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """Joint probability with each class, averaged over pairs of superparents (Webb et al. 2012).

    ``mean over pairs {a, b} of P(x_a, x_b, y) * product over c other than a, b of P(x_c | x_a, x_b, y)``

    The pairs are those of `superparent_pairs`. With subsumption resolution, attributes in `subsumed` take no
    part. No pair, or ``n=1``: `aode_joint`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, ande_joint
    >>> ande_joint(Table([[0, 0, 0], [1, 1, 1]], [0, 0], n_values=[2, 2, 2], n_classes=1), [0, 0, 0])
    [0.3125]
    """
    deleted = subsumed(table, row, critical_value) if subsumption_resolution else set()
    used = [None if i in deleted else code for i, code in enumerate(row)]
    pairs = superparent_pairs(table, used, frequency_limit) if n == 2 else []
    if not pairs:
        return aode_joint(
            table,
            row,
            frequency_limit,
            subsumption_resolution,
            critical_value,
            smoothing=smoothing,
            strength=strength,
            prior=prior,
        )
    classes = range(table.n_classes)
    observed = _observed(table, used)
    mean = [0.0] * table.n_classes
    for a, b in pairs:
        estimator = _joint_of_two(table, a, observed[a], b, observed[b], smoothing, strength)
        both = {a: observed[a], b: observed[b]}
        for c, x_c in observed.items():
            if c not in both:
                counts, totals = count(table, {c: x_c, **both}), count(table, both, required_observed=[c])
                for y in classes:
                    estimator[y] *= smoothed(counts[y], totals[y], table.n_values[c], smoothing, strength)
        mean = [mean[y] + estimator[y] / len(pairs) for y in classes]
    if prior is None:
        return mean
    wanted = class_prior(table, prior, smoothing, strength)
    default = class_prior(table, None, smoothing, strength)
    return [mean[y] * wanted[y] / default[y] if default[y] > 0 else 0.0 for y in classes]


def hnb_weights(table: Table) -> list[list[float]]:
    """``w_ij = I(X_i; X_j | Y)`` in bits, 0 below 1e-12 and for i = j (Jiang, Zhang and Cai 2009).

    Examples
    --------
    >>> from seminaive.testing.naive import Table, hnb_weights
    >>> hnb_weights(Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1))
    [[0.0, 1.0], [1.0, 0.0]]
    """
    bits = [
        [0.0 if i == j else conditional_mutual_information(table, i, j) for j in table.attributes]
        for i in table.attributes
    ]
    return [[weight if weight >= 1e-12 else 0.0 for weight in row] for row in bits]


def hnb_factors(
    table: Table,
    row: Row,
    weights: Sequence[Sequence[float]],
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
) -> list[list[float]]:
    """Of every attribute ``sum over j of w_ij P(x_i | x_j, y) / sum over j of w_ij`` for each class.

    Sums go over the attributes that the row has; ``P(x_i | y)`` where no weight is left. Ones for attributes
    that are not observed.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, hnb_factors
    >>> table = Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1)
    >>> hnb_factors(table, [0, 0], [[0, 1], [1, 0]]), hnb_factors(table, [0, None], [[0, 1], [1, 0]])
    ([[0.75], [0.75]], [[0.5], [1.0]])
    """
    observed = _observed(table, row)
    factors = [[1.0] * table.n_classes for _ in row]
    for i, x_i in observed.items():
        parents = {j: x_j for j, x_j in observed.items() if j != i and weights[i][j] > 0}
        if not parents:
            factors[i] = family_probability(table, i, row, (), smoothing, strength)
            continue
        terms = []
        for j, x_j in parents.items():
            counts, totals = count(table, {i: x_i, j: x_j}), count(table, {j: x_j}, required_observed=[i])
            terms.append(
                [
                    weights[i][j] * smoothed(counts[y], totals[y], table.n_values[i], smoothing, strength)
                    for y in range(table.n_classes)
                ]
            )
        total = math.fsum(weights[i][j] for j in parents)
        factors[i] = [math.fsum(of_class) / total for of_class in zip(*terms, strict=True)]
    return factors


def hnb_joint(
    table: Table,
    row: Row,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """Joint probability with each class by hidden naive Bayes: ``P(y)`` times all `hnb_factors`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, hnb_joint
    >>> hnb_joint(Table([[0, 0], [1, 1]], [0, 0], n_values=[2, 2], n_classes=1), [0, 0])
    [0.5625]
    """
    factors = hnb_factors(table, row, hnb_weights(table), smoothing, strength)
    p_y = class_prior(table, prior, smoothing, strength)
    return [p_y[y] * math.prod(f[y] for f in factors) for y in range(table.n_classes)]


def posterior(joint: Sequence[float], prior: Sequence[float]) -> list[float]:
    """P(y | x) from the joint probabilities; the prior where every class is impossible.

    Examples
    --------
    >>> from seminaive.testing.naive import posterior
    >>> posterior([0.25, 0.75], [0.5, 0.5]), posterior([0.0, 0.0], [0.5, 0.5])
    ([0.25, 0.75], [0.5, 0.5])
    """
    total = math.fsum(joint)
    return [p / total for p in joint] if total > 0 else list(prior)


# --- weighted one-dependence estimators -------------------------------------------------------------------
# A weight function gives one number for each attribute, NaN where the formula has no value: a missing
# attribute, 0/0, infinity. n and all sums run over the attributes that the row has. Marginals of a pair of
# attributes are counted over the rows in which both are observed.


def _observed(table: Table, row: Row) -> dict[int, int]:
    return {i: code for i in table.attributes if (code := row[i]) is not None}


def _log(probability: float) -> float:
    return math.log(probability) if probability > 0 else -math.inf


def _times_log(factor: float, probability: float) -> float:
    """``factor * log(probability)``, nothing where the factor is 0."""
    return factor * math.log(probability) if factor > 0 else 0.0


def _ratio(part: float, whole: float) -> float:
    """``part / whole``, 0 where there is no whole."""
    return part / whole if whole > 0 else 0.0


def _for_each_attribute(table: Table, weights: Mapping[int, float]) -> list[float]:
    """NaN where there is no finite weight; nothing below 1e-12, so that noise makes no weight."""
    found = [weights.get(a, math.nan) for a in table.attributes]
    return [math.nan if not math.isfinite(w) else 0.0 if abs(w) < 1e-12 else w for w in found]


def superparents(table: Table, row: Row, frequency_limit: float = 1) -> list[int]:
    """Attributes that may be superparents of a row: observed, and seen often enough.

    A limit of one or less, but not zero, asks that the value was seen at all; zero asks nothing.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, superparents
    >>> table = Table([[0, 0], [0, 1], [None, 1]], [0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> superparents(table, [0, 0]), superparents(table, [0, 0], 2), superparents(table, [None, 1])
    ([0, 1], [0], [1])
    """
    seen = {a: total_count(table, {a: x_a}) for a, x_a in _observed(table, row).items()}
    return [a for a, n in seen.items() if n >= frequency_limit or (frequency_limit <= 1 and n > 0)]


def waode_weights(table: Table, row: Row) -> list[float]:
    """``w_a = I(X_a; Y)`` in bits (Jiang and Zhang 2006), see `mutual_information`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, waode_weights
    >>> table = Table([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> waode_weights(table, [0, 0])
    [1.0, 0.0]
    """
    return _for_each_attribute(table, {a: mutual_information(table, a) for a in _observed(table, row)})


def avwaode_weights(table: Table, row: Row, measure: Literal["kl", "ig"] = "kl") -> list[float]:
    """How much the value of the row tells about the class (Yu, Jiang, Wang and Zhang 2017), in bits.

    ``"kl"``: ``w_a = sum over y of P(y|x_a) log2( P(y|x_a) / P(y) )``; ``"ig"``: ``w_a = H(Y) - H(Y|x_a)``.
    Raw frequencies; a value that was never seen has no ``P(y|x_a)`` and no weight.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, avwaode_weights
    >>> table = Table([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> avwaode_weights(table, [0, 0]), avwaode_weights(table, [0, 0], "ig")
    ([1.0, 0.0], [1.0, 0.0])
    """
    weights = {}
    for a, x_a in _observed(table, row).items():
        n_class = count(table, {}, required_observed=[a])
        n_x_class = count(table, {a: x_a})
        n, n_x = math.fsum(n_class), math.fsum(n_x_class)
        if n_x == 0:
            continue
        if measure == "ig":
            weights[a] = entropy(n_class) - entropy(n_x_class)
        else:
            terms = [
                _times_log(n_x_class[y] / n_x, _ratio(n_x_class[y] * n, n_x * n_class[y]))
                for y in range(table.n_classes)
            ]
            weights[a] = math.fsum(terms) / math.log(2)
    return _for_each_attribute(table, weights)


def taode_weights(table: Table, row: Row) -> list[float]:
    """``w_a = 1 / ( H(x_a, Y) + sum over i of H(x_i | x_a, Y) )``, in nats (Wang et al. 2020).

    ``H(x_a, Y) = -sum over y of P(x_a,y) log P(x_a,y)`` and
    ``H(x_i | x_a, Y) = -sum over y of P(x_i,x_a,y) log P(x_i|x_a,y)``, raw frequencies. A sum of zero gets
    the largest weight of the row, or 1.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, taode_weights
    >>> table = Table([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> [round(1 / w, 4) for w in taode_weights(table, [0, 0])]  # 3/4 log(2), log(2)
    [0.5199, 0.6931]
    """
    classes = range(table.n_classes)
    observed = _observed(table, row)
    entropies = {}
    for a, x_a in observed.items():
        n_a = total_count(table, {}, required_observed=[a])
        joint = [_ratio(n, n_a) for n in count(table, {a: x_a})]
        terms = [-_times_log(p, p) for p in joint]
        for i, x_i in observed.items():
            if i != a:
                pair = count(table, {i: x_i, a: x_a})
                parent = count(table, {a: x_a}, required_observed=[i])
                n_both = total_count(table, {}, required_observed=[i, a])
                terms += [-_times_log(_ratio(pair[y], n_both), _ratio(pair[y], parent[y])) for y in classes]
        entropies[a] = math.fsum(terms)
    largest = max((1 / h for h in entropies.values() if h > 0), default=1.0)
    return _for_each_attribute(table, {a: 1 / h if h > 0 else largest for a, h in entropies.items()})


def iwaode_weights(
    table: Table, row: Row, smoothing: Smoothing = "m-estimate", strength: float = 1.0
) -> list[float]:
    """``w_a = u_a - min u`` with ``u_a = I(x_a; Y) + sum over i of I(x_i; x_a | Y)``, in nats.

    ``I(x_a; Y) = sum over y of P(x_a,y) log( P(x_a,y) / (P(x_a) P(y)) )`` and
    ``I(x_i; x_a | Y) = sum over y of P(x_i,x_a,y) log( P(x_i,x_a,y) P(y) / (P(x_i,y) P(x_a,y)) )``, smoothed
    joints, ``P(x_a)`` their sum over y. After Lou et al. (2020); a reconstruction.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, iwaode_weights
    >>> table = Table([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> [round(w, 4) for w in iwaode_weights(table, [0, 0], strength=0)]  # log(2)/2 more
    [0.3466, 0.0]
    """
    classes = range(table.n_classes)
    observed = _observed(table, row)
    information = {}
    for a, x_a in observed.items():
        joint, prior = _joint_of_one(table, a, x_a, [a], smoothing, strength)
        marginal = math.fsum(joint)
        terms = [_times_log(joint[y], _ratio(joint[y], marginal * prior[y])) for y in classes]
        for i, x_i in observed.items():
            if i != a:
                pair = _joint_of_two(table, i, x_i, a, x_a, smoothing, strength)
                of_a, prior = _joint_of_one(table, a, x_a, [i, a], smoothing, strength)
                of_i, prior = _joint_of_one(table, i, x_i, [i, a], smoothing, strength)
                terms += [_times_log(pair[y], _ratio(pair[y] * prior[y], of_i[y] * of_a[y])) for y in classes]
        information[a] = math.fsum(terms)
    least = min(information.values(), default=0.0)
    return _for_each_attribute(table, {a: u - least for a, u in information.items()})


def _joint_of_one(
    table: Table, a: int, x_a: int, required: list[int], smoothing: Smoothing, strength: float
) -> tuple[list[float], list[float]]:
    """``P(x_a, y)`` and ``P(y)``, smoothed, over the rows in which all required attributes are observed."""
    n_class = count(table, {}, required)
    n, k = math.fsum(n_class), table.n_classes
    joint = [
        smoothed(c, n, table.n_values[a] * k, smoothing, strength) for c in count(table, {a: x_a}, required)
    ]
    return joint, [smoothed(c, n, k, smoothing, strength) for c in n_class]


def _joint_of_two(
    table: Table, i: int, x_i: int, a: int, x_a: int, smoothing: Smoothing, strength: float
) -> list[float]:
    """``P(x_i, x_a, y)``, smoothed, over the rows in which both attributes are observed."""
    n_both = total_count(table, {}, required_observed=[i, a])
    cells = table.n_values[i] * table.n_values[a] * table.n_classes
    return [smoothed(c, n_both, cells, smoothing, strength) for c in count(table, {i: x_i, a: x_a})]


def ibwaode_weights(
    table: Table, row: Row, smoothing: Smoothing = "m-estimate", strength: float = 1.0
) -> list[float]:
    """``w_a = (u_a + v_a)^(n-1)`` with u, v the shares ``1 - G_a / sum G`` and ``1 - g_a / sum g``.

    ``g_a = H(Y) + H(x_a|Y) + sum over i of H(x_i|x_a,Y)``, where
    ``H(x_i|x_a,Y) = -sum over y of P(x_i,x_a,y) log P(x_i|x_a,y)``, the joint smoothed as such and the
    conditional directly; ``G_a`` is the same with every term summed over all values. The shares u and v are
    each made to sum to one. n = 1: the weight is 1. After the program of Duan et al. (2020).

    Examples
    --------
    >>> from seminaive.testing.naive import Table, ibwaode_weights
    >>> table = Table([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> [round(w, 4) for w in ibwaode_weights(table, [0, 0], strength=0)]  # equal G; g = 5/4, 6/4 log(2)
    [1.0455, 0.9545]
    """
    observed = _observed(table, row)
    n_class = class_counts(table)
    n = math.fsum(n_class)
    prior = [smoothed(c, n, table.n_classes, smoothing, strength) for c in n_class]
    class_entropy = -math.fsum(_times_log(p, p) for p in prior)

    def of_one(a: int, x_a: int) -> float:
        joint, _ = _joint_of_one(table, a, x_a, [a], smoothing, strength)
        counts, totals = count(table, {a: x_a}), count(table, {}, required_observed=[a])
        return -math.fsum(
            _times_log(joint[y], smoothed(counts[y], totals[y], table.n_values[a], smoothing, strength))
            for y in range(table.n_classes)
        )

    def of_two(i: int, x_i: int, a: int, x_a: int) -> float:
        joint = _joint_of_two(table, i, x_i, a, x_a, smoothing, strength)
        counts, totals = count(table, {i: x_i, a: x_a}), count(table, {a: x_a}, required_observed=[i])
        return -math.fsum(
            _times_log(joint[y], smoothed(counts[y], totals[y], table.n_values[i], smoothing, strength))
            for y in range(table.n_classes)
        )

    of_row, of_network = {}, {}
    for a, x_a in observed.items():
        others = [i for i in observed if i != a]
        of_row[a] = class_entropy + of_one(a, x_a) + math.fsum(of_two(i, observed[i], a, x_a) for i in others)
        values = range(table.n_values[a])
        of_network[a] = class_entropy + math.fsum(
            [of_one(a, x) for x in values]
            + [of_two(i, z, a, x) for x in values for i in others for z in range(table.n_values[i])]
        )

    def shares(entropies: dict[int, float]) -> dict[int, float]:
        total = math.fsum(entropies.values())
        parts = {a: 1 - h / total if total > 0 else math.nan for a, h in entropies.items()}
        return {a: part / math.fsum(parts.values()) for a, part in parts.items()}

    if len(observed) < 2:
        return _for_each_attribute(table, dict.fromkeys(observed, 1.0))
    u, v = shares(of_network), shares(of_row)
    return _for_each_attribute(table, {a: (u[a] + v[a]) ** (len(observed) - 1) for a in observed})


def awode_weights(
    table: Table,
    row: Row,
    orientation: Literal["printed", "reversed"] = "printed",
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
) -> list[float]:
    """``W_a = -sum over i, y of log P(y|x_i,x_a) + (n-2) sum over y of log P(y|x_a)``, in nats (AWODE, 2021).

    ``"printed"``: the posteriors from smoothed joints. Of the n - 2 terms of ``log P(y|x_a)``, n - 1 go with
    one pair each, counted like the pair over the rows in which both attributes are observed, and one, with
    the opposite sign, is counted over the rows in which a is observed; it is all the same where nothing is
    missing. ``"reversed"``: ``max W - W_a`` with raw frequencies, those that are 0 left out.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, awode_weights
    >>> table = Table([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1], n_values=[2, 2], n_classes=2)
    >>> [round(w, 4) for w in awode_weights(table, [0, 1])]  # -log(9/10) - log(1/10)
    [2.4079, 2.4079]
    >>> [round(w, 4) for w in awode_weights(table, [0, 1], "reversed")]  # W = 0 for both
    [0.0, 0.0]
    """
    observed = _observed(table, row)

    def sum_of_logs(probabilities: list[float]) -> float:
        total = math.fsum(probabilities)
        posteriors = [_ratio(p, total) for p in probabilities]
        if orientation == "reversed":
            posteriors = [p for p in posteriors if p > 0]
        return sum(_log(p) for p in posteriors)

    def of_one(a: int, required: list[int]) -> float:
        if orientation == "reversed":
            return sum_of_logs(count(table, {a: observed[a]}, required))
        return sum_of_logs(_joint_of_one(table, a, observed[a], required, smoothing, strength)[0])

    def of_two(i: int, a: int) -> float:
        if orientation == "reversed":
            return sum_of_logs(count(table, {i: observed[i], a: observed[a]}))
        return sum_of_logs(_joint_of_two(table, i, observed[i], a, observed[a], smoothing, strength))

    information = {
        a: sum(of_one(a, [i, a]) - of_two(i, a) for i in observed if i != a) - of_one(a, [a])
        for a in observed
    }
    if orientation == "reversed":
        largest = max(information.values(), default=0.0)
        information = {a: largest - w for a, w in information.items()}
    return _for_each_attribute(table, information)


def usable_weights(
    weights: Sequence[float], superparents: Sequence[int], negative: Literal["clip", "keep"] = "clip"
) -> list[float]:
    """Weights of the superparents, divided by the sum of their absolute values; 0 for other attributes.

    NaN counts as 0, and so does a negative weight unless it is to be kept. If nothing is left, all
    superparents weigh the same.

    Examples
    --------
    >>> from seminaive.testing.naive import usable_weights
    >>> usable_weights([3, -1, float("nan")], [0, 1, 2]), usable_weights([3, -1, 5], [0, 1], "keep")
    ([1.0, 0.0, 0.0], [0.75, -0.25, 0.0])
    >>> usable_weights([-1, 0, 5], [0, 1])
    [0.5, 0.5, 0.0]
    """
    usable = [0.0] * len(weights)
    for a in superparents:
        if not math.isnan(weights[a]) and (weights[a] > 0 or negative == "keep"):
            usable[a] = weights[a]
    total = math.fsum(abs(w) for w in usable)
    if total > 0:
        return [w / total for w in usable]
    return [1 / len(superparents) if a in superparents else 0.0 for a in range(len(weights))]


def weighted_aode_joint(
    table: Table,
    row: Row,
    weights: Sequence[float],
    conditional: Literal["direct", "ratio"] = "direct",
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[float]:
    """Joint probability with each class, averaged over one-dependence estimators with `usable_weights`.

    ``sum over a of w_a P(x_a, y) * product over j other than a of P(x_j | x_a, y)``, 0 where that is
    negative. All weights zero, as no attribute is a superparent: naive Bayes. Else as `aode_joint`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table, weighted_aode_joint
    >>> table = Table([[0, 0], [1, 1], [1, 0]], [0, 0, 0], n_values=[2, 2], n_classes=1)
    >>> weighted_aode_joint(table, [1, 0], [1.0, 0.0]), weighted_aode_joint(table, [1, 0], [0.0, 1.0])
    ([0.3125], [0.3125])
    """
    if not any(weights):
        return naive_bayes_joint(table, row, smoothing, strength, prior)
    classes = range(table.n_classes)
    observed = _observed(table, row)
    terms: list[list[float]] = [[] for _ in classes]
    for a, weight in enumerate(weights):
        if weight == 0:
            continue
        estimator, _ = _joint_of_one(table, a, observed[a], [a], smoothing, strength)
        for j, x_j in observed.items():
            if j == a:
                continue
            if conditional == "ratio":
                pair = _joint_of_two(table, j, x_j, a, observed[a], smoothing, strength)
                parent, _ = _joint_of_one(table, a, observed[a], [j, a], smoothing, strength)
                factor = [pair[y] / parent[y] if parent[y] > 0 else 1 / table.n_values[j] for y in classes]
            else:
                counts = count(table, {j: x_j, a: observed[a]})
                totals = count(table, {a: observed[a]}, required_observed=[j])
                factor = [
                    smoothed(counts[y], totals[y], table.n_values[j], smoothing, strength) for y in classes
                ]
            estimator = [estimator[y] * factor[y] for y in classes]
        for y in classes:
            terms[y].append(weight * estimator[y])
    joint = [max(math.fsum(of_class), 0.0) for of_class in terms]
    if prior is None:
        return joint
    wanted = class_prior(table, prior, smoothing, strength)
    default = class_prior(table, None, smoothing, strength)
    return [joint[y] * wanted[y] / default[y] if default[y] > 0 else 0.0 for y in classes]
