"""The pages of a PDF: whatever is drawn is read or named, and nothing hides text."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, NameObject, StreamObject

from atreport.kit.pdf.content import Gathered, Line
from atreport.kit.pdf.drawn import PageReader

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


def drawn(contents: bytes, drawing: bytes = b"") -> tuple[list[Line], list[str]]:
    """The lines of a page, and what is on it that no page of a report has."""
    found = Gathered()
    page = PdfReader(BytesIO(pdf(contents, drawing))).pages[0]
    lines = list(PageReader(page, 1, PageReader.budget(0), found).lines())
    return lines, [finding.removesuffix(" on page 1") for finding in found.foreign]


def text(glyphs: bytes, place: bytes = b"10 10", size: bytes = b"12") -> bytes:
    """A piece of text, set as reports set it."""
    return b"BT 1 0 0 1 " + place + b" Tm /F " + size + b" Tf " + glyphs + b" ET "


def figure(content: bytes) -> bytes:
    """Something inside a chart."""
    return b"/Figure <</MCID 1>> BDC " + content + b" EMC "


@pytest.mark.parametrize(
    ("glyphs", "read"),
    [
        (b"<00010002> Tj", "ab"),
        (b"[<0001> -120 <0002>] TJ", "ab"),
        (b"[<0001>0<0002>] TJ", "ab"),
        (b"<0029> Tj", "fi"),
        (b"<0009> Tj", "\ufffd"),
    ],
)
def test_text_as_reports_set_it_is_read(glyphs: bytes, read: str) -> None:
    """Strings of hexadecimal digits, alone and in arrays; a glyph without a letter shows as one."""
    assert drawn(text(glyphs)) == ([Line(read, chart=False)], [])


def test_text_of_figures_is_that_of_charts() -> None:
    """A drawing without fonts of its own uses those of the page, so its text can be seen, and is read."""
    lines, foreign = drawn(figure(text(b"<0001> Tj") + b"/X Do ") + text(b"<0002> Tj"), text(b"<0002> Tj"))
    assert lines == [Line("a", chart=True), Line("b", chart=True), Line("b", chart=False)]
    assert not foreign


@pytest.mark.parametrize(
    "content",
    [
        text(b"(ab) Tj"),
        text(b"<0001> '"),
        text(b"<0001> Tj % comment\n"),
        text(b"[<0001> 4000 <0002>] TJ"),
        b"BI /W 1 /H 1 ID \x00 EI ",
        b"/G 12 Tf",
        b"/Y Do",
        b"EMC",
        b"Q",
        b"[<0001> TJ",
        b"1 2 3 cm",
        figure(b"/X Do ") + b"<</ActualText (x)>>",
    ],
)
def test_what_is_written_in_another_way_is_refused(content: bytes) -> None:
    """Strings of letters, comments, pictures, and what makes no sense: two readers might read them in two ways."""
    with pytest.raises((ValueError, KeyError, IndexError, TypeError)):
        drawn(content)


FOREIGN = {
    "the operator “T*”": (b"BT T* ET ",),
    "the operator “Tz”": (b"BT 1 Tz ET ",),
    "invisible text": (b"3 Tr " + text(b"<0001> Tj"),),
    "paint over text": (
        text(b"<00010002> Tj") + b"1 1 1 rg 0 0 90 40 re f ",
        text(b"<00010002> Tj") + figure(b"1 1 1 rg 0 0 90 40 re f "),
        text(b"<00010002> Tj") + b"1 1 1 RG 30 w 0 12 m 90 12 l S ",
        b"q 2 0 0 2 0 0 cm " + text(b"<00010002> Tj") + b"Q 1 1 1 rg 20 20 90 40 re f ",
    ),
    "a drawing outside charts": (b"/X Do ", b"0 0 m 1 1 2 2 3 3 c f ", b"0 0 9 9 re B "),
    "text in the colour of its ground": (
        b"1 1 1 rg " + text(b"<0001> Tj"),
        b"0 0 0.2 rg 0 0 90 90 re f 0 0 0 rg " + text(b"<0001> Tj"),
    ),
    "text outside of what is seen": (
        text(b"<0001> Tj", b"200 10"),
        b"q 50 50 9 9 re W n " + text(b"<0001> Tj") + b"Q ",
    ),
    "text too small or too large to be read": (
        text(b"<0001> Tj", size=b"1"),
        text(b"<0001> Tj", size=b"300"),
        b"0.1 0 0 0.1 0 0 cm " + text(b"<0001> Tj"),
    ),
    "content that can be switched off": (b"/Span /MC0 BDC EMC ",),
    "content marked as “OC”": (b"/OC <</MCID 1>> BDC EMC ",),
    "content with another text for those who listen": (b"/Span <</MCID 1 /E 2>> BDC EMC ",),
    "a drawing that does not end": (b"q ",),
}


@pytest.mark.parametrize(
    ("named", "content"), [(named, content) for named, contents in FOREIGN.items() for content in contents]
)
def test_what_hides_or_replaces_text_is_named(named: str, content: bytes) -> None:
    """Each trick by its name; the page is read all the same."""
    assert named in drawn(content)[1]


def test_grounds_and_rules_before_text_are_no_finding() -> None:
    """A coloured field below text, a thin line through it, white text on a dark field."""
    dark = b"0 0 0.3 rg 0 0 90 40 re f 1 1 1 rg "
    underlined = text(b"<00010002> Tj") + b"0 0 0 rg 10 9 20 0.8 re f 0 0 0 RG 0 12 m 90 12 l S "
    assert drawn(dark + underlined)[1] == []


def test_drawings_that_call_each_other_end() -> None:
    """A drawing that uses itself, and one that would be drawn a billion times."""
    with pytest.raises(ValueError, match="without end"):
        drawn(figure(b"/X Do "), b"/X Do")
    with pytest.raises(ValueError, match="more operators"):
        drawn(figure(b"/X Do " * 1000), b"q Q " * 2000)
