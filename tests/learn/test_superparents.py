"""One-dependence estimators: who may be a superparent, and their scores in every layout."""

from __future__ import annotations

import numpy as np
import pytest
from coded_tables import LAYOUTS, Coded, coded, coded_tables, count_as, examples
from hypothesis import given
from hypothesis import strategies as st

from seminaive.learn.smoothing import Smoothing
from seminaive.learn.superparents import OneDependenceTables, _parts, is_eligible
from seminaive.testing import naive

SMOOTHINGS = st.builds(
    Smoothing,
    st.sampled_from(["m-estimate", "laplace"]),
    st.sampled_from([0, 0.5, 1.0]),
)


def eligible_values(case: Coded, limit: float) -> list[list[bool]]:
    """Per attribute and value; "not observed" never is."""
    tables = case.count()
    slots = np.split(is_eligible(tables, limit), tables.first_slot[1:-1])
    assert not any(attribute[-1] for attribute in slots)
    return [attribute[:-1].tolist() for attribute in slots]


def test_eligible_values():
    # x0: 0 three times, 1 once, 2 never; x1: 0 and 1 twice
    case = coded([[0, 0], [0, 0], [0, 1], [1, 1], [None, None]], [0, 1, 1, 0, 0], [3, 2], 2)
    assert eligible_values(case, 0) == [[True, True, True], [True, True]]
    assert eligible_values(case, 1) == [[True, True, False], [True, True]]
    assert eligible_values(case, 2) == [[True, False, False], [True, True]]
    assert eligible_values(case, 3) == [[True, False, False], [False, False]]


def test_a_value_occurs_however_small_its_weight():
    case = coded([[0], [1]], [0, 1], [2], 2, weights=[0.25, 1.5])
    assert eligible_values(case, 1) == [[True, True]]
    assert eligible_values(case, 1.5) == [[False, True]]


def score(
    case: Coded,
    layout: str,
    codes: np.ndarray,
    weights: np.ndarray,
    smoothing: Smoothing,
    ratio: bool,
) -> np.ndarray:
    """Joint probabilities of some rows."""
    tables = OneDependenceTables.learn(count_as(case, layout), smoothing, ratio)
    assert (tables.conditionals is None) == (layout == "sparse")
    joint = np.zeros((codes.shape[1], case.table.n_classes))
    tables.score(codes, 0, codes.shape[1], weights, joint)
    return np.exp(joint)


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(60)
@given(
    case=coded_tables(max_values=3, max_rows=15),
    smoothing=SMOOTHINGS,
    conditional=st.sampled_from(["direct", "ratio"]),
    data=st.data(),
)
def test_scores_equal_the_twin(layout, case, smoothing, conditional, data):
    n_values = case.table.n_values
    rows = data.draw(st.lists(st.tuples(*(st.integers(0, v) for v in n_values)), min_size=1, max_size=4))
    codes = np.array(rows, dtype=np.uint8).T.copy()
    superparents = (codes < case.schema.n_values[:, None]).T  # those that the twin uses, all with rows
    for r, row in enumerate(rows):
        for i, code in enumerate(row):
            superparents[r, i] &= code < n_values[i] and naive.total_count(case.table, {i: code}) > 0
    used = superparents.any(axis=1)
    codes, superparents = codes[:, used].copy(), superparents[used]
    weights = superparents / superparents.sum(axis=1, keepdims=True)
    actual = score(case, layout, codes, weights, smoothing, conditional == "ratio")
    expected = [
        naive.aode_joint(
            case.table,
            [None if code == v else code for code, v in zip(row, n_values, strict=True)],
            conditional=conditional,
            smoothing=smoothing.method,
            strength=smoothing.strength,
        )
        for row in codes.T.tolist()
    ]
    np.testing.assert_allclose(actual, np.array(expected).reshape(actual.shape), rtol=1e-12, atol=1e-300)


CASE = coded(
    [[0, 1, 0], [0, 0, 1], [1, 1, 1], [1, None, 0], [0, 1, 1]],
    [0, 0, 1, 1, 1],
    [2, 2, 2],
    2,
)
ROW = np.array([[0], [1], [1]], dtype=np.uint8)
ONLY = [(np.arange(3) == a).astype(float)[None] for a in range(3)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("ratio", [False, True])
def test_the_score_is_the_weighted_mean_of_the_estimators(layout, ratio):
    alone = [score(CASE, layout, ROW, weights, Smoothing(), ratio) for weights in ONLY]
    weights = np.array([0.5, 0.2, 0.3])
    mixed = score(CASE, layout, ROW, weights[None], Smoothing(), ratio)
    np.testing.assert_allclose(mixed, sum(w * p for w, p in zip(weights, alone, strict=True)), rtol=1e-13)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_estimator_by_hand(layout):
    # x0 = 0 with 2 + 1 of five rows; x1 = 1 with 1 of 2 and 1 of 1 of them; x2 = 1 likewise
    expected = [(2 + 1 / 4) / 6 * (1.5 / 3) ** 2, (1 + 1 / 4) / 6 * (1.5 / 2) ** 2]
    actual = score(CASE, layout, ROW, ONLY[0], Smoothing(), ratio=False)
    np.testing.assert_allclose(actual, [expected], rtol=1e-13)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_weight_at_all_is_probability_zero(layout):
    nothing = np.zeros((1, 3))
    assert score(CASE, layout, ROW, nothing, Smoothing(), ratio=False).tolist() == [[0, 0]]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_products_that_no_number_could_hold(layout):
    # 400 attributes of probability 1/1000 or so: 10^-1200
    rng = np.random.default_rng(0)
    n = 60 if layout == "sparse" else 120
    rows = rng.integers(20, size=(20, n)).tolist()
    case = coded(rows, [0, 1] * 10, [1000] * n if layout == "sparse" else [20] * n, 2)
    tables = OneDependenceTables.learn(count_as(case, layout), Smoothing("laplace", 1e-4), ratio=False)
    joint = np.zeros((3, 2))
    tables.score(case.codes[:, :3].copy(), 0, 3, np.full((3, n), 1 / n), joint)
    assert np.isfinite(joint).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_are_scored_from_any_start(layout):
    tables = OneDependenceTables.learn(count_as(CASE, layout), Smoothing(), ratio=False)
    weights = np.full((5, 3), 1 / 3)
    whole, part = np.zeros((5, 2)), np.zeros((2, 2))
    tables.score(CASE.codes, 0, 5, weights, whole)
    tables.score(CASE.codes, 2, 4, weights[2:4], part)
    np.testing.assert_array_equal(part, whole[2:4])


# --- products that underflow


def wide(n: int, n_values: int, n_classes: int, seed: int = 0) -> Coded:
    """Attributes that say much about the class: a row's probability is tiny for all but one of them."""
    rng = np.random.default_rng(seed)
    classes = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=30)])
    rows = (classes[:, None] + (rng.random((len(classes), n)) < 0.3)) % n_values
    rows = np.where(rng.random(rows.shape) < 0.02, None, rows)
    return coded(rows.tolist(), classes.tolist(), [n_values] * n, n_classes)


@pytest.mark.parametrize("strength", [0, 1e-290, 1e-250, 1e-120, 1e-6, 1.0])
@pytest.mark.parametrize(("n", "n_classes"), [(3, 2), (90, 1), (90, 2), (90, 3), (90, 5), (90, 9), (160, 8)])
def test_products_equal_sums_of_logarithms(n, n_classes, strength):
    case = wide(n, 7, n_classes)
    rng = np.random.default_rng(1)
    weights = rng.random((len(case.classes), n)) * rng.integers(2, size=n)
    if strength >= 1e-6:  # P(x_a, y) times the weight must be a number
        weights[:, 0] = np.exp(-60 * rng.integers(10, size=len(case.classes)))
    joints = {}
    for layout in LAYOUTS:
        tables = OneDependenceTables.learn(
            count_as(case, layout), Smoothing("laplace", strength), ratio=False
        )
        joints[layout] = np.zeros((len(case.classes), n_classes))
        tables.score(case.codes, 0, len(case.classes), weights, joints[layout])
    joint = joints.pop("sparse")
    assert np.isfinite(joint).any(axis=1).all()
    for other in joints.values():
        np.testing.assert_allclose(other, joint, rtol=1e-13, atol=1e-11)


@pytest.mark.parametrize("n_classes", [2, 3, 8])
def test_scores_do_not_depend_on_the_rows_beside(n_classes):
    case = wide(150, 7, n_classes)
    tables = OneDependenceTables.learn(case.count(), Smoothing("laplace", 1e-20), ratio=False)
    n_rows = len(case.classes)
    weights = np.random.default_rng(2).random((n_rows, 150))
    whole = np.zeros((n_rows, n_classes))
    tables.score(case.codes, 0, n_rows, weights, whole)
    for size in (1, 3, 5, 8):
        for start in range(0, n_rows, size):
            stop = min(start + size, n_rows)
            part = np.zeros((stop - start, n_classes))
            tables.score(case.codes, start, stop, weights[start:stop], part)
            np.testing.assert_array_equal(part, whole[start:stop])


@pytest.mark.parametrize("smallest", [1.0, 0.1, 2.0**-100, 2.0**-401, 2.0**-900, 5e-324])
@pytest.mark.parametrize("n", [1, 2, 3, 8, 9, 10, 300])
def test_factors_come_once_and_leave_room(n, smallest):
    parts, scale = _parts(smallest, n)
    assert np.log2(scale).is_integer()
    for a, of_one in enumerate(parts.tolist()):
        attributes, since = [], 0
        for first, last, look in of_one:
            assert first == last or last <= a or first > a
            attributes += range(first, last)
            since = last - first + (0 if look else since)
            # a single factor may need more room than there is
            assert since <= 1 or 2.0**-1000 * scale * smallest**since >= 2.0**-1000
        assert attributes == [j for j in range(n) if j != a]
        assert n == 1 or of_one[0][2]
