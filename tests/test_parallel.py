"""Threads: who gets which tasks."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from joblib import parallel_config

from seminaive.parallel import run_blocks

PLENTY = 10**9


def done(n_tasks: int, n_jobs: int | None, work: int) -> tuple[list[int], set[int]]:
    """Tasks as they were handed out, sorted, and the threads that got them."""
    tasks, threads = [], set()

    def note(part: np.ndarray) -> None:
        tasks.extend(part.tolist())
        threads.add(threading.get_ident())

    run_blocks(note, np.arange(n_tasks), n_jobs, work)
    return sorted(tasks), threads


@pytest.mark.parametrize("n_tasks", [1, 2, 3, 100])
@pytest.mark.parametrize("n_jobs", [None, 1, 2, 3, -1])
@pytest.mark.parametrize("work", [0, PLENTY])
def test_every_task_is_done_once(n_tasks, n_jobs, work):
    tasks, threads = done(n_tasks, n_jobs, work)
    assert tasks == list(range(n_tasks))
    if n_jobs in (2, 3):
        assert len(threads) <= n_jobs


@pytest.mark.parametrize(("n_jobs", "work"), [(1, PLENTY), (None, PLENTY), (2, 1000)])
def test_one_job_or_little_work_needs_no_thread(n_jobs, work):
    assert done(100, n_jobs, work)[1] == {threading.get_ident()}


def test_two_jobs_run_at_the_same_time():
    meeting = threading.Barrier(2, timeout=10)
    run_blocks(lambda part: meeting.wait(), np.arange(2), 2, PLENTY)


def test_none_leaves_the_number_of_jobs_to_joblib():
    meeting = threading.Barrier(2, timeout=10)
    with parallel_config(n_jobs=2):
        run_blocks(lambda part: meeting.wait(), np.arange(2), None, PLENTY)


def test_nothing_to_do():
    run_blocks(lambda part: pytest.fail("called"), np.arange(0), 2, PLENTY)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_errors_reach_the_caller(n_jobs):
    def fail(part: np.ndarray) -> None:
        raise MemoryError("too much")

    with pytest.raises(MemoryError, match="too much"):
        run_blocks(fail, np.arange(10), n_jobs, PLENTY)


def test_rows_of_a_table_of_tasks():
    rows = []
    run_blocks(lambda part: rows.extend(part.tolist()), np.arange(12).reshape(6, 2), 2, PLENTY)
    assert sorted(rows) == np.arange(12).reshape(6, 2).tolist()
