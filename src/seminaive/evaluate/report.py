"""A report as one HTML file: text, tables and figures, which any browser shows without a network.

The file has no script and fetches nothing. It follows the reader's light or dark colours, fits a phone, where
wide tables and figures scroll inside their box, and prints.
"""

from __future__ import annotations

import importlib.util
import io
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import seminaive
from seminaive.evaluate.plots import LOSS, WIN
from seminaive.evaluate.views import TextTable, Views
from seminaive.sources.files import writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Numbers", "Plot", "Section", "html_report", "tables_of", "write_tables", "write_text"]

NO_FIGURES = "This report has no figures: they need matplotlib, pip install 'seminaive[plot]'."
LONG, WIDE = 24, 40  # letters from which a first cell, another cell is broken into lines
TOTALS = {"all", "average", "mean"}  # first cells of rows that sum others up
VERDICTS = {"=": "exact", "~": "within", "≠": "outside"}
_MARKED = re.compile(r"(\S+) ([=~≠])(?: ([^\s\[]\S*))?((?: \[\d+\])*)")  # ours, mark, printed, footnotes
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
{head}</header>
<nav aria-label="Contents">
<ol>
{contents}</ol>
</nav>
<main>
{main}</main>
<footer>seminaive {version}</footer>
</body>
</html>
"""
_NOTATIONS = {"text": "txt", "markdown": "md", "latex": "tex", "csv": "csv"}


@dataclass(frozen=True)
class Plot:
    """A figure of a report, drawn when the report is written.

    Parameters
    ----------
    draw : callable
        Returns matplotlib axes on a figure of their own, as the functions of `seminaive.evaluate.plots` do.
    caption : str
        What it shows.
    """

    draw: Callable[[], Axes]
    caption: str


@dataclass(frozen=True)
class Numbers:
    """A few numbers that the reader should see first.

    Parameters
    ----------
    values : mapping of str to str
        What it is to how it is written.
    """

    values: Mapping[str, str]


@dataclass(frozen=True)
class Section:
    """A part of a report with a place in its table of contents.

    Parameters
    ----------
    title : str
    parts : sequence
        A str is a paragraph, a list or tuple of str a list; a result with tables (`Views`) is all of its
        tables; further a `Plot` or `Numbers`. A section without parts is left out.
    """

    title: str
    parts: Sequence[str | Sequence[str] | Views | Plot | Numbers]


def html_report(title: str, sections: Iterable[Section], *, lead: str = "") -> str:
    """Write a report.

    Parameters
    ----------
    title : str
    sections : iterable of Section
    lead : str, default=""
        A paragraph below the title.

    Returns
    -------
    str
        A whole HTML document. Without matplotlib it has no figures, and says so.

    Examples
    --------
    >>> from seminaive.evaluate.plots import plot_boxes
    >>> errors = {"NB": [0.14, 0.30, 0.12], "TAN": [0.06, 0.29, 0.13]}
    >>> table = TextTable("Means", ["classifier", "loss"], [["NB", 0.187], ["TAN", 0.16]])
    >>> boxes = Plot(lambda: plot_boxes(errors), "Losses of three data sets")
    >>> section = Section("Losses", ["Smaller is better.", table, boxes])
    >>> text = html_report("NB & TAN", [section])
    >>> text.startswith("<!DOCTYPE html>"), "<h1>NB &amp; TAN</h1>" in text, text.count("<table>")
    (True, True, 1)
    """
    writer = _Writer(figures=importlib.util.find_spec("matplotlib") is not None)
    contents, main = [], []
    for section in sections:
        anchor = writer.anchor(section.title)
        body = writer.section(section)
        if body:
            name = escape(section.title)
            contents.append(f'<li><a href="#{anchor}">{name}</a></li>\n')
            main.append(f'<section id="{anchor}">\n<h2>{name}</h2>\n{body}</section>\n')
    head = [lead] if lead else []
    head += [NO_FIGURES] if writer.omitted else []
    return _PAGE.format(
        title=escape(title),
        style=files("seminaive.evaluate").joinpath("report.css").read_text(encoding="utf-8"),
        head="".join(f'<p class="lead">{escape(text)}</p>\n' for text in head),
        contents="".join(contents),
        main="".join(main),
        version=escape(seminaive.__version__),
    )


def tables_of(sections: Iterable[Section]) -> list[TextTable]:
    """All tables of a report, in its order.

    Parameters
    ----------
    sections : iterable of Section

    Returns
    -------
    list of TextTable
    """
    parts = (part for section in sections for part in section.parts)
    return [table for part in parts if isinstance(part, Views) for table in part.tables()]


def write_tables(tables: Iterable[TextTable], directory: str | os.PathLike[str]) -> list[Path]:
    """Write each table as text, Markdown, LaTeX and CSV.

    Parameters
    ----------
    tables : iterable of TextTable
        Their titles give the names of the files.
    directory : path-like
        Is made, with a directory for each notation; files of the same names are replaced.

    Returns
    -------
    list of Path
        The files, four for each table.
    """
    paths: list[Path] = []
    used: Counter[str] = Counter()
    for table in tables:
        name = _slug(table.title)
        used[name] += 1
        name += f"-{used[name]}" if used[name] > 1 else ""
        for notation, suffix in _NOTATIONS.items():
            paths.append(Path(directory) / notation / f"{name}.{suffix}")
            write_text(paths[-1], getattr(table, f"to_{notation}")().rstrip("\n") + "\n")
    return paths


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file, whole or not at all; its directory is made.

    Parameters
    ----------
    path : path-like
    text : str
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing(path) as stream:
        stream.write(text.encode())


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:80].rstrip("-") or "table"


class _Writer:
    """HTML of the parts, with anchors and figures counted through the whole report."""

    def __init__(self, *, figures: bool) -> None:
        self._figures = figures
        self._n_figures = 0
        self._used: Counter[str] = Counter()
        self.omitted = False

    def anchor(self, title: str) -> str:
        """A name for a link, used once."""
        name = _slug(title)
        self._used[name] += 1
        return name if self._used[name] == 1 else f"{name}-{self._used[name]}"

    def section(self, section: Section) -> str:
        """The parts, under links to their tables where there are many."""
        tables: list[tuple[str, str]] = []
        parts = ""
        for kind, group in groupby(section.parts, _kind):
            written = "".join(self._part(part, tables) for part in group)
            # tables and figures stand side by side where there is room
            parts += f'<div class="row {kind}">\n{written}</div>\n' if kind and written else written
        if len(tables) > 2:
            links = " · ".join(f'<a href="#{anchor}">{escape(title)}</a>' for anchor, title in tables)
            parts = f'<p class="links">{links}</p>\n{parts}'
        return parts

    def _part(self, part: Any, tables: list[tuple[str, str]]) -> str:
        if isinstance(part, str):
            return f"<p>{escape(part)}</p>\n"
        if isinstance(part, Plot):
            return self._plot(part)
        if isinstance(part, Numbers):
            pairs = (
                f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
                for name, value in part.values.items()
            )
            return f'<dl class="numbers">{"".join(pairs)}</dl>\n'
        if isinstance(part, Views):
            written = []
            for table in part.tables():
                tables.append((self.anchor(table.title), table.title))
                written.append(_table(table, tables[-1][0]))
            return "".join(written)
        return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in part)}</ul>\n" if part else ""

    def _plot(self, plot: Plot) -> str:
        if not self._figures:
            self.omitted = True
            return ""
        self._n_figures += 1
        caption = escape(plot.caption)
        return (
            f'<figure class="plot"><div class="scroll" tabindex="0" role="group" aria-label="{caption}">'
            f"{_svg(plot, self._n_figures)}</div><figcaption>{caption}</figcaption></figure>\n"
        )


def _kind(part: Any) -> str:
    return "plots" if isinstance(part, Plot) else "tables" if isinstance(part, Views) else ""


def _table(table: TextTable, anchor: str) -> str:
    body, right = table._body("-"), table._right()
    marked = [any(_MARKED.fullmatch(row[j]) for row in body) for j in range(len(table.columns))]
    # ours stand below each other where the printed value follows them
    ends = [end and not mark for end, mark in zip(right, marked, strict=True)]
    head = "".join(
        f'<th scope="col"{_classes(end and "number")}>{escape(column)}</th>'
        for column, end in zip(table.columns, ends, strict=True)
    )
    lines = []
    for first, *cells in body:
        row = "".join(_cell(cell, end) for cell, end in zip(cells, ends[1:], strict=True))
        total = _classes(bool(TOTALS & {first, *cells[:1]}) and "total")
        kind = _classes(len(first) > LONG and "text")
        lines.append(f'<tr{total}><th scope="row"{kind}>{escape(first)}</th>{row}</tr>')
    notes = "".join(f"<p>{escape(note)}</p>" for note in table.notes)
    title, rows = escape(table.title), "\n".join(lines)
    return f"""<figure class="table" id="{anchor}">
<figcaption>{title}</figcaption>
<div class="scroll" tabindex="0" role="group" aria-label="{title}"><table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table></div>
{f'<div class="notes">{notes}</div>' if notes else ""}
</figure>
"""


def _cell(cell: str, end: bool) -> str:
    parts = _MARKED.fullmatch(cell)
    if parts is None:
        kinds = end and "number", cell.startswith("(") and "absent", len(cell) > WIDE and "text"
        return f"<td{_classes(*kinds)}>{escape(cell)}</td>"
    ours, mark, printed, footnotes = (escape(part or "") for part in parts.groups())
    text = f"{ours} <b>{mark}</b>" + (f" <i>{printed}</i>" if printed else "") + footnotes
    return f"<td{_classes(VERDICTS[mark])}>{text}</td>"


def _classes(*names: str | Literal[False]) -> str:
    chosen = " ".join(name for name in names if name)
    return f' class="{chosen}"' if chosen else ""


def _svg(plot: Plot, number: int) -> str:
    """A figure in the colours of the page, the same every time; its names are those of no other figure."""
    import matplotlib.pyplot as plt

    options = {"svg.fonttype": "none", "svg.hashsalt": f"figure {number}"}
    with plt.style.context(["default", options]):
        figure: Any = plot.draw().figure
        file = io.StringIO()
        nothing = dict.fromkeys(["Creator", "Date", "Format", "Type"])
        figure.savefig(file, format="svg", transparent=True, metadata=nothing)
        plt.close(figure)
    _, start, drawing = file.getvalue().partition("<svg ")
    drawing = re.sub(r"<style.*?</style>", "", drawing, flags=re.DOTALL)  # would hold for the whole page
    referred = set(re.findall(r"#([\w-]+)", drawing))
    drawing = re.sub(
        r' id="([^"]+)"', lambda name: name[0] if name[1] in referred else "", drawing
    )  # figure_1 in each figure
    for colour, variable in ((WIN, "var(--win)"), (LOSS, "var(--loss)"), ("#000000", "currentColor")):
        drawing = drawing.replace(colour, variable)
    # 10 points become 12 pixels, and at least 10
    width = 1.2 * float(re.search(r'width="([\d.]+)pt"', drawing)[1])  # type: ignore[index]
    size = f'style="width:{width:.0f}px;min-width:{10 / 12 * width:.0f}px"'
    return start + re.sub(r'width="[\d.]+pt" height="[\d.]+pt"', size, drawing, count=1).strip()
