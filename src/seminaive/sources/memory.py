"""Tables in memory as a source: the same interface for what fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from seminaive.data.table import declared_values
from seminaive.sources.arrow import scan_arrow
from seminaive.sources.local import BATCH_ROWS, LocalSource

__all__ = ["from_table"]


def from_table(
    X: Any,
    *,
    target: str | None = None,
    weight: str | None = None,
    drop: Sequence[str] = (),
    batch_rows: int = BATCH_ROWS,
) -> LocalSource:
    """Rows of a data frame that is in memory.

    Parameters
    ----------
    X : data frame
        pandas, polars or pyarrow table, or anything else that narwhals reads eagerly; all columns have names.
    target : str, default=None
        Column of the class.
    weight : str, default=None
        Column of the weight of every row.
    drop : sequence of str, default=()
        Columns to leave aside, such as row numbers.
    batch_rows : int, default=262144
        Rows that are counted at a time.

    Returns
    -------
    LocalSource

    Raises
    ------
    TypeError
        For anything but a frame.

    Examples
    --------
    >>> import pandas as pd
    >>> from seminaive import NaiveBayes
    >>> frame = pd.DataFrame({"sky": ["clear", "rain", "rain"], "go": ["yes", "no", "no"]})
    >>> NaiveBayes().fit_source(from_table(frame, target="go")).class_count_.tolist()
    [2.0, 1.0]
    """
    import narwhals as nw

    table = nw.from_native(X, eager_only=True).to_arrow()
    source = scan_arrow(table, target=target, weight=weight, drop=drop, batch_rows=batch_rows)
    source.declared = declared_values(X)
    return source
