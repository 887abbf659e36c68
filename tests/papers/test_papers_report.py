"""The report of a reproduction, on a paper made up from generated rows."""

import csv
from dataclasses import dataclass, replace

import numpy as np
import pytest

from seminaive import KDB, NaiveBayes
from seminaive.evaluate.pairs import Record
from seminaive.evaluate.report import tables_of
from seminaive.evaluate.results_table import results_table
from seminaive.papers.paper import (
    Claim,
    Erratum,
    Paper,
    PaperClassifier,
    PublishedInformation,
    PublishedRecords,
    PublishedTable,
)
from seminaive.papers.report import (
    headline,
    reproduction_report,
    reproduction_sections,
    tables_met,
    unprinted,
    write_tables,
)
from seminaive.papers.reproduction import Reproduction, reproduce

NAN = float("nan")


@dataclass(frozen=True)
class Printed(PublishedTable):
    """A printed table whose numbers are given."""

    numbers: tuple = ()

    def values(self):
        columns = dict(zip(("NB", "again", "broken"), zip(*self.numbers, strict=True), strict=True))
        return results_table(columns, data_sets=["LED", "Mist", "Led too"], measure="0-1 loss")


@dataclass(frozen=True)
class PrintedRecords(PublishedRecords):
    """Printed records that are given."""

    def records(self):
        return {("again", "NB"): Record(0, 3, 0)}


def paper(loss):
    numbers = ((loss, loss + 0.01, 0.3), (0.1, 0.2, 0.3), (loss + 0.2, NAN, 0.0))
    return Paper(
        key="small",
        title="A <small> paper",
        reference="A. Nobody, A <small> paper (2000)",
        data_sets={"LED": "led", "Mist": "chess", "Led too": "led"},
        classifiers=(
            PaperClassifier("NB", NaiveBayes, "exact"),
            PaperClassifier("again", NaiveBayes, "near", "The same & again."),
            PaperClassifier("broken", lambda: NaiveBayes(smoothing="<none>"), "exact"),
        ),
        tables=(Printed("small.csv", "Table 1. Losses", "zero_one_loss", 3, numbers),),
        records=(PrintedRecords("records.csv", "Table 2. W/D/L", "zero_one_loss"),),
        ranks=(),
        statistics={},
        compared=("NB", "again"),
        claims=(Claim("NB", "again", "zero_one_loss", "NB < again"),),
        errata=(Erratum("Table 1, LED", "misprinted & more", "small.csv", "LED", "again"),),
        measures=("zero_one_loss", "auc"),
        notes=("Read <as is>.",),
    )


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """A directory without data sets: led is generated."""
    directory = tmp_path_factory.mktemp("data")
    (directory / "schema.json").write_text("{}")
    return directory


@pytest.fixture(scope="module")
def found(directory):
    loss = float(reproduce(paper(0.1), directory).values("zero_one_loss")["NB"][0])
    return reproduce(paper(loss), directory)


def test_headline(found):
    assert headline(found) == {
        "data sets": "2 of 3",
        "printed values": "8",
        "exact": "1 · 33 %",
        "within sampling error": "1 · 33 %",
        "outside": "1 · 33 %",
        "missing": "5",
    }
    one, total = tables_met(found).rows
    assert one[1:] == total[1:] == [8, 1, 1, 1, 5]
    assert one[0] == "Table 1. Losses"


def test_the_report_says_everything(found):
    text = reproduction_report(found)
    for words in (
        "<h1>A &lt;small&gt; paper</h1>",
        "A. Nobody, A &lt;small&gt; paper (2000)",
        "NB &lt; again",  # the claim
        "The same &amp; again.",
        "[1] Table 1, LED: misprinted &amp; more",
        "<li>Table 1, LED: misprinted &amp; more</li>",
        "<li>Read &lt;as is&gt;.</li>",
        "no number can be met exactly",  # generated rows
        "Data sets that were not run",
        "Table 2. W/D/L",
        "Failed cells",
        "&lt;none&gt;",
        "Gain of NB over again in zero-one loss",
        '<td class="exact">',
        '<td class="within">',
        '<td class="outside">',
        '<td class="absent">(0.100)</td>',
    ):
        assert words in text, words
    assert text.count("<svg") == 4  # gain and scatter of the claim, critical differences of two measures
    titles = [section.title for section in reproduction_sections(found) if section.parts]
    assert titles[:2] == ["Summary", "Claims"]
    assert titles[-3:] == ["Failed", "Errata", "Notes"]
    assert "Not printed in the paper" in titles


def test_tables_as_files(found, tmp_path):
    *paths, cells = write_tables(found, tmp_path)
    tables = tables_of(reproduction_sections(found))
    assert len(paths) == 4 * len(tables)
    assert len(set(paths)) == len(paths)
    assert (tmp_path / "markdown" / "headline-claims.md").read_text() == found.claims().to_markdown() + "\n"
    with cells.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 9
    ours = found.values("zero_one_loss")
    assert {row["verdict"] for row in rows if row["data set"] == "Mist"} == {"missing"}
    assert [row["ours"] for row in rows if row["classifier"] == "broken"] == [""] * 3
    (row,) = (row for row in rows if (row["data set"], row["classifier"]) == ("Led too", "again"))
    assert (row["printed"], row["verdict"]) == ("", "unprinted")
    assert float(row["ours"]) == ours["again"][1]


@dataclass(frozen=True)
class PrintedInformation(PublishedInformation):
    """Printed information that is given."""

    def values(self):
        return np.zeros(7)


def test_tables_of_information(found, directory, tmp_path):
    """LED has seven attributes, and each tells something of the class."""
    kdb = PaperClassifier("KDB", KDB, "exact")
    printed = PrintedInformation("mi.csv", "Table 3. I(X_i; C)", "LED", "KDB", False, 4)
    more = replace(found.paper, classifiers=(*found.paper.classifiers, kdb), information=(printed,))
    again = Reproduction(more, found.found, found.absent, found.results)
    assert [row[0] for row in tables_met(again).rows] == ["Table 1. Losses", "Table 3. I(X_i; C)", "all"]
    assert tables_met(again).rows[1][1:] == [7, 0, 0, 7, 0]
    assert (headline(again)["printed values"], headline(again)["outside"]) == ("15", "8 · 80 %")
    text = reproduction_report(again)
    assert "Table 3. I(X_i; C): ours and the printed values" in text
    assert text.count('<td class="outside">') == reproduction_report(found).count('<td class="outside">') + 7
    write_tables(again, tmp_path)
    name = "table-3-i-x-i-c-ours-and-the-printed-values"
    with (tmp_path / "csv" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["no."] for row in rows] == list("1234567")
    assert all(row["I(X_i; C)"].endswith(" ≠ 0.0000") for row in rows)
    assert (tmp_path / "text" / f"{name}.txt").is_file()


def test_a_paper_without_printed_tables(found, directory):
    bare = reproduce(replace(found.paper, tables=(), records=(), claims=(), errata=(), notes=()), directory)
    assert headline(bare) == {"data sets": "2 of 3"}
    assert [table.measure for table in unprinted(bare)] == ["zero-one loss", "AUC"]
    titles = [section.title for section in reproduction_sections(bare) if section.parts]
    assert not {"Claims", "Tables", "Errata", "Notes"} & set(titles)
    assert "Not printed in the paper" in titles
    assert "Table 1" not in reproduction_report(bare)
