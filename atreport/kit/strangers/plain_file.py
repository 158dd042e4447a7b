"""Read a file that strangers wrote: a plain one of bounded size, or none.

A link could lead out of the folder, a pipe never ends, and a file may be larger than the memory.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from atreport.kit.language.later import Remembered, say_later

MOST_BYTES = 100_000_000
"""No file of a report is larger."""


class NotPlain(Exception):
    """Why something was not read: its argument, to be said with `say_now`."""


def read_plain_file(path: Path) -> bytes:
    """The bytes of a file. Raises :class:`NotPlain` for anything that no report has, OSError where it cannot be read."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        if error.errno == errno.ELOOP or path.is_symlink():
            raise NotPlain(say_later("a link to somewhere else, which was not followed")) from None
        if error.errno in (errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP):
            raise NotPlain(say_later("no plain file")) from None
        raise
    found = os.fstat(descriptor)
    if why := _not_plain(found):
        os.close(descriptor)
        raise NotPlain(why)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MOST_BYTES)


def _not_plain(found: os.stat_result) -> Remembered | None:
    """Asked before the file is opened: Python opens no folder, and says so by an error of its own."""
    if stat.S_ISDIR(found.st_mode):
        return say_later("a folder, and a report has none")
    if not stat.S_ISREG(found.st_mode):
        return say_later("no plain file")
    if found.st_size > MOST_BYTES:
        return say_later("larger than any file of a report ({most} MB)", most=MOST_BYTES // 1_000_000)
    return None
