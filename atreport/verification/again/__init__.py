"""Make every public file of a report again from its report.json, and compare.

With the same version of this program and the same libraries the files must come out the same, byte for byte. What a
report says about the libraries that made it decides only how charts, letters and the PDF are compared, never whether the
rest is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from atreport.kit.language import say
from atreport.kit.pdf import PdfContent
from atreport.pages.catalogue.published_file import CATALOGUE_FILE
from atreport.pages.files import catalogue_file, data_files
from atreport.publication.generator import (
    PAGE_LIBRARIES,
    PDF_LIBRARIES,
    STYLE_LIBRARIES,
    name_generator,
    same_page_libraries,
)
from atreport.report.model import Report
from atreport.verification.again.page import compare_page, first_difference
from atreport.verification.again.pdf import compare_pdf
from atreport.verification.again.sheets import compare_sheets
from atreport.verification.findings import Compared

_VERSION = re.compile(r"[0-9][0-9A-Za-z.+!-]{0,30}")
_NOT_EVERYWHERE = {*PAGE_LIBRARIES, *PDF_LIBRARIES}

if TYPE_CHECKING:
    from atreport.pages.documents import LaidOut


@dataclass(frozen=True, eq=False)
class Again:
    """The public files that belong to a report made by this version of the program."""

    report: Report
    style_files: Mapping[str, bytes] = field(default_factory=dict)  # all that its house style names

    @cached_property
    def data(self) -> dict[str, bytes]:
        """report.json, the tables and what describes them."""
        return data_files(self.report)

    @cached_property
    def _document(self) -> LaidOut:
        """The page and the PDF are the same document."""
        # Here and not above: templates, sections and charts take a tenth of a second, and many a report is checked, and
        # every pair of reports compared, by the data alone.
        from atreport.pages.documents import lay_out

        return lay_out(self.report, self.style_files)

    def generator_findings(self) -> Iterator[str]:
        """Where a report names something else as its maker than this version does."""
        named = name_generator(self.report.style).keys()
        for name in self.report.generator.keys() - named - _NOT_EVERYWHERE:
            yield say("generator: “{name}” is nothing that this version names", name=name[:60])
        for name in named & {*STYLE_LIBRARIES} - self.report.generator.keys():
            yield say("generator: does not name {name}, which its house style needs", name=name)
        for name, version in self.report.generator.items():
            if not _VERSION.fullmatch(version):
                yield say(
                    "generator: “{version}” is no version of {name}", version=version[:60], name=name[:60]
                )

    def data_findings(self, name: str, content: bytes, called: str = "") -> Iterator[str]:
        """Where report.json or a table is not what this program makes of the figures in report.json."""
        yield from _differences(called or name, content, self.data[name])

    def catalogue_findings(self, files: Mapping[str, bytes]) -> Iterator[str]:
        """Where dcat.jsonld is not what belongs to the report and the files beside it."""
        if CATALOGUE_FILE in files:
            yield from _differences(CATALOGUE_FILE, files[CATALOGUE_FILE], catalogue_file(self.report, files))

    def compare_page(self, page: bytes) -> Compared:
        """report.html beside the page that belongs to report.json."""
        return compare_page(
            page,
            self._document.html(self.data),
            same_libraries=same_page_libraries(self.report.generator),
            drawn_with=(
                self.report.generator.get("matplotlib", say("of an unknown version")),
                name_generator().get("matplotlib", ""),
            ),
        )

    def compare_pdf(self, content: bytes, read: PdfContent) -> Compared:
        """report.pdf beside the one that belongs to report.json."""
        attached = {**self.data, **self.style_files}
        return compare_pdf(content, read, self._document, attached, self.report.generator)

    def compare_sheets(self, name: str, content: bytes) -> Compared:
        """report.ods or report.xlsx beside the one that belongs to report.json."""
        return compare_sheets(name, content, self.report)


def _differences(name: str, content: bytes, made: bytes) -> Iterator[str]:
    """The first line in which a file is another than the one made here, if there is one."""
    if content != made:
        found, expected = (text.decode("utf-8", "replace").splitlines() for text in (content, made))
        yield first_difference(name, found, expected)
