"""Stage 6, **fairness**: turn a release into fairness measures with certified intervals and verdicts.

Per-group rates come first, their comparison second. Everything is exact until it is printed; see
:mod:`atreport.analysis.assessment` for the guarantee.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

from atreport.analysis.assessment import (
    Assessment,
    GroupRate,
    Interval,
    NotAssessed,
    OutcomeResult,
    Range,
    at_least,
    at_most,
)
from atreport.analysis.bounds import difference_bound, ratio_bound
from atreport.analysis.comparisons import (
    Rates,
    disparity_range,
    impact_ranges,
    log_interval,
    parity_range,
    ratio_range,
    smallest,
)
from atreport.analysis.individual import assess_individual
from atreport.analysis.rates import RatedGroup, rated_groups
from atreport.analysis.sampling import (
    chance_rates,
    counts_are_published,
    sampling_of_comparison,
    sampling_of_rate,
)
from atreport.analysis.unknowns import printed_range, unknown_pool
from atreport.announcement import Release
from atreport.spec.models.measures import (
    ConditionalStatisticalParity,
    GroupDisparity,
    ImpactRatio,
    IndividualFairness,
    Measure,
    PPercentRule,
    StatisticalParity,
)
from atreport.spec.models.spec import PublicSpec

PairMeasure = StatisticalParity | ConditionalStatisticalParity | PPercentRule
GroupMeasure = PairMeasure | ImpactRatio | GroupDisparity

Found = TypeVar("Found", Range, list[Range])
"""What a comparison gives: one figure, or one for each group."""

EVERY_OTHER = "every other group"


def assess(
    release: Release, spec: PublicSpec, *, unknown: bool = True
) -> tuple[list[Assessment], list[NotAssessed]]:
    """Every measure the spec asks for, in the order of the spec.

    `unknown` adds what each could be, whoever the people of unknown group are: a long search where they are many.
    """
    done: list[Assessment] = []
    left_out: list[NotAssessed] = []
    for measure in spec.fairness:
        for found in _assess_measure(release, measure):
            if not isinstance(found, Assessment):
                left_out.append(found)
            elif unknown and not isinstance(measure, IndividualFairness):
                done.append(_with_unknown(release, measure, found))
            else:
                done.append(found)
    return done, left_out


def _assess_measure(release: Release, measure: Measure) -> Iterator[Assessment | NotAssessed]:
    if isinstance(measure, IndividualFairness):
        yield assess_individual(release, measure)
        return
    given_names = measure.given if isinstance(measure, ConditionalStatisticalParity) else ()
    outcomes = _outcomes_compared(release, measure)
    for given, groups in rated_groups(release, measure.groups, given_names, outcomes):
        yield from _assess_groups(release, measure, given, groups)


def _with_unknown(release: Release, measure: GroupMeasure, found: Assessment) -> Assessment:
    """The assessment with what it could be, whoever the people of unknown group are."""
    one_rate = len(release.cells.process.outcome.values) == 2
    if isinstance(measure.groups, dict) or found.by_outcome or found.groups is None:
        return found
    pool = unknown_pool(release, measure.groups, dict(found.given) if found.given else None)
    if pool is None:
        return found
    match measure:
        case ImpactRatio():
            result = pool.impact(found.groups[0])
        case GroupDisparity():
            result = pool.disparity()
        case PPercentRule():
            result = pool.ratio(*found.groups)
        case _ if one_rate:
            result = pool.difference(*found.groups)
        case _:  # of more outcomes the differences of all rates are summed, for which there is no such range
            return found
    return replace(found, unknown=printed_range(pool, result, release.decimals))


def _assess_groups(
    release: Release, measure: GroupMeasure, given: dict[str, str] | None, groups: Sequence[RatedGroup]
) -> Iterator[Assessment | NotAssessed]:
    """The groups of one stratum."""
    if isinstance(measure, ImpactRatio | GroupDisparity):
        yield from _assess_together(release, measure, groups)
    else:
        rates = [None if group.is_empty else _group_rate(release, group) for group in groups]
        for (a, rate_a), (b, rate_b) in combinations(zip(groups, rates, strict=True), 2):
            if rate_a is None or rate_b is None:
                yield NotAssessed(measure=measure.measure, groups=(a.name, b.name), given=given)
            else:
                yield _assess_pair(release, measure, given, (a, b), (rate_a, rate_b))


def _outcomes_compared(release: Release, measure: GroupMeasure) -> Sequence[str]:
    """The favourable outcome first. Of two outcomes, the rate of one says all that a difference needs."""
    outcome = release.cells.process.outcome
    others = [value for value in outcome.values if value != outcome.favourable]
    if isinstance(measure, PPercentRule):
        several = measure.outcomes == "all"
    else:
        several = len(others) > 1 and isinstance(measure, StatisticalParity | ConditionalStatisticalParity)
    return [outcome.favourable, *others] if several else [outcome.favourable]


def _assess_pair(
    release: Release,
    measure: PairMeasure,
    given: dict[str, str] | None,
    pair: tuple[RatedGroup, RatedGroup],
    rates: tuple[GroupRate, ...],
) -> Assessment:
    """Two groups, in one stratum."""
    if isinstance(measure, PPercentRule):
        return _assess_p_percent(release, measure, pair, rates)
    names = (pair[0].name, pair[1].name)
    outcomes = len(release.cells.process.outcome.values)
    ranges, chance = _compared(release, pair, lambda of: parity_range(of[0], of[1], outcomes))
    return replace(_assessed(release, measure, names, rates, ranges, chance), given=given)


def _assess_p_percent(
    release: Release,
    measure: PPercentRule,
    pair: tuple[RatedGroup, RatedGroup],
    rates: tuple[GroupRate, ...],
) -> Assessment:
    """The smallest ratio over the outcomes compared: the rule asks all of them to reach p."""
    names = (pair[0].name, pair[1].name)
    ranges, chance = _compared(
        release, pair, lambda of: smallest([ratio_range(of[0][outcome], of[1][outcome]) for outcome in of[0]])
    )
    found = replace(
        _assessed(release, measure, names, rates, ranges, chance),
        log_ratio=log_interval(ranges, release.decimals),
    )
    if measure.outcomes == "favourable":
        return found
    ratios = {
        outcome: [ratio_range(a, b) for a, b in zip(first, pair[1].ranges[outcome], strict=True)]
        for outcome, first in pair[0].ranges.items()
    }
    return replace(
        found,
        outcome=min(ratios, key=lambda outcome: ratios[outcome][0].value),
        by_outcome=tuple(
            OutcomeResult(outcome=outcome, result=Interval.printed(each, release.decimals))
            for outcome, each in ratios.items()
        ),
    )


def _assess_together(
    release: Release, measure: ImpactRatio | GroupDisparity, groups: Sequence[RatedGroup]
) -> Iterator[Assessment | NotAssessed]:
    """All groups at once: each against the most favoured, or the two furthest apart."""
    present = [group for group in groups if not group.is_empty]
    for group in groups:
        if group.is_empty or len(present) < 2:
            yield NotAssessed(measure=measure.measure, groups=(group.name, EVERY_OTHER), given=None)
    if len(present) < 2:
        return
    favourable = release.cells.process.outcome.favourable
    rates = [_group_rate(release, group) for group in present]
    lowest, *_, highest = sorted(
        range(len(present)), key=lambda index: present[index].ranges[favourable][0].value
    )
    if isinstance(measure, GroupDisparity):
        names = (present[highest].name, present[lowest].name)
        disparity, chance = _compared(
            release, present, lambda of: disparity_range([each[favourable] for each in of])
        )
        yield _assessed(release, measure, names, tuple(rates), disparity, chance)
        return
    impacts, chances = _compared(
        release, present, lambda of: impact_ranges([each[favourable] for each in of])
    )
    for index, group in enumerate(present):
        yield _assessed(
            release,
            measure,
            (group.name, present[highest].name),
            tuple(rates[each] for each in sorted({index, highest})),
            [impact[index] for impact in impacts],
            chances[index] if chances else None,
        )


def _compared(
    release: Release, groups: Sequence[RatedGroup], compare: Callable[[Sequence[Rates]], Found]
) -> tuple[list[Found], Found | None]:
    """What a comparison gives for every population that must hold; and for chance, where that can be told."""
    certified = [compare([group.rates(i) for group in groups]) for i in range(len(release.weights))]
    if not counts_are_published(release):
        return certified, None
    outcomes = len(release.cells.process.outcome.values)
    cases = [group.people for group in groups]
    return certified, compare(chance_rates([group.rates(0) for group in groups], cases, outcomes))


def _assessed(
    release: Release,
    measure: GroupMeasure,
    names: tuple[str, str],
    rates: tuple[GroupRate, ...],
    ranges: list[Range],
    chance: Range | None,
) -> Assessment:
    """A comparison as printed, with its verdict."""
    result = Interval.printed(ranges, release.decimals)
    is_ratio = isinstance(measure, PPercentRule | ImpactRatio)
    threshold = measure.p if isinstance(measure, PPercentRule | ImpactRatio) else measure.threshold
    return Assessment(
        measure=measure.measure,
        title=measure.title,
        groups=names,
        given=None,
        result=result,
        # where counts are not published exactly, the population moves the measure too: the interval says how far
        a_priori=None
        if not release.small_cells.is_exact
        else ratio_bound(release)
        if is_ratio
        else difference_bound(release),
        threshold=threshold,
        verdict=at_least(result, threshold) if is_ratio else at_most(result, threshold),
        rates=rates,
        sampling=None if chance is None else sampling_of_comparison(chance, release.decimals),
    )


def _group_rate(release: Release, group: RatedGroup) -> GroupRate:
    ranges = group.ranges[release.cells.process.outcome.favourable]
    return GroupRate(
        group=group.name,
        rate=Interval.printed(ranges, release.decimals),
        people=group.people,
        sampling=sampling_of_rate(ranges[0].value, group.people, release.decimals)
        if counts_are_published(release)
        else None,
    )
