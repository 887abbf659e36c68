"""Integer tables to codes.

Arrays: ``table`` (rows, columns) int64, C order; ``codes`` (columns, all rows), small unsigned integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel
from seminaive.kernels.vector import word_at

_TILE = 512  # rows whose cells stay in the cache while they are turned from rows into columns


@kernel
def byte_codes(table: Any, codes: Any, present: Any, start: int) -> bool:
    """Values from 0 to 255 as codes of a block of rows that begins at row ``start``, in one pass.

    Marks each value that occurs in ``present`` (columns, 256); False as soon as a value lies outside.
    """
    n_rows, n_columns = table.shape
    for tile in range(0, n_rows, _TILE):
        stop = min(tile + _TILE, n_rows)
        for column in range(n_columns):
            for row in range(tile, stop):
                value = table[row, column]
                if value < 0 or value > 255:
                    return False
                codes[column, start + row] = value
                present[column, np.uint64(value)] = True
    return True


@kernel
def integer_ranges(table: Any, low: Any, high: Any) -> None:
    """Lower ``low`` and raise ``high`` (columns,) to the smallest and largest value of every column."""
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            value = table[row, column]
            low[column] = min(low[column], value)
            high[column] = max(high[column], value)


@kernel
def integer_presence(table: Any, low: Any, offsets: Any, present: Any) -> None:
    """Mark every value that occurs; column j owns the entries from ``offsets[j]``, ``low[j]`` first."""
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            present[np.uint64(offsets[column] + table[row, column] - low[column])] = True


@kernel
def integer_codes(
    table: Any, low: Any, high: Any, offsets: Any, lookup: Any, outside: Any, codes: Any, start: int
) -> None:
    """Write codes of a block of rows that begins at row ``start``.

    ``lookup`` (flat) holds the code of each value from ``low[j]`` to ``high[j]``; ``outside`` (columns,)
    is the code of a value beyond them.
    """
    n_rows, n_columns = table.shape
    for tile in range(0, n_rows, _TILE):
        stop = min(tile + _TILE, n_rows)
        for column in range(n_columns):
            smallest, largest, offset = low[column], high[column], offsets[column]
            for row in range(tile, stop):
                value = table[row, column]
                if smallest <= value <= largest:
                    codes[column, start + row] = lookup[np.uint64(offset + value - smallest)]
                else:
                    codes[column, start + row] = outside[column]


@kernel
def map_codes(indices: Any, entries: Any, codes: Any) -> None:
    """``codes[row] = entries[indices[row]]``; indices are int32 and within ``entries``."""
    for row in range(indices.shape[0]):
        codes[row] = entries[np.uint64(indices[row])]


@kernel
def match_text(
    ends: Any,
    text: Any,
    slots: Any,
    entry_ends: Any,
    entry_text: Any,
    n_entries: int,
    indices: Any,
    start: int,
) -> tuple[int, int]:
    """Number of the entry that each text is, from text ``start`` on; a text that is none yet becomes one.

    ``ends`` (rows + 1,) are the places where texts begin and end in the bytes ``text``. Entries lie likewise
    in ``entry_text``; eight bytes more can be read of both. ``slots``, a power of two of them, find entries
    by hash, -1 where there is none. Stops where there is no room for one more entry. Returns the text that
    comes next, and the number of entries.
    """
    mask = np.uint64(slots.shape[0] - 1)
    factor = np.uint64(0x9E3779B97F4A7C15)
    for row in range(start, indices.shape[0]):
        begin, length = np.int64(ends[row]), np.int64(ends[row + 1] - ends[row])
        key = np.uint64(length)
        byte = 0
        while byte < length:  # a range with a step would begin with a division
            word = word_at(text, begin + byte)
            if length - byte < 8:  # without what lies behind the text
                word &= (np.uint64(1) << np.uint64(8 * (length - byte))) - np.uint64(1)
            key = (key ^ word) * factor
            key ^= key >> np.uint64(32)
            byte += 8
        place = ((key * factor) >> np.uint64(32)) & mask
        found = -1
        while slots[place] >= 0:
            entry = slots[place]
            first = np.int64(entry_ends[entry])
            if entry_ends[entry + 1] - first == length:
                same = True
                byte = 0
                while byte < length:
                    differs = word_at(entry_text, first + byte) ^ word_at(text, begin + byte)
                    if length - byte < 8:
                        differs &= (np.uint64(1) << np.uint64(8 * (length - byte))) - np.uint64(1)
                    if differs != 0:
                        same = False
                        break
                    byte += 8
                if same:
                    found = entry
                    break
            place = (place + np.uint64(1)) & mask
        if found < 0:
            first = np.int64(entry_ends[n_entries])
            if 2 * (n_entries + 1) > slots.shape[0] or first + length + 8 > entry_text.shape[0]:
                return row, n_entries
            for byte in range(length):
                entry_text[first + byte] = text[begin + byte]
            entry_ends[n_entries + 1] = first + length
            slots[place] = n_entries
            found = n_entries
            n_entries += 1
        indices[row] = found
    return indices.shape[0], n_entries
