"""Compare a page with the one made again from the report's figures.

Guarantee: every byte is compared. Where other libraries may have drawn it, every byte but the drawings of charts and the
files of fonts: structure, attributes, style, script, content policy, every word. Those two are cut out of both pages alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from atreport.kit.language import message, say
from atreport.verification.again.uncompared import not_compared
from atreport.verification.findings import Compared

_SHOWN = 70
_CHART = re.compile(r'<svg xmlns="http://www.w3.org/2000/svg" [^>]*class="chart".*?</svg>', re.DOTALL)
_FONT = re.compile(r"(?<=;base64,)[A-Za-z0-9+/]{1000,}={0,2}(?=\) format\()")
_PLAIN_CHART = re.compile(
    r"(?:[^<]|</?(?:svg|title|defs|g|path|use|text|clipPath|rect)"
    r"(?: (?:(?!(?i:on|href))[A-Za-z-]+|xmlns:xlink|xlink:href(?==\"#))=\"[^\"<>&\\\\]*\")* ?/?>)*"
)
_CALLS = re.compile(r"url\((?!#)", re.IGNORECASE)
_NOT_COMPARED = message(
    "Charts ({charts}) and fonts ({fonts}) of report.html, which can show other figures than its words do"
)


def compare_page(page: bytes, made: str, differing: Mapping[str, tuple[str | None, str | None]]) -> Compared:
    """A page as found beside the same made here; `differing` are the libraries that may have drawn it otherwise."""
    try:
        found = page.decode("utf-8")
    except UnicodeDecodeError:
        return Compared([say("report.html: is not written in UTF-8, as every page is")])
    if found == made:
        return Compared()
    if not differing:
        return Compared([_difference(found, made)])
    (found_words, found_cut), (made_words, made_cut) = map(_cut, (found, made))
    if "\0" in found or found_words != made_words:
        return Compared([_difference(found_words, made_words)])
    result = Compared()
    for number, chart in enumerate((each for each in found_cut if each.startswith("<")), start=1):
        if not _PLAIN_CHART.fullmatch(chart) or _CALLS.search(chart):
            result.findings.append(
                say("report.html: chart {number} {what}", number=number, what=say("is more than a drawing"))
            )
    unlike = [one for one, other in zip(found_cut, made_cut, strict=True) if one != other]
    charts = sum(each.startswith("<") for each in unlike)
    what = say(_NOT_COMPARED, charts=charts, fonts=len(unlike) - charts)
    result.not_checked.append(not_compared("charts", what, differing))
    return result


def _cut(page: str) -> tuple[str, list[str]]:
    """A page with a mark, which no page has, in place of each chart and of each file of a font; and what was cut out."""
    cut: list[str] = []

    def hole(kind: str, found: re.Match[str]) -> str:
        cut.append(found[0])
        return f"\0{kind}\0"

    for kind, pattern in (("chart", _CHART), ("font", _FONT)):
        page = pattern.sub(partial(hole, kind), page)
    return page, cut


def _difference(found: str, made: str) -> str:
    """The first tag or text in which two pages differ."""
    pieces = (re.split(r"(?<=>)", page) for page in (found, made))
    return first_difference("report.html", *pieces)


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
