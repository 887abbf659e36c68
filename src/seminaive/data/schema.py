"""What an encoded table is made of: its attributes, their kinds and their values."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

__all__ = ["Attribute", "Schema", "first_slots"]

MISSING_LABEL = "(missing)"


@dataclass(frozen=True, eq=False)
class Attribute:
    """One column after fitting.

    Parameters
    ----------
    name : str
        Column name, or ``x0``, ``x1``, ... where the table has none.
    kind : {"categorical", "numeric"}
        Numeric columns are coded by interval, categorical ones by value.
    values : tuple
        Categorical: the values in code order. Numeric with cut points: empty. Numeric with a foreign
        discretizer: the outputs of its ``transform`` in code order.
    cut_points : ndarray of float64 or None
        Numeric: inner cut points, ascending; a value equal to a cut falls left of it.
    discretizer : object or None
        A fitted discretizer that is not one of ours and is asked for every new value.
    has_missing_value : bool
        Whether "missing" is a value of its own, the last one.
    fill_code : int or None
        The code that a missing value gets where missing values are imputed.
    declared : bool
        Whether the values were declared, so that later batches cannot add any.
    """

    name: str
    kind: str
    values: tuple[Hashable, ...] = ()
    cut_points: np.ndarray | None = None
    discretizer: Any = None
    has_missing_value: bool = False
    fill_code: int | None = None
    declared: bool = False
    _index: dict[Hashable, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {value: code for code, value in enumerate(self.values)})

    @property
    def n_values(self) -> int:
        """Number of values; the code ``n_values`` means "not observed"."""
        known = len(self.values) if self.cut_points is None else len(self.cut_points) + 1
        return known + self.has_missing_value

    @property
    def missing_code(self) -> int:
        """What a missing or unseen value is coded as: the policy for missing values in one number."""
        if self.fill_code is not None:
            return self.fill_code
        return self.n_values - 1 if self.has_missing_value else self.n_values

    @property
    def labels(self) -> list[str]:
        """A readable name of every value, in code order."""
        if self.cut_points is None:
            names = [str(value) for value in self.values]
        else:
            cuts = [f"{cut:.6g}" for cut in self.cut_points]
            bounds = ["-inf", *cuts, "inf"]
            names = [f"({low}, {high}]" for low, high in pairwise(bounds)]
            names[-1] = names[-1].replace("inf]", "inf)")
        return [*names, MISSING_LABEL] if self.has_missing_value else names

    def code_of(self, value: Hashable) -> int | None:
        """Code of a categorical value, None where it is unknown."""
        return self._index.get(value)


@dataclass(frozen=True, eq=False)
class Schema:
    """The attributes of a table, in column order.

    Parameters
    ----------
    attributes : tuple of Attribute

    Attributes
    ----------
    names : list of str
    n_values : ndarray of int64, shape (n_attributes,)
        Number of values of every attribute.
    """

    attributes: tuple[Attribute, ...]
    names: list[str] = field(init=False, repr=False)
    n_values: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        sizes = [attribute.n_values for attribute in self.attributes]
        object.__setattr__(self, "names", [attribute.name for attribute in self.attributes])
        object.__setattr__(self, "n_values", np.array(sizes, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.attributes)

    def __getitem__(self, index: int) -> Attribute:
        return self.attributes[index]

    @property
    def code_dtype(self) -> np.dtype[Any]:
        """The smallest of three unsigned integer types that holds every code and "not observed"."""
        largest = int(self.n_values.max(initial=0))
        return np.dtype(np.uint8 if largest < 2**8 else np.uint16 if largest < 2**16 else np.uint32)


def first_slots(n_values: np.ndarray) -> np.ndarray:
    """The first slot of every attribute, and the number of all; slots are its values, then "not observed".

    Parameters
    ----------
    n_values : ndarray of int, shape (n_attributes,)

    Returns
    -------
    ndarray of int64, shape (n_attributes + 1,)

    Examples
    --------
    >>> import numpy as np
    >>> first_slots(np.array([2, 3])).tolist()
    [0, 3, 7]
    """
    return np.concatenate([[0], np.cumsum(n_values + 1)]).astype(np.int64)
