"""
A table with gaps and mixed columns
===================================

Categorical and numeric columns, missing values and a category that training never saw: what a fitted
classifier says about its columns, and what the answers to missing values do. The table is generated.
"""

import warnings

import numpy as np
import pandas as pd

from seminaive import AODE

rng = np.random.default_rng(0)
n = 600
late = rng.random(n) < 0.3
income = np.where(late, rng.normal(2200, 500, n), rng.normal(3000, 700, n)).round(-1)
customers = pd.DataFrame(
    {
        "income": np.where(rng.random(n) < np.where(late, 0.4, 0.05), np.nan, income),
        "contract": rng.choice(["monthly", "yearly"], n),
        "reminders": rng.poisson(np.where(late, 2.0, 0.5)),
        "housing": np.where(rng.random(n) < 0.2, None, rng.choice(["rent", "own", "family"], n)),
        "pays": np.where(late, "late", "in time"),
    }
)
X, y = customers.drop(columns="pays"), customers["pays"]
print(X.head())
print(X.isna().sum().to_dict(), "missing of", n)

# %%
# Nothing needs to be encoded or imputed beforehand. By default a missing value is not observed: it counts
# nowhere and contributes nothing. ``schema_`` shows the intervals and values that were learned.

model = AODE().fit(X[:400], y[:400])
for attribute in model.schema_.attributes:
    print(f"{attribute.name:10} {attribute.kind:12} {attribute.labels}")

# %%
# New rows may have gaps anywhere and hold values never seen, such as *boat*, which count as missing and are
# reported by a warning. A row without any value gets the prior of the classes.

new = pd.DataFrame(
    {
        "income": [1900.0, np.nan, np.nan],
        "contract": ["monthly", "yearly", None],
        "reminders": [4, 0, np.nan],
        "housing": ["rent", "boat", None],
    }
)
with warnings.catch_warnings(record=True) as reported:
    warnings.simplefilter("always")
    probabilities = model.predict_proba(new)
print(reported[0].message)
print(pd.DataFrame(probabilities, columns=model.classes_).round(3))

# %%
# Late payers leave their income out more often in this table, so that its absence tells something.
# ``missing="value"`` makes use of that. The parameter can differ between kinds and between columns.

for missing in ("ignore", "value", {"income": "value"}):
    model = AODE(missing=missing).fit(X[:400], y[:400])
    truth = (model.classes_ == y[400:].to_numpy()[:, None]).astype(float)
    brier = ((model.predict_proba(X[400:]) - truth) ** 2).sum(axis=1).mean()
    print(f"missing={missing!s:22} Brier score on the other 200 rows {brier:.3f}")
