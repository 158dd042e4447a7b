"""Statistical parity for readers."""

from __future__ import annotations

from atreport.pages.measures.unit import POINTS
from atreport.pages.measures.words import MeasureWords

TERMS = {"Statistical parity": "How far apart the favourable rates of two groups are; 0 means equal."}

WORDS = MeasureWords(
    name="Statistical parity",
    definition="how far apart the rates of “{favourable}” in two groups are. 0 means equal.",
    terms=TERMS,
    unit=POINTS,
    is_gap=True,
)
