"""Turn a published report and one record into the letter to that person: what Article 15 of the GDPR asks for.

Guarantee: a letter is a function of the report, the record and the details that are given with it. Beside these details it
says nothing about the person that everybody with their record could not read from the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from atreport.errors import NotAReport
from atreport.kit.numbers import factor, full_percent, full_percent_interval, full_points, long_date, percent
from atreport.kit.tables import Column, make_table
from atreport.pages.cover import Cover
from atreport.pages.forms.form_context import FormContext, FormField, FormSection, RemarkedTable
from atreport.pages.forms.gdpr15 import LABELS, gdpr15_fields
from atreport.pages.letter_details import LetterDetails, decision_section, heading_lines, withheld_section
from atreport.pages.own_case import OwnCase, Record, own_case
from atreport.pages.reasons import reasons_for
from atreport.pages.reasons.words import CERTAIN, place_words, reason_sentences
from atreport.publication.estimation_words import DESCRIBES, by_source
from atreport.publication.promise_words import after_even, quoted
from atreport.report.model import Report
from atreport.spec.models.forms import GDPR15Form, WithheldField

DATA = ("purposes", "data_categories", "data_source", "recipients", "storage_period", "transfers")
RIGHTS = ("rights", "contact", "controller", "data_protection_officer", "complaint_authority")
NO_DETAILS = LetterDetails()


def letter_context(report: Report, record: Record, details: LetterDetails = NO_DETAILS) -> FormContext:
    """The letter as text."""
    fields = _fields(report)
    case = own_case(report, record)
    info, process = report.report, report.process
    return FormContext(
        cover=Cover(
            title="Your data and the decision about you",
            publisher=str(fields.controller),
            version=info.version,
            date=long_date(info.date),  # of the report, whose version stands beside it
            iso_date=info.date.isoformat(),
            language=info.language,
            contact=str(fields.contact),
            process=process.name,
        ),
        subtitle=f"Letter to a data subject on “{process.name}”",
        law="Information under Article 15 of the General Data Protection Regulation",
        notice=(
            *heading_lines(details),
            f"You asked which data about you was used in “{process.name}”, and how. This letter answers from the published "
            f"report “{info.title}”, version {info.version}, of {long_date(info.date)}. It contains nothing "
            "about you beyond the data below"
            + (" and the decision." if details.outcome is not None else "."),
        ),
        sections=(
            decision_section(report, fields, details),
            _your_data(report, case, fields),
            _your_case(report, case),
            _changed(report, case),
            _texts("procedure", "5. How the decision is made", fields, ("procedure", "consequences")),
            withheld_section(report, fields),
            _others(report, case),
            _texts("data", "8. How your data is used", fields, DATA),
            _texts("rights", "9. Your rights, and where to turn", fields, RIGHTS),
        ),
    )


def _fields(report: Report) -> GDPR15Form:
    fields = gdpr15_fields(report)
    if fields is None:
        raise NotAReport(
            "this report has no texts for a letter (controller, rights, contact …).\n"
            "  Build it from a spec with 'template: gdpr15' under report and a section 'form'; docs/spec.md "
            "lists the fields."
        )
    return fields


def _your_data(report: Report, case: OwnCase, fields: GDPR15Form) -> FormSection:
    process = report.process
    return FormSection(
        id="record",
        title="2. The data about you",
        text=(
            by_source(
                report,
                given="These are the data that the decision looks at, with the values you have.",
                described="These are the data by which the published report describes people, with the values you have. "
                + DESCRIBES,
            ),
        ),
        fields=(
            *(
                FormField(label=process.attribute(name).title, text=(value,))
                for name, value in case.record.items()
            ),
            *_stated(fields, ("copy_of_data",)),
        ),
    )


def _your_case(report: Report, case: OwnCase) -> FormSection:
    exact = all(each.low == each.high for each in case.announced.values())
    explained = (
        "These are the exact probabilities."
        if exact
        else "They are announced figures: the exact rule is not published, because it would give away private data "
        "of others. "
        "The second column says where the exact probability lies, for certain."
    )
    return FormSection(
        id="case",
        title=by_source(
            report,
            given="3. How the decision treats people with your data",
            described="3. How people with your data are decided on",
        ),
        text=(f"Of people with exactly these data, so many get each result. {explained}",),
        tables=(
            RemarkedTable(
                table=make_table(
                    "case",
                    "Announced probability of each result, for people with your data",
                    [
                        Column("Result", names_row=True),
                        Column("Announced", numeric=True),
                        Column("Exact probability lies in", numeric=True),
                    ],
                    [
                        [outcome, full_percent(each.value), full_percent_interval(each.low, each.high)]
                        for outcome, each in case.announced.items()
                    ],
                )
            ),
        ),
    )


def _changed(report: Report, case: OwnCase) -> FormSection:
    """What moved the announced result for this record, and what it would be with one value changed at a time."""
    favourable = report.process.outcome.favourable
    own = case.announced[favourable]
    return FormSection(
        id="changed",
        title=by_source(
            report,
            given="4. What moved the result, and how other data would change it",
            described="4. What goes with the result, and how people with other data are decided on",
        ),
        text=(
            by_source(
                report,
                given="With one of your data changed and all others as they are, the announced probability of "
                f"“{favourable}” would be as follows.",
                described="For people who differ from you in one of these data and are like you in all others, the "
                f"announced probability of “{favourable}” is as follows.",
            )
            + f" With your data it is {full_percent(own.value)}.",
            *_no_reasons(report),
        ),
        tables=(*_one_changed(report, case), *_moved(report, case)),
    )


def _no_reasons(report: Report) -> tuple[str, ...]:
    """Why it is not said which of the person's data weighed most, where it cannot be."""
    if report.described_rule.population_is_printed:
        return ()
    return (
        "Which of your data weighed most cannot be told from the published report: it does not say how many people have "
        "each combination of values.",
    )


def _one_changed(report: Report, case: OwnCase) -> tuple[RemarkedTable, ...]:
    """The announced probability with one value changed, wherever somebody has that combination."""
    process = report.process
    absent = [each for each in case.changed if each.announced is None]
    named = "; ".join(f"{process.attribute(each.attribute).title}: {each.value}" for each in absent[:10])
    rows = [
        [
            process.attribute(each.attribute).title,
            each.value,
            full_percent(each.announced.value),
            full_percent_interval(each.announced.low, each.announced.high),
            _signed(each.difference.value),
            f"{_signed(each.difference.low)} to {_signed(each.difference.high)}",
        ]
        for each in case.changed
        if each.announced is not None and each.difference is not None
    ]
    if not rows:
        return ()
    return (
        RemarkedTable(
            table=make_table(
                "changed",
                f"Announced probability of “{process.outcome.favourable}” with one value changed",
                [
                    Column(by_source(report, given="If this", described="Where this"), names_row=True),
                    Column(by_source(report, given="were", described="is"), names_row=True),
                    Column("Announced", numeric=True),
                    Column("Exact probability lies in", numeric=True),
                    Column("Difference to yours", numeric=True),
                    Column("Exact difference lies in", numeric=True),
                ],
                rows,
            ),
            remarks=(f"Nobody in the report has your other data together with {named}.",) if absent else (),
        ),
    )


def _moved(report: Report, case: OwnCase) -> tuple[RemarkedTable, ...]:
    """What each of the person's values moved; nothing where the report does not say how many people there are."""
    reasons = reasons_for(report, case.record)
    if reasons is None:
        return ()
    average = (
        f"On average over everybody, the announced probability of “{reasons.outcome}” is "
        f"{full_percent(reasons.average)}; with your data it is {full_percent(reasons.announced)}. "
    )
    average += (
        "The amounts share out the difference among your data (they are Shapley values) and add up to it, but for rounding."
        if reasons.adds_up
        else "Each amount is of that value by itself. They need not add up to the difference."
    )
    lowered, raised = (
        by_source(report, given=given, described=described)
        for given, described in (("lowered it", "goes with less"), ("raised it", "goes with more"))
    )
    places = {
        reason: f"{did}, place {place}"
        for did, ranks in ((lowered, reasons.lowered), (raised, reasons.raised))
        for reason, place in place_words(ranks)
    }
    return (
        RemarkedTable(
            table=make_table(
                "moved",
                by_source(report, given="What your data moved, in", described="What goes with your data, in")
                + f" the announced probability of “{reasons.outcome}”",
                [
                    Column("Your", names_row=True),
                    Column("being", names_row=True),
                    Column(by_source(report, given="moved it by", described="goes with"), numeric=True),
                    Column("The exact amount lies in", numeric=True),
                    Column("What is certain"),
                ],
                [
                    [
                        reason.label,
                        reason.value,
                        _signed(reason.amount.value),
                        f"{_signed(reason.amount.low)} to {_signed(reason.amount.high)}",
                        places.get(
                            reason, "no effect" if reason in reasons.nothing else "direction not certain"
                        ),
                    ]
                    for reason in reasons.all
                ],
            ),
            remarks=(*reason_sentences(report, reasons), f"{CERTAIN} {average}"),
        ),
    )


def _signed(difference: Decimal) -> str:
    text = full_points(abs(difference))
    return text if difference == 0 else f"{'+' if difference > 0 else '−'}{text}"


def _others(report: Report, case: OwnCase) -> FormSection:
    process = report.process
    public, sensitive = quoted(process.of_role("public")), quoted(process.of_role("sensitive"), "or")
    knows = f"your {public} and " if public else ""
    none = "There is no protection for people like you. " if case.beta == 1 else ""
    return FormSection(
        id="others",
        title="7. What the published report tells others about you",
        text=(
            f"{none}Someone who knows {knows}the decision about you, and takes the published report at its word, can be at "
            f"most {percent(case.beta)} sure of your {sensitive}. Without any report it would be up to "
            f"{percent(case.prior)}.",
            *_whatever_they_knew(report, case),
        ),
    )


def _whatever_they_knew(report: Report, case: OwnCase) -> Iterator[str]:
    """How much likelier a value becomes, and what holds for those who believed something else; if the report states it."""
    qid = {attribute.name: case.record[attribute.name] for attribute in report.process.of_role("public")}
    group = next(each for each in report.privacy.groups if each.qid == qid)
    if group.lift is None:
        return
    sensitive = quoted(report.process.of_role("sensitive"), "or")
    yield (
        f"No value of your {sensitive} becomes any more likely by the decision."
        if group.lift == 1
        else f"No value of your {sensitive} becomes more than {factor(group.lift)} times as likely by the decision as it is "
        "among people like you."
    )
    yield (
        "An outcome can rule something about you out for certain."
        if group.odds is None
        else "Somebody who was 50% sure of something about you is at most "
        f"{after_even(report, group.odds)} sure afterwards, whatever they believed before, if they take the announced rule "
        "for the truth."
    )


def _texts(id: str, title: str, fields: GDPR15Form, names: tuple[str, ...]) -> FormSection:
    return FormSection(id=id, title=title, fields=tuple(_stated(fields, names)))


def _stated(fields: GDPR15Form, names: tuple[str, ...]) -> Iterator[FormField]:
    """Some texts of the form, as far as they are filled in."""
    for name in names:
        value = getattr(fields, name)
        if value is not None:
            yield FormField(label=LABELS[name], text=(str(value),), withheld=isinstance(value, WithheldField))
