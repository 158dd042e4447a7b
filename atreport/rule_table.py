"""A decision rule on the cells that occur, in printed steps: all that analysis needs to calculate a figure.

Three things give one: an Announcement, a published Report, and (behind the wall) the true rule. Figures calculated from
it are exact ranges; whether they may be printed in public depends on whose rule it was, and that is decided elsewhere: only
``atreport.publication`` turns ranges into parts of a Report, and it takes an Announcement.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal

from atreport.population.band import Band, Closeness, bands_around
from atreport.population.cells import Cells, IntArray
from atreport.population.small_cells import NOTHING_SMALL, SmallCellAccount

PublishedPopulation = Literal["shares", "counts", "withheld"]
"""How the population is published."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CellBounds:
    """Bounds that the policy gives each cell, in whole steps of 10^-decimals. They are published."""

    lower: IntArray
    upper: IntArray
    decimals: int

    in_words: ClassVar[str] = (
        "it stays between the bounds published for its cell, and so does the true probability"
    )
    """How far an announced probability may be from the true one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleTable:
    """Cells, the probability of each outcome in steps, how far the truth may be from it, and the people that weigh."""

    cells: Cells
    mapping: IntArray  # (cells, outcomes): the rule, in whole steps of 10^-decimals
    decimals: int
    fidelity: Closeness | CellBounds
    weights: tuple[IntArray, ...]  # the populations every bound must hold for; the one that is published last
    population: PublishedPopulation  # which figures about people may be stated
    small_cells: SmallCellAccount = NOTHING_SMALL  # what was done with counts of few people

    @property
    def scale(self) -> int:
        """How many printed steps make one."""
        return int(10**self.decimals)

    def printed(self, steps: int) -> Decimal:
        """A figure in whole steps as it is printed."""
        return Decimal(steps).scaleb(-self.decimals)

    @property
    def published_weights(self) -> tuple[IntArray, ...]:
        """The populations a figure must hold for, the one that is published first: a reader can recalculate the value."""
        return self.weights[::-1]

    @property
    def population_is_printed(self) -> bool:
        """Whether readers have the number or the share of people in every cell as it is, to recalculate figures with."""
        return self.population != "withheld" and self.small_cells.is_exact

    @property
    def announced(self) -> IntArray:
        """The probability of the favourable outcome in each cell, in whole steps."""
        return self.announced_of(self.cells.process.outcome.favourable)

    def announced_of(self, outcome: str) -> IntArray:
        """The probability of an outcome in each cell, in whole steps."""
        return self.mapping[:, self.cells.process.outcome.values.index(outcome)]

    @property
    def truth(self) -> Band:
        """Where the true favourable probabilities can lie; see :meth:`truth_of`."""
        return self.truth_of(self.cells.process.outcome.favourable)

    def truth_of(self, outcome: str) -> Band:
        """Where the true probabilities of an outcome can lie, given the rule and its fidelity. Exact."""
        place = self.cells.process.outcome.values.index(outcome)
        if isinstance(self.fidelity, Closeness):
            return bands_around(self.mapping, self.scale, self.fidelity)[place]
        whole = 10**self.fidelity.decimals
        if outcome == self.cells.process.outcome.favourable:
            return Band(lower=self.fidelity.lower, upper=self.fidelity.upper, denominator=whole)
        # the policy bounds the favourable outcome; of two outcomes that bounds the other from both sides
        least = whole - self.fidelity.upper if self.mapping.shape[1] == 2 else 0 * self.fidelity.upper
        return Band(lower=least, upper=whole - self.fidelity.lower, denominator=whole)
