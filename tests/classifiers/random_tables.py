"""Hypothesis strategies: small random training tables, as an estimator and as its twin see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import assume, settings
from hypothesis import strategies as st

from seminaive.testing.naive import Table

WEIGHTS = {
    "integer": st.sampled_from([0, 1, 1, 2, 3]),
    # sums of these are exact, and often equal each other or a whole number
    "exact": st.sampled_from([0, 0.25, 0.5, 1, 1.75]),
    # sums of these are neither
    "inexact": st.sampled_from([0, 0.01 * 2**0.5, 0.1 * 3**0.5, 5**0.5]),
}


def examples(number: int) -> settings:
    """So many examples a test; no deadline, because kernels are compiled in the first."""
    return settings(max_examples=number, deadline=None)


@dataclass(frozen=True)
class Case:
    """One training table with a few test rows.

    ``X`` and ``X_test`` hold strings (None: missing), ``table`` and ``test_rows`` the same in codes.
    """

    table: Table
    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None
    X_test: np.ndarray
    test_rows: list[list[int | None]]
    categories: dict[int, list[str]]
    classes: list[str]

    @property
    def names(self) -> list[str]:
        """Names for the columns of a frame; not in alphabetical order."""
        return [f"{letter} {i}" for i, letter in enumerate("zyxwv"[: self.X.shape[1]])]

    def frame(self, X: np.ndarray) -> Any:
        """A table of this case as a pandas frame."""
        import pandas as pd

        return pd.DataFrame(X, columns=self.names)

    def named_categories(self) -> dict[str, list[str]]:
        """Declared domains by column name."""
        return {self.names[i]: values for i, values in self.categories.items()}


def _label(attribute: int, code: int) -> str:
    return f"value {'cabd'[code]} of {attribute}"


@st.composite
def cases(
    draw: st.DrawFn,
    min_rows: int = 1,
    max_rows: int = 40,
    max_attributes: int = 5,
    min_values: int = 1,
    missing: bool = True,
    weights: str = "any",
    declared: str = "any",
    unseen: bool = True,
) -> Case:
    """Draw a case.

    ``weights``: "any", "none", "integer", "exact" or "inexact"; ``declared`` (domains of the columns): "any",
    "none" or "all".
    """
    n_attributes = draw(st.integers(1, max_attributes))
    n_values = draw(st.lists(st.integers(min_values, 4), min_size=n_attributes, max_size=n_attributes))
    n_classes = draw(st.one_of(st.integers(1, 4), st.sampled_from([5, 9])))
    hole = [None] if missing else []
    cells = [st.sampled_from([*range(v), *hole]) for v in n_values]
    row = st.tuples(st.tuples(*cells), st.integers(0, n_classes - 1))
    rows_and_classes = draw(st.lists(row, min_size=min_rows, max_size=max_rows))
    rows = [row for row, _ in rows_and_classes]
    classes = [label for _, label in rows_and_classes]

    kind = draw(st.sampled_from(["none", *WEIGHTS])) if weights == "any" else weights
    drawn_weights: list[float] | None = None
    if kind != "none":
        drawn_weights = draw(st.lists(WEIGHTS[kind], min_size=len(rows), max_size=len(rows)))
        assume(any(drawn_weights))
    present = [i for i in range(len(rows)) if drawn_weights is None or drawn_weights[i] > 0]

    stranger = [-1] if unseen else []
    test_cells = [st.sampled_from([*range(v), None, *stranger]) for v in n_values]
    drawn_test_rows = draw(st.lists(st.tuples(*test_cells), min_size=1, max_size=6))

    domains, categories = [], {}
    for i, v in enumerate(n_values):
        if declared == "all" or (declared == "any" and draw(st.booleans())):
            domain = draw(st.permutations(range(v)))
            categories[i] = [_label(i, code) for code in domain]
        else:
            domain = sorted({rows[r][i] for r in present} - {None})
        domains.append({code: position for position, code in enumerate(domain)})
    class_codes = sorted({classes[r] for r in present})

    def encode(row: tuple[int | None, ...]) -> list[int | None]:
        return [domain.get(code) for domain, code in zip(domains, row, strict=True)]

    def spell(row: tuple[int | None, ...]) -> list[str | None]:
        return [
            None if code is None else "never seen" if code == -1 else _label(i, code)
            for i, code in enumerate(row)
        ]

    return Case(
        table=Table(
            rows=[encode(rows[r]) for r in present],
            classes=[class_codes.index(classes[r]) for r in present],
            n_values=[len(domain) for domain in domains],
            n_classes=len(class_codes),
            weights=None if drawn_weights is None else [drawn_weights[r] for r in present],
        ),
        X=np.array([spell(row) for row in rows], dtype=object),
        y=np.array([f"class {label}" for label in classes], dtype=object),
        weights=None if drawn_weights is None else np.array(drawn_weights),
        X_test=np.array([spell(row) for row in drawn_test_rows], dtype=object),
        test_rows=[encode(row) for row in drawn_test_rows],
        categories=categories,
        classes=[f"class {code}" for code in class_codes],
    )


def smoothings() -> st.SearchStrategy[dict[str, Any]]:
    """``smoothing`` and ``smoothing_strength``, none at all included."""
    return st.fixed_dictionaries(
        {
            "smoothing": st.sampled_from(["m-estimate", "laplace"]),
            "smoothing_strength": st.sampled_from([0.0, 0.5, 1.0, 2.5]),
        }
    )


def class_priors(n_classes: int) -> st.SearchStrategy[Any]:
    """``class_prior``: the default, plain frequencies, or some probabilities."""
    given = st.lists(st.integers(1, 5), min_size=n_classes, max_size=n_classes)
    return st.one_of(
        st.none(), st.just("empirical"), given.map(lambda parts: [part / sum(parts) for part in parts])
    )


def as_twin_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of an estimator as the twins spell them."""
    spelled = {"smoothing_strength": "strength", "class_prior": "prior"}
    return {spelled.get(name, name): value for name, value in options.items()}
