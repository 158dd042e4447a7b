"""What a strict reading of a spreadsheet has in common: parts that must be there, tags and attributes that may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from xml.etree import ElementTree

from atreport.kit.language import say
from atreport.pages.sheets.workbook import MOST_DIGITS, Entry, Workbook, printed

Element = ElementTree.Element


class Foreign(Exception):
    """What is in a file that no spreadsheet of a report has, in words."""


@dataclass(frozen=True)
class ReadSheet:
    """A sheet as it was found: numbers with the decimals with which they are shown."""

    name: str
    rows: tuple[tuple[Entry, ...], ...]


@dataclass(frozen=True)
class ReadBook:
    """What was found, and the version of the library that the file names."""

    sheets: tuple[ReadSheet, ...]
    made_with: str


def room_for(book: Workbook) -> int:
    """More bytes than any library takes for these sheets."""
    entries = [printed(entry) for sheet in book.sheets for row in sheet.rows for entry in row]
    return 1_000_000 + 1_000 * len(entries) + 40 * sum(map(len, entries))


def parse(content: bytes, part: str) -> Element:
    """A part as XML without comments, declarations of types or entities."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise Foreign(say("{part} in it is no text", part=part)) from None
    if "<!" in text or text.count("<?") > 1 or "\0" in text:
        raise Foreign(
            say(
                "{part} in it has a comment or a declaration, which no spreadsheet of a report has", part=part
            )
        )
    try:
        return ElementTree.fromstring(text.encode())
    except (ElementTree.ParseError, ValueError):
        raise Foreign(say("{part} in it cannot be read", part=part)) from None


def strictly(root: Element, known: Mapping[str, frozenset[str]], part: str) -> Iterator[Element]:
    """Every element of a part, which may have these tags with these attributes and no others."""
    for element in root.iter():
        tag = plain_name(element.tag)
        if tag not in known:
            raise Foreign(
                say("has “{name}” in {part}, which no spreadsheet of a report has", name=tag[:40], part=part)
            )
        for name in element.attrib:
            if plain_name(name) not in known[tag]:
                raise Foreign(
                    say(
                        "has “{name}” of “{tag}” in {part}, which no spreadsheet of a report has",
                        name=plain_name(name)[:40],
                        tag=tag,
                        part=part,
                    )
                )
        yield element


def plain_name(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]


def attribute(element: Element, name: str) -> str:
    """An attribute by its plain name; an empty text where it is not there."""
    return next((value for key, value in element.attrib.items() if plain_name(key) == name), "")


def number(text: str, decimals: int) -> Entry:
    """The number that a cell holds, with the decimals with which it is shown; the text itself where they do not fit."""
    try:
        found = Decimal(text)
        if not found.is_finite() or len(text) > 40 or decimals > 30:
            return text
        shown = found.quantize(Decimal(1).scaleb(-decimals))
    except InvalidOperation:
        return text
    # A file may hold the nearest number that a computer calculates with, of which 15 digits count.
    if found != shown and float(found) != float(shown):
        return text
    if len(shown.as_tuple().digits) > MOST_DIGITS:
        return text
    return int(shown) if decimals == 0 else shown


def known(text: str) -> Mapping[str, frozenset[str]]:
    """Tags with their attributes, as they are written here: one line each."""
    rows = (line.split() for line in text.strip().splitlines())
    return {tag: frozenset(names) for tag, *names in rows}
