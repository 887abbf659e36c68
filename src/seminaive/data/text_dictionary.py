"""Columns of text as dictionaries, whose entries stay the same from batch to batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["TextDictionary"]


class TextDictionary:
    """The distinct texts of a column, in the order in which they come.

    Arrow makes a new dictionary for every batch, which takes longer for short texts (measured with
    benchmarks/bench_streaming.py) and has to be matched anew.

    Examples
    --------
    >>> import pyarrow as pa
    >>> dictionary = TextDictionary()
    >>> dictionary.encode(pa.array(["b", "a", "b"]))[0].tolist()
    [0, 1, 0]
    >>> indices, entries = dictionary.encode(pa.array(["c", "a"]))
    >>> indices.tolist(), entries.to_pylist()
    ([2, 1], ['b', 'a', 'c'])
    """

    def __init__(self) -> None:
        self._slots = np.full(64, -1, dtype=np.int32)
        self._ends = np.zeros(34, dtype=np.int64)
        self._text = np.empty(1024, dtype=np.uint8)
        self._n_entries = 0
        self._entries: Any = None

    def encode(self, column: pa.Array | pa.ChunkedArray) -> tuple[np.ndarray, pa.Array]:
        """Number of the entry of every text, one past the last if it is missing, and all entries so far."""
        import pyarrow as pa

        indices = np.empty(len(column), dtype=np.int32)
        is_null = column.is_null().to_numpy(zero_copy_only=False) if column.null_count else None
        row = 0
        for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
            rows = slice(row, row + len(chunk))
            self._encode(chunk, indices[rows], None if is_null is None else is_null[rows])
            row += len(chunk)
        if self._entries is None:
            ends, size = self._ends[: self._n_entries + 1].copy(), int(self._ends[self._n_entries])
            buffers = [None, pa.py_buffer(ends), pa.py_buffer(self._text[:size].copy())]
            self._entries = pa.Array.from_buffers(pa.large_string(), self._n_entries, buffers)
        if is_null is not None:
            indices[is_null] = self._n_entries
        indices.setflags(write=False)
        return indices, self._entries

    def _encode(self, column: pa.Array, indices: np.ndarray, is_null: np.ndarray | None) -> None:
        import pyarrow as pa

        if len(column) == 0:
            return
        _, ends, text = column.buffers()
        dtype: Any = np.int32 if pa.types.is_string(column.type) else np.int64
        bounds = np.frombuffer(ends, dtype=dtype)[column.offset : column.offset + len(column) + 1]
        if is_null is not None and ((bounds[1:] > bounds[:-1]) & is_null).any():
            self._encode(column.fill_null(""), indices, None)  # there may be anything under a null
        else:
            self._match(bounds, np.frombuffer(text or b"", dtype=np.uint8), indices)

    def _match(self, bounds: np.ndarray, data: np.ndarray, indices: np.ndarray) -> None:
        from seminaive.kernels.encode import match_text

        row = 0
        while row < len(indices):
            known = self._n_entries
            arrays = self._slots, self._ends, self._text
            row, self._n_entries = match_text(bounds, data, *arrays, known, indices, row)
            if self._n_entries > known:
                self._entries = None
            if row < len(indices):
                self._grow(int(bounds[row + 1] - bounds[row]))

    def _grow(self, length: int) -> None:
        """Make room for more entries, one of them of this length."""
        used = int(self._ends[self._n_entries]) + length + 8
        if used > len(self._text):
            self._text = np.concatenate([self._text, np.empty(used, dtype=np.uint8)])
        if 2 * (self._n_entries + 1) > len(self._slots):
            from seminaive.kernels.encode import match_text

            old, n = self._ends, self._n_entries
            self._slots = np.full(2 * len(self._slots), -1, dtype=np.int32)
            self._ends = np.zeros(len(self._slots) // 2 + 2, dtype=np.int64)
            bounds, text, scratch = old[: n + 1].copy(), self._text.copy(), np.empty(n, dtype=np.int32)
            for array in (bounds, text):
                array.setflags(write=False)  # as all that comes from Arrow, for which the kernel is compiled
            match_text(bounds, text, self._slots, self._ends, self._text, 0, scratch, 0)
