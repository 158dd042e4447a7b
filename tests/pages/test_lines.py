"""Names are broken into lines by the width they have when they are drawn."""

from hypothesis import given
from hypothesis import strategies as st

from atreport.pages.panels import ELLIPSIS, broken, width


def test_width_is_that_of_the_letters() -> None:
    """Capitals need more room than they are letters, thin letters less; an accent above a letter needs none."""
    assert width("W" * 10) > 15
    assert width("i" * 10) < 6
    assert width("e\u0301") == width("e")
    assert width("\N{HIRAGANA LETTER A}") > width("W")  # not in the font
    assert abs(width("Gender: Women · Annual income: 100k-200k") - 40) < 1


def test_lines_break_between_words() -> None:
    """Between words and after hyphens of words; inside a word only where it has no room on any line."""
    assert broken("long-term care of 100k-200k people", 11) == ["long-term", "care of", "100k-200k", "people"]
    assert broken("long-term", 6) == ["long-", "term"]
    assert broken("100k-200k", 8) == ["100k-", "200k"]
    assert broken("-100000000", 8)[0].startswith("-1")
    assert broken("ii WWWWWW ii", 6) == ["ii", "WWW", "WWW", "ii"]
    assert broken("50\N{NO-BREAK SPACE}% of all", 6)[0] == "50\N{NO-BREAK SPACE}%"
    assert broken("", 6) == []


@given(st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" ")), st.integers(7, 40))
def test_no_line_is_wider_than_its_room(text: str, room: int) -> None:
    """Whatever a name looks like, its lines fit, and together they are the name."""
    lines = broken(text, room)
    assert all(width(line) <= room for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    short = broken(text, room, 2)
    assert all(width(line) <= room for line in short)
    if len(lines) > 2:
        assert len(short) == 2
        assert short[0] == lines[0]
        assert short[1].endswith(ELLIPSIS)
        assert lines[1].startswith(short[1].removesuffix(ELLIPSIS))
    else:
        assert short == lines
