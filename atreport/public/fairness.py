"""Stage 6, **fairness**: turn a release into fairness measures with certified intervals and verdicts.

Per-group rates come first, their comparison second. Everything is exact until it is printed; see
:mod:`atreport.public.assessment` for the guarantee.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from itertools import combinations

from atreport.public.assessment import (
    Assessment,
    GroupRate,
    Interval,
    NotAssessed,
    Range,
    at_least,
    at_most,
)
from atreport.public.bounds import difference_bound, ratio_bound
from atreport.public.individual import assess_individual
from atreport.public.rates import named_groups, rates, strata_of
from atreport.release import Release
from atreport.spec.models import (
    ConditionalStatisticalParity,
    IndividualFairness,
    Measure,
    PPercentRule,
    PublicSpec,
    StatisticalParity,
)

GroupMeasure = StatisticalParity | ConditionalStatisticalParity | PPercentRule


def assess(release: Release, spec: PublicSpec) -> tuple[list[Assessment], list[NotAssessed]]:
    """Every measure the spec asks for, for every pair of its groups, in the order of the spec."""
    done: list[Assessment] = []
    left_out: list[NotAssessed] = []
    for measure in spec.fairness:
        for found in _assess_measure(release, measure):
            if isinstance(found, Assessment):
                done.append(found)
            else:
                left_out.append(found)
    return done, left_out


def _assess_measure(release: Release, measure: Measure) -> Iterator[Assessment | NotAssessed]:
    if isinstance(measure, IndividualFairness):
        yield assess_individual(release, measure)
        return
    strata = strata_of(
        release.cells, measure.given if isinstance(measure, ConditionalStatisticalParity) else ()
    )
    groups = [
        (name, rates(release, mask, strata)) for name, mask in named_groups(release.cells, measure.groups)
    ]
    for stratum in range(len(strata)):
        given = strata.labels(stratum) or None
        for (first, first_rates), (second, second_rates) in combinations(groups, 2):
            pair = [rates_of.in_stratum(stratum) for rates_of in (first_rates, second_rates)]
            if pair[0] is None or pair[1] is None:
                yield NotAssessed(measure=measure.measure, groups=(first, second), given=given)
                continue
            rated = tuple(
                GroupRate(
                    group=name, rate=Interval.printed(ranges, release.decimals), people=of.people[stratum]
                )
                for name, of, ranges in ((first, first_rates, pair[0]), (second, second_rates, pair[1]))
            )
            yield _compare(release, measure, (first, second), given, (pair[0], pair[1]), rated)


def _compare(
    release: Release,
    measure: GroupMeasure,
    groups: tuple[str, str],
    given: dict[str, str] | None,
    pair: tuple[list[Range], list[Range]],
    rated: tuple[GroupRate, ...],
) -> Assessment:
    is_ratio = isinstance(measure, PPercentRule)
    compare = ratio_range if is_ratio else difference_range
    result = Interval.printed([compare(a, b) for a, b in zip(*pair, strict=True)], release.decimals)
    threshold = measure.p if isinstance(measure, PPercentRule) else measure.threshold
    return Assessment(
        measure=measure.measure,
        title=measure.title,
        groups=groups,
        given=given,
        result=result,
        a_priori=ratio_bound(release) if is_ratio else difference_bound(release),
        threshold=threshold,
        verdict=at_least(result, measure.p)
        if isinstance(measure, PPercentRule)
        else at_most(result, threshold),
        rates=rated,
        log_ratio=log_interval(pair, release.decimals) if is_ratio else None,
    )


def difference_range(a: Range, b: Range) -> Range:
    """|a - b| and the interval it lies in; exact where the two groups share no cell, never too narrow."""
    return Range(
        value=abs(a.value - b.value),
        low=max(Fraction(0), a.low - b.high, b.low - a.high),
        high=max(a.high - b.low, b.high - a.low),
    )


def ratio_range(a: Range, b: Range) -> Range:
    """The smaller as a share of the larger, and the interval it lies in. Two rates of 0 are equal: 1."""
    low = min(_share(a.low, b.high), _share(a.high, b.low))
    high = Fraction(1)
    if a.high < b.low:
        high = _share(a.high, b.low)
    elif b.high < a.low:
        high = _share(b.high, a.low)
    return Range(value=_share(a.value, b.value), low=low, high=high)


def _share(a: Fraction, b: Fraction) -> Fraction:
    larger = max(a, b)
    return min(a, b) / larger if larger else Fraction(1)


def log_interval(pair: tuple[list[Range], list[Range]], decimals: int) -> Interval | None:
    """|log(rate / rate)| with its interval, or None where a rate of 0 makes it unbounded."""
    ratios = [ratio_range(a, b) for a, b in zip(*pair, strict=True)]
    if any(r.low == 0 for r in ratios):
        return None
    step = Decimal(1).scaleb(-decimals)
    with localcontext() as context:
        context.prec = 40
        return Interval(
            value=abs(_minus_log(ratios[0].value).quantize(step, ROUND_HALF_EVEN)),
            low=max(Decimal(0), _minus_log(max(r.high for r in ratios)).quantize(step, ROUND_FLOOR)),
            high=_minus_log(min(r.low for r in ratios)).quantize(step, ROUND_CEILING),
        )


def _minus_log(ratio: Fraction) -> Decimal:
    return abs(Decimal(ratio.denominator).ln() - Decimal(ratio.numerator).ln())
