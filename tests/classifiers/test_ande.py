"""AnDE beyond its twin: AODE for n = 1, what it counts and refuses, long rows, batches and blocks."""

from __future__ import annotations

import numpy as np
import pytest
from test_naive_twins import sparse_tables

from seminaive import AODE, AnDE, Counts
from seminaive.testing import naive

CODES = {"categorical_features": "all"}


def table(n_rows=400, n_attributes=6, n_values=3, n_classes=3, share_missing=0.1, seed=0):
    """Codes that depend on the class, some of them missing, and classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    X = (
        (rng.random((n_rows, n_attributes)) < 0.6) * y[:, None] + rng.integers(2, size=y.shape)[:, None]
    ) % n_values
    X = X.astype(float)
    X[rng.random(X.shape) < share_missing] = np.nan
    return X, y


@pytest.mark.parametrize("n_attributes", [1, 2, 6])
@pytest.mark.parametrize(
    "own", [{}, {"frequency_limit": 40}, {"subsumption_resolution": True, "critical_value": 5}], ids=str
)
def test_one_superparent_is_aode_bit_for_bit(n_attributes, own):
    X, y = table(n_attributes=n_attributes)
    one, aode = AnDE(n=1, **own, **CODES).fit(X, y), AODE(**own, **CODES).fit(X, y)
    np.testing.assert_array_equal(one.joint_log_likelihood(X), aode.joint_log_likelihood(X))
    np.testing.assert_array_equal(one.explain(X).contributions, aode.explain(X).contributions)
    assert one.parents_ == aode.parents_


def test_two_superparents_by_hand():
    X, y = [["a", "s", "u"], ["a", "s", "v"], ["b", "t", "v"]], [0, 0, 1]
    joint = np.exp(AnDE().fit(X, y).joint_log_likelihood([["a", "s", "v"]]))[0]
    # (a, s) in two rows of class 0, (a, v) and (s, v) in one of them
    of_as = np.array([(2 + 1 / 8) * (1 + 1 / 2) / (2 + 1), (1 / 8) * (1 / 2) / 1]) / 4
    of_av = np.array([(1 + 1 / 8) * (1 + 1 / 2) / (1 + 1), (1 / 8) * (1 / 2) / 1]) / 4
    np.testing.assert_allclose(joint, (of_as + 2 * of_av) / 3, rtol=1e-13)


@pytest.mark.parametrize("limit", [60, 10**6])
def test_rows_without_a_pair_are_left_to_aode(limit):
    X, y = table()
    two, aode = (cls(frequency_limit=limit, **CODES).fit(X, y) for cls in (AnDE, AODE))
    alone = ~two._pairs.weights(two._codes(X)).any(axis=1)
    assert alone.any()
    assert limit > 1000 or not alone.all()
    ours, theirs = two.joint_log_likelihood(X), aode.joint_log_likelihood(X)
    np.testing.assert_array_equal(ours[alone], theirs[alone])
    assert (np.abs(ours - theirs)[~alone].max(axis=1) > 1e-6).all()


@pytest.mark.parametrize("strength", [1.0, 1e-30, 1e-200])
def test_products_of_long_rows_do_not_underflow(strength):
    """Products of plain probabilities would leave the range of numbers; sums of logarithms do not."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=30)
    X = (rng.integers(30, size=(30, 24)) + y[:, None]) % 30
    options = {"smoothing_strength": strength, "categories": {i: list(range(31)) for i in range(24)}, **CODES}
    T = np.concatenate([X[:5], rng.integers(31, size=(20, 24))])
    dense = AnDE(**options).fit(X, y).joint_log_likelihood(T)
    with sparse_tables():
        sparse = AnDE(**options).fit(X, y).joint_log_likelihood(T)
    if strength == 1e-200:
        assert dense[5:].min() < -2000
    np.testing.assert_allclose(dense, sparse, rtol=1e-12)


def test_results_depend_neither_on_blocks_nor_on_threads():
    X, y = table(n_rows=2500, n_attributes=7)
    model = AnDE(**CODES).fit(X, y)
    whole = model.joint_log_likelihood(X)
    for rows in (X[:1], X[3:17], X[:1023]):
        start = next(r for r in range(len(X)) if np.array_equal(X[r : r + len(rows)], rows, equal_nan=True))
        np.testing.assert_array_equal(model.joint_log_likelihood(rows), whole[start : start + len(rows)])
    two = AnDE(n_jobs=2, **CODES).fit(X, y)
    np.testing.assert_array_equal(two.joint_log_likelihood(X), whole)


@pytest.mark.parametrize("n_values", [3, 90])
def test_batches_give_what_all_rows_give(n_values):
    """Of many values the tables of a small batch hold only what occurs, and those of a large one all."""
    X, y = table(n_rows=6000 if n_values > 9 else 400, n_attributes=3, n_values=3)
    if n_values > 9:
        X = np.where(np.isnan(X), X, X * 30 + np.random.default_rng(1).integers(30, size=X.shape))
    options = {**CODES, "categories": {i: list(range(n_values)) for i in range(3)}}
    whole = AnDE(**options).fit(X, y)
    split = len(X) - 20
    for parts in ([slice(0, split), slice(split, None)], [slice(split, None), slice(0, split)]):
        model = AnDE(**options)
        for part in parts:
            model.partial_fit(X[part], y[part], classes=[0, 1, 2])
        np.testing.assert_allclose(
            model.joint_log_likelihood(X[:50]), whole.joint_log_likelihood(X[:50]), rtol=1e-12
        )


def test_counts_need_all_triples():
    X, y = table(n_attributes=4)
    options = {"encoder": AnDE(**CODES)._new_encoder()}
    pairs = Counts.of(X, y, **options)
    with pytest.raises(
        ValueError, match=r"AnDE needs the counts of further families .* \[\['x0', 'x1', 'x2'\]"
    ):
        AnDE().fit_counts(pairs)
    triples = Counts.of(X, y, families=AnDE().families(pairs), **options)
    expected = AnDE(**CODES).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(AnDE().fit_counts(triples).predict_proba(X), expected)
    np.testing.assert_array_equal(
        AnDE(n=1).fit_counts(pairs).predict_proba(X), AODE(**CODES).fit(X, y).predict_proba(X)
    )


def test_too_many_triples_are_refused_before_they_are_listed():
    X = np.random.default_rng(0).integers(2, size=(20, 400))
    with pytest.raises(MemoryError, match=r"10,586,800 triples of 400 attributes.*AnDE\(n=1\).*memory_limit"):
        AnDE(memory_limit=10**9, **CODES).fit(X, X[:, 0])
    with pytest.raises(MemoryError, match=r"families of attributes .*memory_limit"):
        AnDE(memory_limit=300_000, **CODES).fit(X[:, :10] + 7 * np.arange(20)[:, None], np.arange(20))


def test_half_of_what_two_superparents_tell_goes_to_each():
    """A value that tells nothing gets nothing, also as a superparent."""
    X = np.array([[a, b] for a in (0, 0, 0, 1, 0, 1, 1, 1) for b in (0, 1)])
    y = np.repeat([0, 1], 8)
    found = AnDE(smoothing_strength=0, **CODES).fit(X, y).explain(X[:8], classes=[0, 1])
    np.testing.assert_allclose(found.contributions[:, 1], 0, atol=1e-12)
    np.testing.assert_allclose(np.abs(found.contributions[:, 0]), np.log(3), rtol=1e-12)


def test_the_twin_of_a_row_in_the_middle_of_many():
    X, y = table(n_rows=300, n_attributes=5)
    model = AnDE(**CODES).fit(X, y)
    rows = [[None if np.isnan(x) else int(x) for x in row] for row in X]
    coded = naive.Table(rows, y.tolist(), n_values=[3] * 5, n_classes=3)
    for row in (0, 137, 299):
        joint = np.exp(model.joint_log_likelihood(X))[row]
        np.testing.assert_allclose(joint, naive.ande_joint(coded, rows[row]), rtol=1e-10)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n": 0},
        {"n": 3},
        {"n": "2"},
        {"frequency_limit": -1},
        {"critical_value": "100"},
        {"subsumption_resolution": 2},
    ],
    ids=str,
)
def test_wrong_parameters(wrong):
    (name, value), *_ = wrong.items()
    with pytest.raises(ValueError, match=rf"{name}.*{value!r}"):
        AnDE(**wrong).fit([["a", "b"], ["b", "a"]], [0, 1])
