"""Compare a spreadsheet with the one made again from the report's figures.

With the same library, byte for byte. Otherwise by a strict reading that takes no library: every cell has the type, the value
and the number format that the report gives, and nothing else is in the file. How it looks is then not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from importlib.metadata import PackageNotFoundError, version

from atreport.errors import MissingLibrary
from atreport.kit.language import message, say
from atreport.pages.sheets import SHEET_FILES
from atreport.pages.sheets.content import workbook_of
from atreport.pages.sheets.packing import NotPacked, unpack
from atreport.pages.sheets.workbook import Workbook
from atreport.report.model import Report
from atreport.verification.again.sheets.ods import read_ods
from atreport.verification.again.sheets.reading import Foreign, ReadBook, room_for
from atreport.verification.again.sheets.xlsx import read_xlsx
from atreport.verification.findings import Compared, NotChecked

_READERS: Mapping[str, tuple[str, Callable[[Mapping[str, bytes], Workbook], ReadBook]]] = {
    "report.ods": ("odfdo", read_ods),
    "report.xlsx": ("XlsxWriter", read_xlsx),
}
_NOT_THE_SAME = message(
    "{name}: is not, to the last byte, the file that the same program makes of the figures"
)
_LOOKS = message(
    "How {name} looks: it says that it was made with {library} {made}, and here is {here}. Every cell was checked, and "
    "that it holds no formula, macro, comment, link to elsewhere, or further or hidden sheet."
)


def compare_sheets(name: str, content: bytes, report: Report) -> Compared:
    """A spreadsheet beside the one that belongs to its report."""
    book = workbook_of(report)
    try:
        if SHEET_FILES[name](book) == content:
            return Compared()
    except MissingLibrary:
        pass
    library, reader = _READERS[name]
    try:
        if len(content) > room_for(book):
            raise NotPacked(say("is far larger than the spreadsheet of these figures"))
        read = reader(unpack(content), book)
    except (NotPacked, Foreign) as why:
        return Compared([say("{where}: {what}", where=name, what=why)])
    findings = [say("{where}: {what}", where=name, what=each) for each in _differences(read, book)]
    if findings:
        return Compared(findings)
    try:
        here = version(library)
    except PackageNotFoundError:
        here = say("none")
    if here == read.made_with:
        return Compared([say(_NOT_THE_SAME, name=name)])
    what = say(_LOOKS, name=name, library=library, made=read.made_with, here=here)
    return Compared(not_checked=[NotChecked(part="sheets", what=what)])


def _differences(read: ReadBook, book: Workbook) -> Iterator[str]:
    """Where a cell holds something else than the report gives, or there are other sheets or tables."""
    expected = [sheet.name for sheet in book.sheets]
    if [sheet.name for sheet in read.sheets] != expected:
        sheets = ", ".join(sheet.name for sheet in read.sheets)
        yield say("has the sheets “{sheets}” and not those of the report", sheets=sheets[:120])
        return
    for found, sheet in zip(read.sheets, book.sheets, strict=True):
        if len(found.rows) != len(sheet.rows):
            yield say(
                "{sheet} has {found} rows where the figures give {given}",
                sheet=sheet.name,
                found=len(found.rows),
                given=len(sheet.rows),
            )
        for number, (row, right) in enumerate(zip(found.rows, sheet.rows, strict=False), start=1):
            if _exactly(row) != _exactly(right):
                says, gives = (
                    " | ".join(map(str, entries))[:80] for entries in _first_difference(row, right)
                )
                yield say(
                    "{sheet}, row {number}, says “{found}” where the figures give “{given}”",
                    sheet=sheet.name,
                    number=number,
                    found=says,
                    given=gives,
                )
                break


def _exactly(entries: tuple[object, ...]) -> list[tuple[type, str]]:
    """Entries as they count: a number is no text, and 0.30 is not 0.3."""
    return [(type(entry), f"{entry:f}" if isinstance(entry, Decimal) else str(entry)) for entry in entries]


def _first_difference(
    row: tuple[object, ...], right: tuple[object, ...]
) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """The first cells in which two rows differ; all, where one is longer."""
    for one, other in zip(row, right, strict=False):
        if _exactly((one,)) != _exactly((other,)):
            return (one,), (other,)
    return row, right
