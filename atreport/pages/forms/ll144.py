"""Turn a report into the summary of results of a bias audit: New York City Local Law 144, 6 RCNY §§ 5-300 to 5-304."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from atreport.kit.numbers import counted, full_percent, full_percent_interval
from atreport.kit.tables import Column, Table, make_table
from atreport.pages.cover import make_cover, paragraphs
from atreport.pages.forms.form_context import (
    FormContext,
    FormSection,
    RemarkedTable,
    announced_notice,
    checking_section,
    form_field,
    notes_section,
    people_text,
)
from atreport.report.form import Category, CertifiedShare, FormTable
from atreport.report.model import Report
from atreport.spec.models.forms import LL144Form

TITLES = {
    "sex": "Sex categories",
    "race": "Race/ethnicity categories",
    "intersections": "Intersectional categories",
}
"""The three tables of the summary, as readers meet them."""


def context(report: Report) -> FormContext:
    """The summary of results as text."""
    assert report.form is not None
    form, tables = report.form.fields, report.form.tables or ()
    assert isinstance(form, LL144Form)
    return FormContext(
        cover=make_cover(report),
        subtitle=f"Summary of the results of a bias audit of “{form.tool}”"
        if isinstance(form.tool, str)
        else "Summary of the results of a bias audit",
        notice=announced_notice(
            report.policy.fidelity, "The rules of New York City ask for the rates of every category."
        ),
        sections=(
            _audit(report, form),
            FormSection(
                id="results",
                title="2. Results",
                text=(_how_to_read(form), *_conflict(report, tables)),
                tables=tuple(
                    RemarkedTable(table=_table(report, form, each), remarks=_remarks(form, each))
                    for each in tables
                ),
            ),
            *_unknown_section(tables),
            notes_section(report.notes),
            checking_section(("cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _audit(report: Report, form: LL144Form) -> FormSection:
    kind = {"historical": "Historical data of the tool (§ 5-302 (a))", "test": "Test data (§ 5-302 (b))"}[
        form.data
    ]
    fields = [
        ("Automated employment decision tool", form.tool),
        ("Date of the most recent bias audit", form.audit_date),
        ("Distribution date of the tool", form.distribution_date),
        ("Independent auditor", form.auditor),
        ("Employer or employment agency", report.report.publisher),
        ("Kind of data", kind),
        ("Source and explanation of the data", form.data_source),
    ]
    if form.test_data is not None:
        fields.append(("Why test data, and how it was generated and obtained", form.test_data))
    return FormSection(
        id="audit",
        title="1. The audit",
        text=paragraphs(report.process.description),
        fields=tuple(form_field(label, value) for label, value in fields),
    )


def _how_to_read(form: LL144Form) -> str:
    rate = (
        "The selection rate is the share of a category’s applicants who were selected."
        if form.rate == "selection"
        else "The scoring rate is the share of a category’s applicants whose score is above the median score of the sample."
    )
    return (
        f"{rate} The impact ratio is a category’s rate divided by the highest rate of the categories in the same table "
        "that take part in the comparison. It is calculated separately for sex, for race/ethnicity, and for their "
        "intersections. It helps to assess the tool; it is no legal finding."
    )


def _conflict(report: Report, tables: Sequence[FormTable]) -> tuple[str, ...]:
    """Where the rules ask for exact numbers of few people, what was decided."""
    account = report.policy.small_cells
    rows = [row for each in tables for row in each.categories]
    guarded = [row for row in rows if not row.people.is_exact]
    small = guarded or [row for row in rows if 0 < row.people.fewest < account.under]
    if not small:
        return ()
    certain = sum(_is_certain(row.rate) for row in small)
    told = (
        f" In {counted(certain, 'of these rows', 'of these rows')} the announced rate is exactly 0% or 100%, which may tell "
        "the outcome of everybody in it."
        if certain
        else ""
    )
    conflict = "Two duties conflict here: the rules ask for the number of applicants of every category, and"
    if not guarded:
        return (
            f"{conflict} {counted(len(small), 'row has', 'rows have')} fewer than {account.under} people, who could be "
            f"recognised.{told} The publisher has chosen to print the numbers as the rules ask.",
        )
    how = "rounded" if account.policy == "round" else "suppressed"
    return (
        f"{conflict} numbers of fewer than {account.under} people can give those people away. The publisher has chosen to "
        f"protect them: in {counted(len(small), 'row')} the number is {how}, with the range that is left open beside "
        f"it.{told}",
    )


def _is_certain(rate: CertifiedShare | None) -> bool:
    """Whether an announced rate tells the outcome of everybody in the category."""
    return rate is not None and rate.value in (Decimal(0), Decimal(1))


def _table(report: Report, form: LL144Form, each: FormTable) -> Table:
    titles = [report.process.attribute(name).title for name in each.attributes]
    selection = form.rate == "selection"
    return make_table(
        f"ll144-{each.table}",
        TITLES[each.table],
        [
            Column(" · ".join(titles), names_row=True),
            Column("Applicants", numeric=True),
            *([Column("Selected, as announced", numeric=True)] if selection else []),
            Column("Selection rate" if selection else "Scoring rate", numeric=True),
            Column("Exact rate lies in", numeric=True),
            Column("Impact ratio", numeric=True),
            Column("Exact ratio lies in", numeric=True),
        ],
        [
            [
                row.category,
                people_text(row.people),
                *(
                    [people_text(row.selected) if row.people.published is not None else "suppressed"]
                    if selection
                    else []
                ),
                *(
                    (full_percent(row.rate.value), full_percent_interval(row.rate.low, row.rate.high))
                    if row.rate
                    else ("nobody", "–")
                ),
                *_ratio_cells(row),
            ]
            for row in each.categories
        ],
    )


def _ratio_cells(row: Category) -> tuple[str, str]:
    if row.impact_ratio is None:
        return ("left out (under 2%)" if row.rate and row.under_two_percent else "none"), "–"
    best = " (highest)" if row.highest else ""
    return f"{row.impact_ratio.value:f}{best}", f"{row.impact_ratio.low:f} to {row.impact_ratio.high:f}"


def _remarks(form: LL144Form, each: FormTable) -> tuple[str, ...]:
    remarks = []
    left_out = [
        row.category
        for row in each.categories
        if row.impact_ratio is None and row.rate and row.under_two_percent
    ]
    if left_out and form.under_two_percent is not None:
        remarks.append(
            f"{', '.join(left_out)} {'is' if len(left_out) == 1 else 'are'} under 2% of the data and left out "
            "of the impact ratio, also as the highest rate; number and rate are printed all the same. "
            f"Justification: {form.under_two_percent.because}"
        )
    who = {"sex": "sex", "race": "race/ethnicity", "intersections": "sex or race/ethnicity"}[each.table]
    unknown = people_text(each.unknown_people)
    remarks.append(
        f"{unknown} {'person is' if unknown == '1' else 'people are'} not in this table "
        f"because their {who} is unknown."
    )
    return tuple(remarks)


def _unknown_section(tables: Sequence[FormTable]) -> tuple[FormSection, ...]:
    rows = [(each, row) for each in tables for row in each.categories if row.unknown is not None]
    if not rows:
        return ()
    return (
        FormSection(
            id="unknown",
            title="3. What the unknown could change",
            text=(
                "Each person of unknown category belongs to one of the categories. The table shows the lowest and the "
                "highest impact ratio, of the announced figures, that any distribution of them would give.",
            ),
            tables=(
                RemarkedTable(
                    remarks=_bounds_only(row for _, row in rows),
                    table=make_table(
                        "ll144-unknown",
                        "Impact ratio over all ways in which the unknown might be distributed",
                        [
                            Column("Table", names_row=True),
                            Column("Category", names_row=True),
                            Column("As announced", numeric=True),
                            Column("At worst", numeric=True),
                            Column("At best", numeric=True),
                        ],
                        [
                            [
                                TITLES[each.table],
                                row.category,
                                f"{row.impact_ratio.value:f}" if row.impact_ratio else "–",
                                f"{row.unknown[0]:f}",
                                f"{row.unknown[1]:f}",
                            ]
                            for each, row in rows
                            if row.unknown is not None
                        ],
                    ),
                ),
            ),
        ),
    )


def _bounds_only(rows: Iterable[Category]) -> tuple[str, ...]:
    if all(row.unknown is None or row.unknown_attained for row in rows):
        return ()
    return (
        "Where the distributions are too many to go through, these are bounds: no distribution gives a ratio outside, but "
        "the ends may not be reached.",
    )
