"""Individual fairness for readers."""

from __future__ import annotations

from atreport.pages.measures.unit import LOGARITHM, POINTS, Unit
from atreport.pages.measures.words import MeasureWords
from atreport.spec.models.measures import IndividualFairness


def _unit_asked(asked: IndividualFairness) -> Unit:
    return LOGARITHM if asked.metric == "relative" else POINTS


WORDS = MeasureWords(
    name="Individual fairness",
    definition="by how much two people are treated more differently than they differ, at most. 0 means "
    "never. The publisher chose how people’s differences are counted.",
    terms={
        "Individual fairness": "By how much two people are treated more differently than they differ, at "
        "most."
    },
    unit=POINTS,
    unit_asked=_unit_asked,
)
