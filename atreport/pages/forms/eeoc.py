"""Turn a report into selection rates and adverse impact: Uniform Guidelines, 29 CFR § 1607.4.

The four-fifths rule is a screening rule. A difference is called significant, or not, only where that holds for the exact
rates too, wherever in their ranges they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from atreport.kit.numbers import counted, full_percent, full_percent_interval
from atreport.kit.tables import Cell, Column, make_table
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
from atreport.report.form import FormTable, Significance
from atreport.report.model import Report
from atreport.spec.models.forms import EEOCForm

LEVEL = Decimal("0.05")
"""A difference that would be this rare by chance alone, or rarer, is significant."""


def context(report: Report) -> FormContext:
    """The statement as text."""
    assert report.form is not None
    form, tables = report.form.fields, report.form.tables or ()
    assert isinstance(form, EEOCForm)
    fields = (
        ("User", report.report.publisher),
        ("Job or group of jobs", form.job),
        ("Selection procedure", form.procedure),
        ("Period covered", form.period),
        ("Source of the numbers", form.data_source),
        ("Components of the selection process", form.components),
    )
    return FormContext(
        cover=make_cover(report),
        subtitle="Selection rates and adverse impact (29 CFR § 1607.4)",
        notice=announced_notice(
            report.policy.fidelity, "The Uniform Guidelines look at the rates of every group."
        ),
        sections=(
            FormSection(
                id="procedure",
                title="1. The selection procedure",
                text=paragraphs(report.process.description),
                fields=tuple(form_field(label, value) for label, value in fields),
            ),
            FormSection(
                id="results",
                title="2. Selection rates, four-fifths screening and significance",
                text=(
                    "A selection rate below four fifths of the highest group’s rate will generally be regarded as evidence "
                    "of adverse impact, and smaller differences may be where they are significant (§ 1607.4 D). Both are "
                    "screens that tell where to look closer, and no legal findings. A verdict is given only where it "
                    "holds for the exact figures, whatever they are within their ranges.",
                    *_small(report, tables),
                ),
                tables=tuple(t for each in tables for t in _tables(report, each)),
            ),
            notes_section(report.notes),
            checking_section(("cells.csv", "measures.csv", "SHA256SUMS")),
        ),
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
        "publisher has chosen to print the numbers. Differences based on small numbers may not be adverse "
        "impact (§ 1607.4 D).",
    )


def _tables(report: Report, each: FormTable) -> tuple[RemarkedTable, ...]:
    title = report.process.attribute(each.table).title
    rates = make_table(
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
                row.category,
                people_text(row.people),
                people_text(row.selected) if row.people.published is not None else "suppressed",
                full_percent(row.rate.value) if row.rate else "nobody",
                full_percent_interval(row.rate.low, row.rate.high) if row.rate else "–",
            ]
            for row in each.categories
        ],
    )
    impact = make_table(
        f"eeoc-{each.table}-impact",
        f"{title}: four-fifths screening and significance",
        [
            Column(title, names_row=True),
            Column("Share of the highest rate", numeric=True),
            Column("Exact share lies in", numeric=True),
            Column("At least four fifths"),
            Column("Difference at the 5% level"),
            *([Column("Whoever the unknown are", numeric=True)] if _has_unknown(each) else []),
        ],
        [
            [
                row.category,
                full_percent(row.impact_ratio.value) if row.impact_ratio else "–",
                full_percent_interval(row.impact_ratio.low, row.impact_ratio.high)
                if row.impact_ratio
                else "–",
                verdict_cell(row.four_fifths) if row.four_fifths else Cell("–"),
                _significance_text(row.significance)
                if row.significance
                else ("highest rate" if row.highest else "not tested"),
                *(
                    [full_percent_interval(*row.unknown) if row.unknown else "–"]
                    if _has_unknown(each)
                    else []
                ),
            ]
            for row in each.categories
        ],
    )
    return RemarkedTable(table=rates), RemarkedTable(table=impact, remarks=_remarks(each))


def _significance_text(test: Significance) -> str:
    """Whether a difference is significant, as far as that holds for the exact rates."""
    least, most = test.interval
    if most < LEVEL:
        return f"significant (p {test.p:f})"
    return f"not significant (p {test.p:f})" if least >= LEVEL else f"cannot be told (p {test.p:f})"


def _has_unknown(each: FormTable) -> bool:
    return any(row.unknown for row in each.categories)


def _remarks(each: FormTable) -> tuple[str, ...]:
    remarks = []
    small = [row.category for row in each.categories if row.rate and row.under_two_percent]
    if small:
        remarks.append(
            f"{', '.join(small)} {'is' if len(small) == 1 else 'are'} under 2% of the applicants; the "
            "guidelines ask for no determination of adverse impact for so small a group (§ 1607.15 A (2) (a))."
        )
    if each.unknown_people.most:
        remarks.append(
            f"Not in these tables: {people_text(each.unknown_people)} applicants of whom it is unknown. The "
            "last column shows where the share "
            "of the announced rates could lie, whichever groups they belong to."
        )
    return tuple(remarks)
