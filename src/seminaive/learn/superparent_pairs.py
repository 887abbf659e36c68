"""Pairs of superparents of two-dependence estimators: which of them a row may use, and their tables."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from seminaive.counts.family import DenseFamily, Family, SparseFamily
from seminaive.counts.plan import padded_classes
from seminaive.counts.tables import CountTables
from seminaive.learn.factors import log_attribute_factors
from seminaive.learn.smoothing import Smoothing, safe_log
from seminaive.learn.superparents import log_sum, occurs_often, room_for_products, smallest_positive
from seminaive.parallel import run_blocks

__all__ = ["SuperparentPairs", "triple_counts"]

_LOG_BYTES = 2**26  # of logarithms that are kept; in larger tables looking them up costs as much as they do


@dataclass
class SuperparentPairs:
    """Everything that scoring two-dependence estimators needs.

    As with one superparent, estimators of dense tables are products of probabilities, and those of sparse
    tables sums of logarithms.

    Attributes
    ----------
    schema_values : ndarray of shape (n_attributes,)
        Number of values.
    first_slot : ndarray of shape (n_attributes + 1,)
    n_classes : int
        K.
    smoothing : Smoothing
    frequency_limit : float
    log_alone : ndarray of shape (slots of all attributes, K)
        Log P(x_a | y), by which an explanation divides P(x_a, x_b | y) between both.
    layout : ndarray of shape (n_pairs, 9)
        See `kernels.superparent_pairs.score_superparent_pairs`.
    dense : tuple of ndarray, or None
        P(x_a, x_b, y); whether each pair of values may be a superparent, as often as a cell is wide;
        P(x_c | x_a, x_b, y).
    most, scale
        See `superparents.room_for_products`.
    pairs : list of SparseFamily
        Where tables are sparse: of each pair of attributes.
    triples : list
        Where tables are sparse: attributes, and the family with each of them as the child.
    logs : tuple of ndarray, default=None
        Logarithms of the first and last table of ``dense``, if `with_logs` made them.
    """

    schema_values: np.ndarray
    first_slot: np.ndarray
    n_classes: int
    smoothing: Smoothing
    frequency_limit: float
    log_alone: np.ndarray
    layout: np.ndarray
    dense: tuple[np.ndarray, np.ndarray, np.ndarray] | None
    most: int
    scale: float
    pairs: list[SparseFamily]
    triples: list[tuple[tuple[int, ...], list[SparseFamily]]]
    logs: tuple[np.ndarray, np.ndarray] | None = None

    @classmethod
    def learn(
        cls, tables: CountTables, smoothing: Smoothing, frequency_limit: float, n_jobs: int | None = None
    ) -> SuperparentPairs:
        """Probabilities from counts.

        Parameters
        ----------
        tables : CountTables
            With pairs, and the families of all triples of attributes in ascending order.
        smoothing : Smoothing
        frequency_limit : float
            Least count of a pair of values that is a superparent; read as by `superparents.is_eligible`.
        n_jobs : int, default=None
            Threads.
        """
        names: list[tuple[int, ...]] = list(combinations(range(len(tables.schema)), 3))
        families = [tables.families[members] for members in names]
        layout = _layout(tables)
        dense, pairs, triples, smallest = None, [], [], 1.0
        if tables.pair_counts is not None and all(isinstance(family, DenseFamily) for family in families):
            base, eligible = _pair_tables(tables, smoothing, frequency_limit)
            table = _conditionals(tables, names, smoothing, layout, n_jobs)
            dense, smallest = (base, eligible, table), smallest_positive(table)
        else:
            pairs = [_as_sparse(tables.family(members)) for members in tables.all_pairs]
            for members, family in zip(names, families, strict=True):
                triples.append((members, _by_child(_as_sparse(family))))
        most, scale = room_for_products(smallest)
        return cls(
            tables.n_values,
            tables.first_slot,
            tables.n_classes,
            smoothing,
            frequency_limit,
            log_attribute_factors(tables, smoothing),
            layout,
            dense,
            most,
            scale,
            pairs,
            triples,
        )

    def score(self, codes: np.ndarray, joint: np.ndarray) -> np.ndarray:
        """Write the log of the mean of the estimators of each row into ``joint``.

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows)
        joint : ndarray of shape (n_rows, K)
            Of no meaning where a row has no superparent.

        Returns
        -------
        ndarray of shape (n_rows,)
            How many pairs of values of each row are superparents.
        """
        if len(self.layout) == 0:
            return np.zeros(len(joint), dtype=np.int64)
        if self.dense is None:
            log_weights = self._log_weights(codes)
            terms = self._log_joint(codes) + log_weights.T[:, :, None]
            for members, families in self.triples:
                for (a, b, _), logs in self._sparse_factors(members, families, codes):
                    terms[self._position(a, b)] += logs
            joint[:] = log_sum(terms)
            return np.isfinite(log_weights).sum(axis=1)
        from seminaive.kernels.superparent_pairs import score_superparent_pairs

        n_rows, width = len(joint), padded_classes(self.n_classes)
        like = (0.0,) * (8 if width % 8 == 0 else min(width, 4))
        sums, depths = np.zeros((2, n_rows * width))
        numbers = np.zeros(n_rows, dtype=np.int64)
        totals = sums, depths, numbers
        slots = np.ascontiguousarray(self._slots(codes).T) * width
        score_superparent_pairs(like, slots, self.dense, self.layout, self.most, self.scale, totals)
        joint[:] = safe_log(sums.reshape(n_rows, width)[:, : self.n_classes])
        joint -= depths.reshape(n_rows, width)[:, : self.n_classes] * math.log(self.scale)
        joint -= np.log(np.maximum(numbers, 1))[:, None]
        return numbers

    def weights(self, codes: np.ndarray) -> np.ndarray:
        """Weight of each pair, which sum to 1 where a row has any, shape (n_rows, n_pairs)."""
        return np.exp(self._log_weights(codes))

    def log_factors(self, codes: np.ndarray, wanted: np.ndarray, log_prior: np.ndarray) -> np.ndarray:
        """Log factors of every estimator, one by one.

        The factor P(x_a, x_b | y) is divided between its two attributes by taking the mean over both orders:
        each gets half of P(x | y) and half of P(x | the other one, y).

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows)
        wanted : ndarray of int64, shape (n_rows, C)
            Classes of interest of each row.
        log_prior : ndarray of shape (K,)
            What P(x_a, x_b, y) is divided by.

        Returns
        -------
        ndarray of shape (n_rows, n_pairs, n_attributes, C)
        """
        n, n_rows = codes.shape
        slots, weights = self._slots(codes), self.weights(codes)
        factors = np.zeros((len(self.layout), n, n_rows, wanted.shape[1]))
        if self.dense is not None and len(self.layout):
            width = padded_classes(self.n_classes)
            a, b, first_a, first_b, slots_a, slots_b, _, begin, length = self.layout.T[:, :, None]
            pair = (slots[a[:, 0]] - first_a) * slots_b + slots[b[:, 0]] - first_b
            others = np.arange(n)
            shift = slots_a * (others > a) + slots_b * (others > b)
            cells = (begin + pair * length)[:, None] + slots - shift[:, :, None]
            own = (others == a) | (others == b)
            cells[own] = 0  # they get theirs below
            if n > 2:
                factors[:] = safe_log(self.dense[2][(cells * width)[..., None] + wanted])
        for members, families in self.triples:
            for (a, b, c), logs in self._sparse_factors(members, families, codes):
                factors[self._position(a, b), c] = np.take_along_axis(logs, wanted, axis=1)
        log_joint = self._log_joint(codes)
        log_joint -= log_prior
        for p, (a, b) in enumerate(self.layout[:, :2]):
            both, first, second = (
                np.take_along_axis(logs, wanted, axis=1)
                for logs in (log_joint[p], self.log_alone[slots[a]], self.log_alone[slots[b]])
            )
            factors[p, a], factors[p, b] = _halves(both, first, second)
        result = np.ascontiguousarray(factors.transpose(2, 0, 1, 3))
        result[weights == 0] = 0
        return result

    def with_logs(self, n_rows: int) -> SuperparentPairs:
        """The same with the logarithms that `split_odds` of so many rows needs, if that saves time."""
        asked = n_rows * len(self.layout) * len(self.schema_values) * 2
        if self.dense is None or len(self.dense[2]) > asked or self.dense[2].nbytes > _LOG_BYTES:
            return self
        return replace(self, logs=(safe_log(self.dense[0]), safe_log(self.dense[2])))

    def split_odds(
        self, codes: np.ndarray, wanted: np.ndarray, log_prior: np.ndarray, shares: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The log-odds of two classes as a sum, from dense tables; the factors are those of `log_factors`.

        Parameters
        ----------
        codes : ndarray of shape (n_attributes, n_rows)
        wanted : ndarray of int64, shape (n_rows, 2)
            The two classes of each row.
        log_prior : ndarray of shape (K,)
            What P(x_a, x_b, y) is divided by.
        shares : ndarray of shape (n_rows, at least n_pairs)
            Zeros, which receive the weight of each estimator's log-odds.

        Returns
        -------
        contributions : ndarray of shape (n_rows, n_attributes)
            As `kernels.explain.split_odds` finds them.
        numbers : ndarray of shape (n_rows,)
            How many superparents each row has; the others are of no meaning for a row without any.
        """
        from seminaive.kernels.superparent_pairs import split_superparent_pairs

        assert self.dense is not None
        base, eligible, table = self.dense
        if self.logs is not None:
            base, table = self.logs
        shape = -1, padded_classes(self.n_classes)
        tables = base.reshape(shape), eligible.reshape(shape), table.reshape(shape), self.logs is not None
        contributions = np.zeros(codes.shape[::-1])
        numbers = np.zeros(len(wanted), dtype=np.int64)
        split_superparent_pairs(
            np.ascontiguousarray(self._slots(codes).T),
            wanted,
            tables,
            self.layout,
            (self.log_alone, log_prior),
            contributions,
            shares,
            numbers,
        )
        return contributions, numbers

    def _slots(self, codes: np.ndarray) -> np.ndarray:
        slots: np.ndarray = self.first_slot[:-1, None] + codes.astype(np.int64)
        return slots

    def _position(self, a: int, b: int) -> int:
        """Where the pair a < b comes among all."""
        return a * (2 * len(self.schema_values) - a - 1) // 2 + b - a - 1

    def _pair_cells(self, codes: np.ndarray) -> np.ndarray:
        """Cell of each pair in its tables, shape (n_pairs, n_rows)."""
        a, b = self.layout[:, 0], self.layout[:, 1]
        cells: np.ndarray = self.layout[:, 6, None] + codes[a] * self.layout[:, 5, None] + codes[b]
        return cells

    def _log_weights(self, codes: np.ndarray) -> np.ndarray:
        """Log of one over the number of superparents of a row, -inf for pairs that are none."""
        if self.dense is not None:
            eligible = self.dense[1][self._pair_cells(codes) * padded_classes(self.n_classes)]
        else:
            totals = [
                np.where(both, counts.sum(axis=1), -1.0)
                for counts, both in (self._pair_counts(p, codes) for p in range(len(self.layout)))
            ]
            eligible = occurs_often(np.array(totals).reshape(-1, codes.shape[1]), self.frequency_limit)
        number = np.maximum(eligible.sum(axis=0), 1)
        return safe_log(eligible / number).T

    def _pair_counts(self, p: int, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """N(x_a, x_b, y) of one pair (n_rows, K), and whether both are observed."""
        members = self.layout[p, :2]
        both = (codes[members] < self.schema_values[members, None]).all(axis=0)
        counts = np.zeros((codes.shape[1], self.n_classes))
        counts[both] = self.pairs[p].lookup((0, 1), codes[members][:, both])
        return counts, both

    def _log_joint(self, codes: np.ndarray) -> np.ndarray:
        """Log P(x_a, x_b, y) of every pair, shape (n_pairs, n_rows, K); of no meaning if one is missing."""
        if self.dense is not None:
            width = padded_classes(self.n_classes)
            return safe_log(self.dense[0].reshape(-1, width)[self._pair_cells(codes), : self.n_classes])
        result = np.zeros((len(self.layout), codes.shape[1], self.n_classes))
        for p, (a, b) in enumerate(self.layout[:, :2]):
            counts, _ = self._pair_counts(p, codes)
            family = self.pairs[p]
            observed = (family.cells < np.array(family.n_values)[:, None]).all(axis=0)
            n_cells = self.schema_values[a] * self.schema_values[b] * self.n_classes
            result[p] = safe_log(self.smoothing(counts, family.counts[observed].sum(), n_cells))
        return result

    def _sparse_factors(
        self, members: tuple[int, ...], families: list[SparseFamily], codes: np.ndarray
    ) -> list[tuple[tuple[int, int, int], np.ndarray]]:
        """Log P(x_c | x_a, x_b, y) of three attributes, each as c in turn; 0 where one is not observed."""
        chosen = codes[list(members)]
        seen = (chosen < self.schema_values[list(members), None]).all(axis=0)
        found = []
        for child, family in enumerate(families):
            parents = [m for m in range(3) if m != child]
            logs = np.zeros((codes.shape[1], self.n_classes))
            if seen.any():
                values = chosen[[*parents, child]][:, seen]
                counts = family.lookup((0, 1, 2), values)
                totals = family.lookup((0, 1), values[:2])
                logs[seen] = safe_log(self.smoothing(counts, totals, family.n_values[2]))
            found.append(((members[parents[0]], members[parents[1]], members[child]), logs))
        return found


def triple_counts(
    tables: CountTables, codes: np.ndarray, child: int, parents: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """N(x_a, x_b, y) in the rows with the child observed, and N(x_a, x_b, x_child, y), two arrays (K,)."""
    members = tuple(sorted((*parents, child)))
    position = members.index(child)
    family = _by_child(_as_sparse(tables.families[members]), position)[0]
    others = [m for m in members if m != child]
    values = codes[[*others, child]][:, None]
    return family.lookup((0, 1), values[:2])[0], family.lookup((0, 1, 2), values)[0]


def _layout(tables: CountTables) -> np.ndarray:
    first_slot, slots = tables.first_slot, np.diff(tables.first_slot)
    a, b = tables.pair_tasks[:, 0], tables.pair_tasks[:, 1]
    values = slots[a] * slots[b]
    lengths = first_slot[-1] - slots[a] - slots[b]
    first_cells = np.cumsum(values) - values
    begins = np.cumsum(values * lengths) - values * lengths
    columns = a, b, first_slot[a], first_slot[b], slots[a], slots[b], first_cells, begins, lengths
    return np.column_stack(columns).astype(np.int64)


def _pair_tables(
    tables: CountTables, smoothing: Smoothing, frequency_limit: float
) -> tuple[np.ndarray, np.ndarray]:
    """The first two of `SuperparentPairs.dense`."""
    assert tables.pair_counts is not None
    n_classes, width = tables.n_classes, padded_classes(tables.n_classes)
    n_cells = len(tables.pair_counts) // n_classes
    base, eligible = np.zeros((n_cells, width)), np.zeros(n_cells, dtype=bool)
    for i, j, offset, slots in tables.pair_tasks.tolist():
        counts = tables.pair(i, j)[:-1, :-1]
        cells = slice(offset // n_classes, offset // n_classes + (counts.shape[0] + 1) * slots)
        shape = (counts.shape[0] + 1, slots)
        n_values = math.prod(counts.shape)
        base[cells].reshape(*shape, width)[:-1, :-1, :n_classes] = smoothing(counts, counts.sum(), n_values)
        often = occurs_often(counts.sum(axis=2), frequency_limit)
        eligible[cells].reshape(shape)[:-1, :-1] = often
    return base.ravel(), np.repeat(eligible, width)


def _conditionals(
    tables: CountTables,
    names: list[tuple[int, ...]],
    smoothing: Smoothing,
    layout: np.ndarray,
    n_jobs: int | None,
) -> np.ndarray:
    """P(x_c | x_a, x_b, y) of all dense triples, each attribute as c, flat; 1 where one is not observed."""
    from seminaive.kernels.superparent_pairs import place_triple

    n, n_classes, width = len(tables.schema), tables.n_classes, padded_classes(tables.n_classes)
    n_values, slots = tables.n_values, np.diff(tables.first_slot)
    n_cells = int((layout[:, 4] * layout[:, 5] * layout[:, 8]).sum())
    table = np.ones(n_cells * width)
    if not names:
        return table
    triples = np.array(names)
    places = np.empty((len(names), 3, 4), dtype=np.int64)
    for child, (first, second) in enumerate(((1, 2), (0, 2), (0, 1))):
        a, b, c = triples[:, first], triples[:, second], triples[:, child]
        pair = layout[a * (2 * n - a - 1) // 2 + b - a - 1]
        shift = slots[a] * (c > a) + slots[b] * (c > b)
        of_child = tables.first_slot[c] - shift
        columns = pair[:, 7], pair[:, 5] * pair[:, 8], pair[:, 8], of_child
        places[:, child] = np.column_stack(columns)

    def some(numbers: np.ndarray) -> None:
        for t in numbers:
            counts = tables.families[names[t]].counts.reshape(-1)
            strength, divides = float(smoothing.strength), smoothing.divides
            place_triple(counts, n_values[triples[t]], places[t], n_classes, strength, divides, table)

    run_blocks(some, np.arange(len(names)), n_jobs, work=4 * len(table))
    return table


def _as_sparse(family: Family) -> SparseFamily:
    if isinstance(family, SparseFamily):
        return family
    cells = np.array(np.nonzero(family.counts.any(axis=-1)))
    return SparseFamily(family.n_values, cells, family.counts[tuple(cells)])


def _by_child(family: SparseFamily, *children: int) -> list[SparseFamily]:
    """The counts of a triple in which all are observed, with each attribute as the child in turn."""
    observed = (family.cells < np.array(family.n_values)[:, None]).all(axis=0)
    cells, counts = family.cells[:, observed], family.counts[observed]
    found = []
    for child in children or (0, 1, 2):
        order = [m for m in range(3) if m != child] + [child]
        turned = SparseFamily(tuple(family.n_values[m] for m in order), cells[order], counts)
        turned.prepare((0, 1), (0, 1, 2))
        found.append(turned)
    return found


def _halves(both: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two parts of ``both``, which differ by as much as ``first`` and ``second``.

    What is impossible is so by the values that are impossible alone, or by both.
    """
    with np.errstate(invalid="ignore"):
        parts = (both + first - second) / 2, (both + second - first) / 2
    impossible = np.isneginf(both)
    if impossible.any():
        alone = np.isneginf(first) | np.isneginf(second)
        for part, own in zip(parts, (first, second), strict=True):
            part[impossible] = np.where(alone & ~np.isneginf(own), own, -np.inf)[impossible]
    return parts
