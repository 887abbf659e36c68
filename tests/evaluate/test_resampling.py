"""The folds of the papers: one generator, nothing else."""

import doctest
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score

import seminaive.evaluate.resampling as resampling
from seminaive.evaluate.resampling import BiasVarianceSplit, PaperKFold


def mt19937(seed, n):
    """First n outputs of the generator, after Matsumoto and Nishimura (1998), word by word."""
    x = [seed]
    for i in range(1, 624):
        x.append((1812433253 * (x[-1] ^ (x[-1] >> 30)) + i) & 0xFFFFFFFF)
    for i in range(n):
        bits = (x[i] & 0x80000000) | (x[i + 1] & 0x7FFFFFFF)
        x.append(x[i + 397] ^ (bits >> 1) ^ (0x9908B0DF if bits & 1 else 0))
    out = []
    for u in x[624:]:
        u ^= u >> 11
        u ^= (u << 7) & 0x9D2C5680
        u ^= (u << 15) & 0xEFC60000
        out.append(u ^ (u >> 18))
    return out


def test_generator_is_the_one_of_the_cplusplus_standard():
    # [rand.predef]: the 10,000th output of a default-constructed mt19937 (seed 5489) is 4123659995
    assert PaperKFold(2**32, random_state=5489).folds(10_000)[-1] == 4123659995


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1])
def test_fold_is_the_output_modulo_the_number_of_folds(seed):
    expected = np.array(mt19937(seed, 2000)) % 10
    np.testing.assert_array_equal(PaperKFold(10, random_state=seed).folds(2000), expected)


def test_a_row_keeps_its_fold_when_rows_are_appended():
    np.testing.assert_array_equal(PaperKFold().folds(50), PaperKFold().folds(80)[:50])


def test_splits_partition_the_rows_in_order():
    X = np.zeros((200, 2))
    splits = list(PaperKFold().split(X))
    assert len(splits) == PaperKFold().get_n_splits() == PaperKFold().get_n_splits(X) == 10
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(200))
    folds = PaperKFold().folds(200)
    np.testing.assert_array_equal([folds[test[0]] for _, test in splits], range(10))
    np.testing.assert_array_equal(np.sort(np.concatenate([test for _, test in splits])), range(200))


def test_empty_fold_is_left_out():
    X = np.zeros((32, 1))  # no row of 32 draws fold 5
    folds = PaperKFold().folds(32)
    assert 5 not in folds
    assert PaperKFold().get_n_splits(X) == len(list(PaperKFold().split(X))) == 9


def test_all_rows_in_one_fold():
    with pytest.raises(ValueError, match=r"All 1 rows fall into one fold of 10.*random_state"):
        next(PaperKFold().split(np.zeros((1, 1))))


@pytest.mark.parametrize("n_splits", [1, 0, -3, 2.5, "10", None])
def test_number_of_folds_out_of_range(n_splits):
    with pytest.raises(ValueError, match="n_splits"):
        PaperKFold(n_splits)


@pytest.mark.parametrize("seed", [-1, 2**32, 0.5, None])
def test_seed_out_of_range(seed):
    with pytest.raises(ValueError, match="random_state"):
        PaperKFold(random_state=seed)


def test_same_folds_every_time_and_global_generator_untouched():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    cv = PaperKFold()
    np.testing.assert_array_equal(cv.folds(100), cv.folds(100))
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_works_where_scikit_learn_takes_a_splitter():
    y = np.arange(60) % 3
    X = np.zeros((60, 1))
    predicted = cross_val_predict(DummyClassifier(), X, y, cv=PaperKFold(5))
    assert predicted.shape == (60,)
    grid = GridSearchCV(DummyClassifier(), {"strategy": ["prior"]}, cv=PaperKFold(random_state=3)).fit(X, y)
    assert grid.n_splits_ == PaperKFold(random_state=3).get_n_splits(X)
    assert repr(PaperKFold(5)) == "PaperKFold(n_splits=5, random_state=0)"
    assert pickle.loads(pickle.dumps(PaperKFold(5, random_state=7))).random_state == 7
    assert clone(GridSearchCV(DummyClassifier(), {}, cv=PaperKFold(4))).cv.n_splits == 4


def test_docstring_example():
    assert doctest.testmod(resampling).failed == 0


# --- one test part, many training parts


def selection_sampling(n_rows, size, seed):
    """Rows taken, word by word: u <= (still to take) / (still to come)."""
    taken = []
    for row, word in enumerate(mt19937(seed, n_rows)):
        if word / 2**32 <= (size - len(taken)) / (n_rows - row):
            taken.append(row)
    return taken


@pytest.mark.parametrize("random_state", [0, 7])
def test_parts_are_drawn_in_file_order(random_state):
    n_rows = 200
    test = selection_sampling(n_rows, 66, random_state)
    others = [row for row in range(n_rows) if row not in test]
    splits = list(BiasVarianceSplit(4, random_state=random_state).split(np.zeros((n_rows, 1))))
    for number, (train, same_test) in enumerate(splits):
        assert same_test.tolist() == test
        chosen = selection_sampling(len(others), 66, random_state + number)
        assert train.tolist() == [others[position] for position in chosen]


@pytest.mark.parametrize("n_rows", [3, 4, 5, 6, 100, 101])
def test_parts_are_thirds_apart_from_each_other(n_rows):
    splits = list(BiasVarianceSplit(random_state=2).split(np.zeros((n_rows, 2))))
    assert len(splits) == BiasVarianceSplit().get_n_splits() == 10
    for train, test in splits:
        assert len(train) == len(test) == n_rows // 3
        assert not set(train) & set(test)
        assert (np.diff(train) > 0).all()
        np.testing.assert_array_equal(test, splits[0][1])


def test_training_parts_differ():
    parts = {tuple(train) for train, _ in BiasVarianceSplit().split(np.zeros((300, 1)))}
    assert len(parts) == 10


def test_too_few_rows_for_thirds():
    with pytest.raises(ValueError, match="2 rows are too few"):
        next(BiasVarianceSplit().split(np.zeros((2, 1))))


@pytest.mark.parametrize("n_splits", [1, 0, -3, 2.5, "10", None])
def test_number_of_samples_out_of_range(n_splits):
    with pytest.raises(ValueError, match="n_splits"):
        BiasVarianceSplit(n_splits)


@pytest.mark.parametrize("seed", [-1, 2**32 - 9, 0.5, None])
def test_seed_of_samples_out_of_range(seed):
    with pytest.raises(ValueError, match="random_state"):
        BiasVarianceSplit(random_state=seed)


def test_samples_work_where_scikit_learn_takes_a_splitter():
    y = np.arange(60) % 3
    X = np.zeros((60, 1))
    assert cross_val_score(DummyClassifier(), X, y, cv=BiasVarianceSplit(5)).shape == (5,)
    assert repr(BiasVarianceSplit(5)) == "BiasVarianceSplit(n_splits=5, random_state=0)"
    assert pickle.loads(pickle.dumps(BiasVarianceSplit(5, random_state=7))).random_state == 7
