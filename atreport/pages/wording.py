"""How groups, cells and verdicts are named for readers, in tables and charts alike."""

from collections.abc import Mapping, Sequence

from atreport.core.cells import Cells
from atreport.report.figures import Verdict
from atreport.spec.process import Attribute, Process
from atreport.text.language import gettext, message
from atreport.text.tables import Cell, Column, Tone

VERDICTS: dict[Verdict, tuple[str, Tone]] = {
    "meets": (message("Meets"), "good"),
    "does_not_meet": (message("Does not meet"), "bad"),
    "cannot_tell": (message("Cannot be told at this fidelity"), "open"),
}
"""The word for each verdict, to be said, and the tone that goes with it."""

EVERYBODY = message("Everybody")

MAX_NAME_COLUMNS = 5
"""With more attributes than this, a row of a table is named in one column."""


def group_name(cells: Cells, group_start: int) -> str:
    """A QID group by its public attributes, such as Gender: F."""
    return named_values(cells.process, cells.labels(group_start, cells.process.of_role("public")))


def cell_name(cells: Cells, cell: int) -> str:
    """A cell by all its attributes."""
    return named_values(cells.process, cells.labels(cell, cells.process.attributes))


def named_values(process: Process, labels: Mapping[str, str]) -> str:
    """Each attribute with its value. A value never stands without the name of its attribute, however long that gets."""
    named = [
        gettext("{attribute}: {value}", attribute=process.attribute(name).title, value=value)
        for name, value in labels.items()
    ]
    return " · ".join(named) or gettext(EVERYBODY)


def row_names(
    cells: Cells, rows: Sequence[int], attributes: tuple[Attribute, ...]
) -> tuple[list[list[str]], list[Column]]:
    """How rows of a table are named: a column for each attribute, or one for all where there are many.

    Of many attributes, those that are the same in every row get columns of their own, which the caption says once.
    """
    if not attributes or len(attributes) > MAX_NAME_COLUMNS:
        labels = [cells.labels(row, attributes) for row in rows]
        differ = [a for a in attributes if len({each[a.name] for each in labels}) > 1] or [*attributes]
        same = [a for a in attributes if a not in differ]
        names = [
            [
                *(each[a.name] for a in same),
                named_values(cells.process, {a.name: each[a.name] for a in differ}),
            ]
            for each in labels
        ]
        columns = [Column(a.title, names_row=True, said_once=True) for a in same]
        return names, [*columns, Column(gettext("Who"), names_row=True)]
    return (
        [list(cells.labels(row, attributes).values()) for row in rows],
        [Column(attribute.title, names_row=True) for attribute in attributes],
    )


def verdict_cell(verdict: Verdict | None) -> Cell:
    """The verdict in words, with the tone that goes with it."""
    if verdict is None:
        return Cell(gettext("No threshold set"))
    words, tone = VERDICTS[verdict]
    return Cell(gettext(words), tone)
