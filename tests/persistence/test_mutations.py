"""Mutated model files: an error each, or a model that works; never a crash, a pickle, or much memory."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from mutations import DAMAGES, FORGERIES, Bang

import seminaive
from repeatable import repeatable
from seminaive import ModelFileError, all_classifiers


def a_table():
    rng = np.random.default_rng(5)
    n = 150
    X = np.empty((n, 5), dtype=object)
    X[:, 0] = rng.choice(["x", "y", "z"], n)
    X[:, 1] = rng.normal(size=n).round(3)
    X[:, 2] = rng.integers(0, 4, n)
    X[:, 3] = rng.random(n) < 0.4
    X[:, 4] = np.where(X[:, 0] == "x", "a", rng.choice(["a", "b"], n))
    X[rng.random((n, 5)) < 0.1] = None
    y = np.where((X[:, 0] == "x") ^ (X[:, 2] == 1), "p", rng.choice(["p", "q", "r"], n))
    return X, y


def models():
    """Fitted models with a table to predict."""
    X, y = a_table()
    options = {"categorical_features": [0, 2, 3, 4], "missing": {"numeric": "impute"}}
    made = [repeatable(name)(**options).fit(X, y) for name in all_classifiers()]
    made.append(seminaive.LocalKDB(**options).fit(X, y, sample_weight=np.linspace(0.5, 2, len(y))))
    wide = np.random.default_rng(0).integers(0, 80, (len(y), 3))
    options = {"categorical_features": "all", "memory_limit": 70_000}  # tables of what occurs only
    sparse = [cls(**options).fit(wide, y) for cls in (seminaive.AODE, seminaive.KDB, seminaive.LocalKDB)]
    assert all(model._tables.pair_counts is None for model in sparse)
    return [*((model, X) for model in made), *((model, wide) for model in sparse)]


def judge(original, expected, X, path, must_be_same):
    """Whether the file was refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = seminaive.load(path)
        except ModelFileError as error:
            message = str(error)
            if str(path) not in message or "\n" in message or len(message) > 600 + len(str(path)):
                raise
            return True
        try:
            found = model.predict_proba(X)
        except Exception as error:
            if must_be_same or not isinstance(error, ValueError | TypeError | KeyError | IndexError):
                raise
            return False
    if must_be_same:
        np.testing.assert_array_equal(found, expected)
        assert type(model) is type(original)
        assert repr(model.get_params()) == repr(original.get_params())
    return False


def run(n_damages, n_forgeries, seed, folder):
    """How many of the files were refused."""
    rng = random.Random(seed)
    path = Path(folder) / "m.model"
    files = []
    for model, X in models():
        model.save(path)
        files.append((model, model.predict_proba(X), X, path.read_bytes()))
    refused = [0, 0]
    for kind, (mutations, number) in enumerate([(DAMAGES, n_damages), (FORGERIES, n_forgeries)]):
        for i in range(number):
            model, expected, X, data = files[rng.randrange(len(files))]
            mutate = mutations[i % len(mutations)]
            path.write_bytes(mutate(data, rng))
            refused[kind] += judge(model, expected, X, path, must_be_same=kind == 0)
    assert not Bang.fired
    return refused


def test_some_mutated_files(tmp_path):
    refused = run(40, 40, 1, tmp_path)
    assert refused[0] >= 30
    assert refused[1] >= 15


@pytest.mark.slow
def test_a_thousand_mutated_files_in_little_memory(tmp_path):
    """In a process of its own, which a crash would end and which may not take more than 400 MB."""
    code = (
        "import resource, sys; sys.path.append('..'); from test_mutations import run, models; models();"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "print(*run(700, 700, 2, sys.argv[1]));"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, 'MB')"
    )
    root = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    damaged, forged = map(int, done.stdout.splitlines()[0].split())
    assert damaged > 550
    assert forged > 300
    assert int(done.stdout.splitlines()[1].split()[0]) < 400
    print(done.stdout)
