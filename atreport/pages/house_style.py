"""The publisher's house style in pages: colours, logo, words of the cover, own sections.

A function of the Report and of the files that it names.
"""

import base64
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape, unescape
from typing import Any
from urllib.parse import unquote

from atreport.pages.layout import PLAIN, CoverPicture, Look, OwnPart, paragraphs
from atreport.report.model import PublishedColours, Report
from atreport.spec.style import accent_grounds, nearest_readable, page_colours


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
        logo = CoverPicture(address=f"data:image/{kind};base64,{picture}", alt=style.logo.alt)
    colours = style.colours or PublishedColours()
    return Look(
        colours=_style_sheet(colours),
        chart_accent=colours.accent or "",
        logo=logo,
        cover=paragraphs(style.cover),
        sections=tuple(
            OwnPart(
                id=f"own-{number}",
                title=section.title,
                after=section.after,
                screen=markdown_html(section.text, printed=False),
                paper=markdown_html(section.text, printed=True),
            )
            for number, section in enumerate(style.sections or (), start=1)
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


# Turn Markdown into HTML that cannot do anything: no HTML of the author's, no pictures, links to the web and
# to mail alone.
#
# Guarantee: the HTML is made of p, h3, h4, ul, ol, li, blockquote, strong, em, code, br and a, each opened
# and closed here. Every text in it is escaped. Headings never skip a level below the h2 of their section.
#
# On paper a link is its words with the address after them, because a PDF of a report has no addresses to
# call; where its words are the address, it stands there once. Numbers of lists are written into their text,
# so that what is read is in the text.

_ALLOWED = [
    "heading", "lheading", "list", "blockquote", "newline", "escape", "backticks", "emphasis", "link", "autolink", "entity",
    "image",
]  # fmt: skip
"""The rules of CommonMark that are followed beside paragraphs; what others would read as code stays text, of
pictures the words."""

_ADDRESS = re.compile(r"(https?://[^\s/?#]+|mailto:[^\s@]+@[^\s@]+).*", re.IGNORECASE)
_TAG = re.compile("<[^>]*>")
_PLAIN_TAGS = {
    "paragraph": "p", "blockquote": "blockquote", "bullet_list": "ul", "list_item": "li", "strong": "strong", "em": "em",
}  # fmt: skip


def markdown_html(text: str, *, printed: bool) -> str:
    """A text as HTML, for the screen or for paper."""
    tokens = _parser().parse(text)
    return _blocks(tokens, printed=printed)


@cache
def _parser() -> Any:
    """The parser; imported here, since a report without own sections needs none."""
    from markdown_it import MarkdownIt

    class Parser(MarkdownIt):
        def validateLink(self, url: str) -> bool:  # noqa: N802 the parser asks under this name
            """An address that is none of these stays text."""
            return bool(_ADDRESS.fullmatch(url))

    parser = Parser("zero", {"html": False, "linkify": False, "typographer": False})
    parser.enable(_ALLOWED)
    return parser


def _blocks(tokens: Sequence[Any], *, printed: bool) -> str:
    top = min((int(token.tag[1]) for token in tokens if token.type == "heading_open"), default=1)
    html: list[str] = []
    numbers: list[int | None] = []  # of the lists that are open: the number of the next item, or None
    marker, tag, headed = "", "h3", False
    for token in tokens:
        kind, _, end = token.type.rpartition("_")
        match kind, end:
            case "heading", "open":
                tag = "h4" if headed and int(token.tag[1]) > top else "h3"
                headed = True
                html.append(f"<{tag}>")
            case "heading", "close":
                html.append(f"</{tag}>\n")
            case "ordered_list", "open":
                numbers.append(int(token.attrGet("start") or 1))
                html.append('<ol class="numbered">\n')
            case "bullet_list", "open":
                numbers.append(None)
                html.append("<ul>\n")
            case "ordered_list" | "bullet_list", "close":
                numbers.pop()
                html.append("</ol>\n" if kind == "ordered_list" else "</ul>\n")
            case "list_item", "open":
                if (number := numbers[-1]) is not None:
                    marker, numbers[-1] = f"{number}. ", number + 1
                html.append("<li>")
            case "paragraph", _ if token.hidden:
                continue
            case _, ("open" | "close") if kind in _PLAIN_TAGS:
                html.append(f"<{'/' * (end == 'close')}{_PLAIN_TAGS[kind]}>" + "\n" * (end == "close"))
            case _:
                if token.type == "inline":
                    html.append(marker + _inline(token.children or (), printed=printed))
                    marker = ""
    return "".join(html)


def _inline(tokens: Sequence[Any], *, printed: bool) -> str:
    html: list[str] = []
    links: list[
        tuple[str, int, bool]
    ] = []  # of each open link: the address, where its words begin, whether they are it
    for token in tokens:
        match token.type:
            case "text" | "image":  # of a picture, the words that stand for it
                html.append(escape(token.content))
            case "softbreak":
                html.append("\n")
            case "hardbreak":
                html.append("<br>\n")
            case "code_inline":
                html.append(f"<code>{escape(token.content)}</code>")
            case "link_open":
                address = str(token.attrGet("href") or "")
                html.append("" if printed else f'<a href="{escape(address)}" rel="noopener noreferrer">')
                links.append((address, len(html), token.info == "auto"))
            case "link_close":
                address, begin, alone = links.pop()
                words = "".join(html[begin:])
                html.append(("" if alone else _printed_after(words, address)) if printed else "</a>")
            case "strong_open" | "strong_close" | "em_open" | "em_close":
                kind, _, end = token.type.partition("_")
                html.append(f"<{'/' * (end == 'close')}{kind}>")
    return "".join(html)


def _printed_after(words: str, address: str) -> str:
    """The address of a link as it is printed after its words; nothing where the words are that address already.

    An e-mail address is printed as people write it: without the scheme, and without what a program would fill in.
    """
    scheme, _, rest = address.partition(":")
    by_hand = unquote(rest.partition("?")[0]) if scheme.lower() == "mailto" else address
    said = unescape(_TAG.sub("", words)).strip().casefold()
    return "" if said in (by_hand.casefold(), address.casefold()) else f" ({escape(by_hand)})"
