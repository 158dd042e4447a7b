"""Individual fairness for readers."""

from __future__ import annotations

from atreport.kit.language import message
from atreport.pages.measures.unit import LOGARITHM, POINTS, Unit
from atreport.pages.measures.words import MeasureWords
from atreport.spec.models.measures import IndividualFairness


def _unit_asked(asked: IndividualFairness) -> Unit:
    return LOGARITHM if asked.metric == "relative" else POINTS


WORDS = MeasureWords(
    name=message("Individual fairness"),
    definition=message(
        "by how much, at most, two people are treated more differently than they differ. 0 means that no two are. The "
        "publisher chose how differences between people are counted."
    ),
    terms={
        message("Individual fairness"): message(
            "By how much, at most, two people are treated more differently than they differ."
        )
    },
    unit=POINTS,
    unit_asked=_unit_asked,
)
