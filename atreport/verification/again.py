"""Make every public file of a report again from its report.json, and compare.

With the same version of this program the files must come out the same, byte for byte; where only the libraries that draw
charts and cut fonts differ, the words and figures must.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from atreport.kit.pdf_text import pdf_lines
from atreport.pages.files import data_files
from atreport.publication.generator import name_generator
from atreport.report.model import Report
from atreport.verification.pdf_page import page_text, pdf_findings

if TYPE_CHECKING:
    from atreport.pages.documents import LaidOut

_SHOWN = 70


@dataclass(frozen=True, eq=False)
class Again:
    """The public files that belong to a report."""

    report: Report

    @property
    def same_program(self) -> bool:
        """Whether the report was made by this version of the program."""
        return self.report.generator.get("atreport") == name_generator()["atreport"]

    @property
    def same_libraries(self) -> bool:
        """Whether charts and fonts were made by the libraries that are installed here."""
        return self.report.generator == name_generator()

    @cached_property
    def data(self) -> dict[str, bytes]:
        """report.json and the tables."""
        return data_files(self.report)

    @cached_property
    def _document(self) -> LaidOut:
        """The page and the PDF are the same document."""
        # Here and not above: templates, sections and charts take a tenth of a second, and many a report is checked, and
        # every pair of reports compared, by the data alone.
        from atreport.pages.documents import lay_out

        return lay_out(self.report)

    def data_findings(self, name: str, content: bytes, where: str = "") -> Iterator[str]:
        """Where report.json or a table is not what this program makes of the figures in report.json."""
        if content != self.data[name]:
            made, found = (
                text.decode("utf-8", "replace").splitlines() for text in (self.data[name], content)
            )
            yield _first_difference(where + name, found, made)

    def page_findings(self, page: bytes) -> Iterator[str]:
        """Where report.html is not the page that belongs to report.json."""
        found = page.decode("utf-8", "replace")
        made = self._document.html(self.data["report.json"])
        if found == made:
            return
        words = _words(found), _words(made)
        if words[0] != words[1]:
            yield _first_difference("report.html", *words)
        elif self.same_libraries:
            yield _first_difference("report.html", *(re.split(r"(?<=>)", text) for text in (found, made)))

    def pdf_findings(self, pdf: bytes) -> Iterator[str]:
        """Where the text of report.pdf is not that of the page that belongs to report.json."""
        yield from pdf_findings(pdf_lines(pdf), page_text(self._document.printed_page()))


class _Words(HTMLParser):
    """Everything in a page that a reader sees or hears: text, and attributes that hold text or figures."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._style = tag == "style"  # holds no words, and never another element
        self.words += [
            f"{tag} {k}={v}" for k, v in attrs if k in ("alt", "aria-label", "content", "href", "id")
        ]

    def handle_endtag(self, tag: str) -> None:
        self._style = self._style and tag != "style"

    def handle_data(self, data: str) -> None:
        if not self._style and data.strip():
            self.words.append(data.strip())


def _words(page: str) -> list[str]:
    parser = _Words()
    parser.feed(re.sub(r"<svg.*?</svg>", _only_text, page, flags=re.DOTALL))
    return parser.words


def _only_text(svg: re.Match[str]) -> str:
    """The text of a chart, without its drawing, whose coordinates depend on a library."""
    return "".join(re.findall(r"<(?:text|title|desc)\b[^>]*>[^<]*</(?:text|title|desc)>", svg[0]))


def _first_difference(name: str, found: list[str], made: list[str]) -> str:
    for here, there in zip(found, made, strict=False):
        if here != there:
            start = next(
                (i for i, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]), 0
            )
            begin = max(0, start - 30)
            shown = [text[begin : begin + _SHOWN].strip() for text in (here, there)]
            return f"{name}: says “{shown[0]}” where the figures give “{shown[1]}”"
    more = "more" if len(found) > len(made) else "fewer"
    return f"{name}: has {more} lines than the figures give"
