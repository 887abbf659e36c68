"""Group E: memory, cardinality, width of integers."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from demand import (
    FULL,
    every_classifier,
    every_full_classifier,
    seconds,
    spread,
)

from seminaive import AODE, KDB, TAN, NaiveBayes
from seminaive.counts import plan
from seminaive.counts.plan import CountPlan
from seminaive.testing import naive

every_pairwise = pytest.mark.parametrize(
    "model",
    [
        TAN(),
        TAN(missing="value", smoothing="laplace"),
        KDB(k=1),
        KDB(k=2),
        KDB(k=2, smoothing_strength=0),
        AODE(),
        AODE(conditional="ratio", smoothing="laplace"),
        AODE(frequency_limit=3),
        AODE(subsumption_resolution=True, critical_value=2),
    ],
    ids=lambda model: repr(model).replace("\n", "").replace(" ", ""),
)


def wide(n=200, n_columns=5, n_values=24, seed=0):
    """Columns of many values with holes, and three classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    X = (rng.integers(n_values // 2, size=(n, n_columns)) * (y[:, None] + 1)) % n_values
    X[:, 1] = (X[:, 0] + rng.integers(2, size=n)) % n_values
    X = X.astype(object)
    X[rng.random(X.shape) < 0.08] = None
    return X, y


@pytest.mark.filterwarnings(
    "ignore::seminaive.ImpossibleEvidenceWarning", "ignore::seminaive.UnseenValueWarning"
)
@every_pairwise
@pytest.mark.parametrize("weighted", [False, True])
def test_d28_sparse_tables_give_the_same_as_dense_ones(model, weighted):
    X, y = wide()
    T, _ = wide(seed=1)
    weights = np.random.default_rng(2).integers(3, size=len(y)) / 2 if weighted else None
    dense = type(model)(**model.get_params()).fit(X, y, sample_weight=weights)
    sparse = type(model)(**{**model.get_params(), "memory_limit": 100_000}).fit(X, y, sample_weight=weights)
    assert CountPlan(pairs=True).dense_pair_bytes(dense.schema_, 3) > 100_000  # so the other one is sparse
    assert sparse.parents_ == dense.parents_
    np.testing.assert_allclose(sparse.predict_proba(T), dense.predict_proba(T), rtol=0, atol=1e-13)
    np.testing.assert_allclose(
        sparse.joint_log_likelihood(T), dense.joint_log_likelihood(T), rtol=1e-13, atol=1e-11
    )


@pytest.mark.parametrize("classifier", [TAN, KDB, AODE])
def test_d28_many_values_need_no_square_of_memory(classifier):
    # 4 columns of 5,000 values: laid out in full the pairs would take 6 x 5,000 x 5,000 x 2 cells
    rng = np.random.default_rng(0)
    X, y = rng.permuted(np.tile(np.arange(5000), (4, 1)), axis=1).T, rng.integers(2, size=5000)
    model = classifier(categorical_features="all", memory_limit=2**25)
    model.fit(X, y).predict_proba(X[:50])  # compiles
    tracemalloc.start()
    try:
        proba = model.fit(X, y).predict_proba(X[:50])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert np.isfinite(proba).all()
    assert peak < 100e6


@every_classifier
def test_d28_an_error_before_anything_is_allocated(classifier):
    n = 3000
    X = pd.DataFrame({"id": np.arange(n), "customer": np.arange(n) % 2000, "flag": np.arange(n) % 2})
    y = np.arange(n) % 500
    model = classifier(categorical_features="all", memory_limit=10_000)
    tracemalloc.start()
    try:
        with pytest.raises(MemoryError) as caught:
            model.fit(X, y)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    message = str(caught.value)
    assert peak < 3e6  # the counts alone would take 20 MB
    assert "'id' (3000 values)" in message
    assert "'customer' (2000 values)" in message
    assert "10,000 bytes" in message
    needed = int(message.split(" bytes")[0].rsplit(" ", 1)[1].replace(",", ""))
    assert needed > 3000 * 500 * 8 or classifier is not NaiveBayes
    assert "memory_limit" in message
    assert "Drop or group" in message
    assert not hasattr(model, "classes_")


@every_classifier
def test_d28_the_limit_is_half_of_the_free_memory(classifier, monkeypatch):
    X, y = wide()
    monkeypatch.setattr(plan.psutil, "virtual_memory", lambda: type("Memory", (), {"available": 2_000}))
    with pytest.raises(MemoryError, match=r"limit of 1,000 bytes"):
        classifier().fit(X, y)


@every_classifier
@pytest.mark.parametrize("limit", [0, -5, 0.5, "1GB", True], ids=repr)
def test_d28_a_limit_that_makes_no_sense(classifier, limit):
    X, y = wide(20)
    with pytest.raises(ValueError, match="memory_limit"):
        classifier(memory_limit=limit).fit(X, y)


def test_d29_more_than_32_parents():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=30)
    X = (rng.random((30, 37)) < 0.3 + 0.4 * y[:, None]).astype(object)
    X[rng.random(X.shape) < 0.01] = None
    with seconds(20):
        model = KDB(k=35).fit(X, y)
        proba = model.predict_proba(X)
    assert max(map(len, model.parents_.values())) == 35
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-12)


def test_d30_products_of_cardinalities_beyond_64_bits():
    rng = np.random.default_rng(0)
    n_columns, n_values = 12, 60  # 60^12 is about 2^71
    y = rng.integers(2, size=60)
    X = rng.integers(n_values, size=(60, n_columns))
    X[:, 1:5] = X[:, :1]
    domain = {j: list(range(n_values)) for j in range(n_columns)}
    model = KDB(k=11, categorical_features="all", categories=domain).fit(X, y)
    names = list(model.parents_)
    parents = [[names.index(parent) for parent in model.parents_[name]] for name in names]
    assert max(map(len, parents)) == 11
    twin = naive.Table(X.tolist(), y.tolist(), [n_values] * n_columns, n_classes=2)
    actual = np.exp(model.joint_log_likelihood(X[:3]))
    expected = [naive.network_joint(twin, row, parents) for row in X[:3].tolist()]
    np.testing.assert_allclose(actual, expected, rtol=1e-9)


@every_full_classifier
@pytest.mark.parametrize("n", [300, 70_000], ids=["beyond uint8", "beyond uint16"])
def test_d31_counts_do_not_wrap(classifier, n):
    X = np.zeros((n, 3), dtype=np.uint8)
    X[0] = 1
    y = np.zeros(n, dtype=np.int8)
    y[:2] = 1
    model = classifier(categorical_features="all").fit(X, y)
    assert model.class_count_.tolist() == [n - 2, 2]
    zero = model.predict_proba(X[-1:])[0, 1]
    assert 0 < zero < 2 / n


@spread(FULL, n_values=[255, 256, 257, 65_535, 66_000])
def test_d31_codes_of_many_values_do_not_wrap(classifier, n_values):
    # the values of one column tell the class, and would not if codes wrapped
    ids = np.arange(n_values)
    X = pd.DataFrame({"id": ids, "half": ids * 2 // n_values}).astype(str)
    y = ids * 2 // n_values
    model = classifier().fit(X, y)
    assert model.schema_.n_values.tolist() == [n_values, 2]
    rows = X.iloc[[0, 1, n_values // 2 - 2, -256 % n_values, -2, -1]].assign(half=None)
    assert model.predict(rows).tolist() == y[[0, 1, n_values // 2 - 2, -256 % n_values, -2, -1]].tolist()


@every_full_classifier
def test_d31_hundreds_of_classes(classifier):
    y = np.repeat(np.arange(300), 3)
    X = pd.DataFrame({"a": y // 20, "b": y % 20}).astype(str)
    model = classifier().fit(X, y)
    assert model.class_count_.tolist() == [3] * 300
    np.testing.assert_array_equal(model.predict(X), y)
