"""Statistical parity for readers."""

from __future__ import annotations

from atreport.kit.language import message
from atreport.pages.measures.unit import POINTS
from atreport.pages.measures.words import MeasureWords

WORDS = MeasureWords(
    name=message("Statistical parity"),
    definition=message("how far apart the rates of “{favourable}” in two groups are. 0 means equal."),
    terms={
        message("Statistical parity"): message(
            "How far apart the favourable rates of two groups are. 0 means equal."
        )
    },
    of_many_outcomes=(
        message(
            "how far apart two groups are in the rates of all outcomes: the differences, added up and divided by the number "
            "of outcomes. 0 means equal."
        ),
        message(
            "How far apart two groups are in the rates of all outcomes: the differences, added up and divided by the number "
            "of outcomes. 0 means equal."
        ),
    ),
    unit=POINTS,
    is_gap=True,
)
