"""What every regulator's form has in common: sections of fields, tables and notes, ready to print."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from atreport.compose.notes import distance_sentence, is_only_rounded, is_unchanged, left_out_in_short
from atreport.forms.fields import Bilingual, WithheldField
from atreport.forms.written import DocumentData, FieldData
from atreport.pages.layout import Cover, make_cover, paragraphs
from atreport.pages.measures import KINDS, measure_name
from atreport.pages.own_words import own_words
from atreport.pages.sections.decision import tabulate_rules
from atreport.pages.sections.fairness import directed, error_table, measure_table, rate_table
from atreport.pages.wording import named_values
from atreport.report.figures import plain
from atreport.report.form import FormTable, People, fields_json
from atreport.report.model import Note, Report
from atreport.report.writer import json_bytes
from atreport.text.language import count, get_locale, gettext, list_and, message, ngettext, use_locale
from atreport.text.numbers import long_date
from atreport.text.tables import Table


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
class ShownSection:
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
    sections: tuple[ShownSection, ...]
    law: str = ""  # of a letter: what it is written under


def filled_in(report: Report) -> Any:
    """The form of a report that has one; which attributes it has stands in the form's own file."""
    assert report.form is not None
    return report.form.fields


def form_tables(report: Report) -> tuple[FormTable, ...]:
    """The tables that a form of a report has beside its fields."""
    return () if report.form is None else report.form.tables or ()


def numbered(sections: Iterable[ShownSection]) -> tuple[ShownSection, ...]:
    """Sections with their numbers before their titles."""
    return tuple(
        replace(section, title=f"{number}. {section.title}")
        for number, section in enumerate(sections, start=1)
    )


def unless_spoken(language: str) -> str:
    """The language with which a passage is marked that is always in this one: nothing where it is spoken anyway."""
    return "" if get_locale() == language else language


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
        return gettext("suppressed ({fewest} to {most})", fewest=fewest, most=most)
    return gettext(
        "about {number} ({fewest} to {most})", number=count(people.published), fewest=fewest, most=most
    )


def announced_notice(report: Report, wants: str) -> tuple[str, ...]:
    """What a reader who expects exact figures must know first; `wants` is what the form is for, if that is to be told."""
    return (" ".join(filter(None, (wants, *_told(report), left_out_in_short(report)))),)


def _told(report: Report) -> tuple[str, ...]:
    fidelity, reveals = (
        report.policy.fidelity,
        gettext("The disclosure notes say what the rates reveal about people."),
    )
    if is_unchanged(fidelity) and report.privacy.unprotectable.left_out:
        return (
            gettext("The rule in this report is the true one, unchanged."),
            gettext("Where a range stands beside a figure, the exact figure lies in it for certain."),
            reveals,
        )
    if is_unchanged(fidelity):
        return gettext(
            "The rates in this document are exact: nothing was changed to protect people."
        ), reveals
    if is_only_rounded(report):
        rounded = ngettext(
            report.policy.decimals,
            "The rates in this document are those of the true rule, rounded to {number} decimal: nothing was changed to "
            "protect people.",
            "The rates in this document are those of the true rule, rounded to {number} decimals: nothing was changed to "
            "protect people.",
        )
        return (
            rounded,
            gettext("Where a range stands beside a figure, the exact figure lies in it for certain."),
            reveals,
        )
    return (
        gettext(
            "The rates in this document are announced rates: they were changed on purpose, to protect people."
        ),
        distance_sentence(fidelity),
        gettext("Beside each figure stands the range in which the exact figure lies for certain."),
    )


def notes_section(notes: Iterable[Note]) -> ShownSection:
    """The disclosure notes of the report, as the last section of a form."""
    return ShownSection(
        id="notes",
        title=gettext("Disclosure notes"),
        text=(gettext("These notes say what was changed, what is withheld and what is not protected."),),
        fields=tuple(FormField(label=note.title, text=paragraphs(note.text)) for note in notes),
    )


def checking_section(report: Report, files: Iterable[str]) -> ShownSection:
    """How to check the document."""
    return ShownSection(
        id="check",
        title=gettext("How to check this document"),
        text=(
            gettext(
                "Every figure is in report.json. That file is published beside this document, together with {files}, and is "
                "attached to the PDF. Figures are calculated from the announced rule and the population.",
                files=list_and(files),
            ),
            gettext(
                "Anyone can recalculate what follows from the published figures, without a network: run “atreport verify” "
                "on the folder or on any one of its files, or press the button “{button}” on the page.",
                button=gettext("Check this report"),
            ),
            own_words(report),
        ),
    )


# The figures that several forms print beside the publisher's words, as tables and for programs.
#
# Every figure is one of the Report. Its interval is certain: the exact figure lies in it, whatever chance
# does.

CERTAIN = message(
    "Each interval is certain: the exact figure of the data lies in it, because every announced probability is as close to "
    "the exact one as the report states. It is not a confidence interval, and says nothing about chance in the data."
)
"""What an interval beside a figure means, for readers who expect a confidence interval."""

ANNOUNCED = message(
    "Each figure is what the announced rule gives. Beside it stands the range in which the exact figure lies for certain."
)
"""What the figures are."""

ASSESSES = message("The measures help to assess fairness; none of them proves or disproves it.")
"""What no measure does."""


@dataclass(frozen=True, kw_only=True)
class GroupFigure:
    """One figure of one group, or of two that are compared, and the interval in which the exact one lies for certain."""

    metric: str  # a name for programs
    title: str  # and for people
    group: str
    value: Decimal
    low: Decimal
    high: Decimal

    def as_json(self) -> dict[str, Any]:
        """The figure under names that say what the interval is."""
        return {
            "metric": self.metric,
            "title": self.title,
            "group": self.group,
            "announced": plain(self.value),
            "certain_interval": [plain(self.low), plain(self.high)],
        }


def figures_section(report: Report, title: str, *, text: tuple[str, ...] = ()) -> ShownSection:
    """The announced rule, the measures, and the rates they are made of."""
    return ShownSection(
        id="figures",
        title=title,
        text=(
            *text,
            f"{gettext(ANNOUNCED)} {gettext(ASSESSES)}",
        ),
        tables=tuple(
            RemarkedTable(table=each) for each in (tabulate_rules(report), *comparison_tables(report))
        ),
    )


def comparison_tables(report: Report) -> tuple[Table, ...]:
    """The measures and the rates they are made of, as far as there are any."""
    tables = (measure_table(report), rate_table(report), error_table(report))
    return tuple(each for each in tables if each is not None)


def group_figures(report: Report) -> tuple[GroupFigure, ...]:
    """Every rate of a group that is compared, once, and every measure that has a value."""
    return tuple(dict.fromkeys((*_rates(report), *_measures(report))))


def _rates(report: Report) -> Iterator[GroupFigure]:
    favourable = report.process.outcome.favourable
    for assessment in report.fairness:
        by = " · ".join(report.process.attribute(name).title for name in assessment.by or ())
        given = named_values(report.process, assessment.given or {})
        for rate in assessment.rates or ():
            named = gettext("{attribute}: {value}", attribute=by, value=rate.group) if by else rate.group
            yield GroupFigure(
                metric=f"{rate.kind}_rate" if rate.kind else "favourable_rate",
                title=gettext(KINDS[rate.kind], favourable=favourable)
                if rate.kind
                else gettext("Rate of “{favourable}”", favourable=favourable),
                group=gettext("{group}, among {given}", group=named, given=given)
                if assessment.given
                else named,
                value=rate.value,
                low=rate.low,
                high=rate.high,
            )


def _measures(report: Report) -> Iterator[GroupFigure]:
    for assessment in report.fairness:
        if (
            assessment.value is not None
            and assessment.interval is not None
            and not assessment.is_of_one_group
        ):
            yield GroupFigure(
                metric=f"{assessment.rate}_difference" if assessment.rate else assessment.measure,
                title=measure_name(assessment),
                group=directed(report, assessment),
                value=assessment.value,
                low=assessment.interval[0],
                high=assessment.interval[1],
            )


# Forms that are written down: what follows for the page and for programs from what their file says of each field.


def written_document(report: Report, sections: Iterable[ShownSection], **values: object) -> FormContext:
    """The document around these sections; `values` fill its subtitle."""
    document: DocumentData = filled_in(report).written.document
    figures = figures_section(
        report, gettext(document.figures), text=(gettext(CERTAIN),) if document.is_certain else ()
    )
    return FormContext(
        cover=make_cover(report),
        subtitle=gettext(document.subtitle, **values),
        notice=announced_notice(report, gettext(document.notice)),
        sections=(
            *sections,
            *([figures] if document.figures else []),
            notes_section(report.notes),
            checking_section(report, (*document.files, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def written_sections(report: Report) -> Iterator[ShownSection]:
    """Every section of a form that is filled in."""
    for key, asked, part in _parts(report):
        fields = written_fields(part, asked.fields)
        yield ShownSection(id=key.replace("_", "-"), title=gettext(asked.label), fields=fields)


def written_fields(part: Any, asked: Mapping[str, FieldData]) -> tuple[FormField, ...]:
    """The fields of a section that are filled in and have a label, in the language that is spoken."""
    stated = {key: getattr(part, key) for key in asked}
    return tuple(
        form_field(
            gettext(asked[key].label),
            getattr(value, get_locale()) if isinstance(value, Bilingual) else value,
            also=gettext(asked[key].point) if asked[key].point else "",
        )
        for key, value in stated.items()
        if asked[key].label and value is not None
    )


def _parts(report: Report) -> Iterator[tuple[str, FieldData, Any]]:
    """The sections of a form that are filled in: each with what its file says of it."""
    form = filled_in(report)
    for key, asked in form.written.fields.items():
        part = form if asked.is_heading else getattr(form, key)
        if part is not None:
            yield key, asked, part


def written_files(report: Report) -> dict[str, bytes]:
    """The form for programs: each field with the point that asks for it, and the figures of groups.

    What is not the publisher's in it is in English, whatever the report's language.
    """
    document: DocumentData = filled_in(report).written.document
    with use_locale("en"):
        record = {
            **document.file_begins,
            **{
                key: {
                    field: {"answer": answer}
                    | ({"asked_by": asked.fields[field].point} if asked.fields[field].point else {})
                    for field, answer in fields_json(part).items()
                    if field in asked.fields
                }
                for key, asked, part in _parts(report)
            },
            "group_performance": {
                "intervals": gettext(CERTAIN),
                "figures": [each.as_json() for each in group_figures(report)],
            },
        }
        return {name: json_bytes(record) for name in document.files}
