"""Regulators' forms as documents, which are published in place of the standard report. The special ones are listed here.

The tables of a form are in the Report; nothing is calculated here.
"""

from types import ModuleType

from atreport.forms.written import WrittenForm, form_data, names_of_files
from atreport.pages.forms import algoritmeregister, atrs, canada_adm, eeoc, ll144, model_card
from atreport.pages.forms.form_context import (
    FormContext,
    written_document,
    written_files,
    written_sections,
)
from atreport.report.model import Report

_SPECIAL: dict[str, ModuleType] = {
    "ll144": ll144,
    "eeoc": eeoc,
    "atrs": atrs,
    "algoritmeregister": algoritmeregister,
    "model_card": model_card,
    "canada_adm": canada_adm,
}
"""Forms whose page or files (`context`, `files`) do not follow from their fields alone."""


FORM_FILE_TITLES = {
    name: title
    for template in names_of_files()
    if (document := form_data(template).document) is not None
    for name, title in document.files.items()
}
"""What every further file of any form is, in words for readers of the PDF that it is attached to; to be said."""


def form_context(report: Report) -> FormContext | None:
    """The form as text, or None where the standard report is what is published."""
    if report.form is None or report.form.fields.stands_in_the_report:
        return None
    special = _SPECIAL.get(report.form.template)
    found: FormContext = (
        special.context(report) if special else written_document(report, written_sections(report))
    )
    return found


def form_files(report: Report) -> dict[str, bytes]:
    """Further files that the form of a report leaves, by name; none where there is no form."""
    form = None if report.form is None else report.form.fields
    if report.form is None or not isinstance(form, WrittenForm) or form.written.document is None:
        return {}
    special = _SPECIAL.get(report.form.template)
    files: dict[str, bytes] = special.files(report) if special else written_files(report)
    return files
