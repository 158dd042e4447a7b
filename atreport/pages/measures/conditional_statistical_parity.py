"""Conditional statistical parity for readers."""

from __future__ import annotations

from atreport.pages.measures.statistical_parity import TERMS
from atreport.pages.measures.unit import POINTS
from atreport.pages.measures.words import MeasureWords

WORDS = MeasureWords(
    name="Conditional statistical parity",
    definition="the same, among people who are alike in the attribute named.",
    terms={
        **TERMS,  # "the same" needs it
        "Conditional statistical parity": "The same, among people who are alike in the attributes named.",
    },
    unit=POINTS,
    is_gap=True,
)
