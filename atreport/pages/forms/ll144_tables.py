"""The tables of a bias audit summary: rates and impact ratios, who is left out, and what the unknown could change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from atreport.kit.language import message, say, say_many
from atreport.kit.numbers import digits, full_percent, full_percent_interval, interval
from atreport.kit.tables import Column, Table, make_table
from atreport.pages.forms.form_context import FormSection, RemarkedTable, people_text
from atreport.publication.notes import is_unchanged
from atreport.report.form import Category, FormTable
from atreport.report.model import Report
from atreport.spec.models.forms import LL144Form

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
            Column(say("Applicants"), numeric=True),
            Column(say(counted_as if exact else counted_as_announced), numeric=True),
            Column(say("Scoring rate") if form.rate == "scoring" else say("Selection rate"), numeric=True),
            *([] if exact else [Column(say("Exact rate lies in"), numeric=True)]),
            Column(say("Impact ratio"), numeric=True),
            *([] if exact else [Column(say("Exact ratio lies in"), numeric=True)]),
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
    yield people_text(row.selected) if row.people.published is not None else say("suppressed")
    yield full_percent(row.rate.value) if row.rate else say("nobody")
    if not exact:
        yield full_percent_interval(row.rate.low, row.rate.high) if row.rate else "–"
    ratio = row.impact_ratio
    if ratio is None:
        yield _no_ratio(form, each, row)
    elif row.highest:
        yield say("{ratio} (highest)", ratio=digits(ratio.value))
    else:
        yield digits(ratio.value)
    if not exact:
        yield "–" if ratio is None else interval(ratio.low, ratio.high)


def _title(each: FormTable) -> str:
    """The title of a table; of a classification with the class that it is about."""
    title = say(TITLES[each.table])
    return title if each.outcome is None else say("Class “{name}”: {table}", name=each.outcome, table=title)


def _no_ratio(form: LL144Form, each: FormTable, row: Category) -> str:
    """Why a category has no impact ratio."""
    if _is_left_out(form, each, row):
        return say("left out (under 2%)")
    return say("none (no rate above 0)") if row.rate and not row.rate.value else say("none")


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
        say(UNKNOWN[each.table], people=people_text(each.unknown_people)),
    )


def _left_out_remarks(form: LL144Form, each: FormTable) -> Iterator[str]:
    """Who is left out of the ratio and for which of the auditor's reasons; and who was named but is not so small."""
    by_reason: dict[str, list[str]] = {}
    for row in each.categories:
        if _is_left_out(form, each, row):
            reason = form.why_left_out(each.attributes, row.category) or ""
            by_reason.setdefault(reason, []).append(row.category)
    for reason, names in by_reason.items():
        yield say_many(
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
            yield say_many(
                len(kept),
                "{categories}: the auditor named this category to be left out, but as far as the published numbers show it "
                "is not under 2% of the data. So it is compared like all others.",
                "{categories}: the auditor named these categories to be left out, but as far as the published numbers show "
                "they are not under 2% of the data. So they are compared like all others.",
                categories=", ".join(kept),
            )


def unknown_section(tables: Sequence[FormTable]) -> tuple[FormSection, ...]:
    """What the ratios could be, whoever the unknown are; nothing where nobody is unknown."""
    rows = [(each, row, row.unknown) for each in tables for row in each.categories if row.unknown is not None]
    if not rows:
        return ()
    return (
        FormSection(
            id="unknown",
            title=say("What the unknown could change"),
            text=(
                say(
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
                        say("Impact ratio over all ways to put the unknown into categories"),
                        [
                            Column(say("Table"), names_row=True),
                            Column(say("Category"), names_row=True),
                            Column(say("As announced"), numeric=True),
                            Column(say("Lowest"), numeric=True),
                            Column(say("Highest"), numeric=True),
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
        say(
            "Where there are too many ways to go through all of them, these are bounds: no way gives a ratio outside of "
            "them, but the ratio may not reach them."
        ),
    )
