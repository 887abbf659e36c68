"""The distributions of Weka 3.6, reproduced to 1e-9.

The expected files are made by ``tests/fixtures/weka/make.py``. Weka deletes a value when the value
that implies it is more frequent than ``-C``, strictly, hence ``critical_value = C + 1``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seminaive import AODE, HNB, TAN, NaiveBayes

FIXTURES = Path(__file__).parents[1] / "fixtures" / "weka"
DATA_SETS = ["binary", "mixed", "missing", "unseen", "weighted", "breast-cancer"]
AODE_KEYS = ["aode", "aode-limit", "aode-m", "aode-m-limit"]
AODESR_KEYS = ["aodesr", "aodesr-laplace", "aodesr-critical", "aodesr-all"]


@dataclass
class Case:
    """One data set and what Weka says about its test rows."""

    name: str
    header: dict[str, Any]
    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    weights: np.ndarray | None

    @property
    def table_parameters(self) -> dict[str, Any]:
        """Parameters that declare every column categorical, with Weka's number of values."""
        categories = {f"x{i}": list(range(v)) for i, v in enumerate(self.header["n_values"])}
        return {"categorical_features": "all", "categories": categories}

    def command(self, key: str) -> list[str]:
        return self.header["expected"][key]["weka"].split()

    def expected(self, key: str) -> np.ndarray:
        return read(FIXTURES / self.name / f"{key}.csv", float)


def read(path: Path, dtype: type) -> np.ndarray:
    return np.loadtxt(path, delimiter=",", dtype=dtype, ndmin=2)


def load(name: str) -> Case:
    directory = FIXTURES / name
    train, test = read(directory / "train.csv", int), read(directory / "test.csv", int)
    X, X_test = train[:, :-1], test[:, :-1]
    if (X < 0).any():
        X, X_test = (np.where(codes < 0, np.nan, codes) for codes in (X, X_test))
    weights = directory / "weights.csv"
    header = json.loads((directory / "header.json").read_text())
    return Case(
        name, header, X, train[:, -1], X_test, read(weights, float)[:, 0] if weights.exists() else None
    )


def option(command: list[str], flag: str, default: float) -> float:
    return float(command[command.index(flag) + 1]) if flag in command else default


def estimator(command: list[str]) -> NaiveBayes | AODE:
    """The classifier of this library that a Weka command corresponds to."""
    if command[0] == "NaiveBayes":
        return NaiveBayes(smoothing="laplace")
    limit = int(option(command, "-F", 1))
    if command[0] == "AODE":
        if "-M" not in command:
            return AODE(smoothing="laplace", frequency_limit=limit)
        return AODE(smoothing_strength=option(command, "-W", 1), frequency_limit=limit)
    assert command[0] == "AODEsr"
    laplace = "-L" in command
    return AODE(
        smoothing="laplace" if laplace else "m-estimate",
        smoothing_strength=1.0 if laplace else option(command, "-M", 1),
        frequency_limit=limit,
        subsumption_resolution=True,
        critical_value=int(option(command, "-C", 50)) + 1,
    )


@pytest.mark.parametrize("name", DATA_SETS)
@pytest.mark.parametrize("key", ["nb", *AODE_KEYS, *AODESR_KEYS])
def test_distributions_equal_wekas(name: str, key: str) -> None:
    case = load(name)
    model = estimator(case.command(key)).set_params(**case.table_parameters)
    model.fit(case.X, case.y, sample_weight=case.weights)
    np.testing.assert_array_equal(model.classes_, np.arange(case.header["n_classes"]))
    np.testing.assert_allclose(model.predict_proba(case.X_test), case.expected(key), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["binary", "mixed", "unseen", "breast-cancer"])
def test_hnb_equals_wekas(name: str) -> None:
    case = load(name)
    model = HNB(**case.table_parameters).fit(case.X, case.y)
    np.testing.assert_allclose(model.predict_proba(case.X_test), case.expected("hnb"), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["binary", "breast-cancer"])
def test_tan_equals_wekas_tree_of_maximum_likelihood(name: str) -> None:
    """Weka's entropy score is the conditional mutual information; only the root is chosen otherwise."""
    case = load(name)
    parents = case.header["expected"]["tan-entropy-1"]["parents"]
    model = TAN(smoothing="laplace", root=parents.index(-1), **case.table_parameters).fit(case.X, case.y)
    names = [[] if parent < 0 else [f"x{parent}"] for parent in parents]
    assert list(model.parents_.values()) == names
    expected = case.expected("tan-entropy-1")
    np.testing.assert_allclose(model.predict_proba(case.X_test), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "key", "plain"),
    [
        ("binary", "aodesr", "aode-m"),
        ("mixed", "aodesr", "aode-m"),
        ("mixed", "aodesr", "aodesr-critical"),
        ("missing", "aodesr", "aode-m"),
        ("unseen", "aodesr-critical", "aode-m"),
        ("weighted", "aodesr-laplace", "aode"),
        ("breast-cancer", "aodesr", "aode-m"),
        ("mixed", "aode-limit", "aode"),
        ("unseen", "aode-limit", "aode"),
        ("mixed", "hnb", "aode-m"),
        ("unseen", "hnb", "aode-m"),
    ],
)
def test_the_expected_files_tell_the_options_apart(name: str, key: str, plain: str) -> None:
    """Deletions, critical values and limits must really act, or the comparison above proves little."""
    case = load(name)
    difference = np.abs(case.expected(key) - case.expected(plain)).max(axis=1)
    assert (difference > 1e-6).sum() >= 5


@pytest.mark.parametrize("name", DATA_SETS)
def test_the_expected_files_are_distributions(name: str) -> None:
    case = load(name)
    for key in case.header["expected"]:
        expected = case.expected(key)
        assert expected.shape == (len(case.X_test), case.header["n_classes"])
        np.testing.assert_allclose(expected.sum(axis=1), 1, rtol=0, atol=1e-12)
