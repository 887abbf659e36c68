"""Factors, concentrations, weights and posteriors of averaged networks against the slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from seminaive import AveragedNetworks
from seminaive.learn.copies import in_own_order
from seminaive.learn.network_groups import _left_out_factors, draw_members
from seminaive.testing import naive_averaged as naive

SEED = 3


def tables():
    """Small tables of categories and numbers with gaps, classes, and no, whole or broken weights."""
    return st.builds(
        random_table,
        seed=st.integers(0, 10**6),
        n_rows=st.integers(1, 30),
        n_columns=st.integers(1, 4),
        n_classes=st.integers(1, 3),
        weights=st.sampled_from(["none", "whole", "broken"]),
    )


def random_table(seed, n_rows, n_columns, n_classes, weights):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n_rows, n_columns)).astype(object)
    X[:, 0] = np.round(rng.normal(size=n_rows), 1)
    X[rng.random(X.shape) < 0.1] = None
    row_weights = {
        "none": None,
        "whole": rng.integers(1, 4, size=n_rows).astype(float),
        "broken": rng.uniform(0.2, 3, size=n_rows),
    }[weights]
    return X, rng.integers(0, n_classes, size=n_rows), row_weights


def fitted(X, y, weights=None, **options):
    """A model, and the draws that it was made by."""
    small = {"n_groups": 2, "n_members": 4, "k": 3, "depths": (1, 3), "random_state": SEED}
    model = AveragedNetworks(**{**small, **options}).fit(X, y, weights)
    encoder, classes, rows = model._read(X, y, weights)
    seed = int(np.random.RandomState(SEED).randint(2**31))
    copies = in_own_order(rows, encoder.schema_)
    draws = [
        draw_members(copies, encoder.schema_, len(classes), model._settings, (seed, g))
        for g in range(model.n_groups)
    ]
    return model, draws


def twins(group, codes, in_half):
    """The members of a group as the twin has them."""
    return [
        naive.Member(
            codes[m].astype(int),
            group.n_values[m],
            group.parents_of(m),
            [c[: len(p) + 2] for c, p in zip(group.concentrations[m], group.parents_of(m), strict=True)],
            in_half[m],
        )
        for m in range(len(codes))
    ]


def without(rows, t):
    left = rows.weights.copy()
    left[t] -= rows.left_out[t]
    return left


def expected_factors(members, row_codes, rows, weights, model):
    """Of one row, laid out as the library has them; 0 where the child is not observed."""
    depths, n_classes = model.depths, len(model.classes_)
    found = naive.new_factors(members, row_codes, rows.labels, weights, n_classes, depths)
    missing = [row_codes[0][i] >= members[0].n_values[i] for i in range(len(found))]
    found[missing] = 0
    return found.reshape(-1, n_classes).T


def left_out(t, members, codes, rows, model):
    """Factors of training row t by the members that learned without it, from all other rows."""
    judges = [m for m in range(len(members)) if not members[m].half[t]]
    row_codes = [codes[m, :, t].astype(int) for m in judges]
    return expected_factors([members[m] for m in judges], row_codes, rows, without(rows, t), model)


@settings(max_examples=25, deadline=None)
@given(table=tables(), missing=st.sampled_from(["value", "ignore"]))
def test_factors_of_rows_left_out(table, missing):
    """As if the counts were made anew without the row, the concentrations kept."""
    X, y, weights = table
    model, draws = fitted(X, y, weights, categorical_features=list(range(1, X.shape[1])), missing=missing)
    rows = model._chosen.rows
    for group, factors, drawn in zip(model._groups, model._factors, draws, strict=True):
        found, kept = _left_out_factors(rows, factors, drawn, model._settings, np.float64)
        assert kept.tolist() == list(range(rows.n_rows))
        codes = factors.member_codes(rows.codes)
        members = twins(group, codes, drawn.in_half)
        for t in range(rows.n_rows):
            np.testing.assert_allclose(found[t], left_out(t, members, codes, rows, model), atol=1e-10)


@pytest.mark.parametrize(
    ("smoothing", "add", "more"), [("m-estimate", 2 / 3, 2), ("laplace", 2, 6)], ids=["m-estimate", "laplace"]
)
def test_smoothing_of_sharp_estimates(smoothing, add, more):
    """By hand: three values, of which the first two occur, in two classes."""
    X, y = [["a"], ["a"], ["b"], ["b"], ["b"]], [0, 1, 0, 1, 1]
    model, _ = fitted(
        X, y, k=0, depths=(0,), smoothing=smoothing, smoothing_strength=2, categories={0: ["a", "b", "c"]}
    )
    factors = model._factors[0]
    codes = factors.member_codes(np.array([[0, 1, 2]], dtype=np.uint8))
    found = factors.of_node(0, codes, np.zeros(3, np.int64), np.zeros((4, 3)))[:, 1]
    logs = np.log((np.array([[1, 1], [1, 2], [0, 0]]) + add) / (np.array([2, 3]) + more))
    np.testing.assert_allclose(found, logs - logs.mean(axis=1, keepdims=True), atol=1e-12)


@settings(max_examples=15, deadline=None)
@given(table=tables())
def test_concentrations(table):
    """The most probable ones, unless others are as probable."""
    X, y, weights = table
    model, draws = fitted(X, y, weights, categorical_features=list(range(1, X.shape[1])), n_groups=1)
    rows, group, factors = model._chosen.rows, model._groups[0], model._factors[0]
    if weights is not None and not np.array_equal(weights, np.rint(weights)):
        return  # the twin leaves out at most 1 of a row
    codes = factors.member_codes(rows.codes).astype(int)
    for m, member in enumerate(twins(group, codes, draws[0].in_half)):
        for i, parents in enumerate(member.parents):
            data = codes[m], rows.labels, rows.weights, member.n_values, len(model.classes_), i, parents
            chosen = naive.choose_concentrations(*data)
            for level in range(len(chosen)):  # each level given the same ones before
                mine = [*member.concentrations[i][: level + 1]]
                known = [*member.concentrations[i][:level]]
                best = max(
                    naive.left_out_log_likelihood(*data[:-1], parents[: max(level - 1, 0)], [*known, c])
                    for c in naive.GRID
                )
                own = naive.left_out_log_likelihood(*data[:-1], parents[: max(level - 1, 0)], mine)
                assert own == pytest.approx(best, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_real_tables(load):
    """Factors left out, posteriors and contributions of some rows of three data sets."""
    X, y = load(return_X_y=True)
    X, y = X[::3, :6], y[::3]
    model, draws = fitted(X, y)
    rows = model._chosen.rows
    some = np.random.default_rng(0).choice(rows.n_rows, 4, replace=False)
    groups, prior = [], naive.log_prior(rows.labels, rows.weights, len(model.classes_))
    for group, factors, drawn in zip(model._groups, model._factors, draws, strict=True):
        found, _ = _left_out_factors(rows, factors, drawn, model._settings, np.float64)
        codes = factors.member_codes(rows.codes)
        members = twins(group, codes, drawn.in_half)
        for t in some:
            np.testing.assert_allclose(found[t], left_out(t, members, codes, rows, model), atol=1e-10)
        scores = []
        for t in some:
            f = expected_factors(members, list(codes[:, :, t].astype(int)), rows, rows.weights, model)
            scores.append(prior + group.offsets + (f * group.weights).sum(axis=1))
        shares = np.exp(scores - np.max(scores, axis=1, keepdims=True))
        groups.append(shares / shares.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(model._probabilities(rows.codes[:, some]), np.mean(groups, axis=0), atol=1e-10)


@pytest.mark.parametrize("per_class", [False, True])
def test_weights_are_those_of_least_loss(per_class):
    """Nowhere nearby is the objective of the twin smaller, and no weight is negative."""
    X, y = load_wine(return_X_y=True)
    model, draws = fitted(X[:, :5], y, n_groups=1, class_weights=per_class)
    rows, group, factors = model._chosen.rows, model._groups[0], model._factors[0]
    features, _ = _left_out_factors(rows, factors, draws[0], model._settings, np.float64)
    prior = naive.log_prior(rows.labels, rows.weights, 3)
    data = features.transpose(0, 2, 1), rows.labels, rows.weights, prior
    assert (group.weights >= 0).all()
    rng = np.random.default_rng(0)
    if per_class:
        shared = fitted(X[:, :5], y, n_groups=1, class_weights=False)[0]._groups[0].weights[0]

        def objective(w, b):
            return naive.class_weights_objective(w.T, b, shared, *data)
    else:

        def objective(w, b):
            scale = (10 * w[0].sum() + 1) / (10 * len(w[0]) + 1)  # the best one
            return naive.shared_weights_objective(w[0], scale, b, *data)

    least = objective(group.weights, group.offsets)
    for size in (0.3, 0.03):
        for _ in range(10):
            step = size * rng.normal(size=group.weights.shape if per_class else group.weights[:1].shape)
            w = np.maximum(group.weights + step, 0)
            b = group.offsets + size * rng.normal(size=3)
            assert objective(w, b) >= least - 1e-3


def test_a_column_without_information_changes_only_its_own_weights():
    X, y = load_iris(return_X_y=True)
    more = np.column_stack([X, np.ones(len(X))])
    model, larger = (AveragedNetworks(random_state=0).fit(table, y) for table in (X, more))
    for own, with_it in zip(model._groups, larger._groups, strict=True):
        np.testing.assert_array_equal(with_it.parents[:, :4], own.parents)
        np.testing.assert_array_equal(with_it.concentrations[:, :4], own.concentrations)
        assert (with_it.parents[:, 4] == -1).all()
    np.testing.assert_allclose(larger.predict_proba(more), model.predict_proba(X), atol=2e-3)
    assert larger.feature_importances_[4] == 0


def test_every_row_is_judged_by_one_network_of_each_pair():
    _, draws = fitted(*random_table(0, 25, 3, 3, "none"), categorical_features=[1, 2])
    for drawn in draws:
        halves = drawn.in_half.reshape(-1, 2, drawn.in_half.shape[1])
        assert (halves.sum(axis=1) == 1).all()
        assert np.abs(halves[:, 0].sum(axis=1) - halves.shape[2] / 2).max() <= 0.5


def test_the_limit_is_for_all_groups_together():
    X, y = load_wine(return_X_y=True)
    model, _ = fitted(X, y)
    first, second = (factors.tables.nbytes for factors in model._factors)
    for limit in (first + second // 2, first // 2):
        with pytest.raises(MemoryError, match=r"more than [\d,]+ bytes.*n_groups.*raise memory_limit"):
            fitted(X, y, memory_limit=limit)
    assert fitted(X, y, memory_limit=first + second)[0].predict(X).tolist() == model.predict(X).tolist()
