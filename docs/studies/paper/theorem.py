"""The paper's Theorem 1 and Algorithm 1 as they are printed, in exact fractions, and what is true instead.

One QID group: `p` are the shares of its records, `d` the true chances of the favourable outcome. Written from the paper's
formulas for this study; the program itself uses other code.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Numbers = Sequence[Fraction]


@dataclass(frozen=True)
class Bounds:
    """What may be announced of each outcome of each record, as the paper defines it: one outcome at a time."""

    low: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]  # by outcome: 0, 1
    high: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


def within_delta(d: Numbers, delta: Fraction) -> Bounds:
    """No further than 1 - δ from the truth, and between 0 and 1."""
    w = 1 - delta
    true = (tuple(1 - x for x in d), tuple(d))
    low = tuple(tuple(max(Fraction(0), x - w) for x in outcome) for outcome in true)
    high = tuple(tuple(min(Fraction(1), x + w) for x in outcome) for outcome in true)
    return Bounds((low[0], low[1]), (high[0], high[1]))


def within_alpha(d: Numbers, alpha: Fraction) -> Bounds:
    """Between α times and 1/α times the truth, and at most 1."""
    true = (tuple(1 - x for x in d), tuple(d))
    low = tuple(tuple(alpha * x for x in outcome) for outcome in true)
    high = tuple(tuple(min(Fraction(1), x / alpha) for x in outcome) for outcome in true)
    return Bounds((low[0], low[1]), (high[0], high[1]))


def consistent(bounds: Bounds) -> Bounds:
    """The same, where a bound on one outcome is also one on the other: their chances are 1 together."""
    low, high = (
        tuple(
            tuple(end(own, 1 - other) for own, other in zip(of[a], against[1 - a], strict=True))
            for a in (0, 1)
        )
        for of, against, end in ((bounds.low, bounds.high, max), (bounds.high, bounds.low, min))
    )
    return Bounds((low[0], low[1]), (high[0], high[1]))


@dataclass(frozen=True)
class Terms:
    """The candidates for the least confidence, and the record that each outcome's is taken from."""

    beta_0: Fraction
    beta_1: Fraction
    beta_p: Fraction
    beta_min: Fraction
    record_0: int
    record_1: int

    @property
    def paper(self) -> Fraction:
        """The optimum according to the paper."""
        return max(self.beta_0, self.beta_1, self.beta_p)

    @property
    def true(self) -> Fraction:
        """The optimum: nobody can know less than the population tells."""
        return max(self.paper, self.beta_min)


def terms(p: Numbers, bounds: Bounds) -> Terms:
    """The terms of Theorem 1, and the prior that it leaves out."""
    largest, single = [], []
    for a in (0, 1):
        least = [share * low for share, low in zip(p, bounds.low[a], strict=True)]
        record = max(range(len(p)), key=least.__getitem__)
        room = sum(min(share * high, least[record]) for share, high in zip(p, bounds.high[a], strict=True))
        single.append(least[record] / room if room else Fraction(0))
        largest.append((record, least[record]))
    return Terms(
        beta_0=single[0],
        beta_1=single[1],
        beta_p=(largest[0][1] + largest[1][1]) / sum(p),
        beta_min=max(p) / sum(p),
        record_0=largest[0][0],
        record_1=largest[1][0],
    )


def algorithm_1(p: Numbers, bounds: Bounds) -> list[Fraction]:
    """The rule that the paper's algorithm announces, line by line."""
    found = terms(p, bounds)
    for a, beta in ((0, found.beta_0), (1, found.beta_1)):
        if found.paper == beta:
            record = found.record_0 if a == 0 else found.record_1
            threshold = p[record] * bounds.low[a][record]
            filled = [
                min(share * high, threshold) / share for share, high in zip(p, bounds.high[a], strict=True)
            ]
            return filled if a == 1 else [1 - x for x in filled]
    return _allocation(p, bounds, found)


def _allocation(p: Numbers, bounds: Bounds, found: Terms) -> list[Fraction]:
    """The case in which both outcomes must be balanced: fill the other records in the order of their rows."""
    total, beta, first, zero = sum(p), found.paper, found.record_1, found.record_0
    threshold = p[first] * bounds.low[1][first]

    def excess(k: int) -> Fraction:
        return p[k] - beta * total

    others = [k for k in range(len(p)) if k not in (first, zero)]
    least = {k: max(p[k] * bounds.low[1][k], threshold + excess(k)) / p[k] for k in others}
    most = {k: min(p[k] * bounds.high[1][k], threshold) / p[k] for k in others}
    rest = (1 - 2 * beta) / beta * threshold - excess(zero) - sum(p[k] * least[k] for k in others)
    announced = [Fraction(0)] * len(p)
    announced[first] = bounds.low[1][first]
    announced[zero] = 1 - bounds.low[0][zero]
    for k in others:
        share = min(rest / p[k], most[k] - least[k])
        announced[k] = least[k] + share
        rest -= p[k] * share
    return announced


def confidence(p: Numbers, announced: Numbers) -> Fraction:
    """How sure a reader who takes the announced rule for the truth can become, by Bayes' rule."""
    found = Fraction(0)
    for chances in (announced, [1 - x for x in announced]):
        joint = [share * x for share, x in zip(p, chances, strict=True)]
        if sum(joint):
            found = max(found, max(joint) / sum(joint))
    return found
