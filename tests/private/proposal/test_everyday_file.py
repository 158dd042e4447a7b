"""Files as people have them: delimiters, encodings, columns named twice, workbooks. Found and said, never guessed in silence."""

import importlib
from pathlib import Path
from typing import Any

import pytest

from atreport import load_spec
from atreport.cli.init import Proposed, write_proposal
from atreport.errors import InvalidInput, MissingLibrary, UsageError
from atreport.private.data.table import read_table
from atreport.private.proposal.vocabulary import Question, only_what_is_sure

pytestmark = pytest.mark.usefixtures("first_policy")


HEAD = ["town", "sex", "income", "approved"]
ROWS = [
    [
        ("Zürich", "Genève")[i % 2],
        "FM"[i % 3 == 0],
        f"{(i * 37) % 90 + i % 4 / 4}",
        ("no", "yes")[(i * 37) % 90 > 40],
    ]
    for i in range(180)
]


def text(delimiter: str = ",", decimal: str = ".", head: list[str] | None = None) -> str:
    """The same table, in one layout or another."""
    lines = [head or HEAD, *([a, b, c.replace(".", decimal), d] for a, b, c, d in ROWS)]
    return "".join(delimiter.join(line) + "\n" for line in lines)


def proposed(folder: Path, name: str, content: bytes, **options: Any) -> Proposed:
    """What init makes of a file."""
    (folder / name).write_bytes(content)
    return write_proposal(folder / "new", folder / name, **options)


def cells(folder: Path) -> int:
    """Read the data as a build does; how many cells there are, which is the same in every layout."""
    return len(read_table(load_spec(folder / "new" / "report.yaml")).cells)


@pytest.mark.parametrize(
    ("name", "delimiter", "decimal", "layout"),
    [
        ("a.csv", ",", ".", None),
        ("a.csv", ";", ",", "csv: {delimiter: semicolon, decimal: comma}"),
        ("a.tsv", "\t", ",", "csv: {delimiter: tab, decimal: comma}"),
        ("a.txt", "|", ".", "csv: {delimiter: bar}"),
    ],
)
def test_layouts_are_found_and_written_into_the_spec(
    tmp_path: Path, name: str, delimiter: str, decimal: str, layout: str | None
) -> None:
    """The spec says how the file is written, and it is read so; a byte-order mark is no part of the first name."""
    proposed(tmp_path, name, text(delimiter, decimal).encode("utf-8-sig"))
    spec = (tmp_path / "new" / "report.yaml").read_text(encoding="utf-8")
    assert (layout in spec) if layout else ("csv:" not in spec)
    assert "income: [" in spec  # a number in every layout
    assert cells(tmp_path) == 8


def test_a_file_with_semicolons_inside_the_folder_stays_where_it_is(tmp_path: Path) -> None:
    """The layout is in the spec, so nothing has to be copied."""
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "cases.csv").write_text(text(";", ","), encoding="utf-8")
    done = write_proposal(folder, folder / "cases.csv")
    assert not done.copied
    assert cells(tmp_path) == 8


def test_another_encoding_is_offered_not_guessed(tmp_path: Path) -> None:
    """The message shows how a line would read; with the answer, the copy is UTF-8."""
    content = text().encode("cp1252")
    with pytest.raises(UsageError, match=r"a.csv:2: .*not UTF-8(?s:.*)--encoding cp1252 .*Zürich"):
        proposed(tmp_path, "a.csv", content)
    assert not (tmp_path / "new").exists()
    done = proposed(tmp_path, "a.csv", content, encoding="cp1252", answers={"public": ("town", "sex")})
    assert "the text is cp1252; the copy is UTF-8" in done.notes
    assert "Zürich" in (tmp_path / "new" / "data" / "a.csv").read_text(encoding="utf-8")
    assert cells(tmp_path) == 16


def test_an_encoding_can_be_chosen_on_the_terminal(tmp_path: Path) -> None:
    """Who is asked and answers needs no option."""

    def ask(question: Question) -> tuple[str, ...] | None:
        return question.likely if question.about == "encoding" else only_what_is_sure(question)

    done = proposed(tmp_path, "a.csv", text().encode("cp1252"), ask=ask)
    assert "the text is cp1252; the copy is UTF-8" in done.notes


def test_a_line_for_excel_is_left_out(tmp_path: Path) -> None:
    """Excel may be told the delimiter in a line before the heading."""
    done = proposed(tmp_path, "a.csv", ("sep=;\r\n" + text(";")).encode())
    assert "the first line names the delimiter, for Excel; the copy begins with the heading" in done.notes
    assert cells(tmp_path) == 8


def test_utf16_says_so_itself(tmp_path: Path) -> None:
    """Spreadsheets save "Unicode text" as UTF-16 with tabs and a mark that names it."""
    done = proposed(tmp_path, "a.txt", text("\t").encode("utf-16"))
    assert "the text is utf-16; the copy is UTF-8" in done.notes
    assert cells(tmp_path) == 8


def test_columns_named_twice_are_told_apart(tmp_path: Path) -> None:
    """The second one gets a name of its own, with a word; so does one without a name."""
    done = proposed(tmp_path, "a.csv", text(head=["", "approved", "income", "Approved"]).encode())
    assert "column 4 is called 'Approved (2)' here: 'Approved' stands twice" in done.notes
    assert "column 1 is called 'column 1' here: it has no name" in done.notes
    assert done.proposal.outcome.column == "Approved (2)"


def test_thousands_are_not_taken_for_decimals(tmp_path: Path) -> None:
    """1,234 can be two numbers: it is taken for a text, with a word."""
    rows = "".join(
        f"{'FM'[i % 2]};{1 + i % 3},{i % 10}{i % 7}{i % 9};{('no', 'yes')[i % 5 > 2]}\n" for i in range(90)
    )
    done = proposed(
        tmp_path, "a.csv", ("sex;income;approved\n" + rows).encode(), answers={"sensitive": ("sex",)}
    )
    assert (
        "column 'income' may have decimal commas or commas between thousands: it is taken for texts"
        in done.notes
    )


@pytest.mark.parametrize("amount", ["{}.{:03},50", "€ {}{}", "{} {:03} EUR", "{},{:03}.25"])
def test_numbers_that_cannot_be_read_are_spoken_of(tmp_path: Path, amount: str) -> None:
    """Amounts with units or signs between thousands are texts, and their author hears why they are not used."""
    rows = "".join(
        f'"{"FM"[i % 2]}";"{amount.format(i % 89, i % 97)}";{i % 7};{("no", "yes")[i % 5 > 2]}\n'
        for i in range(300)
    )
    done = proposed(tmp_path, "a.csv", ("sex;amount;income;approved\n" + rows).encode())
    assert any(note.startswith("column 'amount' seems to hold numbers") for note in done.notes)
    assert "amount" not in done.proposal.columns


def test_decimal_points_and_commas_in_one_file(tmp_path: Path) -> None:
    """What more columns have is taken; the others are spoken of."""
    rows = "".join(
        f"{'FM'[i % 2]};{i % 90}.{i % 7};{i % 80}.{i % 3};{i % 90},{i % 9};{('no', 'yes')[i % 5 > 2]}\n"
        for i in range(300)
    )
    done = proposed(tmp_path, "a.csv", ("sex;income;debt;other;approved\n" + rows).encode())
    assert done.proposal.decimal == "point"
    assert any(note.startswith("column 'other' seems to hold numbers") for note in done.notes)


@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_workbooks_are_read(tmp_path: Path, ending: str) -> None:
    """Excel and OpenDocument: the first sheet with something in it, numbers as numbers."""
    path = tmp_path / f"cases.{ending}"
    write_workbook(path)
    done = write_proposal(tmp_path / "new", path)
    assert done.notes == ("the sheet 'Cases' is read, not 'Notes'",)
    assert "income: [" in (tmp_path / "new" / "report.yaml").read_text()
    assert cells(tmp_path) == 8


def write_workbook(path: Path) -> None:
    """The table on the second sheet, an empty one before it and a remark after it."""
    rows: list[list[Any]] = [list(HEAD), *([a, b, float(c), d] for a, b, c, d in ROWS)]
    if path.suffix == ".xlsx":
        book = importlib.import_module("openpyxl").Workbook()
        book.active.title = "Empty"
        sheet = book.create_sheet("Cases")
        for row in rows:
            sheet.append(row)
        book.create_sheet("Notes").append(["read me"])
        book.save(path)
        return
    odfdo = importlib.import_module("odfdo")
    document = odfdo.Document("spreadsheet")
    document.body.clear()
    for name, values in (("Empty", []), ("Cases", rows), ("Notes", [["read me"]])):
        table = odfdo.Table(name)
        for row in values:
            table.append_row(_row(odfdo, row))
        document.body.append(table)
    document.save(path)


def _row(odfdo: Any, values: list[Any]) -> Any:
    row = odfdo.Row()
    for value in values:
        row.append_cell(odfdo.Cell(value))
    return row


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra: what to install, or how to save the file."""
    write_workbook(tmp_path / "cases.xlsx")
    load = importlib.import_module

    def without(name: str, package: str | None = None) -> Any:
        if name == "openpyxl":
            raise ImportError(name)
        return load(name, package)

    monkeypatch.setattr("atreport.resources.import_module", without)
    with pytest.raises(MissingLibrary, match=r"atreport\[spreadsheets\](?s:.*)save it as CSV"):
        write_proposal(tmp_path / "new", tmp_path / "cases.xlsx")


@pytest.mark.parametrize("name", ["cases.xlsx", "cases.ods"])
def test_what_is_no_workbook(tmp_path: Path, name: str) -> None:
    """A wrong ending is answered in words."""
    with pytest.raises(InvalidInput, match=r"not a .* workbook"):
        proposed(tmp_path, name, b"no workbook")


def test_old_excel_is_told_how_to_be_saved(tmp_path: Path) -> None:
    """.xls is read by nobody any more."""
    with pytest.raises(UsageError, match=r"save it as .xlsx or as CSV"):
        proposed(tmp_path, "cases.xls", b"old")
