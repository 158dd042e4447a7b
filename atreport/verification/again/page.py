"""Compare a page with the one made again from the report's figures.

Guarantee: with the same libraries every byte is compared. With others, every byte but the drawings of charts and the files
of fonts: structure, attributes, style, script, content policy, every word. Charts and fonts are compared by what they show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from atreport.kit.language import message, say
from atreport.kit.strangers.bounded_process import TookTooMuch, run_bounded
from atreport.kit.strangers.font_comparison import pack_fonts
from atreport.verification.again.charts import compare_charts
from atreport.verification.findings import Compared, NotChecked

_SHOWN = 70
_HOLE = re.compile(
    r'<svg xmlns="http://www.w3.org/2000/svg" [^>]*class="chart".*?</svg>'
    r"|(?<=;base64,)[A-Za-z0-9+/]{1000,}={0,2}(?=\) format\()",
    re.DOTALL,
)
"""In a page made here: a chart, or the file of a font."""
_END = "</svg>"
_SAME_FONTS = "atreport.kit.strangers.font_comparison:same_fonts"
_DRAWN_OTHERWISE = message(
    "How {number} of the {total} charts of report.html are drawn: with matplotlib {made} for the report and {here} here, "
    "labels and lines do not fall on the same places. Their words and every part they are made of were compared."
)


def compare_page(page: bytes, made: str, *, same_libraries: bool, drawn_with: tuple[str, str]) -> Compared:
    """A page as found beside the same made here; `drawn_with` are the versions of matplotlib, there and here."""
    try:
        found = page.decode("utf-8")
    except UnicodeDecodeError:
        return Compared([say("report.html: is not written in UTF-8, as every page is")])
    if found == made:
        return Compared()
    if same_libraries:
        pieces = (re.split(r"(?<=>)", text) for text in (found, made))
        return Compared([first_difference("report.html", *pieces)])
    return _compare_around_charts(found, made, drawn_with)


def _compare_around_charts(found: str, made: str, drawn_with: tuple[str, str]) -> Compared:
    place, charts, unlike, result = 0, 0, 0, Compared()
    fonts: list[tuple[str, str]] = []
    for literal, hole in _pieces(made):
        if not found.startswith(literal, place):
            result.findings.append(
                first_difference("report.html", [found[place : place + len(literal)]], [literal])
            )
            return result
        place += len(literal)
        if hole.startswith("<svg"):
            end = found.find(_END, place) + len(_END)
            outcome = compare_charts(found[place:end], hole)
            charts += 1
            unlike += not outcome.compared
            if outcome.finding is not None:
                result.findings.append(
                    say("report.html: chart {number} {what}", number=charts, what=outcome.finding)
                )
            place = max(end, place)
        elif hole:
            theirs = re.compile(r"[A-Za-z0-9+/]*={0,2}").match(found, place)
            fonts.append((theirs[0] if theirs else "", hole))
            place += len(fonts[-1][0])
    if place != len(found):
        result.findings.append(say("report.html: goes on where the page of these figures ends"))
    result.findings += _font_findings(fonts)
    if unlike:
        what = say(_DRAWN_OTHERWISE, number=unlike, total=charts, made=drawn_with[0], here=drawn_with[1])
        result.not_checked.append(NotChecked(part="charts", what=what))
    return result


def _pieces(made: str) -> Iterator[tuple[str, str]]:
    """The page in pieces that must be there to the letter, each with the chart or font after it; none after the last."""
    place = 0
    for hole in _HOLE.finditer(made):
        yield made[place : hole.start()], hole[0]
        place = hole.end()
    yield made[place:], ""


def _font_findings(fonts: list[tuple[str, str]]) -> list[str]:
    """Where letters look otherwise than those of the fonts that belong to the page: a 7 can be drawn as a 1."""
    unlike = [pair for pair in fonts if pair[0] != pair[1]]
    if not unlike:
        return []
    finding = say("report.html: a font in it does not draw the letters that belong to it")
    if any(len(found) > 4 * len(made) for found, made in unlike):
        return [finding]
    try:
        same = run_bounded(_SAME_FONTS, pack_fonts(unlike), seconds=8, megabytes=500) == b"1"
    except TookTooMuch:
        same = False
    return [] if same else [finding]


def first_difference(name: str, found: list[str], made: list[str]) -> str:
    """The first place at which a file says something else than the figures give."""
    for here, there in zip(found, made, strict=False):
        if here != there:
            pairs = zip(here, there, strict=False)
            start = next(
                (i for i, pair in enumerate(pairs) if pair[0] != pair[1]), min(len(here), len(there))
            )
            begin = max(0, start - 30)
            shown = [text[begin : begin + _SHOWN].strip() for text in (here, there)]
            return say(
                "{name}: says “{found}” where the figures give “{given}”",
                name=name,
                found=shown[0],
                given=shown[1],
            )
    if len(found) > len(made):
        return say("{name}: has more lines than the figures give", name=name)
    return say("{name}: has fewer lines than the figures give", name=name)
