"""Invariances that every classifier of the package keeps, as checks to run on a classifier of your own.

Each check takes an unfitted classifier, which it clones, and raises AssertionError with the numbers that
differ. `check_classifier` runs them all on a few small tables.
"""

from __future__ import annotations

import importlib.util
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone

from seminaive.exceptions import ImpossibleEvidenceWarning, UnseenValueWarning

__all__ = [
    "check_classes_by_label",
    "check_classifier",
    "check_jobs",
    "check_prediction_changes_nothing",
    "check_probabilities",
    "check_row_order",
    "check_sources",
    "check_values_by_label",
    "check_weights_are_copies",
    "check_zero_weight_is_absence",
    "tables_of_all_kinds",
]

_TOLERANCE = 1e-9


def _same(actual: Any, desired: Any, what: str) -> None:
    np.testing.assert_allclose(actual, desired, rtol=0, atol=_TOLERANCE, err_msg=what)


def _probabilities(classifier: Any, X: Any, y: Any, X_test: Any, sample_weight: Any = None) -> Any:
    return clone(classifier).fit(X, y, sample_weight=sample_weight).predict_proba(X_test)


def check_probabilities(classifier: Any, X: Any, y: Any, X_test: Any, sample_weight: Any = None) -> None:
    """Probabilities are finite and sum to one, all methods agree, and a row without any value gets the prior.

    Parameters
    ----------
    classifier : classifier, unfitted
    X : array of object, shape (n_samples, n_features)
        Strings; None is a missing value.
    y : array, shape (n_samples,)
    X_test : array of object, shape (n_test_samples, n_features)
    sample_weight : array, shape (n_samples,), or None

    Examples
    --------
    >>> import numpy as np
    >>> from seminaive import NaiveBayes
    >>> from seminaive.testing.checks import check_probabilities
    >>> X = np.array([["a"], ["b"], [None]], dtype=object)
    >>> check_probabilities(NaiveBayes(), X, ["no", "yes", "no"], X)
    """
    model = clone(classifier).fit(X, y, sample_weight=sample_weight)
    classes = model.classes_
    proba, joint = model.predict_proba(X_test), model.joint_log_likelihood(X_test)
    assert list(classes) == sorted(classes), "classes_ is not sorted"
    assert proba.shape == joint.shape == (len(X_test), len(classes))
    assert np.isfinite(proba).all(), "a probability is not finite"
    assert (proba >= 0).all(), "a probability is negative"
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-12, err_msg="sum of a row")
    np.testing.assert_array_equal(model.predict(X_test), np.asarray(classes)[proba.argmax(axis=1)])
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(model.predict_log_proba(X_test), np.log(proba), rtol=0, atol=_TOLERANCE)
    assert not np.isnan(joint).any(), "a joint probability is not a number"
    possible = joint.max(axis=1) > -np.inf
    shares = np.exp(joint[possible] - joint[possible].max(axis=1, keepdims=True))
    _same(proba[possible], shares / shares.sum(axis=1, keepdims=True), "posterior from the joint")

    nothing = np.full((1, np.shape(X)[1]), None, dtype=object)
    prior = np.exp(model.joint_log_likelihood(nothing))
    _same(model.predict_proba(nothing), prior, "a row without any value gets the prior")


def check_prediction_changes_nothing(classifier: Any, X: Any, y: Any, X_test: Any) -> None:
    """The pickled model is the same before and after predicting, and predicts the same."""
    model = clone(classifier).fit(X, y)
    before = pickle.dumps(model)
    proba = model.predict_proba(X_test)
    model.predict(X_test), model.predict_log_proba(X_test), model.joint_log_likelihood(X_test)
    assert pickle.dumps(model) == before, "predicting changed the model"
    np.testing.assert_array_equal(model.predict_proba(X_test), proba)
    np.testing.assert_array_equal(pickle.loads(before).predict_proba(X_test), proba)


def check_row_order(classifier: Any, X: Any, y: Any, X_test: Any, order: Any) -> None:
    """The order of the training rows does not matter; ``order`` is a permutation of them."""
    X, y = np.asarray(X, dtype=object), np.asarray(y)
    _same(
        _probabilities(classifier, X[order], y[order], X_test),
        _probabilities(classifier, X, y, X_test),
        "rows in another order",
    )


def check_weights_are_copies(classifier: Any, X: Any, y: Any, X_test: Any, copies: Any) -> None:
    """An integer weight equals that many copies of the row; ``copies`` holds one for each row."""
    X, y = np.asarray(X, dtype=object), np.asarray(y)
    _same(
        _probabilities(classifier, X, y, X_test, sample_weight=copies),
        _probabilities(classifier, np.repeat(X, copies, axis=0), np.repeat(y, copies), X_test),
        "weights against copies",
    )


def check_zero_weight_is_absence(classifier: Any, X: Any, y: Any, X_test: Any) -> None:
    """Rows of weight zero leave no trace, even with values and a class that occur nowhere else."""
    X, codes = np.asarray(X, dtype=object), np.unique(y, return_inverse=True)[1]
    stranger = np.full((1, X.shape[1]), "only in a row of weight zero", dtype=object)
    more_rows = np.concatenate([stranger, X[:1], X])
    more_codes = np.concatenate([[0, codes.max() + 1], codes])
    weights = np.concatenate([[0.0, 0.0], np.ones(len(codes))])
    _same(
        _probabilities(classifier, more_rows, more_codes, X_test, weights),
        _probabilities(classifier, X, codes, X_test),
        "rows of weight zero",
    )


def check_values_by_label(classifier: Any, X: Any, y: Any, X_test: Any) -> None:
    """Other names for the values, in another alphabetical order, change nothing."""

    def renamed(table: Any) -> Any:
        # reversed spelling: another order, and still one name for one value
        cells = [[None if cell is None else f"{cell[::-1]}!" for cell in row] for row in table]
        return np.array(cells, dtype=object).reshape(np.shape(table))

    _same(
        _probabilities(classifier, renamed(X), y, renamed(X_test)),
        _probabilities(classifier, X, y, X_test),
        "renamed values",
    )


def check_classes_by_label(classifier: Any, X: Any, y: Any, X_test: Any) -> None:
    """Other names for the classes, in reversed order, only reverse the columns."""
    codes = np.unique(y, return_inverse=True)[1]
    _same(
        _probabilities(classifier, X, -codes, X_test)[:, ::-1],
        _probabilities(classifier, X, y, X_test),
        "renamed classes",
    )


def check_jobs(classifier: Any, X: Any, y: Any, X_test: Any, sample_weight: Any = None) -> None:
    """The number of threads does not change a bit of the result."""
    one, two = (clone(classifier).set_params(n_jobs=n).fit(X, y, sample_weight=sample_weight) for n in (1, 2))
    np.testing.assert_array_equal(two.joint_log_likelihood(X_test), one.joint_log_likelihood(X_test))


def tables_of_all_kinds(X: Any, names: list[str]) -> dict[str, Any]:
    """The same table of strings in every form that the installed libraries offer.

    Parameters
    ----------
    X : array of object, shape (n_samples, n_features)
        Strings; None is a missing value.
    names : list of str
        Names of the columns.

    Returns
    -------
    dict of str to table

    Examples
    --------
    >>> import numpy as np
    >>> from seminaive.testing.checks import tables_of_all_kinds
    >>> tables = tables_of_all_kinds(np.array([["a"], [None]], dtype=object), ["letter"])
    >>> tables["pyarrow string"].column_names
    ['letter']
    """
    columns = {name: list(np.asarray(X, dtype=object)[:, i]) for i, name in enumerate(names)}
    tables: dict[str, Any] = {"numpy object": np.asarray(X, dtype=object)}
    if importlib.util.find_spec("pandas"):
        import pandas as pd

        frame = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})
        tables |= {f"pandas {dtype}": frame.astype(dtype) for dtype in ("object", "string", "category")}
    if importlib.util.find_spec("polars"):
        import polars as pl

        text = pl.DataFrame(columns, schema=dict.fromkeys(names, pl.String))
        enums = {
            name: pl.Enum(sorted({cell for cell in cells if cell is not None}, reverse=True))
            for name, cells in columns.items()
        }
        tables |= {
            "polars String": text,
            "polars Categorical": text.cast(pl.Categorical),
            "polars Enum": text.cast(enums),
        }
    if importlib.util.find_spec("pyarrow"):
        import pyarrow as pa

        arrays = {name: pa.array(cells, pa.string()) for name, cells in columns.items()}
        tables["pyarrow string"] = pa.table(arrays)
        tables["pyarrow dictionary"] = pa.table(
            {name: array.dictionary_encode() for name, array in arrays.items()}
        )
    return tables


def check_sources(classifier: Any, X: Any, y: Any, X_test: Any) -> None:
    """The same table gives the same result in whatever form it comes."""
    names = [f"column {i}" for i in range(np.shape(X)[1])]
    test_tables = tables_of_all_kinds(X_test, names)
    expected = _probabilities(classifier, np.asarray(X, dtype=object), y, np.asarray(X_test, dtype=object))
    for kind, table in tables_of_all_kinds(X, names).items():
        _same(_probabilities(classifier, table, y, test_tables[kind]), expected, kind)


def check_classifier(classifier: Any, random_state: int = 0) -> None:
    """Run every check of this module on small random tables.

    Parameters
    ----------
    classifier : classifier, unfitted
        One with a ``random_state`` gets an int. Names of values and classes may change what it draws, so that
        they are not checked.
    random_state : int, default 0
        Seed of the tables, and of the classifier.

    Raises
    ------
    AssertionError
        If one of the invariances does not hold.

    Examples
    --------
    >>> from seminaive import AODE
    >>> from seminaive.testing.checks import check_classifier
    >>> check_classifier(AODE())
    """
    rng = np.random.default_rng(random_state)
    draws = "random_state" in classifier.get_params()
    if draws:
        classifier = clone(classifier).set_params(random_state=random_state)
    by_label = [] if draws else [check_values_by_label, check_classes_by_label]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenValueWarning)
        warnings.simplefilter("ignore", ImpossibleEvidenceWarning)
        for n_rows, n_columns, n_classes, share_missing in [(30, 4, 3, 0.1), (20, 1, 2, 0.0), (5, 3, 1, 0.3)]:

            def table(rows: int, columns: int = n_columns, missing: float = share_missing) -> Any:
                cells = rng.choice(np.array(["red", "green", "blue"], dtype=object), (rows, columns))
                cells[rng.random((rows, columns)) < missing] = None
                return cells

            X, X_test = table(n_rows), table(8)
            X_test[0, 0] = "a colour that training never saw"
            y = np.array([f"class {label}" for label in rng.integers(n_classes, size=n_rows)])
            copies = rng.integers(3, size=n_rows)
            copies[0] = 1
            plain: list[Callable[..., None]] = [
                check_probabilities,
                check_prediction_changes_nothing,
                check_zero_weight_is_absence,
                check_jobs,
                check_sources,
                *by_label,
            ]
            for check in plain:
                check(classifier, X, y, X_test)
            check_row_order(classifier, X, y, X_test, rng.permutation(n_rows))
            check_weights_are_copies(classifier, X, y, X_test, copies)
