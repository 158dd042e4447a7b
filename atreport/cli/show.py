"""What a terminal shows: tables, paragraphs, and the running stage."""

import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TextIO

from rich import table as rich_table
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from atreport.errors import visible
from atreport.text.tables import Table

INDENT, GAP = 3, 2
"""Columns of the terminal before a table, and between its columns."""

LONG_WORD = 14
"""Longer words may be broken where a table is wider than the terminal."""


LABEL = 12
"""Columns of the terminal for the word that says what a paragraph is about."""


def show_labelled(label: str, text: str, to: TextIO | None = None) -> None:
    """A paragraph beside a word that says what it is about, on stdout or `to` a stream; its own lines stay apart."""
    room = max(min(Console().width, 120) - LABEL - 2, 30)
    lines = [part for line in text.splitlines() for part in textwrap.wrap(visible(line.strip()), room)]
    for number, line in enumerate(lines):
        print(f"  {label if number == 0 else '':<{LABEL}}{line}".rstrip(), file=to)


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
    """A stage that says how much of it is done (40%, or 4 of 10), with a bar."""
    if counted := re.fullmatch(r"(.+) (\d+) of ([1-9]\d*)", stage):
        full = 20 * int(counted[2]) // int(counted[3])
        return f"{counted[1]} {'━' * full}{'╌' * (20 - full)} {counted[2]} of {counted[3]}"
    name, _, done = stage.rpartition(" ")
    if not (done.endswith("%") and done[:-1].isdigit()):
        return stage
    full = int(done[:-1]) // 5
    return f"{name} {'━' * full}{'╌' * (20 - full)} {done}"


class RunningStage:
    """The stage that runs and since when, as text that is right whenever it is drawn."""

    def __init__(self, path: Path) -> None:
        self.path, self.stage, self.began = path, "", perf_counter()

    def __rich__(self) -> Text:
        seconds = int(perf_counter() - self.began)
        elapsed = f"  {seconds // 60}:{seconds % 60:02d}" if seconds else ""
        return Text(f"{self.path}: {with_bar(self.stage)}{elapsed}")


@contextmanager
def progress_of(path: Path, *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show the running stage, how much of it is done, and how long the work has taken.

    A spinner on a terminal, nothing otherwise or with --quiet.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _stage: None
        return
    running = RunningStage(path)
    with Console(stderr=True).status(running):

        def show(stage: str) -> None:
            running.stage = stage

        yield show
