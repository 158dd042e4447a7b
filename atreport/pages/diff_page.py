"""Turn a comparison of two reports into what its page shows."""

from __future__ import annotations

from dataclasses import dataclass

from atreport.kit.language import say, say_many
from atreport.kit.numbers import count
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.kit.typesetting.manuscript import Manuscript
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
                    say(title),
                    [Column(say("What"), names_row=True), Column(say("Before")), Column(say("After"))],
                    [[change.what, change.before, change.after] for change in changes[:MAX_ROWS]],
                    say(
                        "There are {number} changes. The first {shown} are shown; --json lists all.",
                        number=count(len(changes)),
                        shown=count(MAX_ROWS),
                    )
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
        return say("The two reports say the same.")
    parts = (
        say("{part} ({number})", part=say(title), number=count(len(difference.of(part))))
        for part, title in PARTS.items()
        if difference.of(part)
    )
    return say_many(
        len(difference.changes),
        "{number} change, in this part: {parts}.",
        "{number} changes, in these parts: {parts}.",
        parts=", ".join(parts),
    )


def diff_html(context: DiffContext) -> str:
    """A comparison of two reports as one self-contained file."""
    return Manuscript("diff.html.j2", context).for_screen()
