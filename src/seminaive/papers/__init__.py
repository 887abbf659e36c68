"""The papers on this family: their experiments, one file a paper, and what they print.

`PAPERS` maps the short name of each to its `Paper`, which is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seminaive.papers.paper import Paper

__all__ = ["PAPERS"]

# oldest first
_MODULES = {
    "averaged-kdb": "averaged_kdb",
    "personalized-kdb": "personalized_kdb",
    "adaptive-kdb": "adaptive_kdb",
    "awode": "awode",
}


class _Papers(Mapping[str, "Paper"]):
    """Papers by key; the keys cost no import."""

    def __getitem__(self, key: str) -> Paper:
        paper: Paper = importlib.import_module(f"seminaive.papers.{_MODULES[key]}").PAPER
        return paper

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


PAPERS: Mapping[str, Paper] = _Papers()
