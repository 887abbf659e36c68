"""Integer tables to codes.

Arrays: ``table`` (rows, columns) int64, C order; ``codes`` (columns, all rows), small unsigned integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel

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
