"""Streamed and in memory are the same, bit for bit."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from streamed import (
    assert_same_model,
    assert_same_schema,
    assert_same_tables,
    features,
    fit_in_memory,
    random_table,
    write_parts,
)

from repeatable import EVERY
from seminaive import (
    AODE,
    KDB,
    AnDE,
    Counts,
    LocalKDB,
    MDLPDiscretizer,
    NaiveBayes,
    TableEncoder,
    count_source,
    evaluate_source,
    from_table,
    scan_arrow,
    scan_parquet,
)
from seminaive.evaluate.metrics import all_losses

CLASSIFIERS = EVERY
OPTIONS: list[dict[str, Any]] = [
    {},
    {"missing": "value"},
    {"missing": "impute"},
    {"missing": {"categorical": "value", "numeric": "impute"}, "discretizer": "equal-frequency"},
    {"class_weight": "balanced"},
    {"class_weight": {"class 0": 2.0}, "discretizer": "equal-width"},
    {"categorical_features": ["c0", "c1", "c2", "i"]},
    {"categories": {"c1": ["d", "c", "b", "a", "z"]}},
    {"discretizer": MDLPDiscretizer(keep_two_valued=False)},
]


def in_files(table: pa.Table, seed: int, folder: str, n_parts: int, batch_rows: int) -> Any:
    paths = write_parts(table, Path(folder), np.random.default_rng(seed), n_parts)
    weight = "w" if "w" in table.column_names else None
    return scan_parquet(paths, target="y", weight=weight, batch_rows=batch_rows)


@pytest.mark.parametrize("name", CLASSIFIERS)
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32),
    n_parts=st.integers(1, 4),
    batch_rows=st.integers(1, 80),
    option=st.integers(0, len(OPTIONS) - 1),
    weights=st.sampled_from(["none", "copies", "halves", "ones", "tenths"]),
)
def test_every_classifier_is_the_same_from_files(name, seed, n_parts, batch_rows, option, weights):
    table = random_table(np.random.default_rng(seed), 90, weights)
    with tempfile.TemporaryDirectory() as folder:
        source = in_files(table, seed, folder, n_parts, batch_rows)
        streamed = CLASSIFIERS[name](**OPTIONS[option]).fit_source(source)
    assert_same_model(streamed, fit_in_memory(CLASSIFIERS[name](**OPTIONS[option]), table), table)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32),
    n_rows=st.integers(1, 150),
    n_parts=st.integers(1, 6),
    batch_rows=st.integers(1, 80),
    option=st.integers(0, len(OPTIONS) - 1),
    weights=st.sampled_from(["none", "copies", "halves", "ones", "tenths"]),
)
@example(seed=0, n_rows=1, n_parts=3, batch_rows=1, option=0, weights="none")
def test_counts_are_the_same_from_files(seed, n_rows, n_parts, batch_rows, option, weights):
    table = random_table(np.random.default_rng(seed), n_rows, weights)
    options = {key: value for key, value in OPTIONS[option].items() if key != "class_weight"}
    with tempfile.TemporaryDirectory() as folder:
        source = in_files(table, seed, folder, n_parts, batch_rows)
        streamed = count_source(source, encoder=TableEncoder(**options), families=[("c0", "x", "i")])
    sample_weight = table["w"].to_numpy() if weights != "none" else None
    counts = Counts.of(
        features(table),
        table["y"],
        sample_weight,
        encoder=TableEncoder(**options),
        families=[("c0", "x", "i")],
    )
    assert_same_schema(streamed.encoder.schema_, counts.encoder.schema_)
    assert streamed.classes.tolist() == counts.classes.tolist()
    assert_same_tables(streamed.tables, counts.tables)


@pytest.mark.parametrize("weights", ["none", "copies"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("AODE", {}),
        ("AODE", {"class_weight": {"class 0": 2.0}, "missing": "impute"}),
        ("KDB", {"missing": "value", "memory_limit": 60_000}),
        ("KDB", {"class_weight": {"class 1": 0.5}}),
        ("LocalKDB", {}),
        ("SelectiveKDB", {"missing": "impute"}),
        ("AdaptiveKDB", {"class_weight": {"class 1": 0.5}}),
        ("SelectiveNaiveBayes", {"criterion": "log_loss"}),
    ],
)
def test_tallies_of_parts_merge_to_the_tally_of_all(name, options, weights):
    """What an engine with several workers does, whatever order they finish in."""
    import copy
    import pickle

    table = random_table(np.random.default_rng(5), 120, weights)

    class Workers:
        def __init__(self, parts, whole):
            self.parts, self.whole = parts, whole
            self.schema, self.n_rows = whole.schema, whole.n_rows
            self.target, self.weight = whole.target, whole.weight
            self.identity, self.declared, self.resumable = whole.identity, whole.declared, False

        def tally(self, empty, columns, watch=None):
            done = []
            for part in self.parts:
                mine = pickle.loads(pickle.dumps(copy.deepcopy(empty)))
                for batch in part.to_batches(max_chunksize=17):
                    mine.add(batch.select(columns))
                done.append(pickle.loads(pickle.dumps(mine)))
            result = done.pop(1)
            for other in done:
                result.merge(other)
            return result

    weight = "w" if weights != "none" else None
    source = from_table(table, target="y", weight=weight)
    parts = [table.slice(0, 40), table.slice(40, 0), table.slice(40, 3), table.slice(43)]
    order = pa.concat_tables([parts[i] for i in (1, 0, 2, 3)])
    streamed = CLASSIFIERS[name](**options).fit_source(Workers(parts, source))
    assert_same_model(streamed, fit_in_memory(CLASSIFIERS[name](**options), order), table)


@pytest.mark.parametrize(
    ("name", "options", "n_passes"),
    [
        ("SelectiveKDB", {"max_k": 2}, 3),  # pairs, families, one for all networks
        ("SelectiveNaiveBayes", {"search": "mi_prefix"}, 2),
        ("AdaptiveKDB", {}, 4),  # features, then dependencies
        ("AdaptiveKDB", {"select_dependencies": False}, 3),
    ],
)
def test_leave_one_out_keeps_no_rows(name, options, n_passes):
    """Memory that holds the tables, not the codes of the rows."""
    table = pa.concat_tables([random_table(np.random.default_rng(0), 200).drop(["x", "flag", "i"])] * 100)
    reference = fit_in_memory(CLASSIFIERS[name](**options), table)
    passes = []

    def batches() -> Any:
        passes.append(len(passes))
        return iter(table.to_batches(max_chunksize=1700))

    source = scan_arrow(batches, target="y")
    model = CLASSIFIERS[name](memory_limit=200_000, **options).fit_source(source)
    assert_same_model(model, reference, table)
    families = 1 if any(len(parents) > 1 for parents in model.parents_.values()) else 0
    assert len(passes) == n_passes + families


def test_all_categorical_columns_take_one_pass():
    table = random_table(np.random.default_rng(0), 50).drop(["x", "flag", "i"])
    once = iter(table.to_batches(max_chunksize=7))
    model = AODE().fit_source(scan_arrow(once, target="y"))
    assert_same_model(model, fit_in_memory(AODE(), table), table)


@pytest.mark.parametrize("indices", [pa.int8(), pa.uint8(), pa.int16(), pa.int32(), pa.int64()])
def test_indices_of_any_width_in_long_batches(indices):
    """Entries in no order, one that only the last of 40,000 rows has, one that none has, missing values."""
    rng = np.random.default_rng(0)
    columns = {
        "y": rng.integers(0, 3, 40_000),
        "a": rng.integers(0, 4, 40_000),
        "b": rng.integers(0, 4, 40_000),
    }
    columns["y"][-1], columns["a"][-1] = 3, 4
    entries = pa.array(["d", "b", "c", "a", "the last", "nowhere"])

    def column(name: str) -> pa.Array:
        mask = rng.random(40_000) < 0.1 if name == "b" else None
        codes = pa.array(columns[name], type=indices, mask=mask)
        return pa.DictionaryArray.from_arrays(codes, entries)

    table = pa.table({name: column(name) for name in columns})
    plain = pa.table({name: table.column(name).cast(pa.string()) for name in columns})
    assert_same_model(
        AODE().fit_source(scan_arrow(table, target="y")), fit_in_memory(AODE(), plain), plain.slice(39_900)
    )


def test_a_structure_that_needs_a_second_pass_asks_for_a_function():
    table = random_table(np.random.default_rng(0), 50).drop(["x", "flag", "i"])
    with pytest.raises(ValueError, match="give a function that returns a new"):
        KDB().fit_source(scan_arrow(iter(table.to_batches()), target="y"))
    model = KDB().fit_source(scan_arrow(lambda: iter(table.to_batches()), target="y"))
    assert_same_model(model, fit_in_memory(KDB(), table), table)


@pytest.mark.parametrize("kind", ["table", "reader", "dataset", "polars", "pandas", "list"])
def test_everything_that_is_arrow_is_a_source(kind, tmp_path):
    import pandas as pd
    import polars as pl
    import pyarrow.dataset as ds

    table = random_table(np.random.default_rng(3), 60).drop(["x", "flag", "i"])
    pq.write_table(table, tmp_path / "a.parquet")
    data = {
        "table": lambda: table,
        "reader": lambda: table.to_reader(max_chunksize=9),
        "dataset": lambda: ds.dataset(tmp_path / "a.parquet"),
        "polars": lambda: pl.from_arrow(table),
        "pandas": lambda: table.to_pandas().astype({"c0": pd.CategoricalDtype()}),
        "list": lambda: table.to_batches(max_chunksize=9),
    }[kind]()
    model = AODE().fit_source(scan_arrow(data, target="y", batch_rows=11))
    expected = fit_in_memory(AODE(), table)
    if kind == "pandas":  # whose categories are declared
        expected = AODE().fit(data.drop(columns="y"), data["y"])
    assert_same_model(model, expected, table)


def test_wide_columns_turn_sparse_where_the_limit_asks_for_it():
    rng = np.random.default_rng(0)
    wide = {f"c{j}": [f"v{k}" for k in rng.integers(0, 300, 500)] for j in range(3)}
    table = pa.table({**wide, "y": rng.integers(0, 2, 500)})
    for limit in (30_000_000, 600_000):
        options = {"memory_limit": limit}
        model = AODE(**options).fit_source(from_table(table, target="y", batch_rows=33))
        reference = fit_in_memory(AODE(**options), table)
        assert (reference._tables.pair_counts is None) == (limit == 600_000)
        assert_same_model(model, reference, table)
    with pytest.raises(MemoryError, match="Widest columns"):
        AODE(memory_limit=30_000).fit_source(from_table(table, target="y"))


def test_rows_that_do_not_fit_are_an_error_before_anything_is_counted(tmp_path):
    table = random_table(np.random.default_rng(0), 3000).drop(["x", "flag", "i"])
    pq.write_table(table, tmp_path / "a.parquet")
    told: list[str] = []
    with pytest.raises(MemoryError, match=r"codes of 3,000 rows x 3 attributes take 33,000 bytes"):
        LocalKDB(memory_limit=20_000).fit_source(
            scan_parquet(tmp_path, target="y"), progress=lambda share, what: told.append(what)
        )
    assert told == []
    with pytest.raises(MemoryError, match="single training rows"):  # the number of rows is not known
        LocalKDB(memory_limit=20_000).fit_source(scan_arrow(lambda: table.to_batches(100), target="y"))


def test_predictions_are_those_in_memory(tmp_path):
    rng = np.random.default_rng(1)
    table = random_table(rng, 150)
    paths = write_parts(table, tmp_path, rng, 3)
    model = fit_in_memory(AODE(), table)
    out = tmp_path / "out.parquet"
    done: list[float] = []
    source = scan_parquet(paths, batch_rows=20)
    n_rows = model.predict_source(source, out, proba=True, progress=lambda share, what: done.append(share))
    assert n_rows == 150
    assert done[-1] == 1.0
    written = pq.read_table(out)
    assert written.column_names == ["prediction", *(f"P({label})" for label in model.classes_)]
    assert written["prediction"].to_pylist() == model.predict(features(table)).tolist()
    probabilities = np.column_stack([written[f"P({label})"].to_numpy() for label in model.classes_])
    np.testing.assert_array_equal(probabilities, model.predict_proba(features(table)))
    assert model.predict_source(source, out) == 150
    assert pq.read_table(out).column_names == ["prediction"]


def test_a_prediction_that_fails_leaves_the_old_file(tmp_path):
    table = random_table(np.random.default_rng(1), 50)
    model = fit_in_memory(NaiveBayes(unseen="error"), table)
    out = tmp_path / "out.parquet"
    out.write_text("old")
    strange = pa.table({**features(table).to_pydict(), "c0": ["never seen"] * 50})
    with pytest.raises(ValueError, match=r"'c0' holds values that were not there .*'never seen'"):
        model.predict_source(from_table(strange), out)
    with pytest.raises(ValueError, match="needs the column 'c0'"):
        model.predict_source(from_table(features(table).drop(["c0"])), out)
    text = table["x"].cast(pa.string())
    with pytest.raises(ValueError, match=r"Column 'x' holds text, and held numbers in training"):
        model.predict_source(from_table(table.set_column(3, "x", text)), out)
    with pytest.raises(ValueError, match="no folder"):
        model.predict_source(from_table(table), tmp_path / "nowhere" / "out.parquet")
    assert out.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]


def test_unseen_values_are_told_once():
    table = random_table(np.random.default_rng(1), 60)
    model = fit_in_memory(NaiveBayes(), table)
    strange = pa.table({**features(table).to_pydict(), "c0": ["never seen"] * 60})
    from seminaive import UnseenValueWarning

    with pytest.warns(UnseenValueWarning, match="'c0'") as told, tempfile.TemporaryDirectory() as folder:
        model.predict_source(from_table(strange, batch_rows=7), Path(folder) / "out.parquet")
    assert len(told) == 1


@pytest.mark.parametrize("weights", ["none", "halves"])
def test_losses_are_those_of_all_rows_together(weights):
    table = random_table(np.random.default_rng(2), 200, weights)
    model = fit_in_memory(AODE(), table.slice(0, 100))
    test = table.slice(100)
    weight = "w" if weights != "none" else None
    streamed = evaluate_source(model, from_table(test, target="y", weight=weight, batch_rows=13))
    labels = np.unique([*model.classes_, *test["y"].to_pylist()])
    probabilities = model.predict_proba(features(test))
    aligned = np.zeros((100, len(labels)))
    aligned[:, np.searchsorted(labels, model.classes_.astype(labels.dtype))] = probabilities
    whole = all_losses(
        test["y"].to_pylist(),
        model.predict(features(test)),
        aligned,
        labels=labels,
        sample_weight=test["w"].to_numpy() if weight else None,
    )
    assert streamed == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop(["c1"]), r"b\.parquet: column 'c1' is missing, which .*a\.parquet has"),
        (lambda t: t.append_column("z", t["c1"]), r"b\.parquet: column 'z' is too much"),
        (
            lambda t: t.set_column(3, "x", t["x"].cast(pa.string())),
            r"b\.parquet: column 'x' holds text, and in .*a\.parquet floating-point numbers",
        ),
    ],
)
def test_files_that_do_not_go_together_are_refused_before_anything_is_read(change, message, tmp_path):
    table = random_table(np.random.default_rng(0), 20)
    pq.write_table(table, tmp_path / "a.parquet")
    pq.write_table(change(table), tmp_path / "b.parquet")
    with pytest.raises(ValueError, match=message):
        scan_parquet(tmp_path, target="y")


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("y", ["a", None, "b"], r"the target 'y' is missing in 1 of 3 rows \(near row 2\)"),
        ("y", [0.5, 1.0, 2.0], "fractional numbers such as 0.5"),
        ("w", [1.0, -1.0, 0.0], "weight 'w' is -1.0 in row 2"),
        ("w", [1.0, 1.0, float("nan")], "weight 'w' is nan in row 3"),
        ("w", [0.0, 0.0, 0.0], "no row of positive weight"),
        ("w", [1e308, 1e308, 1.0], "weight 'w' sums to infinity, above the limit"),
        ("w", [1.0, 1.0, 1e301], r"weight 'w' sums to 1e\+301, above the limit of 1e\+300"),
        ("a", [[1], [2], [3]], "Column 'a'"),
    ],
)
def test_rows_that_make_no_sense(column, values, message):
    columns = {"a": ["x", "y", "x"], "y": ["a", "a", "b"], "w": [1.0, 1.0, 1.0]}
    model = NaiveBayes()
    with pytest.raises((ValueError, TypeError), match=message):
        model.fit_source(from_table(pa.table({**columns, column: values}), target="y", weight="w"))
    assert not hasattr(model, "classes_")


def test_sources_and_options_that_make_no_sense():
    table = pa.table({"a": ["x", "y"], "n": [1.5, 2.5], "y": ["a", "b"]})
    with pytest.raises(ValueError, match=r"no column 'z' \(target=\)"):
        from_table(table, target="z")
    with pytest.raises(ValueError, match="give it target="):
        NaiveBayes().fit_source(from_table(table))
    with pytest.raises(ValueError, match="no column besides"):
        NaiveBayes().fit_source(from_table(table.select(["y"]), target="y"))
    with pytest.raises(ValueError, match=r"not declared: \['y'\]"):
        NaiveBayes(categories={"a": ["x"]}).fit_source(from_table(table, target="y"))
    with pytest.raises(ValueError, match="'n' is numeric and discretizer=None"):
        NaiveBayes(discretizer=None).fit_source(from_table(table, target="y"))
    with pytest.raises(ValueError, match="max_distinct"):
        NaiveBayes().fit_source(from_table(table, target="y"), max_distinct=1)
    from sklearn.preprocessing import KBinsDiscretizer

    with pytest.raises(ValueError, match="'n': KBinsDiscretizer needs all rows at once"):
        NaiveBayes(discretizer=KBinsDiscretizer()).fit_source(from_table(table, target="y"))
    with pytest.raises(TypeError, match="cannot read a int"):
        scan_arrow(5)


def test_a_long_fit_says_how_far_it_is(caplog, monkeypatch):
    from seminaive.classifiers import streaming

    monkeypatch.setattr(streaming, "_SECONDS", 0.0)
    table = random_table(np.random.default_rng(0), 60)
    with caplog.at_level("INFO", logger="seminaive"):
        NaiveBayes(verbose=True).fit_source(from_table(table, target="y", batch_rows=20))
    text = caplog.text
    assert "[NaiveBayes] numeric columns: for 0 s" in text
    assert "[NaiveBayes] counting: for 0 s" in text
    assert "counted 60 rows x 6 attributes" in text


def test_a_fitted_model_stays_as_it_was_where_streaming_fails():
    table = random_table(np.random.default_rng(0), 60)
    model = fit_in_memory(AODE(), table)
    before = model.predict_proba(features(table))
    with pytest.raises(ValueError, match="give it target="):
        model.fit_source(from_table(table))
    missing = table.set_column(table.column_names.index("y"), "y", pa.array([None] * 60, pa.string()))
    with pytest.raises(ValueError, match="target 'y' is missing in 60 of 60 rows"):
        model.fit_source(from_table(missing, target="y"))
    np.testing.assert_array_equal(model.predict_proba(features(table)), before)


def test_counts_of_a_source_make_every_classifier_that_counts_suffice_for(tmp_path):
    table = random_table(np.random.default_rng(4), 120)
    counts = count_source(from_table(table, target="y", batch_rows=50))
    counts.save(tmp_path / "counts")
    again = Counts.load(tmp_path / "counts")
    for make in (NaiveBayes, AODE, KDB):
        if make is KDB:
            families = KDB().families(again)
            again = count_source(from_table(table, target="y"), families=families)
        assert_same_model(make().fit_counts(again), fit_in_memory(make(), table), table)


@pytest.mark.parametrize("max_distinct", [16, 40])
def test_many_distinct_values_give_the_same_whatever_the_batches(max_distinct):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    table = pa.table({"x": y + rng.normal(size=400), "z": rng.exponential(size=400) * 10, "y": y})
    models = [
        AODE().fit_source(from_table(table, target="y", batch_rows=rows), max_distinct=max_distinct)
        for rows in (7, 100, 400)
    ]
    for model in models[1:]:
        assert_same_model(model, models[0], table)
    assert np.mean(models[0].predict(features(table)) == y) > 0.65


@pytest.mark.parametrize("make", [lambda: KDB(k=2), lambda: KDB(k=1), lambda: AODE(), lambda: AnDE(n=2)])
def test_families_that_a_classifier_asks_for(make):
    table = random_table(np.random.default_rng(4), 80)
    counts = count_source(from_table(table, target="y", batch_rows=7), families=make())
    assert_same_model(make().fit_counts(counts), fit_in_memory(make(), table), table)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("scan", [from_table, scan_arrow])
def test_a_frame_declares_values_as_in_memory(kind, scan):
    plain = {"a": ["x", "z", None, "x"], "b": ["u", "v", "u", "u"], "y": ["p", "q", "p", "q"]}
    if kind == "pandas":
        frame = pd.DataFrame(plain).astype({"a": pd.CategoricalDtype(["z", "w", "x"])})
        frame["n"] = pd.Categorical([3, 1, 3, 1], categories=[3, 2, 1])
    else:
        frame = pl.DataFrame({**plain, "n": [3, 1, 3, 1]}, schema_overrides={"a": pl.Enum(["z", "w", "x"])})
    X, y = frame[["a", "b", "n"]], frame["y"]
    model = AODE().fit_source(scan(frame, target="y", batch_rows=2))
    expected = AODE().fit(X, y)
    assert model.schema_[0].values == ("z", "w", "x")
    assert_same_schema(model.schema_, expected.schema_)
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    given = {"a": ["x", "z", "other"]}
    model = AODE(categories=given).fit_source(scan(frame, target="y"))
    assert_same_schema(model.schema_, AODE(categories=given).fit(X, y).schema_)


def test_families_that_counts_cannot_decide_are_refused_before_anything_is_read():
    source = from_table(random_table(np.random.default_rng(4), 80), target="y")
    told: list[str] = []
    for families, options, message in [
        (KDB, {}, r"families= needs a classifier: KDB\(\), not the class"),
        (LocalKDB(), {}, "LocalKDB looks at single training rows"),
        (KDB(), {"pairs": False}, "KDB needs the counts of all pairs"),
        (KDB(k=-1), {}, "k"),
        (KDB(missing="value"), {}, "missing='value' comes too late"),
        (KDB(class_weight="balanced"), {}, "class_weight needs single rows"),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            count_source(source, families=families, progress=lambda _, what: told.append(what), **options)
    assert not told
