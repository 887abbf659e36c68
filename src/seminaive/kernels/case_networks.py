"""Networks that are learned for single rows, and their probabilities.

A row is a list of slots (n_attributes,), int32: of the values it has, or "not observed". The places of its
observed values in the order of the network are 0, 1, ...; only they take part.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from seminaive.kernels.instance_index import (
    count_in_all,
    count_with_child,
    find_or_add,
    forget,
    sort_slots,
)
from seminaive.kernels.jit import inlined, kernel
from seminaive.kernels.smoothing import log_smoothed
from seminaive.kernels.triple_totals import pointwise_given_one, pointwise_of_two

_NOISE = 1e-12  # bits that rounding leaves


class SmoothingRule(NamedTuple):
    """Imaginary rows, spread over the values or given to each."""

    strength: float
    divides: bool


class RowCounts(NamedTuple):
    """Counts over all classes: ``Totals``, or where these are empty ``Bitmaps`` with a ``Memo``."""

    bitmaps: Any
    memo: Any
    totals: Any


class LeftOut(NamedTuple):
    """What the counts lose: the class code and weight of each row; both empty where nothing is left out."""

    labels: Any
    weights: Any


@kernel
def order_values(relevance: Any, order: Any, number: Any) -> None:
    """Attributes of each row by ``relevance`` (rows, attributes), descending, ties to the lower index.

    -inf marks what is not observed. ``order`` (rows, attributes) receives them, ``number`` (rows,) how many.
    """
    for row in range(relevance.shape[0]):
        found = 0
        for i in range(relevance.shape[1]):
            if relevance[row, i] == -np.inf:
                continue
            place = found
            while place > 0 and relevance[row, order[row, place - 1]] < relevance[row, i]:
                order[row, place] = order[row, place - 1]
                place -= 1
            order[row, place] = i
            found += 1
        number[row] = found


@inlined
def _take_strongest(strengths: Any, end: int) -> int:
    """Place of the largest of the first ``end`` strengths, ties to the first, which then counts no more."""
    place = 0
    for other in range(1, end):
        if strengths[other] > strengths[place]:
            place = other
    strengths[place] = -np.inf
    return place


@kernel
def choose_parents(
    order: Any, number: Any, dependence: Any, implies: Any, parents: Any, implied_by: Any, reasons: Any
) -> None:
    """The k strongest predecessors of each value; substitution-elimination where ``implies`` is not empty.

    ``dependence``, ``implies`` (rows, attributes, attributes); ``parents`` (rows, attributes, k) receives
    attributes, strongest first, -1 for none; ``implied_by`` (rows, attributes) the parent that implies the
    value itself; ``reasons`` (rows, attributes, k) for each of the k strongest predecessors the one that
    keeps it from being a parent.
    """
    k = parents.shape[2]
    resolve = implies.shape[0] > 0
    ranks = np.empty(k + 1, dtype=np.int64)
    strengths = np.empty(order.shape[1], dtype=dependence.dtype)
    for row in range(order.shape[0]):
        for position in range(number[row]):
            child = order[row, position]
            kept = parents[row, child]
            for place in range(position):
                strengths[place] = dependence[row, child, order[row, place]]
            n_kept, rank = 0, 0
            while n_kept < k and rank < position:
                candidate = order[row, _take_strongest(strengths, position)]
                superfluous = False
                if resolve:
                    for m in range(n_kept):
                        if implies[row, kept[m], candidate]:
                            superfluous = True
                            if rank < k:
                                reasons[row, child, rank] = kept[m]
                            break
                if not superfluous:
                    if resolve:
                        still = 0
                        for m in range(n_kept):
                            if implies[row, candidate, kept[m]]:
                                if ranks[m] < k:
                                    reasons[row, child, ranks[m]] = candidate
                            else:
                                kept[still], ranks[still] = kept[m], ranks[m]
                                still += 1
                        kept[still:n_kept] = -1
                        n_kept = still
                    kept[n_kept], ranks[n_kept] = candidate, rank
                    n_kept += 1
                rank += 1
            if resolve:
                for m in range(n_kept):
                    if implies[row, kept[m], child]:
                        implied_by[row, child] = kept[m]
                        break


@kernel
def _count_together(bitmaps: Any, memo: Any, wanted: Any, number: int, common: Any) -> float:
    """Weight of the rows with the first ``number`` slots of ``wanted``, which are reordered."""
    conditions = 0
    for s in range(number):
        if bitmaps.bitmap_of_slot[wanted[s]] >= 0:
            wanted[conditions] = wanted[s]
            conditions += 1
    sort_slots(wanted, conditions)
    forget(memo, 1)
    place = find_or_add(memo, wanted, conditions)
    if place < 0:
        place = -1 - place
        memo.values[place, 0] = count_in_all(bitmaps, wanted, conditions, common)
    return float(memo.values[place, 0])


@kernel
def pointwise_given_many(
    counts: Any, slots: Any, i: int, j: int, given: Any, n_given: int, room: Any, common: Any
) -> float:
    """i(x_i; x_j | the first ``n_given`` of ``given``), as ``pointwise_information``, without tables.

    ``room`` (n_given + 2,) and ``common`` (words,) are room to work in.
    """
    bitmaps, memo = counts.bitmaps, counts.memo
    last_i, last_j = bitmaps.first_slot[i + 1] - 1, bitmaps.first_slot[j + 1] - 1
    found = np.empty(4)
    for which in range(4):
        for s in range(n_given):
            room[s] = slots[given[s]]
        # both values, the first, the second, neither; what is not asked for has to be observed
        room[n_given] = slots[i] if which < 2 else last_i
        room[n_given + 1] = slots[j] if which % 2 == 0 else last_j
        found[which] = _count_together(bitmaps, memo, room, n_given + 2, common)
        if found[0] == 0:
            return np.nan
    return math.log2((found[0] / found[1]) / (found[2] / found[3]))


@kernel
def was_seen(
    counts: Any, slots: Any, i: int, j: int, given: Any, n_given: int, room: Any, common: Any
) -> bool:
    """Whether any row has the values of ``given`` with both i and j observed."""
    first_slot = counts.bitmaps.first_slot
    for s in range(n_given):
        room[s] = slots[given[s]]
    room[n_given], room[n_given + 1] = first_slot[i + 1] - 1, first_slot[j + 1] - 1
    return _count_together(counts.bitmaps, counts.memo, room, n_given + 2, common) > 0


@kernel
def pointwise_information(
    counts: Any, slots: Any, i: int, j: int, given: Any, n_given: int, room: Any, common: Any
) -> float:
    """i(x_i; x_j | the first ``n_given`` of ``given``) in bits from raw counts over all classes.

    All counts look at the rows in which i and j are observed; NaN where one is zero. Where the combination
    of ``given`` was never seen the condition is its first value alone. ``slots`` (attributes,) are those of
    a row; ``room`` (n_given + 2,) and ``common`` (words,) are room to work in.
    """
    number = n_given
    if n_given > 1 and not was_seen(counts, slots, i, j, given, n_given, room, common):
        number = 1
    totals = counts.totals.singles, counts.totals.table, counts.totals.begins, counts.totals.first_slot
    if totals[0].shape[0] > 0 and number == 0:
        return pointwise_of_two(totals, slots, i, j)
    if totals[0].shape[0] > 0 and number == 1:
        return pointwise_given_one(totals, slots, i, j, given[0])
    return pointwise_given_many(counts, slots, i, j, given, number, room, common)


@kernel
def choose_informative_parents(
    slots: Any, order: Any, number: Any, dependence: Any, ratios: Any, counts: Any, parents: Any
) -> None:
    """Parents after the elimination of redundant dependencies, for each of ``ratios``, ascending.

    The strongest predecessor is a parent; each further one has to tell, pointwise and beside the parents,
    more than ``ratio`` times what the first tells. ``parents`` (rows, ratios, attributes, k), -1 for none.
    """
    k = parents.shape[3]
    room = np.empty(k + 2, dtype=np.int32)
    nothing = np.empty(0, dtype=np.int32)
    common = np.empty(counts.bitmaps.words.shape[1], dtype=np.uint64)
    # arrays that come out of a tuple in an inner loop cost more there than what is done with them
    totals = counts.totals.singles, counts.totals.table, counts.totals.begins, counts.totals.first_slot
    has_tables = totals[0].shape[0] > 0
    strengths = np.empty(order.shape[1], dtype=dependence.dtype)
    ranked = np.empty(order.shape[1], dtype=np.int32)
    for row in range(order.shape[0] if k > 0 else 0):
        values = slots[row]
        for position in range(1, number[row]):
            # integers of one type: each further signature of what is called takes seconds to compile
            child = int(order[row, position])
            for place in range(position):
                strengths[place] = dependence[row, child, order[row, place]]
            strongest = int(order[row, _take_strongest(strengths, position)])
            told = 0.0
            if position > k and has_tables:
                told = abs(pointwise_of_two(totals, values, child, strongest))
            elif position > k:
                told = abs(
                    pointwise_information(
                        counts, values, child, strongest, nothing, nothing.shape[0], room, common
                    )
                )
            # what fails for a ratio fails for a larger one too, as long as the first parent is the only one
            begin, n_ranked = 1, 1
            for r in range(ratios.shape[0]):
                parents[row, r, child, 0] = strongest
                n_kept, rank = 1, begin
                while n_kept < k and rank < position:
                    if rank == n_ranked:
                        ranked[rank] = order[row, _take_strongest(strengths, position)]
                        n_ranked += 1
                    candidate = int(ranked[rank])
                    information = np.inf
                    if position > k and n_kept == 1 and has_tables:
                        information = pointwise_given_one(totals, values, child, candidate, strongest)
                    elif position > k:
                        kept = parents[row, r, child]
                        information = pointwise_information(
                            counts, values, child, candidate, kept, int(n_kept), room, common
                        )
                    if information - ratios[r] * told > _NOISE:  # NaN is no information
                        if n_kept == 1:
                            begin = rank
                        parents[row, r, child, n_kept] = candidate
                        n_kept += 1
                    rank += 1
                if n_kept == 1:
                    begin = rank


@kernel
def tells(counts: Any, slots: Any, i: int, j: int, given: Any) -> float:
    """``pointwise_information`` of one row."""
    room = np.empty(given.shape[0] + 2, dtype=np.int32)
    common = np.empty(counts.bitmaps.words.shape[1], dtype=np.uint64)
    return pointwise_information(counts, slots, i, j, given, given.shape[0], room, common)


@kernel
def _count_family(
    bitmaps: Any, family: Any, number: int, child: int, pseudo: float, room: Any, kept: Any, place: int
) -> None:
    """Write what `score_case_networks` wants to know of a family into ``kept[place]``."""
    index = bitmaps.words, bitmaps.bitmap_of_slot, bitmaps.class_ends, bitmaps.weights
    first, last = bitmaps.first_slot[child], bitmaps.first_slot[child + 1] - 1
    common, (totals, counts) = room[0], room[1]
    n_classes = totals.shape[0]
    count_with_child(index, family, number, last, common, totals, counts)
    kept[place, 0] = totals.sum()
    for y in range(n_classes):
        kept[place, 1 + y] = log_smoothed(counts[y], totals[y], last - first, pseudo)
    if kept.shape[1] > 1 + n_classes:
        kept[place, 1 + n_classes : 1 + 2 * n_classes] = totals
        kept[place, 1 + 2 * n_classes :] = counts


@kernel
def score_case_networks(
    slots: Any,
    parents: Any,
    implied_by: Any,
    left_out: Any,
    bitmaps: Any,
    memo: Any,
    rule: Any,
    joint: Any,
) -> None:
    """Add log P(x_i | parents, y) of every child of each row's networks to ``joint`` (rows, networks, K).

    ``slots`` (rows, attributes); ``parents`` (rows, networks, attributes, k), -1 for none; children with
    ``implied_by`` (rows, attributes) other than -1 are left out. ``memo`` keeps of each family how often its
    parents were seen, log P(child | parents, y) and, where ``left_out`` may not be empty, N(parents, y) and
    N(parents, child, y): 1 + K or 1 + 3 K numbers.
    """
    n_rows, n_networks, n_classes = joint.shape
    n_attributes, k = parents.shape[2], parents.shape[3]
    first_slot, kept = bitmaps.first_slot, memo.values
    room = np.empty(bitmaps.words.shape[1], dtype=np.uint64), np.empty((2, n_classes))
    family = np.empty(k + 1, dtype=np.int32)
    key = np.empty(k + 1, dtype=np.int32)
    factor = np.empty(n_classes)
    for row in range(n_rows):
        own_class, own = -1, 0.0
        if left_out.labels.shape[0] > 0:
            own_class, own = int(left_out.labels[row]), left_out.weights[row]
        for child in range(n_attributes):
            n_values = first_slot[child + 1] - first_slot[child] - 1
            if slots[row, child] == first_slot[child] + n_values or implied_by[row, child] >= 0:
                continue
            pseudo = rule.strength / n_values if rule.divides else rule.strength
            for network in range(n_networks):
                chosen = parents[row, network, child]
                same = network > 0
                for m in range(k):
                    if same and chosen[m] != parents[row, network - 1, child, m]:
                        same = False
                if not same:
                    number = 0
                    for m in range(k):
                        if chosen[m] < 0:
                            break
                        slot = slots[row, chosen[m]]
                        if slot != first_slot[chosen[m] + 1] - 1:
                            family[number] = slot
                            number += 1
                    while True:
                        for s in range(number):
                            key[s] = family[s]
                        sort_slots(key, number)
                        key[number] = slots[row, child]
                        forget(memo, 1)
                        place = find_or_add(memo, key, number + 1)
                        if place < 0:
                            place = -1 - place
                            _count_family(bitmaps, key, int(number), child, pseudo, room, kept, place)
                        seen = kept[place, 0]
                        # without the row itself, and but for what rounding leaves of weights
                        if number == 0 or seen - own > 1e-9 * seen:
                            break
                        number -= 1
                    for y in range(n_classes):
                        factor[y] = kept[place, 1 + y]
                    if own_class >= 0:
                        total = kept[place, 1 + n_classes + own_class] - own
                        count = kept[place, 1 + 2 * n_classes + own_class] - own
                        factor[own_class] = log_smoothed(max(count, 0.0), max(total, 0.0), n_values, pseudo)
                for y in range(n_classes):
                    joint[row, network, y] += factor[y]
