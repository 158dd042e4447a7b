"""What a page shows first, says once, cuts or leaves out follows from what is published, and from nothing else.

Orders and cuts are the quietest way in which a figure can leak: two true rules, or two populations, of which the very same
is published, must give the same page.
"""

import random
import re
from typing import Any

import numpy as np
import pytest

from atreport.errors import AtreportError
from atreport.export.files import public_files
from atreport.report.model import Report
from atreport.report.reader import read_report
from atreport.report.writer import report_json
from atreport.text.tables import EXTREMES, extremes
from tests.compose.populations import parsed, published_alike
from tests.documents import make_report

Document = dict[str, Any]
REGIONS = 40


def long_document(seed: int, small_cells: str, population: str) -> Document:
    """A spec with more cells, groups and comparisons than a page shows, many of them alike, and some of them small."""
    rng = random.Random(seed)
    regions = [f"R{number:02d}" for number in range(REGIONS)]
    rows = [
        {
            "region": region,
            "gender": gender,
            "population": rng.choice([3, 8, 12, 40, 40, 200]),
            "yes": rng.choice([0.235, 0.235, 0.415, 0.675, 0.935]),
        }
        for region in regions
        for gender in ("F", "M")
    ]
    return {
        "atreport": 1,
        "report": {"title": "Long", "publisher": "Office", "version": "1", "date": "2026-01-15"},
        "process": {
            "name": "Grants",
            "description": "Who gets one.",
            "outcome": {"name": "grant", "values": ["no", "yes"], "favourable": "yes"},
            "attributes": [
                {"name": "region", "role": "public", "values": regions},
                {"name": "gender", "role": "sensitive", "values": ["F", "M"]},
            ],
        },
        "source": {"table": rows},
        "policy": {
            "fidelity": {"delta": 0.8},
            "decimals": 2,
            "mechanism": "calibrated",
            "small_cells": small_cells,
        },
        "fairness": [
            {"measure": "statistical_parity", "groups": "gender", "threshold": 0.2},
            {"measure": "conditional_statistical_parity", "groups": "gender", "given": ["region"]},
        ],
        "disclosure": {"population": population},
        "transparency": {"rules": {"tree": 3}, "dependence": {"curves": ["pdp"]}},
    }


def report_of(document: Document) -> Report | None:
    """Its report; None where it is refused."""
    try:
        return make_report(parsed(document)).report
    except AtreportError:
        return None


def page_of(report: Report) -> str:
    """Its page."""
    return public_files(report, ["html", "json"])["report.html"].decode()


def elsewhere(document: Document, seed: int) -> Document:
    """The same spec with another true rule inside the same printed intervals."""
    rng = random.Random(seed)
    rows = [
        {**row, "yes": round(row["yes"] + rng.uniform(-0.002, 0.002), 6)}
        for row in document["source"]["table"]
    ]
    return {**document, "source": {"table": rows}}


@pytest.mark.parametrize(
    ("small_cells", "population"), [("warn", "counts"), ("round", "shares"), ("suppress", "withheld")]
)
def test_choices_follow_from_the_file(small_cells: str, population: str) -> None:
    """The page of a report that knows where it came from is that of one that was read from report.json."""
    report = report_of(long_document(1, small_cells, population))
    assert report is not None
    page = page_of(report)
    assert page == page_of(read_report(report_json(report), "report.json"))
    assert len(re.findall(r"(\d+) of (\d+) (?:cells|comparisons|groups) are shown", page)) >= 2


def test_two_true_rules_are_shown_alike() -> None:
    """Ties, orders and cuts are those of announced figures: the true rule breaks none of them."""
    document = long_document(2, "warn", "counts")
    reports = [report_of(document), *(report_of(elsewhere(document, seed)) for seed in range(2))]
    data = [report_json(report) for report in reports if report is not None]
    alike = [report for report in reports if report is not None and report_json(report) == data[0]]
    assert len(alike) >= 2, "no other true rule has this report: the test says nothing"
    assert len({page_of(report) for report in alike}) == 1


@pytest.mark.parametrize(
    ("small_cells", "population"), [("round", "withheld"), ("suppress", "shares"), ("suppress", "counts")]
)
def test_two_populations_are_shown_alike(small_cells: str, population: str) -> None:
    """Who is left out as too small follows from published bounds, not from how many people there are."""
    document = long_document(3, small_cells, population)
    report = report_of(document)
    assert report is not None
    other = next(published_alike(document, np.random.default_rng(3)), None)
    assert other is not None, "no other population is published alike: the test says nothing"
    found = report_of(other)
    assert found is not None
    assert report_json(found) == report_json(report)
    assert page_of(found) == page_of(report)


def test_ties_are_broken_by_the_order_of_the_list() -> None:
    """Of equal keys the first are shown, and small ones make no room for others by their size."""
    key = np.zeros(100, dtype=np.int64)
    assert extremes(key, both_ends=False).rows == list(range(2 * EXTREMES))
    among = np.ones(100, dtype=bool)
    among[:10] = False
    assert extremes(key, both_ends=False, among=among).rows == list(range(10, 10 + 2 * EXTREMES))
    assert extremes(key, among=among).total == 100
