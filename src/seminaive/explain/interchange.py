"""Single networks in the languages of other libraries: BIF and pyAgrum."""

from __future__ import annotations

import itertools
import math
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from seminaive.learn.factors import log_factor

__all__ = ["Node", "bif_text", "network_nodes", "pyagrum_network", "write_bif"]

_CELL = 8
_COPIES = 4  # of a table while it is made: configurations, logarithms, probabilities


@dataclass
class Node:
    """A variable with its table.

    Attributes
    ----------
    name : str
    states : list of str
        Distinct.
    parents : list of str
        The class last.
    table : ndarray of shape (states of each parent..., states)
        P(state | states of the parents).
    """

    name: str
    states: list[str]
    parents: list[str]
    table: np.ndarray


def network_nodes(model: Any) -> list[Node]:
    """The class and the attributes of a classifier with one network.

    What a table backs off to where training never saw the values of the parents together is written out.
    Attributes without any value are left out; they are never observed.

    Raises
    ------
    MemoryError
        Before anything is allocated, if the tables do not fit.
    """
    schema, n_classes, smoothing = model.schema_, len(model.classes_), model._network.smoothing
    parents = {
        child: [p for p in chosen if schema[p].n_values]
        for child, chosen in model._parents_by_position.items()
        if schema[child].n_values
    }
    _check_size(model, parents, n_classes)
    target = model._class_node()
    nodes = [Node(target, _distinct(map(str, model.classes_.tolist())), [], np.exp(model._log_prior))]
    for child, chosen in parents.items():
        members = (*model._parents_by_position[child], child)
        family = model._tables.family(members)
        # a parent without values is not observed
        sizes = [max(1, schema[i].n_values) for i in members]
        codes = np.indices(sizes).reshape(len(sizes), -1)
        codes[[schema[i].n_values == 0 for i in members]] = 0
        probabilities = np.exp(log_factor(family, codes, smoothing[child]))
        shape = [schema[p].n_values for p in chosen]
        table = probabilities.reshape(*shape, schema[child].n_values, n_classes)
        nodes.append(
            Node(
                schema[child].name,
                _distinct(schema[child].labels),
                [*(schema[p].name for p in chosen), target],
                np.moveaxis(table, -1, -2),
            )
        )
    return nodes


def _check_size(model: Any, parents: dict[int, list[int]], n_classes: int) -> None:
    schema = model.schema_
    cells = {
        c: math.prod(schema[i].n_values for i in (*chosen, c)) * n_classes for c, chosen in parents.items()
    }
    needed, limit = _COPIES * _CELL * sum(cells.values()), model._bytes_limit
    if needed > limit:
        widest = max(cells, key=lambda child: cells[child])
        names = [schema[i].name for i in (*parents[widest], widest)]
        raise MemoryError(
            f"Probability tables laid out in full take {needed:,} bytes, above the limit of {limit:,} bytes; "
            f"the widest is that of {names}. Use fewer parents or values, or raise memory_limit."
        )


def _distinct(labels: Iterable[str]) -> list[str]:
    """The labels, numbered where one comes again."""
    found: list[str] = []
    for label in labels:
        name = next(
            n
            for n in itertools.chain([label], (f"{label}_{i}" for i in itertools.count(2)))
            if n not in found
        )
        found.append(name)
    return found


def pyagrum_network(model: Any) -> Any:
    """See ``to_pyagrum`` of a classifier."""
    try:
        import pyagrum
    except ImportError as error:
        raise ImportError("to_pyagrum needs pyagrum: pip install pyagrum.") from error
    nodes = network_nodes(model)
    network = pyagrum.BayesNet(type(model).__name__)
    for node in nodes:
        network.add(pyagrum.LabelizedVariable(node.name, node.name, node.states))
    for node in nodes:
        for parent in reversed(node.parents):  # of the variables of a table the first runs fastest
            network.addArc(parent, node.name)
        network.cpt(node.name).fillWith(node.table.ravel().tolist())
    return network


def write_bif(model: Any, path: str | os.PathLike[str] | None) -> str:
    """See ``to_bif`` of a classifier."""
    text = bif_text(type(model).__name__, network_nodes(model))
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


def bif_text(name: str, nodes: list[Node]) -> str:
    """A network in the Bayesian interchange format (BIF 0.15)."""
    identifiers = dict(zip([n.name for n in nodes], _identifiers(n.name for n in nodes), strict=True))
    states = {node.name: _identifiers(node.states) for node in nodes}
    lines = [f"network {name} {{", "}"]
    for node in nodes:
        listed = ", ".join(states[node.name])
        lines += [
            f"variable {identifiers[node.name]} {{",
            f"  type discrete [ {len(node.states)} ] {{ {listed} }};",
            "}",
        ]
    for node in nodes:
        given = ", ".join(identifiers[parent] for parent in node.parents)
        lines.append(f"probability ( {identifiers[node.name]}{' | ' + given if given else ''} ) {{")
        rows = node.table.reshape(-1, len(node.states))
        for configuration, row in zip(
            itertools.product(*(states[p] for p in node.parents)), rows, strict=True
        ):
            head = f"({', '.join(configuration)})" if configuration else "table"
            lines.append(f"  {head} {', '.join(map(repr, row.tolist()))};")
        lines.append("}")
    return "\n".join([*lines, ""])


def _identifiers(names: Iterable[str]) -> list[str]:
    """Names that any reader of BIF takes: letters, digits and underscores, beginning with a letter."""
    plain = (re.sub(r"\W", "_", name, flags=re.ASCII) for name in names)
    return _distinct(name if name[:1].isalpha() else f"v{name}" for name in plain)
