"""A name in a spec is the file of that name and no other; what is read has limits, and they are said when reached."""

import time
from pathlib import Path

import duckdb
import pytest

from atreport import load_spec
from atreport.errors import InvalidInput
from atreport.private.data import record_source
from atreport.private.data.run_options import RunOptions
from atreport.private.data.table import read_table
from atreport.spec import check_records as checks
from tests.example import EXAMPLE
from tests.private.data.test_records import CSV, HEADING, assert_people, table_of, write_spec

INLINE = EXAMPLE[EXAMPLE.index("  table:") : EXAMPLE.index("policy:")]
OTHERS = HEADING + "F,>200k,denied\n"


def reasons(folder: Path, records: str) -> str:
    """Everything wrong with a spec of these records."""
    with pytest.raises(InvalidInput) as caught:
        table_of(folder, records)
    return "\n".join(str(problem) for problem in caught.value.problems)


@pytest.mark.parametrize("name", ["data[1].csv", "data*.csv", "what?.csv", "[ab].csv", "~.csv", "md:x.csv"])
def test_a_name_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Whatever characters it has: neither a link elsewhere nor a neighbour that the pattern fits is read in its place."""
    outside = tmp_path / "elsewhere.csv"
    outside.write_text(OTHERS)
    folder = tmp_path / "here"
    folder.mkdir()
    for decoy in ("data1.csv", "datax.csv", "what1.csv", "a.csv"):
        (folder / decoy).symlink_to(outside)
    (folder / name).write_text(CSV)
    assert_people(table_of(folder, f"'{name}'"))
    assert_people(table_of(folder, f"{{files: ['{name}']}}"))
    monkeypatch.chdir(folder)
    assert_people(read_table(load_spec("example.yaml")))


def test_cells_of_a_name_with_brackets(tmp_path: Path) -> None:
    """The same for a file of cells, and for the census beside records."""
    (tmp_path / "data[1].csv").write_text(
        "gender,income,population,approved\nF,<100k,12,0.25\nM,<100k,9,0.5\n"
    )
    (tmp_path / "data1.csv").write_text("gender,income,population,approved\nF,<100k,1,1\nM,<100k,1,1\n")
    spec = tmp_path / "spec.yaml"
    spec.write_text(EXAMPLE.replace(INLINE, "  cells: 'data[1].csv'\n"))
    assert read_table(load_spec(spec)).cells.population.tolist() == [12, 9]


def test_patterns_follow_no_link_and_stay_below_the_folder(tmp_path: Path) -> None:
    """A link among the matches, a linked folder, an absolute pattern or one with '..' is refused, at its place."""
    folder, outside = tmp_path / "here", tmp_path / "there"
    (folder / "parts" / "deep").mkdir(parents=True)
    outside.mkdir()
    (outside / "x.csv").write_text(OTHERS)
    rows = CSV.splitlines(keepends=True)
    (folder / "parts" / "a.csv").write_text("".join(rows[:20]))
    (folder / "parts" / "deep" / "b.csv").write_text(rows[0] + "".join(rows[20:]))
    assert_people(table_of(folder, "'parts/**/*.csv'"))
    assert_people(table_of(folder, "parts"))
    (folder / "parts" / "c.csv").symlink_to(outside / "x.csv")
    assert "'c.csv' is a link, and a pattern follows none" in reasons(folder, "'parts/*.csv'")
    assert "'c.csv' is a link" in reasons(folder, "parts")
    (folder / "parts" / "c.csv").unlink()
    (folder / "linked").symlink_to(outside)
    assert "is a link" in reasons(folder, "'link*/*.csv'")
    assert "is outside the spec's folder" in reasons(folder, "linked")
    for name in (f"{outside}/*.csv", "/**/*.csv", "../there/*.csv", "parts/../../there/*.csv"):
        assert "is outside the spec's folder" in reasons(folder, f"{{files: '{name}'}}")


def test_a_pattern_does_not_walk_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a limit on what is looked at, and it is said."""
    monkeypatch.setattr(checks, "MOST_ENTRIES", 5)
    for place in range(6):
        (tmp_path / f"{place}.csv").write_text(CSV)
    assert "more than 5 files and folders would be looked at" in reasons(tmp_path, "'**/*.csv'")


@pytest.mark.parametrize("name", ["x" * 300 + ".csv", "a/" * 3000 + "x.csv", "loop/x.csv", "dir.csv"])
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    """Too long, in a circle of links, or a folder: there is no such file, and no other error."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "dir.csv").mkdir()
    assert "there is no file" in reasons(tmp_path, f"'{name}'") or "outside" in reasons(tmp_path, f"'{name}'")


def test_a_query_that_never_ends_is_stopped(tmp_path: Path) -> None:
    """After the time that the command line gives, with words that say so."""
    with duckdb.connect(str(tmp_path / "data.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 'F' AS gender, '<100k' AS income, 'denied' AS decision")
    query = "SELECT t.* FROM t, range(1000000) a, range(1000000) b, range(1000000) c WHERE a.range < b.range + c.range"
    spec = write_spec(tmp_path, f"{{database: data.duckdb, query: '{query}'}}")
    start = time.monotonic()
    with pytest.raises(InvalidInput, match="reading took longer than 1 seconds"):
        read_table(load_spec(spec), None, RunOptions(time_limit=1))
    assert time.monotonic() - start < 15


def test_a_query_without_enough_memory_says_so(tmp_path: Path) -> None:
    """The words name the option, not the inside of the database."""
    (tmp_path / "cases.csv").write_text(CSV)
    spec = write_spec(tmp_path, "cases.csv")
    with pytest.raises(InvalidInput, match="there is not enough memory for it"):
        read_table(load_spec(spec), None, RunOptions(memory_limit="1MB"))


def test_a_small_file_of_endless_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Parquet file of a few kilobytes that holds a million rows, or long texts, is not taken into memory."""
    monkeypatch.setattr("atreport.private.data.estimated_table.MOST_TEXT", 1 << 20)
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT 'F' AS gender, repeat('x', 1000) AS income, 1 AS population FROM range(5000)) "
            f"TO '{tmp_path / 'cells.parquet'}'"
        )
    spec = tmp_path / "spec.yaml"
    spec.write_text(EXAMPLE.replace(INLINE, "  cells: cells.parquet\n"))
    with pytest.raises(InvalidInput, match="or their texts are too long"):
        read_table(load_spec(spec))
    monkeypatch.setattr("atreport.private.data.record_source.MOST_ROWS", 4)
    (tmp_path / "cases.csv").write_text(CSV)
    assert f"there are more than {record_source.MOST_ROWS:,} combinations" in reasons(tmp_path, "cases.csv")


def test_a_hundred_thousand_values_of_one_attribute(tmp_path: Path) -> None:
    """A long list of values is checked and read in seconds: nothing looks through the list for each of its entries."""
    values = [f"v{place}" for place in range(100_000)]
    (tmp_path / "cells.csv").write_text(
        "gender,income,population,approved\n" + "".join(f"{value},<100k,10,0.5\n" for value in values)
    )
    spec = tmp_path / "spec.yaml"
    measures = EXAMPLE[EXAMPLE.index("fairness:") : EXAMPLE.index("disclosure:")]
    text = (
        EXAMPLE.replace(measures, "")
        .replace(INLINE, "  cells: cells.csv\n")
        .replace("[F, M]", f"[{', '.join(values)}]")
    )
    spec.write_text(text)
    start = time.process_time()
    assert len(read_table(load_spec(spec)).cells) == 100_000
    assert time.process_time() - start < 5
