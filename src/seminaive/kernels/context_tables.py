"""Trees of contexts: which values occur under which values of the parents, by bitmaps, and how often.

A context is a combination of values of the first l parents of a node. Its record in an array of words holds
which values of the child occur in it and which values of the next parent: a bitmap each, followed by the
number of the first of these; the others are numbered on in ascending order.

A node is described by integers: the child, its number of values, its number of parents, and then for each
level l = 0, 1, ... the place of the first record, the words of a record, the row of the first context among
the counts, and, but for the last level, the attribute that branches to the next level and its number of
values. The counts of the values in the contexts of a level follow those of the contexts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import inlined, kernel
from seminaive.kernels.vector import popcount

CHILD, N_VALUES, N_LEVELS, FIRST_LEVEL = 0, 1, 2, 3  # where things stand in the description of a node
LEVEL_FIELDS = 5

_NOWHERE = -1


@kernel
def mark_values(contexts: Any, values: Any, n_values: int, records: Any, stride: int, offset: int) -> None:
    """Set the bits of the values that occur; rows of context -1 and values that are not observed do not."""
    for row in range(len(contexts)):
        context, value = contexts[row], np.int64(values[row])
        if context != _NOWHERE and value < n_values:
            records[context * stride + offset + (value >> 6)] |= np.uint64(1) << np.uint64(value & 63)


@kernel
def number_values(records: Any, stride: int, offset: int, n_words: int, first: int) -> int:
    """Write the number of the first value behind each bitmap; the number after the last one comes back."""
    for record in range(offset, len(records), stride):
        records[record + n_words] = np.uint64(first)
        for word in range(record, record + n_words):
            first += popcount(records[word])
    return first


@inlined
def number_of(records: Any, place: Any, n_words: Any, value: Any) -> Any:
    """The number of a value by the bitmap at a place, -1 where it does not occur."""
    word = value >> 6
    bits = records[np.uint64(place + word)]
    bit = np.uint64(1) << np.uint64(value & 63)
    number = np.int64(-1)
    if bits & bit:
        number = np.int64(records[np.uint64(place + n_words)]) + popcount(bits & (bit - np.uint64(1)))
        for before in range(word):
            number += popcount(records[np.uint64(place + before)])
    return number


@kernel
def count_contexts(
    contexts: Any,
    values: Any,
    n_values: int,
    labels: Any,
    weights: Any,
    records: Any,
    stride: int,
    counts: Any,
) -> None:
    """Add rows to the counts of their contexts (the first rows of ``counts``) and of their values in these.

    ``values`` are those of the child, whose bitmaps come first in the records.
    """
    n_words = (n_values + 63) >> 6
    for row in range(len(contexts)):
        context = contexts[row]
        if context == _NOWHERE:
            continue
        cell = number_of(records, context * stride, n_words, np.int64(values[row]))
        counts[context, labels[row]] += weights[row]
        counts[cell, labels[row]] += weights[row]


@kernel
def descend(contexts: Any, values: Any, n_values: int, records: Any, stride: int, offset: int) -> None:
    """Replace each context by that with one more parent, or by -1 where that parent is not observed."""
    n_words = (n_values + 63) >> 6
    for row in range(len(contexts)):
        if contexts[row] != _NOWHERE:
            place = contexts[row] * stride + offset
            value = np.int64(values[row])
            contexts[row] = _NOWHERE
            if value < n_values:
                contexts[row] = number_of(records, place, n_words, value)
