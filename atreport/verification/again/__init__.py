"""Make every public file of a report again from its report.json, and compare, byte for byte.

With the same version of this program and the same libraries the files must come out the same. What a report says of the
libraries that made it is asked only where they do not: then it decides whether other bytes are a finding, or are named as
not compared. It never makes anything pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from atreport.errors import MissingLibrary
from atreport.kit.language import message, say
from atreport.kit.pdf import PdfContent
from atreport.pages.catalogue.published_file import CATALOGUE_FILE
from atreport.pages.files import catalogue_file, data_files
from atreport.pages.sheets import SHEET_FILES
from atreport.pages.sheets.content import workbook_of
from atreport.publication.generator import NOT_EVERYWHERE, STYLE_LIBRARIES, name_generator, other_libraries
from atreport.report.model import Report
from atreport.verification.again.page import compare_page, first_difference
from atreport.verification.again.uncompared import VERSION, not_compared, pdf_dangers, sheet_dangers
from atreport.verification.findings import Compared, NotChecked

_NOT_THE_SAME = message(
    "{name}: is not, to the last byte, the file that the same program makes of the figures"
)
_OTHER_FONTS = message(
    "report.pdf: some of its characters are in none of the fonts of reports, so it depends on fonts of the machine where it "
    "was made."
)

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
        for name in self.report.generator.keys() - named - NOT_EVERYWHERE:
            yield say("generator: “{name}” is nothing that this version names", name=name[:60])
        for name in named & {*STYLE_LIBRARIES} - self.report.generator.keys():
            yield say("generator: does not name {name}, which its house style needs", name=name)
        for name, version in self.report.generator.items():
            if not VERSION.fullmatch(version):
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
            page, self._document.html(self.data), other_libraries(self.report.generator, "report.html")
        )

    def compare_pdf(self, content: bytes, read: PdfContent) -> Compared:
        """report.pdf beside the one that belongs to report.json."""
        differing = other_libraries(self.report.generator, "report.pdf")
        try:
            if self._document.pdf({**self.data, **self.style_files}) == content:
                return Compared()
            depends_on_machine = self._document.uses_other_fonts
        except MissingLibrary:  # if not WeasyPrint, which differs then, a font of this machine
            depends_on_machine = True
        if differing:
            return Compared([*pdf_dangers(read)], [not_compared("pdf", "report.pdf", differing)])
        if depends_on_machine:
            return Compared([*pdf_dangers(read)], [NotChecked(part="pdf", what=say(_OTHER_FONTS))])
        return Compared([say(_NOT_THE_SAME, name="report.pdf"), *pdf_dangers(read)])

    def compare_sheets(self, name: str, content: bytes) -> Compared:
        """report.ods or report.xlsx beside the one that belongs to report.json."""
        try:
            if SHEET_FILES[name](workbook_of(self.report)) == content:
                return Compared()
        except MissingLibrary:
            pass  # it differs then
        if differing := other_libraries(self.report.generator, name):
            return Compared([*sheet_dangers(name, content)], [not_compared("sheets", name, differing)])
        return Compared([say(_NOT_THE_SAME, name=name), *sheet_dangers(name, content)])


def _differences(name: str, content: bytes, made: bytes) -> Iterator[str]:
    """The first line in which a file is another than the one made here, if there is one."""
    if content != made:
        found, expected = (text.decode("utf-8", "replace").splitlines() for text in (content, made))
        yield first_difference(name, found, expected)
