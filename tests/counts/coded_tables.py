"""Small tables of codes, as the counter and as its twin see them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from seminaive.counts import tables as tables_module
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables, count
from seminaive.data.schema import Attribute, Schema
from seminaive.testing.naive import Table

# sums of these are exact in any order
WEIGHTS = st.sampled_from([0.25, 0.5, 1.0, 1.75, 3.0])
PAIRS = CountPlan(pairs=True)


def examples(number: int) -> settings:
    """So many examples a test; no deadline, because kernels are compiled in the first."""
    return settings(max_examples=number, deadline=None)


def schema_of(n_values: Sequence[int]) -> Schema:
    """Attributes x0, x1, ... with so many values, which may be more than any list could hold."""
    return Schema(
        tuple(
            Attribute(f"x{i}", "numeric", cut_points=np.broadcast_to(0.0, v - 1))
            if v
            else Attribute(f"x{i}", "categorical")
            for i, v in enumerate(n_values)
        )
    )


@dataclass(frozen=True)
class Coded:
    """A table for the counter; ``table`` is the same for the twin."""

    table: Table
    schema: Schema
    codes: np.ndarray
    classes: np.ndarray
    weights: np.ndarray | None

    def count(self, plan: CountPlan = PAIRS, rows: Any = slice(None), **options: Any) -> CountTables:
        """Tables of some rows."""
        codes = np.ascontiguousarray(self.codes[:, rows])
        weights = None if self.weights is None else self.weights[rows]
        n_classes = self.table.n_classes
        return count(plan, self.schema, codes, self.classes[rows], n_classes, weights, **options)

    def slow_counts(self, members: Sequence[int]) -> np.ndarray:
        """Weight of every combination of the slots of some attributes and the class, row by row."""
        n_values = self.table.n_values
        counts = np.zeros((*(n_values[i] + 1 for i in members), self.table.n_classes))
        for row, label, weight in self.table.weighted_rows():
            counts[(*(n_values[i] if row[i] is None else row[i] for i in members), label)] += weight
        return counts


def coded(
    rows: Sequence[Sequence[int | None]],
    classes: Sequence[int],
    n_values: Sequence[int],
    n_classes: int,
    weights: Sequence[float] | None = None,
) -> Coded:
    """A table from rows of codes; None is "not observed"."""
    schema = schema_of(n_values)
    slots = [[v if code is None else code for code, v in zip(row, n_values, strict=True)] for row in rows]
    return Coded(
        Table(rows, classes, n_values, n_classes, weights),
        schema,
        np.array(slots, dtype=schema.code_dtype).reshape(len(rows), len(n_values)).T.copy(),
        np.array(classes, dtype=np.int64),
        None if weights is None else np.array(weights, dtype=np.float64),
    )


@st.composite
def coded_tables(
    draw: st.DrawFn,
    min_attributes: int = 1,
    max_attributes: int = 4,
    max_values: int = 4,
    max_rows: int = 30,
    weighted: bool | None = None,
) -> Coded:
    """Draw a table: holes, values and classes without rows, attributes without values, weights or none."""
    n_attributes = draw(st.integers(min_attributes, max_attributes))
    n_values = draw(st.lists(st.integers(0, max_values), min_size=n_attributes, max_size=n_attributes))
    n_classes = draw(st.sampled_from([1, 2, 3, 5, 9]))
    row = st.tuples(
        st.tuples(*(st.sampled_from([*range(v), None]) for v in n_values)), st.integers(0, n_classes - 1)
    )
    drawn = draw(st.lists(row, min_size=1, max_size=max_rows))
    if weighted is None:
        weighted = draw(st.booleans())
    weights = draw(st.lists(WEIGHTS, min_size=len(drawn), max_size=len(drawn))) if weighted else None
    return coded([row for row, _ in drawn], [label for _, label in drawn], n_values, n_classes, weights)


@contextmanager
def sparse_layout() -> Iterator[None]:
    """Count as if memory were short."""
    with (
        patch.object(CountPlan, "pairs_are_dense", lambda *_: False),
        patch.object(CountPlan, "dense_families", lambda plan, *_: [False] * len(plan.families)),
    ):
        yield


@contextmanager
def row_cost(cost: float) -> Iterator[None]:
    """Count pairs as if an increment cost so much: 0 makes bitmaps useless, infinity makes them a must."""
    with patch.object(tables_module, "_ROW_COST", cost):
        yield


@contextmanager
def in_groups(cells: int, rows: int = 2**18) -> Iterator[None]:
    """Count pairs by groups of attributes wherever such tables have no more than so many cells."""
    with (
        patch.object(tables_module, "_GROUP_COST", -math.inf),
        patch.object(tables_module, "_GROUP_CELLS", cells),
        patch.object(tables_module, "_GROUP_ROWS", rows),
    ):
        yield


LAYOUTS = ["dense", "sparse"]


def count_as(case: Coded, layout: str, plan: CountPlan = PAIRS, **options: Any) -> CountTables:
    """Tables of a case in one of the `LAYOUTS`."""
    if layout == "dense":
        return case.count(plan, **options)
    with sparse_layout():
        return case.count(plan, **options)
