"""``template: eeoc``: adverse impact."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import Field

from atreport.errors import SpecProblem
from atreport.forms.fields import FormSection, RegulatorForm, Stated, check_compared, check_numbers_published
from atreport.spec.process import Keys, Process, unknown_attribute, unknown_value
from atreport.spec.values import OwnWords, PositiveUnitNumber, Text, UnitNumber
from atreport.spec.yaml import Document, KeyPath, did_you_mean, value_at
from atreport.text.language import message


class OtherScreen(FormSection):
    """Another share than four fifths that the user screens with, and why."""

    at_least: PositiveUnitNumber = Field(
        description="The share of the highest rate that a group should reach."
    )
    because: Text


class LabourForce(FormSection):
    """The share of groups in the labour force of the relevant area, or in the applicable workforce."""

    source: Text = Field(description="Which labour force or workforce, and where the shares come from.")
    shares: dict[str, dict[OwnWords, UnitNumber]] = Field(
        min_length=1, description="Attribute → value → share; of the small groups at least."
    )


class EEOCForm(RegulatorForm):
    """Selection rates and adverse impact: Uniform Guidelines on Employee Selection Procedures, 29 CFR § 1607.4."""

    template: ClassVar[str] = "eeoc"
    called: ClassVar[str] = message("Selection rates (EEOC Uniform Guidelines)")
    exact_figures_wanted_by: ClassVar[str | None] = "the Uniform Guidelines (29 CFR 1607.4)"
    required_by: ClassVar[Mapping[str, str]] = {
        "job": "29 CFR 1607.15 A (2) (a), which is by job,",
        "procedure": "29 CFR 1607.4 A",
        "components": "29 CFR 1607.4 C",
    }

    groups: Keys = Field(description="The attributes whose groups are compared, each by itself.")
    job: Stated = Field(description="The job or group of jobs.")
    procedure: Stated = Field(description="The selection procedure.")
    period: Stated = Field(description="The period covered.")
    data_source: Stated = Field(description="Where the numbers of applicants and selections come from.")
    components: Stated = Field(
        description="The components of the total selection process, and whether each was evaluated (§ 1607.4 C)."
    )
    screening: OtherScreen | None = Field(
        None, description="Another share than four fifths that groups are screened with beside it, and why."
    )
    labour_force: LabourForce | None = Field(
        None,
        description="Shares of groups in the labour force or workforce: of those under 2 % of it, no determination is asked "
        "for (§ 1607.15 A (2) (a)).",
    )

    @property
    def tables_of_groups(self) -> tuple[tuple[str, ...], ...]:
        """Each attribute by itself."""
        return tuple((name,) for name in self.groups)

    def find_problems(self, document: Document, process: Process | None) -> Iterator[SpecProblem]:
        """Numbers are published, and every attribute exists and has groups to compare."""
        yield from check_numbers_published(document)
        if process is None:
            return
        place: KeyPath = ("form", "groups")
        several = isinstance(value_at(document.root, place), list)
        for index, name in enumerate(self.groups):
            yield from check_compared(document, process, name, (*place, index) if several else place)
        if self.labour_force is not None:
            yield from self._check_shares(document, process, self.labour_force)

    def _check_shares(
        self, document: Document, process: Process, force: LabourForce
    ) -> Iterator[SpecProblem]:
        """Shares are of groups that the form compares."""
        for name, shares in force.shares.items():
            place: KeyPath = ("form", "labour_force", "shares", name)
            absent = list(unknown_attribute(document, process, name, place))
            yield from absent
            if absent:
                continue
            if name not in self.groups:
                hint = did_you_mean(name, self.groups, listing="compared")
                yield document.problem(place, f"'{name}' is not among the groups compared", hint, at_key=True)
            values = process.attribute(name).known_values
            for value in shares:
                yield from unknown_value(document, value, values, name, (*place, value), at_key=True)
