"""What every regulator's form has in common: sections of fields, tables and notes, ready to print."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from atreport.kit.language import say, say_many
from atreport.kit.language.spoken import spoken
from atreport.kit.language.words import list_and
from atreport.kit.numbers import count, long_date
from atreport.kit.tables import Table
from atreport.pages.cover import Cover, paragraphs
from atreport.pages.own_words import own_words
from atreport.publication.notes import distance_sentence, is_only_rounded, is_unchanged
from atreport.publication.words.unprotectable import left_out_in_short
from atreport.report.form import FormTable, People
from atreport.report.model import Note, Report
from atreport.spec.models.forms import WithheldField
from atreport.spec.models.forms.regulator_form import RegulatorForm

Form = TypeVar("Form", bound=RegulatorForm)


@dataclass(frozen=True, kw_only=True)
class FormField:
    """One field of a form: its name and what the publisher says, or why it is withheld."""

    label: str
    text: tuple[str, ...]
    withheld: bool = False
    label_language: str = ""  # where a standard gives the label in another language than the document's
    also: str = (
        ""  # stands under the label: the same in the document's language, or the point that asks for it
    )


@dataclass(frozen=True, kw_only=True)
class RemarkedTable:
    """A table and the remarks that belong under it."""

    table: Table
    remarks: tuple[str, ...] = ()
    stacks: bool = False  # on narrow screens each row becomes a list, so that no figure is out of sight


@dataclass(frozen=True, kw_only=True)
class FormSection:
    """One section: words, fields, tables with remarks."""

    id: str
    title: str
    text: tuple[str, ...] = ()
    fields: tuple[FormField, ...] = ()
    tables: tuple[RemarkedTable, ...] = ()
    language: str = ""  # of all of it, where it is another than the document's
    title_language: str = ""  # of the title alone, where a standard gives it in another language
    also: str = ""  # the title in the document's language


@dataclass(frozen=True, kw_only=True)
class FormContext:
    """A whole form, as text."""

    cover: Cover
    subtitle: str
    notice: tuple[str, ...]
    sections: tuple[FormSection, ...]
    law: str = ""  # of a letter: what it is written under


def filled_in(report: Report, form: type[Form]) -> Form:
    """The form of a report, which is of this kind."""
    fields = report.form.fields if report.form is not None else None
    assert isinstance(fields, form)
    return fields


def form_tables(report: Report) -> tuple[FormTable, ...]:
    """The tables that a form of a report has beside its fields."""
    return () if report.form is None else report.form.tables or ()


def numbered(sections: Iterable[FormSection]) -> tuple[FormSection, ...]:
    """Sections with their numbers before their titles."""
    return tuple(
        replace(section, title=f"{number}. {section.title}")
        for number, section in enumerate(sections, start=1)
    )


def unless_spoken(language: str) -> str:
    """The language with which a passage is marked that is always in this one: nothing where it is spoken anyway."""
    return "" if spoken() == language else language


def form_field(label: str, value: object, *, also: str = "", label_language: str = "") -> FormField:
    """A field as the publisher filled it in."""
    withheld = isinstance(value, WithheldField)
    text = (long_date(value),) if isinstance(value, dt.date) else paragraphs(str(value))
    return FormField(label=label, text=text, withheld=withheld, also=also, label_language=label_language)


def people_text(people: People) -> str:
    """A number of people as it is printed: exactly, or the range that is left open."""
    if people.is_exact:
        return count(people.fewest)
    fewest, most = count(people.fewest), count(people.most)
    if people.published is None:
        return say("suppressed ({fewest} to {most})", fewest=fewest, most=most)
    return say(
        "about {number} ({fewest} to {most})", number=count(people.published), fewest=fewest, most=most
    )


def announced_notice(report: Report, wants: str) -> tuple[str, ...]:
    """What a reader who expects exact figures must know first; `wants` is what the form is for, if that is to be told."""
    return (" ".join(filter(None, (wants, *_told(report), left_out_in_short(report)))),)


def _told(report: Report) -> tuple[str, ...]:
    fidelity, reveals = (
        report.policy.fidelity,
        say("The disclosure notes say what the rates reveal about people."),
    )
    if is_unchanged(fidelity) and report.privacy.unprotectable.left_out:
        return (
            say("The rule in this report is the true one, unchanged."),
            say("Where a range stands beside a figure, the exact figure lies in it for certain."),
            reveals,
        )
    if is_unchanged(fidelity):
        return say("The rates in this document are exact: nothing was changed to protect people."), reveals
    if is_only_rounded(report):
        rounded = say_many(
            report.policy.decimals,
            "The rates in this document are those of the true rule, rounded to {number} decimal: nothing was changed to "
            "protect people.",
            "The rates in this document are those of the true rule, rounded to {number} decimals: nothing was changed to "
            "protect people.",
        )
        return (
            rounded,
            say("Where a range stands beside a figure, the exact figure lies in it for certain."),
            reveals,
        )
    return (
        say(
            "The rates in this document are announced rates: they were changed on purpose, to protect people."
        ),
        distance_sentence(fidelity),
        say("Beside each figure stands the range in which the exact figure lies for certain."),
    )


def notes_section(notes: Iterable[Note]) -> FormSection:
    """The disclosure notes of the report, as the last section of a form."""
    return FormSection(
        id="notes",
        title=say("Disclosure notes"),
        text=(say("These notes say what was changed, what is withheld and what is not protected."),),
        fields=tuple(FormField(label=note.title, text=paragraphs(note.text)) for note in notes),
    )


def checking_section(report: Report, files: Iterable[str]) -> FormSection:
    """How to check the document."""
    return FormSection(
        id="check",
        title=say("How to check this document"),
        text=(
            say(
                "Every figure is in report.json. That file is published beside this document, together with {files}, and is "
                "attached to the PDF. Figures are calculated from the announced rule and the population.",
                files=list_and(files),
            ),
            say(
                "Anyone can recalculate what follows from the published figures, without a network: run “atreport verify” "
                "on the folder or on any one of its files, or press the button “{button}” on the page.",
                button=say("Check this report"),
            ),
            own_words(report),
        ),
    )
