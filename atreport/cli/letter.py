"""``atreport letter``: letters to one person, or to a file of them, from the published report alone."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import AsJson, formats_of, print_json, say
from atreport.errors import EXIT_FINE, MissingLibrary, UsageError
from atreport.pages.documents import letter_html, letter_pdf
from atreport.pages.letter_details import ENCLOSURE, LetterDetails, enclosed_data, read_details
from atreport.pages.notices import GDPR, compose_letter, kind_of_letter, kinds, letter_json, tells_outcome
from atreport.pages.own_case import Record, attribute_names, check_record, own_case, parse_record
from atreport.report.model import Report
from atreport.report.reader import read_published_report
from atreport.report.writer import json_bytes
from atreport.spec.yaml import did_you_mean
from atreport.text.language import LANGUAGES, primary
from atreport.write_folder import PUBLIC, write_private, write_private_folders

# Turn a published report and a person, or a file of people, into letters with their enclosures: files in
# memory.
#
# A file of people has a row for each: a column for each attribute, under its name or its label, a column
# ``reference`` that names the letter's folder, and, where wanted, ``date``, ``salutation`` and ``outcome``.
# Every row is checked before any letter is made.

DETAILS = ("reference", "date", "salutation", "outcome")
"""The columns of a file of people that are no attributes."""

MOST_PROBLEMS = 20
"""The most problems of a file that are listed."""

_REFERENCE = re.compile(r"[^\W_](?:[\w .\-]{0,78}[\w\-])?")
"""What can name a folder on every system: letters, digits, and some marks within."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """To whom a letter goes: their record, and what is known beside it."""

    record: Record
    details: LetterDetails


def read_report_in(language: str | None, path: Path) -> Report:
    """A published report in the language that is asked for, or in its main one.

    A folder may hold it in several: report.json in the main language, report.fr.json in French. Raises :class:`UsageError`
    with those that there are.
    """
    main = read_published_report(path)
    editions = {primary(main.report.language): path, **_further_editions(path)}
    wanted = primary(language or main.report.language)
    if wanted not in editions:
        named = ", ".join(f"{each} ({LANGUAGES.get(each, each)})" for each in sorted(editions))
        only = (
            ""
            if path.is_dir()
            else "\n  The public folder may hold more languages than this one file: give the folder."
        )
        raise UsageError(f"--language: {path} has no report in '{language}'; it has {named}{only}")
    return main if editions[wanted] == path else read_published_report(editions[wanted])


def _further_editions(path: Path) -> dict[str, Path]:
    """The report.json of each further language in a public folder, or in the folder above it."""
    folder = path / PUBLIC if (path / PUBLIC).is_dir() else path
    tags = {
        file: file.name.removeprefix("report.").removesuffix(".json") for file in folder.glob("report.*.json")
    }
    return {
        primary(tag): file
        for file, tag in sorted(tags.items())
        if primary(tag) in LANGUAGES and file.is_file() and not file.is_symlink()
    }


def make_letter(report: Report, person: Person, formats: Sequence[str], kind: str = GDPR) -> dict[str, bytes]:
    """The files of one letter: the letter in the formats asked for, and the person's data or the letter for programs."""
    context = compose_letter(report, person.record, person.details, kind)
    files: dict[str, bytes] = {}
    if "html" in formats:
        files["letter.html"] = letter_html(context).encode()
    if "pdf" in formats:
        files["letter.pdf"] = letter_pdf(context)
    if kind == GDPR:
        return {**files, ENCLOSURE: enclosed_data(report, person.record, person.details)}
    return {**files, "letter.json": json_bytes(letter_json(context))}


def read_people(report: Report, path: Path) -> tuple[Person, ...]:
    """The people of a CSV file. Raises :class:`UsageError` with every problem and its line."""
    header, rows = _read_rows(path)
    problems = [f"{path}:1: {problem}" for problem in _header_problems(report, header)]
    people: list[Person] = []
    if not problems:
        called = attribute_names(report)
        lines_of: dict[str, int] = {}
        for line, row in rows:
            found, wrong = _person_of_row(report, called, header, row)
            reference = "" if found is None else found.details.reference or ""
            if reference.casefold() in lines_of:
                wrong.append(
                    f"the reference '{reference}' stands in line {lines_of[reference.casefold()]} too"
                )
            elif reference:
                lines_of[reference.casefold()] = line
            problems += [f"{path}:{line}: {problem}" for problem in wrong]
            people += [] if found is None else [found]
        if not rows:
            problems.append(f"{path}:1: there is a header, and no row of a person below it")
    if problems:
        more = len(problems) - MOST_PROBLEMS
        shown = [*problems[:MOST_PROBLEMS], *([f"… and {more:,} more"] if more > 0 else [])]
        raise UsageError("\n".join(shown))
    return tuple(people)


def _read_rows(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The header of a file, and each row that is not empty with its line; parted by commas or by semicolons."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: this is no text in UTF-8; --records takes a CSV file") from None
    first = text.partition("\n")[0]
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=";" if ";" in first and "," not in first else ","
    )
    try:
        header = next(reader, [])
        rows = []
        line = reader.line_num + 1
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((line, row))
            line = reader.line_num + 1
    except csv.Error as error:
        raise UsageError(f"{path}:{reader.line_num}: {error}") from None
    return [cell.strip() for cell in header], rows


def _header_problems(report: Report, header: Sequence[str]) -> Iterator[str]:
    """Columns that are unknown, twice or missing; and attributes that are called like a detail."""
    called = attribute_names(report)
    for name in DETAILS:
        if name in called:
            yield f"the report has an attribute '{name}', which a file cannot tell from the letter's; use --record"
    meant = [called.get(name, name) for name in header]
    for place, (name, means) in enumerate(zip(header, meant, strict=True)):
        if means in meant[:place]:
            yield f"the column '{name}' stands there twice"
        elif name not in called and name not in DETAILS:
            hint = did_you_mean(name, [*called, *DETAILS], listing="the columns")
            yield f"there is no attribute '{name}'; {hint}"
    for name in dict.fromkeys([*called.values(), "reference"]):
        if name not in meant:
            yield f"the column '{name}' is missing"


def _person_of_row(
    report: Report, called: Mapping[str, str], header: Sequence[str], row: Sequence[str]
) -> tuple[Person | None, list[str]]:
    """One row as a person, or None; and everything that is wrong with it."""
    if len(row) != len(header):
        return None, [f"{len(row)} entries, where the header has {len(header)}"]
    entries = {name: cell.strip() for name, cell in zip(header, row, strict=True)}
    record, problems = check_record(
        report, [(name, value) for name, value in entries.items() if name in called]
    )
    reference = entries["reference"]
    if not _REFERENCE.fullmatch(reference):
        problems.append(
            f"'{reference}' cannot name a folder; a reference has letters, digits, points, hyphens and spaces"
        )
    try:
        details = read_details(report, {name: entries.get(name) for name in DETAILS})
        if not problems:
            own_case(report, record)
    except UsageError as error:
        return None, [*problems, *str(error).splitlines()]
    return Person(record=record, details=details), problems


FORMATS = ("html", "pdf")

Make = Callable[[Person, Sequence[str]], dict[str, bytes]]
"""Makes the files of one letter in the formats asked for."""


Kind = Annotated[
    str | None,
    typer.Option(
        "--as",
        help=f"The kind of letter: {', '.join(kinds())}. Default: the one that the report's form is for.",
    ),
]

Language = Annotated[
    str | None,
    typer.Option(
        help="The language to write in, such as fr, if the folder holds the report in several. Default: the main one."
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
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            "--records",
            metavar="FILE",
            help="A CSV file of people: a column for each attribute, and reference; also date, salutation, outcome.",
        ),
    ] = None,
    outcome: Annotated[str | None, typer.Option(help="What was decided about the person.")] = None,
    reference: Annotated[str | None, typer.Option(help="The reference printed on the letter.")] = None,
    date: Annotated[
        str | None,
        typer.Option(help="The date printed on the letter, such as 2026-02-28."),
    ] = None,
    salutation: Annotated[str | None, typer.Option(help="Such as 'Dear Ms Example,'.")] = None,
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
