"""The odds ratio for readers."""

from __future__ import annotations

from dataclasses import replace

from atreport.kit.language import message
from atreport.pages.measures.unit import PERCENT
from atreport.pages.measures.words import MeasureWords

ODDS = replace(
    PERCENT,
    id="odds",
    caption=message("lower odds as a share of the higher, {compared}"),
    chart_title=message("Ratios of odds"),
    chart_axis=message("Lower odds as a share of the higher"),
    chart_axis_all=message("Lower odds as a share of the higher, all {total} comparisons"),
    chart_axis_extremes=message("Lower odds as a share of the higher, the {shown} that may be smallest"),
)
"""In percent too, and in a chart of its own: a ratio of odds is not to be compared with a ratio of rates."""

WORDS = MeasureWords(
    name=message("Odds ratio"),
    definition=message(
        "the lower of two groups’ odds of “{favourable}” as a share of the higher. Odds are how many people get the outcome "
        "for each one who does not. 100% means equal. This ratio is never nearer to 100% than the ratio of the rates."
    ),
    terms={
        message("Odds ratio"): message(
            "The lower of two groups’ odds of the favourable outcome as a share of the higher. 100% means equal. Odds are "
            "how many people get the outcome for each one who does not."
        )
    },
    unit=ODDS,
)
