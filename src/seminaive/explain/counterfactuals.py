"""Which change of one value changes the predicted class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from seminaive.data.schema import Attribute
from seminaive.explain.views import as_frame, percent
from seminaive.learn.posterior import log_normalized

__all__ = ["Counterfactual", "Counterfactuals", "find_counterfactuals"]

_VARIANTS = 2**15  # rows that are predicted at a time


@dataclass(frozen=True)
class Counterfactual:
    """A change of one value that changes the predicted class.

    Attributes
    ----------
    attribute : str
    from_value : str or None
        The value of the row in the words of the model, an interval where the column is numeric; None where
        it is not observed.
    to_value : str
        The value instead.
    example : object
        A value of the table that is such: where the column is numeric the one in the interval that is
        nearest to that of the row. None where a discretizer from elsewhere does not tell.
    steps : int
        How many cut points lie between the two; 1 for a categorical column or a value not observed.
    prediction : object
        The class that is predicted then.
    probabilities : tuple of float
        P(class | changed row) in the order of ``classes_``.
    margin : float
        By how much the new class then exceeds the one that is predicted now, in probability.
    """

    attribute: str
    from_value: str | None
    to_value: str
    example: Any
    steps: int
    prediction: Any
    probabilities: tuple[float, ...]
    margin: float

    def __str__(self) -> str:
        """The change in words."""
        now = "not observed" if self.from_value is None else self.from_value
        return (
            f"{self.attribute}: {now} -> {self.to_value} gives {self.prediction} "
            f"(probability {percent(max(self.probabilities))})"
        )


class Counterfactuals:
    """All changes of one value that change the predicted class of one row, smallest first.

    The fewer cut points a change crosses the smaller it is; among equals, so among all changes of categorical
    columns, the one with the larger margin comes first, then that of the earlier column.

    Attributes
    ----------
    prediction : object
        The class that is predicted for the row as it is.
    """

    def __init__(self, prediction: Any, changes: list[Counterfactual]) -> None:
        self.prediction, self._changes = prediction, changes

    def __len__(self) -> int:
        return len(self._changes)

    def __iter__(self) -> Iterator[Counterfactual]:
        return iter(self._changes)

    def __getitem__(self, index: Any) -> Any:
        return self._changes[index]

    def smallest(self) -> Counterfactuals:
        """Those that are the smallest of their attribute to the same class.

        Returns
        -------
        Counterfactuals
            Without larger steps of a numeric column in the place of smaller ones that do.
        """
        least: dict[tuple[str, Any], int] = {}
        for change in self:
            least.setdefault((change.attribute, change.prediction), change.steps)
        kept = [c for c in self if c.steps == least[c.attribute, c.prediction]]
        return Counterfactuals(self.prediction, kept)

    def to_frame(self) -> Any:
        """The changes as a table, one row each.

        Returns
        -------
        pandas.DataFrame, or pyarrow.Table where pandas is not installed
        """
        records = [asdict(change) for change in self]
        for record in records:
            record["probabilities"] = list(record["probabilities"])
            record["example"] = None if record["example"] is None else str(record["example"])
        return as_frame(records)

    def __str__(self) -> str:
        """The smallest changes, one a line."""
        if not self:
            return f"No change of a single value changes the prediction {self.prediction}."
        smallest = self.smallest()
        lines = [f"Prediction {self.prediction} would change:", *(f"  {change}" for change in smallest)]
        larger = len(self) - len(smallest)
        return "\n".join(lines + [f"  and {larger} larger change{'s' * (larger > 1)}"] * (larger > 0))

    def __repr__(self) -> str:
        return f"<Counterfactuals: {len(self)} changes of a prediction of {self.prediction!r}>"


def find_counterfactuals(model: Any, codes: np.ndarray) -> list[Counterfactuals]:
    """See ``counterfactuals`` of a classifier; ``codes`` (n_attributes, n_rows) are those of the rows."""
    schema = model.schema_
    # every value of every attribute; that a value should be missing is no change that can be made
    slots = [
        (i, code)
        for i, attribute in enumerate(schema.attributes)
        for code in range(attribute.n_values - attribute.has_missing_value)
    ]
    attributes, values = np.array(slots, dtype=np.int64).reshape(-1, 2).T
    found = []
    step = max(1, _VARIANTS // max(1, len(slots)))
    for start in range(0, codes.shape[1], step):
        block = codes[:, start : start + step]
        now = _predicted(model, np.ascontiguousarray(block))[0]
        variants = np.repeat(block, len(slots), axis=1)
        places = np.arange(variants.shape[1])
        variants[np.tile(attributes, block.shape[1]), places] = np.tile(values, block.shape[1])
        then, probabilities = _predicted(model, variants)
        flips = np.flatnonzero(then != np.repeat(now, len(slots)))
        changes: list[list[tuple[Any, Counterfactual]]] = [[] for _ in now]
        for place in flips.tolist():
            row, slot = divmod(place, len(slots))
            i, code, before = int(attributes[slot]), int(values[slot]), int(block[attributes[slot], row])
            classes = int(now[row]), int(then[place])
            change = _change(model, schema[i], before, code, classes, probabilities[place])
            changes[row].append(((change.steps, -change.margin, i, code), change))
        for prediction, of_row in zip(model.classes_[now].tolist(), changes, strict=True):
            in_order = [change for _, change in sorted(of_row, key=lambda pair: pair[0])]
            found.append(Counterfactuals(prediction, in_order))
    return found


def _predicted(model: Any, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Predicted classes and probabilities."""
    probabilities = np.exp(log_normalized(model._log_joint(codes), model._log_prior, warn=False))
    return probabilities.argmax(axis=1), probabilities


def _change(
    model: Any,
    attribute: Attribute,
    before: int,
    code: int,
    classes: tuple[int, int],
    probabilities: np.ndarray,
) -> Counterfactual:
    now, then = classes
    labels, is_observed = attribute.labels, before < attribute.n_values
    is_interval = attribute.cut_points is not None and before < len(attribute.cut_points) + 1
    return Counterfactual(
        attribute.name,
        labels[before] if is_observed else None,
        labels[code],
        _example(attribute, before, code),
        abs(before - code) if is_interval and is_observed else 1,
        model.classes_[[then]].tolist()[0],
        tuple(probabilities.tolist()),
        float(probabilities[then] - probabilities[now]),
    )


def _example(attribute: Attribute, before: int, code: int) -> Any:
    """A value with this code, nearest to those of the code ``before``."""
    cuts = attribute.cut_points
    if cuts is None:
        return attribute.values[code] if attribute.kind == "categorical" else None
    if code == len(cuts) or before < code:
        return float(np.nextafter(cuts[code - 1], np.inf))
    return float(cuts[code])
