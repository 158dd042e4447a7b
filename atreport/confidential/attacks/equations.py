"""Turn printed figures into bounds on the unknown rule behind them: the attack by equations. Confidential.

Every figure is a linear constraint on the rule, and a linear program says what all of them together give away. The unknowns
are the favourable probabilities of the cells. A figure printed as 0.1234 says that a weighted sum of them lies within half
a printed step of it. A bias printed without its sign leaves two cases; each is tried, and those that
contradict the other figures fall away. Confidence is a ratio of two such sums, which Charnes and Cooper's substitution
makes a linear program of its own.

Guarantee: the bounds of a cell and of a confidence hold every rule that agrees with the figures (up to the solver's
tolerance of about 1e-7), so the lower bound of a confidence is what the adversary is sure to have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.table import FloatArray
from atreport.population.cells import Cells, Protected

MOST_CASES = 6
"""At most so many biases without a sign are used: each doubles the number of cases."""


_NOBODY = 1e-9
"""A share of people below this is nobody, up to the solver's tolerance."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Equation:
    """What one printed figure says: low ≤ coefficients · x ≤ high, or the same of the absolute value."""

    figure: str
    coefficients: FloatArray
    low: float
    high: float
    absolute: bool = False

    @classmethod
    def printed(
        cls, figure: str, coefficients: FloatArray, value: float, decimals: int, *, absolute: bool = False
    ) -> Equation:
        """A figure rounded to the nearest printed step."""
        half = 0.5 * 10.0**-decimals
        return cls(
            figure=figure,
            coefficients=coefficients,
            low=value - half,
            high=value + half,
            absolute=absolute,
        )


@dataclass(frozen=True, eq=False)
class Target:
    """What an adversary wants to infer of one group: a sensitive value, from an outcome."""

    group: int
    favourable: bool  # the person's outcome is the favourable one, or another
    attribute: str
    inside: NDArray[np.bool_]  # the cells with the value
    around: NDArray[np.bool_]  # the cells of the group

    def confidence(self, population: FloatArray, favourable: FloatArray) -> float:
        """The confidence under a known rule; 0 where the outcome never occurs."""
        joint = population * (favourable if self.favourable else 1 - favourable)
        total = float(joint[self.around].sum())
        return float(joint[self.inside].sum()) / total if total > 0 else 0.0


def targets_of(cells: Cells, groups: Iterable[int]) -> list[Target]:
    """Every sensitive value of some groups, with both outcomes."""
    return [
        Target(group, favourable, protected.attribute, protected.index == value, cells.group == group)
        for group in groups
        for protected in cells.protected
        for value in _values_in(protected, group)
        for favourable in (True, False)
    ]


def _values_in(protected: Protected, group: int) -> list[int]:
    return [int(value) for value in np.flatnonzero(protected.group == group)]


class UnknownRule:
    """All rules that agree with some equations, as a polytope for each case of the unknown signs."""

    def __init__(self, population: FloatArray, equations: Sequence[Equation]) -> None:
        self.population = population / population.sum()  # HiGHS drifts on large coefficients
        self._cases = [case for case in _cases(equations, len(population)) if self._is_possible(case)]

    @property
    def is_possible(self) -> bool:
        """Whether any rule agrees with the equations."""
        return bool(self._cases)

    def cell(self, cell: int) -> tuple[float, float]:
        """The least and greatest probability of a cell."""
        wanted = np.zeros(len(self.population))
        wanted[cell] = 1.0
        return self._over_cases(lambda case, sign: _optimum(sign * wanted, case, (0.0, 1.0)))

    def confidence(self, target: Target) -> tuple[float, float]:
        """The least and greatest confidence in a sensitive value; 0 to 0 where the outcome cannot occur."""
        return self._over_cases(lambda case, sign: self._confidence(target, case, sign))

    def sure_confidence(self, target: Target) -> float:
        """The confidence an adversary is sure to have, whichever of the rules is the true one."""
        least = [self._confidence(target, case, 1.0) for case in self._cases]
        return max(0.0, min((value for value in least if value is not None), default=0.0))

    def _over_cases(self, optimum: Any) -> tuple[float, float]:
        found = [
            (low, -high)
            for case in self._cases
            if (low := optimum(case, 1.0)) is not None and (high := optimum(case, -1.0)) is not None
        ]
        if not found:
            return 0.0, 0.0
        return max(0.0, min(low for low, _ in found)), min(1.0, max(high for _, high in found))

    def _is_possible(self, case: Case) -> bool:
        return _optimum(np.zeros(len(self.population)), case, (0.0, 1.0)) is not None

    def _confidence(self, target: Target, case: Case, sign: float) -> float | None:
        """Charnes and Cooper: with t = 1 / (mass of the outcome) and y = t·x, a linear program in (y, t).

        Where a rule that agrees gives the outcome to nobody, the least is 0: such an outcome teaches nothing.
        """
        p, number = self.population, len(self.population)
        inside, around = (np.where(where, p, 0.0) for where in (target.inside, target.around))
        if sign > 0:
            least = _optimum(around if target.favourable else -around, case, (0.0, 1.0))
            if least is not None and least + (0.0 if target.favourable else around.sum()) <= _NOBODY:
                return 0.0
        if target.favourable:
            wanted, mass = np.append(inside, 0.0), np.append(around, 0.0)
        else:
            wanted, mass = np.append(-inside, inside.sum()), np.append(-around, around.sum())
        # the rows of the case times t, and y ≤ t
        rows = np.vstack(
            [
                np.column_stack([case.rows, -case.limits]),
                np.column_stack([np.eye(number), -np.ones(number)]),
            ]
        )
        scaled = Case(rows=rows, limits=np.zeros(len(rows)))
        return _optimum(sign * wanted, scaled, (0.0, None), equal=mass)


def closest_rule(equations: Sequence[Equation]) -> FloatArray:
    """The rule that misses the figures by least, where side knowledge is not exact and none may agree with all of them."""
    number = len(equations[0].coefficients)
    found: list[tuple[float, FloatArray]] = []
    for case in _cases(equations, number):
        relaxed = Case(rows=np.column_stack([case.rows, -np.ones(len(case.rows))]), limits=case.limits)
        result = _solve(np.append(np.zeros(number), 1.0), relaxed, [(0.0, 1.0)] * number + [(0.0, None)])
        found.append((float(result.fun), np.asarray(result.x[:number])))
    return min(found, key=lambda miss_and_rule: miss_and_rule[0])[1]


@dataclass(frozen=True, eq=False)
class Case:
    """One choice of the unknown signs: rows · x ≤ limits."""

    rows: FloatArray
    limits: FloatArray


def _cases(equations: Sequence[Equation], number: int) -> Iterator[Case]:
    plain = [e for e in equations if not e.absolute]
    # a bias of nothing is one case, not two
    doubtful = [e for e in equations if e.absolute and e.low > 0][:MOST_CASES]
    level = [e for e in equations if e.absolute and e.low <= 0]
    for signs in product((1.0, -1.0), repeat=len(doubtful)):
        rows = [e.coefficients for e in plain] + [e.coefficients for e in level]
        lows = [e.low for e in plain] + [-e.high for e in level]
        highs = [e.high for e in plain] + [e.high for e in level]
        for sign, equation in zip(signs, doubtful, strict=True):
            rows.append(sign * equation.coefficients)
            lows.append(equation.low)
            highs.append(equation.high)
        both = np.array(rows).reshape(-1, number)
        yield Case(rows=np.vstack([both, -both]), limits=np.array([*highs, *(-low for low in lows)]))


def _optimum(
    wanted: FloatArray, case: Case, bounds: tuple[float, float | None], equal: FloatArray | None = None
) -> float | None:
    """The least value of wanted · x over a case (with equal · x = 1); None where no x agrees."""
    result = _solve(wanted, case, bounds, equal)
    return float(result.fun) if result.status == 0 else None


def _solve(wanted: FloatArray, case: Case, bounds: Any, equal: FloatArray | None = None) -> Any:
    # Here and not above: it takes a third of a second to import, and most specs print no figures that such a program needs.
    from scipy.optimize import linprog

    return linprog(
        wanted,
        A_ub=case.rows if len(case.rows) else None,
        b_ub=case.limits if len(case.rows) else None,
        A_eq=None if equal is None else equal[None, :],
        b_eq=None if equal is None else [1.0],
        bounds=bounds,
        method="highs",
    )
