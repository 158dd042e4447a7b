"""The registries of forms: every part of every form is there, under the same name."""

import pytest

from atreport.compose.forms import TABLES
from atreport.forms import FORMS
from atreport.pages.forms import FORM_FILE_TITLES, form_context, form_files
from atreport.pages.forms.form_context import FormContext
from atreport.report.reader import read_report
from atreport.spec.load import load_spec
from atreport.verification.files import MAY_BE_ATTACHED
from atreport.write_folder import OWN_FILES, PUBLIC
from tests.documents import MadeReport, example_report, make_report
from tests.forms import FORM_SPECS


@pytest.fixture(scope="module", params=FORMS)
def made(request: pytest.FixtureRequest) -> MadeReport:
    """The example report of one form."""
    return make_report(load_spec(FORM_SPECS[request.param]))


def test_the_parts_are_of_the_same_form(made: MadeReport) -> None:
    """The report has the form under the template's name, tables where it calculates any, and a document that shows them."""
    form = made.report.form
    assert form is not None
    assert form.template == made.report.report.template
    assert isinstance(form.fields, FORMS[form.template])
    assert bool(form.tables) == (form.template in TABLES)
    context = form_context(made.report)
    assert isinstance(context, FormContext) == (not form.fields.stands_in_the_report)
    if form.tables:
        assert context is not None, "tables that no page shows"
        shown = str([section.tables for section in context.sections])
        assert all(row.category in shown for table in form.tables for row in table.categories)


def test_further_files_are_named_in_words(made: MadeReport) -> None:
    """Every further file has a description beside which it is attached to the PDF."""
    files = form_files(made.report)
    assert set(files) <= set(FORM_FILE_TITLES)
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


def test_further_files_follow_from_what_is_published(made: MadeReport) -> None:
    """Whoever reads report.json can make them again, to the last byte."""
    assert form_files(read_report(made.data, "report.json")) == form_files(made.report)
