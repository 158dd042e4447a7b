"""``atreport schema``: the JSON Schema of the spec or of report.json."""

from __future__ import annotations

from typing import Annotated

import typer

from atreport.cli.talk import print_json
from atreport.report.schema import report_schema
from atreport.spec.schema import schema_text


def schema(
    report: Annotated[bool, typer.Option("--report", help="The schema of report.json instead.")] = False,
) -> None:
    """Print the JSON Schema of the spec (draft-07), for editors and other tools."""
    if report:
        print_json(report_schema())
    else:
        print(schema_text(), end="")
