"""A small table of results, written as text, Markdown, LaTeX or CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["TextTable", "Views"]

Cell = str | int | float | None
"""None is a cell that has no meaning, NaN a value that is missing."""

_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


class Views:
    """What every result has: its tables in four notations, ``str()`` giving the text."""

    def tables(self) -> list[TextTable]:
        """The tables of the result, in reading order."""
        raise NotImplementedError

    def to_text(self) -> str:
        """Return aligned columns for a terminal."""
        return "\n\n".join(table.to_text() for table in self.tables())

    def to_markdown(self) -> str:
        """Return pipe tables."""
        return "\n\n".join(table.to_markdown() for table in self.tables())

    def to_latex(self) -> str:
        """Return ``table`` environments; they need the package booktabs."""
        return "\n\n".join(table.to_latex() for table in self.tables())

    def to_csv(self) -> str:
        """Return comma-separated values with every digit.

        One table is nothing but its header and rows, which any program reads. Several are separated by
        empty lines, each under a line with its title.
        """
        tables = self.tables()
        if len(tables) == 1:
            return tables[0].to_csv()
        return "\n".join(_csv([[table.title]]) + table.to_csv() for table in tables)

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class TextTable(Views):
    """A table with a title and notes.

    Parameters
    ----------
    title : str
        One line above the table.
    columns : sequence of str
        Header.
    rows : sequence of sequences of str, int, float or None
        Cells; a missing value is NaN, a cell without meaning None.
    formats : mapping of str to str, default={}
        Column to format of its floats where that is not ``".4f"``. CSV has every digit anyway.
    notes : sequence of str, default=()
        Lines below the table; CSV leaves them out.

    Examples
    --------
    >>> table = TextTable("Errors", ["data", "NB"], [["zoo", 0.0297], ["lymph", float("nan")]])
    >>> print(table.to_text())
    Errors
    data       NB
    -----  ------
    zoo    0.0297
    lymph       -
    >>> print(table.to_markdown())
    **Errors**
    <BLANKLINE>
    | data | NB |
    |:---|---:|
    | zoo | 0.0297 |
    | lymph | - |
    >>> print(table.to_csv(), end="")
    data,NB
    zoo,0.0297
    lymph,
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    formats: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def tables(self) -> list[TextTable]:
        """The table alone."""
        return [self]

    def to_text(self) -> str:
        """Return aligned columns for a terminal."""
        body = self._body("-")
        widths = [max(map(len, column)) for column in zip(self.columns, *body, strict=True)]
        right = self._right()

        def line(cells: Sequence[str]) -> str:
            padded = zip(cells, widths, right, strict=True)
            return "  ".join(
                f"{cell:>{width}}" if end else f"{cell:<{width}}" for cell, width, end in padded
            ).rstrip()

        rule = line(["-" * width for width in widths])
        return "\n".join([self.title, line(self.columns), rule, *map(line, body), *self.notes])

    def to_markdown(self) -> str:
        """Return a pipe table."""

        def line(cells: Sequence[str]) -> str:
            return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"

        rule = "|" + "|".join("---:" if end else ":---" for end in self._right()) + "|"
        table = "\n".join([line(self.columns), rule, *map(line, self._body("-"))])
        return "\n\n".join([f"**{self.title}**", table, *self.notes])

    def to_latex(self) -> str:
        """Return a ``table`` environment; it needs the package booktabs."""

        def line(cells: Sequence[str]) -> str:
            return " & ".join(_escaped(cell) for cell in cells) + r" \\"

        letters = "".join("r" if end else "l" for end in self._right())
        lines = [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_escaped(self.title)}}}",
            rf"\begin{{tabular}}{{{letters}}}",
            r"\toprule",
            line(self.columns),
            r"\midrule",
            *map(line, self._body("--")),
            r"\bottomrule",
            r"\end{tabular}",
            *(rf"\par\footnotesize {_escaped(note)}" for note in self.notes),
            r"\end{table}",
        ]
        return "\n".join(lines)

    def to_csv(self) -> str:
        """Return header and rows, comma-separated, with every digit; what is missing is empty."""
        rows = [["" if cell is None or _is_nan(cell) else cell for cell in row] for row in self.rows]
        return _csv([self.columns, *rows])

    def _body(self, missing: str) -> list[list[str]]:
        formats = [self.formats.get(column, ".4f") for column in self.columns]
        return [
            [_shown(cell, form, missing) for cell, form in zip(row, formats, strict=True)]
            for row in self.rows
        ]

    def _right(self) -> list[bool]:
        """Whether each column is aligned to the right: numbers, and records such as 3/0/1."""
        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        return [all(not isinstance(cell, str) or cell[:1].isdigit() for cell in column) for column in columns]


def _is_nan(cell: Cell) -> bool:
    return isinstance(cell, float) and math.isnan(cell)


def _shown(cell: Cell, form: str, missing: str) -> str:
    if cell is None:
        return ""
    if _is_nan(cell):
        return missing
    return format(cell, form) if isinstance(cell, float) else str(cell)


def _escaped(text: str) -> str:
    return text.translate(_LATEX)


def _csv(rows: Sequence[Sequence[Cell]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
