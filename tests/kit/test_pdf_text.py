"""The text of a PDF: whatever is drawn is read, however it is written, or the file is refused."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, StreamObject

from atreport.errors import NotAReport
from atreport.kit.pdf_text import Line, pdf_lines

TABLE = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap
1 begincodespacerange <0000> <ffff> endcodespacerange
3 beginbfchar
<0001> <0061>
<0002> <0062>
<0029> <00660069>
endbfchar
endcmap end end"""


def stream(data: bytes, **entries: object) -> StreamObject:
    """A stream with some entries in its dictionary."""
    made = StreamObject()
    made.set_data(data)
    for name, value in entries.items():
        made[NameObject(f"/{name}")] = value
    return made


def pdf(contents: bytes, drawing: bytes = b"") -> bytes:
    """A PDF of one page, with one font and one drawing that has no resources of its own."""
    writer = PdfWriter()
    page = writer.add_blank_page(width=100, height=100)
    font = DictionaryObject({NameObject("/ToUnicode"): writer._add_object(stream(TABLE))})
    form = stream(drawing, Subtype=NameObject("/Form"))
    page[NameObject("/Resources")] = DictionaryObject(
        {
            NameObject("/Font"): DictionaryObject({NameObject("/F"): font}),
            NameObject("/XObject"): DictionaryObject({NameObject("/X"): writer._add_object(form)}),
        }
    )
    page[NameObject("/Contents")] = writer._add_object(stream(contents))
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


@pytest.mark.parametrize(
    ("drawn", "texts"),
    [
        (b"<00010002> Tj", ["ab"]),
        (b"(\\000\\001\\000\\002) Tj", ["ab"]),
        (b"(\\000\\)) Tj", ["fi"]),
        (b"[<0001> -120 (\\000\\002)] TJ", ["ab"]),
        (b"<0001> '", ["a"]),
        (b'1 2 <0002> "', ["b"]),
        (b"<0001> Tj % <0002> Tj\n<0002> Tj", ["a", "b"]),
        (b"<0009> Tj", ["\ufffd"]),
    ],
)
def test_every_way_to_draw_text_is_read(drawn: bytes, texts: list[str]) -> None:
    """Hexadecimal and plain strings, arrays, moves to the next line; a comment is not drawn."""
    assert pdf_lines(pdf(b"BT /F 12 Tf " + drawn + b" ET")) == [[Line(text, chart=False) for text in texts]]


def test_text_of_drawings_and_figures_is_that_of_charts() -> None:
    """A drawing without fonts of its own uses those of the page, so its text can be seen, and is read."""
    drawn = b"/F 12 Tf /Figure <</MCID 1>> BDC <0001> Tj EMC /X Do <0002> Tj"
    found = pdf_lines(pdf(b"BT " + drawn + b" ET", b"BT /F 9 Tf <0002> Tj ET"))
    assert found == [[Line("a", chart=True), Line("b", chart=True), Line("b", chart=False)]]


@pytest.mark.parametrize(
    "drawn", [b"/G 12 Tf <0001> Tj", b"/Y Do", b"EMC", b"/F 12 Tf [<0001> TJ", b"/F 12 Tf 3 TJ"]
)
def test_what_cannot_be_read_is_refused(drawn: bytes) -> None:
    """A font or a drawing that is not there, and operators that make no sense, are no text to be passed over."""
    with pytest.raises(NotAReport, match="damaged"):
        pdf_lines(pdf(b"BT " + drawn + b" ET"))
