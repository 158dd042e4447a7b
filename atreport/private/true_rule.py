"""The true rule, and its figures, for those behind the wall: types of their own, which no public page can be made of.

Analysis takes the true rule as it takes an announced one. Only publication makes parts of a Report, of an Announcement; so
a figure of the truth does not get into one.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from atreport.core.band import Closeness
from atreport.core.certify import Announcement, counted_groups, rounded_mappings
from atreport.core.inference import populations_of, posterior_bounds
from atreport.core.rule_table import RuleTable
from atreport.measures import measure_one
from atreport.measures.measured import Measured
from atreport.private.data.decision_table import DecisionTable
from atreport.report.figures import Verdict, draw_verdict, printed_interval
from atreport.spec.fairness import ErrorRate, Measure
from atreport.text.language import count
from atreport.text.numbers import nearest, rounded_down, rounded_up
from atreport.text.tables import Space

TRUE_DECIMALS = 9
"""How precisely true figures are stated."""

UNCHANGED = Closeness(delta=Decimal(1))


@dataclass(frozen=True, eq=False)
class TrueRule:
    """The rule by which decisions are made."""

    table: DecisionTable

    def rule_table(self, decimals: int, *, like: RuleTable, exact_counts: bool = False) -> RuleTable:
        """The rule to the nearest so many decimals, every cell's outcomes making one, as if it were announced unchanged.

        People are counted and published as in `like`; or, with `exact_counts`, as they are, whatever is published.
        """
        people = (like.cells.population,) if exact_counts else like.weights
        place, whole = self.table.favourable_place, np.full(self.table.probability.shape, 10**decimals)
        return replace(
            like,
            mapping=next(rounded_mappings([self.table.probability], 0 * whole, whole, 10**decimals, place)),
            decimals=decimals,
            fidelity=UNCHANGED,
            weights=people,
            population="withheld" if exact_counts else like.population,
        )

    def as_it_is(self, decimals: int) -> RuleTable:
        """The rule and the people of the data themselves, by their own values and with exact counts.

        Rounded to so many decimals: the truth is no further from it than a step for each outcome. That is its fidelity,
        so every exact figure of the data lies in the interval of the figure found on this table.
        """
        whole = np.full(self.table.probability.shape, 10**decimals)
        rounded = rounded_mappings(
            [self.table.probability], 0 * whole, whole, 10**decimals, self.table.favourable_place
        )
        return RuleTable(
            cells=self.table.cells,
            mapping=next(rounded),
            decimals=decimals,
            fidelity=Closeness(delta=1 - self.table.probability.shape[1] * Decimal(1).scaleb(-decimals)),
            weights=(self.table.cells.population,),
            population="withheld",
        )


def warn_of_more_than_the_truth(table: DecisionTable, announcement: Announcement) -> str:
    """Where the announced rule lets somebody be more confident than the true rule itself would; empty elsewhere.

    Optimal rules never do, but for rounding: the truth is one of those that they are chosen from.
    """
    if announcement.mechanism != "calibrated":
        return ""
    truth = TrueRule(table).rule_table(TRUE_DECIMALS, like=announcement.rule)
    populations = populations_of(truth.cells, truth.weights)
    found = posterior_bounds(truth.cells, truth.mapping, populations, TRUE_DECIMALS).beta.max()
    beta = rounded_up(Fraction(int(found), 10**TRUE_DECIMALS), announcement.decimals)
    if announcement.beta <= beta:
        return ""
    return (
        f"β = {announcement.beta} is above {beta}, which publishing the true rule itself would give: with the mechanism "
        "calibrated at this fidelity, the report protects less than the truth would. Take the mechanism optimal, or another "
        "fidelity: 'atreport tradeoff' shows what each gives."
    )


@dataclass(frozen=True, kw_only=True)
class TrueRate:
    """The true favourable rate of one group."""

    value: Decimal
    people: int | None  # None: others may be in the group too, under a value that stands for several


@dataclass(frozen=True, kw_only=True)
class TrueMeasure:
    """One fairness measure of the true rule, to the nearest of TRUE_DECIMALS."""

    asked: Measure
    groups: tuple[str, str] | None
    given: Mapping[str, str] | None
    value: Decimal | None  # None: nothing bounds it
    verdict: Verdict | None
    rates: Mapping[str, TrueRate]  # favourable, by group
    is_over_outcomes: bool = False  # the smallest ratio over all outcomes
    rate: ErrorRate | None = None  # of error rates: which


def measure_truth(table: RuleTable, asked: Measure) -> Iterator[TrueMeasure]:
    """Every comparison that one entry of the spec asks for, on a rule table of the truth.

    With another fidelity than 1, the verdict is the one that a reader could draw if the truth were announced at that
    fidelity.
    """
    for found in measure_one(table, asked, unknown=False):
        if isinstance(found, Measured):
            yield _true_measure(found, table.decimals)


def _true_measure(found: Measured, decimals: int) -> TrueMeasure:
    interval = None if found.ranges is None else printed_interval(found.ranges, decimals)
    at_least = None if found.at_least is None else rounded_down(found.at_least, decimals)
    return TrueMeasure(
        asked=found.asked,
        groups=found.groups,
        given=found.given,
        value=None if found.ranges is None else nearest(found.ranges[0].value, decimals),
        verdict=draw_verdict(interval, at_least, found.asked.limit, is_ratio=found.asked.is_ratio),
        rates={
            rate.group: TrueRate(value=nearest(rate.ranges[0].value, decimals), people=rate.people)
            for rate in found.rates
        },
        is_over_outcomes=found.by_outcome is not None,
        rate=found.rate,
    )


# How confidential figures are written, and long lists of them cut. Used by attacks, trade-off and annex.

DIGITS = 9
"""How precisely confidential figures are written for programs."""

READ = 5
"""So many decimals of a true figure are printed for people, one more than most reports have; annex.json has the rest."""

TERM_NAMES = {
    "favourable": "favourable outcome (β1)",
    "unfavourable": "unfavourable outcome (β0)",
    "both": "both outcomes together (βp)",
    "prior": "known before any report (βmin)",
}
"""The four terms of the optimum."""

Item = TypeVar("Item")


def rounded(number: Any) -> float:
    """A confidential figure as JSON has it."""
    return round(float(number), DIGITS)


def figure(number: float) -> str:
    """A true figure for people: to the nearest of READ decimals, without trailing zeros.

    What would look like a whole number and is none, and what would lose all but its last digit, keeps more of them.
    """
    rough = round(number, READ)
    is_lost = rough != round(number, DIGITS) and (rough == int(rough) or abs(number) < 10 ** (2 - READ))
    return exact_figure(number if is_lost else rough)


def exact_figure(number: float) -> str:
    """A figure of the report as it is printed there, without trailing zeros."""
    text = f"{number:.{DIGITS}f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def at_most(number: float) -> str:
    """An upper bound, rounded up to READ decimals."""
    return exact_figure(math.ceil(round(number * 10**READ, DIGITS - READ)) / 10**READ)


def at_least(number: float) -> str:
    """A lower bound, rounded down to READ decimals."""
    return exact_figure(math.floor(round(number * 10**READ, DIGITS - READ)) / 10**READ)


def share(number: float) -> str:
    """A confidence in percent, to two decimals: enough to compare."""
    return f"{number:.2%}"


def out_of(found: int, tried: int) -> str:
    """How many of those tried; or that none was."""
    return f"{count(found)} of {count(tried)}" if tried else "not tried"


def most(
    items: Sequence[Item], key: Callable[[Item], float], things: str, ends: str, space: Space
) -> tuple[list[Item], str]:
    """The items to show, and what is said of those left out."""
    chosen = space.choose(items, lambda item: round(key(item) * 10**DIGITS))
    if len(chosen) == len(items):
        return chosen, ""
    return chosen, (
        f"{count(len(chosen))} of {count(len(items))} {things} are shown: {ends}. All of them are in {space.all_in}."
    )


def warn_of_certainty(announcement: Announcement) -> str | None:
    """Loud words where somebody can be certain of a sensitive value; None where nobody can. Confidential."""
    groups = announcement.certain_groups
    if not len(groups):
        return None
    cells = announcement.cells
    words = f"no protection: someone can be certain in {counted_groups(len(groups))}"
    if cells.between is not None:  # how many they are is not known any more, only what is published of it
        return f"{words}: what is published cannot rule out that all people there have one value"
    people = int(cells.population[np.isin(cells.group, groups)].sum())
    return f"{words} ({'1 person' if people == 1 else f'{people:,} people'})"
