"""Help, version, errors and warnings, in processes of their own."""

from __future__ import annotations

import subprocess
import sys

import pytest

import seminaive

VERBS = [
    "demo",
    "evaluate",
    "compare",
    "fit",
    "predict",
    "explain",
    "report",
    "info",
    "count",
    "merge",
    "reproduce",
]
HEAVY = {
    "numba",
    "sklearn",
    "pandas",
    "polars",
    "pyarrow",
    "scipy",
    "numpy",
    "joblib",
    "narwhals",
    "matplotlib",
}


def command(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "seminaive", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )


@pytest.mark.parametrize("arguments", [["--help"], *([verb, "--help"] for verb in VERBS), ["--version"]])
def test_d59_help_loads_nothing_heavy(arguments):
    code = (
        "import sys\n"
        "from seminaive.cli import app\n"
        "try:\n"
        "    app(sys.argv[1:], prog_name='seminaive')\n"
        "except SystemExit as end:\n"
        "    assert end.code == 0, end.code\n"
        "print('LOADED', *{name.partition('.')[0] for name in sys.modules})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    text, _, loaded = done.stdout.rpartition("LOADED")
    assert text.strip()
    assert not HEAVY & set(loaded.split())


def test_d59_help_takes_well_under_a_second():
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    assert command("--help").returncode == 0
    # the time of the processor, so that a busy machine does not matter
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 1


def test_help_names_the_verbs(succeed):
    text = succeed("--help").out
    assert all(verb in text for verb in VERBS)
    assert all(name in succeed("fit", "--help").out for name in seminaive.all_classifiers())


def test_version(succeed):
    assert succeed("--version").out.strip() == f"seminaive {seminaive.__version__}"


def test_without_arguments_there_is_help(run):
    outcome = run()
    assert "Usage" in outcome.out + outcome.err


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["bogus"], ["No such command", "bogus"]),
        (["--bogus"], ["--bogus"]),
        (["fit"], ["Missing"]),
        (["evaluate", "x.csv", "-t", "y", "--folds", "one"], ["--folds"]),
        (["evaluate", "x.csv", "-t", "y", "--folds", "1"], ["--folds"]),
        (["evaluate", "x.csv", "-t", "y", "--missing", "drop"], ["--missing"]),
        (["evaluate", "x.csv", "-t", "y"], ["x.csv", "no such file"]),
    ],
)
def test_errors_are_one_line_and_code_2(run, arguments, parts):
    error = run(*arguments).error
    assert all(part in error for part in parts), error


def test_a_process_ends_with_one_line_too(tmp_path):
    done = command("evaluate", "x.csv", "--target", "y", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "error: x.csv: there is no such file\n"


def test_debug_shows_the_traceback(run):
    outcome = run("evaluate", "x.csv", "--target", "y", "--debug")
    assert outcome.code == 2
    assert "Traceback" in outcome.err
    assert outcome.err.splitlines()[-1].startswith("error: x.csv")


def test_an_error_nobody_thought_of_has_no_traceback_either(run, monkeypatch):
    def fail(*_, **__):
        raise KeyError("oops")

    monkeypatch.setattr("seminaive.cli.models.holds_counts", fail)
    assert run("info", "x").error == "error: KeyError: 'oops' (unexpected; --debug shows where)"


def test_the_whole_way_in_processes(weather, tmp_path):
    done = command("fit", weather, "-t", "play", "-c", "TAN", "-o", tmp_path / "m.model")
    assert done.returncode == 0, done.stderr
    done = command("predict", tmp_path / "m.model", weather, "--proba")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 15


def test_no_progress_bar_without_a_terminal(weather):
    done = command("evaluate", weather, "-t", "play", "--folds", "2", "-c", "NaiveBayes")
    assert done.returncode == 0, done.stderr
    assert not {"\x1b", "\r"} & set(done.stdout + done.stderr)
