"""Files that are read in batches: when, and how they become a source."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

_PARQUET = (".parquet", ".pq")
_ARROW = (".arrow", ".arrows", ".feather", ".ipc")
_TEXT = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
_EXPANSION = 8  # bytes in memory per byte of a file, roughly: what a whole table would take


def are_streamed(paths: Sequence[Path], wanted: bool) -> bool:
    """Whether files are read in batches: on request, several of them, or too much for memory at once."""
    from seminaive.counts.plan import default_memory_limit

    if wanted or len(paths) != 1 or paths[0].is_dir():
        return True
    too_large = paths[0].exists() and paths[0].stat().st_size * _EXPANSION > default_memory_limit()
    return too_large and paths[0].name.lower().endswith((*_PARQUET, *_ARROW, *_TEXT))


def source_of(
    paths: Sequence[Path],
    *,
    target: str | None = None,
    weight: str | None = None,
    categorical: Sequence[str] | None = None,
    numeric: Sequence[str] | None = None,
    whole: Sequence[str] = (),
    drop: Sequence[str] | None = None,
    na_values: Sequence[str] | None = None,
    delimiter: str | None = None,
) -> Any:
    """The source of files of one kind, from options of the command line.

    Text files keep the spelling of ``categorical`` columns; ``whole`` ones are named one by one.
    """
    from seminaive.cli.tables import reading_options, split_names
    from seminaive.sources.arrow import scan_arrow, scan_csv, scan_parquet

    names = [path.name.lower() for path in _files(paths)]
    options: Any = {"target": target, "weight": weight, "drop": split_names(drop)}
    if all(name.endswith(_PARQUET) for name in names):
        return scan_parquet(paths, **options)
    if all(name.endswith(_ARROW) for name in names):
        return scan_arrow(list(paths), **options)
    if all(name.endswith(_TEXT) for name in names):
        types = {
            **dict.fromkeys(whole, "integer"),
            **dict.fromkeys(split_names(numeric), "number"),
            **dict.fromkeys(split_names(categorical), "text"),
        }
        return scan_csv(paths, types=types, **options, **reading_options(na_values, delimiter))
    raise ValueError(
        f"{paths[0]}: files that are read in batches are Parquet, CSV or Arrow IPC files, all of one kind"
    )


def described(source: Any) -> str:
    """How much there is to read, in one line."""
    from seminaive.cli.tables import number

    attributes = len(source.schema.names) - (1 if source.weight is None else 2)
    rows = [] if source.n_rows is None else [number(source.n_rows, "row")]
    parts = [number(len(source.parts), "file"), *rows, number(attributes, "attribute")]
    return f"{', '.join(parts)}, read in batches"


def marked(categorical: Sequence[str] | None) -> dict[str, Any]:
    """Parameters that tell a classifier which columns of a source are categories."""
    from seminaive.cli.tables import split_names

    return {"categorical_features": split_names(categorical) or "from_dtype"}


def _files(paths: Sequence[Path]) -> list[Path]:
    known = (*_PARQUET, *_ARROW, *_TEXT)
    found = []
    for path in paths:
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        found += [file for file in inside if file.name.lower().endswith(known) or not path.is_dir()]
    return found or list(paths)


@contextlib.contextmanager
def batch_bar(title: str) -> Iterator[Callable[[float | None, str], None] | None]:
    """A callback for the methods on sources that moves a bar with the time left."""
    from seminaive.cli.output import share_bar

    with share_bar(title) as advance:
        if advance is None:
            yield None
            return

        def tell(share: float | None, what: str) -> None:
            advance(0.0 if share is None else share, what)

        yield tell
