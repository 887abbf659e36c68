"""The twins of the classifiers that choose what they keep: values worked out by hand, and identities."""

import doctest
import math
import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminaive.testing import naive, naive_selection
from seminaive.testing.naive import Table
from seminaive.testing.naive_selection import (
    Step,
    adaptive_selection,
    batches,
    best_prefix,
    better,
    greedy_selection,
    leave_one_out_loss,
    left_out_posteriors,
    likeliest,
    mean_loss,
    prefix_selection,
    selective_kdb,
)

CRITERIA = ["zero_one", "rmse", "log_loss"]

# x0 is 0, 0, 1 in class 0 and 1, 1 in class 1; x1 is constant; x2 says nothing
TABLE = Table(
    [[0, 0, 0], [0, 0, 1], [1, 0, None], [1, 0, 0], [1, 0, 1]], [0, 0, 0, 1, 1], [2, 1, 2], n_classes=2
)
# y is whether x0 and x1 agree; x2 is y, but for the two rows in which x0 = x1 = 1
AGREE = Table([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]] * 2, [0, 1, 1, 0] * 2, [2, 2, 2], n_classes=2)

some = settings(max_examples=25, deadline=None)


@st.composite
def tables(draw, max_rows=8, max_attributes=3, weights=(0.25, 1, 1, 2.5)):
    """A small table, weighted or not, with gaps."""
    n = draw(st.integers(1, max_attributes))
    n_values = draw(st.lists(st.integers(1, 3), min_size=n, max_size=n))
    n_classes = draw(st.integers(1, 3))
    row = st.tuples(*(st.sampled_from([*range(v), None]) for v in n_values))
    rows = draw(st.lists(row, min_size=1, max_size=max_rows))
    classes = draw(st.lists(st.integers(0, n_classes - 1), min_size=len(rows), max_size=len(rows)))
    copies = st.lists(st.sampled_from(weights), min_size=len(rows), max_size=len(rows))
    return Table(rows, classes, n_values, n_classes, draw(st.one_of(st.none(), copies)))


def options():
    """Smoothing and prior."""
    return st.fixed_dictionaries(
        {
            "smoothing": st.sampled_from(["m-estimate", "laplace"]),
            "strength": st.sampled_from([0.0, 1.0]),
            "prior": st.sampled_from([None, "empirical"]),
        }
    )


def no_parents(table):
    return [[] for _ in table.attributes]


def told(steps):
    """Features, loss and acceptance of each step."""
    return [(list(step.features), step.loss, step.accepted) for step in steps]


def test_docstrings():
    assert doctest.testmod(naive_selection).failed == 0


# --- losses


def test_mean_losses():
    table = Table([[], [], []], [0, 1, 1], n_values=[], n_classes=2)
    posteriors = [[0.5, 0.5], [0.75, 0.25], [0, 1]]
    assert mean_loss(table, posteriors, "zero_one") == 1 / 3
    assert mean_loss(table, posteriors, "rmse") == math.sqrt((1 / 4 + 9 / 16) / 3)
    assert mean_loss(table, posteriors, "log_loss") == pytest.approx(math.log(8) / 3)
    weighted = replace(table, weights=[1, 2.5, 0.5])
    assert mean_loss(weighted, posteriors, "zero_one") == 2.5 / 4
    assert mean_loss(weighted, posteriors, "rmse") == math.sqrt((1 / 4 + 2.5 * 9 / 16) / 4)
    assert mean_loss(weighted, posteriors, "log_loss") == pytest.approx((math.log(2) + 2.5 * math.log(4)) / 4)


def test_an_impossible_class_has_a_finite_loss():
    table = Table([[]], [1], n_values=[], n_classes=2)
    assert mean_loss(table, [[1, 0]], "log_loss") == -math.log(sys.float_info.min)
    assert mean_loss(table, [[1, 5e-324]], "log_loss") == -math.log(sys.float_info.min)
    assert mean_loss(table, [[1, 0]], "rmse") == 1


def test_of_classes_that_rounding_tells_apart_the_first_is_predicted():
    assert likeliest([0.3, 0.7]) == 1
    assert likeliest([0.5, 0.5]) == 0
    assert likeliest([0.25, 0.375 - 1e-10, 0.375]) == 1
    assert likeliest([0.25, 0.375 - 1e-9, 0.375]) == 2  # 2.7e-9 less, as a logarithm
    assert likeliest([1e-300, 1e-300 * (1 + 1e-8)]) == 1


def test_losses_that_rounding_tells_apart_are_equal():
    assert better(0.1, 0.1 + 2e-12)
    assert not better(0.1, 0.1 + 5e-13)
    assert best_prefix([0.3, 0.2, 0.1 + 5e-13, 0.1, 0.1]) == 2
    assert best_prefix([0.3, 0.1, 0.1 + 5e-13, 0.4], most=True) == 2
    assert best_prefix([0.5]) == best_prefix([0.5], most=True) == 0


# --- leave one out


def test_the_prior_alone():
    table = Table([[0], [0], [0]], [0, 1, 1], n_values=[1], n_classes=2)
    # without the row: 0 and 2, 1 and 1, 1 and 1 rows of the classes
    assert left_out_posteriors(table, [], [[]]) == [[0.5 / 3, 2.5 / 3], [0.5, 0.5], [0.5, 0.5]]
    assert leave_one_out_loss(table, [], [[]]) == 1
    assert leave_one_out_loss(table, [], [[]], prior=[0.25, 0.75]) == 1 / 3
    assert leave_one_out_loss(table, [], [[]], "rmse", prior="empirical") == math.sqrt(1.5 / 3)
    # a third of the loss is that of a class which no other row has
    assert leave_one_out_loss(table, [], [[]], "log_loss", prior="empirical") == pytest.approx(
        (-math.log(sys.float_info.min) + 2 * math.log(2)) / 3
    )


def test_one_feature():
    # the first row sees 2 and 2 rows; x0 = 0 in 1 of 2 and 0 of 2
    p = [0.5 * 1.5 / 3, 0.5 * 0.5 / 3]
    # the third sees x0 = 1 in none of 2 and both of 2
    q = [0.5 * 0.5 / 3, 0.5 * 2.5 / 3]
    # the others see 3 and 1; x0 = 1 in 1 of 3 and 1 of 1
    r = [3.5 / 5 * 1.5 / 4, 1.5 / 5 * 1.5 / 2]
    posteriors = left_out_posteriors(TABLE, [0], no_parents(TABLE))
    expected = [naive.posterior(joint, [0.5, 0.5]) for joint in (p, p, q, r, r)]
    for actual, by_hand in zip(posteriors, expected, strict=True):
        assert actual == pytest.approx(by_hand)
    assert leave_one_out_loss(TABLE, [0], no_parents(TABLE)) == 3 / 5  # 0.2625 against 0.225 in the last two


def test_features_that_are_not_chosen_do_not_count():
    parents = [[1, 2], [], [1]]
    for row in left_out_posteriors(TABLE, [], parents):
        assert row in ([0.5, 0.5], [0.7, 0.3])
    # x1 is no feature, and so no parent
    assert left_out_posteriors(TABLE, [0, 2], parents) == left_out_posteriors(TABLE, [2, 0], [[2], [], []])
    # a constant feature tells nothing, as a parent neither
    assert left_out_posteriors(TABLE, [0, 1], [[1], [], []]) == left_out_posteriors(TABLE, [0], parents)


def test_back_off_is_decided_without_the_row():
    # x0 = 1 has one row; left out, it leaves P(x1 = 1 | y) = (1 + 1/2)/(2 + 1) and not the uniform 1/2
    table = Table([[0, 0], [0, 1], [1, 1], [0, 0]], [0, 0, 0, 1], n_values=[2, 2], n_classes=2)
    # P(y), P(x0 = 1 | y), P(x1 = 1 | y)
    joint = [2.5 / 4 * 0.5 / 3 * 1.5 / 3, 1.5 / 4 * 0.5 / 2 * 0.5 / 2]
    for parents in ([[], []], [[], [0]]):
        posterior = left_out_posteriors(table, [0, 1], parents)[2]
        assert posterior == pytest.approx(naive.posterior(joint, [0, 0]))
    # two such rows, and the other one is seen
    table = replace(table, weights=[1, 1, 2, 1])
    joint = [3.5 / 5 * 1.5 / 4 * 1.5 / 2, 1.5 / 5 * 0.5 / 2 * 0.5]
    posterior = left_out_posteriors(table, [0, 1], [[], [0]])[2]
    assert posterior == pytest.approx(naive.posterior(joint, [0, 0]))


def test_where_every_class_is_impossible_the_prior_without_the_row_counts():
    # x0 = 1 has one row, so that it is impossible in both classes
    table = Table([[0], [0], [1], [0]], [0, 0, 0, 1], n_values=[2], n_classes=2)
    assert left_out_posteriors(table, [0], [[]], strength=0)[2] == [2 / 3, 1 / 3]
    assert left_out_posteriors(table, [0], [[]], strength=0, prior=[0.25, 0.75])[2] == [0.25, 0.75]


def test_the_only_row():
    table = Table([[1]], [1], n_values=[2], n_classes=2)
    for prior in (None, "empirical"):
        for strength in (0, 1):
            posteriors = left_out_posteriors(table, [0], [[]], strength=strength, prior=prior)
            assert posteriors == [[0.5, 0.5]]
    assert leave_one_out_loss(table, [0], [[]]) == 1
    assert leave_one_out_loss(replace(table, classes=[0]), [0], [[]], "rmse") == 0.5
    assert left_out_posteriors(table, [0], [[]], prior=[0, 1]) == [[0, 1]]


@some
@given(table=tables(weights=(1,)), shared=options(), data=st.data())
def test_a_row_that_is_left_out_is_not_there(table, shared, data):
    """Weight 0 or absent from the table, it is the same; a class may have no row then."""
    parents = naive.kdb_parents(table, data.draw(st.integers(0, 2)))
    features = data.draw(st.sets(st.sampled_from(table.attributes)))
    posteriors = left_out_posteriors(table, features, parents, **shared)
    for r in range(len(table.rows) if len(table.rows) > 1 else 0):
        others = Table(
            [*table.rows[:r], *table.rows[r + 1 :]],
            [*table.classes[:r], *table.classes[r + 1 :]],
            table.n_values,
            table.n_classes,
        )
        # columns that are not chosen do not exist
        kept = sorted(features)
        narrow = replace(
            others,
            rows=[[row[i] for i in kept] for row in others.rows],
            n_values=[table.n_values[i] for i in kept],
        )
        of_kept = [[kept.index(p) for p in parents[i] if p in features] for i in kept]
        joint = naive.network_joint(narrow, [table.rows[r][i] for i in kept], of_kept, **shared)
        prior = naive.class_prior(others, shared["prior"], shared["smoothing"], shared["strength"])
        assert posteriors[r] == pytest.approx(naive.posterior(joint, prior), abs=1e-14)


@some
@given(table=tables(max_rows=6), shared=options(), criterion=st.sampled_from(CRITERIA), k=st.integers(0, 2))
def test_copies_of_rows_are_left_out_one_by_one(table, shared, criterion, k):
    weights = [1, 3, 2, 1, 2, 1][: len(table.rows)]
    weighted = replace(table, weights=weights)
    copies = [r for r, weight in enumerate(weights) for _ in range(weight)]
    copied = Table(
        [table.rows[r] for r in copies], [table.classes[r] for r in copies], table.n_values, table.n_classes
    )
    parents = naive.kdb_parents(weighted, k)
    assert parents == naive.kdb_parents(copied, k)
    assert leave_one_out_loss(weighted, table.attributes, parents, criterion, **shared) == pytest.approx(
        leave_one_out_loss(copied, table.attributes, parents, criterion, **shared), abs=1e-12
    )


@some
@given(table=tables(), shared=options(), criterion=st.sampled_from(CRITERIA))
def test_columns_of_one_value_change_no_loss(table, shared, criterion):
    """They may be parents and children."""
    wider = replace(table, rows=[[*row, 0] for row in table.rows], n_values=[*table.n_values, 1])
    n = len(table.n_values)
    losses = [
        leave_one_out_loss(table, range(n), no_parents(table), criterion, **shared),
        leave_one_out_loss(wider, range(n + 1), no_parents(wider), criterion, **shared),
        leave_one_out_loss(wider, range(n + 1), [*([n] for _ in range(n)), []], criterion, **shared),
    ]
    assert losses[1:] == pytest.approx([losses[0]] * 2, abs=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_one_class_has_no_loss(criterion):
    table = Table([[0, 1], [1, 0], [None, 0]], [0, 0, 0], n_values=[2, 2], n_classes=1)
    assert leave_one_out_loss(table, [0, 1], [[], [0]], criterion) == 0
    for selection in (
        greedy_selection(table, criterion),
        prefix_selection(table, criterion),
        selective_kdb(table, 2, criterion)[0],
    ):
        assert (selection.features, selection.loss) == ([], 0)
    assert greedy_selection(table, criterion, accept_ties=True).features == [0, 1]
    assert prefix_selection(table, criterion, accept_ties=True).features == [0, 1]


# --- selective naive Bayes


def test_greedy_selection():
    # alone, x2 errs where x0 = x1 = 1; x0 and x1 say the opposite of the class of a row that is left out
    assert naive_selection.relevance_order(AGREE) == [2, 0, 1]
    selection = greedy_selection(AGREE)
    assert selection.features == [2]
    assert selection.loss == 2 / 8
    assert told(selection.path) == [([], 1, True), ([2], 2 / 8, True), ([0], 2 / 8, False)]
    assert [step.kind for step in selection.path] == ["start", "feature", "feature"]
    assert selection.path[1].information == pytest.approx(1 - 6 / 8 * (math.log2(3) - 2 / 3))
    assert selection.path[2].information == 0
    assert selection.path[0].information is None
    assert selection.parents == [[], [], []]


def test_greedy_selection_takes_the_first_of_equals():
    # alike but for the names of the classes: x0 tells 1 from the others, x1 tells 2, x2 tells 0
    table = Table([[0, 0, 0], [1, 0, 1], [0, 1, 1]] * 3, [0, 1, 2] * 3, [2, 2, 2], n_classes=3)
    # the class of a row that is left out has two rows against three of each other
    selection = greedy_selection(table)
    assert told(selection.path) == [([], 1, True), ([0], 6 / 9, True), ([1], 0, True), ([2], 0, False)]
    assert selection.features == [0, 1]
    assert told(greedy_selection(table, accept_ties=True).path)[-1] == ([2], 0, True)


def test_greedy_selection_of_nothing():
    # both features are as good as none; two rows, each tells the wrong class of the other
    table = Table([[0, 0], [0, 1]], [0, 1], n_values=[1, 2], n_classes=2)
    selection = greedy_selection(table)
    assert selection.features == []
    assert told(selection.path) == [([], 1, True), ([0], 1, False)]
    assert told(greedy_selection(table, accept_ties=True).path) == [
        ([], 1, True),
        ([0], 1, True),
        ([1], 1, True),
    ]


def test_prefix_selection():
    selection = prefix_selection(AGREE)
    assert selection.features == [2]
    # (0, 1, 1) errs as soon as x0 and x1 are there: 3.5/8 (1.5/4)^2 3.5/4 against 4.5/8 (1/2)^3
    assert told(selection.path) == [
        ([], 1, True),
        ([2], 2 / 8, True),
        ([0], 2 / 8, False),
        ([1], 6 / 8, False),
    ]
    selection = prefix_selection(AGREE, accept_ties=True)
    assert selection.features == [0, 2]
    assert [step.accepted for step in selection.path] == [True, False, True, False]
    assert [step.k for step in selection.path] == [None, 0, 0, 0]
    assert {step.kind for step in selection.path[1:]} == {"prefix"}


def test_prefix_selection_looks_beyond_a_prefix_that_is_worse():
    rows = [[1, 1], [1, 1], [0, 1], [0, 1], [1, 0], [0, 0]]
    table = Table(rows, [0, 0, 1, 1, 1, 1], n_values=[2, 2], n_classes=2)
    # the rows of class 0 see one other against four: 1.5/6 is not enough, with x0 = 1 it is 1.5/6 1.5/2
    # against 4.5/6 1.5/5, and with x1 = 1 also 1.5/2 against 1/2; (1, 0) is taken for class 0 if x0 is known
    selection = prefix_selection(table)
    assert told(selection.path) == [([], 2 / 6, True), ([0], 3 / 6, False), ([1], 1 / 6, True)]
    assert selection.features == [0, 1]
    assert told(greedy_selection(table).path) == [([], 2 / 6, True), ([0], 3 / 6, False)]


@some
@given(
    table=tables(),
    shared=options(),
    criterion=st.sampled_from(CRITERIA),
    accept_ties=st.booleans(),
    search=st.sampled_from([greedy_selection, prefix_selection]),
)
def test_paths_of_selective_naive_bayes(table, shared, criterion, accept_ties, search):
    selection = search(table, criterion, accept_ties, **shared)
    parents = no_parents(table)

    def loss_of(features):
        return leave_one_out_loss(table, features, parents, criterion, **shared)

    assert selection.loss == loss_of(selection.features)
    assert not better(loss_of([]), selection.loss)
    features = []
    for step in selection.path:
        assert step.loss == loss_of([*features, *step.features])
        if search is prefix_selection or step.accepted:
            features += step.features
    if search is greedy_selection:
        assert sorted(features) == selection.features
        assert all(step.accepted for step in selection.path[:-1])
        for i in set(table.attributes) - set(features):
            assert not better(loss_of([*features, i]), selection.loss)
        for before, after in pairwise(selection.path[: len(features) + 1]):
            assert better(after.loss, before.loss) or accept_ties
    else:
        assert features == naive_selection.relevance_order(table)
        assert not any(better(step.loss, selection.loss) for step in selection.path)


# --- selective KDB


def test_selective_kdb():
    selection, k = selective_kdb(AGREE, max_k=2, criterion="zero_one")
    assert naive.kdb_parents(AGREE, 2) == [[2], [0, 2], []]
    assert [(list(step.features), step.k) for step in selection.path] == [
        ([], 0),
        *(([i], k) for i in (2, 0, 1) for k in (0, 1, 2)),
    ]
    # x1 with x0 as its parent says all; x0 with x2 as its parent does not hinder
    assert [step.loss for step in selection.path if step.features == [1]] == [6 / 8, 0, 0]
    assert (selection.features, k, selection.loss) == ([0, 1, 2], 1, 0)
    assert selection.parents == [[2], [0], []]
    assert [step.k for step in selection.path if step.accepted] == [0, 1]


def test_selective_kdb_prefers_fewer_features_then_fewer_parents():
    # x0 is the class, and x1 is x0
    table = Table([[0, 0], [0, 0], [1, 1], [1, 1]], [0, 0, 1, 1], n_values=[2, 2], n_classes=2)
    selection, k = selective_kdb(table, max_k=9, criterion="zero_one")
    assert (selection.features, selection.parents, k) == ([0], [[], []], 0)
    assert len(selection.path) == 1 + 2 * 2
    nothing, k = selective_kdb(replace(table, classes=[0, 1, 0, 1]), max_k=1, criterion="zero_one")
    assert (nothing.features, nothing.parents, nothing.loss, k) == ([], [[], []], 1, 0)


@some
@given(table=tables(), shared=options(), criterion=st.sampled_from(CRITERIA), max_k=st.integers(0, 3))
def test_paths_of_selective_kdb(table, shared, criterion, max_k):
    selection, k = selective_kdb(table, max_k, criterion, **shared)
    full = naive.kdb_parents(table, max_k)
    order = naive_selection.relevance_order(table)
    most = min(max_k, len(order) - 1)
    assert len(selection.path) == 1 + len(order) * (most + 1)
    for position, step in enumerate(selection.path[1:]):
        s, of_step = divmod(position, most + 1)
        assert (list(step.features), step.k) == ([order[s]], of_step)
        parents = [of[:of_step] for of in full]
        assert step.loss == leave_one_out_loss(table, order[: s + 1], parents, criterion, **shared)
    assert not any(better(step.loss, selection.loss) for step in selection.path)
    assert selection.parents == [of[:k] if i in selection.features else [] for i, of in enumerate(full)]
    assert selection.loss == leave_one_out_loss(
        table, selection.features, selection.parents, criterion, **shared
    )
    if max_k == 0:
        prefixes = prefix_selection(table, criterion, **shared)
        assert (selection.features, selection.loss) == (prefixes.features, prefixes.loss)


# --- adaptive KDB


def test_batches_start_at_their_own_smallest_value():
    # 1.2 is within a fifth of 1, 1.4 within a fifth of 1.2 but not of 1
    assert batches({"a": 1.4, "b": 1.0, "c": 1.2}, delta=0.25) == [(1.0, ["b", "c"]), (1.4, ["a"])]
    assert batches({"a": 0.0, "b": 1e-9, "c": 0.0}, delta=1e6) == [(0.0, ["a", "c"]), (1e-9, ["b"])]
    assert batches({"a": 2.0, "b": 1.0, "c": 2.0}, delta=0) == [(1.0, ["b"]), (2.0, ["a", "c"])]
    assert batches({"a": 2.0, "b": 1.0}, delta=1) == [(1.0, ["a", "b"])]
    assert batches({}, delta=1) == []


def test_adaptive_selection_stops_where_the_loss_grows():
    selection = adaptive_selection(AGREE, k=1)
    # x0 and x1 are one batch; without them x2 is left, which errs in 2 of 8 rows. Of the arcs
    # x2 -> x0 (given y = 0 the two are equal: 1/2 bit) and x0 -> x1 (1 bit) the first is below the mean
    bits = 1 - 6 / 8 * (math.log2(3) - 2 / 3)
    feature, dependency = selection.path[1:]
    assert selection.path[0] == Step("start", 0, True)
    assert (feature.kind, feature.features, feature.information) == ("feature", [0, 1], 0)
    assert feature.threshold == pytest.approx(bits / 3)
    assert (feature.loss, feature.accepted) == (2 / 8, False)
    assert dependency == Step("dependency", 0, True, (), [(2, 0)], 0.5, 0.75)
    assert (selection.features, selection.parents, selection.loss) == ([0, 1, 2], [[], [0], []], 0)


def test_adaptive_selection_strict():
    selection = adaptive_selection(AGREE, k=1, strict=True)
    assert selection.parents == [[2], [0], []]
    assert [step.accepted for step in selection.path] == [True, False, False]


def test_adaptive_selection_of_one_kind():
    assert adaptive_selection(AGREE, k=1, select_dependencies=False).parents == [[2], [0], []]
    selection = adaptive_selection(AGREE, k=1, select_features=False)
    assert [step.kind for step in selection.path] == ["start", "dependency"]
    neither = adaptive_selection(AGREE, k=1, select_features=False, select_dependencies=False)
    assert neither.path == [Step("start", 0, True)]
    assert neither.parents == naive.kdb_parents(AGREE, 1)


def test_adaptive_selection_keeps_a_feature():
    # no feature has information: all are one batch, which stays, without being tried
    table = Table([[0, 0], [0, 1], [1, 0], [1, 1]] * 2, [0, 1, 1, 0] * 2, [2, 2], n_classes=2)
    selection = adaptive_selection(table, k=1)
    assert selection.features == [0, 1]
    # the only arc is its own mean, and it matters
    assert selection.path[1:] == [Step("dependency", 1, False, (), [(0, 1)], 1, 1)]
    assert adaptive_selection(replace(table, classes=[0] * 8), k=1).parents == [[], []]


def test_adaptive_selection_of_what_the_first_removal_left():
    """The threshold of the arcs is the mean of those that are left; all of them may go."""
    # x0 is y, x1 is y in seven of eight rows, x2 tells nothing
    rows = [[0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1], [1, 1, 0], [1, 1, 1]]
    table = Table(rows * 2, ([0] * 4 + [1] * 4) * 2, n_values=[2, 2, 2], n_classes=2)
    selection = adaptive_selection(table, k=2, delta=0)
    assert [(step.kind, step.features, step.dependencies) for step in selection.path] == [
        ("start", (), ()),
        ("feature", [2], ()),
        ("dependency", (), [(0, 1)]),
    ]
    # x1 has more bits than the mean (1 + 0.55 + 0)/3; given y, x0 is constant
    assert (selection.path[2].information, selection.path[2].threshold) == (0, 0)
    assert (selection.features, selection.parents, selection.loss) == ([0, 1], [[], [], []], 0)


def test_best_prefix_looks_beyond_a_batch_that_costs():
    rows = [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 1, 1], [1, 1, 1, 1], [1, 0, 1, 0], [0, 1, 1, 0]]
    table = Table([*rows, [0, 0, 1, 1]], [0, 1, 0, 1, 1, 0, 0, 0], n_values=[2] * 4, n_classes=2)
    # bits of x0, x1, x2, x3: 0.05, 0.16, 0.02, 0.20
    greedy = adaptive_selection(table, k=1, delta=0, select_dependencies=False)
    assert told(greedy.path) == [([], 2 / 8, True), ([2], 4 / 8, False)]
    assert (greedy.features, greedy.parents) == ([0, 1, 2, 3], [[1], [3], [0], []])
    for strict in (False, True):
        best = adaptive_selection(
            table, k=1, delta=0, select_dependencies=False, search="best_prefix", strict=strict
        )
        assert told(best.path) == [([], 2 / 8, True), ([2], 4 / 8, True), ([0], 1 / 8, True)]
        assert (best.features, best.parents, best.loss) == ([1, 3], [[], [3], [], []], 1 / 8)


def test_best_prefix_takes_the_most_of_equals_if_it_is_no_worse_than_nothing():
    copies = Table([[0, 0, 0], [1, 1, 0]] * 3, [0, 1] * 3, n_values=[2, 2, 2], n_classes=2)
    # arcs x0 -> x1, x0 -> x2, x1 -> x2 tell nothing given y
    best = adaptive_selection(copies, k=2, search="best_prefix", select_features=False)
    assert best.path[1:] == [Step("dependency", 0, True, (), [(0, 1), (0, 2), (1, 2)], 0, 0)]
    assert best.parents == [[], [], []]
    strict = adaptive_selection(copies, k=2, search="best_prefix", select_features=False, strict=True)
    assert [step.accepted for step in strict.path] == [True, False]
    assert strict.parents == [[], [0], [0, 1]]
    # a batch that costs stays, and with it what was weaker
    agree = adaptive_selection(AGREE, k=1, search="best_prefix")
    assert [step.accepted for step in agree.path] == [True, False, True]


@some
@given(
    table=tables(),
    shared=options(),
    k=st.integers(0, 3),
    delta=st.sampled_from([0, 0.1, 1, 1e300]),
    own=st.fixed_dictionaries(
        {
            "select_features": st.booleans(),
            "select_dependencies": st.booleans(),
            "search": st.sampled_from(["greedy", "best_prefix"]),
            "strict": st.booleans(),
        }
    ),
)
def test_paths_of_adaptive_selection(table, shared, k, delta, own):
    selection = adaptive_selection(table, k, delta, **own, **shared)
    full = naive.kdb_parents(table, k)

    def loss_of(removed, gone):
        features = set(table.attributes) - removed
        parents = [[p for p in of if (p, i) not in gone] for i, of in enumerate(full)]
        return leave_one_out_loss(table, features, parents, **shared)

    start, *steps = selection.path
    assert start == Step("start", loss_of(set(), set()), True)
    removed, gone = set(), set()
    for kind in ("feature", "dependency"):
        of_kind = [step for step in steps if step.kind == kind]
        tried_features, tried_arcs = set(removed), set()
        for step in of_kind:
            assert step.information <= step.threshold * (1 + 1e-9)
            tried_features |= set(step.features)
            tried_arcs |= set(step.dependencies)
            assert step.loss == loss_of(tried_features, tried_arcs)
            if step.accepted:
                removed, gone = set(tried_features), set(tried_arcs)
        taken = [step.accepted for step in of_kind]
        assert taken == sorted(taken, reverse=True)
        if own["search"] == "greedy":
            assert all(taken[:-1])
    assert selection.features == sorted(set(table.attributes) - removed)
    assert selection.features
    assert selection.loss == loss_of(removed, gone)
    assert not better(start.loss, selection.loss)
    assert better(selection.loss, start.loss) or not own["strict"] or not removed | gone
    assert own["select_features"] or not removed
    assert own["select_dependencies"] or not gone
    for i, parents in enumerate(selection.parents):
        left = [p for p in full[i] if p not in removed and (p, i) not in gone]
        assert parents == (left if i not in removed else [])
        assert parents == full[i][: len(parents)]  # the weakest go


@pytest.mark.parametrize("k", [0, 1, 5])
def test_adaptive_selection_of_one_attribute(k):
    table = Table([[0], [1], [0]], [0, 1, 1], n_values=[2], n_classes=2)
    selection = adaptive_selection(table, k)
    assert (selection.features, selection.parents) == ([0], [[]])
    assert len(selection.path) == 1
