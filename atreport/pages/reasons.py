"""Turn a published report and one record into reasons that may be told to a person: only what is certain is certain.

A letter that names reasons makes two claims about each: which way it moved the result, and which of them weighed more. Both
are printed only where they hold for every true rule that the published figures allow; the others are named as such. See
:mod:`atreport.pages.reasons` for what is calculated.

Guarantee: a function of the report and the record, in exact arithmetic. Amounts are of the announced rule, to the nearest
printed step (halves up, as in the look-up of the report); intervals are rounded outward and hold the true amount.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from atreport.compose.estimation import by_source, is_described
from atreport.core.band import Range
from atreport.core.exact import widen
from atreport.core.rule_table import RuleTable
from atreport.explain.interventions import MAX_EXACT, WeightedSum, people, resample, sharing_out, value_counts
from atreport.pages.forms.form_context import RemarkedTable
from atreport.pages.own_case import OwnCase, average_of, explained_cell
from atreport.report.figures import IntervalEstimate, printed_interval
from atreport.report.model import Report
from atreport.text.language import gettext, list_and, list_or, message
from atreport.text.numbers import (
    full_percent,
    nearest,
    rounded_down,
    signed_points,
    signed_points_interval,
)
from atreport.text.tables import Column, make_table

# Why people with one record are favoured more or less than everybody: what is certain about it, wherever the
# truth lies.
#
# The announced probability of a record differs from everybody's average, and the difference is shared out
# among the attributes (Shapley values; of more than twelve attributes, what each does by itself). What an
# attribute moved is a linear figure of the rule, and so is by how much it moved more than another. A
# published rule stands for many true ones: all that keep the band of every cell, and the rates of QID groups
# where those are kept. So a reason is certain when its figure has the same sign under all of them, and an
# order of two reasons when their *difference* has: two figures whose intervals overlap move together, and
# their order can be certain all the same.
#
# Guarantee: in exact arithmetic, by the population as published. A direction, an order or a possible
# outweighing that is stated holds under every true rule that what is published allows. For two outcomes what
# is called uncertain is so: there is a possible true rule under which the direction or the order is another
# one (or both weigh exactly the same).

Direction = Literal["raised", "lowered", "nothing", "unclear"]
"""What an attribute did to the favourable probability, under every possible true rule."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Reason:
    """What one attribute's value moved: the announced amount (above 0: towards the favourable outcome) and its interval."""

    attribute: str
    label: str
    value: str
    figure: WeightedSum
    range: Range  # of the figure, exactly
    amount: IntervalEstimate  # as printed

    @property
    def direction(self) -> Direction:
        """Which way, for certain."""
        if self.range.low > 0:
            return "raised"
        if self.range.high < 0:
            return "lowered"
        return "nothing" if self.range.low == self.range.high == 0 else "unclear"


@dataclass(frozen=True, kw_only=True)
class RankedReasons:
    """Reasons that weigh certainly more than those of every later rank, in the same direction.

    One reason: its place is certain. Several: they cannot all be ranked among each other, and stand in the order of the
    spec. `may_weigh_more` are reasons of unclear direction that could weigh more than one of these, the same way; all
    others certainly do not.
    """

    reasons: tuple[Reason, ...]
    may_weigh_more: tuple[Reason, ...]

    @property
    def is_certain(self) -> bool:
        """Whether its one reason has this place for certain, whatever the reasons of unclear direction do."""
        return len(self.reasons) == 1 and not self.may_weigh_more


@dataclass(frozen=True, kw_only=True)
class Reasons:
    """All attributes of one record, each in exactly one place."""

    outcome: str  # the favourable one
    announced: Decimal
    average: Decimal
    adds_up: bool  # whether the amounts share out the difference between the two
    lowered: tuple[RankedReasons, ...]
    raised: tuple[RankedReasons, ...]
    nothing: tuple[Reason, ...]  # moved it by exactly 0
    unclear: tuple[Reason, ...]  # it cannot be told which way

    @property
    def all(self) -> Iterator[Reason]:
        """Every reason: those against the favourable outcome first, then those for it, nothing and unclear."""
        for rank in (*self.lowered, *self.raised):
            yield from rank.reasons
        yield from (*self.nothing, *self.unclear)


def reasons_for(report: Report, record: Mapping[str, str]) -> Reasons | None:
    """The reasons of one record. None where nobody has it, or where the population is withheld, rounded or suppressed."""
    table = report.described_rule
    cell = explained_cell(table, record)
    return None if cell is None else certain_reasons(table, cell)


def certain_reasons(table: RuleTable, cell: int) -> Reasons:
    """Which attributes moved a cell's favourable probability, which way and in which order, as far as it is certain."""
    reasons = list(_reasons(table, cell))

    def of(direction: Direction) -> tuple[Reason, ...]:
        return tuple(each for each in reasons if each.direction == direction)

    return Reasons(
        outcome=table.cells.process.outcome.favourable,
        announced=table.printed(int(table.announced[cell])),
        average=nearest(average_of(table), table.decimals),
        adds_up=len(reasons) <= MAX_EXACT,
        lowered=tuple(_ranks(table, of("lowered"), of("unclear"), -1)),
        raised=tuple(_ranks(table, of("raised"), of("unclear"), 1)),
        nothing=of("nothing"),
        unclear=of("unclear"),
    )


def _reasons(table: RuleTable, cell: int) -> Iterator[Reason]:
    """What each attribute moved, in the order of the spec."""
    attributes, decimals = table.cells.process.attributes, table.decimals
    values = table.cells.labels(cell, attributes)
    for attribute, figure in zip(attributes, moved_as_sums(table, cell), strict=True):
        moved = figure.range(table, table.published_weights[0])
        yield Reason(
            attribute=attribute.name,
            label=attribute.title,
            value=values[attribute.name],
            figure=figure,
            range=moved,
            amount=IntervalEstimate(
                value=rounded_down(moved.value + Fraction(1, 2 * table.scale), decimals),
                interval=printed_interval([moved], decimals),
            ),
        )


def moved_as_sums(table: RuleTable, cell: int) -> tuple[WeightedSum, ...]:
    """What each attribute moved in a cell, as a weighted sum of the cells' favourable probabilities."""
    codes, weights, values = table.cells.codes, table.published_weights[0], value_counts(table.cells)
    shared = sharing_out(len(values))
    everybody = people(weights)
    most = 2 * everybody * shared.orders  # the sizes of an attribute's shares sum to twice the orders
    total: Any = widen(np.zeros((len(values), len(codes)), dtype=np.int64), most)
    for place, columns in enumerate(shared.drawn):
        draw = resample(codes, values, weights, columns)
        met = np.flatnonzero(draw.alike == draw.alike[cell])
        counts = shared.shares[:, place].astype(total.dtype)
        total[:, met] -= counts[:, None] * draw.drawn[met]
        total[:, cell] += counts * int(draw.possible[cell])
    return tuple(
        WeightedSum(coefficients=coefficients, denominator=everybody * shared.orders)
        for coefficients in total
    )


def _ranks(
    table: RuleTable, certain: Sequence[Reason], unclear: Sequence[Reason], sign: int
) -> Iterator[RankedReasons]:
    """The finest ranks such that each attribute of one certainly weighs more than each of the next.

    Attributes are taken by their announced weight. A certain order always agrees with it, so a rank ends where all that
    were taken certainly weigh more than all that are left.
    """
    ordered = sorted(certain, key=lambda each: -sign * each.range.value)
    begun = 0
    for end in range(1, len(ordered) + 1):
        taken, left = ordered[begun:end], ordered[end:]
        if all(_outweighs(table, one, other, sign) for one in taken for other in left):
            yield RankedReasons(
                reasons=tuple(each for each in certain if each in taken),
                may_weigh_more=tuple(
                    other
                    for other in unclear
                    if not all(_outweighs(table, one, other, sign) for one in taken)
                ),
            )
            begun = end


def _outweighs(table: RuleTable, one: Reason, other: Reason, sign: int) -> bool:
    """Whether one attribute moved further than another in the direction of `sign`, under every possible true rule."""
    if sign * (one.range.value - other.range.value) <= 0:
        return False  # the announced rule is a possible one
    if one.range.low > other.range.high or one.range.high < other.range.low:
        return True  # apart even if they moved independently
    difference = one.figure.minus(other.figure).range(table, table.published_weights[0])
    return difference.low > 0 if sign > 0 else difference.high < 0


# Reasons in words: what is certain in its order, what cannot be ranked, and whose direction cannot be told.
#
# Guarantee: every sentence holds under every true rule that the published figures allow. Words that say that
# something cannot be told claim no more than that this program cannot tell it from them.

CERTAIN = message(
    "A direction or an order is stated only where it is certain: it then holds for every exact rule that the published "
    "figures allow."
)
"""What certain means, in one sentence for a person."""


@dataclass(frozen=True, kw_only=True)
class DirectionWords:
    """How reasons of one direction are told."""

    alone: str
    in_order: str
    may_weigh_more: str


_LOWERED = DirectionWords(
    alone=message("What certainly lowered the probability of “{outcome}”: {reasons}."),
    in_order=message(
        "What certainly lowered the probability of “{outcome}”, the weightiest first: {reasons}."
    ),
    may_weigh_more=message("It cannot be told whether {unclear} lowered it even more than {certain}."),
)
_RAISED = DirectionWords(
    alone=message("What certainly raised the probability of “{outcome}”: {reasons}."),
    in_order=message(
        "What certainly raised the probability of “{outcome}”, the weightiest first: {reasons}."
    ),
    may_weigh_more=message("It cannot be told whether {unclear} raised it even more than {certain}."),
)
_GOES_WITH_LESS = DirectionWords(
    alone=message("What certainly goes with a lower probability of “{outcome}”: {reasons}."),
    in_order=message(
        "What certainly goes with a lower probability of “{outcome}”, the weightiest first: {reasons}."
    ),
    may_weigh_more=message("It cannot be told whether {unclear} goes with an even lower one than {certain}."),
)
_GOES_WITH_MORE = DirectionWords(
    alone=message("What certainly goes with a higher probability of “{outcome}”: {reasons}."),
    in_order=message(
        "What certainly goes with a higher probability of “{outcome}”, the weightiest first: {reasons}."
    ),
    may_weigh_more=message(
        "It cannot be told whether {unclear} goes with an even higher one than {certain}."
    ),
)


def reason_sentences(report: Report, reasons: Reasons) -> tuple[str, ...]:
    """What can be said about the reasons of one record, from those against the favourable outcome to what is unclear."""
    lowered, raised = (_GOES_WITH_LESS, _GOES_WITH_MORE) if is_described(report) else (_LOWERED, _RAISED)
    return (
        *_direction(lowered, reasons.outcome, reasons.lowered),
        *_direction(raised, reasons.outcome, reasons.raised),
        *_without_effect(report, reasons),
        *_unclear(report, reasons),
    )


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a reason stands among those of its direction; several share their places where their order is not certain."""

    first: int
    last: int

    @property
    def is_certain(self) -> bool:
        """Whether no other reason shares it."""
        return self.first == self.last


def places(ranks: Sequence[RankedReasons]) -> Iterator[tuple[Reason, Place]]:
    """Each reason of one direction with its place."""
    before = 0
    for rank in ranks:
        place = Place(first=before + 1, last=before + len(rank.reasons))
        for reason in rank.reasons:
            yield reason, place
        before = place.last


def named_reasons(reasons: Iterable[Reason]) -> Iterator[str]:
    """Reasons by name and value, as in “Income” (<100k)."""
    for each in reasons:
        yield gettext("“{attribute}” ({value})", attribute=each.label, value=each.value)


def _direction(words: DirectionWords, outcome: str, ranks: Sequence[RankedReasons]) -> Iterator[str]:
    """Those that certainly moved it one way, in their certain order."""
    if not ranks:
        return
    told = words.alone if len(ranks) == 1 else words.in_order
    yield gettext(told, outcome=outcome, reasons="; ".join(map(_of_rank, ranks)))
    for rank in ranks:
        if rank.may_weigh_more:
            yield gettext(
                words.may_weigh_more,
                unclear=list_or(named_reasons(rank.may_weigh_more)),
                certain=list_or(named_reasons(rank.reasons)),
            )


def _of_rank(rank: RankedReasons) -> str:
    named = list_and(named_reasons(rank.reasons))
    if len(rank.reasons) == 1:
        return named
    return gettext("{reasons} (in which order is not certain)", reasons=named)


def _without_effect(report: Report, reasons: Reasons) -> Iterator[str]:
    if reasons.nothing:
        named = list_and(named_reasons(reasons.nothing))
        yield by_source(
            report,
            given=gettext("What certainly had no effect: {reasons}.", reasons=named),
            described=gettext("What certainly goes with no difference: {reasons}.", reasons=named),
        )


def _unclear(report: Report, reasons: Reasons) -> Iterator[str]:
    if reasons.unclear:
        named = list_or(named_reasons(reasons.unclear))
        yield by_source(
            report,
            given=gettext(
                "Whether {reasons} raised it, lowered it or did neither cannot be told from the published figures.",
                reasons=named,
            ),
            described=gettext(
                "Whether {reasons} goes with a higher one, a lower one or neither cannot be told from the published "
                "figures.",
                reasons=named,
            ),
        )


# Reasons as a table: what each of a person's data moved, and what is certain about it.

PlaceWords = tuple[str, str]
"""How a place is told: one that is certain, and one that several reasons share."""

_LOWERED_IN_TABLE = (
    message("lowered it, place {place}"),
    message("lowered it, one of places {first} to {last}"),
)
_RAISED_IN_TABLE = (
    message("raised it, place {place}"),
    message("raised it, one of places {first} to {last}"),
)
_LESS_IN_TABLE = (
    message("goes with less, place {place}"),
    message("goes with less, one of places {first} to {last}"),
)
_MORE_IN_TABLE = (
    message("goes with more, place {place}"),
    message("goes with more, one of places {first} to {last}"),
)


def moved_tables(report: Report, case: OwnCase) -> tuple[RemarkedTable, ...]:
    """What each of the person's values moved; nothing where the report does not say how many people there are."""
    reasons = reasons_for(report, case.record)
    if reasons is None:
        return ()
    certain = _what_is_certain(report, reasons)
    return (
        RemarkedTable(
            table=make_table(
                "moved",
                by_source(
                    report,
                    given=gettext(
                        "How your data moved the announced probability of “{outcome}”",
                        outcome=reasons.outcome,
                    ),
                    described=gettext(
                        "What goes with your data in the announced probability of “{outcome}”",
                        outcome=reasons.outcome,
                    ),
                ),
                [
                    Column(gettext("Your data"), names_row=True),
                    Column(gettext("Your value"), names_row=True),
                    Column(
                        by_source(report, given=gettext("Moved it by"), described=gettext("Goes with")),
                        numeric=True,
                    ),
                    Column(gettext("Exact amount lies in"), numeric=True),
                    Column(gettext("What is certain")),
                ],
                [
                    [
                        reason.label,
                        reason.value,
                        signed_points(reason.amount.value),
                        signed_points_interval(reason.amount.low, reason.amount.high),
                        certain[reason],
                    ]
                    for reason in reasons.all
                ],
            ),
            remarks=(*reason_sentences(report, reasons), f"{gettext(CERTAIN)} {_average(reasons)}"),
        ),
    )


def _what_is_certain(report: Report, reasons: Reasons) -> dict[Reason, str]:
    """Of each reason its direction and place, that it has no effect, or that its direction is not certain."""
    lowered, raised = (
        (_LESS_IN_TABLE, _MORE_IN_TABLE) if is_described(report) else (_LOWERED_IN_TABLE, _RAISED_IN_TABLE)
    )
    return {
        **{reason: _in_place(lowered, place) for reason, place in places(reasons.lowered)},
        **{reason: _in_place(raised, place) for reason, place in places(reasons.raised)},
        **{reason: gettext("no effect") for reason in reasons.nothing},
        **{reason: gettext("direction not certain") for reason in reasons.unclear},
    }


def _in_place(words: PlaceWords, place: Place) -> str:
    certain, shared = words
    if place.is_certain:
        return gettext(certain, place=place.first)
    return gettext(shared, first=place.first, last=place.last)


def _average(reasons: Reasons) -> str:
    """What the amounts are amounts of."""
    average = gettext(
        "The announced probability of “{outcome}” is {average} on average over everybody, and {own} with your data.",
        outcome=reasons.outcome,
        average=full_percent(reasons.average),
        own=full_percent(reasons.announced),
    )
    amounts = (
        gettext(
            "The amounts divide the difference among your data (they are Shapley values). Apart from rounding, they add up "
            "to it."
        )
        if reasons.adds_up
        else gettext("Each amount is of one value by itself. The amounts need not add up to the difference.")
    )
    return f"{average} {amounts}"
