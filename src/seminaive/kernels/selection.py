"""Leave-one-out by subtraction: every row takes itself out of the counts that it looks up."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from seminaive.kernels.jit import kernel
from seminaive.kernels.smoothing import log_smoothed

_TIE = 1e-9  # log probabilities that differ by less are equal but for rounding
_TINY = 2.2250738585072014e-308

ZERO_ONE, RMSE, LOG_LOSS = 0, 1, 2


class Contexts(NamedTuple):
    """Counts of one child beside its parents, for the combinations that training rows have.

    leaves
        (levels, rows) int32: where the counts of a row's combination lie if the child has its first 0, 1, ...
        parents; -1 where the child is not observed.
    counts
        (leaves, K) float64: rows with the parents' values and the child's.
    totals
        (contexts, K): rows with the parents' values and the child observed.
    seen
        (contexts,): the same over all classes.
    context_of
        (leaves,) int32.
    """

    leaves: Any
    counts: Any
    totals: Any
    seen: Any
    context_of: Any


class Factors(NamedTuple):
    """Log P(child | parents, y) of all leaves (leaves, K), and as a row of one copy's weight sees its class.

    ``without_one`` is empty where rows differ in what they lose. ``n_values`` and ``pseudo`` are the child's
    number of values and pseudo-count.
    """

    logs: Any
    without_one: Any
    n_values: int
    pseudo: float


class Judged(NamedTuple):
    """Rows with their class code, the weight that they lose when left out, and the weight of their loss.

    ``log_prior`` (rows, K) is what each predicts where every class is impossible.
    """

    labels: Any
    left_out: Any
    weights: Any
    log_prior: Any


@kernel
def refine(groups: Any, column: Any, n_values: int, first: int, places: Any, refined: Any) -> int:
    """Number the combinations of a group and a value from ``first`` on, in the order in which rows show them.

    ``groups`` (rows,) int32, -1 for rows that are left out; so are rows without a value. ``places``
    (groups x values,) is filled with -1; ``refined`` (rows,) receives the numbers. Returns how many.
    """
    found = first
    for row in range(groups.shape[0]):
        value = np.int64(column[row])
        if groups[row] < 0 or value >= n_values:
            refined[row] = -1
            continue
        place = np.uint64(np.int64(groups[row]) * n_values + value)
        if places[place] < 0:
            places[place] = found
            found += 1
        refined[row] = places[place]
    return found - first


@kernel
def count_level(
    groups: Any, leaves: Any, first_leaf: int, first_context: int, labels: Any, weights: Any, level: Any
) -> None:
    """Count the leaves and contexts of one level: ``level`` is its (counts, totals, context_of)."""
    counts, totals, context_of = level
    for row in range(groups.shape[0]):
        if leaves[row] >= 0:
            leaf, group, label = leaves[row] - first_leaf, groups[row], np.uint64(labels[row])
            counts[np.uint64(leaf), label] += weights[row]
            totals[np.uint64(group), label] += weights[row]
            context_of[np.uint64(leaf)] = first_context + group


@kernel
def log_factors(contexts: Any, n_values: int, pseudo: float, own: float, logs: Any) -> None:
    """Log P(child | parents, y) of all leaves into ``logs`` (leaves, K), each count smaller by ``own``."""
    for leaf in range(logs.shape[0]):
        context = contexts.context_of[leaf]
        for y in range(logs.shape[1]):
            count, total = contexts.counts[leaf, y] - own, contexts.totals[context, y] - own
            logs[leaf, y] = log_smoothed(max(count, 0.0), max(total, 0.0), n_values, pseudo)


@kernel
def add_factors(
    contexts: Any, factors: Any, sign: float, levels: Any, judged: Any, start: int, joint: Any
) -> None:
    """Add the factor of one child to the rows from ``start`` on, as if each row had not been counted.

    ``joint`` (rows of the block, tracks, K); track t takes the first ``levels[t]`` parents, levels ascending.
    Where a row was the only one with its parents' values, the weakest of them are dropped.
    """
    leaves, counts, totals, context_of = (
        contexts.leaves,
        contexts.counts,
        contexts.totals,
        contexts.context_of,
    )
    seen, logs, without_one = contexts.seen, factors.logs, factors.without_one
    n_values, pseudo, labels, left_out = factors.n_values, factors.pseudo, judged.labels, judged.left_out
    n_rows, n_tracks, n_classes = joint.shape
    is_known = without_one.shape[0] > 0
    factor = np.empty(n_classes)
    for r in range(n_rows):
        row = start + r
        if leaves[0, row] < 0:
            continue
        own_class, own = labels[row], left_out[row]
        track = 0
        for level in range(leaves.shape[0]):
            leaf = leaves[level, row]
            context = context_of[leaf]
            if level == 0 or seen[context] - own > 1e-9 * seen[context]:
                for y in range(n_classes):
                    factor[y] = logs[leaf, y]
                if is_known:
                    factor[own_class] = without_one[leaf, own_class]
                else:
                    count, total = counts[leaf, own_class] - own, totals[context, own_class] - own
                    factor[own_class] = log_smoothed(max(count, 0.0), max(total, 0.0), n_values, pseudo)
            while track < n_tracks and levels[track] == level:
                for y in range(n_classes):
                    joint[r, track, y] += sign * factor[y]
                track += 1
            if track == n_tracks:
                break


@kernel
def judge(joint: Any, judged: Any, criterion: int, unit: float, start: int, losses: Any) -> None:
    """Add the losses of the rows from ``start`` on to ``losses`` (tracks,); ``joint`` (rows, tracks, K).

    Losses are whole numbers of ``unit``, so that their sums do not depend on the order of the rows.
    """
    n_rows, n_tracks, n_classes = joint.shape
    labels, weights, log_prior = judged.labels, judged.weights, judged.log_prior
    for r in range(n_rows):
        label, weight = labels[start + r], weights[start + r] / unit
        for track in range(n_tracks):
            logs = joint[r, track]
            largest = -np.inf
            for y in range(n_classes):
                largest = max(largest, logs[y])
            if largest == -np.inf:
                logs = log_prior[start + r]
                for y in range(n_classes):
                    largest = max(largest, logs[y])
            if criterion == ZERO_ONE:
                # right if no earlier class is as probable and no later one more so
                right = logs[label] >= largest - _TIE
                for y in range(label):
                    if logs[y] >= largest - _TIE:
                        right = False
                losses[track] += 0 if right else _rounded(weight)
                continue
            # P(y) = 1 / sum of the odds of all classes against y
            odds = 1.0
            for y in range(n_classes):
                if y != label:
                    difference = logs[y] - logs[label]
                    if difference > 700.0:
                        odds = np.inf
                        break
                    if difference > -50.0:  # below, a term is lost in the rounding of the sum
                        odds += math.exp(difference)
            if criterion == RMSE:
                missing = 1.0 - 1.0 / odds
                losses[track] += _rounded(weight * missing * missing)
            elif odds < np.inf:
                losses[track] += _rounded(weight * math.log(odds))
            else:
                losses[track] += _rounded(weight * _log_loss(logs, label, largest))


@kernel
def _rounded(number: float) -> Any:
    """The nearest whole number of one that is not negative."""
    return np.int64(math.floor(number + 0.5))


@kernel
def _log_loss(logs: Any, label: int, largest: float) -> float:
    """-log P(label), at most that of the smallest number, where odds leave the range of numbers."""
    total = 0.0
    for y in range(logs.shape[0]):
        total += math.exp(logs[y] - largest)
    return min(largest + math.log(total) - logs[label], -math.log(_TINY))


@kernel
def find_cells(codes: Any, members: Any, strides: Any, n_values: int, places: Any, cells: Any) -> None:
    """Where the combinations of rows are counted, -1 where the child is not observed.

    ``codes`` (attributes, rows); ``members`` the parents and the child, which has ``n_values`` values;
    ``places`` the number of every combination in an order that ``strides`` say.
    """
    child = codes[members[-1]]
    for r in range(cells.shape[0]):
        if child[r] >= n_values:
            cells[r] = -1
            continue
        place = 0
        for m in range(members.shape[0]):
            place += np.int64(codes[members[m], r]) * strides[m]
        cells[r] = places[np.uint64(place)]
