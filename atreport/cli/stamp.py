"""``atreport stamp``: let readers see when a report was published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import Quiet, say
from atreport.errors import OutputError, UsageError
from atreport.verification.releases.time_stamp import attach_stamp, send_request, stamp_request


def stamp(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The public folder of a build.", show_default=False)
    ],
    server: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Ask this time-stamp authority (RFC 3161).", show_default=False),
    ] = None,
    request: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the request to this file, to send it yourself.", show_default=False
        ),
    ] = None,
    answer: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Attach the authority's answer from this file.", show_default=False
        ),
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
        _write_request(request, stamp_request(folder))
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


def _write_request(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise OutputError(f"{path}: the request cannot be written: {error.strerror}.") from None
    print(path)
