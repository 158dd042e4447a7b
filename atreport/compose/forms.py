"""The tables of regulators' forms, as the report has them."""

from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from typing import Any

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.core.suppression import form_groups
from atreport.forms import Form
from atreport.forms.eeoc import EEOCForm
from atreport.forms.ll144 import LL144Form
from atreport.measures.categories import (
    CountedPeople,
    MeasuredCategory,
    MeasuredTotal,
    count_unknown,
    measure_categories,
    measure_total,
)
from atreport.measures.chance import fisher_test
from atreport.measures.unknowns import recorded_numbers
from atreport.report.figures import Verdict, printed_interval, printed_value, verdict_on
from atreport.report.form import (
    Category,
    CertifiedShare,
    FormTable,
    People,
    PublishedForm,
    Significance,
    Total,
)
from atreport.text.numbers import rounded_down, rounded_up

# Turn measured categories into the rows of a form's table.


def print_category(row: MeasuredCategory, decimals: int, **further: Any) -> Category:
    """A row as printed; `further` is what one form adds to it."""
    unknown: dict[str, Any] = {}
    if row.unknown is not None:
        ends = rounded_down(row.unknown.low, decimals), rounded_up(row.unknown.high, decimals)
        unknown = {"unknown": ends, "unknown_attained": row.unknown.is_exact}
    return Category(
        category=row.name,
        people=print_people(row.people),
        selected=print_people(row.selected),
        rate=_share(row.rate, decimals),
        impact_ratio=_share(row.ratio, decimals),
        under_two_percent=row.under_two_percent,
        highest=row.is_highest,
        **unknown,
        **further,
    )


def print_total(total: MeasuredTotal, decimals: int) -> Total:
    """Everybody as printed."""
    return Total(
        people=print_people(total.people),
        selected=print_people(total.selected),
        rate=CertifiedShare(
            value=printed_value(total.rate, decimals), interval=printed_interval(total.rate, decimals)
        ),
    )


def print_people(people: CountedPeople) -> People:
    """A number of people as printed."""
    return People(published=people.published, interval=(people.fewest, people.most))


def _share(ranges: Sequence[Range] | None, decimals: int) -> CertifiedShare | None:
    if ranges is None:
        return None
    return CertifiedShare(value=printed_value(ranges, decimals), interval=printed_interval(ranges, decimals))


# The tables on adverse impact: Uniform Guidelines, 29 CFR § 1607.4.
#
# The four-fifths rule is a screening rule. Significance is Fisher's exact test, two-sided, of a group against
# the one with the highest rate, on the numbers of people and the announced rates; and its smallest and
# largest p over the ranges that the exact rates lie in, so that "significant" and "not significant" hold for
# the exact figures too.

FOUR_FIFTHS = Decimal("0.8")


def eeoc_tables(table: RuleTable, form: EEOCForm, recorded: bool = True) -> tuple[FormTable, ...]:
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
    return verdict_on(printed_interval(row.ratio, decimals), share, is_ratio=True) if row.ratio else None


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


# The tables of a bias audit: New York City Local Law 144, 6 RCNY §§ 5-300 to 5-304.


def ll144_tables(table: RuleTable, form: LL144Form, recorded: bool = True) -> tuple[FormTable, ...]:
    """Sex, race/ethnicity, and their intersections, each compared by itself; of a classification, for every class."""
    if form.rate != "classification":
        return tuple(_tables(table, form, None, recorded=recorded))
    outcomes = table.cells.process.outcome.values
    return tuple(t for each in outcomes for t in _tables(table, form, each, recorded=recorded))


def _tables(table: RuleTable, form: LL144Form, outcome: str | None, *, recorded: bool) -> Iterator[FormTable]:
    """The three tables of one class, or of being selected."""
    groups = list(form_groups(form, table.cells))
    numbers = recorded_numbers(table, outcome) if recorded else None
    stated: dict[str, Any] = {} if outcome is None else {"outcome": outcome}
    if numbers is not None:
        stated["recorded"] = True
    names = {
        "sex": (form.sex,),
        "race": (form.race_ethnicity,),
        "intersections": (form.sex, form.race_ethnicity),
    }
    for name, attributes in names.items():
        mine = [group for group in groups if group.attributes == attributes]
        rows = measure_categories(
            table,
            [group for group in mine if not group.unknown],
            may_leave_out=lambda group: form.why_left_out(group.attributes, group.name) is not None,
            outcome=outcome,
            recorded=numbers,
        )
        unknown = count_unknown(table, [group for group in mine if group.unknown])
        yield FormTable(
            table=name,
            attributes=attributes,
            categories=tuple(print_category(row, table.decimals) for row in rows),
            unknown_people=print_people(unknown),
            **stated,
        )


TABLES: dict[str, Callable[[RuleTable, Any, bool], tuple[FormTable, ...]]] = {
    "ll144": ll144_tables,
    "eeoc": eeoc_tables,
}


def print_form(table: RuleTable, template: str, form: Form, *, recorded: bool = True) -> PublishedForm:
    """A form with its fields, and its tables where it has any.

    Tables are of recorded numbers of cases where those follow from what is published; unless they are not `recorded`, as
    in forms of earlier versions.
    """
    if template not in TABLES:
        return PublishedForm(template=template, fields=form)
    return PublishedForm(template=template, fields=form, tables=TABLES[template](table, form, recorded))
