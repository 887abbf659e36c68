"""Dask with two worker processes beside one, what its scheduler takes; Spark beside Spark ML."""

from __future__ import annotations

import math
import os
import pickle
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.bench_streaming import write_rows
from benchmarks.harness import Report, alternate

_PARTS = 20
_ROUNDS = 3  # of five fits for each number of workers
_ROWS, _WORKERS = 10**9, 64  # of the estimate


def run(report: Report) -> None:
    report.layer("cluster")
    n_rows = 400_000 if report.quick else 20_000_000
    with tempfile.TemporaryDirectory() as name:
        many = _parts(Path(name) / "many", n_rows // _PARTS)
        few = _parts(Path(name) / "few", 10)
        try:
            import distributed  # noqa: F401
        except ImportError:
            report.note("Dask is not installed: pip install '.[dask]'")
        else:
            _dask(report, many, few, n_rows)
        try:
            import pyspark  # noqa: F401
        except ImportError:
            report.note("Spark is not installed: pip install '.[spark]'")
        else:
            if shutil.which("java"):
                _spark(report, many, n_rows // 10)
            else:
                report.note("Spark needs Java")


def _parts(folder: Path, n_rows: int) -> Path:
    """The same rows in as many files as there will be partitions."""
    folder.mkdir()
    first = write_rows(folder, n_rows).rename(folder / "0.parquet")
    for number in range(1, _PARTS):
        shutil.copyfile(first, folder / f"{number}.parquet")
    return folder


def _dask(report: Report, many: Path, few: Path, n_rows: int) -> None:
    import dask.dataframe as dd
    import pyarrow.parquet as pq
    from distributed import Client, LocalCluster

    from seminaive import AODE, from_dask
    from seminaive.counts.plan import CountPlan
    from seminaive.counts.tallies import CountTally, Target
    from seminaive.data.schema import Attribute
    from seminaive.sources.dask import _merged

    def fit(folder: Path) -> Any:
        return AODE().fit_source(from_dask(dd.read_parquet(folder), target="y"))

    timed: dict[str, list[float]] = {"two workers": [], "one worker": []}
    small: list[float] = []
    for _ in range(1 if report.quick else _ROUNDS):
        # one after the other: a cluster that waits for work takes processor time from the other one
        for name, n_workers in zip(timed, (2, 1), strict=True):
            with (
                LocalCluster(
                    n_workers=n_workers, threads_per_worker=1, dashboard_address=None, memory_limit=None
                ) as cluster,
                Client(cluster),
            ):
                fit(few)  # imports and compiled loops
                timed[name] += alternate({name: lambda: fit(many)}, budget=60.0, most=5)[name]
                if n_workers == 2:
                    small += alternate({"few rows": lambda: fit(few)})["few rows"]
    task = f"{n_rows:,} x 20, {_PARTS} partitions, Parquet"
    ratio = report.seconds(task, "AODE: Dask, 2 workers", timed)["one worker"]
    report.ratio_goal("Dask: two workers beside one", 1.6, {task: ratio})
    task = f"10 rows a partition, {_PARTS} partitions"
    report.seconds(task, "AODE: Dask, scheduler and tables", {"few rows": small})
    overhead = statistics.median(small) / _PARTS

    table = pq.read_table(many / "0.parquet").slice(0, 100_000)
    attributes = [Attribute(name, "categorical") for name in table.column_names if name != "y"]
    tally = CountTally(Target("y"), attributes, CountPlan(pairs=True), 2**30)
    for batch in table.to_batches():
        tally.add(batch)
    size = len(pickle.dumps(tally))
    report.value("20 columns of 8 values, 2 classes", "table that travels", size / 1e3, "kB")
    merging = alternate({"merge": lambda: _merged([tally] * 8)})
    report.seconds("20 columns of 8 values, 2 classes", "merging 8 tables", merging)
    merge = statistics.median(merging["merge"])

    rate = n_rows / statistics.median(timed["one worker"])
    parts = _ROWS // 1_000_000
    counting, scheduling = _ROWS / rate / _WORKERS, parts * overhead
    levels = math.ceil(math.log(parts, 8))
    total = counting + scheduling + levels * merge
    report.note(
        f"estimate, {_ROWS:,} rows, {parts:,} partitions, {_WORKERS} workers of {rate:,.0f} rows a second: "
        f"{counting:.1f} s of counting, {scheduling:.1f} s of scheduling, {levels} levels of merging of "
        f"{1000 * merge:.1f} ms, together {total:.1f} s; the driver gets {size / 1e3:,.0f} kB"
    )


def _spark(report: Report, folder: Path, n_rows: int) -> None:
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import NaiveBayes as SparkNaiveBayes
    from pyspark.ml.feature import OneHotEncoder, StringIndexer, VectorAssembler
    from pyspark.sql import SparkSession

    from seminaive import AODE, NaiveBayes, from_spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "localhost")
        .config("spark.log.level", "OFF")
        .getOrCreate()
    )
    try:
        frame = spark.read.parquet(*(str(folder / f"{k}.parquet") for k in range(_PARTS))).limit(n_rows)
        frame = frame.repartition(4).cache()
        task = f"{frame.count():,} x 20, cached, local[2]"
        names = [name for name in frame.columns if name != "y"]
        numbers, bits = [f"{name} number" for name in names], [f"{name} bits" for name in names]
        pipeline = Pipeline(
            stages=[
                StringIndexer(inputCols=[*names, "y"], outputCols=[*numbers, "label"]),
                OneHotEncoder(inputCols=numbers, outputCols=bits, dropLast=False),
                VectorAssembler(inputCols=bits, outputCol="features"),
                SparkNaiveBayes(featuresCol="features", labelCol="label"),
            ]
        )
        source = from_spark(frame, target="y")
        timed = alternate(
            {"ours": lambda: NaiveBayes().fit_source(source), "Spark ML": lambda: pipeline.fit(frame)},
            least=2,
        )
        report.seconds(task, "NaiveBayes: Spark", timed)
        report.seconds(task, "AODE: Spark", alternate({"ours": lambda: AODE().fit_source(source)}, least=2))
    finally:
        spark.stop()
