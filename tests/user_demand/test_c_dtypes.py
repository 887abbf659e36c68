"""Group C: dtypes of pandas, polars, arrow, and mixed tables."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from demand import ASK, KINDS, coloured, every_classifier, every_kind, mixed, no_warnings, spread
from sklearn.exceptions import NotFittedError

from seminaive import EqualWidthDiscretizer, UnseenValueWarning


@spread(train=["abc", "cab"], deploy=["abc", "cab", "zcyba"], library=["pandas", "polars"])
def test_d15_labels_not_codes(classifier, train, deploy, library):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=40)
    letters = np.where(rng.random((40, 2)) < 0.7, np.array(["a", "b"])[y][:, None], "c")

    def frame(rows, categories):
        if library == "polars":
            return pl.DataFrame({"u": rows[:, 0], "v": rows[:, 1]}).cast(pl.Enum(list(categories)))
        return pd.DataFrame(rows, columns=["u", "v"]).astype(pd.CategoricalDtype(list(categories)))

    expected = classifier().fit(letters, y).predict_proba(letters)
    model = classifier().fit(frame(letters, train), y)
    with no_warnings():  # categories without rows are not unseen values
        actual = model.predict_proba(frame(letters, deploy))
        classifier(unseen="error").fit(letters, y).joint_log_likelihood(frame(letters, deploy).to_numpy())
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12)


@spread(deploy=["pandas category", "polars Enum", "pyarrow dictionary", "polars Categorical"])
def test_d15_only_values_with_rows_are_unseen(classifier, deploy):
    X, y = coloured()
    model = classifier(unseen="error").fit(X, y)
    longer = X.assign(colour=["purple", *X["colour"][1:]])
    rows = every_kind(longer)[deploy][1:]  # the slice remembers purple in its dictionary
    with no_warnings():
        actual = model.predict_proba(rows)
    np.testing.assert_array_equal(actual, model.predict_proba(X[1:]))


@spread(kind=KINDS)
def test_d16_every_kind_of_table_gives_the_same_answer(classifier, kind):
    X, y = coloured()
    X.loc[[2, 9, 30], "colour"] = None
    X.loc[[9, 11], "shape"] = None
    expected = classifier().fit(X.to_numpy(), y).joint_log_likelihood(X.to_numpy())
    table = every_kind(X)[kind]
    with no_warnings():
        model = classifier().fit(table, y)
        np.testing.assert_array_equal(model.joint_log_likelihood(table), expected)
    assert [attribute.kind for attribute in model.schema_.attributes] == ["categorical"] * 3
    assert not any(attribute.has_missing_value for attribute in model.schema_.attributes)


@spread(trained=["pandas object", "pandas category", "polars Enum", "pyarrow dictionary"])
def test_d16_trained_on_one_kind_and_asked_with_another(classifier, trained):
    X, y = coloured()
    X.loc[[2, 9, 30], "colour"] = None
    kinds = every_kind(X)
    del kinds["numpy object"]  # which has no names
    expected = classifier().fit(X, y).predict_proba(X)
    for trained in ("pandas object", "pandas category", "polars Enum", "pyarrow dictionary"):
        model = classifier(unseen="error").fit(kinds[trained], y)
        for kind, table in kinds.items():
            np.testing.assert_allclose(model.predict_proba(table), expected, rtol=0, atol=1e-12, err_msg=kind)


@every_classifier
def test_d16_numbers_in_every_kind_of_table(classifier):
    X, y = mixed()
    X = X[["height", "visits", "smoker"]]
    expected = classifier().fit(X, y).joint_log_likelihood(X)
    nullable, arrow = X.convert_dtypes(), X.convert_dtypes(dtype_backend="pyarrow")
    tables = {
        "pandas nullable": nullable,
        "pandas arrow": arrow,
        "pandas small": X.astype({"visits": "int16", "height": "float64"}),
        "polars": pl.from_pandas(nullable),
        "polars small": pl.from_pandas(X).cast({"visits": pl.UInt8}).fill_nan(None),
        "pyarrow": pa.Table.from_pandas(nullable),
        "pyarrow decimal": pa.Table.from_pandas(X).set_column(
            1, "visits", pa.array(X["visits"]).cast(pa.decimal128(21, 2))
        ),
    }
    for kind, table in tables.items():
        with no_warnings():
            model = classifier().fit(table, y)
            np.testing.assert_array_equal(model.joint_log_likelihood(table), expected, err_msg=kind)
        assert [a.kind for a in model.schema_.attributes] == ["numeric", "numeric", "categorical"], kind


def deployed_integers():
    ints = [3, 1, 2, 1, 3]
    with_null = [3, None, 2, 1, 3]
    return {
        "int8": np.array(ints, dtype=np.int8).reshape(-1, 1),
        "uint64": np.array(ints, dtype=np.uint64).reshape(-1, 1),
        "float": np.array(ints, dtype=float).reshape(-1, 1),
        "float32 with NaN": np.array([3, np.nan, 2, 1, 3], dtype=np.float32).reshape(-1, 1),
        "object": np.array([3, 1.0, np.int8(2), np.float32(1), np.uint16(3)], dtype=object).reshape(-1, 1),
        "pandas float with NaN": pd.DataFrame({"a": with_null}),
        "pandas Int64 with NA": pd.DataFrame({"a": pd.array(with_null, dtype="Int64")}),
        "pandas category": pd.DataFrame({"a": pd.Categorical(ints, categories=[9, 3, 2, 1])}),
        "pandas category of floats": pd.DataFrame({"a": pd.Categorical([3.0, None, 2.0, 1.0, 3.0])}),
        "pandas arrow": pd.DataFrame({"a": pd.Series(with_null, dtype="int32[pyarrow]")}),
        "polars Int8 with null": pl.DataFrame({"a": with_null}, schema={"a": pl.Int8}),
        "polars Float64": pl.DataFrame({"a": ints}).cast(pl.Float64),
        "pyarrow int16 with null": pa.table({"a": pa.array(with_null, pa.int16())}),
        "pyarrow dictionary of numbers": pa.table({"a": pa.array(with_null).dictionary_encode()}),
    }


@pytest.mark.filterwarnings("ignore:X has feature names:UserWarning")
@spread(deployed=list(deployed_integers()), trained=["int", "float", "object", "pandas category"])
def test_d17_one_category_whatever_the_type_of_number(classifier, deployed, trained):
    values = np.array([1, 2, 3, 1, 2, 3, 3, 2, 1]).reshape(-1, 1)
    y = [0, 1, 1, 0, 1, 0, 0, 1, 0]
    table = values.astype({"int": "int64", "float": "float64"}.get(trained, object))
    if trained == "pandas category":
        table = pd.DataFrame(values).astype("category")
    model = classifier(categorical_features="all", unseen="error").fit(table, y)
    assert list(model.schema_[0].values) == [1, 2, 3]
    rows = deployed_integers()[deployed]
    expected = model.joint_log_likelihood(np.array([[3], [1], [2], [1], [3]]))
    if (
        "NaN" in deployed
        or "null" in deployed
        or "NA" in deployed
        or deployed.endswith(("floats", "arrow", "numbers"))
    ):
        expected[1] = model.joint_log_likelihood(np.array([[None]], dtype=object))
    np.testing.assert_array_equal(model.joint_log_likelihood(rows), expected)


@spread(kind=KINDS)
def test_d18_a_null_in_the_batch_leaves_the_other_values_alone(classifier, kind):
    X = pd.DataFrame({"a": list("112233") * 3, "b": list("121323") * 3}, dtype=object)
    y = [0, 0, 1, 1, 0, 1] * 3
    model = classifier(unseen="error").fit(every_kind(X)[kind], y)
    batch = X.head(6).copy()
    batch.loc[2, "a"] = None
    batch.loc[4] = None
    actual = model.joint_log_likelihood(every_kind(batch)[kind])
    whole = model.joint_log_likelihood(every_kind(X.head(6))[kind])
    untouched = [0, 1, 3, 5]
    np.testing.assert_array_equal(actual[untouched], whole[untouched])
    np.testing.assert_allclose(np.exp(actual[4]), [0.5, 0.5], rtol=0, atol=1e-12)


@every_classifier
def test_d19_a_number_and_its_text_are_two_values(classifier):
    cells = [1, "1", 1, "1", 2, "2", (1, "1"), None]
    y = [0, 1, 0, 1, 0, 1, 0, 1]
    tables = {
        "numpy": pd.Series(cells, dtype=object).to_numpy().reshape(-1, 1),
        "list": [[cell] for cell in cells[:6] + cells[7:]],
        "pandas": pd.DataFrame({"a": pd.Series(cells, dtype=object)}),
        "pandas category": pd.DataFrame(
            {"a": pd.Categorical(cells[:6] + [cells[7]] * 2, categories=[1, "1", 2, "2"])}
        ),
        "polars": pl.DataFrame({"a": pl.Series(cells, dtype=pl.Object)}),
    }
    for kind, table in tables.items():
        model = classifier(unseen="error").fit(table, y[: len(table)])
        assert {(type(v), v) for v in model.schema_[0].values} >= {
            (int, 1),
            (str, "1"),
            (int, 2),
            (str, "2"),
        }, kind
        proba = model.predict_proba(table)
        assert proba[0, 0] > 0.5 > proba[1, 0], kind
    with pytest.raises(ValueError, match=r"'1'"):
        classifier(unseen="error").fit(np.array([[1], [2]], dtype=object), [0, 1]).predict(
            np.array([["1"]], dtype=object)
        )


@every_classifier
def test_d20_mixed_tables_without_preparation(classifier):
    X, y = mixed(200)
    model = classifier().fit(X, y)
    kinds = {attribute.name: attribute.kind for attribute in model.schema_.attributes}
    assert kinds == {"height": "numeric", "job": "categorical", "smoker": "categorical", "visits": "numeric"}
    T, truth = mixed(200, seed=1)
    assert model.score(T, truth) > 0.7
    assert classifier().fit(pl.from_pandas(X), y).score(pl.from_pandas(T), truth) == model.score(T, truth)


@every_classifier
@pytest.mark.parametrize("categorical_features", ["from_dtype", "all"])
def test_d21_floats_are_never_cut_to_integers(classifier, categorical_features):
    X = np.tile([[-0.9], [-0.3], [0.2], [0.9]], (10, 1))
    y = np.tile([0, 1, 2, 3], 10)
    model = classifier(categorical_features=categorical_features).fit(X, y)
    assert model.score(X, y) == 1
    assert model.schema_[0].n_values == 4


@every_classifier
def test_d22_no_encoding_by_the_user_and_nothing_before_fit(classifier):
    X, y = coloured()
    model = classifier()
    for ask in ASK:
        with pytest.raises(NotFittedError):
            getattr(model, ask)(X)
    for ask in ("to_dot", "to_networkx"):
        with pytest.raises(NotFittedError):
            getattr(model, ask)()
    assert set(model.fit(X, y).predict(X)) == {"no", "yes"}


# --- dates


def dates():
    days = [datetime.datetime(2020, 1, day) for day in (1, 2, 3, 20, 21, 22)]
    stamps = pd.Series(pd.to_datetime(days))
    hole = [*days[:-1], None]
    text = pl.DataFrame({"when": hole})
    return {
        "pandas ns": pd.DataFrame({"when": pd.Series(pd.to_datetime(hole)).astype("datetime64[ns]")}),
        "pandas s": pd.DataFrame({"when": pd.Series(pd.to_datetime(hole)).astype("datetime64[s]")}),
        "pandas UTC": pd.DataFrame({"when": pd.Series(pd.to_datetime(hole)).dt.tz_localize("UTC")}),
        "pandas arrow": pd.DataFrame({"when": pd.Series(hole, dtype="timestamp[us][pyarrow]")}),
        "polars Datetime": text,
        "polars ms": text.cast(pl.Datetime("ms")),
        "polars Date": text.cast(pl.Date),
        "polars UTC": text.with_columns(pl.col("when").dt.replace_time_zone("UTC")),
        "pyarrow timestamp": pa.table({"when": pa.array(hole)}),
        "pyarrow date": pa.table({"when": pa.array(hole).cast(pa.timestamp("s")).cast(pa.date32())}),
        "numpy": stamps.where(stamps.index < 5).to_numpy(dtype="datetime64[us]").reshape(-1, 1),
    }


@spread(kind=list(dates()))
def test_dates_are_numeric_and_the_same_everywhere(classifier, kind):
    table, y = dates()[kind], [0, 0, 0, 1, 1, 1]
    with no_warnings():
        model = classifier(discretizer=EqualWidthDiscretizer(n_bins=2)).fit(table, y)
        proba = model.predict_proba(table)
    assert model.schema_[0].kind == "numeric"
    # microseconds, halfway between 1 and 21 January
    middle = datetime.datetime(2020, 1, 11, tzinfo=datetime.UTC).timestamp() * 1e6
    assert model.schema_[0].cut_points.tolist() == [middle]
    np.testing.assert_allclose(proba[5], [0.5, 0.5], rtol=0, atol=1e-12)  # NaT
    assert proba[:3, 0].min() > 0.5 > proba[3:5, 0].max()


@every_classifier
def test_durations_are_numeric(classifier):
    spans = pd.DataFrame({"lasted": pd.to_timedelta([1, 2, 3, 10, 11, None], unit="h")})
    for table in (spans, pl.from_pandas(spans), pa.Table.from_pandas(spans)):
        model = classifier(discretizer="equal-width").fit(table, [0, 0, 0, 1, 1, 1])
        assert model.schema_[0].kind == "numeric"
        assert model.predict(table)[:5].tolist() == [0, 0, 0, 1, 1]


@every_classifier
def test_times_of_day_and_dates_as_objects_are_categories(classifier):
    cells = [datetime.time(8), datetime.time(9), datetime.time(8), None]
    y = [0, 1, 0, 1]
    expected = None
    for table in (
        pd.DataFrame({"at": pd.Series(cells, dtype=object)}),
        pl.DataFrame({"at": cells}),
        pa.table({"at": cells}),
    ):
        model = classifier().fit(table, y)
        assert model.schema_[0].kind == "categorical"
        proba = model.predict_proba(table)
        expected = proba if expected is None else expected
        np.testing.assert_array_equal(proba, expected)


# --- what cannot be a category


@spread(cell=[[1, 2], {"k": 1}, {1}, (1, [2])])
def test_unhashable_values_name_column_and_value(classifier, cell):
    X = pd.DataFrame({"fine": list("xyx"), "odd": pd.Series([cell, cell, cell], dtype=object)})
    with pytest.raises((TypeError, ValueError), match=r"'odd'.*[12]"):
        classifier().fit(X, [0, 1, 0])
    model = classifier().fit(X.assign(odd="ok"), [0, 1, 0])
    with pytest.raises((TypeError, ValueError), match=r"'odd'.*[12]"):
        model.predict(X)


@spread(cell={"list": [1, 2], "struct": {"k": 1}}, library=["polars", "pyarrow"])
def test_nested_columns_are_refused_by_name(classifier, cell, library):
    cells = {"fine": ["x", "y", "x"], "odd": [cell] * 3}
    X = pl.DataFrame(cells) if library == "polars" else pa.table(cells)
    with pytest.raises((TypeError, ValueError), match="'odd'"):
        classifier().fit(X, [0, 1, 0])


@spread(
    words={
        "pandas object": pd.DataFrame({"a": ["1", "2"]}, dtype=object),
        "pandas string": pd.DataFrame({"a": ["1", "2"]}, dtype="string"),
        "pandas category": pd.DataFrame({"a": ["1", "2"]}, dtype="category"),
        "pandas words": pd.DataFrame({"a": ["k", "2"]}),
        "polars": pl.DataFrame({"a": ["1", "2"]}),
        "polars words": pl.DataFrame({"a": ["k", "2"]}),
        "pyarrow": pa.table({"a": ["1", "2"]}),
    }
)
def test_text_in_a_numeric_column_is_refused(classifier, words):
    model = classifier().fit(pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0]}), [0, 0, 1, 1])
    with pytest.raises((TypeError, ValueError), match=r"'a'.*'[1k]'"):
        model.predict(words)


@spread(words={"U": np.array([["1"], ["2"]]), "O": np.array([["1"], [2]], dtype=object)})
def test_text_in_a_numeric_column_of_an_array_is_refused(classifier, words):
    model = classifier().fit(np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 1])
    with pytest.raises((TypeError, ValueError), match=r"'x0'.*'1'"):
        model.predict(words)


@every_classifier
def test_numbers_in_a_column_of_text_are_unseen(classifier):
    model = classifier().fit(np.array([["1"], ["2"]]), [0, 1])
    with pytest.warns(UnseenValueWarning, match=r"\b1\b"):
        model.predict(np.array([[1], [2]]))
