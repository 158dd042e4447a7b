"""What is read of a PDF: plain data that travels from one process to another."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from atreport.kit.language.later import Remembered


@dataclass(frozen=True)
class Line:
    """A piece of text that was drawn at once, without white space; of a chart usually a letter."""

    text: str
    chart: bool


@dataclass(frozen=True)
class Picture:
    """A picture that was drawn: on which page, and the digest of its pixels (see :mod:`atreport.kit.style.png_logo`)."""

    page: int
    pixels: str


@dataclass(frozen=True, kw_only=True)
class PdfContent:
    """A PDF as a reader of any kind meets it: seen, heard, searched, opened."""

    attachments: Mapping[str, bytes]
    pages: tuple[tuple[Line, ...], ...]
    foreign: tuple[str, ...]  # what no PDF of a report has, to be said with `say_now`
    metadata: tuple[tuple[str, str], ...] = ()  # what the file says about itself: under which name, and what
    outline: tuple[str, ...] = ()  # the bookmarks
    links: tuple[str, ...] = ()  # the places in the file that its links lead to
    spoken: tuple[str, ...] = ()  # what is read aloud in place of a drawing
    pictures: tuple[Picture, ...] = ()  # those that are no drawings, each time that one is shown


@dataclass
class Gathered:
    """What the parts of the reader have found so far."""

    foreign: dict[str, None] = field(default_factory=dict)  # in order, each once
    metadata: list[tuple[str, str]] = field(default_factory=list)
    outline: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)

    def name(self, finding: Remembered) -> None:
        """Note something that no PDF of a report has: `say_later` of its words."""
        if len(self.foreign) < 50:
            self.foreign[finding] = None


def without_space(text: str) -> str:
    """A text as it is compared: white space and places where a word may be broken do not count.

    A letter with an accent is the letter and the accent after it (NFD): fonts draw one as the other, and charts in pieces.
    """
    return unicodedata.normalize("NFD", re.sub(r"[\s\u00ad\u200b\u2060]+", "", text))
