"""The fields that forms are made of.

Every text and date of a form may be withheld, with the reason, which is then printed in its place:
``auditor: {withheld: because the contract forbids naming them}``.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
)

from atreport.kit.language import say
from atreport.kit.language.spoken import speaking
from atreport.kit.language.words import without_because
from atreport.spec.models.values import Code, Line, Section, Text, read_date


class FormSection(Section):
    """A part of a form. Its validator is built when it is needed: most reports have no form."""

    model_config = ConfigDict(defer_build=True)


class WithheldField(Section):
    """A field that the publisher does not fill in, and why."""

    withheld: Line = Field(description="Why: printed as “Withheld, because …”.")

    def __str__(self) -> str:
        return say("Withheld, because {reason}", reason=without_because(self.withheld))


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


@dataclass(frozen=True)
class Under:
    """A text shorter than a register takes.

    A reason for withholding stands in the text's place, so it counts too, with what stands around it in the register's
    language.
    """

    limit: int
    language: str = "en"

    def __call__(self, text: str | WithheldField) -> str | WithheldField:
        """The text, if it is short enough."""
        with speaking(self.language):
            length = len(str(text))
        if length >= self.limit:
            raise ValueError(
                f"this text has {length} characters; it must have fewer than {self.limit} to be accepted"
            )
        return text


def _web_address(text: str) -> str:
    if not re.fullmatch(r"https://[^\s/]+\.[^\s/]+(/\S*)?", text):
        raise ValueError(f"'{text}' is not a web address; write it from https:// on")
    return text


def _contact(text: str) -> str:
    if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", text):
        try:
            _web_address(text)
        except ValueError:
            raise ValueError(
                f"'{text}' is neither an e-mail address nor a web address that begins with https://"
            ) from None
    return text


def _month(text: str) -> str:
    if not re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])", text):
        raise ValueError(f"'{text}' is not a month; write it as year-month, such as 2026-01")
    return text


WebAddress = Annotated[Code, AfterValidator(_web_address)]
"""A page on the web, written from https:// on."""

Contact = Annotated[Code, AfterValidator(_contact)]
"""An e-mail address, or a page on the web."""

Month = Annotated[Code, AfterValidator(_month)]
"""A month, written as year-month."""
