"""Ways to damage a file, and ways to forge one whose checksums are right."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np

HUGE = ["9" * 5000, 10**30, -(10**30), 2**63, 2**62, 1e308, -1, 0, 1, 2, 3, 255, 65536]
STRANGE = [*HUGE, None, True, "", "x", [], {}, [[[]]], {"tuple": []}, {"array": 0}, {"float": "nan"}]


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return stream.getvalue()


def with_json(data: bytes, name: str, change: Callable[[Any], Any]) -> bytes:
    """The file with another JSON member, its checksum right."""
    parts = members(data)
    return packed({**parts, name: json.dumps(change(json.loads(parts[name]))).encode()})


def with_array(data: bytes, number: int, change: Callable[[np.ndarray], np.ndarray]) -> bytes:
    """The file with another array, its checksum right."""
    parts = members(data)
    name = f"arrays/{number}.npy"
    stream = io.BytesIO()
    np.save(stream, change(np.load(io.BytesIO(parts[name]), allow_pickle=False)))
    return packed({**parts, name: stream.getvalue()})


# --- damage: the file has to be refused, or to be the same model


def flip_bits(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8])):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def blank(data: bytes, rng: random.Random) -> bytes:
    begin = rng.randrange(len(data))
    end = min(len(data), begin + rng.choice([1, 16, 512, 4096]))
    return data[:begin] + bytes(end - begin) + data[end:]


def shuffle(data: bytes, rng: random.Random) -> bytes:
    first, second = sorted(rng.sample(range(len(data)), 2))
    return data[:first] + data[second:] + data[first:second]


def repeat(data: bytes, rng: random.Random) -> bytes:
    begin = rng.randrange(len(data))
    return data[:begin] + data[begin : begin + rng.randrange(1, 2000)] + data[begin:]


def lose_a_member(data: bytes, rng: random.Random) -> bytes:
    parts = members(data)
    del parts[rng.choice(list(parts))]
    return packed(parts)


def add_a_member(data: bytes, rng: random.Random) -> bytes:
    return packed({**members(data), rng.choice(["x", "arrays/99.npy", "__init__.py", "../x"]): b"print()"})


def exchange_members(data: bytes, rng: random.Random) -> bytes:
    parts = members(data)
    first, second = rng.sample(list(parts), 2)
    return packed({**parts, first: parts[second], second: parts[first]})


def compress(data: bytes, rng: random.Random) -> bytes:
    return packed(members(data), rng.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]))


def bomb(data: bytes, rng: random.Random) -> bytes:
    parts = members(data)
    name = rng.choice([name for name in parts if name.endswith(".npy")])
    zeros = bytes(rng.choice([10**6, 3 * 10**7]))
    return packed({**parts, name: parts[name][:128] + zeros}, zipfile.ZIP_DEFLATED)


def overlap(data: bytes, rng: random.Random) -> bytes:
    """Every entry of the directory points to the same, largest member."""
    stream = io.BytesIO(data)
    with zipfile.ZipFile(stream, "a") as archive:
        largest = max(archive.infolist(), key=lambda info: info.file_size)
        for i in range(rng.choice([2, 50])):
            twin = zipfile.ZipInfo(f"arrays/{90 + i}.npy")
            for name in ("header_offset", "file_size", "compress_size", "CRC"):
                setattr(twin, name, getattr(largest, name))
            archive.filelist.append(twin)
            archive.NameToInfo[twin.filename] = twin
        archive._didModify = True
    return stream.getvalue()


def absurd_header(data: bytes, rng: random.Random) -> bytes:
    parts = members(data)
    name = rng.choice([name for name in parts if name.endswith(".npy")])
    shape = rng.choice(["(99999999999999,)", "(-1,)", "(2147483647, 2147483647, 2147483647)", "(1e9,)", "()"])
    shape = rng.choice([shape, "(" * 3000, "-" * 9000 + "1", "(" + "1, " * 3000 + ")"])
    descr = rng.choice(["'<i8'", "'|O'", "'<f8'", "'|V8'", "[('a', '<i8')]", "'<U999999999'", "'<M8[ns]'"])
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    version = rng.choice([b"\x01\x00", b"\x01\x00", b"\x02\x00", b"\x09\x00"])
    begin = b"\x93NUMPY" + version + len(header).to_bytes(2, "little")
    return packed({**parts, name: begin + header + parts[name][128:]})


def pickled_array(data: bytes, rng: random.Random) -> bytes:
    parts = members(data)
    name = rng.choice([name for name in parts if name.endswith(".npy")])
    stream = io.BytesIO()
    np.save(stream, np.array([Bang()], dtype=object), allow_pickle=True)
    return packed({**parts, name: stream.getvalue()})


class Bang:
    """Would be noticed if it were loaded."""

    fired = False

    def __reduce__(self):
        return setattr, (Bang, "fired", True)


def deep_json(data: bytes, rng: random.Random) -> bytes:
    parts = members(data)
    depth = rng.choice([500, 20_000, 200_000])
    begin, end = rng.choice([("[", "]"), ('{"tuple":', "}")])
    name = rng.choice(["content.json", "manifest.json"])
    return packed({**parts, name: (begin * depth + "1" + end * depth).encode()})


def newer(data: bytes, rng: random.Random) -> bytes:
    key = rng.choice(["schema_version", "kind", "format"])
    value = rng.choice([99, -1, None, "model2", [], 10**40])
    return with_json(data, "manifest.json", lambda manifest: {**manifest, key: value})


DAMAGES = [
    *(flip_bits,) * 6,
    *(cut,) * 2,
    *(blank, shuffle, repeat, lose_a_member, add_a_member, exchange_members, compress, bomb, overlap),
    *(absurd_header, absurd_header, pickled_array, deep_json, newer),
]


# --- forgeries: checksums are right; the file has to be refused, or to predict without a crash


def forge_json(data: bytes, rng: random.Random) -> bytes:
    """One leaf or branch of the content is another one."""

    def change(content: Any) -> Any:
        places = []

        def walk(value: Any) -> None:
            keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
            for key in keys:
                places.append((value, key))
                walk(value[key])

        walk(content)
        for _ in range(rng.choice([1, 1, 3])):
            place, key = rng.choice(places)
            other, other_key = rng.choice(places)
            choice = rng.random()
            try:
                if choice < 0.5:
                    place[key] = rng.choice(STRANGE)
                elif choice < 0.7:
                    place[key] = json.loads(json.dumps(other[other_key]))
                elif choice < 0.85:
                    del place[key]
                elif isinstance(place, list):
                    place.insert(key, place[key])
            except (IndexError, KeyError):
                pass
        return content

    return with_json(data, "content.json", change)


def forge_array(data: bytes, rng: random.Random) -> bytes:
    """One array has other values, another shape or another type."""
    numbers = [int(name[7:-4]) for name in members(data) if name.startswith("arrays/")]

    def change(array: np.ndarray) -> np.ndarray:
        choice = rng.random()
        if choice < 0.6 and array.size and array.dtype.kind in "iuf":
            array = array.copy()
            values = [0, 1, 2, 7, 1000]
            if array.dtype.kind == "f":
                values += [np.nan, np.inf, -1, 0.5, 1e308]
            else:
                values += [np.iinfo(array.dtype).max, np.iinfo(array.dtype).min]
            for _ in range(rng.choice([1, 3, array.size])):
                array.flat[rng.randrange(array.size)] = np.array(rng.choice(values)).astype(array.dtype)
            return array
        if choice < 0.75:
            return array.reshape(-1)[: rng.randrange(array.size + 1)]
        if choice < 0.85:
            return np.concatenate([array, array])
        if choice < 0.95 and array.dtype.kind in "biuf":
            return array.astype(rng.choice(["f8", "i8", "i4", "u8", "?", "U5", ">i8"]))
        return array.T.copy()

    return with_array(data, rng.choice(numbers), change)


FORGERIES = [forge_json, forge_array]
