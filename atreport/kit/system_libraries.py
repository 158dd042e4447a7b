"""The system libraries that set a PDF, and their versions: Pango breaks lines, HarfBuzz places letters.

They are asked by themselves, in a few milliseconds, because a report names them whatever files are made of it, and importing
WeasyPrint takes a second. Where a machine does not have one, no PDF can be made there and nothing is named.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache

_LIBRARIES = {
    "pango": (("libpango-1.0.so.0", "libpango-1.0.dylib", "libpango-1.0-0.dll"), "pango_version_string"),
    "harfbuzz": (("libharfbuzz.so.0", "libharfbuzz.0.dylib", "libharfbuzz-0.dll"), "hb_version_string"),
}
"""By name: the file names under which WeasyPrint looks for each, and its function that tells the version."""


@cache
def system_versions() -> dict[str, str]:
    """The versions of those that are there, by name."""
    found = {}
    for library, (files, function) in _LIBRARIES.items():
        for file in files:
            with suppress(OSError, AttributeError):
                ask = getattr(ctypes.CDLL(file), function)
                ask.restype = ctypes.c_char_p
                found[library] = str(ask().decode("ascii"))
                break
    return found
