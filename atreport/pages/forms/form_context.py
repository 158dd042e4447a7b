"""What every regulator's form has in common: sections of fields, tables and notes, ready to print."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from atreport.kit.numbers import count, long_date
from atreport.kit.tables import Table
from atreport.pages.cover import Cover, paragraphs
from atreport.publication.notes import distance_sentence, is_unchanged
from atreport.report.form import People
from atreport.report.model import Note
from atreport.report.rule import PublishedFidelity
from atreport.spec.models.forms import WithheldField


@dataclass(frozen=True, kw_only=True)
class FormField:
    """One field of a form: its name and what the publisher says, or why it is withheld."""

    label: str
    text: tuple[str, ...]
    withheld: bool = False
    language: str = ""  # of label and text, where it is another than the document's
    also: str = (
        ""  # stands under the label: the same in the document's language, or the point that asks for it
    )


@dataclass(frozen=True, kw_only=True)
class RemarkedTable:
    """A table and the remarks that belong under it."""

    table: Table
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FormSection:
    """One section: words, fields, tables with remarks."""

    id: str
    title: str
    text: tuple[str, ...] = ()
    fields: tuple[FormField, ...] = ()
    tables: tuple[RemarkedTable, ...] = ()
    language: str = ""  # of all of it, where it is another than the document's
    also: str = ""  # the title in the document's language


@dataclass(frozen=True, kw_only=True)
class FormContext:
    """A whole form, as text."""

    cover: Cover
    subtitle: str
    notice: tuple[str, ...]
    sections: tuple[FormSection, ...]
    law: str = ""  # of a letter: what it is written under


def form_field(label: str, value: object, *, also: str = "") -> FormField:
    """A field as the publisher filled it in."""
    if isinstance(value, WithheldField):
        return FormField(label=label, text=(str(value),), withheld=True, also=also)
    text = (long_date(value),) if isinstance(value, dt.date) else paragraphs(str(value))
    return FormField(label=label, text=text, also=also)


def people_text(people: People) -> str:
    """A number of people as it is printed: exactly, or the range that is left open."""
    if people.is_exact:
        return count(people.fewest)
    between = f"{count(people.fewest)} to {count(people.most)}"
    if people.published is None:
        return f"suppressed ({between})"
    return f"about {count(people.published)} ({between})"


def announced_notice(fidelity: PublishedFidelity, wants: str) -> tuple[str, ...]:
    """What a reader who expects exact figures must know first."""
    if is_unchanged(fidelity):
        return (
            f"{wants} The rates in this document are exact: nothing was changed to protect people. What that gives away "
            "about them is said in the disclosure notes.",
        )
    return (
        f"{wants} The rates in this document are announced ones, changed on purpose so that they do not give people away. "
        f"{distance_sentence(fidelity)} Beside each figure stands the range in which "
        "the exact one lies for certain.",
    )


def notes_section(notes: Iterable[Note]) -> FormSection:
    """The disclosure notes of the report, as the last section of a form."""
    return FormSection(
        id="notes",
        title="Disclosure notes",
        text=("What was changed, withheld or left uncovered.",),
        fields=tuple(FormField(label=note.title, text=(note.text,)) for note in notes),
    )


def checking_section(files: Iterable[str]) -> FormSection:
    """How to check the document."""
    return FormSection(
        id="check",
        title="How to check this document",
        text=(
            f"Every figure is in report.json, which is published beside this document with {', '.join(files)} and "
            "attached to the PDF. They follow from the announced rule and the population as published.",
            "Anyone can recalculate them without asking the publisher and without a network: with “atreport verify” and the "
            "folder or any one of its files, or with the button “Check this report” on the page.",
        ),
    )
