"""What the tests of this folder share: small tables in the forms that users bring."""

from __future__ import annotations

import inspect
import itertools
import random
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.preprocessing import KBinsDiscretizer

from repeatable import DRAWING, EVERY

every_classifier = pytest.mark.parametrize("classifier", EVERY.values(), ids=list(EVERY))

# those that give the same for other names, for a column more, or without any smoothing at all
DETERMINED = [classifier for name, classifier in EVERY.items() if name not in DRAWING]
every_determined_classifier = pytest.mark.parametrize(
    "classifier", DETERMINED, ids=[classifier.__name__ for classifier in DETERMINED]
)

# those that may leave features out are asked elsewhere what they keep
_KEEPS_ALL = {name: c for name, c in EVERY.items() if not hasattr(c, "get_support")}
FULL = list(_KEEPS_ALL.values())
every_full_classifier = pytest.mark.parametrize("classifier", FULL, ids=list(_KEEPS_ALL))


def spread(classifiers: list[type] | None = None, /, **values: Any) -> pytest.MarkDecorator:
    """Parametrize over all combinations of ``values``, and over the classifiers, which take turns.

    How a table is read does not depend on the classifier: every combination meets one of them, and every one
    of them some combination. ``values`` are lists, or dicts from the name of a case.
    """
    named = [v.items() if isinstance(v, dict) else [(str(x), x) for x in v] for v in values.values()]
    combinations = list(itertools.product(*named))
    classifiers = list(EVERY.values()) if classifiers is None else classifiers
    number = max(len(combinations), len(classifiers))
    turns: list[type] = []
    mixer = random.Random(0)  # so that no value always meets the same classifier
    while len(turns) < number:
        turns += mixer.sample(classifiers, len(classifiers))
    rows = [
        pytest.param(
            classifier,
            *[case for _, case in cases],
            id="-".join([classifier.__name__, *[n for n, _ in cases]]),
        )
        for classifier, cases in zip(turns[:number], itertools.cycle(combinations), strict=False)
    ]
    return pytest.mark.parametrize(",".join(["classifier", *values]), rows)


ASK = ["predict", "predict_proba", "predict_log_proba", "joint_log_likelihood"]


def coloured(n: int = 60, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Three columns of strings that depend on the class and on each other, and two classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    colour = np.where(rng.random(n) < 0.75, np.array(["red", "blue"])[y], "green")
    size = np.where(rng.random(n) < 0.6, np.where(colour == "red", "S", "M"), "L")
    shape = np.where(rng.random(n) < 0.6, np.where(size == "L", "round", "square"), "flat")
    # the first rows hold every value, whatever is drawn
    colour[:3], size[:3], shape[:3] = ["red", "blue", "green"], ["S", "M", "L"], ["round", "square", "flat"]
    y[:2] = 0, 1
    frame = pd.DataFrame({"colour": colour, "size": size, "shape": shape}, dtype=object)
    return frame, np.array(["no", "yes"])[y]


def mixed(n: int = 120, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Strings, booleans, floats with holes and integers, and three classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    frame = pd.DataFrame(
        {
            "height": np.where(rng.random(n) < 0.1, np.nan, rng.normal(170 + 12 * y, 5)),
            "job": pd.Series(np.where(rng.random(n) < 0.7, np.array(["a", "b", "c"])[y], "d"), dtype=object),
            "smoker": rng.random(n) < 0.2 + 0.3 * y,
            "visits": rng.poisson(2 + 4 * y),
        }
    )
    frame.loc[rng.random(n) < 0.1, "job"] = None
    return frame, np.array(["low", "mid", "top"])[y]


def every_kind(frame: pd.DataFrame) -> dict[str, Any]:
    """A table of strings and None in every form in which it may come; names as in ``frame``."""
    cells = {name: list(frame[name]) for name in frame}
    text = pl.DataFrame(cells, schema=dict.fromkeys(cells, pl.String))
    arrays = {name: pa.array(column, pa.string()) for name, column in cells.items()}
    values = {name: sorted({cell for cell in column if cell is not None}) for name, column in cells.items()}
    return {
        "numpy object": frame.to_numpy(dtype=object),
        "pandas object": frame,
        "pandas str": frame.astype("str").where(frame.notna()),
        "pandas string[python]": frame.astype("string[python]"),
        "pandas string[pyarrow]": frame.astype("string[pyarrow]"),
        "pandas category": frame.astype("category"),
        "pandas reversed category": pd.DataFrame(
            {name: pd.Categorical(cells[name], categories=values[name][::-1]) for name in cells}
        ),
        "pandas arrow dictionary": frame.astype(pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
        "polars String": text,
        "polars Categorical": text.cast(pl.Categorical),
        "polars Enum": text.cast({name: pl.Enum(values[name][::-1]) for name in cells}),
        "pyarrow string": pa.table(arrays),
        "pyarrow large_string": pa.table(
            {name: array.cast(pa.large_string()) for name, array in arrays.items()}
        ),
        "pyarrow dictionary": pa.table({name: array.dictionary_encode() for name, array in arrays.items()}),
        "pyarrow chunks": pa.concat_tables(
            [pa.table(arrays).slice(start, 7) for start in range(0, len(frame), 7)]
        ),
        "pyarrow dictionary chunks": pa.table(
            {
                name: pa.chunked_array(
                    [array[start : start + 7].dictionary_encode() for start in range(0, len(frame), 7)]
                )
                for name, array in arrays.items()
            }
        ),
    }


def quantile_bins(n_bins: int) -> KBinsDiscretizer:
    """A discretizer of scikit-learn that takes weights in every version."""
    options = {"encode": "ordinal", "strategy": "quantile"}
    if "quantile_method" in inspect.signature(KBinsDiscretizer).parameters:  # since scikit-learn 1.7
        options["quantile_method"] = "averaged_inverted_cdf"
    return KBinsDiscretizer(n_bins, **options)


KINDS = list(every_kind(pd.DataFrame({"a": ["x"]}, dtype=object)))


def m_estimate(count: float, total: float, n_values: int, strength: float = 1.0) -> float:
    """The formula of the papers, by hand."""
    return (count + strength / n_values) / (total + strength)


@contextmanager
def no_warnings() -> Iterator[None]:
    """Any warning fails the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@contextmanager
def seconds(limit: int) -> Iterator[None]:
    """Fail instead of hanging."""
    if not hasattr(signal, "SIGALRM"):
        pytest.skip("needs POSIX signals")

    def stop(*_: Any) -> None:
        raise AssertionError(f"not done within {limit} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(limit)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
