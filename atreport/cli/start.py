"""``atreport init`` and ``atreport schema``: what an author needs to write a first spec."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import print_json, say


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder to start in; made if it does not exist.")
    ],
) -> None:
    """Write a commented spec and data to start from."""
    from atreport.starter import write_starter

    for path in write_starter(folder):
        print(path)
    say(f"Now edit {folder / 'report.yaml'}, then run: atreport build {folder / 'report.yaml'}")


def schema(
    report: Annotated[bool, typer.Option("--report", help="The schema of report.json instead.")] = False,
) -> None:
    """Print the JSON Schema of the spec (draft-07), for editors and other tools."""
    if report:
        from atreport.public.document import report_schema

        print_json(report_schema())
    else:
        from atreport.spec.schema import schema_text

        print(schema_text(), end="")
