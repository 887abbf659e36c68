"""Log factors of families laid out in full."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.kernels.jit import kernel


@kernel
def factor_table(table: Any, slots: Any, n_classes: int, strength: float, divide: bool) -> None:
    """Turn the counts of one family into P(child | parents, y), in place.

    ``table`` (cells, width >= K): [slot of each parent]...[slot of the child][class], ``slots`` how many each
    has; on entry counts of the rows in which the child is observed, 0 in its last slot. The pseudo-count is
    ``strength``, divided by the number of values if ``divide``. What pads a cell and the slot "not observed"
    of the child become 1.
    """
    n_members, n_cells = slots.shape[0], table.shape[0]
    strides = np.ones(n_members, dtype=np.int64)
    for m in range(n_members - 1, 0, -1):
        strides[m - 1] = strides[m] * slots[m]
    # the last slot of a parent comes to mean "not looked at": all rows, whatever its value
    for m in range(n_members - 1):
        step, last = strides[m], slots[m] - 1
        for begin in range(0, n_cells, step * slots[m]):
            total = begin + last * step
            for slot in range(begin, total, step):
                for cell in range(step):
                    for y in range(n_classes):
                        table[total + cell, y] += table[slot + cell, y]
    n_values = slots[n_members - 1] - 1
    pseudo = strength / n_values if divide else strength
    mass = np.empty(n_classes)
    # fewer parents come later in the table: what a combination backs off to is there before it
    for begin in range(n_cells - n_values - 1, -1, -n_values - 1):
        seen = 0.0
        for y in range(n_classes):
            total = 0.0
            for x in range(begin, begin + n_values):
                total += table[x, y]
            seen += total
            mass[y] = total + pseudo * n_values
        source = begin
        if seen == 0:
            for m in range(n_members - 2, -1, -1):  # drop the weakest parent
                missing = slots[m] - 1 - begin // strides[m] % slots[m]
                if missing > 0:
                    source = begin + missing * strides[m]
                    break
        for x in range(n_values + 1):
            for y in range(table.shape[1]):
                if x == n_values or y >= n_classes:
                    table[begin + x, y] = 1.0
                elif source != begin:
                    table[begin + x, y] = table[source + x, y]
                elif mass[y] > 0:
                    table[begin + x, y] = (table[begin + x, y] + pseudo) / mass[y]
                else:
                    table[begin + x, y] = 1.0 / n_values
