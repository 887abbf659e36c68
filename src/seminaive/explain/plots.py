"""Pictures of explanations."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.explain.views import shown_value, signed

__all__ = ["draw_waterfall"]

_FOR, _AGAINST, _TOTAL = "#2166ac", "#b35806", "#555555"  # told apart with any colour vision


def draw_waterfall(explanation: Any, ax: Any, max_terms: int) -> Any:
    """See `Explanation.plot_waterfall`."""
    if isinstance(max_terms, bool) or not isinstance(max_terms, int | np.integer) or max_terms < 1:
        raise ValueError(f"max_terms must be a positive integer, got {max_terms!r}.")
    terms = explanation.sorted_terms()
    bars = [("(prior)", explanation.prior)]
    bars += [(f"{term.attribute} = {shown_value(term)}", term.contribution) for term in terms[:max_terms]]
    if len(terms) > max_terms:
        rest = float(sum(term.contribution for term in terms[max_terms:]))
        bars.append((f"{len(terms) - max_terms} smaller ones", rest))
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError("plot_waterfall needs matplotlib: pip install 'seminaive[plot]'.") from error
        ax = pyplot.figure(figsize=(8, 1.2 + 0.35 * (len(bars) + 1)), layout="constrained").add_subplot()
    numbers = np.array([number for _, number in bars])
    finite = np.isfinite(numbers)
    # an infinite bar is drawn longer than all others together
    drawn = np.where(finite, numbers, np.sign(numbers) * (1 + 1.5 * np.abs(numbers[finite]).sum()))
    ends = np.cumsum(drawn)
    colours = [_FOR if number > 0 else _AGAINST for number in numbers]
    places = np.arange(len(bars))
    ax.barh(places, drawn, left=ends - drawn, color=colours)
    ax.barh(len(bars), ends[-1], color=_TOTAL)
    for place, number, end in zip(places, numbers.tolist(), np.maximum(ends, ends - drawn), strict=True):
        _write(ax, signed(number), float(end), float(place))
    _write(ax, signed(explanation.log_odds), max(ends[-1], 0), len(bars))
    ax.vlines(ends[:-1], places[:-1] - 0.4, places[:-1] + 1.4, color="0.6", linewidth=0.8)
    ax.axvline(0, color="0.3", linewidth=0.8)
    # names and values are text, not formulas
    ax.set_yticks([*places, len(bars)], [name.replace("$", r"\$") for name, _ in bars] + ["log-odds"])
    ax.invert_yaxis()
    ax.use_sticky_edges = False  # bars end before the frame, and their numbers with them
    ax.margins(x=0.12, y=0.02)
    ax.set_xlabel(f"for {explanation.of}, against {explanation.against} (log-odds)".replace("$", r"\$"))
    return ax


def _write(ax: Any, text: str, x: float, y: float) -> None:
    """A number to the right of a bar."""
    ax.annotate(text, (x, y), xytext=(4, 0), textcoords="offset points", va="center", size=8)
