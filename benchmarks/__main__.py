"""Run the benchmarks: ``python -m benchmarks [--quick] [--only fit predict] [--json FILE]``."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from benchmarks.harness import Report, environment

LAYERS = (
    "import",
    "encoding",
    "discretize",
    "counting",
    "fit",
    "predict",
    "weighted",
    "cases",
    "selection",
    "explain",
    "networks",
    "memory",
    "streaming",
    "cluster",
    "models",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.partition(":")[0] + ".")
    parser.add_argument("--quick", action="store_true", help="smaller tasks, fewer repeats")
    parser.add_argument(
        "--only", nargs="+", choices=LAYERS, default=LAYERS, metavar="LAYER", help=", ".join(LAYERS)
    )
    parser.add_argument(
        "--limit", type=float, default=120.0, help="seconds after which a build of Weka is stopped (120)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every measurement to FILE")
    options = parser.parse_args()

    report, machine = Report(options.quick, options.limit), environment()
    for key, value in machine.items():
        report.console.print(f"{key}: {value}", markup=False, soft_wrap=True)
    for layer in LAYERS:
        if layer in options.only:
            importlib.import_module(f"benchmarks.bench_{layer}").run(report)
    report.finish()
    if options.json:
        report.save(options.json, machine)


if __name__ == "__main__":
    main()
