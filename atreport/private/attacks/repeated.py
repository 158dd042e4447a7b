"""An observer who sees several decisions on one person, each made anew by the announced rule. Confidential.

β is about one decision. Decisions that are independent, once a person's record is given, multiply: after k of them with
announced probabilities x the belief in a record is proportional to the product of the k. Every sequence of outcomes is tried
(their order does not matter). Guarantee: k decisions multiply anybody's odds by at most R^k, with R the odds factor of the
group; that is checked here for readers who know the population.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np

from atreport.core.cells import IntArray
from atreport.core.rule_table import RuleTable
from atreport.private.attacks.exclusion import rule_out
from atreport.private.attacks.finding import STRONGER_OBSERVERS, Case, Finding, FindingTable
from atreport.private.attacks.observers import confidence_in
from atreport.private.true_rule import share
from atreport.text.tables import named, numeric

DECISIONS = (1, 2, 3, 5, 10)
"""So many decisions on one person are tried."""

MOST_PRODUCTS = 20_000_000
"""Where all sequences would need more products than this, only those of one outcome throughout are tried."""

MILLION = 1_000_000
"""Larger factors are not worth their digits."""


@dataclass(frozen=True, kw_only=True)
class Repetition:
    """What so many decisions on one person give."""

    decisions: int
    confidence: float  # the largest in any sensitive value, for one who knows the population
    odds_factor: Fraction | None  # R^k of the group with the largest; None: unbounded
    from_half: float  # how sure somebody can be at most who was 50 % sure, whatever the statement


def _factor(number: float | None) -> str:
    if number is None:
        return "unbounded"
    return f"{number:,.2f}" if number < MILLION else "over a million"


class Repeated(Finding):
    """Several decisions on one person: a row for each number of them."""

    heading = STRONGER_OBSERVERS
    text = (
        "The promise is about one decision. Who sees several on the same person, each made anew, learns more."
    )
    listing = FindingTable(
        key="repeated_decisions",
        id="repeated",
        caption="An observer who sees several decisions on one person",
        columns=(
            named("Decisions", "decisions"),
            numeric("Most confident of a value", "confidence", share),
            numeric("Odds move by at most", "odds_factor", _factor),
            numeric("Who was 50% sure of anything: at most", "from_half", share),
        ),
    )


def decide_again(case: Case) -> Repeated:
    """Let an observer of a draft see several decisions on one person."""
    rule, exclusion = case.announcement.rule, case.result_of(rule_out)
    factors = [exclusion.odds_factor(group) for group in range(len(exclusion.largest))]
    bounded = [factor for factor in factors if factor is not None]
    largest = max(bounded) if len(bounded) == len(factors) else None
    found, exceeding = [], 0
    for decisions in DECISIONS:
        sequences = _sequences(rule.mapping, decisions)
        likelihoods = [np.prod(rule.mapping[:, each] / rule.scale, axis=1) for each in sequences]
        odds = None if largest is None else largest**decisions
        found.append(
            Repetition(
                decisions=decisions,
                confidence=float(confidence_in(rule.cells, np.column_stack(likelihoods)).max()),
                odds_factor=odds,
                from_half=1.0 if odds is None else float(odds / (1 + odds)),
            )
        )
        if case.closely:
            exceeding += sum(_beyond(rule, each, factors) for each in sequences)
    return Repeated(rows=tuple(found), exceeding=exceeding)


def _sequences(mapping: IntArray, decisions: int) -> list[tuple[int, ...]]:
    """Every sequence of outcomes, up to their order; those of one outcome only, where there would be too many."""
    outcomes = range(mapping.shape[1])
    sequences = list(combinations_with_replacement(outcomes, decisions))
    if len(sequences) * mapping.size > MOST_PRODUCTS:
        return [(outcome,) * decisions for outcome in outcomes]
    return sequences


def _beyond(rule: RuleTable, sequence: tuple[int, ...], factors: list[Fraction | None]) -> int:
    """How many values have odds that a sequence moves by more than the factor of their group to its power; exact."""
    cells = rule.cells
    people = cells.population.astype(object)
    joint = people * np.prod(rule.mapping[:, sequence].astype(object), axis=1)
    everybody, whole = (np.add.reduceat(each, cells.group_starts) for each in (people, joint))
    limits = [None if factor is None else factor ** len(sequence) for factor in factors]
    beyond = 0
    for protected in cells.protected:
        of_values = zip(protected.group.tolist(), protected.sums(people), protected.sums(joint), strict=True)
        for group, before, inside in of_values:
            limit, others, outside = limits[group], everybody[group] - before, whole[group] - inside
            if limit is not None and others:
                beyond += inside * others * limit.denominator > limit.numerator * outside * before
    return int(beyond)
