"""Open a file as people have it: any usual delimiter and encoding, columns named twice, workbooks of spreadsheets.

What is found is said and written into the spec, so that a build reads the same without looking. What the spec cannot say
(another encoding, a workbook, a column name that stands twice) is put right in a copy.
"""

import codecs
import csv
import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from atreport.errors import InvalidInput, MissingLibrary, UsageError, problem_in
from atreport.private.data.data_files import csv_relation, refuse_endless_lines
from atreport.private.data.record_source import RecordSource, open_source
from atreport.private.proposal.vocabulary import Ask, PossibleAnswer, Question
from atreport.resources import load_library
from atreport.spec.source import DELIMITERS, Records
from atreport.spec.yaml import DATA_ENDINGS

# Read the table of a spreadsheet: Excel (.xlsx) and OpenDocument (.ods), through the extra `spreadsheets`.

WORKBOOKS = (".xlsx", ".ods")
EXTRA = "spreadsheets"


def rows_of_workbook(path: Path) -> tuple[list[list[str]], tuple[str, ...]]:
    """The rows of the first sheet that holds something, as texts, and what to tell of it."""
    try:
        sheets = _excel(path) if path.suffix.lower() == ".xlsx" else _open_document(path)
    except MissingLibrary as error:
        raise MissingLibrary(f"{error}\n  Or open the file and save it as CSV (UTF-8).") from None
    except Exception:  # these libraries say in many ways that a file is not what its ending says
        message = f"cannot be read: this is not a {path.suffix.lower()} workbook that can be opened"
        hint = "open it in a spreadsheet and save it as CSV (UTF-8)"
        raise InvalidInput(problem_in(path, message, hint)) from None
    filled = [(name, trimmed) for name, rows in sheets if (trimmed := _trimmed(rows))]
    if not filled:
        return [], ()
    name, rows = filled[0]
    others = ", ".join(f"'{other}'" for other, _ in filled[1:])
    note = f"the sheet '{name}' is read" + (f", not {others}" if others else "")
    return rows, (note,)


def _excel(path: Path) -> list[tuple[str, list[list[str]]]]:
    openpyxl = load_library("openpyxl", EXTRA, "workbooks (.xlsx)")
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        return [
            (sheet.title, [[_text(cell) for cell in row] for row in sheet.iter_rows(values_only=True)])
            for sheet in book.worksheets
        ]
    finally:
        book.close()


def _open_document(path: Path) -> list[tuple[str, list[list[str]]]]:
    odfdo = load_library("odfdo", EXTRA, "workbooks (.ods)")
    tables: Iterable[Any] = odfdo.Document(path).body.get_tables()
    return [
        (str(table.name), [[_text(cell) for cell in row] for row in table.iter_values()]) for table in tables
    ]


def _text(cell: object) -> str:
    """A cell as a spreadsheet shows it without a format: whole numbers without decimals, dates year first."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float | Decimal) and cell == int(cell):
        return str(int(cell))
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, dt.date | dt.time) else str(cell).strip()


def _trimmed(rows: list[list[str]]) -> list[list[str]]:
    """Without empty rows around and between, and without empty columns at the right; every row equally long."""
    filled = [row for row in rows if any(row)]
    width = max((place + 1 for row in filled for place, text in enumerate(row) if text), default=0)
    return [[*row, *[""] * width][:width] for row in filled]


TEXT_ENDINGS = (".csv", ".tsv", ".tab", ".txt")
ENDINGS = (*dict.fromkeys((*TEXT_ENDINGS, *DATA_ENDINGS)), *WORKBOOKS)
"""What `init --from` reads."""

ENCODINGS = {
    "cp1252": "Windows, Western Europe",
    "cp1250": "Windows, Central Europe",
    "mac-roman": "old Macintosh",
}
"""Encodings that are offered where a text is not UTF-8; any other that Python knows can be named."""

ROWS_TRIED = 200
"""So many rows tell which delimiter it is."""


Delimiter = Literal["comma", "semicolon", "tab", "bar"]


@dataclass(frozen=True, kw_only=True)
class EverydayFile:
    """A file of records that can be read, how its CSV is written, and what was done to read it."""

    path: Path  # as the author has it
    source: RecordSource
    delimiter: Delimiter = "comma"
    as_it_is: bool = True  # whether a spec can name the file itself
    notes: tuple[str, ...] = ()


def open_file(path: Path, scratch: Path, ask: Ask, encoding: str | None = None) -> EverydayFile:
    """Open a file of records; what must be put right is written to the folder `scratch`, which the caller removes."""
    ending = path.suffix.lower()
    if ending not in ENDINGS or not path.is_file():
        raise UsageError(_no_such_file(path))
    if ending in WORKBOOKS:
        rows, notes = rows_of_workbook(path)
        plain = scratch / f"{path.stem}.csv"
        with plain.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows(rows)
        return _open_text(path, plain, as_it_is=False, notes=notes)
    if ending not in TEXT_ENDINGS:
        return EverydayFile(path=path, source=open_source(path.parent, Records(files=(path.name,))))
    found = _encoding_of(path, ask, encoding)
    names_delimiter = found is None and _first_line_names_the_delimiter(path)
    if found is None and not names_delimiter and ending in DATA_ENDINGS:
        return _open_text(path, path, as_it_is=True, notes=())
    plain = scratch / f"{path.stem}.csv"
    if found is None and not names_delimiter:  # CSV under another ending: under this one it is read
        plain.symlink_to(path.resolve())
        return _open_text(path, plain, as_it_is=False, notes=())
    _convert(path, plain, found or "utf-8-sig")
    said = [f"the text is {found}; the copy is UTF-8"] if found else []
    if names_delimiter:
        said.append("the first line names the delimiter, for Excel; the copy begins with the heading")
    return _open_text(path, plain, as_it_is=False, notes=tuple(said))


def _no_such_file(path: Path) -> str:
    if not path.exists():
        return f"{path} does not exist; --from takes a file of records"
    if path.suffix.lower() == ".xls":
        return (
            f"{path}: this is the format of Excel until 2003; open it and save it as .xlsx or as CSV (UTF-8)"
        )
    return f"{path} is not a file of records; --from takes {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"


def _open_text(path: Path, plain: Path, *, as_it_is: bool, notes: tuple[str, ...]) -> EverydayFile:
    """Open UTF-8 text: find the delimiter, and give every column a name of its own."""
    try:
        refuse_endless_lines(plain)
        delimiter = _delimiter_of(plain)
        given = _first_row(plain, DELIMITERS[delimiter])
    except (csv.Error, OSError) as error:
        raise _unreadable(path, str(error)) from None
    if not any(given):
        raise _unreadable(path, "is empty")
    if all(_is_number(name) for name in given):
        raise UsageError(
            f"{path}: the first line is {', '.join(given[:4])}: numbers, and no names of columns.\n"
            "  Add a first line that names them."
        )
    columns = _own_names(given)
    renamed = [
        f"column {place} is called '{new}' here: {_why_renamed(old, new)}"
        for place, (old, new) in enumerate(zip(given, columns, strict=True), start=1)
        if old != new
    ]
    sign = DELIMITERS[delimiter]
    if delimiter != "comma":
        notes = (*notes, f"a {delimiter} parts the columns")
    return EverydayFile(
        path=path,
        source=RecordSource(
            files=(plain,), relation=csv_relation([plain], columns, delimiter=sign), columns=tuple(columns),
            delimiter=sign,
        ),
        delimiter=delimiter,
        as_it_is=as_it_is and not renamed,
        notes=(*notes, *renamed),
    )  # fmt: skip


def _encoding_of(path: Path, ask: Ask, given: str | None) -> str | None:
    """The encoding of a text that is not UTF-8; None where it is. A guess is offered, never taken."""
    if given is not None:
        try:
            name = codecs.lookup(given).name
        except LookupError:
            raise UsageError(
                f"there is no encoding '{given}'; --encoding takes names such as cp1252"
            ) from None
        return None if name in ("utf-8", "utf-8-sig") else name
    with path.open("rb") as stream:
        if stream.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
    line = _first_line_not_utf8(path)
    if line is None:
        return None
    number, raw = line
    if b"\0" in raw:
        raise UsageError(f"{path}: is no text; --from takes a file of records")
    choices = tuple(
        PossibleAnswer(
            answer=name,
            reasons=(f"{about}; line {number} then reads: {raw.decode(name, 'replace').strip()[:60]}",),
        )
        for name, about in ENCODINGS.items()
    )
    question = Question(
        about="encoding", text="The text is not UTF-8. In which encoding does it read well?", choices=choices,
        likely=("cp1252",),
    )  # fmt: skip
    answer = ask(question)
    if answer is None:
        offered = "\n".join(f"  --encoding {c.answer:<10} {c.reasons[0]}" for c in choices)
        raise UsageError(f"{path}:{number}: this text is not UTF-8. Say which encoding it is:\n{offered}")
    return answer[0]


def _first_line_not_utf8(path: Path) -> tuple[int, bytes] | None:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number, line
    return None


def _first_line_names_the_delimiter(path: Path) -> bool:
    """Whether a file begins with a line such as ``sep=;``, by which Excel is told."""
    with path.open("rb") as stream:
        return re.match(rb"(\xef\xbb\xbf)?sep=.\r?\n", stream.read(16), re.I) is not None


def _convert(path: Path, plain: Path, encoding: str) -> None:
    """Copy a text as UTF-8, without a first line that only names the delimiter."""
    try:
        with (
            path.open(encoding=encoding, newline="") as old,
            plain.open("w", encoding="utf-8", newline="") as new,
        ):
            first = old.readline()
            if not re.fullmatch(r"\ufeff?sep=.\r?\n", first, re.I):
                new.write(first)
            while part := old.read(1 << 20):
                new.write(part)
    except UnicodeError as error:
        raise UsageError(f"{path}: is no {encoding} text: {error}") from None


def _rows(path: Path, sign: str) -> Iterator[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        yield from csv.reader(stream, delimiter=sign, skipinitialspace=True)


def _first_row(path: Path, sign: str) -> list[str]:
    return [name.strip() for name in next(_rows(path, sign), [])]


def _delimiter_of(path: Path) -> Delimiter:
    """What parts every row into as many columns as the first; else what seems to part the first row, or the comma."""
    words: tuple[Delimiter, ...] = ("comma", "semicolon", "tab", "bar")
    for word in words:
        widths = {len(row) for row in islice(_rows(path, DELIMITERS[word]), ROWS_TRIED) if row}
        if len(widths) == 1 and widths != {1}:
            return word
    names = _first_row(path, ",")
    if len(names) > 1:
        return "comma"  # rows differ in length: reading the file will say where
    return max(words, key=lambda word: ",".join(names).count(DELIMITERS[word]))


def _own_names(given: Sequence[str]) -> list[str]:
    """The names of the columns, each once: a second 'age' becomes 'age (2)'."""
    found: list[str] = []
    for place, name in enumerate(given, start=1):
        plain = " ".join(re.split(r"[\x00-\x1f]+", name)).strip() or f"column {place}"
        taken = {each.casefold() for each in found}
        new, number = plain, 2
        while new.casefold() in taken:
            new, number = f"{plain} ({number})", number + 1
        found.append(new)
    return found


def _why_renamed(old: str, new: str) -> str:
    if not old:
        return "it has no name"
    return (
        f"'{old}' stands twice"
        if new.endswith(")") and old != new and old in new
        else "its name has line breaks or tabs"
    )


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _unreadable(path: Path, what: str) -> InvalidInput:
    message = what if what == "is empty" else f"cannot be read: {what}"
    hint = "a file of records has a first line that names the columns, and a row for each decided case"
    return InvalidInput(problem_in(path, message, hint, 1))
