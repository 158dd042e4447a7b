"""Regulators' forms as documents: one file a form, of the form's name in ``report.template``. This is the list of them.

A form's document is published in place of the standard report. Its tables are in the Report; nothing is calculated here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from atreport.pages.forms import ai_act, algoritmeregister, atrs, canada_adm, eeoc, ll144, model_card
from atreport.pages.forms.form_context import FormContext
from atreport.report.model import Report


def _no_files(_report: Report) -> dict[str, bytes]:
    return {}


@dataclass(frozen=True, kw_only=True)
class FormDocument:
    """How a form is published."""

    context: Callable[[Report], FormContext] | None
    """The form as text; None: the standard report is published, and the form's texts stand in it."""
    files: Callable[[Report], dict[str, bytes]] = _no_files
    """Further files that the form leaves, by name."""
    file_titles: Mapping[str, str] = field(default_factory=dict)
    """What each of them is, in words for readers of the PDF that it is attached to."""


FORM_DOCUMENTS: dict[str, FormDocument] = {
    "ll144": FormDocument(context=ll144.context),
    "eeoc": FormDocument(context=eeoc.context),
    "atrs": FormDocument(context=atrs.context, files=atrs.files, file_titles=atrs.FILE_TITLES),
    "gdpr15": FormDocument(context=None),
    "algoritmeregister": FormDocument(
        context=algoritmeregister.context,
        files=algoritmeregister.files,
        file_titles=algoritmeregister.FILE_TITLES,
    ),
    "model_card": FormDocument(
        context=model_card.context, files=model_card.files, file_titles=model_card.FILE_TITLES
    ),
    "canada_adm": FormDocument(
        context=canada_adm.context, files=canada_adm.files, file_titles=canada_adm.FILE_TITLES
    ),
    "ai_act": FormDocument(context=ai_act.context, files=ai_act.files, file_titles=ai_act.FILE_TITLES),
    "adverse_action": FormDocument(context=None),
    "colorado": FormDocument(context=None),
    "california": FormDocument(context=None),
}

FORM_FILE_TITLES = {
    name: title for form in FORM_DOCUMENTS.values() for name, title in form.file_titles.items()
}
"""What every further file of any form is."""


def form_context(report: Report) -> FormContext | None:
    """The form as text, or None where the standard report is what is published."""
    form = FORM_DOCUMENTS[report.form.template] if report.form is not None else None
    return None if form is None or form.context is None else form.context(report)


def form_files(report: Report) -> dict[str, bytes]:
    """Further files that the form of a report leaves, by name; none where there is no form."""
    return FORM_DOCUMENTS[report.form.template].files(report) if report.form is not None else {}
