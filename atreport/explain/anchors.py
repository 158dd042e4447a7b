"""Anchors: for one record, the fewest attributes that already lead to its announced outcome, whatever the others are.

All sets of attributes are tried, the smallest first, so no smaller condition is precise enough; of several of one size, the
one that holds for most people is taken. With more than twelve attributes, sets of up to four are tried, and all of them
together.

Guarantee: precision is the announced rate of the outcome among the people for whom the condition holds, with the certified
interval of any rate.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Range
from atreport.core.exact import dot
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion, cell_of, members_of
from atreport.explain.interventions import people
from atreport.explain.tree import share_of
from atreport.measures.rates import rates, strata_of
from atreport.report.explanation import Anchor, RuleSet
from atreport.report.figures import printed_interval, printed_value

MAX_ATTRIBUTES = 12
MAX_SIZE = 4


def explain(question: MethodQuestion) -> Iterator[RuleSet]:
    """The anchor of a record that the spec names."""
    found = find_anchor(question.table, question.subject.record, question.subject.precision)
    if found is not None:
        yield found


def find_anchor(table: RuleTable, record: Mapping[str, str], wanted: Decimal) -> RuleSet | None:
    """The anchor of a record, or None where nobody has this combination."""
    cell = cell_of(table.cells, record)
    if cell is None:
        return None
    likeliest = int(np.argmax(table.mapping[cell]))
    outcome = table.cells.process.outcome.values[likeliest]
    names = [attribute.name for attribute in table.cells.process.attributes]
    found = _smallest(table, record, names, outcome, Fraction(wanted))
    holds = members_of(
        table.cells, {name: (record[name],) for name in names if found is None or name in found}
    )
    precise = _precision(table, holds, outcome)
    return RuleSet(
        scheme="anchor",
        anchor=Anchor(
            record={name: record[name] for name in names},
            outcome=outcome,
            wanted=wanted,
            condition=None if found is None else {name: (record[name],) for name in found},
            precision=printed_value(precise, table.decimals),
            interval=printed_interval(precise, table.decimals),
            coverage=share_of(table, np.flatnonzero(holds)),
        ),
    )


def _smallest(
    table: RuleTable, record: Mapping[str, str], names: list[str], outcome: str, wanted: Fraction
) -> tuple[str, ...] | None:
    weights, steps = table.published_weights[0], table.announced_of(outcome)
    same = {name: members_of(table.cells, {name: (record[name],)}) for name in names}
    sizes = range(len(names) + 1) if len(names) <= MAX_ATTRIBUTES else (*range(MAX_SIZE + 1), len(names))
    for size in sizes:
        best: tuple[int, tuple[str, ...]] | None = None
        for chosen in combinations(names, size):
            holds: NDArray[np.bool_] = np.ones(len(weights), dtype=bool)
            for name in chosen:
                holds &= same[name]
            inside = weights[holds]
            number = people(inside)
            precise = Fraction(dot(inside, steps[holds]), number * table.scale) >= wanted
            if precise and (best is None or number > best[0]):
                best = number, chosen
        if best is not None:
            return best[1]
    return None


def _precision(table: RuleTable, holds: NDArray[np.bool_], outcome: str) -> list[Range]:
    ranges = rates(table, holds, strata_of(table.cells, []), outcome).in_stratum(0)
    assert ranges is not None, "the record itself is there"
    return ranges[::-1]  # the published population first
