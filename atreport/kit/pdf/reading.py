"""The steps of reading a PDF, as the process takes them that was started for it."""

from __future__ import annotations

import io
import logging
import pickle
import re
from typing import Any

import pypdf

from atreport.errors import NotAReport
from atreport.kit.language.later import say_later
from atreport.kit.pdf.content import Gathered, Line, PdfContent
from atreport.kit.pdf.drawn import PageReader
from atreport.kit.pdf.letters import letter_findings
from atreport.kit.pdf.structure import walk_structure


def read_packed(content: bytes) -> bytes:
    """A :class:`PdfContent`, packed."""
    logging.disable(
        logging.CRITICAL
    )  # pypdf writes a line for everything it mends, a million of them if need be
    try:
        return pickle.dumps(_read(content))
    except MemoryError:
        raise
    except Exception:  # readers of files and fonts end in as many ways as files can be damaged
        raise NotAReport(
            say_later("the PDF is damaged, or written in another way than reports are")
        ) from None


def _read(content: bytes) -> PdfContent:
    found = Gathered()
    _look_at_file(content, found)
    reader = pypdf.PdfReader(io.BytesIO(content), strict=True)
    walk_structure(reader, found)
    pages: list[tuple[Line, ...]] = []
    budget = PageReader.budget(len(content))
    fonts: list[tuple[Any, set[bytes]]] = []
    for number, page in enumerate(reader.pages, start=1):
        drawn = PageReader(page, number, budget, found)
        pages.append(tuple(drawn.lines()))
        fonts += drawn.fonts
    attachments = _attachments(reader, found)
    for finding in letter_findings(fonts):
        found.name(finding)
    return PdfContent(
        attachments=attachments,
        pages=tuple(pages),
        foreign=tuple(found.foreign),
        metadata=tuple(found.metadata),
        outline=tuple(found.outline),
        links=tuple(found.links),
        spoken=tuple(found.spoken),
        pictures=tuple(found.pictures),
    )


def _look_at_file(content: bytes, found: Gathered) -> None:
    """The file begins and ends once: what is appended to a PDF replaces what stood in it."""
    if not content.startswith(b"%PDF-"):
        found.name(say_later("something before its beginning"))
    if len(re.findall(rb"startxref\s+\d+\s+%%EOF", content)) != 1 or not content.rstrip(b"\r\n").endswith(
        b"%%EOF"
    ):
        found.name(say_later("a later change appended to it"))


def _attachments(reader: Any, found: Gathered) -> dict[str, bytes]:
    """The files it carries, by their names; one name given twice could show two readers two files."""
    attached: dict[str, bytes] = {}
    for name, contents in reader.attachments.items():
        if len(contents) != 1:
            found.name(say_later("two attached files called {name}", name=name[:60]))
            continue
        attached[name] = contents[0]
    return attached
