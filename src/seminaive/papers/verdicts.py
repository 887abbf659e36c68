"""How near ours came to a printed value, and how a table shows it."""

from __future__ import annotations

import math
from typing import Literal

__all__ = ["MARKS", "ROUNDING", "Verdict", "marked"]

Verdict = Literal["exact", "within", "outside", "missing", "unprinted"]
MARKS: dict[str, str] = {"exact": "=", "within": "~", "outside": "≠"}
ROUNDING = 0.55  # units of the last digit printed; some numbers were rounded twice


def marked(ours: float, printed: float, verdict: str, decimals: int) -> str:
    """Our value, a mark, and the printed value where it is another one; NaN is missing.

    Examples
    --------
    >>> marked(0.0943, 0.0755, "within", 4), marked(float("nan"), 0.0444, "missing", 4)
    ('0.0943 ~ 0.0755', '(0.0444)')
    """
    if math.isnan(ours):
        return "-" if math.isnan(printed) else f"({printed:.{decimals}f})"
    if math.isnan(printed):
        return f"{ours:.{decimals}f}"
    text = f"{ours:.{decimals}f} {MARKS[verdict]}"
    return text if verdict == "exact" else f"{text} {printed:.{decimals}f}"
