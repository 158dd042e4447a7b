"""How groups, cells and verdicts are named for readers, in tables and charts alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from atreport.kit.tables import Cell, Column, Tone
from atreport.population.cells import Cells
from atreport.report.figures import Verdict
from atreport.spec.models.process import Attribute, Process

VERDICTS: dict[Verdict, tuple[str, Tone]] = {
    "meets": ("Meets", "good"),
    "does_not_meet": ("Does not meet", "bad"),
    "cannot_tell": ("Cannot be told at this fidelity", "open"),
}

EVERYBODY = "Everybody"

MAX_NAME_COLUMNS = 4
"""With more attributes than this, a row of a table is named in one column."""

LONG_NAME = 48
"""A name with more characters leaves out the attributes."""


def group_name(cells: Cells, group_start: int) -> str:
    """A QID group by its public attributes, such as Gender: F."""
    return named_values(cells.process, cells.labels(group_start, cells.process.of_role("public")))


def cell_name(cells: Cells, cell: int) -> str:
    """A cell by all its attributes."""
    return named_values(cells.process, cells.labels(cell, cells.process.attributes))


def named_values(process: Process, labels: Mapping[str, str]) -> str:
    """Each attribute with its value; the values alone where that would be long."""
    full = " · ".join(f"{process.attribute(name).title}: {value}" for name, value in labels.items())
    return (full if len(full) <= LONG_NAME else " · ".join(labels.values())) or EVERYBODY


def row_names(
    cells: Cells, rows: Sequence[int], attributes: tuple[Attribute, ...]
) -> tuple[list[list[str]], list[Column]]:
    """How rows of a table are named: a column for each attribute, or one for all where there are many."""
    names = [list(cells.labels(row, attributes).values()) or [EVERYBODY] for row in rows]
    titles = [a.title for a in attributes] or ["People"]
    if len(titles) > MAX_NAME_COLUMNS:
        names, titles = [[" · ".join(values)] for values in names], [" · ".join(titles)]
    return names, [Column(title, names_row=True) for title in titles]


def verdict_cell(verdict: Verdict | None) -> Cell:
    """The verdict in words, with the tone that goes with it."""
    return Cell("No threshold set") if verdict is None else Cell(*VERDICTS[verdict])
