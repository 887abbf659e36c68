"""Counting value combinations by bitmaps, each distinct combination once.

A combination is a list of slots. The slot of a value asks for that value, the slot "not observed" of an
attribute asks that the attribute is observed at all; the order of the slots plays no part.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from seminaive.kernels.jit import inlined, kernel
from seminaive.kernels.vector import popcount

_EMPTY = -1


class Bitmaps(NamedTuple):
    """Bitmaps of the training rows, sorted by class.

    words
        (bitmaps, words) uint64, bit r of a bitmap being row r in the order of the classes.
    bitmap_of_slot
        (slots of all attributes,) int64. Of a slot "not observed": the bitmap of the rows in which the
        attribute *is* observed, -1 if these are all rows.
    first_slot
        (n_attributes + 1,) int64.
    class_ends
        (K,) int64: class y ends before this row.
    weights
        (rows,) float64 in that order; empty where each row counts 1.
    """

    words: Any
    bitmap_of_slot: Any
    first_slot: Any
    class_ends: Any
    weights: Any


class Memo(NamedTuple):
    """Combinations that were counted, by open addressing.

    places
        (a power of 2,) int32: which combination lies at a hash, -1 for none.
    keys
        (capacity, longest combination) int32, filled up with -1.
    values
        (capacity, numbers kept for a combination) float64.
    size
        (1,) int64: combinations kept.
    """

    places: Any
    keys: Any
    values: Any
    size: Any


@kernel
def pack_index(
    codes: Any, order: Any, attributes: Any, first_slot: Any, bitmap_of_slot: Any, words: Any
) -> None:
    """Set the bits of ``attributes``; ``order`` (rows,) lists the rows class by class."""
    for i in attributes:
        column, slot = codes[i], first_slot[i]
        last = first_slot[i + 1] - 1
        observed = bitmap_of_slot[last]
        for position in range(order.shape[0]):
            place = slot + np.int64(column[np.uint64(order[position])])
            bit = np.uint64(1) << np.uint64(position & 63)
            if place < last:
                words[bitmap_of_slot[place], position >> 6] |= bit
                if observed >= 0:
                    words[observed, position >> 6] |= bit


@inlined
def _intersect(words: Any, bitmap_of_slot: Any, n_rows: int, slots: Any, number: int, common: Any) -> None:
    """Write the AND of the bitmaps of the first ``number`` slots into ``common`` (words,)."""
    found, first = 0, -1
    for s in range(number):
        bitmap = bitmap_of_slot[slots[s]]
        if bitmap < 0:
            continue
        if found == 0:
            first = bitmap
        elif found == 1:
            for w in range(common.shape[0]):
                common[w] = words[first, w] & words[bitmap, w]
        else:
            for w in range(common.shape[0]):
                common[w] &= words[bitmap, w]
        found += 1
    if found == 1:
        for w in range(common.shape[0]):
            common[w] = words[first, w]
    if found == 0:
        for w in range(common.shape[0]):
            common[w] = ~np.uint64(0)
        if n_rows & 63:
            common[common.shape[0] - 1] = _ones_below(n_rows)


@inlined
def _ones_below(row: int) -> Any:
    """The bits of the rows of the same word that come before ``row``."""
    return (np.uint64(1) << np.uint64(row & 63)) - np.uint64(1)


@kernel
def _weight_between(bits: Any, begin: int, end: int, weights: Any) -> float:
    """Sum of the weights of the rows from ``begin`` to ``end`` whose bit is set."""
    total = 0.0
    for w in range(begin >> 6, -(-end >> 6)):
        word = bits[w]
        while word != 0:
            lowest = word & (~word + np.uint64(1))
            row = (w << 6) + popcount(lowest - np.uint64(1))
            if begin <= row < end:
                total += weights[row]
            word ^= lowest
    return total


@inlined
def _per_class(bits: Any, class_ends: Any, weights: Any, result: Any) -> None:
    """Weight of the rows of every class whose bit is set, into ``result`` (K,)."""
    begin, before, ones = 0, 0, 0
    for y in range(class_ends.shape[0]):
        end = class_ends[y]
        if weights.shape[0] > 0:
            result[y] = _weight_between(bits, begin, end, weights)
            begin = end
            continue
        for w in range(begin, end >> 6):
            ones += popcount(bits[np.uint64(w)])
        begin = end >> 6
        here = ones
        if end & 63:
            here += popcount(bits[np.uint64(begin)] & _ones_below(end))
        result[y] = here - before
        before = here


@kernel
def count_per_class(bitmaps: Any, slots: Any, number: int, common: Any, result: Any) -> None:
    """Count a combination in every class; ``common`` (words,) is room to work in, ``result`` (K,)."""
    class_ends = bitmaps.class_ends
    _intersect(bitmaps.words, bitmaps.bitmap_of_slot, class_ends[-1], slots, number, common)
    _per_class(common, class_ends, bitmaps.weights, result)


@inlined
def count_with_child(
    bitmaps: Any, family: Any, number: int, observed_slot: int, common: Any, totals: Any, counts: Any
) -> None:
    """Count a combination of parents in every class, where the child is observed and where it has its value.

    ``bitmaps`` is (words, bitmap_of_slot, class_ends, weights), unpacked where the loops begin. ``family``
    holds ``number`` slots of parents, then that of the child, whose slot "not observed" is ``observed_slot``.
    ``totals`` and ``counts`` are of shape (K,).
    """
    words, bitmap_of_slot, class_ends, weights = bitmaps
    _intersect(words, bitmap_of_slot, class_ends[-1], family, number, common)
    observed, value = bitmap_of_slot[observed_slot], bitmap_of_slot[family[number]]
    if observed >= 0:
        for w in range(common.shape[0]):
            common[w] &= words[observed, w]
    if weights.shape[0] > 0:
        _per_class(common, class_ends, weights, totals)
        for w in range(common.shape[0]):
            common[w] &= words[value, w]
        _per_class(common, class_ends, weights, counts)
        return
    # both at once, as each word of ``common`` is needed twice
    begin, total_before, count_before, total, count = 0, 0, 0, 0, 0
    for y in range(class_ends.shape[0]):
        end = class_ends[y]
        for w in range(begin, end >> 6):
            word = common[np.uint64(w)]
            total += popcount(word)
            count += popcount(word & words[value, np.uint64(w)])
        begin = end >> 6
        total_here, count_here = total, count
        if end & 63:
            word = common[np.uint64(begin)] & _ones_below(end)
            total_here += popcount(word)
            count_here += popcount(word & words[value, np.uint64(begin)])
        totals[y], counts[y] = total_here - total_before, count_here - count_before
        total_before, count_before = total_here, count_here


@kernel
def count_in_all(bitmaps: Any, slots: Any, number: int, common: Any) -> float:
    """Count a combination over all classes."""
    n_rows = bitmaps.class_ends[-1]
    _intersect(bitmaps.words, bitmaps.bitmap_of_slot, n_rows, slots, number, common)
    if bitmaps.weights.shape[0] > 0:
        return _weight_between(common, 0, n_rows, bitmaps.weights)
    ones = 0
    for w in range(common.shape[0]):
        ones += popcount(common[w])
    return float(ones)


@kernel
def count_combinations(bitmaps: Any, combinations: Any, lengths: Any, result: Any) -> None:
    """Counts (m, K) of the combinations (m, longest), the first ``lengths[m]`` slots of each."""
    common = np.empty(bitmaps.words.shape[1], dtype=np.uint64)
    for m in range(combinations.shape[0]):
        count_per_class(bitmaps, combinations[m], lengths[m], common, result[m])


@inlined
def sort_slots(slots: Any, number: int) -> None:
    """Sort the first ``number`` slots, ascending."""
    for s in range(1, number):
        slot, place = slots[s], s
        while place > 0 and slots[place - 1] > slot:
            slots[place] = slots[place - 1]
            place -= 1
        slots[place] = slot


@inlined
def find_or_add(memo: Any, slots: Any, number: int) -> int:
    """Where a combination is kept; -1 - place where it was added just now and wants its values.

    The caller makes room by ``forget`` before the memo is full.
    """
    places, keys = memo.places, memo.keys
    mask = np.uint64(places.shape[0] - 1)
    hashed = np.uint64(0x9E3779B97F4A7C15)
    for s in range(number):
        hashed = (hashed ^ np.uint64(slots[s] + 1)) * np.uint64(0xFF51AFD7ED558CCD)
        hashed ^= hashed >> np.uint64(29)
    at = hashed & mask
    while True:
        place = places[at]
        if place == _EMPTY:
            break
        same = True
        for s in range(keys.shape[1]):
            if keys[place, s] != (slots[s] if s < number else _EMPTY):
                same = False
                break
        if same:
            return int(place)
        at = (at + np.uint64(1)) & mask
    place = memo.size[0]
    memo.size[0] += 1
    places[at] = place
    for s in range(keys.shape[1]):
        keys[place, s] = slots[s] if s < number else _EMPTY
    return int(-1 - place)


@inlined
def forget(memo: Any, wanted: int) -> None:
    """Empty the memo if it has no room for ``wanted`` further combinations."""
    if memo.size[0] + wanted > memo.keys.shape[0]:
        memo.places[:] = _EMPTY
        memo.size[0] = 0
