"""The rules of compiled code: where it is, when it compiles, and that it works without a cache."""

from __future__ import annotations

import errno
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba.core.caching as caching
import numpy as np
from numba.core import config
from numba.core.dispatcher import Dispatcher

import seminaive
from seminaive import kernels
from seminaive.kernels.jit import kernel

SOURCE = Path(seminaive.__file__).parent


def every_kernel() -> dict[str, Any]:
    """The compiled functions by name."""
    found = {}
    for module in pkgutil.iter_modules(kernels.__path__):
        members = vars(importlib.import_module(f"seminaive.kernels.{module.name}"))
        found |= {f"{module.name}.{k}": f for k, f in members.items() if isinstance(f, Dispatcher)}
    return found


def run(code: str, **environment: str) -> str:
    """Output of a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def double(values: Any) -> Any:
    """Something to compile."""
    return 2 * values


# --- rules of the house


def test_kernels_take_at_most_eight_arguments():
    assert {name for name, f in every_kernel().items() if len(inspect.signature(f).parameters) > 8} == set()


def test_kernels_release_the_lock_and_start_no_threads():
    for name, function in every_kernel().items():
        options = function.targetoptions
        assert options["nogil"], name
        assert not options.get("parallel"), name
        # sums may be made in vectors, but no number is taken for granted
        assert (options.get("fastmath") or set()) <= {"reassoc", "contract", "nsz"}, name


def test_every_kernel_says_what_it_does():
    assert {name for name, f in every_kernel().items() if not f.__doc__} == set()


def test_nothing_else_is_compiled():
    outside = [path for path in SOURCE.rglob("*.py") if path.parent.name != "kernels"]
    assert len(outside) > 20
    assert [path.name for path in outside if "import numba" in path.read_text("utf-8")] == []


def test_imports_load_no_numba_and_kernels_compile_nothing_at_import():
    code = """
import importlib, pkgutil, sys, seminaive
for module in pkgutil.walk_packages(seminaive.__path__, "seminaive."):
    if not module.name.startswith("seminaive.kernels.") and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(sorted({"numba", "llvmlite", "seminaive.kernels.jit"} & set(sys.modules)))
from numba.core.dispatcher import Dispatcher
for module in pkgutil.iter_modules(sys.modules["seminaive.kernels"].__path__):
    members = vars(importlib.import_module(f"seminaive.kernels.{module.name}"))
    print([name for name, f in members.items() if isinstance(f, Dispatcher) and f.signatures], end="")
"""
    first, second = run(code).splitlines()
    assert first == "[]"
    assert set(second) == {"[", "]"}


# --- the cache


SMALL = """
import numpy as np
from seminaive.kernels.count import count_family
table = np.zeros(6, np.int64)
one = np.ones(1, np.int64)
count_family(np.zeros((1, 5), np.uint8), np.zeros(5, np.uint8), 0 * one, 2 * one, 2, table)
print(table[0], sum(count_family.stats.cache_hits.values()))
"""


def test_compiled_code_is_kept(tmp_path):
    assert run(SMALL, NUMBA_CACHE_DIR=str(tmp_path)) == "5 0"
    assert list(tmp_path.rglob("*.nbi"))
    assert run(SMALL, NUMBA_CACHE_DIR=str(tmp_path)) == "5 1"


def test_a_cache_directory_that_cannot_be_made(tmp_path):
    # a file where the directory should be, which stops an administrator, too
    (tmp_path / "file").write_text("")
    assert run(SMALL, NUMBA_CACHE_DIR=str(tmp_path / "file" / "cache")).startswith("5 ")


def test_no_directory_for_the_cache_at_all(monkeypatch):
    def refuse(self: Any) -> None:
        raise PermissionError("read-only file system")

    monkeypatch.setattr(caching._CacheLocator, "ensure_cache_path", refuse)
    compiled = kernel(double)
    assert compiled(np.arange(3)).tolist() == [0, 2, 4]
    assert compiled.targetoptions["nogil"]


def test_a_disk_that_is_full_when_compiled_code_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))

    def refuse(self: Any, *_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", refuse)
    assert kernel(double)(np.arange(3)).tolist() == [0, 2, 4]
