"""Name the program that makes a report and the libraries on which its bytes depend.

So it is known when the same bytes are to be expected.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from atreport.kit.system_libraries import system_versions
from atreport.report.style import PublishedStyle
from atreport.version import __version__

PAGE_LIBRARIES = ("matplotlib", "fonttools", "brotli", "font-source-sans-pro", "font-source-serif-pro")
"""They draw charts and cut fonts: the page and the PDF depend on them."""

PDF_LIBRARIES = ("weasyprint", "pydyf", "pango", "harfbuzz")
"""They set the PDF."""

STYLE_LIBRARIES = ("markdown-it-py", "pillow")
"""They read the sections and the logo of a house style; named where one has such."""


def name_generator(style: PublishedStyle | None = None) -> dict[str, str]:
    """This program and the libraries its pages depend on, with their versions; those that are not here are not named.

    One answer for all formats: report.json is the same bytes whether a PDF is made beside it or not.
    """
    used = () if style is None else style.libraries
    return {name: version for name, version in _here().items() if name not in STYLE_LIBRARIES or name in used}


@cache
def _here() -> dict[str, str]:
    found = system_versions()
    for name in (*PAGE_LIBRARIES, *STYLE_LIBRARIES, "weasyprint", "pydyf"):
        try:
            found = {**found, name: version(name)}
        except PackageNotFoundError:
            continue
    named = {
        name: found[name] for name in (*PAGE_LIBRARIES, *PDF_LIBRARIES, *STYLE_LIBRARIES) if name in found
    }
    return {"atreport": __version__, **named}


def same_program(generator: Mapping[str, str]) -> bool:
    """Whether a report was made by this version of the program."""
    return generator.get("atreport") == __version__


def same_page_libraries(generator: Mapping[str, str]) -> bool:
    """Whether its charts and fonts were made by the libraries that are installed here."""
    return _same(generator, (*PAGE_LIBRARIES, *generator.keys() & {*STYLE_LIBRARIES}))


def same_pdf_libraries(generator: Mapping[str, str]) -> bool:
    """Whether its PDF was set by the libraries that are installed here, all of which it takes."""
    here = _here()
    return all(name in here for name in PDF_LIBRARIES) and _same(generator, PDF_LIBRARIES)


def _same(generator: Mapping[str, str], names: tuple[str, ...]) -> bool:
    here = _here()
    return all(generator.get(name) == here.get(name) for name in names)
