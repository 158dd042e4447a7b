"""``atreport sign``: let readers see that a report comes from its publisher."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import Quiet, say
from atreport.verification.releases.attestation import attest
from atreport.verification.releases.signature import sign as sign_folder


def sign(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The public folder of a build.", show_default=False)
    ],
    key: Annotated[
        Path, typer.Option("--key", help="Your ed25519 private key, a PEM file.", show_default=False)
    ],
    quiet: Quiet = False,
) -> None:
    """Sign a published report with an ed25519 key."""
    print(sign_folder(folder, key))
    print(attest(folder, key))
    if not quiet:
        say(f"Readers check both with: atreport verify {folder} --key PUBLIC_KEY.pem")
