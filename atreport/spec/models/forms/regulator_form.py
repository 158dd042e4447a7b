"""What every regulator's form has in common: its name, what it asks of the rest of the spec, and what it prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from atreport.errors import Problem
from atreport.spec.models.forms.fields import FormSection
from atreport.spec.models.process import Process
from atreport.spec.yaml import Document


class RegulatorForm(FormSection):
    """The section ``form`` of a report whose template is a regulator's."""

    template: ClassVar[str]
    """The name of the form in ``report.template``."""

    stands_in_the_report: ClassVar[bool] = False
    """Whether the standard report is published with the form's texts in it; otherwise the form takes its place."""

    exact_figures_wanted_by: ClassVar[str | None] = None
    """The law that wants exact figures, which protect nobody; None where none does."""

    @property
    def tables_of_groups(self) -> tuple[tuple[str, ...], ...]:
        """The attributes of each table of groups that the form prints: a group for each combination of their values."""
        return ()

    def find_problems(self, _document: Document, _process: Process | None) -> Iterator[Problem]:
        """What the form lacks, and what makes no sense beside the process (None where that is broken itself)."""
        yield from ()
