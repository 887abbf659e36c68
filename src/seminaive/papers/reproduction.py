"""A paper's experiments run again, every printed number beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from seminaive.evaluate.experiments import (
    BIAS_VARIANCE,
    CROSS_VALIDATION,
    GREATER_IS_BETTER,
    MEASURES,
    Experiment,
    ExperimentResults,
    run_experiment,
)
from seminaive.evaluate.pairs import sign_tests, win_draw_loss_mcnemar, win_draw_loss_relative
from seminaive.evaluate.ranks import Nemenyi, average_ranks, friedman, nemenyi
from seminaive.evaluate.resampling import BiasVarianceSplit, PaperKFold
from seminaive.evaluate.results_table import ResultsTable
from seminaive.evaluate.store import CellRecord
from seminaive.evaluate.views import Cell, TextTable, Views
from seminaive.papers.catalogue import CATALOGUE
from seminaive.papers.coding import CodedData
from seminaive.papers.data_sets import MissingData, PaperData, find_data
from seminaive.papers.information import InformationComparison, NetworkInformation, network_information
from seminaive.papers.paper import (
    Erratum,
    Paper,
    PublishedInformation,
    PublishedRanks,
    PublishedRecords,
    PublishedTable,
)
from seminaive.papers.verdicts import ROUNDING, Verdict, marked

__all__ = ["QUICK_ROWS", "Reproduction", "TableComparison", "Verdict", "reproduce"]

QUICK_ROWS = 1000
SIGNIFICANT = 0.05


def reproduce(
    paper: Paper,
    directory: str | Path | None = None,
    *,
    quick: bool = False,
    store: Path | str | None = None,
    n_jobs: int | None = None,
    download: bool = True,
    retry_failed: bool = False,
    progress: Callable[[float, str], object] | None = None,
) -> Reproduction:
    """Run a paper's experiments on the data sets that can be had.

    Parameters
    ----------
    paper : Paper
    directory : path-like, default=None
        Where the data sets are, see `find_data`. None takes them from OpenML.
    quick : bool, default=False
        Only data sets of up to `QUICK_ROWS` rows, without the classifiers marked as slow.
    store : path-like, default=None
        File of finished cells, see `run_experiment`. Papers may share one.
    n_jobs : int or None, default=None
        Processes; None is one.
    download : bool, default=True
        Fetch from OpenML what the directory lacks.
    retry_failed : bool, default=False
        Run cells again that failed before.
    progress : callable, default=None
        Called as ``progress(share, what)``; the share starts at 0 again for bias and variance.

    Returns
    -------
    Reproduction
    """
    found: dict[str, PaperData] = {}
    absent: dict[str, str] = {}
    for name, key in paper.data_sets.items():
        n_rows = CATALOGUE[key].n_rows
        if quick and n_rows > QUICK_ROWS:
            absent[name] = f"{key}: left out of a quick run, {n_rows} rows"
            continue
        try:
            found[name] = find_data(key, directory, download=download)
        except MissingData as error:
            absent[name] = str(error)
    only_generated = all(CATALOGUE[data.name].generated for data in found.values())
    if not found or (directory is None and only_generated):
        raise MissingData(
            f"none of the data sets of {paper.key} can be had, for instance: {next(iter(absent.values()))}; "
            "name a directory that holds them"
        )
    classifiers = {each.name: each.make() for each in paper.classifiers if not (quick and each.slow)}
    results = {}
    for resampling, splitter in ((CROSS_VALIDATION, PaperKFold()), (BIAS_VARIANCE, BiasVarianceSplit())):
        columns, names = _wanted(paper, resampling)
        chosen = {name: model for name, model in classifiers.items() if name in columns}
        # one catalogue entry may stand for two rows of a paper
        data_sets = {data.name: CodedData(data) for name, data in found.items() if name in names}
        if chosen and data_sets:
            experiment = Experiment(list(data_sets.values()), chosen, {resampling: splitter})
            results[resampling] = run_experiment(
                experiment, store=store, n_jobs=n_jobs, retry_failed=retry_failed, progress=progress
            )
    return Reproduction(paper, found, absent, results)


def _wanted(paper: Paper, resampling: str) -> tuple[set[str], set[str]]:
    """Columns and rows of the tables that need a resampling; every row where no table says which."""
    columns: set[str] = set()
    rows: set[str] = set()
    printed = {table.measure for table in paper.tables}
    for table in paper.tables:
        if _resampling(table.measure) == resampling:
            values = table.values()
            columns.update(values.classifiers)
            rows.update(values.data_sets)
    if any(_resampling(measure) == resampling and measure not in printed for measure in paper.measures):
        return {each.name for each in paper.classifiers}, set(paper.data_sets)
    return columns, rows


def _resampling(measure: str) -> str:
    return BIAS_VARIANCE if measure in ("bias", "variance") else CROSS_VALIDATION


@dataclass(frozen=True)
class TableComparison(Views):
    """A printed table and ours.

    Attributes
    ----------
    title : str
    published, ours : ResultsTable
        The same rows and columns; NaN in ``ours`` where the data set is missing.
    verdicts : ndarray of str, shape (n_data_sets, n_classifiers)
        "exact": equal when rounded as printed; "within": nearer than two standard errors of a share,
        2 sqrt(p (1 - p) / N), p as printed, N test rows; "outside"; "missing": no value of ours;
        "unprinted": the paper leaves the cell empty.
    errata : tuple of Erratum
        Those that mark cells of this table.
    decimals : int
        Digits printed.
    """

    title: str
    published: ResultsTable
    ours: ResultsTable
    verdicts: np.ndarray
    errata: tuple[Erratum, ...]
    decimals: int

    def count(self, classifier: str | None = None) -> Counter[str]:
        """Number of printed cells with each verdict, of one classifier or of all."""
        if classifier is None:
            verdicts = self.verdicts.ravel()
        else:
            verdicts = self.verdicts[:, self.published.classifiers.index(classifier)]
        return Counter(verdicts[verdicts != "unprinted"].tolist())

    def tables(self) -> list[TextTable]:
        """One table; a cell is our value, and the printed one where that differs."""
        rows: list[list[Cell]] = []
        for i, data in enumerate(self.published.data_sets):
            row: list[Cell] = [data]
            for j, name in enumerate(self.published.classifiers):
                values = self.ours.values[i, j], self.published.values[i, j], self.verdicts[i, j]
                row.append(marked(*values, self.decimals) + self._footnotes(data, name))
            rows.append(row)
        notes = [
            "= ours, which is the printed value; ~ ours and the printed value, within 2 sqrt(p (1 - p) / N); "
            "≠ ours and the printed value, further apart; (printed) where the data set is missing.",
            *(f"[{i}] {erratum.where}: {erratum.text}" for i, erratum in enumerate(self.errata, start=1)),
        ]
        return [TextTable(self.title, ["data set", *self.published.classifiers], rows, notes=notes)]

    def _footnotes(self, data: str, classifier: str) -> str:
        return "".join(
            f" [{i}]"
            for i, erratum in enumerate(self.errata, start=1)
            if (erratum.data_set or erratum.classifier)
            and erratum.data_set in (None, data)
            and erratum.classifier in (None, classifier)
        )


class Reproduction(Views):
    """What became of a paper's experiments.

    Attributes
    ----------
    paper : Paper
    found : dict of str to PaperData
        The paper's name of each data set that was run.
    absent : dict of str to str
        Why each of the others was not.
    results : dict of str to ExperimentResults
        By resampling.
    """

    def __init__(
        self,
        paper: Paper,
        found: Mapping[str, PaperData],
        absent: Mapping[str, str],
        results: Mapping[str, ExperimentResults],
    ) -> None:
        self.paper = paper
        self.found = dict(found)
        self.absent = dict(absent)
        self.results = dict(results)
        self._networks: dict[tuple[str, str], NetworkInformation] = {}

    @property
    def errors(self) -> list[CellRecord]:
        """Cells that failed."""
        return [record for results in self.results.values() for record in results.errors]

    def ran(self, measure: str) -> bool:
        """Whether the resampling that a measure comes from was run."""
        return _resampling(measure) in self.results

    def values(self, measure: str) -> ResultsTable:
        """Ours, data sets under the paper's names and in its order."""
        table = self.results[_resampling(measure)].table(measure)
        names = [name for name, data in self.found.items() if data.name in table.data_sets]
        chosen = table.select(data_sets=list(dict.fromkeys(self.found[name].name for name in names)))
        row = {name: i for i, name in enumerate(chosen.data_sets)}
        rows = [row[self.found[name].name] for name in names]
        return ResultsTable(
            MEASURES[measure],
            tuple(names),
            chosen.classifiers,
            chosen.values[rows],
            measure in GREATER_IS_BETTER,
        )

    def compare(self, table: PublishedTable) -> TableComparison:
        """A printed table beside ours."""
        published = table.values()
        ours = np.full(published.values.shape, np.nan)
        resampling = _resampling(table.measure)
        n_rows = np.full(len(published.data_sets), np.nan)
        if resampling in self.results:
            found = self.values(table.measure)
            for i, data in enumerate(published.data_sets):
                if data in found.data_sets:
                    n_rows[i] = self._test_rows(data, resampling)
                    for j, name in enumerate(published.classifiers):
                        if name in found.classifiers:
                            row, column = found.data_sets.index(data), found.classifiers.index(name)
                            ours[i, j] = found.values[row, column]
        distance = np.abs(ours - published.values)
        share = np.clip(np.abs(published.values), 0, 1)
        within = distance <= 2 * np.sqrt(share * (1 - share) / n_rows[:, None])
        exact = distance <= ROUNDING * 10.0**-table.decimals
        verdicts = np.select(
            [np.isnan(published.values), np.isnan(distance), exact, within],
            ["unprinted", "missing", "exact", "within"],
            "outside",
        )
        return TableComparison(
            f"{table.title}: ours and the printed values",
            published,
            ResultsTable(
                published.measure,
                published.data_sets,
                published.classifiers,
                ours,
                published.greater_is_better,
            ),
            verdicts,
            tuple(erratum for erratum in self.paper.errata if erratum.table == table.file),
            table.decimals,
        )

    def compare_information(self, table: PublishedInformation) -> InformationComparison:
        """A printed table of information beside ours, which is measured when it is first asked for."""
        network, place = None, (table.data_set, table.classifier)
        if table.data_set in self.found:
            if place not in self._networks:
                model = self.paper.classifier(table.classifier).make()
                self._networks[place] = network_information(self.found[table.data_set], model)
            network = self._networks[place]
        ours: tuple[tuple[str | float, ...], ...] = ()
        if network is not None:
            ours = network.arcs if table.conditional else network.attributes
        return InformationComparison(
            f"{table.title}: ours and the printed values",
            "I(X_i; X_j | C)" if table.conditional else "I(X_i; C)",
            ("attribute", "parent") if table.conditional else ("attribute",),
            table.values(),
            ours,
            tuple(erratum for erratum in self.paper.errata if erratum.table == table.file),
            table.decimals,
        )

    def _test_rows(self, data: str, resampling: str) -> int:
        rows = self.results[resampling].n_rows(self.found[data].name, resampling)
        return rows if resampling == CROSS_VALIDATION else self.found[data].n_rows // 3

    def summary(self) -> TextTable:
        """Cells of each printed table that are exact, within, outside or missing."""
        rows: list[list[Cell]] = []
        for table in self.paper.tables:
            comparison = self.compare(table)
            for name in comparison.published.classifiers:
                rows.append([table.title, name, *counted(comparison.count(name))])
            rows.append([table.title, "all", *counted(comparison.count())])
        for printed in self.paper.information:
            count = self.compare_information(printed).count()
            rows.append([printed.title, printed.classifier, *counted(count)])
        columns = ["table", "classifier", "cells", "exact", "within", "outside", "missing"]
        notes = [
            f"Data sets: {len(self.found)} of {len(self.paper.data_sets)}.",
            "exact: equal when rounded as printed; within: nearer than 2 sqrt(p (1 - p) / N), exact ones "
            "left out, not told for information; missing: no data set, or left out of a quick run.",
            *(f"{each.name} ({each.known}): {each.note}" for each in self.paper.classifiers if each.note),
        ]
        return TextTable(f"{self.paper.key}: printed values met", columns, rows, notes=notes)

    def missing(self) -> TextTable | None:
        """Data sets that were not run, and why."""
        if not self.absent:
            return None
        rows = [[name, reason] for name, reason in self.absent.items()]
        return TextTable("Data sets that were not run", ["data set", "why"], rows)

    def records(self, printed: PublishedRecords) -> TextTable:
        """Wins, draws and losses by the 5 % rule: ours, and those of the printed values on the same sets."""
        published, ours = self._both(printed.measure, printed.data_sets)
        pairs = printed.records()
        names = list(dict.fromkeys(name for pair in pairs for name in pair))
        title = f"{printed.title}: ours (printed values, same data sets)"
        if ours is None:
            return TextTable(title, ["W/D/L"], [], notes=["None of its data sets was run."])
        mine, theirs = win_draw_loss_relative(ours), win_draw_loss_relative(published)
        rows: list[list[Cell]] = []
        columns = [name for name in names if any(pair[1] == name for pair in pairs)]
        for row in (name for name in names if any(pair[0] == name for pair in pairs)):
            cells: list[Cell] = [row]
            for column in columns:
                pair = row, column
                known = pair in pairs and pair in mine.records and pair in theirs.records
                cells.append(f"{mine[pair]} ({theirs[pair]})" if known else None)
            rows.append(cells)
        whole = self._published(printed.measure)
        if printed.data_sets is not None:
            whole = whole.select(data_sets=printed.data_sets)
        recomputed = win_draw_loss_relative(whole).records
        equal = sum(recomputed.get(pair) == record for pair, record in pairs.items())
        notes = [
            "Row against column; a win is a value better by more than 5 %.",
            f"Data sets: {len(ours.data_sets)} of {len(whole.data_sets)}. On all of them, the rule applied "
            f"to the printed values gives {equal} of the {len(pairs)} printed records.",
        ]
        return TextTable(title, ["W/D/L", *columns], rows, notes=notes)

    def ranks(self, printed: PublishedRanks) -> TextTable:
        """Mean ranks: ours, those of the printed values on the same sets, and the printed ones."""
        published, ours = self._both(printed.measure, None)
        if ours is None:
            return TextTable(printed.title, ["classifier"], [], notes=["None of its data sets was run."])
        whole = printed.values()
        again = average_ranks(self._published(printed.measure), margin=printed.margin)
        same = [
            data
            for data, row in zip(again.data_sets, again.ranks.tolist(), strict=True)
            if np.allclose(row, whole.values[whole.data_sets.index(data)])
        ]
        mine = average_ranks(ours, margin=printed.margin).mean
        theirs = average_ranks(published, margin=printed.margin).mean
        rows: list[list[Cell]] = [
            [name, mine[name], theirs[name], float(whole[name].mean())] for name in ours.classifiers
        ]
        notes = [
            f"Ranks by groups of {100 * printed.margin:g} %, on {len(ours.data_sets)} data sets. Of the "
            f"{len(whole.data_sets)} printed rows of ranks, {len(same)} are those of the printed values.",
        ]
        columns = ["classifier", "ours", "printed values", "printed ranks, all data sets"]
        formats = dict.fromkeys(columns[1:], ".2f")
        return TextTable(f"{printed.title}: mean ranks", columns, rows, formats, notes)

    def statistics(self) -> TextTable:
        """Friedman's test: ours, on the printed values of the same sets and of all, and as printed."""
        rows: list[list[Cell]] = []
        for table in self._compared_tables():
            published, ours = self._both(table.measure, None)
            if ours is None or len(ours.complete_names()) < 2 or len(ours.classifiers) < 3:
                continue
            whole = self._published(table.measure).select(ours.classifiers)
            for what, values in (
                ("ours", ours),
                ("printed values, same data sets", published),
                ("printed values", whole),
            ):
                test = friedman(values)
                rows.append(
                    [
                        MEASURES[table.measure],
                        what,
                        len(values.complete_names()),
                        test.statistic,
                        test.p_value,
                    ]
                )
        notes = [f"The paper prints {name}: {value:g}." for name, value in self.paper.statistics.items()]
        columns = ["measure", "values", "data sets", "chi-square", "p"]
        formats = {"chi-square": ".2f", "p": ".2g"}
        return TextTable("Friedman's test of equal ranks", columns, rows, formats, notes)

    def critical_differences(self) -> dict[str, Nemenyi]:
        """Nemenyi's test on our values of each compared measure."""
        tests = {}
        for measure in dict.fromkeys(
            [*(table.measure for table in self._compared_tables()), *self._unprinted()]
        ):
            if _resampling(measure) in self.results:
                values = self.values(measure)
                names = [name for name in self.paper.compared if name in values.classifiers]
                values = values.select(names)
                if values.complete_names() and len(names) > 1:
                    tests[measure] = nemenyi(values)
        return tests

    def claims(self) -> TextTable:
        """The paper's headlines under the 5 % rule, a sign test over data sets, and McNemar's on each."""
        rows: list[list[Cell]] = []
        for claim in self.paper.claims:
            pair = claim.better, claim.worse
            values = self.values(claim.measure) if _resampling(claim.measure) in self.results else None
            if values is None or not set(pair) <= set(values.classifiers):
                continue
            values = values.select(pair)
            record = win_draw_loss_relative(values)[pair]
            sign = sign_tests(values)[pair]
            significant = "-"
            if claim.measure == "zero_one_loss":
                truth, predictions = self.results[CROSS_VALIDATION].predictions()
                some = {name: predictions[name] for name in pair}
                significant = str(win_draw_loss_mcnemar(truth, some)[pair])
            holds = "yes" if sign.p_value < SIGNIFICANT and sign.better > sign.worse else "no"
            rows.append(
                [
                    claim.text,
                    str(record),
                    "yes" if record.win > record.loss else "no",
                    f"{sign.better} : {sign.worse}",
                    sign.p_value,
                    holds,
                    significant,
                ]
            )
        columns = [
            "claim",
            "W/D/L, 5 %",
            "more wins",
            "better : worse",
            "p, sign test",
            "holds",
            "W/D/L, McNemar",
        ]
        notes = [
            "On our values. A claim holds if the sign test over data sets, two-sided, ties left out, has p < "
            f"{SIGNIFICANT:g} in its favour. McNemar: exact test on the rows of each data set, p < 0.05."
        ]
        return TextTable("Headline claims", columns, rows, {"p, sign test": ".4f"}, notes)

    def costs(self) -> list[TextTable]:
        """Where the time went."""
        return [
            TextTable(f"{table.title}: {resampling}", table.columns, table.rows, table.formats)
            for resampling, table in ((name, results.costs()) for name, results in self.results.items())
        ]

    def tables(self) -> list[TextTable]:
        """Everything, in reading order."""
        parts: list[TextTable] = [self.summary()]
        for table in self.paper.tables:
            parts += self.compare(table).tables()
        for printed in self.paper.information:
            parts += self.compare_information(printed).tables()
        for measure in self._unprinted():
            if _resampling(measure) in self.results:
                parts += self.values(measure).tables()
        parts += [self.records(records) for records in self.paper.records]
        parts += [self.ranks(ranks) for ranks in self.paper.ranks]
        parts.append(self.statistics())
        for test in self.critical_differences().values():
            parts += test.tables()
        parts.append(self.claims())
        parts += self.costs()
        absent = self.missing()
        return [*parts, absent] if absent else parts

    def _unprinted(self) -> list[str]:
        printed = {table.measure for table in self.paper.tables}
        return [measure for measure in self.paper.measures if measure not in printed]

    def _compared_tables(self) -> list[PublishedTable]:
        """The first printed table of each measure that has the compared classifiers."""
        tables: dict[str, PublishedTable] = {}
        for table in self.paper.tables:
            if set(self.paper.compared) <= set(table.values().classifiers):
                tables.setdefault(table.measure, table)
        return list(tables.values())

    def _published(self, measure: str) -> ResultsTable:
        tables = [table for table in self._compared_tables() if table.measure == measure]
        if not tables:
            raise KeyError(f"{self.paper.key} prints no table of {measure}")
        return tables[0].values()

    def _both(
        self, measure: str, data_sets: tuple[str, ...] | None
    ) -> tuple[ResultsTable, ResultsTable | None]:
        """Printed values and ours, of the same data sets and classifiers; None if there are none."""
        published = self._published(measure)
        if _resampling(measure) not in self.results:
            return published, None
        ours = self.values(measure)
        wanted = published.data_sets if data_sets is None else data_sets
        names = [name for name in wanted if name in ours.data_sets and name in published.data_sets]
        columns = [name for name in published.classifiers if name in ours.classifiers]
        columns = [name for name in columns if name in self.paper.compared] or columns
        if not names:
            return published, None
        return published.select(columns, names), ours.select(columns, names)


def counted(verdicts: Counter[str]) -> list[int]:
    """All cells, then those of each verdict."""
    return [verdicts.total(), *(verdicts[kind] for kind in ("exact", "within", "outside", "missing"))]
