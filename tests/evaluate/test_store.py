"""A store of results: whatever was written whole comes back, whatever was not is recognised."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seminaive.evaluate.store import FIELDS, CellRecord, ResultStore, newest, pack_codes, unpack_codes

RECORD = CellRecord("c0ffee", "zoo", "NB", "cross-validation", 3, 90, 11, zero_one_loss=1 / 11, peak_bytes=7)


def same(first, second):
    return all(
        a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b))
        for a, b in ((getattr(first, name), getattr(second, name)) for name in FIELDS)
    )


def test_records_come_back_to_the_last_digit(tmp_path):
    store = ResultStore(tmp_path / "new" / "results.csv")
    assert store.read() == []
    other = replace(RECORD, cell="beef", error='ValueError: a "strange", one\nwith two lines', auc=0.1 + 0.2)
    store.append(RECORD)
    store.append(other)
    first, second = store.read()
    assert same(first, RECORD)
    assert same(second, replace(other, error='ValueError: a "strange", one with two lines'))


def test_the_last_record_of_a_cell_counts(tmp_path):
    store = ResultStore(tmp_path / "results.csv")
    store.append(replace(RECORD, error="MemoryError: too large"))
    store.append(RECORD)
    assert same(newest(store.read())["c0ffee"], RECORD)


@given(st.lists(st.integers(0, 300), max_size=40))
def test_codes_come_back(codes):
    assert unpack_codes(pack_codes(np.array(codes, dtype=np.int64))).tolist() == codes


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_file_cut_anywhere_keeps_its_whole_lines(tmp_path, data):
    path = tmp_path / "results.csv"
    path.unlink(missing_ok=True)
    store = ResultStore(path)
    records = [replace(RECORD, cell=f"cell {i}", classes=pack_codes(np.arange(i))) for i in range(4)]
    for record in records:
        store.append(record)
    content = path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(content) if byte == ord("\n")]
    cut = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:cut])
    whole = max(0, sum(end <= cut for end in ends) - 1)
    assert [record.cell for record in store.read()] == [record.cell for record in records[:whole]]
    store.repair()
    for record in records[whole:]:
        store.append(record)
    assert path.read_bytes() == content
    assert store.repair() == 0


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_byte_does_not_pass(tmp_path, data):
    path = tmp_path / "results.csv"
    path.unlink(missing_ok=True)
    store = ResultStore(path)
    for i in range(4):
        store.append(replace(RECORD, cell=f"cell {i}"))
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(content.index(b"\n") + 1, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(bytes(content))
    kept = [record.cell for record in store.read()]
    assert len(kept) >= 2  # a lost end of line costs two
    assert set(kept) <= {f"cell {i}" for i in range(4)}


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"results\.csv: not a store"):
        ResultStore(path).read()
    assert path.read_text() == "a,b\n1,2\n"
