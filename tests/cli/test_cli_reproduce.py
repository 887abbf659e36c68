"""``seminaive reproduce``, on directories that hold a few small data sets."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from seminaive.cli.reproduce import Which
from seminaive.papers import PAPERS

SHARED = Path(os.environ.get("SEMINAIVE_SHARED") or Path(__file__).parents[2].parent / "shared") / "data"
needs_data = pytest.mark.skipif(
    not (SHARED / "schema.json").is_file(),
    reason=f"no data of the papers at {SHARED}: set SEMINAIVE_SHARED to the directory of data/ and papers/",
)
SMALL = ["zoo", "lung-cancer"]
CELLS_OF_ZOO = 1 + 2 * 10 * (10 + 1)  # header, two resamplings, ten splits, ten classifiers and the truth


@pytest.fixture
def data(tmp_path):
    """Zoo and lung-cancer alone, read as the papers read them."""
    directory = tmp_path / "data"
    (directory / "paper-reading").mkdir(parents=True)
    for file in ("schema.json", "paper-reading/reading.json"):
        content = json.loads((SHARED / file).read_text(encoding="utf-8"))
        kept = {name: content[name] for name in SMALL if name in content}
        (directory / file).write_text(json.dumps(kept), encoding="utf-8")
    for name in SMALL:
        shutil.copy(SHARED / f"{name}.csv.gz", directory)
    return directory


@pytest.fixture
def no_figures(monkeypatch):
    """As if matplotlib were absent, which saves most of the time."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "matplotlib" else find(name, *rest)
    )


def tables(output, paper="awode"):
    """Text of all tables but those of times."""
    files = sorted((output / paper / "csv").glob("*.csv"))
    return {file.name: file.read_text() for file in files if not file.name.startswith("cost")}


def test_the_papers_of_the_command_are_those_of_the_package():
    assert sorted(Which) == sorted([*PAPERS, "all"])


def test_without_data_there_is_one_clear_line(run, tmp_path, monkeypatch):
    monkeypatch.delenv("SEMINAIVE_DATA", raising=False)
    output = tmp_path / "out"
    error = run("reproduce", "awode", "--no-download", "-o", output).error
    assert "none of the data sets of awode can be had" in error
    assert "--data DIR" in error
    assert "none of the data sets" in run("reproduce", "all", "--no-download", "-o", output).error
    assert "there is no directory" in run("reproduce", "awode", "--data", tmp_path / "x").error
    assert "schema.json" in run("reproduce", "awode", "--data", tmp_path).error
    monkeypatch.setenv("SEMINAIVE_DATA", str(tmp_path / "y"))
    assert str(tmp_path / "y") in run("reproduce", "awode").error
    assert "'bogus' is not one of" in run("reproduce", "bogus").error
    assert not output.exists()


@needs_data
def test_what_is_printed_and_written(succeed, data, tmp_path):
    output = tmp_path / "out"
    outcome = succeed("reproduce", "awode", "--quick", "--no-download", "--data", data, "-o", output)
    for words in (
        "awode: printed values met",
        "Data sets: 1 of 40",
        "Headline claims",
        "W/D/L of 0-1 loss",
        "AWODE against",
        str(output / "awode.html"),
    ):
        assert words in outcome.out, words
    report = (output / "awode.html").read_text(encoding="utf-8")
    assert "left out of a quick run" in report
    assert "downloading was not allowed" in report
    assert {path.name for path in (output / "awode").iterdir()} == {
        "cells.csv",
        "csv",
        "latex",
        "markdown",
        "text",
    }
    assert len((output / "results.csv").read_text().splitlines()) == CELLS_OF_ZOO
    # the number of the paper for naive Bayes on zoo
    row = "Table A1. 0-1 loss,zero_one_loss,Zoo,NB,0.0297,0.0297"
    assert row in (output / "awode" / "cells.csv").read_text()


@needs_data
def test_nothing_is_said_about_missing_data_sets_where_there_are_none(
    succeed, data, tmp_path, monkeypatch, no_figures
):
    from seminaive.papers import PAPERS

    monkeypatch.setattr(
        "seminaive.papers.PAPERS", {"awode": replace(PAPERS["awode"], data_sets={"Zoo": "zoo"})}
    )
    arguments = ["reproduce", "awode", "--no-download", "--data", data, "-o", tmp_path / "out"]
    assert "Data sets: 1 of 1.\n" in succeed(*arguments).out
    monkeypatch.setattr(
        "seminaive.papers.PAPERS",
        {"awode": replace(PAPERS["awode"], data_sets={"Zoo": "zoo", "Labor": "labor"})},
    )
    assert "Data sets: 1 of 2; the report says why the others are missing.\n" in succeed(*arguments).out


@needs_data
def test_failing_cells_are_listed_and_the_rest_goes_on(succeed, data, tmp_path, monkeypatch, no_figures):
    from seminaive.classifiers.tan import TAN

    def fail(*_):
        raise ZeroDivisionError("no tree today")

    arguments = ["reproduce", "awode", "--quick", "--no-download", "--data", data, "-o", tmp_path / "out"]
    with monkeypatch.context() as patched:
        patched.setattr(TAN, "_structure", fail)
        outcome = succeed(*arguments)
    assert "ZeroDivisionError: no tree today" in outcome.out
    assert "Failed cells" in (tmp_path / "out" / "awode.html").read_text(encoding="utf-8")
    assert "no tree today" in succeed(*arguments).out
    assert "no tree today" not in succeed(*arguments, "--retry-failed").out


@needs_data
def test_killed_in_the_middle_a_second_start_finishes(succeed, data, tmp_path, no_figures):
    output, whole = tmp_path / "out", tmp_path / "whole"
    arguments = ["reproduce", "awode", "--quick", "--no-download", "--data", data]
    command = [sys.executable, "-m", "seminaive", *map(str, arguments), "-o", str(output)]
    store = output / "results.csv"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while not (store.exists() and store.read_bytes().count(b"\n") > 30):
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    done = store.read_text().splitlines()
    assert 30 < len(done) < CELLS_OF_ZOO
    store.write_text("\n".join(done) + "\n" + done[-1][:50])  # as if the kill had cut a line
    succeed(*arguments, "-o", output)
    assert store.read_text().splitlines()[: len(done)] == done
    assert len(store.read_text().splitlines()) == CELLS_OF_ZOO
    succeed(*arguments, "-o", whole)
    assert tables(output) == tables(whole)
    assert len(tables(whole)) > 10


@needs_data
def test_all_papers_share_a_store_and_one_without_data_is_passed_over(
    succeed, data, tmp_path, monkeypatch, no_figures
):
    output = tmp_path / "out"
    monkeypatch.setenv("SEMINAIVE_DATA", str(data))
    outcome = succeed("reproduce", "all", "--quick", "--no-download", "-o", output)
    assert sorted(path.stem for path in output.glob("*.html")) == [
        "averaged-kdb",
        "awode",
        "personalized-kdb",
    ]
    assert "warning: none of the data sets of adaptive-kdb can be had" in outcome.err
    summary = outcome.out.partition("All papers")[2].splitlines()
    assert [line.split()[0] for line in summary[3:]] == ["averaged-kdb", "personalized-kdb", "awode"]
    text = (output / "results.csv").read_text()
    assert succeed("reproduce", "all", "--quick", "--no-download", "-o", output).out == outcome.out
    assert (output / "results.csv").read_text() == text
