"""Figures hold what the table says."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402

from seminaive.evaluate.plots import (  # noqa: E402
    WIN,
    plot_boxes,
    plot_critical_difference,
    plot_gains,
    plot_scatter,
    relative_gain,
)
from seminaive.evaluate.ranks import nemenyi  # noqa: E402
from seminaive.evaluate.results_table import results_table  # noqa: E402

NAN = math.nan
COLUMNS = {
    "data": ["a", "b", "c", "d", "e", "f"],
    "NB": [0.30, 0.20, 0.10, 0.40, 0.00, 0.20],
    "TAN": [0.20, 0.20, 0.12, 0.39, 0.00, NAN],
    "AODE": [0.10, 0.10, 0.05, 0.30, 0.10, 0.10],
}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def drawn(axes):
    axes.figure.canvas.draw()
    return axes


def test_critical_difference_joins_the_groups():
    columns = {"NB": [0.4] * 9, "TAN": [0.3] * 9, "KDB": [0.2] * 9, "AODE": [0.1] * 9}
    test = nemenyi(columns)
    axes = drawn(plot_critical_difference(test))
    bars = [line for line in axes.lines if line.get_color() == WIN]
    assert len(bars) == len(test.groups()) == 3
    for bar, (left, right) in zip(bars, [(1, 2), (2, 3), (3, 4)], strict=True):
        np.testing.assert_allclose(bar.get_xdata(), [left, right], atol=0.03)
    labels = [text.get_text() for text in axes.texts]
    assert "AODE (1.00)" in labels
    assert f"critical difference {test.critical_difference:.3f}" in labels


def test_critical_difference_without_groups_and_longer_than_the_axis():
    apart = {"A": [0.1] * 60, "B": [0.2] * 60, "C": [0.3] * 60}
    axes = drawn(plot_critical_difference(nemenyi(apart)))
    assert not [line for line in axes.lines if line.get_color() == WIN]
    short = drawn(plot_critical_difference(nemenyi({"A": [0.1], "B": [0.2]})))
    assert short.get_xlim()[1] > 1 + 1.96 * math.sqrt(2 * 3 / 6)


def test_scatter_counts_what_the_records_count():
    axes = drawn(plot_scatter(COLUMNS, "TAN", "NB"))
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["TAN better: 1", "within 5 %: 3", "NB better: 1"]
    points = np.concatenate([dots.get_offsets() for dots in axes.collections])
    assert sorted(map(tuple, points)) == [(0, 0), (0.1, 0.12), (0.2, 0.2), (0.3, 0.2), (0.4, 0.39)]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("NB", "TAN")


def test_gain_by_hand():
    gain = relative_gain(COLUMNS, "AODE", "NB")
    np.testing.assert_allclose(gain, [2 / 3, 0.5, 0.5, 0.25, NAN, 0.5])
    np.testing.assert_allclose(relative_gain(COLUMNS, "TAN", "NB"), [1 / 3, 0, -0.2, 0.025, 0, NAN])
    scores = results_table({"A": [0.6, 0.5, 0.0], "B": [0.5, -0.1, 0.0]}, greater_is_better=True)
    np.testing.assert_allclose(relative_gain(scores, "A", "B"), [0.2, NAN, 0])


def test_gains_are_bars_or_crosses():
    axes = drawn(plot_gains(COLUMNS, "AODE", "NB"))
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([200 / 3, 50, 50, 25, 50])
    crosses = next(line for line in axes.lines if line.get_marker() == "x")
    assert crosses.get_xdata().tolist() == [4]
    assert [label.get_text() for label in axes.get_xticklabels()] == COLUMNS["data"]
    ordered = plot_gains(COLUMNS, "TAN", "NB", sort=True)
    assert [label.get_text() for label in ordered.get_xticklabels()] == ["a", "d", "b", "e", "c", "f"]


def test_boxes_are_of_the_same_data_sets():
    axes = drawn(plot_boxes(COLUMNS))
    assert axes.get_title() == "5 data sets"
    medians = [line.get_ydata()[0] for line in axes.lines if line.get_color() == WIN]
    assert medians == pytest.approx([0.2, 0.2, 0.1])
    differences = drawn(plot_boxes(COLUMNS, baseline="NB"))
    assert [label.get_text() for label in differences.get_xticklabels()] == ["TAN", "AODE"]


def test_given_axes_are_used_and_unknown_names_refused():
    _, ax = plt.subplots()
    assert plot_scatter(COLUMNS, "TAN", "NB", ax=ax) is ax
    assert plot_gains(COLUMNS, "TAN", "NB", ax=ax) is ax
    assert plot_boxes(COLUMNS, ax=ax) is ax
    assert plot_critical_difference(nemenyi(COLUMNS), ax=ax) is ax
    with pytest.raises(ValueError, match="no classifier KDB"):
        plot_scatter(COLUMNS, "KDB", "NB")


def test_without_matplotlib():
    code = """
import sys
sys.modules["matplotlib"] = None
from seminaive.evaluate.plots import plot_boxes
try:
    plot_boxes({"A": [0.1], "B": [0.2]})
except ImportError as error:
    print(error)
"""
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "plots need matplotlib: pip install 'seminaive[plot]'"
