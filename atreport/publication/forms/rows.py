"""Turn measured categories into the rows of a form's table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atreport.analysis.categories import CountedPeople, MeasuredCategory, MeasuredTotal
from atreport.analysis.ranges import Range
from atreport.kit.rounding import rounded_down, rounded_up
from atreport.publication.printing import printed_interval, printed_value
from atreport.report.form import Category, CertifiedShare, People, Total


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
