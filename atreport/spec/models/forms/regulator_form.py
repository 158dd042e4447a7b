"""What every regulator's form has in common: its name, what it asks of the rest of the spec, and what it prints."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from atreport.errors import Problem
from atreport.spec.models.forms.fields import FormSection, WithheldField
from atreport.spec.models.policy import Policy
from atreport.spec.models.process import Process
from atreport.spec.problems import missing_key
from atreport.spec.yaml import Document


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What a form may look at beside itself when it warns: the public rest of the spec, and the day of the check."""

    process: Process
    policy: Policy
    report_date: dt.date
    today: dt.date


class RegulatorForm(FormSection):
    """The section ``form`` of a report whose template is a regulator's."""

    template: ClassVar[str]
    """The name of the form in ``report.template``."""

    stands_in_the_report: ClassVar[bool] = False
    """Whether the standard report is published with the form's texts in it; otherwise the form takes its place."""

    exact_figures_wanted_by: ClassVar[str | None] = None
    """The law that wants exact figures, which protect nobody; None where none does."""

    asked_since: ClassVar[tuple[str, ...]] = ()
    """Fields that a spec must have although the model can do without: reports of earlier versions do not have them."""

    required_by: ClassVar[Mapping[str, str]] = {}
    """The rule that asks for a field, where one does: “audit_date” → “6 RCNY § 5-303”. Of a field in a section: its
    path, as in “tier_1.name”. Withholding such a field is warned of."""

    @property
    def tables_of_groups(self) -> tuple[tuple[str, ...], ...]:
        """The attributes of each table of groups that the form prints: a group for each combination of their values."""
        return ()

    def find_problems(self, _document: Document, _process: Process | None) -> Iterator[Problem]:
        """What the form lacks, and what makes no sense beside the process (None where that is broken itself)."""
        yield from ()

    def find_missing(self, document: Document) -> Iterator[Problem]:
        """Fields that are asked for now and were not by earlier versions."""
        for name in self.asked_since:
            if getattr(self, name) is None:
                yield missing_key(document, ("form",), name)

    def find_warnings(self, _around: Surroundings) -> Iterator[str]:
        """What is allowed, and yet may not be what the law asks for."""
        yield from ()

    def warnings(self, around: Surroundings) -> Iterator[str]:
        """Every warning about this form: fields that the law asks for and that are withheld, and what the form finds."""
        for path, rule in self.required_by.items():
            if isinstance(_field_at(self, path), WithheldField):
                yield f"form.{path} is withheld, and {rule} asks for it"
        yield from self.find_warnings(around)


def _field_at(form: RegulatorForm, path: str) -> Any:
    found: Any = form
    for name in path.split("."):
        found = None if found is None else getattr(found, name)
    return found
