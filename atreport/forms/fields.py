"""The fields that forms are made of.

Every text and date of a form may be withheld, with the reason, which is then printed in its place:
``auditor: {withheld: because the contract forbids naming them}``.
"""

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
)

from atreport.errors import SpecProblem
from atreport.spec.policy import Policy
from atreport.spec.process import Process, unknown_attribute
from atreport.spec.values import Code, Line, Section, Text, read_date
from atreport.spec.yaml import Document, KeyPath, missing_key
from atreport.text.language import gettext, use_locale, without_because


class FormSection(Section):
    """A part of a form. Its validator is built when it is needed: most reports have no form."""

    model_config = ConfigDict(defer_build=True)


class WithheldField(Section):
    """A field that the publisher does not fill in, and why."""

    withheld: Line = Field(description="Why: printed as “Withheld, because …”.")

    def __str__(self) -> str:
        return gettext("Withheld, because {reason}", reason=without_because(self.withheld))


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


class Bilingual(FormSection):
    """A text in both official languages."""

    en: Stated
    fr: Stated


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
        with use_locale(self.language):
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


# What every regulator's form has in common: its name, what it asks of the rest of the spec, and what it
# prints.


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

    called: ClassVar[str]
    """What readers of a register filter by; to be said."""

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

    def find_problems(self, _document: Document, _process: Process | None) -> Iterator[SpecProblem]:
        """What the form lacks, and what makes no sense beside the process (None where that is broken itself)."""
        yield from ()

    def find_missing(self, document: Document) -> Iterator[SpecProblem]:
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
            if isinstance(self.field_at(path), WithheldField):
                yield f"form.{path} is withheld, and {rule} asks for it"
        yield from self.find_warnings(around)

    def field_at(self, path: str) -> Any:
        """A field by its path, as in “tier_1.name”; None where its section is left out."""
        found: Any = self
        for name in path.split("."):
            found = None if found is None else getattr(found, name)
        return found


# What forms ask that print numbers of people by group: published numbers, and groups to compare.


def check_numbers_published(document: Document) -> Iterator[SpecProblem]:
    """Forms that print numbers of people need them published; small ones can be guarded."""
    disclosure = document.root.get("disclosure")
    population = disclosure.get("population") if isinstance(disclosure, dict) else None
    if population != "counts":
        path: KeyPath = ("report", "template") if population is None else ("disclosure", "population")
        yield document.problem(
            path,
            "this form prints numbers of people, so they must be published",
            "write 'population: counts' under disclosure; 'small_cells: suppress' under policy guards the small ones",
        )


def check_compared(document: Document, process: Process, name: str, place: KeyPath) -> Iterator[SpecProblem]:
    """An attribute whose groups are compared exists, and has something to compare."""
    absent = list(unknown_attribute(document, process, name, place))
    yield from absent
    if not absent and len(process.attribute(name).known_values) < 2:
        yield document.problem(place, f"'{name}' has a single known value: there is nothing to compare")


def check_groups_compared(document: Document) -> Iterator[SpecProblem]:
    """Forms that show how a system treats groups need some to be compared."""
    if not document.root.get("fairness"):
        yield document.problem(
            ("report", "template"),
            "this form shows figures of groups, so some must be compared",
            "add a measure, such as 'fairness: [{measure: statistical_parity, groups: …}]'",
        )
