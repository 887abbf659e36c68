"""Every classifier in a form that tests can repeat and afford."""

from __future__ import annotations

from functools import partial
from typing import Any

from seminaive import all_classifiers

__all__ = ["repeatable"]

_DRAWING = {"AveragedNetworks": {"n_members": 2, "k": 2, "depths": (1, 2), "random_state": 0}}


def repeatable(name: str) -> Any:
    """What makes a classifier of this name; one that draws gets a seed, and little to draw."""
    return partial(all_classifiers()[name], **_DRAWING.get(name, {}))
