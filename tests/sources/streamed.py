"""Random tables in memory and the same rows in files of every shape, and what has to be equal."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

VALUES = ["b", "a", "d", "c", "e"]


def random_table(rng: np.random.Generator, n_rows: int, weights: str = "none") -> pa.Table:
    """Text, whole numbers and numbers that say something about the class, with gaps and rarities."""
    y = rng.integers(0, 3, n_rows)
    columns: dict[str, Any] = {}
    for j in range(3):
        codes = (y * (j + 1) + rng.integers(0, 3, n_rows)) % 4
        columns[f"c{j}"] = [None if rng.random() < 0.1 else VALUES[code] for code in codes]
    columns["c0"][rng.integers(n_rows)] = "once"
    columns["x"] = [None if rng.random() < 0.1 else round(k + rng.normal(), 1) for k in y.tolist()]
    columns["flag"] = [float(rng.random() < 0.3) for _ in range(n_rows)]
    columns["i"] = rng.integers(0, 6, n_rows)
    columns["y"] = [f"class {k}" for k in y]
    columns["y"][rng.integers(n_rows)] = "class in one row"
    if weights != "none":
        of = {
            "copies": [0.0, 1.0, 2.0],
            "halves": [0.0, 0.5, 1.0, 1.75],
            "ones": [1.0],
            "tenths": [0.0, 0.1, 0.3, 0.7],
        }[weights]
        columns["w"] = rng.choice(of, n_rows)
        columns["w"][0] = of[-1]
    return pa.table(columns)


def as_dictionary(column: pa.ChunkedArray, rng: np.random.Generator) -> pa.DictionaryArray:
    """A text column as a dictionary of its own, in any order, with entries that no row has."""
    values = column.to_pylist()
    entries = [*dict.fromkeys(v for v in values if v is not None), "in no row"]
    rng.shuffle(entries)
    indices = pa.array([None if v is None else entries.index(v) for v in values], pa.int8())
    return pa.DictionaryArray.from_arrays(indices, entries)


def write_parts(table: pa.Table, folder: Path, rng: np.random.Generator, n_parts: int) -> list[Path]:
    """The rows in Parquet files: some without rows, columns in any order, text as dictionaries or not."""
    cuts = np.sort(rng.integers(0, table.num_rows + 1, n_parts - 1))
    bounds = [0, *cuts.tolist(), table.num_rows]
    paths = []
    for number in range(n_parts):
        part = table.slice(bounds[number], bounds[number + 1] - bounds[number])
        names = rng.permutation(part.column_names).tolist() if number else part.column_names
        columns = {}
        for name in names:
            is_text = pa.types.is_string(part[name].type)
            columns[name] = as_dictionary(part[name], rng) if is_text and rng.random() < 0.6 else part[name]
        paths.append(folder / f"part {number}.parquet")
        pq.write_table(pa.table(columns), paths[-1], row_group_size=int(rng.integers(1, 60)))
    return paths


def features(table: pa.Table) -> pa.Table:
    """The columns that are neither target nor weight."""
    return table.select([name for name in table.column_names if name not in ("y", "w")])


def fit_in_memory(model: Any, table: pa.Table) -> Any:
    """The same rows, all at once."""
    weights = table["w"].to_numpy() if "w" in table.column_names else None
    return model.fit(features(table), table["y"], sample_weight=weights)


def assert_same_tables(mine: Any, theirs: Any) -> None:
    """Counts of the same type, layout and size, all equal."""
    for name in ("class_counts", "attribute_counts", "pair_counts"):
        a, b = getattr(mine, name), getattr(theirs, name)
        assert (a is None) == (b is None), name
        if a is not None:
            assert a.dtype == b.dtype, name
            np.testing.assert_array_equal(a, b, err_msg=name)
    assert mine.n_rows == theirs.n_rows
    assert set(mine.families) == set(theirs.families)
    for members, family in mine.families.items():
        assert type(family) is type(theirs.families[members])
        np.testing.assert_array_equal(family.counts, theirs.families[members].counts, err_msg=str(members))


def assert_same_schema(mine: Any, theirs: Any) -> None:
    """Attributes of the same values, cut points and policies."""
    for a, b in zip(mine.attributes, theirs.attributes, strict=True):
        assert (a.name, a.kind, a.values, a.declared) == (b.name, b.kind, b.values, b.declared)
        assert (a.has_missing_value, a.fill_code) == (b.has_missing_value, b.fill_code)
        cuts = [None if each.cut_points is None else each.cut_points.tolist() for each in (a, b)]
        assert cuts[0] == cuts[1], a.name


def assert_same_model(mine: Any, theirs: Any, table: pa.Table) -> None:
    """Schema, classes, tables, structure and probabilities, bit for bit."""
    assert_same_schema(mine.schema_, theirs.schema_)
    assert mine.classes_.dtype == theirs.classes_.dtype
    np.testing.assert_array_equal(mine.classes_, theirs.classes_)
    assert_same_tables(mine._tables, theirs._tables)
    assert getattr(mine, "parents_", None) == getattr(theirs, "parents_", None)
    if hasattr(
        theirs, "selection_path_"
    ):  # sums of weights that are no dyadic fractions differ in last digits
        paths = [[asdict(step) for step in model.selection_path_] for model in (mine, theirs)]
        losses = [[step.pop("loss") for step in path] for path in paths]
        assert paths[0] == paths[1]
        np.testing.assert_allclose(*losses, rtol=1e-12, atol=1e-14)
        assert mine.selected_features_ == theirs.selected_features_
    np.testing.assert_array_equal(
        mine.predict_proba(features(table)), theirs.predict_proba(features(table)), strict=True
    )
