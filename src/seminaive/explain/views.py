"""Explanations as plain values, tables and text."""

from __future__ import annotations

import html
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

__all__ = ["as_dict", "as_frame", "as_html", "as_text", "json_text", "json_values", "rich_view", "term_rows"]

_WIDTH = 100
_WHY_NOT = {
    "missing": "missing",
    "unseen": "never seen in training",
    "implied": "implied by another value",
    "left out": "not selected by the model",
}


def as_dict(explanation: Any) -> dict[str, Any]:
    """See `Explanation.to_dict`."""
    return {
        "classes": explanation.classes,
        "prediction": explanation.prediction,
        "runner_up": explanation.runner_up,
        "probabilities": [list(pair) for pair in explanation.probabilities.items()],
        "of": explanation.of,
        "against": explanation.against,
        "log_odds": explanation.log_odds,
        "prior": explanation.prior,
        "is_impossible": explanation.is_impossible,
        "terms": [asdict(term) for term in explanation.terms],
        "members": [asdict(member) for member in explanation.members],
        "changes": explanation.changes,
    }


def json_text(values: Any, indent: int | None) -> str:
    """JSON of plain values."""
    return json.dumps(json_values(values), indent=indent, allow_nan=False, ensure_ascii=False)


def json_values(value: Any) -> Any:
    """The same with nothing that JSON lacks: numbers that are not finite and other objects become strings."""
    if isinstance(value, Mapping):
        return {str(key): json_values(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [json_values(part) for part in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if value is None or isinstance(value, str | int) else str(value)


def term_rows(explanation: Any) -> list[dict[str, Any]]:
    """The prior and the terms as records."""
    rows = [
        {
            "attribute": term.attribute,
            "value": term.value,
            "given": None if term.given is None else str(term.given),
            "contribution": term.contribution,
            "status": term.status,
        }
        for term in explanation.terms
    ]
    prior = {"attribute": "(prior)", "value": None, "given": None, "contribution": explanation.prior}
    return [{**prior, "status": "used"}, *rows]


def as_frame(rows: list[dict[str, Any]]) -> Any:
    """Records as a data frame."""
    try:
        import pandas

        return pandas.DataFrame(rows)
    except ImportError:
        import pyarrow

        return pyarrow.Table.from_pylist(rows)


def shown_value(term: Any) -> str:
    """A value as it stands in the table, with the interval or imputed value that the model makes of it."""
    if term.status == "imputed":
        return f"missing, taken as {term.value}"
    if term.given is None or isinstance(term.given, str):
        return str(term.value if term.given is None else term.given)
    given = f"{term.given:.6g}" if isinstance(term.given, float) else str(term.given)
    return given if term.value in (given, str(term.given), None) else f"{given} in {term.value}"


def _named(term: Any) -> str:
    return f"{term.attribute} = {shown_value(term)}"


def signed(number: float) -> str:
    """A contribution with its sign."""
    return f"{number:+.3f}".replace("-0.000", "+0.000")


def percent(probability: float) -> str:
    """A probability."""
    is_plain = 1e-4 <= probability <= 0.9999 or probability in (0, 1)
    return (
        f"{probability:.4f}"
        if is_plain
        else f"{probability:.6g}"
        if probability > 0.5
        else f"{probability:.2g}"
    )


def summary_lines(explanation: Any) -> list[str]:
    """What is said before the table of the terms."""
    probabilities = explanation.probabilities
    largest = sorted(probabilities, key=lambda label: -probabilities[label])
    shown = largest[:6]
    listed = ", ".join(f"{label} {percent(probabilities[label])}" for label in shown)
    more = f" and {len(largest) - len(shown)} more" if len(largest) > len(shown) else ""
    lines = [f"Prediction: {explanation.prediction} ({listed}{more})"]
    if explanation.is_impossible:
        lines.append("Every class is impossible for this row; the prior is what is predicted.")
    return lines


def unused(explanation: Any) -> dict[str, list[str]]:
    """Attributes that add nothing, by reason."""
    found: dict[str, list[str]] = {}
    for term in explanation.terms:
        if term.status in _WHY_NOT:
            found.setdefault(_WHY_NOT[term.status], []).append(term.attribute)
    return found


def _averaged(explanation: Any) -> Sequence[Any]:
    """Members of an average, heaviest first; none for a single network."""
    members = sorted(explanation.members, key=lambda member: -abs(member.weight))
    return members if len(members) > 1 else []


def rich_view(explanation: Any, most: int = 20) -> Any:
    """A group of tables for a terminal."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    def table(*headers: str) -> Table:
        made = Table(box=box.SIMPLE_HEAD, padding=(0, 1), show_edge=False)
        for column, header in enumerate(headers):
            made.add_column(Text(header), justify="left" if column == 0 else "right", overflow="fold")
        return made

    parts: list[Any] = [Text(line) for line in summary_lines(explanation)]
    terms = explanation.sorted_terms()
    of_terms = table("value", f"for {explanation.of}, against {explanation.against}")
    of_terms.add_row(Text("(prior)"), signed(explanation.prior))
    for term in terms[:most]:
        style = "green" if term.contribution > 0 else "red" if term.contribution < 0 else ""
        of_terms.add_row(Text(_named(term)), Text(signed(term.contribution), style))
    if len(terms) > most:
        rest = sum(term.contribution for term in terms[most:])
        of_terms.add_row(Text(f"({len(terms) - most} smaller ones)"), signed(rest))
    of_terms.add_row(Text("log-odds", "bold"), Text(signed(explanation.log_odds), "bold"))
    parts += [Text(), of_terms]
    for reason, names in unused(explanation).items():
        parts.append(Text(f"Adds nothing, {reason}: {', '.join(names)}"))
    averaged = _averaged(explanation)
    if averaged:
        of_members = table("averaged", "weight", f"P({explanation.of})", "log-odds")
        position = explanation.classes.index(explanation.of)
        for member in averaged[:most]:
            of_members.add_row(
                Text(member.name),
                f"{member.weight:.3f}",
                percent(member.posteriors[position]),
                signed(member.log_odds),
            )
        if len(averaged) > most:
            of_members.add_row(Text(f"({len(averaged) - most} lighter ones)"))
        parts += [Text(), of_members]
    if explanation.changes:
        parts += [Text(), *(Text(sentence) for sentence in explanation.changes)]
    return Group(*parts)


def as_text(explanation: Any) -> str:
    """The same without colours."""
    from rich.console import Console

    buffer = io.StringIO()
    Console(file=buffer, width=_WIDTH, no_color=True, highlight=False).print(rich_view(explanation))
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())


def as_html(explanation: Any) -> str:
    """A plain table for notebooks; all text is escaped."""
    lines = "".join(f"<p>{html.escape(line)}</p>" for line in summary_lines(explanation))
    cells = [("(prior)", explanation.prior)]
    cells += [(_named(term), term.contribution) for term in explanation.sorted_terms()]
    cells.append(("log-odds", explanation.log_odds))
    rows = "".join(
        f'<tr><td style="text-align: left">{html.escape(name)}</td><td>{signed(number)}</td></tr>'
        for name, number in cells
    )
    header = html.escape(f"for {explanation.of}, against {explanation.against}")
    notes = "".join(
        f"<p>{html.escape(f'Adds nothing, {reason}: ' + ', '.join(names))}</p>"
        for reason, names in unused(explanation).items()
    )
    changes = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in explanation.changes)
    listed = f"<ul>{changes}</ul>" if changes else ""
    return (
        f"<div>{lines}<table><thead><tr><th>value</th><th>{header}</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>{notes}{listed}</div>"
    )
