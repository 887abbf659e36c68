"""Factors one by one, and the log-odds of an average as a sum over attributes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel


@kernel
def network_log_factors(codes: Any, wanted: Any, places: Any, table: Any, member: int, result: Any) -> None:
    """Write log P(x_i | parents, y) of the children of one network into ``result[:, member]``.

    ``codes`` (attributes, rows), ``wanted`` (rows, C) class codes, ``result`` (rows, members, attributes, C).
    ``places``: members, strides and offsets as in `kernels.score.score_network`, and the child of each.
    """
    members, strides, offsets, children = places
    n_rows = codes.shape[1]
    cells = np.empty(n_rows, dtype=np.int64)
    for i in range(members.shape[0]):
        for row in range(n_rows):
            cells[row] = offsets[i]
        for m in range(members.shape[1]):
            stride = strides[i, m]
            if stride > 0:
                column = codes[members[i, m]]
                for row in range(n_rows):
                    cells[row] += np.int64(column[np.uint64(row)]) * stride
        child = np.uint64(children[i])
        for row in range(n_rows):
            for c in range(wanted.shape[1]):
                cell = np.uint64(cells[row] + wanted[row, c])
                result[np.uint64(row), np.uint64(member), child, np.uint64(c)] = table[cell]


@kernel
def one_dependence_log_factors(
    own: Any, seen: Any, wanted: Any, weights: Any, tables: Any, layout: Any, log_prior: Any, result: Any
) -> None:
    """Write the log factors of one-dependence estimators into ``result`` (rows, superparents, attributes, C).

    ``own`` and ``seen`` (attributes, rows): codes of superparents and of children. ``wanted`` (rows, C) class
    codes. Estimators of weight 0, ``weights`` (rows, attributes), are left out. ``tables`` and ``layout`` as
    in `kernels.score.score_one_dependence`, and the logarithms of the conditionals, which may be empty. The
    factor of a superparent itself is P(x_a, y) over the prior, ``log_prior`` (K,).
    """
    base, table, logs = tables
    has_logs = logs.shape[0] > 0
    n_attributes, n_rows = own.shape
    width = base.shape[0] // (layout[0, 1] + layout[0, 2])
    for row in range(n_rows):
        for a in range(n_attributes):
            if weights[row, a] == 0:
                continue
            x_a = np.int64(own[a, row])
            n_slots, length = layout[a, 1], layout[a, 2]
            for j in range(n_attributes):
                if j == a:
                    cell = (layout[a, 0] + x_a) * width
                else:
                    # the cells of attributes after a follow those before it without a gap
                    cell = layout[a, 3] + x_a * length + layout[j, 0] + np.int64(seen[j, row])
                    cell = (cell - (n_slots if j > a else 0)) * width
                for c in range(wanted.shape[1]):
                    y = wanted[row, c]
                    if has_logs and j != a:
                        result[row, a, j, c] = logs[cell + y]
                        continue
                    probability = base[cell + y] if j == a else table[cell + y]
                    log = math.log(probability) if probability > 0 else -np.inf
                    result[row, a, j, c] = log - log_prior[y] if j == a else log


@kernel
def split_odds(log_factors: Any, log_weights: Any, signs: Any, contributions: Any, shares: Any) -> None:
    """Split the log-odds of weighted means between two classes over attributes and members.

    ``log_factors`` (rows, members, attributes, 2); ``log_weights`` and ``signs`` (rows, members), -inf for
    members that do not count. ``contributions`` (rows, attributes), zeros on entry, receives what each
    attribute adds beside the prior; ``shares`` (rows, members) the weight of each member's log-odds. See
    `seminaive.explain.members.split`.
    """
    n_rows, n_members, n_attributes, _ = log_factors.shape
    logs = np.empty((n_members, 2))
    zeros = np.empty((n_members, 2), dtype=np.int64)
    parts = np.empty((n_members, 2))
    largest, total = np.empty(2), np.empty(2)
    for row in range(n_rows):
        if n_members == 1 and log_weights[row, 0] > -np.inf:
            possible = True
            for j in range(n_attributes):
                first, second = log_factors[row, 0, j, 0], log_factors[row, 0, j, 1]
                possible &= first > -np.inf and second > -np.inf
                contributions[row, j] = first - second
            shares[row, 0] = 1.0
            if possible:
                continue
            contributions[row] = 0.0
        for c in range(2):
            largest[c], total[c] = -np.inf, 0.0
            for a in range(n_members):
                logs[a, c], zeros[a, c] = log_weights[row, a], 0
                if log_weights[row, a] == -np.inf:
                    continue
                for j in range(n_attributes):
                    log = log_factors[row, a, j, c]
                    if log == -np.inf:
                        zeros[a, c] += 1
                    else:
                        logs[a, c] += log
                if zeros[a, c] == 0:
                    largest[c] = max(largest[c], logs[a, c])
            for a in range(n_members):
                parts[a, c] = 0.0
                if log_weights[row, a] > -np.inf and zeros[a, c] == 0:
                    parts[a, c] = signs[row, a] * math.exp(logs[a, c] - largest[c])
                total[c] += parts[a, c]
            for a in range(n_members):
                parts[a, c] = parts[a, c] / total[c] if total[c] > 0 else 0.0
        shares[row] = 0.0
        if not (total[0] > 0 or total[1] > 0):
            continue
        if not (total[0] > 0 and total[1] > 0):
            _split_infinite(log_factors[row], parts, total, signs[row], contributions[row], shares[row])
            continue
        odds = largest[0] - largest[1] + math.log(total[0] / total[1])
        mass, size = 0.0, 0.0
        for a in range(n_members):
            if log_weights[row, a] > -np.inf and zeros[a, 0] + zeros[a, 1] == 0:
                # the logarithmic mean of both shares, one of which may be too small for a number
                ratio = abs(logs[a, 0] - logs[a, 1] - odds)
                more = max(abs(parts[a, 0]), abs(parts[a, 1]))
                mean = more * -math.expm1(-ratio) / ratio if ratio > 1e-12 else more
                shares[row, a] = signs[row, a] * mean
                mass += shares[row, a]
                size += abs(shares[row, a])
        if mass > 1e-6 * size:
            for a in range(n_members):
                shares[row, a] /= mass
                for j in range(n_attributes if shares[row, a] != 0 else 0):
                    contributions[row, j] += shares[row, a] * (
                        log_factors[row, a, j, 0] - log_factors[row, a, j, 1]
                    )
                for c in range(2):
                    # a member that is impossible for one class: what is left of it in the limit
                    if zeros[a, c] > 0 and parts[a, 1 - c] != 0:
                        left = (parts[a, 1] if c == 0 else parts[a, 0]) / mass / zeros[a, c]
                        for j in range(n_attributes):
                            if log_factors[row, a, j, c] == -np.inf:
                                contributions[row, j] += -left if c == 0 else left
            continue
        # no member for both classes: the mean of both shares, and the rest to what makes members impossible
        rest, weight = odds, 0.0
        for a in range(n_members):
            shares[row, a] = (parts[a, 0] + parts[a, 1]) / 2
            for j in range(n_attributes if shares[row, a] != 0 else 0):
                difference = 0.0
                if log_factors[row, a, j, 0] > -np.inf and log_factors[row, a, j, 1] > -np.inf:
                    difference = log_factors[row, a, j, 0] - log_factors[row, a, j, 1]
                else:
                    weight += abs(shares[row, a])
                contributions[row, j] += shares[row, a] * difference
                rest -= shares[row, a] * difference
        for a in range(n_members):
            for j in range(n_attributes if shares[row, a] != 0 else 0):
                if weight > 0:
                    if log_factors[row, a, j, 0] == -np.inf or log_factors[row, a, j, 1] == -np.inf:
                        contributions[row, j] += rest * abs(shares[row, a]) / weight
                else:  # weights of both signs that cancel
                    contributions[row, j] += rest / n_attributes * shares[row, a]


@kernel
def _split_infinite(
    log_factors: Any, parts: Any, total: Any, signs: Any, contributions: Any, shares: Any
) -> None:
    """One of two classes is impossible: what makes it so gets the infinite part."""
    possible = 0 if total[0] > 0 else 1
    infinite = np.inf if possible == 0 else -np.inf
    n_members, n_attributes, _ = log_factors.shape
    found = False
    for a in range(n_members):
        shares[a] = parts[a, possible]
        for j in range(n_attributes if shares[a] != 0 else 0):
            if log_factors[a, j, 1 - possible] == -np.inf:
                contributions[j] = infinite
                found = True
            else:
                contributions[j] += shares[a] * (log_factors[a, j, 0] - log_factors[a, j, 1])
    for a in range(n_members):
        if not found and signs[a] < 0 and shares[a] != 0:  # negative weights outweigh the others
            contributions[a] = infinite
