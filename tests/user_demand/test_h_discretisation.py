"""Group H: discretisation, as it shows in the classifiers; the transformers have tests of their own."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from demand import (
    DETERMINED,
    every_classifier,
    every_full_classifier,
    mixed,
    no_warnings,
    quantile_bins,
    spread,
)
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, cross_val_score, cross_validate
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, OneHotEncoder

import seminaive
from seminaive import (
    AODE,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    NaiveBayes,
    TableEncoder,
    UnseenValueWarning,
)

DISCRETIZERS = {
    "mdlp": "mdlp",
    "equal-frequency": "equal-frequency",
    "equal-width": "equal-width",
    "foreign quantile": quantile_bins(2),
    "foreign uniform": KBinsDiscretizer(5, encode="ordinal", strategy="uniform"),
}
OURS = ["mdlp", "equal-frequency", "equal-width"]


@pytest.mark.filterwarnings("ignore:Bins whose width are too small:UserWarning")
@pytest.mark.filterwarnings("ignore:Bins whose width are too small:UserWarning")
@spread(
    discretizer=DISCRETIZERS,
    values=[(0, 1), (-3.5, 1e9), (1.0, np.nextafter(1.0, 2))],
    missing=["ignore", "value", "impute"],
)
def test_d44_two_distinct_values_are_kept_apart(classifier, discretizer, values, missing):
    # 19 of one and one of the other, and nothing to learn of the class
    X = np.array([*[values[0]] * 19, values[1], np.nan, np.nan]).reshape(-1, 1)
    y = [0, 1] * 11
    model = classifier(discretizer=clone(discretizer, safe=False), missing=missing).fit(X, y)
    low, high = model.encoder_.transform(np.array(values).reshape(-1, 1))[:, 0]
    assert low != high
    assert model.uninformative_features_ == []


@every_classifier
def test_d44_the_rule_can_be_switched_off(classifier):
    X, y = np.array([*[0] * 19, 1]).reshape(-1, 1), [0, 1] * 10
    model = classifier(discretizer=MDLPDiscretizer(keep_two_valued=False)).fit(X, y)
    assert model.schema_.n_values.tolist() == [1]
    assert model.uninformative_features_ == ["x0"]


@every_full_classifier
def test_d44_a_flag_keeps_its_interactions(classifier):
    # exclusive or: neither column tells anything alone
    X = pd.DataFrame({"a": [0, 0, 1, 1] * 25, "b": [0, 1, 0, 1] * 25})
    y = X["a"] ^ X["b"]
    model = classifier().fit(X, y)
    assert model.schema_.n_values.tolist() == [2, 2]
    if classifier is not NaiveBayes:
        assert model.score(X, y) == 1


@spread(discretizer=DISCRETIZERS, table=["numpy", "pandas", "polars"])
def test_d45_missing_numbers_are_no_part_of_the_cuts(classifier, discretizer, table):
    X, y = mixed()
    known = X["height"].notna()
    as_table = {
        "numpy": lambda X: X.to_numpy(),
        "pandas": lambda X: X.convert_dtypes(),
        "polars": lambda X: pl.from_pandas(X),
    }[table]
    discretizer = clone(discretizer, safe=False)
    whole = classifier(discretizer=discretizer).fit(as_table(X[["height"]]), y)
    part = classifier(discretizer=discretizer).fit(as_table(X.loc[known, ["height"]]), y[known])
    grid = as_table(pd.DataFrame({"height": np.linspace(150, 220, 50)}))
    np.testing.assert_array_equal(whole.encoder_.transform(grid), part.encoder_.transform(grid))
    assert np.isnan(whole.encoder_.transform(as_table(X.loc[~known, ["height"]]))).all()


@spread(discretizer=DISCRETIZERS)
def test_d46_missing_is_never_a_bin(classifier, discretizer):
    X, y = mixed()
    X = X[["height"]]
    discretizer = clone(discretizer, safe=False)
    hole = X["height"].isna().to_numpy()
    ignoring = classifier(discretizer=discretizer).fit(X, y)
    codes = ignoring.encoder_.encode(X)[0]
    v = ignoring.schema_.n_values[0]
    assert (codes[hole] == v).all()
    assert (codes[~hole] < v).all()
    valued = classifier(discretizer=discretizer, missing="value").fit(X, y)
    codes = valued.encoder_.encode(X)[0]
    assert valued.schema_.n_values[0] == v + 1
    assert set(codes[hole]) == {v}
    assert (codes[~hole] < v).all()


@spread(discretizer=DISCRETIZERS)
def test_d47_outer_bins_have_no_end(classifier, discretizer):
    X, y = mixed()
    X = X[["height", "visits"]].dropna()
    y = y[X.index]
    model = classifier(discretizer=clone(discretizer, safe=False), unseen="error").fit(X, y)
    far = pd.DataFrame({"height": [-1e300, 1e300], "visits": [-(10**9), 10**9]})
    ends = pd.DataFrame({name: [X[name].min(), X[name].max()] for name in X})
    with no_warnings():
        np.testing.assert_array_equal(model.joint_log_likelihood(far), model.joint_log_likelihood(ends))


@spread(discretizer=OURS)
def test_d48_infinity_is_a_number_and_never_a_cut(classifier, discretizer):
    X = np.array([-np.inf, -np.inf, 1, 2, 3, 4, 5, 6, np.inf, np.inf, np.inf, np.nan]).reshape(-1, 1)
    y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0]
    with no_warnings():
        model = classifier(discretizer=discretizer, missing="value").fit(X, y)
        codes = model.encoder_.encode(X)[0]
    cuts = model.schema_[0].cut_points
    assert np.isfinite(cuts).all()
    assert codes[0] == 0
    assert codes[-2] == len(cuts)
    assert codes[-1] == len(cuts) + 1
    infinite = classifier(discretizer=discretizer).fit(np.array([[-np.inf], [np.inf]] * 5), [0, 1] * 5)
    assert infinite.predict([[-np.inf], [np.inf]]).tolist() == [0, 1]


@every_classifier
def test_d48_infinity_only_in_prediction(classifier):
    X, y = mixed()
    model = classifier().fit(X, y)
    row = X.head(2).assign(height=[-np.inf, np.inf])
    ends = X.head(2).assign(height=[X["height"].min(), X["height"].max()])
    np.testing.assert_array_equal(model.joint_log_likelihood(row), model.joint_log_likelihood(ends))


@spread(discretizer=OURS)
def test_d49_cuts_lie_between_distinct_values_whatever_the_order(classifier, discretizer):
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    model = classifier(discretizer=discretizer).fit(X, y)
    other = classifier(discretizer=discretizer).fit(X[order], y[order])
    for j, (attribute, same) in enumerate(
        zip(model.schema_.attributes, other.schema_.attributes, strict=True)
    ):
        assert attribute.cut_points.tolist() == same.cut_points.tolist()
        if discretizer != "equal-width":
            distinct = np.unique(X[:, j])
            middles = (distinct[1:] + distinct[:-1]) / 2
            assert all(np.isclose(middles, cut).any() for cut in attribute.cut_points)
    if discretizer == "mdlp":  # what R's discretization::mdlp gives for iris
        cuts = [attribute.cut_points.round(2).tolist() for attribute in model.schema_.attributes]
        assert cuts == [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]


@every_classifier
def test_d49_a_value_on_the_cut_falls_left(classifier):
    X = np.array([[1.0], [1.0], [2.0], [2.0]] * 5)
    model = classifier().fit(X, [0, 0, 1, 1] * 5)
    assert model.schema_[0].cut_points.tolist() == [1.5]
    assert model.predict([[1.5], [np.nextafter(1.5, 2)]]).tolist() == [0, 1]


@every_classifier
def test_d50_no_accepted_cut(classifier):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"noise": rng.normal(size=60), "same": 1.0, "never": np.nan, "useful": np.arange(60)})
    y = np.arange(60) // 20
    with no_warnings():
        model = classifier().fit(X, y)
        proba = model.predict_proba(X)
    assert model.uninformative_features_ == ["noise", "same", "never"]
    assert model.schema_.n_values[:3].tolist() == [1, 1, 1]
    assert model.score(X, y) == 1
    assert np.isfinite(proba).all()


@every_classifier
def test_d50_foreign_discretizers_report_too(classifier):
    X = np.column_stack([np.zeros(20), np.arange(20)])
    discretizer = FunctionTransformer(lambda column: (column > 9.5).astype(float))
    model = classifier(discretizer=discretizer).fit(X, np.arange(20) // 10)
    assert model.uninformative_features_ == ["x0"]
    assert model.predict([[0, 3], [0, 30]]).tolist() == [0, 1]


@every_classifier
def test_d51_the_discretiser_is_refitted_in_every_fold(classifier):
    X, y = load_iris(return_X_y=True)
    folds = KFold(3, shuffle=True, random_state=0)
    fitted = cross_validate(classifier(), X, y, cv=folds, return_estimator=True)["estimator"]
    for model, (train, _) in zip(fitted, folds.split(X), strict=True):
        expected = MDLPDiscretizer().fit(X[train], y[train]).cut_points_
        for attribute, cuts in zip(model.schema_.attributes, expected, strict=True):
            np.testing.assert_array_equal(attribute.cut_points, cuts)


@every_classifier
def test_d51_nothing_leaks_from_the_test_fold(classifier):
    # noise of many columns and few rows: cuts found on all rows would look good in cross-validation
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 60)), np.arange(60) % 2
    y = rng.permutation(y)
    inside = cross_val_score(classifier(discretizer="mdlp"), X, y, cv=5).mean()
    assert abs(inside - 0.5) < 0.2


def test_d52_nothing_of_our_own_is_compiled_at_installation():
    package = Path(seminaive.__file__).parent
    compiled = {".so", ".pyd", ".dll", ".dylib", ".c", ".cpp", ".pyx", ".f", ".rs", ".a", ".o"}
    assert not {path.suffix for path in package.rglob("*") if path.is_file()} & compiled
    assert importlib.util.find_spec("seminaive").origin.endswith(".py")


# --- policies of numeric columns beyond the rows of the list


@every_classifier
def test_kinds_of_columns(classifier):
    X = pd.DataFrame(
        {
            "float": np.arange(12) / 2,
            "int": np.arange(12),
            "uint": np.arange(12).astype("uint8"),
            "bool": np.arange(12) % 2 == 0,
            "text": list("abcabcabcabc"),
            "object": pd.Series([1, 2.0, "x"] * 4, dtype=object),
            "numbers as objects": pd.Series([1, 2, 3] * 4, dtype=object),
            "category": pd.Categorical([1, 2, 3] * 4),
        }
    )
    y = [0, 1] * 6
    kinds = [attribute.kind for attribute in classifier().fit(X, y).schema_.attributes]
    assert kinds == ["numeric"] * 3 + ["categorical"] * 5
    assert classifier().fit(np.arange(12).reshape(-1, 1), y).schema_[0].kind == "numeric"
    assert classifier().fit(np.arange(12).reshape(-1, 1) % 2 == 0, y).schema_[0].kind == "categorical"
    assert classifier().fit(np.arange(12).reshape(-1, 1).astype(str), y).schema_[0].kind == "categorical"
    assert classifier().fit(np.arange(12).reshape(-1, 1).astype(object), y).schema_[0].kind == "categorical"


@spread(
    spelling=[
        ["int", "float"],
        [1, 0],
        [-4, -5],
        [True, True, False, False, False],
        np.array([True, True, False, False, False]),
        np.array([0, 1]),
        np.array(["int", "float"]),
        np.array(["int", "float"], dtype=object),
        pd.Index(["int", "float"]),
        ("int", "float"),
        ["int", 0],
        [np.int64(0), np.int8(1)],
    ]
)
def test_categorical_features_in_every_spelling(classifier, spelling):
    X = pd.DataFrame(
        {
            "float": [0.5, 1.5, 2.5, 0.5],
            "int": [7, 8, 9, 7],
            "other": [1, 2, 3, 4],
            "text": list("abab"),
            "flag": [True, False] * 2,
        }
    )
    y = [0, 1, 1, 0]
    model = classifier(categorical_features=spelling).fit(X, y)
    kinds = [attribute.kind for attribute in model.schema_.attributes]
    assert kinds == ["categorical", "categorical", "numeric", "categorical", "categorical"]
    assert model.schema_[0].values == (0.5, 1.5, 2.5)
    assert model.schema_[1].values == (7, 8, 9)


@every_classifier
def test_categorical_features_none_and_all(classifier):
    X = pd.DataFrame(
        {"int": [7, 8, 9, 7], "numbers": pd.Series([1, 2.5, None, 4], dtype=object), "text": list("abab")}
    )
    y = [0, 1, 1, 0]

    def kinds(choice):
        model = classifier(categorical_features=choice).fit(X, y)
        return [attribute.kind for attribute in model.schema_.attributes]

    assert kinds("from_dtype") == ["numeric", "categorical", "categorical"]
    assert kinds("all") == ["categorical"] * 3
    # a column of objects that is not marked is numeric if it holds numbers only
    for nothing in (None, [], np.array([], dtype=int), [False] * 3):
        assert kinds(nothing) == ["numeric", "numeric", "categorical"]


@spread(wrong=["everything", [True, False], ["nothing"], [7], [-4]])
def test_categorical_features_that_make_no_sense(classifier, wrong):
    X = pd.DataFrame({"a": [1, 2], "b": [3, 4], "c": [5, 6]})
    with pytest.raises(ValueError, match="categorical_features"):
        classifier(categorical_features=wrong).fit(X, [0, 1])


@every_classifier
def test_no_discretizer_refuses_numbers_with_a_hint(classifier):
    X, y = mixed()
    with pytest.raises(ValueError, match=r"'height'.*discretizer=None.*categorical_features"):
        classifier(discretizer=None).fit(X, y)
    with pytest.raises(ValueError, match="'visits'"):
        classifier(discretizer={"visits": None}).fit(X, y)
    model = classifier(discretizer=None, categorical_features="all").fit(X, y)
    assert {attribute.kind for attribute in model.schema_.attributes} == {"categorical"}


@spread(wrong=["mdl", 5, MDLPDiscretizer, {"visits": "quantile"}])
def test_discretizers_that_make_no_sense(classifier, wrong):
    X, y = mixed()
    with pytest.raises((ValueError, TypeError), match=r"discretizer|instance"):
        classifier(discretizer=wrong).fit(X, y)


@every_classifier
def test_one_discretizer_per_column(classifier):
    X, y = mixed()
    X["visits again"], X["height again"] = X["visits"], X["height"]
    foreign = KBinsDiscretizer(3, encode="ordinal", strategy="uniform")
    model = classifier(
        discretizer={
            "visits": "equal-width",
            "height": EqualFrequencyDiscretizer(n_bins=7),
            "visits again": foreign,
        }
    ).fit(X, y)
    attributes = {attribute.name: attribute for attribute in model.schema_.attributes}
    known = X["height"].dropna().to_numpy()
    expected = EqualFrequencyDiscretizer(n_bins=7).fit(known.reshape(-1, 1)).cut_points_[0]
    np.testing.assert_array_equal(attributes["height"].cut_points, expected)
    expected = EqualWidthDiscretizer().fit(X[["visits"]]).cut_points_[0]
    np.testing.assert_array_equal(attributes["visits"].cut_points, expected)
    assert attributes["visits again"].n_values == 3
    default = classifier().fit(X, y).schema_
    np.testing.assert_array_equal(
        attributes["height again"].cut_points, default[default.names.index("height again")].cut_points
    )
    assert not hasattr(foreign, "bin_edges_")  # the user's object stays as it is


@spread(output=["default", "pandas", "polars"])
def test_foreign_discretizers_under_any_output_setting(classifier, output):
    X, y = mixed()
    foreign = KBinsDiscretizer(3, encode="ordinal", strategy="uniform")
    expected = classifier(discretizer=foreign).fit(X, y).predict_proba(X)
    with sklearn.config_context(transform_output=output):
        model = classifier(discretizer=foreign).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X), expected)
        np.testing.assert_array_equal(
            classifier(discretizer=clone(foreign)).fit(X, y).predict_proba(X), expected
        )


class Failing(TransformerMixin, BaseEstimator):
    """Fits nothing."""

    def fit(self, X, y=None, sample_weight=None):
        raise ValueError("no bins today")

    def transform(self, X):
        return X


@every_classifier
def test_errors_of_foreign_discretizers_name_the_column(classifier):
    X, y = mixed()
    with pytest.raises(ValueError, match=r"'visits'.*no bins today"):
        classifier(discretizer={"visits": Failing()}).fit(X, y)
    for encoder in (OneHotEncoder(), OneHotEncoder(sparse_output=False)):
        with pytest.raises(ValueError, match=r"'visits'.*OneHotEncoder.*one column"):
            classifier(discretizer={"visits": encoder}).fit(X, y)
    infinite = KBinsDiscretizer(3, encode="ordinal", strategy="uniform")
    with pytest.raises(ValueError, match=r"'height'.*infinity"):
        classifier(discretizer={"height": infinite}).fit(
            X.replace({"height": {X["height"].max(): np.inf}}), y
        )


@every_classifier
def test_outputs_of_foreign_discretizers_that_training_had_not(classifier):
    X, y = np.array([[1.2], [2.2], [1.4], [2.9]]), [0, 1, 0, 1]
    floor = FunctionTransformer(np.floor)
    model = classifier(discretizer=floor).fit(X, y)
    with pytest.warns(UnseenValueWarning, match="'x0'"):
        joint = model.joint_log_likelihood([[9.9], [1.9]])
    np.testing.assert_array_equal(joint, model.joint_log_likelihood([[np.nan], [1.2]]))
    with pytest.raises(ValueError, match="'x0'"):
        classifier(discretizer=floor, unseen="error").fit(X, y).predict([[9.9]])


@spread(
    wrong=[
        EqualWidthDiscretizer(n_bins=0),
        EqualFrequencyDiscretizer(n_bins=1),
        MDLPDiscretizer(root_classes="all"),
    ]
)
def test_parameters_of_discretizers_are_checked(classifier, wrong):
    X, y = mixed()
    with pytest.raises(ValueError, match=r"n_bins|root_classes"):
        classifier(discretizer=wrong).fit(X, y)


@spread(DETERMINED, discretizer=DISCRETIZERS)
def test_numeric_columns_that_are_never_observed(classifier, discretizer):
    X, y = mixed()
    expected = classifier(discretizer=clone(discretizer, safe=False)).fit(X, y).predict_proba(X)
    wider = X.assign(never=np.nan)
    for missing in ("ignore", "value", "impute"):
        model = classifier(discretizer=clone(discretizer, safe=False), missing={"never": missing}).fit(
            wider, y
        )
        assert "never" in model.uninformative_features_
        if missing == "ignore":
            np.testing.assert_allclose(model.predict_proba(wider), expected, rtol=0, atol=1e-12)
        model.predict(wider.assign(never=3.5))


def test_supervised_cuts_need_a_target():
    X, _ = mixed()
    with pytest.raises(ValueError, match=r"'height'.*y"):
        TableEncoder().fit(X)
    TableEncoder(discretizer="equal-width").fit(X)


def test_a_numeric_column_stays_as_it_was_cut_in_later_batches():
    X, y = mixed()
    model = AODE().partial_fit(X[:60], y[:60], classes=np.unique(y))
    cuts = [a.cut_points.tolist() for a in model.schema_.attributes if a.cut_points is not None]
    model.partial_fit(X[60:], y[60:])
    assert [a.cut_points.tolist() for a in model.schema_.attributes if a.cut_points is not None] == cuts
