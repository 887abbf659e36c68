"""Classifiers by name, and files of fitted ones."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any


def make_classifiers(
    names: Iterable[str] | None, params: Sequence[str] | None, common: Mapping[str, Any]
) -> dict[str, Any]:
    """Unfitted classifiers by name; None means all of them.

    Each of `params` (``k=2``) goes to every classifier that has such a parameter, and one at least must.
    `common` are parameters that all have; `params` outdo them. What is None there stays at the default of the
    classifier. One that draws at random gets the seed 0, so that a command can be repeated.
    """
    from seminaive import all_classifiers

    known = all_classifiers()
    chosen = list(known) if names is None else list(dict.fromkeys(_find(name, known) for name in names))
    given = dict(_parse(param) for param in params or [])
    chosen_for_all = {key: _plain(value) for key, value in common.items() if value is not None}
    accepted = {name: known[name]().get_params() for name in chosen}
    for param in given:
        if not any(param in own for own in accepted.values()):
            own = sorted({name for parameters in accepted.values() for name in parameters})
            raise ValueError(
                f"--param: no parameter {param!r} in {' or '.join(chosen)}"
                f"{_near(param, own)}; parameters: {', '.join(own)}"
            )
    return {
        name: known[name](
            **{
                key: value
                for key, value in {"random_state": 0, **chosen_for_all, **given}.items()
                if key in accepted[name]
            }
        )
        for name in chosen
    }


def load_model(path: Path) -> Any:
    """Read a model file; anything else is a ValueError."""
    import seminaive

    return seminaive.load(_existing(path))


def holds_counts(path: Path) -> bool:
    """Whether a file is a counts file; a file that is none of this library is a ValueError."""
    from seminaive.persistence.archive import kind_of_archive

    return kind_of_archive(_existing(path)) == "counts"


def load_counts(path: Path) -> Any:
    """Read a counts file; anything else is a ValueError."""
    from seminaive import Counts

    return Counts.load(_existing(path))


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    return path


def _find(name: str, known: Mapping[str, Any]) -> str:
    folded = {_fold(other): other for other in known}
    if _fold(name) in folded:
        return folded[_fold(name)]
    raise ValueError(f"there is no classifier {name!r}{_near(name, known)}; there are {', '.join(known)}")


def _fold(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "").replace(" ", "")


def _parse(param: str) -> tuple[str, Any]:
    name, equals, text = param.partition("=")
    if not equals or not name.strip():
        raise ValueError(f"--param {param!r} is not of the form NAME=VALUE, for instance k=2")
    text = text.strip()
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return name.strip(), words[text.lower()]
    try:
        return name.strip(), ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return name.strip(), text


def _plain(value: Any) -> Any:
    """The text of an option that is one of some words."""
    return value.value if isinstance(value, StrEnum) else value


def _near(name: str, names: Iterable[str]) -> str:
    folded = {other.lower(): other for other in names}
    near = difflib.get_close_matches(name.lower(), folded, n=1)
    return f" (did you mean {folded[near[0]]!r}?)" if near else ""
