"""Reading and writing table files."""

from __future__ import annotations

import gzip

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seminaive.sources.files import (
    MISSING_MARKERS,
    TableFileError,
    as_numbers,
    check_writable,
    declared_categories,
    read_table,
    write_table,
    writing,
)

WEATHER = "outlook,temp,humid,play\nsunny,29.5,85,no\nrainy,?,,yes\n?,21,60,yes\n"
WEATHER_DICT = {
    "outlook": ["sunny", "rainy", None],
    "temp": [29.5, None, 21.0],
    "humid": [85, None, 60],
    "play": ["no", "yes", "yes"],
}


@pytest.fixture
def file(tmp_path):
    def make(name, content):
        path = tmp_path / name
        content = content.encode() if isinstance(content, str) else content
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return path

    return make


def message(call):
    with pytest.raises(TableFileError) as caught:
        call()
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize("name", ["w.csv", "w.csv.gz", "w.CSV", "w.txt", "w.data", "w.dat", "w.Csv.GZ"])
def test_comma_separated(file, name):
    content = WEATHER.encode()
    path = file(name, gzip.compress(content) if name.endswith(".GZ") else content)
    table = read_table(path)
    assert table.to_pydict() == WEATHER_DICT
    assert table.schema.types == [pa.string(), pa.float64(), pa.int64(), pa.string()]


@pytest.mark.parametrize(
    ("name", "separator"), [("w.tsv", "\t"), ("w.tab", "\t"), ("w.csv", ";"), ("w.txt", "|")]
)
def test_separator_is_found(file, name, separator):
    assert read_table(file(name, WEATHER.replace(",", separator))).to_pydict() == WEATHER_DICT


def test_separator_can_be_given(file):
    assert read_table(file("a.csv", "a:b,c\n1:2,3\n"), delimiter=":").to_pydict() == {
        "a": [1],
        "b,c": ["2,3"],
    }
    assert "one character" in message(lambda: read_table(file("a.csv", "a\n1\n"), delimiter="::"))


@pytest.mark.parametrize("marker", MISSING_MARKERS)
def test_markers_of_missing_values(file, marker):
    table = read_table(file("a.csv", f"n,s,last\n1,x,0\n{marker},{marker},0\n {marker} , {marker} ,0\n"))
    assert table["n"].to_pylist() == [1, None, None]
    assert table["s"].to_pylist() == ["x", None, None]


def test_other_markers_replace_the_usual_ones_but_empty_is_always_missing(file):
    path = file("a.csv", "n,s\n-9,NA\n3,\n")
    assert read_table(path, na_values=["-9"]).to_pydict() == {"n": [None, 3], "s": ["NA", None]}


def test_quoted_values_may_hold_separators_quotes_and_line_breaks(file):
    table = read_table(file("a.csv", 'a,"b, c"\n1,"x\ny"\n2,"say ""z"""\n'))
    assert table.to_pydict() == {"a": [1, 2], "b, c": ["x\ny", 'say "z"']}


def test_blanks_around_names_and_values_do_not_count(file):
    assert read_table(file("a.csv", "a , b\n 1, x\n2 , ?\n")).to_pydict() == {"a": [1, 2], "b": ["x", None]}


def test_codes_with_leading_zeros_stay_text(file):
    table = read_table(file("a.csv", "zip,zero,neg,hex\n01234,0,-7,0x1F\n99999,10,-1,0x2A\n"))
    assert table["zip"].to_pylist() == ["01234", "99999"]
    assert table["zero"].to_pylist() == [0, 10]
    assert table["neg"].to_pylist() == [-7, -1]
    assert table["hex"].to_pylist() == ["0x1F", "0x2A"]


def test_columns_can_be_kept_as_text(file):
    table = read_table(file("a.csv", "a,b\n1.0,1.0\n"), text=["a"])
    assert table.to_pydict() == {"a": ["1.0"], "b": [1.0]}


def test_text_stays_text(file):
    table = read_table(
        file("a.csv", "flag,day,time,big\ntrue,2020-01-02,12:30,1e400\nfalse,2020-01-03,12:31,-inf\n")
    )
    assert table["flag"].to_pylist() == ["true", "false"]
    assert table["day"].to_pylist() == ["2020-01-02", "2020-01-03"]
    assert table["time"].to_pylist() == ["12:30", "12:31"]
    assert table["big"].to_pylist() == [float("inf"), float("-inf")]


def test_kind_does_not_depend_on_where_the_first_text_stands(file):
    # a reader that guesses from the first block would call this column a number
    rows = 300_000
    table = read_table(file("a.csv", "a,b\n" + "1,2\n" * rows + "x,2\n"))
    assert table["a"].type == pa.string()
    assert table.num_rows == rows + 1


def test_byte_order_mark_and_old_line_ends(file):
    assert read_table(file("a.csv", b"\xef\xbb\xbfa,b\r\n1,\xc3\xa9\r\n")).to_pydict() == {
        "a": [1],
        "b": ["é"],
    }
    assert read_table(file("b.csv", "a,b\r1,x\r2,y\r")).to_pydict() == {"a": [1, 2], "b": ["x", "y"]}


def test_header_alone_and_nameless_and_empty_columns(file):
    assert read_table(file("a.csv", "a,b\n")).num_rows == 0
    assert read_table(file("b.csv", ",b\n1,x\n")).column_names == ["column 1", "b"]
    assert read_table(file("c.csv", "a,b\n,1\n?,2\n"))["a"].null_count == 2


@pytest.mark.parametrize(
    ("name", "content", "parts"),
    [
        ("a.csv", "a,b,c\n1,2,3\n4,5\n", ["Row #3", "Expected 3 columns, got 2", "delimiter"]),
        ("a.csv", b"a,b\n1,caf\xe9\n", ["not UTF-8", "iconv"]),
        ("a.csv", "a,b\n1,2\n".encode("utf-16"), ["not UTF-8"]),
        ("a.csv", "a,b,a\n1,2,3\n", ["'a' occurs more than once"]),
        ("a.csv", "", ["file is empty", "header"]),
        ("a.csv", "\n\n", ["file is empty"]),
        ("a.csv", 'a,b\n1,"open\n2,3\n4,5\n', ["row 1", "never closed"]),
        ("a.xlsx", "PK", ["unknown file type '.xlsx'", ".csv"]),
        ("a", "a,b\n", ["unknown file type ''"]),
        ("a.parquet", "no", ["not a readable Parquet file"]),
        ("a.arrow", "no", ["not a readable Arrow IPC file"]),
        ("a.arff", "no", ["not readable as ARFF"]),
        ("a.arff", "@relation r\n@attribute a {x,y}\n@data\nx\nz\n", ["'z'".strip("'"), "line 5"]),
        ("a.arff", "@relation r\n@attribute a numeric\n@data\nx\n", ["ARFF"]),
        ("a.arff", b"@relation r\n@attribute a {\xe9,y}\n@data\ny\n", ["not UTF-8"]),
    ],
)
def test_unreadable_files_are_named_with_place_and_remedy(file, name, content, parts):
    path = file(name, content)
    text = message(lambda: read_table(path))
    assert text.startswith(str(path))
    for part in parts:
        assert part in text


def test_compressed_file_that_is_none(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_text("a,b\n1,2\n")
    assert str(path) in message(lambda: read_table(path))
    path.write_bytes(gzip.compress(b"a,b\n1,2\n" * 1000)[:-20])
    assert str(path) in message(lambda: read_table(path))


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nope\.csv: there is no such file"):
        read_table(tmp_path / "nope.csv")
    assert "folder" in message(lambda: read_table(tmp_path))


def test_parquet_and_arrow(tmp_path):
    category = pa.DictionaryArray.from_arrays(pa.array([0, None, 0]), pa.array(["x", "never"]))
    table = pa.table({"a": [1, None, 3], "b": ["x", "y", None], "c": category, "d": [True, False, None]})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    pyarrow.feather.write_feather(table, tmp_path / "t.feather")
    with pa.OSFile(str(tmp_path / "t.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    for name in ("t.parquet", "t.feather", "t.arrow"):
        assert read_table(tmp_path / name).to_pydict() == table.to_pydict()
    assert declared_categories(read_table(tmp_path / "t.arrow")) == {"c": ["x", "never"]}


def test_dictionaries_of_several_batches_are_one(tmp_path):
    batches = [
        pa.record_batch({"a": pa.array(values).dictionary_encode()}) for values in (["x", "y"], ["z", "y"])
    ]
    with pa.OSFile(str(tmp_path / "t.arrow"), "wb") as sink:
        options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=False)
        with pa.ipc.new_stream(sink, batches[0].schema, options=options) as writer:
            for batch in batches:
                writer.write_batch(batch)
    table = read_table(tmp_path / "t.arrow")
    assert table["a"].to_pylist() == ["x", "y", "z", "y"]
    assert declared_categories(table) == {"a": ["x", "y", "z"]}


ARFF = """% comment
@RELATION weather
@attribute 'out look' {sunny, 'over cast', "r,ain", never} % declared but absent
@ATTRIBUTE temp\tREAL
@attribute n INTEGER
@attribute größe {größer,'50%'}
@attribute note string

@data
% another comment
sunny,29.5,3,größer,'a b'
'over cast',?,?,'50%',?

"r,ain",-1e3,0,?,x
?,1,2,größer,''
"""


@pytest.mark.parametrize("name", ["w.arff", "w.arff.gz"])
def test_arff(file, name):
    table = read_table(file(name, ARFF))
    assert table.to_pydict() == {
        "out look": ["sunny", "over cast", "r,ain", None],
        "temp": [29.5, None, -1000.0, 1.0],
        "n": [3, None, 0, 2],
        "größe": ["größer", "50%", None, "größer"],
        "note": ["a b", None, "x", ""],
    }
    assert declared_categories(table) == {
        "out look": ["sunny", "over cast", "r,ain", "never"],
        "größe": ["größer", "50%"],
    }


def test_arff_sparse_and_empty(file):
    head = "@relation r\n@attribute a {x,y}\n@attribute b numeric\n@data\n"
    assert read_table(file("s.arff", head + "{0 y, 1 3}\n{}\n")).to_pydict() == {
        "a": ["y", "x"],
        "b": [3.0, 0.0],
    }
    assert read_table(file("e.arff", head)).to_pydict() == {"a": [], "b": []}


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.tsv", "t.parquet", "t.pq"])
def test_what_is_written_can_be_read(tmp_path, name):
    table = pa.table({"a, b": ['x"y', None, "t\tu, v"], "n": [1.5, None, -2.0], "k": [1, 2, 3]})
    write_table(table, tmp_path / name)
    assert read_table(tmp_path / name).to_pydict() == table.to_pydict()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_dictionary_columns_are_written_as_their_values(tmp_path):
    write_table(pa.table({"a": pa.array(["x", "y"]).dictionary_encode()}), tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv").to_pydict() == {"a": ["x", "y"]}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(
    st.lists(
        st.tuples(
            st.one_of(st.none(), st.integers(-(2**62), 2**62)),
            st.one_of(st.none(), st.floats(allow_nan=False)),
            st.one_of(st.none(), st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)),
        ),
        min_size=1,
    )
)
def test_any_table_survives_the_way_through_a_csv_file(tmp_path, rows):
    integers, floats, texts = (list(column) for column in zip(*rows, strict=True))
    table = pa.table(
        {
            "i": pa.array(integers, pa.int64()),
            "f": pa.array(floats, pa.float64()),
            "t": pa.array(texts, pa.string()),
        }
    )
    write_table(table, tmp_path / "t.csv")
    back = read_table(tmp_path / "t.csv", text=["t"])
    markers = set(MISSING_MARKERS)
    assert back["t"].to_pylist() == [None if text in markers else text for text in texts]
    assert back["i"].to_pylist() == integers
    # a column of whole numbers comes back as integers
    assert back["f"].cast(pa.float64(), safe=False).to_pylist() == floats


def test_failed_writing_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old")

    def fail():
        with writing(path) as stream:
            stream.write(b"new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    with writing(path) as stream:
        stream.write(b"new")
    assert path.read_text() == "new"


def test_places_that_cannot_be_written(tmp_path):
    assert "there is no folder" in message(lambda: check_writable(tmp_path / "no" / "a.csv"))
    assert "this is a folder" in message(lambda: check_writable(tmp_path, table=False))
    for name in ("a.xlsx", "a", "a.arff", "a.parquet.gz"):
        assert "use .csv, .tsv or .parquet" in message(lambda name=name: check_writable(tmp_path / name))
    check_writable(tmp_path / "model.pkl", table=False)


def test_as_numbers():
    def numbers(values, kind=None):
        return as_numbers(pa.chunked_array([pa.array(values, kind)]), "col", "file.csv")

    assert numbers([" 1", "2 ", None]).to_pylist() == [1, 2, None]
    assert numbers(["1", "2.5"]).to_pylist() == [1.0, 2.5]
    assert numbers([True, None, False]).to_pylist() == [1, None, 0]
    assert numbers([1, None]).type == pa.int64()
    assert numbers([None], pa.null()).to_pylist() == [None]
    assert pc.sum(numbers([1, 2], pa.decimal128(5, 2))).as_py() == 3.0
    encoded = pa.chunked_array([pa.array(["1", "x"]).dictionary_encode()])
    text = message(lambda: as_numbers(encoded, "col", "file.csv"))
    assert text.startswith("file.csv: column 'col', row 2: 'x' is not a number")
    assert "row 1: '1_0'" in message(lambda: numbers(["1_0"]))
