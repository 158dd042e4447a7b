"""``atreport ledger``: which releases are recorded, the head that stands for all of them, and proofs for readers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import AsJson, print_json
from atreport.errors import UsageError
from atreport.report.published import read_published_report
from atreport.verification.releases.ledger import Ledger, read_ledger_file
from atreport.verification.releases.ledger_proof import prove


def ledger(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="LEDGER", help="A ledger (releases.jsonl), or the spec beside it.", show_default=False
        ),
    ],
    prove_report: Annotated[
        Path | None,
        typer.Option(
            "--prove",
            metavar="REPORT",
            help="Print a proof that this published report is recorded, for readers without the ledger.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the recorded releases, the head of the ledger, or the proof of one release."""
    found = _read(path)
    if prove_report is not None:
        print_json(prove(found, read_published_report(prove_report)).as_json())
        return
    head = found.head()
    if as_json:
        releases = [release.report.as_json() for release in found.releases]
        print_json({"size": head.size, "root": head.root, "releases": releases})
        return
    for number, release in enumerate(found.releases, start=1):
        print(f"{number:>4}  {release.report.date}  {release.report.title} {release.report.version}")
    print(f"head  {head.size}:{head.root}")


def _read(path: Path) -> Ledger:
    if path.suffix in (".yaml", ".yml"):
        path = path.with_name(f"{path.stem}.releases.jsonl")
    if not path.is_file():
        raise UsageError(f"{path}: there is no ledger yet. A release is recorded by: atreport build --record")
    return read_ledger_file(path)
