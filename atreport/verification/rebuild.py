"""Make every public file of a report again from its report.json, and compare, byte for byte.

With the same version of this program and the same libraries the files must come out the same. What a report says of the
libraries that made it is asked only where they do not: then it decides whether other bytes are a finding, or are named as
not compared. It never makes anything pass.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from atreport.compose.generator import (
    NOT_EVERYWHERE,
    STYLE_LIBRARIES,
    SYSTEM_LIBRARIES,
    name_generator,
    other_libraries,
)
from atreport.errors import MissingLibrary
from atreport.export.files import catalogue_file, data_files
from atreport.export.spreadsheets import SHEET_FILES, NotPacked, unpack
from atreport.export.workbook import workbook_of
from atreport.pages.catalogue import CATALOGUE_FILE
from atreport.report.model import Report
from atreport.report.pdf import PdfContent
from atreport.report.reader import Published
from atreport.spec.house_style import logo_problem, png_problem
from atreport.spec.style import LOGO_FILES
from atreport.text.language import gettext, message, resolve
from atreport.verification.findings import Compared, NotChecked, UncheckedPart, at, attached

if TYPE_CHECKING:
    from atreport.pages.documents import LaidOut

_NOT_THE_SAME = message(
    "{name}: is not, to the last byte, the file that the same program makes of the figures"
)
_OTHER_FONTS = message(
    "report.pdf: some of its characters are in none of the fonts of reports, so it depends on fonts of the machine where it "
    "was made."
)


@dataclass(frozen=True, eq=False)
class Rebuild:
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
            yield gettext("generator: “{name}” is nothing that this version names", name=name[:60])
        for name in named & {*STYLE_LIBRARIES} - self.report.generator.keys():
            yield gettext("generator: does not name {name}, which its house style needs", name=name)
        for name, version in self.report.generator.items():
            if not VERSION.fullmatch(version):
                yield gettext(
                    "generator: “{version}” is no version of {name}", version=version[:60], name=name[:60]
                )

    def data_findings(self, name: str, content: bytes, called: str = "") -> Iterator[str]:
        """Where report.json or a table is not what this program makes of the figures in report.json."""
        yield from _differences(called or name, content, self.data[name])

    def catalogue_findings(self, files: Mapping[str, bytes]) -> Iterator[str]:
        """Where dcat.jsonld is not what belongs to the report and the files beside it."""
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
            missed = not_compared("pdf", "report.pdf", differing)
        elif depends_on_machine:
            missed = NotChecked(part="pdf", what=gettext(_OTHER_FONTS))
        else:
            return Compared([gettext(_NOT_THE_SAME, name="report.pdf"), *pdf_dangers(read)])
        return Compared([*pdf_dangers(read)], [missed])

    def compare_sheets(self, name: str, content: bytes) -> Compared:
        """report.ods or report.xlsx beside the one that belongs to report.json."""
        try:
            if SHEET_FILES[name](workbook_of(self.report)) == content:
                return Compared()
        except MissingLibrary:
            pass  # it differs then
        if differing := other_libraries(self.report.generator, name):
            return Compared([*sheet_dangers(name, content)], [not_compared("sheets", name, differing)])
        return Compared([gettext(_NOT_THE_SAME, name=name), *sheet_dangers(name, content)])


def _differences(name: str, content: bytes, made: bytes) -> Iterator[str]:
    """The first line in which a file is another than the one made here, if there is one."""
    if content != made:
        found, expected = (text.decode("utf-8", "replace").splitlines() for text in (content, made))
        yield first_difference(name, found, expected)


# Compare a page with the one made again from the report's figures.
#
# Guarantee: every byte is compared. Where other libraries may have drawn it, every byte but the drawings of
# charts and the files of fonts: structure, attributes, style, script, content policy, every word. Those two
# are cut out of both pages alike.

_SHOWN = 70
_CHART = re.compile(r'<svg xmlns="http://www.w3.org/2000/svg" [^>]*class="chart".*?</svg>', re.DOTALL)
_FONT = re.compile(r"(?<=;base64,)[A-Za-z0-9+/]{1000,}={0,2}(?=\) format\()")
_PLAIN_CHART = re.compile(
    r"(?:[^<]|</?(?:svg|title|defs|g|path|use|text|clipPath|rect)"
    r"(?: (?:(?!(?i:on|href))[A-Za-z-]+|xmlns:xlink|xlink:href(?==\"#))=\"[^\"<>&\\\\]*\")* ?/?>)*"
)
_CALLS = re.compile(r"url\((?!#)", re.IGNORECASE)
_NOT_COMPARED = message(
    "Charts ({charts}) and fonts ({fonts}) of report.html, which can show other figures than its words do"
)


def compare_page(page: bytes, made: str, differing: Mapping[str, tuple[str | None, str | None]]) -> Compared:
    """A page as found beside the same made here; `differing` are the libraries that may have drawn it otherwise."""
    try:
        found = page.decode("utf-8")
    except UnicodeDecodeError:
        return Compared([gettext("report.html: is not written in UTF-8, as every page is")])
    if found == made:
        return Compared()
    if not differing:
        return Compared([_difference(found, made)])
    (found_words, found_cut), (made_words, made_cut) = map(_cut, (found, made))
    if "\0" in found or found_words != made_words:
        return Compared([_difference(found_words, made_words)])
    result = Compared()
    for number, chart in enumerate((each for each in found_cut if each.startswith("<")), start=1):
        if not _PLAIN_CHART.fullmatch(chart) or _CALLS.search(chart):
            result.findings.append(
                gettext(
                    "report.html: chart {number} {what}",
                    number=number,
                    what=gettext("is more than a drawing"),
                )
            )
    unlike = [one for one, other in zip(found_cut, made_cut, strict=True) if one != other]
    charts = sum(each.startswith("<") for each in unlike)
    what = gettext(_NOT_COMPARED, charts=charts, fonts=len(unlike) - charts)
    result.not_checked.append(not_compared("charts", what, differing))
    return result


def _cut(page: str) -> tuple[str, list[str]]:
    """A page with a mark, which no page has, in place of each chart and of each file of a font; and what was cut out."""
    cut: list[str] = []

    def hole(kind: str, found: re.Match[str]) -> str:
        cut.append(found[0])
        return f"\0{kind}\0"

    for kind, pattern in (("chart", _CHART), ("font", _FONT)):
        page = pattern.sub(partial(hole, kind), page)
    return page, cut


def _difference(found: str, made: str) -> str:
    """The first tag or text in which two pages differ."""
    pieces = (re.split(r"(?<=>)", page) for page in (found, made))
    return first_difference("report.html", *pieces)


def first_difference(name: str, found: list[str], made: list[str]) -> str:
    """The first place at which a file says something else than the figures give."""
    for here, there in zip(found, made, strict=False):
        if here != there:
            pairs = zip(here, there, strict=False)
            start = next(
                (i for i, pair in enumerate(pairs) if pair[0] != pair[1]), min(len(here), len(there))
            )
            begin = max(0, start - 30)
            shown = [text[begin : begin + _SHOWN].strip() for text in (here, there)]
            return gettext(
                "{name}: says “{found}” where the figures give “{given}”",
                name=name,
                found=shown[0],
                given=shown[1],
            )
    if len(found) > len(made):
        return gettext("{name}: has more lines than the figures give", name=name)
    return gettext("{name}: has fewer lines than the figures give", name=name)


# Say why a file could not be compared, and how it can be; and look whether it is dangerous to open.
#
# A file that another library made has other bytes, and no reading of it can tell that what it shows is the
# same.

VERSION = re.compile(r"[0-9][0-9A-Za-z.+!-]{0,30}")
"""What a report may give as a version: it is shown in a command."""

_MADE_WITH = message("{what}: made with {made}, and here is {here}.")
_INSTALL = message("To compare it: pip install {libraries}")
_SYSTEM = message("pip cannot install {libraries}.")

_FOREIGN = message("has {what}, which no spreadsheet of a report has")
_SHEET_PARTS = re.compile(
    r"mimetype|(content|styles|meta)\.xml|META-INF/manifest\.xml"
    r"|\[Content_Types\]\.xml|_rels/\.rels|docProps/(app|core)\.xml|xl/(workbook|styles|sharedStrings)\.xml"
    r"|xl/theme/theme1\.xml|xl/(worksheets/sheet|tables/table)[0-9]+\.xml|xl/(worksheets/)?_rels/[a-z0-9]+\.xml\.rels"
)
_PREFIX = re.compile("{.*}")
_TAGS = re.compile(
    "f|definedNames?|oleObjects?|ddeLink|scripts?|event-listeners?|event|dde-.*|object(-ole)?|plugin|applet|floating-frame|forms?"
)
_ATTRIBUTES = {"formula", "TargetMode"}
"""What calculates, runs, calls or leads out of a spreadsheet; so does an `href` but to a place in it."""


def not_compared(
    part: UncheckedPart, what: str, differing: Mapping[str, tuple[str | None, str | None]]
) -> NotChecked:
    """That a file was not compared: which libraries differ, and how to have those that made it."""
    made, here = (
        ", ".join(f"{name} {(versions[which] or '?')[:30]}" for name, versions in differing.items())
        for which in (0, 1)
    )
    told = [gettext(_MADE_WITH, what=what, made=made, here=here)]
    pins = {
        name: made
        for name, (made, _) in differing.items()
        if name not in SYSTEM_LIBRARIES and made is not None and VERSION.fullmatch(made)
    }
    if system := [name for name in differing if name in SYSTEM_LIBRARIES]:
        told.append(gettext(_SYSTEM, libraries=", ".join(system)))
    if pins:  # last, so that it can be copied
        told.append(gettext(_INSTALL, libraries=" ".join(f"{name}=={made}" for name, made in pins.items())))
    return NotChecked(part=part, what=" ".join(told))


def pdf_dangers(read: PdfContent) -> Iterator[str]:
    """What makes a PDF dangerous to open."""
    for what in read.dangers:
        yield gettext("report.pdf: has {what}, which no PDF of a report has", what=resolve(what))


def sheet_dangers(name: str, content: bytes) -> Iterator[str]:
    """What makes a spreadsheet dangerous to open: foreign parts, formulas, scripts, links to elsewhere."""
    try:
        parts = unpack(content)
    except NotPacked as why:
        yield at(name, str(why))
        return
    for part, inside in parts.items():
        found = [part] if not _SHEET_PARTS.fullmatch(part) else _acts(inside) if part != "mimetype" else []
        for what in found:
            yield at(name, gettext(_FOREIGN, what=f"“{what[:60]}”"))


def _acts(part: bytes) -> Iterator[str]:
    """What in a part of a spreadsheet is more than words and numbers, each once."""
    if b"<!" in part or b"\0" in part:  # a declaration, or an encoding in which one could hide
        yield "<!"
        return
    try:
        elements = ElementTree.fromstring(part).iter()
    except (ElementTree.ParseError, ValueError, LookupError):
        yield part[:60].decode("utf-8", "replace")
        return
    tags: dict[str, None] = {}
    for element in elements:
        tags[_PREFIX.sub("", element.tag)] = None
        for key, value in element.items():
            name = _PREFIX.sub("", key)
            if name in _ATTRIBUTES or (name == "href" and not value.startswith("#")):
                yield f"{name}={value}"
                return
    yield from filter(_TAGS.fullmatch, tags)


# Find the files of a report's house style, by the SHA-256 that report.json states, so that its pages can be
# made again.
#
# They stand beside the report and are attached to its PDF. Nothing of them is shown or run before it was
# checked.

_NOT_HERE = message(
    "What the page and the PDF say and how they look: they are in the publisher's house style, and its files ({names}) are "
    "not here. Give the public folder, or the PDF, to which they are attached."
)


@dataclass(frozen=True, kw_only=True)
class StyleFiles:
    """What was found of the files that a house style names."""

    files: Mapping[str, bytes]  # those that are what report.json says, and safe
    complete: bool  # they are all that it names
    findings: tuple[str, ...]
    not_checked: tuple[NotChecked, ...]


def find_style_files(published: Published, report: Report) -> StyleFiles:
    """The files of the house style, from the folder or the PDF: wherever they must stand."""
    named = {} if report.style is None else report.style.files
    places: list[tuple[Callable[[str], str], Mapping[str, bytes]]] = []  # how each is called there
    if published.path.is_dir():
        places.append((str, published.files))
    if published.attachments is not None:
        places.append((attached, published.attachments))
    files: dict[str, bytes] = {}
    findings: list[str] = []
    for called, beside in places:
        for name in LOGO_FILES.values():
            if name not in beside:
                if name in named:
                    findings.append(
                        gettext("{name}: missing, though report.json names it", name=called(name))
                    )
            elif problem := _problem(name, beside[name], named.get(name)):
                findings.append(at(called(name), problem))
            else:
                files[name] = beside[name]
    missing = [name for name in named if name not in files]
    what = gettext(_NOT_HERE, names=", ".join(missing))
    return StyleFiles(
        files=files,
        complete=not missing,
        findings=tuple(findings),
        not_checked=(NotChecked(part="pages", what=what),) if missing and not findings else (),
    )


def _problem(name: str, content: bytes, digest: str | None) -> str | None:
    if digest is None:
        return gettext("report.json names no such file")
    if hashlib.sha256(content).hexdigest() != digest:
        return gettext("not the file whose SHA-256 report.json states")
    problem = (png_problem if name.endswith(".png") else logo_problem)(content)
    return problem and resolve(problem)
