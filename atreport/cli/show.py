"""What a terminal shows: tables, paragraphs, and the running stage."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich import table as rich_table
from rich.console import Console
from rich.padding import Padding

from atreport.cli.talk import say
from atreport.kit.tables import Table

INDENT, GAP = 3, 2
"""Columns of the terminal before a table, and between its columns."""

LONG_WORD = 14
"""Longer words may be broken where a table is wider than the terminal."""


def show_table(table: Table, *, caption: bool = True) -> None:
    """A table on stdout: its caption, its rows, and what is left out of it."""
    if caption:
        show_text(table.caption)
    console = Console(highlight=False, markup=False)
    natural = [max(map(len, entries)) for entries in _columns(table)]
    narrow = sum(natural) + GAP * len(natural) + INDENT > console.width
    grid = rich_table.Table(box=None, pad_edge=False, header_style="bold")
    for column, (heading, *entries) in zip(table.columns, _columns(table), strict=True):
        if (
            column.numeric
        ):  # figures stay whole; where there is little room, their heading takes several lines
            room = max([1, _longest_word(heading), *map(len, entries)]) if narrow else len(heading) + 1
            grid.add_column("\n".join(textwrap.wrap(heading, room)), justify="right", no_wrap=True)
        else:
            words = max(map(_longest_word, (heading, *entries)))
            grid.add_column(heading, min_width=min(words, LONG_WORD), overflow="fold")
    for row in table.rows:
        grid.add_row(*(cell.text for cell in row))
    console.print(Padding(grid, (0, 0, 0, INDENT)))
    if table.left_out:
        show_text(table.left_out)
    print()


def _columns(table: Table) -> list[tuple[str, ...]]:
    """The text of each column, its heading first."""
    rows = [[cell.text for cell in row] for row in table.rows]
    return list(zip([column.heading for column in table.columns], *rows, strict=True))


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def show_text(text: str) -> None:
    """A paragraph on stdout, as wide as the terminal."""
    room = max(Console().width - INDENT, 20)
    print(textwrap.indent(textwrap.fill(text, room), " " * INDENT))


def with_bar(stage: str) -> str:
    """A stage that says how much of it is done, with a bar."""
    name, _, done = stage.rpartition(" ")
    if not (done.endswith("%") and done[:-1].isdigit()):
        return stage
    full = int(done[:-1]) // 5
    return f"{name} {'━' * full}{'╌' * (20 - full)} {done}"


@contextmanager
def progress_of(path: Path, verbose: bool) -> Iterator[Callable[[str], None]]:
    """Show the running stage: a line each with --verbose, a spinner on a terminal, nothing otherwise."""
    if verbose:
        yield lambda stage: say(f"{path}: {stage}")
    elif sys.stderr.isatty():
        with Console(stderr=True).status(f"{path}") as status:
            yield lambda stage: status.update(f"{path}: {with_bar(stage)}")
    else:
        yield lambda _stage: None
