"""The papers' data sets: sizes, preparation, and where they can be had."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    CATALOGUE: dict[str, DataSet]

__all__ = ["CATALOGUE", "DataSet", "OpenML"]

UCI = "UCI Machine Learning Repository (D. Dua and C. Graff, University of California, Irvine)"


@dataclass(frozen=True)
class OpenML:
    """A data set of openml.org, and what makes it the papers' one.

    Attributes
    ----------
    data_id : int
        Its number there.
    target : str
        Column of the class.
    drop : tuple of str, default=()
        Columns to leave out, where they are given at all.
    categorical : tuple of str, default=()
        Numeric columns whose numbers are codes; "*" is all.
    numeric : tuple of str, default=()
        Nominal columns whose values are numbers.
    classes : tuple of str, default=()
        Declared classes in the papers' order; empty keeps those of openml.org.
    """

    data_id: int
    target: str
    drop: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()


@dataclass(frozen=True)
class DataSet:
    """An entry of the catalogue.

    Attributes
    ----------
    name : str
        Its key.
    n_rows, n_attributes, n_numeric : int
        Sizes, without the class.
    n_classes : int
        Declared classes; they count in the smoothing even without a row.
    n_classes_with_rows : int
        Classes that occur.
    preparation : str
        How it differs from the published file, and what else the reader of a report should know.
    openml : OpenML or None
        None where no copy of these rows on openml.org is known.
    generated : bool
        Made by a generator of random rows: other rows than the papers', so no number can be met exactly.
    unavailable : str
        Why it cannot be downloaded, where that is so.
    citation : str
        Whom to thank.
    """

    name: str
    n_rows: int
    n_attributes: int
    n_numeric: int
    n_classes: int
    n_classes_with_rows: int
    preparation: str = ""
    openml: OpenML | None = None
    generated: bool = False
    unavailable: str = ""
    citation: str = UCI


@cache
def _catalogue() -> dict[str, DataSet]:
    text = files("seminaive.papers").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return {name: _data_set(name, entry) for name, entry in tomllib.loads(text).items()}


def _data_set(name: str, entry: dict[str, Any]) -> DataSet:
    openml = entry.pop("openml", None)
    if openml is not None:
        fields: dict[str, Any] = {
            field: tuple(value) if isinstance(value, list) else value for field, value in openml.items()
        }
        openml = OpenML(**fields)
    return DataSet(name=name, openml=openml, **entry)


def __getattr__(name: str) -> Any:
    if name == "CATALOGUE":
        return _catalogue()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
