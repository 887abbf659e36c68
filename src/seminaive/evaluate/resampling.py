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
