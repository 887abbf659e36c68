"""The fast path of tables whose columns are all integer categories: codes by direct tables, in few passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from seminaive.data.schema import Attribute, Schema
from seminaive.parallel import run_blocks

__all__ = ["IntegerLookup", "learn_bytes", "learn_integers"]

_BLOCK = 65_536  # rows that are converted at a time
_LOOKUP_ENTRIES = 2**22  # the longest direct table from integers to codes


class IntegerLookup:
    """Direct tables from integers to codes for tables whose columns are all integer categories."""

    def __init__(self, low: np.ndarray, spans: np.ndarray, entries: np.ndarray) -> None:
        self.low, self.spans, self.entries = low.astype(np.uint64), spans.astype(np.uint64), entries
        self.offsets = (np.cumsum(spans + 1) - spans - 1).astype(np.uint64)

    @classmethod
    def of(cls, schema: Schema) -> IntegerLookup | None:
        """The lookup of a schema; None where a column holds other values or spans too far."""
        columns = []
        spanned = 0
        for attribute in schema.attributes:
            values = attribute.values
            if attribute.kind != "categorical" or not values or attribute.missing_code < attribute.n_values:
                return None
            if not all(type(value) is int for value in values):
                return None
            low, high = min(values), max(values)  # type: ignore[type-var]
            spanned += high - low + 1  # type: ignore[operator]
            if spanned > _LOOKUP_ENTRIES or not -(2**62) < low <= high < 2**62:  # type: ignore[operator]
                return None
            columns.append((low, high - low + 1, attribute))  # type: ignore[operator]
        if not columns:
            return None
        parts = []
        for low, span, attribute in columns:
            # the last entry is for values that are smaller or larger
            part = np.full(span + 1, attribute.missing_code, dtype=schema.code_dtype)
            part[np.array(attribute.values, dtype=np.int64) - low] = np.arange(len(attribute.values))  # type: ignore[operator]
            parts.append(part)
        return cls(
            np.array([low for low, _, _ in columns], dtype=np.int64),
            np.array([span for _, span, _ in columns], dtype=np.int64),
            np.concatenate(parts),
        )

    def encode(self, array: np.ndarray, codes: np.ndarray, n_jobs: int | None) -> None:
        """Fill ``codes`` (columns, rows) from an integer array (rows, columns)."""
        from seminaive.kernels.encode import integer_codes

        tables = self.low, self.spans, self.offsets, self.entries
        if array.dtype == np.uint64:  # the largest would become negative
            array = np.minimum(array, np.uint64(np.iinfo(np.int64).max))
        _by_blocks(lambda block, start: integer_codes(block, *tables, codes, start), array, n_jobs)


def _by_blocks(function: Callable[[np.ndarray, int], Any], array: np.ndarray, n_jobs: int | None) -> None:
    """Call a function on blocks of rows, as int64, and their first rows, in ``n_jobs`` threads."""

    def some(starts: np.ndarray) -> None:
        for start in starts:
            function(np.ascontiguousarray(array[start : start + _BLOCK], dtype=np.int64), start)

    run_blocks(some, np.arange(0, len(array), _BLOCK), n_jobs, work=array.size)


def learn_bytes(array: np.ndarray, n_jobs: int | None) -> tuple[Schema, np.ndarray, IntegerLookup] | None:
    """Schema, codes and lookup of integers from 0 to 255, which most coded tables are; else None."""
    from seminaive.kernels.encode import byte_codes

    n_columns = array.shape[1]
    codes = np.empty((n_columns, len(array)), dtype=np.uint8)
    present = np.zeros((n_columns, 256), dtype=bool)
    fits = []
    _by_blocks(lambda block, start: fits.append(byte_codes(block, codes, present, start)), array, n_jobs)
    if not all(fits):
        return None
    values = [np.flatnonzero(column) for column in present]
    schema = Schema(
        tuple(Attribute(f"x{i}", "categorical", tuple(found.tolist())) for i, found in enumerate(values))
    )
    lookup = IntegerLookup.of(schema)
    if lookup is None or schema.code_dtype != np.uint8:
        return None
    for column, found in enumerate(values):
        if len(found) <= found[-1]:  # some smaller value does not occur
            codes[column] = (np.cumsum(present[column]) - 1).astype(np.uint8)[codes[column]]
    return schema, codes, lookup


def learn_integers(array: np.ndarray, n_jobs: int | None) -> tuple[Schema, np.ndarray, IntegerLookup] | None:
    """Schema, codes and lookup of an integer array; None where the values span too far for direct tables."""
    from seminaive.kernels.encode import integer_presence, integer_ranges

    n_columns = array.shape[1]
    low = np.full(n_columns, np.iinfo(np.int64).max)
    high = np.full(n_columns, np.iinfo(np.int64).min)
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        return None
    _by_blocks(lambda block, _: integer_ranges(block, low, high), array, 1)
    spans = [int(top) - int(bottom) + 1 for bottom, top in zip(low, high, strict=True)]
    if sum(spans) > _LOOKUP_ENTRIES:
        return None
    ends = np.cumsum(spans)
    present = np.zeros(ends[-1], dtype=bool)
    _by_blocks(lambda block, _: integer_presence(block, low, ends - spans, present), array, n_jobs)
    attributes = [
        Attribute(
            f"x{column}", "categorical", tuple((np.flatnonzero(present[end - span : end]) + bottom).tolist())
        )
        for column, (bottom, span, end) in enumerate(zip(low.tolist(), spans, ends.tolist(), strict=True))
    ]
    schema = Schema(tuple(attributes))
    lookup = IntegerLookup.of(schema)
    if lookup is None:
        return None
    codes = np.empty((n_columns, len(array)), dtype=schema.code_dtype)
    lookup.encode(array, codes, n_jobs)
    return schema, codes, lookup
