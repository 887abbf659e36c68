"""A picture of the networks behind a prediction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from seminaive.explain.networks import MemberNetwork

__all__ = ["draw_networks", "tree_places"]

Arc = tuple[int, int]
"""A parent and its child."""

_WIDTH, _HEIGHT = 1.6, 1.0  # inches for a node
_MOST_BESIDE = 4  # nodes in a row of networks that stand side by side
_STYLES: dict[str, dict[str, Any]] = {  # told apart by line as well as by colour
    "kept": {"color": "0.45", "linewidth": 1.2},
    "new": {"color": "#0072b2", "linewidth": 2.6},
    "gone": {"color": "#c04f00", "linewidth": 1.8, "linestyle": (0, (4, 2))},
}


def draw_networks(explanation: Any, attributes: Sequence[str] | None) -> Any:
    """See `Explanation.plot_networks`."""
    names: list[str] = explanation._model.schema_.names
    unknown = [name for name in attributes or [] if name not in names]
    if unknown:
        raise ValueError(f"there is no attribute {unknown[0]!r}; attributes are {', '.join(names)}.")
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plot_networks needs matplotlib: pip install 'seminaive[plot]'.") from error
    networks = _shown(explanation)
    wanted = range(len(names)) if attributes is None else [names.index(name) for name in attributes]
    styles = _arcs(networks, names, set(wanted))
    present = {i for network in networks for i in network.parents if i in wanted}
    nodes = sorted(present | {i for some in styles for arc in some for i in arc})
    strongest: dict[int, int] = {}
    for network in networks:  # those of the case, which come last, decide
        strongest.update({c: parents[0] for c, parents in network.parents.items() if c in wanted and parents})
    places = tree_places(nodes, strongest)
    wide, deep = (max(place[axis] for place in places.values()) + 1 for axis in (0, 1))
    n_rows, n_columns = (1, len(networks)) if wide <= _MOST_BESIDE else (len(networks), 1)
    size = (_WIDTH * wide * n_columns, (_HEIGHT * deep + 0.4) * n_rows)
    figure = pyplot.figure(figsize=size, layout="constrained")
    axes = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    for ax, network, arcs in zip(axes, networks, styles, strict=True):
        ax.set_title(_plain(network.name), size=10)
        ax.set(xlim=(-0.55, wide - 0.45), ylim=(deep - 0.5, -0.5))
        ax.axis("off")
        boxes = {i: _node(ax, explanation, i, places[i], i in network.implied_by) for i in nodes}
        for (parent, child), style in sorted(arcs.items()):
            ends = {"patchA": boxes[parent], "patchB": boxes[child], "shrinkA": 1, "shrinkB": 1}
            bent = 0 if strongest.get(child) == parent else 0.15  # not behind the boxes of others
            line = {"arrowstyle": "-|>", "connectionstyle": f"arc3,rad={bent}", **_STYLES[style], **ends}
            ax.annotate("", places[child], places[parent], arrowprops=line, zorder=1)
    return list(axes)


def _shown(explanation: Any) -> list[MemberNetwork]:
    """One or two networks; of averages over superparents or groups, the one with the largest share."""
    networks = [network for network in explanation._networks if network.weight != 0]
    are_comparable = all(network.superparent is None for network in networks)
    if len(networks) <= 2 and are_comparable and not explanation._members.are_groups:
        return networks
    return [networks[int(np.argmax([abs(member.share) for member in explanation.members]))]]


def _arcs(networks: Sequence[MemberNetwork], names: list[str], wanted: set[int]) -> list[dict[Arc, str]]:
    """The arcs of each network to the attributes that are wanted, and how they are drawn."""
    sets = [
        {(p, child) for child, parents in network.parents.items() if child in wanted for p in parents}
        for network in networks
    ]
    if len(sets) == 2:
        general, local = sets
        return [
            {arc: "kept" if arc in local else "gone" for arc in general},
            {arc: "kept" if arc in general else "new" for arc in local},
        ]
    found = dict.fromkeys(sets[0], "kept")
    position = {name: i for i, name in enumerate(names)}
    for child, changes in networks[0].changes().items():
        for change in changes if child in wanted else ():
            found.setdefault((position[change.parent], child), "gone")
            if change.substitute is not None:
                found[position[change.substitute], child] = "new"
    return [found]


def tree_places(nodes: Iterable[int], parent_of: Mapping[int, int]) -> dict[int, tuple[float, int]]:
    """Column and level of every node: children side by side below the parent that is named.

    Examples
    --------
    >>> tree_places([0, 1, 2, 3], {1: 0, 2: 0})
    {1: (0.0, 1), 2: (1.0, 1), 0: (0.5, 0), 3: (2.0, 0)}
    """
    nodes = list(nodes)
    children = {i: [j for j in nodes if parent_of.get(j) == i] for i in nodes}
    found: dict[int, tuple[float, int]] = {}
    free = 0.0

    def place(i: int, level: int) -> None:
        nonlocal free
        for child in children[i]:
            place(child, level + 1)
        if children[i]:
            column = (found[children[i][0]][0] + found[children[i][-1]][0]) / 2
        else:
            column, free = free, free + 1
        found[i] = (column, level)

    for i in nodes:
        if parent_of.get(i) not in children:
            place(i, 0)
    return found


def _node(ax: Any, explanation: Any, i: int, place: tuple[float, int], is_implied: bool) -> Any:
    """A box with an attribute and its value; dashed where another value implies it."""
    value = explanation._value(i)
    text = f"{explanation._model.schema_.names[i]}\n{'not observed' if value is None else value}"
    box = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": "0.3"}
    dashed = {"linestyle": (0, (3, 2))} if is_implied or value is None else {}
    drawn = ax.text(*place, _plain(text), size=8, ha="center", va="center", bbox={**box, **dashed})
    return drawn.get_bbox_patch()


def _plain(text: str) -> str:
    """Text in which a dollar sign begins no formula."""
    return text.replace("$", r"\$")
