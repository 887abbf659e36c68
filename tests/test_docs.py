"""What the documentation says works: its commands are those of the CI, its examples run."""

import doctest
import importlib
import re
import tomllib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from seminaive import all_classifiers
from seminaive.testing.checks import check_classifier

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "docs").glob("*.rst"))


def code_blocks(text, language):
    """Fenced blocks of a Markdown file, without the indentation of a list around them."""
    blocks = re.findall(rf"^( *)```{language}\n(.*?)^ *```", text, flags=re.DOTALL | re.MULTILINE)
    return [re.sub(rf"^{indent}", "", code, flags=re.MULTILINE) for indent, code in blocks]


def test_readme_begins_with_the_two_commands():
    install_and_demo, install_and_test = code_blocks(README, "sh")[:2]
    assert install_and_demo.strip() == "pip install . && seminaive demo"
    assert install_and_test.strip() == "pip install '.[test]' && pytest -n auto"
    assert README[: README.index(install_and_test)].count("\n") < 25  # the first screen


def test_readme_example_runs_and_prints_what_it_says(capsys):
    example = code_blocks(README, "python")[0]
    exec(example, {})
    promised = re.findall(r"^print\(.*\)  # (.*)$", example, flags=re.MULTILINE)
    printed = capsys.readouterr().out
    assert len(promised) == 3
    assert without_layout(printed) == without_layout("".join(promised))


def test_readme_example_larger_than_memory_runs(tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    example = next(code for code in code_blocks(README, "python") if "scan_parquet" in code)
    assert len([line for line in example.splitlines() if line]) == 5
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    rng = np.random.default_rng(0)
    for name in ("data/1.parquet", "data/2.parquet", "test.parquet", "new.parquet"):
        label = rng.integers(0, 2, 50)
        columns = {"a": label + rng.integers(0, 2, 50), "b": [f"value {k}" for k in rng.integers(0, 3, 50)]}
        pq.write_table(pa.table({**columns, "label": label}), name)
    names: dict = {}
    exec(example, names)
    assert names["losses"]["zero_one_loss"] < 0.5
    assert pq.read_table("predictions.parquet").column_names == ["prediction", "P(0)", "P(1)"]
    assert not (tmp_path / "fit.checkpoint").exists()


def test_readme_example_on_a_cluster_runs(tmp_path, monkeypatch):
    pytest.importorskip("dask.dataframe", reason="Dask is not installed: pip install 'seminaive[dask]'")
    import pyarrow.parquet as pq

    from seminaive import KDB, load

    example = next(code for code in code_blocks(README, "python") if "from_dask" in code)
    assert len([line for line in example.splitlines() if line]) == 5
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    rng = np.random.default_rng(0)
    tables = []
    for number in range(2):
        columns = {"a": rng.integers(0, 2, 50), "b": [f"value {k}" for k in rng.integers(0, 3, 50)]}
        tables.append(pa.table({**columns, "label": rng.integers(0, 2, 50)}))
        pq.write_table(tables[-1], f"data/{number}.parquet")
    exec(example, {})
    table = pa.concat_tables(tables)
    expected = KDB(k=2).fit(table.drop(["label"]), table["label"])
    new = table.drop(["label"])
    np.testing.assert_array_equal(load("kdb.model").predict_proba(new), expected.predict_proba(new))


def without_layout(text):
    """Numbers, names and brackets only: arrays of NumPy and lists look the same."""
    return re.sub(r"[\s,]", "", text)


def test_readme_lists_every_classifier_and_verb():
    from typer.main import get_command

    from seminaive.cli.app import app

    for name in all_classifiers():
        assert re.search(rf"^\| .*`{name}\b.* \| ", README, flags=re.MULTILINE), name
    for verb in get_command(app).commands:
        assert f"`seminaive {verb}" in README


def test_links_of_readme_lead_somewhere():
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", README):
        assert (ROOT / target.partition("#")[0]).exists(), target


def test_contributing_example_is_a_classifier(tmp_path, monkeypatch):
    (example,) = code_blocks((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), "python")
    (tmp_path / "contributed_star.py").write_text(example, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    star = importlib.import_module("contributed_star").Star()
    check_classifier(star)
    X = np.array([["a", "c", "e"], ["b", "c", "f"]], dtype=object)
    assert star.fit(X, [0, 1]).parents_ == {"x0": [], "x1": ["x0"], "x2": ["x0"]}


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
@pytest.mark.filterwarnings("ignore::seminaive.UnseenValueWarning")
def test_examples_of_page(page):
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0


def test_every_classifier_has_a_page():
    reference = (ROOT / "docs" / "api" / "index.rst").read_text(encoding="utf-8")
    chooser = (ROOT / "docs" / "classifiers.rst").read_text(encoding="utf-8")
    for name, classifier in all_classifiers().items():
        assert re.search(rf"^   {name}$", reference, flags=re.MULTILINE)
        assert f"`seminaive.{name}`" in chooser
        for section in ("Parameters", "Attributes", "Notes", "Examples"):
            assert f"{section}\n" in classifier.__doc__, (name, section)


def test_oldest_versions_are_the_declared_bounds():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / ".ci" / "oldest.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    bounds = dict(requirement.split(">=") for requirement in wanted)
    assert {name: bounds[name] for name in pinned} == pinned
    assert {requirement.split(">=")[0] for requirement in project["dependencies"]} <= set(pinned)
