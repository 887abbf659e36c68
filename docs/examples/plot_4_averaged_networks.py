"""
Averaged networks: probabilities that can be trusted
====================================================

`seminaive.AveragedNetworks` averages many random networks, weights what they say, and still tells what every
value adds. Here it learns whether a tumour is malignant, beside a random forest.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from seminaive import AveragedNetworks
from seminaive.evaluate.metrics import calibration_error

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target_names[data.target]

# %%
# Every row is predicted by a model that never saw it. ``random_state`` makes the random networks the same
# each time. ``AveragedNetworks.fast()`` would fit in a fraction of the time.

folds = StratifiedKFold(5, shuffle=True, random_state=0)
classifiers = {
    "AveragedNetworks": AveragedNetworks(random_state=0),
    "RandomForest(300)": RandomForestClassifier(300, random_state=0),
}
malignant = {}
for name, classifier in classifiers.items():
    probabilities = cross_val_predict(classifier, X, y, cv=folds, method="predict_proba")
    malignant[name] = probabilities[:, 1]
    wrong = (np.where(malignant[name] > 0.5, "malignant", "benign") != y).sum()
    print(f"{name:17} log loss {log_loss(y, probabilities):.4f}, {wrong} of {len(y)} predicted wrongly")

# %%
# Are the probabilities what they claim to be? Of the tumours that get 30 %, 30 % should be malignant: points
# on the diagonal. The lower picture says how many rows stand behind each point. AveragedNetworks leaves few
# between 0.1 and 0.9, so that its two points there say little; that it is right to be sure of the others is
# what its log loss shows. The forest's outer points lie to the inside of the diagonal: it hesitates where it
# need not. The calibration error is the mean distance, here of the predicted class.

is_malignant = y == "malignant"
figure, (curve, spread) = plt.subplots(2, 1, figsize=(6, 6.5), height_ratios=(3, 1), layout="constrained")
curve.plot([0, 1], [0, 1], color="0.8")
for name, predicted in malignant.items():
    share, mean = calibration_curve(is_malignant, predicted, n_bins=4)
    curve.plot(mean, share, "o-", label=name)
    spread.hist(predicted, bins=10, range=(0, 1), histtype="step", linewidth=1.5)
    between = ((predicted > 0.1) & (predicted < 0.9)).sum()
    error = calibration_error(y, np.column_stack([1 - predicted, predicted]), labels=["benign", "malignant"])
    print(f"{name:17} calibration error {error:.3f}, {between} rows between 0.1 and 0.9")
curve.set(xlabel="mean predicted probability of malignant", ylabel="share of malignant")
curve.legend()
spread.set(xlabel="predicted probability of malignant", ylabel="rows", yscale="log")
plt.show()

# %%
# ``feature_importances_`` are mean absolute contributions over the training rows. Attributes that repeat each
# other share theirs.

is_first = np.arange(len(y)) % 2 == 0
model = AveragedNetworks(random_state=0).fit(X[is_first], y[is_first])
largest = np.argsort(-model.feature_importances_)[:10]
figure, axis = plt.subplots(figsize=(6, 3.5), layout="constrained")
axis.barh(model.feature_names_in_[largest], model.feature_importances_[largest], color="0.5")
axis.invert_yaxis()
axis.set_xlabel("share of the contributions")
plt.show()

# %%
# One case that the model has not seen, the one it is least sure of. Prior and contributions add up to the
# log-odds exactly, although 24 networks stand behind them. ``to_html`` writes the same as a page for a
# browser.

others = X[~is_first]
hardest = int(model.predict_proba(others).max(axis=1).argmin())
why = model.explain(others.iloc[[hardest]])[0]
truth = y[~is_first][hardest]
print(f"{why.prediction} with probability {why.probabilities[why.prediction]:.2f}; truth: {truth}")
total = why.prior + sum(term.contribution for term in why.terms)
print(f"prior and contributions {total:.6f}, log-odds {why.log_odds:.6f}")
why.plot_waterfall(max_terms=8)
plt.show()
