"""Scoring loops: codes of a block of rows in, joint probabilities out.

One network adds logarithms; one-dependence estimators, which are summed, multiply probabilities, so that no
exponential is needed. Every table has a slot "not observed" per attribute that holds a factor of 1, so that
no loop asks whether a value is there. All is float64. A cell of a table holds the factors of all K classes,
padded to a width of 2 or a multiple of 4 (``counts.plan.padded_classes``), so that a row takes in a cell by
few vector instructions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel
from seminaive.kernels.vector import add_four, add_to, add_two, is_below, load, store, times, times_number


@kernel
def _add_cells(target: Any, table: Any, cells: Any, width: int) -> None:
    """Add to each row of ``target`` (flat) its cell of the table."""
    if width == 2:
        for row in range(cells.shape[0]):
            add_two(target, 2 * row, table, cells[row])
    else:
        for row in range(cells.shape[0]):
            to, cell = width * row, cells[row]
            for part in range(0, width, 4):
                add_four(target, to + part, table, cell + part)


@kernel
def score_network(
    codes: Any, start: int, members: Any, strides: Any, offsets: Any, table: Any, width: int, joint: Any
) -> None:
    """Add the log factors of every child of one network to ``joint`` (rows of the block, K).

    Child i looks at cell ``offsets[i]`` + sum over m of code(members[i, m]) x strides[i, m] of the flat
    ``table``, ``width`` entries a cell; unused members have stride 0.
    """
    n_rows, n_classes = joint.shape
    cells = np.empty(n_rows, dtype=np.int64)
    sums = np.zeros(n_rows * width)
    for i in range(members.shape[0]):
        for row in range(n_rows):
            cells[row] = offsets[i]
        for m in range(members.shape[1]):
            stride = strides[i, m]
            if stride > 0:
                column = codes[members[i, m]]
                for row in range(n_rows):
                    cells[row] += np.int64(column[np.uint64(start + row)]) * stride
        _add_cells(sums, table, cells, width)
    for row in range(n_rows):
        for y in range(n_classes):
            joint[row, y] += sums[row * width + y]


@kernel
def one_dependence_tables(
    counts: Any,
    tasks: Any,
    layout: Any,
    n_classes: int,
    strength: float,
    divide: bool,
    ratio: bool,
    table: Any,
) -> None:
    """Conditional probabilities of both directions of every pair of attributes.

    ``counts`` flat pair tables, ``tasks`` as in ``kernels.count``. ``table`` receives P(x_j | x_a, y), padded
    by 1, as [a][slot of a][slot of j, for all j other than a]; 1 where one of them is not observed.
    ``layout`` (attributes, 4): first slot of an attribute among all, number of its slots, number of all
    others, and where its cells begin, counted in cells.
    The pseudo-count of a cell is ``strength``, divided by the number of cells if ``divide``.
    ``ratio`` asks for P(x_i, x_j, y) / P(parent, y) of two smoothed joints.
    """
    width = table.shape[0] // (2 * (counts.shape[0] // n_classes))
    for p in range(tasks.shape[0]):
        i, j, offset, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2], tasks[p, 3]
        v_i, v_j = layout[i, 1] - 1, layout[j, 1] - 1
        first = np.zeros((v_i, n_classes))
        second = np.zeros((v_j, n_classes))
        total = 0.0
        for u in range(v_i):
            for w in range(v_j):
                cell = offset + (u * slots + w) * n_classes
                for y in range(n_classes):
                    count = float(counts[cell + y])
                    first[u, y] += count
                    second[w, y] += count
                    total += count
        # a probability is (count + pseudo-count) x factor; the factor depends on the parent and the class
        n_cells = v_i * v_j * n_classes
        if ratio:
            forward_pseudo = backward_pseudo = strength / n_cells if divide else strength
            _ratio_factors(first, total, strength, divide, n_cells)
            _ratio_factors(second, total, strength, divide, n_cells)
        else:
            forward_pseudo = strength / v_j if divide else strength
            backward_pseudo = strength / v_i if divide else strength
            _direct_factors(first, forward_pseudo * v_j)
            _direct_factors(second, backward_pseudo * v_i)
        # the cells of attributes after i follow those before it without a gap
        to_j = (layout[i, 3] + layout[j, 0] - layout[i, 1]) * width
        to_i = (layout[j, 3] + layout[i, 0]) * width
        for u in range(v_i + 1):
            for w in range(v_j + 1):
                cell = offset + (u * slots + w) * n_classes
                there = to_j + (u * layout[i, 2] + w) * width
                back = to_i + (w * layout[j, 2] + u) * width
                for y in range(width):
                    table[there + y] = table[back + y] = 1.0
                if u == v_i or w == v_j:
                    continue
                for y in range(n_classes):
                    count = float(counts[cell + y])
                    forward, backward = first[u, y], second[w, y]
                    # no rows and no smoothing: nothing is known, so that all values are equally probable
                    table[there + y] = (count + forward_pseudo) * forward if forward > 0 else 1.0 / v_j
                    table[back + y] = (count + backward_pseudo) * backward if backward > 0 else 1.0 / v_i


@kernel
def _direct_factors(totals: Any, mass: float) -> None:
    """Turn counts of the parent into 1 / (count + mass), 0 where that is not defined."""
    for u in range(totals.shape[0]):
        for y in range(totals.shape[1]):
            whole = totals[u, y] + mass
            totals[u, y] = 1.0 / whole if whole > 0 else 0.0


@kernel
def _ratio_factors(totals: Any, total: float, strength: float, divide: bool, n_cells: int) -> None:
    """Turn counts of the parent into 1 / (mass of the joint x P(parent, y)), 0 where that is not defined."""
    n_marginal = totals.shape[0] * totals.shape[1]
    pseudo = strength / n_marginal if divide else strength
    joint_mass = total + (strength if divide else strength * n_cells)
    marginal_mass = total + pseudo * n_marginal
    for u in range(totals.shape[0]):
        for y in range(totals.shape[1]):
            part = totals[u, y] + pseudo
            totals[u, y] = marginal_mass / (joint_mass * part) if part > 0 else 0.0


@kernel
def find_superparents(codes: Any, eligible: Any, first_slot: Any, superparents: Any) -> None:
    """Whether each attribute may be a superparent of a row, (rows, attributes), from ``eligible`` slots."""
    for row in range(superparents.shape[0]):
        for a in range(superparents.shape[1]):
            slot = first_slot[a] + codes[np.uint64(a), np.uint64(row)]
            superparents[row, a] = eligible[np.uint64(slot)]


@kernel
def share_equally(superparents: Any, weights: Any) -> None:
    """1 / number of a row's superparents for each of them, 0 for other attributes."""
    for row in range(superparents.shape[0]):
        number = 0
        for a in range(superparents.shape[1]):
            number += superparents[row, a]
        share = 1.0 / max(number, 1)
        for a in range(superparents.shape[1]):
            weights[row, a] = share if superparents[row, a] else 0.0


@kernel
def score_one_dependence(
    like: Any, codes: Any, weights: Any, tables: Any, layout: Any, parts: Any, scale: float, totals: Any
) -> None:
    """Weighted sums of one-dependence estimators.

    ``like``: as many numbers as a vector is to have, which divides the width of a cell. ``weights`` (rows,
    attributes). ``tables``, flat: P(x_a, y) of the slots of all attributes, 0 where padded; the conditionals
    of `one_dependence_tables`, with their ``layout``. ``totals``, to be given as zeros: sums (rows, width)
    and their depths, both flat and up to a multiple of four rows, and whether a row has such (rows,).

    Products of long rows would underflow. ``parts`` (attributes, parts, 3) says for each superparent what to
    multiply: first attribute, last attribute, and whether to look at the product before; if it is low it is
    multiplied by ``scale``, a power of two, and its depth says how often. Four rows take turns, because a
    multiplication waits for the one before it.
    """
    base, table = tables
    sums, depths, deep = totals
    n_attributes, n_rows = codes.shape
    n_lanes, width = len(like), base.shape[0] // (layout[0, 1] + layout[0, 2])
    bound = scale * 2.0**-1000
    slots = np.empty((n_rows, n_attributes), dtype=np.int64)
    for row in range(n_rows):
        for a in range(n_attributes):
            slots[row, a] = (layout[a, 0] + codes[np.uint64(a), np.uint64(row)]) * width
    terms = np.empty(8 * n_lanes)
    for a in range(n_attributes):
        n_slots, length = layout[a, 1], layout[a, 2]
        begin = (layout[a, 3] - layout[a, 0] * length) * width
        for row in range(0, n_rows, 4):
            # the last row comes again until there are four
            row_0, row_1 = np.uint64(row), np.uint64(min(row + 1, n_rows - 1))
            row_2, row_3 = np.uint64(min(row + 2, n_rows - 1)), np.uint64(min(row + 3, n_rows - 1))
            own_0, own_1, own_2, own_3 = slots[row_0, a], slots[row_1, a], slots[row_2, a], slots[row_3, a]
            for lane in range(0, width, n_lanes):
                term_0 = times_number(load(like, base, own_0 + lane), weights[row_0, a])
                term_1 = times_number(load(like, base, own_1 + lane), weights[row_1, a])
                term_2 = times_number(load(like, base, own_2 + lane), weights[row_2, a])
                term_3 = times_number(load(like, base, own_3 + lane), weights[row_3, a])
                scaled = False
                for part in range(parts.shape[1]):
                    first, last = parts[a, part, 0], parts[a, part, 1]
                    if parts[a, part, 2] and (
                        is_below(term_0, bound)
                        or is_below(term_1, bound)
                        or is_below(term_2, bound)
                        or is_below(term_3, bound)
                    ):
                        store(term_0, terms, 0)
                        store(term_1, terms, n_lanes)
                        store(term_2, terms, 2 * n_lanes)
                        store(term_3, terms, 3 * n_lanes)
                        for k in range(4 * n_lanes):
                            low = 0 < terms[k] < bound
                            terms[4 * n_lanes + k] = (terms[4 * n_lanes + k] if scaled else 0.0) + low
                            terms[k] *= scale if low else 1.0
                        scaled = True
                        term_0, term_1 = load(like, terms, 0), load(like, terms, n_lanes)
                        term_2, term_3 = load(like, terms, 2 * n_lanes), load(like, terms, 3 * n_lanes)
                    # the cells of attributes after a follow those before it without a gap
                    start = begin + lane - (n_slots * width if first > a else 0)
                    from_0, from_1 = start + own_0 * length, start + own_1 * length
                    from_2, from_3 = start + own_2 * length, start + own_3 * length
                    for j in range(first, last):
                        place = np.uint64(j)
                        term_0 = times(term_0, table, from_0 + slots[row_0, place])
                        term_1 = times(term_1, table, from_1 + slots[row_1, place])
                        term_2 = times(term_2, table, from_2 + slots[row_2, place])
                        term_3 = times(term_3, table, from_3 + slots[row_3, place])
                to = row * width + lane
                if not (scaled or deep[row]):
                    add_to(term_0, sums, to)
                    add_to(term_1, sums, to + width)
                    add_to(term_2, sums, to + 2 * width)
                    add_to(term_3, sums, to + 3 * width)
                    continue
                deep[row] = True
                store(term_0, terms, 0)
                store(term_1, terms, n_lanes)
                store(term_2, terms, 2 * n_lanes)
                store(term_3, terms, 3 * n_lanes)
                for k in range(4 * n_lanes):
                    depth = terms[4 * n_lanes + k] if scaled else 0.0
                    _add_scaled(sums, depths, to + k // n_lanes * width + k % n_lanes, terms[k], depth, scale)


@kernel
def _add_scaled(sums: Any, depths: Any, cell: int, term: float, depth: float, scale: float) -> None:
    """Add ``term`` x ``scale`` ** -``depth`` to a sum that is scaled likewise."""
    if term == 0:
        return
    if sums[cell] == 0:
        sums[cell], depths[cell] = term, depth
    elif depth >= depths[cell]:
        sums[cell] += term * scale ** (depths[cell] - depth)
    else:
        sums[cell] = sums[cell] * scale ** (depth - depths[cell]) + term
        depths[cell] = depth
