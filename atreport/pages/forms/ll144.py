"""Turn a report into the summary of results of a bias audit: New York City Local Law 144, 6 RCNY §§ 5-300 to 5-304."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from atreport.kit.language import message, say, say_many
from atreport.kit.numbers import count, full_percent
from atreport.pages.cover import make_cover, paragraphs
from atreport.pages.forms.form_context import (
    FormContext,
    FormSection,
    RemarkedTable,
    announced_notice,
    checking_section,
    filled_in,
    form_field,
    form_tables,
    notes_section,
    numbered,
)
from atreport.pages.forms.ll144_tables import remarks, result_table, unknown_section
from atreport.publication.notes import is_only_rounded, is_unchanged
from atreport.publication.words.unprotectable import left_out_in_short
from atreport.report.form import Category, FormTable
from atreport.report.model import Report
from atreport.spec.models.forms import LL144Form

DATA = {
    "historical": message("Historical data of the tool (§ 5-302 (a))"),
    "test": message("Test data (§ 5-302 (b))"),
}

RATES = {
    "selection": message("The selection rate is the share of a category’s applicants who were selected."),
    "scoring": message(
        "The scoring rate is the share of a category’s applicants whose score is above the median score of the sample."
    ),
    "classification": message(
        "The tool puts people into classes. For every class, the selection rate is the share of a category’s applicants who "
        "were put into it (§ 5-301 (b) (4))."
    ),
}

IMPACT_RATIO = message(
    "The impact ratio of a category is its rate divided by the highest rate of the categories that are compared in the "
    "same table. Where no rate is above 0, there is no ratio. Ratios are calculated separately for sex, for "
    "race/ethnicity, and for their intersections. They help to assess the tool; they are no legal finding."
)


def context(report: Report) -> FormContext:
    """The summary of results as text."""
    form, tables = filled_in(report, LL144Form), form_tables(report)
    return FormContext(
        cover=make_cover(report),
        subtitle=say("Summary of the results of a bias audit of “{tool}”", tool=form.tool)
        if isinstance(form.tool, str)
        else say("Summary of the results of a bias audit"),
        notice=announced_notice(
            report, say("The rules of New York City ask for the rates of every category.")
        ),
        sections=(
            *numbered((_audit(report, form), _results(report, form, tables), *unknown_section(tables))),
            notes_section(report.notes),
            checking_section(report, ("cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _audit(report: Report, form: LL144Form) -> FormSection:
    fields = [
        (say("Automated employment decision tool"), form.tool),
        (say("Date of the most recent bias audit"), form.audit_date),
        (say("Distribution date of the tool"), form.distribution_date),
        (say("Independent auditor"), form.auditor),
        (say("Employer or employment agency"), report.report.publisher),
        (say("Kind of data"), say(DATA[form.data])),
        (say("Source and explanation of the data"), form.data_source),
    ]
    if form.test_data is not None:
        fields.append((say("Why test data was used, and how it was generated and obtained"), form.test_data))
    return FormSection(
        id="audit",
        title=say("The audit"),
        text=(*paragraphs(report.process.description), *_too_old(report, form)),
        fields=tuple(form_field(label, value) for label, value in fields),
    )


def _too_old(report: Report, form: LL144Form) -> tuple[str, ...]:
    """Where the audit is older than the rules allow on the day of this document."""
    if not form.is_older_than_a_year(report.report.date):
        return ()
    return (
        say(
            "The most recent audit was made more than a year before the date of this document. A tool may not be used when "
            "more than a year has passed since its last audit (§ 5-301 (a))."
        ),
    )


def _results(report: Report, form: LL144Form, tables: Sequence[FormTable]) -> FormSection:
    return FormSection(
        id="results",
        title=say("Results"),
        text=(
            f"{say(RATES[form.rate])} {say(IMPACT_RATIO)}",
            *filter(None, (left_out_in_short(report),)),
            *_recorded(report, tables),
            *_conflict(report, tables),
            *_not_by_itself(report, tables),
        ),
        tables=tuple(
            RemarkedTable(
                table=result_table(report, form, each, place), remarks=remarks(form, each), stacks=True
            )
            for place, each in enumerate(tables)
        ),
    )


def _recorded(report: Report, tables: Sequence[FormTable]) -> tuple[str, ...]:
    """Where rates are those of whole numbers of people: that they are, and how they are rounded."""
    if not all(each.recorded for each in tables):
        return ()
    decimals = report.policy.decimals
    return (
        say_many(
            decimals,
            "The rates and ratios in these tables are calculated from the numbers of people and rounded to {number} "
            "decimal, so rates to {step}; a half is rounded to the even digit. The numbers are exact: for each cell of "
            "cells.csv, only one whole number of people fits its printed probability.",
            "The rates and ratios in these tables are calculated from the numbers of people and rounded to {number} "
            "decimals, so rates to {step}; a half is rounded to the even digit. The numbers are exact: for each cell of "
            "cells.csv, only one whole number of people fits its printed probability.",
            step=full_percent(Decimal(1).scaleb(-decimals)),
        ),
    )


def _not_by_itself(report: Report, tables: Sequence[FormTable]) -> tuple[str, ...]:
    """Where people are protected, what the rules ask for is not all here."""
    guarded = any(not row.people.is_exact for each in tables for row in each.categories)
    if not guarded and (is_unchanged(report.policy.fidelity) or is_only_rounded(report)):
        return ()
    return (
        say(
            "The rules ask for the number of applicants and the rate of every category, including those under 2% (§ "
            "5-303). This edition protects people: it has ranges in place of some of these figures. So it does not by "
            "itself satisfy §\u00a05-303."
        ),
    )


def _conflict(report: Report, tables: Sequence[FormTable]) -> tuple[str, ...]:
    """Where the rules ask for exact numbers of few people, what was decided."""
    account = report.policy.small_cells
    under = count(account.under)
    rows = [row for each in tables for row in each.categories]
    guarded = [row for row in rows if not row.people.is_exact]
    small = guarded or [row for row in rows if 0 < row.people.fewest < account.under]
    if not small:
        return ()
    if not guarded:
        sentences = (
            say_many(
                len(small),
                "Two duties conflict here: the rules ask for the number of applicants of every category, and {number} row "
                "has fewer than {under} people, who could be recognised.",
                "Two duties conflict here: the rules ask for the number of applicants of every category, and {number} rows "
                "have fewer than {under} people, who could be recognised.",
                under=under,
            ),
            say("The publisher has chosen to print the numbers as the rules ask."),
        )
    else:
        sentences = (
            say(
                "Two duties conflict here: the rules ask for the number of applicants of every category, and numbers of "
                "fewer than {under} people can reveal something about those people.",
                under=under,
            ),
            _protected(len(small), is_rounded=account.policy == "round"),
        )
    return (" ".join((*sentences, *_tells_everybody(small))),)


def _protected(rows: int, *, is_rounded: bool) -> str:
    if is_rounded:
        return say_many(
            rows,
            "The publisher has chosen to protect them: in {number} row the number is rounded. The range in which it lies "
            "stands beside it.",
            "The publisher has chosen to protect them: in {number} rows the number is rounded. The range in which it lies "
            "stands beside it.",
        )
    return say_many(
        rows,
        "The publisher has chosen to protect them: in {number} row the number is suppressed. The range in which it lies "
        "stands in its place.",
        "The publisher has chosen to protect them: in {number} rows the number is suppressed. The range in which it lies "
        "stands in its place.",
    )


def _tells_everybody(rows: Sequence[Category]) -> tuple[str, ...]:
    """Where an announced rate may tell the outcome of everybody in a small row."""
    certain = sum(row.rate is not None and row.rate.value in (Decimal(0), Decimal(1)) for row in rows)
    if not certain:
        return ()
    if len(rows) == 1:
        return (
            say(
                "In this row the announced rate is exactly 0% or 100%. That may tell the outcome of everybody in it."
            ),
        )
    return (
        say_many(
            certain,
            "In {number} of these rows the announced rate is exactly 0% or 100%. That may tell the outcome of everybody in "
            "it.",
            "In {number} of these rows the announced rate is exactly 0% or 100%. That may tell the outcome of everybody in "
            "them.",
        ),
    )
