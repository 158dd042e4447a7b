"""Turn a comparison of two reports into what its page shows."""

from __future__ import annotations

from dataclasses import dataclass

from atreport.kit.numbers import counted
from atreport.kit.render import render_page
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.cover import Cover, make_cover
from atreport.pages.diff import PARTS, Difference
from atreport.report.model import Report


@dataclass(frozen=True, kw_only=True)
class DiffContext:
    """A comparison as text."""

    cover: Cover
    old: str
    new: str
    summary: str
    reveals: tuple[str, ...]
    remarks: tuple[str, ...]
    together: tuple[str, ...]
    tables: tuple[Table, ...]


def make_diff_context(difference: Difference, newer: Report) -> DiffContext:
    """The comparison as text, under the cover of the newer report."""
    tables = []
    for part, title in PARTS.items():
        changes = difference.of(part)
        if changes:
            tables.append(
                make_table(
                    part,
                    title,
                    [Column("What", names_row=True), Column("Before"), Column("After")],
                    [[change.what, change.before, change.after] for change in changes[:MAX_ROWS]],
                    f"{counted(len(changes), 'change')}; the first {MAX_ROWS} are shown, --json lists all."
                    if len(changes) > MAX_ROWS
                    else "",
                )
            )
    return DiffContext(
        cover=make_cover(newer),
        old=difference.old,
        new=difference.new,
        summary=summary(difference),
        reveals=difference.reveals,
        remarks=difference.remarks,
        together=difference.together,
        tables=tuple(tables),
    )


def summary(difference: Difference) -> str:
    """The comparison in a sentence."""
    if not difference.changes:
        return "The two reports say the same."
    parts = [
        f"{counted(len(difference.of(part)), 'change')} to {title.lower()}"
        for part, title in PARTS.items()
        if difference.of(part)
    ]
    *others, last = parts
    return (f"{', '.join(others)} and {last}" if others else last) + "."


def diff_html(context: DiffContext) -> str:
    """A comparison of two reports as one self-contained file."""
    return render_page("diff.html.j2", context)
