"""The policies that no single row of the list asks for: which tables, missing values, fits that fail."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from demand import ASK, coloured, every_classifier, every_kind, mixed, no_warnings, spread

from seminaive import KDB, TAN, NaiveBayes, UnseenValueWarning, all_classifiers

every_incremental = pytest.mark.parametrize(
    "classifier",
    [classifier for classifier in all_classifiers().values() if hasattr(classifier, "partial_fit")],
)

# --- which tables


@spread(make=[scipy.sparse.csr_matrix, scipy.sparse.coo_array, scipy.sparse.csc_array])
def test_sparse_tables_are_refused(classifier, make):
    dense = np.eye(6)
    with pytest.raises(TypeError, match=r"[Ss]parse.*toarray"):
        classifier().fit(make(dense), [0, 1] * 3)
    model = classifier().fit(dense, [0, 1] * 3)
    for ask in ASK:
        with pytest.raises(TypeError, match=r"[Ss]parse.*toarray"):
            getattr(model, ask)(make(dense))


@every_classifier
def test_lazy_frames_are_refused(classifier):
    X, y = coloured()
    lazy = pl.from_pandas(X).lazy()
    with pytest.raises(TypeError, match="collect"):
        classifier().fit(lazy, y)
    with pytest.raises(TypeError, match="collect"):
        classifier().fit(X, y).predict(lazy)


@spread(
    X={
        "1-D": np.arange(4),
        "3-D": np.zeros((4, 2, 2)),
        "pandas series": pd.Series(list("abab")),
        "polars series": pl.Series(list("abab")),
        "flat list": list("abab"),
        "no columns": np.zeros((4, 0)),
        "no rows": np.zeros((0, 2)),
        "pandas no columns": pd.DataFrame(index=range(4)),
        "pandas no rows": pd.DataFrame({"a": []}),
        "polars empty": pl.DataFrame(),
        "pyarrow no rows": pa.table({"a": pa.array([], pa.string())}),
        "number": 5,
        "text": "a table",
        "None": None,
    }
)
def test_what_is_no_table(classifier, X):
    n = len(X) if hasattr(X, "__len__") else 4
    with pytest.raises((ValueError, TypeError)):
        classifier().fit(X, [0, 1, 0, 1][:n])


@spread(
    X={
        "complex": np.array([[1 + 2j], [3]] * 2),
        "structured": np.array([(1, 2.0)] * 4, dtype=[("a", int), ("b", float)]).reshape(-1, 1),
    }
)
def test_arrays_of_other_dtypes_are_refused(classifier, X):
    with pytest.raises((ValueError, TypeError), match=r"[Cc]omplex|dtype"):
        classifier().fit(X, [0, 1] * 2)


@every_classifier
def test_lists_and_tuples_of_rows(classifier):
    rows = [["a", 1], ["b", "1"], ["a", None], ["b", 1.0]] * 3
    y = [0, 1, 0, 1] * 3
    expected = (
        classifier().fit(np.array(rows, dtype=object), y).joint_log_likelihood(np.array(rows, dtype=object))
    )
    for table in (rows, tuple(map(tuple, rows))):
        model = classifier().fit(table, y)
        assert list(model.schema_[1].values) == [1, "1"]
        np.testing.assert_array_equal(model.joint_log_likelihood(table), expected)
    assert classifier().fit([[1.5], [2.5]], [0, 1]).schema_[0].kind == "numeric"


@every_classifier
def test_pandas_sparse_columns(classifier):
    cells = [0, 1, 0, 1, 1, 0]
    y = [0, 1, 0, 1, 0, 1]
    dense = pd.DataFrame({"a": cells, "b": list("xyxyxy")})
    sparse = dense.assign(a=pd.arrays.SparseArray(cells))
    try:
        model = classifier().fit(sparse, y)
    except (TypeError, ValueError) as error:  # refused, by name
        assert "'a'" in str(error)  # noqa: PT017
        return
    expected = classifier().fit(dense, y)
    assert model.schema_[0].kind == "numeric"
    np.testing.assert_array_equal(model.predict_proba(sparse), expected.predict_proba(dense))


@every_classifier
def test_the_index_of_a_frame_is_not_looked_at(classifier):
    X, y = mixed(60)
    expected = classifier().fit(X, y).predict_proba(X)
    for index in (
        [7] * 60,
        np.random.default_rng(0).permutation(60),
        pd.MultiIndex.from_product([range(6), range(10)]),
    ):
        odd = X.set_index(pd.Index(index))
        target = pd.Series(y, index=np.arange(60)[::-1])
        weights = pd.Series(np.ones(60), index=np.arange(60)[::-1])
        model = classifier().fit(odd, target, sample_weight=weights)
        np.testing.assert_array_equal(model.predict_proba(odd), expected)


@every_classifier
def test_views_and_layouts_of_arrays(classifier):
    rng = np.random.default_rng(0)
    base = rng.integers(4, size=(120, 6))
    y = rng.integers(2, size=60)
    for categorical in ("all", "from_dtype"):
        expected = None
        view = base[::2, ::2]
        frozen = view.copy()
        frozen.flags.writeable = False
        for X in (
            view.copy(),
            view,
            np.asfortranarray(view),
            frozen,
            view.astype(">i4"),
            view.astype(np.int8),
        ):
            proba = classifier(categorical_features=categorical).fit(X, y).predict_proba(X)
            expected = proba if expected is None else expected
            np.testing.assert_array_equal(proba, expected)


@every_classifier
def test_integers_of_any_size(classifier):
    huge = np.array([[2**63 + 1], [2**63 + 2], [3], [2**63 + 1]], dtype=np.uint64)
    model = classifier(categorical_features="all", unseen="error").fit(huge, [0, 1, 1, 0])
    assert list(model.schema_[0].values) == [3, 2**63 + 1, 2**63 + 2]
    assert model.predict(huge).tolist() == [0, 1, 1, 0]
    X, y = huge[[0, 1, 0, 1]], [0, 1, 0, 1]  # of a small span
    assert classifier(categorical_features="all").fit(X, y).predict(X).tolist() == y
    assert classifier().fit(X.astype(str), X[:, 0]).classes_.tolist() == [2**63 + 1, 2**63 + 2]
    spread = np.array([[-(2**63)], [2**63 - 1], [0], [-(2**63)]])
    model = classifier(categorical_features="all", unseen="error").fit(spread, [0, 1, 1, 0])
    assert model.predict(spread).tolist() == [0, 1, 1, 0]
    for dtype in (np.int8, np.int16, np.int32):
        ends = np.iinfo(dtype)
        X = np.array([[ends.min], [ends.max], [0], [ends.min]], dtype=dtype)
        for missing in ("ignore", "impute"):
            model = classifier(categorical_features="all", missing=missing).fit(X, [0, 1, 1, 0])
            assert list(model.schema_[0].values) == [ends.min, 0, ends.max]


@every_classifier
def test_the_domain(classifier):
    y = [0, 1, 0, 1, 0]
    cells = ["x", "y", None, "x", "y"]
    declared = {
        "pandas": pd.DataFrame({"a": pd.Categorical(cells, categories=["z", "y", "x", "w"])}),
        "polars": pl.DataFrame({"a": pl.Series(cells, dtype=pl.Enum(["z", "y", "x", "w"]))}),
    }
    for kind, table in declared.items():
        model = classifier().fit(table, y)
        assert list(model.schema_[0].values) == ["z", "y", "x", "w"], kind
        with no_warnings():  # declared is not unseen
            model.predict(table)
    assert list(classifier().fit(pd.DataFrame({"a": cells}), y).schema_[0].values) == ["x", "y"]
    # categories= goes before the dtype
    model = classifier(categories={"a": ["y", "x"]}).fit(declared["pandas"], y)
    assert list(model.schema_[0].values) == ["y", "x"]


@every_classifier
def test_a_declared_domain_holds_no_missing_value(classifier):
    X, y = coloured()
    X.loc[5, "size"] = None
    model = classifier(categories={"size": X["size"].unique()}).fit(X, y)
    assert model.schema_.n_values.tolist() == [3, 3, 3]
    assert set(model.schema_[1].values) == {"S", "M", "L"}


@every_classifier
def test_a_declared_domain_of_numbers(classifier):
    X, y = pd.DataFrame({"age": [1, 2, 3, 1], "b": list("xyxy")}), [0, 1, 0, 1]
    try:
        model = classifier(categories={"age": [1, 2, 3, 4]}).fit(X, y)
    except ValueError as error:  # not ignored in silence
        assert "'age'" in str(error)  # noqa: PT017
        return
    assert model.schema_[0].kind == "categorical"
    assert model.schema_[0].n_values == 4


@spread(declared=[["S", "M"], ["S", "M", "L", "L"], []])
def test_a_declaration_that_does_not_fit(classifier, declared):
    X, y = coloured()
    with pytest.raises(ValueError, match=r"'size'.*(not declared.*'L'|twice)"):
        classifier(categories={"size": declared}).fit(X, y)


@every_classifier
def test_text_that_looks_like_nothing_is_a_value(classifier):
    X = pd.DataFrame({"a": ["nan", "None", "", "NA", "?"] * 2}, dtype=object)
    for table in (X, X.to_numpy().astype(str), pl.from_pandas(X), pa.Table.from_pandas(X)):
        model = classifier(unseen="error").fit(table, [0, 1] * 5)
        assert list(model.schema_[0].values) == ["", "?", "NA", "None", "nan"]


@every_classifier
def test_categories_of_any_hashable_kind(classifier):
    cells = [pd.Interval(0, 1), (1, "a"), frozenset("ab"), b"bytes", True, 2.5, 3 + 0j, None]
    X = pd.DataFrame({"a": pd.Series(cells * 3, dtype=object), "b": pd.cut(np.arange(24), 3)})
    model = classifier(unseen="error").fit(X, [0, 1] * 12)
    assert model.schema_.n_values.tolist() == [7, 3]
    assert pickle.loads(pickle.dumps(model)).predict(X).tolist() == model.predict(X).tolist()


@every_classifier
def test_numbers_that_float_cannot_hold(classifier):
    X = pd.DataFrame({"a": pd.Series([10**400, 1, 2, 3], dtype=object)})
    try:
        model = classifier(categorical_features=[]).fit(X, [0, 1, 0, 1])
    except (ValueError, OverflowError) as error:
        assert "'a'" in str(error)  # noqa: PT017
        return
    assert np.isfinite(model.predict_proba(X)).all()


@every_classifier
def test_masked_entries_are_no_data(classifier):
    values = np.arange(8.0).reshape(-1, 1)
    mask = values > 5
    try:
        model = classifier(discretizer="equal-width").fit(np.ma.masked_array(values, mask), [0, 1] * 4)
    except (TypeError, ValueError):
        return
    expected = classifier(discretizer="equal-width").fit(np.where(mask, np.nan, values), [0, 1] * 4)
    assert model.schema_[0].cut_points.tolist() == expected.schema_[0].cut_points.tolist()


@spread(unit=["ns", "us", "s"])
def test_dates_as_categories(classifier, unit):
    cells = np.array(["2020-01-01", "2020-01-02", "NaT", "2020-01-01"], dtype=f"M8[{unit}]").reshape(-1, 1)
    y = [0, 1, 0, 1]
    frame = pd.DataFrame({"a": cells[:, 0]})
    expected = [pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-02")]
    for table in (cells, frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        model = classifier(categorical_features="all", unseen="error").fit(table, y)
        assert list(model.schema_[0].values) == expected
        model.predict(table)


# --- missing values


@every_classifier
def test_imputed_values(classifier):
    X, y = mixed()
    job, mean = X["job"].mode()[0], X["height"].mean()
    filled = X.fillna({"job": job, "height": mean})
    model, expected = classifier(missing="impute").fit(X, y), classifier().fit(filled, y)
    np.testing.assert_allclose(
        model.predict_proba(X),
        classifier(missing="impute").fit(filled, y).predict_proba(filled),
        rtol=0,
        atol=1e-12,
    )
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(filled), rtol=0, atol=1e-12)
    nothing = X.head(1).astype({"smoker": object}).assign(job=None, height=np.nan, smoker=None, visits=None)
    fill = X.head(1).assign(job=job, height=mean, smoker=X["smoker"].mode()[0], visits=X["visits"].mean())
    np.testing.assert_array_equal(model.joint_log_likelihood(nothing), model.joint_log_likelihood(fill))


@every_classifier
def test_imputed_values_are_those_of_the_weighted_rows(classifier):
    X = pd.DataFrame({"a": ["x", "x", "y", None], "b": [1.0, 2.0, 9.0, np.nan]})
    model = classifier(missing="impute", discretizer="equal-width").fit(
        X, [0, 0, 1, 1], sample_weight=[1, 1, 5, 1]
    )
    codes = model.encoder_.transform(X)
    assert codes[3, 0] == codes[2, 0]  # the mode is y
    mean = (1 + 2 + 45) / 7
    assert codes[3, 1] == np.searchsorted(model.schema_[1].cut_points, mean)


@spread(
    case=[
        ({"categorical": "value", "numeric": "impute"}, [0, 1, 0, 0], [True, False, False, True]),
        ({"categorical": "impute"}, [0, 0, 0, 0], [False, True, True, False]),
        ({"numeric": "value"}, [1, 0, 0, 0], [False] * 4),
        ({"job": "value", "numeric": "value"}, [1, 1, 0, 0], [False] * 4),
        (
            {"height": "impute", "numeric": "value", "categorical": "value"},
            [0, 1, 0, 0],
            [True, False, False, False],
        ),
        ({0: "value", -3: "value"}, [1, 1, 0, 0], [False] * 4),
    ]
)
def test_missing_by_kind_and_by_column(classifier, case):
    missing, n_values, fills = case
    X, y = mixed()
    plain = classifier().fit(X, y).schema_.n_values
    model = classifier(missing=missing, discretizer="equal-width").fit(X, y)
    assert [attribute.has_missing_value for attribute in model.schema_.attributes] == [
        bool(n) for n in n_values
    ]
    assert model.schema_[1].n_values == plain[1] + n_values[1]
    assert [attribute.fill_code is not None for attribute in model.schema_.attributes] == fills


@spread(missing=["ignore", "value", "impute"])
def test_unseen_is_missing_whatever_that_means(classifier, missing):
    X, y = mixed()
    model = classifier(missing=missing).fit(X, y)
    row, hole = X.head(3).assign(job=["?", "a", "!"]), X.head(3).assign(job=[None, "a", None])
    with pytest.warns(UnseenValueWarning, match=r"'job'.*'\?', '!'"):
        actual = model.joint_log_likelihood(row)
    np.testing.assert_array_equal(actual, model.joint_log_likelihood(hole))
    with pytest.raises(ValueError, match=r"'job'.*'\?'"):
        classifier(missing=missing, unseen="error").fit(X, y).predict(row)


@pytest.mark.parametrize("model", [TAN(), KDB(k=1)], ids=str)
def test_an_unseen_parent_is_dropped(model):
    X, y = coloured()
    model.fit(X, y)
    child, (parent,) = next((child, parents) for child, parents in model.parents_.items() if parents)
    row = X.head(1).copy()
    row[[name for name in X if name not in (child, parent)]] = None
    row[parent] = "something else"
    with pytest.warns(UnseenValueWarning, match=parent):
        actual = model.joint_log_likelihood(row)
    expected = NaiveBayes().fit(X[[child]], y).joint_log_likelihood(row[[child]])
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12)


@every_incremental
@pytest.mark.parametrize(
    ("missing", "kind"), [("ignore", "pandas object"), ("value", "polars String"), ("ignore", "numpy object")]
)
def test_batches_bring_new_values(classifier, missing, kind):
    X, y = coloured(80)
    X.loc[45:50, "shape"] = None
    X.loc[60, "colour"] = "purple"
    model = classifier(missing=missing)
    for part in (slice(0, 40), slice(40, 79)):
        model.partial_fit(every_kind(X.iloc[part])[kind], y[part], classes=["no", "yes"])
    X, y = X.iloc[:79], y[:79]
    whole = classifier(missing=missing).fit(X, y)
    assert model.schema_.n_values.tolist() == whole.schema_.n_values.tolist()
    np.testing.assert_allclose(
        model.predict_proba(every_kind(X)[kind]), whole.predict_proba(X), rtol=0, atol=1e-12
    )


@every_incremental
def test_batches_bring_missing_numbers(classifier):
    X = pd.DataFrame({"flag": [0.0, 1.0] * 20, "a": list("xyyx") * 10})
    y = [0, 0, 1, 1] * 10
    X.loc[25:30, "flag"] = np.nan
    model = classifier(missing="value")
    for part in (slice(0, 20), slice(20, 40)):
        model.partial_fit(X[part], y[part], classes=[0, 1])
    whole = classifier(missing="value").fit(X, y)
    assert model.schema_.n_values.tolist() == whole.schema_.n_values.tolist() == [3, 2]
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-12)


@every_incremental
@pytest.mark.parametrize("weighted", ["first", "second", "both"])
def test_batches_with_weights(classifier, weighted):
    X, y = coloured(80)
    weights = np.arange(80) % 3 / 2
    if weighted != "both":
        weights[slice(40, 80) if weighted == "first" else slice(0, 40)] = 1
    model = classifier()
    for number, part in enumerate((slice(0, 40), slice(40, 80)), start=1):
        plain = weighted == {1: "second", 2: "first"}[number]
        model.partial_fit(
            X[part], y[part], classes=["no", "yes"], sample_weight=None if plain else weights[part]
        )
    whole = classifier().fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(model.class_count_, whole.class_count_)
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=0, atol=1e-12)


@every_incremental
def test_batches_of_a_declared_domain_bring_none(classifier):
    X, y = coloured()
    model = classifier(categories={"size": ["S", "M", "L"]}).partial_fit(X, y, classes=["no", "yes"])
    with pytest.warns(UnseenValueWarning, match=r"'size'.*'XXL'"):
        model.partial_fit(X.head(2).assign(size="XXL"), y[:2])
    assert model.schema_[1].n_values == 3


# --- fits that fail


def failures():
    """What can go wrong in fit: arguments and parameters."""
    X, y = coloured()
    fine = {"X": X, "y": y}
    odd = X.copy()
    odd["size"] = pd.Series([[1]] * len(X), dtype=object)
    numbers = X.assign(n=np.arange(len(X)) / 3)
    return {
        "no target": ({**fine, "y": None}, {}),
        "target with holes": ({**fine, "y": np.r_[y[:-1].astype(object), [None]]}, {}),
        "short target": ({**fine, "y": y[:-1]}, {}),
        "continuous target": ({**fine, "y": np.linspace(0, 1, len(y))}, {}),
        "negative weight": ({**fine, "sample_weight": -np.ones(len(y))}, {}),
        "no weight": ({**fine, "sample_weight": np.zeros(len(y))}, {}),
        "unhashable": ({**fine, "X": odd}, {}),
        "repeated names": ({**fine, "X": X.set_axis(["a", "a", "b"], axis=1)}, {}),
        "names of several types": ({**fine, "X": X.set_axis(["a", 1, "b"], axis=1)}, {}),
        "sparse": ({**fine, "X": scipy.sparse.csr_matrix(np.eye(len(y)))}, {}),
        "lazy": ({**fine, "X": pl.from_pandas(X).lazy()}, {}),
        "undeclared value": (fine, {"categories": {"shape": ["round"]}}),
        "unknown column": (fine, {"missing": {"nothing": "value"}}),
        "no discretizer": ({**fine, "X": numbers}, {"discretizer": None}),
        "bogus discretizer": ({**fine, "X": numbers}, {"discretizer": "bogus"}),
        "bogus smoothing": (fine, {"smoothing": "bogus"}),
        "prior of another length": (fine, {"class_prior": [0.2, 0.3, 0.5]}),
        "bogus class weight": (fine, {"class_weight": {"maybe": 2}}),
        "memory": (fine, {"memory_limit": 1}),
    }


@spread(failure=list(failures()))
def test_a_fit_that_fails_leaves_everything_as_it_was(classifier, failure):
    arguments, parameters = failures()[failure]
    unfitted = classifier(**parameters)
    before = dict(vars(unfitted))
    with pytest.raises((ValueError, TypeError, MemoryError)):
        unfitted.fit(**arguments)
    assert vars(unfitted) == before

    X, y = mixed(40)
    fitted = classifier().fit(X, y)
    fitted.set_params(**parameters)
    before = pickle.dumps(fitted)
    with pytest.raises((ValueError, TypeError, MemoryError)):
        fitted.fit(**arguments)
    assert pickle.dumps(fitted) == before
    assert fitted.predict(X).shape == y.shape


@every_incremental
def test_a_batch_that_fails_leaves_everything_as_it_was(classifier):
    X, y = mixed(60)
    model = classifier(class_prior=[0.2, 0.3, 0.5]).partial_fit(X[:40], y[:40], classes=["low", "mid", "top"])
    before = pickle.dumps(model)
    more, labels = X[40:], y[40:]
    for arguments in (
        (more, labels[:-1]),
        (more, ["bottom"] * 20),
        (more[["job", "height", "smoker", "visits"]], labels),
        (more.drop(columns="job"), labels),
        (more.assign(height="tall"), labels),
        (more.assign(job=pd.Series([[1]] * 20, index=more.index, dtype=object)), labels),
        (more, labels, ["low", "mid"]),
        (more, labels, None, -np.ones(20)),
        (more, labels, None, np.zeros(20)),
    ):
        with pytest.raises((ValueError, TypeError)):
            model.partial_fit(*arguments)
        assert pickle.dumps(model) == before
    model.set_params(memory_limit=1)
    with pytest.raises(MemoryError):
        model.partial_fit(more, labels)
    first = classifier(class_prior=[1, 1, 1])
    with pytest.raises(ValueError, match="class_prior"):
        first.partial_fit(X, y, classes=["low", "mid", "top", "none"])
    assert not hasattr(first, "classes_")
    assert not hasattr(first, "_tables")


@every_classifier
@pytest.mark.filterwarnings("ignore:X does not have valid feature names:UserWarning")
def test_a_prediction_that_fails_leaves_everything_as_it_was(classifier):
    X, y = mixed(40)
    model = classifier(unseen="error").fit(X, y)
    before = pickle.dumps(model)
    for wrong in (X.assign(job="?"), X.assign(height="tall"), X[["job"]], X.to_numpy()[:, :2], None):
        for ask in ASK:
            with pytest.raises((ValueError, TypeError)):
                getattr(model, ask)(wrong)
    assert pickle.dumps(model) == before


@every_classifier
def test_fitting_again_forgets_everything(classifier):
    X, y = mixed(60)
    Z, z = coloured()
    again = classifier().fit(X, y).fit(Z.to_numpy(), z)
    once = classifier().fit(Z.to_numpy(), z)
    assert set(vars(again)) == set(vars(once))
    np.testing.assert_array_equal(again.predict_proba(Z.to_numpy()), once.predict_proba(Z.to_numpy()))


@every_classifier
def test_arguments_are_not_changed(classifier):
    X, y = mixed()
    weights = np.arange(len(y)) % 3.0
    parameters = {
        "categories": {"job": ["a", "b", "c", "d"]},
        "missing": {"height": "value"},
        "class_weight": {"low": 2.0},
        "class_prior": [0.2, 0.3, 0.5],
        "discretizer": {"visits": "equal-width"},
    }
    before = pickle.dumps((X, y, weights, parameters))
    classifier(**parameters).fit(X, y, sample_weight=weights).predict(X)
    assert pickle.dumps((X, y, weights, parameters)) == before
