"""Checkpoints: what a pass over a source has got so far, in a file that is there whole or not at all."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from seminaive.persistence.archive import read_archive, write_archive
from seminaive.persistence.values import Packer, Unpacker
from seminaive.sources.base import Position, Source, SourceError

__all__ = ["Passes"]

_KIND = "checkpoint"
_SHARE = 0.1  # of the time, at the most, goes into writing

Progress = Callable[[float | None, str], None]


class Passes:
    """Passes over a source, one after the other, that can be taken up again where they stopped.

    Parameters
    ----------
    source : Source
    options : str
        All that decides what is counted; a checkpoint of other options is refused.
    checkpoint : path-like or None
        File that is written every few batches and removed by `close`. None: nothing is written.
    progress : callable or None
        Called with the share of the pass that is done, None where it is not known, and what is done.

    Raises
    ------
    SourceError
        The checkpoint belongs to other rows or options, or the source cannot begin in the middle.
    """

    def __init__(
        self, source: Source, options: str, checkpoint: Any = None, progress: Progress | None = None
    ) -> None:
        self.source = source
        self.options = options
        self.path = None if checkpoint is None else Path(checkpoint)
        self.progress = progress
        self.begin = Position()
        self._name = ""
        self._done: dict[str, Any] = {}
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
                self._done[name] = tally
                return tally
            self.begin = Position(*position)
        watched = self.path is not None or self.progress is not None
        tally = self.source.tally(tally, columns, self if watched else None)
        self._done[name] = tally
        if self.path is not None:
            self._write(None, None)
        return tally

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


def _difference(there: Any, here: Any) -> str:
    if isinstance(there, list) and isinstance(here, list):
        if len(there) != len(here):
            return f"{len(there)} part(s) there, {len(here)} here"
        there, here = next((a, b) for a, b in zip(there, here, strict=True) if a != b)
    return f"{there} there, {here} here"
