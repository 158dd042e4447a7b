"""Room for charts: names are broken by the width they are drawn with, and a chart with rows stands on one printed page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atreport.pages.panels import (
    ELLIPSIS,
    MAX_MARKS,
    Dots,
    Mark,
    broken,
    fit,
    height,
    names_fit_across,
    rows_that_fit,
    width,
    wrapped,
)

LONG = (
    "Gender: Women · Annual income: 100k-200k · Highest level of education: upper secondary · Region: north"
)


def test_a_long_name_keeps_all_its_parts() -> None:
    """Every value stays with its attribute, and lines break between them."""
    lines = wrapped(LONG).split("\n")
    assert " · ".join(lines[:1]) == "Gender: Women · Annual income: 100k-200k"
    assert lines[-1].endswith("Region: north")
    assert all(width(line) <= 40 for line in lines)
    assert "…" not in wrapped(LONG)
    assert wrapped(" · ".join(f"An attribute number {i}: its value" for i in range(9))).endswith(" …")


@pytest.mark.parametrize("label", ["F", "a label of so many words that it takes two lines", LONG])
def test_a_chart_with_rows_stands_on_one_page(label: str) -> None:
    """As many rows as are said to fit are no higher than a page of A4, whatever they are called."""
    number = rows_that_fit([label])
    marks = tuple(Mark(label, 0.5, 0.4, 0.6) for _ in range(number))
    assert 8 <= number <= MAX_MARKS
    assert height(Dots(marks=marks, axis="x")) <= 9.0
    assert fit([label] * number)
    assert not fit([label] * (number + 1))


def test_many_values_stand_below_one_another() -> None:
    """Side by side stand few values, or short ones; a word is never cut to make room."""
    assert names_fit_across(["a very long name of a value"] * 4)
    assert names_fit_across(["2019", "2020", "2021", "2022", "2023"])
    assert not names_fit_across([f"Administration {i}" for i in range(10)])
    assert not names_fit_across([f"Value {i}" for i in range(40)])


def test_a_name_of_wide_letters_takes_more_lines() -> None:
    """Lines are as wide as they are drawn, not as many letters long; a name that is cut short says so within its width."""
    lines = wrapped("W" * 200).split("\n")
    assert len(lines) == 4
    assert lines[-1].endswith(" …")
    assert all(width(line) <= 40 for line in lines)
    assert not names_fit_across(["W" * 12] * 5)
    assert names_fit_across(["i" * 12] * 5)


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
