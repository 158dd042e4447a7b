"""The p% rule for readers."""

from __future__ import annotations

from decimal import Decimal

from atreport.kit.language import message
from atreport.pages.measures.unit import PERCENT
from atreport.pages.measures.words import MeasureWords

WORDS = MeasureWords(
    name=message("p% rule"),
    names_at={Decimal("0.8"): message("Four-fifths screening rule")},
    definition=message(
        "the lower of two rates of “{favourable}” as a share of the higher. 100% means equal. With a threshold of 80% it is "
        "known as the four-fifths rule: a screening rule that tells where to look closer, not a legal finding."
    ),
    terms={
        message("p% rule"): message(
            "The lower of two favourable rates as a share of the higher. 100% means equal. A screening rule asks for at "
            "least p, often four fifths (80%)."
        )
    },
    unit=PERCENT,
)
