"""Turn a spec's form into its part of report.json, and into the document that is published in place of the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from atreport.analysis.assessment import Assessment
from atreport.announcement import Release
from atreport.pages.forms.form_fields import field_entry
from atreport.pages.notes import Note
from atreport.spec.models.forms import ATRSForm, EEOCForm, LL144Form
from atreport.spec.models.spec import PublicSpec

# Most reports have no form, so the module of each is imported where that form is asked for.
if TYPE_CHECKING:
    from atreport.pages.forms.form_context import FormContext


def form_entry(release: Release, spec: PublicSpec) -> dict[str, Any]:
    """What report.json says about the form; nothing where there is none."""
    form = spec.form
    if form is None:
        return {}
    part: dict[str, Any] = {"template": spec.report.template, "fields": _fields(form)}
    if isinstance(form, LL144Form):
        from atreport.pages.forms.ll144 import ll144_entry

        part["tables"] = ll144_entry(release, form)
    elif isinstance(form, EEOCForm):
        from atreport.pages.forms.eeoc import eeoc_entry

        part["tables"] = eeoc_entry(release, form)
    return {"form": part}


def _fields(section: BaseModel) -> dict[str, Any]:
    filled = {name: getattr(section, name) for name in type(section).model_fields}
    return {name: _value(value) for name, value in filled.items() if value is not None}


def _value(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    entry = field_entry(value)
    return _fields(value) if entry is value and isinstance(value, BaseModel) else entry


def form_context(
    release: Release, spec: PublicSpec, assessments: Sequence[Assessment], notes: Sequence[Note]
) -> FormContext | None:
    """The form as text, or None where the standard report is what is published."""
    if isinstance(spec.form, LL144Form):
        from atreport.pages.forms.ll144 import ll144_context

        return ll144_context(release, spec, notes)
    if isinstance(spec.form, EEOCForm):
        from atreport.pages.forms.eeoc import eeoc_context

        return eeoc_context(release, spec, notes)
    if isinstance(spec.form, ATRSForm):
        from atreport.pages.forms.atrs import atrs_context

        return atrs_context(release, spec, assessments, notes)
    return None


def form_files(spec: PublicSpec) -> dict[str, dict[str, Any]]:
    """Further files that a form leaves: of an ATRS record, the record itself."""
    if isinstance(spec.form, ATRSForm):
        from atreport.pages.forms.atrs import atrs_document

        return {"atrs.json": atrs_document(spec.form)}
    return {}
