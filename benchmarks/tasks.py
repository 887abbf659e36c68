"""Synthetic tables of codes in which attributes depend on the class and on each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

__all__ = ["MOST_FOR_TRIPLES", "TASKS", "Task", "numeric_column", "string_frame"]

MOST_FOR_TRIPLES = 45  # attributes up to which A2DE is measured


@dataclass(frozen=True)
class Task:
    """Shape and seed of a table.

    Parameters
    ----------
    name : str
    n_rows : int
    n_values : tuple of int
        Number of values of every attribute.
    n_classes : int
    seed : int
    """

    name: str
    n_rows: int
    n_values: tuple[int, ...]
    n_classes: int
    seed: int = 1

    @property
    def n_attributes(self) -> int:
        return len(self.n_values)

    def __str__(self) -> str:
        least, most = min(self.n_values), max(self.n_values)
        values = f"{least}" if least == most else f"{least}-{most}"
        return (
            f"{self.name} ({self.n_rows:,} x {self.n_attributes}, {values} values, {self.n_classes} classes)"
        )

    def make(self) -> tuple[np.ndarray, np.ndarray]:
        """The table, int64 (n_rows, n_attributes) in C order, and the classes, int64 (n_rows,)."""
        return _make(self)


@cache
def _make(task: Task) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(task.seed)
    shares = rng.dirichlet(np.full(task.n_classes, 5.0))
    y = np.searchsorted(np.cumsum(shares)[:-1], rng.random(task.n_rows)).astype(np.int64)
    y[: task.n_classes] = np.arange(task.n_classes)  # no class is left out, however small the table
    X = np.empty((task.n_rows, task.n_attributes), dtype=np.int64)
    for column, v in enumerate(task.n_values):
        # two of three attributes also depend on an earlier one, so that there is a tree to find
        parent = int(rng.integers(column)) if column and rng.random() < 2 / 3 else None
        n_parent = 1 if parent is None else task.n_values[parent]
        limits = np.cumsum(rng.dirichlet(np.full(v, 1.0), size=(n_parent, task.n_classes)), axis=2)
        uniform = rng.random(task.n_rows)
        configuration = (np.zeros_like(y) if parent is None else X[:, parent]), y
        codes = np.zeros(task.n_rows, dtype=np.int64)
        for value in range(v - 1):
            codes += uniform > limits[..., value][configuration]
        codes[:v] = np.arange(v)
        X[:, column] = codes
    return X, y


# sizes, widths and numbers of classes that real tables have; some after well-known ones
TASKS = {
    task.name: task
    for task in [
        Task("tiny", 1_000, (2, 3, 4, 5, 2, 3, 4, 5), 2),
        Task("small", 10_000, (2, 3, 5, 8) * 5, 5),
        Task("letter-like", 20_000, (12,) * 16, 26),
        Task("wide", 10_000, (4,) * 50, 4),
        Task("connect4-like", 67_557, (3,) * 42, 3),
        Task("medium", 100_000, (10,) * 20, 10),
        Task("covtype-train-like", 333_000, (8,) * 10 + (2,) * 44, 7),
        Task("covtype-like", 500_000, (2,) * 54, 7),
    ]
}
QUICK = ("tiny", "small", "letter-like", "wide")


def selected(quick: bool) -> list[Task]:
    """The tasks of a run."""
    return [task for name, task in TASKS.items() if not quick or name in QUICK]


def string_frame(n_rows: int, n_columns: int = 20, seed: int = 3) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Columns of strings, as objects, with 2 to 20 values each, and classes."""
    n_values = tuple(2 + (18 * column) // max(n_columns - 1, 1) for column in range(n_columns))
    X, y = Task("strings", n_rows, n_values, 3, seed).make()
    columns = {}
    for column, v in enumerate(n_values):
        words = np.array([f"value {code} of {column}" for code in range(v)], dtype=object)
        columns[f"column {column}"] = words[X[:, column]]
    return columns, y


def numeric_column(n_rows: int, n_classes: int, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """A continuous column whose mean and spread depend on the class, all values distinct, and the classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_rows)
    return rng.normal(y * 0.7, 1.0 + 0.2 * (y % 3)), y
