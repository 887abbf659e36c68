"""Peak memory beyond the input, each in a process of its own."""

from __future__ import annotations

from pathlib import Path

from benchmarks.harness import Report, run_python

_MEASURE = """
import json, sys
from pathlib import Path
import numpy as np

def resident(key):
    # not ru_maxrss: it begins at the peak of the process that started this one
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))

name, step = sys.argv[1:3]
n_rows, n_columns, n_values, n_classes, n_jobs = map(int, sys.argv[3:])
if name == "CategoricalNB":
    from sklearn.naive_bayes import CategoricalNB
    model = CategoricalNB()
else:
    import seminaive
    model = getattr(seminaive, name)(categorical_features="all", n_jobs=n_jobs)
# compiled code is loaded before, as in a process that has used the library
few = np.tile(np.arange(n_values)[:, None], (n_classes, n_columns))
model.fit(few, np.repeat(np.arange(n_classes), n_values)).predict_proba(few)
rng = np.random.default_rng(0)
y = rng.integers(0, n_classes, n_rows)
X = np.empty((n_rows, n_columns), dtype=np.int64)
for column in range(n_columns):
    X[:, column] = (rng.integers(0, n_values, n_rows) + y * (rng.random(n_rows) < 0.3)) % n_values
before, peak_before = resident("VmRSS"), resident("VmHWM")
if step == "control":
    np.ones(n_rows * n_columns)
elif step == "fit":
    model.fit(X, y)
else:
    model.predict_proba(X)
print(json.dumps([(resident("VmHWM") - before) / 2**20, (peak_before - before) / 2**20, X.nbytes / 2**20]))
"""


def run(report: Report) -> None:
    report.layer("memory")
    if not Path("/proc/self/status").exists():
        report.note("memory skipped: peaks are read from /proc/self/status, which this system does not have")
        return
    n_rows, n_columns = (200_000, 20) if report.quick else (1_000_000, 40)
    shape = [str(number) for number in (n_rows, n_columns, 5, 5, 2)]
    # a known allocation, as large as the input, tells whether the measurement can be trusted
    used, _, size = run_python(_MEASURE, "NaiveBayes", "control", *shape)
    task = f"{n_rows:,} x {n_columns} five-valued int64 ({size:,.0f} MiB), 5 classes"
    report.value(task, "control: peak, true size", used, "MiB", "array of", size)
    if abs(used - size) > 0.05 * size + 2:
        report.note(
            f"memory cannot be trusted here: an array of {size:.0f} MiB was measured as {used:.0f} MiB"
        )
        return
    for name in ("NaiveBayes", "TAN", "KDB", "AODE", "CategoricalNB"):
        for step in ("fit", "predict_proba"):
            used, slack, _ = run_python(_MEASURE, name, step, *shape)
            report.value(task, f"{name}, {step}, beyond input", used, "MiB")
            if used <= slack:
                report.note(f"{name}, {step}: the peak was reached before the call; its own is at most that")
            if (name, step) == ("AODE", "fit"):
                report.goal(
                    f"memory of AODE fit on {n_rows:,} x {n_columns} five-valued, beyond the input",
                    "< 1 GB",
                    f"{used * 2**20 / 1e9:.2f} GB",
                    used * 2**20 < 1e9,
                )
