"""Leave-one-out losses of redundancy ratios."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from coded_tables import Coded, coded, coded_tables, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive import parallel
from seminaive.counts.plan import CountPlan
from seminaive.learn import redundancy
from seminaive.learn.leave_one_out import TrainingRows, log_priors_left_out
from seminaive.learn.local_information import LocalInformation
from seminaive.learn.redundancy import leave_one_out_losses
from seminaive.learn.smoothing import Smoothing
from seminaive.testing import naive, naive_cases

PLAN = CountPlan(pairs=True, index=True, triples=True)
RATIOS = [0, 0.1, 0.5, 1.5]
PRIORS = st.sampled_from([None, "empirical"])
NEAR = 1e-9  # posteriors that rounding may turn around


def losses_of(
    case: Coded,
    k: int = 2,
    ratios: Any = (0, 0.5),
    smoothing: Smoothing | None = None,
    prior: Any = None,
    general: list[list[int]] | None = None,
    triples: bool = True,
    n_jobs: int | None = None,
) -> np.ndarray:
    tables = case.count(PLAN)
    assert tables.index is not None
    smoothing = smoothing or Smoothing()
    copies = None if case.weights is None else np.maximum(case.weights, 1)
    rows = TrainingRows(case.codes, case.classes, case.weights, copies)
    return leave_one_out_losses(
        LocalInformation.learn(tables),
        tables.index,
        tables.triples if triples else None,
        rows,
        min(k, len(case.schema) - 1),
        np.array(ratios, dtype=np.float64),
        smoothing,
        log_priors_left_out(rows, tables.class_counts, prior, smoothing),
        general,
        n_jobs,
    )


def bounds(table: naive.Table, posteriors: list[list[float]]) -> tuple[float, float]:
    """Least and greatest share of errors, where rounding decides between classes."""
    least = most = 0.0
    for (_, label, weight), p in zip(table.weighted_rows(), posteriors, strict=True):
        likely = {y for y, p_y in enumerate(p) if p_y > max(p) - NEAR}
        least += weight * (label not in likely)
        most += weight * (likely != {label})
    total = naive.total_count(table, {})
    return least / total, most / total


def dependent(n_rows: int, seed: int = 0, weighted: bool = False) -> Coded:
    rng = np.random.default_rng(seed)
    classes = rng.integers(2, size=n_rows)
    first = np.where(rng.random(n_rows) < 0.6, classes, rng.integers(3, size=n_rows))
    second = np.where(rng.random(n_rows) < 0.8, first, rng.integers(3, size=n_rows))
    third = (first + second + (rng.random(n_rows) < 0.3)) % 3
    fourth = np.where(rng.random(n_rows) < 0.5, third, classes)
    codes = np.column_stack([first, second, third, fourth, rng.integers(3, size=n_rows)])
    weights = (rng.integers(1, 9, n_rows) / 4).tolist() if weighted else None
    return coded(codes.tolist(), classes.tolist(), [3] * 5, 2, weights)


# --- against the twin


@pytest.mark.parametrize("averaged", [False, True], ids=["alone", "averaged"])
@examples(40)
@given(
    case=coded_tables(max_rows=10),
    k=st.integers(0, 3),
    ratios=st.sets(st.sampled_from(RATIOS), min_size=1, max_size=3).map(sorted),
    smoothing=st.builds(
        Smoothing, st.sampled_from(["m-estimate", "laplace"]), st.sampled_from([0, 0.5, 1.0])
    ),
    prior=PRIORS,
    triples=st.booleans(),
)
def test_losses_equal_the_twin(averaged, case, k, ratios, smoothing, prior, triples):
    general = naive.kdb_parents(case.table, k) if averaged else None
    actual = losses_of(case, k, ratios, smoothing, prior, general, triples)
    assert actual.shape == (len(ratios),)
    for ratio, loss in zip(ratios, actual, strict=True):
        posteriors = naive_cases.leave_one_out_posteriors(
            case.table, k, ratio, averaged, smoothing.method, smoothing.strength, prior
        )
        least, most = bounds(case.table, posteriors)
        assert least - 1e-12 <= loss <= most + 1e-12


@pytest.mark.parametrize("averaged", [False, True], ids=["alone", "averaged"])
@pytest.mark.parametrize("weighted", [False, True])
def test_losses_of_more_rows_equal_the_twin(averaged, weighted):
    case = dependent(70, seed=4, weighted=weighted)
    general = naive.kdb_parents(case.table, 2) if averaged else None
    actual = losses_of(case, ratios=[0, 1.5], general=general)
    expected = naive_cases.leave_one_out_losses(case.table, 2, [0, 1.5], averaged)
    assert actual.tolist() == pytest.approx(list(expected.values()), abs=1e-12)
    assert actual[0] != actual[1]


# --- by hand


def test_a_row_is_predicted_by_the_others():
    # each value of x0 has one class in all rows but one
    case = coded([[0]] * 5 + [[1]] * 5, [0, 0, 0, 0, 1, 1, 1, 1, 1, 0], [2], 2)
    assert losses_of(case, ratios=[0]).tolist() == pytest.approx([2 / 10])


def test_what_nobody_else_knows_is_an_error():
    # identifiers tell everything in training, and nothing of another row: the other class is more frequent
    case = coded([[i] for i in range(6)], [0, 1] * 3, [6], 2)
    assert losses_of(case, ratios=[0, 1]).tolist() == [1, 1]


def test_a_copy_knows_the_class():
    case = coded([[0], [1], [2], [3]], [0, 1, 0, 1], [4], 2, [2.0] * 4)
    assert losses_of(case, ratios=[0], smoothing=Smoothing("m-estimate", 0.1)).tolist() == [0]


def test_errors_weigh_what_the_rows_do():
    case = coded([[0], [0], [1], [1]], [0, 0, 1, 0], [2], 2, [1.0, 1.0, 5.0, 0.5])
    # the half row of class 0 is the error: 1 is the value of class 1
    assert losses_of(case, ratios=[0]).tolist() == pytest.approx([0.5 / 7.5])


def test_a_tie_is_an_error_unless_the_first_class_is_right():
    # one row of each class without any values: each is predicted by the other
    case = coded([[None], [None]], [0, 1], [1], 2)
    assert losses_of(case, ratios=[0]).tolist() == [1]
    # a given prior leaves a tie, which the first class wins
    assert losses_of(case, ratios=[0], prior=[0.5, 0.5]).tolist() == [0.5]


def test_the_only_row_of_a_table():
    for smoothing in (Smoothing(), Smoothing("laplace", 0)):
        assert losses_of(coded([[0]], [0], [1], 1), ratios=[0], smoothing=smoothing).tolist() == [0]
        # nothing is known of another one, so that the first class is predicted
        assert losses_of(coded([[0]], [1], [1], 2), ratios=[0], smoothing=smoothing).tolist() == [1]


def test_without_smoothing_all_classes_may_be_impossible():
    # class 0 needs x0 = 0, class 1 needs x0 = 1; the others say 2 never occurs, and the prior decides
    case = coded([[0], [0], [0], [1], [2]], [0, 0, 0, 1, 1], [3], 2)
    losses = losses_of(case, ratios=[0], smoothing=Smoothing("m-estimate", 0), prior="empirical")
    assert losses.tolist() == pytest.approx([2 / 5])


# --- how it is computed


@pytest.mark.parametrize("weighted", [False, True])
def test_threads_and_blocks_change_nothing(weighted):
    case = dependent(200, weighted=weighted)
    general = naive.kdb_parents(case.table, 2)
    expected = losses_of(case, ratios=RATIOS, general=general, n_jobs=1)
    for size in (1, 64, 130):
        with patch.object(redundancy, "_BLOCK_ROWS", size), patch.object(parallel, "_WORTHWHILE", 0):
            for n_jobs in (1, 2):
                actual = losses_of(case, ratios=RATIOS, general=general, n_jobs=n_jobs)
                # weights are quarters, whose sums are exact in any order
                np.testing.assert_array_equal(actual, expected)


@examples(20)
@given(case=coded_tables(max_rows=12), k=st.integers(1, 3))
def test_tables_of_triples_change_nothing(case, k):
    np.testing.assert_array_equal(
        losses_of(case, k, RATIOS, triples=False), losses_of(case, k, RATIOS, triples=True)
    )


@examples(20)
@given(case=coded_tables(max_rows=12), k=st.integers(1, 3))
def test_each_ratio_as_if_it_were_alone(case, k):
    together = losses_of(case, k, RATIOS)
    for ratio, loss in zip(RATIOS, together, strict=True):
        assert losses_of(case, k, [ratio]).tolist() == [loss]


def test_a_memo_that_forgets_changes_nothing():
    case = dependent(100, weighted=True)
    expected = losses_of(case, k=3, ratios=RATIOS, triples=False)
    with patch("seminaive.counts.instance_index._MEMO_BYTES", 1):
        np.testing.assert_array_equal(losses_of(case, k=3, ratios=RATIOS, triples=False), expected)


def test_weights_are_copies():
    case = dependent(60)
    copies = np.random.default_rng(1).integers(1, 4, 60)
    rows = np.repeat(np.arange(60), copies)
    longer = coded(
        [case.table.rows[r] for r in rows], [case.table.classes[r] for r in rows], case.table.n_values, 2
    )
    weighted = coded(case.table.rows, case.table.classes, case.table.n_values, 2, copies.tolist())
    np.testing.assert_allclose(
        losses_of(weighted, ratios=RATIOS), losses_of(longer, ratios=RATIOS), rtol=1e-12
    )
