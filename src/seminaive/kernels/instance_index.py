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


@kernel
def _intersect(bitmaps: Any, slots: Any, number: int, common: Any) -> None:
    """Write the AND of the bitmaps of the first ``number`` slots into ``common`` (words,)."""
    words, rows_of = bitmaps.words, bitmaps.bitmap_of_slot
    found = 0
    for s in range(number):
        bitmap = rows_of[slots[s]]
        if bitmap < 0:
            continue
        row = words[bitmap]
        if found == 0:
            for w in range(common.shape[0]):
                common[w] = row[w]
        else:
            for w in range(common.shape[0]):
                common[w] &= row[w]
        found += 1
    if found == 0:
        n_rows = bitmaps.class_ends[-1]
        for w in range(common.shape[0]):
            common[w] = ~np.uint64(0)
        if n_rows & 63:
            common[common.shape[0] - 1] = (np.uint64(1) << np.uint64(n_rows & 63)) - np.uint64(1)


@inlined
def _ones_between(bits: Any, begin: int, end: int) -> int:
    """Number of ones of ``bits`` (words,) from row ``begin`` to ``end``."""
    count = 0
    if begin < end:
        first, last = begin >> 6, (end - 1) >> 6
        head = ~np.uint64(0) << np.uint64(begin & 63)
        tail = ~np.uint64(0) >> np.uint64(63 - ((end - 1) & 63))
        if first == last:
            count = popcount(bits[first] & head & tail)
        else:
            count = popcount(bits[first] & head) + popcount(bits[last] & tail)
            for w in range(first + 1, last):
                count += popcount(bits[w])
    return count


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
    begin = 0
    if weights.shape[0] > 0:
        for y in range(class_ends.shape[0]):
            result[y] = _weight_between(bits, begin, class_ends[y], weights)
            begin = class_ends[y]
    else:
        for y in range(class_ends.shape[0]):
            result[y] = _ones_between(bits, begin, class_ends[y])
            begin = class_ends[y]


@kernel
def count_per_class(bitmaps: Any, slots: Any, number: int, common: Any, result: Any) -> None:
    """Count a combination in every class; ``common`` (words,) is room to work in, ``result`` (K,)."""
    _intersect(bitmaps, slots, number, common)
    _per_class(common, bitmaps.class_ends, bitmaps.weights, result)


@kernel
def count_with_child(
    bitmaps: Any, family: Any, number: int, observed_slot: int, common: Any, totals: Any, counts: Any
) -> None:
    """Count a combination of parents in every class, where the child is observed and where it has its value.

    ``family`` holds ``number`` slots of parents, then that of the child, whose slot "not observed" is
    ``observed_slot``. ``totals`` and ``counts`` are of shape (K,).
    """
    words, class_ends, weights = bitmaps.words, bitmaps.class_ends, bitmaps.weights
    _intersect(bitmaps, family, number, common)
    observed = bitmaps.bitmap_of_slot[observed_slot]
    if observed >= 0:
        for w in range(common.shape[0]):
            common[w] &= words[observed, w]
    _per_class(common, class_ends, weights, totals)
    value = words[bitmaps.bitmap_of_slot[family[number]]]
    for w in range(common.shape[0]):
        common[w] &= value[w]
    _per_class(common, class_ends, weights, counts)


@kernel
def count_in_all(bitmaps: Any, slots: Any, number: int, common: Any) -> float:
    """Count a combination over all classes."""
    _intersect(bitmaps, slots, number, common)
    n_rows = bitmaps.class_ends[-1]
    if bitmaps.weights.shape[0] > 0:
        return _weight_between(common, 0, n_rows, bitmaps.weights)
    return float(_ones_between(common, 0, n_rows))


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
