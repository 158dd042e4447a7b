"""``template: ll144``: the summary of a bias audit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from atreport.errors import Problem
from atreport.spec.models.forms.fields import FormSection, Stated, StatedDate
from atreport.spec.models.forms.group_tables import check_compared, check_numbers_published
from atreport.spec.models.forms.regulator_form import RegulatorForm
from atreport.spec.models.process import Process
from atreport.spec.models.values import Name, Text
from atreport.spec.problems import missing_key
from atreport.spec.yaml import Document


class LeftOutOfRatio(FormSection):
    """Why categories under 2 % of the data take no part in the impact ratio."""

    because: Text


class LL144Form(RegulatorForm):
    """The summary of a bias audit: New York City Local Law 144 of 2021, 6 RCNY §§ 5-300 to 5-304."""

    template: ClassVar[str] = "ll144"
    exact_figures_wanted_by: ClassVar[str | None] = "New York City's rules on bias audits (6 RCNY 5-301)"

    sex: Name = Field(description="The attribute that holds the sex categories.")
    race_ethnicity: Name = Field(description="The attribute that holds the race/ethnicity categories.")
    tool: Stated = Field(description="The automated employment decision tool that was audited.")
    rate: Literal["selection", "scoring"] = Field(
        description="selection: the favourable outcome is being selected; scoring: a score above the sample median."
    )
    audit_date: StatedDate = Field(description="The date of the most recent bias audit.")
    distribution_date: StatedDate = Field(
        description="The date from which the employer or employment agency used the tool."
    )
    auditor: Stated = Field(description="The independent auditor.")
    data: Literal["historical", "test"] = Field(description="What the audit was made on (§ 5-302).")
    data_source: Stated = Field(description="The source and explanation of the data.")
    test_data: Stated | None = Field(
        None,
        description="Of test data: why historical data was not used, and how the test data was generated and obtained.",
    )
    under_two_percent: LeftOutOfRatio | None = Field(
        None,
        description="Leave categories under 2 % of the data out of the impact ratio, with a justification.",
    )

    @property
    def tables_of_groups(self) -> tuple[tuple[str, ...], ...]:
        """Sex, race/ethnicity, and both together (§ 5-301)."""
        return (self.sex,), (self.race_ethnicity,), (self.sex, self.race_ethnicity)

    def find_problems(self, document: Document, process: Process | None) -> Iterator[Problem]:
        """Test data is explained, numbers are published, and the two attributes exist and differ."""
        if self.data == "test" and self.test_data is None:
            yield missing_key(document, ("form",), "test_data")
        yield from check_numbers_published(document)
        if process is None:
            return
        if self.sex == self.race_ethnicity:
            yield document.problem(
                ("form", "race_ethnicity"),
                f"'{self.sex}' already holds the sex categories",
                "name another attribute",
            )
        for key, name in (("sex", self.sex), ("race_ethnicity", self.race_ethnicity)):
            yield from check_compared(document, process, name, ("form", key))
