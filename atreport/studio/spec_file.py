"""The spec as a file: read, saved as it stands in the editor, and never over somebody else's change.

Guarantee: what is saved is the text of the editor, with the line ends and the byte-order mark that the file had; the file is
replaced in one step, keeps its permissions, and is not replaced if it is no longer the one that the editor was given.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from atreport.errors import OutputError
from atreport.spec.yaml import MAX_BYTES

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class SpecText:
    """The text of a spec, and which state of its file it is."""

    text: str
    version: str  # a hash of the bytes


class FileChanged(Exception):
    """The file is not the one that the editor was given."""


def read_text(path: Path) -> SpecText:
    """The text as an editor shows it: every line ends with a newline character."""
    data = _bytes(path)
    text = data.removeprefix(_MARK).decode("utf-8", errors="replace")
    return SpecText(text=text.replace("\r\n", "\n").replace("\r", "\n"), version=_version(data))


def save_text(path: Path, text: str, seen: str | None) -> SpecText:
    """Save the text; `seen` is the version that the editor was given, None to save over any.

    Raises:
        FileChanged: the file is another one by now.
        OutputError: it cannot be written.
    """
    before = _bytes(path) if path.exists() else b""
    if seen is not None and _version(before) != seen:
        raise FileChanged
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    windows = before.count(b"\r\n") * 2 > before.count(b"\n")
    data = plain.replace("\n", "\r\n" if windows else "\n").encode("utf-8")
    if before.startswith(_MARK):
        data = _MARK + data
    _replace(path, data)
    return SpecText(text=plain, version=_version(data))


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {error.strerror}.") from None


def _replace(path: Path, data: bytes) -> None:
    """The file with other contents, in one step; a link stays one."""
    target = path.resolve()
    staging = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        staging.unlink(missing_ok=True)
        try:
            with os.fdopen(os.open(staging, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            staging.chmod(mode)
            staging.replace(target)
        finally:
            staging.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: cannot be saved: {error.strerror}. The file is as it was.") from None
