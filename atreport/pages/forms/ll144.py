"""Turn a report into the summary of results of a bias audit: New York City Local Law 144, 6 RCNY §§ 5-300 to 5-304."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from atreport.compose.notes import is_only_rounded, is_unchanged, left_out_in_short
from atreport.forms.ll144 import LL144Form
from atreport.pages.forms.form_context import (
    FormContext,
    RemarkedTable,
    ShownSection,
    announced_notice,
    checking_section,
    filled_in,
    form_field,
    form_tables,
    notes_section,
    numbered,
    people_text,
)
from atreport.pages.layout import make_cover, paragraphs
from atreport.report.form import Category, FormTable
from atreport.report.model import Report
from atreport.text.language import count, gettext, message, ngettext
from atreport.text.numbers import digits, full_percent, full_percent_interval, interval
from atreport.text.tables import Column, Table, make_table

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
    form: LL144Form = filled_in(report)
    tables = form_tables(report)
    return FormContext(
        cover=make_cover(report),
        subtitle=gettext("Summary of the results of a bias audit of “{tool}”", tool=form.tool)
        if isinstance(form.tool, str)
        else gettext("Summary of the results of a bias audit"),
        notice=announced_notice(
            report, gettext("The rules of New York City ask for the rates of every category.")
        ),
        sections=(
            *numbered((_audit(report, form), _results(report, form, tables), *unknown_section(tables))),
            notes_section(report.notes),
            checking_section(report, ("cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _audit(report: Report, form: LL144Form) -> ShownSection:
    fields = [
        (gettext("Automated employment decision tool"), form.tool),
        (gettext("Date of the most recent bias audit"), form.audit_date),
        (gettext("Distribution date of the tool"), form.distribution_date),
        (gettext("Independent auditor"), form.auditor),
        (gettext("Employer or employment agency"), report.report.publisher),
        (gettext("Kind of data"), gettext(DATA[form.data])),
        (gettext("Source and explanation of the data"), form.data_source),
    ]
    if form.test_data is not None:
        fields.append(
            (gettext("Why test data was used, and how it was generated and obtained"), form.test_data)
        )
    return ShownSection(
        id="audit",
        title=gettext("The audit"),
        text=(*paragraphs(report.process.description), *_too_old(report, form)),
        fields=tuple(form_field(label, value) for label, value in fields),
    )


def _too_old(report: Report, form: LL144Form) -> tuple[str, ...]:
    """Where the audit is older than the rules allow on the day of this document."""
    if not form.is_older_than_a_year(report.report.date):
        return ()
    return (
        gettext(
            "The most recent audit was made more than a year before the date of this document. A tool may not be used when "
            "more than a year has passed since its last audit (§ 5-301 (a))."
        ),
    )


def _results(report: Report, form: LL144Form, tables: Sequence[FormTable]) -> ShownSection:
    return ShownSection(
        id="results",
        title=gettext("Results"),
        text=(
            f"{gettext(RATES[form.rate])} {gettext(IMPACT_RATIO)}",
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
        ngettext(
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
        gettext(
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
            ngettext(
                len(small),
                "Two duties conflict here: the rules ask for the number of applicants of every category, and {number} row "
                "has fewer than {under} people, who could be recognised.",
                "Two duties conflict here: the rules ask for the number of applicants of every category, and {number} rows "
                "have fewer than {under} people, who could be recognised.",
                under=under,
            ),
            gettext("The publisher has chosen to print the numbers as the rules ask."),
        )
    else:
        sentences = (
            gettext(
                "Two duties conflict here: the rules ask for the number of applicants of every category, and numbers of "
                "fewer than {under} people can reveal something about those people.",
                under=under,
            ),
            _protected(len(small), is_rounded=account.policy == "round"),
        )
    return (" ".join((*sentences, *_tells_everybody(small))),)


def _protected(rows: int, *, is_rounded: bool) -> str:
    if is_rounded:
        return ngettext(
            rows,
            "The publisher has chosen to protect them: in {number} row the number is rounded. The range in which it lies "
            "stands beside it.",
            "The publisher has chosen to protect them: in {number} rows the number is rounded. The range in which it lies "
            "stands beside it.",
        )
    return ngettext(
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
            gettext(
                "In this row the announced rate is exactly 0% or 100%. That may tell the outcome of everybody in it."
            ),
        )
    return (
        ngettext(
            certain,
            "In {number} of these rows the announced rate is exactly 0% or 100%. That may tell the outcome of everybody in "
            "it.",
            "In {number} of these rows the announced rate is exactly 0% or 100%. That may tell the outcome of everybody in "
            "them.",
        ),
    )


# The tables of a bias audit summary: rates and impact ratios, who is left out, and what the unknown could
# change.

TITLES = {
    "sex": message("Sex categories"),
    "race": message("Race/ethnicity categories"),
    "intersections": message("Intersectional categories"),
}
"""The three tables of the summary, as readers meet them; to be said."""

SELECTED = {
    "selection": (message("Selected"), message("Selected, as announced")),
    "scoring": (message("Above the median"), message("Above the median, as announced")),
    "classification": (message("In this class"), message("In this class, as announced")),
}
"""The heading of the number that a rate counts, where it is exact and where it is announced."""

UNKNOWN = {
    "sex": message("People who are not in this table because their sex is unknown: {people}."),
    "race": message("People who are not in this table because their race/ethnicity is unknown: {people}."),
    "intersections": message(
        "People who are not in this table because their sex or their race/ethnicity is unknown: {people}."
    ),
}


def result_table(report: Report, form: LL144Form, each: FormTable, place: int) -> Table:
    """Numbers, rates and impact ratios of the categories."""
    titles = [report.process.attribute(name).title for name in each.attributes]
    exact = _is_exact(report, each)
    counted_as, counted_as_announced = SELECTED[form.rate]
    return make_table(
        f"ll144-{each.table}" if each.outcome is None else f"ll144-{each.table}-{place}",
        _title(each),
        [
            Column(" · ".join(titles), names_row=True),
            Column(gettext("Applicants"), numeric=True),
            Column(gettext(counted_as if exact else counted_as_announced), numeric=True),
            Column(
                gettext("Scoring rate") if form.rate == "scoring" else gettext("Selection rate"), numeric=True
            ),
            *([] if exact else [Column(gettext("Exact rate lies in"), numeric=True)]),
            Column(gettext("Impact ratio"), numeric=True),
            *([] if exact else [Column(gettext("Exact ratio lies in"), numeric=True)]),
        ],
        [list(_cells(form, each, row, exact=exact)) for row in each.categories],
    )


def _is_exact(report: Report, each: FormTable) -> bool:
    """Whether every number and rate of a table is what it is in the data, to the decimals that are printed."""
    return bool(
        each.recorded
        or (is_unchanged(report.policy.fidelity) and all(row.people.is_exact for row in each.categories))
    )


def _cells(form: LL144Form, each: FormTable, row: Category, *, exact: bool) -> Iterator[str]:
    """A row: number, selected, rate and ratio; and where those are not exact, the ranges that hold the exact ones."""
    yield row.category
    yield people_text(row.people)
    yield people_text(row.selected) if row.people.published is not None else gettext("suppressed")
    yield full_percent(row.rate.value) if row.rate else gettext("nobody")
    if not exact:
        yield full_percent_interval(row.rate.low, row.rate.high) if row.rate else "–"
    ratio = row.impact_ratio
    if ratio is None:
        yield _no_ratio(form, each, row)
    elif row.highest:
        yield gettext("{ratio} (highest)", ratio=digits(ratio.value))
    else:
        yield digits(ratio.value)
    if not exact:
        yield "–" if ratio is None else interval(ratio.low, ratio.high)


def _title(each: FormTable) -> str:
    """The title of a table; of a classification with the class that it is about."""
    title = gettext(TITLES[each.table])
    return (
        title if each.outcome is None else gettext("Class “{name}”: {table}", name=each.outcome, table=title)
    )


def _no_ratio(form: LL144Form, each: FormTable, row: Category) -> str:
    """Why a category has no impact ratio."""
    if _is_left_out(form, each, row):
        return gettext("left out (under 2%)")
    return gettext("none (no rate above 0)") if row.rate and not row.rate.value else gettext("none")


def _is_left_out(form: LL144Form, each: FormTable, row: Category) -> bool:
    """Whether the auditor left a category out of the ratio: only one that certainly is under 2%."""
    return (
        row.rate is not None
        and row.under_two_percent
        and form.why_left_out(each.attributes, row.category) is not None
    )


def remarks(form: LL144Form, each: FormTable) -> tuple[str, ...]:
    """Who is left out of the ratios, and how many are in none of the categories."""
    return (
        *_left_out_remarks(form, each),
        gettext(UNKNOWN[each.table], people=people_text(each.unknown_people)),
    )


def _left_out_remarks(form: LL144Form, each: FormTable) -> Iterator[str]:
    """Who is left out of the ratio and for which of the auditor's reasons; and who was named but is not so small."""
    by_reason: dict[str, list[str]] = {}
    for row in each.categories:
        if _is_left_out(form, each, row):
            reason = form.why_left_out(each.attributes, row.category) or ""
            by_reason.setdefault(reason, []).append(row.category)
    for reason, names in by_reason.items():
        yield ngettext(
            len(names),
            "{categories}: this category is under 2% of the data and is left out of the impact ratio. Its rate does not "
            "count as the highest rate either. Its number and its rate are printed all the same. Justification: {reason}",
            "{categories}: these categories are each under 2% of the data and are left out of the impact ratio. Their "
            "rates do not count as the highest rate either. Their numbers and rates are printed all the same. "
            "Justification: {reason}",
            categories=", ".join(names),
            reason=reason,
        )
    if isinstance(form.under_two_percent, tuple):
        kept = [
            row.category
            for row in each.categories
            if form.why_left_out(each.attributes, row.category) and row.rate and not row.under_two_percent
        ]
        if kept:
            yield ngettext(
                len(kept),
                "{categories}: the auditor named this category to be left out, but as far as the published numbers show it "
                "is not under 2% of the data. So it is compared like all others.",
                "{categories}: the auditor named these categories to be left out, but as far as the published numbers show "
                "they are not under 2% of the data. So they are compared like all others.",
                categories=", ".join(kept),
            )


def unknown_section(tables: Sequence[FormTable]) -> tuple[ShownSection, ...]:
    """What the ratios could be, whoever the unknown are; nothing where nobody is unknown."""
    rows = [(each, row, row.unknown) for each in tables for row in each.categories if row.unknown is not None]
    if not rows:
        return ()
    return (
        ShownSection(
            id="unknown",
            title=gettext("What the unknown could change"),
            text=(
                gettext(
                    "Each person of unknown category belongs to one of the categories. The table shows the lowest and the "
                    "highest impact ratio of the announced figures, over all ways to put these people into categories."
                ),
            ),
            tables=(
                RemarkedTable(
                    remarks=_bounds_only(row for _, row, _ in rows),
                    stacks=True,
                    table=make_table(
                        "ll144-unknown",
                        gettext("Impact ratio over all ways to put the unknown into categories"),
                        [
                            Column(gettext("Table"), names_row=True),
                            Column(gettext("Category"), names_row=True),
                            Column(gettext("As announced"), numeric=True),
                            Column(gettext("Lowest"), numeric=True),
                            Column(gettext("Highest"), numeric=True),
                        ],
                        [
                            [
                                _title(each),
                                row.category,
                                digits(row.impact_ratio.value) if row.impact_ratio else "–",
                                digits(lowest),
                                digits(highest),
                            ]
                            for each, row, (lowest, highest) in rows
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
        gettext(
            "Where there are too many ways to go through all of them, these are bounds: no way gives a ratio outside of "
            "them, but the ratio may not reach them."
        ),
    )
