"""What a spec may say: one frozen model for the whole YAML file, and its public part.

Each section has a module of its own beside this one. Models check each value by itself. What only makes
sense across sections (a measure names a group that exists, a row names a value that was declared) is asked by
:mod:`atreport.spec.load` when all sections were read: of measures, forms and explanations themselves
(``find_problems``), of the rest in :mod:`atreport.spec.checks`.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from atreport.errors import Refused
from atreport.forms import FORMS, Form, Template
from atreport.spec.disclosure import Disclosure, Doi, Language, Law, Translations, WebAddress
from atreport.spec.fairness import Measure
from atreport.spec.policy import Policy
from atreport.spec.process import Process, refuse_joined
from atreport.spec.source import Source
from atreport.spec.style import Style
from atreport.spec.transparency import Transparency
from atreport.spec.values import Code, Line, Section, Text, read_date, read_whole_number
from atreport.spec.yaml import Document
from atreport.text.language import LANGUAGES, primary


class ReportInfo(Section):
    """Who publishes which version of the report, and when."""

    title: Line
    publisher: Line
    version: Code
    date: Annotated[dt.date, BeforeValidator(read_date), WithJsonSchema({"type": "string", "format": "date"})]
    language: Language = Field(
        "en",
        description=f"The language of the report: {', '.join(LANGUAGES)}, perhaps with a region (fr-CA).",
    )
    languages: tuple[Language, ...] | None = Field(
        None,
        json_schema_extra={"minItems": 2},
        description="In place of language: several, the main one first. The report is made in each of them.",
    )
    contact: Line | None = None
    template: Template = Field(
        "standard",
        description=f"The form of the report: standard, or a regulator's: {', '.join(FORMS)}. What such a form asks "
        "for stands in the section 'form'.",
    )
    summary: Text | None = Field(
        None, description="A paragraph in the publisher's own words, set before the summary."
    )
    licence: WebAddress | None = Field(
        None, description="The address of the licence under which others may use the report; none is assumed."
    )
    doi: Doi | None = Field(
        None, description="The DOI of this version, which becomes its identifier in catalogues."
    )
    url: WebAddress | None = Field(None, description="The page on the web where the report is published.")
    legislation: tuple[Law, ...] | None = Field(
        None, description="The laws, rules and judgments under which the report is published."
    )

    @model_validator(mode="before")
    @classmethod
    def _speak_the_first(cls, given: Any) -> Any:
        """Of several languages, the first is the main one where nothing else is said."""
        if isinstance(given, dict) and "language" not in given:
            match given.get("languages"):
                case [first, *_] if isinstance(first, str):
                    return {**given, "language": first}
        return given

    @field_validator("languages")
    @classmethod
    def _several(cls, languages: tuple[str, ...] | None, info: ValidationInfo) -> tuple[str, ...] | None:
        if not languages:
            raise ValueError("name the languages, such as [en, fr]")
        if len(languages) < 2:
            raise ValueError(
                f"these are several; for a report in one language write 'language: {languages[0]}'"
            )
        if len({primary(language) for language in languages}) < len(languages):
            raise ValueError("a language is named twice; a region does not make it another one")
        if info.data.get("language", languages[0]) not in languages:
            raise ValueError(
                f"'{info.data['language']}' is none of them; remove 'language': the first is the main one"
            )
        return languages

    @property
    def all_languages(self) -> tuple[str, ...]:
        """Every language in which the report is made, the main one first."""
        return self.languages or (self.language,)


class PublicSpec(Section):
    """The spec's public text: all of it but the source, which holds or names the true decisions.

    This, and not :class:`Spec`, is what the public side is given.
    """

    model_config = ConfigDict(defer_build=True)  # put together from sections that were checked by themselves

    report: ReportInfo
    process: Process
    policy: Policy
    fairness: tuple[Measure, ...]
    transparency: Transparency = Transparency()
    disclosure: Disclosure
    form: Form | None = None
    style: Style | None = None
    style_files: Mapping[str, bytes] = Field(default_factory=dict)  # by the names they are published under
    translations: Translations | None = None


def _format_one(number: int) -> int:
    if number != 1:
        raise ValueError(f"this program reads format 1, not {number}")
    return number


class Spec(Section):
    """A whole report spec."""

    model_config = ConfigDict(defer_build=True)

    atreport: Annotated[
        int, BeforeValidator(read_whole_number), AfterValidator(_format_one), WithJsonSchema({"const": 1})
    ] = Field(description="The version of this format: 1.")
    report: ReportInfo
    process: Process
    source: Source
    policy: Policy
    fairness: tuple[Measure, ...] = ()
    transparency: Transparency = Transparency()
    disclosure: Disclosure = Disclosure()
    form: Form | None = Field(None, description="What the form named in report: template asks for.")
    style: Style | None = Field(None, description="The publisher's house style.")
    translations: Translations | None = Field(
        None,
        description="What the texts of this spec (title, labels, values, notes) say in other languages of the report.",
    )

    _document: Document | None = PrivateAttr(default=None)
    _style_files: Mapping[str, bytes] = PrivateAttr(default_factory=dict)

    @property
    def document(self) -> Document:
        """The YAML text the spec was read from, for messages and for finding data files."""
        if self._document is None:
            raise ValueError("this spec was not read from a file; use load_spec")
        return self._document

    @property
    def public(self) -> PublicSpec:
        """What may cross the wall: everything but the source."""
        return self.public_with(self.process)

    def public_with(self, process: Process) -> PublicSpec:
        """The same with the process as announced, where groups had to be joined under coarser values."""
        try:
            self._refuse_joined_tables(process)
            fairness = tuple(measure.in_values_of(self.process, process) for measure in self.fairness)
            transparency = self.transparency.in_values_of(process)
        except Refused as error:
            raise Refused(f"{self.document.title}: {error}") from None
        shared = {name: value for name, value in self if name in PublicSpec.model_fields}
        announced = {"process": process, "fairness": fairness, "transparency": transparency}
        return PublicSpec.model_construct(**{**shared, **announced, "style_files": self._style_files})

    def _refuse_joined_tables(self, process: Process) -> None:
        """A form that prints a number of people for each value cannot be filled in where some were joined."""
        names = {name for table in self.form.tables_of_groups for name in table} if self.form else set()
        for attribute in process.attributes:
            if attribute.name in names and attribute.joined:
                raise refuse_joined(
                    f"the form has a table by '{attribute.name}', of which {', '.join(attribute.joined)} "
                    f"{'stands' if len(attribute.joined) == 1 else 'stand'} for several values.\n"
                    "  Publish the form without it"
                )

    @property
    def name(self) -> str:
        """The name of the output folder: the spec's file name without its ending."""
        return self.document.path.stem
