"""The text of a PDF beside the page it was set from."""

from __future__ import annotations

import pytest

from atreport.kit.pdf import Line
from atreport.verification.again.pdf_text import PageText, page_text, text_findings


def page(*texts: str) -> list[Line]:
    """The lines of a page."""
    return [Line(text, chart=False) for text in texts]


def expected(flow: str, *running: str) -> PageText:
    """A page of this text, with these texts in its margins."""
    text = PageText()
    text.flow, text.running = flow, set(running)
    return text


def test_a_margin_that_looks_like_the_next_words_is_no_finding() -> None:
    """A publisher called P, and a page that begins with "Part": the letter in the margin is not the page's first."""
    pages = [page("Theend", "P", "Page1of2"), page("Partofthat", "P", "Page2of2")]
    assert list(text_findings(pages, expected("TheendPartofthat", "P"))) == []


def test_words_like_a_margin_stay_words() -> None:
    """What stands in a margin once may also be the last line of the text, or all there is on a page without margins."""
    pages = [page("P"), page("See", "P", "P", "Page2of2")]
    assert list(text_findings(pages, expected("PSeeP", "P"))) == []


@pytest.mark.parametrize("changed", ["Partofthis", "Part", "PPartofthat"])
def test_changed_words_are_found_beside_margins(changed: str) -> None:
    """Setting margins aside hides no change to the words."""
    pages = [page("Theend", "P", "Page1of2"), page(changed, "P", "Page2of2")]
    assert list(text_findings(pages, expected("TheendPartofthat", "P")))


PRINTED = """\
<html><head><title>The report</title>
<meta name="author" content="An office"><meta name="viewport" content="width=device-width">
<meta name="description" content="What it says"><meta name="generator" content="atreport 1"></head>
<body><header data-running="An office">Ti&shy;tle</header>
<nav><a href="#one">One</a><a>None</a></nav>
<h2 id="one">First part</h2><p id="words">Some <em>words</em></p>
<svg id="chart"><title>Rates of women</title><g id="inside"><text>40 %</text></g></svg>
<table><thead><tr><th>Group</th></tr></thead><tbody id="rows"><tr><td>Men</td></tr></tbody></table>
<input name="author" content="Somebody else"><h3>Second part</h3></body></html>
"""


def test_a_page_is_read_as_it_is_set() -> None:
    """What it says about itself, its headings, charts, targets and tables: each is looked for in the PDF by itself."""
    read = page_text(PRINTED)
    assert read.about == {"Thereport", "Anoffice", "Whatitsays", "atreport1"}
    assert read.headings == {"Firstpart", "Secondpart"}
    assert read.spoken == {"Ratesofwomen"}
    assert read.running == {"Anoffice"}
    assert read.flow == "TitleOneNoneFirstpartSomewordsGroupMenSecondpart"
    assert read.charts == "40%"
    assert read.may_break == {2}
    assert read.contents == ["one", ""]
    assert read.contents_at == (len("Title"), len("TitleOneNone"))
    places = {
        "one": "TitleOneNone",
        "words": "TitleOneNoneFirstpart",
        "chart": "TitleOneNoneFirstpartSomewords",
    }
    body = "TitleOneNoneFirstpartSomewordsGroup"
    assert read.targets == {name: len(before) for name, before in places.items()} | {"rows": len(body)}
    assert read.tables == [(len(body), len(body) + 3, "Group")]


def test_what_a_pdf_has_beyond_the_page_is_known() -> None:
    """Margins and page numbers in any place, bullets, and the hyphen of a word that may be broken there."""
    text = expected("Breakable", "Anoffice")
    text.may_break = {5}
    for extra in ("Anoffice", "Page1of1", "•", "\u2010"):
        assert list(text_findings([page("Break", extra, "able")], text)) == [], extra


@pytest.mark.parametrize("extra", ["audited", "Page2of1", "-", "Anofficer"])
def test_any_other_words_are_a_finding(extra: str) -> None:
    """Inserted between the words of the page, they are named, with what belongs there."""
    (finding,) = text_findings([page("Break", extra, "able")], expected("Breakable", "Anoffice"))
    assert finding == f"report.pdf: page 1 says “{extra}” where report.json gives “able”"


def test_a_hyphen_where_no_word_may_be_broken_is_a_finding() -> None:
    """It could make another word, or a range of two numbers."""
    text = expected("Breakable")
    text.may_break = {4}
    assert list(text_findings([page("Break", "\u2010", "able")], text))


@pytest.mark.parametrize("kind", ["flow", "charts"])
def test_what_is_missing_at_the_end_is_told_by_its_first_letters(kind: str) -> None:
    """Sixty of them, of the text or of the charts."""
    text = PageText()
    setattr(text, kind, "begun" + "".join(f"{number:03}" for number in range(99)))
    (finding,) = text_findings([[Line("begun", chart=kind == "charts")]], text)
    missing = "".join(f"{number:03}" for number in range(20))
    assert finding == f"report.pdf: text is missing at the end: “{missing}”"
