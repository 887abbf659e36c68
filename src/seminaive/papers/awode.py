"""Model weighting for AODE by multivariate mutual information: the paper on AWODE (2021)."""

from __future__ import annotations

from functools import partial

from seminaive.classifiers.aode import AODE
from seminaive.classifiers.avwaode import AVWAODE
from seminaive.classifiers.awode import AWODE
from seminaive.classifiers.ibwaode import IBWAODE
from seminaive.classifiers.iwaode import IWAODE
from seminaive.classifiers.kdb import KDB
from seminaive.classifiers.naive_bayes import NaiveBayes
from seminaive.classifiers.tan import TAN
from seminaive.classifiers.taode import TAODE
from seminaive.classifiers.waode import WAODE
from seminaive.papers.paper import (
    Claim,
    Erratum,
    Paper,
    PaperClassifier,
    PublishedRecords,
    PublishedTable,
)

__all__ = ["PAPER"]

_LABOR = (
    "Another copy of Labor-negotiations, in an order of rows that is not known; ours is the same for both."
)

PAPER = Paper(
    key="awode",
    title="Alleviating the independence assumptions of averaged one-dependence estimators by model weighting",
    reference=(
        "L.-M. Wang, P. Chen, M. Mammadov, Y. Liu and S.-Y. Wu, Alleviating the independence assumptions "
        "of averaged one-dependence estimators by model weighting, Intelligent Data Analysis 25 (2021)"
    ),
    data_sets={
        "Labor": "labor",
        "Labor-negotiations": "labor",
        "Zoo": "zoo",
        "Promoters": "promoters",
        "Echocardiogram": "echocardiogram",
        "Lymphography": "lymphography",
        "Iris": "iris",
        "Teaching-ae": "teaching-ae",
        "Hepatitis": "hepatitis",
        "Wine": "wine",
        "Glass-id": "glass-3",
        "Soybean-large": "soybean-large",
        "Ionosphere": "ionosphere",
        "Cylinder-bands": "cylinder-bands",
        "Balance-scale": "balance-scale",
        "Soybean": "soybean",
        "Breast-cancer-w": "breast-cancer-w",
        "Vehicle": "vehicle",
        "Anneal": "anneal",
        "Tic-tac-toe": "tic-tac-toe",
        "Vowel": "vowel",
        "Splice-c4.5": "splice-c4.5",
        "Kr-vs-kp": "kr-vs-kp",
        "Dis": "dis",
        "Hypo": "hypo",
        "Abalone": "abalone",
        "Waveform-5000": "waveform-5000",
        "Optdigits": "optdigits",
        "Satellite": "satellite",
        "Mushrooms": "mushroom",
        "Thyroid": "thyroid",
        "Pendigits": "pendigits",
        "Seer_mdl": "seer-mdl",
        "Magic": "magic",
        "Letter-recog": "letter-recog",
        "Shuttle": "shuttle",
        "Waveform": "waveform",
        "Localization": "localization",
        "Covtype": "covtype",
        "Poker-hand": "poker-hand",
    },
    classifiers=(
        PaperClassifier("NB", NaiveBayes, "exact"),
        PaperClassifier("TAN", TAN, "exact"),
        PaperClassifier("KDB", partial(KDB, k=2), "exact"),
        PaperClassifier("AODE", partial(AODE, conditional="ratio"), "exact"),
        PaperClassifier("WAODE-MI", partial(WAODE, conditional="ratio"), "exact"),
        PaperClassifier("AVWAODE-KL", partial(AVWAODE, "kl", conditional="ratio"), "exact"),
        PaperClassifier(
            "TAODE",
            partial(TAODE, conditional="ratio"),
            "exact",
            "The weight was found by search, guided by four data sets; all others confirm it.",
        ),
        PaperClassifier(
            "IWAODE",
            partial(IWAODE, conditional="ratio"),
            "near",
            "No known formula gives this column; this one meets about half of its error counts.",
        ),
        PaperClassifier(
            "IBWAODE",
            partial(IBWAODE, conditional="direct"),
            "exact",
            "The authors' program for this column bears the name IWAODE; the labels may be exchanged.",
        ),
        PaperClassifier(
            "AWODE",
            partial(AWODE, conditional="ratio"),
            "reconstruction",
            "The printed formula, negative weights counted as 0, meets few of its error counts.",
        ),
    ),
    tables=(
        PublishedTable("awode_zero_one_loss.csv", "Table A1. 0-1 loss", "zero_one_loss", 4),
        PublishedTable("awode_bias.csv", "Table A2. Bias", "bias", 4),
        PublishedTable("awode_variance.csv", "Table A3. Variance", "variance", 4),
        PublishedTable("awode_mcc.csv", "Table A4. MCC", "mcc", 4),
    ),
    records=(
        PublishedRecords(
            "awode_wdl_zero_one_loss.csv", "Table 3. W/D/L of 0-1 loss on all data sets", "zero_one_loss"
        ),
        PublishedRecords("awode_wdl_bias.csv", "Table 4. W/D/L of bias on all data sets", "bias"),
        PublishedRecords("awode_wdl_variance.csv", "Table 5. W/D/L of variance on all data sets", "variance"),
        PublishedRecords("awode_wdl_mcc.csv", "Table 6. W/D/L of MCC on all data sets", "mcc"),
    ),
    ranks=(),
    statistics={},
    compared=(
        "NB",
        "TAN",
        "KDB",
        "AODE",
        "WAODE-MI",
        "AVWAODE-KL",
        "TAODE",
        "IWAODE",
        "IBWAODE",
        "AWODE",
    ),
    claims=(
        Claim("AWODE", "AODE", "zero_one_loss", "AWODE makes fewer errors than AODE"),
        Claim("AWODE", "AODE", "bias", "AWODE has a lower bias than AODE"),
        Claim("AODE", "AWODE", "variance", "AODE has a lower variance than AWODE"),
        Claim("AWODE", "IWAODE", "zero_one_loss", "AWODE makes fewer errors than IWAODE"),
        Claim("AWODE", "KDB", "zero_one_loss", "AWODE makes fewer errors than KDB"),
        Claim("AWODE", "AODE", "mcc", "AWODE has a higher MCC than AODE"),
    ),
    errata=(
        Erratum(
            "Section 4 and Table A1",
            "The text speaks of ten rounds of ten-fold cross-validation; every loss of the small data "
            "sets is a multiple of 1/N, and a single round gives it.",
            "awode_zero_one_loss.csv",
        ),
        Erratum(
            "Section 4",
            "The text has missing numbers replaced by the mean; what was run counts missing as a value of "
            "its own, of numbers too.",
        ),
        Erratum(
            "Tables 3 to 6",
            "The records are said to be of one-tailed binomial sign tests. They count, on point "
            "estimates, where one value is better by more than 5 %.",
        ),
        Erratum("Table A1, Labor", _LABOR, "awode_zero_one_loss.csv", "Labor"),
        Erratum("Table A2, Labor", _LABOR, "awode_bias.csv", "Labor"),
        Erratum("Table A3, Labor", _LABOR, "awode_variance.csv", "Labor"),
        Erratum("Table A4, Labor", _LABOR, "awode_mcc.csv", "Labor"),
        Erratum(
            "Table A2, Promoters",
            "Bias of 0.40 to 0.55 of most averaged estimators, whose loss is 0.13, is probably an "
            "underflow of their products.",
            "awode_bias.csv",
            "Promoters",
        ),
        Erratum(
            "Table A2, Iris",
            "All cells differ by about 0.004 from what the exact losses of Table A1 suggest: perhaps "
            "another copy of Iris.",
            "awode_bias.csv",
            "Iris",
        ),
        Erratum("Table A3, Iris", "As in Table A2.", "awode_variance.csv", "Iris"),
        Erratum(
            "Table A4, Promoters, AWODE",
            "0.9813 is impossible with the loss of Table A1, 16 of 106 rows: about 0.70.",
            "awode_mcc.csv",
            "Promoters",
            "AWODE",
        ),
        Erratum(
            "Table A1, Waveform",
            "Losses of about 0.02 are far below what is possible with the documented noise.",
            "awode_zero_one_loss.csv",
            "Waveform",
        ),
        Erratum(
            "Equations 17 and 18, column AWODE",
            "The column does not come from the printed formula, which has negative weights, of which the "
            "paper says nothing.",
        ),
        Erratum("Section 4.1", "The classes are said to number up to 50; Table 2 has at most 26."),
        Erratum(
            "Section 4.1",
            "AWODE is called the best; by the means of Table A1, IWAODE (0.1330) and WAODE-MI (0.1355) are "
            "better than AWODE (0.1364), through Poker-hand.",
        ),
    ),
    measures=("zero_one_loss", "bias", "variance", "mcc"),
    notes=(
        "One ten-fold cross-validation, folds drawn row by row in file order with seed 0, numbers cut by "
        "MDL in each training part, missing a value of its own, m-estimate with m = 1.",
        "Bias and variance: ten training samples of a third of the rows, one test part of another third.",
        "One-dependence estimators smooth their conditionals as ratios of joint probabilities, but IBWAODE.",
    ),
    sizes_file="awode_datasets.csv",
)
