"""CSV files as spreadsheets write them elsewhere: semicolons, tabs and decimal commas, said in the spec and never guessed."""

from pathlib import Path

import numpy as np
import pytest

from atreport.errors import InvalidInput
from atreport.private.data.table import read_table
from atreport.spec.load import parse_spec

ROWS = [
    (sex, debt, out) for i in range(40) for sex in "FM" for debt, out in [(i / 8, "no" if i % 3 else "yes")]
]

SPEC = """\
atreport: 1
report: {title: T, publisher: P, version: 1.0.0, date: 2026-01-15}
process:
  name: T
  outcome: {name: decision, values: ["no", "yes"], favourable: "yes"}
  attributes:
    - {name: sex, role: public, values: [F, M]}
    - {name: debt, role: sensitive, values: [low, high]}
source:
  records: {files: cases.csv, bins: {debt: BINS}LAYOUT}
policy: {fidelity: {delta: 0.9}}
"""


def written(folder: Path, delimiter: str, decimal: str) -> None:
    """The records as one program or another writes them."""
    lines = [("sex", "debt", "decision"), *((s, str(d).replace(".", decimal), o) for s, d, o in ROWS)]
    quoted = [[f'"{part}"' if delimiter in part else part for part in line] for line in lines]
    text = "".join(delimiter.join(line) + "\n" for line in quoted)
    (folder / "cases.csv").write_text(text, encoding="utf-8-sig")


@pytest.mark.parametrize(
    ("word", "sign", "decimal", "point", "bins"),
    [
        ("semicolon", ";", "comma", ",", "[2.5]"),
        ("semicolon", ";", "comma", ",", "quantiles"),
        ("semicolon", ";", "comma", ",", "tree"),
        ("comma", ",", "comma", ",", "[2.5]"),
        ("tab", "\t", "point", ".", "[2.5]"),
        ("bar", "|", "comma", ",", "[2.5]"),
    ],
)
def test_layouts_are_read_alike(
    tmp_path: Path, word: str, sign: str, decimal: str, point: str, bins: str
) -> None:
    """The same records give the same table in every layout, whether edges are given or looked for."""
    plain = tmp_path / "plain"
    plain.mkdir()
    written(plain, ",", ".")
    written(tmp_path, sign, point)
    layout = f", csv: {{delimiter: {word}, decimal: {decimal}}}"
    text = SPEC.replace("BINS", bins)
    found = read_table(parse_spec(text.replace("LAYOUT", layout), tmp_path / "spec.yaml"))
    wanted = read_table(parse_spec(text.replace("LAYOUT", ""), plain / "spec.yaml"))
    assert np.array_equal(found.cells.population, wanted.cells.population)
    assert np.array_equal(found.probability, wanted.probability)


def test_a_point_beside_decimal_commas_is_no_number(tmp_path: Path) -> None:
    """1.234 may be a thousand or one and a bit: with decimal commas it is refused, not guessed."""
    (tmp_path / "cases.csv").write_text("sex;debt;decision\nF;1.234;no\nM;1,5;yes\n")
    layout = ", csv: {delimiter: semicolon, decimal: comma}"
    spec = parse_spec(SPEC.replace("BINS", "[2.5]").replace("LAYOUT", layout), tmp_path / "spec.yaml")
    with pytest.raises(InvalidInput, match=r"cases.csv:2: '1.234' in column 'debt' is not a number"):
        read_table(spec)


def test_another_delimiter_is_named(tmp_path: Path) -> None:
    """A heading that comes out as one column says what to write."""
    written(tmp_path, ";", ".")
    spec = parse_spec(SPEC.replace("BINS", "[2.5]").replace("LAYOUT", ""), tmp_path / "spec.yaml")
    with pytest.raises(InvalidInput, match=r"write 'csv: {delimiter: semicolon}'"):
        read_table(spec)


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        (", csv: {delimiter: ';'}", "';' is not allowed here"),
        (", csv: {encoding: cp1252}", "unknown key 'encoding'"),
    ],
)
def test_a_layout_that_is_none(tmp_path: Path, layout: str, words: str) -> None:
    """Words only, and no key that does nothing."""
    written(tmp_path, ",", ".")
    with pytest.raises(InvalidInput, match=words):
        parse_spec(SPEC.replace("BINS", "[2.5]").replace("LAYOUT", layout), tmp_path / "spec.yaml")


def test_a_file_of_cells_with_semicolons_is_told_what_to_do(tmp_path: Path) -> None:
    """Cells have commas: the message says what was found, not that a column is missing."""
    (tmp_path / "cells.csv").write_text("sex;debt;population;yes\nF;low;3;0,5\n")
    text = SPEC.replace("records: {files: cases.csv, bins: {debt: BINS}LAYOUT}", "cells: cells.csv")
    with pytest.raises(InvalidInput, match="a semicolon seems to part the others"):
        read_table(parse_spec(text, tmp_path / "spec.yaml"))


@pytest.mark.parametrize(
    "source", ["cells: cases.xlsx", "records: cases.xlsx", "records: {files: cases.ods}"]
)
def test_a_spreadsheet_in_a_spec_is_told_what_to_do(tmp_path: Path, source: str) -> None:
    """No build reads one; the message says how to get a file that it reads."""
    for name in ("cases.xlsx", "cases.ods"):
        (tmp_path / name).touch()
    text = SPEC.replace("records: {files: cases.csv, bins: {debt: BINS}LAYOUT}", source)
    with pytest.raises(InvalidInput, match="atreport init DIR --from cases"):
        parse_spec(text, tmp_path / "spec.yaml")
