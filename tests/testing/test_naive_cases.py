"""The twins of the case networks themselves: values worked out by hand, and identities."""

import doctest
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminaive.testing import naive, naive_cases
from seminaive.testing.naive import Table
from seminaive.testing.naive_cases import (
    Change,
    LocalNetwork,
    local_conditional_mutual_information,
    local_kdb_network,
    local_mutual_information,
    optimized_kdb_network,
    pointwise_conditional_mutual_information,
    pointwise_mutual_information,
)

# x0   x1   y
ROWS = [
    ([0, 0], 0),
    ([0, 0], 0),
    ([0, 1], 0),
    ([1, 1], 0),
    ([1, 1], 1),
    ([1, 0], 1),
    ([1, None], 1),
    ([None, 1], 1),
]
TABLE = Table([row for row, _ in ROWS], [label for _, label in ROWS], n_values=[2, 2], n_classes=2)

# x0 = 0 says class 0, x1 nothing, x2 is y; given y, x0 and x1 go together in class 0
CHAIN = Table(
    [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1], [1, 0, 1], [1, 1, 1]],
    [0, 0, 0, 0, 1, 1, 1, 1],
    n_values=[2, 2, 2],
    n_classes=2,
)


def of_sets(*sets: set[int], n: int = 8) -> Table:
    """One class and n rows; attribute i has the value 0 in the rows of set i. All I(x_i; Y) are zero."""
    rows = [[0 if r in members else 1 for members in sets] for r in range(1, n + 1)]
    return Table(rows, [0] * n, n_values=[2] * len(sets), n_classes=1)


@st.composite
def tables(draw, missing=True, max_attributes=4):
    """A small table, weighted or not, and a row."""
    n = draw(st.integers(1, max_attributes))
    n_values = draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    n_classes = draw(st.integers(1, 3))
    cells = [st.sampled_from([*range(v), *([None] if missing else [])]) for v in n_values]
    rows = draw(st.lists(st.tuples(*cells), min_size=1, max_size=20))
    classes = draw(st.lists(st.integers(0, n_classes - 1), min_size=len(rows), max_size=len(rows)))
    copies = st.sampled_from([0.25, 1, 1, 2])
    weights = draw(st.none() | st.lists(copies, min_size=len(rows), max_size=len(rows)))
    row = draw(st.sampled_from(rows) | st.tuples(*cells))
    return Table(rows, classes, n_values, n_classes, weights), row


some = settings(max_examples=50, deadline=None)


def test_docstrings():
    assert doctest.testmod(naive_cases).failed == 0


# --- information


def test_local_mutual_information():
    # seven rows have x0, 4 + 3 of the classes
    assert local_mutual_information(TABLE, 0, 0) == pytest.approx(3 / 7 * math.log2(7 / 4))
    assert local_mutual_information(TABLE, 0, 1) == pytest.approx(
        1 / 7 * math.log2(7 / 16) + 3 / 7 * math.log2(7 / 4)
    )
    assert [local_mutual_information(CHAIN, i, 0) for i in range(3)] == [3 / 8, 0, 1 / 2]


def test_local_conditional_mutual_information():
    # six rows have both, 4 + 2 of the classes; x0 = 0 thrice and x1 = 0 twice in class 0
    assert local_conditional_mutual_information(TABLE, 0, 0, 1, 0) == pytest.approx(2 / 6 * math.log2(4 / 3))
    assert local_conditional_mutual_information(TABLE, 0, 0, 1, 1) == pytest.approx(1 / 6 * math.log2(2 / 3))
    # class 1 adds nothing: with x1, its x0 is always 1
    assert local_conditional_mutual_information(TABLE, 0, 1, 1, 1) == pytest.approx(1 / 6)


def test_information_of_what_was_never_observed():
    table = Table([[None, 0], [None, 1]], [0, 1], n_values=[2, 3], n_classes=2)
    assert local_mutual_information(table, 0, 0) == 0
    assert local_mutual_information(table, 1, 2) == 0
    assert local_conditional_mutual_information(table, 0, 0, 1, 1) == 0


def test_pointwise_information():
    rows = [[0, 0, 0], [0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 1, 1], [1, None, 0], [None, 0, 0], [1, 1, None]]
    table = Table(rows, [0, 1] * 4, n_values=[2, 2, 2], n_classes=2)
    # x0 and x1 in six rows: both 0 in two, 0 in four and in two
    assert pointwise_mutual_information(table, 0, 0, 1, 0) == pytest.approx(math.log2(2 * 6 / (4 * 2)))
    # four of these have x2 = 0; both 0 in two, 0 in three and in two
    with_x2 = pointwise_conditional_mutual_information(table, 0, 0, 1, 0, {2: 0})
    assert with_x2 == pytest.approx(math.log2(2 * 4 / (3 * 2)))
    assert pointwise_mutual_information(table, 0, 1, 1, 0) == -math.inf
    assert pointwise_conditional_mutual_information(table, 0, 0, 1, 0, {2: 1}) == -math.inf
    # conditioned on nothing that was seen
    assert pointwise_conditional_mutual_information(table, 0, 0, 1, 0, {2: 5}) == -math.inf


@some
@given(case=tables())
def test_shares_of_values_sum_to_the_information_of_attributes(case):
    table, _ = case
    for i in table.attributes:
        shares = [local_mutual_information(table, i, x) for x in range(table.n_values[i])]
        assert min(shares) > -1e-12
        assert math.fsum(shares) == pytest.approx(naive.mutual_information(table, i), abs=1e-12)
        for j in table.attributes:
            if i != j:
                shares = [
                    local_conditional_mutual_information(table, i, x, j, z)
                    for x in range(table.n_values[i])
                    for z in range(table.n_values[j])
                ]
                whole = naive.conditional_mutual_information(table, i, j)
                assert math.fsum(shares) == pytest.approx(whole, abs=1e-12)


@some
@given(case=tables(missing=False), data=st.data())
def test_chain_rule_of_pointwise_information(case, data):
    """i(x; z) + i(x; c | z) = i(x; c, z)"""
    table, _ = case
    if len(table.n_values) < 3:
        return
    i, j, c = data.draw(st.permutations(range(len(table.n_values))))[:3]
    row = data.draw(st.sampled_from(table.rows))
    together = naive.total_count(table, {i: row[i], j: row[j], c: row[c]})
    alone = naive.total_count(table, {i: row[i]})
    others = naive.total_count(table, {j: row[j], c: row[c]})
    whole = math.log2(together * naive.total_count(table, {}) / (alone * others))
    first = pointwise_mutual_information(table, i, row[i], j, row[j])
    second = pointwise_conditional_mutual_information(table, i, row[i], c, row[c], {j: row[j]})
    assert first + second == pytest.approx(whole, abs=1e-12)


def test_implies():
    rows = [[1, 1], [1, 1], [0, 1], [0, 0], [None, 0]]
    table = Table(rows, [0, 0, 1, 1, 1], n_values=[2, 2], n_classes=2)
    assert naive_cases.implies(table, 0, 1, 1, 1, critical_value=2)
    assert not naive_cases.implies(table, 0, 1, 1, 1, critical_value=3)
    assert not naive_cases.implies(table, 1, 1, 0, 1, critical_value=1)
    # of the two rows with x1 = 0 one does not show x0
    assert not naive_cases.implies(table, 1, 0, 0, 0, critical_value=1)
    # a value that was never seen implies nothing
    never = Table([[0, 0]], [0], n_values=[2, 1], n_classes=1)
    assert not naive_cases.implies(never, 0, 1, 1, 0, critical_value=0)
    assert naive_cases.implies(never, 0, 0, 1, 0, critical_value=0)


# --- local networks


def test_local_network():
    # I(x; Y): 3/8, 0, 1/2 as above. Together, x0 = 1 and x1 = 1 have 1/4, all other pairs with x1 nothing.
    assert local_kdb_network(CHAIN, [1, 1, 0], k=1) == LocalNetwork([2, 0, 1], {2: [], 0: [2], 1: [0]})
    assert local_kdb_network(CHAIN, [1, 1, 0], k=2).parents == {2: [], 0: [2], 1: [0, 2]}
    # x0 = 0 and x1 = 1 were never seen together: a tie of zeros, x2 comes first
    assert local_kdb_network(CHAIN, [0, 1, 1], k=1).parents == {2: [], 0: [2], 1: [2]}
    assert local_kdb_network(CHAIN, [0, 1, 1], k=0).parents == {2: [], 0: [], 1: []}
    assert local_kdb_network(CHAIN, [None, 1, 0], k=2) == LocalNetwork([2, 1], {2: [], 1: [2]})
    assert local_kdb_network(CHAIN, [None, None, None]) == LocalNetwork([], {})


def test_less_than_nothing_is_weaker_than_nothing():
    # x0 = 0 and x2 = 0 avoid each other: 1/5 log2(5/9); x1 = 1 was never seen
    rows = [[0, 0, 1], [0, 0, 1], [1, 0, 0], [1, 0, 0], [0, 0, 0]]
    table = Table(rows, [0] * 5, n_values=[2, 2, 2], n_classes=1)
    assert local_kdb_network(table, [0, 1, 0]).parents == {0: [], 1: [0], 2: [1, 0]}


def test_a_generalisation_is_passed_over():
    # with x3: x0 3/8 log2(3/2), x1 3/8 log2(6/5), x2 0; x0 implies x1
    table = of_sets({1, 2, 3, 5}, {1, 2, 3, 5, 6}, {4, 8}, {1, 2, 3, 4})
    plain = {0: [], 1: [0], 2: [0, 1], 3: [0, 1]}
    assert local_kdb_network(table, [0] * 4).parents == plain
    assert local_kdb_network(table, [0] * 4, critical_value=5) == LocalNetwork([0, 1, 2, 3], plain)
    assert local_kdb_network(table, [0] * 4, critical_value=4) == LocalNetwork(
        [0, 1, 2, 3],
        {0: [], 1: [0], 2: [0], 3: [0, 2]},
        changes={2: [Change(1, None, by=[0])], 3: [Change(1, 2, by=[0])]},
        implied_by={1: 0},
    )
    # one parent, and never two candidates are looked at
    assert local_kdb_network(table, [0] * 4, k=1, critical_value=4) == LocalNetwork(
        [0, 1, 2, 3], {0: [], 1: [0], 2: [0], 3: [0]}, implied_by={1: 0}
    )
    assert local_kdb_network(table, [0] * 4, k=0, critical_value=4) == LocalNetwork(
        [0, 1, 2, 3], {0: [], 1: [], 2: [], 3: []}
    )


def test_a_specialisation_takes_the_place():
    # with x3: x0 3/8 log2(3/2), x1 and x2 0; x1 implies x0. With x2: x1 0, x0 -1/8.
    table = of_sets({1, 2, 3, 5}, {1, 5}, {3, 4, 6, 7}, {1, 2, 3, 4})
    assert local_kdb_network(table, [0] * 4).parents == {0: [], 1: [0], 2: [1, 0], 3: [0, 1]}
    assert local_kdb_network(table, [0] * 4, critical_value=2) == LocalNetwork(
        [0, 1, 2, 3],
        {0: [], 1: [0], 2: [1], 3: [1, 2]},
        changes={2: [Change(0, None, by=[1])], 3: [Change(0, 2, by=[1])]},
    )


def test_a_chain_of_specialisations():
    # x2 implies x1, x1 implies x0; with x3: 3/8 log2(3/2), 0, 0
    table = of_sets({1, 2, 3, 5}, {1, 5}, {5}, {1, 2, 3, 4})
    network = local_kdb_network(table, [0] * 4, k=3, critical_value=1)
    assert network.parents[3] == [2]
    assert network.changes[3] == [Change(0, None, by=[1]), Change(1, None, by=[2])]


def test_values_that_always_occur_together():
    table = of_sets({1, 2, 3, 5}, {1, 2, 3, 5}, {1, 2, 3, 4})
    network = local_kdb_network(table, [0] * 3, critical_value=1)
    assert network == LocalNetwork(
        [0, 1, 2], {0: [], 1: [0], 2: [0]}, {2: [Change(1, None, by=[0])]}, implied_by={1: 0}
    )


@some
@given(case=tables(), k=st.integers(0, 4), critical_value=st.sampled_from([0, 1, 2, 5]))
def test_resolution(case, k, critical_value):
    table, row = case
    plain = local_kdb_network(table, row, k)
    resolved = local_kdb_network(table, row, k, critical_value)
    assert local_kdb_network(table, row, k, critical_value=math.inf) == plain
    assert resolved.order == plain.order
    for i, kept in resolved.parents.items():
        assert len(kept) <= k
        for p in kept:
            assert not any(
                naive_cases.implies(table, p, row[p], q, row[q], critical_value) for q in kept if q != p
            )
        changes = resolved.changes.get(i, [])
        gone = [change.parent for change in changes]
        new = [change.substitute for change in changes if change.substitute is not None]
        assert sorted([*kept, *gone]) == sorted([*plain.parents[i], *new])
        assert (i in resolved.implied_by) == any(
            naive_cases.implies(table, p, row[p], i, row[i], critical_value) for p in kept
        )
    if not resolved.changes:
        assert resolved.parents == plain.parents


# --- redundancy


def test_a_copy_is_redundant():
    # with x3: x0 and x1 3/8 log2(3/2), x2 1/4 log2(4/3). Given x0: x1 log2(12/12), x2 log2(8/6)
    table = of_sets({1, 2, 3, 5}, {1, 2, 3, 5}, {1, 2, 7}, {1, 2, 3, 4})
    assert local_kdb_network(table, [0] * 4).parents[3] == [0, 1]
    bits = math.log2(3 / 2)  # i(x3; x0)
    network = optimized_kdb_network(table, [0] * 4, ratio=0.5)
    assert network.parents == {0: [], 1: [0], 2: [0, 1], 3: [0, 2]}
    assert network.changes == {3: [Change(1, 2, by=[0], information=0, threshold=pytest.approx(bits / 2))]}
    # log2(4/3) is less than log2(3/2)
    network = optimized_kdb_network(table, [0] * 4, ratio=1)
    assert network.parents[3] == [0]
    assert network.changes == {3: [Change(1, None, by=[0], information=0, threshold=pytest.approx(bits))]}
    assert network.implied_by == {}


def test_exactly_the_threshold_is_redundant():
    # i(x3; x0) = log2(2 * 8 / (2 * 4)); given x0, x1 adds log2(1 * 4 / (2 * 1))
    table = of_sets({1, 2, 3, 4}, {1, 5}, {6, 7}, {1, 2})
    assert optimized_kdb_network(table, [0] * 4, ratio=0.99).parents[3] == [0, 1]
    network = optimized_kdb_network(table, [0] * 4, ratio=1)
    assert network.parents[3] == [0]
    assert network.changes == {3: [Change(1, None, by=[0], information=1, threshold=1)]}


def test_what_was_never_seen_together_is_redundant():
    # all pairs with x3 have one row in four and four: -1/8 with x0, x1 and x2, none with two of them
    table = of_sets({4, 5, 6, 7}, {3, 5, 6, 8}, {1, 6, 7, 8}, {1, 2, 3, 4})
    network = optimized_kdb_network(table, [0] * 4, ratio=0.5)
    assert network.parents[3] == [0]
    assert network.changes[3] == [Change(1, None, by=[0], information=-math.inf, threshold=0.5)]
    # x3 = 0 and x0 = 0 were never seen together, and i(x3; x0) is no number
    table = of_sets({4, 5}, {6, 7}, {4, 6}, {1, 2})
    for ratio in (0, 1):
        assert optimized_kdb_network(table, [0] * 4, ratio=ratio).changes[3] == [
            Change(1, None, by=[0], information=-math.inf, threshold=math.inf)
        ]


def test_all_parents_so_far_are_conditioned_on():
    # given x0, x1 adds log2(4/3); given both, rows 1 and 2 are left, in which x4 = 0 anyway
    sets = [{1, 2, 3, 5}, {1, 2, 7}, {1, 8}, {6, 7}, {1, 2, 3, 4}]
    network = optimized_kdb_network(of_sets(*sets), [0] * 5, k=3)
    assert network.parents[4] == [0, 1]
    assert network.changes[4] == [Change(2, None, by=[0, 1], information=0, threshold=0)]


def test_only_the_first_parent_is_conditioned_on_if_all_were_not_seen():
    # x2 is missing where x0 and x1 are seen together. Given x0, rows 3 and 5 are left, and x2 says all.
    sets = [{1, 2, 3, 5}, {1, 2, 7}, {3, 8}, {6, 7}, {1, 2, 3, 4}]
    rows = [list(row) for row in of_sets(*sets).rows]
    rows[0][2] = rows[1][2] = None
    table = Table(rows, [0] * 8, n_values=[2] * 5, n_classes=1)
    # with x4: 3/8 log2(3/2), 1/4 log2(4/3), 1/6 log2(3/2), 0
    assert optimized_kdb_network(table, [0] * 5, k=3).parents[4] == [0, 1, 2]
    # one bit is not more than ratio * log2(3/2), so x2 goes, for what x0 says; x1 too
    network = optimized_kdb_network(table, [0] * 5, k=3, ratio=2)
    threshold = pytest.approx(2 * math.log2(3 / 2))
    assert network.changes[4] == [
        Change(1, None, [0], pytest.approx(math.log2(4 / 3)), threshold),
        Change(2, None, [0], 1.0, threshold),
    ]


@some
@given(case=tables(), k=st.integers(0, 4), ratio=st.sampled_from([0, 0.1, 1, 1e9]))
def test_redundancy(case, k, ratio):
    table, row = case
    plain = local_kdb_network(table, row, k)
    optimized = optimized_kdb_network(table, row, k, ratio)
    assert optimized.order == plain.order
    assert optimized.implied_by == {}
    for position, i in enumerate(plain.order):
        kept, changes = optimized.parents[i], optimized.changes.get(i, [])
        assert kept[:1] == plain.parents[i][:1]
        assert len(kept) <= k
        if position <= k or k <= 1:
            assert kept == plain.parents[i]
        new = [change.substitute for change in changes if change.substitute is not None]
        gone = [change.parent for change in changes]
        assert sorted([*kept, *gone]) == sorted([*plain.parents[i], *new])
        assert all(change.information <= change.threshold + 1e-12 for change in changes)


# --- classifiers


def test_local_kdb_joint():
    # P(x2 = 1 | y), then x0 = 0 and x1 = 1 given x2 = 1, which class 0 never had
    expected = [0.5 * 0.1 * 0.5 * 0.5, 0.5 * 0.9 * 0.1 * 0.3]
    assert naive_cases.local_kdb_joint(CHAIN, [0, 1, 1], k=1) == pytest.approx(expected)
    given_prior = naive_cases.local_kdb_joint(CHAIN, [0, 1, 1], k=1, prior=[0.8, 0.2])
    assert given_prior == pytest.approx([expected[0] * 1.6, expected[1] * 0.4])
    assert naive_cases.local_kdb_joint(CHAIN, [0, 1, 1], k=1, strength=0) == [0, 0]


def test_implied_values_have_no_factor_but_are_parents():
    table = of_sets({1, 2, 3, 5}, {1, 2, 3, 5, 6}, {1, 6, 7, 8})
    # x0: 4.5/9; x2 given x1 (1/4 log2(16/20)) or x0 (1/8 log2(8/16)): the latter is less, x1 alone has 2.5/6
    with_one = naive_cases.local_kdb_joint(table, [0, 0, 0], k=1, critical_value=4)
    network = local_kdb_network(table, [0, 0, 0], k=1, critical_value=4)
    assert (network.parents, network.implied_by) == ({0: [], 1: [0], 2: [1]}, {1: 0})
    assert with_one == pytest.approx([4.5 / 9 * 2.5 / 6])
    assert naive_cases.local_kdb_joint(table, [0, 0, 0], k=1) == pytest.approx([4.5 / 9 * 4.5 / 5 * 2.5 / 6])


@some
@given(case=tables(), prior=st.sampled_from([None, "empirical"]), strength=st.sampled_from([0, 1]))
def test_no_parents_are_naive_bayes(case, prior, strength):
    table, row = case
    options = {"prior": prior, "strength": strength}
    expected = pytest.approx(naive.naive_bayes_joint(table, row, **options), abs=1e-15)
    assert naive_cases.local_kdb_joint(table, row, k=0, **options) == expected
    assert naive_cases.local_kdb_joint(table, row, k=0, critical_value=1, **options) == expected
    assert naive_cases.optimized_kdb_joint(table, row, k=0, **options) == expected
    p_y = naive.class_prior(table, **options)
    posterior = pytest.approx(naive.posterior(naive.naive_bayes_joint(table, row, **options), p_y))
    assert naive_cases.averaged_kdb_posterior(table, row, k=0, **options) == posterior
    assert naive_cases.personalized_kdb_posterior(table, row, k=0, **options) == posterior


@some
@given(case=tables(), k=st.integers(0, 3))
def test_means_of_posteriors(case, k):
    table, row = case
    p_y = naive.class_prior(table)
    general = naive.posterior(naive.kdb_joint(table, row, k), p_y)
    local = naive.posterior(naive_cases.local_kdb_joint(table, row, k, 2), p_y)
    averaged = naive_cases.averaged_kdb_posterior(table, row, k, 2)
    assert averaged == pytest.approx([(p + q) / 2 for p, q in zip(general, local, strict=True)])
    optimized = naive.posterior(naive_cases.optimized_kdb_joint(table, row, k, 0.1), p_y)
    personalized = naive_cases.personalized_kdb_posterior(table, row, k, 0.1)
    assert personalized == pytest.approx([(p + q) / 2 for p, q in zip(general, optimized, strict=True)])


def test_an_impossible_member_contributes_the_prior():
    # x0 = 1, x1 = 1 were not seen together, and x1 = 1 not in class 1
    table = Table([[0, 1], [1, 0], [1, 0], [0, 0]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    assert naive.kdb_joint(table, [1, 1], strength=0) == [0, 0]
    assert naive_cases.averaged_kdb_posterior(table, [1, 1], strength=0, prior=[0.7, 0.3]) == [0.7, 0.3]


@some
@given(case=tables())
def test_nothing_subsumed_is_tan(case):
    table, row = case
    expected = pytest.approx(naive.tan_joint(table, row), abs=1e-15)
    assert naive_cases.tanfda_joint(table, row, critical_value=1000) == expected


def test_tanfda_joint():
    # x1 = 1 implies x0 = 1, so the tree is x1 - x2. Given y, x2 depends on x0 more than on x1.
    rows = [[1, 1, 0], [1, 1, 1], [1, 0, 1], [0, 0, 0], [0, 0, 0], [1, 0, 1], [0, 0, 1], [1, 1, 0]]
    table = Table(rows, [0] * 8, n_values=[2, 2, 2], n_classes=1)
    assert naive.subsumed(table, [1, 1, 0], 3) == {0}
    # x1 = 1 in 3 of 8; x2 = 0 in 2 of these
    assert naive_cases.tanfda_joint(table, [1, 1, 0], 3) == pytest.approx([3.5 / 9 * 2.5 / 4])
    assert naive_cases.tanfda_joint(table, [1, 1, 0], 4) == naive.tan_joint(table, [1, 1, 0])


def test_aodesr_joint():
    # the tree is x1 - x0 - x2: x0 is the only superparent
    rows = [[0, 0, 0], [0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1], [1, 0, 1]]
    table = Table(rows, [0] * 6, n_values=[2, 2, 2], n_classes=1)
    assert naive.tan_parents(table) == [[], [0], [0]]
    # x0 = 1 three times in six, x1 = 1 twice and x2 = 1 three times of these
    expected = 3.5 / 7 * 2.5 / 4 * 3.5 / 4
    assert naive_cases.aodesr_joint(table, [1, 1, 1], critical_value=4) == pytest.approx([expected])
    assert naive_cases.aodesr_joint(table, [1, 1, 1], critical_value=4, prior=[1]) == pytest.approx(
        [expected]
    )
    # x1 = 1 implies both others; x0 is a superparent nevertheless, x2 no child
    assert naive.subsumed(table, [1, 1, 1], 2) == {0, 2}
    expected = 3.5 / 7 * 2.5 / 4
    assert naive_cases.aodesr_joint(table, [1, 1, 1], critical_value=2) == pytest.approx([expected])
    # in ratio form, pairs have a prior mass of 1/4: (2.25/7) / (3.5/7)
    ratio = naive_cases.aodesr_joint(table, [1, 1, 1], critical_value=2, conditional="ratio")
    assert ratio == pytest.approx([2.25 / 7])
    # no superparent
    for row, limit in ([None, 1, 1], 1), ([1, 1, 1], 4):
        joint = naive_cases.aodesr_joint(table, row, critical_value=2, frequency_limit=limit)
        assert joint == naive.naive_bayes_joint(table, row)


@some
@given(case=tables(max_attributes=2), ratio=st.sampled_from(["direct", "ratio"]))
def test_aodesr_of_two_attributes_is_aode(case, ratio):
    """A tree of two has no inner node, so all are superparents; here nothing is subsumed."""
    table, row = case
    expected = pytest.approx(naive.aode_joint(table, row, conditional=ratio), abs=1e-15)
    assert naive_cases.aodesr_joint(table, row, critical_value=1000, conditional=ratio) == expected


# --- leave one out


def test_leave_one_out():
    # an attribute that says nothing: only the prior counts
    table = Table([[0], [0], [0]], [0, 1, 1], n_values=[1], n_classes=2)
    posteriors = naive_cases.leave_one_out_posteriors(table)
    assert posteriors[0] == pytest.approx([0.5 / 3, 2.5 / 3])
    assert posteriors[1] == posteriors[2] == [0.5, 0.5]  # the first class is predicted
    assert naive_cases.leave_one_out_losses(table, grid=[0]) == {0: 1}
    # a row of weight 3 loses one copy: 2 against 2, and it is right; the others see 3 against 1
    table = Table(table.rows, table.classes, [1], 2, weights=[3, 1, 1])
    assert naive_cases.leave_one_out_posteriors(table, prior="empirical") == [[0.5, 0.5], *[[0.75, 0.25]] * 2]
    assert naive_cases.leave_one_out_losses(table, grid=[0]) == {0: 2 / 5}
    # half a row is gone altogether
    table = Table([[0], [1]], [0, 1], n_values=[2], n_classes=2, weights=[0.5, 1])
    posteriors = naive_cases.leave_one_out_posteriors(table, prior="empirical", averaged=True)
    assert posteriors == [[0, 1], [1, 0]]
    alone = Table([[0]], [0], n_values=[1], n_classes=1)
    assert naive_cases.leave_one_out_posteriors(alone, prior="empirical") == [[1]]


def test_back_off_is_decided_without_the_row():
    # x1 = 1 has one row of its own; without it, x0 has no such parent and P(x0 = 0 | y) is used
    table = Table([[0, 0], [0, 0], [0, 1], [1, 0]], [0, 0, 0, 0], n_values=[2, 2], n_classes=1)
    others = naive_cases.without_one_copy(table, 2)
    network = local_kdb_network(table, [0, 1])
    assert network.order == [0, 1]
    assert naive_cases.local_joint(others, [0, 1], network) == pytest.approx([2.5 / 4 * 0.5 / 3])
    turned = LocalNetwork([1, 0], {1: [], 0: [1]})
    assert naive_cases.local_joint(others, [0, 1], turned) == pytest.approx([0.5 / 4 * 2.5 / 4])


@some
@given(case=tables(max_attributes=3), averaged=st.booleans())
def test_copies_of_rows_are_left_out_one_by_one(case, averaged):
    drawn, _ = case
    rows, classes = drawn.rows[:8], drawn.classes[:8]
    weights = [1, 2, 1, 3, 1, 2, 1, 3][: len(rows)]
    weighted = Table(rows, classes, drawn.n_values, drawn.n_classes, weights)
    copies = [r for r, weight in enumerate(weights) for _ in range(weight)]
    copied = Table([rows[r] for r in copies], [classes[r] for r in copies], drawn.n_values, drawn.n_classes)
    of_weighted = naive_cases.leave_one_out_posteriors(weighted, averaged=averaged)
    of_copied = naive_cases.leave_one_out_posteriors(copied, averaged=averaged)
    for r, p in zip(copies, of_copied, strict=True):
        assert p == pytest.approx(of_weighted[r], abs=1e-12)


def test_least_loss_then_smallest_ratio():
    assert naive_cases.chosen_ratio({0: 0.25, 0.1: 0.125, 0.5: 0.125}) == 0.1
    assert naive_cases.chosen_ratio({1: 0.5, 0.2: 0.5, 0: 0.75}) == 0.2
