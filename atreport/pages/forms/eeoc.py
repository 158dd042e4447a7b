"""Turn a report into selection rates and adverse impact: Uniform Guidelines, 29 CFR § 1607.4.

The four-fifths rule is a screening rule. A difference is called significant, or not, only where that holds for the exact
rates too, wherever in their ranges they lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from atreport.kit.numbers import counted, full_percent, full_percent_interval, percent
from atreport.kit.tables import Cell, Column, Table, make_table
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
from atreport.pages.wording import verdict_cell
from atreport.report.form import Category, FormTable, Significance, Total
from atreport.report.model import Report
from atreport.spec.models.forms import EEOCForm

LEVEL = Decimal("0.05")
"""A difference that would be this rare by chance alone, or rarer, is called significant: a convention."""

SMALL_SHARE = Decimal("0.02")
"""For groups with a smaller share of the labour force or workforce, § 1607.15 asks for no determination."""

FOUR_FIFTHS_RULE = (
    "A selection rate below four fifths of the highest group’s rate “will generally be regarded by the Federal enforcement "
    "agencies as evidence of adverse impact”. Smaller differences may be adverse impact too, “where they are significant in "
    "both statistical and practical terms”, or where the user’s actions have discouraged applicants disproportionately on "
    "grounds of race, sex or ethnic group. Greater differences may not be adverse impact where they are “based on small "
    "numbers and are not statistically significant”, or where special recruiting or other programs make the pool of "
    "candidates atypical (29 CFR § 1607.4 D)."
)
"""What § 1607.4 D says; the words in quotation marks are its own."""

SCREENS = (
    "What follows are screens that tell where to look closer, and no legal findings; they say nothing about practical "
    "significance or about what discouraged applicants. A verdict is given only where it holds for the exact figures, "
    "whatever they are within their ranges. Differences are tested for each group against the group with the highest "
    "announced rate, named in each row (Fisher’s exact test, two-sided). The level of 5% is a convention; § 1607.4 names "
    "none."
)
"""How the tables are to be read."""

RESCISSION = (
    "Before you rely on this form: the agenda of the Equal Employment Opportunity Commission lists the rescission of these "
    "guidelines (RIN 3046-AB43, and RIN 3046-AB45 on records). Check whether 29 CFR part 1607 is still in force."
)
"""What the Unified Agenda of autumn 2025 says; a reader must look up what became of it."""


def context(report: Report) -> FormContext:
    """The statement as text."""
    assert report.form is not None
    form, tables = report.form.fields, report.form.tables or ()
    assert isinstance(form, EEOCForm)
    return FormContext(
        cover=make_cover(report),
        subtitle="Selection rates and adverse impact (29 CFR § 1607.4)",
        notice=(
            *announced_notice(
                report.policy.fidelity, "The Uniform Guidelines look at the rates of every group."
            ),
            RESCISSION,
        ),
        sections=(
            FormSection(
                id="procedure",
                title="1. The selection procedure",
                text=paragraphs(report.process.description),
                fields=tuple(form_field(label, value) for label, value in _fields(report, form)),
            ),
            FormSection(
                id="results",
                title="2. Selection rates, four-fifths screening and significance",
                text=(FOUR_FIFTHS_RULE, SCREENS, *_small(report, tables)),
                tables=tuple(t for each in tables for t in _tables(report, form, each)),
            ),
            notes_section(report.notes),
            checking_section(("cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _fields(report: Report, form: EEOCForm) -> Iterator[tuple[str, object]]:
    yield "User", report.report.publisher
    yield "Job or group of jobs", form.job
    yield "Selection procedure", form.procedure
    yield "Period covered", form.period
    yield "Source of the numbers", form.data_source
    yield "Components of the selection process", form.components
    if form.screening is not None:
        yield (
            "Another screen beside four fifths, and why",
            f"{percent(form.screening.at_least)} of the highest rate. {form.screening.because}",
        )


def _small(report: Report, tables: Sequence[FormTable]) -> tuple[str, ...]:
    account = report.policy.small_cells
    rows = [row for each in tables for row in each.categories]
    open_ = sum(not row.people.is_exact for row in rows)
    if open_:
        return (
            f"Two duties conflict here: the guidelines ask for numbers of every group, and numbers of fewer than "
            f"{account.under} people can give those people away. In {counted(open_, 'row')} the number is not printed "
            "exactly, and no test of significance is made with it.",
        )
    small = sum(0 < row.people.fewest < account.under for row in rows)
    if not small:
        return ()
    return (
        f"Two duties conflict here: the guidelines ask for numbers of every group, and "
        f"{counted(small, 'row has', 'rows have')} fewer than {account.under} people, who could be recognised. The "
        "publisher has chosen to print the numbers.",
    )


def _tables(report: Report, form: EEOCForm, each: FormTable) -> tuple[RemarkedTable, ...]:
    title = report.process.attribute(each.table).title
    return (
        RemarkedTable(table=_rates(title, each)),
        RemarkedTable(table=_impact(title, form, each), remarks=_remarks(form, each)),
    )


def _rates(title: str, each: FormTable) -> Table:
    """Applicants, selected and rates by group, and of everybody (§ 1607.4 B)."""
    rows: list[tuple[str, Category | Total]] = [(row.category, row) for row in each.categories]
    if each.total is not None:
        known = "" if each.unknown_people.most == 0 else ", the unknown included"
        rows.append((f"All applicants{known}", each.total))
    return make_table(
        f"eeoc-{each.table}",
        f"{title}: selection rates",
        [
            Column(title, names_row=True),
            Column("Applicants", numeric=True),
            Column("Selected, as announced", numeric=True),
            Column("Selection rate", numeric=True),
            Column("Exact rate lies in", numeric=True),
        ],
        [
            [
                name,
                people_text(row.people),
                people_text(row.selected) if row.people.published is not None else "suppressed",
                full_percent(row.rate.value) if row.rate else "nobody",
                full_percent_interval(row.rate.low, row.rate.high) if row.rate else "–",
            ]
            for name, row in rows
        ],
    )


def _impact(title: str, form: EEOCForm, each: FormTable) -> Table:
    """Shares of the highest rate, screens and tests; columns for another screen and for the unknown where there are any."""
    has_unknown = any(row.unknown for row in each.categories)
    other = [] if form.screening is None else [f"At least {percent(form.screening.at_least)}"]

    def cells(row: Category) -> Iterator[Cell | str]:
        yield row.category
        if row.impact_ratio is None:
            yield from ("–" if row.rate is None else "no rate above 0", "–")
        else:
            yield full_percent(row.impact_ratio.value)
            yield full_percent_interval(row.impact_ratio.low, row.impact_ratio.high)
        yield verdict_cell(row.four_fifths) if row.four_fifths else Cell("–")
        if other:
            yield verdict_cell(row.screened) if row.screened else Cell("–")
        yield _difference_text(row)
        if has_unknown:
            yield full_percent_interval(*row.unknown) if row.unknown else "–"

    return make_table(
        f"eeoc-{each.table}-impact",
        f"{title}: four-fifths screening and significance",
        [
            Column(title, names_row=True),
            Column("Share of the highest rate", numeric=True),
            Column("Exact share lies in", numeric=True),
            Column("At least four fifths"),
            *map(Column, other),
            Column("Difference at the 5% level"),
            *([Column("Whoever the unknown are", numeric=True)] if has_unknown else []),
        ],
        [list(cells(row)) for row in each.categories],
    )


def _difference_text(row: Category) -> str:
    """The test of one group, with the group it is compared with; or why there is none."""
    if row.significance is None:
        return "highest rate" if row.highest else "not tested"
    than = "" if row.significance.against is None else f"against {row.significance.against}, "
    return f"{_significance_text(row.significance)} ({than}p {row.significance.p:f})"


def _significance_text(test: Significance) -> str:
    """Whether a difference is significant, as far as that holds for the exact rates."""
    least, most = test.interval
    if most < LEVEL:
        return "significant"
    return "not significant" if least >= LEVEL else "cannot be told"


def _remarks(form: EEOCForm, each: FormTable) -> tuple[str, ...]:
    remarks = []
    stated = {} if form.labour_force is None else form.labour_force.shares.get(each.table, {})
    small = [name for name, share in stated.items() if share < SMALL_SHARE]
    if small and form.labour_force is not None:
        remarks.append(
            f"As the user states, {', '.join(small)} {'is' if len(small) == 1 else 'are'} under 2% of the labour force "
            f"or workforce ({form.labour_force.source.rstrip('.')}). For a group that is under 2% both of the labour force "
            "in the relevant area and of the applicable workforce, the guidelines ask for no determination of adverse "
            "impact (§ 1607.15 A (2) (a))."
        )
    if each.unknown_people.most:
        remarks.append(
            f"Not in these groups: {people_text(each.unknown_people)} applicants of whom it is unknown. The "
            "last column shows where the share "
            "of the announced rates could lie, whichever groups they belong to."
        )
    return tuple(remarks)
