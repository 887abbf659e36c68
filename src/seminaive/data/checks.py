"""Checks of columns and options, and how they name what they found."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from seminaive.data.table import column_names

__all__ = [
    "check_amount",
    "check_flag",
    "check_names",
    "check_number_of_parents",
    "check_option",
    "check_whole",
    "shortened",
]


def check_names(estimator: Any, X: Any) -> None:
    """Compare columns with those seen in fitting as scikit-learn does; say the order where it differs."""
    expected = list(getattr(estimator, "feature_names_in_", []))
    names = column_names(X) if expected else None
    if names is not None and names != expected and sorted(names, key=str) == sorted(expected):
        raise ValueError(
            "The feature names should match those that were passed during fit.\n"
            "Feature names must be in the same order as they were in fit.\n"
            f"In fit: {expected}\nNow: {names}"
        )
    validate_data(estimator, X, reset=False, skip_check_array=True)


def check_option(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    """Raise a ValueError that lists what is allowed."""
    if not any(value is option or (isinstance(value, str) and value == option) for option in allowed):
        raise ValueError(f"{name}={value!r} is not understood. Use one of {', '.join(map(repr, allowed))}.")


def check_amount(name: str, value: Any, *, finite: bool = False) -> None:
    """Raise a ValueError unless the value is a number >= 0, and finite if asked."""
    if (
        not isinstance(value, int | float | np.number)
        or not value >= 0
        or (finite and value > np.finfo(float).max)
    ):
        raise ValueError(f"{name} must be a {'finite ' * finite}number >= 0, got {value!r}.")


def check_flag(name: str, value: Any) -> None:
    """Raise a ValueError unless the value is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}.")


def check_number_of_parents(k: Any, name: str = "k") -> None:
    """Raise a ValueError unless ``k`` is an integer >= 0."""
    check_whole(name, k, 0)


def check_whole(name: str, value: Any, least: int) -> None:
    """Raise a ValueError unless the value is an integer of at least ``least``."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be an integer >= {least}, got {value!r}.")


def shortened(values: Iterable[Any], limit: int = 20) -> str:
    listed = [repr(value) for value in values]
    return (
        "[" + ", ".join(listed[:limit]) + (f", ... {len(listed)} in all" if len(listed) > limit else "") + "]"
    )
