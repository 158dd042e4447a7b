"""Words and numbers in the language that is spoken."""

import datetime as dt
from decimal import Decimal

import pytest

from atreport.text.language import (
    CATALOGUES,
    LANGUAGES,
    catalogue,
    count,
    get_locale,
    gettext,
    ngettext,
    use_locale,
)
from atreport.text.numbers import factor, long_date, percent, short, signed

NBSP = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["1,234,567", "67.5%", "0.0475", "2,025.5", "−4.75", "15 January 2026"]),
        (
            "fr",
            [f"1{NBSP}234{NBSP}567", f"67,5{NBSP}%", "0,0475", f"2{NBSP}025,5", "−4,75", "15 janvier 2026"],
        ),
        ("de", ["1.234.567", f"67,5{NBSP}%", "0,0475", "2.025,5", "−4,75", "15. Januar 2026"]),
        ("nl", ["1.234.567", "67,5%", "0,0475", "2.025,5", "−4,75", "15 januari 2026"]),
    ],
)
def test_numbers_and_dates_are_written_as_the_language_does(language: str, written: list[str]) -> None:
    """A French reader would take 1,234 for a little more than one; no digit may be rounded on the way."""
    with use_locale(language):
        assert written == [
            count(1_234_567),
            percent(Decimal("0.6750")),
            short(Decimal("0.04750")),
            factor(Decimal("2025.50")),
            signed(Decimal("-4.75")),
            long_date(dt.date(2026, 1, 15)),
        ]


def test_a_language_is_spoken_inside_its_block_only() -> None:
    """A message of an error, or the annex, would come out in the language of the report."""
    with use_locale("fr-CA"):
        assert get_locale() == "fr"
        with use_locale("en-GB"):
            assert get_locale() == "en"
        assert get_locale() == "fr"
    assert get_locale() == "en"


def test_every_language_has_a_catalogue() -> None:
    """A language that is offered but has no words would be English with another label."""
    assert {path.stem for path in CATALOGUES.glob("*.po")} == set(LANGUAGES) - {"en"}
    for language in LANGUAGES:
        catalogue(language)


def test_what_no_catalogue_has_is_said_in_english() -> None:
    """A missing translation would leave a hole in a published document."""
    with use_locale("fr"):
        assert gettext("No catalogue has {this}.", this="x") == "No catalogue has x."
        assert ngettext(2_000, "{number} zebra", "{number} zebras") == f"2{NBSP}000 zebras"


def test_the_first_of_a_month_is_an_ordinal_in_french() -> None:
    """CLDR writes 1 août, which no French reader does; other days and languages stay as they are."""
    with use_locale("fr"):
        assert [long_date(dt.date(2026, 8, day)) for day in (1, 11, 21)] == [
            "1er août 2026",
            "11 août 2026",
            "21 août 2026",
        ]
    with use_locale("nl"):
        assert long_date(dt.date(2026, 8, 1)) == "1 augustus 2026"
