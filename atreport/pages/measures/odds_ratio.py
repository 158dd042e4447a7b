"""The odds ratio for readers."""

from __future__ import annotations

from dataclasses import replace

from atreport.pages.measures.unit import PERCENT
from atreport.pages.measures.words import MeasureWords

ODDS = replace(
    PERCENT,
    id="odds",
    caption="lower odds as a share of the higher, {compared}",
    chart_title="Ratios of odds",
    chart_axis="Lower odds as a share of the higher",
)
"""In percent too, and in a chart of its own: a ratio of odds is not to be compared with a ratio of rates."""

WORDS = MeasureWords(
    name="Odds ratio",
    definition="the lower of two groups’ odds of “{favourable}” as a share of the higher; odds are how many get the "
    "outcome for each one who does not. 100% means equal. It is further from 100% than the ratio of the rates.",
    terms={
        "Odds ratio": "The lower of two groups' odds of the favourable outcome as a share of the higher; 100% means "
        "equal. Odds are how many get the outcome for each one who does not."
    },
    unit=ODDS,
)
