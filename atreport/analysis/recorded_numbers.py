"""The numbers of cases behind a rule that is published as it is, rounded.

Where a rule stands for frequencies among recorded cases, their numbers are published as they are and nothing but rounding
was allowed, the number of cases with an outcome is a whole one close to people × probability. In a cell of fewer people
than printed steps make one (of three outcomes three quarters, of more at least half as many) only one whole number is close
enough. So figures of the data themselves follow from what is published, and not only figures of rounded probabilities.

Guarantee: the numbers found are those of the data, if the report's promise of fidelity holds. No true value is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.ranges import Range
from atreport.analysis.sampling import counts_are_published
from atreport.population.cells import ExactArray
from atreport.rule_table import RuleTable


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordedNumbers:
    """How many cases each cell has, and how many of them have one outcome."""

    people: tuple[int, ...]
    cases: tuple[int, ...]

    def rate(self, cells: NDArray[np.bool_]) -> Range | None:
        """The rate of all people of some cells, exactly; None where nobody is."""
        members = np.flatnonzero(cells).tolist()
        people = sum(self.people[cell] for cell in members)
        if not people:
            return None
        rate = Fraction(sum(self.cases[cell] for cell in members), people)
        return Range(rate, rate, rate)

    @property
    def in_steps(self) -> tuple[list[int], int]:
        """The frequency of each cell in whole steps, and how many of these make one."""
        scale = lcm(*self.people)
        return [
            cases * (scale // people) for cases, people in zip(self.cases, self.people, strict=True)
        ], scale


def recorded_numbers(table: RuleTable, outcome: str | None = None) -> RecordedNumbers | None:
    """The number of cases with an outcome (the favourable one unless told) in every cell; None where one is left open.

    None also where people are left out, or published under a value that stands for several: cells are then not everybody.
    """
    everybody = not (table.cells.left_out or table.cells.joined.any())
    if not (everybody and table.is_only_rounded and counts_are_published(table)):
        return None
    band = table.truth_of(outcome or table.cells.process.outcome.favourable)
    people: ExactArray = table.cells.population.astype(object)
    fewest = -(-band.lower.astype(object) * people // band.denominator)
    most = band.upper.astype(object) * people // band.denominator
    if (fewest != most).any():
        return None
    return RecordedNumbers(people=tuple(people.tolist()), cases=tuple(fewest.tolist()))
