"""Counts of all triples of values, over all classes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from seminaive.data.schema import first_slots
from seminaive.parallel import run_blocks

__all__ = ["TripleTotals"]


class TripleTotals:
    """How often three values occur together, whatever the class.

    Parameters
    ----------
    arrays : Totals
        See `seminaive.kernels.triple_totals`; made by `count`.

    Notes
    -----
    An attribute with v values has v + 1 slots; the last one counts the rows in which it is not observed. The
    tables take about (sum of values)^3 / 6 cells and n^3 / 6 increments per row: nothing for some ten
    attributes, too much for hundreds, see `CountPlan.counts_triples`.
    """

    def __init__(self, arrays: Any) -> None:
        self.arrays = arrays

    @classmethod
    def count(
        cls,
        codes: np.ndarray,
        n_values: np.ndarray,
        weights: np.ndarray | None = None,
        n_jobs: int | None = None,
    ) -> TripleTotals:
        """Count the rows of ``codes`` (n_attributes, n_rows); the code n_values means "not observed"."""
        from seminaive.kernels.triple_totals import count_totals

        slots = n_values + 1
        singles = [np.bincount(column, weights, minlength=v) for column, v in zip(codes, slots, strict=True)]
        flat = np.concatenate([np.zeros(0), *singles])
        result = cls.from_parts(flat, np.zeros(cls.cells(n_values) - len(flat)), n_values)
        pairs = np.column_stack(np.triu_indices(len(n_values), 1)).astype(np.int64)
        of_rows = np.ones(codes.shape[1]) if weights is None else weights.astype(np.float64)

        def some(part: np.ndarray) -> None:
            count_totals(codes, of_rows, part, result.arrays)

        run_blocks(some, pairs, n_jobs, work=len(pairs) * codes.size)
        return result

    @classmethod
    def from_parts(cls, singles: np.ndarray, table: np.ndarray, n_values: np.ndarray) -> TripleTotals:
        """The tables of these counts, see `seminaive.kernels.triple_totals.Totals`."""
        from seminaive.kernels.triple_totals import Totals

        n = len(n_values)
        slots = n_values + 1
        first_slot = first_slots(n_values)
        first, second = np.triu_indices(n, 1)
        cells = slots[first] * slots[second] * (1 + first_slot[-1] - first_slot[second + 1])
        begins = np.zeros((n, n), dtype=np.int64)
        begins[first, second] = np.cumsum(cells) - cells
        return cls(Totals(singles, table, begins, first_slot))

    @classmethod
    def none(cls) -> TripleTotals:
        """No tables, where they would take too much."""
        from seminaive.kernels.triple_totals import Totals

        nowhere = np.zeros((0, 0), dtype=np.int64)
        return cls(Totals(np.zeros(0), np.zeros(0), nowhere, nowhere.ravel()))

    @property
    def nbytes(self) -> int:
        """Bytes of the tables."""
        return sum(int(array.nbytes) for array in self.arrays)

    @staticmethod
    def cells(n_values: Iterable[int]) -> int:
        """How many cells all tables have."""
        slots = [int(v) + 1 for v in n_values]  # of Python, which cannot overflow
        singles = pairs = triples = 0
        for size in slots:
            triples += size * pairs
            pairs += size * singles
            singles += size
        return singles + pairs + triples

    @staticmethod
    def increments(n_attributes: int, n_rows: int) -> int:
        """How many increments counting takes."""
        return math.comb(n_attributes, 3) * n_rows
