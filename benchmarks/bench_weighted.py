"""Weighted AODEs against AODE: fit and predict_proba on codes."""

from __future__ import annotations

from functools import partial

from benchmarks.harness import Report, alternate
from benchmarks.tasks import TASKS, Task
from seminaive import AODE, AVWAODE, AWODE, IBWAODE, IWAODE, TAODE, WAODE

_TASKS = [
    TASKS["letter-like"],
    Task("optdigits-like", 5_620, (8,) * 64, 10),
    TASKS["connect4-like"],
    Task("synthetic", 50_000, (5,) * 40, 4),
]
_LARGEST = {"fit": 1.5, "predict_proba": 2.5}  # times AODE's; fitting IBWAODE may take 3 times


def run(report: Report) -> None:
    report.layer("weighted")
    worst: dict[str, tuple[float, str]] = {}
    for task in _TASKS[:1] if report.quick else _TASKS:
        X, y = task.make()
        models = {
            cls.__name__: cls(categorical_features="all", n_jobs=1).fit(X, y)
            for cls in (AODE, WAODE, AVWAODE, TAODE, IWAODE, IBWAODE, AWODE)
        }
        few = X[:10_000]
        for what in _LARGEST:
            arguments = (X, y) if what == "fit" else (few,)
            seconds = alternate(
                {name: partial(getattr(model, what), *arguments) for name, model in models.items()}
            )
            ratios = report.seconds(task, f"{what}, n_jobs=1", seconds)
            for name, ratio in ratios.items():
                part = "fit of IBWAODE" if (name, what) == ("IBWAODE", "fit") else what
                if ratio > worst.get(part, (0.0, ""))[0]:
                    worst[part] = (ratio, f"{name} on {task.name}")
    for part, (ratio, where) in worst.items():
        most = 3.0 if part == "fit of IBWAODE" else _LARGEST[part]
        report.goal(
            f"weighted AODEs / AODE, {part}", f"<= {most} x", f"{ratio:.2f} x (worst: {where})", ratio <= most
        )
