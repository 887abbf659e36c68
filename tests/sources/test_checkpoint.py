"""A fit that was killed goes on where it stopped, and ends with the same."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from streamed import assert_same_model, fit_in_memory, random_table, write_parts

from repeatable import EVERY
from seminaive import (
    AODE,
    KDB,
    EqualFrequencyDiscretizer,
    LocalKDB,
    MDLPDiscretizer,
    NaiveBayes,
    SelectiveKDB,
    scan_arrow,
    scan_csv,
    scan_parquet,
)
from seminaive.sources import checkpoint as module
from seminaive.sources.base import SourceError
from seminaive.sources.checkpoint import in_full


class Stop(BaseException):
    """An interruption that nothing catches."""


def interrupted(model, source, path, after, **options):
    """Fit, and stop after some batches."""
    left = after

    def progress(share, what):
        nonlocal left
        left -= 1
        if left < 0:
            raise Stop

    with pytest.raises(Stop):
        model.fit_source(source, checkpoint=path, progress=progress, **options)
    assert not hasattr(model, "classes_")


@pytest.fixture
def every_batch(monkeypatch):
    """Write after every batch, however long that takes."""
    monkeypatch.setattr(module, "_SHARE", np.inf)


@pytest.mark.usefixtures("every_batch")
@pytest.mark.parametrize("weights", ["none", "halves"])
@pytest.mark.parametrize("name", ["NaiveBayes", "AODE", "KDB", "LocalKDB", "SelectiveKDB", "AdaptiveKDB"])
def test_interrupted_at_any_batch(name, weights, tmp_path):
    rng = np.random.default_rng(7)
    table = random_table(rng, 90, weights)
    weight = "w" if weights != "none" else None
    paths = write_parts(table, tmp_path, rng, 3)
    make = EVERY[name]
    options = {"class_weight": "balanced", "missing": "impute"}
    reference = fit_in_memory(make(**options), table)
    path = tmp_path / "checkpoint"
    for after in (1, 2, 5, 8, 14):
        source = scan_parquet(paths, target="y", weight=weight, batch_rows=23)
        interrupted(make(**options), source, path, after)
        assert path.exists()
    source = scan_parquet(paths, target="y", weight=weight, batch_rows=10)  # batches may change
    model = make(**options).fit_source(source, checkpoint=path)
    assert_same_model(model, reference, table)
    assert not path.exists()


@pytest.mark.usefixtures("every_batch")
@pytest.mark.parametrize("name", ["SelectiveKDB", "AdaptiveKDB", "SelectiveNaiveBayes"])
def test_interrupted_in_leave_one_out(name, tmp_path):
    rng = np.random.default_rng(7)
    table = random_table(rng, 90, "halves")
    paths = write_parts(table, tmp_path, rng, 3)
    source = scan_parquet(paths, target="y", weight="w", batch_rows=23)
    reference = fit_in_memory(EVERY[name](), table)
    path = tmp_path / "checkpoint"
    stopped = []
    for after in (1, 2, 3):
        left = after

        def progress(share, what):
            nonlocal left
            left -= "leave-one-out" in what
            if left < 0:
                stopped.append(what)
                raise Stop

        with pytest.raises(Stop):
            EVERY[name]().fit_source(source, checkpoint=path, progress=progress)
    assert stopped == ["leave-one-out 1"] * len(stopped)
    again: list[str] = []
    model = EVERY[name]().fit_source(source, checkpoint=path, progress=lambda _, what: again.append(what))
    assert "counting" not in again
    assert_same_model(model, reference, table)
    assert vars(model.selection_path_[-1]) == vars(reference.selection_path_[-1])


@pytest.mark.usefixtures("every_batch")
def test_rows_before_the_checkpoint_are_not_read_again(tmp_path):
    table = random_table(np.random.default_rng(0), 90).drop(["x", "flag", "i"])
    paths = write_parts(table, tmp_path, np.random.default_rng(0), 3)
    path = tmp_path / "checkpoint"
    interrupted(AODE(), scan_parquet(paths, target="y", batch_rows=10), path, 4)
    shares: list[float] = []
    source = scan_parquet(paths, target="y", batch_rows=10)
    AODE().fit_source(source, checkpoint=path, progress=lambda share, what: shares.append(share))
    assert shares[0] > 0.3


@pytest.mark.usefixtures("every_batch")
def test_a_checkpoint_of_something_else_is_refused(tmp_path):
    table = random_table(np.random.default_rng(0), 90)
    paths = write_parts(table, tmp_path, np.random.default_rng(0), 3)
    path = tmp_path / "checkpoint"
    source = scan_parquet(paths, target="y", batch_rows=10)
    interrupted(KDB(), source, path, 3)
    kept = path.read_bytes()
    for model, other, options, message in [
        (KDB(k=1), source, {}, "other options"),
        (AODE(), source, {}, "other options"),
        (KDB(missing="value"), source, {}, "other options"),
        (KDB(), source, {"max_distinct": 20}, "other options"),
        (KDB(), scan_parquet(paths[:2], target="y"), {}, r"other rows: 3 part\(s\) there, 2 here"),
        (KDB(), scan_parquet(paths[::-1], target="y"), {}, "other rows"),
        (KDB(), scan_arrow(lambda: table.to_batches(10), target="y"), {}, "other rows"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.fit_source(other, checkpoint=path, **options)
        assert path.read_bytes() == kept
    os.utime(paths[0], ns=(1, 1))
    with pytest.raises(ValueError, match=r"other rows: .* changed at 1 here"):
        KDB().fit_source(scan_parquet(paths, target="y"), checkpoint=path)
    path.write_bytes(kept[:-10])
    with pytest.raises(ValueError, match=r"damaged, cut short.* Remove it, or name another file\."):
        KDB().fit_source(source, checkpoint=path)
    path.write_bytes(b"something else")
    with pytest.raises(ValueError, match=r"not a checkpoint file\. Remove it, or name another file\."):
        KDB().fit_source(source, checkpoint=path)
    with pytest.raises(ValueError, match="no folder"):
        KDB().fit_source(source, checkpoint=tmp_path / "nowhere" / "checkpoint")


@pytest.mark.usefixtures("every_batch")
def test_a_checkpoint_of_rows_that_were_read_in_another_way_is_refused(tmp_path):
    for number in range(3):
        rows = "".join(f"{'u-v'[i % 3]},{i % 5},{i % 7},{'pq'[i % 2]}\n" for i in range(50))
        (tmp_path / f"{number}.csv").write_text(f"a,b,c,y\n{rows}")
    files = sorted(tmp_path.glob("*.csv"))
    path = tmp_path / "checkpoint"
    interrupted(NaiveBayes(), scan_csv(files, target="y"), path, 4)
    kept = path.read_bytes()
    for options, message in [
        ({"na_values": ["-"]}, r"other rows: .*na_values \['', '\?', .* there, .*na_values \['', '-'\] here"),
        ({"types": {"b": "text"}}, r"other options: columns=.*'b': 'int64'.* there, .*'b': 'string'.* here"),
        ({"drop": ["c"]}, "other options: columns="),
        ({"target": "c"}, "other options: target='y' there, target='c' here"),
        ({"weight": "b"}, "other options: weight=None there, weight='b' here"),
    ]:
        with pytest.raises(SourceError, match=message):
            NaiveBayes().fit_source(scan_csv(files, **{"target": "y", **options}), checkpoint=path)
        assert path.read_bytes() == kept
    NaiveBayes().fit_source(scan_csv(files, target="y"), checkpoint=path)
    assert not path.exists()


@pytest.mark.usefixtures("every_batch")
def test_options_are_compared_in_full(tmp_path):
    """The repr of scikit-learn leaves out what a long list has beyond thirty entries."""
    rng = np.random.default_rng(0)
    names = [f"a{i}" for i in range(40)]
    table = pa.table({**{name: rng.integers(0, 3, 60) for name in names}, "y": rng.integers(0, 2, 60)})
    source = scan_arrow(lambda: table.to_batches(10), target="y")
    path = tmp_path / "checkpoint"
    interrupted(NaiveBayes(categorical_features=names), source, path, 2)
    with pytest.raises(SourceError, match=r"other options: categorical_features=.*'a39'\] there"):
        NaiveBayes(categorical_features=names[:38]).fit_source(source, checkpoint=path)
    NaiveBayes(categorical_features=list(names)).fit_source(source, checkpoint=path)


def test_an_option_is_the_same_text_in_whatever_process():
    assert in_full({"b": (1, "x"), 2: frozenset(["q", "p"])}) == "{'b': [1, 'x'], 2: {'p', 'q'}}"
    assert in_full(MDLPDiscretizer()) == in_full(MDLPDiscretizer()) != in_full(EqualFrequencyDiscretizer())
    for kind in (
        np.asarray,
        pd.Series,
        pd.Index,
        pl.Series,
        pa.array,
        lambda column: pa.chunked_array([column]),
    ):
        assert in_full(kind(np.arange(3000))) != in_full(kind(np.arange(3000) % 2999))
        assert in_full(kind(np.arange(3000))) == in_full(kind(np.arange(3000)))
    assert in_full(np.float32(2)) == "2.0 of float32"
    assert in_full(KDB(categories={"a": list(range(100))})).count(",") > 99


@pytest.mark.parametrize("name", ["KDB", "SelectiveKDB"])
def test_rows_that_change_between_passes(name, tmp_path):
    table = random_table(np.random.default_rng(0), 90).select(["c0", "c1", "c2", "y"])
    labels = table["y"].to_pylist()
    labels[0] = next(label for label in labels if label != labels[0])
    shuffled = table["c0"].take(pa.array(np.random.default_rng(1).permutation(90)))
    cases = [
        (table.slice(1), "90 in the pass 'counting', 89 in"),
        (table.set_column(3, "y", pa.array(labels)), "of the class 'class 2' in the pass 'counting'"),
    ]
    if name == "SelectiveKDB":
        cases.append((table.set_column(0, "c0", shuffled), "a combination of values is new"))
    for later, message in cases:
        batches = map(pa.Table.to_batches, [table, later, later])
        with pytest.raises(SourceError, match=f"The rows are not those of the pass before: .*{message}"):
            EVERY[name]().fit_source(scan_arrow(batches.__next__, target="y"))


def test_little_time_goes_into_writing(tmp_path, monkeypatch):
    written = []
    write = module.write_archive

    def slow(*arguments):
        time.sleep(0.05)
        written.append(1)
        write(*arguments)

    monkeypatch.setattr(module, "write_archive", slow)
    table = random_table(np.random.default_rng(0), 3000).drop(["x", "flag", "i"])
    source = scan_arrow(lambda: table.to_batches(5), target="y")
    NaiveBayes().fit_source(source, checkpoint=tmp_path / "checkpoint")
    assert 2 <= len(written) < 30  # of 600 batches


SCRIPT = """
import sys
import seminaive
from seminaive import scan_parquet
from seminaive.sources import checkpoint
checkpoint._SHARE = float(sys.argv[3])
source = scan_parquet(sys.argv[1], target="y", batch_rows=5)
print("begin", flush=True)
getattr(seminaive, sys.argv[4])(n_jobs=1).fit_source(source, checkpoint=sys.argv[2])
print("end", flush=True)
"""


def killed_and_resumed(tmp_path, name, n_kills, seed):
    """Kill a fit at random moments, many of which fall into the writing of the checkpoint."""
    moments = random.Random(seed)
    table = random_table(np.random.default_rng(3), 2500)
    folder = tmp_path / "data"
    folder.mkdir()
    write_parts(table, folder, np.random.default_rng(3), 4)
    path = tmp_path / "checkpoint"
    kills = 0
    while kills < n_kills:
        share = moments.choice([0.05, 0.5, 1e9])
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(folder), str(path), str(share), name],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        time.sleep(moments.uniform(0, 1.5))
        ended = process.poll() is not None
        if not ended:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
        process.stdout.close()
        if ended:
            assert process.returncode == 0
            assert not path.exists()
    source = scan_parquet(folder, target="y", batch_rows=500)
    model = EVERY[name](n_jobs=1).fit_source(source, checkpoint=path)
    assert_same_model(model, fit_in_memory(EVERY[name](n_jobs=1), table), table)
    assert [file.name for file in tmp_path.iterdir()] == ["data"]  # nothing half-written is left


def test_killed_three_times(tmp_path):
    killed_and_resumed(tmp_path, "KDB", 3, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), [("KDB", 2), ("KDB", 3), ("AdaptiveKDB", 4)])
def test_killed_twenty_times(tmp_path, name, seed):
    killed_and_resumed(tmp_path, name, 20, seed)


def test_other_models_can_be_kept_beside(tmp_path):
    """The name of the checkpoint is free, and other files of the folder are left alone."""
    table = random_table(np.random.default_rng(0), 60)
    others = [tmp_path / ".checkpoint", tmp_path / ".checkpoint.txt", tmp_path / "checkpoint.model"]
    for other in others:
        other.write_text("mine")
    for make in (SelectiveKDB, LocalKDB):
        make().fit_source(scan_arrow(table, target="y"), checkpoint=tmp_path / "checkpoint")
    assert sorted(tmp_path.iterdir()) == sorted(others)
