"""Factors of networks whose conditional probabilities are smoothed level by level, and weights for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.context_tables import (
    CHILD,
    FIRST_LEVEL,
    LEVEL_FIELDS,
    N_LEVELS,
    N_VALUES,
    number_of,
)
from seminaive.kernels.jit import kernel, summing_kernel

_LEAST = 1e-12  # a sharp estimate without smoothing has a finite logarithm
_AT_A_TIME = 6  # probabilities that are multiplied before their logarithm is taken; more might underflow
_SMALL, _LARGE = 1e-150, 1e150  # products of terms of a likelihood in between bear a further one


@kernel
def node_factors(
    codes: Any, nodes: Any, records: Any, counts: Any, numbers: Any, labels: Any, left_out: Any, out: Any
) -> None:
    """Logarithms of two estimates of P(child | y, parents) at several depths, averaged over members.

    ``codes`` (members, attributes, rows); ``nodes`` (members, fields) describes the node in every member,
    with the first word and the first count of each level counted in ``records`` and ``counts`` (., K).
    ``numbers`` (members, n): concentrations of the child alone, of it given the class and of it given each
    further parent; then a and b of the estimate (count + a) / (total + b); then the depths in rising order.
    ``labels`` (rows,): class of a row that was counted, and ``left_out`` (members, rows) what to take out of
    the counts for it: 0 for a row that was not counted, NaN where a member has no say.
    ``out`` (rows, 2 depths, K): first the hierarchical, then the other estimate; the mean over the classes is
    taken away. 0 where the child is not observed.
    """
    n_members, n_rows, n_classes = len(codes), codes.shape[2], counts.shape[1]
    n_depths = out.shape[1] // 2
    first_depth = numbers.shape[1] - n_depths
    width = np.uint64(n_classes)
    child = nodes[0, CHILD]
    h = np.empty(n_classes)
    products = np.ones(out.shape)
    members_of_row = np.zeros(n_rows, dtype=np.int64)
    out[:] = 0
    flat = counts.ravel()
    for member in range(n_members):
        node, number = nodes[member], numbers[member]
        n_values, n_parents = node[N_VALUES], node[N_LEVELS]
        n_words = (n_values + 63) >> 6
        add, more = number[first_depth - 2], number[first_depth - 1]
        for row in range(n_rows):
            taken = left_out[member, row]
            value = np.int64(codes[member, child, row])
            if np.isnan(taken) or value >= n_values:
                continue
            members_of_row[row] += 1
            own = np.uint64(labels[row])
            context: Any = np.int64(0)
            place: Any = np.int64(0)
            level, ended = 0, False
            totals = cells = np.uint64(0)  # where the counts of the context and of the value in it begin
            has_cell = False
            for depth in range(n_depths):
                last = min(number[first_depth + depth], n_parents)
                while level <= last and not ended:
                    begin = FIRST_LEVEL + LEVEL_FIELDS * level
                    if level > 0:
                        branch, branch_values = node[begin - 2], node[begin - 1]
                        code = np.int64(codes[member, branch, row])
                        context = np.int64(-1)
                        if code < branch_values:
                            context = number_of(records, place + n_words + 1, (branch_values + 63) >> 6, code)
                        if context < 0:
                            ended = True
                            break
                    here = np.uint64(node[begin + 2] + context) * width
                    total = -taken
                    if level == 0 or taken > 0:
                        for y in range(width):
                            total += flat[here + y]
                        if level > 0 and total <= 1e-9 * taken:
                            ended = True  # nobody but the row itself was there
                            break
                    totals = here
                    place = node[begin] + context * node[begin + 1]
                    cell = number_of(records, place, n_words, value)
                    has_cell = cell >= 0
                    cells = np.uint64(node[begin + 2] + max(cell, 0)) * width
                    if level == 0:
                        alone = -taken
                        if has_cell:
                            for y in range(width):
                                alone += flat[cells + y]
                        h[:] = (alone + number[0] / n_values) / (total + number[0])
                    strength = number[level + 1]
                    expected = strength * h[own]
                    if has_cell:
                        for y in range(width):
                            h[y] = (flat[cells + y] + strength * h[y]) / (flat[totals + y] + strength)
                    else:
                        for y in range(width):
                            h[y] = strength * h[y] / (flat[totals + y] + strength)
                    if taken > 0:
                        count, mass = flat[cells + own] - taken, flat[totals + own] - taken
                        h[own] = (count + expected) / (mass + strength)
                    level += 1
                sharp = n_depths + depth
                own_so_far = products[row, sharp, own]
                for y in range(width):
                    products[row, depth, y] *= h[y]
                    count = flat[cells + y] if has_cell else 0.0
                    mass = flat[totals + y] + more
                    products[row, sharp, y] *= max((count + add) / mass if mass > 0 else 1 / n_values, _LEAST)
                if taken > 0:
                    count, mass = flat[cells + own] - taken + add, flat[totals + own] - taken + more
                    estimate = max(count / mass if mass > 0 else 1 / n_values, _LEAST)
                    products[row, sharp, own] = own_so_far * estimate
        if member % _AT_A_TIME == _AT_A_TIME - 1 or member == n_members - 1:
            for row in range(n_rows):
                if members_of_row[row]:
                    for f in range(out.shape[1]):
                        for y in range(n_classes):
                            out[row, f, y] += np.log(max(products[row, f, y], 1e-300))
                            products[row, f, y] = 1
    for row in range(n_rows):
        if members_of_row[row]:
            for f in range(out.shape[1]):
                mean = out[row, f].sum() / n_classes
                for y in range(n_classes):
                    out[row, f, y] = (out[row, f, y] - mean) / members_of_row[row]


@kernel
def best_concentrations(
    codes: Any, nodes: Any, records: Any, counts: Any, rows: Any, grid: Any, out: Any
) -> None:
    """For every node, level by level, the concentration under which left-out rows are most probable.

    ``codes`` (attributes, rows) of a member and ``nodes``, ``records``, ``counts`` its tables. ``rows``:
    labels (integers), what each row takes from the counts, and its weight, three arrays of shape (rows,).
    ``grid`` in rising order; the first of equally good ones is taken. ``out`` (nodes, levels + 2): of the
    child alone, given the class, and given one more parent each.
    """
    labels, left_out, weights = rows
    n_rows, n_grid = len(labels), len(grid)
    n_classes = counts.shape[1]
    unit = True
    for row in range(n_rows):
        unit &= weights[row] == 1
    p, own, whole = np.empty(n_rows), np.empty(n_rows), np.empty(n_rows)
    places = np.empty(n_rows, dtype=np.int64)
    shares, masses, likelihoods = np.empty(n_grid), np.empty(n_grid), np.empty(n_grid)
    for index in range(len(nodes)):
        node = nodes[index]
        child, n_values = node[CHILD], node[N_VALUES]
        n_words = (n_values + 63) >> 6
        for level in range(-1, node[N_LEVELS] + 1):
            begin = FIRST_LEVEL + LEVEL_FIELDS * max(level, 0)
            first_count = node[begin + 2]
            for row in range(n_rows):
                context: Any = np.int64(0)
                value = np.int64(codes[child, row])
                if level <= 0:
                    places[row] = node[begin]
                    if level < 0:
                        p[row] = 1 / n_values if value < n_values else -1
                elif p[row] >= 0:
                    code = np.int64(codes[node[begin - 2], row])
                    if code < node[begin - 1]:
                        place = places[row] + n_words + 1
                        context = number_of(records, place, (node[begin - 1] + 63) >> 6, code)
                        places[row] = node[begin] + context * node[begin + 1]
                    else:
                        p[row] = -1
                if p[row] < 0:
                    continue  # the child or a parent is not observed
                cell = first_count + number_of(records, places[row], n_words, value)
                context += first_count
                if level < 0:
                    own[row] = whole[row] = 0
                    for y in range(n_classes):
                        own[row] += counts[cell, y]
                        whole[row] += counts[context, y]
                else:
                    own[row] = counts[cell, labels[row]]
                    whole[row] = counts[context, labels[row]]
                own[row] = max(own[row] - left_out[row], 0.0)
                whole[row] = max(whole[row] - left_out[row], 0.0)
            likelihoods[:] = 0
            shares[:] = 1
            masses[:] = 1
            for row in range(n_rows):
                if p[row] >= 0 and whole[row] > 0:  # a row alone in its context says nothing
                    for c in range(n_grid):
                        shares[c] *= own[row] + grid[c] * p[row]
                        masses[c] *= whole[row] + grid[c]
                # the first share is the smallest, the last mass the largest
                if not unit or shares[0] < _SMALL or masses[n_grid - 1] > _LARGE or row == n_rows - 1:
                    weight = 1.0 if unit else weights[row]
                    for c in range(n_grid):
                        likelihoods[c] += weight * (np.log(shares[c]) - np.log(masses[c]))
                    shares[:] = 1
                    masses[:] = 1
            best = grid[np.argmax(likelihoods)]
            out[index, level + 1] = best
            for row in range(n_rows):
                if p[row] >= 0:
                    p[row] = (own[row] + best * p[row]) / (whole[row] + best)


@summing_kernel
def softmax_loss(
    features: Any, labels: Any, weights: Any, offsets: Any, scales: Any, gradient: Any, of_offsets: Any
) -> float:
    """Negative log likelihood of a softmax over sums of scaled features, and its gradient.

    ``features`` (rows, K, n); ``scales`` (K, n); ``offsets`` (K,); ``weights`` (rows,). The gradients by
    ``scales`` and ``offsets`` are added to ``gradient`` and ``of_offsets``.
    """
    n_rows, n_classes, n_features = features.shape
    scores = np.empty(n_classes)
    loss = 0.0
    for row in range(n_rows):
        top = -np.inf
        for y in range(n_classes):
            score = 0.0
            for f in range(n_features):
                score += scales[y, f] * features[row, y, f]
            scores[y] = score + offsets[y]
            top = max(top, scores[y])
        total = 0.0
        own = scores[labels[row]] - top
        for y in range(n_classes):
            scores[y] = np.exp(scores[y] - top)
            total += scores[y]
        loss += weights[row] * (np.log(total) - own)
        for y in range(n_classes):
            rate = weights[row] * (scores[y] / total - (1.0 if y == labels[row] else 0.0))
            of_offsets[y] += rate
            for f in range(n_features):
                gradient[y, f] += rate * features[row, y, f]
    return loss
