"""Entropy-based cutting of one sorted column.

Information is measured in whole numbers: ``count * log2(count)`` times a power of two, rounded to int64.
Sums of such terms are exact, so they can be updated row by row without drift, and two cuts with the same
counts compare equal whatever path led to them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seminaive.kernels.jit import kernel

# cuts whose information differs by less than this share of N log2 N are equal; rounding errs far less
TIE = 1e-13


@kernel
def _term(count: float, table: NDArray[np.int64], scale: float) -> np.int64:
    """``count * log2(count)`` in units of ``1 / scale``, looked up where there is a table."""
    if table.size > 0:
        return table[np.int64(count)]
    return np.int64(np.rint(count * np.log2(count) * scale)) if count > 0.0 else np.int64(0)


@kernel
def terms_up_to(largest: int, scale: float) -> NDArray[np.int64]:
    """The terms of 0, 1, ..., `largest`, bit for bit as they are without a table."""
    without = np.empty(0, np.int64)
    table = np.empty(largest + 1, np.int64)
    for count in range(largest + 1):
        table[count] = _term(float(count), without, scale)
    return table


@kernel
def _tally(
    first: int,
    stop: int,
    cell_class: NDArray[np.int32],
    cell_weight: NDArray[np.float64],
    mass: NDArray[np.float64],
) -> None:
    """Put the class weights of a range of cells into `mass`."""
    for code in range(mass.size):
        mass[code] = 0.0
    for cell in range(first, stop):
        mass[cell_class[cell]] += cell_weight[cell]


@kernel
def _measure(
    mass: NDArray[np.float64], table: NDArray[np.int64], scale: float
) -> tuple[float, int, np.int64]:
    """Total weight, number of classes present, and weight times class entropy (in units of ``1 / scale``)."""
    weight = 0.0
    present = 0
    terms = np.int64(0)
    for code in range(mass.size):
        if mass[code] > 0.0:
            weight += mass[code]
            present += 1
            terms += _term(mass[code], table, scale)
    return weight, present, _term(weight, table, scale) - terms


@kernel
def class_runs(
    values: NDArray[np.float64],
    order: NDArray[np.intp],
    codes: NDArray[np.int32],
    weights: NDArray[np.float64],
    n_classes: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """Compress a sorted column to runs between which a cut can be best.

    A run is one distinct value, or several neighbouring ones that all belong to one class: the information
    that a cut leaves is strictly concave along such a stretch (Fayyad and Irani 1992) unless there is one
    class only, so that the best cut never lies inside it.

    Returns
    -------
    start : first cell of each run, and the number of cells
    last : position in `order` of the last row of each run
    cell_class, cell_weight : class and total weight of each cell; a run has one cell for each of its classes
    """
    n = order.size
    start = np.empty(n + 1, np.int64)
    last = np.empty(n, np.int64)
    cell_class = np.empty(n, np.int32)
    cell_weight = np.empty(n, np.float64)
    mass = np.zeros(n_classes, np.float64)
    runs = 0
    cells = 0
    pure = np.int32(-1)
    row = 0
    while row < n:
        value = values[order[row]]
        first = cells
        while row < n and values[order[row]] == value:
            code = codes[order[row]]
            if mass[code] == 0.0:
                cell_class[cells] = code
                cells += 1
            mass[code] += weights[order[row]]
            row += 1
        for cell in range(first, cells):
            cell_weight[cell] = mass[cell_class[cell]]
            mass[cell_class[cell]] = 0.0
        if cells - first == 1 and cell_class[first] == pure:
            cell_weight[first - 1] += cell_weight[first]
            cells = first
        else:
            pure = cell_class[first] if cells - first == 1 else np.int32(-1)
            start[runs] = first
            runs += 1
        last[runs - 1] = row - 1
    start[runs] = cells
    return start[: runs + 1], last[:runs], cell_class[:cells], cell_weight[:cells]


@kernel
def mdlp_cuts(
    start: NDArray[np.int64],
    cell_class: NDArray[np.int32],
    cell_weight: NDArray[np.float64],
    n_classes: int,
    root_classes: int,
    min_split: float,
    table: NDArray[np.int64],
    scale: float,
) -> NDArray[np.bool_]:
    """Mark the runs that end in an accepted cut (Fayyad and Irani 1993).

    Parameters
    ----------
    start, cell_class, cell_weight
        The runs, see `class_runs`. Sums of the weights must be exact.
    root_classes
        Number of classes that the whole column is said to have; 0: those present.
    min_split
        A segment is divided only if it weighs at least this, which is at least 2.
    table, scale
        Terms of whole counts (empty: computed when needed) and their unit; four times the term of the total
        weight must fit into an int64.
    """
    n_runs = start.size - 1
    accepted = np.zeros(n_runs, np.bool_)
    left = np.empty(n_classes, np.float64)
    right = np.empty(n_classes, np.float64)
    left_term = np.empty(n_classes, np.int64)
    right_term = np.empty(n_classes, np.int64)
    stack = np.empty(2 * n_runs + 2, np.int64)  # bounds of the segments to come, two by two
    stack[0] = 0
    stack[1] = n_runs
    top = 2
    while top > 0:
        top -= 2
        lo = stack[top]
        hi = stack[top + 1]
        _tally(start[lo], start[hi], cell_class, cell_weight, right)
        weight, k, whole = _measure(right, table, scale)
        if k < 2 or weight < min_split:
            continue

        # the cut that leaves least information inside its two parts; of equal ones the last
        tie = np.int64(TIE * abs(_term(weight, table, scale))) + 2 * n_classes + 2
        least = whole
        best = np.int64(-1)
        left_weight = 0.0
        terms = np.int64(0)
        for code in range(n_classes):
            left[code] = 0.0
            left_term[code] = 0
            right_term[code] = _term(right[code], table, scale)
            terms += right_term[code]
        for run in range(lo, hi - 1):
            for cell in range(start[run], start[run + 1]):
                own = cell_class[cell]
                left_weight += cell_weight[cell]
                left[own] += cell_weight[cell]
                right[own] -= cell_weight[cell]
                terms -= left_term[own] + right_term[own]
                left_term[own] = _term(left[own], table, scale)
                right_term[own] = _term(right[own], table, scale)
                terms += left_term[own] + right_term[own]
            inside = _term(left_weight, table, scale) + _term(weight - left_weight, table, scale) - terms
            if inside <= least + tie:
                best = np.int64(run)
                if inside < least:
                    least = inside
        if best < 0:
            continue

        _tally(start[lo], start[best + 1], cell_class, cell_weight, left)
        _tally(start[best + 1], start[hi], cell_class, cell_weight, right)
        left_weight, k_left, left_inside = _measure(left, table, scale)
        right_weight, k_right, right_inside = _measure(right, table, scale)
        if root_classes > 0 and lo == 0 and hi == n_runs:
            k = root_classes
        delta = np.log2(3.0**k - 2.0) if k < 600 else k * np.log2(3.0)
        delta -= k * (whole / scale / weight)
        delta += k_left * (left_inside / scale / left_weight)
        delta += k_right * (right_inside / scale / right_weight)
        if (whole - left_inside - right_inside) / scale > np.log2(weight - 1.0) + delta:
            accepted[best] = True
            stack[top] = lo
            stack[top + 1] = best + 1
            stack[top + 2] = best + 1
            stack[top + 3] = hi
            top += 4
    return accepted
