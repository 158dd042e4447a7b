"""Name the program that makes a report and the libraries on which its bytes depend.

So it is known when the same bytes are to be expected.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from zlib import ZLIB_RUNTIME_VERSION

from atreport.kit.system_libraries import system_versions
from atreport.report.style import PublishedStyle
from atreport.version import __version__

PAGE_LIBRARIES = ("matplotlib", "fonttools", "brotli", "font-source-sans-pro", "font-source-serif-pro")
"""They draw charts and cut fonts: the page and the PDF depend on them."""

PDF_LIBRARIES = ("weasyprint", "pydyf", "pango", "harfbuzz", "zlib")
"""They set and pack the PDF."""

SYSTEM_LIBRARIES = ("pango", "harfbuzz", "zlib")
"""Those of them that pip cannot install: they belong to the machine, or to its Python."""

SHEET_LIBRARIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"report.ods": ("odfdo",), "report.xlsx": ("xlsxwriter",)}
)
"""They make the spreadsheets."""

STYLE_LIBRARIES = ("markdown-it-py", "pillow")
"""They read the sections and the logo of a house style; named where one has such."""


def name_generator(style: PublishedStyle | None = None) -> dict[str, str]:
    """This program and the libraries its pages depend on, with their versions; those that are not here are not named.

    One answer for all formats: report.json is the same bytes whether a PDF is made beside it or not.
    """
    used = () if style is None else style.libraries
    return {name: version for name, version in _here().items() if name not in STYLE_LIBRARIES or name in used}


_SHEETS = tuple(name for names in SHEET_LIBRARIES.values() for name in names)
_ALL = (*PAGE_LIBRARIES, *PDF_LIBRARIES, *_SHEETS, *STYLE_LIBRARIES)
NOT_EVERYWHERE = frozenset(_ALL) - {*STYLE_LIBRARIES}
"""What a report may name where this machine does not have it."""


@cache
def _here() -> dict[str, str]:
    found = {**system_versions(), "zlib": ZLIB_RUNTIME_VERSION}
    for name in (name for name in _ALL if name not in SYSTEM_LIBRARIES):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return {"atreport": __version__, **{name: found[name] for name in _ALL if name in found}}


def same_program(generator: Mapping[str, str]) -> bool:
    """Whether a report was made by this version of the program."""
    return generator.get("atreport") == __version__


def other_libraries(generator: Mapping[str, str], file: str) -> dict[str, tuple[str | None, str | None]]:
    """The libraries on which a file depends and that differ: their versions, as the report has it and here.

    One that is not installed here differs from whatever made the file. What a report says of its libraries may be a lie, so
    that none differ is never a reason to compare less.
    """
    here = _here()
    names = SHEET_LIBRARIES.get(file) or (
        *PAGE_LIBRARIES,
        *(name for name in STYLE_LIBRARIES if name in generator),
    )
    if file == "report.pdf":
        names = (*names, *PDF_LIBRARIES)
    either = {name: (generator.get(name), here.get(name)) for name in names}
    return {name: pair for name, pair in either.items() if pair[1] is None or pair[0] != pair[1]}
