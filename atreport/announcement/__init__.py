"""Stage 4, **announcement**: the first door in the wall. Round, certify in exact arithmetic, let the announced rule through.

Guarantee: for every QID group, with the announced probabilities exactly as printed, nobody who takes them for the truth
can be more confident of any sensitive value than the printed β, whether they weigh the cells by the exact counts or by
the population as published. Every announced probability lies inside the fidelity band. β is rounded up, γ down.

An :class:`Announcement` holds no true probability and nothing that was computed from one except what is announced.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

from atreport.announcement.ceilings import NO_CEILINGS, Ceilings, Figures, above_ceilings
from atreport.announcement.moves import Box, moved
from atreport.announcement.rates import RatePromise
from atreport.announcement.rounding import Choice, choose, rounded_mappings
from atreport.errors import PolicyCannotBeMet
from atreport.inference import MOST_DIGITS, ValueInference, factor_printed, infer, populations_of
from atreport.kit.exact import product
from atreport.kit.exact import total as total_of
from atreport.kit.numbers import counted
from atreport.population.band import Closeness
from atreport.population.cells import Cells, ExactArray, IntArray
from atreport.population.estimation import Estimation
from atreport.population.protection import NOTHING_UNPROTECTABLE, Protection
from atreport.population.small_cells import SmallCellAccount
from atreport.rule_table import CellBounds, PublishedPopulation, RuleTable
from atreport.spec.models.policy import Aim, Mechanism

SHARE_DIGITS = 2
"""A share is printed with this many significant digits more than the spec's decimals."""


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
    group_lift: (
        ExactArray  # how many times as likely a value becomes, rounded up likewise; 1: nothing is added
    )
    group_odds: IntArray  # the factor by which anybody's odds can change, rounded up likewise, or UNBOUNDED
    attributes: tuple[
        ValueInference, ...
    ]  # what can be inferred about each sensitive attribute, value by value
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
    def lift(self) -> Decimal:
        """How many times as likely a sensitive value becomes at most, in any group."""
        return self.rule.printed(int(self.group_lift.max()))

    @property
    def odds(self) -> Decimal | None:
        """The factor by which anybody's odds of any statement about a person can change; None: without limit."""
        return factor_printed(int(self.group_odds.max()), self.decimals)

    @property
    def contribution(self) -> Decimal:
        """The most the report adds to what was known of a group before it: the largest β - prior, rounded up."""
        return self.rule.printed(self.contribution_steps)

    @property
    def gamma(self) -> Decimal:
        """The least uncertainty -log β that goes with β as printed, rounded down."""
        return gamma_of(self.beta, self.decimals)

    @property
    def certain_groups(self) -> IntArray:
        """The QID groups in which somebody can be certain of a sensitive value: there is no protection."""
        return np.flatnonzero(self.group_beta == self.scale)

    @property
    def figures(self) -> Figures:
        """The figures that ceilings are set on."""
        return Figures(
            beta=self.group_beta,
            lift=self.group_lift,
            odds=self.group_odds,
            after=tuple((each.protected, each.after) for each in self.attributes),
        )

    def above(self, ceilings: Ceilings) -> dict[str, NDArray[np.bool_]]:
        """The ceilings that are not kept as printed, in the words of the spec, and in which QID groups."""
        found = above_ceilings(self.cells, self.figures, ceilings, self.decimals)
        return {name: groups for name, groups in found if groups.any()}

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
    minimise: tuple[Aim, ...] = ("beta",),
    ceilings: Ceilings = NO_CEILINGS,
    rates: RatePromise | None = None,
    ideal: dict[Aim, NDArray[np.float64]] | None = None,
    mechanism: Mechanism = "optimal",
) -> Announcement:
    """Round the mapping to print into the band and certify it.

    Each candidate mapping (cells, outcomes) is rounded to the nearest step, down and up, always between `lowest` and
    `highest`, and so that the outcomes of a cell make one. A group gets the first rounding that keeps its `rates` and
    `ceilings` and has the least printed figures in the order of `minimise`; if that is empty, the first that keeps them.

    Where rates are kept, or where it is known what would be `ideal` by group for each figure to minimise, candidates are
    also rounded in turn, and single steps are moved towards the ideal. Raises :class:`PolicyCannotBeMet` where no rounding
    keeps the rates.
    """
    shares, share_decimals = _printed_shares(cells.population, decimals)
    weights = (cells.population, shares) if population == "shares" else (cells.population,)
    if population == "shares":
        whole, everybody = 10**share_decimals, int(cells.population.sum(dtype=object))
        left_out = (
            replace(each, people=(*each.people, -(-each.people[0] * whole // everybody)))
            for each in cells.left_out
        )
        cells = replace(cells, left_out=tuple(left_out))
    choice = Choice(
        cells=cells, weights=weights, decimals=decimals, minimise=minimise, ceilings=ceilings, rates=rates
    )
    box = Box(lowest=lowest, highest=highest, decimals=decimals, rates=rates)
    mapping = _rounded(choice, box, list(candidates), ideal)
    if rates is not None and (broken := int(rates.broken(cells, mapping, weights, decimals).sum())):
        raise PolicyCannotBeMet(
            f"in {counted_groups(broken)} no figures with {counted(decimals, 'decimal')} inside the fidelity band keep the "
            "rates",
            "write more 'decimals' under policy, or allow rates to move a little more",
        )
    found = infer(cells, mapping, populations_of(cells, weights), decimals)
    return Announcement(
        rule=RuleTable(
            cells=cells,
            mapping=mapping,
            decimals=decimals,
            fidelity=fidelity,
            weights=weights,
            population=population,
            rates=None if rates is None else rates.rates,
        ),
        shares=shares,
        share_decimals=share_decimals,
        group_beta=found.beta,
        group_prior=found.prior,
        group_lift=found.lift,
        group_odds=found.odds,
        attributes=found.attributes,
        contribution_steps=found.contribution,
        mechanism=mechanism,
    )


def _rounded(
    choice: Choice,
    box: Box,
    candidates: list[NDArray[np.float64]],
    ideal: dict[Aim, NDArray[np.float64]] | None,
) -> IntArray:
    """The printed steps: for every group the best rounding there is."""
    cells, scale = choice.cells, 10**choice.decimals
    favourable = cells.process.outcome.values.index(cells.process.outcome.favourable)
    in_turn = cells if ideal is not None or choice.rates is not None else None
    chosen = choose(choice, rounded_mappings(candidates, box.lowest, box.highest, scale, favourable, in_turn))
    if ideal is None:
        return chosen
    return choose(choice, [chosen, moved(cells, chosen, box, choice.minimise, ideal)])


def counted_groups(number: int) -> str:
    """So many groups, in words."""
    return counted(number, "group")


def gamma_of(beta: Decimal, decimals: int) -> Decimal:
    """-log β, rounded down: never claims more uncertainty than there is."""
    with localcontext() as context:
        context.prec = 40
        return (
            abs((-beta.ln()).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_FLOOR))
            if beta
            else Decimal(0)
        )


def _printed_shares(population: IntArray, decimals: int) -> tuple[IntArray, int]:
    """Each cell's share of all people, to enough decimals that the smallest keeps its significant digits.

    Limited so that a share times a printed probability stays a whole number of 18 digits; never printed as 0.
    """
    total = total_of(population)
    share_decimals = decimals_of_shares(total // int(population.min()), decimals)
    scale = 10**share_decimals
    found = (product(population, 2 * scale) + total) // (2 * total)
    return np.maximum(found, 1).astype(np.int64), share_decimals


def decimals_of_shares(times: int, decimals: int) -> int:
    """To how many decimals shares are printed, where there are so many times as many people as in the smallest cell."""
    return min(decimals + len(str(times)) - 1 + SHARE_DIGITS, 18 - decimals, MOST_DIGITS)


def smallest_share(population: IntArray, decimals: int) -> int:
    """The smallest printed share, in its own steps."""
    return int(_printed_shares(population, decimals)[0].min())
