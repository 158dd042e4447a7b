"""``atreport init``: what an author needs to write a first spec."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.init.asking import ask_on_terminal
from atreport.cli.show import progress_of
from atreport.cli.talk import say
from atreport.commands.init import Proposed, write_form_example, write_proposal, write_starter
from atreport.confidential.proposal.everyday_file import ENDINGS
from atreport.confidential.proposal.proposed_spec import NOT_NEEDED
from atreport.confidential.proposal.question import only_what_is_sure
from atreport.errors import UsageError


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder to start in; made if it does not exist.")
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help=f"Propose a spec for this file of decided cases: {', '.join(ENDINGS)}.",
            show_default=False,
        ),
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            help="Start from the example of a regulator's form, such as ll144 or eeoc.", show_default=False
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Ask nothing: write what is sure, mark the rest in the spec.")
    ] = False,
    outcome: Annotated[
        str | None, typer.Option(help="The column that says how each case was decided.", show_default=False)
    ] = None,
    favourable: Annotated[
        str | None, typer.Option(help="The value of it that people hope for.", show_default=False)
    ] = None,
    public: Annotated[
        list[str] | None,
        typer.Option(help="A column that others may know of a person; may be repeated.", show_default=False),
    ] = None,
    sensitive: Annotated[
        list[str] | None,
        typer.Option(help="A column that must not be inferred; may be repeated.", show_default=False),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            help="The encoding of a text file that is not UTF-8, such as cp1252.", show_default=False
        ),
    ] = None,
) -> None:
    """Write a commented spec and data to start from."""
    given = {
        "outcome": (outcome,) if outcome else (),
        "favourable": (favourable,) if favourable else (),
        "public": tuple(public or ()),
        "sensitive": tuple(sensitive or ()),
    }
    answers = {about: said for about, said in given.items() if said}
    if template is not None:
        if data is not None:
            raise UsageError("--template starts from an example, --from from your data: choose one")
        _start_from_form(folder, template)
        return
    if data is None:
        if answers or encoding or yes:
            raise UsageError(
                "--yes, --outcome, --favourable, --public, --sensitive and --encoding need --from FILE"
            )
        for path in write_starter(folder):
            print(path)
        say(f"Now edit {folder / 'report.yaml'}, then run: {_build(folder)}")
        return
    if not yes and sys.stdin.isatty() and sys.stderr.isatty():
        proposed = write_proposal(folder, data, ask=ask_on_terminal, answers=answers, encoding=encoding)
    else:
        with progress_of(data, verbose=False) as progress:
            proposed = write_proposal(
                folder, data, ask=only_what_is_sure, answers=answers, encoding=encoding, talk=progress
            )
    print("\n".join(str(path) for path in proposed.written))
    _tell(folder / "report.yaml", proposed)


def _start_from_form(folder: Path, template: str) -> None:
    for path in write_form_example(folder, template):
        print(path)
    say(f"Everything in {folder / 'report.yaml'} is invented: put your own in its place.")
    say(f"Then run: atreport check {folder / 'report.yaml'}")


def _tell(spec: Path, proposed: Proposed) -> None:
    """What was found, what stayed out, and what is left to do."""
    proposal = proposed.proposal
    for note in (*proposed.notes, *proposal.warnings):
        say(f"note: {note}")
    favourable = "" if proposal.favourable is None else f", favourable: {proposal.favourable}"
    sure = "Perhaps the outcome" if proposal.outcome_open else "The outcome"
    say(f"{sure}: {proposal.outcome.column}{favourable}")
    for attribute in proposal.attributes:
        role = "role to be said" if attribute.role == "open" else attribute.role
        say(f"Attribute: {attribute.column} ({role})")
    if proposal.not_used:
        where = "was not copied" if proposed.copied else "is not used"
        say(f"What {where}:")
        for name, why in proposal.not_used:
            if why != NOT_NEEDED:
                say(f"  {name}: {why}")
        spare = ", ".join(name for name, why in proposal.not_used if why == NOT_NEEDED)
        if spare:
            say(f"  {NOT_NEEDED}: {spare}")
    for line in proposed.policy.price:
        say(f"Proposed policy (confidential): {line}")
    number = proposal.questions
    if number:
        say(
            f"{'One question is' if number == 1 else f'{number} questions are'} left for you in {spec}: "
            'write your answer in the place of each text that begins with "??".'
        )
    say(
        f"Then go through the lines marked CHECK in {spec}."
        if number
        else f"Now go through the lines marked CHECK in {spec}."
    )
    say(f"Then run: {_build(spec.parent)}")


def _build(folder: Path) -> str:
    """The command that builds into the folder, where .gitignore keeps the output out of a repository."""
    return (
        f"atreport build {shlex.quote(str(folder / 'report.yaml'))} -o {shlex.quote(str(folder / 'output'))}"
    )
