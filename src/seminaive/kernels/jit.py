"""One decorator for every kernel."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile at first call, release the interpreter lock, cache on disk where a cache can be written."""
    options = {
        "nogil": True,
        "error_model": "numpy",
    }  # checks for division by zero keep loops scalar
    try:
        compiled = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no writable cache directory: compile anew in every process
        return numba.njit(**options)(function)
    save = compiled._cache.save_overload

    def save_where_possible(*arguments: Any) -> None:
        with suppress(OSError):  # a full or read-only disk costs the cache, not the result
            save(*arguments)

    compiled._cache.save_overload = save_where_possible
    return compiled
