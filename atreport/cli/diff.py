"""``atreport diff``: what changed between two versions of a report, and what the pair reveals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.show import show_table
from atreport.cli.talk import MOST_ROWS, AsJson, Quiet, print_json, say
from atreport.commands.comparison import compare_reports, comparison_page
from atreport.commands.revision import report_of
from atreport.errors import EXIT_FINDINGS, EXIT_FINE, OutputError
from atreport.kit.numbers import count
from atreport.kit.tables import Column, Table, make_table
from atreport.pages.diff import PARTS, Change, Difference
from atreport.pages.diff_page import summary

_WHAT = "A published report (folder or file), a spec, or a spec at a git revision: SPEC@v1.0."


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help=_WHAT, show_default=False)],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The same, newer.", show_default=False)],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write the comparison as a page.")
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Show what changed between two versions of a report, and what the pair reveals."""
    after = report_of(new)
    before = report_of(old)
    found = compare_reports(before, after)
    if html is not None:
        page = comparison_page(before, after)
        try:
            html.write_text(page, encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{html}: the page could not be written: {error.strerror}.") from None
        if not quiet:
            say(f"{html}: written")
    if as_json:
        print_json({**asdict(found), "reveals_more": bool(found.reveals)})
    else:
        _show(found)
    return EXIT_FINDINGS if found.reveals else EXIT_FINE


def _show(found: Difference) -> None:
    print(f"before: {found.old}\nafter:  {found.new}\n{summary(found)}")
    for remark in found.remarks:
        print(remark)
    print()
    for part, title in PARTS.items():
        changes = found.of(part)
        if changes:
            show_table(_change_table(part, title, changes))
    if found.reveals:
        print("Together the two reports tell more than the newer one promises:")
        for sentence in found.reveals[:MOST_ROWS]:
            print(f"  {sentence}")
    elif not found.remarks:  # which say what could not be measured
        print("Together the two reports tell no more than the newer one promises.")
    for sentence in found.together:
        print(sentence)


def _change_table(part: str, title: str, changes: Sequence[Change]) -> Table:
    """One part of a report: what changed, before and after."""
    more = len(changes) - MOST_ROWS
    return make_table(
        part,
        title,
        [Column("what", names_row=True), Column("before"), Column("after")],
        [[change.what, _cut(change.before), _cut(change.after)] for change in changes[:MOST_ROWS]],
        f"… and {count(more)} more; --json lists all" if more > 0 else "",
    )


def _cut(text: str, most: int = 300) -> str:
    """A long text as a terminal shows it."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
