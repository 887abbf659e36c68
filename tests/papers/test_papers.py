"""What the papers say: names, printed numbers and what follows from them."""

import csv
import pickle
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest
from reading import MISSING_DATA, SHARED
from sklearn.base import clone

from seminaive.evaluate.experiments import MEASURES
from seminaive.evaluate.pairs import Record, win_draw_loss_relative
from seminaive.evaluate.ranks import average_ranks, critical_difference, friedman
from seminaive.papers import PAPERS
from seminaive.papers.catalogue import CATALOGUE
from seminaive.papers.support_vectors import CS, GAMMAS

TABLES = SHARED / "papers" / "tables"
PUBLISHED = files("seminaive.papers") / "published"
IN_THE_TEXT = {"adaptive-kdb_wdl_bias.csv", "adaptive-kdb_wdl_variance.csv"}  # Table 6, of no file
every_paper = pytest.mark.parametrize("paper", PAPERS.values(), ids=list(PAPERS))


def table(key, measure):
    return next(each for each in PAPERS[key].tables if each.measure == measure).values()


# --- names


def test_keys_cost_no_import():
    code = (
        "import sys; from seminaive.papers import PAPERS; assert len(PAPERS) == 4; "
        "assert 'seminaive.papers.paper' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert list(PAPERS) == ["averaged-kdb", "personalized-kdb", "adaptive-kdb", "awode"]
    assert all(PAPERS[key].key == key for key in PAPERS)
    with pytest.raises(KeyError):
        PAPERS["kdb"]


@every_paper
def test_names_of_a_paper_belong_together(paper):
    names = [classifier.name for classifier in paper.classifiers]
    assert len(set(names)) == len(names)
    assert set(paper.data_sets.values()) <= set(CATALOGUE)
    assert set(paper.compared) <= set(names)
    assert set(paper.measures) <= set(MEASURES)
    assert {each.measure for each in paper.tables} <= set(paper.measures)
    for claim in paper.claims:
        assert {claim.better, claim.worse} <= set(names)
        assert claim.measure in paper.measures
    assert paper.classifier(names[-1]).name == names[-1]
    with pytest.raises(KeyError, match=r"has no classifier 'C4\.5'; it has NB, "):
        paper.classifier("C4.5")


@every_paper
def test_tables_have_the_papers_data_sets_and_columns(paper):
    order = list(paper.data_sets)
    for each in paper.tables:
        values = each.values()
        assert [name for name in order if name in values.data_sets] == list(values.data_sets)
        assert set(values.classifiers) <= {classifier.name for classifier in paper.classifiers}
        assert not values.incomplete
        assert values.greater_is_better == (each.measure == "mcc")
    printed = {each.measure: each.values() for each in reversed(paper.tables)}
    if printed:
        assert list(printed["zero_one_loss"].data_sets) == order
        assert {name for each in printed.values() for name in each.classifiers} >= set(paper.compared)
        assert set(order) == set(paper.sizes())
    for each in paper.ranks:
        assert list(each.values().data_sets) == order


@every_paper
def test_errata_mark_cells_that_exist(paper):
    tables = {each.file: each for each in (*paper.tables, *paper.ranks)}
    others = {each.file for each in (*paper.records, *paper.information)} | {paper.sizes_file}
    for erratum in paper.errata:
        if erratum.table in tables:
            values = tables[erratum.table].values()
            assert erratum.data_set is None or erratum.data_set in values.data_sets
            assert erratum.classifier is None or erratum.classifier in values.classifiers
        else:
            assert erratum.data_set is None
            assert erratum.classifier is None
            assert erratum.table is None or erratum.table in others


def test_tables_of_information_have_a_value_for_each_attribute_or_arc():
    paper = PAPERS["adaptive-kdb"]
    sizes = {}
    for each in paper.information:
        n = CATALOGUE[paper.data_sets[each.data_set]].n_attributes
        k = paper.classifier(each.classifier).make().k
        sizes[each.title[6:8]] = len(each.values())
        assert len(each.values()) == (sum(min(i, k) for i in range(n)) if each.conditional else n)
        assert (np.diff(each.values()) >= 0).all()
    assert sizes == {"A1": 29, "A2": 21, "A3": 55, "A4": 39}


def test_errata_on_the_information_of_hypo():
    paper = PAPERS["adaptive-kdb"]
    mi, cmi = (each.values() for each in paper.information if each.data_set == "Hypo")
    one, two = (each.text for each in paper.errata if each.where.startswith("Section 4.2, Hypo"))
    assert f"{mi.mean():.4f}" in one
    assert (mi > mi.mean()).sum() == 4
    assert f"{100 * mi[:23].sum() / mi.sum():.2f} %" in one
    assert f"{(cmi < cmi.mean()).sum()} arcs are below its average of {cmi.mean():.4f}" in two
    assert f"{cmi[:48].sum():.4f}, {100 * cmi[:48].sum() / cmi.sum():.2f} %" in two


def test_every_published_file_is_used():
    used = {
        each.file
        for paper in PAPERS.values()
        for each in (*paper.tables, *paper.records, *paper.ranks, *paper.information)
    } | {paper.sizes_file for paper in PAPERS.values() if paper.sizes_file}
    assert {each.name for each in PUBLISHED.iterdir()} == used


# --- numbers


@pytest.mark.skipif(not TABLES.is_dir(), reason=MISSING_DATA)
@pytest.mark.parametrize("file", sorted({each.name for each in PUBLISHED.iterdir()} - IN_THE_TEXT))
def test_published_numbers_are_those_of_the_tables(file):
    ours = list(csv.reader(PUBLISHED.joinpath(file).read_text(encoding="utf-8").splitlines()))
    theirs = list(csv.reader((TABLES / file).read_text(encoding="utf-8").splitlines()))
    if file == "averaged-kdb_ranks.csv":
        *theirs, means = theirs
        statistics = PAPERS["averaged-kdb"].statistics
        expected = {f"average rank zero_one_loss {name}": x for name, x in zip(ours[0], means, strict=True)}
        assert statistics == {name: float(expected[name]) for name in statistics}
    assert len(ours) == len(theirs)
    first = 2 if file.endswith("_datasets.csv") else 1
    assert [row[first:] for row in ours[1:]] == [row[first:] for row in theirs[1:]]


@pytest.mark.parametrize(
    ("key", "number", "exact", "off"),
    [
        ("averaged-kdb", 1, 14, 2),
        ("averaged-kdb", 2, 9, 3),
        ("adaptive-kdb", 1, 3, 2),
        ("adaptive-kdb", 2, 15, 0),
        ("adaptive-kdb", 3, 14, 1),
        ("adaptive-kdb", 4, 15, 0),
    ],
)
def test_printed_records_follow_from_printed_values(key, number, exact, off):
    """Those of 2015 within the rounding of three digits; RMSE of 2019 has wrong rows, see the errata.

    The other records are tested with the rule itself.
    """
    printed = PAPERS[key].records[number]
    values = table(key, printed.measure).select(data_sets=printed.data_sets)
    recomputed, records = win_draw_loss_relative(values), printed.records()
    assert sum(recomputed[pair] == record for pair, record in records.items()) == exact
    for pair, record in records.items():
        assert max(abs(np.subtract(recomputed[pair], record))) <= off


def test_records_count_the_data_sets():
    wrong = {
        (printed.file, *pair): record
        for paper in PAPERS.values()
        for printed in paper.records
        for pair, record in printed.records().items()
        if sum(record) != len(printed.data_sets or paper.data_sets)
    }
    assert wrong == {("adaptive-kdb_wdl_variance.csv", "K1DB", "SNB-FSS"): Record(0, 0, 12)}


def test_statistics_of_2019_follow_from_the_printed_values():
    paper = PAPERS["adaptive-kdb"]
    losses = table("adaptive-kdb", "zero_one_loss").select(paper.compared)
    ranks = average_ranks(losses).mean
    printed = {name: paper.statistics[f"average rank zero_one_loss {name}"] for name in paper.compared}
    printed["TAN"], printed["K1DB"] = printed["K1DB"], printed["TAN"]  # exchanged in the paper
    assert ranks == pytest.approx(printed, abs=0.0051)
    assert friedman(losses).statistic == pytest.approx(paper.statistics["friedman zero_one_loss"], abs=0.005)
    assert critical_difference(6, 30) == pytest.approx(paper.statistics["critical difference"], abs=0.0005)
    # the erratum on RMSE
    errors = table("adaptive-kdb", "rmse")
    assert friedman(errors).statistic == pytest.approx(23.28, abs=0.005)
    assert average_ranks(errors).mean["AKDB"] == pytest.approx(2.32, abs=0.005)


def test_impossible_numbers_are_errata():
    """Losses are multiples of 1/N; with two classes, each error adds at least 1/4 to the sum of squares."""
    marked = {
        (erratum.table, erratum.data_set, erratum.classifier)
        for paper in PAPERS.values()
        for erratum in paper.errata
    }
    for key in ("awode", "adaptive-kdb"):
        sizes, losses = PAPERS[key].sizes(), table(key, "zero_one_loss")
        for data, row in zip(losses.data_sets, losses.values, strict=True):
            n = sizes[data][0]
            for name, loss in zip(losses.classifiers, row, strict=True):
                if n < 3000 and abs(round(loss * n) / n - loss) > 0.51e-4:
                    assert (f"{key}_zero_one_loss.csv", data, name) in marked
    losses, errors = table("adaptive-kdb", "zero_one_loss"), table("adaptive-kdb", "rmse")
    two = [name for name, (_, _, classes) in PAPERS["adaptive-kdb"].sizes().items() if classes == 2]
    for data in two:
        for name in errors.classifiers:
            loss = losses.select([name], [data]).values.item()
            if errors.select([name], [data]).values.item() < np.sqrt(loss / 4) - 1e-4:
                assert ("adaptive-kdb_rmse.csv", data, name) in marked


@every_paper
def test_sizes_are_those_of_the_catalogue(paper):
    other_rows = {"poker-hand", "splice-c4.5"} | ({"heart"} if paper.key == "averaged-kdb" else set())
    other_attributes = {"car"}  # 8 in print
    other_classes = {"phoneme"}
    for name, (n_rows, n_attributes, n_classes) in paper.sizes().items():
        entry = CATALOGUE[paper.data_sets[name]]
        assert entry.n_rows == n_rows or entry.name in other_rows
        # the paper of 2015 counts the class in most rows
        assert n_attributes - entry.n_attributes in (0, 1) or entry.name in other_attributes
        assert n_classes in (entry.n_classes, entry.n_classes_with_rows) or entry.name in other_classes


# --- classifiers


@every_paper
def test_classifiers_are_new_and_can_be_copied(paper):
    for each in paper.classifiers:
        model = each.make()
        assert model is not each.make()
        assert str(clone(model)) == str(model) == str(pickle.loads(pickle.dumps(model)))
        assert each.known == "exact" or each.note or "AKDB(" in each.name


def test_parameters_are_the_papers():
    averaged, adaptive = PAPERS["averaged-kdb"], PAPERS["adaptive-kdb"]
    assert str(averaged.classifier("AODE").make()) == "AODE(conditional='ratio')"
    assert averaged.classifier("AKDB").make().resolution == "ser"
    assert PAPERS["personalized-kdb"].classifier("AKDB").make().resolution is None
    assert adaptive.classifier("K1DB").make().k == 1
    assert adaptive.classifier("AKDB").make().delta == 0.1
    assert adaptive.classifier("AKDB(40%)").make().delta == 0.4
    switches = {
        name: (model.select_features, model.select_dependencies)
        for name in ("KDB-FS", "KDB-DS", "AKDB")
        for model in [adaptive.classifier(name).make()]
    }
    assert switches == {"KDB-FS": (True, False), "KDB-DS": (False, True), "AKDB": (True, True)}


def test_classifiers_of_scikit_learn_read_codes():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (40, 3))
    y = (X[:, 0] == 1).astype(int)
    svm, forest = (PAPERS["personalized-kdb"].classifier(name).make() for name in ("LibSVM", "RF"))
    assert [len(CS), CS[0], CS[-1]] == [11, 2**-5, 2**15]
    assert [len(GAMMAS), GAMMAS[0], GAMMAS[-1]] == [10, 2**-15, 2**3]
    for model in (svm, forest):
        model.fit(X[:30], y[:30])
        assert model.predict(np.vstack([X[30:], [[7, 1, 1]]])).shape == (11,)  # 7 was not seen
        assert model.score(X[30:], y[30:]) > 0.8
