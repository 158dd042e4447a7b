"""Selection rates under the Uniform Guidelines: screening and significance that hold for the exact figures."""

import json
from decimal import Decimal
from typing import Any

import jsonschema
import numpy as np
import pytest
from scipy.stats import fisher_exact

from atreport.compose import compose_report
from atreport.errors import InvalidInput
from atreport.pages.forms import form_context
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from atreport.private.protect import guard_small_cells
from atreport.report.form import FormTable
from atreport.report.writer import report_json, report_schema
from tests.forms import FORM_SPECS, edited_spec


def tables(*edits: tuple[str, str]) -> tuple[dict[str, FormTable], str, dict[str, Any]]:
    """The tables of the example spec, changed; everything the document says; and report.json."""
    spec = edited_spec(FORM_SPECS["eeoc"], *edits)
    table, account = guard_small_cells(spec, read_table(spec))
    report = compose_report(draft_announcement(spec, table, small_cells=account).announcement, spec.public)
    assert report.form is not None
    found = {each.table: each for each in report.form.tables or ()}
    return found, str(form_context(report)), json.loads(report_json(report))


EXACT = ("{delta: 0.97}", "{delta: 1}")
FOUR = ("decimals: 3", "decimals: 4")


def test_rates_and_screening_of_exact_figures() -> None:
    """At δ = 1 the figures are those of the data: 75 of 227 women."""
    found, text, document = tables(EXACT, FOUR)
    women, men = found["sex"].categories
    hired = ((40, "0.2"), (11, "0.2727"), (20, "0.35"), (36, "0.25"), (120, "0.4"))
    exact = sum(people * Decimal(rate) for people, rate in hired) / 227
    assert (women.rate and women.rate.value, women.people.interval) == (round(exact, 4), (227, 227))
    assert (men.four_fifths, found["sex"].unknown_people.interval) == ("meets", (16, 16))
    assert women.impact_ratio is not None
    assert women.unknown is not None
    assert "screens that tell where to look closer" in text
    jsonschema.validate(document, report_schema())


def test_significance_is_fishers_and_certain_at_exact_figures() -> None:
    """P is that of the two-by-two table against the group with the highest rate."""
    rows = tables(EXACT, FOUR)[0]["race"].categories
    black, best = rows[0], next(row for row in rows if row.highest)
    test = black.significance
    assert test is not None
    pairs = [(row.rate.value, row.people.fewest) for row in (black, best) if row.rate]
    counts = [[round(rate * people), people - round(rate * people)] for rate, people in pairs]
    assert float(test.p) - 1e-4 <= fisher_exact(np.array(counts)).pvalue <= float(test.p)
    least, most = test.interval
    assert least <= test.p <= most or least == most
    assert best.significance is None


def test_significance_is_open_where_the_exact_rates_may_agree() -> None:
    """Where the ranges of two rates overlap, nothing is called significant."""
    found, text, _ = tables(("{delta: 0.97}", "{delta: 0.7}"))
    tests = [row.significance for row in found["race"].categories if row.significance is not None]
    assert tests
    assert all(test.interval[1] == 1 for test in tests)
    assert "'significant (" not in text


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


def test_everybody_stands_in_a_row_of_its_own() -> None:
    """The total counts the unknown too, and its rate is everybody's (§ 1607.4 B)."""
    found, text, _ = tables(EXACT, FOUR)
    for table in found.values():
        assert table.total is not None
        assert table.total.people.interval == (565, 565)
        known = sum(row.people.fewest for row in table.categories)
        assert known + table.unknown_people.fewest == 565
    assert "All applicants, including the unknown" in text
    assert "'All applicants'" in text, "of race, nobody is unknown"


def test_each_test_names_whom_it_compares_with() -> None:
    """The group with the highest rate, in the table and in report.json."""
    found, text, _ = tables(EXACT, FOUR)
    for table in found.values():
        best = next(row.category for row in table.categories if row.highest)
        assert {row.significance.against for row in table.categories if row.significance} == {best}
        assert f"(against {best}, p " in text
    assert "is a convention" in text


def test_small_groups_are_those_of_the_labour_force() -> None:
    """Two per cent of the applicants say nothing: the remark needs the share of the labour force, and names its source."""
    _, text, _ = tables()
    assert "As the user states, this group is under 2% of the labour force" in text
    assert "workforce: American Indian or Alaskan Native (" in text
    assert "Example County" in text
    found, text, _ = tables(
        ("population: 11,", "population: 1,"), ("American Indian or Alaskan Native: 0.011, ", "")
    )
    assert "under 2%" not in text
    assert found["race"].categories[1].people.fewest == 14


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("      race: {Black", "      races: {Black"), "there is no attribute 'races'"),
        (("Black: 0.142", "Blak: 0.142"), "did you mean 'Black'?"),
        (("groups: [sex, race]", "groups: sex"), "not among the groups compared"),
        (("Black: 0.142", "Black: 14.2"), "at most 1, not 14.2"),
    ],
)
def test_shares_are_of_groups_that_are_compared(change: tuple[str, str], words: str) -> None:
    """A share of nothing that is in the form is an error at its line."""
    with pytest.raises(InvalidInput) as error:
        tables(change)
    assert words in str(error.value)


def test_another_screen_stands_beside_four_fifths_with_its_reason() -> None:
    """It is never instead of it, and never without a justification."""
    other = (
        "  labour_force:",
        "  screening: {at_least: 0.9, because: The collective agreement asks for it}\n  labour_force:",
    )
    found, text, document = tables(EXACT, FOUR, other)
    assert "90% of the highest rate. The collective agreement asks for it" in text
    rows = found["sex"].categories
    assert [row.four_fifths for row in rows] == ["meets", "meets"]
    assert [row.screened for row in rows] == ["does_not_meet", "meets"]
    assert document["form"]["fields"]["screening"] == {
        "at_least": 0.9,
        "because": "The collective agreement asks for it",
    }
    jsonschema.validate(document, report_schema())
    with pytest.raises(InvalidInput, match="'because' is missing"):
        tables(("  labour_force:", "  screening: {at_least: 0.9}\n  labour_force:"))


def test_no_rate_above_zero_is_no_ratio() -> None:
    """Where nobody is selected there is nothing to divide by: no ratio, no verdict, no highest group."""
    text = FORM_SPECS["eeoc"].read_text(encoding="utf-8")
    edits = [
        (line, line[: line.index("hired:")] + "hired: 0}")
        for line in text.splitlines()
        if line.startswith("    - {sex:")
    ]
    found, words, _ = tables(EXACT, *edits)
    for table in found.values():
        assert all(row.impact_ratio is None for row in table.categories)
        assert all(row.four_fifths is None and not row.highest for row in table.categories)
    assert "no rate above 0" in words
    assert "The last column" not in words, "it is about a column that is not there"
