"""The peers that need more than a call: Weka in a Java machine of its own, pyAgrum."""

from __future__ import annotations

import statistics
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness import Report, alternate
from benchmarks.tasks import Task

__all__ = ["LIKE_WEKA", "beside_weka", "pyagrum_classifier"]

_START = 30.0  # seconds granted for reading and warming up, which are no part of what is compared

# parameters with which AODE computes what Weka's classifier of that name does
LIKE_WEKA: dict[str, dict[str, Any]] = {
    "AODE": {"smoothing": "laplace"},
    "AODEsr": {"subsumption_resolution": True, "critical_value": 51},
}


def beside_weka(
    report: Report,
    task: Task,
    name: str,
    what: str,
    ours: Callable[[], Any],
    *,
    n_test: int,
    key: str,
    threads: int = 1,
) -> tuple[float | None, dict[str, Any]]:
    """Enter our time and that of Weka's classifier ``name``, ours measured before and after.

    ``key`` is "build" or "predict"; Weka predicts the first ``n_test`` rows. Returns how many times faster we
    are (a lower bound if Weka took more than ``report.limit`` seconds), and what `weka_peer.run` said.
    """
    seconds = alternate({"ours": ours})["ours"]
    result = _run(report, task, name, n_test, threads, report.limit + _START)
    theirs = result.get(f"{key}_seconds")
    stopped = theirs is None and result.get("problem") == "timeout"
    if result:
        seconds += alternate({"ours": ours})["ours"]
    if result and theirs is None and not stopped:
        report.note(f"Weka's {name} failed on {task.name}: {result['problem']}")
    middle = statistics.median(seconds)
    peer = f"Weka {name}"
    if threads > 1:
        peer += f", {threads} threads"
    if stopped:
        theirs = report.limit
    ratio = report.value(task, what, middle, "s", peer if theirs else None, theirs, at_least=stopped)
    return ratio, result


def _run(report: Report, task: Task, name: str, n_test: int, threads: int, timeout: float) -> dict[str, Any]:
    try:
        from benchmarks.weka import weka_peer
    except ImportError:
        report.note("Weka skipped: benchmarks/weka is not there")
        return {}
    problem = weka_peer.available()
    if problem:
        report.note(problem)
        return {}
    X, y = task.make()
    with tempfile.TemporaryDirectory(prefix="benchmark-") as directory:
        path = Path(directory) / "task"
        weka_peer.write_task(path, X, y, X[:n_test], task.n_values, task.n_classes)
        repeats = 3 if task.n_rows * task.n_attributes > 2_000_000 else 7
        results = weka_peer.run(path, [name], repeats=repeats, timeout=timeout, threads=threads)
    return results[name]


def pyagrum_classifier(report: Report, method: str, n_most: int) -> Callable[[], Any] | None:
    """A function that makes an unfitted classifier ("NaiveBayes" or "TAN"); None where pyAgrum is missing.

    ``n_most`` is the largest number of values of an attribute: none of them is to be discretised.
    """
    try:
        from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
        from pyagrum.skbn import BNClassifier
    except ImportError:
        report.note("pyAgrum skipped: not installed (pip install pyagrum)")
        return None
    warnings.filterwarnings("ignore", category=UserWarning, module="pyagrum")
    codes = partial(DiscreteTypeProcessor, discretizationThreshold=max(25, n_most + 1))
    return lambda: BNClassifier(
        type_processor=codes(), learningMethod=method, prior="Smoothing", priorWeight=1
    )
