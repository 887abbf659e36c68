"""How often each value of a numeric column occurs in each class: all that discretisation has to know.

Tables of parts of the rows add up. Up to a limit of distinct values they are exact. Above it neighbouring
values share an entry: those whose 64 bits, read as a number that rises with the value, agree in all but the
last s, where s is the least number with which the limit is kept. So s depends on the set of values alone, and
the table neither on the order of the rows nor on how they are divided. An entry is narrow where values are
small and remembers its lowest and highest value, so that cuts still fall between values that occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from seminaive.data.columns import learn_intervals
from seminaive.data.discretize import Discretizer, EqualWidthDiscretizer
from seminaive.data.discretize.base import midpoints
from seminaive.data.schema import Attribute
from seminaive.persistence.values import Packer, Unpacker

__all__ = ["ValueTable"]

_MISSING = np.iinfo(np.int64).max  # no number has this key
_MOST_WEIGHTS = 256  # distinct ones that are told apart; above, weights are summed and rounded
_PENDING = 2**17  # entries that wait before they are sorted into the table


class _Entries(NamedTuple):
    """Rows that are put together: of one key, class and weight; their number, lowest and highest value."""

    key: np.ndarray
    label: np.ndarray
    weight: np.ndarray
    number: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, labels: np.ndarray, weights: np.ndarray | None) -> _Entries:
        """One entry for every row; keys are made in grouping."""
        ones = np.ones(len(values), dtype=np.int64)
        weight = np.ones(len(values)) if weights is None else weights
        return cls(ones, labels.astype(np.int64), weight, ones, values, values)

    @classmethod
    def together(cls, parts: Sequence[_Entries]) -> _Entries:
        """Entries of several parts, one after the other."""
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


class ValueTable:
    """The value x class table of one column.

    Parameters
    ----------
    max_distinct : int
        Distinct values up to which the table is exact.

    Examples
    --------
    >>> import numpy as np
    >>> from seminaive import MDLPDiscretizer
    >>> table = ValueTable(1000)
    >>> table.add(np.array([1.0, 2.0, 2.0, np.nan, 7.0, 8.0]), np.array([0, 0, 0, 0, 1, 1]), None)
    >>> table.attribute("x", MDLPDiscretizer(), "ignore", np.array([0, 1]), False).cut_points
    array([4.5])
    """

    def __init__(self, max_distinct: int) -> None:
        self.max_distinct = max_distinct
        self.shift = 0
        self.tells_weights = True
        self._entries = _Entries.of(np.empty(0), np.empty(0), None)
        self._pending: list[_Entries] = []

    @property
    def is_exact(self) -> bool:
        """Whether every distinct value has an entry of its own."""
        return self._compact().shift == 0

    def add(self, values: np.ndarray, labels: np.ndarray, weights: np.ndarray | None) -> None:
        """Take up rows: their values, NaN where missing, class codes and weights."""
        self._pending.append(self._grouped(_Entries.of(values, labels, weights)))
        if sum(len(part.key) for part in self._pending) > max(_PENDING, len(self._entries.key)):
            self._compact()

    def merge(self, other: ValueTable, places: np.ndarray) -> None:
        """Take up another table, whose class codes lie at ``places`` here."""
        entries = other._compact()._entries
        entries = entries._replace(label=places[entries.label])
        self.shift = max(self.shift, other.shift)
        self.tells_weights &= other.tells_weights
        self._pending.append(entries)
        self._compact()

    def attribute(
        self, name: str, discretizer: Discretizer, missing: str, places: np.ndarray, is_weighted: bool
    ) -> Attribute:
        """What the column becomes; ``places`` (n_classes,) says which class each code is in the end."""
        entries = self._compact()._entries
        known = entries.key != _MISSING
        values, lows, highs = np.full(len(known), np.nan), np.empty(0), np.empty(0)
        if known.any():
            _, first, place = np.unique(entries.key[known], return_index=True, return_inverse=True)
            lows = np.minimum.reduceat(entries.low[known], first)
            highs = np.maximum.reduceat(entries.high[known], first)
            middles = midpoints(lows, highs) if self.shift else lows
            middles[[0, -1]] = lows[0], highs[-1]  # the range is exact in any case
            values[known] = middles[place]
        attribute, _ = learn_intervals(
            values,
            name,
            discretizer,
            missing,
            places[entries.label],
            entries.weight if is_weighted else None,
            len(places),
            entries.number,
        )
        cuts = attribute.cut_points
        if self.shift and not isinstance(discretizer, EqualWidthDiscretizer) and attribute.fill_code is None:
            return replace(attribute, cut_points=np.unique(_between(cuts, lows, highs)))
        return attribute

    def _keys(self, values: np.ndarray) -> np.ndarray:
        bits = (values + 0.0).view(np.int64)  # + 0.0 makes -0.0 the same as 0.0
        keys = np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits) >> self.shift
        keys[np.isnan(values)] = _MISSING
        return keys

    def _compact(self) -> ValueTable:
        """Sort what waits into the table, and put neighbours together where the limit is exceeded."""
        if self._pending:
            self._entries = self._grouped(_Entries.together([self._entries, *self._pending]))
            self._pending = []
            keys, more = self._entries.key[self._entries.key != _MISSING], 0
            while np.count_nonzero(np.diff(keys >> more)) >= self.max_distinct:
                more += 1
            if more:
                self.shift += more
                self._entries = self._grouped(self._entries)
        return self

    def _grouped(self, entries: _Entries) -> _Entries:
        """Entries in ascending order of key, class and weight, equal ones put together."""
        if len(entries.low) == 0:
            return entries
        if self.tells_weights:
            distinct, code = np.unique(entries.weight, return_inverse=True)
            self.tells_weights = len(distinct) <= _MOST_WEIGHTS
        if not self.tells_weights:
            entries = entries._replace(
                weight=entries.weight * entries.number, number=np.ones(len(entries.low), dtype=np.int64)
            )
            code, distinct = np.zeros(len(entries.low), dtype=np.int64), np.ones(1)
        keys = self._keys(entries.low)
        order = np.argsort(keys)
        rank = np.cumsum(np.diff(keys[order], prepend=keys[order[0]]) != 0)
        place = (rank * (entries.label.max() + 1) + entries.label[order]) * len(distinct) + code[order]
        again = np.argsort(place, kind="stable")  # which is nearly sorted
        order, place = order[again], place[again]
        first = np.flatnonzero(np.diff(place, prepend=-1))
        low, high, weight = entries.low[order], entries.high[order], entries.weight[order]
        return _Entries(
            keys[order][first],
            entries.label[order][first],
            weight[first] if self.tells_weights else np.add.reduceat(weight, first),
            np.add.reduceat(entries.number[order], first) if self.tells_weights else first * 0 + 1,
            np.minimum.reduceat(low, first) if self.shift else low[first],
            np.maximum.reduceat(high, first) if self.shift else high[first],
        )

    def pack(self, packer: Packer) -> Any:
        """The state as JSON."""
        columns = [packer.array(column) for column in self._compact()._entries]
        return [self.shift, self.tells_weights, columns]

    def unpack(self, state: Any, unpacker: Unpacker) -> None:
        """Go on from a state."""
        self.shift, self.tells_weights, columns = state
        self._entries, self._pending = _Entries(*(unpacker.array(column) for column in columns)), []


def _between(cuts: Any, lows: np.ndarray, highs: np.ndarray) -> np.ndarray:
    """Cuts among entries, moved to the middle between the values that occur on either side."""
    middles = midpoints(lows, highs)
    left = np.clip(np.searchsorted(middles, cuts, side="right") - 1, 0, len(lows) - 2)
    return midpoints(highs[left], lows[left + 1])
