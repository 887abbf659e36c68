"""Groups of networks that are drawn at random, counted on all rows and weighted on rows left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from seminaive.counts.context_tables import ContextTables
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import count
from seminaive.data.discretize.drawn import draw_cuts
from seminaive.data.schema import Attribute, Schema, first_slots
from seminaive.learn.copies import Copies
from seminaive.learn.information import (
    conditional_mutual_information,
    mutual_information,
    mutual_information_bias,
)
from seminaive.learn.parents import draw_parents
from seminaive.learn.smoothing import Smoothing
from seminaive.learn.weights import class_weights, shared_weights
from seminaive.parallel import run_blocks

__all__ = [
    "Draws",
    "GroupFactors",
    "GroupSettings",
    "NetworkGroup",
    "count_group",
    "draw_members",
    "learn_group",
]

CONCENTRATIONS = 2.0 ** np.arange(-2, 13)
_JUDGED_ROWS = 4000  # by which concentrations are chosen
_ROWS_AT_A_TIME = 8192
_STEPS = 100  # elementary ones, of a row through a node of a member


@dataclass(frozen=True)
class GroupSettings:
    """What a group of networks is made by.

    Attributes
    ----------
    n_members : int
    k : int
        Most parents of an attribute.
    depths : tuple of int
        Numbers of parents at which estimates are taken, rising.
    per_class : bool
        Whether every class has weights of its own.
    smoothing : Smoothing
        Of the sharp estimates.
    n_jobs : int or None
    limit : int
        Bytes.
    already : int
        Bytes that the tables of other groups take.
    """

    n_members: int
    k: int
    depths: tuple[int, ...]
    per_class: bool
    smoothing: Smoothing
    n_jobs: int | None
    limit: int
    already: int = 0

    @property
    def n_factors(self) -> int:
        """Estimates for one attribute."""
        return 2 * len(self.depths)

    def check_bytes(self, taken: int) -> None:
        """Raise a MemoryError if tables take more than the limit."""
        taken += self.already
        if taken > self.limit:
            raise MemoryError(
                f"The tables of the networks take more than {taken:,} bytes, above the limit of "
                f"{self.limit:,} bytes. Use fewer networks (n_members, n_groups), fewer parents (k) or fewer "
                "rows, or raise memory_limit."
            )


@dataclass(eq=False)
class NetworkGroup:
    r"""Networks whose log factors are averaged and then weighted.

    .. math:: S(y) = \log P(y) + b_y + \sum_f w_{yf} f(y)

    Attributes
    ----------
    bins : ndarray of unsigned integers, shape (n_members, n_slots)
        What each code of each attribute is for a member; slots are the values of an attribute, then "not
        observed".
    n_values : ndarray of int64, shape (n_members, n_attributes)
        Numbers of values for the members.
    parents : ndarray of int64, shape (n_members, n_attributes, k)
        In the order in which they were drawn, filled up with -1.
    concentrations : ndarray of float64, shape (n_members, n_attributes, k + 2)
        Strengths of smoothing: of the attribute alone, given the class, and given one more parent each.
    weights : ndarray of float64, shape (K, n_attributes * n_factors)
        Not negative; for each attribute first the smooth estimates, then the sharp ones.
    offsets : ndarray of float64, shape (K,)
        b.
    dependence : ndarray of float64, shape (n_attributes, n_attributes)
        I(X_i; X_j | Y) in bits by which parents were drawn, mean over the members.
    """

    bins: np.ndarray
    n_values: np.ndarray
    parents: np.ndarray
    concentrations: np.ndarray
    weights: np.ndarray
    offsets: np.ndarray
    dependence: np.ndarray

    def check(self, n_values: np.ndarray, n_classes: int, settings: GroupSettings) -> None:
        """ValueError unless all parts go together with these attributes and classes."""
        n, n_members, k = len(n_values), settings.n_members, settings.k
        n_slots = int(n_values.sum()) + n
        shapes: dict[str, tuple[tuple[int, ...], str]] = {
            "bins": ((n_members, n_slots), "u"),
            "n_values": ((n_members, n), "i"),
            "parents": ((n_members, n, k), "i"),
            "concentrations": ((n_members, n, k + 2), "f"),
            "weights": ((n_classes, n * settings.n_factors), "f"),
            "offsets": ((n_classes,), "f"),
            "dependence": ((n, n), "f"),
        }
        for name, (shape, kind) in shapes.items():
            part = getattr(self, name)
            if type(part) is not np.ndarray or part.shape != shape or part.dtype.kind != kind:
                raise ValueError(f"{name} of a group are not those of the attributes and parameters")
            if kind == "f" and not np.isfinite(part).all():
                raise ValueError(f"{name} of a group are not finite")
        if not (self.concentrations > 0).all():
            raise ValueError("a group has concentrations that are not positive")
        if not ((self.n_values >= 0) & (self.n_values <= n_values)).all():  # 0: never observed
            raise ValueError("a group has numbers of values that the attributes do not have")
        if (self.bins > np.repeat(self.n_values, n_values + 1, axis=1)).any():
            raise ValueError("bins of a group do not exist")
        if ((self.parents < -1) | (self.parents >= n)).any():
            raise ValueError("the structure names attributes that do not exist")

    @property
    def arc_shares(self) -> np.ndarray:
        """The share of networks in which attribute i has j as parent, shape (n_attributes, n_attributes)."""
        n = len(self.dependence)
        members, children, places = np.nonzero(self.parents >= 0)
        shares = np.zeros((n, n))
        np.add.at(shares, (children, self.parents[members, children, places]), 1 / len(self.parents))
        return shares

    def parents_of(self, member: int) -> list[list[int]]:
        """Parents of every attribute in one network."""
        return [chosen[chosen >= 0].tolist() for chosen in self.parents[member]]


class GroupFactors:
    """The log factors of a group of networks, from counts.

    Parameters
    ----------
    group : NetworkGroup
    tables : ContextTables
        Of all members, joined.
    settings : GroupSettings
    first_slot : ndarray of int64, shape (n_attributes + 1,)
    """

    def __init__(
        self, group: NetworkGroup, tables: ContextTables, settings: GroupSettings, first_slot: np.ndarray
    ) -> None:
        self._bins, self.tables, self._first_slot = group.bins, tables, first_slot
        smoothing, depths = settings.smoothing, settings.depths
        strength, n_values = np.full(group.n_values.shape, smoothing.strength), np.maximum(group.n_values, 1)
        add, more = (strength / n_values, strength) if smoothing.divides else (strength, strength * n_values)
        constants = [np.stack([add, more], axis=2), np.tile(np.array(depths, float), (*strength.shape, 1))]
        self._numbers = np.concatenate([group.concentrations, *constants], axis=2)
        self._n_factors = settings.n_factors

    def member_codes(self, codes: np.ndarray) -> np.ndarray:
        """Codes (n_attributes, n_rows) as each member sees them, shape (n_members, n_attributes, n_rows)."""
        seen: np.ndarray = self._bins[:, self._first_slot[:-1, None] + codes]
        return seen

    def of_node(
        self, node: int, member_codes: np.ndarray, labels: np.ndarray, left_out: np.ndarray
    ) -> np.ndarray:
        """Log factors of one attribute, less their mean over the classes, shape (n_rows, n_factors, K).

        ``left_out`` (n_members, n_rows) is what to take from the counts of the class ``labels``; NaN where a
        member has no say.
        """
        from seminaive.kernels.averaged_networks import node_factors

        tables = self.tables
        out = np.empty((member_codes.shape[2], self._n_factors, tables.counts.shape[1]))
        node_factors(
            member_codes,
            tables.nodes[:, node],
            tables.records,
            tables.counts,
            self._numbers[:, node],
            labels,
            left_out,
            out,
        )
        return out

    def mean_counts(self, codes: np.ndarray, child: int, parents: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Rows per class in the contexts of a case and with its value of ``child``, means over the networks.

        Without ``parents`` the rows with the child observed.
        """
        found = [
            self.tables.deepest(m, child, seen[:, 0], bool(parents))
            for m, seen in enumerate(self.member_codes(codes[:, None]))
        ]
        rows, matching = np.mean(found, axis=0)
        return rows, matching

    def contributions(self, codes: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Weighted sum of the factors of every attribute of new rows, shape (n_rows, n_attributes, K)."""
        member_codes = self.member_codes(codes)
        n_rows = codes.shape[1]
        labels, left_out = np.zeros(n_rows, dtype=np.int64), np.zeros((len(member_codes), n_rows))
        result = np.empty((n_rows, len(codes), len(weights)))
        for i in range(len(codes)):
            factors = self.of_node(i, member_codes, labels, left_out)
            of_node = weights[:, self._n_factors * i : self._n_factors * (i + 1)]
            np.einsum("rfy,yf->ry", factors, of_node, out=result[:, i])
        return result


@dataclass(eq=False)
class Draws:
    """What is drawn for a group before anything is counted.

    Attributes
    ----------
    in_half : ndarray of bool, shape (n_members, n_rows)
        The rows that a member takes cuts and structure from; members 2j and 2j + 1 share the rows.
    cuts : list of dict
        Of each member, for numeric attributes, see `seminaive.data.discretize.drawn.draw_cuts`.
    noise : ndarray of float64, shape (n_members, n_attributes, n_attributes + 1)
        See `seminaive.learn.parents.draw_parents`.
    """

    in_half: np.ndarray
    cuts: list[dict[int, np.ndarray]]
    noise: np.ndarray


def draw_members(
    rows: Copies, schema: Schema, n_classes: int, settings: GroupSettings, seed: tuple[int, ...]
) -> Draws:
    """Draw halves, cuts and noise of a group; what an attribute gets does not depend on those after it."""
    n, n_rows, n_members = len(schema), rows.n_rows, settings.n_members
    in_half = np.zeros((n_members, n_rows), dtype=bool)
    for pair in range(n_members // 2):
        half = np.random.default_rng((*seed, pair)).permutation(n_rows)[: n_rows // 2]
        in_half[2 * pair, half] = True
        in_half[2 * pair + 1] = ~in_half[2 * pair]
    cuts: list[dict[int, np.ndarray]] = [{} for _ in range(n_members)]
    noise = np.empty((n_members, n, n + 1))

    def draw(part: np.ndarray) -> None:
        for member in part:
            half = np.flatnonzero(in_half[member])
            weights = rows.count_weights
            weights = None if weights is None else weights[half]
            for i, attribute in enumerate(schema.attributes):
                rng = np.random.default_rng((*seed, member, i))
                if attribute.cut_points is not None:
                    ranks, labels = rows.codes[i, half], rows.labels[half]
                    known = ranks <= len(attribute.cut_points)
                    own_weights = None if weights is None else weights[known]
                    cuts[member][i] = draw_cuts(ranks[known], labels[known], own_weights, n_classes, rng)
                noise[member, i] = rng.gumbel(size=n + 1)  # last, as its length depends on further columns

    run_blocks(draw, np.arange(n_members), settings.n_jobs, work=_STEPS * n_members * rows.codes.size)
    return Draws(in_half, cuts, noise)


def learn_group(
    rows: Copies,
    schema: Schema,
    n_classes: int,
    draws: Draws,
    bins: np.ndarray,
    n_values: np.ndarray,
    log_prior: np.ndarray,
    settings: GroupSettings,
) -> tuple[NetworkGroup, GroupFactors, np.ndarray]:
    """Structures, counts, concentrations and weights.

    Parameters
    ----------
    rows : Copies
    schema : Schema
        Of their codes.
    n_classes : int
    draws : Draws
    bins, n_values : ndarray
        See `NetworkGroup`.
    log_prior : ndarray of shape (K,)
    settings : GroupSettings

    Returns
    -------
    group : NetworkGroup
    factors : GroupFactors
    importances : ndarray of float64, shape (n_attributes,)
        Mean absolute contribution over rows and classes.

    Raises
    ------
    MemoryError
        As soon as the tables exceed the limit.
    """
    n, n_members, k = len(schema), settings.n_members, settings.k
    first_slot = first_slots(schema.n_values)
    parents = np.full((n_members, n, k), -1, dtype=np.int64)
    concentrations = np.ones((n_members, n, k + 2))
    tables: list[ContextTables | None] = [None] * n_members
    judged = np.arange(min(rows.n_rows, _JUDGED_ROWS)) * rows.n_rows // min(rows.n_rows, _JUDGED_ROWS)
    judged_rows = tuple(part[judged] for part in (rows.labels, rows.left_out, rows.weights))
    slots = first_slot[:-1, None] + rows.codes
    dependence = np.empty((n_members, n, n))

    def learn(part: np.ndarray) -> None:
        from seminaive.kernels.averaged_networks import best_concentrations

        for m in part:
            codes = bins[m][slots]
            half = np.flatnonzero(draws.in_half[m])
            relevance, dependence[m] = _information(
                codes[:, half], rows, half, n_values[m], n_classes, settings
            )
            _, chosen = draw_parents(relevance, dependence[m], k, draws.noise[m])
            for i, of_child in enumerate(chosen):
                parents[m, i, : len(of_child)] = of_child
            counted = ContextTables.count(
                codes, rows.labels, rows.count_weights, chosen, n_values[m], n_classes, k
            )
            tables[m] = counted
            settings.check_bytes(sum(part.nbytes for part in tables if part is not None))
            best_concentrations(
                np.ascontiguousarray(codes[:, judged]),
                counted.nodes,
                counted.records,
                counted.counts,
                judged_rows,
                CONCENTRATIONS,
                concentrations[m],
            )

    run_blocks(learn, np.arange(n_members), settings.n_jobs, work=_STEPS * n_members * rows.codes.size)
    group = NetworkGroup(
        bins,
        n_values,
        parents,
        concentrations,
        weights=np.ones((n_classes, n * settings.n_factors)),
        offsets=np.zeros(n_classes),
        dependence=np.maximum(dependence.mean(axis=0) / np.log(2), 0.0),
    )
    factors = GroupFactors(group, ContextTables.joined(tables), settings, first_slot)  # type: ignore[arg-type]
    features, kept = _left_out_factors(rows, factors, draws, settings)
    row_weights = rows.weights[kept] * (rows.weights.sum() / rows.weights[kept].sum())
    problem = features, rows.labels[kept], row_weights, log_prior
    shared = shared_weights(*problem, settings.n_jobs)
    if settings.per_class:
        group.weights, group.offsets = class_weights(*problem, shared, settings.n_jobs)
    else:
        group.weights, group.offsets = np.tile(shared[0], (n_classes, 1)), shared[1]
    importances = np.empty(n)
    for i in range(n):
        own = slice(settings.n_factors * i, settings.n_factors * (i + 1))
        contributions = np.einsum("ryf,yf->ry", features[:, :, own], group.weights[:, own])
        importances[i] = row_weights @ np.abs(contributions).mean(axis=1) / row_weights.sum()
    return group, factors, importances


def count_group(
    group: NetworkGroup, rows: Copies, schema: Schema, n_classes: int, settings: GroupSettings
) -> GroupFactors:
    """The factors of a group whose structures are known, from its rows."""
    first_slot = first_slots(schema.n_values)
    slots = first_slot[:-1, None] + rows.codes
    tables: list[ContextTables | None] = [None] * settings.n_members

    def some(part: np.ndarray) -> None:
        for m in part:
            tables[m] = ContextTables.count(
                group.bins[m][slots],
                rows.labels,
                rows.count_weights,
                group.parents_of(m),
                group.n_values[m],
                n_classes,
                settings.k,
            )

    run_blocks(some, np.arange(len(tables)), settings.n_jobs, work=_STEPS * len(tables) * rows.codes.size)
    return GroupFactors(group, ContextTables.joined(tables), settings, first_slot)  # type: ignore[arg-type]


def most_used(shares: np.ndarray, most: int) -> list[int]:
    """Attributes with the largest shares, largest first; none without a share."""
    return [int(j) for j in np.argsort(-shares, kind="stable")[:most] if shares[j] > 0]


def _information(
    codes: np.ndarray,
    rows: Copies,
    half: np.ndarray,
    n_values: np.ndarray,
    n_classes: int,
    settings: GroupSettings,
) -> tuple[np.ndarray, np.ndarray]:
    """I(X_i; Y) and I(X_i; X_j | Y) in nats of the rows of a half, less their bias of first order."""
    schema = Schema(tuple(Attribute("", "categorical", tuple(range(v))) for v in n_values))
    weights = rows.count_weights
    tables = count(
        CountPlan(pairs=True),
        schema,
        codes,
        rows.labels[half],
        n_classes,
        None if weights is None else weights[half],
        memory_limit=settings.limit,
        n_jobs=1,
    )
    total = max(float(tables.class_counts.sum()), 1.0)
    seen_in_class = [np.count_nonzero(tables.attribute(i)[:-1], axis=0) for i in range(len(schema))]
    more = np.maximum(np.array(seen_in_class) - 1, 0)
    relevance = mutual_information(tables) * np.log(2) - mutual_information_bias(tables)
    return relevance, conditional_mutual_information(tables) * np.log(2) - more @ more.T / (2 * total)


def _left_out_factors(
    rows: Copies, factors: GroupFactors, draws: Draws, settings: GroupSettings, dtype: Any = np.float32
) -> tuple[np.ndarray, np.ndarray]:
    """Factors of training rows (n_rows, K, n_features) as members give them that learned without them.

    Where they would take more than half the memory limit, those of every second, third, ... row. They are
    rounded to single precision: weights come from an iteration that stops far above that.
    """
    n_classes, n = factors.tables.counts.shape[1], len(rows.codes)
    n_features = n * settings.n_factors
    row_bytes = n_classes * n_features * np.dtype(dtype).itemsize
    every = -(-rows.n_rows * row_bytes // (settings.limit // 2))
    kept = np.arange(0, rows.n_rows, max(every, 1))
    features = np.empty((len(kept), n_classes, n_features), dtype=dtype)
    for start in range(0, len(kept), _ROWS_AT_A_TIME):
        some = kept[start : start + _ROWS_AT_A_TIME]
        member_codes = factors.member_codes(rows.codes[:, some])
        left_out = np.where(draws.in_half[:, some], np.nan, rows.left_out[some])
        block = features[start : start + len(some)]

        def judge(
            part: np.ndarray,
            codes: np.ndarray = member_codes,
            labels: np.ndarray = rows.labels[some],
            left_out: np.ndarray = left_out,
            block: np.ndarray = block,
        ) -> None:
            for i in part:
                of_node = factors.of_node(i, codes, labels, left_out).transpose(0, 2, 1)
                block[:, :, settings.n_factors * i : settings.n_factors * (i + 1)] = of_node

        run_blocks(judge, np.arange(n), settings.n_jobs, work=_STEPS * member_codes.size)
    return features, kept
