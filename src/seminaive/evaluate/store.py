"""A file of results that grows by one line per finished cell and survives being killed."""

from __future__ import annotations

import base64
import csv
import io
import math
import os
import tempfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["CellRecord", "ResultStore"]


@dataclass(frozen=True)
class CellRecord:
    """What one classifier did on one split of one data set.

    Attributes
    ----------
    cell : str
        Digest of all that the result depends on: data, classifier, splitter, number of the split, version.
    data_set, classifier, resampling : str
        Names, for the reader. The classifier is empty in the record of the true classes of a test part.
    split : int
        Number of the split, from 0.
    n_train, n_test : int
        Rows of the two parts.
    zero_one_loss, log_loss, rmse, brier_score, auc, calibration_error : float
        Measures on the test part; NaN where the classifier failed or the measure has no meaning.
    fit_seconds, predict_seconds : float
        Wall-clock time; fitting includes reading and discretising the training part.
    peak_bytes : int
        Growth of the process's memory while fitting and predicting, as far as it was seen.
    classes : str
        Codes of the classes of all test rows, packed by `pack_codes`: predicted ones, or true ones in the
        record without a classifier.
    error : str
        Type and message of the exception if the classifier failed, else empty.
    """

    cell: str
    data_set: str
    classifier: str
    resampling: str
    split: int
    n_train: int
    n_test: int
    zero_one_loss: float = math.nan
    log_loss: float = math.nan
    rmse: float = math.nan
    brier_score: float = math.nan
    auc: float = math.nan
    calibration_error: float = math.nan
    fit_seconds: float = math.nan
    predict_seconds: float = math.nan
    peak_bytes: int = 0
    classes: str = ""
    error: str = ""

    @property
    def codes(self) -> np.ndarray:
        """Codes of the classes of all test rows, shape (n_test,)."""
        return unpack_codes(self.classes)


FIELDS = {
    field.name: {"str": str, "int": int, "float": float}[str(field.type)] for field in fields(CellRecord)
}
HEADER = ",".join([*FIELDS, "crc32"]) + "\n"


class ResultStore:
    """Records of finished cells in a CSV file, each line with a checksum.

    A line is written in one go, by whichever process finished the cell, so that a kill loses at most the
    cells that were running. A line that is cut or damaged is recognised by its checksum and left out.

    Parameters
    ----------
    path : path-like
        The file; it and its directory are made when the first record comes.

    Examples
    --------
    >>> import tempfile
    >>> directory = tempfile.TemporaryDirectory()
    >>> store = ResultStore(Path(directory.name) / "results.csv")
    >>> store.append(CellRecord("c0ffee", "zoo", "NB", "cross-validation", 0, 91, 10, zero_one_loss=0.1))
    >>> [(record.data_set, record.zero_one_loss) for record in store.read()]
    [('zoo', 0.1)]
    >>> directory.cleanup()
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def append(self, record: CellRecord) -> None:
        """Add a record.

        Raises
        ------
        OSError
            If the file cannot be written, or the disk is full.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            text = _line(record) if os.fstat(descriptor).st_size else HEADER + _line(record)
            data = text.encode()
            # one call, so that lines of several processes do not mix
            if os.write(descriptor, data) != len(data):
                raise OSError(f"{self.path}: the record was cut; is the disk full?")
        finally:
            os.close(descriptor)

    def read(self) -> list[CellRecord]:
        """All sound records, in the order of the file; empty if there is none.

        Raises
        ------
        ValueError
            The file is not a store of results.
        """
        return self._read()[0]

    def repair(self) -> int:
        """Remove damaged lines, so that a further line does not follow half of one.

        Returns
        -------
        int
            Lines removed. Call it only while nobody appends.
        """
        records, damaged = self._read()
        if damaged:
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name)
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(HEADER)
                file.writelines(map(_line, records))
            os.replace(name, self.path)
        return damaged

    def _read(self) -> tuple[list[CellRecord], int]:
        if not self.path.exists():
            return [], 0
        header, *lines = self.path.read_text(encoding="utf-8", errors="replace").split("\n")
        if header + "\n" != HEADER:
            if HEADER.startswith(header) and not lines:
                return [], 1  # killed while writing the very first line
            raise ValueError(
                f"{self.path}: not a store of results of this version; name another file or directory"
            )
        tail = lines.pop()  # empty if the last line is whole
        parsed = [_parsed(line) for line in lines if line != header]
        records = [record for record in parsed if record is not None]
        return records, len(parsed) - len(records) + bool(tail)


def pack_codes(codes: np.ndarray) -> str:
    """Class codes as a short text."""
    small = codes.astype(np.uint8 if codes.max(initial=0) < 2**8 else np.uint16)
    return f"{small.dtype.itemsize}{base64.b64encode(zlib.compress(small.tobytes(), 6)).decode()}"


def unpack_codes(text: str) -> np.ndarray:
    """The inverse of `pack_codes`."""
    if not text:
        return np.empty(0, dtype=np.uint8)
    data = zlib.decompress(base64.b64decode(text[1:], validate=True))
    return np.frombuffer(data, dtype=f"<u{text[0]}")


def newest(records: Iterable[CellRecord]) -> dict[str, CellRecord]:
    """The last record of each cell."""
    return {record.cell: record for record in records}


def _line(record: CellRecord) -> str:
    buffer = io.StringIO()
    values = (getattr(record, name) for name in FIELDS)
    csv.writer(buffer, lineterminator="").writerow(
        [" ".join(value.split()) if isinstance(value, str) else repr(value) for value in values]
    )
    text = buffer.getvalue()
    return f"{text},{zlib.crc32(text.encode()):08x}\n"


def _parsed(line: str) -> CellRecord | None:
    text, _, checksum = line.rpartition(",")
    if not text or f"{zlib.crc32(text.encode()):08x}" != checksum:
        return None
    (cells,) = csv.reader([text])
    values: dict[str, Any] = {
        name: kind(cell) for (name, kind), cell in zip(FIELDS.items(), cells, strict=True)
    }
    return CellRecord(**values)
