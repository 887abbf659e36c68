"""One decorator for every kernel."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",  # checks for division by zero keep loops scalar
}


def inlined(function: F) -> F:
    """Put a part of kernels in the place of its calls; arrays in tuples cost more to pass than short work."""
    compiled: F = numba.njit(inline="always", **_OPTIONS)(function)
    return compiled


def kernel(function: F, **options: Any) -> F:
    """Compile at first call, release the interpreter lock, cache on disk where a cache can be written."""
    options = {**_OPTIONS, **options}
    try:
        compiled = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no writable cache directory: compile anew in every process
        uncached: F = numba.njit(**options)(function)
        return uncached
    save = compiled._cache.save_overload

    def save_where_possible(*arguments: Any) -> None:
        with suppress(OSError):  # a full or read-only disk costs the cache, not the result
            save(*arguments)

    compiled._cache.save_overload = save_where_possible
    return compiled


def summing_kernel(function: F) -> F:
    """A kernel in which the compiler may add numbers in another order, that is in vectors."""
    return kernel(function, fastmath={"reassoc", "contract", "nsz"})
