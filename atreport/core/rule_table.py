"""A decision rule on the cells that occur, in printed steps: all that analysis needs to calculate a figure.

Three things give one: an Announcement, a published Report, and (behind the wall) the true rule. Figures calculated from
it are exact ranges; whether they may be printed in public depends on whose rule it was, and that is decided elsewhere: only
``atreport.compose`` turns ranges into parts of a Report, and it takes an Announcement.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

import numpy as np

from atreport.core.band import Band, Closeness, bands_around
from atreport.core.cells import Cells, ExactArray, IntArray, arrange, distinct_rows
from atreport.core.exact import class_sums, product
from atreport.core.suppression import NOTHING_SMALL, SmallCellAccount

PublishedPopulation = Literal["shares", "counts", "withheld"]
"""How the population is published."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CellBounds:
    """Bounds that the policy gives each cell, in whole steps of 10^-decimals. They are published."""

    lower: IntArray
    upper: IntArray
    decimals: int


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
    # 1 less the most that an outcome's rate can move in a QID group; None: no promise
    rates: Decimal | None = None

    @property
    def rate_move(self) -> Fraction | None:
        """The most that the rate of each outcome can be from the true one, in every QID group and for every weight."""
        return None if self.rates is None else 1 - Fraction(self.rates)

    @property
    def scale(self) -> int:
        """How many printed steps make one."""
        return int(10**self.decimals)

    @property
    def is_only_rounded(self) -> bool:
        """Whether the rule is the true one, rounded to its decimals."""
        return isinstance(self.fidelity, Closeness) and self.fidelity.only_rounds(
            self.decimals, self.mapping.shape[1]
        )

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
    def everybody_is_printed(self) -> bool:
        """Whether, besides, everybody is in a cell: what is calculated with all people then holds for them."""
        return self.population_is_printed and not self.cells.left_out

    def without(self, names: Collection[str]) -> RuleTable:
        """The rule as it looks without some attributes that are not public: on average over their values.

        Announced probabilities are averaged by the population as published and rounded to printed steps. The band holds
        the true average: exactly averaged too where the people are published as they are; otherwise it is as wide as that
        of all the cells averaged, which holds however many people they have.
        """
        if not names:
            return self
        process = self.cells.process.without(names)
        kept = [i for i, a in enumerate(self.cells.process.attributes) if a.name not in names]
        first, index = distinct_rows(self.cells.codes[:, kept])

        def sums(counts: IntArray) -> IntArray:
            return class_sums(counts, index, len(first))

        between = self.cells.between
        cells, order = arrange(
            process,
            self.cells.codes[first][:, kept],
            sums(self.cells.population),
            None if between is None else (sums(between[0]), sums(between[1])),
            self.cells.left_out,
        )
        place = process.outcome.values.index(process.outcome.favourable)
        weights = self.published_weights[0]
        exact = self.population == "counts" and self.small_cells.is_exact
        lower, upper = _averaged_band(self.truth, index, weights if exact else None, self.scale)
        return replace(
            self,
            cells=cells,
            mapping=_averaged(self.mapping, index, weights, place)[order],
            fidelity=CellBounds(lower=lower[order], upper=upper[order], decimals=self.decimals),
            weights=tuple(sums(each)[order] for each in self.weights),
            small_cells=self.small_cells.on(index, order),
            rates=None,
        )

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
        """Where the true probabilities of an outcome can lie, given the rule and its fidelity. Exact.

        A cell of a joined value announces an average of finer cells. Where counts are not published exactly, it is the
        average by the counts as published, and the average of the people themselves can be anything.
        """
        band = self._band_of(outcome)
        if self.small_cells.is_exact:
            return band
        averaged = self.cells.joined
        return Band(
            lower=np.where(averaged, 0, band.lower),
            upper=np.where(averaged, band.denominator, band.upper),
            denominator=band.denominator,
        )

    def _band_of(self, outcome: str) -> Band:
        place = self.cells.process.outcome.values.index(outcome)
        if isinstance(self.fidelity, Closeness):
            return bands_around(self.mapping, self.scale, self.fidelity)[place]
        whole = 10**self.fidelity.decimals
        if outcome == self.cells.process.outcome.favourable:
            return Band(lower=self.fidelity.lower, upper=self.fidelity.upper, denominator=whole)
        # the policy bounds the favourable outcome; of two outcomes that bounds the other from both sides
        least = whole - self.fidelity.upper if self.mapping.shape[1] == 2 else 0 * self.fidelity.upper
        return Band(lower=least, upper=whole - self.fidelity.lower, denominator=whole)


def _averaged(mapping: IntArray, index: IntArray, weights: IntArray, favourable: int) -> IntArray:
    """The weighted average of the rows with the same index, to the nearest step; the rest of each row in proportion.

    Every row makes one: what rounding leaves goes to the outcomes that it took most from, the first of several.
    """
    count = int(index.max()) + 1
    people = class_sums(weights, index, count)
    sums = class_sums(product(mapping, weights[:, None]), index, count)
    found = np.zeros(sums.shape, dtype=np.int64)
    for row, (total, outcomes) in enumerate(zip(people.tolist(), sums.tolist(), strict=True)):
        whole = sum(outcomes) // total
        steps = [part // total for part in outcomes]
        steps[favourable] = (2 * outcomes[favourable] + total) // (2 * total)  # to the nearest step
        others = sorted(
            (o for o in range(len(steps)) if o != favourable), key=lambda o: (-(outcomes[o] % total), o)
        )
        left = whole - sum(steps)
        for place in range(abs(left)):
            steps[others[place % len(others)]] += 1 if left > 0 else -1
        found[row] = steps
    return found


def _averaged_band(
    truth: Band, index: IntArray, weights: IntArray | None, scale: int
) -> tuple[IntArray, IntArray]:
    """The band of the average of the cells with the same index, in whole steps, rounded outward.

    Without weights, of any average of them.
    """
    count = int(index.max()) + 1
    lower, upper = product(truth.lower, scale), product(truth.upper, scale)
    low: ExactArray
    high: ExactArray
    whole: ExactArray | int
    if weights is None:
        low, high = np.full(count, lower.max()), np.zeros(count, dtype=upper.dtype)
        np.minimum.at(low, index, lower)
        np.maximum.at(high, index, upper)
        whole = truth.denominator
    else:
        low, high, whole = (
            class_sums(product(of_cells, weights), index, count)
            for of_cells in (lower, upper, truth.denominator)
        )
    return (low // whole).astype(np.int64), (-(-high // whole)).astype(np.int64)
