"""The forms of regulators as the report has them: fields as filled in, tables with no more than may be published."""

import json
from fractions import Fraction

import pytest

from atreport.compose.forms import TABLES, print_form
from atreport.forms import FORMS
from atreport.private.prepare import prepare_spec
from atreport.report.form import People, PublishedForm
from atreport.report.model import Report
from atreport.report.reader import read_report
from atreport.report.writer import report_json
from atreport.spec.load import load_spec, parse_spec
from tests.assessing import prepared_case, published, report_case, report_of
from tests.forms import FORM_SPECS, HAND_WORKED

SUPPRESSED = HAND_WORKED.replace("decimals: 4}", "decimals: 4, small_cells: suppress}")
SWAPPED = SUPPRESSED.replace("race: C, population: 3", "race: C, population: 4").replace(
    "race: unknown, population: 7", "race: unknown, population: 6"
)
"""Three people and two swap places unseen."""


def form_of(report: Report) -> PublishedForm:
    """The form that a report takes."""
    assert report.form is not None
    return report.form


def all_people(form: PublishedForm) -> list[People]:
    """Every number of people in the tables of a form."""
    tables = form.tables or ()
    rows = [people for table in tables for row in table.categories for people in (row.people, row.selected)]
    return [*rows, *(table.unknown_people for table in tables)]


@pytest.mark.parametrize("template", FORMS)
def test_fields_are_as_the_publisher_filled_them_in(template: str) -> None:
    """The typed form of the spec, written and read back; tables where the form has any."""
    spec = load_spec(FORM_SPECS[template])
    report = report_case(FORM_SPECS[template].stem)
    form = form_of(report)
    assert form.template == template
    assert form.fields == spec.form
    assert (form.tables is not None) == (template in TABLES)
    read = form_of(read_report(report_json(report), template))
    assert type(read.fields) is FORMS[template]
    assert read == form


@pytest.mark.parametrize("template", TABLES)
def test_tables_follow_from_the_published_rule(template: str) -> None:
    """A reader who has the report and nothing else gets the same tables."""
    name = FORM_SPECS[template].stem
    report = read_report(report_json(report_case(name)), name)
    form = form_of(report)
    assert print_form(report.rule_table, template, form.fields) == form
    assert print_form(prepared_case(name).announcement.rule, template, form.fields) == form


def test_forms_published_alike_give_the_same_report() -> None:
    """Where small numbers are suppressed, no number in any table tells two populations apart."""
    one, two = (prepare_spec(parse_spec(text)) for text in (SUPPRESSED, SWAPPED))
    assert (one.raw_table.cells.population != two.raw_table.cells.population).any()
    assert report_json(published(one)) == report_json(published(two))


def test_a_suppressed_number_is_null_with_its_range() -> None:
    """In the tables too: what is not published is null, what is published is what it is, and ranges hold the truth."""
    report = report_of(parse_spec(SUPPRESSED))
    form = form_of(report)
    numbers = all_people(form)
    assert any(each.published is None for each in numbers)
    for each in numbers:
        assert each.fewest <= each.most
        assert each.published is None or each.fewest <= each.published <= each.most
    crossed = next(table for table in form.tables or () if table.table == "intersections")
    few = next(row for row in crossed.categories if row.category == "F · C")
    assert few.people.published is None
    assert few.people.fewest <= 3 <= few.people.most
    assert not few.people.is_exact
    written = json.loads(report_json(report))["form"]["tables"]
    assert any(row["people"]["published"] is None for table in written for row in table["categories"])


def test_exact_numbers_are_their_own_range() -> None:
    """Where counts are published as they are, nothing is left open."""
    form = form_of(report_of(parse_spec(HAND_WORKED)))
    assert all(each.is_exact and each.published == each.fewest for each in all_people(form))
    sexes = next(table for table in form.tables or () if table.table == "sex")
    assert [(row.category, row.people.published) for row in sexes.categories] == [("F", 110), ("M", 130)]
    assert sexes.unknown_people.published == 10


def test_the_highest_rate_is_said_and_ratios_are_of_it() -> None:
    """One category at least has the highest announced rate of those compared, and its impact ratio is 1."""
    for template in TABLES:
        for table in form_of(report_case(FORM_SPECS[template].stem)).tables or ():
            compared = [row for row in table.categories if row.impact_ratio is not None]
            best = [row for row in compared if row.highest]
            assert best
            for row in compared:
                assert row.rate is not None
                assert row.impact_ratio is not None
                assert best[0].rate is not None
                assert (row.impact_ratio.value == 1) == (row.rate.value == best[0].rate.value)
                step = Fraction(1, 100)  # of two rates that were rounded
                expected = Fraction(row.rate.value) / Fraction(best[0].rate.value)
                assert abs(Fraction(row.impact_ratio.value) - expected) <= step
