"""Counting loops.

Arrays: ``codes`` (attributes, rows) unsigned; ``classes`` (rows,) unsigned codes of the class, K of them.
An attribute with v values has v + 1 slots; the last slot is "not observed". All pair tables lie in one flat
array, each as [slot of i][slot of j][class]. Tables are int64, or float64 where rows carry weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel
from seminaive.kernels.vector import equal_bits, popcount

_ENTRIES, _LEAST_ROWS = 2**22, 2**12  # room of `scatter_pairs`: entries in all, rows at the least


@kernel
def count_attributes(codes: Any, classes: Any, attributes: Any, first_slot: Any, table: Any) -> None:
    """Add counts of ``attributes`` to ``table`` (slots of all attributes, K); i from ``first_slot[i]`` on."""
    for i in attributes:
        slot = first_slot[i]
        for row in range(codes.shape[1]):
            table[np.uint64(slot + codes[i, row]), np.uint64(classes[row])] += 1


@kernel
def weigh_attributes(
    codes: Any, classes: Any, weights: Any, attributes: Any, first_slot: Any, table: Any
) -> None:
    """As ``count_attributes`` with a weight per row."""
    for i in attributes:
        slot = first_slot[i]
        for row in range(codes.shape[1]):
            table[np.uint64(slot + codes[i, row]), np.uint64(classes[row])] += weights[row]


@kernel
def count_family(codes: Any, classes: Any, members: Any, strides: Any, limit: int, table: Any) -> None:
    """Count one family: cell = sum of code x stride over ``members``, plus the class.

    Rows in which the last member (the child) is not observed (code >= ``limit``) do not count.
    """
    child = members[-1]
    if members.shape[0] == 3:  # where there are very many of them
        first, second, third = codes[members[0]], codes[members[1]], codes[child]
        for row in range(codes.shape[1]):
            if third[row] < limit:
                cell = first[row] * strides[0] + second[row] * strides[1] + third[row] * strides[2]
                table[np.uint64(cell + classes[row])] += 1
        return
    for row in range(codes.shape[1]):
        if codes[child, row] >= limit:
            continue
        cell = np.int64(classes[row])
        for m in range(members.shape[0]):
            cell += np.int64(codes[members[m], row]) * strides[m]
        table[np.uint64(cell)] += 1


@kernel
def weigh_family(
    codes: Any, classes: Any, weights: Any, members: Any, strides: Any, limit: int, table: Any
) -> None:
    """As ``count_family`` with a weight per row."""
    child = members[-1]
    for row in range(codes.shape[1]):
        if codes[child, row] >= limit:
            continue
        cell = np.int64(classes[row])
        for m in range(members.shape[0]):
            cell += np.int64(codes[members[m], row]) * strides[m]
        table[np.uint64(cell)] += weights[row]


@kernel
def scatter_pairs(codes: Any, classes: Any, tasks: Any, n_classes: int, table: Any) -> None:
    """Count pairs of attributes by one increment per row.

    ``tasks`` (pairs, 4): first attribute i, second attribute j, where their table begins, slots of j.
    """
    n_attributes, n_rows = codes.shape
    step = max(_LEAST_ROWS, _ENTRIES // max(n_attributes, 1))
    # an attribute is the second one of many pairs; 32 bits hold what fits into memory as a table
    is_second = np.zeros(n_attributes, dtype=np.bool_)
    for p in range(tasks.shape[0]):
        is_second[tasks[p, 1]] = True
    with_class = np.empty((n_attributes, min(step, n_rows)), dtype=np.uint32)
    for start in range(0, n_rows, step):
        rows = min(step, n_rows - start)
        labels = classes[start : start + rows]
        for j in np.flatnonzero(is_second):
            column = codes[j, start : start + rows]
            for row in range(rows):
                with_class[j, row] = np.uint32(column[row]) * np.uint32(n_classes) + np.uint32(labels[row])
        for p in range(tasks.shape[0]):
            first, second = codes[tasks[p, 0], start : start + rows], with_class[tasks[p, 1]]
            cells, stride = table[tasks[p, 2] :], np.uint32(tasks[p, 3] * n_classes)
            for row in range(rows):
                cells[np.uint64(np.uint32(first[row]) * stride + second[row])] += 1


@kernel
def weigh_pairs(codes: Any, classes: Any, weights: Any, tasks: Any, n_classes: int, table: Any) -> None:
    """As ``scatter_pairs`` with a weight per row."""
    for p in range(tasks.shape[0]):
        i, j, offset, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2], tasks[p, 3]
        for row in range(codes.shape[1]):
            cell = np.int64(codes[i, row]) * slots + codes[j, row]
            table[np.uint64(offset + cell * n_classes + classes[row])] += weights[row]


@kernel
def pack_bitmaps(
    codes: Any,
    order: Any,
    class_ends: Any,
    attributes: Any,
    first_bitmap: Any,
    first_slot: Any,
    bitmaps: Any,
    table: Any,
) -> None:
    """One bitmap per value of each of ``attributes``, rows sorted by class; ``table`` receives their counts.

    ``order`` (rows,) lists the rows class by class, class y ending before ``class_ends[y]``; each class
    begins a new word. ``bitmaps`` (bitmaps, words) uint64: bit 1 where a row has the value; attribute i, of
    at most 64 values, owns the bitmaps from ``first_bitmap[i]`` to ``first_bitmap[i + 1] - 1``. ``table`` as
    in ``count_attributes``.
    """
    block = np.empty(64, dtype=np.uint8)
    for i in attributes:
        begin_bitmap = first_bitmap[i]
        n_values = first_bitmap[i + 1] - begin_bitmap
        column = codes[i]
        word, begin = 0, 0
        for y in range(class_ends.shape[0]):
            end = class_ends[y]
            for position in range(begin, end, 64):
                rows = min(64, end - position)
                for bit in range(rows):
                    block[bit] = column[np.uint64(order[np.uint64(position + bit)])]
                for bit in range(rows, 64):
                    block[bit] = 255  # no code of a packed attribute
                for value in range(n_values):
                    mask = equal_bits(block, np.uint8(value))
                    bitmaps[begin_bitmap + value, word] = mask
                    table[first_slot[i] + value, y] += popcount(mask)
                word += 1
            begin = end


@kernel
def intersect_bitmaps(
    bitmaps: Any, first_bitmap: Any, word_ends: Any, marginals: Any, first_slot: Any, tasks: Any, table: Any
) -> None:
    """Add counts of pairs by AND and popcount of their bitmaps; ``tasks`` as in ``scatter_pairs``.

    ``marginals`` (slots of all attributes, K), attribute i from ``first_slot[i]`` on, of all rows that are in
    the table in the end, give the last row and column of each table by subtraction.
    """
    n_classes = word_ends.shape[0]
    for p in range(tasks.shape[0]):
        i, j, offset, slots = tasks[p, 0], tasks[p, 1], tasks[p, 2], tasks[p, 3]
        a, b = first_bitmap[i], first_bitmap[j]
        last_a, last_b = first_bitmap[i + 1] - a - 1, first_bitmap[j + 1] - b - 1
        begin = 0
        for y in range(n_classes):
            end = word_ends[y]
            for u in range(last_a):
                row = bitmaps[a + u, begin:end]
                for w in range(last_b):
                    column = bitmaps[b + w, begin:end]
                    count = np.int64(0)
                    for word in range(end - begin):  # unsigned indices become vector instructions
                        count += popcount(row[np.uint64(word)] & column[np.uint64(word)])
                    table[offset + (u * slots + w) * n_classes + y] += count
            begin = end
        for y in range(n_classes):
            for u in range(last_a):
                rest = marginals[first_slot[i] + u, y]
                for w in range(last_b):
                    rest -= table[offset + (u * slots + w) * n_classes + y]
                table[offset + (u * slots + last_b) * n_classes + y] = rest
            for w in range(last_b + 1):
                rest = marginals[first_slot[j] + w, y]
                for u in range(last_a):
                    rest -= table[offset + (u * slots + w) * n_classes + y]
                table[offset + (last_a * slots + w) * n_classes + y] = rest
