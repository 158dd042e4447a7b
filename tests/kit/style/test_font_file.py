"""Fonts by file: is what is published outlines alone, and is a font refused that may not be published, or that lies?"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from atreport.kit.fonts import HEADING, STRONG, TEXT
from atreport.kit.style.font_file import MOST_GIVEN, NotAFont, font_problem, published_font
from atreport.kit.style.font_reading import prepare, refuse_foreign
from atreport.kit.style.glyph_shapes import other_looks
from tests.styled import FONTS, font

SANS = "DejaVuSans.ttf"
SLOW = pytest.mark.slow


def glyph(read: Any, letter: str) -> str:
    """What a font calls a letter."""
    return str(read.getBestCmap()[ord(letter)])


def changed(change: Callable[[Any], object], content: bytes = font(SANS)) -> bytes:
    """A font in which something was changed."""
    buffer = io.BytesIO()
    with TTFont(io.BytesIO(content), recalcTimestamp=False) as read:
        change(read)
        read.save(buffer)
    return buffer.getvalue()


def swap(one: str, other: str) -> Callable[[Any], None]:
    """Draw one character as another, in every map of the font."""

    def change(read: Any) -> None:
        for table in read["cmap"].tables:
            if ord(one) in table.cmap and ord(other) in table.cmap:
                table.cmap[ord(one)] = table.cmap[ord(other)]

    return change


def set_(table: str, name: str, value: object) -> Callable[[Any], None]:
    """Set an entry of a table."""
    return lambda read: setattr(read[table], name, value)


def without_letters(read: Any) -> None:
    """Take the letter q out of every map."""
    for table in read["cmap"].tables:
        table.cmap.pop(ord("q"), None)


def without_a_table(read: Any) -> None:
    """Take out what says how a font may be used."""
    del read["OS/2"]


def two_maps(read: Any) -> None:
    """A second map in which 7 is drawn as 1: which one is used depends on the program."""
    best = read.getBestCmap()
    other = next(each for each in read["cmap"].tables if each.isUnicode() and each.cmap is not best)
    other.cmap[ord("7")] = best[ord("1")]


def no_room(read: Any) -> None:
    """A letter that takes no room, so that the next one stands on it."""
    read["hmtx"][glyph(read, "7")] = (0, 0)


def blank(read: Any) -> None:
    """A decimal point that is not drawn."""
    read["glyf"][glyph(read, ".")] = TTGlyphPen(None).glyph()


def far_away(read: Any) -> None:
    """A letter that is drawn over the line above."""
    drawn = read["glyf"][glyph(read, "q")]
    drawn.coordinates.translate((0, 4000))
    drawn.recalcBounds(read["glyf"])


def as_opentype() -> bytes:
    """The letters of a report as an OpenType font with cubic outlines."""
    assert TEXT.path is not None
    with TTFont(TEXT.path) as source:
        cmap, glyphs = source.getBestCmap(), source.getGlyphSet()
        kept = {code: name for code, name in cmap.items() if 0x20 <= code < 0x7F}
        order = [".notdef", *dict.fromkeys(kept.values())]
        build = FontBuilder(source["head"].unitsPerEm, isTTF=False)
        build.setupGlyphOrder(order)
        build.setupCharacterMap(kept)
        strings = {}
        for name in order:
            pen = T2CharStringPen(source["hmtx"][name][0], glyphs)
            glyphs[name].draw(pen)
            strings[name] = pen.getCharString()
        build.setupCFF("Test", {}, strings, {})
        build.setupHorizontalMetrics({name: source["hmtx"][name] for name in order})
        build.setupHorizontalHeader(ascent=source["hhea"].ascent, descent=source["hhea"].descent)
        build.setupNameTable({"familyName": "Test", "styleName": "Regular"})
        build.setupOS2(fsType=0)
        build.setupPost()
        buffer = io.BytesIO()
        build.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "name", [FONTS["text"], *(pytest.param(name, marks=SLOW) for name in ("STIXGeneral.ttf", "cmr10.ttf"))]
)
def test_a_free_font_is_published_as_outlines_alone(name: str) -> None:
    """Broken: no font could be used, or programs and exchanges of letters would travel with it."""
    made = published_font(font(name))
    assert font_problem(made) is None
    with TTFont(io.BytesIO(made)) as read:
        assert not {"GSUB", "GPOS", "fpgm", "prep", "cvt ", "kern", "DSIG"} & {*read.keys()}
        assert ord("q") in read.getBestCmap()
    assert published_font(font(name)) == made


def test_outlines_of_opentype_become_those_of_truetype() -> None:
    """Broken: half of the fonts that publishers have could not be used."""
    made = published_font(as_opentype())
    assert made[:4] == b"\0\1\0\0"
    assert font_problem(made) is None


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no TrueType or OpenType"),
        (b"wOF2" + bytes(100), "no TrueType or OpenType"),
        (b"ttcf" + bytes(100), "no TrueType or OpenType"),
        (font(SANS)[:20_000], "damaged"),
        (changed(without_a_table), "damaged"),
        (b"\0\1\0\0" + bytes(500), "no letters"),
        (b"\0\1\0\0" + bytes(MOST_GIVEN), "bytes"),
    ],
    ids=["empty", "WOFF2", "collection", "half", "no table", "zeros", "large"],
)
def test_other_files_are_refused(content: bytes, says: str) -> None:
    """Broken: a build would end in a traceback, or take all memory."""
    with pytest.raises(NotAFont, match=says):
        published_font(content)
    assert font_problem(content)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (set_("OS/2", "fsType", 0x0002), "forbid embedding"),
        pytest.param(set_("OS/2", "fsType", 0x0004), "print and preview only", marks=SLOW),
        pytest.param(set_("OS/2", "fsType", 0x0008), "in documents only", marks=SLOW),
        pytest.param(set_("OS/2", "fsType", 0x0100), "forbid cutting", marks=SLOW),
        pytest.param(set_("OS/2", "fsType", 0x0200), "pictures of letters", marks=SLOW),
        (set_("hhea", "ascent", 30_000), "lines are much higher"),
        (without_letters, "lacks q"),
        (two_maps, "one character as two different letters"),
        (no_room, "its 7 takes no room"),
        (far_away, "its q is drawn far from its place"),
        (blank, "its . looks like another sign, or like nothing"),
        (swap("7", "1"), "its 7 looks like another"),
        pytest.param(swap("6", "9"), "its 6 looks like another", marks=SLOW),
        (swap(",", "."), "looks like another"),
        pytest.param(swap("-", "+"), "its - looks like another", marks=SLOW),
    ],
)
def test_a_font_that_may_not_be_published_or_that_lies_is_refused(
    change: Callable[[Any], object], says: str
) -> None:
    """Broken: a licence would be broken, or a page could show 1 where 7 is read; as given, and as published."""
    with pytest.raises(NotAFont, match=says):
        prepare(changed(change))
    with pytest.raises(NotAFont, match=says):
        refuse_foreign(changed(change, published_font(font(SANS))))


def test_a_published_font_holds_nothing_else() -> None:
    """Broken: whoever checks a report would open a font with programs, or with letters that exchange each other."""
    with pytest.raises(NotAFont, match="it holds something besides outlines and widths of letters"):
        refuse_foreign(font(SANS))


def test_the_digits_of_reports_look_like_themselves_and_like_no_other() -> None:
    """Broken: the comparison would refuse honest fonts, or accept any."""
    for face in (TEXT, STRONG, HEADING):
        assert face.path is not None
        with TTFont(face.path) as read:
            assert not list(other_looks(read))
    with TTFont(io.BytesIO(published_font(font(SANS)))) as read:
        table = read.getBestCmap()
        right = dict(table)
        for one in map(ord, "0123456789"):
            for other in {*map(ord, "0123456789")} - {one}:
                table[one] = right[other]
                assert list(other_looks(read)) == [chr(one)]
            table[one] = right[one]
