"""Spark gives what memory gives, bit for bit."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamed import assert_same_model, assert_same_tables, features, fit_in_memory, random_table

from repeatable import EVERY
from seminaive import (
    AODE,
    KDB,
    Counts,
    LocalKDB,
    NaiveBayes,
    count_source,
    evaluate_source,
    from_spark,
    from_table,
)

pytest.importorskip("pyspark", reason="Spark is not installed: pip install 'seminaive[spark]'")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java, version 17 or later", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
CLASSIFIERS = EVERY


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.log.level", "OFF")
        .getOrCreate()
    )
    yield session
    session.stop()


def frame_of(spark: Any, table: pa.Table, partitions: int = 3) -> Any:
    """The rows in some order; beyond the number of rows partitions are empty."""
    rows = [tuple(row.values()) for row in table.to_pylist()]
    names = {"string": "string", "double": "double", "int64": "bigint"}
    schema = ", ".join(f"{field.name} {names[str(field.type)]}" for field in table.schema)
    return spark.createDataFrame(rows, schema).repartition(partitions).cache()


def source_of(frame: Any) -> Any:
    return from_spark(frame, target="y", weight="w" if "w" in frame.columns else None)


class Remembering:
    """A source that asks the engine once for every pass, which many classifiers have in common."""

    def __init__(self, source: Any) -> None:
        self.source, self.known = source, {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    def tally(self, empty: Any, columns: Any, watch: Any = None) -> Any:
        key = pickle.dumps((empty, list(columns)))
        if key not in self.known:
            self.known[key] = pickle.dumps(self.source.tally(empty, columns))
        return pickle.loads(self.known[key])


@pytest.fixture(scope="module", params=["none", "halves"])
def rows(request, spark):
    table = random_table(np.random.default_rng(11), 120, request.param)
    return table, Remembering(source_of(frame_of(spark, table)))


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_classifier_is_the_same(name, rows):
    table, source = rows
    options = {"memory_limit": 10**9}
    model = CLASSIFIERS[name](**options).fit_source(source)
    assert_same_model(model, fit_in_memory(CLASSIFIERS[name](**options), table), table)


def test_more_partitions_than_rows(spark):
    table = random_table(np.random.default_rng(1), 5)
    model = AODE().fit_source(source_of(frame_of(spark, table, 9)))
    assert_same_model(model, fit_in_memory(AODE(), table), table)


def test_names_with_dots_and_quotes(spark):
    table = pa.table({"a.b": ["x", None, "z"], "c`d": [1, 2, 3], "y": ["no", "yes", "no"]})
    frame = spark.createDataFrame([tuple(row.values()) for row in table.to_pylist()], table.column_names)
    model = NaiveBayes().fit_source(source_of(frame))
    assert_same_model(model, fit_in_memory(NaiveBayes(), table), table)


def test_counts_predictions_and_losses(spark, tmp_path):
    table = random_table(np.random.default_rng(3), 150, "copies")
    source, local = source_of(frame_of(spark, table)), from_table(table, target="y", weight="w")
    counts = count_source(source, families=[("c0", "x", "i")])
    expected = Counts.of(features(table), table["y"], table["w"].to_numpy(), families=[("c0", "x", "i")])
    assert_same_tables(counts.tables, expected.tables)
    model = AODE().fit_counts(counts)
    assert model.predict_source(source, tmp_path / "out.parquet", proba=True) == 150
    found, wanted = pq.read_table(tmp_path / "out.parquet"), model.predict_proba(features(table))
    probabilities = np.column_stack([found[f"P({label})"].to_numpy() for label in model.classes_])
    order = [np.lexsort(rows.T) for rows in (probabilities, wanted)]
    np.testing.assert_array_equal(probabilities[order[0]], wanted[order[1]])
    assert evaluate_source(model, source) == pytest.approx(evaluate_source(model, local), rel=1e-12)


def test_rows_that_are_kept_do_not_exceed_the_limit_together(spark):
    table = random_table(np.random.default_rng(0), 900).drop(["x", "flag", "i"])
    with pytest.raises(MemoryError, match="single training rows"):
        LocalKDB(memory_limit=8_000).fit_source(source_of(frame_of(spark, table)))


class TestErrors:
    def test_what_is_no_spark_frame(self):
        with pytest.raises(TypeError, match="needs a Spark data frame, and got a Table"):
            from_spark(pa.table({"a": [1]}))

    def test_columns_that_are_not_there(self, spark):
        frame = spark.createDataFrame([("a",)], "c string")
        with pytest.raises(ValueError, match=r"the Spark frame: there is no column 'z' \(target=\)"):
            from_spark(frame, target="z")

    @pytest.mark.parametrize(
        ("column", "value", "message"),
        [
            ("y", None, r"partition \d: the target 'y' is missing in 1 of"),
            ("w", -1.0, r"partition \d: the weight 'w' is -1.0"),
        ],
    )
    def test_bad_values_name_partition_and_column(self, spark, column, value, message):
        table = random_table(np.random.default_rng(0), 40, "ones")
        values = [*table[column].to_pylist()[1:], value]
        wrong = table.set_column(table.column_names.index(column), column, pa.array(values))
        with pytest.raises(ValueError, match=message):
            NaiveBayes().fit_source(source_of(frame_of(spark, wrong)))

    def test_executors_without_this_package(self, spark, tmp_path, monkeypatch):
        (tmp_path / "seminaive.py").write_text(
            "raise ModuleNotFoundError(\"No module named 'seminaive'\", name='seminaive')\n"
        )
        python = tmp_path / "python"
        python.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}:$PYTHONPATH" exec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
        table = random_table(np.random.default_rng(0), 20)
        frame = frame_of(spark, table, 1)
        monkeypatch.setattr(spark.sparkContext, "pythonExec", str(python))
        with pytest.raises(ValueError, match=r"The Python of Spark's executors has no seminaive\. Install"):
            NaiveBayes().fit_source(source_of(frame))

    def test_no_checkpoint(self, spark, tmp_path):
        frame = spark.createDataFrame([("a", "b")], "c string, y string")
        with pytest.raises(ValueError, match="cannot begin in the middle"):
            KDB().fit_source(source_of(frame), checkpoint=tmp_path / "c")
