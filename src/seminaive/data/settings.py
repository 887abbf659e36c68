"""The encoder's options, resolved against the columns of one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from seminaive.data.checks import check_option, shortened
from seminaive.data.columns import learn_categories, learn_intervals, make_discretizer, naming
from seminaive.data.schema import Attribute
from seminaive.data.table import ArrayTable, Table

if TYPE_CHECKING:
    from seminaive.data.encode import TableEncoder

__all__ = ["Settings"]


class Settings:
    """The encoder's parameters, resolved against the columns of one table."""

    def __init__(self, encoder: TableEncoder, table: Table) -> None:
        self.names = table.names
        self.declared = self._by_column("categories", encoder.categories or {})
        self.categorical = self._categorical(encoder.categorical_features, table)
        self.missing = self._missing(encoder.missing)
        self.discretizer = encoder.discretizer
        if isinstance(encoder.discretizer, Mapping):
            self.discretizers = self._by_column("discretizer", encoder.discretizer)
        else:
            self.discretizers = dict.fromkeys(range(len(self.names)), encoder.discretizer)
        self.table = table

    def integers_only(self) -> bool:
        """Whether every column is an integer category of one array, which has a fast path."""
        table = self.table
        return (
            isinstance(table, ArrayTable)
            and table.array.dtype.kind in "iu"
            and not self.declared
            and "impute" not in self.missing
            and table.array.shape[0] > 0
            and all(self.categorical)
        )

    def learn_column(
        self, table: Table, column: int, labels: np.ndarray | None, weights: np.ndarray | None, n_classes: int
    ) -> tuple[Attribute, np.ndarray]:
        """The attribute that a column becomes, and the codes of its rows."""
        name, missing = self.names[column], self.missing[column]
        with naming(name):
            if self.categorical[column]:
                declared = self.declared.get(column)
                return learn_categories(table, column, name, declared, missing, weights)
            values = table.numbers(column)
        return learn_intervals(values, name, self.discretizer_of(column), missing, labels, weights, n_classes)

    def discretizer_of(self, column: int) -> Any:
        """What cuts a numeric column; ValueError where nothing does."""
        rule = self.discretizers.get(column, "mdlp")
        if rule is None:
            raise ValueError(
                f"Column {self.names[column]!r} is numeric and discretizer=None. Name a discretizer ('mdlp', "
                "'equal-frequency', 'equal-width', a transformer), or list it in categorical_features."
            )
        return make_discretizer(rule)

    def _categorical(self, wanted: Any, table: Table) -> list[bool]:
        columns = range(len(self.names))
        by_dtype = [column in self.declared or not table.is_numeric(column) for column in columns]
        if isinstance(wanted, str):
            check_option("categorical_features", wanted, ("from_dtype", "all"))
            return [True] * len(by_dtype) if wanted == "all" else by_dtype
        if wanted is None:
            marked: set[int] = set()
        else:
            chosen = list(wanted)
            if chosen and all(isinstance(value, bool | np.bool_) for value in chosen):
                if len(chosen) != len(by_dtype):
                    raise ValueError(
                        f"categorical_features is a mask of {len(chosen)} for {len(by_dtype)} columns."
                    )
                marked = {column for column in columns if chosen[column]}
            else:
                marked = {self._position("categorical_features", key) for key in chosen}
        return [
            column in marked
            or column in self.declared
            or (by_dtype[column] and not (table.is_object(column) and _holds_numbers(table, column)))
            for column in columns
        ]

    def _missing(self, wanted: Any) -> list[str]:
        allowed = ("ignore", "value", "impute")
        if not isinstance(wanted, Mapping):
            check_option("missing", wanted, allowed)
            return [wanted] * len(self.names)
        for value in wanted.values():
            check_option("missing", value, allowed)
        kinds = {
            kind: wanted[kind]
            for kind in ("categorical", "numeric")
            if kind in wanted and kind not in self.names
        }
        named = self._by_column("missing", {key: value for key, value in wanted.items() if key not in kinds})
        return [
            named.get(column, kinds.get("categorical" if categorical else "numeric", "ignore"))
            for column, categorical in enumerate(self.categorical)
        ]

    def _by_column(self, option: str, wanted: Any) -> dict[int, Any]:
        if not isinstance(wanted, Mapping):
            raise ValueError(
                f"{option} must be a dict from column names or positions, got {type(wanted).__name__}."
            )
        return {self._position(option, key): value for key, value in wanted.items()}

    def _position(self, option: str, key: Any) -> int:
        if isinstance(key, int | np.integer) and -len(self.names) <= key < len(self.names):
            return int(key) % len(self.names)
        if key in self.names:
            return self.names.index(key)
        raise ValueError(
            f"{option} names the column {key!r}, which the table does not have. "
            f"Columns: {shortened(self.names)}."
        )


def _holds_numbers(table: Table, column: int) -> bool:
    try:
        table.numbers(column)
    except (TypeError, ValueError):
        return False
    return True
