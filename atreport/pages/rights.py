"""What people who are decided on should know under Article 15 of the GDPR: the same words in the report and in a letter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atreport.pages.forms.form_fields import field_entry, field_text
from atreport.spec.models.forms import GDPR15Form
from atreport.spec.models.spec import PublicSpec

LABELS = {
    "controller": "Controller",
    "contact": "Contact",
    "data_protection_officer": "Data protection officer",
    "purposes": "What your data is used for",
    "data_categories": "Which data is used",
    "recipients": "Who receives it",
    "storage_period": "How long it is kept",
    "rights": "Your rights",
    "complaint_authority": "Where you can complain",
    "data_source": "Where the data comes from",
    "procedure": "The procedure and principles applied",
    "consequences": "What the decision means for you",
    "transfers": "Transfers to other countries",
}
"""Every field of the form, as readers meet it."""


def gdpr15_fields(spec: PublicSpec) -> dict[str, Any]:
    """The fields as report.json has them; none where the spec has no such form."""
    form = spec.form
    if not isinstance(form, GDPR15Form):
        return {}
    return {name: field_entry(getattr(form, name)) for name in LABELS}


def rights_texts(fields: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Each field with its label, in the order of the form."""
    return tuple((label, field_text(fields[name])) for name, label in LABELS.items())
