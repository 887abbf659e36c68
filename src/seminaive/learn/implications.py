"""Implications between values: x_j implies x_i where every training row with x_j has x_i.

x_i is then a generalisation of x_j and tells nothing beside it (subsumption resolution, Zheng and Webb).
"""

from __future__ import annotations

import numpy as np

from seminaive.counts.tables import CountTables

__all__ = ["generalisations", "hide_generalisations"]


def generalisations(tables: CountTables, critical_value: float) -> dict[tuple[int, int], np.ndarray]:
    """For every pair i < j that has any implication, which value is deleted by value pair.

    Parameters
    ----------
    tables : CountTables
        With pairs.
    critical_value : float
        Least count of the implying value.

    Returns
    -------
    dict
        (i, j) -> int8 array of shape (v_i + 1, v_j + 1): 1 if x_i is deleted, 2 if x_j is, 0 if neither. Of
        two values with the same rows the attribute of the lower index stays.
    """
    totals = [tables.attribute(i).sum(axis=1) for i in range(len(tables.schema))]
    found = {}
    for i, j, _, _ in tables.pair_tasks:
        n_i, n_j = totals[i][:-1], totals[j][:-1]
        if not ((n_i >= critical_value).any() or (n_j >= critical_value).any()):
            continue
        both = _pair_totals(tables, int(i), int(j))
        j_implies_i = (both == n_j) & (n_j >= critical_value)
        i_implies_j = (both == n_i[:, None]) & (n_i[:, None] >= critical_value)
        deleted = np.zeros((len(n_i) + 1, len(n_j) + 1), dtype=np.int8)
        deleted[:-1, :-1][j_implies_i & (n_i[:, None] > n_j)] = 1
        deleted[:-1, :-1][i_implies_j] = 2
        if deleted.any():
            found[int(i), int(j)] = deleted
    return found


def _pair_totals(tables: CountTables, i: int, j: int) -> np.ndarray:
    """N(x_i, x_j) of observed values, shape (v_i, v_j)."""
    if tables.pair_counts is not None:
        totals: np.ndarray = tables.pair(i, j)[:-1, :-1].sum(axis=2)
        return totals
    family = tables.families[i, j]
    totals = np.zeros((family.n_values[0] + 1, family.n_values[1] + 1))
    totals[tuple(family.cells)] = family.counts.sum(axis=1)  # type: ignore[attr-defined]
    return totals[:-1, :-1]


def hide_generalisations(
    codes: np.ndarray, found: dict[tuple[int, int], np.ndarray], n_values: np.ndarray
) -> np.ndarray:
    """Codes in which every deleted value is marked "not observed"; each row for itself.

    Parameters
    ----------
    codes : ndarray of shape (n_attributes, n_rows)
    found : dict
        Of `generalisations`.
    n_values : ndarray of shape (n_attributes,)

    Returns
    -------
    ndarray of the shape and dtype of ``codes``
    """
    hidden = np.zeros(codes.shape, dtype=bool)
    for (i, j), deleted in found.items():
        which = deleted[codes[i], codes[j]]
        hidden[i] |= which == 1
        hidden[j] |= which == 2
    return np.where(hidden, n_values[:, None], codes).astype(codes.dtype)
