"""Reasons in words: what is certain in its order, what cannot be ranked, and whose direction cannot be told.

Guarantee: every sentence holds under every true rule that the published figures allow. Words that say that something
cannot be told claim no more than that this program cannot tell it from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from atreport.pages.reasons import RankedReasons, Reason, Reasons
from atreport.publication.estimation_words import by_source
from atreport.report.model import Report

CERTAIN = (
    "A direction or an order is stated only where it is certain: where it holds wherever, between the limits of the "
    "published figures, the exact rule lies."
)
"""What certain means, in one sentence for a person."""


def reason_sentences(report: Report, reasons: Reasons) -> tuple[str, ...]:
    """What can be said about the reasons of one record, from those against the favourable outcome to what is unclear."""
    return (
        *_direction(report, reasons, "lowered"),
        *_direction(report, reasons, "raised"),
        *_without_effect(report, reasons),
        *_unclear(report, reasons),
    )


def place_words(ranks: Sequence[RankedReasons]) -> Iterator[tuple[Reason, str]]:
    """Each reason of one direction with its place: “1”, or “2 to 4, order not certain”."""
    before = 0
    for rank in ranks:
        first, last = before + 1, before + len(rank.reasons)
        place = str(first) if first == last else f"{first} to {last}, order not certain"
        for reason in rank.reasons:
            yield reason, place
        before = last


def quoted_reasons(reasons: Sequence[Reason], joined: str = "and") -> str:
    """Reasons by name and value, as in “Income” (<100k) and “Gender” (F)."""
    *others, last = [f"“{each.label}” ({each.value})" for each in reasons]
    return f"{', '.join(others)} {joined} {last}" if others else last


def _direction(report: Report, reasons: Reasons, way: Literal["lowered", "raised"]) -> Iterator[str]:
    """Those that certainly moved it one way, in their certain order."""
    ranks = reasons.lowered if way == "lowered" else reasons.raised
    if not ranks:
        return
    lower = "lower" if way == "lowered" else "higher"
    did = by_source(
        report,
        given=f"{way} the probability of “{reasons.outcome}”",
        described=f"goes with a {lower} probability of “{reasons.outcome}”",
    )
    if len(ranks) == 1:
        yield f"What certainly {did}: {_of_rank(ranks[0])}."
    else:
        yield f"What certainly {did}, the weightiest first: {', then '.join(map(_of_rank, ranks))}."
    for rank in ranks:
        if rank.may_weigh_more:
            more = by_source(report, given=f"{way} it even more", described=f"goes with an even {lower} one")
            yield (
                f"It cannot be told whether {quoted_reasons(rank.may_weigh_more, 'or')} {more} than "
                f"{quoted_reasons(rank.reasons, 'or')}."
            )


def _of_rank(rank: RankedReasons) -> str:
    named = quoted_reasons(rank.reasons)
    return (
        named if len(rank.reasons) == 1 else f"{named} (which cannot be ranked among each other for certain)"
    )


def _without_effect(report: Report, reasons: Reasons) -> Iterator[str]:
    if reasons.nothing:
        did = by_source(
            report, given="Certainly moved nothing", described="Certainly goes with no difference"
        )
        yield f"{did}: {quoted_reasons(reasons.nothing)}."


def _unclear(report: Report, reasons: Reasons) -> Iterator[str]:
    if reasons.unclear:
        moved = by_source(
            report,
            given="raised it, lowered it or did neither",
            described="goes with a higher one, a lower one or neither",
        )
        yield (
            f"Whether {quoted_reasons(reasons.unclear, 'or')} {moved} cannot be told from the published figures."
        )
