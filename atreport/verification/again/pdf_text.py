"""Compare the text of a report's PDF with the page it was set from.

Every line of the PDF must be the next piece of the page's text, so that nothing is changed, left out, added or moved. Five
things a PDF has beyond the page are known and checked by themselves: the running title, the page numbers, the page numbers
in the table of contents, the heading of a table that goes on on the next page, and the hyphen of a broken word. So is what a
PDF says besides: its title, author and subject, its bookmarks, where its links lead, and what is read aloud of its charts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from atreport.kit.language import say
from atreport.kit.language.spoken import speaking
from atreport.kit.pdf.content import Line, without_space

_SAID = {"title", "h1", "h2", "h3", "h4", "h5", "h6"}
_SILENT = {"style", "script", "title", "head", "desc", "metadata", "defs"}
_VOID = {
    "meta",
    "link",
    "br",
    "hr",
    "img",
    "input",
    "col",
    "path",
    "use",
    "rect",
    "line",
    "circle",
    "clippath",
}
_SOFT_HYPHEN, _HYPHEN = "\u00ad", "\u2010"
_BULLETS = {"•", "◦", "▪"}


@dataclass
class PageText(HTMLParser):
    """The text of a page as it is set: the flow, the charts, and where tables and headings are in it."""

    flow: str = ""
    charts: str = ""
    may_break: set[int] = field(default_factory=set)  # where in the flow a word may be broken with a hyphen
    running: set[str] = field(default_factory=set)
    contents: list[str] = field(default_factory=list)  # targets of the table of contents
    contents_at: tuple[int, int] = (0, 0)  # where in the flow the table of contents begins and ends
    targets: dict[str, int] = field(default_factory=dict)  # id → where it begins in the flow
    tables: list[tuple[int, int, str]] = field(
        default_factory=list
    )  # begin and end of a body, and its heading
    about: set[str] = field(default_factory=set)  # title, author and description of the page
    headings: set[str] = field(default_factory=set)
    spoken: set[str] = field(default_factory=set)  # what charts show, in words

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self._said = ""
        self._heading_at = self._body_at = self._contents_begin = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enter an element."""
        given = dict(attrs)
        if (name := given.get("id")) and "svg" not in self._open:
            self.targets[name] = len(self.flow)
        if running := given.get("data-running"):
            self.running.add(without_space(running))
        if tag == "a" and "nav" in self._open:
            self.contents.append((given.get("href") or "").removeprefix("#"))
        if tag == "nav":
            self._contents_begin = len(self.flow)
        if tag == "thead":
            self._heading_at = len(self.flow)
        elif tag == "tbody":
            self._body_at = len(self.flow)
        if tag == "meta" and given.get("name") in ("author", "description", "generator"):
            self.about.add(without_space(given.get("content") or ""))
        if tag == "img":
            self.spoken.add(without_space(given.get("alt") or ""))
        if tag in _SAID:
            self._said = ""
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element, and whatever was left open in it."""
        if tag == "nav":
            self.contents_at = (self._contents_begin, len(self.flow))
        if tag == "tbody":
            self.tables.append((self._body_at, len(self.flow), self.flow[self._heading_at : self._body_at]))
        if tag in _SAID:
            kind = self.headings if tag != "title" else self.spoken if "svg" in self._open else self.about
            kind.add(without_space(self._said))
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Text, which is part of a chart or of the flow."""
        self._said += data
        if _SILENT & set(self._open):
            return
        if "svg" in self._open:
            self.charts += without_space(data)
        else:
            *before, last = data.split(_SOFT_HYPHEN)
            for piece in before:
                self.flow += without_space(piece)
                self.may_break.add(len(self.flow))
            self.flow += without_space(last)


def page_text(page: str) -> PageText:
    """The text of a printed page."""
    text = PageText()
    text.feed(page)
    return text


def text_findings(pages: Sequence[Sequence[Line]], expected: PageText, language: str = "en") -> Iterator[str]:
    """Where the text of a PDF in this language differs from the page's, told in the language that is spoken.

    After the first difference the rest is not compared.
    """
    flow = charts = 0
    contents_begin, contents_end = expected.contents_at
    began: list[int] = []  # for each page, how much of the flow stood on the pages before it
    numbers: list[str] = []  # page numbers in the table of contents
    for number, lines in enumerate(pages, start=1):
        began.append(flow)
        heading = next((head for begin, end, head in expected.tables if begin < flow < end), "")
        with speaking(language):
            page_number = without_space(say("Page {page} of {pages}", page=number, pages=len(pages)))
        for line in _without_margins(lines, expected.running, page_number):
            text = line.text
            # a page number can look like the beginning of the next entry, "3. Results"
            if contents_begin < flow <= contents_end and len(numbers) < len(expected.contents):
                if text.isdigit():
                    numbers.append(text)
                    continue
                if not text.strip("."):
                    continue
            if line.chart:
                if not expected.charts.startswith(text, charts):
                    yield _difference(number, text, expected.charts, charts)
                    return
                charts += len(text)
            elif heading.startswith(text):
                heading = heading[len(text) :]
            elif expected.flow.startswith(text, flow):
                flow += len(text)
            elif text not in expected.running | _BULLETS | {page_number} and not (
                text == _HYPHEN and flow in expected.may_break
            ):
                yield _difference(number, text, expected.flow, flow)
                return
    if flow < len(expected.flow) or charts < len(expected.charts):
        missing = expected.flow[flow : flow + 60] or expected.charts[charts : charts + 60]
        yield say("report.pdf: text is missing at the end: “{missing}”", missing=missing)
        return
    right = [str(_page_of(expected.targets.get(target, 0), began)) for target in expected.contents]
    if numbers != right:
        yield say("report.pdf: the page numbers in the table of contents are not those of the sections")


def _without_margins(lines: Sequence[Line], running: set[str], page_number: str) -> Sequence[Line]:
    """The lines of a page without those in its margins: they are drawn last, each once, and end with the page number.

    They are told by their place, since the next words of the page may begin like one of them: a publisher may be called "P".
    """
    if not lines or lines[-1].text != page_number:
        return lines
    end, left = len(lines) - 1, set(running)
    while end and not lines[end - 1].chart and lines[end - 1].text in left:
        end -= 1
        left.remove(lines[end].text)
    return lines[:end]


def _page_of(place: int, began: list[int]) -> int:
    return max(number for number, start in enumerate(began, start=1) if start <= place)


def _difference(page: int, text: str, expected: str, place: int) -> str:
    given = expected[place : place + max(20, len(text))]
    return say(
        "report.pdf: page {page} says “{text}” where report.json gives “{given}”",
        page=page,
        text=text[:80],
        given=given[:80],
    )
