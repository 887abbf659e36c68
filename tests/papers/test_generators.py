"""LED, waveform and poker hands against their documentation."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import MISSING_DATA, SHARED

from seminaive.papers.data_sets import find_data
from seminaive.papers.generators import GENERATORS, _worth, led, poker_hand, waveform

DATA = SHARED / "data"


@pytest.mark.skipif(not (DATA / "schema.json").is_file(), reason=MISSING_DATA)
@pytest.mark.parametrize("name", list(GENERATORS))
def test_generated_rows_are_those_of_the_directory(name):
    ours, theirs = find_data(name).load(), find_data(name, DATA, download=False).load()
    assert (ours.names, ours.values, ours.classes) == (theirs.names, theirs.values, theirs.classes)
    for field in ("categorical", "numeric", "y"):
        np.testing.assert_array_equal(getattr(ours, field), getattr(theirs, field))
        assert getattr(ours, field).dtype == getattr(theirs, field).dtype


@pytest.mark.parametrize("generator", GENERATORS.values())
def test_the_seed_decides(generator):
    first, again, other = generator(50), generator(50), generator(50, seed=1)
    np.testing.assert_array_equal(first.y, again.y)
    np.testing.assert_array_equal(first.categorical, again.categorical)
    np.testing.assert_array_equal(first.numeric, again.numeric)
    assert (first.y != other.y).any()
    assert first.n_rows == 50


def test_digits_without_noise_are_drawn_right():
    table = led(500, noise=0)
    lit = {digit: set(table.categorical[table.y == digit].sum(axis=1)) for digit in range(10)}
    assert lit == {0: {6}, 1: {2}, 2: {5}, 3: {5}, 4: {4}, 5: {5}, 6: {6}, 7: {3}, 8: {7}, 9: {6}}
    assert len(np.unique(table.categorical, axis=0)) == 10  # all are told apart
    # the middle and the lower left segment tell 0, 6 and 8 apart
    assert {int(d): tuple(table.categorical[table.y == d][0, [3, 4]]) for d in (0, 6, 8)} == {
        0: (0, 1),
        6: (1, 1),
        8: (1, 1),
    }


def test_a_tenth_of_the_segments_is_inverted():
    noisy, clear = led(20_000), led(20_000, noise=0)
    np.testing.assert_array_equal(noisy.y, clear.y)
    assert (noisy.categorical != clear.categorical).mean() == pytest.approx(0.1, abs=0.003)
    assert np.bincount(noisy.y) / 20_000 == pytest.approx(np.full(10, 0.1), abs=0.01)


def test_waves_without_noise_are_mixtures_of_two_triangles():
    table = waveform(300, noise=0)
    for row, label in zip(table.numeric, table.y, strict=True):
        # UCI: class 0 has peaks at 7 and 15, class 1 at 7 and 11, class 2 at 15 and 11
        a, b = {0: (7, 15), 1: (7, 11), 2: (15, 11)}[int(label)]
        first, second = (np.array([max(0, 6 - abs(i - peak)) for i in range(1, 22)]) for peak in (a, b))
        share = np.linalg.lstsq((first - second)[:, None], row - second, rcond=None)[0].item()
        assert -0.01 <= share <= 1.01
        np.testing.assert_allclose(row, share * first + (1 - share) * second, atol=0.02)


def test_noise_of_waves_is_standard_normal():
    noise = waveform(5000).numeric - waveform(5000, noise=0).numeric
    assert noise.mean() == pytest.approx(0, abs=0.01)
    assert noise.std() == pytest.approx(1, abs=0.01)
    assert np.abs(np.corrcoef(noise.T) - np.eye(21)).max() < 0.06


def test_hands_are_five_different_cards():
    table = poker_hand(25_000)
    assert table.n_rows == 25_000
    cards = 13 * table.categorical + table.numeric.astype(int) - 1
    assert len(np.unique(cards)) == 52
    assert (np.diff(np.sort(cards, axis=1), axis=1) > 0).all()
    # combinations of each class among the C(52, 5) = 2,598,960 hands
    expected = np.array([1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4]) / 2_598_960
    shares = np.bincount(table.y, minlength=10) / 25_000
    assert (np.abs(shares - expected) < 4 * np.sqrt(expected / 25_000)).all()


@pytest.mark.parametrize(
    ("hand", "worth"),
    [
        ("1A 1K 1Q 1J 1T", 9),
        ("29 2T 2J 2Q 2K", 8),
        ("1A 12 13 14 15", 8),
        ("1A 2A 3A 4A 15", 7),
        ("17 27 37 4J 1J", 6),
        ("12 15 17 19 1K", 5),
        ("1A 2K 1Q 1J 1T", 4),
        ("1A 22 13 14 15", 4),
        ("1K 2A 12 13 14", 0),  # a straight does not go round the corner
        ("17 27 37 4J 1Q", 3),
        ("17 27 3J 4J 1Q", 2),
        ("17 27 33 4J 1Q", 1),
        ("17 22 33 4J 1Q", 0),
    ],
)
def test_hands_by_hand(hand, worth):
    suits = np.array([[int(card[0]) - 1 for card in hand.split()]])
    ranks = np.array([["A23456789TJQK".index(card[1]) for card in hand.split()]])
    for shift in range(5):
        assert _worth(np.roll(suits, shift), np.roll(ranks, shift)).tolist() == [worth]


def naive_worth(cards):
    suits, ranks = {card // 13 for card in cards}, sorted(card % 13 for card in cards)
    groups = sorted(Counter(ranks).values(), reverse=True)
    royal = ranks == [0, 9, 10, 11, 12]
    straight = royal or ranks == list(range(ranks[0], ranks[0] + 5))
    if len(suits) == 1:
        return 9 if royal else 8 if straight else 5
    if straight:
        return 4
    return {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(groups), 0)


@settings(deadline=None)
@given(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
def test_hands_by_the_rules(cards):
    suits, ranks = np.divmod(np.array([cards]), 13)
    assert _worth(suits, ranks).tolist() == [naive_worth(cards)]
