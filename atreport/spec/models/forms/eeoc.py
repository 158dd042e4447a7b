"""``template: eeoc``: adverse impact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from atreport.errors import Problem
from atreport.spec.models.forms.fields import Stated
from atreport.spec.models.forms.group_tables import check_compared, check_numbers_published
from atreport.spec.models.forms.regulator_form import RegulatorForm
from atreport.spec.models.naming import Names
from atreport.spec.models.process import Process
from atreport.spec.problems import value_at
from atreport.spec.yaml import Document, KeyPath


class EEOCForm(RegulatorForm):
    """Selection rates and adverse impact: Uniform Guidelines on Employee Selection Procedures, 29 CFR § 1607.4."""

    template: ClassVar[str] = "eeoc"
    exact_figures_wanted_by: ClassVar[str | None] = "the Uniform Guidelines (29 CFR 1607.4)"

    groups: Names = Field(description="The attributes whose groups are compared, each by itself.")
    job: Stated = Field(description="The job or group of jobs.")
    procedure: Stated = Field(description="The selection procedure.")
    period: Stated = Field(description="The period covered.")
    data_source: Stated = Field(description="Where the numbers of applicants and selections come from.")
    components: Stated = Field(
        description="The components of the total selection process, and whether each was evaluated (§ 1607.4 C)."
    )

    @property
    def tables_of_groups(self) -> tuple[tuple[str, ...], ...]:
        """Each attribute by itself."""
        return tuple((name,) for name in self.groups)

    def find_problems(self, document: Document, process: Process | None) -> Iterator[Problem]:
        """Numbers are published, and every attribute exists and has groups to compare."""
        yield from check_numbers_published(document)
        if process is None:
            return
        place: KeyPath = ("form", "groups")
        several = isinstance(value_at(document.root, place), list)
        for index, name in enumerate(self.groups):
            yield from check_compared(document, process, name, (*place, index) if several else place)
