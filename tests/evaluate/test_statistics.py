"""Everything at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from published import needs_tables, published

from seminaive.evaluate.statistics import analyse

NAN = math.nan


def test_parts_are_those_of_the_table():
    values = np.random.default_rng(0).random((8, 3)).round(3)
    columns = dict(zip(["NB", "TAN", "AODE"], values.T, strict=True))
    analysis = analyse(columns, measure="RMSE", margin=0.1, alpha=0.1)
    assert analysis.results.measure == "RMSE"
    assert "more than 10 %" in analysis.win_draw_loss.rule
    assert analysis.grouped_ranks.margin == 0.1
    assert analysis.ranks.margin == 0
    assert analysis.nemenyi.alpha == 0.1
    for view in (analysis.to_text(), analysis.to_markdown(), analysis.to_latex(), analysis.to_csv()):
        for part in ("wins, draws, losses", "sign tests", "Wilcoxon", "ranks", "equally good", "Nemenyi"):
            assert part in view
    assert len(analysis.tables()) == 8


def test_what_the_table_does_not_allow_is_left_out():
    two = analyse({"NB": [0.1, 0.2], "TAN": [0.2, 0.3]})
    assert two.friedman is None
    assert two.nemenyi is not None
    gaps = analyse({"NB": [0.1, NAN], "TAN": [NAN, 0.3], "AODE": [0.1, 0.2]})
    assert gaps.ranks is gaps.grouped_ranks is gaps.friedman is gaps.nemenyi is None
    assert gaps.win_draw_loss["AODE", "NB"] == (0, 1, 0)
    assert "equally good" not in gaps.to_text()


def test_a_score_is_turned_round():
    losses = {"NB": [0.1, 0.2, 0.4], "TAN": [0.2, 0.3, 0.1], "AODE": [0.05, 0.1, 0.3]}
    scores = {name: 1 - np.array(column) for name, column in losses.items()}
    by_loss, by_score = analyse(losses), analyse(scores, greater_is_better=True)
    assert by_loss.ranks.mean == by_score.ranks.mean
    assert by_loss.friedman.statistic == by_score.friedman.statistic
    assert by_loss.sign_tests.tests == by_score.sign_tests.tests


def test_classifiers_in_another_order():
    losses = {"NB": [0.1, 0.2, 0.4], "TAN": [0.2, 0.3, 0.1], "AODE": [0.05, 0.1, 0.3]}
    one, other = analyse(losses), analyse(dict(reversed(losses.items())))
    assert one.win_draw_loss.records == other.win_draw_loss.records
    assert one.sign_tests.tests == other.sign_tests.tests
    assert one.wilcoxon.tests == other.wilcoxon.tests
    assert one.friedman.statistic == pytest.approx(other.friedman.statistic)
    assert one.nemenyi.p_values == pytest.approx(other.nemenyi.p_values)


@needs_tables
def test_awode_against_aode_by_the_rule_and_by_tests():
    """The headline of 2021: 16/20/4 by 5 %, but no test across data sets tells the two apart."""
    analysis = analyse(published("awode", "zero_one_loss"))
    pair = "AWODE", "AODE"
    assert analysis.win_draw_loss[pair] == (16, 20, 4)
    assert analysis.sign_tests[pair].p_value > 0.05
    assert analysis.wilcoxon[pair].p_holm > 0.05
    assert any(set(pair) <= set(group) for group in analysis.nemenyi.groups())
