"""Counts with labels: parts add up to the counts of everything at once, and make the same classifiers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.preprocessing import KBinsDiscretizer

import seminaive
from seminaive import (
    AODE,
    KDB,
    TAN,
    AdaptiveKDB,
    Counts,
    LocalKDB,
    ModelFileError,
    NaiveBayes,
    OptimizedKDB,
    TableEncoder,
    all_classifiers,
)

FROM_PAIRS = [
    "NaiveBayes",
    "TAN",
    "AODE",
    "HNB",
    "WAODE",
    "AVWAODE",
    "TAODE",
    "IWAODE",
    "IBWAODE",
    "AWODE",
    "AODESR",
]
N = 200


def table(seed=0, n=N):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.choice(["x", "y", "z"], n),
            "b": rng.normal(size=n),
            "c": rng.choice(np.array([1, 2.5, "1"], dtype=object), n),
            "d": rng.integers(0, 3, n),
        }
    )
    X.loc[rng.random(n) < 0.1, "a"] = None
    X.loc[rng.random(n) < 0.1, "b"] = np.nan
    return X, np.where((X["a"] == "x") ^ (X["d"] == 1), "p", rng.choice(["p", "q", "r"], n))


def assert_equal_tables(one, other):
    assert one.classes.tolist() == other.classes.tolist()
    assert one.classes.dtype == other.classes.dtype
    for first, second in zip(one.encoder.schema_.attributes, other.encoder.schema_.attributes, strict=True):
        assert (first.name, first.kind, first.values) == (second.name, second.kind, second.values)
        assert list(map(type, first.values)) == list(map(type, second.values))
        assert (first.has_missing_value, first.fill_code) == (second.has_missing_value, second.fill_code)
        np.testing.assert_array_equal(first.cut_points, second.cut_points)
    a, b = one.tables, other.tables
    assert a.n_rows == b.n_rows
    for name in ("class_counts", "attribute_counts", "pair_counts", "pair_tasks", "first_slot"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert a.families.keys() == b.families.keys()
    for members in a.families:
        np.testing.assert_array_equal(a.families[members].cells, b.families[members].cells)
        np.testing.assert_array_equal(a.families[members].counts, b.families[members].counts)


cell = st.sampled_from(["a", "b", "c", 1, 2, True, None])
row = st.tuples(cell, cell, cell, st.sampled_from(["p", "q", "r", "s"]))


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.lists(row, min_size=1, max_size=8), min_size=2, max_size=4),
    st.sampled_from(["ignore", "value"]),
    st.booleans(),
)
def test_parts_add_up(parts, missing, like):
    encoder = TableEncoder(missing=missing, categorical_features="all")
    families = [(0, 1, 2), (2, 0, 1)]

    def counted(rows, **options):
        cells = np.empty((len(rows), 3), dtype=object)
        for i, (*values, _) in enumerate(rows):
            cells[i] = values
        return Counts.of(cells, [label for *_, label in rows], families=families, **options)

    whole = counted([row for part in parts for row in part], encoder=encoder)
    merged = counted(parts[0], encoder=encoder)
    for part in parts[1:]:
        merged = merged + counted(part, **({"like": merged} if like else {"encoder": encoder}))
    assert_equal_tables(merged, whole)


def test_parts_with_cut_points_of_the_first():
    X, y = table()
    first = Counts.of(X[:120], y[:120])
    merged = first + Counts.of(X[120:], y[120:], like=first)
    whole = Counts.of(X, y, like=first)
    assert_equal_tables(merged, whole)
    np.testing.assert_array_equal(merged.encoder.schema_[1].cut_points, first.encoder.schema_[1].cut_points)


@pytest.mark.parametrize("missing", ["ignore", "value"])
@pytest.mark.parametrize("name", FROM_PAIRS)
def test_counts_make_the_classifier_that_rows_make(name, missing):
    X, y = table()
    model = all_classifiers()[name]().set_params(missing=missing).fit(X, y)
    counts = Counts.of(X, y, encoder=TableEncoder(missing=missing), pairs=name != "NaiveBayes")
    other = all_classifiers()[name]().fit_counts(counts)
    np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
    assert other.parents_ == model.parents_
    assert vars(other).keys() == vars(model).keys()
    assert other.feature_names_in_.tolist() == model.feature_names_in_.tolist()


def test_weights():
    X, y = table()
    weights = np.random.default_rng(9).choice([0, 0.5, 2.25], N)
    counts = Counts.of(X[:90], y[:90], weights[:90])
    counts += Counts.of(X[90:], y[90:], weights[90:], like=counts)
    model = TAN().fit_counts(Counts.of(X, y, weights, like=counts))
    np.testing.assert_allclose(
        TAN().fit_counts(counts).predict_proba(X), model.predict_proba(X), rtol=0, atol=1e-12
    )
    assert counts.n_rows == np.count_nonzero(weights)


@pytest.mark.parametrize("k", [2, 3])
def test_further_families_in_a_second_pass(k):
    X, y = table()
    first = Counts.of(X[:120], y[:120])
    pairs = first + Counts.of(X[120:], y[120:], like=first)
    with pytest.raises(ValueError, match=r"KDB needs the counts of further families .* \[\['"):
        KDB(k=k).fit_counts(pairs)
    families = KDB(k=k).families(pairs)
    assert {len(family) for family in families} == set(range(3, k + 2))
    counts = Counts.of(X[:120], y[:120], like=pairs, families=families)
    counts += Counts.of(X[120:], y[120:], like=pairs, families=families)
    cuts = {"b": pairs.encoder.schema_[1].cut_points}
    expected = KDB(k=k, discretizer=Fixed(cuts["b"])).fit(X, y)
    np.testing.assert_array_equal(KDB(k=k).fit_counts(counts).predict_proba(X), expected.predict_proba(X))
    assert TAN().families(pairs) == []


class Fixed(seminaive.MDLPDiscretizer):
    """Cut points that are known already."""

    def __init__(self, points=None, keep_two_valued=True):
        super().__init__()
        self.points = points

    def cut_points(self, *_):
        return self.points


def test_wide_families_are_as_sparse_as_those_of_rows():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5000, (600, 3))
    options = {"categorical_features": "all"}
    counts = Counts.of(X, X[:, 0] % 2, encoder=TableEncoder(**options))
    model, other = TAN(**options).fit(X, X[:, 0] % 2), TAN().fit_counts(counts)
    assert [type(f).__name__ for f in other._tables.families.values()] == ["SparseFamily"] * 2
    np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
    for limit in (5_000_000, 500_000):
        model = AODE(**options, memory_limit=limit).fit(X, X[:, 0] % 2)
        other = AODE(memory_limit=limit).fit_counts(counts)
        assert model._tables.pair_counts is other._tables.pair_counts is None
        np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))


def test_further_batches_after_counts():
    X, y = table()
    model = AODE().fit_counts(Counts.of(X[:150], y[:150])).partial_fit(X[150:], y[150:])
    expected = AODE().fit(X[:150], y[:150]).partial_fit(X[150:], y[150:])
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))


def test_files(tmp_path):
    X, y = table()
    counts = Counts.of(X, y, families=[("a", "d", "c")])
    path = tmp_path / "a.counts"
    counts.save(path)
    again = Counts.load(path)
    assert_equal_tables(again, counts)
    assert repr(again.encoder.get_params()) == repr(counts.encoder.get_params())
    twice = again + counts
    twice.save(path)
    assert_equal_tables(Counts.load(path), twice)
    assert twice.tables.class_counts.tolist() == (2 * counts.tables.class_counts).tolist()
    X, y = table(1)
    assert Counts.of(X, y, like=again).encoder.schema_.names == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(
        AODE().fit_counts(again).predict_proba(X), AODE().fit_counts(counts).predict_proba(X)
    )


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (np.array([1, 2]), np.array([2, 3], dtype=np.int8), [1, 2, 3]),
        (["a", "b"], ["abc", "b"], ["a", "abc", "b"]),
        (np.array(["a", "b"], dtype=object), ["c", "c"], ["a", "b", "c"]),
        ([True, False], [True, True], [False, True]),
    ],
)
def test_classes_of_both(first, second, expected):
    X = [["u"], ["v"]]
    merged = Counts.of(X, first) + Counts.of(X, second)
    assert merged.classes.tolist() == expected
    assert merged.tables.class_counts.sum() == 4


def test_declared_values():
    one, other = (
        pd.DataFrame({"a": pd.Categorical(values, categories=known)})
        for values, known in ((["x", "y"], ["y", "x", "n"]), (["z", "y"], ["z", "y"]))
    )
    merged = Counts.of(one, [0, 1]) + Counts.of(other, [0, 1])
    assert merged.encoder.schema_[0].values == ("y", "x", "n", "z")
    assert merged.encoder.schema_[0].declared
    undeclared = Counts.of(one, [0, 1]) + Counts.of(other.astype(str).astype(object), [0, 1])
    assert undeclared.encoder.schema_[0].values == ("n", "x", "y", "z")


def part(**changes):
    X, y = table(n=60)
    options = {"X": X, "y": y, "encoder": TableEncoder(discretizer="equal-width"), **changes}
    return Counts.of(options.pop("X"), options.pop("y"), **options)


@pytest.mark.parametrize(
    ("other", "match"),
    [
        (lambda X: {"X": X[["b", "a", "c", "d"]]}, r"different columns, or in another order: .'a', 'b'"),
        (lambda X: {"X": X.assign(b=X["b"] * 2)}, r"Column 'b' has other cut points .*like=, or --schema"),
        (lambda X: {"X": X.assign(d="u")}, "Column 'd' is numeric here and categorical there"),
        (lambda X: {"pairs": False}, "with pairs of attributes, the other without"),
        (lambda X: {"families": [("a", "c", "d")]}, r"family \['a', 'c', 'd'\] was counted in one part only"),
        (lambda X: {"encoder": TableEncoder(missing="value", discretizer="equal-width")}, "missing='ignore'"),
        (lambda X: {"y": np.arange(60)}, "cannot be sorted together"),
    ],
)
def test_parts_that_were_not_read_alike(other, match):
    with pytest.raises(ValueError, match=match):
        part() + part(**other(table(n=60)[0]))


def test_parts_that_were_imputed_differently():
    encoder = TableEncoder(missing="impute")
    one = Counts.of(pd.DataFrame({"a": ["x", "x", "y", None]}), [0, 1, 0, 1], encoder=encoder)
    other = pd.DataFrame({"a": ["y", "w", "y", None]})
    with pytest.raises(ValueError, match="Missing values of column 'a' were imputed differently"):
        one + Counts.of(other, [0, 1, 0, 1], encoder=encoder)
    merged = one + Counts.of(other, [0, 1, 0, 1], like=one)
    attribute = merged.encoder.schema_[0]
    assert attribute.values == ("w", "x", "y")
    assert attribute.values[attribute.fill_code] == "x"
    assert merged.tables.attribute(0).sum(axis=1).tolist() == [1, 4, 3, 0]


def test_what_counts_cannot_tell():
    X, y = table()
    counts = Counts.of(X, y)
    for cls in (LocalKDB, AdaptiveKDB, OptimizedKDB):
        with pytest.raises(ValueError, match=f"{cls.__name__} looks at single training rows"):
            cls().fit_counts(counts)
    with pytest.raises(ValueError, match="AODE needs the counts of all pairs"):
        AODE().fit_counts(Counts.of(X, y, pairs=False))
    with pytest.raises(ValueError, match="class_weight needs single rows"):
        AODE(class_weight="balanced").fit_counts(counts)
    with pytest.raises(ValueError, match="missing='value' comes too late"):
        AODE(missing="value").fit_counts(counts)
    with pytest.raises(ValueError, match="class_prior must hold"):
        AODE(class_prior=[0.5, 0.5]).fit_counts(counts)
    model = AODE().fit(X, y)
    with pytest.raises(MemoryError):
        model.set_params(memory_limit=10).fit_counts(counts)
    assert model.predict(X[:1]).shape == (1,)
    strict = AODE(unseen="error").fit_counts(counts)
    with pytest.raises(ValueError, match="not there in training"):
        strict.predict(X.assign(a="new"))
    assert counts.encoder.unseen == "ignore"


def test_mistakes(tmp_path):
    X, y = table()
    counts = Counts.of(X, y)
    with pytest.raises(ValueError, match="either encoder or like"):
        Counts.of(X, y, encoder=TableEncoder(), like=counts)
    with pytest.raises(ValueError, match="class of every row"):
        Counts.of(X, None)
    with pytest.raises(ValueError, match="names the column 'q'"):
        Counts.of(X, y, families=[("a", "q")])
    for family in (("a",), ("a", "a")):
        with pytest.raises(ValueError, match="some parents and a child"):
            Counts.of(X, y, families=[family])
    with pytest.raises(ValueError, match="feature names should match"):
        Counts.of(X.rename(columns={"a": "A"}), y, like=counts)
    with pytest.raises(TypeError):
        counts + 1
    with pytest.raises(TypeError, match=r"fit_counts needs Counts.*got a DataFrame"):
        NaiveBayes().fit_counts(X)
    bins = KBinsDiscretizer(n_bins=3, encode="ordinal", quantile_method="averaged_inverted_cdf")
    foreign = Counts.of(X, y, encoder=TableEncoder(discretizer=bins))
    with pytest.raises(ModelFileError, match="KBinsDiscretizer"):
        foreign.save(tmp_path / "x.counts")
    assert NaiveBayes().fit_counts(Counts.of(X, y)).predict(X).shape == (N,)
