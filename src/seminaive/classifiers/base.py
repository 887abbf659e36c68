"""What every classifier is: the public methods, once. A subclass supplies the mathematics."""

from __future__ import annotations

import inspect
import logging
import re
import time
from textwrap import indent
from typing import Any, Unpack

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from seminaive.classifiers.options import DEFAULTS, FRAGMENTS, Options
from seminaive.counts.plan import CountPlan, default_memory_limit
from seminaive.counts.tables import CountTables, count, count_families
from seminaive.data.checks import check_names, check_option
from seminaive.data.encode import TableEncoder
from seminaive.data.schema import Schema
from seminaive.data.table import as_table
from seminaive.data.target import check_sample_weight, class_weights, encode_target
from seminaive.learn.leave_one_out import TrainingRows
from seminaive.learn.posterior import log_normalized
from seminaive.learn.smoothing import Smoothing, safe_log
from seminaive.parallel import run_blocks

__all__ = ["BayesianNetworkClassifier", "row_blocks"]

BLOCK_ROWS = 1024  # rows that are scored at a time

_logger = logging.getLogger("seminaive")


class BayesianNetworkClassifier(ClassifierMixin, BaseEstimator):
    """Base of all classifiers: reads tables, counts, and turns log joints into predictions.

    A subclass supplies functions of plain values:

    - ``_plan(schema)``: which tables to count.
    - ``_structure(tables)`` and ``_families(structure)``, where a structure is learned first: what it is, and
      which further tables it needs.
    - ``_structure_of(tables, rows)`` or ``_select(tables, structure, rows)``, where single training rows have
      a say, before or after the further tables.
    - ``_learn(tables, structure)``: fitted attributes as a dict.
    - ``_score(codes, start, stop, joint)``: write log P(x, y) of some rows into ``joint``.

    Parameters
    ----------
    %(options)s
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        unknown = sorted(set(options) - set(DEFAULTS))
        if unknown:
            raise TypeError(
                f"{type(self).__name__}() has no parameter {unknown[0]!r}. "
                f"Parameters: {self._get_param_names()}."
            )
        for name, default in DEFAULTS.items():
            setattr(self, name, options.get(name, default))

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _describe(cls)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    # ---- what a subclass supplies

    _blocks_at_a_time = 1

    def _check_parameters(self) -> None:
        """Raise a ValueError for own parameters that make no sense."""

    def _plan(self, schema: Schema) -> CountPlan:
        raise NotImplementedError

    def _structure(self, tables: CountTables) -> Any:
        """What the first tables say about the structure, where it is learned; handed on to the next two."""
        return None

    def _structure_of(self, tables: CountTables, rows: TrainingRows) -> Any:
        """The same where single training rows have a say."""
        return self._structure(tables)

    def _families(self, structure: Any) -> CountPlan | None:
        """Tables that are counted in a second pass, once the structure is known."""
        return None

    def _select(self, tables: CountTables, structure: Any, rows: TrainingRows) -> Any:
        """The structure after a choice that the training rows decide with all tables at hand."""
        return structure

    def _learn(self, tables: CountTables, structure: Any) -> dict[str, Any]:
        raise NotImplementedError

    def _score(self, codes: np.ndarray, start: int, stop: int, joint: np.ndarray) -> None:
        """Write log P(x, y) of the rows from ``start`` to ``stop`` into the zeros of ``joint`` (rows, K)."""
        raise NotImplementedError

    # ---- fitting

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learn from a table.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            NumPy array, nested list, pandas, polars or pyarrow table, or anything that narwhals reads.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight k counts like k copies of the row, weight 0 like its absence.

        Returns
        -------
        object
            The fitted classifier itself.

        Raises
        ------
        ValueError
            For tables, targets, weights or parameters that make no sense; the message names the column, the
            value and the remedy. A classifier that was fitted before stays as it was.
        MemoryError
            Before anything is allocated, if the tables exceed ``memory_limit``.
        """
        self._check_options()
        encoder, classes, rows = self._read(X, y, sample_weight)
        tables, structure = self._count(encoder.schema_, rows, classes)
        return self._adopt(encoder, classes, tables, structure)

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[TableEncoder, np.ndarray, TrainingRows]:
        """Encoder, classes, and the coded rows that count."""
        table = as_table(X)
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        classes, labels = encode_target(y, table.n_rows)
        weights = check_sample_weight(sample_weight, table.n_rows)
        if weights is not None and not weights.all():
            rows = np.flatnonzero(weights)
            table, weights = table.take(rows), weights[rows]
            present, labels = np.unique(labels[rows], return_inverse=True)
            classes = classes[present]
        copies = None if weights is None else np.maximum(weights, 1.0)
        weights = self._class_weighted(classes, labels, weights)
        encoder = self._new_encoder()
        codes = encoder.learn(X, table, labels, weights, len(classes), self.n_jobs)
        return encoder, classes, TrainingRows(codes, labels, weights, copies)

    def _new_encoder(self) -> TableEncoder:
        return TableEncoder(
            categories=self.categories,
            categorical_features=self.categorical_features,
            discretizer=self.discretizer,
            missing=self.missing,
            unseen=self.unseen,
        )

    def _class_weighted(
        self, classes: np.ndarray, labels: np.ndarray, weights: np.ndarray | None
    ) -> np.ndarray | None:
        if self.class_weight is None:
            return weights
        factors = class_weights(self.class_weight, classes, labels, weights)[labels]
        return factors if weights is None else weights * factors

    def _check_options(self) -> None:
        Smoothing(self.smoothing, self.smoothing_strength)
        check_option("unseen", self.unseen, ("ignore", "error"))
        limit = self.memory_limit
        if limit is not None and not (
            isinstance(limit, int | np.integer) and limit is not True and limit > 0
        ):
            raise ValueError(f"memory_limit must be a positive number of bytes or None, got {limit!r}.")
        jobs = self.n_jobs
        if jobs is not None and not (isinstance(jobs, int | np.integer) and jobs != 0 and jobs is not True):
            raise ValueError(f"n_jobs must be an integer other than 0, or None, got {jobs!r}.")
        self._check_parameters()

    def _count(
        self,
        schema: Schema,
        rows: TrainingRows,
        classes: np.ndarray,
    ) -> tuple[CountTables, Any]:
        begin = time.perf_counter()
        codes, labels, weights = rows.codes, rows.labels, rows.weights
        options: Any = {"memory_limit": self._bytes_limit, "n_jobs": self.n_jobs}
        tables = count(self._plan(schema), schema, codes, labels, len(classes), weights, **options)
        self._log_class_prior(classes, tables.class_counts)  # raises for one that makes no sense
        structure = self._structure_of(tables, rows)
        further = self._families(structure)
        if further is not None:
            count_families(tables, further, codes, labels, weights, **options)
        self._log(f"counted {codes.shape[1]} rows x {len(schema)} attributes", begin)
        return tables, self._select(tables, structure, rows)

    @property
    def _bytes_limit(self) -> int:
        return default_memory_limit() if self.memory_limit is None else int(self.memory_limit)

    def _log(self, what: str, begin: float) -> None:
        if self.verbose:
            _logger.info("[%s] %s in %.3f s", type(self).__name__, what, time.perf_counter() - begin)

    def _adopt(self, encoder: TableEncoder, classes: np.ndarray, tables: CountTables, structure: Any) -> Any:
        """Set everything fitted at once, after all that can fail has succeeded."""
        fitted = {
            "encoder_": encoder,
            "schema_": encoder.schema_,
            "uninformative_features_": encoder.uninformative_features_,
            "classes_": classes,
            "class_count_": tables.class_counts.astype(np.float64),
            "n_features_in_": encoder.n_features_in_,
            "_log_prior": self._log_class_prior(classes, tables.class_counts),
            **self._learn(tables, structure),
        }
        names = getattr(encoder, "feature_names_in_", None)
        if names is not None:
            fitted["feature_names_in_"] = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        for name, value in fitted.items():
            setattr(self, name, value)
        return self

    def _log_class_prior(self, classes: np.ndarray, counts: np.ndarray) -> np.ndarray:
        prior = self.class_prior
        if prior is None:
            return safe_log(self._smoothing(counts, counts.sum(), len(counts)))
        if isinstance(prior, str):
            check_option("class_prior", prior, (None, "empirical"))
            return safe_log(counts / counts.sum())
        prior = np.asarray(prior, dtype=np.float64)
        if prior.shape != counts.shape or not (
            np.isfinite(prior).all() and (prior >= 0).all() and prior.any()
        ):
            raise ValueError(
                "class_prior must hold one non-negative number, not all zero, for each of the classes "
                f"{classes.tolist()}, got {self.class_prior}."
            )
        return safe_log(prior / prior.sum())

    @property
    def _smoothing(self) -> Smoothing:
        return Smoothing(self.smoothing, self.smoothing_strength)

    # ---- predicting

    def joint_log_likelihood(self, X: Any) -> np.ndarray:
        """Natural logarithm of P(x, y), not normalised over the classes.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; -inf where a class is impossible.
        """
        codes = self._codes(X)
        joint = np.zeros((codes.shape[1], len(self.classes_)))

        def some(blocks: np.ndarray) -> None:
            for start, stop in blocks:
                self._score(codes, start, stop, joint[start:stop])

        run_blocks(
            some,
            row_blocks(len(joint), self._blocks_at_a_time),
            self.n_jobs,
            work=codes.size * len(self.classes_),
        )
        return joint

    def _codes(self, X: Any) -> np.ndarray:
        """Codes (n_features, n_samples) of a table whose columns are those of fitting."""
        check_is_fitted(self)
        table = as_table(X)
        check_names(self, X)
        codes: np.ndarray = self.encoder_.encode_table(table, self.n_jobs)
        return codes

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Natural logarithm of P(y | x).

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``. A row for which every class is impossible gets the prior,
            with one `ImpossibleEvidenceWarning`.
        """
        return log_normalized(self.joint_log_likelihood(X), self._log_prior)

    def predict_proba(self, X: Any) -> np.ndarray:
        """P(y | x); each row sums to 1.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class; a tie goes to the class that comes first in ``classes_``.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        best = self.predict_proba(X).argmax(axis=1)
        labels: np.ndarray = self.classes_[best]
        return labels

    # ---- structure

    def to_networkx(self) -> Any:
        """The structure as a ``networkx.DiGraph``: arcs from parents to children, the class included.

        Returns
        -------
        networkx.DiGraph

        Raises
        ------
        ImportError
            If networkx is not installed (``pip install seminaive[graph]``).
        """
        check_is_fitted(self)
        try:
            import networkx
        except ImportError as error:
            raise ImportError("to_networkx needs networkx: pip install 'seminaive[graph]'.") from error
        graph = networkx.DiGraph()
        graph.add_nodes_from([self._class_node(), *self.schema_.names])
        graph.add_edges_from(self._arcs())
        return graph

    def to_dot(self) -> str:
        """The structure in the language of Graphviz.

        Returns
        -------
        str
        """
        check_is_fitted(self)
        lines = [f"  {_quoted(parent)} -> {_quoted(child)};" for parent, child in self._arcs()]
        nodes = [f"  {_quoted(name)};" for name in [self._class_node(), *self.schema_.names]]
        return "\n".join([f"digraph {_quoted(type(self).__name__)} {{", *nodes, *lines, "}"])

    def _class_node(self) -> str:
        """Name of the class in a graph: "class", in brackets where a feature has that name."""
        name = "class"
        while name in self.schema_.names:
            name = f"({name})"
        return name

    def _arcs(self) -> list[tuple[str, str]]:
        arcs = [(self._class_node(), child) for child in self.parents_]
        return arcs + [(parent, child) for child, parents in self.parents_.items() for parent in parents]


def row_blocks(n_rows: int, at_a_time: int = 1) -> np.ndarray:
    """First row and end of every block, or of ``at_a_time`` blocks together, shape (n, 2)."""
    step = BLOCK_ROWS * at_a_time
    starts = np.arange(0, n_rows, step)
    return np.column_stack([starts, np.minimum(starts + step, n_rows)])


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _document(cls: Any) -> None:
    """Put what classes share where their docstrings say ``%(fragment)s``; -OO leaves no docstring."""

    def fragment(found: re.Match[str]) -> str:
        return "\n" + indent(FRAGMENTS[found[2]], found[1])

    cls.__doc__ = re.sub(r"\n+( *)%\((\w+)\)s", fragment, cls.__doc__ or "")


def _describe(cls: Any) -> None:
    """Complete the documentation of a class, and the signature of its own ``__init__``, by what it shares."""
    initialize = vars(cls).get("__init__")
    if initialize is not None:
        own = [p for p in inspect.signature(initialize).parameters.values() if p.kind is not p.VAR_KEYWORD]
        names = {parameter.name for parameter in own}
        shared = inspect.signature(super(cls, cls).__init__).parameters.values()
        initialize.__signature__ = inspect.Signature([*own, *(p for p in shared if p.name not in names)])
    _document(cls)


BayesianNetworkClassifier.__init__.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [
        inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        *(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
            for name, value in DEFAULTS.items()
        ),
    ]
)
_document(BayesianNetworkClassifier)
