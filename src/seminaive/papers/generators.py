"""Data sets that are random by definition, after their documentation in the UCI repository."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from seminaive.papers.table import PaperTable

__all__ = ["GENERATORS", "led", "poker_hand", "waveform"]

# segments lit by the digits 0 to 9: top, upper left and right, middle, lower left and right, bottom
_LIT = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011"
SEGMENTS = np.array([[int(segment) for segment in digit] for digit in _LIT.split()])
PEAKS = ((7, 15), (7, 11), (15, 11))  # of the two triangles that each class of waveform mixes
HANDS_AT_ONCE = 10_000


def led(n_rows: int = 1000, *, noise: float = 0.1, seed: int = 0) -> PaperTable:
    """Digits of a display with seven segments, each inverted with some probability.

    Parameters
    ----------
    n_rows : int, default=1000
        Number of rows.
    noise : float, default=0.1
        Probability that a segment is inverted.
    seed : int, default=0
        Of NumPy's default generator.

    Returns
    -------
    PaperTable
        Seven categorical attributes; the ten digits are equally probable.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, Classification and Regression Trees, 1984,
    pages 43-49.

    Examples
    --------
    >>> table = led(3, noise=0)
    >>> table.y.tolist(), table.categorical.tolist()[0]
    ([8, 6, 5], [1, 1, 1, 1, 1, 1, 1])
    """
    rng = np.random.default_rng(seed)
    digits = rng.integers(0, 10, n_rows)
    inverted = rng.random((n_rows, 7)) < noise
    return PaperTable(
        names=tuple(f"segment{i}" for i in range(1, 8)),
        categorical=(SEGMENTS[digits] ^ inverted).astype(np.int32),
        values=(("0", "1"),) * 7,
        numeric=np.empty((n_rows, 0), dtype=np.float32),
        y=digits.astype(np.int32),
        classes=tuple(map(str, range(10))),
    )


def waveform(n_rows: int = 100_000, *, noise: float = 1.0, seed: int = 0) -> PaperTable:
    """Random mixtures of two of three triangular waves, sampled at 21 points, with normal noise.

    Parameters
    ----------
    n_rows : int, default=100000
        Number of rows.
    noise : float, default=1.0
        Standard deviation of the noise.
    seed : int, default=0
        Of NumPy's default generator.

    Returns
    -------
    PaperTable
        21 numeric attributes, rounded to two decimals; the three classes are equally probable.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, Classification and Regression Trees, 1984,
    pages 49-55 and 169.

    Examples
    --------
    >>> table = waveform(2, noise=0)
    >>> table.y.tolist(), table.numeric[:, 10].astype(float).round(1).tolist()
    ([2, 1], [4.9, 5.8])
    """
    rng = np.random.default_rng(seed)
    waves = np.maximum(0, 6 - np.abs(np.arange(1, 22) - np.array(PEAKS)[:, :, None]))
    y = rng.integers(0, 3, n_rows)
    share = rng.random((n_rows, 1))
    first, second = waves[y, 0], waves[y, 1]
    x = share * first + (1 - share) * second + noise * rng.standard_normal((n_rows, 21))
    return PaperTable(
        names=tuple(f"x{i}" for i in range(1, 22)),
        categorical=np.empty((n_rows, 0), dtype=np.int32),
        values=(),
        numeric=(x.round(2) + 0.0).astype(np.float32),  # + 0.0 makes -0 plain 0
        y=y.astype(np.int32),
        classes=("0", "1", "2"),
    )


def poker_hand(n_rows: int = 100_000, *, seed: int = 0) -> PaperTable:
    """Five cards dealt from a pack of 52; the class is what they are worth.

    Parameters
    ----------
    n_rows : int, default=100000
        Number of hands.
    seed : int, default=0
        Of NumPy's default generator.

    Returns
    -------
    PaperTable
        Suits of the five cards (categorical), then their ranks (numeric, ace 1 to king 13). Classes: 0
        nothing, 1 pair, 2 two pairs, 3 three of a kind, 4 straight, 5 flush, 6 full house, 7 four of a
        kind, 8 straight flush, 9 royal flush.

    References
    ----------
    R. Cattral and F. Oppacher, Poker Hand, UCI Machine Learning Repository.

    Examples
    --------
    >>> hands = poker_hand(1000)
    >>> np.bincount(hands.y)[:3].tolist()  # nothing, one pair, two pairs
    [474, 433, 57]
    """
    rng = np.random.default_rng(seed)
    cards = np.concatenate(
        [
            rng.random((min(HANDS_AT_ONCE, n_rows - start), 52)).argsort(axis=1)[:, :5]
            for start in range(0, n_rows, HANDS_AT_ONCE)
        ]
    )
    suits, ranks = np.divmod(cards, 13)
    return PaperTable(
        names=(*(f"S{i}" for i in range(1, 6)), *(f"C{i}" for i in range(1, 6))),
        categorical=suits.astype(np.int32),
        values=(("1", "2", "3", "4"),) * 5,
        numeric=(ranks + 1).astype(np.float32),
        y=_worth(suits, ranks).astype(np.int32),
        classes=tuple(map(str, range(10))),
    )


def _worth(suits: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Classes of hands; ranks from 0 (ace) to 12."""
    of_rank = np.sort((ranks[:, :, None] == np.arange(13)).sum(axis=1), axis=1)
    most, next_most = of_rank[:, -1], of_rank[:, -2]
    flush = (suits == suits[:, :1]).all(axis=1)
    in_order = np.sort(ranks, axis=1)
    royal = (in_order == [0, 9, 10, 11, 12]).all(axis=1)
    straight = royal | ((most == 1) & (in_order[:, 4] - in_order[:, 0] == 4))
    return np.select(
        [
            flush & royal,
            flush & straight,
            most == 4,
            (most == 3) & (next_most == 2),
            flush,
            straight,
            most == 3,
            next_most == 2,
            most == 2,
        ],
        [9, 8, 7, 6, 5, 4, 3, 2, 1],
        default=0,
    )


GENERATORS: dict[str, Callable[[], PaperTable]] = {
    "led": led,
    "poker-hand": poker_hand,
    "waveform": waveform,
}
