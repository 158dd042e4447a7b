"""What the commands share: stdout is data, stderr is talk; how an error and the running stage are shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atreport.errors import AtreportError, InvalidInput

if TYPE_CHECKING:
    from atreport.build import Progress

SpecPaths = Annotated[
    list[Path], typer.Argument(metavar="SPEC…", help="One or more YAML specs.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
MOST_ROWS = 20
"""A terminal shows this many rows of a long table; ``--json`` has them all."""


def say(message: str) -> None:
    """Talk to the user, on stderr."""
    print(message, file=sys.stderr)


def print_json(data: Any) -> None:
    """Hand a result over, on stdout."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


def error_entry(path: Path, error: AtreportError) -> dict[str, Any]:
    """An error as an entry of ``--json``: every problem with its place."""
    problems: list[dict[str, Any]] = [
        {"file": str(path), "line": None, "column": None, "message": str(error), "hint": None}
    ]
    if isinstance(error, InvalidInput):
        problems = [
            {
                "file": problem.location.file,
                "line": problem.location.line,
                "column": problem.location.column,
                "message": problem.message,
                "hint": problem.hint,
            }
            for problem in error.problems
        ]
    return {"spec": str(path), "ok": False, "exit_code": error.exit_code, "problems": problems}


@contextmanager
def progress_of(path: Path, verbose: bool) -> Iterator[Progress]:
    """Show the running stage: a line each with --verbose, a spinner on a terminal, nothing otherwise."""
    if verbose:
        yield lambda stage: say(f"{path}: {stage}")
    elif sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(f"{path}") as status:
            yield lambda stage: status.update(f"{path}: {stage}")
    else:
        yield lambda _stage: None
