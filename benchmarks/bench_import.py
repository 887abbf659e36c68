"""Import: seconds and loaded modules; first fit and predict of a fresh installation, and of a warm one."""

from __future__ import annotations

import statistics
import tempfile

from benchmarks.harness import Report, run_python

_HEAVY = ["numba", "pandas", "polars", "pyarrow", "matplotlib", "dask", "pyspark", "networkx"]

_IMPORT = """
import json, sys, time
start = time.perf_counter()
import sklearn.base
middle = time.perf_counter()
before = set(sys.modules)
import seminaive
end = time.perf_counter()
loaded = [name for name in json.loads(sys.argv[1]) if name in set(sys.modules) - before]
classifier = time.perf_counter()
seminaive.AODE
print(json.dumps([middle - start, end - middle, time.perf_counter() - classifier, loaded]))
"""

_FIRST = """
import json, sys, time
begin = time.perf_counter()
import numpy as np
import seminaive
rng = np.random.default_rng(0)
y = rng.integers(0, 3, 1000)
codes = rng.integers(0, 4, (1000, 6)) + y[:, None]
numbers = rng.normal(size=(1000, 6)) + y[:, None]
classifier = getattr(seminaive, sys.argv[1])
start, cpu = time.perf_counter(), time.process_time()
for X, options in ((codes, {"categorical_features": "all"}), (numbers, {})):
    classifier(**options).fit(X, y).predict(X)
print(json.dumps([time.perf_counter() - start, time.process_time() - cpu, time.perf_counter() - begin]))
"""


def run(report: Report) -> None:
    report.layer("import")
    repeats = 5 if report.quick else 15
    runs = [run_python(_IMPORT, str(_HEAVY).replace("'", '"')) for _ in range(repeats + 1)][1:]
    base, ours, classifier = (statistics.median(run[part] for run in runs) for part in range(3))
    loaded = runs[0][3]
    report.value("fresh interpreter", "import sklearn.base", base, "s")
    report.value("fresh interpreter, after sklearn.base", "import seminaive", ours, "s")
    report.value("fresh interpreter, after import seminaive", "seminaive.AODE (first use)", classifier, "s")
    report.goal(
        "import seminaive beside import sklearn.base", "<= 50 ms", f"{ours * 1e3:.1f} ms", ours <= 0.05
    )
    report.goal(
        f"modules that import seminaive loads, of {', '.join(_HEAVY)}",
        "none",
        ", ".join(loaded) or "none",
        not loaded,
    )

    first, warm = [], []
    for name in ("NaiveBayes", "TAN", "KDB", "AODE"):
        with tempfile.TemporaryDirectory(prefix="benchmark-") as cache:
            runs = [run_python(_FIRST, name, environment={"NUMBA_CACHE_DIR": cache}) for _ in range(4)]
        cold, *again = (run[0] for run in runs)
        first.append(cold)
        warm.append(statistics.median(again))
        what = "fit + predict, codes and numbers"
        report.value(f"{name}, empty cache of compiled code", what, cold, "s")
        report.value(f"{name}, empty cache, processor time", what, runs[0][1], "s")
        report.value(f"{name}, filled cache, new process", what, warm[-1], "s")
        report.value(
            f"{name}, filled cache, processor time", what, statistics.median(run[1] for run in runs[1:]), "s"
        )
        report.value(
            f"{name}, filled cache, with all imports",
            what,
            statistics.median(run[2] for run in runs[1:]),
            "s",
        )
    report.goal(
        "first fit + predict of a fresh installation, compilation included (slowest classifier)",
        "< 10 s",
        f"{max(first):.1f} s",
        max(first) < 10,
    )
    report.goal(
        "the same with compiled code in the cache, new process", "< 1 s", f"{max(warm):.2f} s", max(warm) < 1
    )
