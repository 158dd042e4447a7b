"""What must hold of a report's figures however many people are in its cells: all that can be checked where that is not said.

Every cell has somebody in it, so a rate is an average of the probabilities announced in its cells, and both ends of its
interval are such averages of the ends of their bands. Comparisons follow from the rates that are printed. Nothing here says
that a figure is right: it finds figures that no population gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.comparisons import (
    difference_range,
    disparity_range,
    impact_range,
    largest,
    smaller_of_both,
)
from atreport.analysis.measures import OF_TWO_RATES, Measured
from atreport.analysis.membership import who_may_join
from atreport.analysis.possible_rules import Truths
from atreport.analysis.possible_rules.joint_rates import apart
from atreport.analysis.ranges import Range
from atreport.analysis.rates import Mask, values_of_groups
from atreport.kit.language import say
from atreport.population.cells import ExactArray
from atreport.report.fairness import Assessment, GroupRate
from atreport.report.figures import Certified
from atreport.report.model import Report
from atreport.report.people import GroupPrivacy
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import GroupMeasure
from atreport.spec.models.measures.error_rates import ErrorRates


@dataclass(frozen=True)
class AnyPopulation:
    """The announced rule, on any number of people that there may be in its cells."""

    table: RuleTable

    def measure_findings(self, stated: Sequence[Assessment], measured: Sequence[Measured]) -> Iterator[str]:
        """Where a rate is one that no population gives, or a comparison does not follow from its rates."""
        for place, (said, found) in enumerate(zip(stated, measured, strict=True), start=1):
            name = f"fairness {place}, {said.measure}"
            asked, rates = found.asked, said.rates or ()
            if not isinstance(asked, GroupMeasure):
                continue
            if [(rate.group, rate.kind) for rate in rates] != self._of_rates(said, found, asked):
                yield say("{name}: not the rates of the groups", name=name)
                continue
            parts = [self._people(asked, said, rate) for rate in rates]
            for rate, (sure, joined) in zip(rates, parts, strict=True):
                if rate.kind != "predictive" and not self._is_possible(rate, sure, joined=joined):
                    yield say(
                        "{where}: {what}",
                        where=f"{name}, {rate.group}",
                        what=say("a rate that no number of people in the cells gives"),
                    )
            share_nobody = not any(joined for _, joined in parts) and not _overlap(parts)
            of_all = [one for one, other in zip(stated, measured, strict=True) if other.asked is asked]
            follows = self._follows(said, asked, of_all, share_nobody=share_nobody)
            if not follows or not _is_logarithm(said, self.table.decimals):
                yield say("{name}: not the figure and interval of the rates that it compares", name=name)

    @property
    def is_of_one_population(self) -> bool:
        """Whether intervals are of the same people as figures; beside shares they hold for the exact people too."""
        return self.table.small_cells.is_exact and self.table.population != "shares"

    def _of_rates(
        self, said: Assessment, found: Measured, asked: GroupMeasure
    ) -> list[tuple[str, str | None]]:
        """Of whom rates must be stated; the most favoured group is the one that is said to be."""
        if said.measure == "impact_ratio" and said.groups is not None:
            groups = values_of_groups(self.table.cells, asked.groups)
            return [(name, None) for name in groups if name in said.groups]
        return [(rate.group, rate.kind) for rate in found.rates]

    def _people(self, asked: GroupMeasure, said: Assessment, rate: GroupRate) -> tuple[Mask, bool]:
        """The cells of a rate, and whether people who are published otherwise, or left out, may belong to it."""
        cells = self.table.cells
        conditions = [values_of_groups(cells, asked.groups)[rate.group]]
        conditions.append({name: (value,) for name, value in (said.given or {}).items()})
        if isinstance(asked, ErrorRates):
            positive = rate.kind in ("true_positive", "false_negative")
            side = asked.positive_values if positive else asked.negative_values
            conditions.append({asked.label: side(cells.process)})
        sure, perhaps, left_out = who_may_join(cells, conditions)
        return sure, bool(perhaps.any() or left_out)

    def _is_possible(self, rate: GroupRate, sure: Mask, *, joined: bool) -> bool:
        """Whether some numbers of people in these cells give a rate and its interval, as they are rounded."""
        said: Certified = rate
        if rate.kind == "false_negative":
            mirrored = (1 - rate.high, 1 - rate.low)
            said = Certified.model_construct(value=1 - rate.value, interval=mirrored)
        if not sure.any():
            return joined
        table, truths = self.table, Truths(self.table)
        favourable = [table.cells.process.outcome.favourable]
        announced = table.announced[sure].astype(object) * (truths.denominator // table.scale)
        lower, upper = (end[sure].astype(object) for end in truths.band(favourable))

        def is_mean(steps: Fraction, of_cells: ExactArray, below: Fraction, above: Fraction) -> bool:
            least, most = (
                Fraction(int(end) * table.scale, truths.denominator)
                for end in (of_cells.min(), of_cells.max())
            )
            return least - below <= steps <= most + above

        value, low, high = (Fraction(number) * table.scale for number in (said.value, said.low, said.high))
        half, step, free = Fraction(1, 2), Fraction(1), Fraction(table.scale)
        outward = free if joined else step  # whoever joins the group moves its rate further
        inward = free if table.rates is not None else Fraction(0)  # a kept rate may be narrower than any band
        apart_from = free if joined or not self.is_of_one_population else half + step
        return (
            low <= value <= high
            and is_mean(value, announced, half, half)
            and is_mean(low, lower, outward, inward)
            and is_mean(high, upper, inward, outward)
            and is_mean(value - low, announced - lower, inward + half, apart_from)
            and is_mean(high - value, upper - announced, inward + half, apart_from)
        )

    def _follows(
        self, said: Assessment, asked: GroupMeasure, of_all: Sequence[Assessment], *, share_nobody: bool
    ) -> bool:
        """Whether a comparison is what its printed rates give, as far as they are rounded."""
        result, table = said.result, self.table
        if result is None or len(table.cells.process.outcome.values) > 2:
            return True  # of several outcomes not all rates are printed
        known: dict[str, list[GroupRate]] = {}
        for rate in said.rates or ():
            known.setdefault(rate.group, []).append(rate)
        if said.measure == "impact_ratio":
            of = {rate.group: rate for each in of_all for rate in each.rates or ()}
            known = {name: [of[name]] for name in values_of_groups(table.cells, asked.groups) if name in of}
        step = Fraction(1, table.scale)
        figure, widest, narrowest = (
            _compared(said, {name: [_range(rate, step, kind) for rate in of] for name, of in known.items()})
            for kind in ("figure", "widest", "narrowest")
        )
        if figure is None or widest is None:
            return True
        value, low, high = (Fraction(number) for number in (result.value, result.low, result.high))
        holds = figure.low - step <= value <= figure.high + step
        holds = holds and widest.low - step <= low and high <= widest.high + step
        together = table.rates is not None and said.measure in ("group_disparity", "impact_ratio")
        of_several = table.population == "shares"  # each interval is as wide as one of them makes it
        if narrowest is None or together or of_several or not share_nobody:
            return holds
        return holds and low <= narrowest.low + step and narrowest.high - step <= high


def _is_logarithm(said: Assessment, decimals: int) -> bool:
    """Whether the ratio as a logarithm is that of the ratio as it is printed, as far as that is rounded."""
    log, ratio = said.log_ratio, said.result
    if log is None or ratio is None:
        return log is None or log.value is None
    if log.value is None or log.interval is None:
        return log.value == log.interval and ratio.low == 0
    step = Decimal(1).scaleb(-decimals)
    figures = (
        (log.value, ratio.value - step / 2, ratio.value + step / 2, step / 2),
        (log.interval[0], ratio.high - step, ratio.high, step),
        (log.interval[1], ratio.low, ratio.low + step, step),
    )
    return all(
        printed >= -most.ln() - off and (least <= 0 or printed <= max(Decimal(0), -least.ln()) + off)
        for printed, least, most, off in figures
        if most > 0
    )


def _overlap(parts: Sequence[tuple[Mask, bool]]) -> bool:
    """Whether somebody is in two groups that are compared, so that their rates move together."""
    alike = {sure.tobytes(): sure for sure, _ in parts}  # equalised odds compare each group twice
    return bool(np.sum([*alike.values()], axis=0).max(initial=0) > 1)


def _range(rate: GroupRate, step: Fraction, kind: str) -> Range:
    """A printed rate as exact ends: those between which the figure was rounded, or the widest or narrowest interval."""
    value, low, high = (Fraction(number) for number in (rate.value, rate.low, rate.high))
    if kind == "figure":
        return Range(value, max(Fraction(0), value - step / 2), min(Fraction(1), value + step / 2))
    return Range(value, low, high) if kind == "widest" else Range(value, low + step, high - step)


def _compared(said: Assessment, rates: Mapping[str, Sequence[Range]]) -> Range | None:
    """What a measure gives of rates of groups that share nobody; None where it is not of rates alone."""
    of_groups = [*rates.values()]
    if said.groups is None or any(each.low > each.high for of in of_groups for each in of):
        return None
    if said.measure == "impact_ratio":
        own, *others = (rates[said.groups[0]], *(of for name, of in rates.items() if name != said.groups[0]))
        return impact_range([apart(own[0], other[0]) for other in others])
    if said.measure == "group_disparity":
        return disparity_range([of[0] for of in of_groups])
    if len(of_groups) != 2:
        return None
    pairs = [apart(a, b) for a, b in zip(*of_groups, strict=True)]
    if said.measure == "error_rates":
        return largest([difference_range(pair) for pair in pairs])
    if said.by_outcome:
        return smaller_of_both(pairs[0])
    return OF_TWO_RATES[said.measure](pairs[0])


def privacy_findings(report: Report) -> Iterator[str]:
    """Where a confidence or a lift is one that no population gives, beside an odds factor that depends on none.

    What somebody was sure of moves by no more than the odds, and on average over outcomes it does not move at all.
    """
    table = report.rule_table
    cells, step = table.cells, Fraction(1, table.scale)
    starts = cells.group_starts.tolist()
    for group, start, end in zip(report.privacy.groups, starts, [*starts[1:], len(cells)], strict=True):
        possible = all(
            _some_population(group, steps / table.scale, protected.index[start:end])
            for protected in cells.protected
            for steps in table.mapping[start:end].T
        )
        figures = Fraction(group.prior), Fraction(group.beta), group.lift, group.odds
        if not (possible and _moves_so_far(*figures, step)):
            named = ", ".join(group.qid.values())
            yield say(
                "{where}: {what}",
                where=f"privacy, {named}" if named else "privacy",
                what=say("a confidence that no number of people in the cells gives"),
            )
    of_groups = {tuple(group.qid.items()): group for group in report.privacy.groups}
    for attribute in report.privacy.attributes or ():
        for value in attribute.values:
            its = of_groups.get(tuple(value.rise.qid.items()))
            if its is None or value.rise.before > its.prior or value.rise.after > its.beta:
                yield say(
                    "{where}: {what}",
                    where=f"privacy, {attribute.name}, {value.value}",
                    what=say("not the group in which it rises most"),
                )
            figures = Fraction(value.before), Fraction(value.after), value.lift, report.privacy.odds
            rise = Fraction(value.rise.before), Fraction(value.rise.after), value.lift, report.privacy.odds
            if not (_moves_so_far(*figures, step) and _moves_so_far(*rise, step)):
                yield say(
                    "{where}: {what}",
                    where=f"privacy, {attribute.name}, {value.value}",
                    what=say("a confidence that no number of people in the cells gives"),
                )
    rises = [Fraction(group.beta) - Fraction(group.prior) for group in report.privacy.groups]
    added, of_one = Fraction(report.privacy.contribution), AnyPopulation(table).is_of_one_population
    if not max(rises) <= added or (of_one and added > max(rises) + step):
        yield say("{where}: {what}", where="privacy", what=say("not the most that the report adds"))


def _some_population(group: GroupPrivacy, announced: NDArray[np.float64], values: NDArray[np.int64]) -> bool:
    """Whether shares of a group's values can make one, none above the prior, nor above beta after an outcome or its lack.

    Where m of the people get the outcome, a value's share p has p × (its probability) <= beta × m, and the same for those
    who do not get it. The sum of what shares can be is concave in m, and largest where two of these limits meet.
    """
    each = np.unique(values)
    least = np.array([announced[values == value].min() for value in each])
    most = np.array([announced[values == value].max() for value in each])
    prior, beta = float(group.prior), float(group.beta)
    meet = (
        [prior * least / beta, 1 - prior * (1 - most) / beta, least / np.maximum(least + 1 - most, 1e-12)]
        if beta
        else []
    )
    points = np.clip(np.concatenate([[0.0, 1.0], *meet]), 0, 1)[:, None]
    with np.errstate(all="ignore"):
        with_it = np.where(least > 0, beta * points / least, prior)
        without_it = np.where(most < 1, beta * (1 - points) / (1 - most), prior)
    shares = np.minimum(np.minimum(with_it, without_it), prior)
    return bool(shares.sum(axis=1).max() >= 1 - 1e-9)


def _moves_so_far(
    before: Fraction, after: Fraction, lift: Decimal | None, odds: Decimal | None, step: Fraction
) -> bool:
    """Whether a confidence moves no further than the odds factor allows, as they are rounded up."""
    if after < before or (lift is not None and odds is not None and lift > Fraction(odds) + step):
        return False
    if lift is not None and before * (Fraction(lift) + step) < after - step:
        return False  # the value that somebody is surest of became at least so much likelier
    if odds is None:
        return True
    factor = Fraction(odds)
    return after - step <= factor * before / (1 - before + factor * before)
