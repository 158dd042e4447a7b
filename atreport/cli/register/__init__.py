"""``atreport register``: a page, a feed and a catalogue of many published reports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.show import progress_of
from atreport.cli.talk import AsJson, Quiet, print_json, say
from atreport.commands.register import Register, write_register
from atreport.errors import EXIT_FINDINGS, EXIT_FINE
from atreport.kit.numbers import counted


def register(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="Where reports were built: public folders are looked for in it and below.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="Default: the folder register in FOLDER.",
            show_default=False,
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(
            "--title",
            help="What the register is called. Default: Algorithmic transparency reports.",
            show_default=False,
        ),
    ] = None,
    publisher: Annotated[
        str | None,
        typer.Option(
            "--publisher", help="Who keeps it. Default: who publishes the reports.", show_default=False
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url", help="The address at which DIR is published, if it is known.", show_default=False
        ),
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            "--language",
            help="The language of the register itself: en, fr, de or nl. Each report keeps its own.",
        ),
    ] = "en",
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Verify each report as `atreport verify` does, not its checksums alone."
        ),
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Write a register of published reports: a page to search, a feed and a catalogue."""
    with progress_of(folder, verbose=False, quiet=quiet) as show:
        found = write_register(
            folder,
            output,
            title=title,
            publisher=publisher,
            url=url,
            language=language,
            whole=verify,
            told=lambda number, of: show(f"reading reports {number} of {of}"),
        )
    _show(folder, found, quiet=quiet, as_json=as_json)
    return EXIT_FINDINGS if found.left_out else EXIT_FINE


def _show(folder: Path, found: Register, *, quiet: bool, as_json: bool) -> None:
    """What was written, what is listed, and what was left out."""
    for each in found.left_out:
        say(f"{each.folder}: left out: {'; '.join(each.reasons[:3])}")
    if as_json:
        print_json(
            {
                "ok": not found.left_out,
                "files": [str(file) for file in found.files],
                "listed": [entry.identifier for entry in found.entries],
                "left_out": [
                    {"folder": str(each.folder), "reasons": list(each.reasons)} for each in found.left_out
                ],
            }
        )
    else:
        print("\n".join(map(str, found.files)))
        if not quiet:
            left = f", {len(found.left_out)} left out" if found.left_out else ""
            say(f"{folder}: {counted(len(found.entries), 'report')} listed{left}")
