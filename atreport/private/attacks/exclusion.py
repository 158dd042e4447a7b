"""What a reader can rule out, and by how much a reader's odds can move, whatever they believed before. Confidential.

β is about readers whose belief beforehand is the population. Two figures of the announced rule hold for every reader who
takes it for the truth. Both are whole numbers or fractions of announced steps, so nothing here is rounded but what is shown:

ruled out     a sensitive value that occurs in a group, and that nobody with the outcome can have: all its cells have the
              announced probability 0 for an outcome that occurs in the group
odds factor   R, the largest over outcomes of largest / smallest announced probability over the group's cells. Guarantee:
              for every belief beforehand and every statement about a person's private attributes, an outcome divides or
              multiplies its odds by at most R. Unbounded where an outcome rules out a cell; 1 where it tells nothing.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from atreport.core.cells import Cells, IntArray
from atreport.core.exact import product
from atreport.core.rule_table import RuleTable
from atreport.pages.wording import named_values
from atreport.private.attacks.finding import Case, Finding, Part
from atreport.private.data.decision_table import FloatArray
from atreport.private.true_rule import figure
from atreport.spec.process import Process
from atreport.text.language import count
from atreport.text.numbers import counted, rounded_up
from atreport.text.tables import Space, named, numeric, tabulate, worded

MOST_VALUES = 4
"""So many values that an outcome rules out are named in a table; annex.json has all."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Exclusion(Finding):
    """What each group's outcomes rule out, and the odds factor of each group."""

    heading = "What a reader can rule out"

    rule: RuleTable
    cell: IntArray  # for each value that is ruled out, a cell that has it
    outcome: IntArray  # and the outcome that rules it out
    attribute: IntArray  # and which sensitive attribute it is a value of
    largest: IntArray  # the odds factor of each group is largest / smallest, in whole steps
    smallest: IntArray  # 0: unbounded

    def odds_factor(self, group: int) -> Fraction | None:
        """The odds factor of a group, exactly; None: unbounded."""
        smallest = int(self.smallest[group])
        return Fraction(int(self.largest[group]), smallest) if smallest else None

    @property
    def ruled_out(self) -> IntArray:
        """How many values are ruled out in each group, an outcome at a time."""
        return np.bincount(self.rule.cells.group[self.cell], minlength=len(self.largest))

    @property
    def worst_first(self) -> IntArray:
        """The groups: those in which most is ruled out first, then those with the largest odds factor."""
        bounded = self.smallest > 0
        factor: FloatArray = np.full(len(self.largest), np.inf)
        np.divide(self.largest, self.smallest, out=factor, where=bounded)
        return np.lexsort((-factor, -self.ruled_out))

    def records(self, most: int | None) -> list[dict[str, Any]]:
        """The groups as plain data, the worst first: all, or so many. An odds factor is rounded up; None: unbounded."""
        cells, starts = self.rule.cells, self.rule.cells.group_starts
        public = cells.process.of_role("public")
        group_of = cells.group[self.cell]
        by_group = np.argsort(group_of, kind="stable")
        begins = np.searchsorted(group_of[by_group], np.arange(len(starts) + 1))
        rows = []
        for group in self.worst_first[:most].tolist():
            factor = self.odds_factor(group)
            rows.append(
                {
                    "qid": cells.labels(int(starts[group]), public),
                    "odds_factor": None if factor is None else float(rounded_up(factor, self.rule.decimals)),
                    "ruled_out": [
                        self._exclusion(int(i)) for i in by_group[begins[group] : begins[group + 1]]
                    ],
                }
            )
        return rows

    def _exclusion(self, place: int) -> dict[str, str]:
        cells = self.rule.cells
        attribute = cells.process.attribute(cells.protected[int(self.attribute[place])].attribute)
        return {
            "outcome": cells.process.outcome.values[int(self.outcome[place])],
            "attribute": attribute.name,
            "value": cells.labels(int(self.cell[place]), (attribute,))[attribute.name],
        }

    def as_json(self, most: int | None) -> dict[str, Any]:
        """The worst groups, and in how many something is ruled out or nothing bounds the odds."""
        return {
            "exclusion": {
                "groups": len(self.largest),
                "groups_with_values_ruled_out": int((self.ruled_out > 0).sum()),
                "groups_with_unbounded_odds": int((self.smallest == 0).sum()),
                "worst_first": self.records(most),
            }
        }

    def shown(self, space: Space) -> Part:
        """In how many groups something is ruled out, and the worst of them."""
        process, groups = self.rule.cells.process, len(self.largest)
        left_out = f"The {count(space.few)} worst of {count(groups)} groups; {space.more}."
        return Part(
            heading=self.heading,
            text=self._words(),
            tables=(
                tabulate(
                    "exclusion",
                    "What an outcome rules out for one who takes the announced rule for the truth",
                    [
                        named("Group", "qid", lambda qid: named_values(process, qid)),
                        worded(
                            "Ruled out for certain", "ruled_out", lambda found: _ruled_out(process, found)
                        ),
                        numeric("Odds factor", "odds_factor", _factor),
                    ],
                    self.records(space.few),
                    left_out if groups > space.few else "",
                ),
            ),
        )

    def _words(self) -> str:
        groups, excluding = len(self.largest), int((self.ruled_out > 0).sum())
        unbounded = int((self.smallest == 0).sum())
        found = (
            f"In {count(excluding)} of {counted(groups, 'group')} an outcome rules out a sensitive value that the "
            "population alone leaves possible."
            if excluding
            else f"In none of {counted(groups, 'group')} does an outcome rule out a sensitive value."
        )
        bound = (
            f"In {count(unbounded)} of them no factor bounds the odds: some combination of private attributes is "
            "ruled out."
            if unbounded
            else "In each of them the factor has a bound, so nothing becomes certain that was not."
        )
        return (
            "β does not cover what becomes impossible, nor readers who believed something else than the population tells. "
            "Whatever a reader believed of a person before, an outcome multiplies or divides its odds by at most the odds "
            f"factor of the group. {found} {bound}"
        )


def _factor(number: float | None) -> str:
    return "unbounded" if number is None else figure(number).removesuffix(".0")


def _ruled_out(process: Process, exclusions: list[dict[str, str]]) -> str:
    """What each outcome rules out, such as approved: not <100k, 100k-200k."""
    several = len(process.of_role("sensitive")) > 1
    by_outcome: dict[str, list[str]] = {}
    for each in exclusions:
        name = f"{process.attribute(each['attribute']).title} " if several else ""
        by_outcome.setdefault(each["outcome"], []).append(name + each["value"])
    texts = []
    for outcome, values in by_outcome.items():
        more = f" and {count(len(values) - MOST_VALUES)} more" if len(values) > MOST_VALUES else ""
        texts.append(f"{outcome}: not {', '.join(values[:MOST_VALUES])}{more}")
    return "; ".join(texts) or "nothing"


def rule_out(case: Case) -> Exclusion:
    """What readers of a draft can rule out."""
    return exclusion_of(case.announcement.rule)


def exclusion_of(rule: RuleTable) -> Exclusion:
    """What every outcome rules out in every group, and the odds factor of every group. Linear time, exact."""
    cells = rule.cells
    largest, smallest = _odds_factors(cells, rule.mapping)
    parts = []
    for outcome, steps in enumerate(rule.mapping.T):
        occurs = np.maximum.reduceat(steps, cells.group_starts) > 0
        for attribute, protected in enumerate(cells.protected):
            excluded = (protected.sums(steps) == 0) & occurs[protected.group]
            cell = protected.order[protected.starts[excluded]]
            parts.append(np.stack([cell, np.full_like(cell, outcome), np.full_like(cell, attribute)]))
    cell, outcomes, attributes = np.concatenate(parts, axis=1)
    return Exclusion(
        rule=rule, cell=cell, outcome=outcomes, attribute=attributes, largest=largest, smallest=smallest
    )


def _odds_factors(cells: Cells, mapping: IntArray) -> tuple[IntArray, IntArray]:
    """Numerator and denominator of each group's odds factor; the denominator is 0 where nothing bounds it."""
    largest = smallest = np.ones(len(cells.group_starts), dtype=np.int64)
    for of_outcome in mapping.T:
        top = np.maximum.reduceat(of_outcome, cells.group_starts)
        bottom = np.minimum.reduceat(of_outcome, cells.group_starts)
        # an outcome that does not occur has 0 / 0 = 1, and 0 * largest > top * 0 is never so: unbounded stays unbounded
        larger = product(top, smallest) > product(largest, bottom)
        largest, smallest = np.where(larger, top, largest), np.where(larger, bottom, smallest)
    return largest, smallest
