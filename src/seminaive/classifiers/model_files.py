"""Model files: a fitted classifier as its parameters, how columns are read, structure and counts.

Everything else that fitting sets follows from these and is learned again in loading. So a file holds nothing
by which kernels find their way in memory, and a new classifier needs no code here unless its structure is of
a class of its own (`STRUCTURES`).
"""

from __future__ import annotations

import os
from typing import Any

from seminaive.classifiers import all_classifiers
from seminaive.classifiers.averaged_networks import Ensemble
from seminaive.classifiers.base import BayesianNetworkClassifier
from seminaive.classifiers.case_network import CaseChoice
from seminaive.classifiers.network import SingleNetworkClassifier
from seminaive.classifiers.selective import Selected
from seminaive.counts.labelled import Counts, pack_counts, unpack_counts
from seminaive.data.state import DISCRETIZERS, pack_parameters
from seminaive.exceptions import ModelFileError
from seminaive.learn.copies import Copies
from seminaive.learn.network_groups import NetworkGroup
from seminaive.learn.selection import SelectionPath, SelectionStep
from seminaive.persistence.archive import read_archive, write_archive
from seminaive.persistence.values import Packer, Record, Unpacker, record_of

__all__ = ["load", "save"]

KIND = "model"
STRUCTURES = [
    record_of(Ensemble),
    record_of(NetworkGroup),
    record_of(Copies),
    record_of(CaseChoice),
    record_of(Selected),
    record_of(SelectionStep),
    Record(SelectionPath, list, SelectionPath),
]


def save(model: BayesianNetworkClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted classifier of this library, see its method ``save``."""
    name = type(model).__name__
    if all_classifiers().get(name) is not type(model):
        raise ModelFileError(
            f"{type(model).__module__}.{name} is no classifier of this library, and loading it would run "
            "code from elsewhere. Keep it with pickle."
        )
    packer = Packer([*DISCRETIZERS, *STRUCTURES])
    now, then = model.get_params(deep=False), model._fitted_parameters
    content = {
        "classifier": name,
        "parameters": pack_parameters(now, packer),
        # what set_params changed since fitting
        "fitted_with": pack_parameters({k: v for k, v in then.items() if v is not now[k]}, packer),
        "structure": packer.pack(model._chosen, "the structure"),
        "counts": pack_counts(Counts(model.encoder_, model.classes_, model._tables), packer),
    }
    write_archive(path, KIND, content, packer.arrays)


def load(path: str | os.PathLike[str]) -> Any:
    """Read a fitted classifier from a model file.

    Nothing in the file is ever executed, and no class is taken from anywhere but this library.

    Parameters
    ----------
    path : str or path-like
        As ``save`` of a classifier wrote it.

    Returns
    -------
    object
        The classifier, which predicts what the saved one did, bit for bit.

    Raises
    ------
    ModelFileError
        For anything but a complete model file: truncated, damaged, foreign, or of a newer version.
    OSError
        There is no such file.

    Warns
    -----
    ModelVersionWarning
        Another version of the library wrote the file.

    Examples
    --------
    >>> import os, tempfile
    >>> import seminaive
    >>> path = os.path.join(tempfile.mkdtemp(), "animals.model")
    >>> seminaive.NaiveBayes().fit([["fur"], ["feathers"]], ["cat", "duck"]).save(path)
    >>> seminaive.load(path).predict([["feathers"]]).tolist()
    ['duck']
    """
    return read_archive(path, KIND, _build)


def _build(state: Any, array: Any) -> Any:
    unpacker = Unpacker(array, [*DISCRETIZERS, *STRUCTURES])
    known = all_classifiers()
    if state["classifier"] not in known:
        raise ValueError(f"there is no classifier {state['classifier']!r}")
    now, changed = (
        {name: unpacker.unpack(value) for name, value in state[part].items()}
        for part in ("parameters", "fitted_with")
    )
    structure = unpacker.unpack(state["structure"])
    counts = unpack_counts(state["counts"], unpacker)
    model = known[state["classifier"]](**{**now, **changed})
    model._check_options()
    _check(model, structure, counts)
    model._adopt(counts.encoder, counts.classes, counts.tables, structure)
    return model.set_params(**now)


def _check(model: Any, structure: Any, counts: Counts) -> None:
    """ValueError unless the tables are there and all parents are attributes."""
    tables = counts.tables
    plan = model._plan(tables.schema)
    if plan.index and tables.index is None:
        raise ValueError("the index of the training rows is missing")
    if plan.pairs and not isinstance(model, SingleNetworkClassifier) and not tables.has_pairs:
        raise ValueError("the counts of pairs are missing")
    if isinstance(structure, Ensemble):
        structure.check(model, tables)
        return
    if isinstance(structure, Selected):
        parents, features = structure.parents, structure.features
    elif isinstance(structure, CaseChoice):
        parents, features = structure.general or [], []
    else:
        parents, features = structure or [], []
    numbers = [*features, *(parent for chosen in parents for parent in chosen)]
    n = len(tables.schema)
    if len(parents) not in (0, n) or not all(type(i) is int and 0 <= i < n for i in numbers):
        raise ValueError("the structure names attributes that do not exist")
