"""Counts of single values, pairs and triples of values over all classes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from seminaive.kernels.jit import inlined, kernel


class Totals(NamedTuple):
    """Tables of counts, float64; an attribute has a slot for each value and, last, one for "not observed".

    singles
        (slots of all attributes,).
    table
        Flat, for each pair of attributes i < j a table [slot of i][slot of j][column]: column 0 counts the
        pair, the others the triples with each slot of the attributes after j.
    begins
        (attributes, attributes) int64: where the table of a pair begins.
    first_slot
        (attributes + 1,) int64.
    """

    singles: Any
    table: Any
    begins: Any
    first_slot: Any


@kernel
def count_totals(codes: Any, weights: Any, pairs: Any, totals: Any) -> None:
    """Count some pairs (m, 2) and all triples that they begin."""
    n_attributes, n_rows = codes.shape
    table, begins, first_slot = totals.table, totals.begins, totals.first_slot
    cells = np.empty(n_rows, dtype=np.int64)
    for p in range(pairs.shape[0]):
        i, j = pairs[p, 0], pairs[p, 1]
        slots, width = first_slot[j + 1] - first_slot[j], _width(first_slot, j)
        first, second = codes[i], codes[j]
        for row in range(n_rows):
            cells[row] = begins[i, j] + (np.int64(first[row]) * slots + second[row]) * width
            table[np.uint64(cells[row])] += weights[row]
        for third in range(j + 1, n_attributes):
            column, offset = codes[third], 1 + first_slot[third] - first_slot[j + 1]
            for row in range(n_rows):
                table[np.uint64(cells[row] + offset + column[row])] += weights[row]


@inlined
def _width(first_slot: Any, j: int) -> Any:
    """Columns of the tables of pairs (i, j)."""
    return 1 + first_slot[first_slot.shape[0] - 1] - first_slot[j + 1]


@inlined
def pair_total(totals: Any, i: int, u: int, j: int, w: int) -> Any:
    """Count of slot u of attribute i with slot w of attribute j; slots count over all attributes.

    ``totals`` is here and below (singles, table, begins, first_slot), unpacked where the loops begin.
    """
    _, table, begins, first_slot = totals
    if i > j:
        i, u, j, w = j, w, i, u
    cell = (u - first_slot[i]) * (first_slot[j + 1] - first_slot[j]) + w - first_slot[j]
    return table[np.uint64(begins[i, j] + cell * _width(first_slot, j))]


@inlined
def triple_total(totals: Any, i: int, u: int, j: int, w: int, k: int, x: int) -> Any:
    """Count of slots u of i, w of j and x of k."""
    _, table, begins, first_slot = totals
    if i > j:
        i, u, j, w = j, w, i, u
    if j > k:
        j, w, k, x = k, x, j, w
        if i > j:
            i, u, j, w = j, w, i, u
    cell = (u - first_slot[i]) * (first_slot[j + 1] - first_slot[j]) + w - first_slot[j]
    return table[np.uint64(begins[i, j] + cell * _width(first_slot, j) + 1 + x - first_slot[j + 1])]


@inlined
def pointwise_of_two(totals: Any, slots: Any, i: int, j: int) -> float:
    """i(x_i; x_j) in bits over the rows in which both are observed, NaN where never seen together.

    ``slots`` (attributes,) are those of a row.
    """
    singles, _, _, first_slot = totals
    u, w = slots[i], slots[j]
    last_i, last_j = first_slot[i + 1] - 1, first_slot[j + 1] - 1
    both, one, other, rows = pair_total(totals, i, u, j, w), singles[u], singles[w], 0.0
    for slot in range(first_slot[i], last_i):
        rows += singles[slot]
    if singles[last_i] > 0 or singles[last_j] > 0:
        one -= pair_total(totals, i, u, j, last_j)
        other -= pair_total(totals, i, last_i, j, w)
        rows -= singles[last_j] - pair_total(totals, i, last_i, j, last_j)
    return math.log2((both / one) / (other / rows)) if both > 0 else np.nan


@inlined
def pointwise_given_one(totals: Any, slots: Any, i: int, j: int, given: int) -> float:
    """i(x_i; x_j | x_given), as ``pointwise_of_two``."""
    singles, _, _, first_slot = totals
    u, w, x = slots[i], slots[j], slots[given]
    last_i, last_j = first_slot[i + 1] - 1, first_slot[j + 1] - 1
    both = triple_total(totals, i, u, j, w, given, x)
    one, other = pair_total(totals, i, u, given, x), pair_total(totals, j, w, given, x)
    rows = singles[x]
    if singles[last_i] > 0 or singles[last_j] > 0:
        one -= triple_total(totals, i, u, j, last_j, given, x)
        other -= triple_total(totals, i, last_i, j, w, given, x)
        rows -= pair_total(totals, i, last_i, given, x) + pair_total(totals, j, last_j, given, x)
        rows += triple_total(totals, i, last_i, j, last_j, given, x)
    return math.log2((both / one) / (other / rows)) if both > 0 else np.nan
