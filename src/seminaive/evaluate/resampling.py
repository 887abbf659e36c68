"""Divisions of the rows into training and test parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils.validation import _num_samples


class PaperKFold(BaseCrossValidator):
    """K-fold cross-validation with the folds of the published error rates.

    Every row draws its fold on its own, in file order: fold = u mod `n_splits`, where u is the next
    32-bit output of the Mersenne Twister MT19937 started with `random_state`. The folds are therefore
    neither stratified nor of equal size, and they depend on nothing but the number of rows.

    Parameters
    ----------
    n_splits : int, default=10
        Number of folds, at least 2.
    random_state : int, default=0
        Seed of the generator, 0 to 2**32 - 1, used as the C++ standard library's ``mt19937(seed)``
        uses it. The papers have 0.

    Raises
    ------
    ValueError
        On a number of folds or a seed out of range, and on splitting, if all rows fall into one fold.

    Notes
    -----
    A fold without a row is left out, so a small table may give fewer splits than `n_splits`;
    ``get_n_splits(X)`` says how many.

    Source: the cross-validation of Webb's Petal, with which the 0-1 losses of the papers on averaged KDB
    (2015), adaptive KDB (2019) and AWODE (2021) were computed. They are the errors of all folds together,
    divided by the number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from seminaive.evaluate.resampling import PaperKFold
    >>> for train, test in PaperKFold(n_splits=3).split(np.zeros((8, 1))):
    ...     print(train, test)
    [0 2 4 6 7] [1 3 5]
    [0 1 2 3 5] [4 6 7]
    [1 3 4 5 6 7] [0 2]
    """

    def __init__(self, n_splits: int = 10, *, random_state: int = 0) -> None:
        if not isinstance(n_splits, (int, np.integer)) or n_splits < 2:
            raise ValueError(f"n_splits must be an integer of at least 2, got {n_splits!r}")
        if not isinstance(random_state, (int, np.integer)) or not 0 <= random_state < 2**32:
            raise ValueError(f"random_state must be an integer from 0 to 2**32 - 1, got {random_state!r}")
        self.n_splits = n_splits
        self.random_state = random_state

    def folds(self, n_rows: int) -> np.ndarray:
        """Fold of each row.

        Parameters
        ----------
        n_rows : int
            Number of rows.

        Returns
        -------
        ndarray of int64, shape (n_rows,)
            Numbers from 0 to ``n_splits - 1``.
        """
        # over the full range of uint32, randint hands out the raw stream of the generator
        raw = np.random.RandomState(self.random_state).randint(2**32, size=n_rows, dtype=np.uint32)
        return raw.astype(np.int64) % self.n_splits

    def _iter_test_masks(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[np.ndarray]:
        folds = self.folds(_num_samples(X))
        present = np.unique(folds)
        if len(present) < 2:
            raise ValueError(
                f"All {len(folds)} rows fall into one fold of {self.n_splits}, so none is left to train on. "
                "Give more rows or another random_state."
            )
        for fold in present:
            yield folds == fold

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits.

        Parameters
        ----------
        X : array-like with n_samples rows, optional
            The table to split. Without it the answer is `n_splits`.
        y, groups : object
            Ignored.

        Returns
        -------
        int
            Number of folds that hold a row.
        """
        return int(self.n_splits) if X is None else len(np.unique(self.folds(_num_samples(X))))


class BiasVarianceSplit(BaseCrossValidator):
    """Training samples of the published bias and variance: one test part, many small training parts.

    A third of the rows is the test part of all splits; each split draws another third of the rows, from
    those that are left, to train on. The remaining third goes unused. Feed the predictions to
    `seminaive.evaluate.metrics.bias_variance`.

    Parameters
    ----------
    n_splits : int, default=10
        Number of training samples, at least 2.
    random_state : int, default=0
        Seed of the generator of the test part, 0 to 2**32 - n_splits; split number i draws its training
        part with seed ``random_state + i``. The papers have 0.

    Raises
    ------
    ValueError
        On a number of splits or a seed out of range, and on splitting, if there are fewer than 3 rows.

    Notes
    -----
    Both parts are drawn by selection sampling in file order: a row is taken if u <= (rows still to take) /
    (rows still to come), where u is the next 32-bit output of MT19937 divided by 2**32. Both parts have
    floor(n/3) rows.

    Source: the bias-variance experiment of Webb's Petal, with which the paper on AWODE (2021) computed its
    tables of bias and variance; training parts are small so that variance shows.

    Examples
    --------
    >>> import numpy as np
    >>> from seminaive.evaluate.resampling import BiasVarianceSplit
    >>> for train, test in BiasVarianceSplit(n_splits=3).split(np.zeros((9, 1))):
    ...     print(train, test)
    [1 4 5] [6 7 8]
    [0 4 5] [6 7 8]
    [0 1 2] [6 7 8]
    """

    def __init__(self, n_splits: int = 10, *, random_state: int = 0) -> None:
        if not isinstance(n_splits, (int, np.integer)) or n_splits < 2:
            raise ValueError(f"n_splits must be an integer of at least 2, got {n_splits!r}")
        if not isinstance(random_state, (int, np.integer)) or not 0 <= random_state <= 2**32 - n_splits:
            raise ValueError(
                f"random_state must be an integer from 0 to 2**32 - {n_splits}, got {random_state!r}"
            )
        self.n_splits = n_splits
        self.random_state = random_state

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the rows of each training part and those of the test part.

        Parameters
        ----------
        X : array-like with n_samples rows
        y, groups : object
            Ignored.

        Yields
        ------
        train, test : ndarray of int64, shape (n_samples // 3,)
            Ascending; ``test`` is the same in all splits.
        """
        n_rows = _num_samples(X)
        size = n_rows // 3
        if size == 0:
            raise ValueError(
                f"{n_rows} rows are too few for a test and a training part: at least 3 are needed."
            )
        in_test = _selected(n_rows, size, self.random_state)
        test, others = np.flatnonzero(in_test), np.flatnonzero(~in_test)
        for number in range(self.n_splits):
            yield others[_selected(len(others), size, self.random_state + number)], test

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits.

        Parameters
        ----------
        X, y, groups : object
            Ignored.

        Returns
        -------
        int
        """
        return int(self.n_splits)


def _selected(n_rows: int, size: int, seed: int) -> np.ndarray:
    """Whether each row is taken, shape (n_rows,): selection sampling, ``size`` rows in all."""
    draws = np.random.RandomState(seed).randint(2**32, size=n_rows, dtype=np.uint32) / 2**32
    taken = np.zeros(n_rows, dtype=bool)
    for row, draw in enumerate(draws):
        taken[row] = size > 0 and draw <= size / (n_rows - row)
        size -= taken[row]
    return taken
