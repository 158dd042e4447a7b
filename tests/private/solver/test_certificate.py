"""Certificates of optimality, and the checker that shares no code with the solver."""

import ast
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.private.solver import certificate_check
from atreport.private.solver.certificate import certify_optimum, records_by_group
from atreport.private.solver.certificate_check import _possible, is_optimal
from atreport.private.solver.fidelity import fidelity_bounds
from atreport.private.solver.objective import Objective
from atreport.private.solver.solver import solve_table
from tests.core.test_certify import CLOSENESS
from tests.example import random_table


@pytest.mark.parametrize("seed", range(40))
def test_every_certificate_passes_the_checker(seed: int) -> None:
    """The exact value is possible, and a value lower by 1e-12 is not; the float optimum agrees to 1e-12."""
    table = random_table(np.random.default_rng(seed), groups=4, values=4, others=2)
    closeness = CLOSENESS[seed % len(CLOSENESS)]
    if closeness.delta == 1 or closeness.alpha == Decimal("0.999"):
        closeness = CLOSENESS[0]
    solution = solve_table(table, fidelity_bounds(table, closeness, 4), Objective(minimise=("beta",)))
    assert solution.terms is not None
    for group, records in enumerate(records_by_group(table, closeness)):
        found = certify_optimum(solution.terms, group, records)
        assert abs(float(found.value) - solution.optimum[group]) <= 1e-12
        assert is_optimal(found.value, [(r.people, r.lower, r.upper) for r in records])


def test_checker_refuses_wrong_claims() -> None:
    """Too low is impossible, too high is not the least."""
    women = [
        (12, Fraction(0), Fraction(1, 10)),
        (5, Fraction(0), Fraction(1, 10)),
        (3, Fraction(9, 10), Fraction(1)),
    ]
    assert is_optimal(Fraction(27, 40), women)
    assert not is_optimal(Fraction(27, 40) - Fraction(1, 10**9), women)
    assert not is_optimal(Fraction(27, 40) + Fraction(1, 10**9), women)


def test_checker_knows_the_paper_is_wrong() -> None:
    """The paper's value for its smallest counterexample, 6/7, is not possible; 9/10 is the optimum."""
    records = [(9, Fraction(2, 5), Fraction(3, 5)), (1, Fraction(2, 5), Fraction(3, 5))]
    assert not is_optimal(Fraction(6, 7), records)
    assert is_optimal(Fraction(9, 10), records)


def test_checker_shares_no_code_with_the_solver() -> None:
    """It imports the standard library only."""
    tree = ast.parse(Path(certificate_check.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert imported == {"collections.abc", "fractions", "itertools"}


def test_paper_example_has_exact_fractions() -> None:
    """27/40 and 81/127, as the annex prints them."""
    from atreport.private.data.table import read_table
    from tests.example import example_spec

    table = read_table(example_spec())
    closeness = Closeness(delta=Decimal("0.9"))
    solution = solve_table(table, fidelity_bounds(table, closeness, 4), Objective(minimise=("beta",)))
    assert solution.terms is not None
    found = [certify_optimum(solution.terms, g, r) for g, r in enumerate(records_by_group(table, closeness))]
    assert [(c.term, str(c.value)) for c in found] == [("both", "27/40"), ("unfavourable", "81/127")]


@pytest.mark.parametrize("seed", range(12))
def test_the_checker_knows_what_is_possible_above_the_least(seed: int) -> None:
    """Every confidence from the least on is possible, whether a limit's corner or only a point between two admits it.

    A checker that missed one just below a claimed value would take that value for the least.
    """
    table = random_table(np.random.default_rng(seed), groups=3, values=4)
    closeness = CLOSENESS[0]
    terms = solve_table(table, fidelity_bounds(table, closeness, 4), Objective(minimise=("beta",))).terms
    assert terms is not None
    for group, found in enumerate(records_by_group(table, closeness)):
        least = certify_optimum(terms, group, found).value
        records = [(r.people, r.lower, r.upper) for r in found]
        for part in (1, 7, 40, 77, 99):
            assert _possible(least + (1 - least) * Fraction(part, 100), records)
            assert not _possible(least * Fraction(100 - part, 100), records)


def test_a_total_between_two_corners_admits_a_confidence() -> None:
    """No total at which a limit has a corner admits it: only the root of a sum between two of them does."""
    rng, only_between = np.random.default_rng(0), 0
    for _ in range(150):
        records = [
            (int(rng.integers(1, 40)), Fraction(min(a, b), 20), Fraction(max(a, b), 20))
            for a, b in rng.integers(0, 21, (3, 2)).tolist()
        ]
        b = Fraction(int(rng.integers(34, 100)), 100)
        found = _possible(b, records)
        assert found == by_enumeration(b, records)
        only_between += found
    assert 10 < only_between < 140


def by_enumeration(b: Fraction, records: list[tuple[int, Fraction, Fraction]]) -> bool:
    """The same by Fourier and Motzkin: for each record and pair of limits, what they ask of the total s.

    Sums of the least and of the most are the largest and the smallest of sums over choices of one limit for each record.
    """
    total = sum(people for people, _, _ in records)
    low, high = Fraction(0), Fraction(total)

    def ask(constant: Fraction, slope: Fraction) -> bool:
        """Constant + slope · s ≤ 0."""
        nonlocal low, high
        if slope > 0:
            high = min(high, -constant / slope)
        elif slope < 0:
            low = max(low, -constant / slope)
        return slope != 0 or constant <= 0

    fits = True
    least, most = [], []
    for people, lower, upper in records:
        least.append([(people * lower, Fraction(0)), (people - b * total, b)])
        most.append([(people * upper, Fraction(0)), (Fraction(0), b)])
        for c, m in least[-1]:
            for other, slope in most[-1]:
                fits &= ask(c - other, m - slope)
    for chosen in product(*least):
        fits &= ask(sum((c for c, _ in chosen), Fraction(0)), sum((m for _, m in chosen), Fraction(0)) - 1)
    for chosen in product(*most):
        fits &= ask(-sum((c for c, _ in chosen), Fraction(0)), 1 - sum((m for _, m in chosen), Fraction(0)))
    return fits and low <= high


def test_no_confidence_is_nothing_or_less() -> None:
    """A claim of 0 is refused and not divided by; and so is one whose next smaller is 0."""
    records = [(12, Fraction(0), Fraction(1)), (5, Fraction(0), Fraction(1))]
    for value in (Fraction(-1, 2), Fraction(0), Fraction(1, 10**12)):
        assert not is_optimal(value, records)
    assert is_optimal(Fraction(1), [(3, Fraction(0), Fraction(1))], step=Fraction(1))
