"""Turn a published report and one record into the letter to that person: what Article 15 of the GDPR asks for.

Guarantee: a letter is a function of the report, the record and the details that are given with it. Beside these details it
says nothing about the person that everybody with their record could not read from the report.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from atreport.compose.estimation import by_source
from atreport.compose.promise import after_even, as_published
from atreport.errors import NotAReport
from atreport.pages.forms.form_context import FormContext, FormField, RemarkedTable, ShownSection, numbered
from atreport.pages.letter_details import (
    LetterDetails,
    data_fields,
    data_words,
    decision_section,
    details_as_shown,
    heading_lines,
    letter_cover,
    letter_field,
    withheld_section,
)
from atreport.pages.own_case import OwnCase, Record, as_shown, own_case
from atreport.pages.reasons import moved_tables
from atreport.report.model import Report, translated
from atreport.text.language import count, gettext, list_or, ngettext, quote, use_locale
from atreport.text.numbers import (
    factor,
    full_percent,
    full_percent_interval,
    long_date,
    percent,
    signed_points,
    signed_points_interval,
)
from atreport.text.tables import Column, make_table

DATA = ("purposes", "data_categories", "data_source", "recipients", "storage_period", "transfers")
RIGHTS = ("rights", "contact", "controller", "data_protection_officer", "complaint_authority")
NO_DETAILS = LetterDetails()

MOST_NAMED = 10
"""The most values that are named one by one where nobody has them."""

EVEN = Decimal("0.5")
"""How sure somebody is who believes something as much as not."""


def letter_context(report: Report, record: Record, details: LetterDetails = NO_DETAILS) -> FormContext:
    """The letter as text, in the language of the report; record and outcome are given in the publisher's own words."""
    with use_locale(report.report.language):
        return _letter(translated(report), as_shown(report, record), details_as_shown(report, details))


def _letter(report: Report, record: Record, details: LetterDetails) -> FormContext:
    fields = _fields(report)
    case = own_case(report, record)
    process = report.process.name
    return FormContext(
        cover=letter_cover(
            report, gettext("Your data and the decision about you"), fields.controller, str(fields.contact)
        ),
        subtitle=gettext("Letter to a person about “{process}”", process=process),
        law=gettext("Information under Article 15 of the General Data Protection Regulation"),
        notice=(*heading_lines(details), _opening(report, details)),
        sections=numbered(
            (
                decision_section(report, fields, details),
                ShownSection(
                    id="record",
                    title=gettext("The data about you"),
                    text=(data_words(report),),
                    fields=(*data_fields(report, case.record), *_stated(fields, ("copy_of_data",))),
                ),
                _your_case(report, case),
                _changed(report, case),
                _texts(
                    "procedure", gettext("How the decision is made"), fields, ("procedure", "consequences")
                ),
                withheld_section(report, fields),
                _others(report, case),
                _texts("data", gettext("How your data is used"), fields, DATA),
                _texts("rights", gettext("Your rights, and where to turn"), fields, RIGHTS),
            )
        ),
    )


def _opening(report: Report, details: LetterDetails) -> str:
    """What was asked, and from what it is answered."""
    info = report.report
    asked = gettext(
        "You asked which data about you was used in “{process}”, and how. This letter answers from the published report "
        "“{title}”, version {version}, of {date}.",
        process=report.process.name,
        title=info.title,
        version=info.version,
        date=long_date(info.date),
    )
    nothing_else = (
        gettext("It contains nothing about you beyond the data below.")
        if details.outcome is None
        else gettext("It contains nothing about you beyond the data below and the decision.")
    )
    return f"{asked} {nothing_else}"


def _fields(report: Report) -> Any:
    if report.form is None or report.form.template != "gdpr15":
        raise NotAReport(
            "this report has no texts for a letter (controller, rights, contact …).\n"
            "  Build it from a spec with 'template: gdpr15' under report and a section 'form'; docs/spec.md "
            "lists the fields."
        )
    return report.form.fields


def _your_case(report: Report, case: OwnCase) -> ShownSection:
    shown = gettext("The table shows how likely each result is for people with exactly your data.")
    exact = all(each.low == each.high for each in case.announced.values())
    explained = (
        gettext("These are the exact probabilities.")
        if exact
        else gettext(
            "These are announced probabilities: the exact rule is not published, because it could reveal private data of "
            "others. Beside each of them stands the range in which the exact probability lies for certain."
        )
    )
    return ShownSection(
        id="case",
        title=by_source(
            report,
            given=gettext("How the decision treats people with your data"),
            described=gettext("How people with your data are decided on"),
        ),
        text=(f"{shown} {explained}",),
        tables=(
            RemarkedTable(
                table=make_table(
                    "case",
                    gettext("Announced probability of each result, for people with your data"),
                    [
                        Column(gettext("Result"), names_row=True),
                        Column(gettext("Announced"), numeric=True),
                        Column(gettext("Exact probability lies in"), numeric=True),
                    ],
                    [
                        [outcome, full_percent(each.value), full_percent_interval(each.low, each.high)]
                        for outcome, each in case.announced.items()
                    ],
                )
            ),
        ),
    )


def _changed(report: Report, case: OwnCase) -> ShownSection:
    """What moved the announced result for this record, and what it would be with one value changed at a time."""
    compared = tuple(_one_changed(report, case))
    return ShownSection(
        id="changed",
        title=by_source(
            report,
            given=gettext("What moved the result, and how other data would change it"),
            described=gettext("What goes with the result, and how people with other data are decided on"),
        ),
        text=(_comparison_words(report, case, is_empty=not compared), *_no_reasons(report)),
        tables=(*compared, *moved_tables(report, case)),
    )


def _comparison_words(report: Report, case: OwnCase, *, is_empty: bool) -> str:
    """What the table of changed values shows; or that there is nobody to compare with."""
    favourable = report.process.outcome.favourable
    own = full_percent(case.announced[favourable].value)
    if is_empty:
        return gettext(
            "Nobody in the report differs from you in only one of these data, so there is nobody to compare you with."
        )
    return by_source(
        report,
        given=gettext(
            "With your data, the announced probability of “{outcome}” is {own}. The table shows what it would be with one "
            "of your data changed and all others as they are.",
            outcome=favourable,
            own=own,
        ),
        described=gettext(
            "For people with your data, the announced probability of “{outcome}” is {own}. The table shows what it is for "
            "people who differ from you in one of these data and are like you in all others.",
            outcome=favourable,
            own=own,
        ),
    )


def _no_reasons(report: Report) -> tuple[str, ...]:
    """Why it is not said which of the person's data weighed most, where it cannot be."""
    if report.described_rule.everybody_is_printed:
        return ()
    return (
        gettext(
            "Which of your data weighed most cannot be told from the published report: it does not say how many people have "
            "each combination of values."
        ),
    )


def _one_changed(report: Report, case: OwnCase) -> Iterator[RemarkedTable]:
    """The announced probability with one value changed, wherever somebody has that combination; none where nobody has."""
    process = report.process
    rows = [
        [
            process.attribute(each.attribute).title,
            each.value,
            full_percent(each.announced.value),
            full_percent_interval(each.announced.low, each.announced.high),
            signed_points(each.difference.value),
            signed_points_interval(each.difference.low, each.difference.high),
        ]
        for each in case.changed
        if each.announced is not None and each.difference is not None
    ]
    if not rows:
        return
    yield RemarkedTable(
        table=make_table(
            "changed",
            gettext(
                "Announced probability of “{outcome}” with one value changed",
                outcome=process.outcome.favourable,
            ),
            [
                Column(
                    by_source(report, given=gettext("What is changed"), described=gettext("What differs")),
                    names_row=True,
                ),
                Column(gettext("Its value"), names_row=True),
                Column(gettext("Announced"), numeric=True),
                Column(gettext("Exact probability lies in"), numeric=True),
                Column(gettext("Difference from yours"), numeric=True),
                Column(gettext("Exact difference lies in"), numeric=True),
            ],
            rows,
        ),
        remarks=tuple(_absent(report, case)),
    )


def _absent(report: Report, case: OwnCase) -> Iterator[str]:
    """The values that nobody has together with the person's others."""
    absent = [
        gettext(
            "{attribute}: {value}", attribute=report.process.attribute(each.attribute).title, value=each.value
        )
        for each in case.changed
        if each.announced is None
    ]
    named = "; ".join(absent[:MOST_NAMED])
    if len(absent) > MOST_NAMED:
        yield gettext(
            "Nobody in the report has your other data together with any of these values, or with {number} more: {values}.",
            number=count(len(absent) - MOST_NAMED),
            values=named,
        )
    elif absent:
        yield ngettext(
            len(absent),
            "Nobody in the report has your other data together with this value: {values}.",
            "Nobody in the report has your other data together with any of these values: {values}.",
            values=named,
        )


def _others(report: Report, case: OwnCase) -> ShownSection:
    return ShownSection(
        id="others",
        title=gettext("What the published report tells others about you"),
        text=(_confidence(report, case), *_whatever_they_knew(report, case)),
    )


def _confidence(report: Report, case: OwnCase) -> str:
    """How sure others can be of the person's sensitive data."""
    public, sensitive = report.process.of_role("public"), _sensitive(report)
    known = as_published(report, public).written
    sure = (
        gettext(
            "Someone who knows your {public} and the decision about you, and believes the published report, can be at most "
            "{beta} sure of your {sensitive}.",
            public=known,
            beta=percent(case.beta),
            sensitive=sensitive,
        )
        if public
        else gettext(
            "Someone who knows the decision about you, and believes the published report, can be at most {beta} sure of "
            "your {sensitive}.",
            beta=percent(case.beta),
            sensitive=sensitive,
        )
    )
    none = gettext("There is no protection for people like you.") if case.beta == 1 else ""
    before = gettext("Without any report they could be up to {prior} sure.", prior=percent(case.prior))
    return " ".join(filter(None, (none, sure, before)))


def _sensitive(report: Report) -> str:
    return list_or(quote(attribute.title) for attribute in report.process.of_role("sensitive"))


def _whatever_they_knew(report: Report, case: OwnCase) -> Iterator[str]:
    """How much likelier a value becomes, and what holds for those who believed something else; if the report states it."""
    qid = {attribute.name: case.record[attribute.name] for attribute in report.process.of_role("public")}
    group = next(each for each in report.privacy.groups if each.qid == qid)
    if group.lift is None:
        return
    sensitive = _sensitive(report)
    yield (
        gettext("The decision makes no value of your {sensitive} any more likely.", sensitive=sensitive)
        if group.lift == 1
        else gettext(
            "The decision makes no value of your {sensitive} more than {factor} times as likely as it is among people like "
            "you.",
            sensitive=sensitive,
            factor=factor(group.lift),
        )
    )
    yield (
        gettext("An outcome can rule out something about you for certain.")
        if group.odds is None
        else gettext(
            "Somebody who knows which people are like you, and was {before} sure of something about you, is at most {after} "
            "sure of it when they know the decision, whatever else they believed, if they take the announced rule for the "
            "true one.",
            before=percent(EVEN),
            after=after_even(report, group.odds),
        )
    )


def _texts(id: str, title: str, fields: Any, names: tuple[str, ...]) -> ShownSection:
    return ShownSection(id=id, title=title, fields=tuple(_stated(fields, names)))


def _stated(fields: Any, names: tuple[str, ...]) -> Iterator[FormField]:
    """Some texts of the form, as far as they are filled in."""
    for name in names:
        if getattr(fields, name) is not None:
            yield letter_field(fields, name)
