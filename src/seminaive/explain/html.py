"""Explanations as one HTML file that any browser shows without a network.

Data stand in the page as JSON in which no character can end the script that holds it, and the page's own
script writes every name and value as text. A content security policy lets only those scripts run that the
page was written with, and forbids any connection.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from seminaive.data.table import FrameTable, as_table
from seminaive.explain.overview import GlobalExplanation
from seminaive.explain.page_data import Case, case_data, common_data, offered_classes, overview_data
from seminaive.explain.views import json_values
from seminaive.sources.files import writing

__all__ = ["cases_page", "report_page", "structure_html", "write_page"]

OVERVIEW_ROWS = 10_000  # over which contributions are averaged
_LIBRARIES = {
    "cytoscape.min.js": ("cytoscape", "lodash", "heap"),
    "cytoscape-dagre.min.js": ("cytoscape-dagre", "dagre"),
}
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
</header>
<noscript><p>This page draws with a script of its own, which is switched off here.</p></noscript>
<main id="main"></main>
<footer>seminaive {version}. Networks by cytoscape.js and dagre; their licences are in this file.</footer>
<script type="application/json" id="data">{data}</script>
{scripts}
</body>
</html>
"""


def cases_page(cases: Sequence[Case], *, title: str | None = None) -> str:
    """A page about some rows.

    Parameters
    ----------
    cases : sequence of Case
        Explanations of one classifier.
    title : str, default=None
        None says which classifier it is.

    Returns
    -------
    str
        A whole HTML document.
    """
    if not cases:
        raise ValueError("there is no row to be explained.")
    first = cases[0].explanation
    what = first.prediction if len(cases) == 1 else "what it predicts"
    return _page(title or f"Why {type(first._model).__name__} predicts {what}", cases)


def report_page(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    title: str | None = None,
    n_cases: int = 5,
    source: str = "the table",
    rows: Sequence[int] | None = None,
) -> str:
    """A page about a classifier: what it looks at in general, and the cases to look at first.

    Parameters
    ----------
    model : fitted classifier
    X : array-like or data frame of shape (n_samples, n_features)
        Rows over which contributions are averaged, at most 10,000 of them spread evenly, and from which cases
        are chosen.
    y : array-like of shape (n_samples,), default=None
        Their true classes. Labels that are no classes of the model are left aside.
    title : str, default=None
    n_cases : int, default=5
        How many least certain cases, the most probable class of which is least probable, and with ``y`` how
        many most surprising ones, the true class of which is least probable.
    source : str, default="the table"
        Where the rows come from, in words.
    rows : sequence of int, default=None
        Numbers that the rows of ``X`` have there; None counts them from 1.

    Returns
    -------
    str
        A whole HTML document.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from seminaive import KDB
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> page = report_page(KDB(k=1).fit(X, y), X, y, title="Iris", n_cases=3)
    >>> page.startswith("<!DOCTYPE html>"), "<h1>Iris</h1>" in page
    (True, True)
    """
    if isinstance(n_cases, bool) or not isinstance(n_cases, int | np.integer) or n_cases < 1:
        raise ValueError(f"n_cases must be a positive integer, got {n_cases!r}.")
    explanations = model.explain(X)
    probabilities = explanations.probabilities
    n_rows, classes = len(probabilities), model.classes_.tolist()
    truth = [None] * n_rows if y is None else np.asarray(y).tolist()
    if len(truth) != n_rows:
        raise ValueError(f"y has {len(truth):,} labels for {n_rows:,} rows.")
    position = {label: i for i, label in enumerate(classes)}
    true = np.array([position.get(label, -1) for label in truth])
    known = np.flatnonzero(true >= 0)
    surprise = probabilities[known, true[known]]
    reasons: dict[int, list[str]] = {}
    for row in known[np.argsort(surprise, kind="stable")[:n_cases]].tolist():
        reasons.setdefault(row, []).append("surprising")
    for row in np.argsort(probabilities.max(axis=1), kind="stable")[:n_cases].tolist():
        reasons.setdefault(row, []).append("uncertain")
    number = range(1, n_rows + 1) if rows is None else rows
    cases = [Case(f"Row {number[row]}", explanations[row], truth[row], why) for row, why in reasons.items()]
    step = -(-n_rows // OVERVIEW_ROWS)
    overview = GlobalExplanation.of(model, explanations if step == 1 else model.explain(_every(X, step)))
    facts = {
        "classifier": type(model).__name__,
        "rows": f"{n_rows:,}",
        "attributes": f"{len(model.schema_):,}",
        "classes": f"{len(classes):,}",
    }
    if len(known):
        wrong = int((probabilities[known].argmax(axis=1) != true[known]).sum())
        facts["predicted wrongly"] = f"{wrong:,} of {len(known):,}"
    summary = {
        **overview_data(overview, model.schema_.names),
        "facts": list(facts.items()),
        "truth_known": bool(len(known)),
        "source": source,
    }
    return _page(title or f"{type(model).__name__}: what it looks at, and cases to look at", cases, summary)


def structure_html(model: Any) -> str:
    """The structure of a fitted classifier as a table, for notebooks."""
    names = model.schema_.names
    parents = getattr(model, "parents_", {})
    rows = "".join(
        f'<tr><td style="text-align: left">{escape(name)}</td><td>{attribute.n_values:,}</td>'
        f'<td style="text-align: left">{escape(", ".join(parents.get(name, [])))}</td></tr>'
        for name, attribute in zip(names, model.schema_.attributes, strict=True)
    )
    return (
        f"<details><summary>{len(names):,} attributes, {len(model.classes_):,} classes, "
        f"{model.class_count_.sum():,.10g} training rows</summary><table><thead><tr><th>attribute</th>"
        "<th>values</th><th>parents beside the class</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></details>"
    )


def write_page(path: str | os.PathLike[str], page: str) -> None:
    """Write a page, whole or not at all.

    Parameters
    ----------
    path : path-like
        A file of this name is replaced.
    page : str
    """
    with writing(path) as stream:
        stream.write(page.encode())


def _every(X: Any, step: int) -> Any:
    """Every so many rows of a table."""
    table = as_table(X)
    some: Any = table.take(np.arange(0, table.n_rows, step))
    return some.frame.to_native() if isinstance(some, FrameTable) else some.array


def _page(title: str, cases: Sequence[Case], overview: Mapping[str, Any] | None = None) -> str:
    n_offered = offered_classes(cases)
    data = {
        **common_data(cases[0].explanation),
        "classifier": type(cases[0].explanation._model).__name__,
        "cases": [case_data(case, n_offered) for case in cases],
        "overview": overview,
    }
    scripts = [*(_library(file, licences) for file, licences in _LIBRARIES.items()), _static("page.js")]
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    return _PAGE.format(
        policy=f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:",
        title=escape(title),
        style=_static("page.css"),
        version=escape(sys.modules["seminaive"].__version__),  # not imported: it is a layer above
        data=_embedded(data),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def _static(name: str) -> str:
    return files("seminaive.explain").joinpath("static", *name.split("/")).read_text(encoding="utf-8")


def _library(file: str, licences: Sequence[str]) -> str:
    """A script after the texts of its licences."""
    texts = "".join(f"/*! {name}\n{_static(f'vendor/{name}.LICENSE.txt')}\n*/\n" for name in licences)
    return texts + _static(f"vendor/{file}")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _embedded(data: Any) -> str:
    """JSON that means nothing to HTML and to old readers of JavaScript."""
    text = json.dumps(json_values(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
