"""Files that are read in batches give the models and predictions of whole tables."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import seminaive
from seminaive.cli import streams
from seminaive.sources.files import read_table, write_table

HEADER = "outlook,temp,windy,play\n"


@pytest.fixture
def parts(weather, tmp_path):
    """The weather in three files, as text and as Parquet."""
    folder = tmp_path / "parts"
    folder.mkdir()
    lines = weather.read_text().splitlines(keepends=True)[1:]
    table = read_table(weather)
    for number, bounds in enumerate(((0, 5), (5, 9), (9, 14))):
        (folder / f"{number}.csv").write_text(HEADER + "".join(lines[slice(*bounds)]))
        write_table(table.slice(bounds[0], bounds[1] - bounds[0]), folder / f"{number}.parquet")
    return folder


def same(mine, theirs, weather):
    X = read_table(weather).drop_columns(["play"])
    np.testing.assert_array_equal(mine.predict_proba(X), theirs.predict_proba(X))
    assert mine.classes_.tolist() == theirs.classes_.tolist()


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_several_files_make_the_model_of_one(succeed, parts, weather, tmp_path, suffix):
    files = sorted(parts.glob(f"*.{suffix}"))
    options = ["--target", "play", "--classifier", "KDB", "-p", "k=1", "--missing", "value"]
    outcome = succeed("fit", *files, *options, "--output", tmp_path / "parts.model")
    assert "3 files, " in outcome.out
    assert "3 attributes, read in batches" in outcome.out
    assert "KDB fitted on 14 rows" in outcome.out
    succeed("fit", weather, *options, "--output", tmp_path / "one.model")
    same(seminaive.load(tmp_path / "parts.model"), seminaive.load(tmp_path / "one.model"), weather)


def test_one_file_is_streamed_on_request_or_where_it_is_large(succeed, weather, tmp_path, monkeypatch):
    options = ["--target", "play", "--classifier", "AODE", "--output", tmp_path / "a.model"]
    assert "read in batches" not in succeed("fit", weather, *options).out
    assert "read in batches" in succeed("fit", weather, *options, "--stream").out
    monkeypatch.setattr(streams, "_EXPANSION", 1e12)
    assert "read in batches" in succeed("fit", weather, *options).out


def test_a_folder_and_columns_with_a_meaning(succeed, parts, tmp_path):
    for number in range(3):
        pq.write_table(
            pa.table({"id": [1, 2], "zip": [100, 200], "a": ["x", "y"], "y": [0, 1]}),
            tmp_path / f"{number}.parquet",
        )
    for file in parts.glob("*"):
        file.unlink()
    parts.rmdir()
    folder = tmp_path / "data"
    folder.mkdir()
    for number in range(3):
        (tmp_path / f"{number}.parquet").rename(folder / f"{number}.parquet")
    model = tmp_path / "a.model"
    succeed("fit", folder, "-t", "y", "-c", "NaiveBayes", "--drop", "id", "--categorical", "zip", "-o", model)
    schema = seminaive.load(model).schema_
    assert schema.names == ["zip", "a"]
    assert schema[0].values == (100, 200)


def test_predictions_are_written_as_they_come(succeed, parts, weather, tmp_path, model):
    out = tmp_path / "out.parquet"
    for suffix in ("csv", "parquet"):
        files = sorted(parts.glob(f"*.{suffix}"))
        outcome = succeed("predict", model, *files, "--output", out, "--proba")
        assert "14 rows predicted" in outcome.out
        whole = tmp_path / "whole.parquet"
        succeed("predict", model, weather, "--output", whole, "--proba")
        assert pq.read_table(out).equals(pq.read_table(whole))


def test_a_checkpoint_is_removed_at_the_end(succeed, parts, tmp_path):
    checkpoint = tmp_path / "checkpoint"
    succeed(
        *("fit", *sorted(parts.glob("*.csv")), "-t", "play", "-c", "AODE", "-o", tmp_path / "a.model"),
        *("--checkpoint", checkpoint),
    )
    assert not checkpoint.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "0.csv", "1.parquet"], "all of one kind"),
        (["fit", "0.csv", "nowhere.csv"], "no such file"),
        (["fit", "0.csv", "1.csv", "--drop", "nothing"], r"no column 'nothing' \(drop=\)"),
        (["predict", "0.csv", "1.csv"], "need a Parquet file as --output"),
        (["predict", "0.csv", "1.csv", "--output", "out.csv"], "need a Parquet file as --output"),
    ],
)
def test_what_cannot_be_streamed(run, parts, tmp_path, model, monkeypatch, arguments, message):
    import re

    monkeypatch.chdir(parts)
    verb, *rest = arguments
    if verb == "fit":
        rest += ["-t", "play", "-c", "AODE", "-o", tmp_path / "a.model"]
    else:
        rest = [model, *rest]
    assert re.search(message, run(verb, *rest).error)
