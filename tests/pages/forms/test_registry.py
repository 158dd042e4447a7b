"""Every form as a document: its parts belong together, and what its file asks is what readers and programs find."""

import datetime as dt
from typing import Any

import pytest

from atreport.forms import FORMS
from atreport.forms.written import FieldData, WrittenForm, every_field
from atreport.pages.forms import FORM_FILE_TITLES, form_context, form_files
from atreport.pages.forms.atrs import label
from atreport.pages.forms.form_context import CERTAIN, FormContext, filled_in, group_figures
from atreport.report.model import Report
from atreport.report.reader import read_report
from atreport.report.writer import report_json
from atreport.text.numbers import long_date
from atreport.verification.files import MAY_BE_ATTACHED
from atreport.write_folder import OWN_FILES, PUBLIC
from tests.assessing import report_case
from tests.documents import example_report
from tests.forms import FORM_SPECS, with_fields

ON_PAPER = [name for name, form in FORMS.items() if issubclass(form, WrittenForm) and form.written.document]
"""The forms that are written down and have a document of their own."""


def asked_of(report: Report) -> list[tuple[FieldData, str, Any]]:
    """Every field that is filled in and that readers meet: what its file says, its name for readers and its value."""
    form = filled_in(report)
    found = []
    for path, asked in every_field(form.written.fields):
        value = form.field_at(".".join(path))
        named = label(path[-1], asked) if form.template == "atrs" else asked.name or asked.label
        if value is not None and not asked.fields and (asked.label or form.template == "atrs"):
            found.append((asked, named, value))
    return found


@pytest.mark.parametrize("template", FORMS)
def test_the_document_shows_the_tables_of_the_form(template: str) -> None:
    """A form has a document or stands in the standard report, and no table is calculated that no page shows."""
    report = report_case(FORM_SPECS[template].stem)
    context = form_context(report)
    assert report.form is not None
    assert isinstance(context, FormContext) != report.form.fields.stands_in_the_report
    shown = "" if context is None else str([section.tables for section in context.sections])
    assert all(row.category in shown for table in report.form.tables or () for row in table.categories)


@pytest.mark.parametrize("template", ON_PAPER)
def test_what_is_filled_in_is_printed_under_its_name(template: str) -> None:
    """With the point of the law that asks for it. A field that no page shows would be asked for in vain."""
    report = report_case(FORM_SPECS[template].stem)
    context = form_context(report)
    assert context is not None
    shown = [field for section in context.sections for field in section.fields]
    lines = [" ".join(" ".join((field.label, *field.text)).split()) for field in shown]
    for asked, named, value in asked_of(report):
        assert any(field.label.endswith(named) and asked.point in field.also for field in shown)
        if isinstance(value, str | dt.date):
            text = value if isinstance(value, str) else long_date(value)
            assert any(line.endswith(f"{named} {' '.join(text.split())}") for line in lines)


@pytest.mark.parametrize("template", ON_PAPER)
def test_what_is_optional_can_be_left_out(template: str) -> None:
    """Neither the page nor a file for programs has an empty section or field, but where the register shows it empty."""
    report = report_case(FORM_SPECS[template].stem)
    form = filled_in(report)
    left_out = dict.fromkeys(key for key, asked in form.asks.items() if not asked.required)
    names = {named for asked, named, _ in asked_of(report)}
    few = with_fields(report, **left_out)
    left = {named for asked, named, _ in asked_of(few)}
    context = form_context(few)
    assert context is not None
    shown = {field.label for section in context.sections for field in section.fields}
    empty = {asked.name for asked in form.asks.values() if asked.shown_empty}
    assert not (names - left - empty) & shown
    assert left
    for content in form_files(few).values():
        assert all(f'"{key}":' not in content.decode() for key in left_out)


@pytest.mark.parametrize("template", [name for name in ON_PAPER if name not in ("atrs", "algoritmeregister")])
def test_files_for_programs_have_the_figures_of_groups(template: str) -> None:
    """Every figure as printed, between the ends of the interval that is certain."""
    report = report_case(FORM_SPECS[template].stem)
    text = next(iter(form_files(report).values())).decode()
    figures = group_figures(report)
    assert len(figures) == text.count('"certain_interval"') or template == "model_card"
    assert all(each.title in text or template == "model_card" for each in figures)
    assert CERTAIN in text


@pytest.mark.parametrize("template", FORMS)
def test_further_files_follow_from_what_is_published(template: str) -> None:
    """Whoever reads report.json can make them again, to the last byte; and each has words that say what it is."""
    report = report_case(FORM_SPECS[template].stem)
    files = form_files(report)
    assert form_files(read_report(report_json(report), "report.json")) == files
    assert files.keys() <= FORM_FILE_TITLES.keys()
    assert all(files.values())


def test_a_report_without_a_form_is_the_standard_one() -> None:
    """Neither a document in its place nor further files."""
    report = example_report().report
    assert form_context(report) is None
    assert form_files(report) == {}


def test_further_files_are_those_of_a_published_folder() -> None:
    """A file that a folder of a report may not hold would be taken for a stranger's, and not be carried over."""
    assert set(FORM_FILE_TITLES) <= set(OWN_FILES[PUBLIC])
    assert set(FORM_FILE_TITLES) <= set(MAY_BE_ATTACHED)
