"""Which true rules are possible, given what is published: a band in every cell, and a rate in every QID group.

A report says how far each announced probability can be from the true one (its fidelity), and it may say how far the rate of
every outcome can be from the true one in every group of people who are alike in the public attributes (its ``rates``).
So in each QID group the true probabilities of an outcome lie in

    lower <= D <= upper in every cell,     least <= sum of people × D <= most over the group,

and groups are independent of each other. What has several outcomes is asked about one set of outcomes at a time.

Guarantee: everything is in whole numbers and exact. For two outcomes these are all the possible rules. For more, the ends
of each cell's band and (up to MOST_OUTCOMES outcomes) of each group's total are attained by a rule in which all outcomes
keep their bounds: in a cell, and so in a group, the probabilities of all sets of outcomes make a base polytope, and it
stays one between bounds on single outcomes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from atreport.kit.exact import class_sums, product, sum_of, widen
from atreport.population.band import Band
from atreport.population.cells import ExactArray, IntArray
from atreport.rule_table import RuleTable

FINER = 10**6
"""How many steps a step is cut into where bounds that are no whole number are rounded outward."""

MOST_OUTCOMES = 6
"""The most outcomes for which totals of a group are made as narrow as all sets of outcomes allow."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PossibleRules:
    """Where the true probabilities of some outcomes can lie, for one population.

    Probabilities are whole numbers over `denominator`; totals are sums of people × those.
    """

    announced: ExactArray
    lower: ExactArray
    upper: ExactArray
    denominator: int
    people: ExactArray
    group: IntArray  # of each cell: its QID group; where no rates are kept, all cells are one group
    least: ExactArray  # of each group: the least that its total can be
    most: ExactArray
    keeps_rates: bool

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return len(self.least)

    @property
    def band(self) -> Band:
        """Where each cell's probability can lie."""
        return Band(lower=self.lower, upper=self.upper, denominator=self.denominator)

    def sums(self, of_cells: ExactArray, index: IntArray, count: int) -> ExactArray:
        """Sums of people × something over classes of cells."""
        return class_sums(product(self.people, of_cells), index, count)

    def totals(self, members: IntArray, index: IntArray, count: int) -> tuple[ExactArray, ExactArray]:
        """The least and the most that the total of some cells can be, by class.

        Of the part that lies in one QID group: what its bands allow, and what the group's total leaves beside the rest.
        """
        lower, upper = (product(self.people, bound)[members] for bound in (self.lower, self.upper))
        if not self.keeps_rates:
            return class_sums(lower, index, count), class_sums(upper, index, count)
        parts, part = np.unique(index * self.groups + self.group[members], return_inverse=True)
        low, high = (class_sums(bound, part, len(parts)) for bound in (lower, upper))
        group, whose = parts % self.groups, parts // self.groups
        all_low, all_high = (
            self.sums(bound, self.group, self.groups)[group] for bound in (self.lower, self.upper)
        )
        least = np.maximum(low, self.least[group] - (all_high - high))
        most = np.minimum(high, self.most[group] - (all_low - low))
        return class_sums(least, whose, count), class_sums(most, whose, count)


@dataclass(frozen=True, eq=False)
class Truths:
    """The possible rules of a rule table, for any set of outcomes and any of its populations."""

    table: RuleTable

    @cached_property
    def _bands(self) -> dict[str, Band]:
        return {outcome: self.table.truth_of(outcome) for outcome in self.table.cells.process.outcome.values}

    @cached_property
    def denominator(self) -> int:
        """In which everything is whole: bounds, announced probabilities, and how far rates move."""
        move = self.table.rate_move
        bands = [band.denominator for band in self._bands.values()]
        return math.lcm(self.table.scale, *bands, 1 if move is None else move.denominator)

    def band(self, outcomes: Sequence[str]) -> tuple[ExactArray, ExactArray]:
        """The least and the most that the probability of any of these outcomes can be, in each cell."""
        inside, outside = self._ends(outcomes), self._ends(self._others(outcomes))
        if not outside:
            whole = self._fitting(np.full(len(self.table.cells), 1)) * self.denominator
            return whole, whole
        least, most = (sum_of([ends[k] for ends in inside]) for k in (0, 1))
        others_least, others_most = (sum_of([ends[k] for ends in outside]) for k in (0, 1))
        return np.maximum(least, self.denominator - others_most), np.minimum(
            most, self.denominator - others_least
        )

    def of(self, outcomes: Sequence[str], weights: IntArray) -> PossibleRules:
        """Where the probability of any of these outcomes can lie, for one population; with the rates that are kept."""
        lower, upper = self.band(outcomes)
        announced = self._announced(outcomes)
        move = self.table.rate_move
        group = self.table.cells.group if move is not None else np.zeros(len(weights), dtype=np.int64)
        count = int(group[-1]) + 1
        least, most = (class_sums(product(weights, bound), group, count) for bound in (lower, upper))
        if move is not None:
            least, most = self._totals(outcomes, weights, group, count, least, most)
        return PossibleRules(
            announced=announced,
            lower=lower,
            upper=upper,
            denominator=self.denominator,
            people=weights,
            group=group,
            least=least,
            most=most,
            keeps_rates=move is not None,
        )

    def _totals(
        self,
        outcomes: Sequence[str],
        people: IntArray,
        group: IntArray,
        count: int,
        least: ExactArray,
        most: ExactArray,
    ) -> tuple[ExactArray, ExactArray]:
        """The totals that each group can have: by its cells' bands, by its own rate, and by those of all outcomes."""
        values = self.table.cells.process.outcome.values
        everybody = class_sums(product(people, self.denominator), group, count)
        ends = {outcome: self._kept(outcome, people, group, count) for outcome in values}
        others = self._others(outcomes)
        most = np.minimum(most, np.minimum(_total(ends, outcomes, 1), everybody - _total(ends, others, 0)))
        least = np.maximum(least, np.maximum(_total(ends, outcomes, 0), everybody - _total(ends, others, 1)))
        if 2 < len(values) <= MOST_OUTCOMES:
            for chosen in subsets(values):
                out = [o for o in values if o not in chosen]
                lower, upper = self.band(chosen)
                at_most = class_sums(product(people, upper), group, count)
                at_least = class_sums(product(people, lower), group, count)
                more, fewer = [o for o in outcomes if o in out], [o for o in chosen if o in others]
                most = np.minimum(most, at_most + _total(ends, more, 1) - _total(ends, fewer, 0))
                least = np.maximum(least, at_least + _total(ends, more, 0) - _total(ends, fewer, 1))
        return least, most

    def _kept(
        self, outcome: str, people: IntArray, group: IntArray, count: int
    ) -> tuple[ExactArray, ExactArray]:
        """The totals of one outcome that its announced rate allows."""
        move = self.table.rate_move
        assert move is not None
        total = class_sums(product(people, self._announced([outcome])), group, count)
        by = class_sums(product(people, int(move * self.denominator)), group, count)
        return total - by, total + by

    def _announced(self, outcomes: Sequence[str]) -> ExactArray:
        factor = self.denominator // self.table.scale
        announced = sum_of([self.table.announced_of(outcome) for outcome in outcomes])
        return product(self._fitting(announced), factor)

    def _ends(self, outcomes: Sequence[str]) -> list[tuple[ExactArray, ExactArray]]:
        found = []
        for outcome in outcomes:
            band = self._bands[outcome]
            factor = self.denominator // band.denominator
            found.append(
                (product(self._fitting(band.lower), factor), product(self._fitting(band.upper), factor))
            )
        return found

    def _others(self, outcomes: Sequence[str]) -> list[str]:
        return [o for o in self.table.cells.process.outcome.values if o not in outcomes]

    def _fitting(self, numbers: ExactArray) -> ExactArray:
        """In a type in which sums over outcomes of whole ones fit."""
        return widen(numbers, self.denominator * len(self._bands))


def _total(
    ends: dict[str, tuple[ExactArray, ExactArray]], outcomes: Sequence[str], which: int
) -> ExactArray | int:
    return sum_of([ends[o][which] for o in outcomes]) if outcomes else 0


def subsets(values: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every set of some outcomes but none and all."""
    for size in range(1, len(values)):
        yield from combinations(values, size)


def outcome_sets(values: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every set of outcomes up to swapping it with its complement; of two outcomes, one is enough."""
    first, *others = values
    for size in range(len(others)):
        for chosen in combinations(others, size):
            yield (first, *chosen)


def tight_bands(table: RuleTable, outcomes: Sequence[str]) -> tuple[ExactArray, ExactArray, int]:
    """Where the probability of any of some outcomes can lie in each cell, given the rates that are kept; and over what.

    In a QID group whose total is between two limits, a cell cannot have more than the others leave, nor less than they
    need. Rounded outward in steps far finer than any printed one. Rates are used where the people they are about are
    published: then the same follows from what is printed.
    """
    truths = Truths(table)
    lower, upper = truths.band(outcomes)
    if table.rate_move is None or not table.population_is_printed:
        return lower, upper, truths.denominator
    rules = truths.of(outcomes, table.published_weights[0])
    low, high = (rules.sums(bound, rules.group, rules.groups)[rules.group] for bound in (lower, upper))
    most = product(rules.most[rules.group] - low + product(rules.people, lower), FINER)
    least = product(rules.least[rules.group] - high + product(rules.people, upper), FINER)
    return (
        np.maximum(product(lower, FINER), least // rules.people),
        np.minimum(product(upper, FINER), -(-most // rules.people)),
        truths.denominator * FINER,
    )
