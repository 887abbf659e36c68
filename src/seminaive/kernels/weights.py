"""Loops for the weights of superparents."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel


@kernel
def pair_margins(counts: Any, tasks: Any, n_values: Any, margins: Any, rows_of: Any) -> None:
    """Counts of all observed value pairs of ``tasks`` and their margins.

    ``counts`` flat pair tables, ``tasks`` as in ``kernels.count``; ``margins`` is (both, first, second,
    classes), ``rows_of`` (first_of, second_of, pair_of). For each pair of values, one pair of attributes
    after the other: ``both`` (m, K) its counts, ``first_of``, ``second_of`` and ``pair_of`` (m,)
    its rows in ``first``, ``second`` and ``classes``. ``first`` (values of all first attributes, K),
    ``second`` and ``classes`` (pairs of attributes, K) receive the counts of x_i, of x_j and of the class
    where both are observed; all three are zero on entry.
    """
    table, first, values_of_second, classes = margins
    first_of, second_of, pair_of = rows_of
    n_classes = table.shape[1]
    # loops over more than the classes are faster
    both, second = table.reshape(-1), values_of_second.reshape(-1)
    m, begin_first, begin_second = 0, 0, 0
    for p in range(tasks.shape[0]):
        offset, slots = tasks[p, 2], tasks[p, 3]
        v_i, v_j = n_values[tasks[p, 0]], n_values[tasks[p, 1]]
        to_second = second[begin_second * n_classes : (begin_second + v_j) * n_classes]
        for u in range(begin_first, begin_first + v_i):
            pairs = counts[offset : offset + v_j * n_classes]
            to_both = both[m * n_classes : (m + v_j) * n_classes]
            for entry in range(v_j * n_classes):
                count = float(pairs[entry])
                to_both[entry] = count
                to_second[entry] += count
            to_first = first[u]
            for w in range(v_j):
                for y in range(n_classes):
                    to_first[y] += to_both[w * n_classes + y]
                first_of[m + w], second_of[m + w], pair_of[m + w] = u, begin_second + w, p
            for y in range(n_classes):
                classes[p, y] += to_first[y]
            m += v_j
            offset += slots * n_classes
        begin_first += v_i
        begin_second += v_j


@kernel
def joint_probabilities(
    counts: Any, rows: Any, n_cells: Any, strength: float, divide: bool, result: Any
) -> None:
    """Smoothed probabilities of ``counts`` (m, K), row r one of ``rows[r]`` rows in ``n_cells[r]`` cells.

    The pseudo-count of a cell is ``strength``, divided by the number of cells if ``divide``.
    """
    for r in range(counts.shape[0]):
        pseudo = strength / n_cells[r] if divide else strength
        mass = rows[r] + pseudo * n_cells[r]
        if mass > 0:
            factor = 1.0 / mass
            for y in range(counts.shape[1]):
                result[r, y] = (counts[r, y] + pseudo) * factor
        else:  # no rows and no smoothing: all cells are equally probable
            result[r] = 1.0 / n_cells[r]


@kernel
def conditional_probabilities(
    counts: Any, totals: Any, row_of: Any, n_values: Any, strength: float, divide: bool, result: Any
) -> None:
    """Smoothed ``counts`` (m, K), of ``totals[row_of[r]]`` rows and one of ``n_values[r]`` values each.

    The pseudo-count is as in `joint_probabilities`, of values in the place of cells.
    """
    for r in range(counts.shape[0]):
        v = n_values[r]
        pseudo, row = strength / v if divide else strength, row_of[r]
        for y in range(counts.shape[1]):
            mass = totals[row, y] + pseudo * v
            result[r, y] = (counts[r, y] + pseudo) / mass if mass > 0 else 1.0 / v


@kernel
def class_sums(weights: Any, values: Any, row_of: Any, result: Any) -> None:
    """Sum over y of ``weights[m, y]`` ``values[row_of[m], y]``, into ``result`` (m,)."""
    for m in range(weights.shape[0]):
        row, total = row_of[m], 0.0
        for y in range(weights.shape[1]):
            total += weights[m, y] * values[row, y]
        result[m] = total


@kernel
def sum_log_posteriors(
    counts: Any, rows: Any, n_cells: Any, strength: float, divide: bool, result: Any
) -> None:
    """Sum over y of log P(y | values) into ``result`` (m,), from probabilities as `joint_probabilities`."""
    n_classes = counts.shape[1]
    for r in range(counts.shape[0]):
        pseudo = strength / n_cells[r] if divide else strength
        total = 0.0
        for y in range(n_classes):
            total += counts[r, y]
        total += pseudo * n_classes
        factor, product = 1.0 / total, 1.0
        for y in range(n_classes):
            product *= (counts[r, y] + pseudo) * factor
        if product > 2.0**-1000:
            result[r] = math.log(product)
        elif rows[r] + pseudo > 0:  # zeros, or factors whose product underflows
            result[r] = -n_classes * math.log(total)
            for y in range(n_classes):
                result[r] += math.log(counts[r, y] + pseudo)
        else:  # no rows and no smoothing: all classes are equally probable
            result[r] = -n_classes * math.log(n_classes)


@kernel
def joint_ratios(both: Any, first: Any, second: Any, classes: Any, rows_of: Any, result: Any) -> None:
    """P(x_i, x_j, y) P(y) / (P(x_i, y) P(x_j, y)) of all pairs of values, 1 where one of them is 0.

    ``both`` (m, K); the others have their row of each pair in ``rows_of`` (first_of, second_of, pair_of).
    """
    first_of, second_of, pair_of = rows_of
    for m in range(both.shape[0]):
        u, w, p = first_of[m], second_of[m], pair_of[m]
        for y in range(both.shape[1]):
            # a product of two small probabilities might underflow
            ratio = (both[m, y] / first[u, y]) * (classes[p, y] / second[w, y])
            result[m, y] = ratio if both[m, y] > 0 else 1.0


@kernel
def place_pair_terms(to_first: Any, to_second: Any, tasks: Any, layout: Any, terms: Any) -> None:
    """Write terms of pairs of values, in the order of `pair_margins`, to their cells of ``terms`` (flat).

    ``terms`` and its ``layout`` are as in `kernels.score.one_dependence_tables`, a cell being one number.
    """
    m = 0
    for p in range(tasks.shape[0]):
        i, j = tasks[p, 0], tasks[p, 1]
        # the cells of attributes after i follow those before it without a gap
        to_j = layout[i, 3] + layout[j, 0] - layout[i, 1]
        to_i = layout[j, 3] + layout[i, 0]
        v_i, v_j = layout[i, 1] - 1, layout[j, 1] - 1
        for u in range(v_i):
            for w in range(v_j):
                terms[to_j + u * layout[i, 2] + w] = to_first[m + u * v_j + w]
        for w in range(v_j):
            for u in range(v_i):
                terms[to_i + w * layout[j, 2] + u] = to_second[m + u * v_j + w]
        m += v_i * v_j


@kernel
def sum_terms(codes: Any, layout: Any, values: Any, terms: Any, sums: Any) -> None:
    """Write the sum of the terms of each row for each attribute into ``sums`` (rows, attributes).

    ``values`` (slots of all attributes,); ``terms`` as in `place_pair_terms`. Four rows take turns, because
    an addition waits for the one before it.
    """
    n_attributes, n_rows = codes.shape
    slots = np.empty((n_rows, n_attributes), dtype=np.int64)
    for row in range(n_rows):
        for a in range(n_attributes):
            slots[row, a] = layout[a, 0] + codes[np.uint64(a), np.uint64(row)]
    for a in range(n_attributes):
        length = layout[a, 2]
        begin = layout[a, 3] - layout[a, 0] * length
        for row in range(0, n_rows, 4):
            # the last row comes again until there are four
            row_0, row_1 = np.uint64(row), np.uint64(min(row + 1, n_rows - 1))
            row_2, row_3 = np.uint64(min(row + 2, n_rows - 1)), np.uint64(min(row + 3, n_rows - 1))
            own_0, own_1, own_2, own_3 = slots[row_0, a], slots[row_1, a], slots[row_2, a], slots[row_3, a]
            sum_0, sum_1, sum_2, sum_3 = values[own_0], values[own_1], values[own_2], values[own_3]
            for first, last in ((0, a), (a + 1, n_attributes)):
                # the cells of attributes after a follow those before it without a gap
                start = begin - (layout[a, 1] if first > a else 0)
                from_0, from_1 = start + own_0 * length, start + own_1 * length
                from_2, from_3 = start + own_2 * length, start + own_3 * length
                for j in range(first, last):
                    place = np.uint64(j)
                    sum_0 += terms[np.uint64(from_0 + slots[row_0, place])]
                    sum_1 += terms[np.uint64(from_1 + slots[row_1, place])]
                    sum_2 += terms[np.uint64(from_2 + slots[row_2, place])]
                    sum_3 += terms[np.uint64(from_3 + slots[row_3, place])]
            sums[row_0, a], sums[row_1, a], sums[row_2, a], sums[row_3, a] = sum_0, sum_1, sum_2, sum_3


@kernel
def normalize_weights(weights: Any, superparents: Any) -> None:
    """Make the weights (rows, attributes) of each row sum to 1, in place.

    Those of attributes that are no superparents, and such as are negative or not finite, become 0; if nothing
    is left all superparents get the same.
    """
    for row in range(weights.shape[0]):
        largest, number = np.finfo(np.float64).tiny, 0
        for a in range(weights.shape[1]):
            number += superparents[row, a]
            if not (superparents[row, a] and 0 < weights[row, a] < np.inf):
                weights[row, a] = 0.0
            largest = max(largest, weights[row, a])
        total = 0.0
        for a in range(weights.shape[1]):
            weights[row, a] /= largest
            total += weights[row, a]
        for a in range(weights.shape[1]):
            if total > 0:
                weights[row, a] /= total
            elif superparents[row, a]:
                weights[row, a] = 1.0 / number


@kernel
def _add_shares(entropy: Any, observed: Any, factor: Any) -> None:
    """Add 1 - entropy / sum of entropies, made to sum to 1 over what is observed, to ``factor``."""
    total, rest = 0.0, 0.0
    for a in range(entropy.shape[0]):
        if observed[a]:
            total += entropy[a]
    for a in range(entropy.shape[0]):
        if observed[a]:
            rest += 1.0 - entropy[a] / total
    for a in range(entropy.shape[0]):
        if observed[a]:
            factor[a] += (1.0 - entropy[a] / total) / rest


@kernel
def instance_weights(sums: Any, observed: Any, values: Any, pairs: Any, entropy: float) -> None:
    """Weights of `seminaive.IBWAODE` but for a factor of the row, in the place of ``sums``.

    ``sums`` and ``observed`` (rows, attributes); ``values`` (attributes,) and ``pairs`` (attributes,
    attributes), entry (i, a) being what i adds to a: terms summed over all values; ``entropy`` of the class.
    """
    n_rows, n = sums.shape
    network, shares, factor = np.empty(n), np.empty(n), np.empty(n)
    for row in range(n_rows):
        # rows that lack the same attributes share a network
        same = row > 0
        if same:
            for a in range(n):
                same &= observed[row, a] == observed[row - 1, a]
        if not same:
            network[:] = entropy + values
            for i in range(n):
                if observed[row, i]:
                    for a in range(n):
                        network[a] += pairs[i, a]
            shares[:] = 0.0
            _add_shares(network, observed[row], shares)
        number, largest = 0, 0.0
        for a in range(n):
            factor[a] = shares[a]
            sums[row, a] += entropy
            number += observed[row, a]
        _add_shares(sums[row], observed[row], factor)
        for a in range(n):
            largest = max(largest, factor[a])
        for a in range(n):
            # relative to the largest, as powers of long rows would underflow
            sums[row, a] = (factor[a] / largest) ** (number - 1)
