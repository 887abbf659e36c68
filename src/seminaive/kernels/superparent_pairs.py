"""Tables and sums of two-dependence estimators, whose superparents are pairs of values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from seminaive.kernels.explain import add_possible, split_row
from seminaive.kernels.jit import inlined, kernel
from seminaive.kernels.score import _add_scaled
from seminaive.kernels.vector import add_to, load, store, times

_ENTRIES = 2**11  # products that are multiplied at a time; they stay in the cache


@kernel
def place_triple(
    counts: Any, n_values: Any, places: Any, n_classes: int, strength: float, divide: bool, table: Any
) -> None:
    """Write P(child | both others, y) of three attributes, each of them the child in turn, into ``table``.

    ``counts`` flat, [slot of the first][slot of the second][value of the third][class]; ``n_values`` (3,).
    ``places`` (3, 4) for each child: the first cell of its parents' values, how many cells a value of the
    first and of the second parent takes, and where the child's cells begin among these. ``table`` flat;
    cells of values that are not observed stay as they are. The pseudo-count of a cell is ``strength``,
    divided by the child's number of values if ``divide``.
    """
    strides = np.empty(3, dtype=np.int64)
    strides[2] = n_classes
    strides[1] = n_values[2] * n_classes
    strides[0] = (n_values[1] + 1) * strides[1]
    width = 2 if n_classes <= 2 else (n_classes + 3) // 4 * 4
    factors = np.empty(n_classes)
    for child in range(3):
        first, second = 1 if child == 0 else 0, 1 if child == 2 else 2
        v = n_values[child]
        pseudo = strength / v if divide else strength
        for u in range(n_values[first]):
            for w in range(n_values[second]):
                source = u * strides[first] + w * strides[second]
                factors[:] = 0.0
                for x in range(v):
                    for y in range(n_classes):
                        factors[y] += counts[source + x * strides[child] + y]
                for y in range(n_classes):
                    whole = factors[y] + pseudo * v
                    factors[y] = 1.0 / whole if whole > 0 else 0.0
                begin = places[child, 0] + u * places[child, 1] + w * places[child, 2] + places[child, 3]
                for x in range(v):
                    to = (begin + x) * width
                    for y in range(n_classes):
                        count = counts[source + x * strides[child] + y]
                        # no rows and no smoothing: all values are equally probable
                        table[to + y] = (count + pseudo) * factors[y] if factors[y] > 0 else 1.0 / v


@kernel
def score_superparent_pairs(
    like: Any, slots: Any, tables: Any, layout: Any, most: int, scale: float, totals: Any
) -> None:
    """Sums of two-dependence estimators over the pairs of values that may be superparents.

    ``like``: as many numbers as a vector is to have, which divides the width of a cell. ``slots`` (rows,
    attributes): slots of values among those of all attributes, times the width. ``tables``, flat:
    P(x_a, x_b, y), 0 where padded; whether each pair of values may be a superparent, as often as a cell is
    wide; P(x_c | x_a, x_b, y). ``layout`` (pairs, 9): a, b, their first slots, their numbers of slots, the
    first cell of the pair, and in the last table its first cell and the number of cells of each pair of
    values. ``totals``, to be given as zeros: sums and depths (rows x width,), and how many superparents a row
    has (rows,).

    Every ``most`` factors the products are looked at, and low ones multiplied by ``scale``, a power of two; a
    depth says how often.
    """
    base, eligible, table = tables
    sums, depths, numbers = totals
    n_rows, n_attributes = slots.shape
    n_lanes, width = len(like), sums.shape[0] // n_rows
    step = max(_ENTRIES // width, 4)
    terms, depth = np.empty(step * width), np.zeros(step * width)
    rows, begins = np.empty(step, dtype=np.int64), np.empty(step, dtype=np.int64)
    deep = False
    for p in range(layout.shape[0]):
        a, b, gap_a, gap_b = layout[p, 0], layout[p, 1], layout[p, 4] * width, layout[p, 5] * width
        for start in range(0, n_rows, step):
            n = 0
            for row in range(start, min(start + step, n_rows)):
                of_row = slots[np.uint64(row)]
                # places in the tables, in numbers
                pair = (of_row[np.uint64(a)] - layout[p, 2] * width) * layout[p, 5]
                pair += of_row[np.uint64(b)] - layout[p, 3] * width
                cell = layout[p, 6] * width + pair
                if eligible[np.uint64(cell)]:
                    rows[n], begins[n] = row, layout[p, 7] * width + pair * layout[p, 8]
                    for lane in range(0, width, n_lanes):
                        store(load(like, base, cell + lane), terms, n * width + lane)
                    n += 1
            scaled = False
            for part in range(0, n_attributes, most):
                end = min(part + most, n_attributes)
                scaled = _raise_low(terms, depth, n * width, scale, scaled)
                for k in range(n):
                    of_row = slots[np.uint64(rows[k])]
                    for lane in range(0, width, n_lanes):
                        term, begin = load(like, terms, k * width + lane), begins[k] + lane
                        for c in range(part, min(a, end)):
                            term = times(term, table, begin + of_row[np.uint64(c)])
                        # the cells of attributes after a and b follow those before them without a gap
                        begin -= gap_a
                        for c in range(max(a + 1, part), min(b, end)):
                            term = times(term, table, begin + of_row[np.uint64(c)])
                        begin -= gap_b
                        for c in range(max(b + 1, part), end):
                            term = times(term, table, begin + of_row[np.uint64(c)])
                        store(term, terms, k * width + lane)
            deep |= scaled
            for k in range(n):
                numbers[rows[k]] += 1
                to = rows[k] * width
                if deep:
                    for y in range(width):
                        low = depth[k * width + y] if scaled else 0.0
                        _add_scaled(sums, depths, to + y, terms[k * width + y], low, scale)
                else:
                    for lane in range(0, width, n_lanes):
                        add_to(load(like, terms, k * width + lane), sums, to + lane)


@kernel
def _raise_low(terms: Any, depth: Any, size: int, scale: float, scaled: bool) -> bool:
    """Multiply low products by ``scale`` and count it in ``depth``; whether any was, now or before."""
    bound = scale * 2.0**-1000
    low = 0
    for k in range(size):
        low += 0 < terms[k] < bound
    if low == 0:
        return scaled
    for k in range(size):
        is_low = 0 < terms[k] < bound
        depth[k] = (depth[k] if scaled else 0.0) + is_low
        terms[k] *= scale if is_low else 1.0
    return True


@kernel
def split_superparent_pairs(
    slots: Any,
    wanted: Any,
    tables: Any,
    layout: Any,
    singles: Any,
    contributions: Any,
    shares: Any,
    numbers: Any,
) -> None:
    """Split the log-odds of the mean of two-dependence estimators between two classes.

    ``slots`` (rows, attributes): slots of values among those of all attributes. ``wanted`` (rows, 2) class
    codes. ``tables`` and ``layout`` as in `score_superparent_pairs`, but the tables (cells, width); then
    whether the first and the last of them are logarithms. ``singles``: log P(x | y) of every slot (slots, K),
    by which P(x_a, x_b | y) is divided between both, and the log prior (K,). ``contributions`` (rows,
    attributes) and ``shares`` (rows, pairs), zeros on entry, as in `kernels.explain.split_odds`; ``numbers``
    (rows,): how many superparents a row has. Nothing else is written for a row without any.
    """
    base, eligible, table, are_logs = tables
    log_alone, log_prior = singles
    (n_rows, n_attributes), n_pairs = slots.shape, layout.shape[0]
    # of the pairs of one row that are superparents, next to each other; they stay in the cache
    pairs, factors = np.empty(n_pairs, dtype=np.int64), np.empty((n_pairs, n_attributes, 2))
    logs, zeros = np.empty((n_pairs, 2)), np.empty((n_pairs, 2), dtype=np.int64)
    signs, of_pairs = np.ones(n_pairs), np.empty(n_pairs)
    work = np.empty((n_pairs, 2)), np.empty(2), np.empty(2)
    for row in range(n_rows):
        of_row = slots[row]
        y, z = np.uint64(wanted[row, 0]), np.uint64(wanted[row, 1])
        n = 0
        for p in range(n_pairs):
            a, b, slots_a, slots_b = layout[p, 0], layout[p, 1], layout[p, 4], layout[p, 5]
            slot_a, slot_b = of_row[np.uint64(a)], of_row[np.uint64(b)]
            pair = (slot_a - layout[p, 2]) * slots_b + slot_b - layout[p, 3]
            cell, begin = np.uint64(layout[p, 6] + pair), layout[p, 7] + pair * layout[p, 8]
            if not eligible[cell, 0]:
                continue
            first, second = base[cell, y], base[cell, z]
            if not are_logs:
                first, second = _log(first), _log(second)
            first, second = first - log_prior[y], second - log_prior[z]
            into, of_a, of_b = factors[n], log_alone[slot_a], log_alone[slot_b]
            into[a, 0], into[a, 1] = _half(first, of_a[y], of_b[y]), _half(second, of_a[z], of_b[z])
            into[b, 0], into[b, 1] = _half(first, of_b[y], of_a[y]), _half(second, of_b[z], of_a[z])
            start = 0
            for part in range(3):
                stop = a if part == 0 else b if part == 1 else n_attributes
                for j in range(start, stop):
                    at = np.uint64(begin + of_row[np.uint64(j)])
                    into[np.uint64(j), 0], into[np.uint64(j), 1] = table[at, y], table[at, z]
                # the cells of attributes after a and b follow those before them without a gap
                begin -= slots_a if part == 0 else slots_b
                start = stop + 1
            first = second = 0.0
            for j in range(n_attributes):
                if not are_logs and j != a and j != b:
                    into[np.uint64(j), 0] = _log(into[np.uint64(j), 0])
                    into[np.uint64(j), 1] = _log(into[np.uint64(j), 1])
                first += into[np.uint64(j), 0]
                second += into[np.uint64(j), 1]
            logs[n, 0], logs[n, 1], zeros[n] = first, second, 0
            if first == -np.inf or second == -np.inf:
                add_possible(into, 0.0, logs[n], zeros[n])
            pairs[n] = p
            n += 1
        numbers[row] = n
        if n == 0:
            continue
        split_row(factors[:n], logs[:n], zeros[:n], signs[:n], contributions[row], of_pairs[:n], work)
        for k in range(n):
            shares[row, pairs[k]] = of_pairs[k]


@inlined
def _log(probability: float) -> float:
    """Logarithm, that of 0 being -inf."""
    return math.log(probability) if probability > 0 else -np.inf


@inlined
def _half(both: float, own: float, other: float) -> float:
    """The part of one attribute in ``both``; that of the other one differs by as much as both do alone.

    What is impossible is so by the values that are impossible alone, or by both.
    """
    if both > -np.inf:
        return (both + own - other) / 2
    return own if own > -np.inf and other == -np.inf else -np.inf
