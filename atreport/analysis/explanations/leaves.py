"""Parts of the population that a simpler rule treats alike, and how far such a rule is from the announced one.

Guarantee: what is printed is the rule, so faithfulness is exact for the probabilities as printed; errors are rounded up.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.analysis.explanations.explanation import Condition, Faithfulness, Rule
from atreport.analysis.explanations.interventions import people
from atreport.kit.exact import dot
from atreport.kit.rounding import nearest, rounded_up
from atreport.population.cells import IntArray
from atreport.rule_table import RuleTable


@dataclass(frozen=True, kw_only=True, eq=False)
class Leaf:
    """Cells that a tree treats alike, and what they have in common."""

    condition: Condition
    members: IntArray


def share_of(table: RuleTable, members: IntArray) -> Decimal | None:
    """The share of all people who are in some cells, or None where the population is withheld."""
    if not table.population_is_printed:
        return None
    weights = table.published_weights[0]
    return nearest(Fraction(people(weights[members]), people(weights)), table.decimals)


def rule_of(table: RuleTable, leaf: Leaf) -> Rule:
    """The announced rate of a leaf's people."""
    weights = table.published_weights[0][leaf.members]
    rate = Fraction(dot(weights, table.announced[leaf.members]), people(weights) * table.scale)
    return Rule(
        condition=leaf.condition,
        probability=nearest(rate, table.decimals),
        share=share_of(table, leaf.members),
    )


def faithfulness(table: RuleTable, steps: IntArray) -> Faithfulness:
    """How far probabilities, in whole printed steps, are from the announced ones; for every population that must hold."""
    return faithfulness_of(table, abs(steps - table.announced), table.scale)


def faithfulness_of(table: RuleTable, errors: IntArray, whole: int) -> Faithfulness:
    """How far a model is from the announced rule, given its error in every cell in whole numbers over `whole`."""
    worst = int(np.argmax(errors))
    average = max(
        Fraction(dot(weights, errors), people(weights) * whole) for weights in table.published_weights
    )
    return Faithfulness(
        average_error=rounded_up(average, table.decimals),
        worst_error=rounded_up(Fraction(int(errors[worst]), whole), table.decimals),
        worst=table.cells.labels(worst, table.cells.process.attributes),
    )
