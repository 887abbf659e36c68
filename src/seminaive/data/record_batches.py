"""Record batches to codes, block after block: values are learned on the way, and dictionaries are used.

A column that comes as a dictionary is never looked at row by row: each of its entries is matched by label
once, and the indices are mapped.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from seminaive.data.checks import shortened
from seminaive.data.columns import interval_codes, naming
from seminaive.data.schema import Attribute, Schema
from seminaive.data.table import FrameTable, is_missing
from seminaive.data.text_dictionary import TextDictionary

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BatchEncoder", "CategoryReader", "column_numbers", "mapped"]

_CONVERTED = 2**13  # indices at a time, few enough for the cache and for no fresh pages of memory


class CategoryReader:
    """Code of every row of a categorical column, -1 where it is missing or unknown.

    Parameters
    ----------
    name : str
        For messages.
    values : sequence
        Known values, in the order of their codes.
    grows : bool
        Whether further values are added to these as they come.
    """

    def __init__(self, name: str, values: Sequence[Hashable] = (), grows: bool = True) -> None:
        self.name = name
        self.codes_of: dict[Hashable, int] = {value: code for code, value in enumerate(values)}
        self.grows = grows
        self._dictionary: Any = None
        self._texts = TextDictionary()

    @property
    def values(self) -> list[Hashable]:
        """All values so far, in the order of their codes."""
        return list(self.codes_of)

    def read(self, column: pa.Array) -> tuple[np.ndarray, np.ndarray, list[Hashable]]:
        """Indices of the rows, the code of every entry they point to, and values that are unknown.

        The last entry stands for a missing value.
        """
        indices, dictionary = self._as_dictionary(column)
        if self._dictionary is None or not dictionary.equals(self._dictionary):
            self._dictionary = dictionary
            self._entries = [_scalar(value) for value in dictionary.to_pylist()]
            self._codes = np.full(len(self._entries) + 1, -1, dtype=np.int64)
            self._unknown = []
            for entry, value in enumerate(self._entries):
                if not is_missing(value):
                    code = self.codes_of.get(value, -1)
                    self._codes[entry] = code
                    if code < 0:
                        self._unknown.append(entry)
        strange = []
        if self._unknown:
            met = self._met(indices)
            if self.grows:
                for entry in met:
                    value = self._entries[entry]
                    self._codes[entry] = self.codes_of.setdefault(value, len(self.codes_of))
                self._unknown = [entry for entry in self._unknown if entry not in met]
            else:
                strange = [self._entries[entry] for entry in met]
        return indices, self._codes, strange

    def _met(self, indices: np.ndarray) -> dict[int, None]:
        """Those of the unknown entries that occur, in their order."""
        from seminaive.kernels.encode import strike_out

        wanted = np.zeros(len(self._codes), dtype=bool)
        wanted[self._unknown] = True
        for _, part in _in_parts(indices):
            strike_out(part, wanted)
            if not wanted.any():
                break
        return dict.fromkeys(entry for entry in self._unknown if not wanted[entry])

    def _as_dictionary(self, column: pa.Array) -> tuple[np.ndarray, pa.Array]:
        """Indices and the entries; a missing value has the index after the last entry."""
        import pyarrow as pa

        if pa.types.is_nested(column.type):
            raise TypeError(
                f"Column {self.name!r}: values of type {column.type} cannot be categories. Take them apart "
                "into columns of their own"
            )
        if pa.types.is_null(column.type):
            indices, column = pa.array(np.zeros(len(column), dtype=np.int32)), column.slice(0, 0)
            return indices.to_numpy(), column
        if pa.types.is_string_view(column.type):
            column = column.cast(pa.large_string())
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            return self._texts.encode(column)
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        indices = column.indices
        if indices.null_count:
            indices = indices.cast(pa.int64()).fill_null(len(column.dictionary))
        return indices.to_numpy(zero_copy_only=False), column.dictionary


class BatchEncoder:
    """Codes of record batches.

    Parameters
    ----------
    attributes : sequence of Attribute
        In the order of the codes; found in the batches by name.
    grows : bool
        Whether categorical attributes that were not declared take up further values as they come. Values
        that a declared one does not have are a ValueError then; otherwise they are treated as missing and
        reported by `encode`.
    """

    def __init__(self, attributes: Sequence[Attribute], grows: bool) -> None:
        self.attributes = list(attributes)
        self.grows = grows
        self._readers = {
            i: CategoryReader(attribute.name, attribute.values, grows and not attribute.declared)
            for i, attribute in enumerate(self.attributes)
            if attribute.kind == "categorical"
        }

    @property
    def schema(self) -> Schema:
        """All attributes with the values so far."""
        return Schema(tuple(self.attributes))

    def encode(self, batch: pa.RecordBatch) -> tuple[np.ndarray, dict[int, list[Hashable]]]:
        """Codes (n_attributes, n_rows) and, by attribute, the values that are unknown."""
        read, unknown = {}, {}
        for i, reader in self._readers.items():
            indices, codes, strange = reader.read(batch.column(self.attributes[i].name))
            read[i] = indices, codes
            if strange and self.grows:
                known = self.attributes[i].values
                raise ValueError(
                    f"Column {reader.name!r}: values that are not declared: {shortened(strange)}. Declared: "
                    f"{shortened(known)}. Mend categories={{{reader.name!r}: [...]}} or the data."
                )
            if strange:
                unknown[i] = strange
            if len(reader.codes_of) > len(self.attributes[i].values):
                self.attributes[i] = replace(self.attributes[i], values=tuple(reader.values))
        dtype = self.schema.code_dtype
        result = np.empty((len(self.attributes), batch.num_rows), dtype=dtype)
        for i, attribute in enumerate(self.attributes):
            if i in read:
                indices, codes = read[i]
                entries = np.where(codes < 0, attribute.missing_code, codes).astype(dtype)
                mapped(indices, entries, result[i])
            else:
                numbers = column_numbers(batch.column(attribute.name), attribute.name)
                result[i] = interval_codes(numbers, attribute)
        return result, unknown


def mapped(indices: np.ndarray, entries: np.ndarray, codes: np.ndarray) -> None:
    """``codes[:] = entries[indices]``; where entries are in the order of codes already, that is a copy."""
    from seminaive.kernels.encode import map_codes

    if np.array_equal(entries, np.arange(len(entries))):
        codes[:] = indices
    else:
        for rows, part in _in_parts(indices):
            map_codes(part, entries, codes[rows])


def _in_parts(indices: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Indices as int32, which kernels are compiled for: at once, or converted part by part."""
    step = max(1, len(indices)) if indices.dtype == np.int32 else _CONVERTED
    for first in range(0, len(indices), step):
        rows = slice(first, first + step)
        yield rows, indices[rows].astype(np.int32, copy=False)


def column_numbers(column: pa.Array, name: str) -> np.ndarray:
    """A column as float64, NaN for missing; ValueError naming the column where it holds anything else."""
    import narwhals as nw
    import pyarrow as pa

    with naming(name):
        return FrameTable(nw.from_native(pa.table({name: column}))).numbers(0)


def _scalar(value: Any) -> Hashable:
    return value.item() if isinstance(value, np.generic) else value
