"""The report of a paper's experiments: what was met, the claims, every table beside the printed one."""

from __future__ import annotations

import csv
import io
from collections import Counter
from functools import partial
from pathlib import Path

from seminaive.evaluate import report
from seminaive.evaluate.experiment_report import failures
from seminaive.evaluate.experiments import MEASURES
from seminaive.evaluate.plots import plot_critical_difference, plot_gains, plot_scatter
from seminaive.evaluate.report import Numbers, Plot, Section, html_report, tables_of
from seminaive.evaluate.results_table import ResultsTable
from seminaive.evaluate.views import Cell, TextTable
from seminaive.papers.catalogue import CATALOGUE
from seminaive.papers.reproduction import Reproduction, counted

__all__ = [
    "headline",
    "reproduction_report",
    "reproduction_sections",
    "tables_met",
    "unprinted",
    "write_tables",
]

GENERATED = "Random rows, other ones than the paper's: no number can be met exactly."


def headline(reproduction: Reproduction) -> dict[str, str]:
    """The few numbers that say how the reproduction went.

    Parameters
    ----------
    reproduction : Reproduction

    Returns
    -------
    dict of str to str
        Data sets run; where the paper prints values, their number, how many of those that could be compared
        are exact, within sampling error, outside, and how many are missing.
    """
    data_sets = {"data sets": f"{len(reproduction.found)} of {len(reproduction.paper.data_sets)}"}
    if not reproduction.paper.tables:
        return data_sets
    counts = sum(_counts(reproduction).values(), Counter())
    compared = counts["exact"] + counts["within"] + counts["outside"]

    def share(kind: str) -> str:
        return f"{counts[kind]:,} · {100 * counts[kind] / compared:.0f} %" if compared else "0"

    return data_sets | {
        "printed values": f"{counts.total():,}",
        "exact": share("exact"),
        "within sampling error": share("within"),
        "outside": share("outside"),
        "missing": f"{counts['missing']:,}",
    }


def tables_met(reproduction: Reproduction) -> TextTable:
    """Cells of each printed table that are exact, within, outside or missing, a line a table.

    Parameters
    ----------
    reproduction : Reproduction

    Returns
    -------
    TextTable
    """
    counts = _counts(reproduction)
    rows: list[list[Cell]] = [[title, *counted(count)] for title, count in counts.items()]
    rows.append(["all", *counted(sum(counts.values(), Counter()))])
    columns = ["table", "cells", "exact", "within", "outside", "missing"]
    notes = [
        "exact: equal when rounded as printed; within: nearer than 2 sqrt(p (1 - p) / N), not told for "
        "information; missing: no data set, or left out of a quick run."
    ]
    return TextTable(f"{reproduction.paper.key}: printed values met, by table", columns, rows, notes=notes)


def unprinted(reproduction: Reproduction) -> list[ResultsTable]:
    """Our values of the measures that the paper has no printed table of.

    Parameters
    ----------
    reproduction : Reproduction

    Returns
    -------
    list of ResultsTable
    """
    printed = {table.measure for table in reproduction.paper.tables}
    wanted = [measure for measure in reproduction.paper.measures if measure not in printed]
    return [reproduction.values(measure) for measure in wanted if reproduction.ran(measure)]


def reproduction_sections(reproduction: Reproduction) -> list[Section]:
    """The report of a reproduction, for `html_report` and `write_tables`.

    Parameters
    ----------
    reproduction : Reproduction

    Returns
    -------
    list of Section
    """
    paper = reproduction.paper
    comparisons = [
        *(reproduction.compare(table) for table in paper.tables),
        *(reproduction.compare_information(table) for table in paper.information),
    ]
    met = [tables_met(reproduction)] if paper.tables else []
    tests = reproduction.critical_differences()
    failed, absent = failures(reproduction.errors), reproduction.missing()
    errata = [f"{erratum.where}: {erratum.text}" for erratum in paper.errata]
    return [
        Section("Summary", [Numbers(headline(reproduction)), *met]),
        Section("Claims", [reproduction.claims(), *_claim_plots(reproduction)] if paper.claims else []),
        Section("Wins, draws, losses", [reproduction.records(records) for records in paper.records]),
        Section(
            "Ranks and tests",
            [
                *(reproduction.ranks(ranks) for ranks in paper.ranks),
                reproduction.statistics(),
                *tests.values(),
                *(
                    Plot(
                        partial(plot_critical_difference, test),
                        f"Average ranks by {MEASURES[measure]} on our values, the best left; bars join "
                        "classifiers that Nemenyi's test does not tell apart.",
                    )
                    for measure, test in tests.items()
                ),
            ],
        ),
        Section("Tables", comparisons),
        Section("Not printed in the paper", unprinted(reproduction)),
        Section("Classifiers", [reproduction.summary()]),
        Section("Data sets", [_data_sets(reproduction), *([absent] if absent else [])]),
        Section("Costs", reproduction.costs()),
        Section("Failed", [failed] if failed else []),
        Section("Errata", [errata] if errata else []),
        Section("Notes", [list(paper.notes)] if paper.notes else []),
    ]


def reproduction_report(reproduction: Reproduction) -> str:
    """The report of a reproduction as one HTML file.

    Parameters
    ----------
    reproduction : Reproduction

    Returns
    -------
    str
        See `seminaive.evaluate.report.html_report`.
    """
    paper = reproduction.paper
    return html_report(
        paper.title,
        reproduction_sections(reproduction),
        lead=f"The experiments of this paper run again, each printed value beside ours. {paper.reference}.",
    )


def write_tables(reproduction: Reproduction, directory: str | Path) -> list[Path]:
    """Write every table as text, Markdown, LaTeX and CSV, and all cells in one CSV file.

    Parameters
    ----------
    reproduction : Reproduction
    directory : path-like
        Is made; files of the same names are replaced.

    Returns
    -------
    list of Path
        The files; the last one is ``cells.csv``: a line for each printed value of a data set and a
        classifier, with ours and the verdict.
    """
    paths = report.write_tables(tables_of(reproduction_sections(reproduction)), directory)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["table", "measure", "data set", "classifier", "printed", "ours", "verdict"])
    for table in reproduction.paper.tables:
        comparison = reproduction.compare(table)
        for i, data in enumerate(comparison.published.data_sets):
            for j, name in enumerate(comparison.published.classifiers):
                values = comparison.published.values[i, j], comparison.ours.values[i, j]
                row = [table.title, table.measure, data, name, *values, comparison.verdicts[i, j]]
                writer.writerow(["" if cell != cell else cell for cell in row])
    path = Path(directory) / "cells.csv"
    report.write_text(path, text.getvalue())
    return [*paths, path]


def _counts(reproduction: Reproduction) -> dict[str, Counter[str]]:
    """Verdicts of each printed table by its title."""
    paper = reproduction.paper
    return {table.title: reproduction.compare(table).count() for table in paper.tables} | {
        table.title: reproduction.compare_information(table).count() for table in paper.information
    }


def _claim_plots(reproduction: Reproduction) -> list[Plot]:
    plots = []
    for claim in reproduction.paper.claims:
        pair = claim.better, claim.worse
        if not reproduction.ran(claim.measure):
            continue
        values = reproduction.values(claim.measure)
        if set(pair) <= set(values.classifiers):
            name = MEASURES[claim.measure]
            plots += [
                Plot(
                    partial(plot_gains, values, *pair),
                    f"Gain of {claim.better} over {claim.worse} in {name}, as the papers draw it: one bar a "
                    "data set, coloured where it is more than 5 %.",
                ),
                Plot(
                    partial(plot_scatter, values, *pair),
                    f"The same values of {name}: a point is a data set.",
                ),
            ]
    return plots


def _data_sets(reproduction: Reproduction) -> TextTable:
    rows: list[list[Cell]] = []
    for name, data in reproduction.found.items():
        entry = CATALOGUE[data.name]
        remark = " ".join(text for text in (entry.preparation, GENERATED * entry.generated) if text)
        rows.append([name, data.name, data.n_rows, data.n_attributes, data.n_numeric, data.n_classes, remark])
    columns = ["data set", "here", "rows", "attributes", "numeric", "classes", "remark"]
    return TextTable("Data sets that were run", columns, rows)
