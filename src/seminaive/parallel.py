"""The only place where threads are made: parts of one list of tasks, one level deep."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from joblib import effective_n_jobs

__all__ = ["run_blocks"]

_WORTHWHILE = 1_000_000  # elementary steps below which starting threads costs more than it gains
_PARTS_PER_THREAD = 4  # small parts even out tasks of unequal size


def run_blocks(function: Callable[[Any], None], tasks: np.ndarray, n_jobs: int | None, work: int) -> None:
    """Call ``function`` on consecutive parts of ``tasks`` in ``n_jobs`` threads.

    ``work`` estimates the elementary steps in all. Parts must not share what they write.
    """
    if len(tasks) == 0:
        return
    threads = 1 if work < _WORTHWHILE or n_jobs == 1 else effective_n_jobs(n_jobs)
    threads = min(threads, len(tasks))
    if threads == 1:
        function(tasks)
        return
    parts = np.array_split(tasks, min(len(tasks), threads * _PARTS_PER_THREAD))
    # joblib decides how many threads there may be; its own pool takes 10 ms to notice that work is done
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(function, parts):
            pass
