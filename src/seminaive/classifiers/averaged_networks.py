"""Averaged networks: an accurate ensemble that is made of counts only."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, Unpack

import numpy as np
from scipy.special import logsumexp
from sklearn.utils import check_random_state

from seminaive.classifiers.base import BayesianNetworkClassifier
from seminaive.classifiers.options import Options
from seminaive.counts.plan import CountPlan
from seminaive.counts.tables import CountTables, count
from seminaive.data.checks import check_option, check_whole
from seminaive.data.encode import TableEncoder
from seminaive.data.integers import IntegerLookup
from seminaive.data.schema import Schema, first_slots
from seminaive.explain.members import Members
from seminaive.explain.networks import MemberNetwork
from seminaive.learn.copies import Copies, in_own_order
from seminaive.learn.information import mutual_information_bias
from seminaive.learn.leave_one_out import TrainingRows
from seminaive.learn.network_groups import (
    Draws,
    GroupFactors,
    GroupSettings,
    NetworkGroup,
    count_group,
    draw_members,
    learn_group,
    most_used,
)
from seminaive.learn.posterior import log_normalized
from seminaive.learn.smoothing import safe_log

__all__ = ["AveragedNetworks"]

_SMALLEST = -700.0  # a class without rows keeps finite numbers


@dataclass(eq=False)
class Ensemble:
    """What `AveragedNetworks` learned.

    Attributes
    ----------
    groups : list of NetworkGroup
    rows : Copies
        The training rows, from which everything is counted.
    importances : ndarray of float64, shape (n_attributes,)
        Mean absolute contribution over training rows, classes and groups.
    factors : list of GroupFactors
        What was counted; empty where it is still to be counted.
    """

    groups: list[NetworkGroup]
    rows: Copies
    importances: np.ndarray
    factors: list[GroupFactors]

    def check(self, model: AveragedNetworks, tables: CountTables) -> None:
        """ValueError unless everything is of the shape and in the range that kernels rely on."""
        n_values, n_classes, settings = tables.n_values, tables.n_classes, model._settings
        if len(self.groups) != model.n_groups or self.importances.shape != n_values.shape:
            raise ValueError("the groups are not those of the parameters")
        self.rows.check(n_values, n_classes)
        for group in self.groups:
            group.check(n_values, n_classes, settings)


class AveragedNetworks(BayesianNetworkClassifier):
    r"""Averaged networks: many random networks, whose log factors are averaged and then weighted.

    The choice where accuracy of probabilities matters most. It is made of counts and a few weights for each
    attribute, and what every value adds to the log-odds can be read from it.

    A group has ``n_members`` k-dependence networks in pairs; the two of a pair take cut points and structure
    from one random half of the rows each, and their counts from all rows. The order of attributes is drawn
    with probabilities proportional to I(X_i; Y), parents with the square root of I(X_i; X_j | Y). For each
    depth d a network gives two estimates of the probability of a value, given the class and the first d
    parents: a smooth one, in which every further parent only corrects the estimate without it, and a sharp
    one, smoothed by ``smoothing_strength`` imaginary rows. Their logarithms, averaged over the networks, are
    features of the attribute, with non-negative weights that are learned:

    .. math:: P(y \mid x) \propto P(y) \exp\Big(b_y + \sum_{i,f} w_{ify} \, \overline{\log P_f(x_i|y)}\Big)

    A training row is judged only by networks whose half did not hold it, with the row taken out of their
    counts. The posteriors of the groups are averaged.

    Parameters
    ----------
    n_groups : int, default=2
        Groups of networks.
    n_members : int, default=12
        Networks of a group, an even number.
    k : int, default=4
        Most parents of an attribute beside the class.
    depths : tuple of int, default=(2, 4)
        How many of the parents estimates look at, rising, up to k.
    class_weights : bool, default=True
        Whether every class has weights of its own.
    random_state : int, RandomState or None, default=None
        An int gives the same model each time, whatever the order of the rows and ``n_jobs``.
    %(options)s

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        Mean absolute contribution over training rows and classes, which sum to 1.
    %(attributes)s

    See Also
    --------
    AODE : One pass over the rows and no random numbers.
    AnDE : As AODE, with pairs of superparents.

    Notes
    -----
    Two defaults differ from those of other classifiers. ``discretizer="every-value"`` says among which cuts a
    network chooses: some by information, as `MDLPDiscretizer` does, and 2 to 7 more at random quantiles.
    ``missing="value"`` lets gaps tell something; if they are ignored, a gap in a parent ends the list of
    parents.

    ``parents_`` holds the k parents that networks use most often, most frequent first.
    ``joint_log_likelihood`` is the logarithm of the posterior, since groups are averaged after normalisation,
    unless ``class_prior`` replaces the frequencies of classes in it. ``smoothing`` and
    ``smoothing_strength`` are those of the sharp estimates, which are at least 1e-12 even without any; the
    smooth ones have strengths that leave-one-out likelihood chooses.

    In an explanation the log-odds within a group are the sum of its contributions; those of the mean are a
    mean of the groups' log-odds, see `seminaive.explain.members.split`. A group is shown as one network, with
    the k parents of each attribute that its networks use most often and means of their counts.

    Equal rows are put together, so that a row of weight k is k rows; above 32 copies share their weight.
    Renaming values or classes, or another order of columns, gives another random draw.

    For N rows, n attributes and E = n_groups x n_members networks fitting takes O(E N n (n + K k)), and for
    each group some hundred passes over the N K n features, of which there are twice as many as depths. Where
    these exceed half of ``memory_limit`` the weights come from a part of the rows. Predicting takes
    O(E n k K) per row. `fast` is a preset that takes about a fifth of it on larger tables. The training rows
    are kept.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from seminaive import AveragedNetworks
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = AveragedNetworks(random_state=0).fit(X, y)
    >>> round(float(model.score(X, y)), 2)
    0.99
    >>> X.columns[model.feature_importances_.argmax()]
    'petal width (cm)'
    """

    _blocks_at_a_time = 4  # tables are read once for each
    _looks_at_rows = True
    _own_defaults: ClassVar[dict[str, Any]] = {"discretizer": "every-value", "missing": "value"}

    def __init__(
        self,
        *,
        n_groups: int = 2,
        n_members: int = 12,
        k: int = 4,
        depths: tuple[int, ...] = (2, 4),
        class_weights: bool = True,
        random_state: Any = None,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(**options)
        self.n_groups = n_groups
        self.n_members = n_members
        self.k = k
        self.depths = depths
        self.class_weights = class_weights
        self.random_state = random_state

    @classmethod
    def fast(cls, **parameters: Any) -> Self:
        """One group of 6 networks, k = 3, depths (1, 3), shared weights: a fifth of the cost for many rows.

        Parameters
        ----------
        **parameters
            Of the classifier; they go before the preset.

        Returns
        -------
        AveragedNetworks

        Examples
        --------
        >>> from seminaive import AveragedNetworks
        >>> AveragedNetworks.fast(random_state=0).n_members
        6
        """
        preset = {"n_groups": 1, "n_members": 6, "k": 3, "depths": (1, 3), "class_weights": False}
        return cls(**{**preset, **parameters})

    def _check_parameters(self) -> None:
        check_whole("n_groups", self.n_groups, 1)
        check_whole("n_members", self.n_members, 2)
        if self.n_members % 2:
            raise ValueError(f"n_members must be even, as networks come in pairs, got {self.n_members}.")
        check_whole("k", self.k, 0)
        depths = list(self.depths) if isinstance(self.depths, tuple | list) else []
        rising = depths == sorted({d for d in depths if type(d) is int})
        if not depths or not rising or not 0 <= depths[0] <= depths[-1] <= self.k:
            raise ValueError(
                f"depths must be rising whole numbers from 0 to k={self.k}, got {self.depths!r}."
            )
        check_option("class_weights", self.class_weights, (True, False))

    def _plan(self, schema: Schema) -> CountPlan:
        return CountPlan()

    @property
    def _settings(self) -> GroupSettings:
        return GroupSettings(
            self.n_members,
            self.k,
            tuple(self.depths),
            bool(self.class_weights),
            self._smoothing,
            self.n_jobs,
            self._bytes_limit,
        )

    # ---- fitting

    def _learn_from(self, encoder: TableEncoder, classes: np.ndarray, rows: TrainingRows) -> Any:
        begin, n_classes, settings = time.perf_counter(), len(classes), self._settings
        seed = int(check_random_state(self.random_state).randint(2**31))
        fine, copies = encoder.schema_, in_own_order(rows, encoder.schema_)
        draws = [draw_members(copies, fine, n_classes, settings, (seed, g)) for g in range(self.n_groups)]
        schema, places = _with_cuts_of(draws, fine)
        codes = np.empty(copies.codes.shape, dtype=schema.code_dtype)
        for i, place in enumerate(places):
            codes[i] = place[copies.codes[i]]
        copies = replace(copies, codes=codes)
        tables = count(
            self._plan(schema),
            schema,
            codes,
            copies.labels,
            n_classes,
            copies.count_weights,
            memory_limit=settings.limit,
            n_jobs=self.n_jobs,
        )
        self._log(f"counted {rows.n_rows} rows x {len(schema)} attributes", begin)
        self._log_class_prior(classes, tables.class_counts)  # raises for one that makes no sense
        log_prior = self._log_frequencies(tables)
        ensemble = Ensemble([], copies, np.zeros(len(schema)), [])
        for number, drawn in enumerate(draws, 1):
            bins, n_values = _bins_of(drawn, schema, fine)
            group, factors, importances = learn_group(
                copies, schema, n_classes, drawn, bins, n_values, log_prior, settings
            )
            settings = replace(settings, already=settings.already + factors.tables.nbytes)
            self._log(f"learned group {number} of {self.n_groups}", begin)
            ensemble.groups.append(group)
            ensemble.factors.append(factors)
            ensemble.importances += importances / self.n_groups
        encoder = copy.copy(encoder)
        encoder._adopt(schema, IntegerLookup.of(schema))
        return self._adopt(encoder, classes, tables, ensemble)

    def _log_frequencies(self, tables: CountTables) -> np.ndarray:
        """The prior under which weights are learned and groups averaged; `class_prior` comes after that."""
        counts = tables.class_counts
        frequencies = self._smoothing(counts, counts.sum(), len(counts))
        return np.asarray(np.maximum(safe_log(frequencies), _SMALLEST))

    def _learn(self, tables: CountTables, structure: Ensemble) -> dict[str, Any]:
        names, groups = tables.schema.names, structure.groups
        shares = np.mean([group.arc_shares for group in groups], axis=0)
        total = structure.importances.sum()
        return {
            "feature_importances_": structure.importances / (total if total > 0 else 1.0),
            "parents_": {
                name: [names[j] for j in most_used(share, self.k)]
                for name, share in zip(names, shares, strict=True)
            },
            "_shares": shares,
            "_own_prior": self._log_frequencies(tables),
            "_groups": groups,
            "_factors": structure.factors
            or [
                count_group(group, structure.rows, tables.schema, tables.n_classes, self._settings)
                for group in groups
            ],
        }

    def _kept(self, tables: CountTables, structure: Ensemble) -> tuple[CountTables, Ensemble]:
        return tables, replace(structure, factors=[])

    # ---- predicting

    def _score(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        block = np.ascontiguousarray(codes[:, start:stop])
        scores = [
            log_normalized(self._own_prior + offsets + contributions.sum(axis=1), self._own_prior)
            for offsets, contributions in self._parts(block)
        ]
        joint += logsumexp(scores, axis=0) - np.log(len(scores)) + self._log_prior - self._own_prior

    def _parts(self, codes: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """In each group the offsets (n_rows, K) and what every attribute adds (n_rows, n_attributes, K).

        A row without any value gets the prior, without an offset.
        """
        observed = (codes < self.schema_.n_values[:, None]).any(axis=0)
        for group, factors in zip(self._groups, self._factors, strict=True):
            yield group.offsets * observed[:, None], factors.contributions(codes, group.weights)

    # ---- explaining: a group counts as one network

    def _most_members(self) -> int:
        return len(self._groups)

    def _members(self, codes: np.ndarray, wanted: np.ndarray) -> Members:
        factors, own, masses = [], [], []
        for offsets, contributions in self._parts(codes):
            scores = self._own_prior + offsets + contributions.sum(axis=1)
            masses.append(-logsumexp(scores, axis=1) - np.log(len(self._groups)))
            factors.append(np.take_along_axis(contributions, wanted[:, None], axis=2))
            own.append(np.take_along_axis(offsets, wanted, axis=1))
        return Members(
            self._log_prior[wanted],
            np.stack(masses, axis=1),
            np.stack(factors, axis=1),
            log_member_priors=np.stack(own, axis=1),
        )

    def _describe_members(self, codes: np.ndarray) -> list[MemberNetwork]:
        n_values = self.schema_.n_values
        shown = np.flatnonzero(codes < n_values).tolist()
        networks = []
        for g, (group, factors) in enumerate(zip(self._groups, self._factors, strict=True)):
            shares = group.arc_shares
            parents = {i: most_used(shares[i], self.k) for i in shown}
            networks.append(
                MemberNetwork(
                    f"group {g + 1} of {len(self._groups)}",
                    parents,
                    factors.mean_counts,
                    1 / len(self._groups),
                    backs_off=False,
                    strengths={(i, j): float(group.dependence[i, j]) for i in shown for j in parents[i]},
                )
            )
        return networks

    def _arc_shares(self, codes: np.ndarray) -> dict[str, np.ndarray]:
        return {"all networks": self._shares}

    def _relevance(self) -> np.ndarray:
        # the cuts of all networks together make so many intervals that the bias shows
        return np.maximum(super()._relevance() - mutual_information_bias(self._tables) / np.log(2), 0.0)

    def _arc_strengths(self) -> np.ndarray:
        return np.mean([group.dependence for group in self._groups], axis=0)


def _with_cuts_of(draws: list[Draws], fine: Schema) -> tuple[Schema, list[np.ndarray]]:
    """Only those cuts that a member uses, and the new code of every old one, "not observed" included."""
    attributes, places = [], []
    for i, attribute in enumerate(fine.attributes):
        place = np.arange(attribute.n_values + 1)
        if attribute.cut_points is not None:
            drawn = [cuts[i] for of_group in draws for cuts in of_group.cuts]
            used = np.unique(np.concatenate(drawn))
            values = np.arange(len(attribute.cut_points) + 1)
            rest = np.arange(len(place) - len(values))  # missing as a value, and not observed
            place = np.concatenate([np.searchsorted(used, values, side="left"), len(used) + 1 + rest])
            fill = attribute.fill_code
            attribute = replace(
                attribute,
                cut_points=attribute.cut_points[used],
                fill_code=None if fill is None else int(place[fill]),
            )
        attributes.append(attribute)
        places.append(place)
    return Schema(tuple(attributes)), places


def _bins_of(draws: Draws, schema: Schema, fine: Schema) -> tuple[np.ndarray, np.ndarray]:
    """Values of the members for every code, and their numbers of values, as a `NetworkGroup` has them."""
    first_slot = first_slots(schema.n_values)
    places = np.empty((len(draws.cuts), first_slot[-1]), dtype=np.int64)
    n_values = np.tile(schema.n_values, (len(places), 1))
    for i, attribute in enumerate(schema.attributes):
        own = slice(first_slot[i], first_slot[i + 1])
        places[:, own] = np.arange(attribute.n_values + 1)
        if attribute.cut_points is None:
            continue
        old = fine.attributes[i].cut_points
        assert old is not None
        for member, cuts in enumerate(draws.cuts):
            mine = old[cuts[i]]
            # the intervals between all cuts, by their upper ends
            of_interval = np.searchsorted(mine, np.append(attribute.cut_points, np.inf), side="left")
            rest = np.arange(len(mine) + 1, len(mine) + 2 + attribute.has_missing_value)
            places[member, own] = np.concatenate([of_interval, rest])
            n_values[member, i] = len(mine) + 1 + attribute.has_missing_value
    return places.astype(np.min_scalar_type(n_values.max())), n_values
