"""Tables of counts as values that a file can hold, and back.

What kernels find their way by is not in the file: it is laid out anew from the numbers of values, and the
counts have to fit it. Sparse families are written one after the other in few long arrays.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from seminaive.counts.family import DenseFamily, Family, SparseFamily
from seminaive.counts.instance_index import InstanceIndex
from seminaive.counts.plan import family_cells
from seminaive.counts.tables import CountTables, slot_layout
from seminaive.counts.triple_totals import TripleTotals
from seminaive.data.schema import Schema
from seminaive.persistence.values import Packer

__all__ = ["pack_tables", "unpack_tables"]


def pack_tables(tables: CountTables, packer: Packer) -> Any:
    """Tables as JSON; the schema is kept elsewhere."""
    sparse_pairs = tables.pair_counts is None and len(tables.pair_tasks) > 0 and tables.has_pairs
    return {
        "n_rows": tables.n_rows,
        "class_counts": packer.array(tables.class_counts),
        "attribute_counts": packer.array(tables.attribute_counts),
        "pairs": "sparse" if sparse_pairs else None if tables.pair_counts is None else "dense",
        "pair_counts": None if tables.pair_counts is None else packer.array(tables.pair_counts),
        "families": [
            _pack_families([*group], packer) for _, group in groupby(tables.families.items(), _layout_of)
        ],
        "index": None if tables.index is None else _pack_index(tables.index, packer),
        "triples": None if tables.triples is None else _pack_triples(tables.triples, packer),
    }


def unpack_tables(state: Any, schema: Schema, array: Any) -> CountTables:
    """Tables of a schema; ValueError for counts that do not fit it."""
    n = len(schema)
    n_rows = state["n_rows"]
    _require(type(n_rows) is int and 0 < n_rows < 2**62, "the number of rows")
    class_counts = array(state["class_counts"])
    _require(class_counts.ndim == 1 and len(class_counts) > 0, "the number of classes")
    n_classes, dtype = len(class_counts), class_counts.dtype
    _require(dtype in (np.int64, np.float64), "the type of the counts")
    slots = sum(attribute.n_values + 1 for attribute in schema.attributes)

    def counts(number: int, *shape: int) -> np.ndarray:
        found: np.ndarray = array(number)
        _require(found.dtype == dtype and found.shape == shape, "the shape of a table")
        # one look for all: a NaN makes both comparisons false
        _require(found.size == 0 or (found.min() >= 0 and found.max() < np.inf), "a count")
        return found

    families: dict[tuple[int, ...], Family] = {}
    for group in state["families"]:
        families.update(_unpack_families(group, schema, n_classes, counts, array))
    pairs = state["pairs"]
    _require(pairs in ("dense", "sparse", None), "the layout of the pairs")
    if pairs == "sparse":
        _require(sum(len(members) == 2 for members in families) >= n * (n - 1) // 2, "the number of pairs")
    pair_counts = None
    if pairs == "dense":
        sizes = [attribute.n_values + 1 for attribute in schema.attributes]
        cells = (slots * slots - sum(size * size for size in sizes)) // 2
        pair_counts = counts(state["pair_counts"], cells * n_classes)
    # only now: this takes memory for every pair of attributes
    first_slot, tasks = slot_layout(schema, n_classes, pairs == "dense", pairs is not None)
    tables = CountTables(
        schema,
        n_classes,
        n_rows,
        _checked(class_counts),
        counts(state["attribute_counts"], slots, n_classes),
        first_slot,
        tasks,
        pair_counts,
        families,
    )
    _require(pairs is None or tables.has_pairs, "the set of pairs")
    if state["index"] is not None:
        tables.index = _unpack_index(state["index"], tables, array)
    if state["triples"] is not None:
        tables.triples = _unpack_triples(state["triples"], schema, array)
    return tables


def _require(sensible: Any, what: str) -> None:
    if not sensible:
        raise ValueError(f"{what} makes no sense")


def _checked(found: np.ndarray) -> np.ndarray:
    _require(found.size == 0 or (found.min() >= 0 and found.max() < np.inf), "a count")
    return found


# --- families


def _layout_of(item: tuple[tuple[int, ...], Family]) -> tuple[bool, int]:
    members, family = item
    return isinstance(family, DenseFamily), len(members)


def _pack_families(group: list[tuple[tuple[int, ...], Any]], packer: Packer) -> Any:
    """Families of one layout and number of members, in few arrays."""
    members = np.array([members for members, _ in group], dtype=np.int64)
    families = [family for _, family in group]
    n_classes = families[0].counts.shape[-1]
    counts = np.concatenate([family.counts.reshape(-1, n_classes) for family in families])
    state = {"members": packer.array(members), "counts": packer.array(counts), "cells": None, "lengths": None}
    if isinstance(families[0], SparseFamily):
        cells = np.concatenate([family.cells for family in families], axis=1)
        state["cells"] = packer.array(cells.astype(np.min_scalar_type(cells.max(initial=0))))
        state["lengths"] = packer.array(np.array([len(family.counts) for family in families], dtype=np.int64))
    return state


def _unpack_families(
    state: Any, schema: Schema, n_classes: int, counts: Any, array: Any
) -> dict[tuple[int, ...], Family]:
    n = len(schema)
    members = array(state["members"])
    _require(
        members.dtype == np.int64 and members.ndim == 2 and members.size and _within(members, n), "a family"
    )
    names = [tuple(row) for row in members.tolist()]
    _require(all(len(set(name)) == len(name) for name in names), "a family")
    n_values = [tuple(schema[i].n_values for i in name) for name in names]
    if state["cells"] is None:
        sizes = [family_cells(schema, name) for name in names]
        parts = np.split(counts(state["counts"], sum(sizes), n_classes), np.cumsum(sizes)[:-1])
        return {
            name: DenseFamily(v, part.reshape(*(u + 1 for u in v[:-1]), v[-1], n_classes))
            for name, v, part in zip(names, n_values, parts, strict=True)
        }
    lengths, cells = array(state["lengths"]), array(state["cells"])
    _require(lengths.dtype == np.int64 and lengths.shape == (len(names),) and lengths.min() >= 0, "a length")
    _require(cells.ndim == 2 and sum(lengths.tolist()) == cells.shape[1], "a length")
    ends = np.cumsum(lengths)
    _require(cells.dtype.kind == "u" and cells.shape == (members.shape[1], ends[-1]), "the shape of a family")
    limits = np.repeat(schema.n_values[members.T], lengths, axis=1)
    _require((cells <= limits).all(), "a value of a family")
    cells = cells.astype(schema.code_dtype, copy=False)
    of_all = counts(state["counts"], int(ends[-1]), n_classes)
    begins = ends - lengths
    return {
        name: SparseFamily(v, cells[:, begin:end], of_all[begin:end])
        for name, v, begin, end in zip(names, n_values, begins, ends, strict=True)
    }


def _within(numbers: np.ndarray, end: int) -> bool:
    return bool(numbers.min() >= 0 and numbers.max() < end)


# --- tables of single rows


def _pack_index(index: InstanceIndex, packer: Packer) -> Any:
    bitmaps = index.bitmaps
    return {
        "words": packer.array(bitmaps.words),
        "has_gaps": packer.array(bitmaps.bitmap_of_slot[bitmaps.first_slot[1:] - 1] >= 0),
        "class_ends": packer.array(bitmaps.class_ends),
        "weights": packer.array(bitmaps.weights),
    }


def _unpack_index(state: Any, tables: CountTables, array: Any) -> InstanceIndex:
    words, ends, weights = (array(state[name]) for name in ("words", "class_ends", "weights"))
    has_gaps = array(state["has_gaps"])
    n, n_rows = len(tables.schema), tables.n_rows
    _require(has_gaps.dtype == bool and has_gaps.shape == (n,), "the index")
    _require(
        words.dtype == np.uint64
        and words.shape == (int(tables.n_values.sum()) + int(has_gaps.sum()), -(-n_rows // 64)),
        "the size of the index",
    )
    if n_rows % 64:
        _require((words[:, -1] >> np.uint64(n_rows % 64) == 0).all(), "a row of the index")
    _require(
        ends.dtype == np.int64
        and ends.shape == (tables.n_classes,)
        and ends[0] >= 0
        and ends[-1] == n_rows
        and (np.diff(ends) >= 0).all(),
        "the classes of the index",
    )
    _require(weights.dtype == np.float64 and weights.shape in ((0,), (n_rows,)), "the weights of the index")
    return InstanceIndex.from_parts(words, has_gaps, tables.n_values, ends, _checked(weights))


def _pack_triples(triples: TripleTotals, packer: Packer) -> Any:
    return {"singles": packer.array(triples.arrays.singles), "table": packer.array(triples.arrays.table)}


def _unpack_triples(state: Any, schema: Schema, array: Any) -> TripleTotals:
    singles, table = _checked(array(state["singles"])), _checked(array(state["table"]))
    n_values = schema.n_values.tolist()
    n_slots = sum(n_values) + len(n_values)
    _require(
        singles.dtype == table.dtype == np.float64
        and singles.shape == (n_slots,)
        and table.shape == (TripleTotals.cells(n_values) - n_slots,),
        "the size of the triples",
    )
    return TripleTotals.from_parts(singles, table, schema.n_values)
