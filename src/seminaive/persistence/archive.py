"""The files of this library: a zip of JSON and ``.npy`` members, none of which can run anything.

``manifest.json`` says what the file is and who wrote it, ``content.json`` holds everything but the arrays,
``arrays/0.npy``, ``arrays/1.npy``, ... hold these. Members are stored, not compressed, so that a small file
cannot grow in memory, and read with the checksums of the zip.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from seminaive.exceptions import ModelFileError, ModelVersionWarning, warn_user
from seminaive.persistence.writing import replacing

__all__ = ["SCHEMA_VERSION", "kind_of_archive", "read_archive", "write_archive"]

SCHEMA_VERSION = 1
"""Raised when a file has to be read in another way than before."""

_FORMAT = "seminaive"
_MANIFEST, _CONTENT = "manifest.json", "content.json"
_MOST_MANIFEST = 4096  # bytes
_CHUNK = 2**20
_MOST_AXES = 32
# what NumPy writes for arrays of numbers, truth values, text, dates and durations; anything else is refused
_HEADER = re.compile(
    r"\{'descr': '([<>|][biufcUSmM]\d{1,9}(?:\[\w{1,9}\])?)', 'fortran_order': False, "
    r"'shape': \(((?:\d{1,18}, ?)*(?:\d{1,18})?)\), \} *\n"
)
_REMOVE = "Remove it, or name another file."
_REMEDIES = {  # by the kind that is wanted: where a file is of no kind, and where it is damaged
    "model": ("Write one with `seminaive fit` or save().", "Write it anew."),
    "counts": ("Write one with `seminaive count` or save().", "Write it anew."),
    "checkpoint": (_REMOVE, _REMOVE),
}
_LAST_CHARACTER = 0x10FFFF
_EPOCH = (1980, 1, 1, 0, 0, 0)  # of every member, so that equal models make equal files


def _version() -> str:
    return str(sys.modules["seminaive"].__version__)  # layers above are no business of this one


def write_archive(
    path: str | os.PathLike[str], kind: str, content: Any, arrays: Sequence[np.ndarray]
) -> None:
    """Write a file that appears complete or not at all.

    Parameters
    ----------
    path : str or path-like
        An existing file is replaced.
    kind : str
        What the file holds.
    content : JSON values
    arrays : sequence of ndarray
        Of numbers, truth values, text, dates or durations.
    """
    manifest = {
        "format": _FORMAT,
        "kind": kind,
        "schema_version": SCHEMA_VERSION,
        "library_version": _version(),
    }
    with replacing(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, value in ((_MANIFEST, manifest), (_CONTENT, content)):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), json.dumps(value, allow_nan=False))
        for number, array in enumerate(arrays):
            with archive.open(zipfile.ZipInfo(_member(number), _EPOCH), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array, order="C"), (1, 0), allow_pickle=False)


def read_archive(
    path: str | os.PathLike[str], kind: str, build: Callable[[Any, Callable[[int], np.ndarray]], Any]
) -> Any:
    """What ``build(content, array)`` makes of a file; ``array(number)`` reads one of its arrays.

    Parameters
    ----------
    path : str or path-like
    kind : str
        What the file has to hold.
    build : callable
        May raise any ordinary exception for what makes no sense.

    Raises
    ------
    ModelFileError
        For anything but a complete file of this kind.
    OSError
        There is no such file, or it cannot be read.
    """
    path = Path(path)
    with _opened(path, kind) as (archive, members):
        _check_manifest(path, kind, _json(archive, members, _MANIFEST))
        content = _json(archive, members, _CONTENT)
        result = build(content, lambda number: _array(archive, _taken(members, _member(number))))
        if members:
            raise ValueError(f"it holds {sorted(members)[0]!r}, which belongs to nothing")
        return result


def kind_of_archive(path: str | os.PathLike[str]) -> str:
    """What a file says that it holds; of the rest nothing is read.

    Raises
    ------
    ModelFileError
        For anything but a file of this library.
    OSError
        There is no such file, or it cannot be read.
    """
    path = Path(path)
    with _opened(path, "model") as (archive, members):
        return str(_checked_manifest(_json(archive, members, _MANIFEST))["kind"])


@contextlib.contextmanager
def _opened(path: Path, kind: str) -> Iterator[tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]]:
    """An archive and its members; whatever goes wrong while it is open is an error that names the file."""
    with path.open("rb") as stream, _damage(path, kind):
        begin = stream.read(4)
        size = stream.seek(0, os.SEEK_END)
        if begin[:2] != b"PK":
            raise ModelFileError(f"{path}: not a {kind} file{_instead_of_zip(begin)}. {_REMEDIES[kind][0]}")
        with zipfile.ZipFile(stream) as archive:
            yield archive, _members(archive, size)


@contextlib.contextmanager
def _damage(path: Path, kind: str) -> Iterator[None]:
    """Whatever goes wrong with a file is one kind of error, which names the file."""
    try:
        yield
    except (ModelFileError, MemoryError):
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}" if not isinstance(error, ValueError) else str(error)
        raise ModelFileError(
            f"{path}: damaged, cut short, or not written by this library ({' '.join(reason.split())[:300]}). "
            f"{_REMEDIES[kind][1]}"
        ) from error


def _instead_of_zip(begin: bytes) -> str:
    if not begin:
        return ": it is empty"
    if begin[0] == 0x80:
        return " but a pickle, which could run any code and is not loaded"
    return ""


def _member(number: int) -> str:
    if type(number) is not int:
        raise ValueError(f"{number!r} is no number of an array")
    return f"arrays/{number}.npy"


def _members(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """Members by name; all are stored, and no larger than the file."""
    infos = archive.infolist()
    for info in infos:
        if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
            raise ValueError(f"{info.filename!r} is compressed")
    if sum(info.file_size for info in infos) > size:
        raise ValueError("members overlap or go beyond the end of the file")
    members = {info.filename: info for info in infos}
    if len(members) < len(infos):
        raise ValueError("a member occurs twice")
    return members


def _taken(members: dict[str, zipfile.ZipInfo], name: str) -> zipfile.ZipInfo:
    if name not in members:
        raise ValueError(f"{name!r} is missing")
    return members.pop(name)


def _json(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], name: str) -> Any:
    info = _taken(members, name)
    if name == _MANIFEST and info.file_size > _MOST_MANIFEST:
        raise ValueError(f"{name!r} is too long")
    return json.loads(archive.read(info), parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _checked_manifest(manifest: Any) -> dict[str, Any]:
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise ValueError("its manifest is not that of this library")
    return manifest


def _check_manifest(path: Path, kind: str, manifest: Any) -> None:
    manifest = _checked_manifest(manifest)
    schema_version, version = manifest["schema_version"], str(manifest["library_version"])
    if type(schema_version) is not int or schema_version < 1:
        raise ValueError(f"{schema_version!r} is no schema version")
    if schema_version > SCHEMA_VERSION:
        raise ModelFileError(
            f"{path}: written by seminaive {version} with schema version {schema_version}; this is seminaive "
            f"{_version()}, which reads up to {SCHEMA_VERSION}. Install a newer version."
        )
    if manifest["kind"] != kind:
        raise ModelFileError(f"{path}: a {manifest['kind']} file, where a {kind} file is wanted.")
    if version != _version():
        warn_user(
            f"{path} was written by seminaive {version}, and this is {_version()}: predictions may differ.",
            ModelVersionWarning,
        )


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> np.ndarray:
    """Read an array, after the header was checked against the size of the member."""
    with archive.open(info) as member:
        begin = member.read(10)
        if begin[:8] != b"\x93NUMPY\x01\x00" or len(begin) < 10:
            raise ValueError(f"{info.filename!r} is no array")
        header = _HEADER.fullmatch(member.read(int.from_bytes(begin[8:], "little")).decode("latin1"))
        if header is None:
            raise ValueError(f"{info.filename!r} is laid out in an unknown way")
        dtype, shape = np.dtype(header[1]), tuple(int(n) for n in header[2].split(",") if n.strip())
        rest = info.file_size - member.tell()
        if math.prod(shape) * dtype.itemsize != rest or len(shape) > _MOST_AXES:
            raise ValueError(f"{info.filename!r} is not as long as its header says")
        array = np.empty(shape, dtype=dtype)
        room: Any = array.reshape(-1).view(np.uint8) if rest else bytearray()
        place = 0
        while chunk := member.read(_CHUNK):  # to the end, where the checksum is compared
            room[place : place + len(chunk)] = np.frombuffer(chunk, dtype=np.uint8)
            place += len(chunk)
        if place != rest:
            raise ValueError(f"{info.filename!r} is cut short")
    array = array.astype(dtype.newbyteorder("="), copy=False)
    if array.size and (
        (dtype.kind == "b" and array.view(np.uint8).max() > 1)
        or (dtype.kind == "U" and rest and array.reshape(-1).view(np.uint32).max() > _LAST_CHARACTER)
    ):
        raise ValueError(f"{info.filename!r} holds what is no {dtype.name}")
    return array
