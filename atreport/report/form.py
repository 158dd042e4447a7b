"""What a report says in a regulator's form: its fields as the publisher filled them in, and its tables."""

import datetime as dt
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, Field, ValidationInfo, WithJsonSchema, field_validator

from atreport.forms import FORMS, Form
from atreport.forms.fields import WithheldField
from atreport.report.figures import (
    Enclosed,
    Flag,
    Interval,
    IntervalEstimate,
    ReportModel,
    TenThousandths,
    Unit,
    Verdict,
    Whole,
    plain,
)
from atreport.spec.values import OwnWords


class People(Enclosed):
    """A number of people: as published (null: suppressed), and the range that is left open."""

    enclosed = "published"

    published: Whole | None = Field(ge=0)
    interval: Interval[Whole]

    @property
    def fewest(self) -> int:
        """The fewest that there can be."""
        return self.interval[0]

    @property
    def most(self) -> int:
        """The most that there can be."""
        return self.interval[1]

    @property
    def is_exact(self) -> bool:
        """Whether it is known."""
        return self.fewest == self.most


class Significance(Enclosed):
    """Fisher's exact test against the group with the highest rate: p as announced, and over the ranges of exact rates."""

    enclosed = "p"

    p: TenThousandths = Field(description="Rounded up.")
    interval: Interval[TenThousandths]
    against: OwnWords | None = Field(None, description="The group it is compared with.")


class CertifiedShare(IntervalEstimate):
    """A share as announced, and the interval in which the true one lies."""

    value: Unit
    interval: Interval[Unit]


class Category(ReportModel):
    """One row of a form's table."""

    may_be_null: ClassVar[frozenset[str]] = frozenset({"four_fifths", "significance"})

    category: OwnWords
    people: People
    selected: People = Field(description="As announced.")
    rate: CertifiedShare | None = Field(description="null: nobody is in it.")
    impact_ratio: CertifiedShare | None = Field(description="null: it takes no part in the comparison.")
    under_two_percent: Flag = Field(description="For certain.")
    highest: Flag | None = Field(
        None, description="Whether no category that is compared has a higher announced rate."
    )
    unknown: Interval[Unit] | None = Field(
        None, description="The impact ratio at worst and at best, whoever the unknown are."
    )
    unknown_attained: Flag | None = Field(
        None, description="Whether some distribution of the unknown gives each of these ends."
    )
    four_fifths: Verdict | None = None
    screened: Verdict | None = Field(
        None, description="The verdict by another share than four fifths, where the form states one."
    )
    significance: Significance | None = None


class Total(ReportModel):
    """Everybody, those of unknown category included."""

    people: People
    selected: People = Field(description="As announced.")
    rate: CertifiedShare


class FormTable(ReportModel):
    """One table of a form."""

    table: str
    attributes: tuple[str, ...]
    outcome: OwnWords | None = Field(
        None,
        description="Whose rates these are, where it is not the favourable outcome alone that is asked about.",
    )
    categories: tuple[Category, ...]
    recorded: Flag | None = Field(
        None,
        description="Whether rates are those of whole numbers of cases, the only ones that the published probabilities and "
        "numbers of people leave open; otherwise they are averages of the published probabilities.",
    )
    unknown_people: People
    total: Total | None = None


class PublishedForm(ReportModel):
    """The regulator's form that the report takes: its fields (or why they are withheld), and its tables."""

    template: Annotated[str, WithJsonSchema({"enum": list(FORMS)})]
    fields: Form
    tables: tuple[FormTable, ...] | None = None

    @field_validator("fields", mode="wrap")
    @classmethod
    def _of_template(cls, value: Any, _handler: Any, info: ValidationInfo) -> Form:
        model = FORMS.get(info.data.get("template", ""))
        if model is None:
            raise ValueError("there is no such form")
        return value if isinstance(value, model) else model.model_validate(value)

    def as_json(self) -> dict[str, Any]:
        """The form as JSON has it."""
        return {**super().as_json(), "fields": fields_json(self.fields)} | (
            {"tables": plain(self.tables)} if self.tables is not None else {}
        )


def fields_json(section: BaseModel) -> dict[str, Any]:
    """The fields of a form as JSON has them; those that are not filled in are left out."""
    filled = {name: getattr(section, name) for name in type(section).model_fields}
    return {name: _field(value) for name, value in filled.items() if value is not None}


def _field(value: Any) -> Any:
    if isinstance(value, WithheldField):
        return {"withheld": value.withheld}
    if isinstance(value, BaseModel):
        return fields_json(value)
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: _field(entry) for name, entry in value.items()}
    return [_field(entry) for entry in value] if isinstance(value, tuple) else plain(value)
