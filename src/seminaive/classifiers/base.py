"""What every classifier is: the public methods, once. A subclass supplies the mathematics."""

from __future__ import annotations

import copy
import inspect
import logging
import os
import re
import time
from textwrap import indent
from typing import Any, ClassVar, Unpack

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from seminaive.classifiers.explaining import ExplainingMixin
from seminaive.classifiers.options import DEFAULTS, FRAGMENTS, Options
from seminaive.counts.labelled import Counts
from seminaive.counts.plan import CountPlan, default_memory_limit
from seminaive.counts.tables import CountTables, count, count_families
from seminaive.data.checks import check_names, check_option
from seminaive.data.encode import TableEncoder
from seminaive.data.schema import Schema
from seminaive.data.table import Table, as_table
from seminaive.data.target import check_sample_weight, class_weights, encode_target
from seminaive.learn.leave_one_out import TrainingRows
from seminaive.learn.posterior import log_normalized
from seminaive.learn.smoothing import ONE_NETWORK, Smoothing, safe_log
from seminaive.parallel import run_blocks

__all__ = ["BayesianNetworkClassifier", "row_blocks"]

BLOCK_ROWS = 1024  # rows that are scored at a time

_logger = logging.getLogger("seminaive")


class BayesianNetworkClassifier(ExplainingMixin, ClassifierMixin, BaseEstimator):
    """Base of all classifiers: reads tables, counts, and turns log joints into predictions.

    A subclass supplies functions of plain values:

    - ``_plan(schema)``: which tables to count.
    - ``_structure(tables)`` and ``_families(structure)``, where a structure is learned first: what it is, and
      which further tables it needs.
    - ``_structure_of(tables, rows)`` or ``_select(tables, structure, rows)``, where single training rows have
      a say, before or after the further tables; ``_structure_by_passes(counts, counter)``, where they need
      not be kept for it.
    - ``_learn(tables, structure)``: fitted attributes as a dict.
    - ``_score(codes, start, stop, joint)``: write log P(x, y) of some rows into ``joint``.
    - ``_members(codes, wanted)`` and ``_describe_members(codes)``: the same by factors, for explanations.

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
        for name, default in {**DEFAULTS, **self._own_defaults}.items():
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

    # ---- in notebooks: scikit-learn's diagram, and the structure below it

    def _repr_html_inner(self) -> str:
        return super()._repr_html_inner() + self._structure_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] += self._structure_html()
        return bundle

    def _structure_html(self) -> str:
        from seminaive.explain.html import structure_html

        return structure_html(self) if hasattr(self, "schema_") else ""

    # ---- what a subclass supplies

    _blocks_at_a_time = 1
    _smooths_levels = False  # whether it takes smoothing="hierarchical"
    _own_defaults: ClassVar[dict[str, Any]] = {}  # of shared options, where they are others

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

    def _structure_by_passes(self, counts: Counts, counter: Any) -> Any:
        """The same where further passes over the rows of a source have a say, which ``counter`` makes."""
        return self._structure(counts.tables)

    def _families(self, structure: Any) -> CountPlan | None:
        """Tables that are counted in a second pass, once the structure is known."""
        return None

    def _select(self, tables: CountTables, structure: Any, rows: TrainingRows) -> Any:
        """The structure after a choice that the training rows decide with all tables at hand."""
        return structure

    def _learn(self, tables: CountTables, structure: Any) -> dict[str, Any]:
        raise NotImplementedError

    def _kept(self, tables: CountTables, structure: Any) -> tuple[CountTables, Any]:
        """What `_learn` needs of the tables and the structure to give the same once more."""
        return tables, structure

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
        return self._learn_from(*self._read(X, y, sample_weight))

    def _learn_from(self, encoder: TableEncoder, classes: np.ndarray, rows: TrainingRows) -> Any:
        tables, structure = self._count(encoder.schema_, rows, classes)
        return self._adopt(encoder, classes, tables, structure)

    def fit_counts(self, counts: Counts) -> Any:
        """Learn from counts: count once, try every classifier.

        The result is that of ``fit`` on the rows that were counted. How columns are read was settled when
        they were counted; ``unseen`` is that of this classifier.

        Parameters
        ----------
        counts : Counts
            Counts of a table, of several parts of it, or from a file.

        Returns
        -------
        object
            The fitted classifier itself.

        Raises
        ------
        ValueError
            For counts that lack what this classifier needs; the message says what. A classifier that was
            fitted before stays as it was.
        TypeError
            For anything but counts.
        MemoryError
            If the tables exceed ``memory_limit``.
        """
        begin = time.perf_counter()
        tables, structure = self._structure_from(counts)
        further = self._families(structure)
        if further is not None:
            tables = self._with_families(tables, further)
        encoder = copy.copy(counts.encoder).set_params(unseen=self.unseen)
        self._log(f"took counts of {counts.n_rows} rows x {len(tables.schema)} attributes", begin)
        return self._adopt(encoder, counts.classes, tables, structure)

    def fit_source(
        self, source: Any, *, checkpoint: Any = None, max_distinct: int = 65_536, progress: Any = None
    ) -> Any:
        """Learn from rows that never have to fit in memory; the result is that of ``fit`` on all of them.

        Parameters
        ----------
        source : Source
            Of `scan_parquet`, `scan_csv`, `scan_arrow` and the like, with a target.
        checkpoint : path-like, default=None
            File from which fitting goes on after an interruption, whatever stopped it. It is removed at the
            end. At most a tenth of the time goes into writing it.
        max_distinct : int, default=65536
            Distinct values of a numeric column up to which its cut points are exact; above it neighbouring
            values share a bin.
        progress : callable, default=None
            Called as ``progress(share, what)`` after every batch; the share is None where it is not known.

        Returns
        -------
        object
            The fitted classifier itself.

        Raises
        ------
        ValueError
            As in ``fit``; also for files that cannot be read or do not go together. A classifier that was
            fitted before stays as it was.
        MemoryError
            If the tables, or for classifiers that look at single rows the codes of the rows, exceed
            ``memory_limit``.

        Notes
        -----
        One pass counts; one before it reads the numeric columns, where there are any; one after it counts
        families, where the structure needs more than pairs. Classifiers that choose by leave-one-out judge
        all networks that are known beforehand in one further pass.
        """
        from seminaive.classifiers.streaming import fit_source

        return fit_source(self, source, checkpoint, max_distinct, progress)

    def families(self, counts: Counts) -> list[list[str]]:
        """Families that `fit_counts` needs beyond pairs, as counts of all pairs decide them.

        Parameters
        ----------
        counts : Counts
            Of all rows.

        Returns
        -------
        list of list of str
            The parents of an attribute, then the attribute, for ``Counts.of(..., families=...)``.

        Raises
        ------
        ValueError
            As `fit_counts`.
        """
        tables, structure = self._structure_from(counts)
        further = self._families(structure)
        names = tables.schema.names
        return [[names[i] for i in f] for f in (further.families if further else ()) if len(f) > 2]

    def _structure_from(self, counts: Counts) -> tuple[CountTables, Any]:
        """Tables as ``fit`` would have counted them, and what they say about the structure."""
        if not isinstance(counts, Counts):
            raise TypeError(
                f"fit_counts needs Counts, of Counts.of(X, y), count_source or a file; got a "
                f"{type(counts).__name__}. A table goes to fit, a source to fit_source."
            )
        tables = counts.tables
        self._check_learns_from_counts(counts.encoder, tables.has_pairs)
        self._log_class_prior(counts.classes, tables.class_counts)  # raises for one that makes no sense
        tables = tables.laid_out(self._plan(tables.schema), counts.n_rows, self._bytes_limit)
        return tables, self._structure(tables)

    def _check_learns_from_counts(self, encoder: TableEncoder, has_pairs: bool) -> None:
        """Refuse parameters that make no sense, alone or beside the encoder, and what counts do not tell."""
        self._check_options()
        self._check_reading(encoder)
        name = type(self).__name__
        if self._looks_at_rows:
            raise ValueError(f"{name} looks at single training rows, which counts do not hold. Use fit.")
        if self._plan(Schema(())).pairs and not has_pairs:
            raise ValueError(f"{name} needs the counts of all pairs of attributes. Count with pairs.")

    @property
    def _looks_at_rows(self) -> bool:
        """Whether tables do not suffice to learn."""
        return self._plan(Schema(())).index or any(
            getattr(type(self), method) is not getattr(BayesianNetworkClassifier, method)
            for method in ("_structure_of", "_select")
        )

    @property
    def _keeps_rows(self) -> bool:
        """Whether learning from a source keeps the codes of its rows."""
        return self._looks_at_rows

    def _with_families(self, tables: CountTables, plan: CountPlan) -> CountTables:
        try:
            return tables.laid_out(plan, tables.n_rows, self._bytes_limit)
        except KeyError:
            names = tables.schema.names
            needed = [[names[i] for i in f] for f in plan.families if len(f) > 2 and f not in tables.families]
            raise ValueError(
                f"{type(self).__name__} needs the counts of further families of attributes, which pairs do "
                f"not tell: {needed}. Count all rows once more with families= of this "
                "(--families-of on the command line), or use fit."
            ) from None

    def _check_reading(self, encoder: TableEncoder) -> None:
        """Refuse parameters that say something else than the counts about how columns are read."""
        for name in ("categories", "categorical_features", "discretizer", "missing"):
            mine, theirs = getattr(self, name), getattr(encoder, name)
            if mine is not theirs and not (isinstance(mine, str | None) and mine == DEFAULTS[name]):
                same = type(mine) is type(theirs) and isinstance(mine, str | dict | list) and mine == theirs
                if not same:
                    raise ValueError(
                        f"{name}={mine!r} comes too late: the columns were read with {name}={theirs!r} when "
                        "they were counted. Leave the parameter out, or count anew."
                    )
        if self.class_weight is not None:
            raise ValueError("class_weight needs single rows. Count with sample_weight instead.")

    def _read(
        self, X: Any, y: Any, sample_weight: Any, classes: np.ndarray | None = None
    ) -> tuple[TableEncoder, np.ndarray, TrainingRows]:
        """Encoder, classes, and the coded rows that count; ``classes`` may declare some without a row."""
        table = as_table(X)
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        declared = classes is not None
        classes, labels = encode_target(y, table.n_rows, classes)
        weights = check_sample_weight(sample_weight, table.n_rows)
        if weights is not None and not weights.all():
            rows = np.flatnonzero(weights)
            table, weights, labels = table.take(rows), weights[rows], labels[rows]
            if not declared:
                present, labels = np.unique(labels, return_inverse=True)
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
        if self._smoothing.is_hierarchical and not self._smooths_levels:
            raise ValueError(
                f"{type(self).__name__} has no smoothing='hierarchical', which classifiers with one network "
                f"for all rows have: {ONE_NETWORK}. Use one of these, or smoothing='m-estimate' or 'laplace'."
            )
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
        learned = self._learn(tables, structure)
        tables, structure = self._kept(tables, structure)
        fitted = {
            **learned,
            "encoder_": encoder,
            "schema_": encoder.schema_,
            "uninformative_features_": encoder.uninformative_features_,
            "classes_": classes,
            "class_count_": tables.class_counts.astype(np.float64),
            "n_features_in_": encoder.n_features_in_,
            "_log_prior": self._log_class_prior(classes, tables.class_counts),
            "_tables": tables,
            "_chosen": structure,
            "_fitted_parameters": self.get_params(deep=False),
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
            return safe_log(self._smoothing.of_classes(counts, counts.sum(), len(counts)))
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

    # ---- keeping

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted classifier to a model file, which `seminaive.load` reads.

        The file is a zip of JSON and arrays in which nothing can be executed. It holds the parameters, how
        columns are read, the structure and the counts; what follows from these is learned again in loading,
        which gives the same predictions bit for bit.

        Parameters
        ----------
        path : str or path-like
            An existing file is replaced; the new one appears complete or not at all.

        Returns
        -------
        None

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it is not fitted.
        ModelFileError
            For what no model file can hold: a class, a parameter or a discretizer from outside this library.
        OSError
            The file cannot be written.
        """
        from seminaive.classifiers.model_files import save

        check_is_fitted(self)
        save(self, path)

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
        return self._log_joint(self._codes(X))

    def _log_joint(self, codes: np.ndarray) -> np.ndarray:
        """`joint_log_likelihood` of codes (n_features, n_samples)."""
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

    def _codes(self, X: Any, table: Table | None = None) -> np.ndarray:
        """Codes (n_features, n_samples) of a table whose columns are those of fitting."""
        check_is_fitted(self)
        table = as_table(X) if table is None else table
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

    def _probabilities(self, codes: np.ndarray) -> np.ndarray:
        """P(y | x) of coded rows (n_features, n_samples)."""
        return np.exp(log_normalized(self._log_joint(codes), self._log_prior))

    def predict_source(self, source: Any, out: Any, *, proba: bool = False, progress: Any = None) -> int:
        """Predict the rows of a source, and write the predictions to a Parquet file as they come.

        Parameters
        ----------
        source : Source
            Of `scan_parquet`, `scan_csv`, `scan_arrow` and the like. Columns are found by name; those that
            the model does not know are left aside.
        out : str or path-like
            Parquet file with the column "prediction", in the order of the rows. An existing file is
            replaced; the new one appears complete or not at all.
        proba : bool, default=False
            Whether there is a column "P(class)" for every class.
        progress : callable, default=None
            Called as ``progress(share, what)`` after every batch; the share is None where it is not known.

        Returns
        -------
        int
            Number of rows.

        Raises
        ------
        ValueError
            For a source that lacks a column or has it in another type; the message names the column.
        OSError
            The file cannot be written.
        """
        from seminaive.classifiers.streaming import predict_source

        check_is_fitted(self)
        return predict_source(self, source, out, proba, progress)

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
        shared = [
            p.replace(default=cls._own_defaults.get(p.name, p.default))
            for p in inspect.signature(super(cls, cls).__init__).parameters.values()
            if p.name not in names
        ]
        initialize.__signature__ = inspect.Signature([*own, *shared])
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
