"""Losses of rows that pass by are those of rows in memory, bit for bit."""

from __future__ import annotations

import pickle
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminaive import KDB, Counts, from_table
from seminaive.counts.family import DenseFamily, SparseFamily
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import count
from seminaive.counts.tallies import Target
from seminaive.learn.leave_one_out import log_priors_left_out
from seminaive.learn.selection import CRITERIA, LeaveOneOut, LossSums, Term, Trial
from seminaive.learn.smoothing import Smoothing
from seminaive.learn.streamed_leave_one_out import StreamedLeaveOneOut

N = 4
PARENTS = {0: (), 1: (0,), 2: (1, 0), 3: (0, 2, 1)}


def random_rows(rng: np.random.Generator, n_rows: int, weights: str) -> pa.Table:
    y = rng.integers(0, 3, n_rows)
    columns: dict[str, Any] = {}
    for j in range(N):
        codes = (y + rng.integers(0, 3, n_rows)) % (2 + j)
        columns[f"c{j}"] = [None if rng.random() < 0.15 else "abcde"[code] for code in codes]
    columns["y"] = [f"class {k}" for k in y]
    if weights != "none":
        columns["w"] = rng.choice([1.0, 2.0, 3.0] if weights == "copies" else [0.0, 0.5, 1.0, 2.25], n_rows)
        columns["w"][0] = 2.0
    return pa.table(columns)


def random_trials(rng: np.random.Generator, smoothing: Smoothing) -> list[Trial]:
    """Children that come and lose parents, some of them only for a moment."""
    network: dict[int, list[int]] = {}
    trials = [Trial()]
    for child in rng.permutation(N).tolist():
        term = Term(child, PARENTS[child])
        trials += [Trial([term], stays=False), Trial([term])]
        network[child] = list(PARENTS[child])
    for child in rng.permutation(N).tolist():
        fewer = [parent for parent in network[child] if rng.random() < 0.5]
        trials.append(Trial.exchange(network, {child: fewer}, smoothing))
    trials.append(Trial([Term(2, (0,)), Term(0, ())], anew=True))
    return trials


def fitted(table: pa.Table, missing: str, class_weight: Any, sparse: bool) -> Any:
    """Coded rows, and their counts with the families of `PARENTS`."""
    model = KDB(missing=missing, class_weight=class_weight)
    weights = table["w"].to_numpy() if "w" in table.column_names else None
    X = table.select([f"c{j}" for j in range(N)])
    encoder, classes, rows = model._read(X, table["y"], weights)
    tables = count(
        CountPlan(pairs=True), encoder.schema_, rows.codes, rows.labels, len(classes), rows.weights
    )
    kind: Any = SparseFamily if sparse else DenseFamily
    for child, parents in PARENTS.items():
        if len(parents) > 1 or (parents and sparse):
            members = (*parents, child)
            n_values = tuple(int(tables.n_values[i]) for i in members)
            tables.families[members] = kind.count(
                members, n_values, rows.codes, rows.labels, len(classes), rows.weights
            )
    return rows, Counts(encoder, classes, tables)


def by_passes(
    table: pa.Table, counts: Counts, target: Target, bounds: list[int], n_jobs: int | None, *options: Any
) -> StreamedLeaveOneOut:
    """Parts that travel, each with an empty tally of its own, and come back in another order."""
    source = from_table(table, target="y", weight=target.weight)

    def run(name: str, empty: Any) -> Any:
        done = []
        for begin, end in zip([0, *bounds], [*bounds, table.num_rows], strict=True):
            tally = pickle.loads(pickle.dumps(empty))
            for batch in table.slice(begin, max(end - begin, 0)).to_batches(max_chunksize=9):
                tally.add(batch)
            done.append(tally)
        first, *others = done[::-1]
        for other in others:
            first.merge(other)
        return first

    assert source.target == target.name
    smoothing, prior, sums, levels = options
    return StreamedLeaveOneOut(run, target, counts, PARENTS, smoothing, prior, sums, levels, 10**9, n_jobs)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n_rows=st.integers(2, 80),
    weights=st.sampled_from(["none", "copies", "halves"]),
    missing=st.sampled_from(["ignore", "value", "impute"]),
    class_weight=st.sampled_from([None, {"class 0": 2.0, "class 2": 0.25}]),
    criterion=st.sampled_from(CRITERIA),
    strength=st.sampled_from([0, 1, 2.5]),
    class_prior=st.sampled_from([None, "empirical"]),
    levels=st.sampled_from([[99], [0, 1, 2, 3], [1, 2]]),
    sparse=st.booleans(),
    bounds=st.lists(st.integers(0, 80), max_size=3).map(sorted),
)
def test_every_loss_is_that_of_rows_in_memory(
    seed, n_rows, weights, missing, class_weight, criterion, strength, class_prior, levels, sparse, bounds
):
    rng = np.random.default_rng(seed)
    table = random_rows(rng, n_rows, weights)
    if class_weight is not None:
        counted = table.filter(pa.compute.greater(table["w"], 0)) if weights != "none" else table
        class_weight = {y: class_weight[y] for y in class_weight if y in counted["y"].to_pylist()}
    rows, counts = fitted(table, missing, class_weight, sparse)
    smoothing = Smoothing("m-estimate", strength)
    trials = random_trials(rng, smoothing)
    class_counts = counts.tables.class_counts
    sums = LossSums(criterion, float(class_counts.sum()))
    priors = log_priors_left_out(rows, class_counts, class_prior, smoothing)
    in_memory = LeaveOneOut(rows, counts.tables.n_values, smoothing, priors, sums, levels)
    expected = np.array([*in_memory.losses_of(trials)])

    target = Target("y", "w" if weights != "none" else None, class_weight)
    bounds = [min(bound, n_rows) for bound in bounds]
    with patch("seminaive.learn.streamed_leave_one_out._BLOCK_ROWS", 5):
        judge = by_passes(table, counts, target, bounds, 2, smoothing, class_prior, sums, levels)
        at = int(rng.integers(1, len(trials)))  # what one pass leaves behind the next one begins with
        found = np.array([*judge.losses_of(trials[:at]), *judge.losses_of(trials[at:])])
    np.testing.assert_array_equal(found, expected)


def test_sums_do_not_depend_on_the_order_of_rows():
    """Losses of very different size, whose floating-point sum would."""
    rng = np.random.default_rng(0)
    table = random_rows(rng, 400, "none")
    smoothing = Smoothing("m-estimate", 1)
    losses = []
    for order in (np.arange(400), rng.permutation(400), np.arange(400)[::-1]):
        rows, counts = fitted(table.take(order), "ignore", None, False)
        priors = log_priors_left_out(rows, counts.tables.class_counts, None, smoothing)
        sums = LossSums("log_loss", 400.0)
        in_memory = LeaveOneOut(rows, counts.tables.n_values, smoothing, priors, sums, [99])
        losses.append(np.array([*in_memory.losses_of([Trial([Term(c, PARENTS[c])]) for c in range(N)])]))
    np.testing.assert_array_equal(losses[0], losses[1])
    np.testing.assert_array_equal(losses[0], losses[2])


@pytest.mark.parametrize("total", [1e-310, 1e-12, 0.3, 1.0, 20_000_000.0, 1e300])
def test_the_largest_sum_of_losses_is_no_overflow(total):
    sums = LossSums("log_loss", total)
    largest = np.array([709 * total / sums.unit])
    assert largest[0] < 2.0**62
    np.testing.assert_allclose(sums.means(largest.astype(np.int64)), 709, rtol=1e-9)


def test_what_is_needed_is_said_before_it_is_made():
    table = random_rows(np.random.default_rng(0), 50, "none")
    _, counts = fitted(table, "ignore", None, False)
    sums, smoothing = LossSums("rmse", 50.0), Smoothing("m-estimate", 1)
    judge = StreamedLeaveOneOut(
        pytest.fail, Target("y"), counts, PARENTS, smoothing, None, sums, [0, 1], counts.tables.nbytes + 100
    )
    with pytest.raises(MemoryError, match=r"leave-one-out takes tables of [\d,]+ bytes.*memory_limit"):
        next(judge.losses_of([Trial([Term(3, PARENTS[3])])]))


def test_rows_that_were_not_counted_are_noticed():
    table = random_rows(np.random.default_rng(0), 50, "none")
    _, counts = fitted(table, "ignore", None, False)
    other = pa.table({**{f"c{j}": ["never"] for j in range(N)}, "y": ["class 0"]})
    sums, smoothing = LossSums("rmse", 50.0), Smoothing("m-estimate", 1)
    judge = by_passes(other, counts, Target("y"), [], None, smoothing, None, sums, [0])
    with pytest.raises(ValueError, match="not those of the pass before"):
        next(judge.losses_of([Trial()]))
