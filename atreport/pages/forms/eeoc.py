"""Turn a release into selection rates and adverse impact: Uniform Guidelines, 29 CFR § 1607.4.

The four-fifths rule is a screening rule. Significance is Fisher's exact test, two-sided, of a group against the one with the
highest rate, on the numbers of people and the announced rates; and its smallest and largest p over the ranges that the
exact rates lie in, so that "significant" and "not significant" hold for the exact figures too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

import numpy as np

from atreport.analysis.assessment import Verdict, at_least
from atreport.analysis.categories import Category, People, categories, entry
from atreport.announcement import Release
from atreport.kit.numbers import counted, full_percent, full_percent_interval
from atreport.kit.tables import Cell, Column, table
from atreport.pages.cover import make_cover, paragraphs
from atreport.pages.forms.form_context import (
    FormContext,
    FormSection,
    FormTable,
    announced_notice,
    checking_section,
    form_field,
    notes_section,
)
from atreport.pages.forms.ll144 import unknown_people
from atreport.pages.notes import Note
from atreport.pages.wording import verdict_cell
from atreport.population.form_groups import form_groups
from atreport.spec.models.forms import EEOCForm
from atreport.spec.models.spec import PublicSpec

FOUR_FIFTHS = Decimal("0.8")
LEVEL = Decimal("0.05")


@dataclass(frozen=True, kw_only=True)
class Significance:
    """Fisher's exact test of a group against the one with the highest rate."""

    p: Decimal  # as announced, rounded up
    least: Decimal  # over the ranges of the exact rates
    most: Decimal

    @property
    def text(self) -> str:
        """As it is printed."""
        if self.most < LEVEL:
            return f"significant (p {self.p:f})"
        return f"not significant (p {self.p:f})" if self.least >= LEVEL else f"cannot be told (p {self.p:f})"


@dataclass(frozen=True, kw_only=True)
class ImpactTable:
    """The groups of one attribute."""

    attribute: str
    title: str
    rows: tuple[Category, ...]
    verdicts: tuple[Verdict | None, ...]
    significance: tuple[Significance | None, ...]
    unknown: People


def impact_tables(release: Release, form: EEOCForm) -> tuple[ImpactTable, ...]:
    """A table for each attribute the form compares."""
    tables = []
    for name in form.groups:
        mine = [group for group in form_groups(form, release.cells) if group.attributes == (name,)]
        rows = categories(release, [group for group in mine if not group.unknown])
        tables.append(
            ImpactTable(
                attribute=name,
                title=release.cells.process.attribute(name).title,
                rows=rows,
                verdicts=tuple(at_least(row.ratio, FOUR_FIFTHS) if row.ratio else None for row in rows),
                significance=tuple(_significance(row, rows) for row in rows),
                unknown=unknown_people(release, [group for group in mine if group.unknown]),
            )
        )
    return tuple(tables)


def _significance(row: Category, rows: Sequence[Category]) -> Significance | None:
    """The test against the first group with the highest rate; None for that group, and where numbers are not exact."""
    best = next((each for each in rows if each.is_highest), None)
    if best is None or row is best or row.rate is None or best.rate is None:
        return None
    if not (row.people.is_exact and best.people.is_exact):
        return None
    low, high = (row.rate.low, row.rate.high), (best.rate.low, best.rate.high)

    def p_at(own: Decimal, other: Decimal) -> Decimal:
        return _fisher((row.people.fewest, own), (best.people.fewest, other))

    corners = [p_at(low[0], high[1]), p_at(low[1], high[0])]
    crossing = low[1] >= high[0]  # the exact rates may be equal, where nothing is significant
    return Significance(
        p=p_at(row.rate.value, best.rate.value),
        least=min(corners),
        most=Decimal(1) if crossing else max(corners),
    )


def _fisher(one: tuple[int, Decimal], other: tuple[int, Decimal]) -> Decimal:
    from scipy.stats import fisher_exact  # a second to import, and needed for this form only

    counts = [(round(Fraction(rate) * people), people) for people, rate in (one, other)]
    two_by_two = np.array([[selected, people - selected] for selected, people in counts])
    p = Decimal(repr(float(fisher_exact(two_by_two).pvalue)))
    return min(p.quantize(Decimal("0.0001"), ROUND_CEILING), Decimal(1))


def eeoc_context(release: Release, spec: PublicSpec, notes: Sequence[Note]) -> FormContext:
    """The statement as text."""
    form = spec.form
    assert isinstance(form, EEOCForm)
    tables = impact_tables(release, form)
    fields = (
        ("User", spec.report.publisher),
        ("Job or group of jobs", form.job),
        ("Selection procedure", form.procedure),
        ("Period covered", form.period),
        ("Source of the numbers", form.data_source),
        ("Components of the selection process", form.components),
    )
    return FormContext(
        cover=make_cover(spec),
        subtitle="Selection rates and adverse impact (29 CFR § 1607.4)",
        notice=announced_notice(release, "The Uniform Guidelines look at the rates of every group."),
        sections=(
            FormSection(
                id="procedure",
                title="1. The selection procedure",
                text=paragraphs(spec.process.description),
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
                    *_small(release, tables),
                ),
                tables=tuple(t for each in tables for t in _tables(each)),
            ),
            notes_section(notes),
            checking_section(("cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def eeoc_entry(release: Release, form: EEOCForm) -> list[dict[str, object]]:
    """The tables as report.json has them."""
    return [
        {
            "table": each.attribute,
            "attributes": [each.attribute],
            "categories": [
                {
                    **entry(row),
                    "four_fifths": verdict,
                    "significance": None
                    if test is None
                    else {"p": float(test.p), "interval": [float(test.least), float(test.most)]},
                }
                for row, verdict, test in zip(each.rows, each.verdicts, each.significance, strict=True)
            ],
            "unknown_people": {
                "published": each.unknown.published,
                "interval": [each.unknown.fewest, each.unknown.most],
            },
        }
        for each in impact_tables(release, form)
    ]


def _small(release: Release, tables: Sequence[ImpactTable]) -> tuple[str, ...]:
    account = release.small_cells
    rows = [row for each in tables for row in each.rows]
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
        "publisher has chosen to print the numbers. Differences based on small numbers may not be adverse impact (§ 1607.4 D).",
    )


def _tables(each: ImpactTable) -> tuple[FormTable, ...]:
    rates = table(
        f"eeoc-{each.attribute}",
        f"{each.title}: selection rates",
        [
            Column(each.title, names_row=True),
            Column("Applicants", numeric=True),
            Column("Selected, as announced", numeric=True),
            Column("Selection rate", numeric=True),
            Column("Exact rate lies in", numeric=True),
        ],
        [
            [
                row.name,
                row.people.text,
                row.selected.text if row.people.published is not None else "suppressed",
                full_percent(row.rate.value) if row.rate else "nobody",
                full_percent_interval(row.rate.low, row.rate.high) if row.rate else "–",
            ]
            for row in each.rows
        ],
    )
    impact = table(
        f"eeoc-{each.attribute}-impact",
        f"{each.title}: four-fifths screening and significance",
        [
            Column(each.title, names_row=True),
            Column("Share of the highest rate", numeric=True),
            Column("Exact share lies in", numeric=True),
            Column("At least four fifths"),
            Column("Difference at the 5% level"),
            *([Column("Whoever the unknown are", numeric=True)] if _has_unknown(each) else []),
        ],
        [
            [
                row.name,
                full_percent(row.ratio.value) if row.ratio else "–",
                full_percent_interval(row.ratio.low, row.ratio.high) if row.ratio else "–",
                verdict_cell(verdict) if verdict else Cell("–"),
                test.text if test else ("highest rate" if row.is_highest else "not tested"),
                *(
                    [full_percent_interval(row.unknown.low, row.unknown.high) if row.unknown else "–"]
                    if _has_unknown(each)
                    else []
                ),
            ]
            for row, verdict, test in zip(each.rows, each.verdicts, each.significance, strict=True)
        ],
    )
    return FormTable(table=rates), FormTable(table=impact, remarks=_remarks(each))


def _has_unknown(each: ImpactTable) -> bool:
    return any(row.unknown for row in each.rows)


def _remarks(each: ImpactTable) -> tuple[str, ...]:
    remarks = []
    small = [row.name for row in each.rows if row.rate and row.under_two_percent]
    if small:
        remarks.append(
            f"{', '.join(small)} {'is' if len(small) == 1 else 'are'} under 2% of the applicants; the "
            "guidelines ask for no determination of adverse impact for so small a group (§ 1607.15 A (2) (a))."
        )
    if each.unknown.most:
        remarks.append(
            f"Not in these tables: {each.unknown.text} applicants of whom it is unknown. The last column shows where the share "
            "of the announced rates could lie, whichever groups they belong to."
        )
    return tuple(remarks)
