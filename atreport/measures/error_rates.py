"""Error rates: how often decisions were right or wrong about people of two groups, given what really happened.

Among people for whom the favourable outcome was right (positive) the share who got it is the true positive rate, and the
share who did not the false negative rate; among all others (negative) the share who got it is the false positive rate. All
are rates of favourable decisions in a part of the group, so their intervals are those of rates. The predictive rate is the
share of positive people among those who got the favourable outcome: S / (S + T), with S and T the sums of favourable
probabilities over the positive and the negative people of the group. It rises with S and falls with T, which are sums over
different cells: S as large as it can be and T as small as it can be happen at once, also where the rate of every QID group
is kept, so its ends follow from the ends of both, and are attained.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.chance import chance_of_share, counts_are_published
from atreport.measures.comparisons import Rates, difference_range, largest
from atreport.measures.feasible_rules import apart
from atreport.measures.groups import chance_of, favourable_outcome, measured_rate, not_known_who
from atreport.measures.measured import Measured, MeasuredRate, NotMeasured, Reason, group_difference_bound
from atreport.measures.membership import Mask
from atreport.measures.rates import RatedGroup, RatedTable, rated_groups, values_of_groups
from atreport.spec.fairness import ErrorRate, ErrorRates, RateKind


@dataclass(frozen=True)
class _People:
    """How many people a part of a group has: as counted in figures, and the fewest and the most that are possible."""

    counted: int
    fewest: int
    most: int


@dataclass(frozen=True, kw_only=True)
class _Group:
    """A group, parted by what really happened."""

    name: str
    positive: RatedGroup
    negative: RatedGroup
    positives: list[_People]  # once for each population that must hold
    negatives: list[_People]


def measure(table: RuleTable, asked: ErrorRates, *, unknown: bool) -> Iterator[Measured | NotMeasured]:
    """Every rate that is asked for, for every two groups. `unknown` makes no difference: no range is given for it."""
    del unknown
    rated = RatedTable.of(table, favourable_outcome(table))
    groups = list(_groups(rated, asked))
    for rate in asked.rates:
        for a, b in combinations(groups, 2):
            if why := _not_comparable(rate, a, b):
                yield NotMeasured(asked=asked, groups=(a.name, b.name), given=None, reason=why, rate=rate)
            elif rate == "predictive_parity":
                yield _predictive_parity(table, asked, a, b)
            else:
                yield _compared(rated, asked, rate, a, b)


def _groups(rated: RatedTable, asked: ErrorRates) -> Iterator[_Group]:
    cells = rated.table.cells
    named = values_of_groups(cells, asked.groups)
    parts = []
    for label in (asked.positive_values(cells.process), asked.negative_values(cells.process)):
        conditions = {name: {**values, asked.label: label} for name, values in named.items()}
        ((_, found),) = rated_groups(rated, conditions, ())
        parts.append(found)
    for positive, negative in zip(*parts, strict=True):
        yield _Group(
            name=positive.name,
            positive=positive,
            negative=negative,
            positives=_counted(rated.table, positive.cells),
            negatives=_counted(rated.table, negative.cells),
        )


def _counted(table: RuleTable, mask: Mask) -> list[_People]:
    counted = [int(weights[mask].sum(dtype=object)) for weights in table.weights]
    if table.cells.between is None:
        return [_People(number, number, number) for number in counted]
    fewest, most = table.small_cells.people_between(table.cells, mask)
    return [_People(number, fewest, most) for number in counted]


_PARTS: dict[ErrorRate, tuple[tuple[bool, RateKind], ...]] = {
    "equal_opportunity": ((True, "true_positive"),),
    "false_negative": ((True, "false_negative"),),
    "false_positive": ((False, "false_positive"),),
    "equalised_odds": ((True, "true_positive"), (False, "false_positive")),
}
"""Which parts of the two groups a rate compares: whether the positive people, and what the rate of them is called."""


def _parts(rate: ErrorRate, a: _Group, b: _Group) -> list[tuple[RatedGroup, RatedGroup, RateKind]]:
    return [
        (a.positive, b.positive, kind) if positive else (a.negative, b.negative, kind)
        for positive, kind in _PARTS[rate]
    ]


def _not_comparable(rate: ErrorRate, a: _Group, b: _Group) -> Reason | None:
    """Why a rate is left out: it is of nobody, or it is not published who is in a group; None where it is not."""
    if rate == "predictive_parity":
        parts = [part for group in (a, b) for part in (group.positive, group.negative)]
        hidden = any(part.joined for part in parts)
        nobody = not all(map(_favours_anybody, (a, b)))
    else:
        parts = [part for one, other, _ in _parts(rate, a, b) for part in (one, other)]
        hidden = any(part.is_empty and part.joined for part in parts)
        nobody = any(part.is_empty for part in parts)
    return not_known_who(parts) if hidden else "nobody" if nobody else None


def _compared(rated: RatedTable, asked: ErrorRates, rate: ErrorRate, a: _Group, b: _Group) -> Measured:
    """A difference of rates of parts of two groups; of several, the largest."""
    table, parts = rated.table, _parts(rate, a, b)
    (favourable,) = rated.outcomes
    ranges = tuple(
        largest([difference_range(rated.joint(one, other, favourable, i)) for one, other, _ in parts])
        for i in range(len(table.weights))
    )
    compared = [part for one, other, _ in parts for part in (one, other)]
    return Measured(
        asked=asked,
        groups=(a.name, b.name),
        given=None,
        ranges=ranges,
        a_priori=group_difference_bound(table, asked),
        rates=tuple(_rate(table, part, kind) for *both, kind in parts for part in both),
        chance=chance_of(table, compared, _by_chance),
        rate=rate,
    )


def _by_chance(rates: Sequence[Rates]) -> Range:
    """The largest difference of rates that stand two by two."""
    each = [_only(of) for of in rates]
    return largest([difference_range(apart(each[i], each[i + 1])) for i in range(0, len(each), 2)])


def _only(rates: Rates) -> Range:
    (found,) = rates.values()
    return found


def _rate(table: RuleTable, part: RatedGroup, kind: RateKind) -> MeasuredRate:
    found = replace(measured_rate(table, part), kind=kind)
    if kind != "false_negative":
        return found
    chance = None if found.chance is None else _rest(found.chance)
    return replace(found, ranges=tuple(map(_rest, found.ranges)), chance=chance)


def _rest(rate: Range) -> Range:
    return Range(value=1 - rate.value, low=1 - rate.high, high=1 - rate.low)


def _favours_anybody(group: _Group) -> bool:
    """Whether the announced rule favours anybody of the group, whichever population counts."""
    populations = range(len(group.positives))
    return all(
        _range(group.positive, i).value > 0 or _range(group.negative, i).value > 0 for i in populations
    )


def _range(part: RatedGroup, population: int) -> Range:
    """The favourable rate of a part of a group, 0 where nobody is in it."""
    if part.is_empty:
        nobody = Fraction(0)
        return Range(nobody, nobody, nobody)
    return _only(part.rates(population))


def _predictive_parity(table: RuleTable, asked: ErrorRates, a: _Group, b: _Group) -> Measured:
    """The difference of two predictive rates. Nothing bounds it before any figure: few favourable decisions may all move."""
    each = [_predictive(group) for group in (a, b)]
    chance = [_chance(table, group, rates=2) for group in (a, b)]
    return Measured(
        asked=asked,
        groups=(a.name, b.name),
        given=None,
        ranges=tuple(difference_range(apart(one, other)) for one, other in zip(*each, strict=True)),
        a_priori=None,
        rates=tuple(
            MeasuredRate(
                group=group.name,
                people=None,
                ranges=tuple(found),
                chance=_chance(table, group, rates=1),
                kind="predictive",
            )
            for group, found in zip((a, b), each, strict=True)
        ),
        chance=None
        if chance[0] is None or chance[1] is None
        else difference_range(apart(chance[0], chance[1])),
        rate="predictive_parity",
    )


def _predictive(group: _Group) -> list[Range]:
    """The share of positive people among those who got the favourable outcome, once for each population."""
    found = []
    for i, (positives, negatives) in enumerate(zip(group.positives, group.negatives, strict=True)):
        right, wrong = _range(group.positive, i), _range(group.negative, i)
        found.append(
            Range(
                value=_share(right.value * positives.counted, wrong.value * negatives.counted, 0),
                # where no negative person can get it, all who do are positive; where no positive one can, none is
                low=_share(right.low * positives.fewest, wrong.high * negatives.most, 1),
                high=_share(right.high * positives.most, wrong.low * negatives.fewest, 0),
            )
        )
    return found


def _share(part: Fraction, rest: Fraction, of_nothing: int) -> Fraction:
    return part / (part + rest) if part + rest else Fraction(of_nothing)


def _chance(table: RuleTable, group: _Group, *, rates: int) -> Range | None:
    """Where the long-run predictive rate can lie, beside so many others; None where that cannot be told."""
    if not counts_are_published(table):
        return None
    sums = [
        Range(found.value * people, found.low * people, found.high * people)
        for found, people in (
            (_range(group.positive, 0), group.positives[0].counted),
            (_range(group.negative, 0), group.negatives[0].counted),
        )
    ]
    return chance_of_share(sums[0], sums[1], rates)
