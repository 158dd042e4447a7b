"""Selection rates under the Uniform Guidelines: screening and significance that hold for the exact figures."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import jsonschema
import numpy as np
import pytest
from scipy.stats import fisher_exact

from atreport.confidential.data.table import read_table
from atreport.confidential.mechanism.draft import draft_announcement
from atreport.confidential.mechanism.guard import guard_small_cells
from atreport.pages.forms import form_context
from atreport.publication import compose_report
from atreport.report.form import FormTable
from atreport.report.schema import report_schema
from atreport.report.writer import report_json
from atreport.spec.load import parse_spec
from tests.forms import FORM_SPECS


def tables(*edits: tuple[str, str]) -> tuple[dict[str, FormTable], str, dict[str, Any]]:
    """The tables of the example spec, changed; everything the document says; and report.json."""
    text = FORM_SPECS["eeoc"].read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    spec = parse_spec(text, FORM_SPECS["eeoc"])
    table, account = guard_small_cells(spec, read_table(spec))
    report = compose_report(draft_announcement(spec, table, small_cells=account).announcement, spec.public)
    assert report.form is not None
    found = {each.table: each for each in report.form.tables or ()}
    return found, str(form_context(report)), json.loads(report_json(report))


EXACT = ("{delta: 0.97}", "{delta: 1}")
FOUR = ("decimals: 3", "decimals: 4")


def test_rates_and_screening_of_exact_figures() -> None:
    """At δ = 1 the figures are those of the data: women 71/216 … of the highest rate, men's."""
    found, text, document = tables(EXACT, FOUR)
    women, men = found["sex"].categories
    assert women.rate
    assert men.rate
    assert women.impact_ratio
    hired_women = Decimal("0.2") * 40 + Decimal("0.25") * 36 + Decimal("0.35") * 20 + Decimal("0.4") * 120
    assert women.rate.value == round(hired_women / 216, 4)
    assert women.people.interval == (216, 216)
    assert men.four_fifths == "meets"
    assert found["sex"].unknown_people.interval == (16, 16)
    assert women.unknown is not None
    assert "screens that tell where to look closer" in text
    jsonschema.validate(document, report_schema())


def test_significance_is_fishers_and_certain_at_exact_figures() -> None:
    """P is that of the two-by-two table against the group with the highest rate."""
    found, _, _ = tables(EXACT, FOUR)
    table = found["race"]
    black = table.categories[0]
    best = next(row for row in table.categories if row.highest)
    test = black.significance
    assert test is not None
    assert black.rate
    assert best.rate
    counts = [
        [round(row.rate.value * row.people.fewest), row.people.fewest] for row in (black, best) if row.rate
    ]
    p = fisher_exact(np.array([[s, n - s] for s, n in counts])).pvalue
    assert float(test.p) - 1e-4 <= p <= float(test.p)
    least, most = test.interval
    assert least <= test.p <= most or least == most
    assert best.significance is None


def test_significance_is_open_where_the_exact_rates_may_agree() -> None:
    """Where the ranges of two rates overlap, nothing is called significant."""
    found, text, _ = tables(("{delta: 0.97}", "{delta: 0.7}"))
    tests = [row.significance for row in found["race"].categories if row.significance is not None]
    assert tests
    assert all(test.interval[1] == 1 for test in tests)
    assert "'significant (p" not in text


def test_numbers_that_are_not_exact_are_not_tested() -> None:
    """With rounded numbers there is no test of significance, and the document says so."""
    found, text, _ = tables(("decimals: 3", "decimals: 3\n  small_cells: round"))
    assert all(row.significance is None for row in found["race"].categories)
    assert "no test of significance is made" in text


@pytest.mark.parametrize("delta", ["0.97", "0.9"])
def test_verdicts_hold_for_the_exact_figures(delta: str) -> None:
    """A verdict, one way or the other, is never wrong about the exact rates."""
    exact, _, _ = tables(EXACT, FOUR)
    announced, _, _ = tables(("{delta: 0.97}", f"{{delta: {delta}}}"))
    for name, table in announced.items():
        for row, true in zip(table.categories, exact[name].categories, strict=True):
            if row.four_fifths == "meets":
                assert true.impact_ratio is not None
                assert true.impact_ratio.value >= Decimal("0.7999")
            if row.four_fifths == "does_not_meet":
                assert true.impact_ratio is not None
                assert true.impact_ratio.value < Decimal("0.8001")
