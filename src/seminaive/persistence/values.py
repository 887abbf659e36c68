"""Values as JSON and back: a closed set of types, matched exactly, so that what comes back is what went in.

JSON has null, truth values, integers, finite floats, text and lists. Everything else is an object of one
key, the name of its type: ``{"tuple": [1, 2]}``. Classes of the library are such types where a `Record` says
how to take them apart; no name of a file is ever looked up elsewhere.
"""

from __future__ import annotations

import datetime
import math
import sys
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from seminaive.exceptions import ModelFileError

__all__ = ["Packer", "Record", "Unpacker", "record_of"]

_PLAIN = (type(None), bool, int, str)
_LONGEST_RANGE = 10**7


@dataclass(frozen=True)
class Record:
    """A class of the library that can be written.

    Parameters
    ----------
    kind : type
    parts : callable
        From an object to values.
    build : callable
        From these values to an object; raises for any that make no sense.
    """

    kind: type
    parts: Callable[[Any], Any]
    build: Callable[[Any], Any]


def record_of(kind: Any) -> Record:
    """The record of a dataclass."""
    names = [part.name for part in fields(kind)]
    return Record(kind, lambda value: {name: getattr(value, name) for name in names}, lambda p: kind(**p))


class Packer:
    """Turns values into JSON and sets arrays aside.

    Parameters
    ----------
    records : iterable of Record

    Examples
    --------
    >>> packer = Packer()
    >>> packer.pack({"k": (1, 2.5)}, "a value")
    {'dict': [['k', {'tuple': [1, 2.5]}]]}
    >>> Unpacker(packer.arrays.__getitem__).unpack(_)
    {'k': (1, 2.5)}
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.arrays: list[np.ndarray] = []
        self._records = {record.kind: record for record in records}

    def array(self, array: np.ndarray) -> int:
        """The number under which an array is kept."""
        self.arrays.append(array)
        return len(self.arrays) - 1

    def pack(self, value: Any, what: str) -> Any:
        """JSON of a value.

        Raises
        ------
        ModelFileError
            The value is of another type; ``what`` says in the message whose value it is.
        """
        kind = type(value)
        if kind in _PLAIN or (kind is float and math.isfinite(value)):
            return value
        if kind is list:
            return [self.pack(part, what) for part in value]
        if kind is dict:
            return {"dict": [[self.pack(key, what), self.pack(part, what)] for key, part in value.items()]}
        if kind is np.ndarray and value.dtype.kind == "O":
            cells = [self.pack(cell, what) for cell in value.ravel().tolist()]
            return {"objects": [list(value.shape), cells]}
        if kind is np.ndarray or isinstance(value, np.generic):
            array = np.asarray(value)
            if array.dtype.kind not in "biufcUSmM":
                raise ModelFileError(f"{what} is an array of {array.dtype}, which no model file can hold.")
            return {"array" if kind is np.ndarray else "scalar": self.array(array)}
        if kind in self._records:
            return {kind.__name__: self.pack(self._records[kind].parts(value), what)}
        for name, codec in _CODECS.items():
            if kind is codec.kind:
                return {name: self.pack(codec.parts(value), what)}
        for name, parts in _PANDAS_PARTS.items():
            if kind is getattr(sys.modules.get("pandas"), name, None):
                return {name: self.pack(parts(value), what)}
        raise ModelFileError(
            f"{what} is a {kind.__module__}.{kind.__qualname__}, which no model file can hold. Use numbers, "
            "text, dates, lists, dicts, arrays or classes of this library, or keep the model with pickle."
        )


class Unpacker:
    """Turns JSON back into values.

    Parameters
    ----------
    array : callable
        From the number of an array to the array.
    records : iterable of Record
    """

    def __init__(self, array: Callable[[int], np.ndarray], records: Iterable[Record] = ()) -> None:
        self.array = array
        self._builders: Mapping[str, Callable[[Any], Any]] = {
            **{name: codec.build for name, codec in _CODECS.items()},
            **_PANDAS_BUILDERS,
            **{record.kind.__name__: record.build for record in records},
        }

    def unpack(self, value: Any) -> Any:
        """The value behind JSON; ValueError, TypeError and the like for what makes no sense."""
        if type(value) in _PLAIN or type(value) is float:
            return value
        if type(value) is list:
            return [self.unpack(part) for part in value]
        if type(value) is not dict or len(value) != 1:
            raise ValueError("a value has no type")
        ((name, parts),) = value.items()
        if name == "dict":
            return {self.unpack(key): self.unpack(part) for key, part in parts}
        if name == "array":
            return self.array(parts)
        if name == "scalar":
            array = self.array(parts)
            if array.ndim:
                raise ValueError("a scalar has a shape")
            return array[()]
        if name == "objects":
            shape, values = parts
            if math.prod(shape) != len(values) or any(type(n) is not int or n < 0 for n in shape):
                raise ValueError("an array has another shape than its values")
            flat = np.empty(len(values), dtype=object)
            flat[:] = [self.unpack(part) for part in values]
            return flat.reshape(shape)
        if name not in self._builders:
            raise ValueError(f"{name!r} is no type that this version knows")
        return self._builders[name](self.unpack(parts))


def _build_range(*parts: Any) -> range:
    result = range(*parts)
    if len(result) > _LONGEST_RANGE:
        raise ValueError(f"{result} is too long")
    return result


def _zone_parts(zone: datetime.tzinfo | None) -> Any:
    if zone is None:
        return None
    if type(zone) is datetime.timezone:
        return zone.utcoffset(None).total_seconds()
    if type(zone) is ZoneInfo and zone.key is not None:
        return zone.key
    raise ModelFileError(
        f"the time zone {zone!r} is a {type(zone).__module__}.{type(zone).__name__}, which no model file can "
        "hold. Use zoneinfo or datetime.timezone."
    )


def _zone(parts: Any) -> datetime.tzinfo | None:
    if parts is None or isinstance(parts, str):
        return None if parts is None else ZoneInfo(parts)
    return datetime.timezone(datetime.timedelta(seconds=parts))


def _clock_parts(value: Any) -> Any:
    return [value.replace(tzinfo=None, fold=0).isoformat(), _zone_parts(value.tzinfo), value.fold]


def _build_clock(kind: Any) -> Callable[[Any], Any]:
    return lambda p: kind.fromisoformat(p[0]).replace(tzinfo=_zone(p[1]), fold=p[2])


# type for type, in JSON by these names
_CODECS = {
    "tuple": Record(tuple, list, tuple),
    "set": Record(set, list, set),
    "frozenset": Record(frozenset, list, frozenset),
    "float": Record(float, repr, float),  # only what is not finite
    "complex": Record(complex, lambda v: [v.real, v.imag], lambda p: complex(*p)),
    "bytes": Record(bytes, bytes.hex, bytes.fromhex),
    "range": Record(range, lambda v: [v.start, v.stop, v.step], lambda p: _build_range(*p)),
    "Decimal": Record(Decimal, str, Decimal),
    "Fraction": Record(Fraction, lambda v: [v.numerator, v.denominator], lambda p: Fraction(*p)),
    "UUID": Record(uuid.UUID, str, uuid.UUID),
    "date": Record(datetime.date, datetime.date.isoformat, datetime.date.fromisoformat),
    "datetime": Record(datetime.datetime, _clock_parts, _build_clock(datetime.datetime)),
    "time": Record(datetime.time, _clock_parts, _build_clock(datetime.time)),
    "timedelta": Record(
        datetime.timedelta,
        lambda v: [v.days, v.seconds, v.microseconds],
        lambda p: datetime.timedelta(*p),
    ),
}


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ModelFileError("the file holds values of pandas: pip install pandas") from error
    return pandas


def _build_timestamp(parts: Any) -> Any:
    moment, zone = parts
    value = _pandas().Timestamp(moment)
    return value if zone is None else value.tz_localize("UTC").tz_convert(_zone(zone))


# the same for scalars of pandas, which need not be installed
_PANDAS_PARTS: dict[str, Callable[[Any], Any]] = {
    "Timestamp": lambda v: [
        (v if v.tz is None else v.tz_convert(None)).to_datetime64(),
        _zone_parts(v.tz),
    ],
    "Timedelta": lambda v: v.to_timedelta64(),
    "Interval": lambda v: [v.left, v.right, v.closed],
    "Period": lambda v: [v.ordinal, v.freqstr],
}
_PANDAS_BUILDERS: dict[str, Callable[[Any], Any]] = {
    "Timestamp": _build_timestamp,
    "Timedelta": lambda parts: _pandas().Timedelta(parts),
    "Interval": lambda parts: _pandas().Interval(*parts),
    "Period": lambda parts: _pandas().Period(ordinal=parts[0], freq=parts[1]),
}
