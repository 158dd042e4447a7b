"""Name the program that makes a report and the libraries on which its bytes depend.

So it is known when the same bytes are to be expected.
"""

import ctypes
import json
import uuid
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from zlib import ZLIB_RUNTIME_VERSION

from atreport.report.model import PublishedStyle
from atreport.spec.spec import ReportInfo
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


def is_of_version_0_1(generator: Mapping[str, str]) -> bool:
    """Whether a report was made by version 0.1.

    That gave wider intervals for some figures, which hold all the same, intervals of another kind for chance, hid small
    numbers in other ways, and did not tell what a joined value stands for or how many people are left out.
    """
    return generator.get("atreport", "").startswith("0.1.")


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


# Name a report for catalogues: by its DOI where the publisher has one, else by a UUID that anybody can
# calculate again.
#
# The same publisher, title and version give the same identifier, whatever the figures: a corrected report is
# a new version.

NAMESPACE = uuid.UUID("b7d6725e-eab1-53f4-bf36-9990545bc393")
"""Of the UUIDs of reports: itself the UUID of the address urn:atreport:report.

Never to be changed, since identifiers stand in other people's catalogues.
"""


def identify(info: ReportInfo) -> str:
    """The identifier of a report: the address of its DOI, or a UUID (version 5) of publisher, title and version."""
    if info.doi is not None:
        return f"https://doi.org/{info.doi}"
    named = json.dumps([info.publisher, info.title, info.version], ensure_ascii=False)
    return f"urn:uuid:{uuid.uuid5(NAMESPACE, named)}"


# The system libraries that set a PDF, and their versions: Pango breaks lines, HarfBuzz places letters.
#
# They are asked by themselves, in a few milliseconds, because a report names them whatever files are made of
# it, and importing WeasyPrint takes a second. Where a machine does not have one, no PDF can be made there and
# nothing is named.

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
