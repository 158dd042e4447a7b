"""A page beside the one made here: to the letter, and where other libraries may have drawn it, all but what they draw."""

import pytest

from atreport.verification.findings import Compared
from atreport.verification.rebuild import compare_page, first_difference

CHART = (
    '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 120 80"><title id="t">Rates</title>'
    '<defs><clipPath id="c"><rect x="10" y="20" width="100" height="50" /></clipPath></defs>'
    '<g><path d="M 20 30 L 60 40" clip-path="url(#c)" style="stroke: #123456" /></g>'
    '<text x="5" y="75" style="font-size: 9px">Women</text></svg>'
)
FONT = "A" * 1500
STYLE = f"<style>@font-face{{src:url(data:font/woff2;base64,{FONT}) format('woff2')}}</style>"
PAGE = f"{STYLE}<p>Before</p>{CHART}<p>Between</p>{CHART.replace('Rates', 'Gaps')}<p>After</p>"
OTHER: dict[str, tuple[str | None, str | None]] = {"matplotlib": ("3.9.1", "3.10.0"), "zlib": (None, "1.3")}


def compared(found: str, *, same: bool = False) -> Compared:
    """What is found on a page that other libraries made, or the same."""
    return compare_page(found.encode(), PAGE, {} if same else OTHER)


def test_the_same_bytes_are_enough_whatever_made_them() -> None:
    """Broken: a reader with a neighbouring version would be told that a page was not compared that was."""
    assert compared(PAGE) == compared(PAGE, same=True) == Compared()


@pytest.mark.parametrize(
    ("old", "new", "charts", "fonts"),
    [("L 60 40", "L 60 45", 2, 0), (">Women<", ">Men<", 2, 0), ("AA)", "AB)", 0, 1)],
)
def test_drawings_and_fonts_are_compared_with_the_same_libraries_alone(
    old: str, new: str, charts: int, fonts: int
) -> None:
    """Broken: a mark off its place or a font that shows other digits would pass, or an honest page be accused."""
    forged = PAGE.replace(old, new)
    assert forged != PAGE
    assert len(compared(forged, same=True).findings) == 1
    found = compared(forged)
    assert found.findings == []
    (missed,) = found.not_checked
    assert missed.part == "charts"
    assert f"Charts ({charts}) and fonts ({fonts}) of" in missed.what
    assert "matplotlib 3.9.1, zlib ?, and here is matplotlib 3.10.0, zlib 1.3" in missed.what
    assert "pip install matplotlib==3.9.1" in missed.what
    assert "pip cannot install zlib" in missed.what


@pytest.mark.parametrize(
    "forged",
    [
        PAGE.replace("Between", "Audited"),
        PAGE + "<p>More</p>",
        PAGE.replace("<p>After</p>", ""),
        PAGE.replace(CHART, ""),
        PAGE.replace(CHART, CHART + CHART),
        PAGE.replace(CHART, "\0chart\0"),
        PAGE.replace(CHART, "\0font\0"),
        PAGE.replace(FONT, ""),
        PAGE.replace(FONT, "\0font\0"),
        PAGE.replace(FONT, FONT + ") url(https://example.org"),
        PAGE.replace("</svg>", ""),
        PAGE.replace('class="chart"', 'class="map"'),
    ],
)
def test_everything_else_is_compared_to_the_letter(forged: str) -> None:
    """Broken: words could be changed, or a chart left out, in the name of another library."""
    assert forged != PAGE
    assert len(compared(forged).findings) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<title", "<script></script><title"),
        ("<title", '<image href="x" /><title'),
        ("<title", '<a href="https://example.org"><text>more</text></a><title'),
        ("<g>", '<g onload="x">'),
        ("<g>", '<g ONLOAD="x">'),
        ("<g>", "<g onload=x>"),
        ("<g>", '<g/onload="x">'),
        ("<g>", '<g><use xlink:href="https://example.org/x.svg#a" />'),
        ("<g>", "<g><style>p{display:none}</style>"),
        ("url(#c)", "url(http://x)"),
        ("stroke: #123456", "fill: URL(x)"),
        ("<text", "<!-- x --><text"),
        ("<text", "<foreignObject></foreignObject><text"),
        ("<text", "<animate></animate><text"),
        ("<text", '<set attributeName="opacity" to="0" /><text'),
        ("<text", "<?xml-stylesheet href='x'?><text"),
        ("<text", "<![CDATA[<p>]]><text"),
    ],
)
def test_a_chart_that_is_more_than_a_drawing_is_a_finding(old: str, new: str) -> None:
    """Broken: a chart that could not be compared could run, load or lead to something."""
    assert compared(PAGE.replace(old, new)).findings[0].startswith("report.html: chart 1 ")


def test_a_page_in_another_encoding_is_a_finding() -> None:
    """Broken: a browser could read other letters than were compared."""
    assert compare_page(PAGE.encode("utf-16"), PAGE, OTHER).findings


def test_the_first_difference_is_shown_with_what_stands_before_it() -> None:
    """Thirty characters before and what follows, or that there are more or fewer lines."""
    line = "a" * 50 + "X" + "b" * 60
    said = first_difference("f", ["same", line], ["same", line.replace("X", "Y")])
    assert said == f"f: says “{'a' * 30}X{'b' * 39}” where the figures give “{'a' * 30}Y{'b' * 39}”"
    assert first_difference("f", ["ab"], ["abc"]) == "f: says “ab” where the figures give “abc”"
    assert first_difference("f", ["a", "b"], ["a"]) == "f: has more lines than the figures give"
    assert first_difference("f", ["a"], ["a", "b"]) == "f: has fewer lines than the figures give"
