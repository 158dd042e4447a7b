"""Independent methods to compare with: linear programming by HiGHS, and plain fractions. No code of the solver."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from atreport.core.cells import Cells
from atreport.spec.fairness import IndividualFairness, MatrixDistance, ScaleDistance

FloatArray = NDArray[np.float64]


def violation(p: FloatArray, lower: FloatArray, upper: FloatArray, beta: float, near: FloatArray) -> float:
    """By how much the best mapping must exceed confidence `beta`, relative to the outcome's share; ≤ 0: it need not.

    A linear program in the announced probabilities x and the violation t: minimise t subject to
    p_k x_k - β Σ p x ≤ t·w1 and p_k (1 - x_k) - β Σ p (1 - x) ≤ t·w0 for every k. The positive weights w only set the
    scale (`near` is a mapping to take it from), so that rare outcomes are not lost in HiGHS's tolerances.
    """
    m = len(p)
    p = p / p.sum()
    rows, limits = [], []
    for sign, share in ((1.0, float(p @ near)), (-1.0, float(p @ (1 - near)))):
        weight = share if share > 1e-9 else 1.0
        block = sign * (np.diag(p) - beta * p[None, :]) / weight
        rows.append(np.hstack([block, -np.ones((m, 1))]))
        limits.append(np.zeros(m) if sign > 0 else (beta - p) / weight)
    found = linprog(
        [0.0] * m + [1.0],
        A_ub=np.vstack(rows),
        b_ub=np.concatenate(limits),
        bounds=[*zip(lower, upper, strict=True), (None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert found.status == 0, found.message
    assert found.fun is not None
    return float(found.fun)


def exact_confidence(
    weights: Sequence[int], announced: Sequence[Fraction], labels: Sequence[object]
) -> Fraction:
    """The largest confidence in any label, over both outcomes, by Bayes' rule in fractions."""
    largest = Fraction(0)
    for outcome in ([Fraction(a) for a in announced], [1 - Fraction(a) for a in announced]):
        total = sum(w * a for w, a in zip(weights, outcome, strict=True))
        if total == 0:
            continue
        for label in set(labels):
            joint = sum(w * a for w, a, own in zip(weights, outcome, labels, strict=True) if own == label)
            largest = max(largest, joint / total)
    return largest


def exact_optimum(p: Sequence[Fraction], lower: Sequence[Fraction], upper: Sequence[Fraction]) -> Fraction:
    """β* of one group by the four terms, in fractions."""
    total = sum(p)
    least = max(w * lo for w, lo in zip(p, lower, strict=True))
    rest = max(w * (1 - hi) for w, hi in zip(p, upper, strict=True))
    terms = [(least + rest) / total, max(p) / total]
    if least:
        terms.append(least / sum(min(w * hi, least) for w, hi in zip(p, upper, strict=True)))
    if rest:
        terms.append(rest / sum(min(w * (1 - lo), rest) for w, lo in zip(p, lower, strict=True)))
    return max(terms)


def exact_rate(
    weights: Sequence[int], probability: Sequence[Fraction], members: Sequence[bool]
) -> Fraction | None:
    """The favourable rate of the members, or None where there are none."""
    people = sum(w for w, member in zip(weights, members, strict=True) if member)
    if not people:
        return None
    return (
        sum(
            (w * q for w, q, member in zip(weights, probability, members, strict=True) if member), Fraction(0)
        )
        / people
    )


def brute_force_bias(
    cells: Cells, truth: Mapping[str, Sequence[Fraction]], measure: IndividualFairness
) -> float | Fraction:
    """Individual fairness from its definition: all pairs of cells."""
    bias: float | Fraction = Fraction(0)
    for i, j in combinations(range(len(cells)), 2):
        if measure.metric == "total_variation":
            apart: float | Fraction = sum((abs(p[i] - p[j]) for p in truth.values()), Fraction(0)) / len(
                truth
            )
        else:
            apart = 0.0
            for p in truth.values():
                if p[i] != p[j]:
                    apart = max(
                        apart, math.inf if 0 in (p[i], p[j]) else abs(math.log(p[i]) - math.log(p[j]))
                    )
        bias = max(bias, apart - distance(cells, i, j, measure))
    return bias


def distance(cells: Cells, i: int, j: int, measure: IndividualFairness) -> Fraction:
    """How far two cells are apart, from the spec's words."""
    total = Fraction(0)
    for name, far in measure.distance.items():
        values = cells.process.attribute(name).values
        a, b = (int(cells.column(name)[cell]) for cell in (i, j))
        if isinstance(far, MatrixDistance):
            total += Fraction(far.matrix[a][b])
        elif isinstance(far, ScaleDistance):
            numbers = (
                far.numbers
                if isinstance(far.numbers, dict)
                else {v: Decimal(v) for v in values if far.numbers}
            )
            apart = (
                abs(Fraction(numbers[values[a]]) - Fraction(numbers[values[b]])) if numbers else abs(a - b)
            )
            total += apart * Fraction(far.scale)
        elif a != b:
            total += Fraction(far)
    return total
