"""Reading the papers' data sets from a directory, from OpenML and from generators."""

import csv
import gzip
import json
import pickle
import subprocess
import sys
from urllib.error import URLError

import numpy as np
import pytest
import sklearn.datasets
from reading import MISSING_DATA, SHARED, available, load, reading
from sklearn.utils import Bunch

from seminaive.papers import data_sets
from seminaive.papers.catalogue import CATALOGUE, DataSet, OpenML
from seminaive.papers.data_sets import MissingData, PaperData, find_data

DATA = SHARED / "data"
NOT_AT_HAND = {"chess", "covtype", "localization", "seer-mdl"}
needs_data = pytest.mark.skipif(not available(), reason=MISSING_DATA)


def described():
    """Data sets of the directory that only schema.json describes, the large ones left out."""
    if not available():
        return []
    schema = json.loads((DATA / "schema.json").read_text(encoding="utf-8"))
    return [
        name
        for name in CATALOGUE
        if name in schema and name not in reading() and schema[name]["n_rows"] <= 6000
    ]


# --- the directory of the papers' data


@needs_data
@pytest.mark.parametrize("name", list(reading()) if available() else [])
def test_a_reading_is_followed_to_the_letter(name):
    table, expected = find_data(name, DATA, download=False).load(), load(name)
    categorical = [column for column in expected.X if column not in expected.numeric]
    assert table.names == (*categorical, *expected.numeric) == tuple(expected.X)
    assert table.values == tuple(tuple(values) for values in expected.categories.values())
    assert table.classes == tuple(expected.classes)
    for column, codes in zip(categorical, table.categorical.T, strict=True):
        np.testing.assert_array_equal(codes, expected.X[column].cat.codes)
    numbers = expected.X[expected.numeric].to_numpy(dtype=np.float32)
    np.testing.assert_array_equal(table.numeric, numbers)
    np.testing.assert_array_equal(np.array(table.classes, dtype=object)[table.y], expected.y)
    assert [each.dtype for each in (table.categorical, table.numeric, table.y)] == [
        np.int32,
        np.float32,
        np.int32,
    ]


@needs_data
@pytest.mark.parametrize("name", described())
def test_without_a_reading_the_schema_is_followed(name):
    description = json.loads((DATA / "schema.json").read_text(encoding="utf-8"))[name]
    with gzip.open(DATA / description["file"], "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = find_data(name, DATA, download=False).load()
    kinds = {each["name"]: each["kind"] for each in description["attributes"]}
    nominal = [column for column, kind in kinds.items() if kind == "categorical"]
    numeric = [column for column, kind in kinds.items() if kind == "numeric"]
    assert table.names == (*nominal, *numeric)
    assert table.classes == tuple(description["class"]["values"])
    assert [table.classes[code] for code in table.y] == [row["class"] for row in rows]
    for j, column in enumerate(nominal):
        assert list(table.values[j]) == sorted({row[column] for row in rows} - {""})
        decoded = [(*table.values[j], "")[code] for code in table.categorical[:, j]]
        assert decoded == [row[column] for row in rows]
    for j, column in enumerate(numeric):
        expected = np.array([float(row[column] or "nan") for row in rows], dtype=np.float32)
        np.testing.assert_array_equal(table.numeric[:, j], expected)


@needs_data
def test_what_the_directory_lacks():
    missing = {}
    for name in CATALOGUE:
        try:
            find_data(name, DATA, download=False)
        except MissingData as error:
            missing[name] = str(error)
    assert set(missing) == NOT_AT_HAND
    assert all(reason.startswith(f"{name}: ") and "\n" not in reason for name, reason in missing.items())


@needs_data
def test_pandas_is_not_needed():
    code = (
        "import sys; sys.modules['pandas'] = None; from seminaive.papers.data_sets import find_data; "
        f"print(find_data('labor', {str(DATA)!r}).load().numeric.shape)"
    )
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert out.stdout == "(57, 8)\n"


def test_the_catalogue_is_consistent():
    for name, entry in CATALOGUE.items():
        assert entry.name == name
        assert 0 <= entry.n_numeric <= entry.n_attributes
        assert 2 <= entry.n_classes_with_rows <= entry.n_classes
        # how it can be had without a directory, or why not
        assert bool(entry.openml) + entry.generated + bool(entry.unavailable) == 1
        assert entry.citation
    ids = [entry.openml.data_id for entry in CATALOGUE.values() if entry.openml]
    assert len(set(ids)) == len(ids)


# --- a directory of one's own

TOY = DataSet("toy", 4, 3, 1, 3, 2)
TEXT = "color,size,shape,class\nred,1.5,b,yes\n,2,a,no\nblue,,a,yes\nred,0.1,,no\n"
SCHEMA = {
    "toy": {
        "file": "toy.csv.gz",
        "attributes": [
            {"name": "color", "kind": "categorical"},
            {"name": "size", "kind": "numeric"},
            {"name": "shape", "kind": "categorical"},
        ],
        "class": {"name": "class", "values": {"yes": 2, "no": 2, "never": 0}},
    }
}
READING = {
    "toy": {
        "file": "paper-reading/toy.csv",
        "attributes": [
            {"name": "shape", "kind": "categorical", "values": ["b", "a", "c"]},
            {"name": "color", "kind": "categorical", "values": ["red", "blue"]},
            {"name": "size", "kind": "numeric"},
        ],
        "classes": ["no", "never", "yes"],
    }
}


@pytest.fixture(autouse=True)
def toy_catalogue(monkeypatch):
    monkeypatch.setattr(data_sets, "CATALOGUE", {**CATALOGUE, "toy": TOY})


@pytest.fixture
def directory(tmp_path):
    write(tmp_path / "schema.json", SCHEMA)
    (tmp_path / "toy.csv.gz").write_bytes(gzip.compress(TEXT.encode(), mtime=0))
    return tmp_path


def write(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def edited(description, **changes):
    return {"toy": {**description["toy"], **changes}}


def test_a_directory_by_hand(directory):
    table = find_data("toy", directory).load()
    assert table.names == ("color", "shape", "size")
    assert table.values == (("blue", "red"), ("a", "b"))
    assert table.categorical.tolist() == [[1, 1], [-1, 0], [0, 0], [1, -1]]
    np.testing.assert_array_equal(table.numeric, np.array([[1.5], [2], [np.nan], [0.1]], dtype=np.float32))
    assert table.y.tolist() == [0, 1, 0, 1]
    assert table.classes == ("yes", "no", "never")
    assert table.n_rows == 4


def test_a_reading_goes_before_the_schema(directory):
    write(directory / "paper-reading" / "reading.json", READING)
    write(directory / "paper-reading" / "toy.csv", TEXT)
    table = find_data("toy", str(directory)).load()
    assert table.names == ("shape", "color", "size")
    assert table.values == (("b", "a", "c"), ("red", "blue"))
    assert table.categorical.tolist() == [[0, 0], [1, -1], [1, 1], [-1, 0]]
    assert (table.y.tolist(), table.classes) == ([2, 0, 2, 0], ("no", "never", "yes"))


def test_data_are_sent_to_workers_without_their_rows(directory):
    data = find_data("toy", directory)
    copy = pickle.loads(pickle.dumps(data))
    assert copy == data
    assert copy.fingerprint() == data.fingerprint()
    assert isinstance(copy, PaperData)
    assert copy.load().names == data.load().names


def test_fingerprints(directory, tmp_path_factory):
    prints = {"schema": find_data("toy", directory).fingerprint()}
    assert find_data("toy", directory).fingerprint() == prints["schema"]
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for file in ("schema.json", "toy.csv.gz"):
        (elsewhere / file).write_bytes((directory / file).read_bytes())
    assert find_data("toy", elsewhere).fingerprint() == prints["schema"]

    def after(what, description):
        write(elsewhere / "schema.json", description)
        prints[what] = find_data("toy", elsewhere).fingerprint()

    first, *others = SCHEMA["toy"]["attributes"]
    after("order", edited(SCHEMA, attributes=[*others, first]))
    after("kind", edited(SCHEMA, attributes=[{**first, "kind": "numeric"}, *others]))
    after("values", edited(SCHEMA, attributes=[{**first, "values": ["red", "blue"]}, *others]))
    after("other values", edited(SCHEMA, attributes=[{**first, "values": ["blue", "red"]}, *others]))
    after("classes", edited(SCHEMA, classes=["no", "yes", "never"]))
    write(elsewhere / "schema.json", SCHEMA)
    (elsewhere / "toy.csv.gz").write_bytes(gzip.compress(TEXT.replace("0.1", "0.2").encode(), mtime=0))
    prints["rows"] = find_data("toy", elsewhere).fingerprint()
    prints["generated"] = find_data("led").fingerprint()
    assert len(set(prints.values())) == len(prints)
    assert all(len(each) == 16 for each in prints.values())


def test_data_sets_that_nobody_has():
    with pytest.raises(MissingData, match="no data set 'zooo' in the catalogue; there are abalone, "):
        find_data("zooo")
    with pytest.raises(MissingData, match=r"^seer-mdl: it is not downloaded: .* agreement"):
        find_data("seer-mdl")
    with pytest.raises(MissingData, match=r"^zoo: downloading was not allowed$"):
        find_data("zoo", download=False)


def test_the_directory_lacks_the_data_set(directory):
    with pytest.raises(MissingData, match=r"^zoo: .* does not have it, and downloading was not allowed$"):
        find_data("zoo", directory, download=False)
    (directory / "toy.csv.gz").unlink()
    with pytest.raises(MissingData, match=r"schema\.json names .*toy\.csv\.gz, which does not exist"):
        find_data("toy", directory)


def test_directories_that_are_none(directory):
    with pytest.raises(ValueError, match=r"there is no directory .*nowhere"):
        find_data("toy", directory / "nowhere")
    (directory / "schema.json").unlink()
    with pytest.raises(ValueError, match=r"has no schema\.json, .*; give the directory of schema\.json"):
        find_data("toy", directory)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("{", r"schema\.json is not JSON"),
        ("[]", "must be an object with data sets by name, not list"),
        (
            {"toy": {"file": "toy.csv.gz"}},
            "'toy' is not described by file, attributes and classes: .*attributes",
        ),
        ({"toy": 3}, "'toy' is not described"),
        (
            edited(SCHEMA, attributes=[{"name": "color", "kind": "text"}]),
            "'color' of 'toy' is 'text', which is neither categorical nor numeric",
        ),
    ],
)
def test_schemas_that_cannot_be_read(directory, schema, message):
    write(directory / "schema.json", schema)
    with pytest.raises(ValueError, match=message):
        find_data("toy", directory)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("red,0.1,,no\n", ""), r"'toy' of .*toy\.csv\.gz has 3 rows, expected 4: this is another version"),
        (("2,a,no", "2,a,maybe"), r"class has the value 'maybe', which is none of yes, no, never"),
        (("2,a,no", "2,a,"), r"toy\.csv\.gz: row 2 has no class"),
        (("1.5", "big"), r"toy\.csv\.gz cannot be read as described: .*big"),
        (("color,size", "colour,size"), r"toy\.csv\.gz cannot be read as described: .*color"),
        (("red,1.5,b,yes", "red,1.5,b"), r"toy\.csv\.gz cannot be read as described"),
    ],
)
def test_files_that_are_another_version(directory, change, message):
    (directory / "toy.csv.gz").write_bytes(gzip.compress(TEXT.replace(*change).encode()))
    with pytest.raises(ValueError, match=message):
        find_data("toy", directory).load()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"attributes": SCHEMA["toy"]["attributes"][:2]}, "has 2 attributes, expected 3"),
        (
            {"attributes": [{**each, "kind": "categorical"} for each in SCHEMA["toy"]["attributes"]]},
            "has 0 numeric attributes, expected 1",
        ),
        ({"classes": ["yes", "no"]}, "has 2 classes, expected 3"),
    ],
)
def test_descriptions_of_another_version(directory, changes, message):
    write(directory / "schema.json", edited(SCHEMA, **changes))
    with pytest.raises(ValueError, match=message):
        find_data("toy", directory).load()


@pytest.mark.parametrize("damage", [lambda b: b[: len(b) // 2], lambda b: b"nonsense", lambda b: b""])
def test_corrupt_files(directory, damage):
    file = directory / "toy.csv.gz"
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(ValueError, match=r"toy\.csv\.gz cannot be read as described"):
        find_data("toy", directory).load()


# --- OpenML

NAMES = ["id", "grade", "size", "color", "code", "class"]
ROWS = np.array(
    [
        [1, 0, 1.5, 1, 3, 2],
        [2, 1, 2.5, 0, 1, 0],
        [3, np.nan, np.nan, np.nan, np.nan, 0],
        [4, 0, 0.5, 1, 1, 2],
    ]
)
CATEGORIES = {"grade": ["10", "2.5"], "color": ["red", "blue"], "class": ["no", "never", "yes"]}
PREPARATION = OpenML(
    99,
    "class",
    drop=("id", "not given"),
    categorical=("code",),
    numeric=("grade",),
    classes=("yes", "no", "maybe"),
)


@pytest.fixture
def openml(monkeypatch):
    """A server with one data set, and what it was asked."""
    asked = []

    def fetch(**options):
        asked.append(options)
        return Bunch(data=ROWS.copy(), feature_names=list(NAMES), categories=dict(CATEGORIES), target=None)

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    return asked


def offer(monkeypatch, openml, **sizes):
    entry = DataSet("toy", **{"n_rows": 4, "n_attributes": 4, "n_numeric": 2, **sizes}, openml=openml)
    monkeypatch.setattr(data_sets, "CATALOGUE", {"toy": entry})


def test_a_download_is_prepared(monkeypatch, openml):
    offer(monkeypatch, PREPARATION, n_classes=3, n_classes_with_rows=2)
    data = find_data("toy")
    table = pickle.loads(pickle.dumps(data)).load()
    assert openml[0]["data_id"] == 99
    assert openml[0]["parser"] == "liac-arff"  # which does without pandas
    assert table.names == ("color", "code", "grade", "size")
    assert table.values == (("red", "blue"), ("1", "3"))
    assert table.categorical.tolist() == [[1, 1], [0, 0], [-1, -1], [1, 0]]
    np.testing.assert_array_equal(table.numeric, [[10, 1.5], [2.5, 2.5], [np.nan, np.nan], [10, 0.5]])
    assert table.classes == ("yes", "no", "maybe")
    assert table.y.tolist() == [0, 1, 1, 0]
    assert [each.dtype for each in (table.categorical, table.numeric, table.y)] == [
        np.int32,
        np.float32,
        np.int32,
    ]
    offer(monkeypatch, OpenML(99, "class", drop=("id",)), n_classes=3, n_classes_with_rows=2)
    assert find_data("toy").fingerprint() != data.fingerprint()


def test_all_columns_may_be_codes(monkeypatch, openml):
    offer(
        monkeypatch,
        OpenML(99, "class", categorical=("*",)),
        n_attributes=5,
        n_numeric=0,
        n_classes=3,
        n_classes_with_rows=2,
    )
    table = find_data("toy").load()
    assert table.names == ("id", "grade", "size", "color", "code")
    assert table.values[2] == ("0.5", "1.5", "2.5")
    assert table.classes == ("no", "never", "yes")


def test_a_directory_is_asked_first(directory, openml):
    assert find_data("toy", directory).load().n_rows == 4
    assert openml == []


@pytest.mark.parametrize(
    ("preparation", "sizes", "message"),
    [
        (PREPARATION, {"n_classes": 2}, "has 3 classes, expected 2"),
        (PREPARATION, {"n_rows": 5}, "has 4 rows, expected 5"),
        (OpenML(99, "klass"), {}, "OpenML 99 has no column klass"),
        (OpenML(99, "class", classes=("no", "never")), {}, "has the value 'yes', which is none of no, never"),
        (OpenML(99, "color"), {}, "row 3 has no class"),
    ],
)
def test_a_download_of_another_version_is_missing(monkeypatch, openml, preparation, sizes, message):
    offer(monkeypatch, preparation, **{"n_classes": 3, "n_classes_with_rows": 2, **sizes})
    with pytest.raises(MissingData, match=f"^toy: OpenML cannot give it: .*{message}"):
        find_data("toy")


def test_no_network(monkeypatch, directory):
    def refuse(**options):
        raise URLError("Name or service not known")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", refuse)
    with pytest.raises(MissingData, match=r"^zoo: OpenML cannot give it: .*Name or service not known"):
        find_data("zoo")
    with pytest.raises(MissingData, match="does not have it, and OpenML cannot give it"):
        find_data("zoo", directory)


def test_what_is_generated_needs_no_network(monkeypatch, directory):
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", None)
    for where in (None, directory):
        data = find_data("led", where, download=False)
        assert data.load().n_rows == data.n_rows == 1000
