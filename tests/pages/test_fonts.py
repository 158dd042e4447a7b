"""Fonts: cut down, inside the page, the same bytes each time, and never a reason to fail."""

import base64
import io

import pytest
from fontTools.ttLib import TTFont
from markupsafe import Markup

from atreport.pages import layout
from tests.finding import all_found

PACKINGS: tuple[layout.Packing, ...] = ("woff2", "truetype")


def embedded(css: str) -> list[TTFont]:
    """The fonts in a style sheet."""
    return [TTFont(io.BytesIO(base64.b64decode(data))) for data in all_found(r"base64,([^)]+)\)", css)]


@pytest.mark.parametrize("packing", PACKINGS)
def test_only_the_glyphs_used_are_kept(packing: layout.Packing) -> None:
    """Each font has the text's letters and few others."""
    found = layout.embed_fonts("Żłw β ≥ 1", packing)
    assert found.complete
    for font in embedded(found.css):
        letters = set(font.getBestCmap())
        assert set(map(ord, "Żłwβ≥1")) <= letters
        assert len(letters) < 160


def test_letters_of_western_languages_come_together() -> None:
    """Two texts with other accents have the same fonts, so that many reports of one run are cut once; others have none."""
    french, german = (layout.embed_fonts(text) for text in ("déjà vu", "Größe"))
    assert french == german
    assert not any(ord("é") in font.getBestCmap() for font in embedded(layout.embed_fonts("Żłw").css))


def test_letters_are_kerned() -> None:
    """A V moves under an A: without the table of pairs there are holes in headings."""
    for font in embedded(layout.embed_fonts("AV").css):
        assert "kern" in {record.FeatureTag for record in font["GPOS"].table.FeatureList.FeatureRecord}


def test_same_text_gives_the_same_bytes() -> None:
    """The order of the letters and of the calls does not matter, nor does the clock."""
    first = [layout.embed_fonts("Ωmega ő", packing) for packing in PACKINGS]
    layout._cut_down.cache_clear()
    layout._packed.cache_clear()
    assert [layout.embed_fonts("ő Ωmega", packing) for packing in PACKINGS] == first


def test_a_letter_no_font_has_is_said() -> None:
    """The page still gets its fonts; the reader's own fonts fill in."""
    found = layout.embed_fonts("日本")
    assert not found.complete
    assert found.css.count("@font-face") == 3


def test_missing_packages_leave_the_system_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the font packages there is no @font-face, and no error."""
    monkeypatch.setattr(layout, "find_spec", lambda _: None)
    assert layout.embed_fonts("text") == layout.EmbeddedFonts("", False)


def test_a_letter_and_its_accent_are_drawn_as_one() -> None:
    """Text from a Mac often has é as two characters: without the letter with its accent in the font, the accent stands beside it."""
    for font in embedded(layout.embed_fonts("e\N{COMBINING ACUTE ACCENT}clair").css):
        assert ord("é") in font.getBestCmap()


def test_very_long_words_of_tables_may_break() -> None:
    """A label of a hundred letters without a blank ran off the printed page, and the check of the PDF called it hidden text."""
    assert layout._breakable("Annual income <100k") == "Annual income <100k"
    broken = layout._breakable("x " + "W" * 30)
    assert str(broken).count("<wbr>") == 3
    assert Markup(str(broken)).striptags() == "x " + "W" * 30
    assert "<b>" not in str(layout._breakable("<b>" + "W" * 30))
