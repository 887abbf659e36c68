"""What an encoder learned, as values that a file can hold, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from seminaive.data.discretize import (
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    EveryValueDiscretizer,
    MDLPDiscretizer,
)
from seminaive.data.encode import TableEncoder
from seminaive.data.integers import IntegerLookup
from seminaive.data.schema import Attribute, Schema
from seminaive.exceptions import ModelFileError
from seminaive.persistence.values import Packer, Record, Unpacker

__all__ = [
    "DISCRETIZERS",
    "pack_attribute",
    "pack_encoder",
    "pack_parameters",
    "unpack_attribute",
    "unpack_encoder",
]


def _with_parameters(kind: Any) -> Record:
    return Record(kind, lambda value: value.get_params(deep=False), lambda parts: kind(**parts))


DISCRETIZERS = [
    _with_parameters(kind)
    for kind in (MDLPDiscretizer, EqualFrequencyDiscretizer, EqualWidthDiscretizer, EveryValueDiscretizer)
]


def pack_parameters(parameters: dict[str, Any], packer: Packer) -> Any:
    """Parameters of an estimator as JSON; the error of one that cannot be written names it."""
    return {name: packer.pack(value, f"parameter {name!r}") for name, value in parameters.items()}


def pack_encoder(encoder: TableEncoder, packer: Packer) -> Any:
    """A fitted encoder as JSON."""
    return {
        "parameters": pack_parameters(encoder.get_params(deep=False), packer),
        "named": hasattr(encoder, "feature_names_in_"),
        "attributes": [pack_attribute(attribute, packer) for attribute in encoder.schema_.attributes],
    }


def unpack_encoder(state: Any, unpacker: Unpacker) -> TableEncoder:
    """A fitted encoder; ValueError and the like for what makes no sense."""
    parameters = {name: unpacker.unpack(value) for name, value in state["parameters"].items()}
    attributes = tuple(unpack_attribute(part, unpacker) for part in state["attributes"])
    if not attributes:
        raise ValueError("there are no attributes")
    encoder = TableEncoder(**parameters)
    schema = Schema(attributes)
    encoder._adopt(schema, IntegerLookup.of(schema))
    encoder.n_features_in_ = len(schema)
    if state["named"]:
        encoder.feature_names_in_ = np.array(schema.names, dtype=object)
    return encoder


def pack_attribute(attribute: Attribute, packer: Packer) -> Any:
    """An attribute as JSON."""
    name = attribute.name
    if attribute.discretizer is not None:
        raise ModelFileError(
            f"Column {name!r} is cut by a {type(attribute.discretizer).__name__}, which would have to run "
            "from the file. Use a discretizer of this library, or keep the model with pickle."
        )
    cuts = attribute.cut_points
    return {
        "name": name,
        "kind": attribute.kind,
        "values": packer.pack(list(attribute.values), f"a value of column {name!r}"),
        "cut_points": None if cuts is None else cuts.tolist(),
        "has_missing_value": attribute.has_missing_value,
        "fill_code": attribute.fill_code,
        "declared": attribute.declared,
    }


def unpack_attribute(state: Any, unpacker: Unpacker) -> Attribute:
    """An attribute; ValueError for what makes no sense."""
    cuts = state["cut_points"]
    attribute = Attribute(
        name=state["name"],
        kind=state["kind"],
        values=tuple(unpacker.unpack(state["values"])),
        cut_points=None if cuts is None else np.array(cuts, dtype=np.float64),
        has_missing_value=state["has_missing_value"],
        fill_code=state["fill_code"],
        declared=state["declared"],
    )
    flags = attribute.has_missing_value, attribute.declared
    fill = attribute.fill_code
    points = attribute.cut_points
    if not (
        type(attribute.name) is str
        and attribute.kind == ("categorical" if points is None else "numeric")
        and all(type(flag) is bool for flag in flags)
        and (fill is None or (type(fill) is int and 0 <= fill < attribute.n_values))  # kernels trust codes
        and len(attribute._index) == len(attribute.values)
        and (
            points is None
            or (
                not attribute.values
                and points.ndim == 1
                and np.isfinite(points).all()
                and (np.diff(points) > 0).all()
            )
        )
    ):
        raise ValueError(f"column {attribute.name!r} makes no sense")
    return attribute
