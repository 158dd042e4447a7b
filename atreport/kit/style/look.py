"""How a document looks where its publisher has a house style: what templates are given beside the text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Logo:
    """A picture that stands on the cover."""

    address: str  # a data: address, so that nothing is fetched
    alt: str


@dataclass(frozen=True, kw_only=True)
class OwnPart:
    """A section in the publisher's own words, for the screen and for paper."""

    id: str
    title: str
    after: str  # the id of the section that it follows
    screen: str  # HTML, made here of Markdown
    paper: str


@dataclass(frozen=True, kw_only=True)
class Look:
    """A house style, ready for templates; each part empty where nothing was asked for."""

    colours: str = ""  # rules of a style sheet, after those of every page
    chart_accent: str = ""  # what printed charts have in place of the accent
    logo: Logo | None = None
    cover: tuple[str, ...] = ()  # paragraphs
    sections: tuple[OwnPart, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it is that of every report."""
        return self == PLAIN

    @property
    def own_sections(self) -> dict[str, OwnPart]:
        """The publisher's own sections by their ids."""
        return {part.id: part for part in self.sections}

    def among(self, sections: Iterable[tuple[str, str, object]]) -> list[tuple[str, str, object]]:
        """The sections of a report (id, title, headings inside) with the publisher's own after those that they follow."""
        together: list[tuple[str, str, object]] = []
        for section in sections:
            own = [(part.id, part.title, ()) for part in self.sections if part.after == section[0]]
            together += [section, *own]
        return together


PLAIN = Look()
"""The look of a report without a house style."""
