"""``atreport init``: what an author needs to write a first spec."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.show import progress_of
from atreport.cli.talk import say
from atreport.commands.init import write_form_example, write_proposal, write_starter
from atreport.errors import UsageError
from atreport.spec.data_formats import ANY_FORMAT


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder to start in; made if it does not exist.")
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help=f"Propose a spec for this {ANY_FORMAT} file of decided cases.",
            show_default=False,
        ),
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            help="Start from the example of a regulator's form, such as ll144 or eeoc.", show_default=False
        ),
    ] = None,
) -> None:
    """Write a commented spec and data to start from."""
    if template is not None:
        if data is not None:
            raise UsageError("--template starts from an example, --from from your data: choose one")
        for path in write_form_example(folder, template):
            print(path)
        say(f"Everything in {folder / 'report.yaml'} is invented: put your own in its place.")
        say(f"Then run: atreport check {folder / 'report.yaml'}")
        return
    if data is not None:
        with progress_of(data, verbose=False) as progress:
            written, warnings = write_proposal(folder, data, progress)
        print("\n".join(str(path) for path in written))
        for warning in warnings:
            say(f"warning: {warning}")
        say(f"Now go through the lines marked CHECK in {folder / 'report.yaml'}: the roles are guesses.")
        say(f"Then run: atreport build {folder / 'report.yaml'}")
        return
    for path in write_starter(folder):
        print(path)
    say(f"Now edit {folder / 'report.yaml'}, then run: atreport build {folder / 'report.yaml'}")
