"""Every classifier in a form that tests can repeat, compare and afford."""

from __future__ import annotations

from functools import partial
from typing import Any

from seminaive import all_classifiers

__all__ = ["DRAWING", "EVERY", "repeatable"]

# one that draws gets a seed and little to draw, and reads columns as all others do
_DRAWING: dict[str, dict[str, Any]] = {
    "AveragedNetworks": {
        "n_members": 2,
        "k": 2,
        "depths": (1, 2),
        "random_state": 0,
        "missing": "ignore",
        "discretizer": "mdlp",
    }
}


def repeatable(name: str) -> Any:
    """What makes a classifier of this name."""
    cls = all_classifiers()[name]
    if name not in _DRAWING:
        return cls
    made = partial(cls, **_DRAWING[name])
    made.__name__ = name  # type: ignore[attr-defined]
    return made


DRAWING = frozenset(_DRAWING)
EVERY = {name: repeatable(name) for name in all_classifiers()}
