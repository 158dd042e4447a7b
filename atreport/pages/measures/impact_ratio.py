"""The impact ratio for readers."""

from __future__ import annotations

from collections.abc import Mapping

from atreport.pages.measures.unit import PERCENT
from atreport.pages.measures.words import MeasureWords
from atreport.spec.models.process import Process


def _compared(groups: tuple[str, str], _given: Mapping[str, str] | None, _process: Process) -> str:
    group, favoured = groups
    return (
        f"{group}, the most favoured" if group == favoured else f"{group} and {favoured}, the most favoured"
    )


WORDS = MeasureWords(
    name="Impact ratio",
    definition="a group’s rate as a share of the most favoured group’s rate. 100% means equal. A ratio "
    "under 80% is a sign to look closer, not a legal finding.",
    terms={
        "Impact ratio": "A group's favourable rate as a share of the most favoured group's rate; 100% means "
        "equal."
    },
    unit=PERCENT,
    compared=_compared,
)
