"""Dask gives what memory gives, bit for bit, however rows are partitioned and wherever they are counted."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamed import assert_same_model, assert_same_tables, features, fit_in_memory, random_table, write_parts

from repeatable import EVERY
from seminaive import (
    AODE,
    KDB,
    Counts,
    LocalKDB,
    NaiveBayes,
    count_source,
    evaluate_source,
    from_dask,
    from_table,
)

dask = pytest.importorskip("dask", reason="Dask is not installed: pip install 'seminaive[dask]'")
dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed: pip install 'seminaive[dask]'")

CLASSIFIERS = EVERY


def partitioned(table: pa.Table, bounds: list[int]) -> Any:
    """A Dask frame whose partitions begin and end at these rows; some may be empty."""
    parts = [table.slice(a, b - a) for a, b in zip([0, *bounds], [*bounds, table.num_rows], strict=True)]
    return dd.from_map(lambda part: part.to_pandas(), parts, meta=table.slice(0, 0).to_pandas())


def evenly(table: pa.Table, n: int) -> Any:
    return partitioned(table, [table.num_rows * k // n for k in range(1, n)])


def shuffled(table: pa.Table, seed: int) -> pa.Table:
    return table.take(np.random.default_rng(seed).permutation(table.num_rows))


def source_of(frame: Any) -> Any:
    return from_dask(frame, target="y", weight="w" if "w" in frame.columns else None)


@pytest.mark.parametrize("weights", ["none", "halves"])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_classifier_is_the_same(name, weights):
    table = random_table(np.random.default_rng(11), 120, weights)
    expected = fit_in_memory(CLASSIFIERS[name](), table)
    for n in (1, 3, 17):
        model = CLASSIFIERS[name]().fit_source(source_of(evenly(shuffled(table, n), n)))
        assert_same_model(model, expected, table)


@pytest.mark.parametrize("name", ["NaiveBayes", "AODE", "KDB", "LocalKDB", "SelectiveKDB"])
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32),
    bounds=st.lists(st.integers(0, 80), max_size=12).map(sorted),
    weights=st.sampled_from(["none", "copies", "halves", "ones"]),
    missing=st.sampled_from(["ignore", "value", "impute"]),
)
def test_any_partitions(name, seed, bounds, weights, missing):
    table = random_table(np.random.default_rng(seed), 80, weights)
    model = CLASSIFIERS[name](missing=missing).fit_source(source_of(partitioned(table, bounds)))
    assert_same_model(model, fit_in_memory(CLASSIFIERS[name](missing=missing), table), table)


def test_fractional_weights_change_nothing_but_last_bits():
    table = random_table(np.random.default_rng(2), 200, "tenths")
    expected = fit_in_memory(AODE(), table)
    model = AODE().fit_source(source_of(evenly(table, 7)))
    np.testing.assert_allclose(
        model.predict_proba(features(table)), expected.predict_proba(features(table)), rtol=1e-12
    )


def test_categories_that_differ_between_partitions():
    """A class and a category that only one partition has, categories in any order, and none of them used."""
    import pandas as pd

    def part(values: list[Any], categories: list[Any], classes: list[Any]) -> Any:
        column = pd.Categorical(values, categories=categories)
        return pd.DataFrame({"c": column, "d": values, "y": pd.Categorical(classes)})

    parts = [
        part(["b", None, "a"], ["b", "a"], ["no", "yes", "no"]),
        part(["a", "z"], ["z", "a", "in no row"], ["rare", "yes"]),
        part([None, None], ["q"], ["yes", "no"]),
    ]
    parts = [frame.astype({"d": "str"}) for frame in parts]
    meta = parts[0].iloc[:0].assign(c=dd.utils.clear_known_categories(parts[0]["c"].iloc[:0]))
    frames = [
        dd.from_map(lambda frame: frame, parts, meta=meta),
        dd.concat([dd.from_pandas(frame, npartitions=1) for frame in parts]),
    ]
    whole = pd.concat([frame.astype({"c": object, "y": object}) for frame in parts])
    for frame in frames:
        model = AODE().fit_source(from_dask(frame, target="y"))
        expected = AODE().fit(whole[["c", "d"]], whole["y"])
        assert model.schema_[0].values == ("a", "b", "z")
        assert model.classes_.tolist() == ["no", "rare", "yes"]
        assert_same_tables(model._tables, expected._tables)


def test_dates_truth_values_and_nullable_integers():
    import pandas as pd

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, 150), unit="D"),
            "flag": rng.random(150) < 0.5,
            "n": pd.array(rng.integers(0, 9, 150), dtype="Int64"),
        }
    )
    frame.loc[::7, "n"] = pd.NA
    frame["y"] = (frame["when"] > pd.Timestamp("2021-01-01")).astype("int32") + frame["flag"]
    model = NaiveBayes().fit_source(from_dask(dd.from_pandas(frame, npartitions=4), target="y"))
    expected = NaiveBayes().fit(frame.drop(columns="y"), frame["y"])
    assert [a.kind for a in model.schema_.attributes] == ["numeric", "categorical", "numeric"]
    assert model.schema_[0].cut_points.tolist() == expected.schema_[0].cut_points.tolist()
    assert_same_tables(model._tables, expected._tables)
    assert model.classes_.dtype == expected.classes_.dtype


def test_parquet_reads_only_what_is_counted(tmp_path):
    table = random_table(np.random.default_rng(4), 300)
    pq.write_table(table.append_column("id", pa.array(range(300))), tmp_path / "1.parquet", row_group_size=50)
    frame = dd.read_parquet(tmp_path, split_row_groups=True)
    assert frame.npartitions == 6
    source = from_dask(frame, target="y", drop=["id"])
    assert_same_model(KDB().fit_source(source), fit_in_memory(KDB(), table), table)
    assert source.schema.names == table.column_names


def test_counts_predictions_and_losses(tmp_path):
    table = random_table(np.random.default_rng(3), 150, "copies")
    source, local = source_of(evenly(table, 5)), from_table(table, target="y", weight="w")
    counts = count_source(source, families=[("c0", "x", "i")])
    expected = Counts.of(features(table), table["y"], table["w"].to_numpy(), families=[("c0", "x", "i")])
    assert_same_tables(counts.tables, expected.tables)
    model = AODE().fit_counts(counts)
    assert model.predict_source(source, tmp_path / "out.parquet", proba=True) == 150
    written = pq.read_table(tmp_path / "out.parquet")
    assert written["prediction"].to_pylist() == model.predict(features(table)).tolist()
    assert evaluate_source(model, source) == pytest.approx(evaluate_source(model, local), rel=1e-12)


def test_many_partitions_predict_where_they_lie():
    """What the documentation says of a cluster: a fitted model goes to the partitions."""
    import pandas as pd

    table = random_table(np.random.default_rng(3), 90)
    frame = evenly(table, 4)
    model = NaiveBayes().fit_source(source_of(frame))

    def predict(part: Any) -> Any:
        return pd.Series(model.predict(part[model.feature_names_in_]), index=part.index, dtype="str")

    predicted = frame.map_partitions(predict, meta=pd.Series(dtype="str"))
    assert predicted.compute().tolist() == model.predict(features(table)).tolist()


def test_tasks_leave_alone_what_they_are_given():
    """Dask may run a task again: what it gets must be as it was."""
    from seminaive.counts.plan import CountPlan
    from seminaive.counts.tallies import CountTally, Target
    from seminaive.data.schema import Attribute
    from seminaive.sources.dask import _counted, _merged

    table = random_table(np.random.default_rng(6), 60).select(["c0", "c1", "y"])
    attributes = [Attribute(name, "categorical") for name in ("c0", "c1")]
    empty = CountTally(Target("y"), attributes, CountPlan(pairs=True), 10**8, keeps_rows=True)
    before = state_of(empty)
    frame = table.to_pandas()
    schema = pa.Schema.from_pandas(frame, preserve_index=False)
    parts = [_counted(frame[k::3], empty, schema, k) for k in range(3)]
    assert state_of(empty) == before
    held = [state_of(part) for part in parts]
    first = _merged(parts)
    assert [state_of(part) for part in parts] == held
    assert state_of(_merged(parts)) == state_of(first)


def state_of(tally: Any) -> Any:
    from seminaive.persistence.values import Packer

    packer = Packer()
    return tally.pack(packer), [array.tolist() for array in packer.arrays]


def test_rows_that_are_kept_do_not_exceed_the_limit_together():
    table = random_table(np.random.default_rng(0), 900).drop(["x", "flag", "i"])
    with pytest.raises(MemoryError, match="single training rows"):
        LocalKDB(memory_limit=8_000).fit_source(source_of(evenly(table, 4)))


def test_wide_columns_turn_sparse_where_the_limit_asks_for_it():
    rng = np.random.default_rng(0)
    wide = {f"c{j}": [f"v{k}" for k in rng.integers(0, 300, 500)] for j in range(3)}
    table = pa.table({**wide, "y": rng.integers(0, 2, 500)})
    for limit in (30_000_000, 600_000):
        expected = fit_in_memory(AODE(memory_limit=limit), table)
        model = AODE(memory_limit=limit).fit_source(source_of(evenly(table, 5)))
        assert (expected._tables.pair_counts is None) == (limit == 600_000)
        assert_same_model(model, expected, table)


class TestErrors:
    def test_what_is_no_dask_frame(self):
        with pytest.raises(TypeError, match="needs a Dask data frame, and got a Table"):
            from_dask(pa.table({"a": [1]}))

    def test_columns_that_are_not_there(self):
        frame = evenly(random_table(np.random.default_rng(0), 20), 2)
        for options, what in (
            ({"target": "z"}, "target"),
            ({"weight": "z"}, "weight"),
            ({"drop": ["z"]}, "drop"),
        ):
            with pytest.raises(ValueError, match=rf"the Dask frame: there is no column 'z' \({what}=\)"):
                from_dask(frame, **options)

    def test_objects_and_names_that_are_no_text(self):
        import pandas as pd

        with dask.config.set({"dataframe.convert-string": False}):
            frame = dd.from_pandas(pd.DataFrame({"o": pd.Series([1, "a"], dtype=object)}), npartitions=1)
            with pytest.raises(
                ValueError, match=r"column 'o' has dtype object.*data.astype\(\{'o': 'string'"
            ):
                from_dask(frame)
        mixed = pd.DataFrame({"o": pd.Categorical([1, "a"])})
        with pytest.raises(ValueError, match=r"column 'o' has dtype category, whose values are of several"):
            from_dask(dd.from_pandas(mixed, npartitions=1))
        with pytest.raises(ValueError, match=r"column 7, whose name is no text"):
            from_dask(dd.from_pandas(pd.DataFrame({7: [1.0]}), npartitions=1))

    def test_a_partition_that_is_not_what_the_metadata_say(self):
        import pandas as pd

        meta = pd.DataFrame({"a": ["x"], "y": ["p"]}).astype("string[pyarrow]")
        for strange, message in (
            (
                meta.assign(a=[1]),
                "partition 1: column 'a' holds integers, and in the Dask frame's metadata t",
            ),
            (meta[["y"]], "partition 1: column 'a' is missing, which the Dask frame's metadata has"),
            (meta.assign(a=pd.Series([["x"]], dtype=object)), "partition 1: column 'a' holds list"),
            (
                pd.concat([meta, meta]).assign(a=np.array([1, "b"], dtype=object)),
                "partition 1: .*for column a with",
            ),
            (meta.assign(a=pd.Categorical([1], categories=[1, "b"])), "partition 1: .*for column a"),
        ):
            with dask.config.set({"dataframe.convert-string": False}):
                frame = dd.from_map(lambda part: part, [meta, strange], meta=meta.iloc[:0])
                with pytest.raises(ValueError, match=message):
                    NaiveBayes().fit_source(from_dask(frame, target="y"))

    def test_missing_classes_and_bad_weights_name_partition_and_column(self):
        table = random_table(np.random.default_rng(0), 40, "ones")
        cases = {
            "y": (None, "partition 2: the target 'y' is missing in 1 of"),
            "w": (-1.0, "partition 2: the weight 'w' is -1.0"),
        }
        for name, (value, message) in cases.items():
            values = table[name].to_pylist()
            values[-1] = value
            wrong = table.set_column(table.column_names.index(name), name, pa.array(values))
            with pytest.raises(ValueError, match=message):
                NaiveBayes().fit_source(source_of(evenly(wrong, 3)))

    def test_no_checkpoint(self, tmp_path):
        frame = evenly(random_table(np.random.default_rng(0), 20), 2)
        with pytest.raises(ValueError, match="cannot begin in the middle"):
            NaiveBayes().fit_source(source_of(frame), checkpoint=tmp_path / "c")


def shares_of(model: Any, frame: Any) -> list[tuple[str, float]]:
    shares: list[tuple[str, float]] = []
    model.fit_source(source_of(frame), progress=lambda share, what: shares.append((what, share)))
    return shares


@pytest.mark.parametrize("n", [1, 11])
@pytest.mark.parametrize("scheduler", ["synchronous", "threads"])
def test_progress_is_the_share_of_partitions(scheduler, n):
    table = random_table(np.random.default_rng(9), 60).drop(["x", "flag", "i"])
    with dask.config.set(scheduler=scheduler):
        told = shares_of(KDB(), evenly(table, n))
    once = [k / n for k in range(1, n + 1)]
    assert told == [(what, share) for what in ("counting", "families") for share in once]


def test_messages_of_long_passes(monkeypatch, caplog):
    from seminaive.classifiers import streaming

    monkeypatch.setattr(streaming, "_SECONDS", 0.0)
    table = random_table(np.random.default_rng(9), 60).drop(["x", "flag", "i"])
    with caplog.at_level("INFO", logger="seminaive"):
        AODE(verbose=True).fit_source(source_of(evenly(table, 4)))
    assert "[AODE] counting: 50 %, about" in caplog.text


def test_processes(tmp_path):
    """Worker processes that import everything anew, and text that every row group lists anew."""
    rng = np.random.default_rng(8)
    table = random_table(rng, 200, "copies").drop(["x", "flag", "i"])
    write_parts(table, tmp_path, rng, 1)
    with dask.config.set(scheduler="processes", num_workers=2):
        model = AODE().fit_source(source_of(dd.read_parquet(tmp_path, split_row_groups=20)))
    assert_same_model(model, fit_in_memory(AODE(), table), table)


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip(
        "distributed", reason="distributed is not installed: pip install 'seminaive[dask]'"
    )
    with (
        dask.config.set({"distributed.worker.daemon": False}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_cluster(client):
    table = random_table(np.random.default_rng(9), 200, "halves")
    frame = dd.from_pandas(table.to_pandas(), npartitions=11)
    model = KDB().fit_source(source_of(frame))
    assert_same_model(model, fit_in_memory(KDB(), table), table)
    with pytest.raises(ValueError, match=r"partition \d+: the weight 'w' is -1.0"):
        NaiveBayes().fit_source(source_of(frame.assign(w=-1.0)))
    told = shares_of(NaiveBayes(), frame.drop(columns=["x", "flag", "i"]))
    assert told == [("counting", k / 11) for k in range(1, 12)]
    with pytest.raises(ValueError, match=r"partition \d+: the weight 'w' is -1.0"):
        shares_of(NaiveBayes(), frame.assign(w=-1.0))


def test_a_worker_that_is_killed_changes_nothing(client, tmp_path):
    """Killed in the middle of a pass, when it holds tables that others wait for."""
    table = random_table(np.random.default_rng(10), 300).drop(["x", "flag", "i"])

    def slowly(part: Any) -> Any:
        (tmp_path / f"{os.getpid()} {time.monotonic_ns()}").touch()
        time.sleep(0.05)
        return part

    frame = dd.from_pandas(table.to_pandas(), npartitions=30)
    frame = frame.map_partitions(slowly, meta=frame._meta)
    killed: list[int] = []

    def kill() -> None:
        while len(begun := list(tmp_path.iterdir())) < 14:
            time.sleep(0.01)
        killed.append(int(begun[0].name.split()[0]))
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    model = AODE().fit_source(source_of(frame))
    killer.join(timeout=5)
    assert killed
    assert len(list(tmp_path.iterdir())) > 30  # what was lost was counted again
    assert_same_model(model, fit_in_memory(AODE(), table), table)
