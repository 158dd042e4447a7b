"""``atreport letter``: letters to one person, or to a file of them, from the published report alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import AsJson, formats_of, print_json, say
from atreport.commands.letters import Person, make_letter, read_people, read_report_in
from atreport.errors import EXIT_FINE, MissingLibrary, UsageError
from atreport.pages.letter_details import read_details
from atreport.pages.notices import KINDS, kind_of_letter, tells_outcome
from atreport.pages.own_case import parse_record
from atreport.publish import write_private, write_private_folders
from atreport.report.model import Report

FORMATS = ("html", "pdf")

Make = Callable[[Person, Sequence[str]], dict[str, bytes]]
"""Makes the files of one letter in the formats asked for."""


Kind = Annotated[
    str | None,
    typer.Option(
        "--as",
        help=f"The kind of letter: {', '.join(KINDS)}. Default: the one that the report's form is for.",
        show_default=False,
    ),
]

Language = Annotated[
    str | None,
    typer.Option(
        help="The language to write in, such as fr, if the folder holds the report in several. Default: the main one.",
        show_default=False,
    ),
]


def letter(
    report: Annotated[
        Path,
        typer.Argument(
            metavar="REPORT",
            help="A published report: its public folder, report.json, report.html or report.pdf.",
        ),
    ],
    record: Annotated[
        str | None,
        typer.Option(
            "--record",
            help="The person's data, such as gender=F,income=high; attributes by name or by label.",
            show_default=False,
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            "--records",
            metavar="FILE",
            help="A CSV file of people: a column for each attribute, and reference; also date, salutation, outcome.",
            show_default=False,
        ),
    ] = None,
    outcome: Annotated[
        str | None, typer.Option(help="What was decided about the person.", show_default=False)
    ] = None,
    reference: Annotated[
        str | None, typer.Option(help="The reference printed on the letter.", show_default=False)
    ] = None,
    date: Annotated[
        str | None,
        typer.Option(help="The date printed on the letter, such as 2026-02-28.", show_default=False),
    ] = None,
    salutation: Annotated[
        str | None, typer.Option(help="Such as 'Dear Ms Example,'.", show_default=False)
    ] = None,
    kind: Kind = None,
    language: Language = None,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="Folder that gets letter.html, letter.pdf and the same for programs; of several people, one for each.",
        ),
    ] = Path("letter"),
    formats: Annotated[
        str | None,
        typer.Option(help="Comma-separated: html, pdf. Default: both, if this machine can make them."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Write letters to persons about a decision. Reads the published report, and what you say about the person."""
    wanted = formats_of(formats, FORMATS)
    given = {"outcome": outcome, "reference": reference, "date": date, "salutation": salutation}
    published = read_report_in(language, report)
    chosen = kind_of_letter(published, kind)
    make = partial(make_letter, published, kind=chosen)
    unsaid = say if tells_outcome(chosen) else _keep_quiet
    if records is not None:
        _refuse_together(record, given)
        people = read_people(published, records)
        _say_undecided(people, unsaid)
        paths = _write_batch(make, people, output, wanted)
    elif record is not None:
        person = _person(published, record, given)
        if person.details.outcome is None:
            unsaid("The letter does not say what was decided about the person: --outcome does.")
        paths = _write_one(make, person, output, wanted)
    else:
        raise UsageError("say whom the letter is to: --record 'attribute=value,…', or --records FILE.csv")
    if as_json:
        print_json({"ok": True, "files": [str(path) for path in paths]})
    else:
        print("\n".join(map(str, paths)))
    return EXIT_FINE


def _refuse_together(record: str | None, given: Mapping[str, str | None]) -> None:
    """A file of people has all of it in its columns."""
    if record is not None:
        raise UsageError("--record and --records exclude each other")
    both = [name for name, text in given.items() if text is not None]
    if both:
        raise UsageError(f"--{both[0]} is of one letter; with --records, write it in a column '{both[0]}'")


def _person(published: Report, record: str, given: Mapping[str, str | None]) -> Person:
    """One person, as the options say."""
    parsed = parse_record(published, record)
    try:
        details = read_details(published, given)
    except UsageError as error:
        raise UsageError("\n".join(f"--{problem}" for problem in str(error).splitlines())) from None
    return Person(record=parsed, details=details)


def _write_one(make: Make, person: Person, output: Path, wanted: tuple[str, ...] | None) -> list[Path]:
    """One letter; without the PDF where this machine cannot make it and it was not asked for by name."""
    try:
        return write_private(output, make(person, wanted or FORMATS))
    except MissingLibrary as error:
        if wanted is not None:
            raise
        say(f"The PDF was not made: {error}")
        return write_private(output, make(person, ("html",)))


def _keep_quiet(_text: str) -> None:
    """For letters in which the form says what was decided."""


def _say_undecided(people: tuple[Person, ...], unsaid: Callable[[str], None]) -> None:
    undecided = sum(person.details.outcome is None for person in people)
    if undecided:
        unsaid(
            f"{undecided:,} of {len(people):,} letters do not say what was decided: a column 'outcome' does."
        )


def _write_batch(
    make: Make, people: tuple[Person, ...], output: Path, wanted: tuple[str, ...] | None
) -> list[Path]:
    """A letter for each person, all or none."""

    def made(formats: tuple[str, ...]) -> Iterator[tuple[str, dict[str, bytes]]]:
        for person in people:
            reference = person.details.reference or ""
            try:
                yield reference, make(person, formats)
            except UsageError as error:
                raise UsageError(f"{reference}: {error}") from None

    try:
        return write_private_folders(output, made(wanted or FORMATS))
    except MissingLibrary as error:
        if wanted is not None:
            raise
        say(f"The PDFs were not made: {error}")
        return write_private_folders(output, made(("html",)))
