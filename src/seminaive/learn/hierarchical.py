"""How strongly each level of a family is pulled towards the one before it, by leave-one-out."""

from __future__ import annotations

import numpy as np

from seminaive.counts.family import Family, SparseFamily
from seminaive.learn.smoothing import Levels, shrunk

__all__ = ["CONCENTRATIONS", "choose_levels"]

CONCENTRATIONS = 2.0 ** np.arange(-2, 13)

_EQUAL = 1e-12  # likelihoods that differ by no more of their size are equal


def choose_levels(family: Family) -> Levels:
    """The concentrations under which training rows are most probable while each is left out.

    From the child alone down to all parents, each level takes the concentration of `CONCENTRATIONS` that
    maximises the sum over rows of log P(child | first parents, own class), estimated without the row; the
    levels before it keep theirs. Equally good ones give the smallest. Rows with the same values have the
    same terms, so counts suffice.

    Parameters
    ----------
    family : Family
        Members: parents, strongest first, then the child. A row leaves itself out with weight 1, or with
        what its values and class weigh together where that is less.

    Returns
    -------
    Levels

    Examples
    --------
    Here the one class tells nothing that the child alone did not, and the parent, another value in every row,
    can tell nothing:

    >>> from seminaive.counts.family import DenseFamily
    >>> family = DenseFamily.empty((10, 2), 1, int)
    >>> family.counts[range(10), [0] * 9 + [1]] = 1
    >>> choose_levels(family).concentrations
    (2.0, 4096.0, 0.25)
    """
    *parents, child, labels, counts = _cells_of(family)
    *parent_values, n_values = family.n_values
    n_classes = family.counts.shape[-1]
    # combinations of the first parents are numbered as they come, which is in order
    contexts = [np.zeros(len(counts), dtype=np.int64)]
    observed = [np.ones(len(counts), dtype=bool)]
    for parent, v in zip(parents, parent_values, strict=True):
        keys = contexts[-1] * (v + 1) + parent
        contexts.append(np.cumsum(np.diff(keys, prepend=keys[:1]) != 0))
        observed.append(observed[-1] & (parent < v))
    # cells of each level, deepest first: the number of one that each holds, and their counts
    cells, own = np.arange(len(counts)), counts
    levels, places = [(cells, own)], []
    for context in contexts[-2::-1]:
        keys = (context[cells] * n_values + child[cells]) * n_classes + labels[cells]
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        cells, own = cells[first], np.bincount(place, own)
        levels.append((cells, own))
        places.append(place)  # where each cell goes when its last parent is dropped
    places.append(child[cells])
    of_values = np.bincount(child, counts, n_values)
    total, uniform = np.full(n_values, of_values.sum()), np.full(n_values, 1 / max(n_values, 1))
    concentration, p = _best(of_values, total, uniform, of_values > 0)
    chosen = [concentration]
    for (cells, own), place, context, known in zip(
        reversed(levels), reversed(places), contexts, observed, strict=True
    ):
        totals = context[cells] * n_classes + labels[cells]
        whole = np.bincount(totals, own)[totals]
        concentration, p = _best(own, whole, p[place], known[cells])
        chosen.append(concentration)
    return Levels(tuple(chosen))


def _best(
    counts: np.ndarray, totals: np.ndarray, base: np.ndarray, known: np.ndarray
) -> tuple[float, np.ndarray]:
    """The best concentration for the ``known`` ones of such cells, and estimates of all without one row."""
    left_out = np.minimum(counts, 1)
    own, whole = counts - left_out, totals - left_out
    tells = known & (whole > 0)  # a row alone in its context has nothing to learn from
    left, of, expected, weights = own[tells], whole[tells], base[tells], counts[tells]
    likelihoods = np.array([(weights * np.log(shrunk(left, of, expected, c))).sum() for c in CONCENTRATIONS])
    best = likelihoods.max()
    concentration = float(CONCENTRATIONS[np.argmax(likelihoods >= best - _EQUAL * abs(best))])
    return concentration, shrunk(own, whole, base, concentration)


def _cells_of(family: Family) -> tuple[np.ndarray, ...]:
    """What occurs with the child observed, in rising order: codes of the members, class and count."""
    if isinstance(family, SparseFamily):
        order = np.lexsort(family.cells[::-1])
        order = order[family.cells[-1, order] < family.n_values[-1]]
        cells, counts = family.cells[:, order].astype(np.int64), family.counts[order]
        some, labels = np.nonzero(counts)
        return *cells[:, some], labels, counts[some, labels]
    places = np.nonzero(family.counts)
    return *places, family.counts[places]
