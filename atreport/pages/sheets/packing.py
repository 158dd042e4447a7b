"""Put the parts of a workbook into one file whose bytes depend on nothing else: no clock, no compression library.

Parts are stored as they are, with one date for all. So a file that was packed here can be told from any other by packing
its parts once more.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from atreport.kit.language import say

_DATE = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


class NotPacked(Exception):
    """Why a file is none that was packed here, in words."""


def pack(parts: Mapping[str, bytes]) -> bytes:
    """A ZIP file of these parts, in their order."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system, entry.external_attr = _UNIX, 0o644 << 16
            archive.writestr(entry, content)
    return target.getvalue()


def parts_of(content: bytes) -> dict[str, bytes]:
    """The parts of a ZIP file, whatever it was packed with."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def unpack(content: bytes) -> dict[str, bytes]:
    """The parts of a file that was packed here. Raises :class:`NotPacked` for any other, however it was altered."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                raise NotPacked(say("is packed otherwise than the spreadsheets of a report are"))
            if sum(entry.file_size for entry in entries) > len(content):
                raise NotPacked(say("is packed otherwise than the spreadsheets of a report are"))
            parts = {entry.filename: archive.read(entry) for entry in entries}
    except NotPacked:
        raise
    except Exception:  # a damaged file is refused in many ways
        raise NotPacked(say("cannot be opened: it is no spreadsheet")) from None
    if pack(parts) != content:
        raise NotPacked(say("holds something between or beside its parts"))
    return parts
