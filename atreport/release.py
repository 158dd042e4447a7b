"""Stage 5, **release**: the only door in the wall. Round, certify in exact arithmetic, let the release through.

Guarantee: for every QID group, with the announced probabilities exactly as printed, nobody who takes them for the truth
can be more confident of any sensitive value than the printed β, whether they weigh the cells by the exact counts or by
the population as published. Every announced probability lies inside the fidelity band. β is rounded up, γ down.

A :class:`Release` holds no true probability and nothing that was computed from one except what is announced.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from atreport.band import Band, Closeness, band_around
from atreport.cells import Cells, ExactArray, IntArray, exact, run_starts
from atreport.spec.models import PrivacyCeiling

SHARE_DIGITS = 2
"""A share is printed with this many significant digits more than the spec's decimals."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CellBounds:
    """Bounds that the policy gives each cell, in whole steps of 10^-decimals. They are published."""

    lower: IntArray
    upper: IntArray
    decimals: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Release:
    """What may be published: everything public is a function of this and of the spec's public text."""

    cells: Cells
    announced: IntArray  # favourable probability of each cell, in whole steps of 10^-decimals
    decimals: int
    fidelity: Closeness | CellBounds
    population: Literal["shares", "counts", "withheld"]
    shares: IntArray  # share of each cell in all people, in whole steps of 10^-share_decimals
    share_decimals: int
    group_beta: IntArray  # confidence after the report, rounded up to whole steps of 10^-decimals
    group_prior: IntArray  # confidence before the report, rounded up likewise

    @property
    def scale(self) -> int:
        """How many printed steps make one."""
        return int(10**self.decimals)

    @property
    def beta(self) -> Decimal:
        """The report's β: the largest of the groups'."""
        return self.printed(int(self.group_beta.max()))

    @property
    def gamma(self) -> Decimal:
        """The least uncertainty -log β that goes with β as printed, rounded down."""
        return gamma_of(self.beta, self.decimals)

    def printed(self, steps: int) -> Decimal:
        """A figure in whole steps as it is printed."""
        return Decimal(steps).scaleb(-self.decimals)

    @property
    def weights(self) -> tuple[IntArray, ...]:
        """The populations every published bound must hold for: exact counts, and shares where those are printed."""
        return (
            (self.cells.population, self.shares) if self.population == "shares" else (self.cells.population,)
        )

    @property
    def truth(self) -> Band:
        """Where the true probabilities can lie, given what is published: exact, and no function of the truth itself."""
        if isinstance(self.fidelity, Closeness):
            return band_around(self.announced, self.scale, self.fidelity)
        return Band(
            lower=self.fidelity.lower, upper=self.fidelity.upper, denominator=10**self.fidelity.decimals
        )


def certify(
    cells: Cells,
    candidates: Iterable[NDArray[np.float64]],
    lowest: IntArray,
    highest: IntArray,
    *,
    decimals: int,
    fidelity: Closeness | CellBounds,
    population: Literal["shares", "counts", "withheld"],
    ceiling: Decimal | None = None,
) -> Release:
    """Round the mapping to print into the band and certify it.

    Each candidate mapping is rounded to the nearest step, down and up, always between `lowest` and `highest`. A group
    gets the first rounding that keeps its printed confidence at or below the `ceiling`, and otherwise the one with the
    least printed confidence.
    """
    shares, share_decimals = _printed_shares(cells.population, decimals)
    weights = (cells.population, shares) if population == "shares" else (cells.population,)
    announced, beta = _choose_rounding(
        cells,
        _roundings(candidates, lowest, highest, decimals),
        weights,
        decimals,
        _steps_below(ceiling, decimals),
    )
    return Release(
        cells=cells,
        announced=announced,
        decimals=decimals,
        fidelity=fidelity,
        population=population,
        shares=shares,
        share_decimals=share_decimals,
        group_beta=beta,
        group_prior=_over_weights(cells, np.full(len(cells), 10**decimals), weights, decimals),
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


def confidence(cells: Cells, announced: IntArray, weights: IntArray, decimals: int) -> IntArray:
    """The largest confidence in each QID group, in whole printed steps, rounded up; exact.

    For an outcome with announced probability a and weight w in each cell, the confidence in a sensitive value is the
    sum of w·a over its cells divided by the sum over the group. An outcome that never occurs teaches nothing.
    """
    scale = 10**decimals
    wide = exact(weights, int(weights.sum(dtype=object)) * scale * scale)
    values, groups = cells.value_starts, cells.group_starts
    value_group = cells.group[values]
    most = np.zeros(len(groups), dtype=np.int64)
    for steps in (announced, scale - announced):
        joint = wide * steps
        of_value = np.add.reduceat(joint, values)
        of_group = np.add.reduceat(joint, groups)
        known = np.where(of_group > 0, of_group, 1)[value_group]
        in_steps = -((-of_value * scale) // known)
        most = np.maximum(most, np.maximum.reduceat(in_steps, run_starts(value_group)).astype(np.int64))
    return most


def _over_weights(cells: Cells, announced: IntArray, weights: Sequence[IntArray], decimals: int) -> IntArray:
    return np.asarray(np.maximum.reduce([confidence(cells, announced, each, decimals) for each in weights]))


def _roundings(
    candidates: Iterable[NDArray[np.float64]], lowest: IntArray, highest: IntArray, decimals: int
) -> Iterable[IntArray]:
    for mapping in candidates:
        for rounding in (np.rint, np.floor, np.ceil):
            yield np.clip(rounding(mapping * 10**decimals).astype(np.int64), lowest, highest)


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
        best, best_beta = np.where(better[cells.group], steps, best), np.where(better, beta, best_beta)
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
    share_decimals = min(decimals + zeros + SHARE_DIGITS, 18 - decimals)
    scale = 10**share_decimals
    wide: ExactArray = exact(population, 3 * total * scale)
    return np.maximum((2 * wide * scale + total) // (2 * total), 1).astype(np.int64), share_decimals
