"""The value x class table of a column leads to the cut points of its rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminaive import EqualFrequencyDiscretizer, EqualWidthDiscretizer, MDLPDiscretizer
from seminaive.data.columns import learn_intervals
from seminaive.data.value_table import ValueTable
from seminaive.persistence.values import Packer, Unpacker

DISCRETIZERS = [
    MDLPDiscretizer(),
    MDLPDiscretizer(root_classes="declared", min_split=3, keep_two_valued=False),
    EqualFrequencyDiscretizer(n_bins=4),
    EqualWidthDiscretizer(n_bins=3),
]
special = st.sampled_from([0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, -5e-324])
values = st.lists(
    st.one_of(special, st.integers(-5, 5).map(float), st.floats(-3, 3)), min_size=1, max_size=60
)


def tables_of(rows, labels, weights, cuts, max_distinct):
    """A table of each part of the rows."""
    tables = []
    for start, stop in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        table = ValueTable(max_distinct)
        table.add(rows[start:stop], labels[start:stop], None if weights is None else weights[start:stop])
        tables.append(table)
    return tables


def merged(tables, n_classes):
    first = tables[0]
    for table in tables[1:]:
        first.merge(table, np.arange(n_classes))
    return first


def same(a, b):
    assert a.cut_points.tolist() == b.cut_points.tolist()
    assert (a.fill_code, a.has_missing_value) == (b.fill_code, b.has_missing_value)


@settings(max_examples=80, deadline=None)
@given(values, st.data())
def test_few_values_are_cut_as_all_rows_are(rows, data):
    rows = np.array(rows)
    n = len(rows)
    labels = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    weight = data.draw(st.sampled_from([None, st.integers(1, 3).map(float), st.floats(1e-3, 10)]))
    weights = None if weight is None else np.array(data.draw(st.lists(weight, min_size=n, max_size=n)))
    cuts = sorted(data.draw(st.lists(st.integers(0, n), max_size=3)))
    missing = data.draw(st.sampled_from(["ignore", "value", "impute"]))
    discretizer = data.draw(st.sampled_from(DISCRETIZERS))
    order = data.draw(st.permutations(range(len(cuts) + 1)))

    expected, _ = learn_intervals(rows, "x", discretizer, missing, labels, weights, 3)
    tables = tables_of(rows, labels, weights, cuts, 1000)
    table = merged([tables[i] for i in order], 3)
    assert table.is_exact
    same(table.attribute("x", discretizer, missing, np.arange(3), weights is not None), expected)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(16, 60), st.lists(st.integers(0, 500), max_size=4))
def test_many_values_share_entries_whatever_the_order_and_the_parts(seed, max_distinct, cuts):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=500) * 10.0 ** rng.integers(-3, 4, 500)
    rows[rng.random(500) < 0.05] = np.nan
    labels = (np.nan_to_num(rows) > 0.3).astype(int) ^ (rng.random(500) < 0.1)
    whole = merged(tables_of(rows, labels, None, [], max_distinct), 2)
    order = rng.permutation(500)
    parts = merged(tables_of(rows[order], labels[order], None, sorted(cuts), max_distinct), 2)
    packer = Packer()
    again = ValueTable(max_distinct)
    again.unpack(whole.pack(packer), Unpacker(packer.arrays.__getitem__))
    for discretizer in DISCRETIZERS:
        expected = whole.attribute("x", discretizer, "value", np.arange(2), False)
        same(parts.attribute("x", discretizer, "value", np.arange(2), False), expected)
        same(again.attribute("x", discretizer, "value", np.arange(2), False), expected)
        known = np.sort(rows[~np.isnan(rows)])
        if not isinstance(discretizer, EqualWidthDiscretizer):  # midpoints of values that occur
            left = np.searchsorted(known, expected.cut_points) - 1
            np.testing.assert_array_equal(expected.cut_points, known[left] / 2 + known[left + 1] / 2)
    assert not whole.is_exact
    exact, _ = learn_intervals(rows, "x", DISCRETIZERS[3], "ignore", labels, None, 2)
    same(whole.attribute("x", DISCRETIZERS[3], "ignore", np.arange(2), False), exact)  # the range is exact


def conditional_entropy(bins, labels):
    table = np.zeros((bins.max() + 1, labels.max() + 1))
    np.add.at(table, (bins, labels), 1)
    shares = table / table.sum(axis=1, keepdims=True)
    logs = np.log2(shares, where=shares > 0, out=np.zeros_like(shares))
    return -(table * logs).sum() / len(bins)


@pytest.mark.parametrize("center", [0.0, 1e9])
def test_cuts_among_shared_entries_are_near_those_of_all_values(center):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 30_000)
    rows = center + labels + rng.normal(size=30_000)
    table = merged(tables_of(rows, labels, None, [10_000], 2048), 3)
    cuts = table.attribute("x", MDLPDiscretizer(), "ignore", np.arange(3), False).cut_points
    exact = MDLPDiscretizer().cut_points(rows, labels)
    assert not table.is_exact
    left, least = (conditional_entropy(np.searchsorted(c, rows), labels) for c in (cuts, exact))
    assert left == pytest.approx(least, rel=1e-3)
    frequency = EqualFrequencyDiscretizer(n_bins=10)
    found = table.attribute("x", frequency, "ignore", np.arange(3), False).cut_points
    ranks = np.searchsorted(np.sort(rows), found) / len(rows)
    np.testing.assert_allclose(ranks, np.arange(1, 10) / 10, atol=0.002)


def test_very_many_weights_are_summed():
    rng = np.random.default_rng(0)
    rows, labels = rng.integers(0, 30, 5000).astype(float), rng.integers(0, 2, 5000)
    labels[rows > 12] = 1
    weights = rng.random(5000) + 0.1
    table = merged(tables_of(rows, labels, weights, [1000, 3000], 1000), 2)
    found = table.attribute("x", MDLPDiscretizer(), "impute", np.arange(2), True)
    expected, _ = learn_intervals(rows, "x", MDLPDiscretizer(), "impute", labels, weights, 2)
    assert len(table._entries.key) <= 60
    np.testing.assert_allclose(found.cut_points, expected.cut_points)


def test_weights_are_counts_for_discretizers():
    rng = np.random.default_rng(0)
    rows, labels = rng.integers(0, 9, 40).astype(float), rng.integers(0, 2, 40)
    weights, counts = rng.choice([0.3, 1.1], 40), rng.integers(1, 4, 40)
    for discretizer in DISCRETIZERS:
        copies = [np.repeat(part, counts) for part in (rows, labels, weights)]
        np.testing.assert_array_equal(
            discretizer.cut_points(rows, labels, weights, counts=counts), discretizer.cut_points(*copies)
        )
