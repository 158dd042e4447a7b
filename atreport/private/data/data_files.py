"""Turn CSV and Parquet files into something DuckDB reads without guessing, and its complaints into problems at a row."""

import codecs
import csv
import mmap
import re
from collections.abc import Sequence
from pathlib import Path

from atreport.errors import InvalidInput, SpecProblem, problem_in
from atreport.spec.source import DELIMITERS

MAX_LINE = 1 << 20
"""A CSV line may be this long for certain; beyond twice that it is refused."""

ROW_NUMBER = "file_row_number"
"""What DuckDB calls the number of a row in its Parquet file, which is then a column like others."""

_HINT = (
    "each row has the same columns, and CSV files are UTF-8 text with commas between columns, or what 'csv' says;\n"
    "        of a file in another encoding, 'atreport init DIR --from FILE' writes a copy in UTF-8"
)


def is_csv(path: Path) -> bool:
    """Whether a file is CSV by its ending; else it is Parquet."""
    return path.suffix.lower() == ".csv"


def literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def name_in_sql(name: str) -> str:
    """The name of a column as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def file_in_sql(path: Path) -> str:
    """A file as DuckDB takes it: this file and no other, though DuckDB reads ``[``, ``*`` and ``?`` as a pattern.

    The path is absolute, so that no beginning of a name (``~``, ``s3:``, ``md:``) means another place.
    """
    return literal(re.sub(r"[\[*?]", r"[\g<0>]", str(path.absolute())))


def csv_relation(
    files: Sequence[Path], columns: Sequence[str], *, hive: bool = False, delimiter: str = ","
) -> str:
    """CSV files as a table of texts, NULL where nothing is written.

    The columns are told, not guessed: a guess would skip rows, or take a number for a date.
    """
    types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in columns)
    more = ", hive_partitioning = true, hive_types_autocast = false" if hive else ""
    return (
        f"read_csv([{', '.join(map(file_in_sql, files))}], columns = {{{types}}}, auto_detect = false, "
        f"header = true, strict_mode = true, delim = {literal(delimiter)}, quote = '\"', escape = '\"', nullstr = ''{more})"
    )


def parquet_relation(files: Sequence[Path], *, hive: bool = False, rows: range | None = None) -> str:
    """Parquet files as a table; where only some rows are asked for, DuckDB reads only the row groups that hold them."""
    more = "true, hive_types_autocast = false" if hive else "false"
    arguments = f"[{', '.join(map(file_in_sql, files))}], hive_partitioning = {more}"
    if rows is None:
        return f"read_parquet({arguments})"
    return (
        f"(SELECT * EXCLUDE {ROW_NUMBER} FROM read_parquet({arguments}, {ROW_NUMBER} = true) "
        f"WHERE {ROW_NUMBER} >= {rows.start} AND {ROW_NUMBER} < {rows.stop})"
    )


def first_names(path: Path, delimiter: str = ",") -> list[str]:
    """What the first line of a CSV file says, name by name, whatever it is; :class:`InvalidInput` where it says nothing."""
    try:
        with path.open("rb") as stream:
            start = stream.read(4)
            if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise _bad_heading(path, "cannot be read: this is UTF-16 text; save the file as UTF-8")
            stream.seek(0)
            line = stream.readline(2 * MAX_LINE)
    except OSError as error:
        raise _bad_heading(path, f"cannot be read ({error.strerror})") from None
    if len(line) >= 2 * MAX_LINE:
        raise _bad_heading(path, f"cannot be read: the first line is longer than {2 * MAX_LINE:,} bytes")
    try:
        text = line.decode("utf-8-sig")
        names = [name.strip() for name in next(csv.reader([text], delimiter=delimiter), [])]
    except (csv.Error, UnicodeDecodeError) as error:
        raise _bad_heading(path, f"cannot be read: {error}") from None
    if not any(names):
        raise _bad_heading(path, "is empty")
    return names


def csv_heading(path: Path, delimiter: str = ",") -> list[str]:
    """The column names of a CSV file; :class:`InvalidInput` where it has none, or one twice."""
    names = first_names(path, delimiter)
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        if not name or name.casefold() in seen:
            what = f"column '{name}' appears twice" if name else "a column has no name"
            raise _bad_heading(path, what, position)
        seen.add(name.casefold())
    return names


def other_delimiter(names: Sequence[str], delimiter: str) -> str | None:
    """The word for what seems to part the columns instead, where a heading has come out as a single name."""
    if len(names) != 1:
        return None
    often = {word: names[0].count(sign) for word, sign in DELIMITERS.items() if sign != delimiter}
    word = max(often, key=lambda each: often[each])
    return word if often[word] else None


def _bad_heading(path: Path, message: str, column: int | None = None) -> InvalidInput:
    hint = "the first line names the columns, separated by commas or by what 'csv: {delimiter: …}' says"
    return InvalidInput(problem_in(path, message, hint, 1, column))


def refuse_endless_lines(path: Path) -> None:
    """Refuse a CSV file with a line of more than two mebibytes: reading one takes memory without end, or drops it.

    A line of twice the length of a window covers one window of the file completely, so a look into each for a line
    break finds it. Where lines are short that is a glance a window.
    """
    if path.stat().st_size <= MAX_LINE:
        return
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for start in range(0, len(content) - MAX_LINE + 1, MAX_LINE):
            if content.find(b"\n", start, start + MAX_LINE) < 0:
                line = _count_lines(content, start)
                message = f"cannot be read: line {line:,} is longer than {MAX_LINE:,} bytes"
                raise InvalidInput(problem_in(path, message, _HINT, line))


def _count_lines(content: mmap.mmap, end: int) -> int:
    """The number of the line in which position `end` lies, counted from 1."""
    lines, position = 1, content.find(b"\n", 0, end)
    while position >= 0:
        lines, position = lines + 1, content.find(b"\n", position + 1, end)
    return lines


def unreadable(files: Sequence[Path], reason: str) -> SpecProblem:
    """DuckDB's finding in one line, with file and line; the offending row itself may be confidential."""
    line = re.search(r"Line: (\d+)", reason)
    named = re.search(r"^\s*file ?= ?(.+)$", reason, re.M)
    path = next((file for file in files if str(file) in (named.group(1) if named else reason)), files[0])
    finding = re.search(
        r"^(Expected Number of Columns.*|Invalid unicode.*|.*unterminated quote.*|Maximum line size.*)$",
        reason,
        re.M,
    )
    first = reason.splitlines()[0] if reason else "unknown reason"
    what = (finding.group(1) if finding else first).replace(str(path), "the file").strip(" .*")
    return problem_in(path, f"cannot be read: {what}", _HINT, int(line.group(1)) if line else None)
