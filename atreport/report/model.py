"""The Report: everything that is printed, as one frozen model. ``report.json`` is its serialisation and nothing else.

Pages, forms, letters, comparisons and checks are functions of a Report. A key that a report of an earlier version does not
have means *not stated*.
"""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BeforeValidator, Field

from atreport.core.rule_table import RuleTable
from atreport.forms import Form
from atreport.report.explanation import INFLUENCE, RULES, Influence, RuleSet
from atreport.report.fairness import Assessment, NotAssessed, ValueRate
from atreport.report.figures import Flag, Hundredths, Interval, Number, ReportModel, Whole, only_texts, plain
from atreport.report.form import PublishedForm
from atreport.report.people import ValueRange
from atreport.report.rule import PublishedRule
from atreport.spec.disclosure import Change, TitledText, Translations, Withheld, exchange_words, translation
from atreport.spec.fairness import Measure, labels_of
from atreport.spec.spec import ReportInfo
from atreport.spec.style import (
    LOGO_FILES,
    MOST_SECTIONS,
    Accent,
    Band,
    CoverText,
    Markdown,
    Place,
    SectionTitle,
    Style,
)
from atreport.spec.transparency import Transparency
from atreport.spec.values import Line, OwnWords

# The house style as a report states it. Files are named by their SHA-256, so that pages can be made again
# with them.


class PublishedLogo(ReportModel):
    """The logo on the cover: a file that is published beside the report."""

    file: Literal["style-logo.svg", "style-logo.png"]
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="The SHA-256 of the file.")
    alt: Line = Field(description="What the logo shows, in words.")


class PublishedColours(ReportModel):
    """Colours in place of those of every report."""

    accent: Accent | None = None
    band: Band | None = None


class PublishedSection(ReportModel):
    """A section in the publisher's own words."""

    title: SectionTitle
    text: Markdown = Field(description="Markdown; HTML in it is text, and pictures are none.")
    after: Place = Field(description="The section that it follows.")


class PublishedStyle(ReportModel):
    """The publisher's house style."""

    logo: PublishedLogo | None = None
    colours: PublishedColours | None = None
    cover: CoverText | None = Field(None, description="A few words under the title of the cover.")
    sections: tuple[PublishedSection, ...] | None = Field(None, min_length=1, max_length=MOST_SECTIONS)

    @property
    def files(self) -> dict[str, str]:
        """The files that it names: name → SHA-256."""
        return {} if self.logo is None else {self.logo.file: self.logo.sha256}

    @property
    def libraries(self) -> tuple[str, ...]:
        """The libraries on which its pages depend, and those of other reports do not."""
        picture = self.logo is not None and self.logo.file.endswith(".png")
        return ("markdown-it-py",) * bool(self.sections) + ("pillow",) * picture

    @classmethod
    def of(cls, asked: Style, files: Mapping[str, bytes]) -> Self | None:
        """The style of a spec as its report states it, with the files that it names; None where it asks for nothing."""
        stated: dict[str, Any] = {}
        if asked.logo is not None:
            name = next(name for name in LOGO_FILES.values() if name in files)
            stated["logo"] = PublishedLogo(
                file=name, sha256=hashlib.sha256(files[name]).hexdigest(), alt=asked.logo.alt
            )
        if asked.colours is not None and (colours := asked.colours.model_dump(exclude_none=True)):
            stated["colours"] = PublishedColours(**colours)
        if asked.cover is not None:
            stated["cover"] = asked.cover
        if asked.sections:
            stated["sections"] = tuple(
                PublishedSection(title=section.title, text=section.text or "", after=section.after)
                for section in asked.sections
            )
        return cls(**stated) if stated else None


class PublishedCut(ReportModel):
    """How a recorded number, such as a score, became the outcome."""

    at: Literal["median", "edges"] = Field(
        description="median: the second outcome is a number above the median of all recorded ones, which is not published."
    )
    ranges: tuple[ValueRange, ...] | None = Field(None, description="What each outcome stands for.")


class Estimation(ReportModel):
    """How the rule was found in records; absent where it was given."""

    method: Literal["frequency", "tree", "model"]
    population: Literal["records", "census"] = Field(
        description="Whom the population counts: the records, or other statistics."
    )
    excluded: Whole | None = Field(
        None, ge=0, description="Records left out because something was missing in them."
    )
    excluded_between: Interval[Whole] | None = Field(
        None,
        description="In place of `excluded`, where small numbers are guarded: the fewest and the most that it can be.",
    )
    faithfulness: Hundredths | None = Field(
        None,
        description="At least this share of the recorded decisions is what the tree gives; rounded down to hundredths.",
    )
    ranges: tuple[ValueRange, ...] | None = None
    outcome: PublishedCut | None = Field(None, description="Where the outcome was recorded as a number.")
    edges_from_decisions: tuple[str, ...] | None = Field(
        None, description="Attributes whose ranges were chosen by looking at decisions."
    )


class Sections(ReportModel):
    """What further sections of the spec ask for, as in the spec."""

    transparency: Transparency | None = None
    form: Form | None = None

    def as_json(self) -> dict[str, Any]:
        """The sections as they were written."""
        return {
            name: plain(getattr(self, name).model_dump(exclude_unset=True, exclude_none=True))
            for name in type(self).model_fields
            if name in self.model_fields_set
        }


class PublisherNotes(ReportModel):
    """What the publisher adds to the standard notes."""

    notes: tuple[TitledText, ...] = ()
    legal: tuple[OwnWords, ...] = ()
    withheld: tuple[Withheld, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The notes as they were written."""
        return {name: plain(value) for name, value in self.model_dump(exclude_unset=True).items()}


Argument = Flag | Whole | Number | str | tuple[str, ...]
"""What fills a place of a note: a number, a text, or several texts."""


class Note(ReportModel):
    """One disclosure note; `id` is stable, so that other documents can refer to it.

    Title and text are in the language of the report; `key` and `arguments` say the same to programs, in any language.
    """

    id: str
    title: str
    text: str
    key: str | None = Field(
        None,
        pattern="^[a-z0-9]+([._-][a-z0-9]+)*$",
        description="What the note says, as a word that is the same in every language.",
    )
    arguments: Mapping[str, Argument] | None = Field(
        None,
        description="What fills the places of the text: figures as they are printed, names as they were given.",
    )


class Commitment(ReportModel):
    """A salted hash of the confidential data.

    An auditor who is shown the data and the salt can confirm with it that the report was made from them.
    """

    method: Literal["HMAC-SHA-256"]
    digest: str = Field(pattern="^[0-9a-f]{64}$")


class LedgerHead(ReportModel):
    """The releases that were recorded in the publisher's ledger before this one.

    How many, and the root of their hash tree (RFC 6962): a ledger from which one of them was taken no longer fits.
    """

    size: Whole = Field(ge=0)
    root: str = Field(pattern="^[0-9a-f]{64}$")


SCHEMA_ID: Final = "urn:atreport:schema:report:1"
"""What a report.json names as its schema: that of `atreport schema --report`."""


class Report(PublishedRule):
    """A published algorithmic transparency report. All numbers are exactly as printed."""

    leading = (
        "schema_id", "format", "generator", "identifier", "report", "process", "estimation", "policy", "privacy", "cells",
    )  # fmt: skip

    schema_id: Literal["urn:atreport:schema:report:1"] | None = Field(
        None, alias="$schema", description="The schema that a report.json satisfies, by its `$id`."
    )
    generator: dict[str, str] = Field(
        description="The program that made the report, and the libraries its pages depend on, with their versions."
    )
    report: Annotated[ReportInfo, BeforeValidator(only_texts)]
    identifier: str | None = Field(
        None,
        pattern=r"^(urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|https://doi\.org/10\..+)$",
        description="What catalogues know this version of the report by: its DOI, or else a UUID that follows from "
        "publisher, title and version.",
    )
    estimation: Estimation | None = None
    measures: tuple[Measure, ...] = Field(
        description="What was asked for, as in the spec: each entry gives one or more entries of fairness."
    )
    sections: Sections | None = None
    value_rates: tuple[ValueRate, ...] | None = Field(
        None,
        description="Favourable rates by value of each attribute, where the rule has too many cells to be printed.",
    )
    fairness: tuple[Assessment, ...]
    not_assessed: tuple[NotAssessed, ...] | None = Field(
        None,
        description="Comparisons that could not be made: nobody is in one of their groups, or it is not published who.",
    )
    influence: tuple[Influence, ...] = Field(description=INFLUENCE)
    rules: tuple[RuleSet, ...] = Field(description=RULES)
    unexplained: tuple[OwnWords, ...] | None = Field(
        None, description="What could not be explained because nobody is there."
    )
    disclosure: Annotated[PublisherNotes, BeforeValidator(only_texts)] | None = None
    style: Annotated[PublishedStyle, BeforeValidator(only_texts)] | None = Field(
        None, description="The publisher's house style; its files stand beside the report."
    )
    translations: Annotated[Translations, BeforeValidator(only_texts)] | None = Field(
        None, description="Language → text of the publisher → what it says in that language; for pages alone."
    )
    notes: tuple[Note, ...]
    form: PublishedForm | None = None
    commitment: Commitment | None = None
    ledger: LedgerHead | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The attributes that only tell what really happened: they count in error rates, and explain nothing."""
        return labels_of(self.measures)

    @cached_property
    def described_rule(self) -> RuleTable:
        """The announced rule by everything that describes a person: on average over what really happened."""
        return self.rule_table.without(self.labels)

    @property
    def transparency(self) -> Transparency:
        """How the rule is to be explained, as the spec asks for it."""
        asked = self.sections.transparency if self.sections is not None else None
        return asked if asked is not None else Transparency()

    def as_json(self) -> dict[str, Any]:
        """The content of report.json."""
        return {
            **super().as_json(),
            "report": self.report.model_dump(mode="json", exclude_none=True),
            "measures": [plain(each.model_dump(exclude_none=True)) for each in self.measures],
        }


# A report as readers of its language are shown it: the publisher's own words by their translations.
#
# Guarantee: figures, identifiers, names of attributes and the words of the format are those of the report.
# Notes are in the language of the report already.


def translated(report: Report) -> Report:
    """The report, its publisher's words in the report's language as far as they were translated into it."""
    return in_words_of(report, report)


def in_words_of(report: Report, other: Report) -> Report:
    """The report, its publisher's words as another one says them in its language: the same words for the same thing."""
    texts = (other.translations or {}).get(other.report.language)
    return report if not texts else exchange_words(report, translation(texts))


def own_words_of(report: Report) -> Change:
    """What a text of the publisher's is called where the report is shown."""
    return translation((report.translations or {}).get(report.report.language) or {})
