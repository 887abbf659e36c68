"""Checkpoints: what a pass over a source has got so far, in a file that is there whole or not at all."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator

from seminaive.counts.tallies import LabelledRows
from seminaive.persistence.archive import read_archive, write_archive
from seminaive.persistence.values import Packer, Unpacker
from seminaive.sources.base import Position, Source, SourceError

__all__ = ["Passes"]

_KIND = "checkpoint"
_SHARE = 0.1  # of the time, at the most, goes into writing
_SHOWN = 200  # characters of an option in a message

Progress = Callable[[float | None, str], None]


class Passes:
    """Passes over a source, one after the other, that can be taken up again where they stopped.

    Parameters
    ----------
    source : Source
    options : mapping of str
        All that decides what is counted, by name; a checkpoint of other options is refused.
    checkpoint : path-like or None
        File that is written every few batches and removed by `close`. None: nothing is written.
    progress : callable or None
        Called with the share of the pass that is done, None where it is not known, and what is done.

    Raises
    ------
    SourceError
        The checkpoint belongs to other rows or options, the source cannot begin in the middle, or two passes
        were over different rows.
    """

    def __init__(
        self,
        source: Source,
        options: Mapping[str, Any],
        checkpoint: Any = None,
        progress: Progress | None = None,
    ) -> None:
        self.source = source
        self.options = {name: in_full(value) for name, value in options.items()}
        self.path = None if checkpoint is None else Path(checkpoint)
        self.progress = progress
        self.begin = Position()
        self._name = ""
        self._done: dict[str, Any] = {}
        self._first: tuple[str, LabelledRows] | None = None
        self._state: dict[str, Any] = {}
        self._arrays: list[Any] = []
        self._last, self._seconds = 0.0, 0.0
        if self.path is not None:
            if not source.resumable:
                raise SourceError(
                    f"{type(source).__name__} cannot begin in the middle. Leave out checkpoint=."
                )
            if not self.path.parent.is_dir():
                raise SourceError(f"{self.path}: there is no folder {self.path.parent} for the checkpoint.")
            self._remove_unfinished()
            if self.path.exists():
                self._load()

    def run(self, name: str, tally: Any, columns: list[str]) -> Any:
        """The tally of all rows; from the checkpoint where that holds it, or the beginning of it."""
        self._name, self.begin = name, Position()
        known = self._state.get(name)
        if known is not None:
            position, state = known
            tally.unpack(state, Unpacker(self._arrays.__getitem__))
            if position is None:
                self._first = self._first or (name, tally.rows)
                self._done[name] = tally
                return tally
            self.begin = Position(*position)
        watched = self.path is not None or self.progress is not None
        tally = self.source.tally(tally, columns, self if watched else None)
        self._check_rows(name, tally.rows)
        self._done[name] = tally
        if self.path is not None:
            self._write(None, None)
        return tally

    def _check_rows(self, name: str, rows: LabelledRows) -> None:
        """Raise a `SourceError` unless a pass was over as many rows of each class as the first one."""
        first_name, first = self._first = self._first or (name, rows)
        before, now, what = first.n_rows, rows.n_rows, ""
        if before == now:
            for label in {**first.n_of_class, **rows.n_of_class}:
                if first.n_of_class[label] != rows.n_of_class[label]:
                    before, now = first.n_of_class[label], rows.n_of_class[label]
                    what = f" of the class {label!r}"
                    break
        if before != now:
            raise SourceError(
                f"The rows are not those of the pass before: {before:,}{what} in the pass {first_name!r}, "
                f"{now:,} in {name!r}. Learning takes several passes, which need the same rows each time: "
                "leave files alone meanwhile, and keep rows that are computed in memory or in a file."
            )

    def passed(self, tally: Any, position: Position, share: float | None) -> None:
        """Write the checkpoint, unless the last one was written only just now."""
        if self.progress is not None:
            self.progress(share, self._name)
        if self.path is not None and (time.monotonic() - self._last) * _SHARE >= self._seconds:
            self._write(tally, position)

    def close(self) -> None:
        """Remove the checkpoint, which is of no use any more."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
            self._remove_unfinished()

    def _write(self, tally: Any, position: Position | None) -> None:
        begin = time.monotonic()
        packer = Packer()
        tallies = {name: [None, done.pack(packer)] for name, done in self._done.items()}
        if position is not None:
            tallies[self._name] = [list(position), tally.pack(packer)]
        content = {
            "source": self.source.identity,
            "options": self.options,
            "arrays": len(packer.arrays),
            "tallies": tallies,
        }
        assert self.path is not None
        write_archive(self.path, _KIND, content, packer.arrays)
        self._last = time.monotonic()
        self._seconds = self._last - begin

    def _load(self) -> None:
        assert self.path is not None

        def build(content: Any, array: Any) -> tuple[Any, list[Any]]:
            return content, [array(number) for number in range(content["arrays"])]

        content, self._arrays = read_archive(self.path, _KIND, build)
        for what, mine in (("source", self.source.identity), ("options", self.options)):
            if content[what] != mine:
                raise SourceError(
                    f"{self.path}: the checkpoint belongs to other {'rows' if what == 'source' else what}: "
                    f"{_difference(content[what], mine)}. Remove the file, or name another one."
                )
        self._state = content["tallies"]

    def _remove_unfinished(self) -> None:
        """A process that was killed while it wrote leaves a file of another name."""
        assert self.path is not None
        for file in self.path.parent.glob(f".{self.path.name}.????????"):
            with contextlib.suppress(OSError):
                file.unlink()


def in_full(value: Any) -> str:
    """What a parameter is, with nothing left out; the same text in whatever process."""
    if isinstance(value, BaseEstimator):
        return f"{type(value).__name__}({in_full(value.get_params(deep=False))})"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{in_full(key)}: {in_full(part)}' for key, part in value.items())}}}"
    for listed in ("tolist", "to_list", "to_pylist"):  # of arrays and columns repr shows the ends
        if hasattr(value, listed):
            kind = value.dtype if hasattr(value, "dtype") else value.type
            return f"{in_full(getattr(value, listed)())} of {kind}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(in_full, value))}]"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(in_full, value)))}}}"
    return repr(value)


def _difference(there: Any, here: Any) -> str:
    """What differs first between two lists of parts, or two dicts of options."""
    what = ""
    if isinstance(there, list) and isinstance(here, list):
        if len(there) != len(here):
            return f"{len(there)} part(s) there, {len(here)} here"
        there, here = next((a, b) for a, b in zip(there, here, strict=True) if a != b)
    elif isinstance(there, dict):
        name = next(name for name in {**there, **here} if there.get(name) != here.get(name))
        there, here, what = there.get(name, "nothing"), here.get(name, "nothing"), f"{name}="
    place = next((i for i, (a, b) in enumerate(zip(there, here, strict=False)) if a != b), 0)
    return f"{what}{_around(there, place)} there, {what}{_around(here, place)} here"


def _around(text: str, place: int) -> str:
    """A part of a long text, with the place in it."""
    start = max(0, place - _SHOWN // 2)
    shown = text[start : start + _SHOWN]
    return f"{'...' * (start > 0)}{shown}{'...' * (start + _SHOWN < len(text))}"
