"""Counting loops.

Arrays: ``codes`` (attributes, rows) unsigned; ``classes`` (rows,) unsigned codes of the class, K of them.
An attribute with v values has v + 1 slots; the last slot is "not observed". All pair tables lie in one flat
array, each as [slot of i][slot of j][class]. Tables are int64, or float64 where rows carry weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel
from seminaive.kernels.vector import equal_bits, popcount, word_at

_LOW = np.uint64(2**16 - 1)
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
def fuse_columns(
    codes: Any, classes: Any, n_classes: int, start: int, which: Any, begins: Any, used: Any, fused: Any
) -> None:
    """One number for the codes of several attributes, of rows from ``start`` on as many as there is room for.

    Group g has the attributes from ``begins[g]`` to ``begins[g + 1] - 1``, of which each has ``used`` codes;
    the last one counts fastest. ``fused`` (2, groups, rows) uint16 receives, of the groups in ``which``,
    these numbers, and these times the number of classes plus the class.
    """
    rows = fused.shape[2]
    labels = classes[start : start + rows]
    for g in which:
        numbers, with_class = fused[0, g], fused[1, g]
        column = codes[begins[g], start : start + rows]
        for row in range(rows):
            numbers[row] = column[row]
        for i in range(begins[g] + 1, begins[g + 1]):
            column, size = codes[i, start : start + rows], np.uint16(used[i])
            for row in range(rows):
                numbers[row] = numbers[row] * size + np.uint16(column[row])
        for row in range(rows):
            with_class[row] = numbers[row] * np.uint16(n_classes) + np.uint16(labels[row])


@kernel
def scatter_groups(
    fused: Any, begins: Any, used: Any, blocks: Any, tasks: Any, slots: Any, attributes: Any, table: Any
) -> None:
    """Count pairs of attributes by one increment for every pair of groups of attributes.

    ``fused``, ``begins`` and ``used`` as in `fuse_columns`. ``blocks`` (n, 4): two groups, the earlier one
    first, and of each whether its own pairs and attributes are to be counted, too. ``tasks`` of all pairs, as
    in `scatter_pairs`; ``attributes`` (slots of all attributes, K) receives attribute i from ``slots[i]`` on,
    unless that is -1.
    """
    n, n_classes = used.shape[0], attributes.shape[1]
    for k in range(blocks.shape[0]):
        a, b = blocks[k, 0], blocks[k, 1]
        size_a, size_b = np.prod(used[begins[a] : begins[a + 1]]), np.prod(used[begins[b] : begins[b + 1]])
        width = size_b * n_classes
        cells = np.zeros(size_a * width, dtype=np.uint32)
        first, second, stride, one = fused[0, a], fused[1, b], np.uint64(width), np.uint32(1)
        n_rows = first.shape[0]
        for row in range(0, n_rows - 3, 4):  # a word holds four rows, and no cell exceeds its 16 bits
            four = word_at(first, row) * stride + word_at(second, row)
            cells[four & _LOW] += one
            cells[four >> np.uint64(16) & _LOW] += one
            cells[four >> np.uint64(32) & _LOW] += one
            cells[four >> np.uint64(48)] += one
        for row in range(n_rows // 4 * 4, n_rows):
            cells[np.uint64(first[row]) * stride + np.uint64(second[row])] += one
        of_first, of_second = np.zeros(size_a * n_classes, np.int64), np.zeros(width, np.int64)
        repeat_i = size_a
        for i in range(begins[a], begins[a + 1]):
            repeat_i //= used[i]
            half = np.zeros((used[i], width), dtype=np.int64)
            for u in range(size_a):
                to = half[u // repeat_i % used[i]]
                for c in range(width):
                    to[c] += cells[u * width + c]
            repeat_j = size_b
            for j in range(begins[b], begins[b + 1]):
                repeat_j //= used[j]
                p = i * (2 * n - i - 1) // 2 + j - i - 1
                for w in range(size_b):
                    begin = tasks[p, 2] + w // repeat_j % used[j] * n_classes
                    for u in range(used[i]):
                        cell = begin + u * tasks[p, 3] * n_classes
                        for y in range(n_classes):
                            table[cell + y] += half[u, w * n_classes + y]
        if blocks[k, 2]:
            for u in range(size_a):
                for w in range(size_b):
                    for y in range(n_classes):
                        of_first[u * n_classes + y] += cells[u * width + w * n_classes + y]
            _count_group(of_first, begins[a], begins[a + 1], used, tasks, slots, attributes, table)
        if blocks[k, 3]:
            for u in range(size_a):
                for c in range(width):
                    of_second[c] += cells[u * width + c]
            _count_group(of_second, begins[b], begins[b + 1], used, tasks, slots, attributes, table)


@kernel
def _count_group(
    cells: Any, begin: int, end: int, used: Any, tasks: Any, slots: Any, attributes: Any, table: Any
) -> None:
    """Add up what a group of attributes, from ``begin`` to ``end - 1``, has for each and for its pairs."""
    n, n_classes = used.shape[0], attributes.shape[1]
    repeat_i = cells.shape[0] // n_classes
    for i in range(begin, end):
        repeat_i //= used[i]
        if slots[i] >= 0:
            for c in range(cells.shape[0]):
                attributes[slots[i] + c // n_classes // repeat_i % used[i], c % n_classes] += cells[c]
        repeat_j = repeat_i
        for j in range(i + 1, end):
            repeat_j //= used[j]
            p = i * (2 * n - i - 1) // 2 + j - i - 1
            for c in range(cells.shape[0]):
                u, w = c // n_classes // repeat_i % used[i], c // n_classes // repeat_j % used[j]
                table[tasks[p, 2] + (u * tasks[p, 3] + w) * n_classes + c % n_classes] += cells[c]


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
