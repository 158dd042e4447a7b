"""What a report is made with, so that a checker knows whether the same bytes are to be expected."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version

from atreport.version import __version__

LIBRARIES = ("matplotlib", "fonttools", "brotli")


@cache
def name_generator() -> dict[str, str]:
    """This program and the libraries its pages depend on, with their versions."""
    return {"atreport": __version__} | {name: version(name) for name in LIBRARIES}
