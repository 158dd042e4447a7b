"""Turn a report into the summary of results of a bias audit: New York City Local Law 144, 6 RCNY §§ 5-300 to 5-304."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from atreport.publication.notes import is_unchanged
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
                text=(_how_to_read(form), *_conflict(report, tables), *_not_by_itself(report, tables)),
                tables=tuple(
                    RemarkedTable(table=_table(report, form, each, place), remarks=_remarks(form, each))
                    for place, each in enumerate(tables)
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
        text=(*paragraphs(report.process.description), *_too_old(report, form)),
        fields=tuple(form_field(label, value) for label, value in fields),
    )


def _too_old(report: Report, form: LL144Form) -> tuple[str, ...]:
    """Where the audit is older than the rules allow on the day of this document."""
    if not form.is_older_than_a_year(report.report.date):
        return ()
    return (
        "The most recent audit was made more than a year before the date of this document. A tool may not be used when more "
        "than a year has passed since its last audit (§ 5-301 (a)).",
    )


def _how_to_read(form: LL144Form) -> str:
    rate = {
        "selection": "The selection rate is the share of a category’s applicants who were selected.",
        "scoring": "The scoring rate is the share of a category’s applicants whose score is above the median score of the "
        "sample.",
        "classification": "The tool puts people into classes. For every class, the selection rate is the share of a "
        "category’s applicants who were put into it (§ 5-301 (b) (4)).",
    }[form.rate]
    return (
        f"{rate} The impact ratio is a category’s rate divided by the highest rate of the categories in the same table "
        "that take part in the comparison; where no rate is above 0 there is none. It is calculated separately for sex, for "
        "race/ethnicity, and for their intersections. It helps to assess the tool; it is no legal finding."
    )


def _not_by_itself(report: Report, tables: Sequence[FormTable]) -> tuple[str, ...]:
    """Where people are protected, what the rules ask for is not all here."""
    guarded = any(not row.people.is_exact for each in tables for row in each.categories)
    if not guarded and is_unchanged(report.policy.fidelity):
        return ()
    return (
        "The rules ask for the number of applicants and the rate of every category, those under 2% included (§ 5-303). "
        "This edition protects people and has ranges in place of some of these figures, so it does not by itself satisfy "
        "§\u00a05-303.",
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


def _table(report: Report, form: LL144Form, each: FormTable, place: int) -> Table:
    titles = [report.process.attribute(name).title for name in each.attributes]
    exact = _is_exact(report, each)
    counted_as = {"selection": "Selected", "scoring": "Above the median", "classification": "In this class"}[
        form.rate
    ] + ("" if exact else ", as announced")
    lies_in = () if exact else ("Exact rate lies in", "Exact ratio lies in")
    return make_table(
        f"ll144-{each.table}" if each.outcome is None else f"ll144-{each.table}-{place}",
        _title(each),
        [
            Column(" · ".join(titles), names_row=True),
            Column("Applicants", numeric=True),
            Column(counted_as, numeric=True),
            Column("Scoring rate" if form.rate == "scoring" else "Selection rate", numeric=True),
            *(Column(name, numeric=True) for name in lies_in[:1]),
            Column("Impact ratio", numeric=True),
            *(Column(name, numeric=True) for name in lies_in[1:]),
        ],
        [list(_cells(form, each, row, exact=exact)) for row in each.categories],
    )


def _is_exact(report: Report, each: FormTable) -> bool:
    """Whether every number and rate of a table is what it is in the data, to the decimals that are printed."""
    return is_unchanged(report.policy.fidelity) and all(row.people.is_exact for row in each.categories)


def _cells(form: LL144Form, each: FormTable, row: Category, *, exact: bool) -> Iterator[str]:
    """A row: number, selected, rate and ratio; and where those are not exact, the ranges that hold the exact ones."""
    yield row.category
    yield people_text(row.people)
    yield people_text(row.selected) if row.people.published is not None else "suppressed"
    yield full_percent(row.rate.value) if row.rate else "nobody"
    if not exact:
        yield full_percent_interval(row.rate.low, row.rate.high) if row.rate else "–"
    ratio = row.impact_ratio
    yield (
        _no_ratio(form, each, row)
        if ratio is None
        else f"{ratio.value:f}{' (highest)' if row.highest else ''}"
    )
    if not exact:
        yield "–" if ratio is None else f"{ratio.low:f} to {ratio.high:f}"


def _title(each: FormTable) -> str:
    """The table as readers meet it, with the class whose rates it has."""
    return TITLES[each.table] if each.outcome is None else f"{each.outcome}: {TITLES[each.table]}"


def _no_ratio(form: LL144Form, each: FormTable, row: Category) -> str:
    """Why a category has no impact ratio."""
    if _is_left_out(form, each, row):
        return "left out (under 2%)"
    return "none (no rate above 0)" if row.rate and not row.rate.value else "none"


def _is_left_out(form: LL144Form, each: FormTable, row: Category) -> bool:
    """Whether the auditor left a category out of the ratio: only one that certainly is under 2%."""
    return (
        row.rate is not None
        and row.under_two_percent
        and form.why_left_out(each.attributes, row.category) is not None
    )


def _remarks(form: LL144Form, each: FormTable) -> tuple[str, ...]:
    who = {"sex": "sex", "race": "race/ethnicity", "intersections": "sex or race/ethnicity"}[each.table]
    unknown = people_text(each.unknown_people)
    return (
        *_left_out_remarks(form, each),
        f"{unknown} {'person is' if unknown == '1' else 'people are'} not in this table "
        f"because their {who} is unknown.",
    )


def _left_out_remarks(form: LL144Form, each: FormTable) -> Iterator[str]:
    """Who is left out of the ratio and for which of the auditor's reasons; and who was named but is not so small."""
    by_reason: dict[str, list[str]] = {}
    for row in each.categories:
        if _is_left_out(form, each, row):
            reason = form.why_left_out(each.attributes, row.category) or ""
            by_reason.setdefault(reason, []).append(row.category)
    for reason, names in by_reason.items():
        yield (
            f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} under 2% of the data and left out "
            "of the impact ratio, also as the highest rate; number and rate are printed all the same. "
            f"Justification: {reason}"
        )
    if isinstance(form.under_two_percent, tuple):
        kept = [
            row.category
            for row in each.categories
            if form.why_left_out(each.attributes, row.category) and row.rate and not row.under_two_percent
        ]
        if kept:
            yield (
                f"{', '.join(kept)}: named by the auditor to be left out, but not under 2% of the data as far as the "
                "published numbers show; so compared like all others."
            )


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
                                _title(each),
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
