"""Reports as one HTML file, and tables as files."""

from __future__ import annotations

import importlib.util
import re
from html.parser import HTMLParser

import pytest

from seminaive.evaluate import report
from seminaive.evaluate.plots import plot_boxes, plot_critical_difference, plot_gains, plot_scatter
from seminaive.evaluate.ranks import nemenyi
from seminaive.evaluate.report import (
    NO_FIGURES,
    Numbers,
    Plot,
    Section,
    html_report,
    tables_of,
    write_tables,
    write_text,
)
from seminaive.evaluate.views import TextTable

ERRORS = {"data": ["a", "b", "c"], "NB": [0.2, 0.3, 0.1], "TAN": [0.1, 0.31, 0.1], "AODE": [0.1, 0.2, 0.05]}
NASTY = "<b>&\"'{x}"
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Reader(HTMLParser):
    """Checks that tags are closed in order; collects text, tags, attributes and the cells of tables."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text, self.cells = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append([dict(attributes).get("class", ""), ""])

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)
        if "td" in self.open or "th" in self.open:
            self.cells[-1][1] += data

    def values(self, name):
        return [attributes[name] for _, attributes in self.tags if name in attributes]


def plots():
    return [
        Plot(lambda: plot_gains(ERRORS, "TAN", "NB"), "gains"),
        Plot(lambda: plot_scatter(ERRORS, "TAN", "NB"), "scatter"),
        Plot(lambda: plot_boxes(ERRORS), "boxes"),
        Plot(lambda: plot_critical_difference(nemenyi(ERRORS)), "critical difference"),
    ]


def full():
    table = TextTable("Values", ["data set", "NB"], [["zoo", 0.0297], ["mean", 0.0297]], notes=["A note."])
    return html_report(
        "A title",
        [
            Section("First", ["A paragraph.", ["one", "two"], Numbers({"cells": "12"}), table, table]),
            Section("Empty", []),
            Section("Pictures", [*plots(), table, table, table]),
        ],
        lead="What it is.",
    )


def test_one_file_without_script_or_network():
    text = full()
    page = Reader(text)
    tags = {tag for tag, _ in page.tags}
    assert not tags & {"script", "link", "img", "iframe", "object"}
    assert page.values("src") == []
    assert all(target.startswith("#") for target in page.values("href") + page.values("xlink:href"))
    assert all(address.startswith("#") for address in re.findall(r"url\(([^)]*)\)", text))
    assert "@import" not in text
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)


def test_names_are_unique_and_links_lead_to_them():
    page = Reader(full())
    names = page.values("id")
    assert len(names) == len(set(names))
    assert {target[1:] for target in page.values("href") + page.values("xlink:href")} <= set(names)


def test_contents_in_order_without_empty_sections():
    text = full()
    contents = re.findall(r'<li><a href="#([^"]+)">([^<]+)</a></li>', text)
    assert contents == [("first", "First"), ("pictures", "Pictures")]
    assert re.findall(r"<h2>([^<]+)</h2>", text) == ["First", "Pictures"]
    # links to the tables of a section with more than two
    assert text.count('<p class="links">') == 1


def test_the_same_every_time_and_figures_are_closed():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    assert full() == full()
    assert plt.get_fignums() == before


def test_figures_take_the_colours_of_the_page_whatever_the_style():
    import matplotlib.pyplot as plt

    plain = full()
    with plt.style.context("dark_background"):
        assert full() == plain
    drawings = re.findall(r"<svg.*?</svg>", plain, flags=re.DOTALL)
    assert len(drawings) == 4
    for drawing in drawings:
        assert "currentColor" in drawing
        assert not re.search(r"#000000|#ffffff|#0072b2|#d55e00", drawing)
    assert "<text" in drawings[0]  # words, which can be found and read out


def test_everything_is_escaped():
    table = TextTable(NASTY, ["data", NASTY], [[NASTY, NASTY], ["zoo", f"0.1 ~ {NASTY}"]], notes=[NASTY])
    plot = Plot(lambda: plot_boxes({NASTY.replace("{x}", ""): [1.0, 2.0], "NB": [1.0, 2.0]}), NASTY)
    parts = [NASTY, [NASTY], Numbers({NASTY: NASTY}), table, table, table, plot]
    text = html_report(NASTY, [Section(NASTY, parts)], lead=NASTY)
    page = Reader(text)
    style = text[text.index("<style>") : text.index("</style>")]
    assert not re.search(r"<b>&\"", text.replace(style, ""))
    assert page.text.count(NASTY) >= 12
    assert f"0.1 ~ {NASTY}" in [cell for _, cell in page.cells]


def test_marks_are_coloured_and_stay_readable():
    rows = [
        ["a", "0.0297 =", "0.1000 ~ 0.1100 [1]", "0.1000 ≠ 0.2000"],
        ["b", "(0.1200) [2]", "-", "12/3/4 (11/4/4)"],
        ["c", "-0.0297 = [1] [2]", "x = y z", ""],
    ]
    page = Reader(html_report("t", [Section("s", [TextTable("t", ["data", "x", "y", "z"], rows)])]))
    kinds = {text: kind for kind, text in page.cells}
    assert [text for _, text in page.cells][4:] == [cell for row in rows for cell in row]
    assert kinds["0.0297 ="] == kinds["-0.0297 = [1] [2]"] == "exact"
    assert kinds["0.1000 ~ 0.1100 [1]"] == "within"
    assert kinds["0.1000 ≠ 0.2000"] == "outside"
    assert kinds["(0.1200) [2]"] == "absent"
    assert not kinds["x = y z"]
    assert kinds["12/3/4 (11/4/4)"] == ""


def test_numbers_are_aligned_and_totals_stand_out():
    table = TextTable("t", ["data", "x", "y"], [["a", 1.0, "yes"], ["mean", float("nan"), None]])
    text = html_report("t", [Section("s", [table])])
    kinds = dict(map(reversed, Reader(text).cells))
    assert kinds["1.0000"] == kinds["-"] == kinds["x"] == "number"
    assert kinds["yes"] == ""
    assert '<tr class="total"><th scope="row">mean</th>' in text


def test_without_matplotlib_it_says_so(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        report.importlib.util, "find_spec", lambda name: None if name == "matplotlib" else find(name)
    )

    def fail():
        raise AssertionError

    sections = [Section("Words", ["here"]), Section("Pictures", [Plot(fail, "none")])]
    text = html_report("t", sections)
    assert "".join(Reader(text).text).count(NO_FIGURES) == 1
    assert "Pictures" not in text
    assert NO_FIGURES not in html_report("t", sections[:1])


def test_an_error_while_drawing_is_not_hidden():
    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        html_report("t", [Section("s", [Plot(fail, "none")])])


def test_tables_as_files(tmp_path):
    table = TextTable("W/D/L & so on", ["data set", "NB"], [["zoo", 1 / 3]], notes=["A note."])
    sections = [Section("s", ["text", table, Numbers({}), table]), Section("t", [TextTable("?", ["x"], [])])]
    tables = tables_of(sections)
    assert [each.title for each in tables] == ["W/D/L & so on", "W/D/L & so on", "?"]
    paths = write_tables(tables, tmp_path / "new" / "tables")
    names = {path.relative_to(tmp_path / "new" / "tables").as_posix() for path in paths}
    assert len(names) == len(paths) == 12
    assert {"text/w-d-l-so-on.txt", "markdown/w-d-l-so-on-2.md", "latex/table.tex"} < names
    assert (tmp_path / "new/tables/csv/w-d-l-so-on.csv").read_text() == table.to_csv()
    assert (tmp_path / "new/tables/text/w-d-l-so-on-2.txt").read_text() == table.to_text() + "\n"
    assert (tmp_path / "new/tables/latex/w-d-l-so-on.tex").read_text() == table.to_latex() + "\n"


def test_text_is_written_in_utf_8_and_replaced(tmp_path):
    path = tmp_path / "deep" / "report.html"
    write_text(path, "old")
    write_text(path, "≠")
    assert path.read_bytes() == "≠".encode()
    assert [other.name for other in path.parent.iterdir()] == ["report.html"]
