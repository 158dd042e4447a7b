"""Stage 4, **announcement**: the first door in the wall. Round, certify in exact arithmetic, let the announced rule through.

Guarantee: for every QID group, with the announced probabilities exactly as printed, nobody who takes them for the truth
can be more confident of any sensitive value than the printed β, whether they weigh the cells by the exact counts or by
the population as published. Every announced probability lies inside the fidelity band. β is rounded up, γ down.

An :class:`Announcement` holds no true probability and nothing that was computed from one except what is announced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.population.band import Closeness
from atreport.population.cells import Cells, ExactArray, IntArray, run_starts, widen
from atreport.population.estimation import Estimation
from atreport.population.protection import NOTHING_UNPROTECTABLE, Protection
from atreport.population.small_cells import SmallCellAccount, people_bounds
from atreport.rule_table import CellBounds, PublishedPopulation, RuleTable
from atreport.spec.models.policy import Mechanism, PrivacyCeiling

SHARE_DIGITS = 2
"""A share is printed with this many significant digits more than the spec's decimals."""

MOST_DIGITS = 15
"""So many digits every reader of JSON keeps, also one that reads numbers in floating point."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Announcement:
    """What passes the first door: the announced rule, certified, and what was done to the people it is about.

    Made by :func:`certify` only. It still knows the exact population where that is withheld: what is published is the
    Report that :mod:`atreport.publication` makes of it.
    """

    rule: RuleTable
    shares: IntArray  # share of each cell in all people, in whole steps of 10^-share_decimals
    share_decimals: int
    group_beta: IntArray  # confidence after the report, rounded up to whole steps of 10^-decimals
    group_prior: IntArray  # confidence before the report, rounded up likewise
    contribution_steps: int  # the most the report adds to what was known of a group before it, rounded up
    mechanism: Mechanism = "optimal"  # how the announced rule was chosen
    protection: Protection = NOTHING_UNPROTECTABLE  # what was done with groups that cannot be protected
    estimation: Estimation | None = None  # how the rule was found in records, as far as it is published

    @property
    def cells(self) -> Cells:
        """Who is there."""
        return self.rule.cells

    @property
    def mapping(self) -> IntArray:
        """What is announced, (cells, outcomes), in whole steps."""
        return self.rule.mapping

    @property
    def decimals(self) -> int:
        """To how many decimals figures are printed."""
        return self.rule.decimals

    @property
    def scale(self) -> int:
        """How many printed steps make one."""
        return self.rule.scale

    @property
    def fidelity(self) -> Closeness | CellBounds:
        """How far an announced probability may be from the true one."""
        return self.rule.fidelity

    @property
    def weights(self) -> tuple[IntArray, ...]:
        """The populations every bound must hold for."""
        return self.rule.weights

    @property
    def small_cells(self) -> SmallCellAccount:
        """What was done with counts of few people."""
        return self.rule.small_cells

    @property
    def population(self) -> PublishedPopulation:
        """How the population is published."""
        return self.rule.population

    @property
    def announced(self) -> IntArray:
        """The announced probability of the favourable outcome in each cell, in whole steps."""
        return self.rule.announced

    def printed(self, steps: int) -> Decimal:
        """A figure in whole steps as it is printed."""
        return self.rule.printed(steps)

    @property
    def beta(self) -> Decimal:
        """The report's β: the largest of the groups'."""
        return self.rule.printed(int(self.group_beta.max()))

    @property
    def contribution(self) -> Decimal:
        """The most the report adds to what was known of a group before it: the largest β - prior, rounded up."""
        return self.rule.printed(self.contribution_steps)

    @property
    def gamma(self) -> Decimal:
        """The least uncertainty -log β that goes with β as printed, rounded down."""
        return gamma_of(self.beta, self.decimals)

    def with_account(
        self, protection: Protection, small_cells: SmallCellAccount, estimation: Estimation | None
    ) -> Announcement:
        """The same with the public account of what was done to the data before anything was solved."""
        rule = replace(self.rule, small_cells=small_cells)
        return replace(self, rule=rule, protection=protection, estimation=estimation)


def certify(
    cells: Cells,
    candidates: Iterable[NDArray[np.float64]],
    lowest: IntArray,
    highest: IntArray,
    *,
    decimals: int,
    fidelity: Closeness | CellBounds,
    population: PublishedPopulation,
    ceiling: Decimal | None = None,
    mechanism: Mechanism = "optimal",
) -> Announcement:
    """Round the mapping to print into the band and certify it.

    Each candidate mapping (cells, outcomes) is rounded to the nearest step, down and up, always between `lowest` and
    `highest`, and so that the outcomes of a cell make one. A group gets the first rounding that keeps its printed
    confidence at or below the `ceiling`, and otherwise the one with the least printed confidence.
    """
    shares, share_decimals = _printed_shares(cells.population, decimals)
    weights = (cells.population, shares) if population == "shares" else (cells.population,)
    favourable = cells.process.outcome.values.index(cells.process.outcome.favourable)
    roundings = rounded_mappings(candidates, lowest, highest, 10**decimals, favourable)
    mapping, beta = _choose_rounding(cells, roundings, weights, decimals, _steps_below(ceiling, decimals))
    # one outcome that befalls everybody: what is known before any report
    everybody = np.full((len(cells), 1), 10**decimals)
    at_least = np.minimum.reduce(
        [confidence(cells, everybody, each, decimals, up=False) for each in _populations(cells, weights)]
    )
    return Announcement(
        rule=RuleTable(
            cells=cells,
            mapping=mapping,
            decimals=decimals,
            fidelity=fidelity,
            weights=weights,
            population=population,
        ),
        shares=shares,
        share_decimals=share_decimals,
        group_beta=beta,
        group_prior=_over_weights(cells, everybody, weights, decimals),
        contribution_steps=int((beta - at_least).max()),
        mechanism=mechanism,
    )


def within_ceiling(beta: Decimal, ceiling: Decimal | None) -> bool:
    """Whether a printed β keeps a ceiling."""
    return ceiling is None or beta <= ceiling


def ceiling_on_beta(privacy: PrivacyCeiling | None) -> Decimal | None:
    """The ceiling as a confidence; a required uncertainty γ is the confidence e^-γ, rounded down."""
    if privacy is None or privacy.beta is not None:
        return privacy.beta if privacy else None
    assert privacy.gamma is not None
    with localcontext() as context:
        context.prec = 40
        return (-privacy.gamma).exp().quantize(Decimal("1e-15"), rounding=ROUND_FLOOR)


def gamma_of(beta: Decimal, decimals: int) -> Decimal:
    """-log β, rounded down: never claims more uncertainty than there is."""
    with localcontext() as context:
        context.prec = 40
        return (
            abs((-beta.ln()).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_FLOOR))
            if beta
            else Decimal(0)
        )


Population = IntArray | tuple[IntArray, IntArray]
"""People in each cell; or the fewest and the most, where that is all that is published."""


def confidence(
    cells: Cells, mapping: IntArray, population: Population, decimals: int, *, up: bool = True
) -> IntArray:
    """The largest confidence in each QID group, in whole printed steps, rounded up (or down); exact.

    For an outcome with announced probability a and weight w in each cell, the confidence in a sensitive value is the
    sum of w·a over its cells divided by the sum over the group. An outcome that never occurs teaches nothing. Where
    only bounds on the weights are given, the largest (or, rounded down, the least) that any weights between them give:
    it grows with the weights of the value's own cells and falls with those of the others.
    """
    scale, sign = 10**decimals, -1 if up else 1
    fewest, most = population if isinstance(population, tuple) else (population, population)
    own_weight, other_weight = (most, fewest) if up else (fewest, most)
    largest_sum = int(most.sum(dtype=object)) * scale * scale
    own_wide, other_wide = widen(own_weight, largest_sum), widen(other_weight, largest_sum)
    highest = np.zeros(len(cells.group_starts), dtype=np.int64)
    for steps in mapping.T:
        own_joint, other_joint = own_wide * steps, other_wide * steps
        of_others = np.add.reduceat(other_joint, cells.group_starts)
        for protected in cells.protected:
            own = protected.sums(own_joint)
            whole = own + of_others[protected.group] - protected.sums(other_joint)
            in_steps = sign * ((sign * own * scale) // np.where(whole > 0, whole, 1))
            largest = np.maximum.reduceat(in_steps, run_starts(protected.group)).astype(np.int64)
            highest = np.maximum(highest, largest)
    return highest


def _populations(cells: Cells, weights: Sequence[IntArray]) -> list[Population]:
    """All that a bound must hold for: the populations given, and every one that what is published allows."""
    return [*weights, *([people_bounds(cells)] if cells.between is not None else [])]


def _over_weights(cells: Cells, mapping: IntArray, weights: Sequence[IntArray], decimals: int) -> IntArray:
    return np.asarray(
        np.maximum.reduce(
            [confidence(cells, mapping, each, decimals) for each in _populations(cells, weights)]
        )
    )


def rounded_mappings(
    candidates: Iterable[NDArray[np.float64]],
    lowest: IntArray,
    highest: IntArray,
    scale: int,
    favourable: int,
) -> Iterator[IntArray]:
    """Each candidate with its favourable column rounded to the nearest step, down and up, and the rest to match."""
    for mapping in candidates:
        exactly = mapping * scale
        for rounding in (np.rint, np.floor, np.ceil):
            steps = np.rint(exactly)
            steps[:, favourable] = rounding(exactly[:, favourable])
            yield _made_whole(
                np.clip(steps.astype(np.int64), lowest, highest), exactly, lowest, highest, scale, favourable
            )


def _made_whole(
    steps: IntArray,
    exactly: NDArray[np.float64],
    lowest: IntArray,
    highest: IntArray,
    scale: int,
    favourable: int,
) -> IntArray:
    """Move single steps, where they cost least, until the outcomes of every cell make one within their bounds.

    The favourable outcome is moved last; of two outcomes the other just follows it.
    """
    if steps.shape[1] == 2:
        steps[:, 1 - favourable] = scale - steps[:, favourable]
        return steps
    reluctance = np.zeros(steps.shape[1])
    reluctance[favourable] = scale
    while len(rows := np.flatnonzero(steps.sum(axis=1) != scale)):
        now = steps[rows]
        sign = np.sign(scale - now.sum(axis=1))[:, None]
        free = np.where(sign > 0, now < highest[rows], now > lowest[rows])
        cost = np.where(free, (now - exactly[rows]) * sign + reluctance, np.inf)
        steps[rows, cost.argmin(axis=1)] += sign[:, 0]
    return steps


def _choose_rounding(
    cells: Cells, roundings: Iterable[IntArray], weights: Sequence[IntArray], decimals: int, ceiling: int
) -> tuple[IntArray, IntArray]:
    """For each group the first rounding within the ceiling, or else the first with the least confidence."""
    best: IntArray | None = None
    best_beta = np.empty(0, dtype=np.int64)
    for steps in roundings:
        beta = _over_weights(cells, steps, weights, decimals)
        if best is None:
            best, best_beta = steps, beta
            continue
        better = (beta < best_beta) & (best_beta > ceiling)
        best = np.where(better[cells.group][:, None], steps, best)
        best_beta = np.where(better, beta, best_beta)
    assert best is not None, "certify needs at least one candidate mapping"
    return best, best_beta


def _steps_below(ceiling: Decimal | None, decimals: int) -> int:
    """The ceiling in whole printed steps; without one, 0, which no confidence keeps, so that the least is chosen."""
    return 0 if ceiling is None else int(Fraction(ceiling) * 10**decimals)


def _printed_shares(population: IntArray, decimals: int) -> tuple[IntArray, int]:
    """Each cell's share of all people, to enough decimals that the smallest keeps its significant digits.

    Limited so that a share times a printed probability stays a whole number of 18 digits; never printed as 0.
    """
    total = int(population.sum(dtype=object))
    smallest = int(population.min())
    zeros = len(str(total // smallest)) - 1
    share_decimals = min(decimals + zeros + SHARE_DIGITS, 18 - decimals, MOST_DIGITS)
    scale = 10**share_decimals
    wide: ExactArray = widen(population, 3 * total * scale)
    return np.maximum((2 * wide * scale + total) // (2 * total), 1).astype(np.int64), share_decimals
