"""Group I: pickles, versions, scikit-learn conformance."""

from __future__ import annotations

import inspect
import io
import pickle

import joblib
import numpy as np
import pytest
import sklearn
from demand import every_classifier, mixed, spread
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from repeatable import DRAWING, EVERY
from seminaive import (
    AODE,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    NaiveBayes,
    TableEncoder,
    all_classifiers,
)

PARAMETERS = {
    "smoothing",
    "smoothing_strength",
    "class_prior",
    "class_weight",
    "categories",
    "categorical_features",
    "discretizer",
    "missing",
    "unseen",
    "memory_limit",
    "n_jobs",
    "verbose",
}
EVERYTHING = [
    *EVERY.values(),
    TableEncoder,
    MDLPDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
]
everything = pytest.mark.parametrize("estimator", EVERYTHING, ids=lambda estimator: estimator.__name__)


def dumped_by_pickle(model):
    return pickle.loads(pickle.dumps(model))


def dumped_by_joblib(model):
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


@every_classifier
@pytest.mark.parametrize(
    ("copied", "limit"),
    [(dumped_by_pickle, None), (dumped_by_pickle, 80_000), (dumped_by_joblib, None), (clone, None)],
    ids=["pickle", "pickle sparse", "joblib", "clone"],
)
def test_d53_models_survive_a_pickle(classifier, copied, limit):
    rng = np.random.default_rng(0)
    X, y = (
        mixed()
        if limit is None
        else (rng.integers(60, size=(120, 3)).astype(object), rng.integers(2, size=120))
    )
    model = classifier(memory_limit=limit).fit(X, y)
    other = copied(model)
    if copied is clone:
        assert not hasattr(other, "classes_")
        other.fit(X, y)
    np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
    assert other.parents_ == model.parents_
    if hasattr(model, "partial_fit"):
        other.partial_fit(X, y)
        np.testing.assert_allclose(other.class_count_, 2 * model.class_count_)


@everything
def test_d54_init_only_assigns(estimator):
    defaults = {name: p.default for name, p in inspect.signature(estimator).parameters.items()}
    assert inspect.Parameter.empty not in defaults.values()
    # any object is taken as it is; whether it makes sense is for fit to say
    values = {name: object() for name in defaults}
    made = estimator(**values)
    assert vars(made) == values
    assert made.get_params() == values
    assert estimator().get_params(deep=False) == defaults
    other = estimator().set_params(**values)
    assert vars(other) == values


@everything
def test_d54_clone_and_set_params(estimator):
    first = estimator()
    assert clone(first).get_params() == first.get_params()
    with pytest.raises(ValueError, match="bogus"):
        first.set_params(bogus=1)
    with pytest.raises(TypeError, match="bogus"):
        estimator(bogus=1)
    if estimator.__name__ not in DRAWING:
        assert repr(first) == f"{estimator.__name__}()"


@every_classifier
def test_d54_parameters_inside_of_the_discretizer(classifier):
    model = classifier(discretizer=EqualWidthDiscretizer(n_bins=3))
    model.set_params(discretizer__n_bins=4)
    X, y = mixed()
    assert len(model.fit(X, y).schema_[0].cut_points) == 3
    assert clone(model).get_params()["discretizer__n_bins"] == 4
    grid = GridSearchCV(model, {"discretizer__n_bins": [2, 9]}, cv=2).fit(X, y)
    assert grid.best_params_["discretizer__n_bins"] in (2, 9)


def test_d55_no_check_of_scikit_learn_is_expected_to_fail():
    # every public estimator passes every check in tests/classifiers and tests/data; here: none is exempt
    for estimator in EVERYTHING:
        tags = estimator().__sklearn_tags__()
        assert not tags.no_validation
        assert not tags._skip_test
    results = check_estimator(NaiveBayes(), on_fail=None)
    assert {result["status"] for result in results} <= {"passed", "skipped"}
    assert not any(result["expected_to_fail"] for result in results)


# without the one that cuts numbers itself
@pytest.mark.parametrize("classifier", [c for name, c in EVERY.items() if name not in DRAWING])
def test_d56_weights_reach_the_classifier_in_pipelines_and_searches(classifier):
    X, y = mixed()
    weights = np.random.default_rng(0).integers(4, size=len(y)).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(
            TableEncoder().set_fit_request(sample_weight=True),
            classifier(categorical_features="all").set_fit_request(sample_weight=True),
        )
        fitted = pipeline.fit(X, y, sample_weight=weights)
        # codes of rows, weighted, and so the same model as without the pipeline
        direct = classifier().fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(fitted[-1].class_count_, direct.class_count_)
        np.testing.assert_allclose(fitted.predict_proba(X), direct.predict_proba(X), rtol=0, atol=1e-12)

        name = classifier.__name__.lower()
        grid = {f"{name}__smoothing_strength": [0.1, 1], "tableencoder__missing": ["value"]}
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        search = GridSearchCV(pipeline, grid, scoring=scorer, cv=2, error_score="raise")
        search.fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(search.best_estimator_[-1].class_count_.sum(), weights.sum())
        assert search.predict(X).shape == y.shape


@every_classifier
def test_d56_weights_without_routing(classifier):
    X, y = mixed()
    weights = np.random.default_rng(0).integers(4, size=len(y)).astype(float)
    name = classifier.__name__.lower()
    pipeline = make_pipeline(TableEncoder(), classifier(categorical_features="all"))
    pipeline.fit(X, y, tableencoder__sample_weight=weights, **{f"{name}__sample_weight": weights})
    np.testing.assert_allclose(pipeline[-1].class_count_.sum(), weights.sum())
    search = GridSearchCV(classifier(), {"smoothing_strength": [0.5, 1]}, cv=2).fit(
        X, y, sample_weight=weights
    )
    np.testing.assert_allclose(search.best_estimator_.class_count_.sum(), weights.sum())


@spread(outer=["calibrated", "voting", "bagging", "cross-validated"])
def test_d56_inside_of_other_estimators(classifier, outer):
    X, y = mixed()
    if outer == "calibrated":
        assert CalibratedClassifierCV(classifier(), cv=2).fit(X, y).predict_proba(X).shape == (len(y), 3)
    elif outer == "voting":
        voting = VotingClassifier([("a", classifier()), ("b", NaiveBayes())], voting="soft")
        assert voting.fit(X, y).predict_proba(X).shape == (len(y), 3)
    elif outer == "bagging":
        array = X[["height", "visits"]].to_numpy()
        bagging = BaggingClassifier(classifier(), n_estimators=3, max_features=0.5, random_state=0)
        assert bagging.fit(array, y).score(array, y) > 0.5
    else:
        assert cross_val_score(classifier(), X, y, cv=3, scoring="neg_log_loss").mean() > -2


@every_classifier
def test_d57_parameters_in_init_and_data_in_fit(classifier):
    parameters = inspect.signature(classifier).parameters
    assert set(parameters) >= PARAMETERS
    shared = [parameters[name] for name in PARAMETERS]
    assert {parameter.kind for parameter in shared} == {inspect.Parameter.KEYWORD_ONLY}
    assert not {"X", "y", "data", "model", "learner"} & set(parameters)
    assert list(inspect.signature(classifier().fit).parameters) == ["X", "y", "sample_weight"]
    X, y = mixed()
    model = classifier()
    assert model.fit(X, y) is model
    assert is_classifier(model)
    with pytest.raises(ValueError, match="smoothing"):
        classifier(smoothing="m").fit(X, y)


@spread(
    wrong=[
        {"smoothing": "Laplace"},
        {"smoothing": None},
        {"smoothing_strength": -1},
        {"smoothing_strength": np.nan},
        {"smoothing_strength": np.inf},
        {"smoothing_strength": "1"},
        {"missing": "skip"},
        {"missing": None},
        {"missing": {"categorical": "mean"}},
        {"missing": {"nothing": "value"}},
        {"unseen": "warn"},
        {"categories": ["a"]},
        {"class_weight": "balance"},
        {"class_prior": "uniform"},
    ]
)
def test_d57_options_that_make_no_sense(classifier, wrong):
    X, y = mixed()
    (name, value) = next(iter(wrong.items()))
    with pytest.raises((ValueError, TypeError), match=name) as caught:
        classifier(**wrong).fit(X, y)
    shown = (
        value if not isinstance(value, dict) else next(iter({"mean", "nothing"} & {*value, *value.values()}))
    )
    assert str(shown) in str(caught.value) or isinstance(value, list)


def test_d57_options_of_their_own():
    X, y = mixed()
    for wrong in (
        {"frequency_limit": -1},
        {"critical_value": "many"},
        {"conditional": "joint"},
        {"subsumption_resolution": "yes"},
    ):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            AODE(**wrong).fit(X, y)
    for wrong in (-1, 1.5, "two", True, None):
        with pytest.raises(ValueError, match="k must be"):
            all_classifiers()["KDB"](k=wrong).fit(X, y)
