"""``atreport diff``: what changed between two versions of a report, and what the pair reveals."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atreport.cli.talk import MOST_ROWS, AsJson, print_json, say
from atreport.errors import EXIT_FINDINGS, EXIT_FINE, OutputError

if TYPE_CHECKING:
    from atreport.pages.diff import Difference

_WHAT = "A published report (folder or file), a spec, or a spec at a git revision: SPEC@v1.0."


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help=_WHAT, show_default=False)],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The same, newer.", show_default=False)],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write the comparison as a page.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Show what changed between two versions of a report, and what the pair reveals."""
    from atreport.commands.revision import report_of
    from atreport.pages.diff import diff_reports

    after = report_of(new)
    found = diff_reports(report_of(old), after)
    if html is not None:
        from atreport.kit.render import render_diff_html
        from atreport.pages.cover import make_cover
        from atreport.pages.diff_page import make_diff_context
        from atreport.verification.restore import restore

        page = render_diff_html(make_diff_context(found, make_cover(restore(after).spec)))
        try:
            html.write_text(page, encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{html}: the page could not be written: {error.strerror}.") from None
        say(f"{html}: written")
    if as_json:
        print_json({**asdict(found), "reveals_more": bool(found.reveals)})
    else:
        _show(found)
    return EXIT_FINDINGS if found.reveals else EXIT_FINE


def _show(found: Difference) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table

    from atreport.pages.diff import PARTS
    from atreport.pages.diff_page import summary

    print(f"before: {found.old}\nafter:  {found.new}\n{summary(found)}")
    for remark in found.remarks:
        print(remark)
    console = Console(highlight=False, markup=False)
    for part, title in PARTS.items():
        changes = found.of(part)
        if not changes:
            continue
        table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
        for heading in ("what", "before", "after"):
            table.add_column(heading, overflow="fold")
        for change in changes[:MOST_ROWS]:
            table.add_row(change.what, _cut(change.before), _cut(change.after))
        console.print(Padding(table, (1, 0, 0, 0)))
        if len(changes) > MOST_ROWS:
            print(f"… and {len(changes) - MOST_ROWS:,} more; --json lists all")
    print()
    if found.reveals:
        print("Together the two reports tell more than the newer one promises:")
        for sentence in found.reveals[:MOST_ROWS]:
            print(f"  {sentence}")
    else:
        print("Together the two reports tell no more than the newer one promises.")


def _cut(text: str, most: int = 300) -> str:
    """A long text as a terminal shows it."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
