"""What a classifier looks at in general."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from seminaive.explain.explanation import Explanations
from seminaive.explain.views import as_frame, json_text
from seminaive.learn.information import conditional_mutual_information, family_information

__all__ = ["Arc", "AttributeOverview", "GlobalExplanation", "ValueOverview"]


@dataclass(frozen=True)
class Arc:
    """A dependency between attributes.

    Attributes
    ----------
    network : str
    parent, child : str
    share : float
        Of the networks, one for every row or many that are averaged, that have it; 1 in a network for all
        rows.
    strength : float
        I(child; parent | class) in bits.
    """

    network: str
    parent: str
    child: str
    share: float
    strength: float


@dataclass(frozen=True)
class ValueOverview:
    """What one value adds.

    Attributes
    ----------
    value : str
    n_rows : int
        Rows that have it.
    contributions : tuple of float
        For each class, in the order of ``classes_``: the mean contribution to the log-odds of the class
        against the most probable other one, over these rows; in nats.
    """

    value: str
    n_rows: int
    contributions: tuple[float, ...]


@dataclass(frozen=True)
class AttributeOverview:
    """What one attribute adds.

    Attributes
    ----------
    attribute : str
    importance : float
        Mean absolute contribution to the log-odds of the predicted class against its runner-up, in nats.
    information : float
        I(attribute; class) in bits, from the counts of training; of AveragedNetworks less its bias of first
        order, as it has many intervals.
    values : tuple of ValueOverview
        Of the values that some row has.
    """

    attribute: str
    importance: float
    information: float
    values: tuple[ValueOverview, ...]


@dataclass(frozen=True)
class GlobalExplanation:
    """Importance, structure and values of a classifier; made by ``explain_global``.

    Attributes
    ----------
    classes : list
        Class labels.
    n_rows : int
        Rows over which contributions were averaged.
    attributes : list of AttributeOverview
        Most important first.
    arcs : list of Arc
        Dependencies between attributes, most frequent and strongest first; empty for naive Bayes, and for
        one-dependence estimators, in which every attribute depends on every superparent.
    weights : dict of str to float
        Mean weight of every superparent; empty for other classifiers.
    """

    classes: list[Any]
    n_rows: int
    attributes: list[AttributeOverview]
    arcs: list[Arc]
    weights: dict[str, float]

    @classmethod
    def of(cls, model: Any, explanations: Explanations) -> GlobalExplanation:
        """Sum up explanations of a classifier."""
        codes, n_rows = explanations._codes, len(explanations)
        importance = np.abs(explanations.contributions).mean(axis=0)
        information = model._relevance()
        schema, n_classes = model.schema_, len(model.classes_)
        sums = [np.zeros((attribute.n_values + 1, n_classes)) for attribute in schema.attributes]
        for y in range(n_classes if n_classes > 1 else 0):
            _, contributions = explanations.split_between(explanations.against_best(y))
            for i, table in enumerate(sums):
                np.add.at(table[:, y], codes[i], contributions[:, i])
        overviews = []
        for i, attribute in enumerate(schema.attributes):
            numbers = np.bincount(codes[i], minlength=attribute.n_values + 1)
            values = tuple(
                ValueOverview(label, int(numbers[code]), tuple((sums[i][code] / numbers[code]).tolist()))
                for code, label in enumerate(attribute.labels)
                if numbers[code]
            )
            overviews.append(
                AttributeOverview(attribute.name, float(importance[i]), float(information[i]), values)
            )
        overviews.sort(key=lambda overview: -overview.importance)
        return cls(
            model.classes_.tolist(),
            n_rows,
            overviews,
            _arcs(model, model._arc_shares(codes)),
            model._mean_weights(codes),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values.

        Returns
        -------
        dict
        """
        return asdict(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """`to_dict` as JSON; infinite numbers become the strings "inf" and "-inf".

        Parameters
        ----------
        indent : int, default=None

        Returns
        -------
        str
        """
        return json_text(self.to_dict(), indent)

    def to_frame(self) -> Any:
        """Attributes as a table, most important first.

        Returns
        -------
        pandas.DataFrame, or pyarrow.Table where pandas is not installed
        """
        return as_frame(
            [
                {"attribute": one.attribute, "importance": one.importance, "information": one.information}
                for one in self.attributes
            ]
        )

    def values_to_frame(self) -> Any:
        """What each value adds for each class, as a table with one row for each of both.

        Returns
        -------
        pandas.DataFrame, or pyarrow.Table where pandas is not installed
        """
        return as_frame(
            [
                {
                    "attribute": one.attribute,
                    "value": value.value,
                    "n_rows": value.n_rows,
                    "class": label,
                    "contribution": contribution,
                }
                for one in self.attributes
                for value in one.values
                for label, contribution in zip(self.classes, value.contributions, strict=True)
            ]
        )

    def __str__(self) -> str:
        """Attributes and arcs as plain text."""
        width = max(len(one.attribute) for one in self.attributes)
        lines = [
            f"Mean absolute contribution over {self.n_rows:,} rows, and I(attribute; class) in bits",
            *(
                f"  {a.attribute:<{width}}  {a.importance:8.3f}  {a.information:6.3f}"
                for a in self.attributes
            ),
        ]
        for name in dict.fromkeys(arc.network for arc in self.arcs):
            lines.append(f"Arcs, {name}: share of networks, I(child; parent | class) in bits")
            lines += [
                f"  {arc.parent} -> {arc.child}  {arc.share:.3f}  {arc.strength:.3f}"
                for arc in self.arcs
                if arc.network == name
            ]
        if self.weights:
            lines.append("Mean weights of superparents")
            lines += [f"  {name:<{width}}  {weight:.3f}" for name, weight in self.weights.items()]
        return "\n".join(lines)


def _arcs(model: Any, shares: dict[str, np.ndarray]) -> list[Arc]:
    """Arcs with their strengths."""
    tables, names = model._tables, model.schema_.names
    found = [
        (network, int(child), int(parent), float(table[child, parent]))
        for network, table in shares.items()
        for child, parent in np.argwhere(table > 0)
    ]
    everything = model._arc_strengths()
    if everything is None and found and tables.has_pairs:
        everything = conditional_mutual_information(tables)
    arcs = [
        Arc(
            network,
            names[parent],
            names[child],
            share,
            family_information(tables, child, parent)
            if everything is None
            else float(everything[child, parent]),
        )
        for network, child, parent, share in found
    ]
    order = list(shares)
    return sorted(arcs, key=lambda arc: (order.index(arc.network), -arc.share, -arc.strength))
