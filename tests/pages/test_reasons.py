"""Reasons for a person: read from the report alone, each attribute once, in words that claim no more than is certain."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from atreport.core.band import Range
from atreport.explain.interventions import WeightedSum
from atreport.pages.own_case import own_case
from atreport.pages.reasons import (
    Place,
    RankedReasons,
    Reason,
    Reasons,
    places,
    reason_sentences,
    reasons_for,
)
from atreport.report.figures import IntervalEstimate
from tests.assessing import CASES, report_case
from tests.documents import example_report
from tests.pages.test_personal import amounts, average_of


def reason(name: str) -> Reason:
    """A reason of some name."""
    printed = Decimal("0.1"), (Decimal("0.05"), Decimal("0.2"))
    return Reason(
        attribute=name,
        label=name.title(),
        value="x",
        figure=WeightedSum(coefficients=np.array([1]), denominator=1),
        range=Range(Fraction(1, 10), Fraction(1, 20), Fraction(1, 5)),
        amount=IntervalEstimate(value=printed[0], interval=printed[1]),
    )


A, B, C, D = map(reason, "abcd")
NONE = Reasons(
    outcome="yes",
    announced=Decimal("0.5"),
    average=Decimal("0.4"),
    adds_up=True,
    lowered=(),
    raised=(),
    nothing=(),
    unclear=(),
)


def rank(*reasons: Reason, may: tuple[Reason, ...] = ()) -> RankedReasons:
    """A rank of some reasons."""
    return RankedReasons(reasons=reasons, may_weigh_more=may)


@pytest.mark.parametrize("name", CASES)
def test_amounts_are_those_of_the_page(name: str) -> None:
    """Every attribute once; amounts as the look-up prints them; a certain sign agrees with the whole interval."""
    report = report_case(name)
    for cell in report.cells[:: max(1, len(report.cells) // 5)]:
        moved, reasons = amounts(report, cell.values), reasons_for(report, cell.values)
        assert (moved is None) == (reasons is None)
        if moved is None or reasons is None:
            continue
        assert {each.attribute: each.amount.value for each in reasons.all} == moved
        assert len(list(reasons.all)) == len(moved)
        told = own_case(report, {name: cell.values[name] for name in moved})
        assert reasons.announced == told.announced[report.process.outcome.favourable].value
        assert reasons.average == average_of(report)
        assert all(r.amount.low >= 0 for ranked in reasons.raised for r in ranked.reasons)
        assert all(r.amount.high <= 0 for ranked in reasons.lowered for r in ranked.reasons)
        assert all(r.amount.low <= 0 <= r.amount.high for r in (*reasons.unclear, *reasons.nothing))
        assert all(each.label in " ".join(reason_sentences(report, reasons)) for each in reasons.all)


def test_the_paper_s_example() -> None:
    """A woman with a high income: her income raised it for certain, what her gender did cannot be told."""
    report = example_report().report
    reasons = reasons_for(report, {"gender": "F", "income": ">200k"})
    assert reasons is not None
    assert reasons.raised[0].is_certain
    words = " ".join(reason_sentences(report, reasons))
    assert "What certainly raised the probability of “approved”: “Annual income” (>200k)." in words
    assert "Whether “Gender” (F) raised it, lowered it or did neither cannot be told" in words
    assert reasons_for(report, {"gender": "F", "income": "nothing"}) is None


def test_words_for_every_shape() -> None:
    """None, one, several in certain order, several that cannot be ranked, possible outweighing, no effect, unclear."""
    report = example_report().report  # whose rule was given
    assert reason_sentences(report, NONE) == ()
    (one,) = reason_sentences(report, replace(NONE, lowered=(rank(A),)))
    assert one == "What certainly lowered the probability of “yes”: “A” (x)."
    (ordered,) = reason_sentences(report, replace(NONE, raised=(rank(A), rank(B, C), rank(D))))
    assert ordered == (
        "What certainly raised the probability of “yes”, the weightiest first: “A” (x); “B” (x) and “C” (x) (in which order "
        "is not certain); “D” (x)."
    )
    several = reason_sentences(
        report, replace(NONE, lowered=(rank(A, may=(B,)),), unclear=(B, C), nothing=(D,))
    )
    assert several[1:] == (
        "It cannot be told whether “B” (x) lowered it even more than “A” (x).",
        "What certainly had no effect: “D” (x).",
        "Whether “B” (x) or “C” (x) raised it, lowered it or did neither cannot be told from the published figures.",
    )


def test_estimated_rules_name_no_causes() -> None:
    """Where the rule was found in records, an attribute goes with a result: nothing shows that it moved it."""
    report = report_case("release_decisions")
    every = replace(NONE, lowered=(rank(A, may=(B,)),), raised=(rank(C),), unclear=(B,), nothing=(D,))
    words = " ".join(reason_sentences(report, every))
    assert "moved" not in words
    assert "lowered" not in words
    assert "raised" not in words


def test_places() -> None:
    """A place of its own, or the places that several share."""
    found = {each.label: place for each, place in places((rank(A), rank(B, C), rank(D)))}
    shared = Place(first=2, last=3)
    assert found == {"A": Place(first=1, last=1), "B": shared, "C": shared, "D": Place(first=4, last=4)}
    assert [found[name].is_certain for name in "ABCD"] == [True, False, False, True]
    assert not rank(A, B).is_certain
    assert not rank(A, may=(B,)).is_certain
