"""Redundant dependencies replaced in each case's network: the paper on personalised KDB (2018)."""

from __future__ import annotations

from functools import partial
from typing import Any

from seminaive.classifiers.aode import AODE
from seminaive.classifiers.averaged_kdb import AveragedKDB
from seminaive.classifiers.kdb import KDB
from seminaive.classifiers.naive_bayes import NaiveBayes
from seminaive.classifiers.personalized_kdb import PersonalizedKDB
from seminaive.classifiers.tan import TAN
from seminaive.papers.paper import Claim, Erratum, Paper, PaperClassifier

__all__ = ["PAPER"]


def _svm() -> Any:
    """Support vectors with the paper's grid of C and gamma."""
    from seminaive.papers.support_vectors import GridSearchSVC

    return _on_indicators(GridSearchSVC())


def _random_forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return _on_indicators(RandomForestClassifier(n_estimators=20, random_state=0))


def _on_indicators(classifier: Any) -> Any:
    """The classifier on an indicator for each code."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    return make_pipeline(OneHotEncoder(handle_unknown="ignore", sparse_output=False), classifier)


_UNSEEN = "No printed number to compare it with; the other papers' columns of this name are exactly this."

PAPER = Paper(
    key="personalized-kdb",
    title="RDE: A novel approach to improve the classification performance and expressivity of KDB",
    reference=(
        "H. Lou, L. Wang, D. Duan, C. Yang and M. Mammadov, RDE: a novel approach to improve the "
        "classification performance and expressivity of KDB, PLoS ONE 13 (2018), e0199822"
    ),
    data_sets={
        "Dis": "dis",
        "Hypothyroid": "hypothyroid",
        "Breast-cancer-w": "breast-cancer-w",
        "Heart-disease-c": "heart-disease-c",
        "Breast-cancer": "breast-cancer",
        "Hepatitis": "hepatitis",
        "Lung-cancer": "lung-cancer",
        "Lymphography": "lymphography",
        "Sick": "sick",
    },
    classifiers=(
        PaperClassifier("NB", NaiveBayes, "near", _UNSEEN),
        PaperClassifier("TAN", TAN, "near", _UNSEEN),
        PaperClassifier("AODE", partial(AODE, conditional="ratio"), "near", _UNSEEN),
        PaperClassifier("KDB", partial(KDB, k=2), "near", _UNSEEN),
        PaperClassifier(
            "AKDB",
            partial(AveragedKDB, k=2, resolution=None),
            "near",
            "Without substitution and elimination.",
        ),
        PaperClassifier(
            "PKDB",
            partial(PersonalizedKDB, k=2),
            "reconstruction",
            "Formula 14 and the grid of its threshold are not known.",
        ),
        PaperClassifier(
            "LibSVM",
            _svm,
            "near",
            "scikit-learn's, at most 20,000 steps, on indicators of the codes; the folds of its grid search "
            "are not Weka's.",
            slow=True,
        ),
        PaperClassifier(
            "RF", _random_forest, "near", "scikit-learn's, 20 trees on indicators of the codes; not Weka's."
        ),
    ),
    tables=(),
    records=(),
    ranks=(),
    statistics={"friedman zero_one_loss": 15.32},
    compared=("NB", "TAN", "AODE", "KDB", "AKDB", "PKDB", "LibSVM", "RF"),
    claims=(
        Claim("PKDB", "AKDB", "zero_one_loss", "PersonalizedKDB makes fewer errors than AveragedKDB"),
        Claim("PKDB", "KDB", "zero_one_loss", "PersonalizedKDB makes fewer errors than KDB"),
        Claim("PKDB", "NB", "zero_one_loss", "PersonalizedKDB makes fewer errors than naive Bayes"),
        Claim("PKDB", "RF", "zero_one_loss", "PersonalizedKDB makes fewer errors than a random forest"),
        Claim("PKDB", "AKDB", "variance", "PersonalizedKDB has a lower variance than AveragedKDB"),
        Claim("PKDB", "AKDB", "auc", "PersonalizedKDB has a higher AUC than AveragedKDB"),
    ),
    errata=(
        Erratum(
            "Data",
            "Numbers are said to be cut by MDL using three intervals of equal frequency, which are two "
            "methods; ours is MDL.",
        ),
        Erratum("Results", "KDB with k = 2 on 25 attributes has 47 arcs, not 49, and TAN 24, not 28."),
        Erratum("Algorithm 4", "Candidates are all earlier attributes, not the parents only."),
        Erratum(
            "Section on local information", "The local mutual information is that of the value and the class."
        ),
    ),
    measures=("zero_one_loss", "bias", "variance", "auc"),
    notes=(
        "Table 4 is not at hand, so there is no printed value beside ours.",
        "Six data sets were used; the text names Dis, Hypothyroid, Breast-cancer-w and Heart-disease-c. "
        "The others here are medical sets of the same repository.",
        "Ten-fold cross-validation; the folds of the other papers were used, missing is a value of its own.",
        "AUC is not defined in the paper; ours is the mean over pairs of classes.",
    ),
)
