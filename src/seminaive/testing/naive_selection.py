"""The slow, obvious versions of the classifiers that choose what they keep, by leave-one-out.

As in `seminaive.testing.naive`, whose `Table` and probabilities are used here: every number is counted anew
by a scan of the training rows, and nothing is shared with the rest of the package. To leave a row out, the
table is really written down without it, once for every row and every network that is tried.

A network is a set of features and, for each attribute, its parents, strongest first. What is no feature has
no factor and is nobody's parent. Two losses that differ by no more than 1e-12 are equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from seminaive.testing.naive import (
    ClassPrior,
    Row,
    Smoothing,
    Table,
    _score,
    class_counts,
    class_prior,
    conditional_mutual_information,
    kdb_parents,
    mutual_information,
    network_joint,
    posterior,
)
from seminaive.testing.naive_cases import without_one_copy

__all__ = [
    "Selection",
    "Step",
    "adaptive_selection",
    "batches",
    "best_prefix",
    "better",
    "greedy_selection",
    "leave_one_out_loss",
    "left_out_posteriors",
    "likeliest",
    "mean_loss",
    "only_features",
    "prefix_selection",
    "relevance_order",
    "selective_kdb",
]

Criterion = Literal["zero_one", "rmse", "log_loss"]
Parents = Sequence[Sequence[int]]
Arc = tuple[int, int]  # parent, child
Item = TypeVar("Item")

_EQUAL = 1e-12
_SMALLEST = 2.2250738585072014e-308


@dataclass(frozen=True)
class Step:
    """One network that was tried, and what distinguishes it from the one before.

    Parameters
    ----------
    kind : {"start", "feature", "dependency", "prefix"}
    loss : float
        Leave-one-out loss of the network.
    accepted : bool
        Whether what this step adds or removes is added or removed in the final network; of prefixes, whether
        it is the chosen one. Always true of the start.
    features : list of int
        What it adds or removes; of a prefix, the feature that it ends with.
    dependencies : list of (int, int)
        Arcs (parent, child) that it removes.
    information, threshold : float or None
        Bits of the least informative of these (of the feature, where it ends a prefix), and the mean of all.
    k : int or None
        Most parents of an attribute.

    Examples
    --------
    >>> from seminaive.testing.naive_selection import Step
    >>> Step("start", loss=0.25, accepted=True).features
    ()
    """

    kind: Literal["start", "feature", "dependency", "prefix"]
    loss: float
    accepted: bool
    features: Sequence[int] = ()
    dependencies: Sequence[Arc] = ()
    information: float | None = None
    threshold: float | None = None
    k: int | None = None


@dataclass(frozen=True)
class Selection:
    """What was chosen, and everything that was tried.

    Parameters
    ----------
    features : list of int
        Ascending.
    parents : list of list of int, length n
        Of each attribute, strongest first; attributes that were not chosen have none.
    loss : float
        Of the chosen network.
    path : list of `Step`

    Examples
    --------
    >>> from seminaive.testing.naive_selection import Selection
    >>> Selection([1], [[], []], 0.5, []).features
    [1]
    """

    features: list[int]
    parents: list[list[int]]
    loss: float
    path: list[Step]


# --- leave one out ------------------------------------------------------------------------------------------


def only_features(row: Row, features: Iterable[int]) -> list[int | None]:
    """The row as if all other attributes had not been observed: they get no factor and are no parents.

    Examples
    --------
    >>> from seminaive.testing.naive_selection import only_features
    >>> only_features([4, 5, 6], [0, 2])
    [4, None, 6]
    """
    features = set(features)
    return [code if i in features else None for i, code in enumerate(row)]


def left_out_posteriors(
    table: Table,
    features: Iterable[int],
    parents: Parents,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> list[list[float]]:
    """P(y | x) of every training row, from the other rows.

    The network is given; the class prior and all counts lose one copy of the row, or what there is of it if
    that is less. With no other row the empirical prior is uniform.

    Parameters
    ----------
    table : Table
    features : iterable of int
    parents : list of list of int, length n
        Of each attribute, strongest first.

    Returns
    -------
    list of list of float, N rows of n_classes values

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_selection import left_out_posteriors
    >>> table = Table([[0], [0], [0]], [0, 1, 1], n_values=[1], n_classes=2)
    >>> left_out_posteriors(table, [0], [[]], prior="empirical")
    [[0.0, 1.0], [0.5, 0.5], [0.5, 0.5]]
    """
    features = list(features)
    result = []
    for r, row in enumerate(table.rows):
        others = without_one_copy(table, r)
        if prior == "empirical" and not any(class_counts(others)):
            p_y = [1 / table.n_classes] * table.n_classes
        else:
            p_y = class_prior(others, prior, smoothing, strength)
        joint = network_joint(others, only_features(row, features), parents, smoothing, strength, p_y)
        result.append(posterior(joint, p_y))
    return result


def likeliest(p: Sequence[float]) -> int:
    """The class that is predicted: the first of those whose log probability is within 1e-9 of the largest.

    Examples
    --------
    >>> from seminaive.testing.naive_selection import likeliest
    >>> likeliest([0.2, 0.4 - 1e-12, 0.4])
    1
    """
    return next(y for y, p_y in enumerate(p) if p_y >= max(p) * math.exp(-1e-9))


def mean_loss(table: Table, posteriors: Sequence[Sequence[float]], criterion: Criterion) -> float:
    """Mean loss of the rows, by weight, given P(y | x) of each.

    ``"zero_one"``: 1 where another class than that of the row is predicted. ``"log_loss"``: minus log P(y|x),
    in nats, where P is not below the smallest normal number. ``"rmse"``: the root of the mean of
    ``(1 - P(y|x))^2``.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_selection import mean_loss
    >>> table = Table([[], []], [0, 1], n_values=[], n_classes=2, weights=[1, 3])
    >>> posteriors = [[0.4, 0.6], [0, 1]]
    >>> mean_loss(table, posteriors, "zero_one"), round(mean_loss(table, posteriors, "rmse"), 12)
    (0.25, 0.3)
    >>> round(mean_loss(table, posteriors, "log_loss"), 4)
    0.2291
    """
    losses, weights = [], []
    for (_, label, weight), p in zip(table.weighted_rows(), posteriors, strict=True):
        if criterion == "zero_one":
            loss = float(likeliest(p) != label)
        elif criterion == "rmse":
            loss = (1 - p[label]) ** 2
        else:
            loss = -math.log(max(p[label], _SMALLEST))
        losses.append(weight * loss)
        weights.append(weight)
    mean = math.fsum(losses) / math.fsum(weights)
    return math.sqrt(mean) if criterion == "rmse" else mean


def leave_one_out_loss(
    table: Table,
    features: Iterable[int],
    parents: Parents,
    criterion: Criterion = "zero_one",
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> float:
    """Mean loss of the rows, each given the other rows; see `left_out_posteriors` and `mean_loss`.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_selection import leave_one_out_loss
    >>> table = Table([[0], [0], [1], [1]], [0, 0, 1, 1], n_values=[2], n_classes=2)
    >>> leave_one_out_loss(table, [0], [[]]), leave_one_out_loss(table, [], [[]])
    (0.0, 1.0)
    """
    return mean_loss(
        table, left_out_posteriors(table, features, parents, smoothing, strength, prior), criterion
    )


def better(loss: float, than: float) -> bool:
    """Whether a loss is smaller by more than 1e-12.

    Examples
    --------
    >>> from seminaive.testing.naive_selection import better
    >>> better(0.5, 0.6), better(0.5, 0.5 + 1e-13)
    (True, False)
    """
    return than - loss > _EQUAL


# --- selective naive Bayes ----------------------------------------------------------------------------------


def relevance_order(table: Table) -> list[int]:
    """Attributes by falling I(X_i; Y); ties: earlier attribute first.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_selection import relevance_order
    >>> relevance_order(Table([[0, 0, 0], [0, 1, 0]], [0, 1], n_values=[1, 2, 1], n_classes=2))
    [1, 0, 2]
    """
    return sorted(table.attributes, key=lambda i: -_relevance(table, i))


def _relevance(table: Table, i: int) -> float:
    return _score(mutual_information(table, i))


def greedy_selection(
    table: Table,
    criterion: Criterion = "zero_one",
    accept_ties: bool = False,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> Selection:
    """Naive Bayes of features that are added one by one (Langley and Sage 1994).

    Nothing is chosen at first, and the class prior alone predicts. In each round every other feature is
    tried; the best one (ties: the earlier) is added if that is better than before, with ``accept_ties`` also
    if it is as good. The path ends with the first that was not, if there is one.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_selection import greedy_selection
    >>> rows = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    >>> table = Table(rows, [0, 0, 1, 1], n_values=[2, 2, 2], n_classes=2)
    >>> selection = greedy_selection(table)
    >>> selection.features, [(list(step.features), step.loss) for step in selection.path]
    ([0], [([], 1.0), ([0], 0.0), ([1], 0.0)])
    >>> greedy_selection(table, accept_ties=True).features
    [0, 1, 2]
    """
    parents: list[list[int]] = [[] for _ in table.attributes]

    def loss_of(features: Iterable[int]) -> float:
        return leave_one_out_loss(table, features, parents, criterion, smoothing, strength, prior)

    features: list[int] = []
    loss = loss_of(features)
    path = [Step("start", loss, accepted=True)]
    while len(features) < len(parents):
        candidates = {i: loss_of([*features, i]) for i in table.attributes if i not in features}
        best = next(
            i for i in candidates if not any(better(other, candidates[i]) for other in candidates.values())
        )
        accepted = better(candidates[best], loss) or (accept_ties and not better(loss, candidates[best]))
        path.append(Step("feature", candidates[best], accepted, [best], information=_relevance(table, best)))
        if not accepted:
            break
        features.append(best)
        loss = candidates[best]
    return Selection(sorted(features), parents, loss, path)


def prefix_selection(
    table: Table,
    criterion: Criterion = "zero_one",
    accept_ties: bool = False,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> Selection:
    """Naive Bayes of the s most relevant features, for the s that is best.

    All s from 0 to n are tried, in the order of `relevance_order`. Ties: the smallest s, or with
    ``accept_ties`` the largest.

    Examples
    --------
    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_selection import prefix_selection
    >>> rows = [[0, 0], [1, 0], [0, 1], [1, 1]]
    >>> table = Table(rows, [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    >>> selection = prefix_selection(table)
    >>> selection.features, [(list(step.features), step.loss) for step in selection.path]
    ([1], [([], 1.0), ([1], 0.0), ([0], 0.0)])
    >>> prefix_selection(table, accept_ties=True).features
    [0, 1]
    """
    parents: list[list[int]] = [[] for _ in table.attributes]
    order = relevance_order(table)
    losses = [
        leave_one_out_loss(table, order[:s], parents, criterion, smoothing, strength, prior)
        for s in range(len(order) + 1)
    ]
    chosen = best_prefix(losses, most=accept_ties)
    path = [Step("start", losses[0], accepted=True)]
    for s, i in enumerate(order, start=1):
        path.append(Step("prefix", losses[s], s == chosen, [i], information=_relevance(table, i), k=0))
    return Selection(sorted(order[:chosen]), parents, losses[chosen], path)


def best_prefix(losses: Sequence[float], most: bool = False) -> int:
    """Position of the least loss: of equal ones the first, or the last.

    Examples
    --------
    >>> from seminaive.testing.naive_selection import best_prefix
    >>> best_prefix([0.5, 0.25, 0.25]), best_prefix([0.5, 0.25, 0.25], most=True)
    (1, 2)
    """
    least = [s for s, loss in enumerate(losses) if not any(better(other, loss) for other in losses)]
    return least[-1] if most else least[0]


# --- selective KDB ------------------------------------------------------------------------------------------


def selective_kdb(
    table: Table,
    max_k: int = 5,
    criterion: Criterion = "rmse",
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> tuple[Selection, int]:
    """The best s features in order of relevance with their k strongest parents (Martinez et al., 2016).

    Order and parents are those of `kdb_parents` with ``max_k``. The class prior alone comes first, then s
    from 1 to n and for each s all k from 0 to ``max_k``, of which no more than n - 1 make a difference; a
    network is taken only if it is better than all before.

    Returns
    -------
    selection : Selection
    k : int

    Examples
    --------
    The class tells whether both attributes agree:

    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_selection import selective_kdb
    >>> rows = [[0, 0], [0, 1], [1, 0], [1, 1]] * 2
    >>> table = Table(rows, [0, 1, 1, 0] * 2, n_values=[2, 2], n_classes=2)
    >>> selection, k = selective_kdb(table, max_k=1, criterion="zero_one")
    >>> selection.features, selection.parents, k
    ([0, 1], [[], [0]], 1)
    >>> [(list(step.features), step.k, step.loss) for step in selection.path]
    [([], 0, 1.0), ([0], 0, 1.0), ([0], 1, 1.0), ([1], 0, 1.0), ([1], 1, 0.0)]
    """
    most = min(max_k, max(len(table.n_values) - 1, 0))
    order, parents = relevance_order(table), kdb_parents(table, most)

    def network(s: int, k: int) -> list[list[int]]:
        return [parents[i][:k] if i in order[:s] else [] for i in table.attributes]

    tried = [(0, 0), *((s, k) for s in range(1, len(order) + 1) for k in range(most + 1))]
    losses = [
        leave_one_out_loss(table, order[:s], network(s, k), criterion, smoothing, strength, prior)
        for s, k in tried
    ]
    chosen = best_prefix(losses)
    best_s, best_k = tried[chosen]
    path = [Step("start", losses[0], accepted=True, k=0)]
    for (s, k), loss in list(zip(tried, losses, strict=True))[1:]:
        information = _relevance(table, order[s - 1])
        accepted = (s, k) == (best_s, best_k)
        path.append(Step("prefix", loss, accepted, [order[s - 1]], information=information, k=k))
    return Selection(sorted(order[:best_s]), network(best_s, best_k), losses[chosen], path), best_k


# --- adaptive KDB -------------------------------------------------------------------------------------------


def batches(values: Mapping[Item, float], delta: float) -> list[tuple[float, list[Item]]]:
    """Items whose values are nearly the same, those of small values first.

    A batch starts with the smallest value that is left, m, and takes all up to ``m (1 + delta)``.

    Returns
    -------
    list of (float, list)
        m and the items.

    Examples
    --------
    >>> from seminaive.testing.naive_selection import batches
    >>> batches({"a": 4.5, "b": 2.0, "c": 3.0, "d": 2.5}, delta=0.5)
    [(2.0, ['b', 'c', 'd']), (4.5, ['a'])]
    """
    left = dict(values)
    result = []
    while left:
        m = min(left.values())
        batch = [item for item in left if left[item] <= m * (1 + delta)]
        result.append((m, batch))
        left = {item: value for item, value in left.items() if item not in batch}
    return result


def adaptive_selection(
    table: Table,
    k: int = 2,
    delta: float = 0.1,
    select_features: bool = True,
    select_dependencies: bool = True,
    search: Literal["greedy", "best_prefix"] = "greedy",
    strict: bool = False,
    smoothing: Smoothing = "m-estimate",
    strength: float = 1.0,
    prior: ClassPrior = None,
) -> Selection:
    """KDB without weak features and dependencies (after the paper on adaptive KDB, 2019); a reconstruction.

    From the network of `kdb_parents` go the features of least I(X_i; Y), then, of those that are left, the
    dependencies of least I(X_i; X_j | Y): batch after batch, see `batches`, as long as the smallest value of
    the batch is not above the mean of all and the zero-one loss does not grow (with ``strict``: falls). One
    feature stays at least. With ``search="best_prefix"`` all batches are tried whose smallest value is not
    above the mean; as many go as leave the least loss (ties: most), if that is not more (``strict``: is
    less) than with none gone. A batch that did not go although it was tried ends the path.

    Examples
    --------
    The first attribute tells the class, the second nothing:

    >>> from seminaive.testing.naive import Table
    >>> from seminaive.testing.naive_selection import adaptive_selection
    >>> rows = [[0, 0], [0, 1], [1, 0], [1, 1]] * 2
    >>> table = Table(rows, [0, 0, 1, 1] * 2, n_values=[2, 2], n_classes=2)
    >>> selection = adaptive_selection(table)
    >>> selection.features, selection.parents
    ([0], [[], []])
    >>> for step in selection.path:
    ...     print(step.kind, list(step.features), step.information, step.threshold, step.loss, step.accepted)
    start [] None None 0.0 True
    feature [1] 0.0 0.5 0.0 True
    """
    full = kdb_parents(table, k)

    def network(features: Iterable[int], gone: Iterable[Arc]) -> list[list[int]]:
        features, gone = set(features), set(gone)
        return [
            [p for p in parents if p in features and (p, child) not in gone] if child in features else []
            for child, parents in enumerate(full)
        ]

    def loss_of(features: Iterable[int], gone: Iterable[Arc]) -> float:
        parents = network(features, gone)
        return leave_one_out_loss(table, features, parents, "zero_one", smoothing, strength, prior)

    features, gone = list(table.attributes), list[Arc]()
    loss = loss_of(features, gone)
    path = [Step("start", loss, accepted=True)]

    if select_features:
        relevance = {i: _relevance(table, i) for i in table.attributes}

        def without_features(weak: list[int]) -> float | None:
            kept = [i for i in table.attributes if i not in weak]
            return loss_of(kept, []) if kept else None

        weak, loss, tried = _weakest(relevance, delta, without_features, loss, search, strict)
        features = [i for i in table.attributes if i not in weak]
        path += [Step("feature", e, accepted, batch, (), m, mean) for batch, m, mean, e, accepted in tried]

    arcs = [(parent, child) for child, parents in enumerate(network(features, [])) for parent in parents]
    if select_dependencies and arcs:
        dependence = {arc: _score(conditional_mutual_information(table, *arc)) for arc in arcs}

        def without_arcs(weak: list[Arc]) -> float | None:
            return loss_of(features, weak)

        gone, loss, tried_arcs = _weakest(dependence, delta, without_arcs, loss, search, strict)
        path += [
            Step("dependency", e, accepted, (), batch, m, mean) for batch, m, mean, e, accepted in tried_arcs
        ]
    return Selection(features, network(features, gone), loss, path)


def _weakest(
    values: Mapping[Item, float],
    delta: float,
    loss_without: Callable[[list[Item]], float | None],
    loss: float,
    search: Literal["greedy", "best_prefix"],
    strict: bool,
) -> tuple[list[Item], float, list[tuple[list[Item], float, float, float, bool]]]:
    """What goes of features or arcs, the loss without, and all batches that were tried.

    ``loss_without`` gives None for what cannot go; ``loss`` is that with all there.
    """

    def as_good(new: float, old: float) -> bool:
        return better(new, old) if strict else not better(old, new)

    mean = math.fsum(values.values()) / len(values)
    losses, tried = [loss], list[tuple[float, list[Item]]]()
    for m, batch in batches(values, delta):
        new = loss_without([*(item for _, before in tried for item in before), *batch])
        if m > mean * (1 + 1e-9) or new is None:
            break
        tried.append((m, batch))
        losses.append(new)
        if search == "greedy" and not as_good(new, losses[-2]):
            break

    if search == "greedy":
        number = next((s for s in range(len(tried)) if not as_good(losses[s + 1], losses[s])), len(tried))
    else:
        number = 1 + best_prefix(losses[1:], most=True) if tried else 0
        if number and not as_good(losses[number], loss):
            number = 0
    told = [(batch, m, mean, losses[s + 1], s < number) for s, (m, batch) in enumerate(tried)]
    return [item for _, batch in tried[:number] for item in batch], losses[number], told
