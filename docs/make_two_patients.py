"""Draw the pictures of ``two_patients.rst``:  python docs/make_two_patients.py hypothyroid.data

The file is ``hypothyroid.data`` of the Thyroid Disease data in the UCI Machine Learning Repository, or the
same rows as CSV with a header. It also prints the probabilities that the page quotes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib
import pandas as pd

from seminaive import KDB, AveragedKDB, LocalKDB, OptimizedKDB, PersonalizedKDB

COLUMNS = [
    *("class", "age", "sex", "on_thyroxine", "query_on_thyroxine", "on_antithyroid_medication"),
    *("thyroid_surgery", "query_hypothyroid", "query_hyperthyroid", "pregnant", "sick", "tumor", "lithium"),
    *("goitre", "TSH_measured", "TSH", "T3_measured", "T3", "TT4_measured", "TT4", "T4U_measured", "T4U"),
    *("FTI_measured", "FTI", "TBG_measured", "TBG"),
]
PATIENTS = {  # how a patient is found, and the attributes whose parents are drawn
    "first": ({"TSH": 43, "FTI": 47, "TT4": 59}, ["sick", "query_hyperthyroid", "tumor"]),
    "second": ({"TSH": 9.7, "T3": 0.5}, ["on_thyroxine", "T4U_measured", "FTI_measured"]),
}
CLASSIFIERS = (KDB, LocalKDB, AveragedKDB, OptimizedKDB, PersonalizedKDB)


def read(path: Path) -> pd.DataFrame:
    """The table of all patients."""
    if path.suffix == ".data":
        return pd.read_csv(path, names=COLUMNS, na_values="?")
    return pd.read_csv(path)


def without(table: pd.DataFrame, patient: str) -> tuple[pd.DataFrame, pd.DataFrame, pd.Series]:
    """The patient, and the other patients with their classes."""
    values, _ = PATIENTS[patient]
    chosen = (table[list(values)] == pd.Series(values)).all(axis=1)
    others = table[~chosen]
    return table[chosen].drop(columns="class"), others.drop(columns="class"), others["class"]


def main(source: str, images: str = str(Path(__file__).with_name("images"))) -> None:
    """Draw and print everything."""
    matplotlib.use("agg")
    # text stays text, and the same picture is the same file
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "two patients"})
    table = read(Path(source))
    for patient, (_, attributes) in PATIENTS.items():
        case, X, y = without(table, patient)
        for classifier in CLASSIFIERS:
            why = classifier().fit(X, y).explain(case)[0]
            print(
                f"{patient:7} {classifier.__name__:16}P(hypothyroid) {why.probabilities['hypothyroid']:.3f}"
            )
        figures = {
            "contributions": why.plot_waterfall(max_terms=8).figure,
            "networks": why.plot_networks(attributes)[0].figure,
        }
        for what, figure in figures.items():
            figure.savefig(Path(images) / f"{patient}_patient_{what}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(*sys.argv[1:])
