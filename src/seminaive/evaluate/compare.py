"""Several classifiers on the same folds of the same data."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from seminaive.data.target import encode_target
from seminaive.evaluate.metrics import LOSSES, align_probabilities, all_losses

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "FoldRecord", "Spread", "compare"]

MEASURES = (*LOSSES, "fit_seconds", "predict_seconds", "seconds")
WARM_UP_ROWS = 100


class Spread(NamedTuple):
    """Mean and sample standard deviation (divisor n - 1) over folds."""

    mean: float
    std: float


@dataclass(frozen=True)
class FoldRecord:
    """What one classifier did on one fold.

    Attributes
    ----------
    classifier : str
        Name of the classifier.
    fold : int
        Number of the fold, from 0.
    n_train, n_test : int
        Rows of the two parts.
    test_weight : float
        Sum of the weights of the test rows; `n_test` without weights.
    zero_one_loss, log_loss, rmse, brier_score : float
        Losses on the test rows; NaN where the classifier failed, and all but the first NaN where it has no
        probabilities.
    fit_seconds, predict_seconds : float
        Wall-clock time of ``fit`` and ``predict_proba`` (``predict`` where there are no probabilities).
    error : str or None
        Type and message of the exception if the classifier failed.
    """

    classifier: str
    fold: int
    n_train: int
    n_test: int
    test_weight: float
    zero_one_loss: float = math.nan
    log_loss: float = math.nan
    rmse: float = math.nan
    brier_score: float = math.nan
    fit_seconds: float = math.nan
    predict_seconds: float = math.nan
    error: str | None = None

    @property
    def seconds(self) -> float:
        """Time of fitting and predicting together."""
        return self.fit_seconds + self.predict_seconds


@dataclass(frozen=True)
class Comparison:
    """Result of `compare`.

    Attributes
    ----------
    records : tuple of FoldRecord
        One for every classifier and fold: classifiers in the given order, folds ascending.
    classes : ndarray of shape (n_classes,)
        All classes of the data.
    """

    records: tuple[FoldRecord, ...]
    classes: np.ndarray

    @property
    def classifiers(self) -> list[str]:
        """Names of the classifiers, in the given order."""
        return list(dict.fromkeys(record.classifier for record in self.records))

    def errors(self) -> dict[str, str]:
        """First error of every classifier that failed on some fold.

        Returns
        -------
        dict of str to str
            Classifier to type and message of the exception.
        """
        first: dict[str, str] = {}
        for record in self.records:
            if record.error is not None:
                first.setdefault(record.classifier, record.error)
        return first

    def summary(self) -> dict[str, dict[str, Spread]]:
        """Mean and standard deviation of every loss and time over the folds that went well.

        Returns
        -------
        dict of str to dict of str to Spread
            Classifier, then ``zero_one_loss``, ``log_loss``, ``rmse``, ``brier_score``, ``fit_seconds``,
            ``predict_seconds`` or ``seconds`` (the sum of both). NaN where there is nothing to average.
        """
        return {
            name: {
                measure: _spread([getattr(record, measure) for record in self._of(name)])
                for measure in MEASURES
            }
            for name in self.classifiers
        }

    def pooled(self, loss: str = "zero_one_loss") -> dict[str, float]:
        """A loss over the test rows of all folds together, as the papers report it.

        Folds count by the weight of their test rows; the RMSE is the root of the mean of the squares. With
        unequal folds this differs from the mean over folds.

        Parameters
        ----------
        loss : str, default="zero_one_loss"
            A key of `seminaive.evaluate.metrics.LOSSES`.

        Returns
        -------
        dict of str to float
            Classifier to loss; NaN for a classifier that failed on some fold.
        """
        _check_loss(loss)
        power = 2 if loss == "rmse" else 1
        return {
            name: float(
                np.average(
                    [getattr(record, loss) ** power for record in self._of(name)],
                    weights=[record.test_weight for record in self._of(name)],
                )
                ** (1 / power)
            )
            for name in self.classifiers
        }

    def best(self, loss: str = "brier_score") -> str:
        """Name of the classifier with the smallest mean of a loss; the earlier one where two are equal.

        Parameters
        ----------
        loss : str, default="brier_score"
            A key of `seminaive.evaluate.metrics.LOSSES`. The default judges the probabilities, not only the
            predicted class, is proper, and a single confident mistake cannot dominate it.

        Returns
        -------
        str
            Only classifiers that went well on every fold take part.

        Raises
        ------
        ValueError
            There is no such loss, or no classifier has it on every fold.
        """
        _check_loss(loss)
        means = {
            name: np.mean([getattr(record, loss) for record in self._of(name)]) for name in self.classifiers
        }
        complete = {name: mean for name, mean in means.items() if not math.isnan(mean)}
        if not complete:
            first = next(iter(self.errors().values()), "none of them has probabilities")
            raise ValueError(f"no classifier has a {LOSSES[loss]} on every fold: {first}")
        return min(complete, key=complete.__getitem__)

    def to_records(self) -> list[dict[str, Any]]:
        """One flat dict per classifier and fold."""
        return [asdict(record) for record in self.records]

    def to_pandas(self) -> pd.DataFrame:
        """One row per classifier and fold (needs pandas)."""
        import pandas as pd

        return pd.DataFrame(self.to_records())

    def _of(self, name: str) -> list[FoldRecord]:
        return [record for record in self.records if record.classifier == name]


def compare(
    classifiers: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    cv: Any = 10,
    random_state: int | None = 0,
    sample_weight: Any = None,
    n_jobs: int | None = None,
    progress: Callable[[int, int, FoldRecord], object] | None = None,
    raise_errors: bool = False,
) -> Comparison:
    """Compare classifiers by cross-validation, all on the same folds.

    Parameters
    ----------
    classifiers : dict of str to estimator
        Any scikit-learn classifiers by name. They are cloned, never changed.
    X : array-like or data frame of shape (n_rows, n_features)
        NumPy array, nested list, SciPy sparse matrix, or any data frame that narwhals reads; each fold gets
        the same type. The classifiers decide what they can read.
    y : array-like of shape (n_rows,)
        Class of each row; none may be missing.
    cv : int, cross-validation generator or iterable, default=10
        A number means stratified folds of shuffled rows. A class with fewer rows than folds is absent from
        the test part of some folds, which is no harm, and with one row from the training part of one: there
        the classifier cannot know it and it counts as probability 0. Where every class has fewer rows than
        folds, the folds are not stratified. A generator (anything with ``split``) or an iterable of pairs of
        row indices is taken as it is.
    random_state : int or None, default=0
        Seed of the shuffling if `cv` is a number.
    sample_weight : array-like of shape (n_rows,), default=None
        Weights of the rows, for fitting and for the losses.
    n_jobs : int or None, default=None
        Folds that run at the same time, by joblib, in threads unless ``joblib.parallel_config`` says
        otherwise. None is one, which gives the cleanest times. The result does not depend on it. Classifiers
        with threads of their own should then have ``n_jobs=None``.
    progress : callable, default=None
        Called as ``progress(done, total, record)`` after each classifier and fold.
    raise_errors : bool, default=False
        Let the first exception of a classifier through instead of recording it.

    Returns
    -------
    Comparison
        The losses and times of each classifier on each fold. A classifier that raises an exception is
        recorded with its error, and the others go on.

    Raises
    ------
    ValueError
        Without classifiers, for missing or continuous targets, or if there are fewer rows than folds.

    Warns
    -----
    Whatever the classifiers warn of is gathered and reported once per category, with its number.

    Notes
    -----
    Each classifier is fitted once on a few rows before the clock starts, so that compiling does not count as
    fitting.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.dummy import DummyClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> result = compare({"GaussianNB": GaussianNB(), "prior": DummyClassifier()}, X, y, cv=5)
    >>> result.best()
    'GaussianNB'
    >>> round(result.summary()["prior"]["zero_one_loss"].mean, 4)
    0.6667
    """
    if not classifiers:
        raise ValueError(
            "there is no classifier to compare; give a dict such as {'naive Bayes': NaiveBayes()}"
        )
    take, n_rows = row_taker(X)
    classes, codes = encode_target(y, n_rows)
    labels = classes[codes]
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    if weights is not None and weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, but there are {n_rows} rows")
    folds = _folds(cv, codes, classes, random_state)

    def one(name: str, fold: int) -> FoldRecord:
        train, test = folds[fold]
        try:
            return _run(name, fold, classifiers[name], take, labels, classes, weights, train, test)
        except Exception as error:
            if raise_errors:
                raise
            message = f"{type(error).__name__}: {' '.join(str(error).split())}"
            return FoldRecord(name, fold, len(train), len(test), _weight(weights, test), error=message)

    tasks = [(name, fold) for name in classifiers for fold in range(len(folds))]
    records: list[FoldRecord] = []
    # one recorder around all threads: inside of them it would not be safe
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _warm_up(classifiers, take, labels, folds[0][0])
        caught.clear()
        run = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
        for record in run(delayed(one)(name, fold) for name, fold in tasks):
            records.append(record)
            if progress is not None:
                progress(len(records), len(tasks), record)
    _report(caught)
    return Comparison(tuple(records), classes)


def _run(
    name: str,
    fold: int,
    classifier: Any,
    take: Callable[[np.ndarray], Any],
    labels: np.ndarray,
    classes: np.ndarray,
    weights: np.ndarray | None,
    train: np.ndarray,
    test: np.ndarray,
) -> FoldRecord:
    options = {} if weights is None else {"sample_weight": weights[train]}
    X_train, X_test = take(train), take(test)
    start = perf_counter()
    model = clone(classifier).fit(X_train, labels[train], **options)
    fitted = perf_counter()
    answer = getattr(model, "predict_proba", model.predict)(X_test)
    predicted = perf_counter()
    probabilities = None
    if hasattr(model, "predict_proba"):
        # asked for apart from the clock: not every classifier predicts its most probable class
        probabilities, answer = align_probabilities(answer, model.classes_, classes), model.predict(X_test)
    test_weights = None if weights is None else weights[test]
    losses: dict[str, Any] = all_losses(
        labels[test], answer, probabilities, labels=classes, sample_weight=test_weights
    )
    return FoldRecord(
        name,
        fold,
        len(train),
        len(test),
        _weight(weights, test),
        **losses,
        fit_seconds=fitted - start,
        predict_seconds=predicted - fitted,
    )


def _weight(weights: np.ndarray | None, rows: np.ndarray) -> float:
    return float(len(rows) if weights is None else weights[rows].sum())


def _folds(
    cv: Any, codes: np.ndarray, classes: np.ndarray, random_state: int | None
) -> list[tuple[np.ndarray, np.ndarray]]:
    placeholder = np.empty((len(codes), 0))
    if not isinstance(cv, int | np.integer):
        splits = check_cv(cv).split(placeholder, codes)
        return [(np.asarray(train), np.asarray(test)) for train, test in splits]
    if cv < 2:
        raise ValueError(f"cv={cv}: cross-validation needs at least 2 folds")
    if len(codes) < cv:
        raise ValueError(f"too few rows for {cv} folds: {len(codes)}; use fewer folds or more rows")
    sizes = np.bincount(codes)
    if sizes.max() < cv:
        warnings.warn(
            f"Every class has fewer rows than there are folds ({cv}): the folds are not stratified.",
            UserWarning,
            stacklevel=3,
        )
        splitter: Any = KFold(cv, shuffle=True, random_state=random_state)
    else:
        splitter = StratifiedKFold(cv, shuffle=True, random_state=random_state)
        rare = int((sizes < cv).sum())
        if rare:
            smallest = int(sizes.argmin())
            warnings.warn(
                f"Fewer rows than folds ({cv}) in {rare} of {len(classes)} classes, the least "
                f"{sizes[smallest]} of {classes[smallest]!s}: such a class is absent from some test parts"
                + (", and a class of one row is unknown when it is tested." if sizes.min() == 1 else "."),
                UserWarning,
                stacklevel=3,
            )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # scikit-learn's own warning of the same
        return list(splitter.split(placeholder, codes))


def row_taker(X: Any) -> tuple[Callable[[np.ndarray], Any], int]:
    """A function from row numbers to the table of these rows, which keeps the type; the number of rows."""
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return (lambda rows: frame[rows].to_native()), len(frame)
    table = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    if isinstance(X, list | tuple) and table.dtype.kind in "US":
        table = np.array(X, dtype=object)  # as strings, 1 and "1" would be one value
    return (lambda rows: table[rows]), table.shape[0]


def _warm_up(
    classifiers: Mapping[str, Any], take: Callable[[np.ndarray], Any], labels: np.ndarray, rows: np.ndarray
) -> None:
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), WARM_UP_ROWS)).astype(int)]
    few = take(rows)
    for classifier in classifiers.values():
        try:
            model = clone(classifier).fit(few, labels[rows])
            getattr(model, "predict_proba", model.predict)(few)
        except Exception:  # it will fail again where it is recorded
            continue


def _report(caught: list[warnings.WarningMessage]) -> None:
    for category, number in Counter(warning.category for warning in caught).items():
        first = next(str(warning.message) for warning in caught if warning.category is category)
        text = first if number == 1 else f"{number} times in the folds, first: {first}"
        warnings.warn(text, category, stacklevel=3)


def _spread(values: list[float]) -> Spread:
    good = [value for value in values if not math.isnan(value)]
    if not good:
        return Spread(math.nan, math.nan)
    return Spread(float(np.mean(good)), float(np.std(good, ddof=1)) if len(good) > 1 else math.nan)


def _check_loss(loss: str) -> None:
    if loss not in LOSSES:
        raise ValueError(f"there is no loss {loss!r}; there are {', '.join(LOSSES)}")
