"""``atreport ledger``: which releases are recorded, the head that stands for all of them, and proofs for readers."""

from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import AsJson, Quiet, print_json, say
from atreport.errors import OutputError, UsageError
from atreport.report.reader import read_published_report
from atreport.spec.load import SPEC_ENDINGS
from atreport.verification.ledger import prove, read_ledger_file
from atreport.verification.signature import attach_stamp, attest, send_request, stamp_request
from atreport.verification.signature import sign as sign_folder


def ledger(
    path: Annotated[
        Path, typer.Argument(metavar="LEDGER", help="A ledger (releases.jsonl), or the spec beside it.")
    ],
    prove_report: Annotated[
        Path | None,
        typer.Option(
            "--prove",
            metavar="REPORT",
            help="Print a proof that this published report is recorded, for readers without the ledger.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the recorded releases, the head of the ledger, or the proof of one release."""
    if path.suffix in SPEC_ENDINGS:
        path = path.with_name(f"{path.stem}.releases.jsonl")
    if not path.is_file():
        raise UsageError(f"{path}: there is no ledger yet. A release is recorded by: atreport build --record")
    found = read_ledger_file(path)
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


# ``atreport sign``: let readers see that a report comes from its publisher.


def sign(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The public folder of a build.")],
    key: Annotated[Path, typer.Option("--key", help="Your ed25519 private key, a PEM file.")],
    quiet: Quiet = False,
) -> None:
    """Sign a published report with an ed25519 key."""
    print(sign_folder(folder, key))
    print(attest(folder, key))
    if not quiet:
        say(f"Readers check both with: atreport verify {folder} --key PUBLIC_KEY.pem")


# ``atreport stamp``: let readers see when a report was published.


def stamp(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The public folder of a build.")],
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="Ask this time-stamp authority (RFC 3161).")
    ] = None,
    request: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the request to this file, to send it yourself.")
    ] = None,
    answer: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Attach the authority's answer from this file.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Have an authority stamp the time of a published report (RFC 3161)."""
    if sum(option is not None for option in (server, request, answer)) != 1:
        raise UsageError(
            "stamp takes exactly one of --server URL (ask an authority), --request FILE (write the question) and "
            "--answer FILE (attach the answer)."
        )
    if request is not None:
        content = stamp_request(folder)
        try:
            request.write_bytes(content)
        except OSError as error:
            raise OutputError(f"{request}: the request cannot be written: {error.strerror}.") from None
        print(request)
        if not quiet:
            curl = "curl -H 'Content-Type: application/timestamp-query'"
            say(f"Send it, for example: {curl} --data-binary @{request} URL")
            say(f"then: atreport stamp {folder} --answer FILE")
        return
    if server is not None:
        content = send_request(stamp_request(folder), server)
    else:
        assert answer is not None
        try:
            content = answer.read_bytes()
        except OSError as error:
            raise UsageError(f"{answer}: the answer cannot be read: {error.strerror}.") from None
    print(attach_stamp(folder, content))
    if not quiet:
        say(f"Readers check it with: atreport verify {folder} --stamp-root ROOT.pem")
