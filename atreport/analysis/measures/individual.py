"""Individual fairness: by how much people are treated more differently than they differ.

The bias is the largest value, over pairs of cells, of the distance between their decisions minus the distance between
the people; at least 0. Cells that agree in every attribute that counts form a class, and of a class only the extreme
decisions matter; :mod:`atreport.analysis.largest_excess` finds the largest over pairs of classes. The maximum is exact.

Guarantee: the true bias lies in the interval. Under the band, for two outcomes and up to MOST_CLASSES classes (or distances
that keep the triangle inequality), both ends are attained. Kept rates narrow each cell's band first: the upper end is
attained then too; the lower may be lower than necessary.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from atreport.analysis.bounds import difference_bound, log_bound
from atreport.analysis.distances import Axis, Steps, counts, denominators, make_axis
from atreport.analysis.largest_excess import largest_excess, largest_over_ways
from atreport.analysis.measures.measured import Measured, NotMeasured
from atreport.analysis.possible_rules import outcome_sets, tight_bands
from atreport.analysis.ranges import Range
from atreport.kit.exact import product, sum_of
from atreport.population.cells import ExactArray, IntArray
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import IndividualFairness

MOST_CLASSES = 300
"""The most classes of people between whom ways over others are looked for, where distances are no metric."""

LOG_UNIT = Fraction(1, 10**13)
"""Logarithms are taken in whole numbers of this unit."""
_LOG_ERROR = Fraction(1, 10**11)  # far above the rounding of logarithms and distances, below any printed step
_NOTHING = -(10**15)  # stands for the logarithm of 0: so low that no difference from it counts


def measure(
    table: RuleTable, asked: IndividualFairness, *, unknown: bool
) -> Iterator[Measured | NotMeasured]:
    """The bias over all pairs of people, and the interval the true bias lies in.

    Not where values are joined: of the people under such a value only the average decision is announced, and they may be
    treated as differently as can be. People who are left out may be, too: nothing but the lower end is known then.
    `unknown` makes no difference: no groups are compared.
    """
    del unknown
    if table.cells.process.has_joined(attribute.name for attribute in table.cells.process.attributes):
        yield NotMeasured(asked=asked, groups=None, given=None, reason="joined")
        return
    total_variation = asked.metric == "total_variation"
    bias = _total_variation(table, asked) if total_variation else _relative(table, asked)
    a_priori = difference_bound(table) if total_variation else log_bound(table)
    if table.cells.left_out:
        most = Fraction(2, table.mapping.shape[1]) if total_variation else None
        bias, a_priori = replace(bias, high=most), None
    yield Measured(
        asked=asked,
        groups=None,
        given=None,
        ranges=None if bias.high is None else (Range(bias.value, bias.low, bias.high),),
        a_priori=a_priori,
        at_least=bias.low if bias.high is None and bias.low > 0 else None,
        value_at_most=bias.at_most if bias.high is not None and bias.at_most > bias.value else None,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Classes:
    """Cells sorted so that those alike in all that counts form a run, and how far runs are apart."""

    order: IntArray
    starts: IntArray
    codes: Sequence[IntArray]  # for each axis the value of every class
    axes: Sequence[Axis]

    def largest_excess(self, upper: Steps, lower: Steps) -> tuple[int, int]:
        """The largest upper[i] - lower[j] - distance(i, j) over pairs of different cells, at least 0: proven limits."""
        upper, lower = upper[self.order], lower[self.order]
        within = max(0, _largest_within(upper, lower, self.starts))
        highest, lowest = np.maximum.reduceat(upper, self.starts), np.minimum.reduceat(lower, self.starts)
        at_least, at_most = largest_excess(highest, lowest, self.codes, self.axes)
        return max(within, at_least), max(within, at_most)

    def least_bias(self, low: Steps, high: Steps) -> Fraction:
        """The least that the bias can be, with every decision between two bounds, in units of distance.

        Decisions of two cells differ by at least low[i] - high[j]. On the way from one to the other over further cells, each
        step differs by no more than its distance and the bias, so a way of n steps shows a bias of at least the n-th
        part of what is left of the difference. Where distances keep the triangle inequality one step shows most, and
        the largest of all ways is attained.
        """
        low, high = low[self.order], high[self.order]
        found = Fraction(max(0, _largest_within(low, high, self.starts)))
        lows, highs = np.maximum.reduceat(low, self.starts), np.minimum.reduceat(high, self.starts)
        found = max(found, Fraction(largest_excess(lows, highs, self.codes, self.axes)[0]))
        if all(axis.is_metric for axis in self.axes) or len(self.starts) > MOST_CLASSES:
            return found
        distances = sum_of(
            [
                axis.between(column[:, None], column[None, :])
                for axis, column in zip(self.axes, self.codes, strict=True)
            ]
        )
        return largest_over_ways(lows, highs, distances, found)


@dataclass(frozen=True, kw_only=True)
class Bias:
    """The bias, its limits, and where the search had to end early, how much larger the announced bias may be."""

    value: Fraction
    at_most: Fraction
    low: Fraction
    high: Fraction | None  # None: nothing bounds it

    def or_larger(self, other: Bias) -> Bias:
        """The larger of two, end by end."""
        return Bias(
            value=max(self.value, other.value),
            at_most=max(self.at_most, other.at_most),
            low=max(self.low, other.low),
            high=None if self.high is None or other.high is None else max(self.high, other.high),
        )


_NO_BIAS = Bias(value=Fraction(0), at_most=Fraction(0), low=Fraction(0), high=Fraction(0))


def _bias(classes: Classes, announced: Steps, low: Steps, high: Steps, unit: Fraction) -> Bias:
    value, at_most = classes.largest_excess(announced, announced)
    return Bias(
        value=value * unit,
        at_most=at_most * unit,
        low=classes.least_bias(low, high) * unit,
        high=classes.largest_excess(high, low)[1] * unit,
    )


def _classes(table: RuleTable, measure: IndividualFairness, unit: Fraction) -> Classes:
    cells = table.cells
    axes, columns = [], [np.zeros(len(cells), dtype=np.int64)]
    for name, distance in measure.distance.items():
        if counts(distance):
            axis, column = make_axis(cells.process.attribute(name), distance, cells.column(name), unit)
            axes.append(axis)
            columns.append(column)
    order = np.lexsort(columns)
    codes = np.stack(columns)[:, order]
    starts = np.flatnonzero(np.concatenate([[True], (codes[:, 1:] != codes[:, :-1]).any(axis=0)]))
    return Classes(order=order, starts=starts, codes=list(codes[1:, starts]), axes=axes)


def _total_variation(table: RuleTable, measure: IndividualFairness) -> Bias:
    """The sum of |difference| over the outcomes, divided by their number, minus the distance; at least 0.

    Differences sum to 0, so their sizes sum to twice the largest difference in the probability of a set of outcomes.
    """
    outcomes = table.cells.process.outcome.values
    factor = Fraction(2, len(outcomes))
    process = table.cells.process
    whole = math.lcm(
        1, *(d for name, far in measure.distance.items() for d in denominators(process.attribute(name), far))
    )
    found = _NO_BIAS
    for of in outcome_sets(outcomes):
        low, high, denominator = tight_bands(table, of)
        unit = factor / math.lcm(table.scale, denominator, whole * factor.numerator)
        classes = _classes(table, measure, unit)
        steps = product(
            sum_of([table.announced_of(outcome) for outcome in of]), int(factor / table.scale / unit)
        )
        low, high = (product(bound, int(factor / denominator / unit)) for bound in (low, high))
        found = found.or_larger(_bias(classes, steps, low, high, unit))
    return found


def _relative(table: RuleTable, measure: IndividualFairness) -> Bias:
    """The same with the largest |log ratio| over outcomes; no upper end where a probability may be 0 beside one that is not.

    Of a probability that may be 0, nothing but its upper end says how far apart two cells are at least; one that is 0 for
    certain counts there as one printed step, since a logarithm has no end.
    """
    classes = _classes(table, measure, LOG_UNIT)
    found = _NO_BIAS
    for outcome in table.cells.process.outcome.values:
        low, high, whole = tight_bands(table, (outcome,))
        if (high == 0).all():
            continue
        step = -(-whole // table.scale)
        least = np.where(low > 0, _logs(np.maximum(low, 1), whole, np.floor), _NOTHING)
        most = _logs(np.maximum(high, step), whole, np.ceil)
        if (low == 0).any():
            at_least = max(Fraction(0), classes.least_bias(least, most) * LOG_UNIT - _LOG_ERROR)
            found = found.or_larger(replace(_NO_BIAS, low=at_least, high=None))
            continue
        announced = _logs(table.announced_of(outcome), table.scale, np.rint)
        of_outcome = _bias(classes, announced, least, most, LOG_UNIT)
        assert of_outcome.high is not None
        slack = _LOG_ERROR if of_outcome.high > 0 else Fraction(0)
        low_end = max(Fraction(0), of_outcome.low - slack)
        found = found.or_larger(replace(of_outcome, low=low_end, high=of_outcome.high + slack))
    return found


def _logs(steps: ExactArray, scale: int, rounded: Callable[..., Steps]) -> IntArray:
    logs = np.log(np.asarray(steps, dtype=np.float64) / float(scale))
    return np.asarray(rounded(logs * float(1 / LOG_UNIT)), dtype=np.int64)


def _largest_within(upper: Steps, lower: Steps, starts: IntArray) -> int:
    """The largest upper[i] - lower[j] over different cells i, j of one class; 0 where every class is one cell."""
    label = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(upper))))
    by_upper = np.lexsort((-upper, label))
    by_lower = np.lexsort((lower, label))
    several = starts[np.diff(np.append(starts, len(upper))) > 1]
    if not len(several):
        return 0
    best, next_best = by_upper[several], by_upper[several + 1]
    least, next_least = by_lower[several], by_lower[several + 1]
    apart = np.where(
        best != least,
        upper[best] - lower[least],
        np.maximum(upper[next_best] - lower[least], upper[best] - lower[next_least]),
    )
    return int(apart.max())
