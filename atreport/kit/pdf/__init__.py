"""Read a report's PDF: the files it carries, its text line by line, and everything in it that a report's PDF does not have.

The PDF is read with pypdf, in a process of its own with limits: a file comes from strangers, and one that was damaged with
skill can keep a reader busy for hours. Guarantee: there is an answer in bounded time and memory, or :class:`NotAReport`.
"""

from __future__ import annotations

import pickle
from functools import lru_cache

from atreport.errors import NotAReport
from atreport.kit.language.later import say_later
from atreport.kit.pdf.content import Line, PdfContent
from atreport.kit.strangers.bounded_process import TookTooMuch, run_bounded

__all__ = ["Line", "PdfContent", "read_pdf"]

_SECONDS, _BYTES_A_SECOND = 8, 150_000
"""Processor time for a PDF: so much for any, and a second more for so many bytes. A report of 12 pages has 140 kB and
takes 1.5 s."""
_MEGABYTES = 600
_READ = "atreport.kit.pdf.reading:read_packed"


@lru_cache(maxsize=2)
def read_pdf(content: bytes) -> PdfContent:
    """All that is asked of a PDF, read once. Raises :class:`NotAReport` where it cannot be read."""
    try:
        seconds = _SECONDS + len(content) // _BYTES_A_SECOND
        packed = run_bounded(_READ, content, seconds=seconds, megabytes=_MEGABYTES)
    except TookTooMuch as error:
        raise NotAReport(say_later("the PDF cannot be read: {why}", why=error.args[0])) from None
    found: PdfContent = pickle.loads(packed)
    return found
