"""scikit-learn's own checks over every public estimator, with no expected failure."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from repeatable import repeatable
from seminaive import TableEncoder, all_classifiers


@parametrize_with_checks([*(repeatable(name)() for name in all_classifiers()), TableEncoder()])
def test_scikit_learn_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", list(all_classifiers()))
def test_every_classifier_is_public(name):
    import seminaive

    assert getattr(seminaive, name) is all_classifiers()[name]
    assert name in seminaive.__all__
