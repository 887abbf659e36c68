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
    logs, zeros = np.empty((n_members, 2)), np.empty((n_members, 2), dtype=np.int64)
    work = np.empty((n_members, 2)), np.empty(2), np.empty(2)
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
        for a in range(n_members):
            if log_weights[row, a] > -np.inf:
                add_possible(log_factors[row, a], log_weights[row, a], logs[a], zeros[a])
            else:
                logs[a], zeros[a] = -np.inf, 0
        split_row(log_factors[row], logs, zeros, signs[row], contributions[row], shares[row], work)


@kernel
def add_possible(log_factors: Any, log_weight: float, logs: Any, zeros: Any) -> None:
    """Add the factors (attributes, 2) that are not zero into ``logs`` (2,), count the others in ``zeros``."""
    for c in range(2):
        logs[c], zeros[c] = log_weight, 0
        for j in range(log_factors.shape[0]):
            log = log_factors[j, c]
            if log == -np.inf:
                zeros[c] += 1
            else:
                logs[c] += log


@kernel
def split_row(
    log_factors: Any, logs: Any, zeros: Any, signs: Any, contributions: Any, shares: Any, work: Any
) -> None:
    """`split_odds` of one row, whose members are added up already.

    ``log_factors`` (members, attributes, 2), ``signs`` (members,). ``logs`` and ``zeros`` (members, 2): sums
    of the log weight and of the factors that are not zero, -inf for members that do not count; how many
    factors are zero. ``contributions`` (attributes,), zeros on entry, and ``shares`` (members,) receive the
    result. ``work``: arrays (members, 2), (2,) and (2,) of no meaning.
    """
    n_members, n_attributes, _ = log_factors.shape
    parts, largest, total = work
    for c in range(2):
        largest[c], total[c] = -np.inf, 0.0
        for a in range(n_members):
            if zeros[a, c] == 0:
                largest[c] = max(largest[c], logs[a, c])
        for a in range(n_members):
            parts[a, c] = 0.0
            if logs[a, c] > -np.inf and zeros[a, c] == 0:
                parts[a, c] = signs[a] * math.exp(logs[a, c] - largest[c])
            total[c] += parts[a, c]
        for a in range(n_members):
            parts[a, c] = parts[a, c] / total[c] if total[c] > 0 else 0.0
    shares[:] = 0.0
    if not (total[0] > 0 or total[1] > 0):
        return
    if not (total[0] > 0 and total[1] > 0):
        _split_infinite(log_factors, parts, total, signs, contributions, shares)
        return
    odds = largest[0] - largest[1] + math.log(total[0] / total[1])
    mass, size = 0.0, 0.0
    for a in range(n_members):
        if logs[a, 0] > -np.inf and zeros[a, 0] + zeros[a, 1] == 0:
            # the logarithmic mean of both shares, one of which may be too small for a number
            ratio = abs(logs[a, 0] - logs[a, 1] - odds)
            mean = max(abs(parts[a, 0]), abs(parts[a, 1]))
            if ratio > 0.1:
                mean = abs(parts[a, 0] - parts[a, 1]) / ratio
            elif ratio > 1e-12:  # the difference of both would have few digits
                mean *= -math.expm1(-ratio) / ratio
            shares[a] = signs[a] * mean
            mass += shares[a]
            size += abs(shares[a])
    if mass > 1e-6 * size:
        for a in range(n_members):
            shares[a] /= mass
            share, of_member = shares[a], log_factors[a]
            for j in range(n_attributes if share != 0 else 0):
                difference = of_member[np.uint64(j), 0] - of_member[np.uint64(j), 1]
                contributions[np.uint64(j)] += share * difference
            for c in range(2):
                # a member that is impossible for one class: what is left of it in the limit
                if zeros[a, c] > 0 and parts[a, 1 - c] != 0:
                    left = (parts[a, 1] if c == 0 else parts[a, 0]) / mass / zeros[a, c]
                    for j in range(n_attributes):
                        if log_factors[a, j, c] == -np.inf:
                            contributions[j] += -left if c == 0 else left
        return
    # no member for both classes: the mean of both shares, and the rest to what makes members impossible
    rest, weight = odds, 0.0
    for a in range(n_members):
        shares[a] = (parts[a, 0] + parts[a, 1]) / 2
        for j in range(n_attributes if shares[a] != 0 else 0):
            difference = 0.0
            if log_factors[a, j, 0] > -np.inf and log_factors[a, j, 1] > -np.inf:
                difference = log_factors[a, j, 0] - log_factors[a, j, 1]
            else:
                weight += abs(shares[a])
            contributions[j] += shares[a] * difference
            rest -= shares[a] * difference
    for a in range(n_members):
        for j in range(n_attributes if shares[a] != 0 else 0):
            if weight > 0:
                if log_factors[a, j, 0] == -np.inf or log_factors[a, j, 1] == -np.inf:
                    contributions[j] += rest * abs(shares[a]) / weight
            else:  # weights of both signs that cancel
                contributions[j] += rest / n_attributes * shares[a]


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
