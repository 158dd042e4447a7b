"""Press a manuscript: make the PDF for print and archive, tagged and meant to be PDF/A-3a and PDF/UA-1 at once.

Guarantee: it fetches nothing, reads no clock, and is the same bytes on every run; a letter without a glyph is refused.
"""

import datetime as dt
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from xml.sax.saxutils import escape

from atreport.errors import MissingLibrary
from atreport.pages.layout import Layout

# Turn the tag tree that WeasyPrint writes into the one that PDF/UA asks for, in the file's own objects.
#
# WeasyPrint writes no scope for header cells, claims one standard at a time, and knows no identifier; all are
# added here just before the file is written.

_PDF_UA = b"""
  <rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" pdfuaid:part="1"/>
  <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
    xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
   <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
     <pdfaProperty:name>part</pdfaProperty:name>
     <pdfaProperty:valueType>Integer</pdfaProperty:valueType>
     <pdfaProperty:category>internal</pdfaProperty:category>
     <pdfaProperty:description>Which part of ISO 14289 the file conforms to</pdfaProperty:description>
    </rdf:li></rdf:Seq></pdfaSchema:property>
   </rdf:li></rdf:Bag></pdfaExtension:schemas>
  </rdf:Description>
"""

_KNOWN_BY = """
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/">{properties}</rdf:Description>
"""


def mark_header_scope(pdf: Any) -> None:
    """Say of each header cell whether it heads a column or a row: those in a table's head do the former."""
    for header in _elements(pdf, "TH"):
        row = _parent(pdf, header)
        in_head = _parent(pdf, row)["S"] == "/THead"
        header["A"]["Scope"] = "/Column" if in_head else "/Row"


def mark_languages(document: Any, pdf: Any) -> None:
    """Say in the tag tree which language a passage is in, where the page marks it with a span.

    WeasyPrint writes the language of the whole document only. It makes one element of each box of a span, in the order
    of the boxes; elements that hold nothing but text are its own.
    """
    boxes = [box for page in document.pages for box in _spans(page._page_box)]
    if not any("lang" in box.element.attrib for box in boxes):
        return
    elements = [each for each in _elements(pdf, "Span") if not any(isinstance(kid, int) for kid in each["K"])]
    if len(boxes) != len(elements):  # another version tags otherwise: better no language than a wrong one
        return
    for box, element in zip(boxes, elements, strict=True):
        if language := box.element.attrib.get("lang"):
            element["Lang"] = f"({language})"


_NOT_TAGGED = ("TextBox", "LineBox")
"""Boxes that belong to an element and are none themselves."""


def _spans(box: Any) -> Iterator[Any]:
    """The boxes of spans, in the order in which they are tagged."""
    box = getattr(box, "_box", box)
    if box.element is not None and box.element_tag == "span" and type(box).__name__ not in _NOT_TAGGED:
        yield box
    for child in getattr(box, "children", ()):
        yield from _spans(child)


def _add_metadata(pdf: Any, description: bytes) -> None:
    metadata = _object(pdf, pdf.catalog["Metadata"])
    text: bytes = metadata.stream[0]
    metadata.stream[0] = text.replace(b"</rdf:RDF>", description + b"</rdf:RDF>", 1)


def _elements(pdf: Any, kind: str) -> list[Any]:
    return [item for item in pdf.objects if isinstance(item, dict) and item.get("S") == f"/{kind}"]


def _parent(pdf: Any, element: Any) -> Any:
    return _object(pdf, element["P"])


def _object(pdf: Any, reference: Any) -> Any:
    """The object behind a reference such as `12 0 R`."""
    text = reference.decode("ascii") if isinstance(reference, bytes) else str(reference)
    return pdf.objects[int(text.split()[0])]


_INSTALL = """\
The PDF needs the Pango library, which is not on this machine (or the Python package weasyprint is not).
  Debian, Ubuntu  sudo apt-get install -y libpango-1.0-0 libpangoft2-1.0-0
  Fedora          sudo dnf install -y pango
  Alpine          sudo apk add pango ttf-dejavu
  macOS           brew install pango
Or build without it: --formats html,json"""

_NO_FONT = """\
No font on this machine has these characters of the spec: {letters}
  Debian, Ubuntu  sudo apt-get install -y fonts-noto-core fonts-noto-cjk
  Fedora          sudo dnf install -y google-noto-sans-fonts google-noto-sans-cjk-fonts
  Alpine          sudo apk add font-noto font-noto-cjk
  macOS           brew install --cask font-noto-sans
Or build without the PDF: --formats html,json"""


@dataclass(frozen=True)
class Attachment:
    """A file inside a PDF."""

    name: str
    content: bytes
    description: str


def render(
    manuscript: Layout,
    attachments: Sequence[Attachment] = (),
    *,
    day: dt.date | None = None,
    known_by: Mapping[str, str | None] | None = None,
) -> bytes:
    """A document as PDF; `day` is when the attachments were made, `known_by` what its metadata say of it, by property."""
    proof = manuscript.for_print()
    midnight = None if day is None else dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC)
    weasyprint = _weasyprint()
    fetcher = _data_only(weasyprint)

    def finish(document: Any, pdf: Any) -> None:
        _refuse_missing_letters(document)
        mark_header_scope(pdf)
        mark_languages(document, pdf)
        _add_metadata(pdf, _PDF_UA)  # beside the PDF/A that is said there already
        stated = ((name, text) for name, text in (known_by or {}).items() if text is not None)
        if properties := "".join(f"<{name}>{escape(text)}</{name}>" for name, text in stated):
            _add_metadata(pdf, _KNOWN_BY.format(properties=properties).encode())

    data: bytes = weasyprint.HTML(string=proof.page, url_fetcher=fetcher).write_pdf(
        pdf_variant="pdf/a-3a",
        # The embedded fonts are cut down already; cutting again would make the bytes depend on a system library.
        full_fonts=proof.has_every_glyph,
        finisher=finish,
        attachments=[
            weasyprint.Attachment(
                string=each.content,
                name=each.name,
                description=each.description,
                relationship="Data",
                created=midnight,
                modified=midnight,
                url_fetcher=fetcher,
            )
            for each in attachments
        ],
    )
    return data


def _data_only(weasyprint: Any) -> Any:
    """Everything a page needs is inside it, so nothing else may be opened."""
    return weasyprint.urls.URLFetcher(allowed_protocols={"data"}, allow_redirects=False)


def _refuse_missing_letters(document: Any) -> None:
    """An empty box in place of a letter would make the file invalid, and the reader guess."""
    missing = sorted({code for font in document.fonts.values() for code in font.missing})
    if missing:
        letters = " ".join(f"{chr(code)} (U+{code:04X})" for code in missing[:10])
        raise MissingLibrary(_NO_FONT.format(letters=letters))


def why_no_pdf() -> str | None:
    """Why no PDF can be made on this machine, and what to install; None where it can."""
    try:
        _weasyprint()
    except MissingLibrary as error:
        return str(error)
    return None


@cache
def _weasyprint() -> Any:
    """WeasyPrint, quiet; imported only here, because it takes a second and needs system libraries."""
    for name in ("weasyprint", "fontTools"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        import weasyprint
    except (ImportError, OSError) as problem:
        raise MissingLibrary(_INSTALL) from problem
    logging.getLogger("weasyprint").handlers.clear()
    return weasyprint
