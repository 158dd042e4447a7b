"""Read a report's PDF: the files it carries, and whatever in it makes it dangerous to open.

The PDF is read with pypdf, in a process of its own with limits: a file comes from strangers, and one that was damaged with
skill can keep a reader busy for hours. Guarantee: there is an answer in bounded time and memory, or :class:`NotAReport`.
"""

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from atreport.errors import NotAReport
from atreport.text.language import LazyMessage, lazy_gettext
from atreport.untrusted import ResourceLimitExceeded, run_bounded

_SECONDS, _BYTES_A_SECOND = 8, 150_000
"""Processor time for a PDF: so much for any, and a second more for so many bytes."""
_MEGABYTES = 600
_READ = "atreport.report.pdf_reading:read_packed"


@dataclass(frozen=True, kw_only=True)
class PdfContent:
    """What is read of a PDF."""

    attachments: Mapping[str, bytes]
    dangers: tuple[LazyMessage, ...]  # what no PDF of a report has and no reader should open, for `resolve`


@lru_cache(maxsize=2)
def read_pdf(content: bytes) -> PdfContent:
    """All that is asked of a PDF, read once. Raises :class:`NotAReport` where it cannot be read."""
    try:
        seconds = _SECONDS + len(content) // _BYTES_A_SECOND
        packed = run_bounded(_READ, content, seconds=seconds, megabytes=_MEGABYTES)
    except ResourceLimitExceeded as error:
        raise NotAReport(lazy_gettext("the PDF cannot be read: {why}", why=error.args[0])) from None
    found: PdfContent = pickle.loads(packed)
    return found
