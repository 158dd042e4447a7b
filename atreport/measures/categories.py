"""Turn a rule table into the rows of a form's table: each category with its people, its rate and its impact ratio.

Guarantee: rates and ratios come with the interval that the true ones lie in. Numbers of people are no more exact than the
policy on small cells allows. The highest rate is taken among the categories that are compared.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from atreport.core.band import Range
from atreport.core.cells import Cells
from atreport.core.rule_table import RuleTable
from atreport.core.suppression import FormGroup, SmallCellAccount, form_groups
from atreport.forms import Form
from atreport.forms.ll144 import LL144Form
from atreport.measures.comparisons import impact_ranges
from atreport.measures.measured import UnknownExtremes
from atreport.measures.membership import range_over_splits, who_may_join
from atreport.measures.rates import rates, strata_of
from atreport.measures.unknowns import RecordedNumbers, unknown_pool
from atreport.spec.fairness import ImpactRatio, Measure

SMALL_SHARE = Fraction(2, 100)
"""A category with a smaller share of the data may be left out of the impact ratio."""


@dataclass(frozen=True, kw_only=True)
class CountedPeople:
    """A number of people as it is published: exact, or the range that is left open."""

    published: int | None  # None: suppressed
    fewest: int
    most: int


NOBODY = CountedPeople(published=0, fewest=0, most=0)


@dataclass(frozen=True, kw_only=True)
class MeasuredCategory:
    """One row of a form's table."""

    name: str
    people: CountedPeople
    rate: tuple[Range, ...] | None  # once for each population that must hold; None: nobody is in it
    selected: CountedPeople  # as announced
    ratio: tuple[Range, ...] | None  # None: it takes no part in the comparison
    is_highest: bool
    under_two_percent: bool  # for certain
    unknown: UnknownExtremes | None  # where the ratio could lie, whoever the unknown are


@dataclass(frozen=True, kw_only=True)
class MeasuredTotal:
    """Everybody in a form's table."""

    people: CountedPeople
    rate: tuple[Range, ...]
    selected: CountedPeople


def count_people(cells: Cells, account: SmallCellAccount, group: FormGroup) -> CountedPeople:
    """How many people a category has, as published, and with those who may be in it besides."""
    fewest, most = account.people_between(cells, group.cells)
    _, possible, left_out = who_may_join(cells, [_people_of(group)])
    possible &= ~group.cells
    if possible.any():
        most += account.people_between(cells, possible)[1]
    most += sum(each.people[0] for each in left_out)
    stand_in = int(cells.population[group.cells].sum())
    return CountedPeople(
        published=stand_in if account.policy != "suppress" or fewest == most else None,
        fewest=fewest,
        most=most,
    )


def _people_of(group: FormGroup) -> dict[str, tuple[str, ...]]:
    return {name: (value,) for name, value in group.values.items()}


def count_unknown(table: RuleTable, groups: Sequence[FormGroup]) -> CountedPeople:
    """How many people are in any of some unknown categories, as published."""
    if not groups:
        return NOBODY
    mask = groups[0].cells.copy()
    for group in groups[1:]:
        mask |= group.cells
    return count_people(table.cells, table.small_cells, FormGroup(values={}, cells=mask, unknown=True))


def measure_total(table: RuleTable, recorded: RecordedNumbers | None = None) -> MeasuredTotal:
    """Everybody, those of unknown category included."""
    everybody = table.cells.population > 0
    people = count_people(
        table.cells, table.small_cells, FormGroup(values={}, cells=everybody, unknown=False)
    )
    found = _rate(table, FormGroup(values={}, cells=everybody, unknown=False), None, recorded)
    assert found is not None, "somebody is there"
    return MeasuredTotal(people=people, rate=tuple(found), selected=_selected(people, found))


def measure_categories(
    table: RuleTable,
    groups: Sequence[FormGroup],
    *,
    may_leave_out: Callable[[FormGroup], bool] = lambda _group: False,
    outcome: str | None = None,
    recorded: RecordedNumbers | None = None,
) -> tuple[MeasuredCategory, ...]:
    """The categories of one table, by their rates of an outcome (the favourable one unless told).

    Rates are those of the `recorded` numbers of cases with that outcome, where these are given. Categories that may be
    left out of the ratio are if they are certainly small; they keep their number and rate. Where every announced rate is
    0 there is no ratio: 0/0 is none.
    """
    people = [count_people(table.cells, table.small_cells, group) for group in groups]
    small = [_is_small(table.cells, table.small_cells, group) for group in groups]
    ranges = [_rate(table, group, outcome, recorded) for group in groups]
    compared = {
        i: found
        for i, found in enumerate(ranges)
        if found is not None and not (small[i] and may_leave_out(groups[i]))
    }
    highest = max((found[0].value for found in compared.values()), default=Fraction(0))
    may_be_higher = any(
        found is None and each.most for found, each in zip(ranges, people, strict=True)
    )  # a category of which nobody is published
    ratios = (
        dict(zip(compared, _ratios(list(compared.values())), strict=True))
        if highest and not may_be_higher
        else {}
    )
    unknown = (
        _unknown(table, groups, [groups[i].name for i in compared], outcome, recorded) if highest else {}
    )
    return tuple(
        MeasuredCategory(
            name=group.name,
            people=people[i],
            rate=None if (found := ranges[i]) is None else tuple(found),
            selected=_selected(people[i], found),
            ratio=ratios.get(i),
            is_highest=i in ratios and compared[i][0].value == highest,
            under_two_percent=small[i],
            unknown=unknown.get(group.name),
        )
        for i, group in enumerate(groups)
    )


def _is_small(cells: Cells, account: SmallCellAccount, group: FormGroup) -> bool:
    """Whether a category certainly has a smaller share of the data than `SMALL_SHARE`."""
    total, _ = account.people_between(cells, cells.population > 0)
    return count_people(cells, account, group).most < SMALL_SHARE * total


def compared_as_in_the_form(
    fairness: Sequence[Measure], form: Form | None, cells: Cells, account: SmallCellAccount
) -> Iterator[Measure]:
    """What a spec asks for, so that a bias audit's measures say what its tables do.

    Its impact ratios leave out the categories that its tables leave out: they are not compared, and none of them is the
    highest. The law has no threshold, so none is taken that the publisher has not written.
    """
    for asked in fairness:
        if not isinstance(form, LL144Form) or not isinstance(asked, ImpactRatio):
            yield asked
            continue
        stated = asked if "p" in asked.model_fields_set else asked.model_copy(update={"p": None})
        table = [
            g for g in form_groups(form, cells) if g.attributes == asked.group_attributes and not g.unknown
        ]
        present = [group for group in table if cells.population[group.cells].any()]
        compared = [
            group
            for group in present
            if not (_is_small(cells, account, group) and form.why_left_out(group.attributes, group.name))
        ]
        # where people of another category are not in any cell, no ratio is taken at all
        may_be_more = sum(bool(count_people(cells, account, group).most) for group in table) > len(present)
        named = {group.name: {k: (v,) for k, v in group.values.items()} for group in compared}
        if len(compared) == len(present) or may_be_more:
            yield stated
        elif len(named) > 1:  # fewer have no ratio
            yield stated.model_copy(update={"groups": named})


def _rate(
    table: RuleTable, group: FormGroup, outcome: str | None, recorded: RecordedNumbers | None
) -> list[Range] | None:
    """The rate of a category, once for each population that must hold, whoever may be in it; None where nobody surely is."""
    if recorded is not None:
        exact = recorded.rate(group.cells)
        found = None if exact is None else [exact]
    else:
        found = rates(table, group.cells, strata_of(table.cells, []), outcome).in_stratum(0)
    if found is None:
        return None
    truth = table.truth_of(outcome or table.cells.process.outcome.favourable)
    return range_over_splits(table, truth, found, [_people_of(group)])


def _ratios(ranges: Sequence[Sequence[Range]]) -> list[tuple[Range, ...] | None]:
    """For each category its ratio to the highest rate, once for each population that must hold; None: of fewer than two."""
    if len(ranges) < 2:
        return [None] * len(ranges)
    by_population = [impact_ranges(list(each)) for each in zip(*ranges, strict=True)]
    return [tuple(each) for each in zip(*by_population, strict=True)]


def _selected(people: CountedPeople, found: Sequence[Range] | None) -> CountedPeople:
    """How many of them were selected, as announced, and the least and most that is possible."""
    if found is None:  # nobody surely is in it
        return CountedPeople(published=0, fewest=0, most=people.most)
    low, high = min(r.low for r in found), max(r.high for r in found)
    return CountedPeople(
        published=None if people.published is None else round(found[0].value * people.published),
        fewest=floor(low * people.fewest),
        most=ceil(high * people.most),
    )


def _unknown(
    table: RuleTable,
    groups: Sequence[FormGroup],
    compared: Sequence[str],
    outcome: str | None,
    recorded: RecordedNumbers | None,
) -> dict[str, UnknownExtremes]:
    names = groups[0].attributes
    if table.cells.left_out or table.cells.process.has_joined(
        names
    ):  # ratios are then about who belongs where
        return {}
    pool = unknown_pool(table, names if len(names) > 1 else names[0], outcome=outcome, recorded=recorded)
    if pool is None or len(compared) < 2:
        return {}
    found = {name: pool.impact(name, compared) for name in compared if name in pool.names}
    return {
        name: UnknownExtremes(people=pool.people, low=low, high=high, is_exact=is_exact)
        for name, (low, high, is_exact) in found.items()
    }
