"""Records: the same cells from every kind of file, and every mistake named by file and row."""

import itertools
from collections import Counter
from pathlib import Path

import duckdb
import numpy as np
import pytest

from atreport import build, load_spec
from atreport.errors import InvalidInput, MissingLibrary
from atreport.private.data import data_files, record_source
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.table import read_table
from atreport.private.local_engine import LocalEngine
from atreport.private.prepare import prepare
from atreport.report.writer import report_json
from tests.assessing import published
from tests.example import EXAMPLE

INLINE = EXAMPLE[EXAMPLE.index("  table:") : EXAMPLE.index("policy:")]
HEADING = "gender,income,decision\n"
# The example's people, as cases: (gender, income, approved, denied)
PEOPLE = [
    ("F", "<100k", 2, 10),
    ("F", "100k-200k", 1, 4),
    ("F", ">200k", 3, 0),
    ("M", "<100k", 1, 8),
    ("M", "100k-200k", 4, 3),
    ("M", ">200k", 4, 0),
]
ROWS = [
    f"{gender},{income},{decision}\n"
    for gender, income, approved, denied in PEOPLE
    for decision in ["approved"] * approved + ["denied"] * denied
]
CSV = HEADING + "".join(ROWS)


def write_spec(folder: Path, records: str, *edits: tuple[str, str]) -> Path:
    """The example with records in place of its table; a mapping is given with its braces."""
    text = EXAMPLE.replace(INLINE, f"  records: {records}\n")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "example.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def table_of(folder: Path, records: str, *edits: tuple[str, str]) -> DecisionTable:
    """The decision table of a spec with these records."""
    return read_table(load_spec(write_spec(folder, records, *edits)))


def problems_of(folder: Path, records: str, *edits: tuple[str, str]) -> list[tuple[str, int | None, str]]:
    """(file name, line, message) of everything wrong; a build leaves nothing behind."""
    spec = write_spec(folder, records, *edits)
    with pytest.raises(InvalidInput) as caught:
        build(spec, folder / "out", formats=["json"])
    assert not (folder / "out").exists()
    return [(Path(p.location.file).name, p.location.line, p.message) for p in caught.value.problems]


def assert_people(table: DecisionTable) -> None:
    """The table is that of PEOPLE."""
    assert table.cells.population.tolist() == [approved + denied for _, _, approved, denied in PEOPLE]
    assert table.favourable.tolist() == [approved / (approved + denied) for _, _, approved, denied in PEOPLE]
    assert table.cells.process.estimated_from == "records"


def to_parquet(query: str, path: Path) -> None:
    """Write the rows of a query."""
    path.parent.mkdir(parents=True, exist_ok=True)
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet)")


def test_frequencies_of_a_csv_file(tmp_path: Path) -> None:
    """The probability of a cell is the share of its records; its population is their number."""
    (tmp_path / "cases.csv").write_text(CSV)
    table = table_of(tmp_path, "cases.csv")
    assert_people(table)
    assert table.cases is not None
    assert table.cases.tolist() == [[denied, approved] for _, _, approved, denied in PEOPLE]


def sources(folder: Path) -> dict[str, str]:
    """The same records in every form that can be read."""
    (folder / "cases.csv").write_text(CSV)
    one = f"FROM read_csv('{folder / 'cases.csv'}', all_varchar = true)"
    to_parquet(one, folder / "cases.parquet")
    for i in range(3):
        (folder / f"part{i}.csv").write_text(HEADING + "".join(ROWS[i::3]))
        to_parquet(f"FROM read_csv('{folder}/part{i}.csv', all_varchar = true)", folder / f"part{i}.parquet")
    for kind in ("csv", "parquet"):
        duckdb.sql(f"COPY ({one}) TO '{folder / ('hive_' + kind)}' (FORMAT {kind}, PARTITION_BY (gender))")
    database = duckdb.connect(str(folder / "cases.duckdb"))
    database.execute(f"CREATE TABLE cases AS {one}")
    database.execute("CREATE TABLE other AS SELECT * REPLACE (lower(gender) AS gender) FROM cases")
    database.close()
    return {
        "csv": "cases.csv",
        "parquet": "{files: cases.parquet}",
        "glob of csv": "'part*.csv'",
        "glob of parquet": "'part*.parquet'",
        "list": "{files: [part0.csv, part1.csv, part2.csv]}",
        "hive folder of csv": "hive_csv",
        "hive folder of parquet": "hive_parquet",
        "table": "{database: cases.duckdb, table: cases}",
        "query": "{database: cases.duckdb, query: 'SELECT upper(gender) AS gender, income, decision FROM other'}",
    }


@pytest.mark.parametrize("form", ["csv", "parquet", "glob of parquet", "hive folder of parquet", "table"])
def test_runs_of_rows_add_up(tmp_path: Path, form: str, monkeypatch) -> None:
    """A Parquet file is cut into runs of rows, other sources are not; counted run by run, no record is lost or counted twice."""
    monkeypatch.setattr(record_source, "ROWS_AT_ONCE", 9)
    spec = load_spec(write_spec(tmp_path, sources(tmp_path)[form]))
    assert spec.source.cases is not None
    source = record_source.open_source(tmp_path, spec.source.cases)
    keys = {name: f"{name}::VARCHAR" for name in ("gender", "income", "decision")}

    def counts(part: record_source.RecordSource) -> Counter[tuple[str, ...]]:
        found = LocalEngine().count_by(part, keys)
        return Counter(dict(zip(zip(*found.keys.values(), strict=True), found.records.tolist(), strict=True)))

    runs = source.runs()
    assert (len(runs) > len(source.files)) == ("parquet" in form)
    assert all(sum(counts(run).values()) <= 9 for run in runs) == ("parquet" in form)
    assert sum(map(counts, runs), Counter()) == counts(source)


def test_a_column_called_like_the_row_number_is_left_alone(tmp_path: Path, monkeypatch) -> None:
    """Its file is not cut."""
    monkeypatch.setattr(record_source, "ROWS_AT_ONCE", 9)
    sources(tmp_path)
    to_parquet(f"SELECT *, 1 AS File_Row_Number FROM '{tmp_path / 'cases.csv'}'", tmp_path / "named.parquet")
    spec = load_spec(write_spec(tmp_path, "{files: named.parquet}"))
    assert spec.source.cases is not None
    assert len(record_source.open_source(tmp_path, spec.source.cases).runs()) == 1


def test_every_form_gives_the_same_bytes(tmp_path: Path) -> None:
    """CSV, Parquet, patterns, hive folders, a table and a query of a database: one and the same report."""
    found = {}
    for name, records in sources(tmp_path).items():
        prepared = prepare(write_spec(tmp_path, records, ("0.7}", "0.9}")))
        found[name] = report_json(published(prepared))
    for name, report in found.items():
        assert report == found["csv"], name


def test_order_of_records_makes_no_difference(tmp_path: Path) -> None:
    """Nor does the order of columns, nor columns that nobody asked for."""
    lines = [line.strip().split(",") for line in reversed(ROWS)]
    text = "".join(f"{d},x,{g},{i}\n" for g, i, d in lines)
    (tmp_path / "cases.csv").write_text("decision,case,gender,income\n" + text)
    assert_people(table_of(tmp_path, "cases.csv"))


def test_blanks_quotes_bom_and_crlf(tmp_path: Path) -> None:
    """Files as spreadsheets write them."""
    text = "\ufeff" + CSV.replace("F,<100k", '"F", <100k ').replace("\n", "\r\n")
    (tmp_path / "cases.csv").write_bytes(text.encode())
    assert_people(table_of(tmp_path, "cases.csv"))


def test_texts_stay_texts(tmp_path: Path) -> None:
    """`01`, `no` and `1.0` are labels, in CSV as in the spec."""
    (tmp_path / "cases.csv").write_text(
        "gender,income,decision\n01,no,approved\n01,no,denied\n01,1.0,denied\n"
    )
    table = table_of(
        tmp_path, "cases.csv", ("[F, M]", "['01', '1']"), ('["<100k", "100k-200k", ">200k"]', "[no, 1.0, 1]"),
        ("  - {measure: individual, metric: total_variation, distance: {gender: 0, income: {scale: 0.5}}}\n", ""),
    )  # fmt: skip
    assert table.cells.population.tolist() == [2, 1]


def test_columns_groups_and_marks(tmp_path: Path) -> None:
    """Other column names, texts that stand for values, and marks of missing entries."""
    text = CSV.replace(HEADING, "sex,income,A16\n").replace("approved", "+").replace("denied", "-")
    text = text.replace("F,", "female,").replace("M,", "male,") + "male,?,+\nmale,N/A,-\n,<100k,+\n"
    (tmp_path / "cases.csv").write_text(text)
    records = (
        "{files: cases.csv, columns: {gender: sex, decision: A16}, missing: {marks: [N/A, '?'], rule: exclude}, "
        "groups: {gender: {F: female, M: [male, man]}, decision: {approved: +, denied: '-'}}}"
    )
    table = table_of(tmp_path, records)
    assert_people(table)
    assert table.estimation is not None
    assert table.estimation.excluded == (3, 3)


def test_missing_may_be_a_value(tmp_path: Path) -> None:
    """A declared value takes the records in which nothing is written."""
    (tmp_path / "cases.csv").write_text(CSV + "M,,approved\nM,,denied\n")
    records = "{files: cases.csv, missing: {attributes: {income: {value: unknown}}}}"
    edit = ('">200k"]}', '">200k", unknown]}')
    table = table_of(tmp_path, records, edit)
    assert table.cells.population.tolist()[-1] == 2
    assert table.estimation is not None
    assert table.estimation.excluded is None


NUMBERS = "gender,income,decision\n" + "".join(
    f"{'FM'[i % 2]},{i},{'approved' if i >= 40 or i % 7 == 0 else 'denied'}\n" for i in range(60)
)


@pytest.mark.parametrize(
    ("bins", "people"),
    [("[10, 40]", [10, 30, 20]), ("quantiles", [20, 20, 20]), ("tree", None)],
)
def test_bins_part_numbers(tmp_path: Path, bins: str, people: list[int] | None) -> None:
    """Edges as given, equal shares, or where the decisions change; the report says what a value stands for."""
    (tmp_path / "cases.csv").write_text(NUMBERS)
    table = table_of(tmp_path, f"{{files: cases.csv, bins: {{income: {bins}}}}}")
    found = [int(table.cells.population[table.cells.column("income") == code].sum()) for code in range(3)]
    assert people is None or found == people
    assert table.estimation is not None
    ranges = table.estimation.ranges
    assert [each.value for each in ranges] == ["<100k", "100k-200k", ">200k"]
    assert (ranges[0].low, ranges[2].high) == (None, None)
    assert (ranges[0].high, ranges[1].high) == (ranges[1].low, ranges[2].low)
    if bins == "tree":
        assert 40 in {ranges[0].high, ranges[1].high}
        assert table.estimation.edges_from_decisions == ("income",)


def test_bins_are_the_same_in_parquet_of_any_type(tmp_path: Path) -> None:
    """0.1 as text, single or double precision, or a decimal falls into the same bin."""
    values = "(VALUES ('F', 0.1, 'denied'), ('F', 0.3, 'approved'), ('M', 0.2, 'denied')) t(gender, income, decision)"
    found = []
    for kind in ("VARCHAR", "FLOAT", "DOUBLE", "DECIMAL(5,3)"):
        to_parquet(f"SELECT * REPLACE (income::{kind} AS income) FROM {values}", tmp_path / "cases.parquet")
        table = table_of(tmp_path, "{files: cases.parquet, bins: {income: [0.1, 0.3]}}")
        found.append(table.cells.codes.tolist())
    assert found == [[[0, 1], [0, 2], [1, 1]]] * 4


def test_census_gives_the_population(tmp_path: Path) -> None:
    """People from other statistics; then the counts of records are no population, and chance is not spoken of."""
    (tmp_path / "cases.csv").write_text(CSV)
    census = "gender,income,population\n" + "".join(
        f"{g},{i},{100 * (n + 1)}\n" for n, (g, i, _, _) in enumerate(PEOPLE)
    )
    (tmp_path / "census.csv").write_text(census)
    table = table_of(tmp_path, "{files: cases.csv, population: census.csv}")
    assert table.cells.population.tolist() == [100, 200, 300, 400, 500, 600]
    assert table.cells.process.estimated_from is None
    (tmp_path / "census.csv").write_text(census.replace("F,>200k,300\n", ""))
    found = problems_of(tmp_path, "{files: cases.csv, population: census.csv}")
    assert any("gender=F, income=>200k, and census.csv has nobody" in said for _, _, said in found), found
    (tmp_path / "census.csv").write_text("gender,income\n" + "".join(f"{g},{i}\n" for g, i, _, _ in PEOPLE))
    table = table_of(tmp_path, "{files: cases.csv, population: census.csv}")
    assert table.cells.population.tolist() == [1] * 6


def test_census_may_know_people_without_records_if_a_tree_does(tmp_path: Path) -> None:
    """Frequencies know nothing of people without a record; a tree has an answer for everybody."""
    (tmp_path / "cases.csv").write_text(CSV.replace("F,>200k,approved\n", ""))
    census = "gender,income,population\n" + "".join(f"{g},{i},7\n" for g, i, _, _ in PEOPLE)
    (tmp_path / "census.csv").write_text(census)
    found = problems_of(tmp_path, "{files: cases.csv, population: census.csv}")
    assert any("no record: gender=F, income=>200k" in said for _, _, said in found), found
    table = table_of(tmp_path, "{files: cases.csv, population: census.csv, estimate: tree}")
    assert len(table.cells) == 6


BAD: dict[str, tuple[str | bytes, int | None, str]] = {
    "short row": (CSV + "M,>200k\n", 42, "Expected Number of Columns: 3 Found: 2"),
    "long row": (CSV + "M,>200k,denied,1\n", 42, "Expected Number of Columns: 3 Found: 4"),
    "not utf-8": (CSV.encode() + b"M,\xff\xfe,denied\n", 42, "not utf-8"),
    "utf-16": (CSV.encode("utf-16"), 1, "UTF-16"),
    "open quote": (CSV + 'M,">200k,denied\n', 42, "unterminated quote"),
    "empty": ("", 1, "is empty"),
    "heading only": (HEADING, None, "there are no records"),
    "column twice": (CSV.replace("income", "gender", 1), 1, "column 'gender' appears twice"),
    "column twice, other case": (CSV.replace("income", "Gender", 1), 1, "column 'Gender' appears twice"),
    "column without a name": (CSV.replace("income", "", 1), 1, "a column has no name"),
    "column missing": (CSV.replace("income", "incom", 1), 1, "there is no column 'income'"),
    "unknown value": (
        CSV + "M,>300k,denied\n",
        42,
        "'>300k' in column 'income' is not a value of 'income' (1 record)",
    ),
    "unknown outcome": (CSV + "M,>200k,perhaps\n", 42, "'perhaps' in column 'decision' is not a value"),
    "missing entry": (CSV + "M,,denied\n", 42, "a record has no 'income'"),
    "blank entry": (CSV + "M,  ,denied\n", 42, "a record has no 'income'"),
    "nul": (CSV.encode() + b"M,>200k\x00,denied\n", 42, "is not a value of 'income'"),
}


@pytest.mark.parametrize(("content", "line", "words"), BAD.values(), ids=BAD.keys())
def test_bad_csv_is_a_clear_error(tmp_path: Path, content: str | bytes, line: int | None, words: str) -> None:
    """File, line, what is wrong; nothing written."""
    (tmp_path / "cases.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    found = problems_of(tmp_path, "cases.csv")
    assert any(at == ("cases.csv", line) and words in said for *at_, said in found for at in [tuple(at_)]), (
        found
    )


@pytest.mark.parametrize(
    ("entry", "words"),
    [("abc", "'abc' in column 'income' is not a number (1 record)"), ("NaN", "'NaN' in column 'income' is not a number"),
     ("inf", "is not a number"), ("", "a record has no 'income'")],
)  # fmt: skip
def test_mixed_types_and_nan(tmp_path: Path, entry: str, words: str) -> None:
    """A text, NaN or infinity in a column of numbers is named by its row."""
    (tmp_path / "cases.csv").write_text(NUMBERS + f"F,{entry},denied\nM,5,denied\n")
    found = problems_of(tmp_path, "{files: cases.csv, bins: {income: [10, 40]}}")
    assert [(name, line) for name, line, _ in found] == [("cases.csv", 62)]
    assert words in found[0][2]


def test_nan_in_parquet(tmp_path: Path) -> None:
    """NaN is named by its row there too."""
    rows = "(VALUES ('F', 1.0, 'denied'), ('M', 'nan'::DOUBLE, 'approved')) t(gender, income, decision)"
    to_parquet(f"SELECT * FROM {rows}", tmp_path / "cases.parquet")
    found = problems_of(tmp_path, "{files: cases.parquet, bins: {income: [10, 40]}}")
    assert found == [("cases.parquet", 2, "'nan' in column 'income' is not a number (1 record)")]


def test_not_parquet_and_other_columns(tmp_path: Path) -> None:
    """Text with the ending of Parquet; Parquet and CSV files whose columns differ from file to file."""
    (tmp_path / "cases.parquet").write_text("hello")
    assert "cannot be read" in problems_of(tmp_path, "cases.parquet")[0][2]
    (tmp_path / "cases.parquet").unlink()
    to_parquet("SELECT 'F' gender, '<100k' income, 'denied' decision", tmp_path / "p1.parquet")
    to_parquet("SELECT 'F' gender, 'denied' decision", tmp_path / "p2.parquet")
    assert "cannot be read" in problems_of(tmp_path, "'p*.parquet'")[0][2]
    (tmp_path / "c1.csv").write_text(CSV)
    (tmp_path / "c2.csv").write_text(CSV.replace(HEADING, "income,gender,decision\n"))
    assert problems_of(tmp_path, "'c*.csv'")[0][:2] == ("c2.csv", 1)
    assert "has other columns than c1.csv" in problems_of(tmp_path, "'c*.csv'")[0][2]


def test_column_twice_in_parquet(tmp_path: Path) -> None:
    """A Parquet file that names a column twice is refused: DuckDB would rename one of them in silence."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = [
        pyarrow.array(["F"]),
        pyarrow.array(["M"]),
        pyarrow.array(["<100k"]),
        pyarrow.array(["denied"]),
    ]
    frame = pyarrow.Table.from_arrays(columns, names=["gender", "gender", "income", "decision"])
    parquet.write_table(frame, tmp_path / "cases.parquet")
    assert problems_of(tmp_path, "cases.parquet")[0][2] == "column 'gender' appears twice"


def test_row_is_found_in_the_right_file(tmp_path: Path) -> None:
    """With several files, the one that holds the mistake is named."""
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "b.csv").write_text(HEADING + "F,<100k,approved\nF,<100k,aproved\n")
    found = problems_of(tmp_path, "{files: [a.csv, b.csv]}")
    assert found == [("b.csv", 3, "'aproved' in column 'decision' is not a value of 'decision' (1 record)")]
    (tmp_path / "b.csv").write_text(HEADING + "F,<100k,approved\nF,<100k\n")
    assert problems_of(tmp_path, "{files: [a.csv, b.csv]}")[0][:2] == ("b.csv", 3)


def test_endless_line(tmp_path: Path, monkeypatch) -> None:
    """A line without end is refused before it fills the memory, in the heading and below it, at its line."""
    monkeypatch.setattr(data_files, "MAX_LINE", 1000)
    (tmp_path / "cases.csv").write_text(CSV + "M," + "x" * 3000 + ",denied\n" + "".join(ROWS))
    found = problems_of(tmp_path, "cases.csv")
    assert found == [("cases.csv", 42, "cannot be read: line 42 is longer than 1,000 bytes")]
    (tmp_path / "cases.csv").write_text("x" * 3000)
    assert "the first line is longer" in problems_of(tmp_path, "cases.csv")[0][2]


@pytest.mark.slow
@pytest.mark.parametrize("heading", ["", CSV])
def test_line_of_two_gigabytes(tmp_path: Path, heading: str) -> None:
    """Two gigabytes without a line break: a clear error at once."""
    path = tmp_path / "cases.csv"
    with path.open("wb") as stream:
        stream.write(heading.encode())
        stream.truncate(2 << 30)  # sparse: it takes no space
    assert "longer than" in problems_of(tmp_path, "cases.csv")[0][2]


def test_unknown_values_are_counted_and_cut(tmp_path: Path) -> None:
    """A wrong column has thousands of unknown texts; a message names some, and how many more."""
    (tmp_path / "cases.csv").write_text(HEADING + "".join(f"F,{i},denied\n" for i in range(500)))
    found = problems_of(tmp_path, "cases.csv")
    assert len(found) == 21
    assert any("and 480 more texts in column 'income'" in said for _, _, said in found)


def test_database_that_is_none_and_query_that_fails(tmp_path: Path) -> None:
    """A text file is no database; a query with a mistake, or one that reaches for other files, is refused."""
    (tmp_path / "cases.db").write_text("hello")
    assert "not a DuckDB or SQLite file" in problems_of(tmp_path, "{database: cases.db, table: x}")[0][2]
    sources(tmp_path)
    found = problems_of(tmp_path, "{database: cases.duckdb, query: SELECT nonsense FROM cases}")
    assert "cannot be read" in found[0][2]
    found = problems_of(tmp_path, f"{{database: cases.duckdb, query: FROM read_csv('{tmp_path}/cases.csv')}}")
    assert "file system operations are disabled" in found[0][2]
    found = problems_of(tmp_path, "{database: cases.duckdb, query: SELECT 1); DROP TABLE cases; --}")
    assert "cannot be read" in found[0][2]


def test_sqlite_needs_its_extension(tmp_path: Path) -> None:
    """DuckDB reads SQLite with an extension; where it is absent, the message says how to get it."""
    import sqlite3

    with sqlite3.connect(tmp_path / "cases.sqlite") as database:
        database.execute("CREATE TABLE cases (gender TEXT, income TEXT, decision TEXT)")
        database.executemany("INSERT INTO cases VALUES (?, ?, ?)", [row.strip().split(",") for row in ROWS])
    database.close()
    found = "SELECT installed FROM duckdb_extensions() WHERE extension_name = 'sqlite_scanner'"
    if duckdb.connect().execute(found).fetchall() == [(True,)]:
        assert_people(table_of(tmp_path, "{database: cases.sqlite, table: cases}"))
    else:
        with pytest.raises(MissingLibrary, match="INSTALL sqlite"):
            table_of(tmp_path, "{database: cases.sqlite, table: cases}")


# records: (line, column, words)
BROKEN: dict[str, tuple[str, tuple[str, str] | None, int, int, str]] = {
    "no file": ("no.csv", None, 15, 12, "there is no file 'no.csv'"),
    "no match": ("'x*.csv'", None, 15, 12, "there is no file 'x*.csv'"),
    "outside": ("../cases.csv", None, 15, 12, "outside the spec's folder"),
    "other kind": ("example.yaml", None, 15, 12, "not a CSV or Parquet file"),
    "nothing": ("{columns: {gender: sex}}", None, 15, 3, "exactly one of files, database (found none)"),
    "no table": ("{database: cases.csv}", None, 15, 23, "either a 'table' of the database or a 'query'"),
    "table without database": ("{files: cases.csv, table: x}", None, 15, 31, "'table' needs a 'database'"),
    "unknown key": ("{file: cases.csv}", None, 15, 13, "unknown key 'file'"),
    "unknown column key": ("{files: cases.csv, columns: {gendr: sex}}", None, 15, 41, "there is no attribute 'gendr'"),
    "bins of the outcome": ("{files: cases.csv, bins: {decision: [1]}}", None, 15, 38, "no attribute 'decision'"),
    "too few edges": ("{files: cases.csv, bins: {income: [1]}}", None, 15, 46, "1 edge parts 2 bins, but 'income' has 3"),
    "edges descend": ("{files: cases.csv, bins: {income: [2, 1]}}", None, 15, 46, "the edges must ascend"),
    "unknown bins": ("{files: cases.csv, bins: {income: quantile}}", None, 15, 46, "'quantile' is not allowed here"),
    "bins and groups": ("{files: cases.csv, bins: {gender: [1]}, groups: {gender: {F: f}}}", None, 15, 38, "bins and groups"),
    "unknown group": ("{files: cases.csv, groups: {gender: {W: f}}}", None, 15, 49, "'W' is not a value of 'gender'"),
    "text in two groups": ("{files: cases.csv, groups: {gender: {F: x, M: x}}}", None, 15, 58, "'x' already stands for 'F'"),
    "unknown missing value": (
        "{files: cases.csv, missing: {attributes: {gender: {value: u}}}}", None, 15, 62, "'u' is not a value of 'gender'",
    ),
    "missing value for all": ("{files: cases.csv, missing: {rule: {value: u}}}", None, 15, 47, "'u' is not a value"),
    "missing rule": ("{files: cases.csv, missing: drop}", None, 15, 40, "'drop' is not allowed here"),
    "estimate": ("{files: cases.csv, estimate: tre}", None, 15, 41, "'tre' is not allowed here"),
    "estimate key": ("{files: cases.csv, estimate: {tre: {}}}", None, 15, 42, "unknown key 'tre'"),
    "tree attribute": ("{files: cases.csv, estimate: {tree: {attributes: [x]}}}", None, 15, 62, "there is no attribute 'x'"),
    "tree depth": ("{files: cases.csv, estimate: {tree: {depth: 99}}}", None, 15, 56, "must be from 1 to 12 levels, not 99"),
    "pickle": (
        "{files: cases.csv, estimate: {model: {onnx: m.pkl, inputs: [income]}}}", None, 15, 56, "it is never loaded",
    ),
    "no model": ("{files: cases.csv, estimate: {model: {inputs: [income]}}}", None, 15, 49, "exactly one of onnx, python"),
    "python without function": (
        "{files: cases.csv, estimate: {model: {python: rule, inputs: [income]}}}", None, 15, 58, "names no function",
    ),
    "model input": (
        "{files: cases.csv, estimate: {model: {python: 'a:b', inputs: [incom]}}}", None, 15, 74, "no attribute 'incom'",
    ),
    "census": ("{files: cases.csv, population: no.csv}", None, 15, 43, "there is no file 'no.csv'"),
    "bounds": ("cases.csv", ("{delta: 0.9}", "{bounds: {}}"), 17, 14, "records have no columns of bounds"),
    "sampling of a tree": (
        "{files: cases.csv, estimate: tree}", ("  outcome:", "  estimated_from: records\n  outcome:"), 10, 19,
        "not frequencies",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("records", "edit", "line", "column", "words"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_section_is_answered_at_its_place(
    tmp_path: Path, records: str, edit: tuple[str, str] | None, line: int, column: int, words: str
) -> None:
    """Every mistake in the section is found without reading a record, at its line and column."""
    (tmp_path / "cases.csv").write_text(CSV)
    spec = write_spec(tmp_path, records, *([edit] if edit else []))
    with pytest.raises(InvalidInput) as caught:
        load_spec(spec)
    found = [(p.location.line, p.location.column, p.message) for p in caught.value.problems]
    assert any(at[:2] == (line, column) and words in at[2] for at in found), found


def test_numbers_and_texts_in_one_parquet_source(tmp_path: Path) -> None:
    """Whole numbers in a typed file match labels written with the same digits."""
    combinations = list(itertools.product((1, 2), ("<100k", ">200k"), ("approved", "denied")))
    rows = ", ".join(f"({g}, '{i}', '{d}')" for g, i, d in combinations)
    to_parquet(f"SELECT * FROM (VALUES {rows}) t(gender, income, decision)", tmp_path / "cases.parquet")
    table = table_of(tmp_path, "cases.parquet", ("[F, M]", "[1, 2]"))
    np.testing.assert_array_equal(table.favourable, [0.5] * 4)
