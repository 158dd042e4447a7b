"""Say why a file could not be compared, and how it can be; and look whether it is dangerous to open.

A file that another library made has other bytes, and no reading of it can tell that what it shows is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

from atreport.kit.language import message, say
from atreport.kit.language.later import say_now
from atreport.kit.pdf import PdfContent
from atreport.pages.sheets.packing import NotPacked, unpack
from atreport.publication.generator import SYSTEM_LIBRARIES
from atreport.verification.findings import NotChecked, UncheckedPart

VERSION = re.compile(r"[0-9][0-9A-Za-z.+!-]{0,30}")
"""What a report may give as a version: it is shown in a command."""

_MADE_WITH = message("{what}: made with {made}, and here is {here}.")
_INSTALL = message("To compare it: pip install {libraries}")
_SYSTEM = message("pip cannot install {libraries}.")

_FOREIGN = message("has {what}, which no spreadsheet of a report has")
_SHEET_PARTS = re.compile(
    r"mimetype|(content|styles|meta)\.xml|META-INF/manifest\.xml"
    r"|\[Content_Types\]\.xml|_rels/\.rels|docProps/(app|core)\.xml|xl/(workbook|styles|sharedStrings)\.xml"
    r"|xl/theme/theme1\.xml|xl/(worksheets/sheet|tables/table)[0-9]+\.xml|xl/(worksheets/)?_rels/[a-z0-9]+\.xml\.rels"
)
_PREFIX = re.compile("{.*}")
_TAGS = re.compile(
    "f|definedNames?|oleObjects?|ddeLink|scripts?|event-listeners?|event|dde-.*|object(-ole)?|plugin|applet|floating-frame|forms?"
)
_ATTRIBUTES = {"formula", "TargetMode"}
"""What calculates, runs, calls or leads out of a spreadsheet; so does an `href` but to a place in it."""


def not_compared(
    part: UncheckedPart, what: str, differing: Mapping[str, tuple[str | None, str | None]]
) -> NotChecked:
    """That a file was not compared: which libraries differ, and how to have those that made it."""
    made, here = (
        ", ".join(f"{name} {(versions[which] or '?')[:30]}" for name, versions in differing.items())
        for which in (0, 1)
    )
    told = [say(_MADE_WITH, what=what, made=made, here=here)]
    pins = {
        name: made
        for name, (made, _) in differing.items()
        if name not in SYSTEM_LIBRARIES and made is not None and VERSION.fullmatch(made)
    }
    if system := [name for name in differing if name in SYSTEM_LIBRARIES]:
        told.append(say(_SYSTEM, libraries=", ".join(system)))
    if pins:  # last, so that it can be copied
        told.append(say(_INSTALL, libraries=" ".join(f"{name}=={made}" for name, made in pins.items())))
    return NotChecked(part=part, what=" ".join(told))


def pdf_dangers(read: PdfContent) -> Iterator[str]:
    """What makes a PDF dangerous to open."""
    for what in read.dangers:
        yield say("report.pdf: has {what}, which no PDF of a report has", what=say_now(what))


def sheet_dangers(name: str, content: bytes) -> Iterator[str]:
    """What makes a spreadsheet dangerous to open: foreign parts, formulas, scripts, links to elsewhere."""
    try:
        parts = unpack(content)
    except NotPacked as why:
        yield say("{where}: {what}", where=name, what=why)
        return
    for part, inside in parts.items():
        found = [part] if not _SHEET_PARTS.fullmatch(part) else _acts(inside) if part != "mimetype" else []
        for what in found:
            yield say("{where}: {what}", where=name, what=say(_FOREIGN, what=f"“{what[:60]}”"))


def _acts(part: bytes) -> Iterator[str]:
    """What in a part of a spreadsheet is more than words and numbers, each once."""
    if b"<!" in part or b"\0" in part:  # a declaration, or an encoding in which one could hide
        yield "<!"
        return
    try:
        elements = ElementTree.fromstring(part).iter()
    except (ElementTree.ParseError, ValueError, LookupError):
        yield part[:60].decode("utf-8", "replace")
        return
    tags: dict[str, None] = {}
    for element in elements:
        tags[_PREFIX.sub("", element.tag)] = None
        for key, value in element.items():
            name = _PREFIX.sub("", key)
            if name in _ATTRIBUTES or (name == "href" and not value.startswith("#")):
                yield f"{name}={value}"
                return
    yield from filter(_TAGS.fullmatch, tags)
