"""The tables on adverse impact: Uniform Guidelines, 29 CFR § 1607.4.

The four-fifths rule is a screening rule. Significance is Fisher's exact test, two-sided, of a group against the one with the
highest rate, on the numbers of people and the announced rates; and its smallest and largest p over the ranges that the
exact rates lie in, so that "significant" and "not significant" hold for the exact figures too.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from typing import Any

from atreport.analysis.categories import (
    MeasuredCategory,
    count_unknown,
    measure_categories,
    measure_total,
)
from atreport.analysis.fisher import fisher_test
from atreport.analysis.recorded_numbers import recorded_numbers
from atreport.population.form_groups import form_groups
from atreport.publication.forms.rows import print_category, print_people, print_total
from atreport.publication.printing import printed_interval, printed_value, should_reach
from atreport.report.figures import Verdict
from atreport.report.form import FormTable, Significance
from atreport.rule_table import RuleTable
from atreport.spec.models.forms import EEOCForm

FOUR_FIFTHS = Decimal("0.8")


def tables(table: RuleTable, form: EEOCForm, recorded: bool = True) -> tuple[FormTable, ...]:
    """A table for each attribute the form compares."""
    found, decimals = [], table.decimals
    numbers = recorded_numbers(table) if recorded else None
    stated: dict[str, Any] = {} if numbers is None else {"recorded": True}
    for name in form.groups:
        mine = [group for group in form_groups(form, table.cells) if group.attributes == (name,)]
        rows = measure_categories(table, [group for group in mine if not group.unknown], recorded=numbers)
        unknown = count_unknown(table, [group for group in mine if group.unknown])
        found.append(
            FormTable(
                table=name,
                attributes=(name,),
                categories=tuple(
                    print_category(
                        row,
                        decimals,
                        four_fifths=_reaches(row, FOUR_FIFTHS, decimals),
                        significance=_significance(row, rows, decimals),
                        **(
                            {"screened": screened}
                            if form.screening is not None
                            and (screened := _reaches(row, form.screening.at_least, decimals))
                            else {}
                        ),
                    )
                    for row in rows
                ),
                unknown_people=print_people(unknown),
                total=print_total(measure_total(table, numbers), decimals),
                **stated,
            )
        )
    return tuple(found)


def _reaches(row: MeasuredCategory, share: Decimal, decimals: int) -> Verdict | None:
    """Whether a group's rate is at least that share of the highest, for certain; None where there is no ratio."""
    return should_reach(printed_interval(row.ratio, decimals), share) if row.ratio else None


def _significance(
    row: MeasuredCategory, rows: Sequence[MeasuredCategory], decimals: int
) -> Significance | None:
    """The test against the first group with the highest rate; None for that group, and where numbers are not exact."""
    best = next((each for each in rows if each.is_highest), None)
    if best is None or row is best or row.rate is None or best.rate is None:
        return None
    if row.people.fewest != row.people.most or best.people.fewest != best.people.most:
        return None
    own, other = printed_interval(row.rate, decimals), printed_interval(best.rate, decimals)

    def p_at(rate: Decimal, best_rate: Decimal) -> Decimal:
        return _fisher((row.people.fewest, rate), (best.people.fewest, best_rate))

    corners = [p_at(own[0], other[1]), p_at(own[1], other[0])]
    crossing = own[1] >= other[0]  # the exact rates may be equal, where nothing is significant
    return Significance(
        p=p_at(printed_value(row.rate, decimals), printed_value(best.rate, decimals)),
        interval=(min(corners), Decimal(1) if crossing else max(corners)),
        against=best.name,
    )


def _fisher(one: tuple[int, Decimal], other: tuple[int, Decimal]) -> Decimal:
    """The p-value for so many people and this rate in each of two groups, rounded up."""
    selected, others = ((round(Fraction(rate) * people), people) for people, rate in (one, other))
    p = Decimal(repr(fisher_test(selected, others)))
    return min(p.quantize(Decimal("0.0001"), ROUND_CEILING), Decimal(1))
