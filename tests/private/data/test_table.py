"""Reading the source: the same table from YAML, CSV and Parquet, and every mistake named by row and column."""

from pathlib import Path

import duckdb
import numpy as np
import pytest

from atreport import load_spec
from atreport.errors import InvalidInput
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.table import read_table
from tests.example import EXAMPLE, example_spec

CSV = """\
gender,income,population,approved
F,<100k,12,0
F,100k-200k,5,0
F,>200k,3,1
M,<100k,9,0
M,100k-200k,7,0.5
M,>200k,4,1
"""
INLINE = EXAMPLE[EXAMPLE.index("  table:") : EXAMPLE.index("policy:")]


def table_from(
    tmp_path: Path, content: str | bytes, name: str = "cells.csv", spec: str = EXAMPLE
) -> DecisionTable:
    """The example with its table in a file."""
    data = tmp_path / name
    data.write_bytes(content.encode() if isinstance(content, str) else content)
    path = tmp_path / "spec.yaml"
    path.write_text(spec.replace(INLINE, f"  cells: {name}\n"), encoding="utf-8")
    return read_table(load_spec(path))


def problems_of(
    tmp_path: Path, content: str | bytes, name: str = "cells.csv"
) -> list[tuple[int | None, str]]:
    """(line, message) of everything wrong with a data file."""
    with pytest.raises(InvalidInput) as caught:
        table_from(tmp_path, content, name)
    for problem in caught.value.problems:
        assert problem.location.file.endswith(name)
    return [(problem.location.line, problem.message) for problem in caught.value.problems]


def assert_same(one: DecisionTable, other: DecisionTable) -> None:
    """Two tables are equal, cell by cell."""
    np.testing.assert_array_equal(one.cells.codes, other.cells.codes)
    np.testing.assert_array_equal(one.cells.population, other.cells.population)
    np.testing.assert_array_equal(one.favourable, other.favourable)


def test_csv_parquet_and_inline_are_the_same(tmp_path: Path) -> None:
    """Where the rows stand makes no difference."""
    inline = read_table(example_spec())
    assert_same(table_from(tmp_path, CSV), inline)
    (tmp_path / "in.csv").write_text(CSV)
    duckdb.sql(f"COPY (FROM '{tmp_path / 'in.csv'}') TO '{tmp_path / 'cells.parquet'}' (FORMAT parquet)")
    assert_same(table_from(tmp_path, (tmp_path / "cells.parquet").read_bytes(), "cells.parquet"), inline)


def test_row_and_column_order_make_no_difference(tmp_path: Path) -> None:
    """Cells are put in the order of the spec's values."""
    lines = CSV.splitlines()
    columns = [line.split(",") for line in [lines[0], *reversed(lines[1:])]]
    turned = "\n".join(",".join(reversed(row)) for row in columns) + "\n"
    assert_same(table_from(tmp_path, turned), read_table(example_spec()))


def test_quotes_bom_blanks_and_crlf(tmp_path: Path) -> None:
    """Files as spreadsheets write them."""
    text = "\ufeff" + CSV.replace("F,<100k,12,0", '"F" , "<100k",12,0').replace("\n", "\r\n").replace(
        '"F" ', '"F"'
    )
    text = text.replace('"F", "<', '"F","<')
    assert_same(table_from(tmp_path, text), read_table(example_spec()))


def test_absent_and_empty_cells_take_no_part(tmp_path: Path) -> None:
    """A combination with population 0, or none at all, is no error; its probability may be left blank."""
    with_zero = CSV.replace("M,>200k,4,1", "M,>200k,0,")
    without = CSV.replace("M,>200k,4,1\n", "")
    table = table_from(tmp_path, with_zero)
    assert len(table.cells) == 5
    assert_same(table, table_from(tmp_path, without))


def test_other_outcome_may_be_given_instead(tmp_path: Path) -> None:
    """Either outcome's column will do, or both."""
    denied = (
        CSV.replace("approved", "denied")
        .replace(",0.5", ",0.9")
        .replace(",0\n", ",x\n")
        .replace(",1\n", ",0\n")
    )
    denied = denied.replace(",x\n", ",1\n")
    table = table_from(tmp_path, denied)
    assert table.favourable.tolist() == [0, 0, 1, 0, 0.1, 1]
    both = "\n".join(
        line + ("," + ("denied" if i == 0 else str(1 - float(line.split(",")[3]))))
        for i, line in enumerate(CSV.splitlines())
    )
    assert_same(table_from(tmp_path, both + "\n"), read_table(example_spec()))


@pytest.mark.parametrize(
    ("edit", "line", "message"),
    [
        (("F,>200k,3,1", "F,>20k,3,1"), 4, "'>20k' is not a value of 'income'"),
        (("F,>200k,3,1", "F,>200k,-3,1"), 4, "population -3 is negative"),
        (("F,>200k,3,1", "F,>200k,2.5,1"), 4, "population 2.5 is not a whole number"),
        (("F,>200k,3,1", "F,>200k,nan,1"), 4, "'nan' in column 'population' is not a number"),
        (("F,>200k,3,1", "F,>200k,,1"), 4, "row 3 has no 'population'"),
        (("F,>200k,3,1", "F,>200k,3,"), 4, "row 3 has no 'approved'"),
        (("F,>200k,3,1", "F,>200k,3,1.01"), 4, "1.01 in column 'approved' is not a probability"),
        (("F,>200k,3,1", "F,<100k,3,1"), 4, "row 3 describes the same people as row 1"),
        (("population,approved", "population,aproved"), 1, "unknown column 'aproved'"),
        (("population,approved", "people,approved"), 1, "column 'population' is missing"),
    ],
)
def test_mistake_is_named_by_row_and_column(
    tmp_path: Path, edit: tuple[str, str], line: int, message: str
) -> None:
    """Each mistake in a CSV file is answered with its line."""
    found = problems_of(tmp_path, CSV.replace(*edit))
    assert any(at == line and message in said for at, said in found), found


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty"),
        ("gender,income,population,approved\n", "no rows"),
        (CSV + "M,>200k\n", "cannot be read"),
        (CSV + "M,>200k,1,1,1,1\n", "cannot be read"),
        (CSV.encode() + b"M,\xff\xfe,1,1\n", "cannot be read"),
        (CSV.replace("population", "gender", 1), "column 'gender' appears twice"),
        (CSV.replace("12", "0").replace("5,0", "0,0").replace(",3,", ",0,").replace(",9,", ",0,").replace(",7,", ",0,").replace(",4,", ",0,"), "nobody is in the table"),
    ],
    ids=["empty", "heading only", "short row", "long row", "not utf-8", "column twice", "nobody"],
)  # fmt: skip
def test_bad_file_is_a_clear_error(tmp_path: Path, content: str | bytes, words: str) -> None:
    """Files that are not tables, or tables of nobody."""
    found = problems_of(tmp_path, content)
    assert any(words in said for _, said in found), found


def test_labels_in_parquet_may_be_numbers(tmp_path: Path) -> None:
    """Whole numbers in a typed file match labels written with the same digits."""
    sql = "SELECT * FROM (VALUES (1, '<100k', 3, 0.5), (2, '>200k', 4, 0.25)) t(gender, income, population, approved)"
    duckdb.sql(f"COPY ({sql}) TO '{tmp_path / 'x.parquet'}' (FORMAT parquet)")
    spec = EXAMPLE.replace("[F, M]", "[1, 2]")
    table = table_from(tmp_path, (tmp_path / "x.parquet").read_bytes(), "cells.parquet", spec)
    assert table.favourable.tolist() == [0.5, 0.25]


def test_bounds_come_from_their_columns(tmp_path: Path) -> None:
    """Per-cell bounds are read, and must hold the truth."""
    spec = EXAMPLE.replace("{delta: 0.9}", "{bounds: {lower: from, upper: to}}")
    rows = [line + ("," + ("from,to" if i == 0 else "0,1")) for i, line in enumerate(CSV.splitlines())]
    table = table_from(tmp_path, "\n".join(rows) + "\n", spec=spec)
    assert table.upper is not None
    assert table.upper.tolist() == [1] * 6
    broken = "\n".join(rows).replace("F,>200k,3,1,0,1", "F,>200k,3,1,0,0.5") + "\n"
    with pytest.raises(InvalidInput, match="do not contain the true probability"):
        table_from(tmp_path, broken, spec=spec)
    crossed = "\n".join(rows).replace("F,>200k,3,1,0,1", "F,>200k,3,1,0.9,0.5") + "\n"
    with pytest.raises(InvalidInput, match="above its upper bound"):
        table_from(tmp_path, crossed, spec=spec)
