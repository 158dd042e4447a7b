"""Individual fairness: by how much people are treated more differently than they differ.

The bias is the largest value, over pairs of cells, of the distance between their decisions minus the distance between
the people; at least 0. Cells that agree in every attribute that counts form a class, and of a class only the extreme
decisions matter; :mod:`atreport.analysis.largest_excess` finds the largest over pairs of classes. The maximum is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from atreport.analysis.bounds import difference_bound, log_bound
from atreport.analysis.distances import Axis, Steps, counts, denominators, make_axis
from atreport.analysis.largest_excess import largest_excess
from atreport.analysis.measures.measured import Measured
from atreport.analysis.ranges import Range
from atreport.population.cells import ExactArray, IntArray
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import IndividualFairness

LOG_UNIT = Fraction(1, 10**13)
"""Logarithms are taken in whole numbers of this unit."""
_LOG_ERROR = Fraction(1, 10**11)  # far above the rounding of logarithms and distances, below any printed step


def measure(table: RuleTable, asked: IndividualFairness, *, unknown: bool) -> Iterator[Measured]:
    """The bias over all pairs of people, and the interval the true bias lies in.

    `unknown` makes no difference: no groups are compared.
    """
    del unknown
    total_variation = asked.metric == "total_variation"
    found, bias = _total_variation(table, asked) if total_variation else _relative(table, asked)
    yield Measured(
        asked=asked,
        groups=None,
        given=None,
        ranges=None if found is None else (found,),
        a_priori=difference_bound(table) if total_variation else log_bound(table),
        value_at_most=bias.at_most if bias.at_most > bias.value else None,
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


@dataclass(frozen=True, kw_only=True)
class Bias:
    """The bias, its limits, and where the search had to end early, how much larger the announced bias may be."""

    value: Fraction
    at_most: Fraction
    low: Fraction
    high: Fraction

    def or_larger(self, other: Bias) -> Bias:
        """The larger of two, end by end."""
        return Bias(
            value=max(self.value, other.value),
            at_most=max(self.at_most, other.at_most),
            low=max(self.low, other.low),
            high=max(self.high, other.high),
        )


_NO_BIAS = Bias(value=Fraction(0), at_most=Fraction(0), low=Fraction(0), high=Fraction(0))


def _bias(classes: Classes, announced: Steps, low: Steps, high: Steps, unit: Fraction) -> Bias:
    value, at_most = classes.largest_excess(announced, announced)
    return Bias(
        value=value * unit,
        at_most=at_most * unit,
        low=classes.largest_excess(low, high)[0] * unit,
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Probabilities:
    """The probability of an outcome, or of any of some outcomes, in every cell; whole numbers over a denominator."""

    announced: ExactArray
    lower: ExactArray
    upper: ExactArray
    scale: int  # of what is announced
    denominator: int  # of the bounds


def _total_variation(table: RuleTable, measure: IndividualFairness) -> tuple[Range | None, Bias]:
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
    for of in _sets_of_outcomes(table, outcomes):
        unit = factor / math.lcm(of.scale, of.denominator, whole * factor.numerator)
        classes = _classes(table, measure, unit)
        announced = _times(of.announced, int(factor / of.scale / unit))
        low, high = (_times(bound, int(factor / of.denominator / unit)) for bound in (of.lower, of.upper))
        found = found.or_larger(_bias(classes, announced, low, high, unit))
    return Range(found.value, found.low, found.high), found


def _sets_of_outcomes(table: RuleTable, outcomes: Sequence[str]) -> Iterator[Probabilities]:
    """Every set of outcomes up to swapping it with its complement; of two outcomes, one is enough."""
    bands = {outcome: table.truth_of(outcome) for outcome in outcomes}
    first, *others = outcomes
    for size in range(len(others)):
        for chosen in combinations(others, size):
            inside = (first, *chosen)
            outside = [outcome for outcome in outcomes if outcome not in inside]
            whole = math.lcm(*(band.denominator for band in bands.values()))
            lower, upper = (
                {o: _times(getattr(bands[o], end), whole // bands[o].denominator) for o in outcomes}
                for end in ("lower", "upper")
            )
            yield Probabilities(
                announced=_sum([table.announced_of(outcome) for outcome in inside]),
                lower=np.maximum(_sum([lower[o] for o in inside]), whole - _sum([upper[o] for o in outside])),
                upper=np.minimum(_sum([upper[o] for o in inside]), whole - _sum([lower[o] for o in outside])),
                scale=table.scale,
                denominator=whole,
            )


def _times(steps: ExactArray, factor: int) -> ExactArray:
    """The exact product, in Python integers where it, or the sum of a few such, could overflow."""
    largest = max(1, int(np.abs(steps).max())) * factor
    return np.asarray(np.asarray(steps, dtype=object if largest >= 2**57 else steps.dtype) * factor)


def _sum(arrays: Sequence[ExactArray]) -> ExactArray:
    return np.asarray(np.sum(np.stack(arrays), axis=0))


def _relative(table: RuleTable, measure: IndividualFairness) -> tuple[Range | None, Bias]:
    """The same with the largest |log ratio| over outcomes; None where a probability may be 0 beside one that is not."""
    classes = _classes(table, measure, LOG_UNIT)
    found = _NO_BIAS
    for outcome in table.cells.process.outcome.values:
        truth = table.truth_of(outcome)
        if (truth.upper == 0).all():
            continue
        if (truth.lower == 0).any():
            return None, found
        announced = _logs(table.announced_of(outcome), table.scale, np.rint)
        low = _logs(truth.lower, truth.denominator, np.floor)
        high = _logs(truth.upper, truth.denominator, np.ceil)
        found = found.or_larger(_bias(classes, announced, low, high, LOG_UNIT))
    slack = _LOG_ERROR if found.high > 0 else Fraction(0)
    return Range(found.value, max(Fraction(0), found.low - slack), found.high + slack), found


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
