"""Timing two sides alternately, and the report."""

from __future__ import annotations

import gc
import hashlib
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

__all__ = ["Report", "alternate", "environment", "geometric_mean", "run_python"]

ROOT = Path(__file__).resolve().parent.parent
_PACKAGES = [
    "seminaive",
    "numpy",
    "scipy",
    "scikit-learn",
    "numba",
    "joblib",
    "pandas",
    "polars",
    "pyarrow",
    "narwhals",
    "pyagrum",
]
_THREAD_SETTINGS = [
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "OPENBLAS_CORETYPE",
    "NUMBA_CPU_NAME",
]


def alternate(
    functions: dict[str, Callable[[], Any]], budget: float = 4.0, least: int = 3, most: int = 25
) -> dict[str, list[float]]:
    """Seconds of each function, called in turn: A B A B ..., after a warm-up call of each.

    A function drops out when it was called ``most`` times, or ``least`` times and for ``budget`` seconds,
    or for three times the budget. A warm-up call that takes the whole budget counts as a measurement.
    """
    if hasattr(os, "sync"):
        os.sync()  # files just written would otherwise go to the disk meanwhile
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for name, function in functions.items():
        first = _timed(function)
        if first > budget:
            seconds[name].append(first)
    for _ in range(most):
        for name, function in functions.items():
            spent, calls = sum(seconds[name]), len(seconds[name])
            if not (spent > 3 * budget or (spent > budget and calls >= least)):
                seconds[name].append(_timed(function))
    return seconds


def _timed(function: Callable[[], Any]) -> float:
    gc.collect()
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def run_python(code: str, *arguments: str, environment: dict[str, str] | None = None) -> Any:
    """Run code in a fresh interpreter; it prints one line of JSON."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
    )
    if done.returncode:
        raise RuntimeError(f"a subprocess of the benchmark failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


@dataclass
class Row:
    """One comparison."""

    layer: str
    task: str
    what: str
    ours: float
    unit: str
    peer: str | None = None
    theirs: float | None = None
    at_least: bool = False  # the peer was stopped: ``theirs`` is a lower bound
    details: dict[str, list[float]] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        return None if self.theirs is None else self.theirs / self.ours


@dataclass
class Goal:
    """A target beside what was measured; ``met`` is None where nothing could be measured."""

    what: str
    target: str
    measured: str
    met: bool | None


class Report:
    """Collects measurements, prints each as it comes and the targets in the end."""

    def __init__(self, quick: bool, limit: float = 120.0) -> None:
        self.quick = quick
        self.rows: list[Row] = []
        self.goals: list[Goal] = []
        self.notes: list[str] = []
        self.cores: list[float] = []
        self.limit = limit
        self.console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
        self._layer = ""

    def layer(self, name: str) -> None:
        """Begin the measurements of a layer."""
        self._layer = name
        self.cores.append(two_thread_cores())
        self.console.print(f"\n[bold]{name}[/bold] (two threads get {self.cores[-1]:.2f} cores)")

    def note(self, text: str) -> None:
        """Say once what was skipped and why."""
        if text not in self.notes:
            self.notes.append(text)
            self.console.print(f"  ({text})", markup=False)

    def seconds(self, task: Any, what: str, seconds: dict[str, list[float]]) -> dict[str, float]:
        """Enter the times of `alternate`, ours first; returns how many times faster than each peer we are."""
        (_, ours), *peers = seconds.items()
        middle = statistics.median(ours)
        if not peers:
            self._add(Row(self._layer, str(task), what, middle, "s", details={"ours": ours}))
        ratios = {}
        for name, theirs in peers:
            details = {"ours": ours, "theirs": theirs}
            row = Row(
                self._layer, str(task), what, middle, "s", name, statistics.median(theirs), details=details
            )
            self._add(row)
            ratios[name] = row.theirs / row.ours  # type: ignore[operator]
        return ratios

    def value(
        self,
        task: Any,
        what: str,
        ours: float,
        unit: str,
        peer: str | None = None,
        theirs: float | None = None,
        at_least: bool = False,
    ) -> float | None:
        """Enter any other pair of values; returns the ratio theirs / ours."""
        row = Row(self._layer, str(task), what, ours, unit, peer, theirs, at_least)
        self._add(row)
        return row.ratio

    def goal(self, what: str, target: str, measured: str, met: bool | None) -> None:
        """Enter a target."""
        self.goals.append(Goal(what, target, measured, met))

    def ratio_goal(self, what: str, least: float, ratios: dict[str, float]) -> None:
        """Target: the ratio is at least ``least`` on every task."""
        if not ratios:
            self.goal(what, f">= {least:g} x", "not measured", None)
            return
        worst = min(ratios, key=lambda task: ratios[task])
        measured = f"{ratios[worst]:.2f} x (worst of {len(ratios)}: {worst})"
        self.goal(what, f">= {least:g} x", measured, ratios[worst] >= least)

    def _add(self, row: Row) -> None:
        self.rows.append(row)
        text = f"  {row.task:<66} {row.what:<34} {_formatted(row.ours, row.unit):>12}"
        if row.theirs is not None:
            sign = ">" if row.at_least else ""
            text += f"   {row.peer} {sign}{_formatted(row.theirs, row.unit)}   ratio {sign}{row.ratio:.2f}"
        self.console.print(text, markup=False, soft_wrap=True)

    def finish(self) -> None:
        """Print the targets beside what was measured."""
        table = Table(title="Targets" + (" (quick run: smaller tasks)" if self.quick else ""))
        for header in ("what", "target", "measured", ""):
            table.add_column(header)
        words = {True: "[green]met[/green]", False: "[red]missed[/red]", None: "skipped"}
        for goal in self.goals:
            table.add_row(goal.what, goal.target, goal.measured, words[goal.met])
        self.console.print()
        self.console.print(table)
        if min(self.cores, default=2.0) < 1.6:
            least = f"two threads got as few as {min(self.cores):.2f} cores"
            self.notes.append(f"{least}: figures with n_jobs=2 do not show what it gives on an idle machine")
        for text in self.notes:
            self.console.print(f"({text})", markup=False)

    def save(self, path: Path, machine: dict[str, Any]) -> None:
        """Everything as JSON."""
        content = {
            "environment": machine,
            "quick": self.quick,
            "rows": [{**asdict(row), "ratio": row.ratio} for row in self.rows],
            "goals": [asdict(goal) for goal in self.goals],
            "notes": self.notes,
            "cores that two threads got, by layer": self.cores,
        }
        path.write_text(json.dumps(content, indent=1) + "\n")


def _formatted(value: float, unit: str) -> str:
    if unit != "s":
        return f"{value:,.1f} {unit}"
    if value < 1e-3:
        return f"{value * 1e6:.0f} us"
    return f"{value * 1e3:.2f} ms" if value < 1 else f"{value:.2f} s"


def environment() -> dict[str, Any]:
    """Machine, versions and thread settings."""
    import psutil
    from threadpoolctl import threadpool_info

    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "cores that two threads get": round(two_thread_cores(), 2),
        "memory": f"{psutil.virtual_memory().total / 2**30:.1f} GiB",
        "load": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "java": _java(),
        "thread settings": {name: os.environ[name] for name in _THREAD_SETTINGS if name in os.environ},
        "thread pools": [
            {key: pool.get(key) for key in ("internal_api", "num_threads", "architecture")}
            for pool in threadpool_info()
        ],
    }


def two_thread_cores() -> float:
    """How many cores two busy threads get right now: near 1, times with n_jobs=2 say nothing about n_jobs."""
    block = bytes(2**24)
    begin, spent = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(2) as pool:  # hashing releases the interpreter lock
        list(pool.map(lambda _: hashlib.sha256(block).digest(), range(40)))
    return (time.process_time() - spent) / (time.perf_counter() - begin)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown"
    )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _java() -> str | None:
    try:
        lines = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr.splitlines()
    except OSError:
        return None
    return lines[0] if lines else None
