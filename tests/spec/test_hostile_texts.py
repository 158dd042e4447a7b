"""Numbers, names and texts that are meant to break something: each is a clear error, or is made safe."""

import csv
import io
import re
from pathlib import Path

import pytest

from atreport.errors import InvalidInput
from atreport.report.writer import cells_csv, measures_csv, report_json
from atreport.spec.load import load_spec, parse_spec
from atreport.verification.recalculation import table_findings
from tests.assessing import report_of
from tests.command_line import atreport
from tests.example import EXAMPLE, example_spec


@pytest.mark.parametrize(
    "number",
    ["1e-99999999", "1e99999999999999999999", "0." + "0" * 90 + "1", "1" * 200, "1e-41", "1e20", "0e-500"],
)
@pytest.mark.parametrize(
    "place",
    ["{delta: 0.9}", "{beta: 0.7}", "p: 0.8", "threshold: 0.3", "decimals: 4"],
    ids=lambda p: p.split(":")[0],
)
def test_absurd_numbers_are_refused_at_their_place(number: str, place: str) -> None:
    """Wherever a spec has a number, one that takes for ever to calculate with is an error at its line."""
    written = place[: place.index(":") + 2] + number + ("}" if place.endswith("}") else "")
    with pytest.raises(InvalidInput) as caught:
        parse_spec(EXAMPLE.replace(place, written))
    assert all(problem.location.line for problem in caught.value.problems)
    assert "too large" in str(caught.value) or "must be" in str(caught.value)


@pytest.mark.parametrize("number", ["1e-99999999", "1e99999999", "1e999"])
@pytest.mark.parametrize("place", ["approved: 0.5", "population: 12"])
def test_absurd_numbers_in_rows_are_refused(number: str, place: str) -> None:
    """The same in a table of cells."""
    with pytest.raises(InvalidInput, match=r"is not a number|is too large|not a probability"):
        parse_spec(EXAMPLE.replace(place, place.split(":")[0] + ": " + number))


@pytest.mark.parametrize("key", ["under", "protection"])
def test_absurd_thresholds_are_refused(key: str) -> None:
    """A threshold that would hide everybody is a mistake."""
    with pytest.raises(InvalidInput, match="at most 1,000,000"):
        parse_spec(
            EXAMPLE.replace(
                "decimals: 4", f"decimals: 4\n  small_cells: {{policy: round, {key}: 999999999999}}"
            )
        )


@pytest.mark.parametrize("name", ["..yaml", "...yaml", "x" * 245 + ".yaml", "a\u202eb.yaml", "a\nb.yaml"])
def test_names_that_no_folder_can_have(tmp_path: Path, name: str) -> None:
    """A spec whose name would lead out of the output folder, or is too long for the files beside it, is refused."""
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / name).write_text(EXAMPLE)
    before = sorted(path for path in tmp_path.rglob("*"))
    with pytest.raises(InvalidInput, match="cannot be that of a report's folder"):
        load_spec(folder / name)
    done = atreport("build", folder / name, "-o", tmp_path / "out" / "here", "--formats", "json")
    assert done.returncode == 2
    assert "rename the spec" in done.stderr
    assert "\u202e" not in done.stderr
    assert sorted(path for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("character", ["\u202e", "\u2066", "\u200f", "\u061c", "\u2028", "\x85", "\ufffe"])
@pytest.mark.parametrize("key", ["title", "publisher", "label", "version"])
def test_texts_are_what_they_look_like(character: str, key: str) -> None:
    """Characters that turn the direction of writing, end lines unseen or are none, are refused in every text."""
    written = f'{key}: "x\\u{ord(character):04x}y"'
    text, number = re.subn(rf"\b{key}: [^,}}\n]+", lambda _: written, EXAMPLE, count=1)
    assert number == 1
    with pytest.raises(InvalidInput, match=r"are not allowed"):
        parse_spec(text)


def test_what_is_said_steers_no_terminal(tmp_path: Path) -> None:
    """A text from a data file that is named in a message is written out, not obeyed."""
    inline = EXAMPLE[EXAMPLE.index("  table:") : EXAMPLE.index("policy:")]
    (tmp_path / "cells.csv").write_text(
        "gender,income,population,approved\nF\x1b[31m\u202e,<100k,3,0.5\n", encoding="utf-8"
    )
    spec = tmp_path / "spec.yaml"
    spec.write_text(EXAMPLE.replace(inline, "  cells: cells.csv\n"))
    done = atreport("check", spec)
    assert done.returncode == 2
    assert "\\u001b[31m\\u202e" in done.stderr
    assert "\x1b" not in done.stderr


def test_tables_hold_no_formulas(tmp_path: Path) -> None:
    """A value that a spreadsheet would calculate has an apostrophe before it; both verifiers know."""
    values = [
        ("[F, M]", "['+1+1', '@x']"),
        ("gender: F,", "gender: '+1+1',"),
        ("gender: M,", "gender: '@x',"),
    ]
    text = EXAMPLE
    for old, new in values:
        text = text.replace(old, new)
    report = report_of(parse_spec(text))
    cells, measures = cells_csv(report), measures_csv(report.fairness)
    for content in (cells, measures):
        for row in csv.reader(io.StringIO(content.decode())):
            assert not any(entry.startswith(("=", "+", "-", "@")) for entry in row)
    assert b"'+1+1" in cells
    assert b"'@x" in measures
    assert not list(table_findings(report_json(report), {"cells.csv": cells, "measures.csv": measures}))
    forged = cells.replace(b"'+1+1", b"'+1+2", 1)
    assert list(table_findings(report_json(report), {"cells.csv": forged}))


def test_signs_of_numbers_are_no_formulas() -> None:
    """A label that is a number keeps its sign, and no other text changes."""
    report = report_of(
        example_spec(
            ("[F, M]", "[-1, +2.5]"),
            *((f"gender: {a},", f"gender: {b},") for a, b in (("F", "-1"),) * 3 + (("M", "+2.5"),) * 3),
        )
    )
    assert {row.split(",")[0] for row in cells_csv(report).decode().splitlines()[1:]} == {"-1", "+2.5"}
