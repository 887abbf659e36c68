"""Weka 3.6 as a peer of the benchmarks: seconds to build and to predict, in a warm JVM.

Needs a JDK and Weka 3.6: the Debian package ``weka`` puts it where this module looks,
otherwise name the archive in the environment variable ``WEKA_JAR``. Use::

    if available() is None:
        write_task(path, X, y, X_test)
        result = run(path, ["AODE", "TAN"], repeats=3, timeout=120)
        result["AODE"]["build_seconds"], result["AODE"]["predict_seconds"]
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

# name -> class below weka.classifiers.bayes, options; Laplace is AODE's default, m-estimate AODEsr's.
# -D switches the ADTree off: with it, building TAN takes hundreds of times longer on these tasks.
CLASSIFIERS = {
    "NaiveBayes": ("NaiveBayes", ""),
    "AODE": ("AODE", ""),
    "AODEsr": ("AODEsr", ""),
    "TAN": (
        "BayesNet",
        "-D -Q weka.classifiers.bayes.net.search.local.TAN -- -S BAYES "
        "-E weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A 0.5",
    ),
}
MISSING = 0xFFFF


def _archive() -> Path:
    return Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))


def available() -> str | None:
    """Why Weka cannot run here, in one sentence, or None if it can."""
    for program in ("java", "javac"):
        if shutil.which(program) is None:
            return f"Weka skipped: no {program} on the path (Debian: apt install default-jdk-headless)"
    if not _archive().exists():
        return f"Weka skipped: no {_archive()} (Debian: apt install weka, or set WEKA_JAR)"
    return None


def write_task(
    path: str | Path,
    X: np.ndarray,
    y: np.ndarray,
    X_test: np.ndarray,
    n_values: Sequence[int] | None = None,
    n_classes: int | None = None,
) -> Path:
    """Write a training and a test table of codes for `run`.

    Parameters
    ----------
    path : path of the file to write
    X : (n_train, n_attributes) integers; codes from 0, a negative code is a missing value
    y : (n_train,) integers; class codes from 0
    X_test : (n_test, n_attributes) integers
    n_values : declared number of values of each attribute; default: largest code + 1
    n_classes : default: largest class code + 1

    Returns
    -------
    The path. The file holds little-endian int32: columns (class included), training rows, test rows,
    values of each column; then uint16: the rows one after the other, class last, 65535 for missing.
    """
    X, X_test = np.asarray(X), np.asarray(X_test)
    if n_values is None:
        n_values = (np.maximum(X.max(axis=0), X_test.max(axis=0)) + 1).clip(1).tolist()
    domains = [*n_values, int(np.max(y)) + 1 if n_classes is None else n_classes]
    if max(domains) > MISSING:
        raise ValueError(f"{max(domains)} values in one column; the format holds {MISSING}")
    header = np.array([len(domains), len(X), len(X_test), *domains], dtype="<i4")
    with Path(path).open("wb") as file:
        header.tofile(file)
        for codes, classes in ((X, y), (X_test, np.zeros(len(X_test), dtype=int))):
            rows = np.empty((len(codes), len(domains)), dtype="<u2")
            rows[:, :-1] = np.where(codes < 0, MISSING, codes)
            rows[:, -1] = classes
            rows.tofile(file)
    return Path(path)


@cache
def _compiled(archive: Path) -> tempfile.TemporaryDirectory[str]:
    """Directory with the compiled driver, kept for the life of the process."""
    directory = tempfile.TemporaryDirectory(prefix="weka-bench-")
    source = Path(__file__).with_name("WekaBench.java")
    subprocess.run(
        ["javac", "-nowarn", "-cp", str(archive), "-d", directory.name, str(source)],
        check=True,
        capture_output=True,
        text=True,
    )
    return directory


def run(
    task_file: str | Path,
    classifiers: Sequence[str] = tuple(CLASSIFIERS),
    repeats: int = 3,
    threads: int = 1,
    timeout: float | None = None,
    heap: str = "8g",
) -> dict[str, dict[str, Any]]:
    """Time Weka classifiers on a task.

    Each classifier gets a JVM of its own, which reads the task, warms up on a small part of it for
    about three seconds and then builds and predicts `repeats` times. Only
    ``buildClassifier`` and the calls of ``distributionForInstance`` over all test rows are timed;
    garbage is collected before each.

    Parameters
    ----------
    task_file : written by `write_task`
    classifiers : names out of `CLASSIFIERS`
    repeats : timed repetitions; medians are reported
    threads : threads that share the test rows (Weka itself builds and predicts in one; TAN stays at
        one where values are missing); also the number of processors that the JVM may use
    timeout : seconds for one classifier, all in all; None: no limit
    heap : largest Java heap

    Returns
    -------
    name -> dict with

    - ``build_seconds``, ``predict_seconds``: medians over what was finished, None if nothing was
    - ``builds``, ``predictions``: every measured time
    - ``mean_first_class``: mean probability of the first class over the test rows, so that a benchmark
      can check that both sides computed the same thing (None unless finished)
    - ``peak_bytes``: largest resident size of the JVM, data included (None unless finished)
    - ``problem``: None, ``"timeout"``, or the first line of what Java said when it failed
    """
    directory = _compiled(_archive())
    results = {}
    for name in classifiers:
        class_name, options = CLASSIFIERS[name]
        command = ["java", f"-Xmx{heap}", f"-XX:ActiveProcessorCount={threads}", "-Djava.awt.headless=true"]
        command += ["-cp", f"{_archive()}{os.pathsep}{directory.name}", "WekaBench", str(task_file)]
        command += [str(repeats), str(threads), f"weka.classifiers.bayes.{class_name}", options]
        results[name] = _summary(*_execute(command, timeout))
    return results


def _execute(command: list[str], timeout: float | None) -> tuple[str, str | None]:
    """Output of the command as far as it came, and what went wrong, if anything."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        try:
            status = subprocess.run(command, stdout=output, stderr=errors, timeout=timeout).returncode
            errors.seek(0)
            problem = (errors.readline().strip() or f"exit code {status}") if status else None
        except subprocess.TimeoutExpired:
            problem = "timeout"
        output.seek(0)
        return output.read(), problem


def _summary(output: str, problem: str | None) -> dict[str, Any]:
    measured: dict[str, list[float]] = {"build": [], "predict": [], "mean": [], "peak": []}
    for line in output.splitlines():
        key, _, value = line.partition(" ")
        if key in measured:
            measured[key].append(float(value))
    return {
        "build_seconds": statistics.median(measured["build"]) if measured["build"] else None,
        "predict_seconds": statistics.median(measured["predict"]) if measured["predict"] else None,
        "builds": measured["build"],
        "predictions": measured["predict"],
        "mean_first_class": measured["mean"][0] if measured["mean"] else None,
        "peak_bytes": int(measured["peak"][0]) * 1024 if measured["peak"] else None,
        "problem": problem,
    }
