"""Error counts of the papers on averaged KDB (2015), adaptive KDB (2019) and AWODE (2021), to the last error.

Protocol: the folds of `PaperKFold`, MDL discretisation inside each training fold, missing as a value,
categorical columns before numeric ones, m-estimate with strength 1, one-dependence estimators in ratio form.
"""

from functools import lru_cache

import numpy as np
import pytest
from reading import MISSING_DATA, available, coded_folds, load, published_counts, reading

from seminaive import AODE, KDB, TAN, MDLPDiscretizer, NaiveBayes
from seminaive.evaluate.resampling import PaperKFold

CLASSIFIERS = {
    "NaiveBayes": NaiveBayes,
    "TAN": TAN,
    "KDB(1)": lambda **options: KDB(k=1, **options),
    "KDB(2)": lambda **options: KDB(k=2, **options),
    "AODE": lambda **options: AODE(conditional="ratio", **options),
}
COLUMNS = {
    "NB": "NaiveBayes",
    "TAN": "TAN",
    "K1DB": "KDB(1)",
    "K2DB": "KDB(2)",
    "KDB": "KDB(2)",
    "AODE": "AODE",
}
PUBLISHED = published_counts(COLUMNS) if available() else {}
ROWS_OF_A_QUICK_RUN = 1000


def cases():
    if not PUBLISHED:
        return [pytest.param("", "", marks=pytest.mark.skip(reason=MISSING_DATA))]
    cells = sorted((reading()[data]["n_rows"], data, classifier) for data, classifier in PUBLISHED)
    return [
        pytest.param(
            data,
            classifier,
            id=f"{data}-{classifier}",
            marks=[pytest.mark.slow] if rows > ROWS_OF_A_QUICK_RUN else [],
        )
        for rows, data, classifier in cells
    ]


@lru_cache(maxsize=1)
def folds_of(data):
    """All classifiers of a data set share its folds."""
    table = load(data)
    return table, list(coded_folds(table))


def fit(model, X, y, classes):
    """Fit; a class without a training row still is one, which only `partial_fit` can be told."""
    if hasattr(model, "partial_fit") and set(classes) - set(y):
        return model.partial_fit(X, y, classes=classes)
    return model.fit(X, y)


@pytest.mark.parametrize(("data", "classifier"), cases())
def test_errors_equal_the_published_count(data, classifier):
    table, folds = folds_of(data)
    errors = 0
    for fold in folds:
        model = fit(CLASSIFIERS[classifier](), fold.X_train, fold.y_train, table.classes)
        errors += int(np.sum(model.predict(fold.X_test) != fold.y_test))
    assert {(errors, len(table.y))} == PUBLISHED[data, classifier]


@pytest.mark.skipif(not available(), reason=MISSING_DATA)
@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize("data", ["heart", "credit-a"])
def test_the_classifier_itself_reads_the_raw_table(data, classifier):
    """Mixed columns, without and with missing values: encoding and discretising inside the estimator."""
    table = load(data)
    errors = 0
    for train, test in PaperKFold().split(table.X):
        model = CLASSIFIERS[classifier](
            categories=table.categories,
            discretizer=MDLPDiscretizer(keep_two_valued=False, root_classes="declared", min_split=3),
            missing="value",
        )
        model.fit(table.X.iloc[train], table.y[train])
        errors += int(np.sum(model.predict(table.X.iloc[test]) != table.y[test]))
    assert {(errors, len(table.y))} == PUBLISHED[data, classifier]
