"""``seminaive count``, ``seminaive merge`` and ``seminaive fit --counts``."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import seminaive
from seminaive import Counts
from seminaive.sources.files import read_table, write_table


@pytest.fixture
def parts(weather, tmp_path):
    """The weather in two files, the second one in Parquet with other columns and another order of them."""
    lines = weather.read_text().splitlines()
    first, second = tmp_path / "1.csv", tmp_path / "2.parquet"
    first.write_text("\n".join(lines[:9]) + "\n")
    rest = read_table(weather).slice(8)
    rest = rest.append_column("day", pa.array(range(rest.num_rows)))
    pyarrow.parquet.write_table(rest.select(["day", "play", "windy", "temp", "outlook"]), second)
    return first, second


@pytest.fixture
def counted(succeed, parts, tmp_path):
    first, second = parts
    one, two, both = (tmp_path / f"{name}.counts" for name in ("1", "2", "all"))
    succeed("count", first, "-t", "play", "-o", one, "--discretizer", "equal-width")
    outcome = succeed("count", second, "-t", "play", "-o", two, "--schema", one)
    assert "6 rows, 3 attributes (1 numeric, 2 categorical)" in outcome.out
    outcome = succeed("merge", one, two, "-o", both)
    assert outcome.out == f"2 files, 14 rows, classes no, yes, written to {both}\n"
    return both


@pytest.mark.parametrize("name", ["NaiveBayes", "TAN", "AODE", "WAODE", "AODESR"])
def test_count_once_try_every_classifier(succeed, counted, weather, tmp_path, name):
    path = tmp_path / "m.model"
    outcome = succeed("fit", "--counts", counted, "-c", name, "-o", path, "--smoothing", "laplace")
    assert f"{name} fitted on counts of 14 rows" in outcome.out
    model = seminaive.load(path)
    table = read_table(weather)
    counts = Counts.of(
        table.drop_columns(["play"]),
        np.array(table["play"].to_pylist(), dtype=object),
        like=Counts.load(tmp_path / "1.counts"),
    )
    expected = seminaive.all_classifiers()[name](smoothing="laplace").fit_counts(counts)
    X = table.drop_columns(["play"])
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    assert len(succeed("predict", path, weather).out.splitlines()) == 15
    assert name in succeed("info", path).out


def test_families_in_a_second_pass(succeed, run, counted, parts, tmp_path):
    error = run("fit", "--counts", counted, "-c", "KDB", "-o", tmp_path / "m.model").error
    assert "KDB needs the counts of further families" in error
    assert "--families-of" in error
    more = ("-t", "play", "--schema", counted, "--families-of", "kdb", "-p", "k=2")
    paths = [tmp_path / f"k{i}.counts" for i in (1, 2)]
    for data, path in zip(parts, paths, strict=True):
        succeed("count", data, *more, "-o", path)
    succeed("merge", *paths, "-o", tmp_path / "k.counts")
    succeed("fit", "--counts", tmp_path / "k.counts", "-c", "KDB", "-o", tmp_path / "m.model")
    assert max(map(len, seminaive.load(tmp_path / "m.model").parents_.values())) == 2


def test_naive_bayes_needs_no_pairs(succeed, run, parts, tmp_path):
    path = tmp_path / "a.counts"
    succeed("count", parts[0], "-t", "play", "-o", path, "--no-pairs", "--missing", "value")
    assert Counts.load(path).tables.pair_counts is None
    succeed("fit", "--counts", path, "-c", "NaiveBayes", "-o", tmp_path / "m.model")
    assert seminaive.load(tmp_path / "m.model").encoder_.missing == "value"
    assert "needs the counts of all pairs" in run("fit", "--counts", path, "-c", "AODE", "-o", path).error


def test_columns_are_chosen_when_counting(succeed, parts, tmp_path):
    path = tmp_path / "a.counts"
    succeed("count", parts[0], "-t", "play", "-o", path, "--drop", "windy", "--categorical", "temp")
    kinds = {a.name: a.kind for a in Counts.load(path).encoder.schema_.attributes}
    assert kinds == {"outlook": "categorical", "temp": "categorical"}


def test_mistakes(run, counted, parts, weather, model, tmp_path):
    second = parts[1]
    out = tmp_path / "out"
    fit = ("-c", "TAN", "-o", out)
    cases = [
        (("fit", *fit), "name a table and its --target, or a --counts file"),
        (("fit", weather, *fit), "name a table and its --target"),
        (("fit", weather, "--counts", counted, *fit), "DATA and --counts cannot go together"),
        (("fit", "-t", "play", "--counts", counted, *fit), "--target and --counts cannot go together"),
        (("fit", "--drop", "x", "--counts", counted, *fit), "--drop and --counts cannot go together"),
        (("fit", "--missing", "value", "--counts", counted, *fit), "missing='value' comes too late"),
        (("fit", "--counts", counted, "-c", "LocalKDB", "-o", out), "single training rows"),
        (("fit", "--counts", tmp_path / "none", *fit), "there is no such file"),
        (("fit", "--counts", model, *fit), "a model file, where a counts file is wanted"),
        (("fit", "--counts", weather, *fit), "not a counts file. Write one with `seminaive count`"),
        (("predict", counted, weather), "a counts file, where a model file is wanted"),
        (("merge", counted, model, "-o", out), "a model file, where a counts file is wanted"),
        (("merge", counted, "-o", tmp_path / "no" / "x"), "there is no folder"),
        (("count", second, "-t", "play", "-o", out, "--families-of", "KDB"), "--families-of needs --schema"),
        (
            ("count", second, "-t", "play", "-o", out, "--schema", counted, "--drop", "day"),
            "settled by --schema",
        ),
        (("count", second, "-t", "paly", "-o", out, "--schema", counted), "did you mean 'play'?"),
        (("count", second, "-t", "paly", "-o", out), "did you mean 'play'?"),
    ]
    for arguments, part in cases:
        assert part in run(*arguments).error, arguments
    assert not out.exists()


def test_parts_with_cut_points_of_their_own(run, succeed, parts, tmp_path):
    for i, data in enumerate(parts):
        more = ("--discretizer", "equal-width", "--drop", "day") if i else ("--discretizer", "equal-width")
        succeed("count", data, "-t", "play", "-o", tmp_path / f"{i}.counts", *more)
    paths = (tmp_path / "0.counts", tmp_path / "1.counts")
    error = run("merge", *paths, "-o", tmp_path / "x").error
    assert "different columns, or in another order" in error


def test_what_a_counts_file_holds(succeed, run, counted, weather, model, tmp_path):
    outcome = succeed("info", counted)
    assert f"counts of 14 rows in {counted}" in outcome.out
    assert "2 classes with counts: no 5, yes 9" in outcome.out
    assert "missing='ignore', discretizer='equal-width'" in outcome.out
    assert "pairs of attributes: all\nwider families: none\n" in outcome.out
    assert "overcast, rainy, sunny" in outcome.out
    assert [line.split()[-1] for line in outcome.out.splitlines()[-3:]] == ["1", "1", "0"]  # not observed
    assert "--dot needs a model file" in run("info", counted, "--dot").error
    path = tmp_path / "k.counts"
    more = ("--schema", counted, "--families-of", "KDB", "-p", "k=2", "--no-pairs")
    succeed("count", weather, "-t", "play", *more, "-o", path)
    shown = succeed("info", path).out
    assert "pairs of attributes: none" in shown
    assert " + " in shown.split("wider families: ")[1].splitlines()[0]
    assert "not a model file" in run("info", weather).error
    assert "NaiveBayes" in succeed("info", model).out


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_column_of_weights(succeed, run, weather, tmp_path, suffix):
    table = read_table(weather)
    copies = np.arange(table.num_rows) % 3
    path, repeated = tmp_path / f"w.{suffix}", tmp_path / "repeated.csv"
    write_table(table.append_column("n", pa.array(copies)), path)
    write_table(table.take(np.repeat(np.arange(table.num_rows), copies)), repeated)
    X = table.drop_columns(["play"])
    fit = ("-t", "play", "-c", "AODE", "-o", tmp_path / "m.model", "--discretizer", "equal-width")
    succeed("fit", repeated, *fit)
    expected = seminaive.load(tmp_path / "m.model").predict_proba(X)
    for stream in ([], ["--stream"]):
        succeed("fit", path, *fit, "--weight", "n", *stream)
        model = seminaive.load(tmp_path / "m.model")
        assert model.schema_.names == ["outlook", "temp", "windy"]
        np.testing.assert_array_equal(model.predict_proba(X), expected)
    count = ("-t", "play", "--weight", "n", "-o", tmp_path / "n.counts")
    succeed("count", path, *count, "--discretizer", "equal-width")
    succeed("fit", "--counts", tmp_path / "n.counts", "-c", "AODE", "-o", tmp_path / "m.model")
    np.testing.assert_array_equal(seminaive.load(tmp_path / "m.model").predict_proba(X), expected)
    assert "with weights" in succeed("info", tmp_path / "n.counts").out
    first = Counts.load(tmp_path / "n.counts")
    succeed("count", path, *count[:-1], tmp_path / "again.counts", "--schema", tmp_path / "n.counts")
    again = Counts.load(tmp_path / "again.counts")
    np.testing.assert_array_equal(again.tables.pair_counts, first.tables.pair_counts)


def test_weights_that_are_none(run, weather, tmp_path):
    table = read_table(weather)
    path = tmp_path / "w.csv"
    write_table(table.append_column("n", pa.array([1.0, -2.0] * 7)), path)
    fit = ("-t", "play", "-c", "AODE", "-o", tmp_path / "m.model")
    for stream in ([], ["--stream"]):
        assert "the weight 'n' is -2.0 in row 2" in run("fit", path, *fit, "--weight", "n", *stream).error
        assert "there is no column 'm'" in run("fit", path, *fit, "--weight", "m", *stream).error
        assert "both name the column 'play'" in run("fit", path, *fit, "--weight", "play", *stream).error
    assert "'sunny' is not a number" in run("fit", path, *fit, "--weight", "outlook").error
    assert "--weight and --counts" in run("fit", "--counts", path, *fit[2:], "--weight", "n").error


def test_counts_of_a_folder_are_those_of_one_table(succeed, run, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    table = pa.table(
        {
            "a": [f"v{k}" for k in (y + rng.integers(0, 3, 300)) % 4],
            "n": rng.normal(size=300) + y,
            "b": [f"u{k}" for k in rng.integers(0, 3, 300)],
            "y": [f"class {k}" for k in y],
        }
    )
    folder = tmp_path / "data"
    folder.mkdir()
    for number in range(3):
        pyarrow.parquet.write_table(table.slice(100 * number, 100), folder / f"{number}.parquet")
    counts, checkpoint = tmp_path / "k.counts", tmp_path / "k.checkpoint"
    outcome = succeed(
        "count", folder, "-t", "y", "-o", counts, "--families-of", "KDB", "--checkpoint", checkpoint
    )
    assert "3 files, 300 rows, 3 attributes, read in batches" in outcome.out
    assert "counted 300 rows" in outcome.out
    assert not checkpoint.exists()
    X = table.drop_columns(["y"])
    expected = seminaive.KDB().fit(X, table["y"])
    model = seminaive.KDB().fit_counts(Counts.load(counts))
    assert model.parents_ == expected.parents_
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    error = run("count", folder, "-t", "y", "-o", tmp_path / "z.counts", "--schema", counts).error
    assert "--schema is for one file that fits in memory" in error
    wrong = [
        (["--families-of", "LocalKDB"], "LocalKDB looks at single training rows"),
        (["--families-of", "KDB", "--no-pairs"], "KDB needs the counts of all pairs"),
        (["--param", "k=1"], "--families-of names"),
    ]
    for options, message in wrong:
        outcome = run("count", folder, "-t", "y", "-o", tmp_path / "z.counts", *options)
        assert message in outcome.error
        assert "counted" not in outcome.out
    assert "no column 'z'" in run("count", folder, "-t", "z", "-o", tmp_path / "z.counts").error
