"""``template: ll144``: the summary of a bias audit."""

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Discriminator, Field, Tag

from atreport.errors import SpecProblem
from atreport.forms.fields import (
    FormSection,
    RegulatorForm,
    Stated,
    StatedDate,
    Surroundings,
    check_compared,
    check_numbers_published,
)
from atreport.spec.process import Process, unknown_value
from atreport.spec.values import Key, Name, Text
from atreport.spec.yaml import Document, KeyPath, missing_key
from atreport.text.language import message

RACE_ETHNICITY = (
    "Hispanic or Latino",
    "White (Not Hispanic or Latino)",
    "Black or African American (Not Hispanic or Latino)",
    "Native Hawaiian or Pacific Islander (Not Hispanic or Latino)",
    "Asian (Not Hispanic or Latino)",
    "Native American or Alaska Native (Not Hispanic or Latino)",
    "Two or More Races (Not Hispanic or Latino)",
)
"""The categories of race and ethnicity, as the rules call them in their examples."""

SEX = ("Male", "Female")
"""The sex categories, likewise."""


class LeftOutOfRatio(FormSection):
    """Why every category under 2 % of the data takes no part in the impact ratio."""

    because: Text


class LeftOutCategory(FormSection):
    """One category under 2 % of the data that takes no part in the impact ratio, and the auditor's reason."""

    sex: Name | None = None
    race_ethnicity: Name | None = None
    because: Text


def _one_or_all(value: object) -> str:
    return "each" if isinstance(value, list | tuple) else "all"


LeftOut = Annotated[
    Annotated[LeftOutOfRatio, Tag("all")]
    | Annotated[tuple[LeftOutCategory, ...], Field(min_length=1), Tag("each")],
    Discriminator(_one_or_all),
]
"""All small categories for one reason, or a list of some, each with its own."""


class LL144Form(RegulatorForm):
    """The summary of a bias audit: New York City Local Law 144 of 2021, 6 RCNY §§ 5-300 to 5-304."""

    template: ClassVar[str] = "ll144"
    called: ClassVar[str] = message("Bias audit (New York City Local Law 144)")
    exact_figures_wanted_by: ClassVar[str | None] = "New York City's rules on bias audits (6 RCNY 5-301)"
    required_by: ClassVar[Mapping[str, str]] = {
        "audit_date": "6 RCNY § 5-303 (a) (1)",
        "distribution_date": "6 RCNY § 5-303 (a) (2)",
        "data_source": "6 RCNY § 5-303 (a) (1)",
        "test_data": "6 RCNY § 5-302 (b)",
    }

    sex: Key = Field(description="The attribute that holds the sex categories.")
    race_ethnicity: Key = Field(description="The attribute that holds the race/ethnicity categories.")
    tool: Stated = Field(description="The automated employment decision tool that was audited.")
    rate: Literal["selection", "scoring", "classification"] = Field(
        description="selection: the favourable outcome is being selected; scoring: a score above the sample median; "
        "classification: the tool puts people into classes, and every outcome is one (§ 5-301 (b) (4))."
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
    under_two_percent: LeftOut | None = Field(
        None,
        description="Categories under 2 % of the data that are left out of the impact ratio, with the auditor's "
        "justification: of all of them together, or of each in a list (§ 5-301 (d)).",
    )

    @property
    def tables_of_groups(self) -> tuple[tuple[str, ...], ...]:
        """Sex, race/ethnicity, and both together (§ 5-301)."""
        return (self.sex,), (self.race_ethnicity,), (self.sex, self.race_ethnicity)

    def find_problems(self, document: Document, process: Process | None) -> Iterator[SpecProblem]:
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
        absent = [
            problem
            for key, name in (("sex", self.sex), ("race_ethnicity", self.race_ethnicity))
            for problem in check_compared(document, process, name, ("form", key))
        ]
        yield from absent
        if not absent and isinstance(self.under_two_percent, tuple):
            yield from self._check_left_out(document, process, self.under_two_percent)

    def _check_left_out(
        self, document: Document, process: Process, left_out: tuple[LeftOutCategory, ...]
    ) -> Iterator[SpecProblem]:
        """Each entry names a category by values that there are."""
        for index, entry in enumerate(left_out):
            place: KeyPath = ("form", "under_two_percent", index)
            if entry.sex is None and entry.race_ethnicity is None:
                yield document.problem(
                    place, "this names no category", "add 'sex: …', 'race_ethnicity: …' or both"
                )
            for key, name in (("sex", self.sex), ("race_ethnicity", self.race_ethnicity)):
                value, values = getattr(entry, key), process.attribute(name).known_values
                if value is not None:
                    yield from unknown_value(document, value, values, name, (*place, key))

    def why_left_out(self, attributes: tuple[str, ...], category: str) -> str | None:
        """The auditor's reason to leave a category, if it is under 2 %, out of the ratios of its table; None: it stays."""
        if not isinstance(self.under_two_percent, tuple):
            return None if self.under_two_percent is None else self.under_two_percent.because
        for entry in self.under_two_percent:
            named = {self.sex: entry.sex, self.race_ethnicity: entry.race_ethnicity}
            values = {name: value for name, value in named.items() if value is not None}
            if tuple(values) == attributes and " · ".join(values.values()) == category:
                return entry.because
        return None

    def is_older_than_a_year(self, day: dt.date) -> bool:
        """Whether the audit was made more than a year before a day."""
        if not isinstance(self.audit_date, dt.date):
            return False
        year_ago = day.replace(year=day.year - 1, day=28 if (day.month, day.day) == (2, 29) else day.day)
        return self.audit_date < year_ago

    def find_warnings(self, around: Surroundings) -> Iterator[str]:
        """Numbers that are not printed, an audit that is too old, and categories that are called otherwise."""
        guarded = around.policy.small_cells.policy
        if guarded in ("suppress", "round"):
            yield (
                f"small_cells: {guarded} keeps numbers of people out of the summary, and 6 RCNY § 5-303 (a) (1) asks for "
                "the number and the rate of every category: the document will not satisfy it by itself"
            )
        days = {"the date of the report": around.report_date, "today": around.today}
        for name, day in days.items():
            if self.is_older_than_a_year(day):
                yield (
                    f"form.audit_date is more than a year before {name} ({day.isoformat()}): the tool may not be used until "
                    "it is audited again (6 RCNY § 5-301 (a))"
                )
                break
        for name, called in ((self.sex, SEX), (self.race_ethnicity, RACE_ETHNICITY)):
            others = [value for value in around.process.attribute(name).known_values if value not in called]
            if others:
                yield (
                    f"'{name}' has categories that the rules call otherwise: {', '.join(others)}; they are: "
                    f"{', '.join(called)}"
                )
