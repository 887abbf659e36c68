"""The zip around JSON and arrays: what is read is what was written, or an error in one line."""

from __future__ import annotations

import json
import pickle
import random
import sys
import zipfile

import numpy as np
import pytest

from seminaive import ModelFileError
from seminaive.persistence import archive
from seminaive.persistence.archive import read_archive, write_archive
from seminaive.persistence.writing import replacing

from mutations import bomb, compress, members, overlap, packed, with_array, with_json  # isort: skip

ARRAYS = [np.arange(5), np.array(["a", "bé"]), np.array([True, False]), np.zeros((0, 3)), np.float32(2.5)]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.model"
    write_archive(path, "model", {"text": "é\ud800", "n": [1, 2.5, None]}, ARRAYS)
    return path


def read(path, kind="model"):
    return read_archive(path, kind, lambda content, array: (content, [array(i) for i in range(len(ARRAYS))]))


def test_what_is_read_is_what_was_written(path):
    content, arrays = read(path)
    assert content == {"text": "é\ud800", "n": [1, 2.5, None]}
    for found, array in zip(arrays, map(np.asarray, ARRAYS), strict=True):
        np.testing.assert_array_equal(found, array)
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        assert found.flags.writeable
        assert found.flags.aligned
        assert found.flags.c_contiguous


def test_other_byte_orders_and_layouts(tmp_path):
    path = tmp_path / "a.model"
    arrays = [
        np.arange(6, dtype=">i8").reshape(2, 3),
        np.arange(6.0).reshape(2, 3).T,
        np.array(["ab"], ">U2"),
    ]
    write_archive(path, "model", 0, arrays)
    found = read_archive(path, "model", lambda _, array: [array(i) for i in range(3)])
    for one, other in zip(found, arrays, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype.isnative


def test_the_file_is_what_it_says(path):
    with zipfile.ZipFile(path) as file:
        assert all(info.compress_type == zipfile.ZIP_STORED for info in file.infolist())
        manifest = json.loads(file.read("manifest.json"))
        assert manifest == {
            "format": "seminaive",
            "kind": "model",
            "schema_version": 1,
            "library_version": sys.modules["seminaive"].__version__,
        }
        np.testing.assert_array_equal(np.load(file.open("arrays/0.npy"), allow_pickle=False), ARRAYS[0])


def test_equal_content_makes_equal_files(path, tmp_path):
    write_archive(tmp_path / "b", "model", {"text": "é\ud800", "n": [1, 2.5, None]}, ARRAYS)
    assert (tmp_path / "b").read_bytes() == path.read_bytes()


def test_every_flipped_bit_is_noticed_or_means_nothing(path):
    """In each byte of the file one bit, which a checksum or the directory of the zip has to notice."""
    data = path.read_bytes()
    expected = read(path)
    rng = random.Random(0)
    unnoticed = 0
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << rng.randrange(8)
        path.write_bytes(changed)
        try:
            content, arrays = read(path)
        except ModelFileError:
            continue
        assert content == expected[0]
        for found, array in zip(arrays, expected[1], strict=True):
            np.testing.assert_array_equal(found, array)
        unnoticed += 1
    assert unnoticed < len(data) / 3  # times, permissions and the like


def test_every_cut_is_noticed(path):
    data = path.read_bytes()
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        with pytest.raises(ModelFileError, match=r"a\.model: "):
            read(path)


def flawed(path, data, match):
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match=match) as caught:
        read(path)
    assert "\n" not in str(caught.value)


def test_files_of_another_kind(path, tmp_path):
    flawed(path, b"", "it is empty")
    flawed(path, b"hello", "not a model file. Write one")
    flawed(path, pickle.dumps([1]), "a pickle, which could run any code and is not loaded")
    flawed(path, packed({"mimetype": b"x"}), "'manifest.json' is missing")
    flawed(path, packed({"manifest.json": b"{}"}), "its manifest is not that of this library")
    flawed(path, packed({"manifest.json": b"[" * 4000}), "damaged")
    flawed(path, packed({"manifest.json": b" " * 5000}), "'manifest.json' is too long")
    write_archive(path, "counts", 0, [])
    flawed(path, path.read_bytes(), "a counts file, where a model file is wanted")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")


def test_members_that_do_not_belong(path):
    data = path.read_bytes()
    rng = random.Random(0)
    flawed(path, packed({**members(data), "x.py": b""}), "'x.py', which belongs to nothing")
    flawed(path, compress(data, rng), "is compressed")
    flawed(path, bomb(data, rng), "is compressed")
    flawed(path, overlap(data, rng), "overlap|damaged")
    less = members(data)
    del less["arrays/2.npy"]
    flawed(path, packed(less), "'arrays/2.npy' is missing")


def test_json_that_is_none(path):
    parts = members(path.read_bytes())
    for text in (b"NaN", b"[" * 100_000, b'{"a":' * 100_000, b"9" * 10_000, b"\xff", b""):
        flawed(path, packed({**parts, "content.json": text}), "damaged")


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<i8', 'fortran_order': False, 'shape': (999999999999999,), }",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (4,), }",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (-5,), }",
        "{'descr': '<i8', 'fortran_order': True, 'shape': (5,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (5,), }",
        "{'descr': '|V8', 'fortran_order': False, 'shape': (5,), }",
        "{'descr': [('a', '<i8')], 'fortran_order': False, 'shape': (5,), }",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (5, 0, 0), }",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (" + "1, " * 60 + "5), }",
        "{'descr': '<M8[eon]', 'fortran_order': False, 'shape': (5,), }",
        "-" * 60_000 + "1",
    ],
    ids=lambda text: text[:60],
)
def test_headers_are_checked_before_memory_is_taken(path, header):
    parts = members(path.read_bytes())
    text = header.encode() + b"\n"
    array = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(40)
    flawed(path, packed({**parts, "arrays/0.npy": array}), "damaged")


def test_arrays_that_python_could_not_bear(path):
    data = path.read_bytes()
    flawed(
        path, with_array(data, 1, lambda a: np.array([0x7FFFFFFF, 1], "<u4").view("U1")), "holds what is no"
    )
    flawed(path, with_array(data, 2, lambda a: np.array([2, 255], "u1").view(bool)), "holds what is no bool")


def test_newer_files(path):
    data = path.read_bytes()
    flawed(path, with_json(data, "manifest.json", lambda m: {**m, "schema_version": 7}), "Install a newer")
    for value in (0, -1, None, "1", 1.0, True):
        changed = with_json(data, "manifest.json", lambda m, v=value: {**m, "schema_version": v})
        flawed(path, changed, "is no schema version")


def test_a_file_appears_whole_or_not_at_all(path, monkeypatch):
    before = path.read_bytes()

    def fail(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(archive.np.lib.format, "write_array", fail)
    with pytest.raises(OSError, match="disk full"):
        write_archive(path, "model", 0, ARRAYS)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_replacing(tmp_path):
    with replacing(tmp_path / "a") as stream:
        stream.write(b"new")
        assert not (tmp_path / "a").exists()
    assert (tmp_path / "a").read_bytes() == b"new"
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "a") as stream:
        raise KeyboardInterrupt
    assert (tmp_path / "a").read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 1
