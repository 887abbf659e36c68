"""MDLP against hand-worked cases, the published iris cuts, and a slow version written from the paper."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

from seminaive import MDLPDiscretizer


def entropy(labels):
    shares = [labels.count(label) / len(labels) for label in set(labels)]
    return -math.fsum(p * math.log2(p) for p in shares)


def slow_cuts(values, labels):
    """Every midpoint tried, entropies from the definition; of cuts equal to nine digits the last."""
    distinct = sorted(set(values))
    n = len(labels)
    best = None
    for below, above in itertools.pairwise(distinct):
        left = [label for value, label in zip(values, labels, strict=True) if value <= below]
        right = [label for value, label in zip(values, labels, strict=True) if value > below]
        inside = (len(left) * entropy(left) + len(right) * entropy(right)) / n
        if best is None or inside <= best[0] + 1e-9:
            best = inside, below, above, left, right
    if best is None:
        return []
    inside, below, above, left, right = best
    k, k1, k2 = (len(set(part)) for part in (labels, left, right))
    delta = math.log2(3**k - 2) - (k * entropy(labels) - k1 * entropy(left) - k2 * entropy(right))
    if not entropy(labels) - inside > (math.log2(n - 1) + delta) / n:
        return []
    lower = [value for value in values if value <= below]
    upper = [value for value in values if value > below]
    return [*slow_cuts(lower, left), (below + above) / 2, *slow_cuts(upper, right)]


def sorted_rows(values, labels):
    order = np.argsort(values, kind="stable")
    return np.asarray(values)[order].tolist(), np.asarray(labels)[order].tolist()


def cuts_of(values, labels, weights=None, **parameters):
    binner = MDLPDiscretizer(**{"keep_two_valued": False, **parameters})
    return binner.fit(np.reshape(values, (-1, 1)), labels, weights).cut_points_[0].tolist()


def test_d49_iris_has_the_published_cuts():
    X, y = load_iris(return_X_y=True)
    cuts = [column.round(10).tolist() for column in MDLPDiscretizer().fit(X, y).cut_points_]
    assert cuts == [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_d49_real_tables_as_the_slow_version(load):
    X, y = load(return_X_y=True)
    for column, cuts in zip(X.T, MDLPDiscretizer().fit(X, y).cut_points_, strict=True):
        assert cuts.tolist() == pytest.approx(slow_cuts(*sorted_rows(column, y)), rel=1e-12)


@given(
    rows=st.lists(st.tuples(st.integers(0, 15), st.integers(0, 3)), min_size=2, max_size=80),
    tilt=st.integers(0, 3),
)
@settings(deadline=None, max_examples=300)
def test_random_tables_as_the_slow_version(rows, tilt):
    values = [value + 4 * tilt * label for value, label in rows]
    labels = [label for _, label in rows]
    assert cuts_of(values, labels) == slow_cuts(*sorted_rows(values, labels))


def test_pure_halves():
    # gain 1 > (log2 7 + log2 7 - 2) / 8 = 0.452
    assert cuts_of(range(8), [0, 0, 0, 0, 1, 1, 1, 1]) == [3.5]


def test_too_few_rows_to_pay_for_the_cut():
    # 3 * gain = 3 * 0.9183 - 2 = 0.755 < log2 2 + log2 7 - 2 * 0.9183 + 2 = 3.971
    assert cuts_of([1, 2, 3], [0, 1, 0]) == []


def test_d50_alternating_classes_have_no_cut():
    binner = MDLPDiscretizer().fit(np.arange(40).reshape(-1, 1), [0, 1] * 20)
    assert binner.uninformative_features_ == ["x0"]
    assert binner.n_bins_.tolist() == [1]


def test_d49_never_between_equal_values():
    assert cuts_of([1] * 10 + [2] * 10 + [3] * 10, [0] * 10 + [0, 1] * 5 + [1] * 10) == [2.5]
    assert cuts_of([2] * 20, [0] * 10 + [1] * 10) == []


def test_of_equal_cuts_the_last_is_taken():
    # A B A in equal thirds: both cuts leave the same; parts of weight below 50 are not cut again
    values, labels = range(60), [0] * 20 + [1] * 20 + [0] * 20
    assert cuts_of(values, labels, min_split=50) == [39.5]
    assert cuts_of(values, labels) == [19.5, 39.5]


def test_ties_between_permuted_counts():
    # the two cuts leave the same counts in another order: 7, 3, 5 | 5, 63, 7 and 7, 63, 5 | 5, 3, 7
    labels = [0] * 7 + [1] * 3 + [2] * 5 + [1] * 60 + [0] * 5 + [1] * 3 + [2] * 7
    values = [0] * 15 + [1] * 60 + [2] * 15
    for names in itertools.permutations(range(3)):
        assert cuts_of(values, [names[label] for label in labels], min_split=90) == [1.5]


@given(
    rows=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 4)), min_size=2, max_size=60),
    names=st.permutations(range(5)),
)
@settings(deadline=None)
def test_names_and_order_of_classes_never_matter(rows, names):
    values = [value + 3 * label for value, label in rows]
    labels = [label for _, label in rows]
    assert cuts_of(values, labels) == cuts_of(values, [f"class {names[label]}" for label in labels])


def test_two_values_are_kept_although_the_classes_do_not_differ():
    values, labels = [0, 0, 1, 1], ["a", "b", "a", "b"]
    assert cuts_of(values, labels, keep_two_valued=True) == [0.5]
    assert cuts_of(values, labels) == []


def test_one_class_has_no_cuts():
    assert cuts_of(range(30), [1] * 30) == []


@pytest.mark.parametrize("n_classes", [26, 700])
def test_d27_any_number_of_classes(n_classes):
    values = np.arange(40.0 * n_classes)
    assert cuts_of(values, np.repeat(np.arange(n_classes), 40)) == [40 * i - 0.5 for i in range(1, n_classes)]


def test_root_classes():
    # weight times gain = 2, against log2 1 + log2(3^k - 2) - k: 0.8 for two classes, 2.3 for four
    values, codes = np.array([1.0, 2.0]), np.array([0, 3])
    present = MDLPDiscretizer(keep_two_valued=False)
    declared = MDLPDiscretizer(keep_two_valued=False, root_classes="declared")
    assert present.cut_points(values, codes, None, 4).tolist() == [1.5]
    assert declared.cut_points(values, codes, None, 4).size == 0
    # in fit, the classes declared are those of y, with or without a value in the column
    X, y = [[1], [2], [np.nan], [np.nan]], ["a", "b", "c", "d"]
    assert present.fit(X, y).n_bins_.tolist() == [2]
    assert declared.fit(X, y).n_bins_.tolist() == [1]


def test_min_split():
    # first cut before the last two rows: 9.67 > log2 21 + log2 25 - 3 * 0.530 + 2 = 9.44; then C from B
    values, labels = range(22), ["A"] * 20 + ["C", "B"]
    assert cuts_of(values, labels) == [19.5, 20.5]
    assert cuts_of(values, labels, min_split=3) == [19.5]


def test_no_cut_next_to_minus_infinity_that_cannot_be_finite():
    largest = np.finfo(float).max
    assert cuts_of([-np.inf, -largest, 5.0], [0, 1, 0], keep_two_valued=True) == [-largest / 2 + 2.5]


def test_weights_scale_the_evidence():
    # 8 * gain = 8 for eight rows; all of them together may also count as a single one
    values, labels = range(8), [0, 0, 0, 0, 1, 1, 1, 1]
    assert cuts_of(values, labels, [0.125] * 8) == []
    assert cuts_of(values, labels, [2] * 8) == [3.5]


def test_counts_beyond_the_table_of_logarithms():
    values, labels = [0, 1, 1, 2], [0, 0, 1, 1]
    assert cuts_of(values, labels, [1e9] * 4) == [0.5, 1.5]
    assert cuts_of(values, labels, [1e300] * 4) == [0.5, 1.5]


@pytest.mark.parametrize("parameters", [{"root_classes": "all"}, {"min_split": 1}, {"min_split": "3"}])
def test_wrong_parameters(parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))):
        MDLPDiscretizer(**parameters).fit([[1], [2]], [0, 1])


def test_classes_are_needed_and_must_be_classes():
    with pytest.raises(ValueError, match="requires y"):
        MDLPDiscretizer().fit([[1], [2]])
    with pytest.raises(ValueError, match="Unknown label type"):
        MDLPDiscretizer().fit([[1], [2]], [0.5, 1.7])
    with pytest.raises(ValueError, match="y_codes"):
        MDLPDiscretizer().cut_points(np.arange(3.0))
    with pytest.raises(ValueError, match=r"y_codes must lie in 0\.\.1"):
        MDLPDiscretizer().cut_points(np.arange(3.0), np.array([0, 1, 2]), None, 2)
