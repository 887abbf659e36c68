"""The options that all classifiers share: their types, defaults and documentation, each said once."""

from __future__ import annotations

from typing import Any, TypedDict

__all__ = ["DEFAULTS", "FRAGMENTS", "Options"]


class Options(TypedDict, total=False):
    """Keyword arguments of every classifier."""

    smoothing: str
    smoothing_strength: float
    class_prior: Any
    class_weight: Any
    categories: Any
    categorical_features: Any
    discretizer: Any
    missing: Any
    unseen: str
    memory_limit: int | None
    n_jobs: int | None
    verbose: int


DEFAULTS: dict[str, Any] = {
    "smoothing": "m-estimate",
    "smoothing_strength": 1.0,
    "class_prior": None,
    "class_weight": None,
    "categories": None,
    "categorical_features": "from_dtype",
    "discretizer": "mdlp",
    "missing": "ignore",
    "unseen": "ignore",
    "memory_limit": None,
    "n_jobs": None,
    "verbose": 0,
}

# what docstrings of classifiers say in the place of %(name)s
FRAGMENTS = {
    "options": """\
smoothing : {"m-estimate", "laplace", "hierarchical"}, default="m-estimate"
    How counts become probabilities, see `seminaive.learn.smoothing`. "hierarchical" adds parents one by one,
    each as far as training rows that are left out support it; it is for `NaiveBayes`, `TAN` and `KDB` only.
smoothing_strength : float, default=1.0
    Imaginary rows in all (m-estimate) or per value (Laplace). 0 means plain frequencies. No effect on
    hierarchical smoothing, which finds its own.
class_prior : None, "empirical" or array-like of shape (n_classes,), default=None
    None smooths class frequencies like every other table, "empirical" takes them as they are, an array
    (in the order of ``classes_``) replaces them.
class_weight : dict, "balanced" or None, default=None
    Factor on the weight of the rows of each class; "balanced" gives every class the same total.
categories, categorical_features, discretizer, missing, unseen
    How columns are read, see `TableEncoder`.
memory_limit : int, default=None
    Bytes that tables may take; None is half of the free memory. Above it tables hold only what occurs in the
    data; where even that is too much, fitting raises MemoryError before it allocates.
n_jobs : int, default=None
    Threads for counting and predicting, as in scikit-learn. Results do not depend on it.
verbose : int, default=0
    1 logs what is counted, to the logger ``seminaive``.""",
    "superparents": """\
frequency_limit : float, default=1
    Least count of a superparent's value; 1 asks that it occurs at all, 0 asks nothing.
conditional : {"direct", "ratio"}, default="direct"
    ``"direct"`` smooths P(x_j | x_a, y) itself: a proper distribution, and what current implementations of
    AODE do; one default for the whole family lets its members be compared by their weights alone.
    ``"ratio"`` divides the smoothed joints P(x_j, x_a, y) / P(x_a, y), whose smoothing is weaker; the
    tables of the paper of 2021 come from it.""",
    "selection": """\
selected_features_ : list of str
    Names of the features that are kept, in the order of the columns.
selection_path_ : SelectionPath
    Every step that was tried, with its leave-one-out loss; ``selection_path_.to_frame()`` is a table.
loss_ : float
    Leave-one-out loss of the model.
mutual_information_ : dict
    Feature name -> I(X_i; Y) in bits.""",
    "attributes": """\
classes_ : ndarray of shape (n_classes,)
    Sorted class labels.
class_count_ : ndarray of shape (n_classes,)
    Sum of weights per class.
parents_ : dict
    Feature name -> names of its parents beside the class, strongest first.
schema_ : Schema
    Kinds, values and cut points of the columns.
encoder_ : TableEncoder
    Turns tables into codes.
uninformative_features_ : list of str
    Numeric columns for which the discretizer found no cut.
n_features_in_ : int
    Number of columns.
feature_names_in_ : ndarray of str of shape (n_features,)
    Only where the table has string column names.""",
}
