"""Stage 4, **certify**: the first door in the wall. Round, certify in exact arithmetic, let the announced rule through.

Guarantee: for every QID group, with the announced probabilities exactly as printed, nobody who takes them for the truth
can be more confident of any sensitive value than the printed β, whether they weigh the cells by the exact counts or by
the population as published. Every announced probability lies inside the fidelity band. β is rounded up, γ down.

An :class:`Announcement` holds no true probability and nothing that was computed from one except what is announced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Closeness
from atreport.core.cells import (
    NOTHING_UNPROTECTABLE,
    Cells,
    EstimationAccount,
    ExactArray,
    FloatArray,
    IntArray,
    Protected,
    Protection,
    run_starts,
)
from atreport.core.exact import product
from atreport.core.exact import total as total_of
from atreport.core.inference import (
    MOST_DIGITS,
    UNBOUNDED,
    ValueInference,
    by_group,
    factor_printed,
    odds_factor,
    populations_of,
    posterior_bounds,
    value_confidence,
    value_lift,
)
from atreport.core.rule_table import CellBounds, PublishedPopulation, RuleTable
from atreport.core.suppression import SmallCellAccount
from atreport.errors import PolicyCannotBeMet
from atreport.spec.policy import Aim, Mechanism, Policy, PrivacyCeiling
from atreport.spec.process import Process
from atreport.text.numbers import counted, shortest_decimal

# Whether a printed rule keeps the rates of the true one: decided exactly.

_EPSILON = 2.3e-16
"""More than the relative error of one operation on floats."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RatePromise:
    """In every QID group, the rate of each outcome is within 1 - `rates` of the true one."""

    rates: Decimal  # as it is published
    truth: NDArray[np.float64]  # (cells, outcomes); confidential, and never part of an announcement

    def broken(
        self, cells: Cells, mapping: IntArray, weights: Sequence[IntArray], decimals: int
    ) -> NDArray[np.bool_]:
        """The QID groups in which a rate of the mapping is further from the true one, for one of the weights; exact.

        Floats decide wherever they are far enough from the limit, and fractions where they are not.
        """
        starts, found = cells.group_starts, np.zeros(len(cells.group_starts), dtype=bool)
        sizes = np.diff(np.append(starts, len(cells)))
        move = 1 - float(self.rates)
        for weight in weights:
            people = np.add.reduceat(weight.astype(np.float64), starts)
            error = _EPSILON * (sizes + 10) * people
            for outcome in self._outcomes(cells):
                steps = mapping[:, outcome]
                change = weight * (steps / 10**decimals - self.truth[:, outcome])
                beyond = np.abs(np.add.reduceat(change, starts)) - move * people
                found |= beyond > error
                for group in np.flatnonzero((np.abs(beyond) <= error) & ~found).tolist():
                    members = slice(int(starts[group]), int(starts[group] + sizes[group]))
                    found[group] = self._is_broken(
                        weight[members], steps[members], self.truth[members, outcome], decimals
                    )
        return found

    def _outcomes(self, cells: Cells) -> Sequence[int]:
        """Of two outcomes one says it all, and its true probability is the one that was given."""
        outcome = cells.process.outcome
        several = self.truth.shape[1] > 2
        return range(self.truth.shape[1]) if several else [outcome.values.index(outcome.favourable)]

    def _is_broken(
        self, weight: IntArray, steps: IntArray, truth: NDArray[np.float64], decimals: int
    ) -> bool:
        change = sum(
            w * (Fraction(step, 10**decimals) - shortest_decimal(true))
            for w, step, true in zip(weight.tolist(), steps.tolist(), truth.tolist(), strict=True)
        )
        return bool(abs(change) > (1 - Fraction(self.rates)) * int(weight.sum(dtype=object)))


def published_rates(asked: Decimal, decimals: int) -> Decimal:
    """The rates to promise and to publish: as asked, but no closer than half a printed step."""
    return min(asked, 1 - Decimal(5).scaleb(-decimals - 1)).normalize()


# The publisher's ceilings, and whether printed figures keep them.


@dataclass(frozen=True, kw_only=True)
class Ceilings:
    """What no printed figure may exceed; None: anything."""

    beta: Decimal | None = None
    lift: Decimal | None = None
    odds: Decimal | None = None
    values: Mapping[tuple[str, str], Decimal] = field(default_factory=dict)  # by attribute and value

    def __bool__(self) -> bool:
        return any(number is not None for number in (self.beta, self.lift, self.odds)) or bool(self.values)

    def of_values(self, cells: Cells, protected: Protected) -> list[Decimal | None]:
        """The ceiling of each (QID group, value) of a sensitive attribute."""
        attribute = cells.process.attribute(protected.attribute)
        by_code = [self.values.get((attribute.name, value)) for value in attribute.values]
        codes = cells.column(attribute.name)[protected.order[protected.starts]]
        return [by_code[code] for code in codes.tolist()]


NO_CEILINGS = Ceilings()


def ceilings_of(policy: Policy, process: Process) -> Ceilings:
    """The ceilings of a spec."""
    privacy = policy.privacy
    return Ceilings(
        beta=ceiling_on_beta(privacy),
        lift=None if privacy is None else privacy.lift,
        odds=None if privacy is None else privacy.odds,
        values={(a.name, value): number for a in process.attributes for value, number in a.ceilings.items()},
    )


def ceiling_on_beta(privacy: PrivacyCeiling | None) -> Decimal | None:
    """The ceiling as a confidence; a required uncertainty γ is the confidence e^-γ, rounded down."""
    if privacy is None or privacy.gamma is None:
        return privacy.beta if privacy else None
    with localcontext() as context:
        context.prec = 40
        return (-privacy.gamma).exp().quantize(Decimal("1e-15"), rounding=ROUND_FLOOR)


@dataclass(frozen=True, kw_only=True, eq=False)
class Figures:
    """Printed figures of a rule, in whole steps: by group, and the confidence in each value by attribute."""

    beta: IntArray
    lift: NDArray[np.int64] | NDArray[np.object_]
    odds: IntArray
    after: tuple[tuple[Protected, IntArray], ...]


def above_ceilings(
    cells: Cells, figures: Figures, ceilings: Ceilings, decimals: int
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Each ceiling in the words of the spec, and in which QID groups it is exceeded."""
    for name in ("beta", "lift", "odds"):
        ceiling = getattr(ceilings, name)
        if ceiling is not None:
            steps = getattr(figures, name)
            yield name, (steps > in_steps(ceiling, decimals)) | (steps == UNBOUNDED)
    for protected, after in figures.after if ceilings.values else ():
        codes = cells.column(protected.attribute)[protected.order[protected.starts]]
        for code, value in enumerate(cells.process.attribute(protected.attribute).values):
            if (limit := ceilings.values.get((protected.attribute, value))) is not None:
                above = (after > in_steps(limit, decimals)) & (codes == code)
                yield (
                    f"{protected.attribute}: {value}",
                    np.logical_or.reduceat(above, run_starts(protected.group)),
                )


def in_steps(ceiling: Decimal, decimals: int) -> int:
    """The most whole printed steps that keep a ceiling."""
    return int(Fraction(ceiling) * 10**decimals)


# Round mappings to printed steps, and choose for every QID group the rounding that does best as printed.
#
# Guarantee: whatever is chosen lies between the lowest and highest steps given, and the outcomes of each cell
# make one. Nothing here depends on the order of input rows: cells are in canonical order, and ties are broken
# by it.

_MOST_IN_TURN = 5000
"""Groups of more cells are not rounded cell by cell in turn: so many errors of half a step even out by themselves."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Choice:
    """By what a rounding is chosen: it keeps rates and ceilings if any does, and makes figures least in this order."""

    cells: Cells
    weights: tuple[IntArray, ...]
    decimals: int
    minimise: tuple[Aim, ...]
    ceilings: Ceilings
    rates: RatePromise | None

    def marks(self, steps: IntArray) -> list[ExactArray]:
        """What makes a rounding worse in each QID group, the most important first; all exact, as printed."""
        figures = self.figures(steps)
        broken = self.above(figures)
        marks: list[ExactArray] = [broken.astype(np.int64)]
        if self.rates is not None:
            kept = self.rates.broken(self.cells, steps, self.weights, self.decimals)
            marks.insert(0, kept.astype(np.int64))
        # what keeps the ceilings is as good as another, and the first is nearest to the truth
        if not self.minimise:
            return [*marks, figures.beta * broken]
        return [*marks, *(getattr(figures, aim) for aim in self.minimise)]

    def above(self, figures: Figures) -> NDArray[np.bool_]:
        """The QID groups in which a ceiling is exceeded."""
        found = np.zeros(len(self.cells.group_starts), dtype=bool)
        for _, groups in above_ceilings(self.cells, figures, self.ceilings, self.decimals):
            found |= groups
        return found

    def figures(self, steps: IntArray) -> Figures:
        """The printed figures of a rounding, as far as they matter here."""
        cells, populations = self.cells, populations_of(self.cells, self.weights)
        groups = len(cells.group_starts)
        after = []
        for protected in cells.protected:
            each = [value_confidence(cells, protected, steps, p, self.decimals) for p in populations]
            after.append((protected, np.maximum.reduce(each)))
        lift: ExactArray = np.zeros(groups, dtype=np.int64)
        if "lift" in self.minimise or self.ceilings.lift is not None:
            for protected in cells.protected:
                for people in populations:
                    of_values = value_lift(cells, protected, steps, people, self.decimals)
                    lift = np.maximum(lift, by_group(protected, of_values))
        wanted = "odds" in self.minimise or self.ceilings.odds is not None
        return Figures(
            beta=np.maximum.reduce([by_group(protected, of) for protected, of in after]),
            lift=lift,
            odds=odds_factor(cells, steps, self.decimals) if wanted else np.zeros(groups, dtype=np.int64),
            after=tuple(after),
        )


def choose(choice: Choice, roundings: Iterable[IntArray]) -> IntArray:
    """For each group the first rounding with the least marks."""
    best: IntArray | None = None
    best_marks: list[ExactArray] = []
    for steps in roundings:
        marks = choice.marks(steps)
        if best is None:
            best, best_marks = steps, marks
            continue
        better = is_less(marks, best_marks)
        best = np.where(better[choice.cells.group][:, None], steps, best)
        best_marks = [np.where(better, new, old) for new, old in zip(marks, best_marks, strict=True)]
    assert best is not None, "certify needs at least one candidate mapping"
    return best


def is_less(marks: Sequence[ExactArray], others: Sequence[ExactArray]) -> NDArray[np.bool_]:
    """Where the first mark that differs is the smaller."""
    less = np.zeros(len(marks[0]), dtype=bool)
    alike = ~less
    for mark, other in zip(marks, others, strict=True):
        less |= alike & np.asarray(mark < other, dtype=bool)
        alike &= np.asarray(mark == other, dtype=bool)
    return less


def rounded_mappings(
    candidates: Iterable[FloatArray],
    lowest: IntArray,
    highest: IntArray,
    scale: int,
    favourable: int,
    in_turn: Cells | None = None,
) -> Iterator[IntArray]:
    """Each candidate with its favourable column rounded to the nearest step, down and up, and the rest to match.

    Given the cells, first of all rounded in turn.
    """
    for mapping in candidates:
        exactly = mapping * scale
        if (
            in_turn is not None
            and (steps := rounded_in_turn(mapping, in_turn, lowest, highest, scale)) is not None
        ):
            yield steps
        for rounding in (np.rint, np.floor, np.ceil):
            nearest = np.rint(exactly)
            nearest[:, favourable] = rounding(exactly[:, favourable])
            inside = np.clip(nearest.astype(np.int64), lowest, highest)
            yield _made_whole(inside, exactly, lowest, highest, scale, favourable)


def rounded_in_turn(
    mapping: FloatArray, cells: Cells, lowest: IntArray, highest: IntArray, scale: int
) -> IntArray | None:
    """Controlled rounding: each cell down or up, so that the error of its group's rates so far stays small.

    Cells in descending order of people, then of what is announced, then in canonical order; so the error left is that of
    a small cell. None where a group is so large that it is not needed.
    """
    sizes = np.diff(np.append(cells.group_starts, len(cells)))
    if sizes.max() > _MOST_IN_TURN:
        return None
    exactly = np.clip(mapping * scale, lowest, highest)
    keys = (np.arange(len(cells)), *(-exactly.T[::-1]), -cells.population, cells.group)
    order = np.lexsort(keys)
    down = np.clip(np.floor(exactly + 1e-9), lowest, highest).astype(np.int64)
    people = cells.in_lowest_terms.astype(np.float64)
    error = np.zeros((len(sizes), mapping.shape[1]))  # people × steps announced too many so far, by group
    steps = down.copy()
    for turn in range(int(sizes.max())):
        groups = np.flatnonzero(sizes > turn)
        rows = order[cells.group_starts[groups] + turn]
        owed = exactly[rows] - down[rows] - error[groups] / people[rows][:, None]
        room = highest[rows] - down[rows]
        missing = scale - down[rows].sum(axis=1)
        rank = np.argsort(np.argsort(-np.where(room > 0, owed, -np.inf), axis=1, kind="stable"), axis=1)
        up = ((rank < missing[:, None]) & (room > 0)).astype(np.int64)
        steps[rows] += up
        error[groups] += people[rows][:, None] * (steps[rows] - exactly[rows])
    return _made_whole_if_needed(steps, exactly, lowest, highest, scale)


def _made_whole_if_needed(
    steps: IntArray, exactly: FloatArray, lowest: IntArray, highest: IntArray, scale: int
) -> IntArray:
    """Rows that could not be completed by single steps up are completed as others are; there are next to none."""
    return (
        steps
        if (steps.sum(axis=1) == scale).all()
        else _made_whole(steps, exactly, lowest, highest, scale, -1)
    )


def _made_whole(
    steps: IntArray,
    exactly: FloatArray,
    lowest: IntArray,
    highest: IntArray,
    scale: int,
    favourable: int,
) -> IntArray:
    """Move single steps, where they cost least, until the outcomes of every cell make one within their bounds.

    The favourable outcome is moved last; of two outcomes the other just follows it.
    """
    if steps.shape[1] == 2:
        steps[:, 1 - favourable] = scale - steps[:, favourable]
        return steps
    reluctance = np.zeros(steps.shape[1])
    reluctance[favourable] = scale
    while len(rows := np.flatnonzero(steps.sum(axis=1) != scale)):
        now = steps[rows]
        sign = np.sign(scale - now.sum(axis=1))[:, None]
        free = np.where(sign > 0, now < highest[rows], now > lowest[rows])
        cost = np.where(free, (now - exactly[rows]) * sign + reluctance, np.inf)
        steps[rows, cost.argmin(axis=1)] += sign[:, 0]
    return steps


# Move single printed steps where that makes a rounded rule more private: from one outcome of a cell to
# another.
#
# Floats look for moves, all groups at once, and exact figures decide afterwards whether the result is
# announced: so what is found here can only help. Without it, rounding to two decimals can cost a hard rule
# with exact rates ten points of β.

_MOST_ROUNDS = 40
_MUCH_WORK = 4_000_000
"""Cells times pairs of outcomes that are looked at in all rounds together, at most."""

_LESS = 1e-12
"""A figure must fall by more than this, relatively, for a move to count."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StepBounds:
    """What may be announced: steps between the two that keep the rates of every group."""

    lowest: IntArray
    highest: IntArray
    decimals: int
    rates: RatePromise | None


def local_search(
    cells: Cells, steps: IntArray, box: StepBounds, minimise: tuple[Aim, ...], ideal: dict[Aim, FloatArray]
) -> IntArray:
    """The steps after all moves that lower the figures, in the order of `minimise`, towards what is ideal by group.

    A later figure is lowered only where none before it rises above its printed value.
    """
    steps, limits = steps.copy(), dict[Aim, FloatArray]()
    pairs = list(permutations(range(steps.shape[1]), 2))
    left = _MUCH_WORK
    for aim in minimise:
        active = np.ones(len(cells.group_starts), dtype=bool)
        for _ in range(_MOST_ROUNDS):
            figure = Sums.of(cells, steps, box).figures((aim,))[aim]
            active &= _printed_up(figure, box.decimals) > _printed_up(ideal[aim], box.decimals)
            left -= int(active[cells.group].sum()) * len(pairs)
            if not active.any() or left < 0:
                break
            active &= _one_move_each(cells, steps, box, aim, limits, pairs, active)
        limits[aim] = _printed_up(Sums.of(cells, steps, box).figures((aim,))[aim], box.decimals)
    return steps


def _printed_up(figure: FloatArray, decimals: int) -> FloatArray:
    return np.asarray(np.ceil(figure * 10**decimals * (1 - 1e-13)) / 10**decimals)


def _one_move_each(
    cells: Cells,
    steps: IntArray,
    box: StepBounds,
    aim: Aim,
    limits: dict[Aim, FloatArray],
    pairs: list[tuple[int, int]],
    active: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Make the best move in each active group, where one helps; which groups were helped."""
    sums = Sums.of(cells, steps, box)
    now = sums.figures((aim, *limits))
    inside = active[cells.group]
    best = np.full(len(cells), np.inf)
    best_pair = np.zeros(len(cells), dtype=np.int64)
    for number, (up, down) in enumerate(pairs):
        after = sums.after_move(up, down, (aim, *limits))
        possible = inside & (steps[:, up] < box.highest[:, up]) & (steps[:, down] > box.lowest[:, down])
        possible &= sums.rates_kept(up, down)
        for earlier, limit in limits.items():
            possible &= after[earlier] <= np.maximum(limit, now[earlier])[cells.group] * (1 + 1e-13)
        figure = np.where(possible, after[aim], np.inf)
        better = figure < best
        best, best_pair = np.where(better, figure, best), np.where(better, number, best_pair)
    least = np.minimum.reduceat(best, cells.group_starts)
    helped = active & (least < now[aim] * (1 - _LESS))
    # the first cell of each group that reaches the least
    places = np.flatnonzero((best == least[cells.group]) & helped[cells.group])
    rows = places[run_starts(cells.group[places])] if len(places) else places
    up_down = np.array(pairs)[best_pair[rows]]
    steps[rows, up_down[:, 0]] += 1
    steps[rows, up_down[:, 1]] -= 1
    return helped


@dataclass(frozen=True, kw_only=True, eq=False)
class Sums:
    """What the figures of a rule are made of, in floats, and what they become when one step moves in one cell."""

    cells: Cells
    steps: FloatArray  # (cells, outcomes)
    people: FloatArray
    totals: FloatArray  # (groups, outcomes): people × steps
    of_group: FloatArray  # people of each group
    own: tuple[FloatArray, ...]  # by attribute: (values, outcomes), people × steps of each (QID group, value)
    own_people: tuple[FloatArray, ...]
    # (groups, outcomes): people × steps announced more than true, where rates are kept
    change: FloatArray | None
    allowed: FloatArray  # how much of it is allowed, by group

    @classmethod
    def of(cls, cells: Cells, steps: IntArray, box: StepBounds) -> Sums:
        """The sums of a rule."""
        people, exactly = cells.in_lowest_terms.astype(np.float64), steps.astype(np.float64)
        joint, starts = people[:, None] * exactly, cells.group_starts
        of_group = np.add.reduceat(people, starts)
        change, allowed = None, np.full(len(starts), np.inf)
        if box.rates is not None:
            scale = 10**box.decimals
            change = np.add.reduceat(joint - people[:, None] * box.rates.truth * scale, starts, axis=0)
            allowed = (1 - float(box.rates.rates)) * scale * of_group * (1 + 1e-12)
        return cls(
            cells=cells,
            steps=exactly,
            people=people,
            totals=np.add.reduceat(joint, starts, axis=0),
            of_group=of_group,
            own=tuple(np.add.reduceat(joint[p.order], p.starts, axis=0) for p in cells.protected),
            own_people=tuple(p.sums(people) for p in cells.protected),
            change=change,
            allowed=allowed,
        )

    def figures(self, aims: tuple[Aim, ...]) -> dict[Aim, FloatArray]:
        """The figures of each group."""
        found: dict[Aim, FloatArray] = {}
        starts = self.cells.group_starts
        for aim in aims:
            if aim == "odds":
                high, low = (end.reduceat(self.steps, starts, axis=0) for end in (np.maximum, np.minimum))
                found[aim] = _quotient(high, low, np.inf).max(axis=1, initial=1.0)
                continue
            each = [
                np.maximum.reduceat(part, run_starts(p.group), axis=0)
                for p, part in zip(self.cells.protected, self._parts(aim), strict=True)
            ]
            found[aim] = (np.maximum.reduce(each) / np.maximum(self.totals, 1.0)).max(axis=1)  # whole numbers
            found[aim] *= self.of_group if aim == "lift" else 1.0
        return found

    def after_move(self, up: int, down: int, aims: tuple[Aim, ...]) -> dict[Aim, FloatArray]:
        """The figures of its group after one step is moved in each cell, from outcome `down` to outcome `up`."""
        now, found = self.totals, {aim: np.zeros(len(self.people)) for aim in aims}
        group = self.cells.group
        for outcome in range(self.steps.shape[1]):
            sign = float(outcome == up) - float(outcome == down)
            moved_people = sign * self.people
            total = now[:, outcome][group] + moved_people
            for aim in aims:
                if aim == "odds":
                    figure = self._odds_after(outcome, sign)
                else:
                    most = self._largest_after(aim, outcome, moved_people)
                    figure = _quotient(most, total, 0.0) * (self.of_group[group] if aim == "lift" else 1.0)
                found[aim] = np.maximum(found[aim], figure)
        return found

    def rates_kept(self, up: int, down: int) -> NDArray[np.bool_]:
        """Whether the rates are kept after one step is moved in each cell."""
        if self.change is None:
            return np.ones(len(self.people), dtype=bool)
        group = self.cells.group
        more = np.abs(self.change[:, up][group] + self.people) <= self.allowed[group]
        return np.asarray(more & (np.abs(self.change[:, down][group] - self.people) <= self.allowed[group]))

    def _parts(self, aim: Aim) -> list[FloatArray]:
        """What the largest share of a total is taken of: sums for β, means for lift."""
        if aim == "beta":
            return list(self.own)
        return [own / people[:, None] for own, people in zip(self.own, self.own_people, strict=True)]

    def _largest_after(self, aim: Aim, outcome: int, moved_people: FloatArray) -> FloatArray:
        largest = np.zeros(len(self.people))
        for protected, people, parts in zip(
            self.cells.protected, self.own_people, self._parts(aim), strict=True
        ):
            part = parts[:, outcome]
            first, other = _two_largest(part, run_starts(protected.group))
            of_value = first[protected.group]
            others = np.where(part == of_value, other[protected.group], of_value)[protected.index]
            by = 1.0 if aim == "beta" else people[protected.index]
            largest = np.maximum(largest, np.maximum(part[protected.index] + moved_people / by, others))
        return largest

    def _odds_after(self, outcome: int, sign: float) -> FloatArray:
        group, starts, steps = self.cells.group, self.cells.group_starts, self.steps[:, outcome]
        ends = []
        for turn in (1.0, -1.0):
            first, other = _two_largest(turn * steps, starts)
            others = np.where(turn * steps == first[group], other[group], first[group])
            ends.append(turn * np.maximum(turn * (steps + sign), others))
        return np.maximum(_quotient(ends[0], ends[1], np.inf), 1.0)


def _two_largest(values: FloatArray, starts: IntArray) -> tuple[FloatArray, FloatArray]:
    """The largest of each run, and the largest beside one that is largest."""
    largest = np.maximum.reduceat(values, starts)
    sizes = np.diff(np.append(starts, len(values)))
    runs = np.repeat(np.arange(len(starts)), sizes)
    places = np.flatnonzero(values == largest[runs])
    first = places[run_starts(runs[places])]
    rest = values.copy()
    rest[first] = -np.inf
    return largest, np.maximum.reduceat(rest, starts)


def _quotient(above: FloatArray, below: FloatArray, otherwise: float) -> FloatArray:
    """Their quotient; of nothing by nothing 0, and of something by nothing what is given."""
    found = np.where(above > 0, otherwise, 0.0)
    return np.divide(above, below, out=found, where=below > 0)


SHARE_DIGITS = 2
"""A share is printed with this many significant digits more than the spec's decimals."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Announcement:
    """What passes the first door: the announced rule, certified, and what was done to the people it is about.

    Made by :func:`certify` only. It still knows the exact population where that is withheld: what is published is the
    Report that :mod:`atreport.compose` makes of it.
    """

    rule: RuleTable
    shares: IntArray  # share of each cell in all people, in whole steps of 10^-share_decimals
    share_decimals: int
    group_beta: IntArray  # confidence after the report, rounded up to whole steps of 10^-decimals
    group_prior: IntArray  # confidence before the report, rounded up likewise
    # how many times as likely a value becomes, rounded up likewise; 1: nothing is added
    group_lift: ExactArray
    group_odds: IntArray  # the factor by which anybody's odds can change, rounded up likewise, or UNBOUNDED
    # what can be inferred about each sensitive attribute, value by value
    attributes: tuple[ValueInference, ...]
    contribution_steps: int  # the most the report adds to what was known of a group before it, rounded up
    mechanism: Mechanism = "optimal"  # how the announced rule was chosen
    protection: Protection = NOTHING_UNPROTECTABLE  # what was done with groups that cannot be protected
    estimation: EstimationAccount | None = (
        None  # how the rule was found in records, as far as it is published
    )

    @property
    def cells(self) -> Cells:
        """Who is there."""
        return self.rule.cells

    @property
    def mapping(self) -> IntArray:
        """What is announced, (cells, outcomes), in whole steps."""
        return self.rule.mapping

    @property
    def decimals(self) -> int:
        """To how many decimals figures are printed."""
        return self.rule.decimals

    @property
    def scale(self) -> int:
        """How many printed steps make one."""
        return self.rule.scale

    @property
    def fidelity(self) -> Closeness | CellBounds:
        """How far an announced probability may be from the true one."""
        return self.rule.fidelity

    @property
    def weights(self) -> tuple[IntArray, ...]:
        """The populations every bound must hold for."""
        return self.rule.weights

    @property
    def small_cells(self) -> SmallCellAccount:
        """What was done with counts of few people."""
        return self.rule.small_cells

    @property
    def population(self) -> PublishedPopulation:
        """How the population is published."""
        return self.rule.population

    @property
    def announced(self) -> IntArray:
        """The announced probability of the favourable outcome in each cell, in whole steps."""
        return self.rule.announced

    def printed(self, steps: int) -> Decimal:
        """A figure in whole steps as it is printed."""
        return self.rule.printed(steps)

    @property
    def beta(self) -> Decimal:
        """The report's β: the largest of the groups'."""
        return self.rule.printed(int(self.group_beta.max()))

    @property
    def lift(self) -> Decimal:
        """How many times as likely a sensitive value becomes at most, in any group."""
        return self.rule.printed(int(self.group_lift.max()))

    @property
    def odds(self) -> Decimal | None:
        """The factor by which anybody's odds of any statement about a person can change; None: without limit."""
        return factor_printed(int(self.group_odds.max()), self.decimals)

    @property
    def contribution(self) -> Decimal:
        """The most the report adds to what was known of a group before it: the largest β - prior, rounded up."""
        return self.rule.printed(self.contribution_steps)

    @property
    def gamma(self) -> Decimal:
        """The least uncertainty -log β that goes with β as printed, rounded down."""
        return gamma_of(self.beta, self.decimals)

    @property
    def certain_groups(self) -> IntArray:
        """The QID groups in which somebody can be certain of a sensitive value: there is no protection."""
        return np.flatnonzero(self.group_beta == self.scale)

    @property
    def figures(self) -> Figures:
        """The figures that ceilings are set on."""
        return Figures(
            beta=self.group_beta,
            lift=self.group_lift,
            odds=self.group_odds,
            after=tuple((each.protected, each.after) for each in self.attributes),
        )

    def above(self, ceilings: Ceilings) -> dict[str, NDArray[np.bool_]]:
        """The ceilings that are not kept as printed, in the words of the spec, and in which QID groups."""
        found = above_ceilings(self.cells, self.figures, ceilings, self.decimals)
        return {name: groups for name, groups in found if groups.any()}

    def with_account(
        self, protection: Protection, small_cells: SmallCellAccount, estimation: EstimationAccount | None
    ) -> Announcement:
        """The same with the public account of what was done to the data before anything was solved."""
        rule = replace(self.rule, small_cells=small_cells)
        return replace(self, rule=rule, protection=protection, estimation=estimation)


def certify(
    cells: Cells,
    candidates: Iterable[NDArray[np.float64]],
    lowest: IntArray,
    highest: IntArray,
    *,
    decimals: int,
    fidelity: Closeness | CellBounds,
    population: PublishedPopulation,
    minimise: tuple[Aim, ...] = ("beta",),
    ceilings: Ceilings = NO_CEILINGS,
    rates: RatePromise | None = None,
    ideal: dict[Aim, NDArray[np.float64]] | None = None,
    mechanism: Mechanism = "optimal",
) -> Announcement:
    """Round the mapping to print into the band and certify it.

    Each candidate mapping (cells, outcomes) is rounded to the nearest step, down and up, always between `lowest` and
    `highest`, and so that the outcomes of a cell make one. A group gets the first rounding that keeps its `rates` and
    `ceilings` and has the least printed figures in the order of `minimise`; if that is empty, the first that keeps them.

    Where rates are kept, or where it is known what would be `ideal` by group for each figure to minimise, candidates are
    also rounded in turn, and single steps are moved towards the ideal. Raises :class:`PolicyCannotBeMet` where no rounding
    keeps the rates.
    """
    shares, share_decimals = _printed_shares(cells.population, decimals)
    weights = (cells.population, shares) if population == "shares" else (cells.population,)
    if population == "shares":
        whole, everybody = 10**share_decimals, int(cells.population.sum(dtype=object))
        left_out = (
            replace(each, people=(*each.people, -(-each.people[0] * whole // everybody)))
            for each in cells.left_out
        )
        cells = replace(cells, left_out=tuple(left_out))
    choice = Choice(
        cells=cells, weights=weights, decimals=decimals, minimise=minimise, ceilings=ceilings, rates=rates
    )
    box = StepBounds(lowest=lowest, highest=highest, decimals=decimals, rates=rates)
    mapping = _rounded(choice, box, list(candidates), ideal)
    if rates is not None and (broken := int(rates.broken(cells, mapping, weights, decimals).sum())):
        raise PolicyCannotBeMet(
            f"in {counted_groups(broken)} no figures with {counted(decimals, 'decimal')} inside the fidelity band keep the "
            "rates",
            "write more 'decimals' under policy, or allow rates to move a little more",
        )
    found = posterior_bounds(cells, mapping, populations_of(cells, weights), decimals)
    return Announcement(
        rule=RuleTable(
            cells=cells,
            mapping=mapping,
            decimals=decimals,
            fidelity=fidelity,
            weights=weights,
            population=population,
            rates=None if rates is None else rates.rates,
        ),
        shares=shares,
        share_decimals=share_decimals,
        group_beta=found.beta,
        group_prior=found.prior,
        group_lift=found.lift,
        group_odds=found.odds,
        attributes=found.attributes,
        contribution_steps=found.contribution,
        mechanism=mechanism,
    )


def _rounded(
    choice: Choice,
    box: StepBounds,
    candidates: list[NDArray[np.float64]],
    ideal: dict[Aim, NDArray[np.float64]] | None,
) -> IntArray:
    """The printed steps: for every group the best rounding there is."""
    cells, scale = choice.cells, 10**choice.decimals
    favourable = cells.process.outcome.values.index(cells.process.outcome.favourable)
    in_turn = cells if ideal is not None or choice.rates is not None else None
    chosen = choose(choice, rounded_mappings(candidates, box.lowest, box.highest, scale, favourable, in_turn))
    if ideal is None:
        return chosen
    return choose(choice, [chosen, local_search(cells, chosen, box, choice.minimise, ideal)])


def counted_groups(number: int) -> str:
    """So many groups, in words."""
    return counted(number, "group")


def gamma_of(beta: Decimal, decimals: int) -> Decimal:
    """-log β, rounded down: never claims more uncertainty than there is."""
    with localcontext() as context:
        context.prec = 40
        return (
            abs((-beta.ln()).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_FLOOR))
            if beta
            else Decimal(0)
        )


def _printed_shares(population: IntArray, decimals: int) -> tuple[IntArray, int]:
    """Each cell's share of all people, to enough decimals that the smallest keeps its significant digits.

    Limited so that a share times a printed probability stays a whole number of 18 digits; never printed as 0.
    """
    total = total_of(population)
    share_decimals = decimals_of_shares(total // int(population.min()), decimals)
    scale = 10**share_decimals
    found = (product(population, 2 * scale) + total) // (2 * total)
    return np.maximum(found, 1).astype(np.int64), share_decimals


def decimals_of_shares(times: int, decimals: int) -> int:
    """To how many decimals shares are printed, where there are so many times as many people as in the smallest cell."""
    return min(decimals + len(str(times)) - 1 + SHARE_DIGITS, 18 - decimals, MOST_DIGITS)


def smallest_share(population: IntArray, decimals: int) -> int:
    """The smallest printed share, in its own steps."""
    return int(_printed_shares(population, decimals)[0].min())
