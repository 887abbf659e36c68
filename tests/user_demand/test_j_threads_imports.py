"""Group J: threads, speed, imports."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from demand import ASK, every_classifier, mixed, spread

from seminaive import AODE, NaiveBayes

HEAVY = ["numba", "pandas", "polars", "pyarrow", "matplotlib", "networkx", "dask", "pyspark"]


def run(code: str, **environment: str) -> str:
    """Output of a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@every_classifier
def test_d58_threads_of_the_caller(classifier):
    X, y = mixed()
    rng = np.random.default_rng(0)
    wide = rng.integers(5, size=(2000, 30))
    targets = rng.integers(3, size=2000)
    expected = classifier(categorical_features="all").fit(wide, targets).predict_proba(wide)
    shared = classifier(n_jobs=2).fit(X, y)
    asked = shared.predict_proba(X)

    def work(_):
        own = classifier(categorical_features="all", n_jobs=2).fit(wide, targets)
        return own.predict_proba(wide), shared.predict_proba(X)

    with ThreadPoolExecutor(4) as pool:
        for own, others in pool.map(work, range(6)):
            np.testing.assert_array_equal(own, expected)
            np.testing.assert_array_equal(others, asked)


STEPS = """
import sys, time, joblib, sklearn.utils.validation
before = set(sys.modules)
begin = time.process_time()
import seminaive
print(time.process_time() - begin, *set(sys.modules) - before)
[classifier() for classifier in seminaive.all_classifiers().values()], seminaive.TableEncoder()
print(time.process_time() - begin, *set(sys.modules) - before)
from seminaive.cli import main
sys.argv = ["seminaive", "--help"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print()
print(time.process_time() - begin, *set(sys.modules) - before)
"""


def test_d59_imports_and_help_are_fast_and_compile_nothing():
    lines = run(STEPS).splitlines()
    for line in (lines[0], lines[1], lines[-1]):
        seconds, *modules = line.split()
        assert float(seconds) < 1
        assert not set(HEAVY) & set(modules)
    assert float(lines[0].split()[0]) < 0.5


def test_d60_without_a_place_for_the_cache():
    # no directory can be written: kernels are compiled for this process only
    code = """
import importlib, pkgutil, warnings
import numba.core.caching as caching

def refuse(self):
    raise PermissionError("read-only file system")

caching._CacheLocator.ensure_cache_path = refuse
warnings.simplefilter("error")
import seminaive.kernels
from seminaive.kernels.jit import kernel
for module in pkgutil.iter_modules(seminaive.kernels.__path__, "seminaive.kernels."):
    importlib.import_module(module.name)

@kernel
def twice(number):
    return 2 * number

print(twice(21))
"""
    assert run(code) == "42"


def calls(function, *arguments):
    """How many Python functions a call enters."""
    entered = 0

    def count(frame, event, argument):
        nonlocal entered
        entered += event == "call"

    sys.setprofile(count)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return entered


@spread(ask=["fit", *ASK], table=["object", "int", "pandas"])
def test_d61_no_python_per_row(classifier, ask, table):
    X, y = mixed(8000)
    if table != "pandas":
        X = X[["visits", "smoker"]].to_numpy(dtype=table)
    model = classifier(n_jobs=1).fit(X, y)
    T, few = X, X[:500]
    if ask == "fit":
        a, b = calls(model.fit, few, y[:500]), calls(model.fit, T, y)
    else:
        method = getattr(model, ask)
        a, b = calls(method, few), calls(method, T)
    assert b - a < (8000 - 500) / 4


@pytest.mark.parametrize("classifier", [AODE])
def test_d61_pairs_are_counted_together(classifier):
    rng = np.random.default_rng(0)
    X, y = rng.integers(3, size=(200, 80)), rng.integers(2, size=200)
    model = classifier(categorical_features="all", n_jobs=1).fit(X, y)
    assert calls(model.fit, X, y) - calls(model.fit, X[:, :40], y) < 80 * 79 / 2 - 40 * 39 / 2


def test_d61_row_by_row_gives_the_same():
    X, y = mixed(600)
    for model in (NaiveBayes().fit(X, y), AODE().fit(X, y)):
        whole = model.predict_proba(X)
        rows = np.vstack([model.predict_proba(X.iloc[i : i + 1]) for i in range(0, 600, 60)])
        np.testing.assert_array_equal(whole[::60], rows)
