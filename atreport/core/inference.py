"""What one who takes a rule for the truth can infer from it about a person: confidence, lift and odds, exact.

Guarantee: figures are calculated in whole numbers from printed probabilities and rounded up to printed steps, so no
reader can infer more than is stated, for any of the populations given. Where only the fewest and the most people of a cell
are published, that is for every population between them.

A lift or an odds factor of 1 as printed is exactly 1. With such a lift no single sensitive value becomes more likely. With
such an odds factor, and only then, the rule adds nothing to what the population alone tells of a group.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from atreport.core.cells import Cells, ExactArray, IntArray, Protected, run_starts
from atreport.core.exact import product, run_sums
from atreport.core.suppression import people_bounds

UNBOUNDED = int(np.iinfo(np.int64).max)
"""The odds factor, in steps, where an outcome rules something out: larger than any other."""

MOST_DIGITS = 15
"""So many digits every reader of JSON keeps, also one that reads numbers in floating point."""

Population = IntArray | tuple[IntArray, IntArray]
"""People in each cell; or the fewest and the most, where that is all that is published."""

_DOUBT = 1e-14
"""Quotients of floats are closer than this, relatively, to the exact ones; as close to a step, we calculate exactly."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ValueInference:
    """What can be inferred about one sensitive attribute, by (QID group, value), in whole steps, rounded up."""

    protected: Protected
    before: IntArray  # confidence in the value before any report
    after: IntArray  # the highest confidence in it after any outcome
    lift: ExactArray  # how many times as likely it becomes at most


@dataclass(frozen=True, kw_only=True, eq=False)
class Inference:
    """What can be inferred in each QID group, in whole steps of 10^-decimals, rounded up."""

    beta: IntArray  # the highest confidence in a sensitive value after any outcome
    prior: IntArray  # and before any report
    lift: ExactArray  # how many times as likely a sensitive value becomes at most
    # the factor by which anybody's odds can change; UNBOUNDED where something can be ruled out
    odds: IntArray
    contribution: int  # the most that the rule adds to what was known of a group before it
    attributes: tuple[ValueInference, ...]  # one for each sensitive attribute


def populations_of(cells: Cells, weights: Sequence[IntArray]) -> list[Population]:
    """All that a bound must hold for: the populations given, and every one that what is published allows."""
    return [*weights, *([people_bounds(cells)] if cells.between is not None else [])]


def posterior_bounds(
    cells: Cells, mapping: IntArray, populations: Sequence[Population], decimals: int
) -> Inference:
    """All that can be inferred from a rule (cells, outcomes) in whole steps, for the worst of some populations."""
    everybody = np.full((len(cells), 1), 10**decimals)  # one outcome that befalls all: what was known before
    attributes = []
    for protected in cells.protected:
        before, after = (
            np.maximum.reduce(
                [value_confidence(cells, protected, rule, people, decimals) for people in populations]
            )
            for rule in (everybody, mapping)
        )
        lift = np.maximum.reduce(
            [value_lift(cells, protected, mapping, people, decimals) for people in populations]
        )
        attributes.append(ValueInference(protected=protected, before=before, after=after, lift=lift))
    beta, prior, lift = (
        np.maximum.reduce([by_group(each.protected, getattr(each, name)) for each in attributes])
        for name in ("after", "before", "lift")
    )
    at_least = np.minimum.reduce(
        [confidence(cells, everybody, people, decimals, up=False) for people in populations]
    )
    return Inference(
        beta=beta,
        prior=prior,
        lift=lift,
        odds=odds_factor(cells, mapping, decimals),
        contribution=int((beta - at_least).max()),
        attributes=tuple(attributes),
    )


def by_group(protected: Protected, of_values: ExactArray) -> ExactArray:
    """The largest figure of each QID group, of figures by (QID group, value)."""
    return np.asarray(np.maximum.reduceat(of_values, run_starts(protected.group)))


def confidence(
    cells: Cells, mapping: IntArray, population: Population, decimals: int, *, up: bool = True
) -> IntArray:
    """The largest confidence in each QID group, in whole printed steps, rounded up (or down); exact."""
    return np.asarray(
        np.maximum.reduce(
            [
                by_group(protected, value_confidence(cells, protected, mapping, population, decimals, up=up))
                for protected in cells.protected
            ]
        )
    )


def value_confidence(
    cells: Cells,
    protected: Protected,
    mapping: IntArray,
    population: Population,
    decimals: int,
    *,
    up: bool = True,
) -> IntArray:
    """The largest confidence in each (QID group, value) after any outcome, in whole printed steps; exact.

    For an outcome with announced probability a and weight w in each cell, the confidence in a sensitive value is the
    sum of w·a over its cells divided by the sum over the group. An outcome that never occurs teaches nothing. Where
    only bounds on the weights are given, the largest (or, rounded down, the least) that any weights between them give:
    it grows with the weights of the value's own cells and falls with those of the others.
    """
    fewest, most = _ends(population)
    own_weight, other_weight = (most, fewest) if up else (fewest, most)
    highest = np.zeros(len(protected.starts), dtype=np.int64)
    for steps in mapping.T:
        own_joint, other_joint = product(own_weight, steps), product(other_weight, steps)
        of_others = run_sums(other_joint, cells.group_starts)
        own = protected.sums(own_joint)
        whole = own + of_others[protected.group] - protected.sums(other_joint)
        in_steps = _ratio((own, 1), (whole, 1), 10**decimals, up=up)
        highest = np.maximum(highest, in_steps.astype(np.int64))
    return highest


def value_lift(
    cells: Cells, protected: Protected, mapping: IntArray, population: Population, decimals: int
) -> ExactArray:
    """How many times as likely each (QID group, value) becomes after any outcome at most, in steps, rounded up.

    That is the mean of an outcome's probability over the value's cells, divided by its mean over the group. Where only
    bounds on the weights are given, the highest mean that they allow by the lowest: no weights between them give more, and
    where a value is a single cell, some give as much.
    """
    fewest, most = _ends(population)
    order, lift = protected.order, np.zeros(len(protected.starts), dtype=np.int64)
    for steps in mapping.T:
        own = _extreme_mean(steps[order], fewest[order], most[order], protected.starts, highest=True)
        whole = _extreme_mean(steps, fewest, most, cells.group_starts, highest=False)
        of_group = [part[protected.group] for part in whole]
        lift = np.maximum(lift, _ratio((own[0], of_group[1]), (own[1], of_group[0]), 10**decimals, up=True))
    return _short(lift)


def odds_factor(cells: Cells, mapping: IntArray, decimals: int) -> IntArray:
    """The factor by which an outcome can change anybody's odds, in each QID group, in steps, rounded up; exact.

    The largest probability of an outcome in a cell, divided by the least. It depends on no population, so it holds
    whatever one believed before, and for every statement about the cells of a group.
    """
    odds = np.full(len(cells.group_starts), 10**decimals, dtype=np.int64)
    for steps in mapping.T:
        largest = np.maximum.reduceat(steps, cells.group_starts)
        least = np.minimum.reduceat(steps, cells.group_starts)
        factor = -(-largest * 10**decimals // np.where(least > 0, least, 1))
        odds = np.maximum(odds, np.where(least > 0, factor, np.where(largest > 0, UNBOUNDED, 0)))
    return np.where(odds < UNBOUNDED, _short(np.where(odds < UNBOUNDED, odds, 0)), UNBOUNDED).astype(np.int64)


def factor_printed(steps: int, decimals: int) -> Decimal | None:
    """A lift or an odds factor as it is printed; None where there is no limit."""
    return None if steps == UNBOUNDED else Decimal(steps).scaleb(-decimals)


def _ends(population: Population) -> tuple[IntArray, IntArray]:
    return population if isinstance(population, tuple) else (population, population)


def _extreme_mean(
    steps: IntArray, fewest: ExactArray, most: ExactArray, starts: IntArray, *, highest: bool
) -> tuple[ExactArray, ExactArray]:
    """The highest (or lowest) mean of each run, over all weights between the two, as numerator and denominator.

    Weights at their most where a step is beyond the mean, else at their fewest: each round comes closer, and there are no
    more rounds than cells in a run.
    """
    sizes = np.diff(np.append(starts, len(steps)))
    weight = most
    while True:
        above, below = run_sums(product(weight, steps), starts), run_sums(weight, starts)
        each = product(steps, np.repeat(below, sizes)), np.repeat(above, sizes)
        beyond = each[0] > each[1] if highest else each[0] < each[1]
        following = np.where(beyond, most, fewest)
        # at the mean itself a weight does not matter; only a change beyond it can improve
        if fewest is most or (following == weight)[each[0] != each[1]].all():
            return above, below
        weight = following


def _ratio(
    above: tuple[ExactArray, ExactArray | int],
    below: tuple[ExactArray, ExactArray | int],
    scale: int,
    *,
    up: bool,
) -> ExactArray:
    """The product of two by the product of two, in steps, rounded up or down; 0 where the divisor is 0. Exact.

    Products of sums of people pass 64 bits in tables of a million people, so floats decide wherever they are far enough
    from a whole step, and whole numbers of any size where they are not.
    """
    parts = np.broadcast_arrays(*above, *below)
    possible = (parts[2] != 0) & (parts[3] != 0)
    a, b, c, d = (np.where(possible, part, one) for part, one in zip(parts, (0, 0, 1, 1), strict=True))
    rough = a.astype(np.float64) * b.astype(np.float64) / c.astype(np.float64) / d.astype(np.float64) * scale
    steps = np.ceil(rough) if up else np.floor(rough)
    small = steps.max(initial=0) < 2**62
    found = steps.astype(np.int64) if small else np.array([int(step) for step in steps], dtype=object)
    doubtful = np.flatnonzero(np.abs(rough - np.rint(rough)) <= _DOUBT * rough)
    a, b, c, d = (part[doubtful] for part in (a, b, c, d))
    sign = -1 if up else 1
    found[doubtful] = sign * (product(a, b, sign * scale) // product(c, d))
    return found


def _short(steps: ExactArray) -> ExactArray:
    """The same rounded up to a number of 15 digits, where it has more."""
    unit = 1
    while (long := steps >= unit * 10**MOST_DIGITS).any():  # up to 10^18, so rounding up stays within 64 bits
        unit *= 10
        steps = np.where(long, -(-steps // unit) * unit, steps)
    return steps
