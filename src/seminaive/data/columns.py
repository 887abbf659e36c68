"""One column at a time: what it becomes, and the codes of its rows."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from seminaive.data.checks import check_option, shortened
from seminaive.data.exact_sums import exact_sum
from seminaive.data.schema import Attribute
from seminaive.data.table import Table, factorize_numbers, is_missing

__all__ = [
    "ascending",
    "encode_column",
    "extended",
    "interval_codes",
    "learn_categories",
    "learn_intervals",
    "make_discretizer",
    "naming",
]


def learn_categories(
    table: Table,
    column: int,
    name: str,
    declared: Iterable[Hashable] | None,
    missing: str,
    weights: np.ndarray | None,
) -> tuple[Attribute, np.ndarray]:
    raw, found = table.factorize(column)
    known = (
        table.declared(column) if declared is None else [value for value in declared if not is_missing(value)]
    )
    values = ascending(found) if known is None else known
    if known is not None:
        distinct = set(known)
        strange = [value for value in found if value not in distinct]
        if strange or len(distinct) < len(known):
            problem = (
                f"values that are not declared: {shortened(strange)}" if strange else "values declared twice"
            )
            raise ValueError(
                f"{problem}. Declared: {shortened(known)}. Mend categories={{{name!r}: [...]}} or the data."
            )
    has_missing = missing == "value" and bool((raw < 0).any())
    attribute = Attribute(
        name, "categorical", tuple(values), has_missing_value=has_missing, declared=known is not None
    )
    codes = _lookup(attribute, found)[raw]
    if missing == "impute" and (raw >= 0).any():
        seen = raw >= 0
        counts = np.bincount(codes[seen], None if weights is None else weights[seen])
        attribute = replace(attribute, fill_code=int(counts.argmax()))
        codes[~seen] = attribute.missing_code
    return attribute, codes


def learn_intervals(
    values: np.ndarray,
    name: str,
    discretizer: Any,
    missing: str,
    labels: np.ndarray | None,
    weights: np.ndarray | None,
    n_classes: int,
    counts: np.ndarray | None = None,
) -> tuple[Attribute, np.ndarray]:
    """The attribute of a numeric column, and the codes of its rows.

    ``counts`` says how many equal rows (value, class and weight) each entry is; None is one each.
    """
    from seminaive.data.discretize.base import Discretizer

    known = ~np.isnan(values)
    # a flag of two values keeps both, whatever the discretizer says and whatever is imputed
    cuts = _cut_of_two(values[known]) if getattr(discretizer, "keep_two_valued", True) else None
    mean = None
    if missing == "impute" and np.isfinite(values).any():
        finite = np.isfinite(values)
        of_finite = [None if part is None else part[finite] for part in (weights, counts)]
        mean = _mean(values[finite], *of_finite)
        values = np.where(known, values, mean)
        known[:] = True
    observed = values[known]
    y = None if labels is None else labels[known]
    w = None if weights is None else weights[known]
    c = None if counts is None else counts[known]
    fitted: Any = None
    outputs: tuple[Hashable, ...] = ()
    if cuts is None and len(observed) == 0:
        cuts = np.empty(0)
    elif cuts is None and isinstance(discretizer, Discretizer):
        if y is None and discretizer._supervised:
            raise ValueError(
                f"Column {name!r} is numeric and {type(discretizer).__name__} requires y to be passed, but "
                "the target y is None. Pass y, or use discretizer='equal-frequency' or 'equal-width'."
            )
        with naming(name):
            cuts = discretizer.cut_points(observed, y, w, n_classes, c)
    elif cuts is None:
        with naming(name):
            fitted = _fit_foreign(discretizer, observed, y, w)
            outputs = tuple(factorize_numbers(_foreign_codes(fitted, observed))[1])
    has_missing = missing == "value" and not known.all()
    attribute = Attribute(name, "numeric", outputs, cuts, fitted, has_missing_value=has_missing)
    if mean is not None:
        attribute = replace(attribute, fill_code=int(interval_codes(np.array([mean]), attribute)[0]))
    return attribute, interval_codes(values, attribute)


def _mean(values: np.ndarray, weights: np.ndarray | None, counts: np.ndarray | None) -> float:
    """The mean, rounded once, so that it does not depend on the order of the rows or their division."""
    total = exact_sum(np.ones(len(values)), weights, counts)
    return float(exact_sum(values, weights, counts) / total)


def _cut_of_two(values: np.ndarray) -> np.ndarray | None:
    """The cut between the only two distinct values of a column, None where there are more or fewer."""
    from seminaive.data.discretize.base import midpoints

    if len(values) == 0:
        return None
    low, high = values.min(), values.max()
    if low == high or not ((values == low) | (values == high)).all():
        return None
    return midpoints(
        np.nan_to_num([low]), np.nan_to_num([high])
    )  # infinity counts as the largest finite number


@contextmanager
def naming(column: str) -> Iterator[None]:
    """Let every error about a column begin with its name."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"Column {column!r}: {error}") from error


def interval_codes(values: np.ndarray, attribute: Attribute) -> np.ndarray:
    """Codes of numbers, NaN where missing."""
    known = ~np.isnan(values)
    if attribute.cut_points is not None:
        codes = np.searchsorted(attribute.cut_points, values, side="left")
    else:
        codes = np.zeros(len(values), dtype=np.int64)
        if known.any():
            with naming(attribute.name):
                raw, outputs = factorize_numbers(_foreign_codes(attribute.discretizer, values[known]))
            codes[known] = _lookup(attribute, outputs)[raw]
    codes[~known] = attribute.missing_code
    return codes


def make_discretizer(rule: Any) -> Any:
    from seminaive.data import discretize

    named = {
        "mdlp": discretize.MDLPDiscretizer,
        "equal-frequency": discretize.EqualFrequencyDiscretizer,
        "equal-width": discretize.EqualWidthDiscretizer,
        "every-value": discretize.EveryValueDiscretizer,
    }
    if isinstance(rule, str):
        check_option("discretizer", rule, tuple(named))
        return named[rule]()
    if isinstance(rule, discretize.Discretizer):
        rule._check_parameters()
        return rule
    if not (hasattr(rule, "fit") and hasattr(rule, "transform")):
        raise ValueError(
            f"discretizer={rule!r} is neither one of {', '.join(map(repr, named))} nor a transformer."
        )
    return rule


def _fit_foreign(
    discretizer: Any, values: np.ndarray, labels: np.ndarray | None, weights: np.ndarray | None
) -> Any:
    fitted = clone(discretizer)
    options = (
        {"sample_weight": weights}
        if weights is not None and has_fit_parameter(fitted, "sample_weight")
        else {}
    )
    if weights is not None and not options:
        raise ValueError(
            f"{type(discretizer).__name__} takes no sample_weight. Use one that does, or no weights."
        )
    fitted.fit(values.reshape(-1, 1), labels, **options)
    return fitted


def _foreign_codes(discretizer: Any, values: np.ndarray) -> np.ndarray:
    with config_context(transform_output="default"):
        result = discretizer.transform(values.reshape(-1, 1))
    if not isinstance(result, np.ndarray) or result.shape != (len(values), 1):
        raise ValueError(
            f"{type(discretizer).__name__} must turn one column into one dense column of ordinals "
            "(for KBinsDiscretizer: encode='ordinal')."
        )
    return np.asarray(result[:, 0], dtype=np.float64)


def _lookup(attribute: Attribute, values: list[Hashable]) -> np.ndarray:
    """Code of each of ``values``, then that of a missing value, so that raw code -1 finds it."""
    unknown = attribute.missing_code
    codes = [code if (code := attribute.code_of(value)) is not None else unknown for value in values]
    return np.array([*codes, unknown], dtype=np.int64)


def encode_column(table: Table, column: int, attribute: Attribute) -> tuple[np.ndarray, list[Hashable]]:
    """Codes of a column of a new table, and the values that training did not know."""
    with naming(attribute.name):
        numbers = table.numbers(column) if attribute.kind == "numeric" else None
        raw, values = table.factorize(column) if numbers is None else (None, [])
    if numbers is not None:
        codes = interval_codes(numbers, attribute)
        lost = (
            codes == attribute.missing_code if attribute.discretizer is not None else np.zeros(0, dtype=bool)
        )
        return codes, numbers[lost & ~np.isnan(numbers)].tolist() if lost.any() else []
    return _lookup(attribute, values)[raw], [value for value in values if attribute.code_of(value) is None]


def extended(table: Table, column: int, attribute: Attribute, wants_value: bool) -> Attribute:
    """The attribute with the values that a further batch adds."""
    if attribute.kind == "numeric":
        gains_missing = (
            wants_value and not attribute.has_missing_value and bool(np.isnan(table.numbers(column)).any())
        )
        values = attribute.values
    else:
        raw, found = table.factorize(column)
        gains_missing = wants_value and not attribute.has_missing_value and bool((raw < 0).any())
        new = [] if attribute.declared else ascending([v for v in found if attribute.code_of(v) is None])
        values = (*attribute.values, *new)
    return replace(attribute, values=values, has_missing_value=attribute.has_missing_value or gains_missing)


def ascending(values: Iterable[Hashable]) -> list[Hashable]:
    """Numbers by size, then strings, then anything else by type and text: types are never compared."""

    def key(value: Any) -> tuple[Any, ...]:
        if isinstance(value, numbers.Real):
            return (0, float(value) if not isinstance(value, numbers.Integral) else int(value))
        if isinstance(value, str):
            return (1, value)
        return (2, type(value).__name__, repr(value))

    return sorted(values, key=key)
