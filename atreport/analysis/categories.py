"""Turn a release into the rows of a form's table: each category with its people, its rate and its impact ratio.

Guarantee: rates and ratios are announced ones with the interval that the true ones lie in. Numbers of people are no
more exact than the policy on small cells allows. The highest rate is taken among the categories that are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from atreport.analysis.assessment import Interval, Range, UnknownRange
from atreport.analysis.comparisons import impact_ranges
from atreport.analysis.rates import rates, strata_of
from atreport.analysis.unknowns import printed_range, unknown_pool
from atreport.announcement import Release
from atreport.kit.numbers import count
from atreport.population.form_groups import FormGroup

SMALL_SHARE = Fraction(2, 100)
"""A category with a smaller share of the data may be left out of the impact ratio."""


@dataclass(frozen=True, kw_only=True)
class People:
    """A number of people as it is published: exact, or the range that is left open."""

    published: int | None  # None: suppressed
    fewest: int
    most: int

    @property
    def is_exact(self) -> bool:
        """Whether it is known."""
        return self.fewest == self.most

    @property
    def text(self) -> str:
        """As it is printed."""
        if self.is_exact:
            return count(self.fewest)
        between = f"{count(self.fewest)} to {count(self.most)}"
        return (
            f"suppressed ({between})"
            if self.published is None
            else f"about {count(self.published)} ({between})"
        )


@dataclass(frozen=True, kw_only=True)
class Category:
    """One row of a form's table."""

    name: str
    people: People
    rate: Interval | None  # None: nobody is in it
    selected: People  # as announced
    ratio: Interval | None  # None: it takes no part in the comparison
    is_highest: bool
    under_two_percent: bool  # for certain
    unknown: UnknownRange | None  # where the ratio could lie, whoever the unknown are


def people_in(release: Release, group: FormGroup) -> People:
    """How many people a category has, as published."""
    account = release.small_cells
    fewest, most = account.people_between(release.cells, group.cells)
    stand_in = int(release.cells.population[group.cells].sum())
    return People(
        published=stand_in if account.policy != "suppress" or fewest == most else None,
        fewest=fewest,
        most=most,
    )


def categories(
    release: Release, groups: Sequence[FormGroup], *, leave_out_small: bool = False
) -> tuple[Category, ...]:
    """The categories of one table. Small ones keep their number and rate where they are left out of the ratio."""
    everybody = strata_of(release.cells, [])
    total, _ = release.small_cells.people_between(release.cells, release.cells.population > 0)
    people = [people_in(release, group) for group in groups]
    small = [p.most < SMALL_SHARE * total for p in people]
    ranges = [rates(release, group.cells, everybody).in_stratum(0) for group in groups]
    compared = [
        i for i, found in enumerate(ranges) if found is not None and not (leave_out_small and small[i])
    ]
    ratios = _ratios([ranges[i] or [] for i in compared])
    highest = max((ranges[i][0].value for i in compared), default=None)  # type: ignore[index]
    unknown = _unknown(release, groups, [groups[i].name for i in compared])
    rows = []
    for i, group in enumerate(groups):
        found = ranges[i]
        ratio = ratios[compared.index(i)] if i in compared and ratios else None
        rows.append(
            Category(
                name=group.name,
                people=people[i],
                rate=None if found is None else Interval.printed(found, release.decimals),
                selected=_selected(people[i], found),
                ratio=None if ratio is None else Interval.printed(ratio, release.decimals),
                is_highest=i in compared and found is not None and found[0].value == highest,
                under_two_percent=small[i],
                unknown=unknown.get(group.name),
            )
        )
    return tuple(rows)


def _ratios(ranges: Sequence[Sequence[Range]]) -> list[list[Range]] | None:
    """For each category its ratio to the highest rate, once for each population that must hold; None: of fewer than two."""
    if len(ranges) < 2:
        return None
    by_population = [impact_ranges(list(each)) for each in zip(*ranges, strict=True)]
    return [list(each) for each in zip(*by_population, strict=True)]


def _selected(people: People, found: Sequence[Range] | None) -> People:
    """How many of them were selected, as announced, and the least and most that is possible."""
    if found is None:
        return People(published=0, fewest=0, most=0)
    low, high = min(r.low for r in found), max(r.high for r in found)
    return People(
        published=None if people.published is None else round(found[0].value * people.published),
        fewest=floor(low * people.fewest),
        most=ceil(high * people.most),
    )


def _unknown(
    release: Release, groups: Sequence[FormGroup], compared: Sequence[str]
) -> dict[str, UnknownRange]:
    pool = unknown_pool(
        release, groups[0].attributes if len(groups[0].attributes) > 1 else groups[0].attributes[0]
    )
    if pool is None or len(compared) < 2:
        return {}
    return {
        name: printed_range(pool, pool.impact(name, compared), release.decimals)
        for name in compared
        if name in pool.names
    }


def entry(row: Category) -> dict[str, object]:
    """A row as report.json has it."""
    return {
        "category": row.name,
        "people": _people_entry(row.people),
        "selected": _people_entry(row.selected),
        "rate": _interval_entry(row.rate),
        "impact_ratio": _interval_entry(row.ratio),
        "under_two_percent": row.under_two_percent,
        **({"unknown": [float(row.unknown.low), float(row.unknown.high)]} if row.unknown else {}),
    }


def _people_entry(people: People) -> dict[str, object]:
    return {"published": people.published, "interval": [people.fewest, people.most]}


def _interval_entry(interval: Interval | None) -> dict[str, object] | None:
    if interval is None:
        return None
    return {"value": float(interval.value), "interval": [float(interval.low), float(interval.high)]}


def is_certain(rate: Interval | None) -> bool:
    """Whether an announced rate tells the outcome of everybody in the category."""
    return rate is not None and rate.value in (Decimal(0), Decimal(1))
