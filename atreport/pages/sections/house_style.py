"""The publisher's house style in pages: colours, logo, words of the cover, own sections.

A function of the Report and of the files that it names.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping

from atreport.kit.style.colour import accent_grounds, nearest_readable, page_colours
from atreport.kit.style.look import PLAIN, Logo, Look, OwnPart
from atreport.kit.style.markdown import markdown_html
from atreport.pages.cover import paragraphs
from atreport.report.model import Report
from atreport.report.style import PublishedColours, PublishedSection


def make_look(report: Report, files: Mapping[str, bytes]) -> Look:
    """How a report looks; `files` holds all that its house style names."""
    style = report.style
    if style is None:
        return PLAIN
    logo = None
    if style.logo is not None:
        content = files[style.logo.file]
        picture = base64.b64encode(content).decode("ascii")
        kind = "png" if style.logo.file.endswith(".png") else "svg+xml"
        logo = Logo(address=f"data:image/{kind};base64,{picture}", alt=style.logo.alt)
    colours = style.colours or PublishedColours()
    return Look(
        colours=_style_sheet(colours),
        chart_accent=colours.accent or "",
        logo=logo,
        cover=paragraphs(style.cover),
        sections=tuple(
            _own_part(number, section) for number, section in enumerate(style.sections or (), start=1)
        ),
    )


def _style_sheet(colours: PublishedColours) -> str:
    """Rules in place of some in templates/colours.css. In the dark the accent is made light enough to be read there."""
    rules: list[str] = []
    if colours.accent is not None:
        dark = nearest_readable(colours.accent, accent_grounds(dark=True))
        rules.append(f":root {{ --accent: {colours.accent}; --chart-accent: {colours.accent}; }}")
        rules.append(
            "@media screen and (prefers-color-scheme: dark) { "
            f":root {{ --accent: {dark}; --chart-accent: {dark}; }} }}"
        )
    if colours.band is not None:
        edge = colours.accent or page_colours(dark=False)["accent"]
        white = page_colours(dark=False)["on-navy"]
        rules.append(f":root {{ --navy: {colours.band}; --navy-edge: {edge}; --on-navy-soft: {white}; }}")
    return "\n".join(rules)


def _own_part(number: int, section: PublishedSection) -> OwnPart:
    return OwnPart(
        id=f"own-{number}",
        title=section.title,
        after=section.after,
        screen=markdown_html(section.text, printed=False),
        paper=markdown_html(section.text, printed=True),
    )
