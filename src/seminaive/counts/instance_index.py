"""Counts of any value combination, from one bitmap per attribute value over the training rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from seminaive.data.schema import first_slots
from seminaive.parallel import run_blocks

__all__ = ["InstanceIndex", "new_memo"]

_MEMO_BYTES = 2**26  # of one memo, at the most


class InstanceIndex:
    """Bitmaps of training rows, sorted by class.

    A count of a combination is an AND of its bitmaps and a popcount per class. Networks that are learned for
    single rows ask for combinations that no table was laid out for.

    Parameters
    ----------
    bitmaps : Bitmaps
        See `seminaive.kernels.instance_index`; made by `build`.

    Notes
    -----
    Memory: rows x values of all attributes / 8 bytes, and one bitmap more for each attribute that is missing
    in some rows. Rows with weights sum their weights bit by bit, which takes longer than a popcount.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([[0, 0, 1, 1], [0, 1, 1, 1]], dtype=np.uint8)
    >>> index = InstanceIndex.build(codes, np.array([0, 1, 0, 1]), np.array([2, 2]), n_classes=2)
    >>> index.count([{0: 1}, {0: 1, 1: 1}, {}]).tolist()
    [[1.0, 1.0], [1.0, 1.0], [2.0, 2.0]]
    """

    def __init__(self, bitmaps: Any) -> None:
        self.bitmaps = bitmaps

    @classmethod
    def build(
        cls,
        codes: np.ndarray,
        classes: np.ndarray,
        n_values: np.ndarray,
        n_classes: int,
        weights: np.ndarray | None = None,
        n_jobs: int | None = None,
    ) -> InstanceIndex:
        """Index the rows of ``codes``.

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows), unsigned
            The code n_values means "not observed".
        classes : ndarray of shape (n_rows,)
        n_values : ndarray of shape (n_attributes,)
        n_classes : int
        weights : ndarray of shape (n_rows,), default=None
        n_jobs : int, default=None
        """
        from seminaive.kernels.instance_index import pack_index

        n_attributes, n_rows = codes.shape
        has_gaps = codes.max(axis=1, initial=0) == n_values
        words = np.zeros((int(n_values.sum() + has_gaps.sum()), -(-n_rows // 64)), dtype=np.uint64)
        order = np.argsort(classes, kind="stable").astype(np.uint32 if n_rows < 2**32 else np.int64)
        ends = np.cumsum(np.bincount(classes, minlength=n_classes)).astype(np.int64)
        sorted_weights = np.zeros(0) if weights is None else weights[order].astype(np.float64)
        index = cls.from_parts(words, has_gaps, n_values, ends, sorted_weights)
        slots = index.bitmaps.first_slot, index.bitmaps.bitmap_of_slot

        def pack(attributes: np.ndarray) -> None:
            pack_index(codes, order, attributes, *slots, words)

        run_blocks(pack, np.arange(n_attributes), n_jobs, work=codes.size)
        return index

    @classmethod
    def from_parts(
        cls,
        words: np.ndarray,
        has_gaps: np.ndarray,
        n_values: np.ndarray,
        class_ends: np.ndarray,
        weights: np.ndarray,
    ) -> InstanceIndex:
        """The index of these bitmaps; ``has_gaps`` says for each attribute whether it is missing somewhere.

        See `seminaive.kernels.instance_index.Bitmaps`.
        """
        from seminaive.kernels.instance_index import Bitmaps

        first_slot = first_slots(n_values)
        is_used = np.ones(first_slot[-1], dtype=bool)
        is_used[first_slot[1:] - 1] = has_gaps
        bitmap_of_slot = np.where(is_used, np.cumsum(is_used) - 1, -1)
        return cls(Bitmaps(words, bitmap_of_slot, first_slot, class_ends, weights))

    @property
    def nbytes(self) -> int:
        """Bytes of the bitmaps and of the weights of the rows."""
        return int(self.bitmaps.words.nbytes + self.bitmaps.weights.nbytes)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.bitmaps.class_ends)

    @property
    def n_words(self) -> int:
        """Words of 64 rows in each bitmap."""
        return int(self.bitmaps.words.shape[1])

    def count(self, combinations: Sequence[dict[int, int | None]]) -> np.ndarray:
        """How often each combination occurs in every class.

        Parameters
        ----------
        combinations : sequence of dict
            Attribute -> code, or None where the attribute only has to be observed.

        Returns
        -------
        ndarray of float64, shape (len(combinations), K)
            Sums of weights.
        """
        from seminaive.kernels.instance_index import count_combinations

        first_slot = self.bitmaps.first_slot
        wanted = [
            [
                first_slot[i] + code if code is not None else first_slot[i + 1] - 1
                for i, code in values.items()
            ]
            for values in combinations
        ]
        lengths = np.array([len(slots) for slots in wanted], dtype=np.int64)
        slots = np.zeros((len(wanted), int(lengths.max(initial=1))), dtype=np.int32)
        for row, values in zip(slots, wanted, strict=True):
            row[: len(values)] = values
        result = np.zeros((len(wanted), self.n_classes))
        count_combinations(self.bitmaps, slots, lengths, result)
        return result


def new_memo(length: int, width: int, wanted: int) -> Any:
    """An empty memo of counts.

    Parameters
    ----------
    length : int
        Slots of the longest combination.
    width : int
        Numbers that are kept for each.
    wanted : int
        How many combinations there may be; fewer are kept where they would take too much memory.

    Returns
    -------
    Memo
    """
    from seminaive.kernels.instance_index import Memo

    affordable = _MEMO_BYTES // (4 * length + 8 * width + 16)
    capacity = int(max(1, min(wanted, affordable)))
    places = np.full(1 << (2 * capacity - 1).bit_length(), -1, dtype=np.int32)
    keys = np.empty((capacity, length), dtype=np.int32)
    return Memo(places, keys, np.empty((capacity, width)), np.zeros(1, dtype=np.int64))
