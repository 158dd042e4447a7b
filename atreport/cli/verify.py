"""``atreport verify``: does a published report hold, as far as anybody can tell without the data?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from atreport.cli.talk import MOST_ROWS, AsJson, print_json
from atreport.errors import EXIT_FINDINGS, EXIT_FINE
from atreport.verification import Verification
from atreport.verification import verify as verify_report


def verify(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="A public folder, report.json, report.pdf or report.html.",
            show_default=False,
        ),
    ],
    key: Annotated[
        Path | None, typer.Option("--key", help="The publisher's public key (PEM), to check the signature.")
    ] = None,
    with_data: Annotated[
        Path | None,
        typer.Option(
            "--with-data",
            metavar="SPEC",
            help="For an auditor who may see the data: also check fidelity and optimality, and build the report again.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check a published report without any confidential data."""
    if with_data is None:
        result = verify_report(path, key)
    else:
        # the whole confidential side, which takes half a second and which nobody needs who only holds the report
        from atreport.confidential.auditor import verify_with_data

        result = verify_with_data(path, with_data, key)
    if as_json:
        print_json(verification_entry(result))
    else:
        show_verification(result)
    return EXIT_FINE if result.holds else EXIT_FINDINGS


def verification_entry(result: Verification) -> dict[str, Any]:
    """A result as ``--json`` prints it."""
    return {
        "path": str(result.path),
        "holds": result.holds,
        "checks": [
            {"id": each.id, "what": each.what, "holds": each.holds, "findings": list(each.findings)}
            for each in result.checks
        ],
        "cannot_be_checked": list(result.limits),
    }


def show_verification(result: Verification) -> None:
    """A result in plain words."""
    print(f"{result.path}: {result.title or 'a report'}")
    for each in result.checks:
        print(f"  {'holds         ' if each.holds else 'DOES NOT HOLD '} {each.what}")
        for finding in each.findings[:MOST_ROWS]:
            print(f"                   {finding}")
        if len(each.findings) > MOST_ROWS:
            print(f"                   … and {len(each.findings) - MOST_ROWS:,} more; --json lists all")
    print("Cannot be checked from what was given:")
    for limit in result.limits:
        print(f"  {limit}")
    if result.holds:
        print("Everything that was checked holds.")
    else:
        print(
            f"{len(result.findings):,} findings: do not rely on this copy before its publisher has explained them."
        )
