"""What every regulator's form has in common: sections of fields, tables and notes, ready to print."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from atreport.announcement import Release
from atreport.kit.numbers import long_date
from atreport.kit.tables import Table
from atreport.pages.cover import Cover, paragraphs
from atreport.pages.notes import Note, distance_allowed, is_unchanged
from atreport.spec.models.forms import WithheldField


@dataclass(frozen=True, kw_only=True)
class FormField:
    """One field of a form: its name and what the publisher says, or why it is withheld."""

    label: str
    text: tuple[str, ...]
    withheld: bool = False


@dataclass(frozen=True, kw_only=True)
class FormTable:
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
    tables: tuple[FormTable, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FormContext:
    """A whole form, as text."""

    cover: Cover
    subtitle: str
    notice: tuple[str, ...]
    sections: tuple[FormSection, ...]


def form_field(label: str, value: object) -> FormField:
    """A field as the publisher filled it in."""
    if isinstance(value, WithheldField):
        return FormField(label=label, text=(str(value),), withheld=True)
    if isinstance(value, dt.date):
        return FormField(label=label, text=(long_date(value),))
    return FormField(label=label, text=paragraphs(str(value)))


def announced_notice(release: Release, wants: str) -> tuple[str, ...]:
    """What a reader who expects exact figures must know first."""
    if is_unchanged(release):
        return (
            f"{wants} The rates in this document are exact: nothing was changed to protect people. What that gives away "
            "about them is said in the disclosure notes.",
        )
    return (
        f"{wants} The rates in this document are announced ones, changed on purpose so that they do not give people away. "
        f"For every announced probability: {distance_allowed(release)}. Beside each figure stands the range in which "
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
