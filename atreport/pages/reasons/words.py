"""Reasons in words: what is certain in its order, what cannot be ranked, and whose direction cannot be told.

Guarantee: every sentence holds under every true rule that the published figures allow. Words that say that something
cannot be told claim no more than that this program cannot tell it from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from atreport.kit.language import message, say
from atreport.kit.language.words import list_and, list_or
from atreport.pages.reasons import RankedReasons, Reason, Reasons
from atreport.publication.words.estimation import by_source, is_described
from atreport.report.model import Report

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
        yield say("“{attribute}” ({value})", attribute=each.label, value=each.value)


def _direction(words: DirectionWords, outcome: str, ranks: Sequence[RankedReasons]) -> Iterator[str]:
    """Those that certainly moved it one way, in their certain order."""
    if not ranks:
        return
    told = words.alone if len(ranks) == 1 else words.in_order
    yield say(told, outcome=outcome, reasons="; ".join(map(_of_rank, ranks)))
    for rank in ranks:
        if rank.may_weigh_more:
            yield say(
                words.may_weigh_more,
                unclear=list_or(named_reasons(rank.may_weigh_more)),
                certain=list_or(named_reasons(rank.reasons)),
            )


def _of_rank(rank: RankedReasons) -> str:
    named = list_and(named_reasons(rank.reasons))
    if len(rank.reasons) == 1:
        return named
    return say("{reasons} (in which order is not certain)", reasons=named)


def _without_effect(report: Report, reasons: Reasons) -> Iterator[str]:
    if reasons.nothing:
        named = list_and(named_reasons(reasons.nothing))
        yield by_source(
            report,
            given=say("What certainly had no effect: {reasons}.", reasons=named),
            described=say("What certainly goes with no difference: {reasons}.", reasons=named),
        )


def _unclear(report: Report, reasons: Reasons) -> Iterator[str]:
    if reasons.unclear:
        named = list_or(named_reasons(reasons.unclear))
        yield by_source(
            report,
            given=say(
                "Whether {reasons} raised it, lowered it or did neither cannot be told from the published figures.",
                reasons=named,
            ),
            described=say(
                "Whether {reasons} goes with a higher one, a lower one or neither cannot be told from the published "
                "figures.",
                reasons=named,
            ),
        )
