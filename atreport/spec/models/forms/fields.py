"""The fields that forms are made of.

Every text and date of a form may be withheld, with the reason, which is then printed in its place:
``auditor: {withheld: because the contract forbids naming them}``.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag, WithJsonSchema

from atreport.spec.models.values import Line, Section, Text, read_date


class FormSection(Section):
    """A part of a form. Its validator is built when it is needed: most reports have no form."""

    model_config = ConfigDict(defer_build=True)


class WithheldField(Section):
    """A field that the publisher does not fill in, and why."""

    withheld: Line = Field(description="Why: printed as “Withheld, because …”.")

    def __str__(self) -> str:
        reason = self.withheld.removeprefix("because ")
        return f"Withheld, because {reason}"


def _is_withheld(value: object) -> str:
    return "withheld" if isinstance(value, dict | WithheldField) else "stated"


_Day = Annotated[dt.date, BeforeValidator(read_date), WithJsonSchema({"type": "string", "format": "date"})]
Stated = Annotated[
    Annotated[Text, Tag("stated")] | Annotated[WithheldField, Tag("withheld")], Discriminator(_is_withheld)
]
"""A text, or why it is withheld."""

StatedDate = Annotated[
    Annotated[_Day, Tag("stated")] | Annotated[WithheldField, Tag("withheld")], Discriminator(_is_withheld)
]
"""A date, or why it is withheld."""
