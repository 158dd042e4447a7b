"""What people who are decided on should know under Article 15 of the GDPR: the same words in the report and in a letter.

This form has no document in place of the report: the standard report is published, and these texts stand in it.
"""

from __future__ import annotations

from atreport.kit.language import message, say
from atreport.report.model import Report
from atreport.spec.models.forms import GDPR15Form

LABELS = {
    "controller": message("Controller"),
    "contact": message("Contact"),
    "data_protection_officer": message("Data protection officer"),
    "purposes": message("What your data is used for"),
    "data_categories": message("Which data is used"),
    "recipients": message("Who receives your data"),
    "storage_period": message("How long your data is kept"),
    "rights": message("Your rights"),
    "complaint_authority": message("Where you can complain"),
    "data_source": message("Where your data comes from"),
    "automated_decision_making": message("Automated decision-making"),
    "procedure": message("The procedure and principles applied"),
    "consequences": message("What the decision means for you"),
    "transfers": message("Transfers to other countries"),
    "copy_of_data": message("A copy of your data"),
}
"""Every field of the form, as readers meet it; to be said."""


def gdpr15_fields(report: Report) -> GDPR15Form | None:
    """The texts of a report for the people who are decided on; None where it has none."""
    fields = report.form.fields if report.form is not None else None
    return fields if isinstance(fields, GDPR15Form) else None


def rights_texts(report: Report) -> tuple[tuple[str, str], ...]:
    """Each field that is filled in with its label, in the order of the form; nothing where the report has none."""
    fields = gdpr15_fields(report)
    if fields is None:
        return ()
    texts = ((label, getattr(fields, name)) for name, label in LABELS.items())
    return tuple((say(label), str(text)) for label, text in texts if text is not None)
