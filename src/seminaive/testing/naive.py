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
    "aode_joint",
    "class_counts",
    "class_prior",
    "conditional_mutual_information",
    "count",
    "entropy",
    "equal_frequency_cut_points",
    "equal_width_cut_points",
    "family_probability",
    "kdb_joint",
    "kdb_parents",
    "mdlp_cut_points",
    "mutual_information",
    "naive_bayes_joint",
    "network_joint",
    "posterior",
    "smoothed",
    "subsumed",
    "tan_joint",
    "tan_parents",
    "total_count",
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

    A superparent is an observed attribute whose value was seen at least `frequency_limit` times (a limit of
    one or less: seen at all). With subsumption resolution, attributes in `subsumed` take no part. No
    superparent: naive Bayes on all observed attributes. A class prior other than the default one multiplies
    the result by its ratio to the default one.

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
    superparents = [
        a
        for a, x_a in used.items()
        if (n_x_a := total_count(table, {a: x_a})) > 0 and (frequency_limit <= 1 or n_x_a >= frequency_limit)
    ]
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
