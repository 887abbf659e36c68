"""One decorator for every kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile at first call, release the interpreter lock, cache on disk where a cache can be written."""
    try:
        compiled = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no writable cache directory: compile anew in every process
        compiled = numba.njit(nogil=True)(function)
    return compiled  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """A small helper of the kernels."""
    return numba.njit(nogil=True, inline="always")(function)  # type: ignore[no-any-return]
