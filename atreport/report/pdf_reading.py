"""The steps of reading a PDF, as the process takes them that was started for it."""

import io
import logging
import pickle
import re
from collections.abc import Iterator
from typing import Any

import pypdf
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

from atreport.errors import NotAReport
from atreport.report.pdf import PdfContent
from atreport.text.language import LazyMessage, lazy_gettext, message

MOST_OBJECTS = 400_000
_SCRIPT, _ACTION = message("a script"), message("an action")
_ELSEWHERE, _FORM, _MEDIA = message("a link to elsewhere"), message("a form"), message("other media")
_KEYS = {
    "/JavaScript": _SCRIPT, "/JS": _SCRIPT, "/OpenAction": _ACTION, "/AA": _ACTION, "/URI": _ELSEWHERE,
    "/FS": _ELSEWHERE, "/AcroForm": _FORM, "/XFA": _FORM, "/RichMedia": _MEDIA, "/Encrypt": message("a cipher"),
}  # fmt: skip
"""Entries that no object in the PDF of a report has."""
_KINDS = {
    "/JavaScript": _SCRIPT, "/Launch": _ACTION, "/Named": _ACTION, "/ImportData": _ACTION, "/SubmitForm": _ELSEWHERE,
    "/URI": _ELSEWHERE, "/GoToR": _ELSEWHERE, "/GoToE": _ELSEWHERE, "/Widget": _FORM, "/Rendition": _MEDIA,
    "/Movie": _MEDIA, "/Sound": _MEDIA, "/Screen": _MEDIA, "/3D": _MEDIA, "/RichMedia": _MEDIA,
    "/FileAttachment": message("a file attached to a page"),
}  # fmt: skip
"""Kinds of actions and annotations that it does not have."""


def read_packed(content: bytes) -> bytes:
    """A :class:`PdfContent`, packed."""
    # pypdf writes a line for everything it mends, a million of them if need be
    logging.disable(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(content), strict=True)
        dangers = dict.fromkeys((*_dangers(content, reader), *_attached_twice(reader)))
        attachments = {name: contents[0] for name, contents in reader.attachments.items()}
        return pickle.dumps(PdfContent(attachments=attachments, dangers=tuple(dangers)))
    except MemoryError:
        raise
    except Exception:  # readers of files end in as many ways as files can be damaged
        raise NotAReport(
            lazy_gettext("the PDF is damaged, or written in another way than reports are")
        ) from None


def _attached_twice(reader: Any) -> Iterator[LazyMessage]:
    """One name given twice could show two readers two files."""
    for name, contents in reader.attachments.items():
        if len(contents) != 1:
            yield lazy_gettext("two attached files called {name}", name=name[:60])


def _dangers(content: bytes, reader: Any) -> Iterator[LazyMessage]:
    """Whatever can act, or leads out of the file, of all that can be reached from its trailer."""
    ends = len(re.findall(rb"startxref\s+\d+\s+%%EOF", content))
    if not content.startswith(b"%PDF-") or ends != 1 or not content.rstrip(b"\r\n").endswith(b"%%EOF"):
        yield lazy_gettext(
            "a later change appended to it"
        )  # a viewer may read another file there than is read here
    seen: set[int] = set()
    waiting: list[Any] = [reader.trailer]
    while waiting:
        item = waiting.pop()
        if isinstance(item, IndirectObject):
            if item.idnum in seen:
                continue
            seen.add(item.idnum)
            if len(seen) > MOST_OBJECTS:
                yield lazy_gettext("more objects than a report has")
                return
            item = item.get_object()
        if isinstance(item, ArrayObject):
            waiting += item
        elif isinstance(item, DictionaryObject):
            kinds = {str(item.get(key)) for key in ("/S", "/Subtype")}
            yield from (lazy_gettext(what) for key, what in _KEYS.items() if key in item)
            yield from (lazy_gettext(what) for kind, what in _KINDS.items() if kind in kinds)
            waiting += (item.raw_get(key) for key in item)
