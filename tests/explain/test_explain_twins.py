"""Explanations equal their slow twins on small random tables, and add up for every classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_tables import as_twin_options, cases, class_priors, examples, smoothings
from test_naive_twins import LAYOUTS, SOURCES, fitted, options_of

from repeatable import repeatable
from seminaive import (
    AODE,
    AWODE,
    HNB,
    KDB,
    TAN,
    TANFDA,
    WAODE,
    AnDE,
    AveragedKDB,
    LocalKDB,
    NaiveBayes,
    OptimizedKDB,
    PersonalizedKDB,
    all_classifiers,
)
from seminaive.explain.members import split as split_members
from seminaive.testing import naive, naive_cases
from seminaive.testing.naive_explain import (
    network_factors,
    split,
    superparent_factors,
    superparent_pair_factors,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore::seminaive.UnseenValueWarning", "ignore::seminaive.ImpossibleEvidenceWarning"
)

OWN: dict[str, dict[str, Any]] = {
    "AODE": {"subsumption_resolution": True, "critical_value": 2},
    "AnDE": {"subsumption_resolution": True, "critical_value": 2},
    "LocalKDB": {"critical_value": 2},
    "AveragedKDB": {"critical_value": 2},
    "TANFDA": {"critical_value": 2},
    "AODESR": {"critical_value": 2},
    "OptimizedKDB": {"redundancy_ratio": 0.05},
    "PersonalizedKDB": {"redundancy_ratio": 0.05},
}


def assert_adds_up(model: Any, X: Any) -> None:
    """Prior and contributions are the log-odds of ``predict_proba``, for the usual and for all pairs."""
    found, logs = model.explain(X), model.predict_log_proba(X)
    np.testing.assert_array_equal(found.probabilities, model.predict_proba(X))
    n_classes = len(model.classes_)
    every = [np.tile(pair, (len(logs), 1)) for pair in np.ndindex(n_classes, n_classes)][:12]
    for pairs in [found.pairs, *every]:
        prior, contributions = found.split_between(pairs)
        first, second = np.take_along_axis(logs, pairs, axis=1).T
        both = np.isneginf(first) & np.isneginf(second)
        expected = np.subtract(first, second, out=np.zeros(len(logs)), where=~both)
        assert not np.isnan(contributions).any()
        np.testing.assert_allclose(prior + contributions.sum(axis=1), expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", list(all_classifiers()))
@examples(25)
@given(case=cases(), source=SOURCES, layout=LAYOUTS, data=st.data())
def test_contributions_add_up(name, case, source, layout, data):
    model = repeatable(name)(**OWN.get(name, {}), **options_of(data, case))
    fitted_model, X_test, _ = fitted(model, case, source, layout)
    assert_adds_up(fitted_model, X_test)


@pytest.mark.parametrize("orientation", ["printed", "reversed"])
@examples(40)
@given(case=cases(), data=st.data())
def test_negative_weights(orientation, case, data):
    """Sums of both signs may cancel, which no decomposition survives; where they do not, the terms add up."""
    model, X_test, _ = fitted(
        AWODE(negative="keep", orientation=orientation, **options_of(data, case)), case, "array"
    )
    found = model.explain(X_test)
    members = [model._members(found._codes[:, [row]], found.pairs[[row]]) for row in range(len(found))]
    total = found.prior + found.contributions.sum(axis=1)
    assert not np.isnan(total).any()
    for row, one in enumerate(members):
        with np.errstate(divide="ignore"):
            terms = np.exp(one.log_weights[0][:, None] + one.log_factors[0].sum(axis=1))
        sums = np.abs(one.signs[0] @ terms) / np.maximum(terms.sum(axis=0), 1e-300)
        if (sums > 1e-3).all() or (one.signs > 0).all():
            assert total[row] == pytest.approx(found.log_odds[row], abs=1e-9)


def assert_equals_twin(model: Any, X: Any, members_of: Any, rows: Any) -> None:
    """Contributions between the first two classes are the twin's, of ``members_of(row)``."""
    if len(model.classes_) < 2:
        return
    found = model.explain(X, classes=model.classes_[:2])
    for row, contributions in zip(rows, found.contributions, strict=True):
        expected = split(*members_of(row), 0, 1)
        if expected is not None:
            np.testing.assert_allclose(contributions, expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("classifier", [NaiveBayes, TAN, KDB])
@examples(30)
@given(case=cases(), layout=LAYOUTS, options=smoothings())
def test_single_networks(classifier, case, layout, options):
    model, X_test, _ = fitted(classifier(**options), case, "array", layout)
    find = {TAN: naive.tan_parents, KDB: lambda table: naive.kdb_parents(table, 2)}
    parents = find.get(classifier, lambda table: [[] for _ in table.attributes])(case.table)
    twin = as_twin_options(options)
    assert_equals_twin(
        model,
        X_test,
        lambda row: ([1.0], [network_factors(case.table, row, parents, **twin)]),
        case.test_rows,
    )


def superparent_members(case: Any, row: Any, weights: Any, **options: Any) -> Any:
    """The estimators of a row; naive Bayes where there are none."""
    if not any(weights):
        options.pop("conditional", None)
        return [1.0], [network_factors(case.table, row, [[] for _ in row], **options)]
    chosen = [a for a, weight in enumerate(weights) if weight]
    return [weights[a] for a in chosen], [superparent_factors(case.table, row, a, **options) for a in chosen]


@examples(40)
@given(case=cases(), layout=LAYOUTS, options=smoothings(), conditional=st.sampled_from(["direct", "ratio"]))
def test_aode(case, layout, options, conditional):
    model, X_test, _ = fitted(AODE(conditional=conditional, **options), case, "array", layout)
    twin = as_twin_options(options)

    def members(row):
        chosen = naive.superparents(case.table, row)
        weights = [float(a in chosen) for a in case.table.attributes]
        return superparent_members(case, row, weights, conditional=conditional, **twin)

    assert_equals_twin(model, X_test, members, case.test_rows)


@examples(40)
@given(case=cases(), layout=LAYOUTS, options=smoothings(), limit=st.sampled_from([1, 3]))
def test_ande(case, layout, options, limit):
    model, X_test, _ = fitted(AnDE(frequency_limit=limit, **options), case, "array", layout)
    twin = as_twin_options(options)

    def members(row):
        pairs = naive.superparent_pairs(case.table, row, limit)
        if pairs:
            factors = [superparent_pair_factors(case.table, row, pair, **twin) for pair in pairs]
            return [1.0] * len(pairs), factors
        chosen = naive.superparents(case.table, row, limit)
        weights = [float(a in chosen) for a in case.table.attributes]
        return superparent_members(case, row, weights, **twin)

    assert_equals_twin(model, X_test, members, case.test_rows)


@examples(60)
@given(
    case=cases(),
    data=st.data(),
    limit=st.sampled_from([0, 1, 3]),
    subsumption=st.booleans(),
    with_logs=st.booleans(),
)
def test_pairs_of_superparents_split_from_the_tables(case, data, limit, subsumption, with_logs):
    """Pair by pair, without writing down their factors, it is the split of these."""
    own = {"frequency_limit": limit, "subsumption_resolution": subsumption, "critical_value": 2}
    model, X_test, _ = fitted(AnDE(**own, **options_of(data, case)), case, "array")
    codes = model._codes(X_test)
    explainer = model._explainer(10**9 if with_logs else 0)
    if len(codes) > 2:
        assert model._pairs.dense is not None
        assert (explainer._pairs.logs is not None) == with_logs
    for pair in np.ndindex(len(model.classes_), len(model.classes_)):
        wanted = np.tile(pair, (codes.shape[1], 1))
        direct, plain = explainer._split_odds(codes, wanted), split_members(model._members(codes, wanted))
        for ours, theirs in zip(vars(direct).values(), vars(plain).values(), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-10)


@examples(30)
@given(case=cases(), columns=st.permutations(range(5)), options=smoothings())
def test_order_of_columns_does_not_matter_to_pairs(case, columns, options):
    order = [i for i in columns if i < case.X.shape[1]]
    turned = {new: case.categories[old] for new, old in enumerate(order) if old in case.categories}
    plain, other = (
        AnDE(categories=categories, **options)
        .fit(X, case.y, sample_weight=case.weights)
        .explain(X_test, classes=[case.classes[0], case.classes[-1]])
        for categories, X, X_test in (
            (case.categories, case.X, case.X_test),
            (turned, case.X[:, order], case.X_test[:, order]),
        )
    )
    np.testing.assert_allclose(other.contributions, plain.contributions[:, order], rtol=0, atol=1e-10)
    np.testing.assert_allclose(other.prior, plain.prior, rtol=0, atol=1e-10)


@examples(30)
@given(case=cases(), layout=LAYOUTS, options=smoothings())
def test_hnb(case, layout, options):
    model, X_test, _ = fitted(HNB(**options), case, "array", layout)
    twin, weights = as_twin_options(options), naive.hnb_weights(case.table)
    assert_equals_twin(
        model,
        X_test,
        lambda row: ([1.0], [naive.hnb_factors(case.table, row, weights, **twin)]),
        case.test_rows,
    )


@examples(30)
@given(case=cases(), layout=LAYOUTS, options=smoothings())
def test_waode(case, layout, options):
    model, X_test, _ = fitted(WAODE(**options), case, "array", layout)
    twin = as_twin_options(options)

    def members(row):
        weights = naive.usable_weights(
            naive.waode_weights(case.table, row), naive.superparents(case.table, row)
        )
        return superparent_members(case, row, weights, **twin)

    assert_equals_twin(model, X_test, members, case.test_rows)


@examples(30)
@given(case=cases(), options=smoothings())
def test_subsumption_resolution(case, options):
    model, X_test, _ = fitted(AODE(subsumption_resolution=True, critical_value=2, **options), case, "array")
    twin = as_twin_options(options)

    def members(row):
        hidden = naive.subsumed(case.table, row, 2)
        seen = [None if i in hidden else x for i, x in enumerate(row)]
        chosen = naive.superparents(case.table, seen)
        weights = [float(a in chosen) for a in case.table.attributes]
        return superparent_members(case, seen if chosen else row, weights, **twin)

    assert_equals_twin(model, X_test, members, case.test_rows)


NETWORKS = {
    LocalKDB: (lambda t, row: naive_cases.local_kdb_network(t, row, 2, 2), {"critical_value": 2}),
    OptimizedKDB: (
        lambda t, row: naive_cases.optimized_kdb_network(t, row, 2, 0.05),
        {"redundancy_ratio": 0.05},
    ),
    TANFDA: (lambda t, row: naive_cases.tanfda_network(t, row, 2), {"critical_value": 2}),
}


def factors_of_case(case: Any, row: Any, network: Any, twin: dict[str, Any]) -> Any:
    """Factors of a network of its own."""
    parents = [network.parents.get(i, []) for i in case.table.attributes]
    return network_factors(case.table, row, parents, list(network.implied_by), **twin)


@pytest.mark.parametrize("classifier", NETWORKS)
@examples(25)
@given(case=cases(), options=smoothings())
def test_networks_of_cases(classifier, case, options):
    network_of, own = NETWORKS[classifier]
    model, X_test, _ = fitted(classifier(**own, **options), case, "array")
    twin = as_twin_options(options)
    assert_equals_twin(
        model,
        X_test,
        lambda row: ([1.0], [factors_of_case(case, row, network_of(case.table, row), twin)]),
        case.test_rows,
    )


@pytest.mark.parametrize(("classifier", "local"), [(AveragedKDB, LocalKDB), (PersonalizedKDB, OptimizedKDB)])
@examples(25)
@given(case=cases(), options=smoothings(), data=st.data())
def test_means_of_posteriors(classifier, local, case, options, data):
    network_of, own = NETWORKS[local]
    prior = data.draw(class_priors(len(case.classes)))
    model, X_test, _ = fitted(classifier(class_prior=prior, **own, **options), case, "array")
    twin = as_twin_options(options)
    p_y = naive.class_prior(case.table, prior, **twin)
    general = naive.kdb_parents(case.table, 2)

    def members(row):
        factors = [
            network_factors(case.table, row, general, **twin),
            factors_of_case(case, row, network_of(case.table, row), twin),
        ]
        totals = [sum(p * np.prod([f[y] for f in one]) for y, p in enumerate(p_y)) for one in factors]
        # a member for which all classes are impossible gives the prior
        nothing = [[1.0] * len(p_y) for _ in row]
        factors = [one if total > 0 else nothing for one, total in zip(factors, totals, strict=True)]
        return [1 / total if total > 0 else 1.0 for total in totals], factors

    assert_equals_twin(model, X_test, members, case.test_rows)
