"""Read the ``form`` section as the template it is for, and ask for it where it is left out.

What one form asks of the rest of the spec stands in that form's own file under models/forms.
"""

from __future__ import annotations

from collections.abc import Iterator

from atreport.errors import Problem
from atreport.spec.models.forms import FORMS, Form
from atreport.spec.models.process import Process
from atreport.spec.validation import validate_section
from atreport.spec.yaml import Document


def _template(document: Document) -> str:
    report = document.root.get("report")
    return str(report.get("template", "standard")) if isinstance(report, dict) else "standard"


def validate_form(document: Document, problems: list[Problem]) -> Form | None:
    """The form as the model of the template it is for, or None. Appends every problem found."""
    template = _template(document)
    if template in FORMS:
        found: Form | None = validate_section(FORMS[template], document, ("form",), problems)
        return found
    if template == "standard":
        hint = f"add 'template: {' | '.join(FORMS)}' to report, or remove 'form'"
        problems.append(document.problem(("form",), "the standard report has no form", hint, at_key=True))
    return None


def check_form(document: Document, form: Form | None, process: Process | None) -> Iterator[Problem]:
    """What is missing, and what makes no sense beside the process."""
    template = _template(document)
    if template in FORMS and "form" not in document.root:
        for name, field in FORMS[template].model_fields.items():
            if field.is_required() or name in FORMS[template].asked_since:
                yield document.problem(
                    ("report", "template"),
                    f"template '{template}' needs '{name}', and there is no section 'form'",
                    f"add a section 'form' with '{name}: …'",
                )
    if form is not None:
        yield from form.find_missing(document)
        yield from form.find_problems(document, process)
