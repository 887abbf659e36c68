"""Where rows come from: text files, Arrow files, data sets, and what is wrong with them."""

from __future__ import annotations

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamed import assert_same_model, features, fit_in_memory, random_table

from seminaive import AODE, KDB, NaiveBayes, from_table, scan_arrow, scan_csv, scan_parquet
from seminaive.data.text_dictionary import TextDictionary
from seminaive.kernels.encode import whole_rows
from seminaive.sources import arrow
from seminaive.sources.base import SourceError
from seminaive.sources.files import read_table, write_table


def rows_of(source):
    """All rows of a source, dictionaries decoded."""
    batches = list(source.batches(source.schema.names))
    table = pa.Table.from_batches(batches)
    return {name: table[name].to_pylist() for name in table.column_names}


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".tsv"])
def test_text_files_are_read_as_whole_tables_are(tmp_path, suffix):
    table = random_table(np.random.default_rng(0), 300)
    write_table(table, tmp_path / f"a{suffix}")
    source = scan_csv(tmp_path / f"a{suffix}", target="y")
    assert rows_of(source) == read_table(tmp_path / f"a{suffix}").to_pydict()
    model = KDB().fit_source(source)
    assert_same_model(model, fit_in_memory(KDB(), read_table(tmp_path / f"a{suffix}")), table)


def test_blanks_quotes_markers_and_codes(tmp_path):
    file = tmp_path / "a.csv"
    text = ' name ,"a;b", code,n,empty\n x ," two\nlines",007, 1 ,\n?,NA,010,2.5,\n"say ""hi""",z,001,NA,\n'
    file.write_text(text)
    source = scan_csv(file)
    assert rows_of(source) == read_table(file).to_pydict()
    assert rows_of(source)["name"] == ["x", None, 'say "hi"']
    assert rows_of(source)["code"] == ["007", "010", "001"]
    assert rows_of(scan_csv(file, types={"code": "integer", "n": "text"}))["code"] == [7, 10, 1]
    assert rows_of(scan_csv(file, na_values=["x"]))["name"] == [None, "?", 'say "hi"']


def test_small_blocks_cut_nothing_apart(tmp_path, monkeypatch):
    from seminaive.sources import arrow

    table = random_table(np.random.default_rng(1), 400)
    write_table(table, tmp_path / "a.csv")
    monkeypatch.setattr(arrow, "_TEXT_BLOCK", 300)
    monkeypatch.setattr(arrow, "_TEXT_BLOCKS", 1)
    monkeypatch.setattr(arrow, "_SAMPLE", 700)
    source = scan_csv(tmp_path / "a.csv", target="y")
    assert len(list(source.batches(["y"]))) > 20
    assert rows_of(source) == read_table(tmp_path / "a.csv").to_pydict()


# pieces of rows: fields in quotes, with line breaks and doubled quotes, and all that is no good manners
QUOTED = ['""', '"a"', '"a,b"', '"a\nb"', '"a""b"']
PIECES = ["a", "ab", "\u00e9", " ", ",", ",", "\n", "\n", "\r\n", '"', "\ufeff", *QUOTED]


def read_alone(monkeypatch, file, columns):
    """What one thread reads, or the error that it ends with."""
    from seminaive.sources import arrow

    def nothing(stream, delimiter):
        raise arrow._UnusualText
        yield

    with monkeypatch.context() as patch:
        patch.setattr(arrow, "_whole_rows", nothing)
        return read_or_fail(file, columns)


def read_or_fail(file, columns):
    try:
        source = scan_csv(file, types=dict.fromkeys(columns, "text"), delimiter=",")
        return [row for batch in source.batches(source.schema.names) for row in batch.to_pylist()]
    except SourceError as error:
        return str(error)


@pytest.mark.parametrize("block", [32, 50, 4096])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.sampled_from(PIECES), max_size=60), regular=st.booleans())
def test_threads_read_what_one_thread_reads(tmp_path, monkeypatch, rows, regular, block):
    from seminaive.sources import arrow

    if regular:  # fields that are in order, and so mostly read by the threads
        fields = [piece for piece in rows if piece not in (",", '"', "\n", "\r\n", "\ufeff")]
        rows = [field + ",\n"[k % 2] for k, field in enumerate(fields[: len(fields) // 2 * 2])]
    file = tmp_path / "a.csv"
    file.write_bytes(("x,y\n" + "".join(rows)).encode())
    monkeypatch.setattr(arrow, "_TEXT_BLOCK", block)
    assert read_or_fail(file, "xy") == read_alone(monkeypatch, file, "xy")


def test_an_error_late_in_a_file(tmp_path, monkeypatch):
    from seminaive.sources import arrow

    file = tmp_path / "a.csv"
    file.write_text("x,y\n" + "1,a\n" * 500 + "2\n" + "1,a\n" * 500)
    monkeypatch.setattr(arrow, "_TEXT_BLOCK", 256)
    with pytest.raises(SourceError, match=r"a\.csv: .*Expected 2 columns, got 1: 2; every row"):
        NaiveBayes().fit_source(scan_csv(file, target="y"))


@settings(max_examples=300, deadline=None)
@given(text=st.text('ab,"\n\r', max_size=200), begin=st.integers(0, 70))
def test_where_rows_end(text, begin):
    data = np.frombuffer(b"a" * begin + text.encode(), dtype=np.uint8)
    padded = np.concatenate([data, np.full(64, ord("\n"), dtype=np.uint8)])
    end, has_breaks = whole_rows(padded, len(data), np.uint8(ord(",")))
    characters, quoted, last, breaks = "a" * begin + text, False, 0, False
    for k, c in enumerate(characters):
        before, after = characters[k - 1 : k] if k else "\n", characters[k + 1 : k + 2] or "\n"
        if c == '"':
            quoted = not quoted
            if (quoted and before not in '",\n') or (not quoted and after not in '",\n\r'):
                assert end == -1
                return
        elif c == "\n" and quoted:
            breaks = True
        elif c == "\n":
            last = k + 1
    assert (end, has_breaks) == (last, breaks)


def test_whole_numbers_here_and_others_there_are_numbers(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,a\n2,b\n")
    (tmp_path / "b.csv").write_text("y,x\nb,2.5\na,NA\n")
    (tmp_path / "c.csv").write_text("y,x\n")
    source = scan_csv(tmp_path, target="y")
    assert rows_of(source) == {"x": [1.0, 2.0, 2.5, None], "y": ["a", "b", "b", "a"]}
    assert source.schema.field("x").type == pa.float64()
    (tmp_path / "d.csv").write_text("y,x\na,much\n")
    with pytest.raises(SourceError, match=r"d\.csv: column 'x' holds text, and in .*a\.csv floating-point"):
        scan_csv(tmp_path, target="y")


def test_a_value_that_the_first_megabyte_did_not_foretell(tmp_path, monkeypatch):
    from seminaive.sources import arrow

    monkeypatch.setattr(arrow, "_SAMPLE", 64)
    file = tmp_path / "a.csv"
    file.write_text("x,y\n" + "1,a\n" * 50 + "much,b\n")
    with pytest.raises(
        SourceError, match=r"a\.csv: column 'x' was taken to hold int64 .*types=\{'x': 'text'\}"
    ):
        NaiveBayes().fit_source(scan_csv(file, target="y"))
    assert NaiveBayes().fit_source(scan_csv(file, target="y", types={"x": "text"})).class_count_.sum() == 51


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("x,y\n1,a\n1,2,3\n", "Expected 2 columns, got 3"),
        ("x,x\n1,a\n", "column name 'x' occurs more than once"),
        ("x,y\n1,\xff\n", "not UTF-8"),
    ],
)
def test_broken_text_files(tmp_path, text, message):
    file = tmp_path / "a.csv"
    file.write_bytes(text.encode("latin1"))
    with pytest.raises(ValueError, match=message):
        rows_of(scan_csv(file))
    file.write_text("x,y\n1,a\n")
    with pytest.raises(SourceError, match=r"a\.csv: there is no column 'z' \(types=.*Columns: \['x', 'y'\]"):
        scan_csv(file, types={"z": "text"})


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_text_far_down_that_is_not_utf_8(tmp_path, monkeypatch, quote):
    def unusual(stream, delimiter):
        raise arrow._UnusualText

    file = tmp_path / "a.csv"
    rows = b"u,1.5,k\nv,2,l\n" * 100_000  # more than the sample that says what the columns hold
    bad = f"{quote}caf\xe9{quote},1,k\n".encode("latin1")
    file.write_bytes(b"a,b,y\n" + rows + bad + rows)
    with pytest.raises(SourceError, match=r"a\.csv: column 'a': the text is not UTF-8; save it as UTF-8"):
        NaiveBayes().fit_source(scan_csv(file, target="y"))
    monkeypatch.setattr(arrow, "_whole_rows", unusual)
    with pytest.raises(SourceError, match=r"a\.csv: column 'a': the text is not UTF-8"):
        NaiveBayes().fit_source(scan_csv(file, target="y"))


def test_bytes_under_a_null_mean_nothing():
    """Arrow allows anything there, even what is no UTF-8."""
    ends, text = np.array([0, 1, 3, 4, 5], dtype=np.int32), b"a\xff\xfebc"
    buffers = [pa.py_buffer(bytes([0b1101])), pa.py_buffer(ends), pa.py_buffer(text)]
    table = pa.table({"a": pa.Array.from_buffers(pa.string(), 4, buffers), "y": ["p", "q", "p", "q"]})
    model = NaiveBayes().fit_source(scan_arrow(table, target="y"))
    assert model.schema_[0].values == ("a", "b", "c")
    assert_same_model(model, fit_in_memory(NaiveBayes(), table), table)


def test_arrow_files_and_gaps_in_them(tmp_path):
    table = random_table(np.random.default_rng(0), 100)
    pyarrow.feather.write_feather(table.slice(0, 40), tmp_path / "a.feather", chunksize=7)
    with pa.ipc.new_stream(str(tmp_path / "b.arrow"), table.schema) as writer:
        writer.write_table(table.slice(40), max_chunksize=13)
    source = scan_arrow([tmp_path / "a.feather", tmp_path / "b.arrow"], target="y", batch_rows=5)
    assert rows_of(source) == table.to_pydict()
    assert_same_model(AODE().fit_source(source), fit_in_memory(AODE(), table), table)


def test_a_data_set_with_partitions(tmp_path):
    table = random_table(np.random.default_rng(0), 100)
    partitioning = ds.partitioning(pa.schema([("c0", pa.string())]), flavor="hive")
    ds.write_dataset(
        table.drop(["x", "flag"]), tmp_path / "data", format="parquet", partitioning=partitioning
    )
    whole = ds.dataset(tmp_path / "data", partitioning=partitioning)
    model = AODE().fit_source(scan_arrow(whole, target="y", batch_rows=9))
    reference = fit_in_memory(AODE(), whole.to_table())
    assert_same_model(model, reference, table.select(whole.schema.names))


def test_widths_and_encodings_may_differ_but_not_kinds(tmp_path):
    values = ["a", None, "b"]
    parts = [
        (pa.array(values), pa.array([1, 2, 3], pa.int8()), pa.array([1, 0, 1], pa.int8())),
        (pa.array(values, pa.large_string()), pa.array([4, 5, 6]), pa.array([1, 0, 300])),
        (pa.array(values).dictionary_encode(), pa.nulls(3), pa.array([1, 0, 1], pa.int16())),
        (pa.nulls(3), pa.array([7, 8, 9], pa.uint16()), pa.array([1, 0, 1], pa.uint8())),
    ]
    for number, columns in enumerate(parts):
        table = pa.table(list(columns), names=["t", "n", "y"])
        pq.write_table(table, tmp_path / f"{number}.parquet")
    model = NaiveBayes(categorical_features=["n"]).fit_source(scan_parquet(tmp_path, target="y"))
    assert model.schema_[0].values == ("a", "b")
    assert model.schema_[1].values == tuple(range(1, 10))
    assert model.classes_.tolist() == [0, 1, 300]
    pq.write_table(pa.table({"t": values, "n": [1.5, 2.5, 3.5], "y": [1, 0, 1]}), tmp_path / "9.parquet")
    with pytest.raises(
        SourceError, match=r"9\.parquet: column 'n' holds floating-point numbers, and in .*integers"
    ):
        scan_parquet(tmp_path, target="y")
    assert scan_parquet(tmp_path, target="y", drop=["n"]).schema.names == ["t", "y"]


def test_files_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        scan_parquet(tmp_path / "a.parquet")
    with pytest.raises(FileNotFoundError, match=r"no file that ends in \.parquet or \.pq"):
        scan_parquet(tmp_path)
    with pytest.raises(FileNotFoundError, match="no such file"):
        scan_parquet(str(tmp_path / "*.parquet"))
    with pytest.raises(FileNotFoundError, match="empty"):
        scan_parquet([])
    (tmp_path / "a.parquet").write_text("no")
    with pytest.raises(SourceError, match=r"a\.parquet: .*"):
        scan_parquet(tmp_path)
    with pytest.raises(SourceError, match="no record batch"):
        scan_arrow(list)
    with pytest.raises(TypeError, match="needs record batches, and got a int"):
        scan_arrow([1, 2])
    first, other = pa.record_batch({"a": ["x"]}), pa.record_batch({"b": ["x"]})
    with pytest.raises(SourceError, match="record batch 1: column 'a' is missing"):
        rows_of(scan_arrow([first, other]))


def test_a_file_that_breaks_off_stops_the_fit(tmp_path):
    table = random_table(np.random.default_rng(0), 1000)
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=100, compression="none")
    content = bytearray((tmp_path / "a.parquet").read_bytes())
    content[200:2000] = b"\x00" * 1800
    (tmp_path / "a.parquet").write_bytes(content)
    model = NaiveBayes()
    with pytest.raises(SourceError, match=r"a\.parquet: "):
        model.fit_source(scan_parquet(tmp_path, target="y"))
    assert not hasattr(model, "classes_")


def test_a_reader_that_is_left_stops_its_thread():
    import threading

    before = threading.active_count()
    batches = from_table(random_table(np.random.default_rng(0), 1000), batch_rows=5).batches(["c0"])
    next(batches)
    batches.close()
    assert threading.active_count() == before


def test_a_name_of_a_file_stands_in_every_error_about_its_rows(tmp_path):
    table = features(random_table(np.random.default_rng(0), 20))
    pq.write_table(table.append_column("y", pa.array(["a", None] * 10)), tmp_path / "bad.parquet")
    with pytest.raises(SourceError, match=r"bad\.parquet: the target 'y' is missing in 10 of 20 rows"):
        NaiveBayes().fit_source(scan_parquet(tmp_path, target="y"))


@settings(max_examples=60, deadline=None)
@given(
    batches=st.lists(
        st.lists(st.none() | st.text("ab\u00fc\0", max_size=70), max_size=80), min_size=1, max_size=5
    ),
    skipped=st.integers(0, 3),
    large=st.booleans(),
)
def test_texts_are_told_apart_as_arrow_does(batches, skipped, large):
    dictionary, known = TextDictionary(), {}
    for values in batches:
        column = pa.array(values, pa.large_string() if large else pa.string()).slice(skipped)
        indices, entries = dictionary.encode(column)
        entries = entries.to_pylist()
        assert [None if i == len(entries) else entries[i] for i in indices.tolist()] == values[skipped:]
        assert len(set(entries)) == len(entries)
        assert entries[: len(known)] == list(known)
        known = dict.fromkeys(entries)


def test_many_texts(tmp_path):
    values = [f"text {i % 7000}" for i in range(20_000)]
    indices, entries = TextDictionary().encode(pa.array(values))
    assert entries.to_pylist() == values[:7000]
    assert indices.tolist() == [i % 7000 for i in range(20_000)]
    with gzip.open(tmp_path / "a.csv.gz", "wt") as file:
        file.write("t,y\n" + "".join(f"{value},{i % 2}\n" for i, value in enumerate(values)))
    model = NaiveBayes().fit_source(scan_csv(tmp_path, target="y"))
    assert model.schema_[0].n_values == 7000
