"""Turn a published report and a person, or a file of people, into letters with their enclosures: files in memory.

A file of people has a row for each: a column for each attribute, under its name or its label, a column ``reference`` that
names the letter's folder, and, where wanted, ``date``, ``salutation`` and ``outcome``. Every row is checked before any
letter is made.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from atreport.errors import UsageError
from atreport.kit.language.spoken import LANGUAGES, primary
from atreport.pages.documents import letter_html, letter_pdf
from atreport.pages.letter_details import ENCLOSURE, LetterDetails, enclosed_data, read_details
from atreport.pages.notices import GDPR, compose_letter, letter_json
from atreport.pages.own_case import Record, attribute_names, check_record, own_case
from atreport.publish import PUBLIC
from atreport.report.model import Report
from atreport.report.published import read_published_report
from atreport.report.writer import json_bytes
from atreport.spec.problems import did_you_mean

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
            found, wrong = _person(report, called, header, row)
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


def _person(
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
