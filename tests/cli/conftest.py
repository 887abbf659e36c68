"""A runner of commands and small files."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from seminaive.cli import app

WEATHER = """outlook,temp,windy,play
sunny,29.5,false,no
sunny,26.7,true,no
overcast,28.3,false,yes
rainy,21.1,false,yes
rainy,20.0,false,yes
rainy,18.3,true,no
overcast,17.8,true,yes
sunny,22.2,false,no
sunny,20.6,false,yes
rainy,23.9,false,yes
sunny,?,true,yes
overcast,22.2,true,yes
,27.2,false,yes
rainy,21.7,true,no
"""


@pytest.fixture(autouse=True)
def a_wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are asked for in full width, whatever runs the tests."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(autouse=True)
def a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What a command writes where it is called does not end up in the repository."""
    monkeypatch.chdir(tmp_path)


class Outcome:
    """What a command printed, and how it ended."""

    def __init__(self, result):
        self.code = result.exit_code
        self.out = result.stdout
        self.err = result.stderr

    @property
    def error(self):
        """The one line of a failed command."""
        assert self.code == 2, (self.code, self.out, self.err)
        lines = self.err.splitlines()
        assert sum(line.startswith("error: ") for line in lines) == 1, lines
        assert all(line.startswith(("error: ", "warning: ")) for line in lines), lines
        return lines[-1]


def separate_streams():
    try:
        return CliRunner(mix_stderr=False)  # older versions mix stdout and stderr
    except TypeError:
        return CliRunner()


@pytest.fixture
def run():
    def invoke(*arguments):
        return Outcome(separate_streams().invoke(app, [str(argument) for argument in arguments]))

    return invoke


@pytest.fixture
def succeed(run):
    def invoke(*arguments):
        outcome = run(*arguments)
        assert outcome.code == 0, (outcome.out, outcome.err)
        return outcome

    return invoke


@pytest.fixture
def weather(tmp_path):
    path = tmp_path / "weather.csv"
    path.write_text(WEATHER)
    return path


@pytest.fixture
def model(succeed, weather, tmp_path):
    path = tmp_path / "weather.model"
    succeed("fit", weather, "--target", "play", "--classifier", "NaiveBayes", "--output", path)
    return path
