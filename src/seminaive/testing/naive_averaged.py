"""The slow, obvious version of averaged networks: every number from the arrays, by its definition.

As in `seminaive.testing.naive`, nothing is shared with the rest of the package. To leave a row out, one copy
of it is really taken out of the weights, and everything is counted anew.

Arrays are those of one member, whose cut points are its own:

- ``codes``, int, shape (n_attributes, n_rows): ``0 .. n_values[i]-1``, and ``n_values[i]`` is "not observed";
- ``labels``, int, shape (n_rows,): classes ``0 .. n_classes-1``;
- ``weights``, float, shape (n_rows,): how many copies of each row there are;
- ``parents``: parents of an attribute in the order drawn, L of them;
- ``concentrations``: of an attribute, L + 2 numbers above 0: of the class-free level, of the class, and of
  each parent.

A row whose child is not observed does not count for that child. A parent that is not observed ends the chain:
the row counts for the shorter contexts only, and a case takes the deepest estimate before it. All logarithms
are natural.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

__all__ = [
    "GRID",
    "Member",
    "choose_concentrations",
    "class_weights_objective",
    "conditional_mutual_information",
    "contributions",
    "estimates",
    "group_posterior",
    "left_out_estimates",
    "left_out_log_likelihood",
    "log_prior",
    "mutual_information",
    "new_factors",
    "numeric_gradient",
    "out_of_bag_factors",
    "posterior",
    "shared_weights_objective",
    "spaced_rows",
    "without_one_copy",
]

Row = Sequence[int] | np.ndarray

GRID = [2.0**exponent for exponent in range(-2, 13)]
"""Concentrations to choose from."""

MOST_ROWS = 4000
"""Rows by which concentrations are chosen."""

_EQUAL = 1e-12


# --- estimates of P(child | class, first l parents)


def without_one_copy(weights: np.ndarray, row: int) -> np.ndarray:
    """The weights without one copy of a row, or without what there is of it if that is less.

    Examples
    --------
    >>> weights = np.array([2.5, 0.5])
    >>> without_one_copy(weights, 0).tolist(), without_one_copy(weights, 1).tolist()
    ([1.5, 0.5], [2.5, 0.0])
    """
    left = np.array(weights, dtype=float)
    left[row] -= min(left[row], 1.0)
    return left


def estimates(
    row: Row,
    codes: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    n_values: Sequence[int],
    n_classes: int,
    child: int,
    parents: Sequence[int],
    concentrations: Sequence[float],
) -> tuple[np.ndarray, np.ndarray]:
    """Both estimates of P(x_child | y, first l parents) of one row, for l = 0..L and every class y.

    Parameters
    ----------
    row : sequence of int, length n_attributes
        Codes of the row that is asked about.
    codes, labels, weights, n_values, n_classes, parents, concentrations
        See the module.
    child : int
        The attribute.

    Returns
    -------
    hierarchical, backed_off : ndarray of float, shape (L + 1, n_classes)
        H and M of the specification. All 1 where the child is not observed: there is no factor.

    Notes
    -----
    H: p = (N(x) + c_0/v) / (N + c_0), then p_0(y) = (N(x,y) + c_1 p) / (N(y) + c_1), then
    p_l(y) = (N(x,pa,y) + c_(l+1) p_(l-1)(y)) / (N(pa,y) + c_(l+1)), where pa are the first l parents.

    M: (N(x,pa,y) + 1/v) / (N(pa,y) + 1) for the longest pa of at most l parents that has rows of any class.

    Examples
    --------
    >>> codes, labels = np.array([[0, 0, 1, 1]]), np.array([0, 0, 0, 1])
    >>> H, M = estimates([0], codes, labels, np.ones(4), [2], 2, 0, parents=[], concentrations=[2.0, 1.0])
    >>> H.round(3).tolist(), M.tolist()
    ([[0.625, 0.25]], [[0.625, 0.25]])
    """
    levels = len(parents) + 1
    if row[child] == n_values[child]:
        return np.ones((levels, n_classes)), np.ones((levels, n_classes))
    chain = _smoothed(row, codes, labels, weights, n_values, n_classes, child, parents, concentrations)
    backed_off = []
    for level in range(levels):
        chain_ended = any(row[parent] == n_values[parent] for parent in parents[:level])
        if not chain_ended:
            total, own = _counts(row, codes, labels, weights, n_values, n_classes, child, parents[:level])
        if level == 0 or (not chain_ended and total.sum() > 0):
            estimate = (own + 1 / n_values[child]) / (total + 1)
        backed_off.append(estimate)
    return np.array(chain[1:]), np.array(backed_off)


def left_out_estimates(
    t: int,
    codes: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    n_values: Sequence[int],
    n_classes: int,
    child: int,
    parents: Sequence[int],
    concentrations: Sequence[float],
) -> tuple[np.ndarray, np.ndarray]:
    """As `estimates`, of training row t from all other rows; the concentrations are kept."""
    left = without_one_copy(weights, t)
    return estimates(codes[:, t], codes, labels, left, n_values, n_classes, child, parents, concentrations)


def _counts(
    row: Row,
    codes: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    n_values: Sequence[int],
    n_classes: int,
    child: int,
    context: Sequence[int],
) -> tuple[np.ndarray, np.ndarray]:
    """Weight of each class with the row's values of the context, and with that of the child as well."""
    fits = codes[child] < n_values[child]
    for parent in context:
        fits = fits & (codes[parent] == row[parent])
    same = fits & (codes[child] == row[child])
    total = [weights[fits & (labels == y)].sum() for y in range(n_classes)]
    own = [weights[same & (labels == y)].sum() for y in range(n_classes)]
    return np.array(total, dtype=float), np.array(own, dtype=float)


def _smoothed(
    row: Row,
    codes: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    n_values: Sequence[int],
    n_classes: int,
    child: int,
    parents: Sequence[int],
    concentrations: Sequence[float],
) -> list[np.ndarray]:
    """The class-free estimate and those with 0, 1, ... parents, as many as there are concentrations."""
    base = np.full(n_classes, 1 / n_values[child])
    chain: list[np.ndarray] = []
    for level, c in enumerate(concentrations):
        context = list(parents[: max(0, level - 1)])
        if any(row[parent] == n_values[parent] for parent in context):
            chain.append(chain[-1])
            continue
        total, own = _counts(row, codes, labels, weights, n_values, n_classes, child, context)
        if level == 0:  # the class does not matter yet
            total, own = np.full(n_classes, total.sum()), np.full(n_classes, own.sum())
        # a context without rows keeps what was there, and does so to the last bit
        base = np.where(total > 0, (own + c * base) / (total + c), base)
        chain.append(base)
    return chain


# --- concentrations


def spaced_rows(n_rows: int, most: int = MOST_ROWS) -> np.ndarray:
    """All rows, or `most` of them evenly spaced: floor(j n_rows / most).

    Examples
    --------
    >>> spaced_rows(10, 4).tolist(), spaced_rows(3, 4).tolist()
    ([0, 2, 5, 7], [0, 1, 2])
    """
    return np.arange(n_rows) if n_rows <= most else np.arange(most) * n_rows // most


def left_out_log_likelihood(
    codes: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    n_values: Sequence[int],
    n_classes: int,
    child: int,
    parents: Sequence[int],
    concentrations: Sequence[float],
    rows: np.ndarray | None = None,
) -> float:
    """Sum over rows of weight x log of the deepest estimate of the row's own class, the row left out.

    Parameters
    ----------
    concentrations : sequence of float
        One for each level down to the one that is judged: one number judges the class-free level, two the
        class, three the first parent.
    rows : ndarray of int, default=None
        Rows that count; None is `spaced_rows`.

    Returns
    -------
    float

    Notes
    -----
    A row whose child is not observed does not count. One whose chain ends before the level that is judged
    adds a constant.
    """
    terms = []
    for t in spaced_rows(len(labels)) if rows is None else rows:
        if codes[child, t] == n_values[child] or weights[t] == 0:
            continue
        left = without_one_copy(weights, t)
        chain = _smoothed(
            codes[:, t], codes, labels, left, n_values, n_classes, child, parents, concentrations
        )
        terms.append(weights[t] * math.log(chain[-1][labels[t]]))
    return math.fsum(terms)


def choose_concentrations(
    codes: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    n_values: Sequence[int],
    n_classes: int,
    child: int,
    parents: Sequence[int],
    rows: np.ndarray | None = None,
) -> list[float]:
    """Concentrations level by level from the root, each by the leave-one-out likelihood of its level.

    Returns
    -------
    list of float, length L + 2
        From `GRID`; of equal likelihoods (to 1e-12 of their size) the smaller concentration, as where no
        context has two rows of a class.

    Examples
    --------
    The second column is another number in every row, so nothing is learned from it:

    >>> codes = np.array([[0] * 9 + [1], range(10)])
    >>> choose_concentrations(codes, np.zeros(10, dtype=int), np.ones(10), [2, 10], 1, child=0, parents=[1])
    [2.0, 4096.0, 0.25]
    """
    chosen: list[float] = []
    for _ in range(len(parents) + 2):
        likelihoods = [
            left_out_log_likelihood(
                codes, labels, weights, n_values, n_classes, child, parents, [*chosen, c], rows
            )
            for c in GRID
        ]
        best = max(likelihoods)
        chosen.append(
            next(c for c, found in zip(GRID, likelihoods, strict=True) if found >= best - _EQUAL * abs(best))
        )
    return chosen


# --- information in the half of a member


def mutual_information(
    x: np.ndarray, labels: np.ndarray, weights: np.ndarray, n_values: int, n_classes: int
) -> float:
    """I(X; Y) in nats minus its bias, (v - 1)(K - 1) / 2N.

    Parameters
    ----------
    x : ndarray of int, shape (n_rows,)
        Codes of the attribute in the half; `n_values` is "not observed", and such a row does not count.
    labels, weights : ndarray of shape (n_rows,)
    n_values, n_classes : int

    Returns
    -------
    float
        May be negative. v and K count the values and classes that occur, N is the weight of the rows that
        count; 0 without such a row.

    Examples
    --------
    >>> x = np.array([0, 0, 1, 1])
    >>> round(mutual_information(x, x, np.ones(4), 2, 2), 6), round(math.log(2) - 1 / 8, 6)
    (0.568147, 0.568147)
    """
    table = np.array(
        [[weights[(x == a) & (labels == y)].sum() for y in range(n_classes)] for a in range(n_values)]
    ).reshape(n_values, n_classes)
    n = table.sum()
    if n == 0:
        return 0.0
    v, k = np.count_nonzero(table.sum(axis=1)), np.count_nonzero(table.sum(axis=0))
    return float(_information(table) - (v - 1) * (k - 1) / (2 * n))


def conditional_mutual_information(
    x: np.ndarray,
    z: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    n_values: Sequence[int],
    n_classes: int,
) -> float:
    """I(X; Z | Y) in nats minus its bias, sum over classes of (v_x - 1)(v_z - 1) / 2N.

    Parameters
    ----------
    x, z : ndarray of int, shape (n_rows,)
        Codes in the half; ``n_values[0]`` and ``n_values[1]`` are "not observed": such a row does not count.
    labels, weights : ndarray of shape (n_rows,)
    n_values : sequence of two int
    n_classes : int

    Returns
    -------
    float
        May be negative. v_x and v_z count the values that occur in the class, N is the weight of all rows
        that count; 0 without such a row.
    """
    tables = [
        np.array(
            [
                [weights[(x == a) & (z == b) & (labels == y)].sum() for b in range(n_values[1])]
                for a in range(n_values[0])
            ]
        ).reshape(n_values[0], n_values[1])
        for y in range(n_classes)
    ]
    n = sum(table.sum() for table in tables)
    total = 0.0
    for table in tables:
        if table.sum() > 0:
            v_x, v_z = np.count_nonzero(table.sum(axis=1)), np.count_nonzero(table.sum(axis=0))
            total += table.sum() / n * _information(table) - (v_x - 1) * (v_z - 1) / (2 * n)
    return float(total)


def _information(table: np.ndarray) -> float:
    """Mutual information of rows and columns of a table of counts that has at least one."""
    share = table / table.sum()
    return math.fsum(
        share[a, b] * math.log(share[a, b] / (share[a].sum() * share[:, b].sum()))
        for a in range(len(share))
        for b in range(share.shape[1])
        if share[a, b] > 0
    )


# --- factors


@dataclass(frozen=True)
class Member:
    """One network of a group, with the training rows as it sees them.

    Parameters
    ----------
    codes : ndarray of int, shape (n_attributes, n_rows)
        All training rows, by the member's own cut points.
    n_values : sequence of int, length n_attributes
    parents : sequence of sequences of int, length n_attributes
        In the order drawn.
    concentrations : sequence of sequences of float, length n_attributes
    half : ndarray of bool, shape (n_rows,)
        True for the rows from which structure and cut points were learned.
    """

    codes: np.ndarray
    n_values: Sequence[int]
    parents: Sequence[Sequence[int]]
    concentrations: Sequence[Sequence[float]]
    half: np.ndarray


def out_of_bag_factors(
    members: Sequence[Member], labels: np.ndarray, weights: np.ndarray, n_classes: int, depths: Sequence[int]
) -> np.ndarray:
    """Factors of the training rows: of the members whose half did not hold the row, which is left out.

    Parameters
    ----------
    members : sequence of Member
    labels, weights : ndarray of shape (n_rows,)
    n_classes : int
    depths : sequence of int
        Numbers of parents; where there are fewer, all of them.

    Returns
    -------
    ndarray of float, shape (n_rows, n_attributes, 2, n_depths, n_classes)
        Mean over members of the logarithms of H (first) and M (second), minus their mean over classes.

    Raises
    ------
    ValueError
        A row was in the half of every member.
    """
    factors = []
    for t in range(len(labels)):
        out_of_bag = [member for member in members if not member.half[t]]
        if not out_of_bag:
            raise ValueError(f"row {t} was in the half of every member")
        left = without_one_copy(weights, t)
        rows = [member.codes[:, t] for member in out_of_bag]
        factors.append(new_factors(out_of_bag, rows, labels, left, n_classes, depths))
    return np.array(factors)


def new_factors(
    members: Sequence[Member],
    rows: Sequence[Row],
    labels: np.ndarray,
    weights: np.ndarray,
    n_classes: int,
    depths: Sequence[int],
) -> np.ndarray:
    """Factors of a new row: of all members, from all training rows.

    Parameters
    ----------
    members : sequence of Member
    rows : sequence of sequences of int
        Codes of the row as each member sees it.
    labels, weights, n_classes, depths
        As in `out_of_bag_factors`.

    Returns
    -------
    ndarray of float, shape (n_attributes, 2, n_depths, n_classes)
    """
    logs = []
    for member, row in zip(members, rows, strict=True):
        of_member = []
        for child, parents in enumerate(member.parents):
            both = estimates(
                row,
                member.codes,
                labels,
                weights,
                member.n_values,
                n_classes,
                child,
                parents,
                member.concentrations[child],
            )
            of_member.append([[np.log(each[min(d, len(parents))]) for d in depths] for each in both])
        logs.append(of_member)
    mean = np.array(logs).mean(axis=0)
    return mean - mean.mean(axis=-1, keepdims=True)


# --- weights


def log_prior(labels: np.ndarray, weights: np.ndarray, n_classes: int) -> np.ndarray:
    """Log (N(y) + 1/K) / (N + 1), shape (n_classes,); no row is left out.

    Examples
    --------
    >>> np.exp(log_prior(np.array([0, 0, 1]), np.ones(3), 2)).tolist()
    [0.625, 0.375]
    """
    counts = np.array([weights[labels == y].sum() for y in range(n_classes)])
    return np.log((counts + 1 / n_classes) / (counts.sum() + 1))


def shared_weights_objective(
    w: np.ndarray,
    s: float,
    b: np.ndarray,
    factors: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    prior: np.ndarray,
    strength: float = 5.0,
) -> float:
    """Loss of one weight for each feature, pulled to a common scale: step (a).

    Parameters
    ----------
    w : ndarray of shape (n_features,)
        Weights of the features.
    s : float
        Their common scale.
    b : ndarray of shape (n_classes,)
        Bias of each class.
    factors : ndarray of shape (n_rows, n_features, n_classes)
        Out-of-bag factors; reshape those of `out_of_bag_factors` to (n_rows, -1, n_classes).
    labels, weights : ndarray of shape (n_rows,)
    prior : ndarray of shape (n_classes,)
        `log_prior`.
    strength : float, default=5

    Returns
    -------
    float
        sum over rows of the log loss + strength sum (w - s)² + strength |b|² + (s - 1)²/2.
    """
    penalty = strength * ((w - s) ** 2).sum() + strength * (b**2).sum() + (s - 1) ** 2 / 2
    return float(_loss(np.tile(w[:, None], len(b)), b, factors, labels, weights, prior) + penalty)


def class_weights_objective(
    w: np.ndarray,
    b: np.ndarray,
    shared: np.ndarray,
    factors: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    prior: np.ndarray,
    strength: float = 20.0,
) -> float:
    """Loss of a weight for each feature and class, pulled to the shared one: step (b).

    Parameters
    ----------
    w : ndarray of shape (n_features, n_classes)
        Weights.
    b : ndarray of shape (n_classes,)
        Bias of each class.
    shared : ndarray of shape (n_features,)
        Weights that step (a) gave.
    factors, labels, weights, prior
        As in `shared_weights_objective`.
    strength : float, default=20

    Returns
    -------
    float
        sum over rows of the log loss + strength sum (w - shared)² + strength |b|².
    """
    penalty = strength * ((w - shared[:, None]) ** 2).sum() + strength * (b**2).sum()
    return float(_loss(w, b, factors, labels, weights, prior) + penalty)


def _loss(
    w: np.ndarray,
    b: np.ndarray,
    factors: np.ndarray,
    labels: np.ndarray,
    weights: np.ndarray,
    prior: np.ndarray,
) -> float:
    """Weighted sum over rows of -log P(label)."""
    return math.fsum(
        -weights[t] * math.log(group_posterior(factors[t], w, b, prior)[labels[t]])
        for t in range(len(labels))
    )


def numeric_gradient(
    function: Callable[[np.ndarray], float], x: np.ndarray, step: float = 1e-5
) -> np.ndarray:
    """Gradient by central differences, of the shape of x.

    Examples
    --------
    >>> numeric_gradient(lambda x: float((x**2).sum()), np.array([1.0, -2.0])).round(6).tolist()
    [2.0, -4.0]
    """
    gradient = np.zeros(np.shape(x))
    for position in np.ndindex(np.shape(x)):
        ahead, behind = np.array(x, dtype=float), np.array(x, dtype=float)
        ahead[position] += step
        behind[position] -= step
        gradient[position] = (function(ahead) - function(behind)) / (2 * step)
    return gradient


# --- posterior


def group_posterior(factors: np.ndarray, w: np.ndarray, b: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """P(y | x) of one group: softmax of log prior + bias + sum over features of weight x factor.

    Parameters
    ----------
    factors : ndarray of shape (n_features, n_classes)
        Of one row; reshape those of `new_factors` to (-1, n_classes).
    w : ndarray of shape (n_features,) or (n_features, n_classes)
        Shared weights, or those of each class.
    b, prior : ndarray of shape (n_classes,)
        Bias, and `log_prior`.

    Returns
    -------
    ndarray of float, shape (n_classes,)
    """
    w = np.asarray(w)
    w = w[:, None] if w.ndim == 1 else w
    scores = prior + b + (w * factors).sum(axis=0)
    shares = np.exp(scores - scores.max())
    return shares / shares.sum()


def contributions(factors: np.ndarray, w: np.ndarray) -> np.ndarray:
    """What each attribute adds to the score of each class.

    Parameters
    ----------
    factors : ndarray of shape (n_attributes, 2, n_depths, n_classes)
        As `new_factors` gives them.
    w : ndarray of shape (n_features,) or (n_features, n_classes)
        Features in the order of `factors`.

    Returns
    -------
    ndarray of float, shape (n_attributes, n_classes)
        With log prior and bias, the score, whose differences are the log odds of the group.
    """
    w = np.asarray(w)
    w = w[:, None] if w.ndim == 1 else w
    flat = factors.reshape(-1, factors.shape[-1])
    return (w * flat).reshape(len(factors), -1, factors.shape[-1]).sum(axis=1)


def posterior(groups: Sequence[np.ndarray]) -> np.ndarray:
    """P(y | x) of all groups: the arithmetic mean of theirs.

    Examples
    --------
    >>> posterior([np.array([0.5, 0.5]), np.array([1.0, 0.0])]).tolist()
    [0.75, 0.25]
    """
    return np.mean(groups, axis=0)
