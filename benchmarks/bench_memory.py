"""Peak memory beyond the input, each in a process of its own."""

from __future__ import annotations

from benchmarks.harness import Report, run_python

_MEASURE = """
import json, resource, sys
import numpy as np, psutil

def peak():
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024

name, n_rows, n_columns, n_values, n_classes, n_jobs = sys.argv[1], *map(int, sys.argv[2:])
if name == "CategoricalNB":
    from sklearn.naive_bayes import CategoricalNB
    model = CategoricalNB()
else:
    import seminaive
    model = getattr(seminaive, name)(categorical_features="all", n_jobs=n_jobs)
# compiled code is loaded before, as in a process that has used the library
model.fit(np.tile(np.arange(n_values)[:, None], (n_classes, 3)), np.repeat(np.arange(n_classes), n_values))
rng = np.random.default_rng(0)
y = rng.integers(0, n_classes, n_rows)
X = np.empty((n_rows, n_columns), dtype=np.int64)
for column in range(n_columns):
    X[:, column] = (rng.integers(0, n_values, n_rows) + y * (rng.random(n_rows) < 0.3)) % n_values
before = psutil.Process().memory_info().rss
model.fit(X, y)
fitted = peak() - before
before = psutil.Process().memory_info().rss
model.predict_proba(X)
print(json.dumps([fitted / 2**20, (peak() - before) / 2**20, X.nbytes / 2**20]))
"""


def run(report: Report) -> None:
    report.layer("memory")
    n_rows, n_columns = (200_000, 20) if report.quick else (1_000_000, 40)
    for name in ("NaiveBayes", "TAN", "KDB", "AODE", "CategoricalNB"):
        fitted, predicted, size = run_python(
            _MEASURE, name, *map(str, (n_rows, n_columns, 5, 5, 2))
        )
        task = f"{n_rows:,} x {n_columns} five-valued int64 ({size:,.0f} MiB), 5 classes, n_jobs=2"
        report.value(task, f"{name}, fit, beyond the input", fitted, "MiB")
        report.value(task, f"{name}, predict_proba", predicted, "MiB")
        if name == "AODE":
            report.goal(
                f"memory of AODE fit on {n_rows:,} x {n_columns} five-valued, beyond the input",
                "< 1 GB",
                f"{fitted * 2**20 / 1e9:.2f} GB",
                fitted * 2**20 < 1e9,
            )
