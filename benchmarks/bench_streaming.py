"""Fitting from files: beside merely decoding them, in rows, and in memory."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Report, alternate, run_python

_COLUMNS, _VALUES = 20, 8

_PEAK = """
import json, sys
from pathlib import Path
import seminaive

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))

path, name, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
getattr(seminaive, name)(**options).fit_source(seminaive.scan_parquet(path, target="y"))
print(json.dumps([peak()]))
"""


def write_rows(folder: Path, n_rows: int) -> Path:
    """Twenty columns of eight values that depend on the class, as dictionaries, a million rows a group."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / f"{n_rows}.parquet"
    rng = np.random.default_rng(0)
    entries = [f"value {k}" for k in range(_VALUES)]
    writer = None
    for start in range(0, n_rows, 1_000_000):
        n = min(1_000_000, n_rows - start)
        y = rng.integers(0, 2, n, dtype=np.int8)
        columns = {}
        for j in range(_COLUMNS):
            codes = rng.integers(0, _VALUES, n, dtype=np.int8)
            codes = np.where(rng.random(n) < 0.3, (3 * y + j) % _VALUES, codes).astype(np.int8)
            columns[f"a{j}"] = pa.DictionaryArray.from_arrays(codes, entries)
        columns["y"] = pa.DictionaryArray.from_arrays(y, ["no", "yes"])
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()
    return path


def run(report: Report) -> None:
    report.layer("streaming")
    with tempfile.TemporaryDirectory() as folder:
        _run(report, Path(folder))


def _run(report: Report, folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq

    from seminaive import AODE, scan_csv, scan_parquet
    from seminaive.data.text_dictionary import TextDictionary
    from seminaive.sources.local import BATCH_ROWS

    def decode(path: Path) -> None:
        for _ in pq.ParquetFile(path).iter_batches(BATCH_ROWS):
            pass

    def fit(source: Any, n_jobs: int = 1) -> None:  # of two cores the other one decodes
        AODE(n_jobs=n_jobs).fit_source(source)

    sizes = [250_000, 1_000_000] if report.quick else [1_000_000, 5_000_000, 20_000_000]
    paths = {n: write_rows(folder, n) for n in sizes}
    per_row = {}
    for n_rows, path in paths.items():
        task = f"AODE from Parquet, {n_rows:,} x {_COLUMNS}"
        seconds = alternate(
            {
                "fit_source": lambda path=path: fit(scan_parquet(path, target="y")),
                "decoding": lambda path=path: decode(path),
            },
            least=5,
        )
        report.seconds(task, "n_jobs=1", seconds)
        # the least of several: other load only ever adds
        ratio = min(seconds["decoding"]) / min(seconds["fit_source"])
        report.value(task, "speed, of decoding (least times)", ratio * 100, "%")
        report.goal(f"{task}: speed", ">= 50 % of decoding", f"{ratio * 100:.0f} %", ratio >= 0.5)
        more = alternate({"fit_source": lambda path=path: fit(scan_parquet(path, target="y"), 2)}, budget=1.0)
        report.seconds(task, "n_jobs=2", more)
        per_row[n_rows] = min(seconds["fit_source"]) / n_rows
    few, many = per_row[sizes[0]], per_row[sizes[-1]]
    report.goal("time per row, largest / smallest file", "<= 1.2", f"{many / few:.2f}", many <= 1.2 * few)

    if Path("/proc/self/status").exists():
        peaks = [run_python(_PEAK, str(path), "AODE", "{}")[0] for path in paths.values()]
        for n_rows, peak in zip(sizes, peaks, strict=True):
            report.value(f"AODE from Parquet, {n_rows:,} x {_COLUMNS}", "peak memory", peak / 2**20, "MiB")
        report.goal("peak memory of the process", "< 1 GB", f"{max(peaks) / 1e9:.2f} GB", max(peaks) < 1e9)

    _leave_one_out(report, paths)

    text = folder / "a.csv"
    table = pq.read_table(paths[sizes[0]])
    plain = pa.table({name: table[name].cast(pa.string()) for name in table.column_names})
    pyarrow.csv.write_csv(plain, text)
    seconds = alternate(
        {
            "fit_source": lambda: fit(scan_csv(text, target="y")),
            "pyarrow.csv.read_csv": lambda: pyarrow.csv.read_csv(text),
        },
        least=5,
    )
    task = f"AODE from CSV, {sizes[0]:,} x {_COLUMNS}"
    report.seconds(task, "n_jobs=1", seconds)
    ratio = min(seconds["fit_source"]) / min(seconds["pyarrow.csv.read_csv"])
    report.goal(f"{task}: seconds", "<= 1.5 x read_csv", f"{ratio:.2f} x", ratio <= 1.5)

    column = plain["a0"].combine_chunks()
    seconds = alternate(
        {
            "TextDictionary": lambda: TextDictionary().encode(column),
            "dictionary_encode": lambda: column.dictionary_encode(),
        },
        budget=1.0,
    )
    report.seconds(f"{sizes[0]:,} texts of 7 letters", "to a dictionary", seconds)


def _leave_one_out(report: Report, paths: dict[int, Path]) -> None:
    """Passes that judge rows as they go by, beside rows in memory; and the memory that they take."""
    import pyarrow.parquet as pq

    from seminaive import AdaptiveKDB, SelectiveKDB, scan_parquet

    (few, path), (more, longer), *_ = paths.items()
    table = pq.read_table(path)
    X, y = table.drop_columns(["y"]), table["y"]
    for model in (SelectiveKDB(max_k=2, n_jobs=2), AdaptiveKDB(n_jobs=2)):
        task = f"{type(model).__name__} from Parquet, {few:,} x {_COLUMNS}"
        seconds = alternate(
            {
                "fit_source": lambda model=model: model.fit_source(scan_parquet(path, target="y")),
                "fit": lambda model=model: model.fit(X, y),
            },
            least=2,
        )
        report.seconds(task, "n_jobs=2", seconds)
    if Path("/proc/self/status").exists():
        for n_rows, file in ((few, path), (more, longer)):
            peak = run_python(_PEAK, str(file), "SelectiveKDB", '{"max_k": 2, "n_jobs": 2}')[0]
            task = f"SelectiveKDB from Parquet, {n_rows:,} x {_COLUMNS}"
            report.value(task, "peak memory", peak / 2**20, "MiB")
