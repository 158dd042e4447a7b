"""How often and how far the paper's theorem fails, on random groups; and the two other claims that are false."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from atreport import solve
from docs.studies.paper.theorem import (
    Bounds,
    Terms,
    algorithm_1,
    confidence,
    consistent,
    terms,
    within_alpha,
    within_delta,
)

FIDELITY = Fraction(9, 10)


@dataclass(frozen=True)
class Group:
    """One random group: whole numbers of people, chances in hundredths."""

    people: tuple[int, ...]
    chances: tuple[Fraction, ...]

    @property
    def shares(self) -> list[Fraction]:
        """People as shares of the group."""
        return [Fraction(n, sum(self.people)) for n in self.people]


def random_groups(number: int, hard: bool, seed: int) -> list[Group]:
    """Groups of 2 to 6 records with 1 to 100 people each; hard rules say never or always, soft ones anything."""
    rng = np.random.default_rng(seed)
    groups = []
    for _ in range(number):
        size = int(rng.integers(2, 7))
        people = tuple(int(n) for n in rng.integers(1, 101, size))
        hundredths = rng.integers(0, 2, size) * 100 if hard else rng.integers(0, 101, size)
        groups.append(Group(people, tuple(Fraction(int(h), 100) for h in hundredths)))
    return groups


@dataclass(frozen=True)
class Failures:
    """What became of some groups."""

    groups: int
    too_low: int  # the paper's optimum cannot be reached
    mean_gap: float  # by how much it is too low, where it is
    largest_gap: float
    broken: int  # the announced rule of the paper's algorithm lets a reader be surer than the paper promises
    largest_excess: float
    not_a_rule: int  # it leaves 0 to 1
    same_record: int  # The remark's condition: one record is the largest for both outcomes
    remark_fails: int  # and the balanced term is not the prior


def count_failures(
    groups: list[Group], bounds_of: Callable[[tuple[Fraction, ...], Fraction], Bounds]
) -> Failures:
    """Try the paper's theorem and its algorithm on every group."""
    gaps, excesses = [], []
    not_a_rule = same = fails = 0
    for group in groups:
        p, bounds = group.shares, bounds_of(group.chances, FIDELITY)
        found = terms(p, bounds)
        optimum = terms(p, consistent(bounds)).true
        if optimum > found.paper:
            gaps.append(float(optimum - found.paper))
        announced = algorithm_1(p, bounds)
        if not all(0 <= x <= 1 for x in announced):
            not_a_rule += 1
        elif (reached := confidence(p, announced)) > found.paper:
            excesses.append(float(reached - found.paper))
        if found.record_0 == found.record_1:
            same += 1
            fails += found.beta_p != found.beta_min
    return Failures(
        groups=len(groups),
        too_low=len(gaps),
        mean_gap=float(np.mean(gaps)) if gaps else 0.0,
        largest_gap=max(gaps, default=0.0),
        broken=len(excesses),
        largest_excess=max(excesses, default=0.0),
        not_a_rule=not_a_rule,
        same_record=same,
        remark_fails=fails,
    )


def least_confidence(group: Group) -> float:
    """The optimum under δ-fidelity by linear programming (HiGHS) and halving, without any formula of the paper or ours.

    For a confidence β: is there a rule with p_k x_k ≤ β Σ p x and p_k (1 - x_k) ≤ β Σ p (1 - x) within the bounds?
    """
    p = np.array([float(share) for share in group.shares])
    bounds = within_delta(group.chances, FIDELITY)
    low, high = 0.0, 1.0
    while high - low > 1e-7:
        beta = (low + high) / 2
        rows = np.vstack([np.diag(p) - beta * p, beta * p - np.diag(p)])
        limits = np.concatenate([np.zeros(len(p)), beta * p.sum() - p])
        box = [(float(lo), float(hi)) for lo, hi in zip(bounds.low[1], bounds.high[1], strict=True)]
        found = linprog(np.zeros(len(p)), A_ub=rows, b_ub=limits, bounds=box, method="highs")
        low, high = (low, beta) if found.status == 0 else (beta, high)
    return high


def program_optimum(groups: list[Group]) -> list[float]:
    """The optimum under δ-fidelity as this program finds it."""
    people = np.concatenate([group.people for group in groups])
    chances = np.concatenate([[float(x) for x in group.chances] for group in groups])
    width = float(1 - FIDELITY)
    labels = np.repeat(np.arange(len(groups)), [len(group.people) for group in groups])
    low, high = np.clip(chances - width, 0, 1), np.clip(chances + width, 0, 1)
    return [float(beta) for beta in solve(people, chances, low, high, labels).beta]


def counterexample() -> tuple[Group, Terms, list[Fraction], Fraction]:
    """The smallest: two records of 9 and 1 people, both approved with a half. What the paper promises and announces."""
    group = Group((9, 1), (Fraction(1, 2), Fraction(1, 2)))
    bounds = within_delta(group.chances, FIDELITY)
    announced = algorithm_1(group.shares, bounds)
    return group, terms(group.shares, bounds), announced, confidence(group.shares, announced)


def relative_bias_moves_by() -> float:
    """Two groups of chance 1/2 under α = 1/2: both may be announced anywhere from 1/4 to 3/4. How far the bias moves."""
    alpha, true = Fraction(1, 2), Fraction(1, 2)
    bounds = within_alpha([true], alpha)
    low = max(bounds.low[1][0], 1 - bounds.high[0][0])
    high = min(bounds.high[1][0], 1 - bounds.low[0][0])
    return max(abs(math.log(one / other)) for one, other in ((high, low), (1 - low, 1 - high)))
