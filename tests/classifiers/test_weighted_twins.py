"""The weighted AODEs equal their slow twins on small random tables: weights and probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_tables import Case, as_twin_options, cases, class_priors, examples, smoothings
from sklearn.base import clone
from test_naive_twins import LAYOUTS, SOURCES, fitted

from seminaive import AVWAODE, AWODE, IBWAODE, IWAODE, TAODE, WAODE
from seminaive.testing import naive

pytestmark = pytest.mark.filterwarnings(
    "ignore::seminaive.UnseenValueWarning", "ignore::seminaive.ImpossibleEvidenceWarning"
)


@dataclass(frozen=True)
class Kind:
    """A classifier with its own parameters, and the twin of its weight function."""

    estimator: Any
    weights: Callable[..., list[float]]
    own: dict[str, Any] = field(default_factory=dict)
    smoothed: bool = False  # whether the smoothing rule enters the weights
    negative: str = "clip"

    def weights_of(self, case: Case, row: list[int | None], twin: dict[str, Any]) -> list[float]:
        """What the weight function gives for a row."""
        smoothing = {name: twin[name] for name in ("smoothing", "strength")} if self.smoothed else {}
        return self.weights(case.table, row, **self.own, **smoothing)


KINDS = {
    "WAODE": Kind(WAODE(), naive.waode_weights),
    "AVWAODE-kl": Kind(AVWAODE(), naive.avwaode_weights),
    "AVWAODE-ig": Kind(AVWAODE("ig"), naive.avwaode_weights, {"measure": "ig"}),
    "TAODE": Kind(TAODE(), naive.taode_weights),
    "IWAODE": Kind(IWAODE(), naive.iwaode_weights, smoothed=True),
    "IBWAODE": Kind(IBWAODE(), naive.ibwaode_weights, smoothed=True),
    "AWODE": Kind(AWODE(), naive.awode_weights, smoothed=True),
    "AWODE-keep": Kind(AWODE(negative="keep"), naive.awode_weights, smoothed=True, negative="keep"),
    "AWODE-reversed": Kind(
        AWODE(orientation="reversed"), naive.awode_weights, {"orientation": "reversed"}, smoothed=True
    ),
    "AWODE-reversed-keep": Kind(
        AWODE(orientation="reversed", negative="keep"),
        naive.awode_weights,
        {"orientation": "reversed"},
        smoothed=True,
        negative="keep",
    ),
}
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


def options_of(data: st.DataObject, case: Case) -> dict[str, Any]:
    return {
        **data.draw(smoothings()),
        "class_prior": data.draw(class_priors(len(case.classes))),
        "frequency_limit": data.draw(st.sampled_from([0, 1, 2, 4, 30])),
        "conditional": data.draw(st.sampled_from(["direct", "ratio"])),
    }


def assert_equals_twin(kind: Kind, case: Case, model: Any, X_test: Any, options: dict[str, Any]) -> None:
    """Weights, joint and posterior probabilities are the twin's."""
    twin = as_twin_options(options)
    limit = twin.pop("frequency_limit")
    weights = [
        naive.usable_weights(
            kind.weights_of(case, row, twin), naive.superparents(case.table, row, limit), kind.negative
        )
        for row in case.test_rows
    ]
    np.testing.assert_allclose(np.asarray(model.superparent_weights(X_test)), weights, rtol=0, atol=1e-10)

    joints = np.exp(model.joint_log_likelihood(X_test))
    posteriors = model.predict_proba(X_test)
    prior = naive.class_prior(case.table, twin["prior"], twin["smoothing"], twin["strength"])
    for r, (row, row_weights) in enumerate(zip(case.test_rows, weights, strict=True)):
        joint = naive.weighted_aode_joint(case.table, row, row_weights, **twin)
        # estimators may cancel, which rounding cannot survive to the last digit
        scale = naive.weighted_aode_joint(case.table, row, np.abs(row_weights).tolist(), **twin)
        if min(row_weights) < 0 and not any(joint):
            np.testing.assert_allclose(posteriors[r], 1 / len(joint), rtol=0, atol=1e-10)
        elif min(row_weights) >= 0 or sum(joint) > 1e-3 * max(scale):
            np.testing.assert_allclose(joints[r], joint, rtol=0, atol=1e-10 * max(scale))
            np.testing.assert_allclose(posteriors[r], naive.posterior(joint, prior), rtol=0, atol=1e-10)


@every_kind
@examples(60)
@given(case=cases(), source=SOURCES, layout=LAYOUTS, data=st.data())
def test_weights_and_probabilities(kind, case, source, layout, data):
    options = options_of(data, case)
    model, X_test, _ = fitted(clone(kind.estimator).set_params(**options), case, source, layout)
    assert_equals_twin(kind, case, model, X_test, options)
