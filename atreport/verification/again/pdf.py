"""Compare a PDF with the one made again from the report's figures.

With the same libraries, byte for byte. Before that, and with other libraries instead of it, by a strict reading: nothing is
in the file that the PDF of a report does not have, and it says what the page says that it was set from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from atreport.errors import MissingLibrary
from atreport.kit.language import message, say
from atreport.kit.language.later import say_now
from atreport.kit.language.spoken import speaking
from atreport.kit.pdf import PdfContent
from atreport.kit.pdf.content import Picture, without_space
from atreport.publication.generator import (
    PDF_LIBRARIES,
    STYLE_LIBRARIES,
    name_generator,
    same_page_libraries,
    same_pdf_libraries,
)
from atreport.verification.again.pdf_text import PageText, page_text, text_findings
from atreport.verification.findings import Compared, NotChecked

if TYPE_CHECKING:
    from atreport.pages.documents import LaidOut

_NOT_THE_SAME = message(
    "report.pdf: is not, to the last byte, the file that the same program makes of the figures"
)
_OTHER_LIBRARIES = message(
    "How report.pdf is drawn: its charts, and where its words stand. It was set with {made}, and here is {here}. "
    "Its words, letters, attachments and links were checked, and that nothing else is in it."
)
_OTHER_FONTS = message(
    "How report.pdf is drawn: some of its characters are in none of the fonts of reports, so it depends on fonts of the "
    "machine where it was made. Its words, attachments and links were checked, and that nothing else is in it."
)
_PRODUCER = re.compile(r"WeasyPrint [0-9.]+")
_FIXED = {
    "3", "A", "1", "x-default", "Resource", "PDF/UA identification", "http://www.aiim.org/pdfua/ns/id/", "pdfuaid", "part",
    "Integer", "internal", "Which part of ISO 14289 the file conforms to",
}  # fmt: skip
"""What every PDF of a report says about itself."""


def compare_pdf(
    content: bytes,
    read: PdfContent,
    document: LaidOut,
    data: Mapping[str, bytes],
    generator: Mapping[str, str],
) -> Compared:
    """A PDF beside the document that belongs to its report."""
    page = page_text(document.printed_page())
    findings = [
        *foreign_findings(read),
        *_said_findings(read, page, document, data),
        *text_findings(read.pages, page, document.report.report.language),
        *_picture_findings(read, document),
    ]
    if findings:
        return Compared(findings)
    if not (same_page_libraries(generator) and same_pdf_libraries(generator)):
        return Compared(not_checked=[_not_compared(generator, name_generator(document.report.style))])
    try:
        made = document.pdf(data)
    except MissingLibrary:
        return Compared(not_checked=[NotChecked(part="pdf", what=say(_OTHER_FONTS))])
    if made == content:
        return Compared()
    if document.uses_other_fonts:
        return Compared(not_checked=[NotChecked(part="pdf", what=say(_OTHER_FONTS))])
    return Compared([say(_NOT_THE_SAME)])


def foreign_findings(read: PdfContent) -> Iterator[str]:
    """What is in a PDF that no PDF of a report has."""
    for what in read.foreign:
        yield say("report.pdf: has {what}, which no PDF of a report has", what=say_now(what))


def _picture_findings(read: PdfContent, document: LaidOut) -> Iterator[str]:
    """A PDF of a report has one picture at most: the logo on its cover, pixel by pixel."""
    logo = document.look.logo
    right = () if logo is None or not logo.pixels else (Picture(page=1, pixels=logo.pixels),)
    if read.pictures != right:
        yield say("report.pdf: has another picture than the logo that report.json names, or lacks it")


def _not_compared(generator: Mapping[str, str], here: Mapping[str, str]) -> NotChecked:
    """Which libraries differ, of those that make a PDF."""
    differ = [
        name
        for name in (
            "matplotlib",
            "fonttools",
            *PDF_LIBRARIES,
            *(each for each in STYLE_LIBRARIES if each in here),
        )
        if generator.get(name) != here.get(name) or name not in here
    ]
    made, found = (
        ", ".join(f"{name} {of[name][:20]}" for name in differ if name in of) or say("others")
        for of in (generator, here)
    )
    return NotChecked(part="pdf", what=say(_OTHER_LIBRARIES, made=made, here=found))


def _said_findings(
    read: PdfContent, page: PageText, document: LaidOut, data: Mapping[str, bytes]
) -> Iterator[str]:
    """What a PDF says besides its pages: it says what the page says, or what every PDF of a report does."""
    dates = f"D:{document.day:%Y%m%d}000000Z", f"{document.day.isoformat()}T00:00:00Z"
    with speaking(document.report.report.language):
        titles = [*map(document.attachment_title, data)]
    identity = document.identity.properties
    known = {*map(without_space, (*_FIXED, *dates, *data, *titles)), *page.about}
    known |= {without_space(text) for _, text in identity}
    said = {*read.metadata}
    for name, text in identity:
        if (name.partition(":")[2], text) not in said:
            yield say(
                "report.pdf: does not say “{text}” as {name} in its metadata", text=text[:80], name=name
            )
    targets = {*map(without_space, page.targets)}
    for name, text in read.metadata:
        if not _PRODUCER.fullmatch(text) and without_space(text) not in known:
            yield say("report.pdf: says “{text}” as {key} in its metadata", text=text[:80], key=name[:40])
    for kind, texts, right in (
        (message("report.pdf: says “{text}” among its bookmarks"), read.outline, page.headings),
        (message("report.pdf: says “{text}” in place of a chart"), read.spoken, page.spoken),
        (message("report.pdf: says “{text}” as the target of a link"), read.links, targets),
    ):
        for text in texts:
            if without_space(text) not in right:
                yield say(kind, text=text[:80])
