"""
Comparing classifiers by cross-validation
=========================================

Which classifier suits a table? `seminaive.evaluate.compare.compare` runs all of them on the same folds and
keeps every loss of every fold. Other classifiers of scikit-learn can take part.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

from seminaive import AODE, KDB, TAN, NaiveBayes
from seminaive.evaluate.compare import compare

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
classifiers = {
    "NaiveBayes": NaiveBayes(),
    "TAN": TAN(),
    "KDB(k=1)": KDB(k=1),
    "KDB(k=2)": KDB(k=2),
    "AODE": AODE(),
    "GaussianNB": GaussianNB(),
}
result = compare(classifiers, X, y, cv=10)

# %%
# Zero-one loss looks at the predicted class only, log loss and the Brier score at the probabilities. The
# intervals of the numeric columns are learned anew in every fold.

losses = {"zero_one_loss": "zero-one loss", "log_loss": "log loss", "brier_score": "Brier score"}
for name, measures in result.summary().items():
    print(f"{name:12}", *(f"{label} {measures[loss].mean:.4f}  " for loss, label in losses.items()))
print("smallest Brier score:", result.best("brier_score"))

# %%
# The spread over the folds belongs to the comparison: differences much smaller than it say little.

table = result.to_pandas()
figure, axes = plt.subplots(1, len(losses), figsize=(10, 3.2), sharey=True, layout="constrained")
for axis, (loss, label) in zip(axes, losses.items(), strict=True):
    for row, name in enumerate(classifiers):
        values = table.loc[table["classifier"] == name, loss]
        axis.plot(values, [row] * len(values), "o", color="0.7", markersize=4)
        axis.plot(values.mean(), row, "|", color="black", markersize=16, markeredgewidth=2)
    axis.set_xlabel(label)
axes[0].set_yticks(range(len(classifiers)), classifiers)
axes[0].invert_yaxis()
plt.show()
