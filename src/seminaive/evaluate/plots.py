"""Figures of a results table, by matplotlib (``pip install 'seminaive[plot]'``).

Every function draws on the axes it is given, else on a new figure, and returns the axes. None shows or saves
anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from seminaive.evaluate.pairs import relative_outcomes
from seminaive.evaluate.ranks import Nemenyi
from seminaive.evaluate.results_table import results_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_boxes", "plot_critical_difference", "plot_gains", "plot_scatter", "relative_gain"]

WIN, DRAW, LOSS = "#0072b2", "0.6", "#d55e00"  # told apart by colour-blind readers, and in grey


def plot_critical_difference(test: Nemenyi, *, ax: Axes | None = None) -> Axes:
    """Average ranks on a line, the best left; bars join classifiers that are not told apart.

    Parameters
    ----------
    test : Nemenyi
        What `seminaive.evaluate.ranks.nemenyi` returns.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes

    References
    ----------
    J. Demšar, Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7 (2006), 1-30.

    Examples
    --------
    >>> from seminaive.evaluate.ranks import nemenyi
    >>> errors = {"NB": [0.14, 0.30, 0.12], "TAN": [0.06, 0.29, 0.11], "AODE": [0.05, 0.25, 0.10]}
    >>> axes = plot_critical_difference(nemenyi(errors))
    >>> [text.get_text() for text in axes.texts]
    ['1', '2', '3', 'critical difference 1.914', 'AODE (1.00)', 'TAN (2.00)', 'NB (3.00)']
    """
    mean, names = test.average_ranks.mean, test.average_ranks.best_first()
    bars = [group for group in test.groups() if len(group) > 1]
    half = (len(names) + 1) // 2
    floor = 0.6 + 0.4 * len(bars)  # depth of the first label
    ax = _axes(ax, 7, 1.2 + 0.3 * (floor + half))
    last = max(len(names), 1 + test.critical_difference)
    gap = 0.02 * (last - 1)
    ax.plot([1, last], [0, 0], color="black", linewidth=1)
    for rank in range(1, int(last) + 1):
        ax.plot([rank, rank], [0, -0.15], color="black", linewidth=1)
        ax.text(rank, -0.25, str(rank), ha="center", va="bottom")
    ruler = 1, 1 + test.critical_difference
    ax.plot(ruler, [-1.3, -1.3], color="black", linewidth=1, marker="|")
    text = f"critical difference {test.critical_difference:.3f}"
    ax.text(float(np.mean(ruler)), -1.4, text, ha="center", va="bottom")
    for position, name in enumerate(names):
        left = position < half
        depth = floor + (position if left else len(names) - 1 - position)
        side, align = (1 - gap, "right") if left else (last + gap, "left")
        ax.plot([mean[name], mean[name], side], [0, depth, depth], color="black", linewidth=0.8)
        label = f"{name} ({mean[name]:.2f})"
        ax.text(side - gap / 2 if left else side + gap / 2, depth, label, ha=align, va="center")
    for number, group in enumerate(bars):
        ends = mean[group[0]] - gap / 4, mean[group[-1]] + gap / 4
        ax.plot(ends, [0.35 + 0.4 * number] * 2, color=WIN, linewidth=4, solid_capstyle="butt")
    margin = 0.25 * (last - 1)
    ax.set_xlim(1 - margin, last + margin)
    ax.set_ylim(floor + half - 0.5, -2)
    ax.set_title(test.average_ranks.measure)
    ax.set_axis_off()
    return ax


def plot_scatter(
    results: Any, classifier: str, baseline: str, *, margin: float = 0.05, ax: Axes | None = None
) -> Axes:
    """A point for every data set: the value of one classifier over that of another.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        See `seminaive.evaluate.results_table.results_table`.
    classifier, baseline : str
        On the vertical and on the horizontal axis.
    margin : float, default=0.05
        Points off the diagonal by more than this share have the colour of a win or a loss.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> axes = plot_scatter({"NB": [0.14, 0.30, 0.12], "TAN": [0.06, 0.29, 0.13]}, "TAN", "NB")
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['TAN better: 1', 'within 5 %: 1', 'NB better: 1']
    """
    table = results_table(results)
    ax = _axes(ax, 4.5, 4.5)
    x, y = table[baseline], table[classifier]
    outcomes = relative_outcomes(y, x, margin=margin, greater_is_better=table.greater_is_better)
    labels = f"{classifier} better", f"within {100 * margin:g} %", f"{baseline} better"
    for outcome, label, colour, marker in zip((1, 0, -1), labels, (WIN, DRAW, LOSS), "vo^", strict=True):
        rows = outcomes == outcome
        ax.scatter(x[rows], y[rows], s=28, color=colour, marker=marker, label=f"{label}: {rows.sum()}")
    ends = [np.nanmin(table.values, initial=0), np.nanmax(table.values, initial=0)]
    ax.plot(ends, ends, color="black", linewidth=0.8, zorder=0)
    ax.set_aspect("equal")
    ax.set_xlabel(baseline)
    ax.set_ylabel(classifier)
    ax.set_title(table.measure)
    ax.legend(frameon=False)
    return ax


def relative_gain(results: Any, classifier: str, baseline: str) -> np.ndarray:
    """By what share of the baseline's value a classifier is better on each data set.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        See `seminaive.evaluate.results_table.results_table`.
    classifier, baseline : str
        Names of two columns.

    Returns
    -------
    ndarray of float64, shape (n_data_sets,)
        1 - A/B for losses, A/B - 1 for scores; 0 for 0/0. NaN where a value is missing, and where there is
        no such share: anything else over 0, or numbers below 0.

    Notes
    -----
    For losses this is equation 21 of the paper of 2015 and equation 5 of that of 2019.

    Examples
    --------
    >>> relative_gain({"KDB": [0.2, 0.1, 0.0], "AveragedKDB": [0.15, 0.11, 0.0]}, "AveragedKDB", "KDB")
    array([ 0.25, -0.1 ,  0.  ])
    """
    table = results_table(results)
    first, second = table[classifier], table[baseline]
    equal = first == second
    usable = (first >= 0) & (second > 0) & ~equal
    ratio = np.divide(first, second, out=np.where(equal, 1.0, np.nan), where=usable)
    return ratio - 1 if table.greater_is_better else 1 - ratio


def plot_gains(
    results: Any,
    classifier: str,
    baseline: str,
    *,
    margin: float = 0.05,
    sort: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """A bar for every data set: `relative_gain` of a classifier over a baseline, as in the papers' figures.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        See `seminaive.evaluate.results_table.results_table`.
    classifier, baseline : str
        Names of two columns. Bars above 0 mean that the first is better.
    margin : float, default=0.05
        Wins and losses by more than this share are coloured.
    sort : bool, default=False
        Largest gain first, instead of the order of the table.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes
        A data set without a gain has a cross instead of a bar.

    Examples
    --------
    >>> axes = plot_gains({"KDB": [0.2, 0.1], "AveragedKDB": [0.15, 0.11]}, "AveragedKDB", "KDB")
    >>> [round(float(bar.get_height()), 2) for bar in axes.patches]
    [25.0, -10.0]
    """
    table = results_table(results)
    gains = 100 * relative_gain(table, classifier, baseline)
    outcomes = relative_outcomes(
        table[classifier], table[baseline], margin=margin, greater_is_better=table.greater_is_better
    )
    order = np.argsort(-gains, kind="stable") if sort else np.arange(len(gains))
    gains, outcomes = gains[order], outcomes[order]
    ax = _axes(ax, max(4.0, 1 + 0.25 * len(gains)), 4)
    positions = np.arange(len(gains))
    drawn = ~np.isnan(gains)
    colours = [{1: WIN, -1: LOSS}.get(outcome, DRAW) for outcome in outcomes[drawn]]
    ax.bar(positions[drawn], gains[drawn], color=colours)
    ax.plot(positions[~drawn], np.zeros((~drawn).sum()), "x", color="black")
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set_xticks(positions, [table.data_sets[i] for i in order], rotation=90)
    ax.set_ylabel(f"gain over {baseline} in %")
    ax.set_title(f"{classifier}: {table.measure}")
    return ax


def plot_boxes(results: Any, *, baseline: str | None = None, ax: Axes | None = None) -> Axes:
    """A box for every classifier: median, quartiles and range of its values over the data sets.

    Parameters
    ----------
    results : ResultsTable, mapping or data frame
        See `seminaive.evaluate.results_table.results_table`. A data set with a missing value is left out,
        so that all boxes are of the same ones.
    baseline : str, default=None
        Draw the differences from this classifier, which say more: data sets differ among each other by
        more than classifiers do.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes
        Whiskers reach to the last value within 1.5 times the height of the box.

    Examples
    --------
    >>> axes = plot_boxes({"NB": [0.14, 0.30, 0.12], "TAN": [0.06, 0.29, 0.13]})
    >>> [label.get_text() for label in axes.get_xticklabels()]
    ['NB', 'TAN']
    """
    whole = results_table(results).complete()
    names = [name for name in whole.classifiers if name != baseline]
    values = whole.select(names).values
    label = whole.measure
    if baseline is not None:
        values = values - whole[baseline][:, None]
        label = f"{whole.measure}, difference from {baseline}"
    ax = _axes(ax, max(4.0, 1 + 0.6 * len(names)), 3.5)
    ax.boxplot(values, medianprops={"color": WIN})
    ax.set_xticks(range(1, 1 + len(names)), names, rotation=45, ha="right", rotation_mode="anchor")
    if baseline is not None:
        ax.axhline(0, color="black", linewidth=0.8)
    ax.set_ylabel(label)
    ax.set_title(f"{len(whole.data_sets)} data sets")
    return ax


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install 'seminaive[plot]'") from error
    return plt.subplots(figsize=(width, height), layout="constrained")[1]
