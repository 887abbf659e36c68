"""Integer tables to codes.

Arrays: ``table`` (rows, columns) int64, C order; ``codes`` (columns, all rows), small unsigned integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import inlined, kernel
from seminaive.kernels.vector import equal_bits, word_at

_TILE = 128  # rows whose cells stay in the cache while they are turned from rows into columns
_BYTES_TILE = 256


@kernel
def byte_codes(table: Any, codes: Any, present: Any, start: int) -> bool:
    """Values from 0 to 255 as codes of a block of rows that begins at row ``start``, in one pass.

    Marks each value that occurs in ``present`` (columns, 256); False as soon as a value lies outside.
    """
    n_rows, n_columns = table.shape
    cells = table.reshape(-1)
    tile = np.empty(_BYTES_TILE * n_columns, dtype=np.uint8)
    for first in range(0, n_rows, _BYTES_TILE):
        n = min(_BYTES_TILE, n_rows - first)
        begin, bits = np.uint64(first * n_columns), np.int64(0)
        for cell in range(np.uint64(0), np.uint64(n * n_columns)):
            value = cells[begin + cell]
            bits |= value
            tile[cell] = np.uint8(value)
        if bits & ~np.int64(255):
            return False
        for column in range(n_columns):
            _column_of_bytes(tile, column, n_columns, codes[column, start + first : start + first + n])
            _mark(codes[column, start + first : start + first + n], present[column])
    return True


@inlined
def _column_of_bytes(tile: Any, column: int, n_columns: int, codes: Any) -> None:
    """One column of ``tile``, cells row by row, as ``codes`` (rows,)."""
    cell = np.uint64(column)
    for row in range(np.uint64(0), np.uint64(codes.shape[0])):
        codes[row] = tile[cell]
        cell += np.uint64(n_columns)


@inlined
def _mark(codes: Any, present: Any) -> None:
    """Mark the values that occur; those below 64 as bits of a word first."""
    largest = np.uint8(0)
    for row in range(np.uint64(0), np.uint64(codes.shape[0])):
        largest = max(largest, codes[row])
    if largest >= 64:
        for row in range(np.uint64(0), np.uint64(codes.shape[0])):
            present[np.uint64(codes[row])] = True
        return
    occurs = np.uint64(0)
    for row in range(np.uint64(0), np.uint64(codes.shape[0])):
        occurs |= np.uint64(1) << np.uint64(codes[row])
    for value in range(np.uint64(0), np.uint64(largest) + np.uint64(1)):
        if occurs >> value & np.uint64(1):
            present[value] = True


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
    table: Any, low: Any, spans: Any, offsets: Any, lookup: Any, codes: Any, start: int
) -> None:
    """Write codes of a block of rows that begins at row ``start``.

    ``lookup`` (flat) holds for column j from ``offsets[j]`` on the codes of ``spans[j]`` values, ``low[j]``
    first, and then that of a value beyond them. All numbers are unsigned.
    """
    n_rows, n_columns = table.shape
    cells = table.reshape(-1)
    width = np.uint64(n_columns)
    places = np.empty(_TILE * n_columns, dtype=np.uint32)
    for first in range(0, n_rows, _TILE):
        n = min(_TILE, n_rows - first)
        begin = np.uint64(first * n_columns)
        for row in range(np.uint64(0), np.uint64(n)):
            cell = row * width
            for column in range(np.uint64(0), width):
                # what is smaller wraps around and is large then
                place = np.uint64(cells[begin + cell + column]) - low[column]
                places[cell + column] = np.uint32(min(place, spans[column]))
        for column in range(n_columns):
            cell, offset = np.uint64(column), offsets[column]
            of_column = codes[column, start + first : start + first + n]
            for row in range(np.uint64(0), np.uint64(n)):
                of_column[row] = lookup[offset + np.uint64(places[cell])]
                cell += width


@kernel
def map_codes(indices: Any, entries: Any, codes: Any) -> None:
    """``codes[row] = entries[indices[row]]``; indices are int32 and within ``entries``."""
    for row in range(indices.shape[0]):
        codes[row] = entries[np.uint64(indices[row])]


@kernel
def strike_out(indices: Any, wanted: Any) -> None:
    """Set ``wanted`` (entries,) to False where ``indices`` point, until nothing is wanted any more."""
    left = wanted.sum()
    for row in range(indices.shape[0]):
        if left == 0:
            return
        entry = np.uint64(indices[row])
        if wanted[entry]:
            wanted[entry] = False
            left -= 1


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
) -> Any:
    """Number of the entry that each text is, from text ``start`` on; a text that is none yet becomes one.

    ``ends`` (rows + 1,) are the places where texts begin and end in the bytes ``text``. Entries lie likewise
    in ``entry_text``, of which eight bytes more can be read. ``slots``, a power of two of them, find entries
    by hash, -1 where there is none. Stops where there is no room for one more entry. Returns the text that
    comes next, and the number of entries.
    """
    mask = np.uint64(slots.shape[0] - 1)
    factor, one, eight = np.uint64(0x9E3779B97F4A7C15), np.uint64(1), np.uint64(8)
    n_rows = np.uint64(indices.shape[0])
    shift = np.uint64(64)  # the highest bits of a product depend on all others
    while (one << (np.uint64(64) - shift)) <= mask:
        shift -= one
    # words of eight bytes are read, which must not go beyond the end: the last few texts get room
    first_row, safe, base = np.uint64(start), n_rows, np.uint64(0)
    while safe > first_row and ends[safe] + 8 > text.shape[0]:
        safe -= one
    stop = safe
    for _ in range(2):
        end = np.uint64(ends[first_row]) - base
        for row in range(first_row, stop):  # unsigned numbers need no check of their sign
            begin, end = end, np.uint64(ends[row + one]) - base
            length = end - begin
            key, byte = length, np.uint64(0)
            # what of the last word belongs to the text
            last = ~np.uint64(0) >> (eight * (-length & np.uint64(7)))
            while byte < length:  # a range with a step would begin with a division
                word = word_at(text, begin + byte)
                byte += eight
                if byte >= length:
                    word &= last
                key = (key ^ (key >> np.uint64(32)) ^ word) * factor
            place = key >> shift
            found = -1
            while slots[place] >= 0:
                entry = np.uint64(slots[place])
                first = np.uint64(entry_ends[entry])
                if np.uint64(entry_ends[entry + one]) - first == length:
                    byte, differs = np.uint64(0), np.uint64(0)
                    while byte < length and differs == 0:
                        differs = word_at(entry_text, first + byte) ^ word_at(text, begin + byte)
                        byte += eight
                        if byte >= length:
                            differs &= last
                    if differs == 0:
                        found = slots[place]
                        break
                place = (place + one) & mask
            if found < 0:
                first = np.uint64(entry_ends[n_entries])
                if 2 * (n_entries + 1) > slots.shape[0] or first + length + eight > np.uint64(
                    entry_text.shape[0]
                ):
                    return np.int64(row), n_entries
                byte = np.uint64(0)
                while byte < length:
                    entry_text[first + byte] = text[begin + byte]
                    byte += one
                entry_ends[n_entries + 1] = first + length
                slots[place] = n_entries
                found = n_entries
                n_entries += 1
            indices[row] = found
        if stop == n_rows:
            break
        base, size = np.uint64(ends[safe]), np.uint64(ends[n_rows]) - np.uint64(ends[safe])
        rest = np.zeros(size + eight, dtype=np.uint8)
        for i in range(np.uint64(0), size):
            rest[i] = text[base + i]
        text, first_row, stop = rest, safe, n_rows
    return indices.shape[0], n_entries


@kernel
def whole_rows(text: Any, n: int, delimiter: Any) -> tuple[int, bool]:
    """Where the last whole row of delimited bytes ends, and whether any row has line breaks.

    The first ``n`` bytes of ``text`` begin with a row; line feeds follow up to a multiple of 64. -1 where a
    quote stands anywhere but around a field or doubled within it: what that means is not settled here.
    """
    # of the byte before; ``inside`` has all bits where it is in quotes
    inside, after_break, after_closing = np.uint64(0), np.uint64(1), np.uint64(0)
    last_word, last_ends = 0, np.uint64(0)
    has_breaks = False
    one, top = np.uint64(1), np.uint64(63)
    for begin in range(0, n, 64):
        word = text[begin : begin + 64]
        quotes, ends = equal_bits(word, np.uint8(34)), equal_bits(word, np.uint8(10))
        breaks = quotes | ends | equal_bits(word, delimiter)
        quoted = quotes
        for shift in (1, 2, 4, 8, 16, 32):  # each bit becomes the parity of those up to it
            quoted ^= quoted << np.uint64(shift)
        quoted ^= inside
        opening, closing = quotes & quoted, quotes & ~quoted
        strange = opening & ~(breaks << one | after_break)
        strange |= (closing << one | after_closing) & ~(breaks | equal_bits(word, np.uint8(13)))
        if strange:
            return -1, has_breaks
        if begin + 64 > n:
            ends &= (one << np.uint64(n - begin)) - one
        has_breaks |= (ends & quoted) != 0
        if ends & ~quoted:
            last_word, last_ends = begin, ends & ~quoted
        after_break, after_closing = breaks >> top, closing >> top
        inside = np.uint64(0) - (quoted >> top)
    if last_ends == 0:
        return 0, has_breaks
    bit = 63
    while last_ends >> np.uint64(bit) == 0:
        bit -= 1
    return last_word + bit + 1, has_breaks
