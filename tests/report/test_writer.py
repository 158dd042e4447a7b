"""The data files of a Report: report.json line by line, and the CSV files with the very same figures."""

import csv
import io
import json
from decimal import Decimal

import pytest

from atreport.report.fairness import Assessment
from atreport.report.writer import cells_csv, json_bytes, measures_csv, report_json
from tests.assessing import CASES, report_case, report_of
from tests.example import example_spec


def rows(content: bytes) -> list[dict[str, str]]:
    """A CSV file as any program reads it."""
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


@pytest.mark.parametrize("name", CASES)
def test_cells_are_those_of_the_json(name: str) -> None:
    """One row a cell in the same order: values, size as published, announced probabilities with all their decimals."""
    report = report_case(name)
    found = rows(cells_csv(report))
    size = {"shares": "share", "counts": "population", "withheld": None}[report.policy.population]
    assert len(found) == len(report.cells)
    for row, cell in zip(found, report.cells, strict=True):
        values = {attribute.name: row.pop(attribute.name) for attribute in report.process.attributes}
        assert values == dict(cell.values)
        if size is not None:
            published = row.pop(size)
            stated = getattr(cell, size)
            assert published == ("" if stated is None else f"{stated:f}" if size == "share" else str(stated))
        assert row == {outcome: f"{p:f}" for outcome, p in cell.announced.items()}
        assert all(len(p.split(".")[1]) == report.policy.decimals for p in row.values())


def test_suppressed_sizes_are_empty() -> None:
    """A cell whose size is not published has none in the CSV file, not even the one that figures are calculated with."""
    report = report_case("random 8")
    empty = [row["population"] == "" for row in rows(cells_csv(report))]
    assert empty == [cell.is_suppressed for cell in report.cells]
    assert sum(empty) == report.policy.small_cells.suppressed


def test_bounds_stand_in_the_last_columns() -> None:
    """Where the policy has bounds for each cell, they are published too."""
    rows_ = [
        (f"population: {n}, approved: {p}}}", f"population: {n}, approved: {p}, least: 0, most: 1}}")
        for n, p in ((12, 0), (5, 0), (3, 1), (9, 0), (7, 0.5), (4, 1))
    ]
    fidelity = ("fidelity: {delta: 0.9}", "fidelity: {bounds: {lower: least, upper: most}}")
    content = cells_csv(report_of(example_spec(*rows_, fidelity, ("  privacy: {beta: 0.7}\n", ""))))
    assert content.decode().splitlines()[0] == "gender,income,share,denied,approved,lower,upper"
    assert {(Decimal(row["lower"]), Decimal(row["upper"])) for row in rows(content)} == {
        (Decimal(0), Decimal(1))
    }


@pytest.mark.parametrize("name", CASES)
def test_measures_are_those_of_the_json(name: str) -> None:
    """One row a comparison; every figure as it stands in report.json."""
    report = report_case(name)
    found = rows(measures_csv(report.fairness))
    assert len(found) == len(report.fairness)
    for row, assessment in zip(found, report.fairness, strict=True):
        assert row["measure"] == assessment.measure
        assert (row["group_a"], row["group_b"]) == (assessment.groups or ("", ""))
        assert row["verdict"] == (assessment.verdict or "")
        stated = ["", "", ""]
        if assessment.value is not None and assessment.interval is not None:
            stated = [str(number) for number in (assessment.value, *assessment.interval)]
        assert [row["value"], row["interval_low"], row["interval_high"]] == stated
        assert row["given"] == "; ".join(f"{k}={v}" for k, v in (assessment.given or {}).items())
        assert [row["sampling_low"], row["sampling_high"]] == (
            [str(end) for end in assessment.sampling.interval] if assessment.sampling else ["", ""]
        )


def test_columns_of_the_unknown_only_where_there_are_any() -> None:
    """Two more columns, for all rows, where of somebody the group is unknown."""
    with_unknown, without = report_case("ll144_hiring"), report_case("credit_card")
    assert any(a.unknown for a in with_unknown.fairness)
    assert measures_csv(with_unknown.fairness).splitlines()[0].endswith(b",unknown_low,unknown_high")
    assert b"unknown" not in measures_csv(without.fairness).splitlines()[0]


def test_no_measures_are_a_heading_alone() -> None:
    """A report without fairness measures has a file with no rows."""
    nothing: tuple[Assessment, ...] = ()
    assert measures_csv(nothing).decode().startswith("measure,group_a,group_b,given,value,")
    assert rows(measures_csv(nothing)) == []


@pytest.mark.parametrize("name", CASES)
def test_a_cell_is_a_line(name: str) -> None:
    """So that a change to one cell is a change to one line; UTF-8, and a line feed at the end."""
    report = report_case(name)
    content = report_json(report)
    assert content.endswith(b"\n}\n")
    assert b"\r" not in content
    lines = content.decode().splitlines()
    first = lines.index('  "cells": [') + 1
    cells = [json.loads(line.strip().removesuffix(",")) for line in lines[first : first + len(report.cells)]]
    assert cells == json.loads(content)["cells"]


def test_texts_are_written_as_they_are() -> None:
    """Letters of any alphabet, not their numbers; no number that is none."""
    assert json_bytes({"a": "Straße №5"}) == '{\n  "a": "Straße №5"\n}\n'.encode()
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_bytes({"a": float("nan")})
