"""Every promise of a draft, tried one by one: confidence, lift, odds, ceilings and rates. Confidential.

Readers who take the announced rule for the truth draw every conclusion there is: from every outcome, in every group, about
every sensitive value, weighing people by every population that is published; and readers with beliefs of their own, drawn
at random, about statements drawn at random. What they reach is compared with what is promised in whole numbers; floats only
decide where to look. None of the code that certifies the promises is used.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import IntArray, Protected
from atreport.core.certify import Announcement, ceiling_on_beta
from atreport.core.exact import product, run_sums
from atreport.core.inference import UNBOUNDED
from atreport.private.attacks.finding import Case, Finding, FindingTable
from atreport.private.data.decision_table import DecisionTable
from atreport.spec.spec import Spec
from atreport.text.language import count
from atreport.text.tables import named, numeric

# Every conclusion about a sensitive value that a reader of a draft can draw, in whole numbers. Confidential.

Figure = Literal["confidence", "lift"]

_CLOSE = 1 - 1e-9
"""Floats this close to a limit do not decide whether it is kept."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Conclusions:
    """All conclusions from one outcome about one attribute, for one population: arrays by (QID group, value)."""

    attribute: int
    protected: Protected
    own: NDArray[Any]  # Σ w·x over the value's cells
    whole: NDArray[Any]  # … over the group
    own_people: NDArray[Any]  # Σ w over the value's cells
    people: NDArray[Any]

    @property
    def confidence(self) -> NDArray[np.float64]:
        """In floats; 0 where the outcome does not occur."""
        return _quotient(self.own, self.whole)

    @property
    def lift(self) -> NDArray[np.float64]:
        """In floats."""
        return self.confidence * _quotient(self.people, self.own_people)

    def beyond(self, figure: Figure, numerator: NDArray[Any], denominator: int) -> int:
        """How many confidences or lifts are above a limit for each value; exact."""
        limit = np.asarray(numerator / denominator, dtype=np.float64)
        above, below = [self.own], [self.whole]
        if figure == "lift":
            above, below = [*above, self.people], [*below, self.own_people]
        return sum(
            prod(int(each[i]) for each in above) * denominator
            > prod(int(each[i]) for each in below) * int(numerator[i])
            for i in np.flatnonzero(getattr(self, figure) > _CLOSE * limit).tolist()
        )


def _quotient(above: NDArray[Any], below: NDArray[Any]) -> NDArray[np.float64]:
    floats = below.astype(np.float64)
    return np.divide(above.astype(np.float64), floats, out=np.zeros(len(floats)), where=floats > 0)


def conclusions_of(announcement: Announcement) -> Iterator[Conclusions]:
    """From every outcome, about every attribute, for every population that is published and the bounds of counts."""
    cells = announcement.cells
    bounds = cells.between or ()
    for weights in (*announcement.weights, *bounds):
        for attribute, protected in enumerate(cells.protected):
            for steps in announcement.mapping.T:
                yield Conclusions(
                    attribute=attribute,
                    protected=protected,
                    own=protected.sums(product(weights, steps)),
                    whole=run_sums(product(weights, steps), cells.group_starts)[protected.group],
                    own_people=protected.sums(weights),
                    people=run_sums(weights, cells.group_starts)[protected.group],
                )


# One promise of a draft, tried. Confidential.


@dataclass(frozen=True, kw_only=True)
class Tried:
    """One promise: what it says, the most that was reached, and how often it was broken."""

    promise: str
    promised: float | None  # the largest; None: without limit
    reached: float | None
    checked: int
    broken: int
    # a ceiling that the policy asks for, which the report does not promise unless it is kept
    asked: bool = False


_FLOATS = 1e-12
"""What sums of floats may be off by: the true rates are floats."""


def _shown(number: float | None) -> str:
    return "unbounded" if number is None else f"{number:,.4f}"


class Promises(Finding):
    """Every promise, tried: a row each."""

    heading = "Promises, tried one by one"
    text = "Every conclusion that a reader of the draft can draw was compared with what is promised about it."
    listing = FindingTable(
        key="promises",
        id="promises",
        caption="What is promised, and the most that any conclusion reached",
        columns=(
            named("Promise", "promise"),
            numeric("Promised at most", "promised", _shown),
            numeric("Reached", "reached", _shown),
            numeric("Conclusions tried", "checked", count),
            numeric("Beyond the promise", "broken", count),
        ),
        without="asked",
    )


def try_promises(case: Case) -> Promises:
    """Try every promise of a draft, and every ceiling of its policy."""
    announcement = case.announcement
    conclusions = list(conclusions_of(announcement))
    tried = (
        *try_values(announcement, conclusions),
        try_odds(announcement),
        try_any_belief(announcement),
        *try_ceilings(case.spec, announcement, conclusions),
        *_of_rates(case.table, announcement),
    )
    return Promises(
        rows=tried,
        exceeding=sum(each.broken for each in tried if not each.asked),
        above_ceilings=sum(each.broken for each in tried if each.asked),
    )


def _of_rates(table: DecisionTable, announcement: Announcement) -> Iterator[Tried]:
    """The rate of every outcome in every group, against the true one."""
    move = announcement.rule.rate_move
    if move is None:
        return
    starts, worst, broken, checked = announcement.cells.group_starts, 0.0, 0, 0
    for weights in announcement.weights:
        people = weights.astype(np.float64)[:, None]
        changed = people * (announcement.mapping / announcement.scale - table.probability)
        moved = np.abs(np.add.reduceat(changed, starts, axis=0) / np.add.reduceat(people, starts, axis=0))
        worst, checked = max(worst, float(moved.max())), checked + moved.size
        broken += int((moved > float(move) + _FLOATS).sum())
    yield Tried(
        promise="Change of the rate of an outcome in a group",
        promised=float(move),
        reached=worst,
        checked=checked,
        broken=broken,
    )


# Confidence and lift of sensitive values: what is promised, and what the policy allows. Confidential.


def try_values(announcement: Announcement, conclusions: list[Conclusions]) -> Iterator[Tried]:
    """Confidence and lift, by group and value by value."""
    attributes, scale = announcement.attributes, announcement.scale

    def of_group(limits: NDArray[Any]) -> list[NDArray[Any]]:
        return [limits[each.protected.group] for each in conclusions]

    def of_value(limits: list[NDArray[Any]]) -> list[NDArray[Any]]:
        return [limits[each.attribute] for each in conclusions]

    after, lift = [each.after for each in attributes], [np.asarray(each.lift) for each in attributes]
    largest = [max(float(limits.max()) for limits in of_values) / scale for of_values in (after, lift)]
    tried: tuple[tuple[str, Figure, float, list[NDArray[Any]]], ...] = (
        (
            "Confidence in any value of a group (β)",
            "confidence",
            float(announcement.beta),
            of_group(announcement.group_beta),
        ),
        ("Confidence, value by value", "confidence", largest[0], of_value(after)),
        ("Lift of any value of a group", "lift", float(announcement.lift), of_group(announcement.group_lift)),
        ("Lift, value by value", "lift", largest[1], of_value(lift)),
    )
    for promise, figure, promised, limits in tried:
        yield _tried(promise, promised, conclusions, figure, limits, scale)


def _tried(
    promise: str,
    promised: float,
    conclusions: list[Conclusions],
    figure: Figure,
    limits: list[NDArray[Any]],
    denominator: int,
    *,
    asked: bool = False,
) -> Tried:
    """A limit on each value that conclusions are about, as whole numbers over a denominator."""
    pairs = zip(conclusions, limits, strict=True)
    return Tried(
        promise=promise,
        asked=asked,
        promised=promised,
        reached=max(float(getattr(each, figure).max()) for each in conclusions),
        checked=sum(len(each.own) for each in conclusions),
        broken=sum(each.beyond(figure, of_values, denominator) for each, of_values in pairs),
    )


def try_ceilings(spec: Spec, announcement: Announcement, conclusions: list[Conclusions]) -> Iterator[Tried]:
    """The ceilings of the policy: on confidence, lift and odds, and on single values."""
    privacy = spec.policy.privacy
    asked: tuple[tuple[Figure, Decimal | None], ...] = (
        ("confidence", ceiling_on_beta(privacy)),
        ("lift", None if privacy is None else privacy.lift),
    )
    for figure, ceiling in asked:
        if ceiling is not None:
            top, below = Fraction(ceiling).as_integer_ratio()
            limits = [np.full(len(each.own), top, dtype=object) for each in conclusions]
            name = f"Ceiling on {figure}"
            yield _tried(name, float(ceiling), conclusions, figure, limits, below, asked=True)
    if privacy is not None and privacy.odds is not None:
        most = announcement.odds
        yield Tried(
            promise="Ceiling on odds",
            asked=True,
            promised=float(privacy.odds),
            reached=None if most is None else float(most),
            checked=len(announcement.group_odds),
            broken=int(most is None or most > privacy.odds),
        )
    yield from _of_single_values(announcement, conclusions)


def _of_single_values(announcement: Announcement, conclusions: list[Conclusions]) -> Iterator[Tried]:
    """Ceilings that the spec gives single values."""
    cells = announcement.cells
    for place, protected in enumerate(cells.protected):
        attribute = cells.process.attribute(protected.attribute)
        codes = cells.column(attribute.name)[protected.order[protected.starts]]
        for value, ceiling in (attribute.ceilings or {}).items():
            there = codes == attribute.values.index(value)
            limit = Fraction(ceiling)
            numerator = np.where(there, limit.numerator, limit.denominator).astype(object)
            own = [each for each in conclusions if each.attribute == place]
            yield Tried(
                promise=f"Ceiling on {attribute.title}: {value}",
                asked=True,
                promised=float(limit),
                reached=max((float(e.confidence[there].max(initial=0.0)) for e in own), default=0.0),
                checked=int(there.sum()) * len(own),
                broken=sum(e.beyond("confidence", numerator, limit.denominator) for e in own),
            )


# The odds factor: readers who waver between two cells, and readers with beliefs of their own. Confidential.

BELIEFS = 20
"""So many beliefs and statements are drawn for every group and outcome."""


def try_odds(announcement: Announcement) -> Tried:
    """The odds factor: a reader who wavers between the two cells that differ most."""
    cells, scale, odds = announcement.cells, announcement.scale, announcement.group_odds
    reached, broken = 1.0, 0
    for steps in announcement.mapping.T:
        most = np.maximum.reduceat(steps, cells.group_starts)
        least = np.minimum.reduceat(steps, cells.group_starts)
        possible = (odds == UNBOUNDED) | (most == 0)
        kept = most.astype(object) * scale <= np.where(possible, 1, odds).astype(object) * least
        broken += int((~(possible | kept)).sum())
        ratio = np.divide(most, least, out=np.where(most > 0, np.inf, 1.0), where=least > 0)
        reached = max(reached, float(ratio.max()))
    return Tried(
        promise="Odds of anything, from any outcome",
        promised=None if announcement.odds is None else float(announcement.odds),
        reached=None if np.isinf(reached) else reached,
        checked=len(odds) * announcement.mapping.shape[1],
        broken=broken,
    )


def try_any_belief(announcement: Announcement) -> Tried:
    """The odds factor again: readers with beliefs and statements drawn at random, in whole numbers."""
    cells, random = announcement.cells, np.random.default_rng(1)
    checked, broken, reached = 0, 0, 1.0
    for _ in range(BELIEFS):
        # some sure of a few cells, some spread over all of them
        belief = (10 ** (random.random(len(cells)) * 4)).astype(np.int64)
        statement = random.random(len(cells)) < random.random()
        for steps in announcement.mapping.T:
            tried, wrong, most = odds_beyond(announcement, belief, statement, steps)
            checked, broken, reached = checked + tried, broken + wrong, max(reached, most)
    return Tried(
        promise=f"Odds of statements drawn at random, for {BELIEFS} beliefs",
        promised=None if announcement.odds is None else float(announcement.odds),
        reached=None if np.isinf(reached) else reached,
        checked=checked,
        broken=broken,
    )


def odds_beyond(
    announcement: Announcement, belief: IntArray, statement: NDArray[np.bool_], steps: IntArray
) -> tuple[int, int, float]:
    """In how many groups an outcome moves the odds of a statement, for one belief; in how many too far; how far at most.

    Both ways: the odds after the outcome by those before, and the odds before by those after; exact.
    """
    starts = announcement.cells.group_starts
    yes, no = (np.where(where, belief, 0).astype(object) for where in (statement, ~statement))
    before_yes, before_no = np.add.reduceat(yes, starts), np.add.reduceat(no, starts)
    after_yes, after_no = np.add.reduceat(yes * steps, starts), np.add.reduceat(no * steps, starts)
    possible = (before_yes > 0) & (before_no > 0) & (after_yes + after_no > 0)
    odds, scale = announcement.group_odds.astype(object), announcement.scale
    up, down = after_yes * before_no, after_no * before_yes
    too_far = (odds != UNBOUNDED) & ((up * scale > odds * down) | (down * scale > odds * up))
    ratios = [
        float("inf") if not min(a, b) else float(Fraction(max(a, b), min(a, b)))
        for a, b in zip(up[possible], down[possible], strict=True)
    ]
    return int(possible.sum()), int((too_far & possible).sum()), max(ratios, default=1.0)
