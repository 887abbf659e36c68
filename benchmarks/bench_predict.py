"""predict_proba on codes: NB against CategoricalNB, AODE against Weka, NB and TAN against pyAgrum."""

from __future__ import annotations

from functools import partial

from sklearn.naive_bayes import CategoricalNB

from benchmarks.harness import Report, alternate
from benchmarks.peers import LIKE_WEKA, beside_weka, pyagrum_classifier
from benchmarks.tasks import MOST_FOR_TRIPLES, selected
from seminaive import AODE, HNB, KDB, TAN, AnDE, NaiveBayes

_ROWS = 20_000  # predicted by AODE and its peer
_PYAGRUM_ROWS, _PYAGRUM_CELLS = 200, 1_000_000  # it predicts row by row, and needs a fit first


def run(report: Report) -> None:
    report.layer("predict")
    naive: dict[str, float] = {}
    one_thread: dict[str, float] = {}
    two_threads: dict[str, float] = {}
    for task in selected(report.quick):
        X, y = task.make()
        few = X[:_ROWS]
        options = {"categorical_features": "all"}
        ours = NaiveBayes(**options).fit(X, y)
        peer = CategoricalNB().fit(X, y)
        functions = {"ours": partial(ours.predict_proba, X), "CategoricalNB": partial(peer.predict_proba, X)}
        ratios = report.seconds(task, "NaiveBayes, all rows", alternate(functions))
        if task.n_rows >= 10_000:
            naive[task.name] = ratios["CategoricalNB"]

        for name, weka_options in LIKE_WEKA.items():
            model = AODE(**weka_options, **options).fit(X, y)
            for n_jobs, collected in ((1, one_thread), (2, two_threads)):
                model.set_params(n_jobs=n_jobs)
                what = f"{name}, {len(few):,} rows, n_jobs={n_jobs}"
                ratio, result = beside_weka(
                    report,
                    task,
                    name,
                    what,
                    partial(model.predict_proba, few),
                    n_test=len(few),
                    key="predict",
                )
                if ratio and name == "AODE":
                    collected[task.name] = ratio
            if result.get("mean_first_class") is not None:
                mean = float(model.predict_proba(few)[:, 0].mean())
                difference = abs(mean - result["mean_first_class"])
                if difference > 1e-9:
                    report.note(
                        f"{name} and Weka's differ on {task.name}: mean P(first class) by {difference:.1e}"
                    )

        for name, classifier in (("NaiveBayes", NaiveBayes), ("TAN", TAN)):
            make = pyagrum_classifier(report, name, max(task.n_values))
            if make and task.n_rows * task.n_attributes <= _PYAGRUM_CELLS:
                rows = X[:_PYAGRUM_ROWS]
                functions = {
                    "ours": partial(classifier(**options).fit(X, y).predict_proba, rows),
                    "pyAgrum": partial(make().fit(X, y).predict_proba, rows),
                }
                report.seconds(task, f"{name}, {len(rows)} rows", alternate(functions, budget=1.0))
        others = {"TAN": TAN(**options), "KDB(k=2)": KDB(**options), "HNB": HNB(**options)}
        if task.n_attributes <= MOST_FOR_TRIPLES:
            others["AnDE(n=2)"] = AnDE(**options)
        for name, model in others.items():
            seconds = alternate({"ours": partial(model.fit(X, y).predict_proba, few)})
            report.seconds(task, f"{name}, {len(few):,} rows", seconds)

    report.ratio_goal("NB predict_proba / CategoricalNB, coded input, >= 10,000 rows", 1, naive)
    report.ratio_goal("AODE predict_proba (n_jobs=1) / Weka, one thread", 5, one_thread)
    report.ratio_goal("AODE predict_proba (n_jobs=2) / Weka, one thread", 8, two_threads)
